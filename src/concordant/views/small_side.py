"""Exact distributions of N₁₁ where one side has one cluster above size 1, or no cluster above size 2.

Both are products of polynomials with one factor for each cluster of the other side. A polynomial is one long
integer with a fixed number of bits for each coefficient, so a product of polynomials is a product of
integers. The cost is known before anything is computed.

If one overlap determines N₁₁ it has a hypergeometric distribution, whose tails are cheap at any size.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, comb, e, factorial, inf, lgamma, log, log2

import numpy as np

from concordant.counts.arithmetic import Floats

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
    """The hypergeometric distribution of the overlap, each number of ways from the one before."""
    a, b = sorted((a, b))
    # A step multiplies and divides, which takes about twenty times as long as an addition.
    if 20 * (a + 1) * (_bits_of_choices(n, a) // _DIGIT_BITS + 1) > budget:
        return None
    ways: dict[int, int] = {}
    first = max(a + b - n, 0)
    many = comb(b, first) * comb(n - b, a - first)
    for x in range(first, a + 1):
        ways[comb(x, 2)] = ways.get(comb(x, 2), 0) + many
        many = many * (b - x) * (a - x) // ((x + 1) * (n - a - b + x + 1))
    return ways


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
