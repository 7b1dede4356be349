"""The headline indices as bars."""

from __future__ import annotations

from typing import Any

from concordant.counts.sides import SideName
from concordant.report.charts.chart import Chart, always
from concordant.report.palette import LIGHT
from concordant.report.report_data import ReportData
from concordant.report.values import Line, ValueBar, bar_of, format_value, room_below


def _bars(data: ReportData) -> list[tuple[Line, ValueBar]]:
    """The indices that have a bar, from bottom to top."""
    both = [(line, bar_of(line, data.size)) for line in data.headline]
    return [(line, bar) for line, bar in both if bar is not None][::-1]


def _draw(ax: Any, data: ReportData, _: SideName | None) -> None:
    shown = _bars(data)
    colours = [LIGHT.differ if line.index.direction == "distance" else LIGHT.agree for line, _ in shown]
    bars = ax.barh([line.index.name for line, _ in shown], [bar.length for _, bar in shown], color=colours)
    values = [f"{'◂ ' if bar.is_clipped else ''}{format_value(line.value)}" for line, bar in shown]
    ax.bar_label(bars, values, padding=4, fontsize=8)
    room = room_below(bar for _, bar in shown)
    ax.set(
        xlim=(-room - 0.2 if room else 0.0, 1.15), xticks=[0, 1], xticklabels=("chance, or lowest", "highest")
    )
    ax.spines[["top", "right", "left"]].set_visible(False)


HEADLINE = Chart[ReportData](
    name="indices",
    title=always("The indices most used"),
    alt=always("Bar chart of the indices most used"),
    lead=always(
        "A bar starts at what chance gives on average where the index is adjusted for it, else at the lowest "
        "value, and ends at the highest; values below chance go left."
    ),
    size=lambda data: (6.4, 0.32 * len(_bars(data)) + 0.6),
    draw=_draw,
    # On a page every index has its bar anyway.
)
