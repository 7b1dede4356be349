"""Draws comparisons, from plain data: as text, as a table for a notebook, as figures, as a page.

Knows indices, differences and numbers; knows nothing of engines or of how the numbers were computed.

    story      what is worth showing of a comparison, and in words; summary: every index with its value
    names      what clusters without a name are called; folding: records that stand alone, drawn as one
    picture    which clusters are worth drawing, and in which order; layout: trees and maps of distances
    cards      clusters one by one, with records and what is known of them; images: pictures of records
    labels     how labels are put into charts and pages, however hostile
    text/      for a terminal, and a light table for a notebook
    charts/    each chart in a module of its own, as SVG for pages and for Matplotlib
    pages/     one file, no network, light and dark: of a comparison, of many partitions, of some in order
"""

from typing import TYPE_CHECKING

from concordant.lazy import attributes

if TYPE_CHECKING:
    from concordant.report.charts import ChartKind, plot_chart
    from concordant.report.charts.chart import Display
    from concordant.report.pages.cards import bytes_of
    from concordant.report.pages.comparison import comparison_page
    from concordant.report.pages.page import write_page
    from concordant.report.story import Story
    from concordant.report.summary import format_value
    from concordant.report.text.notebook import as_html
    from concordant.report.text.terminal import as_full_text, as_text

__all__ = [
    "ChartKind",
    "Display",
    "Story",
    "as_full_text",
    "as_html",
    "as_text",
    "bytes_of",
    "comparison_page",
    "format_value",
    "plot_chart",
    "write_page",
]

__getattr__ = attributes(
    __name__,
    {
        "ChartKind": "charts",
        "plot_chart": "charts",
        "Display": "charts.chart",
        "bytes_of": "pages.cards",
        "comparison_page": "pages.comparison",
        "write_page": "pages.page",
        "Story": "story",
        "format_value": "summary",
        "as_html": "text.notebook",
        "as_full_text": "text.terminal",
        "as_text": "text.terminal",
    },
)
