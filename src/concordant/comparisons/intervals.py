"""Intervals of the indices that a report shows first, if the caller states that the records are a sample."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from concordant import trust
from concordant.catalogue.index import Index
from concordant.counts.conventions import Undefined
from concordant.counts.counted import Counted
from concordant.errors import ParameterError, Remedy
from concordant.partitions.missing import unusual_conventions
from concordant.trust.record_intervals import has_interval
from concordant.trust.units import has_unit_interval

if TYPE_CHECKING:
    from concordant.trust.interval import Interval


def interval_of(
    known: Counted,
    index: Index,
    undefined: Undefined,
    *,
    level: float = 0.95,
    unit: Any = "record",
    seed: int = 0,
) -> Interval:
    """The interval of one index; the units of a source are one of its columns."""
    drawn = None
    if known.sources is not None and isinstance(unit, str) and unit not in ("record", "component"):
        drawn = trust.paired.PairedCounts.units_of_source(known, unit)
    found = trust.interval.interval(
        known, index, undefined=undefined, level=level, unit=unit, seed=seed, drawn=drawn
    )
    return replace(found, conventions=unusual_conventions({**known.conventions, "undefined": undefined}))


def headline_intervals(
    known: Counted,
    indices: Iterable[Index],
    undefined: Undefined,
    *,
    interval: bool | Iterable[Interval],
    unit: Any = None,
) -> list[Interval]:
    """The intervals that the caller passed, or 95% intervals of the indices for which a method is valid."""
    if not isinstance(interval, bool):
        if unit is not None:
            raise ParameterError(
                "unit= needs interval=True; intervals that you computed already have their units",
                given={"unit": unit},
            )
        found = list(interval)
        if len({each.level for each in found}) > 1:
            raise ParameterError(
                "the intervals of a report must have the same level; compute them with the same level="
            )
        return found
    if not interval and unit is None:
        return []
    is_known = has_interval if unit is None else has_unit_interval
    known_to_hold = [index for index in indices if is_known(index)]
    if not known_to_hold:
        raise ParameterError(
            "no valid interval is known for any of these indices",
            given={"interval": interval} if unit is None else {"unit": unit},
            remedies=[Remedy("choose others", indices=...)],
        )
    drawn = "record" if unit is None else unit
    return [interval_of(known, index, undefined, unit=drawn) for index in known_to_hold]
