"""A matrix as text and as tables: in a notebook, the first and the last partitions where there are many.

For a symmetric index only one half is shown. No partition is shown against itself.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.spelling import printable
from concordant.report.values import format_value, two_decimals
from concordant.results import TextRows
from concordant.text_layout import cell_width, line_width, shortened, text_columns

if TYPE_CHECKING:
    from concordant.trust.interval import Interval

_SHOWN = 12  # rows and columns
_NAME_WIDTH = 24
# Whether numbers replace the names above the columns, and the number of cells of a name.
_NAMINGS = ((False, _NAME_WIDTH), (True, _NAME_WIDTH), (True, 12))
_SHADES = "░▒▓█"

MatrixValues = NDArray[np.float64]
ShownPlaces = list[int | None]  # of the displayed partitions; None represents omitted ones


def matrix_text(names: Sequence[str], index: Index, values: MatrixValues) -> str:
    """The name of the index and the values with two decimals, shaded, as many as 80 columns hold.

    >>> from concordant.catalogue.index import INDICES
    >>> values = np.array([[1, 0.9, 0.1], [0.9, 1, 0.4], [0.1, 0.4, 1]])
    >>> print(matrix_text(["a", "b", "c"], INDICES["adjusted_rand"], values))
    adjusted_rand, █ most similar to ░ least
    <BLANKLINE>
           a      b
    b  █0.90
    c  ░0.10  ▒0.40
    """
    shares = _likeness(index, values)

    def cell(i: int | None, j: int | None) -> str:
        if i is None or j is None:
            return "…"
        share = shares[i, j]
        shade = "" if np.isnan(share) else _SHADES[min(int(share * len(_SHADES)), len(_SHADES) - 1)]
        return f"{shade}{two_decimals(float(values[i, j]), index.perfect)}"

    # Fewer partitions, numbers instead of names above the columns, and shorter names, until it fits.
    for most, (numbered, length) in product(range(_SHOWN, 2, -1), _NAMINGS):
        rows, columns = _rows_and_columns(index, len(names), most)
        heads = [
            ("…" if j is None else str(j + 1)) if numbered else _label(names, j, length) for j in columns
        ]
        marks = [f"{i + 1} " if numbered and i is not None else "" for i in rows]
        if numbered and rows[0] != columns[0]:  # the first has no row of its own
            heads[0] = f"1 {_label(names, columns[0], length)}"
        lines = [
            [
                mark + _label(names, i, length),
                *(cell(i, j) for j in columns[:width]),
                *[""] * (len(columns) - width),
            ]
            for mark, i, width in zip(marks, rows, _widths(index, columns), strict=True)
        ]
        table = text_columns([["", *heads], *lines])
        if max(map(cell_width, table)) <= line_width():
            break
    strongest = "largest" if index.direction == "statistic" else "most similar"
    key = f", █ {strongest} to ░ least" if np.isfinite(shares).any() else ""
    foot = ["", _omission(names, most)] if len(names) > most else []
    return "\n".join([f"{index.name}{_reading(index)}{key}", "", *table, *foot])


def matrix_rows(
    names: Sequence[str],
    index: Index,
    values: MatrixValues,
    intervals: Mapping[tuple[str, str], Interval] | None = None,
) -> TextRows:
    """All values as in text, with their intervals; the name of the index is in the corner.

    >>> from concordant.catalogue.index import INDICES
    >>> matrix_rows(["a", "b"], INDICES["adjusted_rand"], np.array([[1, 0.456], [0.456, 1]]))
    [['adjusted_rand', 'a'], ['b', '0.46']]
    """
    is_half = index.symmetric and len(names) > 1
    texts = [[two_decimals(value, index.perfect) for value in row] for row in values.tolist()]
    corner = index.name
    for (reference, candidate), found in (intervals or {}).items():
        ends = " to ".join(two_decimals(end, index.perfect) for end in (found.low, found.high))
        texts[names.index(reference)][names.index(candidate)] += f" ({ends if found.estimable else '—'})"
        corner = f"{index.name} ({found.level * 100:g}% interval)"
    heads = list(map(printable, names))
    if is_half:
        heads.pop()
        texts = [[*row[:place], *[""] * (len(heads) - place)] for place, row in enumerate(texts)]
    rows = [[printable(name), *row] for name, row in zip(names, texts, strict=True)]
    return [[corner, *heads], *rows[int(is_half) :]]


def matrix_html(names: Sequence[str], index: Index, values: MatrixValues) -> str:
    """A table in HTML; the stronger a colour, the more similar."""
    shares = _likeness(index, values)
    rows, columns = _rows_and_columns(index, len(names), _SHOWN)

    def cell(i: int | None, j: int | None) -> str:
        if i is None or j is None:
            return "<td>…</td>"
        share = shares[i, j]
        shade = "" if np.isnan(share) else f";background:rgba(72,120,168,{0.22 * share:.2f})"
        return f'<td style="text-align:right{shade}">{format_value(float(values[i, j]))}</td>'

    head = "".join(f'<th scope="col">{html.escape(_label(names, j))}</th>' for j in columns)
    body = "".join(
        f'<tr><th scope="row" style="text-align:left">{html.escape(_label(names, i))}</th>'
        + "".join(cell(i, j) for j in columns[:width])
        + "</tr>"
        for i, width in zip(rows, _widths(index, columns), strict=True)
    )
    title = html.escape(f"{index.title}: {index.formula}")
    corner = f'<th scope="col" style="text-align:left" title="{title}">{html.escape(index.name)}</th>'
    return f"<table><thead><tr>{corner}{head}</tr></thead><tbody>{body}</tbody></table>"


def matrix_notes(names: Sequence[str], index: Index) -> list[str]:
    """How to read the table of a notebook, and what it omits."""
    reading = _reading(index).removeprefix(", ")
    return [*filter(None, [reading]), *([_omission(names, _SHOWN)] if len(names) > _SHOWN else [])]


def _rows_and_columns(index: Index, size: int, most: int) -> tuple[ShownPlaces, ShownPlaces]:
    """All, or the first and the last of many; a triangle has neither the first row nor the last column."""
    shown: ShownPlaces = list(range(size))
    if size > most:
        shown = [*range(most - most // 2), None, *range(size - most // 2, size)]
    return (shown[1:], shown[:-1]) if index.symmetric and len(shown) > 1 else (shown, shown)


def _widths(index: Index, columns: ShownPlaces) -> list[int]:
    """How many values each row has."""
    return [place + 1 if index.symmetric else len(columns) for place in range(len(columns))]


def _likeness(index: Index, values: MatrixValues) -> MatrixValues:
    """The similarity of two partitions, from 0 to 1 among all pairs; NaN if unknown."""
    apart = np.where(np.eye(len(values), dtype=bool) | ~np.isfinite(values), np.nan, values)
    there = apart[np.isfinite(apart)]
    if not there.size or np.ptp(there) == 0:
        return np.full(values.shape, np.nan)
    shares: MatrixValues = (apart - there.min()) / np.ptp(there)
    return 1 - shares if index.direction == "distance" else shares


def _label(names: Sequence[str], place: int | None, length: int = _NAME_WIDTH) -> str:
    return "…" if place is None else shortened(printable(names[place]), length)


def _reading(index: Index) -> str:
    return "" if index.symmetric else ", rows are the reference"


def _omission(names: Sequence[str], most: int) -> str:
    return f"{len(names) - most} of {len(names)} partitions are not shown"
