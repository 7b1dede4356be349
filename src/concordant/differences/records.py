"""Each record's own score: which records the candidate treats worst.

For a record in an overlap of n elements, between a reference cluster of a and a candidate cluster of b:
precision n/b, recall n/a, similarity n/max(a, b). Their means over all records are B-cubed precision,
B-cubed recall and the element-centric similarity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.counts.counted import Records
from concordant.counts.table import Table
from concordant.differences.lazy_list import LazyList, check_limit, field_names, largest_of
from concordant.errors import ParameterError

RecordsBy = Literal["similarity", "precision", "recall"]


@dataclass(frozen=True, slots=True)
class RecordScore:
    """One record, the clusters it is in, and how well the candidate treats it."""

    record: Any  # its name, or its position where it has none
    reference: Any  # the label of its reference cluster
    candidate: Any
    precision: float
    recall: float
    similarity: float


class RecordScores(LazyList[RecordScore]):
    """The records that are worst off, worst first."""

    def __init__(
        self, scores: dict[str, NDArray[np.float64]], records: NDArray[np.int64], names: Records
    ) -> None:
        super().__init__(len(records), len(scores["precision"]))
        self._scores, self._records, self._names_of = scores, records, names

    def _make(self, start: int, stop: int) -> list[RecordScore]:
        return [
            RecordScore(
                self._names_of.record(position),
                *self._names_of.labels(position),
                **{key: float(values[position]) for key, values in self._scores.items()},
            )
            for position in self._records[start:stop].tolist()
        ]

    _columns = field_names(RecordScore)

    def _title(self) -> str:
        return f"{self.total:,} records"


def worst(records: Records, table: Table, limit: int | None, by: RecordsBy) -> RecordScores:
    """The records with the lowest score first; ties in the order in which they came."""
    limit = check_limit(limit)
    if not isinstance(by, str) or by not in get_args(RecordsBy):
        raise ParameterError(f"by={by!r}: use 'similarity', 'precision' or 'recall'")
    n, a, b = (sizes[records.cell] for sizes in (table.n, table.a, table.b))
    scores = {"precision": n / b, "recall": n / a, "similarity": n / np.maximum(a, b)}
    return RecordScores(scores, largest_of(-scores[by], limit), records)
