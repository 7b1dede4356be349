"""A regime of simulated samples, and the share of its results that hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Random = np.random.Generator
LEVELS = (0.8, 0.9, 0.95, 0.99)
# The least share of intervals that contain the value, and the largest share of tests with p ≤ .05.
LEAST_COVERAGE = {0.8: 0.78, 0.9: 0.88, 0.95: 0.93, 0.99: 0.975}
MOST_REJECTIONS = 0.055
FEW = 20  # answers


@dataclass(slots=True)
class Share:
    """The number of hits among the answers; refused answers are counted separately."""

    hits: int = 0
    answers: int = 0
    refused: int = 0
    width: float = 0.0  # the sum over the answers

    def add(self, hit: bool, *, estimable: bool = True, width: float = 0.0) -> None:
        if estimable:
            self.hits += bool(hit)
            self.answers += 1
            self.width += width
        else:
            self.refused += 1

    @property
    def share(self) -> float:
        return self.hits / self.answers if self.answers else math.nan

    def __str__(self) -> str:
        if not self.answers:
            return "refused"
        refused = self.refused / (self.refused + self.answers)
        share = f"{self.share:.3f}" if self.answers >= FEW else f"{self.hits} of {self.answers}"
        width = f" width {self.width / self.answers:.4f}" if self.width else ""
        return share + width + (f" ({refused:.0%} refused)" if refused >= 0.005 else "")


Result = dict[str, Share]


@dataclass(frozen=True, slots=True)
class Regime:
    """One population and sample size. A row of the page shows the worst of its cases."""

    table: str
    row: str
    case: str
    simulate: Callable[[Random, int], Result]
    cost: float = 1  # the number of runs is divided by it

    @property
    def title(self) -> str:
        return f"{self.row}, {self.case}" if self.case else self.row


def at(level: float) -> str:
    """The column of a confidence level, after the name of an index.

    >>> at(0.95)
    '95%'
    """
    return f"{level:.0%}"


def add_interval(found: Result, name: str, level: float, each: Any, true: float) -> None:
    """Count an interval at a level, of any procedure."""
    held = each.low - 1e-9 <= true <= each.high + 1e-9
    share = found.setdefault(f"{name} {at(level)}", Share())
    share.add(held, estimable=getattr(each, "estimable", True), width=each.high - each.low)


def add_difference(found: Result, name: str, differences: Mapping[float, Any], true: float) -> None:
    """Count the intervals of a difference, its p-value, and whether both agree."""
    for level, each in differences.items():
        add_interval(found, name, level, each, true)
        if each.estimable and level == 0.95:
            test = "p ≤ .05" if abs(true) < 1e-9 else "power"
            found.setdefault(f"{name} {test}", Share()).add(each.p <= 0.05)
            agrees = (each.p <= 0.05) == (not each.low <= 0 <= each.high)
            found.setdefault(f"{name} agrees", Share()).add(agrees)
