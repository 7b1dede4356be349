"""The number of contingency tables with given margins, and the cost of describing one of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Self

import numpy as np

from concordant.counts.base import View
from concordant.counts.information import Information
from concordant.counts.profile import Profile

# From this size on Stirling's series is exact.
_SERIES = 16

# This many integers are multiplied in an imperceptible time.
_FEW_FACTORS = 10_000

# Steps that counting the tables with given margins may take: some tenths of a second's worth.
_AFFORDED = 10**6

SizeCounts = Mapping[int, int]  # distinct sizes, each with its number
Margins = tuple[tuple[int, int], ...]  # the distinct sizes of one side, ascending, each with its number


@dataclass(slots=True, eq=False)
class Microcanonical(View):
    """The information of one side about the other, by numbers of labellings, in nats per element.

    A side of given sizes is one of n!/Πa! labellings; if the other side and the overlaps are known, it is one
    of Πb!/Πn_ij!.
    """

    between: float
    within_u: float
    within_v: float

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(*_of_three(profile, _microcanonical))


@dataclass(slots=True, eq=False)
class Reduced(View):
    """Mutual information less the cost of the contingency table, in nats per element."""

    between: float
    within_u: float
    within_v: float

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(*_of_three(profile, _reduced))


def _of_three(
    profile: Profile, formula: Callable[[float, SizeCounts, SizeCounts, SizeCounts, int], float]
) -> tuple[float, float, float]:
    """The formula for the two sides, for the reference with itself and for the candidate with itself."""
    i, n = profile.view(Information), profile.size
    rows, columns, cells = profile.row_sizes, profile.column_sizes, profile.overlap_sizes
    return (
        formula(i.mutual, cells, rows, columns, n),
        formula(i.h_u, rows, rows, rows, n),
        formula(i.h_v, columns, columns, columns, n),
    )


def _reduced(mutual: float, cells: SizeCounts, rows: SizeCounts, columns: SizeCounts, n: int) -> float:
    """(1/n) log(n! Π n_ij! / (Π a! Π b! Ω)); exactly zero where one side is trivial."""
    sides = (sum(rows.values()), sum(columns.values()))
    if min(sides) <= 1 or max(sides) == n:
        return 0.0
    return _microcanonical(mutual, cells, rows, columns, n) - log_tables(rows, columns) / n


def _microcanonical(mutual: float, cells: SizeCounts, rows: SizeCounts, columns: SizeCounts, n: int) -> float:
    """(1/n) log(n! Π n_ij! / (Π a! Π b!)): by integers where they are few, else by Stirling's series."""
    powers = Counter({n: 1})  # how often each factorial is multiplied; those below and above the line cancel
    powers.update(cells)
    powers.subtract(rows)
    powers.subtract(columns)
    left = sorted((size for size, power in powers.items() if power and size > 1), reverse=True)
    if not left:
        return 0.0
    # x!/y! is the product of the numbers above y up to x, so large factorials may leave few factors.
    exponents = accumulate(powers[size] for size in left)
    runs = [(x, x - y, power) for x, y, power in zip(left, [*left[1:], 1], exponents, strict=True)]
    if sum(length * abs(power) for _, length, power in runs) <= _FEW_FACTORS:
        products = [(math.perm(x, length), power) for x, length, power in runs if power]
        return _log_product(products) / n
    # log x! = x log x − x + h(x): all but the h is the mutual information.
    small = math.fsum([power * _h(x) for x, power in powers.items() if x < _SERIES])
    large = [x for x in left if x >= _SERIES]
    series = math.fsum([powers[x] * _series(x) for x in large])
    halves = sum(powers[x] for x in large) * math.log(2 * math.pi)
    if len(large) <= _FEW_FACTORS:
        halves += _log_product([(x, powers[x]) for x in large])
    else:
        halves += math.fsum([powers[x] * math.log(x) for x in large])
    return mutual + math.fsum([small, series, halves / 2]) / n


def _log_product(factors: Sequence[tuple[int, int]]) -> float:
    """log of the product of the powers, each a base and its exponent, rounded once.

    >>> _log_product([(10**30 + 1, 1), (10**30, -1)])
    1e-30
    """
    above = math.prod(base**power for base, power in factors if power > 0)
    below = math.prod(base**-power for base, power in factors if power < 0)
    if above >> 1000 > below or below >> 1000 > above:  # beyond floats, where the difference loses no digits
        return math.log(above) - math.log(below)
    return math.log1p((above - below) / below) if 2 * abs(above - below) < below else math.log(above / below)


def log_tables(rows: Mapping[int, int], columns: Mapping[int, int]) -> float:
    """log Ω, Ω the number of tables of non-negative integers with these row and column sums.

    Counted where that is cheap, else estimated.

    >>> round(math.exp(log_tables({2: 2}, {2: 2})), 9), round(math.exp(log_tables({1: 3}, {1: 3})), 9)
    (3.0, 6.0)
    """
    counted = count_tables(rows, columns)
    return estimated_log_tables(rows, columns) if counted is None else math.log(counted)


def count_tables(rows: Mapping[int, int], columns: Mapping[int, int]) -> int | None:
    """Ω itself, or None where counting would take too long.

    >>> count_tables({2: 2}, {2: 2}), count_tables({1: 3}, {1: 3}), count_tables({10**15: 2}, {10**15: 2})
    (3, 6, 1000000000000001)
    """
    # The side with fewer clusters gives the rows; of equally many, always the same one.
    short, long = sorted(
        (tuple(sorted(side.items())) for side in (rows, columns)), key=lambda s: (_number(s), s)
    )
    return _counted(short, long)


def _number(margins: Margins) -> int:
    return sum([count for _, count in margins])


@lru_cache(maxsize=256)
def _counted(short: Margins, long: Margins) -> int | None:
    if _number(short) == 1:
        return 1
    if _number(short) == 2:
        return _two_rows(short[0][0], long)
    for rows, columns in ((short, long), (long, short)):
        grid = math.prod((size + 1) ** count for size, count in rows) if _number(rows) < 20 else _AFFORDED
        if grid * _number(rows) * _number(columns) < _AFFORDED:
            return _by_columns(rows, columns)
    return None


def _two_rows(units: int, columns: Margins) -> int | None:
    """Ways to take this many units from the columns, by inclusion and exclusion of overfull columns."""
    overfull = {0: 1}  # units that overfull columns take at least, and how often, with sign
    for size, count in columns:
        # (1 − x^(size+1))^count, as far as there are units
        choices, taken, many = [], 0, 1
        for chosen in range(count + 1):
            if taken > units:
                break
            choices.append((taken, many if chosen % 2 == 0 else -many))
            taken, many = taken + size + 1, many * (count - chosen) // (chosen + 1)
        if len(choices) * len(overfull) > _AFFORDED // 10:
            return None
        longer: dict[int, int] = {}
        for held, ways in overfull.items():
            for more, times in choices:
                if held + more <= units:
                    longer[held + more] = longer.get(held + more, 0) + ways * times
        overfull = longer
    others = _number(columns) - 1
    if others * len(overfull) > _AFFORDED:
        return None
    return sum(ways * math.comb(units - held + others, others) for held, ways in overfull.items())


def _by_columns(rows: Margins, columns: Margins) -> int:
    """Column by column: the number of ways to reach each possible combination of partial row sums."""
    sizes = [size for size, count in rows for _ in range(count)]
    taken: np.ndarray[tuple[int, ...], np.dtype[np.object_]] = np.zeros([s + 1 for s in sizes], dtype=object)
    taken[(0,) * len(sizes)] = 1
    together = np.indices(taken.shape).sum(axis=0)
    done = 0
    for size, count in columns:
        for _ in range(count):
            for axis in range(len(sizes)):
                np.add.accumulate(taken, axis=axis, out=taken)
            done += size
            taken[together != done] = 0
    return int(taken[tuple(sizes)])


def estimated_log_tables(rows: Mapping[int, int], columns: Mapping[int, int]) -> float:
    """log Ω as Jerdee, Kirkley & Newman 2022 estimate it ("effective columns"), arXiv 2209.14869.

    Tables with these column sums are counted exactly; the distribution of their row sums is approximated by a
    Dirichlet-multinomial with the right variance. Either side may give the rows: both results are averaged.
    """
    return (_effective_columns(rows, columns) + _effective_columns(columns, rows)) / 2


def _effective_columns(rows: Mapping[int, int], columns: Mapping[int, int]) -> float:
    n, m = sum([size * count for size, count in rows.items()]), sum(rows.values())
    squares = sum([size * size * count for size, count in columns.items()])
    over_one = Fraction((m + 1) * (n * n - squares), m * (squares - n))  # α − 1
    by_columns = math.fsum([count * log_binomial(size, m - 1) for size, count in columns.items()])
    by_rows = math.fsum([count * log_binomial(size, float(over_one)) for size, count in rows.items()])
    return by_columns + by_rows - log_binomial(n, float(m * over_one + m - 1))


def log_binomial(k: float, l: float) -> float:  # noqa: E741  (the letters of the formula)
    """log of C(k + l, k), l any number from zero, to full relative precision.

    >>> round(log_binomial(2, 3), 12) == round(math.log(10), 12)
    True
    """
    if k <= 0 or l <= 0:
        return 0.0
    return k * math.log1p(l / k) + l * math.log1p(k / l) + (_h(k + l) - _h(k) - _h(l))


@lru_cache(maxsize=2**12, typed=True)  # the terms of one sum share most arguments
def _h(x: float) -> float:
    """log Γ(x+1) − x log x + x, by Stirling's series where it is exact."""
    if x < _SERIES:
        return math.lgamma(x + 1) - x * math.log(x) + x if x > 0 else 0.0
    return math.log(2 * math.pi * x) / 2 + _series(x)


def _series(x: float) -> float:
    """The remainder of Stirling's formula: 1/12x − 1/360x³ + …"""
    s = 1 / (x * x)
    return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - s * 691 / 360360))))) / x


def factorial_remainder(sizes: Mapping[int, int]) -> float:
    """Σ log x! less Σ (x log x − x)."""
    return math.fsum([count * _h(size) for size, count in sizes.items()])
