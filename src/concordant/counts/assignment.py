"""One-to-one matchings of the clusters of both sides."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import Detail, WeightClass
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.overlaps import OverlapView
from concordant.errors import TooLargeError
from concordant.maths.arithmetic import FEW_DENOMINATORS, Integers, Sum

# Shares are matched as integers of this many bits, so equal totals are equal to the last bit.
_SHARE_BITS = 60
_HALF = _SHARE_BITS // 2

_MOST_PAIRS = 10**6  # of clusters, all of which are examined

# The limit of the core: sums of two stay within 64 bits.
_LARGEST_WEIGHT = 2**61


class Assignment(OverlapView):
    """Totals of the best one-to-one matching of reference clusters to candidate clusters."""

    needs: ClassVar[Detail] = Detail.TABLE
    quick_cells: ClassVar[float] = 100_000
    weight_class: ClassVar[WeightClass] = "shares"

    @classmethod
    def of_covers(cls, counts: CoverCounts, exact: bool) -> Self:
        return cls(counts, exact)

    @cached_property
    def overlap(self) -> int:
        """Elements in matched clusters: max Σ n_ij."""
        return self._counted(int(self._cells.n[self._solve(self._cells.n)].sum()))

    @cached_property
    def f1(self) -> Sum:
        """max Σ 2n_ij/(a_i+b_j)."""
        return self._matched(2 * self._cells.n, self._cells.a + self._cells.b)

    @cached_property
    def over_larger(self) -> Sum:
        """max Σ n_ij/max(a_i, b_j)."""
        return self._matched(self._cells.n, np.maximum(self._cells.a, self._cells.b))

    @cached_property
    def over_a(self) -> Sum:
        """max Σ n_ij/a_i."""
        return self._matched(self._cells.n, self._cells.a)

    @cached_property
    def over_product(self) -> Sum:
        """max Σ n_ij²/(a_i·b_j)."""
        return self._matched(self._cells.n * self._cells.n, self._cells.a * self._cells.b)

    @cached_property
    def unmatched_least(self) -> int | Fraction:
        """min Σ (a_i + b_j − 2n_ij) over matchings that leave no cluster of the smaller side unmatched."""
        cells = self._cells
        few, many = sorted((int(self.rows), int(self.columns)))  # exact counts are Fractions
        if few * many > _MOST_PAIRS:
            raise TooLargeError(
                f"{few:,} clusters against {many:,} can be matched in too many ways, as those without an "
                "overlap count too; transfer_distance counts records of the best matching at any size"
            )
        costs = cells.row_sizes[:, None] + cells.column_sizes[None, :]
        costs[cells.row, cells.column] -= 2 * cells.n
        rows, columns = (x.ravel() for x in np.indices(costs.shape))
        weights = (
            int(costs.max(initial=0)) + 1 - costs.ravel()
        )  # all positive, so the number of matches is maximal
        chosen = one_to_one(rows, columns, self._cut(weights))
        return int(costs.ravel()[chosen].sum()) * self.unit

    def _matched(self, numerators: Integers, denominators: Integers) -> Sum:
        weights, scale = self._as_integers(numerators, denominators)
        chosen = self._solve(weights)
        if self._exact or len(np.unique(denominators[chosen])) <= FEW_DENOMINATORS:
            return self._total(numerators[chosen], denominators[chosen])
        # Every best matching has the same weight, so this does not depend on which one was found.
        return Fraction(sum(weights[chosen].tolist()), scale)

    def _as_integers(self, numerators: Integers, denominators: Integers) -> tuple[NDArray[np.int64], int]:
        """Shares as integers on a common scale: exact if the scale is small, else cut off after 60 bits."""
        scale = 1
        for denominator in np.unique(denominators).tolist():
            scale = lcm(scale, denominator)
            if scale >= 2**_SHARE_BITS:
                break
        else:
            return (numerators * (scale // denominators)).astype(np.int64), scale
        if int(denominators.max()) >= 2**32:
            numerators, denominators = numerators.astype(object), denominators.astype(object)
        shifted = numerators * 2**_HALF  # half of the digits at a time
        high, rest = shifted // denominators, shifted % denominators
        shares = high * 2**_HALF + rest * 2**_HALF // denominators
        return np.maximum(shares, 1).astype(np.int64), 2**_SHARE_BITS

    def _solve(self, weights: Integers) -> NDArray[np.int64]:
        return one_to_one(self._cells.row, self._cells.column, self._cut(weights))

    def _cut(self, weights: Integers) -> Integers:
        """The weights of a matching; where a float is wanted, the first 60 bits of them decide."""
        excess = int(weights.max(initial=0)).bit_length() - _SHARE_BITS
        return weights if excess <= 1 or self._exact else np.maximum(weights >> excess, 1)


def one_to_one(rows: Integers, columns: Integers, weights: Integers) -> NDArray[np.int64]:
    """Positions of the cells of a one-to-one matching with the largest total weight."""
    if int(weights.max(initial=0)) > _LARGEST_WEIGHT:
        raise TooLargeError(
            "no one-to-one matching: an overlap has more than 2**61 records or parts of a weight; use the "
            "float if you asked for the exact value, or an index that needs none, such as bcubed_f"
        )
    try:
        return core.assignment(rows, columns, weights.astype(np.int64))
    except core.ComponentTooLarge as error:
        raise TooLargeError(
            f"no one-to-one matching: {error}; use an index that needs none, such as split_join, "
            "bcubed_f or closest_cluster_f1"
        ) from error
