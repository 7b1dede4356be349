"""Estimates for all pairs from answers to questions about some pairs: values with intervals.

Rates have the limits of Clopper and Pearson. Other values are functions of several rates. Their limits are
those of Zou and Donner: each rate moves to its own limits, and the moves add up as squares. If gold questions
show how often judges err, shares of their answers are corrected as by Rogan and Gladen, and sensitivity and
specificity are two more rates. Answers that were known are not corrected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from concordant.maths.tails import clopper_pearson

_LEAST_GOLD = 10  # gold questions of each answer
_LEAST_POWER = 0.1  # sensitivity + specificity − 1
_FEWEST = 0.02  # of the power, at the limits of both rates
_NONE = 1e-12  # a share that counts as none


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """The share of the pairs of a stratum that are the same entity, as judges see it."""

    total: float  # the sum of the coefficients of the stratum
    value: float
    low: float  # with every unsure answer taken as no
    high: float  # with every unsure answer taken as yes
    draws: int  # 0 if all pairs were asked
    known_share: float = 0.0  # of these pairs, whose answers were known and are certain
    known_value: float = 0.0  # the share of the same entity among them

    def asked(self, confidence: float) -> Limits:
        """The share of yes among the pairs that judges were asked about, with its limits."""
        asked = 1 - self.known_share
        if asked <= _NONE:
            return 0.0, 0.0, 0.0
        rest = self.known_share * self.known_value
        value, low, high = (min(max((x - rest) / asked, 0.0), 1.0) for x in (self.value, self.low, self.high))
        return _share_limits((value, low, high), self.draws * asked, confidence)


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


def _share_limits(share: Limits, draws: float, confidence: float) -> Limits:
    """A share with the limits of Clopper and Pearson, of the answers at their lowest and at their highest."""
    value, low, high = share
    if draws <= _NONE:
        return share
    lower, upper = (clopper_pearson(round(x * draws, 9), round(draws, 9), confidence) for x in (low, high))
    return value, lower[0], upper[1]


def mover(function: Callable[[Sequence[float]], float], shares: Sequence[Limits]) -> Limits:
    """A function of independent shares: each moves to its own limits, and the moves add up as squares.

    >>> [round(end, 4) for end in mover(sum, [(0.5, 0.4, 0.6), (0.2, 0.1, 0.4)])]
    [0.7, 0.5586, 0.9236]
    """
    values = [value for value, _, _ in shares]
    base, falls, rises = function(values), [0.0], [0.0]
    for place, (_, low, high) in enumerate(shares):
        moves = [function([*values[:place], end, *values[place + 1 :]]) - base for end in (low, high)]
        falls.append(min(0.0, *moves))
        rises.append(max(0.0, *moves))
    return base, base - math.hypot(*falls), base + math.hypot(*rises)


def rate_limits(
    shares: Sequence[JudgedShare], confidence: float, errors: JudgeErrors | None = None
) -> Limits:
    """The total times the share, with its limits; or the sum over the strata of several slices."""
    found = sum_limits(shares, [1] * len(shares), 0.0, confidence, errors)
    total = math.fsum(each.total for each in shares)
    return tuple(min(max(each, 0.0), total) for each in found)  # type: ignore[return-value]


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

    value, low, high = _of_shares(added, shares, confidence, errors)
    if errors is None:
        return value, low, high
    least, most = (
        constant + math.fsum(f(sign * each.total, 0) for sign, each in zip(signs, shares, strict=True))
        for f in (min, max)
    )
    return value, max(low, least), min(high, most)


def _of_shares(
    function: Callable[[Sequence[float]], float],
    shares: Sequence[JudgedShare],
    confidence: float,
    errors: JudgeErrors | None,
) -> Limits:
    """A function of the true shares, from the answers and what is known of the judges' errors."""
    if errors is None:
        return mover(function, [_share_limits((x.value, x.low, x.high), x.draws, confidence) for x in shares])

    def true_shares(values: Sequence[float], *, bounded: bool) -> list[float]:
        *seen, right, wrong = values
        power, found = max(right + wrong - 1, _FEWEST), []
        for asked, known_value, known in zip(seen[::3], seen[1::3], seen[2::3], strict=True):
            true = (asked + wrong - 1) / power
            true = min(max(true, 0.0), 1.0) if bounded else true
            found.append(known * known_value + (1 - known) * true)
        return found

    limits: list[Limits] = []
    for each in shares:
        known = (each.known_share,) * 3
        of_known = (each.known_value,) * 3
        limits += [
            each.asked(confidence),
            _share_limits(of_known, each.draws * each.known_share, confidence),
            _share_limits(known, each.draws if 0 < each.known_share < 1 else 0, confidence),
        ]
    for right, number in ((errors.same_right, errors.same), (errors.different_right, errors.different)):
        limits.append(_share_limits((right / number,) * 3, number, confidence))
    _, low, high = mover(lambda values: function(true_shares(values, bounded=False)), limits)
    value = function(true_shares([each[0] for each in limits], bounded=True))
    return value, min(low, value), max(high, value)


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
