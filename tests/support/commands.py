# ruff: noqa: S603  (the processes started here are our own)
"""What the tests of the command line share: files, and the command as a process and on a terminal."""

import contextlib
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from inner import INDICES

import concordant as cc

ROOT = Path(__file__).parents[2]
DIGITS = ROOT / "examples" / "digits"
COMMAND = [sys.executable, "-m", "concordant"]
TRUTH = {"a": "1", "b": "1", "c": "2", "d": "2", "e": "3"}
GUESS = {"e": "z", "d": "y", "c": "y", "b": "x", "a": "y"}
EXPECTED = cc.compare(TRUTH, GUESS, names=["truth", "guess"])  # as the files are called


@dataclass
class Ran:
    status: int
    out: str
    err: str

    @property
    def values(self):
        return json.loads(self.out)["data"]


def write(name, text):
    path = Path(name)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def table(name, mapping, header="id,label", separator=","):
    """A delimited text of two columns."""
    rows = [header.replace(",", separator)] if header else []
    rows += [f"{element}{separator}{label}" for element, label in mapping.items()]
    return write(name, "\n".join(rows) + "\n")


def values(comparison):
    """All indices as JSON gives them."""
    return json.loads(comparison.to_json())["data"]


def narrow(text):
    """Columns may grow when an index is added; what is expected need not follow."""
    return re.sub(r" +", " ", text)


_OF_PYTHON = re.compile(r"[a-z_]\w*=(?!=)|\b(?:cc|concordant|Partition|Cover)\.[a-z]|[a-z_]\w*\(|\bNone\b")


def check_advice(text, arguments, options):
    """Check that a message names options that the command has, and no Python syntax.

    What was typed may be repeated. Options take values like ``NAME=0.95``, and indices have parameters.
    """
    for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", text):
        assert option in options, (option, text)
    names = "|".join(["name", *INDICES])
    text = re.sub(rf"--[a-z-]+ \S+|\b(?:{names})\([^)]*\)|\(n=0\)", "", text)
    for typed in filter(_OF_PYTHON.search, map(str, arguments)):
        text = text.replace(typed, "")
    assert not _OF_PYTHON.search(text), text


def process(*arguments, **options):
    """A process of its own, whose output is kept."""
    command = [*COMMAND, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, **options)


_SEVERAL = """
import json, os, pathlib, sys
from concordant.cli import main

statuses = []
for command in json.loads(sys.argv[1]):
    if isinstance(command, dict):
        os.environ.update(command)
        continue
    try:
        main(command)
    except SystemExit as left:
        statuses.append(left.code)
    if sys.stdout is not None:
        print(end="\\f", flush=True)
pathlib.Path(sys.argv[2]).write_text(json.dumps(statuses), encoding="utf-8")
"""


def several(commands, statuses):
    """A process that runs commands one after the other, as it takes longer to start than they do.

    A form feed ends what each of them prints; a dict among them sets variables of the environment. The file
    ``statuses`` gets what they leave with.
    """
    return [sys.executable, "-c", _SEVERAL, json.dumps(commands, default=str), str(statuses)]


def on_a_terminal(command, *, stream="stdout", **options):
    """What a process prints on a terminal that it has as one of its streams, and the rest of it."""
    import pty  # there is none on Windows

    ours, theirs = pty.openpty()
    shown = b""
    with subprocess.Popen(command, **{stream: theirs}, **options) as ran:
        os.close(theirs)
        with contextlib.suppress(OSError):  # how Linux says that the terminal's other end is closed
            while chunk := os.read(ours, 65536):
                shown += chunk
        os.close(ours)
        rest = ran.stdout.read().decode() if ran.stdout else ""
    return shown.decode(), rest
