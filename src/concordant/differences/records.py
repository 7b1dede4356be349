"""Each record's own score: which records the candidate treats worst.

For a record in an overlap of n elements, between a reference cluster of a and a candidate cluster of b:
precision n/b, recall n/a, similarity n/max(a, b). Their means over all records are B-cubed precision,
B-cubed recall and the element-centric similarity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.table import Table
from concordant.differences.lazy_list import LazyList
from concordant.differences.ranking import check_largest, largest_of
from concordant.errors import ParameterError
from concordant.partitions.alignment import Aligned
from concordant.partitions.partition import Partition

RecordsBy = Literal["similarity", "precision", "recall"]

_SEARCHES = 3


@dataclass(frozen=True, slots=True)
class RecordScore:
    """One record, the clusters it is in, and how well the candidate treats it."""

    record: Any  # its name, or its position where it has none
    reference: Any  # the label of its reference cluster
    candidate: Any
    precision: float
    recall: float
    similarity: float


class RecordNames:
    """Who the records and the clusters of two aligned partitions are."""

    def __init__(self, aligned: Aligned, partitions: tuple[Partition, Partition], table: Table) -> None:
        self._aligned, self._partitions, self._table = aligned, partitions, table
        self._searches = 0

    def reference(self, row: int, /) -> Any:
        return self._label(0, int(self._first_of(0)[row]))

    def candidate(self, column: int, /) -> Any:
        return self._label(1, int(self._first_of(1)[column]))

    def record(self, position: int) -> Any:
        """The name of a record, or its position in what was handed over."""
        where = self._where(0, position)
        side, place = (0, where) if where >= 0 else (1, self._where(1, position))
        elements = self._partitions[side].elements
        return place if elements is None else plain(elements[place])

    def labels(self, position: int) -> tuple[Any, Any]:
        """The labels that a record has on the two sides."""
        return self._label(0, position), self._label(1, position)

    def examples(self, cells: Sequence[tuple[int, int]], each: int) -> list[tuple[Any, ...]]:
        if not each or not cells:
            return [()] * len(cells)
        self._searches += 1
        rows, columns = np.array(cells, dtype=np.int64).T
        # A search through the records finds a few cells quickly; for repeated questions an index pays.
        find = self._search if self._searches <= _SEARCHES else self._look_up
        return [tuple(map(self.record, found[:each].tolist())) for found in find(rows, columns)]

    def _search(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """The records of each of these cells, in one pass over all."""
        u, v = np.asarray(self._aligned.reference), np.asarray(self._aligned.candidate)
        u_wanted, row_code = np.unique(u[self._first_of(0)[rows]], return_inverse=True)
        v_wanted, column_code = np.unique(v[self._first_of(1)[columns]], return_inverse=True)
        within = np.flatnonzero(np.isin(u, u_wanted) & np.isin(v, v_wanted))
        key = np.searchsorted(u_wanted, u[within]) * len(v_wanted) + np.searchsorted(v_wanted, v[within])
        wanted = row_code * len(v_wanted) + column_code
        order = np.argsort(wanted)
        place = np.minimum(np.searchsorted(wanted[order], key), len(order) - 1)
        hit = wanted[order][place] == key
        position, start = core.grouped(order[place[hit]])
        return np.split(within[hit][position], start[1:-1])

    def _look_up(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        order, start = self.by_cell
        width, keys = self._cell_keys
        numbers = np.searchsorted(keys, rows * width + columns)
        return [order[start[number] : start[number + 1]] for number in numbers.tolist()]

    @cached_property
    def _cell_keys(self) -> tuple[int, NDArray[np.int64]]:
        """Numbers that grow with the cells, which are sorted by row and column."""
        width = int(self._table.column.max(initial=0)) + 1
        return width, self._table.row * width + self._table.column

    @cached_property
    def codes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The row and the column of each record."""
        row = core.factorize(np.asarray(self._aligned.reference))[0]
        return row, core.factorize(np.asarray(self._aligned.candidate))[0]

    @cached_property
    def by_cell(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The records cell by cell, and where each cell starts among them."""
        row, column = self.codes
        order = core.grouped(column)[0]
        order = order[core.grouped(row[order])[0]]
        return order, np.concatenate([[0], np.cumsum(self._table.n)])

    @cached_property
    def cell(self) -> NDArray[np.int64]:
        """The cell of each record."""
        order, start = self.by_cell
        cells = np.empty(len(order), dtype=np.int64)
        cells[order] = np.repeat(np.arange(len(start) - 1), np.diff(start))
        return cells

    def _first_of(self, side: int) -> NDArray[Any]:
        first = self._table.row_first if side == 0 else self._table.column_first
        return core.factorize(self.codes[side])[1] if first is None else first

    def _label(self, side: int, position: int) -> Any:
        where = self._where(side, position)
        # A record that one side lacked stands alone there, under no label.
        return plain(self._partitions[side].originals[where]) if where >= 0 else None

    def _where(self, side: int, position: int) -> int:
        place = self._aligned.candidate_position if side else self._aligned.reference_position
        return position if place is None else int(place[position])


class RecordScores(LazyList[RecordScore]):
    """The records that are worst off, worst first."""

    def __init__(
        self, scores: dict[str, NDArray[np.float64]], records: NDArray[np.int64], names: RecordNames
    ) -> None:
        super().__init__(len(records), len(scores["precision"]))
        self._scores, self._records, self._names_of = scores, records, names

    def _make(self, start: int, stop: int) -> list[RecordScore]:
        return [
            RecordScore(
                self._names_of.record(position),
                *self._names_of.labels(position),
                **{key: float(values[position]) for key, values in self._scores.items()},
            )
            for position in self._records[start:stop].tolist()
        ]

    def _names(self) -> Sequence[str]:
        return [field.name for field in fields(RecordScore)]

    def _title(self) -> str:
        return f"{self.total:,} records"


def worst(names: RecordNames, table: Table, largest: int | None, by: RecordsBy) -> RecordScores:
    """The records with the lowest score first; ties in the order in which they came."""
    largest = check_largest(largest)
    if not isinstance(by, str) or by not in get_args(RecordsBy):
        raise ParameterError(f"by={by!r}: use 'similarity', 'precision' or 'recall'")
    n, a, b = (sizes[names.cell] for sizes in (table.n, table.a, table.b))
    scores = {"precision": n / b, "recall": n / a, "similarity": n / np.maximum(a, b)}
    return RecordScores(scores, largest_of(-scores[by], largest), names)


def plain(value: Any) -> Any:
    """A number or a string of NumPy's as Python's own."""
    return value.item() if isinstance(value, np.generic) and value.dtype.kind in "biufUS" else value
