"""What charts for papers share: drawn on Matplotlib's axes, in the manner of scikit-learn's displays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Self

from concordant.counts.spelling import printable, shortened
from concordant.errors import MissingExtraError, ParameterError, kind_of
from concordant.report.figures.palette import LIGHT
from concordant.report.picture import Node

HATCHING = "////"  # what is gathered, and not drawn to scale
GATHERED: dict[str, Any] = {
    "facecolor": "white",
    "edgecolor": LIGHT.muted,
    "hatch": HATCHING,
    "linewidth": 0.5,
}


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
            raise ParameterError(f"ax is {kind_of(ax)}, not Matplotlib's axes")
        self.ax_, self.figure_ = ax, ax.figure
        self._draw(ax)
        return self

    @abstractmethod
    def _size(self) -> tuple[float, float]:
        """Width and height of new axes, in inches."""

    @abstractmethod
    def _draw(self, ax: Any) -> None:
        """Draw on these axes."""


def plain_label(node: Node) -> str:
    """A cluster as Matplotlib shows it."""
    return f"{node.gathered:,} more\n(not to scale)" if node.is_other else plain_text(node.label)


def plain_text(label: Any) -> str:
    """Matplotlib reads what stands between dollars as mathematics."""
    return shortened(printable(label), 18).replace("$", r"\$")


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingExtraError(
            "figures for papers are drawn by Matplotlib, which is not installed: "
            "pip install 'concordant[papers]'"
        ) from error
    return plt
