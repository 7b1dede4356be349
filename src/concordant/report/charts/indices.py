"""The headline indices as bars."""

from __future__ import annotations

from typing import Any

from concordant.counts.sides import SideName
from concordant.report.charts.chart import Chart, always
from concordant.report.palette import LIGHT
from concordant.report.story import Story
from concordant.report.summary import ROOM_BELOW, Line, ValueBar, bar_of, format_value, has_negative


def _bars(story: Story) -> list[tuple[Line, ValueBar]]:
    """The indices that have a bar, from bottom to top."""
    both = [(line, bar_of(line, story.size)) for line in story.summary.headline]
    return [(line, bar) for line, bar in both if bar is not None][::-1]


def _draw(ax: Any, story: Story, _: SideName | None) -> None:
    shown = _bars(story)
    colours = [LIGHT.differ if line.index.direction == "distance" else LIGHT.agree for line, _ in shown]
    bars = ax.barh([line.index.name for line, _ in shown], [bar.length for _, bar in shown], color=colours)
    values = [f"{'◂ ' if bar.is_clipped else ''}{format_value(line.value)}" for line, bar in shown]
    ax.bar_label(bars, values, padding=4, fontsize=8)
    low = -ROOM_BELOW - 0.2 if has_negative(bar for _, bar in shown) else 0.0
    ax.set(xlim=(low, 1.15), xticks=[0, 1], xticklabels=("chance, or lowest", "highest"))
    ax.spines[["top", "right", "left"]].set_visible(False)


HEADLINE = Chart[Story](
    name="indices",
    title=always("The indices most used"),
    alt=always("Bar chart of the indices most used"),
    lead=always(
        "A bar starts at what chance gives on average where the index is adjusted for it, else at the lowest "
        "value, and ends at the highest; values below chance go left."
    ),
    size=lambda story: (6.4, 0.32 * len(_bars(story)) + 0.6),
    draw=_draw,
    # On a page every index has its bar anyway.
)
