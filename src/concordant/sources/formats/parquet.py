"""Parquet."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from concordant.errors import FileError
from concordant.foundation.results import as_frame, dataframe_library
from concordant.sources.duckdb_files import literal
from concordant.sources.formats.typed import TypedReader

_TAIL = 8  # bytes: the length of the footer, and the magic
_LONGEST_FOOTER = 2**26


class Parquet(TypedReader):
    reads_ranges = True

    def table(self, connection: Any, paths: Sequence[str]) -> str:
        """A call. Folders called ``cluster=a`` would otherwise replace the column of that name."""
        listed = ", ".join(map(literal, map(glob.escape, paths)))
        return f"read_parquet([{listed}], hive_partitioning = false)"

    def check_types(self, connection: Any, path: str, types: Mapping[str, str]) -> None:
        """Refuse decimals that DuckDB would round to floats: different labels would become one."""
        floats = [name for name, kind in types.items() if kind == "DOUBLE"]
        if not floats:
            return
        schema = f"SELECT name, precision FROM parquet_schema({literal(glob.escape(path))})"  # noqa: S608  (quoted)
        decimals = f"{schema} WHERE duckdb_type = 'DOUBLE' AND precision IS NOT NULL"
        digits = dict(connection.sql(decimals).fetchall())
        if name := next(filter(digits.__contains__, floats), None):
            raise FileError(
                f"{name!r} of {path} has decimals of {digits[name]} digits, and DuckDB reads more than 38 as "
                "floats; write it as text"
            )

    def digest(self, file: BinaryIO, size: int) -> str:
        """A digest of the footer."""
        if size < _TAIL:
            return ""
        file.seek(-_TAIL, 2)
        length = int.from_bytes(file.read(4), "little")
        file.seek(-min(size, length + _TAIL, _LONGEST_FOOTER), 2)
        return hashlib.blake2b(file.read(_LONGEST_FOOTER), digest_size=16).hexdigest()

    def check_for_spark(self, paths: Sequence[str], columns: Sequence[str] = ()) -> None:
        """Spark reads all Parquet files as DuckDB does, or refuses them."""

    def on_spark(self, reader: Any, places: Sequence[str], paths: Sequence[str]) -> Any:
        return reader.options(mergeSchema=True).parquet(*places)

    def check_writing(self, path: str | os.PathLike[str]) -> None:
        _writing_library(path)

    def write(self, draft: Path, columns: Mapping[str, list[Any]]) -> None:
        import narwhals.stable.v2 as nw  # not needed to read

        for values in columns.values():  # dataframes would store half of a character as other text
            "".join(value for value in values if isinstance(value, str)).encode()
        frame = nw.from_native(as_frame(columns, _writing_library(draft)), eager_only=True)
        frame.write_parquet(str(draft))


def _writing_library(path: str | os.PathLike[str]) -> str:
    return dataframe_library(
        f"writing {os.fspath(path)}", ("polars", "pyarrow"), "write .csv, .tsv or .jsonl"
    )
