"""Counted: the result of every engine, from which a comparison is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Counts
from concordant.counts.contingency import LabelLookups
from concordant.counts.profile import Profile
from concordant.errors import TableNeededError
from concordant.foundation.results import ReadOnlyDict
from concordant.maths.arithmetic import read_only

# Pairs of records that are the same entity, and pairs that are different.
DecidedPairs = tuple[Sequence[tuple[Any, Any]], Sequence[tuple[Any, Any]]]


@dataclass(slots=True)
class CountedSides:
    """Two sides, counted: the sizes of their overlaps, the names of clusters and records, the conventions."""

    counts: Counts
    names: Names
    conventions: Mapping[str, str] = field(default_factory=dict)  # as the signature prints them
    audit: Mapping[str, int] = field(default_factory=dict)  # how many elements were treated specially
    images: Any = None  # the label images, if the labels were given as images: partitions.images
    are_pixels: bool = False  # whether the elements are pixels or voxels: neighbours are not independent
    noise: tuple[Any, Any] = (None, None)  # the label of each side that means noise, where one does
    # The two sources, if their own engine counted them: partitions.partition.SourcePartition.
    sources: tuple[Any, Any] | None = None
    # The two dataframes or files, if the labels are columns of them and in memory; same type as above.
    frames: tuple[Any, Any] | None = None
    observed: Any = None  # the obs of AnnData, if the labels are columns of it
    is_coreference: bool = False  # whether the elements are mentions
    decided: DecidedPairs | None = None  # pairs of records that people judged

    @classmethod
    def of(cls, profile: Profile) -> CountedSides:
        """A profile that came without anything else; the labels of its table name the clusters."""
        return cls(profile, TableLabels(profile))


_NOT_COMPARED = ("not_compared", "null_records_reference", "null_records_candidate")


def omitted_of(audit: Mapping[str, int]) -> Mapping[str, int]:
    """The records that were given and not compared, and the rows that name no record."""
    return ReadOnlyDict({key: audit[key] for key in _NOT_COMPARED if audit.get(key)})


NO_CLUSTERS: NDArray[np.int64] = read_only(np.array([], dtype=np.int64))

# A few records of each pair of cluster labels; an engine that keeps the records finds them.
Finder = Callable[[list[tuple[Any, Any]], int], list[tuple[Any, ...]]]

_FROM_COUNTS = (
    "this comparison was made from counts, which do not name the records; to score each record, compare "
    "the labels themselves or mappings from record to cluster"
)


class Records(Protocol):
    """Each record by its position in the comparison."""

    @property
    def cell(self) -> NDArray[np.int64]:
        """The table cell of each record."""

    @property
    def column(self) -> NDArray[np.int64]:
        """The candidate cluster of each record, as a column of the table."""

    @property
    def everyone(self) -> Sequence[Any]:
        """All records in order: by name, or by their positions in the input."""

    def record(self, position: int, /) -> Any:
        """The name of a record, or its position in the input."""

    def labels(self, position: int, /) -> tuple[Any, Any]:
        """The labels of a record's clusters on the two sides; None where it is in no cluster."""

    def given(self, position: int, /) -> tuple[Any, Any]:
        """The original labels of a record, including a noise label."""


# Which clusters have known labels. With "all", a singleton without a label is not a cluster. With "some", the
# labels of others may have stayed in a source. With "none", clusters go by their numbers.
KnownLabels = Literal["all", "some", "none"]


class Names(Protocol):
    """The names of clusters and records. Side 0 is the reference; one or two candidates follow."""

    @property
    def known_labels(self) -> KnownLabels:
        """Which clusters have known labels."""

    @property
    def has_record_names(self) -> bool:
        """Whether records have names; otherwise they are identified by their positions in the input."""

    @property
    def records(self) -> Records:
        """Each record; otherwise a TableNeededError gives the reason."""

    def cluster(self, side: int, number: int, /) -> Any:
        """The label of a cluster of a side; None for a singleton record that is in no cluster."""

    def clusters(self, side: int, /) -> Sequence[Any] | NDArray[Any]:
        """The labels of all clusters of a side by number; as an array where they are integers."""

    def unclustered(self, side: int, /) -> NDArray[np.int64]:
        """The numbers of the singletons of a side that are not clusters: noise, or without a label there."""

    def unclustered_count(self, side: int, /) -> int:
        """How many elements of a side are in no cluster; engines know this without their table."""

    def examples(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        """Up to ``each`` records of each overlap of these clusters, by name or else by position."""


@dataclass(frozen=True, slots=True)
class TableLabels:
    """The labels that come with the table; clusters go by their numbers where it has none.

    >>> names = TableLabels(Profile.from_contingency([[2, 0], [1, 3]], names=(["a", "b"], ["x", "y"])))
    >>> names.cluster(0, 1), names.cluster(1, 0)
    ('b', 'x')
    """

    profile: Profile
    find: Finder | None = None  # an engine that keeps the records
    why_no_records: str = _FROM_COUNTS
    calls: str = ""  # how to get them in Python
    # Elements in no cluster of the reference, of the candidate, and of both.
    unclustered_counts: tuple[int, int, int] = (0, 0, 0)

    @property
    def known_labels(self) -> KnownLabels:
        # Never all: the labels may be from a source, or from a file written from one.
        return "none" if self.profile.table.labels is None else "some"

    @property
    def has_record_names(self) -> bool:
        return True

    @property
    def records(self) -> NoReturn:
        raise TableNeededError(self.why_no_records, calls=self.calls)

    def cluster(self, side: int, number: int, /) -> Any:
        labels = self.profile.table.labels
        return number if labels is None else labels[side][number]

    def clusters(self, side: int, /) -> Sequence[Any]:
        table = self.profile.table
        return [
            self.cluster(side, number) for number in range(len((table.row_sizes, table.column_sizes)[side]))
        ]

    def unclustered_count(self, side: int, /) -> int:
        return self.unclustered_counts[side]

    def unclustered(self, side: int, /) -> NDArray[np.int64]:
        if not self.unclustered_counts[side]:
            return NO_CLUSTERS
        table, without_label = self.profile.table, []
        for end, sizes in enumerate((table.row_sizes, table.column_sizes)):
            singletons = np.flatnonzero(sizes == 1)
            chosen = np.zeros(len(sizes), dtype=bool)
            chosen[singletons] = [self.cluster(end, number) is None for number in singletons.tolist()]
            without_label.append(chosen)
        # Engines do not name singletons that both sides have. These are interchangeable, and their numbers
        # follow from the numbers of all elements in no cluster.
        ends = table.row, table.column
        unnamed = np.flatnonzero(without_label[0][ends[0]] & without_label[1][ends[1]])
        *numbers, both = self.unclustered_counts
        only = [
            number - both - int(chosen.sum()) + len(unnamed)
            for number, chosen in zip(numbers, without_label, strict=True)
        ]
        end = len(unnamed) - both - (only[0] if side else 0)
        chosen = without_label[side]
        chosen[ends[side][unnamed]] = False
        for unclustered in (unnamed[end - only[side] : end], unnamed[len(unnamed) - both :]):
            chosen[ends[side][unclustered]] = True
        return np.flatnonzero(chosen)

    def examples(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        if self.find is None or each <= 0:
            return [()] * len(cells)
        pairs = [(self.cluster(0, row), self.cluster(1, column)) for row, column in cells]
        places = [self._places_of_singletons(side, cells, pairs) for side in (0, 1)]
        place = [max(both) for both in zip(*places, strict=True)]
        known = [pair for pair in pairs if pair != (None, None)]
        found = iter(self.find(known, max(each, *place, 0) + 1) if known else [])
        some = [() if pair == (None, None) else next(found) for pair in pairs]
        return [
            own[:each] if number < 0 else own[number : number + 1]
            for own, number in zip(some, place, strict=True)
        ]

    def _places_of_singletons(
        self, side: int, cells: Sequence[tuple[int, ...]], pairs: Sequence[tuple[Any, Any]]
    ) -> list[int]:
        """The place of each cell of a record in no cluster of a side among those in its other cluster.

        These records are interchangeable, so the first cell has the first record. -1 for all other cells.
        """
        if all(pair[side] is not None or pair[1 - side] is None for pair in pairs):
            return [-1] * len(cells)
        table, own = self.profile.table, np.array(cells, dtype=np.int64)[:, side]
        ends = (table.row, table.column)
        alone = np.flatnonzero(np.isin(ends[side], self.unclustered(side)))
        order = alone[np.argsort(ends[1 - side][alone], kind="stable")]
        others = ends[1 - side][order]
        rank = np.arange(len(order)) - np.searchsorted(others, others)
        place = dict(zip(ends[side][order].tolist(), rank.tolist(), strict=True))
        return [
            place[number] if pair[side] is None and pair[1 - side] is not None else -1
            for number, pair in zip(own.tolist(), pairs, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class NamesOver:
    """Names that change some of the names of others, and pass on the rest."""

    names: Names

    @property
    def known_labels(self) -> KnownLabels:
        return self.names.known_labels

    @property
    def has_record_names(self) -> bool:
        return self.names.has_record_names

    @property
    def records(self) -> Records:
        return self.names.records

    def unclustered(self, side: int, /) -> NDArray[np.int64]:
        return self.names.unclustered(side)

    def unclustered_count(self, side: int, /) -> int:
        return self.names.unclustered_count(side)


@dataclass(frozen=True, slots=True)
class ThreeNames(NamesOver):
    """The names of a reference and two candidates: those of two comparisons with the same reference."""

    after: Names
    find: Callable[[Sequence[tuple[int, ...]], int], list[tuple[Any, ...]]]  # as ``examples``

    def cluster(self, side: int, number: int, /) -> Any:
        return self._names(side).cluster(min(side, 1), number)

    def clusters(self, side: int, /) -> Sequence[Any] | NDArray[Any]:
        return self._names(side).clusters(min(side, 1))

    def unclustered(self, side: int, /) -> NDArray[np.int64]:
        return self._names(side).unclustered(min(side, 1))

    def unclustered_count(self, side: int, /) -> int:
        return self._names(side).unclustered_count(min(side, 1))

    def examples(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        return self.find(cells, each)

    def _names(self, side: int) -> Names:
        return self.after if side > 1 else self.names


def noise_cluster(names: Names, side: int, noise: Any) -> int | None:
    """The number of the cluster of a side whose label means noise; None if no cluster has it."""
    if noise is None:
        return None
    return next((number for number, label in enumerate(names.clusters(side)) if bool(label == noise)), None)


def outside_clusters(
    names: Names, noise: tuple[Any, Any], counts: Counts
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which rows and columns are noise, or records in no cluster of their side."""
    rows, columns = np.zeros(counts.rows, dtype=bool), np.zeros(counts.columns, dtype=bool)
    for side, mask in enumerate((rows, columns)):
        mask[names.unclustered(side)] = True
        if (number := noise_cluster(names, side, noise[side])) is not None:
            mask[number] = True
    return rows, columns


def cells_outside_clusters(
    names: Names, row: NDArray[np.int64], column: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cells have records in no cluster of the reference, and of the candidate."""
    return np.isin(row, names.unclustered(0)), np.isin(column, names.unclustered(1))


@dataclass(slots=True, eq=False)
class LabelsByNumber:
    """The label of each cluster, looked up when it is read."""

    label: Callable[[int], Any]

    def __getitem__(self, number: int, /) -> Any:
        return self.label(number)


def labels_of(names: Names) -> LabelLookups | None:
    """The labels of both sides by number; None if clusters have no labels."""
    if names.known_labels == "none":
        return None
    return LabelsByNumber(partial(names.cluster, 0)), LabelsByNumber(partial(names.cluster, 1))
