"""The profile of counts that follow edits: read from sums if possible, else counted."""

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
from concordant.counts.information import Information
from concordant.counts.overlaps import Matches, Pieces, Price
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.engines.live.lines import LiveCells, as_entropy, fixed_log


class LiveProfile(Profile):
    """The profile of live cells as they are now; ``settled`` is a Profile that no edit changes any more."""

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
    def identical(self) -> bool:
        rows, columns = self.state.rows_columns
        return bool(self.state.squared == rows.squared == columns.squared)

    @property
    def availability(self) -> Availability:
        return ALL_AT_HAND

    def view(self, kind: type[ViewT], exact: bool = False) -> ViewT:
        if self._first is not None and self._first.size == self.state.size and not self.state.net:
            return self._first.view(kind, exact)  # the same sums in the same order, and so the same bits
        self._current()
        key = (kind, exact)
        if key not in self._views:
            self._views[key] = _LIVE_VIEWS.get(kind, kind.of)(self, exact)
        view: ViewT = self._views[key]
        return view

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
    def weight(self) -> Any:
        return self.settled().weight

    @property
    def table(self) -> Table:
        return self.settled().table

    def transposed(self) -> Profile:
        return self.settled().transposed()


# -- views that are read from sums -------------------------------------------------------------------


def _pairs(profile: LiveProfile, exact: bool) -> Pairs:
    rows, columns = profile.state.rows_columns
    pairs = Pairs.from_squares(profile.size, profile.state.squared, rows.squared, columns.squared)
    return pairs.exactly() if exact else pairs


def _matches(profile: LiveProfile, exact: bool) -> Matches:
    """Two of its sums, which would be found in the table when they are read, are known."""
    number: Any = Fraction if exact else int
    matches = Matches.of(profile, exact)
    matches.rows_best, matches.columns_best = (number(lines.best) for lines in profile.state.rows_columns)
    return matches


class _LiveInformation(Information):
    """Entropies from sums of n log n that are integers, and so the same however one came there."""

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        state = _state(profile)
        self._whole, self._met = fixed_log(state.size), state.logs
        self._of_u, self._of_v = (lines.logs for lines in state.rows_columns)
        self._refines_v = state.cells == state.rows_columns[0].clusters
        self._refines_u = state.cells == state.rows_columns[1].clusters
        self._is_full = state.cells == state.rows_columns[0].clusters * state.rows_columns[1].clusters

    @cached_property
    def h_u(self) -> float:
        return as_entropy(self._whole - self._of_u, self.size)

    @cached_property
    def h_v(self) -> float:
        return as_entropy(self._whole - self._of_v, self.size)

    @cached_property
    def h_uv(self) -> float:
        return max(as_entropy(self._whole - self._met, self.size), self.h_u, self.h_v)

    @cached_property
    def h_u_given_v(self) -> float:
        return 0.0 if self._refines_u else min(as_entropy(self._of_v - self._met, self.size), self.h_u)

    @cached_property
    def h_v_given_u(self) -> float:
        return 0.0 if self._refines_v else min(as_entropy(self._of_u - self._met, self.size), self.h_v)

    @cached_property
    def mutual(self) -> float:
        if self._refines_u:
            return self.h_u
        if self._refines_v:
            return self.h_v
        shared = as_entropy(self._whole - self._of_u - self._of_v + self._met, self.size)
        if self._is_full and shared < _NEARLY_NOTHING:  # only the cells can show whether it is zero
            live: Any = self._profile
            return Information(live.settled()).mutual
        return min(shared, self.h_u, self.h_v)


_NEARLY_NOTHING = 1e-9


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


class _LivePieces(Pieces):
    def _cost(self, price: str | Price, *, by_rows: bool) -> float:
        state = _state(self._counts)
        lines = state.rows_columns[0 if by_rows else 1]
        if price == "information":
            return as_entropy(lines.logs - state.logs, state.size)
        if price in ("product", "pairwise"):
            return self._counted((lines.squared - state.squared) // 2)
        return super()._cost(price, by_rows=by_rows)


_LIVE_VIEWS: dict[type, Callable[[LiveProfile, bool], View]] = {
    Pairs: _pairs,
    Information: _LiveInformation.of,
    Elements: _LiveElements.of,
    Matches: _matches,
    Pieces: _LivePieces.of,
}


def _state(profile: Any) -> LiveCells:
    state: LiveCells = profile.state
    return state
