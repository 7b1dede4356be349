"""The contingency table as a heat map."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.sides import SIDES, SideName
from concordant.counts.spelling import percents
from concordant.report.figures import svg
from concordant.report.figures.canvas import (
    HOVER,
    colours_of,
    gathered_note,
    hatched,
    layout,
    node_label,
    overlap_text,
)
from concordant.report.figures.chart import Chart, Look
from concordant.report.figures.display import HATCHING, Display, plain_label, plain_text
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.labels import in_chart
from concordant.report.picture import MATCHES, Node, Picture
from concordant.report.story import SideTitles, Story, dominant


def cells(
    picture: Picture,
    names: SideTitles,
    palette: Palette = LIGHT,
    *,
    share: SideName | None = None,
    narrow: bool = False,
) -> dict[str, Any]:
    """The contingency table as a heat map, coloured by what each overlap is."""
    filled, (height, _) = picture.counts > 0, picture.counts.shape
    maps: list[dict[str, Any]] = []
    for place, match in enumerate(MATCHES):
        shown = filled & (picture.matches == place)
        if shown.any():
            scale = palette.towards(palette.of_match(match))
            maps.append(_heat_map(picture, names, shown, scale=scale, share=share, narrow=narrow))
            if match == "other":
                maps.append(_hatching(shown, palette))
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
    """The cells of one colour; the strength of all colours is on one scale."""
    values = shares(picture, share)
    drawn = {
        "type": "heatmap",
        "z": _where(shown, lambda i, j: float(values[i, j]), None),
        "zmin": 0,
        "zmax": 1 if share else float(values.max()),
        "colorscale": scale,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "customdata": _where(shown, lambda i, j: overlap_text(picture, i, j, names), ""),
        "hovertemplate": HOVER,
        "hoverongaps": False,
    }
    if shown.shape[1] <= (12 if narrow else 20):
        texts = cell_texts(picture, share)
        drawn["text"] = _where(shown, lambda i, j: html.escape(texts[i][j]), "")
        drawn |= {"texttemplate": "%{text}", "textfont": {"size": 11 if narrow else 13}}
    return drawn


def _hatching(shown: NDArray[np.bool_], palette: Palette) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[float | None] = []
    for i, j in np.argwhere(shown).tolist():
        x += [j - 0.47, j + 0.47, j + 0.47, j - 0.47, None]
        y += [i - 0.47, i - 0.47, i + 0.47, i + 0.47, None]
    lines = hatched(x, y, palette)
    return lines | {
        "fillpattern": {**lines["fillpattern"], "bgcolor": palette.faded(palette.card, 0), "solidity": 0.1}
    }


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


def cell_texts(picture: Picture, share: SideName | None) -> list[list[str]]:
    """What stands in each cell: its records, or how much of its row or of its column they are."""
    if share is None:
        return [[_number(int(count)) for count in row] for row in picture.counts]
    if share == "reference":
        return [_parts(row, node.size) for row, node in zip(picture.counts, picture.rows, strict=True)]
    columns = [
        _parts(column, node.size) for column, node in zip(picture.counts.T, picture.columns, strict=True)
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _parts(counts: Any, whole: int) -> list[str]:
    """The overlaps of one cluster as shares of it that add up; what is not drawn is a part, too."""
    parts = [int(count) for count in counts]
    return percents([*parts, whole - sum(parts)])[:-1]


def _number(value: int) -> str:
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


# -- for papers -------------------------------------------------------------------------------------


@dataclass
class TableDisplay(Display):
    """The contingency table, coloured by what each overlap is."""

    picture: Picture
    names: SideTitles
    share: SideName | None = None

    def _size(self) -> tuple[float, float]:
        rows, columns = self.picture.counts.shape
        return max(3.2, 0.42 * columns + 1.2), max(2.6, 0.36 * rows + 1)

    def _draw(self, ax: Any) -> None:
        values = shares(self.picture, self.share)
        colours = np.ones((*values.shape, 3))
        most = 1.0 if self.share else values.max()
        for place, match in enumerate(MATCHES):
            shown = (self.picture.matches == place) & (values > 0)
            strength = 0.1 + 0.9 * values[shown] / most
            colours[shown] = 1 - strength[:, None] * (1 - _rgb(LIGHT.of_match(match)))
        ax.imshow(colours, aspect="auto")
        self._hatch(ax, values)
        self._write_numbers(ax, values, colours)
        _ticks(ax.xaxis, self.picture.columns, self.names[1], rotation=90)
        _ticks(ax.yaxis, self.picture.rows, self.names[0])
        ax.xaxis.set_ticks_position("top")
        ax.xaxis.set_label_position("top")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)

    def _hatch(self, ax: Any, values: Any) -> None:
        others = (self.picture.matches == MATCHES.index("other")) & (values > 0)
        for i, j in np.argwhere(others).tolist():
            corners = [(j - 0.5, i - 0.5), (j + 0.5, i - 0.5), (j + 0.5, i + 0.5), (j - 0.5, i + 0.5)]
            ax.fill(
                *zip(*corners, strict=True), fill=False, hatch=HATCHING, edgecolor=LIGHT.muted, linewidth=0
            )

    def _write_numbers(self, ax: Any, values: Any, colours: Any) -> None:
        if max(values.shape) > 20:
            return
        texts = cell_texts(self.picture, self.share)
        for i, j in np.argwhere(values > 0).tolist():
            ink = "white" if colours[i, j].mean() < 0.55 else LIGHT.ink
            ax.text(j, i, texts[i][j], ha="center", va="center", fontsize=8, color=ink)


def _ticks(axis: Any, nodes: tuple[Node, ...], name: str, rotation: float = 0) -> None:
    texts = [plain_label(node) for node in nodes]
    short = max(map(len, texts)) <= 3
    axis.set_ticks(range(len(nodes)), texts, rotation=0 if short else rotation, fontsize=8)
    axis.set_label_text(plain_text(name), weight="bold", fontsize=9)
    axis.labelpad = 8


def _rgb(colour: str) -> Any:
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])


# -- for pages --------------------------------------------------------------------------------------


def drawn(picture: Picture, names: SideTitles, *, narrow: bool) -> svg.Drawing:
    """The same as SVG; each cell has its shares with it, so that buttons can show them."""
    rows, columns = picture.counts.shape
    width, length = (svg.NARROW, 10) if narrow else (svg.WIDE, 20)
    left = max(len(svg.label(node, length)) for node in picture.rows) * svg.CHARACTER + 14
    wide = (width - left) / columns
    longest = max(len(svg.label(node, length)) for node in picture.columns) * svg.CHARACTER
    crowded = longest > wide - 4
    top = 38 + (longest if crowded else 14)
    tall = (30 if narrow else 34) if rows <= 16 else 20
    room = 12 if narrow else 30
    said = f"{svg.plain(names[0], room)} ↓   {svg.plain(names[1], room)} →"
    body = svg.element("text", "", said, class_="side", x=2, y=16)
    step = max(1, -(-13 // int(max(wide, 1)))) if crowded else 1
    for j, node in enumerate(picture.columns):
        if j % step == 0:
            shown = _column_label(svg.label(node, length), left + (j + 0.5) * wide, top - 8, crowded=crowded)
            body += svg.to_card(node, "candidate", shown)
    for i, node in enumerate(picture.rows):
        y = top + (i + 0.5) * tall + 4.5
        shown = svg.element("text", "", svg.label(node, length), x=left - 8, y=y, text_anchor="end")
        body += svg.to_card(node, "reference", shown)
    told = None if narrow else names  # a finger does not hover
    body += svg.joined(_svg_cells(picture, told, (left, top, wide, float(tall))))
    return svg.Drawing(width, top + rows * tall + 4, body)


def _column_label(text: str, x: float, y: float, *, crowded: bool) -> str:
    if not crowded:
        return svg.element("text", "", text, x=x, y=y, text_anchor="middle")
    return svg.element("text", "", text, transform=f"translate({x + 4:.1f} {y:.1f}) rotate(-90)")


def _svg_cells(
    picture: Picture, names: SideTitles | None, box: tuple[float, float, float, float]
) -> Iterator[str]:
    left, top, wide, tall = box
    most = float(picture.counts.max())
    numbers, rows, columns = (cell_texts(picture, share) for share in (None, *SIDES))
    cells = np.argwhere(picture.counts > 0).tolist()
    written = {(i, j): wide > svg.CHARACTER * max(len(texts[i][j]) for texts in (numbers, rows, columns))
               for i, j in cells}  # fmt: skip
    has_numbers = any(written.values())
    for i, j in cells:
        strength = svg.strength(float(picture.counts[i, j]) / most, has_numbers=has_numbers)
        match, said = picture.match(i, j), svg.overlap_title(picture, i, j, names) if names else ""
        x, y = left + j * wide, top + i * tall
        corner = {"x": x + 1, "y": y + 1, "width": max(wide - 2, 1.0), "height": tall - 2}
        ground = {"fill": svg.HATCH, "fill_opacity": 0.5} if match == "other" else {"fill_opacity": strength}
        ends = svg.places(picture.rows[i], picture.columns[j])
        yield svg.element(
            "rect",
            said,
            class_=f"cell {match}",
            **ends,
            **corner,
            **ground,
            data_share=f"{rows[i][j]} {columns[i][j]}",
        )
        if written[i, j]:
            at = {"x": x + wide / 2, "y": y + tall / 2 + 4.5, "text_anchor": "middle"}
            yield svg.element("text", "", numbers[i][j], class_="value", **at)


# -- the chart --------------------------------------------------------------------------------------


def _plotly(story: Story, look: Look) -> dict[str, Any]:
    return cells(story.cells, story.names, look.palette, share=look.share, narrow=look.narrow)


def _what_went_wrong(story: Story) -> str:
    """What the flow does not say already."""
    said = next(dominant(story, story.flow), "")
    return next((each for each in dominant(story, story.cells) if each != said), "Which clusters overlap")


TABLE = Chart[Story](
    name="table",
    short="Table",
    title=_what_went_wrong,
    alt=lambda story: f"Heat map of the contingency table: {_what_went_wrong(story)}",
    lead=lambda story: (
        "Rows are clusters of the reference, columns of the candidate, ordered so that what matches lies on "
        f"the diagonal. {colours_of(story)} The stronger a colour, the more records; all colours are on one "
        "scale."
    ),
    plotly=_plotly,
    svg=lambda story, look: drawn(story.cells, story.names, narrow=look.narrow),
    matplotlib=lambda story, look: TableDisplay(story.cells, story.names, look.share),
    needs=lambda story: story.draws_overlaps,
    note=lambda story: gathered_note(story.cells, story, to_scale=True),
    shares={None: "Records", "reference": "Share of row", "candidate": "Share of column"},
)
