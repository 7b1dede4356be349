"""Where a tangle comes apart: the fewest records without which its clusters fall into two blocks.

A tangle is a block of clusters that overlap crosswise. Seen as a graph, clusters are nodes and overlaps are
edges, as heavy as their records. A cut is a set of overlaps without which the block is two blocks, both with
records left. The lightest cut is found exactly, by maximum flows (Ford & Fulkerson 1956): the heaviest
overlap stands on one side, and each overlap that shares no cluster with it is tried on the other. Any cut
that goes through the heaviest overlap is at least as heavy as it, so that a lighter one is the lightest of
all. Where none is lighter, that is said instead.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np

from concordant.counts.names import Names
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted, quoted
from concordant.differences.changes import CHANGE_KINDS, BlockSums, Cluster, Overlap, overlap_in
from concordant.differences.lazy_list import LazyList
from concordant.differences.ranking import check_largest, largest_of
from concordant.views.overlaps import Overlaps

MOST_CELLS = 400  # overlaps of a tangle that is looked into: a flow for each
_NAMED, _DRAWN = 3, 16  # clusters a side


@dataclass(frozen=True, slots=True)
class TanglePart:
    """What is left of a tangle on one side of the cut."""

    references: int  # how many clusters
    candidates: int
    size: int  # records
    kind: str  # kept, split, merged or tangled


@dataclass(frozen=True, slots=True)
class Tangle:
    """A tangle, and the overlaps whose removal parts it, if these are few."""

    reference: tuple[Cluster, ...]  # the largest
    candidate: tuple[Cluster, ...]
    references: int
    candidates: int
    cells: int
    size: int
    cut: tuple[
        Overlap, ...
    ]  # empty where no lighter cut than the heaviest overlap exists, or none was sought
    records: int  # in the cut
    parts: tuple[TanglePart, ...]  # the two blocks that it falls into
    note: str  # why there is no cut
    rows: tuple[int, ...] = ()  # the numbers of its largest clusters in the table
    columns: tuple[int, ...] = ()
    cut_cells: tuple[tuple[int, int], ...] = ()  # rows and columns of the overlaps in the cut

    def __str__(self) -> str:
        what = f"{counted(self.references, 'reference cluster')} with {self.candidates:,} of the candidate"
        if not self.cut:
            return f"{what}: {self.note}"
        names = ", ".join(f"{quoted(x.reference)} in {quoted(x.candidate)}" for x in self.cut[:_NAMED])
        more = f" and {len(self.cut) - _NAMED:,} more overlaps" if len(self.cut) > _NAMED else ""
        kinds = " and ".join(f"a {part.kind} block of {part.size:,}" for part in self.parts)
        return f"{what}: without {counted(self.records, 'record')} ({names}{more}) it falls into {kinds}"


class Tangles(LazyList[Tangle]):
    """The costliest tangles."""

    def __init__(self, profile: Profile, names: Names, blocks: Sequence[int], total: int) -> None:
        super().__init__(len(blocks), total)
        self._profile, self._names_of, self._blocks = profile, names, blocks

    def _make(self, start: int, stop: int) -> list[Tangle]:
        sums = self._profile.view(BlockSums)
        return [_tangle(sums, self._names_of, block) for block in self._blocks[start:stop]]

    def _names(self) -> Sequence[str]:
        return [field.name for field in fields(Tangle)]

    def _title(self) -> str:
        return counted(self.total, "tangle")

    def __str__(self) -> str:
        return "\n".join([self._title(), *(f"  {tangle}" for tangle in self)])


def tangles_of(profile: Profile, names: Names, largest: int | None = 20) -> Tangles:
    """The tangles that cost the most pairs."""
    sums = profile.view(BlockSums)
    tangled = np.flatnonzero(sums.kind == CHANGE_KINDS.index("tangled"))
    first = tangled[largest_of(sums.pairs[tangled], check_largest(largest))]
    return Tangles(profile, names, first.tolist(), len(tangled))


def _tangle(sums: BlockSums, names: Names, block: int) -> Tangle:
    o = sums.overlaps
    order, start = sums.cells_in
    cells = order[start[block] : start[block + 1]]
    cut, sides, note = _lightest_cut(o, cells)
    overlaps = tuple(overlap_in(o, sums.costs, cell, names) for cell in cut)
    rows, columns = (
        order_of[start_of[block] : min(start_of[block] + _DRAWN, start_of[block + 1])].tolist()
        for order_of, start_of in (sums.rows_in, sums.columns_in)
    )
    return Tangle(
        tuple(Cluster(names.reference(i), int(o.row_sizes[i])) for i in rows[:_NAMED]),
        tuple(Cluster(names.candidate(j), int(o.column_sizes[j])) for j in columns[:_NAMED]),
        int(sums.rows[block]),
        int(sums.columns[block]),
        len(cells),
        int(sums.size[block]),
        overlaps,
        sum(overlap.size for overlap in overlaps),
        tuple(_part(o, part) for part in sides),
        note,
        tuple(rows),
        tuple(columns),
        tuple((int(o.row[cell]), int(o.column[cell])) for cell in cut),
    )


def _part(o: Overlaps, cells: list[int]) -> TanglePart:
    rows, columns = len(set(o.row[cells].tolist())), len(set(o.column[cells].tolist()))
    kind = CHANGE_KINDS[(columns > 1) + 2 * (rows > 1)]
    return TanglePart(rows, columns, sum(int(o.n[cell]) for cell in cells), kind)


def _lightest_cut(o: Overlaps, cells: Any) -> tuple[list[int], list[list[int]], str]:
    """The cells of the lightest cut, the cells left on its two sides, and why there is none."""
    if len(cells) > MOST_CELLS:
        return [], [], f"{len(cells):,} overlaps are too many to look for a cut"
    edges = [(int(o.row[cell]), -1 - int(o.column[cell]), int(o.n[cell])) for cell in cells]
    heaviest = max(range(len(edges)), key=lambda e: edges[e][2])
    bound = edges[heaviest][2]
    best: tuple[int, set[int]] | None = None
    for row, column, _ in edges:
        if {row, column} & set(edges[heaviest][:2]):
            continue
        limit = bound if best is None else best[0]
        found = _flow(edges, set(edges[heaviest][:2]), {row, column}, limit)
        if found is not None:
            best = found
    if best is None:
        return [], [], f"no fewer than {counted(bound, 'record')}, its largest overlap, part it"
    _, near = best
    cut = [int(cell) for cell, (u, v, _) in zip(cells, edges, strict=True) if (u in near) != (v in near)]
    here = [int(c) for c, (u, v, _) in zip(cells, edges, strict=True) if u in near and v in near]
    there = [int(c) for c, (u, v, _) in zip(cells, edges, strict=True) if u not in near and v not in near]
    return cut, [here, there], ""


def _flow(
    edges: list[tuple[int, int, int]], source: set[int], sink: set[int], limit: int
) -> tuple[int, set[int]] | None:
    """The lightest cut between two sets of nodes, and the nodes on the first side; None from the limit on."""
    room: dict[int, dict[int, int]] = {}
    for u, v, weight in edges:
        room.setdefault(u, {})[v] = weight
        room.setdefault(v, {})[u] = weight
    total = 0
    while True:
        came = dict.fromkeys(source, 0)
        waiting, end = deque(source), None
        while waiting and end is None:
            node = waiting.popleft()
            for near, free in room[node].items():
                if free and near not in came:
                    came[near] = node
                    if near in sink:
                        end = near
                        break
                    waiting.append(near)
        if end is None:
            return total, set(came)
        path = [end]
        while path[-1] not in source:
            path.append(came[path[-1]])
        pushed = min(room[b][a] for a, b in pairwise(path))
        for a, b in pairwise(path):
            room[b][a] -= pushed
            room[a][b] += pushed
        total += pushed
        if total >= limit:
            return None
