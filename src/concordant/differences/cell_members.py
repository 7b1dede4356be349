"""The records of each cell by rank, for sampling: only sampled records are looked up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Floats, Integers
from concordant.counts.base import Counts
from concordant.counts.counted import Names
from concordant.counts.table import Table
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import InputError, TableNeededError

_STEP = 64  # ranks below this, below its square and so on are fetched together


class CellMembers:
    """The records of each cell in a fixed order, by rank."""

    def __init__(
        self,
        table: Table,
        numbers: Integers,
        size: int,
        called: Callable[[Sequence[tuple[int, int]]], list[Any]],
        by_weight: tuple[NDArray[np.int64], Floats] | None = None,
    ) -> None:
        """``table`` has the weight of each cell, ``numbers`` its number of records, and ``size`` their sum.

        With weights, ``by_weight`` has the start of each cell among the records, sorted by cell, and the
        share of each record in the total weight.
        """
        self.table, self.numbers, self._size = table, numbers, size
        self.called = called  # looks up record names; a place is a cell and a rank in it
        self._by_weight = by_weight

    @classmethod
    def near(cls, table: Table, positions: NDArray[np.int64], size: int, names: Names) -> CellMembers:
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
        whole = counts.own[order]
        shares = (whole / int(whole.sum())).astype(np.float64)
        return cls(counts.weights.table, counts.table.n, counts.size, called, (start, shares))

    @classmethod
    def in_sources(cls, table: Table, size: int, names: Names) -> CellMembers:
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
        start = self._by_weight[0][cells]
        low, high = self._ends[start + begin], self._ends[start + end]
        places = np.searchsorted(self._ends, low + at * (high - low), side="right") - 1
        found: NDArray[np.int64] = places - start
        return np.clip(found, begin, end - 1)

    @cached_property
    def _ends(self) -> Floats:
        assert self._by_weight is not None
        return np.concatenate([[0.0], np.cumsum(self._by_weight[1])])

    def shares(self, cell: int, /) -> Floats:
        if self._by_weight is None:
            return np.full(int(self.numbers[cell]), 1 / self._size)
        start, shares = self._by_weight
        return shares[start[cell] : start[cell + 1]]


def _fetched(table: Table, names: Names, places: Sequence[tuple[int, int]]) -> list[Any]:
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
