"""p-values of soft indices: exact moments, and tails that permutations confirm."""

import json
import math
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from inner import MantelSums, mantel_moments, mantel_sums, together

import concordant as cc
from concordant.errors import SoftError, TooLargeError


def soft(seed, records, clusters, sharpness=0.5):
    return cc.Soft.from_matrix(np.random.default_rng(seed).dirichlet(np.full(clusters, sharpness), records))


def test_moments_are_those_of_all_permutations():
    for u, v in (
        (soft(0, 6, 3), soft(1, 6, 2)),
        (soft(2, 5, 2), soft(3, 5, 4)),
        (soft(4, 3, 2), soft(5, 3, 2)),
    ):
        s = cc.compare(u, v)
        sides = s._counts.sides.memberships
        p, q = (together(side) for side in sides)
        size = len(p)
        upper = np.triu_indices(size, 1)
        values = np.array(
            [(p * q[np.ix_(order, order)])[upper].sum() for order in map(list, permutations(range(size)))]
        )
        known = mantel_moments(*map(mantel_sums, sides), size)
        assert float(known.mean) == pytest.approx(values.mean(), rel=1e-9)
        assert float(known.variance) == pytest.approx(values.var(), rel=1e-9)
        assert float(known.third) == pytest.approx(
            ((values - values.mean()) ** 3).mean(), rel=1e-7, abs=1e-15
        )
        assert float(s._counts.pair_sums.expected_pq) == pytest.approx(values.mean())


@pytest.mark.parametrize("side", [soft(7, 40, 4), soft(8, 40, 1), soft(9, 30, 3, sharpness=0.05)])
def test_sums_from_rows_equal_sums_over_pairs(side):
    rows = cc.compare(side, side)._counts.sides.memberships[0]
    for name in MantelSums.__slots__:
        expected = getattr(MantelSums.of_matrix(together(rows)), name)
        assert getattr(mantel_sums(rows), name) == pytest.approx(expected, rel=1e-8, abs=1e-9), name


def test_hard_labels_of_many_clusters():
    labels = np.random.default_rng(3).integers(0, 120, 200)
    rows = cc.compare(soft(1, 200, 2), labels)._counts.sides.memberships[1]
    assert rows.columns > 64
    for name in MantelSums.__slots__:
        expected = getattr(MantelSums.of_matrix(together(rows)), name)
        assert getattr(mantel_sums(rows), name) == pytest.approx(expected, rel=1e-8, abs=1e-6), name


def test_many_records_and_clusters_of_labels_are_tested():
    labels = np.random.default_rng(3).integers(0, 70, 1200)
    found = cc.compare(soft(1, 1200, 2), labels).significance()
    assert found.z == pytest.approx(0, abs=5)
    with pytest.raises(TooLargeError, match="use a sample of the records"):
        cc.compare(soft(1, 1200, 2), soft(2, 1200, 70)).significance()


def test_methods_agree():
    truth = np.repeat([0, 1, 2], 10)
    noisy = np.eye(3)[truth] + np.random.default_rng(5).dirichlet(np.ones(3), 30) * 12
    s = cc.compare(cc.Soft.from_matrix(noisy, normalise=True), truth)
    gamma, drawn = s.significance(method="gamma"), s.significance(method="permutations", n_resamples=4000)
    assert gamma.method == "gamma"
    assert drawn.p == pytest.approx(gamma.p, rel=0.6)
    squared = s.significance("soft_rand_squared", method="gamma")
    assert squared.p == pytest.approx(gamma.p)
    assert gamma.expected == 0
    assert s.significance(method="gamma", tail="two-sided").p <= 2 * gamma.p + 1e-12
    assert s.significance(n_resamples=4000) == drawn


def one_hot(labels):
    return cc.Soft.from_matrix(np.eye(max(labels) + 1)[labels])


@pytest.mark.parametrize("tail", ["upper", "lower", "two-sided"])
@pytest.mark.parametrize("method", ["auto", "exact", "gamma", "permutations"])
@pytest.mark.parametrize("labels", [[0] * 3 + [1] * 3 + [2] * 3, [0, 0, 1, 1, 2, 2, 0, 1, 2, 1, 0, 0]])
def test_labels_written_as_weights_are_tested_like_labels(labels, method, tail):
    other = labels[1:] + labels[:1]
    for candidate in (labels, other):
        options = {"method": method, "tail": tail, "n_resamples": 300, "seed": 3}
        soft_ = cc.compare(one_hot(labels), one_hot(candidate)).significance(**options)
        hard = cc.compare(labels, candidate).significance("adjusted_rand", **options)
        assert (soft_.p, soft_.method, soft_.p_at_most) == (hard.p, hard.method, hard.p_at_most)
        assert soft_.z == hard.z
        assert soft_.sd == pytest.approx(hard.sd)


def test_three_clusters_of_three_have_280_tables():
    labels = [0] * 3 + [1] * 3 + [2] * 3
    found = cc.compare(one_hot(labels), one_hot(labels)).significance()
    assert found.p == pytest.approx(1 / 280)
    almost = np.eye(3)[labels] * 0.9 + 0.1 / 3
    found = cc.compare(cc.Soft.from_matrix(almost), cc.Soft.from_matrix(almost)).significance()
    assert found.method == "exact"
    assert found.p == pytest.approx(1 / 280)


@pytest.mark.parametrize(
    ("u", "v"),
    [
        (soft(0, 5, 2), soft(1, 5, 2)),
        (soft(2, 7, 3), cc.Soft.from_matrix([[0.5, 0.5]] * 3 + [[1, 0]] * 2 + [[0.2, 0.8]] * 2)),
        (
            cc.Soft.from_matrix([[0.5, 0.5]] * 4 + [[1, 0]] * 2),
            cc.Soft.from_matrix([[0.3, 0.7]] * 3 + [[0, 1]] * 3),
        ),
    ],
)
def test_exact_is_the_share_of_all_permutations(u, v):
    s = cc.compare(u, v)
    p, q = (together(side) for side in s._counts.sides.memberships)
    upper = np.triu_indices(len(p), 1)
    values = np.array(
        [(p * q[np.ix_(order, order)])[upper].sum() for order in map(list, permutations(range(len(p))))]
    )
    seen = (p * q)[upper].sum()
    found = s.significance()
    assert found.method == "exact"
    assert found.p == pytest.approx(np.mean(values >= seen - 1e-9))
    assert s.significance(tail="lower").p == pytest.approx(np.mean(values <= seen + 1e-9))
    squared = s.significance("soft_rand_squared")
    assert squared.sd == pytest.approx(2 * values.std() / len(upper[0]))


def test_exact_lists_tables_of_different_rows():
    few = cc.Soft.from_matrix([[0.9, 0.1]] * 45 + [[0.2, 0.8]] * 5)
    assert cc.compare(few, few).significance(method="exact").p == pytest.approx(1 / math.comb(50, 5))
    with pytest.raises(TooLargeError, match="too many different permutations") as caught:
        cc.compare(soft(0, 20, 2), soft(1, 20, 2)).significance(method="exact")
    assert caught.value.remedies


def test_the_gamma_distribution_only_where_no_permutation_is_as_extreme():
    u = np.random.default_rng(5).dirichlet(np.ones(3), 40)
    v = cc.Soft.from_matrix(0.25 * u + 0.75 * np.random.default_rng(6).dirichlet(np.ones(3), 40))
    s = cc.compare(cc.Soft.from_matrix(u), v)
    found = s.significance(n_resamples=99, seed=5)
    assert (found.method, found.n_resamples, found.reached) == ("gamma", 99, 0)
    assert found.p == s.significance(method="gamma").p
    assert found.p_at_most == pytest.approx(min(1 / 100, 1 / (1 + found.z**2)))
    text = " ".join(str(found).split())
    assert "gamma approximation" in text
    assert "at most 0.01 by 99 permutations, seed 5" in text
    lower = s.significance(tail="lower", n_resamples=99)
    assert lower.method == "permutations"


def test_no_permutation_is_drawn_if_a_proven_bound_is_smaller():
    u = soft(3, 2000, 4)
    found = cc.compare(u, u).significance()
    assert (found.method, found.n_resamples) == ("gamma", 0)
    assert found.p <= found.p_at_most < 1e-4
    assert "proven bound" in " ".join(str(found).split())


def test_nothing_to_test():
    one = cc.Soft.from_matrix([[0.5, 0.5]] * 9)
    assert cc.compare(one, soft(1, 9, 2)).significance().method == "settled"
    with pytest.raises(SoftError, match="does not follow from"):
        cc.compare(one, one).significance("soft_matching_accuracy")


def test_p_values_do_not_depend_on_the_order_of_the_records():
    random = np.random.default_rng(8)
    names = [f"r{place}" for place in range(14)]
    sides = [random.dirichlet(np.full(3, 0.5), 14) for _ in range(2)]
    found = set()
    for _ in range(4):
        orders = [random.permutation(14) for _ in range(2)]
        made = [
            cc.Soft.from_matrix(side[order], records=[names[place] for place in order.tolist()])
            for side, order in zip(sides, orders, strict=True)
        ]
        test = cc.compare(*made).significance("soft_adjusted_rand", method="permutations", n_resamples=199)
        found.add(test.p)
    assert len(found) == 1


def test_golden_p_value_of_one_hot_rows():
    """Three clusters of three against themselves: 6 of 1,680 tables agree as much."""
    path = Path(__file__).parents[1] / "golden" / "trust3.json"
    wanted = json.loads(path.read_text(encoding="utf-8"))["estimates_judgements_units"]
    side = cc.Soft.from_matrix(np.repeat(np.eye(3), 3, axis=0))
    found = cc.compare(side, side).significance("soft_adjusted_rand")
    assert (found.p, found.method) == (
        pytest.approx(wanted["soft_exact(one-hot 3+3+3, the same)"][0]),
        "exact",
    )
