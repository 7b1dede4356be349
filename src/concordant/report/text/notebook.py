"""A comparison as a light fragment of HTML for a notebook: the story, and the rest folded.

Its colours are middle tones and its text has the colour of the notebook, so it suits light and dark.
"""

from __future__ import annotations

import html

from concordant.counts.spelling import counted, percent, percents, printable, shortened
from concordant.differences.verdicts import VERDICTS
from concordant.report.palette import LIGHT
from concordant.report.story import CostlyCluster, Story, headline, left_out_words, sentence
from concordant.report.summary import (
    ROOM_BELOW,
    Line,
    ValueBar,
    bar_of,
    by_chance_words,
    format_line,
    has_negative,
)

_KEY_NUMBERS = 4
_COSTLIEST = 3
_FAINT = "opacity:.75;font-size:90%"
_TRACK = "background:#8884;display:flex;overflow:hidden;border-radius:3px"


def as_html(story: Story) -> str:
    """The comparison as an HTML fragment."""
    parts = [_head(story), _numbers(story), _verdicts(story), _costliest(story), _indices(story)]
    return f'<div style="max-width:46em">{"".join(parts)}</div>'


def _head(story: Story) -> str:
    left_out = left_out_words(story)
    sides = " and ".join(
        f"{counted(side.clusters, 'cluster')} in the {side.role}" for side in story.summary.sides
    )
    return (
        f'<p style="font-size:125%;font-weight:600;margin:.2em 0">{html.escape(headline(story))}</p>'
        + (f'<p style="margin:.2em 0">{html.escape(left_out)}</p>' if left_out else "")
        + f'<p style="margin:.2em 0;{_FAINT}">{counted(story.size, "element")}, {sides}</p>'
    )


def _numbers(story: Story) -> str:
    cells = "".join(
        f'<div><b style="font-size:130%">{format_line(line)}</b><br>'
        f'<span style="{_FAINT}">{html.escape(line.index.name)}{", by convention" if line.undefined else ""}'
        "</span></div>"
        for line in story.summary.headline[:_KEY_NUMBERS]
    )
    return f'<div style="display:flex;gap:2em;margin:.6em 0">{cells}</div>'


def _verdicts(story: Story) -> str:
    """One bar of the elements of the reference, by the verdict on their clusters."""
    if not story.shows_verdicts:
        return ""
    side = story.verdicts.reference
    words = [word for word in VERDICTS if side.clusters[word]]
    bar = "".join(
        f'<div style="flex:{side.records[word] / side.size:.4f} 1 0;'
        f'background:{LIGHT.of_verdict(word)}"></div>'
        for word in words
    )
    legend = ", ".join(
        f'<span style="color:{LIGHT.of_verdict(word)}">■</span> {side.clusters[word]:,} {word} '
        f"({html.escape(share)} of the elements)"
        for word, share in zip(words, percents([side.records[word] for word in words]), strict=True)
    )
    return (
        f'<div style="{_TRACK};height:1em">{bar}</div>'
        f'<p style="margin:.3em 0">{legend} <span style="{_FAINT}">({story.thresholds})</span></p>'
    )


def _costliest(story: Story) -> str:
    if not story.shows_overlaps:
        return ""
    found = sorted([*story.mixed, *story.split], key=lambda cluster: -cluster.pairs)[:_COSTLIEST]
    return "".join(_costly(cluster, story) for cluster in found)


def _costly(cluster: CostlyCluster, story: Story) -> str:
    pieces = "".join(
        f'<div title="{html.escape(shortened(printable(piece.label), 60))}: {piece.size:,}" '
        f'style="flex:{piece.size / cluster.size:.4f} 1 0;min-width:1px;margin-right:1px;'
        f'background:{LIGHT.of_match(piece.match)}"></div>'
        for piece in cluster.pieces
    )
    rest = f'<div style="flex:{cluster.rest[1] / cluster.size:.4f} 1 0"></div>'
    kind = "missed" if cluster.side == "reference" else "wrong"
    said = html.escape(sentence(cluster, story.names))
    share = html.escape(percent(cluster.pairs, cluster.total))
    return (
        f'<div style="margin:.35em 0">{said} <span style="{_FAINT}">{share} of the {kind} pairs</span>'
        f'<div style="{_TRACK};height:.7em">{pieces}{rest}</div></div>'
    )


def _indices(story: Story) -> str:
    """Every index, folded, with the notes and the signature."""
    summary = story.summary
    listed = [("Most used", summary.headline), *summary.families]
    negative = has_negative(bar_of(line, story.size) for _, lines in listed for line in lines)
    room = ROOM_BELOW if negative else 0.0
    rows = "".join(
        f'<tr><th colspan="4" style="text-align:left">{html.escape(name)}</th></tr>'
        + "".join(_row(line, story.size, room) for line in lines)
        for name, lines in listed
    )
    foot = "<br>".join(html.escape(line) for line in (*summary.notes, summary.signature))
    count = sum(len(lines) for _, lines in summary.families)
    return (
        f"<details><summary>every index ({count:,}), notes and signature</summary>"
        f"<table>{rows}</table><p><small>{foot}</small></p></details>"
    )


def _row(line: Line, size: int, room: float) -> str:
    bar = bar_of(line, size)
    name, title = html.escape(line.index.name), html.escape(f"{line.index.title}: {line.index.formula}")
    return (
        f'<tr><td style="text-align:left" title="{title}">{name}</td>'
        f'<td style="text-align:right">{format_line(line)}</td><td>{_bar(bar, room) if bar else ""}</td>'
        + (f"<td><small>{by_chance_words(line)}</small></td></tr>" if line.chance is not None else "</tr>")
    )


def _bar(bar: ValueBar, room: float) -> str:
    """A bar that starts where chance is; left of that line where it is negative."""
    left, width = (room + min(bar.length, 0.0)) / (1 + room), abs(bar.length) / (1 + room)
    edge = "border-left:2px dotted;" if bar.is_clipped else ""
    return (
        f'<div style="width:10em;background:#8884"><div style="background:{LIGHT.agree};height:.8em;{edge}'
        f'margin-left:{left:.1%};width:{width:.1%}"></div></div>'
    )
