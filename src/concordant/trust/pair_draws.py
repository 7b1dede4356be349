"""Random pairs of records for questions about a change, drawn from cells without listing pairs.

Each rate of a change is a sum over pairs, with known coefficients c, of the answers to "same entity?". A
stratum is a kind of pairs. Within it, a pair is drawn with probability c/C, where C is the sum of its
coefficients. Then C times the share of answers "same" is an unbiased estimate, and its error is binomial
whatever the sizes and weights of the clusters.

Draw number t of m is made within the t-th of m equal parts of C, with cells in the order of their cluster
sizes. This spreads the draws over small and large clusters, and the variance is never larger than binomial.
Only the clusters of drawn cells are then looked up, all in one pass over the records.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Floats, Integers, fitting
from concordant.differences.cell_members import PART_BITS, CellMembers, parts_of_unit

# Pairs of one cluster before in different cells, of one cluster after, or within a cell.
PairKind = Literal["row", "column", "cell"]
LEAST_QUESTIONS = 10  # of a stratum
CellSizes = tuple[Integers, Integers, Integers]  # n, a and b of each kind of cells
RankRanges = tuple[
    NDArray[np.int64], NDArray[np.int64]
]  # for each cell, the first rank of a part and its end


@dataclass(frozen=True, slots=True)
class DrawnPairs:
    """Pairs of one stratum: two cells and the ranks of the records in them, and how much each counts."""

    cells: NDArray[np.int64]  # a row for each pair
    ranks: NDArray[np.int64]
    weights: Floats  # their shares of the total
    exact: bool  # whether these are all pairs of the stratum

    @classmethod
    def drawn(
        cls,
        first: tuple[NDArray[np.int64], NDArray[np.int64]],
        second: tuple[NDArray[np.int64], NDArray[np.int64]],
    ) -> DrawnPairs:
        """Pairs that all count the same; each side has cells and ranks."""
        cells, ranks = (np.stack(sides, axis=1) for sides in zip(first, second, strict=True))
        return cls(cells, ranks, np.full(len(cells), 1 / max(len(cells), 1)), exact=False)


@dataclass(frozen=True, slots=True)
class DrawnCells:
    """Cells to look up: the kind of each and its number within the kind, and which clusters are needed."""

    kind: NDArray[np.int64]
    number: NDArray[np.int64]
    rows: NDArray[np.bool_]  # whether all of its cluster before is needed
    columns: NDArray[np.bool_]

    @classmethod
    def joined(cls, parts: Sequence[DrawnCells]) -> DrawnCells:
        names = ("kind", "number", "rows", "columns")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


@dataclass(frozen=True, slots=True)
class SlicePart:
    """The parts of cells that belong to a slice."""

    cell: Integers  # the number of the cell of each
    weight: Integers
    records: Integers
    begin: Integers  # the rank of the first record in the cell
    total: int  # the weight of all records, of other slices too


_LEAST_SHARE = 1e-200  # whose parts a float holds
_ROUNDING = 1e-12  # of the difference of two shares


def _ratios(values: Integers, wholes: Any) -> Floats:
    ratios: Floats = np.asarray(values / wholes, dtype=np.float64)
    return ratios


class RunCells:
    """The kinds of cells of two runs, all or only those that changed: cells of equal sizes are of one kind.

    Weights are shares of the weight of all records. Cells that share a cluster have changed together, so
    those that did not are never partners of others.

    For a slice, the kinds are the parts of the cells that belong to it. The first record of each pair is in
    such a part, and the second one may be in another slice.
    """

    def __init__(
        self,
        weights: CellSizes,
        records: CellSizes,
        count: Integers,
        squares: Integers,
        *,
        only_changed: bool,
        part: SlicePart | None = None,
    ) -> None:
        """The sizes by weight and by records, how many cells of each kind there are, and Σw² in each cell.

        With a ``part``, Σw² is of the records in it.
        """
        n, a, b = weights
        chosen = np.flatnonzero((n != a) | (n != b)) if only_changed else np.arange(len(n))
        self.is_slice = part is not None
        if part is None:
            total = own_total = int((n * count).sum())
            part = SlicePart(np.arange(len(n)), n, records[0], np.zeros(len(n), dtype=np.int64), total)
        else:
            total, own_total = part.total, int(part.weight.sum())
        n, a, b, squares, self.count = (each[chosen] for each in (n, a, b, squares, count))
        most = total * int(max(a.max(initial=0), b.max(initial=0)))
        n, a, b, squares = (fitting(each, most) for each in (n, a, b, squares))
        self.records, self._rows, self._columns = (each[chosen] for each in records)
        self.number, own, self.own_records, self._begin = (
            each[chosen] for each in (part.cell, part.weight, part.records, part.begin)
        )

        self._total, self._own_total, self._squares = total, own_total, squares
        self.row_weight, self.column_weight = a, b
        self._left_in_row, self._left_in_column = a - n, b - n
        self.n, self.a, self.b = (_ratios(each, total) for each in (n, a, b))
        self.own = _ratios(own, own_total)  # of the weight of the slice
        self._whole_own = own.astype(n.dtype)
        self._pairs = n * self._whole_own - squares  # ordered pairs in the cell
        self.left_in_row, self.left_in_column = (
            _ratios(each, total) for each in (self._left_in_row, self._left_in_column)
        )

    def partners(self, kind: PairKind) -> Integers:
        """The number of records that a record of each cell makes pairs with."""
        if kind == "cell":
            partners: Integers = self.records - 1
        else:
            partners = (self._rows if kind == "row" else self._columns) - self.records
        return partners

    def ranks(self, drawn: NDArray[np.int64]) -> RankRanges:
        """The ranks of the first records in these cells."""
        begin = self._begin[drawn]
        return begin, begin + self.own_records[drawn].astype(np.int64)

    @property
    def distance(self) -> Floats:
        """The Jaccard distance of the records of each cell."""
        apart = self._left_in_row + self._left_in_column
        return _ratios(apart, self.row_weight + self._left_in_column)

    # Weights may differ by any factor, so these are ratios of whole numbers: a product of two shares of the
    # total can be too small for a float although its ratio to another one is not.

    @property
    def split(self) -> Floats:
        """The pairs of each cell with others of its row, divided by the weight of the row."""
        return self.own * _ratios(self._left_in_row, self.row_weight)

    @property
    def merged(self) -> Floats:
        """The same for its column."""
        return self.own * _ratios(self._left_in_column, self.column_weight)

    @property
    def kept(self) -> Floats:
        """The pairs within each cell, times 1/b − 1/a, which is 0 exactly where both are equal."""
        return self._times_inverse(self._pairs)

    @property
    def diagonal(self) -> Floats:
        """The same for the pairs of a record with itself."""
        return self._times_inverse(self._squares)

    def _times_inverse(self, pairs: Integers) -> Floats:
        change = _ratios(self._left_in_row - self._left_in_column, self._own_total)
        return _ratios(pairs, self.row_weight * self.column_weight) * change

    def weighted_pairs(self, kind: int) -> int:
        """The sum of the products of weights, over the pairs of a cell with others of its column."""
        return int(self._whole_own[kind]) * int(self._left_in_column[kind])

    def of_all_pairs(self) -> tuple[Floats, Floats, Floats]:
        """Pairs with others of the row, of the column, and within the cell, as shares of all pairs.

        If a float does not hold these shares, they are those of the pairs together.
        """
        sums = self._whole_own * self._left_in_row, self._whole_own * self._left_in_column, self._pairs
        whole = self._total * self._own_total
        together = sum(int((each * self.count).sum()) for each in sums)
        if together and together / whole < _LEAST_SHARE:
            whole = together
        row, column, cell = (_ratios(each, whole) for each in sums)
        return row, column, cell

    def draw(self, mass: Floats, count: int, kind: PairKind, rng: np.random.Generator) -> DrawnCells:
        """This many cells, drawn by mass: one in each of as many equal parts of the total."""
        by_column = np.argsort(self.b, kind="stable") if kind == "column" else np.arange(len(mass))
        ends = np.cumsum((mass * self.count)[by_column])
        at = (np.arange(count) + rng.random(count)) / count * ends[-1]
        last = np.searchsorted(ends, ends[-1])  # where the sum is reached; a product may round up to it
        drawn = by_column[np.minimum(np.searchsorted(ends, at, side="right"), last)]
        cells = self.count[drawn]
        number = np.minimum((rng.random(count) * cells).astype(np.int64), cells.astype(np.int64) - 1)
        return self.needing(drawn, number, kind)

    def needing(self, drawn: NDArray[np.int64], number: NDArray[np.int64], kind: PairKind) -> DrawnCells:
        """These cells; pairs within a cell are found through the smaller one of its clusters."""
        rows = (
            self._rows[drawn] <= self._columns[drawn]
            if kind == "cell"
            else np.full(len(drawn), kind == "row")
        )
        return DrawnCells(drawn, number, rows.astype(bool), ~rows.astype(bool))


def draw_partners(
    members: CellMembers, cells: NDArray[np.int64], *, in_row: bool, rng: np.random.Generator
) -> NDArray[np.int64]:
    """For each cell another cell of its row, or of its column, drawn by weight."""
    table = members.table
    side, sizes = (table.row, table.row_sizes) if in_row else (table.column, table.column_sizes)
    order, start = core.grouped(np.ascontiguousarray(side))

    @cache
    def ends_in(cluster: int) -> Integers:
        return np.cumsum(table.n[order[start[cluster] : start[cluster + 1]]])

    found = []
    for cell, part in zip(cells.tolist(), parts_of_unit(rng, len(cells)), strict=True):
        cluster, weight = int(side[cell]), int(table.n[cell])
        others, ends = order[start[cluster] : start[cluster + 1]], ends_in(cluster)
        at = part * (int(sizes[cluster]) - weight) >> PART_BITS
        if at >= ends[np.searchsorted(others, cell)] - weight:  # beyond the cell itself
            at += weight
        found.append(others[bisect_right(ends, at)])
    return np.array(found, dtype=np.int64)


@dataclass(frozen=True)
class Stratum:
    """A kind of pairs: the sum of their coefficients, how many there are, and how they are drawn."""

    name: str
    cells: RunCells
    mass: Floats  # the part of the sum that belongs to a cell, for each kind
    kind: PairKind
    coefficient: Callable[[int], Fraction]  # of a pair whose first record is in such a cell, but for weights

    @cached_property
    def total(self) -> float:
        return float((self.mass * self.cells.count).sum())

    @cached_property
    def pairs(self) -> int:
        """The number of unordered pairs; of a slice, pairs within it count twice."""
        chosen = np.flatnonzero(self.mass)
        n, count = self.cells.own_records[chosen], self.cells.count[chosen]
        partners = self.cells.partners(self.kind)[chosen]
        if int((self.cells.records * self.cells.count).sum()) >= 2**31:
            n = n.astype(object)
        return int((n * partners * count).sum()) // (1 if self.cells.is_slice else 2)

    def draw(self, count: int, rng: np.random.Generator) -> DrawnCells:
        """The cells of the first records of this many pairs, or all cells if there are no more pairs."""
        if self.pairs > count:
            return self.cells.draw(self.mass, count, self.kind, rng)
        involved = np.flatnonzero(self.mass > 0)
        counts = self.cells.count[involved].astype(np.int64)
        number = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.cells.needing(np.repeat(involved, counts), number, self.kind)

    def draw_pairs(
        self,
        drawn: DrawnCells,
        members: CellMembers,
        first: NDArray[np.int64],
        count: int,
        rng: np.random.Generator,
    ) -> DrawnPairs:
        """The pairs whose first records are in these cells, which ``draw`` chose."""
        if self.pairs <= count:
            return self._all(drawn, members, first)
        begin, end = self.cells.ranks(drawn.kind)
        if self.kind != "cell":
            ranks = members.draw(first, rng, (begin, end))
            second = draw_partners(members, first, in_row=self.kind == "row", rng=rng)
            return DrawnPairs.drawn((first, ranks), (second, members.draw(second, rng)))
        ranks, others = members.draw_two(first, rng, (begin, end))
        return DrawnPairs.drawn((first, ranks), (first, others))

    def _all(self, drawn: DrawnCells, members: CellMembers, first: NDArray[np.int64]) -> DrawnPairs:
        """Every ordered pair, each with its share of the total."""
        side = members.table.column if self.kind == "column" else members.table.row
        order, start = core.grouped(np.ascontiguousarray(side))
        found: list[tuple[int, int, int, int, Fraction]] = []
        begin, end = (each.tolist() for each in self.cells.ranks(drawn.kind))
        factors = [self.coefficient(kind) for kind in drawn.kind.tolist()]
        for cell, low, high, factor in zip(first.tolist(), begin, end, factors, strict=True):
            own, cluster = members.weights(cell), side[cell]
            others = [cell] if self.kind == "cell" else order[start[cluster] : start[cluster + 1]].tolist()
            for other in others:
                if (other == cell) is (self.kind == "cell"):
                    theirs = members.weights(other)
                    ranks = product(range(low, high), range(len(theirs)))
                    found += [
                        (cell, other, i, j, own[i] * theirs[j] * factor)
                        for i, j in ranks
                        if cell != other or i != j
                    ]
        rows = np.array([row[:4] for row in found], dtype=np.int64).reshape(-1, 4)
        total = sum(row[4] for row in found) or 1
        weights = np.array([float(row[4] / total) for row in found], dtype=np.float64)
        return DrawnPairs(rows[:, :2], rows[:, 2:], weights, exact=True)


def precision_strata(cells: RunCells, prefix: str = "") -> tuple[list[Stratum], float]:
    """The strata of the rates and of the change of precision, and the contribution of self pairs."""
    kept, a, b = cells.kept, cells.row_weight, cells.column_weight

    def of_row(kind: int) -> Fraction:
        return Fraction(1, int(a[kind]))

    def of_column(kind: int) -> Fraction:
        return Fraction(1, int(b[kind]))

    def of_cell(kind: int) -> Fraction:
        return abs(of_column(kind) - of_row(kind))

    strata = [
        Stratum(f"{prefix}split", cells, cells.split, "row", of_row),
        Stratum(f"{prefix}merged", cells, cells.merged, "column", of_column),
        Stratum(f"{prefix}kept_up", cells, np.maximum(kept, 0.0), "cell", of_cell),
        Stratum(f"{prefix}kept_down", cells, np.maximum(-kept, 0.0), "cell", of_cell),
    ]
    return strata, float((cells.diagonal * cells.count).sum())


def merge_strata(cells: RunCells) -> tuple[list[Stratum], float]:
    """The strata of the merges of singletons, and the share of B-cubed precision that needs no question.

    Pair precision draws pairs by weight, and B-cubed precision draws a record and then its partner. They
    differ only in how often they draw from a cluster. One stratum has what both draw, so its answers serve
    both, and two others have the rest of each.
    """
    rates = {"pairs": cells.of_all_pairs()[1], "records": cells.merged}
    sums = {name: float((mass * cells.count).sum()) for name, mass in rates.items()}
    pairs, records = (mass / (sums[name] or 1.0) for name, mass in rates.items())
    both = np.minimum(pairs, records)

    def stratum(name: str, mass: Floats) -> Stratum:
        mass = np.where(mass > _ROUNDING * both, mass, 0.0)

        def coefficient(kind: int) -> Fraction:
            return Fraction(float(mass[kind])) / cells.weighted_pairs(kind)

        return Stratum(name, cells, mass, "column", coefficient)

    strata = [stratum("both", both), stratum("pairs", pairs - both), stratum("records", records - both)]
    return strata, 1.0 - sums["records"]


def recall_strata(cells: RunCells, prefix: str = "") -> list[Stratum]:
    """The strata of the ratio of recalls: all pairs that a run holds together, by their weight."""
    row, column, cell = cells.of_all_pairs()

    def alike(kind: int) -> Fraction:  # noqa: ARG001
        return Fraction(1)

    return [
        Stratum(f"{prefix}split", cells, row, "row", alike),
        Stratum(f"{prefix}merged", cells, column, "column", alike),
        Stratum(f"{prefix}kept", cells, cell, "cell", alike),
    ]


def allocate(
    strata: Sequence[Stratum], count: int, spread: Callable[[Stratum], float], least: int = LEAST_QUESTIONS
) -> dict[str, int]:
    """How many pairs of each stratum to ask about: by their spreads, at least a few, at most all.

    Questions that a small stratum does not need go to the others.
    """
    open_strata = [each for each in strata if each.total > 0 and each.pairs > 0]
    asked = {each.name: 0 for each in strata}
    while open_strata:
        left = count - sum(asked.values())
        shares = np.array([spread(each) for each in open_strata])
        shares = shares if shares.any() else np.ones(len(shares))
        least_each = min(least, left // len(open_strata))
        wanted = np.maximum(shares / shares.sum() * left, least_each)
        whole = _rounded_to(wanted * (left / wanted.sum()), left, least_each)
        small = [each for each, number in zip(open_strata, whole, strict=True) if each.pairs <= number]
        if not small:
            return asked | {each.name: number for each, number in zip(open_strata, whole, strict=True)}
        asked |= {each.name: each.pairs for each in small}
        open_strata = [each for each in open_strata if each not in small]
    return asked


def _rounded_to(wanted: Floats, total: int, least: int) -> list[int]:
    """Whole numbers that add up to the total: the largest remainders are rounded up."""
    whole = np.maximum(np.floor(wanted), least).astype(np.int64)
    for place in np.argsort(whole - wanted, kind="stable")[: max(total - int(whole.sum()), 0)].tolist():
        whole[place] += 1
    while (excess := int(whole.sum()) - total) > 0:
        whole[int(np.argmax(whole))] -= min(excess, max(int(whole.max()) - least, 1))
    return [int(each) for each in whole]


# Of each part of a record's clusters (kept, split, merged): cells, ranks and weights of members to look at.
RecordMembers = dict[str, tuple[NDArray[np.int64], NDArray[np.int64], Floats]]


def look_at_clusters(
    members: CellMembers,
    cells: NDArray[np.int64],
    ranks: NDArray[np.int64],
    most: int,
    rng: np.random.Generator,
) -> list[RecordMembers]:
    """For each record, the members of each part of its two clusters: all, or ``most`` drawn by weight."""
    row, column = (np.ascontiguousarray(side) for side in (members.table.row, members.table.column))
    in_rows, row_start = core.grouped(row)
    in_columns, column_start = core.grouped(column)
    listed = []
    for cell, rank in zip(cells.tolist(), ranks.tolist(), strict=True):
        own_row = in_rows[row_start[row[cell]] : row_start[row[cell] + 1]]
        own_column = in_columns[column_start[column[cell]] : column_start[column[cell] + 1]]
        listed.append(
            {
                "kept": _look(members, np.array([cell]), most, rng, without=rank),
                "split": _look(members, own_row[own_row != cell], most, rng),
                "merged": _look(members, own_column[own_column != cell], most, rng),
            }
        )
    return listed


def _look(
    members: CellMembers,
    part: NDArray[np.int64],
    most: int,
    rng: np.random.Generator,
    without: int | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """The members of some cells to look at, without one record of the first."""
    number = int(members.numbers[part].sum()) - (without is not None)
    if number <= most:
        found = [
            (int(cell), rank, weight)
            for cell in part.tolist()
            for rank, weight in enumerate(members.weights(cell))
            if rank != without
        ]
        table = np.array([row[:2] for row in found], dtype=np.int64).reshape(-1, 2)
        total = sum(row[2] for row in found) or 1
        weights = np.array([row[2] / total for row in found], dtype=np.float64)
        return table[:, 0], table[:, 1], weights
    ends = np.cumsum(_ratios(members.table.n[part], int(members.table.n[part].sum())))
    chosen = part[np.minimum(np.searchsorted(ends, rng.random(most) * ends[-1], side="right"), len(part) - 1)]
    ranks = (
        members.draw(chosen, rng)
        if without is None
        else members.draw_others(int(part[0]), without, most, rng)
    )
    return chosen, ranks, np.full(most, 1 / most)
