"""Chart and Display: how a chart is declared, drawn on Matplotlib's axes, and saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from concordant.errors import MissingExtraError, ParameterError, kind_of
from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import printable
from concordant.foundation.text_layout import shortened
from concordant.report.charts.svg import Drawing
from concordant.report.palette import LIGHT
from concordant.report.selection import Match, Node

HATCHING = "////"  # gathered clusters, which are not drawn to scale
GATHERED: dict[str, Any] = {
    "facecolor": "white",
    "edgecolor": LIGHT.muted,
    "hatch": HATCHING,
    "linewidth": 0.5,
}


FONT = 7.0  # points, of labels; names of sides and axes have one more
VALUE, NAME = "value", "name"  # marks of strings that `settle` moves, or omits if there is no space

# Colours are also distinguishable in grey: parts are dotted and strays are hatched.
BAND_HATCHES: dict[Match, str] = {"core": "", "part": "....", "stray": "\\\\\\\\", "other": ""}


def node_label(node: Node, columns: int = 18) -> str:
    """The label of a cluster."""
    return f"{node.gathered:,} more" if node.is_other else plain_text(node.label, columns)


def plain_text(label: Any, columns: int = 18) -> str:
    """Text with its dollars escaped: Matplotlib reads text between two of them as mathematics."""
    return shortened(printable(label), columns).replace("$", r"\$")


def points_wide(ax: Any) -> float:
    """About how wide the axes are with their labels, in points."""
    figure = ax.figure
    is_alone = len(figure.axes) == 1 and figure.get_layout_engine() is not None
    return float(72 * figure.get_figwidth() * (0.96 if is_alone else ax.get_position().width))


def room_for(ax: Any, share: float, most: int = 24) -> int:
    """How many columns of text fit into this share of the width."""
    return max(5, min(most, int(share * points_wide(ax) / (0.62 * FONT))))


def settle(ax: Any) -> None:
    """Omit labels of ticks and numbers of cells that would cover each other, and move names of points."""
    figure = ax.figure
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    for axis in (each for one in (ax, *ax.child_axes) for each in (one.xaxis, one.yaxis)):
        labels = [label for label in axis.get_ticklabels() if label.get_text()][::-1]  # the last one stays
        boxes = [label.get_window_extent(renderer) for label in labels]
        step = next(
            step
            for step in range(1, len(boxes) + 2)
            if not any(map(_overlap, boxes[::step], boxes[step::step]))
        )
        for place, label in enumerate(labels):
            label.set_visible(place % step == 0)
    values = [text for text in ax.texts if text.get_gid() == VALUE]
    boxes = [text.get_window_extent(renderer) for text in values]
    is_crowded = any(_overlap(box, other) for i, box in enumerate(boxes) for other in boxes[i + 1 :])
    for text in values:
        text.set_visible(not is_crowded)
    taken: list[Any] = []
    for text in (text for text in ax.texts if text.get_gid() == NAME):
        text.set_visible(True)  # an invisible text has no size
        # Inside the axes if there is space, else anywhere in the figure.
        for page, (x, y, across, along) in product((ax.bbox, figure.bbox), _BESIDE):
            text.set(position=(x, y), ha=across, va=along)
            box = text.get_window_extent(renderer)
            is_inside = page.x0 <= box.x0 and box.x1 <= page.x1
            is_inside &= page.y0 <= box.y0 and box.y1 <= page.y1
            if is_inside and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                break
        else:
            text.set_visible(False)


# Possible positions of a point's name: points to the right and up, and the alignment.
_BESIDE = [
    (0, 6, "center", "bottom"),
    (0, -6, "center", "top"),
    (7, 0, "left", "center"),
    (-7, 0, "right", "center"),
    (5, 5, "left", "bottom"),
    (-5, 5, "right", "bottom"),
]


def _overlap(box: Any, other: Any) -> bool:
    wide, tall = min(box.x1, other.x1) - max(box.x0, other.x0), min(box.y1, other.y1) - max(box.y0, other.y0)
    return bool(wide > 0 and tall > 0)


def fill_band(ax: Any, x: tuple[float, float], y: tuple[float, float], tall: float, **look: Any) -> None:
    """A band between two bars, as `svg.band_path` draws it."""
    along = np.linspace(0, 1, 40)
    top = y[0] + (y[1] - y[0]) * along * along * (3 - 2 * along)
    ax.fill_between(x[0] + (x[1] - x[0]) * along, top, top + tall, **{"linewidth": 0, **look})


def tint(colour: str, strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """RGB values of a colour on white, one for each strength from 0 to 1."""
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    tinted: NDArray[np.float64] = 1 - strength[..., None] * (1 - rgb)
    return tinted


Subject = TypeVar("Subject")  # what a chart shows: a ReportData, an Alluvial, a Grid
Words = Callable[[Subject], str]


def always(text: str) -> Callable[[Any], str]:
    """The same words whatever is shown."""
    return lambda _: text


@dataclass(frozen=True, slots=True)
class Display:
    """A chart on Matplotlib axes, like the displays of scikit-learn.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.
    """

    ax_: Any
    figure_: Any


@dataclass(frozen=True)
class Chart(Generic[Subject]):
    """The name of a chart, its words, and how Matplotlib and pages draw it."""

    name: str  # as plot() takes it; also its anchor on a page
    title: Words[Subject]
    alt: Words[Subject]  # a description for readers who cannot see it
    lead: Words[Subject]  # how to read it, as HTML
    size: Callable[[Subject], tuple[float, float]]  # width and height of a new figure, in inches
    draw: Callable[[Any, Subject, SideName | None], None]  # on Matplotlib's axes; as shares of a side
    svg: Callable[[Subject, bool], Drawing] | None  # for a wide or a narrow page; None: not on a page
    needs: Callable[[Subject], bool] = lambda _: True
    on_page: Callable[[Subject], bool] = lambda _: True  # whether a page has it, if it can be drawn
    # Data for page.js on the cell below the pointer: names and values.
    cells: Callable[[Subject], Mapping[str, Any] | None] = lambda _: None
    note: Words[Subject] = field(default=always(""))  # what it omits, as HTML
    shares: Mapping[SideName | None, str] = field(default_factory=dict)  # the text of each share's button
    first_share: Callable[[Subject], SideName | None] = lambda _: None  # the share that a page shows first
    keeps_shape: bool = False  # whether a narrower figure is also lower
    short: str = ""  # its name in the links of a page

    def plot(
        self, subject: Subject, ax: Any = None, share: SideName | None = None, width: float | None = None
    ) -> Display:
        """Draw on these axes, or on a new figure of this width in mm, or of its own."""
        is_new = ax is None
        try:
            from concordant.report.charts.figure import new_axes, thin_hatching

            ax = new_axes(self.size(subject), width, keeps_shape=self.keeps_shape) if is_new else ax
        except ImportError as error:
            raise MissingExtraError(
                "plot() draws with Matplotlib, which is not installed: pip install 'concordant[plot]'"
            ) from error
        if not is_new and width is not None:
            raise ParameterError(
                "the axes already have a width; pass either width= or ax=", given={"width": width}
            )
        if not hasattr(ax, "figure"):
            raise ParameterError(f"ax is {kind_of(ax)}, not Matplotlib axes")
        with thin_hatching():
            self.draw(ax, subject, share)
            if is_new:
                settle(ax)
        return Display(ax, ax.figure)
