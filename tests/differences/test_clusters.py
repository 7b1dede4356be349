"""Scores of single clusters: they add up, and they are what their definitions say."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from strategies import two_partitions

import concordant as cc
from concordant.errors import ParameterError, TableNeededError

SIDES = ("reference", "candidate")


def pairs_of(size):
    return size * (size - 1) // 2


def check_sums(c):
    p = c.pairs
    for side in SIDES:
        scores = c.clusters(side=side, limit=None)
        assert sum(x.missed for x in scores) == p.n10
        assert sum(x.wrong for x in scores) == p.n01
        assert math.fsum(x.share for x in scores) == pytest.approx(1.0 if p.n10 + p.n01 else 0.0)


@given(two_partitions())
def test_each_score_is_what_it_says(partitions):
    c = cc.compare(*partitions)
    check_sums(c)
    for side in (0, 1):
        mine, theirs = partitions[side], partitions[1 - side]
        scores = c.clusters(side=SIDES[side], limit=None)
        assert {x.cluster: x.size for x in scores} == Counter(mine)
        for score in scores:
            check_score(score, mine, theirs, side)


def check_score(score, mine, theirs, side):
    pieces = Counter(y for x, y in zip(mine, theirs, strict=True) if x == score.cluster)
    other, size = Counter(theirs), score.size
    assert score.n_pieces == len(pieces)
    inside = sum(n * n for n in pieces.values()) / size**2
    outside = sum(n * n / other[y] for y, n in pieces.items()) / size
    assert (score.recall, score.precision)[side] == pytest.approx(inside)
    assert (score.precision, score.recall)[side] == pytest.approx(outside)
    assert score.purity == max(pieces.values()) / size
    entropy = -sum(n / size * math.log(n / size) for n in pieces.values())
    assert score.entropy == pytest.approx(entropy, abs=1e-12)
    assert score.jaccard == max(n / (size + other[y] - n) for y, n in pieces.items())
    assert score.f1 == max(2 * n / (size + other[y]) for y, n in pieces.items())
    assert pieces[score.partner] == score.overlap
    own = pairs_of(size) - sum(map(pairs_of, pieces.values()))
    assert (score.missed, score.wrong)[side] == own


@pytest.mark.parametrize("seed", range(6))
def test_a_record_in_no_cluster_is_an_overlap_of_its_own_as_in_the_indices(seed):
    u, v = np.random.default_rng(seed).integers(-1, 4, (2, 25)).tolist()
    c = cc.compare(u, v, noise=-1, noise_as="singletons")
    means = Counter()
    for side, (mine, theirs) in zip(SIDES, ((u, v), (v, u)), strict=True):
        scores = c.clusters(side=side, limit=None)
        assert {score.cluster for score in scores} == set(mine) - {-1}
        for score in scores:
            pieces = Counter(y for x, y in zip(mine, theirs, strict=True) if x == score.cluster)
            assert score.in_no_cluster == pieces.pop(-1, 0)
            assert score.n_pieces == len(pieces)
            overlaps = [*pieces.values(), *[1] * score.in_no_cluster]
            assert score.purity == max(overlaps) / score.size
            entropy = -sum(n / score.size * math.log(n / score.size) for n in overlaps)
            assert score.entropy == pytest.approx(entropy, abs=1e-12)
        for name in ("purity", "entropy"):  # a record in no cluster is pure
            alone = mine.count(-1) * (name == "purity")
            means[name, side] = (math.fsum(getattr(x, name) * x.size for x in scores) + alone) / len(mine)
    assert means["purity", "candidate"] == pytest.approx(c.purity)
    assert means["purity", "reference"] == pytest.approx(c.inverse_purity)
    entropies = means["entropy", "reference"] + means["entropy", "candidate"]
    assert entropies == pytest.approx(c.variation_of_information)


def test_the_column_of_records_in_no_cluster_is_shown_where_there_are_some():
    noisy = cc.compare([0, 0, 1], [5, -1, 6], noise=-1, noise_as="singletons").clusters()
    assert "in_no_cluster" in str(noisy)
    assert "in_no_cluster" not in str(cc.compare([0, 0, 1], [5, 6, 6]).clusters())


@given(two_partitions())
def test_means_by_size_are_bcubed(partitions):
    c = cc.compare(*partitions)
    for side in SIDES if partitions[0] else ():
        scores = c.clusters(side=side, limit=None)
        for key, index in (("precision", "bcubed_precision"), ("recall", "bcubed_recall")):
            mean = math.fsum(getattr(x, key) * x.size for x in scores) / len(partitions[0])
            assert mean == pytest.approx(c[index])


@pytest.mark.parametrize(
    "by", ["missed", "wrong", "size", "n_pieces", "entropy", "precision", "recall", "purity"]
)
def test_what_comes_first(by):
    rng = np.random.default_rng(2)
    c = cc.compare(rng.integers(0, 40, 300), rng.integers(0, 40, 300))
    values = [getattr(x, by) for x in c.clusters(None, side="candidate", order=by)]
    assert values == sorted(values, reverse=by not in ("precision", "recall", "purity"))
    assert [getattr(x, by) for x in c.clusters(side="candidate", order=by)] == values[:20]


def test_sizes_beyond_64_bits():
    huge = 10**25
    c = cc.Comparison.from_contingency(np.array([[huge, 3], [0, huge]]))
    check_sums(c)
    (first, second) = c.clusters()
    assert (first.cluster, first.missed, first.wrong, first.partner) == (0, 3 * huge, 3 * huge, 0)
    assert (second.missed, second.wrong) == (0, 0)


def test_a_record_that_one_side_lacks():
    c = cc.compare({"x": "A", "y": "A"}, {"x": 1, "w": 1}, unmatched="singletons")
    for side, label in (("reference", "A"), ("candidate", 1)):
        assert [x.cluster for x in c.clusters(side=side)] == [label]
        assert f"1 {side} cluster, and 1 record in no cluster" in str(c.clusters(side=side))


def test_what_cannot_be_asked(sizes_alone):
    c = cc.compare([0], [0])
    for options, message in (
        ({"side": "left"}, "side='left'"),
        ({"order": "label"}, "order='label'"),
        ({"limit": True}, "limit=True"),
    ):
        with pytest.raises(ParameterError, match=message):
            c.clusters(**options)
    with pytest.raises(TableNeededError, match="which clusters overlap"):
        sizes_alone([0, 0], [0, 1]).clusters()
