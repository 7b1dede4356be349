"""The jackknife of units: how much a value moves when one whole unit is left out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Integers
from concordant.counts.pairs import Pairs, ViewCounts
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.counts.three_way import Units
from concordant.errors import UndefinedError

# More units than this are put into groups where each would have to be counted again.
_MOST_UNITS = 200
_GROUPS = 50


@dataclass(frozen=True, slots=True)
class Spread:
    """The values with each of so many units left out: their mean, and the sum of their squares about it."""

    parts: int
    mean: float
    squares: float

    @property
    def se(self) -> float:
        return math.sqrt((self.parts - 1) / self.parts * self.squares)

    @classmethod
    def of(cls, name: str, values: Iterable[float]) -> Spread:
        found: NDArray[np.float64] = np.asarray(list(values), dtype=np.float64)
        if not np.isfinite(found).all():
            raise UndefinedError(f"{name} is not defined when some of the units are left out")
        # About the first value, so that little cancels where all are close to each other.
        about = float(found[0])
        shift = math.fsum((found - about).tolist()) / len(found)
        return cls(len(found), about + shift, float(((found - about - shift) ** 2).sum()))


def values_without_units(profile: Profile, index: Index, units: Units, seed: int) -> list[float]:
    """The value when each unit is left out in turn; many are put into groups if each is counted again."""
    if index.views == (Pairs,):
        return [index.value(ViewCounts.of_pairs(pairs), "nan") for pairs in _pairs_without(profile, units)]
    if units.count > _MOST_UNITS:
        units = units.grouped(_GROUPS, seed)
    table = profile.table
    order = np.argsort(units.unit, kind="stable")
    ends = np.searchsorted(units.unit[order], np.arange(units.count + 1))
    values = []
    for first, last in pairwise(ends.tolist()):
        pieces = order[first:last]
        taken = np.bincount(units.cell[pieces], weights=units.n[pieces], minlength=len(table))
        values.append(index.value(_without(table, taken.astype(np.int64))))
    return values


def _pairs_without(profile: Profile, units: Units) -> Iterator[Pairs]:
    """Pair counts without each unit, from Σ size² over the cells, the rows and the columns that are left."""
    table = profile.table
    held = np.bincount(units.unit, weights=units.n, minlength=units.count).astype(np.int64)
    squares = []
    for group, sizes in (
        (units.cell, table.n),
        (table.row[units.cell], table.row_sizes),
        (table.column[units.cell], table.column_sizes),
    ):
        key, which = np.unique(units.unit * len(sizes) + group, return_inverse=True)
        part = np.zeros(len(key), dtype=object)
        np.add.at(part, which, units.n.astype(object))
        size = sizes[key % len(sizes)].astype(object)
        lost = np.zeros(units.count, dtype=object)  # size² − (size − part)²
        np.add.at(lost, (key // len(sizes)).astype(np.int64), part * (2 * size - part))
        squares.append(sum(x * x for x in sizes.tolist()) - lost)
    for size, *sums in zip((profile.size - held).tolist(), *(s.tolist() for s in squares), strict=True):
        yield Pairs.from_squares(size, *sums)


def _without(table: Table, taken: Integers) -> Profile:
    """What is left when so many elements of each cell are taken out."""
    left = table.n - taken
    kept = left > 0
    row, column = (np.unique(x[kept], return_inverse=True)[1] for x in (table.row, table.column))
    return Profile.of_table(Table(row.astype(np.int64), column.astype(np.int64), left[kept]))
