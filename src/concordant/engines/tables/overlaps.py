"""The contingency table of an engine that keeps it to itself.

Only cells that are not a whole cluster of both sides are brought: the others are alike, known from
the profile by their size, and made up here without names. A few are brought with the counts; more are
left with the engine until somebody asks for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from concordant.counts.availability import ALL_AT_HAND, Availability, Need
from concordant.counts.table import Table
from concordant.engines.tables.answer import NOBODY, Answer, SizedCells
from concordant.errors import Remedy, TooLargeError

Cell = tuple[Any, Any, int, int, int]  # labels of both sides, which stands alone, overlap, how many such

ALONE_IN_REFERENCE, ALONE_IN_CANDIDATE = 1, 2  # because the record is lacking there

# So many overlaps come with the counts, so that a comparison can be printed without a second query.
FEW_CELLS = 100_000

# Python objects for the labels and the numbers of a cell, before they become arrays.
_BYTES_OF_A_CELL = 250

# What a comparison takes for each cell once the table is made, and what the process takes besides.
_BYTES_IN_A_TABLE = 200
_BYTES_OF_ALL_ELSE = 2**27


def label_order(label: Any) -> tuple[str, Any]:
    """By which labels are sorted that may be of two types, such as times and what only DuckDB can write."""
    return type(label).__name__, label


class EngineTable:
    """A table that was brought with the counts, or that the engine is asked for when it is wanted."""

    def __init__(
        self,
        answer: Answer,
        limit: int,
        fetch: Callable[[], Iterable[Cell]],
        memory: int | None = None,  # the bytes that the process may use
    ) -> None:
        self._whole = _sizes(answer.cells.those(answer.cells.are_whole))
        self._differing, self._brought = answer.differing, answer.differing_cells
        self._limit, self._fetch = limit, fetch
        needed = answer.cells.total * _BYTES_IN_A_TABLE
        is_dear = memory is not None and needed > max(memory - _BYTES_OF_ALL_ELSE, memory // 4)
        self._lacking = needed + _BYTES_OF_ALL_ELSE if is_dear else 0

    @property
    def availability(self) -> Availability:
        if self._lacking:
            return Availability(Need.BEST, price=f"{self._dear}, which is more than memory= allows")
        if self._brought is not None:
            return ALL_AT_HAND
        if self._differing > self._limit:
            return Availability(
                Need.BEST, price=f"{self._price}, and the limit is {self._limit:,} (table_limit)"
            )
        return Availability(Need.BEST, Need.TABLE, f"{self._price}; c.changes() and c.table ask for them")

    @property
    def _price(self) -> str:
        return (
            f"{self._differing:,} overlaps of clusters that differ would be brought out of the engine, about "
            f"{self._differing * _BYTES_OF_A_CELL / 2**30:,.1f} GiB"
        )

    @property
    def _dear(self) -> str:
        return f"the table of all overlaps takes about {self._lacking / 2**30:,.1f} GiB"

    def _cells(self) -> Iterable[Cell]:
        if self._lacking:
            raise TooLargeError(
                f"this needs to know which clusters overlap, and {self._dear}; use an index that needs no "
                "table, such as adjusted_rand, bcubed_f, split_join or closest_cluster_f1",
                remedies=[Remedy("allow it", memory=f"{self._lacking // 10**6 + 1}MB")],
            )
        if self._brought is None and self._differing > self._limit:
            raise TooLargeError(
                f"this needs to know which clusters overlap: {self._price}, and the limit is {self._limit:,}"
                "; use an index that needs no table, such as adjusted_rand, bcubed_f, split_join or "
                "closest_cluster_f1",
                remedies=[Remedy("allow it", table_limit=self._differing)],
            )
        return self._fetch() if self._brought is None else self._brought

    def table(self) -> Table:
        cells, numbers = list(self._cells()), _Numbers()
        if len(cells) <= FEW_CELLS:
            cells = numbers.in_order(cells)
        row, column, n = numbers.of_cells(cells)
        for size, count in self._whole:
            row.append(numbers.new(0, count))
            column.append(numbers.new(1, count))
            n.append(np.full(count, size, dtype=np.int64))
        rows, columns, sizes = (_joined(parts) for parts in (row, column, n))
        order = np.lexsort((columns, rows))
        labels = (_Labels(numbers.labels[0]), _Labels(numbers.labels[1]))
        return Table(rows[order], columns[order], sizes[order], labels=labels)


class LooseEngineTable(EngineTable):
    """The same cells, without those of records that one side lacks, but with the sizes of all clusters."""

    def __init__(
        self, answer: Answer, limit: int, fetch: Callable[[], Iterable[Cell]], memory: int | None = None
    ) -> None:
        super().__init__(answer, limit, fetch, memory)
        whole = answer.cells.those(answer.cells.are_whole)
        self._both = _sizes(whole.of_alone(NOBODY))
        # Clusters of one record that the other side lacks, of the candidate and of the reference.
        self._single = [whole.of_alone(alone).total for alone in (1, 2)]

    @property
    def availability(self) -> Availability:
        available = super().availability
        if available.has(Need.TABLE):
            return available
        return replace(available, at_hand=min(available.at_hand, Need.SIZES))

    def table(self) -> Table:
        sizes: tuple[Counter[Any], Counter[Any]] = (Counter(), Counter())
        met = []
        for u, v, alone, n, count in self._cells():
            if alone != ALONE_IN_REFERENCE:
                sizes[0][u] += n * count
            if alone != ALONE_IN_CANDIDATE:
                sizes[1][v] += n * count
            if alone == NOBODY:
                met.append((u, v, n))
        whole = np.repeat(*np.array(self._both, dtype=np.int64).reshape(-1, 2).T)
        sides = [_Numbered(sizes[side], [cell[side] for cell in met]) for side in (0, 1)]
        single = self._single[1], self._single[0]
        row, column = (side.numbers(len(whole)) for side in sides)
        overlaps = np.concatenate([np.array([cell[2] for cell in met], dtype=np.int64), whole])
        order = np.lexsort((column, row))
        row_sizes, column_sizes = (
            side.sizes(whole, count) for side, count in zip(sides, single, strict=True)
        )
        return Table(row[order], column[order], overlaps[order], sizes=(row_sizes, column_sizes))


class _Numbered:
    """The clusters of one side: those that meet another, then those that are whole, then all others."""

    def __init__(self, sizes: Mapping[Any, int], met: list[Any]) -> None:
        self._number: dict[Any, int] = {}
        for label in met:
            self._number.setdefault(label, len(self._number))
        self._met, self._sizes = met, sizes

    def numbers(self, whole: int) -> np.ndarray[Any, Any]:
        first = len(self._number)
        return np.array([*map(self._number.__getitem__, self._met), *range(first, first + whole)], np.int64)

    def sizes(self, whole: np.ndarray[Any, Any], single: int) -> np.ndarray[Any, Any]:
        others = [size for label, size in self._sizes.items() if label not in self._number]
        met = [self._sizes[label] for label in self._number]
        return np.array([*met, *whole.tolist(), *others, *[1] * single], dtype=np.int64)


class _Labels:
    """Labels by the number of the cluster; None where it is the same in both partitions, or stands alone."""

    __slots__ = ("_by_number",)

    def __init__(self, numbers: Mapping[Any, int]) -> None:
        self._by_number = {number: label for label, number in numbers.items()}

    def __getitem__(self, number: int, /) -> Any:
        return self._by_number.get(number)


class _Numbers:
    """Rows and columns by number, in the order in which they come."""

    def __init__(self) -> None:
        self.labels: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
        self._next = [0, 0]

    def of(self, side: int, label: Any) -> int:
        known = self.labels[side]
        if label not in known:
            known[label] = self._next[side]
            self._next[side] += 1
        return known[label]

    def in_order(self, cells: list[Cell]) -> list[Cell]:
        """The cells in the order of their labels, which get numbers: engines bring them in no order."""
        for side, alone in ((0, ALONE_IN_REFERENCE), (1, ALONE_IN_CANDIDATE)):
            for label in sorted({cell[side] for cell in cells if not cell[2] & alone}, key=label_order):
                self.of(side, label)
        return sorted(cells, key=lambda cell: [self._place(side, cell) for side in (0, 1)])

    def _place(self, side: int, cell: Cell) -> int:
        """The number of a label; who stands alone comes after all of them."""
        alone = cell[2] & (ALONE_IN_REFERENCE, ALONE_IN_CANDIDATE)[side]
        return self._next[side] if alone else self.labels[side][cell[side]]

    def new(self, side: int, count: int) -> np.ndarray[Any, Any]:
        first = self._next[side]
        self._next[side] += count
        return np.arange(first, first + count, dtype=np.int64)

    def of_cells(self, cells: Iterable[Cell]) -> tuple[list[Any], list[Any], list[Any]]:
        """Numbers of rows and columns and the overlaps, in pieces; n elements alone are n cells of one."""
        row, column, n = [], [], []
        for u, v, alone, overlap, count in cells:
            row.append(self.new(0, count) if alone & ALONE_IN_REFERENCE else np.full(count, self.of(0, u)))
            column.append(self.new(1, count) if alone & ALONE_IN_CANDIDATE else np.full(count, self.of(1, v)))
            n.append(np.full(count, overlap, dtype=np.int64))
        return row, column, n


def _joined(parts: list[Any]) -> np.ndarray[Any, Any]:
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _sizes(whole: SizedCells) -> list[tuple[int, int]]:
    """Those of cells that are a whole cluster of both sides, ascending, and how many have each."""
    order = np.argsort(whole.n, kind="stable")
    return list(zip(whole.n[order].tolist(), whole.count[order].tolist(), strict=True))
