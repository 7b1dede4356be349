"""The headline indices as bars."""

from __future__ import annotations

from typing import Any

from concordant.foundation.conventions import SideName
from concordant.report.charts.chart import FONT, Chart, always
from concordant.report.palette import LIGHT
from concordant.report.report_data import ReportData
from concordant.report.values import Line, bar_length, drawn_length, format_value, is_clipped, room_below


def _bars(data: ReportData) -> list[tuple[Line, float]]:
    """The indices that have a bar, from bottom to top."""
    both = [(line, bar_length(line, data.size)) for line in data.most_used]
    return [(line, length) for line, length in both if length is not None][::-1]


def _draw(ax: Any, data: ReportData, _: SideName | None) -> None:
    shown = _bars(data)
    colours = [LIGHT.differ if line.index.direction == "distance" else LIGHT.agree for line, _ in shown]
    lengths = [drawn_length(length) for _, length in shown]
    hatches = ["////" if line.index.direction == "distance" else "" for line, _ in shown]
    names = [line.index.name for line, _ in shown]
    bars = ax.barh(names, lengths, color=colours, hatch=hatches, edgecolor="white", linewidth=0)
    values = [f"{'◂ ' if is_clipped(length) else ''}{format_value(line.value)}" for line, length in shown]
    ax.bar_label(bars, values, padding=4, fontsize=FONT)
    room = room_below(lengths)
    ax.set(
        xlim=(-room - 0.2 if room else 0.0, 1.15), xticks=[0, 1], xticklabels=("chance, or lowest", "highest")
    )
    for label, side in zip(ax.get_xticklabels(), ("left", "right"), strict=True):
        label.set(horizontalalignment=side)
    ax.tick_params(labelsize=FONT)
    ax.spines[["top", "right", "left"]].set_visible(False)


HEADLINE = Chart[ReportData](
    name="indices",
    title=always("The most used indices (bar chart)"),
    alt=always("Bar chart of the most used indices"),
    lead=always(
        "Bars of chance-adjusted indices start at the value expected by chance, others at the lowest value. "
        "A full bar is the highest value; a bar to the left is below chance."
    ),
    size=lambda data: (6.4, 0.32 * len(_bars(data)) + 0.6),
    draw=_draw,
    svg=None,  # pages have a bar for every index
)
