"""Every claim of every tree index on all pairs of trees: up to four leaves, and five up to relabelling."""

from __future__ import annotations

import math
import random
from ast import literal_eval
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from cases import every_case
from every_index import OF_TREE_AND_PARTITION, OF_TREES
from inner import TreePair
from tree_oracle import (
    all_trees,
    clusters,
    hierarchy,
    leaves_of,
    pairs_up_to_relabelling,
    rooted,
    set_partitions,
)

import concordant as cc
from concordant.errors import (
    HierarchyError,
    NotRationalError,
    ParameterError,
    UndefinedError,
    UnknownIndexError,
)

HEIGHTS = {1: 1.0, 2: 2.5, 3: 3.0, 4: 7.0}
SOME = 3  # one of so many pairs is compared again, swapped or with changes that an index ignores
every_index = every_case("index", OF_TREES.values(), ids=lambda index: index.name)


@cache
def universe(leaves: int):
    return [hierarchy(tree, HEIGHTS) for tree in all_trees(range(leaves))]


@cache
def nested_pairs():
    """All pairs of trees of two to four leaves, and one of each class of five leaves, with its size."""
    few = [(u, v, 1) for leaves in (2, 3, 4) for u, v in product(all_trees(range(leaves)), repeat=2)]
    return [*few, *pairs_up_to_relabelling(all_trees(range(5)), 5)]


def made_pairs(make_reference, make_candidate, step=1):
    """The comparisons of all pairs, or of every so many, of trees that are each made once."""
    reference = cache(lambda text: make_reference(literal_eval(text)))
    candidate = cache(lambda text: make_candidate(literal_eval(text)))
    return [cc.compare(reference(str(u)), candidate(str(v))) for u, v, _ in nested_pairs()[::step]]


@cache
def pairs():
    return made_pairs(lambda tree: hierarchy(tree, HEIGHTS), lambda tree: hierarchy(tree, HEIGHTS))


@cache
def swapped_pairs():
    return [cc.compare(trees.candidate, trees.reference) for trees in pairs()[::SOME]]


@cache
def trees_with_themselves():
    return [cc.compare(tree, tree) for leaves in (2, 3, 4, 5) for tree in universe(leaves)]


@cache
def values(name: str):
    return [trees[name] for trees in pairs()]


def same(x: float, y: float) -> bool:
    return x == pytest.approx(y, rel=1e-13, abs=1e-15, nan_ok=True)


def test_all_trees_and_all_pairs_are_there():
    assert [len(universe(leaves)) for leaves in (2, 3, 4, 5)] == [1, 4, 26, 236]
    five = [size for (_, _, size), trees in zip(nested_pairs(), pairs(), strict=True) if trees.size == 5]
    assert sum(five) == 12 * 236  # 12 shapes


@every_index
def test_identical_trees_are_perfect(index):
    if index.perfect is None:
        return
    for trees in trees_with_themselves():
        assert trees[index] == index.perfect


@every_index
def test_the_range_is_held_and_reached(index):
    found = {2: [], 3: [], 4: [], 5: []}
    for trees, value in zip(pairs(), values(index.name), strict=True):
        low, high = index.bounds(trees.size)
        assert math.isnan(value) or low <= value <= high
        found[trees.size].append(value)
    if index.tight:
        low, high = index.bounds(4)
        assert math.isclose(np.nanmin(found[4]), low, abs_tol=1e-12)
        assert math.isclose(np.nanmax(found[4]), high, rel_tol=1e-12)


@every_index
def test_swapped_trees_have_the_value_of_the_mirror(index):
    mirror = OF_TREES[index.mirror]
    for trees, value in zip(swapped_pairs(), values(index.name)[::SOME], strict=True):
        assert same(trees[mirror], value)


@every_index
def test_perfect_means_equal_clusters_where_that_is_claimed(index):
    if not index.unique:
        return
    for trees, value in zip(pairs(), values(index.name), strict=True):
        assert (value == index.perfect) == (clusters(trees.reference) == clusters(trees.candidate))


@every_case("index", [x for x in OF_TREES.values() if x.metric], ids=lambda x: x.name)
def test_metrics_obey_the_triangle_inequality(index):
    for leaves in (3, 4):
        trees = universe(leaves)
        distance = np.array([[abs(index.perfect - cc.compare(u, v)[index]) for v in trees] for u in trees])
        assert (distance[:, None] <= distance[:, :, None] + distance[None] + 1e-12).all()


@cache
def pairs_with_the_same(content: str):
    """Each pair changed in all that an index of this content ignores: turned children, other heights."""
    heights = {level: math.exp(height) for level, height in HEIGHTS.items()}
    if content == "heights":
        heights = {level: 4 * height - 8 for level, height in HEIGHTS.items()}
    rng = random.Random(2)

    def turned(tree):
        return tree if content == "drawing" else _turned(tree, rng)

    return made_pairs(lambda u: hierarchy(turned(u), heights), lambda v: hierarchy(turned(v), HEIGHTS), SOME)


@every_index
def test_the_value_depends_on_nothing_but_the_declared_content(index):
    for trees, value in zip(pairs_with_the_same(index.content), values(index.name)[::SOME], strict=True):
        assert same(trees[index], value)


def test_the_declared_content_is_not_too_large():
    """An index of heights changes with them, one of levels with their order, one of drawings with turns."""
    for index in OF_TREES.values():
        narrower = {"heights": "levels", "drawing": "clusters"}.get(index.content)
        if narrower is not None:
            others = [trees[index] for trees in pairs_with_the_same(narrower)]
            assert not all(map(same, others, values(index.name)[::SOME])), index.name


def _turned(tree, rng):
    return tree if isinstance(tree, int) else [_turned(child, rng) for child in rng.sample(tree, len(tree))]


@cache
def pairs_of_five():
    """For each class of pairs of five leaves: its reference and shape of the candidate, its size, a pair."""
    of_five = [each for each in nested_pairs() if len(leaves_of(each[0])) == 5]
    made = cache(lambda text: rooted(literal_eval(text), HEIGHTS))
    return [((str(u), shape(v)), size, TreePair(made(str(u)), made(str(v)))) for u, v, size in of_five]


@every_index
def test_adjusted_indices_have_mean_zero(index):
    """Over all candidates of one shape, which are the permutations of one of them, each equally often."""
    totals = {}
    for kind, size, trees in pairs_of_five():
        try:
            value = float(index.evaluate(trees))
        except ZeroDivisionError:
            value = math.nan
        count, total = totals.get(kind, (0, 0.0))
        totals[kind] = count + size, total + size * value
    means = [abs(total / count) for count, total in totals.values() if not math.isnan(total)]
    assert len(means) >= 100
    assert (max(means) < 1e-14) == index.adjusted


def shape(tree):
    """The tree without the names of its leaves."""
    return () if isinstance(tree, int) else tuple(sorted(map(shape, tree)))


@every_index
def test_worked_examples(index):
    for u, v, value in index.worked:
        c = cc.compare(*(cc.Hierarchy.from_newick(f"{tree};") for tree in (u, v)))
        assert c[index.name] == pytest.approx(value, rel=1e-15)


def test_every_tree_against_every_partition():
    """Trees of up to five leaves, one of each shape: perfect if every cluster is a node or one element."""
    for leaves in (2, 3, 4, 5):
        shapes = {shape(tree): tree for tree in all_trees(range(leaves))}
        partitions = list(set_partitions(list(range(leaves))))
        for nested in shapes.values():
            h = cc.Hierarchy.from_nested(nested)
            nodes = {*clusters(rooted(nested)), frozenset(range(leaves))}
            for parts in partitions:
                t = cc.compare({leaf: i for i, part in enumerate(parts) for leaf in part}, h)
                is_found = all(len(part) == 1 or frozenset(part) in nodes for part in parts)
                assert 0 < t.tree_f1 <= 1
                assert (t.tree_f1 == 1) == is_found
                if len(parts) < leaves:
                    assert 0 < t.dendrogram_purity <= 1
                    assert (t.dendrogram_purity == 1) == is_found
                else:
                    assert math.isnan(t.dendrogram_purity)


def test_indices_of_a_tree_and_a_partition_go_by_name():
    for index in OF_TREE_AND_PARTITION.values():
        for truth, tree, value in index.worked:
            t = cc.compare(dict(zip("abcd", truth, strict=True)), cc.Hierarchy.from_newick(f"{tree};"))
            assert t[index.name] == getattr(t, index.name) == value
        assert index.summary in " ".join(getattr(type(t), index.name).__doc__.split())
    h = cc.Hierarchy.from_newick("((a,b),c);")
    with pytest.raises(HierarchyError, match="needs a partition on one of them"):
        cc.compare(h, h)["tree_f1"]


@every_index
def test_a_star_against_another_tree_is_undefined_where_the_formula_is(index):
    star, tree = hierarchy([0, 1, 2, 3]), hierarchy([[0, 1], [2, 3]])
    _, is_convention = index.assess(TreePair(rooted([0, 1, 2, 3]), rooted([[0, 1], [2, 3]])))
    assert math.isnan(cc.compare(star, tree)[index.name]) == is_convention
    if is_convention:
        with pytest.raises(UndefinedError, match=index.name):
            _ = cc.compare(star, tree, undefined="raise")[index.name]
    else:
        assert cc.compare(star, tree, undefined="raise")[index.name] == cc.compare(star, tree)[index.name]
    if index.perfect is not None:
        assert cc.compare(star, star)[index.name] == index.perfect


@every_index
@every_case("leaves", [1, 2])
def test_trees_of_one_and_two_leaves_are_identical(index, leaves):
    tree = cc.Hierarchy.from_linkage([[0, 1, 1, 2]]) if leaves == 2 else hierarchy([0, 1]).take([0])
    value = cc.compare(tree, tree)[index.name]
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
    assert (
        cc.compare(hierarchy([[0, 1], [2, 3]]), hierarchy([[0, 2], [1, 3]]))["entanglement(exponent=1)"]
        == 2 / 8
    )
    c = cc.compare(hierarchy([[0, 1], [2, 3]]), hierarchy([[0, 2], [1, 3]]))
    with pytest.raises(UnknownIndexError, match="bakers_gamma"):
        c["cor_bakers_gamma"]
    with pytest.raises(ParameterError, match="must be"):
        c["entanglement(exponent=0)"]
    with pytest.raises(ParameterError, match="does not take"):
        c["robinson_foulds(L=1)"]


def crossings(one, other):
    """How many pairs of leaves are in another order."""
    place = {leaf: i for i, leaf in enumerate(other)}
    return sum(place[x] > place[y] for x, y in combinations(one, 2))


def test_untangling_never_adds_crossings_and_finds_equal_drawings():
    rng = random.Random(4)
    trees = all_trees(range(5))
    for _ in range(60):
        drawn = cc.compare(hierarchy(rng.choice(trees)), hierarchy(rng.choice(trees))).tanglegram()
        assert drawn.crossings == crossings(drawn.reference.tolist(), drawn.candidate.tolist())
        assert drawn.crossings <= drawn.crossings_before
    for tree in trees[::7]:
        drawn = cc.compare(hierarchy(tree), hierarchy(_turned(tree, rng))).tanglegram()
        assert drawn.crossings == 0
        assert drawn.reference.tolist() == drawn.candidate.tolist()


def test_a_drawing_has_the_clusters_of_the_tree_next_to_each_other():
    rng = random.Random(5)
    trees = all_trees(range(5))
    for _ in range(40):
        c = cc.compare(hierarchy(rng.choice(trees)), hierarchy(rng.choice(trees)))
        drawn = c.tanglegram()
        for tree, order in ((c.reference, drawn.reference), (c.candidate, drawn.candidate)):
            for cluster in clusters(tree):
                places = sorted(order.tolist().index(leaf) for leaf in cluster)
                assert places[-1] - places[0] + 1 == len(places)


def test_shared_subtrees_are_folded():
    # Both have ((0 1) 2) inside; 3, 4 and 5 are placed differently.
    c = cc.compare(hierarchy([[[0, 1], 2], [[3, 4], 5]]), hierarchy([[[[0, 1], 2], 3], [4, 5]]))
    drawn = c.tanglegram(fold_beyond=3)
    assert drawn.is_folded
    assert sorted(sorted(each.tolist()) for each in drawn.folded) == [[0, 1, 2], [3], [4], [5]]
    assert [len(parent) - len(level) for parent, level in zip(drawn.parents, drawn.levels, strict=True)] == [
        4,
        4,
    ]
    assert "describes the drawing" in str(drawn)
    assert not c.tanglegram().is_folded


def test_lost_clusters_have_the_nearest_node_by_f1():
    rng = random.Random(6)
    trees = all_trees(range(5))
    for _ in range(40):
        c = cc.compare(hierarchy(rng.choice(trees)), hierarchy(rng.choice(trees)))
        changes = c.changes()
        of_u, of_v = clusters(c.reference), clusters(c.candidate)
        assert (changes.n_kept, changes.n_lost) == (len(of_u & of_v), len(of_u - of_v))
        assert len(changes.kept) == changes.n_kept
        nodes = [*of_v, frozenset(range(5)), *(frozenset([x]) for x in range(5))]
        sizes = [each.size for each in changes.lost]
        assert sizes == sorted(sizes, reverse=True)
        lost = sorted((of_u - of_v), key=len, reverse=True)
        assert sorted(sizes) == sorted(map(len, lost))
        expected = sorted(max(2 * len(c & node) / (len(c) + len(node)) for node in nodes) for c in lost)
        assert sorted(each.f1 for each in changes.lost) == pytest.approx(expected)
    assert "of the reference lost" in str(changes)


def test_an_undefined_purity_follows_the_option():
    """No label has two elements, so there is no pair to judge."""
    labels, h = {"a": 0, "b": 1}, cc.Hierarchy.from_newick("(a,b);")
    assert math.isnan(cc.compare(labels, h, undefined="nan").dendrogram_purity)
    with pytest.raises(UndefinedError, match="no label has two records"):
        cc.compare(labels, h, undefined="raise")["dendrogram_purity"]
