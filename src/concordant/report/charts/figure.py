"""New Matplotlib figures, ready for papers. The only module that imports Matplotlib; plot() imports it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from concordant.errors import ParameterError

_MILLIMETRES = 25.4  # in an inch
_WIDEST = 180 / _MILLIMETRES  # two columns of most journals; more does not fit on a page
_NARROWEST = 60.0  # mm: names need some space
_LARGEST = 1000.0


def thin_hatching() -> AbstractContextManager[None]:
    """Lines of hatching as thin as those around bars."""
    return mpl.rc_context({"hatch.linewidth": 0.4})


class _PaperFigure(Figure):
    """A figure that is saved with Type 42 fonts, whatever the settings of the program are."""

    def savefig(self, fname: Any, **options: Any) -> None:
        # Many journals refuse Type 3 fonts, which are Matplotlib's default.
        with mpl.rc_context({"pdf.fonttype": 42, "ps.fonttype": 42}), thin_hatching():
            super().savefig(fname, **options)

    def draw(self, renderer: Any) -> None:
        with thin_hatching():  # older versions of Matplotlib read the setting when they draw
            super().draw(renderer)


def new_axes(size: tuple[float, float], width: float | None, *, keeps_shape: bool) -> Any:
    """The axes of a new figure. Its size is in inches; ``width`` replaces its first number, in mm."""
    import matplotlib.pyplot as plt  # here, as it chooses a backend

    wide, tall = min(size[0], _WIDEST), size[1]
    if width is not None:
        is_number = isinstance(width, int | float) and not isinstance(width, bool)
        if not is_number or not _NARROWEST <= width <= _LARGEST:
            raise ParameterError(
                f"the width of a figure is {_NARROWEST:g} to {_LARGEST:g} mm; one column of a journal has "
                "about 85, two have 180",
                given={"width": width},
            )
        wide = width / _MILLIMETRES
        tall *= wide / size[0] if keeps_shape else 1.0
    _, ax = plt.subplots(figsize=(wide, tall), layout="constrained", FigureClass=_PaperFigure)
    return ax
