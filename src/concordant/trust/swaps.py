"""Swaps of whole units, such as documents, between two systems: exact tests of a difference.

If it did not matter which system the clusters of a unit are from, each choice of one system per unit would be
as likely as any other. The p-value is the share of these choices whose difference is as large as observed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Floats, Integers, sums_by
from concordant.counts.base import View
from concordant.counts.elements import Elements
from concordant.counts.information import Information
from concordant.counts.pairs import Crossings, PairCounts, Trios, ViewCounts
from concordant.counts.profile import Profile
from concordant.counts.random_models import PairModels
from concordant.counts.three_way import Units
from concordant.errors import InputError, ParameterError
from concordant.indices.index import Index
from concordant.trust.null_test import Arrangements, Known, NullTest
from concordant.trust.significance import TestOptions

# Up to this many units, all 2^m swaps are made.
MOST_EXACT = 16
_CHUNK = 2048
# A float that misses the observed difference by no more than this reaches it.
_ROUNDING = 1e-12


def swap_p(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index, swaps: int, seed: int
) -> tuple[float, int, bool]:
    """The p-value of no difference, the number of swaps, and whether these are all there are.

    Units in which both systems have the same counts do not matter. Of the others, all choices are made if
    there are few; else p = (1 + as large a difference) / (1 + swaps).
    """
    _check_swaps(profiles, units, index)
    mixed = MixedCounts(profiles, units)
    ends = np.array([[False], [True]]).repeat(mixed.units, axis=1)
    first, second = _values(mixed, index, ends).tolist()
    moving = mixed.moving_units()
    number = len(moving)
    if not number:
        return 1.0, 1, True
    is_exact = number <= MOST_EXACT

    def differences(choices: NDArray[np.bool_]) -> list[float]:
        every = np.zeros((len(choices), mixed.units), dtype=bool)
        every[:, moving[: choices.shape[1]]] = choices
        here, there = np.split(_values(mixed, index, np.concatenate([every, ~every])), 2)
        found: list[float] = np.abs(here - there).tolist()
        return found

    def all_differences(is_patient: bool) -> Arrangements | None:  # noqa: ARG001  (more would take too long)
        if not is_exact:
            return None
        # Each choice has a mirror image with a difference of the same size, so the last unit need not be
        # swapped.
        values = np.concatenate([*map(differences, all_choices(number - 1))])
        return values, np.ones(len(values))

    test = NullTest(
        index=index.name,
        value=first - second,
        statistic="difference",
        observed=abs(first - second),
        size=number,
        slack=_ROUNDING * max(1.0, abs(first), abs(second)),
        draws=lambda random, swaps: chain.from_iterable(
            map(differences, random_choices(number, swaps, random))
        ),
        known=Known(exact=all_differences),
    )
    found = test.significance(TestOptions(n_resamples=swaps, seed=seed), stops_early=False)
    # p is a share: its logarithm may have changed the last digit.
    if is_exact:
        return round(found.p * 2 ** (number - 1)) / 2 ** (number - 1), 2**number, True
    return max(round(found.p * (1 + swaps)) / (1 + swaps), least_p(number)), swaps, False


def least_p(differing: int) -> float:
    """The smallest two-sided p-value that this many units with a difference can support: 2^(1 − units).

    >>> least_p(0), least_p(1), least_p(6)
    (1.0, 1.0, 0.03125)
    """
    return 2.0 ** (1 - max(differing, 1))


def all_choices(number: int) -> Iterator[NDArray[np.bool_]]:
    """Every choice among this many units, in chunks of rows.

    >>> np.concatenate(list(all_choices(2))).astype(int).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    places = np.arange(number)
    for start in range(0, 2**number, _CHUNK):
        rows = np.arange(start, min(start + _CHUNK, 2**number))
        yield (rows[:, None] >> places & 1).astype(bool)


def random_choices(number: int, swaps: int, seed: int | np.random.Generator) -> Iterator[NDArray[np.bool_]]:
    """Random choices among this many units, in chunks of rows."""
    random = np.random.default_rng(seed)
    for start in range(0, swaps, _CHUNK):
        yield random.random((min(_CHUNK, swaps - start), number)) < 0.5


# -- mixtures of both systems -----------------------------------------------------------------------------


def _is_of_sums(index: Index) -> bool:
    """Whether sums over overlaps and clusters determine the index."""
    return set(index.views) <= {PairCounts, Trios, PairModels, Information, Elements, Crossings}


def can_swap(profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index) -> bool:
    """Whether units hold whole clusters, and the index is a function of sums over them."""
    return _is_of_sums(index) and not _has_divided_cluster(profiles, units)


def _has_divided_cluster(profiles: tuple[Profile, Profile], units: tuple[Units, Units]) -> bool:
    for profile, own in zip(profiles, units, strict=True):
        table = profile.table
        for clusters in (table.row[own.cell], table.column[own.cell]):
            number = int(clusters.max(initial=-1)) + 1
            if len(np.unique(own.unit * number + clusters)) > number:
                return True
    return False


def _check_swaps(profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index) -> None:
    if _has_divided_cluster(profiles, units):
        raise InputError(
            "a cluster has records in several units, so units cannot be swapped: its parts would be from "
            "both systems"
        )
    if not _is_of_sums(index):
        raise ParameterError(
            f"{index.name} is not a function of sums over units, so units cannot be swapped; f_measure, "
            "bcubed_f and v_measure are"
        )


class MixedCounts:
    """The counts of the first system, and how they change with each unit that is from the second.

    All numbers in the views of these indices are sums over overlaps, for a fixed reference. So a unit changes
    each of them by the same amount, whichever system the other units are from.

    Attributes
    ----------
    units : int
        Number of units in which the systems differ.
    size : int
        Number of records.
    """

    units: int
    size: int

    def __init__(self, profiles: tuple[Profile, Profile], units: tuple[Units, Units]) -> None:
        tables = [profile.table for profile in profiles]
        every = np.concatenate([np.stack([t.n, t.a, t.b], axis=1) for t in tables])
        self._triples, kind = np.unique(every, axis=0, return_inverse=True)
        kind, kinds = np.asarray(kind).ravel(), len(self._triples)
        unit = np.zeros(len(kind), dtype=np.int64)
        unit[units[0].cell], unit[len(tables[0]) + units[1].cell] = units[0].unit, units[1].unit
        sign = np.repeat([-1, 1], [len(tables[0]), len(tables[1])])
        keys, which = np.unique(unit * kinds + kind, return_inverse=True)
        change = sums_by(which, sign, len(keys))
        keys, self._change = keys[change != 0], change[change != 0]
        differing, self._unit = np.unique(keys // max(kinds, 1), return_inverse=True)
        self.units, self._kind = len(differing), keys % max(kinds, 1)
        self._counts = np.bincount(kind[sign < 0], minlength=kinds)
        self.size = profiles[0].size
        self._changes: dict[tuple[type[View], str], tuple[Any, Floats | None]] = {}

    def change(self, view: type[View], name: str) -> tuple[Any, Floats | None]:
        """A number in a view of the first system, and its change with each unit; None if it is fixed."""
        if (view, name) not in self._changes:
            first = getattr(self._first.view(view), name)
            if callable(first):
                raise TypeError(f"{name} is a method of {view.__name__}, not a number")
            changes = np.zeros(0)
            if isinstance(first, int | float | Fraction):
                changes = np.array([float(getattr(p.view(view), name) - first) for p in self._one_swapped])
            self._changes[view, name] = first, changes if changes.any() else None
        return self._changes[view, name]

    def moving_units(self) -> Integers:
        """The units that change a number that was read."""
        changes = [changes != 0 for _, changes in self._changes.values() if changes is not None]
        return np.flatnonzero(np.any(changes, axis=0)) if changes else np.zeros(0, dtype=np.int64)

    @cached_property
    def _first(self) -> Profile:
        return self._profile(self._counts)

    @cached_property
    def _one_swapped(self) -> list[Profile]:
        """The first system with one unit of the second, for each unit."""
        bounds = np.searchsorted(self._unit, np.arange(self.units + 1))
        found = []
        for start, stop in pairwise(bounds.tolist()):
            counts = self._counts.copy()
            counts[self._kind[start:stop]] += self._change[start:stop]
            found.append(self._profile(counts))
        return found

    def _profile(self, counts: Integers) -> Profile:
        n, a, b = self._triples[counts > 0].T
        return Profile(n, a, b, counts[counts > 0], size=self.size)

    def are_identical(self, chosen: Floats) -> NDArray[np.bool_]:
        """Whether each mixture has the clusters of the reference: no overlap is part of a cluster."""
        n, a, b = self._triples.T
        is_part = (n < a) | (n < b)
        changes = np.bincount(self._unit, weights=self._change * is_part[self._kind], minlength=self.units)
        parts: Floats = int(self._counts[is_part].sum()) + chosen @ changes
        return np.equal(parts, 0)


class FloatColumn(np.ndarray[Any, np.dtype[np.float64]]):
    """Floats that stay floats in formulas with a Fraction among their parameters."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = (float(x) if isinstance(x, Fraction) else np.asarray(x) for x in inputs)
        return getattr(ufunc, method)(*plain, **options).view(FloatColumn)


class MixedView:
    """A view of many mixtures: each attribute is an array with a number for each, or one number for all."""

    def __init__(self, counts: MixedCounts, view: type[View], chosen: Floats) -> None:
        self._counts, self._view, self._chosen = counts, view, chosen
        self._columns: dict[str, list[Any]] = {}

    def __getattr__(self, name: str) -> Any:
        first, changes = self._counts.change(self._view, name)
        found = first if changes is None else (float(first) + self._chosen @ changes).view(FloatColumn)
        setattr(self, name, found)
        return found

    def column(self, name: str) -> list[Any]:
        """The number of each mixture; counts are integers, as formulas may divide them exactly."""
        if name not in self._columns:
            found, (first, changes) = getattr(self, name), self._counts.change(self._view, name)
            if changes is None:
                column = [first] * len(self._chosen)
            else:
                column = (np.rint(found).astype(np.int64) if isinstance(first, int) else found).tolist()
            self._columns[name] = column
        return self._columns[name]

    def rows(self, rows: list[int]) -> Iterator[Any]:
        """The views of these mixtures, one by one."""
        if not is_dataclass(self._view):
            return (_MixtureView(self, row) for row in rows)
        columns = (self.column(each.name) for each in fields(self._view))
        return map(self._view, *([column[row] for row in rows] for column in columns))


class _MixtureView:
    """One row of the columns of a mixed view."""

    __slots__ = ("_row", "_view")

    def __init__(self, view: MixedView, row: int) -> None:
        self._view, self._row = view, row

    def __getattr__(self, name: str) -> Any:
        return self._view.column(name)[self._row]


def _values(mixed: MixedCounts, index: Index, choices: NDArray[np.bool_]) -> Floats:
    """The index of each mixture: vectorised if its formula is plain arithmetic, else one by one."""
    chosen = choices.astype(np.float64)
    identical = mixed.are_identical(chosen)
    views = [MixedView(mixed, view, chosen) for view in index.views]
    values = np.full(len(chosen), math.nan)
    try:
        with np.errstate(all="ignore"):
            values[:] = index.compute(*views, **index.arguments)
    except (TypeError, ValueError, ZeroDivisionError):  # it compares, rounds, or divides by a fixed zero
        pass
    rows = np.flatnonzero(identical | ~np.isfinite(values)).tolist()
    if rows:
        known = zip(*(view.rows(rows) for view in views), strict=True)
        for row, is_identical, own in zip(rows, identical[rows].tolist(), known, strict=True):
            counts = ViewCounts(mixed.size, is_identical, dict(zip(index.views, own, strict=True)))
            values[row] = index.value(counts)
    return values
