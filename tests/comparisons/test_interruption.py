"""Ctrl-C that a program catches does not end its process, whenever it comes."""

import subprocess
import sys

import pytest

import concordant as cc

# Dataclasses are made of texts that Python executes; here each is interrupted.
SCRIPT = """
import builtins, dataclasses, sys
import concordant as cc

c = cc.compare([0, 0, 1, 1], [0, 0, 0, 1])
dataclasses.exec = lambda *_: builtins.exec("raise KeyboardInterrupt", {{}})
try:
    {called}
except KeyboardInterrupt:
    sys.stdout.write("caught")
"""

CALLS = {
    "text": "str(c)",
    "all indices": "f'{c:all}'",
    "notebook": "c._repr_html_()",
    "clusters": "c.clusters()",
    "page": "c.to_html('page.html')",
    "significance": "c.significance('adjusted_rand')",
    "interval": "c.interval('adjusted_rand')",
    "a name of the package": "cc.track",
}


def run(called, folder):
    script = SCRIPT.format(called=called)
    return subprocess.run(  # noqa: S603  (a script of our own)
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=folder
    )


@pytest.mark.parametrize("called", CALLS.values(), ids=CALLS)
def test_a_caught_interruption_does_not_end_the_process(called, tmp_path):
    ran = run(called, tmp_path)
    assert (ran.stdout, ran.returncode) == ("caught", 0), ran.stderr


def test_what_was_interrupted_can_be_asked_for_again(tmp_path):
    again = "dataclasses.exec = builtins.exec; sys.stdout.write(str(c))"
    ran = run(f"str(c)\nexcept KeyboardInterrupt:\n    {again}\ntry:\n    pass", tmp_path)
    assert ran.stdout == str(cc.compare([0, 0, 1, 1], [0, 0, 0, 1])), ran.stderr
