"""Entropies and mutual information, in nats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from typing import ClassVar, Literal, Self

import numpy as np

from concordant import core
from concordant.counts.base import SharedCount, View, WeightClass
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import TooLargeError
from concordant.maths.arithmetic import LOG_BITS, LogSums, as_entropy, log_sum, most_log_bits


class Information(View):
    """Entropies in nats: non-negative, consistent, and exactly zero if the integers imply zero."""

    size: int

    weight_class: ClassVar[WeightClass] = "shares"
    linear: ClassVar[bool] = True
    shares: ClassVar[SharedCount] = "information"

    weighted: WeightedCounts | None = None  # if elements have weights

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.size = profile.size

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(profile)

    @classmethod
    def of_weights(cls, counts: WeightedCounts) -> Self:
        """Entropies of the shares of weight."""
        view = cls.of(counts.weights)
        view.weighted = counts
        return view

    @cached_property
    def of_elements(self) -> float:
        """The entropy of the elements themselves, the largest there is: log n, if all weigh the same."""
        own = {} if self.weighted is None else self.weighted.times
        if len(own) > 1:
            return entropy(own, self.size)
        number = self.size if self.weighted is None else self.weighted.size
        return log(number) if number else 0.0

    @cached_property
    def _logs(self) -> LogSums:
        """The sums, with more bits if there is so little mutual information that rounding would show."""
        bits, most = LOG_BITS, most_log_bits(self.size)
        logs = self._profile.log_sums(bits)
        while bits < most and logs.shared < self.size << 75:
            bits = min(2 * bits, most)
            logs = self._profile.log_sums(bits)
        return logs

    @cached_property
    def _shared(self) -> int:
        """Mutual information before the division; independent partitions leave a trace of rounding."""
        return self._logs.shared if self._logs.shared >= self.size << 32 else 0

    def _in_nats(self, logs: int) -> float:
        return as_entropy(logs, self.size, self._logs.bits)

    @cached_property
    def h_u(self) -> float:
        return self._in_nats(self._logs.whole - self._logs.rows)

    @cached_property
    def h_v(self) -> float:
        return self._in_nats(self._logs.whole - self._logs.columns)

    @cached_property
    def h_uv(self) -> float:
        return self._in_nats(2 * self._logs.whole - self._logs.rows - self._logs.columns - self._shared)

    @cached_property
    def h_u_given_v(self) -> float:
        return self._in_nats(self._logs.whole - self._logs.rows - self._shared)

    @cached_property
    def h_v_given_u(self) -> float:
        return self._in_nats(self._logs.whole - self._logs.columns - self._shared)

    @cached_property
    def mutual(self) -> float:
        return self._in_nats(self._shared)

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
    """The entropy in nats of clusters of these sizes, each given with its number of clusters.

    >>> round(entropy({1: 2, 2: 1}, 4), 12)
    1.03972077084
    """
    return as_entropy(log_sum({size: 1}, LOG_BITS) - log_sum(sizes, LOG_BITS), size, LOG_BITS)


def expected_information(rows: Mapping[int, int], columns: Mapping[int, int]) -> float:
    """E[MI] in nats over permutations of two partitions with these cluster sizes.

    >>> round(expected_information({2: 2}, {2: 2}), 12)  # log(2) / 3
    0.231049060187
    """
    first, second = sorted((tuple(sorted(rows.items())), tuple(sorted(columns.items()))))
    if sum([size * count for size, count in first]) >= 2**62:
        raise TooLargeError("expected mutual information is computed for fewer than 2**62 records")
    return _expected_information(first, second)


@lru_cache(maxsize=16)  # several indices of a comparison need it
def _expected_information(first: tuple[tuple[int, int], ...], second: tuple[tuple[int, int], ...]) -> float:
    sizes, counts, others, their_counts = (
        np.array(column, dtype=np.int64) for side in (first, second) for column in zip(*side, strict=True)
    )
    return float(core.expected_mutual_information(sizes, counts, others, their_counts))


@dataclass(slots=True)
class ClusterSizes(View):
    """The distinct cluster sizes of each side with their multiplicities."""

    shares: ClassVar[Literal["cluster sizes"]] = "cluster sizes"

    size: int
    rows: dict[int, int]
    columns: dict[int, int]

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(profile.size, profile.row_sizes, profile.column_sizes)

    @classmethod
    def of_weights(cls, counts: WeightedCounts) -> Self:
        return cls.of(counts.weights)

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        return cls.of(profile)  # permutations keep them
