"""Mantel's statistic Σpq over all pairs when the records of one side are permuted: its first three moments.

p and q are symmetric values of pairs. With their means subtracted, the mean of the statistic is 0, and its
second and third moments are sums over the graphs that two or three pairs form: how much each graph weighs in
p, times how much in q, over how often it fits into the set (Mantel 1967, Cancer Res. 27:209, for the second).
N₁₁ of two partitions, Σpq of two soft partitions and the correlation of two trees are such statistics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import perm
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant.maths.arithmetic import root


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean, variance and third central moment of a statistic over all permutations."""

    mean: Fraction
    variance: Fraction
    third: Fraction

    @property
    def sd(self) -> float:
        return root(self.variance)

    @property
    def skewness(self) -> float:
        """Third central moment over sd³; zero if nothing varies."""
        if not self.variance:
            return 0.0
        size = root(self.third * self.third / self.variance**3)
        return size if self.third >= 0 else -size


@dataclass(frozen=True, slots=True)
class MantelSums:
    """Sums over a symmetric matrix of values d without its diagonal, less their mean; r are its row sums.

    They are floating-point numbers, or fractions if they are exact.
    """

    mean: Any  # of the values, before it was subtracted
    squares: Any  # Σ d²
    cubes: Any  # Σ d³
    row_squares: Any  # Σ r²
    row_cubes: Any  # Σ r³
    rows_by_squares: Any  # Σ r(x) d(x, y)²
    rows_by_pairs: Any  # Σ r(x) d(x, y) r(y)
    triangles: Any  # Σ d(x, y) d(y, z) d(z, x)

    @classmethod
    def of_matrix(cls, values: NDArray[np.float64]) -> Self:
        """The sums for a matrix of values, whose diagonal does not count.

        >>> MantelSums.of_matrix(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])).squares
        1.3333333333333333
        """
        size = len(values)
        mean = (values.sum() - np.trace(values)) / (size * (size - 1))
        d = values - mean
        np.fill_diagonal(d, 0)
        r = d.sum(axis=1)
        squares = d * d
        sums = (mean, squares.sum(), (squares * d).sum(), r @ r, (r**3).sum(), r @ squares.sum(axis=1))
        return cls(*map(float, (*sums, r @ d @ r, ((d @ d) * d).sum())))

    @classmethod
    def of_integers(
        cls,
        size: int,
        *,
        total: int,  # Σ a of the values a
        squares: int,
        cubes: int,
        row_squares: int,
        row_cubes: int,
        rows_by_squares: int,
        rows_by_pairs: int,
        triangles: int,
    ) -> Self:
        """The exact sums, from those of integers before their mean is subtracted."""
        mean, row = Fraction(total, size * (size - 1)), Fraction(total, size)  # of values, and of row sums
        return cls(
            mean,
            squares - mean * total,
            cubes - 3 * mean * squares + 2 * mean**2 * total,
            row_squares - row * total,
            row_cubes - 3 * row * row_squares + 2 * row**2 * total,
            rows_by_squares - 2 * mean * row_squares - row * squares + 2 * mean * row * total,
            rows_by_pairs - mean * (total**2 - row_squares) - 2 * row * row_squares + 2 * row**2 * total,
            triangles - 3 * mean * (row_squares - squares) + 2 * mean**2 * (size - 2) * total,
        )

    @classmethod
    def of_sizes(cls, sizes: Mapping[int, int]) -> Self:
        """The exact sums for the pairs inside clusters, given how many clusters have each size.

        >>> MantelSums.of_sizes({2: 1, 1: 1}).squares
        Fraction(4, 3)
        """

        def of_members(power: int) -> int:
            """The sum over all elements of a power of the number of others in the cluster."""
            return sum(count * size * (size - 1) ** power for size, count in sizes.items())

        together, row_squares, row_cubes = map(of_members, (1, 2, 3))
        return cls.of_integers(
            of_members(0),
            total=together,
            squares=together,
            cubes=together,
            row_squares=row_squares,
            row_cubes=row_cubes,
            rows_by_squares=row_squares,
            rows_by_pairs=row_cubes,
            triangles=row_squares - together,
        )

    def pairs_of_pairs(self) -> tuple[Any, ...]:
        """How much the graphs of two pairs weigh, in the order of ``_TWO_PAIRS``."""
        path = self.row_squares - self.squares
        return self.squares, path, -4 * path - 2 * self.squares

    def triples_of_pairs(self) -> tuple[Any, ...]:
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


def mantel_moments(p: MantelSums, q: MantelSums, size: int) -> Moments:
    """The moments of Σpq over all pairs of so many records, under permutation.

    >>> values = MantelSums.of_sizes({2: 1, 1: 1})
    >>> mantel_moments(values, values, 3)
    Moments(mean=Fraction(1, 3), variance=Fraction(2, 9), third=Fraction(2, 27))
    """
    variance = _moment(p.pairs_of_pairs(), q.pairs_of_pairs(), _TWO_PAIRS, size) / 4
    third = _moment(p.triples_of_pairs(), q.triples_of_pairs(), _THREE_PAIRS, size) / 8
    # Each pair was counted in both directions. Rounded numbers may have a variance just below 0.
    mean = Fraction(p.mean) * Fraction(q.mean) * size * (size - 1) / 2
    return Moments(mean, max(Fraction(variance), Fraction(0)), Fraction(third))


def _moment(one: Sequence[Any], other: Sequence[Any], graphs: Sequence[tuple[int, int]], size: int) -> Any:
    return sum(
        ways * here * there / perm(size, vertices)
        for here, there, (ways, vertices) in zip(one, other, graphs, strict=True)
        if vertices <= size
    )
