"""Loose cells: overlaps whose rows and columns need not add up to the sizes of the clusters.

A cluster may hold elements that the other side lacks altogether, as where a system finds a mention that
the key does not have, or may meet no cluster of the other side at all. What is counted: the multiset of
triples (n, a, b) as in a profile, with the full sizes a and b; the sizes of all clusters, met or not; the
elements of each side and those in common. When both sides hold the same elements, all of this follows
from the profile, and the profile is used.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from concordant.counts.arithmetic import Integers, product_sum, sums_by
from concordant.counts.availability import Availability
from concordant.counts.best import Best
from concordant.counts.profile import Profile, View, ViewT
from concordant.counts.table import LabelLookups, Table
from concordant.counts.triples import TableSource, Triples


class LooseTable(Table):
    """The non-empty cells, sorted by row, then column, and the sizes of all clusters beside them.

    Clusters that meet none of the other side have no cell; their numbers come after those that do.

    >>> table = LooseTable(np.array([0]), np.array([0]), np.array([2]), np.array([3, 1]), np.array([2]))
    >>> table.a.tolist(), table.row_sizes.tolist()
    ([3], [3, 1])
    """

    def __init__(
        self,
        row: Integers,
        column: Integers,
        n: Integers,
        row_sizes: Integers,
        column_sizes: Integers,
        *,
        labels: LabelLookups | None = None,
    ) -> None:
        super().__init__(row, column, n, labels=labels)
        self.row_sizes, self.column_sizes = row_sizes, column_sizes

    def transposed(self) -> LooseTable:
        turned = super().transposed()
        return LooseTable(
            turned.row, turned.column, turned.n, self.column_sizes, self.row_sizes, labels=turned.labels
        )


class PartialOverlapView(View):
    """A view that can be made of loose cells as well as of a profile."""

    __slots__ = ()

    @classmethod
    @abstractmethod
    def of_partial_overlap(cls, cells: PartialOverlap, exact: bool) -> Self:
        """The view of these cells; with ``exact`` its counts are Fractions."""


@dataclass(frozen=True, slots=True)
class Comparable:
    """How many pairs of elements can be asked whether they are together: all, or those of one document."""

    in_reference: int
    in_candidate: int
    in_both: int

    @classmethod
    def of(cls, reference: int, candidate: int, common: int) -> Self:
        """All pairs of so many elements of each side, and of so many that both have."""
        return cls(*(size * (size - 1) // 2 for size in (reference, candidate, common)))


class PartialOverlap(Triples):
    """Overlaps of clusters, where each side keeps elements that the other lacks.

    Clusters that meet nothing count among the rows and columns.

    >>> cells = PartialOverlap.of_table(
    ...     LooseTable(np.array([0]), np.array([0]), np.array([2]), np.array([3, 1]), np.array([2]))
    ... )
    >>> cells.reference_size, cells.candidate_size, cells.common, cells.rows, cells.columns
    (4, 2, 2, 2, 1)
    """

    reference_size: int
    candidate_size: int
    common: int
    comparable: Comparable

    _why_no_table = (
        "only the sizes of the clusters and overlaps were counted; compare the partitions themselves"
    )

    def __init__(
        self,
        triples: tuple[Any, Any, Any, Any],  # n, a, b and how many cells have these sizes
        sizes: tuple[Mapping[int, int], Mapping[int, int]],  # of all clusters, size -> how many
        *,
        met_squares: tuple[int, int]
        | None,  # Σ r², Σ c²: r, c the elements of a cluster that both sides have
        table: Table | TableSource | None = None,
        best: tuple[Best, Best] | None = None,  # of the reference and of the candidate
        comparable: Comparable | None = None,
    ) -> None:
        self._sizes = dict(sizes[0]), dict(sizes[1])
        self.reference_size, self.candidate_size = map(_elements, sizes)
        self.common = product_sum(triples[0], triples[3])
        super().__init__(triples, self.reference_size + self.candidate_size - self.common, table, best)
        self.met_squares = met_squares
        self.comparable = comparable or Comparable.of(self.reference_size, self.candidate_size, self.common)

    @property
    def row_sizes(self) -> dict[int, int]:
        return self._sizes[0]

    @property
    def column_sizes(self) -> dict[int, int]:
        return self._sizes[1]

    @classmethod
    def of_table(cls, table: LooseTable, comparable: Comparable | None = None) -> PartialOverlap:
        """From the cells and the sizes of all clusters."""
        profile = Profile.of_table(table)  # the distinct triples, by the core
        met = (sums_by(table.row, table.n), sums_by(table.column, table.n))
        return cls(
            (profile.n, profile.a, profile.b, profile.count),
            (_histogram(table.row_sizes), _histogram(table.column_sizes)),
            met_squares=(_squares(met[0]), _squares(met[1])),
            table=table,
            comparable=comparable,
        )

    @classmethod
    def of_profile(cls, profile: Profile) -> PartialOverlap:
        """The cells of two partitions of one set, which happen to add up."""
        return cls(
            (profile.n, profile.a, profile.b, profile.count),
            (profile.row_sizes, profile.column_sizes),
            met_squares=(profile.total(profile.a), profile.total(profile.b)),
            table=_OfProfile(profile),
            best=profile.best,
        )

    def within(self, comparable: Comparable) -> PartialOverlap:
        """The same cells, where only so many pairs of elements can be asked about."""
        return PartialOverlap(
            (self.n, self.a, self.b, self.count),
            (self.row_sizes, self.column_sizes),
            met_squares=self.met_squares,
            table=self._table,
            best=self.best,
            comparable=comparable,
        )

    @property
    def identical(self) -> bool:
        """Whether both sides hold the same elements in the same clusters."""
        return self.common == self.reference_size == self.candidate_size and bool(
            (self.n == self.a).all() and (self.n == self.b).all()
        )

    @property
    def disjoint(self) -> bool:
        """Whether no element is on both sides, though there are some."""
        return not self.common and self.size > 0

    def view(self, kind: type[ViewT], exact: bool = False) -> ViewT:
        """The view of that kind, computed once."""
        key = (kind, exact)
        if key not in self._views:
            if not issubclass(kind, PartialOverlapView):
                raise TypeError(f"{kind.__name__} needs two partitions of one set")
            self._views[key] = kind.of_partial_overlap(self, exact)
        view: ViewT = self._views[key]
        return view

    def __repr__(self) -> str:
        return (
            f"PartialOverlap({self.reference_size} and {self.candidate_size} elements, "
            f"{self.common} in common, "
            f"rows={self.rows}, columns={self.columns}, cells={self.cells})"
        )


@dataclass(frozen=True, slots=True)
class _OfProfile:
    """The table of a profile, which has all clusters in its cells."""

    profile: Profile

    @property
    def availability(self) -> Availability:
        return self.profile.availability

    def table(self) -> Table:
        return self.profile.table


def _elements(sizes: Mapping[int, int]) -> int:
    return sum(size * count for size, count in sizes.items())


def _histogram(sizes: Integers) -> Counter[int]:
    distinct, count = np.unique(sizes, return_counts=True)
    return Counter(dict(zip(distinct.tolist(), count.tolist(), strict=True)))


def _squares(sizes: Integers) -> int:
    return sum(size * size * count for size, count in _histogram(sizes).items())
