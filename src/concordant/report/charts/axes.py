"""Helpers of charts on Matplotlib's axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.spelling import printable
from concordant.report.palette import LIGHT
from concordant.report.picture import Node
from concordant.text_layout import shortened

HATCHING = "////"  # gathered clusters, which are not drawn to scale
GATHERED: dict[str, Any] = {
    "facecolor": "white",
    "edgecolor": LIGHT.muted,
    "hatch": HATCHING,
    "linewidth": 0.5,
}


def node_label(node: Node) -> str:
    """The label of a cluster."""
    return f"{node.gathered:,} more\n(not to scale)" if node.is_other else plain_text(node.label)


def plain_text(label: Any) -> str:
    """Text with its dollars escaped: Matplotlib reads what is between two of them as mathematics."""
    return shortened(printable(label), 18).replace("$", r"\$")


def fill_band(ax: Any, x: tuple[float, float], y: tuple[float, float], tall: float, **look: Any) -> None:
    """A band between two bars, as `svg.band_path` draws it."""
    along = np.linspace(0, 1, 40)
    top = y[0] + (y[1] - y[0]) * along * along * (3 - 2 * along)
    ax.fill_between(x[0] + (x[1] - x[0]) * along, top, top + tall, linewidth=0, **look)


def tint(colour: str, strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """RGB values of a colour on white, one for each strength from 0 to 1."""
    rgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    tinted: NDArray[np.float64] = 1 - strength[..., None] * (1 - rgb)
    return tinted
