"""A tree over elements, with sums over the clusters of each of its levels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from concordant import core
from concordant.counts.arithmetic import Integers
from concordant.hierarchies.tree import labels_at, leaf_counts

WideSums = tuple[Integers, Integers]  # integers beyond 64 bits: the first times 2**31, plus the second


@dataclass(frozen=True)
class ElementTree:
    """A hierarchy over the compared elements, in their order; levels are those of the hierarchy.

    A node may have lost children, or all its leaves. Sums over the clusters of each level are computed once.
    """

    parent: Integers
    level: Integers
    levels: int

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self.parent) - len(self.level)

    def labels_at(self, level: int) -> Integers:
        """The cluster of each element at a level, as the number of a node."""
        return labels_at(self.parent, self.level, level)

    @cached_property
    def sizes(self) -> Integers:
        """The elements below each node."""
        return leaf_counts(self.parent, self.size)

    def at_levels(self, values: Integers) -> Integers:
        """The sum of the values of the clusters of each level."""
        return core.cluster_sums(self.parent, self.level, self.levels, values)

    @cached_property
    def clusters(self) -> Integers:
        """The number of clusters at each level."""
        return self.at_levels((self.sizes > 0).astype(np.int64))

    @cached_property
    def squares(self) -> Integers:
        """Σ b² over the clusters of each level."""
        return self.at_levels(self.sizes**2)

    def products(self, values: Integers) -> WideSums:
        """Σ b·value over the clusters of each level, where values are up to the square of the size."""
        low = 2**31 - 1
        return self.at_levels((values >> 31) * self.sizes), self.at_levels((values & low) * self.sizes)

    @cached_property
    def trios(self) -> WideSums:
        """Σ b(b−1)(b−2) over the clusters of each level."""
        high, low = self.products(self.sizes**2)
        return high, low - 3 * self.squares + 2 * self.size

    @cached_property
    def largest(self) -> Integers:
        """The size of the largest cluster at each level."""
        found = np.zeros(self.levels + 1, dtype=np.int64)
        found[0] = min(self.size, 1)
        np.maximum.at(found, self.level, self.sizes[self.size :])
        return np.maximum.accumulate(found)

    def with_at_most(self, k: Integers) -> Integers:
        """For each number the first level with at most that many clusters; the last level if none has."""
        level = np.searchsorted(-self.clusters, -k, side="left")
        return np.minimum(level, self.levels)
