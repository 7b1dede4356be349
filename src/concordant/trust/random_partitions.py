"""Cluster sizes of partitions drawn at random: of so many clusters, or of any number, all as likely."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import TooLargeError
from concordant.views.random_models import Model
from concordant.views.tilted import tilt_num

# Sizes to draw for one partition: some seconds' worth.
_MOST_DRAWN = 10**8


def random_sizes(n: int, k: int, model: Model, random: np.random.Generator) -> Mapping[int, int]:
    """The cluster sizes of a random partition of n elements, each with its number; of k clusters for "num".

    >>> sizes = random_sizes(10, 3, "num", np.random.default_rng(1))
    >>> sum(sizes.values()), sum(size * many for size, many in sizes.items())
    (3, 10)
    """
    drawn = _any_number(n, random) if model == "all" else _so_many(n, k, random)
    sizes, counts = np.unique(drawn, return_counts=True)
    return dict(zip(sizes.tolist(), counts.tolist(), strict=True))


def _any_number(n: int, random: np.random.Generator) -> NDArray[np.int64]:
    """By urns: u of them with weight uⁿ/u!, each element into any; those not empty are the clusters.

    Stam 1983, J. Comb. Theory A 35:231.
    """
    reach = 2 * n + 20
    mode = _mode(n)
    width = int(12 * math.sqrt(mode) + 40)
    urns = np.arange(max(1, mode - width), min(reach, mode + width) + 1)
    weights = n * np.log(urns) - np.array([math.lgamma(u + 1) for u in urns.tolist()])
    chances = np.exp(weights - weights.max())
    u = int(random.choice(urns, p=chances / chances.sum()))
    held: Any = random.multinomial(n, np.full(u, 1 / u))
    return np.asarray(held[held > 0], dtype=np.int64)


def _mode(n: int) -> int:
    """Where uⁿ/u! is largest: u log u = n, or nearly so."""
    u = max(n / math.log(n + 2), 1.0)
    for _ in range(60):
        u = max(n / math.log(u + 1.5), 1.0) * 0.5 + u * 0.5
    return max(round(u), 1)


def _so_many(n: int, k: int, random: np.random.Generator) -> NDArray[np.int64]:
    """All sizes but one from the Poisson law without zero; the last is what is left, if chance lets it be."""
    if k in (1, n):
        return np.full(k, n // k, dtype=np.int64)
    if k * math.isqrt(k) > _MOST_DRAWN:
        raise TooLargeError(f"drawing partitions into {k:,} clusters would take too long")
    x = tilt_num(n, k)
    sizes = np.arange(1, min(n, int(x + 14 * math.sqrt(x) + 60)) + 1)
    logarithms = sizes * math.log(x) - np.array([math.lgamma(s + 1) for s in sizes.tolist()])
    chances = np.exp(logarithms - logarithms.max())
    sums = np.cumsum(chances)
    while True:
        drawn = 1 + np.searchsorted(sums, sums[-1] * random.random(k - 1), side="right")
        last = n - int(drawn.sum())
        if 1 <= last <= len(sizes) and random.random() < chances[last - 1]:
            return np.append(drawn, last).astype(np.int64)
