"""The charts of a comparison as Plotly figures: flow, table, sizes, indices."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from concordant.report.labels import in_chart
from concordant.report.page import missing_plotly
from concordant.report.palette import LIGHT, Palette
from concordant.report.picture import Node, Picture
from concordant.report.story import Names
from concordant.report.table import Summary, format_value, share_of_range

Share = Literal["reference", "candidate"]

FONT = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
_BARS = 330  # pixels: the bars of one side of a flow, together
_PAD = 17  # between them: no label is taller
_BAR = 11
_CHARACTER = 7.2  # pixels, at the font size of labels


def flow(picture: Picture, names: Names, palette: Palette = LIGHT, *, narrow: bool = False) -> Any:
    """Which records go from which reference cluster into which candidate cluster."""
    go = _plotly()
    counts = picture.counts
    most = max(counts.shape)
    height = _BARS + _PAD * (most - 1)
    left, right = counts.sum(axis=1), counts.sum(axis=0)
    y = [*_centres(left, height), *_centres(right, height)]
    rows, columns = (at.tolist() for at in np.nonzero(counts))
    sankey = go.Sankey(
        arrangement="fixed",
        node={
            "x": [0.004] * len(left) + [0.996] * len(right),
            "y": y,
            "pad": _PAD,
            "thickness": _BAR,
            "label": [""] * len(y),
            "line": {"width": 0},
            "color": [palette.reference] * len(left) + [palette.candidate] * len(right),
            "customdata": [_node_text(node, names[0]) for node in picture.rows]
            + [_node_text(node, names[1]) for node in picture.columns],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
        link={
            "source": rows,
            "target": [len(left) + column for column in columns],
            "value": [float(counts[i, j]) for i, j in zip(rows, columns, strict=True)],
            "color": [_link_colour(picture, i, j, palette) for i, j in zip(rows, columns, strict=True)],
            "customdata": [_cell_text(picture, i, j, names) for i, j in zip(rows, columns, strict=True)],
            "hovertemplate": "%{customdata}<extra></extra>",
        },
    )
    texts = [
        _beside(node, 9 if narrow else 22, not narrow, palette) for node in (*picture.rows, *picture.columns)
    ]
    margin: dict[str, float] = {"t": 34, "b": 10}
    sides = [0] * len(left) + [1] * len(right)
    beside = zip(texts, sides, y, strict=True)
    notes = [_annotation(text[0], side, 1 - centre, "middle") for text, side, centre in beside]
    for side, name in enumerate(names):
        title = f"<b>{in_chart(name, 12 if narrow else 30)}</b>"
        notes.append(_annotation(title, side, 1, "bottom", yshift=12, outside=False))
    wide = [max(text[1] for text, s in zip(texts, sides, strict=True) if s == side) for side in (0, 1)]
    layout = _layout(palette, height + margin["t"] + margin["b"])
    margin |= {"l": wide[0] * _CHARACTER + 16, "r": wide[1] * _CHARACTER + 16}
    return go.Figure(sankey, {**layout, "annotations": notes, "margin": margin})


def cells(
    picture: Picture,
    names: Names,
    palette: Palette = LIGHT,
    *,
    share: Share | None = None,
    narrow: bool = False,
) -> Any:
    """The contingency table as a heat map: blue where clusters match, orange where records stray."""
    go = _plotly()
    values, matched = shares(picture, share), picture.matched
    other = np.zeros(matched.shape, dtype=bool)
    other[[node.is_other for node in picture.rows]] = True
    other[:, [node.is_other for node in picture.columns]] = True
    figure = go.Figure(layout=_layout(palette, _table_height(len(picture.rows), narrow)))
    has_room = matched.shape[1] <= (12 if narrow else 20)
    parts = ((matched, palette.agree), (~matched & ~other, palette.differ), (other, palette.muted))
    for where, colour in parts:
        shown = where & (values > 0)
        if shown.any():
            figure.add_heatmap(
                z=_where(shown, lambda i, j: float(values[i, j]), None),
                zmin=0,
                zmax=1 if share else float(values[shown].max()),
                colorscale=palette.towards(colour),
                showscale=False,
                xgap=2,
                ygap=2,
                customdata=_where(shown, lambda i, j: _cell_text(picture, i, j, names), ""),
                hovertemplate="%{customdata}<extra></extra>",
                hoverongaps=False,
                text=_where(shown, lambda i, j: _cell_number(values[i, j], share), "") if has_room else None,
                texttemplate="%{text}" if has_room else None,
                textfont={"size": 11 if narrow else 13},
            )
    _name_axes(figure, picture, names, palette, narrow=narrow)
    return figure


def _where(shown: Any, made: Callable[[int, int], Any], otherwise: Any) -> list[list[Any]]:
    """A value for each cell that is shown, and the same for all others."""
    height, width = shown.shape
    return [[made(i, j) if shown[i, j] else otherwise for j in range(width)] for i in range(height)]


def sizes(
    both: tuple[Mapping[int, int], Mapping[int, int]],
    names: Names,
    palette: Palette = LIGHT,
    *,
    narrow: bool = False,
) -> Any:
    """How many clusters there are of each size, on both sides; logarithmic in size and in number."""
    go = _plotly()
    edges = size_classes(both, 5 if narrow else 9)
    figure = go.Figure(layout=_layout(palette, 300))
    words = [class_text(low, high) for low, high in pairwise(edges)]
    most = 1
    for name, of, colour in zip(names, both, (palette.reference, palette.candidate), strict=True):
        numbers = in_classes(of, edges)
        most = max(most, *numbers)
        hover = [
            f"{in_chart(name)}: {number:,} clusters of {word} records"
            for number, word in zip(numbers, words, strict=True)
        ]
        figure.add_bar(
            x=words,
            y=[number or None for number in numbers],
            name=in_chart(name),
            marker={"color": colour, "line": {"width": 0}, "cornerradius": 3},
            customdata=hover,
            hovertemplate="%{customdata}<extra></extra>",
        )
    figure.update_layout(
        margin={"l": 44, "r": 6, "t": 34, "b": 46},
        bargap=0.25,
        bargroupgap=0.08,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
        xaxis={
            "type": "category",
            "title": {"text": "records in a cluster", "font": {"size": 13}},
            "tickangle": 0,
            "fixedrange": True,
        },
        yaxis={
            "type": "log",
            "range": [math.log10(0.5), math.log10(most * 1.5)],
            "title": {"text": "clusters", "font": {"size": 13}, "standoff": 8},
            "dtick": 1,
            "tickformat": "~s",
            "automargin": True,
            "gridcolor": palette.line,
            "fixedrange": True,
        },
    )
    return figure


def indices(summary: Summary, palette: Palette = LIGHT) -> Any:
    """The headline indices, each as far along its own range as its value lies."""
    go = _plotly()
    lines = [line for line in summary.headline if share_of_range(line, summary.size) is not None][::-1]
    shares = [share_of_range(line, summary.size) for line in lines]
    figure = go.Figure(layout=_layout(palette, 70 + 30 * len(lines)))
    figure.add_bar(
        x=shares,
        y=[line.index.name for line in lines],
        orientation="h",
        text=[format_value(line.value) for line in lines],
        textposition="outside",
        cliponaxis=False,
        marker={
            "color": [
                palette.differ if line.index.direction == "distance" else palette.agree for line in lines
            ],
            "cornerradius": 3,
        },
        customdata=[
            f"{line.index.title}: {format_value(line.value)} in {line.index.range_text}" for line in lines
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    figure.update_layout(
        margin={"l": 8, "r": 60, "t": 10, "b": 40},
        bargap=0.4,
        xaxis={
            "range": [0, 1],
            "tickvals": [0, 1],
            "ticktext": ["lowest", "highest"],
            "gridcolor": palette.line,
            "fixedrange": True,
        },
        yaxis={"automargin": True, "fixedrange": True},
    )
    return figure


def size_classes(both: tuple[Mapping[int, int], Mapping[int, int]], most: int = 9) -> list[int]:
    """The lower ends of a few classes of sizes, each as many times the one before, and the end.

    >>> size_classes(({1: 9, 2: 4}, {3: 1}))
    [1, 2, 3, 4]
    """
    found = [*both[0], *both[1]]
    low, high = min(found, default=1), max(found, default=1) + 1
    if high - low <= most:
        return list(range(low, high + 1))
    ratio = (high / low) ** (1 / most)
    ends = [round(low * ratio**i) for i in range(most)]
    return sorted({*ends, high})


def in_classes(sizes: Mapping[int, int], edges: list[int]) -> list[int]:
    """How many clusters fall into each class.

    >>> in_classes({1: 9, 3: 4}, [1, 2, 4])
    [9, 4]
    """
    numbers = [0] * (len(edges) - 1)
    for size, count in sizes.items():
        numbers[int(np.searchsorted(np.array(edges[1:], dtype=object), size, side="right"))] += count
    return numbers


# -- texts ------------------------------------------------------------------------------------------


def _node_text(node: Node, name: str) -> str:
    return f"<b>{in_chart(name)} {_node_label(node, 60)}</b><br>{node.size:,} records"


def _node_label(node: Node, length: int) -> str:
    return "other" if node.is_other else in_chart(node.label, length)


def _cell_text(picture: Picture, i: int, j: int, names: Names) -> str:
    row, column, n = picture.rows[i], picture.columns[j], int(picture.counts[i, j])
    ends = [f"{in_chart(names[0])} {_node_label(row, 60)}", f"{in_chart(names[1])} {_node_label(column, 60)}"]
    shares = [f"{n / node.size:.1%} of {end}" for node, end in zip((row, column), ends, strict=True)]
    return f"<b>{n:,} records</b><br>{ends[0]} → {ends[1]}<br>{shares[0]}<br>{shares[1]}"


def _cell_number(value: float, share: Share | None) -> str:
    if not value:
        return ""
    return f"{value:.0%}" if share else _abridged(value)


def _abridged(count: float) -> str:
    """A count in at most five characters: 12,345 becomes 12k."""
    for unit, sign in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if count >= unit:
            return f"{count / min(unit, 1e3 if sign == 'k' else unit):.3g}{sign}"
    return f"{int(count):,}"


def class_text(low: int, high: int) -> str:
    """The sizes from low to below high, in words."""
    return f"{low:,}" if high == low + 1 else f"{low:,}–{high - 1:,}"


# -- shapes -----------------------------------------------------------------------------------------


def _layout(palette: Palette, height: float) -> dict[str, Any]:
    return {
        "template": "none",
        "height": round(height),
        "paper_bgcolor": palette.card,
        "plot_bgcolor": palette.card,
        "font": {"family": FONT, "size": 13, "color": palette.ink},
        "hoverlabel": {
            "bgcolor": palette.card,
            "bordercolor": palette.muted,
            "font": {"family": FONT, "size": 13, "color": palette.ink},
            "align": "left",
        },
        "dragmode": False,
        "hovermode": "closest",
    }


def _centres(sizes: Any, height: float) -> list[float]:
    """The middles of bars that stand one below the other, as shares of the height."""
    values = np.asarray(sizes, dtype=float)
    scale = _BARS / values.sum()
    spare = height - _BARS - _PAD * (len(values) - 1)  # the side with fewer bars is centred
    tops = spare / 2 + np.concatenate([[0.0], np.cumsum(values * scale + _PAD)[:-1]])
    return [min(max(y, 1e-4), 1 - 1e-4) for y in ((tops + values * scale / 2) / height).tolist()]


def _link_colour(picture: Picture, i: int, j: int, palette: Palette) -> str:
    if picture.rows[i].is_other or picture.columns[j].is_other:
        return palette.faded(palette.muted, 0.28)
    if picture.matched[i, j]:
        return palette.faded(palette.agree, 0.34)
    pixels = _BARS * float(picture.counts[i, j]) / float(picture.counts.sum())
    return palette.faded(palette.differ, 0.68 if pixels >= 2.5 else 0.3)  # hairs must not hide the bands


def _beside(node: Node, length: int, with_size: bool, palette: Palette) -> tuple[str, int]:
    """The text beside a bar, and how many characters wide it is."""
    label = _node_label(node, length)
    width = 5 if node.is_other else min(len(str(node.label)), length)
    if not with_size:
        return label, width
    size = f"{node.size:,}"
    return f'{label}  <span style="color:{palette.muted}">{size}</span>', width + 2 + len(size)


def _annotation(
    text: str, side: int, y: float, anchor: str, *, yshift: float = 0, outside: bool = True
) -> dict[str, Any]:
    outward = (-1, 1)[side] * (10 if outside else -2)
    towards = ("right", "left") if outside else ("left", "right")
    return {
        "text": text,
        "x": side,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": towards[side],
        "yanchor": anchor,
        "xshift": outward,
        "yshift": yshift,
        "showarrow": False,
    }


def shares(picture: Picture, share: Share | None) -> Any:
    """The overlaps as records, or as shares of their row or of their column."""
    counts = picture.counts.astype(float)
    if share == "reference":
        return counts / np.array([[float(node.size)] for node in picture.rows])
    if share == "candidate":
        return counts / np.array([float(node.size) for node in picture.columns])
    return counts


def _table_height(rows: int, narrow: bool) -> float:
    each = 30 if narrow else 36
    return 110 + rows * (each if rows <= 16 else 20)


def _name_axes(figure: Any, picture: Picture, names: Names, palette: Palette, *, narrow: bool) -> None:
    length = 10 if narrow else 20
    common = {
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
        "ticks": "outside",
        "ticklen": 6,
        "tickcolor": palette.card,
        "tickmode": "array",
    }
    for axis, nodes, name in (("yaxis", picture.rows, names[0]), ("xaxis", picture.columns, names[1])):
        texts = [_node_label(node, length) for node in nodes]
        figure.update_layout(
            {
                axis: {
                    **common,
                    "tickvals": list(range(len(nodes))),
                    "ticktext": texts,
                    "title": {"text": f"<b>{in_chart(name)}</b>", "standoff": 12, "font": {"size": 13}},
                }
            }
        )
    longest = max(len(_node_label(node, length)) for node in picture.columns)
    crowded = longest * len(picture.columns) > (34 if narrow else 110)
    figure.update_yaxes(autorange="reversed", tickfont={"size": 11 if len(picture.rows) > 16 else 13})
    figure.update_xaxes(side="top", tickangle=-90 if crowded else 0, tickfont={"size": 11 if crowded else 13})
    figure.update_layout(margin={"l": 10, "r": 6, "t": 10, "b": 10})


def _plotly() -> Any:
    try:
        import plotly.graph_objects as go
    except ImportError as error:
        raise missing_plotly() from error
    return go
