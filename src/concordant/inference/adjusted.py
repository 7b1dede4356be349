"""Adjustment for chance of any index: (value − mean by chance) / (perfect value − mean by chance).

The mean is that over all permutations, which keep the cluster sizes. It is exact if the index is linear in
its counts. If N₁₁ barely varies, it follows from the curvature of the index (``expanded_mean``). Otherwise it
is estimated from random permutations, by regression on N₁₁ and the mutual information, whose means are known
exactly. Drawing stops when the standard error is small enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from concordant.counts.information import Information, expected_information
from concordant.counts.pairs import PairCounts, PartialCounts
from concordant.counts.profile import Profile
from concordant.errors import NothingLeftError, ParameterError, UndefinedError
from concordant.foundation.conventions import Undefined
from concordant.foundation.results import read_only_class
from concordant.indices.index import Index
from concordant.inference.moments import moments
from concordant.inference.options import check_seed
from concordant.inference.permutations import Shuffler
from concordant.inference.statistic import Finding, shown
from concordant.maths.arithmetic import Floats

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
    seed: int | None
    conventions: str = ""

    @property
    def headline(self) -> str:
        """The adjusted value, the value itself, and the value expected by chance."""
        return (
            f"{self.index}, adjusted for chance, is {shown(self.value)} ({shown(self.unadjusted)} "
            f"unadjusted, {shown(self.expected)} expected by chance; {self._how}; {self._origin})."
        )

    @property
    def _how(self) -> str:
        """How the mean over permutations was computed."""
        how = f"approximated by curvature, error about {shown(self.se)}" if self.se else "exact"
        if self.n_draws:
            how = f"{self.n_draws:,} draws, se {shown(self.se)}, seed {self.seed}"
        return f"permutations; {how}"

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
    tolerance: float = 0.0005,
    seed: int = 0,
) -> Adjusted:
    """An index of these partitions, adjusted for chance."""
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

    def error_of_value(mean: float, error: float) -> float:
        """The standard error of the adjusted value, given that of the mean."""
        return abs(top - value) / max((top - mean) ** 2, 1e-300) * error

    draws, error = 0, 0.0
    mean = index.by_chance(profile)
    if mean is None:
        expanded = expanded_mean(profile, index)
        if expanded is not None and error_of_value(*expanded) <= tolerance:
            mean, error = expanded
        else:
            mean, error, draws = _sampled_mean(
                profile,
                index,
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
    return Adjusted(index.name, scaled, value, mean, top, se, draws, seed if draws else None)


def _sampled_mean(
    p: Profile, index: Index, *, seed: int, is_enough: Callable[[float, float], bool]
) -> tuple[float, float, int]:
    """The mean over random permutations, its standard error, and the number of draws."""
    pairs = p.view(PairCounts)
    draw = Shuffler(p.row_sizes, p.column_sizes, np.random.default_rng(seed)).counts
    n11 = pairs.in_u * pairs.in_v / pairs.all if pairs.all else 0.0
    known = np.array([n11, expected_information(p.row_sizes, p.column_sizes)])

    def controls(drawn: Profile) -> tuple[float, float]:
        return float(drawn.view(PairCounts).n11), drawn.view(Information).mutual

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


def expanded_mean(profile: Profile, index: Index) -> tuple[float, float] | None:
    """The mean of a pair-counting index by its curvature, and the size of that correction.

    The mean and the variance of N₁₁ are known. If it varies little, the index bends little over that range,
    and a point on either side of the mean gives the correction. Terms of higher order are left out without
    proof. None if the index reads more than pair counts, or if N₁₁ varies much.
    """
    if index.views != (PairCounts,) or profile.size < 4:
        return None
    known, pairs = moments(profile), profile.view(PairCounts)
    mean, sd = float(known.mean), math.sqrt(max(float(known.variance), 0.0))

    def value(n11: float) -> float:
        return index.value(PartialCounts.of_pairs(pairs.with_n11(Fraction(n11))), "nan")

    smallest = min(mean, pairs.in_u - mean, pairs.in_v - mean, pairs.all - pairs.in_u - pairs.in_v + mean)
    if smallest <= _FAR * sd:
        return None
    middle = value(mean)
    added = (value(mean + sd) + value(mean - sd) - 2 * middle) / 2
    return (middle + added, max(abs(added), _ROUNDING * abs(middle))) if math.isfinite(added) else None
