"""Trios of elements that lie in one cluster: with pairs they tell how N₁₁ varies over permutations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from concordant.counts.base import View
from concordant.counts.profile import Profile


@dataclass(frozen=True, slots=True)
class Trios(View):
    """Ordered triples of different elements that one cluster holds: Σ a(a−1)(a−2) of either side."""

    in_u: int
    in_v: int

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers divide exactly when Fractions meet them)
        return cls(_trios(profile.row_sizes), _trios(profile.column_sizes))

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        return cls.of(profile, exact=False)  # of the sizes alone


def _trios(sizes: Mapping[int, int]) -> int:
    return sum(many * x * (x - 1) * (x - 2) for x, many in sizes.items())
