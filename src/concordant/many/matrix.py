"""matrix() and Matrix: many partitions of one set, all against all.

Each partition is read and encoded once, as the narrowest integers that hold its clusters; each pair
is counted once where the index allows it.
"""

from __future__ import annotations

import html
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, overload

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import INDICES, Index
from concordant.counts.arguments import checks_arguments
from concordant.counts.arithmetic import read_only
from concordant.counts.conventions import Conventions, NoiseAs, Undefined, Unmatched
from concordant.counts.spelling import printable, shortened
from concordant.counts.text_columns import text_columns
from concordant.differences.frame import as_frame
from concordant.errors import InputError, ParameterError, few
from concordant.many.all_pairs import AllPairs, ColumnPairs
from concordant.many.columns import Progress, check_progress, columns_of, named_partitions
from concordant.partitions.observations import has_observations, observed_columns
from concordant.report import FigureBackend, draw_chart, format_value
from concordant.report.figures.map import MAP
from concordant.report.figures.matrix import HEAT_MAP, Grid, Neighbour
from concordant.report.layout import average_linkage, classical_scaling
from concordant.report.pages.matrix import matrix_page
from concordant.report.pages.page import write_page

_ALL: Final = object()  # the default for a name, since None may be a name

# A printed table shows at most this many rows and columns, the first and the last of them.
_SHOWN = 12
_NAME_WIDTH = 24
_DRAWN = 100  # partitions on a page


@checks_arguments
def matrix(
    partitions: Mapping[Any, Any] | Sequence[Any] | Any,
    index: str = "adjusted_rand",
    *,
    columns: Sequence[str] | None = None,
    reference: Any = None,
    unmatched: Unmatched = "error",
    noise: Any = None,
    noise_as: NoiseAs | None = None,
    undefined: Undefined = "convention",
    threads: int = 0,
    progress: Progress | None = None,
) -> Matrix:
    """Compare many partitions of the same set, all against all, by one index.

    Partitions come as a mapping from name to partition, or as a list, where their names are "0",
    "1" and so on; each is anything that ``compare`` takes. Of a dataframe in memory, or of an array of
    two dimensions, each column is a partition of the rows. In the matrix, rows are references and
    columns candidates. ``reference`` names the partition that all others are judged by, for ``ranking`` and
    the page. Other options are those of ``compare``; ``progress`` is called with the number of pairs
    done and to do.

    Of AnnData, ``columns`` names those of its ``obs`` that hold clusters.

    >>> m = matrix({"k=2": [0, 0, 0, 1, 1, 1], "k=3": [0, 0, 1, 1, 2, 2], "same": "x x x y y y".split()})
    >>> m["k=2", "same"], m.nearest("k=3"), m.medoid()
    (1.0, 'k=2', 'k=2')
    >>> matrix(np.array([[0, 0, 5], [0, 0, 6], [1, 2, 7]]), "rand").names
    ('0', '1', '2')
    """
    declared = INDICES[index]
    check_progress(progress)
    conventions = Conventions(
        unmatched=unmatched, noise=noise, noise_as=noise_as, undefined=undefined, threads=threads
    )
    if has_observations(partitions):
        partitions = observed_columns(partitions, columns or ())
    named = named_partitions(partitions, "matrix", conventions, on_device=True)
    work: AllPairs
    if next(iter(named.values())).is_on_device:
        work = AllPairs(declared, tuple(named), tuple(named.values()), conventions, progress)
        one_set = noise_as != "drop"
    else:
        laid_out = columns_of(named, unmatched)
        work = ColumnPairs(declared, tuple(named), laid_out, conventions, progress)
        one_set = all(column.absent is None and column.dropped is None for column in laid_out)
    if reference is not None and str(reference) not in named:
        raise ParameterError(f"there are {few(named)}", given={"reference": reference})
    judge = None if reference is None else str(reference)
    return Matrix(tuple(named), declared, read_only(work.values()), one_set, judge)


@dataclass(frozen=True, eq=False, repr=False)
class Matrix:
    """The values of one index for many partitions: rows are references, columns are candidates.

    >>> m = matrix([[0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 2, 3]], "precision")
    >>> m.values.tolist()
    [[1.0, 1.0, 1.0], [0.5, 1.0, 1.0], [0.0, 0.0, 1.0]]
    >>> print(m)
    precision, rows are the reference
    <BLANKLINE>
            0       1       2
    0  1.0000  1.0000  1.0000
    1  0.5000  1.0000  1.0000
    2  0.0000  0.0000  1.0000
    """

    names: tuple[str, ...]
    index: Index
    values: NDArray[np.float64]
    one_set: bool = True  # whether all pairs were compared on the same elements
    reference: str | None = None  # the partition that all others are judged by

    def __getitem__(self, pair: tuple[Any, Any]) -> float:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise InputError(f"a value is asked for by two names, m['a', 'b'], not by {pair!r}")
        reference, candidate = pair
        return float(self.values[self._place(reference), self._place(candidate)])

    def __len__(self) -> int:
        return len(self.names)

    @property
    def is_metric(self) -> bool:
        """Whether ``distances()`` obey the triangle inequality, so that they are fit for MDS."""
        return self.index.metric and self.one_set

    @checks_arguments
    def distances(self) -> NDArray[np.float64]:
        """|perfect - value|: zero on the diagonal, and a true metric where ``is_metric``.

        >>> matrix([[0, 0, 1, 1], [0, 0, 0, 1]], "rand").distances().tolist()
        [[0.0, 0.5], [0.5, 0.0]]
        """
        perfect = self.index.perfect
        if perfect is None:
            raise ParameterError(
                f"{self.index.name} has no value that all identical partitions share, hence no distances"
            )
        distances = np.zeros(self.values.shape)
        apart = self.values != perfect  # an infinite perfect value lies at no distance from itself
        distances[apart] = np.abs(perfect - self.values[apart])
        return distances

    @overload
    def nearest(self, name: Any) -> str: ...

    @overload
    def nearest(self) -> dict[str, str]: ...

    @checks_arguments
    def nearest(self, name: Any = _ALL) -> str | dict[str, str]:
        """The partition most like this one, which is taken as the reference; the first of equals.

        Without a name, the nearest of each.

        >>> matrix({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2], "c": [0, 1, 0, 1]}).nearest()
        {'a': 'b', 'b': 'a', 'c': 'b'}
        """
        if name is _ALL:
            return {each: self.nearest(each) for each in self.names}
        place = self._place(name)
        return self.names[_first_best(self._unlikeness()[place], without=place)]

    @checks_arguments
    def ranking(self, reference: Any = None) -> dict[str, float]:
        """All others by their value with the reference, the most like it first; ties as they came.

        >>> runs = {"truth": [0, 0, 1, 1], "a": [0, 1, 0, 1], "b": [0, 0, 1, 2]}
        >>> matrix(runs, "rand", reference="truth").ranking()
        {'b': 0.8333333333333334, 'a': 0.3333333333333333}
        """
        judge = self.reference if reference is None else reference
        if judge is None:
            raise ParameterError("name the partition that judges the others", given={"reference": None})
        place = self._place(judge)
        unlike = self._unlikeness()[place]
        order = np.argsort(np.where(np.isnan(unlike), np.inf, unlike), kind="stable").tolist()
        return {self.names[i]: float(self.values[place, i]) for i in order if i != place}

    @checks_arguments
    def medoid(self) -> str:
        """The partition most like all the others in the mean, as reference and as candidate."""
        unlike = self._unlikeness()
        np.fill_diagonal(unlike, 0.0)
        return self.names[_first_best(unlike.sum(axis=0) + unlike.sum(axis=1))]

    @checks_arguments
    def to_dict(self) -> dict[str, dict[str, float]]:
        """Values by reference, then candidate.

        >>> matrix({"a": [0, 0, 1], "b": [0, 1, 1]}, "rand").to_dict()["a"]
        {'a': 1.0, 'b': 0.3333333333333333}
        """
        rows = zip(self.names, self.values.tolist(), strict=True)
        return {name: dict(zip(self.names, row, strict=True)) for name, row in rows}

    @checks_arguments
    def to_json(self, indent: int | None = 2) -> str:
        """The matrix as JSON: names, rows of values, and what follows from them.

        Values that are not finite become null.

        >>> matrix({"a": [0, 0, 1], "b": [0, 1, 1]}, "mirkin").to_json(indent=None)[:75]
        '{"index": "mirkin", "names": ["a", "b"], "values": [[0.0, 4.0], [4.0, 0.0]]'
        """
        directed = self.index.direction != "statistic"
        document = {
            "index": self.index.name,
            "names": list(self.names),
            "values": [[x if math.isfinite(x) else None for x in row] for row in self.values.tolist()],
            "symmetric": self.index.symmetric,
            "metric": self.is_metric,
            "medoid": self.medoid() if directed else None,
            "nearest": self.nearest() if directed else None,
        }
        return json.dumps(document, indent=indent, ensure_ascii=False)

    @checks_arguments
    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write a page, one file without network: a heat map ordered by a tree, a map of true distances.

        The tree joins by average linkage of the mean of both directions. A map is drawn by classical
        multidimensional scaling where ``is_metric``. Of more than 100 partitions 100 are drawn, evenly taken
        from the order of the tree. With a ``reference``, it ranks the others. Returns the path.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     page = matrix([[0, 0, 1], [0, 1, 1]], "mirkin").to_html(folder + "/runs.html")
        ...     print(page.name, "fit for multidimensional scaling" in page.read_text(encoding="utf-8"))
        runs.html True
        """
        return write_page(path, matrix_page(self._grid()))

    @checks_arguments
    def plot(
        self,
        kind: Literal["matrix", "map"] = "matrix",
        *,
        backend: FigureBackend = "plotly",
        ax: Any = None,
    ) -> Any:
        """The heat "matrix", ordered by a tree, or the "map" of the distances where ``is_metric``.

        ``backend`` "plotly" gives a Plotly figure (extra ``report``); "matplotlib" draws for papers on
        ``ax``, or on new axes, and gives a display with ``ax_`` and ``figure_`` (extra ``papers``).

        >>> matrix([[0, 0, 1], [0, 1, 1]], "mirkin").plot("map").data[0].mode
        'markers+text'
        """
        if kind not in ("matrix", "map"):
            raise ParameterError("use 'matrix' or 'map'", given={"kind": kind})
        grid, chart = self._grid(), MAP if kind == "map" else HEAT_MAP
        if not chart.needs(grid):
            raise ParameterError(
                f"{self.index.name} gives no distances that obey the triangle inequality here, so there is "
                "no map of them",
                given={"kind": kind},
            )
        return draw_chart(chart, grid, backend, ax)

    def _grid(self) -> Grid:
        """What the page draws."""
        directed = self.index.direction != "statistic"
        apart = self._apart() if directed else None
        drawn = list(range(len(self))) if apart is None else _evenly(average_linkage(apart).leaves)
        drawn = sorted(drawn[:_DRAWN])
        among = None if apart is None else apart[np.ix_(drawn, drawn)]
        points, held = classical_scaling(among) if among is not None and self.is_metric else (None, 0.0)
        return Grid(
            self.index,
            tuple(self.names[place] for place in drawn),
            self.values[np.ix_(drawn, drawn)],
            tree=None if among is None else average_linkage(among),
            points=points,
            held=held,
            medoid=self.medoid() if directed else None,
            neighbours=self._neighbours() if directed else {},
            left_out=len(self) - len(drawn),
            one_set=self.one_set,
            reference=self.reference,
            ranking=self._ranked() if directed else (),
        )

    def _ranked(self) -> tuple[Neighbour, ...]:
        if self.reference is None:
            return ()
        return tuple(Neighbour(name, value, value) for name, value in self.ranking().items())

    def _neighbours(self) -> dict[str, Neighbour]:
        count = len(self) - 1
        off = self.values.copy()
        np.fill_diagonal(off, 0.0)
        means = (off.sum(axis=0) + off.sum(axis=1)) / (2 * count)
        return {
            name: Neighbour(near, self[name, near], mean)
            for (name, near), mean in zip(self.nearest().items(), means.tolist(), strict=True)
        }

    def _apart(self) -> NDArray[np.float64]:
        """Distances in the mean of both directions; what is not finite is farther than all that is."""
        apart = self.distances()
        apart = (apart + apart.T) / 2
        finite = np.isfinite(apart)
        apart[~finite] = 2 * apart[finite].max(initial=0.5)
        return apart

    @checks_arguments
    def to_frame(self, backend: Any = None) -> Any:
        """One row per reference: a list of dicts, or a dataframe of your own kind.

        ``backend`` is "pandas", whose index then has the names, "polars", "pyarrow", or the module.

        >>> matrix({"a": [0, 0, 1], "b": [0, 1, 1]}, "mirkin").to_frame()
        [{'partition': 'a', 'a': 0.0, 'b': 4.0}, {'partition': 'b', 'a': 4.0, 'b': 0.0}]
        """
        key = self._key()
        if backend is None:
            return [{key: name, **row} for name, row in self.to_dict().items()]
        columns = dict(zip(self.names, self.values.T.tolist(), strict=True))
        frame = as_frame({key: list(self.names), **columns}, backend)
        return frame.set_index(key).rename_axis(None) if hasattr(frame, "set_index") else frame

    def __str__(self) -> str:
        shown = _shown(len(self))
        head = ["", *(_label(self.names, i) for i in shown)]
        rows = [[_label(self.names, i), *(self._text(i, j) for j in shown)] for i in shown]
        title = f"{self.index.name}{self._reading()}"
        return "\n".join([title, "", *text_columns([head, *rows]), *self._omitted()])

    def _repr_html_(self) -> str:
        shown = _shown(len(self))
        head = "".join(f"<th>{html.escape(_label(self.names, j))}</th>" for j in shown)
        rows = "".join(self._html_row(i, shown) for i in shown)
        title = html.escape(f"{self.index.title}: {self.index.formula}")
        caption = f'<span title="{title}">{html.escape(self.index.name)}</span>{self._reading()}'
        foot = "".join(f"<p><small>{html.escape(line)}</small></p>" for line in self._omitted() if line)
        return f"<div><p>{caption}</p><table><tr><th></th>{head}</tr>{rows}</table>{foot}</div>"

    def __repr__(self) -> str:
        return f"<Matrix of {len(self)} partitions by {self.index.name}>"

    # -- helpers --------------------------------------------------------------------------------

    def _place(self, name: Any) -> int:
        try:
            return self.names.index(str(name))
        except ValueError:
            offered = ", ".join(map(repr, self.names[:_SHOWN])) + (", ..." if len(self) > _SHOWN else "")
            raise InputError(f"there is no partition {name!r} in this matrix; it has {offered}") from None

    def _unlikeness(self) -> NDArray[np.float64]:
        """Small where partitions are alike, by the direction of the index."""
        direction = self.index.direction
        if direction == "statistic":
            raise ParameterError(
                f"{self.index.name} has no direction: a larger value does not mean more alike. "
                "Use a similarity or a distance"
            )
        return -self.values if direction == "similarity" else self.values.copy()

    def _key(self) -> str:
        key = "partition"
        while key in self.names:
            key += "_"
        return key

    def _text(self, i: int | None, j: int | None) -> str:
        return "…" if i is None or j is None else format_value(float(self.values[i, j]))

    def _html_row(self, i: int | None, shown: list[int | None]) -> str:
        cells = "".join(
            f'<td style="text-align:right{self._shade(i, j)}">{self._text(i, j)}</td>' for j in shown
        )
        return f'<tr><th style="text-align:left">{html.escape(_label(self.names, i))}</th>{cells}</tr>'

    def _shade(self, i: int | None, j: int | None) -> str:
        """The stronger the colour, the larger the value."""
        finite = self.values[np.isfinite(self.values)]
        if i is None or j is None or not np.isfinite(self.values[i, j]) or np.ptp(finite) == 0:
            return ""
        share = float((self.values[i, j] - finite.min()) / np.ptp(finite))
        return f";background:rgba(72,120,168,{0.6 * share:.2f})"

    def _reading(self) -> str:
        return "" if self.index.symmetric else ", rows are the reference"

    def _omitted(self) -> list[str]:
        left_out = len(self) - _SHOWN
        return ["", f"{left_out} of {len(self)} partitions are not shown"] if left_out > 0 else []


# -- printing ---------------------------------------------------------------------------------------


def _shown(size: int) -> list[int | None]:
    if size <= _SHOWN:
        return list(range(size))
    half = _SHOWN // 2
    return [*range(half), None, *range(size - half, size)]


def _label(names: Sequence[str], place: int | None) -> str:
    if place is None:
        return "…"
    return shortened(printable(names[place]), _NAME_WIDTH)


def _evenly(leaves: Sequence[int]) -> list[int]:
    """As many leaves as a page draws, evenly taken."""
    if len(leaves) <= _DRAWN:
        return list(leaves)
    return [leaves[place * len(leaves) // _DRAWN] for place in range(_DRAWN)]


def _first_best(unlike: NDArray[np.float64], without: int | None = None) -> int:
    ranked = np.where(np.isnan(unlike), np.inf, unlike)
    places = [i for i in range(len(ranked)) if i != without]
    return min(places, key=lambda i: ranked[i])
