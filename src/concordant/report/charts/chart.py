"""A chart is declared once; `plot` and the sections of pages derive from its declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from concordant.counts.sides import SideName
from concordant.errors import MissingExtraError, ParameterError, kind_of
from concordant.report.charts.axes import settle
from concordant.report.charts.svg import Drawing

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
    svg: Callable[[Subject, bool], Drawing] | None = None  # for a wide or a narrow page; None: on no page
    needs: Callable[[Subject], bool] = lambda _: True
    on_page: Callable[[Subject], bool] = lambda _: True  # whether a page has it, if it can be drawn
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
            raise ParameterError(f"ax is {kind_of(ax)}, not Matplotlib's axes")
        with thin_hatching():
            self.draw(ax, subject, share)
            if is_new:
                settle(ax)
        return Display(ax, ax.figure)
