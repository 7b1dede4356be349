"""Matrix: the values of one index for many partitions, and what follows from them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, overload

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError, ParameterError, UnknownIndexError, few
from concordant.indices.index import INDICES, Index
from concordant.report.charts.matrix import HEAT_MAP, MAP, RANKING, Grid
from concordant.report.matrix_text import (
    average_linkage,
    classical_scaling,
    matrix_html,
    matrix_notes,
    matrix_rows,
    matrix_text,
)
from concordant.report.pages.matrix import matrices_page, matrix_page
from concordant.results import Result, TextRows, as_json, html_table, notebook_html, read_only_class
from concordant.text_layout import fitted_columns
from concordant.trust.interval import Interval

_ALL: Final = object()  # the default for a name, since None may be a name
_DRAWN = 100  # partitions on a page


@read_only_class
@dataclass(frozen=True, eq=False, repr=False)
class Matrix(Result):
    """The values of one index for many clusterings. `matrix` returns it.

    Rows are references, columns are candidates. `m["a", "b"]` is one value.

    Attributes
    ----------
    names : tuple of str
        Names of the clusterings.
    index : Index
        The declaration of the index.
    values : array
        The values.
    one_set : bool
        Whether all pairs were compared on the same elements.
    reference : str or None
        Name of the clustering that the others are compared with.
    conventions : str
        Unusual conventions.
    intervals : mapping
        The interval of each pair of names, if requested.

    Examples
    --------
    >>> import concordant as cc
    >>> m = cc.matrix([[0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 2, 3]], "precision")
    >>> m.values.tolist()
    [[1.0, 1.0, 1.0], [0.5, 1.0, 1.0], [0.0, 0.0, 1.0]]
    >>> print(m)
    precision, rows are the reference, █ most similar to ░ least
    <BLANKLINE>
           0      1      2
    0   1.00  █1.00  █1.00
    1  ▓0.50   1.00  █1.00
    2  ░0.00  ░0.00   1.00
    """

    names: tuple[str, ...]
    index: Index
    values: NDArray[np.float64]
    one_set: bool = True
    reference: str | None = None
    conventions: str = ""
    # By reference and candidate, if the records are a sample.
    intervals: Mapping[tuple[str, str], Interval] = field(default_factory=dict)

    def __getitem__(self, pair: tuple[Any, Any]) -> float:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise InputError(f"look up a value by two names, as in m['a', 'b'], not by {pair!r}")
        reference, candidate = pair
        return float(self.values[self._place(reference), self._place(candidate)])

    def __len__(self) -> int:
        return len(self.names)

    @property
    def is_metric(self) -> bool:
        """Whether `distances` obeys the triangle inequality, as multidimensional scaling needs."""
        return self.index.metric and self.one_set

    def distances(self) -> NDArray[np.float64]:
        """Return the distances |perfect − value|, with zeros on the diagonal.

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
        perfect = self.index.perfect
        if perfect is None:
            raise ParameterError(
                f"{self.index.name} has no value that all identical partitions share, so it has no distances"
            )
        distances = np.zeros(self.values.shape)
        apart = self.values != perfect  # an infinite perfect value has distance 0 from itself
        distances[apart] = np.abs(perfect - self.values[apart])
        return distances

    @overload
    def nearest(self, name: Any) -> str: ...

    @overload
    def nearest(self) -> dict[str, str]: ...

    def nearest(self, name: Any = _ALL) -> str | dict[str, str]:
        """Find the clustering most similar to a reference, or to each of them.

        Parameters
        ----------
        name : label, optional
            Name of the reference. By default, each clustering is the reference in turn.

        Returns
        -------
        str or dict from str to str
            The name of the nearest clustering; without a name, the nearest of each. A tie goes to the first.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2], "c": [0, 1, 0, 1]}).nearest()
        {'a': 'b', 'b': 'a', 'c': 'b'}
        """
        if name is _ALL:
            return {each: self.nearest(each) for each in self.names}
        place = self._place(name)
        return self.names[_first_best(self._unlikeness()[place], without=place)]

    def ranking(self, reference: Any = None) -> dict[str, float]:
        """Rank the other clusterings by their value with a reference.

        Parameters
        ----------
        reference : label, optional
            Name of the reference. By default, the reference of the matrix.

        Returns
        -------
        dict from str to float
            The values by name, the most similar first.

        Examples
        --------
        >>> import concordant as cc
        >>> runs = {"truth": [0, 0, 1, 1], "a": [0, 1, 0, 1], "b": [0, 0, 1, 2]}
        >>> cc.matrix(runs, "rand", reference="truth").ranking()
        {'b': 0.8333333333333334, 'a': 0.3333333333333333}
        """
        judge = self.reference if reference is None else reference
        if judge is None:
            raise ParameterError(
                "name the partition with which the others are compared", given={"reference": None}
            )
        place = self._place(judge)
        unlike = self._unlikeness()[place]
        order = np.argsort(np.where(np.isnan(unlike), np.inf, unlike), kind="stable").tolist()
        return {self.names[i]: float(self.values[place, i]) for i in order if i != place}

    def medoid(self) -> str:
        """Find the clustering most similar to all others on average.

        Returns
        -------
        str
            The name of the clustering. Both directions count.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix({"a": [0, 0, 1], "b": [0, 1, 1], "c": [0, 1, 2]}, "rand").medoid()
        'c'
        """
        unlike = self._unlikeness()
        np.fill_diagonal(unlike, 0.0)
        return self.names[_first_best(unlike.sum(axis=0) + unlike.sum(axis=1))]

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return the values by reference, then candidate.

        Returns
        -------
        dict from str to dict from str to float
            The values.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix({"a": [0, 0, 1], "b": [0, 1, 1]}, "rand").to_dict()["a"]
        {'a': 1.0, 'b': 0.3333333333333333}
        """
        rows = zip(self.names, self.values.tolist(), strict=True)
        return {name: dict(zip(self.names, row, strict=True)) for name, row in rows}

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the matrix as JSON: names, rows of values, and results such as the medoid.

        Parameters
        ----------
        indent : int or None, default=2
            Indentation. None writes one line.

        Returns
        -------
        str
            The JSON document. Values that are not finite are null.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix({"a": [0, 0, 1], "b": [0, 1, 1]}, "mirkin").to_json(indent=None)[:75]
        '{"index": "mirkin", "names": ["a", "b"], "values": [[0.0, 4.0], [4.0, 0.0]]'
        """
        return as_json(self._document(), indent)

    def _document(self) -> dict[str, Any]:
        return {
            "index": self.index.name,
            "names": self.names,
            "values": self.values,
            "symmetric": self.index.symmetric,
            "metric": self.is_metric,
            "medoid": self.medoid() if self._directed else None,
            "nearest": self.nearest() if self._directed else None,
            "conventions": self.conventions,
            **({"intervals": [self._ends(*pair) for pair in self.intervals]} if self.intervals else {}),
        }

    def _ends(self, reference: str, candidate: str) -> dict[str, Any]:
        found = self.intervals[reference, candidate]
        ends = {name: getattr(found, name) for name in ("confidence", "low", "high", "estimable")}
        return {"reference": reference, "candidate": candidate, **ends}

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write a page, one HTML file that needs no network.

        It has a heat map ordered by an average-linkage tree, and a map by multidimensional scaling if
        `is_metric`. With a reference, it ranks the others. If there are more than 100 clusterings, 100 are
        drawn.

        Parameters
        ----------
        path : str or path-like
            The file to write.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     page = cc.matrix([[0, 0, 1], [0, 1, 1]], "mirkin").to_html(folder + "/runs.html")
        ...     print(page.name, "fit for multidimensional scaling" in page.read_text(encoding="utf-8"))
        runs.html True
        """
        return matrix_page(grid_of(self)).write(path)

    def plot(
        self,
        kind: Literal["matrix", "map", "ranking"] = "matrix",
        *,
        ax: Any = None,
        width: float | None = None,
    ) -> Any:
        """Draw a chart with Matplotlib (extra `plot`).

        Parameters
        ----------
        kind : {"matrix", "map", "ranking"}, default="matrix"
            The heat map, ordered by a tree; the map of the distances if `is_metric`; or, with a reference, a
            dot plot of the ranking.
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
        charts = {"matrix": HEAT_MAP, "map": MAP, "ranking": RANKING}
        if kind not in charts:
            raise ParameterError("use 'matrix', 'map' or 'ranking'", given={"kind": kind})
        grid, chart = grid_of(self), charts[kind]
        if not chart.needs(grid) and kind == "ranking":
            raise ParameterError("a ranking needs matrix(..., reference=...)", given={"kind": kind})
        if not chart.needs(grid):
            raise ParameterError(
                f"{self.index.name} gives no distances that obey the triangle inequality, so it has no map",
                given={"kind": kind},
            )
        return chart.plot(grid, ax, width=width)

    def to_frame(self, backend: Any = None) -> Any:
        """Return a dataframe with one row per reference.

        Parameters
        ----------
        backend : str or module, optional
            The dataframe library: "pandas" (with the names as index), "polars" or "pyarrow". By default, a
            library that you have imported.

        Returns
        -------
        dataframe
            The values.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix({"a": [0, 0, 1], "b": [0, 1, 1]}, "mirkin").to_frame("polars").rows()
        [('a', 0.0, 4.0), ('b', 4.0, 0.0)]
        """
        frame = super().to_frame(backend)
        if not hasattr(frame, "set_index"):
            return frame
        return frame.set_index(frame.columns[0]).rename_axis(None)

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        key = "partition"
        while key in self.names:
            key += "_"
        return [{key: name, **row} for name, row in self.to_dict().items()][:limit]

    def __str__(self) -> str:
        text = matrix_text(self.names, self.index, self.values)
        if self.intervals:  # these replace the shades
            text = "\n".join(fitted_columns(self._tables()[0], left=0))
        return f"{text}\n\n{self.conventions}" if self.conventions else text

    def _own_tables(self) -> Sequence[TextRows]:
        return [matrix_rows(self.names, self.index, self.values, self.intervals)]

    def _repr_html_(self) -> str:
        table = matrix_html(self.names, self.index, self.values)
        if self.intervals:
            table = html_table(self._tables()[0])
        return notebook_html("", [table], [*matrix_notes(self.names, self.index), self.conventions])

    def __repr__(self) -> str:
        return f"<Matrix of {len(self)} partitions by {self.index.name}>"

    # -- helpers --------------------------------------------------------------------------------

    def _place(self, name: Any) -> int:
        try:
            return self.names.index(str(name))
        except ValueError:
            raise InputError(
                f"there is no partition {name!r} in this matrix; it has {few(self.names)}"
            ) from None

    def _unlikeness(self) -> NDArray[np.float64]:
        """Small if partitions are similar, according to the direction of the index."""
        direction = self.index.direction
        if direction == "statistic":
            raise ParameterError(
                f"{self.index.name} has no direction: a larger value does not mean more similar. Use a "
                "similarity or a distance"
            )
        return -self.values if direction == "similarity" else self.values.copy()

    @property
    def _directed(self) -> bool:
        """Whether a larger value means that partitions are more or less similar."""
        return self.index.direction != "statistic"


def grid_of(matrix: Matrix) -> Grid:
    """The content of a page: at most 100 partitions, evenly spaced in tree order."""
    directed, count = matrix._directed, len(matrix)
    drawn, points, held, merges = list(range(min(count, _DRAWN))), None, 0.0, None
    order = list(range(len(drawn)))
    neighbours, ranking = {}, {}
    if directed:
        apart = matrix.distances()
        apart = (apart + apart.T) / 2  # the mean of both directions
        finite = np.isfinite(apart)
        apart[~finite] = 2 * apart[finite].max(initial=0.5)  # farther than all finite distances
        if count > _DRAWN:
            _, leaves = average_linkage(apart)
            drawn = sorted(leaves[place * count // _DRAWN] for place in range(_DRAWN))
        among = apart[np.ix_(drawn, drawn)]
        merges, order = average_linkage(among)
        if matrix.is_metric:
            points, held = classical_scaling(among)
        others = matrix.values.copy()
        np.fill_diagonal(others, 0.0)
        means = (others.sum(axis=0) + others.sum(axis=1)) / (2 * (count - 1))
        neighbours = {
            name: (near, matrix[name, near], mean)
            for (name, near), mean in zip(matrix.nearest().items(), means.tolist(), strict=True)
        }
        ranking = {} if matrix.reference is None else matrix.ranking()
    return Grid(
        matrix.index,
        tuple(matrix.names[place] for place in drawn),
        matrix.values[np.ix_(drawn, drawn)],
        order=order,
        merges=merges,
        points=points,
        held=held,
        medoid=matrix.medoid() if directed else None,
        neighbours=neighbours,
        omitted=count - len(drawn),
        one_set=matrix.one_set,
        reference=matrix.reference,
        ranking=tuple(ranking.items()),
        conventions=matrix.conventions,
    )


def _first_best(unlike: NDArray[np.float64], without: int | None = None) -> int:
    ranked = np.where(np.isnan(unlike), np.inf, unlike)
    places = [i for i in range(len(ranked)) if i != without]
    return min(places, key=lambda i: ranked[i])


class Matrices(Result, Mapping[str, Matrix]):
    """The matrices of several indices for the same clusterings. `matrix` returns it.

    It is a mapping from index to `Matrix`.

    Examples
    --------
    >>> runs = {"a": [0, 0, 1, 1], "b": [0, 0, 1, 2], "c": [0, 1, 0, 1]}
    >>> import concordant as cc
    >>> m = cc.matrix(runs, ["rand", "precision"])
    >>> m["rand"]["a", "b"], m["precision"].medoid()
    (0.8333333333333334, 'a')
    >>> m.to_frame("polars").row(2)
    ('b', 'a', 0.8333333333333334, 0.5)
    """

    __slots__ = ("_matrices",)

    def __init__(self, matrices: Sequence[Matrix]) -> None:
        self._matrices = tuple(matrices)

    def __getitem__(self, spelling: str) -> Matrix:
        declared = INDICES[spelling]
        for each in self._matrices:
            if (each.index.name, each.index.arguments) == (declared.name, declared.arguments):
                return each
        raise UnknownIndexError(f"{declared.name} was not requested; there are {few(self)}")

    def __iter__(self) -> Iterator[str]:
        return (each.index.name for each in self._matrices)

    def __len__(self) -> int:
        return len(self._matrices)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the clusterings."""
        return self._matrices[0].names

    def medoid(self) -> dict[str, str | None]:
        """Find the clustering most similar to all others, by each index.

        Returns
        -------
        dict from str to str
            The name by index. None if neither high nor low values mean similarity.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix([[0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 2, 3]], ["rand", "joint_entropy"]).medoid()
        {'rand': '1', 'joint_entropy': None}
        """
        return {each.index.name: each.medoid() if each._directed else None for each in self._matrices}

    def to_dict(self) -> dict[str, Any]:
        """Return the values by index, then reference, then candidate.

        Returns
        -------
        dict
            The values.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix([[0, 0, 1], [0, 1, 1]], ["rand", "jaccard"]).to_dict()["jaccard"]["0"]["1"]
        0.0
        """
        return {each.index.name: each.to_dict() for each in self._matrices}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """One row for each two different partitions, with a column for each index."""
        places = [(i, j) for i in range(len(self.names)) for j in range(len(self.names)) if i != j]
        return [
            {"reference": self.names[i], "candidate": self.names[j]}
            | {each.index.name: float(each.values[i, j]) for each in self._matrices}
            for i, j in places[:limit]
        ]

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return all matrices as a JSON list.

        Parameters
        ----------
        indent : int or None, default=2
            Indentation. None writes one line.

        Returns
        -------
        str
            The JSON document. Values that are not finite are null.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.matrix([[0, 0, 1], [0, 1, 1]], ["rand", "mirkin"]).to_json(indent=None)[:40]
        '[{"index": "rand", "names": ["0", "1"], '
        """
        return as_json([each._document() for each in self._matrices], indent)

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write one page with the charts of all indices.

        Parameters
        ----------
        path : str or path-like
            The file to write.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.matrix([[0, 0, 1], [0, 1, 1]], ["rand", "jaccard"]).to_html(folder + "/m.html").name
        'm.html'
        """
        return matrices_page([grid_of(each) for each in self._matrices]).write(path)

    def _tables(self, limit: int | None = None) -> Sequence[TextRows]:  # noqa: ARG002  (none of its own)
        return ()

    def _parts(self) -> Sequence[Matrix]:
        return self._matrices

    def __repr__(self) -> str:
        return f"<Matrices of {len(self.names)} partitions by {', '.join(self)}>"
