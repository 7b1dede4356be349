"""HierarchyComparison: a hierarchy against a partition, or against another hierarchy, at every cut."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from concordant import comparisons
from concordant.catalogue.index import DEFAULT_FOR_SAMPLES, DEFAULT_INDEX, INDICES, Index
from concordant.comparisons import hierarchy_pictures
from concordant.comparisons.base import check_names
from concordant.comparisons.comparison import Comparison
from concordant.comparisons.curve import Curve
from concordant.comparisons.cuts import Cuts
from concordant.comparisons.hierarchy_pictures import HierarchyChart
from concordant.comparisons.tree_values import TreeValues
from concordant.comparisons.truth_values import TruthValues
from concordant.counts.conventions import TABLE_LIMIT, Conventions
from concordant.counts.spelling import counted
from concordant.errors import HierarchyError, ParameterError, UnknownIndexError, WeightsError, did_you_mean
from concordant.hierarchies.chance import diagonal_chance, has_chance
from concordant.hierarchies.curve import (
    chosen_levels,
    cut_texts,
    evenly,
)
from concordant.hierarchies.cut_tree import CutTree
from concordant.hierarchies.grid import TwoTrees
from concordant.hierarchies.hierarchy import Hierarchy
from concordant.hierarchies.leaves import Leaves, lay_side_by_side
from concordant.hierarchies.tree_indices import TREE_INDICES, TREE_PARTITION_INDICES, index_at_cuts
from concordant.report.charts.chart import Display
from concordant.report.charts.curves import CutAxis
from concordant.report.pages.page import write_page
from concordant.results import Result, as_frame, as_json

if TYPE_CHECKING:
    from concordant.trust.design import Sampling

# The indices that a printed comparison shows; they are followed from level to level.
_SHOWN = ("precision", "recall", DEFAULT_FOR_SAMPLES, DEFAULT_INDEX)
_ROWS = 20
_MOST_BY_CHANCE = 10_000  # cuts; the moments of each are fractions


class HierarchyComparison(TruthValues, TreeValues, Result):
    """A hierarchy compared with a partition, or with another hierarchy: every index at every cut.

    ``compare`` makes it if a side is a ``Hierarchy``. An index of partitions has a value at each cut, not one
    for the whole hierarchy: ``curve`` has them all, and ``at`` compares one cut.

    >>> import concordant as cc
    >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
    >>> t = cc.compare(["a", "a", "b", "b"], h)
    >>> t.curve("jaccard").values.tolist()
    [0.0, 0.5, 1.0, 0.3333333333333333]
    >>> t.best_cut("jaccard").clusters, t.at(k=2).jaccard
    (2, 1.0)
    """

    def __init__(self, leaves: Leaves, conventions: Conventions) -> None:
        self._leaves, self._conventions = leaves, conventions
        self._curves: dict[tuple[Any, ...], NDArray[np.float64]] = {}

    # -- what was compared ------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of compared elements."""
        return self._leaves.size

    @property
    def reference(self) -> Hierarchy | None:
        """The hierarchy that is the reference; None if that is a partition."""
        return self._leaves.sides[0]

    @property
    def candidate(self) -> Hierarchy | None:
        """The hierarchy that is the candidate; None if that is a partition."""
        return self._leaves.sides[1]

    @property
    def signature(self) -> str:
        """One line that makes two published numbers comparable: version, sizes, conventions."""
        from importlib.metadata import version  # slow to import, rarely needed

        found = self._leaves.counted
        sides = [
            counted(self._truth.label_count, "cluster")
            if side is None
            else f"{len(side.level_heights):,} levels"
            for side in self._leaves.sides
        ]
        parts = [f"concordant {version('concordant')}", f"n={self.size} {' against '.join(sides)}"]
        parts += [f"{key}={value}" for key, value in found.conventions.items()]
        parts.append(f"undefined={self._conventions.undefined}")
        parts += [f"{key}={value}" for key, value in found.audit.items() if value]
        return " | ".join(parts)

    @property
    def _are_both(self) -> bool:
        return None not in self._leaves.sides

    @cached_property
    def _trees(self) -> TwoTrees:
        if not self._are_both:
            raise HierarchyError(
                "pairs of cuts are for two hierarchies, and one side is a partition; use curve()"
            )
        return TwoTrees(CutTree(self._leaves.tree(0)), CutTree(self._leaves.tree(1)))

    # -- cuts -------------------------------------------------------------------------------------

    def at(
        self,
        k: int | None = None,
        candidate_k: int | None = None,
        *,
        height: float | None = None,
        threshold: float | None = None,
        level: int | None = None,
    ) -> Comparison:
        """The comparison of one cut, or of a cut of each hierarchy, as ``compare`` makes it of partitions.

        k           the first level with at most k clusters of compared elements
        candidate_k of two hierarchies: the clusters of the candidate; as many as k if not given
        height      everything joined at this height or below
        threshold   everything joined by a score of at least this
        level       the number of the level; 0 makes singletons of all leaves

        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).at(height=0.15).recall
        0.5
        >>> cc.compare(h, h).at(2, 3).recall
        0.5
        """
        if candidate_k is not None and (k is None or not self._are_both):
            raise ParameterError(
                "it is the number of clusters of the second hierarchy, beside k of the first",
                given={"candidate_k": candidate_k},
            )
        ways = {"height": height, "threshold": threshold, "level": level}
        levels: list[int | None] = [None, None]
        for side, hierarchy in enumerate(self._leaves.sides):
            if hierarchy is not None:
                own = candidate_k if side and candidate_k is not None else k
                levels[side] = self._level_at(side, hierarchy, own, ways)
        return Comparison(self._leaves.at((levels[0], levels[1])), undefined=self._conventions.undefined)

    def _level_at(self, side: int, hierarchy: Hierarchy, k: int | None, ways: dict[str, Any]) -> int:
        is_whole = self._leaves.names.positions(side) is None  # all leaves are compared
        if is_whole or k is None or isinstance(k, bool) or any(way is not None for way in ways.values()):
            return hierarchy.level_at(k=k, **ways)
        clusters = self._clusters(side)
        if not clusters[-1] <= k <= clusters[0]:
            raise ParameterError(
                f"the compared elements are in {clusters[-1]:,} to {counted(int(clusters[0]), 'cluster')}",
                given={"k": k},
            )
        return int(np.searchsorted(-clusters, -k, side="left"))

    def _clusters(self, side: int) -> NDArray[np.int64]:
        """The number of clusters of compared elements at each level."""
        if not self._are_both:
            return self._truth.clusters
        return (self._trees.candidate if side else self._trees.reference).clusters

    def curve(
        self,
        index: str,
        *,
        levels: int | None = None,
        sampling: Sampling | None = None,
        draws: int | None = None,
        times: Mapping[Any, int] | None = None,
        sampling_weights: Mapping[Any, float] | None = None,
        population: int | None = None,
        confidence: float = 0.95,
    ) -> Curve:
        """An index at every level: the clusters, the height or threshold, and the value.

        Two hierarchies are both cut into the same number of clusters, for every number. If the index is
        linear in N₁₁ for given cluster sizes, like fowlkes_mallows, rand and adjusted_rand, the curve has
        its exact mean over all permutations of the leaves, and a band of two standard deviations. The band is
        pointwise: it is for one cut, not for the whole curve.

        If the truth covers only some records (``unmatched="drop"``), the curve is of those. With ``sampling``
        it is an estimate for all records, with pointwise intervals, as ``estimate`` makes them.

        levels      at most so many levels, evenly chosen; all by default. Indices that are counted cut by cut
                    need this if there are very many levels
        sampling    how the true clusters were drawn, "clusters" or "records"; it and the options after it are
                    those of ``estimate``, and ``confidence`` is the level of the intervals

        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> print(cc.compare(["a", "a", "b", "b"], h).curve("jaccard"))
        jaccard at 4 cuts
        clusters  height   value
               4          0.0000
               3     0.1  0.5000
               2     0.2  1.0000
               1     0.9  0.3333
        """
        declared = index_at_cuts(index)
        options = {"draws": draws, "times": times, "weights": sampling_weights, "population": population}
        if sampling is None and any(value is not None for value in options.values()):
            raise ParameterError("how the truth was drawn is not specified; pass sampling= as well")
        if self._are_both:
            if sampling is not None:
                raise ParameterError(
                    "a truth is sampled, and both sides are hierarchies; leave it out",
                    given={"sampling": sampling},
                )
            return self._diagonal(declared, levels)
        chosen = chosen_levels(levels, self._truth.tree.levels + 1)
        if sampling is not None:
            places = np.arange(self._truth.tree.levels + 1) if chosen is None else chosen
            found = comparisons.sampled_levels.sampled_columns(
                self._leaves, index, places, sampling=sampling, confidence=confidence, **options
            )
            return Curve(declared, self._cuts(chosen) | found, comparisons.sampled_levels.POINTWISE)
        return Curve(declared, self._cuts(chosen) | {"value": self._values(declared, chosen)})

    def _diagonal(self, declared: Index, levels: int | None) -> Curve:
        trees = self._trees
        chosen = chosen_levels(levels, len(trees.numbers))
        which: Any = slice(None) if chosen is None else chosen
        values = trees.diagonal_values(declared, self._conventions.undefined, chosen)
        u, v = (each[which] for each in trees.levels)
        columns: dict[str, NDArray[Any]] = {"k": trees.numbers[which]}
        columns |= {"reference": trees.reference.clusters[u], "candidate": trees.candidate.clusters[v]}
        columns["value"] = values
        note = ""
        if has_chance(declared) and len(values) <= _MOST_BY_CHANCE:
            places = np.arange(len(trees.numbers)) if chosen is None else chosen
            mean, sd = diagonal_chance(declared, trees, places)
            low, high = (np.clip(mean + step * sd, *declared.bounds(self.size)) for step in (-2, 2))
            columns |= {"expected": mean, "sd": sd, "chance_low": low, "chance_high": high}
            note = "expected, sd and the band of two sd: leaves permuted, both shapes kept; pointwise"
        elif has_chance(declared):
            note = f"values by chance are computed for up to {_MOST_BY_CHANCE:,} cuts; pass levels="
        return Curve(declared, columns, note, self.size)

    def cuts(self, index: str, K: int = 100, L: int = 100) -> Cuts:
        """An index for every pair of cuts of two hierarchies, up to K clusters of the reference and L of the
        candidate.

        >>> import concordant as cc
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> v = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 4, 0.2, 3], [3, 5, 0.9, 4]])
        >>> grid = cc.compare(u, v).cuts("jaccard")
        >>> grid[3, 3], grid[2, 3], grid.best()
        (1.0, 0.5, {'reference': 3, 'candidate': 3, 'value': 1.0})
        """
        declared, trees = index_at_cuts(index), self._trees
        levels = []
        for side, name, most in ((trees.reference, "K", K), (trees.candidate, "L", L)):
            if isinstance(most, bool) or not isinstance(most, int | np.integer) or most < side.clusters[-1]:
                raise ParameterError(
                    f"give a number of clusters, {int(side.clusters[-1]):,} or more", given={name: most}
                )
            first = int(np.searchsorted(-side.clusters, -int(most), side="left"))
            levels.append(np.arange(first, side.tree.levels + 1))
        grid = trees.grid(levels[0], levels[1])
        values = grid.values(declared, self._conventions.undefined)
        values.flags.writeable = False
        sides = (trees.reference.clusters[levels[0]], trees.candidate.clusters[levels[1]])
        return Cuts(declared, *sides, values, self.size)

    def _cuts(self, chosen: NDArray[np.int64] | None) -> dict[str, NDArray[Any]]:
        """What the cuts are: clusters, and the height or threshold, which all singletons lack."""
        hierarchy, clusters = self._hierarchy, self._truth.clusters
        heights = np.concatenate([[np.nan], hierarchy.level_heights])
        name = "threshold" if hierarchy.descending else "height"
        which = slice(None) if chosen is None else chosen
        return {"clusters": clusters[which], name: heights[which]}

    # -- what has no meaning here -----------------------------------------------------------------

    def __getitem__(self, spelling: str) -> float:
        """The index of the whole trees that is spelled so."""
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

    def _refuse(self, declared: Index) -> NoReturn:
        name = declared.name
        others = f"cuts({name!r}) those of all pairs of cuts"
        if not self._are_both:
            others = f"best_cut({name!r}) the best"
        raise HierarchyError(
            f"{name} is an index of two partitions, so it has a value for each cut of a hierarchy; "
            f"curve({name!r}) has all of them, {others}, and at(k=...).{name.partition('(')[0]} that of one"
        )

    # -- as pictures ------------------------------------------------------------------------------

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
        """A chart: the "curve" of indices, with a partition "precision_recall", of two hierarchies "grid"
        or "tanglegram".

        Matplotlib (extra ``plot``) draws it. Returns a display with ``ax_`` and ``figure_``.

        indices  what to draw; by default those most used
        x        of the curve: "threshold", "height" or "clusters"
        names    what the chart calls the two sides
        ax       Matplotlib's axes to draw on; a new figure if not given
        width    of a new figure, in mm: 85 is one column of most journals, 180 are two

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
        """Write a page to look at: one file that needs no network. Returns its path.

        indices  what to show, an index that judges both kinds of errors first; by default those most used
        levels   how many levels the page shows, evenly chosen; the best is one of them. Of two hierarchies,
                 also how many of the coarsest levels of each are in the grid, up to 100. If not given, curves
                 have all levels, and the table and the grid have 60
        names    what the page calls the two sides

        >>> import concordant as cc, tempfile
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(cc.compare(["a", "a", "b", "b"], h).to_html(folder + "/curve.html").name)
        curve.html
        """
        return write_page(path, hierarchy_pictures.page(self, indices, names, levels))

    def _repr_html_(self) -> str:
        return hierarchy_pictures.picture(self) + super()._repr_html_()

    # -- as data ----------------------------------------------------------------------------------

    def to_dict(self, *spellings: str, levels: int | None = None) -> dict[str, Any]:
        """The cuts as lists: clusters, height or threshold, and the named indices or four of pairs.

        ``levels`` is as in ``curve``.
        """
        names = spellings or _SHOWN
        columns = {name: column.tolist() for name, column in self._columns(names, levels).items()}
        indices = {name: columns.pop(name) for name in names}
        return {"signature": self.signature, "elements": self.size, **columns, "indices": indices}

    def to_json(self, *spellings: str, levels: int | None = None, indent: int | None = 2) -> str:
        """The same as JSON; values that are not finite become null."""
        return as_json(self.to_dict(*spellings, levels=levels), indent)

    def to_frame(
        self, backend: Any = None, *, indices: Sequence[str] | None = None, levels: int | None = None
    ) -> Any:
        """One row per cut: clusters, height or threshold, and the indices, by default four of pairs."""
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
