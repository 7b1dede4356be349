"""Lays things out by their distances: as a tree, in a row, and on a plane.

Plain arrays in, plain arrays out: this module does not know what the distances mean.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from concordant.counts.spelling import printable
from concordant.indices.index import Index
from concordant.report.values import two_decimals
from concordant.results import TextRows
from concordant.text_layout import cell_width, line_width, shortened, text_columns

if TYPE_CHECKING:
    from concordant.trust.interval import Interval

Distances = NDArray[np.float64]
# Two branches and the height at which they merge; 0 to size - 1 are leaves, size + k is merge k.
Merge = tuple[int, int, float]


def average_linkage(distances: Distances) -> tuple[list[Merge], list[int]]:
    """The tree of average linkage (UPGMA): its merges, the lowest first, and its leaves from left to right.

    The leaves are ordered so neighbours are similar.

    Sokal & Michener 1958, Univ. Kansas Sci. Bull. 38:1409, by chains of nearest neighbours (Murtagh 1983,
    Comput. J. 26:354), in quadratic time. If two branches merge, they are rotated so the nearest ends touch
    (Gruvaeus & Wainer 1972, Br. J. Math. Stat. Psychol. 25:200).

    >>> merges, leaves = average_linkage(np.array([[0.0, 9.0, 1.0], [9.0, 0.0, 7.0], [1.0, 7.0, 0.0]]))
    >>> [height for _, _, height in merges], leaves
    ([1.0, 8.0], [0, 2, 1])
    """
    joined = sorted(_chained(distances), key=lambda pair: pair[2])
    branches: list[list[int]] = [[leaf] for leaf in range(len(distances))]
    branch_of = list(range(len(distances)))
    merges = []
    for one, other, height in joined:
        merges.append((branch_of[one], branch_of[other], height))
        # Both branches in one row, rotated so the nearest ends touch.
        left, right = branches[branch_of[one]], branches[branch_of[other]]
        ways = [(left, right), (left, right[::-1]), (left[::-1], right), (right, left)]
        first, second = min(ways, key=lambda way: distances[way[0][-1], way[1][0]])
        merged = first + second
        for leaf in merged:
            branch_of[leaf] = len(branches)
        branches.append(merged)
    return merges, branches[-1] if branches else []


def classical_scaling(distances: Distances) -> tuple[NDArray[np.float64], float]:
    """Points on a plane whose distances come near these, and the share of the squared distances they hold.

    Classical multidimensional scaling (Torgerson 1952, Psychometrika 17:401). The share compares the two
    eigenvalues that are drawn with all that are positive.

    >>> points, share = classical_scaling(np.array([[0.0, 3.0, 5.0], [3.0, 0.0, 4.0], [5.0, 4.0, 0.0]]))
    >>> round(float(np.hypot(*(points[0] - points[2]))), 9), round(share, 9)
    (5.0, 1.0)
    """
    size = len(distances)
    centring = np.eye(size) - 1 / max(size, 1)
    values, vectors = np.linalg.eigh(centring @ (distances**2) @ centring / -2)
    largest = np.argsort(values)[::-1][:2]
    points = np.zeros((size, 2))
    points[:, : len(largest)] = vectors[:, largest] * np.sqrt(np.maximum(values[largest], 0))
    held, whole = np.maximum(values[largest], 0).sum(), np.maximum(values, 0).sum()
    if size:  # the farthest point of each axis is positive, so the picture is the same each time
        points *= np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
    # Beyond nine digits there are only rounding errors, and a full share should be exactly 1.
    return points, round(float(held / whole), 9) if whole > 0 else 1.0


def _chained(distances: Distances) -> list[Merge]:
    """Pairs of leaves that represent the branches to merge, with their height, in no order."""
    apart = distances.astype(np.float64)
    np.fill_diagonal(apart, np.inf)
    weight = np.ones(len(apart))
    height = np.zeros(len(apart))
    is_open = np.ones(len(apart), dtype=bool)
    joined: list[Merge] = []
    chain: list[int] = []
    while len(joined) < len(apart) - 1:
        if not chain:
            chain.append(int(is_open.argmax()))
        nearest = int(apart[chain[-1]].argmin())
        if len(chain) > 1 and apart[chain[-1], nearest] == apart[chain[-1], chain[-2]]:
            one, other = chain.pop(), chain.pop()
            # A mean may round below the values it averages; a branch must not be below its parts.
            height[one] = max(apart[one, other], height[one], height[other])
            joined.append((one, other, float(height[one])))
            # From here on, ``one`` represents both, and ``other`` has no neighbours.
            total = weight[one] + weight[other]
            mean = (weight[one] * apart[one] + weight[other] * apart[other]) / total
            weight[one] = total
            apart[one], apart[:, one] = mean, mean
            apart[one, one] = np.inf
            apart[other], apart[:, other] = np.inf, np.inf
            is_open[other] = False
        else:
            chain.append(nearest)
    return joined


_SHOWN = 12  # rows and columns
_NAME_WIDTH = 24
# Whether numbers replace the names above the columns, and the number of cells of a name.
_NAMINGS = ((False, _NAME_WIDTH), (True, _NAME_WIDTH), (True, 12))
_HEADS = 60  # cells that the names above the columns of a notebook's table have
_SHADES = "░▒▓█"

MatrixValues = NDArray[np.float64]
ShownPlaces = list[int | None]  # of the displayed partitions; None represents omitted ones


def matrix_text(names: Sequence[str], index: Index, values: MatrixValues) -> str:
    """The name of the index and the values with two decimals, shaded, as many as 80 columns hold.

    >>> from concordant.indices.index import INDICES
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

    >>> from concordant.indices.index import INDICES
    >>> matrix_rows(["a", "b"], INDICES["adjusted_rand"], np.array([[1, 0.456], [0.456, 1]]))
    [['adjusted_rand', 'a'], ['b', '0.46']]
    """
    is_half = index.symmetric and len(names) > 1
    texts = [[two_decimals(value, index.perfect) for value in row] for row in values.tolist()]
    corner = index.name
    for (reference, candidate), found in (intervals or {}).items():
        ends = " to ".join(two_decimals(end, index.perfect) for end in (found.low, found.high))
        texts[names.index(reference)][names.index(candidate)] += f" ({ends if found.estimable else '—'})"
        corner = f"{index.name} ({found.confidence * 100:g}% interval)"
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
        return f'<td style="text-align:right{shade}">{two_decimals(float(values[i, j]), index.perfect)}</td>'

    # Long names do not fit above the columns, so the rows are numbered, and the columns have the numbers.
    labels = [_label(names, j) for j in columns]
    rows_of = [_label(names, i) for i in rows]
    if sum(map(cell_width, labels)) > _HEADS:
        labels = ["…" if j is None else str(j + 1) for j in columns]
        rows_of = ["…" if i is None else f"{i + 1} {_label(names, i, 12)}" for i in rows]
        if rows[0] != columns[0]:  # the first has no row of its own
            labels[0] = f"1 {_label(names, columns[0], 12)}"
    head = "".join(f'<th scope="col">{html.escape(label)}</th>' for label in labels)
    body = "".join(
        f'<tr><th scope="row" style="text-align:left">{html.escape(label)}</th>'
        + "".join(cell(i, j) for j in columns[:width])
        + "</tr>"
        for label, i, width in zip(rows_of, rows, _widths(index, columns), strict=True)
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
