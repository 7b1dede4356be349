"""Tables and profiles of labels on a device: cells stay there, within limits, until they are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Availability, ContingencyLoader, Detail, ViewT
from concordant.counts.contingency import Contingency
from concordant.counts.pairs import PairCounts, PartialCounts
from concordant.counts.profile import Profile
from concordant.engines.gpu.device import DeviceArray, explained
from concordant.engines.gpu.kernels import SMALL, Kernels, TripleCounts
from concordant.errors import Remedy, TooLargeError
from concordant.maths.arithmetic import Integers


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The labels of one side as an engine counts them: distances from the lowest, or codes."""

    labels: DeviceArray
    is_bool: bool = False
    distinct: DeviceArray = None  # the labels by their codes, where these were made here
    names: Any = None  # the names that the labels are codes of
    alone: int | None = None  # the label of singletons, which are in no cluster

    def spelled(self, labels: NDArray[Any]) -> Sequence[Any]:
        """The caller's names of these labels; None for singletons."""
        if self.alone is not None:
            known = replace(self, alone=None).spelled(labels)
            apart = (labels == self.alone).tolist()
            return [None if alone else label for label, alone in zip(known, apart, strict=True)]
        if self.names is not None:
            return [self.names[label] for label in labels.tolist()]
        return list((labels != 0).tolist() if self.is_bool else labels.tolist())


# The rows or the columns of a table: labels in ascending order, and the first position of each.
SideCells = tuple[DeviceArray, DeviceArray]


def table_on_device(
    cupy: Any,
    device: Any,
    cells: tuple[DeviceArray, DeviceArray, DeviceArray],
    lines: tuple[SideCells, SideCells],
    sides: tuple[Side, Side],
) -> Contingency:
    """The table of cells on a device, numbered there and copied to the host."""
    with explained(cupy), device:
        return numbered_table(cupy, cells, lines, sides)


def numbered_table(
    arrays: Any,  # NumPy or CuPy, to which all arrays belong
    cells: tuple[DeviceArray, DeviceArray, DeviceArray],  # places among the rows and the columns, and n
    lines: tuple[SideCells, SideCells],
    sides: tuple[Side, Side],
) -> Contingency:
    """The table on the host, numbered as the core does: lines in the order in which they first appear."""

    def on_host(values: DeviceArray) -> NDArray[Any]:
        return values if arrays is np else arrays.asnumpy(values)  # type: ignore[no-any-return]  # CuPy has no types

    places, first, labels = [], [], list[Sequence[Any]]()
    for place, (own, positions), side in zip(cells[:2], lines, sides, strict=True):
        order = arrays.argsort(positions)
        rank = arrays.empty(len(order), dtype=np.int64)
        rank[order] = arrays.arange(len(order))
        places.append(rank[place])
        first.append(on_host(positions[order]).astype(np.int64, copy=False))
        labels.append(side.spelled(on_host(own[order])))
    order = arrays.argsort(places[0] * len(first[1]) + places[1])
    columns = [on_host(each[order]).astype(np.int64, copy=False) for each in (*places, cells[2])]
    return Contingency(*columns, *first, labels=(labels[0], labels[1]))


def unkept_table(cells: int, limit: int) -> ContingencyLoader:
    """A table that was not kept, because it has more cells than the limit allows."""
    price = (
        f"{cells:,} overlaps would be kept on the GPU and copied to the host, and the limit is {limit:,} "
        "(table_limit)"
    )
    available = Availability(Detail.SIZES, price=f"{price}; compare again with table_limit={cells}")
    return ContingencyLoader(partial(_refuse_table, price, cells), available)


def _refuse_table(price: str, cells: int) -> NoReturn:
    raise TooLargeError(
        f"this needs to know which clusters overlap: {price}; use an index that needs no table, such as "
        "adjusted_rand, bcubed_f or split_join",
        remedies=[Remedy("compare again and keep them", table_limit=cells)],
    )


TripleColumns = tuple[
    NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]
]  # n, a, b, count


def window_table(
    cupy: Any,
    device: Any,
    bring: Callable[[], tuple[Any, Any, Any]],  # the counts, and the complements of first places, 0 if none
    labels: tuple[Callable[[Any], Any], Callable[[Any], Any]],  # the labels at places of the window
    sides: tuple[Side, Side],
) -> Contingency:
    """The table of a window, which also has places for labels that are not there."""
    with explained(cupy), device:
        dense, *first_places = bring()
        arrays = np if isinstance(dense, np.ndarray) else cupy
        cells, places, lines = dense.nonzero(), list[Any](), list[SideCells]()
        for place, first, labels_at in zip(cells, first_places, labels, strict=True):
            is_present = first != 0
            places.append((arrays.cumsum(is_present) - 1)[place])
            own = labels_at(arrays.flatnonzero(is_present))
            lines.append((cupy.asnumpy(own) if arrays is np else own, ~first[is_present]))
        return numbered_table(arrays, (places[0], places[1], dense[cells]), (lines[0], lines[1]), sides)


class WindowProfile(Profile):
    """A profile of a dense table: pairs are known immediately, triples are made on request."""

    size: int
    best: None

    def __init__(
        self,
        pairs: PairCounts,
        triples: Callable[[], TripleColumns],
        table: ContingencyLoader | None,
        size: int,
        sums: Callable[[], WindowSums] | None = None,  # if they are faster than the triples
    ) -> None:
        self.size, self.best, self._make_sums = size, None, sums
        self._triples, self._table, self._views = triples, table, {}
        self._pairs = PartialCounts.of_pairs(pairs)

    def read_row(self, name: str) -> Integers:
        """All four columns of triples; called only while they do not exist."""
        super().__init__(*self._triples(), table=self._table, size=self.size)
        row: Integers = self.__dict__[name]
        return row

    @property
    def identical(self) -> bool:
        return self._pairs.identical

    @cached_property
    def _sums(self) -> WindowSums | None:
        return None if self._make_sums is None else self._make_sums()

    @cached_property
    def cells(self) -> int:
        return super().cells if self._sums is None else self._sums.cells

    @cached_property
    def row_sizes(self) -> dict[int, int]:
        return super().row_sizes if self._sums is None else self._sums.row_sizes

    @cached_property
    def column_sizes(self) -> dict[int, int]:
        return super().column_sizes if self._sums is None else self._sums.column_sizes

    @cached_property
    def overlap_sizes(self) -> dict[int, int]:
        return super().overlap_sizes if self._sums is None else self._sums.overlap_sizes

    def view(self, kind: type[ViewT], exact: bool = False) -> ViewT:
        return self._pairs.view(kind, exact) if kind is PairCounts else super().view(kind, exact)

    def __reduce__(self) -> tuple[Any, ...]:
        triples = self.n, self.a, self.b, self.count
        return copy, (Profile(*triples, table=self.table, size=self.size),)


class WindowSums(NamedTuple):
    """What entropies need from a dense table: distinct sizes, and how often each occurs."""

    cells: int
    row_sizes: dict[int, int]
    column_sizes: dict[int, int]
    overlap_sizes: dict[int, int]


def sums_on_device(cupy: Any, device: Any, dense: DeviceArray, cells: int) -> WindowSums:
    """The distinct sizes of a dense table."""
    with explained(cupy), device:
        a, b = (dense.sum(axis=axis, dtype="u8") for axis in (1, 0))
        rows, columns, overlaps = (_counted_sizes(cupy, sizes) for sizes in (a, b, dense.ravel().copy()))
        return WindowSums(cells, rows, columns, overlaps)


def _counted_sizes(cupy: Any, sizes: DeviceArray) -> dict[int, int]:
    """The distinct ones of sizes, which are sorted in place; empty ones are not counted."""
    distinct, count = (cupy.asnumpy(each).tolist() for each in runs(cupy, sizes))
    return {size: times for size, times in zip(distinct, count, strict=True) if size}


def triples_on_device(cupy: Any, device: Any, kernels: Kernels, dense: DeviceArray) -> TripleColumns:
    """The distinct triples of a dense table on a device."""
    with explained(cupy), device:
        a, b = dense.sum(axis=1, dtype="u8"), dense.sum(axis=0, dtype="u8")
        row, column = dense.nonzero()
        n = dense[row, column].astype("u8")
        return triples_of_counts(cupy, kernels.triples_of_cells(n, a[row], b[column]))


def triples_of_table(table: NDArray[np.int64]) -> TripleColumns:
    """The distinct triples of a dense table, sorted by (a, b, n).

    >>> [each.tolist() for each in triples_of_table(np.array([[2, 0], [1, 3]]))]
    [[2, 1, 3], [2, 4, 4], [3, 3, 3], [1, 1, 1]]
    """
    a, b = table.sum(axis=1), table.sum(axis=0)
    rows, columns = a.argsort(), b.argsort()
    rows, columns = rows[np.count_nonzero(a == 0) :], columns[np.count_nonzero(b == 0) :]
    a, b = a[rows], b[columns]
    n = table.take(rows, axis=0).take(columns, axis=1).ravel()
    if (a[1:] > a[:-1]).all() and (b[1:] > b[:-1]).all():  # then no two cells have the same two sizes
        row_size, column_size = np.repeat(a, len(b)), np.tile(b, len(a))
        if not n.all():
            filled = n > 0
            n, row_size, column_size = n[filled], row_size[filled], column_size[filled]
        return n, row_size, column_size, np.ones(len(n), dtype=np.int64)
    (row_sizes, row_rank), (column_sizes, column_rank) = map(_ranked, (a, b))
    width, across = int(n.max()).bit_length(), len(column_sizes).bit_length()
    keys = (row_rank[:, None] << across + width | column_rank << width).ravel() | n
    if not n.all():
        keys = keys[n > 0]
    # If few sizes are equal, the keys are nearly sorted, which helps a stable sort.
    keys.sort(kind="stable" if 2 * len(row_sizes) * len(column_sizes) > len(n) else None)
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    count, keys = np.diff(first, append=len(keys)), keys[first]
    row, column = keys >> across + width, keys >> width & (1 << across) - 1
    return keys & (1 << width) - 1, row_sizes.take(row), column_sizes.take(column), count


def _ranked(sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct ones of ascending sizes, and the rank of each."""
    larger = np.ones(len(sizes), dtype=bool)
    larger[1:] = sizes[1:] > sizes[:-1]
    return sizes[larger], np.cumsum(larger) - 1


def triples_of_counts(cupy: Any, counts: TripleCounts) -> TripleColumns:
    """All triples on the host, sorted by (a, b, n): small ones were counted, large ones are sorted first."""
    _, counted, listed = counts
    filled = np.flatnonzero(counted)
    pair, n = np.divmod(filled, SMALL)
    a, b = np.divmod(pair, SMALL)
    small = n, a, b, counted[filled].astype(np.int64)
    if not len(listed[0]):
        return small  # in this order already
    large = _counted_alike(cupy, *listed)
    if not len(filled):
        return large  # also in this order already
    # A pair of small sizes comes before all large triples of that size a, since those have a larger b.
    place = np.searchsorted(large[1], small[1], side="left")
    n, a, b, count = (np.insert(many, place, few) for few, many in zip(small, large, strict=True))
    return n, a, b, count


def _counted_alike(cupy: Any, n: DeviceArray, a: DeviceArray, b: DeviceArray) -> TripleColumns:
    """The distinct ones of listed triples, by one sort of them all as keys of 64 bits."""
    widths = [int(each.max()).bit_length() for each in (a, b, n)]
    if sum(widths) <= 64:
        key = a << widths[1] + widths[2] | b << widths[2] | n
        key, count = runs(cupy, key)
        overlap, row_size = key & (1 << widths[2]) - 1, key >> widths[1] + widths[2]
        column_size = key >> widths[2] & (1 << widths[1]) - 1
        return _columns_on_host(cupy, overlap, row_size, column_size, count)
    # Cluster sizes are at most the root of twice their sum, so their ranks are short.
    sizes = [runs(cupy, each.copy())[0] for each in (n, a, b)]
    ranks = [cupy.searchsorted(each, x).astype("u8") for each, x in zip(sizes, (n, a, b), strict=True)]
    widths = [len(each).bit_length() for each in sizes]
    key = ranks[1] << widths[2] + widths[0] | ranks[2] << widths[0] | ranks[0]
    key, count = runs(cupy, key)
    overlap = sizes[0][(key & (1 << widths[0]) - 1).astype("i8")]
    row_size = sizes[1][(key >> widths[2] + widths[0]).astype("i8")]
    column_size = sizes[2][(key >> widths[0] & (1 << widths[2]) - 1).astype("i8")]
    return _columns_on_host(cupy, overlap, row_size, column_size, count)


def runs(cupy: Any, keys: DeviceArray) -> tuple[DeviceArray, DeviceArray]:
    """The distinct keys in order, and how often each appears; the keys themselves are sorted."""
    keys.sort()
    return runs_of_sorted(cupy, keys)


def runs_of_sorted(cupy: Any, keys: DeviceArray) -> tuple[DeviceArray, DeviceArray]:
    """The distinct ones of sorted keys, and how often each appears."""
    begins = cupy.ones(len(keys), dtype=bool)
    begins[1:] = keys[1:] != keys[:-1]
    first = cupy.flatnonzero(begins)
    ends = cupy.concatenate([first[1:], cupy.asarray([len(keys)], dtype=first.dtype)])
    return keys[first], (ends - first).astype("u8")


def _columns_on_host(cupy: Any, *parts: DeviceArray) -> TripleColumns:
    n, a, b, count = (cupy.asnumpy(part).astype(np.int64) for part in parts)
    return n, a, b, count
