"""How two columns of labels on a device are counted: by which method, and in how many pieces.

shared memory   a small table, for each multiprocessor its own; one pass over the labels. The range of
                the labels is estimated from a few of them and checked in the pass
global memory   a table of some millions of cells
sorted keys     all other cases: row and column in 64 bits; cells and rows are runs of sorted keys
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from concordant.counts.base import ContingencyLoader, Detail
from concordant.counts.pairs import PairCounts, PartialCounts
from concordant.counts.profile import Profile
from concordant.engines.gpu.device import DeviceArray, changed
from concordant.engines.gpu.kernels import Kernels, TripleCounts, Window, WindowCounts
from concordant.engines.gpu.results import (
    Side,
    TripleColumns,
    WindowProfile,
    runs,
    runs_of_sorted,
    sums_on_device,
    table_on_device,
    triples_of_counts,
    triples_of_table,
    triples_on_device,
    unkept_table,
    window_table,
)
from concordant.errors import TooLargeError

_SAMPLE = 1 << 16  # labels from which the range is estimated
_LOOK_AHEAD = 1 << 20  # elements among which each label is first looked for
_SCATTERED = 4  # labels that have more values than this times their number are sorted to get codes
_FEW_LINES = 1 << 22
_MOST_DENSE = 1 << 26  # cells of a table in global memory
_KEY_BYTES = 26  # for each element while keys are sorted
_LONGEST = 2**31  # elements sorted in one pass
_SHORTEST = 1 << 16


@dataclass(slots=True)
class Counting:
    """Two columns of equal length on one device, and the facts to compute about them."""

    cupy: Any
    kernels: Kernels
    sides: tuple[Side, Side]
    need: Detail
    table_limit: int
    device: Any

    @property
    def size(self) -> int:
        return len(self.sides[0].labels)

    def counts(self) -> Profile | PartialCounts:
        """The profile with its table, or the pair sums if these are enough."""
        step = max(1, self.size // _SAMPLE)
        found = self._in_shared(step)
        if found is None:
            window = self._window()
            if step > 1 and window.cells <= self.kernels.shared_cells:
                found = self._in_shared(1)
            elif window.cells <= min(_MOST_DENSE, max(_FEW_LINES, self.size)):
                found = self._in_global(window)
            else:
                found = self._sorted(window)
        if found is None:
            raise changed()
        return found

    def _window(self) -> Window:
        u, v = (side.labels for side in self.sides)
        u_low, u_high, v_low, v_high = self.kernels.extremes(u, v)
        return Window(u_low, v_low, u_high - u_low + 1, v_high - v_low + 1)

    # -- a small table --------------------------------------------------------------------------

    def _in_shared(self, step: int) -> Profile | PartialCounts | None:
        """None if the table does not fit, or a label is outside the estimated window."""
        u, v = (side.labels for side in self.sides)
        found = self.kernels.shared(u, v, step, _LOOK_AHEAD if self._is_kept else 0)
        if found is None:
            return None
        if found.strays:
            if step == 1:
                raise changed()
            return None
        pairs = PairCounts.from_squares(self.size, *found.squares)
        if self.need is Detail.PAIRS:
            return PartialCounts.of_pairs(pairs)
        if not self._is_kept:
            return Profile(*triples_of_table(found.bring()[0]), size=self.size)
        if found.unseen:
            self._look_further(found)
        table = self._window_table(found.window, found.bring)
        return WindowProfile(pairs, lambda: triples_of_table(found.bring()[0]), table, self.size)

    def _window_table(self, window: Window, bring: Callable[[], tuple[Any, Any, Any]]) -> ContingencyLoader:
        u, v = (
            partial(_labels_at, self.cupy, side.distinct, side.labels.dtype, low)
            for side, low in zip(self.sides, (window.u_lowest, window.v_lowest), strict=True)
        )
        made = partial(window_table, self.cupy, self.device, bring, (u, v), self._spelling_sides)
        return ContingencyLoader(made, is_portable=False)

    def _look_further(self, found: WindowCounts) -> None:
        """First places beyond the first few elements, read while the caller's arrays still exist."""
        window, (dense, *first) = found.window, found.bring()
        lowest, spans = (window.u_lowest, window.v_lowest), (window.rows, window.columns)
        for side, low, span, axis in zip(self.sides, lowest, spans, (1, 0), strict=True):
            present = np.count_nonzero(dense.any(axis=axis))
            first[1 - axis][:] = self.cupy.asnumpy(self._first_places(side, low, span, int(present)))

    # -- a table in global memory ---------------------------------------------------------------

    def _in_global(self, window: Window) -> Profile | PartialCounts:
        u, v = (side.labels for side in self.sides)
        table, strays = self.kernels.table(u, v, window)
        if strays:
            raise changed()
        pairs = PairCounts.from_squares(self.size, *self.kernels.squares(table, window))
        if self.need is Detail.PAIRS:
            return PartialCounts.of_pairs(pairs)
        dense = table.reshape(window.rows, window.columns)
        triples = partial(triples_on_device, self.cupy, self.device, self.kernels, dense)
        cells = int(self.cupy.count_nonzero(table))
        sums = partial(sums_on_device, self.cupy, self.device, dense, cells)
        if not self._is_kept:
            return WindowProfile(pairs, triples, None, self.size, sums)
        if cells > self.table_limit:
            return Profile(*triples(), table=unkept_table(cells, self.table_limit), size=self.size)
        lowest, spans = (window.u_lowest, window.v_lowest), (window.rows, window.columns)
        u_first, v_first = (
            self._first_places(side, low, span, int(self.cupy.count_nonzero(dense.any(axis=axis))))
            for side, low, span, axis in zip(self.sides, lowest, spans, (1, 0), strict=True)
        )
        source = self._window_table(window, lambda: (dense, u_first, v_first))
        return WindowProfile(pairs, triples, source, self.size, sums)

    # -- sorted keys ----------------------------------------------------------------------------

    def _sorted(self, window: Window) -> Profile:
        """All in one pass if memory allows it; else in slices, whose cells are added up."""
        window = self._narrowed(window)
        shift = _bits(window.columns)
        length = self._slice_length(window)
        while length:
            try:
                if length >= self.size:
                    return self._all_at_once(window, shift)
                return self._in_slices(window, shift, length)
            except MemoryError:  # of CuPy, whose error is one
                self.cupy.get_default_memory_pool().free_all_blocks()
                length = min(length, self.size) // 2 // _SHORTEST * _SHORTEST
        raise TooLargeError(
            f"the GPU does not have enough memory for {self.size:,} labels and {window.columns:,} "
            "counters; free some memory, or copy the labels of both sides to the host"
        )

    def _narrowed(self, window: Window) -> Window:
        """Codes for labels whose values are too far apart for a table of sizes or for one key."""
        too_wide = _bits(window.rows) + _bits(window.columns) > 64
        if window.columns > self._most_lines or (too_wide and window.columns > self.size):
            self.sides = self.sides[0], self._coded(self.sides[1])
            window = replace(window, v_lowest=0, columns=len(self.sides[1].distinct))
        if _bits(window.rows) + _bits(window.columns) > 64:
            self.sides = self._coded(self.sides[0]), self.sides[1]
            window = replace(window, u_lowest=0, rows=len(self.sides[0].distinct))
        if _bits(window.rows) + _bits(window.columns) > 64:
            raise TooLargeError(
                f"{window.rows:,} clusters against {window.columns:,} are too many to count on a GPU; "
                "copy the labels of both sides to the host"
            )
        return window

    def _coded(self, side: Side) -> Side:
        labels = side.labels.copy()  # so codes and labels are from the same moment
        values, _ = runs(self.cupy, labels.copy())
        codes = self.cupy.searchsorted(values, labels)
        return replace(
            side, labels=codes, distinct=values if side.distinct is None else side.distinct[values]
        )

    def _slice_length(self, window: Window) -> int:
        free, _ = self.cupy.cuda.runtime.memGetInfo()
        held = self.cupy.get_default_memory_pool().free_bytes()
        length = min(_LONGEST, max(_SHORTEST, (free + held - 4 * window.columns) // _KEY_BYTES))
        return int(length // _SHORTEST * _SHORTEST)  # so slices begin where packs of labels do

    def _all_at_once(self, window: Window, shift: int) -> Profile:
        keys, column_sizes = self._keys(window, shift, 0, self.size, with_sizes=True)
        keys.sort()
        counts = self.kernels.triples_of_keys(keys, shift, column_sizes)
        if not self._is_kept or counts[0] > self.table_limit:
            return self._profile(counts, None, None, None, window)
        cells, n = runs_of_sorted(self.cupy, keys)
        del keys
        return self._profile(counts, *_lines(cells, shift), n, window)

    def _in_slices(self, window: Window, shift: int, length: int) -> Profile:
        xp = self.cupy
        cells, n = xp.empty(0, dtype="u8"), xp.empty(0, dtype="u8")
        for begin in range(0, self.size, length):
            keys, _ = self._keys(window, shift, begin, min(begin + length, self.size), with_sizes=False)
            more, how_many = runs(xp, keys)
            del keys
            cells, n = _added_up(xp, xp.concatenate([cells, more]), xp.concatenate([n, how_many]))
        row, column = _lines(cells, shift)
        sizes = xp.zeros(window.columns, dtype="u8")
        xp.add.at(sizes, column, n)
        begins = xp.ones(len(row), dtype=bool)
        begins[1:] = row[1:] != row[:-1]
        row_sizes, number = _added_up(xp, row, n)[1], xp.cumsum(begins) - 1
        counts = self.kernels.triples_of_cells(n, row_sizes[number], sizes[column])
        return self._profile(counts, row, column, n, window)

    def _keys(
        self, window: Window, shift: int, begin: int, end: int, *, with_sizes: bool
    ) -> tuple[DeviceArray, DeviceArray]:
        u, v = (side.labels[begin:end] for side in self.sides)
        keys, column_sizes, strays = self.kernels.keys(u, v, window, shift, with_sizes)
        if strays:
            raise changed()
        return keys, column_sizes

    # -- what is kept ---------------------------------------------------------------------------

    @property
    def _is_kept(self) -> bool:
        return self.need >= Detail.BEST

    def _profile(self, counts: TripleCounts, row: Any, column: Any, n: Any, window: Window) -> Profile:
        triples: TripleColumns = triples_of_counts(self.cupy, counts)
        if not self._is_kept:
            return Profile(*triples, size=self.size)
        if counts[0] > self.table_limit:
            return Profile(*triples, table=unkept_table(counts[0], self.table_limit), size=self.size)
        lines, places = list[tuple[Any, Any]](), list[Any]()
        for side, codes, lowest, span in zip(
            self.sides,
            (row, column),
            (window.u_lowest, window.v_lowest),
            (window.rows, window.columns),
            strict=True,
        ):
            present, _ = runs(self.cupy, codes.copy())
            places.append(self.cupy.searchsorted(present, codes))
            first = self._first_of(side, present, lowest, span)
            labels = _labels_at(self.cupy, side.distinct, side.labels.dtype, lowest, present)
            lines.append((labels, first))
        kept = (places[0], places[1], n), (lines[0], lines[1]), self._spelling_sides
        table = ContingencyLoader(partial(table_on_device, self.cupy, self.device, *kept), is_portable=False)
        return Profile(*triples, table=table, size=self.size)

    def _first_of(self, side: Side, present: DeviceArray, lowest: int, span: int) -> DeviceArray:
        """The first occurrence of each present line."""
        if span <= self._most_lines:
            return ~self._first_places(side, lowest, span, len(present))[present]
        coded = self._coded(side)
        if len(coded.distinct) != len(present):
            raise changed()
        return ~self._first_places(coded, 0, len(present), len(present))

    @property
    def _most_lines(self) -> int:
        """Lines beyond which a table with a place for each of them is not worth its memory."""
        return max(_FEW_LINES, _SCATTERED * self.size)

    @property
    def _spelling_sides(self) -> tuple[Side, Side]:
        """The names of labels, without the caller's arrays, which may be freed or overwritten."""
        u, v = (replace(side, labels=None, distinct=None) for side in self.sides)
        return u, v

    def _first_places(self, side: Side, lowest: int, span: int, lines: int) -> DeviceArray:
        """The complement of the first place of each label, searched until all lines are found."""
        first = self.cupy.zeros(span, dtype="u8")
        begin, end = 0, _LOOK_AHEAD
        while begin < self.size and int(self.cupy.count_nonzero(first)) < lines:
            self.kernels.first_places(side.labels, begin, end, lowest, first)
            begin, end = end, end * 16
        return first


def _labels_at(cupy: Any, distinct: DeviceArray, dtype: Any, lowest: int, codes: Any) -> Any:
    """The labels at these distances from the lowest; both wrap around in the same way."""
    if distinct is not None:
        return distinct[cupy.asarray(codes) + lowest]
    return (codes.astype("u8") + np.uint64(lowest % 2**64)).astype(dtype)


def _added_up(xp: Any, keys: DeviceArray, n: DeviceArray) -> tuple[DeviceArray, DeviceArray]:
    """Distinct keys in order, each with the sum of its counts."""
    order = xp.argsort(keys)
    keys, n = keys[order], n[order]
    last = xp.ones(len(keys), dtype=bool)
    last[:-1] = keys[1:] != keys[:-1]
    ends = xp.cumsum(n)[last]
    sums = ends.copy()
    sums[1:] -= ends[:-1]
    return keys[last], sums


def _lines(cells: DeviceArray, shift: int) -> tuple[DeviceArray, DeviceArray]:
    """The rows and the columns of these keys."""
    return (cells >> shift).astype("i8"), (cells & (1 << shift) - 1).astype("i8")


def _bits(lines: int) -> int:
    """The number of bits that hold any line number; at least one."""
    return max(1, (lines - 1).bit_length())
