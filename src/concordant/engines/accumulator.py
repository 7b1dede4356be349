"""Accumulator: the counts of two partitions, gathered in batches, in files, or on many machines.

Profiles do not add up, but the cells of the contingency table do. So a nightly job or ten workers
count a part each, keep it as a small file, and the merged cells say what all records at once would.
Labels are known by their value, from batch to batch: 1 and "1" are two labels, and a moment is one label in
whatever unit it comes. Labels that are equal but of different types in different batches (True, 1 and 1.0)
are refused: whether they are one label depends on what was meant.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from glob import glob
from itertools import chain
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.conventions import Progress, check_progress, check_threads
from concordant.counts.counted import Counted, TableNames
from concordant.counts.profile import Profile
from concordant.counts.sides import SideName
from concordant.counts.spelling import counted
from concordant.counts.table import Table
from concordant.engines import accumulator_files
from concordant.engines.accumulator_files import CONVENTIONS, CountedPart
from concordant.engines.lock import Guarded, one_at_a_time
from concordant.errors import (
    FileError,
    InputError,
    LabelError,
    NothingLeftError,
    ParameterError,
    TooLargeError,
    kind_of,
)
from concordant.partitions.alignment import align, in_one_order
from concordant.partitions.chunked import BlockGrid, ChunkedArray, is_chunked
from concordant.partitions.devices import is_on_device
from concordant.partitions.input_types import refuse_possible_clusters
from concordant.partitions.labels import encode, identify, labels_at
from concordant.partitions.partition import LabelPartition, Partition, label_partition
from concordant.partitions.record_names import plain

# Distinct labels in the order in which they came: int64, strings as NumPy keeps them, or any objects.
DistinctLabels: TypeAlias = NDArray[Any] | list[Any]

_TEXT = np.dtypes.StringDType()

_WHY_NO_RECORDS = (
    "cells count the elements that two clusters share, and do not name them; to score each record, compare "
    "the labels themselves"
)

_MOMENTS = (np.datetime64, np.timedelta64, datetime, timedelta)  # pandas' own are of these too

_FEW = 2**20  # as many cells may wait to be merged, and as many as were merged before
_MOST_ELEMENTS = 2**62


@dataclass(frozen=True, slots=True)
class _Part:
    """Cells that were counted together, sorted by row and column, which are positions among the labels."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    n: NDArray[np.int64]
    reference: DistinctLabels
    candidate: DistinctLabels


class CellAccumulator(Guarded):
    """How many elements each cluster of the reference shares with each of the candidate."""

    elements: int

    def __init__(self, what: str = "") -> None:
        if not isinstance(what, str):
            raise ParameterError(f"say in a few words what is counted, not {kind_of(what)}")
        self._own = CountedPart.beginning(what)  # what is counted here, and not merged in
        self._merged_in: dict[str, CountedPart] = {}
        self._parts: list[_Part] = []  # the first is the sum of all before the last few
        self._waiting = 0  # cells in the others
        self.elements = 0  # how many were counted
        self._given = False  # whether anything was handed over, were it an empty batch

    # -- gathering ------------------------------------------------------------------------------

    def add(self, labels_u: Any, labels_v: Any, *, threads: int = 0) -> Self:
        """Count a batch: one label per element on each side, the reference first.

        >>> CellAccumulator().add([1, 1, 2], ["x", "x", "x"])
        <CellAccumulator of 3 elements: 2 against 1 cluster, 2 overlaps>
        """
        if is_chunked(labels_u) or is_chunked(labels_v):
            return self.add_array(labels_u, labels_v, threads=threads)
        return self._count(_counted_part(labels_u, labels_v, threads))

    def add_array(
        self,
        reference: Any,
        candidate: Any,
        *,
        part: int = 0,
        of: int = 1,
        where: Any = None,
        threads: int = 0,
        progress: Progress | None = None,
        again: bool = False,
    ) -> Self:
        """Count two arrays of one shape block by block: of Zarr, h5py, Dask, xarray, TensorStore or NumPy.

        part, of    count one of so many parts, from 0 on, so that a job array counts a volume: blocks span
                    whole chunks, and all jobs that name the same arrays agree on them. A part that is
                    counted twice is refused where both are merged or loaded, unless ``again`` says so;
                    volumes of one shape are told apart by what ``Accumulator("...")`` says that it counts
        where       a mask, True for the voxels to count
        progress    called with how many blocks are done, and of how many

        After an error, and after Ctrl-C, nothing of these arrays was counted.

        >>> truth, seg = np.zeros((4, 4), int), np.eye(4, dtype=int)
        >>> halves = [CellAccumulator("slice 7").add_array(truth, seg, part=part, of=2) for part in range(2)]
        >>> sum(half.elements for half in halves)
        16
        """
        check_threads(threads)
        check_progress(progress)
        u, v = ChunkedArray(reference, "the reference"), ChunkedArray(candidate, "the candidate")
        grid = BlockGrid(u, v, where)
        counts = CellAccumulator(self._own.what)
        for cells in grid.each(
            grid.part(part, of), lambda x, y: _counted_part(x.ravel(), y.ravel(), 1), threads, progress
        ):
            counts._count(cells)
        if of > 1:
            name = f"{self._own.what or 'an array'}, part {part} of {of}"
            counts._own = counts._own.known_by(name, u.shape, len(grid.blocks))
        counts._given = True
        return self.merge(counts, again=again)

    @one_at_a_time
    def _count(self, part: _Part) -> Self:
        elements = int(part.n.sum())
        self._take(part, elements)
        self._own = replace(self._own, elements=self._own.elements + elements)
        return self

    @property
    @one_at_a_time
    def parts(self) -> tuple[CountedPart, ...]:
        """What was counted, by whom and when: here, and in what was merged and loaded.

        >>> [(part.what, part.elements) for part in CellAccumulator("monday").add([1, 1], [1, 2]).parts]
        [('monday', 2)]
        """
        own = (self._own,) if self._own.elements else ()
        return (*self._merged_in.values(), *own)

    def add_batch(self, batch: Any, *, reference: str, candidate: str, threads: int = 0) -> Self:
        """Count an Arrow record batch or table, or a data frame, by the names of its two columns of labels.

        >>> import pyarrow
        >>> batch = pyarrow.record_batch({"truth": [1, 1, 2], "guess": ["x", "y", "y"]})
        >>> list(CellAccumulator().add_batch(batch, reference="truth", candidate="guess"))
        [(1, 'x', 1), (1, 'y', 1), (2, 'y', 1)]
        """
        columns = getattr(batch, "column_names", None) or getattr(batch, "columns", None)
        if columns is None or not hasattr(batch, "__getitem__") or hasattr(batch, "collect"):
            raise LabelError(
                "a batch is an Arrow record batch, a table or a dataframe in memory, not "
                f"{kind_of(batch)}; labels by themselves go to Accumulator.add"
            )
        for name in (reference, candidate):
            if name not in list(columns):
                raise LabelError(f"the batch has no column {name!r}: it has {', '.join(map(repr, columns))}")
        return self.add(batch[reference], batch[candidate], threads=threads)

    def merge(self, other: CellAccumulator, *, again: bool = False) -> Self:
        """Add what another has counted; the other stays as it is.

        What was counted in one go and is added a second time is refused, unless ``again`` says so.

        >>> monday, tuesday = CellAccumulator().add([1, 2], [1, 1]), CellAccumulator().add([2, 2], [1, 3])
        >>> list(monday.merge(tuesday))
        [(1, 1, 1), (2, 1, 2), (2, 3, 1)]
        """
        if not isinstance(other, CellAccumulator):
            raise ParameterError(f"an Accumulator merges with another one, not with {kind_of(other)}")
        return self._take_all(*other._held(), again)  # one lock after the other, so none waits for both

    @one_at_a_time
    def _held(self) -> tuple[tuple[CountedPart, ...], tuple[_Part, ...], bool]:
        return self.parts, tuple(self._parts), self._given

    @one_at_a_time
    def _take_all(
        self, counted: Sequence[CountedPart], cells: Sequence[_Part], given: bool, again: bool
    ) -> Self:
        elements = [int(part.n.sum()) for part in cells]
        self._check_room(sum(elements))
        self._given = self._given or given
        self._note(counted, again, "what is merged")
        for part, many in zip(cells, elements, strict=True):
            self._take(part, many)
        return self

    def _note(self, parts: Sequence[CountedPart], again: bool, where: str) -> None:
        known = {part.id for part in self.parts}
        twice = [part for part in parts if part.id in known]
        if twice and not again:
            raise ParameterError(
                f"{where} was counted here already: {twice[0]}; leave it out, or pass again=True to count it "
                "twice"
            )
        self._merged_in |= {part.id: part for part in parts if part.id not in known}

    def __add__(self, other: CellAccumulator) -> Self:
        return type(self)().merge(self).merge(other) if isinstance(other, CellAccumulator) else NotImplemented

    def _check_room(self, more: int) -> None:
        if self.elements + more >= _MOST_ELEMENTS:
            raise TooLargeError(f"{self.elements + more:,} elements are more than Accumulator can count")

    def _take(self, part: _Part, elements: int) -> None:
        self._check_room(elements)
        self._given = True
        if len(part.n):
            self._add(part)
        self.elements += elements

    def _add(self, part: _Part) -> None:
        if self._parts and not _alike(self._parts[0], part):
            self._parts = [_joined([*self._parts, part])]  # at once, so that a clash is told where it came up
            self._waiting = 0
            return
        self._waiting += len(part.n) if self._parts else 0
        self._parts.append(part)
        if self._waiting > max(_FEW, len(self._parts[0].n)):
            self._merged()

    @one_at_a_time
    def _merged(self) -> _Part:
        """All parts as one, which then stands for them."""
        if len(self._parts) != 1:
            self._parts = [_joined(self._parts)]
            self._waiting = 0
        return self._parts[0]

    # -- what they say --------------------------------------------------------------------------

    @one_at_a_time
    def counted(self) -> Counted:
        """All elements that were counted, as if they had come at once."""
        if not self._given:
            raise NothingLeftError("nothing was added to this Accumulator, which has nothing to compare")
        profile = Profile.of_table(self._table(), self.elements)
        return Counted(profile, TableNames(profile, why_no_records=_WHY_NO_RECORDS), CONVENTIONS)

    def labels(self, side: SideName) -> list[Any]:
        """The labels of one side; the position is the row or column in the table of the comparison.

        >>> CellAccumulator().add(["b", "a"], [1, 1]).labels("reference")
        ['b', 'a']
        """
        if not isinstance(side, str) or side not in ("reference", "candidate"):
            raise ParameterError(f"side={side!r}: use 'reference' or 'candidate'")
        return _objects(getattr(self._merged(), side))

    def __iter__(self) -> Iterator[tuple[Any, Any, int]]:
        """Each cell as (label of the reference, label of the candidate, number of elements)."""
        whole = self._merged()
        for row, column, n in zip(*(x.tolist() for x in (whole.row, whole.column, whole.n)), strict=True):
            yield plain(whole.reference[row]), plain(whole.candidate[column]), n

    def __len__(self) -> int:
        return len(self._merged().n)

    @one_at_a_time
    def __repr__(self) -> str:
        whole = self._merged()
        clusters = f"{len(whole.reference):,} against {counted(len(whole.candidate), 'cluster')}"
        overlaps = counted(len(whole.n), "overlap")
        return f"<{type(self).__name__} of {counted(self.elements, 'element')}: {clusters}, {overlaps}>"

    def _table(self) -> Table:
        whole = self._merged()
        labels = (_PlainLabels(whole.reference), _PlainLabels(whole.candidate))
        return Table(whole.row, whole.column, whole.n, labels=labels)

    # -- files ----------------------------------------------------------------------------------

    @one_at_a_time
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a Parquet file with the columns reference, candidate and n: all of it or nothing.

        Labels are all integers of 64 bits or all text, on each side; others are refused. The file has a
        checksum, and says which parts were counted.
        """
        whole = self._merged()
        reference = _writable(whole.reference, "reference")[whole.row]
        candidate = _writable(whole.candidate, "candidate")[whole.column]
        accumulator_files.write(path, (reference, candidate, whole.n), self.parts)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, again: bool = False) -> Self:
        """Read a file that ``save`` wrote, or all files that a pattern such as ``night-*.parquet`` means.

        Files that share a part are refused, unless ``again`` says that it shall count twice.
        """
        if not isinstance(path, (str, os.PathLike)):
            raise ParameterError(f"cells are loaded from a path or a pattern, not from {path!r}")
        cells, pattern = cls(), os.fspath(path)
        paths = [pattern] if Path(pattern).exists() else sorted(glob(pattern))  # noqa: PTH207  (may be absolute)
        if not paths:
            raise FileError(f"there is no file {pattern}")
        if Path(pattern).is_dir():
            raise FileError(
                f"{pattern} is a folder; name its files with a pattern such as '{pattern}/*.parquet'"
            )
        for each in paths:
            (reference, candidate, n), parts = accumulator_files.read(each)
            cells._note(parts, again, f"a part of {each}")
            labels, codes = [], []
            for column in (reference, candidate):
                code, first = core.factorize(_identified(column))
                labels.append(_compact(column[first].tolist()))
                codes.append(code)
            part = _joined([_Part(codes[0], codes[1], n.astype(np.int64), labels[0], labels[1])])
            cells._take(part, int(n.sum()))
        return cells


def _counted_part(labels_u: Any, labels_v: Any, threads: int) -> _Part:
    """The cells of a batch."""
    u, v = _batch(labels_u, "the reference", threads), _batch(labels_v, "the candidate", threads)
    u, v = in_one_order((u, v))
    aligned = align(u, v)
    row, column, n, row_first, column_first = core.cells(aligned.reference, aligned.candidate, threads)
    here, there = aligned.reference_position, aligned.candidate_position
    reference = _names_at(u.originals, row_first if here is None else here[row_first])
    candidate = _names_at(v.originals, column_first if there is None else there[column_first])
    return _Part(row, column, n, reference, candidate)


def _batch(value: Any, what: str, threads: int) -> LabelPartition:
    """Labels whose clusters continue in other batches."""
    check_threads(threads)
    if isinstance(value, Partition):
        labelled = value.in_memory(what, "counting in batches")
        if labelled.named or labelled.noise is not None:
            raise ParameterError(f"{what}: a batch is one label per element, or Partition.from_labels(...)")
        return labelled
    if is_on_device(value):
        raise InputError(f"{what} is on a GPU, and batches are counted in memory; copy it to the host")
    labels = encode(value, what, threads)
    if labels.composite:
        refuse_possible_clusters(
            labels, what, "if they are labels, pass Partition.from_labels(...)", is_part=True
        )
    return label_partition(labels, None, None, what)


# -- adding up ----------------------------------------------------------------------------------------


def _joined(parts: Sequence[_Part]) -> _Part:
    """The sum of the parts; the labels stay in the order in which they first came."""
    reference, rows = _united([part.reference for part in parts])
    candidate, columns = _united([part.candidate for part in parts])
    if len(reference) * len(candidate) >= 2**63:
        raise TooLargeError(f"{len(reference):,} against {len(candidate):,} clusters are too many to number")
    width = max(len(candidate), 1)
    places = zip(parts, rows, columns, strict=True)
    key = np.concatenate(
        [row[part.row] * width + column[part.column] for part, row, column in places] or [_NONE]
    )
    n = np.concatenate([part.n for part in parts] or [_NONE])
    order = np.argsort(key)  # a hash table would be as fast, and take several times the memory
    key, n = key[order], n[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    row, column = np.divmod(key[first], width)
    return _Part(row, column, np.add.reduceat(n, first) if len(n) else n, reference, candidate)


_NONE = np.empty(0, dtype=np.int64)


def _united(names: Sequence[DistinctLabels]) -> tuple[DistinctLabels, list[NDArray[np.int64]]]:
    """The distinct labels of several lists, and where each label of each list stands among them."""
    lengths = [len(each) for each in names]
    kinds = {each.dtype if isinstance(each, np.ndarray) else None for each in names}
    if len(kinds) == 1 and None not in kinds:
        stacked: NDArray[Any] = np.concatenate(names)
        codes, first = core.factorize(_identified(stacked))
        distinct: DistinctLabels = stacked[first]
    else:
        objects = list(chain.from_iterable(map(_objects, names)))
        codes, first = core.factorize(identify(objects)[0])
        for label, position in zip(objects, first[codes].tolist(), strict=True):
            known = objects[position]
            if type(label) is not type(known):
                raise LabelError(
                    f"the labels {known!r} ({type(known).__name__}) and {label!r} ({type(label).__name__}) "
                    "are equal, but of different types, and come in different batches; convert them to one "
                    "type first"
                )
        distinct = _compact([objects[position] for position in first.tolist()])
    return distinct, np.split(codes, np.cumsum(lengths[:-1])) if names else []


def _alike(one: _Part, other: _Part) -> bool:
    """Whether the labels are integers, or text, in both; then none of them can be of another type."""
    pairs = ((one.reference, other.reference), (one.candidate, other.candidate))
    return all(
        isinstance(x, np.ndarray) and isinstance(y, np.ndarray) and x.dtype == y.dtype for x, y in pairs
    )


# -- labels by value ----------------------------------------------------------------------------------


def _names_at(originals: Any, positions: NDArray[np.int64]) -> DistinctLabels:
    """The labels at these positions, as small as they can be kept."""
    if isinstance(originals, np.ndarray) and originals.dtype.kind in "iu" and originals.dtype != np.uint64:
        return originals[positions].astype(np.int64)
    if isinstance(originals, np.ndarray) and originals.dtype.kind in "UT":
        return originals[positions].astype(_TEXT)
    return _compact(labels_at(originals, positions))


def _identified(labels: NDArray[Any]) -> NDArray[Any]:
    return labels if labels.dtype == np.int64 else identify(labels.tolist())[0]


def _compact(labels: list[Any]) -> DistinctLabels:
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
    """A moment or a duration in nanoseconds, where they hold it: one label in whatever unit it comes."""
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
    except OverflowError:  # NumPy 2.5 on; before, the overflow is seen on the way back
        return exact
    return fine if fine.astype(exact.dtype) == exact else exact


def _objects(names: DistinctLabels) -> list[Any]:
    return names.tolist() if isinstance(names, np.ndarray) else names


@dataclass(frozen=True, slots=True)
class _PlainLabels:
    """What the clusters are called. Which elements they hold was not kept."""

    names: DistinctLabels

    def __getitem__(self, number: int, /) -> Any:
        return plain(self.names[number])


# -- columns of files ---------------------------------------------------------------------------------


def _writable(names: DistinctLabels, side: SideName) -> NDArray[Any]:
    """The labels as a column of a file."""
    if isinstance(names, np.ndarray):
        return names if names.dtype == np.int64 else names.astype(object)
    kinds = sorted({type(label).__name__ for label in names})
    what = f"are mixed ({', '.join(kinds)})" if len(kinds) > 1 else f"are of type {kinds[0]}"
    raise LabelError(
        f"the labels of the {side} {what}; a file of cells holds integers of 64 bits or text, so count "
        "them with such labels, for instance with str of each"
    )
