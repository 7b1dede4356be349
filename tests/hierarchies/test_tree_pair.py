"""Two trees against brute force: every pair, triple and permutation."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from cases import every_case
from every_index import OF_TREES
from inner import RootedTree, TreePair, correlation_moments, data_of, displacement, tree_pair
from tree_oracle import (
    Sides,
    all_trees,
    clusters,
    concordance,
    hierarchy,
    mid_ranks,
    nested_information,
    pair_levels,
    pearson,
    permuted_trees,
    rooted,
    triplets,
)

import concordant as cc
from concordant.errors import HierarchyError, TooLargeError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "hierarchies.json").read_text())
WITH_TREES = [
    case
    for case in GOLDEN["cases"]
    if "reference" in case and isinstance(case["values"], dict) and "n11" in case["values"]
]


def random_nested(rng: random.Random, leaves: list[int]):
    """A random tree: often binary, sometimes a chain or a star."""
    if len(leaves) == 1:
        return leaves[0]
    leaves = rng.sample(leaves, len(leaves))
    kind = rng.random()
    if kind < 0.15:
        return leaves
    if kind < 0.4:
        return [leaves[0], random_nested(rng, leaves[1:])]
    parts = min(len(leaves), rng.choice([2, 2, 2, 3, 4]))
    cuts = sorted(rng.sample(range(1, len(leaves)), parts - 1))
    return [random_nested(rng, leaves[i:j]) for i, j in zip([0, *cuts], [*cuts, len(leaves)], strict=True)]


def random_pairs(count: int, sizes: range, seed: int):
    rng = random.Random(seed)
    for _ in range(count):
        n = rng.choice(sizes)
        u, v = (random_nested(rng, list(range(n))) for _ in range(2))
        heights = [{level: rng.uniform(0, 3) + 3 * level for level in range(1, n)} for _ in range(2)]
        yield u, v, Sides(hierarchy(u, heights[0]), hierarchy(v, heights[1]))


def test_sums_are_those_of_all_pairs():
    for _, _, trees in random_pairs(60, range(3, 12), seed=1):
        levels, c = pair_levels(trees), cc.compare(*trees)
        heights = [
            [Fraction(data_of(tree).level_heights[pair[side] - 1]) for pair in levels]
            for side, tree in enumerate(trees)
        ]
        for found, sides in (
            (c.cophenetic_correlation, heights),
            (c.bakers_gamma, [mid_ranks([pair[side] for pair in levels]) for side in (0, 1)]),
        ):
            if math.isnan(found):
                assert min(len(set(side)) for side in sides) == 1
            elif min(len(set(side)) for side in sides) > 1:
                assert found == pytest.approx(pearson(*sides), rel=4e-16, abs=1e-16)
        concordant, discordant, reference, candidate = concordance(levels)
        both = concordant + discordant
        for found, sum_of_pairs, scale in (
            (c.goodman_kruskal_gamma_of_heights, both, both),
            (c.kendall_tau_b_of_heights, reference * candidate, math.sqrt(reference * candidate)),
        ):
            if sum_of_pairs:
                assert found == pytest.approx((concordant - discordant) / scale, rel=1e-15, abs=1e-16)
            else:
                assert math.isnan(found) or found == 1


def test_clusters_triplets_and_information_are_those_of_the_definitions():
    for u, v, trees in random_pairs(60, range(3, 12), seed=2):
        c = cc.compare(*trees)
        of_u, of_v = clusters(trees.u), clusters(trees.v)
        changes = c.changes()
        assert (changes.n_kept, changes.n_lost) == (len(of_u & of_v), len(of_u - of_v))
        assert c.clusters_shared == len(of_u & of_v)
        assert c.robinson_foulds == len(of_u ^ of_v)
        found = c.triplets
        assert (
            found.same,
            found.different,
            found.reference_only,
            found.candidate_only,
            found.unresolved,
        ) == triplets(trees)
        expected = nested_information(u, v)
        assert c.hierarchical_mutual_information == pytest.approx(expected, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("shape", ["balanced", "chain", "star", "random"])
def test_large_trees_of_every_shape_agree_with_all_pairs(shape):
    n, rng = 300, np.random.default_rng(3)
    trees = TreePair(_shaped(shape, n, rng), _shaped("random", n, rng))
    u, v = (_join_matrix(tree)[np.triu_indices(n, 1)] for tree in (trees.u, trees.v))
    if shape == "star":
        with pytest.raises(ZeroDivisionError):
            trees.correlation(trees.u.exact_heights, trees.v.exact_heights)
        assert trees.weighted_sum([1], trees.v.exact_heights) == int(v.sum())
    else:
        assert trees.weighted_sum(trees.u.exact_heights, trees.v.exact_heights) == int((u * v).sum())
        assert OF_TREES["cophenetic_correlation"].value(trees) == pytest.approx(
            np.corrcoef(u, v)[0, 1], rel=1e-12
        )


def _shaped(shape, n, rng):
    """A tree of n leaves whose levels are distinct, as a chain, balanced, a star, or at random."""
    if shape == "star":
        return RootedTree.of(np.append(np.full(n, n), -1), np.array([1]), np.array([1.0]))
    parent, open_nodes = np.full(2 * n - 1, -1, dtype=np.int64), rng.permutation(n).tolist()
    for node in range(n, 2 * n - 1):
        places = {
            "chain": (0, 1),
            "balanced": (0, 1),
            "random": rng.choice(len(open_nodes), 2, replace=False),
        }[shape]
        children = [open_nodes[place] for place in places]
        open_nodes = [each for each in open_nodes if each not in children]
        parent[children] = node
        open_nodes = [node, *open_nodes] if shape == "chain" else [*open_nodes, node]
    return RootedTree.of(parent, np.arange(1, n), np.arange(1.0, n))


def _join_matrix(tree):
    """Exact heights at which all pairs join."""
    n, heights = tree.size, tree.exact_heights
    joined = np.zeros((n, n), dtype=np.int64)
    below = [[x] for x in range(n)] + [[] for _ in tree.level]
    for x, above in enumerate(tree.parent.tolist()):
        if x >= n:
            pass
        if above < 0:
            continue
        height = heights[tree.level[above - n] - 1]
        joined[np.ix_(below[above], below[x])] = height
        joined[np.ix_(below[x], below[above])] = height
        below[above] = below[above] + below[x]
    return joined


@pytest.mark.parametrize("exponents", [(0, 0), (-300, 300), (-1074, 0)])
def test_heights_of_any_magnitude_are_exact(exponents):
    nested = [[[0, 1], 2], [3, [4, 5]]]
    low, high = exponents
    heights = {1: math.ldexp(1.0, low), 2: math.ldexp(3.0, low), 3: math.ldexp(1.1, high) if high else 7.25}
    trees = Sides(hierarchy(nested, heights), hierarchy([[0, [1, 2]], [[3, 4], 5]], heights))
    levels = pair_levels(trees)
    sides = [[Fraction(heights[pair[side]]) for pair in levels] for side in (0, 1)]
    scale = 1 / max(sides[0])  # floats of the oracle would overflow
    expected = pearson(*[[value * scale for value in side] for side in sides])
    assert cc.compare(*trees).cophenetic_correlation == pytest.approx(expected, rel=4e-16)


@pytest.mark.parametrize("leaves", [4, 5])
def test_moments_are_those_of_all_permutations(leaves):
    trees = all_trees(range(leaves))
    rng = random.Random(4)
    heights = {1: 0.25, 2: 1.0, 3: 4.0, 4: 4.5}
    for _ in range(12):
        both = TreePair(rooted(rng.choice(trees), heights), rooted(rng.choice(trees), heights))
        weights = both.u.exact_heights, both.v.exact_heights
        try:
            sd, skewness = correlation_moments(both, *weights)
        except ZeroDivisionError:
            continue
        values = np.array([each.correlation(*weights) for each in permuted_trees(both)])
        assert values.mean() == pytest.approx(0, abs=1e-14)
        assert sd == pytest.approx(values.std(), rel=1e-12)
        if sd:
            assert skewness == pytest.approx((values**3).mean() / values.std() ** 3, rel=1e-9, abs=1e-9)


def test_moments_of_six_and_seven_leaves_where_three_pairs_can_be_apart():
    rng = random.Random(5)
    for n, draws in ((6, 3), (7, 1)):
        for _ in range(draws):
            u, v = (rooted(random_nested(rng, list(range(n)))) for _ in range(2))
            both = TreePair(u, v)
            a, b = _join_matrix(u).astype(float), _join_matrix(v).astype(float)
            pairs = np.triu_indices(n, 1)
            if len(u.heights) == 1 or len(v.heights) == 1:
                continue
            values = np.array(
                [np.corrcoef(a[pairs], b[np.ix_(p, p)][pairs])[0, 1] for p in permutations(range(n))]
            )
            sd, skewness = correlation_moments(both, both.u.exact_heights, both.v.exact_heights)
            assert sd == pytest.approx(values.std(), rel=1e-10)
            assert skewness == pytest.approx((values**3).mean() / values.std() ** 3, rel=1e-8, abs=1e-8)


def _given(side, ties="together"):
    if "linkage" in side:
        return cc.Hierarchy.from_linkage(side["linkage"], ties=ties)
    return hierarchy(side["nested"])


@every_case("case", WITH_TREES, ids=[case["id"] for case in WITH_TREES])
def test_golden_values(case):
    c, values = cc.compare(_given(case["reference"]), _given(case["candidate"])), case["values"]

    def close(found: float, expected) -> None:
        if expected is None:
            assert math.isnan(found)
        else:
            assert found == pytest.approx(expected, rel=GOLDEN["tolerance"], abs=GOLDEN["tolerance"])

    close(c.cophenetic_correlation, values["cophenetic_correlation"])
    close(c.bakers_gamma, values["bakers_gamma"])
    gamma = values["goodman_kruskal_gamma"]
    close(c.goodman_kruskal_gamma_of_heights, None if gamma is None else float(Fraction(gamma)))
    close(c.kendall_tau_b_of_heights, values["kendall_tau_b"])
    if values["cophenetic_z"] is not None:
        z = c.cophenetic_correlation / c.significance("cophenetic_correlation").sd
        assert z == pytest.approx(values["cophenetic_z"], rel=1e-9)
    # Clusters are those of the rows, whether or not rows are tied.
    reference, candidate = (_given(case[side], "in order") for side in ("reference", "candidate"))
    c, changes = cc.compare(reference, candidate), cc.compare(reference, candidate).changes()
    added = cc.compare(candidate, reference).changes().n_lost
    kept = changes.n_kept
    assert [kept + changes.n_lost, kept + added, kept] == values["clusters_shared"]
    assert c.robinson_foulds == values["robinson_foulds"]
    triples = values["triplets"]
    assert (c.triplets.same, c.triplets.different) == (triples["same"], triples["different"])
    assert c.triplets.unresolved == triples["unresolved_in_both"]
    close(c.hierarchical_mutual_information, values["hierarchical_mutual_information"])
    close(c.normalised_hierarchical_mutual_information, values["normalised_hierarchical_mutual_information"])
    for power, expected in values.get("entanglement", {}).items():
        orders = [np.array(order) for order in values["leaf_orders"]]
        L = float(power.removeprefix("L="))
        worst = displacement(orders[0], orders[0][::-1], L)
        assert displacement(orders[0], orders[1], L) / worst == pytest.approx(expected, rel=1e-12)


def test_pairs_that_never_join_are_one_step_above_the_highest_root():
    # Two roots at heights 1 and 3: the common root is at 3 + (3 − 1) = 5.
    forest = RootedTree.of(np.array([4, 4, 5, 5, -1, -1]), np.array([1, 2]), np.array([1.0, 3.0]))
    joined = RootedTree.of(np.array([4, 4, 5, 5, 6, 6, -1]), np.array([1, 2, 3]), np.array([1.0, 3.0, 5.0]))
    other = RootedTree.of(np.array([4, 5, 4, 6, 5, 6, -1]), np.array([1, 2, 3]), np.array([1.0, 2.0, 3.0]))
    assert forest.is_forest
    assert forest.exact_heights == joined.exact_heights
    for index in OF_TREES.values():
        assert index.value(TreePair(forest, other)) == index.value(TreePair(joined, other))


def test_scores_count_as_falling_heights():
    parent, level = np.array([4, 4, 5, 6, 5, 6, -1]), np.array([1, 2, 3])
    rising = RootedTree.of(parent, level, np.array([1.0, 2.0, 5.0]))
    falling = RootedTree.of(parent, level, np.array([9.0, 8.0, 5.0]), descending=True)
    assert rising.exact_heights == falling.exact_heights


def test_unused_leaves_leave_no_trace():
    # Node 3 lost one of its leaves, node 5 all of them.
    tree = RootedTree.of(
        np.array([3, 4, 4, 6, 6, 6, -1]), np.array([1, 2, 3, 4]), np.array([1.0, 2.0, 3.0, 4.0])
    )
    assert (tree.size, tree.levels, tree.heights) == (3, 2, [2.0, 4.0])


def test_infinite_heights_are_refused_with_a_way_out():
    tree = hierarchy([[0, 1], 2], {1: 1.0, 2: math.inf})
    with pytest.raises(HierarchyError, match="bakers_gamma"):
        _ = cc.compare(tree, tree).cophenetic_correlation
    assert cc.compare(tree, tree).bakers_gamma == 1


def test_limits_name_the_numbers(monkeypatch):
    rng = np.random.default_rng(6)
    trees = TreePair(_shaped("random", 50, rng), _shaped("random", 50, rng))
    monkeypatch.setattr(tree_pair, "MOST_PAIRS", 1000)
    with pytest.raises(TooLargeError, match=r"1,225 pairs.*1,000"):
        _ = trees.pair_orders


def test_information_of_deep_trees():
    """A binary tree tells all of itself, log n; a star splits all leaves at once."""
    n = 100_000
    rows = [[0, 1, 1, 2], *([n + i, i + 2, i + 2, i + 3] for i in range(n - 2))]
    chain = cc.Hierarchy.from_linkage(np.array(rows, dtype=float), records=range(n))
    star = cc.Hierarchy.from_parents(dict.fromkeys(range(n), "all"))
    log = pytest.approx(math.log(n), rel=1e-13)
    assert cc.compare(chain, chain).hierarchical_mutual_information == log
    assert cc.compare(star, star).hierarchical_mutual_information == log
    # At the root, the chain splits off one leaf.
    assert cc.hierarchical_mutual_information(chain, star) == pytest.approx(
        math.log(n) / n + (n - 1) / n * math.log(n / (n - 1)), rel=1e-13
    )


def test_few_levels_of_many_elements_are_counted_cut_by_cut():
    rng = random.Random(7)
    for _ in range(20):
        u, v = (rooted(random_nested(rng, list(range(9)))) for _ in range(2))
        trees = TreePair(u, v)
        assert trees._concordance_of_levels() == trees.pair_orders[:2]
