"""All single edits before anything was changed, numbered by what they change.

Most clusters are small, so thousands of edits are about clusters of the same sizes. What they change is
computed once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers
from concordant.counts.overlaps import Differing
from concordant.differences.single_edits import (
    FEWEST_CELLS,
    KINDS,
    CellPairs,
    Cells,
    ClusterLookup,
    EditKind,
    Found,
    Numbers,
    OutsideMasks,
    SingleEdits,
    Values,
    merges,
    moves,
    split_cells,
    splits,
)
from concordant.engines.live.lines import ByColumn

# With more pairs of overlaps than this, long rows only use pairs with one of their largest overlaps.
_MOST_PAIRS = 20_000_000


@dataclass(frozen=True, slots=True)
class _Part:
    """Edits of one kind, in order."""

    kind: EditKind
    one: Numbers  # the position of the overlap that is split off or moved from, or of one to be merged
    other: Numbers  # of the other overlap of the same row; for a split of the same one
    number: Numbers  # edits with the same number change the same
    first: Numbers  # of each number, the position of the first edit


class FirstEdits:
    """All edits of some kinds before anything was changed.

    Only clusters that differ are edited, and not the rows and columns of ``outside``, which are not clusters.
    ``needed`` are the changes to compute.
    """

    changes: dict[str, Values]  # of one edit of each number
    is_complete: bool  # whether no merges and moves were left out

    def __init__(
        self,
        clusters: Differing,
        kinds: Collection[EditKind],
        outside: OutsideMasks,
        needed: Collection[str],
    ) -> None:
        table, self._clusters, self._needed = clusters.profile.table, clusters, needed
        row, column, n = table.row, table.column, table.n.astype(np.float64)
        sizes = [each.astype(np.float64) for each in (table.row_sizes, table.column_sizes)]
        columns = clusters.profile.view(ByColumn)
        squares = np.add.reduceat((n * n)[columns.order], columns.start[:-1])
        rows_in = np.bincount(column, row).astype(np.int64)
        arrays = sizes[0], np.bincount(row), sizes[1], squares, np.diff(columns.start), rows_in
        self._lookup = ClusterLookup(*(array.__getitem__ for array in arrays))
        self._outside = outside[0][clusters.rows]
        if outside[1].any():
            kept = np.flatnonzero(~outside[1][clusters.columns][column])
            row, column, n = row[kept], column[kept], n[kept]
        self._cells, self._length = (row, column, n), arrays[4][column]
        self._alike = _alike_cells(self._cells, self._length, arrays)
        self.is_complete = True
        if {"merge", "move"} & set(kinds):
            self._one, self._other, self.is_complete = _cell_pairs(np.bincount(row), n)
            is_outside = self._outside[row[self._one]]
            self._inside = int((~is_outside).sum())  # how many pairs are in rows that are clusters
            if is_outside.any():
                order = np.argsort(is_outside, kind="stable")  # those come first
                self._one, self._other = self._one[order], self._other[order]
        makers = {"merge": self._merges, "split": self._splits, "move": self._moves}
        made = [makers[kind]() for kind in kinds]
        self._parts = [part for parts, _ in made for part in parts]
        self.changes = SingleEdits.joined([examples for _, examples in made]).changes

    def __len__(self) -> int:
        return sum(len(part.number) for part in self._parts)

    def members(self, is_chosen: NDArray[np.bool_]) -> Iterator[Found]:
        """The edits of these numbers, in order."""
        sizes, start = self._clusters.profile.table.column_sizes, 0
        rows, columns = self._clusters.rows, self._clusters.columns
        of_row, of_column, _ = self._cells
        for part in self._parts:
            here = is_chosen[start : start + len(part.first)]
            start += len(part.first)
            for place in np.flatnonzero(here[part.number]) if here.any() else ():
                row, one = of_row[part.one[place]], of_column[part.one[place]]
                other = of_column[part.other[place]]
                if part.kind == "merge" and (sizes[one], -one) < (sizes[other], -other):
                    one, other = other, one  # the larger cluster keeps its name
                into = -1 if part.kind == "split" else int(columns[other])
                yield KINDS.index(part.kind), int(rows[row]), int(columns[one]), into

    def _merges(self) -> tuple[list[_Part], SingleEdits]:
        """A pair of columns is one merge, even if they share several rows; then it is unlike any other."""
        column, one, other, key = self._cells[1], self._one, self._other, self._keys.copy()
        several = self._length > 1
        shared = np.flatnonzero(several[one] & several[other])
        ends = np.sort([column[one[shared]], column[other[shared]]], axis=0)
        pair, first = core.factorize(ends[0] * len(self._clusters.columns) + ends[1])
        again = (np.bincount(pair, minlength=len(first)) > 1)[pair]
        shared, first = shared[again], core.factorize(pair[again])[1]
        is_merge = np.arange(len(key)) < self._inside
        is_merge[np.delete(shared, first)] = False
        key[shared[first]] = -1 - np.arange(len(first))
        which = np.flatnonzero(is_merge)
        part = _Part("merge", one[which], other[which], *core.factorize(key[which]))
        examples = self._pairs(np.union1d(which[part.first], shared))
        edits = merges(examples, self._lookup, self._outside, self._needed)
        return [part], edits.chosen(~self._outside[edits.row])

    def _splits(self) -> tuple[list[_Part], SingleEdits]:
        row, column, n = self._cells
        chosen = split_cells(self._cells, self._length, self._lookup)
        chosen = chosen[~self._outside[row[chosen]]]
        part = _Part("split", chosen, chosen, *core.factorize(self._alike[chosen]))
        where = chosen[part.first]
        return [part], splits((row[where], column[where], n[where]), self._lookup, self._needed)

    def _moves(self) -> tuple[list[_Part], SingleEdits]:
        """Moves from one overlap to another, and in the opposite direction."""
        one, other, key = (each[: self._inside] for each in (self._one, self._other, self._keys))
        part = _Part("move", one, other, *core.factorize(key))
        examples = moves(self._pairs(part.first), self._lookup, self._needed)
        return [part, replace(part, one=other, other=one)], examples

    @cached_property
    def _keys(self) -> Numbers:
        """A key of each pair of overlaps; equal if both are alike and their columns have the same order."""
        column, alike = self._cells[1], self._alike
        key = alike[self._one] * (int(alike.max(initial=0)) + 1) + alike[self._other]
        return 2 * key + (column[self._one] < column[self._other])

    def _pairs(self, which: Numbers) -> CellPairs:
        (row, column, n), one, other = self._cells, self._one[which], self._other[which]
        return CellPairs(row[one], column[one], column[other], n[one], n[other])


def _cell_pairs(length: Numbers, n: Values) -> tuple[Numbers, Numbers, bool]:
    """All pairs of overlaps of each row; for rows with very many, only pairs with one of the largest."""
    start = np.cumsum(length) - length
    complete = int((length * (length - 1) // 2).sum()) <= _MOST_PAIRS
    first, second = [_NOBODY], [_NOBODY]
    for size in (2 + np.flatnonzero(np.bincount(length)[2:])).tolist():
        begin = start[np.flatnonzero(length == size)]
        if complete or size <= FEWEST_CELLS:
            i, j = np.triu_indices(size, 1)
            first.append((begin[:, None] + i).ravel())
            second.append((begin[:, None] + j).ravel())
            continue
        for each in begin.tolist():
            order = each + np.argsort(-n[each : each + size], kind="stable")
            for place in range(FEWEST_CELLS):
                first.append(np.full(size - place - 1, order[place]))
                second.append(order[place + 1 :])
    return np.concatenate(first), np.concatenate(second), complete


def _alike_cells(cells: Cells, length: Numbers, arrays: Sequence[Integers]) -> Numbers:
    """A number for each overlap; splits of overlaps with the same number change the same, and so do moves.

    ``length`` is that of the column of each overlap.
    """
    row, column, n = cells
    row_size, row_length, size, squares, lengths, rows_in = arrays
    of_row = alike_keys(row_size, np.minimum(row_length, 3))
    of_column = core.factorize(alike_keys(size, squares, np.minimum(lengths, 3)))[0]
    two = np.flatnonzero(length == 2)
    leaves_exact = np.zeros(len(row), dtype=np.int64)  # whether a split leaves all of another row
    leaves_exact[two] = row_length[rows_in[column[two]] - row[two]] == 1
    return core.factorize(alike_keys(of_row[row], of_column[column], n, leaves_exact))[0]


def alike_keys(*columns: NDArray[Any]) -> Numbers:
    """A key for each position, equal where all columns are equal; zeros must have the same sign."""
    key, bound = np.zeros(len(columns[0]), dtype=np.int64), 1
    for each in columns:
        top = int(each.max(initial=0)) + 1
        is_small = each.min(initial=0) >= 0 and bound * top < 2**62
        if not is_small or not ((number := each.astype(np.int64)) == each).all():
            (key, first), (number, others) = core.factorize(key), core.factorize(each.view(np.int64))
            bound, top = len(first), len(others)
        key, bound = key * top + number, bound * top
    return key


_NOBODY = np.empty(0, dtype=np.int64)
