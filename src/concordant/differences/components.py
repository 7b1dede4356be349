"""The n:m components and their lightest cuts: the fewest records whose removal splits a component.

In the graph of a component, clusters are nodes and overlaps are edges, weighted by their records. A cut is a
set of overlaps whose removal leaves two components, both with records. The core finds the lightest cut
exactly, for any number of overlaps. Only small cuts are reported: lighter than the heaviest overlap, or than
ten records if that is more. If there is no such cut, the note reports that, which is just as exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.conventions import SIDES
from concordant.counts.counted import Names
from concordant.counts.overlaps import Overlaps
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted, quoted
from concordant.differences.changes import Cluster, Overlap, overlaps_in
from concordant.differences.component_sums import CHANGE_KINDS, PARTITION_KINDS, ComponentSums, Members
from concordant.differences.lazy_list import LazyList, check_limit

_FEW = 10  # records: a lighter cut is reported even if no overlap is this large
_COUNTABLE = 2**61  # records that the core can add up
_NAMED, _DRAWN = 3, 16  # clusters per side


@dataclass(frozen=True, slots=True)
class ComponentPart:
    """The part of a component on one side of the cut.

    Attributes
    ----------
    n_references, n_candidates : int
        Number of clusters of both sides.
    size : int
        Number of records.
    kind : str
        "1:1", "1:n", "n:1" or "n:m".
    """

    n_references: int  # how many clusters
    n_candidates: int
    size: int  # records
    kind: str  # 1:1, 1:n, n:1 or n:m

    def __str__(self) -> str:
        return f"{self.kind} ({counted(self.size, 'record')})"


@dataclass(frozen=True, slots=True)
class Component:
    """A component, and the overlaps whose removal splits it into two, if these are few.

    Attributes
    ----------
    reference, candidate : tuple of Cluster
        Its largest clusters.
    n_references, n_candidates, n_overlaps : int
        Number of all its clusters of both sides, and of its overlaps.
    size : int
        Number of records.
    link : tuple of Overlap
        The overlaps of the cut. Empty if no small cut exists.
    link_size : int
        Number of records in the cut.
    parts : tuple of ComponentPart
        The two components that it falls into without the cut.
    note : str
        The reason for a component without a cut.
    """

    reference: tuple[Cluster, ...]  # the largest
    candidate: tuple[Cluster, ...]
    n_references: int
    n_candidates: int
    n_overlaps: int
    size: int
    link: tuple[Overlap, ...]  # of the cut; empty if no small cut exists
    link_size: int  # records in the cut
    parts: tuple[ComponentPart, ...]  # the two components that it falls into
    note: str  # why there is no cut
    _rows: tuple[int, ...] = field(default=(), repr=False)  # the numbers of its largest clusters in the table
    _columns: tuple[int, ...] = field(default=(), repr=False)
    _link_cells: tuple[tuple[int, int], ...] = field(default=(), repr=False)  # row and column of each overlap

    def __str__(self) -> str:
        what = (
            f"{counted(self.n_references, 'reference cluster')} with {self.n_candidates:,} of the candidate"
        )
        if not self.link:
            return f"{what}: {self.note}"
        names = ", ".join(f"{quoted(x.reference)} in {quoted(x.candidate)}" for x in self.link[:_NAMED])
        more = f" and {len(self.link) - _NAMED:,} more overlaps" if len(self.link) > _NAMED else ""
        kinds = " and ".join(map(str, self.parts))
        without = f"without {counted(self.link_size, 'record')} ({names}{more})"
        return f"{what}: {without} it falls into two components, {kinds}"


class Components(LazyList[Component]):
    """The costliest components."""

    def __init__(
        self, sums: ComponentSums, names: Names, numbers: NDArray[np.int64], total: int, searched: float
    ) -> None:
        super().__init__(range(len(numbers)), self._component, total=total)
        self._sums, self._names_of, self._searched, self._numbers = sums, names, searched, numbers
        self._clusters = sums.of_clusters(names)

    @cached_property
    def _members(self) -> tuple[Members, ...]:
        """The overlaps, rows and columns of the listed components, then the rows and columns of clusters."""
        whole = self._sums.members(self._numbers)
        own = whole if self._clusters is self._sums else self._clusters.members(self._numbers)
        return *whole, *own[1:]

    def _component(self, at: int) -> Component:
        sums, names, o = self._sums, self._names_of, self._sums.overlaps
        cells, *sides, rows_named, columns_named = (
            order[first[at] : first[at + 1]] for order, first in self._members
        )
        own, number = self._clusters, int(self._numbers[at])
        named = rows_named[:_NAMED].tolist(), columns_named[:_NAMED].tolist()
        place, note = _lightest_cut(o, cells, sides, self._searched)
        cut = cells[place == 1]
        overlaps = tuple(overlaps_in(sums, cut, names))
        parts = []
        for side in (0, 2) if len(cut) else ():
            part = cells[place == side]
            rows, columns = (
                len(np.setdiff1d(ends[part], unclustered))
                for ends, unclustered in zip((o.row, o.column), own.unclustered, strict=True)
            )
            kind = PARTITION_KINDS[(columns > 1) + 2 * (rows > 1)]
            parts.append(ComponentPart(rows, columns, int(o.n[part].sum()), kind))
        # Charts draw the clusters of the cut and those that share records with them, or all if they are few.
        beside = cells[np.isin(o.row[cells], o.row[cut]) | np.isin(o.column[cells], o.column[cut])]
        drawn = []
        for clusters, of_cell in zip(sides, (o.row, o.column), strict=True):
            shown = [of_cell[cut], of_cell[beside]]
            if not len(cut) or len(clusters) <= _DRAWN:
                shown.append(clusters)
            chosen = dict.fromkeys(int(each) for some in shown for each in some[:_DRAWN])
            drawn.append(tuple(chosen)[:_DRAWN])
        return Component(
            tuple(Cluster(names.cluster(0, i), int(o.row_sizes[i])) for i in named[0]),
            tuple(Cluster(names.cluster(1, j), int(o.column_sizes[j])) for j in named[1]),
            int(own.rows[number]),
            int(own.columns[number]),
            len(cells),
            int(sums.size[number]),
            overlaps,
            int(sum(overlap.size for overlap in overlaps)),
            tuple(sorted(parts, key=lambda part: -part.size)),
            note,
            drawn[0],
            drawn[1],
            tuple((int(o.row[cell]), int(o.column[cell])) for cell in cut),
        )

    _columns = (
        "reference", "candidate", "n_references", "n_candidates", "n_overlaps", "size", "link", "link_size",
        "parts", "note",
    )  # fmt: skip

    def _row(self, item: Component) -> dict[str, Any]:
        """The largest cluster represents its side."""
        row = {key: getattr(item, key) for key in self._names()}
        words = {
            "link": ", ".join(f"{quoted(x.reference)} in {quoted(x.candidate)}" for x in item.link),
            "parts": " and ".join(map(str, item.parts)),
        }
        return row | words | {side: getattr(item, side)[0].cluster for side in SIDES}

    def _title(self) -> str:
        return counted(self.total, "n:m component")

    def _whole_text(self) -> str:
        return "\n".join([self._title(), *(f"  {component}" for component in self)])


def components_of(
    profile: Profile, names: Names, limit: int | None = 20, *, searched: float = float("inf")
) -> Components:
    """The components that cost the most pairs; none with more than ``searched`` overlaps is cut."""
    sums = profile.view(ComponentSums)
    kinds = sums.of_clusters(names).kind
    chosen = np.flatnonzero(kinds == CHANGE_KINDS.index("n:m"))
    first = sums.largest(sums.pairs, chosen, check_limit(limit))
    return Components(sums, names, first, len(chosen), searched)


def _lightest_cut(o: Overlaps, cells: Any, sides: list[Any], searched: float) -> tuple[Any, str]:
    """For each cell 1 if it is in the lightest cut, else 0 or 2 for its side; or the reason for no cut."""
    nowhere = np.zeros(len(cells), dtype=np.int64)
    if len(cells) > searched:
        return nowhere, f"a cut among {len(cells):,} overlaps is not sought here; c.components() finds it"
    n = o.n[cells]
    if sum(n.tolist()) > _COUNTABLE:
        return nowhere, "more than 2**61 records are too many to look for a cut"
    limit = max(_FEW, int(n.max()))
    place = core.lightest_cut(
        _numbers(o.row, cells, sides[0]), _numbers(o.column, cells, sides[1]), n.astype(np.int64), limit
    )
    if len(place):
        return place, ""
    return nowhere, f"no fewer than {counted(limit, 'record')} split it"


def _numbers(side: Any, cells: Any, clusters: Any) -> Any:
    """The clusters of some cells, numbered from 0 without gaps."""
    number = np.empty(int(clusters.max()) + 1, dtype=np.int64)
    number[clusters] = np.arange(len(clusters))
    return number[side[cells]]
