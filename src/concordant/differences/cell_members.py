"""The records of each cell by rank, for sampling: only sampled records are looked up."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers
from concordant.counts.base import Counts
from concordant.counts.counted import Names
from concordant.counts.table import Cells
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import InputError, TableNeededError

PART_BITS = 53  # of random numbers
_STEP = 64  # ranks below this, below its square and so on are fetched together


class CellMembers:
    """The records of each cell in a fixed order, by rank."""

    def __init__(
        self,
        table: Cells,
        numbers: Integers,
        size: int,
        called: Callable[[Sequence[tuple[int, int]]], list[Any]],
        by_weight: tuple[NDArray[np.int64], Integers] | None = None,
    ) -> None:
        """``table`` has the weight of each cell, ``numbers`` its number of records, and ``size`` their sum.

        With weights, ``by_weight`` has the start of each cell among the records, sorted by cell, and the
        weight of each record as a whole number.
        """
        self.table, self.numbers, self._size = table, numbers, size
        self.called = called  # looks up record names; a place is a cell and a rank in it
        self._by_weight = by_weight

    @classmethod
    def near(cls, table: Cells, positions: NDArray[np.int64], size: int, names: Names) -> CellMembers:
        """The cells of some clusters, with the positions of their records cell by cell."""
        start = np.concatenate([[0], np.cumsum(table.n)])

        def called(places: Sequence[tuple[int, int]]) -> list[Any]:
            return [names.records.record(int(positions[start[cell] + rank])) for cell, rank in places]

        return cls(table, table.n, size, called)

    @classmethod
    def in_memory(cls, counts: Counts, names: Names, slices: Integers | None = None) -> CellMembers:
        """All cells; if ``slices`` has the slice of each record, those of a cell are sorted by slice."""
        order = np.arange(counts.size) if slices is None else core.grouped(np.ascontiguousarray(slices))[0]
        cell = counts.cell if isinstance(counts, WeightedCounts) else names.records.cell
        within, start = core.grouped(np.ascontiguousarray(cell[order]))
        order = order[within]

        def called(places: Sequence[tuple[int, int]]) -> list[Any]:
            return [names.records.record(int(order[start[cell] + rank])) for cell, rank in places]

        if not isinstance(counts, WeightedCounts):
            return cls(counts.table, counts.table.n, counts.size, called)
        return cls(counts.weights.table, counts.table.n, counts.size, called, (start, counts.own[order]))

    @classmethod
    def in_sources(cls, table: Cells, size: int, names: Names) -> CellMembers:
        """All cells of records that an engine finds by their clusters."""
        return cls(table, table.n, size, lambda places: _fetched(table, names, places))

    def draw(
        self,
        cells: NDArray[np.int64],
        rng: np.random.Generator,
        /,
        part: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
    ) -> NDArray[np.int64]:
        begin, end = (np.zeros_like(cells), self.numbers[cells].astype(np.int64)) if part is None else part
        at = rng.random(len(cells))
        if self._by_weight is None:
            ranks: NDArray[np.int64] = begin + (at * (end - begin)).astype(np.int64)
            return np.minimum(ranks, end - 1)
        drawn = []
        for cell, low, high, unit in zip(
            cells.tolist(), begin.tolist(), end.tolist(), parts_of_unit(rng, len(cells)), strict=True
        ):
            first, ends = int(self._by_weight[0][cell]), self._ends
            at = ends[first + low] + (unit * (ends[first + high] - ends[first + low]) >> PART_BITS)
            drawn.append(bisect_right(ends, at) - 1 - first)
        return np.array(drawn, dtype=np.int64)

    def draw_two(
        self,
        cells: NDArray[np.int64],
        rng: np.random.Generator,
        part: tuple[NDArray[np.int64], NDArray[np.int64]],
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Two different records of each cell, the first of a part, with the product of their weights."""
        if self._by_weight is None:
            ranks, others = self.draw(cells, rng, part), self.draw(cells, rng)
            while len(same := np.flatnonzero(ranks == others)):  # the pair is drawn again as a whole
                some = part[0][same], part[1][same]
                ranks[same], others[same] = self.draw(cells[same], rng, some), self.draw(cells[same], rng)
            return ranks, others
        firsts, seconds = [], []
        for cell, low, high, unit in zip(
            cells.tolist(), part[0].tolist(), part[1].tolist(), parts_of_unit(rng, len(cells)), strict=True
        ):
            first = self._rank_by_pairs(cell, low, high, unit)
            firsts.append(first)
            seconds.append(int(self.draw_others(cell, first, 1, rng)[0]))
        return np.array(firsts, dtype=np.int64), np.array(seconds, dtype=np.int64)

    def _rank_by_pairs(self, cell: int, low: int, high: int, unit: int) -> int:
        """A rank drawn with the weight of its pairs within the cell, w(W − w)."""
        assert self._by_weight is not None
        start, stop = (int(each) for each in self._by_weight[0][cell : cell + 2])
        whole = self._ends[stop] - self._ends[start]

        def before(rank: int) -> int:
            place, origin = start + rank, start + low
            weight, squares = (each[place] - each[origin] for each in (self._ends, self._square_ends))
            return int(whole * weight - squares)

        at = unit * before(high) >> PART_BITS
        return bisect_right(range(low, high), at, key=before) - 1 + low

    def draw_others(self, cell: int, rank: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Records of a cell but one, drawn by weight."""
        number = int(self.numbers[cell])
        if self._by_weight is None:
            drawn = rng.integers(0, number - 1, count)
            return drawn + (drawn >= rank)
        first, ends = int(self._by_weight[0][cell]), self._ends
        own = ends[first + rank + 1] - ends[first + rank]
        left, found = ends[first + number] - ends[first] - own, []
        for unit in parts_of_unit(rng, count):
            at = ends[first] + (unit * left >> PART_BITS)
            found.append(bisect_right(ends, at + own if at >= ends[first + rank] else at) - 1 - first)
        return np.array(found, dtype=np.int64)

    @cached_property
    def _ends(self) -> list[int]:
        """Sums of weights up to each record, as whole numbers of any size."""
        assert self._by_weight is not None
        return [0, *np.cumsum(self._by_weight[1].astype(object)).tolist()]

    @cached_property
    def _square_ends(self) -> list[int]:
        assert self._by_weight is not None
        return [0, *np.cumsum(self._by_weight[1].astype(object) ** 2).tolist()]

    def weights(self, cell: int, /) -> list[int]:
        """The weights of the records of a cell, as whole numbers."""
        if self._by_weight is None:
            return [1] * int(self.numbers[cell])
        start, weights = self._by_weight
        return [int(each) for each in weights[start[cell] : start[cell + 1]].tolist()]

    def share(self, cell: int, rank: int, /) -> float:
        """The share of a record in the weight of all."""
        return self.weights(cell)[rank] / (self._size if self._by_weight is None else self._ends[-1])


def parts_of_unit(rng: np.random.Generator, count: int) -> list[int]:
    """Random numbers from 0 to 1, in units of 2⁻⁵³."""
    return [int(each) for each in rng.integers(0, 2**PART_BITS, count).tolist()]


def _fetched(table: Cells, names: Names, places: Sequence[tuple[int, int]]) -> list[Any]:
    """One query fetches the cells of which few records are needed; further queries fetch the others."""
    needed: dict[int, int] = {}
    for cell, rank in places:
        needed[cell] = max(needed.get(cell, 0), rank + 1)
    found: dict[tuple[int, int], Any] = {}
    least, most = 0, _STEP
    while least < max(needed.values(), default=0):
        cells = [cell for cell, number in needed.items() if least < number <= most]
        if cells:
            ends = [(int(table.row[cell]), int(table.column[cell])) for cell in cells]
            each = max(needed[cell] for cell in cells)
            listed = names.examples(ends, each)
            for cell, end, records in zip(cells, ends, listed, strict=True):
                if len(records) < needed[cell]:
                    raise _unnamed(names, end)
                found |= {(cell, rank): record for rank, record in enumerate(records)}
        least, most = most, most * _STEP
    return [found[place] for place in places]


def _unnamed(names: Names, cell: tuple[int, int]) -> InputError | TableNeededError:
    if names.cluster(0, cell[0]) is None:
        return TableNeededError(
            "an engine does not list the records of clusters that both runs share, and this question is "
            "about them too; read the labels into memory"
        )
    return InputError(
        "the records have no names, so judges could not find them; name the column of the record"
    )
