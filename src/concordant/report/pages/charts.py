"""The section of a page that shows a chart, from its declaration."""

from __future__ import annotations

from concordant.counts.sides import SideName
from concordant.report.figures.chart import Chart, Look, Subject
from concordant.report.pages.page import Figures, Section
from concordant.report.story import capital


def chart_section(chart: Chart[Subject], subject: Subject, figures: Figures) -> Section:
    """The chart in light and dark, wide and narrow, with its title, its lead and its note."""

    def add(name: str, share: SideName | None) -> None:
        figures.add(
            name,
            lambda palette: chart.plotly(subject, Look(palette, share=share)),
            narrow=lambda palette: chart.plotly(subject, Look(palette, narrow=True, share=share)),
        )

    choices = {f"{chart.name}-{share}" if share else chart.name: text for share, text in chart.shares.items()}
    for share in chart.shares or (None,):
        add(f"{chart.name}-{share}" if share else chart.name, share)
    body = figures.chart(chart.name, chart.alt(subject), choices) + chart.note(subject)
    return Section(capital(chart.title(subject)), body, lead=chart.lead(subject), key=chart.name)
