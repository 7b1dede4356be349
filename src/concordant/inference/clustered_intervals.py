"""Intervals for units that were drawn as a whole, such as documents: each one is left out in turn.

An index is a ratio of sums over the units, or a function of such sums. Few large units make its standard
error itself uncertain, so the degrees of freedom are those of the effective number of units, and the interval
includes what one more unit, as large as the largest and all wrong, would take off.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.contingency import Contingency
from concordant.counts.pairs import PairCounts, PartialCounts
from concordant.counts.profile import Profile
from concordant.counts.three_way import Units
from concordant.errors import ParameterError
from concordant.foundation.spelling import counted, share
from concordant.indices.index import INDICES, Index
from concordant.indices.parameters import Bound
from concordant.inference.bounds import Ends, ends, scaled_bottom, whole_range
from concordant.inference.leave_one_out import jackknife_interval, jackknife_se
from concordant.inference.pair_intervals import scaled, why_not_estimable
from concordant.inference.sign_flips import UnitShares, ratio_moves
from concordant.maths.arithmetic import Floats, Integers, harmonic
from concordant.maths.tails import student_quantile

# One unit with more than this of a denominator decides most of the interval.
LARGE_SHARE = 0.2

# With k times as many units there would be k times as many pairs apart for each pair together.
_MANY = 10**6

# Indices that are a mean over the units if no cluster spans several units, and the weight of a unit.
_RECORDS: Callable[[Profile], int] = lambda p: p.size  # noqa: E731  (one of a table of formulas)
_MEANS: dict[str, Callable[[Profile], int]] = {
    "bcubed_precision": _RECORDS,
    "bcubed_recall": _RECORDS,
    "purity": _RECORDS,
    "inverse_purity": _RECORDS,
    "matching_accuracy": _RECORDS,
    "element_centric": _RECORDS,
    "lea_precision": _RECORDS,
    "lea_recall": _RECORDS,
    "cluster_precision": lambda p: p.columns,
    "cluster_recall": lambda p: p.rows,
    "cluster_f": lambda p: p.rows + p.columns,
    "ceaf_e_precision": lambda p: p.columns,
    "ceaf_e_recall": lambda p: p.rows,
    "ceaf_e_f1": lambda p: p.rows + p.columns,
    "muc_precision": lambda p: p.size - p.columns,
    "muc_recall": lambda p: p.size - p.rows,
    "muc_f1": lambda p: 2 * p.size - p.rows - p.columns,
}
_HARMONIC = {
    "bcubed_f": ("bcubed_precision", "bcubed_recall"),
    "purity_f1": ("purity", "inverse_purity"),
    "lea_f1": ("lea_precision", "lea_recall"),
}


def unit_ends(
    profile: Profile,
    index: Index,
    units: Units,
    *,
    confidence: float,
    name: str = "unit",
    sizes: Integers | None = None,
) -> Ends:
    """The interval of an index whose units were drawn at random; ``name`` is what they are called.

    ``sizes`` are those of all units of the population, if they are known.

    >>> from concordant.counts.profile import Profile
    >>> profile = Profile.from_contingency([[3, 1, 0], [0, 0, 4], [0, 0, 2]])
    >>> units = Units(2, np.array([0, 0, 1, 1]), np.arange(4), profile.table.n)
    >>> found = unit_ends(profile, INDICES["f_measure"], units, confidence=0.95)
    >>> round(found.n_effective_units, 2), round(found.largest_share, 2)
    (1.7, 0.71)
    """
    check_index(index)
    sample, bottom = unit_sample(profile, index, units, name), scaled_bottom(index, profile)
    effective, largest = sample.effective, sample.largest
    most = largest_unit(units)
    found = _scaled_ends(sample, confidence=confidence, name=name, bottom=bottom)
    if sizes is not None and found.estimable:
        _larger(sizes, units, name)
        most = int(sizes.max())
        unseen = sample.rate * float(most) ** _power(index)
        low, high = population_ends(sample, unseen, confidence=confidence, bottom=bottom)
        found = replace(found, low=min(found.low, low), high=max(found.high, high))
    return replace(
        found,
        n_effective_units=effective,
        largest_share=largest,
        largest_unit=most if found.estimable else None,
    ).on_scale_of(index, profile)


def population_ends(
    sample: UnitSample, unseen: float, *, confidence: float, bottom: float = 0.0
) -> tuple[float, float]:
    """Both ends if the largest unit of the population would have this share of the sample's denominator.

    An unseen unit of that size may be all wrong or all right, so both sides are widened.
    """
    quantile, part = student_quantile(confidence, max(sample.effective - 1, 1.0)), unseen / (1 + unseen)
    options: dict[str, Any] = {"quantile": quantile, "confidence": confidence}
    value, se = sample.estimate, sample.se
    low, high = ends(value, se, worst=value * part, bottom=bottom, **options)
    other = ends(1 - value, se, worst=(1 - value) * part, **options)
    return max(min(low, 1 - other[1]), bottom), min(max(high, 1 - other[0]), 1.0)


@dataclass(frozen=True, slots=True)
class UnitSample:
    """An index on a sample of units, on the scale whose best value is 1.

    Attributes
    ----------
    estimate : float
        The estimate.
    values : array of float
        The value without each unit in turn.
    worst : float
        The loss from one more unit, as large as the largest and all wrong.
    effective : float
        The number of units of equal size that would determine the value equally well.
    largest : float
        Largest share of one unit in the denominator.
    crossing : float
        Share of pairs that join different units.
    gap : float
        Increase of the value with many more such units, where most pairs are apart.
    rate : float
        The largest denominator of a unit for each record, or for pairs its square, as a share of all.
    refusal : str
        Why the sample does not determine the index; empty if it does.
    """

    estimate: float
    values: Floats
    worst: float
    effective: float
    largest: float
    crossing: float
    gap: float = 0.0
    rate: float = 0.0
    refusal: str = ""

    @property
    def se(self) -> float:
        return jackknife_se(self.values)


def unit_sample(profile: Profile, index: Index, units: Units, name: str = "unit") -> UnitSample:
    """The estimate of an index from units; ``name`` is the word for them."""
    value = float(scaled(index, index.value(profile), profile.size))
    of_pairs = index.views == (PairCounts,)
    crossing, reason = _crossing_or_refusal(profile, index, units, name)
    nothing = UnitSample(value, np.zeros(0), math.nan, math.nan, math.nan, crossing)
    if reason:
        return replace(nothing, refusal=reason)
    left_out = _pair_index_without if of_pairs else _mean_without
    without, denominators, worst, many = left_out(profile, index, units, value)
    values = scaled(index, without, profile.size)
    shares = denominators / (math.fsum(denominators.tolist()) or math.nan)  # in any order of the units
    if not np.isfinite(values).all() or not shares.max() < 1:
        return replace(nothing, refusal=f"without one of the {name}s {index.name} is undefined")
    effective, largest = 1 / math.fsum((shares**2).tolist()), float(shares.max())
    rate = _rate(shares, units, index)
    return UnitSample(value, values, worst, effective, largest, crossing, many - value, rate)


def _sizes(units: Units) -> Floats:
    """The records of each unit."""
    return np.asarray(np.bincount(units.unit, weights=units.n, minlength=units.count), dtype=np.float64)


def largest_unit(units: Units) -> int:
    """The number of records of the largest unit."""
    return int(_sizes(units).max())


def _power(index: Index) -> int:
    """A unit has as many pairs as the square of its size, at the largest rate that was drawn."""
    return 2 if index.views == (PairCounts,) else 1


def _rate(shares: Floats, units: Units, index: Index) -> float:
    """The largest share of a unit in the denominator for each record, or for pairs its square."""
    return float((shares / np.maximum(_sizes(units), 1) ** _power(index)).max())


def _larger(sizes: Integers, units: Units, name: str) -> Integers:
    """The units of the population that are larger than any drawn; an error if the drawn are not in it."""
    drawn, given = largest_unit(units), {"unit_sizes": ...}
    if drawn > sizes.max():
        raise ParameterError(
            f"a {name} of the sample has {drawn:,} records, more than any of the population", given=given
        )
    if units.count > len(sizes):
        raise ParameterError(
            f"the sample has {counted(units.count, name)}, and the population {len(sizes):,}; give the "
            f"size of every {name} of the population",
            given=given,
        )
    return sizes[sizes > drawn]


def _crossing_or_refusal(profile: Profile, index: Index, units: Units, name: str) -> tuple[float, str]:
    """The share of pairs that join different units, and why units do not determine the index, or ""."""
    crossing, of_pairs = _crossing_share(profile, units), index.views == (PairCounts,)
    if of_pairs:
        return crossing, why_not_estimable(index, profile.view(PairCounts))
    if not crossing:
        return crossing, ""
    return crossing, (
        f"clusters are in several {name}s, and {index.name} changes if only a part of a cluster is "
        "drawn; pair-counting indices, such as f_measure, have an interval"
    )


def unit_shares(
    profiles: tuple[Profile, Profile],
    index: Index,
    units: tuple[Units, Units],
    name: str = "unit",
    sizes: Integers | None = None,
) -> tuple[UnitShares | None, str]:
    """The share of each unit in the difference of two systems, or why there is none.

    ``sizes`` are those of all units of the population, if they are known.
    """
    check_index(index)
    crossing = 0.0
    for system, profile, own in zip(("the first system", "the second system"), profiles, units, strict=True):
        crosses, reason = _crossing_or_refusal(profile, index, own, name)
        if reason:
            return None, reason.replace("the candidate", system)
        crossing = max(crossing, crosses)
    values = [index.value(profile) for profile in profiles]
    shares_of = _pair_shares if index.views == (PairCounts,) else _mean_shares
    differences, weights, gap = shares_of(profiles, index, units)
    difference = values[0] - values[1]
    if not np.isfinite(differences).all() or not weights.sum() > 0:
        return None, f"without one of the {name}s {index.name} is undefined"
    found, notes = UnitShares.of(differences, weights, difference), []
    largest = float(found.weights.max())
    spread = float(np.linalg.norm(found.differences - difference * found.weights))
    if crossing or gap > spread > 0:
        notes.append(f"pairs across {name}s count, so the interval holds for a sample of this many {name}s")
    if largest > LARGE_SHARE:
        notes.append(f"one {name} has {share(largest, 1)} of the denominator")
    unseen = 0.0
    if sizes is not None:
        # As many as a sample of this size has on average; they may have any difference.
        larger = _larger(sizes, units[0], name).astype(np.float64) ** _power(index)
        rate = _rate(weights / weights.sum(), units[0], index)
        unseen = rate * float(larger.sum()) * units[0].count / len(sizes)
    return replace(found, bias=gap if gap <= spread else 0.0, unseen=unseen, notes=tuple(notes)), ""


def _mean_shares(
    profiles: tuple[Profile, Profile], index: Index, units: tuple[Units, Units]
) -> tuple[Floats, Floats, float]:
    """Of a ratio of sums, or of the harmonic mean of two with one denominator."""
    (above, below), (other_above, other_below) = (
        _mean_sums(profile, index, own) for profile, own in zip(profiles, units, strict=True)
    )
    weights = below[0] + other_below[0]
    if len(above) == 1:
        return ratio_moves((above[0], below[0]), (other_above[0], other_below[0])), weights, 0.0
    (p, q), (other_p, other_q) = (
        each.sum(axis=1) / under.sum(axis=1) for each, under in ((above, below), (other_above, other_below))
    )
    square = float(index.arguments.get("beta", 1.0)) ** 2
    scale = (1 + square) / ((square * p + q) * (square * other_p + other_q) * float(weights.sum()) / 2)
    moves = q * other_q * (above[0] - other_above[0]) + square * p * other_p * (above[1] - other_above[1])
    return scale * moves, weights, 0.0


def _pair_shares(
    profiles: tuple[Profile, Profile], index: Index, units: tuple[Units, Units]
) -> tuple[Floats, Floats, float]:
    """By the slopes at both systems, each weighted by its denominator: exact for ratios of pair numbers.

    Both systems have the same reference, so only pairs of the candidates differ.
    """
    by_u, by_v = _sensitivity(index)
    sums, slopes, totals, gaps = [], [], [], []
    for profile, own in zip(profiles, units, strict=True):
        pairs, table = profile.view(PairCounts), profile.table
        both, u, v = (
            np.bincount(own.unit, weights=own.n * (sizes[own.cell] - 1) / 2, minlength=own.count)
            for sizes in (table.n, table.a, table.b)
        )  # a pair of two units counts half in each
        sums.append((both, by_u * u + by_v * v, v))
        totals.append(by_u * pairs.in_u + by_v * pairs.in_v)
        slopes.append(_slopes(index, pairs))
        gaps.append(
            _value(index, PairCounts(pairs.n11, pairs.n10, pairs.n01, _MANY * pairs.n00, pairs.size))
            - index.value(profile)
        )
    total = totals[0] + totals[1]
    share = totals[0] / total if total else 0.5  # no pair counts: the caller refuses weights of 0
    by_both, by_candidate = (share * one + (1 - share) * other for one, other in zip(*slopes, strict=True))
    (both, weights, v), (other_both, other_weights, other_v) = sums
    differences = by_both * (both - other_both) + by_candidate * (v - other_v)
    return differences, weights + other_weights, abs(gaps[0] - gaps[1])


def _slopes(index: Index, pairs: PairCounts) -> tuple[float, float]:
    """The change of an index with a pair together in both, and with one together in the candidate."""
    scale = 10**6  # counts are whole numbers
    n11, in_u, in_v, size = (scale * each for each in (pairs.n11, pairs.in_u, pairs.in_v, scale * pairs.size))
    every = scale * pairs.all
    step = max(in_u, in_v, 1) // 10**5 + 1

    def slope(more_both: int, more_candidate: int) -> float:
        values = []
        for steps in range(3):
            both, candidate = n11 + steps * more_both, in_v + steps * more_candidate
            rest = every - in_u - candidate + both
            values.append(_value(index, PairCounts(both, in_u - both, candidate - both, rest, size)))
        return (4 * values[1] - 3 * values[0] - values[2]) / 2 * scale / (more_both + more_candidate)

    # Steps inside the range: to fewer common pairs if there are enough, and to more of the candidate.
    common = -step if n11 > 2 * step else step
    apart = every - in_u - in_v + n11
    return slope(common, 0), slope(0, step if apart > 2 * step else -step)


def _scaled_ends(sample: UnitSample, *, confidence: float, name: str, bottom: float) -> Ends:
    """The interval on the scale whose best value is 1."""
    if sample.refusal:
        return whole_range(bottom, sample.estimate, sample.refusal)
    value, gap, se, largest = sample.estimate, sample.gap, sample.se, sample.largest
    # An unseen good unit matters if few are good, and then always: samples without the large good units have
    # a low value and also a small standard error. Elsewhere it would only widen the interval.
    is_low = value < 0.5
    found = jackknife_interval(
        value,
        se,
        degrees=max(sample.effective - 1, 1.0),
        confidence=confidence,
        worst=sample.worst,
        gain=(1 - value) * largest / (1 + largest) if se == 0 or is_low else 0.0,
        bottom=bottom,
        always=is_low,
    )
    low, high, notes = found.low, found.high, [found.note]
    if largest > LARGE_SHARE:
        notes.append(
            f"one {name} has {share(largest, 1)} of the denominator, and the {len(sample.values):,} "
            f"{name}s count as {sample.effective:.1f}: the interval depends on few {name}s"
        )
    if sample.crossing:
        notes.append(
            f"{share(sample.crossing, 1)} of the pairs join different {name}s, so the interval holds for a "
            f"sample of this many {name}s"
        )
    elif abs(gap) > se:
        notes.append(
            f"pairs of records in different {name}s count as agreement, so the interval holds for a sample "
            f"of this many {name}s"
        )
    else:  # the interval is for this number of units, and for many more
        low, high = max(low + min(gap, 0.0), bottom), min(high + max(gap, 0.0), 1.0)
    if not low < high:
        return whole_range(bottom, value, f"no change of a {name} would change the value")
    return replace(found, low=low, high=high, note="; ".join(filter(None, notes)))


def has_unit_interval(index: Index) -> bool:
    """Whether a unit interval is known to be valid for an index.

    >>> has_unit_interval(INDICES["bcubed_f"]), has_unit_interval(INDICES["v_measure"])
    (True, False)
    """
    if index.views == (PairCounts,):
        is_bounded = not any(isinstance(end, Bound) or not math.isfinite(end) for end in index.range)
        return is_bounded and index.direction != "statistic"
    return (index.declared or index).name in {*_MEANS, *_HARMONIC}


def check_index(index: Index) -> None:
    """Refuse an index for which no unit interval is known to be valid."""
    if not has_unit_interval(index):
        raise ParameterError(
            f"{index.name} is not a mean over units, and no interval of units is known to be valid for it; "
            "f_measure, adjusted_rand and bcubed_f have one"
        )


# Values without each unit: the index, the denominator of each unit, the effect of one more unit that is as
# large as the largest and entirely wrong, and the value among many more such units.
LeftOut = tuple[Floats, Floats, float, float]


# -- pair-counting indices ------------------------------------------------------------------------------


def _pair_index_without(profile: Profile, index: Index, units: Units, value: float) -> LeftOut:
    values = [_value(index, pairs) for pairs in _pairs_without(profile, units)]
    table = profile.table
    u, v = (
        np.bincount(units.unit, weights=units.n * (sizes[units.cell] - 1) / 2, minlength=units.count)
        for sizes in (table.a, table.b)
    )  # a pair of two units counts half in each
    by_u, by_v = _sensitivity(index)
    denominators = by_u * u + by_v * v
    p = profile.view(PairCounts)
    # A unit of wrong pairs once more. All else stays, also the number of pairs apart while it suffices.
    again = int(denominators.argmax())
    missed, false = round(u[again]), round(v[again])
    rest = max(p.n00 - missed - false, 0)
    worse = _value(index, PairCounts(p.n11, p.n10 + missed, p.n01 + false, rest, p.size))
    many = _value(index, PairCounts(p.n11, p.n10, p.n01, _MANY * p.n00, p.size))
    worse, many = (float(scaled(index, each, profile.size)) for each in (worse, many))
    return np.array(values), denominators, max(value - worse, 0.0), many


def _value(index: Index, pairs: PairCounts) -> float:
    return index.value(PartialCounts.of_pairs(pairs), "nan")


@cache
def _sensitivity(index: Index) -> tuple[float, float]:
    """How much one more wrong pair of the reference, and of the candidate, lowers the value.

    For F these are the weights of both in the denominator. Counts are large, so differences are slopes.
    """
    value, *moved = (
        _value(index, PairCounts(4 * 10**9, 10**9 + missed, 10**9 + false, 9 * 10**9, 10**5))
        for missed, false in ((0, 0), (10**3, 0), (0, 10**3))
    )
    by_u, by_v = (abs(value - each) for each in moved)
    most = max(by_u, by_v)
    return (by_u / most, by_v / most) if most else (1.0, 1.0)


def _pairs_without(profile: Profile, units: Units) -> Iterator[PairCounts]:
    """Pair counts without each unit, from Σ size² over the cells, the rows and the columns that are left."""
    held = np.bincount(units.unit, weights=units.n, minlength=units.count).astype(np.int64)
    squares = []
    for unit, part, size in _parts(profile, units):
        lost = np.zeros(units.count, dtype=object)  # size² − (size − part)²
        np.add.at(lost, unit, part * (2 * size - part))
        squares.append(lost)
    p = profile.view(PairCounts)
    left = (whole - lost for whole, lost in zip((p.nn, p.aa, p.bb), squares, strict=True))
    for size, *sums in zip((profile.size - held).tolist(), *(each.tolist() for each in left), strict=True):
        yield PairCounts.from_squares(size, *sums)


def _parts(profile: Profile, units: Units) -> Iterator[tuple[Integers, NDArray[Any], NDArray[Any]]]:
    """The parts that units make of cells, rows and columns: their unit, their size, the size of the whole."""
    table = profile.table
    for group, sizes in (
        (units.cell, table.n),
        (table.row[units.cell], table.row_sizes),
        (table.column[units.cell], table.column_sizes),
    ):
        key, which = np.unique(units.unit * len(sizes) + group, return_inverse=True)
        part = np.zeros(len(key), dtype=object)
        np.add.at(part, which, units.n.astype(object))
        yield key // len(sizes), part, sizes[key % len(sizes)].astype(object)


def _crossing_share(profile: Profile, units: Units) -> float:
    """The share of the pairs together in a cluster that join records of different units."""
    p = profile.view(PairCounts)
    _, *sides = _parts(profile, units)
    inside = sum(int((part * (part - 1)).sum()) // 2 for _, part, _ in sides)
    return 1 - inside / (p.in_u + p.in_v) if p.in_u + p.in_v else 0.0


# -- means over the units -----------------------------------------------------------------------------------


def _mean_without(profile: Profile, index: Index, units: Units, value: float) -> LeftOut:
    """A mean over units, or the harmonic mean of two, without each unit."""
    above, below = _mean_sums(profile, index, units)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (above.sum(axis=1)[:, None] - above) / (below.sum(axis=1)[:, None] - below)
        values = means[0]
        if len(means) == 2:
            values = harmonic(means[0], means[1], index.arguments.get("beta", 1.0))
    denominators = below.sum(axis=0)
    share = float(denominators.max() / denominators.sum()) if denominators.any() else math.nan
    return np.asarray(values), denominators, value * share / (1 + share), value


def _mean_sums(profile: Profile, index: Index, units: Units) -> tuple[Floats, Floats]:
    """Numerators and denominators of a mean over units, or of two: one row for each mean.

    No cluster spans several units, so the value of a unit by itself is its contribution.
    """
    name = (index.declared or index).name
    parts = [INDICES[part] for part in _HARMONIC.get(name, (name,))]
    above, below = np.zeros((len(parts), units.count)), np.zeros((len(parts), units.count))
    for unit, alone in enumerate(_units_alone(profile.table, units)):
        for row, part in enumerate(parts):
            below[row, unit] = _MEANS[part.name](alone)
            above[row, unit] = below[row, unit] and part.value(alone) * below[row, unit]
    return above, below


def _units_alone(table: Contingency, units: Units) -> Iterator[Profile]:
    """The profile of each unit by itself."""
    order = np.argsort(units.unit, kind="stable")
    bounds = np.searchsorted(units.unit[order], np.arange(units.count + 1))
    for first, last in pairwise(bounds.tolist()):
        pieces = order[first:last]
        cells = units.cell[pieces]
        row, column = (core.factorize(np.ascontiguousarray(x[cells]))[0] for x in (table.row, table.column))
        yield Profile.of_table(Contingency(row, column, units.n[pieces]))
