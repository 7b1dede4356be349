"""The headline indices as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from concordant.report.figures.canvas import HOVER, layout
from concordant.report.figures.chart import Chart, Look, always
from concordant.report.figures.display import Display
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.story import Story
from concordant.report.summary import ROOM_BELOW, Line, Summary, ValueBar, bar_of, format_value, has_negative

_TICKS = ("chance, or lowest", "highest")


def indices(summary: Summary, palette: Palette = LIGHT) -> dict[str, Any]:
    """The headline indices, each as a bar from chance, or from its lowest value, to its value."""
    lines = _measured(summary.headline, summary.size)
    colours = {"distance": palette.differ}
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [each.length for _, each in lines],
        "y": [line.index.name for line, _ in lines],
        "text": [_text(*each) for each in lines],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {
            "color": [colours.get(line.index.direction, palette.agree) for line, _ in lines],
            "cornerradius": 3,
        },
        "customdata": [
            f"{line.index.title}: {format_value(line.value)} in {line.index.range_text}" for line, _ in lines
        ],
        "hovertemplate": HOVER,
    }
    ends = {"range": _range(lines), "tickvals": [0, 1], "ticktext": list(_TICKS)}
    axes = {
        "xaxis": {**ends, "gridcolor": palette.line, "fixedrange": True},
        "yaxis": {"automargin": True, "fixedrange": True},
    }
    margin = {"l": 8, "r": 60, "t": 10, "b": 40}
    return {
        "data": [bars],
        "layout": layout(palette, 70 + 30 * len(lines), **axes, bargap=0.4, margin=margin),
    }


def _measured(lines: Sequence[Line], size: int) -> list[tuple[Line, ValueBar]]:
    """The indices that have a bar, from below to above."""
    both = [(line, bar_of(line, size)) for line in lines]
    return [(line, bar) for line, bar in both if bar is not None][::-1]


def _range(lines: list[tuple[Line, ValueBar]]) -> list[float]:
    return [-ROOM_BELOW - 0.05 if has_negative(bar for _, bar in lines) else 0.0, 1.0]


def _text(line: Line, bar: ValueBar) -> str:
    """The value; an arrow where the bar is cut off."""
    return f"{'◂ ' if bar.is_clipped else ''}{format_value(line.value)}"


# -- for papers -------------------------------------------------------------------------------------


@dataclass
class IndicesDisplay(Display):
    """The headline indices, each as a bar from chance, or from its lowest value, to its value."""

    lines: Any
    size: int

    def _size(self) -> tuple[float, float]:
        return 6.4, 0.32 * len(_measured(self.lines, self.size)) + 0.6

    def _draw(self, ax: Any) -> None:
        shown = _measured(self.lines, self.size)
        colours = [LIGHT.differ if line.index.direction == "distance" else LIGHT.agree for line, _ in shown]
        bars = ax.barh(
            [line.index.name for line, _ in shown], [each.length for _, each in shown], color=colours
        )
        ax.bar_label(bars, [_text(*each) for each in shown], padding=4, fontsize=8)
        low, high = _range(shown)
        ax.set(xlim=(low - 0.15 * (low < 0), high + 0.15), xticks=[0, 1], xticklabels=_TICKS)
        ax.spines[["top", "right", "left"]].set_visible(False)


# -- the chart --------------------------------------------------------------------------------------


def _plotly(story: Story, look: Look) -> dict[str, Any]:
    return indices(story.summary, look.palette)


HEADLINE = Chart[Story](
    name="indices",
    title=always("The indices most used"),
    alt=always("ValueBar chart of the indices most used"),
    lead=always(
        "A bar starts at what chance gives on average where the index is adjusted for it, else at the lowest "
        "value, and ends at the highest; values below chance go left."
    ),
    plotly=_plotly,
    matplotlib=lambda story, _: IndicesDisplay(story.summary.headline, story.size),
    # On a page every index has its bar anyway.
)
