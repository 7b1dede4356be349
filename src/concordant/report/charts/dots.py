"""Values as dots on their intervals: estimates, slices, stable clusters, candidates, settings and scores."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from concordant.indices.index import INDICES
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, Chart, plain_text
from concordant.report.palette import LIGHT
from concordant.report.values import format_value
from concordant.results import Charts
from concordant.text_layout import shortened
from concordant.trust.estimated import Estimated
from concordant.trust.slices import Slices

_STEP = 26.0
_MOST_SLICES = 30


@dataclass(frozen=True, slots=True)
class Dot:
    """A value on its interval; without an interval, both ends are the value; None if not estimable."""

    name: str
    value: float
    low: float | None
    high: float | None
    title: str = ""  # in a wide drawing, if it differs from the name


@dataclass(frozen=True, slots=True)
class Dots:
    """Values of one scale, and the words of their chart."""

    title: str
    lead: str
    label: str  # of the axis
    dots: Sequence[Dot]
    interval: str = "interval"
    mark: float | None = None  # a value to compare all with, such as 0 of differences
    omitted: str = ""

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the axis: 0 and 1, unless values are beyond them or differences."""
        known = [each for each in self.dots if each.low is not None and each.high is not None]
        low = min(0.0, *(each.low for each in known if each.low is not None), 0.0)
        high = max(0.0, *(each.high for each in known if each.high is not None), 0.0)
        if self.mark is None:
            return low, max(1.0, high)
        return (low, high) if low < high else (-1.0, 1.0)


def _draw(ax: Any, found: Dots) -> None:
    known = [each for each in found.dots if each.low is not None]
    places, (low, high) = range(len(known)), found.ends
    ax.hlines(places, [each.low for each in known], [each.high for each in known], color=LIGHT.agree)
    ax.plot([each.value for each in known], places, "o", color=LIGHT.agree)
    if found.mark is not None:
        ax.axvline(found.mark, color=LIGHT.muted, linewidth=0.7)
    ax.set_yticks(places, [plain_text(each.name, 40) for each in known], fontsize=FONT)
    ax.invert_yaxis()
    pad = 0.0 if found.mark is None else 0.04 * (high - low)
    ax.set_xlim(low - pad, high + pad)
    ax.set_xlabel(plain_text(found.label, 80), fontsize=FONT + 1)
    ax.tick_params(labelsize=FONT)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)


def _svg(found: Dots, *, narrow: bool) -> svg.Drawing:
    """Names are beside their lines, or above them where the page is narrow."""
    room, dots, (low, high) = svg.NARROW if narrow else svg.WIDE, found.dots, found.ends
    names = [svg.plain(each.name if narrow else each.title or each.name, 40) for each in dots]
    left = 8.0 if narrow else max([0.0, *(svg.width(name, narrow=False) for name in names)]) + 16
    step = _STEP * (1.6 if narrow else 1.0)

    def x_of(value: float) -> float:
        return left + (room - left - 12) * (value - low) / (high - low)

    body, foot = "", 8.0 + step * len(dots)
    if found.mark is not None:
        body += svg.element("path", class_="line", d=f"M{x_of(found.mark):.1f} 4V{foot:.1f}")
    for place, (name, each) in enumerate(zip(names, dots, strict=True)):
        y = 8.0 + step * (place + (0.75 if narrow else 0.5))
        beside = {"x": 2.0, "y": y - 12} if narrow else {"x": left - 10, "y": y + 5, "text_anchor": "end"}
        body += svg.text(name, **beside)
        if each.low is None or each.high is None:
            body += svg.text("not estimable", class_="tick", x=x_of(low), y=y + 4.5)
            continue
        body += svg.element("path", class_="line", d=f"M{x_of(low):.1f} {y:.1f}H{x_of(high):.1f}")
        title = f"{svg.plain(each.title or each.name, 60)}\n{format_value(each.value)}"
        if each.low < each.high:
            title += f", {found.interval} {format_value(each.low)} to {format_value(each.high)}"
        wide = max(x_of(each.high) - x_of(each.low), 0.5)
        body += svg.element("rect", title, class_="core", x=x_of(each.low), y=y - 2, width=wide, height=4)
        body += svg.element("circle", title, class_="point", cx=x_of(each.value), cy=y, r=6.0)
    for value, anchor in ((low, "start"), (high if found.mark is not None else 1.0, "end")):
        body += svg.text(format_tick(value), class_="tick", x=x_of(value), y=foot + 18, text_anchor=anchor)
    return svg.Drawing(room, foot + 26, body)


def format_tick(value: float) -> str:
    """The end of an axis: ``0``, ``1``, ``-0.053``."""
    return f"{value:.2g}"


def dot_plot(name: str, short: str) -> Chart[Dots]:
    """The dot plot of a kind of result."""
    return Chart[Dots](
        name=name,
        short=short,
        title=lambda found: f"{found.title} (dot plot)",
        alt=lambda found: f"Dot plot: {found.title}",
        lead=lambda found: html.escape(found.lead),
        size=lambda found: (6.4, 0.26 * len(found.dots) + 0.8),
        draw=lambda ax, found, _: _draw(ax, found),
        svg=lambda found, narrow: _svg(found, narrow=narrow),
        note=lambda found: f'<p class="note">{html.escape(found.omitted)}</p>' if found.omitted else "",
    )


ESTIMATES = dot_plot("estimates", "Estimates")
SLICES = dot_plot("slices", "Slices")
STABILITY = dot_plot("stability", "Clusters")


def slice_charts(slices: Slices) -> Charts:
    """The chart of slices."""
    return [(SLICES, slice_dots(slices))]


def estimate_dots(found: Sequence[Estimated]) -> Dots:
    """Estimates for all records on their intervals."""
    confidence = f"{found[0].confidence * 100:g}% interval"
    ends = [(each.low, each.high) if each.estimable else (None, None) for each in found]
    return Dots(
        "Estimates and their intervals",
        f"A dot is the estimate for all records, and the bar is its {confidence}. Each interval is for one "
        "index; all of them together are less certain.",
        f"estimate and {confidence}",
        [
            Dot(x.index, x.value, low, high, estimate_title(x))
            for x, (low, high) in zip(found, ends, strict=True)
        ],
        confidence,
    )


def slice_dots(slices: Slices) -> Dots:
    """An index of each slice, the worst first, and of all records."""
    dots, confidence, title = [], f"{slices.confidence * 100:g}% interval", INDICES[slices.index].title
    for each in slices._worst_first[:_MOST_SLICES]:
        value = getattr(each, slices.index)
        low, high = (each.low, each.high) if each.low is not None else (value, value)
        dots.append(Dot(shortened(slices.label(each.slice)), value, low, high))
    whole, words = (
        slices.whole(slices.index),
        f"A dot is the {title} of a slice of the records, the worst first",
    )
    if any(each.low is not None for each in slices._worst_first[:_MOST_SLICES]):
        words += f", and the bar is its {confidence} for other records of this kind"
    return Dots(
        f"{title} by {' and '.join(slices.columns)}",
        f"{words}. The units are components: clusters linked through shared records.",
        f"{slices.index} and {confidence}",
        [*dots, Dot("all records", whole, whole, whole)],
        confidence,
        omitted=f"{len(slices) - _MOST_SLICES} more slices are in the table."
        if len(slices) > _MOST_SLICES
        else "",
    )


def estimate_title(each: Estimated) -> str:
    """The title of the index that was estimated, with its parameter where it has one."""
    kind, _, parameter = each.index.partition("(")
    return INDICES[kind].title + (f" ({parameter}" if parameter else "")


def interval_text(each: Estimated) -> str:
    """The interval, or that the sample does not determine one."""
    return f"{format_value(each.low)} to {format_value(each.high)}" if each.estimable else "not estimable"
