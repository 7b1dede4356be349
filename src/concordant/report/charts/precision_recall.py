"""The precision-recall curve of a hierarchy, with thresholds marked along it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.counts.arithmetic import Floats
from concordant.counts.sides import SideName
from concordant.counts.spelling import counted
from concordant.report.charts import svg
from concordant.report.charts.axes import FONT, NAME
from concordant.report.charts.chart import Chart, always
from concordant.report.charts.curves import CutAxis, cut_words, thinned
from concordant.report.palette import LIGHT
from concordant.report.values import format_value

_COLUMNS = 400


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecall:
    """Pairwise precision and recall at each cut, from all singletons to the fewest clusters.

    Attributes
    ----------
    axis : CutAxis
        The quantity by which cuts are labelled.
    x, clusters : array
        Position and number of clusters of each cut.
    precision, recall : array of float
        The values at each cut.
    best : int
        Position of the marked cut.
    best_words : str
        Why it is marked.
    listed : sequence of int
        Positions of the cuts in a table on the page; their marks link to its rows.
    """

    axis: CutAxis
    x: Floats
    clusters: Any
    precision: Floats
    recall: Floats
    best: int
    best_words: str
    listed: Sequence[int] = ()

    def label(self, i: int) -> str:
        """The threshold of a cut, short."""
        x = float(self.x[i])
        return "all singletons" if math.isnan(x) else f"{x:.4g}"

    def known(self) -> Any:
        """Positions where both are defined."""
        return np.flatnonzero(~np.isnan(self.precision) & ~np.isnan(self.recall))

    def labelled(self, most: int) -> list[int]:
        """The best cut, and some evenly along the curve."""
        known = self.known()
        if not len(known):
            return []
        steps = np.hypot(np.diff(self.recall[known]), np.diff(self.precision[known]))
        along = np.concatenate([[0.0], np.cumsum(steps)])
        at = np.searchsorted(along, np.linspace(0, along[-1], most)[1:-1])
        chosen = [self.best, *known[np.minimum(at, len(known) - 1)].tolist()]
        return list(dict.fromkeys(i for i in chosen if i == self.best or not math.isnan(self.x[i])))


def _draw(ax: Any, curve: PrecisionRecall, _: SideName | None) -> None:
    known = curve.known()
    shown = known[thinned(curve.recall[known] * 4 * _COLUMNS, curve.precision[known])]
    ax.plot(curve.recall[shown], curve.precision[shown], color=LIGHT.agree, linewidth=1.3)
    for i in curve.labelled(8):
        colour, marker = (LIGHT.differ, "D") if i == curve.best else (LIGHT.agree, "o")
        point = (curve.recall[i], curve.precision[i])
        ax.plot(*point, marker, color=colour, markersize=5, markeredgecolor="white")
        text = f"best {curve.label(i)}" if i == curve.best else curve.label(i)
        ax.annotate(text, point, (0, 6), textcoords="offset points", ha="center", fontsize=FONT, gid=NAME)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.08))
    ax.set_xlabel("recall of pairs", fontsize=FONT + 1)
    ax.set_ylabel("precision of pairs", fontsize=FONT + 1)
    ax.tick_params(labelsize=FONT)
    ax.spines[["top", "right"]].set_visible(False)


def _svg(curve: PrecisionRecall, *, narrow: bool) -> svg.Drawing:
    width, tall, top, right = (svg.NARROW, 240.0, 38.0, 44.0) if narrow else (svg.WIDE, 380.0, 44.0, 100.0)
    size = svg.TEXT[narrow]
    left = svg.width("0.8", narrow=narrow) + 14

    def place(recall: float, precision: float) -> tuple[float, float]:
        return left + (width - left - right) * recall, top + tall * (1 - precision)

    body = ""
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        at_x, at_y = place(tick, tick)
        body += svg.element("path", class_="line", d=f"M{left:.1f} {at_y:.1f}H{width - right:g}")
        body += svg.text(f"{tick:g}", class_="tick", x=left - 8, y=at_y + 4.5, text_anchor="end")
        body += svg.text(f"{tick:g}", class_="tick", x=at_x, y=top + tall + size + 6, text_anchor="middle")
    body += svg.text("precision of pairs", class_="tick", x=2, y=size + 2)
    body += svg.text("recall of pairs", class_="tick", x=left, y=top + tall + 2 * size + 12)
    known = curve.known()
    columns = _COLUMNS / (2 if narrow else 1)
    shown = known[thinned(curve.recall[known] * columns, curve.precision[known])]
    points = [place(float(curve.recall[i]), float(curve.precision[i])) for i in shown.tolist()]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    body += svg.element("path", class_="curve", style="stroke:var(--agree)", d=f"M{path}") if points else ""
    labelled = curve.labelled(5 if narrow else 10)
    step = 1 + len(curve.listed) // 40 if narrow else 1
    # The best is drawn last, on top of the others.
    for i in sorted({*labelled, *curve.listed[::step]}, key=lambda i: (i == curve.best, i)):
        if math.isnan(curve.precision[i]) or math.isnan(curve.recall[i]):
            continue
        is_best = i == curve.best
        x, y = place(float(curve.recall[i]), float(curve.precision[i]))
        numbers = [format_value(float(each[i])) for each in (curve.precision, curve.recall)]
        text = "{}\nprecision {}, recall {}".format(cut_words(curve.axis, float(curve.x[i])), *numbers)
        text += f"\n{counted(int(curve.clusters[i]), 'cluster')}"
        text += f"\n{curve.best_words}" if is_best else ""
        radius = 7.0 if is_best else 5.0 if i in labelled else 2.2
        kind = "point medoid" if is_best else "point"
        address = f"#cut{i}" if i in curve.listed else ""
        body += svg.dot(text, address, class_=kind, cx=x, cy=y, r=radius)
    taken: list[tuple[float, float, float]] = []  # left, right and bottom of each label
    for i in labelled:
        name = f"best: {curve.label(i)}" if i == curve.best else curve.label(i)
        x, y = place(float(curve.recall[i]), float(curve.precision[i]))
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


PRECISION_RECALL = Chart[PrecisionRecall](
    name="precision-recall",
    short="Precision-recall curve",
    title=always("Precision against recall (precision-recall curve)"),
    alt=lambda curve: (
        f"Precision-recall curve of pairs; {curve.best_words}: "
        f"{cut_words(curve.axis, float(curve.x[curve.best]))}"
    ),
    lead=lambda curve: (
        f"Each point is a cut, and the numbers beside some are their {curve.axis}s. "
        f'<b class="differ">Orange</b>: {curve.best_words}. A pair is two records.'
    ),
    size=lambda _: (4.6, 3.6),
    keeps_shape=True,
    draw=_draw,
    svg=lambda curve, narrow: _svg(curve, narrow=narrow),
    needs=lambda curve: len(curve.known()) > 0,
)
