"""Which single edit of the candidate helps most, and what next once it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, isfinite, isnan
from typing import Any

import numpy as np

from concordant import core
from concordant.catalogue.index import INDICES, Index
from concordant.counts.conventions import Undefined
from concordant.counts.counted import Counted, outside_clusters
from concordant.counts.sides import SideName
from concordant.counts.spelling import counted, quoted
from concordant.differences.edit_groups import EditGroup, edit_groups, is_small
from concordant.differences.edit_values import SumChanges, needed_changes, values_after
from concordant.differences.lazy_list import LazyList, check_limit
from concordant.differences.single_edits import (
    CHANGES,
    KINDS,
    EditKind,
    SingleEdits,
    Values,
    edits_near,
    first_edits,
)
from concordant.engines.live.counts import LiveCounts
from concordant.engines.live.lines import LiveCells
from concordant.engines.live.profile import LiveProfile
from concordant.errors import InputError, ParameterError, TooLargeError
from concordant.results import TextRows, rounded

MOST_ELEMENTS = 2**53  # up to which floats, which rank edits at first, distinguish sizes
_MOST_TRIALS = 20_000  # edits that are tried one by one if the formula is not vectorised
_MORE = 10  # edits beyond those asked for that are tried, as the first ranking is rounded

_ROUNDING = 2.0**-48  # logarithms that cancel leave a quarter as much

Found = tuple[int, int, int, int]  # kind, row, one column, another


@dataclass(frozen=True)
class Suggestion:
    """An edit of the candidate, and the value of the index once it is made."""

    kind: EditKind
    clusters: tuple[Any, ...]  # labels: merged, the larger first; split; or moved from and to
    reference: Any  # label of the reference cluster whose records it is about
    record: Any  # the record to move, where records have names
    records: int  # how many change their cluster
    value: float  # of the index, after the edit
    gain: float  # by how much the index becomes better; nan where it is undefined before the edit
    _edit: Found = field(repr=False)
    _of: Suggestions = field(repr=False, compare=False)

    def apply(self) -> Suggestions:
        """Make the edit; what is returned are the suggestions that follow."""
        return self._of.make(self._edit)

    @property
    def names_records(self) -> bool:
        """Whether the record that a move has to name has a name, as ``arguments`` needs."""
        return self.kind != "move" or self.record is not None

    @property
    def arguments(self) -> dict[str, Any]:
        """The edit as ``what_if`` takes it."""
        if self.kind == "split":
            return {"split": {self.clusters[0]: self.reference}}
        if self.kind == "merge":
            return {"merge": list(self.clusters)}
        if not self.names_records:
            raise InputError(
                "what_if() moves records by name, and these have no names; apply() makes the edit"
            )
        return {"move": {self.record: self.clusters[1]}}

    def words(self, cluster: Callable[[SideName, Any], str], record: Callable[[Any], str]) -> str:
        """The edit in words; ``cluster`` and ``record`` spell labels, clusters with their side."""
        clusters = [cluster("candidate", each) for each in self.clusters]
        about = cluster("reference", self.reference)
        records = counted(self.records, "record")
        if self.kind == "merge":
            return f"merge {clusters[1]} ({records}) into {clusters[0]}"
        if self.kind == "split":
            return f"split {clusters[0]}: take out {records} of {about}"
        moved = "1 record" if self.record is None else f"record {record(self.record)}"
        return f"move {moved} of {about} from {clusters[0]} to {clusters[1]}"

    def __str__(self) -> str:
        edit = self.words(lambda side, label: f"{side} cluster {quoted(label)}", quoted)
        gain = "undefined before" if isnan(self.gain) else f"gain {self.gain:.4g}"
        return f"{edit}: {self._of.shown(self.value)} ({gain})"


class Suggestions(LazyList[Suggestion]):
    """Edits that make an index better, best first; ``apply`` makes one, and gives those that follow."""

    by: str
    value: float
    is_complete: bool

    def __init__(
        self, ranking: EditRanking, limit: int | None, compared: Callable[[Counted], Any], made: int = 0
    ) -> None:
        self._ranking, self._limit, self._compared = ranking, limit, compared
        self.by, self.value = ranking.index.name, ranking.value()  # the index, and its value now
        self.made = made  # how many edits were made before
        best = ranking.best(limit)
        moved = ranking.live.first_members(edit[1:3] for edit, _, _ in best if KINDS[edit[0]] == "move")
        self._found = [self._suggestion(*each, moved) for each in best]
        self.is_complete = ranking.is_complete  # whether all merges and moves were looked at
        self._state = ranking.live.counts.state.edits
        super().__init__(self._found)

    def apply(self, place: int = 0) -> Suggestions:
        """Make one of the edits, the best unless ``place`` is given; returns the edits that follow."""
        if not self._found:
            raise InputError(f"no edit that was considered makes {self.by} better, so there is none to make")
        return self[place].apply()

    def make(self, edit: Found) -> Suggestions:
        """Make this edit, and look for the next; one thread at a time."""
        with self._ranking.live.lock:
            self._check_current()
            self._ranking.make(edit)
            return Suggestions(self._ranking, self._limit, self._compared, self.made + 1)

    def make_all(self, group: EditGroup) -> Suggestions:
        """Make all edits of one of the ``groups``; gives the suggestions that follow."""
        with self._ranking.live.lock:
            self._check_current()
            following = self._ranking.after_all(group)
            return Suggestions(following, self._limit, self._compared, self.made + group.edits)

    @cached_property
    def groups(self) -> list[EditGroup]:
        """Edits that each gain little, taken together by their kind, best first.

        The gain of a group is that of all its edits made together; ``make_all`` makes them.
        """
        with self._ranking.live.lock:
            self._check_current()
            return self._ranking.groups()

    @property
    def named(self) -> list[Suggestion]:
        """The edits that are worth naming one by one: all that gain enough, or the best if none does."""
        index, found = self._ranking.index, self._found
        worth = [each for each in found if not is_small(each.gain, self.value, index)]
        return worth if worth or self._groups_now else found[:1]

    @property
    def _groups_now(self) -> list[EditGroup]:
        """The groups; none in a list that an edit has outdated."""
        return self.groups if self._is_current else []

    @property
    def _is_current(self) -> bool:
        return self._state == self._ranking.live.counts.state.edits

    def _check_current(self) -> None:
        if not self._is_current:
            raise InputError(
                "these suggestions were made before the last edit; take those that apply() gave since"
            )

    def compare(self) -> Any:
        """The comparison after the edits that were made so far."""
        return self._compared(self._ranking.live.counted())

    def _suggestion(
        self, edit: Found, value: float, gain: float, moved: Mapping[tuple[int, int], Any]
    ) -> Suggestion:
        kind, row, one, other = edit
        live, records = self._ranking.live, self._ranking.moved(edit)
        columns = [one] if other < 0 else [one, other]
        labels = tuple(live.cluster(1, column) for column in columns)
        reference = live.cluster(0, row)
        record = moved[row, one] if KINDS[kind] == "move" else None
        return Suggestion(KINDS[kind], labels, reference, record, records, value, gain, edit, self)

    _columns = ("kind", "cluster", "other", "reference", "record", "records", "value", "gain")

    def _row(self, item: Suggestion) -> dict[str, Any]:
        other = item.clusters[1] if len(item.clusters) > 1 else None
        entries = (item.kind, item.clusters[0], other, item.reference, item.record, item.records)
        return dict(zip(self._names(), (*entries, item.value, item.gain), strict=True))

    def _title(self) -> str:
        return f"{self.by} {self.shown(self.value)}"

    def shown(self, value: float) -> str:
        """A value of the index; only the perfect one is shown as perfect."""
        return rounded(value, perfect=self._ranking.index.perfect)

    def __str__(self) -> str:
        named, shown = self.named, 20
        lines = [f"  {each}" for each in named[:shown]]
        lines += [f"  and {len(named) - shown:,} more"] if len(named) > shown else []
        for group in self._groups_now:
            lines.append(f"  {group.words}, together: {self.shown(group.value)} (gain {group.gain:.4g})")
        return "\n".join([self._title(), *(lines or ["  no edit that was considered makes it better"])])

    def _own_tables(self) -> Sequence[TextRows]:
        """For notebooks and papers: the edits worth naming, then the groups."""
        rows = [self._row(each) for each in self.named]
        for group in self._groups_now:
            known = {"kind": f"{group.words}, together", "records": group.records}
            known |= {"value": group.value, "gain": group.gain}
            rows.append(dict.fromkeys(self._names()) | known)
        return [[self._names(), *map(self._texts, rows)]]

    def _texts(self, row: Mapping[str, Any]) -> list[str]:
        texts = super()._texts(row)
        is_group = row["cluster"] is None
        return ["" if is_group and row[name] is None else text for name, text in zip(row, texts, strict=True)]


class EditRanking:
    """All single edits, valued by one index; only those near the last edit are valued again."""

    live: LiveCounts
    index: Index
    is_complete: bool

    def __init__(self, start: Counted, index: Index, kinds: Sequence[EditKind], undefined: Undefined) -> None:
        self.live, self.index = LiveCounts().begin(start), index
        self._outside = outside_clusters(start.names, start.noise, start.counts)
        first = start.counts.view(LiveCells)
        self._kinds, self._undefined = kinds, undefined
        self._sign = 1.0 if index.direction == "similarity" else -1.0
        self._edits, self.is_complete = first_edits(first, kinds, self._outside)
        self._near: SingleEdits | None = None  # edits of clusters that were changed since
        self._changed = np.zeros(first.rows_columns[1].clusters, dtype=bool)
        self._needed = needed_changes(index)
        self._group()

    def _group(self) -> None:
        """Number the edits; those with the same changes share a number."""
        changes = self._edits.changes
        code = np.zeros(len(self._edits), dtype=np.int64)
        for name in self._needed or CHANGES:
            each = core.factorize((changes[name] + 0.0).view(np.int64))[0]  # turns -0.0 into 0.0
            code = core.factorize(code * (int(each.max(initial=0)) + 1) + each)[0]
        self._order, self._start = core.grouped(code)
        first = self._order[self._start[:-1]]
        self._alike = {name: each[first] for name, each in changes.items()}

    def value(self) -> float:
        """The value of the index as things are."""
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
        """Edits that are worth trying, by their value to about 12 digits; all where it is not known."""
        groups: list[tuple[SumChanges, Callable[[int], Iterable[Found]]]] = [(self._alike, self._members)]
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

    def _members(self, number: int) -> Iterator[Found]:
        """The edits of this number whose clusters are still as they were."""
        for place in self._order[self._start[number] : self._start[number + 1]].tolist():
            one, other = int(self._edits.one[place]), int(self._edits.other[place])
            if not (self._changed[one] or (other >= 0 and self._changed[other])):
                yield _found(self._edits, place)

    def _all(self) -> Iterator[Found]:
        near = 0 if self._near is None else len(self._near)
        if len(self._edits) + near > _MOST_TRIALS:
            raise TooLargeError(
                f"{self.index.name} would have to be tried for each of {len(self._edits) + near:,} edits; "
                "rank by a pair-counting index, an index of entropies or bcubed_f"
            )
        for number in range(len(self._start) - 1):
            yield from self._members(number)
        for place in range(near):
            yield _found(self._near, place)

    # -- trying and making ----------------------------------------------------------------------

    def _try(self, edit: Found) -> float:
        """The value after an edit, which is taken back; nan where it is undefined."""
        cells = self.live.counts.state
        steps, edits = self._steps(edit), cells.edits
        for row, column, more in steps:
            cells.change(row, column, more)
        undefined = "nan" if self._undefined == "raise" else self._undefined
        value = self.index.value(LiveProfile(cells), undefined)
        for row, column, more in reversed(steps):
            cells.change(row, column, -more)
        cells.edits = edits  # all is as it was, so what was read before still holds
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
        """Make an edit for good, and look again at what it touched."""
        kind, row, one, other = edit
        cells = self.live.counts.state
        rows, columns = cells.rows_columns
        new = columns.next_number
        near = {row} | (set(columns.seen(one)) & set(columns.seen(other)) if other >= 0 else set())
        lengths = {each: rows.length(each) for each in near | set(columns.seen(one))}
        if KINDS[kind] == "merge":
            self.live.merge_numbers(1, [one, other])
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
        """Small edits by their kind, as things are."""
        cells, value = self.live.counts.state.arrays(), self.value()
        kinds, undefined = self._kinds, self._undefined
        return edit_groups(cells, self._outside, self.index, kinds, undefined=undefined, now=value)

    def after_all(self, group: EditGroup) -> EditRanking:
        """Make all edits of a group for good, and rank those that follow."""
        merged: dict[int, list[int]] = {}
        for row, column, goal, records in group.steps.tolist():
            if group.kind == "merge":
                merged.setdefault(goal, [goal]).append(column)
            elif group.kind == "split":
                self.live.split_cell((row, column))
            else:
                self.live.shift((row, column), (row, goal), records)
        for columns in merged.values():
            self.live.merge_numbers(1, columns)
        return EditRanking(self.live.counted(), self.index, self._kinds, self._undefined)

    def _look_again(self, touched: set[int], new: int) -> None:
        known = [column for column in touched if column < len(self._changed)]
        self._changed[known] = True
        columns = self.live.counts.state.rows_columns[1]
        there = {column for column in touched if columns.size(column)}
        parts = [
            edits_near(self.live.counts.state, there, self._kinds, self._outside, complete=self.is_complete)
        ]
        if self._near is not None:
            gone = np.array(sorted(touched | {new}), dtype=np.int64)
            stays = ~(np.isin(self._near.one, gone) | np.isin(self._near.other, gone))
            parts.insert(0, self._near.chosen(stays))
        self._near = SingleEdits.joined(parts)


def _found(edits: SingleEdits | None, place: int) -> Found:
    assert edits is not None  # a place is a place among some
    return int(edits.kind[place]), int(edits.row[place]), int(edits.one[place]), int(edits.other[place])


def suggestions_of(
    start: Counted,
    index: str,
    kinds: Iterable[str],
    limit: int | None,
    *,
    compared: Callable[[Counted], Any],
    undefined: Undefined,
) -> Suggestions:
    """The single edits of these kinds that make the index better, best first.

    ``compared`` makes a comparison of the counts after edits.
    """
    declared = INDICES[index]
    if declared.direction == "statistic":
        raise ParameterError(
            f"{declared.name} has no direction: neither higher nor lower is better; rank edits by an index "
            "with a perfect value, such as bcubed_f"
        )
    if start.counts.size > MOST_ELEMENTS:
        raise TooLargeError(
            "there are more than 2**53 elements, too many to rank edits",
            calls="what_if() values an edit at any size",
        )
    named = [kinds] if isinstance(kinds, str) else list(kinds)
    if not named or not set(named) <= set(KINDS):
        raise ParameterError("use some of 'merge', 'split' and 'move'", given={"kinds": kinds})
    chosen = [kind for kind in KINDS if kind in named]
    return Suggestions(EditRanking(start, declared, chosen, undefined), check_limit(limit), compared)
