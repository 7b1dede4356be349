"""Entity resolution and coreference: coreference scores for links and entities.

n_ij is the overlap of reference cluster i (size a, K clusters) and candidate cluster j (size b, L
clusters), m the number of non-empty overlaps. These indices compare partitions of the same mentions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from concordant.counts.assignment import Assignment
from concordant.counts.element_centric import Elements
from concordant.counts.pairs import PairCounts
from concordant.indices.entities import bcubed_f
from concordant.indices.index import Index, index
from concordant.indices.parameters import CLUSTERS_FROM_ELEMENTS
from concordant.maths.arithmetic import Number, harmonic


@index(
    title="MUC precision",
    formula="(n − m) / (B − L)",
    undefined=1,
    partial_overlap=True,
    conll=True,
    no_weights=CLUSTERS_FROM_ELEMENTS,
    cite="Vilain et al. 1995, MUC-6",
    known_as={"CoNLL scorer": "muc", "CoVal": "muc", "neleval": "muc"},
    remarks={"CoVal": "returns 0 if the candidate has only singletons"},
    worked=(("001122", "001112", 2 / 3),),
)
def muc_precision(e: Elements) -> Number:
    """Share of the minimal links of the candidate's clusters that are correct.

    Singletons are ignored. A candidate of singletons has no links and scores 1; the official scorer gives
    0.
    """
    return (e.common - e.cells) / (e.in_v - e.columns)


@muc_precision.mirrored(
    title="MUC recall",
    formula="(n − m) / (A − K)",
    known_as={"CoNLL scorer": "muc", "CoVal": "muc", "neleval": "muc"},
    remarks={"CoVal": "returns 0 if the reference has only singletons"},
    worked=(("0011", "0012", 1 / 2),),
)
def muc_recall(e: Elements) -> Number:
    """Share of the minimal links of the reference's clusters that the candidate keeps.

    Singletons are ignored, and one big cluster scores 1. If the reference has only singletons, any
    candidate scores 1; the official scorer gives 0.
    """
    return (e.common - e.cells) / (e.in_u - e.rows)


@index(
    title="MUC F1",
    formula="2(n − m) / (A + B − K − L)",
    undefined=1,
    partial_overlap=True,
    conll=True,
    no_weights=CLUSTERS_FROM_ELEMENTS,
    cite="Vilain et al. 1995, MUC-6",
    known_as={"CoNLL scorer": "muc", "CoVal": "muc", "neleval": "muc"},
    worked=(("001122", "001112", 2 / 3), ("0011", "0012", 2 / 3)),
)
def muc_f1(e: Elements) -> Number:
    """Harmonic mean of MUC precision and recall.

    The oldest coreference score. It is too lenient on merges, so report it together with B-cubed and CEAF.
    Identical singletons score 1; the official scorer gives 0 because there are no links.
    """
    return 2 * (e.common - e.cells) / (e.in_u + e.in_v - e.rows - e.columns)


@index(
    title="CEAF-m precision",
    formula="M / B, M = max Σ n_ij over one-to-one matchings",
    undefined=0,
    partial_overlap=True,
    conll=True,
    tight=False,
    cite="Luo 2005, HLT-EMNLP",
    known_as={"CoNLL scorer": "ceafm", "CoVal": "ceafm", "neleval": "mention_ceaf"},
    remarks={"CoVal": "older versions divide by the number of clusters, so values can exceed 1"},
    worked=(("001122", "001112", 5 / 6),),
)
def ceaf_m_precision(m: Assignment) -> Number:
    """Share of the candidate's elements that are correct under the best one-to-one matching of clusters.

    Equal to matching_accuracy if both sides contain the same elements.
    """
    return m.overlap / m.in_v


@ceaf_m_precision.mirrored(
    title="CEAF-m recall",
    formula="M / A, M = max Σ n_ij over one-to-one matchings",
    known_as={"CoNLL scorer": "ceafm", "CoVal": "ceafm", "neleval": "mention_ceaf"},
    remarks={"CoVal": "older versions divide by the number of clusters, so values can exceed 1"},
    worked=(("001122", "001112", 5 / 6),),
)
def ceaf_m_recall(m: Assignment) -> Number:
    """Share of the reference's elements that are correct under the best one-to-one matching of clusters.

    Equal to matching_accuracy if both sides contain the same elements.
    """
    return m.overlap / m.in_u


@index(
    title="CEAF-m F1",
    formula="2M / (A + B), M = max Σ n_ij over one-to-one matchings",
    undefined=0,
    metric=True,
    partial_overlap=True,
    conll=True,
    tight=False,
    aliases=("ceaf_m",),
    cite="Luo 2005, HLT-EMNLP",
    known_as={"CoNLL scorer": "ceafm", "CoVal": "ceafm", "neleval": "mention_ceaf"},
    remarks={"CoVal": "older versions divide by the number of clusters, so values can exceed 1"},
    worked=(("001122", "001112", 5 / 6),),
)
def ceaf_m_f1(m: Assignment) -> Number:
    """Harmonic mean of CEAF-m precision and recall: every mention has the same weight.

    Equal to matching_accuracy if both sides contain the same elements. In ceaf_e_f1, every cluster has the
    same weight.
    """
    return 2 * m.overlap / (m.in_u + m.in_v)


@index(
    title="CEAF-e precision",
    formula="M / L, M = max Σ 2n_ij/(a+b) over one-to-one matchings",
    undefined=0,
    partial_overlap=True,
    conll=True,
    tight=False,
    cite="Luo 2005, HLT-EMNLP",
    known_as={"CoNLL scorer": "ceafe", "CoVal": "ceafe", "neleval": "entity_ceaf"},
    worked=(("0012", "0011", (1 + 2 / 3) / 2),),
)
def ceaf_e_precision(m: Assignment) -> Number:
    """Similarity of matched clusters, averaged over the candidate's clusters.

    Unmatched clusters score 0.
    """
    return m.f1 / m.columns


@ceaf_e_precision.mirrored(
    title="CEAF-e recall",
    formula="M / K, M = max Σ 2n_ij/(a+b) over one-to-one matchings",
    known_as={"CoNLL scorer": "ceafe", "CoVal": "ceafe", "neleval": "entity_ceaf"},
    worked=(("0012", "0011", (1 + 2 / 3) / 3),),
)
def ceaf_e_recall(m: Assignment) -> Number:
    """Similarity of matched clusters, averaged over the reference's clusters.

    Unmatched clusters score 0.
    """
    return m.f1 / m.rows


@index(
    title="CEAF-e F1",
    formula="2M / (K + L), M = max Σ 2n_ij/(a+b) over one-to-one matchings",
    undefined=0,
    partial_overlap=True,
    conll=True,
    tight=False,
    aliases=("ceaf_e",),
    cite="Luo 2005, HLT-EMNLP",
    known_as={"CoNLL scorer": "ceafe", "CoVal": "ceafe", "neleval": "entity_ceaf"},
    worked=(("0012", "0011", 2 * (1 + 2 / 3) / 5),),
)
def ceaf_e_f1(m: Assignment) -> Number:
    """Similarity of clusters under the best one-to-one matching.

    Every cluster has the same weight. In ceaf_m_f1, every element has the same weight.
    """
    return 2 * m.f1 / (m.rows + m.columns)


@index(
    title="LEA precision",
    formula="Σ_j b_j·(Σ_i C(n_ij,2)/C(b_j,2)) / B, a singleton counts if it is one on both sides",
    undefined=0,
    partial_overlap=True,
    conll=True,
    weighted="pairs",
    cite="Moosavi & Strube 2016, ACL",
    known_as={"CoVal": "lea"},
    worked=(("001122", "001112", (2 + 3 * 1 / 3 + 0) / 6),),
)
def lea_precision(e: Elements) -> Number:
    """Share of each candidate cluster's links that are correct, weighted by cluster size.

    Link-based and entity-aware: it counts singletons, and every link of a large cluster.
    """
    return e.links_of_v / e.in_v


@lea_precision.mirrored(
    title="LEA recall",
    formula="Σ_i a_i·(Σ_j C(n_ij,2)/C(a_i,2)) / A, a singleton counts if it is one on both sides",
    known_as={"CoVal": "lea"},
    worked=(("001122", "001112", (2 + 2 + 0) / 6),),
)
def lea_recall(e: Elements) -> Number:
    """Share of each reference cluster's links that the candidate keeps, weighted by cluster size.

    Link-based and entity-aware: it counts singletons, and every link of a large cluster.
    """
    return e.links_of_u / e.in_u


@index(
    title="LEA F1",
    formula="2PR / (P + R), P and R LEA precision and recall",
    linear=False,
    undefined=0,
    partial_overlap=True,
    conll=True,
    aliases=("lea",),
    weighted="pairs",
    cite="Moosavi & Strube 2016, ACL",
    known_as={"CoVal": "lea"},
    worked=(("001122", "001112", 2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3)), ("0011", "0101", 0)),
)
def lea_f1(e: Elements) -> Number:
    """Harmonic mean of LEA precision and recall; 0 if no link is correct.

    A single coreference score without the known weaknesses of MUC and B-cubed.
    """
    return harmonic(e.links_of_v / e.in_v, e.links_of_u / e.in_u)


def _mean_of_kinds(shares: list[tuple[int, int, int]]) -> Number:
    """Mean of right/own over the kinds of links (right, own, all); a kind without links is left out."""
    present = [Fraction(right, own) if own else Fraction(0) for right, own, every in shares if every]
    return Fraction(sum(present), len(present))


def _kinds_of_key(p: PairCounts, together: tuple[int, int], apart: tuple[int, int]) -> Number:
    """Like the official scorer: only the kinds of links that the reference has."""
    return _mean_of_kinds([(*together, p.in_u), (*apart, p.apart_in_u)])


@index(
    title="BLANC precision",
    formula="(N₁₁/(N₁₁+N₀₁) + N₀₀/(N₀₀+N₁₀)) / 2",
    undefined=0,
    partial_overlap=True,
    conll=lambda p: _kinds_of_key(p, (p.n11, p.in_v), (p.n00, p.apart_in_v)),
    cite="Recasens & Hovy 2011, Nat. Lang. Eng. 17:485; Luo et al. 2014, ACL",
    known_as={"CoNLL scorer": "blanc"},
    remarks={"CoNLL scorer": "scores only one kind of link if the reference has only that kind"},
    worked=(("001122", "001112", (2 / 4 + 10 / 11) / 2),),
)
def blanc_precision(p: PairCounts) -> Number:
    """Mean of two precisions: that of coreferent links and that of non-coreferent links.

    If only the reference has links of one kind, that kind scores 0. A kind that neither side has is
    ignored.
    """
    together, apart = p.in_u + p.in_v, p.apart_in_u + p.apart_in_v
    return _mean_of_kinds([(p.n11, p.in_v, together), (p.n00, p.apart_in_v, apart)])


@blanc_precision.mirrored(
    title="BLANC recall",
    formula="(N₁₁/(N₁₁+N₁₀) + N₀₀/(N₀₀+N₀₁)) / 2",
    conll=lambda p: _kinds_of_key(p, (p.n11, p.in_u), (p.n00, p.apart_in_u)),
    known_as={"CoNLL scorer": "blanc"},
    remarks={"CoNLL scorer": "scores only one kind of link if the reference has only that kind"},
    worked=(("001122", "001112", (2 / 3 + 10 / 12) / 2),),
)
def blanc_recall(p: PairCounts) -> Number:
    """Mean of two recalls: that of coreferent links and that of non-coreferent links.

    If only the candidate has links of one kind, that kind scores 0. A kind that neither side has is
    ignored.
    """
    together, apart = p.in_u + p.in_v, p.apart_in_u + p.apart_in_v
    return _mean_of_kinds([(p.n11, p.in_u, together), (p.n00, p.apart_in_u, apart)])


@index(
    title="BLANC",
    formula="(2N₁₁/(2N₁₁+N₁₀+N₀₁) + 2N₀₀/(2N₀₀+N₁₀+N₀₁)) / 2",
    undefined=0,
    partial_overlap=True,
    conll=lambda p: _kinds_of_key(p, (2 * p.n11, p.in_u + p.in_v), (2 * p.n00, p.apart_in_u + p.apart_in_v)),
    aliases=("blanc_f1",),
    cite="Recasens & Hovy 2011, Nat. Lang. Eng. 17:485; Luo et al. 2014, ACL",
    known_as={"CoNLL scorer": "blanc"},
    remarks={
        "CoNLL scorer": "if the reference has one kind of link, ignores the other; it scores 0 here",
        "CoVal": "does not implement BLANC",
    },
    worked=(("001122", "001112", (4 / 7 + 20 / 23) / 2),),
)
def blanc(p: PairCounts) -> Number:
    """Mean of two F-measures: that of coreferent links and that of non-coreferent links.

    The few pairs together and the many pairs apart have the same weight. The mean is over the kinds of
    links that either side has. The official scorer uses the kinds that the reference has; so does
    undefined="conll".
    """
    together, apart = p.in_u + p.in_v, p.apart_in_u + p.apart_in_v
    return _mean_of_kinds([(2 * p.n11, together, together), (2 * p.n00, apart, apart)])


def _or_zero(score: Index, view: Any) -> Number:
    try:
        return score.compute(view)
    except ZeroDivisionError:
        return 0


@index(
    title="CoNLL average",
    formula="(MUC F1 + B-cubed F1 + CEAF-e F1) / 3",
    mean_of=(muc_f1, bcubed_f, ceaf_e_f1),
    undefined=0,
    partial_overlap=True,
    conll=lambda e, m: (_or_zero(muc_f1, e) + _or_zero(bcubed_f, e) + _or_zero(ceaf_e_f1, m)) / 3,
    tight=False,
    aliases=("conll_f1",),
    no_weights=CLUSTERS_FROM_ELEMENTS,
    cite="Denis & Baldridge 2009; Pradhan et al. 2014, ACL",
    known_as={"CoVal": "conll"},
    worked=(("0000", "0123", (0 + 2 * 1 * (1 / 4) / (5 / 4) + 2 * (2 / 5) / 5) / 3),),
)
def conll(e: Elements, m: Assignment) -> Number:
    """Mean of three coreference scores, as in the CoNLL shared tasks.

    For mentions on one side only, use unmatched="keep" like the official scorer; unmatched="singletons"
    gives different values. Add undefined="conll" to reproduce its values to the last digit.
    """
    muc = Fraction(2 * (e.common - e.cells), e.in_u + e.in_v - e.rows - e.columns)
    return (muc + bcubed_f.compute(e) + ceaf_e_f1.compute(m)) / 3
