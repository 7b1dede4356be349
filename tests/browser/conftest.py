"""One browser for all pages, and a folder to write them into."""

import chromium
import pytest


@pytest.fixture(scope="session")
def browser():
    program = chromium.find()
    if program is None:
        pytest.skip("no Chromium is installed: apt-get install chromium (or Google Chrome)")
    with chromium.launched(program) as running:
        yield running


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")
