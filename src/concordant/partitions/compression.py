"""The bytes of files, unpacked piece by piece, and proved whole: a cut or damaged file is an error.

Engines read compressed files themselves, but not all of them notice that the end is missing or that the
checksum is wrong. Here both are checked.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from concordant.errors import FileError, MissingExtraError
from concordant.partitions.formats import COMPRESSIONS, LONGEST_BEGINNING, Compression, compression_of

_PIECE = 2**20  # bytes of a plain file
_PACKED_PIECE = 2**14  # of a compressed one: few, as they may become a thousand times as many


def compression_by_beginning(beginning: bytes) -> Compression | None:
    """How a file is compressed, by its first bytes; its name may say anything.

    >>> compression_by_beginning(b"\\x1f\\x8b\\x08").ending, compression_by_beginning(b"id,label")
    ('.gz', None)
    """
    return next((x for x in COMPRESSIONS if x.beginning and beginning.startswith(x.beginning)), None)


def refuse_unreadable(path: str) -> None:
    """Refuse a file whose name says that it is compressed in a way that nobody here unpacks."""
    compression = compression_of(path)
    if compression is not None and compression.beginning is None:
        raise FileError(f"{path}: files may be compressed as .gz or .zst; unpack this one first")


def compression_of_file(path: str) -> Compression | None:
    """How a file on disk is compressed."""
    with Path(path).open("rb") as file:
        return compression_by_beginning(file.read(LONGEST_BEGINNING))


def unpacked(path: str) -> Iterator[bytes]:
    """What a file holds, in pieces. Raises FileError where it is cut or damaged."""
    compression = compression_of_file(path)
    size = _PIECE if compression is None else _PACKED_PIECE
    with Path(path).open("rb") as file:
        yield from _unpacked(iter(lambda: file.read(size), b""), compression, path)


def unpacked_bytes(data: bytes, name: str) -> bytes:
    """The same for bytes that are in memory."""
    compression = compression_by_beginning(data)
    if compression is None:
        return data
    pieces = (data[start : start + _PACKED_PIECE] for start in range(0, len(data), _PACKED_PIECE))
    return b"".join(_unpacked(pieces, compression, name))


def _unpacked(pieces: Iterable[bytes], compression: Compression | None, name: str) -> Iterator[bytes]:
    if compression is None:
        yield from pieces
        return
    make, damage = _gzip() if compression.ending == ".gz" else _zstandard()
    try:
        yield from _frames(pieces, make, name)
    except damage as error:
        raise FileError(f"{name} is compressed, but damaged: {error}") from None


def _frames(pieces: Iterable[bytes], make: Callable[[], Any], name: str) -> Iterator[bytes]:
    """A compressed file is one frame or several, one after the other."""
    frame = None
    for piece in pieces:
        rest = piece
        while rest := rest if frame is not None else rest.lstrip(b"\0"):  # some tools fill up with zeros
            frame = frame or make()
            if part := frame.decompress(rest):
                yield part
            rest, frame = (frame.unused_data, None) if frame.eof else (b"", frame)
    if frame is not None:
        raise FileError(f"{name} is compressed, but damaged: it ends too early")


def _gzip() -> tuple[Callable[[], Any], type[Exception]]:
    return lambda: zlib.decompressobj(wbits=31), zlib.error


def _zstandard() -> tuple[Callable[[], Any], type[Exception]]:
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
