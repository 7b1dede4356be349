"""The headline indices as bars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from concordant.report.figures.canvas import HOVER, layout
from concordant.report.figures.chart import Chart, Look, always
from concordant.report.figures.display import Display
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.story import Story
from concordant.report.summary import Line, Summary, format_value, share_of_range


def indices(summary: Summary, palette: Palette = LIGHT) -> dict[str, Any]:
    """The headline indices, each as far along its own range as its value lies."""
    measured = [(line, share_of_range(line, summary.size)) for line in summary.headline]
    lines = [(line, share) for line, share in measured if share is not None][::-1]
    colours = {"distance": palette.differ}
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [share for _, share in lines],
        "y": [line.index.name for line, _ in lines],
        "text": [format_value(line.value) for line, _ in lines],
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
    ends = {"range": [0, 1], "tickvals": [0, 1], "ticktext": ["lowest", "highest"]}
    axes = {
        "xaxis": {**ends, "gridcolor": palette.line, "fixedrange": True},
        "yaxis": {"automargin": True, "fixedrange": True},
    }
    margin = {"l": 8, "r": 60, "t": 10, "b": 40}
    return {
        "data": [bars],
        "layout": layout(palette, 70 + 30 * len(lines), **axes, bargap=0.4, margin=margin),
    }


# -- for papers -------------------------------------------------------------------------------------


@dataclass
class IndicesDisplay(Display):
    """The headline indices, each as far along its own range as its value lies."""

    lines: Any
    size: int

    def _size(self) -> tuple[float, float]:
        return 6.4, 0.32 * len(self._shown()) + 0.6

    def _shown(self) -> list[tuple[Line, float]]:
        both = [(line, share_of_range(line, self.size)) for line in self.lines]
        return [(line, share) for line, share in both if share is not None]

    def _draw(self, ax: Any) -> None:
        shown = self._shown()[::-1]
        colours = [LIGHT.differ if line.index.direction == "distance" else LIGHT.agree for line, _ in shown]
        bars = ax.barh([line.index.name for line, _ in shown], [share for _, share in shown], color=colours)
        ax.bar_label(bars, [format_value(line.value) for line, _ in shown], padding=4, fontsize=8)
        ax.set(xlim=(0, 1.15), xticks=[0, 1], xticklabels=["lowest", "highest"])
        ax.spines[["top", "right", "left"]].set_visible(False)


# -- the chart --------------------------------------------------------------------------------------


def _plotly(story: Story, look: Look) -> dict[str, Any]:
    return indices(story.summary, look.palette)


HEADLINE = Chart[Story](
    name="indices",
    title=always("The indices most used"),
    alt=always("Bar chart of the indices most used"),
    lead=always("Each bar is as long as the value lies along the range of the index."),
    plotly=_plotly,
    matplotlib=lambda story, _: IndicesDisplay(story.summary.headline, story.size),
    on_page=False,  # every index has its bar there anyway
)
