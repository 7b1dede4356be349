"""Information of order q beyond chance, as sums of terms that do not cancel.

Write g(x) = (xᑫ − x)/(q − 1), and x log x for q = 1. The excess of Σ g(n_ij) over its mean is a sum over
all pairs of clusters: the height of g(n_ij) above its tangent at the mean μ = ab/n, minus the mean of this
height, plus the tangents themselves: Σ g'(μ)(n_ij − μ). A function of a alone and one of b alone can be
subtracted from g', because rows and columns of n_ij − μ add up to 0. Any line can replace the tangent: for
q < 1, where g is steep at zero, it is the axis if μ < 1.
"""

from __future__ import annotations

import math
from typing import Self

import numpy as np

from concordant.counts.base import View
from concordant.counts.chance import excess_of_overlaps, is_almost_singletons, is_settled, power_gain
from concordant.counts.information import ClusterSizes
from concordant.counts.profile import Profile
from concordant.maths.arithmetic import Floats, Integers
from concordant.maths.hypergeometric import afford, bregman, expected, in_fixed_order, terms, weighted_sizes


class QInformation(View):
    """Shared and unshared information of any order beyond chance."""

    settled: bool

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.settled = is_settled(profile.view(ClusterSizes))  # every permutation gives the same value
        self._largest = max((*profile.row_sizes, *profile.column_sizes), default=1)
        self._excess: dict[float, float] = {}  # by q, as several values need it

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(profile)

    def missing(self, q: float) -> float:
        """(Σ g(a) + Σ g(b))/2 − Σ g(n_ij), over largestᑫ⁻¹."""
        p = self._profile
        lost = sum(_ascent(size, p.n, q, self._largest) for size in (p.a, p.b)) / 2
        return math.fsum((p.mass.astype(np.float64) * lost).tolist())

    def excess(self, q: float) -> float:
        """Σ g(n_ij) − E[Σ g(n_ij)], over largestᑫ⁻¹."""
        if q not in self._excess:
            self._excess[q] = 0.0 if self.settled else self._counted_excess(q)
        return self._excess[q]

    def _counted_excess(self, q: float) -> float:
        p = self._profile
        rows, columns = weighted_sizes(p.row_sizes), weighted_sizes(p.column_sizes)
        afford(terms(p.size, rows, columns), "the expected power sum", "adjusted_mutual_information")
        if is_almost_singletons(p) and (q - 1) * math.log(self._largest) < 500:
            return float(excess_of_overlaps(p, q) * self._largest ** (1 - q))
        by_chance = expected(
            *in_fixed_order(rows, columns),
            p.size,
            lambda k, means: _above_line(means.deviation(k), means.value, q, self._largest),
            reach=4 * q,
        )
        return math.fsum([*self._present(q), *self._absent(q), -by_chance])

    def _present(self, q: float) -> list[float]:
        """The term of each overlap, including the tangent."""
        p = self._profile
        joint, independent = (x.astype(object) * y for x, y in ((p.n, p.size), (p.a, p.b)))
        deviation = ((joint - independent) / p.size).astype(np.float64)
        mean = (independent / p.size).astype(np.float64)
        above = _above_line(deviation, mean, q, self._largest)
        slope = self._slope(p.a, p.b, q)
        added: list[float] = (p.count.astype(np.float64) * (above + slope * deviation)).tolist()
        return added

    def _absent(self, q: float) -> list[float]:
        """The terms of pairs of clusters that do not overlap."""
        p = self._profile
        if p.cells == p.rows * p.columns:
            return []
        met: dict[tuple[int, int], int] = {}
        for a, b, count in zip(p.a.tolist(), p.b.tolist(), p.count.tolist(), strict=True):
            met[a, b] = met.get((a, b), 0) + count
        found = []
        b, many = (np.array(list(x), dtype=object) for x in (p.column_sizes, p.column_sizes.values()))
        for a, times in p.row_sizes.items():
            count = (times * many - np.array([met.get((a, x), 0) for x in b], dtype=object)).astype(
                np.float64
            )
            mean = (a * b / p.size).astype(np.float64)
            slope = self._slope(np.full(len(b), a, dtype=object), b, q)
            above = _above_line(-mean, mean, q, self._largest)
            found += (count * (above - mean * slope)).tolist()
        return found

    def _slope(self, a: Integers, b: Integers, q: float) -> Floats:
        """Slope of the line at ab/n, less functions of a and of b alone: zero for the largest clusters."""
        if q == 1:
            return np.zeros(len(a))
        p = self._profile
        top_a, top_b = max(p.row_sizes), max(p.column_sizes)
        at_top = _scale(np.array([top_a * top_b / p.size]), q, self._largest)[0]
        # Sums and products of two commute, so swapping the partitions changes no bit.
        slopes: Floats = q * at_top / (q - 1) * (_relative(a, top_a, q) * _relative(b, top_b, q))
        if q > 1:
            return slopes
        means = [(x * y / p.size).astype(np.float64) for x in (a, top_a + 0 * a) for y in (b, top_b + 0 * b)]
        flat = np.logical_or.reduce([mean < 1 for mean in means])
        own, of_a, of_b, of_both = (self._line_slope(mean[flat], q) for mean in means)
        slopes[flat] = own - (of_a + of_b) + of_both
        return slopes

    def _line_slope(self, mean: Floats, q: float) -> Floats:
        tangent = np.expm1((q - 1) * np.log(mean)) * q / (q - 1) + 1
        return np.asarray(np.where(mean < 1, 0.0, tangent) * float(self._largest) ** (1 - q))


def _relative(size: Integers, top: int, q: float) -> Floats:
    """(size/top)ᑫ⁻¹ − 1."""
    apart = ((top - size) / size).astype(np.float64)
    return np.asarray(np.expm1(-(q - 1) * np.log1p(apart)))


def _scale(x: Floats, q: float, largest: int) -> Floats:
    """(x/largest)ᑫ⁻¹."""
    return np.asarray(np.exp((q - 1) * np.log(x / largest)))


def _ascent(size: Integers, part: Integers, q: float, largest: int) -> Floats:
    """(sizeᑫ⁻¹ − partᑫ⁻¹)/(q − 1), which is log(size/part) for q = 1, over largestᑫ⁻¹; never negative."""
    logarithms = np.log1p(((size - part) / part).astype(np.float64))
    if q == 1:
        return logarithms
    return np.asarray(-_scale(size.astype(np.float64), q, largest) * np.expm1((1 - q) * logarithms) / (q - 1))


def _above_line(deviation: Floats, mean: Floats, q: float, largest: int) -> Floats:
    """The height of g above its tangent at the mean, or for q < 1 < 1/mean above zero, over largestᑫ⁻¹."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        above = mean * _scale(mean, q, largest) * bregman(deviation, mean, q)
        # Powers of the ratio may overflow; the overlap's own power is all that counts then.
        far = (q - 1) * np.log1p(np.maximum(deviation / mean, 0)) > 500
    if far.any():
        k = np.broadcast_to(mean + deviation, far.shape)[far]
        above[far] = k * _scale(k, q, largest) / (q - 1)
    flat = np.broadcast_to((q < 1) & (mean < 1), above.shape)
    if flat.any():
        above[flat] = power_gain((mean + deviation)[flat].round(), q) * float(largest) ** (1 - q)
    return above
