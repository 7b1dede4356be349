"""What changes between two levels, and records that are in no scored pair."""

from collections import Counter
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from inner import data_of

import concordant as cc
from concordant.errors import ParameterError, UnmatchedError


def _example(seed, size=40):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, size // 4, size)
    left, right = rng.integers(0, size, (2, 3 * size))
    pairs = pl.DataFrame({"l": left, "r": right, "p": rng.integers(0, 20, 3 * size) / 20})
    h = cc.Hierarchy.from_pairs(pairs, left="l", right="r", score="p", records=np.arange(size))
    return truth, h, cc.compare(dict(enumerate(truth.tolist())), h)


def _pairs(labels, truth, *, right):
    return {
        (i, j)
        for i, j in combinations(range(len(truth)), 2)
        if labels[i] == labels[j] and (truth[i] == truth[j]) == right
    }


@pytest.mark.parametrize("seed", range(6))
def test_pairs_are_those_that_the_step_joins(seed):
    truth, h, t = _example(seed)
    for before, after in [(0, 1), (1, 2), (1, 5), (0, len(data_of(h).level_heights))]:
        found = t.joined(level=after, since=before, limit=100)
        old, new = (h.cut(level=level).labels.tolist() for level in (before, after))
        right = _pairs(new, truth, right=True) - _pairs(old, truth, right=True)
        wrong = _pairs(new, truth, right=False) - _pairs(old, truth, right=False)
        assert (found.right, found.wrong) == (len(right), len(wrong))
        parts = Counter(new[old.index(each)] for each in set(old))
        made = {cluster: number for cluster, number in parts.items() if number > 1}
        assert (found.n_clusters, found.n_parts) == (len(made), sum(made.values()))
        sizes = Counter(new)
        shown = sorted((row["size"], row["n_parts"]) for row in found.rows)
        assert shown == sorted((sizes[cluster], number) for cluster, number in made.items())
        assert sum(row["wrong"] for row in found.rows) == len(wrong)
        worst = [row["wrong"] for row in found.rows]
        assert worst == sorted(worst, reverse=True)


def test_the_previous_level_is_the_usual_one_to_compare_with():
    _, h, t = _example(0)
    at = float(data_of(h).level_heights[2])
    assert str(t.joined(threshold=at)) == str(t.joined(level=3, since=2))
    assert str(t.joined(threshold=at, since=1.0)).startswith(
        f"from {'threshold 1' if 1 in data_of(h).level_heights else 'singletons'}"
    )
    assert "singletons: no clusters are joined" in str(t.joined(level=0))


def test_levels_in_the_wrong_order_are_refused():
    _, _, t = _example(0)
    with pytest.raises(ParameterError, match="swap the two"):
        t.joined(level=1, since=3)
    with pytest.raises(ParameterError, match="limit=-1"):
        t.joined(level=1, limit=-1)


PAIRS = pl.DataFrame({"l": ["a", "b", "c"], "r": ["b", "c", "d"], "p": [0.9, 0.4, 0.9]})
OPEN = cc.Hierarchy.from_pairs(PAIRS, left="l", right="r", score="p")


def test_a_record_in_no_pair_is_a_singleton_at_every_threshold():
    truth = {"a": 1, "b": 1, "c": 2, "d": 2, "z": 2}
    complete = cc.Hierarchy.from_pairs(PAIRS, left="l", right="r", score="p", records=list("abcdz"))
    with pytest.warns(UserWarning, match="1 record with others in a cluster of the reference"):
        t = cc.compare(truth, OPEN)
    expected = cc.compare(truth, complete)
    for index in ("recall", "precision", "bcubed_f", "adjusted_mutual_information"):
        assert t.curve(index).to_numpy().tolist() == expected.curve(index).to_numpy().tolist()
    assert "in_no_pair=1" in t.signature
    with pytest.raises(UnmatchedError, match="only in the reference"):
        cc.compare(
            truth, cc.Hierarchy.from_pairs(PAIRS, left="l", right="r", score="p", records=list("abcd"))
        )


@pytest.mark.parametrize("first", [-5, 10**12])
def test_a_record_that_no_pair_can_join_is_reported(first):
    """Only records that the other side has in a cluster with others: singletons need no pair."""
    truth = {"a": first, "b": first, "c": 2, "d": 2, "y": 3, "z": 3, "alone": 4}
    for sides, role in (((truth, OPEN), "reference"), ((OPEN, truth), "candidate")):
        with pytest.warns(UserWarning, match=f"2 records with others in a cluster of the {role} cannot"):
            assert cc.compare(*sides).size == 7
        assert cc.compare(*sides, unmatched="singletons").size == 7
    assert cc.compare({"a": first, "b": 1, "c": 2, "d": 2, "alone": 4}, OPEN).size == 5


def test_records_without_a_true_cluster_are_an_error_or_dropped_but_still_connect_others():
    truth = {"a": 1, "c": 1, "z": 2}  # b connects a and c
    with pytest.raises(UnmatchedError, match="2 only in the candidate") as error:
        cc.compare(truth, OPEN)
    assert "keep" not in str(error.value)
    t = cc.compare(truth, OPEN, unmatched="drop")
    assert t.size == 3
    assert t.at(threshold=0.4).recall == 1
    assert t.at(threshold=0.9).recall == 0
