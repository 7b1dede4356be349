"""Objects: which clusters of an image were matched, missed, invented, split and merged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Counts
from concordant.counts.counted import Names
from concordant.counts.sides import SideName
from concordant.differences.lazy_list import LazyList, field_names
from concordant.errors import ParameterError
from concordant.views.objects import Objects, best_iou

ObjectVerdict = Literal["matched", "missed", "invented", "split", "merged"]

_VERDICTS: tuple[ObjectVerdict, ...] = ("matched", "missed", "invented", "split", "merged")


@dataclass(frozen=True, slots=True)
class ObjectScore:
    """One object, its best partner on the other side, and what became of it."""

    side: SideName
    label: Any
    size: int
    verdict: ObjectVerdict
    partner: Any  # the object with the largest overlap over union; None where it meets none
    iou: float


class ObjectScores(LazyList[ObjectScore]):
    """The objects of both sides: those of the reference, then those of the candidate."""

    counts: dict[str, int]

    def __init__(self, scores: list[ObjectScore]) -> None:
        super().__init__(len(scores), len(scores))
        self._scores = scores
        self.counts = {verdict: sum(each.verdict == verdict for each in scores) for verdict in _VERDICTS}

    def _make(self, start: int, stop: int) -> list[ObjectScore]:
        return self._scores[start:stop]

    _columns = field_names(ObjectScore)

    def _title(self) -> str:
        return ", ".join(f"{count:,} {verdict}" for verdict, count in self.counts.items())


def objects_of(counts: Counts, names: Names, iou: float) -> ObjectScores:
    """Every object of both sides, matched where the overlap over the union is at least ``iou``."""
    if isinstance(iou, bool) or not isinstance(iou, int | float) or not 0 < iou < 1:
        raise ParameterError("an overlap over a union lies between 0 and 1", given={"iou": iou})
    view = counts.view(Objects)
    cells = view.cells
    matched = view.matches(iou, "match")
    inside_row, inside_column = 2 * cells.n > cells.b, 2 * cells.n > cells.a  # most of j in i, most of i in j
    parts = np.bincount(cells.row[inside_row], minlength=len(cells.row_sizes))
    wholes = np.bincount(cells.column[inside_column], minlength=len(cells.column_sizes))
    sides = []
    for of_rows in (True, False):
        group, other = (cells.row, cells.column) if of_rows else (cells.column, cells.row)
        sizes = cells.row_sizes if of_rows else cells.column_sizes
        best = cells.row_nearest if of_rows else cells.column_nearest
        verdicts = _verdicts(len(sizes), group[matched], "missed" if of_rows else "invented")
        within = inside_column if of_rows else inside_row
        own, theirs = (parts, wholes) if of_rows else (wholes, parts)
        mine, partner_verdict = ("split", "merged") if of_rows else ("merged", "split")
        _mark(verdicts, group[within & (theirs[other] > 1)], partner_verdict)
        _mark(verdicts, np.flatnonzero(own > 1), mine)
        sides.append(_scores(of_rows, sizes, verdicts, other[best], best_iou(cells, of_rows=of_rows)))
    return ObjectScores(_named(sides, counts, names))


def _verdicts(count: int, matched: NDArray[np.int64], otherwise: str) -> list[str]:
    verdicts = [otherwise] * count
    for number in matched.tolist():
        verdicts[number] = "matched"
    return verdicts


def _mark(verdicts: list[str], numbers: NDArray[np.int64], verdict: str) -> None:
    for number in numbers.tolist():
        if verdicts[number] != "matched":
            verdicts[number] = verdict


def _scores(
    of_rows: bool, sizes: Any, verdicts: list[str], partner: NDArray[np.int64], iou: NDArray[np.float64]
) -> list[dict[str, Any]]:
    side = "reference" if of_rows else "candidate"
    return [
        {
            "side": side,
            "size": int(size),
            "verdict": verdict,
            "partner": int(partner[number]) if number < len(partner) else None,
            "iou": float(iou[number]),
        }
        for number, (size, verdict) in enumerate(zip(sizes.tolist(), verdicts, strict=True))
    ]


def _named(sides: list[list[dict[str, Any]]], counts: Counts, names: Names) -> list[ObjectScore]:
    """The objects under their labels, which the cells of objects know by numbers of their own."""
    own: list[list[Any]] = [[], []]
    if counts.kind == "partial_overlap" and counts.table.labels is not None:
        own = [list(labels) for labels in counts.table.labels]  # type: ignore[call-overload]  # lists there
    else:
        own = [
            [names.reference(number) for number in range(len(sides[0]))],
            [names.candidate(number) for number in range(len(sides[1]))],
        ]
    made = []
    for place, scores in enumerate(sides):
        for number, score in enumerate(scores):
            partner = None if score["partner"] is None else own[1 - place][score["partner"]]
            made.append(ObjectScore(**{**score, "partner": partner, "label": own[place][number]}))
    return made
