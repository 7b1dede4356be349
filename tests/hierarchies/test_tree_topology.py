"""Indices of clusters read the nodes of a tree, whatever the lengths of its branches.

The oracle is the rule of dendropy: the clusters of a tree are the leaves below each inner node, also where a
branch has the length 0.
"""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from inner import TREE_INDICES, TREE_PARTITION_INDICES, data_of

import concordant as cc

LEAVES = "abcdefg"
OF_CLUSTERS, WITH_PARTITION = (
    [name for name, each in indices.items() if each.content == "clusters"]
    for indices in (TREE_INDICES, TREE_PARTITION_INDICES)
)


def some_tree(source):
    """Nested lists over all leaves, with two or three parts each."""
    parts = list(source.permutation(list(LEAVES)))
    while len(parts) > 1:
        number = min(int(source.integers(2, 4)), len(parts))
        chosen = source.choice(len(parts), number, replace=False).tolist()
        parts = [part for i, part in enumerate(parts) if i not in chosen] + [[parts[i] for i in chosen]]
    return parts[0]


def newick(node, source):
    """The tree as text. Inner nodes are at the height of their highest part or one above it."""

    def measured(node):
        """The height and the parts of each node."""
        if isinstance(node, str):
            return 0, node
        parts = [measured(part) for part in node]
        return max(height for height, _ in parts) + int(source.integers(0, 2)), parts

    def text(height, parts, above):
        inside = parts if isinstance(parts, str) else f"({','.join(text(*part, height) for part in parts)})"
        return f"{inside}:{above - height}"

    height, parts = measured(node)
    return f"{text(height, parts, height)};"


def leaves(node):
    return frozenset(node) if isinstance(node, str) else frozenset().union(*map(leaves, node))


def inner(node):
    """The leaves of every inner node."""
    return set() if isinstance(node, str) else {leaves(node)}.union(*map(inner, node))


def clusters(node):
    return {each for each in inner(node) if len(each) < len(LEAVES)}


def joined_first(node, triple):
    """The two of three leaves that a node joins without the third; None if there is none."""
    return next(
        (pair for pair in map(frozenset, itertools.combinations(triple, 2)) for each in inner(node)
         if pair <= each and not each >= frozenset(triple)),
        None,
    )  # fmt: skip


def pairs_of_trees():
    source = np.random.default_rng(3)
    for _ in range(40):
        one = some_tree(source)
        yield one, some_tree(source) if source.random() < 0.7 else one, source


def test_clusters_and_triplets_by_the_rule_of_dendropy():
    for one, other, source in pairs_of_trees():
        h = cc.compare(*(cc.Hierarchy.from_newick(newick(each, source)) for each in (one, other)))
        u, v = clusters(one), clusters(other)
        assert h.robinson_foulds == len(u ^ v)
        assert h.clusters_shared == len(u & v)
        if u and v:
            assert h.shared_cluster_precision == len(u & v) / len(v)
            assert h.shared_cluster_recall == len(u & v) / len(u)
        triples = list(itertools.combinations(LEAVES, 3))
        same = sum(joined_first(one, each) == joined_first(other, each) for each in triples)
        assert h.triplet_agreement == same / len(triples)


def test_branch_lengths_change_no_index_of_clusters():
    truth = dict(zip(LEAVES, "xxyyyzz", strict=True))
    for one, other, source in pairs_of_trees():
        plain = [cc.Hierarchy.from_nested(each) for each in (one, other)]
        measured = [cc.Hierarchy.from_newick(newick(each, source)) for each in (one, other)]
        expected, found = cc.compare(*plain), cc.compare(*measured)
        for name in OF_CLUSTERS:
            assert found[name] == pytest.approx(expected[name], abs=1e-15), name
        assert found.triplets == expected.triplets
        lost = [{each.size for each in made.changes(None).lost} for made in (found, expected)]
        assert lost[0] == lost[1]
        expected, found = cc.compare(truth, plain[1]), cc.compare(truth, measured[1])
        for name in WITH_PARTITION:
            assert found[name] == expected[name], name
        for name in ("f_measure", "adjusted_rand"):
            assert found.best_pruning(name).value == expected.best_pruning(name).value


def test_the_best_pruning_is_the_best_of_all_sets_of_nodes():
    truth = dict(zip(LEAVES, "xxyyyzz", strict=True))
    for one, _, source in itertools.islice(pairs_of_trees(), 15):

        def prunings(node):
            yield [leaves(node)]
            if not isinstance(node, str):
                for parts in itertools.product(*(list(prunings(part)) for part in node)):
                    yield [each for part in parts for each in part]

        best = max(
            cc.f_measure(truth, cc.Partition.from_clusters([*map(sorted, each)])) for each in prunings(one)
        )
        found = cc.compare(truth, cc.Hierarchy.from_newick(newick(one, source))).best_pruning("f_measure")
        assert found.value == pytest.approx(best, abs=1e-15)


@pytest.mark.filterwarnings("ignore:no level has")
def test_cuts_join_everything_of_one_height_at_once():
    truth = dict(zip(LEAVES, "xxyyyzz", strict=True))
    for one, other, source in pairs_of_trees():
        u, v = (cc.Hierarchy.from_newick(newick(each, source)) for each in (one, other))
        for t, sides in ((cc.compare(truth, v), 1), (cc.compare(u, v), 2)):
            for name in ("f_measure", "adjusted_rand", "purity", "bcubed_f", "vi", "matching_accuracy"):
                frame = t.curve(name).columns
                for i, value in enumerate(frame["value"]):
                    cut = t.at(level=i) if sides == 1 else t.at(n_clusters=int(frame["n_clusters"][i]))
                    assert value == pytest.approx(cut[name], abs=1e-12), name
        grid = cc.compare(u, v).cuts("adjusted_rand")
        for numbers in itertools.product(grid.reference.tolist(), grid.candidate.tolist()):
            cut = cc.compare(u, v).at(n_clusters=numbers[0], candidate_n_clusters=numbers[1])
            assert grid[numbers] == pytest.approx(cut.adjusted_rand, abs=1e-12)
        heights = np.concatenate([[-1.0], data_of(v).level_heights])
        linkage = v.to_linkage()
        for height in heights.tolist():
            expected = cc.Hierarchy.from_linkage(linkage, records=v.records).cut(height=height)
            assert cc.compare(expected, v.cut(height=height)).adjusted_rand == 1


def test_rows_of_a_dendrogram_at_one_height_are_one_join_unless_they_are_in_order():
    rows = [[0, 1, 1.0, 2], [3, 2, 1.0, 3]]
    turned = [[1, 2, 1.0, 2], [3, 0, 1.0, 3]]
    together = cc.compare(*(cc.Hierarchy.from_linkage(each) for each in (rows, turned)))
    assert together.robinson_foulds == 0
    in_order = cc.compare(*(cc.Hierarchy.from_linkage(each, ties="in order") for each in (rows, turned)))
    assert in_order.robinson_foulds == 2


def test_clusters_of_a_condensed_tree_are_nodes_also_where_points_leave_at_once():
    rows = [(4, 5, 1.0, 2), (4, 6, 1.0, 2), (5, 0, 1.0, 1), (5, 1, 1.0, 1), (6, 2, 3.0, 1), (6, 3, 3.0, 1)]
    frame = pd.DataFrame(rows, columns=["parent", "child", "lambda_val", "child_size"])
    t = cc.compare([0, 0, 1, 1], cc.Hierarchy.from_condensed(frame))
    assert t.tree_f1 == 1
    assert t.best_pruning("adjusted_rand").value == 1 > t.best_cut("adjusted_rand").value
    assert not math.isnan(t.dendrogram_purity)


def test_nodes_stay_where_leaves_are_taken():
    h = cc.Hierarchy.from_newick("(((a:1,b:1):0,d:1):0,c:1);")
    taken = h.take([0, 3, 1])
    assert cc.compare(taken, cc.Hierarchy.from_nested([["a", "b"], "c"])).robinson_foulds == 0
    part = cc.compare(h, cc.Hierarchy.from_nested([["a", "b"], "c"]), unmatched="drop")
    assert part.robinson_foulds == 0
