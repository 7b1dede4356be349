"""The cells with the sizes of their clusters, and what all views of them share."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers, Sum, sum_of_ratios
from concordant.counts.availability import Need
from concordant.counts.base import View
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile


class Overlaps(View):
    """The cells, the sizes of their clusters, and which cells of a cluster are the largest or the nearest."""

    row: Integers
    column: Integers
    n: Integers
    row_sizes: NDArray[Any]
    column_sizes: NDArray[Any]
    a: NDArray[Any]
    b: NDArray[Any]

    needs: ClassVar[Need] = Need.TABLE

    def __init__(self, profile: Profile | PartialOverlap) -> None:
        table = profile.table
        self.row, self.column = table.row, table.column
        # A sum of products of two sizes may be as large as the square of the whole.
        self.n = table.n if profile.size**2 < 2**63 else table.n.astype(object)
        wide = self.n is not table.n
        self.row_sizes = table.row_sizes.astype(object) if wide else table.row_sizes
        self.column_sizes = table.column_sizes.astype(object) if wide else table.column_sizes
        self.a, self.b = self.row_sizes[self.row], self.column_sizes[self.column]

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers are exact as they are)
        return cls(profile)

    @classmethod
    def of_partial_overlap(cls, cells: PartialOverlap, exact: bool) -> Self:  # noqa: ARG003  (as above)
        return cls(cells)

    @property
    def union(self) -> Integers:
        """Elements in either cluster, for each cell."""
        union: Integers = self.a + self.b - self.n
        return union

    @cached_property
    def row_largest(self) -> NDArray[np.int64]:
        """The cell with the largest overlap of each row; the first of equal ones."""
        return largest_in(self.row, self.n)

    @cached_property
    def column_largest(self) -> NDArray[np.int64]:
        return largest_in(self.column, self.n)

    @cached_property
    def row_nearest(self) -> NDArray[np.int64]:
        """The cell with the largest Jaccard index, and so the largest F1, of each row."""
        return best_shares(self.row, self.n, self.union)

    @cached_property
    def column_nearest(self) -> NDArray[np.int64]:
        return best_shares(self.column, self.n, self.union)


def ranks(sizes: Integers) -> NDArray[np.int64]:
    """Integers of 64 bits that compare as the sizes do."""
    if sizes.dtype == np.int64:
        return sizes
    return np.unique(sizes, return_inverse=True)[1].astype(np.int64)


def largest_in(group: Integers, sizes: Integers) -> NDArray[np.int64]:
    """For each group 0..k-1 the position of its largest size; the first of equal ones."""
    return core.best_fractions(group, ranks(sizes), np.ones(len(sizes), dtype=np.int64))


def best_shares(group: Integers, numerators: Integers, denominators: Integers) -> NDArray[np.int64]:
    """For each group 0..k-1 the position of the first cell with the largest share."""
    if numerators.dtype == np.int64:
        return core.best_fractions(group, numerators, denominators)
    best: dict[int, int] = {}
    for position, key in enumerate(group.tolist()):
        held = best.setdefault(key, position)
        if numerators[position] * denominators[held] > numerators[held] * denominators[position]:
            best[key] = position
    groups = int(group.max(initial=-1)) + 1
    return np.fromiter((best.get(key, -1) for key in range(groups)), dtype=np.int64, count=groups)


class CountView(View):
    """What all views here know: the sizes of the set and of its clusters."""

    row_sizes: dict[int, int]
    column_sizes: dict[int, int]

    def __init__(self, profile: Profile | PartialOverlap, exact: bool) -> None:
        number: Any = Fraction if exact else int  # both calculate alike
        self._exact = exact
        self.size: int = number(profile.size)
        self.in_u: int = number(profile.reference_size)
        self.in_v: int = number(profile.candidate_size)
        self.rows: int = number(profile.rows)
        self.columns: int = number(profile.columns)
        self.row_sizes = profile.row_sizes
        self.column_sizes = profile.column_sizes

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        return cls(profile, exact)

    def _counted(self, count: int) -> int:
        """The count, as a Fraction where exact values are wanted."""
        exact: Any = Fraction(count)
        return exact if self._exact else count

    def _total(self, numerators: Integers, denominators: Integers) -> Sum:
        return sum_of_ratios(numerators, denominators, self._exact)


class TableView(CountView):
    """A view of the cells, with the sizes of both clusters beside each."""

    needs: ClassVar[Need] = Need.TABLE

    def __init__(self, profile: Profile | PartialOverlap, exact: bool) -> None:
        super().__init__(profile, exact)
        self._cells = profile.view(Overlaps)
        self._n, self._a, self._b = self._cells.n, self._cells.a, self._cells.b
