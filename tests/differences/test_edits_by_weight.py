"""Edits of a weighted comparison: each record keeps its weight."""

from fractions import Fraction

import numpy as np
import pytest

import concordant as cc
from concordant.errors import WeightsError


def tables(many=3):
    random = np.random.default_rng(3)
    for _ in range(many):
        size = int(random.integers(5, 10))
        reference, candidate = random.integers(0, 3, (2, size)).tolist()
        candidate[:4] = [0, 0, 1, 1]
        yield reference, candidate, [Fraction(int(each), 3) for each in random.integers(1, 7, size)]


def assert_same(found, labels, reference, weights):
    wanted = cc.compare(reference, labels, weights=weights)
    assert found.to_dict() == wanted.to_dict()
    assert (found.signature, found.pairs.n11) == (wanted.signature, wanted.pairs.n11)
    assert [each.size for each in found.clusters(order="size")] == [
        each.size for each in wanted.clusters(order="size")
    ]


def test_what_if_is_a_comparison_of_the_edited_labels():
    for reference, candidate, weights in tables():
        c = cc.compare(reference, candidate, weights=weights)
        assert_same(c.what_if(merge=[0, 1]), [each or 1 for each in candidate], reference, weights)
        assert_same(c.what_if(move={0: 1}), [1, *candidate[1:]], reference, weights)
        assert_same(c.what_if(split=[3]), [*candidate[:3], 9, *candidate[4:]], reference, weights)
        again = c.what_if(move={0: 1}).what_if(move={0: 0})
        assert_same(again, candidate, reference, weights)


def test_names_of_records_and_weights_by_name():
    weights = {"r": 0.5, "s": 2, "t": 1}
    c = cc.compare({"r": 0, "s": 0, "t": 1}, {"t": 5, "s": 5, "r": 6}, weights=weights)
    moved = c.what_if(move={"s": 6})
    assert moved.bcubed_f == 1
    assert {each.record: each.similarity for each in moved.records()} == dict.fromkeys(weights, 1.0)


def test_durations_are_not_edited():
    c = cc.compare(cc.Partition.from_segments([(0, 1, "a")]), cc.Partition.from_segments([(0, 1, "b")]))
    with pytest.raises(WeightsError, match="equal time steps"):
        c.what_if(merge=["b", "a"])
