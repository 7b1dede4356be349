"""HierarchyComparison: a hierarchy against a partition, or against another hierarchy, at every cut."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from concordant.catalogue.index import DEFAULT_FOR_SAMPLES, DEFAULT_INDEX, INDICES
from concordant.comparisons import hierarchy_pictures
from concordant.comparisons.base import check_names
from concordant.comparisons.comparison import Comparison
from concordant.comparisons.hierarchy_cuts import HierarchyCuts
from concordant.comparisons.hierarchy_pictures import HierarchyChart
from concordant.counts.conventions import TABLE_LIMIT, Conventions
from concordant.counts.spelling import counted
from concordant.errors import ParameterError, UnknownIndexError, WeightsError, did_you_mean
from concordant.hierarchies.curve import (
    chosen_levels,
    cut_texts,
    evenly,
)
from concordant.hierarchies.leaves import lay_side_by_side
from concordant.hierarchies.tree_indices import TREE_INDICES, TREE_PARTITION_INDICES, index_at_cuts
from concordant.report.charts.chart import Display
from concordant.report.charts.curves import CutAxis
from concordant.report.pages.page import write_page
from concordant.results import Result, as_frame, as_json

if TYPE_CHECKING:
    pass

# The indices that a printed comparison shows; they are followed from level to level.
_SHOWN = ("precision", "recall", DEFAULT_FOR_SAMPLES, DEFAULT_INDEX)
_ROWS = 20


class HierarchyComparison(HierarchyCuts, Result):
    """A hierarchy compared with a partition or with another hierarchy. `compare` returns it.

    An index of partitions has a value at each cut: `curve` returns all of them, and `at` compares one cut.
    Indices of whole trees are attributes and items.

    Examples
    --------
    >>> import concordant as cc
    >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
    >>> t = cc.compare(["a", "a", "b", "b"], h)
    >>> t.curve("jaccard").values.tolist()
    [0.0, 0.5, 1.0, 0.3333333333333333]
    >>> t.best_cut("jaccard").clusters, t.at(k=2).jaccard
    (2, 1.0)
    """

    def __getitem__(self, spelling: str) -> float:
        """The index of whole trees with this name."""
        if spelling in TREE_PARTITION_INDICES:
            return float(TREE_PARTITION_INDICES[spelling].compute(self._truth))
        if spelling.partition("(")[0] not in TREE_INDICES:
            self._refuse(INDICES[spelling])
        return self._tree_value(spelling)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            declared = INDICES[name]
        except UnknownIndexError as error:
            if hasattr(Comparison, name):
                raise AttributeError(
                    f"a HierarchyComparison has no {name!r}, but the comparison of each cut has: "
                    f"at(k=...).{name}"
                ) from None
            methods = [each for each in dir(type(self)) if not each.startswith("_")]
            near = did_you_mean(name, methods, 0.8)
            raise AttributeError(f"a HierarchyComparison has no {name!r}{near or f': {error}'}") from None
        self._refuse(declared)

    def plot(
        self,
        kind: HierarchyChart = "curve",
        *,
        indices: Sequence[str] | None = None,
        x: CutAxis | None = None,
        names: tuple[str, str] = ("reference", "candidate"),
        ax: Any = None,
        width: float | None = None,
    ) -> Display:
        """Draw a chart with Matplotlib (extra `plot`).

        Parameters
        ----------
        kind : {"curve", "precision_recall", "grid", "tanglegram"}, default="curve"
            "precision_recall" needs a partition, "grid" and "tanglegram" need two hierarchies.
        indices : sequence of str, optional
            Names of the indices to draw. By default, the most common.
        x : {"threshold", "height", "clusters"}, optional
            Horizontal axis of the curve.
        names : (str, str), default=("reference", "candidate")
            Names of the two sides.
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
        >>> cc.compare(["a", "a", "b", "b"], h).plot("precision_recall").ax_.get_xlabel()
        'recall of pairs'
        """
        return hierarchy_pictures.plot(self, kind, indices, x, names, ax=ax, width=width)

    def to_html(
        self,
        path: str | os.PathLike[str],
        *,
        indices: Sequence[str] | None = None,
        levels: int | None = None,
        names: tuple[str, str] = ("reference", "candidate"),
    ) -> Path:
        """Write the report page: one HTML file that needs no network.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        indices : sequence of str, optional
            Names of the indices. The best cut is that of the first index that counts both splits and merges
            as errors. By default, the most common.
        levels : int, optional
            Number of levels on the page, evenly chosen, plus the best level. For two hierarchies, the grid
            has this many of the coarsest levels, up to 100. By default, curves have all levels, and tables
            and the grid have 60.
        names : (str, str), default=("reference", "candidate")
            Names of the two sides.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc, tempfile
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(cc.compare(["a", "a", "b", "b"], h).to_html(folder + "/curve.html").name)
        curve.html
        """
        return write_page(path, hierarchy_pictures.page(self, indices, names, levels))

    def _repr_html_(self) -> str:
        return hierarchy_pictures.picture(self) + super()._repr_html_()

    def to_dict(self, *spellings: str, levels: int | None = None) -> dict[str, Any]:
        """Return the cuts as lists: clusters, height or threshold, and indices.

        Parameters
        ----------
        *spellings : str
            Names of the indices. By default, four pair-counting indices.
        levels : int, optional
            Maximum number of levels, as in `curve`.

        Returns
        -------
        dict
            One list for each column.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).to_dict("rand")["clusters"]
        [4, 3, 2, 1]
        """
        names = spellings or _SHOWN
        columns = {name: column.tolist() for name, column in self._columns(names, levels).items()}
        indices = {name: columns.pop(name) for name in names}
        return {"signature": self.signature, "elements": self.size, **columns, "indices": indices}

    def to_json(self, *spellings: str, levels: int | None = None, indent: int | None = 2) -> str:
        """Return the cuts as JSON.

        Parameters
        ----------
        *spellings : str
            Names of the indices. By default, four pair-counting indices.
        levels : int, optional
            Maximum number of levels, as in `curve`.
        indent : int or None, default=2
            Indentation. None writes one line.

        Returns
        -------
        str
            The JSON document. Values that are not finite are null.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> '"clusters": [4, 3, 2, 1]' in cc.compare(["a", "a", "b", "b"], h).to_json(indent=None)
        True
        """
        return as_json(self.to_dict(*spellings, levels=levels), indent)

    def to_frame(
        self, backend: Any = None, *, indices: Sequence[str] | None = None, levels: int | None = None
    ) -> Any:
        """Return a dataframe with one row per cut: clusters, height or threshold, and indices.

        Parameters
        ----------
        backend : str or module, optional
            The dataframe library: "pandas", "polars" or "pyarrow". By default, a library that you have
            imported.
        indices : sequence of str, optional
            Names of the indices. By default, four pair-counting indices.
        levels : int, optional
            Maximum number of levels, as in `curve`.

        Returns
        -------
        dataframe
            One row per cut.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).to_frame("polars")["clusters"].to_list()
        [4, 3, 2, 1]
        """
        columns = self._columns(_SHOWN if indices is None else check_names(indices), levels)
        return as_frame({name: column.tolist() for name, column in columns.items()}, backend)

    def _columns(self, names: Sequence[str], levels: int | None = None) -> dict[str, NDArray[Any]]:
        if self._are_both:
            trees = self._trees
            chosen = chosen_levels(levels, len(trees.numbers))
            found = {
                name: trees.diagonal_values(index_at_cuts(name), self._conventions.undefined, chosen)
                for name in names
            }
            return {"k": trees.numbers if chosen is None else trees.numbers[chosen], **found}
        chosen = chosen_levels(levels, self._truth.tree.levels + 1)
        return self._cuts(chosen) | {name: self._values(index_at_cuts(name), chosen) for name in names}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        columns = self._columns(_SHOWN)
        return [_row(columns, i) for i in range(len(columns[_SHOWN[0]]))[:limit]]

    def _texts(self, row: Mapping[str, Any]) -> list[str]:
        return cut_texts(row)

    def _names(self) -> Sequence[str]:
        return list(self._columns(_SHOWN))

    def _title(self) -> str:
        sides = [
            f"a partition into {counted(self._truth.label_count, 'cluster')}"
            if side is None
            else f"a hierarchy of {counted(len(side.level_heights), 'level')}"
            for side in self._leaves.sides
        ]
        return f"{counted(self.size, 'element')}: {' against '.join(sides)}"

    def _shown(self) -> tuple[list[dict[str, Any]], Sequence[str], str]:
        columns = self._columns(_SHOWN)
        length = len(columns[_SHOWN[0]])
        chosen, notes = set(evenly(length, _ROWS).tolist()), []
        if not self._are_both:
            best = [self.best_cut(name) for name in _SHOWN[2:]]
            chosen |= {each.level for each in best}
            notes = [str(each) for each in best]
        if length > len(chosen):
            notes.insert(0, f"{length - len(chosen):,} other cuts are not shown")
        return [_row(columns, i) for i in sorted(chosen)], list(columns), "\n".join(notes)

    def __repr__(self) -> str:
        return f"<HierarchyComparison of {self._title()}>"


def _row(columns: Mapping[str, NDArray[Any]], i: int) -> dict[str, Any]:
    return {name: column[i].item() for name, column in columns.items()}


def compare_hierarchies(
    reference: Any, candidate: Any, conventions: Conventions, weights: Any = None
) -> HierarchyComparison:
    """Two sides of which at least one is a Hierarchy."""
    if weights is not None:
        raise WeightsError(
            "the elements of a hierarchy all weigh the same; compare one cut with weights, as in "
            "compare(truth, hierarchy.cut(k=5), weights=...)"
        )
    if conventions.table_limit != TABLE_LIMIT:
        raise ParameterError(
            "the cuts of a hierarchy are counted in memory, where the table has no limit; leave it out",
            given={"table_limit": conventions.table_limit},
        )
    made = HierarchyComparison(lay_side_by_side(reference, candidate, conventions), conventions)
    if conventions.progress is not None:
        conventions.progress(1, 1)
    return made
