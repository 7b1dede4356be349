"""The charts of a comparison, and each by its name: by Plotly for notebooks, by Matplotlib for papers.

To add a chart, declare it in a file of its own and name it here, in CHARTS and in FigureKind.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

from concordant.counts.sides import SideName
from concordant.errors import ParameterError, TableNeededError, did_you_mean
from concordant.report.figures.canvas import plotly
from concordant.report.figures.chart import USUAL_LOOK, Chart, Look, Subject
from concordant.report.figures.flow import FLOW
from concordant.report.figures.headline import HEADLINE
from concordant.report.figures.sizes import SIZES
from concordant.report.figures.table import TABLE
from concordant.report.story import Story

# In the order of a page.
CHARTS: dict[str, Chart[Story]] = {chart.name: chart for chart in (FLOW, TABLE, SIZES, HEADLINE)}

FigureKind = Literal["flow", "table", "sizes", "indices"]
FigureBackend = Literal["plotly", "matplotlib"]


def draw_figure(
    story: Story, kind: FigureKind, backend: FigureBackend, share: SideName | None, ax: Any
) -> Any:
    """A Plotly figure, or a Display on Matplotlib's axes."""
    _check("kind", kind, CHARTS)
    _check("share", share, (None, *get_args(SideName)))
    chart = CHARTS[kind]
    if share is not None and share not in chart.shares:
        offered = " and ".join(name for name, each in CHARTS.items() if share in each.shares)
        raise ParameterError(f"share={share!r} is for the {offered}, not for {kind!r}")
    if not chart.needs(story):
        if story.covers is not None:
            story.covers.check_overlaps()
        raise TableNeededError(
            f"a {kind} shows which clusters overlap, and this comparison "
            + ("has no elements" if not story.size else "was made from sizes alone")
        )
    return draw_chart(chart, story, backend, ax, Look(share=share))


def draw_chart(
    chart: Chart[Subject], subject: Subject, backend: FigureBackend, ax: Any, look: Look = USUAL_LOOK
) -> Any:
    """One chart of anything: a Plotly figure, or a Display on Matplotlib's axes."""
    _check("backend", backend, get_args(FigureBackend))
    if backend == "matplotlib":
        return chart.matplotlib(subject, look).plot(ax=ax)
    if ax is not None:
        raise ParameterError("ax is for backend='matplotlib'; Plotly makes a figure of its own")
    return plotly().Figure(chart.plotly(subject, look))


def _check(option: str, value: Any, offered: Iterable[Any]) -> None:
    choices = list(offered)
    if value not in choices:
        near = did_you_mean(str(value), map(str, choices))
        raise ParameterError(f"{option}={value!r}: use {', '.join(map(repr, choices))}{near}")
