"""Curves over the cuts of a hierarchy: of indices by threshold, height or size, and precision by recall."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import counted
from concordant.hierarchies.tree_arrays import HeightTexts
from concordant.indices.index import Index
from concordant.maths.arithmetic import Floats
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, NAME, Chart, always, plain_text
from concordant.report.charts.sizes import count_ticks, short_count
from concordant.report.palette import LIGHT
from concordant.report.values import format_value

CutAxis = Literal["threshold", "height", "clusters"]

# Line hues that contrast with the background in both themes, and a dash for each, so they differ in grey.
HUES = (0, 5, 2, 6, 3, 7)
MOST_LINES = len(HUES)
_DASHES = ("", "7 3", "2 2.5", "9 3 2 3", "14 4", "5 2")
_COLUMNS = 400  # of the drawing: curves of more cuts are thinned to a few in each
_MARKED = 40  # cuts that share the best value of a line
_DECADES = 100  # from this ratio of cluster numbers on, their axis is logarithmic
_BEYOND = 0.03  # how far all singletons, which have no height, are from the first that has one


@dataclass(frozen=True, eq=False)
class CurveLine:
    """An index at every cut."""

    index: Index
    values: Floats
    best: int | None  # position of its best value; None if no value is the best
    band: tuple[Floats, Floats] | None = None  # pointwise
    expected: Floats | None = None  # by chance

    @cached_property
    def ties(self) -> list[int]:
        """The positions that share the best value."""
        if self.best is None:
            return []
        found: list[int] = np.flatnonzero(self.values == self.values[self.best]).tolist()
        return found

    @property
    def marked(self) -> list[int]:
        """Those at the ends of a plateau."""
        ties = set(self.ties)
        return [i for i in sorted(ties) if not {i - 1, i + 1} <= ties][:_MARKED]


@dataclass(frozen=True, eq=False)
class Curves:
    """Indices at the cuts of a hierarchy, from all singletons to the fewest clusters.

    Attributes
    ----------
    axis : CutAxis
        The quantity on the horizontal axis.
    x : array of float
        Position of each cut; NaN for all singletons, which have neither height nor threshold.
    clusters : array of int
        Number of clusters of each cut.
    lines : sequence of CurveLine
        One line for each index.
    listed : sequence of int
        Positions of the cuts in a table on the page; their marks link to its rows.
    band_words : str
        Meaning of the bands.
    """

    axis: CutAxis
    x: Floats
    clusters: NDArray[np.int64]
    lines: Sequence[CurveLine]
    listed: Sequence[int] = ()
    band_words: str = ""
    heights: HeightTexts | None = None  # of the whole hierarchy

    @property
    def is_logarithmic(self) -> bool:
        """Whether the numbers of clusters span decades."""
        return self.axis == "clusters" and float(self.x.max()) >= _DECADES * max(float(self.x.min()), 1.0)

    @property
    def has_steps(self) -> bool:
        """Whether values hold up to the next cut: there is no number of clusters between two cuts."""
        return self.axis != "clusters"

    @cached_property
    def x_ends(self) -> tuple[float, float] | None:
        """The smallest and the largest finite position."""
        known = self.x[np.isfinite(self.x)]
        return (float(known.min()), float(known.max())) if len(known) else None

    @cached_property
    def y_ends(self) -> tuple[float, float]:
        """Zero to one for most indices, else the range of the values."""
        low, high = 0.0, 1.0
        for line in self.lines:
            for values in (line.values, *(line.band or ())):
                finite = values[np.isfinite(values)]
                low, high = float(finite.min(initial=low)), float(finite.max(initial=high))
        return low, high

    @cached_property
    def drawn_x(self) -> Floats:
        """The position of each cut: all singletons a little beyond the first height or threshold."""
        low, high = self.x_ends or (0.0, 1.0)
        beyond = _BEYOND * ((high - low) or abs(high) or 1.0)
        is_first = np.isnan(self.x)
        first = high + beyond if self.axis == "threshold" else low - beyond
        return np.where(is_first, first, np.clip(self.x, low - beyond, high + beyond))

    @cached_property
    def outlines(self) -> list[NDArray[np.int64]]:
        """For each line enough positions for a drawing of any size: columns are those of a very wide one."""
        low, high = _scale(self, self.drawn_x)
        columns = (_scaled(self, self.drawn_x) - low) / (high - low) * 8 * _COLUMNS
        return [thinned(columns, line.values, line.marked) for line in self.lines]

    def shown(self, place: int, columns: Floats) -> NDArray[np.int64]:
        """The positions that draw a line, given the column of each cut."""
        line, outline = self.lines[place], self.outlines[place]
        kept = np.flatnonzero(np.isin(outline, line.marked)).tolist()
        return outline[thinned(columns[outline], line.values[outline], kept)]

    def where(self, i: int) -> str:
        """A cut in words."""
        return cut_words(self.axis, float(self.x[i]), self.heights)

    def where_best(self, line: CurveLine) -> str:
        """The cuts with the best value of a line in words."""
        first, *others = line.ties
        if not others:
            return self.where(first)
        if others[-1] - first == len(others):
            return f"{self.where(first)} to {self.where(others[-1]).removeprefix(f'{self.axis} ')}"
        return f"{self.where(first)} and {counted(len(others), 'more cut')}"


def cut_words(axis: CutAxis, x: float, heights: HeightTexts | None, digits: int = 6) -> str:
    """A cut in words.

    >>> cut_words("threshold", 0.9, None), cut_words("clusters", 1200.0, None)
    ('threshold 0.9', '1,200 clusters')
    """
    if math.isnan(x):
        return "all singletons"
    if axis == "clusters":
        return counted(int(x), "cluster")
    return f"{axis} {repr(x) if heights is None else heights.text(x, digits)}"


def thinned(places: Floats, values: Floats, kept: Sequence[int] = ()) -> NDArray[np.int64]:
    """Positions that draw the same curve: of each column the first, the last, the smallest and the largest.

    ``places`` are columns of the drawing, in the order of the curve; ``kept`` are kept, too.

    >>> thinned(np.array([0.1, 0.2, 0.3, 0.4, 0.5, 1.2]), np.array([5.0, 1.0, 7.0, 6.0, 6.0, 2.0])).tolist()
    [0, 1, 2, 4, 5]
    """
    known = np.flatnonzero(~np.isnan(values)) if np.isnan(values).any() else None
    if known is not None:
        places, values = places[known], values[known]
        kept = np.flatnonzero(np.isin(known, kept)).tolist()
    if not len(values):
        return np.zeros(0, dtype=np.int64)
    column = np.floor(places)
    first = np.concatenate([[0], np.flatnonzero(column[1:] != column[:-1]) + 1])
    last = np.append(first[1:], len(values)) - 1
    extremes = [_reached(values, first, ends) for ends in (np.minimum, np.maximum)]
    chosen = np.unique(np.concatenate([first, last, *extremes, np.asarray(kept, dtype=np.int64)]))
    return chosen if known is None else known[chosen]


def _reached(values: Floats, first: NDArray[np.int64], extreme: np.ufunc) -> NDArray[np.int64]:
    """The first position of the smallest or largest value from each of these positions to the next."""
    lengths = np.diff(first, append=len(values))
    found = np.flatnonzero(values == np.repeat(extreme.reduceat(values, first), lengths))
    return found[np.searchsorted(found, first)]


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """A few round numbers between two, both included if they are round.

    >>> round_ticks(0, 1), round_ticks(-3.2, 4.4), round_ticks(0.5, 0.5)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [-2.0, 0.0, 2.0, 4.0], [0.5])
    """
    if not low < high:
        return [low]
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(step for part in (1, 2, 5, 10) if (high - low) / (step := part * power) <= most)
    return [
        round(tick * step, 12 - math.floor(math.log10(step)))
        for tick in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


def _legend(curves: Curves, line: CurveLine, *, narrow: bool) -> str:
    name = svg.plain(line.index.name, 18 if narrow else 40)
    if line.best is None:
        return name
    value = format_value(float(line.values[line.best]))
    # Cuts that are apart have no space on a phone or in a column of a journal.
    is_one_run = line.ties[-1] - line.ties[0] < len(line.ties)
    where = curves.where_best(line) if is_one_run or not narrow else curves.where(line.best)
    return f"{name}: {value} at {where}" if narrow else f"{name}: best {value} at {where}"


def _band_label(curves: Curves, *, narrow: bool) -> str:
    words = curves.band_words.partition(":")[0]
    return words.replace("two standard deviations around chance", "chance ± 2 sd") if narrow else words


def _draw(ax: Any, curves: Curves, _: SideName | None) -> None:
    x = curves.drawn_x
    if curves.is_logarithmic:
        ax.set_xscale("log")
        ticks = _x_ticks(curves, narrow=False)
        ax.set_xticks([tick for tick, _ in ticks], [text for _, text in ticks])
        ax.set_xticks([], minor=True)
    low, high = _scale(curves, x)
    columns = (_scaled(curves, x) - low) / (high - low) * 4 * _COLUMNS
    is_explained = False  # the band and the mean have one line in the legend
    for place, line in enumerate(curves.lines):
        colour = _colour(curves, place)
        shown = curves.shown(place, columns)
        if line.band is not None:
            ax.fill_between(
                x[shown],
                *(end[shown] for end in line.band),
                step="post" if curves.has_steps else None,
                color=colour,
                alpha=0.15,
                linewidth=0,
                hatch=_HATCHES[place],
                label=None if is_explained else _band_label(curves, narrow=points_are_few(ax)),
            )
        if line.expected is not None:
            label = None if is_explained else "mean by chance"
            ax.plot(x[shown], line.expected[shown], ":", color=LIGHT.muted, linewidth=1, label=label)
        is_explained |= line.band is not None
        dash: Any = (0, tuple(map(float, _DASHES[place].split()))) if _DASHES[place] else "-"
        ax.plot(
            x[shown],
            line.values[shown],
            linestyle=dash,
            drawstyle="steps-post" if curves.has_steps else "default",
            color=colour,
            linewidth=1.3,
            label=plain_text(_legend(curves, line, narrow=points_are_few(ax)), 60),
        )
        best = line.marked
        ax.plot(
            x[best], line.values[best], _MARKERS[place], color=colour, markersize=5, markeredgecolor="white"
        )
    ax.set_ylim(*_with_margin(curves.y_ends))
    ax.set_xlabel(_axis_title(curves), fontsize=FONT + 1)
    ax.set_ylabel(
        plain_text(curves.lines[0].index.name, 40) if len(curves.lines) == 1 else "value", fontsize=FONT + 1
    )
    ax.tick_params(labelsize=FONT)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=FONT, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2)


_MARKERS = "oDs^vP"
_HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx", "----")  # of bands, which have similar tints in grey


def points_are_few(ax: Any) -> bool:
    """Whether the figure is as narrow as one column of a journal."""
    return bool(ax.figure.get_figwidth() < 4.5)


def _with_margin(ends: tuple[float, float]) -> tuple[float, float]:
    low, high = ends
    return low - 0.02 * (high - low), high + 0.02 * (high - low)


def _axis_title(curves: Curves) -> str:
    return "number of clusters" if curves.axis == "clusters" else curves.axis


def _colour(curves: Curves, place: int) -> str:
    return LIGHT.agree if len(curves.lines) == 1 else LIGHT.hues[HUES[place]]


def _scaled(curves: Curves, x: Floats) -> Floats:
    return np.log10(np.maximum(x, 1.0)) if curves.is_logarithmic else x


def _scale(curves: Curves, x: Floats) -> tuple[float, float]:
    scaled = _scaled(curves, x)
    low, high = float(scaled.min()), float(scaled.max())
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _svg(curves: Curves, *, narrow: bool) -> svg.Drawing:
    width, tall = (svg.NARROW, 200.0) if narrow else (svg.WIDE, 300.0)
    step = svg.TEXT[narrow] + 6
    rows = len(curves.lines) + any(line.band is not None for line in curves.lines)
    y_low, y_high = curves.y_ends
    y_ticks = [(tick, f"{tick:g}") for tick in round_ticks(y_low, y_high, 4 if narrow else 5)]
    left = max(svg.width(text, narrow=narrow) for _, text in y_ticks) + 14
    top, right = step * rows + 14, 8.0
    x, (low, high) = curves.drawn_x, _scale(curves, curves.drawn_x)
    across: Floats = left + (width - left - right) * (_scaled(curves, x) - low) / (high - low)

    def x_of(value: float) -> float:
        scaled = float(_scaled(curves, np.array([value]))[0])
        return left + (width - left - right) * (scaled - low) / (high - low)

    def y_of(value: float) -> float:
        return top + tall * (1 - (value - y_low) / (y_high - y_low))

    body = ""
    for tick, text in y_ticks:
        body += svg.element("path", class_="line", d=f"M{left:.1f} {y_of(tick):.1f}H{width - right:g}")
        body += svg.text(text, class_="tick", x=left - 8, y=y_of(tick) + 4.5, text_anchor="end")
    foot = top + tall
    for tick, text in _x_ticks(curves, narrow=narrow):
        at = x_of(tick)
        half = svg.width(text, narrow=narrow) / 2
        anchor = {"text_anchor": "end"} if at + half > width else {"text_anchor": "middle"}
        body += svg.element("path", class_="line", d=f"M{at:.1f} {foot:.1f}v6")
        body += svg.text(text, class_="tick", x=min(at, width - 1.0), y=foot + svg.TEXT[narrow] + 8, **anchor)
    body += svg.text(_axis_title(curves), class_="tick", x=left, y=foot + 2 * svg.TEXT[narrow] + 14)
    for place, line in enumerate(curves.lines):
        body += _svg_line(curves, line, place, (across, y_of), narrow=narrow)
        at_y = step * place + step - 6
        body += svg.element(
            "path", class_="curve", style=_stroke(curves, place), d=f"M2 {at_y - 5:.1f}h26", **_dash(place)
        )
        body += svg.text(_legend(curves, line, narrow=narrow), x=34, y=at_y)
    if rows > len(curves.lines):
        at_y = step * rows - 6
        body += svg.element("rect", class_="chance-band", x=2, y=at_y - 11, width=26, height=12)
        body += svg.text(svg.plain(curves.band_words, 40 if narrow else 90), class_="tick", x=34, y=at_y)
    return svg.Drawing(width, foot + 2 * svg.TEXT[narrow] + 22, body)


def _svg_line(
    curves: Curves, line: CurveLine, place: int, scales: tuple[Floats, Any], *, narrow: bool
) -> str:
    """A line with its band, a mark at its best value, and on the first line marks that lead to the table."""
    across, y_of = scales
    wide = _COLUMNS / (2 if narrow else 1)
    best = line.marked
    shown = curves.shown(place, across * wide / float(across.max() or 1.0))
    points = [(across[i], y_of(float(line.values[i]))) for i in shown.tolist()]
    body = ""
    if line.band is not None:
        ends = [[(across[i], y_of(float(end[i]))) for i in shown.tolist()] for end in line.band]
        known = [[point for point in each if not math.isnan(point[1])] for each in ends]
        forth, back = (
            _path(known[0], steps=curves.has_steps),
            _path(known[1], steps=curves.has_steps, back=True),
        )
        body += svg.element("path", class_="chance-band", d=f"{forth}L{back[1:]}z") if known[0] else ""
    if line.expected is not None:
        middle = [(across[i], y_of(float(line.expected[i]))) for i in shown.tolist()]
        middle = [point for point in middle if not math.isnan(point[1])]
        body += svg.element("path", class_="branch", stroke_dasharray="2 3", d=_path(middle, steps=False))
    path = _path(points, steps=curves.has_steps)
    body += svg.element("path", class_="curve", style=_stroke(curves, place), d=path, **_dash(place))
    listed = curves.listed if place == 0 else [i for i in best if i in curves.listed]
    marks = {*best, *listed[:: 1 + len(listed) // 40 if narrow else 1]}
    for i in sorted(marks, key=lambda i: (i in best, i)):  # the best on top of the others
        value = float(line.values[i])
        if math.isnan(value):
            continue
        is_best = i in best
        text = f"{line.index.name} {format_value(value)}{', the best' if is_best else ''}\n{curves.where(i)}"
        if curves.axis != "clusters":
            text += f", {counted(int(curves.clusters[i]), 'cluster')}"
        at = {"cx": float(across[i]), "cy": y_of(value), "r": 6.0 if is_best else 2.2}
        look = {"class_": "dot best" if is_best else "dot", "style": f"fill:{_paint(curves, place)}"}
        body += svg.dot(text, f"#cut{i}" if i in curves.listed else "", **look, **at)
    return body


def _path(points: Sequence[tuple[float, float]], *, steps: bool, back: bool = False) -> str:
    """A line through points, or back; with steps, a value holds up to the next point."""
    ordered = [*points][::-1] if back else points
    form = "L{0:.1f} {1:.1f}"
    if steps:
        form = "V{1:.1f}H{0:.1f}" if back else "H{0:.1f}V{1:.1f}"
    begin = "".join("M{:.1f} {:.1f}".format(*point) for point in ordered[:1])
    return begin + "".join(form.format(*point) for point in ordered[1:])


def _paint(curves: Curves, place: int) -> str:
    return "var(--agree)" if len(curves.lines) == 1 else f"var(--hue-{HUES[place]})"


def _stroke(curves: Curves, place: int) -> str:
    return f"stroke:{_paint(curves, place)}"


def _dash(place: int) -> dict[str, str]:
    return {"stroke_dasharray": _DASHES[place]} if _DASHES[place] else {}


def _x_ticks(curves: Curves, *, narrow: bool) -> list[tuple[float, str]]:
    low, high = curves.x_ends or (0.0, 0.0)
    if curves.is_logarithmic:
        counts = [tick for tick in count_ticks(int(high)) if tick >= low]
        return [(float(tick), short_count(tick)) for tick in counts]
    ticks = round_ticks(low, high, 5 if narrow else 8)
    if curves.axis == "clusters":
        return [(tick, short_count(int(tick))) for tick in ticks if tick == int(tick)]
    return [(tick, f"{tick:g}") for tick in ticks]


def _title(curves: Curves) -> str:
    names = " and ".join(line.index.name for line in curves.lines[:2])
    if len(curves.lines) > 2:
        names = f"{len(curves.lines)} indices"
    over = {"threshold": "every threshold", "height": "every height", "clusters": "every number of clusters"}
    kind = "threshold curve" if curves.axis == "threshold" else "curve"
    return f"{names} at {over[curves.axis]} ({kind})"


def _lead(curves: Curves) -> str:
    words = "Large dots are the best value of a line or ends of its plateau; small ones lead to the table."
    if not curves.listed:
        words = "Dots are the best value of a line."
    if curves.has_steps:
        words += f" Each cut holds up to the next {curves.axis}; all singletons are drawn at the end."
    if curves.is_logarithmic:
        words += " The number of clusters is on a logarithmic scale."
    if curves.band_words:
        words += f" The band shows {html.escape(curves.band_words)}."
    return words


CURVE = Chart[Curves](
    name="curve",
    short="Curve",
    title=_title,
    alt=lambda curves: (
        "Line chart: " + "; ".join(_legend(curves, line, narrow=False) for line in curves.lines)
    ),
    lead=_lead,
    size=lambda curves: (6.4, 2.8 + 0.16 * len(curves.lines)),
    draw=_draw,
    svg=lambda curves, narrow: _svg(curves, narrow=narrow),
)


# -- precision and recall -------------------------------------------------------------------------------


# The lines are those of the index whose best cut is marked, of precision, and of recall.


def _pairs(curves: Curves) -> tuple[Floats, Floats, int]:
    """Precision and recall at each cut, and the position of the marked cut."""
    judged, precision, recall = curves.lines
    assert judged.best is not None  # the caller refuses an index without a best value
    return precision.values, recall.values, judged.best


def _pairs_outline(curves: Curves) -> NDArray[np.int64]:
    """Positions where both are defined: enough for a drawing of any size."""
    precision, recall, _ = _pairs(curves)
    known = np.flatnonzero(~np.isnan(precision) & ~np.isnan(recall))
    return known[thinned(recall[known] * 8 * _COLUMNS, precision[known])]


def _pairs_shown(curves: Curves, columns: float) -> NDArray[np.int64]:
    """The positions that draw the curve in so many columns."""
    (precision, recall, _), known = _pairs(curves), _pairs_outline(curves)
    return known[thinned(recall[known] * columns, precision[known])]


def _pairs_labelled(curves: Curves, most: int) -> dict[int, str]:
    """The threshold of the best cut, and of some cuts evenly along the curve."""
    (precision, recall, best), known = _pairs(curves), _pairs_outline(curves)
    if not len(known):
        return {}
    steps = np.hypot(np.diff(recall[known]), np.diff(precision[known]))
    along = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.searchsorted(along, np.linspace(0, along[-1], most)[1:-1])
    chosen = [best, *known[np.minimum(at, len(known) - 1)].tolist()]
    return {
        i: cut_words(curves.axis, float(curves.x[i]), curves.heights, 4).removeprefix(f"{curves.axis} ")
        for i in chosen
        if i == best or not math.isnan(curves.x[i])
    }


def _best_words(curves: Curves) -> str:
    return f"{curves.lines[0].index.name} is best"


def _draw_pairs(ax: Any, curves: Curves, _: SideName | None) -> None:
    (precision, recall, best), shown = _pairs(curves), _pairs_shown(curves, 4 * _COLUMNS)
    ax.plot(recall[shown], precision[shown], color=LIGHT.agree, linewidth=1.3)
    for i, label in _pairs_labelled(curves, 8).items():
        colour, marker = (LIGHT.differ, "D") if i == best else (LIGHT.agree, "o")
        point = (recall[i], precision[i])
        ax.plot(*point, marker, color=colour, markersize=5, markeredgecolor="white")
        text = f"best {label}" if i == best else label
        ax.annotate(text, point, (0, 6), textcoords="offset points", ha="center", fontsize=FONT, gid=NAME)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.08))
    ax.set_xlabel("recall of pairs", fontsize=FONT + 1)
    ax.set_ylabel("precision of pairs", fontsize=FONT + 1)
    ax.tick_params(labelsize=FONT)
    ax.spines[["top", "right"]].set_visible(False)


def _svg_pairs(curves: Curves, *, narrow: bool) -> svg.Drawing:
    width, tall, top, right = (svg.NARROW, 240.0, 38.0, 44.0) if narrow else (svg.WIDE, 380.0, 44.0, 100.0)
    size, (precision, recall, best) = svg.TEXT[narrow], _pairs(curves)
    left = svg.width("0.8", narrow=narrow) + 14

    def place(along: float, up: float) -> tuple[float, float]:
        return left + (width - left - right) * along, top + tall * (1 - up)

    body = ""
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        at_x, at_y = place(tick, tick)
        body += svg.element("path", class_="line", d=f"M{left:.1f} {at_y:.1f}H{width - right:g}")
        body += svg.text(f"{tick:g}", class_="tick", x=left - 8, y=at_y + 4.5, text_anchor="end")
        body += svg.text(f"{tick:g}", class_="tick", x=at_x, y=top + tall + size + 6, text_anchor="middle")
    body += svg.text("precision of pairs", class_="tick", x=2, y=size + 2)
    body += svg.text("recall of pairs", class_="tick", x=left, y=top + tall + 2 * size + 12)
    shown = _pairs_shown(curves, _COLUMNS / (2 if narrow else 1))
    points = [place(float(recall[i]), float(precision[i])) for i in shown.tolist()]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    body += svg.element("path", class_="curve", style="stroke:var(--agree)", d=f"M{path}") if points else ""
    labelled = _pairs_labelled(curves, 5 if narrow else 10)
    step = 1 + len(curves.listed) // 40 if narrow else 1
    # The best is drawn last, on top of the others.
    for i in sorted({*labelled, *curves.listed[::step]}, key=lambda i: (i == best, i)):
        if math.isnan(precision[i]) or math.isnan(recall[i]):
            continue
        is_best = i == best
        x, y = place(float(recall[i]), float(precision[i]))
        numbers = [format_value(float(each[i])) for each in (precision, recall)]
        text = "{}\nprecision {}, recall {}".format(curves.where(i), *numbers)
        text += f"\n{counted(int(curves.clusters[i]), 'cluster')}"
        text += f"\n{_best_words(curves)}" if is_best else ""
        radius = 7.0 if is_best else 5.0 if i in labelled else 2.2
        kind = "point medoid" if is_best else "point"
        address = f"#cut{i}" if i in curves.listed else ""
        body += svg.dot(text, address, class_=kind, cx=x, cy=y, r=radius)
    taken: list[tuple[float, float, float]] = []  # left, right and bottom of each label
    for i, label in labelled.items():
        name = f"best: {label}" if i == best else label
        x, y = place(float(recall[i]), float(precision[i]))
        wide = svg.width(name, narrow=narrow)
        # Above and to the right, where a curve that falls leaves space.
        begin, foot = (x + 9, y - 5) if x + 9 + wide <= width else (x - 9 - wide, y + size + 4)
        is_inside = begin >= left and foot <= top + tall
        if is_inside and not any(
            a < begin + wide and begin < b and abs(foot - other) < size for a, b, other in taken
        ):
            taken.append((begin, begin + wide, foot))
            body += svg.text(name, x=begin, y=foot)
    return svg.Drawing(width, top + tall + 2 * size + 20, body)


PRECISION_RECALL = Chart[Curves](
    name="precision-recall",
    short="Precision-recall curve",
    title=always("Precision against recall (precision-recall curve)"),
    alt=lambda curves: (
        f"Precision-recall curve of pairs; {_best_words(curves)}: {curves.where(_pairs(curves)[2])}"
    ),
    lead=lambda curves: (
        f"Each point is a cut, and the numbers beside some are their {curves.axis}s. "
        f'<b class="differ">Orange</b>: {_best_words(curves)}. A pair is two records.'
    ),
    size=lambda _: (4.6, 3.6),
    keeps_shape=True,
    draw=_draw_pairs,
    svg=lambda curves, narrow: _svg_pairs(curves, narrow=narrow),
    needs=lambda curves: len(_pairs_outline(curves)) > 0,
)
