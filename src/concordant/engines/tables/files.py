"""Files that an engine reads piece by piece: which they are, and how several make one table.

Text formats have no types that can be trusted: "01" and "1" are different names, and a guess would merge
them. So CSV, TSV and JSON lines are read as text, and Parquet as it is.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from narwhals.exceptions import NarwhalsError

from concordant.engines.tables.duckdb_files import DuckDBFiles
from concordant.engines.tables.file_states import check_unchanged, state_of, unchanged
from concordant.engines.tables.polars_files import PolarsFiles
from concordant.errors import (
    ConcordantError,
    FileError,
    InputError,
    ParameterError,
    Remedy,
    TooLargeError,
    did_you_mean,
)
from concordant.partitions import formats, text_files
from concordant.partitions.formats import FileFormat
from concordant.partitions.sources import Files
from concordant.partitions.text_files import refuse_unreadable

_READERS: dict[str, type[DuckDBFiles | PolarsFiles]] = {
    "auto": DuckDBFiles,
    "duckdb": DuckDBFiles,
    "polars": PolarsFiles,
}

EngineFiles = DuckDBFiles | PolarsFiles


@dataclass(frozen=True, slots=True)
class WantedColumns:
    """Some columns of files."""

    source: Files
    columns: tuple[str, ...]


def is_text(source: Files) -> bool:
    """Whether the files are of a format without types, so that labels and records are text."""
    return not _format_of(source).has_types


@contextmanager
def opened(wanted: Sequence[WantedColumns], threads: int) -> Iterator[list[Any]]:
    """A frame for each, all of one engine; what the engine cannot read is one clear error."""
    with _connected([each.source for each in wanted], threads) as reader:
        yield [_frame(reader, each) for each in wanted]


def preview(source: Files) -> tuple[list[str], list[str], tuple[Any, ...]]:
    """The names and types of the columns, and the first row, empty where there is none."""
    with _connected([source], 0) as reader:
        path, kind = _expanded(source)[0], _format_of(source)
        if kind.name == "parquet":
            types = reader.parquet_types(path)
            return list(types), list(types.values()), reader.first_row(reader.parquet([([path], types)]))
        if kind.separator is not None:
            names = list(text_files.delimited_file(path, kind.separator).header)
            columns = text_files.first_columns(path, kind.separator)
            return names, ["text"] * len(names), tuple(column[0] for column in columns)
        text_files.json_file(path, ())
        values = text_files.first_object(path)
        return list(values), ["text"] * len(values), tuple(values.values())


@contextmanager
def _connected(sources: Sequence[Files], threads: int) -> Iterator[EngineFiles]:
    _check_agreement(sources)
    paths = [_expanded(source) for source in sources]
    check_unchanged(sources, paths)
    for source in sources:
        _check_paths(source)
    reader = _READERS[sources[0].reader]
    with (
        unchanged(sources, paths),
        _explained(reader.errors(), sources),
        reader.connected(sources, threads) as connected,
    ):
        yield connected


def first_seen(source: Files) -> Files:
    """The files with what they are like now, so that a later change is noticed."""
    if source.seen is not None:
        return source
    return replace(source, seen=tuple(map(state_of, _expanded(source))))


def _frame(reader: EngineFiles, wanted: WantedColumns) -> Any:
    source, kind, paths = wanted.source, _format_of(wanted.source), _expanded(wanted.source)
    reader.check_names(wanted.columns, source)
    if kind.name == "parquet":
        types = {path: reader.parquet_types(path) for path in paths}
        return reader.parquet(_by_types(types, wanted.columns, reader.integers))
    if kind.separator is not None:
        files = {path: text_files.delimited_file(path, kind.separator) for path in paths}
        return reader.delimited(files, kind.separator, _places(files, wanted))
    objects = {path: text_files.json_file(path, wanted.columns) for path in paths}
    for number, name in enumerate(wanted.columns):
        if not any(file.found[number] for file in objects.values()):
            raise no_column(source, name, list(text_files.first_object(paths[0])))
    return reader.json_lines(objects, wanted.columns)


def no_column(source: Any, name: str, columns: Sequence[str]) -> InputError:
    """The error that says which columns there are instead."""
    near = did_you_mean(name, columns)
    return InputError(f"{source} has no column {name!r}; it has {', '.join(map(str, columns))}{near}")


# -- several files as one ----------------------------------------------------------------------------


def _places(files: Mapping[str, text_files.DelimitedFile], wanted: WantedColumns) -> dict[str, int]:
    """Where the columns stand in all of the files."""
    header = text_files.common_header(files, str(wanted.source))
    return {name: _place(header, name, wanted.source) for name in wanted.columns}


def _place(header: Sequence[str], name: str, source: Files) -> int:
    if name not in header:
        raise no_column(source, name, header)
    if header.count(name) > 1:
        raise FileError(f"{source} has {header.count(name)} columns called {name!r}; rename them")
    return header.index(name)


def _by_types(
    types: Mapping[str, Mapping[str, str]], columns: Sequence[str], integers: Mapping[str, tuple[bool, int]]
) -> list[tuple[list[str], dict[str, str]]]:
    """The files, put together by the types of their columns, each with the types to read them as."""
    common = {name: _common_type(name, types, integers) for name in columns}
    groups: dict[tuple[str, ...], list[str]] = {}
    for path, kinds in types.items():
        groups.setdefault(tuple(kinds[name] for name in columns), []).append(path)
    return [(paths, common) for paths in groups.values()]


def _common_type(
    name: str, types: Mapping[str, Mapping[str, str]], integers: Mapping[str, tuple[bool, int]]
) -> str:
    """The type that holds the column of every file: theirs, or the widest of integers."""
    found: dict[str, str] = {}
    for path, kinds in types.items():
        if name not in kinds:
            raise no_column(path, name, list(kinds))
        found.setdefault(kinds[name], path)
    widest = next(iter(found)) if len(found) == 1 else _widest(set(found), integers)
    if widest is None:
        stated = " and ".join(f"{kind} in {path}" for kind, path in list(found.items())[:2])
        raise FileError(
            f"several files make one table, but {name!r} is {stated}; write it with one type (integers alone "
            "may be of different widths)"
        )
    return widest


def _widest(kinds: set[str], integers: Mapping[str, tuple[bool, int]]) -> str | None:
    """The narrowest type of integers that holds them all, None where there is none.

    >>> _widest({"Int8", "UInt32"}, {"Int8": (True, 8), "UInt32": (False, 32), "Int64": (True, 64)})
    'Int64'
    """
    if not kinds <= integers.keys():
        return None
    given = [integers[kind] for kind in kinds]
    signed = any(sign for sign, _ in given)
    bits = max(width * 2 if signed and not sign else width for sign, width in given)
    fitting = [kind for kind, (sign, width) in integers.items() if sign == signed and width >= bits]
    return min(fitting, key=lambda kind: integers[kind][1], default=None)


# -- paths -------------------------------------------------------------------------------------------


def _check_agreement(sources: Sequence[Files]) -> None:
    """One engine reads both sides, so they cannot name two, nor two limits of its memory."""
    for option, named in (("engine", "reader"), ("memory", "memory")):
        said = sorted({value for source in sources if (value := getattr(source, named)) is not None})
        if len(said) > 1:
            raise ParameterError(
                f"the other side says {said[0]!r}, and one engine reads both; say the same on both sides",
                given={option: said[1]},
            )


def _check_paths(source: Files) -> None:
    for path in source.paths:
        if path == os.devnull:
            continue
        refuse_unreadable(path)
        if _is_pattern(path):
            if not glob.glob(path, recursive=True):  # noqa: PTH207  (the pattern may be absolute)
                raise FileError(f"no file matches {path!r}")
        elif not Path(path).exists():
            raise FileError(f"{path}: there is no such file")
        elif Path(path).is_dir():
            raise FileError(f"{path} is a folder; name its files with a pattern such as '{path}/*.parquet'")
        elif not os.access(path, os.R_OK):
            raise FileError(f"{path}: you may not read this file")


def _expanded(source: Files) -> list[str]:
    paths: list[str] = []
    for path in source.paths:
        found = glob.glob(path, recursive=True) if _is_pattern(path) else [path]  # noqa: PTH207  (as above)
        paths += sorted(found)
    if twice := next(
        (path for path in paths if len(set(paths)) < len(paths) and paths.count(path) > 1), None
    ):
        raise FileError(f"{twice} is named twice; each file is read once")
    return paths


def _is_pattern(path: str) -> bool:
    """A file may be called like a pattern; then it is meant."""
    return glob.has_magic(path) and not Path(path).exists()


def _format_of(source: Files) -> FileFormat:
    if source.format is not None:
        return formats.format_called(source.format)
    found = {formats.format_by_name(path) for path in source.paths}
    if len(found) == 1 and (kind := found.pop()) is not None:
        return kind
    raise FileError(
        f"the name does not tell what {source} is: {formats.titles()}",
        remedies=[Remedy("say which", format=...)],
    )


# -- errors ------------------------------------------------------------------------------------------

_Explain = Callable[[str, str], ConcordantError]

_CAUSES: tuple[tuple[tuple[str, ...], _Explain], ...] = (
    (
        ("No space left", "Disk quota exceeded", "max_temp_directory_size", "failed to offload"),
        lambda files, told: TooLargeError(
            f"the temporary folder is full while comparing {files}; set TMPDIR to a folder on a larger disk, "
            f"or give more memory. The engine says: {told}"
        ),
    ),
    (
        ("cannot make ", "cannot write to ", "cannot seek in ", "cannot read from "),  # the core's words
        lambda files, told: TooLargeError(
            f"the temporary folder does not take what is too large for memory, while comparing {files}; set "
            f"TMPDIR to another folder, or give more memory. The engine says: {told}"
        ),
    ),
    (
        ("Out of Memory", "OutOfMemory", "could not allocate"),
        lambda files, told: TooLargeError(
            f"the memory limit is too small for {files}. The engine says: {told}",
            remedies=[Remedy("give more", memory=...)],
        ),
    ),
)


@contextmanager
def _explained(kind: type[Exception], sources: Sequence[Files]) -> Iterator[None]:
    """What the engine says about files, as one error of ours."""
    named = " and ".join(dict.fromkeys(map(str, sources)))
    try:
        yield
    except (kind, NarwhalsError, OSError) as error:
        told = " ".join(str(error).split())[:400]
        for signs, explain in _CAUSES:
            if any(sign in told for sign in signs):
                raise explain(named, told) from error
        raise FileError(
            f"{named} cannot be read: a file is damaged, was changed meanwhile, or is of another format. "
            f"The engine says: {told}"
        ) from error
