"""The values of indices as people read them: as numbers, and as bars that start at chance."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from concordant.counts.base import Counts
from concordant.foundation.results import rounded
from concordant.indices.index import Index

if TYPE_CHECKING:
    from concordant.inference.interval import Interval

ROOM_BELOW = 0.25  # how much of the way from chance to the high end is shown below chance


@dataclass(frozen=True, slots=True)
class Line:
    """One index with its value in this comparison."""

    index: Index
    value: float
    undefined: bool
    chance: float | None = None  # its mean over random permutations, where that is shown and known


def format_value(value: float) -> str:
    """A value as people read it: four decimals, counts with thousands separators, 1 only if it is 1.

    >>> format_value(0.66666), format_value(1234.0), format_value(0.99999), format_value(-0.0)
    ('0.6667', '1,234', '>0.9999', '0.0000')
    """
    if math.isnan(value):
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if 0.99995 <= abs(value) < 1:
        return ">0.9999" if value > 0 else "<-0.9999"
    if abs(value) >= 1e15:
        return f"{value:.4e}"
    if abs(value) >= 10 and float(value).is_integer():
        return f"{int(value):,}"
    return f"{value + 0.0:,.4f}" if abs(value) >= 5e-5 or value == 0 else f"{value:.1e}"  # never -0.0000


def format_interval(found: Interval) -> str:
    """The ends of an interval, and the estimate at its centre if the value is outside."""
    if not found.estimable:
        return "not estimable from this sample"
    ends = f"{format_value(found.low)} to {format_value(found.high)}"
    return ends if found.low <= found.value <= found.high else f"{ends}, about {format_value(found.estimate)}"


def two_decimals(value: float, perfect: float | None = 1.0) -> str:
    """A value in little space; ``perfect`` is the value of equal partitions, if they have one.

    >>> two_decimals(0.4774), two_decimals(0.9979), two_decimals(1.0), two_decimals(1234.0)
    ('0.48', '>0.99', '1.00', '1,234')
    """
    is_long = not math.isfinite(value) or abs(value) >= 1e15
    if is_long or (abs(value) >= 10 and float(value).is_integer()):
        return format_value(value)
    return rounded(value, 2, perfect)


def chance_words(line: Line) -> str:
    """The value of the index by chance, in words; nothing where it is not known."""
    return "" if line.chance is None else f"chance {format_value(line.chance)}"


def format_line(line: Line) -> str:
    """The value of an index. Counts have no decimals; their range is unbounded, or its end grows with n."""
    counts = not isinstance(line.index.range[1], float | int) or math.isinf(line.index.range[1])
    return f"{int(line.value):,}" if counts and line.value.is_integer() else format_value(line.value)


def bar_length(line: Line, sides: int | Counts) -> float | None:
    """A value as the length of its bar, from chance or the low end of the range, 0, to the high end, 1.

    It is negative below chance, and None where the range has no high end or nothing was compared.

    >>> from concordant.indices.index import INDICES
    >>> some = (("adjusted_rand", 0.67), ("recall", 0.72), ("adjusted_rand", -0.1))
    >>> [bar_length(Line(INDICES[name], value, undefined=False), 9) for name, value in some]
    [0.67, 0.72, -0.1]
    """
    low, high = line.index.bounds(sides)
    start = 0.0 if line.index.adjusted or low < 0 < high else low
    has_scale = math.isfinite(start) and math.isfinite(high) and start < high
    size = sides.size if isinstance(sides, Counts) else sides
    if not size or math.isnan(line.value) or not has_scale:
        return None
    return min((line.value - start) / (high - start), 1.0)


def is_clipped(length: float) -> bool:
    """Whether a value is below the visible range."""
    return length < -ROOM_BELOW


def drawn_length(length: float) -> float:
    """The visible length of a bar.

    >>> drawn_length(0.6), drawn_length(-3.0)
    (0.6, -0.25)
    """
    return max(length, -ROOM_BELOW)


def bar_edges(length: float, room: float) -> tuple[float, float]:
    """Left edge and width of a bar as shares of the whole, with this much space below the start."""
    shown = drawn_length(length)
    return (room + min(shown, 0.0)) / (1 + room), abs(shown) / (1 + room)


def room_below(lengths: Iterable[float | None]) -> float:
    """The space that stacked bars need to the left of where they start."""
    return ROOM_BELOW if any(length is not None and length < 0 for length in lengths) else 0.0
