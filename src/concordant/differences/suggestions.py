"""The single edits of the candidate that help most, and those that follow once an edit is made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan
from typing import Any

from concordant.counts.counted_sides import CountedSides
from concordant.differences.edit_ranking import (
    KINDS,
    MOST_ELEMENTS,
    EditGroup,
    EditKind,
    EditRanking,
    Found,
    is_small,
)
from concordant.differences.lazy_list import LazyList, check_limit
from concordant.errors import InputError, ParameterError, TooLargeError
from concordant.foundation.conventions import SideName, Undefined, check_type
from concordant.foundation.results import Listing, ReadOnlyDict, Result, rounded
from concordant.foundation.spelling import counted, number_text, quoted
from concordant.indices.index import INDICES


@dataclass(frozen=True)
class Suggestion:
    """An edit of the candidate, and the value of the index after it.

    Attributes
    ----------
    kind : {"merge", "split", "move"}
        The kind.
    cluster : object
        Label of the cluster that is split, that others are merged into, or that a record leaves.
    other : object
        Label of the cluster that is merged into it, or of the cluster after a move. None for a split.
    reference : object
        Label of the reference cluster of its records.
    record : object
        The record to move, if records have names.
    size : float
        Number of records that change their cluster, or their weight.
    value : float
        Value of the index after the edit.
    gain : float
        Improvement of the index. NaN if the index is undefined before the edit.
    """

    kind: EditKind
    cluster: Any
    other: Any
    reference: Any
    record: Any
    size: float
    value: float
    gain: float
    _edit: Found = field(repr=False)
    _of: Suggestions = field(repr=False, compare=False)
    _keeps: bool = False  # whether the records of the reference cluster stay, as they are most of the cluster

    def apply(self) -> Suggestions:
        """Make this edit.

        Returns
        -------
        Suggestions
            The suggestions that follow.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aab"), [7, 8, 8]).suggest("rand")[0].apply().compare().rand
        1.0
        """
        return self._of._edited(self._edit)

    @property
    def names_records(self) -> bool:
        """Whether a move can name its record, as ``arguments`` requires."""
        return self.kind != "move" or self.record is not None

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The edit as arguments of `what_if`."""
        if self.kind == "split":
            return ReadOnlyDict(split=ReadOnlyDict({self.cluster: self.reference}))
        if self.kind == "merge":
            return ReadOnlyDict(merge=(self.cluster, self.other))
        if not self.names_records:
            raise InputError(
                "what_if() moves records by name, and these have no names; apply() makes the edit"
            )
        return ReadOnlyDict(move=ReadOnlyDict({self.record: self.other}))

    def _words(
        self, cluster: Callable[[SideName, Any], str], record: Callable[[Any], str], noun: str = "record"
    ) -> str:
        """The edit in words; ``cluster`` and ``record`` spell labels, clusters with their side."""
        own, other = cluster("candidate", self.cluster), cluster("candidate", self.other)
        about = cluster("reference", self.reference)
        records = f"records of weight {number_text(self.size)}"
        if self._of._ranking.weighted is None:
            records = counted(int(self.size), noun)
        if self.kind == "merge":
            return f"merge {other} ({records}) into {own}"
        if self.kind == "split":
            others = f"the {records} not of" if self._keeps else f"{records} of"
            return f"split {own}: take out {others} {about}"
        moved = f"1 {noun}" if self.record is None else f"{noun} {record(self.record)}"
        return f"move {moved} of {about} from {own} to {other}"

    def __str__(self) -> str:
        edit = self._words(lambda side, label: f"{side} cluster {quoted(label)}", quoted)
        gain = "undefined before" if isnan(self.gain) else f"gain {self.gain:.4g}"
        return f"{edit}: {self._of._shown(self.value)} ({gain})"


class Suggestions(LazyList[Suggestion]):
    """Edits that improve an index, the best first. `Comparison.suggest` returns it.

    Attributes
    ----------
    objective : str
        Name of the index.
    value : float
        Its value before the edits.
    is_complete : bool
        Whether every edit was tried. Otherwise, those that promise most were.
    """

    objective: str
    value: float
    is_complete: bool
    made: int  # how many edits were made before

    def __init__(
        self,
        ranking: EditRanking,
        limit: int | None,
        compared: Callable[[CountedSides], Any],
        origin: Result | None,
        made: int = 0,
    ) -> None:
        self._ranking, self._limit, self._compared = ranking, limit, compared
        vars(self).update(
            objective=ranking.index.name,
            value=ranking.value(),
            made=made,
        )
        best = ranking.best(limit)
        vars(self).update(is_complete=ranking.is_complete)
        moved = ranking.first_members([edit[1:3] for edit, _, _ in best if KINDS[edit[0]] == "move"])
        self._found = [self._suggestion(*each, moved) for each in best]
        self._state = ranking.live.counts.state.edits
        super().__init__(self._found, origin=origin)

    def apply(self, *, place: int = 0) -> Suggestions:
        """Make one of the edits.

        Parameters
        ----------
        place : int, default=0
            The position of the edit. By default, the best.

        Returns
        -------
        Suggestions
            The suggestions that follow.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aab"), [7, 8, 8]).suggest("rand").apply().compare().rand
        1.0
        """
        if not self._found:
            raise InputError(
                f"no edit that was considered makes {self.objective} better, so there is nothing to apply"
            )
        check_type("place", place, int, "the number of an edit in this list, from 0")
        return self[place].apply()

    def _edited(self, edit: Found) -> Suggestions:
        """Make this edit, and look for the next; one thread at a time."""
        with self._ranking.lock:
            self._check_current()
            following = self._ranking.after(edit)
            return Suggestions(following, self._limit, self._compared, self._origin, self.made + 1)

    def make_all(self, group: EditGroup) -> Suggestions:
        """Make all edits of one of the `groups`.

        Parameters
        ----------
        group : EditGroup
            The group.

        Returns
        -------
        Suggestions
            The suggestions that follow.

        Examples
        --------
        >>> import concordant as cc
        >>> edits = cc.compare([i // 2 for i in range(800)], [(i + 1) // 2 for i in \
range(800)]).suggest("rand")
        >>> before, group = edits.compare().rand, edits.groups[0]
        >>> edits.make_all(group).compare().rand > before
        True
        """
        with self._ranking.lock:
            self._check_current()
            following = self._ranking.after_all(group)
            made = self.made + group.n_edits
            return Suggestions(following, self._limit, self._compared, self._origin, made)

    @cached_property
    def groups(self) -> tuple[EditGroup, ...]:
        """Edits that each gain little, grouped by kind, the best first.

        The gain of a group is the gain of all its edits together; ``make_all`` makes them.
        """
        with self._ranking.lock:
            self._check_current()
            return tuple(self._ranking.groups())

    @property
    def named(self) -> tuple[Suggestion, ...]:
        """The edits that are worth naming one by one: all that gain enough, or the best if none does."""
        index, found = self._ranking.index, self._found
        worth = tuple(each for each in found if not is_small(each.gain, self.value, index))
        return worth if worth or self._groups_now else tuple(found[:1])

    @property
    def _groups_now(self) -> tuple[EditGroup, ...]:
        """The groups; none in a list that an edit has outdated."""
        return self.groups if self._is_current else ()

    @property
    def _is_current(self) -> bool:
        return self._state == self._ranking.live.counts.state.edits

    def _check_current(self) -> None:
        if not self._is_current:
            raise InputError(
                "these suggestions were made before the last edit; use those that the last apply() returned"
            )

    def compare(self) -> Any:
        """Compare after the edits that were made so far.

        Returns
        -------
        Comparison
            The comparison.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aab"), [7, 8, 8]).suggest("rand").compare().rand
        0.3333333333333333
        """
        return self._compared(self._ranking.counted())

    def _suggestion(
        self, edit: Found, value: float, gain: float, moved: Mapping[tuple[int, int], Any]
    ) -> Suggestion:
        kind, row, one, other = edit
        ranking, moving = self._ranking, self._ranking.moved(edit)
        live, size = ranking.live, ranking.amount(moving)
        clusters = live.cluster(1, one), None if other < 0 else live.cluster(1, other)
        reference = live.cluster(0, row)
        record = moved[row, one] if KINDS[kind] == "move" else None
        keeps = KINDS[kind] == "split" and moving < ranking.cells.cell(row, one)
        return Suggestion(KINDS[kind], *clusters, reference, record, size, value, gain, edit, self, keeps)

    _columns = ("kind", "cluster", "other", "reference", "record", "size", "value", "gain")

    def _title(self) -> str:
        return f"{self.objective} {self._shown(self.value)}"

    def _shown(self, value: float) -> str:
        """A value of the index as text; only the perfect value is shown as perfect."""
        return rounded(value, perfect=self._ranking.index.perfect)

    def _whole_text(self) -> str:
        named, shown = self.named, 20
        lines = [f"  {each}" for each in named[:shown]]
        lines += [f"  and {len(named) - shown:,} more"] if len(named) > shown else []
        for group in self._groups_now:
            lines.append(f"  {group.words}, together: {self._shown(group.value)} (gain {group.gain:.4g})")
        return "\n".join([self._title(), *(lines or ["  no edit that was considered makes it better"])])

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        """For notebooks and papers: the edits worth naming, then the groups."""
        rows = [self._row(each) for each in self.named]
        for group in self._groups_now:
            known = {"kind": f"{group.words}, together", "size": group.size}
            rows.append(known | {"value": group.value, "gain": group.gain})
        ((listing),) = super()._listings(0)
        return [replace(listing, rows=rows[:limit], total=len(rows))]


def suggestions_of(
    start: CountedSides,
    index: str,
    kinds: Iterable[str],
    limit: int | None,
    *,
    compared: Callable[[CountedSides], Any],
    undefined: Undefined,
    origin: Result | None = None,
) -> Suggestions:
    """The single edits of these kinds that make the index better, best first.

    ``compared`` makes a comparison of the counts after edits; ``origin`` is the one before them.
    """
    declared = INDICES[index]
    if declared.direction == "statistic":
        raise ParameterError(
            f"{declared.name} has no direction: neither higher nor lower is better; rank edits by an index "
            "with a perfect value, such as bcubed_f"
        )
    if start.counts.by_weight.size > MOST_ELEMENTS:
        raise TooLargeError(
            "sizes of more than 120 digits are too large to rank edits",
            calls="what_if() computes the effect of an edit at any size",
        )
    named = [kinds] if isinstance(kinds, str) else list(kinds) if isinstance(kinds, Collection) else []
    if not named or not set(named) <= set(KINDS):
        raise ParameterError("use one or more of 'merge', 'split' and 'move'", given={"kinds": kinds})
    chosen = [kind for kind in KINDS if kind in named]
    ranking = EditRanking(start, declared, chosen, undefined)
    return Suggestions(ranking, check_limit(limit), compared, origin)
