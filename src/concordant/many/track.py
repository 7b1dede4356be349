"""track() and Track: what becomes of clusters over several partitions in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, Literal, Self, Unpack, overload

import numpy as np

from concordant import core
from concordant.clusterings.labels import Codes, MemoryLabels, cluster_label
from concordant.counts.assignment import one_to_one
from concordant.counts.contingency import Contingency, label_places
from concordant.counts.profile import Profile
from concordant.differences.events import CHANGES, EVENT_KINDS, EventKind, Events, Stage, Step
from concordant.differences.lazy_list import check_limit
from concordant.differences.matching import new_names
from concordant.errors import NothingLeftError, ParameterError
from concordant.foundation.conventions import Conventions
from concordant.foundation.input_options import InputOptions, input_options
from concordant.foundation.results import Charts, Listing, Report, read_only_class
from concordant.foundation.spelling import counted, printable
from concordant.foundation.text_layout import shortened
from concordant.indices.index import INDICES
from concordant.many.aligned_runs import align_all, named_partitions, words_of
from concordant.maths.arithmetic import Integers, plain, sums_by
from concordant.report.charts.alluvial import ALLUVIAL, Alluvial, arrange

_EVENTS_SHOWN = 10
_DRAWN = 20  # clusters of each clustering, in notebooks and on pages


@input_options(
    refused={
        "unmatched": "records may come and go from one clustering to the next; leave this out",
        "weights": "a track counts records",
        "undefined": "no value of a track is 0/0",
        "table_limit": "a track lists all overlaps, in memory",
    },
    meanings={
        "columns": "The columns that contain clusters, in order, if the input is one table. By default, all "
        "but `record`; AnnData must name them.",
        "progress": "Called with the number of steps done and the total.",
        "names": "Display names of the clusterings, in their order.",
    },
)
def track(
    clusterings: Any,
    *,
    relabel: bool = False,
    share: float | Fraction = 0.5,
    **options: Unpack[InputOptions],
) -> Track:
    """Follow clusters through a series of clusterings, such as k=2, k=3, k=4, or week by week.

    A cluster is linked to a cluster of the next clustering if they share more than `share` of the smaller
    one. A singleton always shares all of itself, so it must also be at least `share` of the records of the
    other cluster that both clusterings have. A split or a merge has several links. A continuation has one
    link in both directions. A birth has no link to the previous clustering, and a death has none to the next.

    Parameters
    ----------
    clusterings : mapping, sequence, table or array
        The clusterings by name, or a list of them, with the names "0", "1" and so on. Each is any input of
        `compare`. Clusterings with record ids may have different records. Or one table or two-dimensional
        array, whose columns are the clusterings.
    relabel : bool, default=False
        Whether a cluster keeps the label of its one-to-one match in the previous clustering. `ids` has the
        lasting label of each cluster.
    share : float or Fraction, default=0.5
        Share of the smaller cluster above which two clusters are linked.
    **options
        The input options. Dropped records are absent from that clustering.

    Returns
    -------
    Track
        The events between the clusterings.

    Examples
    --------
    >>> t = track({"k=2": [0, 0, 0, 0, 1, 1], "k=3": [0, 0, 2, 2, 1, 1], "k=2 again": [0, 0, 1, 1, 1, 1]})
    >>> for event in [*t.splits, *t.merges]:
    ...     print(event)
    k=2 → k=3: 0 (4) splits into 0 (2), 2 (2)
    k=3 → k=2 again: 1 (2), 2 (2) merge into 1 (4)
    """
    needed = _share(share)
    conventions = replace(Conventions.of(options), unmatched="drop")
    threads, progress = conventions.threads, conventions.progress
    if not isinstance(relabel, bool):
        raise ParameterError("use True or False", given={"relabel": relabel})
    read = named_partitions(clusterings, "track", conventions)
    aligned = align_all({name: each.owned() for name, each in read.items()}, conventions.unmatched)
    stages, every = [], []
    for (name, partition), *encoded in zip(
        aligned.partitions.items(), aligned.codes, aligned.first, strict=True
    ):
        codes, first = _in_label_order(partition, *encoded)
        stages.append(_stage(name, partition, codes, first))
        every.append(codes)
    if len(aligned.records) and not any(stage.size for stage in stages):
        policies = {"nulls": conventions.nulls, "noise_as": conventions.noise_as}
        raise NothingLeftError(
            "every record is left out, so there is nothing to follow",
            given={name: value for name, value in policies.items() if value == "drop"},
        )
    steps = []
    for (before, u), (after, v) in pairwise(zip(stages, every, strict=True)):
        steps.append(_step((before, after), (u, v), needed, threads))
        if progress is not None:
            progress(len(steps), len(stages) - 1)
    found = _relabelled(stages, steps, needed) if relabel else Track(tuple(stages), tuple(steps), needed)
    agreed = words_of(replace(conventions, unmatched="error"), read.values())
    return replace(found, conventions=agreed)


@read_only_class
@dataclass(frozen=True, eq=False, repr=False)
class Track(Report, Sequence[Step]):
    """The events of clusters from each clustering to the next. `track` returns it.

    It is a sequence of the steps from one clustering to the next.

    Attributes
    ----------
    conventions : str
        Unusual treatment of nulls and noise.
    ids : tuple
        The lasting label of each cluster, for each clustering.
    share : Fraction
        Share of the smaller cluster above which two clusters are linked.
    stages : tuple
        The clusters and records of each clustering.
    steps : tuple
        The events of each step.

    Examples
    --------
    >>> print(track({"monday": {"a": 1, "b": 1, "c": 2}, "tuesday": {"a": 1, "b": 1, "d": 3, "e": 3}}))
    1 birth and 1 death
    2 partitions in order, linked by more than 1/2 of the smaller cluster
    <BLANKLINE>
    partition  clusters  records  continued  split  merged  born  died  new  gone
    monday            2        3
    tuesday           2        4          1      0       0     1     1    2     1
    <BLANKLINE>
    monday → tuesday: 3 (2) is born, 2 new and 0 from elsewhere
    monday → tuesday: 2 (1) dies, 1 gone and 0 elsewhere
    """

    stages: tuple[Stage, ...]
    steps: tuple[Step, ...]
    share: Fraction
    ids: Mapping[str, Mapping[Any, Any]] = field(
        default_factory=dict
    )  # with relabel: own label -> lasting one
    conventions: str = ""  # those that are not the usual ones

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the clusterings."""
        return tuple(stage.clustering for stage in self.stages)

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, which: int) -> Step: ...
    @overload
    def __getitem__(self, which: slice) -> Self: ...
    def __getitem__(self, which: int | slice) -> Step | Self:
        if not isinstance(which, slice):
            return self.steps[which]
        start, stop, stride = which.indices(len(self))
        if stride != 1:
            raise ParameterError(f"a part of a track has steps that follow each other, not every {stride}.")
        return replace(self, steps=self.steps[which], stages=self.stages[start : max(stop, start) + 1])

    @property
    def size(self) -> int:
        """The number of records of the largest clustering."""
        return max((int(stage.sizes.sum()) for stage in self.stages), default=0)

    def _facts(self) -> Sequence[str]:
        return [f"clusterings={len(self.stages)}", f"share={self.share}"]

    @property
    def events(self) -> Events:
        """All events, step by step: splits, merges, births, deaths and continuations, the largest first."""
        return Events(self.steps, EVENT_KINDS)

    @property
    def splits(self) -> Events:
        """Clusters that are linked to several clusters of the next clustering."""
        return Events(self.steps, ["split"])

    @property
    def merges(self) -> Events:
        """Clusters that are linked to several clusters of the previous clustering."""
        return Events(self.steps, ["merge"])

    @property
    def births(self) -> Events:
        """Clusters without a link to the previous clustering."""
        return Events(self.steps, ["birth"])

    @property
    def deaths(self) -> Events:
        """Clusters without a link to the next clustering."""
        return Events(self.steps, ["death"])

    @property
    def continuations(self) -> Events:
        """Clusters that are linked to one cluster of the next clustering, which has no other link."""
        return Events(self.steps, ["continuation"])

    def to_dict(self) -> dict[str, Any]:
        """Return the clusters and records of each clustering, and all events in order.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.track([[0, 0, 1, 1], [0, 0, 1, 2]]).to_dict()["events"][0]["kind"]
        'split'
        """
        stages = {
            each.clustering: {
                "n_clusters": each.n_clusters,
                "size": each.size,
                "in_no_cluster": len(each.unclustered),
            }
            for each in self.stages
        }
        return {
            "share": float(self.share),
            "clusterings": stages,
            "events": self.events.to_dict()["rows"],
            "conventions": self.conventions,
        }

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return self.events._rows(limit)

    def _names(self) -> Sequence[str]:
        return self.events._names()

    def plot(
        self,
        kind: Literal["alluvial", "rows"] = "alluvial",
        *,
        limit: int | None = 20,
        ax: Any = None,
        width: float | None = None,
    ) -> Any:
        """Draw an alluvial chart with Matplotlib (extra `plot`).

        Each clustering is a column of clusters, with bands between the columns. A cluster has the colour of
        a previous cluster if each shares more records with the other than with any other cluster.

        Parameters
        ----------
        kind : {"alluvial", "rows"}, default="alluvial"
            The chart; "rows" shows the table.
        limit : int or None, default=20
            Number of clusters to draw in each column. Others are combined. None draws all.
        ax : matplotlib Axes, optional
            Axes to draw on. By default, a new figure.
        width : float, optional
            Width of a new figure in mm.

        Returns
        -------
        Display
            The chart, with the attributes `ax_` and `figure_`.

        Examples
        --------
        >>> [tick.get_text() for tick in track([[0, 0, 0, 1], [0, 0, 1, 1]]).plot().ax_.get_xticklabels()]
        ['0', '1']
        """
        if kind == "alluvial":
            return ALLUVIAL.plot(self._picture(limit), ax, width=width)
        return Report.plot(self, kind, ax=ax, width=width)

    def _charts(self) -> Charts:
        return [(ALLUVIAL, self._picture(_DRAWN))]

    def _picture(self, limit: int | None) -> Alluvial:
        limit = check_limit(limit)
        every = max(len(stage.sizes) for stage in self.stages)
        return arrange(self.stages, self.steps, every if limit is None else limit, self.adjusted_rand)

    @property
    def adjusted_rand(self) -> tuple[float, ...]:
        """The adjusted Rand index of each step, over the records of both clusterings.

        Examples
        --------
        >>> track([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]]).adjusted_rand
        (1.0, -0.5)
        """
        return tuple(INDICES["adjusted_rand"].value(_profile(step)) for step in self.steps)

    @property
    def headline(self) -> str:
        """One sentence: the number of events of the two most frequent kinds, splits and merges first.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.track([[0, 0, 1, 1], [0, 0, 1, 2]]).headline
        '1 split'
        """
        counts = {kind: number for kind, number in self._counts().items() if number and kind in CHANGES}
        most = sorted(counts, key=lambda kind: (kind not in ("split", "merge"), -counts[kind]))[:2]
        return " and ".join(counted(counts[kind], kind) for kind in most) or "Every cluster continues"

    def _scope(self) -> str:
        head = (
            f"{len(self.stages)} partitions in order, linked by more than {self.share} of the smaller cluster"
        )
        return f"{head} [{self.conventions}]" if self.conventions else head

    def __repr__(self) -> str:
        counts = self._counts()
        events = ", ".join(counted(counts[kind], kind) for kind in EVENT_KINDS)
        return f"<Track of {len(self.stages)} partitions: {events}>"

    def _counts(self) -> dict[str, int]:
        return {kind: sum(step.counts[kind] for step in self.steps) for kind in EVENT_KINDS}

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:  # noqa: ARG002  (all are few)
        """The numbers of each partition, and of the step that led to it."""
        kinds: list[EventKind] = ["continuation", "split", "merge", "birth", "death"]
        events = ["continued", "split", "merged", "born", "died", "new", "gone"]
        has_unclustered = any(len(stage.unclustered) for stage in self.stages)
        rows: list[tuple[Any, ...]] = []
        for stage, step in zip(self.stages, [None, *self.steps], strict=True):
            outside = len(stage.unclustered) if has_unclustered else None
            counts = (
                [None] * len(events) if step is None else [*map(step.counts.get, kinds), step.new, step.gone]
            )
            rows.append(
                (shortened(printable(stage.clustering)), stage.n_clusters, stage.size, outside, *counts)
            )
        return [Listing(rows, ["partition", "clusters", "records", "in no cluster", *events])]

    def _footnotes(self) -> Sequence[str]:
        """The largest events except continuations, in order, and how many are left out."""
        changes = Events(self.steps, CHANGES)
        shown = sorted(changes.largest(_EVENTS_SHOWN), key=lambda event: self.names.index(event.before))
        left_out = len(changes) - len(shown)
        return [str(event) for event in shown] + (
            [f"and {counted(left_out, 'smaller event')}"] if left_out else []
        )


# -- counting ---------------------------------------------------------------------------------------


def _share(share: Any) -> Fraction:
    """The share as it was written: 0.3 is three tenths, not the nearest float."""
    if isinstance(share, bool) or not isinstance(share, (int, float, Fraction)) or not 0 <= share < 1:
        raise ParameterError(
            "clusters are linked if they share more than this part of the smaller one; give a number of at "
            "least 0 and below 1",
            given={"share": share},
        )
    return Fraction(str(share))


def _relabelled(stages: Sequence[Stage], steps: Sequence[Step], share: Fraction) -> Track:
    """Clusters with the names of their best matches in the partition before, so labels persist."""
    own = [[stage.cluster(place) for place in range(len(stage.sizes))] for stage in stages]
    fresh = new_names([label for labels in own for label in labels], [])
    lasting = [own[0]]
    for step, labels in zip(steps, own[1:], strict=True):
        are_clusters = ~np.isin(step.source, step.before.unclustered)
        are_clusters &= ~np.isin(step.target, step.after.unclustered)
        source, target, shared = (x[are_clusters] for x in (step.source, step.target, step.overlap))
        matched = one_to_one(source, target, shared)
        links = [(int(target[cell]), lasting[-1][int(source[cell])]) for cell in matched.tolist()]
        names = {place: None for place, label in enumerate(labels) if label is None}  # in no cluster
        names |= {place: name for place, name in links if name is not None and place not in names}
        left = sorted(set(range(len(labels))) - set(names), key=lambda place: -int(step.after.sizes[place]))
        names |= {place: next(fresh) for place in left}
        lasting.append([names[place] for place in range(len(labels))])
    renamed = [
        replace(stage, cluster=names.__getitem__) for stage, names in zip(stages, lasting, strict=True)
    ]
    linked = [
        replace(step, before=before, after=after)
        for step, (before, after) in zip(steps, pairwise(renamed), strict=True)
    ]
    ids = {
        stage.clustering: {
            label: name for label, name in zip(labels, names, strict=True) if label is not None
        }
        for stage, labels, names in zip(stages, own, lasting, strict=True)
    }
    return Track(tuple(renamed), tuple(linked), share, ids)


def _in_label_order(partition: MemoryLabels, codes: Codes, first: Integers) -> tuple[Codes, Integers]:
    """The codes, and a record of each cluster, with clusters numbered in the order of their labels.

    So all ties between clusters are decided by labels, never by the order of the records.
    """
    label = partial(_label, partition.originals, partition.alone, first)
    places = label_places(np.arange(len(first)), label)
    numbered, held = codes.copy(), codes >= 0
    numbered[held] = places[codes[held]]
    return numbered, first[np.argsort(places)]


def _stage(name: str, partition: MemoryLabels, codes: Codes, first: Integers) -> Stage:
    sizes = np.bincount(codes[codes >= 0], minlength=len(first)).astype(np.int64)
    label = partial(_label, partition.originals, partition.alone, first)
    singletons = np.flatnonzero(sizes == 1).tolist() if partition.alone else []
    unclustered = np.array([place for place in singletons if label(place) is None], dtype=np.int64)
    return Stage(name, sizes, label, unclustered)


def _label(originals: Any, alone: tuple[Any, ...], first: Integers, cluster: int) -> Any:
    """The label of a cluster, which is that of the element where it first appears."""
    return cluster_label(plain(originals[int(first[cluster])]), alone)


def _step(stages: tuple[Stage, Stage], codes: tuple[Codes, Codes], share: Fraction, threads: int) -> Step:
    both = (codes[0] >= 0) & (codes[1] >= 0)
    here, there = (each[both] for each in codes)
    row, column, shared, row_first, column_first = core.cells(here, there, threads)
    source, target = here[row_first].astype(np.int64)[row], there[column_first].astype(np.int64)[column]
    order = np.lexsort((target, source))
    source, target, shared = source[order], target[order], shared[order]
    sizes = stages[0].sizes, stages[1].sizes
    smaller = np.minimum(sizes[0][source], sizes[1][target])
    linked = shared > _floors(smaller, share)
    if share:  # one record is all of a singleton, so its share of the other cluster decides
        common = [sums_by(ends, shared)[ends] for ends in (source, target)]
        linked &= (smaller > 1) | (np.maximum(*common) <= share.denominator // share.numerator)
    for stage, places in zip(stages, (source, target), strict=True):
        linked &= ~np.isin(places, stage.unclustered)  # records in no cluster take no part in events
    successors = np.bincount(source[linked], minlength=len(sizes[0]))
    predecessors = np.bincount(target[linked], minlength=len(sizes[1]))
    return Step(*stages, source, target, shared, linked, successors, predecessors)


def _profile(step: Step) -> Profile:
    """The overlaps of two partitions as counts; clusters without a common element are omitted."""
    row, column = (np.unique(ends, return_inverse=True)[1] for ends in (step.source, step.target))
    return Profile.of_table(Contingency(row, column, step.overlap))


def _floors(sizes: Integers, share: Fraction) -> Integers:
    """The largest whole number that is not more than this share of each size."""
    distinct, which = np.unique(sizes, return_inverse=True)
    floors = np.array([size * share.numerator // share.denominator for size in distinct.tolist()], np.int64)
    return floors[which]


# -- printing ---------------------------------------------------------------------------------------
