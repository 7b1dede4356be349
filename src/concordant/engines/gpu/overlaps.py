"""The contingency table of labels on a device: its cells stay there, within limits, until they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.availability import ALL_AT_HAND, Availability, Need
from concordant.counts.table import LabelLookups, Table
from concordant.engines.gpu.device import DeviceArray, explained
from concordant.engines.gpu.kernels import WindowCounts
from concordant.errors import Remedy, TooLargeError


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The labels of one side as an engine counts them: distances from the lowest, or codes."""

    labels: DeviceArray
    is_bool: bool = False
    distinct: DeviceArray = None  # the labels by their codes, where these were made here
    names: Any = None  # what the labels themselves are codes of
    alone: int | None = None  # the label of elements that stand alone, which are in no cluster

    def spelled(self, labels: NDArray[Any]) -> Sequence[Any]:
        """These labels as the caller knows them; None for those of elements that stand alone."""
        if self.alone is not None:
            known = replace(self, alone=None).spelled(labels)
            apart = (labels == self.alone).tolist()
            return [None if alone else label for label, alone in zip(known, apart, strict=True)]
        if self.names is not None:
            return [self.names[label] for label in labels.tolist()]
        return list((labels != 0).tolist() if self.is_bool else labels.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class TableLines:
    """The rows or the columns of a table: labels in ascending order, and where each first appears."""

    labels: DeviceArray
    first: DeviceArray


@dataclass(frozen=True, slots=True, eq=False)
class KeptTable:
    """Cells in arrays of NumPy or CuPy, numbered when they are wanted as the core numbers them."""

    arrays: Any  # the module that they belong to
    row: DeviceArray  # places among the lines
    column: DeviceArray
    n: DeviceArray
    rows: TableLines
    columns: TableLines
    sides: tuple[Side, Side]
    device: Any = None

    @property
    def availability(self) -> Availability:
        return ALL_AT_HAND

    def table(self) -> Table:
        """The table on the host: lines in the order in which they first appear."""
        if self.device is None:
            return self._table()
        with explained(self.arrays), self.device:
            return self._table()

    def _table(self) -> Table:
        (row_order, row_rank), (column_order, column_rank) = map(self._ranks, (self.rows, self.columns))
        row, column = row_rank[self.row], column_rank[self.column]
        order = self.arrays.argsort(row * len(column_order) + column)
        cells = [self._on_host(each[order]) for each in (row, column, self.n)]
        first = [
            self._on_host(lines.first[by])
            for lines, by in ((self.rows, row_order), (self.columns, column_order))
        ]
        return Table(*cells, *first, labels=self._labels(row_order, column_order))

    def _ranks(self, lines: TableLines) -> tuple[DeviceArray, DeviceArray]:
        """The lines in their order, and the place of each in it."""
        xp = self.arrays
        order = xp.argsort(lines.first)
        rank = xp.empty(len(order), dtype=np.int64)
        rank[order] = xp.arange(len(order))
        return order, rank

    def _labels(self, row_order: DeviceArray, column_order: DeviceArray) -> LabelLookups:
        u, v = self.sides
        return (
            u.spelled(self._on_host(self.rows.labels[row_order], None)),
            v.spelled(self._on_host(self.columns.labels[column_order], None)),
        )

    def _on_host(self, values: DeviceArray, dtype: Any = np.int64) -> NDArray[Any]:
        brought: NDArray[Any] = values if self.arrays is np else self.arrays.asnumpy(values)
        return brought if dtype is None else brought.astype(dtype, copy=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _on_the_host, _columns_of(self.table())  # the counts travel, the device does not


class WindowTable:
    """A small table with places for labels that are not there; it is brought from the device when wanted."""

    found: WindowCounts

    def __init__(
        self,
        cupy: Any,
        device: Any,
        found: WindowCounts,
        labels: tuple[Callable[[Any], Any], Callable[[Any], Any]],  # the labels at places of the window
        sides: tuple[Side, Side],
    ) -> None:
        self._cupy, self._device, self.found = cupy, device, found
        self._labels, self._sides = labels, sides

    @property
    def availability(self) -> Availability:
        return ALL_AT_HAND

    @cached_property
    def _brought(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        with explained(self._cupy), self._device:
            return self.found.bring()

    @property
    def counts(self) -> NDArray[np.int64]:
        """All cells of the window, also the empty ones."""
        window = self.found.window
        counts: NDArray[np.int64] = self._brought[0].view(np.int64)
        return counts.reshape(window.rows, window.columns)

    @property
    def first(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The complements of the places where the labels of rows and columns first appear."""
        return self._brought[1], self._brought[2]

    def table(self) -> Table:
        """The cells, in the order in which lines first appear."""
        rows, columns = (np.flatnonzero(self.counts.any(axis=axis)) for axis in (1, 0))
        filled = self.counts[np.ix_(rows, columns)]
        row, column = filled.nonzero()
        with explained(self._cupy), self._device:
            lines = [
                TableLines(self._cupy.asnumpy(labels(present)), ~first[present])
                for labels, present, first in zip(self._labels, (rows, columns), self.first, strict=True)
            ]
        return KeptTable(np, row, column, filled[row, column], lines[0], lines[1], self._sides).table()

    def __reduce__(self) -> tuple[Any, ...]:
        return _on_the_host, _columns_of(self.table())


def _columns_of(table: Table) -> tuple[Any, ...]:
    return table.row, table.column, table.n, table.row_first, table.column_first, table.labels


def _on_the_host(*cells_and_labels: Any) -> Table:
    *cells, labels = cells_and_labels
    return Table(*cells, labels=labels)


@dataclass(frozen=True, slots=True)
class UnkeptTable:
    """A table that was not kept, because it has more cells than the limit allows."""

    cells: int
    limit: int

    @property
    def availability(self) -> Availability:
        return Availability(Need.SIZES, price=f"{self._price}; compare again with table_limit={self.cells}")

    @property
    def _price(self) -> str:
        return (
            f"{self.cells:,} overlaps would be kept on the GPU and copied to the host, and the limit is "
            f"{self.limit:,} (table_limit)"
        )

    def table(self) -> Table:
        raise TooLargeError(
            f"this needs to know which clusters overlap: {self._price}; use an index that needs no table, "
            "such as adjusted_rand, bcubed_f or split_join",
            remedies=[Remedy("compare again and keep them", table_limit=self.cells)],
        )
