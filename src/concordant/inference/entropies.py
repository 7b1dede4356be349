"""Intervals for functions of entropies, if the records are a random sample.

A sample shows too few of the overlaps that exist, so entropies are too small and the mutual information is
too large. The estimate replaces each entropy by that of Chao, Wang & Jost (2013), Methods in Ecology and
Evolution 4:1091. The interval reaches from there to two bounds: the jackknife, which corrects too little, and
a joint entropy that spreads the unseen records as widely as possible.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain
from typing import Any, Self

import numpy as np

from concordant.counts.base import View
from concordant.counts.information import Information, expected_information
from concordant.counts.profile import Profile
from concordant.indices.index import INDICES, Index
from concordant.inference.bounds import Ends, ends, gamma_ends, unseen_high, whole_range
from concordant.inference.permutation_test import significance
from concordant.inference.significance import TestOptions
from concordant.maths.arithmetic import Floats
from concordant.maths.tails import beta_fraction, gamma_quantile, student_quantile

# From this many records on, leaving one out is a Taylor series of the second degree. Its third term is below
# 1e-5 of the standard error, and no digits cancel at any size.
_TAYLOR_SIZE = 1000
_STEP = 1e-3  # of the derivatives, as a share of the joint entropy
_LARGEST_RATIO = 1 - 1e-15  # of a geometric series
_SPARSE = 0.1
_MOST_UNSEEN = 0.999
_LEAST = 1e-9


# -- one entropy ----------------------------------------------------------------------------------------


def entropy_correction(sizes: Mapping[int, int], size: int) -> float:
    """By how much the entropy of a sample of this many records is too small, in nats.

    Chao, Wang & Jost (2013); ``sizes`` has the number of classes of each size.

    >>> round(entropy_correction({3: 1, 1: 9}, 12), 12)
    1.412461432319
    """
    x, count = np.array(sorted(sizes.items()), dtype=np.float64).T
    seen = float((count * x / size * (_digamma_gap(x) - _digamma_gap(np.array([float(size)])))).sum())
    return seen + _unseen(sizes.get(1, 0), sizes.get(2, 0), size)


def _unseen(once: int, twice: int, size: int) -> float:
    """The contribution of unseen classes, from the number of classes with one and with two records."""
    if not once or (once == 1 and not twice):
        return 0.0
    again = 2 * twice if twice else 2
    share = again / ((size - 1) * (once if twice else once - 1) + again)
    ratio = min(1 - share, _LARGEST_RATIO)
    return once / size * ratio * beta_fraction(float(size), 0.0, ratio) / size  # Σ qᵏ / (n−1+k)


def _corrections_without(sizes: Mapping[int, int], size: int, removed: Any) -> Floats:
    """``entropy_correction`` without one record of a class of each of these sizes."""
    x, count = (np.array([float(each) for each in numbers]) for numbers in (sizes, sizes.values()))
    total = math.fsum((count * x * _digamma_gap(x)).tolist())
    own = np.asarray(removed, dtype=np.float64)
    smaller = np.maximum(own - 1, 1.0)
    sums = total - own * _digamma_gap(own) + np.where(own > 1, smaller * _digamma_gap(smaller), 0.0)
    seen = sums / (size - 1) - _digamma_gap(np.array([size - 1.0]))
    once, twice = sizes.get(1, 0), sizes.get(2, 0)
    more = {1: (-1, 0), 2: (1, -1), 3: (0, 1)}  # classes with one and with two records
    unseen = np.full(len(own), _unseen(once, twice, size - 1))
    for each, (of_one, of_two) in more.items():
        if (own == each).any():
            unseen[own == each] = _unseen(once + of_one, twice + of_two, size - 1)
    found: Floats = seen + unseen
    return found


_TABLE = 16
_SMALL_GAPS = np.array(
    [math.nan]
    + [math.log(x) + 0.5772156649015329 - math.fsum(1 / k for k in range(1, x)) for x in range(1, _TABLE)]
)


def _digamma_gap(x: Floats) -> Floats:
    """log x − ψ(x) for whole numbers, to full relative precision."""
    s = 1 / np.maximum(x, _TABLE) ** 2
    gaps: Floats = 0.5 / np.maximum(x, _TABLE) + s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s / 240)))
    small = x < _TABLE
    gaps[small] = _SMALL_GAPS[x[small].astype(np.int64)]
    return gaps


def _step_gap(x: Floats) -> Floats:
    """1 + (x−1)·log(1 − 1/x): how far the step of x log x is from 1 + log x."""
    gaps = np.ones_like(x)
    some, many = (x > 1) & (x < 1000), x >= 1000
    gaps[some] = 1 + (x[some] - 1) * np.log1p(-1 / x[some])
    s = 1 / x[many]
    gaps[many] = s * (1 / 2 + s * (1 / 6 + s * (1 / 12 + s * (1 / 20 + s / 30))))
    return gaps


# -- three entropies ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entropies:
    """H(U|V), H(V|U) and the mutual information: all that formulas of entropies read."""

    h_u_given_v: float
    h_v_given_u: float
    mutual: float
    size: int

    @property
    def h_u(self) -> float:
        return max(self.h_u_given_v + self.mutual, 0.0)  # rounding may leave less

    @property
    def h_v(self) -> float:
        return max(self.h_v_given_u + self.mutual, 0.0)

    @property
    def h_uv(self) -> float:
        return self.h_u_given_v + self.h_v_given_u + self.mutual

    @property
    def column(self) -> Floats:
        return np.array([[self.h_u_given_v], [self.h_v_given_u], [self.mutual]])

    def moved(self, by: Any) -> Entropies:
        x, y, z = map(float, by)  # floats of NumPy would divide by 0
        return Entropies(self.h_u_given_v + x, self.h_v_given_u + y, self.mutual + z, self.size)

    def value(self, index: Index) -> float:
        """The value of a function of entropies, with the conventions of the index."""
        if self.h_u_given_v == self.h_v_given_u == 0 and index.perfect is not None:
            return float(index.perfect)
        try:
            return float(index.compute(self, **index.arguments))
        except ZeroDivisionError:
            return float(index.perfect or 0 if index.undefined is None else index.undefined)


class EntropySample:
    """The estimate of a function of entropies from a sample, and its value in the population.

    Attributes
    ----------
    value : float
        The value of the sample.
    corrected : float
        The value with the entropies of Chao, Wang and Jost.
    jackknife : float
        The mean of the pseudo-values: the value minus its bias.
    spread : float
        The value with the largest joint entropy that the sample allows.
    se : float
        Leave-one-out standard error.
    worst : float
        The largest change if one record is in another cluster.

    Examples
    --------
    >>> sample = EntropySample(Profile.from_contingency([[9, 1], [2, 8]]), INDICES["v_measure"], 0.95)
    >>> round(sample.value, 4), round(sample.corrected, 4), round(sample.jackknife, 4), round(sample.se, 4)
    (0.3988, 0.3176, 0.3043, 0.2698)
    """

    def __init__(self, profile: Profile, index: Index, confidence: float) -> None:
        self._profile, self.index, self._confidence = profile, index, confidence
        self._cells = profile.overlap_sizes
        self.unseen_share = self._cells.get(1, 0) / profile.size

    @cached_property
    def _plain(self) -> Entropies:
        i = self._profile.view(Information)
        return Entropies(i.h_u_given_v, i.h_v_given_u, i.mutual, self._profile.size)

    @property
    def value(self) -> float:
        return self._plain.value(self.index)

    @cached_property
    def _corrected(self) -> Entropies:
        p, plain = self._profile, self._plain
        sides = p.row_sizes, p.column_sizes, self._cells
        u, v, both = (entropy_correction(sizes, p.size) for sizes in sides)
        given_v, given_u = plain.h_u_given_v + both - v, plain.h_v_given_u + both - u
        lift = max(-given_v, -given_u, 0.0)  # the joint entropy is no less than either side's
        return Entropies(given_v + lift, given_u + lift, plain.mutual + u + v - both - lift, p.size)

    @property
    def corrected(self) -> float:
        return self._corrected.value(self.index)

    @cached_property
    def spread(self) -> float:
        p, c = self._profile, self._corrected
        unseen = gamma_quantile((1 + self._confidence) / 2, self._cells.get(1, 0) + 1.0) / p.size
        unseen = min(unseen, _MOST_UNSEEN)
        empty = p.rows * p.columns - p.cells
        most = 0.0
        if empty:
            most = (1 - unseen) * self._plain.h_uv + unseen * math.log(empty)
            most -= unseen * math.log(unseen) + (1 - unseen) * math.log1p(-unseen)
        h_uv = min(c.h_u + c.h_v, max(c.h_uv, most))
        return Entropies(h_uv - c.h_v, h_uv - c.h_u, c.h_u + c.h_v - h_uv, p.size).value(self.index)

    @property
    def se(self) -> float:
        return self._left_out[0]

    @property
    def bias(self) -> float:
        """By pseudo-values; the difference of the values would lose its digits in large samples."""
        return self._left_out[1]

    @property
    def jackknife(self) -> float:
        return self.value - self.bias

    @property
    def gap(self) -> float:
        """How far the two corrections are apart."""
        return abs(self.jackknife - self.corrected)

    @cached_property
    def corrected_changes(self) -> Floats:
        """(n − 1) times the change of the corrected value without one record of each triple."""
        p, size = self._profile, self._profile.size
        u, v, both = (
            _corrections_without(sizes, size, removed)
            for sizes, removed in ((p.row_sizes, p.a), (p.column_sizes, p.b), (self._cells, p.n))
        )
        rests = self._plain.column + self._moves[0] / (size - 1)
        rests += np.stack([both - v, both - u, u + v - both])
        rests += np.maximum(np.maximum(-rests[0], -rests[1]), 0) * np.array([[1.0], [1.0], [-1.0]])
        values = np.array([Entropies(x, y, z, size - 1).value(self.index) for x, y, z in rests.T.tolist()])
        return (size - 1) * (values - self.corrected)

    @cached_property
    def _moves(self) -> tuple[Floats, Floats]:
        """(n − 1) times the change of each quantity without a record of each triple; its part beyond logs."""
        p, size = self._profile, self._profile.size
        n, a, b = (np.asarray(x, dtype=np.float64) for x in (p.n, p.a, p.b))
        gap_n, gap_a, gap_b = map(_step_gap, (n, a, b))
        gap = float(_step_gap(np.array([float(size)]))[0])
        gaps = np.stack([gap_b - gap_n, gap_a - gap_n, gap_n - gap_a - gap_b + gap])
        logs = np.stack([np.log(n / b), np.log(n / a), np.log(a / n) + np.log(b / size)])
        return logs + self._plain.column + gaps, gaps

    @cached_property
    def _left_out(self) -> tuple[float, float]:
        """The leave-one-out standard error, and the bias by pseudo-values."""
        p, size = self._profile, self._profile.size
        if p.identical:
            return 0.0, 0.0
        own, weight = self._plain, (p.mass / size).astype(np.float64)
        moves, gaps = self._moves
        if size < _TAYLOR_SIZE:
            shifts = moves / max(size - 1, 1)
            # A trace of rounding is 0.
            shifts = np.where(np.abs(own.column + shifts) < 1e-14, -own.column, shifts)
            rests = np.array([own.moved(by).value(self.index) for by in shifts.T])
            changes = (size - 1) * (rests - self.value)
            mean = float(weight @ changes)
        else:
            slopes, bends = self._derivatives
            curved = np.einsum("ik,ij,jk->k", moves, bends, moves) / (2 * (size - 1))
            changes = slopes @ moves + curved
            # The mean of each move is that of its gap, as its other parts add up to 0.
            mean = float(slopes @ (gaps @ weight)) + float(weight @ curved)
        deviations = changes - float(weight @ changes)
        return math.sqrt(float(weight @ deviations**2) / (size - 1)), mean

    @cached_property
    def _derivatives(self) -> tuple[Floats, Floats]:
        """First and second derivatives by the three quantities."""
        step = _STEP * self._plain.h_uv
        units = np.eye(3) * step

        def at(by: Floats) -> float:
            return self._plain.moved(by).value(self.index)

        here = at(np.zeros(3))
        slopes, bends = np.zeros(3), np.zeros((3, 3))
        for i, unit in enumerate(units):
            near, far = (at(k * unit) - at(-k * unit) for k in (1, 2))
            slopes[i] = (8 * near - far) / (12 * step)
            for j, other in enumerate(units):
                both = at(unit + other) - at(unit - other) - at(other - unit) + at(-unit - other)
                bends[i, j] = both / (4 * step * step)
            bends[i, i] = (at(unit) - 2 * here + at(-unit)) / (step * step)
        return slopes, bends

    @cached_property
    def worst(self) -> float:
        """For each cluster size the largest overlap, moved to a new cluster or to the largest other one."""
        p, value, sign = self._profile, self.value, -1 if self.index.perfect == 0 else 1
        moved = chain(self._moved_records(p.column_sizes, 0), self._moved_records(p.row_sizes, 1))
        return max(0.0, *(sign * (value - each.value(self.index)) for each in moved))

    def _moved_records(self, sizes: Mapping[int, int], side: int) -> Iterator[Entropies]:
        """With one record in another cluster of the candidate (side 0) or of the reference (side 1)."""
        p, size, own = self._profile, self._profile.size, self._plain
        own_size = p.a if side else p.b
        order = np.lexsort((-p.n, own_size))
        n, b = (np.asarray(x, dtype=np.float64)[order] for x in (p.n, own_size))
        front = np.maximum.accumulate(np.append(0.0, n[:-1])) < n
        largest = max(sizes)
        second = largest if sizes[largest] > 1 else max((x for x in sizes if x < largest), default=0)
        for x, y in zip(n[front].tolist(), b[front].tolist(), strict=True):
            for target in {0, second if y == largest else largest}:
                # N·H falls by the steps of the cells and clusters that grow, and rises by those that shrink.
                joint = _x_log_x_step(x) / size
                single = (_x_log_x_step(y) - _x_log_x_step(target + 1.0)) / size
                given_other = max(own.h_v_given_u if side else own.h_u_given_v, 0.0) + joint - single
                given_own = (own.h_u_given_v if side else own.h_v_given_u) + joint
                by_side = (given_own, given_other) if side else (given_other, given_own)
                yield Entropies(*by_side, own.mutual + single - joint, size)


def _x_log_x_step(x: float) -> float:
    """x log x − (x−1) log(x−1)."""
    return math.log(x) - (x - 1) * math.log1p(-1 / x) if x > 1 else 0.0


# -- the interval ---------------------------------------------------------------------------------------


def entropy_target(index: Index) -> Index | None:
    """The function of entropies that an index estimates in a population; None if there is none.

    Chance adds nothing in an infinite population, so an adjusted index estimates the index that it adjusts.

    >>> entropy_target(INDICES["adjusted_mutual_information"]).name
    'nmi_arithmetic'
    """
    declared = index.declared or index
    if declared.name == "adjusted_mutual_information":
        return INDICES[f"nmi_{index.arguments.get('mean', 'arithmetic')}"]
    depends_on_size = declared.name == "vi_over_log_n"
    if index.views != (Information,) or index.direction == "statistic" or depends_on_size:
        return None
    return index


def entropy_interval(profile: Profile, index: Index, *, confidence: float, seed: int) -> Ends:
    """Interval of a function of entropies, for records that are a random sample.

    An index between 0 and 1 includes the value of independent partitions, unless a permutation test of the
    mutual information rejects independence: by a proven bound, or by permutations drawn with ``seed``.

    >>> profile = Profile.from_contingency([[40, 3], [2, 35]])
    >>> found = entropy_interval(profile, INDICES["v_measure"], confidence=0.95, seed=0)
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.6475, 0.3224, 0.8767)
    """
    target = entropy_target(index)
    assert target is not None  # the caller has checked this
    sample = EntropySample(profile, target, confidence)
    is_share, is_distance = target.range == (0, 1), target.perfect == 0
    reason = why_entropies_are_unknown(profile)
    if reason:
        refused = whole_range(0.0, sample.corrected, reason)
        return refused if is_share else replace(refused, high=math.inf)
    quantile = student_quantile(confidence, profile.size - 1)
    used_seed = None
    if is_share:
        low, high = _share_ends(sample, confidence, quantile)
        if low > 0:
            rejected, used_seed = profile.view(IndependenceTest).rejects(confidence, seed)
            low = low if rejected else 0.0
        low, high = (1 - high, 1 - low) if is_distance else (low, high)
    else:
        low, high = _raw_ends(sample, confidence, quantile)
    notes = []
    if target is not index:
        notes.append(f"the interval of {target.name}, which {index.name} approaches in large samples")
    if sample.gap > sample.se or sample.unseen_share > _SPARSE:
        notes.append("the sample is too sparse: unseen overlaps cause most of the width")
    return Ends(
        low, high, sample.se, sample.corrected, "corrected entropies", "; ".join(notes), seed=used_seed
    )


def why_entropies_are_unknown(profile: Profile) -> str:
    """Why a sample does not determine entropies; empty if it does."""
    for side, clusters in (("reference", profile.rows), ("candidate", profile.columns)):
        if clusters == 1:
            return f"the {side} has one cluster, so it has no entropy"
        if clusters == profile.size:
            return f"each cluster of the {side} is a singleton, so larger samples may have any entropy"
    return ""


def _share_ends(sample: EntropySample, confidence: float, quantile: float) -> tuple[float, float]:
    """Ends for a similarity from 0 to 1; for a distance, those of one minus its value."""

    def similarity(value: float) -> float:
        return 1 - value if sample.index.perfect == 0 else value

    middle, spread, jackknife, value = map(
        similarity, (sample.corrected, sample.spread, sample.jackknife, sample.value)
    )
    se, worst = sample.se, sample.worst
    low, high = ends(
        middle, se, quantile=quantile, confidence=confidence, worst=worst, gain=0.0 if se else worst
    )
    if se:
        low = min(low, ends(spread, se, quantile=quantile, confidence=confidence, worst=worst)[0])
    elif spread > 0:
        most = gamma_ends(-math.log(spread), 0.0, -math.log(max(1 - worst / spread, _LEAST)), confidence)[1]
        low = min(low, math.exp(-most))
    low = max(min(low, min(middle, spread) - quantile * se), 0.0)
    high = min(max(high, value, max(middle, jackknife) + quantile * se), 1.0)
    return low, high


def _raw_ends(sample: EntropySample, confidence: float, quantile: float) -> tuple[float, float]:
    """Ends for a distance that is 0 at best and has no upper bound."""
    half = quantile * sample.se
    low = min(sample.corrected, sample.jackknife) - half
    high = max(sample.corrected, sample.spread) + half
    for loss in (sample.corrected, sample.spread):
        variance = sample.se**2
        low = min(low, gamma_ends(loss, variance, sample.worst, confidence)[0])
        high = max(high, unseen_high(loss, variance, sample.worst, confidence))
    return max(low, 0.0), high


class IndependenceTest(View):
    """A permutation test of the mutual information, which all indices of a comparison share.

    Two proven bounds on its p-value come first. Markov's inequality is one. The other one holds for bounded
    differences: a swap of two records changes Σ n log n by at most two steps of x log x. Permutations are
    drawn only if neither bound decides: at most 199 at a level of 95%, fewer if 20 reach the observed value.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.rejects = cache(self._rejects)

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(profile)

    def _rejects(self, confidence: float, seed: int) -> tuple[bool, int | None]:
        """Whether independence is rejected at (1 − confidence)/2, and the seed if permutations were drawn."""
        p, alpha = self._profile, (1 - confidence) / 2
        observed = p.view(Information).mutual
        expected = expected_information(p.row_sizes, p.column_sizes)
        if expected <= alpha * observed:
            return True, None
        step = 2 * _x_log_x_step(float(min(max(p.row_sizes), max(p.column_sizes)))) / p.size
        excess = max(observed - expected, 0.0)
        if math.exp(-2 * excess**2 / ((p.size - 1) * step**2)) <= alpha:
            return True, None
        draws = math.ceil(5 / alpha) - 1
        index = INDICES["mutual_information"]
        found = significance(p, index, TestOptions(method="permutations", n_resamples=draws, seed=seed))
        return found.p <= alpha, found.seed
