"""Draws a comparison as text, and as a light HTML table for a notebook."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from concordant.catalogue.index import Index

_BAR_CELLS = 20
_EIGHTHS = " ▏▎▍▌▋▊▉"


@dataclass(frozen=True, slots=True)
class Line:
    """One index with its value in this comparison."""

    index: Index
    value: float
    undefined: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One partition in a few numbers."""

    role: str
    clusters: int
    smallest: int
    largest: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All that a printed comparison shows."""

    size: int
    sides: tuple[Side, Side]
    pairs: tuple[int, int, int, int]  # together in both, in the reference only, in the candidate only, apart
    headline: Sequence[Line]
    families: Sequence[tuple[str, Sequence[Line]]]
    notes: Sequence[str]
    signature: str


def as_text(summary: Summary, differences: str = "") -> str:
    """The comparison as a table for a terminal; ``differences`` stand below the indices most used."""
    blocks = [_text_head(summary), _text_headline(summary)]
    blocks += [differences] if differences else []
    blocks += [_text_family(name, lines) for name, lines in summary.families]
    blocks.append("\n".join([*summary.notes, summary.signature]))
    return "\n\n".join(blocks)


def as_html(summary: Summary, differences: str = "") -> str:
    """The comparison as an HTML fragment for a notebook."""
    rows = "".join(_html_row(line, summary.size) for line in summary.headline)
    for name, lines in summary.families:
        rows += f'<tr><th colspan="3" style="text-align:left">{html.escape(name)}</th></tr>'
        rows += "".join(_html_row(line, summary.size) for line in lines)
    head = "<br>".join(html.escape(line) for line in _text_head(summary).splitlines())
    foot = "<br>".join(html.escape(line) for line in (*summary.notes, summary.signature))
    differ = f"<pre>{html.escape(differences)}</pre>" if differences else ""
    return f"<div><p>{head}</p>{differ}<table>{rows}</table><p><small>{foot}</small></p></div>"


def format_value(value: float) -> str:
    """A value as people read it: four decimals, counts with thousands separators, 1 only if it is 1.

    >>> format_value(0.66666), format_value(1234.0), format_value(1.0), format_value(0.99999)
    ('0.6667', '1,234', '1.0000', '>0.9999')
    """
    if math.isnan(value):
        return "—"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if 0.99995 <= abs(value) < 1:
        return ">0.9999" if value > 0 else "<-0.9999"
    if abs(value) >= 1e15:
        return f"{value:.4e}"
    if value.is_integer() and abs(value) >= 10:
        return f"{int(value):,}"
    return f"{value:,.4f}" if abs(value) >= 5e-5 or value == 0 else f"{value:.1e}"


def format_line(line: Line) -> str:
    """The value of an index. Counts without decimals: their range has an end that grows with n, or none."""
    counts = not isinstance(line.index.range[1], float | int) or math.isinf(line.index.range[1])
    return f"{int(line.value):,}" if counts and line.value.is_integer() else format_value(line.value)


def _text_head(summary: Summary) -> str:
    together, only_u, only_v, apart = (f"{x:,}" for x in summary.pairs)
    lines = [f"{summary.size:,} elements"]
    for side in summary.sides:
        lines += [f"  {side.role:<10} {side.clusters:>9,} clusters {_sizes(side)}".rstrip()]
    lines.append(f"  pairs      {together} together in both, {only_u} in the reference only,")
    lines.append(f"             {only_v} in the candidate only, {apart} apart in both")
    return "\n".join(lines)


def _sizes(side: Side) -> str:
    if not side.clusters:
        return ""
    if side.smallest == side.largest:
        return f"of {side.largest:,} elements"
    return f"of {side.smallest:,} to {side.largest:,} elements"


def _text_headline(summary: Summary) -> str:
    names = [line.index.name for line in summary.headline]
    width = max(map(len, names), default=0)
    rows = []
    for name, line in zip(names, summary.headline, strict=True):
        drawn = bar(share_of_range(line, summary.size))
        rows.append(f"  {name:<{width}}  {format_line(line):>9}  {drawn}  {line.index.range_text}".rstrip())
    return "\n".join(rows)


def _text_family(family: str, lines: Sequence[Line]) -> str:
    """Two columns, read downwards."""
    values = [format_line(line) for line in lines]
    names = [line.index.name for line in lines]
    name_width, value_width = max(map(len, names)), max(map(len, values))
    cells = [f"{n:<{name_width}}  {v:>{value_width}}" for n, v in zip(names, values, strict=True)]
    half = (len(cells) + 1) // 2
    right = [*cells[half:], ""][:half]
    rows = [f"  {a}   {b}".rstrip() for a, b in zip(cells[:half], right, strict=True)]
    return "\n".join([family, *rows])


def share_of_range(line: Line, size: int) -> float | None:
    """How far along its range a value lies, None where the range has no end."""
    low, high = line.index.bounds(size)
    if not (math.isfinite(low) and math.isfinite(high) and math.isfinite(line.value)) or high <= low:
        return None
    return min(max((line.value - low) / (high - low), 0.0), 1.0)


def bar(share: float | None) -> str:
    """A bar of text, as full as the share; blank where there is none.

    >>> bar(0.33)
    '██████▋·············'
    """
    if share is None:
        return " " * _BAR_CELLS
    whole, part = divmod(round(share * _BAR_CELLS * 8), 8)
    return ("█" * whole + (_EIGHTHS[part] if part else "")).ljust(_BAR_CELLS, "·")


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
