"""Three-way cells: how many elements are in each overlap of a reference and two candidates.

Two contingency tables do not show what two systems do to the same elements. Three-way cells do: they count
the elements in each pair of overlaps, one of the first table and one of the second. A diff reads the sizes of
the clusters and overlaps that each cell belongs to; the reference is optional there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import Counts, CountsKind, RefusedIndex, View
from concordant.counts.contingency import Contingency
from concordant.errors import LengthError, ParameterError, Remedy, TooLargeError
from concordant.maths.arithmetic import Floats, Integers, Number, sum_of_ratios, sums_by


def check_three_way_limit(count: int, table_limit: int) -> None:
    """Refuse more overlaps of three partitions than may be listed."""
    if count > table_limit:
        raise TooLargeError(
            f"the three partitions have {count:,} overlaps, more than may be listed",
            given={"table_limit": table_limit},
            remedies=[Remedy("list more", table_limit=count)],
        )


@dataclass(frozen=True, slots=True)
class Units:
    """Which unit, such as a document, each element was drawn with: the elements of each cell in each unit."""

    count: int
    unit: Integers  # of each piece, a part of a cell
    cell: Integers
    n: Integers

    def in_table(self, cell: Integers) -> Units:
        """The same units in another table; ``cell`` maps each cell of this table to one of that table.

        >>> units = Units(1, np.array([0, 0]), np.array([0, 1]), np.array([2, 3]))
        >>> units.in_table(np.array([4, 4])).n.tolist()
        [5]
        """
        own = cell[self.cell]
        cells = int(own.max(initial=-1)) + 1
        key, which = np.unique(self.unit * cells + own, return_inverse=True)
        n = sums_by(np.asarray(which).reshape(-1), self.n, len(key))
        return Units(self.count, key // max(cells, 1), key % max(cells, 1), n)


@dataclass(frozen=True)
class ThreeWay:
    """The non-empty overlaps of three partitions, in order of reference, first and second.

    >>> cells = ThreeWay.of_labels(np.array([0, 0, 1, 1]), np.array([5, 5, 5, 6]), np.array([8, 9, 9, 9]))
    >>> [x.tolist() for x in (cells.reference, cells.first, cells.second, cells.n)]
    [[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 1, 1]]
    >>> cells.first_table.n.tolist(), cells.cell_of_first.tolist()
    ([2, 1, 1], [0, 0, 1, 2])
    """

    reference: Integers  # the cluster of each cell, counted from 0 in order of appearance
    first: Integers
    second: Integers
    n: Integers
    position: Integers  # of the first element of each cell
    cell: Integers  # of each element

    @classmethod
    def of_labels(cls, reference: NDArray[Any], first: NDArray[Any], second: NDArray[Any]) -> ThreeWay:
        """From three arrays of integer labels, element by element."""
        if not len(reference) == len(first) == len(second):
            raise LengthError(
                f"three partitions of one set have a label for each record: these have {len(reference):,}, "
                f"{len(first):,} and {len(second):,}"
            )
        u, v, w = (core.factorize(np.ascontiguousarray(labels))[0] for labels in (reference, first, second))
        cell = core.factorize(_paired(u, v))[0]
        three, position = core.factorize(_paired(cell, w))
        n = np.bincount(three, minlength=len(position)).astype(np.int64)
        order = np.lexsort((w[position], v[position], u[position]))
        place = position[order]
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return cls(u[place], v[place], w[place], n[order], place, rank[three])

    def __len__(self) -> int:
        return len(self.n)

    @property
    def sides(self) -> tuple[Integers, Integers, Integers]:
        """The clusters of each cell."""
        return self.reference, self.first, self.second

    def find(self, overlaps: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
        """The cells that are the overlaps of these clusters."""
        reference, first, second = np.array(overlaps, dtype=np.int64).reshape(-1, 3).T
        pairs, cells = self._keys
        pair = np.searchsorted(pairs, reference * (int(self.first.max(initial=0)) + 1) + first)
        return np.searchsorted(cells, pair * (int(self.second.max(initial=0)) + 1) + second)

    @cached_property
    def _keys(self) -> tuple[Integers, Integers]:
        """Numbers that grow with the cells of the first table and with the three-way cells."""
        table = self.first_table
        width = int(self.first.max(initial=0)) + 1
        return table.row * width + table.column, _paired(self.cell_of_first, self.second)

    def elements(self, overlaps: Sequence[tuple[int, ...]], each: int) -> list[list[int]]:
        """Up to ``each`` elements of each overlap of these clusters."""
        (order, start), found = self._by_cell, self.find(overlaps)
        last = np.minimum(start[found] + each, start[found + 1])
        return [order[a:b].tolist() for a, b in zip(start[found].tolist(), last.tolist(), strict=True)]

    @cached_property
    def _by_cell(self) -> tuple[Integers, Integers]:
        """The elements cell by cell, and where each cell starts among them."""
        return np.argsort(self.cell, kind="stable"), np.concatenate([[0], np.cumsum(self.n)])

    @property
    def size(self) -> int:
        """How many elements there are."""
        return int(self.n.sum())

    @cached_property
    def swap_order(self) -> Integers:
        """The place of each cell if the two candidates are in the other order."""
        order = np.lexsort((self.first, self.second, self.reference))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return rank

    def swapped(self) -> ThreeWay:
        """The same with the two candidates in the other order."""
        rank = self.swap_order
        order = np.argsort(rank)
        sides = self.reference[order], self.second[order], self.first[order]
        return ThreeWay(*sides, self.n[order], self.position[order], rank[self.cell])

    def by_weight(self, own: Integers) -> ThreeWay:
        """The same cells with the weight of their records in place of their number; each has its own."""
        return replace(self, n=sums_by(self.cell, own, len(self)))

    @property
    def first_table(self) -> Contingency:
        """The contingency table of the reference and the first candidate."""
        return self._of_first[0]

    @property
    def second_table(self) -> Contingency:
        """The contingency table of the reference and the second candidate."""
        return self._of_second[0]

    @property
    def candidates_table(self) -> Contingency:
        """The contingency table of the first candidate and the second."""
        return self._of_candidates[0]

    @property
    def cell_of_candidates(self) -> Integers:
        """For each three-way cell the cell of both candidates that holds it."""
        return self._of_candidates[1]

    @property
    def cell_of_first(self) -> Integers:
        """For each three-way cell the cell of the first table that holds it."""
        return self._of_first[1]

    @property
    def cell_of_second(self) -> Integers:
        """For each three-way cell the cell of the second table that holds it."""
        return self._of_second[1]

    @cached_property
    def _of_first(self) -> tuple[Contingency, Integers]:
        return _merged(self.reference, self.first, self.n)

    @cached_property
    def _of_candidates(self) -> tuple[Contingency, Integers]:
        return _merged(self.first, self.second, self.n)

    @cached_property
    def _of_second(self) -> tuple[Contingency, Integers]:
        return _merged(self.reference, self.second, self.n)


@dataclass(frozen=True, slots=True)
class ThreeWayCounts:
    """Three partitions counted by an engine that keeps the records."""

    cells: ThreeWay
    labels: tuple[Sequence[Any], Sequence[Any], Sequence[Any]]  # of the clusters of each side, by number
    sizes: list[int]  # the number of records of each side
    pieces: Units | None  # of the cells, if a column of units was given
    # Returns up to this many records of each overlap of these clusters.
    records: Callable[[Sequence[tuple[int, ...]], int], list[tuple[Any, ...]]]


def _paired(one: Integers, other: Integers) -> Integers:
    """One number for each pair of codes: with fewer than 2**31 elements, all codes are below 2**31."""
    return one * (int(other.max(initial=0)) + 1) + other


def _merged(row: Integers, column: Integers, n: Integers) -> tuple[Contingency, Integers]:
    """The cells of two of the three sides, and the position among them of each three-way cell."""
    key = _paired(row, column)
    cells, which = np.unique(key, return_inverse=True)
    which = which.reshape(-1).astype(np.int64, copy=False)
    first = np.zeros(len(cells), dtype=np.int64)
    first[which[::-1]] = np.arange(len(key))[::-1]
    return Contingency(row[first], column[first], sums_by(which, n, len(cells))), which


# -- diffs --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DiffSizes(Counts, View):
    """The weights that all indices of a diff are made of, for each cell or each kind of cells.

    All records of a cell have the same values, so the mean over records is one over cells.
    """

    mass: Integers  # the weight of the records
    a: Integers  # of their cluster before
    b: Integers  # of their cluster after
    ab: Integers  # of both
    n: Integers  # of both and the true cluster; without a reference, this and the next three are empty
    at: Integers  # of the cluster before and the true cluster
    bt: Integers
    c: Integers  # of the true cluster
    squares: int  # Σw² over all records
    has_reference: bool = True
    is_exact: bool = False  # whether means are not cut off
    by_cell: bool = False  # whether `mean` gives the value of each cell instead
    _views: dict[tuple[type, bool], Any] = field(default_factory=dict, init=False, repr=False)

    has_exact_form = True
    cheap_identity = False
    zero_by_zero = "divides by zero: no cluster changed, or there is no true pair before"

    @classmethod
    def of_runs(cls, mass: Integers, a: Integers, b: Integers, ab: Integers, squares: int) -> DiffSizes:
        """Of cells, or of kinds of cells, without a reference."""
        unknown = ab[:0]
        return cls(mass, a, b, ab, unknown, unknown, unknown, unknown, squares, has_reference=False)

    @classmethod
    def of_diff_with_reference(cls, sizes: DiffSizes, exact: bool) -> DiffSizes:
        return replace(sizes, is_exact=True) if exact else sizes

    @property
    def kind(self) -> CountsKind:  # type: ignore[override]  # it depends on the reference
        return "diff with reference" if self.has_reference else "diff"

    @cached_property
    def size(self) -> int:
        """The weight of all records."""
        return int(self.mass.sum())

    @cached_property
    def changed(self) -> Any:
        """Which cells have records whose cluster changed."""
        return (self.a != self.ab) | (self.b != self.ab)

    @property
    def identical(self) -> bool:
        return not self.changed.any()

    def refusal(self, index: RefusedIndex) -> ParameterError:
        if index.sides == "diff":
            words = f"{index.name} is about the quality of the change"
            return ParameterError(words, remedies=[Remedy("name the true clusters", reference=...)])
        words = f"{index.name} compares {index.inputs}, and this is a diff of two runs"
        calls = "d.comparison has the indices of both runs, and d.indices() those of each against a reference"
        return ParameterError(words, calls=calls)

    def mean(self, *ratios: tuple[Integers, Integers]) -> Number:
        """The mean over all records of a sum of ratios; 0 if there are none.

        Ratios are pairs of numerators and denominators, one of each for every cell.
        """
        if self.by_cell:
            value: Any = np.zeros(len(self.mass))
            for numerators, denominators in ratios:
                value += (numerators / denominators).astype(np.float64)
            return value  # type: ignore[no-any-return]  # for formulas it is a number
        sums = (sum_of_ratios(x, y, self.is_exact, self.mass) for x, y in ratios)
        return sum(sums, Fraction(0)) / (self.size or 1)

    def of_cells(self, formula: Callable[..., Any]) -> Floats:
        """The value of the records of each cell, where the formula is a mean."""
        values: Floats = formula(replace(self, by_cell=True))
        return values

    def true_pairs(self, overlap: Integers) -> Fraction:
        """The pairs of records of the same entity that a run has together; ``overlap`` is `at` or `bt`.

        Σ at² over the overlaps of a run with the reference is Σ n·at over the three-way cells, because the
        three-way cells n within an overlap add up to at. Each pair counts twice, by its product of weights.
        """
        return Fraction(int(self.mass.astype(object).dot(overlap)) - self.squares)


class RunSizes(DiffSizes):
    """The same without the reference, which need not be known."""

    @classmethod
    def of_diff(cls, sizes: DiffSizes, exact: bool) -> DiffSizes:
        return cls.of_diff_with_reference(sizes, exact)
