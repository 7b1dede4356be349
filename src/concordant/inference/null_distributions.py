"""Null distributions: moments and tail of a statistic when the elements are permuted."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, Self

from concordant.maths.arithmetic import Floats
from concordant.maths.tails import log_upper_pearson

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
