"""Table: which clusters overlap, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.counts.contingency import Contingency, LabelLookups
from concordant.differences.lazy_list import LazyList, field_names
from concordant.foundation.results import Field, Listing
from concordant.foundation.spelling import counted, quoted
from concordant.maths.arithmetic import Integers

_GRID = 12  # rows and columns that are printed as a table


@dataclass(frozen=True, slots=True)
class TableCell:
    """Two clusters that overlap. `Comparison.table` lists them.

    Attributes
    ----------
    reference, candidate : object
        Labels of the two clusters; without labels, their numbers.
    overlap : int
        Number of records in both clusters.
    reference_size, candidate_size : int
        Sizes of the two clusters.
    """

    reference: Any
    candidate: Any
    overlap: int
    reference_size: int
    candidate_size: int


class Table(LazyList[TableCell]):
    """The non-empty cells of the contingency table, by reference cluster, then by candidate cluster.

    `Comparison.table` returns it. A small table is printed as a grid.

    Attributes
    ----------
    reference_sizes, candidate_sizes : array of int
        Size of each cluster of the two sides.

    Examples
    --------
    >>> import concordant as cc
    >>> table = cc.compare(list("aab"), [1, 1, 2]).table
    >>> table[0], table.candidate_sizes.tolist()
    (TableCell(reference='a', candidate=1, overlap=2, reference_size=2, candidate_size=2), [2, 1])
    """

    reference_sizes: Integers
    candidate_sizes: Integers
    _cells: Contingency
    _labels: tuple[Any, Any]
    _labels_are_complete = True

    def __init__(self, cells: Contingency, labels: LabelLookups | None) -> None:
        super().__init__(range(len(cells)), columns=field_names(TableCell))
        sizes = cells.row_sizes, cells.column_sizes
        numbers = range(len(sizes[0])), range(len(sizes[1]))
        vars(self).update(reference_sizes=sizes[0], candidate_sizes=sizes[1])
        vars(self).update(_cells=cells, _labels=labels or cells.labels or numbers)

    def _columns_of(self, places: range) -> list[list[Any]]:
        """The columns of some of the cells."""
        cells, chosen = self._cells, np.arange(places.start, places.stop, places.step)
        row, column = cells.row[chosen], cells.column[chosen]
        reference, candidate = self._labels
        return [
            [reference[number] for number in row.tolist()],
            [candidate[number] for number in column.tolist()],
            cells.n[chosen].tolist(),
            cells.row_sizes[row].tolist(),
            cells.column_sizes[column].tolist(),
        ]

    def _make(self, start: int, stop: int) -> list[TableCell]:
        return [TableCell(*cell) for cell in zip(*self._columns_of(range(start, stop)), strict=True)]

    def _frame_columns(self) -> dict[str, list[Any]]:
        return dict(zip(self._names(), self._columns_of(self._range), strict=True))

    def __repr__(self) -> str:
        clusters = f"{len(self.reference_sizes):,} by {counted(len(self.candidate_sizes), 'cluster')}"
        return f"<Table of {clusters}: {counted(len(self), 'overlap')}>"

    @property
    def _is_grid(self) -> bool:
        """Whether the whole table is shown as a grid, not as a list."""
        shape = len(self.reference_sizes), len(self.candidate_sizes)
        return len(self) == self.total and 0 < shape[0] <= _GRID and shape[1] <= _GRID

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        if not self._is_grid:
            return super()._listings(limit)
        cells, (reference, candidate) = self._cells, self._labels
        rows, columns = range(len(self.reference_sizes)), range(len(self.candidate_sizes))
        overlaps = np.zeros((len(rows), len(columns)), dtype=object)
        overlaps[cells.row, cells.column] = cells.n.tolist()
        lines = [(quoted(reference[i]), *overlaps[i].tolist()) for i in rows]
        names = [Field("reference", ""), *(Field("candidate", quoted(candidate[j])) for j in columns)]
        return [Listing(lines, names)]
