"""The connected components of overlapping clusters in numbers, and what each costs.

Clusters of the two sides that share records are linked. For partitions, a change costs pairs of records
(``concordant.counts.pair_costs``). In covers a pair of records may be together several times, so a change
costs memberships: those of the reference clusters that the nearest candidate cluster lacks are missed, those
of the candidate clusters that the nearest reference cluster lacks are wrong. The nearest has the largest F1.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import Counts, Detail, View
from concordant.counts.counted_sides import NO_CLUSTERS, Names
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.overlaps import Overlaps, largest_first, places_by_label
from concordant.counts.pair_costs import Costs, JoinComponents
from concordant.counts.profile import Profile
from concordant.differences.lazy_list import largest_of
from concordant.foundation.conventions import SideName
from concordant.maths.arithmetic import Integers, sums_by

# Reference clusters : candidate clusters of a connected component. A component of one against one that are
# not the same cluster is "1:1 changed".
ChangeKind = Literal["1:1", "1:1 changed", "1:n", "n:1", "n:m", "1:0", "0:1"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
# Of partitions: one cluster against one is the same cluster, and every cluster overlaps another.
PARTITION_KINDS: tuple[ChangeKind, ...] = ("1:1", "1:n", "n:1", "n:m")

Unit = Literal["pair", "membership", "weight"]
CostKind = Literal["missed", "wrong"]
Members = tuple[NDArray[np.int64], NDArray[np.int64]]  # by component, and where each component starts


def costs_by_cluster(counts: Counts, side: SideName, kind: CostKind) -> Integers:
    """The costs charged to each cluster of a side: pairs in partitions, memberships in covers."""
    is_row = side == "reference"
    if counts.kind == "covers":
        lacking, beyond = _lacking(counts.view(Overlaps), side)
        return lacking if is_row == (kind == "missed") else beyond
    costs = counts.view(Costs)
    if kind == "missed":
        return costs.missed_of_rows if is_row else costs.missed_of_columns
    return costs.wrong_of_rows if is_row else costs.wrong_of_columns


def _lacking(o: Overlaps, side: SideName) -> tuple[Integers, Integers]:
    """The records of each cluster that the nearest one lacks, and those of the nearest that it lacks."""
    sizes, others = (o.row_sizes, o.b) if side == "reference" else (o.column_sizes, o.a)
    lacking, beyond, nearest = sizes.copy(), np.zeros_like(sizes), nearest_cells(o, side)
    matched = nearest >= 0
    cells = nearest[matched]
    lacking[matched] -= o.n[cells]
    beyond[matched] = others[cells] - o.n[cells]
    return lacking, beyond


def nearest_cells(
    o: Overlaps, side: SideName, other_unclustered: NDArray[np.int64] = NO_CLUSTERS
) -> NDArray[np.int64]:
    """The overlap of each cluster with the nearest one of the other side, by F1; -1 without an overlap.

    ``other_unclustered`` are singletons of the other side that are not clusters.
    """
    is_row = side == "reference"
    nearest, sizes = o.nearest_by_label(0 if is_row else 1), o.row_sizes if is_row else o.column_sizes
    missing = len(sizes) - len(nearest)
    nearest = np.pad(nearest, (0, missing), constant_values=-1) if missing else nearest
    if not len(other_unclustered) or not len(o.n):
        return nearest
    cluster, other = (o.row, o.column) if is_row else (o.column, o.row)
    shared = ~np.isin(other, other_unclustered)
    cells = np.flatnonzero(shared)
    f1 = (o.n[cells] / (o.a[cells] + o.b[cells])).astype(np.float64)
    cells = cells[np.lexsort((f1, cluster[cells]))]
    again = nearest.copy()
    again[cluster] = -1
    again[cluster[cells]] = cells  # the last one wins: the largest F1
    changed = (nearest >= 0) & ~shared[nearest]
    return np.where(changed, again, nearest)


class ComponentSums(View):
    """Every connected component in numbers, each computed once. Clusters without an overlap come last."""

    needs: ClassVar[Detail] = Detail.TABLE

    def __init__(
        self,
        counts: Profile | CoverCounts,
        of_row: NDArray[np.int64],
        of_column: NDArray[np.int64],
        count: int,
    ) -> None:
        self._counts = counts
        self.overlaps = counts.view(Overlaps)
        self.costs = None if counts.kind == "covers" else counts.view(Costs)  # in covers, overlaps have none
        self.of_row, self.of_column, self.count = of_row, of_column, count
        self.unit: Unit = "pair" if counts.parts is None else "weight"
        if counts.kind == "covers":
            self.unit = "membership"
        self.unclustered = (NO_CLUSTERS, NO_CLUSTERS)  # singletons of each side that are not clusters

    @classmethod
    def of(cls, profile: Profile) -> Self:
        joined = profile.view(JoinComponents)
        return cls(profile, joined.of_row, joined.of_column, joined.count)

    @classmethod
    def of_covers(cls, counts: CoverCounts) -> Self:
        o = counts.view(Overlaps)
        sides = [np.unique(side, return_inverse=True) for side in (o.row, o.column)]
        linked = core.blocks(*(np.ascontiguousarray(places) for _, places in sides))
        count, numbers = int(linked[0].max(initial=-1)) + 1, []
        for (clusters, _), component, total in zip(sides, linked, (counts.rows, counts.columns), strict=True):
            number = np.full(total, -1, dtype=np.int64)
            number[clusters] = component
            alone = np.flatnonzero(number < 0)
            number[alone] = count + np.arange(len(alone))
            count += len(alone)
            numbers.append(number)
        return cls(counts, numbers[0], numbers[1], count)

    def of_clusters(self, names: Names) -> ComponentSums:
        """The same components and costs; records that are in no cluster of a side are not clusters of it."""
        unclustered = names.unclustered(0), names.unclustered(1)
        if self.unit == "membership" or not any(map(len, unclustered)):
            return self
        sums = ComponentSums(self._counts, self.of_row, self.of_column, self.count)
        sums.unclustered = unclustered
        return sums

    @property
    def has_unclustered(self) -> bool:
        """Whether records are in no cluster of a side."""
        return any(map(len, self.unclustered))

    @cached_property
    def missed(self) -> Integers:
        return sums_by(self.of_row, costs_by_cluster(self._counts, "reference", "missed"), self.count)

    @cached_property
    def wrong(self) -> Integers:
        return sums_by(self.of_column, costs_by_cluster(self._counts, "candidate", "wrong"), self.count)

    def amount(self, count: int, pairs: int = 1) -> float:
        """A size, or a cost (``pairs=2``), in records or in weight."""
        return self._counts.amount(count, pairs)

    @property
    def pairs(self) -> Integers:
        """The whole cost, in pairs or in memberships."""
        return self.missed + self.wrong

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        return np.bincount(self.of_row, minlength=self.count) - self.unclustered_rows

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        return np.bincount(self.of_column, minlength=self.count) - self.unclustered_columns

    @cached_property
    def unclustered_rows(self) -> NDArray[np.int64]:
        """The records of each component that are in no reference cluster."""
        return np.bincount(self.of_row[self.unclustered[0]], minlength=self.count)

    @cached_property
    def unclustered_columns(self) -> NDArray[np.int64]:
        """The records of each component that are in no candidate cluster."""
        return np.bincount(self.of_column[self.unclustered[1]], minlength=self.count)

    @cached_property
    def size(self) -> Integers:
        """The records in the clusters of each component, each once; or their weight."""
        counts = self._counts
        if not isinstance(counts, CoverCounts):
            return sums_by(self.of_row, self.overlaps.row_sizes, self.count)
        types = max(len(counts.elements), 1)
        sides = (self.of_row, counts.reference), (self.of_column, counts.candidate)
        keys = [components[side.cluster] * types + side.type for components, side in sides]
        component, kind = np.divmod(np.unique(np.concatenate(keys)), types)
        return sums_by(component, counts.elements[kind], self.count)

    @cached_property
    def kind(self) -> NDArray[np.int64]:
        """The kind of each component, as its place among CHANGE_KINDS; -1 if it has no cluster."""
        one_row, one_column = self.rows == 1, self.columns == 1
        cases: dict[ChangeKind, NDArray[np.bool_]] = {}
        if self.unit == "membership" or self.has_unclustered:
            cases["1:1"] = one_row & one_column & (self.pairs == 0).astype(bool)
            cases |= {"1:1 changed": one_row & one_column, "1:0": self.columns == 0, "0:1": self.rows == 0}
        else:
            cases["1:1"] = one_row & one_column
        cases |= {"1:n": one_row, "n:1": one_column}
        places = [CHANGE_KINDS.index(kind) for kind in cases]
        kinds = np.select(list(cases.values()), places, CHANGE_KINDS.index("n:m"))
        return np.where(self.rows + self.columns > 0, kinds, -1)

    @cached_property
    def counts(self) -> dict[ChangeKind, int]:
        """The number of components of each kind."""
        counted = np.bincount(self.kind[self.kind >= 0], minlength=len(CHANGE_KINDS)).tolist()
        is_whole = self.unit != "membership" and not self.has_unclustered
        kinds = PARTITION_KINDS if is_whole else CHANGE_KINDS
        return {kind: counted[CHANGE_KINDS.index(kind)] for kind in kinds}

    def largest(
        self, keys: NDArray[Any], components: NDArray[np.int64], limit: int | None
    ) -> NDArray[np.int64]:
        """Those of these components with the largest keys; ties have the order of their first labels."""

        def ties(places: NDArray[np.int64]) -> list[Integers]:
            return [self._first_labels(components[places], side) for side in (0, 1)]

        return components[largest_of(keys[components], limit, ties)]

    def _first_labels(self, components: NDArray[np.int64], side: int) -> Integers:
        """A number for each component that grows with the first label among its clusters of a side."""
        of_cluster = self.of_column if side else self.of_row
        place = np.full(self.count, -1)
        place[components] = np.arange(len(components))
        clusters = np.flatnonzero(place[of_cluster] >= 0)
        least = np.full(len(components), len(of_cluster))
        np.minimum.at(least, place[of_cluster[clusters]], places_by_label(self._counts, side, clusters))
        return least

    def members(self, components: NDArray[np.int64]) -> tuple[Members, Members, Members]:
        """The overlaps, the reference clusters and the candidate clusters of these, largest first."""
        o, place, is_wanted = self.overlaps, np.empty(self.count, dtype=np.int64), np.zeros(self.count, bool)
        place[components], is_wanted[components] = np.arange(len(components)), True
        rows, columns = is_wanted[self.of_row], is_wanted[self.of_column]
        cells = np.flatnonzero(rows[o.row])
        rows[self.unclustered[0]] = columns[self.unclustered[1]] = False

        def ordered(
            kept: NDArray[np.int64], component: NDArray[np.int64], sizes: Integers, *ends: tuple[int, Any]
        ) -> Members:
            def ties(places: NDArray[np.int64]) -> list[Integers]:
                return [places_by_label(self._counts, side, own[kept[places]]) for side, own in ends]

            order, start = largest_first(place[component], sizes[kept], ties)
            return kept[order], np.pad(start, (0, len(components) + 1 - len(start)), mode="edge")

        own_rows, own_columns = np.flatnonzero(rows), np.flatnonzero(columns)
        return (
            ordered(cells, self.of_row[o.row[cells]], o.n, (0, o.row), (1, o.column)),
            ordered(own_rows, self.of_row[own_rows], o.row_sizes, (0, np.arange(len(rows)))),
            ordered(own_columns, self.of_column[own_columns], o.column_sizes, (1, np.arange(len(columns)))),
        )
