"""The charts of a matrix: the heat map, ordered by a tree above it, and the map of its distances."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.sides import SideName
from concordant.counts.spelling import percent
from concordant.report.charts import svg
from concordant.report.charts.axes import plain_text, tint
from concordant.report.charts.chart import Chart, always
from concordant.report.layout import Merge
from concordant.report.palette import LIGHT
from concordant.report.values import format_value, two_decimals

_TREE = 110  # pixels
_WRITTEN = 14  # with no more partitions than this, the values are written into the cells

Box = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Partitions and their values, and what follows from them."""

    index: Index
    names: tuple[str, ...]
    values: NDArray[np.float64]
    order: Sequence[int]  # of the partitions from left to right
    merges: Sequence[Merge] | None  # the tree; None where a larger value means neither more nor less alike
    points: NDArray[np.float64] | None  # None where the distances are not a metric
    held: float  # how much of the squared distances the points hold
    medoid: str | None
    # Of all partitions, also those not drawn: the most similar one, its value, and the mean with all others.
    neighbours: Mapping[str, tuple[str, float, float]]
    omitted: int = 0  # partitions that are not among these
    reference: str | None = None  # the one that all others are judged by
    ranking: Sequence[tuple[str, float]] = ()  # all others, the nearest to the reference first
    one_set: bool = True
    conventions: str = ""  # those that are not the usual ones

    def likeness(self) -> NDArray[np.float64]:
        """How strong the colour of each value is, 0 to 1; NaN where it has none."""
        shares = np.where(np.isfinite(self.values), self.values, np.nan)
        if np.isfinite(shares).any():
            shares = (shares - np.nanmin(shares)) / ((np.nanmax(shares) - np.nanmin(shares)) or 1.0)
        return 1 - shares if self.index.direction == "distance" else shares


# -- the heat map -------------------------------------------------------------------------------------


def _draw(ax: Any, grid: Grid, _: SideName | None) -> None:
    places = np.ix_(grid.order, grid.order)
    values, likeness = grid.values[places], grid.likeness()[places]
    there = np.isfinite(values)
    colours = np.ones((*values.shape, 3))
    colours[there] = tint(LIGHT.agree, 0.08 + 0.92 * likeness[there])
    ax.imshow(colours)
    if len(values) <= _WRITTEN:
        for i, j in np.argwhere(there).tolist():
            ink = "white" if likeness[i, j] > 0.55 else LIGHT.ink
            ax.text(
                j,
                i,
                two_decimals(values[i, j], grid.index.perfect),
                ha="center",
                va="center",
                fontsize=8,
                color=ink,
            )
    names = [plain_text(grid.names[place]) for place in grid.order]
    ax.set_xticks(range(len(names)), names, rotation=90, fontsize=8)
    ax.set_yticks(range(len(names)), names, fontsize=8)
    for label in [*ax.get_xticklabels(), *ax.get_yticklabels()]:
        label.set_fontweight("bold" if label.get_text() == plain_text(grid.reference or "") else "normal")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(plain_text(grid.index.name), fontsize=9)


def _svg(grid: Grid, *, narrow: bool) -> svg.Drawing:
    order, length = grid.order, 10 if narrow else 24
    names = [svg.plain(grid.names[place], length) for place in order]
    room = svg.NARROW if narrow else svg.WIDE
    longest = max(map(len, names)) * svg.CHARACTER
    left = longest + 14
    side = min(46.0, (room - left - 2) / len(order))
    top = (_TREE * (0.5 if narrow else 1.0) if grid.merges is not None else 0.0) + 6
    # Values are written if every cell has room for its own.
    widest = max(len(two_decimals(value, grid.index.perfect)) for value in grid.values.ravel().tolist())
    has_numbers = side > svg.CHARACTER * widest
    body = "".join(_svg_tree(grid.merges, order, (left, side, top))) if grid.merges is not None else ""
    gap, shares = 1.0 if side > 8 else 0.0, grid.likeness()
    between = " and " if grid.index.symmetric else " → "
    for i, row in enumerate(order):
        for j, column in enumerate(order):
            value, share = float(grid.values[row, column]), float(shares[row, column])
            x, y = left + j * side, top + i * side
            ends = between.join(svg.plain(grid.names[place], 60) for place in (row, column))
            title = "" if narrow else f"{format_value(value)}\n{ends}"  # a finger does not hover
            fill = (
                {"fill": svg.HATCH}
                if np.isnan(share)
                else {"fill_opacity": svg.strength(share, has_numbers=has_numbers)}
            )
            box = {"x": x, "y": y, "width": side - gap, "height": side - gap}
            body += svg.element("rect", title, class_="cell alike", **box, **fill)
            if has_numbers:
                at = {"x": x + side / 2, "y": y + side / 2 + 4.5, "text_anchor": "middle"}
                body += svg.text(two_decimals(value, grid.index.perfect), class_="value", **at)
    step = max(1, -(-13 // max(int(side), 1)))  # no more names than there is room for
    foot = top + len(order) * side
    for i in range(0, len(order), step):
        kind = {"class_": "reference-name"} if grid.names[order[i]] == grid.reference else {}
        middle = (i + 0.5) * side + 4.5
        body += svg.text(names[i], **kind, x=left - 8, y=top + middle, text_anchor="end")
        turned = f"translate({left + middle:.1f} {foot + 8:.1f}) rotate(-90)"
        body += svg.text(names[i], **kind, transform=turned, text_anchor="end")
    low = foot + longest + 16
    body += _svg_scale(grid, left, low + 14, has_numbers=has_numbers)
    return svg.Drawing(room, low + 40, body)


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


def _svg_scale(grid: Grid, x: float, y: float, *, has_numbers: bool) -> str:
    """The legend of the colours: from the least to the most alike."""
    finite = grid.values[np.isfinite(grid.values)]
    ends = [float(finite.min()), float(finite.max())] if finite.size else [0.0, 0.0]
    words = [two_decimals(value, grid.index.perfect) for value in ends]
    if grid.index.direction == "distance":
        words.reverse()
    body = svg.text(words[0], class_="tick", x=x, y=y + 10)
    start = x + len(words[0]) * svg.CHARACTER + 4
    for step in range(6):
        strength = svg.strength(step / 5, has_numbers=has_numbers)
        box = {"x": start + 18 * step, "y": y, "width": 18.0, "height": 12.0}
        body += svg.element("rect", class_="cell alike", **box, fill_opacity=strength)
    return body + svg.text(words[1], class_="tick", x=start + 18 * 6 + 5, y=y + 10)


def _size(grid: Grid) -> tuple[float, float]:
    side = min(7.0, max(3.2, 0.42 * len(grid.names) + 1.4))
    return side, side * 0.9


HEAT_MAP = Chart[Grid](
    name="matrix",
    title=always("Which are alike"),
    alt=lambda grid: f"Heat map of {grid.index.name} for {len(grid.names)} partitions",
    lead=lambda grid: (
        "The stronger the blue, the more alike. Rows and columns stand in the order of the tree, which "
        "joins what is nearest first (average linkage); its height is the mean distance."
        if grid.merges is not None
        else "The stronger the blue, the larger the value. Partitions stand in the order in which they came."
    ),
    size=_size,
    draw=_draw,
    svg=lambda grid, narrow: _svg(grid, narrow=narrow),
    note=lambda grid: (
        f'<p class="note">{len(grid.names):,} of {len(grid.names) + grid.omitted:,} partitions are drawn, '
        "evenly taken from the order of the tree of all.</p>"
        if grid.omitted
        else ""
    ),
)


# -- the map ------------------------------------------------------------------------------------------


def _draw_map(ax: Any, grid: Grid, _: SideName | None) -> None:
    assert grid.points is not None
    colours = [LIGHT.differ if name == grid.medoid else LIGHT.agree for name in grid.names]
    rings = [LIGHT.ink if name == grid.reference else "white" for name in grid.names]
    ax.scatter(*grid.points.T, c=colours, edgecolors=rings, linewidths=1.4, s=46, zorder=2)
    for (x, y), name in zip(grid.points.tolist(), grid.names, strict=True):
        ax.annotate(plain_text(name), (x, y), (0, 6), textcoords="offset points", ha="center", fontsize=8)
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
    sides = _beside_points(placed, names, first)
    body = ""
    centre = np.array([room / 2, height / 2 + 40])
    for place, (x, y) in enumerate((placed + centre).tolist()):
        own = grid.names[place]
        is_medoid = own == grid.medoid
        title = f"{svg.plain(own, 60)}\nnearest: {svg.plain(grid.neighbours[own][0], 60)}"
        kind, radius = ("point medoid", 8) if is_medoid else ("point", 5.5)
        body += svg.element("circle", title, class_=kind, cx=x, cy=y, r=radius)
        if own == grid.reference:
            body += svg.element("circle", class_="ring", cx=x, cy=y, r=12)
        if side := sides[place]:
            dx, dy, anchor = side
            body += svg.text(names[place], x=x + dx, y=y + dy, text_anchor=anchor)
    return svg.Drawing(room, height + 80, body)


def _beside_points(
    points: NDArray[np.float64], names: list[str], first: list[int]
) -> list[tuple[float, float, str] | None]:
    """Where to put each name so that none covers another or a point; None where there is no room."""
    taken: list[Box] = [(x - 7, y - 7, x + 7, y + 7) for x, y in points.tolist()]
    found: list[tuple[float, float, str] | None] = [None] * len(names)
    for i in [*first, *(place for place in range(len(names)) if place not in first)]:
        (x, y), half = points[i].tolist(), 3.4 * len(names[i]) + 2
        ways: list[tuple[Box, tuple[float, float, str]]] = [
            ((x - half, y - 24, x + half, y - 8), (0, -12, "middle")),  # above
            ((x - half, y + 8, x + half, y + 24), (0, 21, "middle")),
            ((x + 8, y - 8, x + 8 + 2 * half, y + 8), (11, 4.5, "start")),
            ((x - 8 - 2 * half, y - 8, x - 8, y + 8), (-11, 4.5, "end")),
        ]
        for box, side in ways:
            if not any(
                box[0] < right and left < box[2] and box[1] < top and bottom < box[3]
                for place, (left, bottom, right, top) in enumerate(taken)
                if place != i
            ):
                found[i] = side
                taken.append(box)
                break
    return found


MAP = Chart[Grid](
    name="map",
    title=always("The same as a map"),
    alt=always("Map of the partitions by distance"),
    lead=lambda grid: (
        "Classical multidimensional scaling: near points are alike. The plane holds "
        f"{html.escape(percent(grid.held, 1))} of the squared distances. "
        '<b class="differ">Orange</b> is the one most like all the others'
        + (", and the reference has a ring." if grid.reference else ".")
    ),
    size=lambda _: (6.4, 4.4),
    draw=_draw_map,
    svg=lambda grid, narrow: _svg_map(grid, narrow=narrow),
    needs=lambda grid: grid.points is not None,
)
