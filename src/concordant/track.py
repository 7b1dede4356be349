"""track() and Track: what becomes of clusters over several partitions in order.

The words are those of work on evolving communities (Palla, Barabási & Vicsek 2007, Nature 446:664;
Greene, Doyle & Cunningham 2010, ASONAM, 176-183). As in MONIC (Spiliopoulou et al. 2006, KDD, 706-711)
clusters are matched by the share of a cluster that is found again, here of the smaller of the two.
"""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import _core, many
from concordant.errors import ParameterError
from concordant.listing import Listing, as_frame, check_largest, largest_of
from concordant.many import Column
from concordant.partition import NoiseAs, Partition
from concordant.report.alluvial import Alluvial, alluvial, arranged
from concordant.report.labels import printable, shortened
from concordant.report.page import write_page
from concordant.report.track_page import Journey, track_page
from concordant.statistics import sums_by

Kind = Literal["split", "merge", "birth", "death", "continuation"]
Progress = Callable[[int, int], object]
Integers = NDArray[np.int64]

_CHANGES: tuple[Kind, ...] = ("split", "merge", "birth", "death")
KINDS: tuple[Kind, ...] = (*_CHANGES, "continuation")

# A printed event names at most so many clusters, and a printed track so many events.
_PARTS_SHOWN = 4
_EVENTS_SHOWN = 10
_EVENTS_LISTED = 300  # on a page


def track(
    partitions: Mapping[Any, Any] | Sequence[Any],
    *,
    share: float | Fraction = 0.5,
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> Track:
    """Follow clusters through partitions in order: k=2, k=3, k=4, or week by week.

    Partitions come as a mapping from name to partition, or as a list, where their names are "0", "1" and so
    on; each is anything that ``compare`` takes. Those that name their elements may each hold other elements.

    A cluster and one of the next partition are linked if they share more than ``share`` (one half) of the
    smaller of the two. Then

        split         a cluster is linked to two or more of the next partition
        merge         a cluster is linked to two or more of the partition before
        continuation  a cluster is linked to one of the next partition, which is linked to no other
        birth         a cluster is linked to none before: its elements are new, or come from here and there
        death         a cluster is linked to none after: its elements are gone, or scattered

    ``noise`` and ``noise_as`` are those of ``compare``; noise that is dropped is absent from that partition.
    ``progress`` is called with the number of steps done and to do.

    >>> t = track({"k=2": [0, 0, 0, 0, 1, 1], "k=3": [0, 0, 2, 2, 1, 1], "k=2 again": [0, 0, 1, 1, 1, 1]})
    >>> for event in [*t.splits, *t.merges]:
    ...     print(event)
    k=2 → k=3: 0 (4) splits into 0 (2), 2 (2)
    k=3 → k=2 again: 2 (2), 1 (2) merge into 1 (4)
    """
    needed = _share(share)
    named = many.read(partitions, "track", noise=noise, noise_as=noise_as, threads=threads)
    columns = many.columns(named, "drop")
    stages = [
        _stage(name, partition, column)
        for (name, partition), column in zip(named.items(), columns, strict=True)
    ]
    steps = []
    for (before, u), (after, v) in pairwise(zip(stages, columns, strict=True)):
        steps.append(_step((before, after), (u, v), needed, threads))
        if progress is not None:
            progress(len(steps), len(stages) - 1)
    return Track(tuple(stages), tuple(steps), needed)


@dataclass(frozen=True, slots=True)
class Event:
    """What happened to a few clusters between one partition and the next.

    A split has one source and its targets, a merge its sources and one target, a birth no source, a death
    no target. Of several, the one that shares most comes first.
    """

    kind: Kind
    before: str  # the name of the partition
    after: str
    sources: tuple[Any, ...]  # labels of the clusters before
    targets: tuple[Any, ...]  # labels of the clusters after
    source_sizes: tuple[int, ...]
    target_sizes: tuple[int, ...]
    shared: tuple[int, ...]  # elements that each source and target have in common
    absent: int  # of a birth the elements that were not there before, of a death those not there after

    @property
    def elements(self) -> int:
        """How many elements it is about: those shared, or all of a cluster that is born or dies."""
        return sum(self.shared) or sum(self.source_sizes) + sum(self.target_sizes)

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
        return f"{_shown(self.before)} → {_shown(self.after)}: {said[self.kind]}"


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """One of the partitions: its name, and the size and label of each cluster."""

    name: str
    sizes: Integers
    label: Callable[[int], Any]  # the label of a cluster by its number

    @property
    def elements(self) -> int:
        return int(self.sizes.sum())

    @property
    def clusters(self) -> int:
        return int(np.count_nonzero(self.sizes))


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """From one partition to the next: every overlap of two clusters, and whether it links them.

    ``source`` and ``target`` are numbers of clusters, as ``before.label`` and ``after.label`` take them.
    """

    before: Stage
    after: Stage
    source: Integers
    target: Integers
    shared: Integers
    linked: NDArray[np.bool_]
    successors: Integers  # how many clusters after each cluster before is linked to
    predecessors: Integers  # and the other way round

    @property
    def stayed(self) -> int:
        """How many elements both partitions hold."""
        return int(self.shared.sum())

    @property
    def gone(self) -> int:
        """How many elements only the partition before holds."""
        return self.before.elements - self.stayed

    @property
    def new(self) -> int:
        """How many elements only the partition after holds."""
        return self.after.elements - self.stayed

    @property
    def counts(self) -> dict[Kind, int]:
        """How many events there are of each kind.

        >>> track([[0, 0, 0, 0], [0, 0, 1, 1]]).steps[0].counts
        {'split': 1, 'merge': 0, 'birth': 0, 'death': 0, 'continuation': 0}
        """
        return {kind: len(self._places(kind)) for kind in KINDS}

    def made(self, kind: Kind, places: Integers) -> list[Event]:
        """The events of these places, which ``ranked`` gave."""
        if kind == "continuation":
            return [self._continuation(cell) for cell in places.tolist()]
        if kind in ("birth", "death"):
            absent = self._absent(kind)
            return [self._end(kind, place, absent.item(place)) for place in places.tolist()]
        cells = self._cells_of(kind, places)
        return [self._change(kind, place, cells(place)) for place in places.tolist()]

    def ranked(self, kind: Kind) -> Integers:
        """The places of the events of one kind, the largest first: numbers of clusters, or of overlaps."""
        places = self._places(kind)
        return places[largest_of(self._weights(kind)[places], None)]

    def _places(self, kind: Kind) -> Integers:
        """Numbers of the clusters that split, are merged, are born or die; of a continuation its overlap."""
        if kind == "continuation":
            alone = (self.successors[self.source] == 1) & (self.predecessors[self.target] == 1)
            return np.flatnonzero(self.linked & alone)
        links = self.successors if kind in ("split", "death") else self.predecessors
        if kind in ("split", "merge"):
            return np.flatnonzero(links >= 2)
        return np.flatnonzero((links == 0) & (self._side(kind)[1].sizes > 0))

    def _weights(self, kind: Kind) -> Integers:
        """How many elements an event of this kind is about, by cluster or by overlap."""
        if kind == "continuation":
            return self.shared
        own, stage = self._side(kind)
        if kind in ("birth", "death"):
            return stage.sizes
        return sums_by(own[self.linked], self.shared[self.linked], len(stage.sizes))

    def _absent(self, kind: Kind) -> Integers:
        """How many elements of each cluster the other partition does not hold."""
        own, stage = self._side(kind)
        absent: Integers = stage.sizes - sums_by(own, self.shared, len(stage.sizes))
        return absent

    def _side(self, kind: Kind) -> tuple[Integers, Stage]:
        """The clusters that an event of this kind is told of: those before, or those after."""
        return (self.source, self.before) if kind in ("split", "death") else (self.target, self.after)

    def _cells_of(self, kind: Kind, places: Integers) -> Callable[[int], Integers]:
        """The linked overlaps of each of these clusters, the largest first."""
        own, stage = self._side(kind)
        wanted = np.zeros(len(stage.sizes), dtype=bool)
        wanted[places] = True
        cells = np.flatnonzero(self.linked & wanted[own])
        cells = cells[np.lexsort((-self.shared[cells], own[cells]))]
        starts = np.searchsorted(own[cells], np.arange(len(stage.sizes) + 1))
        return lambda place: cells[starts[place] : starts[place + 1]]

    def _change(self, kind: Kind, place: int, cells: Integers) -> Event:
        parts, shared = (self.target if kind == "split" else self.source)[cells].tolist(), self.shared[cells]
        u, v = ([place], parts) if kind == "split" else (parts, [place])
        return self._event(kind, u, v, shared.tolist())

    def _continuation(self, cell: int) -> Event:
        u, v, shared = self.source.item(cell), self.target.item(cell), self.shared.item(cell)
        return self._event("continuation", [u], [v], [shared])

    def _end(self, kind: Kind, place: int, absent: int) -> Event:
        return self._event(kind, *(([], [place]) if kind == "birth" else ([place], [])), [], absent)

    def _event(
        self, kind: Kind, u: Sequence[int], v: Sequence[int], shared: Sequence[int], absent: int = 0
    ) -> Event:
        return Event(
            kind,
            self.before.name,
            self.after.name,
            sources=tuple(map(self.before.label, u)),
            targets=tuple(map(self.after.label, v)),
            source_sizes=tuple(map(self.before.sizes.item, u)),
            target_sizes=tuple(map(self.after.sizes.item, v)),
            shared=tuple(shared),
            absent=absent,
        )


class Events(Listing[Event]):
    """Events in order of the partitions, of each step the largest first; a list that becomes a dataframe."""

    def __init__(self, steps: Sequence[Step], kinds: Sequence[Kind]) -> None:
        self._blocks = [(step, kind, step.ranked(kind)) for step in steps for kind in kinds]
        self._ends = np.cumsum([0, *(len(places) for _, _, places in self._blocks)])
        super().__init__(int(self._ends[-1]), int(self._ends[-1]))

    def _make(self, start: int, stop: int) -> list[Event]:
        made: list[Event] = []
        for (step, kind, places), first in zip(self._blocks, self._ends.tolist(), strict=False):
            wanted = places[max(start - first, 0) : max(stop - first, 0)]
            made += step.made(kind, wanted) if len(wanted) else []
        return made

    def _names(self) -> Sequence[str]:
        return ("kind", "before", "after", "source", "source_size", "target", "target_size", "shared")

    def _row(self, item: Event) -> dict[str, Any]:
        """The largest cluster stands for its side."""
        return self._rows_of(item)[0]

    def _rows_of(self, event: Event) -> list[dict[str, Any]]:
        sources = list(zip(event.sources, event.source_sizes, strict=True)) or [(None, 0)]
        targets = list(zip(event.targets, event.target_sizes, strict=True)) or [(None, 0)]
        links = product(sources, targets)
        return [
            dict(zip(self._names(), (event.kind, event.before, event.after, *u, *v, shared), strict=True))
            for (u, v), shared in zip(links, event.shared or (0,), strict=True)
        ]

    def to_frame(self, backend: Any = None) -> Any:
        """One row for each two clusters that an event links; a birth has no source, a death no target.

        A list of dicts, or a dataframe of your own kind: "pandas", "polars", "pyarrow", or the module.

        >>> track([[0, 0, 1], [0, 1, 1]]).births.to_frame()
        []
        >>> len(track([[0, 0, 0, 0], [0, 0, 1, 1]]).splits.to_frame("pandas"))
        2
        """
        rows = [row for event in self for row in self._rows_of(event)]
        return (
            rows if backend is None else as_frame({n: [r[n] for r in rows] for n in self._names()}, backend)
        )

    def largest(self, count: int) -> list[Event]:
        """So many of all steps, the largest first."""
        first = [event for step, kind, places in self._blocks for event in step.made(kind, places[:count])]
        return sorted(first, key=lambda event: -event.elements)[:count]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Track:
    """Several partitions in order, and what became of their clusters from each to the next.

    >>> print(track({"monday": {"a": 1, "b": 1, "c": 2}, "tuesday": {"a": 1, "b": 1, "d": 3, "e": 3}}))
    2 partitions in order, linked by more than 1/2 of the smaller cluster
    <BLANKLINE>
             clusters  elements  continued  split  merged  born  died  new  gone
    monday          2         3
    tuesday         2         4          1      0       0     1     1    2     1
    <BLANKLINE>
    monday → tuesday: 3 (2) is born, 2 new and 0 from elsewhere
    monday → tuesday: 2 (1) dies, 1 gone and 0 elsewhere
    """

    stages: tuple[Stage, ...]
    steps: tuple[Step, ...]
    share: Fraction

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(stage.name for stage in self.stages)

    def __len__(self) -> int:
        return len(self.stages)

    @property
    def events(self) -> Events:
        """All events, step by step: splits, merges, births, deaths, continuations, the largest first."""
        return Events(self.steps, KINDS)

    @property
    def splits(self) -> Events:
        """Clusters that are linked to two or more of the next partition."""
        return Events(self.steps, ["split"])

    @property
    def merges(self) -> Events:
        """Clusters that are linked to two or more of the partition before."""
        return Events(self.steps, ["merge"])

    @property
    def births(self) -> Events:
        """Clusters that are linked to none of the partition before."""
        return Events(self.steps, ["birth"])

    @property
    def deaths(self) -> Events:
        """Clusters that are linked to none of the next partition."""
        return Events(self.steps, ["death"])

    @property
    def continuations(self) -> Events:
        """Clusters that are linked to one of the next partition, and that one to no other."""
        return Events(self.steps, ["continuation"])

    def to_frame(self, backend: Any = None) -> Any:
        """All events as a table, see ``Events.to_frame``."""
        return self.events.to_frame(backend)

    def plot(self, largest: int = 12) -> Any:
        """The alluvial picture as a Plotly figure: each partition a column, its clusters bars, bands between.

        A band has the colour of the cluster it comes from; a cluster keeps the colour of the one before if
        each shares most with the other. Clusters beyond the ``largest`` of a partition are gathered as one.
        Needs Plotly: ``pip install 'concordant[report]'``.
        """
        return alluvial(self._picture(largest))

    def to_html(self, path: str | os.PathLike[str], largest: int = 12) -> Path:
        """Write a page, one file without network: the alluvial picture and the largest events."""
        events = Events(self.steps, _CHANGES).largest(_EVENTS_LISTED)
        journey = Journey(self._head(), self._rows(), self._counts(), self._picture(largest), events)
        return write_page(path, track_page(journey))

    def _picture(self, largest: int) -> Alluvial:
        check_largest(largest)
        return arranged(self.stages, self.steps, largest)

    def __str__(self) -> str:
        said = self._told()
        return "\n".join([self._head(), "", *_table(self._rows()), *([""] if said else []), *said])

    def _repr_html_(self) -> str:
        head, *rows = self._rows()
        tags = _html_row("th", head) + "".join(_html_row("td", row) for row in rows)
        told = "".join(f"<li>{html.escape(line)}</li>" for line in self._told())
        return f"<div><p>{self._head()}</p><table>{tags}</table><ul>{told}</ul></div>"

    def _head(self) -> str:
        return f"{len(self)} partitions in order, linked by more than {self.share} of the smaller cluster"

    def __repr__(self) -> str:
        counts = self._counts()
        told = ", ".join(f"{counts[kind]:,} {kind}{'s' * (counts[kind] != 1)}" for kind in KINDS)
        return f"<Track of {len(self)} partitions: {told}>"

    def _counts(self) -> dict[str, int]:
        return {kind: sum(step.counts[kind] for step in self.steps) for kind in KINDS}

    def _rows(self) -> list[list[str]]:
        """The numbers of each partition, and of the step that led to it."""
        rows = [["", "clusters", "elements", "continued", "split", "merged", "born", "died", "new", "gone"]]
        for stage, step in zip(self.stages, [None, *self.steps], strict=True):
            row = [_shown(stage.name), f"{stage.clusters:,}", f"{stage.elements:,}"]
            if step is not None:
                counts = step.counts
                kinds: list[Kind] = ["continuation", "split", "merge", "birth", "death"]
                row += [f"{number:,}" for number in [*(counts[k] for k in kinds), step.new, step.gone]]
            rows.append(row + [""] * (len(rows[0]) - len(row)))
        return rows

    def _told(self) -> list[str]:
        """The largest events but continuations, in order, and how many are left out."""
        changes = Events(self.steps, _CHANGES)
        told = sorted(changes.largest(_EVENTS_SHOWN), key=lambda event: self.names.index(event.before))
        left_out = len(changes) - len(told)
        return [str(event) for event in told] + ([f"and {left_out:,} smaller events"] if left_out else [])


# -- counting ---------------------------------------------------------------------------------------


def _share(share: Any) -> Fraction:
    """The share as it was written: 0.3 is three tenths, not the float next to it."""
    if isinstance(share, bool) or not isinstance(share, (int, float, Fraction)) or not 0 <= share < 1:
        raise ParameterError(
            f"share={share!r}: clusters are linked by the elements they share, as a part of the smaller one; "
            "give a number from 0 up to, not including, 1"
        )
    return Fraction(str(share))


def _stage(name: str, partition: Partition, column: Column) -> Stage:
    there = _there(column)
    codes = column.codes if there is None else column.codes[there]
    sizes = np.bincount(codes, minlength=len(column.first)).astype(np.int64)
    first = column.first
    return Stage(name, sizes, lambda place: partition.originals[int(first[place])])


def _there(column: Column) -> NDArray[np.bool_] | None:
    """Which elements the partition holds; None for all."""
    out = [mask for mask in (column.absent, column.dropped) if mask is not None]
    return ~np.logical_or.reduce(out) if out else None


def _step(stages: tuple[Stage, Stage], columns: tuple[Column, Column], share: Fraction, threads: int) -> Step:
    masks = [mask for mask in map(_there, columns) if mask is not None]
    both: Any = np.logical_and.reduce(masks) if masks else slice(None)
    here, there = (column.codes[both] for column in columns)
    row, column, shared, row_first, column_first = _core.cells(here, there, threads)
    source, target = here[row_first].astype(np.int64)[row], there[column_first].astype(np.int64)[column]
    sizes = stages[0].sizes, stages[1].sizes
    linked = shared > _floors(np.minimum(sizes[0][source], sizes[1][target]), share)
    successors = np.bincount(source[linked], minlength=len(sizes[0]))
    predecessors = np.bincount(target[linked], minlength=len(sizes[1]))
    return Step(*stages, source, target, shared, linked, successors, predecessors)


def _floors(sizes: Integers, share: Fraction) -> Integers:
    """The largest whole number that is not more than this share of each size."""
    distinct, which = np.unique(sizes, return_inverse=True)
    floors = np.array([size * share.numerator // share.denominator for size in distinct.tolist()], np.int64)
    return floors[which]


# -- printing ---------------------------------------------------------------------------------------


def _shown(label: Any) -> str:
    return shortened(printable(label))


def _sized(labels: Sequence[Any], sizes: Sequence[int]) -> str:
    shown = [f"{_shown(label)} ({size:,})" for label, size in zip(labels, sizes, strict=True)]
    left_out = len(shown) - _PARTS_SHOWN
    return ", ".join(shown[:_PARTS_SHOWN]) + (f" and {left_out:,} more" if left_out > 0 else "")


def _html_row(tag: str, row: Sequence[str]) -> str:
    cells = "".join(f'<{tag} style="text-align:right">{html.escape(cell)}</{tag}>' for cell in row)
    return f"<tr>{cells}</tr>"


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [f"{row[0]:<{widths[0]}}", *(f"{x:>{w}}" for x, w in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    ]
