"""Sums over the overlaps of the share that an overlap has in its clusters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, fsum
from typing import Any, ClassVar, Self

import numpy as np

from concordant.counts.base import WeightClass
from concordant.counts.overlaps import OverlapView
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts, WeightProfile
from concordant.maths.arithmetic import (
    FEW_DENOMINATORS,
    Floats,
    Integers,
    Sum,
    as_integers,
    distinct_sizes,
    sums_by,
)
from concordant.maths.hypergeometric import afford, expected_of_sizes, in_fixed_order, terms, weighted_sizes

# Binomials of up to this many elements are cheap.
_SMALL = 1000


class Elements(OverlapView):
    """Sums over the overlaps of the share that an overlap has in its clusters."""

    weight_class: ClassVar[WeightClass] = "shares"
    linear: ClassVar[bool] = True

    _counts: Profile | PartialOverlap
    weighted: WeightedCounts | None = None  # if elements have weights

    def __init__(self, counts: Profile | PartialOverlap, exact: bool) -> None:
        super().__init__(counts, exact)
        self.common: int = self._counted(counts.common)  # elements of both sides

    @classmethod
    def of_weights(cls, counts: WeightedCounts, exact: bool) -> Self:
        """Sums of weights, in parts; only ratios of them have a meaning."""
        view = super().of_weights(counts, exact)
        view.weighted = counts
        return view

    @classmethod
    def by_chance(cls, profile: Profile) -> ShuffledElements:  # one of its kind
        return ShuffledElements(profile, exact=False)

    @cached_property
    def cells(self) -> Sum:
        """Overlaps."""
        return self._number(self._counts.cells)

    @cached_property
    def kept(self) -> Sum:
        """Clusters that both partitions have."""
        p = self._counts
        return self._number(int(p.count[(p.n == p.a) & (p.n == p.b)].sum()))

    @cached_property
    def whole_rows(self) -> Sum:
        """Reference clusters inside one cluster of the candidate."""
        p = self._counts
        return self._number(int(p.count[p.n == p.a].sum()))

    @cached_property
    def whole_columns(self) -> Sum:
        """Candidate clusters inside one cluster of the reference."""
        p = self._counts
        return self._number(int(p.count[p.n == p.b].sum()))

    @cached_property
    def aa(self) -> Sum:
        """Σ a²."""
        return self._number(self._squares[1])

    @cached_property
    def bb(self) -> Sum:
        """Σ b²."""
        return self._number(self._squares[2])

    @property
    def _squares(self) -> tuple[int, int, int]:
        assert isinstance(self._counts, Profile)  # no index of a partial overlap reads this
        return self._counts.squares

    @cached_property
    def over_a(self) -> Sum:
        """Σ n²/a."""
        return self._own_shares(of_rows=True)

    @cached_property
    def over_b(self) -> Sum:
        """Σ n²/b."""
        return self._own_shares(of_rows=False)

    @cached_property
    def over_larger(self) -> Sum:
        """Σ n²/max(a, b)."""
        return self._sum(self._counts.n, np.maximum(self._counts.a, self._counts.b))

    @cached_property
    def over_smaller(self) -> Sum:
        """Σ n²/min(a, b)."""
        return self._sum(self._counts.n, np.minimum(self._counts.a, self._counts.b))

    @cached_property
    def over_union(self) -> Sum:
        """Σ n²/(a + b − n)."""
        return self._sum(self._counts.n, self._counts.a + self._counts.b - self._counts.n)

    @cached_property
    def over_product(self) -> Sum:
        """Σ n²/(a·b), at least 1: exactly 1 for independent partitions."""
        return 1 + self.dependence

    @cached_property
    def over_aa(self) -> Sum:
        """Σ n²/a²."""
        return self._sum(self._counts.n, self._wide(self._counts.a) * self._counts.a)

    @property
    def outside_u(self) -> Sum:
        """Σ n(a − n)/a: the co-members in U that elements lose in V."""
        return self.size - self.over_a

    @property
    def outside_v(self) -> Sum:
        """Σ n(b − n)/b: the co-members in V that elements lose in U."""
        return self.size - self.over_b

    @cached_property
    def links_of_u(self) -> Sum:
        """Σ n(n−1)/(a−1), a singleton counting 1 where it is one on the other side too.

        With weights Σ_i a(Σ_j n² − Σw²)/(a² − Σw²), and a singleton counts its weight.
        """
        if self.weighted is not None:
            return self._weighted_links(self.weighted, of_rows=True)
        return self._links(self._counts.a, self._counts.b)

    @cached_property
    def links_of_v(self) -> Sum:
        """The same of the candidate: Σ n(n−1)/(b−1)."""
        if self.weighted is not None:
            return self._weighted_links(self.weighted, of_rows=False)
        return self._links(self._counts.b, self._counts.a)

    @cached_property
    def dependence(self) -> Sum:
        """Mean square contingency χ²/n, as a sum of terms that are never negative."""
        p, size = self._counts, self._counts.size
        n, a, b = (self._wide(x) for x in (p.n, p.a, p.b))
        independent = a * b
        if not size:
            return Fraction(0)
        if self._exact or len(np.unique(independent)) <= FEW_DENOMINATORS:
            return self._total(p.count * n * n, independent) - 1
        excess = (n * size - independent).astype(np.float64)
        met = fsum((p.count * excess * (excess / independent.astype(np.float64))).tolist())
        # The expected counts of the empty cells under independence.
        missed = size * size - int((p.count * independent).sum())
        floating: Any = (met + missed) / (size * size)
        return floating  # type: ignore[no-any-return]  # see Sum

    @cached_property
    def apart(self) -> Sum:
        """K + L − 2Σ n²/(a·b), as a sum of terms that are never negative."""
        p = self._counts
        n, a, b = (self._wide(x) for x in (p.n, p.a, p.b))
        return self._total(p.count * n * (a + b - 2 * n), a * b)

    @cached_property
    def gain_from_u(self) -> Sum:
        """Σ n²/a − Σb²/size: the improvement in predicting the cluster of V if U is known."""
        return self._gain(self._counts.a, self._counts.b, self._squares[2], self.over_a)

    @cached_property
    def gain_from_v(self) -> Sum:
        """Σ n²/b − Σa²/size: the improvement in predicting the cluster of U if V is known."""
        return self._gain(self._counts.b, self._counts.a, self._squares[1], self.over_b)

    def _gain(self, given: Integers, guessed: Integers, squares: int, known: Sum) -> Sum:
        p, size = self._counts, self._counts.size
        if self._exact or len(distinct_sizes(given)[0]) <= FEW_DENOMINATORS:
            return known - Fraction(squares, size) if size else known
        # As a sum of terms that are never negative: (n − a·b/size)²/given over all cells, empty ones too.
        n, x, y = (self._wide(values) for values in (p.n, given, guessed))
        excess = (n * size - x * y).astype(np.float64) / size
        met = fsum((p.count * excess * excess / x).astype(np.float64).tolist())
        missed = squares * size - int((p.count * x * y * y).sum())
        floating: Any = met + missed / (size * size)
        return floating  # type: ignore[no-any-return]  # see Sum

    def _links(self, own: Integers, other: Integers) -> Sum:
        p = self._counts
        many = own > 1
        alone = int(p.count[(own == 1) & (other == 1)].sum())
        return self._total((p.mass * (p.n - 1))[many], (own - 1)[many]) + alone

    def _weighted_links(self, counts: WeightedCounts, *, of_rows: bool) -> Sum:
        cells, alike = counts.weights.table, counts.table
        group, sizes, own = (
            (cells.row, cells.row_sizes, counts.row_squares)
            if of_rows
            else (cells.column, cells.column_sizes, counts.column_squares)
        )
        n, sizes, own = (as_integers(values, counts.weights.size**3) for values in (cells.n, sizes, own))
        links, pairs = sums_by(group, n * n, len(sizes)) - own, sizes * sizes - own
        many = np.asarray(pairs > 0)
        alone = (alike.a == 1) & (alike.b == 1) & ~many[group]
        kept = self._total((sizes * links)[many], pairs[many])
        return kept + self._number(int(cells.n[alone].sum()))

    def _number(self, count: int) -> Sum:
        """The count, as a Fraction where exact values are wanted."""
        number: Any = self._counted(count)
        return number  # type: ignore[no-any-return]  # both support the same arithmetic

    def _own_shares(self, *, of_rows: bool) -> Sum:
        p = self._counts
        if isinstance(p, WeightProfile):
            return p.square_shares(of_rows=of_rows, exact=self._exact)
        return self._sum(p.n, p.a if of_rows else p.b)

    def _sum(self, numerator: Integers, denominator: Integers) -> Sum:
        return self._total(self._counts.mass * numerator, denominator)

    def _wide(self, values: Integers) -> Integers:
        """A type for products of three sizes; int64 suffices up to some two million elements."""
        return values if self._counts.size < 2**20 else values.astype(object)


class ShuffledElements(Elements):
    """The mean of each of these sums over permutations of the elements with fixed cluster sizes.

    Σ over all pairs of clusters of E[n²] = ab/N + a(a−1)b(b−1)/(N(N−1)), N the size of the set.
    """

    @classmethod
    def by_chance(cls, profile: Profile) -> ShuffledElements:
        return cls(profile, exact=False)  # of the sizes alone

    def __init__(self, profile: Profile, exact: bool) -> None:
        super().__init__(profile, exact)
        n = profile.size
        self._pairs = max(n * (n - 1), 1)
        self._in_u, self._in_v = (profile.total(sizes) - n for sizes in (profile.a, profile.b))
        self._singles = profile.row_sizes.get(1, 0), profile.column_sizes.get(1, 0)

    @cached_property
    def kept(self) -> Sum:
        rows, columns, n = self._counts.row_sizes, self._counts.column_sizes, self._counts.size
        alike = [(rows[size] * columns[size], comb(n, size)) for size in rows if size in columns]
        if self._exact:
            return sum((Fraction(*each) for each in alike), Fraction(0))
        floating: Any = fsum(many / ways for many, ways in alike)
        return floating  # type: ignore[no-any-return]  # see Sum

    @cached_property
    def cells(self) -> Sum:
        rows, columns, n = self._counts.row_sizes, self._counts.column_sizes, self._counts.size
        if self._exact or (len(rows) * len(columns) <= FEW_DENOMINATORS and n <= _SMALL):
            met = (
                rows[a] * columns[b] * (1 - Fraction(comb(n - a, b), comb(n, b)))
                for a, b in product(rows, columns)
            )
            return sum(met, Fraction(0))
        return self._mean(lambda k, _: (k > 0).astype(np.float64))

    @cached_property
    def over_a(self) -> Sum:
        if self.weighted is not None:
            return self._weighted_mean(self.weighted, of_rows=True)
        return self.rows + Fraction((self._counts.size - self._counts.rows) * self._in_v, self._pairs)

    @cached_property
    def over_b(self) -> Sum:
        if self.weighted is not None:
            return self._weighted_mean(self.weighted, of_rows=False)
        return self.columns + Fraction((self._counts.size - self._counts.columns) * self._in_u, self._pairs)

    @cached_property
    def over_larger(self) -> Sum:
        """Σ min(a, b)/N + min(a, b)(a−1)(b−1)/(N(N−1)), by sums over the sizes up to each."""
        n = self._counts.size
        if not n:
            return Fraction(0)
        rows, columns = self._counts.row_sizes, self._counts.column_sizes
        single = double = 0
        for smaller, larger, at_most in ((rows, columns, False), (columns, rows, True)):
            left, above = sorted(larger.items(), reverse=True), [0, 0]
            for size, count in sorted(smaller.items(), reverse=True):
                while left and (left[0][0] > size or (at_most and left[0][0] == size)):
                    other, many = left.pop(0)
                    above = [above[0] + many, above[1] + many * (other - 1)]
                single += count * size * above[0]
                double += count * size * (size - 1) * above[1]
        return Fraction(single, n) + Fraction(double, self._pairs)

    @cached_property
    def over_smaller(self) -> Sum:
        """As 1/min(a, b) + 1/max(a, b) = 1/a + 1/b."""
        return self.over_a + self.over_b - self.over_larger

    @cached_property
    def over_union(self) -> Sum:
        return self._mean(lambda k, both: k * k / np.maximum(both - k, 1))

    @cached_property
    def over_aa(self) -> Sum:
        sizes = self._counts.row_sizes
        inverse: Any = self._inverses(sizes)
        return inverse + Fraction(self._in_v, self._pairs) * (self._counts.rows - inverse)  # type: ignore[no-any-return]  # see Sum

    @cached_property
    def links_of_u(self) -> Sum:
        many = self._counts.size - self._singles[0]
        return Fraction(many * self._in_v, self._pairs) + self._single_pairs

    @cached_property
    def links_of_v(self) -> Sum:
        many = self._counts.size - self._singles[1]
        return Fraction(many * self._in_u, self._pairs) + self._single_pairs

    @cached_property
    def dependence(self) -> Sum:
        """(K−1)(L−1)/(N−1)."""
        return Fraction((self._counts.rows - 1) * (self._counts.columns - 1), max(self._counts.size - 1, 1))

    @cached_property
    def apart(self) -> Sum:
        return self.rows + self.columns - 2 * self.over_product

    @cached_property
    def gain_from_u(self) -> Sum:
        return self.over_a - Fraction(int(self.bb), max(self._counts.size, 1))

    @cached_property
    def gain_from_v(self) -> Sum:
        return self.over_b - Fraction(int(self.aa), max(self._counts.size, 1))

    def _weighted_mean(self, counts: WeightedCounts, *, of_rows: bool) -> Sum:
        """The mean of Σ n²/a, or Σ n²/b, over permutations of the labels of the other side.

        An element is always together with itself, and with another as often as two elements are there.
        """
        table, (of_u, of_v) = counts.weights.table, counts.shares_of_pairs
        sizes, own, share = table.row_sizes, counts.row_squares, of_v
        if not of_rows:
            sizes, own, share = table.column_sizes, counts.column_squares, of_u
        itself: Any = self._total(own, sizes)
        return itself + (self.size - itself) * share  # type: ignore[no-any-return]  # see Sum

    @property
    def _single_pairs(self) -> Fraction:
        return Fraction(self._singles[0] * self._singles[1], max(self._counts.size, 1))

    def _inverses(self, sizes: Mapping[int, int]) -> Sum:
        """Σ 1/size over the clusters of one side."""
        numbers = np.array(list(sizes.values()), dtype=object), np.array(list(sizes), dtype=object)
        return self._total(*numbers)

    def _mean(self, term: Callable[[Floats, Floats], Floats]) -> Sum:
        """Σ over all pairs of clusters of E[term(overlap, a + b)]."""
        p = self._counts
        sides = in_fixed_order(weighted_sizes(p.row_sizes), weighted_sizes(p.column_sizes))
        if not p.size:
            return Fraction(0)
        afford(
            terms(p.size, *sides),
            "the mean over all permutations",
            "a sum of squares, such as element_centric,",
        )
        floating: Any = expected_of_sizes(*sides, p.size, term)
        return floating  # type: ignore[no-any-return]  # see Sum
