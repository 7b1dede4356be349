"""Draws comparisons, from plain data: as text, as a table for a notebook, as figures, as a page.

Knows indices, changes and numbers; knows nothing of engines or of how the numbers were computed.

    table      the text of a terminal and the light table of a notebook
    page       the frame of every HTML page: one file, no network, light and dark
    labels     how the names of clusters are shown, however hostile
    palette    the colours, for light and for dark
    story      what is worth saying of a comparison, in words
    picture    which clusters are worth drawing, and in which order
    flow       the flow diagram; charts: the other Plotly figures; canvas: what they share
    papers     the same figures by Matplotlib; figures: one of either, by its name
    sections   the page of a comparison; changed: its list of changes
    differences  the same in a few lines for a terminal
    matrix_page  the page of many partitions; track_page: of partitions in order; alluvial: its picture
"""

from concordant.report.figures.drawing import FigureBackend, FigureKind, draw_figure
from concordant.report.pages.comparison import comparison_page
from concordant.report.pages.page import write_page
from concordant.report.story import Story
from concordant.report.summary import format_value
from concordant.report.text.summary import as_html, as_text

__all__ = [
    "FigureBackend",
    "FigureKind",
    "Story",
    "as_html",
    "as_text",
    "comparison_page",
    "draw_figure",
    "format_value",
    "write_page",
]
