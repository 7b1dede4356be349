"""The Jaccard index of a cluster with its best match in permuted labels: its mean over all permutations.

The mean depends only on the sizes of the cluster, of the clusters of the run, and of the set; with weights,
on the weights in each cluster. So neither the order of runs and records nor the names of clusters change it.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.labels import Codes
from concordant.maths.arithmetic import Floats, Integers

_MOST_TERMS = 5 * 10**7  # of the exact means of all runs together: less than a second
_CALL_TERMS = 2000  # a call of NumPy takes as long as so many terms
# Permutations of all runs together where exact means take longer. Small runs are permuted more often.
_LEAST_PERMUTATIONS, _MOST_PERMUTATIONS, _RECORDS_PERMUTED = 20, 500, 2 * 10**6

# The Jaccard index of each cluster with its best match: from codes of both sides, the number of clusters, and
# weights.
BestMatches = Callable[[Codes, Codes, int, Integers | None], Floats]
RunLabels = tuple[Codes, Codes, Integers | None]  # clusters of the reference and of the run, and weights


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The clusters of the reference in a run by what they hold, in ascending order, and those of the run."""

    held: tuple[Any, ...]  # the size of each cluster, or the weights of its records
    run: tuple[int, ...]

    @property
    def terms(self) -> float:
        """The work of the exact means; infinite for weights."""
        if not all(isinstance(a, int) for a in self.held):
            return math.inf
        distinct, size = set(self.run), sum(self.run)
        total: float = sum(
            (sum(min(a, b) for b in distinct) * a + _CALL_TERMS) * (size + len(self.run))
            for a in set(self.held)
        )
        return total


def mean_best_matches(
    runs: Sequence[RunLabels], clusters: int, best_matches: BestMatches, seed: int
) -> Floats:
    """The mean of each cluster (row) in each run (column); NaN where the run has no record of the cluster.

    Exact up to rounding where that is fast, otherwise from random permutations of every run.
    """
    sizes, places = zip(*(_sizes(u, v, clusters, weights) for u, v, weights in runs), strict=True)
    means: dict[_Sizes, Floats] = {}
    for each, number in Counter(sizes).items():
        if each.terms * len(set(sizes)) <= _MOST_TERMS:
            exact = {a: mean_best_match(a, each.run) for a in set(each.held)}
            means[each] = np.array([exact[a] for a in each.held])
        else:
            most = min(_MOST_PERMUTATIONS, _RECORDS_PERMUTED // sum(each.run))
            draws = math.ceil(max(_LEAST_PERMUTATIONS, most) * number / len(runs))
            means[each] = _drawn_means(each, best_matches, draws, seed)
    found = np.full((clusters, len(runs)), np.nan)
    for run, (each, place) in enumerate(zip(sizes, places, strict=True)):
        found[place, run] = means[each]
    return found


def _sizes(u: Codes, v: Codes, clusters: int, weights: Integers | None) -> tuple[_Sizes, NDArray[np.int64]]:
    """The sizes of a run, and the clusters of the reference in their order."""
    records = np.bincount(u, minlength=clusters)
    held: list[Any] = records.tolist()
    if weights is not None and (weights != weights[:1]).any():
        by_weight = np.argsort(weights, kind="stable")
        order = by_weight[np.argsort(np.asarray(u)[by_weight], kind="stable")]
        held = [tuple(part.tolist()) for part in np.split(weights[order], np.cumsum(records)[:-1])]
    place = np.array(sorted(np.flatnonzero(records).tolist(), key=held.__getitem__), dtype=np.int64)
    run = np.sort(np.unique(v, return_counts=True)[1])
    return _Sizes(tuple(held[i] for i in place.tolist()), tuple(run.tolist())), place


def mean_best_match(a: int, sizes: Sequence[int]) -> float:
    """The mean of the largest k/(a + b - k), where a random sample of a records has k of a cluster of b.

    The largest is at most t if the sample has no more of any cluster than t allows. The probability of that
    is a coefficient of a product of polynomials, one for each cluster.

    >>> mean_best_match(1, [1, 1]), mean_best_match(2, [1, 2])
    (1.0, 0.6666666666666667)
    """
    size, distinct = sum(sizes), sorted(set(sizes))
    if a == size:
        return distinct[-1] / size
    matches = {b: np.arange(min(a, b) + 1) / (a + b - np.arange(min(a, b) + 1)) for b in distinct}
    limits = np.unique(np.concatenate([each[1:] for each in matches.values()]))
    # Binomial probabilities, and their condition on a records at the end: no number overflows.
    probabilities = {b: _binomial(b, a / size)[: a + 1] for b in distinct}
    most = {b: np.searchsorted(matches[b], limits, side="right") - 1 for b in distinct}
    product = np.zeros((len(limits), a + 1))
    product[:, 0] = 1.0
    for b in sizes:
        factor = np.where(np.arange(min(a, b) + 1) <= most[b][:, None], probabilities[b], 0.0)
        longer = product * factor[:, :1]
        for k in range(1, min(a, b) + 1):
            longer[:, k:] += product[:, : a + 1 - k] * factor[:, k : k + 1]
        product = longer
    at_most = product[:, a] / product[-1, a]
    return float(limits[-1] - at_most[:-1] @ np.diff(limits))


def _binomial(b: int, p: float) -> Floats:
    logs = [
        math.lgamma(b + 1)
        - math.lgamma(k + 1)
        - math.lgamma(b - k + 1)
        + k * math.log(p)
        + (b - k) * math.log1p(-p)
        for k in range(b + 1)
    ]
    probabilities: Floats = np.exp(np.array(logs))
    return probabilities


def _drawn_means(sizes: _Sizes, best_matches: BestMatches, draws: int, seed: int) -> Floats:
    """Means over random permutations; clusters that hold the same have the same mean.

    Permutations depend on the seed and on the sizes only.
    """
    digest = hashlib.sha256(repr(sizes).encode()).digest()
    random = np.random.default_rng([seed, *np.frombuffer(digest, dtype=np.uint32).tolist()])
    weights = None
    records = [each if isinstance(each, int) else len(each) for each in sizes.held]
    if not all(isinstance(each, int) for each in sizes.held):
        listed = [weight for each in sizes.held for weight in each]
        weights = np.array(listed, dtype=np.int64 if sum(listed) < 2**62 else object)
    u = np.repeat(np.arange(len(records)), records)
    v = np.repeat(np.arange(len(sizes.run)), sizes.run)
    total = sum(best_matches(u, random.permutation(v), len(records), weights) for _ in range(draws))
    alike: dict[Any, int] = {}
    which = np.zeros(len(records), dtype=np.int64)
    for place, each in enumerate(sizes.held):
        which[place] = alike.setdefault(each, len(alike))
    means: Floats = np.bincount(which, weights=np.asarray(total) / draws) / np.bincount(which)
    of_each: Floats = means[which]
    return of_each
