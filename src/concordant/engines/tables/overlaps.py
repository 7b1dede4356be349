"""The contingency table of an engine that keeps it to itself, brought here when an index needs it.

Only cells that are not a whole cluster of both sides are brought: the others are alike, known from
the profile by their size, and made up here without names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from concordant.counts.table import Table
from concordant.engines.tables.answer import Answer
from concordant.errors import Remedy, TooLargeError

Cell = tuple[Any, Any, int, int, int]  # labels of both sides, who stands alone, overlap, how often
Finder = Callable[[list[tuple[Any, Any]], int], list[tuple[Any, ...]]]

# Python objects for the labels and the numbers of a cell, before they become arrays.
_BYTES_OF_A_CELL = 250


def examples_of(pairs: list[tuple[Any, Any]], each: int, find: Finder) -> list[tuple[Any, ...]]:
    """A few records of each pair of labels; none where a label is not known."""
    known = [pair for pair in pairs if None not in pair]
    found = iter(find(known, each) if known and each > 0 else [()] * len(known))
    return [() if None in pair else next(found) for pair in pairs]


class Brought:
    """The table and its names. Nothing is brought before it is asked for."""

    def __init__(self, answer: Answer, limit: int, fetch: Callable[[], Iterable[Cell]], find: Finder) -> None:
        self._whole = [(n, count) for (_, n, a, b), count in sorted(answer.cells.items()) if n == a == b]
        self._tangled = sum(count for (_, n, a, b), count in answer.cells.items() if not n == a == b)
        self._limit, self._fetch, self._find = limit, fetch, find
        self._labels: tuple[dict[Any, int], dict[Any, int]] = ({}, {})

    def table(self) -> Table:
        """The cells in order."""
        return self._brought[0]

    def reference(self, row: int) -> Any:
        """The label of a reference cluster; None where it is the same in both partitions, or stands alone."""
        return self._brought[1][0].get(row)

    def candidate(self, column: int) -> Any:
        """The label of a candidate cluster; None where it is the same in both partitions, or stands alone."""
        return self._brought[1][1].get(column)

    def examples(self, cells: Sequence[tuple[int, int]], each: int) -> list[tuple[Any, ...]]:
        """For each cell (row, column) up to ``each`` records that lie in it, found by the engine."""
        pairs = [(self.reference(row), self.candidate(column)) for row, column in cells]
        return examples_of(pairs, each, self._find)

    @cached_property
    def _brought(self) -> tuple[Table, tuple[dict[int, Any], dict[int, Any]]]:
        if self._tangled > self._limit:
            raise TooLargeError(
                f"this needs to know which clusters overlap: {self._tangled:,} overlaps of clusters that "
                "differ would be brought out of the engine, about "
                f"{self._tangled * _BYTES_OF_A_CELL / 2**30:,.1f} GiB, and "
                f"the limit is {self._limit:,}; use an index that needs no table, such as adjusted_rand, "
                "bcubed_f, split_join or closest_cluster_f1",
                remedies=[Remedy("allow it", table_limit=self._tangled)],
            )
        numbers = _Numbers()
        row, column, n = numbers.of_cells(self._fetch())
        for size, count in self._whole:
            row.append(numbers.new(0, count))
            column.append(numbers.new(1, count))
            n.append(np.full(count, size, dtype=np.int64))
        rows, columns, sizes = (_joined(parts) for parts in (row, column, n))
        order = np.lexsort((columns, rows))
        names = [{number: label for label, number in labels.items()} for labels in numbers.labels]
        return Table(rows[order], columns[order], sizes[order]), (names[0], names[1])


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

    def new(self, side: int, count: int) -> np.ndarray[Any, Any]:
        first = self._next[side]
        self._next[side] += count
        return np.arange(first, first + count, dtype=np.int64)

    def of_cells(self, cells: Iterable[Cell]) -> tuple[list[Any], list[Any], list[Any]]:
        """Numbers of rows and columns and the overlaps, in pieces; n elements alone are n cells of one."""
        row, column, n = [], [], []
        for u, v, alone, overlap, count in cells:
            row.append(self.new(0, count) if alone & 1 else np.full(count, self.of(0, u)))
            column.append(self.new(1, count) if alone & 2 else np.full(count, self.of(1, v)))
            n.append(np.full(count, overlap, dtype=np.int64))
        return row, column, n


def _joined(parts: list[Any]) -> np.ndarray[Any, Any]:
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
