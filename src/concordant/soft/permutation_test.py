"""The null test of two soft partitions: how often permutations of the records agree as much as observed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from concordant.errors import ParameterError, SoftError
from concordant.foundation.conventions import Undefined
from concordant.indices.index import Index
from concordant.inference.null_distributions import NullDistribution, cantelli, gamma_log_tails
from concordant.inference.permutation_test import NullMoments, NullTest, of_n11
from concordant.maths.mantel import mantel_moments
from concordant.soft.counts import SoftCounts
from concordant.soft.permutations import all_sums, by_content, hard_profile, mantel_sums, sum_by_order

# Numbers that "auto" moves in all its permutations: up to a second's worth; and the fewest permutations.
_MOST_MOVED = 10**8
_FEWEST_DRAWS = 99


def null_test(counts: SoftCounts, index: Index, undefined: Undefined) -> NullTest:
    if index.name not in ("soft_adjusted_rand", "soft_rand_squared"):
        raise SoftError(
            f"{index.name} does not follow from Σpq, so its distribution by chance has no closed form; "
            "soft_adjusted_rand has a p-value"
        )
    value, size = index.value(counts, undefined), counts.size
    if size < 2:
        raise ParameterError(f"a test needs two records, and there {'is' if size == 1 else 'are'} {size}")
    sums, (u, v) = counts.pair_sums, counts.sides.memberships
    # Both indices are linear in Σpq, and no permutation changes the other sums.
    unit = sums.pp + sums.qq - 2 * sums.expected_pq if index.adjusted else sums.pairs
    by_chance = 0.0 if index.adjusted else 1 - float((sums.pp + sums.qq - 2 * sums.expected_pq) / sums.pairs)
    known = mantel_moments(mantel_sums(u), mantel_sums(v), size)
    sd, slope = known.sd, 2 / float(unit) if unit else 0.0
    moved = size * sum(counts.sides.columns)

    def draws(random: np.random.Generator, number: int) -> Iterable[float]:
        ordered = map(by_content, (u, v))
        statistic = sum_by_order(*ordered)
        return (statistic(random.permutation(size)) for _ in range(number))

    test = NullTest(
        index=index.name,
        value=value,
        statistic="Σpq",
        observed=float(sums.pq),
        size=size,
        sides="soft partitions",
        fixed="both sides",
        on_index=(slope, by_chance),
        draws=draws,
        slack=1e-9 * max(float(sums.pq), 1e-300),
    )
    if sd * slope < 1e-15:
        return replace(test, known=NullMoments(settled=True))
    if (profile := hard_profile(u, v)) is not None:
        return of_n11(test, profile)
    z = float(sums.pq - sums.expected_pq) / sd
    gamma = NullDistribution(
        statistic="Σpq",
        observed=test.observed,
        expected=float(sums.expected_pq),
        sd=sd,
        skewness=known.skewness,
        z=z,
        log_tails=gamma_log_tails(z, known.skewness),
        log_bound=cantelli(z),
        log_least=-math.lgamma(size + 1),
    )
    return replace(
        test,
        known=NullMoments(
            moments=gamma,
            draws_before_gamma=max(_MOST_MOVED // max(moved, 1), _FEWEST_DRAWS),
            exact=lambda _: all_sums(u, v),
        ),
    )
