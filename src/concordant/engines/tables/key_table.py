"""The contingency table of cells that the compiled core hands over by the keys of their labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.table import Table
from concordant.engines.tables.file_join import KeyCells
from concordant.engines.tables.keys import KeyValues
from concordant.engines.tables.overlaps import (
    ALONE_IN_CANDIDATE,
    ALONE_IN_REFERENCE,
    FEW_CELLS,
    EngineTable,
    label_order,
)


class KeyTable(EngineTable):
    """The same table as that of other engines, made of arrays."""

    def table(self) -> Table:
        cells = self._cells()
        assert isinstance(cells, KeyCells)
        whole = np.repeat(*np.array(self._whole, dtype=np.int64).reshape(-1, 2).T)
        keys = zip((cells.u, cells.v), (ALONE_IN_REFERENCE, ALONE_IN_CANDIDATE), cells.values, strict=True)
        sides = [_Side(key, (cells.alone & alone) != 0, values) for key, alone, values in keys]
        rows, columns = (sides[i].numbers(sides[1 - i].number, len(whole)) for i in (0, 1))
        n = np.concatenate([cells.n, whole])
        # One key of both numbers sorts several times faster than two; memory has no room for 2^31 of each.
        order = np.argsort(rows * (int(columns.max(initial=0)) + 1) + columns)
        return Table(rows[order], columns[order], n[order], labels=(sides[0], sides[1]))


class _Side:
    """The clusters of one side by number: those with a label, in its order, then all others."""

    def __init__(self, keys: NDArray[np.int64], alone: NDArray[np.bool_], values: KeyValues) -> None:
        labels, number = np.unique(keys[~alone].view(np.uint64), return_inverse=True)
        if len(labels) <= FEW_CELLS and not values.are_in_order:  # hashes have a new order each time
            names = [label_order(values[int(key)]) for key in labels]
            order = sorted(range(len(labels)), key=names.__getitem__)
            labels, number = labels[order], np.argsort(order)[number]
        self._labels, self._values, self._alone = labels, values, alone
        self.number = np.full(len(keys), len(labels), dtype=np.int64)  # those that stand alone come last
        self.number[~alone] = number

    def numbers(self, of_other: NDArray[np.int64], whole: int) -> NDArray[np.int64]:
        """The number of the cluster of each cell, then of the clusters that are the same on both sides.

        Those that stand alone are numbered in the order of the labels of the other side, which they have.
        """
        apart = np.flatnonzero(self._alone)
        apart = apart[np.argsort(of_other[apart])]
        count = len(self._labels) + len(apart)
        found = self.number.copy()
        found[apart] = np.arange(len(self._labels), count)
        return np.concatenate([found, np.arange(count, count + whole)])

    def __getitem__(self, number: int, /) -> Any:
        return self._values[int(self._labels[number])] if number < len(self._labels) else None
