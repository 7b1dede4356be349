"""The flow diagram: bands of records from the reference on the left to the candidate on the right."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.counts.sides import SIDES
from concordant.report.figures import svg
from concordant.report.figures.bands import band_path, fill_band, tops
from concordant.report.figures.canvas import (
    HOVER,
    colours_of,
    gathered_note,
    hatched,
    layout,
    node_label,
    node_text,
    overlap_text,
)
from concordant.report.figures.chart import Chart, Look
from concordant.report.figures.display import GATHERED, Display, plain_label, plain_text
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.labels import in_chart, width_in_chart
from concordant.report.picture import Node, Picture
from concordant.report.story import SideTitles, Story, dominant

_BARS = 330  # pixels: the bars of one side, together
_PAD = 17  # between bars: no label is taller
_BAR = 11  # their width
_CHARACTER = 7.2  # pixels, at the font size of labels
_TOP, _BOTTOM = 34, 10
_OPACITY = {"core": 0.34, "part": 0.42, "stray": 0.68, "other": 0.22}


def flow(
    picture: Picture, names: SideTitles, palette: Palette = LIGHT, *, narrow: bool = False
) -> dict[str, Any]:
    """Which records go from which reference cluster into which candidate cluster, as a Plotly figure."""
    height = _BARS + _PAD * (max(picture.counts.shape) - 1)
    sides = (picture.rows, picture.columns)
    centres = [_centres(picture.counts.sum(axis=axis), height) for axis in (1, 0)]
    notes, widths = [], []
    for side, (nodes, ys, name) in enumerate(zip(sides, centres, names, strict=True)):
        texts = [_beside(node, narrow, palette) for node in nodes]
        widths.append(max(width for _, width in texts) * _CHARACTER + 16)
        notes += [_note(text, side, 1 - y) for (text, _), y in zip(texts, ys, strict=True)]
        notes.append(_title(in_chart(name, 12 if narrow else 30), side))
    tall = [heights / heights.sum() * _BARS / height for heights in map(picture.counts.sum, (1, 0))]
    gathered = [
        (side, y, share)
        for side, (nodes, ys, shares) in enumerate(zip(sides, centres, tall, strict=True))
        for node, y, share in zip(nodes, ys, shares.tolist(), strict=True)
        if node.is_hatched
    ]
    sankey = {
        "type": "sankey",
        "arrangement": "fixed",
        "node": _bars(picture, names, [*centres[0], *centres[1]], palette),
        "link": _bands(picture, names, palette),
    }
    margin = {"t": _TOP, "b": _BOTTOM, "l": widths[0], "r": widths[1]}
    still = {"range": [0, 1], "visible": False, "fixedrange": True}
    axes = {"xaxis": still, "yaxis": still} if gathered else {}
    frame = layout(palette, height + _TOP + _BOTTOM, annotations=notes, margin=margin, **axes)
    return {"data": [sankey, *(_hatched(*each, palette) for each in gathered)], "layout": frame}


def _hatched(side: int, y: float, share: float, palette: Palette) -> dict[str, Any]:
    """The bar of the gathered others; a Sankey diagram has no patterns of its own."""
    left, right = ((0.0, 0.014), (0.986, 1.0))[side]
    low, high = 1 - y - share / 2, 1 - y + share / 2
    return hatched([left, right, right, left, left], [low, low, high, high, low], palette)


def _bars(picture: Picture, names: SideTitles, centres: list[float], palette: Palette) -> dict[str, Any]:
    rows, columns = len(picture.rows), len(picture.columns)
    return {
        "x": [0.004] * rows + [0.996] * columns,
        "y": centres,
        "pad": _PAD,
        "thickness": _BAR,
        "label": [""] * (rows + columns),  # Plotly would draw them over the bands
        "line": {"width": 0},
        "color": [
            palette.faded(palette.muted, 0.01) if node.is_hatched else colour  # the hatching lies below it
            for nodes, colour in ((picture.rows, palette.reference), (picture.columns, palette.candidate))
            for node in nodes
        ],
        "customdata": [node_text(node, names[0]) for node in picture.rows]
        + [node_text(node, names[1]) for node in picture.columns],
        "hovertemplate": HOVER,
    }


def _bands(picture: Picture, names: SideTitles, palette: Palette) -> dict[str, Any]:
    cells = [(int(i), int(j)) for i, j in np.argwhere(picture.counts > 0)]
    strays = [int(picture.counts[cell]) for cell in cells if picture.match(*cell) == "stray"]
    hair = 0.2 * max(strays, default=0)  # thinner bands must not hide the others
    return {
        "source": [i for i, _ in cells],
        "target": [len(picture.rows) + j for _, j in cells],
        "value": [float(picture.counts[cell]) for cell in cells],
        "color": [_colour(picture, i, j, hair, palette) for i, j in cells],
        "customdata": [overlap_text(picture, i, j, names) for i, j in cells],
        "hovertemplate": HOVER,
    }


def _colour(picture: Picture, i: int, j: int, hair: float, palette: Palette) -> str:
    match = picture.match(i, j)
    opacity = _OPACITY[match] if match != "stray" or picture.counts[i, j] >= hair else 0.3
    return palette.faded(palette.of_match(match), opacity)


def _centres(sizes: Any, height: float) -> list[float]:
    """The middles of bars that stand one below the other, as shares of the height."""
    tall = np.asarray(sizes, dtype=float)
    tall *= _BARS / tall.sum()
    middles: list[float] = ((tops(tall, _PAD, height) + tall / 2) / height).tolist()
    return [min(max(y, 1e-4), 1 - 1e-4) for y in middles]  # Plotly takes 0 for "anywhere"


def _beside(node: Node, narrow: bool, palette: Palette) -> tuple[str, int]:
    """The text beside a bar, and how many characters wide it is."""
    length = 9 if narrow else 22
    label = node_label(node, length)
    width = len(label) if node.is_other else width_in_chart(node.label, length)
    if narrow:
        return label, width
    size = "not to scale" if node.is_other else f"{node.size:,}"
    return f'{label}  <span style="color:{palette.muted}">{size}</span>', width + 2 + len(size)


def _note(text: str, side: int, y: float) -> dict[str, Any]:
    """Text outside the bars of a side."""
    return {
        "text": text,
        "x": side,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": ("right", "left")[side],
        "yanchor": "middle",
        "xshift": (-10, 10)[side],
        "showarrow": False,
    }


def _title(text: str, side: int) -> dict[str, Any]:
    """The name of a side, above its bars."""
    place = {"xanchor": ("left", "right")[side], "yanchor": "bottom", "xshift": 0, "yshift": 12}
    return {**_note(f"<b>{text}</b>", side, 1), **place}


# -- for papers -------------------------------------------------------------------------------------


@dataclass
class FlowDisplay(Display):
    """Bands of records from reference clusters on the left to candidate clusters on the right."""

    picture: Picture
    names: SideTitles

    def _size(self) -> tuple[float, float]:
        return 6.4, max(3.0, 0.34 * max(self.picture.counts.shape) + 1)

    def _draw(self, ax: Any) -> None:
        counts = self.picture.counts.astype(float)
        gap = 0.25 * counts.sum() / max(counts.shape)
        heights = counts.sum(axis=1), counts.sum(axis=0)
        left, right = (tops(each, gap, room=0.0) for each in heights)  # both around the same middle
        self._bands(ax, counts, left.copy(), right.copy())
        sides = [
            (0.0, left, heights[0], self.picture.rows, LIGHT.reference, "right"),
            (1.0, right, heights[1], self.picture.columns, LIGHT.candidate, "left"),
        ]
        for x, begins, tall, nodes, colour, align in sides:
            outward = -1 if align == "right" else 1
            bars = ax.bar(x + outward * 0.01, tall, 0.02, begins, color=colour)
            for drawn, node in zip(bars, nodes, strict=True):
                if node.is_hatched:
                    drawn.set(**GATHERED)
            for top, height, node in zip(begins, tall, nodes, strict=True):
                ax.text(
                    x + outward * 0.035,
                    top + height / 2,
                    plain_label(node),
                    ha=align,
                    va="center",
                    fontsize=8,
                )
        for x, name, align in ((0, self.names[0], "right"), (1, self.names[1], "left")):
            ax.text(
                x,
                min(left[0], right[0]) - gap,
                plain_text(name),
                ha=align,
                va="bottom",
                fontsize=9,
                weight="bold",
            )
        foot = max(left[-1] + heights[0][-1], right[-1] + heights[1][-1])
        ax.set(xlim=(-0.25, 1.25), ylim=(foot, min(left[0], right[0]) - 2 * gap))
        ax.set_axis_off()

    def _bands(self, ax: Any, counts: Any, left: Any, right: Any) -> None:
        for i, j in np.argwhere(counts > 0).tolist():
            n, match = counts[i, j], self.picture.match(i, j)
            look = {"color": LIGHT.of_match(match), "alpha": _OPACITY[match]}
            fill_band(ax, (0.0, 1.0), (left[i], right[j]), n, **look)
            left[i] += n
            right[j] += n


# -- for pages --------------------------------------------------------------------------------------


def drawn(
    picture: Picture, names: SideTitles, *, narrow: bool, cut: Collection[tuple[int, int]] = ()
) -> svg.Drawing:
    """The same as SVG; the overlaps of a cut, by the numbers of their clusters, are marked."""
    height, width = _BARS + _PAD * (max(picture.counts.shape) - 1), svg.NARROW if narrow else svg.WIDE
    sides = (picture.rows, picture.columns)
    texts = [[_words(node, narrow=narrow) for node in nodes] for nodes in sides]
    margins = [max(len(" ".join(text)) for text in side) * svg.CHARACTER + 12 for side in texts]
    edges = (margins[0], width - margins[1])
    scale = _BARS / float(picture.counts.sum())
    heights = [picture.counts.sum(axis=axis).astype(float) * scale for axis in (1, 0)]
    begins = [(_TOP + tops(tall, _PAD, height)).tolist() for tall in heights]
    told = None if narrow else names  # a finger does not hover
    body = svg.joined(_svg_bands(picture, told, edges, (begins, scale), cut))
    for side, (nodes, words) in enumerate(zip(sides, texts, strict=True)):
        bars = zip(nodes, words, begins[side], heights[side].tolist(), strict=True)
        body += svg.joined(_svg_side(side, names[side], edges[side], bars))
        corner: dict[str, Any] = {"x": (2, width - 2)[side], "text_anchor": ("start", "end")[side]}
        body += svg.element(
            "text", "", svg.plain(names[side], 12 if narrow else 30), class_="side", y=20, **corner
        )
    return svg.Drawing(width, height + _TOP + _BOTTOM, body)


def _words(node: Node, *, narrow: bool) -> tuple[str, str]:
    """What stands beside a bar: the label, and the size where there is room."""
    size = "not to scale" if node.is_other else f"{node.size:,}"
    return svg.label(node, 9 if narrow else 22), "" if narrow else size


def _svg_bands(
    picture: Picture,
    names: SideTitles | None,
    edges: tuple[float, float],
    bars: tuple[list[list[float]], float],
    cut: Collection[tuple[int, int]],
) -> Iterator[str]:
    begins, scale = bars
    left, right = list(begins[0]), list(begins[1])
    x = (edges[0] + _BAR, edges[1] - _BAR)
    for i, j in np.argwhere(picture.counts > 0).tolist():
        tall = float(picture.counts[i, j]) * scale
        y0, y1 = left[i], right[j]
        path = band_path(x, (y0, y1), tall)
        said = svg.overlap_title(picture, i, j, names) if names else ""
        ends = svg.places(picture.rows[i], picture.columns[j])
        is_cut = (picture.rows[i].place, picture.columns[j].place) in cut
        kind = f"band {picture.match(i, j)}{' cut' if is_cut else ''}"
        yield svg.element("path", said, class_=kind, **ends, d=path)
        left[i], right[j] = y0 + tall, y1 + tall


def _svg_side(
    side: int, name: str, edge: float, bars: Iterable[tuple[Node, tuple[str, str], float, float]]
) -> Iterator[str]:
    """The bars of a side, and what stands beside them."""
    x, beside = (edge, edge - 6) if side == 0 else (edge - _BAR, edge + 6)
    anchor, colour = ("end", "start")[side], SIDES[side]
    for node, (label, size), top, height in bars:
        box: dict[str, Any] = {"x": x, "y": top, "width": _BAR, "height": max(height, 0.5)}
        fill = (
            {"fill": svg.HATCH, "class_": "node other"} if node.is_hatched else {"class_": f"node {colour}"}
        )
        bar = svg.element("rect", svg.node_title(node, name), **box, **fill)
        at = {"x": beside, "y": top + height / 2 + 4.5, "text_anchor": anchor}
        yield svg.to_card(node, colour, bar + svg.two_tone(label, f"  {size}" if size else "", **at))


# -- the chart --------------------------------------------------------------------------------------


def _plotly(story: Story, look: Look) -> dict[str, Any]:
    return flow(story.flow, story.names, look.palette, narrow=look.narrow)


def _what_went_wrong(story: Story) -> str:
    return next(dominant(story, story.flow), "Where the records go")


def _alt(story: Story) -> str:
    rows, columns = story.flow.counts.shape
    return f"Flow diagram of {rows} to {columns} clusters: {_what_went_wrong(story)}"


def _lead(story: Story) -> str:
    said = "Each band is records on their way from the reference on the left to the candidate on the right. "
    said += colours_of(story)
    if story.covers is None:
        places = [{node.place for node in nodes} for nodes in (story.flow.rows, story.flow.columns)]
        drawn_cut = any(row in places[0] and column in places[1] for row, column in story.cut_cells)
        dashed = " Dashed bands are the fewest records without which a tangle falls in two."
        return said + dashed if drawn_cut else said
    return f"{said} So a bar may be taller than its cluster is large; the number beside it is its size."


FLOW = Chart[Story](
    name="flow",
    short="Flow",
    title=_what_went_wrong,
    alt=_alt,
    lead=_lead,
    plotly=_plotly,
    matplotlib=lambda story, _: FlowDisplay(story.flow, story.names),
    svg=lambda story, look: drawn(story.flow, story.names, narrow=look.narrow, cut=story.cut_cells),
    needs=lambda story: story.draws_overlaps,
    note=lambda story: gathered_note(story.flow, story, to_scale=False),
)
