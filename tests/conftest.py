"""Settings that all tests share, and the command line as all its tests run it."""

import io
import os
import signal
import sys

import pytest
from commands import Ran
from hypothesis import settings

from concordant.cli import main

# The machine may be busy: how long an example takes says nothing about whether it is right.
settings.register_profile("concordant", deadline=None)
settings.load_profile("concordant")

# What takes longest begins first, so that no process is left with it at the end.
LONGEST = ("cluster", "pyspark", "dask")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(items):
    """Unless marked otherwise, the tests of a file run in one process, which makes once what they share."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    items.sort(key=lambda item: _turn(item.get_closest_marker("xdist_group").args[0]))


def _turn(group):
    return LONGEST.index(group) if group in LONGEST else len(LONGEST)


@pytest.hookimpl(optionalhook=True)  # xdist may be switched off
def pytest_xdist_auto_num_workers():
    """One for each core, and one that mostly waits for the cluster."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores, 7) + 1


@pytest.fixture
def interruptible():
    """Have this process and its children heed SIGINT, which they ignore when started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Runs a command in this process, in an empty folder, with a temporary folder that must stay empty."""
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    temporary.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))

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
    """Runs a command that must fail by itself: status 2, one line that starts with our name."""

    def fails(*arguments, stdin=b""):
        ran = run(*arguments, stdin=stdin)
        assert ran.status == 2
        assert ran.out == ""
        assert ran.err.startswith("concordant: ")
        assert ran.err.count("\n") == 1
        return ran.err

    return fails
