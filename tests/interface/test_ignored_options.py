"""Every option of a function or method changes the answer or is refused: none is accepted and ignored."""

import inspect
from functools import cache, partial

import builders
import numpy as np
import pytest
import subjects
from cases import every_case
from inner import refused_by
from method_options import METHODS, keys_of, without_effect

import concordant as cc
from concordant import testing
from concordant.errors import ConcordantError, ParameterError

RECORDS = builders.RECORDS
REFERENCE, BEFORE, AFTER = builders.CLUSTERINGS.values()
CALLS = {
    "compare": cc.compare,
    "diff": cc.diff,
    "audit": lambda _, y, **how: cc.audit(y, **how),
    "diff with a reference": lambda x, y, **how: cc.diff(y, AFTER, **{"reference": x, **how}),
    "rank": lambda x, y, **how: cc.rank(x, {"b": y, "c": AFTER}, **how),
    "matrix": lambda x, y, **how: cc.matrix({"a": x, "b": y, "c": AFTER}, **how),
    "track": lambda x, y, **how: cc.track({"a": x, "b": y, "c": AFTER}, **how),
    "consensus": lambda x, y, **how: cc.consensus({"a": x, "b": y, "c": AFTER}, **how),
    "stability": lambda x, y, **how: cc.stability({"a": x, "b": y, "c": AFTER}, **how),
    "stability_over": lambda x, y, **how: cc.stability_over({"one": {"a": x, "b": y, "c": AFTER}}, **how),
    "compare_references": lambda x, y, **how: cc.compare_references({"a": x, "c": AFTER}, y, **how),
    "estimate": lambda x, y, **how: cc.estimate(x, y, sampling="records", **how),
    "precision": cc.precision,
    "matching_accuracy": cc.matching_accuracy,
}


def failed_assertion(reference, candidate, **options):
    """The message of an assertion that no comparison satisfies."""
    with pytest.raises(AssertionError) as caught:
        testing.assert_agreement(reference, candidate, **{"minimum": {"precision": 2}, **options})
    return str(caught.value)


CALLS["assert_agreement"] = failed_assertion
# Inputs of which one at least shows each option.
SIDES = [
    (REFERENCE, BEFORE),
    (REFERENCE | {"r7": None}, BEFORE),
    (REFERENCE, {record: each for record, each in BEFORE.items() if record != "r0"}),
    (list(REFERENCE.values()), list(BEFORE.values())),
    (dict.fromkeys(RECORDS, 0), {record: record for record in RECORDS}),
]
# Values of each option of the input block, and what it needs beside it.
VALUES = {
    "columns": [["p", "q"]],
    "record": ["record"],
    "unmatched": ["drop", "singletons", "keep"],
    "nulls": ["cluster", "drop", "singletons"],
    "noise": ["a"],
    "noise_as": ["drop"],
    "reference_noise": [{"a": "drop"}],
    "candidate_noise": [{"x": "drop"}],
    "between": [list("xyxyxyxy")],
    "same": [[("r0", "r1")]],
    "different": [[("r0", "r1")]],
    "weights": [[1, 2, 3, 4, 5, 6, 7, 8]],
    "where": [[True] * 5 + [False] * 3],
    "undefined": ["nan"],
    "table_limit": [0, 1, 3],
    "threads": [2**31],
    "names": [("one", "two"), ("one", "two", "three")],
}
NEEDED = {"noise": {"noise_as": "drop"}, "noise_as": {"noise": "a"}}
# These need no table, or have no 0/0: the option changes nothing that there is.
WITHOUT = {
    ("matching_accuracy", "undefined"),
    ("precision", "table_limit"),
    ("matrix", "table_limit"),
    ("audit", "table_limit"),
}


def function_of(name):
    return getattr(testing if name.startswith("assert") else cc, name.partition(" ")[0])


# Refusals are those of the decorator: test_functions_share_what_handles_the_block.
OPTIONS = [
    (name, option)
    for name in CALLS
    for option in inspect.signature(function_of(name)).parameters
    if option in VALUES and (name, option) not in WITHOUT and option not in refused_by(function_of(name))
]


def answer(call, *sides, **how):
    """What a call gives, in a form that can be compared."""
    try:
        found = call(*sides, **how)
    except ConcordantError as error:
        return f"refused: {error}"
    return repr(found) if isinstance(found, float | str) else (found.to_json(), str(found))


@cache
def answer_without_options(name, number):
    return answer(CALLS[name], *SIDES[number])


def test_functions_share_what_handles_the_block():
    """One function computes every index, and one decorator refuses options of all other functions."""
    assert {getattr(cc, name).__code__ for name in cc.INDICES} == {cc.precision.__code__}
    taking = {
        name: function
        for name in cc.__all__
        if inspect.isfunction(function := getattr(cc, name))
        and "undefined" in inspect.signature(function).parameters
    }
    others = {name: function for name, function in taking.items() if name not in cc.INDICES}
    assert {function.__code__ for function in others.values()} == {cc.compare.__code__}
    tried = {name.partition(" ")[0] for name in CALLS}
    assert others.keys() - tried == {"scorer", "coreference"}  # whose inputs are others


@pytest.mark.filterwarnings("ignore")
@every_case(("name", "option"), OPTIONS)
def test_input_options_change_the_answer_or_are_refused(name, option):
    call, needed = CALLS[name], NEEDED.get(option, {})
    assert any(
        answer(call, *sides, **needed, **{option: value}) != answer_without_options(name, number)
        for number, sides in enumerate(SIDES)
        for value in VALUES[option]
    )


@pytest.mark.filterwarnings("ignore")
@every_case("name", CALLS)
def test_progress_is_called_or_refused(name):
    calls = []
    found = answer(CALLS[name], REFERENCE, BEFORE, progress=lambda *done: calls.append(done))
    assert calls or str(found).startswith("refused")


def test_options_of_methods_change_the_answer_or_are_refused():
    """One that fails here is ignored, or needs a value in method_options.py that shows what it does."""
    tried, ignored = set(), []
    with subjects.quiet():
        for each in subjects.classes():
            for name, method in each.methods.items():
                if method.where in tried or subjects.arguments_for(each.type, name) is None:
                    continue
                options = [x.name for x in method.parameters if not x.is_required and not x.is_variadic]
                ignored += [f"{method.where}.{x}" for x in without_effect(each, method.where, options)]
                tried |= {method.where, *(key for option in options for key in keys_of(method.where, option))}
    assert ignored == []
    assert METHODS.keys() <= tried


class Odd:
    """No type that a method could expect."""


def calls_with_options():
    """Each option of functions and methods, and a call that takes a value of it."""
    for name, function in CALLS.items():
        for option, each in inspect.signature(function_of(name)).parameters.items():
            if each.kind is each.KEYWORD_ONLY and option != "sampling":
                yield f"{name}({option}=)", partial(function, REFERENCE, BEFORE), option
    for each in subjects.classes():
        example = builders.CHANGE.get(each.type.__name__, lambda each=each: each.example)
        for name, method in each.methods.items():
            given = subjects.arguments_for(each.type, name)
            for option in (x.name for x in method.parameters if given is not None and not x.is_variadic):
                others = {key: value for key, value in given.items() if key != option}
                yield f"{method.where}({option}=)", partial(getattr(example(), name), **others), option


def test_values_of_another_type_raise_errors_of_ours():
    wrong = set()
    with subjects.quiet():
        for place, call, option in calls_with_options():
            for value in (Odd(), -1.5, [Odd()], "\0"):
                try:
                    call(**{option: value})
                except ConcordantError:
                    pass
                except Exception as error:  # noqa: BLE001  (any other error is wrong)
                    wrong.add(f"{place}, {value!r}: {error!r}")
    assert sorted(wrong) == []


def refused_calls():
    numbers = np.arange(8) // 3
    tree = cc.Hierarchy.from_linkage(builders.LINKAGE, records=RECORDS)
    runs = {"one": [[0, 0, 1], [0, 1, 1]]}
    live = cc.Live().add("a", "x", record="r").add("b", "y")
    yield lambda: cc.diff(numbers, numbers[::-1], reference=numbers, confidence=0.5)
    yield lambda: cc.compare(REFERENCE, tree).curve("recall", confidence=0.5)
    for option in (
        {"null": "uniform"},
        {"null": np.zeros},
        {"n_null_sets": 3},
        {"n_resamples": 5},
        {"subsample": 0.5},
        {"bootstrap": True},
        {"vary": "seed"},
        {"n_jobs": 2},
    ):
        yield lambda option=option: cc.stability_over(runs, **option)
    for labels in ({"reference": "b"}, {"candidate": "y"}):
        yield lambda labels=labels: live.remove("r", **labels)
        yield lambda labels=labels: live.move("r", "y", **labels)


@pytest.mark.parametrize("call", list(refused_calls()))
def test_options_without_a_meaning_are_refused(call):
    with pytest.raises(ParameterError):
        call()
