"""Proven upper bounds on the p-value of N₁₁, from exact moments and from cluster sizes."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from concordant.counts.profile import Profile
from concordant.trust.moments import Moments


@lru_cache(maxsize=64)  # indices that share N₁₁ share the bound
def log_bound(known: Moments, excess: Fraction, steps: int | None) -> float:
    """log of a bound on the probability of a deviation from the mean as large as ``excess``, on its side.

    The smallest of Cantelli's inequality, Markov's inequality for the fourth moment, and, given the squared
    steps of a martingale, Azuma's inequality.

    >>> from concordant.trust.moments import moments
    >>> profile = Profile.from_contingency([[20, 0, 0], [0, 20, 0], [0, 0, 20]])
    >>> known = moments(profile)
    >>> round(log_bound(known, 450 - known.mean, squared_steps(profile)), 4)
    -11.6928
    """
    if not excess:
        return 0.0
    square = excess * excess
    z_square = float(square / known.variance)
    logs = [-math.log1p(z_square), math.log(known.kurtosis) - 2 * math.log(z_square)]
    if steps is not None:
        logs.append(-float(2 * square / steps))
    return min(*logs, 0.0)


def squared_steps(profile: Profile) -> int:
    """Sum of the squared steps of N₁₁ if the labels are revealed one by one, which is a martingale.

    Swapping the labels of two elements moves N₁₁ by at most ``step``. Labels of singletons do not matter.

    >>> squared_steps(Profile.from_contingency([[20, 0, 0], [0, 20, 0], [0, 0, 20]]))
    85196
    """
    sides = profile.row_sizes, profile.column_sizes
    largest = (_two_largest(side) for side in sides)
    step: int = sum(max(min(pair) - 1, 0) for pair in zip(*largest, strict=True))
    reveals = min(profile.size - 1, *(profile.size - side.get(1, 0) for side in sides))
    return reveals * step * step


def _two_largest(side: Mapping[int, int]) -> list[int]:
    sizes = [size for size in sorted(side)[-2:] for _ in range(min(side[size], 2))]
    return [*sizes[::-1], 0][:2]


def bound_of(log_p: float) -> float:
    """The probability with this logarithm, rounded up; never 0.

    >>> bound_of(-1e6) > 0, bound_of(0.0)
    (True, 1.0)
    """
    return min(max(math.exp(log_p + 1e-15 * (1 - log_p)), sys.float_info.min), 1.0)
