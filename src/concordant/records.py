"""Each record's own score: which records the candidate treats worst.

For a record in an overlap of n elements, between a reference cluster of a and a candidate cluster of b:
precision n/b, recall n/a, similarity n/max(a, b). Their means over all records are B-cubed precision,
B-cubed recall and the element-centric similarity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import _core
from concordant.errors import ParameterError
from concordant.partition import Aligned, Partition
from concordant.statistics import Table

By = Literal["similarity", "precision", "recall"]


@dataclass(frozen=True, slots=True)
class RecordScore:
    """One record, the clusters it is in, and how well the candidate treats it."""

    record: Any  # its name, or its position where it has none
    reference: Any  # the label of its reference cluster
    candidate: Any
    precision: float
    recall: float
    similarity: float


def worst(
    aligned: Aligned,
    partitions: tuple[Partition, Partition],
    table: Table,
    largest: int | None,
    by: By,
) -> list[RecordScore]:
    """The records with the lowest score first; ties in the order in which they came."""
    n, a, b = _sizes_of_records(aligned, table)
    scores = {"precision": n / b, "recall": n / a, "similarity": n / np.maximum(a, b)}
    if not isinstance(by, str) or by not in scores:
        raise ParameterError(f"by={by!r}: use 'similarity', 'precision' or 'recall'")
    order = np.argsort(scores[by], kind="stable")[:largest]
    names = _namer(aligned, partitions)
    return [
        RecordScore(
            *names(position), *(float(scores[key][position]) for key in ("precision", "recall", "similarity"))
        )
        for position in order.tolist()
    ]


def _sizes_of_records(aligned: Aligned, table: Table) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """For each record the sizes of its overlap and of its two clusters."""
    row = _core.factorize(np.asarray(aligned.reference))[0]
    column = _core.factorize(np.asarray(aligned.candidate))[0]
    # The cells are sorted by row and column, so a record's cell is found by bisection.
    width = int(table.column.max(initial=0)) + 1
    cell = np.searchsorted(table.row * width + table.column, row * width + column)
    return table.n[cell], table.a[cell], table.b[cell]


def _namer(
    aligned: Aligned, partitions: tuple[Partition, Partition]
) -> Callable[[int], tuple[Any, Any, Any]]:
    places = (aligned.reference_position, aligned.candidate_position)

    def names(position: int) -> tuple[Any, Any, Any]:
        where = [position if place is None else int(place[position]) for place in places]
        # A record that one side lacked stands alone there, under no label.
        labels = [p.originals[w] if w >= 0 else None for p, w in zip(partitions, where, strict=True)]
        holder = 0 if where[0] >= 0 else 1
        elements = partitions[holder].elements
        record = where[holder] if elements is None else elements[where[holder]]
        return record, labels[0], labels[1]

    return names
