"""Two aligned sides, one of them soft: the same records in the same order, in the same units."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts import remedies
from concordant.counts.arithmetic import plain
from concordant.counts.conventions import Conventions
from concordant.errors import ParameterError, SoftError, UnmatchedError, kind_of
from concordant.partitions.alignment import Positions, align, refuse_unmatched
from concordant.partitions.cover import Cover
from concordant.partitions.inputs import partition_of
from concordant.partitions.partition import LabelPartition, Partition, SourcePartition
from concordant.partitions.sources import Files
from concordant.soft.counts import SoftSides
from concordant.soft.draws import PosteriorDraws
from concordant.soft.memberships import Memberships
from concordant.soft.partition import DrawnSoft, Soft, SourceSoft


def soft_or_partition(given: Any, conventions: Conventions, what: str) -> Soft | LabelPartition:
    """One side as it was passed: a soft partition, or our own copy of labels in memory."""
    if isinstance(given, Soft):
        return given
    if isinstance(given, Cover):
        raise SoftError(
            f"{what} is a Cover, whose clusters overlap, and weights add up to 1; compare two covers, or two "
            "soft partitions"
        )
    if isinstance(given, SourcePartition) and given.record is not None and isinstance(given.source, Files):
        if given.noise is not None or given.nulls != "error":
            raise SoftError(
                f"{what}: nulls= and noise= of files do not apply to soft comparisons; filter the file"
            )
        return SourceSoft(given.source, (given.record, given.cluster, None), None, normalise=False)
    if not isinstance(given, Partition) and getattr(given, "ndim", 1) == 2:
        raise SoftError(
            f"{what} is {kind_of(given)} of two dimensions beside a Soft; pass Soft.from_matrix(array) if it "
            "contains weights, or one label for each record"
        )
    labels = partition_of(given, conventions, what).in_memory(what, "a comparison with a Soft")
    if labels.is_image:
        raise SoftError(f"{what} is a label image, and a Soft has rows; flatten it, as in image.ravel()")
    return labels.owned()


def refuse_kept(conventions: Conventions) -> None:
    """Refuse ``unmatched="keep"``: each side of a soft comparison has all records."""
    if conventions.unmatched == "keep":
        raise ParameterError(
            "each side of a soft comparison needs all records",
            given={"unmatched": "keep"},
            remedies=remedies.FOR_UNMATCHED[:2],
        )


def laid_out(
    reference: Soft | LabelPartition, candidate: Soft | LabelPartition, conventions: Conventions
) -> SoftSides:
    """Both sides over the same records, by name where they have names, else by position."""
    refuse_kept(conventions)
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
    made: list[Memberships | PosteriorDraws] = []
    clusters: list[list[Any]] = []
    for side, place, own in zip(sides, positions, codes, strict=True):
        if isinstance(side, Soft):
            rows_of_side, names = _rows_of(side, place), [] if isinstance(side, DrawnSoft) else side.clusters
        else:
            rows_of_side, names = _hard_rows(side, place, np.asarray(own))
        made.append(rows_of_side)
        clusters.append(names)
    u, v = _as_draws(made)
    audit = dict(aligned.audit)
    for title, side in zip(("reference", "candidate"), sides, strict=True):
        if isinstance(side, Soft):
            audit |= {f"{title}_{key}": found for key, found in side.audit.items()}
    records = _record_names([each.elements for each in rows], positions)
    return SoftSides((u, v), (clusters[0], clusters[1]), records, audit)


def _numbered(side: Soft | LabelPartition) -> LabelPartition:
    """The records of a side, so it aligns as labels do."""
    if isinstance(side, LabelPartition):
        return side
    number = np.arange(len(side))
    return LabelPartition(number, number, elements=side.records, named=side.named)


def _rows_of(side: Soft, positions: Positions | None) -> Memberships | PosteriorDraws:
    rows = PosteriorDraws(side.draws, side.shares) if isinstance(side, DrawnSoft) else side.memberships
    return rows if positions is None else rows.taken(np.asarray(positions))


def _hard_rows(
    side: LabelPartition, positions: Positions | None, codes: NDArray[Any]
) -> tuple[Memberships, list[Any]]:
    """Labels as rows with one weight, and the names of their clusters."""
    column, first = core.factorize(np.ascontiguousarray(codes))
    where = first if positions is None else np.asarray(positions)[first]
    names = [None if place < 0 else plain(side.originals[place]) for place in where.tolist()]
    return Memberships.of_codes(column, max(len(first), 1), 1), names


def _as_draws(
    sides: Sequence[Memberships | PosteriorDraws],
) -> tuple[Memberships | PosteriorDraws, Memberships | PosteriorDraws]:
    """Labels beside draws are one draw."""
    u, v = sides
    if isinstance(u, PosteriorDraws) != isinstance(v, PosteriorDraws):
        u, v = (
            PosteriorDraws(each.column[:, None], [Fraction(1)])
            if isinstance(each, Memberships) and each.column is not None and each.exact and each.scale == 1
            else each
            for each in (u, v)
        )
    return u, v


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
