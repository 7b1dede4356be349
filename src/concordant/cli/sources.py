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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from concordant import engines
from concordant.cli import headers
from concordant.cli.columns import ColumnNames, Columns
from concordant.cli.spark import Preview, SparkReader
from concordant.cli.text import Layout
from concordant.counts.conventions import NoiseAs, Nulls
from concordant.errors import FileError, ParameterError
from concordant.partitions import formats, text_files
from concordant.partitions.formats import FileFormat
from concordant.partitions.partition import SourcePartition
from concordant.partitions.scratch import scratch_folder
from concordant.partitions.sources import check_memory, files, refuse_address

ENGINES = ("auto", "duckdb", "polars", "spark")

_LARGE = 2**28  # bytes of a text file, from which on it is not loaded whole
_SHOWN_VALUE = 20


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """Who reads the files, and how."""

    engine: str | None = None
    memory: str | None = None
    nulls: Nulls | None = None
    noise: str | None = None
    noise_as: NoiseAs | None = None

    def __post_init__(self) -> None:
        if self.engine is not None and self.engine not in ENGINES:
            raise ParameterError(
                f"files are read by {', '.join(ENGINES[:-1])} or {ENGINES[-1]}; frames of other libraries "
                "are compared from Python, by concordant.Partition.from_frame",
                given={"engine": self.engine},
            )
        check_memory(self.memory, self.engine or "auto")

    @property
    def asked_for(self) -> str | None:
        """The option that only an engine understands, if one was given."""
        named = (("--engine", self.engine), ("--memory", self.memory), ("--nulls", self.nulls))
        return next((f"{option} {value}" for option, value in named if value is not None), None)


def engine_reads(paths: Sequence[str], engine_options: EngineOptions, layout: Layout) -> bool:
    """Whether an engine reads the files, all of them."""
    for path in paths if engine_options.engine != "spark" else ():
        refuse_address(path)
    plain = layout == Layout(header=layout.header) and layout.header is not False
    reason = engine_options.asked_for or next((why for path in paths if (why := _needs_engine(path))), None)
    if reason and not plain:
        raise ParameterError(
            f"{reason}: an engine reads it, and takes neither --separator, --no-header, --encoding nor "
            "--noise ''; give text files the ending .csv or .tsv, and use --nulls for empty labels"
        )
    return bool(reason) or (plain and any(_is_large(path) for path in paths))


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


def _is_large(path: str) -> bool:
    return path != "-" and (_size(path) or 0) >= _LARGE


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


@dataclass(frozen=True, slots=True)
class ScannedPartition:
    """One partition that an engine finds, and where."""

    elements: SourcePartition
    origin: str
    knows_noise: ClassVar[bool] = True  # it was told on opening


class ScannedFile:
    """A file or several, read by an engine; the same face as ``LoadedFile``."""

    name: str

    def __init__(
        self, path: str, place: str, naming: ColumnNames, layout: Layout, engine_options: EngineOptions
    ) -> None:
        self.name = "standard input" if path == "-" else path
        self._naming, self._layout, self._options = naming, layout, engine_options
        self._reader = (
            SparkReader(place, _format_of(place))
            if engine_options.engine == "spark"
            else _FileReader(place, engine_options)
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

    def read(self) -> ScannedPartition:
        """The partition. Nothing is counted yet."""
        record, cluster = self.columns
        if self._layout.header is None and not self.is_named and (below := self._reader.first_fields()):
            headers.check(self.name, self._header.columns, below)
        if record is None:
            raise FileError(
                f"{self.name} has a single column, {cluster!r}; an engine reads rows in any order, so two "
                "files need a column that names the record"
            )
        return ScannedPartition(
            self._partition(record, cluster), f"{self.name}, column {cluster}, by {record}"
        )

    def read_labels(self, names: Sequence[str] | None) -> tuple[ScannedPartition, ScannedPartition]:
        """Two columns of labels of this one file."""
        columns = (self._header.columns[place] for place in self._header.two_labels(names))
        u, v = (ScannedPartition(self._partition(None, x), f"{self.name}, column {x}") for x in columns)
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

    def __init__(self, place: str, engine_options: EngineOptions) -> None:
        self._place, self._options = place, engine_options
        self._format = (_format_of(place) or formats.format_called("csv")).name
        self._engine = engine_options.engine or "auto"
        self._source = files(self._place, self._engine, engine_options.memory, self._format)

    def preview(self) -> Preview:
        """The names and types of the columns, and the first row."""
        self._source = engines.first_seen(self._source)
        return engines.preview(self._source)

    def first_fields(self) -> list[list[str]]:
        """The fields of the first rows of a text, column by column; none of what has types or keys."""
        separator = formats.format_called(self._format).separator
        return [] if glob.has_magic(self._place) else text_files.first_columns(self._place, separator)

    def partition(self, **options: Any) -> SourcePartition:
        """The partition of these columns."""
        return SourcePartition(self._source, **options)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_VALUE else text[: _SHOWN_VALUE - 3] + "..."
