"""The flow diagram: bands of records from the reference on the left to the candidate on the right."""

from __future__ import annotations

from typing import Any

import numpy as np

from concordant.foundation.conventions import SIDES, SideName
from concordant.report.charts import svg
from concordant.report.charts.chart import (
    BAND_HATCHES,
    FONT,
    GATHERED,
    Chart,
    fill_band,
    node_label,
    plain_text,
    points_wide,
    room_for,
)
from concordant.report.charts.entities import is_of_entities
from concordant.report.charts.overlaps import (
    colours_of,
    gathered_note,
    label,
    node_title,
    overlap_title,
    places,
    to_card,
)
from concordant.report.palette import LIGHT
from concordant.report.report_data import ReportData, SideTitles
from concordant.report.selection import Picture
from concordant.report.sentences import dominant_errors

_BARS = 330  # pixels: the bars of one side, together
_BAR = 11  # their width
_TOP, _BOTTOM = 34, 10
_TALL, _GAP = 2.2, 0.16  # inches of Matplotlib: the bars of one side together, and between bars


def _draw(ax: Any, data: ReportData, _: SideName | None) -> None:
    picture, names = data.flow, data.names
    counts = picture.counts.astype(float)
    gap = _GAP / _TALL * counts.sum()
    heights = counts.sum(axis=1), counts.sum(axis=0)
    left, right = (svg.tops(each, gap, room=0.0) for each in heights)  # both with the same vertical centre
    top = min(left[0], right[0])
    columns, wide = room_for(ax, 0.3), points_wide(ax)
    labels = [[node_label(node, columns) for node in nodes] for nodes in (picture.rows, picture.columns)]
    # Both margins are as wide as the labels, in parts of the width between the bars.
    margins = [max(svg.width(text, narrow=False, size=FONT) for text in side) + 14 for side in labels]
    margins = [margin / max(wide - sum(margins), 0.2 * wide) for margin in margins]
    sides = (
        (0.0, left, heights[0], picture.rows, LIGHT.reference, "right", names[0]),
        (1.0, right, heights[1], picture.columns, LIGHT.candidate, "left", names[1]),
    )
    for (x, begins, tall, nodes, colour, align, name), texts in zip(sides, labels, strict=True):
        outward = -1 if align == "right" else 1
        bars = ax.bar(x + outward * 0.01, tall, 0.02, begins, color=colour)
        for bar, node, text, middle in zip(bars, nodes, texts, begins + tall / 2, strict=True):
            if node.is_hatched:
                bar.set(**GATHERED)
            ax.text(x + outward * 0.035, middle, text, ha=align, va="center", fontsize=FONT)
        edge, inward = (-margins[0], "left") if align == "right" else (1 + margins[1], "right")
        title = plain_text(name, room_for(ax, 0.38, 40))
        ax.text(edge, top - gap, title, ha=inward, va="bottom", fontsize=FONT + 1, weight="bold")
    foot = max(left[-1] + heights[0][-1], right[-1] + heights[1][-1])
    for i, j in np.argwhere(counts > 0).tolist():
        n, match = counts[i, j], picture.match(i, j)
        look = {"facecolor": LIGHT.of_match(match), "alpha": svg.BAND_OPACITY[match]}
        look |= {"hatch": BAND_HATCHES[match], "edgecolor": LIGHT.ink}
        fill_band(ax, (0.0, 1.0), (left[i], right[j]), n, **look)
        left[i] += n
        right[j] += n
    if any(node.is_other for nodes in (picture.rows, picture.columns) for node in nodes):
        ax.text(0.5, foot + gap / 2, "hatched: not to scale", ha="center", va="top", fontsize=FONT)
        foot += 2 * gap
    ax.set(xlim=(-margins[0], 1 + margins[1]), ylim=(foot, top - 2.5 * gap))
    ax.set_axis_off()


def flow_svg(picture: Picture, names: SideTitles, *, narrow: bool) -> svg.Drawing:
    """The flow as SVG."""
    pad = svg.TEXT[narrow] + 4  # between bars: no label is taller
    height, width = _BARS + pad * (max(picture.counts.shape) - 1), svg.NARROW if narrow else svg.WIDE
    sides = (picture.rows, picture.columns)
    texts = [
        [
            (
                label(node, 9 if narrow else 20),
                "" if narrow else "not to scale" if node.is_other else f"{node.size:,}",
            )
            for node in nodes
        ]
        for nodes in sides
    ]
    margins = [max(svg.width("  ".join(words), narrow=narrow) for words in side) + 12 for side in texts]
    edges = (margins[0], width - margins[1])
    scale = _BARS / float(picture.counts.sum())
    heights = [picture.counts.sum(axis=axis).astype(float) * scale for axis in (1, 0)]
    begins = [(_TOP + svg.tops(tall, pad, height)).tolist() for tall in heights]
    body = ""
    left, right = list(begins[0]), list(begins[1])
    for i, j in np.argwhere(picture.counts > 0).tolist():
        row, column, tall = picture.rows[i], picture.columns[j], float(picture.counts[i, j]) * scale
        title = "" if narrow else overlap_title(picture, i, j, names)  # phones have no hover
        kind = f"band {picture.match(i, j)}"
        path = svg.band_path((edges[0] + _BAR, edges[1] - _BAR), (left[i], right[j]), tall)
        body += svg.element("path", title, class_=kind, **places(row, column, narrow=narrow), d=path)
        left[i], right[j] = left[i] + tall, right[j] + tall
    for side, (nodes, words) in enumerate(zip(sides, texts, strict=True)):
        edge, anchor, colour = edges[side], ("end", "start")[side], SIDES[side]
        x, beside = (edge, edge - 6) if side == 0 else (edge - _BAR, edge + 6)
        bars = zip(nodes, words, begins[side], heights[side].tolist(), strict=True)
        for node, (name, size), top, tall in bars:
            box: dict[str, Any] = {"x": x, "y": top, "width": _BAR, "height": max(tall, 0.5)}
            fill = (
                {"fill": svg.HATCH, "class_": "node other"}
                if node.is_hatched
                else {"class_": f"node {colour}"}
            )
            bar = svg.element("rect", node_title(node, names[side]), **box, **fill)
            at = {"x": beside, "y": top + tall / 2 + 4.5, "text_anchor": anchor}
            body += to_card(node, colour, bar + svg.text(name, f"  {size}" if size else "", **at))
        corner: dict[str, Any] = {"x": (2, width - 2)[side], "text_anchor": ("start", "end")[side]}
        body += svg.text(svg.plain(names[side], 12 if narrow else 30), class_="side", y=20, **corner)
    return svg.Drawing(width, height + _TOP + _BOTTOM, body)


def _title(data: ReportData) -> str:
    return next(dominant_errors(data, data.flow), "Where the records go")


def _lead(data: ReportData) -> str:
    words = (
        f"Each band shows {data.noun}s from a reference {data.cluster_noun} on the left to a candidate "
        f"{data.cluster_noun} on the right. "
    )
    words += colours_of(data)
    if data.covers is not None:
        return f"{words} A bar may be taller than the size of its cluster; the number beside it is the size."
    return words


FLOW = Chart[ReportData](
    name="flow",
    short="Sankey diagram",
    title=lambda data: f"{_title(data)} (Sankey diagram)",
    alt=lambda data: "Sankey diagram of {} to {} clusters: {}".format(*data.flow.counts.shape, _title(data)),
    lead=_lead,
    size=lambda data: (6.4, _TALL + _GAP * (max(data.flow.counts.shape) + 4)),
    draw=_draw,
    svg=lambda data, narrow: flow_svg(data.flow, data.names, narrow=narrow),
    needs=lambda data: data.draws_overlaps,
    on_page=lambda data: not is_of_entities(data),
    note=lambda data: gathered_note(data.flow, data, to_scale=False),
)
