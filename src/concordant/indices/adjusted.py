"""Chance-adjusted pair counting: the agreement on pairs beyond chance.

N₁₁ is the number of pairs together in both partitions, u = N₁₁+N₁₀ in U, v = N₁₁+N₀₁ in V, T all pairs.
Unless stated otherwise, chance is a random permutation of the elements that keeps all cluster sizes.
"""

from __future__ import annotations

import math
from fractions import Fraction
from math import inf
from typing import Annotated, Literal

from concordant.counts.contingency_enumeration import ExpectedJaccard
from concordant.counts.pairs import ClusterTriples, Crossings, PairCounts
from concordant.counts.random_models import Model, PairModels, RandomSides
from concordant.indices.index import index
from concordant.indices.parameters import CHANCE_OF_EQUALS, UNLESS_ONE_SIDED
from concordant.maths.arithmetic import Number, root

WeightedChance = Annotated[
    Literal["weights", "permutation"],
    "With weights: expectation from the total weights, or the exact mean over permutations.",
]


@index(
    title="Adjusted Rand index",
    formula="2(N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₁₀+N₀₀) + (N₁₁+N₀₁)(N₀₁+N₀₀))",
    range=(-1 / 2, 1),
    weighted_low=-1,
    adjusted=True,
    headline=4,
    aliases=("ARI", "ARS", "cohen_kappa_of_pairs"),
    cite="Hubert & Arabie 1985, J. Classif. 2:193",
    known_as={
        "scikit-learn": "adjusted_rand_score",
        "permetrics": "adjusted_rand_score, ARS",
        "CluSim": "adjrand_index",
        "cdlib": "adjusted_rand_index",
        "igraph": "compare_communities(method='adjusted_rand')",
        "genieclust": "adjusted_rand_score",
        "aricode": "ARI",
        "partitionComparison": "adjustedRandIndex",
        "er-evaluation": "adjusted_rand_score",
        "ELKI": "PairCounting.adjustedRandIndex",
        "torchmetrics": "AdjustedRandScore",
        "river": "AdjustedRand",
        "NetworKit": "AdjustedRandMeasure",
        "partition-igraph": "gam",
    },
    remarks={
        "partition-igraph": "over the edges of a graph: c.over_edges(graph)",
        "NetworKit": "a distance: 1 minus this",
        "igraph": "returns nan for two identical trivial partitions; 1 here",
        "genieclust": "returns nan for two identical trivial partitions; 1 here",
        "CluSim": "returns 0 for two identical trivial partitions; 1 here",
        "torchmetrics": "1.9 overflows from about 70,000 records: -40.8 for 0.98",
    },
    worked=(("001122", "001212", 1 / 6), ("000111", "101010", -1 / 9), ("0011", "0101", -1 / 2)),
)
def adjusted_rand(p: PairCounts) -> Number:
    """The Rand index corrected for chance: 1 for identical partitions, 0 on average for random ones.

    The most common single score. Large clusters dominate it. If cluster sizes are very unequal, also report
    the adjusted mutual information. The minimum is −1/2; with weights, it can approach −1.
    """
    together = (p.n11 + p.n10) * (p.n10 + p.n00)
    return 2 * p.excess / (together + (p.n11 + p.n01) * (p.n01 + p.n00))


@index(
    title="Adjusted Rand index of Morey and Agresti",
    formula="2(n²Σn² − Σa²Σb²) / (n²(Σa² + Σb²) − 2Σa²Σb²)",
    range=(-1, 1),
    tight=False,
    weighted="shares",
    cite="Morey & Agresti 1984, Educ. Psychol. Meas. 44:33",
    worked=(("0011", "0101", 0), ("001122", "001112", 2 * (36 * 10 - 12 * 14) / (36 * 26 - 2 * 12 * 14))),
)
def adjusted_rand_morey_agresti(p: PairCounts) -> Number:
    """An early adjustment that draws elements with replacement.

    Use it only to reproduce old papers: Hubert and Arabie showed that its expectation is wrong. Use
    adjusted_rand.
    """
    whole, expected = p.size * p.size, p.aa * p.bb
    return 2 * (whole * p.nn - expected) / (whole * (p.aa + p.bb) - 2 * expected)


def _expected_of_disjoint_pairs(p: PairCounts, c: Crossings) -> Fraction:
    """T times the share of disjoint pairs of pairs of which one is together in U, the other in V."""
    size = p.size
    shared = p.in_u * p.in_v - p.n11 - (2 * size + c.nab - p.nn - p.aa - p.bb)
    return Fraction(4 * p.all * shared, size * (size - 1) * (size - 2) * (size - 3))


@index(
    title="Modified adjusted Rand index",
    formula="(N₁₁ − E) / ((u+v)/2 − E), E = T(uv − N₁₁ − (2n + Σn·a·b − Σn² − Σa² − Σb²)) / (6·C(n,4))",
    range=(-inf, 1),
    undefined=math.nan,
    tight=False,
    aliases=("modified_adjusted_rand",),
    no_weights=CHANCE_OF_EQUALS,
    cite="Sundqvist, Chiquet & Rigaill 2023, Comput. Stat. 38:327",
    known_as={"aricode": "MARI"},
    worked=(("0011", "0101", 0), ("001122", "001112", 2 / 5)),
)
def mari(p: PairCounts, c: Crossings) -> Number:
    """The adjusted Rand index with its expectation estimated from disjoint pairs of pairs.

    Unbiased if the elements are a sample (multinomial model), and close to adjusted_rand for large n.
    Undefined for fewer than four elements.
    """
    expected = _expected_of_disjoint_pairs(p, c)
    return 2 * (p.n11 - expected) / (p.in_u + p.in_v - 2 * expected)


@index(
    title="Modified adjusted Rand index, raw",
    formula="(N₁₁ − E) / T, E as in mari",
    range=(-1, 1),
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    adjusted=True,
    tight=False,
    linear=True,
    no_weights=CHANCE_OF_EQUALS,
    cite="Sundqvist, Chiquet & Rigaill 2023, Comput. Stat. 38:327",
    known_as={"aricode": "MARIraw"},
    worked=(("0011", "0101", 0), ("001122", "001112", 1 / 15)),
)
def mari_raw(p: PairCounts, c: Crossings) -> Number:
    """The unscaled modified adjusted Rand index: an excess share of pairs.

    Unlike the scaled ratio, it is unbiased if the elements are a sample. The value of identical partitions
    depends on their cluster sizes. Undefined for fewer than four elements.
    """
    return (p.n11 - _expected_of_disjoint_pairs(p, c)) / p.all


@index(
    title="Adjusted Wallace index (recall)",
    formula="(N₁₁T − uv) / (u(T − v))",
    range=(-inf, 1),
    undefined=1,
    adjusted=True,
    tight=False,
    aliases=("adjusted_wallace", "AW"),
    cite="Severiano et al. 2011, J. Clin. Microbiol. 49:3997",
    known_as={"comparingpartitions.info": "Adjusted Wallace A→B"},
    worked=(("001122", "001212", (1 * 15 - 9) / (3 * 12)),),
)
def adjusted_wallace_recall(p: PairCounts, *, chance: WeightedChance = "weights") -> Number:
    """Pairwise recall corrected for chance.

    A low value means that the candidate splits clusters. Together with adjusted_wallace_precision, it
    separates the two kinds of error in the adjusted Rand index. If elements have weights,
    chance="permutation" subtracts the exact mean over permutations of the candidate's labels; "weights"
    uses weights in the formula.
    """
    if chance == "permutation":
        return (p.n11 - p.in_u * p.permuted_share_of_v) / (p.in_u * (1 - p.permuted_share_of_v))
    return (p.n11 * p.all - p.in_u * p.in_v) / (p.in_u * (p.all - p.in_v))


@adjusted_wallace_recall.mirrored(
    title="Adjusted Wallace index (precision)",
    formula="(N₁₁T − uv) / (v(T − u))",
    known_as={"comparingpartitions.info": "Adjusted Wallace B→A"},
    worked=(("001122", "001112", (2 * 15 - 12) / (4 * 12)),),
)
def adjusted_wallace_precision(p: PairCounts, *, chance: WeightedChance = "weights") -> Number:
    """Pairwise precision corrected for chance.

    A low value means that the candidate merges clusters. If elements have weights, chance="permutation"
    subtracts the exact mean over permutations of the reference's labels.
    """
    if chance == "permutation":
        return (p.n11 - p.in_v * p.permuted_share_of_u) / (p.in_v * (1 - p.permuted_share_of_u))
    return (p.n11 * p.all - p.in_u * p.in_v) / (p.in_v * (p.all - p.in_u))


@index(
    title="Adjusted Fowlkes-Mallows index",
    formula="(N₁₁ − uv/T) / (√(uv) − uv/T)",
    range=(-1, 1),
    undefined=0,
    adjusted=True,
    tight=False,
    aliases=("AFM",),
    cite="Hubert & Arabie 1985, J. Classif. 2:193, eq. 4",
    known_as={"genieclust": "adjusted_fm_score"},
    remarks={"genieclust": "returns nan if one side is trivial"},
    worked=(("001122", "001212", (1 - 9 / 15) / (3 - 9 / 15)),),
)
def adjusted_fowlkes_mallows(p: PairCounts) -> Number:
    """The Fowlkes-Mallows index corrected for chance.

    Close to the adjusted Rand index, unless one partition is much coarser than the other.
    """
    # (N₁₁T − g²)/(g(T − g)) with g = √(uv), expanded by T + g so nothing cancels.
    product = p.in_u * p.in_v
    shared = Fraction(p.n11 * p.all - product, p.all * p.all - product)
    return float(shared) * (1 + root(Fraction(p.all * p.all, product)))


def _standardised(together: Number, pairs: tuple[int, int], trios: tuple[int, int], n: int) -> float:
    """(N₁₁ − E[N₁₁]) / √Var[N₁₁] under permutations, from the pairs and trios of either side."""
    u1, v1 = (2 * x for x in pairs)
    u3, v3 = (
        2 * x * (2 * x - 2) - 4 * three for x, three in zip(pairs, trios, strict=True)
    )  # disjoint pairs
    mean = Fraction(u1 * v1, 2 * n * (n - 1))
    second = Fraction(trios[0] * trios[1], n * (n - 1) * (n - 2))
    third = Fraction(u3 * v3, 4 * n * (n - 1) * (n - 2) * (n - 3))
    variance = mean + second + third - mean * mean
    excess = together - mean
    return math.copysign(root(excess * excess / variance), excess)


@index(
    title="Lerman index",
    formula="(N₁₁ − E[N₁₁]) / √Var[N₁₁]",
    range=(-inf, inf),
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    adjusted=True,
    tight=False,
    aliases=("standardised_rand", "SRI"),
    linear=True,
    no_weights=CHANCE_OF_EQUALS,
    cite="Lerman 1988, in Bock (ed.), Classification and Related Methods of Data Analysis, 121; Hubert & "
    "Arabie 1985; Steinley, Brusco & Hubert 2016, Psychol. Methods 21:261",
    known_as={"partitionComparison": "lermanIndex"},
    worked=(("0011", "0011", math.sqrt(2)),),
)
def lerman(p: PairCounts, t: ClusterTriples) -> Number:
    """Number of standard deviations by which the agreement exceeds chance.

    A z-score for every index that is linear in N₁₁ (Rand, Dice, Hamann and their adjusted form). It grows
    with n, so use it as a test, not as a measure. Undefined for a trivial partition and for fewer than four
    elements.
    """
    return _standardised(p.n11, (p.in_u, p.in_v), (t.in_u, t.in_v), p.size)


@index(
    title="Normalised Lerman index",
    formula="L(U,V) / √(L(U,U) L(V,V)), L the Lerman index",
    range=(-inf, inf),
    undefined=math.nan,
    tight=False,
    adjusted=True,
    linear=True,
    agreement="larger",
    no_weights=CHANCE_OF_EQUALS,
    cite="Lerman 1988, in Bock (ed.), Classification and Related Methods of Data Analysis, 121",
    known_as={"partitionComparison": "normalizedLermanIndex"},
    worked=(("0011", "0101", -1 / 2),),
)
def lerman_normalised(p: PairCounts, t: ClusterTriples) -> Number:
    """The Lerman index relative to the values of each partition with itself.

    It can exceed 1. Undefined for a trivial partition and for fewer than four elements.
    """
    between = _standardised(p.n11, (p.in_u, p.in_v), (t.in_u, t.in_v), p.size)
    within_u = _standardised(p.in_u, (p.in_u, p.in_u), (t.in_u, t.in_u), p.size)
    within_v = _standardised(p.in_v, (p.in_v, p.in_v), (t.in_v, t.in_v), p.size)
    return between / math.sqrt(within_u * within_v)


@index(
    title="Adjusted Rand index under other random models",
    formula="(R − E) / (1 − E), E = q₁q₂ + (1−q₁)(1−q₂), q = S(n−1,K)/S(n,K) (num) or B(n−1)/B(n) (all)",
    range=(-inf, 1),
    on_request=True,
    unless={"mirror": UNLESS_ONE_SIDED},
    linear=True,
    no_weights=CHANCE_OF_EQUALS,
    cite="Gates & Ahn 2017, J. Mach. Learn. Res. 18(87)",
    known_as={"CluSim": "adjrand_index(random_model='num'), adjrand_index(random_model='all')"},
    remarks={"CluSim": "one-sided models fix its second clustering; the reference here"},
    worked=(("0011", "0101", -13 / 36),),
)
def adjusted_rand_models(
    p: PairCounts, m: PairModels, *, model: Model = "num", sides: RandomSides = "both"
) -> Number:
    """The Rand index corrected for random partitions instead of permutations.

    model='num' draws from all partitions with the same number of clusters, 'all' from all partitions. With
    sides='one', the reference is fixed. S and B are Stirling and Bell numbers. Computing them exactly is
    slow for many elements.
    """
    kept, rand = (Fraction(pairs, p.all) for pairs in (p.in_u, p.n11 + p.n00))
    expected = m.expected_rand(model, sides, kept)
    return (rand - expected) / (1 - expected)


@index(
    title="Adjusted Jaccard index",
    formula="(J − E[J]) / (1 − E[J]), J = N₁₁ / (N₁₁ + N₁₀ + N₀₁)",
    range=(-1, 1),
    adjusted=True,
    tight=False,
    shares="n11",
    on_request=True,
    no_weights=CHANCE_OF_EQUALS,
    cite="Albatineh & Niewiadomska-Bugaj 2011, Adv. Data Anal. Classif. 5:179",
    worked=(("0011", "0101", -1 / 2), ("0011", "0012", 2 / 5)),
)
def adjusted_jaccard(j: ExpectedJaccard) -> Number:
    """The Jaccard index corrected for chance, with its exact mean over all permutations.

    The Jaccard index is not linear in N₁₁, and its mean has no closed form. All values of N₁₁ are
    enumerated with their numbers of permutations. If this takes too long, c.adjusted("jaccard") estimates
    the same value.
    """
    return (j.value - j.expected) / (1 - j.expected)
