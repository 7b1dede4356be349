"""Two hierarchies over the same elements: every pair of cuts, and the diagonal of cuts with equal numbers.

A merge of one tree joins A and B, a merge of the other joins C and D. The pairs of elements that both merges
join are n_AC·n_BD + n_AD·n_BC, so N₁₁ of every pair of cuts is a running sum of such numbers, in two
directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from concordant import core, engines
from concordant.clusterings.alignment import Aligned
from concordant.clusterings.clustering import data_of
from concordant.clusterings.coerce import partition_of
from concordant.clusterings.cover_data import CoverData
from concordant.clusterings.labels import MemoryLabels, PartitionData
from concordant.clusterings.partition_data import SourcePartition
from concordant.clusterings.record_names import RecordNames, spelled
from concordant.counts.base import Counts, Detail
from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import CountedSides
from concordant.counts.profile import Profile
from concordant.engines import memory
from concordant.errors import (
    CoverError,
    HierarchyError,
    ParameterError,
    Remedy,
    TooLargeError,
    UnmatchedError,
    warn,
)
from concordant.foundation.conventions import SIDES, Conventions
from concordant.foundation.spelling import counted
from concordant.hierarchies.cut_sums import CutSums
from concordant.hierarchies.data import HierarchyData
from concordant.hierarchies.tree_arrays import ElementTree, WideSums
from concordant.maths.arithmetic import Integers

MOST_NODE_PAIRS = 4 * 10**8  # whose overlaps are in memory together


@dataclass(frozen=True)
class TwoTrees:
    """The cuts of two trees over the same elements, by the numbers of the levels that the user sees.

    Levels that no longer join anything, and roots of a forest, stay. ``TreePair`` has whole trees instead:
    one root, and every level joins something, as correlations and shared clusters require.
    """

    reference: ElementTree
    candidate: ElementTree

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.reference.size

    # -- the same number of clusters on both sides ------------------------------------------------

    @cached_property
    def numbers(self) -> Integers:
        """Every number of clusters of a level of either tree that both trees can be cut into, descending."""
        sides = (self.reference.clusters, self.candidate.clusters)
        fewest = max(int(clusters[-1]) for clusters in sides)
        is_number = np.zeros(self.size + 1, dtype=np.bool_)
        for clusters in sides:
            is_number[clusters] = True
        return (np.flatnonzero(is_number[fewest:]) + fewest)[::-1]

    @cached_property
    def levels(self) -> tuple[Integers, Integers]:
        """The levels of both trees for each of these numbers."""
        return self.reference.with_at_most(self.numbers), self.candidate.with_at_most(self.numbers)

    @cached_property
    def diagonal(self) -> CutSums:
        """The state along the diagonal."""
        sides: list[tuple[Integers, Integers]] = []
        last = len(self.numbers) - 1
        for tree, levels in zip((self.reference, self.candidate), self.levels, strict=True):
            # The first step at which a level is reached; nodes of levels that are never reached are left out.
            step = np.searchsorted(levels, tree.level, side="left")
            made = int(np.searchsorted(step, last, side="right"))
            end = tree.size + made
            parent = np.where(tree.parent[:end] < end, tree.parent[:end], -1)
            sides.append((parent, step[:made].astype(np.int64)))
        nn, cells, row_best, column_best = core.diagonal_sums(*sides[0], *sides[1], last)
        u, v = self.levels
        clusters = {"rows": self.reference.clusters[u], "columns": self.candidate.clusters[v]}
        return CutSums(
            self.size,
            len(self.numbers),
            nn,
            self.reference.squares[u],
            self.candidate.squares[v],
            clusters | {"cells": cells},
            clusters
            | {"rows_best": row_best, "columns_best": column_best}
            | {"largest_row": self.reference.largest[u], "largest_column": self.candidate.largest[v]},
            {"in_u": partial(self._trios, 0), "in_v": partial(self._trios, 1)},
            self._profiles,
            "the diagonal",
        )

    def _trios(self, side: int) -> WideSums:
        """Σ b(b−1)(b−2) of a side along the diagonal."""
        high, low = (self.candidate if side else self.reference).trios
        return high[self.levels[side]], low[self.levels[side]]

    def _profiles(self, places: Sequence[int]) -> Iterator[Counts]:
        for place in places:
            yield self.profile(*(int(levels[place]) for levels in self.levels))

    def profile(self, reference: int, candidate: int) -> Profile:
        """The profile of two cuts."""
        labels = self.reference.labels_at(reference), self.candidate.labels_at(candidate)
        return memory.profile(*labels)


@dataclass(frozen=True)
class CutGrid:
    """All pairs of some levels of two trees."""

    trees: TwoTrees
    rows: Integers  # levels of the reference, ascending
    columns: Integers

    @cached_property
    def _finest(self) -> tuple[_Merges, _Merges, Contingency]:
        trees = self.trees
        sides, chosen = (trees.reference, trees.candidate), (self.rows, self.columns)
        labels = [side.labels_at(int(levels[0])) for side, levels in zip(sides, chosen, strict=True)]
        table = Contingency(*core.cells(labels[0], labels[1]))
        assert table.row_first is not None
        assert table.column_first is not None
        firsts = (table.row_first, table.column_first)
        merges = [
            _Merges.of(side, own[first], levels)
            for side, own, first, levels in zip(sides, labels, firsts, chosen, strict=True)
        ]
        node_pairs = (2 * merges[0].leaves - 1) * (2 * merges[1].leaves - 1)
        if node_pairs > MOST_NODE_PAIRS:
            raise TooLargeError(
                f"the finest cuts have {merges[0].leaves:,} and {merges[1].leaves:,} clusters, which makes "
                f"{node_pairs:,} pairs of nodes; a grid has at most {MOST_NODE_PAIRS:,}",
                remedies=[Remedy("begin at coarser cuts", n_clusters=1000, candidate_n_clusters=1000)],
            )
        return merges[0], merges[1], table

    @cached_property
    def sums(self) -> CutSums:
        """The state over the grid, row by row."""
        u, v, table = self._finest
        narrow = np.int32 if self.trees.size < 2**31 else np.int64  # the largest array there is
        overlaps = np.zeros((u.leaves + len(u.children), v.leaves + len(v.children)), dtype=narrow)
        overlaps[table.row, table.column] = table.n
        for t, (c, d) in enumerate(v.children.tolist()):
            overlaps[: u.leaves, v.leaves + t] = overlaps[: u.leaves, c] + overlaps[: u.leaves, d]
        # The pairs that each two merges join; the first row and column are joined in the finest cuts already.
        joined = np.zeros((len(u.children) + 1, len(v.children) + 1), dtype=np.int64)
        joined[0, 0] = (table.n * (table.n - 1) // 2).sum()
        c, d = v.children.T
        for row in overlaps[: u.leaves]:
            joined[0, 1:] += row[c].astype(np.int64) * row[d]
        for s, (a, b) in enumerate(u.children.tolist()):
            overlaps[u.leaves + s] = overlaps[a] + overlaps[b]
            one, other = overlaps[a].astype(np.int64), overlaps[b].astype(np.int64)
            joined[s + 1, 0] = (one[: v.leaves] * other[: v.leaves]).sum()
            joined[s + 1, 1:] = one[c] * other[d] + one[d] * other[c]
        np.cumsum(joined, axis=0, out=joined)
        np.cumsum(joined, axis=1, out=joined)
        n11 = joined[np.ix_(u.merges_at, v.merges_at)].ravel()
        trees, size = self.trees, self.trees.size
        shape = len(self.rows), len(self.columns)

        def along(values: Integers, axis: int) -> Integers:
            across = values[:, None] if axis == 0 else values[None, :]
            return np.ascontiguousarray(np.broadcast_to(across, shape)).ravel()

        clusters = {
            "rows": along(trees.reference.clusters[self.rows], 0),
            "columns": along(trees.candidate.clusters[self.columns], 1),
        }
        return CutSums(
            size,
            len(n11),
            2 * n11 + size,
            along(trees.reference.squares[self.rows], 0),
            along(trees.candidate.squares[self.columns], 1),
            clusters,
            clusters,
            {},
            self._profiles,
            "these pairs",
        )

    def _profiles(self, pairs: Sequence[int]) -> Iterator[Counts]:
        """The profile of each of these pairs, which ascend, from the table of the finest cuts."""
        u, v, table = self._finest
        wanted, pair = set(pairs), -1
        for row_code in u.clusters_at():
            for column_code in v.clusters_at():
                pair += 1
                if pair not in wanted:
                    continue
                cells = row_code[table.row] * (2 * v.leaves) + column_code[table.column]
                key, which = np.unique(cells, return_inverse=True)
                n = np.bincount(which, weights=table.n).astype(np.int64)
                rows, columns = (
                    np.unique(each, return_inverse=True)[1] for each in np.divmod(key, 2 * v.leaves)
                )
                yield Profile.of_table(Contingency(rows, columns, n), self.trees.size)


@dataclass(frozen=True)
class _Merges:
    """The clusters of a level numbered from 0, and the merges of two that lead to the levels above."""

    leaves: int
    children: Integers  # two for each merge; merge s makes the node ``leaves + s``
    merges_at: Integers  # the number of merges made by each of the levels

    @classmethod
    def of(cls, tree: ElementTree, tops: Integers, levels: Integers) -> _Merges:
        number = dict(zip(tops.tolist(), range(len(tops)), strict=True))
        leaves, children, made_at = len(tops), [], []
        first = int(np.searchsorted(tree.level, levels[0], side="right"))
        last = int(np.searchsorted(tree.level, levels[-1], side="right"))
        # Nodes made after the finest level in order, each merging its children one after the other.
        below: dict[int, list[int]] = {}
        waiting = sorted(number)
        for node in (*waiting, *range(tree.size + first, tree.size + last)):
            if node not in number:
                parts = below.pop(node, [])
                for part in parts[1:]:
                    children.append((parts[0], part))
                    made_at.append(int(tree.level[node - tree.size]))
                    parts[0] = leaves + len(children) - 1
                if not parts:  # all its elements were left out
                    continue
                number[node] = parts[0]
            up = int(tree.parent[node])
            if up >= 0:
                below.setdefault(up, []).append(number[node])
        merges_at = np.searchsorted(np.array(made_at, dtype=np.int64), levels, side="right")
        return cls(leaves, np.array(children, dtype=np.int64).reshape(-1, 2), merges_at.astype(np.int64))

    def clusters_at(self) -> Iterator[Integers]:
        """The cluster of each of the finest clusters at each level."""
        cluster, done = np.arange(self.leaves), 0
        for merges in self.merges_at.tolist():
            for s in range(done, merges):
                c, d = self.children[s]
                cluster[(cluster == c) | (cluster == d)] = self.leaves + s
            done = merges
            yield cluster.copy()


Sides = tuple[HierarchyData | None, HierarchyData | None]


@dataclass(frozen=True, slots=True)
class Leaves:
    """Two sides, element by element: labels of the flat one, leaves of the hierarchies."""

    sides: Sides
    counted: CountedSides  # with each leaf as a cluster of its own
    names: RecordNames
    threads: int

    @property
    def size(self) -> int:
        """The number of compared elements."""
        return self.counted.counts.size

    def labels(self, side: int) -> tuple[Integers, int]:
        """The clusters of the flat side, numbered from 0, and how many there are."""
        codes, first = self.names.numbers(side)
        return codes, len(first)

    def tree(self, side: int) -> ElementTree:
        """The hierarchy of a side over the compared elements."""
        hierarchy = self.sides[side]
        assert hierarchy is not None  # this side is a hierarchy
        place, parent = self.names.positions(side), hierarchy.parent
        levels = len(hierarchy.level_heights)
        if place is None:
            return ElementTree(parent, hierarchy.level, levels)
        size, elements = hierarchy.size, len(place)
        more = elements - size
        # Elements that the hierarchy lacks are never joined.
        laid = np.full(elements + len(hierarchy.level), -1)
        np.add(parent[size:], more, out=laid[elements:], where=parent[size:] >= 0)
        if more >= 0 and bool((place[:size] == np.arange(size)).all()):
            np.add(parent[:size], more, out=laid[:size], where=parent[:size] >= 0)
        else:
            there = np.flatnonzero(place >= 0)
            above = parent[place[there]]
            laid[there] = np.where(above >= 0, above + more, -1)
        return ElementTree(laid, hierarchy.level, levels)

    def at(self, levels: tuple[int | None, int | None]) -> CountedSides:
        """The comparison of two cuts; None for the side that is flat."""
        labels: list[Any] = [
            None if level is None or side is None else np.asarray(side.cut(level).codes)
            for side, level in zip(self.sides, levels, strict=True)
        ]
        return self.with_labels(labels[0], labels[1])

    def with_labels(self, reference: Integers | None, candidate: Integers | None) -> CountedSides:
        """The comparison with other clusters of the leaves, given by leaf; None leaves a side as it is."""
        names = self.names.with_labels(reference, candidate, partial(_profile, threads=self.threads))
        noise = tuple(
            label if side is None else None
            for label, side in zip(self.counted.noise, self.sides, strict=True)
        )
        found = self.counted
        return CountedSides(names.profile, names, found.conventions, found.audit, noise=(noise[0], noise[1]))


def _profile(aligned: Aligned, *, threads: int) -> Profile:
    return memory.profile(aligned.reference, aligned.candidate, threads)


def lay_side_by_side(reference: Any, candidate: Any, conventions: Conventions) -> Leaves:
    """Both sides, of which at least one is a Hierarchy, by record names or else by position.

    >>> from concordant.foundation.conventions import USUAL
    >>> from concordant.hierarchies.hierarchy import Hierarchy
    >>> h = Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]], records=["ann", "bob", "eve"])
    >>> lay_side_by_side({"eve": 1, "ann": 2, "bob": 2}, h, USUAL).size
    3
    """
    reference, candidate = data_of(reference), data_of(candidate)
    sides = (
        reference if isinstance(reference, HierarchyData) else None,
        candidate if isinstance(candidate, HierarchyData) else None,
    )
    _check(conventions)
    for number, side in enumerate(sides):
        if side is not None and not side.complete and sides[1 - number] is None:
            return _with_records_in_no_pair(side, (candidate, reference)[number], number, conventions)
    return _laid_out(sides, (reference, candidate), conventions)


def _laid_out(sides: Sides, given: tuple[Any, Any], conventions: Conventions) -> Leaves:
    """The records of both sides, aligned: as leaves of a hierarchy, or with the labels of a partition."""
    u, v = sides
    reference: PartitionData
    candidate: PartitionData
    if v is None:
        assert u is not None
        candidate, reference = _beside_leaves(u, given[1], "the candidate", conventions)
    elif u is None:
        reference, candidate = _beside_leaves(v, given[0], "the reference", conventions)
    else:
        reference, candidate = _spelled_for(v, _leaves_of(u)), _spelled_for(u, _leaves_of(v))
    try:
        counted = engines.count(reference, candidate, conventions, Detail.ALIGNMENT)
    except UnmatchedError as error:
        error.withdraw(unmatched="keep")
        raise
    assert isinstance(counted.names, RecordNames)  # both sides are in memory by now
    return Leaves(sides, counted, counted.names, conventions.threads)


def _beside_leaves(
    hierarchy: HierarchyData, flat: Any, what: str, conventions: Conventions
) -> tuple[PartitionData, PartitionData]:
    """A partition in memory, and the leaves of the hierarchy that it is compared with."""
    if isinstance(flat, CoverData):
        raise CoverError(f"{what} is a cover; compare a hierarchy with a partition or another hierarchy")
    leaves: PartitionData = _leaves_of(hierarchy)
    labels = partition_of(flat, conventions, what)
    if isinstance(labels, SourcePartition):
        labels, leaves = _with_source(labels, leaves, hierarchy, conventions)
    elif not isinstance(labels, MemoryLabels):
        labels = labels.in_memory(what, "a comparison with a hierarchy")
    return _spelled_for(hierarchy, labels), leaves


def _leaves_of(hierarchy: HierarchyData) -> MemoryLabels:
    """The records of a hierarchy, each in a cluster that has its number."""
    numbers = np.arange(hierarchy.size)
    named = hierarchy.records is not None
    return MemoryLabels(numbers, numbers, elements=hierarchy.records, named=named)


def _spelled_for(hierarchy: HierarchyData, labels: PartitionData) -> PartitionData:
    """The labels, with record names as strings if those of the hierarchy are text of a file."""
    if not (hierarchy.untyped and isinstance(labels, MemoryLabels) and labels.named):
        return labels
    labels = copy(labels)
    labels.elements = spelled(labels.elements)
    return labels


def _with_records_in_no_pair(
    hierarchy: HierarchyData, flat: Any, number: int, conventions: Conventions
) -> Leaves:
    """A partition beside scored pairs: its records that are in no pair are singletons at every threshold.

    So ``unmatched`` applies only to records of the pairs that the partition lacks.
    """
    asked, kept = conventions.unmatched, replace(conventions, unmatched="singletons")

    def laid_out(tree: HierarchyData, conventions: Conventions) -> Leaves:
        if number == 0:
            return _laid_out((tree, None), (tree, flat), conventions)
        return _laid_out((None, tree), (flat, tree), conventions)

    found = laid_out(hierarchy, kept)
    lacking = found.counted.audit.get(f"only_{SIDES[number]}", 0)
    if lacking and asked == "error":
        return laid_out(hierarchy, conventions)  # raises
    if lacking and asked == "drop":
        of_flat, of_tree = found.names.positions(1 - number), found.names.positions(number)
        assert of_flat is not None  # since it lacks records
        shared = np.flatnonzero(of_flat >= 0) if of_tree is None else of_tree[(of_flat >= 0) & (of_tree >= 0)]
        shared = np.sort(shared)
        found = laid_out(hierarchy.take(shared), kept)
        # Levels are numbered as in the hierarchy that was passed, although some no longer join anything.
        names = found.names.in_larger_input(number, shared, hierarchy.records, np.arange(hierarchy.size))
        sides = (hierarchy, None) if number == 0 else (None, hierarchy)
        found = replace(found, sides=sides, names=names, counted=replace(found.counted, names=names))
    audit = {name: count for name, count in found.counted.audit.items() if not name.startswith("only_")}
    in_no_pair = found.counted.audit.get(f"only_{SIDES[1 - number]}", 0)
    in_tree, clusters = found.names.positions(number), found.names.labels_of_records[1 - number]
    if in_no_pair and asked == "error" and in_tree is not None:
        codes = core.factorize(clusters)[0]
        lost = int((np.bincount(codes)[codes[in_tree < 0]] > 1).sum())
        if lost:
            warn(
                f"{counted(lost, 'record')} with others in a cluster of the {SIDES[1 - number]} cannot be "
                "joined with them, because no scored pair has them. Check how the pairs were made; if this "
                "is meant, pass unmatched='singletons'"
            )
    audit |= {f"only_{SIDES[number]}": lacking, "in_no_pair": in_no_pair}
    agreed = {**found.counted.conventions, "unmatched": asked}
    return replace(found, counted=replace(found.counted, conventions=agreed, audit=audit))


def _check(conventions: Conventions) -> None:
    if conventions.unmatched == "keep":
        raise HierarchyError(
            "a hierarchy is compared on one set of records; use 'drop' to compare those that both sides "
            "have, or 'singletons'",
            given={"unmatched": "keep"},
        )
    if conventions.treats_labels:
        raise HierarchyError(
            "reference_noise= and candidate_noise= need labels on both sides; with a hierarchy, pass "
            "noise= and noise_as=, or compare one cut"
        )


def _with_source(
    source: SourcePartition,
    leaves: PartitionData,
    hierarchy: HierarchyData,
    conventions: Conventions,
) -> tuple[PartitionData, PartitionData]:
    """A dataframe or file beside the leaves of the hierarchy, both in memory."""
    if (source.record is None) != (hierarchy.records is None):
        raise UnmatchedError(
            "the hierarchy has no record names, so it cannot be joined with the records of "
            f"{source.source}; give records= when you make the hierarchy"
            if hierarchy.records is None
            else f"the hierarchy names its records, and {source.source} is without a record; pass record= to "
            "Partition.from_frame or Partition.scan"
        )
    if conventions.where is not None:
        raise ParameterError("where= applies to labels in arrays; filter the dataframe or file instead")
    if source.record is None:
        return engines.labels_in_order(source, conventions.threads), leaves
    beside = engines.beside_numbers(source, hierarchy.records, conventions.threads, untyped=hierarchy.untyped)
    return beside if isinstance(beside, tuple) else (beside, leaves)
