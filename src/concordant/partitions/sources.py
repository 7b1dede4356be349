"""Partitions that lie in tables: where the labels are, and what to make of those that are missing.

A description only: nothing is read before two of them are compared. ``engines.tables`` reads them.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any, Literal

from concordant.errors import ParameterError
from concordant.partitions.formats import FORMATS, Format

Nulls = Literal["error", "drop", "singletons"]
Reader = Literal["duckdb", "polars"]

# More cells than this are not brought out of an engine unless the caller says so.
TABLE_LIMIT = 10_000_000

_SIZE = re.compile(r"\d+(\.\d+)? *[KMGT]i?B", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Frame:
    """A dataframe, a relation or a lazy query of any library that narwhals knows."""

    native: Any

    def is_same(self, other: object) -> bool:
        return isinstance(other, Frame) and other.native is self.native

    def __str__(self) -> str:
        kind = type(self.native)
        return f"a {kind.__module__.partition('.')[0]} {kind.__name__}"


@dataclass(frozen=True, slots=True)
class Files:
    """Files that an engine reads piece by piece."""

    paths: tuple[str, ...]
    reader: Reader = "duckdb"
    memory: str | None = None
    format: Format | None = None

    def is_same(self, other: object) -> bool:
        return self == other

    def __str__(self) -> str:
        return ", ".join(self.paths)


@dataclass(frozen=True, slots=True, eq=False)
class TablePartition:
    """A partition that lies in a table: one row per record, the cluster in a column.

    Made by ``Partition.from_frame`` and ``Partition.scan``.
    """

    source: Frame | Files
    record: str | None
    cluster: str
    nulls: Nulls = "error"
    noise: Any = None
    noise_as: Literal["cluster", "singletons", "drop"] | None = None

    def __post_init__(self) -> None:
        check_nulls(self.nulls)
        for name, column in (("record", self.record), ("cluster", self.cluster)):
            if not isinstance(column, str) and not (name == "record" and column is None):
                raise ParameterError(
                    f"give the name of a column, not a {type(column).__name__}", given={name: column}
                )

    def __repr__(self) -> str:
        by = "" if self.record is None else f" by {self.record!r}"
        return f"TablePartition({self.cluster!r}{by} of {self.source})"


def check_nulls(nulls: Any) -> None:
    """Refuse a policy for missing labels that is none."""
    if nulls not in ("error", "drop", "singletons"):
        raise ParameterError("use 'error', 'drop' or 'singletons'", given={"nulls": nulls})


def check_memory(memory: Any, reader: str) -> None:
    """Refuse a limit of memory that is no size, or that the reader cannot keep."""
    if memory is None:
        return
    if not isinstance(memory, str) or not _SIZE.fullmatch(memory):
        raise ParameterError("write a size like 800MB, 1GB or 1.5GiB", given={"memory": memory})
    if reader != "duckdb":
        raise ParameterError(f"DuckDB alone has such a limit, {reader} has none", given={"memory": memory})


def check_table_limit(limit: Any) -> None:
    """Refuse a number of overlaps that is none."""
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
        raise ParameterError(
            f"use a number of overlaps, such as {TABLE_LIMIT:_}", given={"table_limit": limit}
        )


def files(path: Any, reader: Any, memory: str | None, format: Any) -> Files:
    """The files that a path, a pattern, or a list of them stands for."""
    several = isinstance(path, (list, tuple))
    if several and not path:
        raise ParameterError("scan got an empty list: name at least one file")
    if not all(isinstance(p, (str, os.PathLike)) for p in (path if several else [path])):
        raise ParameterError(f"scan takes a path, a pattern such as 'run/*.parquet', or a list; got {path!r}")
    if reader not in ("duckdb", "polars"):
        raise ParameterError("files are read by 'duckdb' or 'polars'", given={"engine": reader})
    names = [each.name for each in FORMATS]
    if format is not None and format not in names:
        raise ParameterError(f"use {', '.join(map(repr, names))}", given={"format": format})
    check_memory(memory, reader)
    from pathlib import Path  # slow to import, and not needed by labels in memory

    paths = tuple(str(Path(p).expanduser()) for p in (path if several else [path]))
    return Files(paths, reader, memory, format)
