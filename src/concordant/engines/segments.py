"""The engine for segments of time: both sides are cut at all boundaries, and durations are weights."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from concordant.clusterings.labels import PartitionData
from concordant.clusterings.partition_data import SegmentPartition, partition_of_mapping
from concordant.counts.base import Detail
from concordant.counts.counted_sides import CountedSides
from concordant.counts.weighted_counts import parts_of, weigh, weight_text
from concordant.engines import memory
from concordant.errors import InputError, ParameterError, Remedy, UnmatchedError
from concordant.foundation.conventions import SIDES, USUAL, Conventions
from concordant.maths.arithmetic import as_integers

count_three = count_sample = None


def takes(reference: Any, candidate: Any) -> bool:
    """Whether one of them has segments of time."""
    return isinstance(reference, SegmentPartition) or isinstance(candidate, SegmentPartition)


def count(
    reference: PartitionData,
    candidate: PartitionData,
    conventions: Conventions,
    need: Detail,  # noqa: ARG001  (there are few pieces, whatever is needed)
) -> CountedSides:
    """The pieces of both sides, each weighing its duration, and divisible as time is."""
    if not (isinstance(reference, SegmentPartition) and isinstance(candidate, SegmentPartition)):
        there, here = SIDES if isinstance(reference, SegmentPartition) else SIDES[::-1]
        raise InputError(
            f"the {there} has segments of time and the {here} does not; make both with "
            "Partition.from_segments"
        )
    labels, lengths = pieces_of(reference, candidate)
    _check_unmatched(labels, lengths, conventions)
    u, v = (partition_of_mapping(each, USUAL, "the segments") for each in labels)
    made = memory.count(u, v, conventions, Detail.RECORDS)
    durations = [lengths[name] for name in made.names.records.everyone]
    parts = parts_of(durations)
    whole = [int(each * parts) for each in durations]
    return weigh(made, as_integers(whole, sum(whole)), parts, divisible=True)


def _check_unmatched(
    labels: TwoLabels, lengths: Mapping[Hashable, Fraction], conventions: Conventions
) -> None:
    """Time in which one side has no label is refused or dropped."""
    alone = [name for name in lengths if (name in labels[0]) != (name in labels[1])]
    if not alone or conventions.unmatched == "drop":
        return
    if conventions.unmatched != "error":
        raise ParameterError(
            "time is divisible, so time that one side lacks cannot become singletons or be kept separately",
            given={"unmatched": conventions.unmatched},
            remedies=[Remedy("leave it out", unmatched="drop")],
        )
    lasting = sum((lengths[name] for name in alone), Fraction(0))
    side = SIDES[alone[0] not in labels[0]]
    raise UnmatchedError(
        f"only one side has a segment for {weight_text(lasting)} of the time (from {alone[0]}, the {side}); "
        "label this time when you read the segments, as in Partition.from_segments(..., gaps='silence')",
        remedies=[Remedy("leave it out", unmatched="drop")],
    )


TwoLabels = tuple[dict[Hashable, Any], dict[Hashable, Any]]  # of each piece, on both sides


def pieces_of(
    reference: SegmentPartition, candidate: SegmentPartition
) -> tuple[TwoLabels, dict[Hashable, Fraction]]:
    """The labels and the durations of the pieces of time in which a side has one, by their start and end.

    >>> from concordant.clusterings.time_segments import segments_in_order
    >>> given, names = ([(0, 3, "a")], [(0, 1, "x"), (1, 3, "y")]), ("start", "end", "cluster")
    >>> one, other = (SegmentPartition(segments_in_order(each, names)) for each in given)
    >>> pieces_of(one, other)[0][1]
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
    return (labels[0], labels[1]), durations
