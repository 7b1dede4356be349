"""Versus: is one system better than another, on the same records and against the same truth?

Both are left without the same record, or the same unit, in turn, so a change that both share does not count.
Swaps of whole units between the systems give an exact p-value.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Floats
from concordant.counts.conventions import Undefined, check_choice
from concordant.counts.profile import Profile
from concordant.counts.three_way import Units
from concordant.errors import InputError, ParameterError, Remedy, UndefinedError
from concordant.trust.difference import Difference, PairedSpread, check_margin, difference_of
from concordant.trust.jackknife import Spread, values_without_units
from concordant.trust.options import check_count, check_level, check_seed
from concordant.trust.paired import PairedCounts
from concordant.trust.paired_records import spread_of_records
from concordant.trust.swaps import can_swap, least_p, swap_p

VersusMethod = Literal["jackknife", "swaps"]
_METHODS = ("jackknife", "swaps")


def versus(
    paired: PairedCounts,
    index: Index,
    *,
    undefined: Undefined = "convention",
    unit: Any = "record",
    level: float = 0.95,
    margin: float | None = None,
    method: VersusMethod | None = None,
    swaps: int = 9999,
    seed: int = 0,
) -> Difference:
    """By how much the first scores more than the second."""
    check_level(level)
    check_margin(index, margin)
    if method is not None:
        check_choice("method", method, _METHODS)
    check_count("swaps", swaps)
    check_seed(seed)
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
    options: dict[str, Any] = {"level": level, "margin": margin, "span": high - low}
    if by_record:
        size = profiles[0].size
        spread, refusal = spread_of_records(paired, index)
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
    without = differences_without_units(profiles, units, index, seed)
    jackknife = Spread.of(index.name, without)
    spread = PairedSpread(
        estimate=values[0] - values[1],
        se=jackknife.se,
        worst=0.0,
        loss=1.0,
        degrees=pieces.count - 1,
    )
    found = difference_of(
        index,
        values,
        spread,
        least_p=least_p(paired.differing_units(pieces)),
        unit="unit",
        units=pieces.count,
        effective_units=float(pieces.count),
        largest_share=math.nan,
        method="jackknife",
        **options,
    )
    if method is None:
        method = "swaps" if can_swap(profiles, units, index) else "jackknife"
    if method == "jackknife":
        return found
    p, made, is_exact = swap_p(profiles, units, index, swaps, seed)
    if not found.estimable:
        return found
    return replace(found, p=p, method="swaps", swaps=made, seed=None if is_exact else seed)


def differences_without_units(
    profiles: tuple[Profile, Profile], units: tuple[Units, Units], index: Index, seed: int
) -> Floats:
    """The difference of both systems when each unit is left out in turn."""
    one, other = (
        values_without_units(profile, index, own, seed) for profile, own in zip(profiles, units, strict=True)
    )
    return np.subtract(one, other)


def pseudo_values(paired: PairedCounts, index: Index, unit: Any, seed: int) -> Floats:
    """The jackknife pseudo-values of a difference, one for each unit."""
    profiles, pieces = paired.profiles, paired.pieces(unit)
    without = differences_without_units(profiles, paired.in_tables(pieces), index, seed)
    difference = index.value(profiles[0]) - index.value(profiles[1])
    found: Floats = len(without) * difference - (len(without) - 1) * without
    return found
