"""Matrix: the values of one index or several for many clusterings, and what follows from them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.differences.lazy_list import LazyList, all_largest, field_names
from concordant.errors import ConcordantError, ParameterError, UndefinedError, UnknownKeyError, few
from concordant.foundation import kinds
from concordant.foundation.conventions import check_choice
from concordant.foundation.results import (
    Charts,
    DotPlot,
    Field,
    Listing,
    ReadOnlyDict,
    Result,
    as_frame,
    read_only_class,
)
from concordant.foundation.spelling import counted, part_of, printable
from concordant.foundation.text_layout import shortened
from concordant.indices.index import INDICES, Index, any_index, indices_of
from concordant.indices.values import IndexForms, named_indices
from concordant.inference.interval import Interval
from concordant.maths.arithmetic import read_only
from concordant.report import format_value
from concordant.report.charts.chart import Display
from concordant.report.charts.dots import dot_plot
from concordant.report.charts.heat import HeatScale
from concordant.report.charts.matrix import HEAT_MAP, MAP, Grid
from concordant.report.layout import average_linkage, classical_scaling
from concordant.report.sentences import fitting, listed, named_ties
from concordant.report.values import two_decimals

_SHOWN = 12  # clusterings in a table of values
_DRAWN = 100  # clusterings on a page
_AT_CHANCE = 0.05  # the part of the way from chance to perfect below which a value is at chance


@dataclass(frozen=True, slots=True)
class IndexValue:
    """The value of an index for a reference and a candidate.

    Attributes
    ----------
    reference, candidate : str
        Names of the two clusterings.
    index : str
        Name of the index.
    value : float
        The value.
    low, high : float, optional
        Interval of the value, if it was requested.
    """

    reference: str
    candidate: str
    index: str
    value: float
    low: float | None = None
    high: float | None = None


@read_only_class
@dataclass(frozen=True, slots=True)
class Medoid(Result):
    """The clustering that is most similar to all others on average.

    Attributes
    ----------
    clustering : str
        Its name.
    index : str
        Name of the index.
    value : float
        The mean value with all others, as reference and as candidate.
    """

    clustering: str
    index: str
    value: float


@dataclass(frozen=True, eq=False)
class OneIndex:
    """The values of one index for many clusterings: rows are references, columns are candidates."""

    names: tuple[str, ...]
    index: Index
    values: NDArray[np.float64]
    one_set: bool = True  # whether all pairs were compared on the same records
    intervals: Mapping[tuple[str, str], Interval] = field(default_factory=dict)

    @property
    def is_metric(self) -> bool:
        """Whether distances obey the triangle inequality, as multidimensional scaling needs."""
        return self.index.metric and self.one_set

    @property
    def is_directed(self) -> bool:
        """Whether a larger value means that clusterings are more or less similar."""
        return self.index.direction != "statistic"

    def value(self, reference: int, candidate: int) -> IndexValue:
        one, other = self.names[reference], self.names[candidate]
        found = self.intervals.get((one, other))
        ends = (None, None) if found is None or not found.estimable else (found.low, found.high)
        return IndexValue(one, other, self.index.name, float(self.values[reference, candidate]), *ends)

    def distances(self) -> NDArray[np.float64]:
        perfect = self.index.perfect
        if perfect is None:
            raise ParameterError(
                f"{self.index.name} has no value that all identical partitions share, so it has no distances"
            )
        distances = np.zeros(self.values.shape)
        apart = self.values != perfect  # an infinite perfect value has distance 0 from itself
        distances[apart] = np.abs(perfect - self.values[apart])
        return distances

    def unlikeness(self) -> NDArray[np.float64]:
        """Small if clusterings are similar; NaN counts as infinite."""
        if not self.is_directed:
            raise ParameterError(
                f"{self.index.name} has no direction: a larger value does not mean more similar. Use a "
                "similarity or a distance"
            )
        unlike = -self.values if self.index.direction == "similarity" else self.values
        return np.where(np.isnan(unlike), np.inf, unlike)

    def ranking(self, reference: int) -> list[int]:
        """The other clusterings, the most similar first; ties keep their order, and NaN is last."""
        order = np.argsort(self.unlikeness()[reference], kind="stable").tolist()
        return [place for place in order if place != reference]

    def nearest(self, reference: int) -> list[int]:
        """The clusterings that are most similar to this one: several equal ones, or none if all are NaN."""
        others = [place for place in range(len(self.names)) if place != reference]
        likeness = np.where(self._known, -self.unlikeness(), np.nan)
        return [others[place] for place in all_largest(likeness[reference, others])]

    def medoids(self) -> list[int]:
        """The clusterings with the best mean, among those with the most values; several if they are equal."""
        numbers = self._numbers
        sign = 1 if self.index.direction == "similarity" else -1
        means = np.where(numbers == numbers.max(), sign * self.means(), np.nan)
        return all_largest(means)

    def means(self) -> NDArray[np.float64]:
        """The mean value of each clustering with all others, as reference and as candidate, without NaN."""
        others = np.where(self._known, self.values, 0.0)
        numbers = self._numbers
        means = np.full(len(numbers), np.nan)
        sums = others.sum(axis=0) + others.sum(axis=1)
        np.divide(sums, numbers, out=means, where=numbers > 0)
        return means

    @property
    def _known(self) -> NDArray[np.bool_]:
        """The values with other clusterings that are not NaN."""
        known: NDArray[np.bool_] = ~(np.isnan(self.values) | np.eye(len(self.names), dtype=bool))
        return known

    @property
    def _numbers(self) -> NDArray[np.int64]:
        """How many values with other clusterings each has."""
        known = self._known
        numbers: NDArray[np.int64] = known.sum(axis=0) + known.sum(axis=1)
        return numbers


class Matrix(IndexForms, Mapping[tuple[str, str, str], float]):
    """The values of one index or several for many clusterings, all against all. `matrix` returns it.

    It is a mapping from reference, candidate and index to value. If it has one index, `m["a", "b"]` is
    enough.

    Attributes
    ----------
    names : tuple of str
        Names of the clusterings.
    indices : tuple of Index
        The declarations of the indices.
    size : int
        Number of records.
    reference : str or None
        Name of the clustering that the others are compared with.
    conventions : str
        Unusual conventions.
    intervals : mapping
        The interval of each value by its key, if requested.

    Examples
    --------
    >>> import concordant as cc
    >>> m = cc.matrix([[0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 2, 3]], "precision")
    >>> m["1", "0"], m["1", "0", "precision"]
    (0.5, 0.5)
    >>> print(m)
    0 and 1 are most similar to all others (mean Pairwise precision 0.6250 each)
    <BLANKLINE>
    precision     0     1     2
            0  1.00  1.00  1.00
            1  0.50  1.00  1.00
            2  0.00  0.00  1.00
    <BLANKLINE>
    rows are the reference, columns the candidate: precision
    """

    names: tuple[str, ...]
    indices: tuple[Index, ...]
    size: int
    reference: str | None
    conventions: str
    intervals: Mapping[tuple[str, str, str], Interval]

    def __init__(
        self,
        parts: Sequence[OneIndex],
        *,
        size: int = 0,
        reference: str | None = None,
        conventions: str = "",
    ) -> None:
        self._by_name = {each.index.name: each for each in parts}
        intervals = {
            (*pair, each.index.name): found for each in parts for pair, found in each.intervals.items()
        }
        vars(self).update(
            names=parts[0].names,
            indices=tuple(each.index for each in parts),
            size=size,
            reference=reference,
            conventions=conventions,
            intervals=ReadOnlyDict(intervals),
        )

    # -- the mapping ----------------------------------------------------------------------------

    def __getitem__(self, key: tuple[Any, ...]) -> float:
        if not isinstance(key, tuple) or len(key) not in (2, 3):
            raise UnknownKeyError(f"look up a value as in m['a', 'b'] or m['a', 'b', 'rand'], not by {key!r}")
        part = self._part(*key[2:])
        return float(part.values[self._place(key[0]), self._place(key[1])])

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        return ((one, other, name) for name in self._by_name for one, other in product(self.names, repeat=2))

    def __len__(self) -> int:
        return len(self._by_name) * len(self.names) ** 2

    def __contains__(self, key: object) -> bool:
        try:
            self[key]  # type: ignore[index]  # a wrong key is refused
        except ConcordantError:
            return False
        return True

    def _place(self, name: Any) -> int:
        try:
            return self.names.index(str(name))
        except ValueError:
            raise UnknownKeyError(
                f"there is no clustering {name!r} in this matrix; it has {few(self.names)}"
            ) from None

    def _part(self, index: Any = None) -> OneIndex:
        """The values of an index; None is the only index."""
        if index is None:
            if len(self._by_name) > 1:
                raise UnknownKeyError(f"name one of the indices: {few(self._by_name)}")
            return next(iter(self._by_name.values()))
        if isinstance(index, str) and index in self._by_name:
            return self._by_name[index]
        others = (each.sides for kind in kinds.KINDS.values() if kind.matrix for each in kind.sections)
        declared = any_index(index, INDICES, *map(indices_of, others))
        if declared.name not in self._by_name:
            raise UnknownKeyError(f"{declared.name} was not requested; this has {few(self._by_name)}")
        return self._by_name[declared.name]

    def _parts_of(self, indices: str | Sequence[str] | None) -> list[OneIndex]:
        if indices is None:
            return list(self._by_name.values())
        return [self._part(each) for each in named_indices(indices)]

    def _restricted(self, indices: str | Sequence[str] | None) -> Matrix:
        parts = self._parts_of(indices)
        return Matrix(parts, size=self.size, reference=self.reference, conventions=self.conventions)

    # -- questions ------------------------------------------------------------------------------

    def to_numpy(self, index: str | None = None) -> NDArray[np.float64]:
        """Return the values of an index as an array.

        Parameters
        ----------
        index : str, optional
            Name of the index. Not needed if the matrix has one.

        Returns
        -------
        array
            The values, with references in rows and candidates in columns.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix([[0, 0, 1, 1], [0, 0, 0, 1]], "rand").to_numpy().tolist()
        [[1.0, 0.5], [0.5, 1.0]]
        """
        return read_only(self._part(index).values)

    def distances(self, index: str | None = None) -> NDArray[np.float64]:
        """Return the distances |perfect − value|, with zeros on the diagonal.

        Parameters
        ----------
        index : str, optional
            Name of the index. Not needed if the matrix has one.

        Returns
        -------
        array
            The distances.

        Raises
        ------
        ParameterError
            If the index has no perfect value.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix([[0, 0, 1, 1], [0, 0, 0, 1]], "rand").distances().tolist()
        [[0.0, 0.5], [0.5, 0.0]]
        """
        return read_only(self._part(index).distances())

    def nearest(self, index: str | None = None) -> LazyList[IndexValue]:
        """List the clustering that is most similar to each of them.

        Parameters
        ----------
        index : str, optional
            Name of the index. Not needed if the matrix has one.

        Returns
        -------
        LazyList of IndexValue
            One row for each reference that has a value with any other. A tie goes to the first.

        Examples
        --------
        >>> import concordant as cc
        >>> m = cc.matrix({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2], "c": [0, 1, 0, 1]})
        >>> [(each.reference, each.candidate) for each in m.nearest()]
        [('a', 'b'), ('b', 'a'), ('c', 'b')]
        """
        part = self._part(index)
        found = ((place, part.nearest(place)) for place in range(len(self.names)))
        rows = [part.value(place, near[0]) for place, near in found if near]
        return LazyList(rows, columns=field_names(IndexValue))

    def ranking(self, index: str | None = None, *, reference: Any = None) -> LazyList[IndexValue]:
        """Rank the other clusterings by their value with a reference.

        Parameters
        ----------
        index : str, optional
            Name of the index. Not needed if the matrix has one.
        reference : label, optional
            Name of the reference. By default, the reference of the matrix.

        Returns
        -------
        LazyList of IndexValue
            One row for each other clustering, the most similar first.

        Examples
        --------
        >>> import concordant as cc
        >>> runs = {"truth": [0, 0, 1, 1], "a": [0, 1, 0, 1], "b": [0, 0, 1, 2]}
        >>> ranking = cc.matrix(runs, "rand", reference="truth").ranking()
        >>> [(each.candidate, round(each.value, 4)) for each in ranking]
        [('b', 0.8333), ('a', 0.3333)]
        """
        judge = self.reference if reference is None else reference
        if judge is None:
            raise ParameterError(
                "name the clustering with which the others are compared", given={"reference": None}
            )
        part, place = self._part(index), self._place(judge)
        rows = [part.value(place, other) for other in part.ranking(place)]
        return LazyList(rows, columns=field_names(IndexValue))

    def medoid(self, index: str | None = None) -> Medoid:
        """Find the clustering most similar to all others on average.

        Parameters
        ----------
        index : str, optional
            Name of the index. Not needed if the matrix has one.

        Returns
        -------
        Medoid
            The clustering. Both directions count. A tie goes to the first. NaN is left out of the means, and
            only clusterings with the most other values can be the medoid.

        Raises
        ------
        UndefinedError
            If all values are NaN.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix({"a": [0, 0, 1], "b": [0, 1, 1], "c": [0, 1, 2]}, "rand").medoid().clustering
        'c'
        """
        part = self._part(index)
        part.unlikeness()  # refuses indices without a direction
        if not (places := part.medoids()):
            raise UndefinedError(f"{part.index.name} is not defined for any two of the clusterings")
        place = places[0]
        return Medoid(self.names[place], part.index.name, float(part.means()[place]))

    # -- forms ----------------------------------------------------------------------------------

    @property
    def headline(self) -> str:
        """The clustering nearest to the reference, or most similar to all others, by each index.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix({"a": [0, 0, 1], "b": [0, 1, 1], "c": [0, 1, 2]}, "rand").headline
        'c is most similar to all others (mean Rand index 0.6667)'
        """
        parts, nearest = list(self._by_name.values()), "most similar to all others"
        judge = None if self.reference is None else self._place(self.reference)
        if judge is not None:
            nearest = f"nearest to {_short(self.names[judge])}"
        firsts: dict[tuple[str, ...], list[str]] = {}
        for part in parts:
            if part.is_directed and (first := part.medoids() if judge is None else part.nearest(judge)):
                names = tuple(_short(self.names[place]) for place in first)
                firsts.setdefault(names, []).append(part.index.title)
        if not firsts:
            return f"{len(self.names):,} clusterings, all against all"
        if len(parts) == 1:
            return _by_one_index(parts[0], judge, next(iter(firsts)), nearest)
        if len(firsts) == 1:
            ((names, titles),) = firsts.items()
            by = f"all {len(parts)} indices" if len(titles) == len(parts) else listed(titles)
            return f"{_are(names)} {nearest} by {by}"
        found = "; ".join(f"{named_ties(names)} by {listed(titles)}" for names, titles in firsts.items())
        brief = f"{len(parts)} indices put different clusterings first"
        return fitting([f"{nearest[0].upper()}{nearest[1:]}: {found}", brief])

    def to_dict(self, *, indices: str | Sequence[str] | None = None) -> dict[str, Any]:
        """Return the values of each index, and what follows from them.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, all of the matrix.

        Returns
        -------
        dict
            The content by name. Values are lists of rows, one for each reference.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix({"a": [0, 0, 1], "b": [0, 1, 1]}, "mirkin").to_dict()["indices"]["mirkin"]["values"]
        [[0.0, 4.0], [4.0, 0.0]]
        """
        return {
            "names": list(self.names),
            "reference": self.reference,
            "conventions": self.conventions,
            "indices": {each.index.name: _document(each) for each in self._parts_of(indices)},
        }

    def to_frame(
        self, backend: Any = None, *, indices: str | Sequence[str] | None = None, wide: bool = False
    ) -> Any:
        """Return a dataframe with one row for each value.

        Parameters
        ----------
        backend : str or module, optional
            The dataframe library: "pandas", "polars" or "pyarrow". By default, a library that you have
            imported.
        indices : str or sequence of str, optional
            Names of the indices. By default, all of the matrix.
        wide : bool, default=False
            Whether to return one row for each reference, with a column for each candidate.

        Returns
        -------
        dataframe
            The values.

        Examples
        --------
        >>> import concordant as cc
        >>> m = cc.matrix({"a": [0, 0, 1], "b": [0, 1, 1]}, "mirkin")
        >>> m.to_frame("polars").row(1)
        ('a', 'b', 'mirkin', 4.0, None, None)
        >>> m.to_frame("polars", wide=True).rows()
        [('mirkin', 'a', 0.0, 4.0), ('mirkin', 'b', 4.0, 0.0)]
        """
        if not wide:
            return Result.to_frame(self._restricted(indices), backend)
        parts = self._parts_of(indices)
        columns: dict[str, list[Any]] = {
            "index": [each.index.name for each in parts for _ in self.names],
            "reference": list(self.names) * len(parts),
        }
        for place, name in enumerate(self.names):
            while name in columns:
                name += "_"  # noqa: PLW2901  (the name of a clustering may be that of a column)
            columns[name] = [value for each in parts for value in each.values[:, place].tolist()]
        return as_frame(columns, backend)

    def to_html(self, path: str | os.PathLike[str], *, indices: str | Sequence[str] | None = None) -> Path:
        """Write a page, one HTML file that needs no network.

        It has a heat map ordered by an average-linkage tree, and a map by multidimensional scaling if the
        index is a metric. With a reference, it ranks the others. If there are more than 100 clusterings, 100
        are drawn.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        indices : str or sequence of str, optional
            Names of the indices. By default, all of the matrix.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     print(cc.matrix([[0, 0, 1], [0, 1, 1]], "mirkin").to_html(folder + "/runs.html").name)
        runs.html
        """
        return Result.to_html(self._restricted(indices), path)

    def plot(
        self,
        kind: Literal["matrix", "map", "ranking"] = "matrix",
        *,
        index: str | None = None,
        ax: Any = None,
        width: float | None = None,
    ) -> Display:
        """Draw a chart with Matplotlib (extra `plot`).

        Parameters
        ----------
        kind : {"matrix", "map", "ranking"}, default="matrix"
            The heat map, ordered by a tree; the map of the distances if the index is a metric; or, with a
            reference, a dot plot of the ranking.
        index : str, optional
            Name of the index. Not needed if the matrix has one.
        ax : matplotlib Axes, optional
            Axes to draw on. By default, a new figure.
        width : float, optional
            Width of a new figure in mm.

        Returns
        -------
        Display
            The chart, with the attributes `ax_` and `figure_`.

        Examples
        --------
        >>> import concordant as cc
        >>> len(cc.matrix([[0, 0, 1], [0, 1, 1]], "mirkin").plot("map").ax_.texts)
        2
        """
        check_choice("kind", kind, ("matrix", "map", "ranking"))
        part = self._part(index)
        if kind == "ranking":
            if self.reference is None:
                raise ParameterError("a ranking needs matrix(..., reference=...)", given={"kind": kind})
            ranking = self._ranked(part)
            return dot_plot(ranking).plot(ranking, ax, width=width)
        grid, chart = grid_of(self, part), HEAT_MAP if kind == "matrix" else MAP
        if not chart.needs(grid):
            why = "gives no distances that obey the triangle inequality, so it has no map"
            if part.is_metric:
                why = "has distances that a plane does not show: it would hold less than half of them"
                why = why if part.distances().any() else "has only distances of 0, which need no map"
            raise ParameterError(f"{part.index.name} {why}", given={"kind": kind})
        return chart.plot(grid, ax, width=width)

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        pairs = product(self._by_name.values(), *(range(len(self.names)),) * 2)
        rows = (part.value(one, other) for part, one, other in pairs)
        return [{name: getattr(row, name) for name in self._names()} for row in islice(rows, limit)]

    def _names(self) -> Sequence[str]:
        return field_names(IndexValue)

    def _metrics(self) -> dict[str, Any]:
        found: dict[str, Any] = {name: {} for name in self._by_name}
        for (reference, candidate, index), value in self.items():
            found[index].setdefault(reference, {})[candidate] = value
        return found

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        return [_values_of(part, None if limit is None else _SHOWN) for part in self._by_name.values()]

    def _details(self, limit: int) -> Sequence[Listing]:
        """The ranking by the reference, and the nearest of each clustering."""
        listings: list[Listing] = []
        for part in (each for each in self._by_name.values() if each.is_directed):
            if self.reference is not None:
                listings.append(self._ranked(part))
            means = dict(zip(self.names, part.means().tolist(), strict=True))
            near = self.nearest(part.index.name)
            rows = [(x.reference, x.candidate, x.value, means[x.reference]) for x in near]
            columns = [Field("clustering", text=printable), Field("nearest", text=printable), "value"]
            title = f"The nearest of each by {part.index.name}"
            listings.append(
                Listing(rows[:limit], [*columns, "mean with all others"], title=title, total=len(rows))
            )
        return listings

    def _ranked(self, part: OneIndex) -> Listing:
        title = f"By {part.index.name} with {_short(self.reference)}"
        dots = DotPlot("ranking", title, "value", lead="The nearest comes first.")
        columns = [Field("candidate", text=printable), Field("value", part.index.name, format_value)]
        return Listing(self.ranking(part.index.name), columns, dots=dots)

    def _charts(self) -> Charts:
        grids = [grid_of(self, part) for part in self._by_name.values()]
        return [(chart, grid) for grid in grids for chart in (HEAT_MAP, MAP) if chart.needs(grid)]

    def _footnotes(self) -> Sequence[str]:
        directed = [each.name for each in self.indices if not each.symmetric]
        return [
            f"rows are the reference, columns the candidate: {', '.join(directed)}" if directed else "",
            self.conventions,
        ]

    def __repr__(self) -> str:
        return f"<Matrix of {counted(len(self.names), 'clustering')} by {', '.join(self._by_name)}>"


def _values_of(part: OneIndex, most: int | None) -> Listing:
    """The values as a table, of this many clusterings; the name of the index is in the corner."""
    index, names = part.index, part.names[:most]
    columns = [Field("reference", index.name, printable)]
    heads = map(printable, names)
    columns += [Field("candidate", head if most is None else shortened(head)) for head in heads]
    if part.intervals:
        confidence = next(iter(part.intervals.values())).confidence
        columns[0] = Field("reference", f"{index.name} ({confidence * 100:g}% interval)", printable)
    rows = [(name, *(_cell(part, name, other) for other in names)) for name in names]
    if index.symmetric and len(names) > 1:
        rows = [(*row[:place], *[""] * (len(names) - place)) for place, row in enumerate(rows[1:], start=2)]
        rows, columns = [row[: len(names)] for row in rows], columns[: len(names)]
    more = len(part.names) - len(names)
    rest = f"{part_of(more, len(part.names), 'clustering', 'are')} not shown" if more else ""
    return Listing(rows, columns, rest=rest)


def _cell(part: OneIndex, reference: str, candidate: str) -> str:
    """A value with two decimals, and its interval if requested."""
    places, perfect = (part.names.index(reference), part.names.index(candidate)), part.index.perfect
    text = two_decimals(float(part.values[places]), perfect)
    if (found := part.intervals.get((reference, candidate))) is None:
        return text
    ends = " to ".join(two_decimals(end, perfect) for end in (found.low, found.high))
    return f"{text} ({ends if found.estimable else '—'})"


def _by_one_index(part: OneIndex, judge: int | None, first: Sequence[str], nearest: str) -> str:
    """The headline for one index; ``judge`` is the reference, and ``first`` the nearest to it or to all."""
    title, means, is_whole = part.index.title, part.means().tolist(), not np.isnan(part.values).any()
    if is_whole and all(mean == part.index.perfect for mean in means):
        every = "Both" if len(means) == 2 else f"All {len(means):,}"
        return f"{every} clusterings agree perfectly ({title} {format_value(means[0])})"
    places = range(len(part.names)) if judge is None else [judge]
    largest = max(float(part.values[place, near]) for place in places for near in part.nearest(place)[:1])
    has_chance = HeatScale(part.index, part.values).has_chance and part.index.direction != "distance"
    if has_chance and largest < _AT_CHANCE:
        of = f"the largest {title} of two is" if judge is None else f"the {nearest} has {title}"
        return f"All are at chance: {of} {format_value(largest)}"
    each = " each" if len(first) > 1 else ""
    if judge is not None:
        return f"{_are(first)} {nearest} ({title} {format_value(largest)}{each})"
    mean = means[part.medoids()[0]]
    if len(means) == 2:
        return f"{' and '.join(map(_short, part.names))} have {title} {format_value(mean)}"
    if has_chance and mean < _AT_CHANCE:
        return f"Most are at chance: the largest mean {title} with all others is {format_value(mean)}"
    known = "" if is_whole else ", where it is defined"
    return f"{_are(first)} {nearest} (mean {title} {format_value(mean)}{each}{known})"


def _are(names: Sequence[str]) -> str:
    return f"{named_ties(names)} {'is' if len(names) == 1 else 'are'}"


def _short(name: Any) -> str:
    return shortened(printable(name), 60)


def _nearest(part: OneIndex) -> dict[str, str]:
    """The first of the nearest clusterings of each that has a value with another."""
    found = ((name, part.nearest(place)) for place, name in enumerate(part.names))
    return {name: part.names[near[0]] for name, near in found if near}


def _medoid(part: OneIndex) -> str | None:
    medoids = part.medoids() if part.is_directed else []
    return part.names[medoids[0]] if medoids else None


def _document(part: OneIndex) -> dict[str, Any]:
    """The values of one index as data, and what follows from them."""
    nearest = _nearest(part) if part.is_directed else None
    ends = ("confidence", "low", "high", "estimable")
    return {
        "values": part.values.tolist(),
        "symmetric": part.index.symmetric,
        "metric": part.is_metric,
        "medoid": _medoid(part),
        "nearest": nearest,
        "intervals": [
            {"reference": one, "candidate": other, **{name: getattr(found, name) for name in ends}}
            for (one, other), found in part.intervals.items()
        ],
    }


def grid_of(matrix: Matrix, part: OneIndex) -> Grid:
    """The content of a page: at most 100 clusterings, evenly spaced in tree order."""
    directed, count = part.is_directed, len(part.names)
    drawn, points, held, merges = list(range(min(count, _DRAWN))), None, 0.0, None
    order = list(range(len(drawn)))
    neighbours = {}
    if directed:
        apart = part.distances()
        apart = (apart + apart.T) / 2  # the mean of both directions
        finite = np.isfinite(apart)
        apart[~finite] = 2 * apart[finite].max(initial=0.5)  # farther than all finite distances
        if count > _DRAWN:
            _, leaves = average_linkage(apart)
            drawn = sorted(leaves[place * count // _DRAWN] for place in range(_DRAWN))
        among = apart[np.ix_(drawn, drawn)]
        merges, order = average_linkage(among)
        if part.is_metric:
            points, held = classical_scaling(among)
        neighbours = _nearest(part)
    return Grid(
        part.index,
        tuple(part.names[place] for place in drawn),
        part.values[np.ix_(drawn, drawn)],
        order=order,
        merges=merges,
        points=points,
        held=held,
        medoid=_medoid(part),
        neighbours=neighbours,
        omitted=count - len(drawn),
        reference=matrix.reference,
    )
