"""Chance that draws whole partitions: of as many clusters, or of any number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal, Self

from concordant.counts.base import View
from concordant.counts.hypergeometric import Weighted, in_fixed_order, weighted_sizes
from concordant.counts.profile import Profile
from concordant.errors import ParameterError
from concordant.views.chance import expected_gain
from concordant.views.tilted import sizes_all, sizes_num, together_all, together_num

Model = Literal["num", "all"]


RandomSides = Literal["both", "one"]


# Expected shares below this are nothing beside the rounding of one.
_NEGLIGIBLE = 1e-20


# n²·K words of Stirling numbers: some ten seconds' worth.
_MOST_WORDS = 10**10

# Of no more words they are counted even where a float is asked for.
_FEW_WORDS = 10**6


@dataclass(frozen=True, slots=True)
class Models(View):
    """Expected information when partitions are drawn at random, not only shuffled (Gates and Ahn)."""

    size: int
    rows: dict[int, int]
    columns: dict[int, int]

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (expectations of logarithms are floats)
        return cls(profile.size, profile.row_sizes, profile.column_sizes)

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        return cls.of(profile, exact=False)  # of the sizes alone

    def information(self, model: Model, sides: RandomSides, h_u: float) -> tuple[float, float]:
        """E[MI], and the mean of the most that either side can hold, in nats.

        That is log K for "num" and log n for "all"; a reference that is kept holds H(U).
        """
        n, k, l = self.size, sum(self.rows.values()), sum(self.columns.values())  # noqa: E741  (letters of the formula)
        of_u, of_v = (math.log(max(n if model == "all" else x, 1)) for x in (k, l))
        most = ((of_u if sides == "both" else h_u) + of_v) / 2
        if n < 2 or (model == "num" and k == l == n):
            return most, most
        return self._expected_information(model, sides), most

    def _expected_information(self, model: Model, sides: RandomSides) -> float:
        of_v = model_sizes(self.size, sum(self.columns.values()), model)
        if sides == "both":
            of_u = model_sizes(self.size, sum(self.rows.values()), model)
            first, second = in_fixed_order(of_u, of_v)
        else:
            first, second = weighted_sizes(self.rows), of_v
        return expected_gain(first, second, self.size) / self.size


@dataclass(frozen=True, slots=True)
class PairModels(View):
    """The same for pairs, of which numbers of clusters tell all."""

    size: int
    rows: int
    columns: int
    exact: bool  # numbers of partitions are counted; else only where that is cheap

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        return cls(profile.size, profile.rows, profile.columns, exact)

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        return cls.of(profile, exact=False)  # of the sizes alone

    def expected_rand(self, model: Model, sides: RandomSides, kept: Fraction) -> Fraction:
        """E[Rand]; ``kept`` is the share of pairs together in a reference that is kept."""
        of_u = self.together(self.rows, model) if sides == "both" else kept
        of_v = self.together(self.columns, model)
        return of_u * of_v + (1 - of_u) * (1 - of_v)

    def together(self, clusters: int, model: Model) -> Fraction:
        """The chance that two elements share a cluster of a partition into so many."""
        if self.exact or _is_cheap(self.size, clusters, model):
            return _model_together(self.size, clusters, model)
        return Fraction(_tilted_together(self.size, clusters, model))


@lru_cache(maxsize=64)
def _tilted_together(n: int, k: int, model: Model) -> float:
    return together_all(n) if model == "all" else together_num(n, k)


def _is_cheap(n: int, k: int, model: Model) -> bool:
    """Whether the numbers of partitions are counted in no time."""
    return n * n * (n // 2 if model == "all" else k) <= _FEW_WORDS


@lru_cache(maxsize=64)
def model_sizes(n: int, k: int, model: Model) -> Weighted:
    """Expected number of clusters of each size, when every partition (into k clusters) is as likely."""
    if not _is_cheap(n, k, model):
        return sizes_all(n) if model == "all" else sizes_num(n, k)
    ways = _bell_numbers(n) if model == "all" else _stirling_numbers(n, k)
    choose, sizes = 1, []
    for size in range(1, n + 1):
        choose = choose * (n - size + 1) // size
        expected = choose * ways[n - size] / ways[n]
        if expected * size > _NEGLIGIBLE * n:
            sizes.append((size, expected))
    return tuple(sizes)


def _model_together(n: int, k: int, model: Model) -> Fraction:
    """The chance that two elements share a cluster: B(n−1)/B(n), or S(n−1,k)/S(n,k)."""
    if model == "all":
        bell = _bell_numbers(n)
        return Fraction(bell[n - 1], bell[n])
    into_k = _stirling_column(n, k)
    return Fraction(into_k[n - 1], into_k[n])


def _stirling_numbers(n: int, k: int) -> list[int]:
    """S(m, k−1) for m < n, and S(n, k) at the end: what is left once one cluster is taken out."""
    return [*_stirling_column(n, k - 1)[:n], _stirling_column(n, k)[n]]


@lru_cache(maxsize=4)
def _stirling_column(n: int, k: int) -> list[int]:
    """S(m, k) for m = 0..n: partitions of m elements into k clusters."""
    _afford_words(n * n * k, f"partitions of {n} elements into {k} clusters")
    column = [1] + [0] * n
    for clusters in range(1, k + 1):
        longer = [0]
        for fewer in column[:-1]:
            longer.append(clusters * longer[-1] + fewer)
        column = longer
    return column


@lru_cache(maxsize=4)
def _bell_numbers(n: int) -> list[int]:
    """B(m) for m = 0..n: partitions of m elements."""
    _afford_words(n * n * n // 2, f"partitions of {n} elements")
    bell, row = [1], [1]
    for _ in range(n):
        longer = [row[-1]]
        for above in row:
            longer.append(longer[-1] + above)
        row = longer
        bell.append(row[0])
    return bell


def _afford_words(words: int, what: str) -> None:
    if words > _MOST_WORDS:
        raise ParameterError(
            f"counting the {what} would take more than {_MOST_WORDS:.0e} steps; the index as a float, which "
            "need not count them, has fifteen digits"
        )
