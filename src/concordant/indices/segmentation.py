"""Segmentation: scores for images and time series that are divided into regions.

n_ij is the overlap of reference region i (size a_i, K regions) and candidate region j (size b_j, L
regions).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated

from concordant.counts.element_centric import Elements
from concordant.counts.information import Information
from concordant.counts.overlaps import BestOverlaps
from concordant.counts.pairs import PairCounts
from concordant.indices.element_centric import element_centric
from concordant.indices.index import index
from concordant.indices.information import (
    conditional_entropy_of_candidate,
    conditional_entropy_of_reference,
)
from concordant.indices.parameters import ROOT_OF_LOG_SIZE, UNLESS_ALPHA_IS_A_HALF, LogBase, Share
from concordant.maths.arithmetic import Number


@index(
    title="Adapted Rand precision",
    formula="Σ n_ij² / Σ b_j²",
    tight=False,
    aliases=("rand_merge_score", "v_rand_merge"),
    weighted="shares",
    cite="Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142",
    worked=(("0011", "0101", 1 / 2), ("0011", "0000", 1 / 2)),
)
def adapted_rand_precision(p: PairCounts) -> Number:
    """Probability that two elements from the same candidate region are in the same reference region.

    Low if regions are merged. Elements are drawn with replacement, so each also forms a pair with itself
    and the value is never 0. For regions with many pixels, it is close to pairwise precision.
    """
    return p.nn / p.bb


@adapted_rand_precision.mirrored(
    title="Adapted Rand recall",
    formula="Σ n_ij² / Σ a_i²",
    aliases=("rand_split_score", "v_rand_split"),
    worked=(("0011", "0101", 1 / 2), ("0000", "0011", 1 / 2)),
)
def adapted_rand_recall(p: PairCounts) -> Number:
    """Probability that two elements from the same reference region are in the same candidate region.

    Low if regions are split. The adapted Rand precision with the sides swapped.
    """
    return p.nn / p.aa


@index(
    title="Adapted Rand error",
    formula="1 − 2Σ n_ij² / (Σ a_i² + Σ b_j²)",
    perfect=0,
    tight=False,
    aliases=("ARE",),
    weighted="shares",
    cite="Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142",
    known_as={"bioimage-py": "rand_scores", "funlib": "rand_voi"},
    worked=(("0011", "0101", 1 / 2), ("0000", "0011", 1 / 3)),
)
def adapted_rand_error(p: PairCounts) -> Number:
    """One minus the harmonic mean of adapted Rand precision and recall.

    The score of challenges on neurons in electron micrographs.
    """
    return 2 * (p.n10 + p.n01) / (p.aa + p.bb)


@index(
    title="Adapted Rand error of pairs",
    formula="1 − N₁₁ / (α(N₁₁+N₁₀) + (1−α)(N₁₁+N₀₁))",
    perfect=0,
    undefined=1,
    unless={"mirror": UNLESS_ALPHA_IS_A_HALF},
    cite="Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142",
    known_as={"scikit-image": "adapted_rand_error", "gala": "adapted_rand_error"},
    remarks={"scikit-image": "ignores label 0 of the reference, and swaps precision and recall"},
    worked=(("0011", "0111", 1 - 1 / 2.5),),
)
def adapted_rand_error_of_pairs(
    p: PairCounts, *, alpha: Annotated[Share, "Weight of recall."] = 0.5
) -> Number:
    """One minus the weighted harmonic mean of pairwise precision and recall.

    With alpha=0.5, one minus the F-measure. A larger alpha gives recall, and therefore splits, more weight.
    Unlike in adapted_rand_error, an element does not form a pair with itself.
    """
    weight = Fraction(alpha)
    return (weight * p.n10 + (1 - weight) * p.n01) / (weight * p.in_u + (1 - weight) * p.in_v)


@conditional_entropy_of_candidate.rescaled(
    mirror="vi_merge",
    title="Split half of the variation of information",
    formula="H(V|U) = Σ (n_ij/n) log(a_i/n_ij)",
    aliases=("voi_split",),
    cite="Nunez-Iglesias et al. 2013, PLoS ONE 8:e71715",
    known_as={
        "scikit-image": "variation_of_information",
        "CREMI": "voi",
        "gala": "split_vi",
        "funlib": "voi_split",
    },
    remarks={
        "scikit-image": "the first of its two values, in bits: base=2",
        "gala": "the second of its two values, in bits: base=2",
        "CREMI": "in bits: base=2",
        "funlib": "in bits: base=2",
    },
)
def vi_split() -> None:
    """Information that the candidate's regions add to the reference's regions: the cost of wrong splits.

    The conditional entropy of the candidate. With `vi_merge`, it adds up to `variation_of_information`.
    """


@conditional_entropy_of_reference.rescaled(
    mirror="vi_split",
    title="Merge half of the variation of information",
    formula="H(U|V) = Σ (n_ij/n) log(b_j/n_ij)",
    aliases=("voi_merge",),
    cite="Nunez-Iglesias et al. 2013, PLoS ONE 8:e71715",
    known_as={
        "scikit-image": "variation_of_information",
        "CREMI": "voi",
        "gala": "split_vi",
        "funlib": "voi_merge",
    },
    remarks={
        "scikit-image": "the second of its two values, in bits: base=2",
        "gala": "the first of its two values, in bits: base=2",
        "CREMI": "in bits: base=2",
        "funlib": "in bits: base=2",
    },
)
def vi_merge() -> None:
    """Information of the reference's regions that the candidate's regions lose: the cost of wrong merges.

    The conditional entropy of the reference. With `vi_split`, it adds up to `variation_of_information`.
    """


@index(
    title="CREMI score",
    formula="√((H(V|U) + H(U|V)) · ARE), H in bits by default, ARE the adapted Rand error",
    range=(0, ROOT_OF_LOG_SIZE),
    perfect=0,
    tight=False,
    weighted="shares",
    cite="Funke, Saalfeld, Bock, Turaga & Perlman 2016, CREMI challenge",
    known_as={"elf": "cremi_score", "bioimage-py": "cremi_score", "inferno": "cremi_score"},
    remarks={"inferno": "prints the mean of the three parts instead"},
    worked=(("0011", "0000", math.sqrt(1 / 3)),),
)
def cremi_score(i: Information, p: PairCounts, *, base: LogBase = 2) -> Number:
    """Geometric mean of the variation of information in bits and the adapted Rand error.

    The CREMI challenge on neurons ranks by it. It first drops unlabelled voxels of the reference.
    """
    information = (i.h_v_given_u + i.h_u_given_v) / math.log(base)
    return math.sqrt(information * float(adapted_rand_error.compute(p)))


@index(
    title="Segmentation covering",
    formula="Σ_i (a_i/n) max_j n_ij/(a_i+b_j−n_ij)",
    tight=False,
    aliases=("covering",),
    cite="Arbeláez, Maire, Fowlkes & Malik 2011, IEEE Trans. Pattern Anal. Mach. Intell. 33:898",
    known_as={"seism": "sc, ssc"},
    remarks={"seism": "the two names are the two directions"},
    worked=(("0011", "0000", 1 / 2), ("0000", "0011", 1 / 2), ("0001", "0011", (3 * 2 / 3 + 1 / 2) / 4)),
)
def segmentation_covering(m: BestOverlaps) -> Number:
    """Jaccard index of each reference region with its best candidate region, weighted by region size.

    Common for images, and for change points in time series, whose segments are the regions.
    """
    return m.rows_jaccard_weighted / m.size


@segmentation_covering.mirrored(
    title="Segmentation covering of the candidate",
    formula="Σ_j (b_j/n) max_i n_ij/(a_i+b_j−n_ij)",
    worked=(("0011", "0001", (3 * 2 / 3 + 1 / 2) / 4),),
)
def segmentation_covering_of_candidate(m: BestOverlaps) -> Number:
    """Jaccard index of each candidate region with its best reference region, weighted by region size.

    The segmentation covering with the sides swapped.
    """
    return m.columns_jaccard_weighted / m.size


@index(
    title="Global consistency error",
    formula="min(Σ n_ij(a_i−n_ij)/a_i, Σ n_ij(b_j−n_ij)/b_j) / n",
    linear=False,
    aliases=("GCE",),
    perfect=0,
    tight=False,
    cite="Martin, Fowlkes, Tal & Malik 2001, ICCV 2:416",
    known_as={"seism": "gce"},
    worked=(("0011", "0101", 1 / 2), ("0000", "0123", 0)),
)
def global_consistency_error(e: Elements) -> Number:
    """Share of its region that an element loses in the other partition, averaged; the smaller of both
    sides.

    0 if one partition refines the other, so refinement has no cost, and neither does a trivial partition.
    One minus the larger of B-cubed precision and recall.
    """
    return min(e.outside_u, e.outside_v) / e.size


@index(
    title="Local consistency error",
    formula="Σ n_ij(1 − n_ij/min(a_i,b_j)) / n",
    perfect=0,
    tight=False,
    aliases=("LCE",),
    cite="Martin, Fowlkes, Tal & Malik 2001, ICCV 2:416",
    known_as={"seism": "lce"},
    worked=(("0011", "0101", 1 / 2), ("00112", "00012", (2 * 0 + 1 * 0 + 1 * 1 / 2 + 0) / 5)),
)
def local_consistency_error(e: Elements) -> Number:
    """Share of its smaller region that an element loses in the other partition, averaged.

    0 if each region is inside a region of the other side or consists of whole regions. Local refinement in
    either direction has no cost.
    """
    return (e.size - e.over_smaller) / e.size


@element_centric.rescaled(
    scale=-1,
    shift=1,
    title="Bidirectional consistency error",
    formula="Σ n_ij(1 − n_ij/max(a_i,b_j)) / n",
    aliases=("BCE",),
    cite="Martin, Fowlkes, Tal & Malik 2001, ICCV 2:416; Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574",
    known_as={"seism": "bce"},
)
def bidirectional_consistency_error() -> None:
    """Share of its larger region that an element loses in the other partition, averaged.

    Refinement costs as much as any other change. One minus the element-centric similarity.
    """


@index(
    title="Symmetric best Dice",
    formula="min(Σ_i max_j F_ij / K, Σ_j max_i F_ij / L), F_ij = 2n_ij/(a_i+b_j)",
    undefined=0,
    tight=False,
    partial_overlap=True,
    aliases=("SBD",),
    cite="Scharr et al. 2016, Mach. Vis. Appl. 27:585",
    known_as={"elf": "symmetric_best_dice_score"},
    remarks={"elf": "treats label 0 as 'background' on both sides"},
    worked=(("0012", "0011", (1 + 2 / 3 + 2 / 3) / 3),),
)
def symmetric_best_dice(m: BestOverlaps) -> Number:
    """Dice index of each region with its best partner, averaged; the smaller of both directions.

    Common for plant leaves. Every region has the same weight. The smaller of the two Larsen-Aone measures.
    """
    return min(m.rows_f1 / m.rows, m.columns_f1 / m.columns)
