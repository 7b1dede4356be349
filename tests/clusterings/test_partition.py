"""Partitions by clusters and mappings, alignment by name, noise, and what goes wrong with them."""

import random

import numpy as np
import pandas as pd
import pytest

import concordant as cc
from concordant.errors import InputError, LabelError, OverlapError, ParameterError, UnmatchedError

CLUSTERS = [["a", "b"], ["1", "2"]]


def test_clusters_align_by_element():
    c = cc.compare(cc.Partition.from_clusters(CLUSTERS), cc.Partition.from_clusters([{"2"}, {"1", "b", "a"}]))
    assert (c.rand, c.jaccard) == (0.5, 0.25)


def test_a_list_of_sets_is_clusters():
    assert cc.compare([{1, 2}, {3}], [{3}, {2, 1}]).adjusted_rand == 1
    assert cc.compare([frozenset({1, 2}), frozenset({3})], [{1}, {2, 3}]).adjusted_rand == -0.5


def test_mappings_align_by_element_in_any_order():
    truth = {f"r{i}": i % 3 for i in range(30)}
    names = list(truth)
    random.Random(0).shuffle(names)
    guess = {name: f"c{truth[name]}" for name in names}
    assert cc.compare(truth, guess).adjusted_rand == 1
    assert cc.compare(truth, dict.fromkeys(names, 0)).recall == 1


def test_mapping_against_clusters():
    assert cc.compare({"x": 1, "y": 1, "z": 2}, [{"z"}, {"x", "y"}]).adjusted_rand == 1


def test_empty_clusters_are_ignored_and_repetitions_collapse():
    plain = cc.Partition.from_clusters([[1, 2], [3]])
    assert cc.compare(plain, cc.Partition.from_clusters([[], [1, 2, 2, 1], [3, 3], []])).adjusted_rand == 1
    assert len(cc.Partition.from_clusters([[]])) == 0


def test_clusters_may_have_names():
    p = cc.Partition.from_clusters({"cats": ["tom", "kitty"], "mice": ["jerry"]})
    assert p.labels.tolist() == ["cats", "cats", "mice"]


def test_an_element_in_two_clusters_is_named():
    with pytest.raises(OverlapError, match="'b' is in two clusters, number 0 and number 1"):
        cc.Partition.from_clusters([["a", "b"], ["b", "c"]])


@pytest.mark.parametrize(
    ("clusters", "error", "text"),
    [
        ("ab", InputError, "not a collection of clusters"),
        (3, InputError, "not a collection of clusters"),
        ([1, 2], InputError, "cluster 0 is 1.*from_labels"),
        (["ab", "c"], InputError, "cluster 0 is 'ab'"),
        ([[1], [[2]]], LabelError, "cluster 1 is \\[2\\], a list"),
        ([[1, None]], LabelError, "record number 1 has no name"),
        ([[1, float("nan")]], LabelError, "has no name"),
    ],
)
def test_what_is_not_clusters(clusters, error, text):
    with pytest.raises(error, match=text):
        cc.Partition.from_clusters(clusters)


def test_from_mapping_wants_a_mapping():
    with pytest.raises(InputError, match="from_labels"):
        cc.Partition.from_mapping([0, 1])


# -- elements on one side only -----------------------------------------------------------------------

U = {"a": 0, "b": 0, "c": 1, "only u": 1}
V = {"b": 5, "a": 5, "c": 6, "only v": 6, "also only v": 7}


def test_unmatched_elements_are_an_error_that_names_them():
    with pytest.raises(
        UnmatchedError, match=r"1 only in the reference .*'only u'.* and 2 only in the candidate .*'only v'"
    ):
        cc.compare(U, V)


def test_unmatched_elements_can_be_dropped():
    c = cc.compare(U, V, unmatched="drop")
    assert (c.size, c.adjusted_rand) == (3, 1)
    assert "only_reference=1 | only_candidate=2" in c.signature


def test_unmatched_elements_can_be_singletons():
    by_hand = cc.compare([0, 0, 1, 1, 8, 9], [5, 5, 6, 10, 6, 7])
    c = cc.compare(U, V, unmatched="singletons")
    assert c.pairs == by_hand.pairs
    assert c.size == 6


def test_unmatched_is_checked():
    with pytest.raises(ParameterError, match="unmatched='ignore'"):
        cc.compare([0], [0], unmatched="ignore")


def test_names_against_no_names_is_an_error():
    with pytest.raises(UnmatchedError, match="the reference names its records and the candidate does not"):
        cc.compare(U, [0, 0, 1, 1])
    with pytest.raises(UnmatchedError, match="the candidate names its records and the reference does not"):
        cc.compare([0, 0], [{1}, {2}])


# -- pandas ------------------------------------------------------------------------------------------


def test_series_with_the_same_keys_in_another_order_align_by_key():
    truth = pd.Series([0, 0, 1, 1], index=list("abcd"))
    guess = pd.Series([7, 8, 7, 8], index=list("acbd"))
    assert cc.compare(truth, guess).adjusted_rand == 1


def test_series_with_the_same_index_align_by_position_even_with_repeated_keys():
    truth = pd.Series([0, 0, 1, 1], index=[5, 5, 5, 5])
    assert cc.compare(truth, truth * 2).adjusted_rand == 1


def test_series_with_repeated_keys_in_another_order_is_an_error():
    with pytest.raises(OverlapError, match="contains 'a' twice, at positions 0 and 1"):
        cc.compare(pd.Series([0, 1, 1], index=list("aab")), pd.Series([0, 1, 1], index=list("baa")))


def test_series_with_different_keys_is_an_error():
    with pytest.raises(UnmatchedError, match="different records"):
        cc.compare(pd.Series([0, 1], index=[0, 1]), pd.Series([0, 1], index=[1, 2]))


def test_series_against_a_mapping_aligns_by_key():
    assert (
        cc.compare(pd.Series([0, 0, 1], index=["x", "y", "z"]), {"z": 1, "y": 2, "x": 2}).adjusted_rand == 1
    )


# -- noise -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels", [[0, 0, -1, -1, 1], np.array([0, 0, -1, -1, 1]), np.array([0.0, 0.0, -1.0, -1.0, 1.0])]
)
def test_noise(labels):
    truth = [0, 0, 1, 1, 2]
    assert cc.compare(truth, labels, noise=-1, noise_as="cluster").adjusted_rand == 1
    assert (
        cc.compare(truth, labels, noise=-1, noise_as="singletons").pairs
        == cc.compare(truth, [0, 0, 1, 2, 3]).pairs
    )
    dropped = cc.compare(truth, labels, noise=-1, noise_as="drop")
    assert dropped.size == 3
    assert "noise=-1 as drop (reference: 0), -1 as drop (candidate: 2)" in dropped.signature
    assert "noise_dropped=2" in dropped.signature


@pytest.mark.parametrize("kind", [np.int64, np.uint8, list, str])
def test_dropped_noise_is_as_if_it_were_not_there(kind):
    """Also for what is asked for later, when the labels that were handed over have changed."""
    rng = np.random.default_rng(3)
    u, v = rng.integers(0, 4, 60), rng.integers(0, 5, 60)
    u[:3] = 0
    keep = np.flatnonzero((u != 0) & (v != 0))
    noise = "0" if kind is str else 0
    given = [x.tolist() if kind is list else x.astype(kind) for x in (u, v)]
    c, plain = cc.compare(*given, noise=noise, noise_as="drop"), cc.compare(u[keep], v[keep])
    for labels in given:
        labels[:] = [noise] * 60
    assert c.size == len(keep)
    assert c.to_dict() == plain.to_dict()
    np.testing.assert_array_equal(c._counts.table.n, plain._counts.table.n)
    assert [each.record for each in c.records()] == [keep[each.record] for each in plain.records()]
    names = [(str(row.cluster), row.size) for row in c.clusters(side="reference")]
    assert sorted(names) == sorted((str(row.cluster), row.size) for row in plain.clusters(side="reference"))
    for name in ("adjusted_rand", "adjusted_mutual_information"):
        values = [x.tolist() if kind is list else x.astype(kind) for x in (u, v)]
        assert getattr(cc, name)(*values, noise=noise, noise_as="drop") == plain[name]


def test_noise_on_either_side_is_dropped_from_both():
    u = cc.Partition.from_labels(["x", "x", "y", "noise"], noise="noise", noise_as="drop")
    v = cc.Partition.from_labels([-1, 3, 4, 3], noise=-1, noise_as="drop")
    assert cc.compare(u, v).size == 2


def test_noise_in_a_mapping_with_unmatched_elements():
    u = cc.Partition.from_mapping({"a": 0, "b": -1, "c": 0}, noise=-1, noise_as="drop")
    c = cc.compare(u, {"c": 1, "a": 1, "d": 1}, unmatched="singletons")
    assert (c.size, c.pairs.n11, c.pairs.n01) == (3, 1, 2)


@pytest.mark.filterwarnings("ignore:no label equals")
def test_the_signature_says_what_was_noise_and_how_often():
    u = cc.Partition.from_labels([0, -1], noise=-1, noise_as="singletons")
    assert "noise=-1 as singletons (reference: 1)" in cc.compare(u, [0, 1]).signature
    both = cc.compare([0, 1], [0, 1], noise=7, noise_as="drop").signature
    assert "noise=7 as drop (reference: 0), 7 as drop (candidate: 0)" in both


def test_noise_of_another_type_is_noticed():
    with pytest.raises(ParameterError, match="noise=-1: this is an int, but '-1' in the reference is a str"):
        cc.compare(["-1", "0"], ["-1", "0"], noise=-1, noise_as="drop")


@pytest.mark.parametrize("noise", [[0, 1], np.array([0, 1]), {0}])
def test_noise_is_a_single_label(noise):
    with pytest.raises(ParameterError, match="a single label"):
        cc.compare([0, 1], [0, 1], noise=noise, noise_as="drop")


@pytest.mark.parametrize("name", [None, float("nan")])
def test_an_element_of_a_mapping_needs_a_name(name):
    with pytest.raises(LabelError, match="record number 1 has no name"):
        cc.compare({"a": 1, name: 2}, {"a": 1})


def test_noise_must_be_said_explicitly():
    with pytest.raises(ParameterError, match=r"noise=-1: .*pass noise_as='cluster' to keep"):
        cc.compare([0], [-1], noise=-1)
    with pytest.raises(ParameterError, match=r"noise_as='drop': .*pass noise=... to name"):
        cc.compare([0], [-1], noise_as="drop")
    with pytest.raises(ParameterError, match=r"noise_as='ignore': .*noise_as='drop' to leave"):
        cc.compare([0], [-1], noise=-1, noise_as="ignore")
    with pytest.raises(ParameterError, match=r"must be passed when you create the Partition"):
        cc.compare(cc.Partition.from_labels([0]), [0], noise=-1, noise_as="drop")
    with pytest.raises(ParameterError, match="noise= applies to labels, and these are clusters"):
        cc.compare([{1}], [{1}], noise=-1, noise_as="drop")
