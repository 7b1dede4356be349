"""How many clusters there are of each size, on both sides."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from concordant.counts.spelling import counted
from concordant.report.figures import svg
from concordant.report.figures.canvas import HOVER, layout
from concordant.report.figures.chart import Chart, Look
from concordant.report.figures.display import Display, plain_text
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.labels import in_chart
from concordant.report.story import SideTitles, Story, side_title

BothSizes = tuple[Mapping[int, int], Mapping[int, int]]
_FEW = 60  # clusters of both sides together; fewer are dots
_DOTS = 60  # that stand beside each other at most
_TICKS = 6  # of a linear axis, and the zero


def sizes(
    both: BothSizes, names: SideTitles, palette: Palette = LIGHT, *, narrow: bool = False
) -> dict[str, Any]:
    """How many clusters there are of each size, on both sides; of few clusters, each as a dot."""
    if is_few(both):
        return _dots_in_plotly(both, names, palette)
    edges = size_ranges(both, 5 if narrow else 9)
    numbers = [numbers_in(of, edges) for of in both]
    colours = (palette.reference, palette.candidate)
    bars = [_size_bars(*side, edges) for side in zip(numbers, names, colours, strict=True)]
    most = max(1, *map(max, numbers))  # an empty comparison has an axis, too
    down = {
        "type": "log",
        "range": [math.log10(0.5), math.log10(most) + 0.2],
        "title": {"text": "clusters", "font": {"size": 13}, "standoff": 8},
        "tickvals": count_ticks(most),
        "ticktext": [_short(count) for count in count_ticks(most)],
        "automargin": True,
        "gridcolor": palette.line,
        "fixedrange": True,
    }
    across = {
        "type": "category",
        "title": {"text": "records in a cluster", "font": {"size": 13}},
        "tickangle": 0,
        "tickfont": {"size": 11 if narrow else 13},
        "fixedrange": True,
    }
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
    margin = {"l": 44, "r": 6, "t": 34, "b": 46}
    shape = {
        "bargap": max(0.25, 1 - 0.12 * len(edges)),
        "bargroupgap": 0.08,
        "legend": legend,
        "margin": margin,
    }
    return {"data": bars, "layout": layout(palette, 300, xaxis=across, yaxis=down, **shape)}


def is_few(both: BothSizes) -> bool:
    """Whether each cluster can be a dot of its own."""
    return sum(sum(of.values()) for of in both) < _FEW


def stacked(sizes: Mapping[int, int], most: int) -> list[tuple[int, int]]:
    """Each cluster as a dot at its size, and how many dots it stands on.

    >>> stacked({4: 2, 5: 1, 190: 1}, 190)
    [(4, 0), (4, 1), (5, 2), (190, 0)]
    """
    heights: dict[int, int] = {}
    dots = []
    for size in sorted(sizes):
        place = size * _DOTS // (most + 1)  # dots nearer than this would lie on each other
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


def _dots_in_plotly(both: BothSizes, names: SideTitles, palette: Palette) -> dict[str, Any]:
    most, dots = _largest(both), []
    for of, name, colour, way in zip(
        both, names, (palette.reference, palette.candidate), (1, -1), strict=True
    ):
        places = stacked(of, most)
        dots.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": [float(size) for size, _ in places],
                "y": [way * (level + 1) for _, level in places],
                "name": in_chart(name),
                "marker": {"color": colour, "size": 10},
                "customdata": [
                    f"{in_chart(name)}: a cluster of {counted(size, 'record')}" for size, _ in places
                ],
                "hovertemplate": HOVER,
            }
        )
    across: dict[str, Any] = {"range": [0, 1.04 * most], "fixedrange": True}
    across |= {"title": {"text": "records in a cluster", "font": {"size": 13}}}
    ticks = linear_ticks(most)
    across |= {"tickvals": ticks, "ticktext": [_short(tick) for tick in ticks]}
    down = {"visible": False, "fixedrange": True, "zeroline": True}
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}
    margin = {"l": 10, "r": 10, "t": 34, "b": 46}
    shape = {"xaxis": across, "yaxis": down, "legend": legend, "margin": margin}
    return {"data": dots, "layout": layout(palette, 260, **shape)}


def _size_bars(numbers: list[int], name: str, colour: str, edges: list[int]) -> dict[str, Any]:
    words = [range_label(low, high) for low, high in pairwise(edges)]
    return {
        "type": "bar",
        "x": words,
        "y": [float(number) if number else None for number in numbers],
        "name": in_chart(name),
        "marker": {"color": colour, "line": {"width": 0}, "cornerradius": 3},
        "customdata": [
            f"{in_chart(name)}: {counted(number, 'cluster')} of {word} records"
            for number, word in zip(numbers, words, strict=True)
        ],
        "hovertemplate": HOVER,
    }


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
    return "–".join(map(_short, ends))


def count_ticks(most: int) -> list[int]:
    """Where a logarithmic axis of counts has its lines: no fractions; where there are few, 2 and 5, too.

    >>> count_ticks(7), count_ticks(3000)
    ([1, 2, 5], [1, 10, 100, 1000])
    """
    firsts = (1,) if most >= 100 else (1, 2, 5)
    powers = [10**power for power in range(len(str(most)))]
    return [first * power for power in powers for first in firsts if first * power <= most]


def _short(count: int) -> str:
    return f"{count:,}" if count < 1000 else _thousands(count)


def _thousands(count: int) -> str:
    for power, sign in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if count >= 10**power:
            return (
                f"{count / 10**power:.2g}{sign}"
                if count < 10 ** (power + 2)
                else f"{count // 10**power:,}{sign}"
            )
    return str(count)


# -- for papers -------------------------------------------------------------------------------------


@dataclass
class SizesDisplay(Display):
    """How many clusters there are of each size, on both sides."""

    sizes: tuple[Any, Any]
    names: SideTitles

    def _size(self) -> tuple[float, float]:
        return 6.4, 3.0

    def _draw(self, ax: Any) -> None:
        if is_few(self.sizes):
            self._draw_dots(ax)
        else:
            self._draw_bars(ax)
        ax.set_xlabel("records in a cluster")
        ax.legend(frameon=False)

    def _draw_dots(self, ax: Any) -> None:
        most = _largest(self.sizes)
        sides = zip(self.sizes, self.names, (LIGHT.reference, LIGHT.candidate), (1, -1), strict=True)
        for of, name, colour, way in sides:
            dots = stacked(of, most)
            sizes, heights = [float(size) for size, _ in dots], [way * (level + 1) for _, level in dots]
            ax.plot(sizes, heights, "o", markersize=5, label=plain_text(name), color=colour)
        ticks = linear_ticks(most)
        ax.set_xticks(ticks, [_short(tick) for tick in ticks])
        ax.set(xlim=(0, 1.04 * most), yticks=[])
        ax.axhline(0, color=LIGHT.line, linewidth=1)
        ax.spines[["top", "right", "left"]].set_visible(False)

    def _draw_bars(self, ax: Any) -> None:
        edges = size_ranges(self.sizes)
        places = np.arange(len(edges) - 1)
        numbers = [numbers_in(of, edges) for of in self.sizes]
        # Set before the bars are drawn: left to itself, Matplotlib cannot choose a scale for no bars.
        most = max(1, *map(max, numbers))
        ax.set(yscale="log", ylim=(0.5, 1.6 * most))
        ax.set_yticks(count_ticks(most), [_short(count) for count in count_ticks(most)])
        ax.set_yticks([], minor=True)
        sides = zip(numbers, self.names, (LIGHT.reference, LIGHT.candidate), (-0.2, 0.2), strict=True)
        for heights, name, colour, shift in sides:
            ax.bar(places + shift, heights, 0.38, label=plain_text(name), color=colour)
        ax.set_xticks(places, [range_label(low, high) for low, high in pairwise(edges)], fontsize=8)
        ax.set_ylabel("clusters")
        ax.spines[["top", "right"]].set_visible(False)


# -- for pages --------------------------------------------------------------------------------------


def drawn(both: BothSizes, names: SideTitles, *, narrow: bool) -> svg.Drawing:
    """The same as SVG."""
    if is_few(both):
        return _drawn_dots(both, names, narrow=narrow)
    edges = size_ranges(both, 5 if narrow else 9)
    numbers = [numbers_in(of, edges) for of in both]
    most = max(1, *map(max, numbers))
    width, left, top, tall = (svg.NARROW if narrow else svg.WIDE), 52.0, 40.0, 190.0
    wide = (width - left - 6) / (len(edges) - 1)
    span = math.log10(most) - math.log10(0.5) + 0.1

    def y_of(count: float) -> float:
        return top + tall * (1 - (math.log10(count) - math.log10(0.5)) / span)

    body = ""
    for tick in count_ticks(most):
        body += svg.element("path", class_="line", d=f"M{left:.1f} {y_of(tick):.1f}H{width - 6}")
        body += svg.element("text", "", _short(tick), x=left - 8, y=y_of(tick) + 4.5, text_anchor="end")
    words = [range_label(low, high) for low, high in pairwise(edges)]
    thick = min(wide * 0.36, 42.0)
    for side, kind in enumerate(("reference", "candidate")):
        at = left + side * (width - left) / 2
        body += svg.element("rect", class_=f"node {kind}", x=at, y=8, width=11, height=11)
        body += svg.element("text", "", svg.plain(names[side], 12 if narrow else 30), x=at + 18, y=18)
        for place, (count, word) in enumerate(zip(numbers[side], words, strict=True)):
            if count:
                x = left + (place + 0.5) * wide + (side - 1) * thick
                said = f"{svg.plain(names[side], 40)}: {counted(count, 'cluster')} of {word} records"
                box = {"x": x, "y": y_of(count), "width": thick - 1, "height": top + tall - y_of(count)}
                body += svg.element("rect", said, class_=f"node {kind}", **box)
    for place, word in enumerate(words):
        x = left + (place + 0.5) * wide
        body += svg.element("text", "", word, class_="tick", x=x, y=top + tall + 18, text_anchor="middle")
    body += svg.element("text", "", "records in a cluster", class_="tick", x=left, y=top + tall + 40)
    body += svg.element("text", "", "clusters", class_="tick", x=2, y=top - 6)
    return svg.Drawing(width, top + tall + 48, body)


def _drawn_dots(both: BothSizes, names: SideTitles, *, narrow: bool) -> svg.Drawing:
    """Each cluster as a dot: the reference above the line, the candidate below."""
    most, width, left = _largest(both), (svg.NARROW if narrow else svg.WIDE), 12.0
    radius = 2.4 if narrow else 6.0
    ticks = linear_ticks(most)
    stacks = [stacked(of, most) for of in both]
    tall = [2.1 * radius * (1 + max((level for _, level in dots), default=0)) + 8 for dots in stacks]
    line = 36 + tall[0]

    def x_of(size: float) -> float:
        return left + (width - 2 * left) * size / ticks[-1]

    body = svg.element("path", class_="line", d=f"M{left:.1f} {line:.1f}H{width - left:.1f}")
    for side, kind in enumerate(("reference", "candidate")):
        at = left + side * (width - left) / 2
        body += svg.element("circle", class_=f"node {kind}", cx=at + 5, cy=13.5, r=5.0)
        body += svg.element("text", "", svg.plain(names[side], 12 if narrow else 30), x=at + 18, y=18)
        for size, level in stacks[side]:
            said = f"{svg.plain(names[side], 40)}: a cluster of {counted(size, 'record')}"
            y = line + (1 if side else -1) * (radius + 3 + 2.1 * radius * level)
            body += svg.element("circle", said, class_=f"node {kind}", cx=x_of(size), cy=y, r=radius)
    foot = line + tall[1] + 18
    for tick in ticks:
        body += svg.element(
            "text", "", _short(tick), class_="tick", x=x_of(tick), y=foot, text_anchor="middle"
        )
    body += svg.element("text", "", "records in a cluster", class_="tick", x=2, y=foot + 20)
    return svg.Drawing(width, foot + 26, body)


# -- the chart --------------------------------------------------------------------------------------


def _plotly(story: Story, look: Look) -> dict[str, Any]:
    return sizes(story.sizes, story.names, look.palette, narrow=look.narrow)


def _what_clusters_hold(story: Story) -> str:
    return ", ".join(
        f"{side_title(name)} clusters hold {side.smallest:,} to {side.largest:,} records"
        if side.smallest < side.largest
        else f"{side_title(name)} clusters hold {counted(side.largest, 'record')}"
        for name, side in zip(story.names, story.summary.sides, strict=True)
    )


SIZES = Chart[Story](
    name="sizes",
    short="Sizes",
    title=_what_clusters_hold,
    alt=lambda story: (
        f"{'Dots' if is_few(story.sizes) else 'Bar chart'} of cluster sizes: {_what_clusters_hold(story)}"
    ),
    lead=lambda story: (
        "Each dot is a cluster, at its size."
        if is_few(story.sizes)
        else "How many clusters there are of each size. Both scales are logarithmic."
    ),
    plotly=_plotly,
    matplotlib=lambda story, _: SizesDisplay(story.sizes, story.names),
    svg=lambda story, look: drawn(story.sizes, story.names, narrow=look.narrow),
)
