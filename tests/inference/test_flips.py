"""Flips of the signs of units: golden values, all sign vectors by hand, and intervals that agree with p."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from cases import every_case
from inner import INDICES, Flips, PairedCounts, UnitShares, unit_shares

import concordant as cc
from concordant.errors import ParameterError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust3.json").read_text(encoding="utf-8"))
CASES = {case["name"]: case for case in GOLDEN["slices_and_versus"]}


def random_shares(units, seed=0, size=None):
    random = np.random.default_rng(seed)
    weights = random.random(units) if size is None else np.array(size, dtype=float)
    weights /= weights.sum()
    differences = np.where(random.random(units) < 0.7, random.normal(0.2, 0.6, units) * weights, 0.0)
    return UnitShares.of(differences, weights, float(differences.sum()))


@pytest.mark.parametrize(
    "case", [each for each in CASES.values() if each["kind"] == "versus"], ids=lambda c: c["name"]
)
def test_golden_values(case):
    (xa, ya), (xb, yb) = (np.array(case[name]) for name in ("first", "second"))
    values, size = (xa.sum() / ya.sum(), xb.sum() / yb.sum()), (ya.sum() + yb.sum()) / 2
    mean, expected = sum(values) / 2, case["expected"]
    shares = UnitShares.of(
        ((xa - xb) - mean * (ya - yb)) / size, (ya + yb) / (2 * size), values[0] - values[1]
    )
    assert shares.differing == expected["differing"]
    assert shares.difference == pytest.approx(expected["difference"])
    if shares.refusal():
        assert shares.refusal() == expected["note"]
        return
    flips = Flips(shares, 1.0, 9999, 0)
    assert flips.ends(0.95) == pytest.approx((expected["low"], expected["high"]), abs=1e-12)
    assert flips.p == pytest.approx(expected["p"], rel=1e-12)
    assert flips.n_effective == pytest.approx(expected["effective"])
    assert flips.note == expected["note"]
    if "p_noninferior" in expected:
        margin = case["options"]["margin"]
        down, up = flips.p_above(-margin), flips.p_below(margin)
        assert (down, max(down, up)) == pytest.approx((expected["p_noninferior"], expected["p_equivalent"]))


def test_golden_values_of_records():
    case = next(each for each in CASES.values() if each["kind"] == "records")
    one, other = (cc.compare(case["truth"], case[name]) for name in ("first", "second"))
    found, expected = one.versus(other, "bcubed_f"), case["expected"]
    assert found.difference == pytest.approx(expected["difference"])
    assert (found.low, found.high) == pytest.approx((expected["low"], expected["high"]), abs=1e-10)
    assert found.p == pytest.approx(expected["p"])
    assert (found.n_units, found.n_differing_units) == (expected["units"], expected["differing"])
    assert found.n_effective_units == pytest.approx(expected["effective_components"])
    assert found.largest_share == pytest.approx(expected["largest"])


def test_p_is_a_share_of_all_signs_if_enough_units_decide():
    """Without widening, p is the share of sign vectors whose deviations are as far apart."""
    differences = np.tile([0.03, -0.01], 7) + np.random.default_rng(3).normal(0, 0.001, 14)
    shares = UnitShares.of(differences, np.full(14, 1 / 14), float(differences.sum()))
    flips = Flips(shares, 1.0, 9999, 0)
    assert flips.n_effective > 12
    assert flips.made == 2**14
    signs = np.array(list(itertools.product((-1, 1), repeat=14)))
    share = np.mean(np.abs(signs @ differences) >= abs(differences.sum()) - 1e-12)
    assert flips.p == pytest.approx(share)


@every_case("seed", range(12))
@every_case("size", [None, [30, *[1] * 9], [1] * 10])
def test_p_and_the_interval_agree(seed, size):
    """p < alpha if and only if the interval at 1 - alpha excludes 0, and so with any margin."""
    flips = Flips(random_shares(10, seed, size), 1.0, 9999, 0)
    for alpha in (0.5, 0.2, 0.1, 0.05, 0.01, 0.002, flips.p * 0.999, flips.p * 1.001):
        if not 0 < alpha < 1:
            continue
        low, high = flips.ends(1 - alpha)
        assert (flips.p <= alpha) == (not low <= 0 <= high), alpha
        for margin in (0.05, 0.3):
            inside = flips.ends(1 - 2 * alpha)[0] > -margin if alpha < 0.5 else None
            assert inside is None or (flips.p_above(-margin) <= alpha) == inside


def test_few_deciding_units_widen_the_interval():
    """One of twenty units differs: the sample cannot show how much such units differ."""
    weights = np.full(20, 0.05)
    one = UnitShares.of(np.eye(20)[0] * 0.05, weights, 0.05)
    flips = Flips(one, 1.0, 999, 0)
    assert flips.ends(0.95)[0] < -0.01
    assert flips.p > 0.3
    assert "few units decide" in flips.note
    none = Flips(UnitShares.of(np.zeros(20), weights, 0.0), 1.0, 999, 0)
    # Nothing is known of how far a unit may differ, so any difference is allowed.
    assert none.ends(0.95)[1] == pytest.approx(math.log(2 / 0.05) * 0.05)
    assert none.p == 1


def test_both_directions_mirror_each_other():
    shares = random_shares(40, 5)
    flips = Flips(shares, 1.0, 500, 1)
    back = Flips(UnitShares.of(-shares.differences, shares.weights, -shares.difference), 1.0, 500, 1)
    assert back.ends(0.9) == pytest.approx(tuple(-end for end in flips.ends(0.9)[::-1]))
    assert back.p == flips.p
    assert flips.p_above(0.01) == pytest.approx(back.p_below(-0.01))
    assert flips.p_above(0.01) + flips.p_below(0.01) == pytest.approx(1)


def test_thousands_of_units():
    flips = Flips(random_shares(3000, 1), 1.0, 999, 0)
    assert (flips.made, flips.is_exact) == (1000, False)
    low, high = flips.ends(0.95)
    assert high - low == pytest.approx(2 * 1.96 * flips.se, rel=0.15)


def documents(number=20, seed=0):
    random = np.random.default_rng(seed)
    unit = np.repeat(np.arange(number), random.integers(3, 15, number))
    truth = unit * 4 + random.integers(0, 4, len(unit))
    one, other = (
        np.where(random.random(len(unit)) < share, truth, unit * 4 + random.integers(0, 4, len(unit)))
        for share in (0.85, 0.6)
    )
    other[unit > number - 6] = one[unit > number - 6]
    return unit, truth, one, other


OF_UNITS = """f_measure precision recall jaccard rand adjusted_rand phi fowlkes_mallows overlap_simpson
    bcubed_f bcubed_f(beta=2) f_measure(beta=0.5) bcubed_recall muc_f1 cluster_f purity_f1 element_centric
    rand_distance"""


@every_case("name", OF_UNITS.split())
def test_shares_add_up_to_the_difference(name):
    """Exactly, and exactly 0 for a unit that is equal in both systems."""
    unit, truth, one, other = documents()
    paired = PairedCounts.of(*(cc.compare(truth, x)._counted for x in (one, other)), unit)
    shares, refusal = unit_shares(paired.profiles, INDICES[name], paired.in_tables(paired.pieces(unit)))
    assert not refusal
    wanted = cc.compare(truth, one)[name] - cc.compare(truth, other)[name]
    assert math.fsum(shares.differences) == pytest.approx(wanted, abs=1e-14)
    assert math.fsum(shares.weights) == pytest.approx(1)
    assert shares.differing <= 15


@every_case("name", ["f_measure", "precision", "jaccard", "f_measure(beta=2)"])
def test_shares_of_pair_ratios(name):
    """[(x - x') - F̄(y - y')]/Ȳ, of numerators and denominators of each unit."""
    unit, truth, one, other = documents(seed=2)
    sums = []
    for labels in (one, other):
        pairs = [cc.compare(truth[unit == k], labels[unit == k]).pairs for k in range(unit.max() + 1)]
        n11, u, v = (
            np.array([getattr(each, field) for each in pairs], dtype=float)
            for field in ("n11", "in_reference", "in_candidate")
        )
        sums.append(
            {
                "f_measure": (2 * n11, u + v),
                "precision": (n11, v),
                "jaccard": (n11, u + v - n11),
                "f_measure(beta=2)": (5 * n11, 4 * u + v),
            }[name]
        )
    (xa, ya), (xb, yb) = sums
    mean, size = (xa.sum() / ya.sum() + xb.sum() / yb.sum()) / 2, (ya + yb).sum() / 2
    wanted = ((xa - xb) - mean * (ya - yb)) / size
    paired = PairedCounts.of(*(cc.compare(truth, x)._counted for x in (one, other)), unit)
    shares, _ = unit_shares(paired.profiles, INDICES[name], paired.in_tables(paired.pieces(unit)))
    # Of Jaccard the numerator moves with the denominator, so the slopes are weighted slightly differently.
    assert shares.differences == pytest.approx(wanted, rel=1e-7 if name != "jaccard" else 0.1, abs=1e-9)


def test_units_that_do_not_show_how_units_differ():
    unit, truth, one, other = documents(number=5)
    other = truth % 2 + 4 * unit
    few = cc.compare(truth, one).versus(cc.compare(truth, other), "f_measure", unit=unit, margin=0.1)
    assert (few.estimable, few.p, few.p_noninferior, few.outcome) == (False, 1, 1, "unclear")
    assert "fewer than 6 units" in few.headline
    unit = np.repeat(np.arange(8), 4)
    truth = unit * 2 + np.tile([0, 0, 1, 1], 8)
    alike = cc.compare(truth, unit).versus(cc.compare(truth, truth), "f_measure", unit=unit)
    assert "all units differ equally: no variation to learn from" in alike.note


def test_rare_large_differences_are_unclear():
    """The systems differ, but the sample does not show which is better."""
    truth = unit = np.repeat(np.arange(30), np.where(np.arange(30) < 3, 12, 4))
    other = np.where(unit < 24, truth, 1000 + np.arange(len(truth)))
    found = cc.compare(truth, truth.copy()).versus(cc.compare(truth, other), "f_measure", unit=unit)
    assert found.p > 0.05
    assert found.outcome == "unclear"
    assert "30 units, 6 of which differ" in found.headline


@every_case("name", ["f_measure", "bcubed_f"])
def test_sizes_of_all_units_widen_the_interval(name):
    unit, truth, one, other = documents()
    c, d = cc.compare(truth, one), cc.compare(truth, other)
    plain = c.versus(d, name, unit=unit)
    size = int(np.bincount(unit).max())
    assert plain.largest_unit == size
    assert f"if no unit of the population has more than {size} records" in plain.headline
    same, larger, giant = (
        c.versus(d, name, unit=unit, unit_sizes=[size] * 100 + more) for more in ([], [2 * size], [20 * size])
    )
    assert (same.low, same.high, same.p) == (plain.low, plain.high, plain.p)
    assert -1 <= giant.low < larger.low < same.low
    assert same.high < larger.high < giant.high <= 1
    assert plain.p <= larger.p <= giant.p
    assert f"has more than {20 * size:,} records" in giant.headline
    for how, message in (
        ({"unit": unit, "unit_sizes": [1] * 100}, "more than any of the population"),
        (
            {"unit": unit, "unit_sizes": [50]},
            "the sample has 20 units, and the population 1; give the size of every",
        ),
        ({"unit": unit, "unit_sizes": [2.5]}, "use the number of records of each unit"),
        ({"unit_sizes": [size] * 100}, "name the unit of each record"),
    ):
        with pytest.raises(ParameterError, match=message):
            c.versus(d, name, **how)
