"""The best one-to-one matching: as good as any, the same in every order, and the labels renamed by it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from strategies import two_partitions

import concordant as cc
from concordant.errors import InputError, TableNeededError


@given(two_partitions())
def test_pairs_are_one_to_one_and_hold_as_many_records_as_the_index_says(two):
    u, v = two
    c = cc.compare(u, v)
    pairs = c.matching()
    assert len({pair.reference for pair in pairs}) == len({pair.candidate for pair in pairs}) == len(pairs)
    shared = [sum(x == p.reference and y == p.candidate for x, y in zip(u, v, strict=True)) for p in pairs]
    assert shared == [pair.overlap for pair in pairs] == sorted(shared, reverse=True)
    assert pairs.overlap == sum(shared) == c.size - c.transfer_distance


@given(two_partitions())
def test_names_are_new_or_those_of_the_match_and_keep_the_partition(two):
    u, v = (list(map(int, side)) for side in two)
    c = cc.compare(u, v)
    new = c.relabelled()
    names = {pair.candidate: pair.reference for pair in c.matching()}
    assert {label: name for label, name in new.mapping.items() if label in names} == names
    left = [name for label, name in new.mapping.items() if label not in names]
    assert not {*left} & {*u, *v}
    assert len({*new.mapping.values()}) == len(new.mapping)
    assert cc.compare(v, new.labels)._counts.identical
    assert new.apply(v) == new.labels.tolist() == [new.mapping[label] for label in v]
    accuracy = sum(x == y for x, y in zip(u, new.labels.tolist(), strict=True))
    assert accuracy == c.size - c.transfer_distance


@given(two_partitions())
def test_ties_do_not_depend_on_the_order_of_the_records(two):
    u, v = two
    there = cc.compare(list(u), list(v)).relabelled().mapping
    back = cc.compare(list(u)[::-1], list(v)[::-1]).relabelled().mapping
    assert there == back


def test_a_tie_goes_by_the_labels():
    for order in ([0, 1, 2, 3], [3, 1, 0, 2]):
        u, v = (np.array(list(side))[order].tolist() for side in ("aaaa", "yyxx"))
        assert cc.compare(u, v).relabelled().mapping == {"x": "a", "y": "new_1"}


def test_names_are_of_the_type_of_the_reference():
    numbers = cc.compare(np.array([4, 4, 9]), np.array([12, 7, 5])).relabelled()
    assert numbers.labels.dtype == np.int64
    assert sorted(numbers.labels.tolist()) == [4, 9, 13]
    taken = cc.compare(["new_1", "new_1", "b"], ["x", "new_2", "b"]).relabelled()
    assert "new_3" in taken.labels.tolist()
    assert cc.compare([(1, 2), (1, 2)], [0, 1]).relabelled().labels.tolist() == [(1, 2), "new_1"]


def test_containers_come_back_as_they_were():
    new = cc.compare(list("aab"), [7, 7, 9]).relabelled()
    assert new.apply((9, 7)) == ("b", "a")
    assert new.apply({"x": 9}) == {"x": "b"}
    assert new.apply(np.array([[7, 9]])).tolist() == [["a", "b"]]
    pd.testing.assert_series_equal(
        new.apply(pd.Series([9, 7], index=[5, 3], name="run")).astype(object),
        pd.Series(["b", "a"], index=[5, 3], name="run", dtype=object),
    )
    assert new.apply(pl.Series("run", [9, 7])).to_list() == ["b", "a"]


def test_noise_and_records_that_a_side_lacks_keep_no_name():
    noise = cc.compare([0, 0, 1, 1], [5, -1, -1, 5], noise=-1, noise_as="singletons").relabelled()
    assert noise.mapping == {5: 0, -1: -1}
    assert noise.labels.tolist() == [0, -1, -1, 0]
    once = cc.compare([0, 0, 1, -1], [5, -1, 6, 6], noise=-1, noise_as="singletons").relabelled()
    assert (once.mapping, once.apply([5, -1, 6])) == ({5: 0, 6: 1, -1: -1}, [0, -1, 1])
    lacking = cc.compare({"a": "x", "b": "x"}, {"a": 2, "c": 3}, unmatched="singletons").relabelled()
    assert lacking.mapping == {2: "x", 3: "new_1"}
    assert sorted(map(str, lacking.labels.tolist())) == ["None", "new_1", "x"]


def test_what_cannot_be_done_is_said():
    new = cc.compare(list("aab"), [7, 7, 9]).relabelled()
    with pytest.raises(InputError, match="8 is not a label of the candidate that was compared"):
        new.apply([8])
    with pytest.raises(InputError, match="not as an int"):
        new.apply(7)


def test_records_that_stay_in_a_source_are_not_renamed():
    frame = pl.DataFrame({"truth": list("aabc"), "guess": [7, 8, 9, 9]}).lazy()
    c = cc.compare(frame, columns=["truth", "guess"])
    assert c.matching().overlap == 2
    assert c.relabelled().mapping == {7: "a", 8: "new_1", 9: "b"}
    with pytest.raises(TableNeededError, match="the records stay in their source"):
        _ = c.relabelled().labels
    kept = pl.DataFrame({"truth": list("aab"), "guess": [7, 7, 9]}).lazy()
    with pytest.raises(TableNeededError, match="the records stay in their source"):
        cc.compare(kept, columns=["truth", "guess"]).relabelled()


def test_counts_without_labels_go_by_number(sizes_alone):
    c = cc.Comparison.from_contingency([[0, 3], [2, 1]])
    assert [(p.reference, p.candidate, p.overlap) for p in c.matching()] == [(0, 1, 3), (1, 0, 2)]
    assert c.relabelled().mapping == {0: 1, 1: 0}
    with pytest.raises(TableNeededError):
        sizes_alone([0, 0], [0, 1]).matching()


def test_as_a_dataframe_and_in_print():
    pairs = cc.compare(list("aaaabbc"), [0, 0, 0, 1, 2, 2, 2]).matching()
    assert pairs.to_frame("polars").columns == list(pairs.to_dict()["rows"][0])
    assert (pairs.total, pairs.omitted) == (2, 0)
    assert str(pairs).startswith("2 pairs of clusters share 5 records\n")


def test_records_in_no_cluster_are_not_clusters_that_match():
    u, v = [0, 0, 0, 1, 1, 1, -1, -1, 2, 2], [0, 0, 1, 1, 0, 1, -1, -1, -1, 2]
    pairs = cc.compare(u, v, noise=-1, noise_as="singletons").matching()
    matched = [pair.overlap for pair in pairs if None not in (pair.reference, pair.candidate)]
    loose = len(pairs) - len(matched)
    assert loose >= 2
    words = f"{len(matched)} pairs of clusters share {sum(matched)} records; {loose} pairs with a record in"
    assert str(pairs).startswith(f"{words} no cluster\n")
    assert "(not named)" not in str(pairs)  # as labels that stay in a source
    assert str(cc.compare([0], [0]).matching()).startswith("1 pair of clusters shares 1 record\n")
