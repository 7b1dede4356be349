"""Significance of soft indices: how often permuted records agree as much, from the exact moments of Σpq."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from itertools import permutations as all_permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.conventions import Undefined, check_choice
from concordant.errors import ParameterError, SoftError
from concordant.soft.counts import SoftCounts
from concordant.soft.draws import PosteriorDraws
from concordant.soft.mantel import mantel_sums, together
from concordant.trust.null_distributions import TAILS, Tail, log_p_of
from concordant.trust.options import check_count, check_seed
from concordant.trust.significance import METHODS, Significance, SignificanceMethod
from concordant.trust.tails import log_upper_pearson
from concordant.views.mantel import mantel_moments

_ENUMERATED = 7  # records, up to which all permutations are made
_ENOUGH = 20  # permutations that reach the observed value
_ROUNDING = 1e-9


def soft_significance(
    counts: SoftCounts,
    index: Index,
    undefined: Undefined,
    *,
    tail: Tail,
    method: SignificanceMethod,
    permutations: int,
    seed: int,
) -> Significance:
    """An index that rises with Σpq, compared with permuted records."""
    check_choice("tail", tail, TAILS)
    check_choice("method", method, METHODS)
    permutations = check_count("permutations", permutations)
    check_seed(seed)
    if index.name not in ("soft_adjusted_rand", "soft_rand_squared"):
        raise SoftError(
            f"{index.name} does not follow from Σpq, so its distribution by chance has no closed form; "
            "soft_adjusted_rand has a p-value"
        )
    value, size = index.value(counts, undefined), counts.size
    if size < 2:
        raise ParameterError(f"a test needs two records, and there {'is' if size == 1 else 'are'} {size}")
    sums = counts.pair_sums
    observed = float(sums.pq)
    p, q = (mantel_sums(side) for side in counts.sides.sides)
    variance, third = mantel_moments(p, q, size)
    # Both indices are linear in Σpq, and no permutation changes the other sums.
    unit = sums.pp + sums.qq - 2 * sums.expected_pq if index.adjusted else sums.pairs
    slope = 2 / float(unit) if unit else 0.0
    sd = math.sqrt(variance)
    if sd * slope < 1e-15 or not slope:
        chance = (index.name, value, value, 0.0, 0.0, math.nan)
        return Significance(index.name, value, "larger", *chance, tail, 1.0, 0.0, 1.0, "settled")
    by_chance = 0.0 if index.adjusted else 1 - float((sums.pp + sums.qq - 2 * sums.expected_pq) / sums.pairs)
    excess = float(sums.pq - sums.expected_pq)
    skewness, z = third / sd**3, excess / sd
    drawn: dict[str, Any] = {}
    if method == "exact" and size > _ENUMERATED:
        raise ParameterError(
            f"this enumerates all permutations, of up to {_ENUMERATED} records; use 'auto'",
            given={"method": "exact"},
        )
    if method == "exact" or (method == "auto" and size <= _ENUMERATED):
        how = "exact"
        statistic = _statistic(counts)
        values = np.array([statistic(order) for order in _every_order(size)])
        slack = _ROUNDING * max(abs(observed), 1e-300)
        upper, lower = (
            math.log(float(np.mean(reached)))
            for reached in (values >= observed - slack, values <= observed + slack)
        )
    elif method == "permutations":
        how = "permutations"
        upper, lower, drawn = _drawn_tails(counts, observed, tail, permutations, seed)
    else:
        how = "gamma"
        upper, lower = log_upper_pearson(z, skewness), log_upper_pearson(-z, -skewness)
    log_p = log_p_of(tail, upper, lower)
    return Significance(
        index=index.name,
        value=value,
        direction="larger",
        statistic=index.name,
        observed=value,
        expected=by_chance,
        sd=sd * slope,
        skewness=skewness,
        z=z,
        tail=tail,
        p=max(math.exp(log_p), sys.float_info.min),
        log_p=log_p,
        p_at_most=None,
        method=how,  # type: ignore[arg-type]  # one of its literals
        seed=seed if drawn else None,
        **drawn,
    )


def _every_order(size: int) -> Iterator[NDArray[np.int64]]:
    return (np.array(order) for order in all_permutations(range(size)))


def _drawn_tails(
    counts: SoftCounts, observed: float, tail: Tail, permutations: int, seed: int
) -> tuple[float, float, dict[str, Any]]:
    """Logarithms of both tails, from permutations until enough of them are as extreme."""
    statistic, generator = _statistic(counts), np.random.default_rng(seed)
    above = below = drawn = reached = 0
    slack = _ROUNDING * max(abs(observed), 1e-300)
    while drawn < permutations and reached < _ENOUGH:
        value = statistic(generator.permutation(counts.size))
        drawn += 1
        above += value >= observed - slack
        below += value <= observed + slack
        reached = {"upper": above, "lower": below}.get(tail, min(above, below))
    stopped = reached == _ENOUGH
    log_share = math.log(reached / drawn if stopped else (1 + reached) / (1 + drawn))
    how = {"permutations": drawn, "reached": reached, "stopped": stopped}
    return log_share, log_share, how


def _statistic(counts: SoftCounts) -> Callable[[NDArray[np.int64]], float]:
    """Σpq as a function of the order of the candidate's records."""
    u, v = counts.sides.sides
    if isinstance(u, PosteriorDraws) or isinstance(v, PosteriorDraws) or counts.size <= _ENUMERATED:
        p, q = together(u), together(v)

        def of_pairs(order: NDArray[np.int64]) -> float:
            product = p * q[np.ix_(order, order)]
            return float((product.sum() - np.trace(product)) / 2)

        return of_pairs
    weights, others = u.weights(), v.weights()
    a, b = (weights**2).sum(axis=1), (others**2).sum(axis=1)

    def of_rows(order: NDArray[np.int64]) -> float:
        table = weights.T @ others[order]
        return float(((table * table).sum() - a @ b[order]) / 2)

    return of_rows
