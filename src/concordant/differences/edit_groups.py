"""Small edits of one kind, taken together: thousands of moves are one suggestion.

An overlap that is not the largest of both its clusters is an error, and its role (``changes``) names the fix.
The records of an overlap that was absorbed become a cluster of their own: a split. A cluster whose largest
overlap broke off joins the cluster that has most of the same reference cluster: a merge. Records that
strayed move there one by one, and so does a record that broke off alone. The gain is that of all these edits
made together. It is not the sum of their gains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isnan

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Integers, counted_alike, sums_by
from concordant.counts.base import TableSource
from concordant.counts.conventions import Undefined
from concordant.counts.counted import NO_CLUSTERS
from concordant.counts.overlaps import largest_in
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.counts.table import Table
from concordant.differences.single_edits import EditKind, Numbers, OutsideMasks

OverlapColumns = tuple[Integers, Integers, Integers]  # row, column and size of each overlap

SMALL = 0.01  # share of the distance to the perfect value; edits that gain less are not named one by one
_EQUAL_GAIN = 1e-12
_NOUNS: dict[EditKind, str] = {"merge": "merge", "split": "split", "move": "single-record move"}


@dataclass(frozen=True)
class EditGroup:
    """All edits of one kind that each gain little.

    Attributes
    ----------
    kind : {"merge", "split", "move"}
        The kind.
    edits : int
        Number of edits.
    records : int
        Number of records that change their cluster.
    value : float
        Value of the index after all edits.
    gain : float
        Improvement of the index by all edits.
    """

    kind: EditKind
    edits: int
    records: int
    value: float
    gain: float
    steps: Integers = field(repr=False, compare=False)  # row, column, target column and records of each

    @property
    def words(self) -> str:
        """The edits in words: ``6,210 single-record moves``."""
        return counted(self.edits, _NOUNS[self.kind])


def is_small(gain: float, now: float, index: Index) -> bool:
    """Whether a gain closes less than a hundredth of the distance to the perfect value."""
    if isnan(gain) or index.perfect is None:
        return False
    return gain < SMALL * abs(float(index.perfect) - now)


def edit_groups(
    cells: OverlapColumns,
    outside: OutsideMasks,
    index: Index,
    kinds: Sequence[EditKind],
    *,
    undefined: Undefined,
    now: float,
    exact: tuple[Integers, Integers] = (NO_CLUSTERS, NO_CLUSTERS),
    largest: tuple[Numbers, Numbers] | None = None,
) -> list[EditGroup]:
    """The groups that make the index better, best first; records in no cluster are not edited.

    ``outside`` are the rows and columns that are not clusters, by their numbers; later numbers are clusters.
    ``now`` is the value of the index before the edits. ``exact`` are the sizes of further clusters that both
    sides have, and the number of clusters of each size. ``largest`` are the positions of the largest overlap
    of each row and column, where they are known and nothing is outside.
    """
    groups, sign = [], 1.0 if index.direction == "similarity" else -1.0
    for kind, steps, edits, profile in _fixes(cells, outside, kinds, exact, largest):
        value = index.value(profile, "nan" if undefined == "raise" else undefined)
        gain = sign * (value - now)
        if edits > 1 and gain > _EQUAL_GAIN * max(1.0, abs(now)) and is_small(gain / edits, now, index):
            groups.append(EditGroup(kind, edits, int(steps[:, 3].sum()), value, gain, steps))
    return sorted(groups, key=lambda group: -group.gain)


def _fixes(
    cells: OverlapColumns,
    outside: OutsideMasks,
    kinds: Sequence[EditKind],
    exact: tuple[Integers, Integers],
    largest: tuple[Numbers, Numbers] | None,
) -> Iterator[tuple[EditKind, Integers, int, Profile]]:
    """For each kind that occurs: the steps, the number of edits, and the profile after all of them."""
    row, column, n = cells
    new = int(column.max(initial=-1)) + 1
    is_inside, alone = np.ones(len(n), dtype=bool), n == 1
    if any(mask.any() for mask in outside):
        is_inside = ~(_marked(row, outside[0]) | _marked(column, outside[1]))
    row_best, column_best = largest or (_largest(each, n * is_inside) for each in (row, column))
    of_row, of_column = (np.zeros(len(n), dtype=bool) for _ in range(2))
    of_row[row_best], of_column[column_best] = True, True
    home_of_row = np.zeros(int(row.max(initial=-1)) + 1, dtype=np.int64)
    home_of_row[row[row_best]] = column[row_best]
    fixes: dict[EditKind, NDArray[np.int64]] = {
        "merge": np.flatnonzero(is_inside & of_column & ~of_row & ~alone),
        "split": np.flatnonzero(is_inside & of_row & ~of_column),
        "move": np.flatnonzero(is_inside & ~of_row & (~of_column | alone)),
    }
    by_row = core.grouped(row)[0] if (row[1:] < row[:-1]).any() else slice(None)
    for kind in kinds:
        which, target = fixes[kind], column.copy()
        if not len(which):
            continue
        home = home_of_row[row[which]]  # the column with most of the row
        if kind == "merge":
            # A home has a larger overlap than the column that joins it, so merges never form a cycle.
            target = merged(column[which], home, new)[column]
            moved = sums_by(column, n, new)[column[which]]
        else:
            target[which] = new + np.arange(len(which)) if kind == "split" else home
            moved = n[which]
        edits = int(moved.sum()) if kind == "move" else len(which)
        steps = np.column_stack([row[which], column[which], target[which], moved])
        yield kind, steps, edits, _profile((row[by_row], target[by_row], n[by_row]), exact)


def _largest(cluster: Numbers, n: Integers) -> Numbers:
    """The position of the largest overlap of each cluster; clusters whose overlaps are all 0 are left out."""
    best = largest_in(cluster, n)
    return best[np.flatnonzero((best >= 0) & (n[best] > 0).astype(bool))]


def _marked(numbers: Numbers, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether each number is marked; numbers beyond the mask are not."""
    beyond = max(int(numbers.max(initial=-1)) + 1 - len(mask), 0)
    return np.pad(mask, (0, beyond))[numbers]


def merged(sources: Numbers, targets: Numbers, count: int) -> Numbers:
    """The cluster that each cluster is part of after these merges, which must not form a cycle."""
    joined = np.arange(count)
    joined[sources] = targets
    while (joined[joined] != joined).any():
        joined = joined[joined]
    return joined


def _profile(cells: OverlapColumns, exact: tuple[Integers, Integers]) -> Profile:
    """The profile of these overlaps, equal ones added up, and of clusters that both sides have."""
    row, column, n = cells
    sizes, count = exact
    if n.dtype != np.int64:  # counts are beyond 64 bits
        return Profile.of_table(_table(cells, exact))
    size = int(n.sum()) + int((sizes * count).sum())
    others = np.stack([sizes, sizes, sizes, count]).astype(np.int64)
    found = np.hstack([core.cell_triples(row, column, n), others])
    a, b, overlap, count = counted_alike((found[1], found[2], found[0]), found[3])
    return Profile(overlap, a, b, count, table=TableSource(partial(_table, cells, exact)), size=size)


def _table(cells: OverlapColumns, exact: tuple[Integers, Integers]) -> Table:
    """The overlaps, equal ones added up and clusters numbered from 0, then those of exact clusters."""
    rows, columns = (np.unique(each, return_inverse=True)[1].reshape(-1) for each in cells[:2])
    width = int(columns.max(initial=-1)) + 1
    flat, which = np.unique(rows * width + columns, return_inverse=True)
    n = sums_by(which.reshape(-1), cells[2], len(flat))
    same = np.repeat(exact[0], exact[1].astype(np.int64))
    others = np.arange(len(same))
    row = np.concatenate([flat // max(width, 1), int(rows.max(initial=-1)) + 1 + others])
    return Table(row, np.concatenate([flat % max(width, 1), width + others]), np.concatenate([n, same]))
