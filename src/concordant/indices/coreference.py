"""Entity resolution and coreference: links and entities, as coreference is scored.

n_ij the overlap of reference cluster i (size a, K of them) with candidate cluster j (size b, L of
them), m the number of non-empty overlaps. These compare partitions of the same mentions.
"""

from __future__ import annotations

from fractions import Fraction

from concordant.catalogue.index import index
from concordant.counts.arithmetic import Number, harmonic
from concordant.indices.entities import bcubed_f
from concordant.views.elements import Elements
from concordant.views.matches import Assignment
from concordant.views.pairs import Pairs


@index(
    title="MUC precision",
    formula="(n − m) / (n − L)",
    range=(0, 1),
    perfect=1,
    undefined=1,
    mirror="muc_recall",
    linear=True,
    cite="Vilain et al. 1995, MUC-6",
    known_as={"CoVal": "muc"},
    remarks={"CoVal": "0 where the candidate has singletons only"},
    worked=(("001122", "001112", 2 / 3),),
)
def muc_precision(e: Elements) -> Number:
    """Of the fewest links that hold the candidate's clusters together, the share that is right.

    Blind to singletons. A candidate of singletons makes no claim and scores 1; the official scorer
    gives 0.
    """
    return (e.size - e.cells) / (e.size - e.columns)


@index(
    title="MUC recall",
    formula="(n − m) / (n − K)",
    range=(0, 1),
    perfect=1,
    undefined=1,
    mirror="muc_precision",
    linear=True,
    cite="Vilain et al. 1995, MUC-6",
    known_as={"CoVal": "muc"},
    remarks={"CoVal": "0 where the reference has singletons only"},
    worked=(("0011", "0012", 1 / 2),),
)
def muc_recall(e: Elements) -> Number:
    """Of the fewest links that hold the reference's clusters together, the share that is kept.

    Blind to singletons; one big cluster scores 1. A reference of singletons asks for no link, and any
    candidate scores 1; the official scorer gives 0.
    """
    return (e.size - e.cells) / (e.size - e.rows)


@index(
    title="MUC F1",
    formula="2(n − m) / (2n − K − L)",
    range=(0, 1),
    perfect=1,
    linear=True,
    cite="Vilain et al. 1995, MUC-6",
    known_as={"CoVal": "muc"},
    worked=(("001122", "001112", 2 / 3), ("0011", "0012", 2 / 3)),
)
def muc_f1(e: Elements) -> Number:
    """Harmonic mean of MUC precision and recall.

    The oldest coreference score; too kind to merging, so report it beside B-cubed and CEAF. Identical
    singletons score 1; the official scorer gives them 0, as it finds no link.
    """
    return 2 * (e.size - e.cells) / (2 * e.size - e.rows - e.columns)


@index(
    title="CEAF-e precision",
    formula="M / L, M = max Σ 2n_ij/(a+b) over one-to-one matchings",
    range=(0, 1),
    perfect=1,
    mirror="ceaf_e_recall",
    tight=False,
    cite="Luo 2005, HLT-EMNLP",
    known_as={"CoVal": "ceafe"},
    worked=(("0012", "0011", (1 + 2 / 3) / 2),),
)
def ceaf_e_precision(m: Assignment) -> Number:
    """Similarity of matched clusters, averaged over the candidate's clusters.

    Clusters without a partner score 0.
    """
    return m.f1 / m.columns


@index(
    title="CEAF-e recall",
    formula="M / K, M = max Σ 2n_ij/(a+b) over one-to-one matchings",
    range=(0, 1),
    perfect=1,
    mirror="ceaf_e_precision",
    tight=False,
    cite="Luo 2005, HLT-EMNLP",
    known_as={"CoVal": "ceafe"},
    worked=(("0012", "0011", (1 + 2 / 3) / 3),),
)
def ceaf_e_recall(m: Assignment) -> Number:
    """Similarity of matched clusters, averaged over the reference's clusters.

    Clusters without a partner score 0.
    """
    return m.f1 / m.rows


@index(
    title="CEAF-e F1",
    formula="2M / (K + L), M = max Σ 2n_ij/(a+b) over one-to-one matchings",
    range=(0, 1),
    perfect=1,
    tight=False,
    aliases=("ceaf_e",),
    cite="Luo 2005, HLT-EMNLP",
    known_as={"CoVal": "ceafe"},
    worked=(("0012", "0011", 2 * (1 + 2 / 3) / 5),),
)
def ceaf_e_f1(m: Assignment) -> Number:
    """Similarity of the clusters under the best one-to-one matching.

    Every cluster counts the same; for the element-weighted form see matching_accuracy (CEAF-m).
    """
    return 2 * m.f1 / (m.rows + m.columns)


@index(
    title="LEA precision",
    formula="Σ_j b_j·(Σ_i C(n_ij,2)/C(b_j,2)) / n, a singleton counting if it is one in both",
    range=(0, 1),
    perfect=1,
    mirror="lea_recall",
    linear=True,
    cite="Moosavi & Strube 2016, ACL",
    known_as={"CoVal": "lea"},
    worked=(("001122", "001112", (2 + 3 * 1 / 3 + 0) / 6),),
)
def lea_precision(e: Elements) -> Number:
    """Share of each candidate cluster's links that are right, weighted by its size.

    Link-based and entity-aware: sees singletons, and every link of a large cluster.
    """
    return e.links_of_v / e.size


@index(
    title="LEA recall",
    formula="Σ_i a_i·(Σ_j C(n_ij,2)/C(a_i,2)) / n, a singleton counting if it is one in both",
    range=(0, 1),
    perfect=1,
    mirror="lea_precision",
    linear=True,
    cite="Moosavi & Strube 2016, ACL",
    known_as={"CoVal": "lea"},
    worked=(("001122", "001112", (2 + 2 + 0) / 6),),
)
def lea_recall(e: Elements) -> Number:
    """Share of each reference cluster's links that are kept, weighted by its size.

    Link-based and entity-aware: sees singletons, and every link of a large cluster.
    """
    return e.links_of_u / e.size


@index(
    title="LEA F1",
    formula="2PR / (P + R), P and R LEA precision and recall",
    range=(0, 1),
    perfect=1,
    undefined=0,
    aliases=("lea",),
    cite="Moosavi & Strube 2016, ACL",
    known_as={"CoVal": "lea"},
    worked=(("001122", "001112", 2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3)), ("0011", "0101", 0)),
)
def lea_f1(e: Elements) -> Number:
    """Harmonic mean of LEA precision and recall; 0 where no link is right.

    A single coreference score that neither MUC's nor B-cubed's weakness distorts.
    """
    return harmonic(e.links_of_v / e.size, e.links_of_u / e.size)


@index(
    title="BLANC",
    formula="(2N₁₁/(2N₁₁+N₁₀+N₀₁) + 2N₀₀/(2N₀₀+N₁₀+N₀₁)) / 2",
    range=(0, 1),
    perfect=1,
    linear=True,
    shares="n11",
    cite="Recasens & Hovy 2011, Nat. Lang. Eng. 17:485; Luo et al. 2014, ACL",
    known_as={"CoNLL scorer": "blanc"},
    remarks={
        "CoNLL scorer": "where the reference has links of one kind only (one cluster, or singletons) it "
        "scores that kind alone; the mean here, in which the other kind scores 0",
        "CoVal": "has no BLANC",
    },
    worked=(("001122", "001112", (4 / 7 + 20 / 23) / 2),),
)
def blanc(p: Pairs) -> Number:
    """Mean of the F-measures of the coreferent and of the non-coreferent links.

    Gives the few pairs together and the many pairs apart the same weight. As in Luo et al., the mean is
    taken over both kinds wherever a side has both; Recasens and Hovy score one kind alone where the
    reference has but that, which is twice this value.
    """
    wrong = p.n10 + p.n01
    return Fraction(p.n11, 2 * p.n11 + wrong) + Fraction(p.n00, 2 * p.n00 + wrong)


@index(
    title="CoNLL average",
    formula="(MUC F1 + B-cubed F1 + CEAF-e F1) / 3",
    range=(0, 1),
    perfect=1,
    tight=False,
    aliases=("conll_f1",),
    cite="Denis & Baldridge 2009; Pradhan et al. 2014, ACL",
    known_as={"CoVal": "conll"},
    worked=(("0000", "0123", (0 + 2 * 1 * (1 / 4) / (5 / 4) + 2 * (2 / 5) / 5) / 3),),
)
def conll(e: Elements, m: Assignment) -> Number:
    """The mean of three coreference scores, the custom of the CoNLL shared tasks.

    Here every element is in both partitions; for mentions found on one side only use
    unmatched="singletons" or another convention, and say so.
    """
    muc = Fraction(2 * (e.size - e.cells), 2 * e.size - e.rows - e.columns)
    return (muc + bcubed_f.compute(e) + ceaf_e_f1.compute(m)) / 3
