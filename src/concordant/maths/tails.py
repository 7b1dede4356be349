"""Tails and quantiles of the normal, gamma, beta and Student distributions, without SciPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

_MOST_STEPS = 100_000
_TINY = 1e-300

# Below this skewness the gamma distribution is normal to all digits that a p-value needs.
_SYMMETRIC = 1e-3
# Above this, the first terms of an asymptotic series give all digits.
_LARGE_SHAPE = 1e4
_MANY_DEGREES = 1e5
_LEAST_LOG = -700.0  # exp of less is 0
_MOST_SECANTS = 40  # a root takes about ten


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


@lru_cache(maxsize=4096)  # indices that share a count need the same values
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
    return log_gamma_tails(shape, x)[is_upper]


def log_gamma_tails(shape: float, x: float) -> tuple[float, float]:
    """log P(X ≤ x) and log P(X ≥ x) of the gamma distribution with this shape and scale 1.

    >>> [round(math.exp(tail), 12) for tail in log_gamma_tails(1.0, 2.0)]
    [0.864664716763, 0.135335283237]
    """
    if x <= 0:
        return -math.inf, 0.0
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
    other = math.log(-math.expm1(tail)) if tail < 0 else -math.inf
    return (tail, other) if by_series else (other, tail)


def _log_density(shape: float, x: float) -> float:
    """log(xˢ e⁻ˣ / Γ(s+1)): for a large shape by Stirling's series, where the parts would cancel."""
    if shape < 50:
        return shape * math.log(x) - x - math.lgamma(shape + 1)
    d = (x - shape) / shape
    bent = math.log1p(d) - d if abs(d) > 1e-4 else -d * d * (0.5 - d * (1 / 3 - d / 4))
    stirling = (1 / 12 - 1 / (360 * shape * shape)) / shape
    return shape * bent - math.log(2 * math.pi * shape) / 2 - stirling


@lru_cache(maxsize=4096)  # rows of a table often have equal counts
def gamma_quantile(p: float, shape: float) -> float:
    """The quantile p of the gamma distribution with this shape and scale 1.

    >>> round(gamma_quantile(0.975, 1.0), 12)  # exponential: ln 40
    3.688879454114
    """
    z = NormalDist().inv_cdf(p)
    if shape > _LARGE_SHAPE:  # Cornish-Fisher: the next term is of the order 1/shape²
        root = math.sqrt(shape)
        return shape + math.fsum(
            (
                z * root,
                (z * z - 1) / 3,
                (z**3 - 7 * z) / (36 * root),
                -(3 * z**4 + 7 * z**2 - 16) / (810 * shape),
                (9 * z**5 + 256 * z**3 - 433 * z) / (38880 * shape * root),
            )
        )
    # Small shapes: P(X ≤ x) is close to xˢ/Γ(s+1) for small x. Others: the cube root is nearly normal.
    by_power = (math.log(p) + math.lgamma(shape + 1)) / shape
    if by_power < _LEAST_LOG:
        return 0.0
    cube = 1 - 1 / (9 * shape) + z / (3 * math.sqrt(shape))
    start = math.log(shape) + 3 * math.log(cube) if shape > 1 and cube > 0 else by_power
    tail = p > 0.5  # the smaller tail has the correct digits
    wanted = math.log1p(-p) if tail else math.log(p)
    return math.exp(_root(lambda t: log_gamma_tails(shape, math.exp(t))[tail] - wanted, start, falls=tail))


def _root(function: Callable[[float], float], start: float, *, falls: bool) -> float:
    """The zero of a monotone function: brackets by doubling steps, then secants, then bisection.

    If two secants leave an end unchanged, its value is halved (the Illinois rule), so both ends close in.
    """
    sign = -1 if falls else 1
    low = high = start
    at_low = at_high = sign * function(start)
    step = 1.0
    while at_low > 0 and low > _LEAST_LOG:
        low, step = low - step, 2 * step
        at_low = sign * function(low)
    step = 1.0
    while at_high < 0:
        high, step = high + step, 2 * step
        at_high = sign * function(high)
    secants, before = 0, 0.0
    while low < (place := (low + high) / 2) < high:
        if secants < _MOST_SECANTS and -math.inf < at_low < 0 < at_high:
            secants += 1
            secant = low - at_low * ((high - low) / (at_high - at_low))
            place = min(max(secant, math.nextafter(low, high)), math.nextafter(high, low))
        value = sign * function(place)
        if value < 0:
            low, at_low = place, value
            at_high /= 2 if before < 0 else 1
        elif value > 0:
            high, at_high = place, value
            at_low /= 2 if before > 0 else 1
        else:
            return place
        before = value
    return (low + high) / 2


def _away_from_zero(x: float) -> float:
    return x if abs(x) > _TINY else _TINY


def normal_quantile(confidence: float) -> float:
    """How many standard deviations on both sides of the mean hold this share of the normal distribution.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    return NormalDist().inv_cdf((1 + confidence) / 2)


def log_student_tails(t: float, degrees: float) -> float:
    """log P(|T| ≥ t) of Student's distribution; degrees need not be whole.

    >>> round(math.exp(log_student_tails(1.0, 1)), 12), round(math.exp(log_student_tails(2.262157, 9)), 6)
    (0.5, 0.05)
    """
    if t <= 0:
        return 0.0
    if degrees > _MANY_DEGREES:  # Hill (1970), Communications of the ACM 13:617
        a = degrees - 0.5
        z = math.sqrt(a * math.log1p(t * t / degrees))
        b = 48 * a * a
        z += (z**3 + 3 * z) / b - (4 * z**7 + 33 * z**5 + 240 * z**3 + 855 * z) / (
            10 * b * (b + 0.8 * z**4 + 100)
        )
        return min(math.log(2) + log_upper_normal(z), 0.0)
    ratio = t * t / degrees  # 1 − x = ratio / (1 + ratio) without a difference
    return log_beta_tails(degrees / 2, 0.5, 1 / (1 + ratio), ratio / (1 + ratio))[0]


@lru_cache(maxsize=64)  # every index of a comparison needs the same one
def student_quantile(confidence: float, degrees: float) -> float:
    """How far on both sides of 0 Student's distribution holds this share; degrees need not be whole.

    >>> round(student_quantile(0.95, 1), 6), round(student_quantile(0.95, 9), 6)
    (12.706205, 2.262157)
    """
    wanted = math.log1p(-confidence)
    start = math.log(normal_quantile(confidence))
    return math.exp(_root(lambda t: log_student_tails(math.exp(t), degrees) - wanted, start, falls=True))


def log_beta_tails(a: float, b: float, x: float, rest: float) -> tuple[float, float]:
    """log P(X ≤ x) and log P(X ≥ x) of the beta distribution; ``rest`` is 1 − x, which may be exact.

    >>> [round(math.exp(tail), 12) for tail in log_beta_tails(1.0, 2.0, 0.25, 0.75)]
    [0.4375, 0.5625]
    """
    if x <= 0 or rest <= 0:
        return (-math.inf, 0.0) if x <= 0 else (0.0, -math.inf)
    is_lower = x < (a + 1) / (a + b + 2)
    if not is_lower:
        a, b, x, rest = b, a, rest, x
    fraction = beta_fraction(a, b, x)
    log_x, log_rest = (math.log(x), math.log1p(-x)) if x < rest else (math.log1p(-rest), math.log(rest))
    tail = a * log_x + b * log_rest - _log_beta(a, b) - math.log(a) + math.log(fraction)
    tail = min(tail, 0.0)
    other = math.log(-math.expm1(tail)) if tail < 0 else -math.inf
    return (tail, other) if is_lower else (other, tail)


def beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's evaluation.

    It is a·Bₓ(a, b) / (xᵃ(1−x)ᵇ), also for b = 0.

    >>> round(beta_fraction(1.0, 0.0, 0.5), 12)  # 2 ln 2
    1.38629436112
    """
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    product = d
    for step in range(1, _MOST_STEPS):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        before = product
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            product *= c * d
        if abs(product - before) < 1e-16 * abs(product):
            break
    return product


def _log_beta(a: float, b: float) -> float:
    """log B(a, b); the logarithms of large gammas are subtracted by their series, which keeps the digits."""
    small, large = sorted((a, b))
    if large < _LARGE_SHAPE:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    # ln Γ(large) − ln Γ(large + small) by Stirling's series
    whole = large + small
    series = (1 / 12 - 1 / (360 * large * large)) / large - (1 / 12 - 1 / (360 * whole * whole)) / whole
    grown = -(large - 0.5) * math.log1p(small / large) - small * math.log(whole) + small
    return math.lgamma(small) + grown + series


def clopper_pearson(right: float, trials: float, confidence: float) -> tuple[float, float]:
    """Both ends for a share, given the numbers of successes and trials, which need not be whole.

    >>> [round(end, 4) for end in clopper_pearson(20, 20, 0.95)]
    [0.8316, 1.0]
    """
    alpha = (1 - confidence) / 2
    low = _beta_quantile(alpha, right, trials - right + 1) if right > 0 else 0.0
    high = 1 - _beta_quantile(alpha, trials - right, right + 1) if right < trials else 1.0
    return low, high


@lru_cache(maxsize=4096)  # as above
def _beta_quantile(p: float, a: float, b: float) -> float:
    """The quantile p of the beta distribution, on the scale of logarithmic odds."""

    def short_of_p(t: float) -> float:
        return log_beta_tails(a, b, 1 / (1 + math.exp(-t)), 1 / (1 + math.exp(t)))[0] - math.log(p)

    t = _root(short_of_p, math.log(a / b), falls=False)
    return 1 / (1 + math.exp(-t))


def logit_ends(value: float, half: float) -> tuple[float, float]:
    """Both ends at this distance from a share, on the scale of its logarithmic odds; never outside 0 and 1.

    >>> [round(end, 4) for end in logit_ends(0.5, 1.0)]
    [0.2689, 0.7311]
    """
    middle = math.log(value / (1 - value))
    low, high = (1 / (1 + math.exp(-min(max(end, -700), 700))) for end in (middle - half, middle + half))
    return low, high
