"""Indices that N₁₁ and Σ n·a·b tell for given cluster sizes, as a ratio of two sums of multiples of them.

Those that are as large as the observed one, or larger, lie on one side of a line, so that one sum of both has
their p-value: its moments are exact, and small tables can be filled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Self

from concordant.catalogue.index import Index
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.views.crossings import Crossings
from concordant.views.fillings import Total


def reads_crossings(index: Index) -> bool:
    """Whether N₁₁ and Σ n·a·b tell the index for given cluster sizes."""
    return set(index.views) == {Pairs, Crossings}


@dataclass(frozen=True, slots=True)
class LevelLine:
    """N₁₁ + weight·Σ n·a·b, and where it was observed."""

    weight: Fraction
    observed: Fraction
    slope: Fraction  # of the index, by N₁₁, where it was observed

    @classmethod
    def of(cls, profile: Profile, index: Index) -> Self | None:
        """The line on which the index is as observed; None where there is no such line."""
        pairs, nab = profile.view(Pairs, exact=True), Fraction(profile.view(Crossings).nab)

        def at(n11: Fraction, crossings: Fraction) -> Fraction:
            views = {Pairs: pairs.with_n11(n11), Crossings: Crossings(crossings)}  # type: ignore[arg-type]  # Fractions calculate alike
            return Fraction(index.compute(*(views[kind] for kind in index.views), **index.arguments))

        n11 = Fraction(pairs.n11)
        try:
            value = at(n11, nab)
            slopes = [
                _slope([at(n11 + k * x, nab + k * y) - value for k in (1, 2)]) for x, y in ((1, 0), (0, 1))
            ]
            if slopes[0] is None or slopes[0] <= 0 or slopes[1] is None:
                return None
            weight = slopes[1] / slopes[0]
            line = cls(weight, n11 + weight * nab, slopes[0])
            if all(line.splits(*corner, at(*corner) - value) for corner in _corners(profile, pairs)):
                return line
        except ZeroDivisionError:
            pass
        return None

    def splits(self, n11: Fraction, nab: Fraction, excess: Fraction) -> bool:
        """Whether a place lies on the side that it has to, by how much the index is larger there."""
        beyond = n11 + self.weight * nab - self.observed
        return (beyond > 0) == (excess > 0) and (beyond < 0) == (excess < 0)

    @property
    def total(self) -> Total:
        """The same in whole numbers."""
        return Total("n11", self.weight.denominator, self.weight.numerator)

    @property
    def name(self) -> str:
        if not self.weight:
            return "N₁₁"
        return f"N₁₁ {'+' if self.weight > 0 else '-'} {abs(float(self.weight)):.3g}·Σnab"


def _slope(rises: list[Fraction]) -> Fraction | None:
    """The derivative of a ratio of two linear functions, from what it has risen by after one step and two."""
    one, two = rises
    if not one and not two:
        return Fraction(0)
    bend = 2 / one - 2 / two
    return 1 / bend if bend else None


def _corners(profile: Profile, pairs: Pairs) -> Iterator[tuple[Fraction, Fraction]]:
    """The least and the most that N₁₁ and Σ n·a·b can be: a pole in between leaves one on the wrong side."""
    rows, columns = (sorted(sizes.items()) for sizes in (profile.row_sizes, profile.column_sizes))
    least, most = max(pairs.in_u + pairs.in_v - pairs.all, 0), min(pairs.in_u, pairs.in_v)
    crossings = [_aligned(rows, order) for order in (columns[::-1], columns)]
    for n11, nab in product((least, most), crossings):
        yield Fraction(n11), Fraction(nab)


def _aligned(rows: list[tuple[int, int]], columns: list[tuple[int, int]]) -> int:
    """Σ a·b over the elements, when those of both sides are laid side by side in these orders."""
    total, others = 0, iter(columns)
    size, left = 0, 0
    for a, many in rows:
        here = a * many
        while here:
            if not left:
                size, count = next(others)
                left = size * count
            met = min(here, left)
            total += a * size * met
            here, left = here - met, left - met
    return total
