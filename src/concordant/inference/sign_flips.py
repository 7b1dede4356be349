"""Two systems on the same units: an interval and a p-value from flips of the units' signs.

Each unit has a share in the difference of both systems. If the true difference is delta, the deviation of a
unit is as likely to have one sign as the other. The interval holds every delta whose sum of deviations is not
among the largest over all choices of signs. The p-value is the smallest level at which it excludes 0, so both
agree.

A sample in which few units decide cannot show rare units that differ more. Both are widened for these, the
more the fewer effective units there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from concordant.maths.arithmetic import Floats

FEWEST_UNITS = 6
# From so many effective units on, nothing is added for unseen ones.
ENOUGH_UNITS = 12
FEW_DECIDE = "few units decide: widened for unseen differences"
# Up to this many choices of signs, all are made.
_MOST_LISTED = 20_000
_NUMBERS = 2**22  # random signs in memory at a time
_ROUNDING = 1e-12
_EQUAL = 1e-14  # a share of a difference that is 0 except for rounding
Ratio = tuple[Floats, Floats]  # the terms of each unit in the numerator and in the denominator


@dataclass(frozen=True, slots=True, eq=False)
class UnitShares:
    """The share of each unit in a difference of two systems.

    Attributes
    ----------
    differences : array of float
        They sum to the difference; 0 for a unit that is equal in both systems.
    weights : array of float
        The share of each unit in the denominators of both systems.
    difference : float
        The difference of both systems.
    open : array of float
        The share of the variance of each unit that is left to chance: 1, or less in a finite population.
    bias : float
        What the difference may be off in either direction, however many units there are.
    unseen : float
        The denominators of units that are larger than any of these, as a share of those of the sample.
    notes : tuple of str
        Remarks.
    """

    differences: Floats
    weights: Floats
    difference: float
    open: Floats
    bias: float = 0.0
    unseen: float = 0.0
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, differences: Floats, weights: Floats, difference: float, open_: Floats | None = None
    ) -> UnitShares:
        """Without units that count nothing and without rounding errors."""
        counts = weights > 0
        own, weights = differences[counts], weights[counts] / math.fsum(weights.tolist())
        own = np.where(np.abs(own) < _EQUAL, 0.0, own)
        # The rest, of higher order, is shared by the units that differ, so the sum is exact.
        total = math.fsum(np.abs(own).tolist())
        if total:
            own += (difference - math.fsum(own.tolist())) * np.abs(own) / total
        return cls(own, weights, difference, np.ones(len(own)) if open_ is None else open_[counts])

    @property
    def differing(self) -> int:
        """Number of units in which the systems differ."""
        return int(np.count_nonzero(self.differences))

    def refusal(self, name: str = "unit") -> str:
        """Why these units do not determine how units differ, by their name; empty if they do."""
        if len(self.weights) < FEWEST_UNITS:
            return f"fewer than {FEWEST_UNITS} {name}s"
        largest = float(np.abs(self.differences - self.difference * self.weights).max())
        if self.differing and largest <= 1e-9 * abs(self.difference):
            return f"all {name}s differ equally: no variation to learn from"
        return ""


def ratio_moves(first: Ratio, second: Ratio) -> Floats:
    """The share of each unit in the difference of two ratios of sums; 0 for a unit that is equal in both.

    >>> x, y = np.array([2.0, 3.0, 1.0]), np.array([4.0, 4.0, 2.0])
    >>> [round(move, 4) for move in ratio_moves((x, y), (x - [1, 0, 0], y)).tolist()]
    [0.1, 0.0, 0.0]
    """
    (x, y), (other_x, other_y) = first, second
    mean = float(x.sum() / y.sum() + other_x.sum() / other_y.sum()) / 2
    return np.asarray(((x - other_x) - mean * (y - other_y)) / ((y.sum() + other_y.sum()) / 2))


class Flips:
    """How far the difference of two systems may be off, from flips of the signs of units.

    >>> own = np.array([0.02, 0.01, 0.015, 0.0, 0.02, 0.01, 0.005])
    >>> flips = Flips(UnitShares.of(own, np.ones(7), 0.08), 1.0, 9999, 0)
    >>> flips.p, flips.made, [round(end, 4) for end in flips.ends(0.95)]
    (0.03125, 128, [0.0263, 0.1487])
    """

    def __init__(self, shares: UnitShares, span: float, n_resamples: int, seed: int) -> None:
        self.shares, self.span, self._seed = shares, span, seed
        units = len(shares.weights)
        self.is_exact = 2**units <= _MOST_LISTED
        self.made = 2**units if self.is_exact else n_resamples + 1
        self.estimate = shares.difference
        deviations = np.sqrt(shares.open) * (shares.differences - shares.difference * shares.weights)
        squares = float(deviations @ deviations)
        self.se = math.sqrt(units / (units - 1) * squares)
        held = float(shares.weights[shares.differences != 0].sum())
        typical = span
        self.n_effective = 0.0  # units that decide
        if held:
            typical = min(float(np.abs(deviations).sum()) / 2 / held, 2 * span)
            fourths = float(np.sum(deviations**4))
            self.n_effective = squares**2 / fourths if fourths else 0.0
        # A unit that is drawn by its size has Σ weights² of the denominator.
        unseen = typical * float(shares.weights @ shares.weights)
        self._doubt = unseen * max(1 - self.n_effective / ENOUGH_UNITS, 0.0)

    @property
    def adjusted_se(self) -> float:
        """The standard error with the effect of an unseen unit."""
        return math.hypot(self.se, self._doubt)

    @property
    def note(self) -> str:
        """Remarks, and whether both ends at 95% are wider by more than a hundredth for unseen differences."""
        low, high = self.ends(0.95)
        is_widened = math.log(2 / 0.05) * self._doubt > max(self.estimate - low, high - self.estimate) / 100
        return "; ".join([*self.shares.notes, *([FEW_DECIDE] if is_widened else [])])

    def ends(self, confidence: float) -> tuple[float, float]:
        """Both ends of the interval."""
        alpha = 1 - confidence
        last = min(math.floor(alpha * self.made + 1e-9), self.made - 1)
        wide = math.log(2 / alpha) * self._doubt + self.shares.bias + _ROUNDING
        below, above = self._reaches
        low, high = self.estimate - below[last] - wide, self.estimate + above[last] + wide
        # Unseen units may differ by the whole span, in either direction.
        unseen, scale = self.shares.unseen * self.span, 1 + self.shares.unseen
        return float((low - unseen) / scale), float((high + unseen) / scale)

    @property
    def p(self) -> float:
        """The two-sided p-value of no difference: the smallest level whose interval excludes 0."""
        return self._p_of(0.0)

    def p_above(self, limit: float) -> float:
        """The one-sided p-value of a difference of at most ``limit``: small if the difference is larger."""
        half = self._p_of(limit) / 2
        return half if self.estimate > limit else 1 - half

    def p_below(self, limit: float) -> float:
        """The one-sided p-value of a difference of at least ``limit``: small if the difference is smaller."""
        half = self._p_of(limit) / 2
        return half if self.estimate < limit else 1 - half

    def _p_of(self, difference: float) -> float:
        distance = self.estimate - difference
        reach = self._reaches[0] if distance > 0 else self._reaches[1]
        unseen = self.shares.unseen * (self.span + math.copysign(1, distance) * difference)
        slack = abs(distance) - reach - self.shares.bias - unseen - _ROUNDING
        steps = np.arange(self.made)
        level = np.zeros(self.made)
        if self._doubt > 0:
            level = 2 * np.exp(-np.maximum(slack, 0.0) / self._doubt)
        level = np.maximum(np.where(slack > 0, level, np.inf), steps / self.made)
        found = level[level < (steps + 1) / self.made]
        return float(min(max(found.min(initial=1.0), 1 / self.made), 1.0))

    @cached_property
    def _reaches(self) -> tuple[Floats, Floats]:
        """How far below and above the difference each choice of signs accepts, largest first."""
        own, left = self.shares, np.sqrt(self.shares.open)
        columns = [left * (own.differences - own.difference * own.weights), left * own.weights]
        sums = np.concatenate([signs @ np.stack(columns, axis=1) for signs in self._signs()])
        moved, down, up = sums[:, 0], 1 - sums[:, 1], 1 + sums[:, 1]
        down, up = np.where(down > _ROUNDING, down, 0.0), np.where(up > _ROUNDING, up, 0.0)
        # The signs as they are accept any difference, so p is never below their share.
        down[0] = 0.0
        if self.is_exact:  # the last are all reversed
            up[-1] = 0.0
        reaches = []
        for sign in (1, -1):
            reach = np.full(len(moved), np.inf)
            chosen = (down > 0) & (up > 0)
            of_sign = sign * moved[chosen]
            reach[chosen] = np.maximum(of_sign / down[chosen], -of_sign / up[chosen])
            reaches.append(np.sort(reach)[::-1])
        return reaches[0], reaches[1]

    def _signs(self) -> Iterator[Floats]:
        """Every choice of signs, or the signs as they are and random ones, in chunks of rows."""
        units, places = len(self.shares.weights), np.arange(len(self.shares.weights))
        rows = max(_NUMBERS // units, 1)
        if self.is_exact:
            for start in range(0, self.made, rows):
                choices = np.arange(start, min(start + rows, self.made))[:, None] >> places & 1
                yield np.where(choices, -1.0, 1.0)
            return
        yield np.ones((1, units))
        random = np.random.default_rng(self._seed)
        for start in range(1, self.made, rows):
            number = min(rows, self.made - start)
            bits = np.frombuffer(random.bytes(-(-number * units // 8)), dtype=np.uint8)
            drawn = np.unpackbits(bits)[: number * units].reshape(number, units)
            yield np.where(drawn, -1.0, 1.0)
