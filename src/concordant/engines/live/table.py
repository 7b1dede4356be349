"""The contingency table of a live comparison, edited by cells and cluster numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Any, Self

import numpy as np

from concordant.counts.counted import Counted
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted, quoted
from concordant.engines.live.labels import ClusterLabels, FirstLabels
from concordant.engines.live.lines import LiveCells
from concordant.engines.live.profile import LiveProfile
from concordant.engines.live.records import FirstRecords, LiveNames, LiveRecords, Place
from concordant.engines.lock import Guarded, one_at_a_time
from concordant.errors import InputError, ParameterError, TableNeededError

_EMPTY = np.zeros((0, 0), dtype=np.int64)
_CONVENTIONS = {"unmatched": "error", "noise": "none"}


class LiveTable(Guarded):
    """The counts of two partitions that are edited. Sums follow each edit, so reading them is cheap."""

    def __init__(self, *, window: int | None = None) -> None:
        if window is not None and (isinstance(window, bool) or not isinstance(window, int) or window < 1):
            raise ParameterError(f"window={window!r}: give the number of records to keep, 1 or more")
        self._window = window
        self._recent: deque[Any] = deque()  # the records in the window, oldest first
        self._running = 0  # the next name of a record that has none, where the window needs names
        self.begin(Counted.of(Profile.from_contingency(_EMPTY)))

    @one_at_a_time
    def begin(self, start: Counted) -> Self:
        """Start from these counts, instead of the current content."""
        if start.counts.kind == "partial_overlap":
            raise InputError(
                "each side of this comparison keeps records that the other lacks, and edits need both labels "
                "of every record",
                remedies=start.counts.remedies,
            )
        profile = start.counts.partitions
        self._start, self._cells = start, profile.view(LiveCells).copy()
        self._labels = (
            ClusterLabels("reference", start.names.reference, FirstLabels(start.names.reference_labels)),
            ClusterLabels("candidate", start.names.candidate, FirstLabels(start.names.candidate_labels)),
        )
        try:
            first = FirstRecords(start.names, profile)
        except TableNeededError:  # the records are not known without a query
            first = None
        self._records = LiveRecords(first, (profile.rows, profile.columns))
        self._profile = LiveProfile(self._cells, profile)
        return self

    @property
    def counts(self) -> LiveProfile:
        """The current counts, from which indices are computed."""
        return self._profile

    @property
    def size(self) -> int:
        """The number of records."""
        return self._cells.size

    @one_at_a_time
    def counted(self) -> Counted:
        """The counts as they are now; later edits do not change them."""
        cells, records = self._cells.copy(), self._records.copy()
        labels = (self._labels[0].copy(), self._labels[1].copy())
        profile = LiveProfile(cells, self._start.counts.partitions)
        known = self._start.names.are_known or not self._start.counts.size
        names = LiveNames(profile, labels, records, self._start.names, known)
        said = self._start.conventions or _CONVENTIONS
        return Counted(profile, names, said, self._start.audit, noise=self._start.noise)

    def merge_numbers(self, side: int, numbers: list[int], label: Any = None) -> Any:
        """Merge clusters by their numbers; without a label the first keeps its own."""
        labels = self._labels[side]
        label = labels.label(numbers[0]) if label is None else label
        merged = numbers[0]
        for number in numbers[1:]:
            merged = self._absorb(side, merged, number)
        for number in numbers:
            labels.drop(number)
        label = labels.fresh() if label is None else label
        labels.name(merged, label)
        return label

    def _absorb(self, side: int, one: int, other: int) -> int:
        """Empty the cluster of fewer cells into the other, which is returned."""
        lines = self._cells.rows_columns[side]
        small, large = sorted((one, other), key=lambda number: (lines.length(number), number))
        cells = dict(lines.seen(small))
        self._records.absorb(side, small, large, cells)
        for across, n in cells.items():
            here, there = ((across, small), (across, large)) if side else ((small, across), (large, across))
            self._shift(here, there, n)
        return large

    def split_cell(self, place: Place) -> None:
        """Turn all records of an overlap into a new candidate cluster."""
        new = self._cells.rows_columns[1].new()
        self._labels[1].name(new, self._labels[1].fresh())
        self.shift(place, (place[0], new), self._cells.cell(*place))

    def shift(self, here: Place, there: Place, many: int = 1, *, named: bool = False) -> None:
        """Move records from one overlap to another; ``named`` is True if their names are moved too."""
        if not named:
            self._take_unnamed(here, many, there)
        self._shift(here, there, many)
        self._tidy(here)

    def _shift(self, here: Place, there: Place, many: int) -> None:
        self._cells.change(*here, -many)
        self._cells.change(*there, many)

    def _tidy(self, place: Place) -> None:
        for side, number in enumerate(place):
            if not self._cells.rows_columns[side].size(number):
                self._labels[side].drop(number)

    def cluster(self, side: int, number: int) -> Any:
        """The label of a cluster by its number."""
        return self._labels[side].label(number)

    def first_members(self, places: Iterable[Place]) -> dict[Place, Any]:
        """One record of each of these overlaps, or None if none is known."""
        return self._records.first_members(places)

    @one_at_a_time
    def __repr__(self) -> str:
        p, unclustered = self.counts, self._start.names.in_no_cluster
        if any(unclustered):  # edits may have put some into clusters
            unclustered = self.counted().names.in_no_cluster
        clusters = f"{p.rows - unclustered[0]:,} against {counted(p.columns - unclustered[1], 'cluster')}"
        return f"<{type(self).__name__} of {counted(self.size, 'record')}: {clusters}>"

    def _take_unnamed(self, place: Place, many: int, new: Place | None) -> None:
        """Take unnamed records first; named ones may be moved with them, but are removed only by name."""
        held = self._cells.cell(*place)
        if many > held:
            labels = [quoted(side.label(number)) for side, number in zip(self._labels, place, strict=True)]
            raise InputError(
                f"{' and '.join(labels)} share {counted(held, 'record')}, so {many} cannot be removed"
            )
        if not self._records.are_known:
            return
        named = list(self._records.members(place))
        wanted = many - (held - len(named))
        if wanted > 0 and new is None:
            raise InputError(f"the records there have names; remove them by name, such as {quoted(named[0])}")
        for record in islice(named, max(wanted, 0)):
            self._records.put(record, new)
