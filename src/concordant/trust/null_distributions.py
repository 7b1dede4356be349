"""What is known of a statistic when the elements are shuffled: its mean, its spread, and its tail."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Literal, Self

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Floats
from concordant.counts.pairs import PairCounts, Pairs
from concordant.counts.profile import Profile
from concordant.trust.moments import Moments
from concordant.trust.tails import log_upper_pearson
from concordant.views.crossings import Crossings
from concordant.views.fillings import Total

# The law of N₁₁ is looked at in so many places, which lie within so many standard deviations.
_PLACES, _WIDE = 400, 12
# A float that misses the observed value by no more than this reaches it.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Law:
    """What is known of a statistic under shuffling, and the tail beyond its observed value."""

    observed: float
    expected: float
    sd: float
    skewness: float
    z: float
    log_p: float
    method: Literal["exact", "gamma", "permutations"]
    p_at_most: float | None = None
    permutations: int = 0


def law_of_values(
    values: Floats,
    weights: Floats,
    observed: float,
    expected: float,
    *,
    log_p: float,
    drawn: int = 0,
    sign: float = 1.0,
) -> Law:
    away = values - expected
    sd = math.sqrt(float(weights @ away**2))
    skewness = float(weights @ away**3) / sd**3 if sd else 0.0
    z = sign * (observed - expected) / sd if sd else math.nan
    return Law(observed, expected, sd, skewness, z, log_p, "permutations" if drawn else "exact", None, drawn)


def law_of_function(profile: Profile, index: Index, found: Moments, ways: Mapping[int, int] | None) -> Law:
    """The law of an index that N₁₁ tells; from the permutations that give each N₁₁, or by the gamma law."""
    pairs = profile.view(Pairs)
    sign = -1.0 if index.direction == "distance" else 1.0
    observed = index.value(profile, "nan")
    slack = ROUNDING * max(abs(observed), 1e-300)

    def at(n11: int) -> float:
        return index.value(PairCounts(pairs.with_n11(n11)), "nan")

    def reaches(n11: int) -> bool:
        value = at(n11)
        return math.isnan(value) or sign * (value - observed) >= -slack

    if ways is not None:
        everything = sum(ways.values())
        share = Fraction(sum(many for n11, many in ways.items() if reaches(n11)), everything)
        log_p = math.log(share.numerator) - math.log(share.denominator)
        weights = {n11: many / everything for n11, many in ways.items()}
        method: Literal["exact", "gamma"] = "exact"
    else:
        law = _GammaLaw(pairs, found)
        log_p, weights, method = law.log_share(reaches), law.weights(), "gamma"
    values = {n11: at(n11) for n11 in weights}
    defined = [n11 for n11, value in values.items() if not math.isnan(value)]
    mass = np.array([weights[n11] for n11 in defined])
    places = np.array([values[n11] for n11 in defined])
    mass = mass / mass.sum()
    made = law_of_values(places, mass, observed, float(mass @ places), log_p=log_p, sign=sign)
    return Law(made.observed, made.expected, made.sd, made.skewness, made.z, log_p, method)


class _GammaLaw:
    """N₁₁ by the gamma law with its own mean, variance and skewness, between its least and its most."""

    def __init__(self, pairs: Pairs, found: Moments) -> None:
        self._mean, self._sd, self._skewness = float(found.mean), found.sd, found.skewness
        least, most = max(pairs.in_u + pairs.in_v - pairs.all, 0), min(pairs.in_u, pairs.in_v)
        self._ends = least, most
        wide = np.linspace(-_WIDE, _WIDE, _PLACES) * self._sd + self._mean
        inside = np.rint(wide[(wide >= least) & (wide <= most)]).astype(object)
        self._places = sorted({least, most, min(max(pairs.n11, least), most), *map(int, inside)})

    def _log_from(self, n11: int) -> float:
        """log P(N₁₁ ≥ n11)."""
        if n11 <= self._ends[0]:
            return 0.0
        return log_upper_pearson((n11 - 0.5 - self._mean) / self._sd, self._skewness)

    def _log_up_to(self, n11: int) -> float:
        """log P(N₁₁ ≤ n11)."""
        if n11 >= self._ends[1]:
            return 0.0
        return log_upper_pearson((self._mean - n11 - 0.5) / self._sd, -self._skewness)

    def _log_within(self, first: int, last: int) -> float:
        """log P(first ≤ N₁₁ ≤ last)."""
        if last >= self._ends[1]:
            return self._log_from(first)
        if first <= self._ends[0]:
            return self._log_up_to(last)
        inside = math.exp(self._log_from(first)) - math.exp(self._log_from(last + 1))
        return math.log(inside) if inside > 0 else -math.inf

    def log_share(self, reaches: Callable[[int], bool]) -> float:
        """log of the chance of the places that reach the observed value, which are a few runs."""
        parts = [self._log_within(first, last) for first, last in self._runs(reaches)]
        top = max(parts, default=-math.inf)
        if top == -math.inf:
            return top
        return min(top + math.log(math.fsum(math.exp(part - top) for part in parts)), 0.0)

    def _runs(self, reaches: Callable[[int], bool]) -> list[tuple[int, int]]:
        """Where the places reach it; each end is searched between the two places that it lies between."""
        there = [reaches(place) for place in self._places]
        starts = [self._places[0]] if there[0] else []
        ends: list[int] = []
        for (left, here), (right, then) in pairwise(zip(self._places, there, strict=True)):
            if here != then:
                change = _first_like(right, left, then, reaches)
                (starts if then else ends).append(change if then else change - 1)
        if there[-1]:
            ends.append(self._places[-1])
        return list(zip(starts, ends, strict=True))

    def weights(self) -> dict[int, float]:
        """The chance of each place and half of what lies between it and the next ones."""
        middles = [(x + y) // 2 for x, y in pairwise(self._places)]
        bounds = zip([self._ends[0], *(m + 1 for m in middles)], [*middles, self._ends[1]], strict=True)
        shares = [math.exp(self._log_within(*each)) for each in bounds]
        return {place: share for place, share in zip(self._places, shares, strict=True) if share > 0}


def _first_like(right: int, left: int, then: bool, reaches: Callable[[int], bool]) -> int:
    """The first number after ``left`` that is as ``right`` is."""
    while right - left > 1:
        middle = (left + right) // 2
        left, right = (left, middle) if reaches(middle) == then else (middle, right)
    return right


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
