"""Random pairs of records for questions about a change, drawn from cells without listing pairs.

Each rate of a change is a sum over pairs, with known coefficients c, of the answers to "same entity?". A
stratum is a kind of pairs. Within it, a pair is drawn with probability c/C, where C is the sum of its
coefficients. Then C times the share of answers "same" is an unbiased estimate, and its error is binomial
whatever the sizes and weights of the clusters.

Draw number t of m is made within the t-th of m equal parts of C, with cells in the order of their connected
components. This spreads the draws over the components, and the variance is never larger than binomial.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Floats, Integers
from concordant.counts.table import Table


class DrawnMembers(Protocol):
    """The records of cells."""

    def draw(self, cells: NDArray[np.int64], rng: np.random.Generator, /) -> NDArray[np.int64]:
        """The rank in its cell of a record that is drawn by weight, for each of these cells."""

    def shares(self, cell: int, /) -> Floats:
        """The share of each record of a cell in the weight of all records."""


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
        """Pairs that all count alike; each side has cells and ranks."""
        cells, ranks = (np.stack(sides, axis=1) for sides in zip(first, second, strict=True))
        return cls(cells, ranks, np.full(len(cells), 1 / max(len(cells), 1)), exact=False)


class RunCells:
    """The cells of two runs, all or only those that changed. Weights are shares of the weight of all records.

    Cells that share a cluster have changed together, so those that did not are never partners of others.
    """

    def __init__(
        self,
        table: Table,
        records: Table,
        squares: Integers,
        members: DrawnMembers,
        *,
        only_changed: bool,
    ) -> None:
        """The same cells by weight and by number of records; ``squares`` has Σw² of the records of each."""
        n, a, b = table.n, table.a, table.b
        total = int(n.sum())
        self.number = np.flatnonzero((n != a) | (n != b)) if only_changed else np.arange(len(n))
        self.row, self.column = (core.factorize(side[self.number])[0] for side in (table.row, table.column))
        self.records = records.n[self.number]
        self._sizes = records  # of the clusters, in records
        n, a, b, squares = (each[self.number] for each in (n, a, b, squares))
        self.members = members

        def share(values: Integers, whole: int) -> Floats:
            shares: Floats = (values / whole).astype(np.float64)
            return shares

        self.n, self.a, self.b = (share(each, total) for each in (n, a, b))
        self.squares = share(squares, total * total)
        # Differences of whole numbers: 0 is 0 exactly.
        self.left_in_row, self.left_in_column = share(a - n, total), share(b - n, total)
        wide = n.astype(object) if total >= 2**31 else n
        self.pairs = share(wide * wide - squares, total * total)  # twice the weight of the pairs in the cell

    def draw_members(self, cells: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """The rank of a record in each of these cells."""
        return self.members.draw(self.number[cells], rng)

    def others(self, cells: NDArray[np.int64], *, in_row: bool) -> Integers:
        """How many records of the base cluster, or of the experiment cluster, are in other cells."""
        places, sizes = self.number[cells], self._sizes
        wholes = sizes.row_sizes[sizes.row[places]] if in_row else sizes.column_sizes[sizes.column[places]]
        others: Integers = wholes - sizes.n[places]
        return others

    def shares_in(self, cell: int) -> Floats:
        """The share of each record of a cell in the weight of all."""
        return self.members.shares(int(self.number[cell]))

    @cached_property
    def component_order(self) -> NDArray[np.int64]:
        """The cells, component by component."""
        of_row, _ = core.blocks(self.row, self.column)
        return core.grouped(of_row[self.row])[0]

    @cached_property
    def column_order(self) -> NDArray[np.int64]:
        return core.grouped(self.column)[0]

    @property
    def union(self) -> Floats:
        return self.a + self.left_in_column

    @property
    def distance(self) -> Floats:
        """The Jaccard distance of the records of each cell."""
        distance: Floats = (self.left_in_row + self.left_in_column) / self.union
        return distance

    @property
    def inverse(self) -> Floats:
        """1/b − 1/a, which is 0 exactly where both are equal."""
        return (self.left_in_row - self.left_in_column) / (self.a * self.b)

    def draw_cells(self, mass: Floats, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """So many cells, each drawn by its mass in one of as many equal parts of the whole."""
        ends = np.cumsum(mass[self.component_order])
        at = (np.arange(count) + rng.random(count)) / count * ends[-1]
        last = np.searchsorted(ends, ends[-1])  # where the sum is reached; a product may round up to it
        places = np.minimum(np.searchsorted(ends, at, side="right"), last)
        chosen: NDArray[np.int64] = self.component_order[places]
        return chosen

    def draw_partners(
        self, cells: NDArray[np.int64], *, in_row: bool, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """For each cell another cell of its row, or of its column, drawn by weight."""
        order = np.arange(len(self.n)) if in_row else self.column_order
        group = (self.row if in_row else self.column)[order]
        left = self.left_in_row if in_row else self.left_in_column
        weights = self.n[order]
        ends = np.cumsum(weights)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        own = place[cells]
        starts = np.searchsorted(group, group[own], side="left")
        begin = ends[starts] - weights[starts]
        partner = own.copy()
        pending = np.arange(len(cells))
        while len(pending):  # more than once only where rounding hits the cell itself or a neighbour
            k = own[pending]
            at = begin[pending] + rng.random(len(pending)) * left[cells[pending]]
            at = np.where(at >= ends[k] - weights[k], at + weights[k], at)
            partner[pending] = np.minimum(np.searchsorted(ends, at, side="right"), len(ends) - 1)
            found = partner[pending]
            pending = pending[(found == k) | (group[found] != group[k])]
        return order[partner]


@dataclass(frozen=True)
class Stratum:
    """A kind of pairs: the sum of their coefficients, how many there are, and how they are drawn."""

    name: str
    cells: RunCells
    mass: Floats  # the part of the sum that belongs to each cell
    kind: Literal["row", "column", "cell"]  # pairs of one base cluster, of one experiment cluster, of both
    coefficients: Floats  # of a pair whose first record is in this cell, but for a factor and its weight

    @cached_property
    def total(self) -> float:
        return float(self.mass.sum())

    @cached_property
    def pairs(self) -> int:
        """The number of unordered pairs."""
        chosen = np.flatnonzero(self.mass)
        n = self.cells.records[chosen]
        others = n - 1 if self.kind == "cell" else self.cells.others(chosen, in_row=self.kind == "row")
        if int(self.cells.records.sum()) >= 2**31:
            n = n.astype(object)
        return int((n * others).sum()) // 2

    def draw(self, count: int, rng: np.random.Generator) -> DrawnPairs:
        """So many pairs, or all if there are no more."""
        if self.pairs <= count:
            return self._all()
        cells = self.cells
        first = cells.draw_cells(self.mass, count, rng)
        ranks = cells.draw_members(first, rng)
        if self.kind != "cell":
            second = cells.draw_partners(first, in_row=self.kind == "row", rng=rng)
            others = cells.draw_members(second, rng)
            return DrawnPairs.drawn((cells.number[first], ranks), (cells.number[second], others))
        others = cells.draw_members(first, rng)
        while len(same := np.flatnonzero(ranks == others)):  # both again: the pair is drawn as a whole
            again = first[same]
            ranks[same], others[same] = cells.draw_members(again, rng), cells.draw_members(again, rng)
        return DrawnPairs.drawn((cells.number[first], ranks), (cells.number[first], others))

    def _all(self) -> DrawnPairs:
        """Every pair, each with its share of the total."""
        involved = np.flatnonzero(self.mass > 0)
        found: list[tuple[int, int, int, int, float]] = []
        for cells in self._groups(involved):
            within = self.kind == "cell"
            for one, other in ((each, each) for each in cells) if within else combinations(cells, 2):
                own, theirs = self.cells.shares_in(one), self.cells.shares_in(other)
                everyone = range(len(own)), range(len(theirs))
                ranks = combinations(everyone[0], 2) if within else product(*everyone)
                factor = float(self.coefficients[one])
                found += [(one, other, i, j, own[i] * theirs[j] * factor) for i, j in ranks]
        rows = np.array([row[:4] for row in found], dtype=np.int64).reshape(-1, 4)
        weights = np.array([row[4] for row in found], dtype=np.float64)
        cells_of = self.cells.number[rows[:, :2]]
        return DrawnPairs(cells_of, rows[:, 2:], weights / (weights.sum() or 1.0), exact=True)

    def _groups(self, involved: NDArray[np.int64]) -> list[list[int]]:
        if self.kind == "cell":
            return [involved.tolist()]
        group = self.cells.row if self.kind == "row" else self.cells.column
        groups: dict[int, list[int]] = {}
        for cell, key in zip(involved.tolist(), group[involved].tolist(), strict=True):
            groups.setdefault(key, []).append(cell)
        return list(groups.values())


def precision_strata(cells: RunCells) -> tuple[list[Stratum], float]:
    """The strata of the rates and of the change of precision, and what pairs of a record with itself add."""
    inverse, n = cells.inverse, cells.n
    kept = cells.pairs * inverse
    strata = [
        Stratum("split", cells, n * cells.left_in_row / cells.a, "row", 1 / cells.a),
        Stratum("merged", cells, n * cells.left_in_column / cells.b, "column", 1 / cells.b),
        Stratum("kept_up", cells, np.maximum(kept, 0.0), "cell", np.abs(inverse)),
        Stratum("kept_down", cells, np.maximum(-kept, 0.0), "cell", np.abs(inverse)),
    ]
    return strata, float((cells.squares * inverse).sum())


def recall_strata(cells: RunCells) -> list[Stratum]:
    """The strata of the ratio of recalls: all pairs that a run holds together, by their weight."""
    alike = np.ones(len(cells.n))
    return [
        Stratum("split", cells, cells.n * cells.left_in_row, "row", alike),
        Stratum("merged", cells, cells.n * cells.left_in_column, "column", alike),
        Stratum("kept", cells, cells.pairs, "cell", alike),
    ]


def allocate(strata: list[Stratum], count: int, *, by_total: bool, least: int = 10) -> dict[str, int]:
    """How many pairs of each stratum to ask: by their totals or evenly, at least some, never more than all.

    Questions that a small stratum does not need go to the others.
    """
    open_strata = [each for each in strata if each.total > 0 and each.pairs > 0]
    asked = {each.name: 0 for each in strata}
    while open_strata:
        left = count - sum(asked.values())
        shares = np.array([each.total if by_total else 1.0 for each in open_strata])
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


@dataclass(frozen=True, slots=True)
class DrawnRecords:
    """Records drawn by weight times Jaccard distance, and the members of both their clusters to look at."""

    cells: NDArray[np.int64]
    ranks: NDArray[np.int64]
    # Of each record and each part (kept, split, merged): cells, ranks and weights of the members to look at.
    members: list[dict[str, tuple[NDArray[np.int64], NDArray[np.int64], Floats]]]


def draw_records(cells: RunCells, count: int, most: int, rng: np.random.Generator) -> DrawnRecords:
    """So many records, and of each part of their clusters all members, or ``most`` drawn by weight."""
    chosen = cells.draw_cells(cells.n * cells.distance, count, rng)
    ranks = cells.draw_members(chosen, rng)
    in_column, column_start = core.grouped(cells.column)
    row_start = np.searchsorted(cells.row, np.arange(int(cells.row.max()) + 2), side="left")
    listed = []
    for cell, rank in zip(chosen.tolist(), ranks.tolist(), strict=True):
        row, column = int(cells.row[cell]), int(cells.column[cell])
        in_row = np.arange(row_start[row], row_start[row + 1])
        others = in_column[column_start[column] : column_start[column + 1]]
        listed.append(
            {
                "kept": _look(cells, np.array([cell]), most, rng, without=rank),
                "split": _look(cells, in_row[in_row != cell], most, rng),
                "merged": _look(cells, others[others != cell], most, rng),
            }
        )
    return DrawnRecords(chosen, ranks, listed)


def _look(
    cells: RunCells, part: NDArray[np.int64], most: int, rng: np.random.Generator, without: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """The members of some cells to look at, without one record of the first."""
    number = int(cells.records[part].sum()) - (without is not None)
    if number <= most:
        found = [
            (int(cell), rank, float(share))
            for cell in part.tolist()
            for rank, share in enumerate(cells.shares_in(cell))
            if rank != without
        ]
        table = np.array([row[:2] for row in found], dtype=np.int64).reshape(-1, 2)
        weights = np.array([row[2] for row in found], dtype=np.float64)
        return table[:, 0], table[:, 1], weights / (weights.sum() or 1.0)
    ends = np.cumsum(cells.n[part])
    chosen = part[np.minimum(np.searchsorted(ends, rng.random(most) * ends[-1], side="right"), len(part) - 1)]
    ranks = cells.draw_members(chosen, rng)
    while without is not None and len(same := np.flatnonzero(ranks == without)):
        ranks[same] = cells.draw_members(chosen[same], rng)
    return chosen, ranks, np.full(most, 1 / most)
