"""The public names, one by one: none comes or goes unnoticed (docs/stability.md says what that means).

An index is public by being declared; here stands the rest.
"""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest
from every_index import EVERY_INDEX

import concordant as cc
from concordant import errors

NAMES = """
    Accumulator Comparison ConcordantError Consensus Contrast Coreference Cover Diff Estimates Hierarchy
    HierarchyComparison INDICES
    Live Matrix Partition Ranking MultiReference Resolutions Soft SoftComparison Stability Track cite compare
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
        adjusted by changes cite clusters counts edits exact from_contingency get headline headline_indices
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


# Reached from public names, but of use only within the library, or variants of a class of the reference.
INTERNAL = """
    Availability Bound CountedPart Counts Counted CurveLine CutPicture FileState Files Frame Gram
    HeatScale Index LabelPartition LiveProfile Memberships Names Need Profile Records RecordsOfCells Remedy
    SegmentPartition SoftCounts SoftPairSums SourcePartition Unless View
"""


def public(thing):
    return {name for name in dir(thing) if not name.startswith("_")}


def test_the_names_of_the_package():
    assert set(cc.__all__) - set(EVERY_INDEX) == set(NAMES.split())


def test_the_errors():
    theirs = {
        name
        for name, thing in vars(errors).items()
        if isinstance(thing, type) and issubclass(thing, Exception)
    }
    assert theirs == set(ERRORS.split())


def documented():
    """Every name of the API reference, without its package."""
    pages = [Path(__file__).parents[1] / "docs" / name for name in ("api.md", "results.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    return set(re.findall(r":: (?:[\w.]+\.)?(\w+)$", text, re.MULTILINE))


def test_the_reference_has_them_all():
    assert set(NAMES.split()) - {"INDICES", "ConcordantError"} <= documented()


def classes_by_name():
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(cc.__path__, "concordant.")
        if module.name != "concordant.__main__"
    ]
    return {
        name: thing
        for module in modules
        for name, thing in vars(module).items()
        if isinstance(thing, type) and thing.__module__ == module.__name__ and not name.startswith("_")
    }


def returned_by(thing):
    """The annotations of what a function or the members of a class return."""
    if not isinstance(thing, type):
        yield str(thing.__annotations__["return"])
        return
    for name in public(thing) - set(cc.INDICES):
        member = inspect.getattr_static(thing, name)
        function = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
        yield str(getattr(function, "__annotations__", {}).get("return", ""))
    yield from (str(each) for name, each in inspect.get_annotations(thing).items() if name in public(thing))


def test_the_reference_has_every_class_of_a_result():
    """Beginning with the public names, what they return, what its members return, and so on."""
    known, found = classes_by_name(), documented() | set(INTERNAL.split())
    waiting, seen = set(NAMES.split()) - {"INDICES"}, set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        thing = known.get(name) or getattr(cc, name)
        names = set(re.findall(r"\w+", " ".join(returned_by(thing)))) & set(known)
        waiting |= names - seen - set(INTERNAL.split())
    assert {name for name in seen if not issubclass(known.get(name, object), Exception)} <= found


@pytest.mark.parametrize("name", MEMBERS)
def test_the_members_of_a_class(name):
    """Indices aside, which a comparison has as attributes."""
    assert public(getattr(cc, name)) - set(cc.INDICES) == set(MEMBERS[name].split())
