"""Heat maps: cells as strong in colour as their values, on Matplotlib's axes and as SVG.

The matrix, the grid of cuts and the contingency table, also the one of soft partitions, are drawn with these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.indices.index import Index
from concordant.report.charts import svg
from concordant.report.charts.chart import FONT, VALUE, tint
from concordant.report.palette import LIGHT
from concordant.report.values import format_value, two_decimals

_LEVELS = 24  # of colour, where cells of equal strength are one path
_STEPS = 6  # of colour in a legend
_BASELINE = 4.5  # how far below the middle of a cell the baseline of its text is


@dataclass(frozen=True, slots=True, eq=False)
class HeatScale:
    """Values of one index, and how strong the colour of each is."""

    index: Index
    values: NDArray[np.float64]

    @property
    def has_chance(self) -> bool:
        """Whether 0 is the value of chance."""
        low, high = self.index.range
        return self.index.adjusted or (isinstance(low, float | int) and low < 0 and high == 1)

    def ends(self) -> tuple[float, float]:
        """The values with the faintest and the strongest colour: chance, or the lowest, and perfect.

        If the range has an end that depends on the data, the farthest of these values is in its place.
        """
        finite = self.values[np.isfinite(self.values)]
        ends = [float(end) if isinstance(end, float | int) else math.inf for end in self.index.range]
        low, high = (0.0 if self.has_chance else ends[0]), ends[1]
        if not math.isfinite(low):
            low = float(finite.min(initial=0.0))
        if not math.isfinite(high):
            high = float(finite.max(initial=0.0))
        return (high, low) if self.index.direction == "distance" else (low, high)

    def likeness(self) -> NDArray[np.float64]:
        """How strong the colour of each value is, 0 to 1; NaN where it has none."""
        low, high = self.ends()
        shares = np.where(np.isfinite(self.values), self.values, np.nan)
        return np.clip((shares - low) / ((high - low) or 1.0), 0, 1)

    def words(self) -> tuple[str, str]:
        """Both ends of the scale in words."""
        low, high = (two_decimals(value, self.index.perfect) for value in self.ends())
        if self.index.direction is None:
            return low, high
        known = all(isinstance(end, float | int) and math.isfinite(end) for end in self.index.range)
        far = "chance" if self.has_chance else "farthest" if known else "farthest here"
        return f"{low} ({far})", f"{high} (perfect)"

    def legend(self, x: float, y: float, *, has_numbers: bool, narrow: bool) -> str:
        """The legend of the colours as SVG."""
        words, wide = self.words(), 10.0 if narrow else 18.0
        body = svg.text(words[0], class_="tick", x=x, y=y + 10)
        start = x + svg.width(words[0], narrow=narrow) + 4
        body += colour_steps((start, y), (wide, 12.0), "cell alike", has_numbers=has_numbers)
        return body + svg.text(words[1], class_="tick", x=start + wide * _STEPS + 5, y=y + 10)


def colour_steps(
    corner: tuple[float, float], step: tuple[float, float], kind: str, *, has_numbers: bool
) -> str:
    """The colours of a scale from the faintest to the strongest, as SVG; each step has this size."""
    (x, y), (width, height) = corner, step
    return "".join(
        svg.element(
            "rect",
            class_=kind,
            x=x + width * place,
            y=y,
            width=width,
            height=height,
            fill_opacity=svg.strength(place / (_STEPS - 1), has_numbers=has_numbers),
        )
        for place in range(_STEPS)
    )


def values_below_pointer(
    values: NDArray[np.float64], rows: Sequence[str], columns: Sequence[str] | None, between: str
) -> dict[str, Any]:
    """Data for page.js on the cell below the pointer: names and values. Without columns, rows have both."""
    named = {"names": rows} if columns is None else {"names": rows, "columns": columns}
    texts = [[format_value(value) for value in row] for row in values.tolist()]
    return {**named, "values": texts, "between": between}


# -- on Matplotlib's axes -------------------------------------------------------------------------------


def cell_colours(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """RGB values of cells by how similar they are, 0 to 1; white where that is not known."""
    colours = np.ones((*strengths.shape, 3))
    is_known = np.isfinite(strengths)
    colours[is_known] = tint(LIGHT.agree, 0.08 + 0.92 * strengths[is_known])
    return colours


def write_in_cells(ax: Any, texts: Mapping[tuple[int, int], str], is_dark: NDArray[np.bool_]) -> None:
    """Text in the middle of cells; white on dark ones."""
    for (i, j), text in texts.items():
        look = {"ha": "center", "va": "center", "fontsize": FONT, "gid": VALUE}
        ax.text(j, i, text, color="white" if is_dark[i, j] else LIGHT.ink, **look)


# -- as SVG -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CellGrid:
    """The cells of a heat map in an SVG drawing: where the first one begins, and their size."""

    left: float
    top: float
    wide: float
    tall: float

    def middle(self, row: float, column: float) -> tuple[float, float]:
        return self.left + (column + 0.5) * self.wide, self.top + (row + 0.5) * self.tall

    def row_label(self, words: str, row: float, **look: Any) -> str:
        """The label of a row, to the left of its cells."""
        y = self.middle(row, 0)[1] + _BASELINE
        return svg.text(words, **look, x=self.left - 8, y=y, text_anchor="end")

    def number(self, words: str, row: int, column: int, kind: str) -> str:
        """A number in the middle of a cell."""
        x, y = self.left + column * self.wide, self.top + row * self.tall
        at = {"x": x + self.wide / 2, "y": y + self.tall / 2 + _BASELINE}
        return svg.text(words, class_=kind, **at)

    def paths(self, shares: NDArray[np.float64]) -> str:
        """All cells as a few paths, one for each strength of colour, for charts with many.

        page.js shows the value below the pointer. In units of a cell, each path is a sequence of strokes as
        thick as a row.
        """
        levels = np.where(np.isnan(shares), -1, np.round(shares * _LEVELS)).astype(int)
        paths = ""
        for level in np.unique(levels).tolist():
            strokes = ""
            for i, row in enumerate(levels == level):
                edges = np.flatnonzero(np.diff(row, prepend=False, append=False)).tolist()
                before = None
                for j, end in zip(edges[::2], edges[1::2], strict=True):
                    move = f"M{j} {i}.5" if before is None else f"m{j - before} 0"
                    strokes, before = f"{strokes}{move}h{end - j}", end
            look = {"class_": "absent"} if level < 0 else {}
            strength = 1.0 if level < 0 else svg.strength(level / _LEVELS, has_numbers=False)
            paths += svg.element("path", stroke_opacity=strength, d=strokes, **look)
        place = f"translate({self.left:.2f} {self.top:.2f}) scale({self.wide:.4f} {self.tall:.4f})"
        return svg.element("g", "", paths, class_="levels", transform=place, data_cells=len(shares))
