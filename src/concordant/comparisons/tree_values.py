"""What a comparison of two hierarchies has for the trees as a whole, not for their cuts."""

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
                "this is for two hierarchies, and one side is a partition; dendrogram_purity and tree_f "
                "compare a partition with a whole hierarchy"
            )
        return TreePair(self._rooted(0), self._rooted(1))

    def _rooted(self, side: int) -> RootedTree:
        tree, hierarchy = self._leaves.tree(side), self._leaves.sides[side]
        assert hierarchy is not None  # asked of two hierarchies
        return RootedTree.of(
            tree.parent, tree.level, hierarchy.level_heights, descending=hierarchy.descending
        )

    def _tree_value(self, spelling: str) -> float:
        return TREE_INDICES[spelling].value(self._pair, self._conventions.undefined)

    @property
    def has_common_root(self) -> tuple[bool, bool]:
        """For each hierarchy, whether it has several roots, which got a common one.

        Pairs that never join then have a common height for the correlations. It is as far above the highest
        level as that is above the level below it.
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
        """Triples of elements by which two join first in both trees."""
        return self._pair.triplets

    @property
    def triplet_agreement(self) -> float:
        """Share of the triples of which both trees join the same two first, or all three at once."""
        return self._tree_value("triplet_agreement")

    @property
    def hierarchical_mutual_information(self) -> float:
        """Mutual information of the children of nodes of equal depth, summed over all depths, in nats."""
        return self._tree_value("hierarchical_mutual_information")

    @property
    def normalised_hierarchical_mutual_information(self) -> float:
        """Hierarchical mutual information over its largest value, log n."""
        return self._tree_value("normalised_hierarchical_mutual_information")

    def entanglement(self, L: float = 1.5) -> float:
        """How far leaves are from their places in the other drawing: of the drawings, not of the trees."""
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
        """Whether the trees agree more than by chance: both are kept, and the elements of one are permuted.

        The two correlations have mean 0 and an exact standard deviation and skewness. p is from all
        permutations of up to 7 elements, else from the gamma distribution with these moments. Other indices
        are tested by random permutations.

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
        """Clusters of the reference that the candidate keeps, and for each lost one its nearest node there.

        >>> import concordant as cc
        >>> u = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 3, 2.0, 2], [4, 5, 4.0, 4]])
        >>> v = cc.Hierarchy.from_linkage([[0, 1, 1.0, 2], [2, 4, 2.0, 3], [3, 5, 4.0, 4]])
        >>> cc.compare(u, v).changes().lost[0].f1
        0.6666666666666666
        """
        return TreeChanges(self._pair, limit, self._leaves.names.record)

    def tanglegram(self, *, fold_beyond: int = FOLDED_BEYOND) -> Tanglegram:
        """Both trees face to face, drawn so that few lines cross; it describes the drawing, not the trees.

        Beyond so many leaves, subtrees that both trees share are drawn as one.
        """
        return tanglegram(self._pair, fold_beyond=fold_beyond)
