# ruff: noqa: S603, S607  (the processes started here are our own)
"""The pages on the command line and of recipes say what the commands print."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from commands import DIGITS, ROOT, narrow
from installed_alone import installed_with
from pyarrow import csv
from pyarrow import parquet as pq


def examples(page):
    """(command, expected output) for each ``$ command`` of the page's console blocks."""
    for block in re.findall(
        r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = example.partition("\n")
            yield command, printed


PAGES = [ROOT / "docs" / f"{name}.md" for name in ("command-line", "recipes")]


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """A folder as a reader of the page has it: the examples, also as Parquet, and the command on the path."""
    folder = tmp_path_factory.mktemp("reader")
    shutil.copytree(ROOT / "examples", folder / "examples")
    for name in ("truth", "kmeans"):
        pq.write_table(csv.read_csv(DIGITS / f"{name}.csv"), folder / f"{name}.parquet")
    (folder / "bin").mkdir()
    script = folder / "bin" / "concordant"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m concordant "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_says_what_the_commands_print(page, reader, run, monkeypatch):
    """In order, because later commands read what earlier ones wrote. ``...`` stands for any lines."""
    monkeypatch.chdir(reader)
    monkeypatch.setenv("PATH", f"{reader / 'bin'}:{os.environ['PATH']}")
    shown = list(examples(page))
    assert shown
    for command, expected in shown:
        pattern = re.escape(narrow(expected)).replace(re.escape("...\n"), "(?:.*\n)*")
        said = printed(command, run)
        assert re.fullmatch(pattern, narrow(said)), f"$ {command}\n{said}"


def printed(command, run):
    """What a pipe prints; our command runs in this process, the rest in a shell."""
    said, errors = "", ""
    for part in command.split(" | "):
        program, *arguments = shlex.split(part)
        if program == "concordant" and not re.search(r"[>;$]", part):
            ran = run(*arguments, stdin=said.encode())
            said, errors = ran.out, errors + ran.err
        else:
            said = in_a_shell(part, said)
    return said + errors


def in_a_shell(command, given):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8"}
    return subprocess.run(["bash", "-c", command], **options, input=given, check=False).stdout


def test_the_extra_alone_is_enough_for_every_command_of_the_pages(reader, monkeypatch):
    """No dataframe library, PyArrow or SciPy is needed."""
    monkeypatch.setenv("PATH", f"{reader / 'bin'}:{os.environ['PATH']}")
    commands = [command for page in PAGES for command, _ in examples(page)]
    alone, modules = (
        str(ROOT / "tests" / "support" / "installed_alone.py"),
        json.dumps(sorted(installed_with(["cli"]))),
    )
    script = [sys.executable, alone, modules, "commands", json.dumps(commands)]
    ran = subprocess.run(script, capture_output=True, encoding="utf-8", check=True, cwd=reader)
    ended = re.findall(r"^(\d+) concordant (\S+)", ran.stderr, re.MULTILINE)
    assert {"compare", "thresholds", "consensus", "matrix", "rank"} <= {name for _, name in ended}
    assert {status for status, _ in ended} <= {"0", "1", "2"}, ran.stderr  # mistakes and missed limits
    assert "not installed" not in ran.stderr
