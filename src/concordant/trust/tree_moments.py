"""Moments of a correlation of two trees when the elements of one are permuted: exact, in O(n).

The sum Z = Σ a(x,y)·b(x,y) over pairs is that of Mantel (1967, Cancer Research 27:209). For the third moment,
triples of pairs are sorted by how they share elements. Permutations map every kind evenly onto itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Floats, root
from concordant.counts.pairs import PairCounts, Trios
from concordant.counts.tree_pair import RootedTree, TreePair
from concordant.engines.trees import TwoTrees
from concordant.indices.index import INDICES, Index


@dataclass(frozen=True, slots=True)
class CorrelationMoments:
    """Moments of the correlation over all permutations; its mean is 0."""

    sd: float
    skewness: float


def correlation_moments(
    trees: TreePair, u_weights: Sequence[int], v_weights: Sequence[int]
) -> CorrelationMoments:
    """The moments of ``trees.correlation(u_weights, v_weights)``; 0/0 if that is."""
    n, pairs = trees.size, trees.pairs
    a, b = _KindSums.of(trees.u, u_weights), _KindSums.of(trees.v, v_weights)
    spreads = [pairs * side.squares - side.total**2 for side in (a, b)]
    if not all(spreads):
        raise ZeroDivisionError("all pairs join at one height")
    mean = Fraction(a.total * b.total, pairs)
    square = _mean_product(a.by_two, b.by_two, _two_kinds(n))
    cube = _mean_product(a.by_three, b.by_three, _three_kinds(n))
    variance = square - mean**2
    third = cube - 3 * mean * square + 2 * mean**3
    if variance == 0:
        return CorrelationMoments(0.0, 0.0)
    scale = Fraction(pairs**2, spreads[0] * spreads[1])
    skewness = root(third**2 / variance**3) * (-1 if third < 0 else 1)
    return CorrelationMoments(root(variance * scale), skewness)


def _mean_product(first: Sequence[int], second: Sequence[int], kinds: Sequence[tuple[int, int]]) -> Fraction:
    """Σ over kinds: the sequences of one member, times both sums, divided by the number of members."""
    return sum(
        (
            Fraction(sequences * x * y, number)
            for x, y, (sequences, number) in zip(first, second, kinds, strict=True)
            if number
        ),
        Fraction(0),
    )


def _two_kinds(n: int) -> list[tuple[int, int]]:
    """The kinds of two pairs: equal, with one common element, disjoint."""
    pairs = math.comb(n, 2)
    return [(1, pairs), (2, 3 * math.comb(n, 3)), (2, pairs * math.comb(n - 2, 2) // 2 if n > 1 else 0)]


def _three_kinds(n: int) -> list[tuple[int, int]]:
    """The kinds of three pairs: the number of sequences of one member, and the number of members."""
    if n < 2:
        return [(1, 0)] * 8
    pairs, triples = math.comb(n, 2), math.comb(n, 3)
    return [
        (1, pairs),  # all equal
        (3, 6 * triples),  # two equal, the third shares one element
        (3, pairs * math.comb(n - 2, 2)),  # two equal, the third apart
        (6, triples),  # a triangle
        (6, 4 * math.comb(n, 4)),  # all share one element
        (6, 12 * math.comb(n, 4)),  # a path
        (6, 3 * triples * math.comb(max(n - 3, 0), 2)),  # two share one element, the third apart
        (6, 15 * math.comb(n, 6)),  # all apart
    ]


@dataclass(frozen=True, slots=True)
class _KindSums:
    """Sums of products of the weights of two and of three pairs, by kind, as the lists above have them."""

    total: int
    squares: int
    by_two: tuple[int, ...]
    by_three: tuple[int, ...]

    @classmethod
    def of(cls, tree: RootedTree, weights: Sequence[int]) -> _KindSums:
        counts = tree.pairs_joined
        total, squares, cubes = (
            sum(weight**power * count for weight, count in zip(weights, counts, strict=True))
            for power in (1, 2, 3)
        )
        r, r2, triangles, products = _leaf_sums(tree, weights)
        n = tree.size
        of_r, of_r2 = r[:n], r2[:n]
        adjacent = (sum(x * x for x in of_r) - 2 * squares) // 2
        doubled = sum(x * y for x, y in zip(of_r, of_r2, strict=True)) - 2 * cubes
        doubled_apart = squares * total - cubes - doubled
        stars = (sum(x**3 - 3 * x * y for x, y in zip(of_r, of_r2, strict=True)) + 4 * cubes) // 6
        # Σ over pairs of a·(r_x − a)(r_y − a), less the triangles, which are not paths
        paths = products - (doubled + 2 * cubes) + cubes - 3 * triangles
        bent = adjacent * total - doubled - 3 * triangles - 3 * stars - 2 * paths
        apart = (total**3 - cubes - 3 * doubled - 3 * doubled_apart) // 6 - triangles - stars - paths - bent
        by_two = (squares, adjacent, (total**2 - squares - 2 * adjacent) // 2)
        by_three = (cubes, doubled, doubled_apart, triangles, stars, paths, bent, apart)
        return cls(total, squares, by_two, by_three)


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
    return r, r2, triangles, products


def has_chance(index: Index) -> bool:
    """Whether the index is linear in N₁₁ for given cluster sizes, so both moments are exact."""
    return index.linear and index.shares == "n11" and index.views == (PairCounts,)


def diagonal_chance(index: Index, trees: TwoTrees, chosen: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Mean and standard deviation of an index at these places of the diagonal, NaN where it is undefined.

    Exact but for the last rounding: mean and variance of N₁₁ are rational, and the index is linear in it.
    """
    sums = trees.diagonal
    mean, sd = np.full(len(chosen), np.nan), np.full(len(chosen), np.nan)
    for i, place in enumerate(chosen.tolist()):
        counts = sums.counts(place)
        pairs, trios = counts.view(PairCounts, exact=True), counts.view(Trios)
        try:
            mean[i], sd[i] = _moments(index, pairs, trios)
        except ZeroDivisionError:  # the index is 0/0 for these cluster sizes
            continue
    return mean, sd


def _moments(index: Index, pairs: PairCounts, trios: Trios) -> tuple[float, float]:
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
