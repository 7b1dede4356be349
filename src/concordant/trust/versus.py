"""Versus: is one system better than another, on the same records and against the same truth?

Each record, or each unit, is left out of both systems in turn, so a change that both share does not count.
Swaps of whole units between the systems give an exact p-value.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Floats
from concordant.counts.conventions import Undefined
from concordant.counts.spelling import percent
from concordant.errors import InputError, ParameterError, Remedy, UndefinedError
from concordant.trust.difference import Difference, PairedSpread, check_margin, difference_of
from concordant.trust.interval import pixel_warning
from concordant.trust.leave_one_out import jackknife_se
from concordant.trust.options import SampleOptions
from concordant.trust.paired import PairedCounts
from concordant.trust.paired_records import refusal_of, spread_between, spread_of_records
from concordant.trust.swaps import can_swap, least_p, swap_p
from concordant.trust.units import (
    LARGE_SHARE,
    UnitSample,
    check_index,
    has_unit_interval,
    unit_sample,
)

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
    options: dict[str, Any] = {"level": sample.level, "margin": margin, "span": high - low}
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
            units=size,
            method="jackknife",
            **options,
        )
    pieces = paired.pieces(unit)
    if pieces.count < 2:
        raise InputError("all records are in one unit: how units vary cannot be determined from one")
    units = paired.in_tables(pieces)
    if method is None:
        method = "swaps" if can_swap(profiles, units, index) else "jackknife"
    options |= {"unit": "unit", "units": pieces.count, "method": method}
    by_swaps: dict[str, Any] = {}
    if method == "swaps":
        p, made, is_exact = swap_p(profiles, units, index, sample.swaps, sample.seed)
        by_swaps = {"p": p, "swaps": made, "seed": None if is_exact else sample.seed}
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
        effective_units=min(each.effective for each in samples),
        largest_share=max(each.largest for each in samples),
        **options,
    )
    return replace(found, **by_swaps) if found.estimable else found


def _without_interval(
    index: Index, values: tuple[float, float], options: dict[str, Any], by_swaps: dict[str, Any]
) -> Difference:
    """The p-value of swaps, which is exact for any index, for one that has no interval of units."""
    kept = {name: options[name] for name in ("level", "unit", "units", "method")}
    return Difference(
        index=index.name,
        first=values[0],
        second=values[1],
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
        notes.append(f"one unit has {percent(max(one.largest, other.largest), 1)} of the denominator")
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
