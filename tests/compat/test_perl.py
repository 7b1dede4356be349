"""The five routines of Set::Partitions::Similarity: golden cases, and bad input."""

import json
from decimal import Decimal
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from cases import every_case

import concordant as cc
from concordant.compat import perl
from concordant.compat.perl import (
    areSubsetsDisjoint,
    getAccuracy,
    getAccuracyAndPrecision,
    getDistance,
    getPrecision,
)
from concordant.errors import InputError, LabelError, OverlapError, UnmatchedError

GOLDEN = [
    case
    for case in json.loads((Path(__file__).parents[1] / "golden" / "seeds.json").read_text(encoding="utf-8"))
    if case["source"].startswith("perl")
]


def name_of(case):
    return f"{case['source']}-{case['id']}-{case['metric']}-check={case['check']}"


def blocks(total, size):
    return [list(range(start * size, (start + 1) * size)) for start in range(total)]


def merged(total, size):
    *kept, one, other = blocks(total, size)
    return [*kept, other + one]


def split(total, size):
    *kept, last = blocks(total, size)
    return [*kept, *([element] for element in last)]


def partitions_of(case):
    if "p" in case:
        return case["p"], case.get("q")
    made = case["generator"]
    other = {"merge": merged, "split": split}[made["kind"]]
    sizes = made["total_subsets"], made["subset_size"]
    return blocks(*sizes), other(*sizes)


def is_valid(p, q):
    elements = [[str(element) for subset in side for element in set(map(str, subset))] for side in (p, q)]
    return all(len(side) == len(set(side)) for side in elements) and set(elements[0]) == set(elements[1])


def run(case):
    p, q = partitions_of(case)
    arguments = (p, case["check"]) if q is None else (p, q, case["check"])
    return getattr(perl, case["metric"])(*arguments)


def test_every_golden_case_of_the_face_is_run():
    assert len(GOLDEN) == 101


@every_case("case", GOLDEN, ids=name_of)
def test_golden(case):
    p, q = partitions_of(case)
    if q is not None and not case["check"] and not is_valid(p, q):
        # Perl gives a meaningless number, or an error about itself; we name the element.
        with pytest.raises(InputError, match=r"different set elements: '|the record '\d' is in two clusters"):
            run(case)
    elif isinstance(case["expected"], dict):
        with pytest.raises(InputError) as raised:
            run(case)
        assert str(raised.value) == case["expected"]["raises"]
    else:
        value = run(case)
        expected = case["expected"]
        assert value == (tuple(expected) if isinstance(expected, list) else expected)
        values, printed = (
            (value, case.get("printed")) if isinstance(value, tuple) else ((value,), [case.get("printed")])
        )
        if "printed" in case:
            assert [f"{float(each):.15g}" for each in values] == printed


# -- the same numbers under plain names -------------------------------------------------------------


def test_agrees_with_the_native_way():
    p, q = [[1, 2, 3], [4]], [[1], [2, 3, 4]]
    native = cc.compare(cc.Partition.from_clusters(p), cc.Partition.from_clusters(q))
    assert (native.rand, native.jaccard) == getAccuracyAndPrecision(p, q)
    assert native.rand_distance == pytest.approx(getDistance(p, q), rel=1e-15)


@every_case(
    ("element", "same"),
    [
        (1, "1"),
        (1.0, "1"),
        (-0.0, "0"),
        (0.1 + 0.2, "0.3"),
        (1e15, "1e+15"),
        (1e20, "1e+20"),
        (inf, "Inf"),
        (-inf, "-Inf"),
        (nan, "NaN"),
        (None, ""),
        (True, "1"),
        (False, ""),
        (np.int8(7), "7"),
        (np.float32(0.5), "0.5"),
        (np.True_, 1),
        (b"caf\xe9", "café"),
        (Decimal("1.50"), "1.50"),
        (2**70, "1180591620717411303424"),
    ],
)
def test_elements_are_compared_as_strings(element, same):
    assert getAccuracyAndPrecision([[element, "x"], ["y"]], [[same, "x"], ["y"]], 1) == (1, 1)
    assert not areSubsetsDisjoint([[element], [same]])


@pytest.mark.parametrize(
    ("element", "other"), [("1.0", 1), ("01", 1), ("a", "A"), ("1 ", 1), (2**70, 2**70 + 1)]
)
def test_strings_are_not_numbers(element, other):
    assert areSubsetsDisjoint([[element], [other]])


def test_empty_subsets_and_repetitions_do_not_count():
    assert getAccuracyAndPrecision([[1, 1, "1", 2], [], [3]], [[], [1, 2], [3], []], 1) == (1, 1)


@pytest.mark.parametrize("kind", [tuple, set, frozenset, iter, np.array])
def test_subsets_of_any_kind(kind):
    assert getPrecision([kind([1, 2, 3]), kind([4])], [kind([1]), kind([2, 3, 4])], 1) == 0.2


ROUTINES = [getAccuracy, getPrecision, getAccuracyAndPrecision, getDistance]


@pytest.mark.parametrize("routine", ROUTINES)
def test_checks_in_order_and_in_the_words_of_perl(routine):
    overlapping, valid, other = [[1, 2], [2, 3]], [[1, 2], [3]], [[1, 2], [4]]
    text = "partition is an invalid partition, an element occurs in two or more subsets."
    for p, q, expected in [
        (overlapping, overlapping, f"first {text}"),
        (overlapping, other, f"first {text}"),
        (other, overlapping, f"second {text}"),
        (valid, other, "partitions are invalid, they have different set elements."),
    ]:
        with pytest.raises(InputError) as raised:
            routine(p, q, 1)
        assert str(raised.value) == expected


@pytest.mark.parametrize("routine", ROUTINES)
def test_unchecked_bad_partitions_are_named_too(routine):
    with pytest.raises(OverlapError, match=r"the first partition: the record '2' is in two clusters"):
        routine([[1, 2], [2, 3]], [[1, 2], [3]])
    with pytest.raises(OverlapError, match=r"the second partition: the record '2' is in two clusters"):
        routine([[1, 2], [3]], [[1, 2], [2, 3]])
    with pytest.raises(UnmatchedError, match=r"'3' occurs in the first one only"):
        routine([[1, 2], [3]], [[1, 2]])
    with pytest.raises(UnmatchedError, match=r"'3' occurs in the second one only"):
        routine([[1, 2]], [[1, 2, 3]])


def test_disjoint_can_raise():
    assert areSubsetsDisjoint() is True
    with pytest.raises(OverlapError, match=r"^element '1' occurs in two of the subsets\.$"):
        areSubsetsDisjoint([[1], ["1"]], 1)


@pytest.mark.parametrize("bad", [None, 7, "ab", b"ab", {"a": [1]}, [1, 2], ["ab"], [None], [{"a": 1}]])
def test_what_is_not_a_list_of_lists(bad):
    with pytest.raises(InputError, match=r"the partition.*must be a list"):
        areSubsetsDisjoint(bad)
    with pytest.raises(InputError, match=r"the first partition.*must be a list"):
        getAccuracy(bad, [[1]])
    with pytest.raises(InputError, match=r"the second partition.*must be a list"):
        getAccuracy([[1]], bad)


@pytest.mark.parametrize("element", [[1], (1, 2), {1}, {"a": 1}])
def test_elements_are_single_values(element):
    with pytest.raises(LabelError, match=r"the first partition: subset 1 contains"):
        getAccuracy([[1], [element]], [[1]])
