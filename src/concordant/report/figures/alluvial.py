"""The alluvial picture: a column for each partition, a bar for each cluster, bands of elements between."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.counts.spelling import counted, percent
from concordant.report.alluvial import Alluvial, Bar
from concordant.report.figures import svg
from concordant.report.figures.bands import band_path, fill_band, tops
from concordant.report.figures.canvas import HOVER, layout, plotly
from concordant.report.figures.chart import Chart, always
from concordant.report.figures.display import GATHERED, Display, plain_text
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.labels import in_chart, width_in_chart
from concordant.report.summary import two_decimals

_HEIGHT = 380  # pixels of bars
_PAD = 16
_BAR = 12
_ANCHOR = {"xref": "paper", "yref": "paper", "showarrow": False}


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


# -- how they look ------------------------------------------------------------------------------------


def _scale(picture: Alluvial, height: float) -> float:
    """How tall one element is: all are drawn on one scale, and the fullest column fills the height."""
    return min(
        (height - _PAD * (len(column) - 1)) / max(sum(bar.size for bar in column), 1)
        for column in picture.columns
    )


def _positions(picture: Alluvial, height: float) -> tuple[list[float], list[float]]:
    """The middles of the bars as shares of width and height."""
    scale = _scale(picture, height)
    x, y = [], []
    for place, column in enumerate(picture.columns):
        heights = np.array([bar.size * scale for bar in column])
        for middle in (tops(heights, _PAD, height) + heights / 2).tolist():
            x.append(min(max(place / (len(picture.columns) - 1), 0.001), 0.999))
            y.append(min(max(middle / height, 0.001), 0.999))
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
    return palette.faded(_band_hue(source, target, palette), _opacity(source, target))


def _band_hue(source: Bar, target: Bar, palette: Palette) -> str:
    return palette.line if "absent" in (source.kind, target.kind) else _hue(source, palette)


def _opacity(source: Bar, target: Bar) -> float:
    if "absent" in (source.kind, target.kind):
        return 0.5
    return 0.25 if source.kind == "other" else 0.42


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


# -- for papers ---------------------------------------------------------------------------------------


@dataclass
class AlluvialDisplay(Display):
    """Partitions as columns, clusters as bars, bands of elements between."""

    picture: Alluvial

    def _size(self) -> tuple[float, float]:
        most = max(map(len, self.picture.columns))
        return min(7.0, 1.6 * len(self.picture.names) + 1), max(3.0, 0.24 * most + 1.2)

    def _draw(self, ax: Any) -> None:
        picture, wide = self.picture, 0.03
        pad = 0.03 * max(sum(bar.size for bar in column) for column in picture.columns)
        starts = [tops([bar.size for bar in column], pad) for column in picture.columns]
        for place, (column, begin) in enumerate(zip(picture.columns, starts, strict=True)):
            for bar, top in zip(column, begin.tolist(), strict=True):
                look = GATHERED if bar.kind == "other" else {"color": _hue(bar, LIGHT)}
                ax.bar(place, bar.size, wide, top, **look)
                at = (place + wide, top + bar.size / 2)
                ax.text(*at, _plain_name(bar, 14), ha="left", va="center", fontsize=7)
        for place, flow in enumerate(picture.flows):
            left, right = starts[place].copy(), starts[place + 1].copy()
            for i, j in np.argwhere(flow > 0).tolist():
                ends = picture.columns[place][i], picture.columns[place + 1][j]
                tall, colour = float(flow[i, j]), _band_hue(*ends, LIGHT)
                x = (place + wide / 2, place + 1 - wide / 2)
                fill_band(ax, x, (float(left[i]), float(right[j])), tall, color=colour, alpha=_opacity(*ends))
                left[i] += tall
                right[j] += tall
        ax.set_xticks(range(len(picture.names)), map(plain_text, picture.names), fontsize=8)
        ax.xaxis.set_ticks_position("top")
        ax.tick_params(length=0)
        ax.set_yticks([])
        ax.invert_yaxis()
        ax.margins(0.02)
        ax.spines[:].set_visible(False)


# -- for pages ----------------------------------------------------------------------------------------


def drawn(picture: Alluvial, *, narrow: bool) -> svg.Drawing:
    """The same as SVG; the adjusted Rand index of each step stands above its bands."""
    most, room = max(map(len, picture.columns)), svg.NARROW if narrow else svg.WIDE
    height = _HEIGHT + _PAD * (most - 1)
    length = min(max((40 if narrow else 130) // len(picture.names), 4), 18)
    right = max((len(_plain_name(bar, length)) for bar in picture.columns[-1]), default=0) * svg.CHARACTER
    step = (room - right - _BAR - 10) / (len(picture.names) - 1)
    above, scale = 56.0, _scale(picture, height)
    starts = [above + tops([bar.size * scale for bar in column], _PAD, height) for column in picture.columns]
    body = svg.joined(_svg_bands(picture, starts, (step, scale), has_titles=not narrow))
    for place, (column, begin) in enumerate(zip(picture.columns, starts, strict=True)):
        x = 2 + place * step
        is_named = not narrow or place in (0, len(picture.names) - 1) or len(picture.names) <= 3
        body += svg.joined(
            _svg_bar(bar, picture.names[place], (x, top, bar.size * scale), length if is_named else 0)
            for bar, top in zip(column, begin.tolist(), strict=True)
        )
        title = svg.plain(picture.names[place], max(int(step / svg.CHARACTER) - 1, 3))
        # The last one ends at the edge, where there is no room behind its bar.
        is_last = place == len(picture.names) - 1
        where = {"x": room - 2, "text_anchor": "end"} if is_last else {"x": x}
        body += svg.element("text", "", title, class_="side", **where, y=16)
        if place < len(picture.alike) and step > 60:
            said = f"ARI {two_decimals(picture.alike[place])}"
            at = {"x": x + step / 2, "y": 38, "text_anchor": "middle"}
            body += svg.element("text", "", said, class_="tick", **at)
    return svg.Drawing(room, above + height + 8, body)


def _svg_bands(
    picture: Alluvial, starts: list[Any], unit: tuple[float, float], *, has_titles: bool
) -> Iterator[str]:
    step, scale = unit
    for place, flow in enumerate(picture.flows):
        left, right = starts[place].copy(), starts[place + 1].copy()
        x = (2 + place * step + _BAR, 2 + (place + 1) * step)
        for i, j in np.argwhere(flow > 0).tolist():
            source, target = picture.columns[place][i], picture.columns[place + 1][j]
            tall, count = float(flow[i, j]) * scale, int(flow[i, j])
            path = band_path(x, (float(left[i]), float(right[j])), tall)
            said = _plain_link(source, target, count) if has_titles else ""
            opacity = _opacity(source, target)
            look = {
                "class_": f"band {_band_kind(source, target)}",
                "fill_opacity": opacity,
                **_threads(source, target),
            }
            yield svg.element("path", said, **look, d=path)
            left[i] += tall
            right[j] += tall


def _svg_bar(bar: Bar, partition: str, box: tuple[float, float, float], length: int) -> str:
    x, top, tall = box
    said = f"{svg.plain(partition, 40)}: {_plain_name(bar, 60)}\n{counted(bar.size, 'element')}"
    fill = (
        {"fill": svg.HATCH, "class_": "node other"}
        if bar.kind == "other"
        else {"class_": f"node {_kind(bar)}"}
    )
    place = {"x": x, "y": top, "width": _BAR, "height": max(tall, 0.5)}
    shown = svg.element("rect", said, **place, **fill, **_threads(bar, bar))
    if not length:
        return shown
    kind = {} if bar.kind == "cluster" else {"class_": "tick"}
    at = {"x": x + _BAR + 4, "y": top + tall / 2 + 4.5}
    return shown + svg.element("text", "", _plain_name(bar, length), **kind, **at)


def _band_kind(source: Bar, target: Bar) -> str:
    return "absent" if "absent" in (source.kind, target.kind) else _kind(source)


def _kind(bar: Bar) -> str:
    return f"hue-{bar.colour}" if bar.kind == "cluster" else bar.kind


def _threads(source: Bar, target: Bar) -> dict[str, int]:
    """What is lit together: a cluster, and what it mostly becomes, through all steps."""
    is_one = source.kind == "cluster" and source.thread == target.thread
    return {"data_thread": source.thread} if is_one and source.thread is not None else {}


def _plain_name(bar: Bar, length: int) -> str:
    if bar.kind == "cluster":
        return svg.plain(bar.label, length)
    return f"{bar.gathered:,} others" if bar.kind == "other" else "not there"


def _plain_link(source: Bar, target: Bar, count: int) -> str:
    names = [_plain_name(bar, 60) for bar in (source, target)]
    shares = [
        f"{percent(count, bar.size, decimals=1)} of {name}"
        for bar, name in zip((source, target), names, strict=True)
        if bar.kind == "cluster"
    ]
    return "\n".join([counted(count, "element"), " → ".join(names), *shares])


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
        "if that one shares most with it, too. Hover over a cluster to follow it. ARI is the adjusted Rand "
        "index of a step, over the elements that both partitions hold."
    ),
    plotly=lambda picture, look: alluvial(picture, look.palette, narrow=look.narrow),
    matplotlib=lambda picture, _: AlluvialDisplay(picture),
    svg=lambda picture, look: drawn(picture, narrow=look.narrow),
    note=_note,
)
