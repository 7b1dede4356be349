"""Mean, variance, skewness and kurtosis of N₁₁ when the elements are permuted, exact at any size.

r different pairs of elements are the edges of a graph. The mean number of ordered r-tuples of pairs that
are together in both partitions is a sum over graphs: how often each fits into U, times how often into V,
over how often into the whole set. How often it fits depends only on the sizes s of its connected parts:
I_s, the ways to place its vertices with each part inside one cluster. Clusters are independent of each
other, so I_s follows from sums over the clusters as moments follow from cumulants.

Σ n·a·b over the overlaps is a sum over the elements: each counts the size of its cluster of U times that of
its cluster of V. A power of it marks vertices of the graph, and a part with m marks weighs aᵐ.

For r up to 2 and no marks this is Hubert & Arabie 1985 and Steinley, Brusco & Hubert 2016, Psychol. Methods
21:261.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, reduce
from itertools import combinations
from math import comb, factorial, perm, prod
from operator import mul

from concordant.counts.arithmetic import root
from concordant.counts.profile import Profile

GraphPart = tuple[int, int]  # how many vertices a connected part of a graph has, and how many marks
Parts = tuple[GraphPart, ...]

# The number of set partitions of r pairs with each number of parts: rʳ by products of falling factors.
_STIRLING = ((1,), (0, 1), (0, 1, 1), (0, 1, 3, 1), (0, 1, 7, 6, 1))
_MOST_POWER = 8  # of a cluster size, in all that is summed


@dataclass(frozen=True, slots=True)
class Moments:
    """Moments of the number of pairs together in both partitions, over all permutations.

    The last two are central moments.
    """

    mean: Fraction
    variance: Fraction
    third: Fraction
    fourth: Fraction

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

    @property
    def kurtosis(self) -> Fraction:
        """Fourth central moment over the squared variance: 3 for a normal distribution, zero if constant."""
        return self.fourth / self.variance**2 if self.variance else Fraction(0)


def moments(profile: Profile, weight_of_nab: Fraction = Fraction(0)) -> Moments:
    """The moments of N₁₁ for the cluster sizes of a profile; or those of N₁₁ plus a multiple of Σ n·a·b.

    >>> found = moments(Profile.from_contingency([[1, 1], [1, 1]]))
    >>> found.mean, found.variance, float(found.kurtosis)
    (Fraction(2, 3), Fraction(8, 9), 1.5)
    """
    rows, columns = (tuple(sorted(sizes.items())) for sizes in (profile.row_sizes, profile.column_sizes))
    return _moments(*sorted((rows, columns)), profile.size, weight_of_nab)


@lru_cache(maxsize=64)
def _moments(
    rows: tuple[tuple[int, int], ...], columns: tuple[tuple[int, int], ...], n: int, weight: Fraction
) -> Moments:
    of_u, of_v = (
        [sum(count * size**k for size, count in sizes) for k in range(_MOST_POWER + 1)]
        for sizes in (rows, columns)
    )

    @cache
    def of_tuples(pairs: int, marks: int) -> Fraction:
        """The mean number of ordered tuples of different pairs in N₁₁, times a power of Σ n·a·b."""
        terms = (
            (size, ways * _placements(parts, of_u) * _placements(parts, of_v))
            for parts, ways in _graphs(pairs, marks).items()
            if (size := sum(vertices for vertices, _ in parts)) <= n
        )
        return sum((term / perm(n, size) for size, term in terms), Fraction(0))

    def of_powers(pairs: int, marks: int) -> Fraction:
        known = enumerate(_STIRLING[pairs])
        return sum((ways * of_tuples(different, marks) for different, ways in known if ways), Fraction(0))

    m1, m2, m3, m4 = (
        sum(
            (
                comb(r, marks) * weight**marks * of_powers(r - marks, marks)
                for marks in range(r + 1 if weight else 1)
            ),
            Fraction(0),
        )
        for r in (1, 2, 3, 4)
    )
    return Moments(
        mean=m1,
        variance=m2 - m1**2,
        third=m3 - 3 * m1 * m2 + 2 * m1**3,
        fourth=m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4,
    )


# -- graphs -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Graph:
    """Different edges between numbered vertices, and how many marks each vertex has."""

    edges: frozenset[tuple[int, int]]
    marks: tuple[int, ...]

    def with_edge(self) -> Iterator[tuple[_Graph, Fraction]]:
        """With one edge more: between two vertices, from one to a new one, or between two new ones."""
        new = len(self.marks)
        for edge in combinations(range(new), 2):
            if edge not in self.edges:
                yield _Graph(self.edges | {edge}, self.marks), Fraction(1)
        for vertex in range(new):
            yield _Graph(self.edges | {(vertex, new)}, (*self.marks, 0)), Fraction(1)
        # Two new ones can be placed in either order, and are the same pair.
        yield _Graph(self.edges | {(new, new + 1)}, (*self.marks, 0, 0)), Fraction(1, 2)

    def with_mark(self) -> Iterator[tuple[_Graph, Fraction]]:
        """With one mark more, on any vertex or on a new one."""
        for vertex, marks in enumerate(self.marks):
            marked = (*self.marks[:vertex], marks + 1, *self.marks[vertex + 1 :])
            yield _Graph(self.edges, marked), Fraction(1)
        yield _Graph(self.edges, (*self.marks, 1)), Fraction(1)

    @property
    def parts(self) -> Parts:
        part = list(range(len(self.marks)))
        for one, other in self.edges:
            joined, gone = part[one], part[other]
            part = [joined if each == gone else each for each in part]
        found: dict[int, GraphPart] = {}
        for name, marks in zip(part, self.marks, strict=True):
            vertices, before = found.get(name, (0, 0))
            found[name] = vertices + 1, before + marks
        return tuple(sorted(found.values(), reverse=True))


@cache
def _graphs(pairs: int, marks: int) -> Mapping[Parts, Fraction]:
    """How many ordered tuples of different pairs and of marks form a graph of these parts, for each place.

    >>> {parts: str(ways) for parts, ways in _graphs(2, 0).items()}
    {((3, 0),): '1', ((2, 0), (2, 0)): '1/4'}
    """
    ways = {_Graph(frozenset(), ()): Fraction(1)}
    for step in (*[_Graph.with_edge] * pairs, *[_Graph.with_mark] * marks):
        more: defaultdict[_Graph, Fraction] = defaultdict(Fraction)
        for graph, many in ways.items():
            for larger, share in step(graph):
                more[larger] += many * share
        ways = more
    found: defaultdict[Parts, Fraction] = defaultdict(Fraction)
    for graph, many in ways.items():
        found[graph.parts] += many
    return dict(found)


# -- how often a graph fits into a partition ----------------------------------------------------------------


def _placements(parts: Parts, power_sums: Sequence[int]) -> int:
    """I_s of one partition: the ways to place a graph, each part inside one cluster, by their weights.

    A sum over all ways to choose which parts depend on each other, of products of their cumulants.
    ``power_sums`` are Σ sizeᵏ over the clusters.
    """

    def cumulant(together: Parts) -> int:
        """The contribution of choosing one cluster for several parts, over all clusters."""
        return sum(map(mul, _cumulant_terms(tuple(sorted(together))), power_sums))

    return sum(prod(map(cumulant, blocks)) for blocks in _set_partitions(parts))


@cache
def _set_partitions(parts: Parts) -> list[list[Parts]]:
    if not parts:
        return [[]]
    first, found = parts[0], []
    for rest in _set_partitions(parts[1:]):
        found.append([(first,), *rest])
        for place, block in enumerate(rest):
            found.append([*rest[:place], (first, *block), *rest[place + 1 :]])
    return found


@cache
def _cumulant_terms(parts: Parts) -> Sequence[int]:
    """The cumulant of these parts in one cluster, a polynomial of its size by its coefficients."""
    total = [0] * (_MOST_POWER + 1)
    for blocks in _set_partitions(parts):
        sign = (-1) ** (len(blocks) - 1) * factorial(len(blocks) - 1)
        # x(x−1)…(x−k+1)·xᵐ: the ways to place k vertices in a cluster of size x, and what m marks weigh.
        factors = []
        for block in blocks:
            vertices, marks = (sum(each) for each in zip(*block, strict=True))
            factors.append(reduce(_times, ([-i, 1] for i in range(vertices)), [0] * marks + [1]))
        cluster = reduce(_times, factors)
        for power, coefficient in enumerate(cluster):
            total[power] += sign * coefficient
    return total


def _times(one: list[int], other: list[int]) -> list[int]:
    """The product of two polynomials, by their coefficients."""
    product = [0] * (len(one) + len(other) - 1)
    for i, x in enumerate(one):
        for j, y in enumerate(other):
            product[i + j] += x * y
    return product


# -- proven bounds on the p-value of N₁₁ --------------------------------------------------------------------


@lru_cache(maxsize=64)  # indices that share N₁₁ share the bound
def log_bound(known: Moments, excess: Fraction, steps: int | None) -> float:
    """log of a bound on the probability of a deviation from the mean as large as ``excess``, on its side.

    The smallest of Cantelli's inequality, Markov's inequality for the fourth moment, and, given the squared
    steps of a martingale, Azuma's inequality.

    >>> profile = Profile.from_contingency([[20, 0, 0], [0, 20, 0], [0, 0, 20]])
    >>> known = moments(profile)
    >>> round(log_bound(known, 450 - known.mean, squared_steps(profile)), 4)
    -11.6928
    """
    if not excess:
        return 0.0
    square = excess * excess
    z_square = float(square / known.variance)
    logs = [-math.log1p(z_square), math.log(known.kurtosis) - 2 * math.log(z_square)]
    if steps is not None:
        logs.append(-float(2 * square / steps))
    return min(*logs, 0.0)


def squared_steps(profile: Profile) -> int:
    """Sum of the squared steps of N₁₁ if the labels are revealed one by one, which is a martingale.

    Swapping the labels of two elements moves N₁₁ by at most ``step``. Labels of singletons do not matter.

    >>> squared_steps(Profile.from_contingency([[20, 0, 0], [0, 20, 0], [0, 0, 20]]))
    85196
    """
    sides = profile.row_sizes, profile.column_sizes
    largest = (_two_largest(side) for side in sides)
    step: int = sum(max(min(pair) - 1, 0) for pair in zip(*largest, strict=True))
    reveals = min(profile.size - 1, *(profile.size - side.get(1, 0) for side in sides))
    return reveals * step * step


def _two_largest(side: Mapping[int, int]) -> list[int]:
    sizes = [size for size in sorted(side)[-2:] for _ in range(min(side[size], 2))]
    return [*sizes[::-1], 0][:2]


def bound_of(log_p: float) -> float:
    """The probability with this logarithm, rounded up; never 0.

    >>> bound_of(-1e6) > 0, bound_of(0.0)
    (True, 1.0)
    """
    return min(max(math.exp(log_p + 1e-15 * (1 - log_p)), sys.float_info.min), 1.0)
