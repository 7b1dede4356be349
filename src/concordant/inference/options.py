"""Options that several methods share, and their checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.errors import ParameterError
from concordant.maths.arithmetic import Integers

_LEAST_LEVEL, _MOST_LEVEL = 0.001, 0.99999
_LARGEST_UNIT = 2**62  # records


def check_seed(seed: int) -> None:
    """Refuse a seed that would not give the same random numbers again, on any machine."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise ParameterError("use a whole number from 0 to 2^64 - 1", given={"seed": seed})


def check_count(option: str, number: Any) -> int:
    """The number as an int; anything but a positive whole number is refused."""
    if not isinstance(number, int | np.integer) or isinstance(number, bool) or number < 1:
        raise ParameterError("use a positive whole number", given={option: number})
    return int(number)


def check_share(option: str, number: Any, what: str) -> None:
    """Refuse a number that is not strictly between 0 and 1; ``what`` names it, with an example."""
    if not isinstance(number, int | float) or isinstance(number, bool) or not 0 < number < 1:
        raise ParameterError(f"use {what}", given={option: number})


def check_confidence(confidence: Any) -> None:
    """Refuse an invalid confidence level, or one too extreme for any method, which prints as 0% or 100%."""
    what = f"a share from {_LEAST_LEVEL:g} to {_MOST_LEVEL:g}, such as 0.95"
    check_share("confidence", confidence, what)
    if not _LEAST_LEVEL <= confidence <= _MOST_LEVEL:
        raise ParameterError(f"use {what}", given={"confidence": confidence})


def _checked_sizes(given: Any) -> Integers:
    given = given.values() if isinstance(given, Mapping) else given
    is_listed = hasattr(given, "__iter__") and not isinstance(given, str)
    sizes = list(given) if is_listed else []
    whole = [isinstance(each, int | np.integer) and not isinstance(each, bool) for each in sizes]
    if not sizes or not all(whole) or not 1 <= min(sizes) <= max(sizes) <= _LARGEST_UNIT:
        raise ParameterError(
            "use the number of records of each unit of the population: positive whole numbers, or a "
            "mapping from unit to number",
            given={"unit_sizes": ...},
        )
    return np.array(sizes, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class SampleOptions:
    """The units of a sample, and how an interval or the difference of two systems is computed from it.

    >>> SampleOptions(confidence=0.9).unit
    'record'
    """

    unit: Any = "record"
    confidence: float = 0.95
    margin: float | None = None
    n_resamples: int = 9999
    seed: int = 0
    unit_sizes: Any = None  # the number of records of each unit of the population; then an array

    def __post_init__(self) -> None:
        check_confidence(self.confidence)
        object.__setattr__(self, "n_resamples", check_count("n_resamples", self.n_resamples))
        check_seed(self.seed)
        if self.unit_sizes is not None:
            object.__setattr__(self, "unit_sizes", _checked_sizes(self.unit_sizes))

    @property
    def is_by_record(self) -> bool:
        """Whether records were drawn one by one."""
        return isinstance(self.unit, str) and self.unit == "record"

    @property
    def title(self) -> str:
        """The title of a column of intervals."""
        return f"{self.confidence * 100:g}% interval"
