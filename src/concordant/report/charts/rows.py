"""The tables of a result as a chart, for results without a chart of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from concordant.foundation.conventions import SideName, check_choice
from concordant.foundation.results import Charts, TextRows, are_numbers
from concordant.report.charts.chart import FONT, Chart, Display, always, plain_text
from concordant.report.palette import LIGHT

_ROW = 0.2  # inches
_LETTER = 0.075  # inches
_WIDEST = 40  # characters of a cell


Rows = tuple[str, Sequence[TextRows]]  # a title, and tables of text below it


def _widths(tables: Sequence[TextRows]) -> list[list[int]]:
    """The characters of the longest cell of each column, with a gap."""
    return [
        [min(max(map(len, column)), _WIDEST) + 2 for column in zip(*table, strict=True)] for table in tables
    ]


def _height(tables: Sequence[TextRows]) -> int:
    """The number of lines, with one above each table but the first."""
    return max(sum(map(len, tables)) + len(tables) - 1, 1)


def _size(rows: Rows) -> tuple[float, float]:
    title, tables = rows
    longest = max([len(title), 20, *map(sum, _widths(tables))])
    return min(_LETTER * longest, 14.0), _ROW * (_height(tables) + 2)


def _draw(ax: Any, rows: Rows, share: SideName | None) -> None:  # noqa: ARG001  (as of all charts)
    title, tables = rows
    ax.set_axis_off()
    ax.set_xlim(0, max([1, *map(sum, _widths(tables))]))
    ax.set_ylim(_height(tables), 0)
    ax.set_title(plain_text(title.partition("\n")[0], 100), loc="left", fontsize=FONT + 1)
    line = 0
    for table, widths in zip(tables, _widths(tables), strict=True):
        aligned = are_numbers(table)
        for place, row in enumerate(table):
            right = 0
            for cell, width, is_number in zip(row, widths, aligned, strict=True):
                left, right = right, right + width
                ax.text(
                    right - 1 if is_number else left,
                    line + 0.5,
                    plain_text(cell, _WIDEST),
                    ha="right" if is_number else "left",
                    va="center",
                    fontsize=FONT,
                    weight="normal" if place else "bold",
                )
            line += 1
        ax.axhline(line - len(table) + 1, color=LIGHT.muted, linewidth=0.5)
        line += 1


ROWS: Chart[Rows] = Chart(
    name="rows",
    title=always("Rows"),
    alt=always("the rows of the result"),
    lead=always(""),
    size=_size,
    draw=_draw,
    svg=None,  # pages have the table itself
)


def plot_one(
    kind: str | None,
    charts: Charts,
    rows: Rows,
    *,
    ax: Any,
    width: float | None,
) -> Display:
    """One of the charts of a result, by default the first, or its tables."""
    offered = {chart.name: (chart, subject) for chart, subject in charts}
    offered[ROWS.name] = ROWS, rows
    if kind is not None:
        check_choice("kind", kind, offered)
    chart, subject = next(iter(offered.values())) if kind is None else offered[kind]
    display: Display = chart.plot(subject, ax, width=width)
    return display
