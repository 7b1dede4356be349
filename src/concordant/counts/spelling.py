"""How labels, counts and shares are written for people, wherever they are printed.

A label may hold markup, quotes, line breaks, text that runs from right to left, or a whole book. What is
shown is one short line.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import floor
from typing import Any

NO_CLUSTER = "(in no cluster)"  # instead of the label of a record that one side lacks

# Line breaks and controls would break the line; bidirectional controls would turn its neighbours
# round; surrogates alone cannot be written to a file.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)

SHORT, _LONGEST = 28, 40  # characters of a label in a chart, and among other words


def printable(label: Any) -> str:
    """A label as one line of text, with what cannot be seen spelled out.

    >>> printable("two\\nlines"), printable(7), printable(None)
    ('two⏎lines', '7', '(in no cluster)')
    """
    if label is None:
        return NO_CLUSTER
    text = str(label)
    return _UNPRINTABLE.sub(_spelled, text) if text.strip() else "(blank)"


def quoted(label: Any) -> str:
    """A label as Python writes it, so that 1 and '1' differ, and short.

    >>> quoted("a"), quoted(7), quoted(None)
    ("'a'", '7', '(in no cluster)')
    """
    return NO_CLUSTER if label is None else shortened(printable(repr(label)), _LONGEST)


def shortened(text: str, length: int = SHORT) -> str:
    """The text, or as much of its beginning and end as fits.

    >>> shortened("cluster-of-the-year-2026", 12)
    'cluster…2026'
    """
    if len(text) <= length:
        return text
    tail = length // 3
    return f"{text[: length - 1 - tail]}…{text[-tail:]}"


def counted(count: int, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "record"), counted(1200, "record")
    ('1 record', '1,200 records')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def percent(part: float, whole: float, decimals: int = 0) -> str:
    """A share. Rounded down, so that not all never reads as all; and nothing only if it is nothing.

    >>> percent(2, 3), percent(999, 1000), percent(1, 1000), percent(1, 8, decimals=1)
    ('66%', '99%', '<1%', '12.5%')
    """
    if not part:
        return "0%"
    if part == whole:
        return "100%"
    scale = 10**decimals
    steps = floor(Fraction(part) * 100 * scale / Fraction(whole))
    return f"{'' if steps else '<'}{max(steps, 1) / scale:.{decimals}f}%"


def _spelled(match: re.Match[str]) -> str:
    character = match.group()
    return {"\n": "⏎", "\t": "⇥"}.get(character, f"\\u{ord(character):04x}")
