"""Every example that a person can read is run: docstrings, the README, the pages."""

import doctest
import importlib.util
import json
import linecache
import pkgutil
import subprocess
import sys
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


def has_examples(name):
    return ">>>" in Path(importlib.util.find_spec(name).origin).read_text(encoding="utf-8")


def test_docstrings():
    """What an example gives instead is in the output of this test."""
    failed = []
    for name in ["concordant", *filter(has_examples, MODULES)]:
        linecache.clearcache()  # for each docstring, doctest looks whether one of these files changed
        module = importlib.import_module(name)
        if doctest.testmod(module, extraglobs={"concordant": concordant}).failed:
            failed.append(name)
    assert failed == []


def test_the_example_of_every_index():
    wrong = []
    for index in concordant.INDICES:
        function = getattr(concordant, index)
        runner = doctest.DocTestRunner()
        for example in doctest.DocTestFinder().find(function, index, globs={"concordant": concordant}):
            runner.run(example)
        if runner.failures or not runner.tries:
            wrong.append(index)
    assert wrong == []


def run_pages(pages, modules=None):
    """Run the examples of pages in a process in which only these modules can be imported; None means all."""
    script = [sys.executable, str(ROOT / "tests" / "support" / "installed_alone.py"), json.dumps(modules)]
    ran = subprocess.run(  # noqa: S603  (our own interpreter)
        [*script, "pages", *pages], capture_output=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_pages():
    run_pages(map(str, PAGES))


@pytest.mark.weekly
@pytest.mark.parametrize("needed", sorted({*map(needed_by, PAGES)}), ids=lambda each: "-".join(sum(each, ())))
def test_pages_need_only_what_they_name(needed):
    """The same in one process for each set of extras and libraries that pages name."""
    pages = [str(page) for page in PAGES if needed_by(page) == needed]
    run_pages(pages, sorted(installed_with(*needed)))
