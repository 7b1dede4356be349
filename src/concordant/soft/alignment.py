"""The alignment of two sides of which one is soft: the same records in the same order and units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.alignment import THE_SIDES, Positions, align, refuse_unmatched
from concordant.clusterings.clustering import data_of
from concordant.clusterings.coerce import partition_of
from concordant.clusterings.cover_data import CoverData
from concordant.clusterings.labels import MemoryLabels, PartitionData
from concordant.clusterings.partition_data import SourcePartition
from concordant.errors import ParameterError, SoftError, UnmatchedError, kind_of, noted
from concordant.foundation import remedies
from concordant.foundation.conventions import Conventions
from concordant.maths.arithmetic import plain
from concordant.soft.counts import SoftSides
from concordant.soft.data import SoftData, SourceSoft
from concordant.soft.memberships import Memberships
from concordant.sources.descriptions import Files
from concordant.sources.files import refuse_if_too_large


def read_sides(
    reference: Any, candidate: Any, conventions: Conventions
) -> tuple[SoftData | MemoryLabels, SoftData | MemoryLabels]:
    """Both sides in memory: soft partitions, or our own copies of labels."""
    sides = data_of(reference), data_of(candidate)
    scanned = [
        (each.source, each.columns)
        for each in sides
        if isinstance(each, SourceSoft | SourcePartition) and isinstance(each.source, Files)
    ]
    refuse_if_too_large(scanned)
    u, v = (_in_memory(each, conventions, what) for each, what in zip(sides, THE_SIDES, strict=True))
    return u, v


def _in_memory(given: Any, conventions: Conventions, what: str) -> SoftData | MemoryLabels:
    if isinstance(given, SoftData):
        return given.read(typed=False) if isinstance(given, SourceSoft) else given
    if isinstance(given, CoverData):
        raise SoftError(
            f"{what} is a Cover, whose clusters overlap, and weights add up to 1; compare two covers, or two "
            "soft partitions"
        )
    if not isinstance(given, PartitionData) and getattr(given, "ndim", 1) == 2:
        raise SoftError(
            f"{what} is {kind_of(given)} of two dimensions beside a Soft; pass Soft.from_matrix(array) if it "
            "contains weights, or one label for each record"
        )
    if isinstance(given, SourcePartition) and isinstance(given.source, Files):
        with noted(what):
            return given.read(typed=False)  # as the records of weights in files
    labels = partition_of(given, conventions, what).in_memory(what, "a comparison with a Soft")
    if labels.is_image:
        raise SoftError(f"{what} is a label image, and a Soft has rows; flatten it, as in image.ravel()")
    return labels.owned()


def laid_out(
    reference: SoftData | MemoryLabels, candidate: SoftData | MemoryLabels, conventions: Conventions
) -> SoftSides:
    """Both sides over the same records, by name where they have names, else by position."""
    if conventions.unmatched == "keep":
        raise ParameterError(
            "each side of a soft comparison needs all records",
            given={"unmatched": "keep"},
            remedies=remedies.FOR_UNMATCHED[:2],
        )
    sides = reference, candidate
    rows = [_numbered(each) for each in sides]
    refuse_unmatched(conventions.unmatched, *rows)
    try:
        aligned = align(rows[0], rows[1], conventions.unmatched, conventions.where)
    except UnmatchedError as error:
        error.withdraw(unmatched="keep")
        raise
    positions = aligned.reference_position, aligned.candidate_position
    codes = aligned.reference, aligned.candidate
    made: list[Memberships] = []
    clusters: list[list[Any]] = []
    for side, place, own in zip(sides, positions, codes, strict=True):
        if isinstance(side, SoftData):
            rows_of_side, names = _rows_of(side, None if place is None else np.asarray(place))
        else:
            rows_of_side, names = _hard_rows(side, place, np.asarray(own))
        made.append(rows_of_side)
        clusters.append(names)
    audit = dict(aligned.audit)
    for title, side in zip(("reference", "candidate"), sides, strict=True):
        if isinstance(side, SoftData):
            audit |= {f"{title}_{key}": found for key, found in side.audit.items()}
    return SoftSides(made, clusters, _record_names([each.elements for each in rows], positions), audit)


def _numbered(side: SoftData | MemoryLabels) -> MemoryLabels:
    """The records of a side, so it aligns as labels do."""
    if isinstance(side, MemoryLabels):
        return side
    number = np.arange(len(side))
    return MemoryLabels(number, number, elements=side.records, named=side.named)


def _rows_of(side: SoftData, positions: NDArray[Any] | None) -> tuple[Memberships, list[Any]]:
    """The rows of a side, and the names of its clusters; a record that it lacks is alone in a cluster."""
    if positions is None:
        return side.memberships, side.clusters
    made = side.memberships.with_singletons(positions)
    return made, [*side.clusters, *[None] * (made.columns - side.memberships.columns)]


def _hard_rows(
    side: MemoryLabels, positions: Positions | None, codes: NDArray[Any]
) -> tuple[Memberships, list[Any]]:
    """Labels as rows with one weight, and the names of their clusters."""
    column, first = core.factorize(np.ascontiguousarray(codes))
    where = first if positions is None else np.asarray(positions)[first]
    names = [None if place < 0 else plain(side.originals[place]) for place in where.tolist()]
    return Memberships.of_codes(column, max(len(first), 1), 1), names


def _record_names(elements: Sequence[Any], positions: Sequence[Positions | None]) -> Any:
    """The names of the records in their common order."""
    for names, place, other, other_place in zip(
        elements, positions, elements[::-1], positions[::-1], strict=True
    ):
        if names is None:
            continue
        if place is None:
            return names
        found = [None if i < 0 else names[i] for i in np.asarray(place).tolist()]
        if other is not None and other_place is not None:
            others = np.asarray(other_place).tolist()
            found = [
                other[others[i]] if where < 0 else found[i]
                for i, where in enumerate(np.asarray(place).tolist())
            ]
        return found
    place = positions[0]
    return None if place is None else np.asarray(place).tolist()
