"""Small pictures of records, as text that a page holds: ``data:image/png;base64,...``."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import Iterable, Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError, kind_of

# Formats that every browser shows, by their first bytes.
_BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}
# Nothing else is allowed, because the value is inserted into the style of the page.
_ADDRESS = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}")


def picture_addresses(values: Iterable[Any], column: str) -> list[str | None]:
    """Each picture as an address that holds it; None where there is none.

    Pictures are bytes of PNG, JPEG, GIF or WebP, the same as ``data:`` addresses, or arrays of two
    dimensions, whose smallest value of all is shown black and whose largest white.

    >>> address, = picture_addresses([[[0, 9], [9, 0]]], "image")
    >>> address[:22]
    'data:image/png;base64,'
    """
    given = list(values)
    arrays = {
        i: _array(value, column)
        for i, value in enumerate(given)
        if isinstance(value, (list, tuple)) or hasattr(value, "__array__")
    }
    low = min((float(array.min()) for array in arrays.values()), default=0.0)
    high = max((float(array.max()) for array in arrays.values()), default=1.0)
    span = high - low or 1.0
    found: list[str | None] = []
    for i, value in enumerate(given):
        if i in arrays:
            grey = np.rint((arrays[i] - low) * (255 / span)).astype(np.uint8)
            found.append(_address("image/png", png(grey)))
        else:
            is_missing = value is None or value in ("", b"") or (isinstance(value, float) and isnan(value))
            found.append(None if is_missing else _checked(value, column))
    return found


def indexed_png_address(places: NDArray[np.uint8], colours: Sequence[str]) -> str:
    """A picture of few colours, as an address that holds it: 0 is transparent, 1 is the first colour.

    >>> indexed_png_address(np.array([[0, 1]], dtype=np.uint8), ["#0072b2"])[:22]
    'data:image/png;base64,'
    """
    palette = b"\0\0\0" + b"".join(bytes.fromhex(colour[1:]) for colour in colours)
    height, width = places.shape
    lines = np.hstack([np.zeros((height, 1), dtype=np.uint8), places]).tobytes()  # no filter
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette), (b"tRNS", b"\0"))
    return _address("image/png", _png(*parts, (b"IDAT", zlib.compress(lines, 9))))


def png(grey: NDArray[np.uint8]) -> bytes:
    """An array of greys, 0 black to 255 white, as a PNG; with 16 greys if these are enough."""
    height, width = grey.shape
    if not (grey % 17).any():  # 0, 17, ... 255: half a byte each
        nibbles = np.zeros((height, width + width % 2), dtype=np.uint8)
        nibbles[:, :width] = grey // 17
        rows: NDArray[np.uint8] = nibbles[:, ::2] * np.uint8(16) + nibbles[:, 1::2]
        depth = 4
    else:
        rows, depth = grey, 8
    lines = np.hstack([np.zeros((height, 1), dtype=np.uint8), rows]).tobytes()  # no filter
    head = struct.pack(">IIBBBBB", width, height, depth, 0, 0, 0, 0)
    return _png((b"IHDR", head), (b"IDAT", zlib.compress(lines, 9)))


def _png(*parts: tuple[bytes, bytes]) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in (*parts, (b"IEND", b""))
    )


def _array(value: Any, column: str) -> NDArray[np.float64]:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.ndim != 2 or not array.size or not np.isfinite(array).all():
        raise InputError(
            f"{column!r} has an array that is not a picture: give rows of finite numbers, all of one length"
        )
    return array


def _checked(value: Any, column: str) -> str:
    if isinstance(value, str) and _ADDRESS.fullmatch(value):
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        data = bytes(value)
        kind = next((kind for begin, kind in _BEGINNINGS.items() if data.startswith(begin)), None)
        if kind is not None:
            return _address(kind, data)
    raise InputError(
        f"{column!r} has {kind_of(value)} that is not a picture: give bytes of PNG, JPEG, GIF or "
        "WebP, text like data:image/png;base64,..., or arrays of two dimensions"
    )


def _address(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
