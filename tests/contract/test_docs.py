"""Every example that a person can read is run: docstrings, the README, the pages."""

import doctest
import importlib.util
import json
import linecache
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from installed_alone import installed_with, needed_by

import concordant

ROOT = Path(__file__).parents[2]
MODULES = [
    module.name
    for module in pkgutil.walk_packages(concordant.__path__, "concordant.")
    if module.name not in ("concordant.__main__", "concordant.core._core")
]
PAGES = [
    path
    for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
    if ">>>" in path.read_text(encoding="utf-8")
]


@pytest.fixture(autouse=True)
def _few_cached_files():
    """For each docstring, doctest asks the system whether any file of this cache has changed."""
    linecache.clearcache()


def has_examples(name):
    return ">>>" in Path(importlib.util.find_spec(name).origin).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["concordant", *filter(has_examples, MODULES)])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(name), extraglobs={"concordant": concordant})
    assert result.failed == 0


def test_every_module_can_be_imported():
    for name in MODULES:
        importlib.import_module(name)


def test_the_example_of_every_index():
    for index in concordant.INDICES:
        function = getattr(concordant, index)
        examples = doctest.DocTestFinder().find(function, index, globs={"concordant": concordant})
        runner = doctest.DocTestRunner()
        for example in examples:
            runner.run(example)
        assert runner.tries > 0, index
        assert runner.failures == 0, index


@pytest.mark.parametrize("needed", sorted({*map(needed_by, PAGES)}), ids=lambda each: "-".join(sum(each, ())))
def test_pages(needed, tmp_path):
    """In a folder of their own, and where only what the page names can be imported."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    pages = [str(page) for page in PAGES if needed_by(page) == needed]
    modules = json.dumps(sorted(installed_with(*needed)))
    script = [
        sys.executable,
        str(ROOT / "tests" / "support" / "installed_alone.py"),
        modules,
        "pages",
        *pages,
    ]
    ran = subprocess.run(script, capture_output=True, encoding="utf-8", check=False, cwd=tmp_path)  # noqa: S603
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_times_of_the_readme_are_those_measured():
    """The table that compares with scikit-learn repeats values of the performance pages."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("## Why not scikit-learn?")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| [^|]+ \| (\d[^|]*?)(?: \([^|]*\))? \| (\d[^|]*?) \|$", table, re.MULTILINE)
    assert len(rows) == 5
    labels = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8").splitlines()
    for theirs, ours in rows[:4]:
        assert any(f"| {theirs}" in line and ours in line for line in labels), ours
    files = (ROOT / "docs" / "internals" / "performance-tables.md").read_text(encoding="utf-8")
    (measured,) = (line for line in files.splitlines() if "the whole process |" in line)
    assert all(f"| {value}" in measured for value in rows[4])


def test_public_functions_and_classes_have_docstrings():
    for name in concordant.__all__:
        assert getattr(concordant, name).__doc__, name


def test_one_file_declares_an_index():
    """Outside golden data and docs, an index is named where it is declared and nowhere else."""
    rare = [name for name in concordant.INDICES if name.count("_") >= 2]
    assert len(rare) > 10
    faces = ROOT / "src" / "concordant" / "compat"  # which give indices the names of other packages
    sources = [path for path in (ROOT / "src").rglob("*.py") if faces not in path.parents]
    defined = Counter(
        name for path in sources for name in {*re.findall(r"def (\w+)\(", path.read_text(encoding="utf-8"))}
    )
    assert [name for name in rare if defined[name] != 1] == []
