"""The supported file formats: their file names, their first bytes, and the readers of their files.

A new format is an entry of ``FORMATS``, its name in ``Format``, and a module in this package that defines its
``Reader``. Readers are imported when a file is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal

from concordant.foundation.lazy import load

if TYPE_CHECKING:
    from concordant.sources.formats.reader import Reader

    Format = Literal["parquet", "csv", "tsv", "jsonl", "arrow"]


@dataclass(frozen=True)
class FileFormat:
    """A format of files: how they are recognised, and where their reader is defined."""

    name: Format
    title: str  # for people
    endings: tuple[str, ...]
    defined_in: str  # the module in this package and the class of the reader
    beginnings: tuple[bytes, ...] = ()  # each file has one of them; none if unknown
    separator: str | None = None  # between the fields of a line; None: not delimited text
    has_types: bool = False  # otherwise labels and records are text as written

    def __reduce__(self) -> tuple[object, ...]:
        return format_called, (self.name,)

    @cached_property
    def reader(self) -> Reader:
        """Reads and writes such files."""
        module, _, name = self.defined_in.partition(":")
        reader: Reader = getattr(load(f"{__name__}.{module}"), name)(self)
        return reader


FORMATS: tuple[FileFormat, ...] = (
    FileFormat("parquet", "Parquet", (".parquet", ".pq"), "parquet:Parquet", (b"PAR1",), has_types=True),
    FileFormat("csv", "CSV", (".csv", ".txt"), "delimited:Delimited", separator=","),
    FileFormat("tsv", "TSV", (".tsv", ".tab"), "delimited:Delimited", separator="\t"),
    FileFormat("jsonl", "JSON lines", (".jsonl", ".ndjson", ".json"), "json_lines:JsonLines", (b'{"',)),
    FileFormat(
        "arrow",
        "Arrow",
        (".arrow", ".feather", ".ipc", ".arrows"),
        "arrow:Arrow",
        (b"ARROW1", b"\xff\xff\xff\xff"),  # of a file, and of a stream
        has_types=True,
    ),
)

if not TYPE_CHECKING:
    Format = Literal[tuple(each.name for each in FORMATS)]

# The ending of each compression, and how its files begin; None: it is not supported.
COMPRESSIONS: dict[str, bytes | None] = {
    ".gz": b"\x1f\x8b",
    ".zst": b"\x28\xb5\x2f\xfd",
    **dict.fromkeys((".bz2", ".xz", ".zip", ".7z")),
}

_FOREIGN = {  # the first bytes of unsupported formats
    b"FEA1": "a Feather file of the first version",
    b"PK\x03\x04": "a spreadsheet or a zip archive",
    b"\x80": "a pickle",
    b"\x93NUMPY": "a NumPy file",
    b"\x89HDF": "an HDF5 file",
}

LONGEST_BEGINNING = 1000  # bytes at the start of a file that identify its format


def titles() -> str:
    """The names of the formats, for people.

    >>> titles()
    'Parquet, CSV, TSV, JSON lines or Arrow'
    """
    *others, last = (each.title for each in FORMATS)
    return f"{', '.join(others)} or {last}"


def endings() -> list[str]:
    """The endings of all formats."""
    return [ending for each in FORMATS for ending in each.endings]


def name_of(path: str) -> str:
    """A path, or an address without its query.

    >>> name_of("https://example.org/run.parquet?signature=x"), name_of("what?.csv")
    ('https://example.org/run.parquet', 'what?.csv')
    """
    return re.split(r"[?#]", path, maxsplit=1)[0] if re.match(r"https?://", path, re.IGNORECASE) else path


@lru_cache(256)
def format_called(name: str) -> FileFormat:
    """The format of that name.

    >>> format_called("tsv").endings
    ('.tsv', '.tab')
    """
    return next(each for each in FORMATS if each.name == name)


@lru_cache(256)
def compression_of(path: str) -> str | None:
    """How a file is compressed, by its name: the ending of the compression.

    >>> compression_of("truth.csv.zst"), compression_of("truth.csv")
    ('.zst', None)
    """
    name = name_of(path).lower()
    return next((ending for ending in COMPRESSIONS if name.endswith(ending)), None)


def unpacked_name(path: str) -> str:
    """The name of a file without the ending of its compression.

    >>> unpacked_name("runs/truth.CSV.gz")
    'runs/truth.CSV'
    """
    compression, name = compression_of(path), name_of(path)
    return name if compression is None else name[: -len(compression)]


@lru_cache(256)
def format_by_name(path: str) -> FileFormat | None:
    """The format of a file, or of the files of a pattern, by its name; None if unknown.

    >>> format_by_name("run/*.TSV.gz").name, format_by_name("run/part")
    ('tsv', None)
    """
    name = unpacked_name(path).lower()
    return next((each for each in FORMATS if name.endswith(each.endings)), None)


def format_by_beginning(beginning: bytes) -> FileFormat | None:
    """The format of a file by its first bytes; None if unknown. A text file may also begin with PAR1.

    >>> format_by_beginning(b"PAR1\\0").name, format_by_beginning(b"id,label")
    ('parquet', None)
    """
    for each in FORMATS:
        if beginning.startswith(each.beginnings):
            return each if b"\0" in beginning or not each.has_types else None
    return None


def foreign_kind(data: bytes) -> str | None:
    """The name of an unsupported format.

    >>> foreign_kind(b"\\x93NUMPY\\0"), foreign_kind(b"id,label")
    ('a NumPy file', None)
    """
    kind = next((kind for begin, kind in _FOREIGN.items() if data.startswith(begin)), None)
    return kind if kind and b"\0" in data else None


def check_formats(declared: Sequence[FileFormat]) -> None:
    """Refuse formats that share a name or an ending."""
    taken = dict.fromkeys(COMPRESSIONS, "a compression")
    for each in declared:
        if not each.endings:
            raise ValueError(f"{_DECLARED_IN}: {each.name!r} has no ending, such as '.csv'; give it one")
        for word in (each.name, *each.endings):
            if word in taken:
                both = f"{taken[word]!r} and {each.name!r} both have {word!r}"
                raise ValueError(f"{_DECLARED_IN}: {both}; change one of them")
            taken[word] = each.name


_DECLARED_IN = "FORMATS in src/concordant/sources/formats/__init__.py"
check_formats(FORMATS)
