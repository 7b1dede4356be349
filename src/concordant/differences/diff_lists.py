"""The records, clusters and connected components that changed from one run to another, most changed first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Floats, Integers, fitting, sums_by
from concordant.counts.conventions import check_choice
from concordant.counts.counted import Names
from concordant.counts.spelling import counted
from concordant.counts.table import Cells
from concordant.counts.three_way import DiffSizes, ThreeWay
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.lazy_list import (
    LazyList,
    _RecordsOfCells,
    check_limit,
    first_label,
    largest_by_label,
    largest_of,
)
from concordant.errors import ParameterError
from concordant.indices.diff import DIFF_INDICES

_LARGEST = 3  # components in a sentence
RunName = Literal["before", "after"]


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
    """

    record: Any
    before: Any
    after: Any
    reference: Any = None


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
    """

    cluster: Any
    size: int
    share: float


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
    def of_table(cls, table: Cells, records: Integers, squares: int) -> DiffCells:
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
    """The metrics of records, clusters and components, each computed on first use."""

    def __init__(self, cells: DiffCells, names: Names, reference: Integers | None = None) -> None:
        """``reference`` is the true cluster of each cell; then it is the first side of ``names``."""
        self.cells, self.names = cells, names
        runs = cells.before, cells.after
        if reference is None:
            self._numbers: tuple[Integers, ...] = runs  # the clusters of each cell, by side
            self._sides = {"before": 0, "after": 1}
        else:
            self._numbers = (reference, *runs)
            self._sides = {"before": 1, "after": 2, "reference": 0}
        listed, kind = (each.name for each in fields(DiffRates)), cells.sizes.kind
        self.metrics = tuple(name for name in listed if kind in DIFF_INDICES[name].kinds)
        self._values: dict[str, Floats] = {}

    def of_cells(self, metric: str) -> Floats:
        """The value of the records of each cell."""
        if metric not in self._values:
            self._values[metric] = self.cells.sizes.of_cells(DIFF_INDICES[metric].compute)
        return self._values[metric]

    def records(self, limit: int | None, order: str) -> _RecordsOfCells[RecordChange]:
        """The records whose cluster changed; ties are broken by cell size, the largest first."""
        self.check_metric(order, self.metrics)
        changed = np.flatnonzero(self.cells.sizes.changed)
        by_size = changed[largest_of(self.cells.records[changed], None)]
        keys = self.of_cells(order)[by_size]
        listed = by_size[largest_of(-keys if _is_signed(order) else keys, None)]
        total = int(self.cells.records[changed].sum())
        return _RecordsOfCells(
            listed,
            self.cells.records,
            self._examples,
            self._record,
            limit,
            columns=("record", *self._sides, *self.metrics),
            title=f"{counted(total, 'record')} whose cluster changed",
        )

    def _record(self, cell: int, record: Any) -> RecordChange:
        values = {name: float(self.of_cells(name)[cell]) for name in self.metrics}
        labels = {side: self._label(side, cell) for side in self._sides}
        return RecordChange(record=record, **labels, **values)

    def _label(self, side: str, cell: int) -> Any:
        number = self._sides[side]
        return self.names.cluster(number, int(self._numbers[number][cell]))

    def _examples(self, cells: Sequence[int], each: int) -> list[tuple[Any, ...]]:
        chosen = np.asarray(cells, dtype=np.int64)
        return self.names.examples(
            list(zip(*(side[chosen].tolist() for side in self._numbers), strict=True)), each
        )

    def clusters(self, side: RunName, limit: int | None, order: str) -> LazyList[ClusterChange]:
        if side not in get_args(RunName):
            raise ParameterError("use 'before' or 'after'", given={"side": side})
        number = self._sides[side]
        left_out, label = self.names.unclustered(number), partial(self.names.cluster, number)
        groups = _Groups(self, self._numbers[number], order, limit, left_out=left_out, label=label)
        return LazyList(
            groups.listed,
            partial(self._cluster, groups, number),
            columns=("cluster", "size", "share", *self.metrics),
            total=groups.total,
            title=f"{counted(groups.total, 'cluster')} {side} that changed",
        )

    def _cluster(self, groups: _Groups, side: int, number: int) -> ClusterChange:
        return ClusterChange(cluster=self.names.cluster(side, number), **groups.numbers(number))

    def components(self, limit: int | None, order: str) -> LazyList[ComponentChange]:
        groups = _Groups(self, self.cells.components, order, limit)
        columns = ("before", "after", "n_before", "n_after", "size", "share")
        return LazyList(
            groups.listed,
            partial(self._component, groups),
            columns=(*columns, *self.metrics),
            total=groups.total,
            title=f"{counted(groups.total, 'connected component')} that changed",
        )

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

    def slices(
        self, group: Integers, labels: Sequence[Any], limit: int | None, order: str
    ) -> LazyList[SliceChange]:
        """Each slice, changed or not; ``group`` is the slice of each cell. No cell spans two slices here."""
        groups = _Groups(self, group, order, limit, only_changed=False)
        return LazyList(
            groups.listed,
            lambda number: SliceChange(slice=labels[number], **groups.numbers(number)),
            columns=("slice", "size", "share", *self.metrics),
            total=groups.total,
            title=counted(groups.total, "slice"),
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
            return f"{components}; the largest has {changed[0].share:.0%} of the change"
        share = sum(each.share for each in changed)
        return f"{components}; the largest {_LARGEST} have {share:.0%} of the change"

    def check_metric(self, order: Any, choices: Sequence[str]) -> None:
        """Refuse ``order`` if it is not one of these metrics."""
        check_choice("order", order, choices)


class _Groups:
    """Cells in groups, such as those of each cluster: the means of all metrics, and their order."""

    def __init__(
        self,
        lists: DiffLists,
        group: Integers,
        order: str,
        limit: int | None,
        *,
        left_out: NDArray[np.int64] | None = None,
        label: Callable[[int], Any] | None = None,
        only_changed: bool = True,
    ) -> None:
        lists.check_metric(order, ("share", *lists.metrics))
        self._lists = lists
        self._order, self._start = core.grouped(np.ascontiguousarray(group))
        count = len(self._start) - 1
        self._weights, self._changes = lists.cells.weights_in(group), lists.cells.shares_of_change()
        changed = np.bincount(group, weights=lists.cells.sizes.changed, minlength=count) > 0
        if left_out is not None:
            changed[left_out] = False
        if not only_changed:
            changed[:] = True
        if order == "share":
            keys: Any = np.bincount(group, weights=self._changes, minlength=count)
        else:
            sums = np.bincount(group, weights=lists.of_cells(order) * self._weights, minlength=count)
            keys = sums / np.bincount(group, weights=self._weights, minlength=count)
        self.total = int(changed.sum())
        places, limit = np.flatnonzero(changed), check_limit(limit)
        keys = (-keys if _is_signed(order) else keys)[places]
        if label is None:
            self.listed = places[largest_of(keys, limit)]
        else:
            self.listed = places[largest_by_label(keys, limit, lambda place: label(int(places[place])))]

    def cells_of(self, number: int) -> NDArray[np.int64]:
        return self._order[self._start[number] : self._start[number + 1]]

    def numbers(self, number: int) -> dict[str, Any]:
        """The common columns of all lists, by name."""
        cells = self.cells_of(number)
        weights = self._weights[cells]
        whole = math.fsum(weights)  # correctly rounded, so the order of cells changes no digit
        sums = {name: math.fsum(self._lists.of_cells(name)[cells] * weights) for name in self._lists.metrics}
        means = {name: value / whole for name, value in sums.items()}
        share = math.fsum(self._changes[cells])
        return {"size": int(self._lists.cells.records[cells].sum()), "share": share, **means}


def _is_signed(order: str) -> bool:
    """Whether smaller is worse, so the smallest are listed first."""
    return order in DIFF_INDICES and DIFF_INDICES[order].bounds(0)[0] < 0
