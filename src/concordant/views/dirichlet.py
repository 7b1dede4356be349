"""What it costs to name cluster sizes where these are thought to be Dirichlet-multinomial, at the best α.

A vector of q counts that add up to x costs log C(x + qα − 1, x) − Σ log C(count + α − 1, count) nats; empty
entries cost nothing beyond that. α is chosen so that the whole costs least, among all numbers from nothing to
infinity, both included. Where α is large these are small differences of large numbers: what is found is then
looked for again without them, in views/even_counts.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from concordant.counts.base import View
from concordant.counts.information import Information
from concordant.counts.profile import Profile
from concordant.views.chance import overlap_sizes
from concordant.views.even_counts import FEW_NATS, EvenCounts, Least, lowest
from concordant.views.table_counts import factorial_remainder, log_binomial

_LARGEST = 700.0  # the logarithm of nearly the largest float
_REACH = 30.0  # of log α, and more for many elements
_STEP = 2.0
_ROUNDING = 1e-12
_EPSILON = 2.0**-52
_DIGITS = 1e-13  # rounding beyond this share of a value is not left in it
_CLEAR = 1e-6  # nats of rounding that change no decision

SizeCounts = Mapping[int, int]
SizeWeights = tuple[tuple[int, int], ...]  # sizes, each with how many there are


@dataclass(frozen=True, slots=True)
class DirichletReduced(View):
    """What the candidate tells of the reference, and the reference of itself, in nats per element."""

    between: float
    within: float

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (logarithms have no exact form)
        n, k = profile.size, profile.rows
        if not n:
            return cls(0.0, 0.0)
        rows = profile.row_sizes
        alone = _least_cost(((n, 1),), _pairs(rows), k)
        # log x! = x log x − x + h(x): all but the h is the mutual information.
        h = factorial_remainder
        within = h({n: 1}) - h(rows) + alone.cost - k * math.log(k)  # each cluster holds one, of any of k
        settled = k == 1 or profile.columns == 1
        return cls(
            0.0 if settled else _between(profile, alone) / n,
            0.0 if k in (1, n) else profile.view(Information).h_u + within / n,
        )


@dataclass(frozen=True, slots=True)
class _Cost:
    """The least cost, how far rounding may have moved it, and whether it is met at infinite α."""

    cost: float
    rounding: float
    even: bool


def _between(profile: Profile, alone: _Cost) -> float:
    """What the candidate tells of all elements together, in nats."""
    n, k = profile.size, profile.rows
    rows, columns, cells = profile.row_sizes, profile.column_sizes, overlap_sizes(profile)
    given = _least_cost(_pairs(columns), _pairs(cells), k)
    h = factorial_remainder
    labels = profile.view(Information).mutual * n + h(cells) + h({n: 1}) - h(rows) - h(columns)
    told = labels + alone.cost - given.cost
    rounding = alone.rounding + given.rounding
    if alone.even and given.even and rounding < _CLEAR:
        return 0.0  # every element costs log k on both sides
    if rounding <= _DIGITS * abs(told):
        return told
    of_all = EvenCounts.of({(size, n): many for size, many in rows.items()}, {n: 1}, k).least()
    of_columns = EvenCounts.of(_cells_of_columns(profile), columns, k).least()
    return _told(labels, of_all or Least(alone.cost, math.inf), of_columns or Least(given.cost, math.inf))


def _told(labels: float, alone: Least, given: Least) -> float:
    """By what each saves over equal shares where that is little, else by what each costs."""
    least, most = sorted((alone.saved, given.saved))
    if most < FEW_NATS or (least == 0 and most < math.inf):
        return given.saved - alone.saved
    return labels + alone.cost - given.cost


def _cells_of_columns(profile: Profile) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    for n, b, count in zip(profile.n.tolist(), profile.b.tolist(), profile.count.tolist(), strict=True):
        found[n, b] = found.get((n, b), 0) + count
    return found


def _pairs(sizes: SizeCounts) -> SizeWeights:
    return tuple(sorted(sizes.items()))


@lru_cache(maxsize=2048)
def _least_cost(wholes: SizeWeights, parts: SizeWeights, k: int) -> _Cost:
    """The least cost of so many vectors of k counts: what they add up to, and what stands in all of them."""
    if k == 1:
        return _Cost(0.0, 0.0, even=False)

    def terms(log_alpha: float) -> tuple[float, float]:
        alpha = math.exp(log_alpha)
        return _log_multisets(wholes, k * alpha), _log_multisets(parts, alpha)

    def at(log_alpha: float) -> float:
        whole, part = terms(log_alpha)
        return whole - part

    # Beyond it lie the limits, or what no float holds.
    reach = min(_REACH + 2 * math.log(sum(size * many for size, many in wholes)), _LARGEST)
    grid = [-reach + _STEP * x for x in range(int(2 * reach / _STEP) + 1)]
    best = min(grid, key=at)
    single, even = _one_part_each(wholes, parts, k), _multinomial(wholes, parts, k)
    limit = min(single, even)
    place = lowest(at, best - _STEP, best + _STEP)
    inner = at(place)
    if limit > inner + _ROUNDING * abs(limit):
        return _Cost(inner, _EPSILON * sum(map(abs, terms(place))), even=False)
    elements = sum(size * many for size, many in wholes)
    return _Cost(limit, _EPSILON * elements * math.log(k) if even < single else 0.0, even=even < single)


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
