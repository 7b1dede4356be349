"""The advice names indices that exist, and says what the laws say."""

import json

import pytest
from every_index import EVERY_INDEX
from inner import INDICES


@pytest.fixture
def sections(run):
    return json.loads(run("explain", "--choose", "--json").out)["data"]


def test_every_entry_names_indices_and_says_why_and_what_to_beware_of(sections):
    assert list(sections) == ["By question", "By data"]
    for each in (each for section in sections.values() for each in section):
        assert each["names"], each["case"]
        assert {*each["names"]} <= {*EVERY_INDEX}
        assert each["because"].endswith(".")
        assert each["beware"].endswith(".")


def names_of(section, word):
    """The indices of the only entry that has this word in its case."""
    (names,) = (each["names"] for each in section if word in each["case"])
    return names


def test_the_advice_for_distances_names_metrics(sections):
    for name in names_of(sections["By question"], "triangle"):
        assert INDICES[name].metric
        assert INDICES[name].direction == "distance"
    assert INDICES["nmi_joint"].metric
    assert INDICES["nmi_max"].metric
    assert not INDICES["nmi_arithmetic"].metric
    assert not INDICES["adjusted_rand"].metric


def test_the_advice_for_choosing_among_candidates_is_adjusted(sections):
    assert all(INDICES[name].adjusted for name in names_of(sections["By question"], "better"))


def test_text(run, sections):
    text = run("explain", "--choose").out
    assert all(len(line) <= 96 for line in text.splitlines())
    for title, section in sections.items():
        assert title.upper() in text
        assert all(each["case"] in text for each in section)
    assert text.endswith("\n")
