"""Partitions drawn at random, of any number of elements: how large their clusters are.

How many partitions there are is the coefficient of a power series: n!/k! [xⁿ](eˣ−1)ᵏ of those into k
clusters, n! [xⁿ] exp(eˣ−1) of all. With x chosen so that n is what is expected, k sizes drawn from the
Poisson law without zero (or a Poisson number of them) add up to n with a probability that a short sum over
the unit circle tells: it is exact but for what lies twenty standard deviations away. Ratios of such
probabilities are ratios of the numbers of partitions, without big numbers and without asymptotics.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Floats
from concordant.counts.hypergeometric import Weighted
from concordant.errors import TooLargeError

Complex = NDArray[np.complex128]

# So many standard deviations on either side matter, and a few numbers more where the law is narrow.
_WIDTH, _LEAST = 20, 60
# Expected shares below this are nothing beside the rounding of one.
_NEGLIGIBLE = 1e-20
# More terms than this would take minutes and gigabytes.
_MOST_TERMS = 2**26


def together_num(n: int, k: int) -> float:
    """The chance that two of n elements share a cluster, all partitions into k clusters being as likely.

    >>> round(together_num(4, 2), 12)  # S(3, 2)/S(4, 2)
    0.428571428571
    """
    if k in (1, n):
        return float(k == 1)
    x = tilt_num(n, k)
    before, here = _near(_log_num(x), k, n, _sd_num(x, n / k, k))
    return x / n * before / here


def together_all(n: int) -> float:
    """The chance that two of n elements share a cluster, all partitions being as likely.

    >>> round(together_all(4), 12)  # B(3)/B(4)
    0.333333333333
    """
    if n < 2:
        return 1.0
    x = _tilt_all(n)
    before, here = _near(_log_all(x), 1, n, _sd_all(x))
    return x / n * before / here


def sizes_num(n: int, k: int) -> Weighted:
    """How many clusters of each size to expect, all partitions into k clusters being as likely."""
    if k in (1, n):
        return ((n // k, float(k)),)
    x = tilt_num(n, k)
    others = _law(_log_num(x), k - 1, (k - 1) * n / k, _sd_num(x, n / k, k - 1))
    return _expected(x, n, others)


def sizes_all(n: int) -> Weighted:
    """How many clusters of each size to expect, all partitions being as likely."""
    x = _tilt_all(n)
    return _expected(x, n, _law(_log_all(x), 1, n, _sd_all(x)))


def _check_room(terms: int) -> None:
    if terms > _MOST_TERMS:
        raise TooLargeError(
            f"this random model of so many elements is a sum of {terms:,} terms, and no more than "
            f"{_MOST_TERMS:,} are summed; use adjusted_rand or adjusted_mutual_information, which need none"
        )


def _expected(x: float, n: int, others: Callable[[NDArray[np.int64]], Floats]) -> Weighted:
    """xˢ/s! times the chance that the others hold the rest; scaled so that all add up to n elements."""
    reach = int(x + 14 * math.sqrt(x) + 60)
    _check_room(min(n, reach))
    sizes = np.arange(1, min(n, reach) + 1)
    logarithms = sizes * math.log(x) - np.array([math.lgamma(s + 1) for s in sizes.tolist()])
    share = np.exp(logarithms - logarithms.max()) * np.maximum(others(n - sizes), 0)
    share *= n / float(sizes @ share)
    kept = share * sizes > _NEGLIGIBLE * n
    return tuple(zip(sizes[kept].tolist(), share[kept].tolist(), strict=True))


# -- the tilt ------------------------------------------------------------------------------------------


def tilt_num(n: int, k: int) -> float:
    """x with x/(1 − e⁻ˣ) = n/k: the mean of a Poisson law without zero."""
    r = n / k
    excess = (n - k) / k
    x = r if r > 3 else 2 * excess
    for _ in range(100):
        mean_less_one = x / -math.expm1(-x) - 1 if x > 1e-4 else x / 2 + x * x / 12
        slope = _slope(x)
        step = (mean_less_one - excess) / slope
        x = max(x - step, x / 4)
        if abs(step) <= 1e-16 * x:
            break
    return x


def _slope(x: float) -> float:
    if x < 1e-4:
        return 0.5 + x / 6
    rest = -math.expm1(-x)
    return (rest - x * math.exp(-x)) / rest**2


def _tilt_all(n: int) -> float:
    """x with x eˣ = n."""
    x = math.log1p(n)
    for _ in range(100):
        step = (x - n * math.exp(-x)) / (1 + x)
        x -= step
        if abs(step) <= 1e-16 * x:
            break
    return x


def _sd_num(x: float, r: float, k: int) -> float:
    return math.sqrt(max(k * r * (1 + x - r), 0.0))


def _sd_all(x: float) -> float:
    return math.sqrt(x * (x + 1) * math.exp(x))


# -- laws on the unit circle ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Summand:
    """What is added up: each is at least ``least``, and how the rest is spread its transform tells."""

    least: int
    logarithm: Callable[[Floats, Complex], Complex]  # of the transform of the rest, by angle and point w


def _log_num(x: float) -> _Summand:
    """A size: log((e^{xw} − 1)/(w(eˣ − 1))), by the series of log((eᶻ − 1)/z) where most sizes are 1."""
    if x < 0.1:
        return _Summand(1, lambda _, w: np.asarray(_series(x * w) - _series(np.array([x + 0j]))))
    whole = math.log(-math.expm1(-x))

    def logarithm(angle: Floats, w: Complex) -> Complex:
        right = (x * w).real > 0
        near, far = np.expm1(np.where(right, -x * w, -1)), np.expm1(np.where(right, 0, x * w))
        found: Any = np.log(np.where(right, -near, far)) - whole + np.where(right, x * (w - 1), -x)
        return np.asarray(found - 1j * angle)

    return _Summand(1, logarithm)


def _series(z: Complex) -> Complex:
    s = z * z
    return z / 2 + s * (1 / 24 - s * (1 / 2880 - s * (1 / 181440 - s / 9676800)))


def _log_all(x: float) -> _Summand:
    """All sizes at once: e^{xw} − eˣ."""
    return _Summand(0, lambda _, w: np.asarray(math.exp(x) * np.expm1(x * (w - 1))))


def _circle(summand: _Summand, times: int, centre: int, sd: float) -> tuple[Floats, Complex]:
    """Half the angles, and there the transform of the law about its centre; the other half is conjugate."""
    points = 2 * (int(_WIDTH * sd + _LEAST) // 2) + 1
    _check_room(points)
    angle = np.asarray(2 * np.pi / points * np.arange(1, points // 2 + 1), dtype=np.float64)
    exponent = times * summand.logarithm(angle, np.exp(1j * angle))
    return angle, np.asarray(np.exp(exponent - 1j * (centre - times * summand.least) * angle))


def _near(summand: _Summand, times: int, n: int, sd: float) -> tuple[float, float]:
    """The chances of n − 1 and of n."""
    angle, transform = _circle(summand, times, n, sd)
    before, here = (1 + 2 * float((transform * np.exp(1j * shift * angle)).real.sum()) for shift in (1, 0))
    return before, here


def _law(summand: _Summand, times: int, mean: float, sd: float) -> Callable[[NDArray[np.int64]], Floats]:
    """The chance of each sum near the mean, by one Fourier transform; of those far away, nothing."""
    centre = round(mean)
    angle, transform = _circle(summand, times, centre, sd)
    half: Any = np.concatenate([[1.0], transform])
    points = 2 * len(angle) + 1
    chances = np.fft.irfft(np.conj(half), n=points)

    def chance(sums: NDArray[np.int64]) -> Floats:
        away = sums - centre
        inside = np.abs(away) <= len(angle)
        return np.where(inside, chances[np.where(inside, away, 0) % points], 0.0)

    return chance
