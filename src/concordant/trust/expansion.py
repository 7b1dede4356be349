"""The mean by chance of an index of pairs, where the counts of pairs hardly vary: by its curvature.

N₁₁, u and v have known means, variances and covariances under each random model. Of two different pairs, both
are together with the chance that a partition of two elements fewer tells, whether they share an element or
not. Where the counts vary little, the index bends little over that range, and two points on either side of
the means tell what the bend adds.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Floats
from concordant.counts.pairs import PairProfile, Pairs
from concordant.counts.profile import Profile
from concordant.trust.moments import moments
from concordant.views.random_models import Model, PairModels, RandomSides

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
