"""The engine for labels in memory: the compiled core counts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.conventions import Conventions
from concordant.counts.counted import Counted
from concordant.counts.loose import LooseCells, LooseTable
from concordant.counts.names import Names, TableNames
from concordant.counts.noise import with_noise
from concordant.counts.offers import ALL_AT_HAND, Need, Offer
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.errors import ParameterError
from concordant.partitions.alignment import Aligned, align, in_one_order
from concordant.partitions.label_images import are_images, label_images
from concordant.partitions.labels import Codes, labels_at
from concordant.partitions.names import RecordNames
from concordant.partitions.ownership import owned
from concordant.partitions.partition import Noise, Partition
from concordant.views.pairs import PairProfile, Pairs

NOT_ASKED: Final[Names] = TableNames(Profile((), (), (), ()))  # pairs alone name nobody
# Larger label images are not kept where labels are treated on the table: copying them would take too long.
_KEPT_VOXELS: Final = 2**22
_NOTHING_SAID: Final[dict[str, Any]] = {}  # made once, since small calls are counted in microseconds


def takes(reference: Partition, candidate: Partition) -> bool:
    """Whether the labels of both are in memory."""
    return reference.is_in_memory and candidate.is_in_memory


def count(u: Partition, v: Partition, conventions: Conventions, need: Need) -> Counted[Any]:
    """Both laid side by side and counted; pairs alone where nothing else is needed."""
    refuse_nulls(conventions)
    if u.elements is not None or v.elements is not None:
        u, v = in_one_order((u, v))
    aligned = align(u, v, conventions.unmatched, conventions.where)
    if conventions.treats_labels:
        return _with_noise(aligned, (u, v), conventions)
    if _is_loose(aligned, conventions):
        need = Need.RECORDS  # the sizes of the clusters are told by more than the elements of both
    if need is Need.PAIRS:
        counts = pairs(aligned.reference, aligned.candidate, conventions.threads)
        return Counted(counts, NOT_ASKED, _NOTHING_SAID, _NOTHING_SAID)
    if need < Need.RECORDS:
        sizes = profile(aligned.reference, aligned.candidate, conventions.threads)
        return Counted(sizes, NOT_ASKED, _NOTHING_SAID, _NOTHING_SAID)
    agreed = {"unmatched": conventions.unmatched, "noise": noise_in_words(u.noise, v.noise)}
    if conventions.where is not None:
        agreed["where"] = "mask"
    return counted(aligned, (u, v), conventions, agreed)


def _with_noise(
    aligned: Aligned, partitions: tuple[Partition, Partition], conventions: Conventions
) -> Counted[Profile]:
    """Counted once, with all labels; then the table says what becomes of some."""
    if conventions.unmatched != "error" and (aligned.only_reference or aligned.only_candidate):
        raise ParameterError(
            "reference_noise= and candidate_noise= are for two sides that hold the same elements; leave out "
            "first what only one of them has"
        )
    row, column, n, *first = core.cells(aligned.reference, aligned.candidate, conventions.threads)
    places = aligned.reference_position, aligned.candidate_position
    labels = [
        labels_at(side.originals, met if place is None else place[met])
        for side, met, place in zip(partitions, first, places, strict=True)
    ]
    table = Table(row, column, n, labels=(labels[0], labels[1]))
    agreed: dict[str, str] = {"unmatched": conventions.unmatched}
    if conventions.where is not None:
        agreed["where"] = "mask"
    made = with_noise(table, conventions, agreed, {"masked": aligned.masked} if aligned.masked else {})
    elements = partitions[0].elements, partitions[1].elements
    if are_images(elements) and len(partitions[0]) <= _KEPT_VOXELS:
        u, v = (owned(side.codes, side.originals, side.first) for side in partitions)
        made.images = label_images(elements, (u, v), conventions)
    return made


def counted(
    aligned: Aligned,
    partitions: tuple[Partition, Partition],
    conventions: Conventions,
    agreed: dict[str, str],
) -> Counted[Profile]:
    """Two partitions that are laid side by side already; what was counted is kept, and the arrays are not."""
    triples, u, v = core.kept_profile(aligned.reference, aligned.candidate, conventions.threads)
    made = Profile.counted(triples, LabelTable(u, v, conventions.threads), len(u))
    reference, candidate = partitions
    own = (
        u if reference.codes is aligned.reference else None,
        v if candidate.codes is aligned.candidate else None,
    )
    labels = (
        owned(reference.codes, reference.originals, reference.first, own[0]),
        owned(candidate.codes, candidate.originals, candidate.first, own[1]),
    )
    left_out = aligned.audit
    aligned.reference, aligned.candidate = u, v  # the copies: what the caller owns is let go
    elements = reference.elements, candidate.elements
    names = RecordNames(aligned, made, elements, labels)
    images = label_images(elements, labels, conventions)
    noise = (
        None if reference.noise is None else reference.noise.label,
        None if candidate.noise is None else candidate.noise.label,
    )
    return Counted(made, names, agreed, left_out, loose_of(aligned, conventions), images, noise)


def _is_loose(aligned: Aligned, conventions: Conventions) -> bool:
    return conventions.unmatched == "keep" and bool(aligned.only_reference or aligned.only_candidate)


def loose_of(aligned: Aligned, conventions: Conventions) -> LooseCells | None:
    """The loose cells, where each side is to keep elements of its own and has some."""
    if not _is_loose(aligned, conventions):
        return None
    assert aligned.reference_position is not None  # elements were added, and their position is -1
    assert aligned.candidate_position is not None
    there = aligned.reference_position >= 0, aligned.candidate_position >= 0
    labels = np.asarray(aligned.reference), np.asarray(aligned.candidate)
    return loose_cells(labels, there, conventions.threads)


def loose_cells(
    labels: tuple[NDArray[Any], NDArray[Any]],
    there: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    threads: int,
) -> LooseCells:
    """The cells of labels of which each side lacks some, as ``there`` says."""
    both = there[0] & there[1]
    u, v = (np.ascontiguousarray(side[both]) for side in labels)
    row, column, n, *first = core.cells(u, v, threads)
    sides = zip(labels, there, first, strict=True)
    sizes = [_all_sizes(side[held], np.cumsum(held)[both][met] - 1) for side, held, met in sides]
    return LooseCells.of_table(LooseTable(row, column, n, *sizes))


def _all_sizes(labels: NDArray[Any], first: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sizes of the clusters that have an element at these positions, then of all others."""
    which = core.factorize(np.ascontiguousarray(labels))[0]
    sizes = np.bincount(which)
    others = np.ones(len(sizes), dtype=bool)
    others[which[first]] = False
    return np.concatenate([sizes[which[first]], sizes[others]])


def profile(u: Codes, v: Codes, threads: int = 0) -> Profile:
    """The profile of two label arrays of equal length; the table itself is counted when asked for."""
    return Profile.counted(core.profile(u, v, threads), LabelTable(u, v, threads), len(u))


def pairs(u: Codes, v: Codes, threads: int = 0) -> PairProfile:
    """The pair counts alone of two label arrays of equal length."""
    return PairProfile(Pairs.from_squares(len(u), *core.pair_sums(u, v, threads)))


@dataclass(slots=True, eq=False)  # not frozen, which takes three times as long to make
class LabelTable:
    """The table of two label arrays, counted when it is asked for; until then they must not change."""

    u: Codes
    v: Codes
    threads: int

    @property
    def offer(self) -> Offer:
        return ALL_AT_HAND

    def table(self) -> Table:
        return Table(*core.cells(self.u, self.v, self.threads))


def refuse_nulls(conventions: Conventions) -> None:
    """Labels in arrays are never null, so that nothing can be agreed on for those that are."""
    if conventions.nulls is not None:
        raise ParameterError(
            "nulls= is for partitions in dataframes and files, as Partition.from_frame makes them; drop such "
            "labels, or give each a label of its own"
        )


def noise_in_words(reference: Noise | None, candidate: Noise | None) -> str:
    """Which label was noise on each side, and how many elements had it."""
    if reference is None and candidate is None:
        return "none"
    sides = [("reference", reference), ("candidate", candidate)]
    said = [f"{noise.label!r} as {noise.treatment} ({role}: {noise.found})" for role, noise in sides if noise]
    return ", ".join(said)
