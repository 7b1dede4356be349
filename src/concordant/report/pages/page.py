"""The frame of every HTML page: one file that opens from disk, with no network at all.

A page is a headline and sections. Charts are Plotly figures, drawn once in light and once in dark
colours; their script is inlined, so the file is whole. What is here is used by every page:

    labels = PageLabels()                                             # shows and remembers hostile labels
    figures = Figures()
    figures.add("map", lambda palette: draw(data, palette))      # called with LIGHT and with DARK
    sections = [Section("How alike they are", figures.chart("map", "what one sees there, in words"))]
    write_page("runs.html", document("Five runs", sections, figures=figures, labels=labels))

The body of a section is HTML: put text into it with ``escape`` and labels with ``PageLabels.html``.
Behaviour comes from page.js, by attributes alone: ``data-chart`` is a chart, a ``choice`` of buttons
switches it, a table of class ``sortable`` sorts by its head, ``data-search`` filters a table.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concordant.errors import ParameterError
from concordant.partitions.whole_file import write_whole
from concordant.report.figures.canvas import missing_plotly
from concordant.report.figures.palette import DARK, LIGHT, Palette
from concordant.report.figures.svg import PATTERNS
from concordant.report.labels import PageLabels

escape = html.escape

# The browser itself refuses every request, should anything ever ask for one.
_NO_NETWORK = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: its title is text, its lead and its body are HTML."""

    title: str
    body: str
    lead: str = ""
    wide: bool = True  # otherwise it takes half the width, where there is room
    key: str = ""  # its anchor, by which the page and its tests find it


Draw = Callable[[Palette], Any]


class Figures:
    """The charts of one page, each in light and in dark, and where it helps for narrow screens too."""

    def __init__(self) -> None:
        self._drawn: dict[str, dict[str, dict[str, Any]]] = {}

    def __bool__(self) -> bool:
        return bool(self._drawn)

    def add(self, name: str, draw: Draw, *, narrow: Draw | None = None) -> None:
        """Draw a figure in both palettes, to be shown under this name: Plotly's, or its plain dict."""
        shapes = {"wide": draw, "narrow": narrow} if narrow else {"wide": draw}
        themes = {"light": LIGHT, "dark": DARK}
        self._drawn[name] = {
            shape: {theme: _plain(by(palette)) for theme, palette in themes.items()}
            for shape, by in shapes.items()
        }

    def chart(self, name: str, description: str, choices: Mapping[str, str] | None = None) -> str:
        """The place of a chart; ``choices`` are the names of other figures and what their buttons say."""
        height = self._drawn[name]["wide"]["light"]["layout"]["height"]
        buttons = "".join(
            f'<button type="button" data-shows="{escape(figure)}" '
            f'aria-pressed="{str(figure == name).lower()}">{escape(text)}</button>'
            for figure, text in (choices or {}).items()
        )
        group = f'<div class="choice" role="group">{buttons}</div>' if buttons else ""
        return (
            f'<figure>{group}<div class="chart" data-chart="{escape(name)}" style="min-height:{height}px" '
            f'role="img" aria-label="{escape(description)}"></div></figure>'
        )

    def as_json(self) -> str:
        return _script_json(self._drawn)


def document(
    title: str,
    sections: Sequence[Section],
    *,
    head: str = "",
    foot: str = "",
    figures: Figures | None = None,
    labels: PageLabels | None = None,
) -> str:
    """A whole page: ``head`` stands under the title and ``foot`` at the end, both HTML.

    >>> text = document("Two & two", [Section("Sums", "<p>4</p>")])
    >>> "<h1>Two &amp; two</h1>" in text, "<h2>Sums</h2>" in text, "https://" in text
    (True, True, False)
    """
    figures = figures or Figures()
    body = "".join(map(_section, sections))
    whole = _script_json((labels or PageLabels()).whole())
    scripts = f'<script type="application/json" id="labels">{whole}</script>'
    if figures:
        scripts += f'<script type="application/json" id="figures">{figures.as_json()}</script>'
        scripts += f"<script>{plotly_script()}</script>"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_NO_NETWORK}">
<meta name="generator" content="concordant">
<title>{escape(title)}</title>
<style>{_colours()}{_asset("page.css")}</style>
</head>
<body>
{PATTERNS}
<header><div class="bar"><h1>{escape(title)}</h1>
<button type="button" id="theme" aria-label="switch between light and dark">◐</button></div>
{head}</header>
<main>{body}</main>
<footer>{foot}</footer>
{scripts}
<script>{_asset("page.js")}</script>
</body>
</html>
"""


def write_page(path: str | os.PathLike[str], text: str) -> Path:
    """Write a page, whole or not at all; a file of that name is replaced."""
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"a page is written to a file, and {path!r} is not a path")
    return write_whole(path, text)


def plotly_script() -> str:
    """Plotly's own JavaScript, from its Python package."""
    try:
        from plotly.offline import get_plotlyjs
    except ImportError as error:
        raise missing_plotly() from error
    return str(get_plotlyjs())


def _section(section: Section) -> str:
    key = f' id="{escape(section.key)}"' if section.key else ""
    lead = f'<p class="lead">{section.lead}</p>' if section.lead else ""
    width = "" if section.wide else ' class="half"'
    return f"<section{key}{width}><h2>{escape(section.title)}</h2>{lead}{section.body}</section>"


def _colours() -> str:
    light, dark = LIGHT.css(), DARK.css()
    return (
        f":root{{color-scheme:light;{light}}}"
        f"@media (prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}}}}}"
        f":root[data-theme=light]{{color-scheme:light;{light}}}"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}"
        f"@media print{{:root,:root[data-theme]{{color-scheme:light;{light}}}}}"
    )


def _plain(figure: Any) -> dict[str, Any]:
    plain: dict[str, Any] = figure if isinstance(figure, dict) else json.loads(figure.to_json())
    return plain


def _script_json(value: Any) -> str:
    """JSON that cannot end the script that holds it."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _asset(name: str) -> str:
    from importlib import resources

    return resources.files("concordant.report.pages").joinpath("assets", name).read_text(encoding="utf-8")
