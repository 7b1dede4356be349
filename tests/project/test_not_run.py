# ruff: noqa: S603  (the processes started here are our own)
"""What was not run is reported at the end, with the command that runs it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest
from not_run import few

@pytest.mark.parametrize("seed", few(2, range(7)))
def test_of_seeds(seed):
    assert seed < (7 if {weekly} else 2)

@pytest.mark.parametrize("peer", ["one", "two"])
def test_of_peers(peer):
    pytest.skip(f"{{peer}} is not installed: make peers")

def test_of_a_browser():
    pytest.skip("it has no browser")

def test_of_a_library():
    pytest.skip("could not import 'modin': No module named 'modin'")
"""
SETTINGS = "[pytest]\nmarkers = weekly\naddopts = -q --strict-markers -p no:cacheprovider\n"
CONFTEST = """
from not_run import *
def pytest_collection_modifyitems(config, items):
    deselect_weekly(config, items)
"""
SKIPPED = """\
2 tests skipped; run: make peers
  test_here.py: one is not installed, two is not installed
2 tests skipped
  test_here.py: could not import 'modin': No module named 'modin', it has no browser
"""
LEFT = "5 tests not run because they take long; run: make test-all\n  test_here.py (5)\n"


def ran(folder, *options):
    files = {"test_here.py": TESTS.format(weekly="--weekly" in options), "pytest.ini": SETTINGS}
    for name, content in {**files, "conftest.py": CONFTEST}.items():
        (folder / name).write_text(content, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "xdist", *options],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[1] / "support"),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # without what other packages add, it starts faster
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("processes", ["0", "1"])
def test_what_was_not_run_is_reported_with_its_command(tmp_path, processes):
    shown = ran(tmp_path, "--numprocesses", processes)
    assert LEFT + SKIPPED in shown
    assert "2 passed, 4 skipped, 5 deselected" in shown or processes != "0"


def test_all_tests_run_weekly_and_the_report_can_go_to_a_file(tmp_path):
    file = tmp_path / "new" / "report.txt"
    shown = ran(tmp_path, "--weekly", "--not-run", str(file))
    assert "7 passed, 4 skipped" in shown
    assert "make peers" not in shown
    assert file.read_text(encoding="utf-8") == SKIPPED
