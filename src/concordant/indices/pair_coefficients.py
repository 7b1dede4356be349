"""Pair counting: weighted losses, and coefficients for 2 × 2 tables from other fields.

N₁₁ is the number of pairs together in both partitions, N₁₀ in U only, N₀₁ in V only, N₀₀ in neither; T =
N₁₁+N₁₀+N₀₁+N₀₀, u = N₁₁+N₁₀, v = N₁₁+N₀₁.
"""

from __future__ import annotations

import math
from fractions import Fraction
from math import inf
from typing import Annotated

from concordant.counts.pairs import PairCounts
from concordant.indices.index import index
from concordant.indices.parameters import (
    ALL_PAIRS,
    UNLESS_A_IS_ONE,
    UNLESS_ALIKE,
    UNLESS_ALIKE_AND_AT_LEAST_ONE,
    Bound,
    PairWeight,
    SplitWeight,
)
from concordant.maths.arithmetic import Number, signed_root


@index(
    title="Binder loss",
    formula="2(a·N₁₀ + (2−a)·N₀₁) / n²",
    range=(0, Bound("max(a,2−a)·(n−1)/n", lambda n, a=1: max(a, 2 - a) * (n - 1) / n if n else 0.0)),
    perfect=0,
    metric=True,
    unless={"mirror": UNLESS_A_IS_ONE, "metric": UNLESS_A_IS_ONE},
    aliases=("binder", "mirkin_over_n_squared", "n_invariant_mirkin"),
    weighted="shares",
    cite="Binder 1978, Biometrika 65:31; Dahl, Johnson & Müller 2022, J. Comput. Graph. Stat. 31:1189",
    known_as={"salso": "binder(…, a=)"},
    worked=(("0011", "0101", 1 / 2), ("0000", "0011", 1 / 2)),
)
def binder_loss(p: PairCounts, *, a: SplitWeight = 1) -> Number:
    """Share of the ordered pairs that disagree; a split pair costs a, a merged pair 2 − a.

    A common loss for Bayesian clustering. With a=1 it is the Mirkin distance divided by n², which does not
    grow with the data (Meilă 2007).
    """
    weight = Fraction(a)
    return 2 * (weight * p.n10 + (2 - weight) * p.n01) / (p.size * p.size)


@index(
    title="Tversky index",
    formula="N₁₁ / (N₁₁ + α·N₁₀ + β·N₀₁)",
    linear=False,
    metric=True,
    unless={"mirror": UNLESS_ALIKE, "metric": UNLESS_ALIKE_AND_AT_LEAST_ONE},
    cite="Tversky 1977, Psychol. Rev. 84:327; Gower & Legendre 1986, J. Classif. 3:5",
    known_as={"mclustcomp": "tversky"},
    worked=(("001122", "001112", 2 / 5),),
)
def tversky(
    p: PairCounts,
    *,
    alpha: Annotated[PairWeight, "Weight of a missed pair."] = 1.0,
    beta: Annotated[PairWeight, "Weight of a wrong pair."] = 1.0,
) -> Number:
    """Pairs together in both partitions, divided by these pairs plus the weighted pairs together in one
    only.

    alpha is the weight of a missed pair, beta that of a wrong pair. With alpha = beta = 1 it is the Jaccard
    index, with 1/2 the Dice index.
    """
    return p.n11 / (p.n11 + Fraction(alpha) * p.n10 + Fraction(beta) * p.n01)


@index(
    title="Partition difference",
    formula="N₀₀",
    range=(0, ALL_PAIRS),
    perfect=None,
    agreement="larger",
    weighted="shares",
    cite="Li, Ogihara & Ma 2010, Appl. Intell. 33:207",
    known_as={"mclustcomp": "pd"},
    worked=(("0011", "0101", 2), ("0123", "0123", 6)),
)
def partition_difference(p: PairCounts) -> Number:
    """Number of pairs apart in both partitions.

    Other libraries list it. It is not a distance: identical partitions into small clusters have a large
    value.
    """
    return p.n00


@index(
    title="Sokal-Sneath index 3",
    formula="(N₁₁ + N₀₀) / (N₁₀ + N₀₁)",
    linear=False,
    range=(0, inf),
    perfect=inf,
    cite="Sokal & Sneath 1963, Principles of Numerical Taxonomy",
    worked=(("001122", "001112", 12 / 3), ("0011", "0011", inf)),
)
def sokal_sneath_3(p: PairCounts) -> Number:
    """Number of agreeing pairs for each disagreeing pair.

    The Rand index as odds, R/(1−R). Infinite for identical partitions.
    """
    return (p.n11 + p.n00) / (p.n10 + p.n01)


@index(
    title="Katz-Powell correlation",
    formula="(n²Σn_ij² − Σa²Σb²) / √(Σa²(n²−Σa²)·Σb²(n²−Σb²))",
    range=(-1, 1),
    undefined=math.nan,
    tight=False,
    aliases=("KP",),
    weighted="shares",
    cite="Hornik 2005, J. Stat. Softw. 14(12), after Katz & Powell 1953, Psychometrika 18:249",
    known_as={"clue": "cl_agreement(method='KP')"},
    worked=(("0011", "0101", 0), ("001122", "001112", (36 * 10 - 12 * 14) / math.sqrt(12 * 24 * 14 * 22))),
)
def katz_powell(p: PairCounts) -> Number:
    """Pearson correlation of the pair indicators over all ordered pairs, including self-pairs.

    Each element is together with itself, so the value exceeds phi if clusters are small. Undefined if a
    partition is one cluster.
    """
    whole = p.size * p.size
    excess = whole * p.nn - p.aa * p.bb
    margins = p.aa * (whole - p.aa) * p.bb * (whole - p.bb)
    return signed_root(excess, margins)


@index(
    title="Forbes index",
    formula="T·N₁₁ / (uv)",
    range=(0, inf),
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    aliases=("lift_of_pairs",),
    cite="Forbes 1907, Bull. Ill. State Lab. Nat. Hist. 7:273; Warrens 2008, Leiden University, thesis",
    known_as={"PyCM": "distance(metric=DistanceType.ForbesI)"},
    worked=(("0011", "0101", 0), ("0011", "0011", 3)),
)
def forbes(p: PairCounts) -> Number:
    """Observed number of pairs together in both partitions, divided by its expectation under independence.

    Random partitions score 1. Undefined if a partition has no pair together.
    """
    return p.all * p.n11 / (p.in_u * p.in_v)


@index(
    title="Michael index",
    formula="4(N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₀₀)² + (N₁₀+N₀₁)²)",
    linear=False,
    range=(-1, 1),
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    tight=False,
    cite="Michael 1920, J. Ecol. 8:54; Warrens 2008, Leiden University, thesis",
    worked=(("0011", "0101", -4 * 2 * 2 / (2 * 2 + 4 * 4)),),
)
def michael(p: PairCounts) -> Number:
    """An approximation to the correlation of pairs without a square root.

    Identical partitions reach 1 only if half of the pairs are together. Use phi.
    """
    return 4 * p.excess / ((p.n11 + p.n00) ** 2 + (p.n10 + p.n01) ** 2)


@index(
    title="Anderberg's D of pairs",
    formula="(max(N₁₁,N₁₀) + max(N₀₁,N₀₀) + max(N₁₁,N₀₁) + max(N₁₀,N₀₀) − max(u,T−u) − max(v,T−v)) / 2T",
    linear=False,
    shares=None,
    range=(0, 1 / 2),
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    cite="Anderberg 1973, Cluster Analysis for Applications; Warrens 2008, Leiden University, thesis",
    known_as={"PyCM": "distance(metric=DistanceType.Anderberg)"},
    remarks={"PyCM": "4.6 does not follow the formula"},
    worked=(("0011", "0011", 1 / 3), ("0011", "0000", 0)),
)
def anderberg_d(p: PairCounts) -> Number:
    """Reduction of the error when a pair's status in one partition is predicted from the other.

    Zero for most partitions with many clusters, because "apart" is the best prediction in any case.
    """
    known = max(p.n11, p.n10) + max(p.n01, p.n00) + max(p.n11, p.n01) + max(p.n10, p.n00)
    unknown = max(p.in_u, p.all - p.in_u) + max(p.in_v, p.all - p.in_v)
    return (known - unknown) / (2 * p.all)


@index(
    title="Dennis index",
    formula="(N₁₁N₀₀ − N₁₀N₀₁) / √(T·u·v)",
    range=(-inf, inf),
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    adjusted=True,
    no_weights="it is a test statistic, which grows with the number of pairs",
    cite="Dennis 1965, Natl. Bur. Stand. Misc. Publ. 269:61; Warrens 2008, Leiden University, thesis",
    known_as={"PyCM": "distance(metric=DistanceType.Dennis)"},
    worked=(("0011", "0101", -4 / math.sqrt(6 * 2 * 2)),),
)
def dennis(p: PairCounts) -> Number:
    """Deviation of N₁₁ from independence, in units of its Poisson standard deviation.

    It grows with n. Pairs are not independent, so it is not a z-score. Use lerman instead.
    """
    return signed_root(p.excess, p.all * p.in_u * p.in_v)


@index(
    title="Scott's pi of pairs",
    formula="(4N₁₁N₀₀ − (N₁₀+N₀₁)²) / ((u+v)(2T − u − v))",
    range=(-1, 1),
    aliases=("scott_pi",),
    cite="Scott 1955, Public Opin. Q. 19:321; Warrens 2008, Leiden University, thesis",
    worked=(("0011", "0101", (0 - 16 + 0) / (4 * 8)), ("0000", "0123", -1)),
)
def scott_pi_of_pairs(p: PairCounts) -> Number:
    """Agreement of pairs beyond chance, with one expected share of pairs together for both partitions.

    The adjusted Rand index lets each partition have its own share. The two indices are equal if the shares
    are equal.
    """
    disagreeing = p.n10 + p.n01
    return (4 * p.n11 * p.n00 - disagreeing**2) / ((p.in_u + p.in_v) * (2 * p.all - p.in_u - p.in_v))
