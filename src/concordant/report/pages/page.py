"""The frame of every HTML page: one file that opens from disk, with no network at all.

A page is a headline and sections. Charts are SVG in the colours of the page, so one drawing serves both
themes, paper, and readers without JavaScript. All pages use these:

    labels = PageLabels()                                             # shows and remembers hostile labels
    sections = [Section("Similarity", drawing.svg("alternative text"))]
    write_page("runs.html", document("Five runs", sections, headline="Two are similar", labels=labels))

The body of a section is HTML: put text into it with ``escape`` and labels with ``PageLabels.html``. page.js
adds behaviour by attributes alone: a ``choice`` of buttons shows cells as the shares in their
``data-share``, a table of class ``sortable`` sorts by its head, ``data-search`` filters a table. With an
inspector, ``data-r`` and ``data-c`` are the clusters of the reference and of the candidate that an element
shows.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concordant.counts.spelling import counted
from concordant.errors import ParameterError
from concordant.partitions.whole_file import write_whole
from concordant.report.charts.chart import Chart, Subject
from concordant.report.charts.svg import PATTERNS
from concordant.report.labels import PageLabels
from concordant.report.palette import DARK, LIGHT
from concordant.report.provenance import provenance
from concordant.report.sentences import capitalized
from concordant.report.values import format_value

escape: Callable[[str], str] = html.escape

# The browser itself refuses every request, should anything ever attempt one.
_NO_NETWORK = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


_INSPECTOR = (
    '<aside id="inspector" aria-label="Inspector" tabindex="-1" hidden><button type="button" class="close" '
    'aria-label="close the inspector">×</button><div></div><p class="steps">'
    '<button type="button" data-does="previous" title="previous cluster (p)">‹ previous</button>'
    '<button type="button" data-does="next" title="next cluster (n)">next ›</button>'
    '<button type="button" data-does="review" aria-pressed="false" title="mark it (r)">reviewed</button>'
    '<button type="button" data-does="copy">copy ids</button>'
    '<button type="button" data-does="download" title="the records shown, as CSV">download</button>'
    "<output></output></p></aside>"
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: its title is text, its lead and its body are HTML."""

    title: str
    body: str
    lead: str = ""
    wide: bool = True  # otherwise it takes half the width, where there is space
    key: str = ""  # its anchor, by which the page and its tests find it
    short: str = ""  # what the links at the top call it, if its title is long


def document(
    title: str,
    sections: Sequence[Section],
    *,
    headline: str,
    head: str = "",
    labels: PageLabels | None = None,
    style: str = "",
    inspector: bool = False,
    script: str = "",
) -> str:
    """A whole page: the headline is text, and ``head`` is HTML below it. ``script`` is an asset.

    >>> text = document("Two & two", [Section("Sums", "<p>4</p>")], headline="They are 4")
    >>> "<title>Two &amp; two</title>" in text, "They are 4</h1>" in text, "https://" in text
    (True, True, False)
    """
    body = ""
    for section in sections:
        key = f' id="{escape(section.key)}"' if section.key else ""
        lead = f'<p class="lead">{section.lead}</p>' if section.lead else ""
        width = "" if section.wide else ' class="half"'
        body += f"<section{key}{width}><h2>{escape(section.title)}</h2>{lead}{section.body}</section>"
    light, dark = LIGHT.css(), DARK.css()
    colours = (
        f":root{{color-scheme:light;{light}}}"
        f"@media (prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}}}}}"
        f":root[data-theme=light]{{color-scheme:light;{light}}}"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}"
        f"@media print{{:root,:root[data-theme]{{color-scheme:light;{light}}}}}"
    )
    whole = as_json((labels or PageLabels()).whole())
    scripts = f'<script type="application/json" id="labels">{whole}</script>'
    assets = ["page.js", *(["inspector.js"] if inspector else []), *([script] if script else [])]
    behaviour = "".join(map(_asset, assets))
    links = "".join(
        f'<a href="#{escape(each.key)}">{escape(each.short or each.title)}</a>'
        for each in sections
        if each.key
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_NO_NETWORK}">
<meta name="generator" content="concordant">
<title>{escape(title)}</title>
<style>{colours}{_asset("page.css")}{style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
{PATTERNS}
<header><div class="bar"><p class="title">{escape(title)}</p>
<button type="button" id="theme" aria-label="switch between light and dark">◐</button></div>
<h1 class="headline">{escape(headline).replace("_", "_<wbr>")}</h1>
{head}<nav aria-label="Sections">{links}</nav></header>
<main id="main" tabindex="-1">{body}</main>
<footer>{escape(provenance())}</footer>
{_INSPECTOR if inspector else ""}
{scripts}
<script>{behaviour}</script>
</body>
</html>
"""


def chart_section(chart: Chart[Subject], subject: Subject) -> Section:
    """A chart as SVG, wide and narrow, of which the style shows one; with buttons for its shares."""
    assert chart.svg is not None
    drawings = "".join(
        f'<div class="{shape}">{chart.svg(subject, shape == "narrow").svg(chart.alt(subject))}</div>'
        for shape in ("wide", "narrow")
    )
    saves = "".join(
        f'<button type="button" data-saves="{kind.lower()}" aria-label="save this chart as {kind}">'
        f"{kind}</button>"
        for kind in ("SVG", "PNG")
    )
    buttons = "".join(
        f'<button type="button" data-shows="{place}" aria-pressed="{str(not place).lower()}">'
        f"{escape(text)}</button>"
        for place, text in enumerate(chart.shares.values())
    )
    if buttons:
        first = list(chart.shares).index(chart.first_share(subject))
        buttons = (
            f'<div class="choice" role="group" aria-label="What the numbers are" data-first="{first}">'
            f"{buttons}</div>"
        )
    figure = f'<figure data-chart="{chart.name}"><div class="tools">{saves}</div>{buttons}{drawings}</figure>'
    body, title = figure + chart.note(subject), capitalized(chart.title(subject))
    return Section(title, body, lead=chart.lead(subject), key=chart.name, short=chart.short)


def as_json(value: Any) -> str:
    """JSON that cannot end the script that holds it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


_PRINTED = 15  # rows of a table on paper, as in page.css


def write_page(path: str | os.PathLike[str], text: str) -> Path:
    """Write a page, whole or not at all; a file of that name is replaced."""
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"{path!r} is not a path; name the file to write")
    return write_whole(path, text)


def search_field(table: str, what: str, rows: int) -> str:
    """A field that filters a table. Its short placeholder fits a phone; its label describes the search."""
    listed = f"the {counted(rows, 'row')} listed"
    return (
        f'<div class="find"><input type="search" data-search="{table}" placeholder="Search {listed}" '
        f'aria-label="Search {what} in {listed}"><output></output>'
        f'<button type="button" data-csv="{table}">CSV</button></div>'
    )


def sortable_table(key: str, heads: Sequence[tuple[str, str]], body: str, name: str) -> str:
    """A table that a click on a head sorts; a head is its text and its kind, "number" or nothing.

    Columns of numbers, and the heads that phones show before each value, are stated once, on the table.
    """
    numbers = "".join(f" n{place}" for place, (_, kind) in enumerate(heads, start=1) if kind)
    titles = ";".join(
        f"--h{place}:{_css_string(html.unescape(text))}" for place, (text, _) in enumerate(heads, start=1)
    )
    head = "".join(
        f'<th scope="col" class="{kind}"><button type="button">{text.replace("_", "_<wbr>")}</button></th>'
        for text, kind in heads
    )
    table = (
        f'<table class="sortable{numbers}" id="{key}" style="{escape(titles)}">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
    return whole_list(name, table, body.count("<tr"))


def whole_list(name: str, body: str, items: int) -> str:
    """A list at its full length, so captures of the page contain all of it.

    In print, only the first rows of a table appear, with the number of the others.
    """
    rest = f' data-rest="and {counted(items - _PRINTED, "more row")}"' if items > _PRINTED else ""
    return f'<div class="list"{rest} tabindex="0" role="group" aria-label="{escape(name)}">{body}</div>'


def _css_string(text: str) -> str:
    """Text as a quoted CSS string."""
    return '"' + "".join(f"\\{ord(sign):x} " if sign in '"\\\n\r\f' else sign for sign in text) + '"'


def number_cell(value: float, text: str | None = None) -> str:
    """A cell of a table with a number, by which it is sorted; the value is stored if the text is rounded."""
    if isinstance(value, int):
        return f"<td>{value:,}</td>"
    return f'<td data-value="{float(value)!r}">{text or format_value(value)}</td>'


def _asset(name: str) -> str:
    """A file of the page without indentation and comment lines."""
    from importlib import resources

    text = resources.files("concordant.report.pages").joinpath("assets", name).read_text(encoding="utf-8")
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/*")))
