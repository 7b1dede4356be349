"""Trees: indices for two whole trees, or for a tree and a partition, without cutting the trees.

h(x,y) is the height at which x and y join. In a forest, pairs that never join have a common height, one step
above the highest root. Without branch lengths, the height of a node is the number of steps to its farthest
leaf. C_U and C_V are the clusters of 2 to n−1 elements that are nodes of each tree. In gamma and tau, C is
the number of pairs of pairs that both trees join in the same order, D the number in the opposite order.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated

import numpy as np

from concordant.errors import HierarchyError
from concordant.hierarchies.cut_sums import TruthLevels
from concordant.hierarchies.tree_pair import TreePair, displacement
from concordant.indices.index import INDICES, Index, index, indices_of
from concordant.indices.parameters import LOG_SIZE, Bound, Positive
from concordant.maths.arithmetic import signed_root

Exponent = Annotated[Positive, "Exponent of the distance between the two positions of a leaf."]

__all__ = ["TREE_INDICES", "TREE_PARTITION_INDICES", "index_at_cuts"]

TREE_INDICES, TREE_PARTITION_INDICES = indices_of("trees"), indices_of("tree and partition")


def index_at_cuts(spelling: str) -> Index:
    """The index of partitions with this name; an index of whole trees has no value at a cut."""
    name = spelling.partition("(")[0] if isinstance(spelling, str) else ""
    if name in TREE_INDICES or name in TREE_PARTITION_INDICES:
        raise HierarchyError(
            f"{name} is an index of whole trees and has no value at a cut; read it as an attribute of the "
            f"comparison, .{name}"
        )
    return INDICES[spelling]


_SHARED = Bound("n−2", lambda n: max(n - 2, 0))
_ALL_CLUSTERS = Bound("2(n−2)", lambda n: 2 * max(n - 2, 0))

_BAKER = "Baker 1974, J. Am. Stat. Assoc. 69:440"
_DAY = "Day 1985, J. Classif. 2:7"
_PEROTTI = "Perotti, Tessone & Caldarelli 2015, Phys. Rev. E 92:062825"
# Two trees for worked examples.
_PAIRS, _CHAIN = "((a,b),(c,d))", "(((a,b),c),d)"


@index(
    title="Cophenetic correlation",
    formula="cor(h_U, h_V) over all pairs",
    cite="Sokal & Rohlf 1962, Taxon 11:33",
    sides="trees",
    content="heights",
    range=(-1, 1),
    adjusted=True,
    tight=False,
    known_as={"dendextend": "cor_cophenetic"},
    worked=((_PAIRS, _CHAIN, 1 / math.sqrt(10)), ("((a:1,b:1):2,c:3)", "((a:5,b:5):1,c:6)", 1)),
)
def cophenetic_correlation(trees: TreePair) -> float:
    """Pearson correlation of the heights at which both trees join each pair.

    It is also 1 if the heights of one tree are a linear function of the heights of the other. Scores count
    as falling heights.
    """
    return trees.correlation(trees.u.exact_heights, trees.v.exact_heights)


@index(
    title="Baker's gamma",
    formula="Spearman's ρ of (h_U, h_V) over all pairs, with mid-ranks",
    cite=_BAKER,
    sides="trees",
    content="levels",
    range=(-1, 1),
    adjusted=True,
    tight=False,
    known_as={"dendextend": "cor_bakers_gamma"},
    worked=((_PAIRS, _CHAIN, 1 / math.sqrt(20)),),
)
def bakers_gamma(trees: TreePair) -> float:
    """Rank correlation of the levels at which both trees join each pair.

    dendextend uses this name, and breaks ties by row order. Here, pairs at the same level are tied. Baker
    used goodman_kruskal_gamma_of_heights.
    """
    return trees.correlation(trees.u.ranks, trees.v.ranks)


@index(
    title="Goodman and Kruskal's gamma of heights",
    formula="(C − D) / (C + D)",
    cite=_BAKER,
    sides="trees",
    content="levels",
    range=(-1, 1),
    worked=((_PAIRS, _CHAIN, 1 / 3),),
)
def goodman_kruskal_gamma_of_heights(trees: TreePair) -> Fraction:
    """Pairs of pairs joined in the same order minus those in the opposite order, divided by their sum.

    Pairs of pairs that are tied in either tree are ignored.
    """
    concordant, discordant, _, _ = trees.pair_orders
    return Fraction(concordant - discordant, concordant + discordant)


@index(
    title="Kendall's tau-b of heights",
    formula="(C − D) / √(untied in U · untied in V)",
    cite="Kendall 1945, Biometrika 33:239",
    sides="trees",
    content="levels",
    range=(-1, 1),
    adjusted=True,
    tight=False,
    worked=((_PAIRS, _CHAIN, 2 / math.sqrt(88)),),
)
def kendall_tau_b_of_heights(trees: TreePair) -> float:
    """Pairs of pairs joined in the same order minus those in the opposite order, corrected for ties."""
    concordant, discordant, of_reference, of_candidate = trees.pair_orders
    return signed_root(concordant - discordant, of_reference * of_candidate)


@index(
    title="Shared clusters",
    formula="|C_U ∩ C_V|",
    cite=_DAY,
    sides="trees",
    content="clusters",
    range=(0, _SHARED),
    perfect=None,
    agreement="larger",
    worked=((_PAIRS, _CHAIN, 1),),
)
def clusters_shared(trees: TreePair) -> Fraction:
    """Number of clusters of 2 to n−1 elements that are nodes of both trees."""
    return Fraction(trees.cluster_counts[2])


@index(
    title="Robinson-Foulds distance",
    formula="|C_U \\ C_V| + |C_V \\ C_U|",
    cite=f"Robinson & Foulds 1981, Math. Biosci. 53:131; by clusters as in {_DAY}",
    sides="trees",
    content="clusters",
    range=(0, _ALL_CLUSTERS),
    perfect=0,
    unique=True,
    metric=True,
    known_as={"dendropy": "symmetric_difference"},
    worked=((_PAIRS, _CHAIN, 2),),
)
def robinson_foulds(trees: TreePair) -> Fraction:
    """Number of clusters of 2 to n−1 elements that are nodes of one tree only. Trees are rooted."""
    reference, candidate, shared = trees.cluster_counts
    return Fraction(reference + candidate - 2 * shared)


@index(
    title="Shared-cluster precision",
    formula="|C_U ∩ C_V| / |C_V|",
    cite=_DAY,
    sides="trees",
    content="clusters",
    worked=(("(((a,b),c),d,e)", "((a,b),c,d,e)", 1),),
)
def shared_cluster_precision(trees: TreePair) -> Fraction:
    """Share of the candidate's clusters of 2 to n−1 elements that are nodes of the reference."""
    return Fraction(trees.cluster_counts[2], trees.cluster_counts[1])


@shared_cluster_precision.mirrored(
    title="Shared-cluster recall",
    formula="|C_U ∩ C_V| / |C_U|",
    worked=(("(((a,b),c),d,e)", "((a,b),c,d,e)", 1 / 2),),
)
def shared_cluster_recall(trees: TreePair) -> Fraction:
    """Share of the reference's clusters of 2 to n−1 elements that are nodes of the candidate."""
    return Fraction(trees.cluster_counts[2], trees.cluster_counts[0])


@index(
    title="Shared-cluster F",
    formula="2·|C_U ∩ C_V| / (|C_U| + |C_V|)",
    cite=_DAY,
    sides="trees",
    content="clusters",
    unique=True,
    worked=(("(((a,b),c),d,e)", "((a,b),c,d,e)", 2 / 3),),
)
def shared_cluster_f1(trees: TreePair) -> Fraction:
    """Harmonic mean of shared-cluster precision and recall."""
    reference, candidate, shared = trees.cluster_counts
    return Fraction(2 * shared, reference + candidate)


@index(
    title="Triplet agreement",
    formula="(same + unresolved in both) / (n(n−1)(n−2)/6)",
    cite="Sand et al. 2013, Biology 2:1189",
    sides="trees",
    content="clusters",
    unique=True,
    metric=True,
    worked=((_PAIRS, _CHAIN, 1 / 2),),
)
def triplet_agreement(trees: TreePair) -> Fraction:
    """Share of the triples in which both trees join the same two elements first, or all three in one step."""
    triplets = trees.triplets
    return Fraction(triplets.same + triplets.unresolved, triplets.total)


@index(
    title="Hierarchical mutual information",
    formula="I(X,Y) = I(children of X; children of Y | X∩Y) + Σ_cd n_cd/n_XY · I(c,d), from both roots",
    cite=_PEROTTI,
    sides="trees",
    content="clusters",
    range=(0, LOG_SIZE),
    perfect=None,
    agreement="larger",
    worked=((_PAIRS, _CHAIN, math.log(4 / 3) / 2 + math.log(2 / 3) / 4 + math.log(2) / 4),),
)
def hierarchical_mutual_information(trees: TreePair) -> float:
    """Mutual information of the children of nodes at the same depth, summed over all depths, in nats.

    The depth of a node is the number of nodes above it, so trees of different depths are compared from the
    root down.
    """
    return math.log(trees.size) if _has_same_clusters(trees) else trees.nested_information


@index(
    title="Normalised hierarchical mutual information",
    formula="I(U,V) / √(I(U,U)·I(V,V)) = I(U,V) / log n",
    cite=_PEROTTI,
    sides="trees",
    content="clusters",
    worked=((_PAIRS, _PAIRS, 1), (_PAIRS, "((a,c),(b,d))", 0)),
)
def normalised_hierarchical_mutual_information(trees: TreePair) -> float:
    """Hierarchical mutual information divided by its maximum, log n."""
    largest = math.log(trees.size)
    return 1.0 if _has_same_clusters(trees) and largest else trees.nested_information / largest


def _has_same_clusters(trees: TreePair) -> bool:
    return len(set(trees.cluster_counts)) == 1


@index(
    title="Entanglement",
    formula="Σ|pos_U − pos_V|ᴸ over that of the reverse order",
    cite="Galili 2015, Bioinformatics 31:3718",
    sides="trees",
    content="drawing",
    perfect=0,
    tight=False,
    known_as={"dendextend": "entanglement"},
    worked=((_PAIRS, "((a,c),(b,d))", 2 / (2 * 3**1.5 + 2)), (_PAIRS, _PAIRS, 0)),
)
def entanglement(trees: TreePair, *, exponent: Exponent = 1.5) -> float:
    """Distance of the leaves from their positions in the other drawing.

    Children are drawn in the order of their creation. The value compares two drawings, not two trees:
    rotating a node changes it.
    """
    orders = trees.u.leaf_order(), trees.v.leaf_order()
    worst = displacement(np.arange(trees.size), np.arange(trees.size)[::-1], exponent)
    return displacement(orders[0], orders[1], exponent) / worst


@index(
    title="Dendrogram purity",
    formula="mean over pairs x, y of one cluster A of |A ∩ node(x,y)| / |node(x,y)|",
    cite="Heller & Ghahramani 2005, ICML, 297",
    sides="tree and partition",
    content="clusters",
    tight=False,
    worked=(("0011", _CHAIN, 3 / 4), ("0011", _PAIRS, 1)),
)
def dendrogram_purity(truth: TruthLevels) -> Fraction:
    """Mean purity of the smallest node that joins two elements of a true cluster.

    It is 1 if and only if every true cluster is a node or a single element. A pair that no node joins counts
    as 0.
    """
    return truth.dendrogram_purity


@index(
    title="Tree F",
    formula="Σ a/n · max over all nodes of 2·overlap / (a + |node|)",
    cite="Larsen & Aone 1999, KDD, 16",
    sides="tree and partition",
    content="clusters",
    tight=False,
    worked=(("0011", _CHAIN, 5 / 6), ("0011", _PAIRS, 1)),
)
def tree_f1(truth: TruthLevels) -> Fraction:
    """Best F1 of any node with the element's true cluster, averaged over the elements.

    Leaves and the root count as nodes, so each true cluster has a node with an F1 above 0.
    """
    return truth.tree_f1
