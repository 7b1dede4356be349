"""Best partners: what the largest overlap of each cluster accounts for, and who is nearest to whom."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers, Sum, sums_by
from concordant.counts.availability import Need
from concordant.counts.best import Best, Shares
from concordant.counts.overlaps import CountView, Overlaps, TableView, best_shares
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts


class Matches(CountView):
    """What the best partner of each cluster accounts for."""

    needs: ClassVar[Need] = Need.BEST  # from the table, or from an engine that keeps the table to itself
    with_weights: ClassVar[bool] = True

    def __init__(self, profile: Profile | PartialOverlap, exact: bool) -> None:
        super().__init__(profile, exact)
        self._profile = profile

    @classmethod
    def of_partial_overlap(cls, cells: PartialOverlap, exact: bool) -> Self:
        return cls(cells, exact)

    @classmethod
    def of_weights(cls, counts: WeightedCounts, exact: bool) -> Self:
        """The partners with the most weight, in parts; only ratios of them have a meaning."""
        return cls(counts.weights, exact)

    @cached_property
    def _best(self) -> tuple[Best, Best] | tuple[_BestOfTable, _BestOfTable]:
        return self._profile.best or _best_of_table(self._profile)

    @property
    def _of_rows(self) -> Best | _BestOfTable:
        return self._best[0]

    @property
    def _of_columns(self) -> Best | _BestOfTable:
        return self._best[1]

    @cached_property
    def rows_best(self) -> int:
        """Σ_i max_j n_ij."""
        return self._counted(self._of_rows.overlap)

    @cached_property
    def columns_best(self) -> int:
        """Σ_j max_i n_ij."""
        return self._counted(self._of_columns.overlap)

    @cached_property
    def largest_row(self) -> int:
        return self._counted(max(self.row_sizes, default=0))

    @cached_property
    def largest_column(self) -> int:
        return self._counted(max(self.column_sizes, default=0))

    @cached_property
    def rows_f1(self) -> Sum:
        """Σ_i max_j 2n_ij/(a_i+b_j)."""
        return self._f1(self._of_rows.shares)

    @cached_property
    def columns_f1(self) -> Sum:
        """Σ_j max_i 2n_ij/(a_i+b_j)."""
        return self._f1(self._of_columns.shares)

    @cached_property
    def rows_f1_weighted(self) -> Sum:
        """Σ_i a_i max_j 2n_ij/(a_i+b_j)."""
        return self._f1(self._of_rows.shares, weighted=True)

    @cached_property
    def columns_f1_weighted(self) -> Sum:
        """Σ_j b_j max_i 2n_ij/(a_i+b_j)."""
        return self._f1(self._of_columns.shares, weighted=True)

    @cached_property
    def rows_jaccard(self) -> Sum:
        """Σ_i max_j n_ij/(a_i+b_j−n_ij)."""
        return self._jaccard(self._of_rows.shares)

    @cached_property
    def columns_jaccard(self) -> Sum:
        """Σ_j max_i n_ij/(a_i+b_j−n_ij)."""
        return self._jaccard(self._of_columns.shares)

    @cached_property
    def rows_jaccard_weighted(self) -> Sum:
        """Σ_i a_i max_j n_ij/(a_i+b_j−n_ij)."""
        return self._jaccard(self._of_rows.shares, weighted=True)

    @cached_property
    def columns_jaccard_weighted(self) -> Sum:
        """Σ_j b_j max_i n_ij/(a_i+b_j−n_ij)."""
        return self._jaccard(self._of_columns.shares, weighted=True)

    @cached_property
    def weakest_row(self) -> Sum:
        """min_i Σ_j C(n_ij, 2) / C(a_i, 2) over clusters of two and more elements."""
        return _defined(self._of_rows.weakest)

    @cached_property
    def weakest_column(self) -> Sum:
        """min_j Σ_i C(n_ij, 2) / C(b_j, 2) over clusters of two and more elements."""
        return _defined(self._of_columns.weakest)

    def _f1(self, shares: Shares, weighted: bool = False) -> Sum:
        clusters = shares.count * shares.size if weighted else shares.count
        return self._total(2 * shares.part * clusters, shares.whole)

    def _jaccard(self, shares: Shares, weighted: bool = False) -> Sum:
        clusters = shares.count * shares.size if weighted else shares.count
        return self._total(shares.part * clusters, shares.whole - shares.part)


def _defined(weakest: Fraction | None) -> Sum:
    if weakest is None:
        raise ZeroDivisionError("no cluster has two elements")
    return weakest


class _BestOfTable:
    """The best partners of the rows, or of the columns, found in the table when they are asked for."""

    def __init__(self, cells: Overlaps, *, of_rows: bool) -> None:
        self._cells, self._of_rows = cells, of_rows
        self._sizes = cells.row_sizes if of_rows else cells.column_sizes

    @cached_property
    def overlap(self) -> int:
        largest = self._cells.row_largest if self._of_rows else self._cells.column_largest
        return int(self._cells.n[largest].sum())

    @cached_property
    def shares(self) -> Shares:
        cells = self._cells
        best = cells.row_nearest if self._of_rows else cells.column_nearest
        sizes = (cells.a if self._of_rows else cells.b)[best]  # a cluster that meets nothing has no share
        return Shares.counted(sizes, cells.n[best], cells.a[best] + cells.b[best], np.ones_like(best))

    @cached_property
    def weakest(self) -> Fraction | None:
        n, group = self._cells.n, self._cells.row if self._of_rows else self._cells.column
        together, whole = sums_by(group, n * (n - 1)), self._sizes * (self._sizes - 1)
        many = whole > 0
        if not many.any():
            return None
        together, whole = together[many], whole[many]
        lowest = int(best_shares(np.zeros(len(whole), dtype=np.int64), -together, whole)[0])
        return Fraction(int(together[lowest]), int(whole[lowest]))


def _best_of_table(profile: Profile | PartialOverlap) -> tuple[_BestOfTable, _BestOfTable]:
    cells = profile.view(Overlaps)
    return _BestOfTable(cells, of_rows=True), _BestOfTable(cells, of_rows=False)


class Nearest(TableView):
    """Which clusters are the nearest of some cluster on the other side."""

    @cached_property
    def orphan_rows(self) -> int:
        """Reference clusters that are the nearest, by Jaccard, of no candidate cluster."""
        cells = self._cells
        return self.rows - self._counted(self._nearest(cells.column, cells.row, cells.column_nearest))

    @cached_property
    def orphan_columns(self) -> int:
        """Candidate clusters that are the nearest, by Jaccard, of no reference cluster."""
        cells = self._cells
        return self.columns - self._counted(self._nearest(cells.row, cells.column, cells.row_nearest))

    def _nearest(self, group: Integers, partner: Integers, best: NDArray[np.int64]) -> int:
        """How many partners can be somebody's nearest, when each picks one of its equally near ones."""
        union = self._cells.union
        near = self._n * union[best][group] == union * self._n[best][group]
        group, partner = group[near], partner[near]
        # A cluster with a single nearest partner takes it, and no other choice could do better.
        has_choice = np.bincount(group)[group] > 1
        taken = np.zeros(int(partner.max(initial=-1)) + 1, dtype=bool)
        taken[partner[~has_choice]] = True
        free = has_choice & ~taken[partner]
        more = core.assignment(group[free], partner[free], np.ones(int(free.sum()), dtype=np.int64))
        return int(taken.sum()) + len(more)
