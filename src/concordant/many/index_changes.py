"""Indices before and after a change, against one reference, with the intervals of their differences."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from math import isfinite, nan
from typing import Any

from concordant.counts.spelling import printable
from concordant.differences.lazy_list import LazyList, field_names
from concordant.errors import ParameterError, UndefinedError
from concordant.indices.index import INDICES, Index
from concordant.indices.values import named_indices
from concordant.many.three_sides import ThreeSides
from concordant.report import format_value
from concordant.results import DotPlot, Field, Listing, interval_fields
from concordant.text_layout import shortened
from concordant.trust.difference import Difference, outcome_of, signed
from concordant.trust.options import SampleOptions
from concordant.trust.paired import PairedCounts
from concordant.trust.versus import versus


@dataclass(frozen=True, slots=True)
class IndexChange:
    """One index before and after.

    Attributes
    ----------
    index : str
        Name of the index.
    before, after : float
        The two values.
    difference : float
        after − before.
    low, high : float or None
        Interval of the difference; None without one.
    outcome : str
        "better", "worse", "same" or, for a sample, "unclear". Empty for an index without a direction.
    note : str
        Remarks on the interval.
    """

    index: str
    before: float
    after: float
    difference: float
    low: float | None
    high: float | None
    outcome: str
    note: str = ""


class IndexChanges(LazyList[IndexChange]):
    """Indices before and after. `Diff.indices` returns them."""

    _columns = field_names(IndexChange)
    _names_of_runs: Sequence[str]
    _sample: SampleOptions | None

    def __init__(
        self, changes: Sequence[IndexChange], names: Sequence[str], sample: SampleOptions | None
    ) -> None:
        super().__init__(changes)
        self._names_of_runs, self._sample = names, sample

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        before, after = map(shortened, map(printable, self._names_of_runs))
        fields = [
            Field("index", ""),
            *(Field(*each, format_value) for each in (("before", before), ("after", after))),
            Field("difference", text=_signed_value),
            *interval_fields(0.95 if self._sample is None else self._sample.confidence, signed),
            *("outcome", "note"),
        ]
        interval = "" if self._sample is None else self._sample.title
        words = "To the right of the line at 0, the value is larger than before."
        title = f"Indices of {before} and {after}"
        dots = DotPlot("indices", title, "difference", interval, words, mark=0.0)
        return [Listing([_row(each) for each in self[:limit]], fields, total=self.total, dots=dots)]


def _signed_value(difference: float) -> str:
    text = format_value(difference)
    return f"+{text}" if difference > 0 else text


def _row(change: IndexChange) -> dict[str, Any]:
    """A row of a table: the interval, or why there is none.

    An index that is adjusted for chance has another difference in the population. If its interval does not
    contain the difference of these records, the two would look like a contradiction.
    """
    row = asdict(change) | {"note": ""}
    if change.low is None or change.high is None:
        return row | {"note": change.note.partition(":")[0]}
    return row if change.low <= change.difference <= change.high else row | {"low": None, "high": None}


class IndexDifferences:
    """The indices of two candidates against one reference; each difference is tested once, on first use."""

    def __init__(self, sides: ThreeSides, sample: SampleOptions | None) -> None:
        """``sample`` is how the records were drawn, if they are a sample."""
        self.before, self.after = sides.to_reference
        self.sample = sample
        self._sides = sides
        self._tested: dict[Index, Difference] = {}

    def changes(self, indices: str | Sequence[str] | None, names: Sequence[str]) -> IndexChanges:
        """These indices, or the most common, before and after; ``names`` are those of both."""
        chosen = self._usual if indices is None else [INDICES[name] for name in named_indices(indices)]
        listed = [self._change(index, asked=indices is not None) for index in chosen]
        return IndexChanges(listed, names, self.sample)

    def _change(self, index: Index, *, asked: bool) -> IndexChange:
        before, after = self.before._value(index), self.after._value(index)
        difference = after - before if isfinite(before) and isfinite(after) else nan
        values = index.name, before, after, difference
        if self.sample is None:
            return IndexChange(*values, None, None, outcome_of(index, difference, is_clear=True))
        found = self._test(index, asked=asked)
        if found is None:
            return IndexChange(*values, None, None, "", "no valid interval")
        low, high = (found.low, found.high) if found.has_interval else (None, None)
        return IndexChange(*values, low, high, found.outcome, found.note)

    def _test(self, index: Index, *, asked: bool) -> Difference | None:
        """The difference with its interval; None if undefined, or if it has none and is not ``asked`` for."""
        if self.sample is None or self._sides.cells.size < 2:
            return None
        if index not in self._tested:
            undefined = self.after._when_undefined
            with suppress(UndefinedError, *(() if asked else (ParameterError,))):
                self._tested[index] = versus(self._paired, index, self.sample, undefined)
        return self._tested.get(index)

    def difference(self, index: str, **options: Any) -> Difference:
        """The test of one index, with options of ``Comparison.versus``."""
        if self.sample is not None:
            options = {"unit": self.sample.unit, "confidence": self.sample.confidence, **options}
        if self._sides.in_memory:
            return self.after.versus(self.before, index, **options)
        return versus(self._paired, INDICES[index], SampleOptions(**options))

    @cached_property
    def _paired(self) -> PairedCounts:
        """The second candidate and the first, and the units that were drawn."""
        if not self._sides.in_memory:
            cells, pieces = self._sides.cells, self._sides.pieces
            own = None if pieces is None else pieces.in_table(cells.swap_order)
            return PairedCounts(cells.swapped(), pieces=own)
        sample = self.sample or SampleOptions()
        paired = PairedCounts.of(self.after._counted, self.before._counted, sample.unit)
        if sample.is_by_record:
            return paired
        return PairedCounts(paired.cells, pieces=paired.pieces(sample.unit))

    @cached_property
    def _usual(self) -> list[Index]:
        """The most common indices that both comparisons have."""
        shown = [index for index in INDICES.headline if index.is_shown_for(self.before._counts)]
        return self.before._available_of(shown)
