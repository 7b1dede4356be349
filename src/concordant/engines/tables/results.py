"""The rows that a counting query returns, and the counts that follow from them.

Every such engine counts cells (u, v, n), gives each cell the sizes of its two clusters, and
returns a few small sums, one row each, as integers and one float: (tag, p, q, r, x, count).

    CELL + alone   n, a, b              how many cells have these sizes; alone: the singleton side
    ROW, COLUMN    size, Σ of the largest overlaps, smallest Σ n(n−1), best share n/(a + b)
                   how many clusters in several pieces have this size and share
    STATE          kinds of labels of both sides          how many elements have such labels
    SIDE           0 or 1, rows, rows with a record       1
    TWICE          state of the reference                 unmatched records that occur twice
    SHARED         0 or 1, elements that both sides have  how many clusters of that side have so many

All else is done here in Python's integers, so nothing overflows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import ContingencyLoader, PartnerSums, count_shares
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.maths.arithmetic import counted_alike, product_sum

CELL, ROW, COLUMN, STATE, SIDE, TWICE, SHARED = 0, 4, 5, 6, 7, 8, 9

NOBODY = 0  # the side that is a singleton in a cell that both sides have

# Sums of n(n−1) fit into 64 bits for clusters of fewer elements than this.
GIANT = 2**31

# Fractions of numbers below this never round to the same float, so a float identifies its fraction.
TELLING = 2**26

# Larger sums of n(n−1) are taken in two parts, n = h·LIMB + l: safe for clusters below 2**41.
LIMB = 2**20

Row = tuple[int, int, int, int, float, int]
_Found = Counter[tuple[int, int, int]]  # clusters by (size, part, whole), in any terms

# The clusters of one side in several cells: Σ of their largest overlaps, their numbers by size and best share
# n/(a + b), and the smallest Σ n(n−1) / (a(a−1)).
InPieces = tuple[int, _Found, Fraction | None]


@dataclass(frozen=True, slots=True, eq=False)
class SizedCells:
    """How many cells have which sizes, in columns: there may be hundreds of thousands of sizes.

    >>> cells = SizedCells.of([(NOBODY, 2, 2, 3, 5), (NOBODY, 1, 1, 1, 4)])
    >>> cells.total, cells.those(cells.are_whole).n.tolist()
    (9, [1])
    """

    alone: NDArray[np.int64]  # the side that is a singleton
    n: NDArray[np.int64]
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    count: NDArray[np.int64]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, int, int, int]]) -> SizedCells:
        return cls(*np.array(list(rows), dtype=np.int64).reshape(-1, 5).T)

    @property
    def are_whole(self) -> NDArray[np.bool_]:
        """Which cells are a whole cluster of both sides."""
        return np.equal(self.n, self.a) & np.equal(self.n, self.b)

    @property
    def total(self) -> int:
        return int(self.count.sum())

    def those(self, chosen: NDArray[np.bool_]) -> SizedCells:
        return SizedCells(
            self.alone[chosen], self.n[chosen], self.a[chosen], self.b[chosen], self.count[chosen]
        )

    def of_alone(self, alone: int) -> SizedCells:
        return self.those(self.alone == alone)


@dataclass(slots=True)
class QueryResult:
    """The rows returned by an engine, sorted by subject."""

    cells: SizedCells = field(default_factory=lambda: SizedCells.of(()))
    split: tuple[list[Row], list[Row]] = field(default_factory=lambda: ([], []))
    states: Counter[tuple[int, int]] = field(default_factory=Counter)
    rows: dict[int, tuple[int, int]] = field(default_factory=dict)
    twice: dict[int, int] = field(default_factory=dict)
    shared: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))
    # Exact data on the largest clusters of each side, beyond floats and 64 bits: (label, size, n, a + b,
    # share) of cells that may be the best of their cluster, and (size, high, low) of Σ n(n−1).
    tied: tuple[list[Any], list[Any]] = field(default_factory=lambda: ([], []))
    together: tuple[list[Any], list[Any]] = field(default_factory=lambda: ([], []))
    # The clusters in several cells, if these are exact and not rows of ``split``.
    in_pieces: tuple[InPieces, InPieces] | None = None
    differing_cells: Any = None  # an iterable of them, where they are few enough to come with the counts

    @classmethod
    def of(cls, rows: Iterable[Any]) -> QueryResult:
        answer, cells = cls(), []
        for row in rows:
            tag, p, q, r, x, count = row
            if tag < ROW:
                cells.append((int(tag), int(p), int(q), int(r), int(count)))
            elif tag in (ROW, COLUMN):
                answer.split[tag - ROW].append((int(tag), int(p), int(q), int(r), float(x), int(count)))
            elif tag == STATE:
                answer.states[int(p), int(q)] += int(count)
            elif tag == SIDE:
                answer.rows[int(p)] = (int(q), int(r))
            elif tag == SHARED:
                answer.shared[int(p)][int(q)] += int(count)
            else:
                answer.twice[int(p)] = int(count)
        answer.cells = SizedCells.of(cells)
        return answer

    def partial_overlap(self, table: ContingencyLoader, completed: Profile) -> PartialOverlap:
        """The counts, where each side keeps records that the other lacks."""
        cells = self.cells.of_alone(NOBODY)
        lacking = [self.cells.of_alone(alone).total for alone in (1, 2)]
        sizes = Counter(completed.row_sizes), Counter(completed.column_sizes)
        for side, added in zip(sizes, lacking, strict=True):
            side[1] -= added  # singletons on the side that lacks them
        squares = [sum(n * n * count for n, count in side.items()) for side in self.shared]
        return PartialOverlap(
            (cells.n, cells.a, cells.b, cells.count),
            (+sizes[0], +sizes[1]),
            met_squares=(squares[0], squares[1]),
            table=table,
            completed=completed,
        )

    def profile(self, **options: Any) -> Profile:
        """The profile with the best partners of both sides."""
        cells = self.cells
        a, b, n, count = counted_alike((cells.a, cells.b, cells.n), cells.count)
        size = product_sum(n, count)
        best = (self._best(0, size), self._best(1, size))
        return Profile(n, a, b, count, best=best, size=size, **options)

    def having(self, side: int, state: int) -> int:
        """How many elements have such a label on one side."""
        return sum(count for states, count in self.states.items() if states[side] == state)

    @property
    def differing(self) -> int:
        """How many cells are not a whole cluster of both sides."""
        return self.cells.those(~self.cells.are_whole).total

    @property
    def elements(self) -> int:
        """How many rows were counted, before any were left out."""
        return self.states.total()

    def largest(self) -> tuple[int, int]:
        """The size of the largest cluster of each side."""
        return int(self.cells.a.max(initial=0)), int(self.cells.b.max(initial=0))

    def _best(self, side: int, size: int) -> PartnerSums:
        """A cluster in one piece is its own best overlap; the engine returns those in several."""
        in_pieces = self._pieces_of_rows(side) if self.in_pieces is None else self.in_pieces[side]
        largest, found, weakest = in_pieces
        own = (self.cells.a, self.cells.b)[side]
        whole = self.cells.those(self.cells.n == own)
        if weakest is None and whole.n.max(initial=0) > 1:
            weakest = Fraction(1)
        overlap = largest + product_sum(whole.n, whole.count)
        # Products of two counts fit into 64 bits for sets of fewer elements.
        dtype = np.int64 if size < GIANT else object
        split = np.array([(*key, count) for key, count in found.items()], dtype=dtype).reshape(-1, 4)
        columns = zip(split.T, (whole.n, whole.n, whole.a + whole.b, whole.count), strict=True)
        shares = count_shares(*(np.concatenate([one, other.astype(dtype)]) for one, other in columns))
        return PartnerSums(overlap, shares, weakest)

    def _pieces_of_rows(self, side: int) -> InPieces:
        """The clusters in several cells, from the rows that a query returned."""
        overlap, found = 0, _Found()
        together: list[Fraction] = []
        for _, own, largest, least, share, count in self.split[side]:
            overlap += largest
            found[own, *_fraction(share)] += count
            if own < GIANT:
                together.append(Fraction(least, own * (own - 1)))
        together += [
            Fraction(int(high) * LIMB + int(low), int(size) * (int(size) - 1))
            for size, high, low in self.together[side]
        ]
        return overlap, self._corrected(side, found), min(together, default=None)

    def _corrected(self, side: int, found: _Found) -> _Found:
        """The shares, with exact values for the largest clusters instead of floats."""
        best: dict[Any, tuple[Fraction, int, float]] = {}
        for label, size, n, whole, share in self.tied[side]:
            exact = Fraction(int(n), int(whole))
            if label not in best or exact > best[label][0]:
                best[label] = (exact, int(size), float(share))
        for exact, size, share in best.values():
            found[size, *_fraction(share)] -= 1
            found[size, exact.numerator, exact.denominator] += 1
        return +found  # without counts of 0


def _fraction(share: float) -> tuple[int, int]:
    """The fraction that was rounded to this float, if its denominator is small enough."""
    fraction = Fraction(share).limit_denominator(TELLING)
    return fraction.numerator, fraction.denominator
