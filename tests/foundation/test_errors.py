"""Errors: options are data, spelled as the reader writes them."""

import copy
import importlib.util
import pickle
import re
import sys
import warnings
from pathlib import Path

import pytest
from cases import every_case
from inner import CALLS_ELSEWHERE

import concordant as cc
from concordant import errors
from concordant.cli import as_option
from concordant.errors import ConcordantError, ParameterError, Remedy, UnmatchedError

TREE = [x for x in vars(errors).values() if isinstance(x, type) and issubclass(x, ConcordantError)]
REMEDIES = (
    Remedy("leave them out", unmatched="drop"),
    Remedy("name both columns", record=..., cluster="a b"),
    Remedy("read the first line as data", header=False),
)


@every_case("kind", TREE)
def test_every_error_spells_its_options_as_the_reader_does(kind):
    error = kind("2 differ", given={"noise_as": "x"}, remedies=REMEDIES)
    assert str(error) == (
        "noise_as='x': 2 differ; pass unmatched='drop' to leave them out, record=... and cluster='a b' to "
        "name both columns, or header=False to read the first line as data"
    )
    assert error.said(as_option) == (
        "--noise-as x: 2 differ; pass --unmatched drop to leave them out, --record ... and --cluster 'a b' "
        "to name both columns, or --no-header to read the first line as data"
    )


@every_case("kind", TREE)
@every_case("twin", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
def test_a_copy_keeps_text_and_remedies(kind, twin):
    error = kind("2 differ", given={"noise_as": "x"}, remedies=REMEDIES)
    again = twin(error)
    assert type(again) is kind
    assert str(again) == str(error)
    assert again.said(as_option) == error.said(as_option)


def test_a_plain_error_is_its_text():
    assert str(ConcordantError("no")) == ConcordantError("no").said(as_option) == "no"
    assert str(errors.UnknownIndexError("no index 'x'")) == "no index 'x'"  # a KeyError would add quotes


def test_the_library_raises_remedies_as_data():
    with pytest.raises(UnmatchedError) as raised:
        cc.compare({"a": 1, "b": 1}, {"a": 1})
    assert [remedy.options for remedy in raised.value.remedies] == [
        {"unmatched": "drop"},
        {"unmatched": "singletons"},
        {"unmatched": "keep"},
    ]


@every_case(
    ("name", "hint"),
    {
        "confusion_matrix": "use c.table, or c.table.to_frame() for a dataframe",
        "contingency": "use c.table, or c.table.to_frame() for a dataframe",
        "pair_confusion_matrix": "use c.pairs",
        "hungarian": "use c.matching()",
        "sankey": "use c.plot('flow')",
    }.items(),
)
def test_names_of_other_tools_lead_to_ours(name, hint):
    c = cc.compare([0, 0, 1], [0, 1, 1])
    with pytest.raises(errors.UnknownIndexError) as raised:
        getattr(c, name)
    assert str(raised.value) == f"a comparison has no {name!r}; {hint}"
    with pytest.raises(AttributeError) as raised:
        getattr(cc, name)
    assert hint.removeprefix("use ") in str(raised.value)


def test_a_wrong_treatment_of_a_label_names_all_that_there_are():
    with pytest.raises(ParameterError, match=r"use 'cluster', 'singletons', 'drop' or 'background'$"):
        cc.compare([0, 1], [0, 1], reference_noise={0: "keep"})


def test_hints_name_what_a_comparison_has():
    c = cc.compare([0, 0, 1], [0, 1, 1])
    for call in CALLS_ELSEWHERE.values():
        assert hasattr(c, re.split(r"\W", call)[0]), call


@every_case("call", [cc.compare, cc.adjusted_rand])
@every_case("names", [("labels_true", "labels_pred"), ("y_true", "y_pred")])
def test_sides_named_as_in_scikit_learn_get_a_hint(call, names):
    first, second = names
    name = call.__name__
    for sides, options, wrong in (((), {first: [0], second: [0]}, first), (([0],), {second: [0]}, second)):
        with pytest.raises(ParameterError) as raised:
            call(*sides, **options)
        assert str(raised.value) == (
            f"{name}() does not take {wrong!r}; pass the clusterings by position: "
            f"{name}(reference, candidate)"
        )


def test_an_unknown_option_of_compare_gets_a_hint():
    with pytest.raises(
        ParameterError, match=r"compare\(\) does not take 'unmached'.*did you mean 'unmatched'"
    ):
        cc.compare([0], [0], unmached="drop")
    with pytest.raises(TypeError, match="there is no candidate"):
        cc.compare([0])


def test_a_path_is_read_by_scan():
    with pytest.raises(
        errors.LabelError, match=r"the candidate: this is a \w+Path, .* pass Partition\.scan\("
    ):
        cc.compare([0, 1], Path("labels.csv"))


@every_case(
    ("call", "hint"),
    [
        (lambda: cc.onmi_max([{1, 2}, {2, 3}], [{1, 2, 3}]), r"use concordant\.Cover\.from_clusters\("),
        (
            lambda: cc.onmi_max([[1, 2], [2, 3]], [[1, 2, 3]]),
            "For clusters, use Partition.from_clusters or Cover.from_clusters",
        ),
        (lambda: cc.Cover.of({x} for x in (1, 2)), r"read only once; pass list\(\.\.\.\) of it"),
        (lambda: cc.Cover.of([[1, 2], [2, 3]]), r"ambiguous: use Cover\.from_clusters\("),
        (lambda: cc.rank([0, 1], {"old": [0, 1], "new": [0, 0]}, baseline="x"), "use one of 'old', 'new'"),
    ],
)
def test_misused_input_gets_a_hint(call, hint):
    with pytest.raises(ConcordantError, match=hint):
        call()


def test_the_list_of_messages_shows_the_place_and_the_input(monkeypatch):
    path = Path(__file__).parents[2] / "scripts" / "messages.py"
    spec = importlib.util.spec_from_file_location("messages", path)
    messages = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "messages", messages)  # as dataclasses ask for it
    spec.loader.exec_module(messages)
    recorder = messages.Recorder()
    monkeypatch.setattr(ConcordantError, "__init__", ConcordantError.__init__)  # restored after the test
    monkeypatch.setattr(warnings, "warn", warnings.warn)
    recorder.pytest_configure()
    with pytest.raises(errors.LengthError) as raised:
        cc.compare([0, 0, 1], [0, 1])
    with pytest.warns(UserWarning, match="no label equals 9"):
        cc.compare([0, 1], [0, 1], noise=9, noise_as="drop")
    found = recorder.examples
    assert {each.source for each in found.values()} == {
        "cc.compare([0, 0, 1], [0, 1])",
        'cc.compare([0, 1], [0, 1], noise=9, noise_as="drop")',
    }
    assert str(raised.value) in {each.message for each in found.values()}
    assert found.keys() <= messages.sites().keys()
