"""The contingency table of a live comparison, with labels of clusters and names of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from concordant.counts.counted_sides import CountedSides
from concordant.counts.profile import Profile
from concordant.engines.live.profile import LiveCells, LiveProfile
from concordant.engines.live.records import (
    ClusterLabels,
    FirstLabels,
    FirstRecords,
    LiveNames,
    LiveRecords,
    Place,
    checked,
)
from concordant.errors import InputError, TableNeededError
from concordant.foundation.conventions import SIDES
from concordant.foundation.spelling import counted, quoted

_EMPTY = np.zeros((0, 0), dtype=np.int64)
_CONVENTIONS = {"unmatched": "error", "noise": "none"}


class LiveTable:
    """The counts of two partitions that are edited. Sums follow each edit, so reading them is cheap."""

    def __init__(self, start: CountedSides | None = None) -> None:
        if start is None:
            start = CountedSides.of(Profile.from_contingency(_EMPTY))
        if start.counts.kind == "partial_overlap":
            raise InputError(
                "each side of this comparison keeps records that the other lacks, and edits need both labels "
                "of every record",
                remedies=start.counts.remedies,
            )
        profile = start.counts.partitions
        self._start, self.cells = start, profile.view(LiveCells).copy()
        names = start.names
        u, v = (
            ClusterLabels(side, partial(names.cluster, i), FirstLabels(partial(names.clusters, i)))
            for i, side in enumerate(SIDES)
        )
        self.labels = (u, v)
        try:
            first = FirstRecords(start.names, profile)
        except TableNeededError:  # the records are not known without a query
            first = None
        self.records = LiveRecords(first, (profile.rows, profile.columns))
        self.counts = LiveProfile(self.cells, profile)  # as they are after each edit

    @property
    def size(self) -> int:
        """The number of records."""
        return self.cells.size

    def counted(self) -> CountedSides:
        """The counts as they are now; later edits do not change them."""
        cells, records = self.cells.copy(), self.records.copy()
        labels = (self.labels[0].copy(), self.labels[1].copy())
        profile = LiveProfile(cells, self._start.counts.partitions)
        first = self._start.names
        has_labels = first.known_labels != "none" or not self._start.counts.size
        names = LiveNames(profile, labels, records, first, "some" if has_labels else "none")
        said = self._start.conventions or _CONVENTIONS
        return CountedSides(profile, names, said, self._start.audit, noise=self._start.noise)

    def merge(self, side: int, numbers: list[int], label: Any = None) -> Any:
        """Merge clusters by their numbers; without a label the first keeps its own."""
        labels = self.labels[side]
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
        lines = self.cells.rows_columns[side]
        small, large = sorted((one, other), key=lambda number: (lines.length(number), number))
        cells = dict(lines.seen(small))
        self.records.absorb(side, small, large, cells)
        for across, n in cells.items():
            here, there = ((across, small), (across, large)) if side else ((small, across), (large, across))
            self._shift(here, there, n)
        return large

    def split_cell(self, place: Place) -> None:
        """Turn all records of an overlap into a new candidate cluster."""
        new = self.cells.rows_columns[1].new()
        self.labels[1].name(new, self.labels[1].fresh())
        self.shift(place, (place[0], new), self.cells.cell(*place))

    def shift(self, here: Place, there: Place, many: int = 1, *, named: bool = False) -> None:
        """Move records from one overlap to another; ``named`` is True if their names are moved too."""
        if not named:
            self.take_unnamed(here, many, there)
        self._shift(here, there, many)
        self.tidy(here)

    def _shift(self, here: Place, there: Place, many: int) -> None:
        self.cells.change(*here, -many)
        self.cells.change(*there, many)

    def tidy(self, place: Place) -> None:
        """Free the labels of these two clusters if they are empty."""
        for side, number in enumerate(place):
            if not self.cells.rows_columns[side].size(number):
                self.labels[side].drop(number)

    def cluster(self, side: int, number: int) -> Any:
        """The label of a cluster by its number."""
        return self.labels[side].label(number)

    def first_members(self, places: Iterable[Place]) -> dict[Place, Any]:
        """One record of each of these overlaps, or None if none is known."""
        return self.records.first_members(places)

    def numbers_of_clusters(self) -> tuple[int, int]:
        """The number of clusters of each side, without rows and columns of unclustered records."""
        names = self._start.names
        if names.unclustered_count(0) or names.unclustered_count(1):  # edits may have put some into clusters
            names = self.counted().names
        return self.counts.rows - names.unclustered_count(0), self.counts.columns - names.unclustered_count(1)

    def place_for(self, reference: Any, candidate: Any) -> Place:
        """The overlap of the clusters of these labels, which are new clusters if there are none yet."""
        u, v = checked(reference, "reference"), checked(candidate, "candidate")
        row, column = self.labels[0].find(u), self.labels[1].find(v)
        return self._new(0, u) if row is None else row, self._new(1, v) if column is None else column

    def _new(self, side: int, label: Any) -> int:
        number = self.cells.rows_columns[side].new()
        self.labels[side].name(number, label)
        return number

    def check_unused(self, side: int, label: Any) -> None:
        """Refuse the label of an existing cluster for a new one."""
        if self.labels[side].find(label) is not None:
            raise InputError(f"there is a cluster {quoted(label)} already; a split makes a new one")

    def overlap(self, side: int, cluster: Any, other: Any) -> Counter[Place]:
        """The overlap of a cluster of a side with one of the other side, and its number of records."""
        number, across = self.labels[side].number(cluster), self.labels[1 - side].number(other)
        held = self.cells.rows_columns[side].seen(number).get(across, 0)
        if not held:
            raise InputError(f"{quoted(cluster)} and {quoted(other)} have no record in common")
        return Counter({(across, number) if side else (number, across): held})

    def places(self, side: int, records: list[Any]) -> Counter[Place]:
        """The overlaps of records of one cluster of a side or of none, and how many are in each."""
        if not records:
            raise InputError("no records were named to be split off")
        places = Counter(self.records.place(record) for record in records)
        labels = {self.labels[side].label(number) for number in {place[side] for place in places}} - {None}
        if len(labels) > 1:
            known = sorted(map(quoted, labels))
            raise InputError(
                f"the records to split off are in {len(known)} clusters ({', '.join(known[:3])}"
                f"{', ...' if len(known) > 3 else ''}); a split takes records of one"
            )
        return places

    def take_unnamed(self, place: Place, many: int, new: Place | None) -> None:
        """Take unnamed records first; named ones may be moved with them, but are removed only by name."""
        held = self.cells.cell(*place)
        if many > held:
            labels = [quoted(side.label(number)) for side, number in zip(self.labels, place, strict=True)]
            raise InputError(
                f"{' and '.join(labels)} share {counted(held, 'record')}, so {many} cannot be removed"
            )
        if not self.records.have_names:
            return
        named = list(self.records.members(place))
        wanted = many - (held - len(named))
        if wanted > 0 and new is None:
            raise InputError(f"the records there have names; remove them by name, such as {quoted(named[0])}")
        for record in islice(named, max(wanted, 0)):
            self.records.put(record, new)
