"""An index for all pairs of cuts of two hierarchies, as a heat map with its ridge."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import counted, verb
from concordant.indices.index import Index
from concordant.maths.arithmetic import evenly
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, Chart, plain_text
from concordant.report.charts.heat import CellGrid, HeatScale, cell_colours, values_below_pointer
from concordant.report.charts.sizes import short_count
from concordant.report.palette import LIGHT
from concordant.report.values import format_value


@dataclass(frozen=True, slots=True, eq=False)
class CutPicture:
    """The values at all pairs of cuts, from few clusters to many on both sides.

    Attributes
    ----------
    index : Index
        The index.
    reference, candidate : array of int
        Number of clusters of each cut, rising.
    values : matrix of float
        The value at each pair of cuts.
    ridge : sequence of (int, int)
        For each reference cut, the position of the best candidate cut; empty if no cut is best.
    best : (int, int) or None
        Position of the best value.
    names : (str, str)
        The two sides.
    omitted : int
        Number of pairs of cuts that are not shown.
    is_whole : bool
        Whether no cut has more clusters.
    is_listed : bool
        Whether a table on the page lists the ridge.
    """

    index: Index
    reference: NDArray[np.int64]
    candidate: NDArray[np.int64]
    values: NDArray[np.float64]
    ridge: Sequence[tuple[int, int]]
    best: tuple[int, int] | None
    names: tuple[str, str]
    omitted: int = 0
    is_whole: bool = True
    is_listed: bool = False

    @property
    def heat(self) -> HeatScale:
        """The colours of the values."""
        return HeatScale(self.index, self.values)

    def scope(self) -> str:
        """Which cuts are compared, if not all."""
        if self.is_whole:
            return ""
        most = [f"{int(sizes[-1]):,}" for sizes in (self.reference, self.candidate)]
        return f"Among cuts into at most {' and '.join(most)} clusters, "

    def words(self, row: int, column: int) -> str:
        """A pair of cuts in words."""
        numbers = (int(self.reference[row]), int(self.candidate[column]))
        sides = " and ".join(
            f"{k:,} of {svg.plain(name, 40)}" for k, name in zip(numbers, self.names, strict=True)
        )
        return f"{format_value(float(self.values[row, column]))}\nclusters: {sides}"


def _ticks(clusters: NDArray[np.int64], most: int) -> list[int]:
    """Positions of a few cuts, evenly, with the first and the last."""
    return evenly(len(clusters), most).tolist()  # type: ignore[no-any-return]  # a list of int


def _draw(ax: Any, grid: CutPicture, _: SideName | None) -> None:
    colours = cell_colours(grid.heat.likeness())
    ax.imshow(colours, origin="lower", aspect="auto", interpolation="nearest")
    if grid.ridge:
        rows, columns = zip(*grid.ridge, strict=True)
        ax.plot(columns, rows, color=LIGHT.differ, linewidth=1.4, label="best for each cut of the reference")
    if grid.best is not None:
        row, column = grid.best
        ring = {"markerfacecolor": "none", "markeredgecolor": LIGHT.ink, "markeredgewidth": 1.4}
        label = f"best {format_value(float(grid.values[row, column]))}"
        ax.plot(column, row, "o", markersize=8, label=label, **ring)
    for axis, clusters in ((ax.xaxis, grid.candidate), (ax.yaxis, grid.reference)):
        places = _ticks(clusters, 6)
        axis.set_ticks(places, [short_count(int(clusters[place])) for place in places], fontsize=FONT)
    ax.set_xlabel(f"clusters of {plain_text(grid.names[1], 30)}", fontsize=FONT + 1)
    ax.set_ylabel(f"clusters of {plain_text(grid.names[0], 30)}", fontsize=FONT + 1)
    ax.spines[:].set_visible(False)
    ax.legend(
        title=plain_text(grid.index.name, 40),
        title_fontsize=FONT + 1,
        alignment="left",
        frameon=False,
        fontsize=FONT,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        borderaxespad=0.2,
    )


def _svg(grid: CutPicture, *, narrow: bool) -> svg.Drawing:
    width, size = (svg.NARROW if narrow else svg.WIDE), svg.TEXT[narrow]
    rows, columns = grid.values.shape
    y_ticks = [(place, short_count(int(grid.reference[place]))) for place in _ticks(grid.reference, 6)]
    left = max(svg.width(text, narrow=narrow) for _, text in y_ticks) + 14
    top, right = size + 12, 14.0
    wide = min((width - left - right) / columns, 46.0)
    tall = min(wide, (260.0 if narrow else 420.0) / rows)
    foot = top + rows * tall
    body = svg.text(
        svg.plain(f"clusters of {grid.names[0]}", 34 if narrow else 60), class_="tick", x=2, y=size
    )
    # The first row of the values is at the bottom.
    cells = CellGrid(left, top, wide, tall)
    body += cells.paths(grid.heat.likeness()[::-1])

    def middle(row: int, column: int) -> tuple[float, float]:
        return cells.middle(rows - 1 - row, column)

    for place, text in _spaced(y_ticks, tall, size):
        body += cells.row_label(text, rows - 1 - place, class_="tick")
    x_ticks = [
        (place, short_count(int(grid.candidate[place])))
        for place in _ticks(grid.candidate, 5 if narrow else 8)
    ]
    for place, text in _spaced(x_ticks, wide, max(svg.width(text, narrow=narrow) for _, text in x_ticks) + 6):
        body += svg.text(text, class_="tick", x=middle(0, place)[0], y=foot + size + 6, text_anchor="middle")
    named = svg.plain(f"clusters of {grid.names[1]}", 34 if narrow else 60)
    body += svg.text(named, class_="tick", x=left, y=foot + 2 * size + 12)
    if grid.ridge:
        path = "L".join("{:.1f} {:.1f}".format(*middle(*each)) for each in grid.ridge)
        body += svg.element("path", class_="ridge", d=f"M{path}")
    for place, (row, column) in enumerate(grid.ridge):
        x, y = middle(row, column)
        if grid.is_listed:
            title = f"{grid.words(row, column)}\nbest cut for this one of {svg.plain(grid.names[0], 40)}"
            radius = min(max(wide / 3, 1.5), 4.0)
            body += svg.dot(title, f"#ridge{place}", class_="medoid", cx=x, cy=y, r=radius)
    if grid.best is not None:
        x, y = middle(*grid.best)
        body += svg.element(
            "circle", f"{grid.words(*grid.best)}\nbest of all", class_="ring", cx=x, cy=y, r=8.0
        )
    low = foot + 2 * size + 26
    body += grid.heat.legend(2.0 if narrow else left, low, has_numbers=False, narrow=narrow)
    return svg.Drawing(width, low + 24, body)


def _spaced(ticks: Sequence[tuple[int, str]], unit: float, needed: float) -> list[tuple[int, str]]:
    """The last tick, and those before it that have space."""
    kept: list[tuple[int, str]] = []
    for place, text in reversed(ticks):
        if not kept or (kept[-1][0] - place) * unit >= needed:
            kept.append((place, text))
    return kept


def _cells(grid: CutPicture) -> dict[str, Any]:
    """Data for page.js on the cell below the pointer: numbers of clusters and values."""
    sides = [
        [f"{k:,} clusters of {svg.plain(name, 40)}" for k in clusters.tolist()]
        for clusters, name in zip((grid.reference[::-1], grid.candidate), grid.names, strict=True)
    ]
    return values_below_pointer(grid.values[::-1], sides[0], sides[1], ", ")


def _title(grid: CutPicture) -> str:
    if grid.best is None:
        return f"{grid.index.name} at every pair of cuts (heat map)"
    row, column = grid.best
    numbers = f"{int(grid.reference[row]):,} and {int(grid.candidate[column]):,} clusters"
    value = format_value(float(grid.values[row, column]))
    best = f"{scope}the best" if (scope := grid.scope()) else "The best"
    return f"{best} {grid.index.name} is {value}, at {numbers} (heat map)"


CUT_GRID = Chart[CutPicture](
    name="grid",
    short="Grid of cuts",
    title=_title,
    alt=lambda grid: "Heat map of {} for {} by {} cuts".format(grid.index.name, *grid.values.shape),
    lead=lambda grid: (
        "Each cell is a cut of both hierarchies. Stronger blue means more similar, from "
        f"{html.escape(' to '.join(grid.heat.words()))}."
        + (
            ' The <b class="differ">orange</b> ridge marks the best cut of {1} for each cut of {0}.'.format(
                *(html.escape(svg.plain(name, 40)) for name in grid.names)
            )
            if grid.ridge
            else ""
        )
    ),
    size=lambda _: (4.8, 4.2),
    keeps_shape=True,
    draw=_draw,
    svg=lambda grid, narrow: _svg(grid, narrow=narrow),
    cells=_cells,
    note=lambda grid: (
        f'<p class="note">{counted(grid.omitted, "other pair")} of cuts {verb(grid.omitted, "are")} not '
        "drawn.</p>"
        if grid.omitted
        else ""
    ),
)
