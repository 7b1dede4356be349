"""Columns of DuckDB as keys of the compiled core, and keys as the values that they stand for.

A number, a date or a time is its own key. The key of text is a hash, and the texts that somebody wants to see
come beside.
"""

from __future__ import annotations

import re
import struct
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.engines.tables.duckdb_files import INTEGERS
from concordant.engines.tables.times import TIMES, from_number

_SIGN = 2**63  # by which the core shifts signed integers, so that keys keep their order
_DECIMAL = re.compile(r"DECIMAL\(\d+,(\d+)\)")

_FROM_TEXT: dict[str, Callable[[bytes], Any]] = {
    "VARCHAR": lambda text: text.decode(),
    "BLOB": bytes,
    "UUID": lambda text: uuid.UUID(text.decode()),
}
_FLOATS = {"FLOAT": ("<f", "<I"), "DOUBLE": ("<d", "<Q")}


@dataclass(frozen=True, slots=True)
class KeyType:
    """The type of a column, by DuckDB's name for it."""

    name: str

    @property
    def has_keys(self) -> bool:
        """Whether the core joins and counts such columns."""
        return self.is_text or self.name in (*INTEGERS, *TIMES, *_FLOATS, "BOOLEAN")

    @property
    def is_text(self) -> bool:
        """Whether keys are hashes."""
        return self.name in _FROM_TEXT or self.name.startswith(("ENUM(", "DECIMAL("))

    def value(self, key: int) -> Any:
        """What a key that is not a hash stands for.

        >>> KeyType("BIGINT").value(2**63 - 1), KeyType("DATE").value(2**63 + 1), KeyType("UTINYINT").value(7)
        (-1, datetime.date(1970, 1, 2), 7)
        """
        if self.name in _FLOATS:
            kind, bits = _FLOATS[self.name]
            return struct.unpack(kind, struct.pack(bits, key))[0]
        signed = INTEGERS.get(self.name, (self.name != "BOOLEAN", 64))[0]
        number = key - _SIGN if signed else key
        if self.name in TIMES:
            return from_number(self.name, number)
        return bool(number) if self.name == "BOOLEAN" else number

    def text_value(self, text: bytes) -> Any:
        """What the bytes of a text stand for.

        >>> KeyType("DECIMAL(4,2)").text_value((150).to_bytes(16, "little"))
        Decimal('1.50')
        """
        if decimal := _DECIMAL.fullmatch(self.name):
            return Decimal(int.from_bytes(text, "little", signed=True)).scaleb(-int(decimal[1]))
        return _FROM_TEXT.get(self.name, _FROM_TEXT["VARCHAR"])(text)

    def key(self, label: Any) -> int | bytes | None:
        """The key or the text of a label; None where the column cannot hold it."""
        if self.name == "VARCHAR" or self.name.startswith("ENUM("):
            return str(label).encode()
        if self.name in _FLOATS:
            kind, bits = _FLOATS[self.name]
            packed = struct.pack(kind, float(label) + 0.0)
            same = struct.unpack(kind, packed)[0] == label
            return int(struct.unpack(bits, packed)[0]) if same else None
        signed, width = INTEGERS[self.name]
        low, high = (-(2 ** (width - 1)), 2 ** (width - 1)) if signed else (0, 2**width)
        if label != int(label) or not low <= label < high:
            return None
        return int(label) + (_SIGN if signed else 0)

    @property
    def takes_noise(self) -> bool:
        """Whether ``key`` knows such columns."""
        return self.name in (*INTEGERS, *_FLOATS, "VARCHAR") or self.name.startswith("ENUM(")


class KeyValues:
    """The values that some keys of a column stand for."""

    def __init__(
        self, kind: KeyType, texts: tuple[NDArray[np.int64], NDArray[np.int64], bytes] | None
    ) -> None:
        self._kind = kind
        if texts is None:
            return
        hashes, ends, self._bytes = texts
        order = np.argsort(hashes.view(np.uint64))
        self._hashes = hashes.view(np.uint64)[order]
        begins = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]])[: len(ends)]
        self._begins, self._ends = begins[order], ends[order]

    def __getitem__(self, key: int, /) -> Any:
        if not self._kind.is_text:
            return self._kind.value(key)
        at = int(np.searchsorted(self._hashes, np.uint64(key)))
        return self._kind.text_value(self._bytes[int(self._begins[at]) : int(self._ends[at])])

    @property
    def are_in_order(self) -> bool:
        """Whether the keys have the order of the values; hashes and the bits of floats have their own."""
        return not self._kind.is_text and self._kind.name not in _FLOATS
