"""Drawings of two trees: the orders of their leaves, and rotations of nodes that reduce crossings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from concordant import core
from concordant.foundation.results import Result, read_only_class
from concordant.foundation.spelling import counted
from concordant.hierarchies.tree_pair import RootedTree, TreePair, displacement, places_of
from concordant.maths.arithmetic import Integers

_MOST_SWEEPS = 50
FOLDED_BEYOND = 200  # leaves; if there are more, subtrees that both trees share are folded


def crossings(first: Integers, second: Integers) -> int:
    """The lines between equal leaves of two orders that cross.

    >>> crossings(np.array([0, 1, 2]), np.array([2, 1, 0]))
    3
    """
    return core.inversions(places_of(first)[second])


@read_only_class
@dataclass(frozen=True, eq=False)
class Tanglegram(Result):
    """Two trees drawn face to face, with a line for each leaf or folded subtree.

    It describes the drawing: few crossings do not mean similar trees.

    Attributes
    ----------
    reference, candidate : array of int
        The leaves from top to bottom, as positions of records. A folded subtree is represented by its first
        record.
    parents : (array, array)
        Parent of each node of either tree, as in `Hierarchy`, with the folded leaves first.
    levels : (array, array)
        Level of each inner node of either tree.
    folded : tuple of arrays
        The records of each line, in the order of the reference.
    crossings : int
        Number of pairs of lines that cross.
    crossings_before : int
        The same before nodes were rotated.
    entanglement : float
        Σ|pos_U − pos_V|^1.5 of the lines, divided by that of the reverse order. NaN for one line.
    """

    reference: Integers
    candidate: Integers
    parents: tuple[Integers, Integers]
    levels: tuple[Integers, Integers]
    folded: tuple[Integers, ...]
    crossings: int
    crossings_before: int
    entanglement: float
    _records: tuple[Any, ...] = field(repr=False)  # the first record of each line

    @property
    def is_folded(self) -> bool:
        """Whether subtrees that both trees share are drawn as one line."""
        return len(self.folded) < sum(map(len, self.folded))

    def _rows(self, limit: int | None = None) -> list[dict[str, object]]:
        place = _places_of(self.candidate)
        return [
            {"reference": row, "candidate": place[first], "size": len(records), "record": record}
            for row, (first, records, record) in enumerate(
                zip(self.reference.tolist()[:limit], self.folded, self._records, strict=False)
            )
        ]

    def _total(self) -> int:
        return len(self.folded)

    def _title(self) -> str:
        lines, crossings = counted(len(self.folded), "line"), counted(self.crossings, "crossing")
        if self.is_folded:
            lines += f" for {counted(sum(map(len, self.folded)), 'record')}, as shared subtrees are folded"
        return f"{lines}; {crossings}; this describes the drawing, not the trees"


def _places_of(order: Integers) -> dict[int, int]:
    return {leaf: place for place, leaf in enumerate(order.tolist())}


def tanglegram(
    trees: TreePair, name: Callable[[int], Any] = int, *, fold_beyond: int = FOLDED_BEYOND
) -> Tanglegram:
    """Both trees drawn with few crossings; shared subtrees with many leaves are folded.

    ``name`` gives the name of a record by its position.
    """
    groups = _shared_subtrees(trees) if trees.size > fold_beyond else np.arange(trees.size)
    codes, first = core.factorize(groups)
    drawn = TreePair(_folded(trees.u, codes, len(first)), _folded(trees.v, codes, len(first)))
    before = crossings(drawn.u.leaf_order(), drawn.v.leaf_order())
    orders = untangle(drawn)
    lines = len(first)
    worst = displacement(np.arange(lines), np.arange(lines)[::-1], 1.5)
    members, start = core.grouped(codes)
    folded = tuple(members[start[line] : start[line + 1]] for line in orders[0].tolist())
    return Tanglegram(
        reference=first[orders[0]],
        candidate=first[orders[1]],
        parents=(drawn.u.parent, drawn.v.parent),
        levels=(drawn.u.level, drawn.v.level),
        folded=folded,
        crossings=crossings(*orders),
        crossings_before=before,
        entanglement=displacement(orders[0], orders[1], 1.5) / worst if worst else np.nan,
        _records=tuple(name(leaf) for leaf in first[orders[0]].tolist()),
    )


def untangle(trees: TreePair) -> tuple[Integers, Integers]:
    """Orders of both trees' leaves with few crossings: each tree in turn follows the other.

    The children of a node are sorted by the mean place of their leaves in the other order, as long as that
    leads to fewer crossings. It is a heuristic: fewer may be possible.
    """
    orders = [trees.u.leaf_order(), trees.v.leaf_order()]
    fewest = crossings(orders[0], orders[1])
    failures = 0
    for sweep in range(_MOST_SWEEPS):
        if failures == 2 or not fewest:
            break
        side = sweep % 2
        tree = (trees.u, trees.v)[side]
        turned = tree.leaf_order(_meanplaces_of(tree, orders[1 - side]))
        found = crossings(turned, orders[1 - side])
        failures = 0 if found < fewest else failures + 1
        if found < fewest:
            fewest, orders[side] = found, turned
    return orders[0], orders[1]


def _meanplaces_of(tree: RootedTree, order: Integers) -> Integers:
    """The rank of each node by the mean place of its leaves in an order."""
    places = np.zeros(len(tree.parent), dtype=np.int64)
    places[: tree.size] = places_of(order)
    means = core.subtree_sums(tree.parent, places) / tree.sizes
    return np.unique(means, return_inverse=True)[1].astype(np.int64)


def _shared_subtrees(trees: TreePair) -> Integers:
    """For each leaf the highest node of the candidate above it below which both trees are the same."""
    size, v = trees.size, trees.v
    shared = np.concatenate([np.arange(size), trees.shared_nodes])
    # A node is the same if its leaves are and all its children are; a lost child makes all above it differ.
    is_lost = np.zeros(len(v.parent), dtype=np.int64)
    is_lost[shared < 0] = 1
    above = trees.u.parent
    child = np.flatnonzero((v.parent >= 0) & (shared >= 0))
    parent = v.parent[child]
    moved = (shared[parent] >= 0) & (above[shared[child]] != shared[parent])
    is_lost[parent[moved]] = 1
    whole = core.subtree_sums(v.parent, is_lost) == 0
    whole[-1] = False  # a single line has no crossings
    has_whole_parent = np.zeros(len(whole), dtype=bool)
    has_whole_parent[:-1] = whole[v.parent[:-1]]
    return core.nearest_marked(v.parent, whole & ~has_whole_parent)[:size]


def _folded(tree: RootedTree, codes: Integers, lines: int) -> RootedTree:
    """The tree with one leaf for each group of leaves, which are a subtree."""
    groups = np.zeros(len(tree.parent), dtype=np.int64)
    if lines == tree.size:
        parent = tree.parent.copy()
        parent[codes] = tree.parent[: tree.size]
        return RootedTree(parent, tree.level, tree.heights, tree.is_forest, tree.descending)
    sizes = np.bincount(codes, minlength=lines)
    groups[: tree.size] = codes
    first = np.full(lines, -1, dtype=np.int64)
    first[codes[::-1]] = np.arange(tree.size)[::-1]
    # The subtree of a group is the lowest node above its first leaf that has as many leaves as the group.
    top = first.copy()
    while (low := tree.sizes[top] < sizes).any():
        top[low] = tree.parent[top[low]]
    is_inside = np.zeros(len(tree.parent), dtype=bool)
    is_inside[top] = True
    kept = np.flatnonzero(core.nearest_marked(tree.parent, is_inside)[tree.size :] < 0) + tree.size
    number = np.full(len(tree.parent) + 1, -1, dtype=np.int64)
    number[kept] = lines + np.arange(len(kept))
    parent = np.concatenate([number[tree.parent[top]], number[tree.parent[kept]]])
    parent[-1] = -1
    return RootedTree(parent, tree.level[kept - tree.size], tree.heights, tree.is_forest, tree.descending)
