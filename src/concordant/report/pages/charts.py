"""The section of a page that shows a chart, from its declaration."""

from __future__ import annotations

from concordant.report.figures.chart import Chart, Look, Subject
from concordant.report.pages.page import Section, escape
from concordant.report.story import capital


def chart_section(chart: Chart[Subject], subject: Subject) -> Section:
    """The chart, wide and narrow, with its title, its lead and its note."""
    body = _drawn(chart, subject) + chart.note(subject)
    return Section(
        capital(chart.title(subject)), body, lead=chart.lead(subject), key=chart.name, short=chart.short
    )


def _drawn(chart: Chart[Subject], subject: Subject) -> str:
    """The chart as SVG: wide and narrow, of which the style of the page shows one; the shares as buttons."""
    assert chart.svg is not None
    shown = ""
    for shape in ("wide", "narrow"):
        drawing = chart.svg(subject, Look(narrow=shape == "narrow"))
        shown += f'<div class="{shape}">{drawing.svg(chart.alt(subject))}</div>'
    buttons = "".join(
        f'<button type="button" data-shows="{place}" aria-pressed="{str(not place).lower()}">'
        f"{escape(text)}</button>"
        for place, text in enumerate(chart.shares.values())
    )
    group = (
        f'<div class="choice" role="group" aria-label="What the numbers are">{buttons}</div>'
        if buttons
        else ""
    )
    saves = "".join(
        f'<button type="button" data-saves="{kind.lower()}" aria-label="save this chart as {kind}">'
        f"{kind}</button>"
        for kind in ("SVG", "PNG")
    )
    save = f'<div class="tools">{saves}</div>'
    return f'<figure data-chart="{chart.name}">{save}{group}{shown}</figure>'
