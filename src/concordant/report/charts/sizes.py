"""How many clusters there are of each size, on both sides."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from concordant.foundation.conventions import SIDES, SideName
from concordant.foundation.spelling import counted
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, Chart, plain_text
from concordant.report.palette import LIGHT
from concordant.report.report_data import ReportData, SideTitles
from concordant.report.sentences import side_title

BothSizes = tuple[Mapping[int, int], Mapping[int, int]]
_FEW = 60  # clusters of both sides together; fewer are dots
_DOTS = 60  # next to each other at most
_TICKS = 6  # of a linear axis, and the zero


def _is_few(both: BothSizes) -> bool:
    """Whether each cluster can be a dot of its own."""
    return sum(sum(of.values()) for of in both) < _FEW


def stacked(sizes: Mapping[int, int], most: int) -> list[tuple[int, int]]:
    """Each cluster as a dot at its size, and the number of dots below it.

    >>> stacked({4: 2, 5: 1, 190: 1}, 190)
    [(4, 0), (4, 1), (5, 2), (190, 0)]
    """
    heights: dict[int, int] = {}
    dots = []
    for size in sorted(sizes):
        place = size * _DOTS // (most + 1)  # dots nearer than this would overlap
        for _ in range(sizes[size]):
            dots.append((size, heights.setdefault(place, 0)))
            heights[place] += 1
    return dots


def linear_ticks(most: int) -> list[int]:
    """A few round whole numbers from 0 to beyond the largest.

    >>> linear_ticks(247), linear_ticks(3)
    ([0, 50, 100, 150, 200, 250], [0, 1, 2, 3])
    """
    power = 10 ** max(len(str(most)) - 1, 0)
    steps = (max(power * part // 10, 1) for part in (1, 2, 5, 10, 20, 50))
    step = next(step for step in steps if most / step <= _TICKS)
    return list(range(0, most + step, step))


def _largest(both: BothSizes) -> int:
    return max([1, *both[0], *both[1]])


def size_ranges(both: BothSizes, most: int = 9) -> list[int]:
    """The lower ends of a few ranges of sizes, each the same multiple of the one before, and the end.

    >>> size_ranges(({1: 9, 2: 4}, {3: 1}))
    [1, 2, 3, 4]
    """
    found = [*both[0], *both[1]]
    low, high = min(found, default=1), max(found, default=1) + 1
    if high - low <= most:
        return list(range(low, high + 1))
    ratio = (high / low) ** (1 / most)
    return sorted({*(round(low * ratio**i) for i in range(most)), high})


def numbers_in(sizes: Mapping[int, int], edges: list[int]) -> list[int]:
    """How many clusters fall into each range.

    >>> numbers_in({1: 9, 3: 4}, [1, 2, 4])
    [9, 4]
    """
    numbers = [0] * (len(edges) - 1)
    for size, count in sizes.items():
        numbers[bisect_right(edges, size) - 1] += count
    return numbers


def range_label(low: int, high: int) -> str:
    """The sizes from low to below high, in few characters.

    >>> range_label(1, 2), range_label(40, 100), range_label(1593, 4005)
    ('1', '40–99', '1.6k–4k')
    """
    ends = [low] if high == low + 1 else [low, high - 1]
    return "–".join(map(short_count, ends))


def count_ticks(most: int) -> list[int]:
    """The lines of a logarithmic axis of counts: no fractions; if there are few, also 2 and 5.

    >>> count_ticks(7), count_ticks(3000)
    ([1, 2, 5], [1, 10, 100, 1000])
    """
    firsts = (1,) if most >= 100 else (1, 2, 5)
    powers = [10**power for power in range(len(str(most)))]
    return [first * power for power in powers for first in firsts if first * power <= most]


def short_count(count: int) -> str:
    """A count in few characters.

    >>> short_count(950), short_count(1200), short_count(250_000)
    ('950', '1.2k', '250k')
    """
    for power, sign in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if count >= 10 ** (power + 2):
            return f"{count // 10**power:,}{sign}"
        if count >= 10**power:
            return f"{count / 10**power:.2g}{sign}"
    return str(count)


def _draw(ax: Any, data: ReportData, _: SideName | None) -> None:
    both = data.sizes
    colours = (LIGHT.reference, LIGHT.candidate)
    if _is_few(both):
        most = _largest(both)
        for of, name, colour, mark, way in zip(both, data.names, colours, "os", (1, -1), strict=True):
            dots = stacked(of, most)
            sizes, heights = [float(size) for size, _ in dots], [way * (level + 1) for _, level in dots]
            ax.plot(sizes, heights, mark, markersize=5, label=plain_text(name), color=colour)
        ticks = linear_ticks(most)
        ax.set_xticks(ticks, [short_count(tick) for tick in ticks])
        ax.set(xlim=(0, 1.04 * most), yticks=[])
        ax.axhline(0, color=LIGHT.line, linewidth=1)
        ax.spines["left"].set_visible(False)
    else:
        edges = size_ranges(both)
        places = np.arange(len(edges) - 1)
        numbers = [numbers_in(of, edges) for of in both]
        # Set before the dots are drawn: Matplotlib cannot choose a scale if there are none.
        most = max(1, *map(max, numbers))
        ax.set(yscale="log", ylim=(0.5, 1.6 * most), ylabel="clusters")
        ax.set_yticks(count_ticks(most), [short_count(count) for count in count_ticks(most)])
        ax.set_yticks([], minor=True)
        looks = zip(numbers, data.names, colours, "os", (-0.1, 0.1), strict=True)
        for counts, name, colour, mark, shift in looks:  # dots: a bar on this axis would have no base
            numbered = [count or math.nan for count in counts]
            ax.plot(places + shift, numbered, mark, markersize=5, label=plain_text(name), color=colour)
        ax.set_xticks(places, [range_label(low, high) for low, high in pairwise(edges)], fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_xlabel("records in a cluster", fontsize=FONT + 1)
    ax.tick_params(labelsize=FONT)
    ax.legend(frameon=False, fontsize=FONT)


def _svg(both: BothSizes, names: SideTitles, *, narrow: bool) -> svg.Drawing:
    if _is_few(both):
        return _dots_svg(both, names, narrow=narrow)
    width, left, top, tall = (svg.NARROW if narrow else svg.WIDE), 56.0, 40.0, 190.0
    edges, words = _ranges_that_fit(both, width - left - 6, narrow=narrow)
    wide = (width - left - 6) / len(words)
    numbers = [numbers_in(of, edges) for of in both]
    most = max(1, *map(max, numbers))  # an empty comparison has an axis, too
    span = math.log10(most) - math.log10(0.5) + 0.1

    def y_of(count: float) -> float:
        return top + tall * (1 - (math.log10(count) - math.log10(0.5)) / span)

    body = ""
    for tick in count_ticks(most):
        body += svg.element("path", class_="line", d=f"M{left:.1f} {y_of(tick):.1f}H{width - 6}")
        body += svg.text(short_count(tick), x=left - 8, y=y_of(tick) + 4.5, text_anchor="end")
    apart = min(wide * 0.36, 14.0)  # dots, as a bar on a logarithmic axis would have no base
    for side, kind in enumerate(SIDES):
        at = left + side * (width - left) / 2
        body += svg.element("circle", class_=f"node {kind}", cx=at + 5, cy=13.5, r=5.0)
        body += svg.text(svg.plain(names[side], 12 if narrow else 30), x=at + 18, y=18)
        for place, (count, word) in enumerate(zip(numbers[side], words, strict=True)):
            if count:
                x = left + (place + 0.5) * wide + (side - 0.5) * apart
                title = f"{svg.plain(names[side], 40)}: {counted(count, 'cluster')} of {word} records"
                body += svg.element("circle", title, class_=f"node {kind}", cx=x, cy=y_of(count), r=5.0)
    for place, word in enumerate(words):
        x = left + (place + 0.5) * wide
        body += svg.text(word, class_="tick", x=x, y=top + tall + 18, text_anchor="middle")
    body += svg.text("records in a cluster", class_="tick", x=left, y=top + tall + 40)
    body += svg.text("clusters", class_="tick", x=2, y=top - 6)
    return svg.Drawing(width, top + tall + 48, body)


def _ranges_that_fit(both: BothSizes, room: float, *, narrow: bool) -> tuple[list[int], list[str]]:
    """The lower ends of as many ranges as have space for their labels, and the labels."""
    for most in range(5 if narrow else 9, 0, -1):
        edges = size_ranges(both, most)
        words = [range_label(low, high) for low, high in pairwise(edges)]
        if max(svg.width(word, narrow=narrow) for word in words) + 4 <= room / len(words):
            break
    return edges, words


def _dots_svg(both: BothSizes, names: SideTitles, *, narrow: bool) -> svg.Drawing:
    """Each cluster as a dot: the reference above the line, the candidate below."""
    most, width, left = _largest(both), (svg.NARROW if narrow else svg.WIDE), 20.0
    radius = 2.4 if narrow else 6.0
    ticks = linear_ticks(most)
    stacks = [stacked(of, most) for of in both]
    tall = [2.1 * radius * (1 + max((level for _, level in dots), default=0)) + 8 for dots in stacks]
    line = 36 + tall[0]

    def x_of(size: float) -> float:
        return left + (width - 2 * left) * size / ticks[-1]

    body = svg.element("path", class_="line", d=f"M{left:.1f} {line:.1f}H{width - left:.1f}")
    for side, kind in enumerate(SIDES):
        at = left + side * (width - left) / 2
        body += svg.element("circle", class_=f"node {kind}", cx=at + 5, cy=13.5, r=5.0)
        body += svg.text(svg.plain(names[side], 12 if narrow else 30), x=at + 18, y=18)
        for size, level in stacks[side]:
            title = f"{svg.plain(names[side], 40)}: a cluster of {counted(size, 'record')}"
            y = line + (1 if side else -1) * (radius + 3 + 2.1 * radius * level)
            body += svg.element("circle", title, class_=f"node {kind}", cx=x_of(size), cy=y, r=radius)
    foot = line + tall[1] + 18
    for tick in ticks:
        body += svg.text(short_count(tick), class_="tick", x=x_of(tick), y=foot, text_anchor="middle")
    body += svg.text("records in a cluster", class_="tick", x=2, y=foot + 20)
    return svg.Drawing(width, foot + 26, body)


def _title(data: ReportData) -> str:
    parts = []
    for name, sizes in zip(data.names, data.sizes, strict=True):
        side = side_title(name)
        records = counted(max(sizes, default=0), "record")
        if len(sizes) > 1:
            parts.append(f"{side} clusters hold {min(sizes):,} to {records}")
        elif sum(sizes.values()) == 1:
            parts.append(f"the only {side} cluster holds {records}")
        else:
            parts.append(f"all {side} clusters hold {records}" if sizes else f"{side} has no cluster")
    return ", ".join(parts)


SIZES = Chart[ReportData](
    name="sizes",
    short="Sizes",
    title=lambda data: f"{_title(data)} (dot plot)",
    alt=lambda data: f"Dots of cluster sizes: {_title(data)}",
    lead=lambda data: (
        "Each dot is a cluster, at its size."
        if _is_few(data.sizes)
        else "How many clusters there are of each size. The scale of counts is logarithmic"
        + (
            ", and so are the ranges of sizes."
            if len(size_ranges(data.sizes)) <= _largest(data.sizes)
            else "."
        )
    ),
    size=lambda _: (6.4, 3.0),
    draw=_draw,
    svg=lambda data, narrow: _svg(data.sizes, data.names, narrow=narrow),
)
