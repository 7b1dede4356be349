"""Labelled segments of time, as triples or rows of a dataframe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from concordant.clusterings.labels import is_missing
from concordant.counts.weighted_counts import weight_text
from concordant.errors import InputError, LabelError, OverlapError, ParameterError, kind_of

Segment = tuple[Fraction, Fraction, Any]  # start, end and label


def segments_in_order(segments: Any, columns: tuple[str, str, str]) -> tuple[Segment, ...]:
    """Segments sorted by time. Overlapping segments with one label are joined."""
    found: list[Segment] = []
    for place, row in enumerate(_rows(segments, columns)):
        if isinstance(row, str | bytes) or not isinstance(row, Sequence | np.ndarray) or len(row) != 3:
            raise LabelError(f"segment {place} is {row!r}; give (start, end, label)")
        start, end = (_exact_time(value, place) for value in row[:2])
        if start >= end:
            raise LabelError(
                f"segment {place} starts at {row[0]!r} and ends at {row[1]!r}; a segment ends after it starts"
            )
        label = row[2].item() if isinstance(row[2], np.generic) else row[2]
        if is_missing(label):
            raise LabelError(
                f"segment {place} has no label; leave it out, and name such time with gaps='silence'"
            )
        found.append((start, end, label))
    try:
        _ = {label for *_, label in found}
    except TypeError as error:
        raise LabelError(f"a label of a segment is a single value: {error}") from error
    found.sort(key=lambda segment: segment[:2])
    joined: list[Segment] = []  # those that overlap with the same label are one
    for segment in found:
        if joined and segment[0] < joined[-1][1]:
            start, end, label = joined[-1]
            if segment[2] != label:
                between = f"from {weight_text(segment[0])} to {weight_text(min(end, segment[1]))}"
                raise OverlapError(
                    f"segments of {label!r} and {segment[2]!r} overlap {between}; at each time a partition "
                    "has one label: cut both there, and give the overlap a label of its own"
                )
            joined[-1] = (start, max(end, segment[1]), label)
        else:
            joined.append(segment)
    return tuple(joined)


def _rows(segments: Any, columns: tuple[str, str, str]) -> Iterable[Any]:
    if not isinstance(segments, list | tuple | str | bytes):
        from narwhals.stable import v2 as narwhals  # rarely needed

        frame: Any = narwhals.from_native(segments, pass_through=True)
        if frame is segments:
            return _triples(segments)
        frame = frame.collect() if isinstance(frame, narwhals.LazyFrame) else frame
        missing = [name for name in columns if name not in frame.columns]
        if missing:
            raise ParameterError(
                f"there is no column {missing[0]!r}; there are {', '.join(map(repr, frame.columns))}: name "
                "the columns with start=, end= and cluster="
            )
        return frame.select(columns).rows()  # type: ignore[no-any-return]
    return _triples(segments)


def _triples(segments: Any) -> Iterable[Any]:
    if isinstance(segments, str | bytes) or not isinstance(segments, Iterable):
        raise InputError(
            f"give segments as triples (start, end, label) or a dataframe, not {kind_of(segments)}"
        )
    return segments


def _exact_time(value: Any, place: int) -> Fraction:
    """A time as it is written: 0.1 is a tenth."""
    number = value.item() if isinstance(value, np.generic) else value
    if isinstance(number, bool) or not isinstance(number, int | float | Fraction | Decimal):
        raise LabelError(
            f"segment {place}: {value!r} is {kind_of(value)}; give times as numbers, such as seconds"
        )
    if not isinstance(number, int | Fraction) and not isfinite(number):
        raise LabelError(f"segment {place}: {value!r} is not a time")
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
