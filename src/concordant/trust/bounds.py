"""Proven upper bounds on the p-value of N₁₁, from exact moments and from cluster sizes."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from fractions import Fraction
from heapq import nlargest

from concordant.counts.profile import Profile
from concordant.trust.moments import Moments


def log_bound(profile: Profile, known: Moments, excess: Fraction, *, is_n11: bool = True) -> float:
    """log of a bound on the probability of a deviation from the mean as large as ``excess``, on its side.

    The smallest of Cantelli's inequality, Markov's inequality for the fourth moment, and for N₁₁ itself the
    bounded-difference inequality.

    >>> from concordant.trust.moments import moments
    >>> profile = Profile.from_contingency([[20, 0, 0], [0, 20, 0], [0, 0, 20]])
    >>> known = moments(profile)
    >>> round(log_bound(profile, known, 450 - known.mean), 4)
    -11.6928
    """
    if not excess:
        return 0.0
    square = excess * excess
    bounds = [known.variance / (known.variance + square), known.fourth / square**2]
    logs = [math.log(bound.numerator) - math.log(bound.denominator) for bound in bounds]
    if is_n11:
        logs.append(_log_bounded_difference(profile, abs(excess)))
    return min(*logs, 0.0)


def _log_bounded_difference(profile: Profile, excess: Fraction) -> float:
    """Azuma's inequality for a martingale that reveals the labels one by one.

    Swapping the labels of two elements moves N₁₁ by at most ``step``. Labels of singletons do not matter.
    """
    sides = profile.row_sizes, profile.column_sizes
    largest = (_two_largest(side) for side in sides)
    step = sum(max(min(pair) - 1, 0) for pair in zip(*largest, strict=True))
    clustered = (sum(size * many for size, many in side.items() if size > 1) for side in sides)
    reveals = min(profile.size - 1, *clustered)
    # Few roundings, of which each is by 1e-16 of the logarithm.
    return -float(2 * excess * excess / (reveals * step * step))


def _two_largest(side: Mapping[int, int]) -> list[int]:
    sizes = [size for size in nlargest(2, side) for _ in range(min(side[size], 2))]
    return [*sizes, 0][:2]


def bound_of(log_p: float) -> float:
    """The probability with this logarithm, rounded up; never 0.

    >>> bound_of(-1e6) > 0, bound_of(0.0)
    (True, 1.0)
    """
    return min(max(math.exp(log_p + 1e-15 * (1 - log_p)), sys.float_info.min), 1.0)
