"""One unit left out in turn: how far a value may be from that of the population that the units are from.

A unit is whatever was drawn: a record, a document, a labelled cluster. Each kind of comparison has its own
way to compute the value without one of them. The rest is the same: the jackknife standard error (Miller 1974,
Biometrika 61:1), and an interval that is widened for units that the sample may have missed and for the
variation by chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from concordant.inference.bounds import Ends, ends, widenings
from concordant.maths.arithmetic import Floats
from concordant.maths.tails import student_quantile


def jackknife_variance(squares: float, units: float) -> float:
    """The variance of a value from the squared deviations of the values without each unit from their mean.

    >>> jackknife_variance(0.5, 2)
    0.25
    """
    return (units - 1) / units * squares


def jackknife_se(without: Floats, times: Floats | None = None) -> float:
    """The standard error from the value without each unit, or its distance from the value of all.

    ``times`` is the number of units with each value, if equal values are given only once.

    >>> jackknife_se(np.array([1.0, 2.0, 3.0])), jackknife_se(np.array([1.0, 2.0]), np.array([2.0, 1.0]))
    (1.1547005383792515, 0.6666666666666666)
    """
    number = np.ones(len(without)) if times is None else times
    units = math.fsum(number.tolist())
    mean = math.fsum((number * without).tolist()) / units
    squares = math.fsum((number * (without - mean) ** 2).tolist())
    return math.sqrt(jackknife_variance(squares, units))


def jackknife_interval(
    value: float,
    se: float,
    *,
    degrees: float,
    confidence: float,
    worst: float,
    bottom: float = 0.0,
    chance: Callable[[float], float] | None = None,
    **unseen: Any,
) -> Ends:
    """The interval of a value whose best is 1, from its standard error with these degrees of freedom.

    ``worst``, ``bottom`` and ``unseen`` are as `ends` takes them. ``chance`` returns the standard deviation
    of the value by chance, or 0 if the value exceeds chance by more than a number of them. Leaving out a unit
    changes next to nothing if both sides are independent, while the value still varies as it does by chance.

    >>> found = jackknife_interval(1.0, 0.0, degrees=49, confidence=0.95, worst=0.02)
    >>> round(found.low, 4), found.high, found.note
    (0.9282, 1.0, 'widened for unseen disagreements')
    """
    quantile = student_quantile(confidence, degrees)
    known: dict[str, Any] = {"quantile": quantile, "bottom": bottom}
    low, high = ends(value, se, confidence=confidence, worst=worst, **known, **unseen)
    notes = [widenings(value, se, (low, high), **known)]
    by_chance = 0.0 if chance is None else quantile * chance(quantile)
    if by_chance > min(value - low, high - value):
        low, high = min(low, max(value - by_chance, bottom)), max(high, min(value + by_chance, 1.0))
        notes.append("widened to the variation by chance")
    return Ends(low, high, se, value, "jackknife", "; ".join(filter(None, notes)))
