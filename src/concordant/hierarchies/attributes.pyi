"""The indices of the kind `hierarchy` as attributes. Written by scripts/make_types.py from the declarations."""

from typing import ClassVar

from concordant.indices.catalogue import Catalogue

class TreeIndices:
    _sections: ClassVar[tuple[Catalogue, ...]]

    @property
    def cophenetic_correlation(self) -> float:
        """Cophenetic correlation.

        Pearson correlation of the heights at which both trees join each pair.

        It is also 1 if the heights of one tree are a linear function of the heights of the other. Scores
        count as falling heights.

        Notes
        -----
        cor(h_U, h_V) over all pairs, in [-1, 1].

        References
        ----------
        Sokal & Rohlf 1962, Taxon 11:33.
        """
    @property
    def bakers_gamma(self) -> float:
        """Baker's gamma.

        Rank correlation of the levels at which both trees join each pair.

        dendextend uses this name, and breaks ties by row order. Here, pairs at the same level are tied.
        Baker used goodman_kruskal_gamma_of_heights.

        Notes
        -----
        Spearman's ρ of (h_U, h_V) over all pairs, with mid-ranks, in [-1, 1].

        References
        ----------
        Baker 1974, J. Am. Stat. Assoc. 69:440.
        """
    @property
    def goodman_kruskal_gamma_of_heights(self) -> float:
        """Goodman and Kruskal's gamma of heights.

        Pairs of pairs joined in the same order minus those in the opposite order, divided by their sum.

        Pairs of pairs that are tied in either tree are ignored.

        Notes
        -----
        (C − D) / (C + D), in [-1, 1].

        References
        ----------
        Baker 1974, J. Am. Stat. Assoc. 69:440.
        """
    @property
    def kendall_tau_b_of_heights(self) -> float:
        """Kendall's tau-b of heights.

        Pairs of pairs joined in the same order minus those in the opposite order, corrected for ties.

        Notes
        -----
        (C − D) / √(untied in U · untied in V), in [-1, 1].

        References
        ----------
        Kendall 1945, Biometrika 33:239.
        """
    @property
    def clusters_shared(self) -> float:
        """Shared clusters.

        Number of clusters of 2 to n−1 elements that are nodes of both trees.

        Notes
        -----
        |C_U ∩ C_V|, in [0, n−2].

        References
        ----------
        Day 1985, J. Classif. 2:7.
        """
    @property
    def robinson_foulds(self) -> float:
        """Robinson-Foulds distance.

        Number of clusters of 2 to n−1 elements that are nodes of one tree only. Trees are rooted.

        Notes
        -----
        |C_U \\ C_V| + |C_V \\ C_U|, in [0, 2(n−2)].

        References
        ----------
        Robinson & Foulds 1981, Math. Biosci. 53:131; by clusters as in Day 1985, J. Classif. 2:7.
        """
    @property
    def shared_cluster_precision(self) -> float:
        """Shared-cluster precision.

        Share of the candidate's clusters of 2 to n−1 elements that are nodes of the reference.

        Notes
        -----
        |C_U ∩ C_V| / |C_V|, in [0, 1].

        References
        ----------
        Day 1985, J. Classif. 2:7.
        """
    @property
    def shared_cluster_recall(self) -> float:
        """Shared-cluster recall.

        Share of the reference's clusters of 2 to n−1 elements that are nodes of the candidate.

        Notes
        -----
        |C_U ∩ C_V| / |C_U|, in [0, 1].

        References
        ----------
        Day 1985, J. Classif. 2:7.
        """
    @property
    def shared_cluster_f1(self) -> float:
        """Shared-cluster F.

        Harmonic mean of shared-cluster precision and recall.

        Notes
        -----
        2·|C_U ∩ C_V| / (|C_U| + |C_V|), in [0, 1].

        References
        ----------
        Day 1985, J. Classif. 2:7.
        """
    @property
    def triplet_agreement(self) -> float:
        """Triplet agreement.

        Share of the triples in which both trees join the same two elements first, or all three in one step.

        Notes
        -----
        (same + unresolved in both) / (n(n−1)(n−2)/6), in [0, 1].

        References
        ----------
        Sand et al. 2013, Biology 2:1189.
        """
    @property
    def hierarchical_mutual_information(self) -> float:
        """Hierarchical mutual information.

        Mutual information of the children of nodes at the same depth, summed over all depths, in nats.

        The depth of a node is the number of nodes above it, so trees of different depths are compared from
        the root down.

        Notes
        -----
        I(X,Y) = I(children of X; children of Y | X∩Y) + Σ_cd n_cd/n_XY · I(c,d), from both roots, in [0, log n].

        References
        ----------
        Perotti, Tessone & Caldarelli 2015, Phys. Rev. E 92:062825.
        """
    @property
    def normalised_hierarchical_mutual_information(self) -> float:
        """Normalised hierarchical mutual information.

        Hierarchical mutual information divided by its maximum, log n.

        Notes
        -----
        I(U,V) / √(I(U,U)·I(V,V)) = I(U,V) / log n, in [0, 1].

        References
        ----------
        Perotti, Tessone & Caldarelli 2015, Phys. Rev. E 92:062825.
        """
    @property
    def entanglement(self) -> float:
        """Entanglement.

        Distance of the leaves from their positions in the other drawing.

        Children are drawn in the order of their creation. The value compares two drawings, not two trees:
        rotating a node changes it.

        Notes
        -----
        Σ|pos_U − pos_V|ᴸ over that of the reverse order, in [0, 1].

        References
        ----------
        Galili 2015, Bioinformatics 31:3718.
        """
    @property
    def dendrogram_purity(self) -> float:
        """Dendrogram purity.

        Mean purity of the smallest node that joins two elements of a true cluster.

        It is 1 if and only if every true cluster is a node or a single element. A pair that no node joins
        counts as 0.

        Notes
        -----
        mean over pairs x, y of one cluster A of |A ∩ node(x,y)| / |node(x,y)|, in [0, 1].

        References
        ----------
        Heller & Ghahramani 2005, ICML, 297.
        """
    @property
    def tree_f1(self) -> float:
        """Tree F.

        Best F1 of any node with the element's true cluster, averaged over the elements.

        Leaves and the root count as nodes, so each true cluster has a node with an F1 above 0.

        Notes
        -----
        Σ a/n · max over all nodes of 2·overlap / (a + |node|), in [0, 1].

        References
        ----------
        Larsen & Aone 1999, KDD, 16.
        """
