"""Files as DuckDB reads them: every option is said, and nothing is left to its guess."""

from __future__ import annotations

import glob
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from concordant.engines import execution
from concordant.engines.sql import identifier, literal
from concordant.errors import InputError, MissingExtraError
from concordant.partitions.scratch import scratch_folder
from concordant.partitions.sources import Files
from concordant.partitions.text_files import DelimitedFile, JsonFile

INTEGERS = {
    f"{sign}{name}": (sign == "", bits)
    for name, bits in (("TINYINT", 8), ("SMALLINT", 16), ("INTEGER", 32), ("BIGINT", 64))
    for sign in ("", "U")
}
_COMPRESSIONS = {None: "uncompressed", ".gz": "gzip", ".zst": "zstd"}
_SHORTEST_LIMIT = 2**21  # bytes of a row; DuckDB's own default
_LONGEST_OBJECT = 2**24


class DuckDBFiles:
    """A connection of our own, and how it reads each format."""

    integers = INTEGERS

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def connected(cls, sources: Sequence[Files], threads: int) -> Iterator[DuckDBFiles]:
        """What DuckDB cannot keep in memory goes to a folder that is removed whatever happens."""
        import duckdb

        with scratch_folder() as folder, duckdb.connect() as connection:
            _settle(connection, folder, sources, threads)
            with execution.stoppable(connection):
                yield cls(connection)

    @staticmethod
    def errors() -> type[Exception]:
        """What it raises where it cannot read."""
        try:
            import duckdb
        except ImportError:
            raise MissingExtraError(
                "reading files needs DuckDB, which is not installed; run: pip install 'concordant[tables]'"
            ) from None
        return duckdb.Error

    @staticmethod
    def check_names(names: Sequence[str], source: Files) -> None:
        """Refuse names that DuckDB takes for one."""
        if len({name.casefold() for name in names}) < len(names):
            raise InputError(
                f"{' and '.join(map(repr, names))} of {source} differ only by case, and DuckDB takes them "
                "for one column; rename one, or let Polars read the file"
            )

    def parquet_types(self, path: str) -> dict[str, str]:
        """The types of a file's columns."""
        relation = self._connection.sql(f"SELECT * FROM {_parquet([path])}")  # noqa: S608  (quoted)
        return dict(zip(relation.columns, map(str, relation.types), strict=True))

    def parquet(self, groups: Iterable[tuple[list[str], Mapping[str, str]]]) -> Any:
        """One relation of files, which were put together by the types to cast their columns to."""
        return self._united(
            f"SELECT {', '.join(_cast(*column) for column in types.items())} FROM {_parquet(paths)}"  # noqa: S608  (quoted)
            for paths, types in groups
        )

    def first_row(self, relation: Any) -> tuple[Any, ...]:
        """The first row of a relation, empty where there is none."""
        return next(iter(relation.limit(1).fetchall()), ())

    def delimited(
        self, files: Mapping[str, DelimitedFile], separator: str, columns: Mapping[str, int]
    ) -> Any:
        """One relation of delimited texts; the columns are told by their places."""
        chosen = ", ".join(f"c{place} AS {identifier(name)}" for name, place in columns.items())
        calls = _grouped({path: _csv_options(file, separator) for path, file in files.items()})
        return self._united(f"SELECT {chosen} FROM read_csv({call})" for call in calls)  # noqa: S608  (quoted)

    def json_lines(self, files: Mapping[str, JsonFile], columns: Sequence[str]) -> Any:
        """One relation of JSON lines; what is no string is text as written."""
        types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in columns)
        calls = _grouped({path: _json_options(file, types) for path, file in files.items()})
        return self._united(f"SELECT * FROM read_json({call})" for call in calls)  # noqa: S608  (quoted)

    def _united(self, selects: Iterable[str]) -> Any:
        return self._connection.sql(" UNION ALL ".join(selects))


def _settle(connection: Any, folder: str, sources: Sequence[Files], threads: int) -> None:
    """Memory and spill of our own connection. ``connect`` would ignore the size of the spill."""
    settings: dict[str, Any] = {
        "temp_directory": folder,
        "max_temp_directory_size": f"{_room(folder)}B",
        "preserve_insertion_order": False,
        "enable_progress_bar": False,  # it would be printed; who watches asks for it
    }
    limits = [limit for source in sources if (limit := source.reading_bytes) is not None]
    if limits:  # the sources agree on it
        settings["memory_limit"] = f"{limits[0]}B"
    if threads:
        settings["threads"] = threads
    for name, value in settings.items():
        connection.execute(f"SET {name} = {literal(str(value))}")


def _room(folder: str) -> int:
    """How many bytes the temporary folder may take."""
    return shutil.disk_usage(folder).free


def _parquet(paths: Sequence[str]) -> str:
    """Folders called ``cluster=a`` would otherwise replace the column of that name."""
    listed = ", ".join(literal(glob.escape(path)) for path in paths)
    return f"read_parquet([{listed}], hive_partitioning = false)"


def _cast(name: str, kind: str) -> str:
    """Integers alone are cast; the other types of a group are what its files have."""
    return f"{identifier(name)}::{kind} AS {identifier(name)}" if kind in INTEGERS else identifier(name)


def _grouped(options: Mapping[str, str]) -> Iterator[str]:
    """The files and the options of each call: those that are read in the same way are read in one."""
    alike: dict[str, list[str]] = {}
    for path, said in options.items():
        alike.setdefault(said, []).append(literal(glob.escape(path)))
    for said, paths in alike.items():
        yield f"[{', '.join(paths)}], {said}"


def _csv_options(file: DelimitedFile, separator: str) -> str:
    """The columns get names of ours, as the file's own may be doubled or differ only by case."""
    types = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(file.header)))
    options = {
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
        # The text is known to be well-formed; in strict mode all of its lines would have to end alike.
        "strict_mode": str(not file.has_mixed_lines).lower(),
        "max_line_size": max(_SHORTEST_LIMIT, 2 * file.longest_row),
    }
    return _said(options, file.compression)


def _json_options(file: JsonFile, types: str) -> str:
    options = {
        "format": "'newline_delimited'",
        "records": "true",
        "auto_detect": "false",
        "columns": f"{{{types}}}",
        "maximum_object_size": _LONGEST_OBJECT,
    }
    return _said(options, file.compression)


def _said(options: Mapping[str, Any], compression: str | None) -> str:
    both = {"hive_partitioning": "false", "compression": f"'{_COMPRESSIONS[compression]}'"}
    return ", ".join(f"{name} = {value}" for name, value in {**options, **both}.items())
