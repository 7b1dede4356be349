"""Trees in arrays: parents and levels of nodes, and sums over the clusters of each level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.errors import HierarchyError, Remedy
from concordant.maths.arithmetic import Floats, Integers

NodeName = Callable[[int], str]  # the name of an inner node in errors; nodes count from 0


class Tree(NamedTuple):
    """A tree in the arranged form."""

    parent: Integers  # of all nodes
    heights: Floats  # of the inner nodes
    level: Integers  # of the inner nodes, from 1
    clusters: Integers  # at each level, from level 0 on


def arranged(
    parent: Integers,
    heights: Floats,
    *,
    in_order: bool = False,
    descending: bool = False,
    leaves: Integers | None = None,
    kept: NDArray[np.bool_] | None = None,
) -> Tree:
    """The arranged form of a tree whose parents come after their children.

    ``leaves`` are the leaves to keep, in their new order; None keeps all. Nodes that are left with one child
    are suppressed. With ``in_order`` each inner node is a level of its own, in the order given. Otherwise an
    inner node at the height of its parent is merged into it, unless it is ``kept``: then both are of one
    level, which joins them in one step, but each is a cluster of the tree.
    """
    size = len(parent) - len(heights)
    chosen = np.zeros(len(parent), dtype=np.int64)
    chosen[: size if leaves is None else 0] = 1
    if leaves is not None:
        chosen[leaves] = 1
    is_alive = core.subtree_sums(parent, chosen) > 0
    if not in_order and (kept is None or not kept.all()):
        parent = _joined_at_once(parent, heights, is_alive, kept)
    # A node with one child has the same leaves as the child, whose height is the height of their join.
    is_child = is_alive & (parent >= 0)
    branches = np.bincount(parent[is_child], minlength=len(parent)) > 1
    nearest = core.nearest_marked(parent, branches)
    above = np.where(parent >= 0, nearest[parent], -1)
    inner = np.flatnonzero(branches[size:])
    if not in_order:
        own = heights[inner]
        steps = own[1:] > own[:-1] if descending else own[1:] < own[:-1]
        if steps.any():  # already sorted otherwise
            inner = inner[np.argsort(-own if descending else own, kind="stable")]
    first = np.arange(size) if leaves is None else leaves
    nodes = np.concatenate([first, inner + size])
    number = np.full(len(parent) + 1, -1)  # the last for the parent -1
    number[nodes] = np.arange(len(nodes))
    parent, heights = number[above[nodes]], heights[inner]
    is_next = np.ones(len(inner), dtype=np.bool_)
    if not in_order:
        is_next[1:] = heights[1:] != heights[:-1]
    level = np.cumsum(is_next)
    return Tree(parent, heights, level, _cluster_counts(parent, level))


def _joined_at_once(
    parent: Integers, heights: Floats, is_alive: NDArray[np.bool_], kept: NDArray[np.bool_] | None
) -> Integers:
    """The parents after inner nodes at the height of their parent were merged into it."""
    size = len(parent) - len(heights)
    of_parent = np.append(heights, np.nan)[np.where(parent[size:] < 0, -1, parent[size:] - size)]
    is_top = np.zeros(len(parent), dtype=np.bool_)
    is_top[size:] = heights != of_parent
    if kept is not None:
        is_top[size:] |= kept
    top = core.nearest_marked(parent, is_top)
    joined = np.where(parent >= 0, top[parent], -1)
    # Nodes that were merged into their parent no longer exist.
    is_alive[size:] &= is_top[size:]
    return joined


def every_node(heights: Floats) -> NDArray[np.bool_]:
    """All inner nodes, as those to keep."""
    return np.ones(len(heights), dtype=np.bool_)


def _cluster_counts(parent: Integers, level: Integers) -> Integers:
    """The number of clusters at each level."""
    inner = len(level)
    size = len(parent) - inner
    children = np.bincount(parent[parent >= 0] - size, minlength=inner)
    first = np.flatnonzero(np.diff(level, prepend=0))
    falls = np.add.reduceat(children - 1, first) if inner else children
    return size - np.concatenate([[0], np.cumsum(falls)])


def labels_at(parent: Integers, level: Integers, chosen: int) -> Integers:
    """The cluster of each leaf at a level, as the number of a node; ``level`` has that of each inner node."""
    size = len(parent) - len(level)
    end = size + int(np.searchsorted(level, chosen, side="right"))
    is_top = (parent >= end) | (parent < 0)  # of the nodes made by then
    return core.nearest_marked(parent, is_top)[:size]


def leaf_counts(parent: Integers, size: int) -> Integers:
    """The number of leaves below each node, 1 for a leaf."""
    ones = np.zeros(len(parent), dtype=np.int64)
    ones[:size] = 1
    return core.subtree_sums(parent, ones)


def check_heights(
    parent: Integers,
    heights: Floats,
    name: NodeName,
    *,
    in_order: bool,
    remedies: Sequence[Remedy] = (Remedy("cut by rows", ties="in order"),),
) -> None:
    """Refuse heights that are not numbers, and nodes below their children unless the rows give the order."""
    missing = np.flatnonzero(np.isnan(heights))
    if len(missing):
        raise HierarchyError(f"{name(int(missing[0]))}: the height is NaN; a height is a number")
    if in_order:
        return
    size = len(parent) - len(heights)
    parts = np.flatnonzero(parent[size:] >= 0)
    wholes = parent[size:][parts] - size
    falls = np.flatnonzero(heights[wholes] < heights[parts])
    if len(falls):
        part, whole = int(parts[falls[0]]), int(wholes[falls[0]])
        raise HierarchyError(
            f"{name(whole)} is at the height {float(heights[whole])!r}, below its part, {name(part)}, at "
            f"{float(heights[part])!r}: levels by height would not be nested",
            remedies=remedies,
        )


@dataclass(frozen=True, slots=True, eq=False)
class HeightTexts:
    """The heights of a hierarchy as text: each number cuts at its own level, with the digits that this needs.

    >>> texts = HeightTexts.of(np.array([0.9999999, 0.9999995, 0.25]), descending=True)
    >>> texts.text(0.9999999), texts.text(0.9999995), texts.text(0.25)
    ('0.9999999', '0.999999', '0.25')
    """

    ascending: Floats
    descending: bool  # a score cuts at the level of the next higher one

    @classmethod
    def of(cls, heights: Floats, *, descending: bool) -> HeightTexts:
        return cls(np.unique(heights), descending)

    def text(self, height: float, digits: int = 6) -> str:
        """The shortest number of at least so many digits that cuts here, without its trailing zeros."""
        place = int(np.searchsorted(self.ascending, height))
        low, high = place - 1, place + 1
        rounding = ROUND_FLOOR if self.descending else ROUND_CEILING
        for length in range(digits, 18):
            inwards = float(Context(prec=length, rounding=rounding).create_decimal(Decimal(height)))
            for number in (f"{height:.{length}g}", f"{inwards:.{length}g}"):
                value = float(number)
                if self.descending:
                    is_here = value <= height and (low < 0 or value > self.ascending[low])
                else:
                    is_here = value >= height and (
                        high >= len(self.ascending) or value < self.ascending[high]
                    )
                if is_here:
                    return number
        return repr(height)


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
