"""The names of the clusters of one side while they are edited."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.labels import is_missing
from concordant.counts.counted_sides import KnownLabels, Names
from concordant.counts.profile import Profile
from concordant.engines.live.profile import LiveProfile
from concordant.errors import InputError, LabelError, TableNeededError, few, kind_of
from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import quoted
from concordant.maths.arithmetic import plain

_ENDS: Final[tuple[Literal["left", "right"], ...]] = ("left", "right")


class FirstLabels:
    """The labels that the clusters of one side had when the edits began, and their numbers by label.

    There may be millions, of which few are ever asked for: integers are sorted once and searched, others go
    into a dict, and neither is done before the first lookup.

    >>> first = FirstLabels(lambda: np.array([7, 5, 9, 5]))
    >>> list(first.numbers(5)), list(first.numbers(8)), first.largest
    ([1, 3], [], 9)
    """

    def __init__(self, labels: Callable[[], Sequence[Any] | NDArray[Any]]) -> None:
        self._read = labels

    @cached_property
    def labels(self) -> Sequence[Any] | NDArray[Any]:
        """The label of each cluster; None where it has none."""
        return self._read()

    @cached_property
    def largest(self) -> int | None:
        """The largest label, if there are labels and all are whole numbers."""
        labels = self.labels
        if isinstance(labels, np.ndarray):
            return int(labels.max()) if len(labels) else None
        known = [label for label in labels if label is not None]
        return max(map(int, known)) if known and all(map(_is_whole, known)) else None

    def numbers(self, label: Any) -> Iterator[int]:
        """The numbers of all clusters that had this label."""
        if not isinstance(self.labels, np.ndarray):
            return iter(self._by_label.get(label, ()))
        if not isinstance(label, int | float) or label != label // 1 or self.largest is None:
            return iter(())
        if not np.iinfo(self.labels.dtype).min <= label <= self.largest:  # labels made up later are larger
            return iter(())
        order, ascending = self._ascending
        begin, end = (np.searchsorted(ascending, self.labels.dtype.type(label), side) for side in _ENDS)
        return (int(number) for number in order[begin:end])

    @cached_property
    def _ascending(self) -> tuple[NDArray[np.int64], NDArray[Any]]:
        labels = np.asarray(self.labels)
        order = np.argsort(labels, kind="stable")
        return order, labels[order]

    @cached_property
    def _by_label(self) -> dict[Any, list[int]]:
        numbers: dict[Any, list[int]] = {}
        for number, label in enumerate(self.labels):
            if label is not None:
                numbers.setdefault(label, []).append(number)
        return numbers


class ClusterLabels:
    """The label of each cluster by its number, and the number by its label."""

    def __init__(self, side: SideName, label: Callable[[int], Any], first: FirstLabels) -> None:
        self._side, self._first_label, self._first = side, label, first
        self._own: dict[int, Any] = {}  # of clusters that are new, were renamed, or are gone
        self._numbers: dict[Any, int] = {}  # the numbers of those, by label
        self._fresh: tuple[str, int] | None = None  # prefix and number of the next fresh label

    def copy(self) -> ClusterLabels:
        other = ClusterLabels(self._side, self._first_label, self._first)
        other._own, other._numbers = dict(self._own), dict(self._numbers)
        return other

    def label(self, number: int) -> Any:
        """The label of the cluster; None if it has none."""
        return self._own[number] if number in self._own else self._first_label(number)

    def find(self, label: Any) -> int | None:
        """The number of the cluster of that label, None where there is none."""
        label = checked(label, self._side)
        if label in self._numbers:
            return self._numbers[label]
        found = list(islice((number for number in self._first.numbers(label) if number not in self._own), 2))
        if len(found) > 1:
            raise InputError(
                f"several clusters of the {self._side} have the label {quoted(label)}; name their records "
                "instead"
            )
        return found[0] if found else None

    def number(self, label: Any) -> int:
        """The number of the cluster of that label; an error that names it where there is none."""
        number = self.find(label)
        if number is None:
            known = few(self._known())
            raise InputError(
                f"the {self._side} has no cluster {quoted(label)}; it has {known or 'no clusters'}"
            )
        return number

    def name(self, number: int, label: Any) -> None:
        """Call a cluster by this label from now on."""
        label = checked(label, self._side)
        self._numbers[label] = number
        self._own[number] = label

    def drop(self, number: int) -> None:
        """Forget a cluster that is empty, so its label is free."""
        label = self._own.get(number)
        if label is not None and self._numbers.get(label) == number:
            del self._numbers[label]
        self._own[number] = None

    def fresh(self) -> Any:
        """A label that no cluster has or had: the next number if all are numbers, else a string."""
        if self._fresh is None:
            known = [*self._numbers, *([self._first.largest] if len(self._first.labels) else [])]
            numbered = bool(known) and all(map(_is_whole, known))
            self._fresh = ("", int(max(known)) + 1) if numbered else ("new_", 1)
        prefix, number = self._fresh
        while not self._is_free(label := f"{prefix}{number}" if prefix else number):
            number += 1
        self._fresh = prefix, number + 1
        return label

    def _is_free(self, label: Any) -> bool:
        return label not in self._numbers and next(self._first.numbers(label), None) is None

    def _known(self) -> Iterator[Any]:
        """The labels of all current clusters, the initial ones first."""
        first = enumerate(self._first.labels)
        yield from (plain(label) for number, label in first if label is not None and number not in self._own)
        yield from self._numbers


def checked(label: Any, side: SideName) -> Hashable:
    """A label of one cluster, as Python's own; refused where it cannot be one."""
    if type(label) is int or type(label) is str:  # the common ones first, since streams are long
        return label
    label = plain(label)
    if label is None or is_missing(label):
        raise LabelError(
            f"{label!r} cannot be a label of the {side}; name the cluster, or leave the record out"
        )
    try:
        hash(label)
    except TypeError:
        raise LabelError(
            f"a label of the {side} is {kind_of(label)}, which is not hashable; a label is a number, a "
            "string or another hashable value"
        ) from None
    hashable: Hashable = label
    return hashable


def _is_whole(label: Any) -> bool:
    return isinstance(label, int | np.integer) and not isinstance(label, bool)


Place = tuple[int, int]  # the numbers of a record's clusters, of the reference and of the candidate


class FirstRecords:
    """The records of a comparison by their position, as they were when the edits began."""

    def __init__(self, names: Names, profile: Profile) -> None:
        self.names, self._records, self._profile = names, names.records, profile
        self._positions: dict[Any, int] | None = None
        self._by_cell: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        return len(self._records.cell)

    def name(self, position: int) -> Any:
        return self._records.record(position)

    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The row and the column of each record."""
        cell, table = self._records.cell, self._profile.table
        return table.row[cell], table.column[cell]

    def place(self, position: int) -> Place:
        cell, table = self._records.cell[position], self._profile.table
        return int(table.row[cell]), int(table.column[cell])

    def find(self, record: Any) -> int | None:
        """The position of a record by its name; records without names go by their positions."""
        if self._positions is None:
            if type(record) is int and 0 <= record < len(self) and self.name(record) == record:
                return record
            self._positions = {self.name(position): position for position in range(len(self))}
        try:
            return self._positions.get(record)
        except TypeError:
            return None

    def members(self, rows: Iterable[int], columns: Iterable[int]) -> Iterator[int]:
        """The positions of the records in the overlaps of these rows with these columns."""
        if self._by_cell is None:
            self._by_cell = core.grouped(self._records.cell)
        order, start = self._by_cell
        table, wanted = self._profile.table, np.array(sorted(columns), dtype=np.int64)
        for row in sorted(rows):
            first, last = np.searchsorted(table.row, (row, row + 1))
            for cell in first + np.flatnonzero(np.isin(table.column[first:last], wanted)):
                yield from order[start[cell] : start[cell + 1]].tolist()


class LiveRecords:
    """The current clusters of each named record."""

    def __init__(self, first: FirstRecords | None, clusters: tuple[int, int]) -> None:
        self._first = first
        self._clusters = clusters  # how many there were on each side at the beginning
        self._placed: dict[Any, Place | None] = {}  # of records that came, moved or left
        self._gone: dict[int, Any] = {}  # records that moved or left, by their position
        self._arrived: dict[Place, dict[Any, None]] = {}  # records that came or moved, in order
        self._into: tuple[dict[int, int], dict[int, int]] = ({}, {})  # clusters that were absorbed
        self._origins: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})

    def copy(self) -> LiveRecords:
        other = LiveRecords(self._first, self._clusters)
        other._placed, other._gone = dict(self._placed), dict(self._gone)
        other._arrived = {place: dict(held) for place, held in self._arrived.items()}
        other._into = (dict(self._into[0]), dict(self._into[1]))
        u, v = ({number: list(held) for number, held in side.items()} for side in self._origins)
        other._origins = (u, v)
        return other

    @property
    def have_names(self) -> bool:
        """Whether any record has a name."""
        return self._first is not None or bool(self._placed)

    def __len__(self) -> int:
        first = 0 if self._first is None else len(self._first)
        return first - len(self._gone) + sum(place is not None for place in self._placed.values())

    def find(self, record: Any) -> Place | None:
        """The clusters of a record; None where there is no such record."""
        try:
            known = record in self._placed
        except TypeError:
            return None
        if known:
            place = self._placed[record]
        else:
            position = None if self._first is None else self._first.find(record)
            place = None if position is None or self._first is None else self._first.place(position)
        return None if place is None else (self._current(0, place[0]), self._current(1, place[1]))

    def place(self, record: Any) -> Place:
        """The clusters of a record; an error that names it where there is no such record."""
        place = self.find(record)
        if place is None:
            why = "" if self.have_names else ": no record was named when it was added"
            raise InputError(f"there is no record {quoted(record)} in this comparison{why}")
        return place

    def check_new(self, record: Any) -> None:
        """Refuse what cannot be the name of a further record."""
        try:
            hash(record)
        except TypeError:
            raise InputError(f"a record name must be hashable, unlike {record!r}") from None
        if record is None:
            raise InputError("a record cannot be named None; leave out record= if it has no name")
        if self.find(record) is not None:
            raise InputError(f"there is a record {quoted(record)} already; move it, or remove it first")

    def put(self, record: Any, place: Place | None) -> None:
        """Let a record be in this overlap from now on; nowhere where ``place`` is None."""
        before = self.find(record)
        if before is not None:
            self._leave(record, before)
        self._placed[record] = place
        if place is not None:
            self._arrived.setdefault(place, {})[record] = None
        elif self._first is None or self._first.find(record) is None:
            del self._placed[record]

    def _leave(self, record: Any, place: Place) -> None:
        if record in self._placed:
            held = self._arrived[place]
            del held[record]
            if not held:
                del self._arrived[place]
            return
        position = None if self._first is None else self._first.find(record)
        if position is not None:
            self._gone[position] = record

    def absorb(self, side: int, absorbed: int, into: int, others: Iterable[int]) -> None:
        """Let all records of one cluster be in another; ``others`` are the clusters it overlaps with."""
        self._into[side][absorbed] = into
        self._origins[side][into] = [*self._of(side, into), *self._of(side, absorbed)]
        self._origins[side][absorbed] = []
        for other in others:
            here, there = ((other, absorbed), (other, into)) if side else ((absorbed, other), (into, other))
            came = self._arrived.pop(here, None)
            if came:
                self._arrived.setdefault(there, {}).update(came)

    def first_members(self, places: Iterable[Place]) -> dict[Place, Any]:
        """A record of each of these overlaps; None where none is known."""
        distinct = list(dict.fromkeys(places))
        if self._first is None or self._placed or self._gone or any(self._into):
            return {place: next(self.members(place), None) for place in distinct}
        return {
            place: found[0]
            for place, found in zip(distinct, self._first.names.examples(distinct, 1), strict=True)
        }

    def members(self, place: Place) -> Iterator[Any]:
        """The names of the records of an overlap."""
        if self._first is not None:
            origins = self._of(0, place[0]), self._of(1, place[1])
            for position in self._first.members(*origins):
                if position not in self._gone:
                    yield self._first.name(position)
        yield from tuple(self._arrived.get(place, ()))

    def names_and_places(self) -> tuple[list[Any], NDArray[np.int64], NDArray[np.int64]]:
        """Every record that is named, with the numbers of its clusters; those of the beginning come first."""
        came = {record: place for record, place in self._placed.items() if place is not None}
        names: list[Any] = []
        rows = columns = np.empty(0, dtype=np.int64)
        if self._first is not None:
            names = [self._first.name(position) for position in range(len(self._first))]
            u, v = self._first.places()
            rows, columns = self._all_current(0, u), self._all_current(1, v)
            moved = {position: came.pop(record) for position, record in self._gone.items() if record in came}
            rows[list(moved)] = [self._current(0, place[0]) for place in moved.values()]
            columns[list(moved)] = [self._current(1, place[1]) for place in moved.values()]
            here = np.ones(len(names), dtype=bool)
            here[[position for position in self._gone if position not in moved]] = False
            names = [name for name, kept in zip(names, here.tolist(), strict=True) if kept]
            rows, columns = rows[here], columns[here]
        u = np.array([self._current(0, place[0]) for place in came.values()], dtype=np.int64)
        v = np.array([self._current(1, place[1]) for place in came.values()], dtype=np.int64)
        return [*names, *came], np.concatenate([rows, u]), np.concatenate([columns, v])

    def _of(self, side: int, number: int) -> list[int]:
        """The clusters of the beginning that a cluster is made of."""
        own = [number] if number < self._clusters[side] else []
        return self._origins[side].get(number, own)

    def _current(self, side: int, number: int) -> int:
        into = self._into[side]
        while number in into:
            number = into[number]
        return number

    def _all_current(self, side: int, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        now = np.arange(self._clusters[side])
        for absorbed in self._into[side]:
            if absorbed < len(now):
                now[absorbed] = self._current(side, absorbed)
        return now[numbers]


_WHY_NO_RECORDS = (
    "some records of this comparison were added without a name, so their clusters are not known; add each "
    "with record=..., or compare the labels themselves"
)


class LiveNames:
    """Labels and records at one moment; later edits do not change them."""

    def __init__(
        self,
        profile: LiveProfile,
        labels: tuple[ClusterLabels, ClusterLabels],
        records: LiveRecords,
        first: Names,  # those that the edits began with
        known_labels: KnownLabels,
    ) -> None:
        self._first = first
        self._profile, self._labels, self._records = profile, labels, records
        self.known_labels, self.has_record_names = known_labels, True

    @property
    def records(self) -> LiveNames:
        if len(self._records) != self._profile.size:
            raise TableNeededError(_WHY_NO_RECORDS)
        return self

    def cluster(self, side: int, number: int, /) -> Any:
        return self._labels[side].label(self._numbers[side][number])

    def clusters(self, side: int, /) -> Sequence[Any]:
        return [self._labels[side].label(number) for number in self._numbers[side]]

    def examples(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        rows, columns = self._numbers
        places = [(rows[row], columns[column]) for row, column in cells]
        return [tuple(islice(self._records.members(place), max(each, 0))) for place in places]

    @cached_property
    def _numbers(self) -> tuple[list[int], list[int]]:
        rows, columns = self._profile.numbers()
        return rows.tolist(), columns.tolist()

    # -- each record ----------------------------------------------------------------------------

    @cached_property
    def _each(self) -> tuple[list[Any], NDArray[np.int64], NDArray[np.int64]]:
        names, rows, columns = self._records.names_and_places()
        row_numbers, column_numbers = self._profile.numbers()
        return names, np.searchsorted(row_numbers, rows), np.searchsorted(column_numbers, columns)

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

    def unclustered_count(self, side: int, /) -> int:
        return len(self.unclustered(side))

    def unclustered(self, side: int, /) -> NDArray[np.int64]:
        numbers, first = np.array(self._numbers[side], dtype=np.int64), self._first.unclustered(side)
        sizes = self._profile.table.column_sizes if side else self._profile.table.row_sizes
        places = np.flatnonzero(np.isin(numbers, first) & (sizes == 1))
        label = self._labels[side].label
        return places[[label(number) is None for number in numbers[places].tolist()]]

    def given(self, position: int, /) -> tuple[Any, Any]:
        """The labels that a record has by now on the two sides."""
        return self.labels(position)

    def labels(self, position: int, /) -> tuple[Any, Any]:
        """The labels of a record's clusters on the two sides."""
        _, row, column = self._each
        return self.cluster(0, int(row[position])), self.cluster(1, int(column[position]))
