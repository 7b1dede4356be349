"""Mean, variance, skewness and kurtosis of N₁₁ when the elements are shuffled, exact at any size.

r different pairs of elements are the edges of a graph. The mean number of ordered r-tuples of pairs that are
together in both partitions is a sum over graphs: how often each fits into U, times how often into V, over
how often into the whole set. How often it fits depends on the sizes s of its connected parts alone: I_s, the
ways to place its vertices so that each part lies inside one cluster. Clusters do not depend on each other,
so I_s follows from sums over the clusters as moments follow from cumulants.

For r up to 2 this is Hubert & Arabie 1985 and Steinley, Brusco & Hubert 2016, Psychol. Methods 21:261.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, reduce
from math import perm
from operator import mul

from concordant.counts.arithmetic import root
from concordant.counts.profile import Profile

Parts = tuple[int, ...]  # the sizes of the connected parts of a graph

# How many ordered tuples of r pairs form a graph with parts of these sizes, for each place of its vertices.
_TUPLES: tuple[dict[Parts, Fraction], ...] = (
    {(2,): Fraction(1, 2)},
    {(3,): Fraction(1), (2, 2): Fraction(1, 4)},
    {(3,): Fraction(1), (4,): Fraction(4), (3, 2): Fraction(3, 2), (2, 2, 2): Fraction(1, 8)},
    {
        (4,): Fraction(15),
        (5,): Fraction(25),
        (3, 2): Fraction(2),
        (4, 2): Fraction(8),
        (3, 3): Fraction(3),
        (3, 2, 2): Fraction(3, 2),
        (2, 2, 2, 2): Fraction(1, 16),
    },
)


@dataclass(frozen=True, slots=True)
class Moments:
    """Of the pairs together in both partitions, over all shuffles; the last two are central moments."""

    mean: Fraction
    variance: Fraction
    third: Fraction
    fourth: Fraction

    @property
    def sd(self) -> float:
        return root(self.variance)

    @property
    def skewness(self) -> float:
        """Third central moment over sd³; zero where nothing varies."""
        if not self.variance:
            return 0.0
        size = root(self.third * self.third / self.variance**3)
        return size if self.third >= 0 else -size

    @property
    def kurtosis(self) -> Fraction:
        """Fourth central moment over the squared variance, 3 for a normal law; zero where nothing varies."""
        return self.fourth / self.variance**2 if self.variance else Fraction(0)


def moments(profile: Profile) -> Moments:
    """The moments of N₁₁ for the cluster sizes of a profile.

    >>> found = moments(Profile.from_contingency([[1, 1], [1, 1]]))
    >>> found.mean, found.variance, float(found.kurtosis)
    (Fraction(2, 3), Fraction(8, 9), 1.5)
    """
    rows, columns = (tuple(sorted(sizes.items())) for sizes in (profile.row_sizes, profile.column_sizes))
    return _moments(*sorted((rows, columns)), profile.size)


@lru_cache(maxsize=64)
def _moments(rows: tuple[tuple[int, int], ...], columns: tuple[tuple[int, int], ...], n: int) -> Moments:
    in_u, in_v = (_placements(dict(sizes)) for sizes in (rows, columns))
    f1, f2, f3, f4 = (
        sum(
            (w * in_u[s] * in_v[s] / perm(n, sum(s)) for s, w in tuples.items() if sum(s) <= n),
            Fraction(0),
        )
        for tuples in _TUPLES
    )
    m1, m2, m3, m4 = f1, f2 + f1, f3 + 3 * f2 + f1, f4 + 6 * f3 + 7 * f2 + f1
    return Moments(
        mean=m1,
        variance=m2 - m1**2,
        third=m3 - 3 * m1 * m2 + 2 * m1**3,
        fourth=m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4,
    )


# κ_s by products of falling factorials of a cluster's size: what choosing it for several parts adds.
_CUMULANTS: dict[Parts, dict[Parts, int]] = {
    (2, 2): {(4,): 1, (2, 2): -1},
    (3, 2): {(5,): 1, (3, 2): -1},
    (4, 2): {(6,): 1, (4, 2): -1},
    (3, 3): {(6,): 1, (3, 3): -1},
    (2, 2, 2): {(6,): 1, (4, 2): -3, (2, 2, 2): 2},
    (3, 2, 2): {(7,): 1, (5, 2): -2, (4, 3): -1, (3, 2, 2): 2},
    (2, 2, 2, 2): {(8,): 1, (6, 2): -4, (4, 4): -3, (4, 2, 2): 12, (2, 2, 2, 2): -6},
}


def _times(one: list[int], other: list[int]) -> list[int]:
    """The product of two polynomials, by their coefficients."""
    product = [0] * (len(one) + len(other) - 1)
    for i, x in enumerate(one):
        for j, y in enumerate(other):
            product[i + j] += x * y
    return product


@cache
def _falling(parts: Parts) -> list[int]:
    """The product of x(x−1)…(x−k+1) for all k, by its coefficients."""
    return reduce(_times, ([-i, 1] for k in parts for i in range(k)), [1])


def _placements(sizes: Mapping[int, int]) -> dict[Parts, int]:
    """I_s for all s that are needed: F are sums over the clusters, k cumulants, both of sums of powers."""
    powers = [sum(count * size**k for size, count in sizes.items()) for k in range(9)]

    def total(terms: dict[Parts, int]) -> int:
        return sum(weight * sum(map(mul, _falling(parts), powers)) for parts, weight in terms.items())

    F2, F3, F4, F5 = (total({(k,): 1}) for k in (2, 3, 4, 5))
    k22, k32, k42, k33, k222, k322, k2222 = map(total, _CUMULANTS.values())
    return {
        (2,): F2,
        (3,): F3,
        (4,): F4,
        (5,): F5,
        (2, 2): F2**2 + k22,
        (3, 2): F3 * F2 + k32,
        (4, 2): F4 * F2 + k42,
        (3, 3): F3**2 + k33,
        (2, 2, 2): F2**3 + 3 * F2 * k22 + k222,
        (3, 2, 2): F3 * F2**2 + F3 * k22 + 2 * F2 * k32 + k322,
        (2, 2, 2, 2): F2**4 + 6 * F2**2 * k22 + 4 * F2 * k222 + 3 * k22**2 + k2222,
    }
