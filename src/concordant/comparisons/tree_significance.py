"""Significance of a tree index: both trees are kept, and the elements of the candidate are permuted."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from itertools import permutations as all_permutations

import numpy as np

from concordant import core
from concordant.catalogue.index import AgreementDirection, Index
from concordant.counts.conventions import Undefined, check_choice
from concordant.counts.spelling import counted
from concordant.errors import ParameterError, TooLargeError, UndefinedError
from concordant.hierarchies.null_moments import correlation_moments
from concordant.hierarchies.tree_pair import RootedTree, TreePair
from concordant.trust.null_distributions import (
    ROUNDING,
    TAILS,
    NullDistribution,
    Tail,
    distribution_of_values,
    log_p_of,
)
from concordant.trust.options import check_count, check_seed
from concordant.trust.significance import METHODS, Draws, Significance, SignificanceMethod
from concordant.trust.tails import log_upper_pearson

MOST_ENUMERATED = 7  # elements, which have 5,040 permutations


class TreeSignificance(Significance):
    """How an index of two trees compares with chance, and how rarely chance gives as much agreement."""

    __slots__ = ()

    @property
    def sentence(self) -> str:
        """A sentence for a paper: how rarely random permutations of the elements give such a value."""
        return super().sentence.replace("Given the cluster sizes", "Given both trees")


class _TreeShuffler:
    """Draws the two trees with the elements of the candidate permuted."""

    def __init__(self, trees: TreePair, random: np.random.Generator) -> None:
        self._trees, self._random = trees, random

    def counts(self) -> TreePair:
        return TreePair(self._trees.u, self._trees.v.permuted(self._random.permutation(self._trees.size)))


def tree_significance(
    trees: TreePair,
    index: Index,
    *,
    undefined: Undefined = "convention",
    tail: Tail = "upper",
    method: SignificanceMethod = "auto",
    permutations: int = 9999,
    seed: int = 0,
) -> TreeSignificance:
    """The index of these trees compared with chance.

    The two correlations have exact moments. Their p-value comes from all permutations of few elements, else
    from the gamma distribution with these moments. Other indices are tested by permutations.
    """
    check_choice("tail", tail, TAILS)
    check_choice("method", method, METHODS)
    permutations = check_count("permutations", permutations)
    check_seed(seed)
    if index.content == "drawing":
        raise ParameterError(f"{index.name} describes a drawing, so it has no p-value")
    value = index.value(trees, undefined)
    try:
        index.evaluate(trees)
    except ZeroDivisionError:  # also for identical trees, whose value is defined
        what = f"{index.name} is undefined for these trees: there is nothing to test"
        raise UndefinedError(what) from None
    draws = Draws(partial(_TreeShuffler, trees), tail, permutations, seed)
    weights = _weights(trees, index)
    if method == "exact" and trees.size > MOST_ENUMERATED:
        raise TooLargeError(
            f"{counted(trees.size, 'element')} have too many permutations; 'exact' allows "
            f"{MOST_ENUMERATED} elements, 'auto' any number"
        )
    direction: AgreementDirection = index.agreement or "larger"
    sign = 1.0 if direction == "larger" else -1.0
    if method == "exact" or (method == "auto" and trees.size <= MOST_ENUMERATED):
        found = _by_enumeration(trees, index, value, tail, sign)
    elif weights is not None and method != "permutations":
        found = _by_moments(trees, weights, value, tail)
    elif method == "gamma":
        raise ParameterError(
            f"{index.name} has no moments in closed form; use 'permutations'", given={"method": method}
        )
    else:
        expected = 0.0 if index.adjusted else None
        found = draws.of_statistic(lambda drawn: index.value(drawn, "nan"), value, expected, direction)
    if found.sd == 0 and found.method != "permutations":
        chance = (index.name, value, value, 0.0, 0.0, math.nan)
        return TreeSignificance(index.name, value, direction, *chance, tail, 1.0, 0.0, 1.0, "settled")
    return TreeSignificance(
        index=index.name,
        value=value,
        direction=direction,
        statistic=index.name,
        tail=tail,
        p=max(math.exp(found.log_p), sys.float_info.min),
        seed=seed if found.permutations else None,
        **asdict(found),
    )


def _weights(trees: TreePair, index: Index) -> tuple[Sequence[int], Sequence[int]] | None:
    """The variables of the correlation; None if the index is not one."""
    if index.name == "cophenetic_correlation":
        return trees.u.exact_heights, trees.v.exact_heights
    return (trees.u.ranks, trees.v.ranks) if index.name == "bakers_gamma" else None


def _by_moments(
    trees: TreePair, weights: tuple[Sequence[int], Sequence[int]], value: float, tail: Tail
) -> NullDistribution:
    known = correlation_moments(trees, *weights)
    if known.sd == 0:
        return NullDistribution(value, 0.0, 0.0, 0.0, math.nan, 0.0, "gamma")
    z = value / known.sd
    upper, lower = log_upper_pearson(z, known.skewness), log_upper_pearson(-z, -known.skewness)
    bound = -math.log1p(z * z)  # Cantelli's inequality
    p_at_most = log_p_of(tail, *((bound, 0.0) if z > 0 else (0.0, bound)))
    # One of the n! permutations is the observed one.
    log_p = max(min(log_p_of(tail, upper, lower), p_at_most), -math.lgamma(trees.size + 1))
    at_most = math.exp(p_at_most) if p_at_most < 0 else None
    return NullDistribution(value, 0.0, known.sd, known.skewness, z, log_p, "gamma", at_most)


def _by_enumeration(trees: TreePair, index: Index, value: float, tail: Tail, sign: float) -> NullDistribution:
    """The value of every permutation of the elements; equal trees are evaluated only once."""
    seen: dict[bytes, float] = {}
    values = []
    for places in all_permutations(range(trees.size)):
        drawn = trees.v.permuted(np.array(places))
        key = _clusters_key(drawn)
        if key not in seen:
            seen[key] = index.value(TreePair(trees.u, drawn), "nan")
        values.append(seen[key])
    every = np.array(values)
    slack = ROUNDING * max(abs(value), 1e-300)
    excess = sign * (every - value)
    shares = [float(np.mean(~(side * excess < -slack))) for side in (1, -1)]  # an undefined value is extreme
    log_p = log_p_of(tail, math.log(shares[0]), math.log(shares[1]))
    defined = every[~np.isnan(every)]
    weights = np.full(len(defined), 1 / len(defined))
    expected = 0.0 if index.adjusted else float(defined.mean())
    return distribution_of_values(defined, weights, value, expected, log_p=log_p, sign=sign)


def _clusters_key(tree: RootedTree) -> bytes:
    """The same for trees with the same clusters at the same levels."""
    elements = np.zeros(len(tree.parent), dtype=np.int64)
    elements[: tree.size] = 1 << np.arange(tree.size)
    sets = core.subtree_sums(tree.parent, elements)[tree.size :]
    return np.sort(sets * (tree.levels + 1) + tree.level).tobytes()
