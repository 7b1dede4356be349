"""Adjustment for chance of any index: (value − mean by chance) / (perfect value − mean by chance).

The mean is exact if the index is linear in its counts. If the pair counts barely vary, it follows from the
curvature of the index (``expanded_mean``). Otherwise it is estimated from random partitions, by regression on
N₁₁ and the mutual information (and on the pairs of each side, if cluster sizes are drawn too), whose means
are known exactly. Drawing stops when the standard error is small enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from operator import mul
from typing import Any, Literal

import numpy as np

from concordant.counts.arithmetic import Floats
from concordant.counts.conventions import Undefined, check_choice
from concordant.counts.information import ClusterSizes, Information, expected_information
from concordant.counts.pairs import PairCounts, ViewCounts
from concordant.counts.profile import Profile
from concordant.counts.random_models import Model, PairModels, RandomSides, model_information
from concordant.errors import NothingLeftError, NotRationalError, ParameterError, UndefinedError
from concordant.indices.index import Index
from concordant.results import read_only_class
from concordant.trust.finding import Finding, shown
from concordant.trust.moments import moments
from concordant.trust.options import check_seed
from concordant.trust.permutations import Shuffler, random_sizes

ChanceModel = Literal["permutation", "num", "all"]

# Batches double; there are at least two, so no lucky first one decides.
_FIRST_BATCH = 64
_MOST_DRAWS = 2**16
# Every pair count must be more than this many of its standard deviations above 0.
_FAR = 5
_ROUNDING = 1e-15


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class Adjusted(Finding):
    """An index adjusted for chance. `Comparison.adjusted` returns it.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float
        The adjusted value.
    unadjusted : float
        The value of the index.
    expected : float
        Its mean by chance.
    top : float
        Its value for identical partitions.
    se : float
        Standard error of the adjusted value. 0 if the mean is exact.
    n_draws : int
        Number of draws that estimate the mean.
    model : {"permutation", "num", "all"}
        The random partitions.
    sides : {"both", "one"}
        The random sides.
    seed : int or None
        Seed of the draws.
    conventions : str
        Unusual conventions.
    """

    index: str
    value: float
    unadjusted: float
    expected: float
    top: float
    se: float
    n_draws: int
    model: ChanceModel
    sides: RandomSides
    seed: int | None
    conventions: str = ""

    @property
    def headline(self) -> str:
        """The adjusted value, the value itself, and the random model."""
        return (
            f"{self.index}, adjusted for chance, is {shown(self.value)} ({shown(self.unadjusted)} "
            f"unadjusted, {shown(self.expected)} expected by chance; {self._how}; {self._origin})."
        )

    @property
    def _how(self) -> str:
        """The random model, and how its mean was computed."""
        how = f"approximated by curvature, error about {shown(self.se)}" if self.se else "exact"
        if self.n_draws:
            how = f"{self.n_draws:,} draws, se {shown(self.se)}, seed {self.seed}"
        kept = ", reference fixed" if self.sides == "one" and self.model != "permutation" else ""
        return f"model {self.model}{kept}; {how}"

    def _summary(self) -> str:
        return (
            f"{self.index} {shown(self.unadjusted)}, adjusted for chance {shown(self.value)} (expected by "
            f"chance {shown(self.expected)}, perfect {shown(self.top)}; {self._how})"
        )


def adjusted(
    profile: Profile,
    index: Index,
    *,
    undefined: Undefined = "convention",
    model: ChanceModel = "permutation",
    sides: RandomSides = "both",
    tolerance: float = 0.0005,
    seed: int = 0,
) -> Adjusted:
    """An index of these partitions, adjusted for chance."""
    check_choice("model", model, ("permutation", "num", "all"))
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
        raise NothingLeftError("there are no records, so there are no permutations")
    drawn_model = None if model == "permutation" else model

    def error_of_value(mean: float, error: float) -> float:
        """The standard error of the adjusted value, given that of the mean."""
        return abs(top - value) / max((top - mean) ** 2, 1e-300) * error

    draws, error = 0, 0.0
    mean = (
        index.by_chance(profile) if drawn_model is None else _affine_mean(profile, index, drawn_model, sides)
    )
    if mean is None:
        expanded = expanded_mean(profile, index, drawn_model, sides)
        if expanded is not None and error_of_value(*expanded) <= tolerance:
            mean, error = expanded
        else:
            mean, error, draws = _sampled_mean(
                profile,
                index,
                drawn_model,
                sides,
                seed=seed,
                is_enough=lambda *found: error_of_value(*found) <= tolerance,
            )
    if profile.identical:
        scaled = 1.0
    elif math.isclose(mean, top, rel_tol=1e-12, abs_tol=1e-12):
        raise UndefinedError(f"{index.name} is {shown(top)} by chance, too: nothing is left to adjust")
    else:
        scaled = (value - mean) / (top - mean)
    se = 0.0 if value == top else error_of_value(mean, error)
    return Adjusted(index.name, scaled, value, mean, top, se, draws, model, sides, seed if draws else None)


def _affine_mean(
    profile: Profile, index: Index, model: Literal["num", "all"], sides: RandomSides
) -> float | None:
    """The mean of an index that is a sum of multiples of pair counts: its value at their means."""
    pairs = profile.view(PairCounts)
    every = pairs.all
    if index.views != (PairCounts,) or not every:
        return None

    def at(n11: Fraction, in_u: Fraction, in_v: Fraction) -> Fraction:
        return index.exact(ViewCounts.of_pairs(pairs.with_sums(n11, in_u, in_v)))

    # Second differences that vanish, on a grid that crosses u = v and so detects a kink there.
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
    u = Fraction(pairs.in_u) if sides == "one" else Fraction(models.together(profile.rows, model)) * every
    v = Fraction(models.together(profile.columns, model)) * every
    return float(at(u * v / every, u, v))


def _sampled_mean(
    profile: Profile,
    index: Index,
    model: Model | None,
    sides: RandomSides,
    *,
    seed: int,
    is_enough: Callable[[float, float], bool],
) -> tuple[float, float, int]:
    """The mean over random partitions, its standard error, and the number of draws.

    Control variates are N₁₁, the mutual information and the pairs together on each side.
    """
    p, pairs, random = profile, profile.view(PairCounts), np.random.default_rng(seed)
    if model is None:
        draw = Shuffler(p.row_sizes, p.column_sizes, random).counts
        n11 = pairs.in_u * pairs.in_v / pairs.all if pairs.all else 0.0
        known = np.array([n11, expected_information(p.row_sizes, p.column_sizes)])
    else:
        models = p.view(PairModels)
        u = pairs.in_u if sides == "one" else float(models.together(p.rows, model)) * pairs.all
        v = float(models.together(p.columns, model)) * pairs.all
        shared = model_information(p.view(ClusterSizes), model, sides, p.view(Information).h_u)[0]
        known = np.array([u * v / max(pairs.all, 1), shared, u, v], dtype=np.float64)

        def draw() -> Profile:
            columns = random_sizes(p.size, p.columns, model, random)
            rows = p.row_sizes if sides == "one" else random_sizes(p.size, p.rows, model, random)
            return Shuffler(rows, columns, random).counts()

    def controls(drawn: Profile) -> list[float]:
        own = drawn.view(PairCounts)
        each = [float(own.n11), drawn.view(Information).mutual, float(own.in_u), float(own.in_v)]
        return each[: len(known)]

    values, away = np.empty(0), np.empty((0, len(known)))
    batch = _FIRST_BATCH
    while True:
        drawn = [draw() for _ in range(batch)]
        values = np.append(values, [index.value(each) for each in drawn])
        away = np.vstack([away, [controls(each) for each in drawn]])
        if not np.isfinite(values).all():
            raise UndefinedError(f"{index.name} is not defined for some of the random partitions")
        mean, error = _regression(values, away - known)
        if len(values) >= _MOST_DRAWS or (len(values) > _FIRST_BATCH and is_enough(mean, error)):
            return mean, error, len(values)
        batch = min(2 * batch, _MOST_DRAWS - len(values))


def _regression(values: Floats, away: Floats) -> tuple[float, float]:
    """The mean of the values where the controls equal their own means, and its standard error."""
    sd = away.std(axis=0)
    used = away[:, sd > 1e-12 * np.maximum(np.abs(away).max(axis=0), 1e-300)]
    design = np.column_stack([np.ones(len(values)), used / np.maximum(used.std(axis=0), 1e-300)])
    solution, _, rank, _ = np.linalg.lstsq(design, values, rcond=1e-10)
    rest = values - design @ solution
    freedom = max(len(values) - int(rank), 1)
    spread = np.linalg.pinv(design.T @ design, rcond=1e-12)[0, 0]
    return float(solution[0]), math.sqrt(max(float(rest @ rest) / freedom * float(spread), 0.0))


def expanded_mean(
    profile: Profile, index: Index, model: Model | None, sides: RandomSides
) -> tuple[float, float] | None:
    """The mean of a pair-counting index by its curvature, and the size of that correction.

    N₁₁, u and v have known means, variances and covariances. If they vary little, the index bends little over
    that range, and two points on either side of the means give the correction. Terms of higher order are left
    out without proof. None if the index reads more than pair counts, or if these vary much.
    """
    if index.views != (PairCounts,) or profile.size < 4:
        return None
    means, covariance = pair_moments(profile, model, sides)
    pairs = profile.view(PairCounts)

    def value(place: Floats) -> float:
        return index.value(ViewCounts.of_pairs(pairs.with_sums(*map(Fraction, place.tolist()))), "nan")

    parts = np.array([[1, 0, 0], [-1, 1, 0], [-1, 0, 1], [1, -1, -1]])  # N₁₁, N₁₀, N₀₁, N₀₀
    spread = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", parts, covariance, parts), 0))
    if np.any(parts @ means + [0, 0, 0, pairs.all] <= _FAR * spread):
        return None
    eigen, axes = np.linalg.eigh(covariance)
    steps = axes * np.sqrt(np.maximum(eigen, 0))
    middle = value(means)
    bends = [value(means + step) + value(means - step) - 2 * middle for step in steps.T]
    added, error = math.fsum(bends) / 2, math.fsum(map(abs, bends)) / 2
    return (middle + added, max(error, _ROUNDING * abs(middle))) if math.isfinite(error) else None


def pair_moments(profile: Profile, model: Model | None, sides: RandomSides) -> tuple[Floats, Floats]:
    """Means and covariances of N₁₁, u and v. Without a model, cluster sizes are kept.

    Two different pairs are both together with the probability that a partition of one element fewer has one
    pair together, times that of the first, whether they share an element or not.
    """
    pairs = profile.view(PairCounts)
    if model is None:
        known, covariance = moments(profile), np.zeros((3, 3))
        covariance[0, 0] = float(known.variance)
        return np.array([float(known.mean), float(pairs.in_u), float(pairs.in_v)]), covariance
    every, models = pairs.all, profile.view(PairModels)
    fewer = PairModels(profile.size - 1, profile.rows, profile.columns, exact=False)

    def chances(clusters: int) -> tuple[Any, Any]:
        """That a pair is together, and that two are; as many clusters as elements leave no pair together."""
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
    rows = [[squares - n11 * n11, v1 * of_u, with_v], [v1 * of_u, of_u, 0], [with_v, 0, of_v]]
    return np.array([float(n11), float(u), float(v)]), np.array(rows, dtype=np.float64)
