"""HierarchyComparison: a hierarchy against a partition, or against another hierarchy, at every cut."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core, hierarchies, inference
from concordant.clusterings.missing import unusual_conventions
from concordant.comparisons.comparison import Comparison
from concordant.counts.base import Counts
from concordant.errors import HierarchyError, ParameterError, TooLargeError, UndefinedError, WeightsError
from concordant.foundation.conventions import SIDES, TABLE_LIMIT, Conventions, check_choice
from concordant.foundation.results import Listing, as_frame
from concordant.foundation.spelling import counted, verb
from concordant.hierarchies.attributes import TreeIndices
from concordant.hierarchies.best_cuts import (
    SELECTED,
    BestCut,
    BestPruning,
    best_pruning,
    chosen_levels,
    cut_fields,
)
from concordant.hierarchies.correlation_moments import diagonal_chance, has_chance
from concordant.hierarchies.curve import Curve, Cuts, report_curves, row_at
from concordant.hierarchies.curve_charts import (
    CURVE,
    MOST_LINES,
    PRECISION_RECALL,
    Curves,
    CutAxis,
)
from concordant.hierarchies.cut_sums import TruthLevels
from concordant.hierarchies.cut_values import evaluate
from concordant.hierarchies.data import HierarchyData
from concordant.hierarchies.grid import CutGrid, Leaves, TwoTrees, lay_side_by_side
from concordant.hierarchies.grid_chart import CUT_GRID
from concordant.hierarchies.hierarchy import Hierarchy
from concordant.hierarchies.indices import TREE_INDICES, TREE_PARTITION_INDICES, index_at_cuts
from concordant.hierarchies.tanglegram_chart import MOST_LACES, TANGLEGRAM, FacingTrees
from concordant.hierarchies.tanglegrams import FOLDED_BEYOND, Tanglegram, tanglegram
from concordant.hierarchies.tree_arrays import HeightTexts
from concordant.hierarchies.tree_changes import TreeChanges
from concordant.hierarchies.tree_pair import RootedTree, TreePair, Triplets
from concordant.indices.index import DEFAULT_FOR_SAMPLES, DEFAULT_INDEX, INDICES, Index
from concordant.indices.values import IndexValues, named_indices
from concordant.inference.null_distributions import Tail
from concordant.inference.options import check_count
from concordant.inference.significance import Significance, SignificanceMethod
from concordant.maths.arithmetic import evenly, read_only
from concordant.report import pages
from concordant.report.charts.chart import Chart, Display
from concordant.report.report_data import SideTitles
from concordant.report.sentences import subjects
from concordant.report.values import format_value

if TYPE_CHECKING:
    from concordant.labelling.design import Sampling
    from concordant.report.pages import Page

HierarchyChart = Literal["curve", "precision_recall", "grid", "tanglegram"]

# The indices that a printed comparison shows; they are followed from level to level.
_SHOWN = ("precision", "recall", DEFAULT_FOR_SAMPLES, DEFAULT_INDEX)
_MOST_BY_CHANCE = 10_000  # cuts; the moments of each are fractions
# Charts and pages
_OF_TRUTH = ("f_measure", "precision", "recall")
_OF_TREES = ("adjusted_rand", "fowlkes_mallows")
_CUTS = 99  # of each side, apart from the coarsest, in a grid; fewer make a page smaller
_CUTS_ON_PAGE = 59
_LOST = 50  # clusters that a page lists
_NAMED = 3  # records of each
_MOST_LEAVES = 100_000  # up to which a page looks for subtrees that both trees share
_LISTED = 60  # cuts in the table of a page
_AROUND = 5  # neighbours of the best cut that it lists on each side


def compare_hierarchies(reference: Any, candidate: Any, conventions: Conventions) -> HierarchyComparison:
    """Two sides of which at least one is a Hierarchy."""
    if conventions.weights is not None:
        raise WeightsError(
            "the records of a hierarchy all weigh the same; compare one cut with weights, as in "
            "compare(truth, hierarchy.cut(n_clusters=5), weights=...)"
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


class HierarchyComparison(TreeIndices, IndexValues):
    """A hierarchy compared with a partition or with another hierarchy. `compare` returns it.

    An index of partitions has a value at each cut: `curve` returns all of them, and `at` compares one cut.
    Indices of whole trees are attributes and items.

    Examples
    --------
    >>> import concordant as cc
    >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
    >>> t = cc.compare(["a", "a", "b", "b"], h)
    >>> t.curve("jaccard").to_numpy().tolist()
    [0.0, 0.5, 1.0, 0.3333333333333333]
    >>> t.best_cut("jaccard").n_clusters, t.at(n_clusters=2).jaccard
    (2, 1.0)
    """

    _many_levels = "a hierarchy has clusters at many levels; pass one of them: tree.cut(...)"
    _called = "a HierarchyComparison"
    _example = "t.cophenetic_correlation or t.tree_f1"

    @classmethod
    def _elsewhere(cls, name: str) -> str:
        return (
            f", but the comparison of each cut has: at(n_clusters=...).{name}"
            if hasattr(Comparison, name)
            else ""
        )

    def __init__(self, leaves: Leaves, conventions: Conventions) -> None:
        super().__init__()
        self._leaves, self._conventions = leaves, conventions
        self._when_undefined = conventions.undefined
        self._curves: dict[tuple[Any, ...], NDArray[np.float64]] = {}

    @property
    def _counts(self) -> Counts:
        """The counts from which the indices of whole trees are computed."""
        return self._pair if self._are_both else self._truth

    @property
    def size(self) -> int:
        """The number of compared elements."""
        return self._leaves.size

    @property
    def reference(self) -> Hierarchy | None:
        """The hierarchy of the reference, or None if it is a partition."""
        return None if self._leaves.sides[0] is None else Hierarchy(self._leaves.sides[0])

    @property
    def candidate(self) -> Hierarchy | None:
        """The hierarchy of the candidate, or None if it is a partition."""
        return None if self._leaves.sides[1] is None else Hierarchy(self._leaves.sides[1])

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, sizes and conventions."""
        sides = [
            counted(self._truth.label_count, "cluster")
            if side is None
            else f"{len(side.level_heights):,} levels"
            for side in self._leaves.sides
        ]
        agreed = (f"{key}={value}" for key, value in self._leaves.counted.conventions.items())
        return self._signature(" against ".join(sides), *agreed)

    @property
    def names(self) -> SideTitles:
        """The display names of the two sides, from `compare(..., names=...)`."""
        reference, candidate = self._conventions.checked_names(SIDES)
        return reference, candidate

    @property
    def _audit(self) -> Mapping[str, int]:
        return self._leaves.counted.audit

    @property
    def _unusual_conventions(self) -> str:
        return unusual_conventions({**self._leaves.counted.conventions, "undefined": self._when_undefined})

    @property
    def _are_both(self) -> bool:
        return None not in self._leaves.sides

    # -- one or all cuts ---------------------------------------------------------------------------------

    @cached_property
    def _trees(self) -> TwoTrees:
        if not self._are_both:
            raise HierarchyError(
                "pairs of cuts need two hierarchies, and one side is a partition; use curve()"
            )
        return TwoTrees(self._leaves.tree(0), self._leaves.tree(1))

    def at(
        self,
        *,
        n_clusters: int | None = None,
        candidate_n_clusters: int | None = None,
        height: float | None = None,
        threshold: float | None = None,
        level: int | None = None,
    ) -> Comparison:
        """Compare one cut of the hierarchy, or one cut of each hierarchy.

        Give one of `n_clusters`, `height`, `threshold` and `level`.

        Parameters
        ----------
        n_clusters : int, optional
            The first level with at most this many clusters.
        candidate_n_clusters : int, optional
            With two hierarchies: the number of candidate clusters. By default, `n_clusters`.
        height : float, optional
            Cut above this height: everything joined at this height or below is together.
        threshold : float, optional
            Cut below this score: everything joined by this score or a higher one is together.
        level : int, optional
            The number of the level. At level 0, all elements are singletons.

        Returns
        -------
        Comparison
            The comparison of the clusters.

        Raises
        ------
        ParameterError
            If none or several of the options are given.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).at(height=0.15).recall
        0.5
        >>> cc.compare(h, h).at(n_clusters=2, candidate_n_clusters=3).recall
        0.5
        """
        if candidate_n_clusters is not None and (n_clusters is None or not self._are_both):
            raise ParameterError(
                "this is the number of clusters of the candidate; it needs two hierarchies, and n_clusters= "
                "for the reference",
                given={"candidate_n_clusters": candidate_n_clusters},
            )
        ways = {"height": height, "threshold": threshold, "level": level}
        levels: list[int | None] = [None, None]
        for side, hierarchy in enumerate(self._leaves.sides):
            if hierarchy is not None:
                own = candidate_n_clusters if side and candidate_n_clusters is not None else n_clusters
                levels[side] = self._level_at(side, hierarchy, own, ways)
        return Comparison(self._leaves.at((levels[0], levels[1])), undefined=self._when_undefined)

    def _level_at(self, side: int, hierarchy: HierarchyData, k: int | None, ways: dict[str, Any]) -> int:
        is_whole = self._leaves.names.positions(side) is None  # all leaves are compared
        is_number = isinstance(k, int | np.integer) and not isinstance(k, bool)
        if is_whole or k is None or not is_number or any(way is not None for way in ways.values()):
            return hierarchy.level_at(n_clusters=k, **ways)
        clusters = self._clusters(side)
        if not clusters[-1] <= k <= clusters[0]:
            raise ParameterError(
                f"the compared records form {clusters[-1]:,} to {counted(int(clusters[0]), 'cluster')}",
                given={"candidate_n_clusters" if side and self._are_both else "n_clusters": k},
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
        n_draws: int | None = None,
        times: Mapping[Any, int] | None = None,
        sampling_weights: Mapping[Any, float] | None = None,
        population: int | None = None,
        confidence: float = 0.95,
    ) -> Curve:
        """Compute an index at every level.

        Two hierarchies are cut into the same number of clusters. For indices that are linear in the number
        of joint pairs, such as rand and adjusted_rand, the curve also has the exact mean and a pointwise
        band of two standard deviations over all permutations. If the truth covers only some records
        (`unmatched="drop"`), the curve describes those records; with `sampling`, it estimates the values for
        all records, with pointwise intervals, as in `estimate`.

        Parameters
        ----------
        index : str
            Name of the index.
        levels : int, optional
            Maximum number of levels, evenly chosen. By default, all levels. Required for slow indices if
            there are very many levels.
        sampling : {"clusters", "records"}, optional
            How the true clusters were sampled, as in `estimate`.
        n_draws, times, sampling_weights, population : int or mapping, optional
            The sampling design, as in `estimate`.
        confidence : float, default=0.95
            Confidence level of the intervals.

        Returns
        -------
        Curve
            The number of clusters, the height or threshold, and the value of each level.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> print(cc.compare(["a", "a", "b", "b"], h).curve("jaccard"))
        jaccard at 4 cuts
        level  n_clusters  height   value
            0           4       —  0.0000
            1           3     0.1  0.5000
            2           2     0.2  1.0000
            3           1     0.9  0.3333
        """
        declared = index_at_cuts(index)
        options = {"n_draws": n_draws, "times": times, "weights": sampling_weights, "population": population}
        if sampling is None and (confidence != 0.95 or any(value is not None for value in options.values())):
            raise ParameterError("how the truth was drawn is not specified; pass sampling= as well")
        if self._are_both:
            if sampling is not None:
                raise ParameterError(
                    "only a true partition can be a sample, and both sides are hierarchies; leave it out",
                    given={"sampling": sampling},
                )
            return self._diagonal(declared, levels)
        chosen = chosen_levels(levels, self._truth.tree.levels + 1)
        if sampling is not None:
            places = np.arange(self._truth.tree.levels + 1) if chosen is None else chosen
            found = hierarchies.sampled_levels.sampled_columns(
                self._leaves, index, places, sampling=sampling, confidence=confidence, **options
            )
            note = hierarchies.sampled_levels.POINTWISE
        else:
            found, note = {"value": self._cut_values(declared, chosen)}, ""
        return self._curve_of(declared, chosen, found, note)

    def _curve_of(
        self,
        declared: Index,
        chosen: NDArray[np.int64] | None,
        found: Mapping[str, NDArray[Any]],
        note: str = "",
    ) -> Curve:
        """The curve of these columns at the chosen levels."""
        cuts = self._cuts(chosen)
        return Curve(
            declared, {**cuts, **found}, self._hierarchy, cuts["level"], note, _heights=self._height_texts
        )

    def _diagonal_values(self, declared: Index, chosen: NDArray[np.int64] | None) -> NDArray[np.float64]:
        sums = self._trees.diagonal
        return evaluate(declared, sums if chosen is None else sums.taken(chosen), self._when_undefined)

    def _diagonal(self, declared: Index, levels: int | None) -> Curve:
        trees = self._trees
        chosen = chosen_levels(levels, len(trees.numbers))
        which: Any = slice(None) if chosen is None else chosen
        values = self._diagonal_values(declared, chosen)
        u, v = (each[which] for each in trees.levels)
        columns: dict[str, NDArray[Any]] = {"n_clusters": trees.numbers[which]}
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
        candidate = self._leaves.sides[1]
        assert candidate is not None  # both are hierarchies
        return Curve(declared, columns, candidate, v, note, self.size)

    def cuts(self, index: str, *, n_clusters: int = 100, candidate_n_clusters: int = 100) -> Cuts:
        """Compute an index for every pair of cuts of two hierarchies.

        Parameters
        ----------
        index : str
            Name of the index.
        n_clusters : int, default=100
            Maximum number of reference clusters.
        candidate_n_clusters : int, default=100
            Maximum number of candidate clusters.

        Returns
        -------
        Cuts
            The values, by the numbers of clusters.

        Raises
        ------
        HierarchyError
            If a side is a partition.

        Examples
        --------
        >>> import concordant as cc
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> v = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 4, 0.2, 3], [3, 5, 0.9, 4]])
        >>> grid = cc.compare(u, v).cuts("jaccard")
        >>> grid[3, 3], grid[2, 3], grid.best()
        (1.0, 0.5, CutPair(reference=3, candidate=3, value=1.0))
        """
        declared, trees = index_at_cuts(index), self._trees
        levels = []
        asked = {"n_clusters": n_clusters, "candidate_n_clusters": candidate_n_clusters}
        for side, (name, most) in zip((trees.reference, trees.candidate), asked.items(), strict=True):
            if isinstance(most, bool) or not isinstance(most, int | np.integer) or most < side.clusters[-1]:
                raise ParameterError(
                    f"give a number of clusters, {int(side.clusters[-1]):,} or more", given={name: most}
                )
            first = int(np.searchsorted(-side.clusters, -int(most), side="left"))
            levels.append(np.arange(first, side.levels + 1))
        grid = CutGrid(trees, levels[0], levels[1])
        values = evaluate(declared, grid.sums, self._when_undefined).reshape(*map(len, levels))
        values.flags.writeable = False
        sides = (trees.reference.clusters[levels[0]], trees.candidate.clusters[levels[1]])
        return Cuts(declared, *sides, values, self.size, self.names)

    def _cuts(self, chosen: NDArray[np.int64] | None) -> dict[str, NDArray[Any]]:
        which: Any = slice(None) if chosen is None else chosen
        return {name: column[which] for name, column in self._every_cut.items()}

    @cached_property
    def _every_cut(self) -> dict[str, NDArray[Any]]:
        """The cuts: clusters, and the height or threshold, which the cut into singletons lacks."""
        hierarchy, clusters = self._hierarchy, self._truth.clusters
        heights = np.concatenate([[np.nan], hierarchy.level_heights])
        name = "threshold" if hierarchy.descending else "height"
        columns = {"level": np.arange(len(clusters)), "n_clusters": clusters, name: heights}
        return {each: read_only(column) for each, column in columns.items()}

    # -- a hierarchy and a partition ---------------------------------------------------------------------

    @property
    def _side(self) -> int:
        """The side of the hierarchy that is compared with a partition."""
        return 0 if self._leaves.sides[0] is not None else 1

    @property
    def _hierarchy(self) -> HierarchyData:
        hierarchy = self._leaves.sides[self._side]
        assert hierarchy is not None  # at least one side is one
        return hierarchy

    @cached_property
    def _height_texts(self) -> HeightTexts:
        hierarchy = self._hierarchy
        return HeightTexts.of(hierarchy.level_heights, descending=hierarchy.descending)

    @cached_property
    def _truth(self) -> TruthLevels:
        if None not in self._leaves.sides:
            raise HierarchyError(
                "both sides are hierarchies, and this needs a partition on one of them; compare with a cut "
                "of the reference, as in compare(reference.cut(n_clusters=5), candidate)"
            )
        tree = self._leaves.tree(self._side)
        labels, count = self._leaves.labels(1 - self._side)
        return TruthLevels(
            tree, labels, count, tree_is_reference=self._side == 0, threads=self._leaves.threads
        )

    def _cut_values(
        self, declared: Index, chosen: NDArray[np.int64] | None = None, *, only_best: bool = False
    ) -> NDArray[np.float64]:
        key = (declared.name, *declared.arguments.values(), None if chosen is None else len(chosen))
        if only_best and key not in self._curves:
            key = (*key, "best")
        if key not in self._curves:
            sums = self._truth.sums if chosen is None else self._truth.sums.taken(chosen)
            values = evaluate(declared, sums, self._when_undefined, only_best=only_best)
            values.flags.writeable = False
            self._curves[key] = values
        return self._curves[key]

    def best_cut(self, index: str = DEFAULT_FOR_SAMPLES, *, levels: int | None = None) -> BestCut:
        """Find the level at which an index is best.

        If several levels are equally good, the result is the one with the fewest clusters. The same truth is
        used to choose the level and to score it, so the value is too optimistic for new data and has no
        interval.

        Parameters
        ----------
        index : str, default="f_measure"
            Name of the index.
        levels : int, optional
            Maximum number of levels to try, as in `curve`.

        Returns
        -------
        BestCut
            The level, its number of clusters and the value.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> print(cc.compare(["a", "a", "b", "b"], h).best_cut("adjusted_rand"))
        adjusted_rand is best, 1.0000, at height 0.2: level 2, 2 clusters (chosen on
          the same truth that measures it, so it has no interval of its own)
        """
        declared, chosen = index_at_cuts(index), chosen_levels(levels, self._truth.tree.levels + 1)
        values = self._cut_values(declared, chosen, only_best=True)
        return self._curve_of(declared, chosen, {"value": values}).best()

    def best_pruning(self, index: str = DEFAULT_FOR_SAMPLES) -> BestPruning:
        """Find the best clusters among the nodes of the hierarchy, at any heights.

        The value is an upper bound for all cuts. It shows whether the hierarchy or the threshold limits the
        result. Rows of a dendrogram at the same height are one node; `ties="in order"` keeps them apart.

        Parameters
        ----------
        index : str, default="f_measure"
            An index that is a ratio of linear functions of the pair counts, such as f_measure, jaccard or
            adjusted_rand.

        Returns
        -------
        BestPruning
            The clusters and the value.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [3, 4, 0.4, 2], [2, 5, 0.5, 3], [6, 7, 0.9, 5]])
        >>> cc.compare(["a", "a", "b", "c", "c"], h).best_pruning("f_measure").value
        1.0
        """
        value, at_best, nodes = self._best_pruning(index)
        codes, first = core.factorize(nodes())
        place, leaves = self._leaves.names.positions(self._side), self._hierarchy.size
        labels = codes
        if place is not None:
            labels = np.full(leaves, -1)
            labels[place[place >= 0]] = codes[place >= 0]
        return BestPruning(index_at_cuts(index).name, value, len(first), at_best, labels)

    def _best_pruning(self, index: str) -> tuple[float, float, Callable[[], NDArray[np.int64]]]:
        """The value of the best pruning, that of the best cut, and the clusters of the former."""
        found = partial(self.best_cut, index)
        nodes, value = best_pruning(
            index_at_cuts(index), self._truth, lambda: found().level, self._when_undefined
        )
        # The best level is a pruning, too, and rounding is monotone, so its value is never above the other.
        return float(value), found().value, nodes

    # -- two hierarchies as whole trees ------------------------------------------------------------------

    @cached_property
    def _pair(self) -> TreePair:
        if None in self._leaves.sides:
            raise HierarchyError(
                "this compares two hierarchies, and one side is a partition; dendrogram_purity and tree_f1 "
                "compare a partition with a whole hierarchy"
            )
        return TreePair(self._rooted(0), self._rooted(1))

    def _rooted(self, side: int) -> RootedTree:
        tree, hierarchy = self._leaves.tree(side), self._leaves.sides[side]
        assert hierarchy is not None  # both sides are hierarchies here
        return RootedTree.of(
            tree.parent, tree.level, hierarchy.level_heights, descending=hierarchy.descending
        )

    @property
    def has_common_root(self) -> tuple[bool, bool]:
        """For each hierarchy, whether it had several roots and a common root was added.

        Pairs that are never joined then have the height of the common root. That root is as far above the
        highest level as the highest level is above the next one.
        """
        return self._pair.u.is_forest, self._pair.v.is_forest

    @property
    def triplets(self) -> Triplets:
        """Triples of elements, counted by which two are joined first in each tree."""
        return self._pair.triplets

    def significance(
        self,
        index: str = "cophenetic_correlation",
        *,
        tail: Tail = "upper",
        method: SignificanceMethod = "auto",
        n_resamples: int = 9999,
        seed: int = 0,
    ) -> Significance:
        """Test the agreement of two trees against random permutations of the elements.

        The two correlations have mean 0 and an exact standard deviation and skewness. Their p-value comes
        from all permutations of up to 7 elements, otherwise from a gamma distribution with these moments.
        Other indices are tested by random permutations.

        Parameters
        ----------
        index : str, default="cophenetic_correlation"
            Name of an index of whole trees.
        tail : {"upper", "lower", "two-sided"}, default="upper"
            "upper" tests for at least as much agreement, "lower" for at most as much. "two-sided" doubles the
            smaller p-value.
        method : {"auto", "exact", "gamma", "permutations"}, default="auto"
            "auto" takes the first of the others that is available for the index.
        n_resamples : int, default=9999
            Maximum number of permutations. Drawing stops after 20 that are as extreme.
        seed : int, default=0
            Seed of the permutations.

        Returns
        -------
        Significance
            The p-value, z-score, and mean and standard deviation by chance.

        Examples
        --------
        >>> import concordant as cc
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 4.0, 4]])
        >>> v = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 4, 2.0, 3], [3, 5, 4.0, 4]])
        >>> round(cc.compare(u, v).significance("cophenetic_correlation").p, 4)
        0.1667
        """
        if index not in TREE_INDICES and index in INDICES:
            raise HierarchyError(
                f"{index} is an index of two partitions; "
                f"at(n_clusters=...).significance({index!r}) tests one cut"
            )
        return inference.permutation_test.significance(
            self._pair,
            TREE_INDICES[index],
            inference.significance.TestOptions(tail, method, n_resamples, seed),
            self._when_undefined,
        )

    def changes(self, limit: int | None = 20) -> TreeChanges:
        """List the reference clusters that the candidate keeps and those that it loses.

        Parameters
        ----------
        limit : int or None, default=20
            Number of clusters to list. None lists all.

        Returns
        -------
        TreeChanges
            The kept clusters, and the nearest candidate node of each lost cluster.

        Examples
        --------
        >>> import concordant as cc
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 4.0, 4]])
        >>> v = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 4, 2.0, 3], [3, 5, 4.0, 4]])
        >>> cc.compare(u, v).changes().lost[0].f1
        0.6666666666666666
        """
        return TreeChanges(self._pair, limit, self._leaves.names.record)

    def tanglegram(self, *, fold_beyond: int = FOLDED_BEYOND) -> Tanglegram:
        """Lay out both trees face to face with few crossing lines.

        The result describes the drawing, not the trees.

        Parameters
        ----------
        fold_beyond : int, default=200
            Number of leaves above which common subtrees are drawn as one.

        Returns
        -------
        Tanglegram
            The layout.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(h, h).tanglegram().crossings
        0
        """
        check_count("fold_beyond", fold_beyond)
        return tanglegram(self._pair, self._record, fold_beyond=fold_beyond)

    # -- as data and text --------------------------------------------------------------------------------

    def to_frame(
        self, backend: Any = None, *, indices: str | Sequence[str] | None = None, levels: int | None = None
    ) -> Any:
        """Return a dataframe with one row for each cut and index.

        Parameters
        ----------
        backend : str or module, optional
            The dataframe library: "pandas", "polars" or "pyarrow". By default, a library that you have
            imported.
        indices : str or sequence of str, optional
            Names of the indices. By default, four pair-counting indices.
        levels : int, optional
            Maximum number of levels, as in `curve`.

        Returns
        -------
        dataframe
            The height or threshold and the number of clusters of the cut, and the index with its value.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).to_frame("polars", indices="rand")["n_clusters"].to_list()
        [4, 3, 2, 1]
        """
        names = _SHOWN if indices is None else named_indices(indices)
        columns = {name: column.tolist() for name, column in self._columns(names, levels).items()}
        values = [columns.pop(name) for name in names]
        columns["n_clusters"] = columns.pop("n_clusters")  # after the height
        cuts = len(columns["n_clusters"])
        long = {name: [each for each in column for _ in names] for name, column in columns.items()}
        long["index"] = list(names) * cuts
        long["value"] = [each for row in zip(*values, strict=True) for each in row]
        return as_frame(long, backend)

    def _columns(self, names: Sequence[str], levels: int | None = None) -> dict[str, NDArray[Any]]:
        if self._are_both:
            trees = self._trees
            chosen = chosen_levels(levels, len(trees.numbers))
            found = {name: self._diagonal_values(index_at_cuts(name), chosen) for name in names}
            return {"n_clusters": trees.numbers if chosen is None else trees.numbers[chosen], **found}
        chosen = chosen_levels(levels, self._truth.tree.levels + 1)
        cuts = self._cuts(chosen)
        del cuts["level"]
        return cuts | {name: self._cut_values(index_at_cuts(name), chosen) for name in names}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """All cuts, or an even selection with the best ones; indices of whole trees have one value."""
        if self._shows_trees:
            return super()._rows(limit)
        shown = _SHOWN if self._chosen is None else self._chosen
        columns = self._columns(shown)
        length = len(columns[shown[0]])
        chosen = set(range(length) if limit is None else evenly(length, limit).tolist())
        chosen |= {each.level for each in self._best_cuts()}
        return [row_at(columns, i) for i in sorted(chosen)]

    @property
    def _shows_trees(self) -> bool:
        return self._chosen is not None and set(self._chosen) <= {*TREE_INDICES, *TREE_PARTITION_INDICES}

    def _best_cuts(self) -> list[BestCut]:
        """The best cuts by the indices that count both splits and merges."""
        return [] if self._are_both else [self.best_cut(name) for name in _SHOWN[2:]]

    @property
    def headline(self) -> str:
        """One sentence: the best cut, or the number of clusters that both hierarchies have.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.2, 2], [2, 3, 0.3, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).headline
        'Pairwise F-measure is best at height 0.3: 1.0000'
        """
        if self._are_both:
            return hierarchies.page.shared_sentence(self.names, self.size, self._pair.cluster_counts)
        curves = report_curves(self._shown_curves(self._chosen_indices(None)[:1]))
        return hierarchies.page.best_sentence(curves, self._truth.tree.levels + 1)

    def _scope(self) -> str:
        """The size, and each side in words."""
        sides = [
            f"a partition into {counted(self._truth.label_count, 'cluster')}"
            if side is None
            else f"a hierarchy of {counted(len(side.level_heights), 'level')}"
            for side in self._leaves.sides
        ]
        return f"{counted(self.size, 'record')}: {' against '.join(sides)}"

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        if self._shows_trees:
            return super()._listings(limit)
        rows = self._rows(limit)
        more = len(next(iter(self._columns(_SHOWN[:1]).values()))) - len(rows)
        notes = [f"{counted(more, 'other cut', 'are')} not shown"] if more else []
        columns = cut_fields(rows[0], None if self._are_both else self._height_texts)
        return [Listing(rows, columns, rest="\n".join([*notes, *map(str, self._best_cuts())]))]

    def __repr__(self) -> str:
        return f"<HierarchyComparison of {self._scope()}>"

    # -- charts and pages --------------------------------------------------------------------------------

    def plot(
        self,
        kind: HierarchyChart = "curve",
        *,
        indices: str | Sequence[str] | None = None,
        x: CutAxis | None = None,
        ax: Any = None,
        width: float | None = None,
    ) -> Display:
        """Draw a chart with Matplotlib (extra `plot`).

        Parameters
        ----------
        kind : {"curve", "precision_recall", "grid", "tanglegram"}, default="curve"
            "precision_recall" needs a partition, "grid" and "tanglegram" need two hierarchies.
        indices : str or sequence of str, optional
            Names of the indices to draw. By default, the most common.
        x : {"threshold", "height", "clusters"}, optional
            Horizontal axis of the curve.
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
        offered = ("curve", "grid", "tanglegram") if self._are_both else ("curve", "precision_recall")
        sides = "two hierarchies" if self._are_both else "a hierarchy and a partition"
        check_choice("kind", kind, offered, f"for {sides}, ")
        if x is not None and kind != "curve":
            raise ParameterError(f"the axes of {kind!r} are fixed; leave it out", given={"x": x})
        if kind == "tanglegram":
            if indices is not None:
                raise ParameterError("a tanglegram shows no index; leave it out", given={"indices": indices})
            trees = self._facing_trees(self.names)
            if not TANGLEGRAM.needs(trees):
                raise TooLargeError(
                    f"a tanglegram has 2 to {MOST_LACES} lines, and these hierarchies have {trees.lines:,} "
                    "after subtrees that both have are folded; compare a part of the records"
                )
            return TANGLEGRAM.plot(trees, ax=ax, width=width)
        chosen = self._chosen_indices(indices)
        if kind == "curve":
            return CURVE.plot(report_curves(self._shown_curves(chosen), x), ax=ax, width=width)
        if kind == "grid":
            if indices is not None and len(chosen) > 1:
                raise ParameterError("a grid shows one index", given={"indices": indices})
            return CUT_GRID.plot(self._grid(chosen[0])._picture(), ax=ax, width=width)
        return PRECISION_RECALL.plot(self._precision_recall(chosen[0], ()), ax=ax, width=width)

    def to_html(
        self,
        path: str | os.PathLike[str],
        *,
        indices: str | Sequence[str] | None = None,
        levels: int | None = None,
    ) -> Path:
        """Write the report page: one HTML file that needs no network.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        indices : str or sequence of str, optional
            Names of the indices. The best cut is that of the first index that counts both splits and merges
            as errors. By default, the most common.
        levels : int, optional
            Number of levels on the page, evenly chosen, plus the best level. For two hierarchies, the grid
            has this many of the coarsest levels, up to 100. By default, curves have all levels, and tables
            and the grid have 60.

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
        page = self._trees_page if self._are_both else self._thresholds_page
        return page(indices, self.names, levels).write(path)

    def _charts(self) -> list[tuple[Chart[Curves], Curves]]:
        return [(CURVE, report_curves(self._shown_curves(self._chosen_indices(None))))]

    def _chosen_indices(self, spellings: Sequence[str] | None) -> list[Index]:
        """The indices to show; the first one, which counts splits and merges, chooses the best cut."""
        usual = _OF_TREES if self._are_both else _OF_TRUTH
        indices = [index_at_cuts(name) for name in (usual if spellings is None else named_indices(spellings))]
        if not 0 < len(indices) <= MOST_LINES:
            raise ParameterError(
                f"a chart shows 1 to {MOST_LINES} indices, not {len(indices)}", given={"indices": spellings}
            )
        # Precision is best for singletons and recall for one cluster; each is the mirror of another index.
        judged = next((each for each in indices if each.agreement and _is_whole(each)), indices[0])
        return [judged, *(each for each in indices if each is not judged)]

    def _shown_curves(self, indices: Sequence[Index], levels: int | None = None) -> list[Curve]:
        return [self.curve(index.name, levels=levels) for index in indices]

    def _listed_curves(self, indices: Sequence[Index], levels: int | None) -> Curves:
        """The curves of a page, and the cuts in its table."""
        curves = report_curves(self._shown_curves(indices, levels))
        return replace(curves, listed=_listed(curves, levels))

    def _grid(self, index: Index, cuts: int = _CUTS) -> Cuts:
        """The cuts with the fewest clusters; a forest has no cut into fewer than its trees."""
        fewest = [int(self._clusters(side)[-1]) for side in (0, 1)]
        return self.cuts(index.name, n_clusters=fewest[0] + cuts, candidate_n_clusters=fewest[1] + cuts)

    def _precision_recall(self, judged: Index, listed: Sequence[int], levels: int | None = None) -> Curves:
        shown = self._shown_curves([judged, INDICES["precision"], INDICES["recall"]], levels)
        shown[0]._best()  # refuses an index of which no cut is the best
        return replace(report_curves(shown), listed=listed)

    def _thresholds_page(self, indices: Sequence[str] | None, names: SideTitles, levels: int | None) -> Page:
        """The page of a hierarchy against a partition: the best cut, the curves, the cuts around the best."""
        chosen = self._chosen_indices(indices)
        curves = self._listed_curves(chosen, levels)
        cuts, best = self._truth.tree.levels + 1, curves.lines[0].best
        pruning = None
        with suppress(HierarchyError, ParameterError, UndefinedError):  # not known for every index
            pruning = self._best_pruning(chosen[0].name)[:2]
        judged = chosen[0] if best is not None else INDICES["f_measure"]
        sections = [pages.chart_section(CURVE, curves)]
        pairs = self._precision_recall(judged, curves.listed, levels)
        if PRECISION_RECALL.needs(pairs):
            sections.append(pages.chart_section(PRECISION_RECALL, pairs))
        sections.append(hierarchies.page.cuts_section(curves, cuts))
        sections.append(pages.signature_section(self.signature))
        facts = (
            f"{counted(self.size, 'record')} in {counted(self._truth.label_count, 'true cluster')}, against "
            f"{counted(cuts, 'cut')} of the hierarchy."
        )
        if more := cuts - len(curves.x):
            facts += f" {counted(more, 'cut', 'are')} not shown; the others are evenly chosen."
        sentences = [
            hierarchies.page.neighbours_sentence(curves, cuts),
            hierarchies.page.limit_sentence(curves, pruning),
            "" if best is None else f"The {curves.axis} is {SELECTED}.",
            facts,
        ]
        numbers = hierarchies.page.values_at_best(curves)
        purity, is_undefined = TREE_PARTITION_INDICES["dendrogram_purity"].assess(self._truth)
        if not is_undefined:
            words = "mean share of a true cluster in the smallest node that has two of its records"
            numbers.append((purity, "Dendrogram purity", words))
        numbers.append((self.tree_f1, "Tree F", "mean of the best F1 of any node with each true cluster"))
        head = pages.paragraphs(self._omission(), "left-out") + pages.paragraphs(sentences)
        return pages.Page(
            title=pages.title_of_sides(names),
            headline=hierarchies.page.best_sentence(curves, cuts),
            head=head + pages.key_numbers(numbers),
            sections=sections,
        )

    def _omission(self) -> list[str]:
        """How many elements were not compared, if any."""
        left_out = self._audit.get("not_compared", 0)
        compared = f"{counted(self.size, 'record', 'were')} compared"
        words = f"{compared}; {left_out:,} {verb(left_out, 'were')} left out."
        return [words] if left_out else []

    def _trees_page(self, indices: Sequence[str] | None, names: SideTitles, levels: int | None) -> Page:
        """The page of two hierarchies: all pairs of cuts, cuts into equally many clusters, and the ridge."""
        chosen = self._chosen_indices(indices)
        curves = self._listed_curves(chosen, levels)
        in_grid = _CUTS_ON_PAGE if levels is None else min(levels - 1, _CUTS)
        grid = self._grid(chosen[0], in_grid)._picture(is_listed=True)
        labels, clusters, cuts = pages.PageLabels(), self._pair.cluster_counts, len(self._trees.numbers)
        lost = [(each, self._members(each.node)) for each in self.changes(limit=_LOST).lost]
        sections = [pages.chart_section(CUT_GRID, grid), pages.chart_section(CURVE, curves)]
        trees = self._facing_trees(names, is_listed=True) if self.size <= _MOST_LEAVES else None
        if trees is not None and TANGLEGRAM.needs(trees):
            sections.append(hierarchies.page.tanglegram_section(trees, labels))
        if lost:
            sections.append(hierarchies.page.lost_section(lost, clusters, names, labels))
        if grid.ridge:
            sections.append(hierarchies.page.ridge_section(grid))
        sections.append(hierarchies.page.equal_cuts_section(curves, cuts))
        sections.append(pages.signature_section(self.signature))
        reference, candidate = subjects((names[0], names[1]))
        sides = [side for side in self._leaves.sides if side is not None]
        u, v = (len(side.level_heights) for side in sides)
        facts = (
            f"{counted(self.size, 'record')}; {counted(u, 'level')} in {reference} and {v:,} in {candidate}. "
            "Cuts into one cluster, or into singletons, on both sides do not count, because they always "
            "agree."
        )
        if more := cuts - len(curves.x):
            left_out = f"{counted(more, 'number')} of clusters"
            facts += f" The curve leaves out {left_out}; the others are evenly chosen."
        sentences = [f"{hierarchies.page.best_cuts_sentence(grid)}.", facts]
        head = pages.paragraphs(self._omission(), "left-out") + pages.paragraphs(sentences)
        return pages.Page(
            title=pages.title_of_sides(names),
            headline=hierarchies.page.shared_sentence(names, self.size, clusters),
            head=head + pages.key_numbers(self._tree_numbers()),
            sections=sections,
            labels=labels,
        )

    def _tree_numbers(self) -> list[tuple[float | str, str, str]]:
        """The correlations of both trees with their values by chance, and the share of common clusters."""
        numbers: list[tuple[float | str, str, str]] = []
        for name in ("cophenetic_correlation", "bakers_gamma"):
            with suppress(HierarchyError, TooLargeError, UndefinedError):
                chance = self.significance(name, method="gamma")
                spread = f"by chance 0 ± {format_value(chance.sd)}"
                numbers.append((chance.value, TREE_INDICES[name].title, spread))
        _, _, both = self._pair.cluster_counts
        words = f"{counted(both, 'cluster')} in both"
        with suppress(UndefinedError):
            numbers.append((self.shared_cluster_f1, TREE_INDICES["shared_cluster_f1"].title, words))
        return numbers

    def _members(self, node: int) -> list[Any]:
        """Some records of a node of the reference."""
        tree = self._pair.u
        is_top = np.zeros(len(tree.parent), dtype=bool)
        is_top[node] = True
        below = np.flatnonzero(core.nearest_marked(tree.parent, is_top)[: tree.size] == node)
        return [self._record(element) for element in below[:_NAMED].tolist()]

    def _record(self, element: int) -> Any:
        return self._leaves.names.record(element)

    def _facing_trees(self, names: SideTitles, *, is_listed: bool = False) -> FacingTrees:
        """The tanglegram with the names of its lines."""
        return FacingTrees(self.tanglegram(), names, is_listed)


def _is_whole(index: Index) -> bool:
    return index.mirror is not None and index.mirror.partition("(")[0] == index.name.partition("(")[0]


def _listed(curves: Curves, levels: int | None) -> list[int]:
    """Cuts for a table: all if their number was given, else some, the best, and those around the best."""
    if levels is not None:
        return list(range(len(curves.x)))
    best = [line.best for line in curves.lines if line.best is not None]
    around = range(best[0] - _AROUND, best[0] + _AROUND + 1) if best else ()
    chosen = {*evenly(len(curves.x), _LISTED).tolist(), *best, *around}
    return sorted(i for i in chosen if 0 <= i < len(curves.x))
