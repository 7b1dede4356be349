"""JSON lines. Values other than strings are text as written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from concordant.foundation.results import as_json
from concordant.sources import spark_files
from concordant.sources.descriptions import Files, no_column
from concordant.sources.duckdb_files import COMPRESSIONS, literal, read_text
from concordant.sources.formats.reader import Preview, Reader
from concordant.sources.text_files import checked_json, compression_of_file, first_object

_LONGEST_OBJECT = 2**24


class JsonLines(Reader):
    def preview(self, connection: Any, path: str) -> Preview:
        checked_json(path, ())
        values = first_object(path)
        return list(values), ["text"] * len(values), tuple(values.values())

    def relation(self, connection: Any, paths: Sequence[str], columns: Sequence[str], source: Files) -> Any:
        found = [checked_json(path, columns) for path in paths]
        for number, name in enumerate(columns):
            if not any(counts[number] for counts in found):
                raise no_column(source, name, list(first_object(paths[0])))
        types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in columns)
        options = {
            path: {
                "format": "'newline_delimited'",
                "records": "true",
                "auto_detect": "false",
                "columns": f"{{{types}}}",
                "maximum_object_size": _LONGEST_OBJECT,
                "compression": f"'{COMPRESSIONS[compression_of_file(path)]}'",
            }
            for path in paths
        }
        return read_text(connection, "SELECT * FROM read_json", options)

    def check_for_spark(self, paths: Sequence[str], columns: Sequence[str] = ()) -> None:
        for path in paths:
            checked_json(path, columns)
            spark_files.refuse_compression(path, compression_of_file(path))

    def on_spark(self, reader: Any, places: Sequence[str], paths: Sequence[str]) -> Any:
        from pyspark.sql.types import StringType, StructField, StructType

        # All values as text: the first pass finds the keys, and would infer a type for each.
        reader = reader.option("mode", "FAILFAST")
        names = reader.options(primitivesAsString=True).json(places).columns
        return reader.schema(StructType([StructField(name, StringType()) for name in names])).json(places)

    def write(self, draft: Path, columns: Mapping[str, list[Any]]) -> None:
        with draft.open("w", encoding="utf-8", newline="") as file:
            file.writelines(f"{_line(columns, row)}\n" for row in zip(*columns.values(), strict=True))


def _line(names: Iterable[str], row: Iterable[Any]) -> str:
    """A line of JSON. Floats are strings: JSON has no infinity, and readers spell long ones differently."""
    values = [str(value) if isinstance(value, float) else value for value in row]
    return as_json(dict(zip(names, values, strict=True)), None)
