"""A matrix as text and as the table of a notebook: the first and the last partitions where there are many."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.spelling import printable, shortened
from concordant.counts.text_columns import text_columns
from concordant.report.summary import format_value

_SHOWN = 12  # rows and columns
_NAME_WIDTH = 24


def matrix_text(names: Sequence[str], index: Index, values: NDArray[np.float64]) -> str:
    """The name of the index, and the values below the names of the partitions."""
    shown = _shown(len(names))
    head = ["", *(_label(names, i) for i in shown)]
    rows = [[_label(names, i), *(_text(values, i, j) for j in shown)] for i in shown]
    return "\n".join([f"{index.name}{_reading(index)}", "", *text_columns([head, *rows]), *_omitted(names)])


def matrix_html(names: Sequence[str], index: Index, values: NDArray[np.float64]) -> str:
    """The same as HTML; the stronger a colour, the larger the value."""
    shown = _shown(len(names))
    head = "".join(f"<th>{html.escape(_label(names, j))}</th>" for j in shown)
    rows = "".join(_html_row(names, values, i, shown) for i in shown)
    title = html.escape(f"{index.title}: {index.formula}")
    caption = f'<span title="{title}">{html.escape(index.name)}</span>{_reading(index)}'
    foot = "".join(f"<p><small>{html.escape(line)}</small></p>" for line in _omitted(names) if line)
    return f"<div><p>{caption}</p><table><tr><th></th>{head}</tr>{rows}</table>{foot}</div>"


def _html_row(
    names: Sequence[str], values: NDArray[np.float64], i: int | None, shown: list[int | None]
) -> str:
    cells = "".join(
        f'<td style="text-align:right{_shade(values, i, j)}">{_text(values, i, j)}</td>' for j in shown
    )
    return f'<tr><th style="text-align:left">{html.escape(_label(names, i))}</th>{cells}</tr>'


def _shade(values: NDArray[np.float64], i: int | None, j: int | None) -> str:
    finite = values[np.isfinite(values)]
    if i is None or j is None or not np.isfinite(values[i, j]) or np.ptp(finite) == 0:
        return ""
    share = float((values[i, j] - finite.min()) / np.ptp(finite))
    return f";background:rgba(72,120,168,{0.6 * share:.2f})"


def _text(values: NDArray[np.float64], i: int | None, j: int | None) -> str:
    return "…" if i is None or j is None else format_value(float(values[i, j]))


def _shown(size: int) -> list[int | None]:
    if size <= _SHOWN:
        return list(range(size))
    half = _SHOWN // 2
    return [*range(half), None, *range(size - half, size)]


def _label(names: Sequence[str], place: int | None) -> str:
    if place is None:
        return "…"
    return shortened(printable(names[place]), _NAME_WIDTH)


def _reading(index: Index) -> str:
    return "" if index.symmetric else ", rows are the reference"


def _omitted(names: Sequence[str]) -> list[str]:
    left_out = len(names) - _SHOWN
    return ["", f"{left_out} of {len(names)} partitions are not shown"] if left_out > 0 else []
