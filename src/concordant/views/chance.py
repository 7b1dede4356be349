"""What chance alone brings: means, variances and counts over all partitions that might have been.

Unless said otherwise chance shuffles the elements and keeps the cluster sizes, so that the overlap of
clusters of sizes a and b among n elements is hypergeometric. Equal sizes give equal terms: every sum
runs over distinct sizes. Sums over both partitions take the two in a fixed order, so that swapping
them changes no bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.profile import Profile, View
from concordant.errors import ParameterError, TooLargeError
from concordant.views.information import Information

Floats = NDArray[np.float64]


Weighted = tuple[tuple[int, float], ...]  # cluster sizes, each with the (expected) number of clusters


# Numbers computed one by one in exact sums: some ten seconds' worth.
_MOST_TERMS = 2 * 10**8


# ... and so many that nobody would notice.
_FEW_TERMS = 10**6


# Expected shares below this are nothing beside the rounding of one.
NEGLIGIBLE = 1e-20


@dataclass(frozen=True, slots=True)
class Shuffled(View):
    """The mutual information that is left when the elements are shuffled, in nats."""

    expected: float  # E[MI]
    excess: float  # MI − E[MI], exactly zero where every shuffle gives the same

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (logarithms have no exact form)
        mutual = profile.view(Information).mutual
        if _is_settled(profile):
            return cls(mutual, 0.0)
        expected = expected_information(profile.row_sizes, profile.column_sizes)
        if not _is_almost_singletons(profile):
            return cls(expected, mutual - expected)
        # Here both are nearly log n; what the overlaps lack of it says the same without cancellation.
        shared, _, _, by_chance = profile.view(OverlapSizes).powers(1)
        return cls(expected, (shared - by_chance) / profile.size)


@dataclass(frozen=True, slots=True)
class OverlapSizes(View):
    """Distinct sizes of the clusters and of their overlaps, each with its number."""

    size: int
    rows: dict[int, int]
    columns: dict[int, int]
    cells: dict[int, int]
    settled: bool  # every shuffle gives the same overlaps

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (powers and logarithms have no exact form)
        rows, columns = profile.row_sizes, profile.column_sizes
        return cls(profile.size, rows, columns, overlap_sizes(profile), _is_settled(profile))

    def deviation(self, samples: int | None = None) -> float:
        """Standard deviation of the mutual information over all shuffles, or over that many of them."""
        if self.settled:
            return 0.0
        first, second = in_fixed_order(weighted_sizes(self.rows), weighted_sizes(self.columns))
        if samples is not None:
            return math.sqrt(_sampled_variance(first, second, samples)) / self.size
        return math.sqrt(_variance(first, second, self.size)) / self.size

    def powers(self, q: float) -> tuple[float, float, float, float]:
        """Σ (xᑫ − x)/(q − 1) over the overlaps, the clusters of U, those of V, and E over the overlaps."""
        largest = max((*self.rows, *self.columns), default=1)
        shared, in_u, in_v = (
            _power_sum(sizes, q, largest) for sizes in (self.cells, self.rows, self.columns)
        )
        if self.settled:
            return shared, in_u, in_v, shared
        first, second = in_fixed_order(weighted_sizes(self.rows), weighted_sizes(self.columns))
        return shared, in_u, in_v, _expected_powers(first, second, self.size, q)


def _is_settled(profile: Profile) -> bool:
    """Whether every shuffle gives overlaps of the same sizes, so that chance leaves nothing open.

    So it is if one side is a single cluster or singletons, or if one side sets a single element
    apart and the clusters of the other are equally large.
    """
    n, rows, columns = profile.size, profile.row_sizes, profile.column_sizes
    if min(profile.rows, profile.columns) <= 1 or n in (profile.rows, profile.columns):
        return True
    apart = {1: 1, n - 1: 1}
    return (rows == apart and len(columns) == 1) or (columns == apart and len(rows) == 1)


def _is_almost_singletons(profile: Profile) -> bool:
    """Whether the clusters are so small that they, and not the entropies, tell the two apart."""
    i = profile.view(Information)
    lowest = min(i.h_u, i.h_v)
    rows, columns = weighted_sizes(profile.row_sizes), weighted_sizes(profile.column_sizes)
    if math.log(profile.size) - lowest > lowest / 8 or len(rows) * len(columns) > _FEW_TERMS:
        return False
    return _terms(profile.size, rows, columns) < _FEW_TERMS


def overlap_sizes(profile: Profile) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for n, count in zip(profile.n.tolist(), profile.count.tolist(), strict=True):
        sizes[n] = sizes.get(n, 0) + count
    return sizes


def weighted_sizes(sizes: Mapping[int, int]) -> Weighted:
    return tuple((size, float(count)) for size, count in sorted(sizes.items()))


def in_fixed_order(x: Weighted, y: Weighted) -> tuple[Weighted, Weighted]:
    return (x, y) if x <= y else (y, x)


def _afford(terms: float, what: str, instead: str) -> None:
    if terms > _MOST_TERMS:
        raise ParameterError(
            f"{what} would take {terms:.1e} terms for these cluster sizes, more than {_MOST_TERMS:.0e}; "
            f"use {instead} instead"
        )


def expected_information(rows: Mapping[int, int], columns: Mapping[int, int]) -> float:
    """E[MI] in nats of two partitions with these cluster sizes, when the elements are shuffled.

    >>> round(expected_information({2: 2}, {2: 2}), 15) == round(math.log(2) / 3, 15)
    True
    """
    first, second = sorted((sorted(rows.items()), sorted(columns.items())))
    if sum(size * count for size, count in first) >= 2**62:
        raise TooLargeError("expected mutual information is offered for fewer than 2**62 elements")
    sizes, counts, others, their_counts = (
        np.array(column, dtype=np.int64) for side in (first, second) for column in zip(*side, strict=True)
    )
    return float(core.expected_mutual_information(sizes, counts, others, their_counts))


def _gain(k: Floats, mean: Floats) -> Floats:
    """k log(k/mean) − k + mean: what an overlap of k adds to n·MI, up to terms that sum to zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms = np.where(k > 0, k * np.log1p((k - mean) / mean), 0.0)
    return np.maximum(logarithms - (k - mean), 0.0)


def _power_gain(x: Floats, q: float, largest: int) -> Floats:
    """(xᑫ − x)/(q − 1), which is x log x for q = 1; over largestᑫ⁻¹ where it would overflow."""
    if q == 1:
        return np.where(x > 0, x * np.log(np.maximum(x, 1)), 0.0)
    logarithms = np.log(np.maximum(x, 1))
    if (q - 1) * math.log(largest) > 500:
        return x * np.exp((q - 1) * (logarithms - math.log(largest)))
    return x * np.expm1((q - 1) * logarithms) / (q - 1)


def _power_sum(sizes: Mapping[int, int], q: float, largest: int) -> float:
    gains = _power_gain(np.array(list(sizes), dtype=np.float64), q, largest).tolist()
    return math.fsum(count * gain for count, gain in zip(sizes.values(), gains, strict=True))


@lru_cache(maxsize=256)
def _expected_powers(rows: Weighted, columns: Weighted, n: int, q: float) -> float:
    _afford(_terms(n, rows, columns), "the expected power sum", "adjusted_mutual_information")
    largest = max(rows[-1][0], columns[-1][0])
    return _expected(rows, columns, n, lambda k, _: _power_gain(k, q, largest), reach=4 * q)


def _reaches(total: Any, a: Any, b: Any, reach: float) -> tuple[Any, Any]:
    """First and last overlap of sizes a and b whose probability matters."""
    mean = a * (b / np.maximum(total, 1))
    share = np.maximum(total - a, 0) / np.maximum(total, 1) * np.maximum(total - b, 0)
    width = 10 * np.sqrt(mean * share / np.maximum(total - 1, 1)) + 60 + reach
    lowest, highest = np.maximum(a + b - total, 0), np.minimum(a, b)
    return np.maximum(lowest, np.floor(mean - width)), np.minimum(highest, np.ceil(mean + width))


def _overlap(total: float, a: Any, b: Any, reach: float = 0) -> tuple[Floats, Floats]:
    """The overlaps of clusters of sizes a and b (one of them an array) and their probabilities, a row each.

    Relative to the first by the ratio of neighbours, then divided by their own sum: no factorials.
    """
    a, b = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    first, last = (x[:, None] for x in _reaches(total, a, b, reach))
    a, b = a[:, None], b[:, None]
    k = first + np.arange(int((last - first).max()) + 1)
    before = np.minimum(k[:, :-1], np.maximum(last - 1, first))
    inside = k[:, 1:] <= last
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (a - before) * (b - before) / ((before + 1) * (total - a - b + before + 1))
        steps = np.log(np.where(inside, ratio, 1.0))
    logarithms = np.concatenate([np.zeros_like(first), np.cumsum(steps, axis=1)], axis=1)
    logarithms[:, 1:][~inside] = -np.inf
    chances = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    return k, chances / chances.sum(axis=1, keepdims=True)


def _expected(
    rows: Weighted, columns: Weighted, n: int, term: Callable[[Floats, Floats], Floats], reach: float = 0
) -> float:
    """Sum over all pairs of clusters of E[term(overlap, its mean)]."""
    b, counts = _arrays(columns)
    sums = []
    for a, count in rows:
        for some in _portions(n, a, b):
            k, chances = _overlap(n, a, b[some], reach)
            means = (chances * term(k, a * b[some, None] / n)).sum(axis=1)
            sums += (count * counts[some] * means).tolist()
    return math.fsum(sums)


def _arrays(sizes: Weighted) -> tuple[Floats, Floats]:
    x, counts = zip(*sizes, strict=True)
    return np.array(x, dtype=np.float64), np.array(counts, dtype=np.float64)


def _portions(n: int, a: Any, b: Floats, room: float = 4e6) -> list[slice]:
    """Slices of b whose overlaps with a fit into so many numbers."""
    first, last = _reaches(n, a, b, 0)
    rows = max(1, int(room / (float((last - first).max(initial=0)) + 1)))
    return [slice(start, start + rows) for start in range(0, len(b), rows)]


def _widths(n: int, a: Floats, b: Floats) -> Floats:
    first, last = _reaches(float(n), a[:, None], b[None, :], 0)
    return np.asarray(last - first + 1, dtype=np.float64)


def _terms(n: int, rows: Weighted, columns: Weighted) -> float:
    """How many overlaps matter, over all pairs of distinct sizes; at least one each."""
    if len(rows) * len(columns) > _MOST_TERMS:
        return float(len(rows) * len(columns))
    b = _arrays(columns)[0]
    return math.fsum(float(_widths(n, np.array([float(a)]), b).sum()) for a, _ in rows)


@lru_cache(maxsize=256)
def _variance(rows: Weighted, columns: Weighted, n: int) -> float:
    """Variance of n·MI over all shuffles.

    Given the overlap m of row i and column j, the rest of the row and the rest of the column are
    independent. So E[(Σ g)²] is the sum over the cells (i, j) of E[(g(m) + rest of row)(g(m) + rest
    of column)], with g centred to mean zero.
    """
    (a, many_a), (b, many_b) = _arrays(rows), _arrays(columns)
    _afford(_variance_terms(n, a, b), "the exact variance", "samples=1000, or adjusted_mutual_information,")
    means = np.array([_mean_gain(n, x, b, x * b / n) for x in a])
    total = []
    for i, j in np.ndindex(means.shape):
        m, chance = (x[0] for x in _overlap(n, a[i : i + 1], b[j : j + 1]))
        own = _gain(m, a[i] * b[j] / n) - means[i, j]
        row = own + _rest(n, m, a[i], b, others=many_b - (b == b[j]), taken=b[j], means=means[i])
        column = own + _rest(n, m, b[j], a, others=many_a - (a == a[i]), taken=a[i], means=means[:, j])
        total.append(many_a[i] * many_b[j] * math.fsum((chance * row * column).tolist()))
    return max(math.fsum(total), 0.0)


def _variance_terms(n: int, a: Floats, b: Floats) -> float:
    least = float(len(a) * len(b) * (len(a) + len(b)))
    if least > _MOST_TERMS:
        return least
    widths = _widths(n, a, b)
    return float((widths * (widths.sum(axis=0) + widths.sum(axis=1)[:, None])).sum())


def _mean_gain(total: float, a: Any, b: Any, mean: Any) -> Floats:
    k, chances = _overlap(total, a, b)
    return np.asarray((chances * _gain(k, np.atleast_1d(mean)[:, None])).sum(axis=1))


def _rest(n: int, m: Floats, a: Any, b: Floats, *, others: Floats, taken: Any, means: Floats) -> Floats:
    """Mean of the centred gains in the rest of a row of size a that has m of the column ``taken``."""
    left = others > 0
    b, others, means, rest = b[left], others[left], means[left], np.zeros_like(m)
    for some in _portions(n, a, b, room=3e5 / len(m)):
        sizes = np.tile(b[some], len(m))
        gains = _mean_gain(n - taken, np.repeat(a - m, len(b[some])), sizes, a * sizes / n)
        rest += (gains.reshape(len(m), -1) - means[some]) @ others[some]
    return rest


def _sampled_variance(rows: Weighted, columns: Weighted, samples: int) -> float:
    """The same from that many random shuffles, always the same ones."""
    u, v = (np.repeat(np.arange(len(s)), s) for s in map(one_by_one, (rows, columns)))
    a, b = (np.array(s, dtype=np.float64) for s in map(one_by_one, (rows, columns)))
    n, random = len(u), np.random.default_rng(20140621)
    gains = np.empty(samples)
    for sample in range(samples):
        cells, k = np.unique(u * len(b) + random.permutation(v), return_counts=True)
        gains[sample] = (k * np.log(k * n / (a[cells // len(b)] * b[cells % len(b)]))).sum()
    expected = n * expected_information(*({s: int(c) for s, c in side} for side in (rows, columns)))
    return float(((gains - expected) ** 2).mean())


def one_by_one(sizes: Weighted) -> list[int]:
    return [size for size, count in sizes for _ in repeat(None, int(count))]


@lru_cache(maxsize=256)
def expected_gain(rows: Weighted, columns: Weighted, n: int) -> float:
    """E[n·MI] for so many clusters of each size, expected or given."""
    _afford(_terms(n, rows, columns), "the expected information", "adjusted_mutual_information")
    return _expected(rows, columns, n, _gain)
