"""The cuts of a hierarchy, compared with a partition or with the cuts of another hierarchy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from concordant import comparisons
from concordant.catalogue.index import Index
from concordant.comparisons.comparison import Comparison
from concordant.comparisons.curve import Curve
from concordant.comparisons.cuts import Cuts
from concordant.comparisons.tree_values import TreeValues
from concordant.comparisons.truth_values import TruthValues
from concordant.counts.conventions import Conventions
from concordant.counts.spelling import counted
from concordant.errors import HierarchyError, ParameterError
from concordant.hierarchies.chance import diagonal_chance, has_chance
from concordant.hierarchies.curve import (
    chosen_levels,
)
from concordant.hierarchies.cut_tree import CutTree
from concordant.hierarchies.grid import TwoTrees
from concordant.hierarchies.hierarchy import Hierarchy
from concordant.hierarchies.leaves import Leaves
from concordant.hierarchies.tree_indices import index_at_cuts

if TYPE_CHECKING:
    from concordant.trust.design import Sampling

_MOST_BY_CHANCE = 10_000  # cuts; the moments of each are fractions


class HierarchyCuts(TruthValues, TreeValues):
    """The partition indices at every cut of a hierarchy."""

    def __init__(self, leaves: Leaves, conventions: Conventions) -> None:
        self._leaves, self._conventions = leaves, conventions
        self._curves: dict[tuple[Any, ...], NDArray[np.float64]] = {}

    @property
    def size(self) -> int:
        """The number of compared elements."""
        return self._leaves.size

    @property
    def reference(self) -> Hierarchy | None:
        """The hierarchy of the reference, or None if it is a partition."""
        return self._leaves.sides[0]

    @property
    def candidate(self) -> Hierarchy | None:
        """The hierarchy of the candidate, or None if it is a partition."""
        return self._leaves.sides[1]

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, sizes and conventions."""
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
                "pairs of cuts need two hierarchies, and one side is a partition; use curve()"
            )
        return TwoTrees(CutTree(self._leaves.tree(0)), CutTree(self._leaves.tree(1)))

    def at(
        self,
        k: int | None = None,
        candidate_k: int | None = None,
        *,
        height: float | None = None,
        threshold: float | None = None,
        level: int | None = None,
    ) -> Comparison:
        """Compare one cut of the hierarchy, or one cut of each hierarchy.

        Give one of `k`, `height`, `threshold` and `level`.

        Parameters
        ----------
        k : int, optional
            The first level with at most this many clusters.
        candidate_k : int, optional
            With two hierarchies: the number of candidate clusters. By default, `k`.
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
        >>> cc.compare(h, h).at(2, 3).recall
        0.5
        """
        if candidate_k is not None and (k is None or not self._are_both):
            raise ParameterError(
                "this is the number of clusters of the second hierarchy; it needs two hierarchies, and "
                "k= for the first",
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
                f"the compared elements form {clusters[-1]:,} to {counted(int(clusters[0]), 'cluster')}",
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
        draws, times, sampling_weights, population : int or mapping, optional
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
                    "only a true partition can be a sample, and both sides are hierarchies; leave it out",
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
        """Compute an index for every pair of cuts of two hierarchies.

        Parameters
        ----------
        index : str
            Name of the index.
        K : int, default=100
            Maximum number of reference clusters.
        L : int, default=100
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
        """The cuts: clusters, and the height or threshold, which the cut into singletons lacks."""
        hierarchy, clusters = self._hierarchy, self._truth.clusters
        heights = np.concatenate([[np.nan], hierarchy.level_heights])
        name = "threshold" if hierarchy.descending else "height"
        which = slice(None) if chosen is None else chosen
        return {"clusters": clusters[which], name: heights[which]}

    def _refuse(self, declared: Index) -> NoReturn:
        name = declared.name
        others = f"cuts({name!r}) for all pairs of cuts"
        if not self._are_both:
            others = f"best_cut({name!r}) for the best value"
        raise HierarchyError(
            f"{name} is an index of two partitions, so it has a value for each cut of a hierarchy; use "
            f"curve({name!r}) for all of them, {others}, or at(k=...).{name.partition('(')[0]} for one cut"
        )
