"""The colours of heat maps: from chance, or the lowest value, to perfect."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.report.charts import svg
from concordant.report.values import two_decimals

_LEVELS = 24  # of colour, where cells of equal strength are one path


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
        for step in range(6):
            strength = svg.strength(step / 5, has_numbers=has_numbers)
            box = {"x": start + wide * step, "y": y, "width": wide, "height": 12.0}
            body += svg.element("rect", class_="cell alike", **box, fill_opacity=strength)
        return body + svg.text(words[1], class_="tick", x=start + wide * 6 + 5, y=y + 10)


def cell_paths(shares: NDArray[np.float64], corner: tuple[float, float], cell: tuple[float, float]) -> str:
    """All cells as a few paths, one for each strength of colour; page.js shows what is below the pointer.

    In units of a cell, each path is a sequence of strokes as thick as a row.
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
    place = "translate({:.2f} {:.2f}) scale({:.4f} {:.4f})".format(*corner, *cell)
    return svg.element("g", "", paths, class_="levels", transform=place, data_cells=len(shares))
