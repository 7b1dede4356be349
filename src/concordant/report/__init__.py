"""Draws comparisons, from plain data: as text, as a table for a notebook, as figures, as a page.

Knows indices, changes and numbers; knows nothing of engines or of how the numbers were computed.

    table     the text of a terminal and the light table of a notebook
    page      the frame of every HTML page: one file, no network, light and dark
    labels    how the names of clusters are shown, however hostile
    palette   the colours, for light and for dark
"""

from concordant.report.table import Line, Side, Summary, as_html, as_text, format_value

__all__ = ["Line", "Side", "Summary", "as_html", "as_text", "format_value"]
