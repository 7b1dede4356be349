"""Set matching: how well each cluster matches its best partner on the other side.

n_ij is the overlap of reference cluster i (size a_i, K clusters) and candidate cluster j (size b_j, L
clusters); max_j n_ij is the largest overlap of reference cluster i. M is the total overlap of the best
one-to-one matching; if K and L differ, unmatched clusters add 0.
"""

from __future__ import annotations

from fractions import Fraction

from concordant.counts.element_centric import Elements
from concordant.counts.overlaps import BestOverlaps, Nearest
from concordant.indices.index import index
from concordant.indices.parameters import CLUSTERS_LESS_ONE, SIZE_LESS_ONE, Bound
from concordant.maths.arithmetic import Number, root


@index(
    title="Purity",
    formula="Σ_j max_i n_ij / n",
    tight=False,
    aliases=("PuS", "brohee_ppv"),
    cite="Zhao & Karypis 2001, Univ. Minnesota TR 01-40; Brohée & van Helden 2006, BMC Bioinformatics 7:488",
    known_as={
        "permetrics": "purity_score, PuS",
        "CluSim": "purity_index",
        "ELKI": "SetMatchingPurity.purity",
    },
    remarks={
        "CluSim": "returns inverse purity for some numbers of clusters",
        "ELKI": "its first partition is the candidate",
    },
    worked=(("000111", "001101", 2 / 3),),
)
def purity(m: BestOverlaps) -> Number:
    """Share of the elements in the majority reference cluster of their candidate cluster.

    The accuracy if each candidate cluster is labelled by majority. Singletons score 1, so read it together
    with inverse purity. For partitions, it equals the positive predictive value of Brohée and van Helden.
    """
    return m.columns_best / m.size


@purity.mirrored(
    title="Inverse purity",
    formula="Σ_i max_j n_ij / n",
    aliases=("collocation", "brohee_sensitivity"),
    cite="Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461; Brohée & van Helden 2006",
    known_as={"ELKI": "SetMatchingPurity.inversePurity"},
    worked=(("000111", "001101", 2 / 3),),
)
def inverse_purity(m: BestOverlaps) -> Number:
    """Share of the elements in the candidate cluster that has most of their reference cluster.

    One big cluster scores 1, so read it together with purity. For partitions, it equals the sensitivity of
    Brohée and van Helden.
    """
    return m.rows_best / m.size


@index(
    title="F-measure of purity",
    formula="2PQ / (P + Q), P purity, Q inverse purity",
    tight=False,
    cite="Steinbach, Karypis & Kumar 2000; Amigó et al. 2009",
    known_as={"ELKI": "SetMatchingPurity.f1Measure"},
    worked=(("000111", "001101", 2 / 3),),
)
def purity_f1(m: BestOverlaps) -> Number:
    """Harmonic mean of purity and inverse purity.

    It depends only on the best partner of each cluster, not on the other overlaps.
    """
    return 2 * m.columns_best * m.rows_best / (m.size * (m.columns_best + m.rows_best))


@index(
    title="Geometric accuracy of Brohée and van Helden",
    formula="√(PQ), P purity, Q inverse purity",
    tight=False,
    aliases=("brohee_sensitivity_ppv", "geometric_accuracy"),
    cite="Brohée & van Helden 2006, BMC Bioinformatics 7:488",
    known_as={"CluSim": "geometric_accuracy", "cdlib": "geometric_accuracy"},
    worked=(("000111", "001101", 2 / 3), ("0000", "0123", 1 / 2)),
)
def brohee_accuracy(m: BestOverlaps) -> Number:
    """Geometric mean of sensitivity and positive predictive value, for protein complexes.

    For partitions, the geometric mean of purity and inverse purity.
    """
    return root(Fraction(m.columns_best * m.rows_best, m.size * m.size))


@index(
    title="Separation",
    formula="Σ n_ij²/(a_i·b_j) / √(KL)",
    tight=False,
    cite="Brohée & van Helden 2006, BMC Bioinformatics 7:488",
    worked=(("0011", "0101", 1 / 2),),
)
def separation(e: Elements) -> Number:
    """Whether each cluster corresponds to exactly one cluster of the other side.

    High if overlaps are nearly one-to-one. Every cluster has the same weight.
    """
    return float(e.over_product) / root(e.rows * e.columns)


@index(
    title="Class-weighted F-measure",
    formula="Σ_i (a_i/n) max_j 2n_ij/(a_i+b_j)",
    tight=False,
    aliases=("fscore", "clustering_f"),
    cite="van Rijsbergen 1979; Larsen & Aone 1999, KDD; Zhao & Karypis 2001",
    known_as={"ELKI": "SetMatchingPurity.fMeasureFirst"},
    worked=(("0011", "0000", 2 / 3),),
)
def f_class_weighted(m: BestOverlaps) -> Number:
    """F-measure of each reference cluster with its best candidate cluster, weighted by cluster size.

    Several reference clusters can share a partner, so one big candidate cluster scores too high.
    """
    return m.rows_f1_weighted / m.size


@f_class_weighted.mirrored(
    title="Cluster-weighted F-measure",
    formula="Σ_j (b_j/n) max_i 2n_ij/(a_i+b_j)",
    cite="van Rijsbergen 1979; Larsen & Aone 1999, KDD",
    known_as={"ELKI": "SetMatchingPurity.fMeasureSecond"},
    worked=(("0000", "0011", 2 / 3),),
)
def f_cluster_weighted(m: BestOverlaps) -> Number:
    """F-measure of each candidate cluster with its best reference cluster, weighted by cluster size.

    The class-weighted F-measure with the sides swapped.
    """
    return m.columns_f1_weighted / m.size


@index(
    title="Larsen-Aone measure",
    formula="Σ_i max_j 2n_ij/(a_i+b_j) / K",
    undefined=0,
    partial_overlap=True,
    tight=False,
    cite="Larsen & Aone 1999, KDD; Wagner & Wagner 2007",
    known_as={"partitionComparison": "larsenAone"},
    remarks={"cdlib": "f1 matches by largest overlap and rounds each F1 to two digits"},
    worked=(("0011", "0000", 2 / 3), ("0012", "0011", (1 + 2 / 3 + 2 / 3) / 3)),
)
def larsen_aone(m: BestOverlaps) -> Number:
    """F-measure of each reference cluster with its best candidate cluster, averaged.

    Every cluster has the same weight.
    """
    return m.rows_f1 / m.rows


@larsen_aone.mirrored(
    title="Larsen-Aone measure of the candidate",
    formula="Σ_j max_i 2n_ij/(a_i+b_j) / L",
    worked=(("0000", "0011", 2 / 3),),
)
def larsen_aone_of_candidate(m: BestOverlaps) -> Number:
    """F-measure of each candidate cluster with its best reference cluster, averaged.

    Every cluster has the same weight.
    """
    return m.columns_f1 / m.columns


@index(
    title="Average F1",
    formula="(Σ_i max_j F_ij / K + Σ_j max_i F_ij / L) / 2, F_ij = 2n_ij/(a_i+b_j)",
    undefined=0,
    partial_overlap=True,
    tight=False,
    cite="Yang & Leskovec 2013, WSDM",
    known_as={"xmeasures": "F1a"},
    worked=(("0012", "0011", ((1 + 2 / 3 + 2 / 3) / 3 + (1 + 2 / 3) / 2) / 2),),
)
def average_f1(m: BestOverlaps) -> Number:
    """Mean of the Larsen-Aone measure in both directions.

    Common for network communities. Every cluster has the same weight.
    """
    return (m.rows_f1 / m.rows + m.columns_f1 / m.columns) / 2


@index(
    title="Split-join distance",
    formula="2n − Σ_i max_j n_ij − Σ_j max_i n_ij",
    range=(0, Bound("2n", lambda n: 2 * n, degree=1)),
    perfect=0,
    metric=True,
    tight=False,
    aliases=("van_dongen",),
    cite="van Dongen 2000, CWI report INS-R0012",
    known_as={
        "igraph": "compare_communities(method='split-join')",
        "partitionComparison": "dongensMetric",
    },
    worked=(("0011", "0101", 4),),
)
def split_join(m: BestOverlaps) -> Number:
    """Number of elements outside the largest overlap of their cluster, summed over both sides.

    A metric that takes linear time. Its two terms distinguish splits from merges.
    """
    return (2 * m.size - m.rows_best - m.columns_best) * m.unit


@index(
    title="Normalised van Dongen distance",
    formula="(2n − Σ_i max_j n_ij − Σ_j max_i n_ij) / 2n",
    perfect=0,
    metric=True,
    tight=False,
    aliases=("NVD",),
    cite="van Dongen 2000; Rezaei & Fränti 2016, IEEE Trans. Knowl. Data Eng. 28:2173",
    worked=(("0011", "0101", 1 / 2),),
)
def van_dongen_normalised(m: BestOverlaps) -> Number:
    """The split-join distance divided by 2n.

    One minus the mean of purity and inverse purity.
    """
    return (2 * m.size - m.rows_best - m.columns_best) / (2 * m.size)


@index(
    title="Projection distance, reference to candidate",
    formula="n − Σ_i max_j n_ij",
    range=(0, SIZE_LESS_ONE),
    perfect=0,
    aliases=("projection_distances",),
    cite="van Dongen 2000, CWI report INS-R0012",
    known_as={"igraph": "split_join_distance()[0]"},
    worked=(("0011", "0123", 2), ("0123", "0011", 0)),
)
def projection_distance_of_reference(m: BestOverlaps) -> Number:
    """Number of elements outside the largest overlap of their reference cluster.

    0 if and only if the reference refines the candidate. It counts splits and ignores merges.
    """
    return (m.size - m.rows_best) * m.unit


@projection_distance_of_reference.mirrored(
    title="Projection distance, candidate to reference",
    formula="n − Σ_j max_i n_ij",
    known_as={"igraph": "split_join_distance()[1]"},
    worked=(("0123", "0011", 2), ("0011", "0123", 0)),
)
def projection_distance_of_candidate(m: BestOverlaps) -> Number:
    """Number of elements outside the largest overlap of their candidate cluster.

    0 if and only if the candidate refines the reference. It counts merges and ignores splits.
    """
    return (m.size - m.columns_best) * m.unit


@index(
    title="Centroid index",
    formula="the larger of both sides' numbers of clusters that are nearest to no other by Jaccard",
    range=(0, CLUSTERS_LESS_ONE),
    perfect=0,
    aliases=("CI",),
    cite="Fränti, Rezaei & Zhao 2014, Pattern Recognit. 47:3034",
    worked=(("0000", "0123", 3), ("001122", "001112", 0)),
)
def centroid_index(m: Nearest) -> Number:
    """Number of missing or superfluous clusters.

    0 means that the cluster structure is right, apart from details. Ties between equally close clusters are
    resolved so the number of orphans is minimal. The value does not depend on the order of labels.
    """
    return max(m.orphan_rows, m.orphan_columns)


@index(
    title="Prediction strength",
    formula="min_i Σ_j C(n_ij,2) / C(a_i,2) over clusters with a_i ≥ 2",
    undefined=1,
    weighted="pairs",
    cite="Tibshirani & Walther 2005, J. Comput. Graph. Stat. 14:511",
    known_as={"clue": "cl_agreement(method='PS')"},
    worked=(("00011", "00111", 1 / 3),),
)
def prediction_strength(m: BestOverlaps) -> Number:
    """The smallest share of a reference cluster's pairs that are together in the candidate.

    Used to choose the number of clusters: the reference is the clustering of a test set, the candidate its
    classification by the training set. The worst cluster determines the value.
    """
    return m.weakest_row


@prediction_strength.mirrored(
    title="Prediction strength of the candidate",
    formula="min_j Σ_i C(n_ij,2) / C(b_j,2) over clusters with b_j ≥ 2",
    worked=(("00111", "00011", 1 / 3),),
)
def prediction_strength_of_candidate(m: BestOverlaps) -> Number:
    """The smallest share of a candidate cluster's pairs that are together in the reference.

    The prediction strength with the sides swapped.
    """
    return m.weakest_column
