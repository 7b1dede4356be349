"""Two partitions of different sets as two covers: an element that a side lacks is in no cluster of it.

In the profile, each such element is a singleton of the side that lacks it, which is right for counting pairs.
It would be wrong for changes of clusters: nobody made that singleton, so it is neither kept nor split off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Counts
from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import (
    NO_CLUSTERS,
    CountedSides,
    Names,
    NamesOver,
    Records,
    outside_clusters,
)
from concordant.counts.cover_counts import CoverCounts, CoverSide
from concordant.counts.overlaps import Overlaps
from concordant.counts.profile import Profile
from concordant.maths.arithmetic import Integers


@dataclass(frozen=True, slots=True)
class ClusteredNames(NamesOver):
    """The names of the clusters that each side has, and their numbers in the profile."""

    numbers: tuple[NDArray[np.int64], NDArray[np.int64]]  # of rows and of columns
    unclustered_counts: tuple[int, int] = (0, 0)  # elements of each side that are in none of its clusters
    # Cells of the whole table, and these as a table, if only the records in them are meant.
    left: tuple[NDArray[np.int64], Contingency] | None = None

    @property
    def records(self) -> Records:
        records = self.names.records
        if self.left is None:
            return records
        cells, table = self.left
        place = np.full(int(records.cell.max(initial=-1)) + 1, -1)
        place[cells] = np.arange(len(cells))
        cell = place[records.cell]
        positions = np.flatnonzero(cell >= 0)
        return _SomeRecords(records, positions, cell[positions], table)

    def cluster(self, side: int, number: int, /) -> Any:
        return self.names.cluster(side, int(self.numbers[side][number]))

    def clusters(self, side: int, /) -> Sequence[Any]:
        return [self.names.cluster(side, number) for number in self.numbers[side].tolist()]

    def unclustered(self, side: int, /) -> NDArray[np.int64]:  # noqa: ARG002  (each side has these)
        return NO_CLUSTERS

    def unclustered_count(self, side: int, /) -> int:
        return self.unclustered_counts[side]

    def examples(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        rows, columns = self.numbers
        places = [(int(rows[row]), int(columns[column])) for row, column in cells]
        return self.names.examples(places, each)


def own_clusters(counted: CountedSides) -> tuple[Counts, Names]:
    """Counts and names of the clusters that each side has.

    Two partitions of one set, by weight, and two covers are returned as they are. If a side has own elements,
    both sides become covers: an element that a side lacks is in none of its clusters.
    """
    counts, names = counted.counts, counted.names
    if counts.kind == "covers":
        return counts, names
    profile = counts.by_weight
    if counts.parts is not None or counts.common == profile.size:
        return profile, names
    return as_covers(counts, names)


def in_no_cluster(counts: Counts, names: Names) -> tuple[int, int]:
    """The singletons of each side that are among its clusters in the counts, but are not clusters."""
    if counts.kind == "covers":
        return 0, 0
    unclustered = names.unclustered_count(0), names.unclustered_count(1)
    if counts.kind != "partial_overlap" or not any(unclustered):
        return unclustered
    # The elements that a side lacks are not among its clusters.
    whole = counts.completed
    return counts.rows - (whole.rows - unclustered[0]), counts.columns - (whole.columns - unclustered[1])


def as_covers(counts: Counts, names: Names) -> tuple[CoverCounts, ClusteredNames]:
    """The two sides of a partial overlap as covers, and the names of their clusters."""
    o = counts.completed.view(Overlaps)
    rows, columns = (np.ones(len(sizes), dtype=bool) for sizes in (o.row_sizes, o.column_sizes))
    rows[names.unclustered(0)] = columns[names.unclustered(1)] = False
    covers = CoverCounts(_side(o.row, rows), _side(o.column, columns), o.n)
    numbers = np.flatnonzero(rows), np.flatnonzero(columns)
    return covers, ClusteredNames(names, numbers, in_no_cluster(counts, names))


def _side(cluster: Integers, clustered: NDArray[np.bool_]) -> CoverSide:
    """One membership for each overlap, except for overlaps of elements that the side lacks."""
    held = clustered[cluster]
    start = np.concatenate([[0], np.cumsum(held)]).astype(np.int64)
    number = np.cumsum(clustered) - 1
    return CoverSide(start, number[cluster[held]].astype(np.int64), int(clustered.sum()))


@dataclass(frozen=True, slots=True)
class _SomeRecords:
    """Some of the records, which are in the cells of a separate table."""

    all_records: Records
    positions: NDArray[np.int64]
    cell: NDArray[np.int64]
    table: Contingency

    @property
    def column(self) -> NDArray[np.int64]:
        return self.table.column[self.cell]

    @property
    def everyone(self) -> list[Any]:
        return list(map(self.record, range(len(self.positions))))

    def record(self, position: int, /) -> Any:
        return self.all_records.record(int(self.positions[position]))

    def labels(self, position: int, /) -> tuple[Any, Any]:
        return self.all_records.labels(int(self.positions[position]))

    def given(self, position: int, /) -> tuple[Any, Any]:
        return self.all_records.given(int(self.positions[position]))


def clustered_in_both(counted: CountedSides) -> CountedSides:
    """The records that are in a cluster of both sides, as partitions of one set."""
    o = counted.counts.completed.view(Overlaps)
    outside = outside_clusters(counted.names, counted.noise, counted.counts.completed)
    cells = np.flatnonzero(~outside[0][o.row] & ~outside[1][o.column])
    rows, row = np.unique(o.row[cells], return_inverse=True)
    columns, column = np.unique(o.column[cells], return_inverse=True)
    table = Contingency(row.reshape(-1), column.reshape(-1), o.n[cells])
    names = ClusteredNames(counted.names, (rows, columns), left=(cells, table))
    return CountedSides(Profile.of_table(table), names)
