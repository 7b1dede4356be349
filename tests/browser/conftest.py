"""One browser for all pages, and a folder to write them into."""

import importlib.util
import os
from pathlib import Path

import chromium
import pytest

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


def missing(reason):
    """Skip a test, or fail where the browser tests have to run."""
    (pytest.fail if chromium.is_required() else pytest.skip)(reason)


@pytest.fixture(scope="session")
def browser():
    if importlib.util.find_spec("playwright") is None:
        missing("Playwright is not installed: pip install playwright")
    program = chromium.find()
    if program is None:
        missing("no Chromium is installed: apt-get install chromium (or Google Chrome)")
    with chromium.launched(program) as running:
        yield running


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def axe():
    """The script of axe-core, which looks for what keeps people out of a page."""
    script = Path(os.environ.get("AXE_CORE", AXE))
    if not script.exists():
        missing("axe-core is not here: npm install --no-save --no-package-lock axe-core@4")
    return script.read_text(encoding="utf-8")
