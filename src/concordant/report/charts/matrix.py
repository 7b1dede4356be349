"""The charts of a matrix: the heat map, ordered by a tree above it, the map of its distances, the ranking."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import part_of, percent
from concordant.indices.index import Index
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, NAME, Chart, always, plain_text, room_for
from concordant.report.charts.heat import (
    CellGrid,
    HeatScale,
    cell_colours,
    values_below_pointer,
    write_in_cells,
)
from concordant.report.layout import Merge
from concordant.report.palette import LIGHT
from concordant.report.values import format_value, two_decimals

_TREE = 110  # pixels
_WRITTEN = 14  # with no more partitions than this, each cell is an element, with its value if it fits
_HELD = 0.5  # of the squared distances; a map that holds less misleads

Box = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Partitions and their values, and what follows from them."""

    index: Index
    names: tuple[str, ...]
    values: NDArray[np.float64]
    order: Sequence[int]  # of the partitions from left to right
    merges: Sequence[Merge] | None  # the tree; None if the index has no direction
    points: NDArray[np.float64] | None  # None where the distances are not a metric
    held: float  # how much of the squared distances the points hold
    medoid: str | None
    neighbours: Mapping[str, str]  # of each partition, also those not drawn: the most similar one
    omitted: int = 0  # partitions that are not among these
    reference: str | None = None  # the one that all others are judged by

    @property
    def heat(self) -> HeatScale:
        """The colours of the values."""
        return HeatScale(self.index, self.values)


# -- the heat map -------------------------------------------------------------------------------------


def _draw(ax: Any, grid: Grid, _: SideName | None) -> None:
    places = np.ix_(grid.order, grid.order)
    values, likeness = grid.values[places], grid.heat.likeness()[places]
    ax.imshow(cell_colours(likeness))
    if len(values) <= _WRITTEN:
        perfect, shown = grid.index.perfect, np.argwhere(np.isfinite(values)).tolist()
        write_in_cells(ax, {(i, j): two_decimals(values[i, j], perfect) for i, j in shown}, likeness > 0.55)
    columns = room_for(ax, 0.25, 18)
    names = [plain_text(grid.names[place], columns) for place in grid.order]
    ax.set_xticks(range(len(names)), names, rotation=90, fontsize=FONT)
    ax.set_yticks(range(len(names)), names, fontsize=FONT)
    for labels in (ax.get_xticklabels(), ax.get_yticklabels()):
        for label, place in zip(labels, grid.order, strict=True):
            label.set_fontweight("bold" if grid.names[place] == grid.reference else "normal")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(plain_text(grid.index.name, 40), fontsize=FONT + 1)


def _svg(grid: Grid, *, narrow: bool) -> svg.Drawing:
    order, length = grid.order, 10 if narrow else 24
    names = [svg.plain(grid.names[place], length) for place in order]
    room = svg.NARROW if narrow else svg.WIDE
    longest = max(svg.width(name, narrow=narrow) for name in names)
    left = longest + 14
    side = min(46.0, (room - left - 2) / len(order))
    top = (_TREE * (0.5 if narrow else 1.0) if grid.merges is not None else 0.0) + 6
    # Values are written if every cell has space for its own.
    numbers = [two_decimals(value, grid.index.perfect) for value in grid.values.ravel().tolist()]
    number_class = svg.value_class(max(numbers, key=len), side, narrow=narrow)
    has_numbers = number_class is not None
    body = "".join(_svg_tree(grid.merges, order, (left, side, top))) if grid.merges is not None else ""
    gap, shares = 1.0 if side > 8 else 0.0, grid.heat.likeness()
    between, cells = " and " if grid.index.symmetric else " → ", CellGrid(left, top, side, side)
    if len(order) > _WRITTEN:
        body += cells.paths(shares[np.ix_(order, order)])
    for i, row in enumerate(order if len(order) <= _WRITTEN else ()):
        for j, column in enumerate(order):
            value, share = float(grid.values[row, column]), float(shares[row, column])
            x, y = left + j * side, top + i * side
            ends = between.join(svg.plain(grid.names[place], 60) for place in (row, column))
            title = "" if narrow else f"{format_value(value)}\n{ends}"  # phones have no hover
            fill = (
                {"fill": svg.HATCH}
                if np.isnan(share)
                else {"fill_opacity": svg.strength(share, has_numbers=has_numbers)}
            )
            box = {"x": x, "y": y, "width": side - gap, "height": side - gap}
            body += svg.element("rect", title, class_="cell alike", **box, **fill)
            if number_class is not None:
                body += cells.number(two_decimals(value, grid.index.perfect), i, j, number_class)
    step = math.ceil((svg.TEXT[narrow] + 2) / side)  # no more names than there is space for
    foot = top + len(order) * side
    for i in range(0, len(order), step):
        kind = {"class_": "reference-name"} if grid.names[order[i]] == grid.reference else {}
        body += cells.row_label(names[i], i, **kind)
        turned = f"translate({cells.middle(0, i)[0] + 4.5:.1f} {foot + 8:.1f}) rotate(-90)"
        body += svg.text(names[i], **kind, transform=turned, text_anchor="end")
    low = foot + longest + 16
    if step > 1:
        body += svg.text(f"1 in {step} names is shown", class_="tick", x=2.0 if narrow else left, y=low)
        low += 16
    body += grid.heat.legend(2.0 if narrow else left, low + 14, has_numbers=has_numbers, narrow=narrow)
    return svg.Drawing(room, low + 40, body)


def _cells(grid: Grid) -> dict[str, Any] | None:
    """Data for page.js on the cell below the pointer, if cells are not elements: names and values."""
    if len(grid.names) <= _WRITTEN:
        return None
    names = [svg.plain(grid.names[place], 60) for place in grid.order]
    between = " and " if grid.index.symmetric else " → "
    return values_below_pointer(grid.values[np.ix_(grid.order, grid.order)], names, None, between)


def _svg_tree(
    merges: Sequence[Merge], leaves: Sequence[int], box: tuple[float, float, float]
) -> Iterator[str]:
    """A bracket for each merge, as high as the distance of the two branches."""
    left, side, top = box
    highest = max((height for _, _, height in merges), default=1.0) or 1.0
    middle, foot = [0.0] * len(leaves), [top - 4] * len(leaves)
    for place, leaf in enumerate(leaves):
        middle[leaf] = left + (place + 0.5) * side
    for one, other, height in merges:
        a, b = sorted((one, other), key=lambda branch: middle[branch])
        y = top - 4 - (top - 12) * height / highest
        path = f"M{middle[a]:.1f} {foot[a]:.1f}V{y:.1f}H{middle[b]:.1f}V{foot[b]:.1f}"
        title = f"joined at a mean distance of {format_value(height)}"
        yield svg.element("path", title, class_="branch", d=path)
        middle.append((middle[a] + middle[b]) / 2)
        foot.append(y)


def _size(grid: Grid) -> tuple[float, float]:
    side = min(7.0, max(3.2, 0.42 * len(grid.names) + 1.4))
    return side, side * 0.9


HEAT_MAP = Chart[Grid](
    name="matrix",
    title=lambda grid: f"Which are similar by {grid.index.name} (heat map)",
    short="Heat map",
    alt=lambda grid: f"Heat map of {grid.index.name} for {len(grid.names)} partitions",
    lead=lambda grid: (
        f"Stronger blue means more similar, from {html.escape(' to '.join(grid.heat.words()))}. Rows "
        "and columns are in the order of the tree, which joins the nearest first (average linkage); its "
        "height is the mean distance."
        if grid.merges is not None
        else "The darker the blue, the larger the value. Partitions are in input order."
    ),
    size=_size,
    keeps_shape=True,
    draw=_draw,
    svg=lambda grid, narrow: _svg(grid, narrow=narrow),
    cells=_cells,
    note=lambda grid: (
        '<p class="note">'
        f"{part_of(len(grid.names), len(grid.names) + grid.omitted, 'partition', 'are')} drawn, "
        "evenly spaced in the order of the full tree.</p>"
        if grid.omitted
        else ""
    ),
)


# -- the map ------------------------------------------------------------------------------------------


def _draw_map(ax: Any, grid: Grid, _: SideName | None) -> None:
    assert grid.points is not None
    is_medoid = np.array([name == grid.medoid for name in grid.names])
    for chosen, colour, marker in ((~is_medoid, LIGHT.agree, "o"), (is_medoid, LIGHT.differ, "D")):
        names = [name for name, is_chosen in zip(grid.names, chosen, strict=True) if is_chosen]
        rings = [LIGHT.ink if name == grid.reference else "white" for name in names]
        look = {"c": colour, "marker": marker, "edgecolors": rings, "linewidths": 1.4}
        ax.scatter(*grid.points[chosen].T, s=46, zorder=2, **look)
    for (x, y), name in zip(grid.points.tolist(), grid.names, strict=True):
        text = plain_text(name, room_for(ax, 0.3, 18))
        ax.annotate(text, (x, y), (0, 6), textcoords="offset points", ha="center", fontsize=FONT, gid=NAME)
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.12)
    ax.set_axis_off()


def _svg_map(grid: Grid, *, narrow: bool) -> svg.Drawing:
    assert grid.points is not None
    points, edge, room = grid.points, 50.0 if narrow else 110.0, svg.NARROW if narrow else svg.WIDE
    spans = np.maximum(np.ptp(points, axis=0), 1e-9 + np.ptp(points) * 0.1)
    width = room - 2 * edge
    height = float(np.clip(width * spans[1] / spans[0], 140, 480))
    middle = (points.max(axis=0, initial=0) + points.min(axis=0, initial=0)) / 2
    placed = (points - middle) * min(width / spans[0], height / spans[1]) * [1, -1]
    names = [svg.plain(name, 14 if narrow else 24) for name in grid.names]
    # The names of the reference and of the medoid must not be omitted.
    first = [grid.names.index(name) for name in (grid.reference, grid.medoid) if name in grid.names]
    placed += [room / 2, height / 2 + 40]
    widths = [svg.width(name, narrow=narrow) for name in names]
    sides = _beside_points(placed, widths, first, room)
    body = ""
    for place, (x, y) in enumerate(placed.tolist()):
        own = grid.names[place]
        is_medoid = own == grid.medoid
        title = f"{svg.plain(own, 60)}\nnearest: {svg.plain(grid.neighbours.get(own, 'none'), 60)}"
        kind, radius = ("point medoid", 8) if is_medoid else ("point", 5.5)
        body += svg.element("circle", title, class_=kind, cx=x, cy=y, r=radius)
        if own == grid.reference:
            body += svg.element("circle", class_="ring", cx=x, cy=y, r=12)
        if side := sides[place]:
            dx, dy, anchor = side
            body += svg.text(names[place], x=x + dx, y=y + dy, text_anchor=anchor)
    return svg.Drawing(room, height + 80, body)


def _beside_points(
    points: NDArray[np.float64], widths: list[float], first: list[int], room: float
) -> list[tuple[float, float, str] | None]:
    """Positions at which no name covers another or a point; None without space."""
    taken: list[Box] = [(x - 7, y - 7, x + 7, y + 7) for x, y in points.tolist()]
    found: list[tuple[float, float, str] | None] = [None] * len(widths)
    for i in [*first, *(place for place in range(len(widths)) if place not in first)]:
        (x, y), half = points[i].tolist(), widths[i] / 2 + 2
        ways: list[tuple[Box, tuple[float, float, str]]] = [
            ((x - half, y - 28, x + half, y - 9), (0, -13, "middle")),  # above
            ((x - half, y + 9, x + half, y + 28), (0, 24, "middle")),
            ((x + 8, y - 10, x + 12 + 2 * half, y + 10), (11, 4.5, "start")),
            ((x - 12 - 2 * half, y - 10, x - 8, y + 10), (-11, 4.5, "end")),
        ]
        for box, side in ways:
            if (
                box[0] >= 0
                and box[2] <= room
                and not any(
                    box[0] < right and left < box[2] and box[1] < top and bottom < box[3]
                    for place, (left, bottom, right, top) in enumerate(taken)
                    if place != i
                )
            ):
                found[i] = side
                taken.append(box)
                break
    return found


MAP = Chart[Grid](
    name="map",
    title=lambda grid: f"Distances by {grid.index.name} as a map (multidimensional scaling)",
    short="Map",
    alt=always("Map of the partitions by distance"),
    lead=lambda grid: (
        "Classical multidimensional scaling: near points are similar. The plane accounts for "
        f"{html.escape(percent(grid.held, 1))} of the squared distances. "
        '<b class="differ">Orange</b> is the one most similar to all others'
        + (", and the reference has a ring." if grid.reference else ".")
    ),
    size=lambda _: (6.4, 4.4),
    keeps_shape=True,
    draw=_draw_map,
    svg=lambda grid, narrow: _svg_map(grid, narrow=narrow),
    needs=lambda grid: grid.points is not None and bool(grid.points.any()) and grid.held >= _HELD,
)
