"""Random partitions with given cluster sizes: drawn cell by cell or element by element, whichever is cheaper.

The table is drawn row by row: the counts of a row are multivariate hypergeometric, which costs one draw per
cell for any number of elements (Patefield 1981, Appl. Stat. 30:91, has the same distribution).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from concordant.counts.contingency import Contingency
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.pairs import PairCounts
from concordant.counts.profile import Profile
from concordant.engines import memory
from concordant.errors import TooLargeError
from concordant.foundation.spelling import counted

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
            return Profile.of_table(Contingency(row, column, cells[row, column]), self.size)
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


def permuted_covers(counts: CoverCounts, random: np.random.Generator) -> Iterator[CoverCounts]:
    """Draws pairs of covers: both keep their clusters, and the elements of the candidate are permuted."""
    if counts.size > _MOST_SHUFFLED:
        raise TooLargeError(f"{counted(counts.size, 'record')} are too many to permute")
    types = np.repeat(np.arange(len(counts.elements)), counts.elements)
    u, v = (side.of_types(types) for side in counts.sides)
    while True:
        places = random.permutation(counts.size)
        yield CoverCounts.of_memberships(counts.size, (u.type, u.cluster), (places[v.type], v.cluster))
