"""Objects: which clusters of an image were matched, missed, invented, split and merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Counts
from concordant.counts.counted import NO_CLUSTERS, Names
from concordant.counts.sides import SideName
from concordant.differences.component_sums import nearest_cells
from concordant.differences.lazy_list import LazyList, field_names
from concordant.errors import ParameterError
from concordant.views.objects import Objects

ObjectVerdict = Literal["matched", "missed", "invented", "split", "merged"]

_VERDICTS: tuple[ObjectVerdict, ...] = ("matched", "missed", "invented", "split", "merged")


@dataclass(frozen=True, slots=True)
class ObjectScore:
    """One object, its best partner on the other side, and its verdict."""

    side: SideName
    label: Any
    size: int
    verdict: ObjectVerdict
    partner: Any  # the object with the largest overlap over union; None if it overlaps none
    iou: float


class ObjectScores(LazyList[ObjectScore]):
    """The objects of the reference, then those of the candidate. `Comparison.objects` returns it.

    Attributes
    ----------
    counts : dict from str to int
        Number of matched pairs, and number of objects with each other verdict.
    """

    counts: dict[str, int]

    def __init__(self, scores: list[ObjectScore]) -> None:
        super().__init__(scores)
        self.counts = {verdict: sum(each.verdict == verdict for each in scores) for verdict in _VERDICTS}
        self.counts["matched"] //= 2

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
        view = counts.completed.view(Objects)
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
        for number in np.delete(np.arange(len(sizes)), skipped).tolist():
            cell = int(best[number])
            scores.append(
                ObjectScore(
                    side=side,
                    label=labels[number],
                    size=int(sizes[number]),
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
