"""Table: which clusters overlap, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from concordant import core
from concordant.counts.arithmetic import Integers, as_integers, sums_by
from concordant.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The non-empty cells of the contingency table, sorted by row, then column."""

    row: Integers
    column: Integers
    n: Integers
    row_first: Integers | None = None  # position of the first element of each row's cluster
    column_first: Integers | None = None

    @property
    def a(self) -> Integers:
        """Size of the row cluster, for each cell."""
        return sums_by(self.row, self.n)[self.row]

    @property
    def b(self) -> Integers:
        """Size of the column cluster, for each cell."""
        return sums_by(self.column, self.n)[self.column]

    def transposed(self) -> Table:
        order = core.grouped(self.column)[0]  # the rows are in order already
        return Table(self.column[order], self.row[order], self.n[order], self.column_first, self.row_first)


def table_of(table: Any) -> Table:
    row, column, values = _coordinates(table)
    if values.dtype.kind not in "iu":
        checked = [_count(*cell) for cell in zip(row, column, values.tolist(), strict=True)]
        values = np.array(checked, dtype=object)
    elif len(values) and values.min() < 0:
        worst = int(values.argmin())
        _count(row[worst], column[worst], int(values[worst]))
    filled = values > 0
    row, column, values = row[filled], column[filled], values[filled]
    size = sum(values.tolist())
    return _merged(_dense_codes(row), _dense_codes(column), as_integers(values, size))


def _coordinates(table: Any) -> tuple[Integers, Integers, Integers]:
    if hasattr(table, "tocoo"):
        sparse = table.tocoo()
        return np.asarray(sparse.row), np.asarray(sparse.col), np.asarray(sparse.data)
    if isinstance(table, np.ma.MaskedArray) and np.ma.is_masked(table):
        raise InputError("the contingency table has masked cells; fill them with counts first")
    try:
        dense = np.asarray(table)
    except ValueError as error:
        raise InputError(f"the contingency table is ragged: {error}") from error
    if dense.ndim != 2:
        raise InputError(
            f"a contingency table has two dimensions, this has {dense.ndim}; "
            "for labels use concordant.compare"
        )
    row, column = np.indices(dense.shape).reshape(2, -1) if dense.dtype.kind == "O" else dense.nonzero()
    return row, column, dense[row, column]


def _count(row: Any, column: Any, value: Any) -> int:
    is_count = isinstance(value, int | float) and 0 <= value < inf and value == int(value)
    if not is_count:
        raise InputError(
            f"cell ({row}, {column}) of the contingency table holds {value!r}: a count is a whole number >= 0"
        )
    return int(value)


def _merged(row: Integers, column: Integers, n: Integers) -> Table:
    """The cells in order, those given more than once added up."""
    order = np.lexsort((column, row))
    row, column, n = row[order], column[order], n[order]
    first = np.ones(len(row), dtype=bool)
    first[1:] = (np.diff(row) != 0) | (np.diff(column) != 0)
    return Table(row[first], column[first], sums_by(np.cumsum(first) - 1, n, int(first.sum())))


def _dense_codes(values: Integers) -> Integers:
    codes: Integers = np.unique(values, return_inverse=True)[1]
    return codes.astype(np.int64)
