"""The alluvial diagram: a column for each partition, a bar for each cluster, bands of elements between.

Of each partition the largest clusters are drawn, and the others are gathered as one. Elements that a
partition does not hold have a bar of their own, so every bar is as high as what it holds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any, Literal

import numpy as np

from concordant.differences.events import Stage, Step
from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import counted, percent
from concordant.maths.arithmetic import Integers, sums_by
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, GATHERED, Chart, always, fill_band, plain_text, room_for
from concordant.report.palette import LIGHT
from concordant.report.values import two_decimals

_SWEEPS = 4
_HEIGHT = 380  # pixels of bars
_BAR = 12
_TALL, _GAP = 2.2, 0.15  # inches of Matplotlib: the fullest column of bars, and between bars
_HATCHES = ("", "++++", "\\\\\\\\", "....", "||||", "----", "xxxx", "oo")  # of the hues, for print in grey
_SHORTEST = "wk…1"  # the shortest title worth showing


@dataclass(slots=True)
class Bar:
    """A cluster, the gathered others, or the elements that this partition does not hold."""

    kind: Literal["cluster", "other", "absent"]
    label: Any
    size: int
    gathered: int = 0  # how many clusters
    colour: int | None = None  # its place among the hues, the same for a cluster and what it mostly becomes
    thread: int | None = None  # the same number for a cluster and what it mostly becomes, and for no other

    @property
    def name(self) -> str:
        if self.kind == "cluster":
            return svg.plain(self.label, 60)
        return f"{self.gathered:,} others" if self.kind == "other" else "not there"

    def label_within(self, room: float, *, narrow: bool) -> str:
        """The name, as much of it as fits."""
        return svg.fitted(self.label, room, narrow=narrow) if self.kind == "cluster" else self.name


@dataclass(frozen=True, slots=True, eq=False)
class Alluvial:
    """The bars of each partition from top to bottom, and the elements that flow between them."""

    names: tuple[str, ...]
    columns: tuple[tuple[Bar, ...], ...]
    flows: tuple[Integers, ...]  # one table a step: elements from each bar to each bar of the next
    rand: tuple[float, ...] = ()  # the adjusted Rand index of each step, over the elements of both

    @property
    def gathered(self) -> int:
        """How many clusters are not drawn by themselves."""
        return sum(bar.gathered for column in self.columns for bar in column)


def arrange(stages: Sequence[Stage], steps: Sequence[Step], limit: int, rand: Sequence[float]) -> Alluvial:
    """At most ``limit`` clusters of each partition, ordered so few bands cross."""
    columns: list[list[Bar]] = []
    bar_of: list[Integers] = []  # of each partition, the bar of each cluster
    for stage in stages:
        number = int(np.count_nonzero(stage.sizes))
        drawn = number if number <= limit + 1 else limit  # gathering a single cluster saves no space
        chosen = np.argsort(-stage.sizes, kind="stable")[:drawn].tolist()
        bars = [Bar("cluster", stage.cluster(place), int(stage.sizes[place])) for place in chosen]
        rest = int(stage.sizes.sum()) - sum(bar.size for bar in bars)
        columns.append([*bars, Bar("other", None, rest, number - len(chosen)), Bar("absent", None, 0)])
        own = np.full(len(stage.sizes), len(chosen))
        own[chosen] = np.arange(len(chosen))
        bar_of.append(own)
    flows = []
    for place, step in enumerate(steps):
        held = [
            sums_by(bar_of[side], stages[side].sizes, len(columns[side]) - 1) for side in (place, place + 1)
        ]
        height, width = len(held[0]), len(held[1])
        flat = bar_of[place][step.source] * width + bar_of[place + 1][step.target]
        # The last row and the last column are the elements that one of the two does not hold.
        flow = np.zeros((height + 1, width + 1), dtype=np.int64)
        flow[:-1, :-1] = inner = sums_by(flat, step.overlap, height * width).reshape(height, width)
        flow[:-1, -1] = held[0] - inner.sum(axis=1)
        flow[-1, :-1] = held[1] - inner.sum(axis=0)
        flows.append(flow)
    for place, column in enumerate(columns):
        gone = int(flows[place - 1][:, -1].sum()) if place else 0
        new = int(flows[place][-1].sum()) if place < len(flows) else 0
        column[-1].size = max(gone, new)
    _colour(columns, flows)
    orders = _orders(columns, flows)
    return Alluvial(
        tuple(stage.clustering for stage in stages),
        tuple(tuple(bars[i] for i in order) for bars, order in zip(columns, orders, strict=True)),
        tuple(flow[np.ix_(here, there)] for flow, (here, there) in zip(flows, pairwise(orders), strict=True)),
        tuple(rand),
    )


def _colour(columns: list[list[Bar]], flows: list[Integers]) -> None:
    """A cluster keeps the colour of the one it shares most with, if that one shares most with it, too.

    Others get a colour that is rare in their column and in the one before.
    """
    before: Counter[int | None] = Counter()
    threads = count()
    for place, column in enumerate(columns):
        clusters = column[:-2]
        for i, bar in enumerate(clusters):
            if place and len(columns[place - 1]) > 2:
                flow = flows[place - 1]
                source = int(flow[:-2, i].argmax())
                if flow[source, i] and flow[source, :-2].argmax() == i:
                    parent = columns[place - 1][source]
                    bar.colour, bar.thread = parent.colour, parent.thread
        here = Counter(bar.colour for bar in clusters)
        for bar in clusters:
            if bar.colour is None:
                bar.colour = min(range(len(LIGHT.hues)), key=lambda hue: (here[hue], before[hue]))
                bar.thread = next(threads)
                here[bar.colour] += 1
        before = here


def _orders(columns: list[list[Bar]], flows: list[Integers]) -> list[list[int]]:
    """Clusters near their neighbours in flow, then the others, then the absent; empty bars are omitted."""
    height = [np.arange(len(column), dtype=float) for column in columns]
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


def _colour_class(bar: Bar) -> str:
    return f"hue-{bar.colour}" if bar.kind == "cluster" else bar.kind


def _band_look(source: Bar, target: Bar) -> tuple[Bar, float]:
    """The bar whose colour a band has, and its opacity."""
    for bar in (source, target):
        if bar.kind == "absent":
            return bar, 0.5
    return source, 0.25 if source.kind == "other" else 0.42


def _draw(ax: Any, picture: Alluvial, _: SideName | None) -> None:
    colours = {"other": LIGHT.muted, "absent": LIGHT.line}
    colours |= {f"hue-{place}": colour for place, colour in enumerate(LIGHT.hues)}
    wide = 0.03
    pad = _GAP / _TALL * max(sum(bar.size for bar in column) for column in picture.columns)
    columns = room_for(ax, 0.85 / len(picture.names), 14)
    starts = [svg.tops([bar.size for bar in column], pad) for column in picture.columns]
    for place, (column, begin) in enumerate(zip(picture.columns, starts, strict=True)):
        for bar, top in zip(column, begin.tolist(), strict=True):
            look = {"facecolor": colours[_colour_class(bar)], **_hatching(bar, "white")}
            ax.bar(place, bar.size, wide, top, **(GATHERED if bar.kind == "other" else look))
            name = plain_text(bar.label if bar.kind == "cluster" else bar.name, columns)
            ax.text(place + wide, top + bar.size / 2, name, ha="left", va="center", fontsize=FONT)
    for place, flow in enumerate(picture.flows):
        left, right = starts[place].copy(), starts[place + 1].copy()
        x = (place + wide / 2, place + 1 - wide / 2)
        for i, j in np.argwhere(flow > 0).tolist():
            owner, opacity = _band_look(picture.columns[place][i], picture.columns[place + 1][j])
            look = {"facecolor": colours[_colour_class(owner)], "alpha": opacity}
            look |= _hatching(owner, LIGHT.ink)
            fill_band(ax, x, (float(left[i]), float(right[j])), float(flow[i, j]), **look)
            left[i] += flow[i, j]
            right[j] += flow[i, j]
    names = [plain_text(name, columns) for name in picture.names]
    ax.set_xticks(range(len(names)), names, fontsize=FONT, weight="bold")
    ax.xaxis.set_ticks_position("top")
    ax.tick_params(length=0)
    ax.set_yticks([])
    ax.invert_yaxis()
    ax.margins(0.02)
    ax.spines[:].set_visible(False)


def _hatching(bar: Bar, colour: str) -> dict[str, Any]:
    """The hatch that a cluster and its bands have, in this colour."""
    return {} if bar.colour is None else {"hatch": _HATCHES[bar.colour], "edgecolor": colour, "linewidth": 0}


def _svg(picture: Alluvial, *, narrow: bool) -> svg.Drawing:
    """The adjusted Rand index of each step is above its bands."""
    partitions, room = len(picture.names), svg.NARROW if narrow else svg.WIDE
    pad = svg.TEXT[narrow] + 3  # no label is taller
    height = _HEIGHT + pad * (max(map(len, picture.columns)) - 1)
    own = room / partitions - _BAR - 8  # space for a label, if all columns are equally wide
    labels = [[bar.label_within(own, narrow=narrow) for bar in column] for column in picture.columns]
    widths = [max(svg.width(label, narrow=narrow) for label in column) for column in labels]
    last = svg.fitted(picture.names[-1], own, narrow=narrow)
    right = max(svg.BOLD * svg.width(last, narrow=narrow) - _BAR, widths[-1])
    step = (room - right - _BAR - 10) / (partitions - 1)
    # With many columns, bars may have no space for labels, and only some columns have a title.
    are_named = step >= max(widths[:-1]) + _BAR + 4
    titled = math.ceil((svg.BOLD * svg.width(_SHORTEST, narrow=narrow) + 4) / step)
    values = [f"ARI {two_decimals(value)}" for value in picture.rand]
    has_values = step > max((svg.width(value, narrow=narrow) for value in values), default=0.0) + 4
    # Without values below them, titles that do not fit side by side take turns on two lines.
    lines = 2 - (has_values or all(_title_fits(name, titled * step, narrow=narrow) for name in picture.names))
    above = 56.0
    # All bars are drawn on one scale, and the fullest column fills the height.
    scale = min(
        (height - pad * (len(column) - 1)) / max(sum(bar.size for bar in column), 1)
        for column in picture.columns
    )
    starts = [
        above + svg.tops([bar.size * scale for bar in column], pad, height) for column in picture.columns
    ]
    body, ends = _svg_bands(picture, starts, (step, scale), has_titles=not narrow), [0.0] * lines
    for place, (column, begin) in enumerate(zip(picture.columns, starts, strict=True)):
        x, name = 2 + place * step, picture.names[place]
        is_last = place == partitions - 1
        for bar, label, top in zip(column, labels[place], begin.tolist(), strict=True):
            tall = bar.size * scale
            title = f"{svg.plain(name, 40)}: {bar.name}\n{counted(bar.size, 'record')}"
            box = {"x": x, "y": top, "width": _BAR, "height": max(tall, 0.5)}
            fill = {"fill": svg.HATCH} if bar.kind == "other" else {}
            look = {**fill, "class_": f"node {_colour_class(bar)}", **_thread(bar, bar)}
            body += svg.element("rect", title, **box, **look)
            if are_named or is_last:
                kind = {} if bar.kind == "cluster" else {"class_": "tick"}
                body += svg.text(label, **kind, x=x + _BAR + 4, y=top + tall / 2 + 4.5)
        if is_last or (place % titled == 0 and partitions - 1 - place >= titled):
            # The last title ends at the edge, and has the space that the one before it leaves.
            line = place // titled % lines
            length = room - ends[line] if is_last else min(lines * titled * step, room - x)
            shown = svg.fitted(name, (length - 4) / svg.BOLD, narrow=narrow)
            start = min(x, room - svg.BOLD * svg.width(shown, narrow=narrow)) if is_last else x
            ends[line] = start + svg.BOLD * svg.width(shown, narrow=narrow)
            body += svg.text(shown, class_="side", x=start, y=16 + 22 * line)
        if has_values and place < len(values):
            body += svg.text(values[place], class_="tick", x=x + step / 2, y=38, text_anchor="middle")
    return svg.Drawing(room, above + height + 8, body)


def _title_fits(name: str, length: float, *, narrow: bool) -> bool:
    return svg.BOLD * svg.width(svg.plain(name, 60), narrow=narrow) + 4 <= length


def _svg_bands(picture: Alluvial, starts: list[Any], unit: tuple[float, float], *, has_titles: bool) -> str:
    step, scale = unit
    body = ""
    for place, flow in enumerate(picture.flows):
        left, right = starts[place].copy(), starts[place + 1].copy()
        x = (2 + place * step + _BAR, 2 + (place + 1) * step)
        for i, j in np.argwhere(flow > 0).tolist():
            ends = picture.columns[place][i], picture.columns[place + 1][j]
            tall, number = float(flow[i, j]) * scale, int(flow[i, j])
            path = svg.band_path(x, (float(left[i]), float(right[j])), tall)
            names = [bar.name for bar in ends]
            shares = [
                f"{percent(number, bar.size, decimals=1)} of {name}"
                for bar, name in zip(ends, names, strict=True)
                if bar.kind == "cluster"
            ]
            title = "\n".join([counted(number, "record"), " → ".join(names), *shares]) if has_titles else ""
            owner, opacity = _band_look(*ends)
            look = {"class_": f"band {_colour_class(owner)}", "fill_opacity": opacity, **_thread(*ends)}
            body += svg.element("path", title, **look, d=path)
            left[i] += tall
            right[j] += tall
    return body


def _thread(source: Bar, target: Bar) -> dict[str, int]:
    """The attribute of elements that light up together: a cluster and its main successors."""
    is_one = source.kind == "cluster" and source.thread == target.thread
    return {"data_thread": source.thread} if is_one and source.thread is not None else {}


ALLUVIAL = Chart[Alluvial](
    name="alluvial",
    title=always("What happened to the clusters (alluvial diagram)"),
    short="Alluvial diagram",
    alt=lambda picture: f"Alluvial diagram of {len(picture.names)} partitions",
    lead=always(
        "Each column is a partition, each bar a cluster, and each band the records that two clusters share. "
        "A band has the colour of the cluster on its left. A cluster passes its colour to the next column if "
        "the two clusters share most with each other. Hover over a cluster to follow it. "
        "ARI is the adjusted Rand index of a step, over the records in both partitions."
    ),
    size=lambda picture: (
        min(7.0, 1.6 * len(picture.names) + 1),
        _TALL + _GAP * (max(map(len, picture.columns)) + 3),
    ),
    draw=_draw,
    svg=lambda picture, narrow: _svg(picture, narrow=narrow),
    note=lambda picture: (
        f'<p class="note">The largest clusters of each partition are shown; {picture.gathered:,} smaller '
        "ones are combined.</p>"
        if picture.gathered
        else ""
    ),
)
