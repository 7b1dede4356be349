"""Exact distributions of N₁₁ where one side has one cluster above size 1, or no cluster above size 2.

Both are products of polynomials with one factor for each cluster of the other side. A polynomial is one long
integer with a fixed number of bits for each coefficient, so a product of polynomials is a product of
integers. The cost is known before anything is computed.

If one overlap determines N₁₁ it has a hypergeometric distribution, whose tails are cheap at any size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import accumulate
from math import ceil, comb, e, factorial, inf, lgamma, log, log2, prod
from operator import add, mul
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import View
from concordant.counts.profile import Profile
from concordant.errors import TooLargeError
from concordant.maths.arithmetic import Floats, Integers

# Digits of long integers that are read: about a second's worth, per total within the limit.
_DIGITS_A_TOTAL = 1000
_DIGIT_BITS = 30  # of Python's integers

_MOST_OVERLAPS = 5 * 10**6  # of one hypergeometric distribution: less than a second's worth
_MOST_ELEMENTS = 2 * 10**9  # the pairs of this many elements fit into 64 bits


def is_small(side: Mapping[int, int]) -> bool:
    """Whether a side has one cluster above size 1, or no cluster above size 2.

    >>> is_small({5: 1, 1: 10}), is_small({2: 4}), is_small({3: 2})
    (True, True, False)
    """
    return sum(side.values()) - side.get(1, 0) == 1 or max(side) == 2


def n11_ways(
    rows: Mapping[int, int], columns: Mapping[int, int], n: int, afforded: int
) -> dict[int, int] | None:
    """Number of permutations (up to a common factor) that give each N₁₁; None if no side is that simple.

    ``rows`` and ``columns`` give the number of clusters of each size.

    >>> n11_ways({2: 1, 1: 2}, {2: 2}, 4, 1000)  # two of four elements are in one of two pairs
    {0: 4, 1: 2}
    """
    budget = afforded * _DIGITS_A_TOTAL
    for side, other in ((rows, columns), (columns, rows)):
        if not is_small(side):
            continue
        size = max(side)
        ways = _one_cluster(size, other, n, budget) if side[size] == 1 else _pairs(side[2], other, n, budget)
        if ways is not None:
            return ways
    return None


def overlap_log_tails(
    rows: Mapping[int, int], columns: Mapping[int, int], n: int, observed: int
) -> tuple[float, float] | None:
    """log P(N₁₁ ≥ observed) and log P(N₁₁ ≤ observed) where one overlap determines N₁₁; else None.

    That is so if each side has two clusters, or one cluster above size 1. The tails are sums of positive
    floating-point numbers, correct to about ten digits.

    >>> tails = overlap_log_tails({2: 1, 1: 2}, {2: 1, 1: 2}, 4, 1)
    >>> [round(float(np.exp(tail)), 6) for tail in tails]
    [0.166667, 1.0]
    """
    sides = rows, columns
    clusters = [sum(side.values()) for side in sides]
    is_two_by_two = clusters == [2, 2]
    if not is_two_by_two and any(
        many - side.get(1, 0) != 1 for side, many in zip(sides, clusters, strict=True)
    ):
        return None
    a, b = sorted(min(side) if is_two_by_two else max(side) for side in sides)
    first, last = max(a + b - n, 0), a
    if last - first > _MOST_OVERLAPS or n > _MOST_ELEMENTS:
        return None
    mode = min(max((a + 1) * (b + 1) // (n + 2), first), last)
    x = np.arange(first, last + 1)
    rises = np.log((a - x[:-1]) / (x[:-1] + 1) * ((b - x[:-1]) / (n - a - b + x[:-1] + 1)))
    logs = np.zeros(len(x))  # from the mode outward, where the sums are smallest
    logs[mode - first + 1 :] = np.cumsum(rises[mode - first :])
    logs[: mode - first] = -np.cumsum(rises[: mode - first][::-1])[::-1]
    n11 = x * (x - 1) // 2
    if is_two_by_two:
        for cell in (a - x, b - x, n - a - b + x):
            n11 = n11 + cell * (cell - 1) // 2
    total = _log_sum(logs)
    upper, lower = (_log_sum(logs[there]) - total for there in (n11 >= observed, n11 <= observed))
    return min(upper, 0.0), min(lower, 0.0)


def _log_sum(logs: Floats) -> float:
    if not len(logs):
        return -inf
    top = float(logs.max())
    return top + log(float(np.exp(logs - top).sum()))


def _one_cluster(a: int, other: Mapping[int, int], n: int, budget: int) -> dict[int, int] | None:
    """Choose the a elements of the cluster: x of a cluster of size b in C(b, x) ways, which adds C(x, 2)."""
    large = {size: many for size, many in other.items() if size > 1}
    if sum(large.values()) == 1:
        return _one_cluster_each(a, next(iter(large)), n, budget)
    most, left = 0, a  # the largest N₁₁ has the largest clusters filled
    for size in sorted(large, reverse=True):
        filled = min(large[size], left // size)
        most, left = most + filled * comb(size, 2), left - filled * size
        if filled < large[size]:
            most, left = most + comb(left, 2), 0
    bits = _bits_of_choices(n, a)
    length = (most + 1) * bits // _DIGIT_BITS + 1
    steps = sum(
        many * (min(a, size) + 1) * (a + 1) * (size // _DIGIT_BITS + 2) for size, many in large.items()
    )
    if steps * length > budget:
        return None
    by_placed = {0: 1}  # the number of elements placed so far: the polynomial in N₁₁
    for size in (size for size, many in large.items() for _ in range(many)):
        factors = [(x, comb(size, x), comb(x, 2) * bits) for x in range(min(a, size) + 1)]
        after: dict[int, int] = {}
        for placed, polynomial in by_placed.items():
            for x, ways, shift in factors[: a - placed + 1]:
                after[placed + x] = after.get(placed + x, 0) + (ways * polynomial << shift)
        by_placed = after
    singletons = other.get(1, 0)
    return _coefficients(sum(comb(singletons, a - p) * each for p, each in by_placed.items()), bits)


def _one_cluster_each(a: int, b: int, n: int, budget: int) -> dict[int, int] | None:
    """The hypergeometric distribution of one overlap."""
    a, b = sorted((a, b))
    # A step multiplies and divides, which takes about twenty times as long as an addition.
    if 20 * (a + 1) * (_bits_of_choices(n, a) // _DIGIT_BITS + 1) > budget:
        return None
    ways: dict[int, int] = {}
    for x, many in _hypergeometric(a, b, n):
        ways[comb(x, 2)] = ways.get(comb(x, 2), 0) + many
    return ways


def _hypergeometric(a: int, b: int, n: int) -> Iterator[tuple[int, int]]:
    """The overlaps of a and b of n elements, each with its number of ways, made from the one before."""
    first = max(a + b - n, 0)
    many = comb(b, first) * comb(n - b, a - first)
    for x in range(first, a + 1):
        yield x, many
        many = many * (b - x) * (a - x) // ((x + 1) * (n - a - b + x + 1))


def _pairs(pairs: int, other: Mapping[int, int], n: int, budget: int) -> dict[int, int] | None:
    """Choose this many disjoint pairs of elements: by inclusion and exclusion of those inside one cluster.

    M_r sets of r disjoint pairs are inside the clusters, and the other pairs are free. Σ M_r·free_r·(y − 1)^r
    counts all choices by the number of pairs inside, which is the power of y.
    """
    most = min(pairs, sum(size // 2 * many for size, many in other.items()))
    if most**3 // _DIGIT_BITS > budget:
        return None
    bits = max(_bits_of_matchings(n, r) for r in range(most + 1))
    bits = max(bits, _bits_of_matchings(n, pairs))
    length = (most + 1) * bits // _DIGIT_BITS + 1
    steps = most + sum(
        many * (size // 2 + 1) * (size * size.bit_length() // _DIGIT_BITS + 1)
        for size, many in other.items()
        if size > 1
    )
    if steps * length > budget:
        return None
    inside, mask = 1, (1 << (most + 1) * bits) - 1
    for size in (size for size, many in other.items() if size > 1 for _ in range(many)):
        matchings = (_matchings(size, r) * inside << r * bits for r in range(min(size // 2, most) + 1))
        inside = sum(matchings) & mask
    total = 0
    for r in range(most, -1, -1):
        m_r = inside >> r * bits & (1 << bits) - 1
        total = (total << bits) - total + m_r * _matchings(n - 2 * r, pairs - r)
    return _coefficients(total, bits)


def _matchings(n: int, pairs: int) -> int:
    """Number of sets of this many disjoint pairs among n elements."""
    return comb(n, 2 * pairs) * factorial(2 * pairs) // (factorial(pairs) << pairs)


def _bits_of_choices(n: int, a: int) -> int:
    """Whole bytes that hold C(n, a), which is at most (e·n/a)^a."""
    fewer = max(min(a, n - a), 1)
    return ceil(fewer * log2(e * n / fewer) / 8) * 8 + 8


def _bits_of_matchings(n: int, pairs: int) -> int:
    """Whole bytes that hold the number of sets of this many disjoint pairs."""
    # The 2·pairs factors of n!/(n − 2·pairs)! are at most the power of their mean.
    ordered = 2 * pairs * log(n - pairs + 0.5) - pairs * log(2)
    return ceil((ordered - lgamma(pairs + 1)) / log(2) / 8) * 8 + 8


def _coefficients(polynomial: int, bits: int) -> dict[int, int]:
    width = bits // 8
    digits = polynomial.to_bytes(-(-polynomial.bit_length() // bits) * width, "little")
    found = (int.from_bytes(digits[at : at + width], "little") for at in range(0, len(digits), width))
    return {n11: ways for n11, ways in enumerate(found) if ways}


# Totals carried from one row to the next: about a second's worth.
AFFORDED = 10**6
_MOST_COLUMNS = 20  # of the side with fewer clusters


# The sum over the cells: N₁₁, or Π nⁿ, which is whole and increases with the information.
Total = Literal["n11", "information"]


def _of_cell(total: Total, n: int) -> int:
    return comb(n, 2) if total == "n11" else n**n


def total_of(profile: Profile, total: Total) -> int:
    """The total of these overlaps."""
    cells = zip(profile.n.tolist(), profile.count.tolist(), strict=True)
    if total == "n11":
        return sum(_of_cell(total, n) * count for n, count in cells)
    return prod(_of_cell(total, n) ** count for n, count in cells)


@dataclass(slots=True, eq=False)
class ExpectedJaccard(View):
    """The Jaccard index of the pairs, and its mean over all permutations, both as fractions."""

    value: Fraction
    expected: Fraction

    @classmethod
    def of(cls, profile: Profile) -> Self:
        ways = totals(profile, "n11")
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
        together = total_of(profile, "n11")
        if not u + v:
            raise ZeroDivisionError("no pair is together in either partition")
        weighed = sum((Fraction(n11 * many, u + v - n11) for n11, many in ways.items()), Fraction(0))
        return cls(Fraction(together, u + v - together), weighed / sum(ways.values()))


def totals(profile: Profile, total: Total, afforded: int = AFFORDED) -> Mapping[int, int] | None:
    """Number of permutations that give each total, up to a common factor; None if it takes too many steps.

    >>> totals(Profile.from_contingency([[1, 1], [1, 1]]), "n11")
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
    if total == "n11":
        ways = n11_ways(dict(row_sizes), dict(column_sizes), n, afforded)
        if ways is not None:
            return ways
    if min(sum(many for _, many in sizes) for sizes in (row_sizes, column_sizes)) > _MOST_COLUMNS:
        return None
    rows, columns = (
        [size for size, many in reversed(sizes) for _ in range(many)] for sizes in (row_sizes, column_sizes)
    )
    if len(rows) == len(columns) == 2 and total == "n11":
        return _two_by_two(rows[0], columns[0], n, afforded)
    if len(rows) < len(columns):
        rows, columns = columns, rows  # the state has a number for each column
    if _steps(rows, columns) > afforded:
        return None
    cells = [_of_cell(total, x) for x in range(rows[0] + 1)]
    joined = add if total == "n11" else mul
    # A column is represented by its remaining sum.
    states: dict[tuple[int, ...], dict[int, int]] = {tuple(columns): {0 if total == "n11" else 1: 1}}
    for size in rows:
        left: dict[tuple[int, ...], dict[int, int]] = {}
        for state, met in states.items():
            for taken in _ways(state, size):
                afforded -= len(met)
                if afforded < 0:
                    return None
                after = (c - x for c, x in zip(state, taken, strict=True))
                rest = tuple(sorted((c for c in after if c), reverse=True))
                added = reduce(joined, (cells[x] for x in taken))
                into, many = left.setdefault(rest, {}), prod(map(comb, state, taken))
                for before, times in met.items():
                    reached = joined(before, added)
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


def _two_by_two(a: int, b: int, n: int, afforded: int) -> dict[int, int] | None:
    """The hypergeometric distribution of one cell, which determines the others."""
    # Other rows and columns have the same cells, and the smallest cluster of all has the fewest ways.
    a, b = sorted((min(a, n - a), min(b, n - b)))
    words = min(n, a * n.bit_length()) // 64
    if (a + 1) * max(words, 1) > 100 * afforded:
        return None
    ways: dict[int, int] = {}
    for x, many in _hypergeometric(a, b, n):
        met = sum(comb(cell, 2) for cell in (x, a - x, b - x, n - a - b + x))
        ways[met] = ways.get(met, 0) + many
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
