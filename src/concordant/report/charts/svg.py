"""SVG elements in the colours of the page, so one drawing serves both themes."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.foundation.spelling import printable
from concordant.foundation.text_layout import cell_width, shortened
from concordant.report.labels import isolated

WIDE, NARROW = 1000, 340  # units, which are pixels where there is space
# Units of text in a wide drawing and in a narrow one. Text of a wide drawing is this large where the page has
# little space, so it can be read; page.css makes it smaller, down to SMALL, where there is more.
TEXT = {False: 16.0, True: 13.0}
SMALL = 13.0
# The width of a character in parts of the font size, in fonts that are rather wide.
_CHARACTER, _CAPITAL, _BROAD, _WIDE_CHARACTER = 0.62, 0.75, 1.0, 1.25
_BROAD_CHARACTERS = frozenset("%@MWmw…—→↓")
BOLD = 1.12  # how much wider bold text is
_FAINTEST, _PALE, _STRONG = 0.1, 0.42, 0.9  # opacity of the faintest cell, and how much the strongest adds
BAND_OPACITY = {"core": 0.5, "part": 0.62, "stray": 0.72, "other": 0.22}  # by what an overlap is
HATCH = "url(#hatch)"
# Included once per page, for all its charts.
PATTERNS = (
    '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><pattern id="hatch" width="6" '
    'height="6" patternTransform="rotate(45)" patternUnits="userSpaceOnUse"><rect width="6" height="6" '
    'class="ground"/><rect width="1.5" height="6" class="hatching"/></pattern></svg>'
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as SVG: its size in units, and its elements."""

    width: float
    height: float
    body: str

    def svg(self, description: str) -> str:
        """The SVG element; the description is for readers who cannot see it."""
        return (
            f'<svg class="drawing" viewBox="0 0 {self.width:g} {self.height:g}" role="group" '
            f'aria-label="{html.escape(description)}">{self.body}</svg>'
        )


def element(name: str, title: str = "", inner: str = "", /, **attributes: Any) -> str:
    """An SVG element; its title appears on hover. ``class_`` becomes class, ``text_anchor`` text-anchor.

    >>> element("rect", "a < b", class_="cell", x=1.5)
    '<rect class="cell" x="1.5"><title>a &lt; b</title></rect>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="'
        f'{f"{round(value, 2):g}" if isinstance(value, float) else html.escape(str(value))}"'
        for key, value in attributes.items()
    )
    inner = (f"<title>{html.escape(title)}</title>" if title else "") + inner
    return f"<{name}{given}>{inner}</{name}>" if inner else f"<{name}{given}/>"


def dot(title: str, address: str, /, **attributes: Any) -> str:
    """A circle with a title; with an address, a link that the keyboard reaches.

    >>> dot("best", "#cut4", r=2.0)
    '<a href="#cut4"><title>best</title><circle r="2"/></a>'
    """
    if not address:
        return element("circle", title, **attributes)
    return element("a", title, element("circle", **attributes), href=address)


def text(words: str, quiet: str = "", /, **attributes: Any) -> str:
    """Text, followed by less important text."""
    more = f'<tspan class="tick">{html.escape(quiet)}</tspan>' if quiet else ""
    return element("text", "", html.escape(words, quote=False) + more, **attributes)


def strength(share: float, *, has_numbers: bool) -> float:
    """The opacity of a cell. Behind numbers it is paler, so they have a contrast of 4.5 in both themes;
    page.js computes the same."""
    return _FAINTEST + (_PALE if has_numbers else _STRONG) * share


def plain(label: Any, length: int) -> str:
    """A label, shortened to this many columns and isolated in direction.

    >>> plain("digit", 10), plain("東京都の顧客クラスタ", 10) == isolated("東京都…タ")
    ('digit', True)
    """
    return isolated(shortened(printable(label), length))


def width(words: str, *, narrow: bool, size: float | None = None) -> float:
    """The width of text in units, in a wide or in a narrow drawing, or at this font size."""
    return (size or TEXT[narrow]) * sum(map(_width, words))


def _width(character: str) -> float:
    if character in _BROAD_CHARACTERS:
        return _BROAD
    if character.isupper():
        return _CAPITAL
    return (0.0, _CHARACTER, _WIDE_CHARACTER)[cell_width(character)]


def fitted(label: Any, room: float, *, narrow: bool) -> str:
    """A label, shortened to what fits into this many units; at least a few characters of it."""
    shorter = (plain(label, length) for length in range(18, 4, -1))
    return next((each for each in shorter if width(each, narrow=narrow) <= room), plain(label, 4))


def value_class(words: str, room: float, *, narrow: bool) -> str | None:
    """The class of a number in a cell; "far" is shown only where text is small, and None never fits."""
    if room > width(words, narrow=narrow):
        return "value"
    return "value far" if not narrow and room > width(words, narrow=False, size=SMALL) else None


def tops(heights: Any, pad: float, room: float | None = None) -> NDArray[np.float64]:
    """The tops of stacked bars, centred in the space if there is more than they need.

    >>> tops([10, 20], 5).tolist(), tops([10, 20], 5, room=55).tolist()
    ([0.0, 15.0], [10.0, 25.0])
    """
    tall = np.asarray(heights, dtype=float)
    begin = np.concatenate([[0.0], np.cumsum(tall + pad)[:-1]]) if len(tall) else np.zeros(0)
    needed = float(tall.sum()) + pad * (len(tall) - 1)
    return begin if room is None else begin + (room - needed) / 2


def band_path(x: tuple[float, float], y: tuple[float, float], tall: float) -> str:
    """The path of a band from the right edge of one bar to the left edge of another."""
    wide, half, fall = (round(each, 1) for each in (x[1] - x[0], (x[1] - x[0]) / 2, y[1] - y[0]))
    there = f"c{half:g} 0 {half:g} {fall:g} {wide:g} {fall:g}"
    back = f"c{-half:g} 0 {-half:g} {-fall:g} {-wide:g} {-fall:g}"
    return f"M{x[0]:.1f} {y[0]:.2f}{there}v{tall:.2f}{back}z"
