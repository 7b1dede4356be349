"""Picks the few clusters worth seeing out of millions, and puts them in an order that shows the diagonal.

Clusters to blame for the most missed and wrong pairs come first, with their largest pieces. Clusters that
are not picked are gathered as one, "other".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.names import Names
from concordant.counts.profile import Profile
from concordant.counts.spelling import printable
from concordant.differences.ranking import largest_of
from concordant.views.costs import Costs
from concordant.views.matches import Overlaps

_PIECES = 5  # of a costly cluster, in a picture that cannot show them all


@dataclass(frozen=True, slots=True)
class Node:
    """A cluster in a picture, or the gathered others."""

    label: Any
    size: int
    is_other: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Some clusters of both sides, in the order in which they are drawn, and their overlaps."""

    rows: tuple[Node, ...]
    columns: tuple[Node, ...]
    counts: Integers  # overlap of each row with each column
    matched: NDArray[np.bool_]  # the one overlap of a row and a column that counts as agreement
    gathered: tuple[int, int]  # how many clusters of each side are gathered as other
    unseen: int  # records whose clusters are gathered as other on both sides

    def is_stray(self, i: int, j: int) -> bool:
        """Whether an overlap is between two clusters that are not a match."""
        return not (self.matched[i, j] or self.rows[i].is_other or self.columns[j].is_other)


def pick(profile: Profile, names: Names, limit: int) -> Picture:
    """A picture of at most ``limit`` clusters a side: all, or the costliest with the rest gathered."""
    o = profile.view(Overlaps)
    a, b = o.row_sizes, o.column_sizes
    rows, columns = _chosen(profile, limit)
    counts, unseen = _crossed(o, rows, columns)
    inner = counts[:-1, :-1]
    matched = np.zeros(counts.shape, dtype=bool)
    matched[:-1, :-1] = _matched(inner)
    row_nodes = [Node(names.reference(row), int(a[row])) for row in rows]
    column_nodes = [Node(names.candidate(column), int(b[column])) for column in columns]
    row_order, column_order = _order(inner, matched[:-1, :-1], [node.label for node in row_nodes])
    if counts[-1].any():
        row_order.append(len(rows))
    if counts[:, -1].any():
        column_order.append(len(columns))
    places = np.ix_(row_order, column_order)
    gathered = (len(a) - len(rows), len(b) - len(columns))
    row_nodes.append(Node(None, int(a.sum()) - sum(node.size for node in row_nodes), is_other=True))
    column_nodes.append(Node(None, int(b.sum()) - sum(node.size for node in column_nodes), is_other=True))
    return Picture(
        tuple(row_nodes[row] for row in row_order),
        tuple(column_nodes[column] for column in column_order),
        counts[places],
        matched[places],
        gathered,
        unseen,
    )


def _chosen(profile: Profile, limit: int) -> tuple[list[int], list[int]]:
    """The costliest clusters of both sides, each with its largest pieces; if room is left, the largest."""
    o = profile.view(Overlaps)
    if (
        len(o.row_sizes) <= limit + 1 and len(o.column_sizes) <= limit + 1
    ):  # a single one need not be gathered
        return list(range(len(o.row_sizes))), list(range(len(o.column_sizes)))
    chosen: tuple[dict[int, None], dict[int, None]] = ({}, {})
    for cell in _cells_in_order(o, profile.view(Costs), limit):
        ends = (int(o.row[cell]), int(o.column[cell]))
        if all(len({**side, end: None}) <= limit for side, end in zip(chosen, ends, strict=True)):
            for side, end in zip(chosen, ends, strict=True):
                side[end] = None
    return list(chosen[0]), list(chosen[1])


def _cells_in_order(o: Overlaps, costs: Costs, limit: int) -> Iterator[int]:
    """The overlaps worth seeing, the most telling first."""
    rows = len(o.row_sizes)
    for cluster in largest(np.concatenate([costs.missed_of_rows, costs.wrong_of_columns]), limit):
        if cluster < rows:
            first, last = np.searchsorted(o.row, [cluster, cluster + 1])
            its_cells = np.arange(first, last)
        else:
            its_cells = np.flatnonzero(o.column == cluster - rows)
        yield from its_cells[largest(o.n[its_cells], _PIECES)].tolist()
    yield from largest(o.n, limit)


def largest(worth: Integers, count: int) -> list[int]:
    """The places of the largest positive values, largest first."""
    positive = np.flatnonzero(worth > 0)
    return [int(place) for place in positive[largest_of(worth[positive], count)]]


def _crossed(o: Overlaps, rows: list[int], columns: list[int]) -> tuple[Integers, int]:
    """The overlaps of the chosen clusters, with one row and one column more for all the others."""
    row_place = np.full(len(o.row_sizes), len(rows))
    row_place[rows] = np.arange(len(rows))
    column_place = np.full(len(o.column_sizes), len(columns))
    column_place[columns] = np.arange(len(columns))
    shape = (len(rows) + 1, len(columns) + 1)
    flat = row_place[o.row] * shape[1] + column_place[o.column]
    counts = np.zeros(shape[0] * shape[1], dtype=o.n.dtype)
    summed = sums_by(flat, o.n)
    counts[: len(summed)] = summed
    counts = counts.reshape(shape)
    unseen = int(counts[-1, -1])
    counts[-1, -1] = 0
    return counts, unseen


def _matched(counts: Integers) -> NDArray[np.bool_]:
    """The largest overlap, then the largest of the rows and columns that are left, and so on."""
    matched = np.zeros(counts.shape, dtype=bool)
    rows, columns = set(), set()
    for cell in largest(counts.ravel(), counts.size):
        row, column = divmod(cell, counts.shape[1])
        if row not in rows and column not in columns:
            matched[row, column] = True
            rows.add(row)
            columns.add(column)
    return matched


def _order(counts: Integers, matched: NDArray[np.bool_], labels: list[Any]) -> tuple[list[int], list[int]]:
    """Rows by their numbers where all have one, else by likeness; each column beside its match."""
    shares = counts.astype(float)
    rows = _by_number(labels) or _by_likeness(shares)
    place = np.empty(len(rows))
    place[rows] = np.arange(len(rows))
    centre = (shares * place[:, None]).sum(axis=0) / np.maximum(shares.sum(axis=0), 1)
    partner = np.where(matched.any(axis=0), place[matched.argmax(axis=0)] if len(rows) else 0.0, np.inf)
    beside = np.where(np.isinf(partner), centre, partner)
    return rows, np.lexsort((centre, beside)).tolist()


def _by_number(labels: list[Any]) -> list[int] | None:
    """People look for 7 between 6 and 8."""
    try:
        numbers = [float(printable(label)) for label in labels]
    except ValueError:
        return None
    return _ascending(np.array(numbers))


def _by_likeness(shares: NDArray[np.float64]) -> list[int]:
    """Linked rows side by side, the largest block first."""
    blocks = sorted(_blocks(shares > 0), key=lambda rows: -shares[rows].sum())
    return [rows[place] for rows in blocks for place in _along_the_diagonal(shares[rows])]


def _blocks(linked: NDArray[np.bool_]) -> list[list[int]]:
    """The rows that hang together by shared columns."""
    left, blocks = set(range(len(linked))), []
    while left:
        rows = {min(left)}
        while True:
            columns = linked[sorted(rows)].any(axis=0)
            grown = {row for row in left if (linked[row] & columns).any()} | rows
            if grown == rows:
                break
            rows = grown
        blocks.append(sorted(rows))
        left -= rows
    return blocks


def _along_the_diagonal(shares: NDArray[np.float64]) -> list[int]:
    """Correspondence analysis: rows that share columns come to stand side by side."""
    shares = shares[:, shares.sum(axis=0) > 0]
    heights, widths = shares.sum(axis=1), shares.sum(axis=0)
    if min(shares.shape) < 3:
        return _ascending(-heights)
    expected = np.outer(heights, widths) / shares.sum()
    left, _, _ = np.linalg.svd((shares - expected) / np.sqrt(expected))
    order = _ascending(np.round(left[:, 0] / np.sqrt(heights), 12))
    return order if heights[order[0]] >= heights[order[-1]] else order[::-1]


def _ascending(values: NDArray[np.float64]) -> list[int]:
    return [int(place) for place in np.argsort(values, kind="stable")]
