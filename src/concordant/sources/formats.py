"""The supported file formats: their file names, their first bytes, and their readers.

A new format is a name in ``Format`` and an entry of ``FORMATS``. Delimited text needs no more. For any other
format, ``sources.duckdb_files`` and ``sources.files`` define how DuckDB reads it, and
``sources.spark_files`` how Spark does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Format = Literal["parquet", "csv", "tsv", "jsonl", "arrow"]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format of files."""

    name: Format
    title: str  # for people
    endings: tuple[str, ...]
    beginning: bytes | None = None  # of every file; None if unknown
    separator: str | None = None  # between the fields of a line; None: not delimited text
    has_types: bool = False  # otherwise labels and records are text as written


FORMATS: tuple[FileFormat, ...] = (
    FileFormat("parquet", "Parquet", (".parquet", ".pq"), beginning=b"PAR1", has_types=True),
    FileFormat("csv", "CSV", (".csv", ".txt"), separator=","),
    FileFormat("tsv", "TSV", (".tsv", ".tab"), separator="\t"),
    FileFormat("jsonl", "JSON lines", (".jsonl", ".ndjson", ".json"), beginning=b'{"'),
    FileFormat(
        "arrow", "Arrow", (".arrow", ".feather", ".ipc", ".arrows"), beginning=b"ARROW1", has_types=True
    ),
)
ARROW_STREAM = b"\xff\xff\xff\xff"  # how a stream of Arrow begins, which has no other sign

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
    **{
        each.beginning: each.title for each in FORMATS if each.beginning and each.has_types
    },  # by engines alone
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
    if beginning.startswith(ARROW_STREAM):
        return format_called("arrow")
    found = next((each for each in FORMATS if each.beginning and beginning.startswith(each.beginning)), None)
    return None if found and found.has_types and b"\0" not in beginning else found


def foreign_kind(data: bytes) -> str | None:
    """The name of an unsupported format.

    >>> foreign_kind(b"\\x93NUMPY\\0"), foreign_kind(b"id,label")
    ('a NumPy file', None)
    """
    kind = next((kind for begin, kind in _FOREIGN.items() if data.startswith(begin)), None)
    return kind if kind and b"\0" in data else None
