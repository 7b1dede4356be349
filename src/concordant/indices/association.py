"""Association measures: how far the contingency table is from independence.

n_ij is the overlap of reference cluster i (size a, K clusters) and candidate cluster j (size b, L
clusters).
"""

from __future__ import annotations

import math
from fractions import Fraction
from math import inf

from concordant.counts.element_centric import Elements, ShuffledElements
from concordant.counts.information import Information
from concordant.counts.overlaps import BestOverlaps
from concordant.indices.index import index
from concordant.indices.parameters import (
    CHANCE_OF_EQUALS,
    CLUSTERS_LESS_ONE,
    ORDERED_PAIRS,
    TEST_STATISTIC,
    Bound,
)
from concordant.maths.arithmetic import Number, root


@index(
    title="Pearson's chi-square",
    formula="n(Σ n_ij²/(ab) − 1)",
    range=(0, ORDERED_PAIRS),
    perfect=None,
    agreement="larger",
    aliases=("chi2",),
    no_weights=TEST_STATISTIC,
    cite="Pearson 1900, Philos. Mag. 50:157",
    known_as={"aricode": "Chi2"},
    worked=(("0011", "0101", 0), ("0011", "0011", 4)),
)
def chi_square(e: Elements) -> Number:
    """Squared deviation of the overlaps from independence, relative to their expectation.

    It grows with n and with the number of clusters. Use Cramér's V or Tschuprow's T to compare values.
    """
    return e.size * e.dependence


@index(
    title="Adjusted chi-square",
    formula="(χ²/n − E) / (min(K,L) − 1 − E), E = (K−1)(L−1)/(n−1)",
    range=(-inf, 1),
    undefined=0,
    adjusted=True,
    linear=True,
    aliases=("adjusted_chi2",),
    no_weights=CHANCE_OF_EQUALS,
    cite="Pearson 1900, Philos. Mag. 50:157; the same E in Bergsma 2013, J. Korean Stat. Soc. 42:323",
    worked=(("0011", "0101", -1 / 2), ("0012", "0011", 1)),
)
def adjusted_chi_square(e: Elements, c: ShuffledElements) -> Number:
    """Chi-square rescaled so random partitions score 0 on average and the maximum is 1.

    Unlike Cramér's V, it corrects for chance, which contributes more if there are many clusters. It is 1 if
    one partition refines the other. Undefined, and reported as 0, if a side is one cluster or all
    singletons.
    """
    return (e.dependence - c.dependence) / (min(e.rows, e.columns) - 1 - c.dependence)


@index(
    title="Cramér's V",
    formula="√(χ² / (n(min(K,L) − 1)))",
    linear=False,
    undefined=math.nan,
    cite="Cramér 1946, Mathematical Methods of Statistics",
    worked=(("0011", "0101", 0), ("001122", "001112", math.sqrt((1 + 2 / 3 + 1 / 6 + 1 / 2 - 1) / 2))),
)
def cramers_v(e: Elements) -> Number:
    """Chi-square scaled to [0, 1].

    It is 1 if one partition refines the other. Undefined if a side is one cluster.
    """
    return root(Fraction(e.dependence) / Fraction(min(e.rows, e.columns) - 1))


@index(
    title="Tschuprow's T",
    formula="√(χ² / (n√((K−1)(L−1))))",
    linear=False,
    undefined=math.nan,
    cite="Tschuprow 1925, Grundbegriffe und Grundprobleme der Korrelationstheorie",
    worked=(("0011", "0101", 0), ("0012", "0011", 1 / 2**0.25)),
)
def tschuprow_t(e: Elements) -> Number:
    """Chi-square scaled so only identical partitions reach 1.

    Undefined if a side is one cluster.
    """
    return math.sqrt(e.dependence / root((e.rows - 1) * (e.columns - 1)))


@index(
    title="Pearson's contingency coefficient",
    formula="√(χ² / (n + χ²))",
    linear=False,
    perfect=None,
    agreement="larger",
    tight=False,
    aliases=("contingency_coefficient",),
    cite="Pearson 1904, Drapers' Company Research Memoirs, Biometric Series I",
    known_as={"vcd": "assocstats(…)$contingency"},
    worked=(("0011", "0101", 0), ("0011", "0011", math.sqrt(1 / 2))),
)
def pearson_contingency(e: Elements) -> Number:
    """Chi-square mapped to values below 1.

    Identical partitions into k clusters score only √((k−1)/k). sakoda_contingency divides by this value.
    """
    return root(Fraction(e.dependence) / (1 + Fraction(e.dependence)))


@index(
    title="Sakoda's contingency coefficient",
    formula="√(χ² / (n + χ²)) / √((k − 1) / k), k = min(K,L)",
    linear=False,
    undefined=math.nan,
    aliases=("adjusted_contingency_coefficient",),
    cite="Sakoda 1977, Proc. Soc. Stat. Sect. Am. Stat. Assoc. III:777",
    known_as={"DescTools": "ContCoef(correct=TRUE)"},
    worked=(("0011", "0101", 0), ("001122", "001112", math.sqrt((4 / 3) / (7 / 3) * 3 / 2))),
)
def sakoda_contingency(e: Elements) -> Number:
    """Pearson's contingency coefficient relative to its maximum for the same number of clusters.

    Like Cramér's V, it is 1 if one partition refines the other. Undefined if a side is one cluster.
    """
    least = min(e.rows, e.columns)
    dependence = Fraction(e.dependence)
    return root(dependence * Fraction(least) / ((1 + dependence) * Fraction(least - 1)))


@index(
    title="G statistic",
    formula="2n·MI",
    range=(0, Bound("2n·log n", lambda n: 2 * n * math.log(n) if n else 0.0)),
    perfect=None,
    agreement="larger",
    aliases=("likelihood_ratio_statistic",),
    no_weights=TEST_STATISTIC,
    cite="Wilks 1935, Ann. Math. Stat. 6:190; Woolf 1957, Ann. Hum. Genet. 21:397",
    known_as={"vcd": "assocstats(…)$chisq_tests", "DescTools": "GTest"},
    worked=(("0011", "0101", 0), ("0011", "0011", 8 * math.log(2))),
)
def g_statistic(i: Information) -> Number:
    """The likelihood-ratio statistic of independence, in nats: 2n times the mutual information.

    It grows with n. If overlaps are small, as with many clusters, its chi-square approximation is poor. Use
    a permutation p-value.
    """
    return 2 * i.size * i.mutual


@index(
    title="Goodman and Kruskal's lambda",
    formula="(Σ_j max_i n_ij − max_i a) / (n − max_i a)",
    undefined=1,
    aliases=("gk_lambda",),
    cite="Goodman & Kruskal 1954, J. Am. Stat. Assoc. 49:732",
    worked=(("000111", "001101", 1 / 3),),
)
def goodman_kruskal_lambda(m: BestOverlaps) -> Number:
    """Reduction of the error when the reference cluster is predicted from the candidate cluster.

    Purity, adjusted for always predicting the largest reference cluster. 0 means no improvement on that.
    """
    return (m.columns_best - m.largest_row) / (m.size - m.largest_row)


@goodman_kruskal_lambda.mirrored(
    title="Goodman and Kruskal's lambda of the candidate",
    formula="(Σ_i max_j n_ij − max_j b) / (n − max_j b)",
    worked=(("0001", "0011", 1 / 2),),
)
def goodman_kruskal_lambda_of_candidate(m: BestOverlaps) -> Number:
    """Reduction of the error when the candidate cluster is predicted from the reference cluster.

    Inverse purity, adjusted for always predicting the largest candidate cluster.
    """
    return (m.rows_best - m.largest_column) / (m.size - m.largest_column)


@index(
    title="Goodman and Kruskal's tau",
    formula="(n Σ n_ij²/b − Σa²) / (n² − Σa²)",
    undefined=1,
    aliases=("gk_tau",),
    cite="Goodman & Kruskal 1954, J. Am. Stat. Assoc. 49:732",
    known_as={"ELKI": "PairCounting.adjustedGini"},
    worked=(("0012", "0011", 3 / 5), ("0011", "0101", 0)),
)
def goodman_kruskal_tau(e: Elements) -> Number:
    """Reduction of the error of a random prediction of the reference cluster, given the candidate cluster.

    B-cubed precision, adjusted for predictions in proportion to the reference's sizes.
    """
    return e.size * e.gain_from_v / (e.size * e.size - e.aa)


@goodman_kruskal_tau.mirrored(
    title="Goodman and Kruskal's tau of the candidate",
    formula="(n Σ n_ij²/a − Σb²) / (n² − Σb²)",
    worked=(("0011", "0012", 3 / 5),),
)
def goodman_kruskal_tau_of_candidate(e: Elements) -> Number:
    """Reduction of the error of a random prediction of the candidate cluster, given the reference cluster.

    B-cubed recall, adjusted for predictions in proportion to the candidate's sizes.
    """
    return e.size * e.gain_from_u / (e.size * e.size - e.bb)


@index(
    title="Frobenius distance of the projections, squared",
    formula="K + L − 2Σ n_ij²/(ab)",
    range=(0, CLUSTERS_LESS_ONE),
    perfect=0,
    cite="Lajugie, Bach & Arlot 2014, ICML; Arlot, Celisse & Harchaoui 2019, J. Mach. Learn. Res. 20:162",
    known_as={"aricode": "Frobenius"},
    worked=(("0011", "0101", 2), ("0000", "0123", 3)),
)
def frobenius(e: Elements) -> Number:
    """Squared distance between the averaging projections of both partitions, used for segmentations.

    Its square root is a metric. Every cluster has the same weight.
    """
    return e.apart
