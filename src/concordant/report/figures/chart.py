"""A chart is declared once; figures, displays for papers and sections of pages derive from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from concordant.counts.sides import SideName
from concordant.report.figures.display import Display
from concordant.report.figures.palette import LIGHT, Palette
from concordant.report.figures.svg import Drawing

Subject = TypeVar("Subject")  # what a chart shows: a Story, an Alluvial, a Grid
Words = Callable[[Subject], str]


@dataclass(frozen=True, slots=True)
class Look:
    """How a chart is to be drawn."""

    palette: Palette = LIGHT
    narrow: bool = False  # for the screen of a phone
    share: SideName | None = None  # shares of the rows or of the columns, in charts that offer them


USUAL_LOOK = Look()


def always(text: str) -> Callable[[Any], str]:
    """The same words whatever is shown."""
    return lambda _: text


def _nothing(_: Any) -> bool:
    return True


@dataclass(frozen=True)
class Chart(Generic[Subject]):
    """What a chart is called, what it needs, what is said of it, and how each backend draws it."""

    name: str  # as plot() takes it; also its anchor on a page
    title: Words[Subject]
    alt: Words[Subject]  # what one sees there, for those who do not see it
    lead: Words[Subject]  # how to read it, as HTML
    plotly: Callable[[Subject, Look], Any]
    matplotlib: Callable[[Subject, Look], Display]
    svg: Callable[[Subject, Look], Drawing] | None = None  # for pages; without one, it stands on none
    needs: Callable[[Subject], bool] = _nothing
    note: Words[Subject] = field(default=always(""))  # what it leaves out, as HTML
    shares: Mapping[SideName | None, str] = field(default_factory=dict)  # and what their buttons say
    short: str = ""  # what the links of a page call it
