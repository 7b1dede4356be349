"""The cost of describing cluster sizes with a Dirichlet-multinomial distribution, at the best α.

A vector of q counts that add up to x costs log C(x + qα − 1, x) − Σ log C(count + α − 1, count) nats; empty
entries cost nothing beyond that. α minimises the total cost among all numbers from 0 to infinity, both
included. For large α these are small differences of large numbers. The minimum is then found again without
them, in views/even_counts.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np

from concordant.counts.base import View
from concordant.counts.information import Information
from concordant.counts.number_of_tables import SizeCounts, factorial_remainder, log_binomial
from concordant.counts.profile import Profile
from concordant.maths.arithmetic import Floats
from concordant.maths.hypergeometric import bregman

_LARGEST = 700.0  # the logarithm of nearly the largest float
_REACH = 30.0  # of log α, and more for many elements
_STEP = 2.0
_ROUNDING = 1e-12
_EPSILON = 2.0**-52
_DIGITS = 1e-13  # rounding beyond this share of a value is not left in it
_CLEAR = 1e-6  # nats of rounding that change no decision

SizeWeights = tuple[tuple[int, int], ...]  # sizes, each with how many there are
# The minimal cost of the counts, and its saving over a code in which all clusters are equally likely.
CodeLength = tuple[float, float]


@dataclass(slots=True, eq=False)
class DirichletReduced(View):
    """Information of the candidate about the reference, and of the reference about itself, per element."""

    between: float
    within: float

    @classmethod
    def of(cls, profile: Profile) -> Self:
        n, k = profile.size, profile.rows
        if not n:
            return cls(0.0, 0.0)
        rows = profile.row_sizes
        cost, _, _ = _least_cost(((n, 1),), _pairs(rows), k)
        # log x! = x log x − x + h(x): all but the h is the mutual information.
        h = factorial_remainder
        within = h({n: 1}) - h(rows) + cost - k * math.log(k)  # each cluster holds one, of any of k
        settled = k == 1 or profile.columns == 1
        return cls(
            0.0 if settled else _between(profile) / n,
            0.0 if k in (1, n) else profile.view(Information).h_u + within / n,
        )


def _between(profile: Profile) -> float:
    """Information of the candidate about the reference for all elements together, in nats."""
    n, k = profile.size, profile.rows
    rows, columns, cells = profile.row_sizes, profile.column_sizes, profile.overlap_sizes
    cost, rounding, is_even = _least_cost(((n, 1),), _pairs(rows), k)
    cost_given, rounding_given, is_even_given = _least_cost(_pairs(columns), _pairs(cells), k)
    h = factorial_remainder
    labels = profile.view(Information).mutual * n + h(cells) + h({n: 1}) - h(rows) - h(columns)
    difference = labels + cost - cost_given
    rounding += rounding_given
    if is_even and is_even_given and rounding < _CLEAR:
        return 0.0  # every element costs log k on both sides
    if rounding <= _DIGITS * abs(difference):
        return difference
    of_all = EvenCounts.of({(size, n): many for size, many in rows.items()}, {n: 1}, k).least()
    in_columns: dict[tuple[int, int], int] = {}
    for size, b, count in zip(profile.n.tolist(), profile.b.tolist(), profile.count.tolist(), strict=True):
        in_columns[size, b] = in_columns.get((size, b), 0) + count
    of_columns = EvenCounts.of(in_columns, columns, k).least()
    return code_length_difference(labels, of_all or (cost, math.inf), of_columns or (cost_given, math.inf))


def code_length_difference(labels: float, alone: CodeLength, given: CodeLength) -> float:
    """Mutual information as a difference of code lengths.

    Near independence both codes are close to the uniform code, so the difference of their savings is
    accurate where the difference of their lengths would cancel.
    """
    (cost, saving), (cost_given, saving_given) = alone, given
    least, most = sorted((saving, saving_given))
    if most < FEW_NATS or (least == 0 and most < math.inf):
        return saving_given - saving
    return labels + cost - cost_given


def _pairs(sizes: SizeCounts) -> SizeWeights:
    return tuple(sorted(sizes.items()))


@lru_cache(maxsize=2048)
def _least_cost(wholes: SizeWeights, parts: SizeWeights, k: int) -> tuple[float, float, bool]:
    """The minimal cost of vectors of k counts, given their sums and the counts in all of them.

    Also returns how far rounding may have moved it, and whether it is the limit at infinite α.
    """
    if k == 1:
        return 0.0, 0.0, False

    def terms(log_alpha: float) -> tuple[float, float]:
        alpha = math.exp(log_alpha)
        return _log_multisets(wholes, k * alpha), _log_multisets(parts, alpha)

    def at(log_alpha: float) -> float:
        whole, part = terms(log_alpha)
        return whole - part

    # Beyond it are the limits, or numbers that no float can represent.
    reach = min(_REACH + 2 * math.log(sum(size * many for size, many in wholes)), _LARGEST)
    grid = [-reach + _STEP * x for x in range(int(2 * reach / _STEP) + 1)]
    best = min(grid, key=at)
    elements, vectors = (sum(size * many for size, many in wholes), sum(many for _, many in wholes))
    # The limit at α = 0 is finite where every vector has a single entry, and then any of k.
    single = vectors * math.log(k) if vectors == sum(many for _, many in parts) else math.inf
    # The limit at infinite α: all k equally likely for each element.
    even = elements * math.log(k) - (_log_factorials(wholes) - _log_factorials(parts))
    limit = min(single, even)
    place = lowest(at, best - _STEP, best + _STEP)
    inner = at(place)
    if limit > inner + _ROUNDING * abs(limit):
        return inner, _EPSILON * sum(map(abs, terms(place))), False
    return limit, _EPSILON * elements * math.log(k) if even < single else 0.0, even < single


def _log_multisets(sizes: SizeWeights, alpha: float) -> float:
    """Σ log C(x + α − 1, x)."""
    terms = []
    for size, many in sizes:
        # The logarithm of α / (x + α), where the fraction itself may be too small for a float.
        share = -math.log1p(size / alpha) if size < alpha else math.log(alpha) - math.log(size + alpha)
        terms.append(many * (log_binomial(size, alpha) + share))
    return math.fsum(terms)


def _log_factorials(sizes: SizeWeights) -> float:
    logs = math.fsum(many * (size * math.log(size) - size) for size, many in sizes)
    return logs + factorial_remainder(dict(sizes))


_EVEN_STEP = 1.0  # of log α, for counts that are nearly even
_GOLDEN = (math.sqrt(5) - 1) / 2
_SECTIONS = 50
_NEAR = 1 / 8  # deviations, as a share of the mean, for which the series is used
_TERMS = 20
FEW_NATS = 100.0  # up to here savings are more exact than costs
_SHIFT = 16  # Stirling's series is exact from this number on


@dataclass(frozen=True, slots=True, eq=False)
class EvenCounts:
    """Vectors of k counts: every entry with the sum of its vector, and the number of each."""

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
        """From (count, sum of its vector) of the entries that are not empty, and these sums."""
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

    def least(self) -> CodeLength | None:
        """The code length at the best α above 1; None if a smaller α may be better."""
        reach = _REACH + 2 * math.log(float(self.whole.sum()) + 1)
        grid = [_EVEN_STEP * x for x in range(int(reach / _EVEN_STEP))]
        best = min(grid, key=self._cost)
        if best == grid[0]:
            return None
        exactly = self._cost if self._saved(best) > FEW_NATS else self._lost
        log_alpha = lowest(exactly, best - _EVEN_STEP, best + _EVEN_STEP)
        return self._cost(log_alpha), max(self._saved(log_alpha), 0.0)

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
        a, size = self.k * alpha, len(self.part)
        rest = _stirling(np.concatenate([self.part + alpha, [alpha], self.whole + a, [a]]))  # all in one call
        parts = -np.log1p(self.part / alpha) / 2 + rest[:size] - rest[size]
        wholes = np.log1p(self.whole / a) / 2 - rest[size + 1 : -1] + rest[-1]
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
    """The position of the minimum between two positions that enclose one valley, by golden sections."""
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
