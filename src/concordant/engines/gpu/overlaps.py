"""The contingency table of labels on a device: its cells stay there, within limits, until they are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.offers import ALL_AT_HAND, Need, Offer
from concordant.counts.table import LabelLookups, Table
from concordant.engines.gpu.device import DeviceArray, explained
from concordant.errors import Remedy, TooLargeError


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The labels of one side as an engine counts them: distances from the lowest, or codes."""

    labels: DeviceArray
    is_bool: bool = False
    distinct: DeviceArray = None  # the labels by their codes, where these were made here
    names: Any = None  # what the labels themselves are codes of

    def spelled(self, labels: NDArray[Any]) -> Sequence[Any]:
        """These labels as the caller knows them."""
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
    def offer(self) -> Offer:
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
        table = self.table()  # the counts travel, the device does not
        cells = table.row, table.column, table.n, table.row_first, table.column_first
        return _on_the_host, (*cells, table.labels)


@dataclass(frozen=True, slots=True, eq=False)
class DenseTable:
    """A small table on the host, with places for labels that are not there; cells are made when wanted."""

    counts: NDArray[np.int64]
    rows: tuple[NDArray[np.int64], TableLines]  # which of the places are taken, and by whom
    columns: tuple[NDArray[np.int64], TableLines]
    sides: tuple[Side, Side]

    @property
    def offer(self) -> Offer:
        return ALL_AT_HAND

    def table(self) -> Table:
        """The cells, in the order in which lines first appear."""
        filled = self.counts[np.ix_(self.rows[0], self.columns[0])]
        row, column = filled.nonzero()
        cells = row, column, filled[row, column]
        return KeptTable(np, *cells, self.rows[1], self.columns[1], self.sides).table()


def _on_the_host(*cells_and_labels: Any) -> Table:
    *cells, labels = cells_and_labels
    return Table(*cells, labels=labels)


@dataclass(frozen=True, slots=True)
class UnkeptTable:
    """A table that was not kept, because it has more cells than the limit allows."""

    cells: int
    limit: int

    @property
    def offer(self) -> Offer:
        return Offer(Need.SIZES, price=f"{self._price}; compare again with table_limit={self.cells}")

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
