"""How labels are put into charts and pages: escaped, short, and with the whole text for a tooltip."""

from __future__ import annotations

import html
from typing import Any

from concordant.counts.spelling import SHORT, printable, shortened

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


def isolated(text: str) -> str:
    """Text whose direction does not reach its neighbours, where no markup can say so."""
    return text if text.isascii() else f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}"


class PageLabels:
    """The labels of one page: each long one is stored once, for its tooltips.

    >>> labels = PageLabels()
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
