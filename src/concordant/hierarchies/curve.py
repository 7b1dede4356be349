"""Curve: an index at many cuts of a hierarchy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.differences.lazy_list import LazyList, field_names
from concordant.errors import UnknownKeyError
from concordant.foundation.conventions import SIDES, check_choice
from concordant.foundation.results import Field, Listing, ReadOnlyDict, Result, read_only_class
from concordant.foundation.spelling import counted, verb
from concordant.hierarchies.best_cuts import BestCut, best_of, cut_fields
from concordant.hierarchies.curve_charts import CURVE, CurveLine, Curves, CutAxis
from concordant.hierarchies.data import HierarchyData
from concordant.hierarchies.grid_chart import CUT_GRID, CutPicture
from concordant.hierarchies.tree_arrays import HeightTexts
from concordant.indices.index import Index
from concordant.maths.arithmetic import evenly
from concordant.report.charts.chart import Chart, Display


@read_only_class
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Curve(Result, Mapping[int, Mapping[str, Any]]):
    """An index at many cuts, from all singletons to the fewest clusters.

    It is a mapping from the level to its row; for two hierarchies, from the number of clusters.

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
    _hierarchy: HierarchyData  # whose cuts these are; of two, the candidate
    _levels: NDArray[np.int64]  # of this hierarchy
    note: str = ""
    size: int | None = None
    _heights: HeightTexts | None = None

    @property
    def _keys(self) -> NDArray[np.int64]:
        """The levels, or the numbers of clusters of both hierarchies with a minus; ascending."""
        return self.columns["level"] if self.size is None else -self.n_clusters

    def __getitem__(self, level: int) -> Mapping[str, Any]:
        if isinstance(level, int | np.integer) and not isinstance(level, bool):
            keys, key = self._keys, int(level) if self.size is None else -int(level)
            place = int(np.searchsorted(keys, key))
            if place < len(keys) and keys[place] == key:
                row = row_at(self.columns, place)
                missing = [name for name in ("height", "threshold") if row.get(name) != row.get(name)]
                return ReadOnlyDict(row | dict.fromkeys(missing))
        of = "level" if self.size is None else "number of clusters"
        raise UnknownKeyError(f"{level!r} is not the {of} of one of these {counted(len(self), 'cut')}")

    def __iter__(self) -> Iterator[int]:
        return iter(np.abs(self._keys).tolist())

    def __len__(self) -> int:
        return len(self.n_clusters)

    def to_numpy(self) -> NDArray[np.float64]:
        """Return the values as an array.

        Returns
        -------
        array
            The value at each cut.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).curve("jaccard").to_numpy().tolist()
        [0.0, 0.5, 1.0, 0.3333333333333333]
        """
        return self.columns["value"]

    def best(self) -> BestCut:
        """Return the row with the best value. A tie goes to the row with the fewest clusters.

        Cuts of two hierarchies that are both one cluster, or both singletons, do not count: they always
        agree.

        Returns
        -------
        BestCut
            The level, its number of clusters and the value.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).curve("jaccard").best().cut().labels.tolist()
        [0, 0, 1, 1]
        """
        i, hierarchy = self._best(), self._hierarchy
        level = int(self._levels[i])
        height = float(hierarchy.level_heights[level - 1]) if level else None
        return BestCut(
            self.index.name,
            float(self.to_numpy()[i]),
            level,
            int(self.n_clusters[i]),
            None if hierarchy.descending else height,
            height if hierarchy.descending else None,
            hierarchy,
            _heights=self._heights,
        )

    def _best(self) -> int:
        values = self.to_numpy()
        if self.size is not None:
            u, v = self.columns["reference"], self.columns["candidate"]
            is_settled = (u == v) & ((u == 1) | (u == self.size))
            values = values if is_settled.all() else np.where(is_settled, np.nan, values)
        # Levels may join records that are not compared: the first one has the same clusters.
        ascending, best = self.n_clusters[::-1], best_of(self.index, values)
        return len(ascending) - int(np.searchsorted(ascending, self.n_clusters[best], side="right"))

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

    def _line(self) -> CurveLine:
        """The curve as charts draw it."""
        band = next((ends for ends in _BANDS if ends[0] in self.columns), None)
        known = self.index.agreement is not None and not np.isnan(self.to_numpy()).all()
        return CurveLine(
            self.index,
            self.to_numpy(),
            self._best() if known else None,
            None if band is None else (self.columns[band[0]], self.columns[band[1]]),
            self.columns.get("expected"),
        )

    @property
    def n_clusters(self) -> NDArray[np.int64]:
        """The number of clusters at each cut; for two hierarchies, the number for both."""
        return self.columns["n_clusters"]

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

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """All cuts, or an even selection of them with the best one."""
        chosen = set(range(len(self)) if limit is None else evenly(len(self), limit).tolist())
        if self.index.agreement is not None and not np.isnan(self.to_numpy()).all():
            chosen.add(self._best())
        return [row_at(self.columns, i) for i in sorted(chosen)]

    def _title(self) -> str:
        return f"{self.index.name} at {counted(len(self), 'cut')}"

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        rows = self._rows(limit)
        more = len(self) - len(rows)
        others = f"{counted(more, 'other cut', 'are')} not shown" if more else ""
        rest = "; ".join(filter(None, [others, self.note]))
        return [Listing(rows, cut_fields(self.columns, self._heights), rest=rest)]

    def _charts(self) -> list[tuple[Chart[Curves], Curves]]:
        return [(CURVE, report_curves([self]))]

    def __repr__(self) -> str:
        return f"<Curve of {self._title()}>"


def row_at(columns: Mapping[str, NDArray[Any]], i: int) -> dict[str, Any]:
    """A row of a table that is stored by column."""
    return {name: column[i].item() for name, column in columns.items()}


_AXES: tuple[CutAxis, ...] = ("threshold", "height", "clusters")
# The ends of a band, and its description.
_BANDS = {
    ("low", "high"): "intervals, pointwise: each holds for one cut, not for the whole curve",
    ("chance_low", "chance_high"): "two standard deviations around chance, pointwise: for one cut each",
}


def report_curves(curves: Sequence[Curve], axis: CutAxis | None = None) -> Curves:
    """Curves of the same cuts in one chart."""
    columns = curves[0].columns
    offered = [each for each in _AXES if each == "clusters" or each in columns]
    if axis is not None:
        check_choice("x", axis, offered)
    chosen = axis or offered[0]
    lines = [curve._line() for curve in curves]
    words = [_BANDS[ends] for ends in _BANDS if any(ends[0] in curve.columns for curve in curves)]
    x = curves[0].n_clusters if chosen == "clusters" else columns[chosen]
    return Curves(
        chosen,
        x.astype(np.float64),
        curves[0].n_clusters,
        lines,
        band_words="; ".join(words),
        heights=curves[0]._heights,
    )


_SHOWN_SIDE = 10  # rows and columns of text
_DRAWN = 100  # cuts of each side in a picture


@dataclass(frozen=True, slots=True)
class CutPair:
    """A cut of each of two hierarchies. `Cuts.best` returns it, and `Cuts.ridge` lists them.

    Attributes
    ----------
    reference, candidate : int
        Number of clusters of the two cuts.
    value : float
        The value of the index.
    """

    reference: int
    candidate: int
    value: float


@read_only_class
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cuts(Result, Mapping[tuple[int, int], float]):
    """An index for all pairs of cuts of two hierarchies.

    It is a mapping from two numbers of clusters to the value: `cuts[k, l]` has at most k and l clusters.

    Attributes
    ----------
    index : Index
        The declaration of the index.
    reference, candidate : array of int
        Number of clusters of each cut of the two sides, decreasing.
    size : int
        Number of records.
    names : (str, str)
        Display names of the two sides.
    """

    index: Index
    reference: NDArray[np.int64]
    candidate: NDArray[np.int64]
    _values: NDArray[np.float64]  # one row for each cut of the reference
    size: int
    names: tuple[str, str] = SIDES

    def __getitem__(self, numbers: tuple[int, int]) -> float:
        if not isinstance(numbers, tuple) or len(numbers) != 2:
            raise UnknownKeyError(
                "give two numbers of clusters, of the reference and of the candidate: [k, l]"
            )
        places = (
            _place(clusters, k, side)
            for clusters, k, side in zip(
                (self.reference, self.candidate), numbers, ("reference", "candidate"), strict=True
            )
        )
        return float(self._values[tuple(places)])

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return product(self.reference.tolist(), self.candidate.tolist())

    def __len__(self) -> int:
        return self._values.size

    def to_numpy(self) -> NDArray[np.float64]:
        """Return the values as an array.

        Returns
        -------
        array
            One row for each cut of the reference.

        Examples
        --------
        >>> import concordant as cc
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(u, u).cuts("jaccard").to_numpy().diagonal().tolist()
        [1.0, 1.0, 1.0, 1.0]
        """
        return self._values

    def best(self) -> CutPair:
        """Return the best pair of cuts. A tie goes to the pair with the fewest clusters.

        Cuts that are both one cluster, or both singletons, do not count: they always agree.

        Returns
        -------
        CutPair
            The numbers of clusters and the value.

        Examples
        --------
        >>> import concordant as cc
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(u, u).cuts("jaccard").best()
        CutPair(reference=2, candidate=2, value=1.0)
        """
        u, v = self.reference[:, None], self.candidate[None, :]
        is_settled = (u == v) & ((u == 1) | (u == self.size))
        values = self._values if is_settled.all() else np.where(is_settled, np.nan, self._values)
        order = np.argsort(-(u + v), axis=None, kind="stable")
        return self._pair(int(order[best_of(self.index, values.ravel()[order])]))

    def ridge(self) -> LazyList[CutPair]:
        """Return the best candidate cut for each reference cut.

        A tie goes to the cut with the fewest clusters.

        Returns
        -------
        LazyList of CutPair
            The numbers of clusters and the value of each pair.

        Examples
        --------
        >>> import concordant as cc
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> [each.candidate for each in cc.compare(u, u).cuts("jaccard").ridge()]
        [4, 3, 2, 1]
        """
        width = len(self.candidate)
        pairs = [
            self._pair(i * width + best_of(self.index, row))
            for i, row in enumerate(self._values)
            if not np.isnan(row).all()
        ]
        return LazyList(pairs, columns=field_names(CutPair))

    def plot(self, *, ax: Any = None, width: float | None = None) -> Display:
        """Draw a heat map with the ridge and the best pair, with Matplotlib (extra `plot`).

        Parameters
        ----------
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
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(u, u).cuts("jaccard").plot().ax_.get_xlabel()
        'clusters of candidate'
        """
        return CUT_GRID.plot(self._picture(), ax, width=width)

    def _picture(self, *, is_listed: bool = False) -> CutPicture:
        """The grid as charts draw it: if there are very many cuts, an even selection with the best pair."""
        has_best = self.index.agreement is not None and not np.isnan(self._values).all()
        best = self.best() if has_best else None
        places = []
        for side, clusters in (("reference", self.reference), ("candidate", self.candidate)):
            chosen = set(evenly(len(clusters), _DRAWN).tolist())
            if best is not None:
                chosen.add(_place(clusters, getattr(best, side), side))
            places.append(np.array(sorted(chosen, reverse=True)))  # few clusters first
        rows, columns = places

        def nearest(column: int) -> int:
            return int(np.abs(columns - column).argmin())

        ridge = [
            (i, nearest(best_of(self.index, self._values[row])))
            for i, row in enumerate(rows.tolist())
            if has_best and not np.isnan(self._values[row]).all()
        ]
        marked = None
        if best is not None:
            row = _place(self.reference, best.reference, "reference")
            column = _place(self.candidate, best.candidate, "candidate")
            marked = (int(np.flatnonzero(rows == row)[0]), nearest(column))
        return CutPicture(
            self.index,
            self.reference[rows],
            self.candidate[columns],
            self._values[np.ix_(rows, columns)],
            ridge,
            marked,
            self.names,
            omitted=self._values.size - len(rows) * len(columns),
            is_whole=bool(self.reference[0] == self.size == self.candidate[0]),
            is_listed=is_listed,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the index, the numbers of clusters of both sides, and the values by row.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(u, u).cuts("jaccard").to_dict()["reference"]
        [4, 3, 2, 1]
        """
        numbers = {"reference": self.reference.tolist(), "candidate": self.candidate.tolist()}
        return {"index": self.index.name, **numbers, "values": self._values.tolist()}

    def _frame_columns(self) -> dict[str, list[Any]]:
        u, v = np.indices(self._values.shape).reshape(2, -1)
        columns = {
            "reference": self.reference[u],
            "candidate": self.candidate[v],
            "value": self._values.ravel(),
        }
        return {name: column.tolist() for name, column in columns.items()}

    def _pair(self, i: int) -> CutPair:
        u, v = divmod(i, len(self.candidate))
        return CutPair(int(self.reference[u]), int(self.candidate[v]), float(self._values[u, v]))

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [asdict(self._pair(i)) for i in range(self._values.size)[:limit]]

    def _title(self) -> str:
        sizes = f"{len(self.reference):,} by {counted(len(self.candidate), 'cut')}"
        return f"{self.index.name} at {sizes}: clusters of the reference down, of the candidate across"

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        """A row for each pair of cuts; or some of them, with a column for each cut of the candidate."""
        if limit is None:
            return Result._listings(self)
        rows, columns = (evenly(length, _SHOWN_SIDE).tolist() for length in self._values.shape)
        lines = [(f"{self.reference[u]:,}", *self._values[u, columns].tolist()) for u in rows]
        names = [
            Field("reference", ""),
            *(Field("candidate", f"{int(self.candidate[v]):,}") for v in columns),
        ]
        more = self._values.size - len(rows) * len(columns)
        others = f"{counted(more, 'other pair')} of cuts {verb(more, 'are')} not shown"
        return [Listing(lines, names, rest=others if more else "")]

    def _charts(self) -> list[tuple[Chart[CutPicture], CutPicture]]:
        return [(CUT_GRID, self._picture())]

    def __repr__(self) -> str:
        return f"<Cuts: {self._title()}>"


def _place(clusters: NDArray[np.int64], k: Any, side: str) -> int:
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not clusters[-1] <= k:
        raise UnknownKeyError(
            f"the cuts of the {side} have {int(clusters[-1]):,} to {int(clusters[0]):,} clusters, not {k!r}"
        )
    if k > clusters[0]:
        raise UnknownKeyError(
            f"the finest cut of the {side} in this grid has {int(clusters[0]):,} clusters, not {k:,}"
        )
    return int(np.searchsorted(-clusters, -int(k), side="left"))
