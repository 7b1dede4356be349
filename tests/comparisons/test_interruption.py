"""Ctrl-C that a program catches does not end its process, whenever it comes."""

import os
import subprocess
import sys

import pytest

# Dataclasses are made of texts that Python executes; here each is interrupted. In the process of each call,
# only the package was imported before.
SCRIPT = """
import builtins, dataclasses, os, sys
import concordant as cc

def interrupt(*_):
    raise KeyboardInterrupt

for called in sys.argv[1:]:
    if os.fork() == 0:
        c = cc.compare([0, 0, 1, 1], [0, 0, 0, 1])
        dataclasses.exec = interrupt
        try:
            exec(called)
        except KeyboardInterrupt:
            dataclasses.exec = builtins.exec
            print("caught", called, str(c) == str(cc.compare([0, 0, 1, 1], [0, 0, 0, 1])), flush=True)
            os._exit(0)
        os._exit(1)
    if os.wait()[1]:
        print("not caught", called, flush=True)
"""

CALLS = (
    "str(c)",
    "f'{c:all}'",
    "c._repr_html_()",
    "c.clusters()",
    "c.to_html('page.html')",
    "c.significance('adjusted_rand')",
    "c.interval('adjusted_rand')",
    "cc.track",
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing of it depends on the system")
def test_what_was_interrupted_can_be_asked_for_again(tmp_path):
    ran = subprocess.run(  # noqa: S603  (a script of our own)
        [sys.executable, "-c", SCRIPT, *CALLS], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert ran.stdout.splitlines() == [f"caught {called} True" for called in CALLS], ran.stderr
