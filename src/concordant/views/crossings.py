"""Ways from one element to another that cross an overlap: first inside its cluster of U, then of V."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any, Self

from concordant.counts.arithmetic import distinct_sizes, sums_by
from concordant.counts.base import View
from concordant.counts.profile import Profile


@dataclass(frozen=True, slots=True)
class Crossings(View):
    """Σ n·a·b over the overlaps: for each element, the members of its cluster of U times those of V."""

    nab: int

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers divide exactly when Fractions meet them)
        if profile.size**2 >= 2**62:
            return cls(profile.total(profile.a, profile.b))
        # Whole numbers of 64 bits hold the sums over the clusters of one size, if not the sum of all.
        sizes, which = distinct_sizes(profile.a)
        sums = sums_by(which, profile.mass * profile.b, len(sizes))
        return cls(sum(map(mul, sizes.tolist(), sums.tolist())))

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        squares = profile.total(profile.a) * profile.total(profile.b)
        nab: Any = Fraction(squares, profile.size) if profile.size else Fraction(0)
        return cls(nab)
