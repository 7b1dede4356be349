"""Comparison of two hierarchies as whole trees, without cutting them."""

from __future__ import annotations

from functools import cached_property

from concordant.catalogue.index import INDICES
from concordant.comparisons.tree_significance import TreeSignificance, tree_significance
from concordant.counts.conventions import Conventions
from concordant.errors import HierarchyError
from concordant.hierarchies.drawing import FOLDED_BEYOND, Tanglegram, tanglegram
from concordant.hierarchies.leaves import Leaves
from concordant.hierarchies.tree_changes import TreeChanges
from concordant.hierarchies.tree_indices import TREE_INDICES
from concordant.hierarchies.tree_pair import RootedTree, TreePair, Triplets
from concordant.trust.null_distributions import Tail
from concordant.trust.significance import SignificanceMethod


class TreeValues:
    """Indices of two whole trees, their significance, and where the trees differ."""

    _leaves: Leaves
    _conventions: Conventions

    @cached_property
    def _pair(self) -> TreePair:
        if None in self._leaves.sides:
            raise HierarchyError(
                "this compares two hierarchies, and one side is a partition; dendrogram_purity and tree_f "
                "compare a partition with a whole hierarchy"
            )
        return TreePair(self._rooted(0), self._rooted(1))

    def _rooted(self, side: int) -> RootedTree:
        tree, hierarchy = self._leaves.tree(side), self._leaves.sides[side]
        assert hierarchy is not None  # both sides are hierarchies here
        return RootedTree.of(
            tree.parent, tree.level, hierarchy.level_heights, descending=hierarchy.descending
        )

    def _tree_value(self, spelling: str) -> float:
        return TREE_INDICES[spelling].value(self._pair, self._conventions.undefined)

    @property
    def has_common_root(self) -> tuple[bool, bool]:
        """For each hierarchy, whether it had several roots and a common root was added.

        Pairs that are never joined then have the height of the common root. That root is as far above the
        highest level as the highest level is above the next one.
        """
        return self._pair.u.is_forest, self._pair.v.is_forest

    @property
    def cophenetic_correlation(self) -> float:
        """Pearson's correlation of the heights at which both trees join each pair.

        >>> import concordant as cc
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 4.0, 4]])
        >>> v = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 4, 2.0, 3], [3, 5, 4.0, 4]])
        >>> round(cc.compare(u, v).cophenetic_correlation, 4)
        0.3585
        """
        return self._tree_value("cophenetic_correlation")

    @property
    def bakers_gamma(self) -> float:
        """Rank correlation of the levels at which both trees join each pair."""
        return self._tree_value("bakers_gamma")

    @property
    def goodman_kruskal_gamma_of_heights(self) -> float:
        """Goodman and Kruskal's gamma of the levels at which both trees join each pair."""
        return self._tree_value("goodman_kruskal_gamma_of_heights")

    @property
    def kendall_tau_b_of_heights(self) -> float:
        """Kendall's tau-b of the levels at which both trees join each pair."""
        return self._tree_value("kendall_tau_b_of_heights")

    @property
    def clusters_shared(self) -> int:
        """Number of clusters of 2 to n−1 elements that are nodes of both trees."""
        return self._pair.cluster_counts[2]

    @property
    def robinson_foulds(self) -> int:
        """Number of clusters of 2 to n−1 elements that are nodes of one tree only."""
        return int(self._tree_value("robinson_foulds"))

    @property
    def shared_cluster_precision(self) -> float:
        """Share of the candidate's clusters of 2 to n−1 elements that are nodes of the reference."""
        return self._tree_value("shared_cluster_precision")

    @property
    def shared_cluster_recall(self) -> float:
        """Share of the reference's clusters of 2 to n−1 elements that are nodes of the candidate."""
        return self._tree_value("shared_cluster_recall")

    @property
    def shared_cluster_f(self) -> float:
        """Harmonic mean of shared-cluster precision and recall."""
        return self._tree_value("shared_cluster_f")

    @property
    def triplets(self) -> Triplets:
        """Triples of elements, counted by which two are joined first in each tree."""
        return self._pair.triplets

    @property
    def triplet_agreement(self) -> float:
        """Share of the triples that both trees join in the same order."""
        return self._tree_value("triplet_agreement")

    @property
    def hierarchical_mutual_information(self) -> float:
        """Mutual information of the children of nodes of equal depth, summed over all depths, in nats."""
        return self._tree_value("hierarchical_mutual_information")

    @property
    def normalised_hierarchical_mutual_information(self) -> float:
        """Hierarchical mutual information divided by its maximum, log n."""
        return self._tree_value("normalised_hierarchical_mutual_information")

    def entanglement(self, L: float = 1.5) -> float:
        """Compute the entanglement of the tanglegram: the distance of leaves from their counterparts.

        The value describes the drawing, not the trees.

        Parameters
        ----------
        L : float, default=1.5
            Exponent of the distances.

        Returns
        -------
        float
            0 if all leaves are at the height of their counterparts, at most 1.

        Examples
        --------
        >>> import concordant as cc
        >>> h = cc.Hierarchy.from_linkage([[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.9, 4]])
        >>> cc.compare(h, h).entanglement()
        0.0
        """
        return TREE_INDICES["entanglement"].bind(L=L).value(self._pair, self._conventions.undefined)

    def significance(
        self,
        index: str = "cophenetic_correlation",
        *,
        tail: Tail = "upper",
        method: SignificanceMethod = "auto",
        permutations: int = 9999,
        seed: int = 0,
    ) -> TreeSignificance:
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
        permutations : int, default=9999
            Maximum number of permutations. Drawing stops after 20 that are as extreme.
        seed : int, default=0
            Seed of the permutations.

        Returns
        -------
        TreeSignificance
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
                f"{index} is an index of two partitions; at(k=...).significance({index!r}) tests one cut"
            )
        return tree_significance(
            self._pair,
            TREE_INDICES[index],
            undefined=self._conventions.undefined,
            tail=tail,
            method=method,
            permutations=permutations,
            seed=seed,
        )

    def changes(self, limit: int | None = 100) -> TreeChanges:
        """List the reference clusters that the candidate keeps and those that it loses.

        Parameters
        ----------
        limit : int or None, default=100
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
        return tanglegram(self._pair, fold_beyond=fold_beyond)
