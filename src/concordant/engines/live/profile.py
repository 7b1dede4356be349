"""The profile of counts that follow edits: computed from sums if possible, else counted."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from concordant.counts.arithmetic import Integers, Sum, sum_of_ratios
from concordant.counts.availability import ALL_AT_HAND, Availability
from concordant.counts.base import View, ViewT
from concordant.counts.elements import Elements
from concordant.counts.logarithms import LOG_BITS, LogSums, log_sum
from concordant.counts.overlaps import Matches
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.engines.live.lines import LiveCells


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
            table = Table(rows.astype(np.int64), columns.astype(np.int64), n[order])
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
    def table(self) -> Table:
        return self.settled().table

    def transposed(self) -> Profile:
        return self.settled().transposed()


# -- views that are read from sums -------------------------------------------------------------------


def _matches(profile: LiveProfile, exact: bool) -> Matches:
    """A view with two sums that are already known and need not be computed from the table."""
    number: Any = Fraction if exact else int
    matches = Matches.of(profile, exact)
    matches.rows_best, matches.columns_best = (number(lines.best) for lines in profile.state.rows_columns)
    return matches


class _LiveElements(Elements):
    """Sums over sizes, of which there are few, where the sums over the overlaps allow it."""

    @cached_property
    def kept(self) -> Sum:
        return self._counted(_state(self._profile).kept)

    @cached_property
    def over_a(self) -> Sum:
        return self._over(0)

    @cached_property
    def over_b(self) -> Sum:
        return self._over(1)

    @cached_property
    def outside_u(self) -> Sum:
        return self._outside_of(0)

    @cached_property
    def outside_v(self) -> Sum:
        return self._outside_of(1)

    def _over(self, side: int) -> Sum:
        return self._by_size(_state(self._profile).rows_columns[side].squares_by_size)

    def _outside_of(self, side: int) -> Sum:
        """Σ (size² − Σ n²)/size, over the clusters."""
        lines = _state(self._profile).rows_columns[side]
        squares = lines.squares_by_size
        lost = {size: many * size * size - squares[size] for size, many in lines.histogram.items()}
        return self._by_size({size: loss for size, loss in lost.items() if loss})

    def _by_size(self, totals: dict[int, int]) -> Sum:
        sizes, sums = (np.array(list(each), dtype=object) for each in (totals, totals.values()))
        return sum_of_ratios(sums, sizes, self._exact)


_LIVE_VIEWS: dict[type, Callable[[LiveProfile, bool], View]] = {
    Elements: _LiveElements.of,
    Matches: _matches,
}


def _state(profile: Any) -> LiveCells:
    state: LiveCells = profile.state
    return state
