"""The assertions of concordant.testing: what passes, what fails, and what is a mistake in the test."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from cases import every_case

import concordant as cc
from concordant.errors import ParameterError, UnknownIndexError
from concordant.testing import assert_agreement, assert_same_clusters

SAME = [
    ([5, 5, 7], ["a", "a", "b"], {}),
    ({"x": 1, "y": 1, "z": 2}, {"z": "q", "y": "p", "x": "p"}, {}),
    ([{1, 2}, {2, 3}], cc.Cover.from_clusters([{2, 3}, {1, 2}]), {}),
    (cc.Soft.from_matrix([[0.5, 0.5], [1, 0]]), cc.Soft.from_matrix([[0.5, 0.5], [0, 1]]), {}),
    (pl.DataFrame({"found": [1, 1, 2], "known": list("bba")}), None, {"columns": ["found", "known"]}),
    ({1: 0, 2: 0}, {1: 0, 2: 0, 3: 0}, {"unmatched": "drop"}),
    ([0, 0, -1], [1, 1, 0], {"noise": -1, "noise_as": "singletons"}),
    ([], [], {}),
]


@every_case(("actual", "expected", "how"), SAME)
def test_the_same_clusters_pass_whatever_their_labels(actual, expected, how):
    assert assert_same_clusters(actual, expected, **how) is None


def test_a_difference_shows_what_was_split_and_merged():
    with pytest.raises(AssertionError) as found:
        assert_same_clusters([0, 0, 0, 1], ["a", "a", "b", "c"])
    head, *_, last = str(found.value).splitlines()
    assert head == "the clusters differ: 1 of 4 records is in the wrong cluster: candidate cluster 0"
    assert "n:1 reference 'a' (2), 'b' (1) into candidate 0 (3); 2 pairs wrong" in str(found.value)
    assert last == "the reference is what was expected, and the candidate what was found"


def test_columns_and_names_are_in_the_order_of_the_arguments():
    frame = pl.DataFrame({"found": [0, 0, 0, 1], "known": list("aabc")})
    with pytest.raises(AssertionError, match="found cluster 0"):
        assert_same_clusters(frame, columns=["found", "known"], names=["found", "known"])


def test_soft_partitions_show_the_records_that_moved():
    with pytest.raises(AssertionError, match=r"moved(?s:.)*0\.5000"):
        assert_same_clusters(cc.Soft.from_matrix([[0.5, 0.5], [1, 0], [0, 1]]), [0, 0, 1])


@every_case(("actual", "expected"), [([0, 0], [0, 0, 1]), ({"a": 1, "b": 2}, {"a": 1, "c": 2})])
@every_case("check", [assert_same_clusters, lambda *both: assert_agreement(*both, minimum={"rand": 0})])
def test_other_records_fail_the_test(check, actual, expected):
    with pytest.raises(AssertionError, match="the records differ: "):
        check(actual, expected)


def test_every_limit_that_is_missed_is_in_the_message():
    reference, candidate = [0, 0, 1, 1], [0, 0, 0, 1]
    assert_agreement(reference, candidate, minimum={"rand": 0.5}, maximum={"mirkin": 6})
    with pytest.raises(AssertionError) as found:
        assert_agreement(reference, candidate, minimum={"rand": 0.9, "ari": -1}, maximum={"mirkin": 2})
    lines = str(found.value).splitlines()
    assert lines[0] == "rand is 0.5; it should be at least 0.9"
    assert lines[1] == "mirkin is 6.0; it should be at most 2"
    assert "1 of 2 of reference 1 strayed into candidate 0" in str(found.value)


def test_an_undefined_value_meets_no_limit():
    with pytest.raises(AssertionError, match="precision is nan"):
        assert_agreement([0, 0, 1], [0, 1, 2], minimum={"precision": 0}, undefined="nan")


def test_trees_agree_by_their_indices_and_have_no_single_clusters():
    tree = cc.Hierarchy.from_newick("((a,b),(c,d));")
    other = cc.Hierarchy.from_newick("((a,c),(b,d));")
    assert_agreement(tree, tree, minimum={"shared_cluster_f1": 1})
    with pytest.raises(AssertionError, match="shared_cluster_f1 is"):
        assert_agreement(tree, other, minimum={"shared_cluster_f1": 1})
    with pytest.raises(ParameterError, match=r"tree\.cut"):
        assert_same_clusters(tree, other)


@every_case(
    ("limits", "message"),
    [
        ({}, "pass a limit"),
        ({"minimum": {"mirkin": 1}}, "mirkin is a distance; use maximum"),
        ({"maximum": {"rand": 1}}, "rand is a similarity; use minimum"),
        ({"minimum": {"rand": "0.9"}}, "a limit is a number"),
        ({"minimum": {"rand": float("nan")}}, "a limit is a number"),
        ({"minimum": {"rand": True}}, "a limit is a number"),
        ({"minimum": ["rand"]}, "minimum="),
    ],
)
def test_a_limit_that_means_nothing_is_refused(limits, message):
    with pytest.raises(ParameterError, match=message):
        assert_agreement([0, 0, 1], [0, 1, 1], **limits)


@pytest.mark.parametrize("limit", [1 / 3, Fraction(1, 3), np.float32(1 / 3), 0])
def test_a_value_of_exactly_the_limit_passes(limit):
    assert_agreement([0, 0, 1], [0, 0, 0], minimum={"precision": limit}, maximum={"mirkin": Fraction(4)})
    with pytest.raises(AssertionError, match="mirkin is 4"):
        assert_agreement([0, 0, 1], [0, 0, 0], maximum={"mirkin": Fraction(39, 10)})


def test_options_without_effect_and_unknown_indices_are_refused():
    with pytest.raises(ParameterError, match="whatever the records weigh"):
        assert_same_clusters([0], [0], weights=[2])
    with pytest.raises(UnknownIndexError, match="did you mean mirkin"):
        assert_agreement([0], [0], maximum={"mirkn": 0})
