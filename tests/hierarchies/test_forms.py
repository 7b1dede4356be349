"""The forms of trees: parents, nested lists, Newick, nested levels, condensed trees, and objects by type."""

import gzip

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from inner import data_of
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from test_hierarchy import CASES, clusters_of, golden, levels_of

import concordant as cc
from concordant.errors import FileError, HierarchyError, InputError, LabelError, ParameterError


def named(levels):
    """Levels by the texts of the names."""
    return [sorted(sorted(map(str, cluster)) for cluster in level) for level in levels]


def clades(tree):
    """The clusters of size 2 to n - 1, by name."""
    names = list(range(tree.size)) if tree.records is None else list(tree.records)
    found = {}
    for leaf in range(tree.size):
        node = data_of(tree).parent[leaf]
        while node >= 0:
            found.setdefault(node, []).append(int(names[leaf]))
            node = data_of(tree).parent[node]
    return sorted(sorted(clade) for clade in found.values() if len(clade) < tree.size)


@pytest.mark.parametrize("case", golden("forms"))
def test_one_tree_in_every_form(case):
    forms, expected = case["forms"], case["values"]
    with_heights = [
        cc.Hierarchy.from_parents(forms["parents"], heights=forms["heights"]),
        cc.Hierarchy.from_parents(list(forms["parents"].items()), heights=forms["heights"]),
        cc.Hierarchy.from_newick(forms["newick_lengths"]),
    ]
    for tree in with_heights:
        assert named(levels_of(tree)) == named(expected["levels"])
    for tree in [
        cc.Hierarchy.from_parents(forms["parents"]),
        cc.Hierarchy.from_newick(forms["newick"]),
        cc.Hierarchy.from_nested(forms["nested"]),
        *with_heights,
    ]:
        assert clades(tree) == expected["clades"]


@every_case("case", golden("reference", lambda case: "nested" in case["reference"]))
def test_nested_trees_have_levels_by_height(case):
    for side in ("reference", "candidate"):
        tree = cc.Hierarchy.from_nested(case[side]["nested"])
        assert data_of(tree).clusters.tolist() == case["values"][f"clusters_of_{side}"]
        if "heights" in case[side]:
            same = cc.Hierarchy.from_parents(case[side]["parents"], heights=case[side]["heights"])
            assert named(levels_of(same)) == named(levels_of(tree))


@pytest.mark.parametrize("case", golden("condensed"))
def test_condensed_trees(case):
    rows = case["condensed"]
    tree = cc.Hierarchy.from_condensed(rows)
    assert levels_of(tree) == case["values"]["levels"]
    lambdas = {}
    for level, height in enumerate(data_of(tree).level_heights.tolist(), start=1):
        for cluster in clusters_of(tree.cut(level=level)):
            for x in cluster:
                for y in cluster:
                    lambdas.setdefault((x, y), height)
    for x, y, expected in case["values"]["lambda_of_pairs"]:
        assert lambdas[x, y] == 1 / expected
    fields = [("parent", int), ("child", int), ("lambda_val", float), ("child_size", int)]
    structured = np.array([tuple(row) for row in rows], dtype=fields)
    frame = pd.DataFrame(structured)
    for other in (structured, frame, pl.from_pandas(frame)):
        assert levels_of(cc.Hierarchy.from_condensed(other)) == case["values"]["levels"]
    assert levels_of(cc.Hierarchy.of(structured)) == case["values"]["levels"]


def test_points_that_never_leave_are_joined_at_height_zero():
    tree = cc.Hierarchy.from_condensed([(3, 0, np.inf, 1), (3, 1, np.inf, 1), (3, 2, 0.5, 1)])
    assert data_of(tree).level_heights.tolist() == [0, 2]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([], "has no rows"),
        ([(2, 0, -1.0, 1), (2, 1, 1.0, 1)], "row 0 .* lambda is -1.0"),
        ([(2, 0, float("nan"), 1), (2, 1, 1.0, 1)], "lambda is nan"),
        ([(2, 0, 1.0, 1), (2, 0, 1.0, 1)], "0 is the child of several rows"),
        ([(3, 0, 1.0, 1), (3, 2, 1.0, 1)], "1 is the child of no row"),
        ([(2, 0, 1.0, 1), (2, 1, 1.0, 1), (2, 3, 0.5, 2)], "cluster 3 of the condensed tree has no parts"),
        ([(2, 0, 1.0, 2), (2, 1, 1.0, 1)], "row 0 .* states 2 points, but 0 has 1"),
        ([(2, 0, 1.0, 1), (2, 2, 1.0, 1)], "2 cannot be a part of cluster 2"),
        ([(2, 0.5, 1.0, 1)], "child is 0.5, not a whole number"),
        ([(2, 0, 1.0)], "needs the columns parent, child"),
    ],
)
def test_condensed_trees_that_are_refused(rows, text):
    with pytest.raises(HierarchyError, match=text):
        cc.Hierarchy.from_condensed(rows)


# -- parents ----------------------------------------------------------------------------------------

TAXONOMY = {"tom": "cats", "kitty": "cats", "rex": "dogs", "cats": "pets", "dogs": "pets", "jerry": "pets"}


def test_levels_by_depth_and_by_height():
    """By depth, clusters are as far from the root; by height, they are as far from their deepest leaf."""
    deep = {"a": "ab", "b": "ab", "ab": "x", "c": "x", "x": "root", "d": "de", "e": "de", "de": "root"}
    by_depth = cc.Hierarchy.from_parents(deep)
    assert levels_of(by_depth)[1:] == [
        [["a", "b"], ["c"], ["d"], ["e"]],
        [["a", "b", "c"], ["d", "e"]],
        [["a", "b", "c", "d", "e"]],
    ]
    by_height = cc.Hierarchy.from_parents(deep, levels="height")
    assert levels_of(by_height)[1] == [["a", "b"], ["c"], ["d", "e"]]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_parents_from_a_dataframe(library):
    rows = {"taxon": list(TAXONOMY), "above": list(TAXONOMY.values())}
    expected = levels_of(cc.Hierarchy.from_parents(TAXONOMY))
    assert levels_of(cc.Hierarchy.from_parents(library(rows))) == expected
    rows["note"] = ["-"] * len(TAXONOMY)
    found = cc.Hierarchy.from_parents(library(rows), node="taxon", parent="above")
    assert levels_of(found) == expected
    with pytest.raises(ParameterError, match="columns taxon, above, note; name those"):
        cc.Hierarchy.from_parents(library(rows))
    with pytest.raises(InputError, match=r"no column 'taxa'.*did you mean 'taxon'"):
        cc.Hierarchy.from_parents(library(rows), node="taxa", parent="above")


def test_roots_and_forests():
    forest = cc.Hierarchy.from_parents({"a": "x", "b": "x", "c": "y", "d": "y", "alone": None, "x": None})
    assert levels_of(forest)[-1] == [["a", "b"], ["alone"], ["c", "d"]]
    assert repr(forest) == "<Hierarchy of 5 records, 1 level, 3 roots>"
    with pytest.raises(ParameterError, match="cuts of 3 to 5 clusters, because 3 trees are never joined"):
        forest.cut(n_clusters=1)


def test_nodes_with_one_child_are_that_child():
    tree = cc.Hierarchy.from_parents({"a": "x", "b": "x", "x": "y", "y": "z", "c": "z"})
    assert levels_of(tree) == [[["a"], ["b"], ["c"]], [["a", "b"], ["c"]], [["a", "b", "c"]]]
    assert data_of(cc.Hierarchy.from_nested([["a"], [["b", "c"]]])).clusters.tolist() == [3, 2, 1]


@pytest.mark.parametrize("case", golden("error", lambda case: "linkage" not in case["input"]))
def test_parents_that_are_no_tree(case):
    given = case["input"]
    text = {"h-071": "'a' has two parents, 'x' and 'y'", "h-072": "'x', 'y' form a cycle"}[case["id"]]
    with pytest.raises(HierarchyError, match=text):
        cc.Hierarchy.from_parents(given["edges"] if "edges" in given else given["parents"])


@pytest.mark.parametrize(
    ("parents", "options", "text"),
    [
        ({"a": "a"}, {}, "'a' is its own parent"),
        ({"a": "x", "b": "x", "x": "y", "y": "z", "z": "x"}, {}, "form a cycle"),
        ([("a", "x"), ("a", None)], {}, "'a' has two parents, 'x' and none"),
        ({"a": "x"}, {"heights": {}}, "'x' has no height"),
        ({"a": "x"}, {"heights": {"x": 1, "q": 2}}, "heights name 'q', which is not a node"),
        ({"a": "x"}, {"heights": {"x": "tall"}}, "the height is 'tall', not a number"),
        ({"a": "x"}, {"heights": {"x": float("nan")}}, "'x': the height is NaN"),
        ({"a": "x", "b": "x"}, {"heights": [1]}, "heights are a list"),
        (
            {"a": "x", "b": "x", "x": "y", "c": "y"},
            {"heights": {"x": 2, "y": 1}},
            r"'y' is at the height 1.0, below its part, 'x', at 2.0: levels by height would not be nested$",
        ),
    ],
)
def test_parents_that_are_refused(parents, options, text):
    with pytest.raises(HierarchyError, match=text):
        cc.Hierarchy.from_parents(parents, **options)


def test_other_parents_that_are_refused():
    with pytest.raises(LabelError, match="the name at position 0 is missing"):
        cc.Hierarchy.from_parents([(None, "x")])
    with pytest.raises(InputError, match="entry 1 is 'xy'; each is a node and its parent"):
        cc.Hierarchy.from_parents([("a", "x"), "xy"])
    with pytest.raises(ParameterError, match="heights= already determine"):
        cc.Hierarchy.from_parents({"a": "x"}, heights={"x": 1}, levels="depth")
    with pytest.raises(ParameterError, match=r"[Uu]se 'depth' or 'height'"):
        cc.Hierarchy.from_parents({"a": "x"}, levels="width")
    with pytest.raises(ParameterError, match="names a column of a dataframe, and this is a dict"):
        cc.Hierarchy.from_parents({"a": "x"}, node="a")
    with pytest.raises(InputError, match="the parents are an int"):
        cc.Hierarchy.from_parents(5)


def test_a_long_chain_needs_no_recursion():
    size = 5000
    chain = {f"leaf{i}": f"node{i}" for i in range(size)} | {f"node{i}": f"node{i + 1}" for i in range(size)}
    tree = cc.Hierarchy.from_parents(chain)
    assert (tree.size, len(data_of(tree).level_heights)) == (size, size - 1)
    nested = "a"
    for i in range(size):
        nested = [nested, i]
    assert len(data_of(cc.Hierarchy.from_nested(nested)).level_heights) == size
    text = "(" * size + "a" + "".join(f",b{i})" for i in range(size)) + ";"
    assert len(data_of(cc.Hierarchy.from_newick(text)).level_heights) == size


# -- nested -----------------------------------------------------------------------------------------


def test_nested_dicts_and_lists():
    tree = cc.Hierarchy.from_nested(
        {"cats": ["tom", "kitty"], "dogs": {"big": ["rex", "max"], "small": "bo"}, "jerry": None}
    )
    assert levels_of(tree)[1:] == [
        [["bo"], ["jerry"], ["kitty", "tom"], ["max", "rex"]],
        [["bo", "max", "rex"], ["jerry"], ["kitty", "tom"]],
        [["bo", "jerry", "kitty", "max", "rex", "tom"]],
    ]
    assert cc.Hierarchy.from_nested([]).size == 0
    assert data_of(cc.Hierarchy.from_nested(["a"])).clusters.tolist() == [1]


def test_nested_trees_that_are_refused():
    endless = ["a"]
    endless.append(endless)
    for tree, text in (
        (endless, "contains itself"),
        (["a", []], "an empty list"),
        (["a", ["a", "b"]], "the leaf 'a' occurs twice"),
        ("ab", "this is a str"),
    ):
        with pytest.raises(HierarchyError, match=text):
            cc.Hierarchy.from_nested(tree)
    with pytest.raises(LabelError, match="is missing"):
        cc.Hierarchy.from_nested(["a", None])


# -- Newick -----------------------------------------------------------------------------------------


def test_newick_names_comments_and_lengths(tmp_path):
    text = "[a comment] ('it''s (a) leaf':0.1 [&rate=1], b_c:0.1)inner:0.2,\n d:3e-1 );"
    path = tmp_path / "tree.nwk"
    path.write_text("(" + text, encoding="utf-8")
    for tree in (
        cc.Hierarchy.from_newick("(" + text),
        cc.Hierarchy.from_newick(path),
        cc.Hierarchy.from_newick(str(path)),
    ):
        assert tree.records == ("it's (a) leaf", "b_c", "d")
        assert data_of(tree).level_heights.tolist() == [0.1, 0.3]


def test_equal_heights_of_lengths_are_equal():
    """In floating point, 0.1 + 0.2 is more than 0.3."""
    tree = cc.Hierarchy.from_newick("(((a:0.1,b:0.1):0.2,c:0.3):0.1,((d:0.3,e:0.3):0.1):0,f:0.4);")
    assert data_of(tree).level_heights.tolist() == [0.1, 0.3, 0.4]


def test_lengths_that_are_not_ultrametric():
    tree = cc.Hierarchy.from_newick("((a:1,b:5):1,c:1):9;")
    assert data_of(tree).level_heights.tolist() == [5, 6]
    assert data_of(cc.Hierarchy.from_newick("(a,b,c,(d,e));", levels="depth")).level_heights.tolist() == [
        1,
        2,
    ]
    assert cc.Hierarchy.from_newick("a;").size == 1


@every_case(
    ("text", "problem"),
    [
        ("(a,b);(c,d);", "a second tree begins"),
        ("(a,b)", "ends with a semicolon"),
        ("(a,b;", "a parenthesis is not closed"),
        ("(a,b));", "was not opened"),
        ("a,b;", "a comma outside"),
        ("(a,b)c(d);", "children of a node are before its name"),
        ("(a b,c);", "a second name"),
        ("(a:1:2,c:1);", "a second name or length"),
        ("(a:x,c:1);", "a length is a number"),
        ("(a:nan,c:1);", "a length is a number"),
        ("(a:,c:1);", "a branch length is missing here"),
        ("(a:1,b);", "'b' has no branch length, but other nodes have one"),
        ("(a,);", "leaf number 1 of the Newick text has no name"),
        (";", "has no name"),
        ("(a,a);", "the leaf 'a' occurs twice"),
        ("(a,'b);", "this quote has no end"),
        ("(a,[b);", "this comment has no end"),
        ("(a,b]);", "this bracket has no beginning"),
        ("((a:1,b:1):-2,c:1);", "below its part"),
    ],
)
def test_newick_that_is_refused(text, problem):
    with pytest.raises(HierarchyError, match=problem):
        cc.Hierarchy.from_newick(text)


def test_newick_files_that_are_refused(tmp_path):
    with pytest.raises(
        FileError, match="is not Newick text, which ends with a semicolon, and not a file to read"
    ):
        cc.Hierarchy.from_newick("tree.nwk")
    (tmp_path / "t.nwk.gz").write_bytes(gzip.compress(b"(a,b);"))
    with pytest.raises(FileError, match="not a text file in UTF-8"):
        cc.Hierarchy.from_newick(tmp_path / "t.nwk.gz")
    with pytest.raises(HierarchyError, match="this is an int; pass Newick text"):
        cc.Hierarchy.from_newick(5)
    with pytest.raises(ParameterError, match="branch lengths already determine"):
        cc.Hierarchy.from_newick("(a:1,b:1);", levels="depth")


# -- nested levels ----------------------------------------------------------------------------------


def test_levels_in_any_order():
    fine, middle, coarse = [0, 0, 1, 2, 3], ["a", "a", "a", "b", "b"], [1, 1, 1, 1, 1]
    for order in ([fine, middle, coarse], [coarse, middle, fine], [middle, fine, coarse]):
        assert levels_of(cc.Hierarchy.from_levels(order))[1:] == [
            [[0, 1], [2], [3], [4]],
            [[0, 1, 2], [3, 4]],
            [[0, 1, 2, 3, 4]],
        ]
    tree = cc.Hierarchy.from_levels([coarse, fine], heights=[2.5, 1])
    assert data_of(tree).level_heights.tolist() == [1, 2.5]
    assert data_of(cc.Hierarchy.from_levels([middle])).clusters.tolist() == [5, 2]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_levels_of_a_dataframe(library):
    frame = library(
        {"id": list("xyz"), "kingdom": ["A", "A", "A"], "phylum": ["B", "B", "C"], "species": ["d", "e", "f"]}
    )
    tree = cc.Hierarchy.from_levels(frame, record="id", columns=["kingdom", "phylum", "species"])
    assert levels_of(tree) == [[["x"], ["y"], ["z"]], [["x", "y"], ["z"]], [["x", "y", "z"]]]
    assert levels_of(cc.Hierarchy.from_levels(frame, record="id")) == levels_of(tree)
    with pytest.raises(InputError, match="no column 'genus'"):
        cc.Hierarchy.from_levels(frame, columns=["genus"])


def test_levels_by_name():
    tree = cc.Hierarchy.from_levels({"fine": {"a": 1, "b": 1, "c": 2}, "coarse": {"c": 0, "b": 0, "a": 0}})
    assert levels_of(tree) == [[["a"], ["b"], ["c"]], [["a", "b"], ["c"]], [["a", "b", "c"]]]


def test_levels_that_are_not_nested_name_a_cluster_and_the_way():
    with pytest.raises(
        HierarchyError,
        match=r"cluster 'b' of level 'r=2' is spread over 2 clusters of level 'r=1', .*\.track .*\.matrix",
    ):
        cc.Hierarchy.from_levels({"r=1": [0, 0, 0, 1, 1], "r=2": ["a", "a", "b", "b", "c"]})
    coarse, fine = {"a": 0, "b": 0, "c": 1, "d": 1}, {"d": "s", "c": "q", "a": "q", "b": "r"}
    with pytest.raises(HierarchyError, match="cluster 'q' of level 1 is spread over 2 clusters of level 0"):
        cc.Hierarchy.from_levels([coarse, fine])


def test_other_levels_that_are_refused():
    for levels, options, text in (
        ([], {}, "there are no levels"),
        ([[0, 1]], {"heights": [1, 2]}, "1 level cannot have 2 heights"),
        ([[0, 1], [0, 0]], {"heights": [2, 1]}, "coarser levels have larger heights"),
        ([[0, 1], [0, 0]], {"heights": [2, float("nan")]}, "the height is NaN"),
        (5, {}, "the levels are an int"),
    ):
        with pytest.raises(HierarchyError, match=text):
            cc.Hierarchy.from_levels(levels, **options)
    with pytest.raises(InputError):
        cc.Hierarchy.from_levels([[0, 1], [0, 0, 1]])
    with pytest.raises(ParameterError, match="for dataframes, and this is a list"):
        cc.Hierarchy.from_levels([[0, 1]], record="id")
    with pytest.raises(HierarchyError, match="the leaf 'x' occurs twice"):
        cc.Hierarchy.from_levels(pl.DataFrame({"id": ["x", "x"], "a": [1, 2]}), record="id")


# -- by type ----------------------------------------------------------------------------------------


def test_estimators_and_arrays_by_their_attributes():
    points = np.random.default_rng(4).random((20, 2))
    model = AgglomerativeClustering(n_clusters=3, compute_distances=True, linkage="average").fit(points)
    assert cc.compare(model.labels_, cc.Hierarchy.of(model).cut(n_clusters=3)).adjusted_rand == 1
    without = AgglomerativeClustering(n_clusters=3, linkage="average").fit(points)
    tree = cc.Hierarchy.of(without)
    assert data_of(tree).level_heights.tolist() == list(range(1, 20))
    assert cc.Hierarchy.of(tree) is tree
    rows = np.array(CASES[0]["reference"]["linkage"])
    assert levels_of(cc.Hierarchy.of(rows)) == levels_of(cc.Hierarchy.from_linkage(rows))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.zeros((3, 4), dtype=int), "is ambiguous"),
        (np.zeros((3, 2)), "is ambiguous"),
        (np.random.default_rng(0).random((3, 4)), "instead of the number of a cluster"),
        (KMeans(), "has not been fitted, or it does not make one"),
        (AgglomerativeClustering(), "has not been fitted"),
        ({"a": "b"}, "from_parents .* or from_nested"),
        ([[1, 2], 3], "from_linkage, from_children, from_nested or from_levels"),
        ("(a,b);", "from_newick"),
        (pl.DataFrame({"a": [1]}), "from_pairs, from_parents"),
        (5, "from_linkage, from_children"),
    ],
)
def test_doubtful_objects_are_refused(value, text):
    with pytest.raises(HierarchyError, match=text):
        cc.Hierarchy.of(value)


def test_an_estimator_with_two_trees_is_refused():
    class Estimator:
        single_linkage_tree_ = condensed_tree_ = labels_ = ()

    with pytest.raises(HierarchyError, match="has two trees; pass its single_linkage_tree_"):
        cc.Hierarchy.of(Estimator())


def test_hdbscan_of_scikit_learn_has_one_tree():
    points = np.random.default_rng(1).normal(size=(50, 2))
    model = HDBSCAN(min_cluster_size=5, copy=True)
    with pytest.raises(HierarchyError, match="has not been fitted"):
        cc.Hierarchy.of(model)
    found = cc.Hierarchy.of(model.fit(points))
    merges = model._single_linkage_tree_
    linkage = np.column_stack([merges[name] for name in merges.dtype.names])
    assert data_of(found).parent.tolist() == data_of(cc.Hierarchy.from_linkage(linkage)).parent.tolist()
    assert data_of(cc.Hierarchy.of(merges)).level_heights.tolist() == data_of(found).level_heights.tolist()


def test_compare_names_the_way_to_a_hierarchy():
    points = np.random.default_rng(1).normal(size=(5, 2))
    model = AgglomerativeClustering(2, compute_distances=True).fit(points)
    with pytest.raises(
        LabelError, match=r"pass its \.labels_, Hierarchy\.of\(\.\.\.\) of it for all its cuts"
    ):
        cc.compare([1, 1, 2, 2, 2], model)
    with pytest.raises(LabelError, match=r"a linkage matrix, pass Hierarchy\.from_linkage"):
        cc.compare([1, 1, 2, 2, 2], cc.Hierarchy.of(model).to_linkage())
