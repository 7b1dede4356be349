"""Two trees over the same elements, from which the indices of whole trees are computed.

Every count is exact. Heights enter as integers in units of the smallest bit that any of them uses, so sums of
products of heights are exact, too, and a correlation is rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum
from typing import Any, Self

import numpy as np

from concordant import core
from concordant.counts.base import Counts, RefusedIndex, View
from concordant.errors import HierarchyError, TooLargeError
from concordant.foundation.results import Result, read_only_class
from concordant.foundation.spelling import counted, verb
from concordant.hierarchies.tree_arrays import arranged, every_node, labels_at, leaf_counts
from concordant.maths.arithmetic import Floats, Integers, signed_root, sums_by

# Pairs of elements visited one by one, or elements times pairs of levels: a few seconds.
MOST_PAIRS = 4 * 10**8


@dataclass(frozen=True, eq=False)
class RootedTree:
    """A tree with one root. The roots of a forest get a common one, one level above all others.

    Attributes
    ----------
    parent : array of int
        Parent of each node: leaves first, then inner nodes, children before parents. The root is last and
        has -1.
    level : array of int
        Level of each inner node, from 1.
    heights : sequence of float
        Height of each level, without the level of an added root.
    is_forest : bool
        Whether the root was added.
    descending : bool
        Whether heights are thresholds, which fall towards the root.
    """

    parent: Integers
    level: Integers
    heights: Sequence[float]
    is_forest: bool
    descending: bool = False

    @classmethod
    def of(
        cls, parent: Integers, level: Integers, level_heights: Floats, *, descending: bool = False
    ) -> Self:
        """The tree of these parents; levels, nodes and heights as a ``Hierarchy`` has them.

        A node may have lost leaves. Nodes left with one child are suppressed, and so are unused levels.
        """
        tree = arranged(parent, level.astype(np.float64), kept=every_node(level))
        is_used = np.zeros(len(level_heights), dtype=np.bool_)
        is_used[tree.heights.astype(np.int64) - 1] = True
        heights = level_heights[is_used].tolist()
        parent, levels = tree.parent, tree.level
        is_forest = int((parent < 0).sum()) > 1
        if is_forest:
            parent = np.append(np.where(parent < 0, len(parent), parent), -1)
            levels = np.append(levels, len(heights) + 1)
        return cls(parent, levels, heights, is_forest, descending)

    @cached_property
    def size(self) -> int:
        """The number of leaves."""
        return len(self.parent) - len(self.level)

    @cached_property
    def sizes(self) -> Integers:
        """The number of leaves below each node."""
        return leaf_counts(self.parent, self.size)

    @property
    def levels(self) -> int:
        """The number of levels, including that of an added root."""
        return len(self.heights) + self.is_forest

    @cached_property
    def pairs_joined(self) -> list[int]:
        """The number of pairs of elements that each level joins."""
        pairs = self.sizes * (self.sizes - 1) // 2
        inner, above = pairs[self.size :], self.parent[self.size :]
        made = sums_by(self.level - 1, inner, self.levels)
        is_child = above >= 0
        before = sums_by(self.level[above[is_child] - self.size] - 1, inner[is_child], self.levels)
        return [int(pairs_made) for pairs_made in made - before]

    @cached_property
    def exact_heights(self) -> list[int]:
        """The height of each level as an integer in a unit of its own, from 0. Later levels are larger."""
        if not all(map(math.isfinite, self.heights)):
            raise HierarchyError(
                "a height is infinite, so heights have no correlation; bakers_gamma uses the order of levels"
            )
        ratios = [height.as_integer_ratio() for height in self.heights]
        unit = max((below for _, below in ratios), default=1)  # powers of two
        values = [above * (unit // below) for above, below in ratios]
        if self.descending:
            values = [-value for value in values]
        if self.is_forest:  # the added root is as far above the last level as that is above the one before
            values.append(2 * values[-1] - values[-2] if len(values) > 1 else max(values, default=0) + 1)
        least = min(values, default=0)
        common = math.gcd(*(value - least for value in values)) or 1
        return [(value - least) // common for value in values]

    @cached_property
    def ranks(self) -> list[int]:
        """Twice the mid-rank of the pairs that each level joins, less a constant."""
        ranks, before = [], 0
        for pairs in self.pairs_joined:
            ranks.append(2 * before + pairs)
            before += pairs
        least = min(ranks, default=0)
        return [rank - least for rank in ranks]

    def permuted(self, places: Integers) -> RootedTree:
        """The tree with its leaves permuted: leaf i hangs from where leaf ``places[i]`` hung."""
        parent = self.parent.copy()
        parent[: self.size] = self.parent[places]
        made = RootedTree(parent, self.level, self.heights, self.is_forest, self.descending)
        shared = ("pairs_joined", "exact_heights", "ranks")
        made.__dict__.update({name: self.__dict__[name] for name in shared if name in self.__dict__})
        return made

    def leaf_order(self, rank: Integers | None = None) -> Integers:
        """The leaves from left to right; children by rank, or else in the order of their numbers."""
        return core.leaf_order(self.parent, self.size, rank)


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class Triplets(Result):
    """Triples of records, by which two of them are joined first in each tree.

    Attributes
    ----------
    same : int
        The same two in both trees.
    different : int
        A different two in each tree.
    reference_only : int
        Resolved by the reference only; the candidate joins all three in one step.
    candidate_only : int
        Resolved by the candidate only.
    unresolved : int
        All three in one step in both trees.
    """

    same: int
    different: int
    reference_only: int
    candidate_only: int
    unresolved: int

    @property
    def total(self) -> int:
        """All triples, n(n-1)(n-2)/6."""
        return self.same + self.different + self.reference_only + self.candidate_only + self.unresolved

    @property
    def headline(self) -> str:
        resolved = self.same + self.different
        joined = f"{self.same:,} {verb(self.same, 'are')} joined in the same order"
        return f"Of {counted(resolved, 'triple')} that both trees resolve, {joined}."

    def __repr__(self) -> str:
        numbers = f"{self.same:,} the same, {self.different:,} different"
        return f"<Triplets of {counted(self.total, 'triple')}: {numbers}>"


@dataclass(frozen=True, eq=False)
class TreePair(Counts, View):
    """Two rooted trees with the same leaves. Formulas read them as they are."""

    u: RootedTree
    v: RootedTree
    _views: dict[tuple[type, bool], Any] = field(default_factory=dict, init=False, repr=False)

    kind = "trees"
    cheap_identity = False
    zero_by_zero = "divides by zero for these trees"

    @classmethod
    def of_trees(cls, trees: TreePair) -> TreePair:
        return trees

    def refusal(self, index: RefusedIndex) -> HierarchyError:
        name = index.name
        if index.is_of_partitions:
            return refuse_index_of_partitions(name, f"cuts({name!r}) for all pairs of cuts")
        if index.sides != "tree and partition":
            return HierarchyError(f"{name} compares {index.inputs}, and both sides are hierarchies")
        return HierarchyError(
            "both sides are hierarchies, and this needs a partition on one of them; compare with a cut of "
            "the reference, as in compare(reference.cut(n_clusters=5), candidate)"
        )

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.u.size

    @property
    def pairs(self) -> int:
        """The number of pairs of elements."""
        return self.size * (self.size - 1) // 2

    @cached_property
    def shared_nodes(self) -> Integers:
        """For each inner node of the candidate the node of the reference with the same leaves, or -1."""
        return core.shared_nodes(self.u.parent, self.v.parent, self.size)

    @cached_property
    def identical(self) -> bool:
        """Whether both have the same clusters, joined in the same order of levels."""
        shared, u, v = self.shared_nodes, self.u, self.v
        if len(u.level) != len(v.level) or (shared < 0).any():
            return False
        return bool((u.level[shared - self.size] == v.level).all())

    @cached_property
    def cluster_counts(self) -> tuple[int, int, int]:
        """Clusters of 2 to n−1 elements in the reference, in the candidate, and in both."""

        def is_cluster(tree: RootedTree) -> Integers:
            return tree.sizes[self.size :] < self.size

        in_u, in_v = is_cluster(self.u), is_cluster(self.v)
        return int(in_u.sum()), int(in_v.sum()), int((in_v & (self.shared_nodes >= 0)).sum())

    @cached_property
    def triplets(self) -> Triplets:
        """Triples by how both trees resolve them."""
        return Triplets(*core.triplets(self.u.parent, self.v.parent, self.size))

    @cached_property
    def nested_information(self) -> float:
        """The mutual information of the children of nodes of equal depth, summed over depths, in nats."""
        found = core.nested_information(self.u.parent, self.v.parent, self.size)
        return max(found, 0.0) / self.size

    def weighted_sum(self, u_weights: Sequence[int], v_weights: Sequence[int]) -> int:
        """Σ over all pairs of the product of their weights in both trees. Weights are not negative.

        The core adds up integers of 127 bits. Wider weights are passed in parts.
        """
        bits = 126 - self.pairs.bit_length()
        mask = (1 << bits) - 1
        level, total, shift = self.v.level - 1, 0, 0
        while any(weight >> shift for weight in v_weights):
            parts = [weight >> shift & mask for weight in v_weights]
            high = np.array([part >> 64 for part in parts], dtype=np.int64)[level]
            low = np.array([part & (2**64 - 1) for part in parts], dtype=np.uint64).view(np.int64)[level]
            highs, lows = core.level_weights(
                self.u.parent, self.u.level, self.u.levels, self.v.parent, high, low, self.size
            )
            sums = zip(u_weights, highs.tolist(), lows.view(np.uint64).tolist(), strict=True)
            total += sum(weight * (upper << 64 | lower) for weight, upper, lower in sums) << shift
            shift += bits
        return total

    def correlation(self, u_weights: Sequence[int], v_weights: Sequence[int]) -> float:
        """Pearson's correlation of both weights over all pairs, correctly rounded. 0/0 if one is constant."""
        pairs = self.pairs
        sides = ((u_weights, self.u.pairs_joined), (v_weights, self.v.pairs_joined))
        first, second = (
            sum(weight * count for weight, count in zip(weights, counts, strict=True))
            for weights, counts in sides
        )
        spreads = [
            pairs * sum(weight * weight * count for weight, count in zip(weights, counts, strict=True))
            - total**2
            for (weights, counts), total in zip(sides, (first, second), strict=True)
        ]
        if not all(spreads):
            raise ZeroDivisionError("all pairs join at one height")
        covariance = pairs * self.weighted_sum(u_weights, v_weights) - first * second
        return signed_root(covariance, spreads[0] * spreads[1])

    @cached_property
    def pair_orders(self) -> tuple[int, int, int, int]:
        """The pairs of pairs of elements that both trees join in the same order, or in opposite orders.

        The last two numbers are the pairs of pairs that are not tied in the reference, and in the candidate.
        Every pair is looked at.
        """
        u, v, n = self.u, self.v, self.size
        cells = n * u.levels * v.levels
        if min(self.pairs, cells) > MOST_PAIRS:
            raise TooLargeError(
                f"gamma and tau of {counted(n, 'record')} need all {self.pairs:,} pairs, or "
                f"{u.levels * v.levels:,} pairs of levels; the limit is {MOST_PAIRS:,}. Use bakers_gamma"
            )
        if self.pairs <= cells:
            levels = max(u.levels, v.levels)
            found = core.concordance(u.parent, u.level, v.parent, v.level, levels, n)
        else:
            found = self._concordance_of_levels()
        untied = [
            self.pairs * (self.pairs - 1) // 2 - sum(pairs * (pairs - 1) // 2 for pairs in tree.pairs_joined)
            for tree in (u, v)
        ]
        return found[0], found[1], untied[0], untied[1]

    def _concordance_of_levels(self) -> tuple[int, int]:
        """From the pairs that both trees join at each two levels, which are counted cut by cut."""
        cuts = [
            [labels_at(tree.parent, tree.level, level) for level in range(1, tree.levels + 1)]
            for tree in (self.u, self.v)
        ]
        joined = np.zeros((len(cuts[0]) + 1, len(cuts[1]) + 1), dtype=np.int64)
        for i, one in enumerate(cuts[0], 1):
            for j, other in enumerate(cuts[1], 1):
                elements, squares, *_ = core.pair_sums(one, other)
                joined[i, j] = (squares - elements) // 2
        at_levels = np.diff(np.diff(joined, axis=0), axis=1).tolist()
        concordant = discordant = 0
        before = [0] * len(cuts[1])
        for row in at_levels:
            lower, higher = 0, sum(before)
            for pairs, earlier in zip(row, before, strict=True):
                higher -= earlier
                concordant += pairs * lower
                discordant += pairs * higher
                lower += earlier
            before = [earlier + pairs for earlier, pairs in zip(before, row, strict=True)]
        return concordant, discordant


def refuse_index_of_partitions(name: str, others: str) -> HierarchyError:
    """The error for an index of partitions that was asked of whole trees; ``others`` give values for cuts."""
    return HierarchyError(
        f"{name} is an index of two partitions, so it has a value for each cut of a hierarchy; use "
        f"curve({name!r}) for all of them, {others}, or "
        f"at(n_clusters=...).{name.partition('(')[0]} for one cut"
    )


def displacement(first: Integers, second: Integers, power: float) -> float:
    """Σ over leaves of the distance between their places in two orders, to a power.

    >>> displacement(np.array([0, 1, 2]), np.array([2, 1, 0]), 1)
    4.0
    """
    places = places_of(first)
    away = np.abs(places[second] - np.arange(len(second)))
    distances, counts = np.unique(away, return_counts=True)
    return fsum((distances.astype(np.float64) ** power * counts).tolist())


def places_of(order: Integers) -> Integers:
    """The place of each leaf in an order."""
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    return places
