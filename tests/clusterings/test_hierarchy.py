"""Hierarchies from rows of merges: levels, cuts, ties, and what is refused."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from cases import every_case
from inner import data_of
from scipy.cluster.hierarchy import cut_tree, fcluster, linkage

import concordant as cc
from concordant.errors import HierarchyError, ParameterError, ReadOnlyError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "hierarchies.json").read_text(encoding="utf-8"))
CASES = GOLDEN["cases"]


def clusters_of(partition):
    """The clusters as sorted lists of names or positions."""
    found = {}
    for name, code in zip(partition.records, partition.labels.tolist(), strict=True):
        found.setdefault(code, []).append(name)
    return sorted(map(sorted, found.values()))


def levels_of(hierarchy):
    return [clusters_of(hierarchy.cut(level=level)) for level in range(len(hierarchy.levels))]


def golden(key, chosen=lambda _: True):
    return [pytest.param(case, id=case["id"]) for case in CASES if key in case and chosen(case)]


@pytest.mark.parametrize("case", golden("forms"))
def test_rows_of_every_form_give_the_same_levels(case):
    forms = case["forms"]
    hclust = forms["hclust"]
    trees = [
        cc.Hierarchy.from_linkage(forms["linkage"]),
        cc.Hierarchy.from_children(forms["children"], heights=forms["distances"]),
        cc.Hierarchy.from_children(forms["children"]),
        cc.Hierarchy.from_hclust(hclust["merge"], hclust["height"], records=list(map(int, hclust["labels"]))),
    ]
    for tree in trees:
        assert levels_of(tree) == case["values"]["levels"]


@every_case("case", golden("reference", lambda case: "linkage" in case["reference"]))
def test_clusters_at_each_level(case):
    for side in ("reference", "candidate"):
        tree = cc.Hierarchy.from_linkage(case[side]["linkage"])
        assert data_of(tree).clusters.tolist() == case["values"][f"clusters_of_{side}"]


def after_rows(rows, size, number):
    """The clusters after so many rows were merged, one by one."""
    held = {x: [x] for x in range(size)}
    for row in range(number):
        held[size + row] = held.pop(int(rows[row][0])) + held.pop(int(rows[row][1]))
    return sorted(map(sorted, held.values()))


@pytest.mark.parametrize("method", ["single", "complete", "average", "ward", "centroid", "median"])
def test_cuts_are_those_of_scipy_and_of_merging_rows(method):
    generator = np.random.default_rng(8)
    for size in (2, 3, 12, 40):
        rows = linkage(generator.integers(0, 6, (size, 2)).astype(float), method)
        by_row = cc.Hierarchy.from_linkage(rows, ties="in order")
        for k in range(1, size + 1):
            assert clusters_of(by_row.cut(n_clusters=k)) == after_rows(rows, size, size - k)
        if method in ("centroid", "median"):
            continue
        tree = cc.Hierarchy.from_linkage(rows)
        for height in [0, *rows[:, 2], *(rows[:, 2] + 1e-9), rows[-1, 2] + 1]:
            theirs = fcluster(rows, height, "distance")
            assert cc.compare(theirs, tree.cut(height=height)).rand == 1
        without_ties = linkage(generator.random((size, 2)), method)
        for k in range(1, size + 1):
            theirs = cut_tree(without_ties, n_clusters=k).ravel()
            assert cc.compare(theirs, cc.Hierarchy.from_linkage(without_ties).cut(n_clusters=k)).rand == 1


def test_the_arrays_of_a_hierarchy():
    tree = cc.Hierarchy.from_linkage([[3, 0, 1, 2], [1, 2, 1, 2], [5, 6, 1, 4], [7, 4, 3, 5]])
    assert data_of(tree).parent.tolist() == [5, 5, 5, 5, 6, 6, -1]
    assert data_of(tree).heights.tolist() == [1, 3]
    assert data_of(tree).level.tolist() == [1, 2]
    assert data_of(tree).level_heights.tolist() == [1, 3]
    assert data_of(tree).sizes.tolist() == [1, 1, 1, 1, 1, 4, 5]
    assert data_of(tree).clusters.tolist() == [5, 2, 1]
    by_row = cc.Hierarchy.from_linkage(
        [[3, 0, 1, 2], [1, 2, 1, 2], [5, 6, 1, 4], [7, 4, 3, 5]], ties="in order"
    )
    assert data_of(by_row).parent.tolist() == [5, 6, 6, 5, 8, 7, 7, 8, -1]
    assert data_of(by_row).clusters.tolist() == [5, 4, 3, 2, 1]


def test_rows_in_any_order_of_heights():
    """Rows need to refer backwards, but heights of different branches may alternate."""
    tree = cc.Hierarchy.from_linkage([[0, 1, 5, 2], [2, 3, 1, 2], [4, 5, 7, 4]])
    assert data_of(tree).level_heights.tolist() == [1, 5, 7]
    assert levels_of(tree)[1] == [[0], [1], [2, 3]]


def test_one_and_two_leaves():
    one = cc.Hierarchy.from_linkage(np.empty((0, 4)))
    assert (one.size, data_of(one).clusters.tolist(), levels_of(one)) == (1, [1], [[[0]]])
    assert one.cut(height=3).labels.tolist() == [0]
    two = cc.Hierarchy.from_children([[0, 1]], records=["a", "b"])
    assert levels_of(two) == [[["a"], ["b"]], [["a", "b"]]]


def test_names_align_cuts():
    tree = cc.Hierarchy.from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]], records=["x", "y", "z"])
    assert cc.compare({"z": 1, "x": 0, "y": 0}, tree.cut(n_clusters=2)).adjusted_rand == 1


def test_a_tied_k_gives_fewer_clusters_and_warns():
    tree = cc.Hierarchy.from_linkage([[0, 1, 1, 2], [2, 3, 1, 2], [4, 5, 2, 4]])
    with pytest.warns(
        UserWarning, match="no level has 3 clusters: level 1 joins 4 into 2, and this cut is returned"
    ):
        assert len(clusters_of(tree.cut(n_clusters=3))) == 2
    by_row = cc.Hierarchy.from_linkage([[0, 1, 1, 2], [2, 3, 1, 2], [4, 5, 2, 4]], ties="in order")
    assert clusters_of(by_row.cut(n_clusters=3)) == [[0, 1], [2], [3]]


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        ({}, "choose the cut by one of n_clusters=, height= or level="),
        ({"n_clusters": 2, "level": 1}, "choose the cut by one of"),
        ({"n_clusters": 0}, "cuts of 1 to 4 clusters"),
        ({"n_clusters": 5}, "cuts of 1 to 4 clusters"),
        ({"n_clusters": 2.0}, "whole number"),
        ({"n_clusters": True}, "whole number"),
        ({"level": 4}, "levels are numbered from 0 .* to 3"),
        ({"level": -1}, "levels are numbered"),
        ({"height": float("nan")}, "give a number"),
        ({"height": "high"}, "give a number"),
        ({"threshold": 0.5}, "has heights; pass height="),
    ],
)
def test_cuts_that_are_refused(choice, text):
    tree = cc.Hierarchy.from_linkage([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 3, 4]])
    with pytest.raises(ParameterError, match=text):
        tree.cut(**choice)


@pytest.mark.parametrize("case", golden("error", lambda case: "linkage" in case["input"]))
def test_linkages_that_are_refused(case):
    given = case["input"]
    if "against" in given:  # the other leaves are those of two sides
        return
    with pytest.raises(HierarchyError) as refused:
        cc.Hierarchy.from_linkage(given["linkage"])
    text = {
        "h-068": "row 1: record 0 is merged twice",
        "h-069": "row 0 merges cluster 4, which is made in row 1",
        "h-070": "row 1 is at the height 1.0, below its part, row 0, at 2.0",
        "h-074": "row 0: the height is NaN",
    }[case["id"]]
    assert str(refused.value).startswith(text)


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([[0, 1, 1, 2], [1, 2, 2, 3]], "row 1: record 1 is merged twice"),
        ([[0, 1, 1, 2], [3, 3, 2, 4]], "row 1: cluster 3 is merged twice"),
        ([[0, 1, 1, 2], [2, 4, 2, 3]], "row 1 merges cluster 4, which is made in row 1"),
        ([[0, 1, 1, 2], [2, 9, 2, 3]], "clusters are numbered from 0 to 4"),
        ([[0, 1, 1, 2], [-1, 2, 2, 3]], "row 1 merges cluster -1, but"),
        ([[0, 1, 1, 2], [2.5, 3, 2, 3]], "row 1 of the linkage contains 2.5"),
        ([[0, 1, 1, 2], [2, 3, 2, 4]], "row 1 of the linkage states 4 leaves, but .* have 3"),
        ([[0, 1, 1]], r"of shape \(1, 3\)"),
        ([["a", "b", 1, 2]], "cannot be read as a table of numbers"),
    ],
)
def test_rows_that_are_no_tree(rows, text):
    with pytest.raises(HierarchyError, match=text):
        cc.Hierarchy.from_linkage(rows)


def test_falling_heights_can_be_cut_by_rows():
    rows = [[0, 1, 2.0, 2], [2, 3, 1.0, 3]]
    with pytest.raises(HierarchyError, match="pass ties='in order' to cut by rows"):
        cc.Hierarchy.from_linkage(rows)
    tree = cc.Hierarchy.from_linkage(rows, ties="in order")
    assert levels_of(tree) == [[[0], [1], [2]], [[0, 1], [2]], [[0, 1, 2]]]
    with pytest.raises(HierarchyError, match="fall from row to row"):
        tree.cut(height=1.5)


def test_other_options_that_are_refused():
    with pytest.raises(ParameterError, match="ties='never'"):
        cc.Hierarchy.from_linkage([[0, 1, 1, 2]], ties="never")
    with pytest.raises(HierarchyError, match="2 records and 3 names"):
        cc.Hierarchy.from_linkage([[0, 1, 1, 2]], records=["a", "b", "c"])
    with pytest.raises(HierarchyError, match="'a' twice, at 0 and 1"):
        cc.Hierarchy.from_linkage([[0, 1, 1, 2]], records=["a", "a"])
    with pytest.raises(HierarchyError, match="there is 1 row, and heights of shape"):
        cc.Hierarchy.from_children([[0, 1]], heights=[1, 2])
    with pytest.raises(HierarchyError, match="row 0 of merge contains 0"):
        cc.Hierarchy.from_hclust([[0, -1]], [1])
    with pytest.raises(ParameterError, match="from_linkage"):
        cc.Hierarchy([[0, 1, 1, 2]])


def test_leaves_left_out_suppress_nodes_with_one_child():
    tree = cc.Hierarchy.from_linkage([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 3, 4]], records=list("abcd"))
    part = tree.take([3, 0, 2])
    assert part.records == ("d", "a", "c")
    assert levels_of(part) == [[["a"], ["c"], ["d"]], [["a"], ["c", "d"]], [["a", "c", "d"]]]
    assert data_of(part).level_heights.tolist() == [2, 3]
    assert data_of(tree.take([])).clusters.tolist() == [0]


def test_a_hierarchy_is_read_only_and_can_be_pickled():
    rows = np.array([[0, 1, 1, 2], [2, 3, 2, 3]], dtype=float)
    tree = cc.Hierarchy.from_linkage(rows, records=list("abc"), ties="in order")
    rows[:] = 0
    assert data_of(tree).heights.tolist() == [1, 2]
    with pytest.raises(ReadOnlyError, match="read-only"):
        tree.size = 3
    with pytest.raises(ValueError, match="read-only"):
        data_of(tree).parent[0] = 3
    again = pickle.loads(pickle.dumps(tree))
    assert levels_of(again) == levels_of(tree)
    assert (data_of(again).ties, list(again.records), data_of(again).heights.flags.writeable) == (
        "in order",
        list("abc"),
        False,
    )


@every_case("case", golden("reference", lambda case: "linkage" in case["reference"]))
def test_a_linkage_comes_back(case):
    rows = case["reference"]["linkage"]
    again = cc.Hierarchy.from_linkage(rows, ties="in order").to_linkage()
    assert [(*sorted(row[:2]), *row[2:]) for row in rows] == [tuple(row) for row in again.tolist()]
    together = cc.Hierarchy.from_linkage(rows)
    assert levels_of(cc.Hierarchy.from_linkage(together.to_linkage())) == levels_of(together)


def test_many_levels_are_shown_evenly():
    tree = cc.Hierarchy.from_children([[0, 1], *([i, 100 + i - 2] for i in range(2, 100))])
    lines = str(tree.levels).splitlines()
    assert (lines[0], lines[-1], len(lines)) == ("levels 0 to 99", "20 of 100 rows", 23)
    assert (lines[2].split()[0], lines[-2].split()[0]) == ("0", "99")
    assert len(tree.levels) == len(tree.levels.to_dict()["levels"]) == 100


@pytest.mark.parametrize(
    ("leaves", "message"),
    [
        ([0, 0], "leaf 0 is repeated"),
        ([2, 1, 2], "leaf 2 is repeated"),
        ([0, 3], "the tree has no leaf 3"),
        ([-1], "the tree has no leaf -1"),
        ([0.5, 1.0], "of float64"),
        ([True, False, True], "of bool"),
        (["a"], "whole numbers from 0 to 2, each once"),
        ([[0, 1]], "list of int64"),
        ([[0], [1, 2]], "whole numbers"),
        (1, "whole numbers"),
        ([2**70], "of object"),
    ],
)
def test_take_refuses_what_is_not_a_leaf(leaves, message):
    h = cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]])
    with pytest.raises(ParameterError, match=message):
        h.take(leaves)


def test_take_accepts_every_list_of_leaves():
    h = cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]], records=["a", "b", "c"])
    for leaves in ([2, 0], (2, 0), np.array([2, 0], dtype=np.uint8), range(2, -1, -2)):
        assert list(h.take(leaves).records) == ["c", "a"]
    assert h.take([]).size == 0
