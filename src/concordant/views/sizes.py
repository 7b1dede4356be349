"""The cluster sizes of both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from concordant.counts.base import View
from concordant.counts.profile import Profile


@dataclass(frozen=True, slots=True)
class Sizes(View):
    """The distinct cluster sizes of each side with their multiplicities."""

    size: int
    rows: dict[int, int]
    columns: dict[int, int]

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers divide exactly when Fractions meet them)
        return cls(profile.size, profile.row_sizes, profile.column_sizes)

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        return cls.of(profile, exact=False)  # permutations keep them
