"""Chance models that draw whole partitions: with the same number of clusters, or with any number."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import View
from concordant.counts.chance import expected_gain
from concordant.counts.information import ClusterSizes
from concordant.counts.profile import Profile
from concordant.errors import ParameterError, TooLargeError
from concordant.maths.arithmetic import Floats
from concordant.maths.hypergeometric import Weighted, in_fixed_order, weighted_sizes

# Text in the type of a parameter is its meaning in help().
Model = Annotated[
    Literal["num", "all"], "Random partitions with the same number of clusters, or all partitions."
]


RandomSides = Annotated[Literal["both", "one"], "Whether both sides are random, or only the candidate."]


# Expected shares below this are negligible compared with the rounding error of 1.
_NEGLIGIBLE = 1e-20


# n²·K words of Stirling numbers: some ten seconds' worth.
_MOST_WORDS = 10**10

# Up to this many words they are counted even if only a float is needed.
_FEW_WORDS = 10**6


def model_information(
    sizes: ClusterSizes, model: Model, sides: RandomSides, h_u: float
) -> tuple[float, float]:
    """E[MI] when partitions are drawn at random, and the mean of the most that either side can hold, in nats.

    That is log K for "num" and log n for "all"; a reference that is kept holds H(U) (Gates and Ahn).
    """
    n, k, l = sizes.size, sum(sizes.rows.values()), sum(sizes.columns.values())  # noqa: E741  (letters of the formula)
    of_u, of_v = (math.log(max(n if model == "all" else x, 1)) for x in (k, l))
    most = ((of_u if sides == "both" else h_u) + of_v) / 2
    if n < 2 or (model == "num" and k == l == n):
        return most, most
    first, second = weighted_sizes(sizes.rows), model_sizes(n, l, model)
    if sides == "both":
        first, second = in_fixed_order(model_sizes(n, k, model), second)
    return expected_gain(first, second, n) / n, most


@dataclass(slots=True, eq=False)
class PairModels(View):
    """Expected pair counts when partitions are drawn at random, from the numbers of clusters alone."""

    has_exact_form: ClassVar[bool] = True
    shares: ClassVar[Literal["cluster sizes"]] = "cluster sizes"

    size: int
    rows: int
    columns: int
    exact: bool  # numbers of partitions are counted; else only where that is cheap

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        return cls(profile.size, profile.rows, profile.columns, exact)

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        return cls.of(profile, exact=False)  # of the sizes alone

    def expected_rand(self, model: Model, sides: RandomSides, kept: Fraction) -> Fraction:
        """E[Rand]; ``kept`` is the share of pairs together in a reference that is kept."""
        of_u = self.together(self.rows, model) if sides == "both" else kept
        of_v = self.together(self.columns, model)
        return of_u * of_v + (1 - of_u) * (1 - of_v)

    def together(self, clusters: int, model: Model) -> Fraction:
        """The probability that two elements share a cluster of a partition into this many clusters."""
        if self.exact or _is_cheap(self.size, clusters, model):
            return _model_together(self.size, clusters, model)
        tilted = together_all(self.size) if model == "all" else together_num(self.size, clusters)
        return Fraction(tilted)


def _is_cheap(n: int, k: int, model: Model) -> bool:
    """Whether counting the numbers of partitions takes a negligible time."""
    return n * n * (n // 2 if model == "all" else k) <= _FEW_WORDS


@lru_cache(maxsize=64)
def model_sizes(n: int, k: int, model: Model) -> Weighted:
    """Expected number of clusters of each size, if all partitions (into k clusters) are equally likely."""
    if not _is_cheap(n, k, model):
        return sizes_all(n) if model == "all" else sizes_num(n, k)
    if model == "all":
        ways = _bell_numbers(n)
    else:  # S(m, k−1) for m < n, and S(n, k) at the end: what is left once one cluster is taken out
        ways = [*_stirling_column(n, k - 1)[:n], _stirling_column(n, k)[n]]
    choose, sizes = 1, []
    for size in range(1, n + 1):
        choose = choose * (n - size + 1) // size
        expected = choose * ways[n - size] / ways[n]
        if expected * size > _NEGLIGIBLE * n:
            sizes.append((size, expected))
    return tuple(sizes)


@lru_cache(maxsize=64)
def _model_together(n: int, k: int, model: Model) -> Fraction:
    """The chance that two elements share a cluster: B(n−1)/B(n), or S(n−1,k)/S(n,k)."""
    if model == "all":
        bell = _bell_numbers(n)
        return Fraction(bell[n - 1], bell[n])
    into_k = _stirling_column(n, k)
    return Fraction(into_k[n - 1], into_k[n])


@lru_cache(maxsize=4)
def _stirling_column(n: int, k: int) -> list[int]:
    """S(m, k) for m = 0..n: partitions of m elements into k clusters."""
    _afford_words(n * n * k, f"partitions of {n} records into {k} clusters")
    column = [1] + [0] * n
    for clusters in range(1, k + 1):
        longer = [0]
        for fewer in column[:-1]:
            longer.append(clusters * longer[-1] + fewer)
        column = longer
    return column


@lru_cache(maxsize=4)
def _bell_numbers(n: int) -> list[int]:
    """B(m) for m = 0..n: partitions of m elements."""
    _afford_words(n * n * n // 2, f"partitions of {n} records")
    bell, row = [1], [1]
    for _ in range(n):
        longer = [row[-1]]
        for above in row:
            longer.append(longer[-1] + above)
        row = longer
        bell.append(row[0])
    return bell


def _afford_words(words: int, what: str) -> None:
    if words > _MOST_WORDS:
        raise ParameterError(
            f"counting the {what} would take more than {_MOST_WORDS:.0e} steps; use the float, which has "
            "fifteen digits"
        )


Complex = NDArray[np.complex128]

# This many standard deviations on either side matter, and a few numbers more if the distribution is narrow.
_WIDTH, _LEAST = 20, 60
# More terms than this would take minutes and gigabytes.
_MOST_TERMS = 2**26


@lru_cache(maxsize=64)
def together_num(n: int, k: int) -> float:
    """The probability that two of n elements share a cluster if all partitions into k are equally likely.

    >>> round(together_num(4, 2), 12)  # S(3, 2)/S(4, 2)
    0.428571428571
    """
    if k in (1, n):
        return float(k == 1)
    x = tilt_num(n, k)
    before, here = _near(_log_num(x), k, n, _sd_num(x, n / k, k))
    return x / n * before / here


@lru_cache(maxsize=64)
def together_all(n: int) -> float:
    """The probability that two of n elements share a cluster if all partitions are equally likely.

    >>> round(together_all(4), 12)  # B(3)/B(4)
    0.333333333333
    """
    if n < 2:
        return 1.0
    x = _tilt_all(n)
    before, here = _near(_log_all(x), 1, n, _sd_all(x))
    return x / n * before / here


def sizes_num(n: int, k: int) -> Weighted:
    """Expected number of clusters of each size, if all partitions into k clusters are equally likely."""
    if k in (1, n):
        return ((n // k, float(k)),)
    x = tilt_num(n, k)
    others = _law(_log_num(x), k - 1, (k - 1) * n / k, _sd_num(x, n / k, k - 1))
    return _expected(x, n, others)


def sizes_all(n: int) -> Weighted:
    """Expected number of clusters of each size, if all partitions are equally likely."""
    x = _tilt_all(n)
    return _expected(x, n, _law(_log_all(x), 1, n, _sd_all(x)))


def _check_room(terms: int) -> None:
    if terms > _MOST_TERMS:
        raise TooLargeError(
            f"for this many records, the random model is a sum of {terms:,} terms, more than "
            f"{_MOST_TERMS:,}; use adjusted_rand or adjusted_mutual_information, which need none"
        )


def _expected(x: float, n: int, others: Callable[[NDArray[np.int64]], Floats]) -> Weighted:
    """xˢ/s! times the probability that the others hold the rest; scaled to add up to n elements."""
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
    """x with x/(1 − e⁻ˣ) = n/k: the mean of a Poisson distribution without zero."""
    r = n / k
    excess = (n - k) / k
    x = r if r > 3 else 2 * excess
    for _ in range(100):
        rest = -math.expm1(-x)
        mean_less_one = x / rest - 1 if x > 1e-4 else x / 2 + x * x / 12
        slope = 0.5 + x / 6 if x < 1e-4 else (rest - x * math.exp(-x)) / rest**2
        step = (mean_less_one - excess) / slope
        x = max(x - step, x / 4)
        if abs(step) <= 1e-16 * x:
            break
    return x


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


# -- transforms on the unit circle ------------------------------------------------------------------


# The minimum of each term of the sum, and the logarithm of the transform of the rest, by angle and point w.
_Summand = tuple[int, Callable[[Floats, Complex], Complex]]


def _log_num(x: float) -> _Summand:
    """A size: log((e^{xw} − 1)/(w(eˣ − 1))), by the series of log((eᶻ − 1)/z) where most sizes are 1."""
    if x < 0.1:
        return 1, lambda _, w: np.asarray(_series(x * w) - _series(np.array([x + 0j])))
    whole = math.log(-math.expm1(-x))

    def logarithm(angle: Floats, w: Complex) -> Complex:
        right = (x * w).real > 0
        near, far = np.expm1(np.where(right, -x * w, -1)), np.expm1(np.where(right, 0, x * w))
        found: Any = np.log(np.where(right, -near, far)) - whole + np.where(right, x * (w - 1), -x)
        return np.asarray(found - 1j * angle)

    return 1, logarithm


def _series(z: Complex) -> Complex:
    s = z * z
    return z / 2 + s * (1 / 24 - s * (1 / 2880 - s * (1 / 181440 - s / 9676800)))


def _log_all(x: float) -> _Summand:
    """All sizes together: e^{xw} − eˣ."""
    return 0, lambda _, w: np.asarray(math.exp(x) * np.expm1(x * (w - 1)))


def _circle(summand: _Summand, times: int, centre: int, sd: float) -> tuple[Floats, Complex]:
    """Half the angles, and the transform of the centred distribution there; the other half is conjugate."""
    points = 2 * (int(_WIDTH * sd + _LEAST) // 2) + 1
    _check_room(points)
    angle = np.asarray(2 * np.pi / points * np.arange(1, points // 2 + 1), dtype=np.float64)
    least, logarithm = summand
    exponent = times * logarithm(angle, np.exp(1j * angle))
    return angle, np.asarray(np.exp(exponent - 1j * (centre - times * least) * angle))


def _near(summand: _Summand, times: int, n: int, sd: float) -> tuple[float, float]:
    """The chances of n − 1 and of n."""
    angle, transform = _circle(summand, times, n, sd)
    before, here = (1 + 2 * float((transform * np.exp(1j * shift * angle)).real.sum()) for shift in (1, 0))
    return before, here


def _law(summand: _Summand, times: int, mean: float, sd: float) -> Callable[[NDArray[np.int64]], Floats]:
    """The probability of each sum near the mean, by one Fourier transform; 0 for those far away."""
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
