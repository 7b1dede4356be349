"""Interval: how a value would vary for other data of the same kind, by the jackknife."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.catalogue.index import Index
from concordant.counts.conventions import Undefined
from concordant.counts.counted import Counted, Records
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.counts.three_way import Units
from concordant.errors import InputError, LabelError, LengthError, ParameterError, UndefinedError
from concordant.partitions.labels import identify
from concordant.trust.finding import Finding, shown, software
from concordant.trust.jackknife import Spread, spread_of_elements, values_without_units
from concordant.trust.options import check_level, check_seed
from concordant.trust.tails import logit_ends, normal_quantile, student_quantile
from concordant.views.costs import JoinComponents

_GROWTH = 1.5  # a square root of four times as many is 2
IntervalMethod = Literal["logit", "plain", "corrected", "none"]


@dataclass(frozen=True, slots=True, repr=False)
class Interval(Finding):
    """Where the value of the population lies, if the units were drawn from it at random."""

    index: str
    value: float
    low: float
    high: float
    se: float
    corrected: float  # the value less its bias, by pseudo-values
    biased: bool  # it lies more than one standard error away, and the interval is about it
    level: float
    unit: str  # what was drawn: record, component or unit
    units: int  # how many of them
    left_out: int  # how many times something was left out: each unit, or groups of them
    method: IntervalMethod
    note: str
    seed: int | None  # of the groups
    conventions: str = ""

    @property
    def sentence(self) -> str:
        """The interval and the population that it generalises to."""
        return (
            f"{self.index} was {shown(self.value)} in {counted(self.units, self.unit)} drawn at random; "
            f"{self.level * 100:g}% interval {shown(self.low)} to {shown(self.high)} for the population "
            f"they were drawn from (jackknife; {software()})."
        )

    def _summary(self) -> str:
        share = f"{self.level * 100:g}%"
        drawn = counted(self.units, self.unit)
        if self.left_out != self.units:
            drawn += f" in {self.left_out} groups, seed {self.seed}"
        note = f"; {self.note}" if self.note else ""
        return (
            f"{self.index} {shown(self.value)}, {share} interval {shown(self.low)} to {shown(self.high)} "
            f"(se {shown(self.se)}; jackknife of {drawn}{note})"
        )


def interval(
    known: Counted,
    index: Index,
    *,
    undefined: Undefined = "convention",
    level: float = 0.95,
    unit: Any = "record",
    seed: int = 0,
    drawn: tuple[Profile, Units] | None = None,
) -> Interval:
    """The interval of an index of these partitions.

    ``drawn`` are the units of records that lie in sources, and the profile whose cells they speak of.
    """
    check_level(level)
    check_seed(seed)
    profile = known.counts.partitions if drawn is None else drawn[0]
    if profile.size < 2:
        raise InputError("an interval needs at least 2 elements")
    value = index.value(profile, undefined)
    if not math.isfinite(value):
        raise UndefinedError(f"{index.name} is not defined for these partitions: it has no interval")
    if isinstance(unit, str) and unit == "record":
        spread, one_by_one = spread_of_elements(profile, index, seed)
        quantile = normal_quantile(level) if one_by_one else student_quantile(level, spread.parts - 1)
        name, units = "record", profile.size
    else:
        by_component = isinstance(unit, str) and unit == "component"
        table = profile.table
        if drawn is not None:
            found = drawn[1]
        elif by_component:  # connected components represent units if none are given
            joined = profile.view(JoinComponents)
            found = Units(int(joined.count), joined.of_row[table.row], np.arange(len(table)), table.n)
        elif isinstance(unit, str):
            raise ParameterError(
                "use 'record', 'component', or the unit of each record: a mapping or a sequence",
                given={"unit": unit},
            )
        else:
            records = known.names.records
            code, count = unit_codes(records, unit)
            pieces, n = np.unique(code * len(table) + np.asarray(records.cell), return_counts=True)
            found = Units(count, pieces // len(table), pieces % len(table), n)
        name, units = ("component" if by_component else "unit"), found.count
        if units < 2:
            raise InputError(f"all records lie in one {name}: how {name}s vary cannot be told from one")
        spread = Spread.of(index.name, values_without_units(profile, index, found, seed))
        quantile = student_quantile(level, spread.parts - 1)
    low, high, method, note = _ends(index, value, spread, quantile, index.bounds(profile.size))
    if method == "none":
        # Leaving out changes nothing: m units that all agree bound the share of those that do not.
        note = "no disagreement seen"
        if value != index.perfect:
            note = f"leaving out a {name} changes nothing"
        elif name != "record" and index.range == (0, 1) and index.perfect == 1:
            low = (1 - level) ** (1 / units)
            note = "no disagreement seen, so that only the lower end is told"
    corrected = spread.corrected(value)
    return Interval(
        index=index.name,
        value=value,
        low=low,
        high=high,
        se=spread.se,
        corrected=corrected,
        biased=bool(note) and method == "corrected",
        level=level,
        unit=name,
        units=units,
        left_out=spread.parts,
        method=method,
        note=note,
        seed=seed if spread.parts != units else None,
    )


@cache
def _grows(index: Index) -> bool:
    """Whether four times as many records in each overlap make it larger: a count, or a test statistic."""
    few, many = (Profile.from_contingency([[3 * k, k], [0, 5 * k]]) for k in (6, 24))
    bounds = index.bounds(few.size)
    if bounds == index.bounds(many.size) and all(map(math.isfinite, bounds)):
        return False
    return abs(index.value(many)) > _GROWTH * abs(index.value(few))


def _ends(
    index: Index, value: float, spread: Spread, quantile: float, bounds: tuple[float, float]
) -> tuple[float, float, IntervalMethod, str]:
    """Both ends, by which rule, and what must be said of it."""
    se, corrected = spread.se, spread.corrected(value)
    if se == 0:
        return value, value, "none", ""
    of_pairs = index.views == (Pairs,)
    if of_pairs and bounds == (0, 1) and 0 < value < 1:
        return *logit_ends(value, quantile * se / (value * (1 - value))), "logit", ""
    grows = _grows(index)
    middle = value if of_pairs or grows else corrected
    low, high = (min(max(middle + sign * quantile * se, bounds[0]), bounds[1]) for sign in (-1, 1))
    if grows:  # pseudo-values would take the growth for a bias
        return low, high, "plain", "it grows with the number of records: for as many as these"
    if of_pairs:
        return low, high, "plain", ""
    biased = abs(value - corrected) > se
    note = f"the sample value is biased, corrected value {shown(corrected)} used" if biased else ""
    return low, high, "corrected", note


# -- units --------------------------------------------------------------------------------------------------


def unit_codes(records: Records, unit: Any) -> tuple[NDArray[np.int64], int]:
    """The unit of each record as a number, and how many units there are."""
    names = records.everyone
    given: Any = unit
    if isinstance(unit, Mapping):
        missing = next((name for name in names if name not in unit), None)
        if missing is not None:
            raise LabelError(f"unit= has no unit for the record {missing!r}")
    elif isinstance(unit, AbstractSet) or not isinstance(unit, Iterable):
        raise ParameterError(
            "give the unit of each record: a mapping, or a sequence in the order of the reference",
            given={"unit": unit},
        )
    else:
        given = unit.tolist() if hasattr(unit, "tolist") else list(unit)
        if any(type(name) is not int for name in names):
            raise ParameterError(
                "the records have names, so units go by name, too: a mapping from record to unit"
            )
        if any(not 0 <= name < len(given) for name in names):
            raise LengthError(f"unit= has {len(given):,} units for {len(names):,} records; give one for each")
    code, first = core.factorize(np.ascontiguousarray(identify([given[name] for name in names])[0]))
    return code, len(first)
