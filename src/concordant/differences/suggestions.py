"""Which single edit of the candidate helps most, and what next once it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf, isfinite, isnan
from types import SimpleNamespace
from typing import Any

import numpy as np

from concordant import core
from concordant.catalogue.index import INDICES, Index
from concordant.counts.conventions import Undefined
from concordant.counts.counted import Counted
from concordant.counts.elements import Elements
from concordant.counts.information import Information
from concordant.counts.pairs import Pairs
from concordant.counts.sides import SideName
from concordant.counts.spelling import counted, quoted
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
from concordant.results import rounded

MOST_ELEMENTS = 2**53  # up to which floats, by which edits are ranked at first, tell sizes apart
_MOST_TRIALS = 20_000  # edits that are tried one by one, where the formula does not take many at once
_MOST_GROUPS = 200_000  # different changes whose values are computed one by one
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
    _records: tuple[Any, ...] = field(repr=False)  # those that what_if names
    _edit: Found = field(repr=False)
    _of: Suggestions = field(repr=False, compare=False)

    def apply(self) -> Suggestions:
        """Make the edit; what is returned are the suggestions that follow."""
        return self._of.make(self._edit)

    @property
    def names_records(self) -> bool:
        """Whether the records that the edit has to name have names, as ``arguments`` needs."""
        return None not in self._records

    @property
    def arguments(self) -> dict[str, Any]:
        """The edit as ``what_if`` takes it: records in no cluster, such as noise, go by their names."""
        if self.kind == "split" and self.reference is not None:
            return {"split": {self.clusters[0]: self.reference}}
        if self.kind == "merge" and None not in self.clusters:
            return {"merge": list(self.clusters)}
        if not self.names_records:
            raise InputError(
                "what_if() moves records by name, and these have no names; apply() makes the edit"
            )
        if self.kind == "split" or len(self._records) == 2:
            return {"split": [list(self._records)]}
        into = self.clusters[-1] if self.clusters[0] is None or self.kind == "move" else self.clusters[0]
        return {"move": {self._records[0]: into}}

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
        self._found = [self._suggestion(*each) for each in ranking.best(limit)]
        self.is_complete = ranking.is_complete  # whether all merges and moves were looked at
        self._state = ranking.live.counts.state.edits
        super().__init__(self._found)

    def apply(self, place: int = 0) -> Suggestions:
        """Make one of the edits, the best unless ``place`` says otherwise; gives those that follow."""
        if not self._found:
            raise InputError(f"no edit that was considered makes {self.by} better, so there is none to make")
        return self[place].apply()

    def make(self, edit: Found) -> Suggestions:
        """Make this edit, and look for the next; one thread at a time."""
        with self._ranking.live.lock:
            if self._state != self._ranking.live.counts.state.edits:
                raise InputError(
                    "these suggestions were made before the last edit; take those that apply() gave since"
                )
            self._ranking.make(edit)
            return Suggestions(self._ranking, self._limit, self._compared, self.made + 1)

    def compare(self) -> Any:
        """The comparison after the edits that were made so far."""
        return self._compared(self._ranking.live.counted())

    def _suggestion(self, edit: Found, value: float, gain: float) -> Suggestion:
        kind, row, one, other = edit
        live, records = self._ranking.live, self._ranking.moved(edit)
        columns = [one] if other < 0 else [one, other]
        labels = tuple(live.cluster(1, column) for column in columns)
        reference = live.cluster(0, row)
        # A move names its record, and so does each edit of a record that is in no cluster of a side.
        named = (
            [(row, one)] if KINDS[kind] == "move" or (KINDS[kind] == "split" and reference is None) else []
        )
        unclustered = columns[1:] if KINDS[kind] == "move" else columns if KINDS[kind] == "merge" else []
        seen = live.counts.state.rows_columns[1].seen
        named += [(next(iter(seen(each))), each) for each in unclustered if live.cluster(1, each) is None]
        names = tuple(next(live.members(place), None) for place in named)
        record = names[0] if KINDS[kind] == "move" else None
        return Suggestion(KINDS[kind], labels, reference, record, records, value, gain, names, edit, self)

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
        edits = [f"  {each}" for each in self[:20]] or ["  no edit that was considered makes it better"]
        more = [f"  and {len(self) - 20:,} more"] if len(self) > 20 else []
        return "\n".join([self._title(), *edits, *more])


class EditRanking:
    """All single edits, valued by one index; only those near the last edit are looked at anew."""

    live: LiveCounts
    index: Index
    is_complete: bool

    def __init__(self, start: Counted, index: Index, kinds: Sequence[EditKind], undefined: Undefined) -> None:
        self.live, self.index = LiveCounts().begin(start), index
        first = start.counts.view(LiveCells)
        self._kinds, self._undefined = kinds, undefined
        self._sign = 1.0 if index.direction == "similarity" else -1.0
        self._edits, self.is_complete = first_edits(first, kinds)
        self._near: SingleEdits | None = None  # edits of clusters that were changed since
        self._changed = np.zeros(first.rows_columns[1].clusters, dtype=bool)
        self._needed = needed_changes(index)
        self._group()

    def _group(self) -> None:
        """Number the edits so that those with the same changes share a number."""
        changes = self._edits.changes
        code = np.zeros(len(self._edits), dtype=np.int64)
        for name in self._needed or CHANGES:
            each = core.factorize((changes[name] + 0.0).view(np.int64))[0]  # so that -0.0 is 0.0
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

    def _look_again(self, touched: set[int], new: int) -> None:
        known = [column for column in touched if column < len(self._changed)]
        self._changed[known] = True
        columns = self.live.counts.state.rows_columns[1]
        there = {column for column in touched if columns.size(column)}
        parts = [edits_near(self.live.counts.state, there, self._kinds, self.is_complete)]
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
            f"{declared.name} says neither that higher is better nor that lower is; rank edits by an index "
            "with a perfect value, such as bcubed_f"
        )
    if start.counts.size > MOST_ELEMENTS:
        raise TooLargeError(
            "there are more than 2**53 elements, too many to rank edits; what_if() values an edit at any size"
        )
    named = [kinds] if isinstance(kinds, str) else list(kinds)
    if not named or not set(named) <= set(KINDS):
        raise ParameterError(f"kinds={kinds!r}: use some of 'merge', 'split' and 'move'")
    chosen = [kind for kind in KINDS if kind in named]
    return Suggestions(EditRanking(start, declared, chosen, undefined), check_limit(limit), compared)


SumChanges = dict[str, Values]


def needed_changes(index: Index) -> tuple[str, ...]:
    """What an edit has to change for the index to change; empty where its formula is not read from sums."""
    if not all(view in _NEEDED for view in index.views):
        return ()
    return tuple(dict.fromkeys(name for view in index.views for name in _NEEDED[view]))


def values_after(
    index: Index, profile: LiveProfile, changes: SumChanges, undefined: Undefined
) -> Values | None:
    """The value after each edit, to about 12 digits; None where the formula does not take columns.

    The rules are those of ``Index.value``: identical partitions are perfect, and a convention replaces 0/0.
    """
    is_official = undefined == "conll" and index.conll is not None
    formula = index.conll if is_official else index.compute
    try:
        with np.errstate(all="ignore"):
            values = _formula_values(formula, index, profile, changes)
    except (TypeError, ValueError, AttributeError):
        return None  # a sum that no edit tells, or too many values
    convention = 0.0 if is_official else None if undefined in ("nan", "raise") else index.undefined
    values = np.where(np.isfinite(values), values, np.nan if convention is None else convention)
    if index.perfect is None or is_official:
        return values
    rows, columns = profile.state.rows_columns
    nn, bb = float(rows.squared - profile.state.squared), float(rows.squared - columns.squared)
    identical = np.isclose(changes["nn"], nn, 1e-12, 0) & np.isclose(changes["bb"], bb, 1e-12, 0)
    return np.where(identical, float(index.perfect), values)


def _formula_values(
    formula: Callable[..., Any], index: Index, profile: LiveProfile, changes: SumChanges
) -> Values:
    """The bare formula for each edit; nan or infinite where it divides by zero."""

    def computed(changes: Mapping[str, Any]) -> Any:
        return formula(*(_VIEWS[view](profile, changes) for view in index.views), **index.arguments)

    count = len(changes["nn"])
    try:
        values = np.asarray(computed(changes), dtype=np.float64)
        if values.shape == (count,) and count > 1:  # one value alone, NumPy would take for a number
            return values
    except (TypeError, ValueError, ZeroDivisionError):
        pass  # a branch, a minimum, a root of a fraction, or 0/0 of Python's numbers: one by one
    if count > _MOST_GROUPS:
        raise ValueError("too many to compute one by one")
    values = np.full(count, np.nan)
    for place in range(count):
        with suppress(ZeroDivisionError):
            values[place] = computed({name: each[place] for name, each in changes.items()})
    return values


def _pairs(profile: LiveProfile, changes: Mapping[str, Any]) -> Any:
    now, together = profile.view(Pairs), changes["nn"] / 2
    apart = (changes["bb"] - changes["nn"]) / 2
    number: Any = int if isinstance(together, float) else np.asarray  # of one edit, as formulas expect them
    counts = now.n11 + together, now.n10 - together, now.n01 + apart, now.n00 - apart
    pairs: Any = Pairs
    return pairs(*map(number, counts), now.size)


def _elements(profile: LiveProfile, changes: Mapping[str, Any]) -> Any:
    now, state = profile.view(Elements), profile.state
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


def _information(profile: LiveProfile, changes: Mapping[str, Any]) -> Any:
    now, size = profile.view(Information), profile.size
    is_trivial = profile.columns + changes["columns"] == 1  # where rounding could leave an entropy
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
    )


_NEEDED: dict[type, tuple[str, ...]] = {
    Pairs: ("nn", "bb"),
    Elements: ("over_a", "over_b", "cells", "columns", "kept"),
    Information: ("logs", "logs_b"),
}
_VIEWS: dict[type, Callable[[LiveProfile, Mapping[str, Any]], Any]] = {
    Pairs: _pairs,
    Elements: _elements,
    Information: _information,
}
