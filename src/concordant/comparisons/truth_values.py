"""Comparison of a hierarchy with a partition: the best cut and pruning, and the clusters joined at a step."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.catalogue.index import DEFAULT_FOR_SAMPLES, Index
from concordant.counts.conventions import Conventions
from concordant.errors import HierarchyError
from concordant.hierarchies.curve import BestCut, BestPruning, best_of, chosen_levels
from concordant.hierarchies.hierarchy import Hierarchy
from concordant.hierarchies.joins import Joins, joined
from concordant.hierarchies.leaves import Leaves
from concordant.hierarchies.levels import TruthLevels
from concordant.hierarchies.prunings import best_pruning
from concordant.hierarchies.tree_indices import index_at_cuts


class TruthValues:
    """The values of a partition against all cuts of a hierarchy."""

    _leaves: Leaves
    _conventions: Conventions
    _curves: dict[tuple[Any, ...], NDArray[np.float64]]

    @property
    def _side(self) -> int:
        """The side of the hierarchy that is compared with a partition."""
        return 0 if self._leaves.sides[0] is not None else 1

    @property
    def _hierarchy(self) -> Hierarchy:
        hierarchy = self._leaves.sides[self._side]
        assert hierarchy is not None  # at least one side is one
        return hierarchy

    @cached_property
    def _truth(self) -> TruthLevels:
        if None not in self._leaves.sides:
            raise HierarchyError(
                "both sides are hierarchies, and this needs a partition on one of them; compare with a cut "
                "of the reference, as in compare(reference.cut(k=5), candidate)"
            )
        tree = self._leaves.tree(self._side)
        labels, count = self._leaves.labels(1 - self._side)
        return TruthLevels(
            tree, labels, count, tree_is_reference=self._side == 0, threads=self._leaves.threads
        )

    def _values(self, declared: Index, chosen: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        key = (declared.name, *declared.arguments.values(), None if chosen is None else len(chosen))
        if key not in self._curves:
            values = self._truth.values(declared, self._conventions.undefined, chosen)
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
        adjusted_rand is best, 1.0000, at height 0.2: level 2, 2 clusters (chosen on the same truth that \
measures it, so it has no interval of its own)
        """
        declared, chosen = index_at_cuts(index), chosen_levels(levels, self._truth.tree.levels + 1)
        values = self._values(declared, chosen)
        i = best_of(declared, values)
        level = i if chosen is None else int(chosen[i])
        hierarchy = self._hierarchy
        height = float(hierarchy.level_heights[level - 1]) if level else None
        return BestCut(
            declared.name,
            float(values[i]),
            level,
            int(self._truth.clusters[level]),
            None if hierarchy.descending else height,
            height if hierarchy.descending else None,
        )

    def best_pruning(self, index: str = DEFAULT_FOR_SAMPLES) -> BestPruning:
        """Find the best clusters among the nodes of the hierarchy, at any heights.

        The value is an upper bound for all cuts. It shows whether the hierarchy or the threshold limits the
        result.

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
        declared, truth = index_at_cuts(index), self._truth
        node, value = best_pruning(declared, truth)
        codes, first = core.factorize(node)
        place, leaves = self._leaves.names.positions(self._side), self._hierarchy.size
        labels = codes
        if place is not None:
            labels = np.full(leaves, -1)
            labels[place[place >= 0]] = codes[place >= 0]
        # The best level is a pruning, too, and rounding is monotone, so its value is never above the other.
        at_best = self.best_cut(index).value
        return BestPruning(declared.name, float(value), len(first), at_best, labels)

    def joined(
        self,
        *,
        threshold: float | None = None,
        height: float | None = None,
        level: int | None = None,
        since: float | None = None,
        limit: int = 20,
    ) -> Joins:
        """List the clusters that are joined at a level, those with the most wrong pairs first.

        Give one of `threshold`, `height` and `level`.

        Parameters
        ----------
        threshold : float, optional
            The score of the level.
        height : float, optional
            The height of the level.
        level : int, optional
            The number of the level.
        since : float, optional
            The level before the change, in the same unit. By default, the previous level.
        limit : int, default=20
            Number of joined clusters to list.

        Returns
        -------
        Joins
            The joined clusters with their right and wrong pairs.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> print(cc.compare(["a", "a", "b", "b"], h).joined(height=0.9))
        from height 0.2 to height 0.9: 2 clusters become 1; right pairs +0, wrong pairs +4
        elements  parts  right_pairs  wrong_pairs  between
               4      2            0            4    0 | 2
        """
        chosen = {"threshold": threshold, "height": height, "level": level}
        name = self._leaves.names.record
        return joined(self._truth, self._hierarchy, name, chosen=chosen, since=since, limit=limit)

    # -- the whole tree ---------------------------------------------------------------------------

    @property
    def dendrogram_purity(self) -> float:
        """Mean purity of the smallest node that joins two elements of a true cluster.

        It is 1 if every true cluster is a node or a single element. A pair that no node joins counts as 0.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "a"], h).dendrogram_purity
        0.8333333333333334
        """
        return float(self._truth.dendrogram_purity)

    @property
    def tree_f(self) -> float:
        """Best F1 of any node with the element's true cluster, averaged over the elements.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(["a", "a", "b", "b"], h).tree_f
        1.0
        """
        return float(self._truth.tree_f)
