"""Estimates for a whole population as dots on their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from concordant.catalogue.index import INDICES
from concordant.counts.sides import SideName
from concordant.report.charts import svg
from concordant.report.charts.axes import FONT
from concordant.report.charts.chart import Chart, always
from concordant.report.palette import LIGHT
from concordant.report.values import format_value
from concordant.trust.estimated import Estimated

_STEP = 26.0


def estimate_title(each: Estimated) -> str:
    """The title of the index that was estimated, with its parameter where it has one."""
    kind, _, parameter = each.index.partition("(")
    return INDICES[kind].title + (f" ({parameter}" if parameter else "")


def interval_text(each: Estimated) -> str:
    """The interval, or that the sample does not determine one."""
    return f"{format_value(each.low)} to {format_value(each.high)}" if each.estimable else "not estimable"


def _lowest(found: Sequence[Estimated]) -> float:
    return min(0.0, *(each.low for each in found if each.estimable), 0.0)


def _draw(ax: Any, found: Sequence[Estimated], _: SideName | None) -> None:
    known = [each for each in found if each.estimable]
    places = range(len(known))
    ax.hlines(places, [each.low for each in known], [each.high for each in known], color=LIGHT.agree)
    ax.plot([each.value for each in known], places, "o", color=LIGHT.agree)
    ax.set_yticks(places, [each.index for each in known], fontsize=FONT)
    ax.invert_yaxis()
    ax.set_xlim(_lowest(found), max(1.0, *(each.value for each in known), 1.0))
    ax.set_xlabel(f"estimate and {found[0].level * 100:g}% interval", fontsize=FONT + 1)
    ax.tick_params(labelsize=FONT)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)


def _svg(found: Sequence[Estimated], *, narrow: bool) -> svg.Drawing:
    """Names are beside their lines, or above them where the page is narrow."""
    room = svg.NARROW if narrow else svg.WIDE
    names = [each.index if narrow else estimate_title(each) for each in found]
    left = 8.0 if narrow else max(svg.width(name, narrow=False) for name in names) + 16
    step, low = _STEP * (1.6 if narrow else 1.0), _lowest(found)
    high = max(1.0, *(each.value for each in found if each.estimable), 1.0)

    def x_of(value: float) -> float:
        return left + (room - left - 12) * (value - low) / (high - low)

    body, foot = "", 8.0 + step * len(found)
    for place, (name, each) in enumerate(zip(names, found, strict=True)):
        y = 8.0 + step * (place + (0.75 if narrow else 0.5))
        beside = {"x": 2.0, "y": y - 12} if narrow else {"x": left - 10, "y": y + 5, "text_anchor": "end"}
        body += svg.text(name, **beside)
        if not each.estimable:
            body += svg.text("not estimable", class_="tick", x=x_of(low), y=y + 4.5)
            continue
        body += svg.element("path", class_="line", d=f"M{x_of(low):.1f} {y:.1f}H{x_of(high):.1f}")
        title = f"{name}\n{format_value(each.value)}, {each.level * 100:g}% interval {interval_text(each)}"
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
        f"A dot is the estimate for all records, and the bar is its {found[0].level * 100:g}% interval. "
        "Each interval is for one index; all of them together are less certain."
    ),
    size=lambda found: (6.4, 0.26 * len(found) + 0.8),
    draw=_draw,
    svg=lambda found, narrow: _svg(found, narrow=narrow),
    short="Estimates",
)
