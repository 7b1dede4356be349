"""Draws comparisons from plain data: as text, as a fragment for a notebook, as charts, as pages.

Uses indices, differences and counts; knows nothing about engines or how the numbers were computed.

    report_data  the content of a report; values: numbers as people read them
    causes       the causes of the disagreement
    citation     BibTeX entries of indices; explanation: the manual page of one
    sentences    the headline, and what happened to the costliest clusters
    labels       labels in charts and pages, escaped and shortened; names of clusters
    picture      which clusters are worth drawing, and in which order; layout: trees and maps of distances
    terminal     for a terminal; notebook: a light fragment; matrix_text: a matrix as both
    charts/      charts, as SVG for pages and with Matplotlib for plot()
    pages/       what HTML pages share, and the sections of the pages of each result
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.counts.conventions import check_choice
from concordant.lazy import attributes
from concordant.results import Charts, Result, TextRows, TitledTables

if TYPE_CHECKING:
    from concordant.report import pages
    from concordant.report.charts import ChartKind, plot_chart
    from concordant.report.charts.chart import Display
    from concordant.report.charts.dots import slice_charts
    from concordant.report.explanation import cite
    from concordant.report.notebook import as_html, index_rows, index_values
    from concordant.report.pages.cards import bytes_of
    from concordant.report.pages.comparison import comparison_page
    from concordant.report.report_data import ReportData
    from concordant.report.sentences import headline
    from concordant.report.terminal import as_full_text, as_text
    from concordant.report.values import format_value

__all__ = [
    "ChartKind",
    "Display",
    "ReportData",
    "as_full_text",
    "as_html",
    "as_text",
    "bytes_of",
    "cite",
    "comparison_page",
    "format_value",
    "headline",
    "index_rows",
    "index_values",
    "pages",
    "plot_chart",
    "slice_charts",
]

if not TYPE_CHECKING:
    __getattr__ = attributes(
        __name__,
        {
            "ChartKind": "charts",
            "Display": "charts.chart",
            "ReportData": "report_data",
            "as_full_text": "terminal",
            "as_html": "notebook",
            "as_text": "terminal",
            "bytes_of": "pages.cards",
            "cite": "explanation",
            "comparison_page": "pages.comparison",
            "format_value": "values",
            "headline": "sentences",
            "index_rows": "notebook",
            "index_values": "notebook",
            "plot_chart": "charts",
            "slice_charts": "charts.dots",
        },
    )


# -- how results are drawn --------------------------------------------------------------------------------


def _chart_html(chart: Any, subject: Any) -> str:
    from concordant.report.notebook import chart_html  # here, so importing concordant stays fast

    return chart_html(chart, subject)


def _write_page(
    path: str | os.PathLike[str],
    words: tuple[str, str],  # the title and the headline
    charts: Charts,
    tables: TitledTables,
    notes: Sequence[str],
) -> Path:
    from concordant.report.pages.page import plain_page  # here, so importing concordant stays fast

    return plain_page(*words, charts, tables, notes).write(path)


def _plot_chart(
    kind: str | None,
    charts: Charts,
    rows: tuple[str, Sequence[TextRows]],  # the title and the tables, for a result without charts
    *,
    ax: Any,
    width: float | None,
) -> Any:
    from concordant.report.charts.rows import ROWS, Rows  # here, so importing concordant stays fast

    offered = {chart.name: (chart, subject) for chart, subject in charts}
    offered[ROWS.name] = ROWS, Rows(*rows)
    if kind is not None:
        check_choice("kind", kind, offered)
    chart, subject = next(iter(offered.values())) if kind is None else offered[kind]
    return chart.plot(subject, ax, width=width)


Result._chart_html, Result._write_page, Result._plot_chart = _chart_html, _write_page, _plot_chart
