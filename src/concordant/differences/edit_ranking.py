"""The value of an index after each of many edits, from the changes in the sums that its formula reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import filterfalse
from math import inf, isfinite, isnan
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers, counted_alike, sums_by
from concordant.counts.base import Counts, TableSource
from concordant.counts.conventions import Undefined
from concordant.counts.counted import NO_CLUSTERS, Counted, outside_clusters
from concordant.counts.elements import Elements
from concordant.counts.information import Information
from concordant.counts.overlaps import Differing, largest_in
from concordant.counts.pairs import PairCounts
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.counts.table import Cells
from concordant.counts.weighted_counts import WeightedCounts, edited
from concordant.differences.single_edits import (
    ALWAYS_NEEDED,
    CHANGES,
    KINDS,
    EditKind,
    FirstEdits,
    Found,
    Numbers,
    OutsideMasks,
    SingleEdits,
    Values,
    edits_near,
)
from concordant.engines.live.profile import LiveCells, LiveProfile
from concordant.engines.live.records import Place
from concordant.engines.live.table import LiveTable
from concordant.engines.lock import Guarded
from concordant.errors import ParameterError, TooLargeError
from concordant.indices.index import Index

_MOST_GROUPS = 200_000  # different changes whose values are computed one by one

SumChanges = dict[str, Values]


def needed_changes(index: Index) -> tuple[str, ...]:
    """The sums that an edit must change to change the index; empty if its formula is not read from sums."""
    if not all(view in _NEEDED for view in index.views):
        return ()
    return tuple(dict.fromkeys(name for view in index.views for name in _NEEDED[view]))


def values_after(
    index: Index, counts: Counts, state: LiveCells, changes: SumChanges, undefined: Undefined
) -> Values | None:
    """The value after each edit, to about 12 digits; None where the formula does not take columns.

    The rules are those of ``Index.value``: identical partitions are perfect, and a convention replaces 0/0.
    """
    is_official = undefined == "conll" and index.conll is not None
    formula = index.conll if is_official else index.compute
    try:
        with np.errstate(all="ignore"):
            values = _formula_values(formula, index, counts, state, changes)
    except (TypeError, ValueError, AttributeError):
        return None  # a sum that edits do not determine, or too many values
    convention = 0.0 if is_official else None if undefined in ("nan", "raise") else index.undefined
    values = np.where(np.isfinite(values), values, np.nan if convention is None else convention)
    if index.perfect is None or is_official:
        return values
    rows, columns = state.rows_columns
    nn, bb = float(rows.squared - state.squared), float(rows.squared - columns.squared)
    identical = np.isclose(changes["nn"], nn, 1e-12, 0) & np.isclose(changes["bb"], bb, 1e-12, 0)
    return np.where(identical, float(index.perfect), values)


def _formula_values(
    formula: Callable[..., Any], index: Index, counts: Counts, state: LiveCells, changes: SumChanges
) -> Values:
    """The bare formula for each edit; nan or infinite where it divides by zero."""

    def computed(changes: Mapping[str, Any]) -> Any:
        return formula(*(_VIEWS[view](counts, state, changes) for view in index.views), **index.arguments)

    count = len(changes["nn"])
    try:
        values = np.asarray(computed(changes), dtype=np.float64)
        if values.shape == (count,) and count > 1:  # an array of one value acts as a number
            return values
    except (TypeError, ValueError, ZeroDivisionError):
        pass  # the formula needs plain numbers (a branch, a minimum, a root, 0/0): one by one
    if count > _MOST_GROUPS:
        raise ValueError("too many to compute one by one")
    values = np.full(count, np.nan)
    for place in range(count):
        with suppress(ZeroDivisionError):
            values[place] = computed({name: each[place] for name, each in changes.items()})
    return values


def _pairs(counts: Counts, state: LiveCells, changes: Mapping[str, Any]) -> Any:  # noqa: ARG001  (as others)
    now, together = counts.view(PairCounts), changes["nn"] / 2
    apart = (changes["bb"] - changes["nn"]) / 2
    number: Any = float
    if counts.parts is not None:
        together, apart = together / float(counts.parts**2), apart / float(counts.parts**2)
    elif isinstance(together, float):  # for one edit, formulas expect int
        number = int
    held = [number(each) for each in (now.n11, now.n10, now.n01, now.n00)]
    after = held[0] + together, held[1] - together, held[2] + apart, held[3] - apart
    pairs: Any = PairCounts
    squares = None if now.weight_squares is None else float(now.weight_squares)
    return pairs(*(each if len(np.shape(each)) else number(each) for each in after), now.size, None, squares)


def _elements(counts: Counts, state: LiveCells, changes: Mapping[str, Any]) -> Any:
    now = counts.view(Elements)
    size = np.float64(state.size)
    over_a, over_b = float(now.over_a) + changes["over_a"], float(now.over_b) + changes["over_b"]
    return SimpleNamespace(
        size=size,
        in_u=size,
        in_v=size,
        common=size,
        rows=np.float64(now.rows),
        columns=state.rows_columns[1].clusters + changes["columns"],
        cells=state.cells + changes["cells"],
        kept=state.kept + changes["kept"],
        over_a=over_a,
        over_b=over_b,
        outside_u=size - over_a,
        outside_v=size - over_b,
    )


def _information(counts: Counts, state: LiveCells, changes: Mapping[str, Any]) -> Any:
    now, size = counts.view(Information), state.size
    is_trivial = counts.columns + changes["columns"] == 1  # where rounding could leave an entropy
    h_u = np.float64(now.h_u)
    h_v = np.where(is_trivial, 0.0, now.h_v - changes["logs_b"] / size)[()]
    h_uv = np.where(is_trivial, h_u, now.h_uv - changes["logs"] / size)[()]
    return SimpleNamespace(
        size=np.float64(size),
        h_u=h_u,
        h_v=h_v,
        h_uv=h_uv,
        h_u_given_v=h_uv - h_v,
        h_v_given_u=h_uv - h_u,
        mutual=h_u + h_v - h_uv,
        of_elements=now.of_elements,
    )


_NEEDED: dict[type, tuple[str, ...]] = {
    PairCounts: ("nn", "bb"),
    Elements: ("over_a", "over_b", "cells", "columns", "kept"),
    Information: ("logs", "logs_b"),
}
_VIEWS: dict[type, Callable[[Counts, LiveCells, Mapping[str, Any]], Any]] = {
    PairCounts: _pairs,
    Elements: _elements,
    Information: _information,
}


OverlapColumns = tuple[Integers, Integers, Integers]  # row, column and size of each overlap

SMALL = 0.01  # share of the distance to the perfect value; edits that gain less are not named one by one
_EQUAL_GAIN = 1e-12
_NOUNS: dict[EditKind, str] = {"merge": "merge", "split": "split", "move": "single-record move"}


@dataclass(frozen=True)
class EditGroup:
    """All edits of one kind.

    Attributes
    ----------
    kind : {"merge", "split", "move"}
        The kind.
    n_edits : int
        Number of edits.
    size : int
        Number of records that change their cluster.
    value : float
        Value of the index after all edits.
    gain : float
        Improvement of the index by all edits.
    """

    kind: EditKind
    n_edits: int
    size: int
    value: float
    gain: float
    steps: Integers = field(repr=False, compare=False)  # row, column, target column and records of each

    @property
    def words(self) -> str:
        """The edits in words: ``6,210 single-record moves``."""
        return counted(self.n_edits, _NOUNS[self.kind])


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
        if edits > 1 and gain > _EQUAL_GAIN * max(1.0, abs(now)):
            groups.append(EditGroup(kind, edits, int(steps[:, 3].sum()), value, gain, steps))
    return sorted(groups, key=lambda group: -group.gain)


def split_apart(
    cells: OverlapColumns,
    column: int,
    index: Index,
    *,
    undefined: Undefined,
    now: float,
    exact: tuple[Integers, Integers],
) -> EditGroup:
    """All splits of one candidate cluster by reference clusters; its largest part stays."""
    row, columns, n = cells
    which = np.flatnonzero(columns == column)
    which = np.delete(which, np.argmax(n[which]))
    target = columns.copy()
    target[which] = int(columns.max()) + 1 + np.arange(len(which))
    value = index.value(_profile((row, target, n), exact), "nan" if undefined == "raise" else undefined)
    gain = (1.0 if index.direction == "similarity" else -1.0) * (value - now)
    steps = np.column_stack([row[which], columns[which], target[which], n[which]])
    return EditGroup("split", len(which), int(n[which].sum()), value, gain, steps)


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


def _table(cells: OverlapColumns, exact: tuple[Integers, Integers]) -> Cells:
    """The overlaps, equal ones added up and clusters numbered from 0, then those of exact clusters."""
    rows, columns = (np.unique(each, return_inverse=True)[1].reshape(-1) for each in cells[:2])
    width = int(columns.max(initial=-1)) + 1
    flat, which = np.unique(rows * width + columns, return_inverse=True)
    n = sums_by(which.reshape(-1), cells[2], len(flat))
    same = np.repeat(exact[0], exact[1].astype(np.int64))
    others = np.arange(len(same))
    row = np.concatenate([flat // max(width, 1), int(rows.max(initial=-1)) + 1 + others])
    return Cells(row, np.concatenate([flat % max(width, 1), width + others]), np.concatenate([n, same]))


MOST_ELEMENTS = 2**53  # floats, which give the first ranking, distinguish sizes up to here
_MOST_TRIALS = 20_000  # edits that are tried one by one if the formula is not vectorised
_MORE = 10  # further edits to try beyond the limit, as the first ranking is rounded


DecidedPlaces = tuple[tuple[Any, Place], tuple[Any, Place]]  # two records and their overlaps

_ROUNDING = 2.0**-48  # cancelling logarithms leave a quarter of this


class EditRanking(Guarded):
    """All single edits, valued by one index; only those near the last edit are valued again."""

    live: LiveTable
    index: Index
    is_complete: bool

    def __init__(self, start: Counted, index: Index, kinds: Sequence[EditKind], undefined: Undefined) -> None:
        weighted = start.counts if isinstance(start.counts, WeightedCounts) else None
        self.live = LiveTable(start if weighted is None else replace(start, counts=weighted.elements))
        self.index, self._start, self.weighted = index, start, weighted
        profile = start.counts.by_weight
        self.cells = self.live.cells if weighted is None else profile.view(LiveCells).copy()
        self._heaviest = None if weighted is None else heaviest_records(weighted)
        self._outside = outside_clusters(start.names, start.noise, start.counts)
        self._kinds, self._undefined = kinds, undefined
        self._sign = 1.0 if index.direction == "similarity" else -1.0
        self._needed = needed_changes(index)
        read, differing = self._needed or CHANGES, profile.view(Differing)
        self._computed = {*read, *ALWAYS_NEEDED}
        heaviest = None
        if weighted is not None:
            heaviest = weighted.own[self._heaviest].astype(np.float64)
        self._first = FirstEdits(differing, kinds, self._outside, read, heaviest)
        self.is_complete = self._first.is_complete
        self._near: SingleEdits | None = None  # edits of clusters that were changed since
        self._changed: set[int] = set()  # candidate clusters that were changed since
        self._places: tuple[int, tuple[list[DecidedPlaces], list[DecidedPlaces], set[Place]]] | None = None
        if start.decided is not None and not self.live.records.have_names:
            raise ParameterError(
                "edits that break no decision need the clusters of each record in memory; read the files "
                "with Partition.read, or leave out the decisions"
            )

    def value(self) -> float:
        """The current value of the index."""
        return self.index.value(self._counts, self._undefined)

    @property
    def _counts(self) -> Counts:
        return self.live.counts if self.weighted is None else self.weighted

    def amount(self, moved: int) -> float:
        """A number of records, or their weight."""
        return self._start.counts.amount(moved)

    def counted(self) -> Counted:
        """The counts after the edits that were made so far."""
        return replace(edited(self._start, lambda _: self.live.counted()), decided=self._start.decided)

    def record_to_move(self, row: int, column: int) -> int:
        """The position of the heaviest record of an overlap."""
        assert self._heaviest is not None
        table = self._start.counts.table
        first, last = table.row.searchsorted((row, row + 1))
        return int(self._heaviest[first + table.column[first:last].searchsorted(column)])

    def first_members(self, places: Sequence[tuple[int, int]]) -> Mapping[tuple[int, int], Any]:
        """The record to move of each of these overlaps, or None if none is known."""
        if self.weighted is None:
            return self.live.first_members(places)
        records = self._start.names.records
        return {place: records.record(self.record_to_move(*place)) for place in places}

    def best(self, limit: int | None) -> list[tuple[Found, float, float]]:
        """The edits that make the index better, with its value and the gain, best first."""
        now = self.value()
        tried = [(edit, self._try(edit)) for edit in self._promising(now, limit)]
        least = self._merit(now, -_ROUNDING)
        better = [
            (edit, value, self._sign * (value - now)) for edit, value in tried if self._merit(value) > least
        ]
        better.sort(
            key=lambda each: (-self._merit(each[1]), self.moved(each[0]), each[0][0], self._spelled(each[0]))
        )
        return better[:limit]

    def _merit(self, value: float, tolerance: float = 0.0) -> float:
        """The higher, the better. An undefined value is the worst; a tolerance is relative, from 1 on."""
        if isnan(value):
            return -inf
        return self._sign * value - (tolerance * max(1.0, abs(value)) if isfinite(value) else 0.0)

    def moved(self, edit: Found) -> int:
        """How many records change their cluster, or their weight in whole parts."""
        kind, row, one, other = edit
        cells = self.cells
        if KINDS[kind] == "merge":
            return cells.rows_columns[1].size(other)
        if KINDS[kind] == "move":
            return 1 if self.weighted is None else int(self.weighted.own[self.record_to_move(row, one)])
        taken = cells.cell(row, one)  # the smaller part of a split changes its cluster
        return min(taken, cells.rows_columns[1].size(one) - taken)

    def _spelled(self, edit: Found) -> tuple[str, ...]:
        _, row, one, other = edit
        columns = [one] if other < 0 else [one, other]
        return (*(str(self.live.cluster(1, column)) for column in columns), str(self.live.cluster(0, row)))

    def _promising(self, now: float, limit: int | None) -> Iterator[Found]:
        """Edits that are worth trying, by their value to about 12 digits; all edits if that is unknown."""
        first = self._first.changes, self._members
        groups: list[tuple[SumChanges, Callable[[int], Iterable[Found]]]] = [first]
        if (near := self._near) is not None:
            groups.append((near.changes, lambda place: [_found(near, place)]))
        known = [self._values_after(changes) for changes, _ in groups] if self._needed else [None]
        values = [each for each in known if each is not None]
        if len(values) < len(groups):
            if self.weighted is not None:
                raise ParameterError(
                    f"{self.index.name} would have to be computed from all records for each edit of records "
                    "that have weights; rank by a pair-counting index, an entropy index or bcubed_f"
                )
            yield from filterfalse(self._breaks_decision, self._all())
            return
        merits = np.concatenate([np.where(np.isnan(each), -np.inf, self._sign * each) for each in values])
        worth = np.flatnonzero(merits > self._merit(now, 1e-9))
        left = None if limit is None else limit + _MORE
        for place in worth[np.argsort(-merits[worth], kind="stable")].tolist():
            group, start = (0, 0) if place < len(values[0]) else (1, len(values[0]))
            for edit in groups[group][1](place - start):
                if self._breaks_decision(edit):
                    continue
                yield edit
                left = None if left is None else left - 1
                if left == 0:
                    return

    def _breaks_decision(self, edit: Found) -> bool:
        """Whether an edit puts two records apart that are the same, or together that are different."""
        if self._start.decided is None:
            return False
        kind, row, one, other = edit
        same, different, decided = self._decided
        if KINDS[kind] == "merge":
            return any({u[1], v[1]} == {one, other} for (_, u), (_, v) in different)
        if KINDS[kind] == "split":
            return any(u[1] == v[1] == one and (u[0] == row) != (v[0] == row) for (_, u), (_, v) in same)
        if (row, one) not in decided:
            return False
        record = self.first_members([(row, one)])[row, one]
        partners = [
            (goal, end)
            for goal, pairs in ((one, same), (other, different))
            for (x, u), (y, v) in pairs
            for name, end in ((x, v), (y, u))
            if name == record
        ]
        return any(end[1] == goal for goal, end in partners)

    @property
    def _decided(self) -> tuple[list[DecidedPlaces], list[DecidedPlaces], set[Place]]:
        """The pairs that are the same or different, with their current overlaps; and all these overlaps."""
        now = self.live.cells.edits
        if self._places is None or self._places[0] != now:
            find = self.live.records.find
            kinds: list[list[DecidedPlaces]] = []
            for pairs in self._start.decided or ():
                ends = (((one, find(one)), (other, find(other))) for one, other in pairs)
                kinds.append([(u, v) for u, v in ends if u[1] is not None and v[1] is not None])  # type: ignore[misc]  # no None is left
            places = {place for pairs in kinds for pair in pairs for _, place in pair}
            self._places = now, (kinds[0], kinds[1], places)
        return self._places[1]

    def _values_after(self, changes: SumChanges) -> Values | None:
        return values_after(self.index, self._counts, self.cells, changes, self._undefined)

    def _members(self, group: int) -> Iterator[Found]:
        """The first edits of this group whose clusters are still as they were."""
        return (edit for edit in self._first.members(group) if self._changed.isdisjoint(edit[2:]))

    def _all(self) -> Iterator[Found]:
        near = 0 if self._near is None else len(self._near)
        if len(self._first) + near > _MOST_TRIALS:
            raise TooLargeError(
                f"{self.index.name} would have to be computed for each of {len(self._first) + near:,} "
                "edits, which takes too long; rank by a pair-counting index, an entropy index or bcubed_f"
            )
        for group in range(len(self._first.changes["nn"])):
            yield from self._members(group)
        for place in range(near):
            yield _found(self._near, place)

    # -- trying and making ----------------------------------------------------------------------

    def _try(self, edit: Found) -> float:
        """The value after an edit, which is then undone; nan if it is undefined."""
        states = [self.live.cells] if self.weighted is None else [self.live.cells, self.cells]
        tried = [(cells, self._steps(edit, cells), cells.edits) for cells in states]
        for cells, steps, _ in tried:
            for row, column, more in steps:
                cells.change(row, column, more)
        undefined = "nan" if self._undefined == "raise" else self._undefined
        profile = LiveProfile(self.live.cells)
        weighted = self.weighted and self.weighted.with_overlaps(profile, LiveProfile(self.cells))
        value = self.index.value(weighted or profile, undefined)
        for cells, steps, edits in tried:
            for row, column, more in reversed(steps):
                cells.change(row, column, -more)
            cells.edits = edits  # the state is unchanged, so cached values remain valid
        return value

    def _steps(self, edit: Found, cells: LiveCells) -> list[tuple[int, int, int]]:
        kind, row, one, other = edit
        columns = cells.rows_columns[1]
        if KINDS[kind] == "merge":
            small, large = sorted((one, other), key=columns.length)
            moved = [(each, small, large, n) for each, n in columns.seen(small).items()]
        elif KINDS[kind] == "split":
            moved = [(row, one, columns.next_number, cells.cell(row, one))]
        else:
            moved = [(row, one, other, 1 if cells is self.live.cells else self.moved(edit))]
        return [step for each, v, w, n in moved for step in ((each, v, -n), (each, w, n))]

    def after(self, edit: Found) -> EditRanking:
        """Make an edit permanently, and rank those that follow."""
        if self.weighted is None:
            self.make(edit)
            return self
        kind, row, one, other = edit
        if KINDS[kind] == "merge":
            self.live.merge(1, [one, other])
        elif KINDS[kind] == "split":
            self.live.split_cell((row, one))
        else:
            record = self._start.names.records.record(self.record_to_move(row, one))
            self.live.records.put(record, (row, other))
            self.live.shift((row, one), (row, other), named=True)
        return EditRanking(self.counted(), self.index, self._kinds, self._undefined)

    def make(self, edit: Found) -> None:
        """Make an edit permanently, and value the edits of the clusters it touched again."""
        kind, row, one, other = edit
        cells = self.live.counts.state
        rows, columns = cells.rows_columns
        new = columns.next_number
        near = {row} | (set(columns.seen(one)) & set(columns.seen(other)) if other >= 0 else set())
        lengths = {each: rows.length(each) for each in near | set(columns.seen(one))}
        if KINDS[kind] == "merge":
            self.live.merge(1, [one, other])
        elif KINDS[kind] == "split":
            self.live.split_cell((row, one))
        else:
            self.live.shift((row, one), (row, other))
        touched = {one, other, new} - {-1}
        # Whether a cluster is exact depends on how many overlaps its reference cluster has.
        for each, length in lengths.items():
            if rows.length(each) != length or KINDS[kind] == "split":
                touched |= set(rows.seen(each)) if rows.length(each) <= 2 else set()
        self._look_again(touched, new)

    def groups(self) -> list[EditGroup]:
        """Small edits by kind, in the current state; of records that have weights, none."""
        if self.weighted is not None or self._start.decided is not None:
            return []
        cells, value = self.live.counts.state.arrays(), self.value()
        kinds, undefined = self._kinds, self._undefined
        groups = edit_groups(cells, self._outside, self.index, kinds, undefined=undefined, now=value)
        return [each for each in groups if is_small(each.gain / each.n_edits, value, self.index)]

    def after_all(self, group: EditGroup) -> EditRanking:
        """Make all edits of a group permanently, and rank those that follow."""
        merged: dict[int, list[int]] = {}
        for row, column, goal, records in group.steps.tolist():
            if group.kind == "merge":
                merged.setdefault(goal, [goal]).append(column)
            elif group.kind == "split":
                self.live.split_cell((row, column))
            else:
                self.live.shift((row, column), (row, goal), records)
        for columns in merged.values():
            self.live.merge(1, columns)
        return EditRanking(self.counted(), self.index, self._kinds, self._undefined)

    def _look_again(self, touched: set[int], new: int) -> None:
        self._changed |= touched
        columns = self.live.counts.state.rows_columns[1]
        there = {column for column in touched if columns.size(column)}
        parts = [
            edits_near(
                self.live.counts.state,
                there,
                self._kinds,
                self._outside,
                self._computed,
                complete=self.is_complete,
            )
        ]
        if self._near is not None:
            gone = np.array(sorted(touched | {new}), dtype=np.int64)
            stays = ~(np.isin(self._near.one, gone) | np.isin(self._near.other, gone))
            parts.insert(0, self._near.chosen(stays))
        self._near = SingleEdits.joined(parts)


def heaviest_records(counts: WeightedCounts) -> Integers:
    """The position of the heaviest record of each overlap, the first of equal ones."""
    return largest_in(np.ascontiguousarray(counts.cell), counts.own)


def _found(edits: SingleEdits | None, place: int) -> Found:
    assert edits is not None  # there are edits if there is a place among them
    return int(edits.kind[place]), int(edits.row[place]), int(edits.one[place]), int(edits.other[place])
