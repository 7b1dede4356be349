"""The weight that soft clusters share, as a heat map."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.foundation.conventions import SIDES
from concordant.foundation.spelling import counted
from concordant.report.charts import svg
from concordant.report.charts.chart import Chart
from concordant.report.charts.table import draw_table, table_size, table_svg
from concordant.report.labels import spelled_label
from concordant.report.report_data import CELLS, SideTitles
from concordant.report.selection import MATCHES, Node, Picture
from concordant.report.sentences import subjects
from concordant.report.values import format_value


@dataclass(frozen=True, slots=True, eq=False)
class SoftTable:
    """Some clusters of both sides, and the weight that they share."""

    picture: Picture
    names: SideTitles
    clusters: tuple[int, int]  # of each side
    stayed: float  # the share of the weight that is in matched clusters


def soft_picture(
    weights: NDArray[np.float64],
    matched: Sequence[tuple[int, int]],
    clusters: tuple[Sequence[Any], Sequence[Any]],
) -> Picture:
    """A picture of at most `CELLS` clusters a side, or one more: all, or those with the most moved weight.

    The last row and column of ``weights`` are the weight in no cluster; they are drawn if there is any.
    """
    width, length = (len(names) for names in clusters)
    partner = dict(matched)
    loose = [j for j in range(length) if j not in partner.values()]
    moved = [weights.sum(axis=1)[:width].copy(), weights.sum(axis=0)[:length].copy()]
    for i, j in matched:
        both = moved[0][i] + moved[1][j] - 2 * weights[i, j]
        moved[0][i] = moved[1][j] = both
    rows, columns = list(range(width)), [*(partner[i] for i in range(width) if i in partner), *loose]
    if max(width, length) > CELLS + 1:  # gathering a single cluster saves no space
        chosen = np.argsort(-moved[0], kind="stable")[:CELLS].tolist()
        rows = sorted(chosen)
        room = CELLS - sum(i in partner for i in rows)
        more = sorted(loose, key=lambda j: -moved[1][j])[:room]
        columns = [*(partner[i] for i in rows if i in partner), *sorted(more)]
    outside = [weights[width].sum() > 0, weights[:, length].sum() > 0]
    drawn = [
        [*own, *([last] if is_there else [])]
        for own, last, is_there in zip((rows, columns), (width, length), outside, strict=True)
    ]
    gathered = (width - len(rows), length - len(columns))
    counts = _gathered(_gathered(weights, drawn[0], gathered[0]).T, drawn[1], gathered[1]).T
    cells = np.full(counts.shape, MATCHES.index("stray"))
    core = {*matched, (width, length)}
    for i, row in enumerate(drawn[0]):
        for j, column in enumerate(drawn[1]):
            if (row, column) in core:
                cells[i, j] = MATCHES.index("core")
    cells[len(drawn[0]) :] = MATCHES.index("other")
    cells[:, len(drawn[1]) :] = MATCHES.index("other")
    nodes = [
        _soft_nodes(names, own, sizes, count)
        for names, own, sizes, count in zip(
            clusters, drawn, (counts.sum(axis=1), counts.sum(axis=0)), gathered, strict=True
        )
    ]
    return Picture(tuple(nodes[0]), tuple(nodes[1]), counts, cells, gathered, 0, unit="weight")


def _gathered(weights: NDArray[np.float64], rows: Sequence[int], gathered: int) -> NDArray[np.float64]:
    """Some rows, and the sum of all others if there are any."""
    if not gathered:
        return weights[rows]
    others = np.delete(weights, rows, axis=0).sum(axis=0)
    return np.vstack([weights[rows], others])


def _soft_nodes(
    names: Sequence[Any], drawn: Sequence[int], sizes: NDArray[np.float64], gathered: int
) -> list[Node]:
    nodes = [
        Node(names[place], float(size), place, unit="weight", has_card=False)
        if place < len(names)
        else Node("in no cluster", float(size), place, unit="weight", has_card=False, is_outside=True)
        for place, size in zip(drawn, sizes, strict=False)
    ]
    if gathered:
        nodes.append(Node(None, float(sizes[-1]), gathered=gathered, unit="weight"))
    return nodes


def largest_move(table: SoftTable) -> str:
    """Between which two clusters the most weight moved; empty if none did."""
    picture = table.picture
    moved = np.where(picture.matches == MATCHES.index("stray"), picture.counts, 0.0)
    if not moved.any():
        return ""
    i, j = np.unravel_index(int(moved.argmax()), moved.shape)
    ends = (picture.rows[int(i)], picture.columns[int(j)])
    first, second = (
        "no cluster" if node.is_outside else f"{svg.plain(name, 40)} cluster {spelled_label(node.label)}"
        for node, name in zip(ends, table.names, strict=True)
    )
    return f"Most weight moved from {first} to {second}: {format_value(float(moved[i, j]))}"


def _soft_note(table: SoftTable) -> str:
    gathered = " and ".join(
        f"{count:,} of {counted(number, 'cluster')} of the {side}"
        for count, number, side in zip(table.picture.gathered, table.clusters, SIDES, strict=True)
        if count
    )
    return (
        f'<p class="note">The clusters with the most moved weight are shown; {gathered} are combined.</p>'
        if gathered
        else ""
    )


SOFT_TABLE = Chart[SoftTable](
    name="table",
    short="Matched clusters",
    title=lambda table: f"{largest_move(table) or 'No weight moved'} (heat map)",
    alt=lambda table: f"Heat map of shared weight: {largest_move(table) or 'no weight moved'}",
    lead=lambda table: (
        "Rows are clusters of {}, columns of {}. ".format(
            *(html.escape(svg.plain(name, 40)) for name in subjects(table.names))
        )
        + '<b class="agree">Blue</b> cells are matched clusters, with the weight that records have in both. '
        '<b class="differ">Orange</b> cells show weight that moved. Rows and columns add up to the weights '
        "of their clusters. Stronger colours mean more weight."
    ),
    size=lambda table: table_size(table.picture.counts.shape),
    keeps_shape=True,
    draw=lambda ax, table, share: draw_table(ax, table.picture, table.names, share),
    svg=lambda table, narrow: table_svg(table.picture, table.names, narrow=narrow),
    note=_soft_note,
    shares={None: "Weight", "reference": "Share of row", "candidate": "Share of column"},
)
