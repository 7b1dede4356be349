"""Random pairs of records for questions about a change, drawn from cells without listing pairs.

Each rate of a change is a sum over pairs, with known coefficients c, of the answers to "same entity?". A
stratum is a kind of pairs. Within it, a pair is drawn with probability c/C, where C is the sum of its
coefficients. Then C times the share of answers "same" is an unbiased estimate, and its error is binomial
whatever the sizes and weights of the clusters.

Draw number t of m is made within the t-th of m equal parts of C, with cells in the order of their cluster
sizes. This spreads the draws over small and large clusters, and the variance is never larger than binomial.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import Counts
from concordant.counts.counted_sides import CountedSides
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import InputError, ParameterError
from concordant.foundation.spelling import counted
from concordant.inference.slice_cells import SliceCells
from concordant.maths.arithmetic import Floats, Integers, fitting

# The change between two runs, or the merges of one clustering.
Goal = Literal["precision", "merges"]
# Pairs of one cluster before in different cells, of one cluster after, or within a cell.
PairKind = Literal["row", "column", "cell"]
LEAST_QUESTIONS = 10  # of a stratum
_LEAST_SHARE = 1e-200  # whose parts a float holds
_ROUNDING = 1e-12  # of the difference of two shares
_UNIT_BITS = 53  # of random numbers


def _ratios(values: Integers, wholes: Any) -> Floats:
    ratios: Floats = np.asarray(values / wholes, dtype=np.float64)
    return ratios


class RunCells:
    """The cells of two runs that changed, or their parts that belong to a slice.

    Cells that share a cluster have changed together, so those that did not are never partners of others. The
    first record of each pair is in such a part, and the second one may be in another slice.

    Weights are whole numbers that may differ by any factor, so masses are ratios of them: a product of two
    shares of the total can be too small for a float although its ratio to another one is not.
    """

    def __init__(
        self,
        counts: Counts,
        *,
        cell: Integers,
        weight: Integers,
        records: Integers,
        squares: Integers,
        slice_number: int | None = None,
    ) -> None:
        """Of each part: the number of its cell, its weight, its records and Σw²."""
        self.table, self.slice = counts.table, slice_number
        weights = counts.weights.table if isinstance(counts, WeightedCounts) else counts.table
        n, a, b = (each[cell] for each in (weights.n, weights.a, weights.b))
        changed = np.flatnonzero((n != a) | (n != b))
        self._total, self._own_total = int(weights.n.sum()), int(weight.sum())
        n, a, b, self.cell, own, self.records, squares = (
            each[changed] for each in (n, a, b, cell, weight, records, squares)
        )
        most = self._total * int(max(a.max(initial=0), b.max(initial=0)))
        n, self.a, self.b, own, self._squares = (fitting(each, most) for each in (n, a, b, own, squares))
        left_in_row, left_in_column = self.a - n, self.b - n
        self._growth = left_in_row - left_in_column
        share = _ratios(own, self._own_total)
        self.split = share * _ratios(left_in_row, self.a)
        self.merged = share * _ratios(left_in_column, self.b)
        # Sums of products of weights, over ordered pairs with others of the row, of the column, and within.
        self.pair_weights = {
            "row": own * left_in_row,
            "column": own * left_in_column,
            "cell": n * own - self._squares,
        }

    @property
    def kept(self) -> Floats:
        """The pairs within each cell, times 1/b − 1/a, which is 0 exactly where both are equal."""
        return self._times_inverse(self.pair_weights["cell"])

    @property
    def diagonal(self) -> float:
        """The same for the pairs of a record with itself."""
        return float(self._times_inverse(self._squares).sum())

    def _times_inverse(self, pairs: Integers) -> Floats:
        return _ratios(pairs, self.a * self.b) * _ratios(self._growth, self._own_total)

    def share_of_merged_pairs(self) -> Floats:
        """Pairs with others of the column as shares of all pairs.

        If a float does not hold these shares, they are those of these pairs alone.
        """
        pairs, whole = self.pair_weights["column"], self._total * self._own_total
        merged = int(pairs.sum())
        return _ratios(pairs, merged if merged and merged / whole < _LEAST_SHARE else whole)

    def partners(self, kind: PairKind) -> Integers:
        """The number of records that a record of each cell makes pairs with."""
        n, a, b = (each[self.cell] for each in (self.table.n, self.table.a, self.table.b))
        partners: Integers = {"row": a - n, "column": b - n, "cell": n - 1}[kind]
        return partners

    def others(self, piece: int, kind: PairKind) -> NDArray[np.int64]:
        """The cells of the partners of a piece."""
        cell, table = int(self.cell[piece]), self.table
        if kind == "cell":
            return np.array([cell])
        if kind == "row":
            row = table.row[cell]
            first, last = (np.searchsorted(table.row, row, side=side) for side in ("left", "right"))
            together = np.arange(first, last)
        else:
            order, start = table.by_column
            column = int(table.column[cell])
            together = order[start[column] : start[column + 1]]
        others: NDArray[np.int64] = together[together != cell]
        return others


def run_cells(counts: Counts, slices: SliceCells | None = None) -> list[RunCells]:
    """The cells to draw from, or those of each slice."""
    if slices is None:
        table, weight = counts.table, counts.table.n
        squares = weight
        if isinstance(counts, WeightedCounts):
            weight, squares = counts.weights.table.n, counts.cell_squares
        return [RunCells(counts, cell=np.arange(len(table)), weight=weight, records=table.n, squares=squares)]
    found = []
    for number in range(len(slices.labels)):
        own = np.flatnonzero(slices.slice == number)
        sizes = {name: getattr(slices, name)[own] for name in ("cell", "weight", "records", "squares")}
        found.append(RunCells(counts, **sizes, slice_number=number))
    return found


class CellRecords:
    """The records of each cell and their weights."""

    def __init__(self, runs: CountedSides, slices: SliceCells | None) -> None:
        self._order, self._start = core.grouped(np.ascontiguousarray(runs.names.records.cell))
        counts = runs.counts
        self._weights = counts.own if isinstance(counts, WeightedCounts) else None
        self._table = counts.weights.table if isinstance(counts, WeightedCounts) else counts.table
        self._slices = None if slices is None else slices.of_record

    def of(self, cell: int, slice_number: int | None = None) -> NDArray[np.int64]:
        """The records of a cell, or those in a slice."""
        records: NDArray[np.int64] = self._order[self._start[cell] : self._start[cell + 1]]
        if slice_number is not None and self._slices is not None:
            records = records[self._slices[records] == slice_number]
        return records

    def weights(self, records: NDArray[np.int64]) -> Integers:
        return np.ones_like(records) if self._weights is None else self._weights[records]

    def draw_partner(self, first: int, cell: int, others: NDArray[np.int64], rng: np.random.Generator) -> int:
        """A record of the other cells by weight; if these are the cell of the first, another one than it."""
        if len(others) > 1 or others[0] != cell:
            records = self.of(int(others[_drawn_place(self._table.n[others], rng)]))
        else:
            records = self.of(cell)
            records = records[records != first]
        return int(records[_drawn_place(self.weights(records), rng)])


def _drawn_place(weights: Integers, rng: np.random.Generator) -> int:
    """A place drawn by weight; weights are whole numbers of any size."""
    ends = np.cumsum(weights)
    return bisect_right(ends, int(rng.integers(2**_UNIT_BITS)) * int(ends[-1]) >> _UNIT_BITS)


@dataclass(frozen=True)
class Stratum:
    """A kind of pairs, and the part of the sum of their coefficients that belongs to each cell."""

    name: str
    cells: RunCells
    mass: Floats
    kind: PairKind

    @cached_property
    def total(self) -> float:
        return float(self.mass.sum())

    @cached_property
    def pairs(self) -> int:
        """The number of unordered pairs; of a slice, pairs within it count twice."""
        chosen, size = np.flatnonzero(self.mass), int(self.cells.table.n.sum())
        records = fitting(self.cells.records[chosen], size**2)
        ordered = int((records * self.cells.partners(self.kind)[chosen]).sum())
        return ordered // (2 if self.cells.slice is None else 1)

    def every_pair(self, records: CellRecords) -> Iterator[tuple[int, int, float]]:
        """Every ordered pair, with its share of the total."""
        for piece in np.flatnonzero(self.mass).tolist():
            share, pair_weight = self.mass[piece] / self.total, int(self.cells.pair_weights[self.kind][piece])
            first = records.of(int(self.cells.cell[piece]), self.cells.slice)
            for cell in self.cells.others(piece, self.kind).tolist():
                second = records.of(cell)
                own, theirs = records.weights(first).tolist(), records.weights(second).tolist()
                for one, weight in zip(first.tolist(), own, strict=True):
                    for other, other_weight in zip(second.tolist(), theirs, strict=True):
                        if one != other:
                            yield one, other, share * (weight * other_weight / pair_weight)

    def draw(self, count: int, records: CellRecords, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
        """Ordered pairs, one from each of ``count`` equal parts of the total."""
        cells = self.cells
        table = cells.table
        sizes = table.column_sizes[table.column] if self.kind == "column" else table.row_sizes[table.row]
        order = np.argsort(sizes[cells.cell], kind="stable")
        ends = np.cumsum(self.mass[order])
        at = (np.arange(count) + rng.random(count)) / count * ends[-1]
        last = np.searchsorted(ends, ends[-1])  # where the sum is reached; a product may round up to it
        for piece in order[np.minimum(np.searchsorted(ends, at, side="right"), last)].tolist():
            cell = int(cells.cell[piece])
            within = records.of(cell, cells.slice)
            weights = records.weights(within)
            if self.kind == "cell":  # a record has pairs with all others of its cell
                whole = int(records.weights(records.of(cell)).sum())
                weights = fitting(weights, whole**2)
                weights = weights * (whole - weights)
            first = int(within[_drawn_place(weights, rng)])
            yield first, records.draw_partner(first, cell, cells.others(piece, self.kind), rng)


def precision_strata(cells: RunCells, prefix: str = "") -> list[Stratum]:
    """The strata of the rates and of the change of precision."""
    kept = cells.kept
    return [
        Stratum(f"{prefix}split", cells, cells.split, "row"),
        Stratum(f"{prefix}merged", cells, cells.merged, "column"),
        Stratum(f"{prefix}kept_up", cells, np.maximum(kept, 0.0), "cell"),
        Stratum(f"{prefix}kept_down", cells, np.maximum(-kept, 0.0), "cell"),
    ]


def merge_strata(cells: RunCells) -> tuple[list[Stratum], float]:
    """The strata of the merges of singletons, and the share of B-cubed precision that needs no question.

    Pair precision draws pairs by weight, and B-cubed precision draws a record and then its partner. They
    differ only in how often they draw from a cluster. One stratum has what both draw, so its answers serve
    both, and two others have the rest of each.
    """
    rates = {"pairs": cells.share_of_merged_pairs(), "records": cells.merged}
    sums = {name: float(mass.sum()) for name, mass in rates.items()}
    pairs, records = (mass / (sums[name] or 1.0) for name, mass in rates.items())
    both = np.minimum(pairs, records)
    masses = {"both": both, "pairs": pairs - both, "records": records - both}
    strata = [
        Stratum(name, cells, np.where(mass > _ROUNDING * both, mass, 0.0), "column")
        for name, mass in masses.items()
    ]
    return strata, 1.0 - sums["records"]


RecordPair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DrawnQuestions:
    """Pairs of records to ask about, by position, and how they were drawn."""

    strata: dict[str, dict[str, Any]]  # total, draws (0: all pairs are asked) and pairs of each
    # Of each pair: the stratum, and its weight there or, of drawn pairs, how often it was drawn.
    uses: dict[RecordPair, list[tuple[str, float]]]
    diagonals: list[float]  # of the whole or of each slice


def draw_questions(
    runs: CountedSides, number: int, goal: Goal, slices: SliceCells | None, rng: np.random.Generator
) -> DrawnQuestions:
    """Pairs of the whole, or as many of each slice, so the intervals of a slice do not depend on its size."""
    cells = run_cells(runs.counts, slices)
    if not any(len(each.cell) for each in cells):
        what = "cluster has two records" if goal == "merges" else "cluster changed"
        raise InputError(f"no {what}, so there is nothing to ask")
    parts, diagonals = [], []
    for place, each in enumerate(cells):
        if goal == "merges":
            part, diagonal = merge_strata(each)
        else:
            prefix = "" if slices is None else f"{place} "
            part, diagonal = precision_strata(each, prefix), each.diagonal
        parts.append(part)
        diagonals.append(diagonal)
    strata = [each for part in parts for each in part]
    if not any(each.total > 0 for each in strata):
        raise InputError(
            "the records whose clusters changed have less than 1e-300 of the weight of all, so every rate "
            "rounds to 0; leave out the heavy records, or ask without weights"
        )
    _check_number(number, strata, 0 if slices is None else len(cells))
    if goal == "merges" and strata[0].pairs <= number:  # the other strata repeat these pairs
        number = sum(each.pairs for each in strata)
    wholes = [sum(each.total for each in part) or 1.0 for part in parts]
    shares = [each.total / whole for part, whole in zip(parts, wholes, strict=True) for each in part]
    numbers = _allocated([each.pairs for each in strata], np.array(shares), number)
    design, records = {}, CellRecords(runs, slices)
    uses: dict[RecordPair, list[tuple[str, float]]] = {}
    for stratum, count in zip(strata, numbers, strict=True):
        are_all = stratum.pairs <= count
        design[stratum.name] = {
            "total": stratum.total,
            "draws": 0 if are_all else count,
            "pairs": stratum.pairs,
        }
        # Draws are counted, so shares of answers are exact.
        drawn = (
            stratum.every_pair(records)
            if are_all
            else ((*pair, 1.0) for pair in stratum.draw(count, records, rng))
        )
        for one, other, weight in drawn:
            own = uses.setdefault((min(one, other), max(one, other)), [])
            if own and own[-1][0] == stratum.name:  # drawn again: asked once, counts twice
                own[-1] = stratum.name, own[-1][1] + weight
            else:
                own.append((stratum.name, weight))
    return DrawnQuestions(design, uses, diagonals)


def _check_number(number: int, strata: Sequence[Stratum], slices: int) -> None:
    """Refuse fewer questions than each kind of pairs needs, in each slice if there are some."""
    least = LEAST_QUESTIONS if slices else 1
    needed = sum(min(least, each.pairs) for each in strata if each.total > 0)
    if number >= needed:
        return
    few = f"ask {counted(needed, 'question')} or more, as fewer show nothing about some kinds of pairs"
    if slices:
        few = (
            f"{counted(slices, 'slice', 'need')} {counted(needed, 'question')}: {LEAST_QUESTIONS} for each "
            "kind of pairs in each slice; ask more, or use a column with fewer values"
        )
    raise ParameterError(few, given={"n_questions": number})


def _allocated(pairs: Sequence[int], shares: Floats, count: int) -> list[int]:
    """How many pairs of each stratum to ask about: by their shares, at least a few, at most all.

    Questions that a small stratum does not need go to the others.
    """
    most = np.array([min(each, count + 1) for each in pairs])
    asked = np.zeros(len(pairs), dtype=np.int64)
    open_strata = np.flatnonzero((shares > 0) & (most > 0))
    while len(open_strata):
        left = count - int(asked.sum())
        least = min(LEAST_QUESTIONS, left // len(open_strata))
        wanted = np.maximum(shares[open_strata] / shares[open_strata].sum() * left, least)
        whole = _rounded_to(wanted * (left / wanted.sum()), left, least)
        is_small = most[open_strata] <= whole
        if not is_small.any():
            asked[open_strata] = whole
            break
        small = open_strata[is_small]
        asked[small] = most[small]
        open_strata = open_strata[~is_small]
    return [int(each) for each in asked]


def _rounded_to(wanted: Floats, total: int, least: int) -> NDArray[np.int64]:
    """Whole numbers that add up to the total: the largest remainders are rounded up."""
    whole = np.maximum(np.floor(wanted), least).astype(np.int64)
    for place in np.argsort(whole - wanted, kind="stable")[: max(total - int(whole.sum()), 0)].tolist():
        whole[place] += 1
    while (excess := int(whole.sum()) - total) > 0:
        whole[int(np.argmax(whole))] -= min(excess, max(int(whole.max()) - least, 1))
    return whole
