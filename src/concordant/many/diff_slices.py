"""The slices of a diff: how much changed in each part of the records, such as a country."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from concordant.counts.arithmetic import Integers, sums_by
from concordant.counts.counted import Counted, Names
from concordant.counts.three_way import DiffSizes, ThreeWay
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.diff_lists import DiffCells, DiffLists, SliceChange
from concordant.differences.lazy_list import LazyList
from concordant.errors import ParameterError
from concordant.many.question_draws import Goal
from concordant.trust.slice_cells import SliceCells, slice_cells


def slice_changes(
    runs: Counted,
    names: Names,
    truth: tuple[ThreeWay, DiffCells] | None,
    by: Any,
    *,
    records: Any,
    record: str | None,
    order: str,
    limit: int | None,
) -> LazyList[SliceChange]:
    """The slices by columns or by given values; ``truth`` has the cells of both runs and the truth."""
    if truth is not None and len(truth[0].cell) < runs.counts.size:
        raise ParameterError(
            "slices of a diff with a truth need the labels in memory, and these are in dataframes or files; "
            "leave out the truth to measure the impact alone",
            given={"by": ...},
        )
    pieces = slice_cells(runs, by, records, record)
    labels = [label[0] if len(pieces.columns) == 1 else label for label in pieces.labels]
    if truth is None:
        n, a, b = pieces.overlaps
        group, counted = pieces.slice, pieces.records
        sizes = DiffSizes.of_runs(pieces.weight, a, b, n, int(pieces.squares.sum()))
    else:
        group, counted, sizes = _pieces_of_three(runs, pieces, *truth)
    nowhere = np.zeros_like(group)
    cells = DiffCells(nowhere, nowhere, counted, sizes)
    lists = DiffLists(cells, names, None if truth is None else nowhere)
    return lists.slices(group, labels, limit, order)


def slices_to_ask(runs: Counted, goal: Goal, by: Any, records: Any, record: str | None) -> SliceCells:
    """The slices that questions are drawn from; columns are those of ``records``, if given."""
    if goal == "iq":
        raise ParameterError("slices are for the goals precision and recall", given={"goal": goal})
    if runs.sources is not None:
        raise ParameterError(
            "questions by slice need the labels in memory, and these are in dataframes or files",
            given={"by": ...},
        )
    names_columns = isinstance(by, str | list | tuple)
    return slice_cells(runs, by, *((records, record) if names_columns else ()))


def _pieces_of_three(
    runs: Counted, pieces: SliceCells, three: ThreeWay, cells: DiffCells
) -> tuple[Integers, Integers, DiffSizes]:
    """The slice, the records and the sizes of each piece into which slices cut the three-way cells."""
    assert pieces.of_record is not None  # in memory, each record has its slice
    keys = pieces.of_record * len(three) + three.cell
    found, which, number = np.unique(keys, return_inverse=True, return_counts=True)
    mass = number.astype(np.int64)
    if isinstance(runs.counts, WeightedCounts):
        mass = sums_by(which.reshape(-1), runs.counts.own, len(found))
    group, cell = np.divmod(found, len(three))
    own = {name: getattr(cells.sizes, name)[cell] for name in ("a", "b", "ab", "n", "at", "bt", "c")}
    return group, number.astype(np.int64), replace(cells.sizes, mass=mass, **own)
