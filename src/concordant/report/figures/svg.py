"""What charts share that pages draw by themselves: SVG with the colours of the page, one for both themes."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from concordant.counts.sides import SideName
from concordant.counts.spelling import counted, percent, printable, shortened
from concordant.report.labels import isolated
from concordant.report.picture import Node, Picture
from concordant.report.story import SideTitles

WIDE, NARROW = 1000, 340  # units, which are pixels where there is room
CHARACTER = 7.4  # units, at the font size of labels
_LEAST, _PALE, _STRONG = 0.1, 0.42, 0.9  # opacity of the faintest cell, and what the strongest has more
_LONG = 60  # characters of a label that is hovered over
HATCH = "url(#hatch)"
KEYS: dict[SideName, str] = {"reference": "r", "candidate": "c"}  # how what is drawn says which cluster it is
# Once on a page, for all its charts.
PATTERNS = (
    '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><pattern id="hatch" width="6" '
    'height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse"><rect width="6" height="6" '
    'class="ground"/><rect width="1.5" height="6" class="hatching"/></pattern></svg>'
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as SVG: its size in units, and what is drawn."""

    width: float
    height: float
    body: str

    def svg(self, description: str) -> str:
        """The element; its text is for those who do not see it, too."""
        return (
            f'<svg class="drawing" viewBox="0 0 {self.width:g} {self.height:g}" role="group" '
            f'aria-label="{html.escape(description)}">{self.body}</svg>'
        )


def element(name: str, title: str = "", text: str = "", /, **attributes: Any) -> str:
    """An SVG element; the title is shown when it is hovered over. ``class_`` and ``text_anchor`` as in XML.

    >>> element("rect", "a < b", class_="cell", x=1.5)
    '<rect class="cell" x="1.5"><title>a &lt; b</title></rect>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_written(value)}"' for key, value in attributes.items()
    )
    inner = (f"<title>{html.escape(title)}</title>" if title else "") + html.escape(text, quote=False)
    return f"<{name}{given}>{inner}</{name}>" if inner else f"<{name}{given}/>"


def to_card(node: Node, side: SideName, inner: str) -> str:
    """What is drawn of a cluster, as a link to its card, which the keyboard reaches, too."""
    if node.is_other or not node.has_card:
        return inner
    return f'<a href="#{side}-{node.place}" data-{KEYS[side]}="{node.place}">{inner}</a>'


def strength(share: float, *, has_numbers: bool) -> float:
    """How strong the colour of a cell is: behind numbers paler, so that they have a contrast of 4.5 in both
    themes; page.js knows the same."""
    return _LEAST + (_PALE if has_numbers else _STRONG) * share


def places(row: Node, column: Node) -> dict[str, int]:
    """The attributes by which an overlap is lit with its clusters."""
    both = {"data_r": row, "data_c": column}
    return {key: node.place for key, node in both.items() if node.place >= 0}


def two_tone(text: str, quiet: str, /, **attributes: Any) -> str:
    """Text, and behind it some that matters less."""
    if not quiet:
        return element("text", "", text, **attributes)
    more = f'<tspan class="tick">{html.escape(quiet)}</tspan></text>'
    return element("text", "", text, **attributes).removesuffix("</text>") + more


def _written(value: Any) -> str:
    return f"{round(value, 2):g}" if isinstance(value, float) else html.escape(str(value))


def label(node: Node, length: int) -> str:
    """A cluster as it stands beside its bar."""
    return f"{node.gathered:,} more" if node.is_other else plain(node.label, length)


def plain(text: Any, length: int) -> str:
    return isolated(shortened(printable(text), length))


def node_title(node: Node, name: str) -> str:
    """What hovering over a cluster says."""
    lines = [f"{plain(name, 40)} {label(node, _LONG)}", counted(node.size, node.unit)]
    return "\n".join([*lines, *(["not drawn to scale"] if node.is_other else filter(None, [node.verdict]))])


def overlap_title(picture: Picture, i: int, j: int, names: SideTitles) -> str:
    """What hovering over an overlap says."""
    n, ends = int(picture.counts[i, j]), (picture.rows[i], picture.columns[j])
    words = [f"{plain(name, 40)} {label(node, _LONG)}" for name, node in zip(names, ends, strict=True)]
    shares = [
        f"{percent(n, node.size, decimals=1)} of {word}"
        for node, word in zip(ends, words, strict=True)
        if node.size and node.unit == "record"
    ]
    return "\n".join([f"{counted(n, 'record')}, {picture.match(i, j)}", f"{words[0]} → {words[1]}", *shares])


def joined(parts: Iterable[str]) -> str:
    return "".join(parts)
