"""What a comparison of two hierarchies has for whole trees."""

from __future__ import annotations

import math

import polars as pl
import pytest
from every_index import OF_TREES

import concordant as cc
from concordant.errors import HierarchyError, UndefinedError

U = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 4.0, 4]], records=list("abcd"))
V = cc.Hierarchy.from_linkage([[2, 3, 1.0, 2], [1, 4, 2.0, 3], [0, 5, 4.0, 4]], records=list("dcba"))


def test_every_tree_index_is_an_attribute_and_an_item():
    h = cc.compare(U, V)
    for name in OF_TREES:
        attribute = getattr(h, name)
        assert h[name] == (attribute() if callable(attribute) else attribute)
    assert h["entanglement(exponent=2)"] == h["entanglement(exponent=2)"]


def test_elements_are_matched_by_name():
    h = cc.compare(U, V)
    assert h.clusters_shared == 1  # a and b
    assert h.robinson_foulds == 2
    assert h.changes().n_kept == 1
    drawn = h.tanglegram()
    assert sorted(drawn.reference.tolist()) == sorted(drawn.candidate.tolist()) == [0, 1, 2, 3]


def test_elements_of_one_side_can_be_dropped():
    fewer = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 4.0, 3]], records=list("abx"))
    h = cc.compare(U, fewer, unmatched="drop")
    assert (h.size, h.robinson_foulds) == (2, 0)


def test_a_forest_gets_a_common_root():
    forest = cc.Hierarchy.from_pairs(
        pl.DataFrame({"left": ["a", "c"], "right": ["b", "d"], "score": [0.9, 0.8]}),
        left="left",
        right="right",
        score="score",
    )
    h = cc.compare(U, forest)
    assert h.has_common_root == (False, True)
    assert h.bakers_gamma == 1
    assert h.robinson_foulds == 0


def test_undefined_values_follow_the_convention():
    star = cc.Hierarchy.from_nested(["a", "b", "c", "d"])
    assert math.isnan(cc.compare(U, star).cophenetic_correlation)
    assert cc.compare(star, star).cophenetic_correlation == 1
    with pytest.raises(UndefinedError, match="cophenetic_correlation"):
        _ = cc.compare(U, star, undefined="raise").cophenetic_correlation


def test_a_partition_against_a_hierarchy_has_no_tree_index():
    with pytest.raises(HierarchyError, match="tree_f1"):
        _ = cc.compare({"a": 1, "b": 1, "c": 2, "d": 2}, U).bakers_gamma


def test_significance_is_that_of_the_index_asked_for():
    found = cc.compare(U, V).significance("bakers_gamma")
    assert found.index == "bakers_gamma"
    assert found.method == "exact"
