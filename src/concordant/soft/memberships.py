"""Memberships: the rows of a soft partition in whole units, so every sum over them is an integer.

A floating-point weight becomes a multiple of 2⁻⁵³. Fractions and decimals keep their common denominator and
stay exact. Integers add up to the same sum in any order, so values do not depend on chunks and threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.maths.arithmetic import Integers

# The units of a weight of 1 for floating-point weights, and the most that the core takes.
UNITS = 2**53
_CHUNK = 2**20  # rows that the core sums at a time: 128 bits hold that many products


@dataclass(frozen=True, slots=True, eq=False)
class Memberships:
    """Weights by row: a table with all columns, or the nonzero weights of each row (``start``, ``column``).

    Units beyond 2⁵³, of exact fractions, are Python integers in a table.
    """

    units: NDArray[Any]
    columns: int
    scale: int  # units of a weight of 1
    start: Integers | None = None  # of each row among the weights
    column: Integers | None = None  # of each weight
    rest: NDArray[Any] | None = None  # units of each row that are in no cluster; None if there are none
    exact: bool = False  # whether the weights are as they were given, not rounded

    @classmethod
    def of_codes(cls, codes: Integers, columns: int, scale: int) -> Memberships:
        """Hard labels: the whole weight in one column."""
        size = len(codes)
        units: Integers = np.full(size, min(scale, UNITS), dtype=np.int64)
        made = cls(units, columns, min(scale, UNITS), np.arange(size + 1), codes, exact=True)
        return made if scale <= UNITS else made.scaled_to(scale, exact=True)

    def __len__(self) -> int:
        return len(self.units) if self.start is None else len(self.start) - 1

    @property
    def nbytes(self) -> int:
        """The memory of the rows; that of Python's integers is not counted."""
        arrays = (self.units, self.start, self.column, self.rest)
        return sum(each.nbytes for each in arrays if each is not None)

    @property
    def is_hard(self) -> bool:
        """Whether every row has its whole weight in one column, or in none."""
        weights = (self.units,) if self.rest is None else (self.units, self.rest)
        return all(bool(np.all((each == 0) | (each == self.scale))) for each in weights)

    @property
    def as_core_rows(self) -> tuple[Integers | None, Integers | None, Integers, int]:
        """The rows as the core takes them."""
        return self.start, self.column, np.ascontiguousarray(self.units).reshape(-1), self.columns

    def chunks(self) -> Iterator[slice]:
        """The rows in pieces that the core takes."""
        return (slice(i, min(i + _CHUNK, len(self))) for i in range(0, max(len(self), 1), _CHUNK))

    def piece(self, rows: slice) -> Memberships:
        """Some adjacent rows."""
        if rows.start == 0 and rows.stop == len(self):
            return self
        rest = None if self.rest is None else self.rest[rows]
        if self.start is None or self.column is None:
            return replace(self, units=self.units[rows], rest=rest)
        start = self.start[rows.start : rows.stop + 1]
        held = slice(int(start[0]), int(start[-1]))
        return replace(
            self, units=self.units[held], start=start - start[0], column=self.column[held], rest=rest
        )

    def taken(self, positions: NDArray[Any]) -> Memberships:
        """The rows at these positions; position -1 is a record that is in no cluster."""
        absent = positions < 0
        rest = None if self.rest is None else np.where(absent, self.scale, self.rest[positions])
        if rest is None and absent.any():
            rest = np.where(absent, self.scale, self.units.dtype.type(0) if len(self.units) else 0)
        if self.start is None or self.column is None:
            units = self.units[positions] if len(self) else np.zeros((len(positions), self.columns), np.int64)
            units[absent] = 0
            return replace(self, units=units, rest=rest)
        length = np.where(absent, 0, np.diff(self.start)[positions] if len(self) else 0)
        start = np.concatenate([[0], np.cumsum(length)])
        begin = np.where(absent, 0, self.start[:-1][positions] if len(self) else 0)
        held = np.repeat(begin - start[:-1], length) + np.arange(int(start[-1]))
        return replace(self, units=self.units[held], start=start, column=self.column[held], rest=rest)

    def with_singletons(self, positions: NDArray[Any]) -> Memberships:
        """The rows at these positions; each position -1 is alone in a cluster, which follows the others."""
        absent = np.flatnonzero(positions < 0)
        made = self.taken(positions)
        if not len(absent):
            return made
        columns, rest = self.columns + np.arange(len(absent)), None
        if self.rest is not None and made.rest is not None:
            rest = made.rest.copy()
            rest[absent] = 0
        width = self.columns + len(absent)
        if made.units.dtype == object:  # in a table
            table = np.zeros((len(made), width), dtype=object)
            table[:, : self.columns] = made.table().units
            table[absent, columns] = self.scale
            return replace(made, units=table, columns=width, start=None, column=None, rest=rest)
        sparse = made.sparse()
        assert sparse.start is not None
        assert sparse.column is not None
        place = sparse.start[absent]  # the rows are empty
        start = sparse.start + np.concatenate([[0], np.cumsum(positions < 0)])
        units = np.insert(sparse.units, place, self.scale)
        column = np.insert(sparse.column, place, columns)
        return replace(made, units=units, columns=width, start=start, column=column, rest=rest)

    def sparse(self) -> Memberships:
        """The same with the nonzero weights of each row."""
        if self.start is not None:
            return self
        row, column = np.nonzero(self.units)
        start = np.searchsorted(row, np.arange(len(self) + 1)).astype(np.int64)
        return replace(self, units=self.units[row, column], start=start, column=column.astype(np.int64))

    def scaled_to(self, scale: int, *, exact: bool) -> Memberships:
        """The same weights in other units: multiplied, or rounded to 2⁻⁵³."""
        if scale == self.scale:
            return self if exact == self.exact else replace(self, exact=exact)
        if not exact:
            return replace(
                self,
                units=_rounded(self.units, self.scale),
                rest=None if self.rest is None else _rounded(self.rest, self.scale),
                scale=UNITS,
                exact=False,
            )
        factor, large = scale // self.scale, scale > UNITS
        whole = self.table() if large else self
        if large:
            whole = replace(
                whole,
                units=whole.units.astype(object),
                rest=None if whole.rest is None else whole.rest.astype(object),
            )
        rest = None if whole.rest is None else whole.rest * factor
        return replace(whole, units=whole.units * factor, rest=rest, scale=scale)

    def table(self) -> Memberships:
        """The same with all columns of each row."""
        if self.start is None or self.column is None:
            return self
        units = np.zeros((len(self), self.columns), dtype=self.units.dtype)
        units[np.repeat(np.arange(len(self)), np.diff(self.start)), self.column] = self.units
        return replace(self, units=units, start=None, column=None)

    def weights(self) -> NDArray[np.float64]:
        """All weights as floating-point numbers, a row for each record."""
        return np.asarray(self.table().units / self.scale, dtype=np.float64)

    def rest_weights(self) -> NDArray[np.float64]:
        """The weight of each row that is in no cluster."""
        if self.rest is None:
            return np.zeros(len(self))
        return np.asarray(self.rest / self.scale, dtype=np.float64)

    def column_sums(self) -> list[int]:
        """The units of each column."""
        if self.start is None or self.column is None:
            return [int(each) for each in self.units.astype(object).sum(axis=0)] if len(self) else []
        sums = np.zeros(self.columns, dtype=object)
        np.add.at(sums, self.column, self.units.astype(object))
        return [int(each) for each in sums]

    def kept_columns(self) -> tuple[Memberships, Integers]:
        """Without the columns that have no weight, and which columns those are that stay."""
        if self.start is None or self.column is None:
            has_weight = (self.units != 0).any(axis=0)
            kept = np.flatnonzero(has_weight)
            if len(kept) == self.columns:
                return self, kept
            return replace(self, units=np.ascontiguousarray(self.units[:, kept]), columns=len(kept)), kept
        has_weight = np.bincount(self.column[self.units != 0], minlength=self.columns) > 0
        kept = np.flatnonzero(has_weight)
        inside = has_weight[self.column]
        start = np.concatenate([[0], np.cumsum(inside)])[self.start]
        column = (np.cumsum(has_weight) - 1)[self.column[inside]]
        return replace(self, units=self.units[inside], start=start, column=column, columns=len(kept)), kept

    def largest(self) -> tuple[Integers, NDArray[Any], NDArray[np.bool_]]:
        """For each record the column of its largest weight, that weight, and whether another equals it."""
        if self.start is None or self.column is None:
            codes = np.argmax(self.units, axis=1) if len(self) else np.zeros(0, dtype=np.int64)
            largest = self.units[np.arange(len(self)), codes]
            tied = (self.units == largest[:, None]).sum(axis=1) > 1
            return codes.astype(np.int64), largest, tied & (largest > 0)
        rows = np.repeat(np.arange(len(self)), np.diff(self.start))
        order = np.lexsort((self.column, -self.units, rows))
        has_any = np.diff(self.start) > 0
        first = self.start[:-1][has_any]
        codes, largest, tied = (
            np.zeros(len(self), np.int64),
            np.zeros(len(self), np.int64),
            np.zeros(len(self), bool),
        )
        codes[has_any], largest[has_any] = self.column[order[first]], self.units[order[first]]
        several = np.diff(self.start)[has_any] > 1
        second = np.where(several, first + 1, first)
        tied[has_any] = several & (self.units[order[second]] == largest[has_any])
        return codes, largest, tied & (largest > 0)


def _rounded(units: NDArray[Any], scale: int) -> Integers:
    return whole_units(np.asarray(units / scale, dtype=np.float64))


def whole_units(weights: NDArray[np.float64]) -> Integers:
    """Weights as multiples of 2⁻⁵³, halves rounded up as in the core."""
    exact = weights * UNITS
    # From half of the units on every double is a whole number.
    return np.where(exact < UNITS // 2, exact + 0.5, exact).astype(np.int64)
