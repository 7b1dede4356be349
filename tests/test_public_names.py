"""The public names, one by one: none comes or goes unnoticed (docs/stability.md says what that means).

An index is public by being declared; here stands the rest.
"""

import re
from pathlib import Path

import pytest

import concordant as cc
from concordant import errors

NAMES = """
    Accumulator Comparison ConcordantError Consensus Contrast Coreference Cover Diff Estimates Hierarchy
    HierarchyComparison INDICES
    Live Matrix Partition Ranking MultiReference Resolutions Soft SoftComparison Stability Track compare
    compare_references consensus contrast coreference diff estimate explain matrix rank sample_size scorer
    stability stability_over track
"""
ERRORS = """
    ConcordantError CoverError FileError HierarchyError InputError LabelError LengthError MissingExtraError
    NotANumberError NotRationalError NothingLeftError OverlapError ParameterError ReadOnlyError
    ShapeError SoftError TableNeededError TooLargeError UndefinedError UnknownIndexError UnmatchedError
    WeightsError
"""
MEMBERS = {
    "Comparison": """
        adjusted by changes clusters counts edits exact from_contingency get headline headline_indices
        interval items keys live load
        matching objects omitted over_edges
        pairs plot records relabelled save signature significance suggest summary table components
        to_dict to_frame to_html to_json to_latex to_markdown to_text undefined value values versus what_if
    """,
    "Matrix": """
        conventions distances is_metric medoid nearest one_set plot ranking reference to_dict to_frame to_html
        to_json to_latex to_markdown
    """,
    "Track": """
        births continuations conventions deaths events ids merges names plot share splits stages steps
        to_dict to_frame to_html to_json to_latex to_markdown
    """,
}


def public(thing):
    return {name for name in dir(thing) if not name.startswith("_")}


def test_the_names_of_the_package():
    assert set(cc.__all__) - set(cc.INDICES) == set(NAMES.split())


def test_the_errors():
    theirs = {
        name
        for name, thing in vars(errors).items()
        if isinstance(thing, type) and issubclass(thing, Exception)
    }
    assert theirs == set(ERRORS.split())


def test_the_reference_has_them_all():
    page = (Path(__file__).parents[1] / "docs" / "api.md").read_text(encoding="utf-8")
    documented = set(re.findall(r":: (\w+)$", page, re.MULTILINE))
    assert set(NAMES.split()) - {"INDICES", "ConcordantError"} <= documented


@pytest.mark.parametrize("name", MEMBERS)
def test_the_members_of_a_class(name):
    """Indices aside, which a comparison has as attributes."""
    assert public(getattr(cc, name)) - set(cc.INDICES) == set(MEMBERS[name].split())
