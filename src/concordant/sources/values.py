"""Values of DuckDB's columns: as keys of the compiled core, and as Python objects.

A number, a date or a time is its own key. The key of a string is a hash, and the strings that are shown
are fetched separately. Python's years end at 9999 and its times at the microsecond. Times beyond that
are text as DuckDB writes them: rounded, two labels would become one.
"""

from __future__ import annotations

import datetime as dt
import re
import struct
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.contingency import label_places
from concordant.sources import execution
from concordant.sources.duckdb_files import INTEGERS, identifier

_SECOND = 10**9
_DAY = 86_400
_CYCLE_DAYS, _CYCLE_YEARS = 146_097, 400  # after which the calendar repeats
_FIRST_DAY = dt.date(1970, 1, 1).toordinal()
_ZONED, _ZONED_NS = "TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ_NS"

# Nanoseconds of the unit that a number of this type counts, and how many bits the number has.
_UNITS = {
    "DATE": (_DAY * _SECOND, 32),
    "TIME": (1000, 64),
    "TIME_NS": (1, 64),
    "TIMESTAMP": (1000, 64),
    "TIMESTAMP_S": (_SECOND, 64),
    "TIMESTAMP_MS": (10**6, 64),
    "TIMESTAMP_NS": (1, 64),
    _ZONED: (1000, 64),
    _ZONED_NS: (1, 64),
}
TIMES = frozenset(_UNITS)

_PARSERS: dict[str, Callable[[str], Any]] = {
    "DATE": dt.date.fromisoformat,
    "TIME": dt.time.fromisoformat,
    "TIME_NS": dt.time.fromisoformat,
}
_PARSERS |= dict.fromkeys(
    (_ZONED, _ZONED_NS), lambda text: dt.datetime.fromisoformat(text).astimezone(dt.UTC)
)
# Times that Python can parse: not 24:00, and at most six digits of a second.
_READ_BY_PYTHON = re.compile(
    r"(\d{4}-\d\d-\d\d)? ?((?!24)\d\d:\d\d:\d\d(\.\d{1,6})?)?([+-]\d\d(:\d\d){0,2})?", re.ASCII
)


_SIGN = 2**63  # by which the core shifts signed integers, so keys keep their order
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
        """The value of a key that is not a hash.

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
        """The value of the bytes of a string.

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
        """Whether ``key`` supports such columns."""
        return self.name in (*INTEGERS, *_FLOATS, "VARCHAR") or self.name.startswith("ENUM(")


class KeyValues:
    """The values that some keys of a column represent."""

    def __init__(
        self, kind: KeyType, texts: tuple[NDArray[np.int64], NDArray[np.int64], bytes] | None
    ) -> None:
        self._kind, self._is_text = kind, kind.is_text
        if texts is None:
            return
        hashes, ends, self._bytes = texts
        order = np.argsort(hashes.view(np.uint64))
        self._hashes = hashes.view(np.uint64)[order]
        begins = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]])[: len(ends)]
        self._begins, self._ends = begins[order], ends[order]

    def __getitem__(self, key: int, /) -> Any:
        if not self._is_text:
            return self._kind.value(key)
        at = int(np.searchsorted(self._hashes, np.uint64(key)))
        return self._kind.text_value(self._bytes[int(self._begins[at]) : int(self._ends[at])])

    @property
    def are_in_order(self) -> bool:
        """Whether the keys have the order of the values, unlike hashes and the bits of floats."""
        return not self._is_text and self._kind.name not in _FLOATS


@dataclass(frozen=True, slots=True, eq=False)
class KeyCells:
    """Cells by the keys of their labels: (u, v, which side is alone, n), and the values of the keys."""

    u: NDArray[np.int64]
    v: NDArray[np.int64]
    alone: NDArray[np.int64]
    n: NDArray[np.int64]
    values: tuple[KeyValues, KeyValues]

    def __iter__(self) -> Iterator[tuple[Any, Any, int, int, int]]:
        columns = (self.u, self.v, self.alone, self.n)
        for u, v, alone, n in zip(*(column.tolist() for column in columns), strict=True):
            yield u, v, alone, n, 1

    def numbered(self, side: int, few: int) -> tuple[NDArray[np.int64], SourceLabels]:
        """The cluster number of each cell, -1 for a singleton without a label, and the labels by number.

        Up to ``few`` labels are numbered in their order; hashes have a new order each time.
        """
        keys, values = (self.u, self.v)[side], self.values[side]
        labelled = (self.alone & (1, 2)[side]) == 0
        labels, number = np.unique(keys[labelled].view(np.uint64), return_inverse=True)
        if len(labels) <= few and not values.are_in_order:
            places = label_places(np.arange(len(labels)), lambda place: values[int(labels[place])])
            labels, number = labels[np.argsort(places)], places[number]
        numbers = np.full(len(keys), -1, dtype=np.int64)
        numbers[labelled] = number
        return numbers, SourceLabels(labels, values)


class SourceLabels:
    """Labels by cluster number; None for a cluster that both sides have, and for a singleton."""

    __slots__ = ("_labels", "_values")

    def __init__(self, labels: Sequence[Any] | NDArray[np.uint64], values: KeyValues | None = None) -> None:
        self._labels, self._values = labels, values  # ``values`` if the labels are keys

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, number: int, /) -> Any:
        if number >= len(self._labels):
            return None
        label = self._labels[number]
        return label if self._values is None else self._values[int(label)]


def fetched(relation: Any) -> list[tuple[Any, ...]]:
    """The rows of a small relation. Times come as text: DuckDB would round them, and needs pytz for zones."""
    kinds = {name: str(kind) for name, kind in zip(relation.columns, relation.types, strict=True)}
    if TIMES.isdisjoint(kinds.values()):
        return list(execution.run(relation.fetchall))
    columns = [identifier(name) + ("::VARCHAR" if kind in TIMES else "") for name, kind in kinds.items()]
    rows = execution.run(relation.project(", ".join(columns)).fetchall)
    return [
        tuple(
            from_text(kind, value) if kind in TIMES and value is not None else value
            for kind, value in zip(kinds.values(), row, strict=True)
        )
        for row in rows
    ]


def from_text(kind: str, text: str) -> Any:
    """The value of a type from DuckDB's text for it.

    >>> from_text("TIMESTAMP", "2026-01-02 03:04:05.5"), from_text("DATE", "12026-01-02")
    (datetime.datetime(2026, 1, 2, 3, 4, 5, 500000), '12026-01-02')
    """
    if not _READ_BY_PYTHON.fullmatch(text):
        return text
    try:
        return _PARSERS.get(kind, dt.datetime.fromisoformat)(text)
    except (ValueError, OverflowError):  # the year 0, and times that the zone moves beyond Python's years
        return text


def from_number(kind: str, number: int) -> Any:
    """The value of a type from the core's number for it.

    >>> from_number("DATE", 1), from_number("TIMESTAMP_NS", 1)
    (datetime.date(1970, 1, 2), '1970-01-01 00:00:00.000000001')
    """
    return from_text(kind, _written(kind, number))


def _written(kind: str, number: int) -> str:
    unit, bits = _UNITS[kind]
    if kind in ("TIME", "TIME_NS"):
        return _clock(number * unit)
    if abs(number) >= 2 ** (bits - 1) - 1:
        return "infinity" if number > 0 else "-infinity"
    days, rest = divmod(number * unit, _DAY * _SECOND)
    zone = "+00" if kind in (_ZONED, _ZONED_NS) else ""
    return _day(days) if kind == "DATE" else f"{_day(days)} {_clock(rest)}{zone}"


def _day(days: int) -> str:
    cycles, day = divmod(_FIRST_DAY + days - 1, _CYCLE_DAYS)
    date = dt.date.fromordinal(day + 1)
    year = date.year + _CYCLE_YEARS * cycles
    era = "" if year > 0 else " (BC)"
    return f"{year if year > 0 else 1 - year:04}-{date.month:02}-{date.day:02}{era}"


def _clock(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, _SECOND)
    fraction = f".{rest:09}".rstrip("0") if rest else ""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"
