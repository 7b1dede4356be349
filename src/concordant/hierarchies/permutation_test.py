"""The null test of two trees: how often permutations of the elements agree as much as observed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations as all_permutations

import numpy as np

from concordant import core
from concordant.errors import ParameterError
from concordant.foundation.conventions import Undefined
from concordant.hierarchies.correlation_moments import correlation_moments
from concordant.hierarchies.tree_pair import RootedTree, TreePair
from concordant.indices.index import Index
from concordant.inference.null_distributions import NullDistribution, cantelli, gamma_log_tails
from concordant.inference.permutation_test import Arrangements, NullMoments, NullTest, direction_of
from concordant.maths.arithmetic import Integers

_MOST_LEAVES = 7  # which have 5,040 permutations


def null_test(trees: TreePair, index: Index, undefined: Undefined) -> NullTest:
    if index.content == "drawing":
        raise ParameterError(f"{index.name} describes a drawing, so it has no p-value")
    value = index.value(trees, undefined)
    try:
        index.evaluate(trees)
        observed = value
    except ZeroDivisionError:  # also for identical trees, whose value is defined
        observed = math.nan
    variable = {"cophenetic_correlation": "exact_heights", "bakers_gamma": "ranks"}.get(index.name, "")

    def by_gamma() -> NullDistribution:
        variables = getattr(trees.u, variable), getattr(trees.v, variable)
        sd, skewness = correlation_moments(trees, *variables)
        z = value / sd if sd else math.nan
        return NullDistribution(
            statistic=index.name,
            observed=value,
            expected=0.0,
            sd=sd,
            skewness=skewness,
            z=z,
            log_tails=gamma_log_tails(z, skewness),
            log_bound=cantelli(z),
            log_least=-math.lgamma(trees.size + 1),
        )

    def permuted(order: Integers) -> TreePair:
        return replace(trees, v=trees.v.permuted(order))

    def draws(random: np.random.Generator, number: int) -> Iterable[float]:
        return (index.value(permuted(random.permutation(trees.size)), "nan") for _ in range(number))

    def over_all(is_patient: bool) -> Arrangements | None:  # noqa: ARG001  (more would take too long)
        """The value of every permutation of the elements; equal trees are evaluated only once."""
        if trees.size > _MOST_LEAVES:
            return None
        seen: dict[bytes, float] = {}
        values = []
        for places in all_permutations(range(trees.size)):
            drawn = permuted(np.array(places))
            key = _clusters_key(drawn.v)
            if key not in seen:
                seen[key] = index.value(drawn, "nan")
            values.append(seen[key])
        return np.array(values), np.ones(len(values))

    return NullTest(
        index=index.name,
        direction=direction_of(index),
        value=value,
        observed=observed,
        size=trees.size,
        sides="trees",
        fixed="both trees",
        draws=draws,
        known=NullMoments(
            expected=0.0 if index.adjusted else None,
            gamma=by_gamma if variable else None,
            exact=over_all,
            refusal=f"{index.name} has no moments in closed form; use 'permutations'",
        ),
    )


def _clusters_key(tree: RootedTree) -> bytes:
    """The same for trees with the same clusters at the same levels."""
    elements = np.zeros(len(tree.parent), dtype=np.int64)
    elements[: tree.size] = 1 << np.arange(tree.size)
    sets = core.subtree_sums(tree.parent, elements)[tree.size :]
    return np.sort(sets * (tree.levels + 1) + tree.level).tobytes()
