"""Interval: the likely value in a population from which the records or the units were drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core, engines
from concordant.clusterings.alignment import values_by_record
from concordant.clusterings.coerce import named_columns
from concordant.clusterings.labels import identify, is_missing
from concordant.clusterings.record_names import RecordNames
from concordant.counts.base import Counts
from concordant.counts.counted_sides import CountedSides, Records
from concordant.counts.pair_costs import JoinComponents
from concordant.counts.profile import Profile
from concordant.counts.three_way import Units
from concordant.errors import (
    CoverError,
    InputError,
    LabelError,
    ParameterError,
    UnmatchedError,
    WeightsError,
)
from concordant.foundation.conventions import Undefined
from concordant.foundation.results import read_only_class
from concordant.foundation.spelling import counted
from concordant.indices.index import Index
from concordant.inference.bounds import Ends
from concordant.inference.clustered_intervals import unit_ends
from concordant.inference.options import SampleOptions
from concordant.inference.record_intervals import record_ends
from concordant.inference.statistic import Finding, shown, size_condition

_TOO_SHORT = "the interval is too short"


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class Interval(Finding):
    """A confidence interval for the value in the population. `Comparison.interval` returns it.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float
        Value in the sample.
    estimate : float
        Centre of the interval: the value, or a bias-corrected estimate.
    low, high : float
        Ends of the interval.
    se : float
        Standard error.
    confidence : float
        Confidence level.
    unit : str
        The sampling unit: record, component or unit.
    n_units : int
        Number of units.
    n_effective_units : float or None
        Number of units of equal size that would determine the value equally well. None for records.
    largest_share : float or None
        Largest share of one unit in the denominator. None for records.
    largest_unit : int or None
        The interval assumes that no unit of the population has more records. None for records.
    method : str
        The method.
    note : str
        Remarks.
    estimable : bool
        Whether the sample determines the index. If not, the interval is the whole range.
    seed : int or None
        Seed of the method, if it draws.
    conventions : str
        Unusual conventions.
    """

    index: str
    value: float
    estimate: float
    low: float
    high: float
    se: float
    confidence: float
    unit: str
    n_units: int
    n_effective_units: float | None
    largest_share: float | None
    largest_unit: int | None
    method: str
    note: str
    estimable: bool
    seed: int | None
    conventions: str = ""

    @property
    def headline(self) -> str:
        """The interval and the population that it generalises to."""
        drawn = counted(self.n_units, self.unit)
        notes = [each for each in (self.note, self._origin) if each]
        begin = f"{self.index} was {shown(self.value)} in {drawn}"
        if not self.estimable:
            return f"{begin}; its value in the population is {'; '.join(notes)}."
        if self.seed is not None:
            notes.insert(0, f"seed {self.seed}")
        estimate = "" if self.estimate == self.value else f" (estimate {shown(self.estimate)})"
        condition = size_condition(f"{self.unit} of the population", self.largest_unit)
        return (
            f"{begin} drawn at random; the {self.confidence * 100:g}% interval for the population of "
            f"{self.unit}s is {shown(self.low)} to {shown(self.high)}{estimate}{condition} "
            f"({self.method}; {'; '.join(notes)})."
        )

    @property
    def basis(self) -> str:
        """The method, the units that were drawn, and what limits the interval."""
        drawn = counted(self.n_units, self.unit)
        if self.n_effective_units is not None:
            drawn += f" (effectively {self.n_effective_units:.1f})"
        if self.seed is not None:
            drawn += f", seed {self.seed}"
        return f"{self.method} of {drawn}" + (f"; {self.note}" if self.note else "")

    def _summary(self) -> str:
        if not self.estimable:
            return f"{self.index} {shown(self.value)} in {counted(self.n_units, self.unit)}: {self.note}"
        estimate = "" if self.estimate == self.value else f"estimate {shown(self.estimate)}, "
        return (
            f"{self.index} {shown(self.value)}, {estimate}{self.confidence * 100:g}% interval "
            f"{shown(self.low)} to {shown(self.high)} (se {shown(self.se)}; {self.basis})"
        )


def interval(
    known: CountedSides,
    index: Index,
    sample: SampleOptions,
    undefined: Undefined = "convention",
    drawn: tuple[Profile, Units] | None = None,
) -> Interval:
    """The interval of an index of these partitions.

    ``drawn`` has the units of records in sources, and the profile whose cells they refer to.
    """
    unit, confidence = sample.unit, sample.confidence
    _refuse_other_counts(known.counts)
    profile = known.counts.partitions if drawn is None else drawn[0]
    if profile.size < 2:
        raise InputError("an interval needs at least 2 records")
    if isinstance(unit, str) and unit == "record":
        refuse_sizes(sample, "records have no sizes; name the unit of each record")
        name, units = "record", profile.size
        found = record_ends(profile, index, confidence, sample.seed)
    else:
        by_component = isinstance(unit, str) and unit == "component"
        own = _units_of(known, unit) if drawn is None else drawn[1]
        name, units = ("component" if by_component else "unit"), own.count
        if units < 2:
            raise InputError(f"all records are in one {name}: one {name} does not show how {name}s vary")
        found = unit_ends(profile, index, own, confidence=confidence, name=name, sizes=sample.unit_sizes)
    notes = [
        found.note,
        pixel_warning(_TOO_SHORT) if known.are_pixels and name == "record" and found.estimable else "",
    ]
    found = replace(found, note="; ".join(filter(None, notes)))
    value = index.value(profile, undefined)
    return interval_of(found, index, value, unit=name, units=units, confidence=confidence)


def intervals_of(given: Any) -> list[Interval]:
    """The intervals that the caller has computed."""
    found = list(given) if isinstance(given, Iterable) else [given]
    if not all(isinstance(each, Interval) for each in found):
        raise ParameterError("pass True or False, or the results of interval()", given={"interval": given})
    return found


def refuse_sizes(sample: SampleOptions, reason: str) -> None:
    """Refuse sizes of units where they have no meaning."""
    if sample.unit_sizes is not None:
        raise ParameterError(reason, given={"unit_sizes": ...})


def interval_of(
    found: Ends, index: Index, value: float, *, unit: str, units: int, confidence: float
) -> Interval:
    """The interval with these ends for the value of an index."""
    # An estimate without bias may be outside the range.
    inside = replace(found, estimate=min(max(found.estimate, found.low), found.high))
    return Interval(
        index=index.name, value=value, confidence=confidence, unit=unit, n_units=units, **asdict(inside)
    )


def pixel_warning(effect: str) -> str:
    """A note for label images whose pixels are taken as records, and what this does to the result."""
    return (
        f"pixels are not independent: neighbours are nearly always in one object, so {effect}; compare each "
        "image as a unit"
    )


def _refuse_other_counts(counts: Counts) -> None:
    """Refuse counts that are not those of two partitions of one set, with the reason."""
    if counts.divisible:
        _ = counts.partitions  # its error suggests a remedy
    if counts.kind == "weights":
        raise WeightsError(
            "there is no interval for weighted records: it depends on how they were drawn, and no method "
            "is known to be valid; compare without weights, or estimate from clusters that were drawn with "
            "unequal probabilities"
        )
    if counts.kind == "covers":
        raise CoverError(
            "there is no interval for covers: a record may be in several clusters, so leaving it out "
            "changes several of them, and no method is known to be valid; compare partitions"
        )
    if counts.kind == "partial_overlap":
        raise UnmatchedError(
            "there is no interval where each side has records of its own, as in coreference: which records "
            "are found varies between samples, too, and no method is known to be valid",
            remedies=counts.remedies,
        )


# -- units --------------------------------------------------------------------------------------------------


def _units_of(known: CountedSides, unit: Any) -> Units:
    """The pieces that units make of the cells of the table."""
    profile = known.counts.partitions
    table = profile.table
    if isinstance(unit, str) and unit == "component":  # connected components, if no units are given
        joined = profile.view(JoinComponents)
        return Units(int(joined.count), joined.of_row[table.row], np.arange(len(table)), table.n)
    code, count = unit_codes(known, unit, "'record', 'component'")
    pieces, n = np.unique(code * len(table) + np.asarray(known.names.records.cell), return_counts=True)
    return Units(count, pieces // len(table), pieces % len(table), n)


def unit_codes(known: CountedSides, unit: Any, words: str = "'record'") -> tuple[NDArray[np.int64], int]:
    """The unit of each record as a number, and how many units there are; ``words`` name other units.

    A dataframe in memory may have them in a column.
    """
    if isinstance(unit, str) and known.observed is not None:
        unit = named_columns(known.observed, (unit,))[unit]
    if isinstance(unit, str) and known.frames is not None:
        (values,) = engines.slice_values(known, (unit,), None, None)
        if lacking := sum(map(is_missing, values)):
            raise LabelError(
                f"this column is null for {counted(lacking, 'record')}: name the unit of every record, or "
                "leave these records out",
                given={"unit": unit},
            )
    elif isinstance(unit, str):
        raise ParameterError(
            f"use {words}, or the unit of each record: a mapping or a sequence", given={"unit": unit}
        )
    else:
        values = list(record_values(known.names.records, unit, "unit", "unit"))
    code, first = core.factorize(np.ascontiguousarray(identify(values)[0]))
    return code, len(first)


def record_values(records: Records, given: Any, option: str, noun: str) -> list[Any] | NDArray[Any]:
    """The value of each record, as `values_by_record` gives it."""
    if isinstance(records, RecordNames):
        return records.values(given, option, noun)
    names = records.everyone
    order = names if all(name == place for place, name in enumerate(names)) else None
    return values_by_record(names, given, option, noun, order=order)
