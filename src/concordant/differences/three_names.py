"""The names of the clusters and records of three partitions, in memory or in the sources that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from concordant.counts.counted import NO_CLUSTERS, Names
from concordant.counts.three_way import ThreeWay, ThreeWayCounts


class MemoryNames:
    """Names in memory: those of the two comparisons, which have elements and clusters in the same order."""

    are_at_hand: ClassVar[bool] = True
    most_listed: ClassVar[int] = 300  # records of each outcome on a page

    def __init__(self, cells: ThreeWay, before: Names, after: Names) -> None:
        self._cells, self._names = cells, (before, after)

    def cluster(self, side: int, number: int, /) -> Any:
        return self._names[side > 1].cluster(min(side, 1), number)

    def unclustered(self, side: int, /) -> NDArray[np.int64]:
        return self._names[side > 1].unclustered(min(side, 1))

    def fetch(self, cells: Sequence[tuple[int, ...]], each: int) -> None:
        """Nothing to fetch."""

    def examples(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        (order, ends), record = self._by_cell, self._names[0].records.record
        found = self._cells.find(cells)
        first, last = ends[found], np.minimum(ends[found] + each, ends[found + 1])
        spans = zip(first.tolist(), last.tolist(), strict=True)
        return [tuple(map(record, order[a:b].tolist())) for a, b in spans]

    @cached_property
    def _by_cell(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        ends = np.concatenate([[0], np.cumsum(self._cells.n)])
        return np.argsort(self._cells.cell, kind="stable"), ends


class SourceNames:
    """Labels fetched from sources; records stay there until they are requested."""

    are_at_hand: ClassVar[bool] = False
    most_listed: ClassVar[int] = 100

    def __init__(self, counts: ThreeWayCounts) -> None:
        self._labels, self._records = counts.labels, counts.records
        self._most, self._fetched = 0, dict[tuple[int, ...], tuple[Any, ...]]()  # limit per cell, and records

    def cluster(self, side: int, number: int, /) -> Any:
        return self._labels[side][number]

    def unclustered(self, side: int, /) -> NDArray[np.int64]:  # noqa: ARG002  (engines refuse singletons)
        return NO_CLUSTERS

    def fetch(self, cells: Sequence[tuple[int, ...]], each: int) -> None:
        """Fetch up to ``each`` records of these cells with one query, and keep them."""
        self._most, self._fetched = each, dict(zip(cells, self._found(cells, each), strict=True))

    def examples(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        if each <= self._most and all(cell in self._fetched for cell in cells):
            return [self._fetched[cell][:each] for cell in cells]
        return self._found(cells, each)

    def _found(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        u, v, w = self._labels
        return self._records([(u[row], v[first], w[second]) for row, first, second in cells], each)


ThreeNames = MemoryNames | SourceNames
