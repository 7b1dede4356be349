"""The other charts of a comparison as plain Plotly figures: its table, its sizes, its indices."""

from __future__ import annotations

import html
import math
from bisect import bisect_right
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.sides import SideName
from concordant.counts.spelling import counted, percent
from concordant.report.figures.canvas import HOVER, layout, node_label, overlap_text
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.labels import in_chart
from concordant.report.picture import Picture
from concordant.report.story import SideTitles
from concordant.report.summary import Summary, format_value, share_of_range

BothSizes = tuple[Mapping[int, int], Mapping[int, int]]


def cells(
    picture: Picture,
    names: SideTitles,
    palette: Palette = LIGHT,
    *,
    share: SideName | None = None,
    narrow: bool = False,
) -> dict[str, Any]:
    """The contingency table as a heat map: blue where clusters match, orange where records stray."""
    matched, filled = picture.matched, picture.counts > 0
    height, width = matched.shape
    stray = np.array([[picture.is_stray(i, j) for j in range(width)] for i in range(height)])
    parts = ((matched, palette.agree), (stray, palette.differ), (~matched & ~stray, palette.muted))
    maps = [
        _heat_map(picture, names, where & filled, scale=palette.towards(colour), share=share, narrow=narrow)
        for where, colour in parts
        if (where & filled).any()
    ]
    tall = 110 + height * ((30 if narrow else 36) if height <= 16 else 20)
    axes = _table_axes(picture, names, palette, narrow)
    margin = {"l": 10, "r": 6, "t": 10, "b": 10}
    return {"data": maps, "layout": layout(palette, tall, **axes, margin=margin)}


def _heat_map(
    picture: Picture,
    names: SideTitles,
    shown: NDArray[np.bool_],
    *,
    scale: list[list[float | str]],
    share: SideName | None,
    narrow: bool,
) -> dict[str, Any]:
    """The cells of one colour, each colour on a scale of its own."""
    values = shares(picture, share)
    drawn = {
        "type": "heatmap",
        "z": _where(shown, lambda i, j: float(values[i, j]), None),
        "zmin": 0,
        "zmax": 1 if share else float(values[shown].max()),
        "colorscale": scale,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "customdata": _where(shown, lambda i, j: overlap_text(picture, i, j, names), ""),
        "hovertemplate": HOVER,
        "hoverongaps": False,
    }
    if shown.shape[1] <= (12 if narrow else 20):
        drawn["text"] = _where(shown, lambda i, j: html.escape(_cell_text(picture, i, j, share)), "")
        drawn |= {"texttemplate": "%{text}", "textfont": {"size": 11 if narrow else 13}}
    return drawn


def _where(shown: NDArray[np.bool_], made: Callable[[int, int], Any], otherwise: Any) -> list[list[Any]]:
    """A value for each cell that is shown, and the same for all others."""
    height, width = shown.shape
    return [[made(i, j) if shown[i, j] else otherwise for j in range(width)] for i in range(height)]


def shares(picture: Picture, share: SideName | None) -> NDArray[np.float64]:
    """The overlaps as records, or as shares of their row or of their column."""
    counts = picture.counts.astype(float)
    if share == "reference":
        counts /= np.array([[float(node.size)] for node in picture.rows])
    if share == "candidate":
        counts /= np.array([float(node.size) for node in picture.columns])
    return counts


def cell_share(picture: Picture, i: int, j: int, share: SideName) -> str:
    """How much of its row or of its column an overlap is."""
    whole = picture.rows[i] if share == "reference" else picture.columns[j]
    return percent(int(picture.counts[i, j]), whole.size)


def _cell_text(picture: Picture, i: int, j: int, share: SideName | None) -> str:
    if share:
        return cell_share(picture, i, j, share)
    value = int(picture.counts[i, j])
    for unit, sign in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= unit:
            return f"{value / (1e3 if sign == 'k' else unit):.3g}{sign}"
    return f"{value:,}"


def _table_axes(picture: Picture, names: SideTitles, palette: Palette, narrow: bool) -> dict[str, Any]:
    length = 10 if narrow else 20
    longest = max(len(node_label(node, length)) for node in picture.columns)
    crowded = longest * len(picture.columns) > (34 if narrow else 110)
    step = -(-len(picture.columns) // 20) if narrow else 1  # no more labels than a phone has room for
    across = {
        "side": "top",
        "tickangle": -90 if crowded else 0,
        "tickfont": {"size": 11 if crowded else 13},
        "tickvals": list(range(0, len(picture.columns), step)),
        "ticktext": [node_label(node, length) for node in picture.columns[::step]],
    }
    down = {
        "autorange": "reversed",
        "tickfont": {"size": 11 if len(picture.rows) > 16 else 13},
        "tickvals": list(range(len(picture.rows))),
        "ticktext": [node_label(node, length) for node in picture.rows],
    }
    return {
        "xaxis": {**_axis(names[1], palette), **across},
        "yaxis": {**_axis(names[0], palette), **down},
    }


def _axis(name: str, palette: Palette) -> dict[str, Any]:
    return {
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
        "ticks": "outside",
        "ticklen": 6,
        "tickcolor": palette.card,  # only the distance is wanted
        "title": {"text": f"<b>{in_chart(name)}</b>", "standoff": 12, "font": {"size": 13}},
    }


# -- sizes ------------------------------------------------------------------------------------------


def sizes(
    both: BothSizes, names: SideTitles, palette: Palette = LIGHT, *, narrow: bool = False
) -> dict[str, Any]:
    """How many clusters there are of each size, on both sides; logarithmic in size and in number."""
    edges = size_classes(both, 5 if narrow else 9)
    numbers = [in_classes(of, edges) for of in both]
    colours = (palette.reference, palette.candidate)
    bars = [_size_bars(*side, edges) for side in zip(numbers, names, colours, strict=True)]
    most = max(1, *map(max, numbers))  # of nothing, too, there is an axis
    down = {
        "type": "log",
        "range": [math.log10(0.5), math.log10(most) + 0.2],
        "title": {"text": "clusters", "font": {"size": 13}, "standoff": 8},
        "dtick": 1 if most >= 100 else "D2",  # of few clusters, 2 and 5 have their lines too
        "tickformat": "~s",
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


def _size_bars(numbers: list[int], name: str, colour: str, edges: list[int]) -> dict[str, Any]:
    words = [class_text(low, high) for low, high in pairwise(edges)]
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


def size_classes(both: BothSizes, most: int = 9) -> list[int]:
    """The lower ends of a few classes of sizes, each as many times the one before, and the end.

    >>> size_classes(({1: 9, 2: 4}, {3: 1}))
    [1, 2, 3, 4]
    """
    found = [*both[0], *both[1]]
    low, high = min(found, default=1), max(found, default=1) + 1
    if high - low <= most:
        return list(range(low, high + 1))
    ratio = (high / low) ** (1 / most)
    return sorted({*(round(low * ratio**i) for i in range(most)), high})


def in_classes(sizes: Mapping[int, int], edges: list[int]) -> list[int]:
    """How many clusters fall into each class.

    >>> in_classes({1: 9, 3: 4}, [1, 2, 4])
    [9, 4]
    """
    numbers = [0] * (len(edges) - 1)
    for size, count in sizes.items():
        numbers[bisect_right(edges, size) - 1] += count
    return numbers


def class_text(low: int, high: int) -> str:
    """The sizes from low to below high, in few characters.

    >>> class_text(1, 2), class_text(40, 100), class_text(1593, 4005)
    ('1', '40–99', '1.6k–4k')
    """
    ends = [low] if high == low + 1 else [low, high - 1]
    return "–".join(f"{end:,}" if end < 1000 else _thousands(end) for end in ends)


def _thousands(count: int) -> str:
    for power, sign in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if count >= 10**power:
            return (
                f"{count / 10**power:.2g}{sign}"
                if count < 10 ** (power + 2)
                else f"{count // 10**power:,}{sign}"
            )
    return str(count)


# -- indices ----------------------------------------------------------------------------------------


def indices(summary: Summary, palette: Palette = LIGHT) -> dict[str, Any]:
    """The headline indices, each as far along its own range as its value lies."""
    measured = [(line, share_of_range(line, summary.size)) for line in summary.headline]
    lines = [(line, share) for line, share in measured if share is not None][::-1]
    colours = {"distance": palette.differ}
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [share for _, share in lines],
        "y": [line.index.name for line, _ in lines],
        "text": [format_value(line.value) for line, _ in lines],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {
            "color": [colours.get(line.index.direction, palette.agree) for line, _ in lines],
            "cornerradius": 3,
        },
        "customdata": [
            f"{line.index.title}: {format_value(line.value)} in {line.index.range_text}" for line, _ in lines
        ],
        "hovertemplate": HOVER,
    }
    ends = {"range": [0, 1], "tickvals": [0, 1], "ticktext": ["lowest", "highest"]}
    axes = {
        "xaxis": {**ends, "gridcolor": palette.line, "fixedrange": True},
        "yaxis": {"automargin": True, "fixedrange": True},
    }
    margin = {"l": 8, "r": 60, "t": 10, "b": 40}
    return {
        "data": [bars],
        "layout": layout(palette, 70 + 30 * len(lines), **axes, bargap=0.4, margin=margin),
    }
