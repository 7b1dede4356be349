"""The heat map of a matrix, ordered by a tree that stands above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.report.figures import svg
from concordant.report.figures.canvas import HOVER, layout, plotly
from concordant.report.figures.chart import Chart, always
from concordant.report.figures.display import Display, plain_text
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.labels import in_chart
from concordant.report.layout import Tree
from concordant.report.summary import format_value, two_decimals

_TREE = 110  # pixels
_WRITTEN = 14  # with no more partitions than this, the values are written into the cells


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
    reference: str | None = None  # the one that all others are judged by
    ranking: tuple[Neighbour, ...] = ()  # all others, the most like the reference first
    one_set: bool = True

    @property
    def order(self) -> tuple[int, ...]:
        return self.tree.leaves if self.tree else tuple(range(len(self.names)))

    def likeness(self) -> list[list[float | None]]:
        """How strong the colour of each value is, 0 to 1; None where it has none."""
        finite = np.isfinite(self.values)
        low, span = (
            (self.values[finite].min(), np.ptp(self.values[finite]) or 1.0) if finite.any() else (0, 1)
        )
        shares = (np.where(finite, self.values, low) - low) / span
        if self.index.direction == "distance":
            shares = 1 - shares
        rows = zip(shares.tolist(), finite.tolist(), strict=True)
        return [[x if there else None for x, there in zip(*row, strict=True)] for row in rows]


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
        text=[[two_decimals(value) for value in row] for row in values.tolist()],
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


def _brackets(tree: Tree, leaves: int) -> Iterator[tuple[float, float, float, float, float]]:
    """Each join over the columns: left and right end, their feet, and its height."""
    place = {leaf: float(i) for i, leaf in enumerate(tree.leaves)}
    middle = [place[leaf] for leaf in range(leaves)]
    foot = [0.0] * leaves
    for merge in tree.merges:
        left, right = sorted((merge.one, merge.other), key=lambda branch: middle[branch])
        yield middle[left], middle[right], foot[left], foot[right], merge.height
        middle.append((middle[left] + middle[right]) / 2)
        foot.append(merge.height)


def _add_tree(figure: Any, grid: Grid, tree: Tree, palette: Palette, split: float) -> None:
    """Brackets over the columns, each as high as what it joins is apart."""
    x, y, hover = [], [], []
    for left, right, foot, other_foot, height in _brackets(tree, len(grid.names)):
        x += [left, left, right, right, None]
        y += [foot, height, height, other_foot, None]
        hover += [f"joined at a mean distance of {format_value(height)}"] * 5
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


def _cell_text(grid: Grid, i: int, j: int) -> str:
    ends = [in_chart(grid.names[place], 60) for place in (i, j)]
    between = " and " if grid.index.symmetric else " → "
    return f"<b>{format_value(float(grid.values[i, j]))}</b><br>{between.join(ends)}"


def _short(value: float) -> float | None:
    """Six digits are more than a colour shows; what is not finite has none."""
    return float(f"{value:.6g}") if np.isfinite(value) else None


# -- for papers -------------------------------------------------------------------------------------


@dataclass
class MatrixDisplay(Display):
    """The values in the order of the tree."""

    grid: Grid

    def _size(self) -> tuple[float, float]:
        side = min(7.0, max(3.2, 0.42 * len(self.grid.names) + 1.4))
        return side, side * 0.9

    def _draw(self, ax: Any) -> None:
        grid, order = self.grid, list(self.grid.order)
        values = grid.values[np.ix_(order, order)]
        shares = grid.likeness()
        likeness = [[shares[i][j] for j in order] for i in order]
        colours = np.ones((*values.shape, 3))
        blue = np.array([int(LIGHT.agree[i : i + 2], 16) / 255 for i in (1, 3, 5)])
        for i, row in enumerate(likeness):
            for j, share in enumerate(row):
                if share is not None:
                    colours[i, j] = 1 - (0.08 + 0.92 * share) * (1 - blue)
        ax.imshow(colours)
        if len(order) <= _WRITTEN:
            for i, j in np.argwhere(np.isfinite(values)).tolist():
                ink = "white" if (likeness[i][j] or 0.0) > 0.55 else LIGHT.ink
                ax.text(j, i, two_decimals(values[i, j]), ha="center", va="center", fontsize=8, color=ink)
        names = [plain_text(grid.names[place]) for place in order]
        ax.set_xticks(range(len(order)), names, rotation=90, fontsize=8)
        ax.set_yticks(range(len(order)), names, fontsize=8)
        for label in [*ax.get_xticklabels(), *ax.get_yticklabels()]:
            label.set_fontweight("bold" if label.get_text() == plain_text(grid.reference or "") else "normal")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        ax.set_title(plain_text(grid.index.name), fontsize=9)


# -- for pages --------------------------------------------------------------------------------------


def drawn(grid: Grid, *, narrow: bool) -> svg.Drawing:
    """The same as SVG."""
    order, length = list(grid.order), 10 if narrow else 24
    names = [svg.plain(grid.names[place], length) for place in order]
    room = svg.NARROW if narrow else svg.WIDE
    left = max(map(len, names)) * svg.CHARACTER + 14
    side = min(46.0, (room - left - 2) / len(order))
    tree = _TREE * (0.5 if narrow else 1.0) if grid.tree else 0.0
    top = tree + 6
    body = svg.joined(_svg_tree(grid, grid.tree, (left, side, top))) if grid.tree else ""
    body += svg.joined(_svg_cells(grid, order, (left, side, top), is_narrow=narrow))
    step = max(1, -(-13 // max(int(side), 1)))  # no more names than there is room for
    foot = top + len(order) * side
    for i, (place, name) in enumerate(zip(order, names, strict=True)):
        if i % step:
            continue
        kind = {"class_": "reference-name"} if grid.names[place] == grid.reference else {}
        middle = (i + 0.5) * side + 4.5
        body += svg.element("text", "", name, **kind, x=left - 8, y=top + middle, text_anchor="end")
        turned = f"translate({left + middle:.1f} {foot + 8:.1f}) rotate(-90)"
        body += svg.element("text", "", name, **kind, transform=turned, text_anchor="end")
    low = max(len(name) for name in names) * svg.CHARACTER + 16
    body += _svg_scale(grid, left, foot + low + 14, has_numbers=_has_numbers(grid, side))
    return svg.Drawing(room, foot + low + 40, body)


def _svg_cells(
    grid: Grid, order: list[int], box: tuple[float, float, float], *, is_narrow: bool
) -> Iterator[str]:
    left, side, top = box
    gap, shares, has_numbers = 1.0 if side > 8 else 0.0, grid.likeness(), _has_numbers(grid, side)
    for i, row in enumerate(order):
        for j, column in enumerate(order):
            value = float(grid.values[row, column])
            share = shares[row][column]
            at = {"x": left + j * side, "y": top + i * side}
            box_of = at | {"width": side - gap, "height": side - gap}
            said = "" if is_narrow else _said(grid, row, column)
            fill = (
                {"fill": svg.HATCH}
                if share is None
                else {"fill_opacity": svg.strength(share, has_numbers=has_numbers)}
            )
            yield svg.element("rect", said, class_="cell alike", **box_of, **fill)
            text = two_decimals(value)
            if has_numbers:
                middle = {"x": at["x"] + side / 2, "y": at["y"] + side / 2 + 4.5, "text_anchor": "middle"}
                yield svg.element("text", "", text, class_="value", **middle)


def _has_numbers(grid: Grid, side: float) -> bool:
    """Whether a cell has room for every value."""
    return side > svg.CHARACTER * max(len(two_decimals(value)) for value in grid.values.ravel().tolist())


def _svg_tree(grid: Grid, tree: Tree, box: tuple[float, float, float]) -> Iterator[str]:
    left, side, top = box
    highest = max((merge.height for merge in tree.merges), default=1.0) or 1.0

    def y_of(height: float) -> float:
        return top - 4 - (top - 12) * height / highest

    for one, other, foot, other_foot, height in _brackets(tree, len(grid.names)):
        x, end = left + (one + 0.5) * side, left + (other + 0.5) * side
        path = f"M{x:.1f} {y_of(foot):.1f}V{y_of(height):.1f}H{end:.1f}V{y_of(other_foot):.1f}"
        yield svg.element(
            "path", f"joined at a mean distance of {format_value(height)}", class_="branch", d=path
        )


def _svg_scale(grid: Grid, x: float, y: float, *, has_numbers: bool) -> str:
    """What the colours mean: from the least to the most alike."""
    finite = grid.values[np.isfinite(grid.values)]
    ends = [float(finite.min()), float(finite.max())] if finite.size else [0.0, 0.0]
    if grid.index.direction == "distance":
        ends.reverse()
    words = [two_decimals(value) for value in ends]
    body = svg.element("text", "", words[0], class_="tick", x=x, y=y + 10)
    start = x + len(words[0]) * svg.CHARACTER + 4
    for step in range(6):
        strength = svg.strength(step / 5, has_numbers=has_numbers)
        box = {"x": start + 18 * step, "y": y, "width": 18.0, "height": 12.0}
        body += svg.element("rect", class_="cell alike", **box, fill_opacity=strength)
    return body + svg.element("text", "", words[1], class_="tick", x=start + 18 * 6 + 5, y=y + 10)


def _said(grid: Grid, i: int, j: int) -> str:
    ends = [svg.plain(grid.names[place], 60) for place in (i, j)]
    return (
        f"{format_value(float(grid.values[i, j]))}\n{(' and ' if grid.index.symmetric else ' → ').join(ends)}"
    )


# -- the chart --------------------------------------------------------------------------------------


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


HEAT_MAP = Chart[Grid](
    name="matrix",
    title=always("Which are alike"),
    alt=lambda grid: f"Heat map of {grid.index.name} for {len(grid.names)} partitions",
    lead=_lead,
    plotly=lambda grid, look: heat_map(grid, look.palette, narrow=look.narrow),
    matplotlib=lambda grid, _: MatrixDisplay(grid),
    svg=lambda grid, look: drawn(grid, narrow=look.narrow),
    note=_note,
)
