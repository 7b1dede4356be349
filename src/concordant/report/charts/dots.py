"""Values as dots on their intervals: estimates, slices, stable clusters, candidates, settings and scores."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Any

from concordant.foundation.results import DotPlot, Listing
from concordant.foundation.spelling import counted
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, Chart, plain_text
from concordant.report.palette import LIGHT
from concordant.report.values import format_value

_STEP = 26.0
_MOST = 30  # dots


@dataclass(frozen=True, slots=True)
class _Dot:
    """A value on its interval; without an interval, both ends are the value."""

    name: str
    value: float
    low: float
    high: float


def dot_plot(listing: Listing) -> Chart[Listing]:
    """The dot plot that a listing declares."""
    declared = _declared(listing)
    return Chart[Listing](
        name=declared.name,
        short=declared.name.replace("_", " ").capitalize(),
        title=lambda _: f"{declared.title} (dot plot)",
        alt=lambda _: f"Dot plot: {declared.title}",
        lead=lambda found: html.escape(_lead(found)),
        size=lambda found: (6.4, 0.26 * len(_dots(found)) + 0.8),
        draw=lambda ax, found, _: _draw(ax, found),
        svg=lambda found, narrow: _svg(found, narrow=narrow),
        note=_omission,
    )


def _declared(listing: Listing) -> DotPlot:
    assert listing.dots is not None
    return listing.dots


def _dots(listing: Listing) -> list[_Dot]:
    """The rows that have a value, as many as are drawn."""
    declared, (names, labels) = _declared(listing), listing.columns[0]
    values = listing.values(declared.value)
    ends = [listing.values(name) for name in declared.ends] if declared.interval else [values, values]
    rows = zip(map(names.shown, labels), values, *ends, strict=True)
    known = ((name, value, low, high) for name, value, low, high in rows if _is_number(value))
    dots = [
        _Dot(name, value, *(sorted((low, high)) if _is_number(low) and _is_number(high) else (value, value)))
        for name, value, low, high in known
    ]
    return dots[:_MOST]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _ends(listing: Listing) -> tuple[float, float]:
    """The ends of the axis: 0 and 1, unless values are beyond them or differences."""
    dots = _dots(listing)
    low, high = min([0.0, *(each.low for each in dots)]), max([0.0, *(each.high for each in dots)])
    if _declared(listing).mark is None:
        return low, max(1.0, high)
    return (low, high) if low < high else (-1.0, 1.0)


def _axis(listing: Listing) -> str:
    """The title of the field that is drawn."""
    return next(field.words for field, _ in listing.columns if field.name == _declared(listing).value)


def _lead(listing: Listing) -> str:
    declared = _declared(listing)
    bar = f", and the bar is the {declared.interval}" if declared.interval else ""
    return " ".join(filter(None, [f"A dot is the {_axis(listing)}{bar}.", declared.lead]))


def _omission(listing: Listing) -> str:
    more = max(len(listing.rows), listing.total or 0) - _MOST
    words = f"{counted(more, 'more row', 'are')} not drawn"
    return f'<p class="note">{words}.</p>' if more > 0 else ""


def _draw(ax: Any, found: Listing) -> None:
    dots, (low, high), mark = _dots(found), _ends(found), _declared(found).mark
    places = range(len(dots))
    ax.hlines(places, [each.low for each in dots], [each.high for each in dots], color=LIGHT.agree)
    ax.plot([each.value for each in dots], places, "o", color=LIGHT.agree)
    if mark is not None:
        ax.axvline(mark, color=LIGHT.muted, linewidth=0.7)
    ax.set_yticks(places, [plain_text(each.name, 40) for each in dots], fontsize=FONT)
    ax.invert_yaxis()
    pad = 0.0 if mark is None else 0.04 * (high - low)
    ax.set_xlim(low - pad, high + pad)
    interval = _declared(found).interval
    ax.set_xlabel(plain_text(_axis(found) + (f" and {interval}" if interval else ""), 80), fontsize=FONT + 1)
    ax.tick_params(labelsize=FONT)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)


def _svg(found: Listing, *, narrow: bool) -> svg.Drawing:
    """Names are beside their lines, or above them where the page is narrow."""
    room, dots, (low, high) = svg.NARROW if narrow else svg.WIDE, _dots(found), _ends(found)
    names, mark = [svg.plain(each.name, 40) for each in dots], _declared(found).mark
    left = 8.0 if narrow else max([0.0, *(svg.width(name, narrow=False) for name in names)]) + 16
    step = _STEP * (1.6 if narrow else 1.0)

    def x_of(value: float) -> float:
        return left + (room - left - 12) * (value - low) / (high - low)

    body, foot = "", 8.0 + step * len(dots)
    if mark is not None:
        body += svg.element("path", class_="line", d=f"M{x_of(mark):.1f} 4V{foot:.1f}")
    for place, (name, each) in enumerate(zip(names, dots, strict=True)):
        y = 8.0 + step * (place + (0.75 if narrow else 0.5))
        beside = {"x": 2.0, "y": y - 12} if narrow else {"x": left - 10, "y": y + 5, "text_anchor": "end"}
        body += svg.text(name, **beside)
        body += svg.element("path", class_="line", d=f"M{x_of(low):.1f} {y:.1f}H{x_of(high):.1f}")
        title = f"{svg.plain(each.name, 60)}\n{format_value(each.value)}"
        if each.low < each.high:
            interval = _declared(found).interval
            title += f", {interval} {format_value(each.low)} to {format_value(each.high)}"
        wide = max(x_of(each.high) - x_of(each.low), 0.5)
        body += svg.element("rect", title, class_="core", x=x_of(each.low), y=y - 2, width=wide, height=4)
        body += svg.element("circle", title, class_="point", cx=x_of(each.value), cy=y, r=6.0)
    for value, anchor in ((low, "start"), (high, "end")):
        body += svg.text(format_tick(value), class_="tick", x=x_of(value), y=foot + 18, text_anchor=anchor)
    return svg.Drawing(room, foot + 26, body)


def format_tick(value: float) -> str:
    """The end of an axis: ``0``, ``1``, ``-0.053``."""
    return f"{value:.2g}"
