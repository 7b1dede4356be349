"""Scores of single records: their means are the indices, and the worst come first."""

import math

import numpy as np
import pytest
from hypothesis import given
from strategies import two_partitions

import concordant as cc
from concordant.errors import ParameterError, TableNeededError

MEANS = {"precision": "bcubed_precision", "recall": "bcubed_recall", "similarity": "element_centric"}


@given(two_partitions())
def test_the_means_are_the_indices(partitions):
    c = cc.compare(*partitions)
    records = c.records(limit=None)
    assert len(records) == len(partitions[0])
    assert sorted(r.record for r in records) == list(range(len(records)))
    for score, index in MEANS.items():
        if records:
            mean = math.fsum(getattr(r, score) for r in records) / len(records)
            assert mean == pytest.approx(c[index], rel=1e-12)


@pytest.mark.parametrize("by", MEANS)
def test_the_worst_come_first(by):
    rng = np.random.default_rng(3)
    c = cc.compare(rng.integers(0, 9, 300), rng.integers(0, 9, 300))
    scores = [getattr(r, by) for r in c.records(limit=None, order=by)]
    assert scores == sorted(scores)
    assert [getattr(r, by) for r in c.records(order=by)] == scores[:20]


def test_records_carry_their_names_and_labels():
    c = cc.compare({"x": "A", "y": "A", "z": "B"}, {"z": 2, "x": 1, "w": 3}, unmatched="singletons")
    found = {r.record: (r.reference, r.candidate) for r in c.records()}
    assert found == {"x": ("A", 1), "y": ("A", None), "z": ("B", 2), "w": (None, 3)}


def test_dropped_noise_has_no_score():
    c = cc.compare([0, 0, 1], [0, -1, 1], noise=-1, noise_as="drop")
    assert [r.record for r in c.records()] == [0, 2]


def test_what_cannot_be_asked():
    with pytest.raises(ParameterError, match="order='size'"):
        cc.compare([0], [0]).records(order="size")
    for largest in ("x", 1.5, -1):
        with pytest.raises(ParameterError, match="limit="):
            cc.compare([0], [0]).records(limit=largest)
    with pytest.raises(TableNeededError, match=r"made from counts.*mappings from record"):
        cc.Comparison.from_contingency([[1]]).records()


def test_scores_are_a_list_and_a_table():
    c = cc.compare({"x": 0, "y": 0, "z": 1}, {"x": 5, "y": 6, "z": 6})
    scores = c.records(limit=2)
    assert (len(scores), scores.total, scores.omitted) == (2, 3, 1)
    assert scores == list(scores) == c.records(limit=None)[:2]
    assert scores.to_frame("polars").row(0, named=True) == {
        "record": "x",
        "reference": 0,
        "candidate": 5,
        "precision": 1.0,
        "recall": 0.5,
        "similarity": 0.5,
    }
    assert scores.to_frame("pyarrow").column("record").to_pylist() == ["x", "y"]
    assert "and 1 more" in str(scores)
