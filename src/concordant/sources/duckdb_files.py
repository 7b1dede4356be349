"""How DuckDB reads each file format: every option is given, and nothing is left to its detection."""

from __future__ import annotations

import atexit
import glob
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from concordant.errors import FileError
from concordant.sources import execution
from concordant.sources.descriptions import Files
from concordant.sources.formats import FileFormat
from concordant.sources.text_files import DelimitedFile, compression_of_file
from concordant.sources.writing import scratch_folder

# DuckDB's integer types: whether they are signed, and their bits.
INTEGERS = {
    f"{sign}{name}": (sign == "", bits)
    for name, bits in (("TINYINT", 8), ("SMALLINT", 16), ("INTEGER", 32), ("BIGINT", 64))
    for sign in ("", "U")
}
_COMPRESSIONS = {None: "uncompressed", ".gz": "gzip", ".zst": "zstd"}
_SHORTEST_LIMIT = 2**21  # bytes of a row; DuckDB's own default
_LONGEST_OBJECT = 2**24
_BYTES_OF_A_THREAD = 2**24  # to sort or to decode


def identifier(name: str) -> str:
    """A name, quoted for SQL.

    >>> identifier('a "quoted" name')
    '"a ""quoted"" name"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A string, quoted for SQL.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


# Opening DuckDB takes 25 ms, so one instance is kept for the next files. A forked process would not have
# its threads.
_kept: list[Any] = []
atexit.register(_kept.clear)
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_kept.clear)


@contextmanager
def connected(sources: Sequence[Files], threads: int) -> Iterator[Any]:
    """A private connection. Data that exceeds its memory goes to a folder that is always removed."""
    with scratch_folder() as folder:
        settings: dict[str, Any] = {
            "temp_directory": folder,
            "max_temp_directory_size": f"{free_bytes(folder)}B",  # ``connect`` would ignore it
            "preserve_insertion_order": False,
            "enable_progress_bar": False,  # it would be printed; a watcher enables it
        }
        limits = [limit for source in sources if (limit := source.reading_bytes) is not None]
        if limits:  # all sources have the same limit
            settings["memory_limit"] = f"{limits[0]}B"
            threads = min(threads or os.cpu_count() or 1, max(limits[0] // _BYTES_OF_A_THREAD, 1))
        if threads:
            settings["threads"] = threads
        with _instance(is_shared=not limits and not threads) as instance, instance.cursor() as connection:
            listed = [f"SET {name} = {literal(str(value))}" for name, value in settings.items()]
            connection.execute("; ".join(listed))
            with execution.stoppable(connection):
                yield connection


@contextmanager
def _instance(*, is_shared: bool) -> Iterator[Any]:
    """An instance of DuckDB. A shared one is kept afterwards, unless it failed or has a state of its own."""
    import duckdb

    try:
        instance = _kept.pop() if is_shared else duckdb.connect()
    except IndexError:  # not looked at before, since another thread may take it meanwhile
        instance = duckdb.connect()
    is_kept = False
    try:
        yield instance
        if is_shared and not _kept and not instance.list_filesystems():
            with suppress(duckdb.Error):  # the temporary folder cannot be changed once it has been used
                instance.execute("RESET temp_directory")
                is_kept = True
    finally:
        if is_kept:
            _kept.append(instance)
        else:
            instance.close()


def free_bytes(folder: str) -> int:
    """The free space of the disk that holds the folder."""
    return shutil.disk_usage(folder).free


def column_types(connection: Any, path: str, kind: FileFormat) -> dict[str, str]:
    """The column types of a Parquet or Arrow file."""
    try:
        relation = connection.sql(f"SELECT * FROM {_typed_files(connection, [path], kind)}")  # noqa: S608  (quoted)
        columns = relation.columns
    except (RuntimeError, UnicodeDecodeError):  # by the version of DuckDB
        raise FileError(f"{path} has a column whose name is not UTF-8 text; rename it") from None
    return dict(zip(columns, map(str, relation.types), strict=True))


def decimal_digits(connection: Any, path: str) -> dict[str, int]:
    """The digits of the decimals of a Parquet file that DuckDB reads as floats, by column."""
    schema = f"SELECT name, precision FROM parquet_schema({literal(glob.escape(path))})"  # noqa: S608  (quoted)
    return dict(connection.sql(f"{schema} WHERE duckdb_type = 'DOUBLE' AND precision IS NOT NULL").fetchall())


def read_typed(
    connection: Any, groups: Iterable[tuple[list[str], Mapping[str, str]]], kind: FileFormat
) -> Any:
    """One relation of Parquet or Arrow files; each group comes with the types to read its columns as.

    Integers alone are cast, since the other types of a group are those of its files.
    """
    selects = []
    for paths, types in groups:
        columns = [
            f"{identifier(name)}::{kind} AS {identifier(name)}" if kind in INTEGERS else identifier(name)
            for name, kind in types.items()
        ]
        selects.append(f"SELECT {', '.join(columns)} FROM {_typed_files(connection, paths, kind)}")  # noqa: S608  (quoted)
    return connection.sql(" UNION ALL ".join(selects))


def _typed_files(connection: Any, paths: Sequence[str], kind: FileFormat) -> str:
    """The source of a query; for Arrow files a data set, which DuckDB reads batch by batch.

    Folders called ``cluster=a`` would otherwise replace the column of that name.
    """
    if kind.name == "arrow":
        from pyarrow import ArrowInvalid, dataset

        name = f"arrow_{secrets.token_hex(8)}"
        try:
            connection.register(name, dataset.dataset(list(paths), format="ipc"))
        except ArrowInvalid as error:
            raise OSError(str(error)) from error  # as DuckDB raises for other formats
        return name
    listed = ", ".join(literal(glob.escape(path)) for path in paths)
    return f"read_parquet([{listed}], hive_partitioning = false)"


def read_delimited(
    connection: Any,
    files: Mapping[str, DelimitedFile],
    separator: str,
    columns: Mapping[str, int],
    memory: int | None,
) -> Any:
    """One relation of delimited text; ``columns`` gives the position of each column.

    With a memory limit, files are read through small buffers, of which DuckDB holds several.

    In the query they have names of ours, since those of the file may be repeated or differ only by case.
    """
    options = {}
    for path, file in files.items():
        types = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(file.header)))
        options[path] = {
            "auto_detect": "false",
            "columns": f"{{{types}}}",
            "header": "true",
            "skip": file.leading_blanks,
            "delim": literal(separator),
            "quote": "'\"'",
            "escape": "'\"'",
            "comment": "''",
            "nullstr": "''",
            "null_padding": "false",
            "ignore_errors": "false",
            # The text is known to be well-formed; strict mode would require equal line endings.
            "strict_mode": str(not file.has_mixed_lines).lower(),
            "max_line_size": (longest := max(2 * file.longest_row, _SHORTEST_LIMIT)),
            "buffer_size": (16 if memory is None else 2) * longest,
            "compression": f"'{_COMPRESSIONS[file.compression]}'",
        }
    chosen = ", ".join(f"c{place} AS {identifier(name)}" for name, place in columns.items())
    return _read_text(connection, f"SELECT {chosen} FROM read_csv", options)  # noqa: S608  (quoted)


def read_json_lines(connection: Any, paths: Sequence[str], columns: Sequence[str]) -> Any:
    """One relation of JSON lines; values other than strings are text as written."""
    types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in columns)
    options = {
        path: {
            "format": "'newline_delimited'",
            "records": "true",
            "auto_detect": "false",
            "columns": f"{{{types}}}",
            "maximum_object_size": _LONGEST_OBJECT,
            "compression": f"'{_COMPRESSIONS[compression_of_file(path)]}'",
        }
        for path in paths
    }
    return _read_text(connection, "SELECT * FROM read_json", options)


def _read_text(connection: Any, select: str, options: Mapping[str, Mapping[str, Any]]) -> Any:
    """Files with the same options are read by one call."""
    calls: dict[str, list[str]] = {}
    for path, given in options.items():
        said = ", ".join(f"{name} = {value}" for name, value in given.items())
        calls.setdefault(said, []).append(literal(glob.escape(path)))
    return connection.sql(
        " UNION ALL ".join(
            f"{select}([{', '.join(paths)}], {said}, hive_partitioning = false)"
            for said, paths in calls.items()
        )
    )
