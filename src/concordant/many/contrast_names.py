"""Who the clusters and the records of a contrast are, in memory or in the sources where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from concordant.comparisons import Comparison
from concordant.counts.three_way import ThreeWay, ThreeWayCounts


class MemoryNames:
    """Names of what lies in memory, by the two comparisons, which have the elements in one order."""

    are_at_hand: ClassVar[bool] = True
    most_listed: ClassVar[int] = 300  # records of each outcome on a page

    def __init__(self, cells: ThreeWay, comparisons: tuple[Comparison, Comparison]) -> None:
        self._cells = cells
        self._names = [each._counted.names.records for each in comparisons]  # noqa: SLF001  (its own kind)

    @cached_property
    def _by_cell(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        ends = np.concatenate([[0], np.cumsum(self._cells.n)])
        return np.argsort(self._cells.cell, kind="stable"), ends

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        """The first cell of each cluster of the reference."""
        return np.unique(self._cells.reference, return_index=True)[1]

    def reference(self, number: int, /) -> Any:
        return self.labels(int(self._first[number]))[0]

    def labels(self, cell: int, /) -> tuple[Any, Any, Any]:
        position = int(self._cells.position[cell])
        (reference, before), (_, after) = (names.labels(position) for names in self._names)
        return reference, before, after

    def bring(self, cells: Sequence[int], each: int) -> None:
        """Nothing has to be brought."""

    def records(self, cells: Sequence[int], each: int, /) -> list[tuple[Any, ...]]:
        order, ends = self._by_cell
        spans = ((ends[cell], min(ends[cell] + each, ends[cell + 1])) for cell in cells)
        return [tuple(map(self._names[0].record, order[a:b].tolist())) for a, b in spans]


class SourceNames:
    """Labels that were brought out of sources; records stay there until they are asked for."""

    are_at_hand: ClassVar[bool] = False
    most_listed: ClassVar[int] = 100

    def __init__(self, counts: ThreeWayCounts) -> None:
        self._cells, self._labels, self._records = counts.cells, counts.labels, counts.records
        self._most, self._brought = 0, dict[int, tuple[Any, ...]]()  # up to so many records of these cells

    def reference(self, number: int, /) -> Any:
        return self._labels[0][number]

    def labels(self, cell: int, /) -> tuple[Any, Any, Any]:
        sides = (self._cells.reference, self._cells.first, self._cells.second)
        u, v, w = (labels[int(side[cell])] for labels, side in zip(self._labels, sides, strict=True))
        return u, v, w

    def bring(self, cells: Sequence[int], each: int) -> None:
        """Keep up to ``each`` records of these cells, by one query."""
        self._most, self._brought = each, dict(zip(cells, self._found(cells, each), strict=True))

    def records(self, cells: Sequence[int], each: int, /) -> list[tuple[Any, ...]]:
        if each <= self._most and all(cell in self._brought for cell in cells):
            return [self._brought[cell][:each] for cell in cells]
        return self._found(cells, each)

    def _found(self, cells: Sequence[int], each: int) -> list[tuple[Any, ...]]:
        return self._records([self.labels(cell) for cell in cells], each)
