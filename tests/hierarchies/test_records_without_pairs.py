"""Records that are in no scored pair."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import concordant as cc
from concordant.errors import FileError, HierarchyError, UnmatchedError

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


def test_no_pairs_are_enough_if_the_records_are_named(tmp_path):
    (tmp_path / "pairs.csv").write_text("l,r,p\n")
    columns = {"l": [], "r": [], "p": []}
    for pairs in (
        tmp_path / "pairs.csv",
        pd.DataFrame(columns),
        pl.DataFrame(columns),
        pa.table(columns),
    ):
        for records in (["a", "b"], [1, 2, 3]):
            h = cc.Hierarchy.from_pairs(pairs, left="l", right="r", score="p", records=records)
            assert h.cut(level=0).n_clusters == h.size == len(records)
    with pytest.raises(FileError, match="no rows"):
        cc.Hierarchy.from_pairs(tmp_path / "pairs.csv", left="l", right="r", score="p")
    with pytest.raises(HierarchyError, match="'a' twice"):
        cc.Hierarchy.from_pairs(pd.DataFrame(columns), left="l", right="r", score="p", records=["a", "a"])


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
