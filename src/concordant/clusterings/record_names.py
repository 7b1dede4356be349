"""The names of records and clusters of two partitions in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.alignment import Aligned, order_of, values_by_record, with_labels
from concordant.clusterings.labels import cluster_label
from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import NO_CLUSTERS, KnownLabels
from concordant.counts.overlaps import DisagreeingClusters
from concordant.counts.profile import Profile
from concordant.maths.arithmetic import plain

_SEARCHES = 8  # searches through all records before an index of them is built


class RecordNames:
    """The names of records and clusters of two aligned partitions."""

    known_labels: KnownLabels = "all"

    def __init__(
        self,
        aligned: Aligned,
        profile: Profile,
        elements: tuple[
            Any, Any
        ],  # names of the elements of each side by position, None where they have none
        originals: tuple[Any, Any],  # the labels of each side by position
        alone: tuple[tuple[Any, ...], tuple[Any, ...]] = ((), ()),  # those of singletons
        *,
        order: Any = None,  # the names of the input of the reference, if that is a part of it
    ) -> None:
        self._sides, self._profile = aligned, profile
        self._elements, self._originals, self._alone = elements, originals, alone
        self._order, self._searches = order, 0
        self._unclustered: dict[int, NDArray[np.int64]] = {}
        profile.take_names(self)

    @property
    def _aligned(self) -> Aligned:
        return self._sides.kept

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._profile.take_names(self)

    def with_labels(
        self,
        reference: NDArray[np.int64] | None,
        candidate: NDArray[np.int64] | None,
        count: Callable[[Aligned], Profile],
    ) -> RecordNames:
        """The same records in other clusters, given by their codes; None leaves a side unchanged."""
        aligned = with_labels(self._aligned, reference, candidate)
        given = (reference, candidate)
        originals = [old if new is None else new for old, new in zip(self._originals, given, strict=True)]
        alone = [old if new is None else () for old, new in zip(self._alone, given, strict=True)]
        return RecordNames(
            aligned,
            count(aligned),
            self._elements,
            (originals[0], originals[1]),
            (alone[0], alone[1]),
            order=self._order,
        )

    def in_larger_input(
        self, side: int, places: NDArray[np.int64], elements: Any, originals: Any
    ) -> RecordNames:
        """The same records, where those of one side are these ones of a larger input."""
        own = self.positions(side)
        if own is not None:
            there = np.flatnonzero(own >= 0)
            in_larger = np.full(len(own), -1)
            in_larger[there] = places[own[there]]
            places = in_larger
        u, v = self.positions(0), self.positions(1)
        aligned = Aligned(
            self._aligned.reference, self._aligned.candidate, u if side else places, places if side else v
        )
        both, labels = self._elements, self._originals
        names = (both[0], elements) if side else (elements, both[1])
        given = (labels[0], originals) if side else (originals, labels[1])
        return RecordNames(aligned, self._profile, names, given, self._alone, order=self._order)

    def of_differing(self, part: DisagreeingClusters) -> RecordNames:
        """The names of the clusters that differ, by their own numbers."""
        names = self._elements, self._originals, self._alone
        return RecordNames(self._aligned, part.profile, *names, order=self._order)

    def positions(self, side: int) -> NDArray[np.signedinteger[Any]] | None:
        """The position of each record in the input, -1 if it was added; None if all are in that order."""
        return self._aligned.candidate_position if side else self._aligned.reference_position

    @property
    def profile(self) -> Profile:
        """The profile of the two sides."""
        return self._profile

    def values(self, given: Any, option: str, noun: str) -> list[Any] | NDArray[Any]:
        """The value of each record, as `values_by_record` gives it."""
        if self._order is not None:
            return values_by_record(self.everyone, given, option, noun, order=self._order)
        elements, places, records = self._elements[0], self.positions(0), self.everyone
        order = order_of(elements, len(self._originals[0]))
        if places is None and not isinstance(records, range):
            places = np.arange(len(records))
        return values_by_record(records, given, option, noun, order=order, places=places)

    @property
    def has_record_names(self) -> bool:
        return any(elements is not None for elements in self._elements)

    @property
    def records(self) -> RecordNames:
        return self

    @property
    def _table(self) -> Contingency:
        return self._profile.table

    def cluster(self, side: int, number: int, /) -> Any:
        return self.label(side, int(self._first_of(side)[number]))

    def clusters(self, side: int, /) -> Sequence[Any] | NDArray[Any]:
        first, originals = self._first_of(side), self._originals[side]
        places = self._aligned.reference_position, self._aligned.candidate_position
        place = places[side]
        where = first if place is None else place[first]
        are_integers = isinstance(originals, np.ndarray) and originals.dtype.kind in "iu"
        if are_integers and not self._alone[side] and where.min(initial=0) >= 0:
            labels: NDArray[Any] = originals[where]
            return labels
        return [self.label(side, position) for position in first.tolist()]

    @property
    def labels_of_records(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The integer of the cluster of each record, on both sides."""
        return np.asarray(self._aligned.reference), np.asarray(self._aligned.candidate)

    def labels_of_clusters(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The same integers for each cluster."""
        u, v = self.labels_of_records
        return u[self._first_of(0)], v[self._first_of(1)]

    @property
    def everyone(self) -> Sequence[Any]:
        """All records by name, or by their positions in the input."""
        size, place = len(self._aligned.reference), self._aligned.reference_position
        if self._elements[0] is None and (place is None or int(place.min(initial=0)) >= 0):
            return range(size) if place is None else list(place.tolist())
        return [self.record(position) for position in range(size)]

    def record(self, position: int) -> Any:
        """The name of a record, or its position in the input."""
        where = self._where(0, position)
        side, place = (0, where) if where >= 0 else (1, self._where(1, position))
        elements = self._elements[side]
        return place if elements is None else plain(elements[place])

    def labels(self, position: int) -> tuple[Any, Any]:
        """The labels of a record's clusters on the two sides."""
        return self.label(0, position), self.label(1, position)

    def given(self, position: int) -> tuple[Any, Any]:
        """The labels of a record in the input of the two sides."""
        return self._given(0, position), self._given(1, position)

    def unclustered_count(self, side: int, /) -> int:
        return len(self.unclustered(side))

    def unclustered(self, side: int, /) -> NDArray[np.int64]:
        if side not in self._unclustered:
            self._unclustered[side] = self._found_unclustered(side)
        return self._unclustered[side]

    def _found_unclustered(self, side: int) -> NDArray[np.int64]:
        place = self._aligned.candidate_position if side else self._aligned.reference_position
        alone, originals = self._alone[side], self._originals[side]
        if not alone and (place is None or int(place.min(initial=0)) >= 0):
            return NO_CLUSTERS
        first = self._first_of(side)
        where = first if place is None else place[first]
        is_unclustered = where < 0
        if alone:
            sizes = self._table.column_sizes if side else self._table.row_sizes
            singletons = np.flatnonzero((sizes == 1) & ~is_unclustered)
            if type(originals) is np.ndarray and originals.dtype.kind in "iu" and None not in alone:
                is_unclustered[singletons] = np.isin(originals[where[singletons]], alone)
            else:
                of_each = first[singletons].tolist()
                is_unclustered[singletons] = [self.label(side, position) is None for position in of_each]
        return np.flatnonzero(is_unclustered)

    def examples(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        if not each or not cells:
            return [()] * len(cells)
        self._searches += 1
        rows, columns = np.array(cells, dtype=np.int64).T
        # A search through the records finds a few cells quickly; for repeated questions an index pays.
        find = self._search if self._searches <= _SEARCHES else self._look_up
        return [tuple(map(self.record, found[:each].tolist())) for found in find(rows, columns)]

    def _search(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """The records of each of these cells, in one pass over all."""
        u, v = np.asarray(self._aligned.reference), np.asarray(self._aligned.candidate)
        u_wanted, row_code = np.unique(u[self._first_of(0)[rows]], return_inverse=True)
        v_wanted, column_code = np.unique(v[self._first_of(1)[columns]], return_inverse=True)
        within = core.among(u, u_wanted)
        within = within[core.among(v[within], v_wanted)]
        key = np.searchsorted(u_wanted, u[within]) * len(v_wanted) + np.searchsorted(v_wanted, v[within])
        wanted = row_code * len(v_wanted) + column_code
        order = np.argsort(wanted)
        place = np.minimum(np.searchsorted(wanted[order], key), len(order) - 1)
        hit = wanted[order][place] == key
        position, start = core.grouped(order[place[hit]])
        return np.split(within[hit][position], start[1:-1])

    def cut(
        self, values: NDArray[np.int64]
    ) -> tuple[Contingency, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The table, and the pieces that the values 0, 1, ... of the records cut its cells into.

        Of each piece, in the order of the cells: the cell, the value and the number of records.
        """
        u, v = np.asarray(self._aligned.reference), np.asarray(self._aligned.candidate)
        *table, cell, value, n = core.pieces(u, v, values)
        return Contingency(*table), cell, value, n

    def _look_up(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        order, start = self.by_cell
        width, keys = self._cell_keys
        numbers = np.searchsorted(keys, rows * width + columns)
        return [order[start[number] : start[number + 1]] for number in numbers.tolist()]

    @cached_property
    def _cell_keys(self) -> tuple[int, NDArray[np.int64]]:
        """Numbers that grow with the cells, which are sorted by row and column."""
        width = int(self._table.column.max(initial=0)) + 1
        return width, self._table.row * width + self._table.column

    def numbers(self, side: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The cluster of each record on a side, numbered from 0, and the first record of each cluster."""
        return core.factorize(np.asarray(self._aligned.candidate if side else self._aligned.reference))

    @cached_property
    def codes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The row and the column of each record."""
        return self.numbers(0)[0], self.numbers(1)[0]

    @property
    def column(self) -> NDArray[np.int64]:
        """The candidate cluster of each record, as a column of the table."""
        return self.codes[1]

    @cached_property
    def by_cell(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The records cell by cell, and where each cell starts among them."""
        row, column = self.codes
        order = core.grouped(column)[0]
        order = order[core.grouped(row[order])[0]]
        return order, np.concatenate([[0], np.cumsum(self._table.n)])

    @cached_property
    def cell(self) -> NDArray[np.int64]:
        """The cell of each record."""
        width, keys = self._cell_keys
        code, first = core.factorize(self.codes[0] * width + self.codes[1])
        key = self.codes[0][first] * width + self.codes[1][first]
        return np.searchsorted(keys, key)[code]

    def _first_of(self, side: int) -> NDArray[Any]:
        first = self._table.row_first if side == 0 else self._table.column_first
        return core.factorize(self.codes[side])[1] if first is None else first

    def label(self, side: int, position: int) -> Any:
        """None for a record that is a singleton because it is noise or has no label: it is in no cluster."""
        return cluster_label(self._given(side, position), self._alone[side])

    def _given(self, side: int, position: int) -> Any:
        where = self._where(side, position)
        # A record that one side lacked is a singleton there, without a label.
        return plain(self._originals[side][where]) if where >= 0 else None

    def _where(self, side: int, position: int) -> int:
        place = self._aligned.candidate_position if side else self._aligned.reference_position
        return position if place is None else int(place[position])


def spelled(names: Any) -> Any:
    """Integers as a text file has them; names of other types as they are.

    >>> spelled([10, 2]), spelled(["a", 2])
    (['10', '2'], ['a', 2])
    """
    if all(isinstance(each, int | np.integer) and not isinstance(each, bool) for each in names):
        return [str(each) for each in names]
    return names
