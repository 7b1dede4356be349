"""Every contingency table with given margins, and how many permutations of the elements give each.

The table is filled row by row. The rest of the table depends only on the remaining column sums, in any
order, so equal states are kept once, each with the number of ways to reach every total.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import comb, factorial, inf, prod
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers
from concordant.counts.base import View
from concordant.counts.profile import Profile
from concordant.errors import TooLargeError
from concordant.views.small_side import is_small, n11_ways

# Totals carried from one row to the next: about a second's worth.
AFFORDED = 10**6
_MOST_COLUMNS = 20  # of the side with fewer clusters


@dataclass(frozen=True, slots=True)
class Total:
    """The sum over the cells: N₁₁, or Π nⁿ, which is whole and increases with the information.

    It may also be a weighted sum of N₁₁ and Σ n·a·b.
    """

    name: Literal["n11", "information"]
    weight_of_n11: int = 1
    weight_of_nab: int = 0

    @property
    def nothing(self) -> int:
        return 0 if self.name == "n11" else 1

    def of_cell(self, n: int, a: int, b: int) -> int:
        if self.name == "information":
            power: int = n**n
            return power
        return self.weight_of_n11 * comb(n, 2) + self.weight_of_nab * n * a * b

    def joined(self, x: int, y: int) -> int:
        return x + y if self.name == "n11" else x * y

    def of(self, profile: Profile) -> int:
        total = self.nothing
        triples = (x.tolist() for x in (profile.n, profile.a, profile.b, profile.count))
        for n, a, b, count in zip(*triples, strict=True):
            cell = self.of_cell(n, a, b)
            total = self.joined(total, cell * count if self.name == "n11" else cell**count)
        return total


@dataclass(slots=True, eq=False)
class ExpectedJaccard(View):
    """The Jaccard index of the pairs, and its mean over all permutations, both as fractions."""

    value: Fraction
    expected: Fraction

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (fractions are exact as they are)
        ways = totals(profile, Total("n11"))
        if ways is None:
            raise TooLargeError(
                "the mean of the Jaccard index over permutations is found by listing them, and there are too "
                "many tables with these cluster sizes",
                calls="c.adjusted('jaccard') estimates it, with its error, and c.significance('jaccard') has "
                "its p-value",
            )
        u, v = (
            sum(comb(s, 2) * c for s, c in side.items()) for side in (profile.row_sizes, profile.column_sizes)
        )
        together = Total("n11").of(profile)
        if not u + v:
            raise ZeroDivisionError("no pair is together in either partition")
        weighed = sum((Fraction(n11 * many, u + v - n11) for n11, many in ways.items()), Fraction(0))
        return cls(Fraction(together, u + v - together), weighed / sum(ways.values()))


def totals(profile: Profile, total: Total, afforded: int = AFFORDED) -> Mapping[int, int] | None:
    """Number of permutations that give each total, up to a common factor; None if it takes too many steps.

    >>> totals(Profile.from_contingency([[1, 1], [1, 1]]), Total("n11"))
    {0: 2, 2: 1}
    """
    sides = profile.row_sizes, profile.column_sizes
    fewest = min(profile.rows, profile.columns)
    if fewest > _MOST_COLUMNS and not any(map(is_small, sides)):
        return None
    rows, columns = (tuple(sorted(sizes.items())) for sizes in sides)
    return _totals(rows, columns, profile.size, total, afforded)


@lru_cache(maxsize=8)  # many indices need the same totals
def _totals(
    row_sizes: tuple[tuple[int, int], ...],
    column_sizes: tuple[tuple[int, int], ...],
    n: int,
    total: Total,
    afforded: int,
) -> Mapping[int, int] | None:
    if (
        total.name == "n11"
        and not total.weight_of_nab
        and (ways := n11_ways(dict(row_sizes), dict(column_sizes), n, afforded)) is not None
    ):
        return {total.weight_of_n11 * n11: many for n11, many in ways.items()}
    if min(sum(many for _, many in sizes) for sizes in (row_sizes, column_sizes)) > _MOST_COLUMNS:
        return None
    rows, columns = (
        [size for size, many in reversed(sizes) for _ in range(many)] for sizes in (row_sizes, column_sizes)
    )
    if len(rows) == len(columns) == 2 and total.name == "n11":
        return _two_by_two(rows[0], columns[0], n, total, afforded)
    if len(rows) < len(columns):
        rows, columns = columns, rows  # the state has a number for each column
    if _steps(rows, columns) > afforded:
        return None
    # A column is represented by its remaining sum; if its size also matters, it is in the lower digits.
    step = n + 1 if total.weight_of_nab else 1
    first = tuple(size * step + (size if step > 1 else 0) for size in columns)
    states: dict[tuple[int, ...], dict[int, int]] = {first: {total.nothing: 1}}
    for size in rows:
        left: dict[tuple[int, ...], dict[int, int]] = {}
        for state, met in states.items():
            room, whole = tuple(c // step for c in state), tuple(c % step for c in state)
            for taken in _ways(room, size):
                afforded -= len(met)
                if afforded < 0:
                    return None
                after = (c - x * step for c, x in zip(state, taken, strict=True))
                rest = tuple(sorted((c for c in after if c >= step), reverse=True))
                added = total.nothing
                for x, b in zip(taken, whole, strict=True):
                    added = total.joined(added, total.of_cell(x, size, b))
                into, many = left.setdefault(rest, {}), prod(map(comb, room, taken))
                for before, times in met.items():
                    reached = total.joined(before, added)
                    into[reached] = into.get(reached, 0) + times * many
        states = left
    return states[()]


def tails(ways: Mapping[int, int], observed: int) -> tuple[Fraction, Fraction]:
    """Shares of the permutations with at least, and with at most, the observed total.

    >>> tails({2: 2, 0: 4}, 1)
    (Fraction(1, 3), Fraction(2, 3))
    """
    everything = sum(ways.values())
    upper = sum(many for total, many in ways.items() if total >= observed)
    lower = sum(many for total, many in ways.items() if total <= observed)
    return Fraction(upper, everything), Fraction(lower, everything)


def _two_by_two(a: int, b: int, n: int, total: Total, afforded: int) -> dict[int, int] | None:
    """The hypergeometric distribution: each number of ways from the one before."""
    # Other rows and columns have the same cells, and the smallest cluster of all has the fewest ways.
    a, b = sorted((min(a, n - a), min(b, n - b)))
    words = min(n, a * n.bit_length()) // 64
    if (a + 1) * max(words, 1) > 100 * afforded:
        return None
    ways: dict[int, int] = {}
    many = comb(n - b, a)
    for x in range(a + 1):
        met = (
            total.of_cell(x, a, b)
            + total.of_cell(a - x, a, n - b)
            + total.of_cell(b - x, n - a, b)
            + total.of_cell(n - a - b + x, n - a, n - b)
        )
        ways[met] = ways.get(met, 0) + many
        many = many * (b - x) * (a - x) // ((x + 1) * (n - a - b + x + 1))
    return ways


def _steps(rows: list[int], columns: list[int]) -> float:
    """An estimate of the number of totals, from the ways to fill the first row."""
    if len(columns) > _MOST_COLUMNS or rows[0] > 1000:
        return inf
    ways = [1] + [0] * rows[0]
    for room in columns:
        sums = list(accumulate(ways, initial=0))
        ways = [sums[k + 1] - sums[max(k - room, 0)] for k in range(len(ways))]
    states = max(ways[-1] / factorial(len(columns)), 1)
    return 10 * ways[-1] * states * len(rows)


def _ways(room: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
    """All ways to take this many elements from the columns."""
    if len(room) == 1:
        yield (size,)
        return
    after = sum(room) - room[0]
    for x in range(max(size - after, 0), min(room[0], size) + 1):
        for rest in _ways(room[1:], size - x):
            yield (x, *rest)


def all_tables(rows: Integers, columns: Integers, most: int, most_cells: int) -> NDArray[Any] | None:
    """Every table with these row and column sums; None if there are too many, or too many cells in all.

    Each row is filled cell by cell, for all tables together. Every table filled so far can be completed, so
    there are never more of them than tables.

    >>> all_tables(np.array([1, 2]), np.array([2, 1]), 10, 100).tolist()
    [[[0, 1], [2, 0]], [[1, 0], [1, 1]]]
    """
    shape = len(rows), len(columns)
    fewest = 1  # k!/(k − m + 1)! tables at least, for k sums on one side and m ≤ k on the other
    for number in range(max(shape) - min(shape) + 2, max(shape) + 1):
        fewest *= number
        if fewest > most or fewest * rows.size * columns.size > most_cells:
            return None
    most = min(most, most_cells // (rows.size * columns.size))
    tables = np.zeros((1, *shape), dtype=np.min_scalar_type(int(rows.max(initial=0))))
    room = columns[None, :].astype(np.int64)
    for row, size in enumerate(rows.tolist()):
        beginning, left = np.arange(len(tables)), np.full(len(tables), size)
        cells: list[Integers] = []
        after = room[:, ::-1].cumsum(axis=1)[:, ::-1] - room  # what later columns can take
        for column in range(shape[1]):
            least = np.maximum(left - after[beginning, column], 0)
            choices = np.minimum(room[beginning, column], left) - least + 1
            end = np.cumsum(choices)
            if end[-1] > most:
                return None
            chosen = np.repeat(np.arange(len(choices)), choices)
            value = least[chosen] + np.arange(end[-1]) - (end - choices)[chosen]
            beginning, left = beginning[chosen], left[chosen] - value
            cells = [*(cell[chosen] for cell in cells), value]
        tables = tables[beginning]
        tables[:, row, :] = np.stack(cells, axis=1)
        room = room[beginning] - tables[:, row, :]
    return tables
