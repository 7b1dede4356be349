"""How the names of clusters are shown: as text, short, and harmless wherever they are put.

A label may hold markup, quotes, line breaks, text that runs from right to left, or a whole book. What
is shown is one short line; a page keeps the rest for its tooltip.
"""

from __future__ import annotations

import html
import re
from typing import Any

SHORT = 28

# Line breaks and controls would break the line; bidirectional controls would turn its neighbours
# round; surrogates alone cannot be written to a file.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


def printable(label: Any) -> str:
    """A label as one line of text, with what cannot be seen spelled out.

    >>> printable("two\\nlines"), printable(7), printable(None)
    ('two⏎lines', '7', '(no label)')
    """
    if label is None:
        return "(no label)"
    text = str(label)
    return _UNPRINTABLE.sub(_spelled, text) if text.strip() else "(blank)"


def shortened(text: str, length: int = SHORT) -> str:
    """The text, or as much of its beginning and end as fits.

    >>> shortened("cluster-of-the-year-2026", 12)
    'cluster…2026'
    """
    if len(text) <= length:
        return text
    tail = length // 3
    return f"{text[: length - 1 - tail]}…{text[-tail:]}"


def in_chart(label: Any, length: int = SHORT) -> str:
    """A label for Plotly, which reads some markup: escaped, short, its direction kept to itself.

    >>> in_chart("<b>bold</b>").strip("\\u2068\\u2069")
    '&lt;b&gt;bold&lt;/b&gt;'
    """
    return html.escape(isolated(shortened(printable(label), length)), quote=False)


def width_in_chart(label: Any, length: int = SHORT) -> int:
    """How many characters ``in_chart`` shows, markup and marks of direction not counted.

    >>> width_in_chart("<"), width_in_chart(""), width_in_chart("x" * 100, 9)
    (1, 7, 9)
    """
    return len(shortened(printable(label), length))


def isolated(text: str) -> str:
    """Text whose direction does not reach its neighbours, where no markup can say so."""
    return text if text.isascii() else f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}"


class Labels:
    """The labels of one page: each long one is stored once, for its tooltips.

    >>> labels = Labels()
    >>> labels.html("<script>")
    '<bdi>&lt;script&gt;</bdi>'
    >>> labels.html("x" * 100)
    '<bdi data-whole="0">xxxxxxxxxxxxxxxxxx…xxxxxxxxx</bdi>'
    """

    _ROOM = 1_000_000  # bytes for the tooltips of a page

    def __init__(self) -> None:
        self._place: dict[str, int] = {}

    def html(self, label: Any) -> str:
        """The label as HTML, shortened; page.js gives the whole to those that need it."""
        text = printable(label)
        short = html.escape(shortened(text))
        if len(text) <= SHORT:
            return f"<bdi>{short}</bdi>"
        place = self._place.setdefault(text, len(self._place))
        return f'<bdi data-whole="{place}">{short}</bdi>'

    def whole(self) -> list[str]:
        """The long labels in the order of their numbers, cut where they would make the page too large."""
        room = self._ROOM // max(len(self._place), 1)
        return [_cut(text, room) for text in self._place]


def _cut(text: str, room: int) -> str:
    beginning = text.encode()[:room].decode(errors="ignore")
    return text if beginning == text else f"{beginning}… ({len(text):,} characters)"


def _spelled(match: re.Match[str]) -> str:
    character = match.group()
    return {"\n": "⏎", "\t": "⇥"}.get(character, f"\\u{ord(character):04x}")
