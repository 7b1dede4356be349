"""Delimited text: CSV and TSV."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concordant.errors import FileError
from concordant.sources import spark_files
from concordant.sources.descriptions import Files, no_column
from concordant.sources.duckdb_files import COMPRESSIONS, identifier, literal, read_text
from concordant.sources.formats.reader import Preview, Reader
from concordant.sources.text_files import DelimitedFile, common_header, delimited_file, first_columns

if TYPE_CHECKING:
    from concordant.sources.formats import FileFormat

_SHORTEST_LIMIT = 2**21  # bytes of a row; DuckDB's own default
_FOR_SPARK = {
    "header": True,
    "quote": '"',
    "escape": '"',
    "multiLine": True,
    "mode": "FAILFAST",
    "nullValue": "",
    "emptyValue": "",
    "ignoreLeadingWhiteSpace": False,
    "ignoreTrailingWhiteSpace": False,
    "unescapedQuoteHandling": "RAISE_ERROR",
    "maxCharsPerColumn": -1,
    "encoding": "UTF-8",
}


class Delimited(Reader):
    def __init__(self, format: FileFormat) -> None:
        super().__init__(format)
        self.separator = format.separator or ","

    def preview(self, connection: Any, path: str) -> Preview:
        names = list(delimited_file(path, self.separator).header)
        columns = first_columns(path, self.separator)
        return names, ["text"] * len(names), tuple(column[0] for column in columns)

    def relation(self, connection: Any, paths: Sequence[str], columns: Sequence[str], source: Files) -> Any:
        """The columns have names of ours in the query: those of a file may repeat, or differ only by case.

        With a memory limit, files are read through small buffers, of which DuckDB holds several.
        """
        files = self._files(paths)
        header = common_header(files, str(source), may_be_empty=source.may_be_empty)
        for name in columns:
            if name not in header:
                raise no_column(source, name, header)
            if header.count(name) > 1:
                raise FileError(f"{source} has {header.count(name)} columns called {name!r}; rename them")
        options = {}
        for path, file in files.items():
            types = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(header)))
            options[path] = {
                "auto_detect": "false",
                "columns": f"{{{types}}}",
                "header": "true",
                "skip": file.leading_blanks,
                "delim": literal(self.separator),
                "quote": "'\"'",
                "escape": "'\"'",
                "comment": "''",
                "nullstr": "''",
                "null_padding": "false",
                "ignore_errors": "false",
                # The text is known to be well-formed; strict mode would require equal line endings.
                "strict_mode": str(not file.has_mixed_lines).lower(),
                "max_line_size": (longest := max(2 * file.longest_row, _SHORTEST_LIMIT)),
                "buffer_size": (16 if source.reading_bytes is None else 2) * longest,
                "compression": f"'{COMPRESSIONS[file.compression]}'",
            }
        chosen = ", ".join(f"c{header.index(name)} AS {identifier(name)}" for name in columns)
        return read_text(connection, f"SELECT {chosen} FROM read_csv", options)  # noqa: S608  (quoted)

    def check_for_spark(self, paths: Sequence[str], columns: Sequence[str] = ()) -> None:
        files = self._files(paths)
        for path, file in files.items():
            spark_files.refuse_compression(path, file.compression)
            if file.has_mixed_lines:
                raise FileError(
                    f"{path}: some lines end with a line feed and others with a carriage return as well, "
                    "which Spark does not read; read the file without Spark, or end all lines in the same way"
                )
        if files:
            common_header(files, ", ".join(files))

    def on_spark(self, reader: Any, places: Sequence[str], paths: Sequence[str]) -> Any:
        reader = reader.options(**_FOR_SPARK, sep=self.separator)
        if not paths:
            return _empty_as_null(reader.options(enforceSchema=False).csv(places))
        header = delimited_file(paths[0], self.separator).header
        fields = ", ".join(f"c{column} STRING" for column in range(len(header)))
        return _empty_as_null(reader.schema(fields).csv(places)).toDF(*header)

    def write(self, draft: Path, columns: Mapping[str, list[Any]]) -> None:
        if empty := [name for name, values in columns.items() if "" in values]:
            raise FileError(
                f"the {empty[0]} '' cannot be written: in {self.format.title}, an empty field is null; "
                "rename it, or write .jsonl or .parquet"
            )
        with draft.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file, delimiter=self.separator, lineterminator="\n")
            table.writerow(columns)
            table.writerows(zip(*columns.values(), strict=True))

    def _files(self, paths: Sequence[str]) -> dict[str, DelimitedFile]:
        return {path: delimited_file(path, self.separator) for path in paths}


def _empty_as_null(frame: Any) -> Any:
    """Turn empty quoted fields into nulls, too."""
    return frame.replace("", None)
