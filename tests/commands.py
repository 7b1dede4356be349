# ruff: noqa: S603  (the processes started here are our own)
"""What the tests of the command line share: two partitions, the command as a process, and on a terminal."""

import contextlib
import json
import os
import pty
import subprocess
import sys
from dataclasses import dataclass

import concordant as cc

COMMAND = [sys.executable, "-m", "concordant"]
TRUTH = {"a": "1", "b": "1", "c": "2", "d": "2", "e": "3"}
GUESS = {"e": "z", "d": "y", "c": "y", "b": "x", "a": "y"}
EXPECTED = cc.compare(TRUTH, GUESS)


@dataclass
class Ran:
    status: int
    out: str
    err: str

    @property
    def values(self):
        return json.loads(self.out)["indices"]


def process(*arguments, **options):
    """A process of its own, whose output is kept."""
    command = [*COMMAND, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, **options)


def on_a_terminal(command, *, stream="stdout", **options):
    """What a process prints on a terminal that it has as one of its streams, and the rest of it."""
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
