"""Single edits of the candidate that could help, and what each would change.

Merging two clusters can only help if a reference cluster has records in both. A split takes all records of
one reference cluster out of a candidate cluster, and a move takes one of them, the heaviest if they have
weights, to another candidate cluster that has records of it. The effect of an edit depends only on the
clusters it touches, so edits with the same effect are valued once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers
from concordant.counts.overlaps import Differing
from concordant.engines.live.profile import LiveCells

EditKind = Literal["merge", "split", "move"]
KINDS: tuple[EditKind, ...] = ("merge", "split", "move")

Numbers = NDArray[np.int64]
Values = NDArray[np.float64]
OutsideMasks = tuple[NDArray[np.bool_], NDArray[np.bool_]]  # rows and columns that are not clusters
CellArrays = tuple[Numbers, Numbers, Values]  # overlaps: the row, the column and the size of each
Found = tuple[int, int, int, int]  # an edit: a place in KINDS, the row, one column, another

# With more pairs of overlaps than this, long rows only use pairs with one of their largest overlaps.
_MOST_PAIRS = 20_000_000
_FEWEST_CELLS = 64


@dataclass(frozen=True, slots=True)
class SingleEdits:
    """Edits as columns: which kind, the reference cluster, two candidate clusters, and what changes."""

    kind: Numbers  # a place in KINDS
    row: Numbers
    one: Numbers  # the cluster to be merged with, split, or moved from
    other: Numbers  # the cluster to be merged, or moved to; -1 for a split
    changes: dict[str, Values]

    def __len__(self) -> int:
        return len(self.kind)

    def chosen(self, which: Any) -> SingleEdits:
        """Some of them."""
        changes = {name: each[which] for name, each in self.changes.items()}
        return SingleEdits(self.kind[which], self.row[which], self.one[which], self.other[which], changes)

    @classmethod
    def joined(cls, parts: list[SingleEdits]) -> SingleEdits:
        """All of them in one."""
        kind, row, one, other = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("kind", "row", "one", "other")
        )
        names = parts[0].changes
        changes = {name: np.concatenate([part.changes[name] for part in parts]) for name in names}
        return cls(kind, row, one, other, changes)


# Σ n², Σ b², Σ n²/a, Σ n²/b, Σ n log n, Σ b log b, overlaps, candidate clusters, clusters of both sides.
CHANGES = ("nn", "bb", "over_a", "over_b", "logs", "logs_b", "cells", "columns", "kept")
ALWAYS_NEEDED = ("nn", "bb", "columns")  # whether partitions become identical, or one cluster

Makers = dict[str, Callable[[], Values]]  # how each change is computed, if an index reads it


@dataclass(frozen=True, slots=True)
class ClusterLookup:
    """Properties of clusters by their numbers, many at a time."""

    row_size: Callable[[Numbers], Values]
    row_length: Callable[[Numbers], Numbers]
    size: Callable[[Numbers], Values]
    squares: Callable[[Numbers], Values]
    length: Callable[[Numbers], Numbers]
    rows_in: Callable[[Numbers], Numbers]  # the sum of the numbers of the rows that a column overlaps

    @classmethod
    def now(cls, cells: LiveCells) -> ClusterLookup:
        """The clusters as they are now: dictionaries, so for a few of them."""
        rows, columns = cells.rows_columns

        def each(value: Callable[[int], int], kind: type) -> Callable[[Numbers], Any]:
            return lambda clusters: np.array([value(cluster) for cluster in clusters.tolist()], dtype=kind)

        return cls(
            row_size=each(rows.size, np.float64),
            row_length=each(rows.length, np.int64),
            size=each(columns.size, np.float64),
            squares=each(lambda column: sum(n * n for n in columns.seen(column).values()), np.float64),
            length=each(columns.length, np.int64),
            rows_in=each(lambda column: sum(columns.seen(column)), np.int64),
        )


@dataclass(frozen=True, slots=True)
class CellPairs:
    """Pairs of overlaps of one row: the row, two columns, the sizes of both, and of the record to move."""

    row: Numbers
    one: Numbers
    other: Numbers
    n: Values
    n_other: Values
    step: Values
    step_other: Values

    def chosen(self, which: Numbers) -> CellPairs:
        """Some of them, or all in another order."""
        clusters = (self.row[which], self.one[which], self.other[which])
        return CellPairs(
            *clusters, self.n[which], self.n_other[which], self.step[which], self.step_other[which]
        )


class _EditsOfKind(NamedTuple):
    """Edits of one kind, in order; those with the same number have the same effect."""

    kind: EditKind
    one: Numbers  # the position of the overlap that is split off or moved from, or of one to be merged
    other: Numbers  # of the other overlap of the same row; for a split of the same one
    number: Numbers
    first: Numbers  # of each number, the position of the first edit


class FirstEdits:
    """All edits before anything was changed.

    Thousands of edits are about clusters of the same sizes, so their effect is computed once. Those with the
    same changes in ``read`` form a group. Only clusters that differ are edited, not noise.
    """

    def __init__(
        self,
        clusters: Differing,
        kinds: Collection[EditKind],
        outside: OutsideMasks,
        read: Collection[str],
        heaviest: Values | None = None,
    ) -> None:
        """``heaviest`` is the weight of the record to move of each overlap; without weights it is 1."""
        table, self._clusters, self._needed = clusters.profile.table, clusters, {*read, *ALWAYS_NEEDED}
        row, column, n = table.row, table.column, table.n.astype(np.float64)
        order, start = table.by_column
        row_length, length = np.bincount(row), np.diff(start)
        two = np.flatnonzero(length == 2)
        upper, lower = order[start[two]], order[start[two] + 1]
        rows_in = np.zeros(len(length), dtype=np.int64)  # read for columns with two overlaps
        rows_in[two] = row[upper] + row[lower]
        row_size, size = (_codes(sizes) for sizes in (table.row_sizes, table.column_sizes))
        step = np.ones(len(n)) if heaviest is None else heaviest[clusters.cells]
        squares = np.add.reduceat((n * n)[order], start[:-1])
        self._sizes = table.column_sizes.astype(np.float64)
        arrays = table.row_sizes.astype(np.float64), row_length, self._sizes, squares, length, rows_in
        self._lookup = ClusterLookup(*(array.__getitem__ for array in arrays))
        # The effect of an edit depends only on the numbers of its overlaps.
        of_row, _ = _numbered(4 * row_size + np.minimum(row_length, 3))
        of_column, columns = _numbered(4 * size + np.minimum(length, 3), squares)
        signed = n.copy()  # negative if a split leaves all of another row
        for here, there in ((upper, lower), (lower, upper)):
            signed[here[row_length[row[there]] == 1]] *= -1
        of_cell = [] if heaviest is None else [step]
        self._number, first = _numbered(of_row[row] * len(columns) + of_column[column], signed, *of_cell)
        if outside[1].any():
            kept = np.flatnonzero(~outside[1][clusters.columns][column])
            row, column, n, self._number = row[kept], column[kept], n[kept], self._number[kept]
            step = step[kept]
        self._cells, self._length, self._outside = (row, column, n), length[column], outside[0][clusters.rows]
        self._step = step
        self._one, self._other, self.is_complete = _cell_pairs(row if {*kinds} != {"split"} else row[:0], n)
        is_outside = self._outside[row[self._one]]
        self._inside = int((~is_outside).sum())  # how many pairs are in rows that are clusters
        if is_outside.any():  # those come first
            by_row = np.argsort(is_outside, kind="stable")
            self._one, self._other = self._one[by_row], self._other[by_row]
        self._key = self._number[self._one] * len(first) + self._number[self._other]
        self._key = 2 * self._key + (column[self._one] < column[self._other])
        makers = {"merge": self._merges, "split": self._splits, "move": self._moves}
        made = [makers[kind]() for kind in kinds]
        self._parts = [part for parts, _ in made for part in parts]
        changes = SingleEdits.joined([examples for _, examples in made]).changes
        self._group, first = _numbered(*(changes[name] + 0.0 for name in read))  # turns -0.0 into 0.0
        self._places: dict[int, list[Numbers]] = {}  # of the edits of a group, part by part
        self.changes = {name: each[first] for name, each in changes.items()}

    def __len__(self) -> int:
        return sum(len(part.number) for part in self._parts)

    def members(self, group: int) -> Iterator[Found]:
        """The edits of a group, in order."""
        if group not in self._places:
            ends = np.cumsum([len(part.first) for part in self._parts])[:-1]
            chosen = zip(np.split(self._group == group, ends), self._parts, strict=True)
            self._places[group] = [np.flatnonzero(here.any() and here[part.number]) for here, part in chosen]
        (of_row, of_column, _), sizes, rows = self._cells, self._sizes, self._clusters.rows
        columns = self._clusters.columns
        for part, places in zip(self._parts, self._places[group], strict=True):
            for place in places:
                one, other = of_column[part.one[place]], of_column[part.other[place]]
                if part.kind == "merge" and (sizes[one], -one) < (sizes[other], -other):
                    one, other = other, one  # the larger cluster keeps its name
                row, into = of_row[part.one[place]], -1 if part.kind == "split" else int(columns[other])
                yield KINDS.index(part.kind), int(rows[row]), int(columns[one]), into

    def _merges(self) -> tuple[list[_EditsOfKind], SingleEdits]:
        """A pair of columns is one merge, even if they share several rows; then it is unlike any other."""
        column, one, other, key = self._cells[1], self._one, self._other, self._key.copy()
        shared = np.flatnonzero((self._length[one] > 1) & (self._length[other] > 1))
        ends = np.sort([column[one[shared]], column[other[shared]]], axis=0)
        pair = core.factorize(ends[0] * len(self._sizes) + ends[1])[0]
        again = np.bincount(pair)[pair] > 1
        shared, first = shared[again], core.factorize(pair[again])[1]
        key[shared[first]] = -1 - np.arange(len(first))
        which = np.setdiff1d(np.arange(self._inside), np.delete(shared, first), assume_unique=True)
        part = _EditsOfKind("merge", one[which], other[which], *core.factorize(key[which]))
        examples = self._pairs(np.union1d(which[part.first], shared))
        edits = _merges(examples, self._lookup, self._outside, self._needed)
        return [part], edits.chosen(~self._outside[edits.row])

    def _splits(self) -> tuple[list[_EditsOfKind], SingleEdits]:
        row, column, n = self._cells
        which = _split_cells(self._cells, self._length, self._lookup)
        which = which[~self._outside[row[which]]]
        part = _EditsOfKind("split", which, which, *core.factorize(self._number[which]))
        first = which[part.first]
        return [part], _splits((row[first], column[first], n[first]), self._lookup, self._needed)

    def _moves(self) -> tuple[list[_EditsOfKind], SingleEdits]:
        one, other, key = (each[: self._inside] for each in (self._one, self._other, self._key))
        part = _EditsOfKind("move", one, other, *core.factorize(key))
        examples = _moves(self._pairs(part.first), self._lookup, self._needed)
        return [part, part._replace(one=other, other=one)], examples

    def _pairs(self, which: Numbers) -> CellPairs:
        (row, column, n), one, other = self._cells, self._one[which], self._other[which]
        step = self._step
        return CellPairs(row[one], column[one], column[other], n[one], n[other], step[one], step[other])


def _codes(sizes: Integers) -> Numbers:
    """Numbers that are equal where the sizes are."""
    return sizes if sizes.dtype == np.int64 else _numbered(sizes.astype(np.float64))[0]


def _numbered(*columns: NDArray[Any]) -> tuple[Numbers, Numbers]:
    """A number for each position, the same where all columns have the same bits; the first one of each."""
    number, first = core.factorize(columns[0].view(np.int64))
    for each in columns[1:]:
        code, codes = core.factorize(each.view(np.int64))
        number, first = core.factorize(number * len(codes) + code)
    return number, first


def _cell_pairs(row: Numbers, n: Values) -> tuple[Numbers, Numbers, bool]:
    """All pairs of overlaps of each row; for rows with very many, only pairs with one of the largest."""
    length = np.bincount(row)
    start = np.cumsum(length) - length
    complete = int((length * (length - 1) // 2).sum()) <= _MOST_PAIRS
    first, second = [length[:0]], [length[:0]]
    for size in (2 + np.flatnonzero(np.bincount(length)[2:])).tolist():
        begin = start[np.flatnonzero(length == size)]
        if complete or size <= _FEWEST_CELLS:
            i, j = np.triu_indices(size, 1)
            first.append((begin[:, None] + i).ravel())
            second.append((begin[:, None] + j).ravel())
            continue
        for each in begin.tolist():
            order = each + np.argsort(-n[each : each + size], kind="stable")
            for place in range(_FEWEST_CELLS):
                first.append(np.full(size - place - 1, order[place]))
                second.append(order[place + 1 :])
    return np.concatenate(first), np.concatenate(second), complete


def edits_near(
    state: LiveCells,
    columns: set[int],
    kinds: Iterable[EditKind],
    outside: OutsideMasks,
    needed: Collection[str],
    *,
    complete: bool,
) -> SingleEdits:
    """The edits that involve one of these candidate clusters, in the current state."""
    rows, candidate = state.rows_columns
    not_clusters = set(np.flatnonzero(outside[1]).tolist())
    cells: list[tuple[int, int, int]] = []
    pairs: list[tuple[int, int, int, int, int]] = []
    for column in columns:
        for row, n in candidate.seen(column).items():
            cells.append((row, column, n))
            across = rows.seen(row)
            largest = sorted(across.items(), key=lambda each: -each[1])
            pairs += [
                (row, column, other, n, m)
                for other, m in (largest if complete else largest[:_FEWEST_CELLS])
                if other != column and other not in not_clusters and (other not in columns or column < other)
            ]
    row_of, column_of, sizes = _columns_of(cells, 2, 3)
    row, v, w, n, m = _columns_of(pairs, 3, 5)
    one, lookup = np.ones(len(pairs)), ClusterLookup.now(state)
    found = CellPairs(row, v, w, n, m, one, one)
    chosen = _split_cells((row_of, column_of, sizes), lookup.length(column_of), lookup)
    makers = {
        "merge": lambda: _merges(found, lookup, outside[0], needed),
        "split": lambda: _splits((row_of[chosen], column_of[chosen], sizes[chosen]), lookup, needed),
        "move": lambda: _moves(found, lookup, needed),
    }
    edits = SingleEdits.joined([makers[kind]() for kind in kinds])
    return edits.chosen(~outside[0][edits.row]) if outside[0].any() else edits


def _columns_of(entries: list[Any], integers: int, width: int) -> list[Any]:
    table = np.array(entries, dtype=np.float64).reshape(len(entries), width)
    return [table[:, i].astype(np.int64) if i < integers else table[:, i] for i in range(width)]


def _merges(
    pairs: CellPairs, lookup: ClusterLookup, outside: NDArray[np.bool_], needed: Collection[str]
) -> SingleEdits:
    """Pairs of columns; shared counts are added up over the rows. A row that is a cluster comes first."""
    if outside.any():
        pairs = pairs.chosen(np.argsort(outside[pairs.row], kind="stable"))
    low, high = np.minimum(pairs.one, pairs.other), np.maximum(pairs.one, pairs.other)
    code, first = core.factorize(low * (int(high.max(initial=0)) + 1) + high)
    count = len(first)

    def added(values: Values) -> Values:
        return np.bincount(code, weights=values, minlength=count).astype(np.float64)

    product = 2 * pairs.n * pairs.n_other
    v, w, row = low[first], high[first], pairs.row[first]
    b, c, shared = lookup.size(v), lookup.size(w), added(product)

    def over_b() -> Values:
        cv, cw = lookup.squares(v), lookup.squares(w)
        return (cv + cw + shared) / (b + c) - cv / b - cw / c

    def kept() -> Values:
        alone = (lookup.length(v) == 1) & (lookup.length(w) == 1) & (lookup.row_length(row) == 2)
        return np.asarray(alone, dtype=np.float64)

    changes: Makers = {
        "nn": lambda: shared,
        "bb": lambda: 2 * b * c,
        "over_a": lambda: added(product / lookup.row_size(pairs.row)),
        "over_b": over_b,
        "logs": lambda: added(_xlogx(pairs.n + pairs.n_other) - _xlogx(pairs.n) - _xlogx(pairs.n_other)),
        "logs_b": lambda: _xlogx(b + c) - _xlogx(b) - _xlogx(c),
        "cells": lambda: -added(np.ones(len(product))),
        "columns": lambda: -np.ones(count),
        "kept": kept,
    }
    larger = b >= c  # the larger cluster keeps its name
    one, other = np.where(larger, v, w), np.where(larger, w, v)
    return SingleEdits(np.zeros(count, dtype=np.int64), row, one, other, _made(changes, needed))


def _split_cells(cells: CellArrays, length: Numbers, lookup: ClusterLookup) -> Numbers:
    """The positions of the overlaps to split off: those of columns with several, which ``length`` counts.

    Of two rows, the smaller is split off, or the first if they are equal: the result is the same.
    """
    several = np.flatnonzero(length > 1)
    row, column, n = cells[0][several], cells[1][several], cells[2][several]
    b, two = lookup.size(column), length[several] == 2
    stays, equal = two & (2 * n > b), np.flatnonzero(two & (2 * n == b))
    stays[equal] = 2 * row[equal] > lookup.rows_in(column[equal])
    return np.asarray(several[~stays])


def _splits(cells: CellArrays, lookup: ClusterLookup, needed: Collection[str]) -> SingleEdits:
    row, column, n = cells
    b, two = lookup.size(column), lookup.length(column) == 2

    def nothing() -> Values:
        return np.zeros(len(row))

    def over_b() -> Values:
        squares = lookup.squares(column)
        return (squares - n * n) / (b - n) + n - squares / b

    def kept() -> Values:
        alone = np.asarray(lookup.row_length(row) == 1, dtype=np.float64)
        alone[two] += lookup.row_length(lookup.rows_in(column[two]) - row[two]) == 1  # the row that stays
        return alone

    changes: Makers = {
        "nn": nothing,
        "bb": lambda: -2 * n * (b - n),
        "over_a": nothing,
        "over_b": over_b,
        "logs": nothing,
        "logs_b": lambda: _xlogx(b - n) + _xlogx(n) - _xlogx(b),
        "cells": nothing,
        "columns": lambda: np.ones(len(row)),
        "kept": kept,
    }
    nobody = np.full(len(row), -1, dtype=np.int64)
    return SingleEdits(np.ones(len(row), dtype=np.int64), row, column, nobody, _made(changes, needed))


def _moves(pairs: CellPairs, lookup: ClusterLookup, needed: Collection[str]) -> SingleEdits:
    """One record of a row from one column to another, and in the opposite direction; s is its size."""
    row = np.concatenate([pairs.row, pairs.row])
    v, w = np.concatenate([pairs.one, pairs.other]), np.concatenate([pairs.other, pairs.one])
    n, m = np.concatenate([pairs.n, pairs.n_other]), np.concatenate([pairs.n_other, pairs.n])
    b, c, s = lookup.size(v), lookup.size(w), np.concatenate([pairs.step, pairs.step_other])
    nn = 2 * s * (m - n + s)

    def over_b() -> Values:
        cv, cw = lookup.squares(v), lookup.squares(w)
        left = np.where(b > s, (cv - 2 * s * n + s * s) / np.maximum(b - s, 1), 0.0)
        moved: Values = left + (cw + 2 * s * m + s * s) / (c + s) - cv / b - cw / c
        return moved

    def kept() -> Values:
        """If the last record of an overlap moves, its row or the rest of its column may become exact."""
        alone, last = np.zeros(len(row)), n == s
        alone[last] += (lookup.row_length(row[last]) == 2) & (lookup.length(w[last]) == 1)
        two = last.copy()
        two[last] = lookup.length(v[last]) == 2
        alone[two] += lookup.row_length(lookup.rows_in(v[two]) - row[two]) == 1
        return alone

    changes: Makers = {
        "nn": lambda: nn,
        "bb": lambda: 2 * s * (c - b + s),
        "over_a": lambda: nn / lookup.row_size(row),
        "over_b": over_b,
        "logs": lambda: _xlogx(n - s) + _xlogx(m + s) - _xlogx(n) - _xlogx(m),
        "logs_b": lambda: _xlogx(b - s) + _xlogx(c + s) - _xlogx(b) - _xlogx(c),
        "cells": lambda: -(n == s).astype(np.float64),
        "columns": lambda: -(b == s).astype(np.float64),
        "kept": kept,
    }
    return SingleEdits(np.full(len(row), 2, dtype=np.int64), row, v, w, _made(changes, needed))


def _made(changes: Makers, needed: Collection[str]) -> dict[str, Values]:
    return {name: make() for name, make in changes.items() if name in needed}


def _xlogx(x: Values) -> Values:
    return x * np.log(np.maximum(x, 1.0))
