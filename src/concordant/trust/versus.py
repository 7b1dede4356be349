"""The spread of a difference if records were drawn one by one: each is left out of both systems in turn.

Each family of indices has its own estimate of the value in the population, as for intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from concordant.counts.arithmetic import Floats, Integers
from concordant.counts.conventions import Undefined
from concordant.counts.pairs import PairCounts
from concordant.counts.profile import Profile
from concordant.counts.spelling import share
from concordant.counts.table import Table
from concordant.errors import InputError, ParameterError, Remedy, UndefinedError
from concordant.indices.index import Index
from concordant.trust.difference import Difference, PairedSpread, check_margin, difference_of
from concordant.trust.entropies import EntropySample, entropy_target, why_entropies_are_unknown
from concordant.trust.interval import pixel_warning
from concordant.trust.leave_one_out import jackknife_se
from concordant.trust.options import SampleOptions
from concordant.trust.pair_intervals import (
    moves_without,
    scaled_value,
    why_no_pair_interval,
    why_not_estimable,
    worst_and_gain,
)
from concordant.trust.paired import PairedCounts
from concordant.trust.swaps import can_swap, least_p, swap_p
from concordant.trust.units import (
    LARGE_SHARE,
    UnitSample,
    check_index,
    has_unit_interval,
    unit_sample,
)
from concordant.trust.without_self_pairs import BCUBED, MOST_SINGLETONS, bcubed_without_self_pairs

# A standard error below this is 0 except for rounding.
ROUNDING = 1e-14
# With fewer, tests of equal systems by corrected entropies reject too often.
_FEWEST_FOR_ENTROPIES = 100


@dataclass(frozen=True, slots=True)
class SystemSample:
    """One system on a sample of records, on a scale whose best value is 1.

    Attributes
    ----------
    estimate : float
        The estimate.
    moves : array of float
        Change of the estimate without one record of each cell.
    worst : float
        The loss from one unseen bad record.
    bias : float
        Largest bias of the estimate.
    unseen_share : float
        Share of records that the estimate does not cover.
    note : str
        The quantity that is estimated, if it is not the value.
    refusal : str
        Why the sample does not determine the index; empty if it does.
    """

    estimate: float
    moves: Floats
    worst: float
    bias: float = 0.0
    unseen_share: float = 0.0
    note: str = ""
    refusal: str = ""


def spread_of_records(paired: PairedCounts, index: Index) -> tuple[PairedSpread | None, str]:
    """How far the difference may be off, or why the sample does not determine it."""
    cells, profiles = paired.cells, paired.profiles
    sample = _method_for(index)
    one, other = (sample(profile, index) for profile in profiles)
    if reason := refusal_of(one, other):
        return None, reason
    moves = one.moves[cells.cell_of_first] - other.moves[cells.cell_of_second]
    if not np.isfinite(moves).all():
        return None, "without one of the records the index is undefined"
    size, n = cells.size, np.asarray(cells.n, dtype=np.float64)
    spread = spread_between(
        index,
        one,
        other,
        top=index.bounds(size)[1],
        se=jackknife_se(moves, n),
        degrees=size - 1,
        bias=max(one.bias, other.bias),
    )
    unseen_share = max(one.unseen_share, other.unseen_share)
    return replace(spread, unseen_share=unseen_share, note=one.note), ""


def refusal_of(one: SystemSample | UnitSample, other: SystemSample | UnitSample) -> str:
    """Why the sample does not determine the index of one of two systems; empty if it does for both."""
    for system, sample in (("the first system", one), ("the second system", other)):
        if sample.refusal:
            return sample.refusal.replace("the candidate", system)
    return ""


def spread_between(
    index: Index,
    one: SystemSample | UnitSample,
    other: SystemSample | UnitSample,
    *,
    top: float,
    se: float,
    degrees: float,
    bias: float,
) -> PairedSpread:
    """The spread of a difference, from samples on the scale whose best value is 1; ``top`` ends the range."""
    scale = -top if index.direction == "distance" else top  # a distance is 0 at best
    return PairedSpread(
        estimate=scale * (one.estimate - other.estimate),
        se=top * se if se > ROUNDING else 0.0,
        worst=top * max(one.worst, other.worst),
        loss=top * (1 - min(one.estimate, other.estimate)),
        degrees=degrees,
        bias=top * bias,
    )


def _method_for(index: Index) -> Callable[[Profile, Index], SystemSample]:
    """How an index is estimated from a sample; an error if no method is known to be valid."""
    reason = why_no_pair_interval(index)
    if not reason:
        return _pair_sample
    if entropy_target(index) is not None:
        return _entropy_sample
    if (index.declared or index).name in BCUBED:
        return _bcubed_sample
    raise ParameterError(
        f"no test of a difference of {index.name} is known to be valid if records are drawn one by one: "
        f"{reason}; f_measure, adjusted_rand, bcubed_f and v_measure have one"
    )


def _refused(reason: str) -> SystemSample:
    return SystemSample(math.nan, np.zeros(0), math.nan, refusal=reason)


def _pair_sample(profile: Profile, index: Index) -> SystemSample:
    pairs, table = profile.view(PairCounts), profile.table
    refusal = why_not_estimable(index, pairs)
    if refusal:
        return _refused(refusal)
    triples, kind = _triples_of_cells(table)
    moves = moves_without(profile, index, *triples)[kind]
    return SystemSample(float(scaled_value(index, pairs)), moves, worst_and_gain(profile, index)[0])


def _triples_of_cells(table: Table) -> tuple[Integers, Integers]:
    """The different triples (n, a, b), in the order of a profile, and that of each cell."""
    triples, kind = np.unique(np.stack([table.a, table.b, table.n]), axis=1, return_inverse=True)
    return triples[[2, 0, 1]], np.asarray(kind).reshape(-1)


def _entropy_sample(profile: Profile, index: Index) -> SystemSample:
    """By entropies corrected for unseen overlaps; the two corrections differ by the possible bias."""
    target, size = entropy_target(index), profile.size
    assert target is not None  # checked by the caller
    if size < _FEWEST_FOR_ENTROPIES:
        return _refused(
            f"differences of entropies are biased below {_FEWEST_FOR_ENTROPIES} records, and there are {size}"
        )
    refusal = why_entropies_are_unknown(profile)
    if refusal:
        return _refused(refusal)
    sample, top = EntropySample(profile, target, 0.95), target.bounds(size)[1]
    sign = -1 if target.direction == "distance" else 1
    estimate = sample.corrected / top
    moves = sign * sample.corrected_changes[_triples_of_cells(profile.table)[1]] / (top * (size - 1))
    note = "entropies corrected for unseen overlaps"
    if target is not index:
        note = f"the difference of {target.name}, which {index.name} approaches; {note}"
    return SystemSample(
        estimate if sign > 0 else 1 - estimate, moves, sample.worst / top, bias=sample.gap / top, note=note
    )


def _bcubed_sample(profile: Profile, index: Index) -> SystemSample:
    found, size = bcubed_without_self_pairs(profile, index), profile.size
    if found.singletons > MOST_SINGLETONS:
        return _refused(
            f"{found.singletons:.0%} of the records are singletons of the candidate or the reference"
        )
    note = "without self-pairs"
    if found.singletons:
        note += f"; singletons, up to {found.singletons:.0%} of the records, may have any value"
    moves = found.changes / (size - 1)
    return SystemSample(found.value, moves, 2 / size, unseen_share=found.singletons, note=note)


PIXELS = pixel_warning("the interval is too short, and p is too small")


def versus(
    paired: PairedCounts, index: Index, sample: SampleOptions, undefined: Undefined = "convention"
) -> Difference:
    """By how much the first system scores higher than the second."""
    unit, margin, method = sample.unit, sample.margin, sample.method
    check_margin(index, margin)
    by_record = isinstance(unit, str) and unit == "record"
    if by_record and method == "swaps":
        raise ParameterError(
            "whole units are swapped, such as documents; the labels of two systems are unrelated, so single "
            "records cannot be swapped",
            given={"method": method},
            remedies=[Remedy("name the unit of each record", unit=...)],
        )
    profiles = paired.profiles
    if profiles[0].size < 2:
        raise InputError("a difference needs at least 2 elements")
    values = index.value(profiles[0], undefined), index.value(profiles[1], undefined)
    if not all(map(math.isfinite, values)):
        raise UndefinedError(f"{index.name} is not defined for these partitions: there is no difference")
    low, high = index.bounds(profiles[0].size)
    options: dict[str, Any] = {"confidence": sample.confidence, "margin": margin, "span": high - low}
    if by_record:
        size = profiles[0].size
        spread, refusal = spread_of_records(paired, index)
        if spread is not None and paired.are_pixels:
            spread = replace(spread, note="; ".join(filter(None, [spread.note, PIXELS])))
        return difference_of(
            index,
            values,
            spread,
            refusal=refusal,
            unit="record",
            n_units=size,
            method="jackknife",
            **options,
        )
    pieces = paired.pieces(unit)
    if pieces.count < 2:
        raise InputError("all records are in one unit: how units vary cannot be determined from one")
    units = paired.in_tables(pieces)
    if method == "auto":
        method = "swaps" if can_swap(profiles, units, index) else "jackknife"
    options |= {"unit": "unit", "n_units": pieces.count, "method": method}
    by_swaps: dict[str, Any] = {}
    if method == "swaps":
        p, made, is_exact = swap_p(profiles, units, index, sample.n_resamples, sample.seed)
        by_swaps = {"p": p, "n_resamples": made, "seed": None if is_exact else sample.seed}
        if not has_unit_interval(index) and margin is None:
            return _without_interval(index, values, options, by_swaps)
    check_index(index)
    samples = [unit_sample(profile, index, own) for profile, own in zip(profiles, units, strict=True)]
    spread, refusal = _spread_of_units(index, *samples)
    found = difference_of(
        index,
        values,
        spread,
        refusal=refusal,
        least_p=least_p(paired.differing_units(pieces)),
        n_effective_units=min(each.effective for each in samples),
        largest_share=max(each.largest for each in samples),
        **options,
    )
    return replace(found, **by_swaps) if found.estimable else found


def _without_interval(
    index: Index, values: tuple[float, float], options: dict[str, Any], by_swaps: dict[str, Any]
) -> Difference:
    """The p-value of swaps, which is exact for any index, for one that has no interval of units."""
    kept = {name: options[name] for name in ("confidence", "unit", "n_units", "method")}
    return Difference(
        index=index.name,
        value=values[0],
        other=values[1],
        difference=values[0] - values[1],
        estimate=values[0] - values[1],
        low=-options["span"],
        high=options["span"],
        se=math.nan,
        adjusted_se=math.nan,
        note=f"no interval of units is known to be valid for {index.name}",
        **by_swaps,
        **kept,
    )


def _spread_of_units(index: Index, one: UnitSample, other: UnitSample) -> tuple[PairedSpread | None, str]:
    """How far the difference may be off when units were drawn, or why they do not determine it."""
    if reason := refusal_of(one, other):
        return None, reason
    se, gap = jackknife_se(one.values - other.values), abs(one.gap - other.gap)
    notes = []
    if max(one.crossing, other.crossing) or gap > se > 0:
        notes.append("pairs of different units count: the interval is for the same number of units")
    if max(one.largest, other.largest) > LARGE_SHARE:
        notes.append(f"one unit has {share(max(one.largest, other.largest), 1)} of the denominator")
    top = float(index.range[1])  # type: ignore[arg-type]  # indices with an interval have a range in numbers
    degrees = max(min(one.effective, other.effective) - 1, 1.0)
    bias = gap if gap <= se else 0.0
    spread = spread_between(index, one, other, top=top, se=se, degrees=degrees, bias=bias)
    return replace(spread, note="; ".join(notes)), ""


def pseudo_values(paired: PairedCounts, index: Index, unit: Any) -> Floats:
    """The jackknife pseudo-values of a difference, one for each unit; 0 if the units do not determine it."""
    check_index(index)
    pieces = paired.pieces(unit)
    units = zip(paired.profiles, paired.in_tables(pieces), strict=True)
    one, other = (unit_sample(profile, index, own) for profile, own in units)
    if one.refusal or other.refusal:
        return np.zeros(pieces.count)
    number, without = pieces.count, one.values - other.values
    found: Floats = number * (one.estimate - other.estimate) - (number - 1) * without
    return found
