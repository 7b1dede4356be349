"""The flow diagram: bands of records from the reference on the left to the candidate on the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from concordant.report.figures.canvas import HOVER, layout, node_label, node_text, overlap_text
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.labels import in_chart, width_in_chart
from concordant.report.picture import Node, Picture
from concordant.report.story import SideTitles

_BARS = 330  # pixels: the bars of one side, together
_PAD = 17  # between bars: no label is taller
_BAR = 11  # their width
_CHARACTER = 7.2  # pixels, at the font size of labels
_TOP, _BOTTOM = 34, 10


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
    sankey = {
        "type": "sankey",
        "arrangement": "fixed",
        "node": _bars(picture, names, [*centres[0], *centres[1]], palette),
        "link": _bands(picture, names, palette),
    }
    margin = {"t": _TOP, "b": _BOTTOM, "l": widths[0], "r": widths[1]}
    frame = layout(palette, height + _TOP + _BOTTOM, annotations=notes, margin=margin)
    return {"data": [sankey], "layout": frame}


def _bars(picture: Picture, names: SideTitles, centres: list[float], palette: Palette) -> dict[str, Any]:
    rows, columns = len(picture.rows), len(picture.columns)
    return {
        "x": [0.004] * rows + [0.996] * columns,
        "y": centres,
        "pad": _PAD,
        "thickness": _BAR,
        "label": [""] * (rows + columns),  # Plotly would put them upon the bands
        "line": {"width": 0},
        "color": [palette.reference] * rows + [palette.candidate] * columns,
        "customdata": [node_text(node, names[0]) for node in picture.rows]
        + [node_text(node, names[1]) for node in picture.columns],
        "hovertemplate": HOVER,
    }


def _bands(picture: Picture, names: SideTitles, palette: Palette) -> dict[str, Any]:
    cells = [(int(i), int(j)) for i, j in np.argwhere(picture.counts > 0)]
    strays = [int(picture.counts[cell]) for cell in cells if picture.is_stray(*cell)]
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
    if picture.is_stray(i, j):
        return palette.faded(palette.differ, 0.68 if picture.counts[i, j] >= hair else 0.3)
    if picture.matched[i, j]:
        return palette.faded(palette.agree, 0.34)
    return palette.faded(palette.muted, 0.28)


def _centres(sizes: Any, height: float) -> list[float]:
    """The middles of bars that stand one below the other, as shares of the height."""
    values = np.asarray(sizes, dtype=float)
    scale = _BARS / values.sum()
    spare = height - _BARS - _PAD * (len(values) - 1)  # the side with fewer bars is centred
    tops = spare / 2 + np.concatenate([[0.0], np.cumsum(values * scale + _PAD)[:-1]])
    middles: Sequence[float] = ((tops + values * scale / 2) / height).tolist()
    return [min(max(y, 1e-4), 1 - 1e-4) for y in middles]  # Plotly takes 0 for "anywhere"


def _beside(node: Node, narrow: bool, palette: Palette) -> tuple[str, int]:
    """The text beside a bar, and how many characters wide it is."""
    length = 9 if narrow else 22
    label = node_label(node, length)
    width = 5 if node.is_other else width_in_chart(node.label, length)
    if narrow:
        return label, width
    size = f"{node.size:,}"
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
