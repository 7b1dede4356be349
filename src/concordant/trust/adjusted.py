"""Adjustment for chance of any index: (value − mean by chance) / (perfect value − mean by chance).

The mean is exact if the index is linear in its counts. If the pair counts barely vary, it follows from the
curvature of the index (``expanded_mean``). Otherwise it is estimated from random partitions, by regression on
N₁₁ and the mutual information (and on the pairs of each side, if cluster sizes are drawn too), whose means
are known exactly. Drawing stops when the standard error is small enough.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from operator import mul
from typing import Any, Literal

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Floats
from concordant.counts.conventions import Undefined, check_choice
from concordant.counts.information import Information, expected_information
from concordant.counts.pairs import PairProfile, Pairs
from concordant.counts.profile import Profile
from concordant.errors import NothingLeftError, NotRationalError, ParameterError, UndefinedError
from concordant.trust.finding import Finding, shown
from concordant.trust.moments import moments
from concordant.trust.permutations import Shuffler, random_sizes
from concordant.trust.seed import SEED, check_seed
from concordant.views.random_models import Model, Models, PairModels, RandomSides

ChanceModel = Literal["shuffle", "num", "all"]

# Batches double; there are two at least, so that no lucky first one decides.
_FIRST_BATCH = 64
_MOST_DRAWS = 2**16


@dataclass(frozen=True, slots=True, repr=False)
class Adjusted(Finding):
    """An index on a scale where chance has 0 on average and identical partitions have 1."""

    index: str
    value: float
    unadjusted: float
    expected: float  # by chance
    top: float  # of identical partitions
    se: float  # of the value, since the mean is estimated; 0 where exact; without draws: what curvature adds
    draws: int
    model: ChanceModel
    sides: RandomSides
    seed: int | None

    def __repr__(self) -> str:
        how = f"by its curvature, uncertain by about {shown(self.se)}" if self.se else "exact"
        if self.draws:
            how = f"{self.draws:,} draws, se {shown(self.se)}, seed {self.seed}"
        kept = ", reference kept" if self.sides == "one" and self.model != "shuffle" else ""
        return (
            f"{self.index} adjusted for chance {shown(self.value)}: {shown(self.unadjusted)}, where chance "
            f"brings {shown(self.expected)} and identity {shown(self.top)} (model {self.model}{kept}; {how})"
        )


def adjusted(
    profile: Profile,
    index: Index,
    *,
    undefined: Undefined = "convention",
    model: ChanceModel = "shuffle",
    sides: RandomSides = "both",
    tolerance: float = 0.0005,
    seed: int = SEED,
) -> Adjusted:
    """An index of these partitions, adjusted for chance."""
    check_choice("model", model, ("shuffle", "num", "all"))
    check_choice("sides", sides, ("both", "one"))
    check_seed(seed)
    if not isinstance(tolerance, int | float) or isinstance(tolerance, bool) or not 0 < tolerance < math.inf:
        raise ParameterError("use a positive number, such as 0.0005", given={"tolerance": tolerance})
    if index.perfect is None or not math.isfinite(index.perfect):
        raise ParameterError(
            f"{index.name} has no value that all identical partitions share, so no scale to adjust"
        )
    value, top = index.value(profile, undefined), float(index.perfect)
    if not math.isfinite(value):
        raise UndefinedError(f"{index.name} is not defined for these partitions: there is nothing to adjust")
    if not profile.size:
        raise NothingLeftError("there are no elements, so that chance has nothing to shuffle")
    mean, error, draws = _mean(profile, index, _Wanted(model, sides, value, top, tolerance, seed))
    if profile.identical:
        scaled = 1.0
    elif math.isclose(mean, top, rel_tol=1e-12, abs_tol=1e-12):
        raise UndefinedError(f"{index.name} is {shown(top)} by chance, too: nothing is left to adjust")
    else:
        scaled = (value - mean) / (top - mean)
    se = 0.0 if value == top else _moved(value, top, mean) * error
    return Adjusted(index.name, scaled, value, mean, top, se, draws, model, sides, seed if draws else None)


@dataclass(frozen=True, slots=True)
class _Wanted:
    model: ChanceModel
    sides: RandomSides
    value: float
    top: float
    tolerance: float
    seed: int


def _moved(value: float, top: float, mean: float) -> float:
    """By how much the adjusted value moves with the mean."""
    return abs(top - value) / max((top - mean) ** 2, 1e-300)


def _mean(profile: Profile, index: Index, wanted: _Wanted) -> tuple[float, float, int]:
    """The mean by chance, its error, and how many draws it took."""
    model = None if wanted.model == "shuffle" else wanted.model
    exact = index.by_chance(profile) if model is None else _affine_mean(profile, index, model, wanted.sides)
    if exact is not None:
        return exact, 0.0, 0
    expanded = expanded_mean(profile, index, model, wanted.sides)
    if expanded is not None:
        mean, error = expanded
        if _moved(wanted.value, wanted.top, mean) * error <= wanted.tolerance:
            return mean, error, 0
    sampler = _Sampler(profile, index, wanted.model, wanted.sides, wanted.seed)
    return sampler.estimate(wanted.value, wanted.top, wanted.tolerance)


def _affine_mean(
    profile: Profile, index: Index, model: Literal["num", "all"], sides: RandomSides
) -> float | None:
    """The mean of an index that is a sum of multiples of pair counts: its value at their means."""
    every = profile.view(Pairs).all
    if index.views != (Pairs,) or not every:
        return None

    def at(n11: Fraction, in_u: Fraction, in_v: Fraction) -> Fraction:
        counts = n11, in_u - n11, in_v - n11, every - in_u - in_v + n11
        return index.exact(PairProfile(Pairs(*counts, profile.size)))  # type: ignore[arg-type]  # Fractions calculate alike

    # Second differences that vanish, on a grid that crosses u = v so that a kink there is met.
    start = (Fraction(1, 10), Fraction(3, 10), Fraction(4, 10))
    steps = (Fraction(1, 20), Fraction(3, 20), Fraction(3, 20))
    try:
        grid = {
            moves: at(*((x + k * step) * every for x, k, step in zip(start, moves, steps, strict=True)))
            for moves in product(range(3), repeat=3)
            if sum(moves) <= 2
        }
    except (NotRationalError, ZeroDivisionError):
        return None
    first = grid[0, 0, 0]
    slopes = [grid[tuple(int(i == axis) for i in range(3))] - first for axis in range(3)]
    if any(value != first + sum(map(mul, moves, slopes)) for moves, value in grid.items()):
        return None
    models = profile.view(PairModels)
    u = (
        Fraction(profile.view(Pairs).in_u)
        if sides == "one"
        else Fraction(models.together(profile.rows, model)) * every
    )
    v = Fraction(models.together(profile.columns, model)) * every
    return float(at(u * v / every, u, v))


class _Sampler:
    """Random partitions as the model has them, and the means of their counts that are known exactly."""

    def __init__(
        self, profile: Profile, index: Index, model: ChanceModel, sides: RandomSides, seed: int
    ) -> None:
        self._profile, self._index, self._model, self._sides = profile, index, model, sides
        self._random = np.random.default_rng(seed)
        self._shuffler = (
            Shuffler(profile.row_sizes, profile.column_sizes, self._random) if model == "shuffle" else None
        )

    def estimate(self, value: float, top: float, tolerance: float) -> tuple[float, float, int]:
        """The mean by chance, its standard error, and how many draws it took."""
        known = self._known_means()
        values, controls = np.empty(0), np.empty((0, len(known)))
        batch = _FIRST_BATCH
        while True:
            drawn = [self._draw() for _ in range(batch)]
            values = np.append(values, [self._index.value(each) for each in drawn])
            controls = np.vstack([controls, [_controls(each, len(known)) for each in drawn]])
            if not np.isfinite(values).all():
                raise UndefinedError(f"{self._index.name} is not defined for some of the random partitions")
            mean, error = _regressed(values, controls - known)
            enough = len(values) > _FIRST_BATCH and _moved(value, top, mean) * error <= tolerance
            if enough or len(values) >= _MOST_DRAWS:
                return mean, error, len(values)
            batch = min(2 * batch, _MOST_DRAWS - len(values))

    def _draw(self) -> Profile:
        if self._shuffler is not None:
            return self._shuffler.profile()
        p = self._profile
        columns = self._sizes(p.columns)
        rows = p.row_sizes if self._sides == "one" else self._sizes(p.rows)
        return Shuffler(rows, columns, self._random).profile()

    def _sizes(self, clusters: int) -> Mapping[int, int]:
        return random_sizes(
            self._profile.size, clusters, "all" if self._model == "all" else "num", self._random
        )

    def _known_means(self) -> Floats:
        """Of N₁₁, the mutual information, and the pairs together on each side."""
        p, pairs = self._profile, self._profile.view(Pairs)
        if self._model == "shuffle":
            shared = expected_information(p.row_sizes, p.column_sizes)
            n11 = pairs.in_u * pairs.in_v / pairs.all if pairs.all else 0.0
            return np.array([n11, shared])
        models = p.view(PairModels)
        u = pairs.in_u if self._sides == "one" else float(models.together(p.rows, self._model)) * pairs.all
        v = float(models.together(p.columns, self._model)) * pairs.all
        shared = p.view(Models).information(self._model, self._sides, p.view(Information).h_u)[0]
        return np.array([u * v / max(pairs.all, 1), shared, u, v], dtype=np.float64)


def _controls(profile: Profile, number: int) -> list[float]:
    pairs = profile.view(Pairs)
    found = [float(pairs.n11), profile.view(Information).mutual, float(pairs.in_u), float(pairs.in_v)]
    return found[:number]


def _regressed(values: Floats, away: Floats) -> tuple[float, float]:
    """The mean of the values where the controls are at their own means, and its standard error."""
    sd = away.std(axis=0)
    used = away[:, sd > 1e-12 * np.maximum(np.abs(away).max(axis=0), 1e-300)]
    design = np.column_stack([np.ones(len(values)), used / np.maximum(used.std(axis=0), 1e-300)])
    solution, _, rank, _ = np.linalg.lstsq(design, values, rcond=1e-10)
    rest = values - design @ solution
    freedom = max(len(values) - int(rank), 1)
    spread = np.linalg.pinv(design.T @ design, rcond=1e-12)[0, 0]
    return float(solution[0]), math.sqrt(max(float(rest @ rest) / freedom * float(spread), 0.0))


# -- the mean by the curvature of the index ------------------------------------------------------------------

# No count may come closer to nothing than so many of its standard deviations.
_FAR = 5
_ROUNDING = 1e-15


def expanded_mean(
    profile: Profile, index: Index, model: Model | None, sides: RandomSides
) -> tuple[float, float] | None:
    """The mean of the index, and what its curvature adds; what is left out is of a higher order, unproved.

    Without a model cluster sizes are kept. None where more than counts of pairs is read, or they vary much.
    """
    if index.views != (Pairs,) or profile.size < 4:
        return None
    means, covariance = _kept(profile) if model is None else _modelled(profile, model, sides)
    every = profile.view(Pairs).all

    def value(place: Floats) -> float:
        n11, u, v = map(Fraction, place.tolist())
        counts: Any = (n11, u - n11, v - n11, every - u - v + n11, profile.size)
        return index.value(PairProfile(Pairs(*counts)), "nan")

    parts = np.array([[1, 0, 0], [-1, 1, 0], [-1, 0, 1], [1, -1, -1]])  # N₁₁, N₁₀, N₀₁, N₀₀
    spread = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", parts, covariance, parts), 0))
    if np.any(parts @ means + [0, 0, 0, every] <= _FAR * spread):
        return None
    eigen, axes = np.linalg.eigh(covariance)
    steps = axes * np.sqrt(np.maximum(eigen, 0))
    middle = value(means)
    bends = [value(means + step) + value(means - step) - 2 * middle for step in steps.T]
    added, error = math.fsum(bends) / 2, math.fsum(map(abs, bends)) / 2
    return (middle + added, max(error, _ROUNDING * abs(middle))) if math.isfinite(error) else None


def _kept(profile: Profile) -> tuple[Floats, Floats]:
    """Means and covariances of N₁₁, u and v where both sides keep their sizes."""
    pairs, found = profile.view(Pairs), moments(profile)
    covariance = np.zeros((3, 3))
    covariance[0, 0] = float(found.variance)
    return np.array([float(found.mean), float(pairs.in_u), float(pairs.in_v)]), covariance


def _modelled(profile: Profile, model: Model, sides: RandomSides) -> tuple[Floats, Floats]:
    """The same where the candidate is drawn, and the reference is, too, or is kept."""
    pairs = profile.view(Pairs)
    every, models = pairs.all, profile.view(PairModels)
    fewer = PairModels(profile.size - 1, profile.rows, profile.columns, exact=False)

    def chances(clusters: int) -> tuple[Any, Any]:
        """That a pair is together, and that two are; more clusters than elements leave none together."""
        one = models.together(clusters, model)
        return one, one * fewer.together(clusters, model) if clusters < profile.size else 0

    v1, v2 = chances(profile.columns)
    if sides == "one":
        kept = pairs.in_u
        squares = kept * v1 + kept * (kept - 1) * v2  # of N₁₁
        u, of_u = kept, 0
    else:
        u1, u2 = chances(profile.rows)
        u, of_u = every * u1, every * u1 + every * (every - 1) * u2 - (every * u1) ** 2
        squares = every * u1 * v1 + every * (every - 1) * u2 * v2
    v, of_v = every * v1, every * v1 + every * (every - 1) * v2 - (every * v1) ** 2
    n11 = u * v1
    with_v = (u / every) * of_v
    covariance = [[squares - n11 * n11, v1 * of_u, with_v], [v1 * of_u, of_u, 0], [with_v, 0, of_v]]
    return np.array([float(n11), float(u), float(v)]), np.array(covariance, dtype=np.float64)
