"""Reports look at the clusters that differ alone, which are counted without the table of all."""

from collections import Counter

import numpy as np
import pytest
from inner import DisagreeingClusters, report_data

import concordant as cc


def labels(seed, size, share=0.05, stretch=1):
    rng = np.random.default_rng(seed)
    u = rng.permutation(size) // 3 * stretch
    return u, np.where(rng.random(size) < share, rng.integers(0, size, size) * stretch, u)


@pytest.mark.parametrize("stretch", [1, 2**40 + 1])
@pytest.mark.parametrize("size", [900, 20_000])
def test_the_part_is_the_same_with_and_without_the_whole_table(size, stretch):
    u, v = labels(size, size, stretch=stretch)
    found, whole = (cc.compare(u, v)._counts for _ in range(2))
    part, expected = found.view(DisagreeingClusters), (whole.table, whole.view(DisagreeingClusters))[1]
    for name in ("row", "column", "n", "row_first", "column_first"):
        ours, theirs = (getattr(each.profile.table, name) for each in (part, expected))
        assert ours.tolist() == theirs.tolist()
    assert "table" not in found.__dict__
    for name in ("rows", "columns", "cells"):
        assert getattr(part, name).tolist() == getattr(expected, name).tolist()


def test_the_whole_table_is_counted_where_most_records_differ():
    u, v = labels(0, 3000, share=0.4)
    counts = cc.compare(u, v)._counts
    assert counts.view(DisagreeingClusters).profile.size > counts.size / 2
    assert "table" in counts.__dict__


@pytest.mark.parametrize("seed", range(6))
def test_the_text_is_the_same_if_the_table_was_made_before(seed, monkeypatch):
    monkeypatch.setattr(report_data, "MOST_SINGLE_EDITS", 0)  # ranking them takes the whole table
    u, v = labels(seed, 1200)
    fresh, known = cc.compare(u, v), cc.compare(u, v)
    assert len(known.table)
    assert str(fresh) == str(known)
    assert "table" not in fresh._counts.__dict__
    assert fresh.to_dict() == known.to_dict()
    assert fresh.summary() == known.summary()


def test_costs_of_all_clusters_follow_from_those_that_differ():
    u, v = labels(1, 900)
    changes = cc.compare(u, v).changes(limit=None, n_overlaps=10_000)
    for side in ("reference", "candidate"):
        missed, wrong = Counter(), Counter()
        for overlap in (each for change in changes for each in change.overlaps):
            missed[getattr(overlap, side)] += overlap.missed
            wrong[getattr(overlap, side)] += overlap.wrong
        scores = cc.compare(u, v).clusters(side=side, limit=None)
        assert {each.cluster: each.missed for each in scores} == missed
        assert {each.cluster: each.wrong for each in scores} == wrong
