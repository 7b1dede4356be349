"""Estimates for all pairs from answers to questions about some pairs: values with intervals.

Rates have the limits of Clopper and Pearson. The change of precision is a sum of rates with signs; its limits
are those of Zou and Donner, with Wilson's limits for each rate. If gold questions show how often judges err,
shares of answers are corrected as by Rogan and Gladen, and all limits are those of the delta method, which
includes the uncertainty about the errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from concordant.trust.tails import clopper_pearson, normal_quantile, student_quantile

_LEAST_GOLD = 10  # gold questions of each answer
_LEAST_POWER = 0.1  # sensitivity + specificity − 1
_STEP = 1e-6  # of derivatives


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """The share of the pairs of a stratum that are the same entity, as judges see it."""

    total: float  # the sum of the coefficients of the stratum
    value: float
    low: float  # with every unsure answer taken as no
    high: float  # with every unsure answer taken as yes
    draws: int  # 0 if all pairs were asked


@dataclass(frozen=True, slots=True)
class JudgeErrors:
    """How judges answered questions with known answers."""

    same: int  # questions whose answer is yes
    same_right: float
    different: int
    different_right: float

    @property
    def sensitivity(self) -> float:
        return self.same_right / self.same if self.same else math.nan

    @property
    def specificity(self) -> float:
        return self.different_right / self.different if self.different else math.nan

    @property
    def can_correct(self) -> bool:
        """Whether there are enough of both, and judges distinguish them."""
        enough = min(self.same, self.different) >= _LEAST_GOLD
        return enough and self.sensitivity + self.specificity - 1 > _LEAST_POWER


Limits = tuple[float, float, float]  # value, low, high


def wilson(share: float, draws: int, confidence: float) -> tuple[float, float]:
    """Both ends for a share of independent draws.

    >>> [round(end, 4) for end in wilson(0.0, 25, 0.95)]
    [0.0, 0.1332]
    """
    z = normal_quantile(confidence) ** 2
    centre, half = share + z / (2 * draws), math.sqrt(z * (share * (1 - share) + z / (4 * draws)) / draws)
    scale = 1 + z / draws
    low, high = (centre - half) / scale, (centre + half) / scale
    return (0.0 if share <= 0 else max(low, 0.0)), (1.0 if share >= 1 else min(high, 1.0))


def rate_limits(
    shares: Sequence[JudgedShare], confidence: float, errors: JudgeErrors | None = None
) -> Limits:
    """The total times the share, with its limits; or the sum over the strata of several slices."""
    if errors is not None or len(shares) > 1:
        found = sum_limits(shares, [1] * len(shares), 0.0, confidence, errors)
        total = math.fsum(each.total for each in shares)
        return tuple(min(max(each, 0.0), total) for each in found)  # type: ignore[return-value]
    (share,) = shares
    low, high = share.low, share.high
    if share.draws:
        low = clopper_pearson(low * share.draws, share.draws, confidence)[0]
        high = clopper_pearson(high * share.draws, share.draws, confidence)[1]
    return share.total * share.value, share.total * low, share.total * high


def sum_limits(
    shares: Sequence[JudgedShare],
    signs: Sequence[int],
    constant: float,
    confidence: float,
    errors: JudgeErrors | None = None,
) -> Limits:
    """A constant and the totals times the shares, each with its sign."""

    def added(values: Sequence[float]) -> float:
        terms = (sign * each.total * x for sign, each, x in zip(signs, shares, values, strict=True))
        return constant + math.fsum(terms)

    if errors is not None:
        return _corrected(shares, added, confidence, errors)
    value = added([each.value for each in shares])
    below, above = [], []
    for sign, each in zip(signs, shares, strict=True):
        lower, upper = each.low, each.high
        if each.draws:
            lower, upper = wilson(lower, each.draws, confidence)[0], wilson(upper, each.draws, confidence)[1]
        down, up = each.total * (each.value - lower), each.total * (upper - each.value)
        below.append(down if sign > 0 else up)
        above.append(up if sign > 0 else down)
    return value, value - math.hypot(*below), value + math.hypot(*above)


def ratio_limits(
    kept: Sequence[JudgedShare],
    split: Sequence[JudgedShare],
    merged: Sequence[JudgedShare],
    confidence: float,
    errors: JudgeErrors | None = None,
) -> Limits:
    """True pairs after the change over those before; on the scale of its logarithm.

    Each kind of pairs may have a stratum for every slice.
    """
    shares = [*kept, *split, *merged]
    signs = [*([0] * len(kept)), *([-1] * len(split)), *([1] * len(merged))]

    def ends(values: Sequence[float]) -> tuple[float, float]:
        """The true pairs after and before."""
        pairs = [each.total * x for each, x in zip(shares, values, strict=True)]
        after, before = (
            math.fsum(x for x, sign in zip(pairs, signs, strict=True) if sign != without)
            for without in (-1, 1)
        )
        return after, before

    if errors is not None:
        found = _corrected(shares, lambda p: math.log(ends(p)[0] / ends(p)[1]), confidence, errors)
    else:
        worst = [(each.value, each.high, each.low)[sign] for each, sign in zip(shares, signs, strict=True)]
        best = [(each.value, each.low, each.high)[sign] for each, sign in zip(shares, signs, strict=True)]
        points = [each.value for each in shares], worst, best
        limits = [_ratio_at(shares, signs, values, ends, confidence) for values in points]
        found = limits[0][0], min(each[1] for each in limits), max(each[2] for each in limits)
    value, low, high = (math.exp(each) for each in found)
    return value, low, high


def _ratio_at(
    shares: Sequence[JudgedShare],
    signs: Sequence[int],
    values: Sequence[float],
    ends: Callable[[Sequence[float]], tuple[float, float]],
    confidence: float,
) -> Limits:
    """The logarithm of the ratio at these shares, by the delta method with shares (x + 1)/(m + 2)."""
    smooth = [
        (x * each.draws + 1) / (each.draws + 2) if each.draws else x
        for each, x in zip(shares, values, strict=True)
    ]
    after, before = ends(smooth)
    exact = ends(values)
    above, below = exact if min(exact) > 0 else (after, before)
    if not above or not below:
        return (math.inf if above else -math.inf), -math.inf, math.inf
    slopes = (1 / after - 1 / before, 1 / after, -1 / before)  # of kept, merged and split pairs
    variance = math.fsum(
        (slopes[sign] * each.total) ** 2 * x * (1 - x) / each.draws
        for sign, each, x in zip(signs, shares, smooth, strict=True)
        if each.draws
    )
    value, half = math.log(above / below), normal_quantile(confidence) * math.sqrt(variance)
    return value, value - half, value + half


def _corrected(
    shares: Sequence[JudgedShare],
    function: Callable[[Sequence[float]], float],
    confidence: float,
    errors: JudgeErrors,
) -> Limits:
    """A function of the true shares, from the answers and what is known of the judges' errors."""

    def at(answers: Sequence[float]) -> float:
        *seen, right, wrong = answers
        true = [min(max((x + wrong - 1) / (right + wrong - 1), 0.0), 1.0) for x in seen]
        return function(true)

    def free(answers: Sequence[float]) -> float:  # without the bounds, where a derivative would be 0
        *seen, right, wrong = answers
        return function([(x + wrong - 1) / (right + wrong - 1) for x in seen])

    gold = [errors.sensitivity, errors.specificity]
    ends = []
    for values in ([x.value for x in shares], [x.low for x in shares], [x.high for x in shares]):
        point = [*values, *gold]
        numbers = [*(each.draws for each in shares), errors.same, errors.different]
        smooth = [(x * m + 2) / (m + 4) if m else x for x, m in zip(point, numbers, strict=True)]
        variance = 0.0
        for place, (x, m) in enumerate(zip(smooth, numbers, strict=True)):
            if m:
                upper, lower = list(smooth), list(smooth)
                upper[place] += _STEP
                lower[place] -= _STEP
                slope = (free(upper) - free(lower)) / (2 * _STEP)
                variance += slope * slope * x * (1 - x) / m
        half = normal_quantile(confidence) * math.sqrt(variance)
        ends.append((at(point), at(point) - half, at(point) + half))
    return ends[0][0], min(each[1] for each in ends), max(each[2] for each in ends)


def mean_limits(values: Sequence[float], confidence: float, bounds: tuple[float, float] | None) -> Limits:
    """The mean of independent values by Student's t; with both bounds added to the values, if there are any.

    Values that are nearly all at a bound have a variance that is too small; the bounds widen it.
    """
    mean = float(np.mean(values))
    widened = [*values, *(bounds or ())]
    if len(widened) < 2:
        return mean, -math.inf, math.inf
    se = float(np.std(widened, ddof=1)) / math.sqrt(len(widened))
    half = student_quantile(confidence, len(widened) - 1) * se
    centre = float(np.mean(widened))
    low, high = centre - half, centre + half
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return mean, min(low, mean), max(high, mean)


def krippendorff_alpha(answers: Sequence[Mapping[str, int]]) -> float | None:
    """Agreement of judges beyond chance on yes and no: 1 if all agree; None if no two judged one question.

    >>> round(krippendorff_alpha([{"a": 1, "b": 1}, {"a": 0, "b": 0}, {"a": 1, "b": 0}]), 4)
    0.4444
    """
    rated = [list(each.values()) for each in answers if len(each) > 1]
    if not rated:
        return None
    size = sum(map(len, rated))
    observed = sum(2 * sum(each) * (len(each) - sum(each)) / (len(each) - 1) for each in rated) / size
    yes = sum(map(sum, rated))
    expected = 2 * yes * (size - yes) / (size * (size - 1))
    return 1.0 if not expected else 1 - observed / expected
