"""Values as dots on their intervals: estimates for all records, slices of them, and stable clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from concordant.counts.spelling import counted
from concordant.indices.index import INDICES
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, Chart, Display, always
from concordant.report.palette import LIGHT
from concordant.report.values import format_value
from concordant.text_layout import shortened
from concordant.trust.estimated import Estimated
from concordant.trust.slices import Slices

_STEP = 26.0
_MOST_SLICES = 30


@dataclass(frozen=True, slots=True)
class Dot:
    """A value on its interval; without an interval, both ends are the value; None if not estimable."""

    name: str
    title: str
    value: float
    low: float | None
    high: float | None


def _estimate_dots(found: Sequence[Estimated]) -> list[Dot]:
    ends = [(each.low, each.high) if each.estimable else (None, None) for each in found]
    return [Dot(x.index, estimate_title(x), x.value, *own) for x, own in zip(found, ends, strict=True)]


def _slice_dots(slices: Slices) -> list[Dot]:
    dots = []
    for each in islice(slices.values(), _MOST_SLICES):
        name, value = shortened(slices.label(each.slice)), getattr(each, slices.index)
        low, high = (each.low, each.high) if each.low is not None else (value, value)
        dots.append(Dot(name, name, value, low, high))
    whole = slices.whole(slices.index)
    return [*dots, Dot("all records", "all records", whole, whole, whole)]


def estimate_title(each: Estimated) -> str:
    """The title of the index that was estimated, with its parameter where it has one."""
    kind, _, parameter = each.index.partition("(")
    return INDICES[kind].title + (f" ({parameter}" if parameter else "")


def interval_text(each: Estimated) -> str:
    """The interval, or that the sample does not determine one."""
    return f"{format_value(each.low)} to {format_value(each.high)}" if each.estimable else "not estimable"


def _lowest(dots: Sequence[Dot]) -> float:
    return min(0.0, *(each.low for each in dots if each.low is not None), 0.0)


def _draw(ax: Any, dots: Sequence[Dot], label: str) -> None:
    known = [each for each in dots if each.low is not None]
    places = range(len(known))
    ax.hlines(places, [each.low for each in known], [each.high for each in known], color=LIGHT.agree)
    ax.plot([each.value for each in known], places, "o", color=LIGHT.agree)
    ax.set_yticks(places, [each.name for each in known], fontsize=FONT)
    ax.invert_yaxis()
    ax.set_xlim(_lowest(dots), max(1.0, *(each.value for each in known), 1.0))
    ax.set_xlabel(label, fontsize=FONT + 1)
    ax.tick_params(labelsize=FONT)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)


def _svg(dots: Sequence[Dot], confidence: float, *, narrow: bool) -> svg.Drawing:
    """Names are beside their lines, or above them where the page is narrow."""
    room = svg.NARROW if narrow else svg.WIDE
    names = [each.name if narrow else each.title for each in dots]
    left = 8.0 if narrow else max(svg.width(name, narrow=False) for name in names) + 16
    step, low = _STEP * (1.6 if narrow else 1.0), _lowest(dots)
    high = max(1.0, *(each.value for each in dots if each.low is not None), 1.0)

    def x_of(value: float) -> float:
        return left + (room - left - 12) * (value - low) / (high - low)

    body, foot = "", 8.0 + step * len(dots)
    for place, (name, each) in enumerate(zip(names, dots, strict=True)):
        y = 8.0 + step * (place + (0.75 if narrow else 0.5))
        beside = {"x": 2.0, "y": y - 12} if narrow else {"x": left - 10, "y": y + 5, "text_anchor": "end"}
        body += svg.text(name, **beside)
        if each.low is None or each.high is None:
            body += svg.text("not estimable", class_="tick", x=x_of(low), y=y + 4.5)
            continue
        body += svg.element("path", class_="line", d=f"M{x_of(low):.1f} {y:.1f}H{x_of(high):.1f}")
        title = f"{name}\n{format_value(each.value)}"
        if each.low < each.high:
            title += f", {confidence * 100:g}% interval {format_value(each.low)} to {format_value(each.high)}"
        wide = max(x_of(each.high) - x_of(each.low), 0.5)
        body += svg.element("rect", title, class_="core", x=x_of(each.low), y=y - 2, width=wide, height=4)
        body += svg.element("circle", title, class_="point", cx=x_of(each.value), cy=y, r=6.0)
    for value, anchor in ((low, "start"), (1.0, "end")):
        body += svg.text(f"{value:g}", class_="tick", x=x_of(value), y=foot + 18, text_anchor=anchor)
    return svg.Drawing(room, foot + 26, body)


ESTIMATES = Chart[Sequence[Estimated]](
    name="estimates",
    title=always("Estimates and their intervals (dot plot)"),
    alt=always("Dot plot of the estimates, each on its interval"),
    lead=lambda found: (
        f"A dot is the estimate for all records, and the bar is its {found[0].confidence * 100:g}% interval. "
        "Each interval is for one index; all of them together are less certain."
    ),
    size=lambda found: (6.4, 0.26 * len(found) + 0.8),
    draw=lambda ax, found, _: _draw(
        ax, _estimate_dots(found), f"estimate and {found[0].confidence * 100:g}% interval"
    ),
    svg=lambda found, narrow: _svg(_estimate_dots(found), found[0].confidence, narrow=narrow),
    short="Estimates",
)

SLICES = Chart[Slices](
    name="slices",
    title=lambda slices: f"{slices.index} by {' and '.join(slices.columns)} (dot plot)",
    alt=lambda slices: f"Dot plot of {slices.index} of each slice, on its interval",
    lead=lambda slices: (
        f"A dot is {slices.index} of a slice of the records, and the bar is its "
        f"{slices.confidence * 100:g}% interval for other records of this kind. The units are components: "
        "clusters linked through shared records."
    ),
    size=lambda slices: (6.4, 0.26 * min(len(slices) + 1, _MOST_SLICES) + 0.8),
    draw=lambda ax, slices, _: _draw(
        ax, _slice_dots(slices), f"{slices.index} and {slices.confidence * 100:g}% interval"
    ),
    svg=lambda slices, narrow: _svg(_slice_dots(slices), slices.confidence, narrow=narrow),
    short="Slices",
)


def plot_slices(slices: Slices, ax: Any, width: float | None) -> Display:
    """The slices on Matplotlib's axes."""
    return SLICES.plot(slices, ax, width=width)


@dataclass(frozen=True, slots=True)
class StableClusters:
    """The stability of clusters, the most unstable first."""

    dots: Sequence[Dot]
    confidence: float
    omitted: int


STABILITY = Chart[StableClusters](
    name="stability",
    title=always("How often each cluster recurs (dot plot)"),
    alt=always("Dot plot of the mean Jaccard index of each cluster, the most unstable first"),
    lead=lambda found: (
        "A dot is the mean over the runs of the Jaccard index of a cluster with its best match, and the bar "
        f"is the {found.confidence * 100:g}% interval of this mean, starting with the most unstable cluster."
    ),
    size=lambda found: (6.4, 0.26 * len(found.dots) + 0.8),
    draw=lambda ax, found, _: _draw(ax, found.dots, "mean Jaccard index over the runs"),
    svg=lambda found, narrow: _svg(found.dots, found.confidence, narrow=narrow),
    note=lambda found: (
        f'<p class="note">{counted(found.omitted, "other cluster")} not drawn.</p>' if found.omitted else ""
    ),
    short="Clusters",
)
