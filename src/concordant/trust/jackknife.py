"""The jackknife: how much a value moves when one element, one unit or one group of them is left out.

Elements are left out in closed form if the index allows it (``leave_one_out``). Otherwise fifty random groups
of elements, or each sampling unit, are taken out of the table, and the rest is counted again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise, product
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Integers
from concordant.counts.base import View
from concordant.counts.pairs import Crossings, Pairs, Trios, ViewCounts
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.counts.table import Table
from concordant.counts.three_way import Units
from concordant.errors import TooLargeError, UndefinedError
from concordant.trust.leave_one_out import (
    LeftOut,
    can_leave_out,
    falls_by_sums,
    pair_view_without,
    reads_pairs,
    trios_of_one,
)
from concordant.views.random_models import PairModels

GROUPS = 50
# More units than this are put into groups where each would have to be counted anew.
_MOST_UNITS = 200
_MOST_GROUPED = 10**8

# Up to so many kinds of elements the formula is simply evaluated for each.
_FEW_KINDS = 500
# Where counts of pairs change by less than this share, a cubic polynomial gives ten digits of the spread, and
# one of the fourth degree eight where there are trios.
_SMALL_CHANGE = 1e-3
_DEGREE = 3
_DEGREE_OF_TRIOS = 4  # whose counts change by squares of sizes, and are multiplied
# So few at a time stay in the cache, and their products take no second thread, which would mostly wait.
_CHUNK = 2**11


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
    def together(cls, parts: Sequence[Spread]) -> Spread:
        """The spread of all, from those of some and of the others."""
        count = sum(each.parts for each in parts)
        about = parts[0].mean
        mean = about + sum(each.parts * (each.mean - about) for each in parts) / count
        squares = sum(each.squares + each.parts * (each.mean - mean) ** 2 for each in parts)
        return cls(count, mean, squares)

    @classmethod
    def of(cls, name: str, values: Iterable[float], weights: Iterable[int] | None = None) -> Spread:
        found = _floats(values)
        many = np.ones(len(found)) if weights is None else _floats(weights)
        if not np.isfinite(found).all():
            raise UndefinedError(f"{name} is not defined when some of the elements are left out")
        parts = int(many.sum())
        # About the first value, so that little cancels where all are close to each other.
        about = float(found[0])
        shift = math.fsum((many * (found - about)).tolist()) / parts
        return cls(parts, about + shift, float((many * (found - about - shift) ** 2).sum()))


def _floats(values: Iterable[float]) -> NDArray[np.float64]:
    return np.asarray(values if isinstance(values, np.ndarray) else list(values), dtype=np.float64)


def spread_of_elements(profile: Profile, index: Index, seed: int) -> tuple[Spread, bool]:
    """The spread when elements are left out, and whether one by one; else by random groups."""
    if not can_leave_out(index):
        table = profile.table
        groups = element_groups(table.n, profile.size, seed)
        rests = values_without_groups(table, index, np.arange(len(table)), groups)
        return Spread.of(index.name, rests), profile.size <= GROUPS
    if reads_pairs(index) and len(profile.n) > _FEW_KINDS and _largest_change(profile, index) < _SMALL_CHANGE:
        # The formula at the nodes of a polynomial in the three drops tells its mean and spread.
        if Trios in index.views:
            return _evaluated_spread(profile, index), True
        if PairModels not in index.views:
            return _smooth_part(profile, index, None), True
        # It reads the number of clusters, and is smooth among singletons of each side, and among others.
        kinds = [(bool(kind & 2), bool(kind & 1)) for kind in np.unique(_alone(profile)).tolist()]
        parts = [_smooth_part(profile, index, kind, is_all=len(kinds) == 1) for kind in kinds]
        return Spread.together(parts), True
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


# Whether elements are alone in their cluster of U, and in that of V.
_Alone = tuple[bool, bool]
_NewtonSums = tuple[int, tuple[int, ...], NDArray[np.float64], NDArray[np.float64]]


class _ElementSums(View):
    """Sums over the elements that are left out, which all indices of a comparison share."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._newton_sums: dict[_Alone | None, _NewtonSums] = {}

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (floats do for a spread)
        return cls(profile)

    @cached_property
    def largest_drops(self) -> tuple[int, ...]:
        """The most pairs of each kind, then the most trios of each side, that go with one element."""
        p = self._profile
        pairs = [int(drop.max(initial=0)) for drop in _drops(p)]
        trios = [trios_of_one(int(sizes.max(initial=1))) for sizes in (p.a, p.b)]
        return (*pairs, *trios)

    def newton_sums(self, alone: _Alone | None) -> _NewtonSums:
        """Sums of the basis of Newton's interpolation: of all elements, or of the singletons of U and V.

        Returns the number of elements, the distance of the nodes, the sums and those of products of two.
        """
        if alone not in self._newton_sums:
            self._newton_sums[alone] = self._compute_newton_sums(alone)
        return self._newton_sums[alone]

    def _compute_newton_sums(self, alone: _Alone | None) -> _NewtonSums:
        p = self._profile
        some = slice(None) if alone is None else _alone(p) == 2 * alone[0] + alone[1]
        drops = [drop[some] for drop in _drops(p)]
        mass, steps, exponents = p.mass[some], _steps(drops, _DEGREE), _exponents(_DEGREE)
        sums, products = np.zeros(len(exponents)), np.zeros((len(exponents),) * 2)
        for start in range(0, len(mass), _CHUNK):
            powers = _powers(drops, steps, _DEGREE, start)
            basis = np.stack([powers[0][i] * powers[1][j] * powers[2][k] for i, j, k in exponents])
            weighted = basis * mass[start : start + _CHUNK].astype(np.float64)
            sums += weighted.sum(axis=1)
            products += weighted @ basis.T
        return int(mass.sum()), steps, sums, products

    @cached_property
    def crossing_drops(self) -> tuple[float, float, NDArray[np.float64]]:
        """By how much Σ n·a·b falls without an element: its mean, and sums over the deviations from it.

        The sums are those of the squares, and of the products with the basis of Newton's interpolation.
        Σ n·a·b weighs so little beside the pairs that products with the third degree are left out.
        """
        table = self._profile.table
        mass, a, b = (x.astype(np.float64) for x in (table.n, table.a, table.b))
        drops = mass - 1, a - mass, b - mass
        falls = falls_by_sums(
            table, (mass, a, b), lambda cluster, parts: np.bincount(cluster, weights=parts).astype(np.float64)
        )
        mean = float((falls * mass).sum()) / self._profile.size
        beyond = falls - mean
        weighted = beyond * mass
        steps = _steps(drops, _DEGREE)
        squares = np.zeros((4, 4))  # of 1 and the drops in steps, times what is beyond
        for start in range(0, len(mass), _CHUNK):
            part = slice(start, start + _CHUNK)
            linear = np.stack(
                [np.ones(len(mass[part])), *(d[part] / max(s, 1) for d, s in zip(drops, steps, strict=True))]
            )
            squares += (linear * weighted[part]) @ linear.T
        products = []  # of Newton's basis below the third degree, from those of 1 and the drops in steps
        for exponents in _exponents(_DEGREE):
            first, *second = [axis + 1 for axis, power in enumerate(exponents) for _ in range(power)]
            if len(second) > 1:
                products.append(0.0)
            elif second == [first]:
                products.append((squares[first, first] - squares[0, first]) / 2)  # C(t, 2)
            else:
                products.append(squares[first, second[0] if second else 0])
        return mean, float((weighted * beyond).sum()), np.array(products)


def _largest_change(profile: Profile, index: Index) -> float:
    """The largest share of a count of pairs or of trios that goes with one element."""
    p = profile.view(Pairs)
    counts = [p.n11, p.n10, p.n01]
    if Trios in index.views:
        trios = profile.view(Trios)
        counts += [trios.in_u, trios.in_v]
    drops = profile.view(_ElementSums).largest_drops[: len(counts)]
    shares = [drop / count for drop, count in zip(drops, counts, strict=True) if drop]
    return max([*shares, profile.size / max(p.n00, 1)], default=0.0)


@cache
def _exponents(degree: int) -> list[tuple[int, ...]]:
    return [e for e in product(range(degree + 1), repeat=3) if 0 < sum(e) <= degree]


def _steps(drops: Sequence[Integers], degree: int) -> tuple[int, ...]:
    """How far apart the nodes are, which reach to the largest drops; all in one place where nothing drops."""
    return tuple(-(-int(drop.max(initial=0)) // degree) for drop in drops)


def _alone(profile: Profile) -> Integers:
    """Which elements stand alone: 2 for their cluster of U, 1 for that of V, 3 for both."""
    return np.asarray(2 * (profile.a == 1) + (profile.b == 1))


def _powers(
    drops: Sequence[Integers], steps: Sequence[int], degree: int, start: int
) -> list[list[NDArray[np.float64]]]:
    """C(t, k) of each drop in steps, for k up to the degree."""
    found = []
    for drop, step in zip(drops, steps, strict=True):
        t = drop[start : start + _CHUNK].astype(np.float64) / max(step, 1)
        own = [np.ones_like(t)]
        for k in range(degree):
            own.append(own[-1] * (t - k) / (k + 1))
        found.append(own)
    return found


def _smooth_part(profile: Profile, index: Index, alone: _Alone | None, *, is_all: bool = True) -> Spread:
    shared = profile.view(_ElementSums)
    elements, steps, sums, products = shared.newton_sums(None if is_all else alone)
    nodes = _Nodes(profile, index, steps, alone)
    first, slopes = nodes.newton(_DEGREE)
    shift = float(slopes @ sums) / elements
    squares = float(slopes @ products @ slopes) - elements * shift * shift
    if Crossings in index.views:
        _, own_squares, cross_products = shared.crossing_drops
        slope = nodes.slope_by_fall()
        squares += slope * (2 * float(slopes @ cross_products) + slope * own_squares)
    return Spread(elements, first + shift, max(squares, 0.0))


def _evaluated_spread(profile: Profile, index: Index) -> Spread:
    """The polynomial evaluated for each triple: few indices need that many terms, so that none are shared."""
    drops = _drops(profile)
    steps = _steps(drops, _DEGREE_OF_TRIOS)
    first, slopes = _Nodes(profile, index, steps).newton(_DEGREE_OF_TRIOS)
    two = [(i, j) for i, j in product(range(_DEGREE_OF_TRIOS + 1), repeat=2) if i + j <= _DEGREE_OF_TRIOS]
    factors = np.zeros((_DEGREE_OF_TRIOS + 1, len(two)))  # of each power of the third drop
    for (i, j, k), slope in zip(_exponents(_DEGREE_OF_TRIOS), slopes.tolist(), strict=True):
        factors[k, two.index((i, j))] = slope
    moves = np.zeros(len(profile.n))
    for start in range(0, len(moves), _CHUNK):
        one, other, third = _powers(drops, steps, _DEGREE_OF_TRIOS, start)
        products = np.stack([one[i] * other[j] for i, j in two])
        moves[start : start + _CHUNK] = (factors @ products * np.stack(third)).sum(axis=0)
    spread = Spread.of(index.name, moves, profile.mass)
    return Spread(spread.parts, first + spread.mean, spread.squares)


class _Nodes:
    """The formula at the nodes of a polynomial in the three drops."""

    def __init__(
        self,
        profile: Profile,
        index: Index,
        steps: Sequence[int],
        alone: _Alone | None = None,
    ) -> None:
        self._profile, self._index, self._steps = profile, index, steps
        self._known: dict[type, Any] = {}
        if alone is not None:
            self._known[PairModels] = pair_view_without(profile, PairModels, 0, *(2 - one for one in alone))
        if Crossings in index.views:
            nab = profile.view(Crossings).nab - Fraction(profile.view(_ElementSums).crossing_drops[0])
            self._known[Crossings] = Crossings(nab)  # type: ignore[arg-type]  # Fractions calculate alike

    def _views(self, *node: int) -> dict[type, Any]:
        x, y, z = (k * step for k, step in zip(node, self._steps, strict=True))
        n, a, b = x + 1, x + y + 1, x + z + 1
        return {
            kind: self._known.get(kind) or pair_view_without(self._profile, kind, n, a, b)
            for kind in self._index.views
        }

    def newton(self, degree: int) -> tuple[float, NDArray[np.float64]]:
        """The value at the first node, and its forward differences there."""
        rest = self._profile.size - 1
        nodes = {
            node: self._index.value(ViewCounts(rest, identical=False, known=self._views(*node)), "nan")
            for node in product(range(degree + 1), repeat=3)
            if sum(node) <= degree
        }
        if not all(map(math.isfinite, nodes.values())):
            raise UndefinedError(f"{self._index.name} is not defined when some of the elements are left out")
        slopes = []
        for order in _exponents(degree):
            terms = []
            for node in product(*(range(o + 1) for o in order)):
                ways = math.prod(map(math.comb, order, node))
                terms.append((-1) ** (sum(order) - sum(node)) * ways * nodes[node])
            slopes.append(math.fsum(terms))
        return nodes[0, 0, 0], np.array(slopes)

    def slope_by_fall(self) -> float:
        """By how much the value rises where one more goes of Σ n·a·b, in which it is all but linear."""
        views = self._views(0, 0, 0)
        less = {**views, Crossings: Crossings(views[Crossings].nab - 1)}
        index = self._index
        value, fallen = (
            Fraction(index.compute(*(seen[kind] for kind in index.views), **index.arguments))
            for seen in (views, less)
        )
        return float(fallen - value)


# -- units ------------------------------------------------------------------------------------------------


def values_without_units(profile: Profile, index: Index, units: Units, seed: int) -> list[float]:
    """The value when each unit is left out in turn; many are put into groups where each is counted anew."""
    if index.views == (Pairs,):
        return [index.value(ViewCounts.of_pairs(pairs), "nan") for pairs in _pairs_without(profile, units)]
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
