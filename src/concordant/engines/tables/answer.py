"""What engines that group by are asked for, and what is made of their answer.

Every such engine counts cells (u, v, n), gives each cell the sizes of its two clusters, and brings
back a few small sums, one row each, as integers and one float: (tag, p, q, r, x, count).

    CELL + alone   n, a, b              how many cells have these sizes; alone: which side stands alone
    ROW, COLUMN    size, Σ of the largest overlaps, least Σ n(n−1), best share n/(a + b)
                   how many clusters in several pieces have this size and share
    STATE          what the labels of both sides are      how many elements have such labels
    SIDE           0 or 1, rows, rows with a record       1
    TWICE          state of the reference                 records that stand twice among the unmatched
    MET            0 or 1, elements that both sides have  how many clusters of that side have so many

All else is done here in Python's integers, so that nothing overflows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from concordant.counts.best import Best, Shares
from concordant.counts.loose import LooseCells
from concordant.counts.profile import Profile
from concordant.counts.triples import TableSource

CELL, ROW, COLUMN, STATE, SIDE, TWICE, MET = 0, 4, 5, 6, 7, 8, 9

NOBODY = 0  # who stands alone in a cell that both sides have

# Sums of n(n−1) fit into 64 bits for clusters of fewer elements than this.
GIANT = 2**31

# Fractions of numbers below this never round to the same float, so that a float tells which it is.
TELLING = 2**26

# Larger sums of n(n−1) are taken in two parts, n = h·LIMB + l: safe for clusters below 2**41.
LIMB = 2**20

Row = tuple[int, int, int, int, float, int]
_Found = Counter[tuple[int, int, int]]  # clusters by (size, part, whole), in any terms


@dataclass(slots=True)
class Answer:
    """What an engine brought back, sorted by what it is about."""

    cells: dict[tuple[int, int, int, int], int] = field(default_factory=dict)  # (alone, n, a, b)
    split: tuple[list[Row], list[Row]] = field(default_factory=lambda: ([], []))
    states: Counter[tuple[int, int]] = field(default_factory=Counter)
    rows: dict[int, tuple[int, int]] = field(default_factory=dict)
    twice: dict[int, int] = field(default_factory=dict)
    met: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))
    giants: Giants | None = None
    # The clusters in several cells, where these were told exactly and not by rows of ``split``.
    in_pieces: tuple[InPieces, InPieces] | None = None
    differing_cells: Any = None  # an iterable of them, where they are few enough to come with the counts

    @classmethod
    def of(cls, rows: Iterable[Any]) -> Answer:
        answer = cls()
        for row in rows:
            tag, p, q, r, x, count = row
            if tag < ROW:
                answer.cells[int(tag), int(p), int(q), int(r)] = int(count)
            elif tag in (ROW, COLUMN):
                answer.split[tag - ROW].append((int(tag), int(p), int(q), int(r), float(x), int(count)))
            elif tag == STATE:
                answer.states[int(p), int(q)] += int(count)
            elif tag == SIDE:
                answer.rows[int(p)] = (int(q), int(r))
            elif tag == MET:
                answer.met[int(p)][int(q)] += int(count)
            else:
                answer.twice[int(p)] = int(count)
        return answer

    def loose(self, table: TableSource) -> LooseCells:
        """The loose cells, where each side keeps records that the other lacks."""
        cells = [(n, a, b, count) for (alone, n, a, b), count in self.cells.items() if alone == NOBODY]
        padded = self.profile()
        lacking = [sum(count for key, count in self.cells.items() if key[0] == alone) for alone in (1, 2)]
        sizes = Counter(padded.row_sizes), Counter(padded.column_sizes)
        for side, added in zip(sizes, lacking, strict=True):
            side[1] -= added  # those that stand alone where they are lacking
        squares = [sum(met * met * count for met, count in side.items()) for side in self.met]
        n, a, b, count = zip(*cells, strict=True) if cells else ((), (), (), ())
        return LooseCells(
            (n, a, b, count), (+sizes[0], +sizes[1]), met_squares=(squares[0], squares[1]), table=table
        )

    def profile(self, **options: Any) -> Profile:
        """The profile with the best partners of both sides."""
        counts: Counter[tuple[int, int, int]] = Counter()
        for (_, *triple), count in self.cells.items():
            counts[triple[0], triple[1], triple[2]] += count
        triples = sorted(counts, key=lambda t: (t[1], t[2], t[0]))
        n, a, b = zip(*triples, strict=True) if triples else ((), (), ())
        size = sum(triple[0] * count for triple, count in counts.items())
        best = (self._best(0, size), self._best(1, size))
        return Profile(n, a, b, [counts[t] for t in triples], best=best, size=size, **options)

    def having(self, side: int, state: int) -> int:
        """How many elements have such a label on one side."""
        return sum(count for states, count in self.states.items() if states[side] == state)

    @property
    def differing(self) -> int:
        """How many cells are not a whole cluster of both sides."""
        return sum(count for (_, n, a, b), count in self.cells.items() if not n == a == b)

    @property
    def elements(self) -> int:
        """How many rows were counted, before any were left out."""
        return self.states.total()

    def largest(self) -> tuple[int, int]:
        """The size of the largest cluster of each side."""
        sizes = [(a, b) for _, _, a, b in self.cells]
        return max((a for a, _ in sizes), default=0), max((b for _, b in sizes), default=0)

    def _best(self, side: int, size: int) -> Best:
        """A cluster in one piece is its own best overlap; the engine tells of those in several."""
        pieces = self._told(side) if self.in_pieces is None else self.in_pieces[side]
        overlap, found, weakest = pieces.overlap, pieces.found.copy(), pieces.weakest
        for (_, n, *sizes), count in self.cells.items():
            own = sizes[side]
            if n == own:
                overlap += n * count
                found[own, n, sum(sizes)] += count
                weakest = Fraction(1) if own > 1 and weakest is None else weakest
        return Best(overlap, _shares(found, size), weakest)

    def _told(self, side: int) -> InPieces:
        overlap, found = 0, _Found()
        together: list[Fraction] = []
        for _, own, largest, least, share, count in self.split[side]:
            overlap += largest
            found[own, *_fraction(share)] += count
            if own < GIANT:
                together.append(Fraction(least, own * (own - 1)))
        if self.giants is not None:
            found = self.giants.corrected(side, found)
            together += self.giants.weakest(side)
        return InPieces(overlap, found, min(together, default=None))


@dataclass(frozen=True, slots=True)
class InPieces:
    """The clusters of one side that lie in several cells."""

    overlap: int  # Σ of their largest overlaps
    found: _Found  # by their size and best share n/(a + b)
    weakest: Fraction | None  # least Σ n(n−1) / (a(a−1))


@dataclass(slots=True)
class Giants:
    """What floats and 64 bits cannot tell of the largest clusters, for each side."""

    # (label, size, n, a + b, share) of cells that may be the best of their cluster
    tied: tuple[list[Any], list[Any]] = field(default_factory=lambda: ([], []))
    # (size, high, low) of Σ n(n−1)
    together: tuple[list[Any], list[Any]] = field(default_factory=lambda: ([], []))

    def corrected(self, side: int, found: _Found) -> _Found:
        """The shares with those of these clusters exactly, instead of what their floats would say."""
        best: dict[Any, tuple[Fraction, int, float]] = {}
        for label, size, n, whole, share in self.tied[side]:
            exact = Fraction(int(n), int(whole))
            if label not in best or exact > best[label][0]:
                best[label] = (exact, int(size), float(share))
        for exact, size, share in best.values():
            found[size, *_fraction(share)] -= 1
            found[size, exact.numerator, exact.denominator] += 1
        return +found  # without those that are no more

    def weakest(self, side: int) -> list[Fraction]:
        """Σ n(n−1) / (a(a−1)) of these clusters."""
        return [
            Fraction(int(high) * LIMB + int(low), int(size) * (int(size) - 1))
            for size, high, low in self.together[side]
        ]


def _fraction(share: float) -> tuple[int, int]:
    """The fraction that was rounded to this float, where its denominator is small enough to tell."""
    fraction = Fraction(share).limit_denominator(TELLING)
    return fraction.numerator, fraction.denominator


def _shares(found: _Found, size: int) -> Shares:
    columns = [*(list(zip(*found, strict=True)) or [(), (), ()]), tuple(found.values())]
    # Products of two counts fit into 64 bits for sets of fewer elements.
    dtype = np.int64 if size < GIANT else object
    return Shares.counted(*(np.array(column, dtype=dtype) for column in columns))
