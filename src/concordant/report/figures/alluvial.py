"""The alluvial picture: clusters as bars in columns, one column a partition, and bands of elements between.

Of each partition the largest clusters are drawn, and the others are gathered as one. Elements that a
partition does not hold stand in a bar of their own, so that every bar is as high as what it holds.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.spelling import counted, percent
from concordant.differences.events import Stage, Step
from concordant.report.figures.canvas import HOVER, layout, plotly
from concordant.report.figures.chart import Chart, always
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.labels import in_chart, width_in_chart

_HEIGHT = 380  # pixels of bars
_PAD = 16
_BAR = 12
_SWEEPS = 4
_ANCHOR = {"xref": "paper", "yref": "paper", "showarrow": False}


@dataclass(slots=True)
class Bar:
    """A cluster, the gathered others, or the elements that this partition does not hold."""

    kind: Literal["cluster", "other", "absent"]
    label: Any
    size: int
    gathered: int = 0  # how many clusters
    colour: int | None = None  # its place among the hues, the same for a cluster and what it mostly becomes


@dataclass(frozen=True, slots=True, eq=False)
class Alluvial:
    """The bars of each partition from top to bottom, and the elements that flow between them."""

    names: tuple[str, ...]
    columns: tuple[tuple[Bar, ...], ...]
    flows: tuple[Integers, ...]  # one table a step: elements from each bar to each bar of the next

    @property
    def gathered(self) -> int:
        """How many clusters are not drawn by themselves."""
        return sum(bar.gathered for column in self.columns for bar in column)


def arranged(stages: Sequence[Stage], steps: Sequence[Step], limit: int) -> Alluvial:
    """At most ``limit`` clusters of each partition, ordered so that bands cross little."""
    chosen = [_largest(stage.sizes, limit) for stage in stages]
    columns = [_bars(stage, each) for stage, each in zip(stages, chosen, strict=True)]
    places = [_Places(stage.sizes, each) for stage, each in zip(stages, chosen, strict=True)]
    flows = [_crossed(step, *both) for step, both in zip(steps, pairwise(places), strict=True)]
    _count_the_absent(columns, flows)
    _colour(columns, flows)
    orders = _orders(columns, flows)
    return Alluvial(
        tuple(stage.name for stage in stages),
        tuple(tuple(bars[i] for i in order) for bars, order in zip(columns, orders, strict=True)),
        tuple(flow[np.ix_(here, there)] for flow, (here, there) in zip(flows, pairwise(orders), strict=True)),
    )


def alluvial(picture: Alluvial, palette: Palette = LIGHT, *, narrow: bool = False) -> Any:
    """The picture as a Plotly figure."""
    go = plotly()
    most = max(map(len, picture.columns))
    height = _HEIGHT + _PAD * (most - 1)
    ends = np.cumsum([0, *map(len, picture.columns)]).tolist()
    bars = [bar for column in picture.columns for bar in column]
    x, y = _positions(picture, height)
    links = list(_links(picture, ends))
    figure = go.Figure(
        go.Sankey(
            arrangement="fixed",
            node={
                "x": x,
                "y": y,
                "pad": _PAD,
                "thickness": _BAR,
                "label": [""] * len(bars),
                "line": {"width": 0},
                "color": [_hue(bar, palette) for bar in bars],
                "customdata": [
                    _bar_text(bar, name)
                    for column, name in zip(picture.columns, picture.names, strict=True)
                    for bar in column
                ],
                "hovertemplate": HOVER,
            },
            link={
                "source": [source for source, _, _ in links],
                "target": [target for _, target, _ in links],
                "value": [float(count) for _, _, count in links],
                "color": [_band(bars[source], bars[target], palette) for source, target, _ in links],
                "customdata": [_link_text(bars[s], bars[t], count) for s, t, count in links],
                "hovertemplate": HOVER,
            },
        ),
        layout(palette, height + 50),
    )
    _annotate(figure, picture, (x, y), palette, narrow=narrow)
    return figure


# -- which bars, and how they flow --------------------------------------------------------------------


def _largest(sizes: Integers, limit: int) -> list[int]:
    order = np.argsort(-sizes, kind="stable")[: limit + 1].tolist()
    there = [place for place in order if sizes[place] > 0]
    if len(there) <= limit:
        return there
    return (
        there[:limit] if np.count_nonzero(sizes) > limit + 1 else there
    )  # a single one need not be gathered


def _bars(stage: Stage, chosen: list[int]) -> list[Bar]:
    """The chosen clusters, the others, and the absent, which are counted later."""
    bars = [Bar("cluster", stage.label(place), int(stage.sizes[place])) for place in chosen]
    gathered = int(np.count_nonzero(stage.sizes)) - len(chosen)
    rest = int(stage.sizes.sum()) - sum(bar.size for bar in bars)
    return [*bars, Bar("other", None, rest, gathered), Bar("absent", None, 0)]


class _Places:
    """Which bar each cluster is drawn in."""

    def __init__(self, sizes: Integers, chosen: list[int]) -> None:
        self.bar = np.full(len(sizes), len(chosen))
        self.bar[chosen] = np.arange(len(chosen))
        self.held = sums_by(self.bar, sizes, len(chosen) + 1)


def _crossed(step: Step, here: _Places, there: _Places) -> Integers:
    """Elements from bar to bar; the last row and column are those that one side does not hold."""
    height, width = len(here.held), len(there.held)
    flat = here.bar[step.source] * width + there.bar[step.target]
    inner = sums_by(flat, step.shared, height * width).reshape(height, width)
    flow = np.zeros((height + 1, width + 1), dtype=np.int64)
    flow[:-1, :-1] = inner
    flow[:-1, -1] = here.held - inner.sum(axis=1)
    flow[-1, :-1] = there.held - inner.sum(axis=0)
    return flow


def _count_the_absent(columns: list[list[Bar]], flows: list[Integers]) -> None:
    for place, column in enumerate(columns):
        gone = int(flows[place - 1][:, -1].sum()) if place else 0
        new = int(flows[place][-1].sum()) if place < len(flows) else 0
        column[-1].size = max(gone, new)


def _colour(columns: list[list[Bar]], flows: list[Integers]) -> None:
    """A cluster keeps the colour of the one it shares most with, if that one shares most with it, too.

    Others get one that is rare in their column, and in the one before.
    """
    before: Counter[int | None] = Counter()
    for place, column in enumerate(columns):
        clusters = [bar for bar in column if bar.kind == "cluster"]
        for i, bar in enumerate(clusters):
            bar.colour = _heir_of(columns[place - 1], flows[place - 1], i) if place else None
        here = Counter(bar.colour for bar in clusters)
        for bar in clusters:
            if bar.colour is None:
                bar.colour = min(range(len(LIGHT.hues)), key=lambda hue: (here[hue], before[hue]))
                here[bar.colour] += 1
        before = here


def _heir_of(before: list[Bar], flow: Integers, i: int) -> int | None:
    clusters = len(before) - 2
    if not clusters:
        return None
    source = int(flow[:clusters, i].argmax())
    return before[source].colour if flow[source, i] and flow[source, :-2].argmax() == i else None


def _orders(columns: list[list[Bar]], flows: list[Integers]) -> list[list[int]]:
    """Clusters near what they come from and go to, then the others, then the absent, empty ones left out."""
    height = [np.argsort(np.arange(len(column)), kind="stable").astype(float) for column in columns]
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for place in range(1, len(columns)) if forward else range(len(columns) - 2, -1, -1):
            flow = flows[place - 1].T if forward else flows[place]
            near = height[place - 1 if forward else place + 1]
            weight = flow[:, :-2].sum(axis=1)
            centre = (flow[:, :-2] * near[:-2]).sum(axis=1) / np.maximum(weight, 1)
            centre = np.where(weight > 0, centre, height[place])
            centre[-2:] = np.inf  # the others and the absent stay at the bottom
            height[place][np.argsort(centre, kind="stable")] = np.arange(len(centre))
    return [
        [i for i in np.argsort(h, kind="stable").tolist() if column[i].size]
        for h, column in zip(height, columns, strict=True)
    ]


# -- how they look ------------------------------------------------------------------------------------


def _positions(picture: Alluvial, height: float) -> tuple[list[float], list[float]]:
    """The middles of the bars as shares of width and height; all elements are drawn on one scale."""
    scale = min(
        (height - _PAD * (len(column) - 1)) / max(sum(bar.size for bar in column), 1)
        for column in picture.columns
    )
    x, y = [], []
    for place, column in enumerate(picture.columns):
        heights = [bar.size * scale for bar in column]
        top = (height - sum(heights) - _PAD * (len(column) - 1)) / 2
        for tall in heights:
            x.append(min(max(place / (len(picture.columns) - 1), 0.001), 0.999))
            y.append(min(max((top + tall / 2) / height, 0.001), 0.999))
            top += tall + _PAD
    return x, y


def _links(picture: Alluvial, ends: list[int]) -> Iterable[tuple[int, int, int]]:
    for place, flow in enumerate(picture.flows):
        for i, j in zip(*(at.tolist() for at in np.nonzero(flow)), strict=True):
            yield ends[place] + i, ends[place + 1] + j, int(flow[i, j])


def _hue(bar: Bar, palette: Palette) -> str:
    if bar.kind == "cluster":
        return palette.hues[bar.colour or 0]
    return palette.muted if bar.kind == "other" else palette.line


def _band(source: Bar, target: Bar, palette: Palette) -> str:
    """A band has the colour of where it comes from."""
    if "absent" in (source.kind, target.kind):
        return palette.faded(palette.line, 0.5)
    return palette.faded(_hue(source, palette), 0.25 if source.kind == "other" else 0.42)


def _annotate(
    figure: Any, picture: Alluvial, at: tuple[list[float], list[float]], palette: Palette, *, narrow: bool
) -> None:
    """Names of the partitions above, and of the clusters to the right of their bars where there is room."""
    ends, room = len(picture.names) - 1, (36 if narrow else 130) // len(picture.names)
    length = min(max(room, 4), 18)
    columns = [place for place, column in enumerate(picture.columns) for _ in column]
    bars = [bar for column in picture.columns for bar in column]
    for bar, column, x, y in zip(bars, columns, *at, strict=True):
        if not narrow or column in (0, ends) or ends <= 2:
            colour = palette.ink if bar.kind == "cluster" else palette.muted
            shown = {"text": _name(bar, length), "x": x, "y": 1 - y, "font": {"size": 12, "color": colour}}
            figure.add_annotation(**shown, **_ANCHOR, xanchor="left", yanchor="middle", xshift=_BAR + 2)
    for place, name in enumerate(picture.names):
        figure.add_annotation(
            text=f"<b>{in_chart(name, 12 if narrow else length + 2)}</b>",
            x=place / ends,
            y=1,
            **_ANCHOR,
            xanchor="left" if narrow or place == 0 else "center",
            yanchor="bottom",
            yshift=10,
            textangle=-40 if narrow and ends > 2 else 0,
        )
    widest = max((_width(bar, length) for bar in picture.columns[-1]), default=0)
    figure.update_layout(margin={"l": 6, "r": max(widest * 7 + _BAR, 50), "t": 64 if narrow else 40, "b": 10})


def _width(bar: Bar, length: int) -> int:
    return width_in_chart(bar.label, length) if bar.kind == "cluster" else len(_name(bar, length))


def _name(bar: Bar, length: int) -> str:
    if bar.kind == "cluster":
        return in_chart(bar.label, length)
    return f"{bar.gathered:,} others" if bar.kind == "other" else "not there"


def _bar_text(bar: Bar, partition: str) -> str:
    return f"<b>{_name(bar, 60)}</b><br>{in_chart(partition, 60)}: {counted(bar.size, 'element')}"


def _link_text(source: Bar, target: Bar, count: int) -> str:
    parts = [
        f"{html.escape(percent(count, bar.size, decimals=1))} of {_name(bar, 60)}"
        for bar in (source, target)
        if bar.kind == "cluster"
    ]
    ends = f"{_name(source, 60)} → {_name(target, 60)}"
    return "<br>".join([f"<b>{counted(count, 'element')}</b>", ends, *parts])


# -- the chart ----------------------------------------------------------------------------------------


def _note(picture: Alluvial) -> str:
    if not picture.gathered:
        return ""
    return (
        f'<p class="note">The largest clusters of each partition are shown; {picture.gathered:,} smaller '
        "ones are gathered.</p>"
    )


ALLUVIAL = Chart[Alluvial](
    name="alluvial",
    title=always("What became of the clusters"),
    alt=lambda picture: f"Alluvial diagram of {len(picture.names)} partitions",
    lead=always(
        "Each column is a partition, each bar a cluster, each band elements on their way. A band has the "
        "colour of the cluster it comes from. A cluster passes its colour on to the one it shares most with, "
        "if that one shares most with it, too."
    ),
    plotly=lambda picture, look: alluvial(picture, look.palette, narrow=look.narrow),
    note=_note,
)
