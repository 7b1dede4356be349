"""Live counts: two partitions whose records and clusters come, go, move, merge and split."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import Any, Final, Self

import numpy as np

from concordant.counts.counted import Counted
from concordant.counts.profile import Profile
from concordant.counts.sides import SideName
from concordant.counts.spelling import counted, quoted
from concordant.engines.live.labels import ClusterLabels, FirstLabels, checked
from concordant.engines.live.lines import LiveCells
from concordant.engines.live.profile import LiveProfile
from concordant.engines.live.records import FirstRecords, LiveNames, LiveRecords, Place
from concordant.engines.lock import Guarded, one_at_a_time
from concordant.errors import InputError, LengthError, ParameterError, TableNeededError

_LEFT_OUT: Final[Any] = object()  # a name or a label that was not given, since None may be a mistake
_EMPTY = np.zeros((0, 0), dtype=np.int64)
_CONVENTIONS = {"unmatched": "error", "noise": "none"}
_NUMBERS: dict[SideName, int] = {"reference": 0, "candidate": 1}


class LiveCounts(Guarded):
    """The counts of two partitions that are edited; sums follow each edit, so that reading costs nothing.

    >>> live = LiveCounts().add("a", 1).add("a", 1).add("b", 2)
    >>> live.size, live.counts.columns
    (3, 2)
    """

    def __init__(self, *, window: int | None = None) -> None:
        if window is not None and (isinstance(window, bool) or not isinstance(window, int) or window < 1):
            raise ParameterError(f"window={window!r}: it is the number of records to keep, 1 or more")
        self._window = window
        self._recent: deque[Any] = deque()  # the records in the window, oldest first
        self._running = 0  # the next name of a record that has none, where the window needs names
        self.begin(Counted.of(Profile.from_contingency(_EMPTY)))

    @one_at_a_time
    def begin(self, start: Counted) -> Self:
        """Start from what an engine counted; whatever was here before goes."""
        if start.counts.kind == "partial_overlap":
            raise InputError(
                "each side of this comparison keeps records that the other lacks, and edits need both labels "
                "of every record",
                remedies=start.counts.remedies,
            )
        profile = start.counts.partitions
        self._start, self._cells = start, profile.view(LiveCells).copy()
        rows, columns = len(profile.table.row_sizes), len(profile.table.column_sizes)
        self._labels = (
            ClusterLabels("reference", start.names.reference, FirstLabels(start.names.reference_labels)),
            ClusterLabels("candidate", start.names.candidate, FirstLabels(start.names.candidate_labels)),
        )
        try:
            first = FirstRecords(start.names, profile.table)
        except TableNeededError:  # which records these are is not known without a query
            first = None
        self._records = LiveRecords(first, (rows, columns))
        self._profile = LiveProfile(self._cells, profile)
        return self

    # -- what is there --------------------------------------------------------------------------

    @property
    def counts(self) -> LiveProfile:
        """What indices read, as it is now."""
        return self._profile

    @property
    def size(self) -> int:
        """How many records there are."""
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

    @one_at_a_time
    def where(self, record: Any) -> tuple[Any, Any]:
        """The labels of a record on the two sides.

        >>> LiveCounts().add("a", 1, record="r1").where("r1")
        ('a', 1)
        """
        row, column = self._records.place(record)
        return self._labels[0].label(row), self._labels[1].label(column)

    # -- records --------------------------------------------------------------------------------

    @one_at_a_time
    def add(self, reference: Any, candidate: Any, *, record: Any = _LEFT_OUT, count: int = 1) -> Self:
        """Add a record by its labels on the two sides; clusters that are new begin with it.

        record  its name, by which it can be moved and removed later
        count   how many records without a name to add at once

        Two lists or arrays of labels are a batch, whose names ``record`` lists.

        >>> LiveCounts().add("a", 1, count=3).add(["a", "b"], [1, 2]).size
        5
        """
        if _is_batch(reference) or _is_batch(candidate):
            return self._add_batch(reference, candidate, record)
        _check_count(count, named=record is not _LEFT_OUT)
        if record is not _LEFT_OUT:
            self._check_new(record)
        u, v = checked(reference, "reference"), checked(candidate, "candidate")
        row, column = self._named(0, u), self._named(1, v)
        if record is _LEFT_OUT and self._window is not None:
            for _ in range(count):
                self._add_named(self._running, (row, column))
                self._running += 1
        elif record is _LEFT_OUT:
            self._cells.change(row, column, count)
        else:
            self._add_named(record, (row, column))
        return self

    def _check_new(self, record: Any) -> None:
        try:
            hash(record)
        except TypeError:
            raise InputError(
                f"a record is named by a value that a dict takes as a key, not {record!r}"
            ) from None
        if record is None:
            raise InputError("a record is named None; leave record= out where it has no name")
        if self._records.find(record) is not None:
            raise InputError(f"there is a record {quoted(record)} already; move it, or remove it first")

    def _add_named(self, record: Any, place: Place) -> None:
        self._cells.change(*place, 1)
        self._records.put(record, place)
        if self._window is not None:
            self._recent.append(record)
            while len(self._recent) > self._window:
                self._forget(self._recent.popleft())

    def _forget(self, record: Any) -> None:
        """Take a record out of the window, unless it was removed before."""
        if self._records.find(record) is not None:
            self.remove(record)

    def _add_batch(self, reference: Any, candidate: Any, records: Any) -> Self:
        if records is _LEFT_OUT and self._window is None:
            from concordant.engines.accumulator import CellAccumulator  # many never need it

            batch = CellAccumulator().add(reference, candidate)
            if not self.size and not self._cells.edits and batch.elements:
                self.begin(batch.counted())
                return self
            for u, v, n in batch:
                self.add(u, v, count=n)
            return self
        u, v = list(reference), list(candidate)
        names = [_LEFT_OUT] * len(u) if records is _LEFT_OUT else list(records)
        if not len(u) == len(v) == len(names):
            raise LengthError(
                f"{len(u):,} labels of the reference, {len(v):,} of the candidate and {len(names):,} names: "
                "a batch has one of each for every record"
            )
        for each, other, name in zip(u, v, names, strict=True):
            self.add(each, other, record=name)
        return self

    @one_at_a_time
    def remove(
        self,
        record: Any = _LEFT_OUT,
        *,
        reference: Any = _LEFT_OUT,
        candidate: Any = _LEFT_OUT,
        count: int = 1,
    ) -> Self:
        """Remove a record by its name, or as many as ``count`` without one by their labels.

        >>> LiveCounts().add("a", 1, record="r1").add("a", 2, count=3).remove("r1").size
        3
        """
        _check_count(count, named=record is not _LEFT_OUT)
        if record is not _LEFT_OUT:
            place = self._records.place(record)
            self._records.put(record, None)
        else:
            place = self._cell(reference, candidate)
            self._take_unnamed(place, count, None)
        self._cells.change(*place, -count)
        self._tidy(place)
        return self

    @one_at_a_time
    def move(
        self,
        record: Any = _LEFT_OUT,
        to: Any = _LEFT_OUT,
        *,
        reference: Any = _LEFT_OUT,
        candidate: Any = _LEFT_OUT,
        count: int = 1,
        side: SideName = "candidate",
    ) -> Self:
        """Move a record to another cluster, of the candidate unless ``side`` says otherwise.

        Without a name, ``reference`` and ``candidate`` say which of the records that share these clusters.

        >>> live = LiveCounts().add("a", 1, record="r1").add("a", 2, record="r2")
        >>> live.move("r1", 2).where("r1")
        ('a', 2)
        """
        edited = _side(side)
        _check_count(count, named=record is not _LEFT_OUT)
        if to is _LEFT_OUT:
            raise ParameterError("move() needs the cluster to move to, as to=")
        place = self._cell(reference, candidate) if record is _LEFT_OUT else self._records.place(record)
        target = self._labels[edited].number(to)
        if place[edited] == target:
            raise InputError(
                f"the record is in cluster {quoted(to)} already, so that there is nothing to move"
            )
        new = (place[0], target) if edited else (target, place[1])
        if record is not _LEFT_OUT:
            self._records.put(record, new)
        self.shift(place, new, count, named=record is not _LEFT_OUT)
        return self

    def _take_unnamed(self, place: Place, many: int, new: Place | None) -> None:
        """Let records without a name go first; named ones are moved along, but not removed unnamed."""
        held = self._cells.cell(*place)
        if many > held:
            labels = [quoted(side.label(number)) for side, number in zip(self._labels, place, strict=True)]
            raise InputError(
                f"{' and '.join(labels)} share {counted(held, 'record')}, so that {many} cannot be taken out"
            )
        if not self._records.are_known:
            return
        named = list(self._records.members(place))
        wanted = many - (held - len(named))
        if wanted > 0 and new is None:
            raise InputError(f"the records there have names; remove them by name, such as {quoted(named[0])}")
        for record in islice(named, max(wanted, 0)):
            self._records.put(record, new)

    # -- clusters -------------------------------------------------------------------------------

    @one_at_a_time
    def merge(self, *clusters: Any, into: Any = _LEFT_OUT, side: SideName = "candidate") -> Any:
        """Merge clusters of one side; the first keeps its label unless ``into`` says otherwise.

        Returns the label of the merged cluster.

        >>> live = LiveCounts().add("a", 1).add("a", 2).add("b", 3)
        >>> live.merge(1, 2), live.counts.columns
        (1, 2)
        """
        edited = _side(side)
        if len(clusters) == 1 and isinstance(clusters[0], list | set | frozenset):
            clusters = tuple(clusters[0])
        numbers = [self._labels[edited].number(label) for label in clusters]
        if len(numbers) < 2:
            raise InputError(f"a merge needs two clusters or more, and {len(numbers)} was named")
        if len(set(numbers)) < len(numbers):
            raise InputError("a merge names a cluster twice")
        label = clusters[0] if into is _LEFT_OUT else into
        other = self._labels[edited].find(label)
        if other is not None and other not in numbers:
            raise InputError(
                f"into={quoted(label)} is another cluster of the {side}; name it among those to be merged"
            )
        return self.merge_numbers(edited, numbers, label)

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

    @one_at_a_time
    def split(
        self,
        records: Collection[Any] | None = None,
        *,
        cluster: Any = _LEFT_OUT,
        of: Any = _LEFT_OUT,
        to: Any = _LEFT_OUT,
        side: SideName = "candidate",
    ) -> Any:
        """Split records off their cluster; they become a cluster of their own, whose label is returned.

        records  the names of records of one cluster; records in no cluster, such as noise, may join them
        cluster  instead of records: the cluster to split, and with ``of`` the cluster of the other side
                 whose records become a cluster of their own
        to       the label of the new cluster; left out, the next number or a text that no cluster has

        >>> live = LiveCounts().add(["a", "a", "b"], [1, 1, 1])
        >>> live.split(cluster=1, of="b"), live.counts.columns
        (2, 2)
        """
        edited = _side(side)
        new_label = self._new_label(edited, to)
        if records is None:
            shares = self._cell_to_split(edited, cluster, of)
            named: list[Any] = []
        elif cluster is not _LEFT_OUT or of is not _LEFT_OUT:
            raise ParameterError("split() takes records, or cluster= and of=, not both")
        else:
            if isinstance(records, str | bytes):
                raise ParameterError(
                    f"split() takes a collection of records, such as [{records!r}], not one text"
                )
            named = list(records)
            if len(set(named)) < len(named):
                raise InputError("the records to split off name one twice")
            shares = self._shares_of(edited, named)
        numbers = {place[edited] for place in shares}
        if len(numbers) == 1 and shares.total() == self._cells.rows_columns[edited].size(*numbers):
            label = quoted(self._labels[edited].label(*numbers))
            raise InputError(
                f"these are all records of cluster {label}, so that there is nothing to split off"
            )
        new = self._cells.rows_columns[edited].new()
        self._labels[edited].name(new, new_label)
        for record in named:
            place = self._records.place(record)
            self._records.put(record, (place[0], new) if edited else (new, place[1]))
        for here, n in shares.items():
            self.shift(here, (here[0], new) if edited else (new, here[1]), n, named=bool(named))
        return new_label

    def split_cell(self, place: Place) -> None:
        """Let all records of an overlap become a candidate cluster of their own."""
        new = self._cells.rows_columns[1].new()
        self._labels[1].name(new, self._labels[1].fresh())
        self.shift(place, (place[0], new), self._cells.cell(*place))

    def shift(self, here: Place, there: Place, many: int = 1, *, named: bool = False) -> None:
        """Take records from one overlap to another; ``named`` says that their names were taken along."""
        if not named:
            self._take_unnamed(here, many, there)
        self._shift(here, there, many)
        self._tidy(here)

    def cluster(self, side: int, number: int) -> Any:
        """The label of a cluster by its number."""
        return self._labels[side].label(number)

    def first_members(self, places: Iterable[Place]) -> dict[Place, Any]:
        """A record of each of these overlaps; None where none is known."""
        return self._records.first_members(places)

    def _new_label(self, side: int, label: Any) -> Any:
        if label is _LEFT_OUT:
            return self._labels[side].fresh()
        if self._labels[side].find(label) is not None:
            raise InputError(f"there is a cluster {quoted(label)} already; a split makes a new one")
        return label

    def _cell_to_split(self, side: int, cluster: Any, of: Any) -> Counter[Place]:
        if cluster is _LEFT_OUT or of is _LEFT_OUT:
            raise ParameterError("split() needs the records to split off, or cluster= and of=")
        number, across = self._labels[side].number(cluster), self._labels[1 - side].number(of)
        held = self._cells.rows_columns[side].seen(number).get(across, 0)
        if not held:
            raise InputError(f"{quoted(cluster)} and {quoted(of)} have no record in common")
        return Counter({(across, number) if side else (number, across): held})

    def _shares_of(self, side: int, records: list[Any]) -> Counter[Place]:
        """How many of these records are in each overlap; they are in one cluster or in none."""
        if not records:
            raise InputError("no records were named to be split off")
        shares = Counter(self._records.place(record) for record in records)
        found = {self._labels[side].label(number) for number in {place[side] for place in shares}} - {None}
        if len(found) > 1:
            labels = sorted(map(quoted, found))
            raise InputError(
                f"the records to split off are in {len(labels)} clusters ({', '.join(labels[:3])}"
                f"{', ...' if len(labels) > 3 else ''}); a split takes records of one"
            )
        return shares

    # -- helpers --------------------------------------------------------------------------------

    def _named(self, side: int, label: Any) -> int:
        """The cluster of that label, new where there is none yet."""
        number = self._labels[side].find(label)
        if number is None:
            number = self._cells.rows_columns[side].new()
            self._labels[side].name(number, label)
        return number

    def _cell(self, reference: Any, candidate: Any) -> Place:
        if reference is _LEFT_OUT or candidate is _LEFT_OUT:
            raise ParameterError("name the record, or give both of its labels, as reference= and candidate=")
        return self._labels[0].number(reference), self._labels[1].number(candidate)

    def _shift(self, here: Place, there: Place, many: int) -> None:
        self._cells.change(*here, -many)
        self._cells.change(*there, many)

    def _tidy(self, place: Place) -> None:
        for side, number in enumerate(place):
            if not self._cells.rows_columns[side].size(number):
                self._labels[side].drop(number)

    @one_at_a_time
    def __repr__(self) -> str:
        p, unclustered = self.counts, self._start.names.in_no_cluster
        if any(unclustered):  # edits may have put some into clusters
            unclustered = self.counted().names.in_no_cluster
        clusters = f"{p.rows - unclustered[0]:,} against {counted(p.columns - unclustered[1], 'cluster')}"
        return f"<{type(self).__name__} of {counted(self.size, 'record')}: {clusters}>"


_ONE_LABEL = (int, str, bytes, tuple, Mapping, frozenset)


def _is_batch(labels: Any) -> bool:
    """Whether these are the labels of many records: a label has no length unless it is a text or a tuple."""
    if isinstance(labels, _ONE_LABEL):
        return False
    return hasattr(labels, "__len__") and getattr(labels, "ndim", 1) != 0


def _check_count(count: int, *, named: bool) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ParameterError(f"count={count!r}: it is how many records, 1 or more")
    if named and count != 1:
        raise ParameterError(f"count={count!r}: a record that has a name is one; leave count out")


def _side(side: str) -> int:
    if not isinstance(side, str) or side not in _NUMBERS:
        raise ParameterError(f"side={side!r}: use 'reference' or 'candidate'")
    return _NUMBERS[side]
