"""What the flow and the alluvial picture share: bars one below the other, and bands between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def tops(heights: Any, pad: float, room: float | None = None) -> NDArray[np.float64]:
    """Where bars begin that stand one below the other, centred in the room if there is more than they need.

    >>> tops([10, 20], 5).tolist(), tops([10, 20], 5, room=55).tolist()
    ([0.0, 15.0], [10.0, 25.0])
    """
    tall = np.asarray(heights, dtype=float)
    begin = np.concatenate([[0.0], np.cumsum(tall + pad)[:-1]]) if len(tall) else np.zeros(0)
    needed = float(tall.sum()) + pad * (len(tall) - 1)
    return begin if room is None else begin + (room - needed) / 2


def band_path(x: tuple[float, float], y: tuple[float, float], tall: float) -> str:
    """A band from the right edge of one bar to the left edge of another, as the path of an SVG."""
    (x0, x1), (y0, y1), middle = x, y, sum(x) / 2
    return (
        f"M{x0:.1f} {y0:.2f}C{middle:.1f} {y0:.2f} {middle:.1f} {y1:.2f} {x1:.1f} {y1:.2f}v{tall:.2f}"
        f"C{middle:.1f} {y1 + tall:.2f} {middle:.1f} {y0 + tall:.2f} {x0:.1f} {y0 + tall:.2f}z"
    )


def fill_band(ax: Any, x: tuple[float, float], y: tuple[float, float], tall: float, **look: Any) -> None:
    """The same on Matplotlib's axes."""
    along = np.linspace(0, 1, 40)
    top = y[0] + (y[1] - y[0]) * along * along * (3 - 2 * along)
    ax.fill_between(x[0] + (x[1] - x[0]) * along, top, top + tall, linewidth=0, **look)
