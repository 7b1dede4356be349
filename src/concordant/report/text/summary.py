"""Draws a comparison as text, and as a light HTML table for a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence
from textwrap import wrap

from concordant.counts.spelling import counted
from concordant.counts.text_columns import text_columns
from concordant.report.story import Story, headline, left_out_words
from concordant.report.summary import (
    ROOM_BELOW,
    Line,
    SideSizes,
    Summary,
    ValueBar,
    bar_of,
    format_line,
    has_negative,
)
from concordant.report.text.bar import index_bar
from concordant.report.text.differences import differences

_WIDTH = 79  # characters of a line, on the narrowest terminal that is common


def as_text(story: Story) -> str:
    """The comparison as a table for a terminal; the differences stand below the indices most used."""
    summary, told = story.summary, differences(story)
    blocks = [_text_head(story), _text_headline(summary)]
    blocks += [told] if told else []
    blocks += [_text_family(name, lines) for name, lines in summary.families]
    blocks.append("\n".join([*summary.notes, summary.signature]))
    return "\n\n".join(blocks)


def as_html(story: Story) -> str:
    """The comparison as an HTML fragment for a notebook."""
    summary, told = story.summary, differences(story)
    listed = [summary.headline, *(lines for _, lines in summary.families)]
    room_below = has_negative(bar_of(line, summary.size) for lines in listed for line in lines)
    rows = "".join(_html_row(line, summary.size, room_below=room_below) for line in summary.headline)
    for name, lines in summary.families:
        rows += f'<tr><th colspan="3" style="text-align:left">{html.escape(name)}</th></tr>'
        rows += "".join(_html_row(line, summary.size, room_below=room_below) for line in lines)
    head = "<br>".join(html.escape(line) for line in _text_head(story).splitlines())
    foot = "<br>".join(html.escape(line) for line in (*summary.notes, summary.signature))
    differ = f"<pre>{html.escape(told)}</pre>" if told else ""
    return f"<div><p>{head}</p>{differ}<table>{rows}</table><p><small>{foot}</small></p></div>"


def _text_head(story: Story) -> str:
    summary = story.summary
    together, only_u, only_v, apart = (f"{x:,}" for x in summary.pairs)
    lines = [line for said in (headline(story), left_out_words(story)) for line in wrap(said, _WIDTH)]
    lines.append(counted(summary.size, "element"))
    for side in summary.sides:
        number, noun = counted(side.clusters, "cluster").split()
        lines.append(f"  {side.role:<10} {number:>9} {noun} {_sizes(side)}".rstrip())
    lines.append(f"  pairs      {together} together in both, {only_u} in the reference only,")
    lines.append(f"             {only_v} in the candidate only, {apart} apart in both")
    return "\n".join(lines)


def _sizes(side: SideSizes) -> str:
    if not side.clusters:
        return ""
    if side.smallest == side.largest:
        return f"of {counted(side.largest, 'element')}"
    return f"of {side.smallest:,} to {side.largest:,} elements"


def _text_headline(summary: Summary) -> str:
    rows = [[line.index.name, f"{format_line(line):>9}"] for line in summary.headline]
    bars = [bar_of(line, summary.size) for line in summary.headline]
    room_below = has_negative(bars)
    return "\n".join(
        f"  {text}  {index_bar(bar, room_below=room_below)}  {line.index.range_text}".rstrip()
        for text, bar, line in zip(text_columns(rows), bars, summary.headline, strict=True)
    )


def _text_family(family: str, lines: Sequence[Line]) -> str:
    """Two columns, read downwards."""
    cells = text_columns([[line.index.name, format_line(line)] for line in lines])
    half = (len(cells) + 1) // 2
    right = [*cells[half:], ""][:half]
    rows = [f"  {a}   {b}".rstrip() for a, b in zip(cells[:half], right, strict=True)]
    return "\n".join([family, *rows])


def _html_row(line: Line, size: int, *, room_below: bool) -> str:
    bar = bar_of(line, size)
    drawn = "" if bar is None else _html_bar(bar, ROOM_BELOW if room_below else 0.0)
    name, title = html.escape(line.index.name), html.escape(f"{line.index.title}: {line.index.formula}")
    return (
        f'<tr><td style="text-align:left" title="{title}">{name}</td>'
        f'<td style="text-align:right">{format_line(line)}</td><td>{drawn}</td></tr>'
    )


def _html_bar(bar: ValueBar, room: float) -> str:
    """A bar that starts where chance is; left of that line where it is negative."""
    left, width = (room + min(bar.length, 0.0)) / (1 + room), abs(bar.length) / (1 + room)
    edge = "border-left:2px dotted" if bar.is_clipped else ""
    return (
        f'<div style="width:10em;background:#8883"><div style="background:#4878a8;height:0.8em;{edge};'
        f'margin-left:{left:.1%};width:{width:.1%}"></div></div>'
    )
