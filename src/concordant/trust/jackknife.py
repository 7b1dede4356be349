"""The jackknife: how much a value moves when one element, one unit or one group of them is left out.

Elements are left out in closed form where the index allows it, see ``left_out``. Else fifty random groups of
elements, or each unit that the data were drawn by, are taken out of the table and the rest is counted again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Integers
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.counts.table import Table
from concordant.errors import TooLargeError, UndefinedError
from concordant.trust.left_out import LeftOut, can_leave_out
from concordant.views.pairs import PairProfile, Pairs

GROUPS = 50
# More units than this are put into groups where each would have to be counted anew.
_MOST_UNITS = 200
_MOST_GROUPED = 10**8

# Up to so many kinds of elements the formula is simply evaluated for each.
_FEW_KINDS = 500
# Where counts of pairs change by less than this share, a cubic polynomial gives ten digits of the spread.
_SMALL_CHANGE = 1e-3
_DEGREE = 3
_CHUNK = 2**16


@dataclass(frozen=True, slots=True)
class Spread:
    """The values with each of so many parts left out: their mean, and the sum of their squares about it."""

    parts: int
    mean: float
    squares: float

    @property
    def se(self) -> float:
        return math.sqrt((self.parts - 1) / self.parts * self.squares)

    def corrected(self, value: float) -> float:
        """The mean of the pseudo-values: what is left of a value once its bias is taken off."""
        return value + (self.parts - 1) * (value - self.mean)

    @classmethod
    def of(cls, name: str, values: Iterable[float], weights: Iterable[int] | None = None) -> Spread:
        found = np.array(list(values), dtype=np.float64)
        many = np.ones(len(found)) if weights is None else np.array(list(weights), dtype=np.float64)
        if not np.isfinite(found).all():
            raise UndefinedError(f"{name} is not defined when some of the elements are left out")
        parts = int(many.sum())
        # About the first value, so that little cancels where all are close to each other.
        about = float(found[0])
        shift = math.fsum((many * (found - about)).tolist()) / parts
        return cls(parts, about + shift, float(many @ (found - about - shift) ** 2))


def spread_of_elements(profile: Profile, index: Index, seed: int) -> tuple[Spread, bool]:
    """The spread when elements are left out, and whether one by one; else by random groups."""
    if not can_leave_out(index):
        table = profile.table
        groups = element_groups(table.n, profile.size, seed)
        rests = values_without_groups(table, index, np.arange(len(table)), groups)
        return Spread.of(index.name, rests), profile.size <= GROUPS
    if index.views == (Pairs,) and len(profile.n) > _FEW_KINDS and _largest_change(profile) < _SMALL_CHANGE:
        return _smooth_spread(profile, index), True
    left = LeftOut(profile, index)
    values = (index.value(rest, "nan") for rest in left)
    return Spread.of(index.name, values, left.weights.tolist()), True


def element_groups(n: Integers, size: int, seed: int) -> list[Integers]:
    """The cells of the elements in each of fifty random groups of nearly equal size; n are the cells' own."""
    if size > _MOST_GROUPED:
        raise TooLargeError(
            f"{counted(size, 'element')} are too many to put into groups; an index of pairs, such as "
            "adjusted_rand, needs none"
        )
    cell = np.repeat(np.arange(len(n)), n)
    if len(cell) > GROUPS:
        np.random.default_rng(seed).shuffle(cell)
    return np.array_split(cell, min(GROUPS, len(cell)))


def values_without_groups(
    table: Table, index: Index, cell_of: Integers, groups: list[Integers]
) -> list[float]:
    """The value without each group; ``cell_of`` says which cell of the table each cell of a group lies in."""
    taken = (np.bincount(cell_of[cells], minlength=len(table)) for cells in groups)
    return [index.value(_without(table, each)) for each in taken]


def _without(table: Table, taken: Integers) -> Profile:
    """What is left when so many elements of each cell are taken out."""
    left = table.n - taken
    kept = left > 0
    row, column = (np.unique(x[kept], return_inverse=True)[1] for x in (table.row, table.column))
    return Profile.of_table(Table(row.astype(np.int64), column.astype(np.int64), left[kept]))


# -- many kinds of elements, and an index of pairs ------------------------------------------------------


def _drops(profile: Profile) -> tuple[Integers, Integers, Integers]:
    """By how much N₁₁, N₁₀ and N₀₁ fall without an element of each triple."""
    return profile.n - 1, profile.a - profile.n, profile.b - profile.n


def _largest_change(profile: Profile) -> float:
    """The largest share of a count of pairs that goes with one element."""
    p = profile.view(Pairs)
    falls = [int(drop.max(initial=0)) for drop in _drops(profile)]
    shares = [fall / count for fall, count in zip(falls, (p.n11, p.n10, p.n01), strict=True) if fall]
    return max([*shares, profile.size / max(p.n00, 1)], default=0.0)


@dataclass(frozen=True, slots=True)
class _Monomials:
    """Sums over the elements of the basis of Newton's interpolation, and of its products."""

    steps: tuple[Fraction, ...]
    means: NDArray[np.float64]
    products: NDArray[np.float64]


_EXPONENTS = [e for e in product(range(_DEGREE + 1), repeat=3) if 0 < sum(e) <= _DEGREE]


@lru_cache(maxsize=4)  # all indices of a comparison share it
def _monomials(profile: Profile) -> _Monomials:
    drops = _drops(profile)
    steps = tuple(Fraction(max(int(drop.max(initial=0)), 1), _DEGREE) for drop in drops)
    means, products = np.zeros(len(_EXPONENTS)), np.zeros((len(_EXPONENTS),) * 2)
    for start in range(0, len(profile.n), _CHUNK):
        part = slice(start, start + _CHUNK)
        powers = [
            _binomials(drop[part].astype(np.float64) / float(step))
            for drop, step in zip(drops, steps, strict=True)
        ]
        basis = np.stack([powers[0][i] * powers[1][j] * powers[2][k] for i, j, k in _EXPONENTS])
        weighted = basis * profile.mass[part].astype(np.float64)
        means += weighted.sum(axis=1)
        products += weighted @ basis.T
    return _Monomials(steps, means / profile.size, products)


def _binomials(t: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """C(t, k) for k up to the degree."""
    found = [np.ones_like(t)]
    for k in range(_DEGREE):
        found.append(found[-1] * (t - k) / (k + 1))
    return found


def _smooth_spread(profile: Profile, index: Index) -> Spread:
    """The formula at the nodes of a cubic polynomial in the three drops, which tells its mean and spread."""
    basis, p = _monomials(profile), profile.view(Pairs)
    size = profile.size - 1

    def at(*node: int) -> float:
        x, y, z = (k * step for k, step in zip(node, basis.steps, strict=True))
        rest = p.n00 - (size - x - y - z)
        counts = (p.n11 - x, p.n10 - y, p.n01 - z, rest, size)
        return index.value(PairProfile(Pairs(*counts)), "nan")  # type: ignore[arg-type]  # Fractions calculate alike

    nodes = {node: at(*node) for node in product(range(_DEGREE + 1), repeat=3) if sum(node) <= _DEGREE}
    if not all(map(math.isfinite, nodes.values())):
        raise UndefinedError(f"{index.name} is not defined when some of the elements are left out")
    slopes = np.array([_difference(nodes, exponents) for exponents in _EXPONENTS])
    shift = float(slopes @ basis.means)
    squares = float(slopes @ basis.products @ slopes) - profile.size * shift * shift
    return Spread(profile.size, nodes[0, 0, 0] + shift, max(squares, 0.0))


def _difference(nodes: dict[tuple[int, ...], float], order: tuple[int, ...]) -> float:
    """The forward difference of this order in each direction."""
    terms = []
    for i, j, k in product(*(range(o + 1) for o in order)):
        sign = (-1) ** (sum(order) - i - j - k)
        ways = math.comb(order[0], i) * math.comb(order[1], j) * math.comb(order[2], k)
        terms.append(sign * ways * nodes[i, j, k])
    return math.fsum(terms)


# -- units ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Units:
    """Which unit each element belongs to: how many elements of each cell lie in each unit."""

    count: int
    unit: Integers  # of each piece, a part of a cell
    cell: Integers
    n: Integers

    def grouped(self, groups: int, seed: int) -> Units:
        """The units put into so many random groups of nearly equal number."""
        group = np.random.default_rng(seed).permutation(np.arange(self.count) % groups)
        return Units(groups, group[self.unit], self.cell, self.n)


def spread_of_units(profile: Profile, index: Index, units: Units, seed: int) -> Spread:
    """The spread when each unit is left out in turn."""
    return Spread.of(index.name, values_without_units(profile, index, units, seed))


def values_without_units(profile: Profile, index: Index, units: Units, seed: int) -> list[float]:
    """The value when each unit is left out in turn; many are put into groups where each is counted anew."""
    if index.views == (Pairs,):
        return [index.value(PairProfile(pairs), "nan") for pairs in _pairs_without(profile, units)]
    if units.count > _MOST_UNITS:
        units = units.grouped(GROUPS, seed)
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
    """Counts of pairs without each unit: what it has of a cell, a row or a column is taken out of it."""
    table = profile.table
    held = np.bincount(units.unit, weights=units.n, minlength=units.count).astype(np.int64)
    squares = [
        _squares_without(units, group, sizes)
        for group, sizes in (
            (units.cell, table.n),
            (table.row[units.cell], table.row_sizes),
            (table.column[units.cell], table.column_sizes),
        )
    ]
    for size, *sums in zip((profile.size - held).tolist(), *(s.tolist() for s in squares), strict=True):
        yield Pairs.from_squares(size, *sums)


def _squares_without(units: Units, group: Integers, sizes: Integers) -> Integers:
    """Σ size² without each unit, in whole numbers: what (size − part)² lacks of it is taken off."""
    key = units.unit * len(sizes) + group
    distinct, which = np.unique(key, return_inverse=True)
    part = np.zeros(len(distinct), dtype=object)
    np.add.at(part, which, units.n.astype(object))
    size = sizes[distinct % len(sizes)].astype(object)
    lost = np.zeros(units.count, dtype=object)
    np.add.at(lost, (distinct // len(sizes)).astype(np.int64), part * (2 * size - part))
    total = sum(x * x for x in sizes.tolist())
    without: Integers = total - lost
    return without
