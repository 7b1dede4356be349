"""Each cluster's own score: how well the other side treats it, and what it costs.

For the records of a cluster, the means of n/b and n/a are its precision and recall, so their means,
weighted by size, are B-cubed precision and recall. Its missed and wrong pairs are those charged to its
overlaps (see ``concordant.counts.pair_costs``). A reference cluster of a records misses C(a,2) − Σ C(n,2)
pairs, a candidate cluster of b has C(b,2) − Σ C(n,2) wrong ones; the pairs of the other kind are charged to
the cluster of the stray. On either side they add up exactly to n10 and n01, together with the pairs charged
to records in no cluster, which are not listed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Counts
from concordant.counts.contingency import Contingency, label_places
from concordant.counts.counted_sides import NO_CLUSTERS, Names, Records
from concordant.counts.objects import Objects
from concordant.counts.overlaps import Overlaps, ranks
from concordant.differences.component_sums import costs_by_cluster, nearest_cells
from concordant.differences.lazy_list import LazyList, check_limit, field_names, largest_by_label, largest_of
from concordant.differences.verdicts import USUAL_THRESHOLDS, VERDICTS, Thresholds, Verdict, verdicts_of
from concordant.errors import ParameterError
from concordant.foundation.conventions import SIDES, SideName, check_choice
from concordant.foundation.results import ReadOnlyDict
from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import Integers

ClustersOrder = Literal[
    "pairs", "missed", "wrong", "size", "n_pieces", "precision", "recall", "purity", "entropy"
]

_LOWEST_FIRST = ("precision", "recall", "purity")
_OF_PARTITIONS = ("precision", "recall", "purity", "entropy", "share")  # meaningless in covers


@dataclass(frozen=True, slots=True)
class ClusterScore:
    """The scores of a cluster. In covers, precision, recall, purity, entropy and share are NaN.

    Attributes
    ----------
    cluster : object
        The label. None for a record that this side lacks.
    size : float
        Number of records, or their weight.
    verdict : str
        "exact", "nearly", "split", "merged", "split and merged" or "scattered".
    n_pieces : int
        Number of clusters of the other side with which it shares records.
    in_no_cluster : int
        Number of its records that are in no cluster of the other side, such as noise.
    precision : float
        Mean over its records of the correct share of their candidate cluster.
    recall : float
        Mean over its records of the share of their reference cluster that is found.
    purity : float
        Share of its largest overlap.
    entropy : float
        Entropy of its overlaps in nats.
    partner : object
        Label of the cluster with the largest F1. None without an overlap.
    overlap : float
        Number of records shared with the partner, or their weight.
    f1, jaccard : float
        F1 and Jaccard index with the partner.
    missed : float
        Missed pairs that are attributed to it, or their weight; in covers, memberships.
    wrong : float
        Wrong pairs that are attributed to it, or their weight.
    share : float
        Its share of all missed and wrong pairs.
    """

    cluster: Any
    size: float
    verdict: Verdict
    n_pieces: int
    in_no_cluster: int
    precision: float
    recall: float
    purity: float
    entropy: float
    partner: Any
    overlap: float
    f1: float
    jaccard: float
    missed: float
    wrong: float
    share: float


def clusters_of(
    counts: Counts,
    names: Names,
    side: SideName,
    limit: int | None,
    order: ClustersOrder,
    *,
    thresholds: Thresholds = USUAL_THRESHOLDS,
) -> LazyList[ClusterScore]:
    """The clusters of one side, ordered by a measure."""
    limit = check_limit(limit)
    check_choice("side", side, get_args(SideName))
    measures = [
        each for each in get_args(ClustersOrder) if counts.kind != "covers" or each not in _OF_PARTITIONS
    ]
    check_choice("order", order, measures, "for covers, " if counts.kind == "covers" else "")
    is_row = side == "reference"
    unclustered = names.unclustered(0 if is_row else 1)
    others = names.unclustered(1 if is_row else 0)
    scores = _Scores(counts, side, others)
    keys: Integers = getattr(scores, order)
    own = np.delete(np.arange(len(keys)), unclustered)
    side_number = 0 if is_row else 1
    keys = -keys[own] if order in _LOWEST_FIRST else keys[own]
    first = own[largest_by_label(keys, limit, lambda place: names.cluster(side_number, int(own[place])))]
    title = counted(len(own), f"{side} cluster")
    fields = [name for name in field_names(ClusterScore) if name != "in_no_cluster" or len(others)]
    return LazyList(
        first,
        partial(scores.score, names, verdicts_of(counts, side, thresholds, others)),
        columns=[name for name in fields if not scores.is_cover or name not in _OF_PARTITIONS],
        total=len(own),
        title=f"{title}, and {counted(len(unclustered), 'record')} in no cluster"
        if len(unclustered)
        else title,
    )


class _Scores:
    """Every cluster of one side in numbers; each column is computed when it is first read."""

    def __init__(self, counts: Counts, side: SideName, other_unclustered: NDArray[np.int64]) -> None:
        """``other_unclustered`` are singletons of the other side that are not clusters."""
        self.side = side
        self._counts, self._o = counts, counts.view(Overlaps)
        self.is_cover = counts.kind == "covers"
        o, is_row = self._o, self.side == "reference"
        self._cluster, self._other = (o.row, o.column) if is_row else (o.column, o.row)
        self._own_size, self._other_size = (o.a, o.b) if is_row else (o.b, o.a)  # of each cell
        self.size = o.row_sizes if is_row else o.column_sizes
        self._nearest = nearest_cells(o, self.side, other_unclustered)
        self._shared = ~np.isin(self._other, other_unclustered)

    @cached_property
    def n_pieces(self) -> NDArray[np.int64]:
        return np.bincount(self._cluster[self._shared], minlength=len(self.size))

    @cached_property
    def in_no_cluster(self) -> NDArray[np.int64]:
        return np.bincount(self._cluster[~self._shared], minlength=len(self.size))

    @cached_property
    def precision(self) -> NDArray[np.float64]:
        return self._mean(self._o.b)

    @cached_property
    def recall(self) -> NDArray[np.float64]:
        return self._mean(self._o.a)

    @cached_property
    def purity(self) -> NDArray[np.float64]:
        largest = self._o.row_largest if self.side == "reference" else self._o.column_largest
        return _shares(self._o.n[largest], self.size)

    @cached_property
    def entropy(self) -> NDArray[np.float64]:
        share = _shares(self._o.n, self._own_size)
        return self._summed(share * -np.log(share))

    @cached_property
    def missed(self) -> Integers:
        return costs_by_cluster(self._counts, self.side, "missed")

    @cached_property
    def wrong(self) -> Integers:
        return costs_by_cluster(self._counts, self.side, "wrong")

    @cached_property
    def pairs(self) -> Integers:
        """The whole cost, in pairs or in memberships."""
        return self.missed + self.wrong

    @cached_property
    def _all_pairs(self) -> int:
        return int(self.pairs.sum())

    def _mean(self, whole: Integers) -> NDArray[np.float64]:
        """The mean, over the records of each cluster, of the share of their overlap in ``whole``."""
        weights = _shares(self._o.n, self._own_size)
        return np.minimum(self._summed(weights * _shares(self._o.n, whole)), 1.0)

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """The cells in an order that depends on sizes alone, so sums have the same digits on every engine."""
        return np.lexsort((ranks(self._other_size), ranks(self._o.n)))

    def _summed(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        cluster = self._cluster[self._order]
        sums = np.bincount(cluster, weights=values[self._order], minlength=len(self.size))
        return sums.astype(np.float64) + 0.0  # turns -0.0 into 0.0

    def score(self, names: Names, verdicts: NDArray[np.int8], cluster: int) -> ClusterScore:
        side = SIDES.index(self.side)
        nearest, size = int(self._nearest[cluster]), int(self.size[cluster])
        n, other_size, partner = 0, 0, None
        if nearest >= 0:
            n, other_size = int(self._o.n[nearest]), int(self._other_size[nearest])
            partner = names.cluster(1 - side, int(self._other[nearest]))
        own = dict.fromkeys(_OF_PARTITIONS, math.nan)
        if not self.is_cover:
            own = {name: float(getattr(self, name)[cluster]) for name in _OF_PARTITIONS if name != "share"}
            own["share"] = int(self.pairs[cluster]) / self._all_pairs if self._all_pairs else 0.0
        return ClusterScore(
            cluster=names.cluster(side, cluster),
            size=self._counts.amount(size),
            verdict=VERDICTS[verdicts[cluster]],
            n_pieces=int(self.n_pieces[cluster]),
            in_no_cluster=int(self.in_no_cluster[cluster]),
            partner=partner,
            overlap=self._counts.amount(n),
            f1=2 * n / (size + other_size),
            jaccard=n / (size + other_size - n),
            missed=self._counts.amount(self.missed[cluster], 2),
            wrong=self._counts.amount(self.wrong[cluster], 2),
            **own,
        )


def _shares(parts: Integers, wholes: Integers) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = (parts / wholes).astype(np.float64)
    return shares


ObjectVerdict = Literal["matched", "missed", "invented", "split", "merged"]

_VERDICTS: tuple[ObjectVerdict, ...] = ("matched", "missed", "invented", "split", "merged")


@dataclass(frozen=True, slots=True)
class ObjectScore:
    """One object, its best partner on the other side, and its verdict.

    Attributes
    ----------
    side : str
        The side.
    cluster : object
        Label of the object.
    size : float
        Number of pixels, or their weight.
    verdict : str
        "matched", "missed", "invented", "split" or "merged".
    partner : object
        The object with the largest intersection over union. None if it overlaps none.
    iou : float
        Intersection over union with the partner.
    """

    side: SideName
    cluster: Any
    size: float
    verdict: ObjectVerdict
    partner: Any  # the object with the largest overlap over union; None if it overlaps none
    iou: float


class ObjectScores(LazyList[ObjectScore]):
    """The objects of the reference, then those of the candidate. `Comparison.objects` returns it.

    Attributes
    ----------
    counts : mapping from str to int
        Number of matched pairs, and number of objects with each other verdict.
    """

    counts: Mapping[str, int]

    def __init__(self, scores: list[ObjectScore]) -> None:
        super().__init__(scores)
        counts = {verdict: sum(each.verdict == verdict for each in scores) for verdict in _VERDICTS}
        vars(self).update(counts=ReadOnlyDict(counts | {"matched": counts["matched"] // 2}))

    _columns = field_names(ObjectScore)

    def _title(self) -> str:
        return ", ".join(f"{count:,} {verdict}" for verdict, count in self.counts.items())


def objects_of(counts: Counts, names: Names, iou: float) -> ObjectScores:
    """Every object of both sides, matched where the overlap over the union is at least ``iou``."""
    if isinstance(iou, bool) or not isinstance(iou, int | float) or not 0 < iou < 1:
        raise ParameterError("an intersection over union is between 0 and 1", given={"iou": iou})
    own_labels: Sequence[Sequence[Any]]
    if counts.kind == "partial_overlap" and counts.table.labels is not None:
        # Without background, which is not an object, clusters have numbers of their own.
        view = counts.view(Objects)
        cells = view.cells
        own_labels = [list(labels) for labels in counts.table.labels]  # type: ignore[call-overload]  # lists here
        unclustered = NO_CLUSTERS, NO_CLUSTERS
    else:
        view = counts.by_weight.view(Objects)
        cells = view.cells
        rows, columns = (range(len(sizes)) for sizes in (cells.row_sizes, cells.column_sizes))
        own_labels = [names.cluster(0, i) for i in rows], [names.cluster(1, j) for j in columns]
        unclustered = names.unclustered(0), names.unclustered(1)  # singletons that are not objects
    shared = ~(np.isin(cells.row, unclustered[0]) | np.isin(cells.column, unclustered[1]))
    matched = view.matches(iou, "match", shared)
    # Most of j in i, most of i in j.
    inside_row, inside_column = shared & (2 * cells.n > cells.b), shared & (2 * cells.n > cells.a)
    parts = np.bincount(cells.row[inside_row], minlength=len(cells.row_sizes))
    wholes = np.bincount(cells.column[inside_column], minlength=len(cells.column_sizes))
    scores = []
    for of_rows in (True, False):
        side: SideName = "reference" if of_rows else "candidate"
        skipped, others_skipped = unclustered if of_rows else unclustered[::-1]
        group, other = (cells.row, cells.column) if of_rows else (cells.column, cells.row)
        sizes = cells.row_sizes if of_rows else cells.column_sizes
        best = nearest_cells(cells, side, others_skipped)
        verdicts: list[ObjectVerdict] = ["missed" if of_rows else "invented"] * len(sizes)
        for number in group[matched].tolist():
            verdicts[number] = "matched"
        within = inside_column if of_rows else inside_row
        own, theirs = (parts, wholes) if of_rows else (wholes, parts)
        mine: ObjectVerdict
        partner_verdict: ObjectVerdict
        mine, partner_verdict = ("split", "merged") if of_rows else ("merged", "split")
        _mark(verdicts, group[within & (theirs[other] > 1)], partner_verdict)
        _mark(verdicts, np.flatnonzero(own > 1), mine)
        labels, others = own_labels if of_rows else own_labels[::-1]
        own_numbers = np.delete(np.arange(len(sizes)), skipped)
        in_order = np.argsort(label_places(own_numbers, labels.__getitem__), kind="stable")
        for number in own_numbers[in_order].tolist():
            cell = int(best[number])
            scores.append(
                ObjectScore(
                    side=side,
                    cluster=labels[number],
                    size=counts.amount(sizes[number]),
                    verdict=verdicts[number],
                    partner=others[int(other[cell])] if cell >= 0 else None,
                    iou=float(cells.n[cell] / cells.union[cell]) if cell >= 0 else 0.0,
                )
            )
    return ObjectScores(scores)


def _mark(verdicts: list[ObjectVerdict], numbers: NDArray[np.int64], verdict: ObjectVerdict) -> None:
    for number in numbers.tolist():
        if verdicts[number] != "matched":
            verdicts[number] = verdict


RecordsOrder = Literal["similarity", "precision", "recall"]


@dataclass(frozen=True, slots=True)
class RecordScore:
    """The scores of a record.

    Attributes
    ----------
    record : object
        Its name, or its position.
    reference, candidate : object
        Labels of its clusters.
    precision, recall, similarity : float
        n/b, n/a and n/max(a, b), where its clusters have a and b records and share n, or weigh a and b.
    """

    record: Any
    reference: Any
    candidate: Any
    precision: float
    recall: float
    similarity: float


def worst(
    records: Records, table: Contingency, limit: int | None, order: RecordsOrder
) -> LazyList[RecordScore]:
    """The records with the lowest score first; ties in their original order."""
    limit = check_limit(limit)
    check_choice("order", order, ("similarity", "precision", "recall"))
    n, a, b = (sizes[records.cell] for sizes in (table.n, table.a, table.b))
    wholes = {"precision": b, "recall": a, "similarity": np.maximum(a, b)}
    scores = {key: _shares(n, whole) for key, whole in wholes.items()}
    return LazyList(
        largest_of(-scores[order], limit),
        partial(_score, records, scores),
        columns=field_names(RecordScore),
        total=len(n),
        title=f"{len(n):,} records",
    )


def _score(records: Records, scores: dict[str, NDArray[np.float64]], position: int) -> RecordScore:
    own = {key: float(values[position]) for key, values in scores.items()}
    return RecordScore(records.record(position), *records.labels(position), **own)
