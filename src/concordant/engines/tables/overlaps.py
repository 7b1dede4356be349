"""The contingency table of an engine that does not return it whole.

Only cells that are not a whole cluster of both sides are fetched. The others follow from the profile by
their size, and have no labels here. If there are few, they come with the counts; otherwise they stay with the
engine until someone asks for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import ALL_AT_HAND, Availability, ContingencyLoader, Counts, Detail, OverlapSizes
from concordant.counts.contingency import Contingency, label_order
from concordant.engines.tables.results import NOBODY, QueryResult, SizedCells
from concordant.errors import ParameterError, Remedy, TooLargeError
from concordant.sources.machine import LEAST_ROOM, resident_memory
from concordant.sources.values import KeyCells, SourceLabels

Cell = tuple[Any, Any, int, int, int]  # labels of both sides, the singleton side, overlap, number of cells
Sizes = list[tuple[int, int]]  # sizes of cells, ascending, and how many have each

ALONE_IN_REFERENCE, ALONE_IN_CANDIDATE = 1, 2  # because the record is missing there

# Indices that need no table; the last two need the best partners.
_WITHOUT_TABLE = ("adjusted_rand", "bcubed_f", "split_join", "closest_cluster_f1")

# Up to so many overlaps come with the counts: a comparison can be printed without a second query.
FEW_CELLS = 100_000

# Python objects for the labels and the numbers of a cell, before they become arrays.
_BYTES_OF_A_CELL = 250

# Memory per cell of the table, and of the lists of changes and of clusters.
_BYTES_IN_A_TABLE = 300


def engine_table(
    answer: QueryResult,
    limit: int,
    fetch: Callable[[], Iterable[Cell]],
    memory: int | None = None,  # the bytes that the process may use
    *,
    keeps: bool = False,
) -> ContingencyLoader:
    """A table that came with the counts, or that the engine is asked for on first use.

    If each side ``keeps`` records that the other lacks, it has no cells of these, but the sizes of all
    clusters.
    """
    # Only these few numbers of the answer are kept.
    whole = answer.cells.those(answer.cells.are_whole)
    if keeps:
        # Clusters of one record that the other side lacks, of the candidate and of the reference.
        single = (whole.of_alone(1).total, whole.of_alone(2).total)
        made = partial(_partial_overlap_table, _sizes(whole.of_alone(NOBODY)), single)
    else:
        made = partial(_table, _sizes(whole))
    at_hand = Detail.SIZES if keeps else Detail.BEST
    needed, differing = answer.cells.total * _BYTES_IN_A_TABLE, answer.differing
    held = resident_memory()
    if memory is not None and needed > max(memory - held, LEAST_ROOM):
        own = f"the table of all overlaps takes about {needed / 10**6:,.0f} MB"
        size = f"{own} beside the {held / 10**6:,.0f} MB that are in use"
        remedy = Remedy("allow it", memory=f"{(held + needed) * 21 // 20 // 10**7 + 1}0MB")
        refuse = partial(_refuse, f", and {size}", remedy)
        return ContingencyLoader(
            refuse, Availability(at_hand, price=f"{size}, more than the limit of memory")
        )
    if answer.differing_cells is not None:
        return ContingencyLoader(partial(made, answer.differing_cells))
    price = (
        f"{differing:,} overlaps of clusters that differ would be fetched from the engine, about "
        f"{differing * _BYTES_OF_A_CELL / 2**30:,.1f} GiB"
    )
    if differing > limit:
        limited = f"{price}, and the limit is {limit:,}"
        refuse = partial(_refuse, f": {limited}", Remedy("allow it", table_limit=differing))
        return ContingencyLoader(refuse, Availability(at_hand, price=f"{limited} (table_limit)"))
    price += "; the list of changes and the table fetch them"
    return ContingencyLoader(partial(_fetched_table, made, fetch), Availability(at_hand, Detail.TABLE, price))


def with_limited_table(counts: Counts, limit: int) -> Counts:
    """The counts, without their table if its differing clusters have more overlaps than the limit."""
    if counts.kind in ("covers", "weights"):
        raise ParameterError(
            f"the overlaps of {counts.kind} are all counted in memory, without a limit; leave it out",
            given={"table_limit": limit},
        )
    if not isinstance(counts, OverlapSizes):  # pairs alone
        return counts
    differing = int(counts.count[(counts.n != counts.a) | (counts.n != counts.b)].sum())
    if differing <= limit or counts.availability is not ALL_AT_HAND:  # its engine has the limit
        return counts
    limited = f"{differing:,} overlaps of clusters that differ would be listed, and the limit is {limit:,}"
    refuse = partial(_refuse, f": {limited}", Remedy("allow it", table_limit=differing), _WITHOUT_TABLE[:2])
    return counts.with_table(
        ContingencyLoader(refuse, Availability(Detail.SIZES, price=f"{limited} (table_limit)"))
    )


def _refuse(why: str, remedy: Remedy, others: Sequence[str] = _WITHOUT_TABLE) -> NoReturn:
    raise TooLargeError(
        f"this needs to know which clusters overlap{why}; use an index that needs no table, such as "
        f"{', '.join(others[:-1])} or {others[-1]}",
        remedies=[remedy],
    )


def _fetched_table(
    made: Callable[[Iterable[Cell]], Contingency], fetch: Callable[[], Iterable[Cell]]
) -> Contingency:
    return made(fetch())


def _table(sizes: Sizes, cells: Iterable[Cell]) -> Contingency:
    """The differing cells, then those that are a whole cluster of both sides, which have these sizes."""
    if isinstance(cells, KeyCells):
        n = cells.n
        numbers, labels = zip(*(cells.numbered(side, FEW_CELLS) for side in (0, 1)), strict=True)
    else:
        cells = list(cells)
        n, count = np.array([cell[3:] for cell in cells], dtype=np.int64).reshape(-1, 2).T
        numbers, labels = zip(*(_numbered(cells, side) for side in (0, 1)), strict=True)
        # n elements that are singletons are n cells of one
        numbers = tuple(np.repeat(each, count) for each in numbers)
        n = np.repeat(n, count)
    whole = np.repeat(*np.array(sizes, dtype=np.int64).reshape(-1, 2).T)
    rows, columns = (
        _with_singletons(numbers[side], numbers[1 - side], len(labels[side]), len(whole)) for side in (0, 1)
    )
    n = np.concatenate([n, whole])
    # One key of both numbers sorts several times faster than two; memory does not hold 2^31 of each.
    order = np.argsort(rows * (int(columns.max(initial=0)) + 1) + columns)
    return Contingency(rows[order], columns[order], n[order], labels=(labels[0], labels[1]))


def _partial_overlap_table(
    both: Sizes, single_records: tuple[int, int], cells: Iterable[Cell]
) -> Contingency:
    """The same cells, without those of records that one side lacks, but with the sizes of all clusters."""
    sizes: tuple[Counter[Any], Counter[Any]] = (Counter(), Counter())
    shared = []
    for u, v, alone, n, count in cells:
        if alone != ALONE_IN_REFERENCE:
            sizes[0][u] += n * count
        if alone != ALONE_IN_CANDIDATE:
            sizes[1][v] += n * count
        if alone == NOBODY:
            shared.append((u, v, n))
    whole = np.repeat(*np.array(both, dtype=np.int64).reshape(-1, 2).T)
    numbers, all_sizes = [], []
    for side, single in ((0, single_records[1]), (1, single_records[0])):
        # First the clusters of shared records, then those that both sides have, then all others.
        labels = dict.fromkeys(cell[side] for cell in shared)
        number = {label: place for place, label in enumerate(labels)}
        own = [number[cell[side]] for cell in shared]
        numbers.append(np.array([*own, *range(len(labels), len(labels) + len(whole))], dtype=np.int64))
        others = [size for label, size in sizes[side].items() if label not in labels]
        first = [sizes[side][label] for label in labels]
        all_sizes.append(np.array([*first, *whole.tolist(), *others, *[1] * single], dtype=np.int64))
    row, column = numbers
    overlaps = np.concatenate([np.array([cell[2] for cell in shared], dtype=np.int64), whole])
    order = np.lexsort((column, row))
    return Contingency(row[order], column[order], overlaps[order], sizes=(all_sizes[0], all_sizes[1]))


def _numbered(cells: Sequence[Cell], side: int) -> tuple[NDArray[np.int64], SourceLabels]:
    """The cluster number of each cell, -1 for a singleton without a label, and the labels by number.

    Engines return cells in any order; few of them are numbered in the order of their labels.
    """
    alone = (ALONE_IN_REFERENCE, ALONE_IN_CANDIDATE)[side]
    found = dict.fromkeys(cell[side] for cell in cells if not cell[2] & alone)
    labels = sorted(found, key=label_order) if len(cells) <= FEW_CELLS else list(found)
    number = {label: place for place, label in enumerate(labels)}
    numbers = [-1 if cell[2] & alone else number[cell[side]] for cell in cells]
    return np.array(numbers, dtype=np.int64), SourceLabels(labels)


def _with_singletons(
    own: NDArray[np.int64], other: NDArray[np.int64], labels: int, whole: int
) -> NDArray[np.int64]:
    """The cluster number of each cell, then of the clusters that both sides have.

    Singletons without a label are numbered in the order of the labels of the other side.
    """
    apart = np.flatnonzero(own < 0)
    apart = apart[np.argsort(other[apart].astype(np.uint64), kind="stable")]  # -1 comes last
    count = labels + len(apart)
    numbers = own.copy()
    numbers[apart] = np.arange(labels, count)
    return np.concatenate([numbers, np.arange(count, count + whole)])


def _sizes(whole: SizedCells) -> Sizes:
    """Those of cells that are a whole cluster of both sides, ascending, and how many have each."""
    order = np.argsort(whole.n, kind="stable")
    return list(zip(whole.n[order].tolist(), whole.count[order].tolist(), strict=True))
