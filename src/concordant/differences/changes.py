"""What became of the clusters: kept, split, merged or tangled.

Clusters of the two sides that share records are linked. Linked clusters make up a block (of the join of
the two partitions). One reference cluster against one candidate cluster is kept; against several, it was
split; several against one were merged; several against several are tangled, and opened cell by cell.

A change costs the pairs of records that are missed (together in the reference only) and wrong (together in
the candidate only); ``concordant.views.costs`` charges each of them to one overlap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.availability import Need
from concordant.counts.base import View
from concordant.counts.counted import Names
from concordant.counts.overlaps import Overlaps, ranks
from concordant.counts.profile import Profile
from concordant.counts.spelling import NOT_NAMED, counted, percent, quoted
from concordant.differences.lazy_list import LazyList, check_limit, largest_of
from concordant.errors import ParameterError
from concordant.views.costs import Blocks, Costs

ChangeKind = Literal["kept", "split", "merged", "tangled"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
ChangesBy = Literal["pairs", "missed", "wrong", "size"]

# What an overlap is to its two clusters.
Role = Literal["core", "absorbed", "broken off", "stray"]
ROLES: tuple[Role, ...] = ("stray", "absorbed", "broken off", "core")

_OPENED = 5  # overlaps of a tangle that are printed

_NOUNS = {"kept": "kept cluster", "split": "split", "merged": "merge", "tangled": "tangle"}


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster of either side."""

    label: Any  # None where this side lacked the record, which then stands alone
    size: int

    def __str__(self) -> str:
        return f"{quoted(self.label)} ({self.size:,})"


@dataclass(frozen=True, slots=True)
class Overlap:
    """The records that a reference cluster and a candidate cluster share."""

    reference: Any
    candidate: Any
    size: int
    reference_size: int
    candidate_size: int
    role: Role
    missed: int  # pairs of the reference cluster that this stray is charged with
    wrong: int  # pairs of the candidate cluster that this stray is charged with
    examples: tuple[Any, ...] = ()

    def __str__(self) -> str:
        mine, theirs = quoted(self.reference), quoted(self.candidate)
        share = f"{self.size:,} of {self.reference_size:,} of reference {mine}"
        what = {
            "core": f"{share} are the main part of candidate {theirs}",
            "absorbed": f"{share}, its main part, were absorbed by candidate {theirs}",
            "broken off": f"{share} broke off and are the main part of candidate {theirs}",
            "stray": f"{share} strayed into candidate {theirs}",
        }[self.role]
        return what + _cost(self.missed, self.wrong)


@dataclass(frozen=True, slots=True)
class Change:
    """A block of linked clusters and what happened in it.

    Of a block with many clusters or overlaps only the largest are listed; ``references``, ``candidates``
    and ``cells`` say how many there are.
    """

    kind: ChangeKind
    reference: tuple[Cluster, ...]  # largest first
    candidate: tuple[Cluster, ...]
    overlaps: tuple[Overlap, ...]
    size: int
    missed: int  # its pairs that are together in the reference only
    wrong: int  # its pairs that are together in the candidate only
    references: int
    candidates: int
    cells: int

    @property
    def omitted(self) -> int:
        """How many overlaps are not listed."""
        return self.cells - len(self.overlaps)

    def __str__(self) -> str:
        if all(cluster.label is None for cluster in (*self.reference, *self.candidate)):
            return f"{self.kind} {NOT_NAMED} ({self.size:,}), the same on both sides"
        mine, theirs = (
            _named(side, count)
            for side, count in ((self.reference, self.references), (self.candidate, self.candidates))
        )
        verb = {"kept": "as", "split": "into", "merged": "into", "tangled": "with"}[self.kind]
        return f"{self.kind} {mine} {verb} {theirs}{_cost(self.missed, self.wrong)}"


@dataclass(frozen=True, slots=True)
class ChangeSummary:
    """How many blocks were kept, split, merged and tangled, and whether one of them is to blame for much."""

    kept: int
    split: int
    merged: int
    tangled: int
    missed: int
    wrong: int
    most_missed: tuple[ChangeKind, int] | None  # the block with the most missed pairs: what it is, how many
    most_wrong: tuple[ChangeKind, int] | None

    def __str__(self) -> str:
        numbers = ", ".join(f"{getattr(self, kind):,} {kind}" for kind in CHANGE_KINDS)
        blamed = [
            f"1 {_NOUNS[worst[0]]} accounts for {percent(worst[1], total)} of the {word} pairs"
            for word, worst, total in (
                ("missed", self.most_missed, self.missed),
                ("wrong", self.most_wrong, self.wrong),
            )
            if worst is not None
            and total > worst[1]
            and 10 * worst[1] >= total  # if it is the only one, this goes without saying
        ]
        return "; ".join([numbers, *blamed])


class BlockSums(View):
    """Each block in numbers, computed once."""

    blocks: Blocks
    overlaps: Overlaps
    costs: Costs
    count: int
    missed: Integers
    wrong: Integers
    of_cell: NDArray[np.int64]

    needs: ClassVar[Need] = Need.TABLE

    def __init__(self, profile: Profile) -> None:
        self.blocks, self.overlaps = profile.view(Blocks), profile.view(Overlaps)
        self.costs, self.count = profile.view(Costs), self.blocks.count
        self.missed, self.wrong = self.costs.missed_of_blocks, self.costs.wrong_of_blocks
        self.of_cell = self.blocks.of_row[self.overlaps.row]

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (counts are exact as they are)
        return cls(profile)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        return np.bincount(self.blocks.of_row, minlength=self.count)

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        return np.bincount(self.blocks.of_column, minlength=self.count)

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        return np.bincount(self.of_cell, minlength=self.count)

    @cached_property
    def size(self) -> Integers:
        return sums_by(self.blocks.of_row, self.overlaps.row_sizes, self.count)

    @property
    def pairs(self) -> Integers:
        return self.missed + self.wrong

    @cached_property
    def kind(self) -> NDArray[np.int64]:
        """The place of each block's kind among CHANGE_KINDS."""
        kinds: NDArray[np.int64] = (self.columns > 1) + 2 * (self.rows > 1)
        return kinds

    @cached_property
    def counts(self) -> dict[ChangeKind, int]:
        return dict(
            zip(CHANGE_KINDS, np.bincount(self.kind, minlength=len(CHANGE_KINDS)).tolist(), strict=True)
        )

    @cached_property
    def rows_in(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The reference clusters block by block, largest first, and where each block starts among them."""
        return core.largest_first(self.blocks.of_row, ranks(self.overlaps.row_sizes))

    @cached_property
    def columns_in(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return core.largest_first(self.blocks.of_column, ranks(self.overlaps.column_sizes))

    @cached_property
    def cells_in(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return core.largest_first(self.of_cell, ranks(self.overlaps.n))


class Changes(LazyList[Change]):
    """The blocks that matter most, and how many of each kind there are in all."""

    total_missed: int
    total_wrong: int

    def __init__(
        self,
        sums: BlockSums,
        blocks: NDArray[np.int64],
        total: int,
        names: Names,
        *,
        overlaps: int,
        examples: int,
    ) -> None:
        super().__init__(len(blocks), total)
        self.counts: Mapping[ChangeKind, int] = sums.counts  # over all blocks
        self.total_missed, self.total_wrong = int(sums.missed.sum()), int(sums.wrong.sum())
        self._sums, self._blocks, self._names_of = sums, blocks, names
        self._most, self._examples = overlaps, examples

    def _make(self, start: int, stop: int) -> list[Change]:
        page = _Page(self._sums, self._names_of, self._most)
        return page.changes(self._blocks[start:stop].tolist(), self._examples)

    def _names(self) -> Sequence[str]:
        return (
            "kind", "reference", "candidate", "references", "candidates", "cells", "size", "missed", "wrong",
        )  # fmt: skip

    def _row(self, item: Change) -> dict[str, Any]:
        """The largest cluster stands for its side."""
        row = {key: getattr(item, key) for key in self._names()}
        return row | {"reference": item.reference[0].label, "candidate": item.candidate[0].label}

    def _title(self) -> str:
        return ", ".join(f"{count:,} {kind}" for kind, count in self.counts.items())

    def __str__(self) -> str:
        lines = [self._title()]
        for change in self[:20]:
            lines.append(f"  {change}")
            lines += [f"    {line}" for line in _opened(change)]
        return "\n".join([*lines, *(f"  {line}" for line in self._rest())])


def _opened(change: Change) -> list[str]:
    """The costliest overlaps of a tangle; other blocks speak for themselves."""
    if change.kind != "tangled":
        return []
    costliest = sorted(change.overlaps, key=lambda o: -(o.missed + o.wrong))[:_OPENED]
    more = change.cells - len(costliest)
    return [*map(str, costliest), *([f"and {more:,} more overlaps"] if more else [])]


def changes_of(
    profile: Profile,
    names: Names,
    *,
    kind: str | None = None,
    limit: int | None = 20,
    by: ChangesBy = "pairs",
    overlaps: int = 50,
    examples: int = 3,
) -> Changes:
    """The blocks of that kind with the most of what ``by`` says."""
    limit = check_limit(limit)
    if kind is not None and not (isinstance(kind, str) and kind in CHANGE_KINDS):
        raise ParameterError(f"kind={kind!r}: use {', '.join(map(repr, CHANGE_KINDS))}, or None for all")
    if not isinstance(by, str) or by not in get_args(ChangesBy):
        raise ParameterError(f"by={by!r}: use {', '.join(map(repr, get_args(ChangesBy)))}")
    for option, value, least in (("overlaps", overlaps, 1), ("examples", examples, 0)):
        if not isinstance(value, int) or value < least:
            raise ParameterError(f"{option}={value!r}: say how many, {least} or more")
    sums = profile.view(BlockSums)
    asked = np.arange(sums.count) if kind is None else np.flatnonzero(sums.kind == CHANGE_KINDS.index(kind))
    keys: Integers = getattr(sums, by)
    found = asked[largest_of(keys[asked], limit)]
    return Changes(sums, found, len(asked), names, overlaps=overlaps, examples=examples)


def change_summary(profile: Profile) -> ChangeSummary:
    """The blocks counted."""
    sums = profile.view(BlockSums)
    return ChangeSummary(
        **sums.counts,
        missed=int(sums.missed.sum()),
        wrong=int(sums.wrong.sum()),
        most_missed=_most(sums, sums.missed),
        most_wrong=_most(sums, sums.wrong),
    )


def _most(sums: BlockSums, pairs: Integers) -> tuple[ChangeKind, int] | None:
    if not len(pairs) or not pairs.max():
        return None
    block = int(pairs.argmax())
    return CHANGE_KINDS[int(sums.kind[block])], int(pairs[block])


class _Page:
    """A few blocks made into changes."""

    def __init__(self, sums: BlockSums, names: Names, most: int) -> None:
        self._sums, self._names, self._most = sums, names, most

    def changes(self, blocks: list[int], examples: int) -> list[Change]:
        o = self._sums.overlaps
        shown = [self._first(self._sums.cells_in, block) for block in blocks]
        flat = [cell for cells in shown for cell in cells]
        where = list(zip(o.row[flat].tolist(), o.column[flat].tolist(), strict=True)) if flat else []
        records = dict(zip(flat, self._names.examples(where, examples), strict=True))
        return [self._change(*found, records) for found in zip(blocks, shown, strict=True)]

    def _change(self, block: int, cells: list[int], records: dict[int, tuple[Any, ...]]) -> Change:
        sums, names = self._sums, self._names
        o = sums.overlaps
        rows, columns = self._first(sums.rows_in, block), self._first(sums.columns_in, block)
        return Change(
            kind=CHANGE_KINDS[int(sums.kind[block])],
            reference=tuple(Cluster(names.reference(i), int(o.row_sizes[i])) for i in rows),
            candidate=tuple(Cluster(names.candidate(j), int(o.column_sizes[j])) for j in columns),
            overlaps=tuple(overlap_in(o, sums.costs, cell, names, records[cell]) for cell in cells),
            size=int(sums.size[block]),
            missed=int(sums.missed[block]),
            wrong=int(sums.wrong[block]),
            references=int(sums.rows[block]),
            candidates=int(sums.columns[block]),
            cells=int(sums.cells[block]),
        )

    def _first(self, members: tuple[NDArray[np.int64], NDArray[np.int64]], block: int) -> list[int]:
        order, start = members
        first: list[int] = order[start[block] : min(start[block] + self._most, start[block + 1])].tolist()
        return first


def overlap_in(o: Overlaps, costs: Costs, cell: int, names: Names, examples: tuple[Any, ...] = ()) -> Overlap:
    """The overlap in that cell."""
    row, column = int(o.row[cell]), int(o.column[cell])
    return Overlap(
        reference=names.reference(row),
        candidate=names.candidate(column),
        size=int(o.n[cell]),
        reference_size=int(o.a[cell]),
        candidate_size=int(o.b[cell]),
        role=ROLES[int(roles_of(o, np.array([cell]))[0])],
        missed=int(costs.missed_of_cells[cell]),
        wrong=int(costs.wrong_of_cells[cell]),
        examples=examples,
    )


def roles_of(o: Overlaps, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """What each of these overlaps is to its two clusters, as its place among ROLES.

    A core is the largest overlap of both its clusters. The largest of its reference cluster alone was
    absorbed, the largest of its candidate cluster alone broke off, and any other strayed.
    """
    of_row = o.row_largest[o.row[cells]] == cells
    of_column = o.column_largest[o.column[cells]] == cells
    roles: NDArray[np.int64] = of_row + 2 * of_column
    return roles


def _named(side: tuple[Cluster, ...], count: int) -> str:
    if count > 3:
        return f"{count:,} clusters ({', '.join(map(str, side[:2]))}, …)"
    return ", ".join(map(str, side))


def _cost(missed: int, wrong: int) -> str:
    both = ((missed, "missed"), (wrong, "wrong"))
    parts = [f"{counted(pairs, 'pair')} {word}" for pairs, word in both if pairs]
    return f"; {', '.join(parts)}" if parts else ""
