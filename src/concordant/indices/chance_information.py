"""Chance-adjusted information: the shared information beyond chance.

MI is mutual information, E = E[MI] its mean over all permutations of the elements, H entropy. Unless stated
otherwise, chance is a random permutation of the elements that keeps all cluster sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Literal

from concordant.counts.chance import Shuffled, SwapLoss, information_deviation
from concordant.counts.information import ClusterSizes, Information
from concordant.counts.number_of_tables import Reduced
from concordant.counts.random_models import Model, RandomSides, model_information
from concordant.indices.dirichlet import DirichletReduced
from concordant.indices.index import index
from concordant.indices.parameters import (
    CHANCE_OF_EQUALS,
    LOG_SIZE,
    UNLESS_ONE_SIDED,
    WHOLE_ELEMENTS,
    Check,
    LogBase,
    Positive,
    Unless,
)
from concordant.indices.q_information import QInformation
from concordant.maths.arithmetic import Number

Mean = Annotated[
    Literal["arithmetic", "geometric", "max", "min", "joint"],
    "Mean of the two sides by which the value is normalised.",
]


def _is_count(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 2)


Samples = Annotated[
    int | None,
    Check("None or a whole number of at least 2", _is_count, (None, 2, 5)),
    "Number of permutations that estimate the variance. By default, it is exact.",
]


UNLESS_JOINT = Unless("mean='joint'", lambda given: given["mean"] == "joint")


_COMBINED: dict[str, Callable[[float, float], float]] = {
    "arithmetic": lambda x, y: (x + y) / 2,
    "max": max,
    "min": min,
    "joint": lambda x, y: x + y,
}


def _missing(i: Information, mean: Mean) -> float:
    """M − MI: the excess of the mean entropy over the shared information, without cancellation."""
    if mean == "geometric":
        # √((MI+x)(MI+y)) − MI, widened by the sum of the two.
        x, y = i.h_u_given_v, i.h_v_given_u
        geometric = math.sqrt(i.h_u * i.h_v)
        return (i.mutual * (x + y) + x * y) / (geometric + i.mutual) if geometric else 0.0
    return _COMBINED[mean](i.h_u_given_v, i.h_v_given_u)


@index(
    title="Adjusted mutual information",
    formula="(MI − E) / (M − E), M the mean of H(U) and H(V)",
    range=(-inf, 1),
    undefined=0,
    adjusted=True,
    unless={"adjusted": UNLESS_JOINT, "linear": UNLESS_JOINT},
    headline=6,
    aliases=("AMI",),
    linear=True,
    no_weights=CHANCE_OF_EQUALS,
    cite="Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837",
    known_as={
        "scikit-learn": "adjusted_mutual_info_score",
        "CluSim": "adj_mi",
        "cdlib": "adjusted_mutual_information",
        "genieclust": "adjusted_mi_score",
        "aricode": "AMI",
        "ELKI": "Entropy.adjustedArithmeticMI",
        "torchmetrics": "AdjustedMutualInfoScore",
        "river": "AdjustedMutualInfo",
    },
    remarks={
        "scikit-learn": "average_method='min' with singletons on one side returns arbitrary values; 0 here",
        "genieclust": "returns nan for two identical trivial partitions; 1 here",
        "CluSim": "wrong unless logbase=2: it mixes logarithm bases",
        "aricode": "divides by the maximum entropy: mean='max'",
        "ELKI": "adjustedMaxMI is mean='max'; at most 10,000 elements",
        "clustering-mi": "variation='adjusted' divides by each side's own excess over chance",
        "torchmetrics": "1.9 returns 0 for two identical trivial partitions; 1 here",
    },
    worked=(("0011", "0101", -1 / 2), ("0012", "0122", -1 / 5)),
)
def adjusted_mutual_information(i: Information, c: Shuffled, *, mean: Mean = "arithmetic") -> Number:
    """Mutual information corrected for chance: 1 for identical partitions, 0 on average for permutations.

    Report it together with the adjusted Rand index; small clusters have more weight here. The means of H(U)
    and H(V) differ only if these entropies differ. mean='min' gives 1 if one partition refines the other,
    and 0 against singletons. mean='joint' divides by H(U,V) − E, which depends on the permutation, so its
    mean over all permutations is not 0. Accurate to 1e-12 except near 0, because MI and E are each accurate
    to 5e-15.
    """
    # M − E = (M − MI) + (MI − E), where the first half is a sum of conditional entropies.
    return c.excess / (_missing(i, mean) + c.excess)


@index(
    title="Standardised mutual information",
    formula="(MI − E) / √Var[MI]",
    range=(-inf, inf),
    perfect=None,
    agreement="larger",
    undefined=math.nan,
    adjusted=True,
    tight=False,
    on_request=True,
    aliases=("SMI", "standardized_mutual_information"),
    linear=True,
    no_weights=CHANCE_OF_EQUALS,
    cite="Romano, Bailey, Nguyen & Verspoor 2014, ICML; Klede et al. 2023, AAAI",
    worked=(("0011", "0011", math.sqrt(2)), ("0011", "0101", -1 / math.sqrt(2))),
)
def standardised_mutual_information(c: Shuffled, s: ClusterSizes, *, samples: Samples = None) -> Number:
    """Number of standard deviations by which the mutual information exceeds chance.

    A z-score. Also use it to compare candidates with different numbers of clusters, for which the adjusted
    index is slightly biased. The exact variance is slow for many distinct sizes; samples=1000 estimates it
    from 1,000 permutations. Undefined for a trivial partition.
    """
    return c.excess / information_deviation(s, samples)


@index(
    title="Adjusted mutual information of order q",
    formula="(MI_q − E) / ((H_q(U)+H_q(V))/2 − E), H_q = (1 − Σ pᑫ)/(q−1), MI_q = H_q(U)+H_q(V)−H_q(U,V)",
    range=(-inf, 1),
    undefined=0,
    adjusted=True,
    on_request=True,
    aliases=("adjusted_mutual_information_q", "AMI_tsallis"),
    no_weights=CHANCE_OF_EQUALS,
    cite="Romano, Vinh, Bailey & Verspoor 2016, J. Mach. Learn. Res. 17(134)",
    worked=(
        ("0012", "0122", -1 / 5),
        ("00011", "00101", (0.9 - 0.1 * 3**1.5 - 0.3 * 2**1.5) / (0.9 * 3**1.5 - 0.3 * 2**1.5 - 2.1)),
    ),
)
def ami_q(o: QInformation, *, q: Annotated[Positive, "Order of the entropies."] = 1.5) -> Number:
    """Both common adjusted indices in one family: q=1 is adjusted mutual information, q=2 adjusted Rand.

    A larger q gives large clusters more weight. Choose q near 2 for large clusters of equal size, and near
    1 for small or unequal ones. Accurate to 1e-12 for q of at least 1, and to 1e-9 below.
    """
    # nᑫ(1 − (q−1)H_q) is a sum of powers, so both differences are differences of power sums.
    excess = o.excess(q)
    return excess / (o.missing(q) + excess)


@index(
    title="Relative normalised mutual information",
    formula="NMI − E[NMI] = 2(MI − E) / (H(U) + H(V))",
    range=(-1, 1),
    perfect=None,
    agreement="larger",
    undefined=0,
    adjusted=True,
    tight=False,
    aliases=("relative_nmi", "relative_normalised_mutual_information"),
    linear=True,
    no_weights=CHANCE_OF_EQUALS,
    cite="Zhang 2015, J. Stat. Mech. P11006",
    worked=(("0011", "0011", 2 / 3), ("0011", "0101", -1 / 3)),
)
def rnmi(i: Information, c: Shuffled) -> Number:
    """The arithmetic NMI minus its mean over all permutations.

    0 on average, but identical partitions score less than 1, and less with more clusters. The adjusted
    mutual information also fixes the maximum at 1.
    """
    return 2 * c.excess / (i.h_u + i.h_v)


@index(
    title="Reduced mutual information",
    formula="(1/n)(log(n! Π n_ij! / (Π a! Π b!)) − log Ω), Ω the number of tables with the sizes a, b",
    range=(-inf, LOG_SIZE),
    perfect=None,
    agreement="larger",
    tight=False,
    aliases=("RMI",),
    no_weights=WHOLE_ELEMENTS,
    cite="Newman, Cantwell & Young 2020, Phys. Rev. E 101:042304; Jerdee et al. 2022, arXiv:2209.14869",
    known_as={
        "graph-tool": "reduced_mutual_information",
        "clustering-mi": "mutual_information(variation='reduced_flat')",
        "CluSim": "rmi",
        "clustAnalytics": "reduced_mutual_information",
    },
    remarks={
        "CluSim": "in bits; 0.4 is inaccurate for many clusters",
        "clustering-mi": "n/log 2 times this; variation='reduced' is a different index",
        "clustAnalytics": "combines an older estimate of Ω with Monte Carlo",
    },
    worked=(("0011", "0011", math.log(6 / 3) / 4), ("0011", "0101", math.log(1.5 / 3) / 4)),
)
def reduced_mutual_information(r: Reduced, *, base: LogBase = math.e) -> Number:
    """Mutual information minus the information needed to describe the contingency table.

    Singletons have no advantage: describing their overlaps costs as much as they share. Ω, the number of
    contingency tables, is exact if a side has two clusters or if counting is cheap. Otherwise log Ω, which
    is divided by n, is estimated; in tests, its error was 0.04 on average and 0.6 at most
    (docs/internals/accuracy.md).
    """
    return r.between / math.log(base)


@index(
    title="Normalised reduced mutual information (symmetric)",
    formula="2·RMI(U,V) / (RMI(U,U) + RMI(V,V))",
    range=(-inf, 1),
    undefined=math.nan,
    aliases=("NRMI", "nrmi_symmetric"),
    no_weights=WHOLE_ELEMENTS,
    cite="Newman, Cantwell & Young 2020, Phys. Rev. E 101:042304",
    known_as={
        "graph-tool": "reduced_mutual_information(norm=True, norm_method='symmetric')",
        "clustering-mi": "normalized_mutual_information(variation='reduced_flat', normalization='mean')",
    },
    remarks={"graph-tool": "norm=True in versions without norm_method"},
    worked=(("0011", "0101", -1), ("0011", "0012", 2 * math.log(3 / 2) / (math.log(2) + math.log(12 / 7)))),
)
def normalised_reduced_mutual_information(r: Reduced) -> Number:
    """Reduced mutual information relative to its value for identical partitions.

    1 for identical partitions, and negative if describing the table costs more than the partitions share.
    Undefined if both partitions are trivial.
    """
    return 2 * r.between / (r.within_u + r.within_v)


@index(
    title="Normalised reduced mutual information (asymmetric)",
    formula="RMI(U,V) / RMI(U,U)",
    range=(-inf, 1),
    undefined=math.nan,
    mirror=None,
    aliases=("normalised_reduced_mutual_information_asymmetric",),
    no_weights=WHOLE_ELEMENTS,
    cite="Jerdee, Kirkley & Newman 2023, arXiv:2307.01282",
    known_as={
        "graph-tool": "reduced_mutual_information(norm=True)",
        "clustering-mi": "normalized_mutual_information(variation='reduced_flat', normalization='first')",
    },
    remarks={
        "graph-tool": "versions without norm_method return the symmetric form",
        "clustering-mi": "treats its second labelling as the reference unless normalization='first'",
    },
    worked=(("0011", "0101", -1), ("0011", "0012", math.log(3 / 2) / math.log(2))),
)
def nrmi_asymmetric(r: Reduced) -> Number:
    """Reduced mutual information relative to that of the reference with itself.

    The denominator does not depend on the candidate, so the value ranks candidates. Undefined if the
    reference is trivial.
    """
    return r.between / r.within_u


@index(
    title="Adjusted mutual information under other random models",
    formula="(MI − E) / (M − E), M the mean of log K and log L (num) or log n (all)",
    range=(-inf, 1),
    perfect=None,
    agreement="larger",
    undefined=1,
    on_request=True,
    unless={"mirror": UNLESS_ONE_SIDED},
    linear=True,
    no_weights=CHANCE_OF_EQUALS,
    cite="Gates & Ahn 2017, J. Mach. Learn. Res. 18(87)",
    known_as={"CluSim": "adj_mi(random_model='num'), adj_mi(random_model='all')"},
    remarks={"CluSim": "one-sided models use log K for both sides; wrong unless logbase=2"},
    worked=(
        ("0011", "0011", 1),
        ("0011", "0101", (77 * math.log(2) - 39 * math.log(3)) / (28 * math.log(2) - 39 * math.log(3))),
    ),
)
def ami_models(
    i: Information, s: ClusterSizes, *, model: Model = "num", sides: RandomSides = "both"
) -> Number:
    """Mutual information corrected for random partitions instead of permutations.

    model='num' draws from all partitions with the same number of clusters, 'all' from all partitions. With
    sides='one', the reference is fixed, and M uses H(U) for it. Identical partitions reach 1 only if all
    clusters have the same size. Slow, because it needs exact numbers of partitions.
    """
    expected, most = model_information(s, model, sides, i.h_u)
    return (i.mutual - expected) / (most - expected)


@index(
    title="Pairwise adjusted mutual information",
    formula="2Δ(U,V) / (Δ(U,U) + Δ(V,V)), Δ the mean loss of MI when two elements swap clusters of V",
    range=(-inf, 1),
    undefined=math.nan,
    adjusted=True,
    tight=False,
    aliases=("PAMI",),
    no_weights=CHANCE_OF_EQUALS,
    cite="Lazarenko & Bonald 2021, arXiv:2103.12641",
    worked=(("0011", "0101", -1 / 2), ("0011", "0011", 1), ("0011", "0012", 2 / 3)),
)
def pairwise_adjusted_mutual_information(s: SwapLoss) -> Number:
    """Mean loss of mutual information when two elements are swapped, relative to identical partitions.

    It measures the loss from one swap instead of a full permutation, so it needs no sum over permutations.
    The authors' notebooks report half of Δ(U,V). Undefined if both partitions are trivial.
    """
    return 2 * s.between / (s.within_u + s.within_v)


@index(
    title="Reduced mutual information, Dirichlet-multinomial",
    formula="(1/n)(H(U) − H(U|V)), H the cost of U's sizes and labels, alone or given V, at the best α",
    range=(-inf, LOG_SIZE),
    perfect=None,
    agreement="larger",
    tight=False,
    mirror=None,
    aliases=("RMI_dirichlet",),
    no_weights=WHOLE_ELEMENTS,
    cite="Jerdee, Kirkley & Newman 2024, Phys. Rev. E 110:064306, arXiv:2405.05393",
    known_as={"clustering-mi": "mutual_information(candidate, reference)"},
    remarks={"clustering-mi": "n/log 2 times this, with α in [0.0001, 10000]"},
    worked=(("0011", "0011", math.log(2) / 2), ("0011", "0101", 0), ("0011", "0012", math.log(2) / 4)),
)
def rmi_dirichlet(r: DirichletReduced, *, base: LogBase = math.e) -> Number:
    """Reduced mutual information with a Dirichlet-multinomial code for the contingency table.

    The table is encoded column by column with a common concentration α. This is cheaper than the flat code
    of reduced_mutual_information if most cells are empty. Not symmetric: the reference is encoded given the
    candidate.
    """
    return r.between / math.log(base)


@index(
    title="Normalised reduced mutual information, Dirichlet-multinomial",
    formula="rmi_dirichlet(U,V) / rmi_dirichlet(U,U)",
    range=(-inf, 1),
    undefined=math.nan,
    tight=False,
    mirror=None,
    no_weights=WHOLE_ELEMENTS,
    cite="Jerdee, Kirkley & Newman 2023, arXiv:2307.01282; Jerdee et al. 2024, Phys. Rev. E 110:064306",
    known_as={"clustering-mi": "normalized_mutual_information(candidate, reference)"},
    remarks={"clustering-mi": "limits α to [0.0001, 10000]"},
    worked=(("0011", "0011", 1), ("0011", "0101", 0), ("0011", "0012", 1 / 2)),
)
def nrmi_dirichlet(r: DirichletReduced) -> Number:
    """Dirichlet-multinomial reduced mutual information relative to that of the reference with itself.

    The denominator does not depend on the candidate, so the value ranks candidates. Undefined if the
    reference is trivial.
    """
    return r.between / r.within
