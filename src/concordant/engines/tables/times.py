"""Dates and times of engines as Python's, where Python has one that is the same; else as DuckDB writes them.

Python's years end at 9999 and its times at the microsecond. What lies beyond is a text: rounded, two labels
would become one.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from typing import Any

from narwhals.stable.v2.dtypes import DType

_SECOND = 10**9
_DAY = 86_400
_CYCLE_DAYS, _CYCLE_YEARS = 146_097, 400  # after which the calendar repeats
_FIRST_DAY = dt.date(1970, 1, 1).toordinal()
_ZONED = "TIMESTAMP WITH TIME ZONE"

# Nanoseconds of the unit that a number of this type counts, and how many bits the number has.
_UNITS = {
    "DATE": (_DAY * _SECOND, 32),
    "TIME": (1000, 64),
    "TIMESTAMP": (1000, 64),
    "TIMESTAMP_S": (_SECOND, 64),
    "TIMESTAMP_MS": (10**6, 64),
    "TIMESTAMP_NS": (1, 64),
    _ZONED: (1000, 64),
}
TIMES = frozenset(_UNITS)

_PARSERS: dict[str, Callable[[str], Any]] = {
    "DATE": dt.date.fromisoformat,
    "TIME": dt.time.fromisoformat,
    _ZONED: lambda text: dt.datetime.fromisoformat(text).astimezone(dt.UTC),
}
# What Python reads as it is written: not 24 o'clock, and no more than six digits of a second.
_READ_BY_PYTHON = re.compile(
    r"(\d{4}-\d\d-\d\d)? ?((?!24)\d\d:\d\d:\d\d(\.\d{1,6})?)?([+-]\d\d(:\d\d){0,2})?", re.ASCII
)


def from_text(kind: str, text: str) -> Any:
    """The value of a type that DuckDB wrote so.

    >>> from_text("TIMESTAMP", "2026-01-02 03:04:05.5"), from_text("DATE", "12026-01-02")
    (datetime.datetime(2026, 1, 2, 3, 4, 5, 500000), '12026-01-02')
    """
    if not _READ_BY_PYTHON.fullmatch(text):
        return text
    try:
        return _PARSERS.get(kind, dt.datetime.fromisoformat)(text)
    except (ValueError, OverflowError):  # the year 0, and what the zone moves out of Python's years
        return text


def from_number(kind: str, number: int) -> Any:
    """The value of a type that the core has as this number.

    >>> from_number("DATE", 1), from_number("TIMESTAMP_NS", 1)
    (datetime.date(1970, 1, 2), '1970-01-01 00:00:00.000000001')
    """
    return from_text(kind, _written(kind, number))


def rows_of_polars(frame: Any) -> list[tuple[Any, ...]]:
    """The rows of a dataframe, in which Polars would round times to microseconds."""
    rows: list[tuple[Any, ...]] = frame.rows()
    for place, (name, kind) in enumerate(frame.schema.items()):
        if getattr(kind, "time_unit", None) == "ns" and hasattr(kind, "time_zone"):
            zone = "+00" if kind.time_zone else ""
            numbers = frame[name].dt.timestamp("ns").to_list()
            rows = [
                (*row[:place], f"{_written('TIMESTAMP_NS', number)}{zone}", *row[place + 1 :])
                if number is not None and number % 1000
                else row
                for row, number in zip(rows, numbers, strict=True)
            ]
    return rows


def are_beyond_python(kind: DType, labels: Iterable[Any]) -> bool:
    """Whether some labels of a column of times are texts, which only DuckDB compares with it."""
    return kind.is_temporal() and any(isinstance(label, str) for label in labels)


def _written(kind: str, number: int) -> str:
    unit, bits = _UNITS[kind]
    if kind != "TIME" and abs(number) >= 2 ** (bits - 1) - 1:
        return "infinity" if number > 0 else "-infinity"
    if kind == "TIME":
        return _clock(number * unit)
    days, rest = divmod(number * unit, _DAY * _SECOND)
    zone = "+00" if kind == _ZONED else ""
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
