"""Chance alone: means and variances of the information over all permutations of the elements.

Cluster sizes are fixed. Sums over both partitions take the two in a fixed order, so swapping them changes
no bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Any, ClassVar, Self

import numpy as np

from concordant import core
from concordant.counts.base import SharedCount, View
from concordant.counts.information import ClusterSizes, Information, expected_information
from concordant.counts.profile import Profile
from concordant.errors import TooLargeError
from concordant.maths.arithmetic import Floats
from concordant.maths.hypergeometric import (
    MOST_TERMS,
    Means,
    Weighted,
    afford,
    arrays,
    bregman,
    expected,
    in_fixed_order,
    law,
    portions,
    split_by_kind,
    terms,
    weighted_sizes,
    widths,
)

# This many numbers are computed one by one in an imperceptible time.
_FEW_TERMS = 10**6

# From this size on, differences of x log x are taken from their series.
_SERIES = 8

# More elements than this are not permuted.
_MOST_SHUFFLED = 10**9


@dataclass(slots=True, eq=False)
class Shuffled(View):
    """The mutual information beyond its mean over permutations, in nats."""

    shares: ClassVar[SharedCount] = "information"

    expected: float  # E[MI]
    excess: float  # MI − E[MI], exactly zero if every permutation gives the same

    @classmethod
    def of(cls, profile: Profile) -> Self:
        mutual = profile.view(Information).mutual
        if is_settled(profile.view(ClusterSizes)):
            return cls(mutual, 0.0)
        by_chance = expected_information(profile.row_sizes, profile.column_sizes)
        if not is_almost_singletons(profile):
            return cls(by_chance, mutual - by_chance)
        # Here both are nearly log n; their differences from it give the same result without cancellation.
        return cls(by_chance, excess_of_overlaps(profile, 1.0) / profile.size)

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        return cls(cls.of(profile).expected, 0.0)


@dataclass(slots=True, eq=False)
class SwapLoss(View):
    """The mean loss of information when two elements swap their candidate clusters.

    In nats times n³/2; the mean is over all draws of two elements.
    """

    between: float
    within_u: float
    within_v: float

    @classmethod
    def of(cls, profile: Profile) -> Self:
        columns = (x.tolist() for x in (profile.n, profile.a, profile.b, profile.count))
        cells, size = list(zip(*columns, strict=True)), profile.size
        # A cell loses an element to n(size − a − b + n) swaps, and gains one by (a − n)(b − n).
        forms = [
            [
                count * (n * (size - a - b + n) * _step(n) - (a - n) * (b - n) * _step(n + 1))
                for n, a, b, count in cells
            ]
        ]
        if profile.cells == profile.rows * profile.columns:
            forms.append([count * _lost_of_full_table(n, a, b, size) for n, a, b, count in cells])
        least = min(forms, key=lambda terms: math.fsum(map(abs, terms)))  # the one that cancels less
        within = [
            math.fsum([many * x * (size - x) * _step(x) for x, many in sizes.items()])
            for sizes in (profile.row_sizes, profile.column_sizes)
        ]
        return cls(math.fsum(least), *within)


def _lost_of_full_table(n: int, a: int, b: int, size: int) -> float:
    """The same, up to terms that add up to 0 over the cells of a table without empty cells.

    Near independence gains and losses are nearly equal; their difference is computed without subtraction.
    """
    beyond, mean = n * size - a * b, a * b
    ratio = math.log1p(beyond / mean) if 2 * abs(beyond) < mean else math.log(n * size / mean)
    if n < _SERIES:
        growth = _step(n + 1) - _step(n)
    else:  # 1/n + 1/6n³ + 1/15n⁵ + …
        growth = math.fsum([n ** (1 - 2 * k) / (k * (2 * k - 1)) for k in range(1, 12)])
    return beyond * (ratio - _bend(n)) - (a - n) * (b - n) * growth


@lru_cache(maxsize=2**12, typed=True)  # many cells have the same size
def _step(x: int) -> float:
    """x log x − (x − 1) log(x − 1)."""
    return math.log(x) + 1 - _bend(x) if x > 1 else 0.0


def _bend(x: int) -> float:
    """1 + log x less that step: 1/2x + 1/6x² + 1/12x³ + …"""
    if x < _SERIES:
        return 1 + (x - 1) * math.log1p(-1 / x) if x > 1 else 1.0
    return math.fsum([x**-k / (k * (k + 1)) for k in range(1, 20)])


def information_deviation(sizes: ClusterSizes, samples: int | None = None) -> float:
    """Standard deviation of the mutual information over all permutations, or over that many of them."""
    if is_settled(sizes):
        return 0.0
    first, second = in_fixed_order(weighted_sizes(sizes.rows), weighted_sizes(sizes.columns))
    if samples is not None:
        return math.sqrt(_sampled_variance(first, second, samples)) / sizes.size
    return math.sqrt(_variance(first, second, sizes.size)) / sizes.size


def is_settled(sizes: ClusterSizes) -> bool:
    """Whether every permutation gives overlaps of the same sizes.

    This is the case if one side is a single cluster or all singletons, or if one side only separates
    a single element and the clusters of the other are equally large.
    """
    n, rows, columns = sizes.size, sizes.rows, sizes.columns
    clusters = sum(rows.values()), sum(columns.values())
    if min(clusters) <= 1 or n in clusters:
        return True
    apart = {1: 1, n - 1: 1}
    return (rows == apart and len(columns) == 1) or (columns == apart and len(rows) == 1)


def is_almost_singletons(profile: Profile) -> bool:
    """Whether the clusters are so small that they, and not the entropies, distinguish the two."""
    i = profile.view(Information)
    lowest = min(i.h_u, i.h_v)
    rows, columns = weighted_sizes(profile.row_sizes), weighted_sizes(profile.column_sizes)
    if math.log(profile.size) - lowest > lowest / 8 or len(rows) * len(columns) > _FEW_TERMS:
        return False
    return terms(profile.size, rows, columns) < _FEW_TERMS


def excess_of_overlaps(profile: Profile, q: float) -> float:
    """Σ g(overlap) less its mean, where g is nothing for single elements."""
    sizes = profile.overlap_sizes
    gains = power_gain(np.array(list(sizes), dtype=np.float64), q).tolist()
    shared = math.fsum(count * gain for count, gain in zip(sizes.values(), gains, strict=True))
    first, second = in_fixed_order(weighted_sizes(profile.row_sizes), weighted_sizes(profile.column_sizes))
    return shared - expected(first, second, profile.size, lambda k, _: power_gain(k, q), reach=4 * q)


def power_gain(x: Floats, q: float) -> Floats:
    """g(x) = (xᑫ − x)/(q − 1), and x log x for q = 1."""
    logarithms = np.log(np.maximum(x, 1))
    return x * (logarithms if q == 1 else np.expm1((q - 1) * logarithms) / (q - 1))


@lru_cache(maxsize=256)
def _variance(rows: Weighted, columns: Weighted, n: int) -> float:
    """Variance of n·MI over all permutations.

    Given the overlap m of row i and column j, the rest of the row and the rest of the column are
    independent. So E[(Σ g)²] is the sum over the cells (i, j) of E[(g(m) + rest of row)(g(m) + rest
    of column)], with g centred to mean zero.
    """
    (a, many_a), (b, many_b) = arrays(rows), arrays(columns)
    count = float(len(a) * len(b) * (len(a) + len(b)))
    if count <= MOST_TERMS:
        wide = widths(n, a, b)
        count = float((wide * (wide.sum(axis=0) + wide.sum(axis=1)[:, None])).sum())
    afford(
        count,
        "the exact variance",
        "standardised_mutual_information(samples=1000) or adjusted_mutual_information",
    )
    in_rows = [Means.of(x, [y for y, _ in columns], n) for x, _ in rows]
    in_columns = [Means.of(y, [x for x, _ in rows], n) for y, _ in columns]
    means = np.array([_mean_gain(n, np.full_like(b, x), b, m) for x, m in zip(a, in_rows, strict=True)])
    total = []
    for i, j in np.ndindex(means.shape):
        m, chance = (x[0] for x in law(n, a[i : i + 1], b[j : j + 1]))
        own = _gain(m, in_rows[i][j]) - means[i, j]
        row = own + _rest(n, m, a[i], b, in_rows[i], others=many_b - (b == b[j]), taken=b[j], means=means[i])
        column = own + _rest(
            n, m, b[j], a, in_columns[j], others=many_a - (a == a[i]), taken=a[i], means=means[:, j]
        )
        total.append(many_a[i] * many_b[j] * math.fsum((chance * row * column).tolist()))
    return max(math.fsum(total), 0.0)


def _gain(k: Floats, means: Means) -> Floats:
    """k log(k/mean) − k + mean: the contribution of an overlap of k to n·MI, up to terms that sum to zero."""
    return means.value * bregman(means.deviation(k), means.value)


def _mean_gain(total: float, a: Floats, b: Floats, means: Means) -> Floats:
    """E of the gains, about these means, of overlaps of sizes a and b among so many elements."""
    found = np.empty(len(a))
    for some in split_by_kind(total, a, b):
        k, chances = law(total, a[some], b[some])
        found[some] = (chances * _gain(k, means[some][:, None])).sum(axis=1)
    return found


def _rest(
    n: int, m: Floats, a: Any, b: Floats, about: Means, *, others: Floats, taken: Any, means: Floats
) -> Floats:
    """Mean of the centred gains in the rest of a row of size a that has m of the column ``taken``."""
    left = others > 0
    b, about, others, means, rest = b[left], about[left], others[left], means[left], np.zeros_like(m)
    for some in portions(n, a, b, room=3e5 / len(m)):
        which = np.tile(some, len(m))
        gains = _mean_gain(n - taken, np.repeat(a - m, len(some)), b[which], about[which])
        rest += (gains.reshape(len(m), -1) - means[some]) @ others[some]
    return rest


def _sampled_variance(rows: Weighted, columns: Weighted, samples: int) -> float:
    """The same from that many random permutations, always the same ones."""
    n = sum(size * int(count) for size, count in rows)
    if n > _MOST_SHUFFLED:
        raise TooLargeError(
            f"{n} records are too many to permute; adjusted_mutual_information needs no permutations"
        )
    u, v = (np.repeat(np.arange(len(s)), s) for s in map(one_by_one, (rows, columns)))
    a, b = (np.array(s, dtype=np.float64) for s in map(one_by_one, (rows, columns)))
    random = np.random.default_rng(20140621)
    gains = np.empty(samples)
    for sample in range(samples):
        cells, k = np.unique(u * len(b) + random.permutation(v), return_counts=True)
        gains[sample] = (k * np.log(k * n / (a[cells // len(b)] * b[cells % len(b)]))).sum()
    by_chance = n * expected_information(*({s: int(c) for s, c in side} for side in (rows, columns)))
    return float(((gains - by_chance) ** 2).mean())


def one_by_one(sizes: Weighted) -> list[int]:
    return [size for size, count in sizes for _ in repeat(None, int(count))]


@lru_cache(maxsize=256)
def expected_gain(rows: Weighted, columns: Weighted, n: int) -> float:
    """E[n·MI] for the given or expected number of clusters of each size."""
    afford(terms(n, rows, columns), "the expected information", "adjusted_mutual_information")
    (a, many), (b, others) = arrays(rows), arrays(columns)
    excesses = core.pair_excesses(a.astype(np.int64), b.astype(np.int64), n).reshape(len(a), len(b))
    # The mean ab/n times what the overlap has beyond it, of so many pairs of clusters.
    return math.fsum((excesses * (many * a)[:, None] * (others * b / n)).ravel().tolist())
