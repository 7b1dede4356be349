"""The cluster sizes of both sides."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from concordant.counts.profile import Profile, View


@dataclass(frozen=True, slots=True)
class Sizes(View):
    """The distinct cluster sizes of each side with their multiplicities, and the overlap's weight in them."""

    size: int
    rows: dict[int, int]
    columns: dict[int, int]
    nab: int  # sum over the cells of n·a·b

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers divide exactly when Fractions meet them)
        nab = profile.total(profile.a, profile.b)
        return cls(profile.size, profile.row_sizes, profile.column_sizes, nab)

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        squares = profile.total(profile.a) * profile.total(profile.b)
        nab: Any = Fraction(squares, profile.size) if profile.size else Fraction(0)
        return cls(profile.size, profile.row_sizes, profile.column_sizes, nab)
