"""The tanglegram: two trees face to face, with a line from each leaf to itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import counted, printable
from concordant.foundation.text_layout import cell_width, shortened_apart
from concordant.hierarchies.tanglegrams import Tanglegram
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, Chart, plain_text, points_wide, room_for
from concordant.report.palette import LIGHT
from concordant.report.values import format_value

MOST_LACES = 250  # more would cover each other


@dataclass(frozen=True, slots=True, eq=False)
class FacingTrees:
    """A tanglegram with the names of its sides."""

    drawing: Tanglegram
    names: tuple[str, str]
    is_listed: bool = False  # whether a table on the page lists the lines

    @property
    def lines(self) -> int:
        """The number of lines, each a leaf or a subtree that both trees share."""
        return len(self.drawing.folded)

    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The place from the top of each line, in the order of the reference, on both sides."""
        order = {leaf: place for place, leaf in enumerate(self.drawing.candidate.tolist())}
        return np.arange(self.lines), np.array([order[leaf] for leaf in self.drawing.reference.tolist()])

    def crosses(self) -> NDArray[np.bool_]:
        """Whether each line crosses another."""
        first, second = self.places()
        crossed = (first[:, None] < first[None, :]) != (second[:, None] < second[None, :])
        found: NDArray[np.bool_] = (crossed & ~np.eye(self.lines, dtype=bool)).any(axis=1)
        return found

    def branches(
        self, side: int
    ) -> tuple[list[tuple[float, float, float]], list[tuple[float, float, float]]]:
        """The tree of a side: stems, from a node's depth to its parent's, and bars, from child to child.

        Depth is 0 at the leaves and 1 at the root; places are leaves from the top.
        """
        parent, level = self.drawing.parents[side], self.drawing.levels[side]
        order = (self.drawing.reference, self.drawing.candidate)[side]
        depth = np.concatenate([np.zeros(self.lines), level / max(int(level.max(initial=1)), 1)])
        # Leaves are numbered by their first elements.
        low = np.full(len(parent), math.inf)
        low[np.argsort(np.argsort(order))] = np.arange(self.lines)
        high, middle = low.copy(), low.copy()
        high[self.lines :] = -math.inf
        stems, bars = [], []
        for node, above in enumerate(parent.tolist()):
            if node >= self.lines:
                middle[node] = (low[node] + high[node]) / 2
                bars.append((float(depth[node]), float(low[node]), float(high[node])))
            if above >= 0:
                low[above], high[above] = min(low[above], middle[node]), max(high[above], middle[node])
                stems.append((float(depth[node]), float(depth[above]), float(middle[node])))
        return stems, bars

    def line_words(self, line: int) -> str:
        """A line in words."""
        elements = len(self.drawing.folded[line])
        name = svg.plain(self.drawing._records[line], 60)
        return name if elements == 1 else f"{name} and {elements - 1:,} more, a subtree of both"

    def short_labels(self, length: int) -> list[str]:
        """The labels of the lines, short and different from each other if that is possible."""
        more = [f" +{len(each) - 1:,}" if len(each) > 1 else "" for each in self.drawing.folded]
        room = length - max(map(len, more), default=0)
        names = shortened_apart([printable(label) for label in self.drawing._records], room)
        return [name + rest for name, rest in zip(names, more, strict=True)]


def _segments(ax: Any, lines: Sequence[tuple[tuple[float, float], tuple[float, float]]], **look: Any) -> None:
    """Separate lines, each with its two x and its two y, in one artist."""
    x, y = ([each for line in lines for each in (*line[axis], math.nan)] for axis in (0, 1))
    if lines:
        ax.plot(x, y, **look)


_LABEL, _GAP = 0.25, 4.0  # the share of the width that labels have on each side, and points beside them


def _draw(ax: Any, trees: FacingTrees, _: SideName | None) -> None:
    """From left to right, in points: a tree, labels, lines, labels, a tree."""
    first, second = trees.places()
    crosses, size, width = trees.crosses(), FONT - 1, points_wide(ax)
    labels = trees.short_labels(max(4, int(_LABEL * width / (0.65 * size))))
    tall = 72 * ax.figure.get_figheight() * ax.get_position().height / (trees.lines + 2.2)  # of a line
    shown = math.ceil(1.25 * size / tall)  # lines per label
    beside = 0.65 * size * max(map(cell_width, labels)) + 2 * _GAP
    tree = 0.33 * (width - 2 * beside)
    edge = tree + beside
    looks: dict[bool, dict[str, Any]] = {
        False: {"color": LIGHT.agree},
        True: {"color": LIGHT.differ, "linestyle": (0, (4, 1.5))},
    }
    for is_crossing, look in looks.items():
        which = np.flatnonzero(crosses == is_crossing).tolist()
        _segments(ax, [((edge, width - edge), (first[i], second[i])) for i in which], linewidth=0.9, **look)
    for side in (0, 1):
        begins, outward = (tree, -tree) if side == 0 else (width - tree, tree)
        stems, bars = trees.branches(side)
        lines = [((begins + outward * begin, begins + outward * end), (at, at)) for begin, end, at in stems]
        lines += [((begins + outward * depth,) * 2, (low, high)) for depth, low, high in bars]
        _segments(ax, lines, linewidth=0.8, color=LIGHT.muted, gid="branches")
        at = {"ha": "right", "x": edge - _GAP} if side == 0 else {"ha": "left", "x": width - edge + _GAP}
        for line, place in enumerate((first, second)[side].tolist()):
            if place % shown == 0:
                text = labels[line].replace("$", r"\$")
                ax.text(y=place, s=text, va="center", fontsize=size, **at)
        title = plain_text(trees.names[side], room_for(ax, 0.4, 40))
        corner = {"ha": "left", "x": 0} if side == 0 else {"ha": "right", "x": width}
        ax.text(y=-1.2, s=title, va="bottom", fontsize=FONT + 1, weight="bold", **corner)
    ax.set(xlim=(-1, width + 1), ylim=(trees.lines - 0.3, -2.2))
    ax.set_axis_off()


def _svg(trees: FacingTrees, *, narrow: bool) -> svg.Drawing:
    width, size = (svg.NARROW if narrow else svg.WIDE), svg.TEXT[narrow]
    count, top = trees.lines, size + 18
    step = size + 3 if count <= 60 else max(60 * (size + 3) / count, 4.0)
    shown = math.ceil((size + 1) / step)  # lines per label
    length = 7 if narrow else 16
    labels = trees.short_labels(length)
    wide = max(svg.width(text, narrow=narrow) for text in labels) + 10
    tree = (60.0 if narrow else 230.0) - 2
    edges = (2 + tree + wide, width - 2 - tree - wide)
    foot = top + step * count

    def y_of(place: float) -> float:
        return top + (place + 0.5) * step

    body = ""
    for side, (edge, outward) in enumerate(zip((2 + tree, width - 2 - tree), (-1, 1), strict=True)):
        stems, bars = trees.branches(side)
        path = "".join(
            f"M{edge + outward * tree * begin:.1f} {y_of(place):.1f}H{edge + outward * tree * end:.1f}"
            for begin, end, place in stems
        )
        path += "".join(
            f"M{edge + outward * tree * depth:.1f} {y_of(low):.1f}V{y_of(high):.1f}"
            for depth, low, high in bars
        )
        body += svg.element("path", class_="branch", d=path)
        name = svg.plain(trees.names[side], 14 if narrow else 40)
        corner = {"x": (2, width - 2)[side], "text_anchor": ("start", "end")[side]}
        body += svg.text(name, class_="side", y=size + 2, **corner)
    first, second = (each.tolist() for each in trees.places())
    crosses, middle = trees.crosses(), sum(edges) / 2
    together = ["", ""]  # a phone has no space for a link on each line, and the table has them
    for line in range(count):
        y0, y1 = y_of(first[line]), y_of(second[line])
        path = f"M{edges[0]:.1f} {y0:.1f}C{middle:.1f} {y0:.1f} {middle:.1f} {y1:.1f} {edges[1]:.1f} {y1:.1f}"
        kind = "lace" if crosses[line] else "lace straight"
        title = f"{trees.line_words(line)}\nplace {first[line] + 1:,} and {second[line] + 1:,} from the top"
        if narrow:
            together[not crosses[line]] += path
        elif trees.is_listed:
            body += svg.element("a", title, svg.element("path", class_=kind, d=path), href=f"#line{line}")
        else:
            body += svg.element("path", title, class_=kind, d=path)
        for side, place in enumerate((first[line], second[line])):
            if place % shown == 0:
                at = {"x": (edges[0] - 5, edges[1] + 5)[side], "y": y_of(place) + 4.5}
                body += svg.text(labels[line], text_anchor=("end", "start")[side], **at)
    for path, kind in zip(together, ("lace", "lace straight"), strict=True):
        body += svg.element("path", class_=kind, d=path) if path else ""
    return svg.Drawing(width, foot + 8, body)


def _title(trees: FacingTrees) -> str:
    return f"Both trees side by side, {counted(trees.drawing.crossings, 'crossing')} (tanglegram)"


def drawing_words(trees: FacingTrees) -> str:
    """Crossings and entanglement in a sentence: they describe the drawing."""
    found = trees.drawing
    words = counted(found.crossings, "crossing")
    if not math.isnan(found.entanglement):
        words += f" and an entanglement of {format_value(found.entanglement)}"
    return f"{words} describe this drawing, not the hierarchies"


TANGLEGRAM = Chart[FacingTrees](
    name="tanglegram",
    short="Tanglegram",
    title=_title,
    alt=lambda trees: f"Tanglegram of {counted(trees.lines, 'line')}; {drawing_words(trees)}",
    lead=lambda trees: (
        "Each line connects a record, or a subtree that both trees share, with itself. Nodes are rotated "
        f"to reduce crossings: {drawing_words(trees)}. "
        '<b class="agree">Blue</b> lines cross no other, <b class="differ">orange</b> ones do.'
    ),
    size=lambda trees: (6.4, 1.0 + max(0.13 * min(trees.lines, 45), 5.0 if trees.lines > 45 else 0.0)),
    draw=_draw,
    svg=lambda trees, narrow: _svg(trees, narrow=narrow),
    needs=lambda trees: 1 < trees.lines <= MOST_LACES,
    note=lambda trees: (
        f'<p class="note">{counted(sum(map(len, trees.drawing.folded)), "record")} in '
        f"{counted(trees.lines, 'line')}: "
        "subtrees that both hierarchies have are folded.</p>"
        if trees.drawing.is_folded
        else ""
    ),
)
