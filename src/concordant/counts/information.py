"""Entropies and mutual information, in nats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import fsum, log, log1p
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers
from concordant.counts.base import View, WeightClass
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import TooLargeError


class Information(View):
    """Entropies in nats: non-negative, consistent, and exactly zero if the integers imply zero."""

    size: int

    weight_class: ClassVar[WeightClass] = "shares"

    own_weights: Integers | None = None  # the weights of the elements

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.size = profile.size

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (logarithms have no exact form)
        return cls(profile)

    @classmethod
    def of_weights(cls, counts: WeightedCounts, exact: bool) -> Self:
        """Entropies of the shares of weight."""
        view = cls.of(counts.weights, exact)
        view.own_weights = counts.own
        return view

    @cached_property
    def of_elements(self) -> float:
        """The entropy of the elements themselves, the largest there is: log n, if all weigh the same."""
        own = {} if self.own_weights is None else Counter(self.own_weights.tolist())
        if len(own) > 1:
            return entropy(own, self.size)
        number = self.size if self.own_weights is None else len(self.own_weights)
        return log(number) if number else 0.0

    @cached_property
    def h_u(self) -> float:
        return entropy(self._profile.row_sizes, self.size)

    @cached_property
    def h_v(self) -> float:
        return entropy(self._profile.column_sizes, self.size)

    @cached_property
    def h_uv(self) -> float:
        return max(_mean_log(self._profile, self.size, self._profile.n), self.h_u, self.h_v)

    @cached_property
    def h_u_given_v(self) -> float:
        return min(_mean_log(self._profile, self._profile.b, self._profile.n), self.h_u)

    @cached_property
    def h_v_given_u(self) -> float:
        return min(_mean_log(self._profile, self._profile.a, self._profile.n), self.h_v)

    @cached_property
    def mutual(self) -> float:
        """Mutual information, exact where integers decide: a refinement shares all, independence nothing."""
        p = self._profile
        if (p.n == p.b).all():
            return self.h_u
        if (p.n == p.a).all():
            return self.h_v
        # The mean of log(n·N / (a·b)) − 1 + a·b / (n·N), which is never negative, and what is missing of
        # its last term: the share that independent partitions would put into the empty overlaps.
        size = p.size
        fits = size**2 < 2**62  # products of two sizes need twice the digits of a size
        n, a, b = (x if fits else x.astype(object) for x in (p.n, p.a, p.b))
        joint, independent = n * size, a * b
        missed = size * size - int((p.count * independent).sum())
        # Nothing cancels, so a plain sum is exact enough; sorted, it does not depend on which side is which.
        gains = np.sort(p.weight * _gains(joint, independent))
        return min(max(float(gains.sum()) + missed / (size * size), 0.0), self.h_u, self.h_v)

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        mean = cls(profile)
        if profile.size:
            shared = expected_information(profile.row_sizes, profile.column_sizes)
            mean.mutual = min(shared, mean.h_u, mean.h_v)
            mean.h_u_given_v, mean.h_v_given_u = mean.h_u - mean.mutual, mean.h_v - mean.mutual
            mean.h_uv = mean.h_u + mean.h_v_given_u
        return mean


def _mean_log(profile: Profile, whole: Integers | int, part: Integers) -> float:
    """Mean over the elements of log(whole/part): a sum of non-negative terms, rounded once."""
    if not profile.size:
        return 0.0
    surprise = np.log1p(((whole - part) / part).astype(np.float64))
    return fsum((profile.weight * surprise).tolist())


def entropy(sizes: Mapping[int, int], size: int) -> float:
    """The entropy in nats of clusters of these sizes, with how many there are of each.

    >>> round(entropy({1: 2, 2: 1}, 4), 12)
    1.03972077084
    """
    return fsum([count * x / size * log1p((size - x) / x) for x, count in sizes.items()])


# If overlaps are this close to their expectation, the series is more accurate than the logarithm.
_NEARLY = 1 / 128


def _gains(x: Integers, y: Integers) -> NDArray[np.float64]:
    """log(x/y) − 1 + y/x, to full relative precision."""
    excess = x - y
    if x.dtype != object:  # converted once, as each division would else
        x, y, excess = x.astype(np.float64), y.astype(np.float64), excess.astype(np.float64)
    t = (excess / x).astype(np.float64, copy=False)
    logarithms = np.log1p((np.abs(excess) / np.minimum(x, y)).astype(np.float64, copy=False))
    gains: NDArray[np.float64] = np.copysign(logarithms, t, out=logarithms)
    gains -= t
    near = np.abs(t) < _NEARLY
    if near.any():
        t = t[near]
        series = np.full_like(t, 1 / 10)  # t²/2 + t³/3 + …
        for power in range(9, 1, -1):
            series *= t
            series += 1 / power
        gains[near] = series * t * t
    return gains


def expected_information(rows: Mapping[int, int], columns: Mapping[int, int]) -> float:
    """E[MI] in nats over permutations of two partitions with these cluster sizes.

    >>> round(expected_information({2: 2}, {2: 2}), 12)  # log(2) / 3
    0.231049060187
    """
    first, second = sorted((tuple(sorted(rows.items())), tuple(sorted(columns.items()))))
    if sum([size * count for size, count in first]) >= 2**62:
        raise TooLargeError("expected mutual information is offered for fewer than 2**62 elements")
    return _expected_information(first, second)


@lru_cache(maxsize=16)  # several indices of a comparison ask for it
def _expected_information(first: tuple[tuple[int, int], ...], second: tuple[tuple[int, int], ...]) -> float:
    sizes, counts, others, their_counts = (
        np.array(column, dtype=np.int64) for side in (first, second) for column in zip(*side, strict=True)
    )
    return float(core.expected_mutual_information(sizes, counts, others, their_counts))


@dataclass(slots=True)
class ClusterSizes(View):
    """The distinct cluster sizes of each side with their multiplicities."""

    size: int
    rows: dict[int, int]
    columns: dict[int, int]

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers divide exactly when Fractions meet them)
        return cls(profile.size, profile.row_sizes, profile.column_sizes)

    @classmethod
    def of_weights(cls, counts: WeightedCounts, exact: bool) -> Self:
        return cls.of(counts.weights, exact)

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        return cls.of(profile, exact=False)  # permutations keep them
