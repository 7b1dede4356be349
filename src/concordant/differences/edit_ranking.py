"""All single edits of the candidate, ranked by the value of an index after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf, isfinite, isnan

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.conventions import Undefined
from concordant.counts.counted import Counted, outside_clusters
from concordant.counts.differing import Differing
from concordant.differences.edit_groups import EditGroup, edit_groups
from concordant.differences.edit_values import SumChanges, needed_changes, values_after
from concordant.differences.single_edits import (
    ALWAYS_NEEDED,
    CHANGES,
    KINDS,
    EditKind,
    FirstEdits,
    Found,
    SingleEdits,
    Values,
    edits_near,
)
from concordant.engines.live.profile import LiveProfile
from concordant.engines.live.table import LiveTable
from concordant.engines.lock import Guarded
from concordant.errors import TooLargeError

MOST_ELEMENTS = 2**53  # floats, which give the first ranking, distinguish sizes up to here
_MOST_TRIALS = 20_000  # edits that are tried one by one if the formula is not vectorised
_MORE = 10  # further edits to try beyond the limit, as the first ranking is rounded

_ROUNDING = 2.0**-48  # cancelling logarithms leave a quarter of this


class EditRanking(Guarded):
    """All single edits, valued by one index; only those near the last edit are valued again."""

    live: LiveTable
    index: Index
    is_complete: bool

    def __init__(self, start: Counted, index: Index, kinds: Sequence[EditKind], undefined: Undefined) -> None:
        self.live, self.index = LiveTable(start), index
        self._outside = outside_clusters(start.names, start.noise, start.counts)
        self._kinds, self._undefined = kinds, undefined
        self._sign = 1.0 if index.direction == "similarity" else -1.0
        self._needed = needed_changes(index)
        read, differing = self._needed or CHANGES, start.counts.partitions.view(Differing)
        self._computed = {*read, *ALWAYS_NEEDED}
        self._first = FirstEdits(differing, kinds, self._outside, read)
        self.is_complete = self._first.is_complete
        self._near: SingleEdits | None = None  # edits of clusters that were changed since
        self._changed: set[int] = set()  # candidate clusters that were changed since

    def value(self) -> float:
        """The current value of the index."""
        return self.index.value(self.live.counts, self._undefined)

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
        """How many records change their cluster."""
        kind, row, one, other = edit
        cells = self.live.counts.state
        if KINDS[kind] == "merge":
            return cells.rows_columns[1].size(other)
        return cells.cell(row, one) if KINDS[kind] == "split" else 1

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
            yield from self._all()
            return
        merits = np.concatenate([np.where(np.isnan(each), -np.inf, self._sign * each) for each in values])
        worth = np.flatnonzero(merits > self._merit(now, 1e-9))
        left = None if limit is None else limit + _MORE
        for place in worth[np.argsort(-merits[worth], kind="stable")].tolist():
            group, start = (0, 0) if place < len(values[0]) else (1, len(values[0]))
            for edit in groups[group][1](place - start):
                yield edit
                left = None if left is None else left - 1
                if left == 0:
                    return

    def _values_after(self, changes: SumChanges) -> Values | None:
        return values_after(self.index, self.live.counts, changes, self._undefined)

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
        cells = self.live.counts.state
        steps, edits = self._steps(edit), cells.edits
        for row, column, more in steps:
            cells.change(row, column, more)
        undefined = "nan" if self._undefined == "raise" else self._undefined
        value = self.index.value(LiveProfile(cells), undefined)
        for row, column, more in reversed(steps):
            cells.change(row, column, -more)
        cells.edits = edits  # the state is unchanged, so cached values remain valid
        return value

    def _steps(self, edit: Found) -> list[tuple[int, int, int]]:
        kind, row, one, other = edit
        columns = self.live.counts.state.rows_columns[1]
        if KINDS[kind] == "merge":
            small, large = sorted((one, other), key=columns.length)
            moved = [(each, small, large, n) for each, n in columns.seen(small).items()]
        elif KINDS[kind] == "split":
            moved = [(row, one, columns.next_number, self.live.counts.state.cell(row, one))]
        else:
            moved = [(row, one, other, 1)]
        return [step for each, v, w, n in moved for step in ((each, v, -n), (each, w, n))]

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
        """Small edits by kind, in the current state."""
        cells, value = self.live.counts.state.arrays(), self.value()
        kinds, undefined = self._kinds, self._undefined
        return edit_groups(cells, self._outside, self.index, kinds, undefined=undefined, now=value)

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
        return EditRanking(self.live.counted(), self.index, self._kinds, self._undefined)

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


def _found(edits: SingleEdits | None, place: int) -> Found:
    assert edits is not None  # there are edits if there is a place among them
    return int(edits.kind[place]), int(edits.row[place]), int(edits.one[place]), int(edits.other[place])
