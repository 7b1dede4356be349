"""Vectors of nearly equal counts under a large α of the Dirichlet-multinomial law, without small differences.

Against telling each element as one of k that are equally likely, a vector of k counts that add up to X saves

    Σ (x+α) log((x+α)/ȳ) − ½ Σ log(1 + x/α) + ½ log(1 + X/A) + Σ (s(x+α) − s(α)) − s(X+A) + s(A)

nats, A = kα, ȳ = (X+A)/k, s the rest of Stirling's formula. Each x lies Δ from the mean μ = X/k; the Δ add up
to nothing, so that the first sum is one of small terms that are never negative.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from concordant.counts.arithmetic import Floats
from concordant.counts.hypergeometric import bregman
from concordant.views.table_counts import factorial_remainder

_STEP = 1.0  # of log α
_REACH = 30.0
_GOLDEN = (math.sqrt(5) - 1) / 2
_SECTIONS = 50
_NEAR = 1 / 8  # deviations, as a share of the mean, for which the series is used
_TERMS = 20
FEW_NATS = 100.0  # up to here savings are more exact than costs
_SHIFT = 16  # from which number on Stirling's series is exact


@dataclass(frozen=True, slots=True)
class Least:
    """The least cost of the counts, and what it saves of the cost of elements that are all equally likely."""

    cost: float
    saved: float


@dataclass(frozen=True, slots=True)
class EvenCounts:
    """Vectors of k counts: every entry with the sum that it stands in, and how many there are of each."""

    k: int
    part: Floats
    mean: Floats
    deviation: Floats
    many: Floats
    whole: Floats
    vectors: Floats
    rest: float  # Σ h(x) − Σ h(X), h the part of log x! that is not x log x − x

    @classmethod
    def of(cls, parts: Mapping[tuple[int, int], int], wholes: Mapping[int, int], k: int) -> Self:
        """From (count, what its vector adds up to) of the entries that are not empty, and these sums."""
        entries = dict(parts)
        filled: dict[int, int] = {}
        for (_, whole), many in parts.items():
            filled[whole] = filled.get(whole, 0) + many
        for whole, vectors in wholes.items():
            entries[0, whole] = k * vectors - filled.get(whole, 0)
        rest: dict[int, int] = {}
        for (part, _), many in parts.items():
            rest[part] = rest.get(part, 0) + many
        return cls(
            k,
            np.array([float(x) for x, _ in entries]),
            np.array([whole / k for _, whole in entries]),
            np.array([(k * x - whole) / k for x, whole in entries]),
            np.array([float(many) for many in entries.values()]),
            np.array([float(whole) for whole in wholes]),
            np.array([float(vectors) for vectors in wholes.values()]),
            factorial_remainder(rest) - factorial_remainder(wholes),
        )

    def least(self) -> Least | None:
        """At the best α above 1; None where a smaller one may be better."""
        reach = _REACH + 2 * math.log(float(self.whole.sum()) + 1)
        grid = [_STEP * x for x in range(int(reach / _STEP))]
        best = min(grid, key=self._cost)
        if best == grid[0]:
            return None
        exactly = self._cost if self._saved(best) > FEW_NATS else self._lost
        log_alpha = lowest(exactly, best - _STEP, best + _STEP)
        return Least(self._cost(log_alpha), max(self._saved(log_alpha), 0.0))

    def _lost(self, log_alpha: float) -> float:
        return -self._saved(log_alpha)

    def _saved(self, log_alpha: float) -> float:
        alpha = math.exp(log_alpha)
        middle = self.mean + alpha
        return math.fsum(self.many * middle * bregman(self.deviation, middle)) + self._smaller(alpha)

    def _cost(self, log_alpha: float) -> float:
        alpha = math.exp(log_alpha)
        return math.fsum(self.many * self._surprise(alpha)) - self._smaller(alpha) + self.rest

    def _smaller(self, alpha: float) -> float:
        a = self.k * alpha
        parts = -np.log1p(self.part / alpha) / 2 + _stirling(self.part + alpha) - _stirling(np.array([alpha]))
        wholes = np.log1p(self.whole / a) / 2 - _stirling(self.whole + a) + _stirling(np.array([a]))
        return math.fsum(self.many * parts) + math.fsum(self.vectors * wholes)

    def _surprise(self, alpha: float) -> Floats:
        """x log(x/μ) − (x+α) log((x+α)/(μ+α)) of every entry."""
        x, mean, middle = self.part, self.mean, self.mean + alpha
        with np.errstate(divide="ignore", invalid="ignore"):
            small = x * (np.log1p(alpha / mean) - np.log1p(alpha / x)) - alpha * np.log1p(
                self.deviation / middle
            )
        small = np.where(x > 0, small, alpha * np.log1p(mean / alpha))
        large = mean * bregman(self.deviation, mean) - middle * bregman(self.deviation, middle)
        surprise = np.where(alpha < mean, small, large)
        near = np.abs(self.deviation) < _NEAR * mean
        surprise[near] = _series(self.deviation[near], mean[near], alpha)
        return surprise


def _series(deviation: Floats, mean: Floats, alpha: float) -> Floats:
    """Σ (−Δ)ʳ (μ¹⁻ʳ − (μ+α)¹⁻ʳ) / (r(r−1)) over r from 2 on, each difference by its logarithm."""
    ratio, shrinkage = -deviation / mean, -np.log1p(alpha / mean)
    total, power = np.zeros_like(mean), mean * ratio
    for r in range(2, _TERMS):
        power = power * ratio
        total -= power * np.expm1((r - 1) * shrinkage) / (r * (r - 1))
    return total


def _stirling(x: Floats) -> Floats:
    """log Γ(x) − (x − ½) log x + x − ½ log 2π, for x from 1 on."""
    lower = np.zeros_like(x)
    for _ in range(_SHIFT):
        small = x < _SHIFT
        if not small.any():
            break
        step = np.where(small, x, 1.0)
        lower += np.where(small, (step + 0.5) * np.log1p(1 / step) - 1, 0.0)
        x = x + small
    s = np.square(1 / x)  # not 1 / (x * x), which overflows for sizes beyond 1e154
    series = 1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - s * 691 / 360360))))
    return lower + series / x


def lowest(at: Callable[[float], float], low: float, high: float) -> float:
    """Where the smallest value lies between two places that enclose one valley, by golden sections."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = at(left), at(right)
    for _ in range(_SECTIONS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = at(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = at(right)
    return left if at_left <= at_right else right
