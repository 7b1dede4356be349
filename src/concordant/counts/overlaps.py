"""Overlaps of clusters: best partners, neighbours and pieces, and the clusters that differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, partial
from math import inf
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import Counts, Detail, Shares, View, WeightClass, count_shares
from concordant.counts.contingency import Contingency, label_places
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import ParameterError
from concordant.maths.arithmetic import LOG_BITS, Integers, Sum, as_entropy, fitting, sum_of_ratios, sums_by


class DisagreeingClusters(View):
    """The clusters of two partitions that the other side does not have, as partitions of their elements."""

    needs: ClassVar[Detail] = Detail.TABLE

    def __init__(self, profile: Profile) -> None:
        self._whole, differs = profile, (profile.n != profile.a) | (profile.n != profile.b)
        self.exact = profile.n[~differs], profile.count[~differs]  # clusters that both sides have, by size
        if differs.all():
            self.profile, whole = profile, profile.table
            self.rows, self.columns = np.arange(len(whole.row_sizes)), np.arange(len(whole.column_sizes))
            return
        # If most elements are in other clusters, these need not be counted again.
        is_small = 2 * int((self.exact[0] * self.exact[1]).sum()) > profile.size
        table = profile.differing_table() if is_small else None
        if table is None:
            table, self.rows, self.columns = _differing_in(profile.table)
        elif len(table) > int(profile.count[differs].sum()):
            table, *_ = _differing_in(table)
        triples = (each[differs] for each in (profile.n, profile.a, profile.b, profile.count))
        self.profile = Profile(*triples, table=table)
        self.profile.parts, self.profile.part_of = profile.parts, self

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(profile)

    def cluster(self, side: int, number: int) -> Any:
        """The label of a cluster of a side by its number here; None if it has none."""
        table, names = self.profile.table, self._whole.names
        first = table.column_first if side else table.row_first
        if names is None or first is None:
            return self._whole.cluster(side, int((self.columns if side else self.rows)[number]))
        return names.label(side, int(first[number]))

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The numbers of its rows in the whole table."""
        return _numbers(self._whole.table.row_first, self.profile.table.row_first)

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """The numbers of its columns in the whole table."""
        return _numbers(self._whole.table.column_first, self.profile.table.column_first)

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        """The positions of its cells in the whole table, where every other row is one cell."""
        row = self.profile.table.row
        return np.arange(len(row)) + (self.rows - np.arange(len(self.rows)))[row]


def _numbers(all_first: Integers | None, first: Integers | None) -> NDArray[np.int64]:
    """The numbers of clusters by their first elements; clusters are numbered in the order of these."""
    assert all_first is not None
    assert first is not None  # labels were counted, with their first elements
    return np.searchsorted(all_first, first)


def _differing_in(table: Contingency) -> tuple[Contingency, NDArray[np.int64], NDArray[np.int64]]:
    """The clusters of a table that differ, as a table of their own, and their numbers."""
    ends = np.ascontiguousarray(table.row), np.ascontiguousarray(table.column)
    cells, rows, row, columns, column = core.differing(*ends)
    first = (
        None if table.row_first is None else table.row_first[rows],
        None if table.column_first is None else table.column_first[columns],
    )
    return Contingency(row, column, table.n[cells], *first), rows, columns


NO_SIZES: Integers = np.zeros(0, dtype=np.int64)


class Overlaps(View):
    """The cells, the sizes of their clusters, and which cells of a cluster are the largest or the nearest."""

    row: Integers
    column: Integers
    n: Integers
    row_sizes: NDArray[Any]
    column_sizes: NDArray[Any]

    needs: ClassVar[Detail] = Detail.TABLE

    def __init__(self, profile: Counts) -> None:
        self._counts, table = profile, profile.table
        self.row, self.column = table.row, table.column
        # A sum of products of two sizes may be as large as the square of the whole.
        self.n = table.n if profile.size**2 < 2**63 else table.n.astype(object)
        wide = self.n is not table.n
        self.row_sizes = table.row_sizes.astype(object) if wide else table.row_sizes
        self.column_sizes = table.column_sizes.astype(object) if wide else table.column_sizes

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(profile)

    @classmethod
    def of_partial_overlap(cls, cells: PartialOverlap) -> Self:
        return cls(cells)

    @classmethod
    def of_covers(cls, counts: Counts) -> Self:
        return cls(counts)

    @cached_property
    def a(self) -> Integers:
        """The size of the row of each cell."""
        sizes: Integers = self.row_sizes[self.row]
        return sizes

    @cached_property
    def b(self) -> Integers:
        """The size of the column of each cell."""
        sizes: Integers = self.column_sizes[self.column]
        return sizes

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
    def row_order(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The cells row by row, and where each row starts.

        The largest cell of a row is first. Of equal ones, the one of the smaller column is, and of equal
        columns the one whose label is first.
        """
        return self._in_order(self.row, self.column, self.column_sizes, side=1)

    @cached_property
    def column_order(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The cells column by column in the same order, and where each column starts."""
        return self._in_order(self.column, self.row, self.row_sizes, side=0)

    def _in_order(
        self, cluster: Integers, other: Integers, sizes: NDArray[Any], side: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        widest = int(sizes.max(initial=0)) + 1
        n = self.n if self._counts.size * widest < 2**62 else self.n.astype(object)
        keys = n * widest - sizes[other]  # the smaller of two clusters with equal overlaps is first
        return largest_first(cluster, keys, lambda cells: [places_by_label(self._counts, side, other[cells])])

    @property
    def of_differing(self) -> Overlaps:
        """Only the cells of clusters that differ, if these are partitions; otherwise these cells."""
        if self._counts.kind != "partitions":
            return self
        return self._counts.view(DisagreeingClusters).profile.view(Overlaps)

    @property
    def differing(self) -> NDArray[np.int64]:
        """The positions of the cells of clusters that differ, if these are partitions."""
        return self._counts.view(DisagreeingClusters).cells

    @cached_property
    def row_nearest(self) -> NDArray[np.int64]:
        """The cell with the largest Jaccard index, and so the largest F1, of each row."""
        return best_shares(self.row, self.n, self.union)

    @cached_property
    def column_nearest(self) -> NDArray[np.int64]:
        return best_shares(self.column, self.n, self.union)

    def nearest_by_label(self, side: int) -> NDArray[np.int64]:
        """The same of the clusters of a side; of equally near cells, the one whose other label is first."""
        ends, nearest = (self.row, self.column), (self.row_nearest, self.column_nearest)[side]
        best, other = nearest[ends[side]], ends[1 - side]
        is_equal = self.n * self.union[best] == self.n[best] * self.union
        return first_by_label(
            ends[side], nearest, is_equal, lambda cells: places_by_label(self._counts, 1 - side, other[cells])
        )

    def largest_by_label(self, side: int) -> NDArray[np.int64]:
        """The largest cell of each cluster of a side; of equal ones, the one whose other label is first."""
        ends, largest = (self.row, self.column), (self.row_largest, self.column_largest)[side]
        is_equal, other = self.n == self.n[largest[ends[side]]], ends[1 - side]
        return first_by_label(
            ends[side], largest, is_equal, lambda cells: places_by_label(self._counts, 1 - side, other[cells])
        )


def first_by_label(
    group: Integers,
    best: NDArray[np.int64],
    is_equal: NDArray[Any],
    label_places: Callable[[NDArray[np.int64]], Integers],
) -> NDArray[np.int64]:
    """The best cell of each group; of those that are equal to it, the one whose label is first."""
    tied = np.flatnonzero(is_equal)
    groups = group[tied]
    tied = tied[np.bincount(groups)[groups] > 1] if len(tied) else tied
    found = best.copy()
    if len(tied):
        last_first = tied[np.argsort(-label_places(tied), kind="stable")]
        found[group[last_first]] = last_first
    return found


def ranks(sizes: Integers) -> NDArray[np.int64]:
    """64-bit integers that compare like the sizes."""
    if sizes.dtype == object:
        sizes = fitting(sizes, int(sizes.max(initial=0)))
    if sizes.dtype == np.int64:
        return sizes
    return np.unique(sizes, return_inverse=True)[1].astype(np.int64)


def places_by_label(counts: Counts, side: int, clusters: Integers) -> Integers:
    """Numbers that grow with the labels of these clusters; their own if the counts do not know the labels."""
    return label_places(clusters, partial(counts.cluster, side)) if isinstance(counts, Profile) else clusters


def largest_first(
    group: Integers, sizes: NDArray[Any], ties: Callable[[NDArray[np.int64]], Sequence[Integers]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions group by group, the largest sizes first, and where each group starts.

    Ties are resolved by sort keys of the tied positions, the most important key first.
    """
    order, start = core.largest_first(group, ranks(sizes))
    is_tied = np.zeros(len(order) + 1, dtype=bool)  # with the position before
    groups, ordered = group[order], sizes[order]
    is_tied[1:-1] = (groups[1:] == groups[:-1]) & (ordered[1:] == ordered[:-1])  # sizes may be infinite
    places = np.flatnonzero(is_tied[:-1] | is_tied[1:])
    if len(places):
        run = np.cumsum(~is_tied[:-1])[places]
        order[places] = order[places][np.lexsort((*reversed(ties(order[places])), run))]
    return order, start


def largest_in(group: Integers, sizes: Integers) -> NDArray[np.int64]:
    """For each group 0..k-1 the position of its largest size; the first of equal ones."""
    return core.largest_in(group, ranks(sizes))


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


class OverlapView(View):
    """The numbers of elements and clusters of both sides, for views that add numbers of the overlaps."""

    has_exact_form: ClassVar[bool] = True

    row_sizes: dict[int, int]
    column_sizes: dict[int, int]
    unit: int | Fraction = 1  # the unit of the counts: an element, or a part of a weight

    def __init__(self, counts: Counts, exact: bool) -> None:
        number: Any = Fraction if exact else int  # both support the same arithmetic
        self._counts, self._exact = counts, exact
        self.size: int = number(counts.size)
        self.in_u: int = number(counts.reference_size)
        self.in_v: int = number(counts.candidate_size)
        self.rows: int = number(counts.rows)
        self.columns: int = number(counts.columns)
        self.row_sizes = counts.row_sizes
        self.column_sizes = counts.column_sizes

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        return cls(profile, exact)

    @classmethod
    def of_partial_overlap(cls, cells: PartialOverlap, exact: bool) -> Self:
        return cls(cells, exact)

    @classmethod
    def of_weights(cls, counts: WeightedCounts, exact: bool) -> Self:
        """The same with weight in place of elements, in parts."""
        view = cls(counts.weights, exact)
        view.unit = 1 / counts.parts
        return view

    @cached_property
    def _cells(self) -> Overlaps:
        return self._counts.view(Overlaps)

    @cached_property
    def _part(self) -> tuple[Overlaps, Integers, Integers]:
        """The overlaps of clusters that differ; the sizes of others, and how many have each."""
        if not isinstance(self._counts, Profile):
            return self._cells, NO_SIZES, NO_SIZES
        part = self._counts.view(DisagreeingClusters)
        return part.profile.view(Overlaps), *part.exact

    def _counted(self, count: int) -> int:
        """The count, as a Fraction where exact values are wanted."""
        exact: Any = Fraction(count)
        return exact if self._exact else count

    def _total(self, numerators: Integers, denominators: Integers) -> Sum:
        return sum_of_ratios(numerators, denominators, self._exact)


class BestOverlaps(OverlapView):
    """Sums over the best partner of each cluster."""

    needs: ClassVar[Detail] = Detail.BEST  # from the table, or from an engine that does not return the table
    weight_class: ClassVar[WeightClass] = "shares"

    _counts: Profile | PartialOverlap
    # Σw² of the clusters of both sides, if elements have weights.
    own_pairs: tuple[Integers, Integers] | None = None

    @classmethod
    def of_weights(cls, counts: WeightedCounts, exact: bool) -> Self:
        view = super().of_weights(counts, exact)
        view.own_pairs = counts.row_squares, counts.column_squares
        return view

    @cached_property
    def rows_best(self) -> int:
        """Σ_i max_j n_ij."""
        return self._counted(self._overlap(0))

    @cached_property
    def columns_best(self) -> int:
        """Σ_j max_i n_ij."""
        return self._counted(self._overlap(1))

    @cached_property
    def largest_row(self) -> int:
        return self._counted(max(self.row_sizes, default=0))

    @cached_property
    def largest_column(self) -> int:
        return self._counted(max(self.column_sizes, default=0))

    @cached_property
    def rows_f1(self) -> Sum:
        """Σ_i max_j 2n_ij/(a_i+b_j)."""
        return self._f1(self._row_shares)

    @cached_property
    def columns_f1(self) -> Sum:
        """Σ_j max_i 2n_ij/(a_i+b_j)."""
        return self._f1(self._column_shares)

    @cached_property
    def rows_f1_weighted(self) -> Sum:
        """Σ_i a_i max_j 2n_ij/(a_i+b_j)."""
        return self._f1(self._row_shares, weighted=True)

    @cached_property
    def columns_f1_weighted(self) -> Sum:
        """Σ_j b_j max_i 2n_ij/(a_i+b_j)."""
        return self._f1(self._column_shares, weighted=True)

    @cached_property
    def rows_jaccard(self) -> Sum:
        """Σ_i max_j n_ij/(a_i+b_j−n_ij)."""
        return self._jaccard(self._row_shares)

    @cached_property
    def columns_jaccard(self) -> Sum:
        """Σ_j max_i n_ij/(a_i+b_j−n_ij)."""
        return self._jaccard(self._column_shares)

    @cached_property
    def rows_jaccard_weighted(self) -> Sum:
        """Σ_i a_i max_j n_ij/(a_i+b_j−n_ij)."""
        return self._jaccard(self._row_shares, weighted=True)

    @cached_property
    def columns_jaccard_weighted(self) -> Sum:
        """Σ_j b_j max_i n_ij/(a_i+b_j−n_ij)."""
        return self._jaccard(self._column_shares, weighted=True)

    @cached_property
    def weakest_row(self) -> Sum:
        """min_i Σ_j C(n_ij, 2) / C(a_i, 2) over clusters of two and more elements."""
        return self._weakest(0)

    @cached_property
    def weakest_column(self) -> Sum:
        """min_j Σ_i C(n_ij, 2) / C(b_j, 2) over clusters of two and more elements."""
        return self._weakest(1)

    # Side 0 is the reference, side 1 the candidate.

    def _overlap(self, side: int) -> int:
        if self._counts.best:
            return self._counts.best[side].overlap
        cells, sizes, count = self._part
        in_others = int((sizes * count).sum())
        return int(cells.n[cells.column_largest if side else cells.row_largest].sum()) + in_others

    @cached_property
    def _row_shares(self) -> Shares:
        return self._shares(0)

    @cached_property
    def _column_shares(self) -> Shares:
        return self._shares(1)

    def _shares(self, side: int) -> Shares:
        if self._counts.best:
            return self._counts.best[side].shares
        cells, others, other_count = self._part
        best = cells.column_nearest if side else cells.row_nearest
        sizes = (cells.b if side else cells.a)[best]  # a cluster without an overlap has no share
        part, whole, count = cells.n[best], cells.a[best] + cells.b[best], np.ones_like(best)
        if part.dtype == np.int64:  # otherwise counts exceed 64 bits
            part, sizes, whole, count = core.triples(part, sizes, whole)
        columns = (sizes, others), (part, others), (whole, 2 * others), (count, other_count)
        return count_shares(*map(np.concatenate, columns))

    def _weakest(self, side: int) -> Fraction:
        weakest = self._counts.best[side].weakest if self._counts.best else self._weakest_of_table(side)
        if weakest is None:
            raise ZeroDivisionError("no cluster has two records")
        return weakest

    def _weakest_of_table(self, side: int) -> Fraction | None:
        cells, others, _ = self._part
        group, sizes = (cells.column, cells.column_sizes) if side else (cells.row, cells.row_sizes)
        own = sizes
        if self.own_pairs is not None:  # pairs of an element with itself
            part = self._counts.view(DisagreeingClusters)
            own = self.own_pairs[side][part.columns if side else part.rows]
        whole = sizes * sizes - own
        many = np.zeros(len(sizes), dtype=bool)
        many[group] = True
        many &= (whole > 0).astype(bool)
        if not many.any():  # a cluster that the other side also has is kept together
            return Fraction(1) if (whole > 0).any() or self._has_pairs(others, side) else None
        together = sums_by(group, cells.n * cells.n, len(sizes))[many] - own[many]
        whole = whole[many]
        lowest = int(best_shares(np.zeros(len(whole), dtype=np.int64), -together, whole)[0])
        return Fraction(int(together[lowest]), int(whole[lowest]))

    def _has_pairs(self, sizes: Integers, side: int) -> bool:
        """Whether a cluster that both sides have, of these sizes, has two elements."""
        if self.own_pairs is None:
            return bool((sizes > 1).any())
        all_sizes = self._cells.column_sizes if side else self._cells.row_sizes
        return bool((all_sizes * all_sizes > self.own_pairs[side]).any())

    def _f1(self, shares: Shares, weighted: bool = False) -> Sum:
        size, part, whole, count = shares
        return self._total(2 * part * (count * size if weighted else count), whole)

    def _jaccard(self, shares: Shares, weighted: bool = False) -> Sum:
        size, part, whole, count = shares
        return self._total(part * (count * size if weighted else count), whole - part)


class Nearest(OverlapView):
    """Which clusters are the nearest of some cluster on the other side."""

    needs: ClassVar[Detail] = Detail.TABLE
    weight_class: ClassVar[WeightClass] = "shares"

    @cached_property
    def orphan_rows(self) -> int:
        """Reference clusters that are the nearest, by Jaccard, of no candidate cluster."""
        cells, *_ = self._part
        return self.rows - self._counted(self._nearest(cells.column, cells.row, cells.column_nearest))

    @cached_property
    def orphan_columns(self) -> int:
        """Candidate clusters that are the nearest, by Jaccard, of no reference cluster."""
        cells, *_ = self._part
        return self.columns - self._counted(self._nearest(cells.row, cells.column, cells.row_nearest))

    def _nearest(self, group: Integers, partner: Integers, best: NDArray[np.int64]) -> int:
        """How many partners can be the nearest of a cluster, if each picks one of its equally near ones."""
        cells, _, others = self._part
        union, best = cells.union, best[group]
        near = (cells.n * union[best] == union * cells.n[best]).astype(bool)
        group, partner = group[near], partner[near]
        # A cluster with a single nearest partner takes it, and no other choice could do better.
        has_choice = np.bincount(group)[group] > 1
        taken = np.zeros(int(partner.max(initial=-1)) + 1, dtype=bool)
        taken[partner[~has_choice]] = True
        free = has_choice & ~taken[partner]
        more = core.assignment(group[free], partner[free], np.ones(int(free.sum()), dtype=np.int64))
        return int(others.sum()) + int(taken.sum()) + len(more)


class Neighbours(OverlapView):
    """Clusters that overlap a cluster of the other side together with another of their own side."""

    needs: ClassVar[Detail] = Detail.TABLE

    @cached_property
    def sharing_rows(self) -> int:
        """Reference clusters that overlap a candidate cluster together with another reference cluster."""
        cells, *_ = self._part
        return self._counted(_distinct(cells.row[cells.n < cells.b]))

    @cached_property
    def sharing_columns(self) -> int:
        """Candidate clusters that overlap a reference cluster together with another candidate cluster."""
        cells, *_ = self._part
        return self._counted(_distinct(cells.column[cells.n < cells.a]))


def _distinct(clusters: Integers) -> int:
    """How many of the clusters are different."""
    return int(np.count_nonzero(np.bincount(clusters)))


Price = Callable[[int, int], float]


class Pieces(OverlapView):
    """The overlaps as pieces that reference clusters are cut into and candidate clusters built from."""

    _counts: Profile

    def cost_of_splits(self, price: str | Price) -> float:
        """Cut each reference cluster into its pieces."""
        return self._cost(price, by_rows=True)

    def cost_of_merges(self, price: str | Price) -> float:
        """Build each candidate cluster from its pieces."""
        return self._cost(price, by_rows=False)

    def _cost(self, price: str | Price, *, by_rows: bool) -> float:
        p = self._counts
        if price == "constant":
            return self._counted(p.cells - (p.rows if by_rows else p.columns))
        if price == "information":
            logs = p.log_sums(LOG_BITS)
            return as_entropy((logs.rows if by_rows else logs.columns) - logs.overlaps, p.size, LOG_BITS)
        if price in ("product", "pairwise"):
            together, in_rows, in_columns = p.squares
            return self._counted(((in_rows if by_rows else in_columns) - together) // 2)
        if not callable(price):
            raise TypeError(f"{price!r} is not a price")
        table = p.table  # a user-defined price may depend on the order, and needs each cluster's pieces
        return self._cost_by(table.row if by_rows else table.column, table.n, price)

    def _cost_by(self, group: Integers, pieces: Integers, price: Price) -> float:
        """Piece by piece, smallest first."""
        order = np.lexsort((pieces, group))
        total: float = self._counted(0)
        held, last = 0, -1
        for key, piece in zip(group[order].tolist(), pieces[order].tolist(), strict=True):
            if key != last:
                held, last = piece, key
                continue
            try:
                cost = price(held, piece)
            except ZeroDivisionError as error:
                raise ParameterError(
                    f"the price function divides by zero for the sizes {held} and {piece}"
                ) from error
            if not isinstance(cost, Real) or not 0 <= cost < inf:
                raise ParameterError(
                    f"the price function gives {cost!r} for the sizes {held} and {piece}; a price is a "
                    "number >= 0"
                )
            total += cost
            held += piece
        return total
