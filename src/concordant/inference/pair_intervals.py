"""Intervals of pair-counting indices when records were drawn one by one.

Every index is mapped to a scale whose best value is 1. Its standard error is that of the jackknife: the
effect of leaving out one record follows from the pair counts. ``ends`` widens the interval by the largest
change that one unseen record could make.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from typing import Any, Self

import numpy as np

from concordant.counts.base import View
from concordant.counts.pairs import PairCounts
from concordant.counts.profile import Profile
from concordant.indices.index import Index
from concordant.indices.parameters import Bound
from concordant.inference.bounds import Ends, scaled_bottom, whole_range
from concordant.inference.leave_one_out import jackknife_interval, jackknife_se, jackknife_variance
from concordant.inference.moments import moments
from concordant.maths.arithmetic import Floats, Integers, Number, distinct_sizes

# Up to this many kinds of records, the formula is evaluated for each.
_FEW_KINDS = 500
# If leaving out a record changes all counts by less than this share, a cubic polynomial has ten digits.
_SMALL_CHANGE = 1e-3
_DEGREE = 3
# Its nodes are at least this far apart: differences of values that are closer would lose digits.
_NODE = 1e-4
# Changes of less than this share are computed for several records at a time, and divided.
_TINY_CHANGE = 1e-7
# This few at a time stay in the cache, and their products need no second thread, which would mostly wait.
_CHUNK = 2**11
# Up to this many cluster sizes, each one is a candidate for the worst move.
_FEW_SIZES = 64

# Each of these covered less than 0.93 of simulated populations, or cannot.
_SELF_PAIRS = "each record counts as a pair with itself, so the value depends on the size of the sample"
_NO_INTERVAL = {
    "rv": _SELF_PAIRS,
    "katz_powell": _SELF_PAIRS,
    "adjusted_rand_morey_agresti": _SELF_PAIRS,
    "adapted_rand_precision": _SELF_PAIRS,
    "adapted_rand_recall": _SELF_PAIRS,
    "adapted_rand_error": _SELF_PAIRS,
    "yule_q": "it is close to 1 wherever few pairs disagree, and intervals covered 0.90 of the values there",
}


def why_no_pair_interval(index: Index) -> str:
    """Why no record interval is known to be valid for an index; empty if ``pair_ends`` computes one.

    >>> from concordant import INDICES
    >>> why_no_pair_interval(INDICES["f_measure"]), why_no_pair_interval(INDICES["minkowski"])
    ('', 'its range is not bounded')
    """
    if index.views != (PairCounts,):
        return "it is not a function of pair counts alone"
    if index.direction == "statistic":
        return "it has no perfect value"
    if not all(map(math.isfinite, index.bounds(10))):
        return "its range is not bounded"
    return _NO_INTERVAL.get((index.declared or index).name, "")


def pair_ends(profile: Profile, index: Index, confidence: float) -> Ends:
    """The interval of a pair-counting index with a finite range and a perfect value.

    >>> from concordant import INDICES
    >>> found = pair_ends(Profile.from_contingency([[9, 0], [0, 9]]), INDICES["rand"], 0.95)
    >>> round(found.low, 4), found.high, found.note
    (0.6476, 1.0, 'widened for unseen disagreements')
    """
    found = _scaled_ends(profile, index, confidence).on_scale_of(index, profile)
    if isinstance(index.range[1], Bound) and found.estimable:
        return replace(found, note="; ".join(filter(None, ("for the same number of records", found.note))))
    return found


def _scaled_ends(profile: Profile, index: Index, confidence: float) -> Ends:
    """The interval on the scale whose best value is 1."""
    pairs, size, bottom = profile.view(PairCounts), profile.size, scaled_bottom(index, profile)
    value = float(scaled_value(index, pairs)) if _is_defined(index, pairs) else 1.0
    reason = why_not_estimable(index, pairs)
    if reason:
        return whole_range(bottom, value, reason)
    se = standard_error(profile, index)
    if math.isnan(se):
        return whole_range(bottom, value, "without one of the records the index is undefined")
    worst, gain = worst_and_gain(profile, index)
    found = jackknife_interval(
        value,
        se,
        degrees=size - 1,
        confidence=confidence,
        worst=worst,
        gain=gain,
        bottom=bottom,
        chance=lambda quantile: _chance_deviation(profile, index, value, quantile),
    )
    if found.low == found.high > bottom and worst > 0:  # the width is below the last digit
        found = replace(found, low=math.nextafter(found.low, bottom))
    if not found.low < found.high:
        return whole_range(bottom, value, "no change of a single record would change the value")
    return found


def _chance_deviation(profile: Profile, index: Index, value: float, quantile: float) -> float:
    """The standard deviation of the scaled value by chance, if the value does not exceed chance; else 0."""
    pairs, known = profile.view(PairCounts), moments(profile)
    sd, least = Fraction(math.sqrt(known.variance)), max(pairs.in_u + pairs.in_v - pairs.all, 0)
    numbers = (max(known.mean - sd, least), known.mean, min(known.mean + sd, pairs.in_u, pairs.in_v))
    try:
        below, middle, above = (float(scaled_value(index, pairs.with_n11(n11))) for n11 in numbers)
    except ZeroDivisionError:
        return 0.0
    deviation = max(abs(above - middle), abs(middle - below))
    return deviation if abs(value - middle) <= quantile * deviation else 0.0


# -- the scale ------------------------------------------------------------------------------------------


def scaled(index: Index, value: Any, size: int) -> Any:
    """A value of the index for this many elements, on the scale whose best value is 1."""
    end: Any = index.range[1]
    top = end.at(size, **index.arguments) if isinstance(end, Bound) else end
    return 1 - value / top if index.perfect == 0 else value / top


def scaled_value(index: Index, pairs: PairCounts) -> Number:
    """The index on a scale whose best value is 1; exact where counts are Fractions and the formula rational.

    >>> from concordant import INDICES
    >>> scaled_value(INDICES["mirkin"], PairCounts(3, 1, 0, 2, 4))
    0.8333333333333334
    """
    if not (pairs.n10 or pairs.n01):
        return 1
    value: Number = scaled(index, index.compute(pairs, **index.arguments), pairs.size)
    return value


def _is_defined(index: Index, pairs: PairCounts) -> bool:
    try:
        index.compute(pairs, **index.arguments)
    except ZeroDivisionError:
        return False
    return True


def why_not_estimable(index: Index, pairs: PairCounts) -> str:
    """Why these counts do not determine the index in the population; empty if they do."""
    sides = ("the reference", pairs.in_u), ("the candidate", pairs.in_v)
    reads_together, reads_apart = _reads(index)
    for side, together in sides:
        if not together and reads_together:
            return f"{side} has no two records in one cluster"
        if together == pairs.all and reads_apart:
            return f"{side} has all records in one cluster"
    if not _is_defined(index, pairs):
        return "the index is 0/0"
    return ""


@cache
def _reads(index: Index) -> tuple[bool, bool]:
    """Whether the index reads N₁₁, and whether it reads N₀₀; neither if it reads only their sum."""

    def value(n11: int, n00: int) -> Number:
        return index.compute(PairCounts(n11, 20, 30, n00, 20), **index.arguments)

    if value(60, 80) == value(70, 70):
        return False, False
    return value(60, 80) != value(70, 80), value(60, 80) != value(60, 90)


# -- leaving out a record -------------------------------------------------------------------------------


def standard_error(profile: Profile, index: Index) -> float:
    """The jackknife standard error on the scale of 1; nan if the index is 0/0 without some record."""
    size, sums = profile.size, profile.view(PairSums)
    if len(profile.n) > _FEW_KINDS and sums.largest_change < _SMALL_CHANGE:
        slopes = _slopes(profile, index)
        shift = float(slopes @ sums.newton_sums[0])
        squares = float(slopes @ sums.newton_sums[1] @ slopes) - shift * shift / size
        return math.sqrt(jackknife_variance(max(squares, 0.0), size))
    moves = moves_without(profile, index, profile.n, profile.a, profile.b)
    return jackknife_se(moves, profile.mass.astype(np.float64))


def moves_without(profile: Profile, index: Index, n: Integers, a: Integers, b: Integers) -> Floats:
    """By how much the scaled value changes without one record of each triple; nan where it is then 0/0."""
    pairs, change = profile.view(PairCounts), profile.view(PairSums).largest_change
    if change < _SMALL_CHANGE and not (_is_rational(index) and len(n) <= _FEW_KINDS):
        steps = profile.view(PairSums).steps
        slopes, drops, moves = _slopes(profile, index), (n - 1, a - n, b - n), np.zeros(len(n))
        for start in range(0, len(n), _CHUNK):
            moves[start : start + _CHUNK] = slopes @ _newton_basis(drops, steps, start)
        return moves
    if change < _SMALL_CHANGE:  # so close that differences of floats would lose digits
        pairs = pairs.exactly()
    value = scaled_value(index, pairs) if _is_defined(index, pairs) else 1
    moves = np.full(len(n), math.nan)
    for place, (in_cell, in_row, in_column) in enumerate(
        zip(n.tolist(), a.tolist(), b.tolist(), strict=True)
    ):
        try:
            rest = pairs_without(pairs, in_cell - 1, in_row - in_cell, in_column - in_cell)
            moves[place] = float(scaled_value(index, rest) - value)
        except ZeroDivisionError:
            continue
    return moves


def pairs_without(pairs: PairCounts, n11: Any, n10: Any, n01: Any) -> PairCounts:
    """The pair counts without a record that is in this many pairs of each kind."""
    n00 = pairs.size - 1 - n11 - n10 - n01
    return PairCounts(pairs.n11 - n11, pairs.n10 - n10, pairs.n01 - n01, pairs.n00 - n00, pairs.size - 1)


@cache
def _is_rational(index: Index) -> bool:
    return not isinstance(scaled_value(index, PairCounts(60, 20, 30, 80, 20).exactly()), float)


@cache
def _exponents() -> list[tuple[int, ...]]:
    return [e for e in product(range(_DEGREE + 1), repeat=3) if 0 < sum(e) <= _DEGREE]


def _newton_basis(drops: Sequence[Integers], steps: Sequence[int], start: int) -> Floats:
    """Products of C(t, k), t the drop of each count in steps: the basis of Newton's interpolation."""
    powers = []
    for drop, step in zip(drops, steps, strict=True):
        t = drop[start : start + _CHUNK].astype(np.float64) / max(step, 1)
        own = [np.ones_like(t)]
        for k in range(_DEGREE):
            own.append(own[-1] * (t - k) / (k + 1))
        powers.append(own)
    return np.stack([powers[0][i] * powers[1][j] * powers[2][k] for i, j, k in _exponents()])


def _slopes(profile: Profile, index: Index) -> Floats:
    """The forward differences of the scaled value at the nodes of a polynomial in the three drops."""
    pairs, steps = profile.view(PairCounts), profile.view(PairSums).steps
    nodes = {
        node: float(
            scaled_value(index, pairs_without(pairs, *(k * s for k, s in zip(node, steps, strict=True))))
        )
        for node in product(range(_DEGREE + 1), repeat=3)
        if sum(node) <= _DEGREE
    }
    slopes = []
    for order in _exponents():
        terms = []
        for node in product(*(range(o + 1) for o in order)):
            ways = math.prod(map(math.comb, order, node))
            terms.append((-1) ** (sum(order) - sum(node)) * ways * nodes[node])
        slopes.append(math.fsum(terms))
    return np.array(slopes)


# -- moving a record ------------------------------------------------------------------------------------


def worst_and_gain(profile: Profile, index: Index) -> tuple[float, float]:
    """How much one unseen bad record would lower the scaled value, and how much a good one would raise it.

    The bad one is moved to the largest other cluster, or to a new one, on either side. The good one joins the
    largest overlap.
    """
    pairs, sums = profile.view(PairCounts), profile.view(PairSums)
    largest_move = max(max(map(abs, move)) for move in sums.moves)
    times = max(int(_TINY_CHANGE * min(pairs.n11, pairs.n00) // max(largest_move, 1)), 1)
    value = float(scaled_value(index, pairs))
    worst = 0.0
    for n11, in_u, in_v in sums.moves:
        moved = pairs.with_sums(pairs.n11 + times * n11, pairs.in_u + times * in_u, pairs.in_v + times * in_v)
        try:
            worst = max(worst, (value - float(scaled_value(index, moved))) / times)
        except ZeroDivisionError:
            worst = max(worst, value)
    gain = 0.0
    if not pairs.n11 or index.perfect == 0 or index.range[0] == 0:
        more = min(pairs.n11 + int(profile.n.max(initial=1)), pairs.in_u, pairs.in_v)
        gain = float(scaled_value(index, pairs.with_n11(more))) - value
    return worst, max(gain, 0.0)


class PairSums(View):
    """Sums over the records of a comparison that all pair-counting indices share."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(profile)

    @cached_property
    def _drops(self) -> tuple[Integers, Integers, Integers]:
        """By how much N₁₁, N₁₀ and N₀₁ fall without a record of each triple."""
        p = self._profile
        return p.n - 1, p.a - p.n, p.b - p.n

    @cached_property
    def _largest_drops(self) -> list[int]:
        return [int(drop.max(initial=0)) for drop in self._drops]

    @cached_property
    def largest_change(self) -> float:
        """The largest share of a pair count that goes with one record."""
        p = self._profile.view(PairCounts)
        counts = zip(self._largest_drops, (p.n11, p.n10, p.n01), strict=True)
        return max([*(drop / count for drop, count in counts if drop), p.size / max(p.n00, 1)])

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """How far apart the nodes of the polynomial are, in pairs; 0 where nothing drops."""
        p = self._profile.view(PairCounts)
        found = []
        for drop, count in zip(self._largest_drops, (p.n11, p.n10, p.n01), strict=True):
            found.append(max(-(-drop // _DEGREE), int(_NODE * min(count, p.n00))) if drop else 0)
        return tuple(found)

    @cached_property
    def newton_sums(self) -> tuple[Floats, Floats]:
        """Sums of the basis of Newton's interpolation over the records, and of products of two.

        They are centred on the mean of the first records, so no digits are lost if records are similar.
        """
        mass, terms = self._profile.mass, len(_exponents())
        sums, products, origin = np.zeros(terms), np.zeros((terms, terms)), np.zeros((terms, 1))
        for start in range(0, len(mass), _CHUNK):
            basis = _newton_basis(self._drops, self.steps, start)
            weights = mass[start : start + _CHUNK].astype(np.float64)
            if not start:
                origin = (basis @ weights / weights.sum())[:, np.newaxis]
            basis -= origin
            weighted = basis * weights
            sums += weighted.sum(axis=1)
            products += weighted @ basis.T
        return sums, products

    @cached_property
    def moves(self) -> list[tuple[int, int, int]]:
        """The effect of the worst moves of one record on N₁₁ and on the pairs of both sides."""
        p = self._profile
        found = [(n11, 0, pairs) for n11, pairs in _side_moves(p.n, p.b, p.column_sizes)]
        return found + [(n11, pairs, 0) for n11, pairs in _side_moves(p.n, p.a, p.row_sizes)]


def _side_moves(n: Integers, sizes: Integers, clusters: dict[int, int]) -> Iterable[tuple[int, int]]:
    """The effect of moving a record of one side on N₁₁ and on the pairs of that side.

    Among all overlaps with clusters of one size, moving a record of the largest loses most.
    """
    size, which = distinct_sizes(sizes)
    largest = np.zeros(len(size), dtype=n.dtype)
    np.maximum.at(largest, which, n)
    points = list(zip(size.tolist(), largest.tolist(), strict=True))
    top = points[-1][0]
    second = top if clusters[top] > 1 else [(0, 0), *points][-2][0]
    # The largest cluster has another target, so the hull is that of all others.
    for own, overlap in [*_upper_hull(points[:-1]), points[-1]] if len(points) > _FEW_SIZES else points:
        other = second if own == top else top
        yield 1 - overlap, 1 - own
        if other:
            yield 1 - overlap, 1 - own + other


def _upper_hull(points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The vertices above all others of points with ascending x: every linear function is largest at one."""
    hull: list[tuple[int, int]] = []
    for x, y in points:
        while len(hull) > 1:
            (x1, y1), (x2, y2) = hull[-2:]
            if (x2 - x1) * (y - y1) < (y2 - y1) * (x - x1):
                break
            hull.pop()
        hull.append((x, y))
    return hull
