"""How many contingency tables have given margins, and what it costs to say which one it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Self

import numpy as np

from concordant.counts.base import View
from concordant.counts.information import Information
from concordant.counts.profile import Profile
from concordant.views.chance import overlap_sizes

# Steps that counting the tables with given margins may take: some tenths of a second's worth.
_AFFORDED = 10**6

Margins = tuple[tuple[int, int], ...]  # the distinct sizes of one side, ascending, each with its number


@dataclass(frozen=True, slots=True, eq=False)
class Reduced(View):
    """Mutual information less the cost of the contingency table, in nats per element."""

    between: float
    within_u: float
    within_v: float

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (logarithms have no exact form)
        i, n = profile.view(Information), profile.size
        rows, columns, cells = profile.row_sizes, profile.column_sizes, overlap_sizes(profile)
        return cls(
            _reduced(i.mutual, cells, rows, columns, n),
            _reduced(i.h_u, rows, rows, rows, n),
            _reduced(i.h_v, columns, columns, columns, n),
        )


def _reduced(
    mutual: float,
    cells: Mapping[int, int],
    rows: Mapping[int, int],
    columns: Mapping[int, int],
    n: int,
) -> float:
    """(1/n) log(n! Π n_ij! / (Π a! Π b! Ω)); exactly zero where one side is trivial."""
    sides = (sum(rows.values()), sum(columns.values()))
    if min(sides) <= 1 or max(sides) == n:
        return 0.0
    # log x! = x log x − x + h(x): all but the h is the mutual information.
    rounding = factorial_remainder(cells) + _h(n) - (factorial_remainder(rows) + factorial_remainder(columns))
    return mutual + (rounding - log_tables(rows, columns)) / n


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
    """Ways to take so many units from the columns, by inclusion and exclusion of overfull columns."""
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
    """Column after column: how often the rows have taken so much each, kept for every possible so much."""
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

    Tables with these column sums are counted exactly; how their row sums fall is taken to be
    Dirichlet-multinomial with the right variance. Either side may give the rows: the mean of both is taken.
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
    if x < 16:
        return math.lgamma(x + 1) - x * math.log(x) + x if x > 0 else 0.0
    s = 1 / (x * x)
    series = (
        1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - s * 691 / 360360))))
    ) / x
    return math.log(2 * math.pi * x) / 2 + series


def factorial_remainder(sizes: Mapping[int, int]) -> float:
    """Σ log x! less Σ (x log x − x)."""
    return math.fsum([count * _h(size) for size, count in sizes.items()])
