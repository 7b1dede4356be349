"""The golden values of soft partitions: exact fractions, found by looking at every pair."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from cases import every_case
from inner import DistinctRows, expected_difference

import concordant as cc
from concordant.errors import LengthError, SoftError

GOLDEN = json.loads(Path(__file__).parents[1].joinpath("golden/soft.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in GOLDEN["cases"]}
OWN_INDICES = (
    "soft_rand", "soft_rand_squared", "soft_adjusted_rand", "soft_matching_accuracy",
    "degree_of_concordance", "adjusted_concordance", "frobenius_adjusted_rand",
)  # fmt: skip


def of_kind(*keys):
    return [pytest.param(case, id=name) for name, case in CASES.items() if all(key in case for key in keys)]


def matrix(rows, number=Fraction):
    return [[number(Fraction(weight)) for weight in row] for row in rows]


def compared(case, number=Fraction):
    sides = [
        cc.Soft.from_matrix(matrix(case[side], number), remainder="alone")
        for side in ("reference", "candidate")
    ]
    return cc.compare(*sides)


@every_case("case", of_kind("reference", "values"))
def test_fractions_stay_exact(case):
    s = compared(case)
    values = case["values"]
    for name in OWN_INDICES:
        if name in values:
            known = values[name]
            if known is None:  # 0/0
                assert s.exact(name) == (1 if s._counts.identical else 0)
            else:
                assert s.exact(name) == Fraction(known), name


@every_case("case", of_kind("reference", "values"))
def test_floats_are_right_to_the_tolerance(case):
    s = compared(case, float)
    for name in OWN_INDICES:
        if case["values"].get(name) is not None:
            expected = float(Fraction(case["values"][name]))
            assert math.isclose(s[name], expected, rel_tol=1e-12, abs_tol=1e-12), name


@pytest.mark.parametrize("case", of_kind("reference", "values"))
def test_means_over_all_pairs_of_pairs(case):
    values = case["values"]
    if "soft_rand_expected" not in values:
        pytest.skip("not among the values of this case")
    rows = compared(case)._counts.view(DistinctRows, exact=True)
    expected = 1 - expected_difference(rows, "soft_rand", alike=False)
    assert expected == Fraction(values["soft_rand_expected"])
    if values["soft_rand_adjusted_absolute"] is not None:
        adjusted = (Fraction(values["soft_rand"]) - expected) / (1 - expected)
        assert adjusted == Fraction(values["soft_rand_adjusted_absolute"])
    concordance = 1 - expected_difference(rows, "degree_of_concordance", alike=True)
    assert concordance == Fraction(values["degree_of_concordance_expected"])


@pytest.mark.parametrize("case", of_kind("reference", "values"))
def test_the_frobenius_index_before_adjustment(case):
    if "frobenius_rand" not in case["values"]:
        pytest.skip("not among the values of this case")
    counts = compared(case)._counts
    sum_a, sum_b, aa, bb, ab, _, _ = counts.gram.with_diagonals
    alpha, beta = sum_a / aa, sum_b / bb
    distance = alpha**2 * aa + beta**2 * bb - 2 * alpha * beta * ab
    assert 1 - distance / (counts.size * (counts.size - 1)) == Fraction(case["values"]["frobenius_rand"])


@pytest.mark.parametrize("case", of_kind("labels"))
def test_hard_partitions_have_the_values_of_labels(case):
    s, c = compared(case), cc.compare(*case["labels"])
    assert s.exact("soft_adjusted_rand") == c.exact("adjusted_rand")
    assert s.exact("soft_rand_squared") == s.exact("soft_rand") == c.exact("rand")
    assert s.exact("soft_matching_accuracy") == c.exact("matching_accuracy")
    assert s.hardened.exact("adjusted_rand") == c.exact("adjusted_rand")


@pytest.mark.parametrize("case", of_kind("error"))
def test_refusals(case):
    given, error = case["input"], case["error"]
    if "against" in error:
        sides = [cc.Soft.from_matrix(matrix(rows)) for rows in given]
        with pytest.raises(LengthError, match="reference has 1"):
            cc.compare(*sides)
        return
    if "NaN" in error:
        rows = [
            [float("nan") if weight == "NaN" else float(Fraction(weight)) for weight in row] for row in given
        ]
    else:
        rows = matrix(given)
    with pytest.raises(SoftError, match=error.partition(";")[0].replace(".", r"\.")):
        cc.Soft.from_matrix(rows)
