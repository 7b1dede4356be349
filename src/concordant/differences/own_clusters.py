"""Two partitions of different sets as two covers: an element that a side lacks lies in no cluster of it.

The profile has each such element alone on the side that lacks it, which serves to count pairs. For what
became of the clusters that would be false: nobody made that cluster, so it is neither kept nor split off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers
from concordant.counts.base import Counts
from concordant.counts.counted import Counted, Names, NamesOver
from concordant.counts.cover_counts import CoverCounts, CoverSide
from concordant.counts.overlaps import Overlaps


@dataclass(frozen=True, slots=True)
class ClusteredNames(NamesOver):
    """The names of the clusters that each side has, and their numbers in the profile."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]

    def reference(self, row: int, /) -> Any:
        return self.names.reference(int(self.rows[row]))

    def candidate(self, column: int, /) -> Any:
        return self.names.candidate(int(self.columns[column]))

    def reference_labels(self) -> Sequence[Any]:
        return list(map(self.reference, range(len(self.rows))))

    def candidate_labels(self) -> Sequence[Any]:
        return list(map(self.candidate, range(len(self.columns))))

    def has(self, side: int, cluster: int, /) -> bool:
        return self.names.has(side, int((self.rows, self.columns)[side][cluster]))

    def examples(self, cells: Sequence[tuple[int, int]], each: int) -> list[tuple[Any, ...]]:
        numbers = [(int(self.rows[row]), int(self.columns[column])) for row, column in cells]
        return self.names.examples(numbers, each)


def own_clusters(counted: Counted) -> tuple[Counts, Names]:
    """Counts and names of the clusters that each side has.

    Two partitions of one set, and two covers, are returned as they are. If a side has elements of its own,
    both sides become covers: an element that a side lacks is in none of its clusters.
    """
    counts, names = counted.counts, counted.names
    if counts.kind == "covers":
        return counts, names
    if counts.common == counts.completed.size:
        return counts.completed, names
    return as_covers(counts, names)


def as_covers(counts: Counts, names: Names) -> tuple[CoverCounts, ClusteredNames]:
    """The two sides of a partial overlap as covers, and the names of their clusters."""
    o = counts.completed.view(Overlaps)
    rows, columns = (np.ones(len(sizes), dtype=bool) for sizes in (o.row_sizes, o.column_sizes))
    for side, (clustered, sizes) in enumerate(((rows, o.row_sizes), (columns, o.column_sizes))):
        for place in np.flatnonzero(sizes == 1).tolist():
            clustered[place] = names.has(side, place)
    # Engines do not name singletons that both sides have, or that one has alone. Their numbers follow from
    # the numbers of all clusters, and they are interchangeable.
    unnamed = np.flatnonzero((o.n == 1) & ~rows[o.row] & ~columns[o.column])
    in_reference, in_candidate = counts.rows - int(rows.sum()), counts.columns - int(columns.sum())
    rows[o.row[unnamed[:in_reference]]] = True
    columns[o.column[unnamed[len(unnamed) - in_candidate :]]] = True
    covers = CoverCounts(_side(o.row, rows), _side(o.column, columns), o.n)
    return covers, ClusteredNames(names, np.flatnonzero(rows), np.flatnonzero(columns))


def _side(cluster: Integers, clustered: NDArray[np.bool_]) -> CoverSide:
    """One membership for each overlap, and none for those of an element that the side lacks."""
    held = clustered[cluster]
    start = np.concatenate([[0], np.cumsum(held)]).astype(np.int64)
    number = np.cumsum(clustered) - 1
    return CoverSide(start, number[cluster[held]].astype(np.int64), int(clustered.sum()))
