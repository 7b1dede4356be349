"""The distribution of the overlap of two clusters under random permutations of the elements.

The overlap of clusters of sizes a and b among n elements is hypergeometric. Probabilities are taken
relative to that of the mode and divided by their own sum, so neither factorials nor their logarithms
appear. Equal sizes give equal distributions: every sum over clusters runs over distinct sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import ParameterError
from concordant.maths.arithmetic import Floats

Weighted = tuple[tuple[int, float], ...]  # cluster sizes, each with the (expected) number of clusters

# Numbers computed one by one in exact sums: some ten seconds' worth.
MOST_TERMS = 2 * 10**8

# A distribution with this standard deviation is smooth: sums over every h-th overlap differ from the whole by
# about exp(−2π²σ²/h²), which is negligible at h = σ/4.
_SMOOTH = 64.0
_SAMPLES = 16 * 4 + 1  # on either side of the mode, 16 standard deviations

# Below this, (1+d) log(1+d) − d and similar functions are computed from their series.
_NEARLY = 1 / 64


def weighted_sizes(sizes: Mapping[int, int]) -> Weighted:
    return tuple((size, float(count)) for size, count in sorted(sizes.items()))


def in_fixed_order(x: Weighted, y: Weighted) -> tuple[Weighted, Weighted]:
    """A fixed order, so swapping the two partitions changes no bit."""
    return (x, y) if x <= y else (y, x)


def afford(terms: float, what: str, instead: str) -> None:
    if terms > MOST_TERMS:
        raise ParameterError(
            f"{what} would take {terms:.1e} terms for these cluster sizes, more than {MOST_TERMS:.0e}; "
            f"use {instead} instead"
        )


def arrays(sizes: Weighted) -> tuple[Floats, Floats]:
    x, counts = zip(*sizes, strict=True)
    return np.array(x, dtype=np.float64), np.array(counts, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Means:
    """The mean overlap, ab/n, as a whole number and a remainder, so k − ab/n loses no digits."""

    whole: Floats
    rest: Floats

    @classmethod
    def of(cls, a: int, b: Sequence[int], n: int) -> Means:
        parts = [divmod(a * y, n) for y in b]
        return cls(np.array([float(w) for w, _ in parts]), np.array([r / n for _, r in parts]))

    @property
    def value(self) -> Floats:
        return self.whole + self.rest

    def __getitem__(self, some: Any) -> Means:
        return Means(self.whole[some], self.rest[some])

    def deviation(self, k: Floats) -> Floats:
        """k − ab/n."""
        return (k - self.whole) - self.rest


def bregman(deviation: Floats, mean: Floats, q: float = 1.0) -> Floats:
    """((1+d)ᑫ − 1 − qd)/(q − 1) for d = deviation/mean, which is (1+d) log(1+d) − d for q = 1.

    How far xᑫ/(q − 1) is above its tangent at the mean, over meanᑫ: never negative.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        d = deviation / mean
        logarithms = np.log1p(d)
        grown = logarithms if q == 1 else np.expm1((q - 1) * logarithms) / (q - 1)
        gains = np.where(d > -1, (1 + d) * grown - d, 1.0)
    near = np.abs(d) < _NEARLY
    if near.any():
        gains[near] = _series(d[near], q)
    return np.maximum(gains, 0.0)


def _series(d: Floats, q: float) -> Floats:
    """d²(q/2 + q(q−2)d/6 + …): the binomial series without its first two terms."""
    coefficients, c = [], q / 2
    for r in range(3, 14):
        coefficients.append(c)
        c *= (q - r + 1) / r
    total = np.zeros_like(d)
    for c in reversed(coefficients):
        total = c + d * total
    return d * d * total


def _deviations(total: float, a: Any, b: Any) -> Any:
    """Standard deviations of the overlaps."""
    mean = a * (b / np.maximum(total, 1))
    share = np.maximum(total - a, 0) / np.maximum(total, 1) * np.maximum(total - b, 0)
    return np.sqrt(mean * share / np.maximum(total - 1, 1))


def _reaches(total: float, a: Any, b: Any, reach: float) -> tuple[Any, Any]:
    """First and last overlap of sizes a and b whose probability matters."""
    mean = a * (b / np.maximum(total, 1))
    width = 10 * _deviations(total, a, b) + 60 + reach
    lowest, highest = np.maximum(a + b - total, 0), np.minimum(a, b)
    return np.maximum(lowest, np.floor(mean - width)), np.minimum(highest, np.ceil(mean + width))


def law(total: float, a: Any, b: Any, reach: float = 0) -> tuple[Floats, Floats]:
    """The overlaps of clusters of sizes a and b (one of them an array) and their probabilities, a row each.

    All of one kind: either all are smooth, and every h-th overlap represents its neighbours, or none is.
    """
    a, b = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    if _is_smooth(total, a[:1], b[:1])[0]:
        return _sampled(total, a[:, None], b[:, None])
    return _walked(total, a[:, None], b[:, None], reach)


def split_by_kind(total: float, a: Floats, b: Floats) -> Iterator[NDArray[np.intp]]:
    """Positions of the pairs of sizes whose distributions are smooth, and of the others."""
    smooth = _is_smooth(total, a, b)
    return (which for which in (np.flatnonzero(smooth), np.flatnonzero(~smooth)) if len(which))


def _is_smooth(total: float, a: Any, b: Any) -> NDArray[np.bool_]:
    return np.asarray(_deviations(total, a, b) > _SMOOTH)


def _mode(total: float, a: Floats, b: Floats) -> Floats:
    return np.floor((a + 1) * ((b + 1) / (total + 2)))


def _walked(total: float, a: Floats, b: Floats, reach: float) -> tuple[Floats, Floats]:
    """From the mode outward, by the ratio of neighbours."""
    first, last = _reaches(total, a, b, reach)
    centre = np.clip(_mode(total, a, b), first, last)
    below, above = int((centre - first).max()), int((last - centre).max())
    k = centre + np.arange(-below, above + 1)
    inside = (k >= first) & (k <= last)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (a - k) * (b - k) / ((k + 1) * (total - a - b + k + 1))  # P(k+1)/P(k)
        steps = np.log(np.where(inside[:, :-1] & inside[:, 1:], ratio[:, :-1], 1.0))
    up = np.cumsum(steps[:, below:], axis=1)
    down = -np.cumsum(steps[:, :below][:, ::-1], axis=1)[:, ::-1]
    logarithms = np.concatenate([down, np.zeros_like(centre), up], axis=1)
    logarithms[~inside] = -np.inf
    chances = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    return k, chances / chances.sum(axis=1, keepdims=True)


def _sampled(total: float, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Every h-th overlap: the four counts are large, and their factorials follow Stirling's series."""
    step = np.floor(_deviations(total, a, b) / 4)
    centre = _mode(total, a, b)
    shift = step * np.arange(-_SAMPLES, _SAMPLES + 1)
    exponent = np.zeros_like(shift)
    for sign, count in ((1, centre), (-1, a - centre), (-1, b - centre), (1, total - a - b + centre)):
        # log (x+s)! − log x! = s log x + x((1+d) log(1+d) − d) + log(1+d)/2 + …, with d = s/x
        x = count + np.zeros_like(shift)
        moved = sign * shift
        exponent -= x * bregman(moved, x) + np.log1p(moved / x) / 2
        exponent -= _stirling(x + moved) - _stirling(x)
    # log(k(n−a−b+k) / ((a−k)(b−k))), which is small at the mode: by the difference, kn − ab.
    flat = (np.broadcast_to(x, centre.shape).ravel().tolist() for x in (centre, a, b))
    excess = [int(k) * int(total) - int(x) * int(y) for k, x, y in zip(*flat, strict=True)]
    rest = (a - centre) * (b - centre)
    exponent -= shift * np.log1p(np.array(excess, dtype=np.float64).reshape(centre.shape) / rest)
    chances = np.exp(exponent - exponent.max(axis=1, keepdims=True))
    return centre + shift, chances / chances.sum(axis=1, keepdims=True)


def _stirling(x: Floats) -> Floats:
    s = 1 / (x * x)
    return (1 / 12 - s * (1 / 360 - s / 1260)) / x


def expected(
    rows: Weighted, columns: Weighted, n: int, term: Callable[[Floats, Means], Floats], reach: float = 0
) -> float:
    """Sum over all pairs of clusters of E[term(overlap, its mean)]."""
    b, counts = arrays(columns)
    sums = []
    for a, count in rows:
        means = Means.of(a, [size for size, _ in columns], n)
        for some in portions(n, a, b):
            k, chances = law(n, a, b[some], reach)
            found = (chances * term(k, means[some][:, None])).sum(axis=1)
            sums += (count * counts[some] * found).tolist()
    return math.fsum(sums)


def expected_of_sizes(
    rows: Weighted, columns: Weighted, n: int, term: Callable[[Floats, Floats], Floats]
) -> float:
    """Sum over all pairs of clusters of E[term(overlap, the sum of their sizes)]."""
    b, counts = arrays(columns)
    sums = []
    for a, count in rows:
        for some in portions(n, a, b):
            k, chances = law(n, a, b[some])
            found = (chances * term(k, a + b[some][:, None])).sum(axis=1)
            sums += (count * counts[some] * found).tolist()
    return math.fsum(sums)


def portions(n: float, a: Any, b: Floats, room: float = 4e6) -> Iterator[NDArray[np.intp]]:
    """Batches of positions in b: each of one kind, with at most ``room`` overlaps with a."""
    size = np.array([float(a)])
    for which in split_by_kind(n, size, b):
        rows = max(1, int(room / float(widths(n, size, b[which]).max())))
        yield from (which[start : start + rows] for start in range(0, len(which), rows))


def widths(n: float, a: Floats, b: Floats) -> Floats:
    """How many overlaps matter, for each pair of sizes."""
    first, last = _reaches(float(n), a[:, None], b[None, :], 0)
    smooth = _is_smooth(float(n), a[:, None], b[None, :])
    return np.where(smooth, 2 * _SAMPLES + 1, last - first + 1)


def terms(n: int, rows: Weighted, columns: Weighted) -> float:
    """How many overlaps matter, over all pairs of distinct sizes; at least one each."""
    if len(rows) * len(columns) > MOST_TERMS:
        return float(len(rows) * len(columns))
    b = arrays(columns)[0]
    return math.fsum(float(widths(n, np.array([float(a)]), b).sum()) for a, _ in rows)
