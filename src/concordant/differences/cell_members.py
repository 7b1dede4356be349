"""The records of cells: drawn by weight, and called by name, wherever they are stored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Floats, Integers
from concordant.counts.counted import Names
from concordant.counts.table import Table
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import InputError, TableNeededError

_STEP = 64  # ranks below this, below its square and so on are fetched together


class CellMembers:
    """The records of each cell in a fixed order, by rank."""

    def __init__(self, table: Table, names: Names, weights: WeightedCounts | None) -> None:
        """``table`` counts the records, ``weights`` has those of each one."""
        self._table, self._names, self._weights = table, names, weights

    @cached_property
    def _by_cell(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Weighted records cell by cell, where each cell starts, and their shares of the whole weight."""
        assert self._weights is not None
        order, start = core.grouped(np.ascontiguousarray(self._weights.cell))
        whole = self._weights.own[order]
        return order, start, (whole / int(whole.sum())).astype(np.float64)

    @property
    def squares(self) -> Integers:
        """Σw² of the records of each cell, in the parts of the weights."""
        return self._table.n if self._weights is None else self._weights.cell_squares

    def draw(self, cells: NDArray[np.int64], rng: np.random.Generator, /) -> NDArray[np.int64]:
        n: NDArray[np.int64] = self._table.n[cells].astype(np.int64)
        at = rng.random(len(cells))
        if self._weights is None:
            ranks: NDArray[np.int64] = np.minimum((at * n).astype(np.int64), n - 1)
            return ranks
        _, start, shares = self._by_cell
        ends = np.concatenate([[0.0], np.cumsum(shares)])
        low, high = ends[start[cells]], ends[start[cells + 1]]
        places = np.searchsorted(ends, low + at * (high - low), side="right") - 1
        found: NDArray[np.int64] = places - start[cells]
        return np.clip(found, 0, n - 1).astype(np.int64)

    def shares(self, cell: int, /) -> Floats:
        if self._weights is None:
            total = int(self._table.n.sum())
            return np.full(int(self._table.n[cell]), 1 / total)
        _, start, shares = self._by_cell
        return shares[start[cell] : start[cell + 1]]

    def share(self, cell: int, rank: int) -> float:
        """The share of one record in the weight of all."""
        if self._weights is None:
            return 1 / int(self._table.n.sum())
        return float(self.shares(cell)[rank])

    def called(self, places: Sequence[tuple[int, int]]) -> list[Any]:
        """The names of the records at these places, each a cell and a rank."""
        if self._weights is not None:
            order, start, _ = self._by_cell
            return [self._names.records.record(int(order[start[cell] + rank])) for cell, rank in places]
        found = self._fetched(places)
        return [found[place] for place in places]

    def _fetched(self, places: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Any]:
        """Few records of each cell come by one query; large cells, of which more are needed, by others."""
        needed: dict[int, int] = {}
        for cell, rank in places:
            needed[cell] = max(needed.get(cell, 0), rank + 1)
        found: dict[tuple[int, int], Any] = {}
        least, most = 0, _STEP
        while least < max(needed.values(), default=0):
            cells = [cell for cell, number in needed.items() if least < number <= most]
            if cells:
                ends = [(int(self._table.row[cell]), int(self._table.column[cell])) for cell in cells]
                each = max(needed[cell] for cell in cells)
                listed = self._names.examples(ends, each)
                for cell, end, records in zip(cells, ends, listed, strict=True):
                    if len(records) < needed[cell]:
                        raise self._unnamed(end)
                    found |= {(cell, rank): record for rank, record in enumerate(records)}
            least, most = most, most * _STEP
        return found

    def _unnamed(self, cell: tuple[int, int]) -> InputError | TableNeededError:
        if self._names.reference(cell[0]) is None:
            return TableNeededError(
                "an engine does not list the records of clusters that both runs share, and this question is "
                "about them too; read the labels into memory"
            )
        return InputError(
            "the records have no names by which a person could look at them; name the column of the record"
        )
