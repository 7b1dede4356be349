"""The engine for labels in memory: the compiled core counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.alignment import (
    NONE_DROPPED,
    Aligned,
    align,
    in_one_order,
    lacks_records,
    refuse_nothing_left,
)
from concordant.clusterings.images import are_images, label_images
from concordant.clusterings.labels import Codes, MemoryLabels, Noise, cluster_label, identify, labels_at
from concordant.clusterings.record_names import RecordNames
from concordant.counts.base import ContingencyLoader, Detail
from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import CountedSides, Names, TableLabels
from concordant.counts.noise_in_tables import with_noise
from concordant.counts.pairs import PairCounts, PartialCounts
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.errors import InputError, NothingLeftError, OverlapError, ParameterError, Remedy
from concordant.foundation.conventions import USUAL, Conventions, report_unused_noise
from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import as_integers, plain, size_counts

if TYPE_CHECKING:
    from concordant.counts.sampled import CandidateClusters, SampledCells

NOT_ASKED: Final[Names] = TableLabels(Profile((), (), (), ()))  # pair counts have no names
# Where labels are treated on the table, larger label images are kept coarsely: a copy would take too long.
_KEPT_VOXELS, _COARSE_VOXELS = 2**22, 2**20
_NOTHING_SAID: Final[dict[str, Any]] = {}  # made once, since small calls take microseconds

count_three = None  # the paired tests and diff(reference=) count labels in memory themselves


def takes(reference: Any, candidate: Any) -> bool:
    """Whether the labels of both are in memory."""
    return type(reference) is MemoryLabels and type(candidate) is MemoryLabels


def count(
    reference: MemoryLabels, candidate: MemoryLabels, conventions: Conventions, need: Detail
) -> CountedSides:
    """Both aligned and counted; only pairs if nothing else is needed."""
    if reference.elements is not None or candidate.elements is not None:
        reference, candidate = in_one_order((reference, candidate))
    treats_labels = False
    if conventions is not USUAL:
        treats_labels = conventions.treats_labels
    aligned = align(
        reference, candidate, conventions.unmatched, conventions.where, drop_in_counting=not treats_labels
    )
    if treats_labels:
        return _with_noise(aligned, (reference, candidate), conventions)
    if conventions.unmatched == "keep" and aligned.has_unmatched:
        need = Detail.RECORDS  # the sizes of the clusters include elements of one side only
    if need < Detail.RECORDS:
        count_sizes = pairs if need is Detail.PAIRS else profile
        sizes = count_sizes(aligned.reference, aligned.candidate, conventions.threads, *aligned.dropped_codes)
        if aligned.dropped_codes != NONE_DROPPED:
            refuse_nothing_left(len(reference) - sizes.size, reference, candidate)
        is_whole = aligned.dropped_codes == NONE_DROPPED or sizes.size == len(reference)
        report_unused_noise(noise_found(reference.noise, candidate.noise, any_dropped=not is_whole))
        return CountedSides(sizes, NOT_ASKED, _NOTHING_SAID, _NOTHING_SAID)
    agreed = {"unmatched": conventions.unmatched, **_nulls_in_words(reference, candidate)}
    agreed["noise"] = noise_in_words(reference.noise, candidate.noise)
    if conventions.where is not None:
        agreed["where"] = "mask"
    counts = count_aligned(aligned, (reference, candidate), conventions, agreed, need)
    if reference.null is not None or candidate.null is not None:
        counts.audit = {**_null_counts(reference, candidate), **counts.audit}
    return counts


def _with_noise(
    aligned: Aligned, partitions: tuple[MemoryLabels, MemoryLabels], conventions: Conventions
) -> CountedSides:
    """Counted once, with all labels; some labels are then treated in the table."""
    if conventions.unmatched != "error" and aligned.has_unmatched:
        raise ParameterError(
            "both sides must have the same records; first leave out those that only one side has",
            given=conventions.noise_of_sides,
        )
    row, column, n, *first = core.cells(aligned.reference, aligned.candidate, conventions.threads)
    places = aligned.reference_position, aligned.candidate_position
    labels = []
    for side, met, place in zip(partitions, first, places, strict=True):
        own = labels_at(side.originals, met if place is None else place[met])
        labels.append([cluster_label(label, side.alone) for label in own] if side.alone else own)
    table = Contingency(row, column, n, labels=(labels[0], labels[1]))
    own_noise = noise_in_words(*(side.noise for side in partitions))
    agreed = {"unmatched": conventions.unmatched, **_nulls_in_words(*partitions), "noise": own_noise}
    if conventions.where is not None:
        agreed["where"] = "mask"
    made = with_noise(table, conventions, agreed, _null_counts(*partitions) | aligned.audit)
    elements = partitions[0].elements, partitions[1].elements
    made.are_pixels = are_images(elements)
    if made.are_pixels and len(partitions[0]) <= _KEPT_VOXELS:
        u, v = partitions
        made.images = label_images(elements, (u.owned_labels(), v.owned_labels()), conventions)
    elif made.are_pixels:
        originals = partitions[0].originals, partitions[1].originals
        step = 1 + int((len(partitions[0]) / _COARSE_VOXELS) ** (1 / len(elements[0].shape)))
        made.images = label_images(elements, originals, conventions, step)
    return made


def count_aligned(
    aligned: Aligned,
    partitions: tuple[MemoryLabels, MemoryLabels],
    conventions: Conventions,
    agreed: dict[str, str],
    need: Detail = Detail.RECORDS,
) -> CountedSides:
    """Two partitions that are already aligned; the counts are kept, but not the arrays."""
    asked, length = aligned.dropped_codes, len(aligned.reference)
    given = aligned.reference, aligned.candidate
    arguments = (*given, conventions.threads, *asked)
    reference, candidate = partitions
    are_given = reference.codes is given[0], candidate.codes is given[1]
    triples: Any = None
    squares: tuple[int, int, int] | None = None
    marks = core.DifferingMarks()
    if any(are_given):
        triples, *copies, squares = core.kept_profile(*arguments, marks)
    else:  # made by aligning, so they belong to no one else
        copies = list(given)
        is_later = need is Detail.ALIGNMENT and asked == NONE_DROPPED
        count_triples = partial(core.profile, *arguments, marks)
        triples = count_triples if is_later else count_triples()
    labels = (
        reference.owned_labels(copies[0] if are_given[0] else None),
        candidate.owned_labels(copies[1] if are_given[1] else None),
    )
    aligned.reference, aligned.candidate = copies  # the arrays of the caller are released
    size = length if asked == NONE_DROPPED else _size(triples)
    dropped = length - size
    if dropped:
        refuse_nothing_left(dropped, reference, candidate)
    noise: tuple[Any, Any] = (None, None)
    if reference.noise is not None or candidate.noise is not None:
        report_unused_noise(noise_found(reference.noise, candidate.noise, any_dropped=dropped > 0))
        noise = (reference.noise and reference.noise.label, candidate.noise and candidate.noise.label)
    left_out = {"noise_dropped": dropped, "not_compared": dropped} if dropped else aligned.audit
    if not dropped:
        aligned.dropped_codes = NONE_DROPPED
    made = Profile.counted(triples, _table_source(aligned, conventions.threads, marks), size, squares)
    elements = reference.elements, candidate.elements
    alone = reference.alone, candidate.alone
    names = RecordNames(aligned, made, elements, labels, alone, order=reference.order)
    images = None if reference.elements is None else label_images(elements, labels, conventions)
    counts = (
        partial_overlap(aligned, made, conventions.threads)
        if (conventions.unmatched == "keep" and aligned.has_unmatched)
        else made
    )
    return CountedSides(counts, names, agreed, left_out, images, images is not None, noise)


def partial_overlap(aligned: Aligned, completed: Profile, threads: int) -> PartialOverlap:
    """The counts of two sides, each of which keeps elements that the other lacks."""
    assert aligned.reference_position is not None  # elements were added, and their position is -1
    assert aligned.candidate_position is not None
    there = aligned.reference_position >= 0, aligned.candidate_position >= 0
    labels = np.asarray(aligned.reference), np.asarray(aligned.candidate)
    both = there[0] & there[1]
    u, v = (np.ascontiguousarray(side[both]) for side in labels)
    row, column, n, *first = core.cells(u, v, threads)
    all_sizes = []  # of each side: of the clusters that overlap the other side, then of all others
    for side, held, shared_first in zip(labels, there, first, strict=True):
        which = core.factorize(np.ascontiguousarray(side[held]))[0]
        overlapping = which[np.cumsum(held)[both][shared_first] - 1]
        sizes = np.bincount(which)
        others = np.ones(len(sizes), dtype=bool)
        others[overlapping] = False
        all_sizes.append(np.concatenate([sizes[overlapping], sizes[others]]))
    return PartialOverlap.of_table(Contingency(row, column, n, sizes=(all_sizes[0], all_sizes[1])), completed)


def profile(
    u: Codes, v: Codes, threads: int = 0, u_dropped: int | None = None, v_dropped: int | None = None
) -> Profile:
    """The profile of two label arrays of equal length; the table itself is counted when asked for.

    Elements whose label is dropped on a side do not count.
    """
    marks = core.DifferingMarks()
    triples = core.profile(u, v, threads, u_dropped, v_dropped, marks)
    sides = Aligned(u, v, dropped_codes=(u_dropped, v_dropped))
    size = len(u) if sides.dropped_codes == NONE_DROPPED else _size(triples)
    return Profile.counted(triples, _table_source(sides, threads, marks), size)


def pairs(
    u: Codes, v: Codes, threads: int = 0, u_dropped: int | None = None, v_dropped: int | None = None
) -> PartialCounts:
    """The pair counts alone of two label arrays of equal length, without elements whose label is dropped."""
    return PartialCounts.of_pairs(
        PairCounts.from_squares(*core.pair_sums(u, v, threads, u_dropped, v_dropped))
    )


def _size(triples: NDArray[np.int64]) -> int:
    """The number of elements, which fits because they are in memory."""
    return int((triples[0] * triples[3]).sum())


def _table_source(sides: Aligned, threads: int, marks: core.DifferingMarks) -> ContingencyLoader:
    """The table, counted when it is asked for; until then the labels must not change."""
    differing = partial(_counted_differing, sides, threads, marks)
    return ContingencyLoader(partial(_counted_table, sides, threads), differing=differing)


def _counted_table(sides: Aligned, threads: int) -> Contingency:
    return Contingency(*core.cells(sides.kept.reference, sides.kept.candidate, threads))


def _counted_differing(sides: Aligned, threads: int, marks: core.DifferingMarks) -> Contingency | None:
    """The table of the clusters that were marked when the triples were counted."""
    elements = marks.elements(sides.kept.candidate, threads)
    if elements is None:
        return None
    u, v = (core.gather(each, elements, threads) for each in (sides.kept.reference, sides.kept.candidate))
    row, column, n, *first = core.cells(u, v, threads)
    return Contingency(row, column, n, *(elements[each] for each in first))


def _nulls_in_words(reference: MemoryLabels, candidate: MemoryLabels) -> dict[str, str]:
    """How null labels were treated, if that was specified."""
    if reference.nulls == candidate.nulls:
        return {} if reference.nulls == "error" else {"nulls": reference.nulls}
    return {"nulls": f"{reference.nulls} and {candidate.nulls}"}


def _null_counts(reference: MemoryLabels, candidate: MemoryLabels) -> dict[str, int]:
    sides = ("null_reference", reference.null), ("null_candidate", candidate.null)
    return {name: int(null.sum()) for name, null in sides if null is not None}


def noise_found(*noise: Noise | None, any_dropped: bool = False) -> Iterator[tuple[Any, bool]]:
    """Each noise label that is not kept as a cluster, and whether an element has it."""
    given = (each for each in noise if each and each.treatment != "cluster")
    return ((each.label, any_dropped or each.found > 0) for each in given)


def noise_in_words(reference: Noise | None, candidate: Noise | None) -> str:
    """Which label was noise on each side, and how many elements had it."""
    if reference is None and candidate is None:
        return "none"
    sides = [("reference", reference), ("candidate", candidate)]
    said = [f"{noise.label!r} as {noise.treatment} ({role}: {noise.found})" for role, noise in sides if noise]
    return ", ".join(said)


def count_sample(sample: MemoryLabels, candidate: MemoryLabels, from_text: bool) -> SampledCells:
    """The overlaps of labelled clusters with the clusters of a candidate, both in memory."""
    return sampled_cells(sample, partial(places_in_memory, candidate, from_text))


def sampled_cells(sample: MemoryLabels, places: Callable[[list[Any]], CandidateClusters]) -> SampledCells:
    """The overlaps of labelled clusters; ``places`` finds labelled records in the candidate."""
    from concordant.counts.sampled import SampledCells  # rarely needed

    if sample.elements is None:
        raise InputError(
            "the sample does not name its records, so they cannot be found in the candidate",
            calls="pass a mapping from record to cluster, or Partition.from_frame(...) with record= and "
            "cluster=",
        )
    keep = np.ones(len(sample), dtype=bool) if sample.dropped is None else ~sample.dropped
    place = np.flatnonzero(keep)
    names = [plain(sample.elements[position]) for position in place.tolist()]
    if not names:
        raise NothingLeftError("the sample has no labelled record")
    row, first = core.factorize(np.ascontiguousarray(np.asarray(sample.codes)[keep]))
    which, place_of = core.factorize(np.ascontiguousarray(identify(names)[0]))
    if len(place_of) < len(which):
        again = int(np.flatnonzero(place_of[which] != np.arange(len(which)))[0])
        raise OverlapError(
            f"the sample contains the record {names[again]!r} twice; a record is in one cluster. A cluster "
            "that was drawn more than once is listed once",
            remedies=[Remedy("count how often each was drawn", times=...)],
        )
    column, b, size, sizes = places(names)
    key, where = core.factorize(row * (int(column.max()) + 1) + column)
    return SampledCells(
        [plain(label) for label in labels_at(sample.originals, place[first])],
        row[where],
        np.bincount(key, minlength=len(where)).astype(np.int64),
        as_integers(b[where], size),
        size,
        sizes,
        column[where],
    )


def places_in_memory(candidate: MemoryLabels, from_text: bool, names: list[Any]) -> CandidateClusters:
    """The clusters of these records in the candidate; text matches numbers with the same spelling."""
    from concordant.counts.sampled import CandidateClusters  # rarely needed

    size = len(candidate)
    if from_text:
        everyone = range(size) if candidate.elements is None else candidate.elements
        spelled = {str(plain(each)): each for each in everyone}
        names = [spelled.get(name, name) for name in names]
    if candidate.elements is None:
        position = np.array([name if type(name) is int and 0 <= name < size else -1 for name in names])
    else:
        everybody = [*candidate.elements, *names]
        which, first = core.factorize(np.ascontiguousarray(identify(everybody)[0]))
        again = np.flatnonzero(first[which[:size]] != np.arange(size))
        if len(again):
            raise OverlapError(
                f"the candidate contains the record {plain(everybody[int(again[0])])!r} twice; keep one"
            )
        position = first[which[size:]]
        position = np.where(position < size, position, -1)
    if (unknown := np.flatnonzero(position < 0)).size:
        raise lacks_records([names[i] for i in unknown.tolist()], f"has {counted(len(candidate), 'record')}")
    dropped = candidate.dropped
    if dropped is not None and (lost := np.flatnonzero(dropped[position])).size:
        raise lacks_records([names[i] for i in lost.tolist()], "leaves out noise and null labels")
    codes = core.factorize(np.ascontiguousarray(candidate.codes))[0]
    sizes = np.bincount(codes if dropped is None else codes[~dropped])
    column = codes[position]
    return CandidateClusters(column, sizes[column], int(sizes.sum()), size_counts(sizes))
