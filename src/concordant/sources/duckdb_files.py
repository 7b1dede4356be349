"""Connections to DuckDB, and what the readers of several formats share."""

from __future__ import annotations

import atexit
import glob
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from concordant.sources import execution
from concordant.sources.descriptions import Files
from concordant.sources.writing import scratch_folder

# DuckDB's integer types: whether they are signed, and their bits.
INTEGERS = {
    f"{sign}{name}": (sign == "", bits)
    for name, bits in (("TINYINT", 8), ("SMALLINT", 16), ("INTEGER", 32), ("BIGINT", 64))
    for sign in ("", "U")
}
# DuckDB's names of the compressions, by their endings.
COMPRESSIONS = {None: "uncompressed", ".gz": "gzip", ".zst": "zstd"}
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


def new_folder(connection: Any) -> str:
    """An empty folder in the temporary folder of a connection."""
    ((folder,),) = connection.execute("SELECT current_setting('temp_directory')").fetchall()
    return tempfile.mkdtemp(dir=str(folder))


def read_text(connection: Any, select: str, options: Mapping[str, Mapping[str, Any]]) -> Any:
    """One relation of text files, with the options of each; one call reads files with the same options."""
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
