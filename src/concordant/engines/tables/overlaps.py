"""The contingency table of an engine that keeps it to itself.

Only cells that are not a whole cluster of both sides are fetched. The others follow from the profile by
their size, and have no labels here. If there are few, they come with the counts; otherwise they stay with the
engine until someone asks for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.availability import ALL_AT_HAND, Availability, Need
from concordant.counts.table import Table
from concordant.engines.tables.answer import NOBODY, Answer, SizedCells
from concordant.engines.tables.values import KeyCells, SourceLabels, label_order
from concordant.errors import Remedy, TooLargeError

Cell = tuple[Any, Any, int, int, int]  # labels of both sides, which stands alone, overlap, how many such

ALONE_IN_REFERENCE, ALONE_IN_CANDIDATE = 1, 2  # because the record is missing there

# Up to so many overlaps come with the counts: a comparison can be printed without a second query.
FEW_CELLS = 100_000

# Python objects for the labels and the numbers of a cell, before they become arrays.
_BYTES_OF_A_CELL = 250

# What a comparison takes for each cell once the table is made, and what the process takes besides.
_BYTES_IN_A_TABLE = 200
_BYTES_OF_ALL_ELSE = 2**27


class EngineTable:
    """A table that came with the counts, or that the engine is asked for on first use."""

    def __init__(
        self,
        answer: Answer,
        limit: int,
        fetch: Callable[[], Iterable[Cell]],
        memory: int | None = None,  # the bytes that the process may use
    ) -> None:
        self._whole = _sizes(answer.cells.those(answer.cells.are_whole))
        self._differing, self._fetched = answer.differing, answer.differing_cells
        self._limit, self._fetch = limit, fetch
        needed = answer.cells.total * _BYTES_IN_A_TABLE
        is_too_large = memory is not None and needed > max(memory - _BYTES_OF_ALL_ELSE, memory // 4)
        self._needed_bytes = needed + _BYTES_OF_ALL_ELSE if is_too_large else 0

    @property
    def availability(self) -> Availability:
        if self._needed_bytes:
            return Availability(Need.BEST, price=f"{self._size}, which is more than memory= allows")
        if self._fetched is not None:
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
    def _size(self) -> str:
        return f"the table of all overlaps takes about {self._needed_bytes / 2**30:,.1f} GiB"

    def _cells(self) -> Iterable[Cell]:
        if self._needed_bytes:
            raise TooLargeError(
                f"this needs to know which clusters overlap, and {self._size}; use an index that needs no "
                "table, such as adjusted_rand, bcubed_f, split_join or closest_cluster_f1",
                remedies=[Remedy("allow it", memory=f"{self._needed_bytes // 10**6 + 1}MB")],
            )
        if self._fetched is None and self._differing > self._limit:
            raise TooLargeError(
                f"this needs to know which clusters overlap: {self._price}, and the limit is {self._limit:,}"
                "; use an index that needs no table, such as adjusted_rand, bcubed_f, split_join or "
                "closest_cluster_f1",
                remedies=[Remedy("allow it", table_limit=self._differing)],
            )
        return self._fetch() if self._fetched is None else self._fetched

    def table(self) -> Table:
        cells = self._cells()
        if isinstance(cells, KeyCells):
            alone, n = cells.alone, cells.n
            numbers, labels = zip(*(cells.numbered(side, FEW_CELLS) for side in (0, 1)), strict=True)
        else:
            cells = list(cells)
            alone, n, count = np.array([cell[2:] for cell in cells], dtype=np.int64).reshape(-1, 3).T
            numbers, labels = zip(*(_numbered(cells, side) for side in (0, 1)), strict=True)
            # n elements that are singletons are n cells of one
            numbers = tuple(np.repeat(each, count) for each in numbers)
            alone, n = np.repeat(alone, count), np.repeat(n, count)
        whole = np.repeat(*np.array(self._whole, dtype=np.int64).reshape(-1, 2).T)
        rows, columns = (
            _with_singletons(numbers[side], numbers[1 - side], len(labels[side]), len(whole))
            for side in (0, 1)
        )
        n = np.concatenate([n, whole])
        # One key of both numbers sorts several times faster than two; memory does not hold 2^31 of each.
        order = np.argsort(rows * (int(columns.max(initial=0)) + 1) + columns)
        return Table(rows[order], columns[order], n[order], labels=(labels[0], labels[1]))


class PartialOverlapTable(EngineTable):
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
        shared = []
        for u, v, alone, n, count in self._cells():
            if alone != ALONE_IN_REFERENCE:
                sizes[0][u] += n * count
            if alone != ALONE_IN_CANDIDATE:
                sizes[1][v] += n * count
            if alone == NOBODY:
                shared.append((u, v, n))
        whole = np.repeat(*np.array(self._both, dtype=np.int64).reshape(-1, 2).T)
        numbers, all_sizes = [], []
        for side, single in ((0, self._single[1]), (1, self._single[0])):
            # First the clusters of shared records, then those that both sides have, then all others.
            labels = dict.fromkeys(cell[side] for cell in shared)
            number = {label: place for place, label in enumerate(labels)}
            own = [number[cell[side]] for cell in shared]
            numbers.append(np.array([*own, *range(len(labels), len(labels) + len(whole))], dtype=np.int64))
            others = [size for label, size in sizes[side].items() if label not in labels]
            first = [sizes[side][label] for label in labels]
            all_sizes.append(np.array([*first, *whole.tolist(), *others, *[1] * single], dtype=np.int64))
        row, column = numbers
        overlaps = np.concatenate([np.array([cell[2] for cell in shared], dtype=np.int64), whole])
        order = np.lexsort((column, row))
        return Table(row[order], column[order], overlaps[order], sizes=(all_sizes[0], all_sizes[1]))


def _numbered(cells: Sequence[Cell], side: int) -> tuple[NDArray[np.int64], SourceLabels]:
    """The cluster number of each cell, -1 for a singleton without a label, and the labels by number.

    Engines return cells in any order; few of them are numbered in the order of their labels.
    """
    alone = (ALONE_IN_REFERENCE, ALONE_IN_CANDIDATE)[side]
    found = dict.fromkeys(cell[side] for cell in cells if not cell[2] & alone)
    labels = sorted(found, key=label_order) if len(cells) <= FEW_CELLS else list(found)
    number = {label: place for place, label in enumerate(labels)}
    numbers = [-1 if cell[2] & alone else number[cell[side]] for cell in cells]
    return np.array(numbers, dtype=np.int64), SourceLabels(labels)


def _with_singletons(
    own: NDArray[np.int64], other: NDArray[np.int64], labels: int, whole: int
) -> NDArray[np.int64]:
    """The cluster number of each cell, then of the clusters that both sides have.

    Singletons without a label are numbered in the order of the labels of the other side.
    """
    apart = np.flatnonzero(own < 0)
    apart = apart[np.argsort(other[apart].astype(np.uint64), kind="stable")]  # -1 comes last
    count = labels + len(apart)
    numbers = own.copy()
    numbers[apart] = np.arange(labels, count)
    return np.concatenate([numbers, np.arange(count, count + whole)])


def _sizes(whole: SizedCells) -> list[tuple[int, int]]:
    """Those of cells that are a whole cluster of both sides, ascending, and how many have each."""
    order = np.argsort(whole.n, kind="stable")
    return list(zip(whole.n[order].tolist(), whole.count[order].tolist(), strict=True))
