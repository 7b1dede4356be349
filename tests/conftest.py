"""Settings that all tests share, and the command line as all its tests run it."""

import gc
import io
import os
import signal
import sys
from functools import cache

import pytest
import typer
from commands import GUESS, TRUTH, Ran, check_advice, table
from hypothesis import settings
from inner import app
from not_run import (  # noqa: F401  (pytest finds the hooks of this module here)
    deselect_weekly,
    pytest_addoption,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)

import concordant as cc
from concordant.cli import main

# The machine may be busy: how long an example takes says nothing about whether it is right. Nothing is kept
# from run to run, so that the tests write nowhere but into the temporary folder.
# The laws hold on every small partition anyhow: what is drawn at random besides need not be much.
settings.register_profile("concordant", deadline=None, database=None, max_examples=40)
settings.load_profile("concordant")

# What takes longest begins first, so that no process is left with it at the end.
LONGEST = (
    *("tests/spark/test_cluster.py", "spark", "dask"),
    *(
        "tests/clusterings/test_hostile.py",
        "tests/engines/tables/test_frames.py",
        "tests/indices/test_laws.py",
        "tests/cli/test_cli_process.py",
        "tests/indices/test_indices.py",
    ),
)


def pytest_configure():
    """Thousands of tests and their modules are there to stay: to look for garbage among them is in vain.

    The width of the terminal on which tests are run does not matter.
    """
    os.environ["COLUMNS"] = "80"
    gc.disable()


def pytest_collection_finish():
    """Tests make few cycles, and many objects that stay: the standard thresholds would search too often."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


# mypy reads what it knows from the cache that `make types` fills at the same time.
LAST = ("tests/interface/test_types.py",)


def _group(nodeid):
    """Tests of a group, a file's or an engine's, run in one process, which makes once what they share."""
    file, _, test = nodeid.partition("::")
    return next((engine for engine in ("spark", "dask") if engine in test), file)


def pytest_collection_modifyitems(config, items):
    deselect_weekly(config, items)
    for item in items:
        if item.nodeid.startswith("tests/engines/") and _group(item.nodeid) == "spark":
            item.add_marker("spark")  # `make test-spark` has a process for all that need Java
    order = {group: place for place, group in enumerate(LONGEST)} | dict.fromkeys(LAST, len(LONGEST) + 1)
    items.sort(key=lambda item: order.get(_group(item.nodeid), len(LONGEST)))


@pytest.hookimpl(optionalhook=True)  # xdist may be switched off
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return _group(nodeid)

    return Groups(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One for each core; each of them collects all tests, so more of them cost more than they bring."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores, 8)


@pytest.fixture(autouse=True)
def _closed_figures():
    """Matplotlib keeps every figure until it is closed, and warns above twenty."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture
def interruptible():
    """Have this process and its children heed SIGINT, which they ignore when started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


# Typer reads the options of all commands anew for each call, which takes longer than what most tests ask for.
_PARSER = cache(typer.main.get_command)


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Runs a command in this process, in an empty folder, with a temporary folder that must stay empty."""
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    temporary.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr("typer.main.get_command", _PARSER)

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", _standard_input(stdin))
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(left.value.code, captured.out, captured.err)

    yield run
    assert list(temporary.iterdir()) == []


def _standard_input(content):
    """As a process has it, from bytes; None where it is closed."""
    return None if content is None else io.TextIOWrapper(io.BufferedReader(io.BytesIO(content)))


@pytest.fixture
def fails(run):
    """Runs a command that must fail by itself: status 2, one line that starts with our name.

    Its advice names options of this command, never Python calls.
    """

    def fails(*arguments, stdin=b""):
        ran = run(*arguments, stdin=stdin)
        assert ran.status == 2
        assert ran.out == ""
        assert ran.err.startswith("concordant: ")
        assert ran.err.count("\n") == 1
        parameters = _PARSER(app).commands[str(arguments[0])].params
        options = {each for option in parameters for each in (*option.opts, *option.secondary_opts)}
        check_advice(ran.err, arguments, options)
        return ran.err

    return fails


@pytest.fixture
def columns(run):
    """Compares the columns u and v of a text on standard input."""

    def columns(text, *options):
        stdin = text if isinstance(text, bytes) else text.encode()
        return run("compare", "-", "--columns", "u,v", *options, stdin=stdin)

    return columns


@pytest.fixture
def sizes_alone(tmp_path_factory):
    """Compares labels of which only the sizes of clusters and overlaps are known.

    A file has no more than these if the overlaps stayed in their source.
    """
    import polars as pl

    def sizes_alone(reference, candidate):
        path = tmp_path_factory.mktemp("saved") / "comparison.json"
        frame = pl.LazyFrame({"u": list(reference), "v": list(candidate)})
        cc.compare(frame, columns=["u", "v"], table_limit=0).save(path)
        return cc.Comparison.load(path)

    return sizes_alone


@pytest.fixture
def two_files(run):  # noqa: ARG001  (its folder is where they lie)
    return table("truth.csv", TRUTH), table("guess.csv", GUESS, "id,group")
