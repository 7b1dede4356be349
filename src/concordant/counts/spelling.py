"""How labels, counts and shares are written for people, wherever they are printed.

A label may contain markup, quotes, line breaks, text that runs from right to left, or a whole book. It is
shown as one short line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from concordant.text_layout import shortened

NO_CLUSTER = "(in no cluster)"  # instead of the label of a record that one side lacks
# Instead of the labels of a cluster that is the same on both sides: an engine does not return them.
NOT_NAMED = "(not named)"

# Line breaks and control characters would break the line; bidirectional controls would reverse its
# neighbours; lone surrogates cannot be written to a file.
_UNPRINTABLE = "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"

_SIGNS = {"\n": "⏎", "\t": "⇥"}

_LONGEST = 40  # cells of a label among other words


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


def counted(count: int, noun: str) -> str:
    """A count with its noun.

    >>> counted(1, "record"), counted(1200, "record")
    ('1 record', '1,200 records')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def percent(part: float | Fraction, whole: float | Fraction, decimals: int = 0) -> str:
    """A share, rounded to the nearest percent; 100% only if it is everything, and 0% only if it is nothing.

    >>> percent(2, 3), percent(999, 1000), percent(1, 1000), percent(1, 8, decimals=1)
    ('67%', '>99%', '<1%', '12.5%')
    """
    if not isinstance(part, int) or not isinstance(whole, int):
        part, whole = Fraction(part), Fraction(whole)
    return percents([part, whole - part], decimals)[0]


def share(part: float | Fraction, whole: float | Fraction) -> str:
    """A share between 0 and 1, with two decimals; 1.00 is everything, and 0.00 nothing.

    >>> share(2, 3), share(999, 1000), share(1, 1)
    ('0.67', '>0.99', '1.00')
    """
    text = percent(part, whole)[:-1]
    mark = text[:1].strip("0123456789")
    return f"{mark}{int(text[len(mark) :]) / 100:.2f}"


def percents(parts: Sequence[float | Fraction], decimals: int = 0) -> list[str]:
    """The parts of one whole as shares that add up to 100: those with the largest remainders are rounded up.

    A share that would be rounded to nothing or to all is marked; then it counts as 0 or 100 in the sum.

    >>> percents([1261, 536, 0]), percents([1, 1, 1]), percents([9990, 9, 1])
    (['70%', '30%', '0%'], ['34%', '33%', '33%'], ['>99%', '<1%', '<1%'])
    """
    exact = [part if isinstance(part, int) else Fraction(part) for part in parts]
    scale = lcm(*(part.denominator for part in exact))
    counts = [part.numerator * (scale // part.denominator) for part in exact]  # integers divide faster
    whole, most = sum(counts), 100 * 10**decimals
    if not whole:
        return ["0%"] * len(exact)
    steps, remainders = zip(*(divmod(count * most, whole) for count in counts), strict=True)
    up = sorted(range(len(steps)), key=lambda place: -remainders[place])[: most - sum(steps)]
    words = []
    for place, count in enumerate(counts):
        step = steps[place] + (place in up)
        mark = "<" if step == 0 else ">" if step == most else ""
        shown = f"{mark}{min(max(step, 1), most - 1) / 10**decimals:.{decimals}f}%"
        words.append({0: "0%", whole: "100%"}.get(count, shown))
    return words
