"""Clusters that are drawn as one because nobody wants to see them one by one: noise, and equal singletons.

A picture of 500 records that stand alone on both sides would be 500 hairlines. Such clusters become one bar
with their number, as do records that are noise, each for itself, and records that one side lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.covers import OverlapCells
from concordant.counts.names import Names, NamesOver
from concordant.counts.spelling import counted
from concordant.views.overlaps import Overlaps


class _NoiseLabel(str):
    """Told from a cluster of that name by its identity."""

    __slots__ = ()


NOISE = _NoiseLabel("noise")
_SINGLETONS = "singleton"
_FEWEST = 3  # equal singletons that are worth a bar of their own
_MOST = 100_000  # singletons of a side whose labels are looked at, to see whether they are noise


@dataclass(frozen=True, slots=True)
class NoiseNames(NamesOver):
    """Names in which the label that means noise on its side is spelled "noise"."""

    noise: tuple[Any, Any]  # the label of each side; None where none means noise

    def reference(self, row: int, /) -> Any:
        return _spelled(self.names.reference(row), self.noise[0])

    def candidate(self, column: int, /) -> Any:
        return _spelled(self.names.candidate(column), self.noise[1])

    def reference_labels(self) -> Sequence[Any]:
        return [_spelled(label, self.noise[0]) for label in self.names.reference_labels()]

    def candidate_labels(self) -> Sequence[Any]:
        return [_spelled(label, self.noise[1]) for label in self.names.candidate_labels()]

    def examples(self, cells: Sequence[tuple[int, int]], each: int) -> list[tuple[Any, ...]]:
        return self.names.examples(cells, each)


def _spelled(label: Any, noise: Any) -> Any:
    return NOISE if noise is not None and label is not None and bool(label == noise) else label


@dataclass(frozen=True, slots=True)
class SetApart:
    """Which records of each side are in no ordinary cluster."""

    noise: tuple[bool, bool] = (False, False)  # whether a label of a side means noise
    lacking: tuple[bool, bool] = (False, False)  # whether a side lacks records, which stand alone there


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """Some clusters of one side that are drawn as one."""

    label: str | None  # None for records that the side lacks
    places: NDArray[np.int64]
    is_equal: bool = False  # whether the other side has the same clusters


@dataclass(frozen=True, slots=True, eq=False)
class FoldedCells:
    """Overlaps with folded clusters: those that are not folded, in order, then the folds of each side."""

    cells: OverlapCells
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


def fold(o: Overlaps, names: Names, apart: SetApart) -> FoldedCells:
    """The overlaps, with noise and equal singletons folded."""
    sides = (
        list(_set_apart(o.row_sizes, names.reference, noise=apart.noise[0], lacks=apart.lacking[0])),
        list(_set_apart(o.column_sizes, names.candidate, noise=apart.noise[1], lacks=apart.lacking[1])),
    )
    for rows_or_columns, places in zip(sides, _equal_singletons(o, sides), strict=True):
        if len(places) >= _FEWEST:
            label = counted(len(places), _SINGLETONS)
            rows_or_columns.append(Fold(label, places, is_equal=True))
    return _folded(o, sides)


def _set_apart(sizes: Integers, name: Any, *, noise: bool, lacks: bool) -> Iterator[Fold]:
    """The singletons of a side that are noise, and those that it lacks."""
    alone = np.flatnonzero(sizes == 1)
    if not (noise or lacks) or len(alone) > _MOST:
        return
    labels = {place: name(place) for place in alone.tolist()}
    noisy = [place for place, label in labels.items() if label is NOISE]
    lacked = [place for place, label in labels.items() if label is None] if lacks else []
    for label, found in ((NOISE, noisy), (None, lacked)):
        if len(found) > 1:
            yield Fold(label, np.array(found, dtype=np.int64))


def _equal_singletons(
    o: Overlaps, sides: tuple[list[Fold], list[Fold]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Clusters of one record that are the same on both sides, and not folded already."""
    cells = np.flatnonzero((o.n == 1) & (o.row_sizes[o.row] == 1) & (o.column_sizes[o.column] == 1))
    for ends, folds in zip((o.row, o.column), sides, strict=True):
        for each in folds:
            cells = cells[~np.isin(ends[cells], each.places)]
    return np.sort(o.row[cells]), np.sort(o.column[cells])


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
    new_sizes = (
        np.append(own[places], np.array([own[each.places].sum() for each in folds], dtype=own.dtype))
        for own, (_, places), folds in zip(sizes, renumbered, sides, strict=True)
    )
    cells = OverlapCells(flat // columns, flat % columns, sums_by(group, o.n), *new_sizes)
    places = (renumbered[0][1], renumbered[1][1])
    return FoldedCells(cells, places, sides, np.where(several | is_fold, -1, first))


def unfolded(o: Overlaps) -> FoldedCells:
    """The overlaps as they are."""
    whole = OverlapCells(o.row, o.column, o.n, o.row_sizes, o.column_sizes)
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
