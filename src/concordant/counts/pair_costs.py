"""The cost of disagreement: the missed and the wrong pairs, by overlap, by cluster and by component.

A pair of records that is together in the reference only is missed; one that is together in the candidate
only is wrong. Each such pair is charged to one overlap. A missed pair has its records in two cells of one
row; the smaller cell is the stray and is charged, of equal ones the later in `Overlaps.row_order`. A wrong
pair, in two cells of one column, likewise. So the charges of the overlaps add up to those of the clusters and
of the components, and to n10 and n01 of the whole.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import Detail, View
from concordant.counts.overlaps import DisagreeingClusters, Overlaps, OverlapView
from concordant.counts.profile import Profile
from concordant.maths.arithmetic import Integers, sums_by


class Costs(View):
    """Missed and wrong pairs; rows are reference clusters, columns candidate clusters, cells overlaps."""

    needs: ClassVar[Detail] = Detail.TABLE

    def __init__(self, profile: Profile) -> None:
        self._profile, part = profile, profile.view(DisagreeingClusters)
        # A cluster that both sides have costs nothing; where all differ, the costs are computed here.
        self._part, self._of_part = part, None if part.profile is profile else part.profile.view(Costs)

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(profile)

    @property
    def _overlaps(self) -> Overlaps:
        return self._profile.view(Overlaps)

    @cached_property
    def missed_of_cells(self) -> Integers:
        if self._of_part is None:
            return self._charged(*self._overlaps.row_order)
        return _spread(self._of_part.missed_of_cells, self._part.cells, self._profile.cells)

    @cached_property
    def wrong_of_cells(self) -> Integers:
        if self._of_part is None:
            return self._charged(*self._overlaps.column_order)
        return _spread(self._of_part.wrong_of_cells, self._part.cells, self._profile.cells)

    @cached_property
    def missed_of_rows(self) -> Integers:
        """C(a, 2) − Σ C(n, 2) of each reference cluster: the total charge of its cells."""
        if self._of_part is None:
            return self._torn(self._overlaps.row, self._overlaps.row_sizes)
        return self._of_rows(self._of_part.missed_of_rows)

    @cached_property
    def wrong_of_rows(self) -> Integers:
        if self._of_part is None:
            return sums_by(self._overlaps.row, self.wrong_of_cells, self._profile.rows)
        return self._of_rows(self._of_part.wrong_of_rows)

    @cached_property
    def missed_of_columns(self) -> Integers:
        if self._of_part is None:
            return sums_by(self._overlaps.column, self.missed_of_cells, self._profile.columns)
        return self._of_columns(self._of_part.missed_of_columns)

    @cached_property
    def wrong_of_columns(self) -> Integers:
        """C(b, 2) − Σ C(n, 2) of each candidate cluster: the total charge of its cells."""
        if self._of_part is None:
            return self._torn(self._overlaps.column, self._overlaps.column_sizes)
        return self._of_columns(self._of_part.wrong_of_columns)

    def _of_rows(self, costs: Integers) -> Integers:
        return _spread(costs, self._part.rows, self._profile.rows)

    def _of_columns(self, costs: Integers) -> Integers:
        return _spread(costs, self._part.columns, self._profile.columns)

    def _torn(self, cluster: Integers, sizes: Integers) -> Integers:
        """The pairs of each cluster that are in two of its cells."""
        n = self._overlaps.n
        torn: Integers = (sizes * sizes - sums_by(cluster, n * n, len(sizes))) // 2
        return torn

    def _charged(self, order: NDArray[np.int64], start: NDArray[np.int64]) -> Integers:
        """Each cell's records times those in earlier cells of its cluster, which are at least as large."""
        n = self._overlaps.n[order]
        before = np.cumsum(n) - n
        before -= np.repeat(before[start[:-1]], np.diff(start))
        charges = np.empty_like(n)
        charges[order] = n * before
        return charges


def _spread(costs: Integers, places: NDArray[np.int64], count: int) -> Integers:
    """The costs of clusters or cells that differ, and none of others."""
    spread: Integers = np.zeros(count, dtype=costs.dtype)
    spread[places] = costs
    return spread


class JoinComponents(OverlapView):
    """The connected components of the join: clusters linked by overlaps, directly or through others."""

    needs: ClassVar[Detail] = Detail.TABLE

    _counts: Profile

    @cached_property
    def count(self) -> int:
        part = self._counts.view(DisagreeingClusters)
        return self._counted(int(part.exact[1].sum()) + int(self._of_differing[0].max(initial=-1)) + 1)

    @property
    def of_row(self) -> NDArray[np.int64]:
        """The component of each reference cluster; numbered from 0 in the order of the clusters."""
        return self._numbers[0]

    @property
    def of_column(self) -> NDArray[np.int64]:
        """The component of each candidate cluster."""
        return self._numbers[1]

    @cached_property
    def _of_differing(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The components of the clusters that differ; every other cluster is its own component."""
        table = self._counts.view(DisagreeingClusters).profile.table
        return core.blocks(table.row, table.column)

    @cached_property
    def _numbers(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        o, part, (rows, columns) = self._cells, self._counts.view(DisagreeingClusters), self._of_differing
        if part.profile is self._counts:
            return rows, columns
        first = part.rows[np.flatnonzero(np.diff(np.maximum.accumulate(rows), prepend=-1))]
        begins = np.ones(len(o.row_sizes), dtype=bool)  # whether a component has no earlier row
        begins[part.rows] = False
        begins[first] = True
        of_row, of_column = np.cumsum(begins) - 1, np.empty(len(o.column_sizes), dtype=np.int64)
        of_column[o.column] = of_row[o.row]
        number = of_row[first]
        of_row[part.rows], of_column[part.columns] = number[rows], number[columns]
        return of_row, of_column
