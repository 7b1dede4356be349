"""Labels in charts and pages: short, escaped, with the whole text for a tooltip; and names of clusters."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.counted_sides import NamesOver
from concordant.counts.overlaps import Overlaps
from concordant.counts.profile import Profile
from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import NOT_NAMED, printable
from concordant.foundation.text_layout import SHORT, shortened

# A label that reads as a name: it begins with a letter and has no blanks and no quotes or commas.
_IS_WORD = re.compile(r"[^\W\d_][^\s,;'\"()]*")

# Before the number of a cluster in the address of its card, and in attributes.
KEYS: dict[SideName, str] = {"reference": "r", "candidate": "c"}

_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


def isolated(text: str) -> str:
    """Text whose direction does not affect its neighbours, for places without markup."""
    return text if text.isascii() else f"{_FIRST_STRONG_ISOLATE}{text}{_POP_ISOLATE}"


def spelled_label(label: Any, length: int = SHORT) -> str:
    """A label in a sentence: in quotes if it could be read as a number, or as several words.

    >>> spelled_label(8), spelled_label("8"), spelled_label("a b "), spelled_label("anna")
    ('8', "'8'", "'a b '", 'anna')
    """
    text = isolated(shortened(printable(label), length))
    if not isinstance(label, str) or isinstance(label, _NoiseLabel) or _IS_WORD.fullmatch(label):
        return text
    return f"'{text}'" if label.strip() else text


def linked(side: SideName, place: int, shown: str) -> str:
    """HTML that links to the card of a cluster, and lights up with it: inspector.js reads the address."""
    return f'<a href="#{KEYS[side]}{place}">{shown}</a>'


class PageLabels:
    """The labels of one page: each long one is stored once, for its tooltips, and clusters lead to cards.

    >>> labels = PageLabels()
    >>> labels.html("<script>")
    '<bdi>&lt;script&gt;</bdi>'
    >>> labels.html("x" * 100)
    '<bdi data-whole="0">xxxxxxxxxxxxxxxxxx…xxxxxxxxx</bdi>'
    """

    _ROOM = 1_000_000  # bytes for the tooltips of a page

    def __init__(self) -> None:
        self._place: dict[str, int] = {}
        self._cards: dict[tuple[SideName, str], int] = {}  # side and label of a cluster -> its number

    def html(self, label: Any) -> str:
        """The label as HTML, shortened; page.js shows the whole label in a tooltip."""
        text = printable(label)
        short = html.escape(shortened(text))
        if len(text) <= SHORT:
            return f"<bdi>{short}</bdi>"
        place = self._place.setdefault(text, len(self._place))
        return f'<bdi data-whole="{place}">{short}</bdi>'

    def link_clusters(self, cards: Iterable[tuple[SideName, Any, int]]) -> None:
        """Link these labels to the cards of their clusters, except a label that two clusters share."""
        named = [((side, repr(label)), place) for side, label, place in cards]
        times = Counter(name for name, _ in named)
        self._cards = {name: place for name, place in named if times[name] == 1}

    def cluster(self, side: SideName, label: Any) -> str:
        """The label of a cluster as HTML, with a link where the cluster has a card."""
        place = self._cards.get((side, repr(label)))
        shown = self.html(label)
        return shown if place is None else linked(side, place, shown)

    def whole(self) -> list[str]:
        """The long labels in the order of their numbers, cut where they would make the page too large."""
        room = self._ROOM // max(len(self._place), 1)
        beginnings = [text.encode()[:room].decode(errors="ignore") for text in self._place]
        return [
            text if text == begin else f"{begin}… ({len(text):,} characters)"
            for text, begin in zip(self._place, beginnings, strict=True)
        ]


class _NoiseLabel(str):
    """Distinguished from a cluster of that name by its identity."""

    __slots__ = ()


NOISE = _NoiseLabel("noise")


@dataclass(frozen=True)
class ReportNames(NamesOver):
    """The names of clusters in every sentence, list and picture of a report.

    A label that means noise on its side is spelled "noise". A cluster that is the same on both sides is "(not
    named)" where its label was left in a source; any other record without a label is in no cluster.
    """

    noise: tuple[Any, Any]  # the label of each side; None where none means noise
    profile: Profile

    def cluster(self, side: int, number: int, /) -> Any:
        return self._spelled(side, number, self.names.cluster(side, number))

    def clusters(self, side: int, /) -> Sequence[Any]:
        return [self._spelled(side, number, label) for number, label in enumerate(self.names.clusters(side))]

    def examples(self, cells: Sequence[tuple[int, ...]], each: int) -> list[tuple[Any, ...]]:
        return self.names.examples(cells, each)

    def _spelled(self, side: int, number: int, label: Any) -> Any:
        if label is None:
            return NOT_NAMED if self._is_without_name(side, number) else None
        noise = self.noise[side]
        return NOISE if noise is not None and bool(label == noise) else label

    def _is_without_name(self, side: int, number: int) -> bool:
        if self.names.known_labels == "all":
            return False
        other = int(self._same[side][number])
        return other >= 0 and self.names.cluster(1 - side, other) is None

    @cached_property
    def _same(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The number that each cluster has on the other side, -1 where that side does not have it."""
        o = self.profile.view(Overlaps)
        rows, columns = (np.full(len(sizes), -1, dtype=np.int64) for sizes in (o.row_sizes, o.column_sizes))
        same = (o.n == o.a) & (o.n == o.b)
        rows[o.row[same]], columns[o.column[same]] = o.column[same], o.row[same]
        return rows, columns
