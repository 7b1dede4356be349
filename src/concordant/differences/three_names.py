"""The names of the clusters and records of three partitions, in memory or in the sources that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import sums_by
from concordant.counts.counted import NO_CLUSTERS, Records
from concordant.counts.three_way import ThreeWay, ThreeWayCounts


class MemoryNames:
    """Names in memory, from the records of the two comparisons, which have the elements in one order."""

    are_at_hand: ClassVar[bool] = True
    most_listed: ClassVar[int] = 300  # records of each outcome on a page

    def __init__(self, cells: ThreeWay, before: Records, after: Records, *, has_unclustered: bool) -> None:
        self._cells, self._names, self._has_unclustered = cells, (before, after), has_unclustered

    @cached_property
    def _by_cell(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        ends = np.concatenate([[0], np.cumsum(self._cells.n)])
        return np.argsort(self._cells.cell, kind="stable"), ends

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        """The first cell of each cluster of the reference."""
        return np.unique(self._cells.reference, return_index=True)[1]

    def reference(self, number: int) -> Any:
        """The label of a cluster of the reference."""
        return self.labels(int(self._first[number]))[0]

    def unclustered(self, side: int) -> NDArray[np.int64]:
        """The numbers of the singletons of one of the three that are not clusters, such as noise."""
        if not self._has_unclustered:
            return NO_CLUSTERS
        numbers = (self._cells.reference, self._cells.first, self._cells.second)[side]
        first = np.unique(numbers, return_index=True)[1]
        alone = np.flatnonzero(sums_by(numbers, self._cells.n) == 1)
        unclustered = [number for number in alone.tolist() if self.labels(int(first[number]))[side] is None]
        return np.array(unclustered, dtype=np.int64)

    def labels(self, cell: int) -> tuple[Any, Any, Any]:
        """The three labels of the records of a three-way cell."""
        position = int(self._cells.position[cell])
        (reference, before), (_, after) = (names.labels(position) for names in self._names)
        return reference, before, after

    def bring(self, cells: Sequence[int], each: int) -> None:
        """Nothing to fetch."""

    def records(self, cells: Sequence[int], each: int) -> list[tuple[Any, ...]]:
        """Up to ``each`` records of each of these three-way cells."""
        order, ends = self._by_cell
        spans = ((ends[cell], min(ends[cell] + each, ends[cell + 1])) for cell in cells)
        return [tuple(map(self._names[0].record, order[a:b].tolist())) for a, b in spans]


class SourceNames:
    """Labels fetched from sources; records stay there until they are requested."""

    are_at_hand: ClassVar[bool] = False
    most_listed: ClassVar[int] = 100

    def __init__(self, counts: ThreeWayCounts) -> None:
        self._cells, self._labels, self._records = counts.cells, counts.labels, counts.records
        self._most, self._brought = 0, dict[int, tuple[Any, ...]]()  # fetched: limit per cell, and records

    def reference(self, number: int) -> Any:
        return self._labels[0][number]

    def unclustered(self, side: int) -> NDArray[np.int64]:  # noqa: ARG002  (engines refuse singletons)
        return NO_CLUSTERS

    def labels(self, cell: int) -> tuple[Any, Any, Any]:
        sides = (self._cells.reference, self._cells.first, self._cells.second)
        u, v, w = (labels[int(side[cell])] for labels, side in zip(self._labels, sides, strict=True))
        return u, v, w

    def bring(self, cells: Sequence[int], each: int) -> None:
        """Fetch up to ``each`` records of these cells with one query, and keep them."""
        self._most, self._brought = each, dict(zip(cells, self._found(cells, each), strict=True))

    def records(self, cells: Sequence[int], each: int) -> list[tuple[Any, ...]]:
        if each <= self._most and all(cell in self._brought for cell in cells):
            return [self._brought[cell][:each] for cell in cells]
        return self._found(cells, each)

    def _found(self, cells: Sequence[int], each: int) -> list[tuple[Any, ...]]:
        return self._records([self.labels(cell) for cell in cells], each)


ThreeNames = MemoryNames | SourceNames
