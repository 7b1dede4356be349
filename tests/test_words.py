"""One word, one meaning: names that are defined twice, words that are not used, places that are taken."""

from pathlib import Path

import pytest

from concordant.catalogue.index import INDICES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "concordant"
MODULES = sorted(PACKAGE.rglob("*.py"))

# In pieces, since this file is read, too.
FORBIDDEN = ["gui" + "lt", "cul" + "prit"]
PARTICIPLES = ["listing", "brought", "straight", "watching", "changed"]
PROSE = [
    *(ROOT / "docs").rglob("*.md"),
    *ROOT.glob("*.md"),
    *(ROOT / "scripts").glob("*.py"),
    *(ROOT / "examples").rglob("*.md"),
]
READ = [*MODULES, *PACKAGE.rglob("*.css"), *PACKAGE.rglob("*.js"), *(ROOT / "tests").rglob("*.py"), *PROSE]


@pytest.mark.parametrize("word", FORBIDDEN)
def test_nobody_is_to_be_accused(word):
    """What a cluster adds to the disagreement is its cost, or its blame."""
    here = Path(__file__)
    using = [each.name for each in READ if each != here and word in each.read_text(encoding="utf-8").lower()]
    assert using == []


def test_modules_are_named_by_nouns():
    assert [module.stem for module in MODULES if module.stem in PARTICIPLES] == []


def test_every_place_among_the_headline_indices_is_taken_once():
    places = [index.headline for index in INDICES.values() if index.headline is not None]
    assert sorted(places) == list(range(1, len(places) + 1))
