"""One figure of a comparison: drawn by Plotly for notebooks, by Matplotlib for papers."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any, Literal, get_args

from concordant.counts.sides import SideName
from concordant.errors import ParameterError, TableNeededError
from concordant.report.figures import charts, papers
from concordant.report.figures.canvas import plotly
from concordant.report.figures.flow import flow
from concordant.report.story import Story

FigureKind = Literal["flow", "table", "sizes", "indices"]
FigureBackend = Literal["plotly", "matplotlib"]


def draw_figure(
    story: Story, kind: FigureKind, backend: FigureBackend, share: SideName | None, ax: Any
) -> Any:
    """A Plotly figure, or a Display on Matplotlib's axes."""
    _check("kind", kind, get_args(FigureKind))
    _check("backend", backend, get_args(FigureBackend))
    _check("share", share, (None, *get_args(SideName)))
    if share is not None and kind != "table":
        raise ParameterError(f"share={share!r} is for the table, not for {kind!r}")
    if kind in ("flow", "table") and not story.shows_overlaps:
        raise TableNeededError(
            f"a {kind} shows which clusters overlap, and this comparison "
            + ("has no elements" if not story.size else "was made from sizes alone")
        )
    if backend == "matplotlib":
        return papers.display(story, kind, share).plot(ax=ax)
    if ax is not None:
        raise ParameterError("ax is for backend='matplotlib'; Plotly makes a figure of its own")
    return plotly().Figure(_figure(story, kind, share))


def _figure(story: Story, kind: FigureKind, share: SideName | None) -> dict[str, Any]:
    if kind == "flow":
        return flow(story.flow, story.names)
    if kind == "table":
        return charts.cells(story.cells, story.names, share=share)
    if kind == "sizes":
        return charts.sizes(story.sizes, story.names)
    return charts.indices(story.summary)


def _check(option: str, value: Any, offered: Iterable[Any]) -> None:
    choices = list(offered)
    if value in choices:
        return
    near = difflib.get_close_matches(str(value), [str(choice) for choice in choices], n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ParameterError(f"{option}={value!r}: use {', '.join(map(repr, choices))}{hint}")
