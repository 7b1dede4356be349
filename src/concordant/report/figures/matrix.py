"""The charts of a matrix: a heat map ordered by a tree, with the tree above it, and a map of distances."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.spelling import percent
from concordant.report.figures.canvas import HOVER, layout, plotly
from concordant.report.figures.chart import Chart, always
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.labels import in_chart
from concordant.report.layout import Tree
from concordant.report.summary import format_value

_TREE = 110  # pixels
_WRITTEN = 14  # with no more partitions than this, the values are written into the cells

Box = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The partition that is most like another, and how like all are to it in the mean."""

    name: str
    value: float
    mean: float


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Partitions and their values, and what follows from them."""

    index: Index
    names: tuple[str, ...]
    values: NDArray[np.float64]
    tree: Tree | None  # None where a larger value means neither more nor less alike
    points: NDArray[np.float64] | None  # None where the distances are not a metric
    held: float  # how much of the squared distances the points hold
    medoid: str | None
    neighbours: Mapping[str, Neighbour]  # of all partitions, also those that are not drawn
    left_out: int = 0  # partitions that are not among these
    one_set: bool = True

    @property
    def order(self) -> tuple[int, ...]:
        return self.tree.leaves if self.tree else tuple(range(len(self.names)))


def heat_map(grid: Grid, palette: Palette = LIGHT, *, narrow: bool = False) -> Any:
    """The values in the order of the tree, with the tree above."""
    go = plotly()
    size = len(grid.names)
    cell = max(14, min(34 if narrow else 46, 640 // size))
    height = size * cell + (_TREE if grid.tree else 0) + 130
    split = size * cell / (size * cell + _TREE) if grid.tree else 1.0
    figure = go.Figure(layout=layout(palette, height))
    order = list(grid.order)
    values = grid.values[np.ix_(order, order)]
    gap = 1 if size <= (20 if narrow else 60) else 0
    figure.add_heatmap(
        z=[[_short(value) for value in row] for row in values.tolist()],
        customdata=[[_cell_text(grid, i, j) for j in order] for i in order],
        hovertemplate=HOVER,
        text=[[_written(value) for value in row] for row in values.tolist()],
        texttemplate="%{text}" if size <= (_WRITTEN // 2 if narrow else _WRITTEN) else None,
        colorscale=_scale(grid, palette),
        xgap=gap,
        ygap=gap,
        colorbar={"thickness": 10, "len": split, "y": 0, "yanchor": "bottom", "outlinewidth": 0},
        showscale=not narrow,
    )
    _name_axes(figure, [in_chart(grid.names[i], 10 if narrow else 24) for i in order], split, narrow=narrow)
    if grid.tree:
        _add_tree(figure, grid, grid.tree, palette, split)
    return figure


def scatter(grid: Grid, palette: Palette = LIGHT, *, narrow: bool = False) -> Any:
    """The partitions on a plane, as far apart as their distances say."""
    go = plotly()
    points = grid.points if grid.points is not None else np.zeros((len(grid.names), 2))
    spans = np.maximum(np.ptp(points, axis=0), 1e-9 + np.ptp(points) * 0.1)
    width = 250 if narrow else 900
    height = float(np.clip(width * spans[1] / spans[0], 180, 520))
    names = [in_chart(name, 14 if narrow else 24) for name in grid.names]
    first = [grid.names.index(grid.medoid)] if grid.medoid in grid.names else []
    places = _beside_points(points * min(width / spans[0], height / spans[1]), names, first)
    figure = go.Figure(layout=layout(palette, height + 90))
    figure.add_scatter(
        x=points[:, 0].tolist(),
        y=points[:, 1].tolist(),
        mode="markers+text",
        text=[name if place else "" for name, place in zip(names, places, strict=True)],
        textposition=[place or "top center" for place in places],
        textfont={"size": 12},
        marker={
            "size": [15 if name == grid.medoid else 10 for name in grid.names],
            "color": [palette.differ if name == grid.medoid else palette.agree for name in grid.names],
            "opacity": 1,
            "line": {"width": 1, "color": palette.card},
        },
        customdata=[_point_text(grid, place) for place in range(len(grid.names))],
        hovertemplate=HOVER,
        cliponaxis=False,
    )
    middle = (points.max(axis=0, initial=0) + points.min(axis=0, initial=0)) / 2
    ranges = [[float(m - 0.52 * s), float(m + 0.52 * s)] for m, s in zip(middle, spans, strict=True)]
    hidden = {"visible": False, "fixedrange": True}
    figure.update_layout(
        margin={"l": 60, "r": 60, "t": 45, "b": 45} if not narrow else {"l": 40, "r": 40, "t": 45, "b": 45},
        xaxis={**hidden, "range": ranges[0]},
        yaxis={**hidden, "range": ranges[1], "scaleanchor": "x"},
        showlegend=False,
    )
    return figure


# -- parts of charts ----------------------------------------------------------------------------------


def _name_axes(figure: Any, names: list[str], split: float, *, narrow: bool) -> None:
    """Names of rows and columns; where there is no room below the columns, those of the rows serve both."""
    common = {
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "ticks": "",
        "ticklabelstandoff": 6,
        "tickfont": {"size": 12 if len(names) <= 30 else 10},
    }
    below = {
        "side": "bottom",
        "tickangle": -90 if max(map(len, names)) * len(names) > (30 if narrow else 70) else 0,
        "showticklabels": len(names) <= (20 if narrow else 60),
    }
    edge = [-0.5, len(names) - 0.5]
    figure.update_layout(
        xaxis={**common, **below, "range": edge},
        yaxis={**common, "range": edge[::-1], "domain": [0, split]},
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        showlegend=False,
    )


def _add_tree(figure: Any, grid: Grid, tree: Tree, palette: Palette, split: float) -> None:
    """Brackets over the columns, each as high as what it joins is apart."""
    place = {leaf: float(i) for i, leaf in enumerate(tree.leaves)}
    x, y, hover = [], [], []
    middle = [place[leaf] for leaf in range(len(grid.names))]
    foot = [0.0] * len(grid.names)
    for merge in tree.merges:
        left, right = sorted((merge.one, merge.other), key=lambda branch: middle[branch])
        x += [middle[left], middle[left], middle[right], middle[right], None]
        y += [foot[left], merge.height, merge.height, foot[right], None]
        hover += [f"joined at a mean distance of {format_value(merge.height)}"] * 5
        middle.append((middle[left] + middle[right]) / 2)
        foot.append(merge.height)
    figure.add_scatter(
        x=x,
        y=y,
        customdata=hover,
        yaxis="y2",
        mode="lines",
        line={"color": palette.muted, "width": 1.4, "shape": "linear"},
        hovertemplate=HOVER,
    )
    top = max(merge.height for merge in tree.merges) if tree.merges else 1.0
    figure.update_layout(
        yaxis2={
            "domain": [split + 0.01, 1],
            "range": [0, top * 1.06 or 1.0],
            "visible": False,
            "fixedrange": True,
        }
    )


def _scale(grid: Grid, palette: Palette) -> list[list[float | str]]:
    """From pale to blue as likeness grows."""
    scale = palette.towards(palette.agree)
    if grid.index.direction != "distance":
        return scale
    return [[0.0, scale[1][1]], [1.0, scale[0][1]]]


def _beside_points(points: NDArray[np.float64], names: list[str], first: list[int]) -> list[str | None]:
    """Where each name stands so that none covers another or a point; None where there is no room."""
    taken = [(x - 7, y - 7, x + 7, y + 7) for x, y in points.tolist()]
    places: list[str | None] = [None] * len(names)
    for i in [*first, *(place for place in range(len(names)) if place not in first)]:
        (x, y), half = points[i].tolist(), 3.4 * len(names[i]) + 2
        boxes = {
            "top center": (x - half, y + 8, x + half, y + 24),
            "bottom center": (x - half, y - 24, x + half, y - 8),
            "middle right": (x + 8, y - 8, x + 8 + 2 * half, y + 8),
            "middle left": (x - 8 - 2 * half, y - 8, x - 8, y + 8),
        }
        others = [box for place, box in enumerate(taken) if place != i]
        places[i] = next((way for way, box in boxes.items() if not _hits(box, others)), None)
        if places[i]:
            taken.append(boxes[places[i] or ""])
    return places


def _hits(box: Box, others: Iterable[Box]) -> bool:
    return any(
        box[0] < right and left < box[2] and box[1] < top and bottom < box[3]
        for left, bottom, right, top in others
    )


def _cell_text(grid: Grid, i: int, j: int) -> str:
    ends = [in_chart(grid.names[place], 60) for place in (i, j)]
    between = " and " if grid.index.symmetric else " → "
    return f"<b>{format_value(float(grid.values[i, j]))}</b><br>{between.join(ends)}"


def _point_text(grid: Grid, place: int) -> str:
    name = grid.names[place]
    return f"<b>{in_chart(name, 60)}</b><br>nearest: {in_chart(grid.neighbours[name].name, 60)}"


def _written(value: float) -> str:
    text = format_value(value)
    return text[:-2] if text[-5:-4] == "." else text  # two decimals of four


def _short(value: float) -> float | None:
    """Six digits are more than a colour shows; what is not finite has none."""
    return float(f"{value:.6g}") if np.isfinite(value) else None


# -- the charts -------------------------------------------------------------------------------------


def _lead(grid: Grid) -> str:
    if grid.tree:
        return (
            "The stronger the blue, the more alike. Rows and columns stand in the order of the tree, which "
            "joins what is nearest first (average linkage); its height is the mean distance."
        )
    return "The stronger the blue, the larger the value. Partitions stand in the order in which they came."


def _note(grid: Grid) -> str:
    if not grid.left_out:
        return ""
    return (
        f'<p class="note">{len(grid.names):,} of {len(grid.names) + grid.left_out:,} partitions are drawn, '
        "evenly taken from the order of the tree of all.</p>"
    )


def _map_lead(grid: Grid) -> str:
    return (
        "Classical multidimensional scaling: near points are alike. The plane holds "
        f"{html.escape(percent(grid.held, 1))} of the squared distances. "
        '<b class="differ">Orange</b> is the one most like all the others.'
    )


HEAT_MAP = Chart[Grid](
    name="matrix",
    title=always("Which are alike"),
    alt=lambda grid: f"Heat map of {grid.index.name} for {len(grid.names)} partitions",
    lead=_lead,
    plotly=lambda grid, look: heat_map(grid, look.palette, narrow=look.narrow),
    note=_note,
)
MAP = Chart[Grid](
    name="map",
    title=always("The same as a map"),
    alt=always("Map of the partitions by distance"),
    lead=_map_lead,
    plotly=lambda grid, look: scatter(grid, look.palette, narrow=look.narrow),
    needs=lambda grid: grid.points is not None,
)
