"""The words and links of clusters and overlaps, which the flow and the table share."""

from __future__ import annotations

import html

from concordant.differences.verdicts import amount
from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import counted, part_of, percent, verb
from concordant.report.charts.svg import plain
from concordant.report.labels import linked
from concordant.report.report_data import ReportData, SideTitles
from concordant.report.selection import Node, Picture
from concordant.report.sentences import subjects

_LONG = 60  # characters of a label in a tooltip

# How to read the colours of overlaps, in every chart that has them.
COLOURS = (
    '<b class="agree">Blue</b> overlaps are the largest part of both clusters, '
    '<b class="part">mauve</b> of only one (absorbed or broken off), and '
    '<b class="differ">orange</b> of neither (strays).'
)
# The same for covers, whose clusters have partners by F1, and whose records may be in several bands.
_COVER_COLOURS = (
    '<b class="agree">Blue</b> overlaps join clusters that are each other\'s nearest by F1. '
    'In <b class="part">mauve</b> ones only one cluster is the nearest of the other, and in '
    '<b class="differ">orange</b> ones neither is.'
)
_COUNTED_OFTEN = " Clusters overlap, so a record counts once for each pair of clusters that contain it."


def colours_of(data: ReportData) -> str:
    """How to read the colours of these overlaps."""
    if data.covers is not None:
        return _COVER_COLOURS + _COUNTED_OFTEN
    return _COVER_COLOURS if data.has_own_elements else COLOURS


def gathered_note(picture: Picture, data: ReportData, *, to_scale: bool) -> str:
    """The note below a chart on clusters that it does not draw by themselves."""
    if not any(picture.gathered):
        return ""
    gathered = " and ".join(
        f"{count:,} of {counted(number, 'cluster')} of {html.escape(side)}"
        for count, number, side in zip(picture.gathered, data.clusters, subjects(data.names), strict=True)
        if count
    )
    unseen = ""
    if picture.unseen and picture.of_covers:
        unseen = " Their overlaps with each other are not drawn."
    elif picture.unseen:
        both = f" {part_of(picture.unseen, data.size, 'record', 'are')} in such clusters on both sides"
        unseen = f"{both} and {verb(picture.unseen, 'are')} not drawn."
    hatched = f"{verb(sum(picture.gathered), 'are')} combined and hatched" + (
        "" if to_scale else ", not drawn to scale"
    )
    return f'<p class="note">The clusters with the most errors are shown; {gathered} {hatched}.{unseen}</p>'


def label(node: Node, length: int) -> str:
    """The label of a cluster; of records in no cluster, a shorter word where there is little space."""
    if node.is_outside:
        words = {"without a label": "no label", "in no cluster": "no cluster"}
        return plain(node.label if len(node.label) <= length else words.get(node.label, "missing"), _LONG)
    return f"{node.gathered:,} more" if node.is_other else plain(node.label, length)


def _with_side(node: Node, name: str) -> str:
    """A cluster with its side; a colon where the label is not the name of a cluster."""
    return f"{plain(name, 40)}{':' if node.is_hatched else ''} {label(node, _LONG)}"


def node_title(node: Node, name: str) -> str:
    """The tooltip of a cluster."""
    lines = [_with_side(node, name), counted(int(node.size), node.unit)]
    return "\n".join([*lines, *(["not drawn to scale"] if node.is_other else filter(None, [node.verdict]))])


def overlap_title(picture: Picture, i: int, j: int, names: SideTitles) -> str:
    """The tooltip of an overlap."""
    count, ends = picture.counts[i, j], (picture.rows[i], picture.columns[j])
    n = float(count) if picture.unit == "weight" else int(count)
    words = [_with_side(node, name) for name, node in zip(names, ends, strict=True)]
    shares = [
        f"{percent(n, node.size, decimals=1)} of {word}"
        for node, word in zip(ends, words, strict=True)
        if node.size and node.unit == picture.unit
    ]
    # Shares name both clusters, unless one of them has none.
    ends_named = shares if len(shares) == len(words) else [" → ".join(words), *shares]
    return "\n".join([f"{amount(n, picture.unit)}, {picture.match(i, j)}", *ends_named])


def places(row: Node, column: Node, *, narrow: bool) -> dict[str, int]:
    """The attributes by which an overlap is lit with its clusters; page.js copies them to narrow drawings."""
    if narrow:
        return {}
    both = {"data_r": row, "data_c": column}
    return {key: node.place for key, node in both.items() if node.place >= 0}


def to_card(node: Node, side: SideName, inner: str) -> str:
    """SVG of a cluster as a link to its card, which the keyboard can also reach."""
    if node.is_other or not node.has_card:
        return inner
    return linked(side, node.place, inner)
