"""Charts for entity resolution: thousands of small clusters, which a flow would show as a slab of singletons.

Stacked bars show the verdict by cluster size, and a Pareto chart how many clusters hold most of the errors.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.differences.verdicts import VERDICTS
from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import counted, percent
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, Chart, points_wide
from concordant.report.charts.sizes import count_ticks, range_label, short_count, size_ranges
from concordant.report.palette import LIGHT, verdict_class
from concordant.report.report_data import FLOW, ReportData
from concordant.report.sentences import side_title

_RANGES = 8  # of cluster sizes
_POINTS = 60  # of a curve
_MARKERS: dict[SideName, str] = {"reference": "s", "candidate": "o"}  # so curves differ in grey, too
_HATCHES = ("", "....", "////", "\\\\\\\\", "xxxx", "oo")  # of the verdicts, for print in grey
_MOST = 0.5  # the share of errors that the title reports


def is_of_entities(data: ReportData) -> bool:
    """Whether the page draws these charts instead of the flow and the table."""
    return _is_judged(data) and data.domain == "entities" and max(data.clusters) > FLOW


def listed_part(data: ReportData) -> ReportData:
    """The clusters that a page lists: among many entities those that differ, by their own numbers."""
    return data.differing if is_of_entities(data) else data


def _is_judged(data: ReportData) -> bool:
    return data.covers is None and data.shows_overlaps and not data.has_own_elements


# -- verdict by cluster size --------------------------------------------------------------------------


def verdicts_by_size(data: ReportData) -> tuple[list[str], NDArray[np.int64]]:
    """Ranges of cluster sizes, and for each the number of reference clusters with each verdict."""
    sizes, clusters = data.verdicts_of_sizes
    ends = {int(size): 1 for size in (sizes.min(), sizes.max())}
    edges = size_ranges((ends, ends), _RANGES)
    counts = np.zeros((len(edges) - 1, len(VERDICTS)), dtype=np.int64)
    np.add.at(counts, np.searchsorted(edges, sizes, side="right") - 1, clusters)
    kept = counts.sum(axis=1) > 0
    names = [range_label(low, high) for low, high in pairwise(edges)]
    return [name for name, is_kept in zip(names, kept, strict=True) if is_kept], counts[kept]


def _draw_verdicts(ax: Any, data: ReportData, _: SideName | None) -> None:
    names, counts = verdicts_by_size(data)
    shares = counts / counts.sum(axis=1, keepdims=True)
    places, starts = np.arange(len(names)), np.zeros(len(names))
    for code, word in enumerate(VERDICTS):
        if counts[:, code].any():
            look = {"color": LIGHT.of_verdict(word), "hatch": _HATCHES[code], "edgecolor": "white"}
            ax.barh(places, shares[:, code], left=starts, label=word, linewidth=0.5, **look)
            starts = starts + shares[:, code]
    totals = counts.sum(axis=1).tolist()
    ax.set_yticks(
        places, [f"{name}  ({short_count(n)})" for name, n in zip(names, totals, strict=True)], fontsize=FONT
    )
    ax.set_ylabel("records in a cluster (clusters)", fontsize=FONT + 1)
    ax.tick_params(labelsize=FONT)
    ax.set_xticks([0, 0.5, 1], ["0%", "50%", "100%"])
    ax.invert_yaxis()
    ax.spines[["top", "right", "left"]].set_visible(False)
    ncols = 3 if points_wide(ax) > 300 else 2
    ax.legend(frameon=False, fontsize=FONT, ncols=ncols, loc="lower center", bbox_to_anchor=(0.5, 1))


def _svg_verdicts(data: ReportData, *, narrow: bool) -> svg.Drawing:
    names, counts = verdicts_by_size(data)
    room, tall = (svg.NARROW if narrow else svg.WIDE), 26
    totals = [counted(int(row.sum()), "cluster") for row in counts]
    left = max(svg.width(name, narrow=narrow) for name in names) + 14
    right = 8.0 if narrow else max(svg.width(total, narrow=False) for total in totals) + 16
    body, top, x = svg.text("records in a cluster", class_="tick", x=2, y=14), 52.0, 2.0
    for word in (word for code, word in enumerate(VERDICTS) if counts[:, code].any()):
        needed = svg.width(word, narrow=narrow) + 34
        if x + needed > room:
            x, top = 2.0, top + 20
        body += svg.element("rect", class_=verdict_class(word), x=x, y=top - 30, width=11, height=11)
        body += svg.text(word, class_="tick", x=x + 16, y=top - 20)
        x += needed
    for i, (name, row) in enumerate(zip(names, counts, strict=True)):
        y, total, at = top + i * tall, int(row.sum()), left
        body += svg.text(name, x=left - 8, y=y + tall / 2 + 3, text_anchor="end")
        for code, word in enumerate(VERDICTS):
            count = int(row[code])
            if count:
                wide = (room - left - right) * count / total
                title = f"{counted(count, 'cluster')} of {name} records: {word}"
                title += f"\n{percent(count, total)} of {total:,}"
                box = {"x": at, "y": y, "width": max(wide - 1, 0.5), "height": float(tall - 5)}
                body += svg.element("rect", title, class_=f"node {verdict_class(word)}", **box)
                at += wide
        if not narrow:
            body += svg.text(totals[i], class_="tick", x=room - right + 10, y=y + tall / 2 + 3)
    return svg.Drawing(room, top + tall * len(names) + 6, body)


def _verdicts_title(data: ReportData) -> str:
    names, counts = verdicts_by_size(data)
    shares = counts[:, 0] / counts.sum(axis=1)
    low, high = int(shares.argmin()), int(shares.argmax())
    if low == high:
        return f"{percent(int(counts[0, 0]), int(counts[0].sum()))} of the clusters are exact"
    parts = [
        f"{percent(int(counts[i, 0]), int(counts[i].sum()))} of the clusters of {names[i]} "
        f"record{'' if names[i] == '1' else 's'}"
        for i in (high, low)
    ]
    return f"{parts[0]} are exact, and {parts[1]}"


VERDICT_SIZES = Chart[ReportData](
    name="verdicts",
    short="Verdict by size",
    title=lambda data: f"{_verdicts_title(data)} (stacked bar chart)",
    alt=lambda data: f"Stacked bar chart of the verdict by cluster size: {_verdicts_title(data)}",
    lead=lambda _: "Each bar is all reference clusters of one size, by the verdict on them.",
    size=lambda _: (6.4, 3.4),
    draw=_draw_verdicts,
    svg=lambda data, narrow: _svg_verdicts(data, narrow=narrow),
    needs=_is_judged,
    on_page=is_of_entities,
)


# -- the worst n clusters -----------------------------------------------------------------------------


def worst_shares(data: ReportData) -> list[tuple[SideName, str, NDArray[np.float64]]]:
    """For each side, the share of errors in its worst 1, 2, 3 ... clusters; sides without errors are omitted.

    Wrong pairs are in candidate clusters, and missed pairs in reference clusters.
    """
    sides: list[tuple[SideName, str]] = [("candidate", "wrong"), ("reference", "missed")]
    found = [(side, word, data.worst_costs[side]) for side, word in sides]
    return [(side, word, np.cumsum(own) / own.sum()) for side, word, own in found if len(own)]


def _clusters_for(shares: NDArray[np.float64], share: float) -> int:
    return int(np.searchsorted(shares, share - 1e-12)) + 1


def _worst_title(data: ReportData) -> str:
    side, word, shares = worst_shares(data)[0]
    number = _clusters_for(shares, _MOST)
    name = side_title(data.names[1 if side == "candidate" else 0])
    holds = "holds" if number == 1 else "hold"
    clusters = f"worst {name} cluster" if number == 1 else f"{number:,} worst {name} clusters"
    share = percent(float(shares[0]), 1) if number == 1 else "half"
    part = "all" if number == len(shares) else f"{share} of all"
    return f"The {clusters} {holds} {part} {word} pairs"


def _curve(shares: NDArray[np.float64]) -> tuple[list[tuple[int, float]], list[bool]]:
    """Some points of a curve, evenly on a logarithmic axis, and which of them have a marker.

    Markers are where the axis has a tick, at the end, and where most of the errors are reached.
    """
    marked = {*count_ticks(len(shares)), len(shares), _clusters_for(shares, _MOST)}
    evenly = np.round(np.geomspace(1, len(shares), _POINTS)).astype(int).tolist()
    numbers = sorted({*evenly, *marked})
    return [(number, float(shares[number - 1])) for number in numbers], [n in marked for n in numbers]


def _draw_worst(ax: Any, data: ReportData, _: SideName | None) -> None:
    most = 1
    for side, word, shares in worst_shares(data):
        points, marked = _curve(shares)
        most = max(most, len(shares))
        look = {"color": getattr(LIGHT, side), "marker": _MARKERS[side], "markevery": marked, "markersize": 5}
        ax.plot(*zip(*points, strict=True), label=f"{word} pairs", **look)
    ax.set(xscale="log", ylim=(0, 1.03), xlabel="worst clusters", ylabel="share of pairs")
    ax.set_xticks(count_ticks(most), [short_count(tick) for tick in count_ticks(most)])
    ax.set_xticks([], minor=True)
    ax.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=FONT)
    ax.legend(frameon=False, fontsize=FONT)


def _svg_worst(data: ReportData, *, narrow: bool) -> svg.Drawing:
    curves = worst_shares(data)
    room, left, top, tall = (svg.NARROW if narrow else svg.WIDE), 56.0, 40.0, 220.0
    most = max(len(shares) for *_, shares in curves)
    unit = (room - left - 24) / (math.log10(most) or 1.0)

    def x_of(number: int) -> float:
        return left + unit * math.log10(number)

    def y_of(share: float) -> float:
        return top + tall * (1 - share)

    body = ""
    for share in (0.0, 0.5, 1.0):
        body += svg.element("path", class_="line", d=f"M{left:.1f} {y_of(share):.1f}H{room - 6}")
        body += svg.text(f"{share:.0%}", class_="tick", x=left - 8, y=y_of(share) + 4.5, text_anchor="end")
    for tick in count_ticks(most):
        body += svg.text(
            short_count(tick), class_="tick", x=x_of(tick), y=top + tall + 20, text_anchor="middle"
        )
    body += svg.text("worst clusters", class_="tick", x=left, y=top + tall + 42)
    for place, (side, word, shares) in enumerate(curves):
        points, marked = _curve(shares)
        path = "M" + "L".join(f"{x_of(number):.1f} {y_of(share):.1f}" for number, share in points)
        body += svg.element("path", class_=f"curve {side}", d=path)
        for (number, share), has_marker in zip(points, marked, strict=True):
            if has_marker:
                title = f"{counted(number, f'{side} cluster')}: {percent(share, 1)} of all {word} pairs"
                body += _marker(side, x_of(number), y_of(share), title)
        at = left + place * (room - left) / 2
        body += _marker(side, at + 5, 13.5) + svg.text(f"{word} pairs", x=at + 18, y=18)
    return svg.Drawing(room, top + tall + 50, body)


def _marker(side: SideName, x: float, y: float, title: str = "") -> str:
    """A square for the reference, a dot for the candidate."""
    if _MARKERS[side] == "s":
        box = {"x": x - 5, "y": y - 5, "width": 10, "height": 10}
        return svg.element("rect", title, class_=f"node {side}", **box)
    return svg.element("circle", title, class_=f"node {side}", cx=x, cy=y, r=5.5)


WORST = Chart[ReportData](
    name="worst",
    short="Worst clusters",
    title=lambda data: f"{_worst_title(data)} (Pareto chart)",
    alt=lambda data: f"Share of pairs in the worst clusters: {_worst_title(data)}",
    lead=lambda _: (
        "The share of all wrong pairs in the worst candidate clusters, and of all missed pairs in the worst "
        "reference clusters. The number of clusters is on a logarithmic scale."
    ),
    size=lambda _: (6.4, 3.2),
    draw=_draw_worst,
    svg=lambda data, narrow: _svg_worst(data, narrow=narrow),
    needs=lambda data: _is_judged(data) and bool(worst_shares(data)),
    # One or two clusters do not make a curve.
    on_page=lambda data: is_of_entities(data) and max(len(each[2]) for each in worst_shares(data)) > 2,
)
