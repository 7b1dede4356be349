"""Events from one partition to the next: splits, merges, births, deaths, continuations.

The words are those of work on evolving communities (Palla, Barabási & Vicsek 2007, Nature 446:664;
Greene, Doyle & Cunningham 2010, ASONAM, 176-183). As in MONIC (Spiliopoulou et al. 2006, KDD, 706-711)
clusters are matched by the share of a cluster that is found again, here of the smaller of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.differences.lazy_list import LazyList, check_limit, largest_of
from concordant.foundation.results import ReadOnlyDict, read_only_class
from concordant.foundation.spelling import printable, quoted
from concordant.foundation.text_layout import shortened
from concordant.maths.arithmetic import Integers, sums_by

EventKind = Literal["split", "merge", "birth", "death", "continuation"]

CHANGES: tuple[EventKind, ...] = ("split", "merge", "birth", "death")
EVENT_KINDS: tuple[EventKind, ...] = (*CHANGES, "continuation")

_PARTS_SHOWN = 4  # clusters that a printed event names
_TITLE = 32  # characters


@dataclass(frozen=True, slots=True)
class Event:
    """An event between one clustering and the next.

    A split has one source, a merge one target, a birth no source and a death no target. The cluster that
    shares the most records is first.

    Attributes
    ----------
    kind : {"split", "merge", "birth", "death", "continuation"}
        The kind.
    before, after : str
        Names of the two clusterings.
    sources, targets : tuple
        Labels of the clusters before and after.
    source_sizes, target_sizes : tuple of int
        Their sizes.
    overlap : tuple of int
        Number of records that each source and target share.
    absent : int
        For a birth, the number of new records; for a death, the number of records that are gone.
    """

    kind: EventKind
    before: str
    after: str
    sources: tuple[Any, ...]
    targets: tuple[Any, ...]
    source_sizes: tuple[int, ...]
    target_sizes: tuple[int, ...]
    overlap: tuple[int, ...]
    absent: int

    @property
    def size(self) -> int:
        """The number of shared records, or of all records of a cluster that is born or dies."""
        return sum(self.overlap) or sum(self.source_sizes) + sum(self.target_sizes)

    def __str__(self) -> str:
        sources, targets = _sized(self.sources, self.source_sizes), _sized(self.targets, self.target_sizes)
        new, gone = f"{self.absent:,} new", f"{self.absent:,} gone"
        said = {
            "split": f"{sources} splits into {targets}",
            "merge": f"{sources} merge into {targets}",
            "continuation": f"{sources} continues as {targets}",
            "birth": f"{targets} is born, {new} and {sum(self.target_sizes) - self.absent:,} from elsewhere",
            "death": f"{sources} dies, {gone} and {sum(self.source_sizes) - self.absent:,} elsewhere",
        }
        return f"{title(self.before)} → {title(self.after)}: {said[self.kind]}"


@read_only_class
@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """One of the clusterings.

    Attributes
    ----------
    clustering : str
        Its name.
    sizes : array of int
        Size of each cluster.
    cluster : callable
        The label of a cluster by its number.
    unclustered : array of int
        Numbers of singletons that are not clusters, such as noise.
    """

    clustering: str
    sizes: Integers
    cluster: Callable[[int], Any]
    unclustered: NDArray[np.int64]

    @property
    def size(self) -> int:
        """The number of records."""
        return int(self.sizes.sum())

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return int(np.count_nonzero(self.sizes)) - len(self.unclustered)


@read_only_class
@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One clustering and the next: every overlap of two clusters, and whether it links them.

    Attributes
    ----------
    before, after : Stage
        The two clusterings.
    source, target : array of int
        Numbers of the two clusters of each overlap.
    overlap : array of int
        Number of records of each overlap.
    linked : array of bool
        Whether each overlap links its clusters.
    successors : array of int
        Number of links of each cluster in `before`.
    predecessors : array of int
        Number of links of each cluster in `after`.
    """

    before: Stage
    after: Stage
    source: Integers
    target: Integers
    overlap: Integers
    linked: NDArray[np.bool_]
    successors: Integers
    predecessors: Integers

    @property
    def stayed(self) -> int:
        """The number of records in both clusterings."""
        return int(self.overlap.sum())

    @property
    def gone(self) -> int:
        """The number of records that only the earlier clustering contains."""
        return self.before.size - self.stayed

    @property
    def new(self) -> int:
        """The number of records that only the later clustering contains."""
        return self.after.size - self.stayed

    @property
    def counts(self) -> Mapping[EventKind, int]:
        """The number of events of each kind.

        Examples
        --------
        >>> concordant.track([[0, 0, 0, 0], [0, 0, 1, 1]]).steps[0].counts
        {'split': 1, 'merge': 0, 'birth': 0, 'death': 0, 'continuation': 0}
        """
        return ReadOnlyDict({kind: len(self._places(kind)) for kind in EVENT_KINDS})

    def _made(self, kind: EventKind, places: Integers) -> list[Event]:
        """The events at these positions, which ``ranked`` returned."""
        if kind == "continuation":
            return [self._continuation(cell) for cell in places.tolist()]
        if kind in ("birth", "death"):
            absent = self._absent(kind)
            return [self._end(kind, place, absent.item(place)) for place in places.tolist()]
        cells = self._cells_of(kind, places)
        return [self._change(kind, place, cells(place)) for place in places.tolist()]

    def _ranked(self, kind: EventKind) -> Integers:
        """The positions of the events of one kind, the largest first: numbers of clusters, or of overlaps."""
        places = self._places(kind)
        return places[largest_of(self._weights(kind)[places], None)]

    def _places(self, kind: EventKind) -> Integers:
        """Numbers of the clusters that split, merge, are born or die; for a continuation, its overlap."""
        if kind == "continuation":
            alone = (self.successors[self.source] == 1) & (self.predecessors[self.target] == 1)
            return np.flatnonzero(self.linked & alone)
        links = self.successors if kind in ("split", "death") else self.predecessors
        if kind in ("split", "merge"):
            return np.flatnonzero(links >= 2)
        stage = self._side(kind)[1]
        unlinked = np.flatnonzero((links == 0) & (stage.sizes > 0))
        return unlinked[~np.isin(unlinked, stage.unclustered)]

    def _weights(self, kind: EventKind) -> Integers:
        """How many records an event of this kind is about, by cluster or by overlap."""
        if kind == "continuation":
            return self.overlap
        own, stage = self._side(kind)
        if kind in ("birth", "death"):
            return stage.sizes
        return sums_by(own[self.linked], self.overlap[self.linked], len(stage.sizes))

    def _absent(self, kind: EventKind) -> Integers:
        """How many records of each cluster the other partition does not hold."""
        own, stage = self._side(kind)
        absent: Integers = stage.sizes - sums_by(own, self.overlap, len(stage.sizes))
        return absent

    def _side(self, kind: EventKind) -> tuple[Integers, Stage]:
        """The clusters that an event of this kind is about: those before, or those after."""
        return (self.source, self.before) if kind in ("split", "death") else (self.target, self.after)

    def _cells_of(self, kind: EventKind, places: Integers) -> Callable[[int], Integers]:
        """The linked overlaps of each of these clusters, the largest first."""
        own, stage = self._side(kind)
        wanted = np.zeros(len(stage.sizes), dtype=bool)
        wanted[places] = True
        cells = np.flatnonzero(self.linked & wanted[own])
        cells = cells[np.lexsort((-self.overlap[cells], own[cells]))]
        starts = np.searchsorted(own[cells], np.arange(len(stage.sizes) + 1))
        return lambda place: cells[starts[place] : starts[place + 1]]

    def _change(self, kind: EventKind, place: int, cells: Integers) -> Event:
        parts, shared = (self.target if kind == "split" else self.source)[cells].tolist(), self.overlap[cells]
        u, v = ([place], parts) if kind == "split" else (parts, [place])
        return self._event(kind, u, v, shared.tolist())

    def _continuation(self, cell: int) -> Event:
        u, v, shared = self.source.item(cell), self.target.item(cell), self.overlap.item(cell)
        return self._event("continuation", [u], [v], [shared])

    def _end(self, kind: EventKind, place: int, absent: int) -> Event:
        return self._event(kind, *(([], [place]) if kind == "birth" else ([place], [])), [], absent)

    def _event(
        self, kind: EventKind, u: Sequence[int], v: Sequence[int], shared: Sequence[int], absent: int = 0
    ) -> Event:
        return Event(
            kind,
            self.before.clustering,
            self.after.clustering,
            sources=tuple(map(self.before.cluster, u)),
            targets=tuple(map(self.after.cluster, v)),
            source_sizes=tuple(map(self.before.sizes.item, u)),
            target_sizes=tuple(map(self.after.sizes.item, v)),
            overlap=tuple(shared),
            absent=absent,
        )


class Events(LazyList[Event]):
    """A list of events, step by step, the largest of each step first. It converts to a dataframe."""

    def __init__(self, steps: Sequence[Step], kinds: Sequence[EventKind]) -> None:
        self._blocks = [(step, kind, step._ranked(kind)) for step in steps for kind in kinds]
        self._ends = np.cumsum([0, *(len(places) for _, _, places in self._blocks)])
        super().__init__(range(int(self._ends[-1])))

    def _make(self, start: int, stop: int) -> list[Event]:
        if not self._blocks:
            return super()._make(start, stop)
        made: list[Event] = []
        for (step, kind, places), first in zip(self._blocks, self._ends.tolist(), strict=False):
            wanted = places[max(start - first, 0) : max(stop - first, 0)]
            made += step._made(kind, wanted) if len(wanted) else []
        return made

    _columns = ("kind", "before", "after", "source", "source_size", "target", "target_size", "overlap")

    def _row(self, item: Event) -> dict[str, Any]:
        """The largest cluster represents its side."""
        return self._rows_of(item)[0]

    def _rows_of(self, event: Event) -> list[dict[str, Any]]:
        sources = list(zip(event.sources, event.source_sizes, strict=True)) or [(None, 0)]
        targets = list(zip(event.targets, event.target_sizes, strict=True)) or [(None, 0)]
        links = product(sources, targets)
        return [
            dict(zip(self._names(), (event.kind, event.before, event.after, *u, *v, shared), strict=True))
            for (u, v), shared in zip(links, event.overlap or (0,), strict=True)
        ]

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """One row for each two clusters that an event links; a birth has no source, a death no target."""
        if limit is None:
            return [row for event in self for row in self._rows_of(event)]
        return super()._rows(limit)

    def largest(self, limit: int | None = 20) -> Events:
        """Return the largest events of all steps.

        Parameters
        ----------
        limit : int or None, default=20
            Number of events. None returns all.

        Returns
        -------
        Events
            The events, the largest first.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.track([[0, 0, 1, 1], [0, 0, 1, 2]]).events.largest(1)[0].kind
        'split'
        """
        limit = check_limit(limit)
        first = [event for step, kind, places in self._blocks for event in step._made(kind, places[:limit])]
        found = Events([], [])
        LazyList.__init__(found, sorted(first, key=lambda event: -event.size)[:limit], total=len(self))
        return found


def title(partition: str) -> str:
    """The display name of a partition."""
    return shortened(printable(partition), _TITLE)


def _sized(labels: Sequence[Any], sizes: Sequence[int]) -> str:
    shown = [f"{quoted(label)} ({size:,})" for label, size in zip(labels, sizes, strict=True)]
    left_out = len(shown) - _PARTS_SHOWN
    return ", ".join(shown[:_PARTS_SHOWN]) + (f" and {left_out:,} more" if left_out > 0 else "")
