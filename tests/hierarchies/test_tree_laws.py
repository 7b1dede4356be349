"""Every claim of every tree index, on all 26 rooted trees of four leaves and all 236 of five."""

from __future__ import annotations

import math
import random
from functools import cache

import numpy as np
import pytest
from tree_oracle import all_trees, clusters, permuted_trees, rooted

from concordant.errors import NotRationalError, ParameterError, UndefinedError, UnknownIndexError
from concordant.hierarchies.drawing import crossings, tanglegram, untangle
from concordant.hierarchies.tree_changes import TreeChanges
from concordant.hierarchies.tree_indices import TREE_INDICES
from concordant.hierarchies.tree_pair import TreePair

HEIGHTS = {1: 1.0, 2: 2.5, 3: 3.0, 4: 7.0}
every_index = pytest.mark.parametrize("index", list(TREE_INDICES.values()), ids=list(TREE_INDICES))


@cache
def universe(leaves: int):
    return [rooted(tree, HEIGHTS) for tree in all_trees(range(leaves))]


@cache
def pairs():
    """All pairs of trees of four leaves, and some of five: every tree, and every tree as either side."""
    rng = random.Random(1)
    four, five = universe(4), universe(5)
    chosen = [(u, v) for u in four for v in four]
    chosen += (
        [(u, rng.choice(five)) for u in five] + [(rng.choice(five), v) for v in five] + [(u, u) for u in five]
    )
    return [TreePair(u, v) for u, v in chosen]


@cache
def values(name: str):
    return [TREE_INDICES[name].assess(trees) for trees in pairs()]


def test_there_are_26_and_236_trees():
    assert [len(universe(leaves)) for leaves in (4, 5)] == [26, 236]


@every_index
def test_identical_trees_are_perfect(index):
    if index.perfect is None:
        return
    for leaves in (4, 5):
        for tree in universe(leaves):
            assert index.value(TreePair(tree, tree)) == index.perfect


@every_index
def test_the_range_is_held_and_reached(index):
    found = {4: [], 5: []}
    for trees, (value, _) in zip(pairs(), values(index.name), strict=True):
        low, high = index.bounds(trees.size)
        assert math.isnan(value) or low <= value <= high
        found[trees.size].append(value)
    if index.tight:
        low, high = index.bounds(4)
        assert math.isclose(np.nanmin(found[4]), low, abs_tol=1e-12)
        assert math.isclose(np.nanmax(found[4]), high, rel_tol=1e-12)


@every_index
def test_swapped_trees_have_the_value_of_the_mirror(index):
    mirror = TREE_INDICES[index.mirror]
    for trees, (value, _) in list(zip(pairs(), values(index.name), strict=True))[::3]:
        swapped = mirror.value(TreePair(trees.v, trees.u))
        assert (
            swapped == value
            or (math.isnan(value) and math.isnan(swapped))
            or swapped == pytest.approx(value, rel=1e-14)
        )


@every_index
def test_perfect_means_equal_clusters_where_that_is_claimed(index):
    if not index.unique:
        return
    for trees, (value, _) in zip(pairs(), values(index.name), strict=True):
        assert (value == index.perfect) == (clusters(trees.u) == clusters(trees.v))


@every_index
def test_the_value_depends_on_nothing_but_the_declared_content(index):
    rng = random.Random(2)
    trees = all_trees(range(5))
    for _ in range(40):
        u, v = rng.choice(trees), rng.choice(trees)
        value = index.value(TreePair(rooted(u, HEIGHTS), rooted(v, HEIGHTS)))
        same = []
        if index.content != "drawing":
            same.append(TreePair(rooted(_turned(u, rng), HEIGHTS), rooted(_turned(v, rng), HEIGHTS)))
        if index.content in ("clusters", "levels", "drawing"):
            # an increasing map of the heights of one tree
            mapped = {level: math.exp(height) for level, height in HEIGHTS.items()}
            same.append(TreePair(rooted(u, mapped), rooted(v, HEIGHTS)))
        if index.content == "heights":
            mapped = {level: 4 * height - 8 for level, height in HEIGHTS.items()}
            same.append(TreePair(rooted(u, mapped), rooted(v, HEIGHTS)))
        for other in same:
            assert index.value(other) == pytest.approx(value, rel=1e-13, abs=1e-15, nan_ok=True)


def _turned(tree, rng):
    return tree if isinstance(tree, int) else [_turned(child, rng) for child in rng.sample(tree, len(tree))]


@every_index
def test_adjusted_indices_have_mean_zero(index):
    rng = random.Random(3)
    means = []
    for _ in range(4):
        trees = TreePair(rng.choice(universe(5)), rng.choice(universe(5)))
        found = [index.value(each) for each in permuted_trees(trees)]
        if not np.isnan(found).any():
            means.append(abs(float(np.mean(found))))
    assert (max(means) < 1e-14) == index.adjusted


@every_index
def test_a_star_against_another_tree_is_undefined_where_the_formula_is(index):
    star, tree = rooted([0, 1, 2, 3]), rooted([[0, 1], [2, 3]])
    value, is_convention = index.assess(TreePair(star, tree))
    assert math.isnan(value) == is_convention
    if is_convention:
        with pytest.raises(UndefinedError, match=index.name):
            index.value(TreePair(star, tree), "raise")
    value, _ = index.assess(TreePair(star, star))
    assert value == (index.perfect if index.perfect is not None else index.value(TreePair(star, star)))


@every_index
@pytest.mark.parametrize("leaves", [1, 2])
def test_trees_of_one_and_two_leaves_are_identical(index, leaves):
    tree = rooted(0) if leaves == 1 else rooted([0, 1])
    value = index.value(TreePair(tree, tree))
    assert value == index.perfect or index.perfect is None


@every_index
def test_exact_values_are_those_that_are_rounded(index):
    trees = TreePair(rooted([[0, 1], [2, [3, 4]]]), rooted([[0, 2], [1, 3], 4]))
    try:
        assert float(index.exact(trees)) == index.value(trees)
    except NotRationalError:
        assert isinstance(index.compute(trees), float)


@every_index
def test_declarations_are_complete(index):
    assert index.title
    assert index.formula
    assert index.cite
    assert index.summary.endswith(".")


def test_names_and_parameters_are_looked_up():
    trees = TreePair(rooted([[0, 1], [2, 3]]), rooted([[0, 2], [1, 3]]))
    assert TREE_INDICES["entanglement(L=1)"].value(trees) == 2 / 8
    with pytest.raises(UnknownIndexError, match="bakers_gamma"):
        TREE_INDICES["cor_bakers_gamma"]
    with pytest.raises(ParameterError, match="must be"):
        TREE_INDICES["entanglement(L=0)"]
    with pytest.raises(ParameterError, match="does not take"):
        TREE_INDICES["robinson_foulds(L=1)"]


def test_untangling_never_adds_crossings_and_finds_equal_drawings():
    rng = random.Random(4)
    trees = all_trees(range(5))
    for _ in range(60):
        both = TreePair(rooted(rng.choice(trees)), rooted(rng.choice(trees)))
        orders = untangle(both)
        assert crossings(*orders) <= crossings(both.u.leaf_order(), both.v.leaf_order())
    for tree in trees[::7]:
        both = TreePair(rooted(tree), rooted(_turned(tree, rng)))
        drawn = tanglegram(both)
        assert drawn.crossings == 0
        assert drawn.reference.tolist() == drawn.candidate.tolist()


def test_a_drawing_has_the_clusters_of_the_tree_next_to_each_other():
    rng = random.Random(5)
    trees = all_trees(range(5))
    for _ in range(40):
        both = TreePair(rooted(rng.choice(trees)), rooted(rng.choice(trees)))
        for tree, order in zip((both.u, both.v), untangle(both), strict=True):
            for cluster in clusters(tree):
                places = sorted(order.tolist().index(leaf) for leaf in cluster)
                assert places[-1] - places[0] + 1 == len(places)


def test_shared_subtrees_are_folded():
    # Both have ((0 1) 2) inside; 3, 4 and 5 are placed differently.
    both = TreePair(rooted([[[0, 1], 2], [[3, 4], 5]]), rooted([[[[0, 1], 2], 3], [4, 5]]))
    drawn = tanglegram(both, fold_beyond=3)
    assert drawn.is_folded
    assert sorted(sorted(each.tolist()) for each in drawn.folded) == [[0, 1, 2], [3], [4], [5]]
    assert [len(parent) - len(level) for parent, level in zip(drawn.parents, drawn.levels, strict=True)] == [
        4,
        4,
    ]
    assert "describes the drawing" in str(drawn)
    assert not tanglegram(both).is_folded


def test_lost_clusters_have_the_nearest_node_by_f1():
    rng = random.Random(6)
    trees = all_trees(range(5))
    for _ in range(40):
        both = TreePair(rooted(rng.choice(trees)), rooted(rng.choice(trees)))
        changes = TreeChanges(both)
        of_u, of_v = clusters(both.u), clusters(both.v)
        assert (changes.kept_count, changes.lost_count) == (len(of_u & of_v), len(of_u - of_v))
        assert len(changes.kept) == changes.kept_count
        nodes = [*of_v, frozenset(range(5)), *(frozenset([x]) for x in range(5))]
        sizes = [each.size for each in changes.lost]
        assert sizes == sorted(sizes, reverse=True)
        lost = sorted((of_u - of_v), key=len, reverse=True)
        assert sorted(sizes) == sorted(map(len, lost))
        expected = sorted(max(2 * len(c & node) / (len(c) + len(node)) for node in nodes) for c in lost)
        assert sorted(each.f1 for each in changes.lost) == pytest.approx(expected)
    assert "of the reference lost" in str(changes)
