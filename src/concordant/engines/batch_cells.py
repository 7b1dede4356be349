"""The cells of batches of labels, and their sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.alignment import align, in_one_order
from concordant.clusterings.chunked import BlockGrid
from concordant.clusterings.clustering import data_of
from concordant.clusterings.detect import is_chunked, is_on_device
from concordant.clusterings.encoding import encode, refuse_possible_clusters
from concordant.clusterings.labels import MemoryLabels, PartitionData, identify, labels_at
from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import CountedSides, LabelsByNumber, TableLabels
from concordant.counts.profile import Profile
from concordant.errors import InputError, LabelError, ParameterError, TooLargeError
from concordant.foundation.conventions import Progress, check_threads
from concordant.maths.arithmetic import plain

# The signature's description of counting by position, without noise.
CONVENTIONS = {"unmatched": "error", "noise": "none"}
MOST_ELEMENTS = 2**62
FEW = 2**20  # cells that may wait to be added; more if the sum has more

_WHY_NO_RECORDS = (
    "cells count the records that two clusters share, and do not name them; to score each record, compare "
    "the labels themselves"
)

# Distinct labels in order of appearance: int64, NumPy strings, or any objects.
DistinctLabels: TypeAlias = NDArray[Any] | list[Any]

_TEXT = np.dtypes.StringDType()
_MOMENTS = (np.datetime64, np.timedelta64, datetime, timedelta)  # pandas' types are subclasses of these
_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class BatchCells:
    """Cells that were counted together, sorted by row and column, which are positions among the labels."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    n: NDArray[np.int64]
    reference: DistinctLabels
    candidate: DistinctLabels

    def named(self) -> Iterator[tuple[Any, Any, int]]:
        """Each cell as (label of the reference, label of the candidate, number of elements)."""
        for row, column, n in zip(*(x.tolist() for x in (self.row, self.column, self.n)), strict=True):
            yield plain(self.reference[row]), plain(self.candidate[column]), n


def count_cells(labels_u: Any, labels_v: Any, threads: int) -> BatchCells:
    """The cells of a batch."""
    u, v = _batch(labels_u, "the reference", threads), _batch(labels_v, "the candidate", threads)
    u, v = in_one_order((u, v))
    aligned = align(u, v)
    row, column, n, row_first, column_first = core.cells(aligned.reference, aligned.candidate, threads)
    here, there = aligned.reference_position, aligned.candidate_position
    reference = _names_at(u.originals, row_first if here is None else here[row_first])
    candidate = _names_at(v.originals, column_first if there is None else there[column_first])
    return BatchCells(row, column, n, reference, candidate)


def _batch(value: Any, what: str, threads: int) -> MemoryLabels:
    """Labels whose clusters continue in other batches."""
    check_threads(threads)
    value = data_of(value)
    if isinstance(value, PartitionData):
        labelled = value.in_memory(what, "counting in batches")
        if labelled.named or labelled.noise is not None:
            raise ParameterError(f"{what}: a batch is one label per record, or Partition.from_labels(...)")
        return labelled
    if is_on_device(value):
        raise InputError(f"{what} is on a GPU, and batches are counted in memory; copy it to the host")
    labels = encode(value, what, threads)
    if labels.is_composite:
        refuse_possible_clusters(
            labels, what, "if they are labels, pass Partition.from_labels(...)", is_part=True
        )
    return labels


def cells_of(known: CountedSides) -> BatchCells:
    """The cells of clusters that have labels."""
    table, codes, labels = known.counts.table, [], []
    for side, numbers in enumerate((table.row, table.column)):
        code, first = core.factorize(np.ascontiguousarray(numbers))
        own = [known.names.cluster(side, number) for number in numbers[first].tolist()]
        if any(label is None for label in own):
            raise InputError("some records are in no cluster, so their counts cannot be added to others")
        codes.append(code)
        labels.append(compact_labels(own))
    return sum_cells([BatchCells(codes[0], codes[1], np.asarray(table.n), labels[0], labels[1])])


def sum_cells(parts: Sequence[BatchCells]) -> BatchCells:
    """The sum of the parts; labels are in the order of their first appearance."""
    reference, rows = _united([part.reference for part in parts])
    candidate, columns = _united([part.candidate for part in parts])
    if len(reference) * len(candidate) >= 2**63:
        raise TooLargeError(f"{len(reference):,} against {len(candidate):,} clusters are too many to count")
    width = max(len(candidate), 1)
    places = zip(parts, rows, columns, strict=True)
    key = np.concatenate(
        [row[part.row] * width + column[part.column] for part, row, column in places] or [_NONE]
    )
    n = np.concatenate([part.n for part in parts] or [_NONE])
    order = np.argsort(key)  # a hash table would be no faster, and take several times the memory
    key, n = key[order], n[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    row, column = np.divmod(key[first], width)
    return BatchCells(row, column, np.add.reduceat(n, first) if len(n) else n, reference, candidate)


def _united(names: Sequence[DistinctLabels]) -> tuple[DistinctLabels, list[NDArray[np.int64]]]:
    """The distinct labels of several lists, and the position of each label among them."""
    lengths = [len(each) for each in names]
    kinds = {each.dtype if isinstance(each, np.ndarray) else None for each in names}
    if len(kinds) == 1 and None not in kinds:
        stacked: NDArray[Any] = np.concatenate(names)
        codes, first = core.factorize(identified(stacked))
        distinct: DistinctLabels = stacked[first]
    else:
        objects = list(chain.from_iterable(map(label_list, names)))
        codes, first = core.factorize(identify(objects)[0])
        for label, position in zip(objects, first[codes].tolist(), strict=True):
            known = objects[position]
            if type(label) is not type(known):
                raise LabelError(
                    f"the labels {known!r} ({type(known).__name__}) and {label!r} ({type(label).__name__}) "
                    "are equal, but of different types in different batches; convert them to one "
                    "type first"
                )
        distinct = compact_labels([objects[position] for position in first.tolist()])
    return distinct, np.split(codes, np.cumsum(lengths[:-1])) if names else []


def have_same_types(one: BatchCells, other: BatchCells) -> bool:
    """Whether the labels of both are all integers, or all text; then no label can be of another type."""
    pairs = ((one.reference, other.reference), (one.candidate, other.candidate))
    return all(
        isinstance(x, np.ndarray) and isinstance(y, np.ndarray) and x.dtype == y.dtype for x, y in pairs
    )


def _names_at(originals: Any, positions: NDArray[np.int64]) -> DistinctLabels:
    """The labels at these positions, in the smallest form."""
    if isinstance(originals, np.ndarray) and originals.dtype.kind in "iu" and originals.dtype != np.uint64:
        return originals[positions].astype(np.int64)
    if isinstance(originals, np.ndarray) and originals.dtype.kind in "UT":
        return originals[positions].astype(_TEXT)
    return compact_labels(labels_at(originals, positions))


def identified(labels: NDArray[Any]) -> NDArray[Any]:
    return labels if labels.dtype == np.int64 else identify(labels.tolist())[0]


def compact_labels(labels: list[Any]) -> DistinctLabels:
    objects = [_moment(label) if isinstance(label, _MOMENTS) else plain(label) for label in labels]
    integers = core.integers(objects)
    if integers is not None:
        return integers
    if all(isinstance(label, str) for label in objects):
        try:
            return np.array(objects, dtype=_TEXT)
        except UnicodeEncodeError:  # half a character, which only Python keeps
            return objects
    return objects


def _moment(label: Any) -> Any:
    """A moment or a duration in nanoseconds, if these can hold it: one label whatever its unit."""
    if getattr(label, "tzinfo", None) is not None:
        return label  # moments of the same zone are equal as they are
    exact = label.to_datetime64() if hasattr(label, "to_datetime64") else label
    exact = exact.to_timedelta64() if hasattr(exact, "to_timedelta64") else exact
    if isinstance(exact, datetime):
        exact = np.datetime64(exact, "us")
    elif isinstance(exact, timedelta):
        exact = np.timedelta64(exact, "us")
    try:
        fine = exact.astype(f"{exact.dtype.kind}8[ns]")
    except OverflowError:  # from NumPy 2.5 on; earlier versions show the overflow on conversion back
        return exact
    return fine if fine.astype(exact.dtype) == exact else exact


def label_list(names: DistinctLabels) -> list[Any]:
    return names.tolist() if isinstance(names, np.ndarray) else names


def _label_at(names: DistinctLabels, number: int) -> Any:
    return plain(names[number])


class CellSum:
    """The sum of the cells of batches, of which only the last few wait to be added."""

    elements: int

    def __init__(self) -> None:
        self.elements = 0  # how many were counted
        self._parts: list[BatchCells] = []  # the first is the sum of all except the last few batches
        self._waiting = 0  # cells in the parts after the first

    @property
    def parts(self) -> tuple[BatchCells, ...]:
        """Cells that add up to the sum."""
        return tuple(self._parts)

    def add_labels(self, labels_u: Any, labels_v: Any, threads: int = 0) -> Self:
        """Add the cells of a batch of labels, which may be arrays in chunks."""
        if is_chunked(labels_u) or is_chunked(labels_v):
            return self.add_blocks(BlockGrid(labels_u, labels_v), threads=threads)
        return self.add(count_cells(labels_u, labels_v, threads))

    def add_blocks(self, grid: BlockGrid, *, threads: int, progress: Progress | None = None) -> Self:
        """Add the cells of two arrays, which are counted block by block."""
        for cells in grid.each(lambda x, y: count_cells(x.ravel(), y.ravel(), 1), threads, progress):
            self.add(cells)
        return self

    def add_all(self, parts: Iterable[BatchCells]) -> Self:
        """Add the cells of several parts."""
        for part in parts:
            self.add(part)
        return self

    def add(self, part: BatchCells) -> Self:
        """Add these cells."""
        elements = self.elements + int(part.n.sum())
        if elements >= MOST_ELEMENTS:
            raise TooLargeError(f"{elements:,} records are more than can be counted")
        if len(part.n):
            self._add(part)
        self.elements = elements
        return self

    def _add(self, part: BatchCells) -> None:
        if self._parts and not have_same_types(self._parts[0], part):
            self._parts = [sum_cells([*self._parts, part])]  # reports a clash where it occurs
            self._waiting = 0
            return
        self._waiting += len(part.n) if self._parts else 0
        self._parts.append(part)
        if self._waiting > max(FEW, len(self._parts[0].n)):
            self.whole()

    def whole(self) -> BatchCells:
        """All parts as one, which replaces them."""
        if len(self._parts) != 1:
            self._parts = [sum_cells(self._parts)]
            self._waiting = 0
        return self._parts[0]

    def counted(self) -> CountedSides:
        """All elements that were counted, as if they were one batch."""
        whole = self.whole()
        u, v = (LabelsByNumber(partial(_label_at, names)) for names in (whole.reference, whole.candidate))
        profile = Profile.of_table(
            Contingency(whole.row, whole.column, whole.n, labels=(u, v)), self.elements
        )
        return CountedSides(profile, TableLabels(profile, why_no_records=_WHY_NO_RECORDS), CONVENTIONS)
