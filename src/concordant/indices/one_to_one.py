"""Set matching: one-to-one matching of clusters.

n_ij is the overlap of reference cluster i (size a_i, K clusters) and candidate cluster j (size b_j, L
clusters). M is the total overlap of the best one-to-one matching; if K and L differ, unmatched clusters add
0.
"""

from __future__ import annotations

import math
from fractions import Fraction

from concordant.counts.assignment import Assignment
from concordant.indices.index import index
from concordant.indices.parameters import ROOT_OF_TWICE_SIZE, SIZE_LESS_ONE
from concordant.maths.arithmetic import Number, root


@index(
    title="Matching accuracy",
    formula="M / n, M = max Σ n_ij over one-to-one matchings",
    metric=True,
    tight=False,
    aliases=("clustering_accuracy", "ACC"),
    cite="Meilă & Heckerman 2001, Mach. Learn. 42:9; Luo 2005, HLT-EMNLP",
    known_as={"ELKI": "MaximumMatchingAccuracy", "torchmetrics": "ClusterAccuracy", "mclustcomp": "mmm"},
    remarks={"mclustcomp": "0.3.3 is wrong for some partitions, such as 31322223 and 44424132"},
    worked=(("0011", "0101", 1 / 2), ("0000", "0123", 1 / 4), ("001122", "001112", 5 / 6)),
)
def matching_accuracy(m: Assignment) -> Number:
    """Share of correctly classified elements under the best one-to-one matching of clusters.

    Deep-clustering papers call it accuracy. ceaf_m_f1 is the same if both sides contain the same elements.
    If K and L differ, elements of unmatched clusters are wrong.
    """
    return Fraction(m.overlap, m.size)  # so an index that rescales it is rounded once


@matching_accuracy.rescaled(
    scale=-1,
    shift=1,
    title="Classification error distance",
    formula="1 − M / n",
    cite="Meilă 2005, ICML; Meilă 2007, J. Multivar. Anal. 98:873",
    known_as={"partitionComparison": "classificationErrorDistance"},
    remarks={
        "CluSim": "classification_error is 1 − purity",
        "partitionComparison": "fails if the first partition has more clusters",
    },
)
def classification_error() -> None:
    """Share of the elements that must change cluster to turn one partition into the other.

    One minus the matching accuracy. A metric.
    """


@index(
    title="Transfer distance",
    formula="n − M",
    range=(0, SIZE_LESS_ONE),
    perfect=0,
    metric=True,
    aliases=("partition_distance",),
    cite="Almudevar & Field 1999; Gusfield 2002, Inf. Process. Lett. 82:159; Charon et al. 2006",
    known_as={
        "clue": "cl_dissimilarity(method='manhattan') / 2, cl_dissimilarity(method='Mallows') / 2, "
        "cl_dissimilarity(method='BA/A')"
    },
    remarks={"clue": "Mallows with default p, alpha and beta"},
    worked=(("0011", "0101", 2), ("0000", "0123", 3)),
)
def transfer_distance(m: Assignment) -> Number:
    """Minimal number of elements that must move to turn one partition into the other.

    A metric that is easy to explain.
    """
    return (m.size - m.overlap) * m.unit


@index(
    title="Normalised clustering accuracy",
    formula="(max Σ n_ij/a_i over one-to-one matchings − 1) / (K − 1)",
    range=(-1, 1),
    undefined=math.nan,
    mirror=None,
    tight=False,
    aliases=("NCA",),
    cite="Gagolewski 2025, J. Classif. 42:2",
    known_as={"genieclust": "normalized_clustering_accuracy"},
    remarks={"genieclust": "1.3 raises an error if K ≠ L"},
    worked=(("0011", "0101", 0), ("000111", "001101", 1 / 3)),
)
def normalised_clustering_accuracy(m: Assignment) -> Number:
    """Mean recall of the reference clusters under the best matching, rescaled so 0 is the worst value if K
    = L.

    Every reference cluster has the same weight. An unmatched cluster has recall 0, so the value can be
    negative if K and L differ. Undefined if the reference is one cluster.
    """
    return (m.over_a - 1) / (m.rows - 1)


@index(
    title="Normalised pivoted accuracy",
    formula="(kM/n − 1) / (k − 1), k = max(K, L)",
    aliases=("NPA",),
    cite="Gagolewski 2025, J. Classif. 42:2; Steinley 2004, Psychol. Methods 9:386",
    known_as={"genieclust": "normalized_pivoted_accuracy"},
    remarks={"genieclust": "1.3 raises an error if K ≠ L"},
    worked=(("0011", "0101", 0), ("001122", "001112", 3 / 4)),
)
def normalised_pivoted_accuracy(m: Assignment) -> Number:
    """Matching accuracy, rescaled so 0 is the worst value for k clusters of equal size.

    If K and L differ, empty clusters are added to the smaller side.
    """
    clusters = max(m.rows, m.columns)
    return (clusters * m.overlap - m.size) / (m.size * (clusters - 1))


def _expected_pairing(rows: dict[int, int], columns: dict[int, int]) -> int:
    """Σ min(a, b) over the clusters paired by rank of size, the largest with the largest."""
    longer = [[size, rows[size]] for size in sorted(rows)]
    other = [[size, columns[size]] for size in sorted(columns)]
    total = 0
    while longer and other:
        (a, many_a), (b, many_b) = longer[-1], other[-1]
        paired = min(many_a, many_b)
        total += paired * min(a, b)
        for sizes in (longer, other):
            sizes[-1][1] -= paired
            if not sizes[-1][1]:
                sizes.pop()
    return total


@index(
    title="Pair sets index",
    formula="max(0, (S − E) / (max(K,L) − E)), S = max Σ n_ij/max(a_i,b_j), E = Σ_r min(a_(r),b_(r))/n",
    aliases=("PSI",),
    cite="Rezaei & Fränti 2016, IEEE Trans. Knowl. Data Eng. 28:2173",
    known_as={"genieclust": "pair_sets_index", "ELKI": "PairSetsIndex"},
    remarks={
        "genieclust": "changes if label ids have gaps",
        "ELKI": "ranks sizes in ascending order, which changes the value if K ≠ L",
    },
    worked=(("0011", "0101", 0), ("001122", "001112", (1 + 2 / 3 + 1 / 2 - 5 / 6) / (3 - 5 / 6))),
)
def pair_sets_index(m: Assignment) -> Number:
    """Similarity of matched clusters relative to the larger number of clusters, corrected for chance.

    Every cluster has the same weight. A surplus cluster on either side costs one.
    """
    expected = Fraction(_expected_pairing(m.row_sizes, m.column_sizes), m.size)
    return max(Fraction(0), (m.over_larger - expected) / (max(m.rows, m.columns) - expected))


@index(
    title="Simplified pair sets index",
    formula="max(0, (S − 1) / (max(K,L) − 1)), S = max Σ n_ij/max(a_i,b_j)",
    aliases=("SPSI",),
    cite="Rezaei & Fränti 2016, IEEE Trans. Knowl. Data Eng. 28:2173",
    known_as={"genieclust": "pair_sets_index(simplified=True), compare_partitions(…)['spsi']"},
    remarks={"genieclust": "1.3 raises an error if K ≠ L"},
    worked=(("0011", "0101", 0), ("001122", "001112", (1 + 2 / 3 + 1 / 2 - 1) / (3 - 1))),
)
def simplified_pair_sets_index(m: Assignment) -> Number:
    """The pair sets index with a fixed correction for chance: the similarity of one cluster.

    One is the largest similarity that clusters of equal size can have by chance. Easier to compute by hand
    than pair_sets_index, and slightly lower.
    """
    return max(Fraction(0), Fraction(m.over_larger - 1) / (max(m.rows, m.columns) - 1))


@index(
    title="Maximum matching ratio",
    formula="max Σ n_ij²/(a_i·b_j) over one-to-one matchings / K",
    mirror=None,
    tight=False,
    aliases=("MMR",),
    cite="Nepusz, Yu & Paccanaro 2012, Nat. Methods 9:471",
    worked=(("0011", "0101", 1 / 4), ("0000", "0123", 1 / 4)),
)
def max_matching_ratio(m: Assignment) -> Number:
    """Overlap score of matched clusters, averaged over the reference's clusters.

    Common for protein complexes. Every reference cluster has the same weight.
    """
    return m.over_product / m.rows


@index(
    title="Gordon-Vichi dissimilarity",
    formula="√ min Σ (a_i + b_j − 2n_ij) over matchings of all clusters of the side that has fewer",
    range=(0, ROOT_OF_TWICE_SIZE),
    perfect=0,
    tight=False,
    on_request=True,
    cite="Gordon & Vichi 2001, Psychometrika 66:229",
    known_as={"clue": "cl_dissimilarity(method='GV1')"},
    worked=(("0011", "0101", 2), ("0000", "0123", math.sqrt(3)), ("001122", "001112", math.sqrt(2))),
)
def gordon_vichi(m: Assignment) -> Number:
    """Square root of the number of elements by which matched clusters differ, without surplus clusters.

    Clusters are matched to minimise these differences, whether they overlap or not. Surplus clusters of the
    larger side have no cost; transfer_distance counts them.
    """
    return root(m.unmatched_least)
