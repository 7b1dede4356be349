"""The contingency table as arrays: which clusters overlap, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from typing import Any, Protocol

import numpy as np

from concordant import core
from concordant.counts.serialisation import integers, restored_labels, saved_labels
from concordant.errors import InputError
from concordant.maths.arithmetic import Integers, as_integers, read_only, sums_by


class Lookup(Protocol):
    """The label of each cluster of one side, by its number."""

    def __getitem__(self, number: int, /) -> Any: ...


LabelLookups = tuple[Lookup, Lookup]


_MOST_SORTED = 100_000  # labels


def label_order(label: Any) -> tuple[str, Any]:
    """The sort key of labels that may have two types, such as times and text for other times."""
    return type(label).__name__, label


def label_places(clusters: Integers, label: Callable[[int], Any]) -> Integers:
    """Numbers that grow with the labels of these clusters, in an order that is the same for every engine.

    A cluster without a label is last. Too many labels to sort keep the order of their clusters.

    >>> label_places(np.array([0, 2, 1, 0]), ["b", None, "a"].__getitem__).tolist()
    [1, 0, 2, 1]
    """
    distinct, which = np.unique(clusters, return_inverse=True)
    if len(distinct) > _MOST_SORTED:
        return clusters
    keys = [(name is None, *label_order(name)) for name in map(label, distinct.tolist())]
    try:
        order = sorted(range(len(keys)), key=keys.__getitem__)
    except TypeError:  # labels of one type that have no order
        order = sorted(range(len(keys)), key=lambda place: repr(keys[place]))
    return np.argsort(order)[which.reshape(-1)]


class Contingency:
    """The non-empty cells of the contingency table, sorted by row, then column.

    Attributes
    ----------
    row, column : array of int
        Number of the reference cluster and of the candidate cluster of each cell.
    n : array of int
        Number of elements of each cell.
    row_first, column_first : array of int, optional
        Position of the first element of each cluster.
    labels : (lookup, lookup), optional
        The labels of the clusters of both sides, by row and by column.

    Examples
    --------
    >>> sizes = (np.array([3, 1]), np.array([2]))
    >>> table = Contingency(np.array([0]), np.array([0]), np.array([2]), sizes=sizes)
    >>> table.a.tolist(), table.row_sizes.tolist()
    ([3], [3, 1])
    """

    row: Integers
    column: Integers
    n: Integers
    row_first: Integers | None
    column_first: Integers | None
    labels: LabelLookups | None

    def __init__(
        self,
        row: Integers,
        column: Integers,
        n: Integers,
        row_first: Integers | None = None,
        column_first: Integers | None = None,
        *,
        sizes: tuple[Integers, Integers]
        | None = None,  # of all clusters, where the cells do not add up to them
        labels: LabelLookups | None = None,
    ) -> None:
        self.row, self.column, self.n = read_only(row), read_only(column), read_only(n)
        self.row_first = None if row_first is None else read_only(row_first)
        self.column_first = None if column_first is None else read_only(column_first)
        self.labels, self._sizes = labels, sizes

    @cached_property
    def row_sizes(self) -> Integers:
        """Size of the cluster of each row."""
        return read_only(sums_by(self.row, self.n) if self._sizes is None else self._sizes[0])

    @cached_property
    def column_sizes(self) -> Integers:
        """Size of the cluster of each column."""
        return read_only(sums_by(self.column, self.n) if self._sizes is None else self._sizes[1])

    @cached_property
    def by_column(self) -> tuple[Integers, Integers]:
        """Positions of the cells, column by column, and where each column starts among them."""
        cells, start = core.grouped(self.column)
        return read_only(cells), read_only(start)

    @property
    def a(self) -> Integers:
        """Size of the row cluster, for each cell."""
        return read_only(self.row_sizes[self.row])

    @property
    def b(self) -> Integers:
        """Size of the column cluster, for each cell."""
        return read_only(self.column_sizes[self.column])

    def __len__(self) -> int:
        return len(self.n)

    def saved(self, labels: LabelLookups | None) -> dict[str, Any]:
        """The data to save, with the given labels or its own."""
        held = self.labels if labels is None else labels
        sides = (None, None) if held is None else held
        return {
            "row": self.row.tolist(),
            "column": self.column.tolist(),
            "n": self.n.tolist(),
            "reference": saved_labels(sides[0], len(self.row_sizes)),
            "candidate": saved_labels(sides[1], len(self.column_sizes)),
        }

    @classmethod
    def restored(cls, saved: Any) -> Contingency:
        """Restore a saved table."""
        (rows, columns), (n,) = integers(saved, "row", "column"), integers(saved, "n", least=1)
        cells = list(zip(rows, columns, strict=True))
        is_numbered = all({*codes} == {*range(len({*codes}))} for codes in (rows, columns))
        if len(n) != len(cells) or not is_numbered or cells != sorted({*cells}):
            raise InputError("the saved cells are not in row order; save the table again")
        row, column = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)
        reference = restored_labels(saved.get("reference"), len({*rows}))
        candidate = restored_labels(saved.get("candidate"), len({*columns}))
        labels = None if reference is None or candidate is None else (reference, candidate)
        return cls(row, column, as_integers(n, sum(n)), labels=labels)


def table_of(table: Any, names: tuple[Sequence[Any], Sequence[Any]] | None = None) -> Contingency:
    """The table of dense or sparse counts, without its empty rows and columns."""
    row, column, values, shape = _coordinates(table)
    if values.dtype.kind not in "iu":
        checked = [_count(*cell) for cell in zip(row, column, values.tolist(), strict=True)]
        values = np.array(checked, dtype=object)
    elif len(values) and values.min() < 0:
        worst = int(values.argmin())
        _count(row[worst], column[worst], int(values[worst]))
    filled = values > 0
    row, column, values = row[filled], column[filled], values[filled]
    size = sum(values.tolist())
    (rows, row_codes), (columns, column_codes) = _renumbered(row), _renumbered(column)
    order = np.lexsort((column_codes, row_codes))
    row, column, n = row_codes[order], column_codes[order], as_integers(values, size)[order]
    first = np.ones(len(row), dtype=bool)
    first[1:] = (np.diff(row) != 0) | (np.diff(column) != 0)  # cells given more than once are added up
    is_pandas = hasattr(table, "index") and hasattr(table, "columns") and not callable(table.index)
    own_names = (list(table.index), list(table.columns)) if is_pandas else None
    merged = Contingency(
        row[first],
        column[first],
        sums_by(np.cumsum(first) - 1, n, int(first.sum())),
        labels=_labels(own_names if names is None else names, shape, (rows, columns)),
    )
    full = len(rows) and (int(rows[-1]) + 1, int(columns[-1]) + 1) == tuple(shape)
    if full and _has_totals(merged, is_named=names is not None):
        raise InputError(
            "the last row or column of the contingency table contains the sums of the others, as "
            "pandas.crosstab(margins=True) adds them, and would be counted as a cluster; leave it out "
            "(margins=False), or, if it is a cluster, pass names= for the rows and columns"
        )
    return merged


# Common names of a row or column of totals.
_TOTALS = {"all", "total", "totals", "sum", "sums", "margin", "margins", "grand total"}


def _has_totals(table: Contingency, is_named: bool) -> bool:
    """Whether the last row or column is the sum of the others and is named accordingly.

    Without such names, both must be sums, and the table so large that this is not a coincidence; likewise
    if a pandas table has one name for both, as with margins_name.
    """
    sums = _sums_up(table.row, table.n, table.column_sizes[table.column], len(table.column_sizes))
    sums_too = _sums_up(table.column, table.n, table.row_sizes[table.row], len(table.row_sizes))
    if not (sums or sums_too):
        return False
    last = [None, None] if table.labels is None else [table.labels[0][-1], table.labels[1][-1]]
    called = [isinstance(name, str) and name.strip().casefold() in _TOTALS for name in last]
    if (sums and called[0]) or (sums_too and called[1]):
        return True
    large = min(len(table.row_sizes), len(table.column_sizes)) > 2
    return sums and sums_too and not is_named and large and bool(last[0] == last[1])


def _sums_up(lines: Integers, n: Integers, across: Integers, length: int) -> bool:
    """Whether each cell of the last line is the sum of that cell over all other lines."""
    last = lines == lines.max()
    return int(last.sum()) == length and bool((2 * n[last] == across[last]).all())


def _labels(names: Any, shape: tuple[int, ...], kept: tuple[Integers, Integers]) -> LabelLookups | None:
    if names is None:
        return None
    sized = isinstance(names, tuple | list) and all(hasattr(side, "__getitem__") for side in names)
    if not sized or [len(side) for side in names] != list(shape):
        raise InputError(
            f"names= must be two lists: the names of the {shape[0]} rows and of the {shape[1]} columns"
        )
    rows, columns = ([side[number] for number in numbers] for side, numbers in zip(names, kept, strict=True))
    return rows, columns


def _coordinates(table: Any) -> tuple[Integers, Integers, Integers, tuple[int, ...]]:
    if hasattr(table, "tocoo"):
        sparse = table.tocoo()
        return np.asarray(sparse.row), np.asarray(sparse.col), np.asarray(sparse.data), sparse.shape
    if isinstance(table, np.ma.MaskedArray) and np.ma.is_masked(table):
        raise InputError("the contingency table has masked cells; fill them with counts first")
    try:
        dense = np.asarray(table)
    except ValueError as error:
        lengths = [len(row) if hasattr(row, "__len__") else 0 for row in table]
        odd = next((i for i, length in enumerate(lengths) if length != lengths[0]), None)
        where = "" if odd is None else f" (row 0 has {lengths[0]}, row {odd} has {lengths[odd]})"
        raise InputError(
            f"the contingency table is ragged: its rows have different lengths{where}; give each row a count "
            "for every column, 0 where two clusters share nothing"
        ) from error
    if dense.ndim != 2:
        raise InputError(
            f"a contingency table has two dimensions, this has {dense.ndim}; "
            "for labels use concordant.compare"
        )
    row, column = np.indices(dense.shape).reshape(2, -1) if dense.dtype.kind == "O" else dense.nonzero()
    return row, column, dense[row, column], dense.shape


def _count(row: Any, column: Any, value: Any) -> int:
    is_count = isinstance(value, int | float) and 0 <= value < inf and value == int(value)
    if not is_count:
        raise InputError(
            f"cell ({row}, {column}) of the contingency table is {value!r}: a count is a whole number >= 0"
        )
    return int(value)


def _renumbered(numbers: Integers) -> tuple[Integers, Integers]:
    """The distinct numbers, ascending, and the position of each number among them."""
    present = np.bincount(numbers) > 0 if len(numbers) else np.zeros(0, dtype=bool)
    return np.flatnonzero(present), (np.cumsum(present) - 1)[numbers].astype(np.int64)
