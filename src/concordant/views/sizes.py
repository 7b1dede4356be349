"""The cluster sizes of both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from concordant.counts.profile import Profile, View


@dataclass(frozen=True, slots=True)
class Sizes(View):
    """The distinct cluster sizes of each side with their multiplicities, and the overlap's weight in them."""

    size: int
    cells: int
    rows: dict[int, int]
    columns: dict[int, int]
    nab: int  # sum over the cells of n·a·b

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers divide exactly when Fractions meet them)
        nab = profile.total(profile.a, profile.b)
        return cls(profile.size, profile.cells, profile.row_sizes, profile.column_sizes, nab)
