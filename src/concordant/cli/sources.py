"""Files of any size: which of them an engine reads, and how the options are put to it.

``text`` reads small delimited text. An engine reads other formats (Parquet, JSON lines), large files, several
files at once, and whatever --engine, --memory or --nulls asks it to read. Both give the same answers.
"""

from __future__ import annotations

import glob
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from concordant import engines
from concordant.cli.columns import ColumnNames, Columns, Side, check_header
from concordant.cli.options import FileOptions
from concordant.cli.text import Layout
from concordant.errors import FileError, ParameterError
from concordant.partitions import formats, text_files
from concordant.partitions.formats import FileFormat
from concordant.partitions.partition import SourcePartition
from concordant.partitions.scratch import scratch_folder
from concordant.partitions.sources import files, refuse_address
from concordant.partitions.spark_files import Preview, SparkReader

_LARGE = 2**28  # bytes of a text file, from which on it is not loaded whole
_SHOWN_VALUE = 20


def engine_reads(paths: Sequence[str], options: FileOptions) -> bool:
    """Whether an engine reads the files, all of them."""
    for path in paths if options.engine != "spark" else ():
        refuse_address(path)
    layout = options.layout
    plain = layout == Layout(header=layout.header) and layout.header is not False
    reason = options.for_engine or next((why for path in paths if (why := _needs_engine(path))), None)
    if reason and not plain:
        raise ParameterError(
            f"{reason}: an engine reads it, and takes neither --separator, --no-header, --encoding nor "
            "--noise ''; give text files the ending .csv or .tsv, and use --nulls for empty labels"
        )
    large = any(path != "-" and (_size(path) or 0) >= _LARGE for path in paths)
    return bool(reason) or (plain and large)


def _needs_engine(path: str) -> str | None:
    """What is special about the file, in the words of an error."""
    name = "standard input" if path == "-" else path
    kind = _format_of(path)
    if kind is not None and kind.separator is None:
        return f"{name} is not delimited text but {kind.title}"
    if glob.has_magic(path) and _size(path) is None:
        return f"{path} stands for several files"
    return None


def _format_of(path: str) -> FileFormat | None:
    """What a file is: by its name, but Parquet and standard input by the first bytes."""
    named = formats.format_by_name(path)
    if named is not None and named.separator is None:
        return named
    found = formats.format_by_beginning(_beginning(path))
    return found if path == "-" or (found and found.has_types) else named


def _beginning(path: str) -> bytes:
    """The first bytes of a file; those of standard input stay there to be read."""
    if path == "-":
        peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
        return b"" if peek is None else bytes(peek(formats.LONGEST_BEGINNING))
    try:
        if not Path(path).is_file():
            return b""  # what is read of a pipe would be gone
        with Path(path).open("rb") as file:
            return file.read(formats.LONGEST_BEGINNING)
    except (OSError, ValueError):
        return b""  # whoever reads it says why it cannot


def _size(path: str) -> int | None:
    """How many bytes a file has, None where there is no such file."""
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):
        return None


# -- opening ------------------------------------------------------------------------------------------


@contextmanager
def spooled(paths: Sequence[str]) -> Iterator[dict[str, str]]:
    """Where to read each of the paths; standard input is kept in a temporary file meanwhile."""
    if "-" not in paths:
        yield {path: path for path in paths}
        return
    if sys.stdin is None:
        raise FileError("standard input is closed")
    with scratch_folder() as folder:
        kind = _format_of("-") or formats.format_called("csv")
        spool = Path(folder) / f"input{kind.endings[0]}"
        try:
            with spool.open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
        except OSError as error:
            raise FileError(f"cannot keep standard input in {folder}: {error.strerror}") from None
        yield {path: str(spool) if path == "-" else path for path in paths}


class ScannedFile:
    """A file or several, read by an engine; the same interface as ``LoadedFile``."""

    def __init__(self, path: str, place: str, naming: ColumnNames, options: FileOptions) -> None:
        self.name = "standard input" if path == "-" else path
        self._naming, self._options = naming, options
        self._reader = (
            SparkReader(place, _format_of(place))
            if options.engine == "spark"
            else _FileReader(place, options)
        )
        self._header = _TypedColumns(self.name, *self._reader.preview())

    @property
    def is_named(self) -> bool:
        """Whether the user said which column is what."""
        return self._naming != ColumnNames()

    @property
    def columns(self) -> tuple[str | None, str]:
        """The names of the record's column, if any, and of the cluster's."""
        record, cluster = self._header.record_and_cluster(self._naming)
        return None if record is None else self._header.columns[record], self._header.columns[cluster]

    def read(self) -> Side:
        """The partition. Nothing is counted yet."""
        record, cluster = self.columns
        if self._options.header is None and not self.is_named and (below := self._reader.first_fields()):
            check_header(self.name, self._header.columns, below)
        if record is None:
            raise FileError(
                f"{self.name} has a single column, {cluster!r}; an engine reads rows in any order, so two "
                "files need a column that names the record"
            )
        origin = f"{self.name}, column {cluster}, by {record}"
        return Side(self._partition(record, cluster), origin, is_scanned=True)

    def read_labels(self, names: Sequence[str] | None) -> tuple[Side, Side]:
        """Two columns of labels of this one file."""
        columns = (self._header.columns[place] for place in self._header.two_labels(names))
        u, v = (Side(self._partition(None, x), f"{self.name}, column {x}", is_scanned=True) for x in columns)
        return u, v

    def _partition(self, record: str | None, cluster: str) -> SourcePartition:
        noise = None if self._options.noise is None else self._header.typed(cluster, self._options.noise)
        return self._reader.partition(
            record=record,
            cluster=cluster,
            nulls=self._options.nulls or "error",
            noise=noise,
            noise_as=self._options.noise_as,
        )


class _TypedColumns(Columns):
    """Columns of known types, with their first values."""

    def __init__(self, name: str, names: Sequence[str], kinds: Sequence[str], row: Sequence[Any]) -> None:
        super().__init__(name, list(names))
        self._kinds, self._row = kinds, row

    def previews(self) -> Sequence[str]:
        shown = [f"{name!r} {kind}" for name, kind in zip(self.columns, self._kinds, strict=True)]
        return [
            f"{text} like {_cut(repr(value))}" if value is not None else text
            for text, value in zip(shown, self._row or [None] * len(shown), strict=True)
        ]

    def typed(self, column: str, label: str) -> Any:
        """A label of the command line in the type of the column."""
        kind = self._kinds[self.place(column)].upper()
        if not re.search("INT|LONG|SHORT|BYTE", kind):
            return label
        try:
            return int(label)
        except ValueError:
            raise ParameterError(
                f"--noise {label!r}: the labels {column!r} of {self.name} are of type {kind}, and this is "
                "not a whole number"
            ) from None


class _FileReader:
    """Files of this machine."""

    def __init__(self, place: str, options: FileOptions) -> None:
        self._place = place
        self._format = _format_of(place) or formats.format_called("csv")
        self._source = files(place, options.engine or "auto", options.memory, self._format.name)

    def preview(self) -> Preview:
        """The names and types of the columns, and the first row."""
        self._source = engines.first_seen(self._source)
        return engines.preview(self._source)

    def first_fields(self) -> list[list[str]]:
        """The fields of the first rows of a text, column by column; none of what has types or keys."""
        if glob.has_magic(self._place):
            return []
        return text_files.first_columns(self._place, self._format.separator)

    def partition(self, **options: Any) -> SourcePartition:
        """The partition of these columns."""
        return SourcePartition(self._source, **options)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_VALUE else text[: _SHOWN_VALUE - 3] + "..."
