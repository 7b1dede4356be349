"""Null distributions: moments and tail of a statistic when the elements are permuted."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, Self

import numpy as np

from concordant.counts.arithmetic import Floats
from concordant.counts.mantel import Moments
from concordant.counts.pairs import PairCounts, ViewCounts
from concordant.counts.profile import Profile
from concordant.indices.index import Index
from concordant.trust.tails import log_upper_pearson

# The distribution of N₁₁ is evaluated at this many places, within this many standard deviations.
_PLACES, _WIDE = 400, 12
# A float that differs from the observed value by no more than this counts as equal to it.
ROUNDING = 1e-12

# The side on which a value is as extreme as the observed one: more agreement, less agreement, or either.
Tail = Literal["upper", "lower", "two-sided"]
TAILS = ("upper", "lower", "two-sided")


def log_p_of(tail: Tail, upper: float, lower: float) -> float:
    """log p from the logarithms of both tails; two-sided, twice the smaller tail and at most 1.

    >>> round(math.exp(log_p_of("two-sided", math.log(0.02), math.log(0.99))), 12)
    0.04
    """
    if tail == "two-sided":
        return min(math.log(2) + min(upper, lower), 0.0)
    return upper if tail == "upper" else lower


@dataclass(frozen=True, slots=True, kw_only=True)
class NullDistribution:
    """Moments of a statistic by chance, and how much of its distribution is as extreme as observed.

    Attributes
    ----------
    statistic : str
        Its name.
    observed, expected, sd, skewness : float
        Its value, and its moments.
    z : float
        Standard deviations above chance, in the direction of more agreement.
    log_tails : (float, float)
        Logarithms of the shares with at least, and with at most, the observed agreement.
    log_bound : float or None
        Logarithm of a proven bound on the smaller tail, None if there is no bound.
    log_least : float
        Logarithm of the smallest p-value that is possible: one of all arrangements.
    n_moment_draws : int
        Number of random values that the moments are estimated from; 0 if the moments are exact.
    """

    statistic: str
    observed: float
    expected: float
    sd: float
    skewness: float
    z: float
    log_tails: tuple[float, float]
    log_bound: float | None = None
    log_least: float = -math.inf
    n_moment_draws: int = 0

    @classmethod
    def of_values(
        cls,
        statistic: str,
        values: Floats,
        weights: Floats,
        observed: float,
        expected: float,
        *,
        log_tails: tuple[float, float],
        sign: float = 1.0,
    ) -> Self:
        """The distribution of these values; ``sign`` is -1 if smaller ones mean more agreement."""
        away = values - expected
        sd = math.sqrt(float(weights @ away**2))
        return cls(
            statistic=statistic,
            observed=observed,
            expected=expected,
            sd=sd,
            skewness=float(weights @ away**3) / sd**3 if sd else 0.0,
            z=sign * (observed - expected) / sd if sd else math.nan,
            log_tails=log_tails,
        )

    def log_p_at_most(self, tail: Tail) -> float:
        """The logarithm of a proven bound on the p-value; 0 if there is no bound."""
        if self.log_bound is None:
            return 0.0
        return log_p_of(tail, *((self.log_bound, 0.0) if self.z > 0 else (0.0, self.log_bound)))

    def of_index(self, index: str, value: float, expected: float, slope: float) -> Self:
        """The distribution of an index that is linear in the statistic."""
        skewness = math.copysign(1.0, slope) * self.skewness
        sd = abs(slope) * self.sd
        return replace(self, statistic=index, observed=value, expected=expected, sd=sd, skewness=skewness)


def cantelli(z: float) -> float:
    """Logarithm of Cantelli's bound on the probability of z standard deviations on one side.

    >>> round(math.exp(cantelli(2.0)), 12)
    0.2
    """
    return -math.log1p(z * z)


def gamma_log_tails(z: float, skewness: float, half: float = 0.0) -> tuple[float, float]:
    """Logarithms of both tails of the gamma distribution with this skewness, each with half a step more."""
    return log_upper_pearson(z - half, skewness), log_upper_pearson(-z - half, -skewness)


class PairIndexDistribution:
    """The distribution of an index of N₁₁ that neither rises nor falls with it."""

    def __init__(self, profile: Profile, index: Index) -> None:
        self._pairs, self._index = profile.view(PairCounts), index
        self._sign = -1.0 if index.agreement == "smaller" else 1.0
        self._observed = index.value(profile, "nan")
        self._slack = ROUNDING * max(abs(self._observed), 1e-300)

    def exact(self, ways: Mapping[int, int]) -> NullDistribution:
        """From the number of permutations that give each N₁₁."""
        everything = sum(ways.values())
        shares = [sum(many for n11, many in ways.items() if self._is_in(side)(n11)) for side in (1, -1)]
        upper, lower = (math.log(share) - math.log(everything) for share in shares)
        return self._of({n11: many / everything for n11, many in ways.items()}, (upper, lower))

    def gamma(self, known: Moments) -> NullDistribution:
        """From the gamma distribution of N₁₁ with these moments."""
        gamma = _GammaN11(self._pairs, known)
        return self._of(gamma.weights(), (gamma.log_share(self._is_in(1)), gamma.log_share(self._is_in(-1))))

    def _at(self, n11: int) -> float:
        return self._index.value(ViewCounts.of_pairs(self._pairs.with_n11(n11)), "nan")

    def _is_in(self, side: float) -> Callable[[int], bool]:
        """Whether N₁₁ gives at least as much agreement (1) or at most as much (-1)."""

        def reaches(n11: int) -> bool:
            value = self._at(n11)
            return math.isnan(value) or side * self._sign * (value - self._observed) >= -self._slack

        return reaches

    def _of(self, weights: Mapping[int, float], log_tails: tuple[float, float]) -> NullDistribution:
        values = {n11: self._at(n11) for n11 in weights}
        defined = [n11 for n11, value in values.items() if not math.isnan(value)]
        mass = np.array([weights[n11] for n11 in defined])
        places = np.array([values[n11] for n11 in defined])
        mass = mass / mass.sum()
        return NullDistribution.of_values(
            self._index.name,
            places,
            mass,
            self._observed,
            float(mass @ places),
            log_tails=log_tails,
            sign=self._sign,
        )


class _GammaN11:
    """N₁₁ by the gamma distribution with its own mean, variance and skewness, between its extremes."""

    def __init__(self, pairs: PairCounts, known: Moments) -> None:
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
