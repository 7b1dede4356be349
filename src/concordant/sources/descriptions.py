"""Descriptions of dataframes and files: what the user named, checked but not yet read.

A description only: nothing is read before two partitions are compared. ``engines.tables`` reads them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, InputError, ParameterError, few, kind_of, nearest_first
from concordant.foundation.conventions import check_choice
from concordant.sources.formats import FORMATS, FileFormat, Format

_SIZE = r"(?i)(\d+(?:\.\d+)?) *([KMGT])(i?)B"
_UNITS = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_BINARY_UNITS = {"K": 2.0**10, "M": 2.0**20, "G": 2.0**30, "T": 2.0**40}
_MOST_MEMORY = 2**60
_LEAST_MEMORY = 1e6  # bytes
MOST_FOR_READING = 2**28


class Frame:
    """A dataframe, a relation or a lazy query of any library that narwhals knows.

    Its counts can be pickled; the dataframe itself is not.
    """

    __slots__ = ("_described", "_is_here", "_native")

    def __init__(self, native: Any, described: str = "") -> None:
        kind = type(native)
        self._native, self._is_here = native, not described
        package = kind.__module__.partition(".")[0]
        self._described = described or (
            kind_of(native) if package == "builtins" else f"a {package} {kind.__name__}"
        )

    @property
    def native(self) -> Any:
        """The dataframe; an error if it was lost when this was pickled."""
        if not self._is_here:
            raise InputError(
                f"this comparison of {self._described} was pickled without its dataframe; compute this "
                "before you pickle it, or compare again"
            )
        return self._native

    def is_same(self, other: object) -> bool:
        return isinstance(other, Frame) and other.native is self.native

    @property
    def is_eager(self) -> bool:
        """Whether this is a dataframe in memory."""
        from narwhals.stable import v2 as narwhals  # imported here to keep `import concordant` fast

        frame = narwhals.from_native(self.native, eager_only=True, pass_through=True)
        return isinstance(frame, narwhals.DataFrame)

    @property
    def is_of_spark(self) -> bool:
        """Whether the dataframe is of Spark, which may exceed the memory of this machine."""
        return type(self._native).__module__.partition(".")[0] == "pyspark"

    def __reduce__(self) -> tuple[Any, ...]:
        return Frame, (None, self._described)

    def __str__(self) -> str:
        return self._described


@dataclass(frozen=True, slots=True)
class FileState:
    """The state of a file: files with equal states have the same content."""

    path: str
    size: int = 0  # -1 where there is no such file
    changed: int = 0  # in nanoseconds
    inode: int = 0
    footer: str = ""  # a digest, of Parquet alone; of a file on another machine its entity tag or time


@dataclass(frozen=True, slots=True)
class Files:
    """Files that are read piece by piece."""

    paths: tuple[str, ...]
    memory: str | None = None
    format: Format | None = None
    readers: int = field(default=1, compare=False)  # that share the memory for reading
    seen: tuple[FileState, ...] | None = field(default=None, compare=False)  # when they were first read
    resolved: FileFormat | None = field(default=None, compare=False, repr=False)  # the format by then
    may_be_empty: bool = field(default=False, compare=False)  # otherwise text without rows may be cut off

    @property
    def memory_bytes(self) -> int | None:
        """The limit of the memory, None where none was given."""
        return None if self.memory is None else _bytes(self.memory)

    @property
    def reading_bytes(self) -> int | None:
        """The part of the limit for each reader of the files."""
        if self.memory is None:
            return None
        return min(_bytes(self.memory) // 4, MOST_FOR_READING) // self.readers

    def is_same(self, other: object) -> bool:
        return self == other

    def __str__(self) -> str:
        return ", ".join(self.paths)


def check_memory(memory: Any) -> None:
    """Refuse a memory limit that is not a size, or too small."""
    if memory is None:
        return
    size = re.fullmatch(_SIZE, memory) if isinstance(memory, str) else None
    if size is None:
        raise ParameterError("write a size like 800MB, 1GB or 1.5GiB", given={"memory": memory})
    if _bytes(memory) > _MOST_MEMORY:
        raise ParameterError(
            "no machine has so much memory; write a size like 800MB", given={"memory": memory}
        )
    if _bytes(memory) < _LEAST_MEMORY:
        raise ParameterError(
            "DuckDB does not work with less than 1MB, and is slow below 200MB; write a size like 800MB",
            given={"memory": memory},
        )


def _bytes(memory: str) -> int:
    """A size in bytes.

    >>> _bytes("1.5GB"), _bytes("800 MiB")
    (1500000000, 838860800)
    """
    size = re.fullmatch(_SIZE, memory)
    assert size is not None  # as was checked
    unit = _UNITS[size[2].upper()] if size[3] == "" else _BINARY_UNITS[size[2].upper()]
    return int(float(size[1]) * unit)


def files(path: Any, memory: str | None, format: Any) -> Files:
    """The files of a path, a pattern, or a list of them."""
    several = isinstance(path, (list, tuple))
    if several and not path:
        raise ParameterError("scan got an empty list: name at least one file")
    if not all(isinstance(p, (str, os.PathLike)) for p in (path if several else [path])):
        raise ParameterError(
            f"scan takes a path, a folder, a pattern such as 'run/*.parquet', or a list; got {path!r}"
        )
    for each in path if several else [path]:
        if "\0" in os.fspath(each):
            raise FileError(f"{os.fspath(each)!r}: the name of a file has no null character")
    if format is not None:
        check_choice("format", format, [each.name for each in FORMATS])
    check_memory(memory)
    return Files(tuple(map(_spelled, path if several else [path])), memory, format)


def _spelled(path: str | os.PathLike[str]) -> str:
    """An address as it is, and a path with the home folder in it."""
    from pathlib import Path  # slow to import, and not needed by labels in memory

    from concordant.sources.remote import is_address

    name = os.fspath(path)
    return name if is_address(name) else str(Path(name).expanduser())


def check_column_names(**columns: Any) -> None:
    """Refuse columns that are not named by different strings."""
    for option, column in columns.items():
        if not isinstance(column, str):
            raise ParameterError(f"give the name of a column, not {kind_of(column)}", given={option: column})
    if len(set(columns.values())) < len(columns):
        *first, last = columns
        raise ParameterError(
            f"{', '.join(first)} and {last} are different columns, and these are {few(columns.values())}"
        )


def without_index(columns: Iterable[str]) -> list[str]:
    """The columns that users named: pandas adds its index to Arrow tables and Parquet files.

    >>> without_index(["label", "__index_level_0__"])
    ['label']
    """
    return [name for name in columns if re.fullmatch(r"__index_level_\d+__", str(name)) is None]


def no_column(source: Any, name: str, columns: Sequence[str]) -> InputError:
    """The error that lists the columns there are."""
    columns = without_index(columns)
    near = nearest_first(name, columns, f"it has {', '.join(map(str, columns))}")
    return InputError(f"{source} has no column {name!r}{near}")


def repeated_columns(source: Frame, error: Exception) -> InputError:
    """The error for a dataframe in which a name has several columns."""
    return InputError(
        f"{source} has several columns with the same name, so the name is ambiguous; rename them, or pass "
        f"only the columns to compare ({' '.join(str(error).split())})"
    )


def short_floats(column: Any) -> NDArray[np.floating[Any]] | None:
    """A Series, tensor or array of floats of 32 or 16 bits, with shorter decimals; None for other columns."""
    kind = str(getattr(column, "dtype", getattr(column, "type", ""))).lower().removeprefix("torch.")
    if not hasattr(column, "__array__") or not kind.startswith(("float", "halffloat")):
        return None
    values = np.asarray(column.detach().cpu() if hasattr(column, "detach") else column)
    is_short = values.ndim == 1 and values.dtype in (np.float32, np.float16)
    return values if is_short and not np.isnan(values).any() else None


def columns_in_memory(frame: Any, *names: str, short: bool = False) -> list[list[Any]]:
    """These columns of a dataframe of any library, as lists; if ``short``, floats of 32 bits stay these."""
    import narwhals.stable.v2 as nw  # not needed for labels

    try:
        native = nw.from_native(frame)
    except TypeError as error:
        raise InputError(f"{kind_of(frame)} is not a dataframe, a path or a list of paths") from error
    except nw.exceptions.DuplicateError as error:
        raise repeated_columns(Frame(frame), error) from None
    if Frame(frame).is_of_spark:
        raise InputError(
            f"{Frame(frame)} has rows on other machines, and this needs them in memory; write it to Parquet "
            "files, and read or scan these"
        )
    columns = native.collect_schema().names()
    missing = [name for name in names if name not in columns]
    if missing:
        shown = few(without_index(columns))
        raise InputError(f"there is no column {missing[0]!r}; the columns are {shown}")
    chosen = native.select(*dict.fromkeys(names))  # a column may be asked for twice
    eager = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    found = [short_floats(eager[name]) if short else None for name in names]
    return [
        eager[name].to_list() if each is None else list(each) for name, each in zip(names, found, strict=True)
    ]
