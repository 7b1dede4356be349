"""Tails of the normal, the gamma and Student's distribution, and their quantiles, without SciPy."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

_MOST_STEPS = 100_000
_TINY = 1e-300

# Below this skewness the gamma distribution is normal to all digits that a p-value needs.
_SYMMETRIC = 1e-3


def log_upper_normal(z: float) -> float:
    """log P(Z ≥ z) of the standard normal distribution, also where it underflows.

    >>> round(log_upper_normal(0.0), 6), round(log_upper_normal(500.0), 3)
    (-0.693147, -125007.134)
    """
    if z < 30:
        return math.log(math.erfc(z / math.sqrt(2)) / 2)
    # The asymptotic series, whose terms fall by z² each.
    s = 1 / (z * z)
    series = 1 - s * (1 - 3 * s * (1 - 5 * s * (1 - 7 * s)))
    return -z * z / 2 - math.log(z * math.sqrt(2 * math.pi)) + math.log(series)


@lru_cache(maxsize=4096)  # indices that share a count ask for the same places
def log_upper_pearson(z: float, skewness: float) -> float:
    """log P(X ≥ z) of the gamma distribution with mean 0, variance 1, this skewness (Pearson's type III).

    >>> round(math.exp(log_upper_pearson(1.0, 2.0)), 12)  # exponential, less 1: exp(-2)
    0.135335283237
    """
    if abs(skewness) < _SYMMETRIC:
        return log_upper_normal(z)
    shape = 4 / skewness**2
    is_upper = skewness > 0
    x = shape + z * math.sqrt(shape) if is_upper else shape - z * math.sqrt(shape)
    if x <= 0:
        return 0.0 if is_upper else -math.inf
    by_series = x < shape + 1  # which gives the lower tail; the continued fraction gives the upper one
    if by_series:
        term = total = 1.0
        for step in range(1, _MOST_STEPS):
            term *= x / (shape + step)
            total += term
            if term < total * 1e-17:
                break
    else:  # by Lentz's evaluation
        b = x + 1 - shape
        c, d = 1 / _TINY, 1 / b
        product = d
        for step in range(1, _MOST_STEPS):
            a = -step * (step - shape)
            b += 2
            d = 1 / _away_from_zero(a * d + b)
            c = _away_from_zero(b + a / c)
            product *= c * d
            if abs(c * d - 1) < 1e-16:
                break
        total = shape * product
    tail = _log_density(shape, x) + math.log(total)
    if is_upper != by_series:
        return tail
    return math.log(-math.expm1(tail)) if tail < 0 else -math.inf


def _log_density(shape: float, x: float) -> float:
    """log(xˢ e⁻ˣ / Γ(s+1)): for a large shape by Stirling's series, where the parts would cancel."""
    if shape < 50:
        return shape * math.log(x) - x - math.lgamma(shape + 1)
    d = (x - shape) / shape
    bent = math.log1p(d) - d if abs(d) > 1e-4 else -d * d * (0.5 - d * (1 / 3 - d / 4))
    stirling = (1 / 12 - 1 / (360 * shape * shape)) / shape
    return shape * bent - math.log(2 * math.pi * shape) / 2 - stirling


def _away_from_zero(x: float) -> float:
    return x if abs(x) > _TINY else _TINY


def normal_quantile(level: float) -> float:
    """How many standard deviations on both sides of the mean hold this share of the normal distribution.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def student_quantile(level: float, degrees: int) -> float:
    """The same for Student's distribution with this many degrees of freedom.

    >>> round(student_quantile(0.95, 1), 6), round(student_quantile(0.95, 9), 6)
    (12.706205, 2.262157)
    """
    if degrees > 1000:
        z = normal_quantile(level)
        terms = (
            (z**3 + z) / 4,
            (5 * z**5 + 16 * z**3 + 3 * z) / 96,
            (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        )
        return z + math.fsum(term / float(degrees) ** (place + 1) for place, term in enumerate(terms))
    low, high = 0.0, 1.0
    while student_within(high, degrees) < level:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if student_within(middle, degrees) < level else (low, middle)
    return (low + high) / 2


def student_within(t: float, degrees: int) -> float:
    """P(|T| ≤ t) of Student's distribution: a finite sum of powers of a cosine.

    >>> round(student_within(1.0, 1), 12), round(student_within(2.262157, 9), 6)
    (0.5, 0.95)
    """
    angle = math.atan(t / math.sqrt(degrees))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = degrees % 2
    term = total = (cosine if odd else 1.0) * (degrees > 1)
    for power in range(2 + odd, degrees - 1, 2):
        term *= cosine * cosine * (power - 1) / power
        total += term
    within = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return min(within, 1.0)


def logit_ends(value: float, half: float) -> tuple[float, float]:
    """So far on both sides of a share on the scale of its logarithmic odds; never outside 0 and 1.

    >>> [round(end, 4) for end in logit_ends(0.5, 1.0)]
    [0.2689, 0.7311]
    """
    middle = math.log(value / (1 - value))
    low, high = (1 / (1 + math.exp(-min(max(end, -700), 700))) for end in (middle - half, middle + half))
    return low, high
