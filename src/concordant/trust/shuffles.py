"""Random partitions with given cluster sizes: drawn cell by cell or element by element, whichever is cheaper.

Cell by cell is row by row: what a row takes from the columns is multivariate hypergeometric, which costs a
draw for each cell, however many elements there are (Patefield 1981, Appl. Stat. 30:91, is the same law).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.counts.table import Table
from concordant.engines import memory
from concordant.errors import TooLargeError

# A cell costs about as much as four elements of a shuffle.
_ELEMENTS_A_CELL = 4
# NumPy's law of the cells takes no more elements, and shuffling more would fill the memory.
_MOST_ELEMENTS = 10**9 - 1
_MOST_SHUFFLED = 10**8


class Shuffler:
    """Draws tables with the given cluster sizes, as shuffling the elements would give them."""

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
            raise TooLargeError(f"{counted(self.size, 'element')} are too many to shuffle")
        self._a, self._b = (_one_by_one(sizes) for sizes in (rows, columns))
        if not self.by_cells:
            self._u, self._v = (np.repeat(np.arange(len(s)), s) for s in (self._a, self._b))

    def n11(self) -> int:
        """The pairs together in both, of one random table."""
        if self.by_cells:
            n = self._cells()
            return int((n * (n - 1) // 2).sum())
        return memory.pairs(self._u, self._shuffled(), 1).view(Pairs).n11

    def profile(self) -> Profile:
        """One random table."""
        if self.by_cells:
            cells = self._cells()
            row, column = map(np.ascontiguousarray, cells.nonzero())
            return Profile.of_table(Table(row, column, cells[row, column]), self.size)
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


def _one_by_one(sizes: Mapping[int, int]) -> NDArray[np.int64]:
    distinct = np.array(sorted(sizes), dtype=np.int64)
    return np.repeat(distinct, [sizes[size] for size in distinct.tolist()])
