"""Labelled segments of time: cut at the boundaries of both, two segmentations have the same pieces."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import Any, ClassVar

import numpy as np

from concordant.counts.spelling import counted
from concordant.counts.weighted_counts import weight_text
from concordant.errors import InputError, LabelError, OverlapError, ParameterError, kind_of
from concordant.partitions.labels import is_missing
from concordant.partitions.partition import LabelPartition, Partition

Segment = tuple[Fraction, Fraction, Any]  # start, end and label


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SegmentPartition(Partition):
    """Segments of time in order. Segments with different labels do not overlap."""

    way_to_memory: ClassVar[str] = "segments are compared two at a time, as in compare(truth, run)"

    segments: tuple[Segment, ...]
    gaps: Any = None  # the label of time without a segment, if it has one

    def in_memory(self, what: str, user: str) -> LabelPartition:
        raise InputError(f"{what}: {self!r} has durations, which {user} does not use; {self.way_to_memory}")

    def __len__(self) -> int:
        return len(self.segments)

    def __repr__(self) -> str:
        labels = {label for *_, label in self.segments}
        lasting = weight_text(sum((end - start for start, end, _ in self.segments), Fraction(0)))
        sizes = f"{counted(len(self), 'segment')}, {counted(len(labels), 'cluster')}"
        return f"SegmentPartition({sizes}, {lasting} in all)"


def segment_partition(segments: Any, columns: tuple[str, str, str], gaps: Any) -> SegmentPartition:
    """Triples, or rows of a dataframe, as segments in order."""
    if gaps is not None and (is_missing(gaps) or not hasattr(gaps, "__hash__") or gaps.__hash__ is None):
        raise ParameterError(
            "give the label of time without a segment, such as 'silence'", given={"gaps": gaps}
        )
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
    return SegmentPartition(tuple(joined), gaps)


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
                "the columns with start=, end= and label="
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


@dataclass(frozen=True, slots=True)
class TimePieces:
    """The pieces of two segmentations: the label of each piece on both sides, and its duration."""

    reference: dict[Hashable, Any]
    candidate: dict[Hashable, Any]
    durations: dict[Hashable, Fraction]


def pieces_of(reference: SegmentPartition, candidate: SegmentPartition) -> TimePieces:
    """The pieces of time in which a side has a label, named by their start and end.

    >>> from concordant import Partition
    >>> one, other = (Partition.from_segments(each) for each in ([(0, 3, "a")], [(0, 1, "x"), (1, 3, "y")]))
    >>> pieces_of(one, other).candidate
    {'0 to 1': 'x', '1 to 3': 'y'}
    """
    sides = reference, candidate
    cuts = sorted({time for side in sides for *ends, _ in side.segments for time in ends})
    place = {time: number for number, time in enumerate(cuts)}
    names = [f"{weight_text(start)} to {weight_text(end)}" for start, end in pairwise(cuts)]
    if len(set(names)) < len(names):  # times that differ in the seventh digit
        names = [f"{start} to {end}" for start, end in pairwise(cuts)]
    labels: list[dict[Hashable, Any]] = []
    for side in sides:
        own: dict[Hashable, Any] = {} if side.gaps is None else dict.fromkeys(names, side.gaps)
        for start, end, label in side.segments:
            own |= dict.fromkeys(names[place[start] : place[end]], label)
        labels.append(own)
    known = zip(names, pairwise(cuts), strict=True)
    durations: dict[Hashable, Fraction] = {
        name: end - start for name, (start, end) in known if any(name in own for own in labels)
    }
    return TimePieces(labels[0], labels[1], durations)
