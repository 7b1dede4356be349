"""What it costs to name cluster sizes where these are thought to be Dirichlet-multinomial, at the best α.

A vector of q counts that add up to x costs log C(x + qα − 1, x) − Σ log C(count + α − 1, count) nats; empty
entries cost nothing beyond that. α is chosen so that the whole costs least, among all numbers from nothing to
infinity, both included.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from concordant.counts.profile import Profile, View
from concordant.views.chance import overlap_sizes
from concordant.views.information import Information
from concordant.views.table_counts import factorial_remainder, log_binomial

_LARGEST = 700.0  # the logarithm of nearly the largest float
_REACH = 30.0  # of log α, and more for many elements
_STEP = 2.0
_ROUNDING = 1e-12
_GOLDEN = (math.sqrt(5) - 1) / 2
_SECTIONS = 50

SizeCounts = Mapping[int, int]
SizeWeights = tuple[tuple[int, int], ...]  # sizes, each with how many there are


@dataclass(frozen=True, slots=True)
class DirichletReduced(View):
    """What the candidate tells of the reference, and the reference of itself, in nats per element."""

    between: float
    within: float

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (logarithms have no exact form)
        i, n = profile.view(Information), profile.size
        rows, columns, cells = profile.row_sizes, profile.column_sizes, overlap_sizes(profile)
        k = profile.rows
        if not n:
            return cls(0.0, 0.0)
        sizes = _cost({n: 1}, rows, k)
        # log x! = x log x − x + h(x): all but the h is the mutual information.
        h = factorial_remainder
        between = h(cells) + h({n: 1}) - h(rows) - h(columns) + sizes - _cost(columns, cells, k)
        within = h({n: 1}) - h(rows) + sizes - k * math.log(k)  # each cluster holds one, of any of k
        settled = k == 1 or profile.columns == 1
        return cls(0.0 if settled else i.mutual + between / n, 0.0 if k in (1, n) else i.h_u + within / n)


def _cost(wholes: SizeCounts, parts: SizeCounts, k: int) -> float:
    """The least cost of so many vectors of k counts: what they add up to, and what stands in all of them."""
    return _least_cost(tuple(sorted(wholes.items())), tuple(sorted(parts.items())), k)


@lru_cache(maxsize=256)
def _least_cost(wholes: SizeWeights, parts: SizeWeights, k: int) -> float:
    if k == 1:
        return 0.0

    def at(log_alpha: float) -> float:
        alpha = math.exp(log_alpha)
        return _log_multisets(wholes, k * alpha) - _log_multisets(parts, alpha)

    # Beyond it lie the limits, or what no float holds.
    reach = min(_REACH + 2 * math.log(sum(size * many for size, many in wholes)), _LARGEST)
    grid = [-reach + _STEP * x for x in range(int(2 * reach / _STEP) + 1)]
    best = min(grid, key=at)
    limit = min(_one_part_each(wholes, parts, k), _multinomial(wholes, parts, k))
    inner = _least(at, best - _STEP, best + _STEP)
    return limit if limit <= inner + _ROUNDING * abs(limit) else inner


def _log_multisets(sizes: SizeWeights, alpha: float) -> float:
    """Σ log C(x + α − 1, x)."""
    return math.fsum(many * (log_binomial(size, alpha) + _log_share(size, alpha)) for size, many in sizes)


def _log_share(size: int, alpha: float) -> float:
    """The logarithm of α / (x + α), where the fraction itself may be too small for a float."""
    return -math.log1p(size / alpha) if size < alpha else math.log(alpha) - math.log(size + alpha)


def _one_part_each(wholes: SizeWeights, parts: SizeWeights, k: int) -> float:
    """The limit at α = 0: finite where every vector has a single entry, and then any of k."""
    vectors = sum(many for _, many in wholes)
    return vectors * math.log(k) if vectors == sum(many for _, many in parts) else math.inf


def _multinomial(wholes: SizeWeights, parts: SizeWeights, k: int) -> float:
    """The limit at infinite α: all k equally likely for each element."""
    elements = sum(size * many for size, many in wholes)
    return elements * math.log(k) - (_log_factorials(wholes) - _log_factorials(parts))


def _log_factorials(sizes: SizeWeights) -> float:
    logs = math.fsum(many * (size * math.log(size) - size) for size, many in sizes)
    return logs + factorial_remainder(dict(sizes))


def _least(at: Callable[[float], float], low: float, high: float) -> float:
    """The smallest value between two places that enclose one valley, by golden sections."""
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
    return min(at_left, at_right)
