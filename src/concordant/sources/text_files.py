"""Requirements for a text file, checked before it is read; ``docs/formats.md`` has the full list.

Engines differ on malformed text: they pad short rows, skip titles, cut fields at stray quotes. So the
compiled core reads the bytes once, and refuses such files with the same message for all engines.
"""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from concordant import core
from concordant.errors import FileError, InputError, LabelError, MissingExtraError, Remedy, did_you_mean
from concordant.foundation.spelling import counted
from concordant.sources.formats import COMPRESSIONS, LONGEST_BEGINNING, compression_of
from concordant.sources.remote import is_address, read_bytes

Fault = tuple[str, int, int]  # as in the core: the problem, its line, and further data for the message

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SAMPLE = 2**16  # bytes, and rows, that are read from the beginning of a file
_ROWS = 1000
_PIECE = 2**20  # bytes of a plain file
# Bytes of a compressed file: few, as each byte may expand to 1,032 with gzip and 32,768 with Zstandard.
_PACKED_PIECES = {".gz": 2**13, ".zst": 2**8}
LONGEST_ROW = 2**24

# Everything is in memory already, so no field is too long; csv's own limit is 131,072 characters.
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True, slots=True)
class DelimitedFile:
    """The settings for reading a well-formed delimited text."""

    header: tuple[str, ...]
    rows: int  # below the header
    compression: str | None  # its file ending
    leading_blanks: int
    has_mixed_lines: bool  # some end with a line feed, others with a carriage return as well
    longest_row: int


def delimited_file(path: str, separator: str) -> DelimitedFile:
    """The facts of a file, which are kept until it changes. Raises FileError where it is not well-formed."""
    return _delimited_file(path, separator, _fingerprint(path))


def checked_json(path: str, wanted: Sequence[str]) -> tuple[int, ...]:
    """How many objects of JSON lines have each of the wanted keys, which hold single values.

    It is kept until the file changes. Raises FileError where the file is not well-formed.
    """
    return _checked_json(path, tuple(wanted), _fingerprint(path))


@lru_cache(maxsize=4096)
def _delimited_file(path: str, separator: str, fingerprint: Any) -> DelimitedFile:  # noqa: ARG001  (a key)
    text = checked_rows(unpacked(path), separator, path)
    if text.longest_row > LONGEST_ROW:
        raise FileError(
            f"{path} has a row of {text.longest_row:,} bytes, and the limit is 16 MiB; check for an "
            "unclosed quote or another separator"
        )
    return DelimitedFile(
        header=first_row(text.header, separator),
        rows=text.rows - 1,
        compression=compression_of_file(path),
        leading_blanks=text.leading_blanks,
        has_mixed_lines=bool(text.line_feeds and text.returns),
        longest_row=text.longest_row,
    )


@lru_cache(maxsize=4096)
def _checked_json(path: str, wanted: tuple[str, ...], fingerprint: Any) -> tuple[int, ...]:  # noqa: ARG001  (a key)
    text = core.JsonLines(list(wanted))
    _feed(text, unpacked(path), lambda fault: _json_error(fault, path, wanted))
    if not text.rows:
        raise FileError(f"{path} is empty")
    return tuple(text.found)


def _fingerprint(path: str) -> tuple[int, int, int]:
    state = Path(path).stat()
    return state.st_ino, state.st_size, state.st_mtime_ns


def checked_rows(
    pieces: Iterable[bytes],
    separator: str,
    name: str,
    *,
    ragged: bool = False,
    hint: Callable[[str], str] = lambda _: "",
    other_encodings: Sequence[Remedy] = (),
) -> core.DelimitedText:
    """Delimited text that is well-formed. With ``ragged`` its rows have any number of fields.

    ``hint`` suggests what may be wrong with a file whose header is a single field.
    """
    text = core.DelimitedText(separator, ragged)
    _feed(
        text,
        pieces,
        lambda fault: _row_error(
            fault, name, first_row(text.header, separator), hint=hint, other_encodings=other_encodings
        ),
    )
    if not text.rows:
        raise FileError(f"{name} is empty")
    return text


def first_row(header: bytes, separator: str) -> tuple[str, ...]:
    """The fields of the first row that is not blank.

    >>> first_row(b'id,"a, b"\\n', ",")
    ('id', 'a, b')
    """
    lines = io.StringIO(header.decode("utf-8"), newline="")
    return tuple(next((row for row in csv.reader(lines, delimiter=separator) if row), [""]))


def first_columns(path: str, separator: str) -> list[list[str]]:
    """The first fields of each column of a well-formed file, from a sample of its beginning."""
    sample = next(_without_mark(unpacked(path)), b"")[:_SAMPLE]
    lines = io.StringIO(sample.decode("utf-8", errors="ignore"), newline="")
    rows = [row for row in islice(csv.reader(lines, delimiter=separator), _ROWS) if row]
    whole = rows[1:] if len(sample) < _SAMPLE else rows[1:-1]  # the last may be cut
    return [list(column) for column in zip(*whole, strict=False)]


def common_header(
    files: Mapping[str, DelimitedFile], name: str, *, may_be_empty: bool = False
) -> tuple[str, ...]:
    """The header of files that make one table, which all of them have."""
    (first, file), *others = files.items()
    for path, other in others:
        if other.header != file.header:
            raise FileError(
                f"several files are read as one table, but {first} has the columns "
                f"{', '.join(file.header)}, and "
                f"{path} has {', '.join(other.header)}; give them the same header"
            )
    if not may_be_empty and not any(each.rows for each in files.values()):
        raise FileError(f"{name} has a header ({', '.join(map(repr, file.header))}) but no rows")
    return file.header


def first_object(path: str) -> dict[str, Any]:
    """The first object of JSON lines."""
    lines = io.BytesIO(b"".join(islice(_without_mark(unpacked(path)), 2)))
    line = next((line for line in lines if line.strip()), b"{}")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}  # the check of the file reports where it is wrong
    return found if isinstance(found, dict) else {}


def _feed(
    text: core.DelimitedText | core.JsonLines,
    pieces: Iterable[bytes],
    error: Callable[[Fault], InputError],
) -> None:
    for piece in _without_mark(pieces):
        text.feed(piece)
        if text.fault is not None:
            raise error(text.fault)
    text.finish()
    if text.fault is not None:
        raise error(text.fault)


def _without_mark(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """A byte order mark is not part of the text."""
    rest = iter(pieces)
    beginning = next(rest, b"")
    while len(beginning) < len(_BYTE_ORDER_MARK) and (more := next(rest, b"")):
        beginning += more
    yield beginning.removeprefix(_BYTE_ORDER_MARK)
    yield from rest


# -- faults in words ----------------------------------------------------------------------------------


def _row_error(
    fault: Fault,
    name: str,
    header: Sequence[str],
    *,
    hint: Callable[[str], str],
    other_encodings: Sequence[Remedy],
) -> InputError:
    kind, line, detail = fault
    where = f"{name}, line {line}:"
    if kind == "encoding":
        convert = "" if other_encodings else "; convert it to UTF-8"
        return FileError(f"{where} not UTF-8 text{convert}", remedies=other_encodings)
    if kind == "fields":
        names, alone = ", ".join(map(repr, header[:12])), header[0] if len(header) == 1 else ""
        return FileError(
            f"{where} {counted(detail, 'field')} where there should be {len(header)} ({names}); quote a "
            f"field that contains the separator{hint(alone)}"
        )
    if kind == "open quote":
        return FileError(f"{name}, line {detail}: a quoted field begins here and is not closed")
    return FileError(f"{where} {_ROW_FAULTS[kind]}")


_ROW_FAULTS = {
    "quote": 'a quote inside a field that is not quoted; quote the field and double the quote: "5"" wide"',
    "after quote": "text after the quote that closes a field; a quote inside a quoted field is written twice",
    "carriage return": "a carriage return without a line feed; end lines with \\n or \\r\\n",
    "null byte": "a null byte; is this a text file?",
    "header": "the first row is longer than 16 MiB; check for an unclosed quote",
}


def _json_error(fault: Fault, name: str, wanted: Sequence[str]) -> InputError:
    kind, line, detail = fault
    where = f"{name}, line {line}:"
    if kind == "array":
        return FileError(
            f"{name} contains a JSON array; JSON lines have one object per line, as `jq -c '.[]'` writes them"
        )
    if kind in _VALUE_FAULTS:
        return LabelError(f"{where} {wanted[detail]!r} {_VALUE_FAULTS[kind]}")
    return FileError(f"{where} {_JSON_FAULTS[kind].format(detail)}")


_VALUE_FAULTS = {
    "nested": "contains a list or an object; a label is a single value",
    "number": (
        "is a number that readers spell in different ways (an exponent, needless zeros, or more than 15 "
        "digits with a fraction); write it as a string"
    ),
    "character": "contains an escape that is not a character; write the character itself",
    "doubled key": "occurs twice in one object; keep one",
}
_JSON_FAULTS = {
    "no object": 'not an object; JSON lines have one object per line, such as {{"id": 1, "label": "a"}}',
    "grammar": "not valid JSON from character {}",
    "long line": "the line is longer than 16 MiB",
    "encoding": "not UTF-8 text; convert it to UTF-8",
}


# -- compressed files ---------------------------------------------------------------------------------


def compression_by_beginning(beginning: bytes) -> str | None:
    """The compression of a file, by its first bytes and not by its name.

    >>> compression_by_beginning(b"\\x1f\\x8b\\x08"), compression_by_beginning(b"id,label")
    ('.gz', None)
    """
    return next((each for each, sign in COMPRESSIONS.items() if sign and beginning.startswith(sign)), None)


def refuse_unreadable(path: str) -> None:
    """Refuse a file whose name indicates an unsupported compression."""
    compression = compression_of(path)
    if compression is not None and COMPRESSIONS[compression] is None:
        raise FileError(f"{path}: files may be compressed as .gz or .zst; unpack this one first")


def compression_of_file(path: str) -> str | None:
    """How a file on disk is compressed."""
    with Path(path).open("rb") as file:
        return compression_by_beginning(file.read(LONGEST_BEGINNING))


def unpacked(path: str) -> Iterator[bytes]:
    """The content of a file, in pieces. Raises FileError if it is cut or damaged."""
    compression = compression_of_file(path)
    size = _PIECE if compression is None else _PACKED_PIECES[compression]
    with Path(path).open("rb") as file:
        yield from _unpacked(iter(lambda: file.read(size), b""), compression, path)


def unpacked_bytes(data: bytes, name: str, longest_line: int | None = None) -> bytes:
    """The same for bytes that are in memory. A few bytes may expand to a line that fills the memory."""
    compression = compression_by_beginning(data)
    if compression is None:
        return data
    size = _PACKED_PIECES[compression]
    pieces = (data[start : start + size] for start in range(0, len(data), size))
    found = _unpacked(pieces, compression, name)
    return b"".join(found if longest_line is None else _of_short_lines(found, name, longest_line))


def _of_short_lines(pieces: Iterable[bytes], name: str, longest: int) -> Iterator[bytes]:
    """The pieces, until a line is too long."""
    begun = 0  # bytes of the line that the last piece left open
    for piece in pieces:
        first, last = piece.find(b"\n"), piece.rfind(b"\n")
        if begun + (len(piece) if first < 0 else first) > longest:
            raise FileError(
                f"{name} is compressed and has a line of more than {longest >> 20:,} MiB; if this is "
                "intended, decompress it first"
            )
        begun = begun + len(piece) if last < 0 else len(piece) - last - 1
        yield piece


def _unpacked(pieces: Iterable[bytes], compression: str | None, name: str) -> Iterator[bytes]:
    if compression is None:
        yield from pieces
        return
    make, damage = _decompressor(compression)
    frame = None  # a compressed file consists of one frame or several
    try:
        for piece in pieces:
            rest = piece
            while rest := rest if frame is not None else rest.lstrip(b"\0"):  # some tools fill up with zeros
                frame = frame or make()
                if part := frame.decompress(rest):
                    yield part
                rest, frame = (frame.unused_data, None) if frame.eof else (b"", frame)
    except damage as error:
        raise FileError(f"{name} is compressed, but damaged: {error}") from None
    if frame is not None:
        raise FileError(f"{name} is compressed, but damaged: it ends too early")


def _decompressor(compression: str) -> tuple[Callable[[], Any], type[Exception]]:
    """A function that makes a decompressor for one frame, and the error that it raises for damaged data."""
    if compression == ".gz":
        return lambda: zlib.decompressobj(wbits=31), zlib.error
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.ZstdDecompressor, zstd.ZstdError
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError(
            "files that end with .zst need zstandard, which is not installed; run: pip install zstandard"
        ) from None
    return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError


# -- whole files ---------------------------------------------------------------------------------------


def read_text(path: str) -> str:
    """A whole file of UTF-8 text that has no columns."""
    try:
        return file_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{shown_name(path)} is not UTF-8 text: byte {error.start} cannot be read") from error


def file_bytes(path: str, longest_line: int | None = None) -> bytes:
    """The content of a file, of an address or of standard input, decompressed, if no line is longer."""
    name = shown_name(path)
    refuse_unreadable(path)
    if path == "-" and sys.stdin is None:
        raise FileError("standard input is closed; name a file")
    try:
        if is_address(path):
            content = read_bytes(path)
        else:
            content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except FileNotFoundError:
        folder = Path(path).parent
        near = ""
        if folder.is_dir() and os.access(folder, os.R_OK):
            near = did_you_mean(Path(path).name, os.listdir(folder), likeness=0.8)  # noqa: PTH208  (names)
        raise FileError(f"there is no file {path}{near}") from None
    except IsADirectoryError:
        raise FileError(f"{path} is a directory; name a file in it") from None
    except (OSError, ValueError) as error:  # of a name that no file has
        raise FileError(f"cannot read {name}: {getattr(error, 'strerror', None) or error}") from None
    except MemoryError:
        raise FileError(f"{name} does not fit in memory") from None
    return unpacked_bytes(content, name, longest_line)


def shown_name(path: str) -> str:
    """The name of a file in messages."""
    return "standard input" if path == "-" else path
