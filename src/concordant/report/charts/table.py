"""The contingency table as a heat map: of records, or of a weight that clusters share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.foundation.conventions import SIDES, SideName
from concordant.foundation.spelling import percent
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, HATCHING, Chart, node_label, plain_text, room_for, tint
from concordant.report.charts.entities import is_of_entities
from concordant.report.charts.heat import CellGrid, colour_steps, write_in_cells
from concordant.report.charts.overlaps import colours_of, gathered_note, label, overlap_title, places, to_card
from concordant.report.palette import LIGHT
from concordant.report.report_data import ReportData, SideTitles
from concordant.report.selection import MATCHES, Match, Picture
from concordant.report.sentences import dominant_errors

_TWICE = 2
_READABLE = 20.0  # width of a cell on a phone from which its count is shown even if its shares do not fit


def _cell_texts(picture: Picture, share: SideName | None) -> list[list[str]]:
    """The text of each cell: its records, or the share of its row or of its column."""
    if share is None:
        return [[_number(count) for count in row] for row in picture.counts.tolist()]
    counts, nodes = (
        (picture.counts, picture.rows) if share == "reference" else (picture.counts.T, picture.columns)
    )
    lines = []
    for line, node in zip(counts, nodes, strict=True):
        # Shares are of the whole cluster, with the records that are not drawn.
        lines.append([percent(part, max(node.size, sum(line.tolist()))) for part in line.tolist()])
    return lines if share == "reference" else [list(row) for row in zip(*lines, strict=True)]


def _most(picture: Picture, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The reference value of each cell's colour: the largest core, or the largest of all other cells.

    One scale for all would leave the errors pale, since cores are large. Weight that moved is not an error,
    and has the scale of the weight that did not.
    """
    if picture.unit == "weight":
        return np.full(values.shape, values.max(initial=0) or 1.0)
    is_core = picture.matches == MATCHES.index("core")
    is_other = picture.matches == MATCHES.index("other")
    cores, errors = values[is_core].max(initial=0), values[~is_core & ~is_other].max(initial=0)
    return np.where(is_core, cores or 1.0, np.where(is_other, values.max(initial=0) or 1.0, errors or 1.0))


def _differ_in_size(data: ReportData) -> bool:
    """Whether one row has at least twice as many records as another, so shares compare them better."""
    sizes = [node.size for node in data.cells.rows if node.place >= 0]
    return len(sizes) > 1 and max(sizes) >= _TWICE * min(sizes)


def _number(value: float) -> str:
    """A number of records, or a weight of three digits."""
    for unit, sign in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= unit:
            return f"{value / (1e3 if sign == 'k' else unit):.3g}{sign}"
    if isinstance(value, int):
        return f"{value:,}"
    return (
        f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.005 else "<0.01" if value else "0"
    )


def draw_table(ax: Any, picture: Picture, names: SideTitles, share: SideName | None) -> None:
    """The overlaps on Matplotlib's axes."""
    values = picture.counts.astype(float)
    if share == "reference":
        values /= np.array([[float(node.size)] for node in picture.rows])
    if share == "candidate":
        values /= np.array([float(node.size) for node in picture.columns])
    colours = np.ones((*values.shape, 3))
    strengths = values / _most(picture, values)
    for place, match in enumerate(MATCHES):
        shown = (picture.matches == place) & (values > 0)
        colours[shown] = tint(LIGHT.of_match(match), 0.1 + 0.9 * strengths[shown])
    ax.imshow(colours, aspect="auto")
    for i, j in np.argwhere((picture.matches == MATCHES.index("other")) & (values > 0)).tolist():
        x, y = (j - 0.5, j + 0.5, j + 0.5, j - 0.5), (i - 0.5, i - 0.5, i + 0.5, i + 0.5)
        ax.fill(x, y, fill=False, hatch=HATCHING, edgecolor=LIGHT.muted, linewidth=0)
    for match, line in (("core", "solid"), ("part", "dotted")):  # can be seen in grey, too
        for i, j in np.argwhere((picture.matches == MATCHES.index(match)) & (values > 0)).tolist():
            x, y = (j - 0.44, j + 0.44, j + 0.44, j - 0.44), (i - 0.44, i - 0.44, i + 0.44, i + 0.44)
            ax.fill(x, y, fill=False, edgecolor=LIGHT.ink, linewidth=0.6, linestyle=line)
    if max(values.shape) <= 20:
        texts, shown = _cell_texts(picture, share), np.argwhere(values > 0).tolist()
        write_in_cells(ax, {(i, j): texts[i][j] for i, j in shown}, colours.mean(axis=-1) < 0.55)
    axes = ((ax.xaxis, picture.columns, names[1], 90), (ax.yaxis, picture.rows, names[0], 0))
    for axis, nodes, name, rotation in axes:
        words = [node_label(node, room_for(ax, 0.25, 18)) for node in nodes]
        turned = 0 if max(map(len, words)) <= 3 else rotation
        axis.set_ticks(range(len(nodes)), words, rotation=turned, fontsize=FONT)
        axis.set_label_text(plain_text(name), weight="bold", fontsize=FONT + 1)
        axis.labelpad = 8
    _colour_bars_of(ax, picture, values, has_shares=share is not None)
    ax.xaxis.set_ticks_position("top")
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _scales(picture: Picture, values: NDArray[Any]) -> Iterator[tuple[Match, str, float]]:
    """Cores and all other cells, each with the largest of its values; those without any are omitted."""
    is_core, is_other = (picture.matches == MATCHES.index(match) for match in ("core", "other"))
    cores, errors = values[is_core].max(initial=0), values[~is_core & ~is_other].max(initial=0)
    words = ("cores", "other cells")
    if picture.unit == "weight":
        most, words = values.max(initial=0), ("matched", "moved")
        cores, errors = (most if each else each for each in (cores, errors))
    if cores:
        yield "core", words[0], cores
    if errors:
        yield "stray", words[1], errors


def _colour_bars_of(ax: Any, picture: Picture, values: NDArray[np.float64], *, has_shares: bool) -> None:
    """A colour bar below the table for each scale."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    thick = 0.09 / table_size(values.shape)[1]  # a part of the height
    for place, (match, words, most) in enumerate(_scales(picture, values)):
        colours = ListedColormap(tint(LIGHT.of_match(match), 0.1 + 0.9 * np.linspace(0, 1, 64)))
        inset = ax.inset_axes((0.56 * place, -2 * thick, 0.44, thick))
        bar = ax.figure.colorbar(ScalarMappable(Normalize(0, most), colours), inset, orientation="horizontal")
        end = percent(most, 1) if has_shares else _number(most if picture.unit == "weight" else int(most))
        bar.set_ticks([0, most], labels=["0", f"{end} ({words})"], fontsize=7)
        start, last = inset.get_xticklabels()
        start.set_horizontalalignment("left")
        last.set_horizontalalignment("right")
        bar.outline.set_visible(False)
        inset.tick_params(length=0)


def table_size(shape: tuple[int, ...]) -> tuple[float, float]:
    """The size of new axes, in inches."""
    return max(3.2, 0.42 * shape[1] + 1.2), max(2.8, 0.36 * shape[0] + 1.2)


def table_svg(picture: Picture, names: SideTitles, *, narrow: bool) -> svg.Drawing:
    """The overlaps for a page. Each cell contains its shares, for the buttons that show them."""
    rows, columns = picture.counts.shape
    width, length = (svg.NARROW, 10) if narrow else (svg.WIDE, 20)
    row_labels, column_labels = (
        [label(node, length) for node in nodes] for nodes in (picture.rows, picture.columns)
    )
    left = max(svg.width(words, narrow=narrow) for words in row_labels) + 14
    wide = (width - left) / columns
    longest = max(svg.width(words, narrow=narrow) for words in column_labels)
    crowded = longest > wide - 4
    top = 38 + (longest if crowded else 14)
    tall = (30 if narrow else 34) if rows <= 16 else 21
    room = 12 if narrow else 30
    sides = f"{svg.plain(names[0], room)} ↓   {svg.plain(names[1], room)} →"
    body = svg.text(sides, class_="side", x=2, y=16)
    free = 0.0  # where the next label may begin: columns may be narrower than text is tall
    for j in range(columns):
        x, y = left + (j + 0.5) * wide, top - 8
        at: dict[str, Any] = {"x": x, "y": y, "text_anchor": "middle"}
        if crowded:
            x = min(x + 4, width - 4)
            if x < free:
                continue
            free = x + svg.TEXT[narrow] + 2
            at = {"transform": f"translate({x:.1f} {y:.1f}) rotate(-90)"}
        body += to_card(picture.columns[j], "candidate", svg.text(column_labels[j], **at))
    drawn = CellGrid(left, top, wide, tall)
    for i, (node, words) in enumerate(zip(picture.rows, row_labels, strict=True)):
        body += to_card(node, "reference", drawn.row_label(words, i))
    strengths = picture.counts / _most(picture, picture.counts.astype(float))
    texts = [_cell_texts(picture, share) for share in (None, *SIDES)]
    cells = np.argwhere(picture.counts > 0).tolist()
    kinds = {(i, j): _value_class([each[i][j] for each in texts], wide, narrow=narrow) for i, j in cells}
    has_numbers = any(kinds.values())
    for i, j in cells:
        strength = svg.strength(float(strengths[i, j]), has_numbers=has_numbers)
        match = picture.match(i, j)
        title = "" if narrow else overlap_title(picture, i, j, names)  # phones have no hover
        x, y = left + j * wide, top + i * tall
        across, down = max(wide - 2, 1.0), tall - 2
        box = f"M{x + 1:.1f} {y + 1:.1f}h{across:.1f}v{down}h-{across:.1f}z"
        ground = {"fill": svg.HATCH, "fill_opacity": 0.5} if match == "other" else {"fill_opacity": strength}
        data = places(picture.rows[i], picture.columns[j], narrow=narrow)
        share = {} if narrow else {"data_share": f"{texts[1][i][j]} {texts[2][i][j]}"}
        body += svg.element("path", title, class_=f"cell {match}", **data, **ground, **share, d=box)
        if kind := kinds[i, j]:
            body += drawn.number(texts[0][i][j], i, j, kind)
    body += _colour_bars(picture, top + rows * tall + 14.0, has_numbers=has_numbers, narrow=narrow)
    return svg.Drawing(width, top + rows * tall + 36, body)


def _value_class(texts: list[str], room: float, *, narrow: bool) -> str | None:
    """The class of the number in a cell; on phones, "alone" has no space for shares."""
    kind = svg.value_class(max(texts, key=len), room, narrow=narrow)
    is_alone = kind is None and narrow and room > _READABLE and svg.value_class(texts[0], room, narrow=True)
    return "value alone" if is_alone else kind


def _colour_bars(picture: Picture, y: float, *, has_numbers: bool, narrow: bool) -> str:
    """The two scales: of cores, and of all other cells; page.js replaces their ends with shares."""
    body, x, step_wide = "", 2.0, 8.0 if narrow else 14.0
    for match, words, most in _scales(picture, picture.counts):
        body += svg.text(words, class_="tick", x=x, y=y + 11)
        x += svg.width(words, narrow=narrow) + 6
        body += colour_steps((x, y), (step_wide, 13.0), match, has_numbers=has_numbers)
        x += step_wide * 6 + 5
        body += svg.text(
            _number(most if picture.unit == "weight" else int(most)),
            class_="tick",
            data_scale="all" if picture.unit == "weight" else match,
            x=x,
            y=y + 11,
        )
        x += svg.width("12.3k", narrow=narrow) + (8 if narrow else 40)
    return body


def _title(data: ReportData) -> str:
    """The facts that the title of the flow does not report."""
    first = next(dominant_errors(data, data.flow), "")
    return next(
        (each for each in dominant_errors(data, data.cells) if each != first), "Which clusters overlap"
    )


TABLE = Chart[ReportData](
    name="table",
    short="Confusion matrix",
    title=lambda data: f"{_title(data)} (confusion matrix)",
    alt=lambda data: f"Confusion matrix: {_title(data)}",
    lead=lambda data: (
        f"Rows are reference {data.cluster_noun}s, columns are candidate {data.cluster_noun}s. Matching ones "
        f"are on the diagonal. {colours_of(data)} Stronger colours mean more {data.noun}s. Blue has its own "
        "scale, so errors remain visible."
    ),
    size=lambda data: table_size(data.cells.counts.shape),
    keeps_shape=True,
    draw=lambda ax, data, share: draw_table(ax, data.cells, data.names, share),
    svg=lambda data, narrow: table_svg(data.cells, data.names, narrow=narrow),
    needs=lambda data: data.draws_overlaps,
    on_page=lambda data: not is_of_entities(data),
    note=lambda data: gathered_note(data.cells, data, to_scale=True),
    first_share=lambda data: "reference" if _differ_in_size(data) else None,
    shares={None: "Records", "reference": "Share of row", "candidate": "Share of column"},
)
