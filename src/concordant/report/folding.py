"""Clusters that are drawn as one because nobody wants to see them one by one: records that stand alone.

A picture of 500 records that stand alone on both sides would be 500 hairlines. Such clusters become one bar
with their number, as do records that are in no cluster of a side: noise, each for itself, and what it lacks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.names import Names
from concordant.counts.overlaps import Overlaps
from concordant.counts.spelling import counted
from concordant.counts.table import Table

_SINGLETONS = "singleton"
_FEWEST = 3  # equal singletons that are worth a bar of their own
_MOST = 100_000  # singletons of a side whose labels are looked at, to see whether they have any


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """Some clusters of one side that are drawn as one."""

    label: str | None  # None for records that are in no cluster of the side
    places: NDArray[np.int64]
    is_equal: bool = False  # whether the other side has the same clusters


@dataclass(frozen=True, slots=True, eq=False)
class FoldedCells:
    """Overlaps with folded clusters: those that are not folded, in order, then the folds of each side."""

    cells: Table
    places: tuple[NDArray[np.int64], NDArray[np.int64]]  # of those not folded, their numbers on their sides
    folds: tuple[list[Fold], list[Fold]]
    origin: NDArray[np.int64]  # the overlap that each cell is; -1 where it is several

    def are_equal(self, cells: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether cells hold what both sides hold alone."""
        same = np.ones(len(cells), dtype=bool)
        ends = zip((self.cells.row, self.cells.column), self.places, self.folds, strict=True)
        for numbers, places, folds in ends:
            equal = np.zeros(len(places) + len(folds), dtype=bool)
            equal[len(places) :] = [fold.is_equal for fold in folds]
            same &= equal[numbers[cells]]
        return same


def fold(o: Overlaps, names: Names, has_loners: tuple[bool, bool]) -> FoldedCells:
    """The overlaps, with records that are in no cluster of a side folded, and equal singletons."""
    equal = np.flatnonzero((o.n == 1) & (o.row_sizes[o.row] == 1) & (o.column_sizes[o.column] == 1))
    sides: tuple[list[Fold], list[Fold]] = ([], [])
    loners = (
        _loners(o.row_sizes, names.reference) if has_loners[0] else [],
        _loners(o.column_sizes, names.candidate) if has_loners[1] else [],
    )
    for folds, places, ends in zip(sides, loners, (o.row, o.column), strict=True):
        if len(places) > 1:
            folds.append(Fold(None, np.array(places, dtype=np.int64)))
            equal = equal[~np.isin(ends[equal], places)]
    for folds, ends in zip(sides, (o.row, o.column), strict=True):
        if len(equal) >= _FEWEST:
            folds.append(Fold(counted(len(equal), _SINGLETONS), np.sort(ends[equal]), is_equal=True))
    return _folded(o, sides)


def _loners(sizes: Integers, name: Callable[[int], Any]) -> list[int]:
    """The singletons of a side that are in no cluster; none where these are too many to look at."""
    alone = np.flatnonzero(sizes == 1)
    return [place for place in alone.tolist() if name(place) is None] if len(alone) <= _MOST else []


def _folded(o: Overlaps, sides: tuple[list[Fold], list[Fold]]) -> FoldedCells:
    sizes = (o.row_sizes, o.column_sizes)
    if not any(sides):
        return unfolded(o)
    renumbered = [_renumbered(len(own), folds) for own, folds in zip(sizes, sides, strict=True)]
    row, column = (number[ends] for (number, _), ends in zip(renumbered, (o.row, o.column), strict=True))
    rows, columns = (len(places) + len(folds) for (_, places), folds in zip(renumbered, sides, strict=True))
    flat, first, group = np.unique(row * columns + column, return_index=True, return_inverse=True)
    several = np.bincount(group) > 1
    is_fold = (flat // columns >= rows - len(sides[0])) | (flat % columns >= columns - len(sides[1]))
    new_sizes = tuple(
        np.append(own[places], np.array([own[each.places].sum() for each in folds], dtype=own.dtype))
        for own, (_, places), folds in zip(sizes, renumbered, sides, strict=True)
    )
    cells = Table(flat // columns, flat % columns, sums_by(group, o.n), sizes=(new_sizes[0], new_sizes[1]))
    places = (renumbered[0][1], renumbered[1][1])
    return FoldedCells(cells, places, sides, np.where(several | is_fold, -1, first))


def unfolded(o: Overlaps) -> FoldedCells:
    """The overlaps as they are."""
    whole = Table(o.row, o.column, o.n, sizes=(o.row_sizes, o.column_sizes))
    everyone = (np.arange(len(o.row_sizes)), np.arange(len(o.column_sizes)))
    return FoldedCells(whole, everyone, ([], []), np.arange(len(o.n)))


def _renumbered(count: int, folds: list[Fold]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The new number of each cluster, and the old numbers of those that are not folded."""
    fold_of = np.full(count, -1)
    for number, each in enumerate(folds):
        fold_of[each.places] = number
    kept = np.flatnonzero(fold_of < 0)
    new = np.empty(count, dtype=np.int64)
    new[kept] = np.arange(len(kept))
    new[fold_of >= 0] = len(kept) + fold_of[fold_of >= 0]
    return new, kept
