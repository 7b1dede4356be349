"""Soft partitions: how similar two soft partitions are, from the weights of their records.

p(x, y) is the probability that independent draws from the rows of x and y give the same reference cluster,
q the same for the candidate, T the number of pairs. Each index is 1 for a soft partition against itself,
and equals its hard form for hard partitions.
"""

from __future__ import annotations

import math

from concordant.indices.index import index, indices_of
from concordant.maths.arithmetic import Number
from concordant.soft.counts import Gram, SoftCounts, SoftPairSums
from concordant.soft.row_pairs import (
    DistinctRows,
    concordance,
    expected_difference,
    mean_absolute_difference,
)

__all__ = ["DEFAULT_SOFT_INDEX", "SOFT_INDICES"]

SOFT_INDICES = indices_of("soft")
DEFAULT_SOFT_INDEX = "soft_adjusted_rand"


# -- pairs --------------------------------------------------------------------------------------------


@index(
    title="Soft adjusted Rand index",
    formula="1 − Σ(p − q)² / E[Σ(p − q)²]",
    cite="this library: the adjusted Rand index of Hubert & Arabie 1985 for probabilities",
    sides="soft",
    generalises="adjusted_rand",
    undefined=0,
    range=(-math.inf, 1),
    adjusted=True,
)
def soft_adjusted_rand(s: SoftPairSums) -> Number:
    """How much closer the two sides are, pair by pair, than after permuting the records of one side.

    1 if both sides put every pair together with the same probability; 0 on average for permuted records.
    """
    expected = s.expected_pq
    return (2 * s.pq - 2 * expected) / (s.pp + s.qq - 2 * expected)


@index(
    title="Soft Rand index, squared differences",
    formula="1 − Σ(p − q)² / T",
    cite="this library: the Rand index of Rand 1971 for probabilities",
    sides="soft",
    generalises="rand",
    undefined=0,
)
def soft_rand_squared(s: SoftPairSums) -> Number:
    """One minus the mean squared difference of the probabilities that a pair is together."""
    return 1 - s.squared_difference / s.pairs


@index(
    title="Soft Rand index",
    formula="1 − Σ|p − q| / T",
    cite="Denœux, Li & Sriboonchitta 2018, IEEE Trans. Fuzzy Syst. 26:1231, for probabilities",
    sides="soft",
    generalises="rand",
    undefined=0,
    on_request=True,
    metric=True,
)
def soft_rand(rows: DistinctRows) -> Number:
    """One minus the mean absolute difference of the probabilities that a pair is together."""
    difference: Number = mean_absolute_difference(rows, "soft_rand")
    return 1 - difference


# -- matched columns ----------------------------------------------------------------------------------


@index(
    title="Soft matching accuracy",
    formula="max over one-to-one names σ of Σₓ Σᵢ min(uₓᵢ, vₓσ₍ᵢ₎) / n",
    cite="this library: matching accuracy for weights",
    sides="soft",
    generalises="matching_accuracy",
    undefined=0,
    metric=True,
)
def soft_matching_accuracy(counts: SoftCounts) -> Number:
    """The weight that both sides give to the same clusters, under the best one-to-one matching of clusters.

    1 only if both sides are equal up to cluster names. Pair-counting indices miss some differences that
    this index detects, so read it together with soft_adjusted_rand.
    """
    return counts.matched_share


# -- dialects -----------------------------------------------------------------------------------------

_CUT = "a cluster from the same cluster cut into equal halves, or equal rows from one cluster"


@index(
    title="Degree of concordance",
    formula="1 − Σ|e − f| / T, with e(x, y) = 1 − ½Σ|uₓ − u_y|",
    cite="Hüllermeier, Rifqi, Henzgen & Senge 2012, IEEE Trans. Fuzzy Syst. 20:546",
    sides="soft",
    generalises="rand",
    undefined=0,
    on_request=True,
    metric=True,
    blind=_CUT,
)
def degree_of_concordance(rows: DistinctRows) -> Number:
    """One minus the mean absolute difference of the row similarities of a pair on both sides.

    Equal rows count as together, whatever their weights. If all rows are equal, the value against one
    cluster is 1.
    """
    value: Number = concordance(rows, "degree_of_concordance")
    return value


@index(
    title="Adjusted concordance index",
    formula="(NDC − E[NDC]) / (1 − E[NDC]), NDC the degree of concordance",
    cite="D'Ambrosio, Amodio, Iorio, Pandolfo & Siciliano 2021, J. Classif. 38:112",
    sides="soft",
    generalises="adjusted_rand",
    undefined=0,
    range=(-math.inf, 1),
    on_request=True,
    adjusted=True,
    blind=_CUT,
)
def adjusted_concordance(rows: DistinctRows) -> Number:
    """The degree of concordance, rescaled so permuted records score 0 on average."""
    expected: Number = expected_difference(rows, "adjusted_concordance", alike=True)
    observed: Number = 1 - concordance(rows, "degree_of_concordance")
    if not rows.exact and expected < 1e-15:  # all rows are equally similar on both sides
        raise ZeroDivisionError
    return 1 - observed / expected


@index(
    title="Frobenius adjusted Rand index",
    formula="(FRI − E[FRI]) / (1 − E[FRI]), FRI = 1 − ‖αA − βB‖² / n(n − 1), A = UU′, α = ΣA / ΣA²",
    cite="Andrews, Browne & Hvingelby 2022, J. Classif. 39:326",
    sides="soft",
    generalises="adjusted_rand",
    undefined=0,
    range=(-math.inf, 1),
    adjusted=True,
    blind="equal rows from one cluster",
)
def frobenius_adjusted_rand(gram: Gram) -> Number:
    """Agreement of the two Gram matrices of rows, each scaled to match itself best.

    A record also counts with itself, and scaling makes vague rows look sharp.
    """
    sum_a, sum_b, aa, bb, ab, a, b = gram.with_diagonals
    n = gram.size
    alpha, beta = sum_a / aa, sum_b / bb
    expected = a * b / n + (sum_a - a) * (sum_b - b) / (n * (n - 1))
    whole = alpha * alpha * aa + beta * beta * bb
    return 2 * alpha * beta * (ab - expected) / (whole - 2 * alpha * beta * expected)
