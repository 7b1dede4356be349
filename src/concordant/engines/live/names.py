"""Who the clusters and the records of an edited comparison are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.engines.live.labels import ClusterLabels
from concordant.engines.live.profile import LiveProfile
from concordant.engines.live.records import LiveRecords
from concordant.errors import TableNeededError

_WHY_NO_RECORDS = (
    "not all records of this comparison were named when they were added, so that it cannot be said which lie "
    "where; add each with record=..., or compare the labels themselves"
)


class LiveNames:
    """Labels and records as they are; nobody edits them any more."""

    def __init__(
        self,
        profile: LiveProfile,
        labels: tuple[ClusterLabels, ClusterLabels],
        records: LiveRecords,
        are_known: bool,
    ) -> None:
        self._profile, self._labels, self._records = profile, labels, records
        self.are_known, self.are_complete = are_known, False
        self.has_record_names = True

    @property
    def records(self) -> LiveNames:
        if len(self._records) != self._profile.size:
            raise TableNeededError(_WHY_NO_RECORDS)
        return self

    def reference(self, row: int, /) -> Any:
        return self._labels[0].label(self._numbers[0][row])

    def candidate(self, column: int, /) -> Any:
        return self._labels[1].label(self._numbers[1][column])

    def reference_labels(self) -> Sequence[Any]:
        return [self._labels[0].label(number) for number in self._numbers[0]]

    def candidate_labels(self) -> Sequence[Any]:
        return [self._labels[1].label(number) for number in self._numbers[1]]

    def examples(self, cells: Sequence[tuple[int, int]], each: int) -> list[tuple[Any, ...]]:
        rows, columns = self._numbers
        places = [(rows[row], columns[column]) for row, column in cells]
        return [tuple(islice(self._records.members(place), max(each, 0))) for place in places]

    @cached_property
    def _numbers(self) -> tuple[list[int], list[int]]:
        settled = self._profile.settled()
        return settled.row_numbers.tolist(), settled.column_numbers.tolist()

    # -- each record ----------------------------------------------------------------------------

    @cached_property
    def _each(self) -> tuple[list[Any], NDArray[np.int64], NDArray[np.int64]]:
        names, rows, columns = self._records.names_and_places()
        settled = self._profile.settled()
        row, column = (
            np.searchsorted(settled.row_numbers, rows),
            np.searchsorted(settled.column_numbers, columns),
        )
        return names, row, column

    @property
    def column(self) -> NDArray[np.int64]:
        """The candidate cluster of each record, as a column of the table."""
        return self._each[2]

    @cached_property
    def cell(self) -> NDArray[np.int64]:
        """The cell of each record."""
        table = self._profile.table
        width = int(table.column.max(initial=0)) + 1
        _, row, column = self._each
        return np.searchsorted(table.row * width + table.column, row * width + column)

    @property
    def everyone(self) -> list[Any]:
        """The names of all records."""
        return self._each[0]

    def record(self, position: int, /) -> Any:
        """The name of a record."""
        return self._each[0][position]

    def has(self, side: int, cluster: int, /) -> bool:
        return self._labels[side].label(self._numbers[side][cluster]) is not None

    def given(self, position: int, /) -> tuple[Any, Any]:
        """The labels that a record has by now on the two sides."""
        return self.labels(position)

    def labels(self, position: int, /) -> tuple[Any, Any]:
        """The labels of a record's clusters on the two sides."""
        _, row, column = self._each
        return self.reference(int(row[position])), self.candidate(int(column[position]))
