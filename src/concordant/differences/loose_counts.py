"""Two partitions of different sets as two covers: an element that a side lacks lies in no cluster of it.

The profile has each such element alone on the side that lacks it, which serves to count pairs. For what
became of the clusters that would be false: nobody made that cluster, so it is neither kept nor split off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers
from concordant.counts.counted import Names, NamesOver
from concordant.counts.cover_counts import CoverCounts, CoverSide
from concordant.counts.overlaps import Overlaps
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile


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


def as_covers(profile: Profile, loose: PartialOverlap, names: Names) -> tuple[CoverCounts, ClusteredNames]:
    """The counts of the two sides as covers, and what their clusters are called."""
    o = profile.view(Overlaps)
    rows = _clustered(o.row_sizes, partial(names.has, 0))
    columns = _clustered(o.column_sizes, partial(names.has, 1))
    # Engines do not name clusters of one record that both sides have, or that one has alone; how many of each
    # there are follows from the number of all clusters, and one is like the other.
    unnamed = np.flatnonzero((o.n == 1) & ~rows[o.row] & ~columns[o.column])
    in_reference, in_candidate = loose.rows - int(rows.sum()), loose.columns - int(columns.sum())
    rows[o.row[unnamed[:in_reference]]] = True
    columns[o.column[unnamed[len(unnamed) - in_candidate :]]] = True
    counts = CoverCounts(_side(o.row, rows), _side(o.column, columns), o.n)
    return counts, ClusteredNames(names, np.flatnonzero(rows), np.flatnonzero(columns))


def _clustered(sizes: Integers, has: Callable[[int], bool]) -> NDArray[np.bool_]:
    """Which clusters a side has: not those of one element that it lacks."""
    found = np.ones(len(sizes), dtype=bool)
    for place in np.flatnonzero(sizes == 1).tolist():
        found[place] = has(place)
    return found


def _side(cluster: Integers, clustered: NDArray[np.bool_]) -> CoverSide:
    """One membership for each overlap, and none for those of an element that the side lacks."""
    held = clustered[cluster]
    start = np.concatenate([[0], np.cumsum(held)]).astype(np.int64)
    number = np.cumsum(clustered) - 1
    return CoverSide(start, number[cluster[held]].astype(np.int64), int(clustered.sum()))
