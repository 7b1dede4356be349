"""Indices before and after a change, against one reference, with the intervals of their differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from concordant.differences.lazy_list import LazyList, field_names
from concordant.foundation.results import DotPlot, Field, Listing, interval_fields
from concordant.foundation.spelling import printable
from concordant.foundation.text_layout import shortened
from concordant.inference.difference import signed
from concordant.inference.options import SampleOptions
from concordant.report import format_value


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
