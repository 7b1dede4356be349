"""How labels, counts and shares are written for people, wherever they are printed.

A label may contain markup, quotes, line breaks, text that runs from right to left, or a whole book. It is
shown as one short line.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any

from concordant.foundation.text_layout import shortened

NO_CLUSTER = "(in no cluster)"  # instead of the label of a record that one side lacks
# Instead of the labels of a cluster that is the same on both sides: an engine does not return them.
NOT_NAMED = "(not named)"

# Line breaks and control characters would break the line; bidirectional controls would reverse its
# neighbours; lone surrogates cannot be written to a file.
_UNPRINTABLE = "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"

_SIGNS = {"\n": "⏎", "\t": "⇥"}

_LONGEST = 40  # cells of a label among other words

_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}


def printable(label: Any) -> str:
    """A label as one line of text, with invisible characters spelled out.

    >>> printable("two\\nlines"), printable(7), printable(None)
    ('two⏎lines', '7', '(in no cluster)')
    """
    if label is None:
        return NO_CLUSTER
    text = str(label)
    if not text.strip():
        return "(blank)"
    return re.sub(_UNPRINTABLE, lambda sign: _SIGNS.get(sign[0], f"\\u{ord(sign[0]):04x}"), text)


def quoted(label: Any) -> str:
    """A label as Python writes it, so 1 and '1' differ, and shortened.

    >>> quoted("a"), quoted(7), quoted(None)
    ("'a'", '7', '(in no cluster)')
    """
    return NO_CLUSTER if label is None else shortened(printable(repr(label)), _LONGEST)


def counted(count: float, noun: str, plural: str = "") -> str:
    """A count with its noun, and with a verb.

    >>> counted(1, "record"), counted(1200, "record"), counted(1, "record", "are")
    ('1 record', '1,200 records', '1 record is')
    """
    words = f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
    return f"{words} {verb(count, plural)}" if plural else words


def verb(count: float, plural: str) -> str:
    """A verb that agrees with a count.

    >>> verb(1, "are"), verb(0, "are"), verb(1, "have"), verb(1, "merge")
    ('is', 'are', 'has', 'merges')
    """
    return _SINGULAR.get(plural, f"{plural}s") if count == 1 else plural


def part_of(part: int, whole: int, noun: str, plural: str) -> str:
    """Some of all, with a verb.

    >>> part_of(1, 3, "record", "are"), part_of(0, 1, "record", "are"), part_of(0, 3, "record", "are")
    ('1 of 3 records is', '0 of 1 record is', '0 of 3 records are')
    """
    return f"{part:,} of {counted(whole, noun)} {verb(1 if whole == 1 else part, plural)}"


def number_text(number: float) -> str:
    """A count, or a weight with six digits.

    >>> number_text(1200), number_text(2 / 3), number_text(10**400)
    ('1,200', '0.666667', '1e+400')
    """
    if not isinstance(number, int):
        return f"{number:,.6g}"
    is_long = abs(number) >= 10**18  # a weight, which may be beyond floats
    return f"{Decimal(number).normalize():.6g}" if is_long else f"{number:,}"


def percent(part: float | Fraction, whole: float | Fraction, decimals: int = 0) -> str:
    """A share, rounded to the nearest percent; 100% only if it is everything, and 0% only if it is nothing.

    >>> percent(2, 3), percent(999, 1000), percent(1, 1000), percent(1, 8, decimals=1)
    ('67%', '>99%', '<1%', '12.5%')
    """
    part, whole = Fraction(part), Fraction(whole)
    if part in (0, whole) or not whole:
        return "100%" if part else "0%"
    most = 100 * 10**decimals
    step = floor(part * most / whole + Fraction(1, 2))
    mark = "<" if step == 0 else ">" if step == most else ""
    return f"{mark}{min(max(step, 1), most - 1) / 10**decimals:.{decimals}f}%"


def share(part: float | Fraction, whole: float | Fraction) -> str:
    """A share between 0 and 1, with two decimals; 1.00 is everything, and 0.00 nothing.

    >>> share(2, 3), share(999, 1000), share(1, 1)
    ('0.67', '>0.99', '1.00')
    """
    text = percent(part, whole)[:-1]
    mark = text[:1].strip("0123456789")
    return f"{mark}{int(text[len(mark) :]) / 100:.2f}"
