"""Overlapping clusters: indices for covers, in which an element can be in several clusters or in no
cluster.

J[p,q] is the number of pairs of elements that share p clusters of the reference and q of the candidate, N
the number of all pairs. n_ij is the overlap of reference cluster i (size a, K clusters) and candidate
cluster j (size b, L clusters); the overlaps of a cluster need not add up to its size. For partitions, each
index equals its counterpart in the other families, if it has one.
"""

from __future__ import annotations

from typing import Annotated

from concordant.counts.assignment import Assignment
from concordant.indices.cover_views import BestPartners, Company, PairHistogram, Walk
from concordant.indices.index import index
from concordant.indices.parameters import UNLESS_BETA_IS_ONE, RecallWeight, Share
from concordant.maths.arithmetic import Number, harmonic


@index(
    title="Omega index",
    formula="(O − E) / (1 − E), O = Σ_j J[j,j]/N, E = Σ_j t_U[j]·t_V[j]/N²",
    range=(-1, 1),
    undefined=1,
    headline=11,
    adjusted=True,
    tight=False,
    sides="covers",
    generalises="adjusted_rand",
    cite="Collins & Dent 1988, Multivariate Behav. Res. 23:231",
    known_as={"cdlib": "omega", "CluSim": "omega_index", "xmeasures": "-o (omega)"},
    remarks={
        "cdlib": "slow",
        "CluSim": "returns NaN if all pairs share the same number of clusters",
        "xmeasures": "slow; the extended form (-x) is a different index",
    },
    worked=(("0011", "0011", 1), ("001122", "001112", 4 / 9)),
)
def omega(j: PairHistogram) -> Number:
    """Share of the pairs that share the same number of clusters on both sides, corrected for chance.

    The adjusted Rand index for covers. Some different covers also score 1, such as {01, 02, 12, 3} and
    {012, 3}; singleton clusters have no effect. -1 is reached with four elements. A cluster listed twice
    counts twice.
    """
    return (j.observed - j.expected) / (1 - j.expected)


@index(
    title="Omega index without adjustment",
    formula="Σ_j J[j,j] / N",
    undefined=1,
    sides="covers",
    generalises="rand",
    cite="Collins & Dent 1988, Multivariate Behav. Res. 23:231",
    worked=(("0011", "0111", 1 / 2),),
)
def unadjusted_omega(j: PairHistogram) -> Number:
    """Share of the pairs that share the same number of clusters on both sides.

    The Rand index for covers. Some different covers also score 1, such as {01, 02, 12, 3} and {012, 3}.
    Apart from this, one minus the value is a distance.
    """
    return j.observed


@index(
    title="Extended B-cubed precision",
    formula="mean over x, then over y with q ≥ 1, of min(p,q)/q",
    undefined=0,
    tight=False,
    sides="covers",
    generalises="bcubed_precision",
    cite="Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461",
    known_as={"bcubed": "precision"},
    worked=(("0011", "0111", 2 / 3),),
)
def extended_bcubed_precision(c: Company) -> Number:
    """B-cubed precision for covers: the share of shared candidate clusters that the reference supports.

    p and q are the numbers of clusters that x and y share; y may be x itself. Elements without a candidate
    cluster have no precision. Some different covers also score 1, such as {01, 02, 12, 3} against {012, 3}.
    """
    return c.precision / c.in_v


@extended_bcubed_precision.mirrored(
    title="Extended B-cubed recall",
    formula="mean over x, then over y with p ≥ 1, of min(p,q)/p",
    generalises="bcubed_recall",
    known_as={"bcubed": "recall"},
    worked=(("0011", "0111", 3 / 4),),
)
def extended_bcubed_recall(c: Company) -> Number:
    """B-cubed recall for covers: the share of shared reference clusters that the candidate keeps.

    Elements without a reference cluster have no recall. Some different covers also score 1, such as {012,
    3} against {01, 02, 12, 3}.
    """
    return c.recall / c.in_u


@index(
    title="Extended B-cubed F-measure",
    formula="(1+β²)·P·R / (β²·P + R)",
    undefined=0,
    tight=False,
    unless={"mirror": UNLESS_BETA_IS_ONE},
    sides="covers",
    generalises="bcubed_f",
    cite="Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461",
    headline=12,
    known_as={"bcubed": "fscore"},
    worked=(("0011", "0111", 12 / 17),),
)
def extended_bcubed_f(c: Company, *, beta: RecallWeight = 1.0) -> Number:
    """Harmonic mean of extended B-cubed precision and recall.

    Every element has the same weight, so one giant cluster does not dominate. Some different covers also
    score 1, such as {01, 02, 12} and {012, 0, 1, 2}.
    """
    return harmonic(c.precision / c.in_v, c.recall / c.in_u, beta)


@index(
    title="Average F1 with overlaps",
    formula="(mean_i max_j 2n_ij/(a+b) + mean_j max_i 2n_ij/(a+b)) / 2",
    undefined=0,
    tight=False,
    sides="covers",
    generalises="average_f1",
    cite="Yang & Leskovec 2013, WSDM",
    known_as={"xmeasures": "-fa (F1a)"},
    remarks={"cdlib": "nf1 rounds and depends on cluster order; not available here"},
    worked=(("0011", "0000", 2 / 3),),
)
def overlapping_average_f1(m: BestPartners) -> Number:
    """F1 of each cluster with its best partner, averaged over the clusters of each side and both sides.

    Common for network communities. Every cluster has the same weight. Some different covers also score 1: a
    cluster listed twice has the same best partner twice.
    """
    return (m.rows_f1 + m.columns_f1) / 2


@index(
    title="Average F1, harmonic",
    formula="2FG/(F+G), F = mean_i max_j 2n_ij/(a+b), G = mean_j max_i 2n_ij/(a+b)",
    undefined=0,
    tight=False,
    sides="covers",
    cite="Lutov, Khayati & Cudré-Mauroux 2019, BigComp; Yang & Leskovec 2013, WSDM",
    known_as={"xmeasures": "-fh (F1h)"},
    worked=(("0011", "0011", 1), ("0011", "0000", 2 / 3)),
)
def average_f1_harmonic(m: BestPartners) -> Number:
    """Harmonic mean of both sides' average F1 with the best partners.

    Stricter than average_f1 if only one side finds good partners. Some different covers also score 1: a
    cluster listed twice has the same best partner twice.
    """
    return 2 * m.rows_f1 * m.columns_f1 / (m.rows_f1 + m.columns_f1)


@index(
    title="Average F1, weighted by size",
    formula="(Σ_i a_i·max_j 2n_ij/(a_i+b_j) / Σ a + Σ_j b_j·max_i 2n_ij/(a_i+b_j) / Σ b) / 2",
    undefined=0,
    tight=False,
    sides="covers",
    cite="Lutov, Khayati & Cudré-Mauroux 2019, BigComp; Yang & Leskovec 2013, WSDM",
    known_as={"xmeasures": "-fa -kw (F1a weighted)"},
    worked=(("0011", "0000", 2 / 3),),
)
def average_f1_weighted(m: BestPartners) -> Number:
    """F1 of each cluster with its best partner, weighted by cluster size and averaged over both sides.

    Some different covers also score 1: a cluster listed twice has the same best partner twice.
    """
    return (m.rows_f1_weighted + m.columns_f1_weighted) / 2


@index(
    title="Average F1, harmonic and weighted by size",
    formula="2FG/(F+G), F = Σ_i a_i·max_j 2n_ij/(a_i+b_j) / Σ a, G = Σ_j b_j·max_i 2n_ij/(a_i+b_j) / Σ b",
    undefined=0,
    tight=False,
    sides="covers",
    cite="Lutov, Khayati & Cudré-Mauroux 2019, BigComp; Yang & Leskovec 2013, WSDM",
    known_as={"xmeasures": "-fh -kw (F1h weighted)"},
    worked=(("0011", "0000", 2 / 3),),
)
def average_f1_harmonic_weighted(m: BestPartners) -> Number:
    """Harmonic mean of both sides' average F1 with the best partners, weighted by cluster size.

    Some different covers also score 1: a cluster listed twice has the same best partner twice.
    """
    rows, columns = m.rows_f1_weighted, m.columns_f1_weighted
    return 2 * rows * columns / (rows + columns)


@index(
    title="Ochiai measure of best partners",
    formula="2FG/(F+G), F = mean_i max_j n_ij/√(a·b), G = mean_j max_i n_ij/√(a·b)",
    undefined=0,
    tight=False,
    sides="covers",
    cite="Ochiai 1957, Bull. Jpn. Soc. Sci. Fish. 22:526; Lutov, Khayati & Cudré-Mauroux 2019, BigComp",
    known_as={"xmeasures": "-fp (F1p)"},
    remarks={"xmeasures": "called partial probabilities, but uses n/√(ab)"},
    worked=(("0011", "0000", (1 / 2) ** 0.5),),
)
def best_partner_ochiai(m: BestPartners) -> Number:
    """Harmonic mean of both sides' average Ochiai coefficient with the best partners.

    Some different covers also score 1: a cluster listed twice has the same best partner twice.
    """
    return 2 * m.rows_ochiai * m.columns_ochiai / (m.rows_ochiai + m.columns_ochiai)


@index(
    title="Maximum matching ratio with overlaps",
    formula="M / K, M = max Σ n_ij²/(a·b) over one-to-one matchings",
    undefined=0,
    mirror=None,
    tight=False,
    sides="covers",
    generalises="max_matching_ratio",
    cite="Nepusz, Yu & Paccanaro 2012, Nat. Methods 9:471",
    worked=(("0011", "0000", 1 / 4),),
)
def overlapping_matching_ratio(m: Assignment) -> Number:
    """Squared overlap of matched clusters, averaged over the reference's clusters.

    Common for protein complexes. Unmatched candidate clusters have no cost, so some different covers score
    1, such as {01} against {01, 02}.
    """
    return m.over_product / m.rows


@index(
    title="Element-centric similarity with overlaps",
    formula="mean over x of 1 − Σ_y |P_x(y) − Q_x(y)| / 2α",
    tight=False,
    sides="covers",
    generalises="element_centric",
    cite="Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574",
    known_as={"CluSim": "element_sim (overlapping)", "cdlib": "ecs (overlapping)"},
    remarks={
        "CluSim": "0.4 fails on overlapping clusters with SciPy 1.17",
        "cdlib": "calls CluSim, which fails with SciPy 1.17",
    },
    worked=(("0011", "0101", 1 / 2),),
)
def overlapping_element_centric(
    w: Walk, *, alpha: Annotated[Share, "Probability that a walk continues."] = 0.9
) -> Number:
    """Similarity of the random walks that start from an element on each side, averaged over the elements.

    A walk alternates between clusters and members and continues with probability α. P_x(y) is the
    personalised PageRank of y for walks from x. For disjoint clusters, the value does not depend on α and
    equals element_centric. An element without a cluster is a singleton. Some different covers also score 1,
    such as covers whose clusters are all listed twice.
    """
    return w.similarity(alpha)
