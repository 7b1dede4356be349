"""The clusters of one side as lines of the table: cells, sizes, and sums that follow every change.

Edits of a comparison with millions of clusters affect only a few. So the cells it began with stay in arrays,
and a line becomes a dictionary when it is first touched.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np

from concordant.counts.arithmetic import Integers, distinct_sizes, sums_by
from concordant.counts.base import View
from concordant.counts.differing import Differing
from concordant.counts.logarithms import LOG_BITS, fixed_log, log_sum
from concordant.counts.overlaps import Matches
from concordant.counts.profile import Profile

_MOST_KNOWN = 100_000  # clusters whose overlaps are kept for the next time


def _size_log(size: int) -> int:
    return size * fixed_log(size, LOG_BITS)


class FirstCells:
    """The cells that the edits began with. Most edits are about clusters that differ: these come first."""

    def __init__(self, profile: Profile) -> None:
        self._table = profile.table  # all of it, from which the clusters that differ follow
        self.profile, self._part = profile, profile.view(Differing)
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
        mass, squares = (sums_by(which, profile.n**k * profile.count, len(distinct)) for k in (1, 2))
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
        _add(self.histogram, size, -1)
        _add(self.squares_by_size, size, -squares)
        _add(self.histogram, grown, 1)
        _add(self.squares_by_size, grown, squares_after)
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
        matches = self.first.profile.view(Matches)
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


def _add(counts: dict[int, int], key: int, more: int) -> None:
    """Add to a count, and remove it if it becomes 0. The key 0 is an empty cluster, which does not count."""
    if not key:
        return
    value = counts.get(key, 0) + more
    if value:
        counts[key] = value
    else:
        counts.pop(key, None)


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
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers are exact as they are)
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

    def arrays(self) -> tuple[Integers, Integers, Integers]:
        """All cells by row, column and size, in no particular order."""
        lines = self.rows_columns[0]
        touched, table = lines.cells, lines.first.profile.table
        untouched = np.ones(lines.first_clusters, dtype=bool)
        untouched[[number for number in touched if number < lines.first_clusters]] = False
        still = untouched[table.row]
        changed = [(number, other, n) for number, line in touched.items() for other, n in line.items()]
        rows, columns, n = zip(*changed, strict=True) if changed else ((), (), ())
        held = (table.row[still], table.column[still], table.n[still])
        is_large = max(n, default=0) >= 2**62
        return (
            np.concatenate([held[0], np.array(rows, dtype=np.int64)]),
            np.concatenate([held[1], np.array(columns, dtype=np.int64)]),
            np.concatenate([held[2], np.array(n, dtype=object if is_large else np.int64)]),
        )
