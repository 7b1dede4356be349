"""The clusters of one side as lines of the table: cells, sizes, and sums that follow every change.

Edits of a comparison with millions of clusters affect only a few. So the cells it began with stay in arrays,
and a line becomes a dictionary when it is first touched.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np

from concordant.counts.base import ALL_AT_HAND, Availability, View, ViewT
from concordant.counts.contingency import Contingency
from concordant.counts.element_centric import Elements
from concordant.counts.overlaps import BestOverlaps, DisagreeingClusters
from concordant.counts.profile import Profile
from concordant.maths.arithmetic import (
    LOG_BITS,
    Integers,
    LogSums,
    Sum,
    distinct_sizes,
    fixed_log,
    log_sum,
    sum_of_ratios,
    sums_by,
)

_MOST_KNOWN = 100_000  # clusters whose overlaps are kept for the next time


def _size_log(size: int) -> int:
    return size * fixed_log(size, LOG_BITS)


class FirstCells:
    """The cells that the edits began with. Most edits are about clusters that differ: these come first."""

    def __init__(self, profile: Profile) -> None:
        self._table = profile.table  # all of it, from which the clusters that differ follow
        self.profile, self._part = profile, profile.view(DisagreeingClusters)
        self._known: dict[tuple[int, int], dict[int, int]] = {}  # overlaps that were read before

    def of(self, side: int, number: int) -> dict[int, int]:
        """The overlaps of a cluster, by the cluster of the other side; to be read."""
        if (known := self._known.get((side, number))) is not None:
            return known
        part, table, others, place = self._part, self._table, None, number
        numbers = part.columns if side else part.rows
        near = int(numbers.searchsorted(number))
        if near < len(numbers) and numbers[near] == number:
            table, others, place = part.profile.table, part.rows if side else part.columns, near
        cells: Any = slice(*table.row.searchsorted((place, place + 1)))
        if side:
            order, start = table.by_column
            cells = order[start[place] : start[place + 1]]
        across = (table.row if side else table.column)[cells]
        across = across if others is None else others[across]
        known = dict(zip(across.tolist(), table.n[cells].tolist(), strict=True))
        if len(self._known) < _MOST_KNOWN:
            self._known[side, number] = known
        return known

    def arrays(self, only_differing: bool) -> tuple[Integers, Integers, Integers]:
        """The cells by row, column and size: all, or those of clusters that differ."""
        if not only_differing:
            return self._table.row, self._table.column, self._table.n
        part = self._part
        table = part.profile.table
        return part.rows[table.row], part.columns[table.column], table.n


class Lines:
    """The clusters of one side, numbered; those that changed are kept beside the initial ones."""

    clusters: int
    first_clusters: int  # how many there were at the beginning
    histogram: dict[Any, Any]
    logs: int
    next_number: int
    squared: int
    squares_by_size: dict[Any, Any]

    __slots__ = (
        "_best",
        "_best_of",
        "_side",
        "_stale",
        "cells",
        "clusters",
        "first",
        "first_clusters",
        "histogram",
        "logs",
        "next_number",
        "sizes",
        "squared",
        "squares",
        "squares_by_size",
    )

    def __init__(self, first: FirstCells, side: int) -> None:
        self.first, self._side = first, side
        self.cells: dict[int, dict[int, int]] = {}  # of the lines that were touched
        self.sizes: dict[int, int] = {}
        self.squares: dict[int, int] = {}  # Σ n² of a line
        self._best_of: dict[int, int] = {}  # the largest cell of a line
        self._stale: set[int] = set()  # lines whose largest cell shrank, and that are not in _best
        profile = first.profile
        self.clusters = self.next_number = self.first_clusters = profile.columns if side else profile.rows
        distinct, which = distinct_sizes(profile.b if side else profile.a)
        n = profile.n if profile.size**2 < 2**62 else profile.n.astype(object)
        mass, squares = (sums_by(which, n**k * profile.count, len(distinct)) for k in (1, 2))
        self.histogram = dict(zip(distinct.tolist(), (mass // distinct).tolist(), strict=True))
        self.squares_by_size = dict(zip(distinct.tolist(), squares.tolist(), strict=True))
        self._best = 0  # by how much Σ of the largest cells grew
        self.squared = sum(size * size * many for size, many in self.histogram.items())
        self.logs = log_sum(self.histogram, LOG_BITS)

    def copy(self) -> Lines:
        self._settle()  # so threads that read the copy change nothing in it
        other = copy(self)
        for name in ("sizes", "squares", "_best_of", "_stale", "histogram", "squares_by_size"):
            setattr(other, name, copy(getattr(self, name)))
        other.cells = {number: dict(line) for number, line in self.cells.items()}
        return other

    def line(self, number: int) -> dict[int, int]:
        """The cells of a cluster, to be changed along with ``grow``."""
        held = self.cells.get(number)
        if held is None:
            held = self.cells[number] = dict(self.seen(number))
            self.sizes[number] = sum(held.values())
            self.squares[number] = sum(n * n for n in held.values())
            self._best_of[number] = max(held.values(), default=0)
        return held

    def seen(self, number: int) -> dict[int, int]:
        """The cells of a cluster by the cluster of the other side, to be read."""
        held = self.cells.get(number)
        if held is not None:
            return held
        if number >= self.first_clusters:
            return {}
        return self.first.of(self._side, number)

    def length(self, number: int) -> int:
        """How many cells a cluster has."""
        return len(self.seen(number))

    def size(self, number: int) -> int:
        held = self.sizes.get(number)
        return held if held is not None else sum(self.seen(number).values())

    def grow(self, number: int, before: int, after: int) -> None:
        """Follow a cell of this touched line that had ``before`` elements and now has ``after``."""
        more = after - before
        size, squares = self.sizes[number], self.squares[number]
        grown, squares_after = size + more, squares + more * (before + after)
        self.sizes[number], self.squares[number] = grown, squares_after
        for key, many, summed in ((size, -1, -squares), (grown, 1, squares_after)):
            for counts, growth in ((self.histogram, many), (self.squares_by_size, summed)):
                value = counts.get(key, 0) + growth
                if key and value:  # the key 0 is an empty cluster, which does not count
                    counts[key] = value
                else:
                    counts.pop(key, None)
        self.squared += more * (size + grown)
        self.logs += _size_log(grown) - _size_log(size)
        self.clusters += (grown > 0) - (size > 0)
        if number not in self._stale:
            best = self._best_of[number]
            if after >= best:
                self._best += after - best
                self._best_of[number] = after
            elif before == best:
                self._best -= best
                self._stale.add(number)

    @property
    def best(self) -> int:
        """Σ of the largest cell of each line."""
        self._settle()
        matches = self.first.profile.view(BestOverlaps)
        return int(matches.columns_best if self._side else matches.rows_best) + self._best

    def _settle(self) -> None:
        """Find the largest cell again in lines where it shrank."""
        for number in self._stale:
            self._best_of[number] = max(self.cells[number].values(), default=0)
            self._best += self._best_of[number]
        self._stale.clear()

    def new(self) -> int:
        """The number of a cluster that is still empty."""
        self.next_number += 1
        return self.next_number - 1


class LiveCells(View):
    """The table, row by row and column by column, and all sums that indices read.

    As a view of a profile it is what a live comparison begins with; a copy of it is edited.
    """

    cells: int
    edits: int
    kept: int
    logs: int
    net: dict[tuple[int, int], int]
    rows_columns: tuple[Lines, Lines]
    size: int
    squared: int

    __slots__ = ("cells", "edits", "kept", "logs", "net", "rows_columns", "size", "squared")

    def __init__(self, profile: Profile) -> None:
        self.size, self.cells = profile.size, profile.cells
        self.edits = 0  # shows whether a value that was read earlier is still valid
        self.net = {}  # the change of each overlap since the beginning, unless it is 0
        self.squared = profile.squares[0]
        self.logs = log_sum(profile.overlap_sizes, LOG_BITS)
        both = (profile.n == profile.a) & (profile.n == profile.b)
        self.kept = int(profile.count[both].sum())  # clusters that both sides have
        first = FirstCells(profile)
        self.rows_columns = Lines(first, 0), Lines(first, 1)

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(profile)

    def copy(self) -> LiveCells:
        other = copy(self)
        other.net = dict(self.net)
        other.rows_columns = (self.rows_columns[0].copy(), self.rows_columns[1].copy())
        return other

    def cell(self, row: int, column: int) -> int:
        """How many elements two clusters share."""
        return self.rows_columns[0].seen(row).get(column, 0)

    def change(self, row: int, column: int, more: int) -> None:
        """Put elements into an overlap, or take them out of it where ``more`` is negative."""
        rows, columns = self.rows_columns
        across, down = rows.line(row), columns.line(column)
        before = across.get(column, 0)
        after = before + more
        kept = self._kept_near(row, column)
        if after:
            across[column] = down[row] = after
        else:
            del across[column], down[row]
        rows.grow(row, before, after)
        columns.grow(column, before, after)
        self.size += more
        self.squared += more * (before + after)
        self.logs += _size_log(after) - _size_log(before)
        self.cells += (after > 0) - (before > 0)
        self.kept += self._kept_near(row, column) - kept
        self.edits += 1
        if rows.first_clusters:  # not tracked for a stream that began empty
            place = (row, column)
            if net := self.net.pop(place, 0) + more:
                self.net[place] = net

    def _kept_near(self, row: int, column: int) -> int:
        """The number of clusters of both sides among those that overlap only this row or this column."""
        rows, columns = self.rows_columns
        across, down = rows.cells[row], columns.cells[column]
        kept = 0
        if len(across) == 1 and columns.length(next(iter(across))) == 1:
            kept = 1
        if len(down) == 1:
            other = next(iter(down))
            kept += other != row and rows.length(other) == 1
        return kept

    def arrays(self, *, only_differing: bool = False) -> tuple[Integers, Integers, Integers]:
        """All cells by row, column and size, in no particular order.

        ``only_differing`` omits clusters that both sides had when the edits began, unless they were touched.
        """
        lines = self.rows_columns[0]
        touched, (row, column, sizes) = lines.cells, lines.first.arrays(only_differing)
        untouched = np.ones(lines.first_clusters, dtype=bool)
        untouched[[number for number in touched if number < lines.first_clusters]] = False
        still = untouched[row]
        changed = [(number, other, n) for number, line in touched.items() for other, n in line.items()]
        rows, columns, n = zip(*changed, strict=True) if changed else ((), (), ())
        held = row[still], column[still], sizes[still]
        is_large = max(n, default=0) >= 2**62
        return (
            np.concatenate([held[0], np.array(rows, dtype=np.int64)]),
            np.concatenate([held[1], np.array(columns, dtype=np.int64)]),
            np.concatenate([held[2], np.array(n, dtype=object if is_large else np.int64)]),
        )


class LiveProfile(Profile):
    """The profile of live cells as they are now; ``settled`` is a Profile that later edits do not change."""

    best: None

    def __init__(self, state: LiveCells, first: Profile | None = None) -> None:
        self.state = state
        self._first = first  # what the cells began with
        self._views = {}
        self._seen = state.edits
        self._made: tuple[Profile, tuple[Integers, Integers]] | None = None
        self.best = None

    def _current(self) -> None:
        """Forget what was read before the last edit."""
        if self._seen != self.state.edits:
            self._views = {}
            self._made = None
            self._seen = self.state.edits

    @property
    def is_settled(self) -> bool:
        """Whether its table was made, which takes long for millions of overlaps."""
        return self._made is not None

    def settled(self) -> Profile:
        """The profile at this moment, with its table: sorted, and numbered from 0."""
        return self._settled()[0]

    def numbers(self) -> tuple[Integers, Integers]:
        """The numbers that the clusters of its rows and of its columns have while they are edited."""
        return self._settled()[1]

    def _settled(self) -> tuple[Profile, tuple[Integers, Integers]]:
        self._current()
        if self._made is None:
            row, column, n = self.state.arrays()
            order = np.lexsort((column, row))
            row_numbers, rows = np.unique(row[order], return_inverse=True)
            column_numbers, columns = np.unique(column[order], return_inverse=True)
            table = Contingency(rows.astype(np.int64), columns.astype(np.int64), n[order])
            self._made = Profile.of_table(table, self.state.size), (row_numbers, column_numbers)
        return self._made

    # -- from the sums ---------------------------------------------------------------------------

    @property
    def size(self) -> int:  # type: ignore[override]  # read, and never set
        return self.state.size

    @property
    def cells(self) -> int:
        return self.state.cells

    @property
    def row_sizes(self) -> dict[int, int]:
        return self.state.rows_columns[0].histogram

    @property
    def column_sizes(self) -> dict[int, int]:
        return self.state.rows_columns[1].histogram

    @property
    def rows(self) -> int:
        return self.state.rows_columns[0].clusters

    @property
    def columns(self) -> int:
        return self.state.rows_columns[1].clusters

    @property
    def squares(self) -> tuple[int, int, int]:
        rows, columns = self.state.rows_columns
        return self.state.squared, rows.squared, columns.squared

    @property
    def overlap_sizes(self) -> dict[int, int]:
        return self.settled().overlap_sizes

    def log_sums(self, bits: int) -> LogSums:
        if bits != LOG_BITS:
            return super().log_sums(bits)
        rows, columns = self.state.rows_columns
        return LogSums(bits, log_sum({self.size: 1}, bits), rows.logs, columns.logs, self.state.logs)

    @property
    def availability(self) -> Availability:
        return ALL_AT_HAND

    def view(self, kind: type[ViewT], exact: bool = False) -> ViewT:
        if self._first is not None and self._first.size == self.state.size and not self.state.net:
            return self._first.view(kind, exact)  # the same sums in the same order, and so the same bits
        self._current()
        key = (kind, exact)
        if key not in self._views and kind in _LIVE_VIEWS:
            self._views[key] = _LIVE_VIEWS[kind](self, exact)
        return super().view(kind, exact)

    # -- what must be counted --------------------------------------------------------------------

    @property
    def n(self) -> Integers:  # type: ignore[override]
        return self.settled().n

    @property
    def a(self) -> Integers:  # type: ignore[override]
        return self.settled().a

    @property
    def b(self) -> Integers:  # type: ignore[override]
        return self.settled().b

    @property
    def count(self) -> Integers:  # type: ignore[override]
        return self.settled().count

    @property
    def mass(self) -> Integers:
        return self.settled().mass

    @property
    def table(self) -> Contingency:
        return self.settled().table


# -- views that are read from sums -------------------------------------------------------------------


def _matches(profile: LiveProfile, exact: bool) -> BestOverlaps:
    """A view with two sums that are already known and need not be computed from the table."""
    number: Any = Fraction if exact else int
    matches = BestOverlaps.of(profile, exact)
    matches.rows_best, matches.columns_best = (number(lines.best) for lines in profile.state.rows_columns)
    return matches


class _LiveElements(Elements):
    """Sums over sizes, of which there are few, where the sums over the overlaps allow it."""

    @cached_property
    def kept(self) -> Sum:
        return self._number(_state(self._counts).kept)

    @cached_property
    def over_a(self) -> Sum:
        return self._over(0)

    @cached_property
    def over_b(self) -> Sum:
        return self._over(1)

    def _over(self, side: int) -> Sum:
        totals = _state(self._counts).rows_columns[side].squares_by_size
        sizes, sums = (np.array(list(each), dtype=object) for each in (totals, totals.values()))
        return sum_of_ratios(sums, sizes, self._exact)


_LIVE_VIEWS: dict[type, Callable[[LiveProfile, bool], View]] = {
    Elements: _LiveElements.of,
    BestOverlaps: _matches,
}


def _state(profile: Any) -> LiveCells:
    state: LiveCells = profile.state
    return state
