"""BibTeX entries: every index has its papers, and complete entries agree with the declared references."""

import json
import re

import pytest

import concordant as cc
from concordant.errors import ParameterError, UnknownIndexError
from concordant.report.citation import _complete_entries, _declared_works
from concordant.report.explanation import all_families

ENTRY = re.compile(r"@(\w+)\{(\w+),\n((?:  \w+ = \{.*\},?\n)+)\}")


def entries(text):
    found = [ENTRY.fullmatch(entry) for entry in text.split("\n\n")]
    assert all(found), text
    assert text.count("{") == text.count("}")
    return {entry[2]: dict(re.findall(r"  (\w+) = \{(.*)\}", entry[3])) for entry in found}


def test_every_index_has_its_papers():
    """Unless the index is ours. The last entry is that of concordant."""
    for index in (index for members in all_families().values() for index in members):
        found = entries(cc.cite(index.name))
        assert list(found)[-1] == "concordant"
        assert len(found) > 1 or index.cite.startswith("this library"), index.cite
        years = set(re.findall(r"\b(?:1[89]|20)\d\d\b(?!\.\d)", index.cite.split("arXiv")[0]))
        assert {each["year"] for key, each in found.items() if key != "concordant"} >= years, index.cite


def test_complete_entries_are_those_of_declared_references():
    declared = _declared_works()
    for key, text in _complete_entries().items():
        fields = entries(text)[key]
        assert declared[key]["author"].startswith(fields["author"].partition(",")[0]), key
        assert fields["year"] == declared[key]["year"]
        assert "title" in fields


def test_a_comparison_cites_the_indices_that_it_shows():
    c = cc.compare([0, 0, 1, 1], [0, 0, 1, 2])
    assert c.cite() == cc.cite(*c.headline_indices)
    assert c.cite("bcubed_f") == cc.cite("bcubed_f")
    assert list(entries(c.cite("rand", "rand"))) == ["rand1971", "concordant"]


def test_a_short_reference_is_completed_from_others():
    assert entries(cc.cite("overlap_simpson"))["warrens2008"]["howpublished"] == "Leiden University, thesis"


def test_names_that_are_not_one_index():
    with pytest.raises(UnknownIndexError, match="did you mean"):
        cc.cite("ajusted_rand")
    with pytest.raises(ParameterError, match="several indices in other libraries; use one of"):
        cc.cite("b_cubed")


def test_the_command_prints_the_same(run):
    assert run("cite", "adjusted_rand", "bcubed_f").out == cc.cite("adjusted_rand", "bcubed_f") + "\n"
    found = json.loads(run("cite", "rand", "--json").out)
    assert found == {"rand1971": cc.cite("rand").split("\n\n")[0], "concordant": cc.cite()}
