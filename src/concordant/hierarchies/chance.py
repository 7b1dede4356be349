"""Values by chance at the cuts of two hierarchies: permuted leaves, fixed shapes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import INDICES, Index
from concordant.counts.arithmetic import Floats, root
from concordant.counts.pairs import Pairs, Trios
from concordant.hierarchies.grid import TwoTrees


def has_chance(index: Index) -> bool:
    """Whether the index is linear in N₁₁ for given cluster sizes, so both moments are exact."""
    return index.linear and index.shares == "n11" and index.views == (Pairs,)


def diagonal_chance(index: Index, trees: TwoTrees, chosen: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Mean and standard deviation of an index at these places of the diagonal, NaN where it is undefined.

    Exact but for the last rounding: mean and variance of N₁₁ are rational, and the index is linear in it.
    """
    sums = trees.diagonal
    mean, sd = np.full(len(chosen), np.nan), np.full(len(chosen), np.nan)
    for i, place in enumerate(chosen.tolist()):
        counts = sums.counts(place)
        pairs, trios = counts.view(Pairs, exact=True), counts.view(Trios)
        try:
            mean[i], sd[i] = _moments(index, pairs, trios)
        except ZeroDivisionError:  # the index is 0/0 for these cluster sizes
            continue
    return mean, sd


def _moments(index: Index, pairs: Pairs, trios: Trios) -> tuple[float, float]:
    expected = Fraction(pairs.in_u * pairs.in_v, pairs.all) if pairs.all else Fraction(0)
    most = min(pairs.in_u, pairs.in_v)

    def value(n11: Fraction | int) -> float:
        return float(index.compute(pairs.with_n11(Fraction(n11)), **index.arguments))

    mean = value(expected)
    if most in (0, pairs.all) or max(pairs.in_u, pairs.in_v) == pairs.all:
        return mean, 0.0  # every permutation gives the same value
    slope = abs(value(most) - value(0)) / float(most)
    if pairs.size < 4:  # one pair at most is together in both
        return mean, slope * root(expected * (1 - expected))
    try:
        # The Lerman index measures how far one more pair is from chance, in standard deviations.
        return mean, slope / float(INDICES["lerman"].compute(pairs.with_n11(expected + 1), trios))
    except ZeroDivisionError:
        return mean, 0.0  # these sizes allow only one N₁₁
