"""Moments of a correlation of two trees when the elements of one are permuted: exact, in O(n)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from concordant.counts.pairs import ClusterTriples, PairCounts
from concordant.hierarchies.grid import TwoTrees
from concordant.hierarchies.tree_pair import RootedTree, TreePair
from concordant.indices.index import INDICES, Index
from concordant.maths.arithmetic import Floats, root
from concordant.maths.mantel import MantelSums, mantel_moments


def correlation_moments(
    trees: TreePair, u_weights: Sequence[int], v_weights: Sequence[int]
) -> tuple[float, float]:
    """Standard deviation and skewness of ``trees.correlation(u_weights, v_weights)``, whose mean is 0."""
    u, v = _mantel_sums(trees.u, u_weights), _mantel_sums(trees.v, v_weights)
    if not u.squares or not v.squares:
        raise ZeroDivisionError("all pairs join at one height")
    known = mantel_moments(u, v, trees.size)
    # The sums have each pair in both directions.
    return root(4 * known.variance / (u.squares * v.squares)), known.skewness


def _mantel_sums(tree: RootedTree, weights: Sequence[int]) -> MantelSums:
    """The sums over the pairs of leaves, each of which weighs as much as the level where it joins."""
    total, squares, cubes = (
        2 * sum(weight**power * count for weight, count in zip(weights, tree.pairs_joined, strict=True))
        for power in (1, 2, 3)
    )
    rows, rows_of_squares, triangles, products = _leaf_sums(tree, weights)
    return MantelSums.of_integers(
        tree.size,
        total=total,
        squares=squares,
        cubes=cubes,
        row_squares=sum(r * r for r in rows),
        row_cubes=sum(r**3 for r in rows),
        rows_by_squares=sum(r * x for r, x in zip(rows, rows_of_squares, strict=True)),
        rows_by_pairs=2 * products,
        triangles=6 * triangles,
    )


def _leaf_sums(tree: RootedTree, weights: Sequence[int]) -> tuple[list[int], list[int], int, int]:
    """Sums of the weights and of their squares over each leaf's pairs; triangles; Σ a·r_x·r_y over pairs."""
    n, nodes = tree.size, len(tree.parent)
    parent, sizes = tree.parent.tolist(), tree.sizes.tolist()
    weight = [0] * n + [weights[level - 1] for level in tree.level.tolist()]
    r, r2 = [0] * nodes, [0] * nodes
    for x in range(nodes - 2, -1, -1):
        above = parent[x]
        outside = sizes[above] - sizes[x]
        r[x] = r[above] + weight[above] * outside
        r2[x] = r2[above] + weight[above] ** 2 * outside
    # From the leaves up, by children: Σ sizes², Σ sizes³, Σ of r, Σ (Σ of r)², Σ of weights of pairs inside
    squares, cubes, row_sums, row_squares, inside, lower = ([0] * nodes for _ in range(6))
    triangles = products = 0
    for x in range(nodes):
        size, own = sizes[x], weight[x]
        if x < n:
            row_sums[x] = r[x]
        else:
            products += own * (row_sums[x] ** 2 - row_squares[x]) // 2
            apart = (size**3 - 3 * size * squares[x] + 2 * cubes[x]) // 6
            triangles += own**3 * apart + own**2 * lower[x]
            inside[x] += own * (size * size - squares[x]) // 2
        above = parent[x]
        if above < 0:
            break
        squares[above] += size * size
        cubes[above] += size**3
        row_sums[above] += row_sums[x]
        row_squares[above] += row_sums[x] ** 2
        inside[above] += inside[x]
        lower[above] += inside[x] * (sizes[above] - size)
    return r[:n], r2[:n], triangles, products


def has_chance(index: Index) -> bool:
    """Whether the index is linear in N₁₁ for given cluster sizes, so both moments are exact."""
    return bool(index.linear) and index.shares == "n11" and index.views == (PairCounts,)


def diagonal_chance(index: Index, trees: TwoTrees, chosen: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Mean and standard deviation of an index at these places of the diagonal, NaN where it is undefined.

    Exact but for the last rounding: mean and variance of N₁₁ are rational, and the index is linear in it.
    """
    sums = trees.diagonal
    mean, sd = np.full(len(chosen), np.nan), np.full(len(chosen), np.nan)
    for i, place in enumerate(chosen.tolist()):
        counts = sums.counts(place)
        pairs, trios = counts.view(PairCounts, exact=True), counts.view(ClusterTriples)
        try:
            mean[i], sd[i] = _moments(index, pairs, trios)
        except ZeroDivisionError:  # the index is 0/0 for these cluster sizes
            continue
    return mean, sd


def _moments(index: Index, pairs: PairCounts, trios: ClusterTriples) -> tuple[float, float]:
    expected = Fraction(pairs.in_u * pairs.in_v, pairs.all) if pairs.all else Fraction(0)
    most = min(pairs.in_u, pairs.in_v)

    def value(n11: Fraction | int) -> float:
        return float(index.compute(pairs.with_n11(Fraction(n11)), **index.arguments))

    mean = value(expected)
    if most in (0, pairs.all) or max(pairs.in_u, pairs.in_v) == pairs.all:
        return mean, 0.0  # every permutation gives the same value
    slope = abs(value(most) - value(0)) / float(most)
    if pairs.size < 4:  # one pair at most is together in both
        return mean, slope * root(expected * (1 - expected))
    try:
        # The Lerman index measures how far one more pair is from chance, in standard deviations.
        return mean, slope / float(INDICES["lerman"].compute(pairs.with_n11(expected + 1), trios))
    except ZeroDivisionError:
        return mean, 0.0  # these sizes allow only one N₁₁
