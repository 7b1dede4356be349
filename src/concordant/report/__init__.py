"""Draws comparisons from plain data: as text, as a fragment for a notebook, as charts, as pages.

Uses indices, differences and counts; knows nothing about engines or how the numbers were computed.

    report_data  the content of a report; values: numbers as people read them
    error_causes the causes of the disagreement
    explanation  the manual page of an index, and its BibTeX entries
    sentences    the headline, and what happened to the costliest clusters
    labels       labels in charts and pages, escaped and shortened; names of clusters
    selection    which clusters are worth drawing, and in which order; layout: trees and maps of distances
    terminal     for a terminal; notebook: a light fragment
    charts/      charts, as SVG for pages and with Matplotlib for plot()
    pages/       what HTML pages share, and the sections of the pages of each result
"""

import sys
from typing import TYPE_CHECKING

from concordant.foundation.lazy import attributes
from concordant.foundation.results import Result

if TYPE_CHECKING:
    from concordant.report import pages
    from concordant.report.charts import ChartKind, plot_chart
    from concordant.report.charts.chart import Display
    from concordant.report.charts.dots import dot_plot
    from concordant.report.charts.rows import plot_one
    from concordant.report.explanation import cite
    from concordant.report.notebook import as_html, chart_html, index_rows, index_values
    from concordant.report.pages.cards import bytes_of
    from concordant.report.pages.comparison import comparison_page
    from concordant.report.pages.page import plain_page
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
    "chart_html",
    "cite",
    "comparison_page",
    "dot_plot",
    "format_value",
    "headline",
    "index_rows",
    "index_values",
    "pages",
    "plain_page",
    "plot_chart",
    "plot_one",
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
            "chart_html": "notebook",
            "cite": "explanation",
            "comparison_page": "pages.comparison",
            "dot_plot": "charts.dots",
            "format_value": "values",
            "headline": "sentences",
            "index_rows": "notebook",
            "index_values": "notebook",
            "plain_page": "pages.page",
            "plot_chart": "charts",
            "plot_one": "charts.rows",
        },
    )


Result._report = sys.modules[__name__]
