"""Entropies and mutual information, in nats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import fsum, log, log1p
from typing import ClassVar, Self

import numpy as np

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
        return max(self._profile.mean_log(self.size), self.h_u, self.h_v)

    @cached_property
    def h_u_given_v(self) -> float:
        return min(self._profile.information_sums[1], self.h_u)

    @cached_property
    def h_v_given_u(self) -> float:
        return min(self._profile.information_sums[2], self.h_v)

    @cached_property
    def mutual(self) -> float:
        """Mutual information, exact where integers decide: a refinement shares all, independence nothing."""
        p = self._profile
        if p.cells == p.columns:
            return self.h_u
        if p.cells == p.rows:
            return self.h_v
        # The mean of log(n·N / (a·b)) − 1 + a·b / (n·N), which is never negative, and what is missing of
        # its last term: the share that independent partitions would put into the empty overlaps.
        gains, _, _, independent = p.information_sums
        missed = p.size**2 - independent
        return min(max(gains + missed / p.size**2, 0.0), self.h_u, self.h_v)

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        mean = cls(profile)
        if profile.size:
            shared = expected_information(profile.row_sizes, profile.column_sizes)
            mean.mutual = min(shared, mean.h_u, mean.h_v)
            mean.h_u_given_v, mean.h_v_given_u = mean.h_u - mean.mutual, mean.h_v - mean.mutual
            mean.h_uv = mean.h_u + mean.h_v_given_u
        return mean


def entropy(sizes: Mapping[int, int], size: int) -> float:
    """The entropy in nats of clusters of these sizes, with how many there are of each.

    >>> round(entropy({1: 2, 2: 1}, 4), 12)
    1.03972077084
    """
    return fsum([count * x / size * log1p((size - x) / x) for x, count in sizes.items()])


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
