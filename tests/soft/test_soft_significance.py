"""p-values of soft indices: exact moments, and tails that permutations confirm."""

import math
from itertools import permutations

import numpy as np
import pytest
from inner import MantelSums, mantel_moments, mantel_sums, together

import concordant as cc
from concordant.errors import ParameterError, SoftError


def soft(seed, records, clusters, sharpness=0.5):
    return cc.Soft.from_matrix(np.random.default_rng(seed).dirichlet(np.full(clusters, sharpness), records))


def test_moments_are_those_of_all_permutations():
    for u, v in (
        (soft(0, 6, 3), soft(1, 6, 2)),
        (soft(2, 5, 2), soft(3, 5, 4)),
        (soft(4, 3, 2), soft(5, 3, 2)),
    ):
        s = cc.compare(u, v)
        sides = s.counts.sides.sides
        p, q = (together(side) for side in sides)
        size = len(p)
        upper = np.triu_indices(size, 1)
        values = np.array(
            [(p * q[np.ix_(order, order)])[upper].sum() for order in map(list, permutations(range(size)))]
        )
        variance, third = mantel_moments(*map(mantel_sums, sides), size)
        assert variance == pytest.approx(values.var(), rel=1e-9)
        assert third == pytest.approx(((values - values.mean()) ** 3).mean(), rel=1e-7, abs=1e-15)
        assert float(s.counts.pair_sums.expected_pq) == pytest.approx(values.mean())


@pytest.mark.parametrize("side", [soft(7, 40, 4), soft(8, 40, 1), soft(9, 30, 3, sharpness=0.05)])
def test_sums_from_rows_equal_sums_over_pairs(side):
    rows = cc.compare(side, side).counts.sides.memberships[0]
    for name in MantelSums.__slots__:
        expected = getattr(MantelSums.of_matrix(together(rows)), name)
        assert getattr(mantel_sums(rows), name) == pytest.approx(expected, rel=1e-8, abs=1e-9), name


def test_hard_labels_of_many_clusters():
    labels = np.random.default_rng(3).integers(0, 120, 200)
    rows = cc.compare(soft(1, 200, 2), labels).counts.sides.memberships[1]
    assert rows.columns > 64
    for name in MantelSums.__slots__:
        expected = getattr(MantelSums.of_matrix(together(rows)), name)
        assert getattr(mantel_sums(rows), name) == pytest.approx(expected, rel=1e-8, abs=1e-6), name


def test_methods_agree():
    truth = np.repeat([0, 1, 2], 10)
    noisy = np.eye(3)[truth] + np.random.default_rng(5).dirichlet(np.ones(3), 30) * 12
    s = cc.compare(cc.Soft.from_matrix(noisy, normalise=True), truth)
    gamma, drawn = s.significance(), s.significance(method="permutations", permutations=4000)
    assert gamma.method == "gamma"
    assert drawn.p == pytest.approx(gamma.p, rel=0.6)
    squared = s.significance("soft_rand_squared")
    assert squared.p == pytest.approx(gamma.p)
    assert gamma.expected == 0
    assert s.significance(tail="two-sided").p <= 2 * gamma.p + 1e-12


def test_few_records_are_exact():
    s = cc.compare(soft(0, 5, 2), soft(1, 5, 2))
    found = s.significance()
    assert found.method == "exact"
    assert found.p * math.factorial(5) == pytest.approx(round(found.p * math.factorial(5)))
    with pytest.raises(ParameterError, match="up to 7"):
        cc.compare(soft(0, 9, 2), soft(1, 9, 2)).significance(method="exact")


def test_nothing_to_test():
    one = cc.Soft.from_matrix([[0.5, 0.5]] * 9)
    assert cc.compare(one, soft(1, 9, 2)).significance().method == "settled"
    with pytest.raises(SoftError, match="does not follow from"):
        cc.compare(one, one).significance("soft_matching_accuracy")


def test_draws_are_tested():
    draws = np.random.default_rng(1).integers(0, 2, (20, 6))
    s = cc.compare(cc.Soft.from_draws(draws), cc.Soft.from_draws(draws[:, :3]))
    assert s.significance().p < 0.01
