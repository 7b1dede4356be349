"""What all charts share: the typeface, the layout, the words of clusters and overlaps."""

from __future__ import annotations

import html
from typing import Any

from concordant.counts.spelling import counted, percent
from concordant.errors import MissingExtraError
from concordant.report.figures.palette import Palette
from concordant.report.labels import in_chart
from concordant.report.picture import Node, Picture
from concordant.report.story import SideTitles, Story

FONT = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
HOVER = "%{customdata}<extra></extra>"  # what is put into customdata is not read as a template
_LONG = 60  # characters of a label that is hovered over


def layout(palette: Palette, height: float, **more: Any) -> dict[str, Any]:
    """The layout of a chart: still, so that a finger scrolls the page and not the chart."""
    font = {"family": FONT, "size": 13, "color": palette.ink}
    return {
        "template": "none",
        "height": round(height),
        "paper_bgcolor": palette.card,
        "plot_bgcolor": palette.card,
        "font": font,
        "hoverlabel": {"bgcolor": palette.card, "bordercolor": palette.muted, "font": font, "align": "left"},
        "dragmode": False,
        "hovermode": "closest",
        **more,
    }


def plotly() -> Any:
    """Plotly's graph objects, imported when they are first needed."""
    try:
        import plotly.graph_objects as go
    except ImportError as error:
        raise missing_plotly() from error
    return go


def missing_plotly() -> MissingExtraError:
    return MissingExtraError(
        "figures for notebooks are drawn by Plotly, which is not installed: pip install 'concordant[report]'"
    )


# How the colours of overlaps are to be read, in every chart that has them.
COLOURS = (
    '<b class="agree">Blue</b> overlaps are the largest part of both their clusters, '
    '<b class="part">violet</b> ones of one of the two only (absorbed or broken off), and '
    '<b class="differ">orange</b> ones strayed.'
)
# The same for covers, whose clusters have partners by F1, and whose records may be in several bands.
_COVER_COLOURS = (
    '<b class="agree">Blue</b> overlaps are of clusters that are nearest to each other, by F1, '
    '<b class="part">violet</b> ones of clusters of which one is nearest to the other, and '
    '<b class="differ">orange</b> ones of neither.'
)
_COUNTED_OFTEN = " Clusters overlap: a record counts for each two clusters of the two sides that hold it."


def colours_of(story: Story) -> str:
    """How the colours of a story's overlaps are to be read."""
    if story.covers is not None:
        return _COVER_COLOURS + _COUNTED_OFTEN
    return _COVER_COLOURS if story.has_own_elements else COLOURS


HATCH: dict[str, str | float] = {"shape": "/", "size": 7, "solidity": 0.25}


def node_label(node: Node, length: int) -> str:
    return f"{node.gathered:,} more" if node.is_other else in_chart(node.label, length)


def hatched(x: list[float | None], y: list[float | None], palette: Palette) -> dict[str, Any]:
    """Rectangles, filled with slanting lines: what is gathered, and not drawn to scale."""
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "none",
        "fill": "toself",
        "fillcolor": palette.muted,
        "fillpattern": {**HATCH, "fgcolor": palette.muted, "bgcolor": palette.card},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def node_text(node: Node, name: str) -> str:
    """What hovering over a cluster says."""
    verdict = f"<br>{node.verdict}" if node.verdict else ""
    scale = ", not drawn to scale" if node.is_other else verdict
    return f"<b>{in_chart(name)} {node_label(node, _LONG)}</b><br>{counted(node.size, node.unit)}{scale}"


def overlap_text(picture: Picture, i: int, j: int, names: SideTitles) -> str:
    """What hovering over an overlap says."""
    n, ends = int(picture.counts[i, j]), (picture.rows[i], picture.columns[j])
    words = [f"{in_chart(name)} {node_label(node, _LONG)}" for name, node in zip(names, ends, strict=True)]
    shares = "".join(
        f"<br>{html.escape(percent(n, node.size, decimals=1))} of {word}"
        for node, word in zip(ends, words, strict=True)
        if node.size and node.unit == "record"
    )
    return f"<b>{counted(n, 'record')}</b><br>{words[0]} → {words[1]}{shares}"


def gathered_note(picture: Picture, story: Story, *, to_scale: bool) -> str:
    """What a chart does not show, said below it."""
    rows, columns = picture.gathered
    if not rows and not columns:
        return ""
    gathered = " and ".join(
        f"{count:,} of {side.clusters:,} clusters of the {side.role}"
        for count, side in zip((rows, columns), story.summary.sides, strict=True)
        if count
    )
    of_covers = " What such clusters share with each other is not drawn."
    unseen = (
        f" {picture.unseen:,} of {story.size:,} records are in such clusters on both sides and are not drawn."
        if picture.unseen
        else ""
    )
    unseen = of_covers if unseen and picture.of_covers else unseen
    shown = "The clusters to blame for most are shown"
    hatched = "are gathered and hatched" + ("" if to_scale else ", not drawn to scale")
    return f'<p class="note">{shown}; {gathered} {hatched}.{unseen}</p>'
