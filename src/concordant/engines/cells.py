"""Cells: the counts of two partitions, gathered in batches, in files, or on many machines.

Profiles do not add up, but the cells of the contingency table do. So a nightly job or ten workers
count a part each, keep it as a small file, and the merged cells say what all records at once would.
Labels are known by their value, from batch to batch: 1 and "1" are two labels.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import glob
from itertools import chain
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arguments import checks_arguments
from concordant.counts.counted import Counted
from concordant.counts.names import TableNames
from concordant.counts.profile import Profile
from concordant.counts.sides import SideName
from concordant.counts.spelling import counted
from concordant.counts.table import Table
from concordant.errors import (
    FileError,
    LabelError,
    MissingExtraError,
    NothingLeftError,
    ParameterError,
    TooLargeError,
)
from concordant.partitions.alignment import align
from concordant.partitions.labels import identify, labels_at
from concordant.partitions.names import plain
from concordant.partitions.partition import Partition
from concordant.partitions.whole_file import whole_file

# Distinct labels in the order in which they came: int64, strings as NumPy keeps them, or any objects.
DistinctLabels: TypeAlias = NDArray[Any] | list[Any]

_TEXT = np.dtypes.StringDType()

# What counting by position, without noise, means; as the signature of a comparison has it.
_CONVENTIONS = {"unmatched": "error", "noise": "none"}

_WHY_NO_RECORDS = (
    "cells say how many elements two clusters share, and not which; to score each record, compare the labels "
    "themselves"
)

_FORMAT = 1  # of the files
_COLUMNS = ["reference", "candidate", "n"]
_KEY = "concordant"  # of a file's metadata

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


class CellCounts:
    """How many elements each cluster of the reference shares with each of the candidate."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []  # the first is the sum of all before the last few
        self._waiting = 0  # cells in the others
        self.elements = 0  # how many were counted
        self._given = False  # whether anything was handed over, were it an empty batch

    # -- gathering ------------------------------------------------------------------------------

    @checks_arguments
    def add(self, labels_u: Any, labels_v: Any, *, threads: int = 0) -> Self:
        """Count a batch: one label per element on each side, the reference first.

        >>> CellCounts().add([1, 1, 2], ["x", "x", "x"])
        <CellCounts of 3 elements: 2 against 1 cluster, 2 overlaps>
        """
        u = Partition.from_labels(labels_u, what="the reference", threads=threads)
        v = Partition.from_labels(labels_v, what="the candidate", threads=threads)
        aligned = align(u, v)
        row, column, n, row_first, column_first = core.cells(aligned.reference, aligned.candidate, threads)
        here, there = aligned.reference_position, aligned.candidate_position
        reference = _names_at(u.originals, row_first if here is None else here[row_first])
        candidate = _names_at(v.originals, column_first if there is None else there[column_first])
        self._take(_Part(row, column, n, reference, candidate), len(aligned.reference))
        return self

    @checks_arguments
    def add_batch(self, batch: Any, *, reference: str, candidate: str, threads: int = 0) -> Self:
        """Count an Arrow record batch or table, or a data frame, by the names of its two columns of labels.

        >>> import pyarrow
        >>> batch = pyarrow.record_batch({"truth": [1, 1, 2], "guess": ["x", "y", "y"]})
        >>> list(CellCounts().add_batch(batch, reference="truth", candidate="guess"))
        [(1, 'x', 1), (1, 'y', 1), (2, 'y', 1)]
        """
        u, v = (_column(batch, name) for name in (reference, candidate))
        return self.add(u, v, threads=threads)

    @checks_arguments
    def merge(self, other: CellCounts) -> Self:
        """Add what another has counted; the other stays as it is.

        >>> monday, tuesday = CellCounts().add([1, 2], [1, 1]), CellCounts().add([2, 2], [1, 3])
        >>> list(monday.merge(tuesday))
        [(1, 1, 1), (2, 1, 2), (2, 3, 1)]
        """
        if not isinstance(other, CellCounts):
            raise ParameterError(f"Cells merge with Cells, not with a {type(other).__name__}")
        self._check_room(other.elements)
        self._given = self._given or other._given
        for part in tuple(other._parts):
            self._take(part, int(part.n.sum()))
        return self

    def __add__(self, other: CellCounts) -> Self:
        return type(self)().merge(self).merge(other) if isinstance(other, CellCounts) else NotImplemented

    def _check_room(self, more: int) -> None:
        if self.elements + more >= _MOST_ELEMENTS:
            raise TooLargeError(f"{self.elements + more:,} elements are more than Cells can count")

    def _take(self, part: _Part, elements: int) -> None:
        self._check_room(elements)
        self._given = True
        self.elements += elements
        if not len(part.n):
            return
        self._waiting += len(part.n) if self._parts else 0
        self._parts.append(part)
        if self._waiting > max(_FEW, len(self._parts[0].n)):
            self._merged()

    def _merged(self) -> _Part:
        """All parts as one, which then stands for them."""
        if len(self._parts) != 1:
            self._parts = [_joined(self._parts)]
            self._waiting = 0
        return self._parts[0]

    # -- what they say --------------------------------------------------------------------------

    def counted(self) -> Counted[Profile]:
        """All elements that were counted, as if they had come at once."""
        if not self._given:
            raise NothingLeftError("nothing was added to these Cells, so that there is nothing to compare")
        profile = Profile.of_table(self._table(), self.elements)
        return Counted(profile, TableNames(profile, why_no_records=_WHY_NO_RECORDS), _CONVENTIONS)

    @checks_arguments
    def labels(self, side: SideName) -> list[Any]:
        """The labels of one side; the position is the row or column in the table of the comparison.

        >>> CellCounts().add(["b", "a"], [1, 1]).labels("reference")
        ['b', 'a']
        """
        if not isinstance(side, str) or side not in ("reference", "candidate"):
            raise ParameterError(f"side={side!r}: use 'reference' or 'candidate'")
        return _objects(getattr(self._merged(), side))

    def __iter__(self) -> Iterator[tuple[Any, Any, int]]:
        """Each cell as (label of the reference, label of the candidate, number of elements)."""
        table, whole = self._table(), self._merged()
        for row, column, n in zip(*(x.tolist() for x in (table.row, table.column, table.n)), strict=True):
            yield plain(whole.reference[row]), plain(whole.candidate[column]), n

    def __len__(self) -> int:
        return len(self._merged().n)

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

    @checks_arguments
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a Parquet file with the columns reference, candidate and n: all of it or nothing.

        Labels are all integers of 64 bits or all text, on each side; others are refused.
        """
        whole = self._merged()
        columns = {
            "reference": _writable(whole.reference, "reference")[whole.row],
            "candidate": _writable(whole.candidate, "candidate")[whole.column],
            "n": whole.n,
        }
        with whole_file(path) as draft:
            _write(columns, draft, self._about())

    @classmethod
    @checks_arguments
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file that ``save`` wrote, or all files that a pattern such as ``night-*.parquet`` means."""
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
            cells._take(*_read(each))
        return cells

    def _about(self) -> dict[str, Any]:
        from importlib.metadata import version  # slow to import, and seldom asked for

        return {
            "format": _FORMAT,
            "version": version("concordant"),
            "conventions": _CONVENTIONS,
            "elements": self.elements,
            "cells": len(self),
        }


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
        distinct = _compact([objects[position] for position in first.tolist()])
    return distinct, np.split(codes, np.cumsum(lengths[:-1])) if names else []


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


def _compact(objects: list[Any]) -> DistinctLabels:
    integers = core.integers(objects)
    if integers is not None:
        return integers
    if all(isinstance(label, str) for label in objects):
        try:
            return np.array(objects, dtype=_TEXT)
        except UnicodeEncodeError:  # half a character, which only Python keeps
            return objects
    return objects


def _objects(names: DistinctLabels) -> list[Any]:
    return names.tolist() if isinstance(names, np.ndarray) else names


@dataclass(frozen=True, slots=True)
class _PlainLabels:
    """What the clusters are called. Which elements they hold was not kept."""

    names: DistinctLabels

    def __getitem__(self, number: int, /) -> Any:
        return plain(self.names[number])


def _column(batch: Any, name: str) -> Any:
    columns = getattr(batch, "column_names", None) or getattr(batch, "columns", None)
    if columns is None or not hasattr(batch, "__getitem__") or hasattr(batch, "collect"):
        raise LabelError(
            "a batch is an Arrow record batch, a table or a dataframe in memory, not a "
            f"{type(batch).__name__}; labels by themselves go to Cells.add"
        )
    if name not in list(columns):
        raise LabelError(f"the batch has no column {name!r}: it has {', '.join(map(repr, columns))}")
    return batch[name]


# -- Parquet, by DuckDB -------------------------------------------------------------------------------


def _duckdb() -> Any:
    try:
        import duckdb
    except ModuleNotFoundError:
        raise MissingExtraError(
            "files of cells need duckdb, which is not installed; run: pip install 'concordant[tables]'"
        ) from None
    return duckdb


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


def _write(columns: dict[str, NDArray[Any]], path: Path, about: dict[str, Any]) -> None:
    duckdb = _duckdb()
    with duckdb.connect() as connection:
        connection.register("cells", columns)
        metadata = json.dumps(about).replace("'", "''")
        try:
            connection.execute(
                f"COPY (SELECT * FROM cells) TO {_quoted(path)} "  # noqa: S608  (a path, quoted)
                f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{_KEY}: '{metadata}'}})"
            )
        except duckdb.Error as error:
            raise OSError(str(error)) from None  # whole_file names the file itself, not its draft


def _read(path: str) -> tuple[_Part, int]:
    """The cells of a file, and how many elements they hold."""
    duckdb = _duckdb()
    try:
        with duckdb.connect() as connection:
            about = _about_file(connection, path)
            relation = connection.sql(f"SELECT * FROM read_parquet({_quoted(path)})")  # noqa: S608  (quoted)
            _check_columns(path, relation.columns, [str(kind) for kind in relation.types])
            read = relation.fetchnumpy()
    except (duckdb.Error, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise FileError(f"cannot read {path} as a file of cells: {reason}") from None
    n = _checked_counts(path, read, about)
    (reference, row), (candidate, column) = (_coded(read[name]) for name in _COLUMNS[:2])
    part = _joined([_Part(row, column, n, reference, candidate)])
    return part, about["elements"]


def _about_file(connection: Any, path: str) -> dict[str, Any]:
    pairs = connection.execute(f"SELECT key, value FROM parquet_kv_metadata({_quoted(path)})").fetchall()  # noqa: S608  (quoted)
    text = dict(pairs).get(_KEY.encode())
    try:
        about = json.loads(text) if text is not None else None
    except ValueError:
        about = None
    if not isinstance(about, dict) or "format" not in about:
        raise FileError(f"{path} is not a file of cells: Cells.save did not write it")
    if about["format"] != _FORMAT or about.get("conventions") != _CONVENTIONS:
        raise FileError(
            f"{path} was written by concordant {about.get('version', '?')} in format {about['format']!r}, "
            f"which this version does not read: it reads format {_FORMAT}"
        )
    return about


def _check_columns(path: str, columns: Sequence[str], kinds: Sequence[str]) -> None:
    labels, counts = set(kinds[:2]), kinds[2:]
    if list(columns) != _COLUMNS or not labels <= {"BIGINT", "VARCHAR"} or counts != ["BIGINT"]:
        found = ", ".join(f"{name} {kind}" for name, kind in zip(columns, kinds, strict=True))
        raise FileError(
            f"{path} has the columns {found}; a file of cells has reference and candidate, each BIGINT or "
            "VARCHAR, and n BIGINT"
        )


def _checked_counts(path: str, read: dict[str, Any], about: dict[str, Any]) -> NDArray[np.int64]:
    for name in _COLUMNS:
        if np.ma.is_masked(read[name]):
            raise FileError(f"{path} has empty places in its column {name}; it was not written by Cells.save")
    n = np.asarray(read["n"], dtype=np.int64)
    whole = sum(n.tolist()) if len(n) and int(n.max()) > _MOST_ELEMENTS // len(n) else int(n.sum())
    if len(n) and int(n.min()) < 1:
        raise FileError(f"{path} has a cell of {int(n.min())} elements; a cell has at least one")
    if (len(n), whole) != (about.get("cells"), about.get("elements")):
        raise FileError(
            f"{path} holds {counted(whole, 'element')} in {counted(len(n), 'cell')}, but says it has "
            f"{about.get('elements')} in {about.get('cells')}; it was changed after it was written"
        )
    return n


def _coded(column: Any) -> tuple[DistinctLabels, NDArray[np.int64]]:
    """The distinct labels of a column, and which of them stands where."""
    labels = np.asarray(column)
    codes, first = core.factorize(_identified(labels))
    return _compact(labels[first].tolist()), codes


def _quoted(path: str | Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
