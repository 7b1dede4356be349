"""Information of clusters that overlap: how much the clusters of one cover tell of those of the other.

H(U) is the sum of the entropies of its clusters, each a yes-or-no question to every element; H(U|V) what is
left of them when each takes its best partner in V; I = (H(U) − H(U|V) + H(V) − H(V|U)) / 2. Partners without
overlap are considered, and a partner must agree more than it disagrees. None of these is the normalised
mutual information of partitions, even on partitions.
"""

from __future__ import annotations

from math import inf, sqrt

from concordant.catalogue.index import index
from concordant.views.cover_information import ClusterInformation

_MGH = "McDaid, Greene & Hurley 2011, arXiv:1110.2515"


@index(
    title="Overlapping NMI, by the maximum",
    formula="I / max(H(U), H(V))",
    range=(0, 1),
    perfect=1,
    undefined=0,
    headline=13,
    sides="covers",
    aliases=("onmi", "ONMI"),
    cite=_MGH,
    known_as={
        "cdlib": "overlapping_normalized_mutual_information_MGH(normalization='max')",
        "onmi": "NMI<Max>",
        "NetworKit": "OverlappingNMIDistance(Max)",
    },
    remarks={
        "onmi": "ignores partners without overlap",
        "NetworKit": "a distance, 1 minus this; ignores partners without overlap, and admits ties",
        "cdlib": "right; the universe is the union of both covers",
    },
    worked=(("0011", "0011", 1), ("0011", "0101", 0)),
)
def onmi_max(i: ClusterInformation) -> float:
    """Information that the clusters have of each other, as a share of the larger entropy.

    The most used ONMI, and the one that tells a cover from the same with a cluster given twice. 1 for
    different covers too, as a cluster of all elements has no entropy: {0} against {0, 012} on three.
    """
    return i.shared / max(i.of_u, i.of_v)


@index(
    title="Overlapping NMI, by the mean",
    formula="2I / (H(U) + H(V))",
    range=(0, 1),
    perfect=1,
    undefined=0,
    sides="covers",
    aliases=("onmi_sum",),
    cite=_MGH,
    known_as={"onmi": "NMI<Sum>", "NetworKit": "OverlappingNMIDistance(ArithmeticMean)"},
    worked=(("0011", "0011", 1), ("0011", "0101", 0)),
)
def onmi_mean(i: ClusterInformation) -> float:
    """Information that the clusters have of each other, as a share of the mean entropy.

    1 for different covers too: {01, 01} against {01} on three elements.
    """
    return 2 * i.shared / (i.of_u + i.of_v)


@index(
    title="Overlapping NMI, by the minimum",
    formula="I / min(H(U), H(V))",
    range=(0, inf),
    perfect=1,
    undefined=0,
    sides="covers",
    cite=_MGH,
    known_as={"NetworKit": "OverlappingNMIDistance(Min)"},
    worked=(("0011", "0011", 1),),
)
def onmi_min(i: ClusterInformation) -> float:
    """Information that the clusters have of each other, as a share of the smaller entropy.

    It can exceed 1: {01, 01} against {01} on three elements gives 1.5. Prefer onmi_max.
    """
    return i.shared / min(i.of_u, i.of_v)


@index(
    title="Overlapping NMI, by the geometric mean",
    formula="I / √(H(U)·H(V))",
    range=(0, inf),
    perfect=1,
    undefined=0,
    sides="covers",
    cite=_MGH,
    known_as={"NetworKit": "OverlappingNMIDistance(GeometricMean)"},
    worked=(("0011", "0011", 1),),
)
def onmi_sqrt(i: ClusterInformation) -> float:
    """Information that the clusters have of each other, as a share of the geometric mean of the entropies.

    It can exceed 1: {01, 01} against {01} on three elements gives 1.06. Prefer onmi_max.
    """
    return i.shared / sqrt(i.of_u * i.of_v)


@index(
    title="Overlapping NMI, by the joint entropy",
    formula="I / (H(U) + H(V) − I)",
    range=(0, 1),
    perfect=1,
    undefined=0,
    sides="covers",
    cite=_MGH,
    known_as={"NetworKit": "OverlappingNMIDistance(JointEntropy)"},
    worked=(("0011", "0011", 1),),
)
def onmi_joint(i: ClusterInformation) -> float:
    """Information that the clusters have of each other, as a share of what both say together.

    1 for different covers too: {01, 01} against {01} on three elements.
    """
    return i.shared / (i.of_u + i.of_v - i.shared)


@index(
    title="Overlapping NMI of Lancichinetti, Fortunato and Kertész",
    formula="1 − (mean_i H(A_i|V)/H(A_i) + mean_j H(B_j|U)/H(B_j)) / 2",
    range=(0, 1),
    perfect=1,
    undefined=0,
    sides="covers",
    cite="Lancichinetti, Fortunato & Kertész 2009, New J. Phys. 11:033015",
    known_as={
        "cdlib": "overlapping_normalized_mutual_information_LFK",
        "onmi": "lfkNMI",
        "CluSim": "onmi",
    },
    remarks={
        "cdlib": "identical covers that hold the whole set score 0.5 unless given in the same order",
        "onmi": "ignores partners without overlap; identical covers that hold the whole set score 0.5",
        "CluSim": "wrong: takes 1 − p₁₁ for p₀₀",
    },
    worked=(("0011", "0011", 1), ("0011", "0101", 0)),
)
def onmi_lfk(i: ClusterInformation) -> float:
    """Mean share of each cluster's entropy that its best partner explains.

    Every cluster counts the same, so many small ones outweigh a large one; a cluster of all elements has no
    entropy and counts as not explained. 1 for different covers too: {01, 01} against {01} on three elements.
    """
    return 1 - (i.u_left + i.v_left) / 2


@index(
    title="Overlapping NMI, mean of the explained shares",
    formula="1 − (H(U|V)/H(U) + H(V|U)/H(V)) / 2",
    range=(0, 1),
    perfect=1,
    undefined=0,
    sides="covers",
    cite="McDaid, Greene & Hurley 2011, arXiv:1110.2515, equation 7",
    known_as={"cdlib": "overlapping_normalized_mutual_information_MGH(normalization='LFK')"},
    remarks={"cdlib": "raises an error where one side has no entropy"},
    worked=(("0011", "0011", 1), ("0011", "0101", 0)),
)
def onmi_lfr(i: ClusterInformation) -> float:
    """Mean share of each side's entropy that the other explains.

    1 for different covers too: {01, 01} against {01} on three elements.
    """
    return 1 - (i.u_given_v / i.of_u + i.v_given_u / i.of_v) / 2
