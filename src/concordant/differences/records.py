"""Each record's own score: which records the candidate treats worst.

For a record in an overlap of n elements, between a reference cluster of a and a candidate cluster of b:
precision n/b, recall n/a, similarity n/max(a, b). Their means over all records are B-cubed precision,
B-cubed recall and the element-centric similarity.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
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
    """The scores of a record.

    Attributes
    ----------
    record : object
        Its name, or its position.
    reference, candidate : object
        Labels of its clusters.
    precision, recall, similarity : float
        n/b, n/a and n/max(a, b), where its clusters have a and b records and share n.
    """

    record: Any
    reference: Any
    candidate: Any
    precision: float
    recall: float
    similarity: float


def worst(records: Records, table: Table, limit: int | None, by: RecordsBy) -> LazyList[RecordScore]:
    """The records with the lowest score first; ties in their original order."""
    limit = check_limit(limit)
    if not isinstance(by, str) or by not in get_args(RecordsBy):
        raise ParameterError(f"by={by!r}: use 'similarity', 'precision' or 'recall'")
    n, a, b = (sizes[records.cell] for sizes in (table.n, table.a, table.b))
    scores = {"precision": n / b, "recall": n / a, "similarity": n / np.maximum(a, b)}
    return LazyList(
        largest_of(-scores[by], limit),
        partial(_score, records, scores),
        columns=field_names(RecordScore),
        total=len(n),
        title=f"{len(n):,} records",
    )


def _score(records: Records, scores: dict[str, NDArray[np.float64]], position: int) -> RecordScore:
    own = {key: float(values[position]) for key, values in scores.items()}
    return RecordScore(records.record(position), *records.labels(position), **own)
