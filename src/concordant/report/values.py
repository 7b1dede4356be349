"""The values of indices as people read them: as numbers, and as bars that start at chance."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from concordant.catalogue.index import Index

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

    >>> format_value(0.66666), format_value(1234.0), format_value(1.0), format_value(0.99999)
    ('0.6667', '1,234', '1.0000', '>0.9999')
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
    return f"{value:,.4f}" if abs(value) >= 5e-5 or value == 0 else f"{value:.1e}"


def two_decimals(value: float) -> str:
    """A value where there is little room: truncated, so a nearly perfect value never reads as perfect.

    >>> two_decimals(0.9979), two_decimals(1.0)
    ('0.99', '1.00')
    """
    text = format_value(value)
    short = text[:-2] if text[-5:-4] == "." else text
    return "0.00" if short == "-0.00" else short


def chance_words(line: Line) -> str:
    """The value of the index by chance, in words; nothing where it is not known."""
    return "" if line.chance is None else f"chance {format_value(line.chance)}"


def format_line(line: Line) -> str:
    """The value of an index. Counts without decimals: their range has an end that grows with n, or none."""
    counts = not isinstance(line.index.range[1], float | int) or math.isinf(line.index.range[1])
    return f"{int(line.value):,}" if counts and line.value.is_integer() else format_value(line.value)


@dataclass(frozen=True, slots=True)
class ValueBar:
    """A value as a bar: it starts at chance or at the low end of the range, which is 0; the high end is 1."""

    length: float  # negative below chance, never below -ROOM_BELOW
    is_clipped: bool = False  # the value is below all that the room shows

    def edges(self, room: float) -> tuple[float, float]:
        """Left edge and width as shares of the whole, with this much room below the start."""
        return (room + min(self.length, 0.0)) / (1 + room), abs(self.length) / (1 + room)


def bar_of(line: Line, size: int) -> ValueBar | None:
    """The bar of a value, None where the range has no high end to measure it by, or nothing was compared.

    >>> from concordant.catalogue.index import INDICES
    >>> some = (("adjusted_rand", 0.67), ("recall", 0.72), ("adjusted_rand", -0.1))
    >>> [bar_of(Line(INDICES[name], value, undefined=False), 9).length for name, value in some]
    [0.67, 0.72, -0.1]
    >>> bar_of(Line(INDICES["adjusted_mutual_information"], -3.0, undefined=False), 9)
    ValueBar(length=-0.25, is_clipped=True)
    """
    low, high = line.index.bounds(size)
    start = 0.0 if line.index.adjusted or low < 0 < high else low
    has_scale = math.isfinite(start) and math.isfinite(high) and start < high
    if not size or math.isnan(line.value) or not has_scale:
        return None
    length = (line.value - start) / (high - start)
    return ValueBar(min(max(length, -ROOM_BELOW), 1.0), is_clipped=length < -ROOM_BELOW)


def room_below(bars: Iterable[ValueBar | None]) -> float:
    """The room that stacked bars need to the left of where they start."""
    return ROOM_BELOW if any(bar is not None and bar.length < 0 for bar in bars) else 0.0
