"""Files, read piece by piece by DuckDB or Polars.

Text formats have no types that can be trusted: "01" and "1" are different names, and a guess would
merge them. So CSV, TSV and JSON lines are read as text, and Parquet as it is.
"""

from __future__ import annotations

import glob
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from narwhals.exceptions import NarwhalsError

from concordant.engines.tables import execution
from concordant.errors import (
    ConcordantError,
    FileError,
    LabelError,
    MissingExtraError,
    ParameterError,
    Remedy,
    TooLargeError,
)
from concordant.partitions import formats
from concordant.partitions.formats import FileFormat
from concordant.partitions.partition import SourcePartition
from concordant.partitions.sources import Files

# Nothing of the dialect is left to the engine's guess: it would take lines with a # for comments.
_DIALECT = (
    """, header = true, all_varchar = true, delim = '{delimiter}', quote = '"', escape = '"', comment = ''"""
)


def is_text(source: Files) -> bool:
    """Whether the files are of a format without types, so that labels and records are text."""
    return not _format_of(source).has_types


@contextmanager
def opened(tables: Sequence[SourcePartition], threads: int) -> Iterator[list[Any]]:
    """A frame for each table, all of one engine; what the engine cannot read is one clear error."""
    sources = [table.source for table in tables if isinstance(table.source, Files)]
    _check_agreement(sources)
    for source in sources:
        _check_paths(source)
    opener = _in_duckdb if sources[0].reader == "duckdb" else _in_polars
    with opener(tables, sources, threads) as frames:
        yield frames


def preview(source: Files) -> tuple[list[str], list[str], tuple[Any, ...]]:
    """The names and types of the columns, and the first row, empty where there is none."""
    with opened([SourcePartition(source, None, "")], 0) as (frame,):
        if source.reader == "duckdb":
            names, kinds, rows = frame.columns, frame.types, frame.limit(1).fetchall()
        else:
            schema = frame.collect_schema()
            names, kinds, rows = schema.names(), schema.dtypes(), frame.head(1).collect().rows()
    return list(names), [str(kind) for kind in kinds], next(iter(rows), ())


# -- DuckDB ------------------------------------------------------------------------------------------


@contextmanager
def _in_duckdb(tables: Sequence[SourcePartition], sources: list[Files], threads: int) -> Iterator[list[Any]]:
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError(
            "reading files needs DuckDB, which is not installed; run: pip install 'concordant[tables]'"
        ) from None
    folder = tempfile.mkdtemp(prefix="concordant-")
    try:
        with _explained(duckdb.Error, sources), duckdb.connect() as connection:
            _settle(connection, folder, sources, threads)
            with execution.stoppable(connection):
                yield [
                    _relation(connection, table, source)
                    for table, source in zip(tables, sources, strict=True)
                ]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _settle(connection: Any, folder: str, sources: list[Files], threads: int) -> None:
    """Memory and spill of our own connection. ``connect`` would ignore the size of the spill."""
    settings: dict[str, Any] = {
        "temp_directory": folder,
        "max_temp_directory_size": f"{_room(folder)}B",
        "preserve_insertion_order": False,
        "enable_progress_bar": False,  # it would be printed; ``execution`` asks for the progress itself
    }
    limits = [source.memory for source in sources if source.memory is not None]
    if limits:  # the sources agree on it
        settings["memory_limit"] = limits[0]
    if threads:
        settings["threads"] = threads
    for name, value in settings.items():
        connection.execute(f"SET {name} = {_literal(str(value))}")


def _room(folder: str) -> int:
    """How many bytes the temporary folder may take."""
    return shutil.disk_usage(folder).free


def _relation(connection: Any, table: SourcePartition, source: Files) -> Any:
    paths = (_literal(_taken_literally(path)) for path in _expanded(source))
    call = f"{{reader}}([{', '.join(paths)}]{{options}})"
    kind = _format_of(source)
    if kind.name == "parquet":
        return connection.sql(f"SELECT * FROM {call.format(reader='read_parquet', options='')}")  # noqa: S608  (quoted)
    if kind.name == "jsonl":
        return _json_relation(connection, table, source, call)
    options = _DIALECT.format(delimiter=kind.separator)
    return connection.sql(f"SELECT * FROM {call.format(reader='read_csv', options=options)}")  # noqa: S608  (quoted)


def _json_relation(connection: Any, table: SourcePartition, source: Files, call: str) -> Any:
    lines = ", format = 'newline_delimited', records = true"
    found = connection.sql(f"SELECT * FROM {call.format(reader='read_json', options=lines)}")  # noqa: S608  (quoted)
    wanted = [name for name in (table.record, table.cluster) if name is not None]
    types = dict(zip(found.columns, map(str, found.types), strict=True))
    for name in wanted:
        if name not in types:
            return found  # whoever checks the columns tells which there are
        if types[name].endswith("]") or types[name].startswith(("STRUCT", "MAP")):
            raise LabelError(f"{name!r} of {source} holds {types[name]}; a label is a single value")
    columns = ", ".join(f"{_literal(name)}: 'VARCHAR'" for name in dict.fromkeys(wanted))
    options = f"{lines}, columns = {{{columns}}}"
    return connection.sql(f"SELECT * FROM {call.format(reader='read_json', options=options)}")  # noqa: S608  (quoted)


def _taken_literally(path: str) -> str:
    """A path that DuckDB takes for no pattern; on the net it is left to DuckDB."""
    return path if "://" in path else glob.escape(path)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


# -- Polars ------------------------------------------------------------------------------------------


@contextmanager
def _in_polars(tables: Sequence[SourcePartition], sources: list[Files], threads: int) -> Iterator[list[Any]]:  # noqa: ARG001  (Polars has a number of threads for the process)
    try:
        import polars as pl
    except ImportError:
        raise MissingExtraError(
            "this needs Polars, which is not installed; run: pip install polars", given={"engine": "polars"}
        ) from None
    with _explained(pl.exceptions.PolarsError, sources):
        yield [_lazy_frame(pl, table, source) for table, source in zip(tables, sources, strict=True)]


def _lazy_frame(polars: Any, table: SourcePartition, source: Files) -> Any:
    paths, kind = _expanded(source), _format_of(source)
    if kind.name == "parquet":
        widened = polars.ScanCastOptions(integer_cast="upcast")
        return polars.scan_parquet(paths, glob=False, cast_options=widened)
    if kind.separator is not None:
        frame = polars.scan_csv(paths, separator=kind.separator, infer_schema=False, glob=False)
        return frame.with_columns(polars.col(polars.String).replace("", None))  # quoted, as DuckDB has it
    schema = polars.scan_ndjson(paths).collect_schema()
    plain = [
        name for name in (table.record, table.cluster) if name in schema and not schema[name].is_nested()
    ]
    # A guessed type would round large numbers, and fail on a text that comes late.
    return polars.scan_ndjson(paths, schema_overrides=dict.fromkeys(plain, polars.String))


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
        if "://" in path or path == os.devnull:
            continue
        compression = formats.compression_of(path)
        if compression and compression.readers == "nobody":
            raise FileError(f"{path}: files may be compressed as .gz or .zst; unpack this one first")
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
    return paths


def _is_pattern(path: str) -> bool:
    """A file may be called like a pattern; then it is meant."""
    return glob.has_magic(path) and "://" not in path and not Path(path).exists()


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
        ("No space left", "max_temp_directory_size", "failed to offload"),
        lambda files, told: TooLargeError(
            f"the temporary folder is full while comparing {files}; set TMPDIR to a folder on a larger disk, "
            f"or give more memory. The engine says: {told}"
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
def _explained(kind: type[Exception], sources: list[Files]) -> Iterator[None]:
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
