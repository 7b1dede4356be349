"""Random partitions with given cluster sizes: drawn cell by cell or element by element, whichever is cheaper.

The table is drawn row by row: the counts of a row are multivariate hypergeometric, which costs one draw per
cell for any number of elements (Patefield 1981, Appl. Stat. 30:91, has the same distribution).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.cover_counts import CoverCounts
from concordant.counts.pairs import PairCounts
from concordant.counts.profile import Profile
from concordant.counts.random_models import Model, tilt_num
from concordant.counts.spelling import counted
from concordant.counts.table import Cells
from concordant.engines import memory
from concordant.errors import TooLargeError

# A cell costs about as much as permuting four elements.
_ELEMENTS_A_CELL = 4
# NumPy's sampler for the cells supports no more elements, and permuting more would fill the memory.
_MOST_ELEMENTS = 10**9 - 1
_MOST_SHUFFLED = 10**8


class Shuffler:
    """Draws tables with the given cluster sizes, with the distribution of permuted elements."""

    size: int
    by_cells: bool

    def __init__(
        self, rows: Mapping[int, int], columns: Mapping[int, int], random: np.random.Generator
    ) -> None:
        self._random = random
        self.size = sum(size * count for size, count in rows.items())
        cells = sum(rows.values()) * sum(columns.values())
        self.by_cells = _ELEMENTS_A_CELL * cells < self.size
        if self.size > (_MOST_ELEMENTS if self.by_cells else _MOST_SHUFFLED):
            raise TooLargeError(f"{counted(self.size, 'record')} are too many to permute")
        self._a, self._b = (
            np.repeat(*np.array(sorted(sizes.items()), dtype=np.int64).reshape(-1, 2).T)
            for sizes in (rows, columns)
        )
        if not self.by_cells:
            self._u, self._v = (np.repeat(np.arange(len(s)), s) for s in (self._a, self._b))

    def n11(self) -> int:
        """The pairs together in both, of one random table."""
        if self.by_cells:
            n = self._cells()
            return int((n * (n - 1) // 2).sum())
        return memory.pairs(self._u, self._shuffled(), 1).view(PairCounts).n11

    def counts(self) -> Profile:
        """One random table."""
        if self.by_cells:
            cells = self._cells()
            row, column = map(np.ascontiguousarray, cells.nonzero())
            return Profile.of_table(Cells(row, column, cells[row, column]), self.size)
        return memory.profile(self._u, self._shuffled(), 1)

    def _shuffled(self) -> NDArray[np.int64]:
        return self._random.permutation(self._v)

    def _cells(self) -> NDArray[np.int64]:
        swapped = len(self._a) > len(self._b)
        a, left = (self._b, self._a.copy()) if swapped else (self._a, self._b.copy())
        cells = np.empty((len(a), len(left)), dtype=np.int64)
        for row, size in enumerate(a[:-1].tolist()):
            cells[row] = self._random.multivariate_hypergeometric(left, size, method="marginals")
            left -= cells[row]
        cells[-1] = left
        return cells.T if swapped else cells


class CoverShuffler:
    """Draws pairs of covers: both keep their clusters, and the elements of the candidate are permuted."""

    def __init__(self, counts: CoverCounts, random: np.random.Generator) -> None:
        if counts.size > _MOST_SHUFFLED:
            raise TooLargeError(f"{counted(counts.size, 'record')} are too many to permute")
        self._random, self._size = random, counts.size
        types = np.repeat(np.arange(len(counts.elements)), counts.elements)
        reference, candidate = (side.of_types(types) for side in counts.sides)
        self._reference = reference.type, reference.cluster
        self._element, self._cluster = candidate.type, candidate.cluster

    def counts(self) -> CoverCounts:
        """The counts of one random pair."""
        places = self._random.permutation(self._size)
        return CoverCounts.of_memberships(self._size, self._reference, (places[self._element], self._cluster))


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
    at = max(n / math.log(n + 2), 1.0)  # uⁿ/u! is largest where u log u = n, or nearly so
    for _ in range(60):
        at = max(n / math.log(at + 1.5), 1.0) * 0.5 + at * 0.5
    mode = max(round(at), 1)
    width = int(12 * math.sqrt(mode) + 40)
    urns = np.arange(max(1, mode - width), min(reach, mode + width) + 1)
    weights = n * np.log(urns) - np.array([math.lgamma(u + 1) for u in urns.tolist()])
    chances = np.exp(weights - weights.max())
    u = int(random.choice(urns, p=chances / chances.sum()))
    held: Any = random.multinomial(n, np.full(u, 1 / u))
    return np.asarray(held[held > 0], dtype=np.int64)


def _so_many(n: int, k: int, random: np.random.Generator) -> NDArray[np.int64]:
    """All sizes but one from the zero-truncated Poisson distribution; the last is the rest, if possible."""
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
