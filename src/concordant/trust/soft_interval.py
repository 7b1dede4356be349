"""Intervals of soft indices if records were drawn one by one: the effect of leaving out each record."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.conventions import Undefined
from concordant.counts.mantel import mantel_variance, pairs_of_pairs
from concordant.counts.memberships import Memberships
from concordant.counts.soft import SoftCounts, matched_by, overlaps_of
from concordant.differences.soft_records import record_sums
from concordant.errors import InputError, SoftError
from concordant.indices.index import Index
from concordant.trust.ends import Ends, ends, whole_range, widenings
from concordant.trust.interval import Interval, interval_of
from concordant.trust.leave_one_out import LeaveOneOut, jackknife_se
from concordant.trust.options import SampleOptions
from concordant.trust.tails import student_quantile

# Why no interval is offered: simulated coverage was below 0.93, or there is no method to simulate.
_NO_INTERVAL = {
    "frobenius_adjusted_rand": "each record counts as a pair with itself, so the value depends on the size "
    "of the sample",
    "soft_rand": "it compares all pairs, and would have to repeat this without each record",
    "degree_of_concordance": "it compares all pairs, and would have to repeat this without each record",
    "adjusted_concordance": "it compares all pairs, and would have to repeat this without each record",
}


def has_soft_interval(name: str) -> bool:
    """Whether a method is known to be valid for the soft index."""
    return name not in _NO_INTERVAL


def soft_interval(counts: SoftCounts, index: Index, sample: SampleOptions, undefined: Undefined) -> Interval:
    """An interval for the value of the population, if the records were drawn from it one by one."""
    if reason := _NO_INTERVAL.get(index.name):
        raise SoftError(
            f"there is no interval for {index.name}: {reason}; use soft_adjusted_rand, soft_rand_squared or "
            "soft_matching_accuracy"
        )
    if counts.sides.are_draws:
        raise SoftError(
            "there is no interval for draws: they vary between draws and between samples of records, "
            "and no method is known to be valid"
        )
    if counts.size < 2:
        raise InputError("an interval needs at least 2 records")
    value = index.value(counts, undefined)
    if index.name == "soft_matching_accuracy":
        found = _matching_ends(counts, value, sample)
    else:
        found = _pair_ends(counts, index, sample.confidence)
    found = replace(found, estimate=value)
    return interval_of(found, index, value, unit="record", units=counts.size, confidence=sample.confidence)


def _matching_ends(counts: SoftCounts, value: float, sample: SampleOptions) -> Ends:
    """Two random halves, as for the matching accuracy of labels.

    A matching fits the records that it is chosen on, so the value is too high. Matchings that are chosen on
    one half and counted on the other give a value that is too low. The interval reaches from the lower limit
    of the latter, with half of the records, to the upper limit of the former.
    """
    size, confidence, seed = counts.size, sample.confidence, sample.seed
    se = float(np.std(record_sums(counts).moved, ddof=1)) / math.sqrt(size)
    other = _stayed_in_other_half(counts, seed)
    mean, other_se = float(other.mean()), float(np.std(other, ddof=1)) * math.sqrt(2 / size)
    few = max(size // 2, 2)
    low, _ = ends(
        mean,
        other_se,
        quantile=student_quantile(confidence, few - 1),
        confidence=confidence,
        worst=1 / few,
        gain=1 / few,
    )
    quantile = student_quantile(confidence, size - 1)
    _, high = ends(value, se, quantile=quantile, confidence=confidence, worst=1 / size, gain=1 / size)
    return Ends(
        low,
        high,
        se,
        value,
        "two random halves",
        widenings(value, se, (low, high), quantile=quantile),
        seed=seed,
    )


def _stayed_in_other_half(counts: SoftCounts, seed: int) -> NDArray[np.float64]:
    """The weight of each record in clusters that were matched on the half without it."""
    width, is_first = counts.sides.columns[1], np.random.default_rng(seed).random(counts.size) < 0.5
    halves = []
    for chosen in (is_first, ~is_first):
        rows = ((u.taken(own), v.taken(own)) for u, v, own in _chosen_rows(counts, chosen))
        halves.append(matched_by(overlaps_of(rows), width))
    stayed = []
    for u, v, first in _chosen_rows(counts, is_first):
        own = np.zeros(len(u), dtype=bool)
        own[first] = True
        one, other = u.weights(), v.weights()
        rest = np.minimum(u.rest_weights(), v.rest_weights())
        by_half = [
            np.minimum(one[:, [i for i, _ in half]], other[:, [j for _, j in half]]).sum(axis=1) + rest
            for half in halves
        ]
        stayed.append(np.where(own, by_half[1], by_half[0]))
    return np.concatenate(stayed)


def _chosen_rows(
    counts: SoftCounts, chosen: NDArray[np.bool_]
) -> Iterator[tuple[Memberships, Memberships, NDArray[np.int64]]]:
    """The rows of both sides in pieces, with the positions of the chosen ones in each."""
    begin = 0
    for u, v in counts.sides.pieces():
        yield u, v, np.flatnonzero(chosen[begin : begin + len(u)])
        begin += len(u)


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums over pairs: those of all records, or arrays with one entry for each record."""

    size: Any
    p: Any
    q: Any
    pp: Any
    qq: Any
    difference: Any  # Σ(p − q)²

    def with_record(self, sign: int, other: _Sums) -> _Sums:
        """The sums with (+1) or without (−1) the pairs of one more record."""
        return _Sums(
            self.size + sign,
            *(
                getattr(self, name) + sign * getattr(other, name)
                for name in ("p", "q", "pp", "qq", "difference")
            ),
        )

    def value(self, *, adjusted: bool) -> Any:
        """The index; not a number where it is 0/0."""
        pairs = self.size * (self.size - 1) / 2
        unit = self.pp + self.qq - 2 * self.p * self.q / pairs if adjusted else pairs
        with np.errstate(divide="ignore", invalid="ignore"):
            return 1 - self.difference / np.where(np.asarray(unit) > 0, unit, np.nan)


def _pair_ends(counts: SoftCounts, index: Index, confidence: float) -> Ends:
    """The jackknife of an index of Σp, Σq, Σp², Σq² and Σ(p − q)², widened for unseen records."""
    size, bottom = counts.size, index.bounds(counts)[0]
    known, own = counts.pair_sums, record_sums(counts)
    whole = _Sums(size, *map(float, (known.p, known.q, known.pp, known.qq, known.squared_difference)))
    each = _Sums(size, own.p, own.q, own.pp, own.qq, own.pairs)
    value = float(whole.value(adjusted=index.adjusted))
    if math.isnan(value):
        return whole_range(bottom, 1.0, "all pairs are together with the same probability on both sides")
    without = whole.with_record(-1, each).value(adjusted=index.adjusted)
    if size < 3 or np.isnan(without).any():
        return whole_range(bottom, value, "without one of the records the index is undefined")
    worst, gain = _worst_and_gain(counts, whole, value, adjusted=index.adjusted)
    left_out = LeaveOneOut(
        value=value, se=jackknife_se(without), degrees=size - 1, worst=worst, gain=gain, bottom=bottom
    )
    return left_out.interval(
        confidence, lambda quantile: _chance_deviation(whole, each, value, quantile, adjusted=index.adjusted)
    )


def _worst_and_gain(counts: SoftCounts, whole: _Sums, value: float, *, adjusted: bool) -> tuple[float, float]:
    """How much one unseen record, wholly in one cluster of each side, would lower or raise the value."""
    uu, uv, vv, s, t = counts.gram.tables()
    own, other = np.diag(uu)[:, None], np.diag(vv)[None, :]
    unseen = _Sums(1, s[:, None], t[None, :], own, other, own + other - 2 * uv)
    changes = whole.with_record(1, unseen).value(adjusted=adjusted) - value
    return max(-float(np.nanmin(changes)), 0.0), max(float(np.nanmax(changes)), 0.0)


def _chance_deviation(whole: _Sums, each: _Sums, value: float, quantile: float, *, adjusted: bool) -> float:
    """The standard deviation of the value by chance, if the value does not exceed chance; else 0."""
    size = whole.size
    pairs = size * (size - 1) / 2
    graphs = [
        pairs_of_pairs(2 * (squares - total**2 / pairs), float(((rows - 2 * total / size) ** 2).sum()))
        for total, squares, rows in ((whole.p, whole.pp, each.p), (whole.q, whole.qq, each.q))
    ]
    middle = 2 * whole.p * whole.q / pairs
    unit = whole.pp + whole.qq - middle if adjusted else pairs
    by_chance = 0.0 if adjusted else 1 - (whole.pp + whole.qq - middle) / pairs
    deviation = 2 * math.sqrt(mantel_variance(graphs[0], graphs[1], size)) / unit
    return deviation if abs(value - by_chance) <= quantile * deviation else 0.0
