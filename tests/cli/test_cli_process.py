# ruff: noqa: S603  (the processes started here are our own)
"""The command as a process: its streams, signals, terminals, and what it says while one waits."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from commands import COMMAND, DIGITS, on_a_terminal, process, several
from rich.console import Console

from concordant.cli import output

fcntl = pytest.importorskip("fcntl", reason="there is none on Windows")
termios = pytest.importorskip("termios", reason="there is none on Windows")

SECONDS = 300  # a limit for what hangs; a busy machine is slow


def test_errors_of_a_process():
    ran = process("compare", "missing.csv")
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", "concordant: there is no file missing.csv\n")


@pytest.mark.parametrize("command", [["indices"], ["compare", "--help"]])
def test_a_reader_that_has_left_is_no_mistake(command):
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run([*COMMAND, *command], stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_full_disk_is_told():
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ran = subprocess.run(
            [*COMMAND, "indices"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ran.returncode == 2
    assert ran.stderr == "concordant: cannot write to standard output: No space left on device\n"


def left_with(commands, folder, redirected):
    """The statuses of commands in one process with streams redirected so, and what is said of errors."""
    shell = ["bash", "-c", f'exec "$@" {redirected}', "bash"]
    statuses = folder / "statuses"
    ran = subprocess.run(
        [*shell, *several(commands, statuses)], stderr=subprocess.PIPE, text=True, check=False
    )
    return json.loads(statuses.read_text(encoding="utf-8")), ran.stderr


def test_a_closed_standard_output_is_told(tmp_path):
    commands = [["indices"], ["--version"], ["compare", DIGITS / "truth.csv", DIGITS / "kmeans.csv"]]
    statuses, said = left_with(commands, tmp_path, ">&-")
    assert statuses == [2, 2, 2]
    assert said.splitlines() == 3 * [
        "concordant: cannot write to standard output: it is closed; --output writes to a file"
    ]


def test_neither_a_file_nor_a_status_needs_the_standard_streams(tmp_path):
    file = tmp_path / "result"
    to_file = ["compare", DIGITS / "truth.csv", DIGITS / "truth.csv", "--output", file]
    statuses, _ = left_with([to_file, ["explain", "nothing"]], tmp_path, ">&- 2>&-")
    assert statuses == [0, 2]
    assert "1,797 records" in file.read_text(encoding="utf-8")


@pytest.mark.usefixtures("interruptible")
def test_interrupted():
    """While it waits for more: what was written has been taken from the pipe."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([*COMMAND, "compare", "-"], **pipes) as waiting:
        waiting.stdin.write(b"u,v\n")
        waiting.stdin.flush()
        while unread(waiting.stdin):
            assert waiting.poll() is None
            time.sleep(0.01)
        waiting.send_signal(signal.SIGINT)
        assert waiting.wait(timeout=SECONDS) == 130
        assert waiting.stderr.read() == b""


def unread(pipe):
    """How many bytes of a pipe nobody has read yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def test_an_encoding_without_our_letters():
    ran = process("explain", "jaccard", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 0
    assert "N?? / (N?? + N?? + N??)" in ran.stdout


COMPARE = ["compare", DIGITS / "truth.csv", DIGITS / "kmeans.csv"]


@pytest.fixture(scope="module")
def printed_on_a_terminal():
    """What commands of one process print on a terminal; variables among them hold from there on."""
    variables = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "COLUMNS": "120"}
    coloured = [COMPARE, ["explain", "jaccard"]]
    plain = [{"NO_COLOR": "1"}, COMPARE, {"COLUMNS": "200"}, ["indices"], {"COLUMNS": "80"}, ["indices"]]
    commands = several([*coloured, *plain], os.devnull)
    return on_a_terminal(commands, env=variables)[0].split("\f")[:-1]


def test_colours_on_a_terminal_only(run, printed_on_a_terminal):
    *coloured, plain = printed_on_a_terminal[:3]
    assert ["\x1b[" in shown for shown in coloured] == [True, True]
    assert "\x1b[" not in plain
    assert "\x1b[" not in run(*COMPARE).out


def test_indices_fit_a_narrow_terminal(printed_on_a_terminal):
    wide, narrow = printed_on_a_terminal[3:]
    assert wide.splitlines()[0].split()[-1] == "title"
    assert re.findall(r"^  (\w+)", narrow, re.MULTILINE) == re.findall(r"^  (\w+)", wide, re.MULTILINE)
    assert max(map(len, narrow.splitlines())) <= 80


@pytest.mark.parametrize("module", ["typer", "rich"])
def test_without_the_extra(module):
    code = f"import sys; sys.modules[{module!r}] = None; from concordant.__main__ import main; main()"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr == (
        f"concordant: the command line needs {module}, which is not installed; "
        "run: pip install 'concordant[cli]'\n"
    )


def test_importing_the_library_or_starting_a_command_loads_nothing_heavy():
    heavy = {"duckdb", "narwhals", "pandas", "polars", "pyarrow", "rich", "scipy", "sklearn", "typer"}
    ours = {
        "concordant.cli",
        "concordant.engines.tables.job",
        "concordant.many.matrix",
        "concordant.report.pages",
    }
    at_start = heavy - {"rich", "typer"} | {"concordant.hierarchies.hierarchy", "concordant.soft.clustering"}
    code = (
        f"import sys, concordant; print({heavy | ours!r} & set(sys.modules)); "
        f"import concordant.cli.commands; print({at_start!r} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\nset()\n"


# -- what is said while one waits, and what is not ------------------------------------------------------


@pytest.fixture
def terminal(monkeypatch):
    """What is written to a standard error that is a terminal."""
    written = io.StringIO()
    monkeypatch.setattr(output, "Console", lambda **_: Console(file=written, force_terminal=True, width=80))
    return written


def test_what_is_quick_says_nothing(terminal, monkeypatch):
    monkeypatch.setattr(output, "PATIENCE", SECONDS)  # on a busy machine, nothing is quick
    with output.progress("counting sheep") as done:
        done(3, 3)
    assert terminal.getvalue() == ""


def test_progress_ends_when_something_fails(terminal, monkeypatch):
    monkeypatch.setattr(output, "PATIENCE", 0.01)

    @output.progress("counting sheep")
    def count():
        end = time.monotonic() + SECONDS
        while "counting sheep" not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
        raise ZeroDivisionError

    before = set(threading.enumerate())
    with pytest.raises(ZeroDivisionError):
        count()
    written = terminal.getvalue()
    assert written.endswith("\x1b[2K")  # its line is wiped
    for thread in set(threading.enumerate()) - before:
        thread.join(SECONDS)
    assert set(threading.enumerate()) <= before  # nothing is left that could write
    assert terminal.getvalue() == written


_FAULTY = """
import inspect, json, sys
from functools import cache
import typer
import concordant.cli.commands, concordant.cli.options as options
from concordant.cli import main

def status(arguments):
    try:
        main(arguments)
    except SystemExit as left:
        return left.code

def fail(**_):
    raise error

fail.__signature__ = inspect.Signature()
typer.main.get_command = cache(typer.main.get_command)  # it reads the options of all commands
commands = options.app.registered_commands
wrong = (["no/such/file.csv"], ["--no-such-option"], ["no/such/file.csv"] * 3, ["--output"])
left = {command.name: [status([command.name, *given]) for given in wrong] for command in commands}
for command in commands:
    command.callback = fail
typer.main.get_command.cache_clear()
for command in commands:
    for error in (RuntimeError("a bug"), MemoryError(), EOFError(), BrokenPipeError(32, "pipe")):
        left[command.name].append(status([command.name]))
print(json.dumps(left))
"""


def test_only_a_missed_limit_ends_with_1():
    ran = subprocess.run([sys.executable, "-c", _FAULTY], capture_output=True, text=True, check=True)
    left = json.loads(ran.stdout.splitlines()[-1])
    assert len(left) > 10
    for command, statuses in left.items():
        assert {*statuses[:4]} <= {0, 2}, command
        assert statuses[1] == statuses[3] == 2, command
        assert statuses[4:] == [70, 70, 70, 0], command
    assert ran.stderr.count("RuntimeError: a bug") == len(left)
