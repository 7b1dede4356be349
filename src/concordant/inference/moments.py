"""Mean, variance and skewness of N₁₁ when the elements are permuted, and proven bounds on its tails."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from concordant.counts.profile import Profile
from concordant.maths.mantel import MantelSums, Moments, mantel_moments


def moments(profile: Profile) -> Moments:
    """The exact moments of N₁₁ for the cluster sizes of a profile, of two elements at least.

    >>> moments(Profile.from_contingency([[1, 1], [1, 1]]))
    Moments(mean=Fraction(2, 3), variance=Fraction(8, 9), third=Fraction(16, 27))
    """
    rows, columns = (tuple(sorted(sizes.items())) for sizes in (profile.row_sizes, profile.column_sizes))
    return _moments(*sorted((rows, columns)), profile.size)


@lru_cache(maxsize=64)
def _moments(rows: tuple[tuple[int, int], ...], columns: tuple[tuple[int, int], ...], n: int) -> Moments:
    return mantel_moments(MantelSums.of_sizes(dict(rows)), MantelSums.of_sizes(dict(columns)), n)


@lru_cache(maxsize=64)  # indices that share N₁₁ share the bound
def log_bound(known: Moments, excess: Fraction, steps: int) -> float:
    """log of a bound on the probability of a deviation from the mean as large as ``excess``, on its side.

    The smaller of Cantelli's inequality and, for the squared steps of a martingale, Azuma's inequality.

    >>> profile = Profile.from_contingency([[20, 0, 0], [0, 20, 0], [0, 0, 20]])
    >>> known = moments(profile)
    >>> round(log_bound(known, 450 - known.mean, squared_steps(profile)), 4)
    -6.7018
    """
    square = excess * excess
    return min(-math.log1p(float(square / known.variance)), -float(2 * square / steps), 0.0)


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
