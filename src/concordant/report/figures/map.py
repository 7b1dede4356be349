"""The map of a matrix: partitions on a plane, as far apart as their distances say."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.spelling import percent
from concordant.report.figures import svg
from concordant.report.figures.canvas import HOVER, layout, plotly
from concordant.report.figures.chart import Chart, always
from concordant.report.figures.display import Display, plain_text
from concordant.report.figures.matrix import Grid
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.labels import in_chart

Box = tuple[float, float, float, float]  # left, bottom, right, top


def scatter(grid: Grid, palette: Palette = LIGHT, *, narrow: bool = False) -> Any:
    """The partitions on a plane, as far apart as their distances say."""
    go = plotly()
    points = grid.points if grid.points is not None else np.zeros((len(grid.names), 2))
    spans = np.maximum(np.ptp(points, axis=0), 1e-9 + np.ptp(points) * 0.1)
    width = 250 if narrow else 900
    height = float(np.clip(width * spans[1] / spans[0], 180, 520))
    names = [in_chart(name, 14 if narrow else 24) for name in grid.names]
    first = _named_first(grid)
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
            "line": {
                "width": [3 if name == grid.reference else 1 for name in grid.names],
                "color": [palette.ink if name == grid.reference else palette.card for name in grid.names],
            },
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


def _point_text(grid: Grid, place: int) -> str:
    name = grid.names[place]
    return f"<b>{in_chart(name, 60)}</b><br>nearest: {in_chart(grid.neighbours[name].name, 60)}"


def _points(grid: Grid) -> NDArray[np.float64]:
    return grid.points if grid.points is not None else np.zeros((len(grid.names), 2))


def _named_first(grid: Grid) -> list[int]:
    """The partitions whose names must not be left out: the reference and the medoid."""
    return [grid.names.index(name) for name in (grid.reference, grid.medoid) if name in grid.names]


# -- for papers -------------------------------------------------------------------------------------


@dataclass
class MapDisplay(Display):
    """The partitions on a plane, as far apart as their distances say."""

    grid: Grid

    def _size(self) -> tuple[float, float]:
        return 6.4, 4.4

    def _draw(self, ax: Any) -> None:
        grid, points = self.grid, _points(self.grid)
        colours = [LIGHT.differ if name == grid.medoid else LIGHT.agree for name in grid.names]
        rings = [LIGHT.ink if name == grid.reference else "white" for name in grid.names]
        ax.scatter(points[:, 0], points[:, 1], c=colours, edgecolors=rings, linewidths=1.4, s=46, zorder=2)
        for (x, y), name in zip(points.tolist(), grid.names, strict=True):
            ax.annotate(plain_text(name), (x, y), (0, 6), textcoords="offset points", ha="center", fontsize=8)
        ax.set_aspect("equal", adjustable="datalim")
        ax.margins(0.12)
        ax.set_axis_off()


# -- for pages --------------------------------------------------------------------------------------


def drawn(grid: Grid, *, narrow: bool) -> svg.Drawing:
    """The same as SVG."""
    points = _points(grid)
    edge = (50.0, 40.0) if narrow else (110.0, 40.0)
    room = svg.NARROW if narrow else svg.WIDE
    spans = np.maximum(np.ptp(points, axis=0), 1e-9 + np.ptp(points) * 0.1)
    width = room - 2 * edge[0]
    height = float(np.clip(width * spans[1] / spans[0], 140, 480))
    scale = min(width / spans[0], height / spans[1])
    middle = (points.max(axis=0, initial=0) + points.min(axis=0, initial=0)) / 2
    placed = (points - middle) * scale
    names = [svg.plain(name, 14 if narrow else 24) for name in grid.names]
    sides = _beside_points(placed, names, _named_first(grid))
    at = placed * [1, -1] + [room / 2, height / 2 + edge[1]]
    body = svg.joined(_svg_points(grid, at, names, sides))
    return svg.Drawing(room, height + 2 * edge[1], body)


def _svg_points(
    grid: Grid, at: NDArray[np.float64], names: list[str], sides: list[str | None]
) -> Iterator[str]:
    beside: dict[str, tuple[float, float, str]] = {
        "top center": (0, -12, "middle"),
        "bottom center": (0, 21, "middle"),
    }
    beside |= {"middle right": (11, 4.5, "start"), "middle left": (-11, 4.5, "end")}
    for place, ((x, y), name, side) in enumerate(zip(at.tolist(), names, sides, strict=True)):
        own = grid.names[place]
        kind = "point medoid" if own == grid.medoid else "point"
        said = f"{svg.plain(own, 60)}\nnearest: {svg.plain(grid.neighbours[own].name, 60)}"
        dot = {"cx": x, "cy": y, "r": 8 if own == grid.medoid else 5.5}
        yield svg.element("circle", said, class_=kind, **dot)
        if own == grid.reference:
            yield svg.element("circle", class_="ring", cx=x, cy=y, r=12)
        if side is not None:
            dx, dy, anchor = beside[side]
            yield svg.element("text", "", name, x=x + dx, y=y + dy, text_anchor=anchor)


# -- the chart --------------------------------------------------------------------------------------


def _map_lead(grid: Grid) -> str:
    return (
        "Classical multidimensional scaling: near points are alike. The plane holds "
        f"{html.escape(percent(grid.held, 1))} of the squared distances. "
        '<b class="differ">Orange</b> is the one most like all the others'
        + (", and the reference has a ring." if grid.reference else ".")
    )


MAP = Chart[Grid](
    name="map",
    title=always("The same as a map"),
    alt=always("Map of the partitions by distance"),
    lead=_map_lead,
    plotly=lambda grid, look: scatter(grid, look.palette, narrow=look.narrow),
    matplotlib=lambda grid, _: MapDisplay(grid),
    svg=lambda grid, look: drawn(grid, narrow=look.narrow),
    needs=lambda grid: grid.points is not None,
)
