"""Weighted counts: two partitions whose elements weigh different amounts.

A pair of elements weighs the product of their weights. In a cluster of weight A the pairs weigh (A² − Σw²)/2,
and Σw² is the same for all clusters of a side together: one number more than the weights of the overlaps.

A divisible quantity, such as time, has no smallest element: a piece can be divided into any number of
elements of smaller weight. In the limit Σw² is 0, and the pairs of a cluster weigh A²/2.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import Availability, ContingencyLoader, Counts, Detail, RefusedIndex, View
from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import CountedSides, Records
from concordant.counts.profile import Profile
from concordant.errors import ConcordantError, TableNeededError, WeightsError
from concordant.maths.arithmetic import (
    FEW_DENOMINATORS,
    LOG_BITS,
    Integers,
    LogSums,
    Sum,
    as_integers,
    fitting,
    sums_by,
)

# Weights with more digits than this are not plausible input.
_MOST_PARTS = 2**4096
_CORE_LOG_BITS = 120  # fractional bits of the logarithms of the core
_SEGMENTS = "time segments have durations and no records to count, and only indices use durations"
_SAMPLED = "compare the labels at equal time steps"
WEIGHTS_STAYED = (
    "the weights of single records stay in their source; write it to Parquet files and scan these, so the "
    "records can be read"
)
_LONG = 10**18  # whole numbers from here on are shown with six digits


# The low 64 bits of integers, and the high ones.
WordColumns = tuple[NDArray[np.int64], NDArray[np.int64] | None]

# An integer for each cluster of both sides, in the order of the table: those that the core counted.
LabelsOfClusters = Callable[[], tuple[NDArray[Any], NDArray[Any]]]


class WeightProfile(Profile):
    """The weights of the overlaps in whole parts, which the core counted and adds up for the views."""

    _counter: core.WeightedTable
    _elements: Profile
    _weights: Callable[[], WordColumns]  # of the cells

    @classmethod
    def of_core(
        cls, counter: core.WeightedTable, elements: Profile, labels: LabelsOfClusters
    ) -> WeightProfile:
        """The weights of the overlaps that the core counted."""
        weights = cache(partial(_cell_weights, counter, elements, labels))

        def made() -> Contingency:
            return Contingency(
                elements.table.row, elements.table.column, _joined_words(*weights(), counter.total)
            )

        source = ContingencyLoader(made, is_portable=False)
        profile = cls.counted(partial(_triples, made), source, counter.total, counter.square_sums()[:3])
        profile._counter, profile._elements, profile._weights = counter, elements, weights
        return profile

    @property
    def narrow_table(self) -> Contingency:
        """The table, with int64 if floats hold all sums of it."""
        low, high = self._weights()
        if high is not None or self.size >= 2**53:
            return self.table
        return Contingency(self._elements.table.row, self._elements.table.column, low)

    @cached_property
    def rows(self) -> int:
        """Number of clusters of the reference, K."""
        return self._elements.rows

    @cached_property
    def columns(self) -> int:
        """Number of clusters of the candidate, L."""
        return self._elements.columns

    @cached_property
    def cells(self) -> int:
        """Number of non-empty overlaps."""
        return self._elements.cells

    def log_sums(self, bits: int) -> LogSums:
        """Sums of x·log(x), of which entropies are differences."""
        if bits != LOG_BITS:  # so little mutual information that the core's bits are too few
            return super().log_sums(bits)
        cells, rows, columns, whole = (each >> _CORE_LOG_BITS - bits for each in self._counter.log_sums())
        return LogSums(bits, whole, rows, columns, cells)

    def square_shares(self, *, of_rows: bool, exact: bool) -> Sum:
        """Σ n²/a of all overlaps, or Σ n²/b, as precise as ``sum_of_ratios``."""
        most = self.size if exact else FEW_DENOMINATORS
        shares = self._counter.shares(of_rows, min(most, 2**32))
        return sum((Fraction(*each) for each in shares), Fraction(0))

    def __reduce__(self) -> tuple[Any, ...]:
        return Profile.of_table, (self.table, self.size), {"parts": self.parts}


def _triples(table: Callable[[], Contingency]) -> Any:
    counted = Profile.of_table(table())
    return counted.n, counted.a, counted.b, counted.count


def _cell_weights(counter: core.WeightedTable, elements: Profile, labels: LabelsOfClusters) -> WordColumns:
    """The weight of each cell of the elements."""
    return counter.cell_weights(*labels(), elements.table.row, elements.table.column)


class WeightedCounts(Counts):
    """The profile of the elements, and that of their weights in whole parts: 3/2 and 1 are 3 and 2 halves."""

    elements: Profile
    weights: Profile
    parts: Fraction
    size: int
    rows: int
    columns: int

    kind = "weights"

    def __init__(
        self,
        elements: Profile,
        weights: Profile,
        parts: Fraction,
        own: Integers | None = None,
        cell: Integers | None = None,
        *,
        divisible: bool = False,
    ) -> None:
        self.elements, self.weights = elements, weights
        weights.parts, weights.part_of = parts, elements  # which knows the labels of clusters
        self.divisible = divisible  # whether an element can be divided into any number of smaller ones
        self.parts = parts  # how many make one
        if own is not None:
            self.own = own
        if cell is not None:
            self.cell = cell
        self.size, self.rows, self.columns = elements.size, elements.rows, elements.columns
        self._views = {}
        self._counter: core.WeightedTable | None = None  # of the core, which counted the records
        self._records: Records | None = None

    @classmethod
    def of_core(
        cls, counter: core.WeightedTable, elements: Profile, labels: LabelsOfClusters, records: Records
    ) -> WeightedCounts:
        """The counts of the core, and the records that it counted."""
        counts = cls(elements, WeightProfile.of_core(counter, elements, labels), _parts_of_core(counter))
        counts._counter, counts._records = counter, records
        return counts

    @classmethod
    def of_groups(
        cls, table: Contingency, cell: Integers, own: Integers, times: Integers, parts: Fraction
    ) -> WeightedCounts:
        """The counts of groups of elements: their overlap, the parts of each element, and their number."""
        total = int((own.astype(object) * times).sum())
        weight = sums_by(cell, as_integers(own, total) * times, len(table))
        own = as_integers(own, total**2)
        counts = cls(
            Profile.of_table(table), Profile.of_table(Contingency(table.row, table.column, weight)), parts
        )
        counts.cell_squares = sums_by(cell, own * own * times, len(table))
        counts.squares = int(counts.cell_squares.sum())
        counts.times = Counter()
        for each, number in zip(own.tolist(), times.tolist(), strict=True):
            counts.times[each] += number
        return counts

    @cached_property
    def times(self) -> Counter[int]:
        """How many elements have each number of parts."""
        return Counter(self.own.tolist())

    @cached_property
    def own(self) -> Integers:
        """The parts of each element."""
        if self._counter is None:
            raise TableNeededError(WEIGHTS_STAYED)
        return own_parts(self._counter)[0]

    @cached_property
    def cell(self) -> Integers:
        """The overlap of each element."""
        if self._records is None:
            raise TableNeededError(WEIGHTS_STAYED)
        return np.asarray(self._records.cell)

    def __getstate__(self) -> dict[str, Any]:
        without: dict[str, Any] = {"_counter": None, "_records": None, "_views": {}}
        if self._counter is not None:
            without |= {"own": self.own, "cell": self.cell, "squares": self.squares}
        return {**self.__dict__, **without}

    @cached_property
    def squares(self) -> int:
        """Σw², in parts."""
        if self._counter is not None:
            return self._counter.squares
        return int(self.own_squares.sum()) if self.size else 0

    @cached_property
    def cell_squares(self) -> Integers:
        """Σw² of each overlap, in parts."""
        return sums_by(self.cell, self.own_squares, self.cells)

    @cached_property
    def row_squares(self) -> Integers:
        """Σw² of each cluster of the reference, in parts."""
        return sums_by(self.table.row, self.cell_squares, self.rows)

    @cached_property
    def column_squares(self) -> Integers:
        """Σw² of each cluster of the candidate, in parts."""
        return sums_by(self.table.column, self.cell_squares, self.columns)

    @cached_property
    def own_squares(self) -> Integers:
        """w² of each element, in parts; 0 for divisible elements, as the limit of ever smaller pieces."""
        own = fitting(self.own, self.weights.size * int(self.own.max(initial=0)))
        return own * own * (not self.divisible)

    @property
    def shares_of_pairs(self) -> tuple[Fraction, Fraction]:
        """The shares of all pairs, each counting one, that are together in the reference and the candidate.

        Permutations of labels over the elements preserve these shares.
        """
        counted = self.weights if self.divisible else self.elements
        alone = 0 if self.divisible else 1  # an element makes no pair with itself
        shares = [
            Fraction(
                sum(size * (size - alone) * many for size, many in sizes.items()),
                counted.size * (counted.size - alone) or 1,
            )
            for sizes in (counted.row_sizes, counted.column_sizes)
        ]
        return shares[0], shares[1]

    @property
    def total(self) -> Fraction:
        """The weight of all elements."""
        return Fraction(self.weights.size, self.parts)

    @property
    def effective_size(self) -> Fraction:
        """(Σw)²/Σw²: the number of elements of equal weight with the same information.

        For divisible quantities, a number that no float distinguishes from infinity.
        """
        if self.divisible:
            return Fraction(2**64)
        return Fraction(self.weights.size**2, self.squares) if self.squares else Fraction(0)

    @property
    def conventions(self) -> dict[str, str]:
        """The description of the weights in the signature."""
        if self.divisible:
            return {"weights": f"durations, total {weight_text(self.total)}"}
        return {
            "weights": f"total {weight_text(self.total)}",
            "effective_size": weight_text(self.effective_size),
        }

    @property
    def identical(self) -> bool:
        """Whether the two partitions are the same, whatever the weights."""
        return self.elements.identical

    @property
    def cells(self) -> int:
        """Number of non-empty overlaps."""
        return self.elements.cells

    @property
    def row_sizes(self) -> dict[int, int]:
        """Distinct sizes of the reference's clusters in elements, each with the number of clusters."""
        return self.elements.row_sizes

    @property
    def column_sizes(self) -> dict[int, int]:
        """Distinct sizes of the candidate's clusters in elements, each with the number of clusters."""
        return self.elements.column_sizes

    @property
    def availability(self) -> Availability:
        """All views are available, but costs of overlaps are defined only for elements of equal weight."""
        return Availability(Detail.TABLE, adds_up=False)

    @property
    def table(self) -> Contingency:
        """The non-empty cells of the contingency table, in elements."""
        return self.elements.table

    @property
    def partitions(self) -> Profile:
        if self.divisible:
            raise WeightsError(f"{_SEGMENTS}; for changes, edits, significance and intervals, {_SAMPLED}")
        raise WeightsError(
            "the records have weights, and this counts each record as one; compare without weights for it"
        )

    def with_overlaps(self, elements: Profile, weights: Profile) -> WeightedCounts:
        """The same records in other clusters, for indices that do not read the weight of each record."""
        counts = WeightedCounts(elements, weights, self.parts)
        counts.squares = self.squares
        return counts

    @property
    def by_weight(self) -> Profile:
        return self.partitions if self.divisible else self.weights

    def _no_view(self, kind: type[View]) -> WeightsError:  # noqa: ARG002
        if self.divisible:
            return WeightsError(f"{_SEGMENTS}; for this, {_SAMPLED}")
        return WeightsError(
            "this has no meaning for records that weigh different amounts; compare without weights "
            "for it, where every record counts as one"
        )

    def refusal(self, index: RefusedIndex) -> ConcordantError:
        if not index.is_of_partitions:
            return super().refusal(index)
        why = index.no_weights or index.no_limit or "it is for covers, whose records have no weights"
        return WeightsError(
            f"{index.name} has no meaning for records that weigh different amounts: {why}",
            calls="c.to_dict() lists the indices that are defined for weights",
        )

    def __repr__(self) -> str:
        return f"WeightedCounts({self.size} records, weight {weight_text(self.total)})"


def weigh(made: CountedSides, whole: Integers, parts: Fraction, *, divisible: bool = False) -> CountedSides:
    """The counts of two partitions in memory, with the weight of each record in whole parts."""
    profile = made.counts.partitions
    table, cell = profile.table, np.asarray(made.names.records.cell)
    totals = sums_by(cell, whole, len(table))
    heavy = Profile.of_table(Contingency(table.row, table.column, totals), int(whole.sum()))
    counts = WeightedCounts(profile, heavy, parts, whole, cell, divisible=divisible)
    return replace(made, counts=counts, conventions={**made.conventions, **counts.conventions})


def weigh_in_core(made: CountedSides, counter: core.WeightedTable, labels: LabelsOfClusters) -> CountedSides:
    """The counts of two partitions in memory, whose weights the core has counted."""
    counts = WeightedCounts.of_core(counter, made.counts.partitions, labels, made.names.records)
    return replace(made, counts=counts, conventions={**made.conventions, **counts.conventions})


def edited(start: CountedSides, edit: Callable[[CountedSides], CountedSides]) -> CountedSides:
    """The counts after an edit, in which each record keeps its weight."""
    counts = start.counts
    if not isinstance(counts, WeightedCounts) or counts.divisible:
        return edit(start)  # refuses time segments
    return weigh(edit(replace(start, counts=counts.elements)), counts.own, counts.parts)


def own_parts(counter: core.WeightedTable) -> tuple[Integers, Fraction]:
    """The parts of each element that the core counted, and how many make one."""
    return _joined_words(*counter.own(), counter.total), _parts_of_core(counter)


def _parts_of_core(counter: core.WeightedTable) -> Fraction:
    return 1 / (Fraction(counter.common) * Fraction(10) ** counter.exponent)


def _joined_words(low: NDArray[np.int64], high: NDArray[np.int64] | None, total: int) -> Integers:
    """Integers given by their low and high 64 bits, in the type for numbers that add up to this total."""
    if high is None:
        return as_integers(low, total)
    joined: Integers = (high.astype(object) << 64) | low.view(np.uint64).astype(object)
    return joined


def parts_of(weights: Iterable[Fraction]) -> Fraction:
    """How many parts make one, if each weight has a whole number of them, without common factors.

    So weights in other units have the same parts, and huge ones small parts.

    >>> parts_of([Fraction(1, 2), Fraction(3)]), parts_of([Fraction(10), Fraction(20)])
    (Fraction(2, 1), Fraction(1, 10))
    """
    exact = set(weights)
    whole_parts = math.lcm(*(each.denominator for each in exact))
    if whole_parts > _MOST_PARTS:
        raise WeightsError("the weights have no common denominator of less than 1,233 digits; round them")
    if max(exact, default=0) > _MOST_PARTS:
        raise WeightsError("a weight has more than 1,233 digits; give the weights in a larger unit")
    return Fraction(whole_parts, math.gcd(*(int(each * whole_parts) for each in exact)) or 1)


def weight_text(number: Fraction) -> str:
    """A weight as people read it.

    >>> weight_text(Fraction(15, 2)), weight_text(Fraction(12)), weight_text(Fraction(10**400))
    ('7.5', '12', '1e+400')
    """
    if abs(number) > sys.float_info.max:
        return f"{(Decimal(number.numerator) / Decimal(number.denominator)).normalize():.6g}"
    return str(number) if number.denominator == 1 and number < _LONG else f"{float(number):.6g}"
