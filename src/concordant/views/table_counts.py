"""How many contingency tables have given margins, and what it costs to say which one it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Self

from concordant.counts.profile import Profile, View
from concordant.views.chance import one_by_one, overlap_sizes, weighted_sizes
from concordant.views.information import Information

# Up to this many elements the contingency tables with given margins are counted one by one.
_COUNTED_SIZE = 12


@dataclass(frozen=True, slots=True)
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
    if n <= _COUNTED_SIZE:
        ways = math.factorial(n) * _factorials(cells)
        tables = _factorials(rows) * _factorials(columns) * count_tables(rows, columns)
        return math.log(Fraction(ways, tables)) / n
    # log x! = x log x − x + h(x): all but the h is the mutual information.
    rounding = _total_h(cells) + _h(n) - (_total_h(rows) + _total_h(columns))
    return mutual + (rounding - log_tables(rows, columns)) / n


def _factorials(sizes: Mapping[int, int]) -> int:
    return math.prod(math.factorial(size) ** count for size, count in sizes.items())


def count_tables(rows: Mapping[int, int], columns: Mapping[int, int]) -> int:
    """Ω: how many tables of non-negative integers have these row and column sums.

    >>> count_tables({2: 2}, {2: 2}), count_tables({1: 3}, {1: 3})
    (3, 6)
    """

    @cache
    def fill(rows: tuple[int, ...], left: tuple[int, ...]) -> int:
        if not rows:
            return 1
        return sum(fill(rows[1:], tuple(sorted(rest))) for rest in _spread(rows[0], left))

    return fill(*(tuple(one_by_one(weighted_sizes(sizes))) for sizes in (rows, columns)))


def _spread(units: int, left: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What may be left of the column sums once a row of so many units is placed."""
    if not left:
        return [()] if units == 0 else []
    return [
        (left[0] - placed, *rest)
        for placed in range(min(units, left[0]) + 1)
        for rest in _spread(units - placed, left[1:])
    ]


def log_tables(rows: Mapping[int, int], columns: Mapping[int, int]) -> float:
    """log Ω, estimated by Jerdee, Kirkley & Newman 2022 ("effective columns"), arXiv 2209.14869.

    Tables with these column sums are counted exactly; how their row sums fall is taken to be
    Dirichlet-multinomial with the right variance. The shorter side gives the rows; equally long
    sides are averaged.
    """
    k, l = sum(rows.values()), sum(columns.values())  # noqa: E741  (the letters of the formula)
    if k == l:
        return (_effective_columns(rows, columns) + _effective_columns(columns, rows)) / 2
    return _effective_columns(rows, columns) if k < l else _effective_columns(columns, rows)


def _effective_columns(rows: Mapping[int, int], columns: Mapping[int, int]) -> float:
    n, m = sum(size * count for size, count in rows.items()), sum(rows.values())
    squares = sum(size * size * count for size, count in columns.items())
    alpha = float(Fraction(m * (n * n - n) + n * n - squares, m * (squares - n)))
    by_columns = math.fsum(count * log_binomial(size, m - 1) for size, count in columns.items())
    by_rows = math.fsum(count * log_binomial(size, alpha - 1) for size, count in rows.items())
    return by_columns + by_rows - log_binomial(n, m * alpha - 1)


def log_binomial(k: float, l: float) -> float:  # noqa: E741  (the letters of the formula)
    """log of C(k + l, k), l any number from zero, to full relative precision.

    >>> round(log_binomial(2, 3), 12) == round(math.log(10), 12)
    True
    """
    if k <= 0 or l <= 0:
        return 0.0
    return k * math.log1p(l / k) + l * math.log1p(k / l) + (_h(k + l) - _h(k) - _h(l))


def _h(x: float) -> float:
    """log Γ(x+1) − x log x + x, by Stirling's series where it is exact."""
    if x < 16:
        return math.lgamma(x + 1) - x * math.log(x) + x if x > 0 else 0.0
    s = 1 / (x * x)
    series = (
        1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - s * 691 / 360360))))
    ) / x
    return math.log(2 * math.pi * x) / 2 + series


def _total_h(sizes: Mapping[int, int]) -> float:
    return math.fsum(count * _h(size) for size, count in sizes.items())
