"""Reads partitions from delimited text: two columns of labels, records with their cluster, or clusters.

Labels are text, as written: nothing is stripped and nothing is taken for a number, so "1", "01" and
" 1" are three labels. What could be read in two ways is an error that names the line.
"""

from __future__ import annotations

import codecs
import csv
import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from pathlib import Path

from concordant.cli.columns import (
    HEADER_REMEDIES,
    ColumnNames,
    Columns,
    Side,
    check_header,
    found_in,
    found_in_all,
    found_in_any,
    listed,
    member_separator,
    plural,
    separator_by_name,
    separator_hint,
    word_for,
)
from concordant.errors import FileError, OverlapError, ParameterError, Remedy, did_you_mean
from concordant.partitions import formats
from concordant.partitions.text_files import checked_rows, refuse_unreadable, unpacked_bytes

_OTHER_ENCODINGS = ("latin-1", "utf-16")
_BLOCK = 500  # rows taken apart at a time: few enough not to wake the garbage collector


@dataclass(frozen=True, slots=True)
class Layout:
    """How the text of a file is cut into fields."""

    separator: str | None = None  # None: a tab in .tsv and .tab files, a comma elsewhere
    header: bool | None = None  # None: unless it could be a row like the others
    encoding: str = "utf-8"
    empty_labels: bool = False  # whether an empty cell is a label like any other


def read_labels(path: str, names: Sequence[str] | None, layout: Layout) -> list[Side]:
    """Columns of labels in one file, one row an element."""
    table = _Rows(_Lines(path, layout))
    places = table.two_labels(names)
    labels = table.read(places)
    for place, column in zip(places, labels, strict=True):
        table.check_labels(place, column, chosen=True)
    origins = [f"{table.name}, column {table.columns[place]}" for place in places]
    return [Side(column, origin) for column, origin in zip(labels, origins, strict=True)]


class LoadedFile:
    """Rows of record and cluster. A file with a single column has labels in order, without records."""

    def __init__(self, path: str, naming: ColumnNames, layout: Layout) -> None:
        self._table = _Rows(_Lines(path, layout))
        self._naming = naming
        self._places = self._table.record_and_cluster(naming)

    @property
    def name(self) -> str:
        return self._table.name

    @property
    def is_named(self) -> bool:
        """Whether the user said which column is what."""
        return self._naming != ColumnNames()

    @property
    def columns(self) -> tuple[str | None, str]:
        """The names of the record's column, if any, and of the cluster's."""
        record, cluster = self._places
        return None if record is None else self._table.columns[record], self._table.columns[cluster]

    def read(self) -> Side:
        table, (record, cluster) = self._table, self._places
        labels, *records = table.read([cluster] if record is None else [cluster, record])
        if not self.is_named:
            table.check_separated(labels)
            table.check_header([cluster] if record is None else [record, cluster], [*records, labels])
        table.check_labels(cluster, labels, chosen=self._naming.cluster is not None)
        origin = f"{table.name}, column {table.columns[cluster]}"
        if record is None:
            return Side(labels, origin)
        elements = dict(zip(records[0], labels, strict=True))
        if len(elements) != len(labels):
            raise OverlapError(_repeated(table, records[0]))
        if "" in elements:
            raise FileError(f"{table.at(records[0].index(''))} the record id is empty; each row needs one")
        return Side(elements, f"{origin}, by {table.columns[record]}")


def read_clusters(path: str, layout: Layout) -> Side:
    """One cluster a line, its elements separated; a cluster is called by the number of its line."""
    lines = _Lines(path, layout, ragged=True)
    owner: dict[str, int] = {}
    widest = 0
    for row in lines:
        while row and not row[-1]:  # spreadsheets pad short lines with empty cells
            row.pop()
        widest = max(widest, len(row))
        for element in row:
            if not element:
                raise FileError(f"{lines.name}, line {lines.number}: an element is empty")
            first = owner.setdefault(element, lines.number)
            if first != lines.number:
                raise OverlapError(
                    f"{lines.name}: the element {element!r} stands in two clusters, on line {first} and on "
                    f"line {lines.number}; a partition holds each element once"
                )
    if not owner:
        raise FileError(f"{lines.name} holds no clusters; write one a line, its elements separated")
    if widest == 1 and layout.separator is None:
        _check_elements(lines, owner)
    marks = plural(lines.separator)
    return Side(owner, f"{lines.name}, one cluster a line, separated by {marks}")


def _check_elements(lines: _Lines, elements: Iterable[str]) -> None:
    """Refuse lines of one element that are several, cut at the wrong character."""
    if word := found_in_any(elements, lines.separator):
        raise FileError(
            f"{lines.name}: every line holds one element, like {next(iter(elements))!r}, which seems to be "
            "several",
            remedies=[
                Remedy("separate them", separator=word),
                Remedy("let each stand alone", separator=word_for(lines.separator)),
            ],
        )


def _repeated(table: _Rows, records: list[str]) -> str:
    first: dict[str, int] = {}
    for position, record in enumerate(records):
        before = first.setdefault(record, position)
        if before != position:
            break
    again = len(records) - len(set(records))
    others = f" ({again:,} rows repeat a record)" if again > 1 else ""
    return (
        f"{table.name}: the record {record!r} stands on line {table.line(before)} and again on line "
        f"{table.line(position)}{others}; each record belongs to one cluster"
    )


class _Rows(Columns):
    """Rows with named columns."""

    def __init__(self, source: _Lines) -> None:
        self.separator = source.separator
        self._source = source
        self._layout = source.layout
        first = next((row for row in source if row), None)
        if first is None:
            raise FileError(f"{source.name} is empty")
        numbers = [str(number + 1) for number in range(len(first))]
        super().__init__(source.name, numbers if self._layout.header is False else first)

    def read(self, places: Sequence[int]) -> list[list[str]]:
        """The columns at these places, whole."""
        columns: list[list[str]] = [[] for _ in places]
        rows = self._rows()
        while block := list(islice(rows, _BLOCK)):
            for column, place in zip(columns, places, strict=True):
                column.extend(map(itemgetter(place), block))
        if not columns[0]:
            raise FileError(f"{self.name} has a header ({listed(self.previews())}) but no rows")
        return columns

    def line(self, position: int) -> int:
        """On which line a row stands; only a mistake asks, so the file is gone through again."""
        next(islice(self._rows(), position, None))
        return self._source.number

    def check_separated(self, labels: list[str]) -> None:
        """Refuse a single column that is several, cut at the wrong character."""
        if len(self.columns) > 1:
            return
        header = self.columns[0]
        word = found_in(header, self.separator) or found_in_all(labels, self.separator)
        if word and (self._layout.separator is None or len(set(labels)) == len(labels)):
            raise FileError(
                f"{self.name} has {self.described()} of labels like {labels[0]!r}, which seem to be several "
                "fields",
                remedies=[
                    Remedy("separate them", separator=word),
                    Remedy("take them as labels", cluster=header),
                ],
            )

    def check_labels(self, place: int, labels: list[str], *, chosen: bool) -> None:
        """Refuse empty labels, and a header that is a row of data; a column that was named has a header."""
        column = self.columns[place]
        if not self._layout.empty_labels and "" in labels:
            raise FileError(
                f"{self.at(labels.index(''))} the label in column {column!r} is empty",
                remedies=[Remedy("say what empty labels mean", noise="", noise_as=...)],
            )
        if self._layout.header is None and not chosen and column in labels:
            again = self.line(labels.index(column))
            raise FileError(
                f"{self.name}: the first line was taken for a header, but {column!r} is a label too, on line "
                f"{again}",
                remedies=HEADER_REMEDIES,
            )

    def check_header(self, places: Sequence[int], columns: Sequence[Sequence[str]]) -> None:
        """Refuse a first line that could be a row like the others, where nothing says what it is."""
        if self._layout.header is None:
            check_header(self.name, [self.columns[place] for place in places], columns)

    def at(self, position: int) -> str:
        return f"{self.name}, line {self.line(position)}:"

    def hint(self) -> str:
        """Where a single column holds what looks like another separator, say so."""
        alone = self.columns[0] if len(self.columns) == 1 else ""
        return separator_hint(alone, self.separator)

    def _rows(self) -> Iterator[list[str]]:
        """The rows below the header. Blank lines are skipped, except as empty labels of a single column."""
        rows, width = iter(self._source), len(self.columns)
        if self._layout.header is not False:
            next(row for row in rows if row)
        for row in rows:
            if row:
                yield row
            elif width == 1:
                yield [""]


class _Lines:
    """The rows of a file that is well-formed; knows on which line it is."""

    def __init__(self, path: str, layout: Layout, *, ragged: bool = False) -> None:
        self.name = "standard input" if path == "-" else path
        self.layout = layout
        self._ragged = ragged
        refuse_unreadable(path)
        self._data = _utf8(unpacked_bytes(_bytes_of(path, self.name), self.name), layout.encoding, self.name)
        if not self._data.strip():
            raise FileError(f"{self.name} is empty")
        if kind := formats.foreign_kind(self._data):
            raise FileError(f"{self.name} is {kind}, which is not read here; convert it to Parquet or CSV")
        self.separator = layout.separator or separator_by_name(path)
        if ragged and layout.separator is None:
            self.separator = member_separator(self._data.decode(errors="replace"), self.separator, self.name)
        others = [Remedy(f"read it as {name}", encoding=name) for name in _OTHER_ENCODINGS]
        checked_rows(
            [self._data],
            self.separator,
            self.name,
            ragged=ragged,
            hint=lambda header: separator_hint(header, self.separator),
            other_encodings=others,
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


def _utf8(data: bytes, encoding: str, name: str) -> bytes:
    """The text in UTF-8; what is UTF-8 already is left as it is."""
    try:
        if codecs.lookup(encoding) == codecs.lookup("utf-8"):
            return data
        return data.decode(encoding).encode()
    except LookupError:
        raise ParameterError("Python knows no such encoding", given={"encoding": encoding}) from None
    except UnicodeError as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        raise FileError(
            f"{name}, line {line}: not {encoding} text ({getattr(error, 'reason', error)})"
        ) from None


def _nearest_file(path: str) -> str:
    """The end of an error that names a file of the same folder, where one is called nearly so."""
    folder = Path(path).parent
    try:
        names = [each.name for each in folder.iterdir()]
    except OSError:  # no such folder, or not ours to look into
        return ""
    return did_you_mean(Path(path).name, names, likeness=0.8)


def _bytes_of(path: str, name: str) -> bytes:
    if path == "-" and sys.stdin is None:
        raise FileError("standard input is closed")
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except FileNotFoundError:
        raise FileError(f"there is no file {path}{_nearest_file(path)}") from None
    except IsADirectoryError:
        raise FileError(f"{path} is a directory; name a file in it") from None
    except OSError as error:
        raise FileError(f"cannot read {name}: {error.strerror}") from None
    except MemoryError:
        raise FileError(f"{name} does not fit in memory") from None
