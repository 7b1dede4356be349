"""Draws a comparison as text, and as a light HTML table for a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence

from concordant.counts.spelling import counted
from concordant.counts.text_columns import text_columns
from concordant.report.story import Story
from concordant.report.summary import Line, SideSizes, Summary, format_line, share_of_range
from concordant.report.text.bar import bar
from concordant.report.text.differences import differences


def as_text(story: Story) -> str:
    """The comparison as a table for a terminal; the differences stand below the indices most used."""
    summary, told = story.summary, differences(story)
    blocks = [_text_head(summary), _text_headline(summary)]
    blocks += [told] if told else []
    blocks += [_text_family(name, lines) for name, lines in summary.families]
    blocks.append("\n".join([*summary.notes, summary.signature]))
    return "\n\n".join(blocks)


def as_html(story: Story) -> str:
    """The comparison as an HTML fragment for a notebook."""
    summary, told = story.summary, differences(story)
    rows = "".join(_html_row(line, summary.size) for line in summary.headline)
    for name, lines in summary.families:
        rows += f'<tr><th colspan="3" style="text-align:left">{html.escape(name)}</th></tr>'
        rows += "".join(_html_row(line, summary.size) for line in lines)
    head = "<br>".join(html.escape(line) for line in _text_head(summary).splitlines())
    foot = "<br>".join(html.escape(line) for line in (*summary.notes, summary.signature))
    differ = f"<pre>{html.escape(told)}</pre>" if told else ""
    return f"<div><p>{head}</p>{differ}<table>{rows}</table><p><small>{foot}</small></p></div>"


def _text_head(summary: Summary) -> str:
    together, only_u, only_v, apart = (f"{x:,}" for x in summary.pairs)
    lines = [counted(summary.size, "element")]
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
    return "\n".join(
        f"  {text}  {bar(share_of_range(line, summary.size))}  {line.index.range_text}".rstrip()
        for text, line in zip(text_columns(rows), summary.headline, strict=True)
    )


def _text_family(family: str, lines: Sequence[Line]) -> str:
    """Two columns, read downwards."""
    cells = text_columns([[line.index.name, format_line(line)] for line in lines])
    half = (len(cells) + 1) // 2
    right = [*cells[half:], ""][:half]
    rows = [f"  {a}   {b}".rstrip() for a, b in zip(cells[:half], right, strict=True)]
    return "\n".join([family, *rows])


def _html_row(line: Line, size: int) -> str:
    share = share_of_range(line, size)
    drawn = (
        ""
        if share is None
        else '<div style="width:10em;background:#8883"><div style="background:#4878a8;height:0.8em;'
        f'width:{share:.1%}"></div></div>'
    )
    name, title = html.escape(line.index.name), html.escape(f"{line.index.title}: {line.index.formula}")
    return (
        f'<tr><td style="text-align:left" title="{title}">{name}</td>'
        f'<td style="text-align:right">{format_line(line)}</td><td>{drawn}</td></tr>'
    )
