"""Figures for papers, on Matplotlib's axes, in the manner of scikit-learn's displays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Self

import numpy as np

from concordant.counts.sides import SideName
from concordant.counts.spelling import printable, shortened
from concordant.errors import MissingExtraError, ParameterError
from concordant.report.figures.charts import cell_share, class_text, in_classes, shares, size_classes
from concordant.report.figures.palette import LIGHT
from concordant.report.picture import Node, Picture
from concordant.report.story import SideTitles, Story
from concordant.report.summary import Line, format_value, share_of_range


def display(story: Story, kind: str, share: SideName | None) -> Display:
    """The display of that kind; ``plot`` draws it."""
    if kind == "flow":
        return FlowDisplay(story.flow, story.names)
    if kind == "table":
        return TableDisplay(story.cells, story.names, share)
    if kind == "sizes":
        return SizesDisplay(story.sizes, story.names)
    return IndicesDisplay(story.summary.headline, story.size)


@dataclass
class Display(ABC):
    """Something that draws itself on Matplotlib's axes; afterwards it has ``ax_`` and ``figure_``."""

    ax_: Any = field(init=False, default=None)
    figure_: Any = field(init=False, default=None)

    def plot(self, *, ax: Any = None) -> Self:
        """Draw on these axes, or on new ones."""
        if ax is None:
            _, ax = _pyplot().subplots(figsize=self._size(), layout="constrained")
        elif not hasattr(ax, "figure"):
            raise ParameterError(f"ax is a {type(ax).__name__}, not Matplotlib's axes")
        self.ax_, self.figure_ = ax, ax.figure
        self._draw(ax)
        return self

    @abstractmethod
    def _size(self) -> tuple[float, float]:
        """Width and height of new axes, in inches."""

    @abstractmethod
    def _draw(self, ax: Any) -> None:
        """Draw on these axes."""


@dataclass
class TableDisplay(Display):
    """The contingency table: blue where clusters match, orange where records stray."""

    picture: Picture
    names: SideTitles
    share: SideName | None = None

    def _size(self) -> tuple[float, float]:
        rows, columns = self.picture.counts.shape
        return max(3.2, 0.42 * columns + 1.2), max(2.6, 0.36 * rows + 1)

    def _draw(self, ax: Any) -> None:
        values = shares(self.picture, self.share)
        colours = np.ones((*values.shape, 3))
        for where, colour in ((self.picture.matched, LIGHT.agree), (~self.picture.matched, LIGHT.differ)):
            shown = where & (values > 0)
            if shown.any():
                strength = 0.1 + 0.9 * values[shown] / (1.0 if self.share else values[shown].max())
                colours[shown] = 1 - strength[:, None] * (1 - _rgb(colour))
        ax.imshow(colours, aspect="auto")
        self._write_numbers(ax, values, colours)
        _ticks(ax.xaxis, self.picture.columns, self.names[1], rotation=90)
        _ticks(ax.yaxis, self.picture.rows, self.names[0])
        ax.xaxis.set_ticks_position("top")
        ax.xaxis.set_label_position("top")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)

    def _write_numbers(self, ax: Any, values: Any, colours: Any) -> None:
        if max(values.shape) > 20:
            return
        for i, j in np.argwhere(values > 0):
            number = int(self.picture.counts[i, j])
            text = cell_share(self.picture, i, j, self.share) if self.share else f"{number:,}"
            ink = "white" if colours[i, j].mean() < 0.55 else LIGHT.ink
            ax.text(j, i, text, ha="center", va="center", fontsize=8, color=ink)


@dataclass
class FlowDisplay(Display):
    """Bands of records from reference clusters on the left to candidate clusters on the right."""

    picture: Picture
    names: SideTitles

    def _size(self) -> tuple[float, float]:
        return 6.4, max(3.0, 0.34 * max(self.picture.counts.shape) + 1)

    def _draw(self, ax: Any) -> None:
        counts = self.picture.counts.astype(float)
        gap = 0.25 * counts.sum() / max(counts.shape)
        left, right = _tops(counts.sum(axis=1), gap), _tops(counts.sum(axis=0), gap)
        left, right = left - left[-1] / 2, right - right[-1] / 2
        self._bands(ax, counts, left[:-1].copy(), right[:-1].copy())
        sides = [
            (0.0, left, counts.sum(axis=1), self.picture.rows, LIGHT.reference, "right"),
            (1.0, right, counts.sum(axis=0), self.picture.columns, LIGHT.candidate, "left"),
        ]
        for x, tops, heights, nodes, colour, align in sides:
            outward = -1 if align == "right" else 1
            ax.bar(x + outward * 0.01, heights, 0.02, tops[:-1], color=colour)
            for top, height, node in zip(tops, heights, nodes, strict=False):
                ax.text(
                    x + outward * 0.035, top + height / 2, _label(node), ha=align, va="center", fontsize=8
                )
        for x, name, align in ((0, self.names[0], "right"), (1, self.names[1], "left")):
            ax.text(
                x,
                min(left[0], right[0]) - gap,
                _plain(name),
                ha=align,
                va="bottom",
                fontsize=9,
                weight="bold",
            )
        ax.set(xlim=(-0.25, 1.25), ylim=(max(left[-1], right[-1]), min(left[0], right[0]) - 2 * gap))
        ax.set_axis_off()

    def _bands(self, ax: Any, counts: Any, left: Any, right: Any) -> None:
        along = np.linspace(0, 1, 40)
        ease = along * along * (3 - 2 * along)
        for i, j in np.argwhere(counts > 0):
            n = counts[i, j]
            top = left[i] + (right[j] - left[i]) * ease
            colour, opacity = (LIGHT.agree, 0.35) if self.picture.matched[i, j] else (LIGHT.muted, 0.3)
            if self.picture.is_stray(i, j):
                colour, opacity = LIGHT.differ, 0.65
            ax.fill_between(along, top, top + n, color=colour, alpha=opacity, linewidth=0)
            left[i] += n
            right[j] += n


@dataclass
class SizesDisplay(Display):
    """How many clusters there are of each size, on both sides."""

    sizes: tuple[Any, Any]
    names: SideTitles

    def _size(self) -> tuple[float, float]:
        return 6.4, 3.0

    def _draw(self, ax: Any) -> None:
        edges = size_classes(self.sizes)
        places = np.arange(len(edges) - 1)
        numbers = [in_classes(of, edges) for of in self.sizes]
        # Before the bars: what Matplotlib picks for itself needs something to draw.
        ax.set(yscale="log", ylim=(0.5, 1.6 * max(1, *map(max, numbers))))
        sides = zip(numbers, self.names, (LIGHT.reference, LIGHT.candidate), (-0.2, 0.2), strict=True)
        for heights, name, colour, shift in sides:
            ax.bar(places + shift, heights, 0.38, label=_plain(name), color=colour)
        ax.set_xticks(places, [class_text(low, high) for low, high in pairwise(edges)], fontsize=8)
        ax.set(xlabel="records in a cluster", ylabel="clusters")
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(frameon=False)


@dataclass
class IndicesDisplay(Display):
    """The headline indices, each as far along its own range as its value lies."""

    lines: Any
    size: int

    def _size(self) -> tuple[float, float]:
        return 6.4, 0.32 * len(self._shown()) + 0.6

    def _shown(self) -> list[tuple[Line, float]]:
        both = [(line, share_of_range(line, self.size)) for line in self.lines]
        return [(line, share) for line, share in both if share is not None]

    def _draw(self, ax: Any) -> None:
        shown = self._shown()[::-1]
        colours = [LIGHT.differ if line.index.direction == "distance" else LIGHT.agree for line, _ in shown]
        bars = ax.barh([line.index.name for line, _ in shown], [share for _, share in shown], color=colours)
        ax.bar_label(bars, [format_value(line.value) for line, _ in shown], padding=4, fontsize=8)
        ax.set(xlim=(0, 1.15), xticks=[0, 1], xticklabels=["lowest", "highest"])
        ax.spines[["top", "right", "left"]].set_visible(False)


def _tops(heights: Any, gap: float) -> Any:
    """Where bars begin that stand one below the other, and where the last one ends."""
    ends = np.cumsum(heights + gap)
    return np.concatenate([[0.0], ends[:-1], [ends[-1] - gap]])


def _ticks(axis: Any, nodes: tuple[Node, ...], name: str, rotation: float = 0) -> None:
    texts = [_label(node) for node in nodes]
    short = max(map(len, texts)) <= 3
    axis.set_ticks(range(len(nodes)), texts, rotation=0 if short else rotation, fontsize=8)
    axis.set_label_text(_plain(name), weight="bold", fontsize=9)
    axis.labelpad = 8


def _label(node: Node) -> str:
    return "other" if node.is_other else _plain(node.label)


def _plain(label: Any) -> str:
    """Matplotlib reads what stands between dollars as mathematics."""
    return shortened(printable(label), 18).replace("$", r"\$")


def _rgb(colour: str) -> Any:
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingExtraError(
            "figures for papers are drawn by Matplotlib, which is not installed: "
            "pip install 'concordant[papers]'"
        ) from error
    return plt
