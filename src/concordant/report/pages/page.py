"""Page: sections, tables, charts and a footer, as one HTML file."""

from __future__ import annotations

import html
import json
import math
import os
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from concordant.errors import ParameterError
from concordant.foundation.results import Charts, Listing, are_numbers
from concordant.foundation.spelling import counted, printable
from concordant.foundation.text_layout import shortened
from concordant.report.charts.chart import Chart, Subject
from concordant.report.charts.dots import dot_plot
from concordant.report.charts.svg import PATTERNS, Drawing
from concordant.report.labels import PageLabels
from concordant.report.palette import DARK, LIGHT
from concordant.report.sentences import capitalized
from concordant.report.values import format_value
from concordant.sources.writing import write_whole

_COMMAND: ContextVar[tuple[str, ...]] = ContextVar("command", default=())


@contextmanager
def made_by(arguments: Sequence[str]) -> Iterator[None]:
    """Pages that are written inside name this command, with its files, in their footer."""
    token = _COMMAND.set(tuple(arguments))
    try:
        yield
    finally:
        _COMMAND.reset(token)


def provenance() -> str:
    """The footer of a page.

    The time is that of SOURCE_DATE_EPOCH, if it is set, so a build can be repeated byte by byte.

    >>> with made_by(["compare", "my truth.csv", "found.csv"]):
    ...     print(provenance().partition(" UTC ")[2])
    by: concordant compare 'my truth.csv' found.csv
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.now(UTC) if epoch is None else datetime.fromtimestamp(int(epoch), UTC)
    when = f"Made {now:%Y-%m-%d %H:%M} UTC"
    command = _COMMAND.get()
    return (
        f"{when} by: {shlex.join(('concordant', *command))}"
        if command
        else f"{when} in Python, with concordant"
    )


escape: Callable[[str], str] = html.escape

# Names such as "F-measure", which a headline does not break unless they are long.
_HYPHENATED = re.compile(r"(?<![\w-])(?=[\w-]{3,24}(?![\w-]))\w+(?:-\w+)+", re.ASCII)

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
    key: str = ""  # its anchor, by which the page and its tests find it
    short: str = ""  # what the links at the top call it, if its title is long

    def html(self) -> str:
        key = f' id="{escape(self.key)}"' if self.key else ""
        lead = f'<p class="lead">{self.lead}</p>' if self.lead else ""
        return f"<section{key}><h2>{escape(self.title)}</h2>{lead}{self.body}</section>"


@dataclass(frozen=True, kw_only=True)
class Page:
    """A whole page: the title and the headline are text, and ``head`` is HTML below them.

    >>> page = Page(title="Two & two", sections=[Section("Sums", "<p>4</p>")], headline="They are 4")
    >>> text = page.html()
    >>> "<title>Two &amp; two</title>" in text, "They are 4</h1>" in text, "https://" in text
    (True, True, False)
    """

    title: str
    headline: str
    sections: Sequence[Section]
    head: str = ""
    labels: PageLabels = field(default_factory=PageLabels)
    style: str = ""
    inspector: bool = False
    script: str = ""  # an asset

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the page, whole or not at all; a file of that name is replaced."""
        if not isinstance(path, str | os.PathLike):
            raise ParameterError(f"{path!r} is not a path; name the file to write")
        return write_whole(path, self.html())

    def html(self) -> str:
        """The whole page as one HTML text."""
        body = "".join(section.html() for section in self.sections)
        light, dark = LIGHT.css(), DARK.css()
        colours = (
            f":root{{color-scheme:light;{light}}}"
            f"@media (prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}}}}}"
            f":root[data-theme=light]{{color-scheme:light;{light}}}"
            f":root[data-theme=dark]{{color-scheme:dark;{dark}}}"
            f"@media print{{:root,:root[data-theme]{{color-scheme:light;{light}}}}}"
        )
        heading = _HYPHENATED.sub(r"<span>\g<0></span>", escape(self.headline))
        whole = as_json(self.labels.whole())
        scripts = f'<script type="application/json" id="labels">{whole}</script>'
        assets = ["page.js", *(["inspector.js"] if self.inspector else []), *filter(None, [self.script])]
        behaviour = "".join(map(_asset, assets))
        links = "".join(
            f'<a href="#{escape(each.key)}">{escape(each.short or each.title)}</a>'
            for each in self.sections
            if each.key
        )
        return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_NO_NETWORK}">
<meta name="generator" content="concordant">
<title>{escape(self.title)}</title>
<style>{colours}{_asset("page.css")}{self.style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
{PATTERNS}
<header><div class="bar"><p class="title">{escape(self.title)}</p>
<button type="button" id="theme" aria-label="switch between light and dark">◐</button></div>
<h1 class="headline">{heading}</h1>
{self.head}<nav aria-label="Sections">{links}</nav></header>
<main id="main" tabindex="-1">{body}</main>
<footer>{escape(provenance())}</footer>
{_INSPECTOR if self.inspector else ""}
{scripts}
<script>{behaviour}</script>
</body>
</html>
"""


def plain_page(
    title: str, headline: str, charts: Charts, listings: Sequence[Listing], notes: Iterable[str]
) -> Page:
    """The page of a result that has no sections of its own: its charts, and its listings with notes.

    The first line of the headline is the heading, and further lines are facts.
    """
    labels = PageLabels()
    sections = [chart_section(*each) for each in charts]
    for place, listing in enumerate(listings, start=1):
        sections.append(listing_section(listing, labels, key=f"table-{place}"))
    seen = Counter[str]()
    for place, section in enumerate(sections):
        seen[section.key] += 1
        if (times := seen[section.key]) > 1:  # of several indices, each has its chart
            sections[place] = replace(section, key=f"{section.key}-{times}")
    below = "".join(note(escape(each)) for each in notes if each)
    if len(sections) == 1:
        sections[0] = replace(sections[0], body=sections[0].body + below)
    elif below:
        sections.append(Section("Notes", below, key="notes"))
    heading, *facts = headline.split("\n")
    facts = [f"{fact[:1].upper()}{fact[1:]}." for fact in facts]
    head = paragraphs(facts)
    return Page(title=title, headline=heading, head=head, sections=sections, labels=labels)


def listing_section(
    listing: Listing, labels: PageLabels, *, key: str, title: str = "", notes: Iterable[str] = ()
) -> Section:
    """A listing as a section: its dot plot, the table, and notes.

    Names in the first column are never aligned as numbers. Without a head above them, the others are labels,
    which are shown unchanged.
    """
    title = title or listing.title or "Table"
    texts = listing.texts()
    kinds = ("number" if place and is_number else "" for place, is_number in enumerate(are_numbers(texts)))
    words = [
        head if head[1:2] in ("", " ") or not texts[0][0] else f"{head[0].upper()}{head[1:]}"
        for head in texts[0]
    ]
    heads = [(escape(text or "Name"), kind) for text, kind in zip(words, kinds, strict=True)]
    columns = [values for _, values in listing.columns]
    rows = [
        table_row(labels.html(name), *map(_cell_value, (column[place] for column in columns[1:]), row))
        for place, (name, *row) in enumerate(texts[1:])
    ]
    listed, find = f"{key}-list", "cells" if len(rows) > _SEARCHED else ""
    body = ("" if find else csv_button(listed)) + sortable_table(listed, heads, rows, title, find)
    body += "".join(note(escape(each)) for each in (listing.below(len(rows)), *notes))
    if listing.dots is None or not rows:
        return Section(title, body, key=key)
    drawn = chart_section(dot_plot(listing), listing)
    return replace(drawn, body=drawn.body + body)


def _cell_value(value: Any, text: str) -> CellValue:
    """A number with its rounded text, or a text."""
    return (value, escape(text)) if isinstance(value, float) and math.isfinite(value) else escape(text)


# -- the head of a page -------------------------------------------------------------------------------


def title_of_sides(names: Sequence[str]) -> str:
    """The title of a page: ``Candidate against reference``."""
    return capitalized(" against ".join(shortened(printable(name), 60) for name in names[::-1]))


def paragraphs(sentences: Iterable[str], kind: str = "facts") -> str:
    """Sentences, each in a paragraph of this CSS class; empty ones are omitted."""
    return "".join(f'<p class="{kind}">{escape(each)}</p>' for each in sentences if each)


def key_numbers(numbers: Iterable[tuple[float | str, str, str]]) -> str:
    """The most important numbers: the value, its title, and a remark or nothing."""
    shown = "".join(
        f"<div><b>{value if isinstance(value, str) else format_value(value)}</b><span>{escape(title)}</span>"
        f"{f'<small>{escape(remark)}</small>' if remark else ''}</div>"
        for value, title, remark in numbers
    )
    return f'<div class="key-numbers">{shown}</div>'


# -- sections -----------------------------------------------------------------------------------------


def signature_section(signature: str) -> Section:
    """The signature of the numbers on the page."""
    return Section("Signature", f'<p><code id="signature">{escape(signature)}</code></p>', key="cite")


def chart_section(chart: Chart[Subject], subject: Subject) -> Section:
    """A chart as SVG, wide and narrow, of which the style shows one; with buttons for its shares."""
    assert chart.svg is not None
    svg, alt = chart.svg, chart.alt(subject)
    drawings = both_shapes(lambda narrow: svg(subject, narrow), alt)
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
    if (cells := chart.cells(subject)) is not None:
        body += f'<script type="application/json" class="cells">{as_json(cells)}</script>'
    return Section(title, body, lead=chart.lead(subject), key=chart.name, short=chart.short)


def both_shapes(draw: Callable[[bool], Drawing], alt: str) -> str:
    """A wide drawing and a narrow one, of which the style shows one; ``draw`` takes whether it is narrow."""
    shapes = (("wide", False), ("narrow", True))
    return "".join(f'<div class="{name}">{draw(is_narrow).svg(alt)}</div>' for name, is_narrow in shapes)


def folded_below(section: Section, summary: str, body: str) -> Section:
    """A section with more HTML, folded."""
    return replace(section, body=f"{section.body}<details><summary>{summary}</summary>{body}</details>")


def as_json(value: Any) -> str:
    """JSON that cannot end the script that holds it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


_SEARCHED = 12  # rows above which a table has a field to search it
_PRINTED = 15  # rows of a table on paper, as in page.css


CellValue = str | float | tuple[float, str]  # HTML; a number; a number with its text


def sortable_table(
    key: str, heads: Sequence[tuple[str, str]], rows: Sequence[str], name: str, find: str = ""
) -> str:
    """A table that a click on a head sorts; a head is its text and its kind, "number" or nothing.

    ``find`` is what the field above the table searches for: without it, there is no field. Columns of
    numbers, and the heads that phones show before each value, are stated once, on the table.
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
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )
    field = _search_field(key, find, len(rows)) if find else ""
    return field + whole_list(name, table, len(rows))


def _search_field(table: str, what: str, rows: int) -> str:
    """A field that filters a table. Its short placeholder fits a phone; its label describes the search."""
    listed = f"the {counted(rows, 'row')} listed"
    return (
        f'<div class="find"><input type="search" data-search="{table}" placeholder="Search {listed}" '
        f'aria-label="Search {what} in {listed}"><output></output>'
        f'<button type="button" data-csv="{table}">CSV</button></div>'
    )


def csv_button(table: str) -> str:
    """A button that saves a table."""
    return f'<div class="find"><button type="button" data-csv="{table}">CSV</button></div>'


def table_row(*values: CellValue, key: str = "") -> str:
    """A row of a table; with a key, links lead to it.

    >>> table_row("<bdi>a</bdi>", 2, (0.5, "half"), key="r1")
    '<tr id="r1"><td><bdi>a</bdi></td><td>2</td><td data-value="0.5">half</td></tr>'
    """
    return f"<tr{f' id={chr(34)}{key}{chr(34)}' if key else ''}>{cells(*values)}</tr>"


def cells(*values: CellValue) -> str:
    """Cells of a table. Numbers sort it; where a text is rounded, the number is stored beside it."""
    shown = ""
    for value in values:
        number, text = value if isinstance(value, tuple) else (value, "")
        if isinstance(number, str):
            shown += f"<td>{number}</td>"
        elif isinstance(number, int):
            shown += f"<td>{number:,}</td>"
        else:
            shown += f'<td data-value="{float(number)!r}">{text or format_value(number)}</td>'
    return shown


def note(text: str) -> str:
    """A note below a table; the text is HTML. Nothing without a text."""
    return f'<p class="note">{text}</p>' if text else ""


def whole_list(name: str, body: str, items: int) -> str:
    """A list at its full length, so captures of the page contain all of it.

    In print, only the first rows of a table appear, with the number of the others.
    """
    rest = f' data-rest="and {counted(items - _PRINTED, "more row")}"' if items > _PRINTED else ""
    return f'<div class="list"{rest} tabindex="0" role="group" aria-label="{escape(name)}">{body}</div>'


def _css_string(text: str) -> str:
    """Text as a quoted CSS string."""
    return '"' + "".join(f"\\{ord(sign):x} " if sign in '"\\\n\r\f' else sign for sign in text) + '"'


def _asset(name: str) -> str:
    """A file of the page without indentation and comments."""
    from importlib import resources

    text = resources.files("concordant.report.pages").joinpath("assets", name).read_text(encoding="utf-8")
    lines = (re.sub(r"; // .*", ";", line).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/*")))
