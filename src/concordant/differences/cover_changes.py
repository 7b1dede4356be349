"""What became of the clusters of covers: kept, changed, split, merged, tangled, lost or new.

Clusters of the two sides that share records are linked, and linked clusters make up a block, as with
partitions. But one reference cluster against one candidate cluster is kept only if they are the same, and
changed otherwise; and a cluster that meets none of the other side is lost or new.

Where clusters overlap, a pair of records may be together several times, so a change costs memberships, not
pairs: those of its reference clusters that the nearest candidate cluster lacks are missed, those of its
candidate clusters that the nearest reference cluster lacks are wrong. The nearest has the largest F1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.counted import Names
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.overlaps import best_shares
from concordant.counts.spelling import counted, quoted
from concordant.counts.table import Table
from concordant.differences.changes import ChangesBy, Cluster
from concordant.differences.lazy_list import LazyList, check_limit, largest_of
from concordant.errors import ParameterError

CoverChangeKind = Literal["kept", "changed", "split", "merged", "tangled", "lost", "new"]
COVER_CHANGE_KINDS: tuple[CoverChangeKind, ...] = get_args(CoverChangeKind)


@dataclass(frozen=True, slots=True)
class SharedRecords:
    """The records that a reference cluster and a candidate cluster share."""

    reference: Any
    candidate: Any
    size: int
    reference_size: int
    candidate_size: int
    examples: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return (
            f"{self.size:,} of {self.reference_size:,} of reference {quoted(self.reference)} are in "
            f"candidate {quoted(self.candidate)} ({self.candidate_size:,})"
        )


@dataclass(frozen=True, slots=True)
class CoverChange:
    """A block of linked clusters and what happened in it; of many clusters only the largest are listed."""

    kind: CoverChangeKind
    reference: tuple[Cluster, ...]  # largest first; none where the cluster is new
    candidate: tuple[Cluster, ...]  # none where the cluster is lost
    overlaps: tuple[SharedRecords, ...]
    size: int  # records that lie in its clusters
    missed: int  # memberships of its reference clusters that the nearest candidate cluster lacks
    wrong: int  # memberships of its candidate clusters that the nearest reference cluster lacks
    references: int
    candidates: int
    cells: int

    @property
    def omitted(self) -> int:
        """How many overlaps are not listed."""
        return self.cells - len(self.overlaps)

    def __str__(self) -> str:
        sides = (self.reference, self.references), (self.candidate, self.candidates)
        verb = {"split": " into ", "merged": " into ", "tangled": " with "}.get(self.kind, " as ")
        return f"{self.kind} {verb.join(filter(None, map(_named, sides)))}{_cost(self.missed, self.wrong)}"


@dataclass(frozen=True, slots=True)
class CoverChangeSummary:
    """How many blocks of linked clusters have each kind, and what they cost in memberships."""

    counts: Mapping[CoverChangeKind, int]
    missed: int
    wrong: int

    def __str__(self) -> str:
        return ", ".join(f"{count:,} {kind}" for kind, count in self.counts.items()) + _cost(
            self.missed, self.wrong
        )


class CoverBlocks:
    """The blocks of two covers in numbers; those of clusters that meet nothing come last."""

    cells: Table
    row_nearest: NDArray[np.int64]
    column_nearest: NDArray[np.int64]
    of_row: NDArray[np.int64]
    of_column: NDArray[np.int64]
    count: int

    def __init__(self, counts: CoverCounts) -> None:
        self.cells = o = counts.table
        self._counts = counts
        met = np.unique(o.row), np.unique(o.column)
        row, column = np.searchsorted(met[0], o.row), np.searchsorted(met[1], o.column)
        union = o.a + o.b - o.n
        self.row_nearest = _spread(best_shares(row, o.n, union), met[0], counts.rows)
        self.column_nearest = _spread(best_shares(column, o.n, union), met[1], counts.columns)
        linked = core.blocks(row, column)
        self.of_row = _spread(linked[0], met[0], counts.rows)
        self.of_column = _spread(linked[1], met[1], counts.columns)
        self.count = int(linked[0].max(initial=-1)) + 1
        for of_cluster in (self.of_row, self.of_column):
            alone = np.flatnonzero(of_cluster < 0)
            of_cluster[alone] = self.count + np.arange(len(alone))
            self.count += len(alone)

    @cached_property
    def missed_of_rows(self) -> Integers:
        """Memberships of each reference cluster that the nearest candidate cluster lacks."""
        return _lacking(self.cells.row_sizes, self.row_nearest, self.cells.n)

    @cached_property
    def wrong_of_columns(self) -> Integers:
        """Memberships of each candidate cluster that the nearest reference cluster lacks."""
        return _lacking(self.cells.column_sizes, self.column_nearest, self.cells.n)

    @cached_property
    def missed(self) -> Integers:
        return sums_by(self.of_row, self.missed_of_rows, self.count)

    @cached_property
    def wrong(self) -> Integers:
        return sums_by(self.of_column, self.wrong_of_columns, self.count)

    @property
    def pairs(self) -> Integers:
        """What orders blocks by cost, whatever the cost is counted in."""
        return self.missed + self.wrong

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        return np.bincount(self.of_row, minlength=self.count)

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        return np.bincount(self.of_column, minlength=self.count)

    @cached_property
    def size(self) -> Integers:
        """Records that lie in the clusters of each block, each once."""
        counts, types = self._counts, max(len(self._counts.elements), 1)
        sides = (self.of_row, counts.reference), (self.of_column, counts.candidate)
        keys = [blocks[side.cluster] * types + side.type for blocks, side in sides]
        block, kind = np.divmod(np.unique(np.concatenate(keys)), types)
        return sums_by(block, counts.elements[kind], self.count)

    @cached_property
    def kind(self) -> NDArray[np.int64]:
        """The place of each block's kind among COVER_CHANGE_KINDS."""
        one_row, one_column = self.rows == 1, self.columns == 1
        cases = [one_row & one_column & (self.pairs == 0), one_row & one_column]
        cases += [self.columns == 0, self.rows == 0, one_row, one_column]
        places = [COVER_CHANGE_KINDS.index(kind) for kind in _IN_ORDER]
        return np.select(cases, places[:-1], places[-1])

    @property
    def counts(self) -> dict[CoverChangeKind, int]:
        found = np.bincount(self.kind, minlength=len(COVER_CHANGE_KINDS)).tolist()
        return dict(zip(COVER_CHANGE_KINDS, found, strict=True))

    @cached_property
    def rows_in(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return _largest_first(self.of_row, self.cells.row_sizes, self.count)

    @cached_property
    def columns_in(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return _largest_first(self.of_column, self.cells.column_sizes, self.count)

    @cached_property
    def cells_in(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return _largest_first(self.of_row[self.cells.row], self.cells.n, self.count)

    def summary(self) -> CoverChangeSummary:
        """The blocks counted."""
        return CoverChangeSummary(self.counts, int(self.missed.sum()), int(self.wrong.sum()))


# Which of the conditions above names which kind.
_IN_ORDER: tuple[CoverChangeKind, ...] = ("kept", "changed", "lost", "new", "split", "merged", "tangled")


class CoverChanges(LazyList[CoverChange]):
    """The blocks that matter most, and how many of each kind there are in all."""

    total_missed: int
    total_wrong: int

    def __init__(
        self, sums: CoverBlocks, blocks: NDArray[np.int64], total: int, names: Names, limits: tuple[int, int]
    ) -> None:
        super().__init__(len(blocks), total)
        self.counts: Mapping[CoverChangeKind, int] = sums.counts
        self.total_missed, self.total_wrong = int(sums.missed.sum()), int(sums.wrong.sum())
        self._sums, self._blocks, self._names_of = sums, blocks, names
        self._most, self._examples = limits

    def _make(self, start: int, stop: int) -> list[CoverChange]:
        blocks, o = self._blocks[start:stop].tolist(), self._sums.cells
        shown = [self._first(self._sums.cells_in, block) for block in blocks]
        flat = [cell for cells in shown for cell in cells]
        where = list(zip(o.row[flat].tolist(), o.column[flat].tolist(), strict=True)) if flat else []
        records = dict(zip(flat, self._names_of.examples(where, self._examples), strict=True))
        return [self._change(block, cells, records) for block, cells in zip(blocks, shown, strict=True)]

    def _change(self, block: int, cells: list[int], records: dict[int, tuple[Any, ...]]) -> CoverChange:
        sums, names, o = self._sums, self._names_of, self._sums.cells
        rows, columns = self._first(sums.rows_in, block), self._first(sums.columns_in, block)
        return CoverChange(
            kind=COVER_CHANGE_KINDS[int(sums.kind[block])],
            reference=tuple(Cluster(names.reference(i), int(o.row_sizes[i])) for i in rows),
            candidate=tuple(Cluster(names.candidate(j), int(o.column_sizes[j])) for j in columns),
            overlaps=tuple(self._overlap(cell, records[cell]) for cell in cells),
            size=int(sums.size[block]),
            missed=int(sums.missed[block]),
            wrong=int(sums.wrong[block]),
            references=int(sums.rows[block]),
            candidates=int(sums.columns[block]),
            cells=int(sums.cells_in[1][block + 1] - sums.cells_in[1][block]),
        )

    def _overlap(self, cell: int, examples: tuple[Any, ...]) -> SharedRecords:
        o, names = self._sums.cells, self._names_of
        row, column = int(o.row[cell]), int(o.column[cell])
        sizes = int(o.n[cell]), int(o.row_sizes[row]), int(o.column_sizes[column])
        return SharedRecords(names.reference(row), names.candidate(column), *sizes, examples)

    def _first(self, members: tuple[NDArray[np.int64], NDArray[np.int64]], block: int) -> list[int]:
        order, start = members
        first: list[int] = order[start[block] : min(start[block] + self._most, start[block + 1])].tolist()
        return first

    def _names(self) -> Sequence[str]:
        return (
            "kind", "reference", "candidate", "references", "candidates", "cells", "size", "missed", "wrong",
        )  # fmt: skip

    def _row(self, item: CoverChange) -> dict[str, Any]:
        """The largest cluster stands for its side; where there is none, None does."""
        row = {key: getattr(item, key) for key in self._names()}
        sides = {"reference": item.reference, "candidate": item.candidate}
        return row | {side: clusters[0].label if clusters else None for side, clusters in sides.items()}

    def _title(self) -> str:
        return ", ".join(f"{count:,} {kind}" for kind, count in self.counts.items())

    def __str__(self) -> str:
        lines = [self._title(), *(f"  {change}" for change in self[:20])]
        return "\n".join([*lines, *(f"  {line}" for line in self._rest())])


def cover_changes(
    counts: CoverCounts,
    names: Names,
    *,
    kind: str | None = None,
    limit: int | None = 20,
    by: ChangesBy = "pairs",
    overlaps: int = 50,
    examples: int = 3,
) -> CoverChanges:
    """The blocks of that kind with the most of what ``by`` says; "pairs" stands for the whole cost."""
    limit = check_limit(limit)
    if kind is not None and kind not in COVER_CHANGE_KINDS:
        kinds = ", ".join(map(repr, COVER_CHANGE_KINDS))
        raise ParameterError(f"kind={kind!r}: use {kinds}, or None for all")
    if by not in get_args(ChangesBy):
        raise ParameterError(f"by={by!r}: use {', '.join(map(repr, get_args(ChangesBy)))}")
    sums = CoverBlocks(counts)
    asked = np.arange(sums.count)
    if kind is not None:
        asked = np.flatnonzero(sums.kind == COVER_CHANGE_KINDS.index(kind))
    keys: Integers = getattr(sums, by)
    found = asked[largest_of(keys[asked], limit)]
    return CoverChanges(sums, found, len(asked), names, (overlaps, examples))


def _spread(values: NDArray[np.int64], met: NDArray[np.int64], total: int) -> NDArray[np.int64]:
    """The value of each cluster that meets another, and -1 for the others."""
    spread = np.full(total, -1, dtype=np.int64)
    spread[met] = values
    return spread


def _lacking(sizes: Integers, nearest: NDArray[np.int64], n: Integers) -> Integers:
    lacking = sizes.copy()
    met = nearest >= 0
    lacking[met] -= n[nearest[met]]
    return lacking


def _largest_first(
    group: NDArray[np.int64], sizes: Integers, groups: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The members of each group, largest first, and where each group starts among them."""
    order = np.lexsort((-sizes, group))
    return order, np.searchsorted(group[order], np.arange(groups + 1))


def _named(side: tuple[tuple[Cluster, ...], int]) -> str:
    clusters, count = side
    if count > 3:
        return f"{count:,} clusters ({', '.join(map(str, clusters[:2]))}, …)"
    return ", ".join(map(str, clusters))


def _cost(missed: int, wrong: int) -> str:
    both = ((missed, "missed"), (wrong, "wrong"))
    parts = [f"{counted(count, 'membership')} {word}" for count, word in both if count]
    return f"; {', '.join(parts)}" if parts else ""
