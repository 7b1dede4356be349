"""The records, clusters and connected components that changed from one run to another, most changed first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.contingency import Contingency, label_places
from concordant.counts.counted_sides import Names
from concordant.counts.three_way import DiffSizes, ThreeWay
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.fixed_and_broken import (
    CLUSTER_COLUMNS,
    OUTCOMES,
    Outcome,
    Outcomes,
    outcome_words,
)
from concordant.differences.lazy_list import (
    LazyList,
    _RecordsOfCells,
    check_limit,
    first_label,
    largest_by_label,
    largest_of,
)
from concordant.differences.verdicts import Verdict
from concordant.foundation.conventions import check_choice
from concordant.foundation.spelling import counted, percent
from concordant.maths.arithmetic import Floats, Integers, fitting, sums_by
from concordant.versions.indices import DIFF_INDICES

_LARGEST = 3  # components in a sentence
DiffSide = Literal["before", "after", "reference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRates:
    """How much changed, as a weighted mean over records; the other metrics need a reference."""

    split_rate: float
    merge_rate: float
    jaccard_distance: float
    split_distance: float
    merge_distance: float
    good_split_rate: float | None = None
    bad_split_rate: float | None = None
    good_merge_rate: float | None = None
    bad_merge_rate: float | None = None
    delta_precision: float | None = None
    delta_recall: float | None = None
    improvement: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChange(DiffRates):
    """The change of a record's cluster. It has the metrics of `Diff`.

    Attributes
    ----------
    record : object
        Its name, or its position.
    before, after : object
        Labels of its clusters.
    reference : object
        Label of its true cluster, if there is a reference.
    outcome : {"fixed", "broken", "still_wrong", "still_right"} or None
        Whether it is in the core of its true cluster before and after.
    """

    record: Any
    before: Any
    after: Any
    reference: Any = None
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterChange(DiffRates):
    """The mean change of the records of a cluster. It has the metrics of `Diff`.

    Attributes
    ----------
    cluster : object
        Its label.
    size : int
        Number of records.
    share : float
        Its part of the total jaccard_distance.
    outcome : {"fixed", "broken", "still_wrong", "still_right"} or None
        Whether a cluster of the reference is right before and after. This and the following are None for
        other clusters.
    verdict_before, verdict_after : str or None
        The verdicts on a cluster of the reference.
    missed_before, missed_after : float or None
        Its missed pairs, or their weight.
    """

    cluster: Any
    size: int
    share: float
    outcome: Outcome | None = None
    verdict_before: Verdict | None = None
    verdict_after: Verdict | None = None
    missed_before: float | None = None
    missed_after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentChange(DiffRates):
    """The mean change of the records of a connected component. It has the metrics of `Diff`.

    Attributes
    ----------
    before, after : object
        Labels of its largest clusters.
    n_before, n_after : int
        Number of its clusters.
    size : int
        Number of records.
    share : float
        Its part of the total jaccard_distance.
    """

    before: Any
    after: Any
    n_before: int
    n_after: int
    size: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceChange(DiffRates):
    """The mean change of the records of a slice. It has the metrics of `Diff`.

    Attributes
    ----------
    slice : object
        Its value: a tuple for several columns, None for a missing value.
    size : int
        Number of records.
    share : float
        Its part of the total jaccard_distance.
    """

    slice: Any
    size: int
    share: float


@dataclass(frozen=True)
class DiffCells:
    """The cells of the two runs, or of both and the reference, with their clusters and weights."""

    before: Integers  # the cluster of each cell
    after: Integers
    records: Integers  # how many
    sizes: DiffSizes

    @classmethod
    def of_table(cls, table: Contingency, records: Integers, squares: int) -> DiffCells:
        """Of the two runs alone."""
        sizes = DiffSizes.of_runs(table.n, table.a, table.b, table.n, squares)
        return cls(table.row, table.column, records, sizes)

    @classmethod
    def of_three(cls, cells: ThreeWay, weights: WeightedCounts | None) -> DiffCells:
        """Of the two runs and the reference; ``weights`` are the counts of the runs with weights."""
        n = cells.n
        if weights is not None:
            n = cells.by_weight(fitting(weights.own, weights.weights.size, bits=53)).n
        clusters = (sums_by(side, n)[side] for side in (cells.first, cells.second, cells.reference))
        pairs = cells.cell_of_candidates, cells.cell_of_first, cells.cell_of_second
        a, b, c = clusters
        ab, at, bt = (sums_by(pair, n)[pair] for pair in pairs)
        squares = cells.size if weights is None else weights.squares
        return cls(cells.first, cells.second, cells.n, DiffSizes(n, a, b, ab, n, at, bt, c, squares))

    def cut(self, cell: Integers, part: Integers, own: Integers | None) -> tuple[Integers, DiffCells]:
        """The part of each piece, and the pieces, if parts of the records cut the cells.

        ``cell``, ``part`` and ``own`` are the cell, the part and the weight of each record. The records of a
        piece are in the same clusters as those of its cell: only their number and weight differ.
        """
        pieces, which = np.unique(part * len(self.records) + cell, return_inverse=True)
        which, (parts, cells) = which.reshape(-1), np.divmod(pieces, len(self.records))
        number = np.bincount(which, minlength=len(pieces))
        mass = number if own is None else sums_by(which, own, len(pieces))
        clusters = {name: getattr(self.sizes, name)[cells] for name in ("a", "b", "ab", "n", "at", "bt", "c")}
        sizes = replace(self.sizes, mass=mass, **clusters)
        return parts, DiffCells(self.before[cells], self.after[cells], number, sizes)

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that lists show."""
        return tuple(
            each.name for each in fields(DiffRates) if self.sizes.kind in DIFF_INDICES[each.name].kinds
        )

    def of_each(self, metric: str) -> Floats:
        """The value of the records of each cell."""
        if metric not in self._values:
            self._values[metric] = self.sizes.of_cells(DIFF_INDICES[metric].compute)
        return self._values[metric]

    @cached_property
    def _values(self) -> dict[str, Floats]:
        return {}

    def weights_in(self, group: Integers) -> Floats:
        """The weight of each cell relative to the heaviest one of its group.

        Weights may differ by any factor, so the share of all may be too small for a float.
        """
        largest = np.zeros(int(group.max(initial=-1)) + 1, dtype=self.sizes.mass.dtype)
        np.maximum.at(largest, group, self.sizes.mass)
        weights: Any = (self.sizes.mass / largest[group]).astype(np.float64)
        return weights  # type: ignore[no-any-return]  # always floats

    def shares_of_change(self) -> Floats:
        """The share of each cell in the total jaccard_distance; 0 if nothing changed."""
        sizes = self.sizes
        return shares_of_change(sizes.mass, sizes.a + sizes.b - 2 * sizes.ab, sizes.a + sizes.b - sizes.ab)

    @cached_property
    def components(self) -> Integers:
        """The connected component of each cell: clusters that share records are linked."""
        of_row, _ = core.blocks(np.ascontiguousarray(self.before), np.ascontiguousarray(self.after))
        return of_row[self.before]


def shares_of_change(mass: Integers, apart: Integers, union: Integers) -> Floats:
    """The share of each cell in the sum of mass times Jaccard distance; 0 if nothing changed."""
    if mass.dtype == object:  # weights may differ by any factor, which whole numbers hold
        changes: Any = mass * apart * 2 ** (64 + int(max(union, default=1)).bit_length()) // union
    else:
        changes = mass * (apart / union)
    whole: Any = changes.sum() if changes.dtype == object else math.fsum(changes)
    shares: Any = (changes / (whole or 1)).astype(np.float64)
    return shares  # type: ignore[no-any-return]  # always floats


class DiffLists:
    """The records, clusters and components of a diff."""

    def __init__(self, cells: DiffCells, names: Names, outcomes: Outcomes | None = None) -> None:
        """``outcomes`` are those of the reference, which is then the first side of ``names``."""
        self.cells, self._names, self._outcomes = cells, names, outcomes
        runs: dict[DiffSide, Integers] = {"before": cells.before, "after": cells.after}
        # The clusters of each cell, by side.
        self._clusters = runs if outcomes is None else {"reference": outcomes.reference, **runs}

    def records(
        self, limit: int | None, order: str, outcome: Outcome | None
    ) -> _RecordsOfCells[RecordChange]:
        """The records whose cluster changed, or with this outcome; ties are broken by cell size."""
        cells, outcomes = self.cells, self._outcomes
        check_choice("order", order, cells.metrics)
        is_listed, words = cells.sizes.changed, "whose cluster changed"
        if outcomes is not None and outcome is not None:
            is_listed, words = outcomes.of_cells == OUTCOMES.index(outcome), outcome_words(outcome)
        listed = np.flatnonzero(is_listed)
        keys = cells.of_each(order)[listed]

        def ties(places: NDArray[np.int64]) -> list[Integers]:
            sides = enumerate(self._clusters.values())
            labels = [self._label_places(number, own[listed[places]]) for number, own in sides]
            return [-cells.records[listed[places]], *labels]

        judged = () if outcomes is None else ("reference", "outcome")
        return _RecordsOfCells(
            listed[largest_of(-keys if _is_signed(order) else keys, None, ties)],
            cells.records,
            self._examples,
            self._record,
            limit,
            columns=("record", "before", "after", *judged, *cells.metrics),
            title=f"{counted(int(cells.records[listed].sum()), 'record')} {words}",
        )

    def _record(self, cell: int, record: Any) -> RecordChange:
        values: dict[str, Any] = {name: float(self.cells.of_each(name)[cell]) for name in self.cells.metrics}
        values |= {side: self._label(side, cell) for side in self._clusters}
        outcome = None if self._outcomes is None else OUTCOMES[int(self._outcomes.of_cells[cell])]
        return RecordChange(record=record, outcome=outcome, **values)

    def _label(self, side: DiffSide, cell: int) -> Any:
        return self._names.cluster([*self._clusters].index(side), int(self._clusters[side][cell]))

    def _label_places(self, side: int, clusters: Integers) -> Integers:
        return label_places(clusters, partial(self._names.cluster, side))

    def _examples(self, cells: Sequence[int], each: int) -> list[tuple[Any, ...]]:
        chosen = np.asarray(cells, dtype=np.int64)
        sides = (clusters[chosen].tolist() for clusters in self._clusters.values())
        return self._names.examples(list(zip(*sides, strict=True)), each)

    def clusters(
        self, side: DiffSide, limit: int | None, order: str, outcome: Outcome | None
    ) -> LazyList[ClusterChange]:
        """The clusters of a run that changed; or those of the reference, all or with an outcome."""
        check_choice("side", side, self._clusters)
        number, outcomes = [*self._clusters].index(side), self._outcomes
        groups, label = _Groups(self.cells, self._clusters[side], order), partial(self._names.cluster, number)
        columns: tuple[str, ...] = ()
        if outcomes is None or side != "reference":
            groups.changed[self._names.unclustered(number)] = False
            places, words = np.flatnonzero(groups.changed), f"{side} that changed"
            listed = groups.largest(places, limit, label)
        else:
            places, columns = outcomes.clusters_with(outcome, label), CLUSTER_COLUMNS
            words = "of the reference" if outcome is None else outcome_words(outcome)
            rank = {cluster: place for place, cluster in enumerate(places.tolist())}
            listed = groups.largest(places, limit, rank.__getitem__)

        def change(cluster: int) -> ClusterChange:
            judged: dict[str, Any] = outcomes.columns_of(cluster) if outcomes and columns else {}
            return ClusterChange(cluster=label(cluster), **groups.numbers(cluster), **judged)

        return LazyList(
            listed,
            change,
            columns=("cluster", "size", "share", *columns, *self.cells.metrics),
            total=len(places),
            title=f"{counted(len(places), 'cluster')} {words}",
        )

    def components(self, limit: int | None, order: str) -> LazyList[ComponentChange]:
        groups = _Groups(self.cells, self.cells.components, order)
        changed = np.flatnonzero(groups.changed)

        def ties(places: NDArray[np.int64]) -> list[Integers]:
            return [self._first_labels(changed[places], side) for side in (-2, -1)]

        return LazyList(
            changed[largest_of(groups.keys[changed], check_limit(limit), ties)],
            partial(self._component, groups),
            columns=("before", "after", "n_before", "n_after", "size", "share", *self.cells.metrics),
            total=len(changed),
            title=f"{counted(len(changed), 'connected component')} that changed",
        )

    def _first_labels(self, components: NDArray[np.int64], run: int) -> Integers:
        """A number for each component that grows with the first label among its clusters of a run."""
        place = np.full(int(self.cells.components.max(initial=-1)) + 1, -1)
        place[components] = np.arange(len(components))
        cells = np.flatnonzero(place[self.cells.components] >= 0)
        clusters = [*self._clusters.values()][run][cells]
        labels = self._label_places(len(self._clusters) + run, clusters)
        least = np.full(len(components), np.iinfo(np.int64).max)
        np.minimum.at(least, place[self.cells.components[cells]], labels)
        return least

    def _component(self, groups: _Groups, number: int) -> ComponentChange:
        cells = groups.cells_of(number)
        sides = []
        for side in (self.cells.before, self.cells.after):
            clusters, first, which = np.unique(side[cells], return_index=True, return_inverse=True)
            sizes = sums_by(which, self.cells.records[cells], len(clusters))
            sides.append((len(clusters), cells[first[sizes == sizes.max()]].tolist()))
        (n_before, before), (n_after, after) = sides
        return ComponentChange(
            before=first_label([self._label("before", cell) for cell in before]),
            after=first_label([self._label("after", cell) for cell in after]),
            n_before=n_before,
            n_after=n_after,
            **groups.numbers(number),
        )

    def where(self) -> str:
        """One sentence: how many components changed, and whether few of them hold most of the change."""
        changed = self.components(_LARGEST, "share")
        if not changed.total:
            return ""
        components = f"{counted(changed.total, 'connected component')} changed"
        if changed.total == 1:
            return components
        if changed.total <= _LARGEST:
            return f"{components}; the largest has {percent(changed[0].share, 1)} of the change"
        share = sum(each.share for each in changed)
        return f"{components}; the largest {_LARGEST} have {percent(share, 1)} of the change"


def slice_list(
    cells: DiffCells, group: Integers, labels: Sequence[Any], limit: int | None, order: str
) -> LazyList[SliceChange]:
    """Each slice, changed or not; ``group`` is the slice of each cell. No cell spans two slices here."""
    groups = _Groups(cells, group, order)
    return LazyList(
        groups.largest(np.arange(len(groups.changed)), limit),
        lambda number: SliceChange(slice=labels[number], **groups.numbers(number)),
        columns=("slice", "size", "share", *cells.metrics),
        total=len(groups.changed),
        title=counted(len(groups.changed), "slice"),
    )


class _Groups:
    """Cells in groups, such as those of each cluster: the means of all metrics, and their order."""

    def __init__(self, cells: DiffCells, group: Integers, order: str) -> None:
        check_choice("order", order, ("share", *cells.metrics))
        self._cells = cells
        self._order, self._start = core.grouped(np.ascontiguousarray(group))
        count = len(self._start) - 1
        self._weights, self._changes = cells.weights_in(group), cells.shares_of_change()
        self.changed = np.bincount(group, weights=cells.sizes.changed, minlength=count) > 0
        if order == "share":
            keys: Any = np.bincount(group, weights=self._changes, minlength=count)
        else:
            sums = np.bincount(group, weights=cells.of_each(order) * self._weights, minlength=count)
            keys = sums / np.bincount(group, weights=self._weights, minlength=count)
        self.keys = -keys if _is_signed(order) else keys

    def largest(
        self, places: NDArray[np.int64], limit: int | None, label: Callable[[int], Any] | None = None
    ) -> NDArray[np.int64]:
        """The first of these groups in the order; ties have the order of their labels, if there are any."""
        keys, limit = self.keys[places], check_limit(limit)
        if label is None:
            return places[largest_of(keys, limit)]
        return places[largest_by_label(keys, limit, lambda place: label(int(places[place])))]

    def cells_of(self, number: int) -> NDArray[np.int64]:
        return self._order[self._start[number] : self._start[number + 1]]

    def numbers(self, number: int) -> dict[str, Any]:
        """The common columns of all lists, by name."""
        cells = self.cells_of(number)
        weights = self._weights[cells]
        whole = math.fsum(weights)  # correctly rounded, so the order of cells changes no digit
        sums = {name: math.fsum(self._cells.of_each(name)[cells] * weights) for name in self._cells.metrics}
        means = {name: value / whole for name, value in sums.items()}
        share = math.fsum(self._changes[cells])
        return {"size": int(self._cells.records[cells].sum()), "share": share, **means}


def _is_signed(order: str) -> bool:
    """Whether smaller is worse, so the smallest are listed first."""
    return order in DIFF_INDICES and DIFF_INDICES[order].bounds(0)[0] < 0
