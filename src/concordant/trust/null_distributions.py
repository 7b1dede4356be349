"""Null distributions: moments and tail of a statistic when the elements are permuted."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Literal, Self

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Floats
from concordant.counts.pairs import Crossings, Pairs, ViewCounts
from concordant.counts.profile import Profile
from concordant.trust.moments import Moments
from concordant.trust.tails import log_upper_pearson
from concordant.views.contingency_enumeration import Total

# The distribution of N₁₁ is evaluated at this many places, within this many standard deviations.
_PLACES, _WIDE = 400, 12
# A float that differs from the observed value by no more than this counts as equal to it.
ROUNDING = 1e-12

# The side on which a value is as extreme as the observed one: more agreement, less agreement, or either.
Tail = Literal["upper", "lower", "two-sided"]
TAILS = ("upper", "lower", "two-sided")


@dataclass(frozen=True, slots=True)
class NullDistribution:
    """Moments of a statistic under permutation, and the tail beyond its observed value."""

    observed: float
    expected: float
    sd: float
    skewness: float
    z: float
    log_p: float
    method: Literal["exact", "gamma", "permutations"]
    p_at_most: float | None = None
    permutations: int = 0
    reached: int | None = None
    stopped: bool = False
    moment_draws: int = 0


def log_p_of(tail: Tail, upper: float, lower: float) -> float:
    """log p from the logarithms of both tails; two-sided, twice the smaller tail and at most 1.

    >>> round(math.exp(log_p_of("two-sided", math.log(0.02), math.log(0.99))), 12)
    0.04
    """
    if tail == "two-sided":
        return min(math.log(2) + min(upper, lower), 0.0)
    return upper if tail == "upper" else lower


def distribution_of_values(
    values: Floats,
    weights: Floats,
    observed: float,
    expected: float,
    *,
    log_p: float,
    sign: float = 1.0,
) -> NullDistribution:
    """The distribution that has these values with these weights."""
    away = values - expected
    sd = math.sqrt(float(weights @ away**2))
    skewness = float(weights @ away**3) / sd**3 if sd else 0.0
    z = sign * (observed - expected) / sd if sd else math.nan
    return NullDistribution(observed, expected, sd, skewness, z, log_p, "exact")


def pair_index_distribution(
    profile: Profile, index: Index, known: Moments, ways: Mapping[int, int] | None, tail: Tail
) -> NullDistribution:
    """Distribution of an index of N₁₁, from the permutations that give each N₁₁ or a gamma distribution."""
    pairs = profile.view(Pairs)
    sign = -1.0 if index.agreement == "smaller" else 1.0
    observed = index.value(profile, "nan")
    slack = ROUNDING * max(abs(observed), 1e-300)

    def at(n11: int) -> float:
        return index.value(ViewCounts.of_pairs(pairs.with_n11(n11)), "nan")

    def is_in(side: float) -> Callable[[int], bool]:
        """Whether N₁₁ gives at least as much agreement (1) or at most as much (-1)."""

        def reaches(n11: int) -> bool:
            value = at(n11)
            return math.isnan(value) or side * sign * (value - observed) >= -slack

        return reaches

    if ways is not None:
        everything = sum(ways.values())
        shares = [sum(many for n11, many in ways.items() if is_in(side)(n11)) for side in (1, -1)]
        upper, lower = (math.log(share) - math.log(everything) for share in shares)
        weights = {n11: many / everything for n11, many in ways.items()}
        method: Literal["exact", "gamma"] = "exact"
    else:
        gamma = _GammaN11(pairs, known)
        upper, lower = (gamma.log_share(is_in(side)) for side in (1, -1))
        weights, method = gamma.weights(), "gamma"
    log_p = log_p_of(tail, upper, lower)
    values = {n11: at(n11) for n11 in weights}
    defined = [n11 for n11, value in values.items() if not math.isnan(value)]
    mass = np.array([weights[n11] for n11 in defined])
    places = np.array([values[n11] for n11 in defined])
    mass = mass / mass.sum()
    found = distribution_of_values(places, mass, observed, float(mass @ places), log_p=log_p, sign=sign)
    return replace(found, method=method)


class _GammaN11:
    """N₁₁ by the gamma distribution with its own mean, variance and skewness, between its extremes."""

    def __init__(self, pairs: Pairs, known: Moments) -> None:
        self._mean, self._sd, self._skewness = float(known.mean), known.sd, known.skewness
        least, most = max(pairs.in_u + pairs.in_v - pairs.all, 0), min(pairs.in_u, pairs.in_v)
        self._ends = least, most
        wide = np.linspace(-_WIDE, _WIDE, _PLACES) * self._sd + self._mean
        inside = np.rint(wide[(wide >= least) & (wide <= most)]).astype(object)
        self._places = sorted({least, most, min(max(pairs.n11, least), most), *map(int, inside)})

    def _log_from(self, n11: int) -> float:
        """log P(N₁₁ ≥ n11)."""
        if n11 <= self._ends[0]:
            return 0.0
        return log_upper_pearson((n11 - 0.5 - self._mean) / self._sd, self._skewness)

    def _log_within(self, first: int, last: int) -> float:
        """log P(first ≤ N₁₁ ≤ last)."""
        if last >= self._ends[1]:
            return self._log_from(first)
        if first <= self._ends[0]:
            return log_upper_pearson((self._mean - last - 0.5) / self._sd, -self._skewness)
        inside = math.exp(self._log_from(first)) - math.exp(self._log_from(last + 1))
        return math.log(inside) if inside > 0 else -math.inf

    def log_share(self, reaches: Callable[[int], bool]) -> float:
        """log of the probability of all N₁₁ that reach the observed value, which are a few runs."""
        there = [reaches(place) for place in self._places]
        starts, ends = [self._places[0]] if there[0] else [], list[int]()
        for (place, here), (after, then) in pairwise(zip(self._places, there, strict=True)):
            if here != then:
                left, right = place, after
                while right - left > 1:  # the first number that is as the right one
                    middle = (left + right) // 2
                    left, right = (left, middle) if reaches(middle) == then else (middle, right)
                (starts if then else ends).append(right if then else right - 1)
        if there[-1]:
            ends.append(self._places[-1])
        parts = [self._log_within(*run) for run in zip(starts, ends, strict=True)]
        top = max(parts, default=-math.inf)
        if top == -math.inf:
            return top
        return min(top + math.log(math.fsum(math.exp(part - top) for part in parts)), 0.0)

    def weights(self) -> dict[int, float]:
        """The probability of each position and half of that between it and the next ones."""
        middles = [(x + y) // 2 for x, y in pairwise(self._places)]
        bounds = zip([self._ends[0], *(m + 1 for m in middles)], [*middles, self._ends[1]], strict=True)
        shares = [math.exp(self._log_within(*each)) for each in bounds]
        return {place: share for place, share in zip(self._places, shares, strict=True) if share > 0}


@dataclass(frozen=True, slots=True)
class LevelLine:
    """N₁₁ + weight·Σ n·a·b, which orders tables as the index does around its observed value.

    For given cluster sizes, some indices are a ratio of two linear functions of N₁₁ and Σ n·a·b. Tables with
    a larger value are then on one side of a line, so one sum of both has the p-value of the index.
    """

    weight: Fraction
    observed: Fraction
    slope: Fraction  # of the index by N₁₁, where it was observed

    @classmethod
    def of(cls, profile: Profile, index: Index) -> Self | None:
        """The line on which the index is as observed; None if there is no such line."""
        if set(index.views) != {Pairs, Crossings}:
            return None
        pairs, nab = profile.view(Pairs, exact=True), Fraction(profile.view(Crossings).nab)

        def at(n11: Fraction, crossings: Fraction) -> Fraction:
            views = {Pairs: pairs.with_n11(n11), Crossings: Crossings(crossings)}  # type: ignore[arg-type]  # Fractions support the same arithmetic
            return Fraction(index.compute(*(views[kind] for kind in index.views), **index.arguments))

        # The extremes of N₁₁ and Σ n·a·b: a pole in between leaves one of them on the wrong side.
        rows, columns = (sorted(sizes.items()) for sizes in (profile.row_sizes, profile.column_sizes))
        least, most = max(pairs.in_u + pairs.in_v - pairs.all, 0), min(pairs.in_u, pairs.in_v)
        corners = product((least, most), [_aligned(rows, order) for order in (columns[::-1], columns)])
        n11 = Fraction(pairs.n11)
        try:
            value = at(n11, nab)
            # The derivative of a ratio of two linear functions, from its rises after one step and two.
            slopes = []
            for x, y in ((1, 0), (0, 1)):
                one, two = (at(n11 + k * x, nab + k * y) - value for k in (1, 2))
                bend = 2 / one - 2 / two if one or two else None
                if bend == 0:
                    return None
                slopes.append(1 / bend if bend else Fraction(0))
            slope, across = slopes
            if slope <= 0:
                return None
            line = cls(across / slope, n11 + across / slope * nab, slope)
            for corner in corners:
                beyond = corner[0] + line.weight * corner[1] - line.observed
                excess = at(Fraction(corner[0]), Fraction(corner[1])) - value
                if (beyond > 0) != (excess > 0) or (beyond < 0) != (excess < 0):
                    return None
        except ZeroDivisionError:
            return None
        return line

    @property
    def total(self) -> Total:
        """The same in whole numbers."""
        return Total("n11", self.weight.denominator, self.weight.numerator)

    @property
    def name(self) -> str:
        if not self.weight:
            return "N₁₁"
        return f"N₁₁ {'+' if self.weight > 0 else '-'} {abs(float(self.weight)):.3g}·Σnab"


def _aligned(rows: list[tuple[int, int]], columns: list[tuple[int, int]]) -> int:
    """Σ a·b over the elements, if both sides list them in these orders of cluster sizes."""
    total, others = 0, iter(columns)
    size, left = 0, 0
    for a, many in rows:
        here = a * many
        while here:
            if not left:
                size, count = next(others)
                left = size * count
            both = min(here, left)
            total += a * size * both
            here, left = here - both, left - both
    return total
