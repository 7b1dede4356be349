"""Information theory: forms of the variation of information, and the cost of describing one partition given
the other.

H is entropy, in nats unless you pass a base; b is the size of a candidate cluster, K the number of
reference clusters, I(U,V) the microcanonical mutual information.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from concordant.counts.information import ClusterSizes, Information
from concordant.counts.number_of_tables import Microcanonical, log_binomial
from concordant.indices.index import index
from concordant.indices.parameters import UNLESS_A_IS_ONE, WHOLE_ELEMENTS, Bound, LogBase, SplitWeight, Unless
from concordant.maths.arithmetic import Number

SideMean = Annotated[
    Literal["arithmetic", "geometric", "max", "min", "reference", "candidate"],
    "Mean of the two sides by which the value is normalised.",
]

_LOG_FACTORIAL = Bound(
    "log(n!)/n", lambda n, base=math.e: math.lgamma(n + 1) / n / math.log(base) if n else 0.0
)

_UNLESS_OF_ONE_SIDE = Unless(
    "mean='reference' or mean='candidate'", lambda given: given["mean"] in ("reference", "candidate")
)


def _most(n: int, a: float = 1, base: float = math.e) -> float:
    return max(a, 2 - a) * math.log(n) / math.log(base) if n else 0.0


def _share(missing: float, held: float) -> float:
    """The share that is missing; of nothing, nothing."""
    return missing / held if held else 0.0


@index(
    title="Generalised variation of information",
    formula="a·H(V|U) + (2−a)·H(U|V)",
    range=(0, Bound("max(a,2−a)·log n", _most)),
    perfect=0,
    metric=True,
    unless={"mirror": UNLESS_A_IS_ONE, "metric": UNLESS_A_IS_ONE},
    cite="Dahl, Johnson & Müller 2022, J. Comput. Graph. Stat. 31:1189",
    known_as={"salso": "VI(…, a=)"},
    remarks={"salso": "in bits: base=2"},
    worked=(("0011", "0101", 2 * math.log(2)),),
)
def generalised_variation_of_information(
    i: Information, *, a: SplitWeight = 1, base: LogBase = math.e
) -> Number:
    """Variation of information in which splits cost a and merges cost 2 − a.

    For Bayesian point estimates, choose a above 1 to get fewer clusters. With a=1 it is the variation of
    information.
    """
    if a == 1:
        return min(i.h_u_given_v + i.h_v_given_u, i.h_uv) / math.log(base)
    return (a * i.h_v_given_u + (2 - a) * i.h_u_given_v) / math.log(base)


@index(
    title="Normalised variation of information of Lancichinetti, Fortunato and Kertész",
    formula="(H(U|V)/H(U) + H(V|U)/H(V)) / 2",
    perfect=0,
    aliases=("nvi_lfk",),
    cite="Lancichinetti, Fortunato & Kertész 2009, New J. Phys. 11:033015",
    worked=(("0123", "0011", 1 / 4), ("0011", "0101", 1)),
)
def vi_lfk(i: Information) -> Number:
    """Mean of both conditional entropies, each relative to its side's entropy.

    One minus the mean of homogeneity and completeness. A single cluster has no entropy, so it scores 1/2
    against any other partition.
    """
    return (_share(i.h_u_given_v, i.h_u) + _share(i.h_v_given_u, i.h_v)) / 2


@index(
    title="Variation of information over the reference's entropy",
    formula="(H(U|V) + H(V|U)) / H(U), or H(V) if H(U) = 0",
    range=(0, math.inf),
    perfect=0,
    mirror=None,
    aliases=("nvi_reichart_rappoport",),
    cite="Reichart & Rappoport 2009, CoNLL, 165-173",
    worked=(("0011", "0101", 2), ("0011", "0123", 1), ("0000", "0011", math.log(2))),
)
def vi_over_reference_entropy(i: Information) -> Number:
    """Variation of information relative to the reference entropy.

    Above 1, a candidate with one cluster would be better. If the reference is one cluster, the value is the
    candidate's entropy in nats.
    """
    return (i.h_u_given_v + i.h_v_given_u) / i.h_u if i.h_u else i.h_v


def _cost_of_counts(sizes: dict[int, int], k: int, n: int) -> float:
    """(1/n) Σ log C(size+K−1, K−1): the cost of describing how each cluster's elements fall into K
    clusters.
    """
    return math.fsum([count * log_binomial(size, k - 1) for size, count in sizes.items()]) / max(n, 1)


@index(
    title="Dom's Q0",
    formula="H(U|V) + (1/n) Σ log C(b+K−1, K−1)",
    range=(0, math.inf),
    perfect=None,
    agreement="smaller",
    mirror=None,
    aliases=("dom",),
    linear=True,
    no_weights=WHOLE_ELEMENTS,
    cite="Dom 2001, IBM Research Report RJ 10219",
    known_as={"river-extra": "Q0"},
    worked=(
        ("0000", "0123", 0),
        ("0011", "0000", math.log(2) + math.log(5) / 4),
        ("0011", "0011", math.log(3) / 2),
    ),
)
def dom_q0(i: Information, s: ClusterSizes, *, base: LogBase = math.e) -> Number:
    """Length of a message that describes the reference to a receiver with the candidate, per element.

    The conditional entropy plus the cost of sending the counts, so using many small clusters has a cost.
    Identical partitions do not score 0; dom_q2 rescales it.
    """
    known = _cost_of_counts(s.columns, sum(s.rows.values()), s.size)
    return (i.h_u_given_v + known) / math.log(base)


@index(
    title="Dom's Q2",
    formula="(1/n) Σ log C(a+K−1, K−1) / Q₀",
    undefined=1,
    mirror=None,
    tight=False,
    no_weights=WHOLE_ELEMENTS,
    cite="Dom 2001, IBM Research Report RJ 10219",
    known_as={"river-extra": "Q2"},
    worked=(("0011", "0000", math.log(3) / 2 / (math.log(2) + math.log(5) / 4)),),
)
def dom_q2(i: Information, s: ClusterSizes) -> Number:
    """The shortest possible message, for a candidate equal to the reference, divided by the actual message.

    1 for identical partitions, and never 0. Undefined, and reported as 1, for a reference with one cluster,
    which needs no message.
    """
    k = sum(s.rows.values())
    return _cost_of_counts(s.rows, k, s.size) / (i.h_u_given_v + _cost_of_counts(s.columns, k, s.size))


@index(
    title="Microcanonical mutual information",
    formula="(1/n) log(n! Π n_ij! / (Π a! Π b!))",
    range=(0, _LOG_FACTORIAL),
    perfect=None,
    agreement="larger",
    no_weights=WHOLE_ELEMENTS,
    cite="Newman, Cantwell & Young 2020, Phys. Rev. E 101:042304; "
    "Jerdee, Kirkley & Newman 2024, arXiv:2405.05393",
    known_as={"clustering-mi": "mutual_information(variation='traditional')"},
    remarks={"clustering-mi": "n/log 2 times this"},
    worked=(("0011", "0011", math.log(6) / 4), ("0011", "0101", math.log(3 / 2) / 4)),
)
def microcanonical_mutual_information(m: Microcanonical, *, base: LogBase = math.e) -> Number:
    """Mutual information computed from exact numbers of labellings, per element.

    The mutual information approximates these numbers by Stirling's formula. Both agree for many elements.
    reduced_mutual_information also subtracts the cost of the contingency table.
    """
    return m.between / math.log(base)


@index(
    title="Normalised microcanonical mutual information",
    formula="I(U,V) / M, I the microcanonical mutual information, M a mean of I(U,U) and I(V,V)",
    undefined=0,
    unless={"mirror": _UNLESS_OF_ONE_SIDE},
    no_weights=WHOLE_ELEMENTS,
    cite="Jerdee, Kirkley & Newman 2023, arXiv:2307.01282; Jerdee, Kirkley & Newman 2024, arXiv:2405.05393",
    known_as={"clustering-mi": "normalized_mutual_information(variation='traditional')"},
    remarks={
        "clustering-mi": (
            "its normalization 'mean', 'first', 'second' is mean='arithmetic', 'reference', 'candidate' here"
        )
    },
    worked=(
        ("0011", "0101", math.log(3 / 2) / math.log(6)),
        ("0011", "0012", 2 * math.log(6) / math.log(72)),
    ),
)
def normalised_microcanonical_mutual_information(
    m: Microcanonical, *, mean: SideMean = "arithmetic"
) -> Number:
    """Microcanonical mutual information relative to its value for identical partitions.

    With mean="reference", the denominator depends only on the reference, so the value ranks candidates. It
    grows with the number of clusters; the reduced forms do not.
    """
    u, v = m.within_u, m.within_v
    if mean == "geometric":
        return m.between / math.sqrt(u * v)
    means = {"arithmetic": (u + v) / 2, "max": max(u, v), "min": min(u, v), "reference": u, "candidate": v}
    return m.between / means[mean]
