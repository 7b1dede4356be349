"""Mantel's statistic Σpq over all pairs when the records of one side are permuted: variance and skewness.

p and q are symmetric values of pairs. With their means subtracted, the mean of the statistic is 0, and its
second and third moments are sums over the graphs that two or three pairs form: how much each graph weighs in
p, times how much in q, over how often it fits into the set (Mantel 1967, Cancer Res. 27:209, for the second).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import perm

import numpy as np
from numpy.typing import NDArray

# How much the graphs of two pairs weigh: one pair twice, a path, two pairs apart.
PairsOfPairs = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class MantelSums:
    """Sums over a symmetric matrix of centred values d without its diagonal; r are its row sums."""

    squares: float  # Σ d²
    cubes: float  # Σ d³
    row_squares: float  # Σ r²
    row_cubes: float  # Σ r³
    rows_by_squares: float  # Σ r(x) d(x, y)²
    rows_by_pairs: float  # Σ r(x) d(x, y) r(y)
    triangles: float  # Σ d(x, y) d(y, z) d(z, x)

    @classmethod
    def of_matrix(cls, values: NDArray[np.float64]) -> MantelSums:
        """The sums for a matrix of values, whose diagonal does not count.

        >>> MantelSums.of_matrix(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])).squares
        1.3333333333333333
        """
        size = len(values)
        d = values - (values.sum() - np.trace(values)) / (size * (size - 1))
        np.fill_diagonal(d, 0)
        r = d.sum(axis=1)
        squares = d * d
        return cls(
            float(squares.sum()),
            float((squares * d).sum()),
            float(r @ r),
            float((r**3).sum()),
            float(r @ squares.sum(axis=1)),
            float(r @ d @ r),
            float(((d @ d) * d).sum()),
        )

    def second(self) -> PairsOfPairs:
        """How much the graphs of two pairs weigh: one pair twice, a path, two pairs apart."""
        return pairs_of_pairs(self.squares, self.row_squares)

    def third(self) -> tuple[float, ...]:
        """How much the graphs of three pairs weigh, in the order of ``_THREE_PAIRS``."""
        twice_and_next = self.rows_by_squares - self.cubes
        twice_and_apart = -4 * twice_and_next - 2 * self.cubes
        star = self.row_cubes - 3 * self.rows_by_squares + 2 * self.cubes
        path = self.rows_by_pairs - 2 * self.rows_by_squares + self.cubes - self.triangles
        path_and_pair = -4 * twice_and_next - 2 * self.triangles - 2 * star - 4 * path
        apart = -4 * twice_and_apart - 8 * path - 8 * path_and_pair
        return self.cubes, twice_and_next, twice_and_apart, self.triangles, star, path, path_and_pair, apart


# In how many ways ordered pairs, each in both directions, form a graph; and its vertices.
_TWO_PAIRS = ((2, 2), (4, 3), (1, 4))
_THREE_PAIRS = ((4, 2), (24, 3), (6, 4), (8, 3), (8, 4), (24, 4), (12, 5), (1, 6))


def mantel_moments(p: MantelSums, q: MantelSums, size: int) -> tuple[float, float]:
    """Variance and third central moment of Σpq over all pairs, under permutation.

    >>> values = MantelSums.of_matrix(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]]))
    >>> variance, third = mantel_moments(values, values, 3)
    >>> round(variance, 6), round(third, 6)
    (0.222222, 0.074074)
    """
    third = _moment(p.third(), q.third(), _THREE_PAIRS, size)
    return mantel_variance(
        p.second(), q.second(), size
    ), third / 8  # each pair was counted in both directions


def pairs_of_pairs(squares: float, row_squares: float) -> PairsOfPairs:
    """How much the graphs of two pairs weigh, from Σ d² and Σ r²."""
    path = row_squares - squares
    return squares, path, -4 * path - 2 * squares


def mantel_variance(p: PairsOfPairs, q: PairsOfPairs, size: int) -> float:
    """The variance of Σpq over all pairs, under permutation.

    >>> values = pairs_of_pairs(4 / 3, 2 / 3)
    >>> round(mantel_variance(values, values, 3), 6)
    0.222222
    """
    return max(_moment(p, q, _TWO_PAIRS, size), 0.0) / 4


def _moment(
    one: Sequence[float], other: Sequence[float], graphs: Sequence[tuple[int, int]], size: int
) -> float:
    return sum(
        ways * here * there / perm(size, vertices)
        for here, there, (ways, vertices) in zip(one, other, graphs, strict=True)
        if vertices <= size
    )
