"""Curve: an index at many cuts of a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import evenly
from concordant.counts.spelling import counted
from concordant.errors import ParameterError
from concordant.hierarchies.curve import best_of, cut_texts
from concordant.report.charts.chart import Chart, Display
from concordant.report.charts.curves import CURVE, CurveLine, Curves, CutAxis
from concordant.results import Result


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Curve(Result):
    """An index at many cuts, from all singletons to the fewest clusters.

    Attributes
    ----------
    index : Index
        The index.
    columns : mapping
        The columns by name: the cuts, `value`, and its interval or band.
    note : str
        Remarks on the columns.
    size : int, optional
        For two hierarchies, the number of elements.
    """

    index: Index
    columns: Mapping[str, NDArray[Any]]
    note: str = ""
    size: int | None = None

    @property
    def values(self) -> NDArray[np.float64]:
        """The value at each cut."""
        return self.columns["value"]

    def __len__(self) -> int:
        return len(self.values)

    def best(self) -> dict[str, Any]:
        """Return the row with the best value. A tie goes to the row with the fewest clusters.

        Cuts of two hierarchies that are both one cluster, or both singletons, do not count: they always
        agree.

        Returns
        -------
        dict
            The row.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).curve("jaccard").best()["clusters"]
        2
        """
        return self._row(self._best())

    def _best(self) -> int:
        values = self.values
        if self.size is not None:
            u, v = self.columns["reference"], self.columns["candidate"]
            is_settled = (u == v) & ((u == 1) | (u == self.size))
            values = values if is_settled.all() else np.where(is_settled, np.nan, values)
        return best_of(self.index, values)

    def plot(self, *, x: CutAxis | None = None, ax: Any = None, width: float | None = None) -> Display:
        """Draw a line chart with the best value and the pointwise band, with Matplotlib (extra `plot`).

        Parameters
        ----------
        x : {"threshold", "height", "clusters"}, optional
            Horizontal axis. By default, the first of these that the cuts have.
        ax : matplotlib Axes, optional
            Axes to draw on. By default, a new figure.
        width : float, optional
            Width of a new figure in mm. 85 is one column of most journals, 180 is two.

        Returns
        -------
        Display
            The chart, with the attributes `ax_` and `figure_`.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).curve("jaccard").plot(x="clusters").ax_.get_xlabel()
        'number of clusters'
        """
        return CURVE.plot(report_curves([self], x), ax, width=width)

    def line(self) -> CurveLine:
        """The curve as charts draw it."""
        band = next((ends for ends in _BANDS if ends[0] in self.columns), None)
        known = self.index.agreement is not None and not np.isnan(self.values).all()
        return CurveLine(
            self.index,
            self.values,
            self._best() if known else None,
            None if band is None else (self.columns[band[0]], self.columns[band[1]]),
            self.columns.get("expected"),
        )

    @property
    def clusters(self) -> NDArray[np.int64]:
        """The number of clusters at each cut; for two hierarchies, the number for both."""
        return self.columns["clusters" if "clusters" in self.columns else "k"]

    def to_dict(self) -> dict[str, Any]:
        """Return the index, its columns as lists, and the note.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).curve("jaccard").to_dict()["index"]
        'jaccard'
        """
        return {"index": self.index.name, **self._frame_columns(), "note": self.note}

    def _frame_columns(self) -> dict[str, list[Any]]:
        return {name: column.tolist() for name, column in self.columns.items()}

    def _row(self, i: int) -> dict[str, Any]:
        return {name: column[i].item() for name, column in self.columns.items()}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """All cuts, or an even selection of them with the best one."""
        chosen = set(range(len(self)) if limit is None else evenly(len(self), limit).tolist())
        if self.index.agreement is not None and not np.isnan(self.values).all():
            chosen.add(self._best())
        return [self._row(i) for i in sorted(chosen)]

    def _texts(self, row: Mapping[str, Any]) -> list[str]:
        return cut_texts(row)

    def _title(self) -> str:
        return f"{self.index.name} at {counted(len(self), 'cut')}"

    def _rest(self, listed: int) -> str:
        more = len(self) - listed
        return "; ".join(filter(None, [f"{more:,} other cuts are not shown" if more else "", self.note]))

    def _charts(self) -> list[tuple[Chart[Curves], Curves]]:
        return [(CURVE, report_curves([self]))]

    def __repr__(self) -> str:
        return f"<Curve of {self._title()}>"


_AXES: tuple[CutAxis, ...] = ("threshold", "height", "clusters")
# The ends of a band, and its description.
_BANDS = {
    ("low", "high"): "intervals, pointwise: each holds for one cut, not for the whole curve",
    ("chance_low", "chance_high"): "two standard deviations around chance, pointwise: for one cut each",
}


def report_curves(curves: Sequence[Curve], axis: CutAxis | None = None, listed: Sequence[int] = ()) -> Curves:
    """Curves of the same cuts in one chart; ``listed`` are the cuts that a table on the page lists."""
    columns = curves[0].columns
    offered = [each for each in _AXES if each == "clusters" or each in columns]
    if axis is not None and axis not in offered:
        raise ParameterError(f"use {' or '.join(map(repr, offered))}", given={"x": axis})
    chosen = axis or offered[0]
    lines = [curve.line() for curve in curves]
    words = [_BANDS[ends] for ends in _BANDS if any(ends[0] in curve.columns for curve in curves)]
    x = curves[0].clusters if chosen == "clusters" else columns[chosen]
    return Curves(chosen, x.astype(np.float64), curves[0].clusters, lines, listed, "; ".join(words))
