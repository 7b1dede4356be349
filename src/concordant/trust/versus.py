"""Versus: is one system better than another, on the same records and against the same truth?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from concordant.counts.spelling import counted
from concordant.trust.finding import Finding, shown, shown_p
from concordant.trust.tails import log_upper_normal, normal_quantile, student_quantile, student_within

DifferenceMethod = Literal["jackknife", "linear", "swaps", "none"]


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Finding):
    """By how much the first of two systems scores more than the second, and how sure that is."""

    index: str
    first: float
    second: float
    difference: float  # first − second
    low: float
    high: float
    se: float
    z: float
    p: float  # two-sided, of no difference
    level: float
    unit: str  # what was drawn
    units: int
    method: DifferenceMethod
    swaps: int  # of whole units, where that gave the p-value
    seed: int | None
    note: str

    def __repr__(self) -> str:
        how = {
            "jackknife": f"paired jackknife of {counted(self.units, self.unit)}",
            "linear": f"paired, {counted(self.units, self.unit)}",
            "swaps": f"p by {self.swaps:,} swaps of whole units, seed {self.seed}; "
            f"interval by the paired jackknife of {counted(self.units, self.unit)}",
            "none": f"{counted(self.units, self.unit)}",
        }[self.method]
        said = f"; {self.note}" if self.note else ""
        return (
            f"{self.index} {shown(self.first)} against {shown(self.second)}: {signed(self.difference)}, "
            f"{self.level * 100:g}% interval {signed(self.low)} to {signed(self.high)}, {shown_p(self.p)} "
            f"({how}{said})"
        )


def signed(value: float) -> str:
    """A difference as a sentence has it.

    >>> signed(0.01234), signed(-0.5), signed(0.0)
    ('+0.0123', '-0.5000', '0')
    """
    return f"+{shown(value)}" if value > 0 else shown(value)


def difference_of(
    index: str,
    values: tuple[float, float],
    se: float,
    *,
    level: float,
    degrees: int | None,
    unit: str,
    units: int,
    method: DifferenceMethod = "linear",
) -> Difference:
    """The difference of two values with this standard error; without degrees of freedom by the normal law."""
    first, second = values
    difference = first - second
    note = ""
    if se == 0:
        z, p, half, method = math.nan, float(difference == 0), 0.0, "none"
        note = "both do the same" if difference == 0 else f"every {unit} tells the same"
    else:
        z = difference / se
        p = _two_sided(z, degrees)
        half = se * (normal_quantile(level) if degrees is None else student_quantile(level, degrees))
    low, high = difference - half, difference + half
    return Difference(
        index, first, second, difference, low, high, se, z, p, level, unit, units, method, 0, None, note
    )


def _two_sided(z: float, degrees: int | None) -> float:
    """P(|Z| ≥ |z|)."""
    if degrees is None or degrees > 1000:
        return min(2 * math.exp(log_upper_normal(abs(z))), 1.0)
    return max(1 - student_within(abs(z), degrees), 0.0)
