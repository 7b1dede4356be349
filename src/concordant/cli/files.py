"""Reads partitions from delimited text: two columns of labels, records with their cluster, or clusters.

Labels are text, as written: nothing is stripped and nothing is taken for a number, so "1", "01" and
" 1" are three labels. Ambiguous text raises an error that names the line.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from concordant import sources
from concordant.cli import columns
from concordant.cli.columns import FilePartition, Naming, SourceFile, check_header
from concordant.cli.options import FileOptions
from concordant.clusterings.partition_data import SourcePartition
from concordant.errors import FileError, OverlapError, ParameterError, Remedy
from concordant.foundation.remedies import FOR_NULLS
from concordant.sources import formats, spark_files, text_files
from concordant.sources.descriptions import Files, Frame, files, without_index
from concordant.sources.duckdb_files import identifier
from concordant.sources.formats import FileFormat, Format
from concordant.sources.remote import is_address, is_folder, is_pattern
from concordant.sources.text_files import LONGEST_ROW, checked_rows, file_bytes, shown_name
from concordant.sources.writing import scratch_folder

_OTHER_ENCODINGS = ("latin-1", "utf-16")
_BLOCK = 500  # rows split at a time: few enough not to trigger the garbage collector


class LoadedFile(SourceFile):
    """Rows of record and cluster, or of labels. A single column has labels in order, without records."""

    def __init__(self, path: str, naming: Naming, options: FileOptions) -> None:
        self._lines, self._options = _Lines(path, options), options
        first = next((row for row in self._lines if row), None)
        if first is None:
            raise FileError(f"{self._lines.name} is empty")
        numbers = [str(number + 1) for number in range(len(first))]
        super().__init__(path, numbers if options.header is False else first, naming)

    def hint(self) -> str:
        alone = self.columns[0] if len(self.columns) == 1 else ""
        return columns.separator_hint(alone, self._lines.separator)

    def read(self) -> FilePartition:
        record, cluster = self.places()
        labels, *records = self.values([cluster] if record is None else [cluster, record])
        if not self.is_named:
            self._check_separated(labels)
            if self._options.header is None:
                names = [self.columns[place] for place in (record, cluster) if place is not None]
                columns.check_header(self.name, names, [*records, labels])
        labels = self._checked(cluster, labels)
        origin = f"{self.name}, column {self.columns[cluster]}"
        if record is None:
            return FilePartition(labels, origin, self)
        elements = dict(zip(records[0], labels, strict=True))
        if len(elements) != len(labels):
            raise self._repeated(records[0])
        if "" in elements:
            line = self._line(records[0].index(""))
            raise FileError(f"{self.name}, line {line}: the record id is empty; each row needs one")
        origin = f"{origin}, by {self.columns[record]}"
        return FilePartition(elements, origin, self)

    def read_labels(self, names: Sequence[str] | None) -> list[FilePartition]:
        places = self.label_places(names)
        read = zip(places, self.values(places), strict=True)
        labels = [self._checked(place, column, named=True) for place, column in read]
        found = [self.columns[place] for place in places]
        return [
            FilePartition(column, f"{self.name}, column {name}", self, label=name)
            for name, column in zip(found, labels, strict=True)
        ]

    def values(self, places: Sequence[int]) -> list[list[str]]:
        found: list[list[str]] = [[] for _ in places]
        rows = self._rows()
        while block := list(islice(rows, _BLOCK)):
            for column, place in zip(found, places, strict=True):
                column.extend(map(itemgetter(place), block))
        if not found[0]:
            raise FileError(f"{self.name} has a header ({self.listed()}) but no rows")
        return found

    def _rows(self) -> Iterator[list[str]]:
        """The rows below the header. Blank lines are skipped, except as empty labels of a single column."""
        rows = iter(self._lines)
        if self._options.header is not False:
            next(row for row in rows if row)
        for row in rows:
            if row:
                yield row
            elif len(self.columns) == 1:
                yield [""]

    def _line(self, position: int) -> int:
        """The line of a row. Only errors need it, so the file is read again."""
        next(islice(self._rows(), position, None))
        return self._lines.number

    def _check_separated(self, labels: list[str]) -> None:
        """Refuse a single column that is really several, split at the wrong character."""
        if len(self.columns) > 1:
            return
        header, separator = self.columns[0], self._lines.separator
        word = columns.found_in(header, separator) or columns.found_in_all(labels, separator)
        if word and (self._options.separator is None or len(set(labels)) == len(labels)):
            raise FileError(
                f"{self.name} has {self.described()} of labels like {labels[0]!r}, which look like several "
                "fields",
                remedies=[
                    Remedy("separate them", separator=word),
                    Remedy("use them as labels", cluster=header),
                ],
            )

    def _checked(self, place: int, labels: list[str], *, named: bool = False) -> list[Any]:
        """The labels, with None for empty ones if ``--nulls`` treats them.

        Other empty labels are refused, as is a header that is a row of data; a named column has a header.
        """
        column = self.columns[place]
        has_empty = self._options.noise != "" and "" in labels
        treats_nulls = self._options.nulls not in (None, "error")
        if has_empty and not treats_nulls:
            raise FileError(
                f"{self.name}, line {self._line(labels.index(''))}: the label in column {column!r} is empty",
                remedies=[*FOR_NULLS, Remedy("treat them as noise", noise="", noise_as=...)],
            )
        named = named or self.naming[1] is not None
        if self._options.header is None and not named and column in labels:
            raise FileError(
                f"{self.name}: the first line was read as a header, but {column!r} is also a label, on line "
                f"{self._line(labels.index(column))}",
                remedies=columns.HEADER_REMEDIES,
            )
        return [label or None for label in labels] if has_empty else labels

    def _repeated(self, records: list[str]) -> OverlapError:
        first: dict[str, int] = {}
        for position, record in enumerate(records):
            before = first.setdefault(record, position)
            if before != position:
                break
        again = len(records) - len(set(records))
        others = f" ({again:,} rows repeat a record)" if again > 1 else ""
        return OverlapError(
            f"{self.name}: the record {record!r} is on line {self._line(before)} and again on line "
            f"{self._line(position)}{others}; each record belongs to one cluster"
        )


def read_clusters(path: str, options: FileOptions) -> FilePartition:
    """One cluster per line, its elements separated; a cluster is named after its line number."""
    lines = _Lines(path, options, ragged=True)
    owner: dict[str, int] = {}
    widest = 0
    for row in lines:
        while row and not row[-1]:  # spreadsheets pad short lines with empty cells
            row.pop()
        widest = max(widest, len(row))
        for element in row:
            if not element:
                raise FileError(f"{lines.name}, line {lines.number}: a record is empty")
            first = owner.setdefault(element, lines.number)
            if first != lines.number:
                raise OverlapError(
                    f"{lines.name}: the record {element!r} is in two clusters, on line {first} and on "
                    f"line {lines.number}; in a partition, each record is in one cluster"
                )
    if not owner:
        raise FileError(f"{lines.name} contains no clusters; write one per line, with its records separated")
    if widest == 1 and options.separator is None:
        word = columns.found_in_any(owner, lines.separator)
        if word:
            raise FileError(
                f"{lines.name}: every line has one record, like {next(iter(owner))!r}, which looks like "
                "several",
                remedies=[
                    Remedy("separate them", separator=word),
                    Remedy("make each a singleton", separator=columns.word_for(lines.separator)),
                ],
            )
    marks = columns.plural(lines.separator)
    return FilePartition(owner, f"{lines.name}, one cluster per line, separated by {marks}", is_by_line=True)


class _Lines:
    """The rows of a well-formed text, and the line of the last row that was read."""

    def __init__(self, path: str, options: FileOptions, *, ragged: bool = False) -> None:
        self.name = shown_name(path)
        self._ragged = ragged
        longest = _LARGE if ragged else LONGEST_ROW  # a cluster may have many elements
        self._data = self._utf8(file_bytes(path, longest), options.encoding)
        if not self._data.strip():
            raise FileError(f"{self.name} is empty")
        if (known := formats.format_by_beginning(self._data)) and known.has_types:
            raise FileError(
                f"{self.name} is {known.title}, and this command or one of its options needs text; convert "
                "it to CSV"
            )
        if foreign := formats.foreign_kind(self._data):
            raise FileError(
                f"{self.name} is {foreign}, which this command does not read; convert it to Parquet or CSV"
            )
        self.separator = options.separator_character or columns.separator_by_name(path)
        if ragged and options.separator is None:
            text = self._data.decode(errors="replace")
            self.separator = columns.member_separator(text, self.separator, self.name)
        checked_rows(
            [self._data],
            self.separator,
            self.name,
            ragged=ragged,
            hint=lambda header: columns.separator_hint(header, self.separator),
            other_encodings=[Remedy(f"read it as {name}", encoding=name) for name in _OTHER_ENCODINGS],
        )
        self.number = 0  # the line on which the row that was read last ends

    def __iter__(self) -> Iterator[list[str]]:
        """All rows, from the start."""
        self.number = 0
        text = io.TextIOWrapper(io.BytesIO(self._data), encoding="utf-8-sig", newline="")
        spaced = self._ragged and self.separator == " "  # several spaces separate like one
        reader = csv.reader(text, delimiter=self.separator, strict=True, skipinitialspace=spaced)
        for row in reader:
            self.number = reader.line_num
            yield row

    def _utf8(self, data: bytes, encoding: str) -> bytes:
        """The text in UTF-8; UTF-8 is left as it is."""
        try:
            if codecs.lookup(encoding) == codecs.lookup("utf-8"):
                return data
            return data.decode(encoding).encode()
        except LookupError:
            raise ParameterError("Python does not know this encoding", given={"encoding": encoding}) from None
        except UnicodeError as error:
            line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
            reason = getattr(error, "reason", error)
            raise FileError(
                f"{self.name}, line {line}: not {encoding} text ({reason}); specify its encoding"
            ) from None


_LARGE = 2**28  # bytes of a text file, from which on it is not loaded whole
_SHOWN_VALUE = 20


def engine_reads(paths: Sequence[str], options: FileOptions, reason: str | None = None) -> bool:
    """Whether an engine reads the files, all of them; it always does if a ``reason`` is given."""
    layout = {
        "--separator": options.separator is not None,
        "--no-header": options.header is False,
        "--encoding": options.encoding != "utf-8",
        "--noise '' (--nulls is for empty labels)": options.noise == "",
    }
    of_text = [option for option, is_given in layout.items() if is_given]
    reason = reason or options.for_engine
    for path in paths:
        kind = _format_of(path, options.file_format)
        if kind is not None and kind.separator is None:
            reason = reason or f"{shown_name(path)} is not delimited text but {kind.title}"
        elif is_pattern(path):
            reason = reason or f"{path} matches several files"
        elif is_folder(path):
            reason = reason or f"{path} is a folder"
    if reason and of_text:
        raise ParameterError(
            f"{reason}: an engine reads the files, and engines do not support {' or '.join(of_text)}; they "
            "read UTF-8 text with a header, from files that end with .csv or .tsv"
        )
    large = any(path != "-" and (is_address(path) or (_size(path) or 0) >= _LARGE) for path in paths)
    return bool(reason) or (large and not of_text)


def _format_of(path: str, given: Format | None = None) -> FileFormat | None:
    """The format of a file: as given, else by its name or, if typed or from a pipe, by its first bytes."""
    if given is not None:
        return formats.format_called(given)
    if is_folder(path):
        return sources.files.format_of(files(path, None, None))
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
            return b""  # bytes read from a pipe would be lost
        with Path(path).open("rb") as file:
            return file.read(formats.LONGEST_BEGINNING)
    except (OSError, ValueError):
        return b""  # the reader explains why it cannot be read


def _size(path: str) -> int | None:
    """How many bytes a file has, None where there is no such file."""
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):
        return None


# -- opening ------------------------------------------------------------------------------------------


@contextmanager
def spooled(paths: Sequence[str]) -> Iterator[dict[str, str]]:
    """The paths to read; standard input is copied to a temporary file."""
    if "-" not in paths:
        yield {path: path for path in paths}
        return
    if sys.stdin is None:
        raise FileError("standard input is closed; name a file")
    with scratch_folder() as folder:
        kind = _format_of("-") or formats.format_called("csv")
        spool = Path(folder) / f"input{kind.endings[0]}"
        try:
            with spool.open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
        except OSError as error:
            raise FileError(f"cannot copy standard input to {folder}: {error.strerror}") from None
        yield {path: str(spool) if path == "-" else path for path in paths}


class ScannedFile(SourceFile):
    """A file or several, read by an engine: piece by piece when they are counted, or into memory as text."""

    def __init__(
        self, path: str, place: str, naming: Naming, options: FileOptions, *, in_memory: bool = False
    ) -> None:
        self._options, self._in_memory = options, in_memory
        self._source: Frame | Files
        if options.engine == "spark":
            if in_memory:  # an error before Spark starts, which takes long
                raise self._rows_stay_on_spark()
            self._format = _format_of(place, options.file_format) or formats.format_called(
                "parquet"
            )  # folders are Parquet, too
            self._paths = spark_files.local_paths(place)
            frame = spark_files.read(place, self._paths, self._format)
            self._source, seen = Frame(frame), spark_files.preview(frame)
        else:
            kind = _format_of(place, options.file_format)
            self._format = kind or formats.format_called("csv")
            self._paths = [place] if Path(place).is_file() else []
            format = self._format.name if kind or self._paths else None
            opened = files(place, options.memory, format)
            self._source = sources.files.first_seen(opened)
            seen = sources.files.preview(self._source)
        columns, self._kinds, self._row = seen
        super().__init__(path, list(columns), naming)

    def previews(self) -> Sequence[str]:
        """The columns with their types and first values."""
        row = [repr(value) for value in self._row] if self._row else [""] * len(self.columns)
        row = [text if len(text) <= _SHOWN_VALUE else text[: _SHOWN_VALUE - 3] + "..." for text in row]
        return [
            f"{name!r} {kind}" + (f" like {text}" if text not in ("", "None") else "")
            for name, kind, text in zip(self.columns, self._kinds, row, strict=True)
            if without_index([name])
        ]

    def read(self) -> FilePartition:
        if self.reader is not None:
            return self.reader(self._source)
        record, cluster = self.record_and_cluster
        if self._options.header is None and not self.is_named and self._format.separator is not None:
            below = [[str(value)] for value in self._row]
            if self._paths:
                below = text_files.first_columns(self._paths[0], self._format.separator)
            if below:  # text, which has neither types nor keys
                check_header(self.name, self.columns, below)
        if record is None:
            raise FileError(
                f"{self.name} has a single column, {cluster!r}; an engine reads rows in any order, so two "
                "files need a column that names the record"
            )
        origin = f"{self.name}, column {cluster}, by {record}"
        if not self._in_memory:
            return FilePartition(self._partition(record, cluster), origin, self, is_scanned=True)
        records, labels = self.values([self.place(record), self.place(cluster)])
        elements = dict(zip(records, labels, strict=True))
        if len(elements) != len(records) or None in elements:
            twice = next((name for name, times in Counter(records).items() if times > 1), None)
            what = "a row without a record" if twice is None else f"several rows of the record {twice!r}"
            raise OverlapError(f"{self.name} has {what}; each record belongs to one cluster")
        return FilePartition(elements, origin, self)

    def values(self, places: Sequence[int]) -> list[list[Any]]:
        if not isinstance(self._source, Files):
            raise self._rows_stay_on_spark()
        names = tuple(self.columns[place] for place in places)
        with sources.files.opened([(self._source, tuple(dict.fromkeys(names)))], 0) as (relation,):
            rows = relation.project(", ".join(f"{identifier(name)}::VARCHAR" for name in names)).fetchall()
        if not rows:
            raise FileError(f"{self.name} has columns ({self.listed()}) but no rows")
        return [list(column) for column in zip(*rows, strict=True)]

    def _rows_stay_on_spark(self) -> ParameterError:
        return ParameterError(
            "Spark leaves rows where they are, and this needs them in memory; leave it out",
            given={"engine": self._options.engine},
        )

    def read_labels(self, names: Sequence[str] | None) -> list[FilePartition]:
        places = self.label_places(names)
        found = [self.columns[place] for place in places]
        read = self.values(places) if self._in_memory else [self._partition(None, name) for name in found]
        return [
            FilePartition(
                each, f"{self.name}, column {name}", self, is_scanned=not self._in_memory, label=name
            )
            for name, each in zip(found, read, strict=True)
        ]

    def _partition(self, record: str | None, cluster: str) -> SourcePartition:
        noise: Any = self._options.noise
        kind = self._kinds[self.place(cluster)].upper()
        if noise is not None and re.search("INT|LONG|SHORT|BYTE", kind):
            try:
                noise = int(noise)
            except ValueError:
                raise ParameterError(
                    f"--noise {noise!r}: the labels {cluster!r} of {self.name} are of type {kind}, and this "
                    "is not a whole number"
                ) from None
        if isinstance(self._source, Frame):  # otherwise they are checked when they are read
            names = [name for name in (record, cluster) if name is not None]
            self._format.reader.check_for_spark(self._paths, names)
        return SourcePartition(
            self._source,
            record=record,
            cluster=cluster,
            nulls=self._options.nulls or "error",
            noise=noise,
            noise_as=self._options.noise_as,
        )
