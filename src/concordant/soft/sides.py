"""Two aligned sides, one of them soft: the same records in the same order, in the same units."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts import remedies
from concordant.counts.conventions import Conventions
from concordant.errors import ParameterError, SoftError, UnmatchedError, kind_of
from concordant.partitions.alignment import Positions, align, refuse_unmatched
from concordant.partitions.cover import Cover
from concordant.partitions.inputs import partition_of
from concordant.partitions.labels import plain
from concordant.partitions.partition import LabelPartition, Partition, SourcePartition
from concordant.partitions.sources import Files
from concordant.soft.draws import PosteriorDraws
from concordant.soft.gram import Gram, SoftCells, gram_of, overlaps_of
from concordant.soft.memberships import UNITS, Memberships
from concordant.soft.partition import DrawnSoft, Soft, SourceSoft


class SoftSides:
    """Both sides over the same records."""

    size: int
    sides: tuple[Memberships | PosteriorDraws, Memberships | PosteriorDraws]
    scale: int  # units of a weight of 1
    columns: tuple[int, int]  # clusters of each side; 0 for draws
    clusters: tuple[list[Any], list[Any]]  # their names; none for draws
    audit: dict[str, int]
    exact: bool

    def __init__(
        self,
        sides: tuple[Memberships | PosteriorDraws, Memberships | PosteriorDraws],
        clusters: tuple[list[Any], list[Any]],
        records: Any = None,  # their names by position, None if they have none
        audit: dict[str, int] | None = None,
    ) -> None:
        self.size, self.clusters, self.audit = len(sides[0]), clusters, audit or {}
        self._records = records
        tables = [each for each in sides if isinstance(each, Memberships)]
        self.exact = all(each.exact for each in tables)
        scale = math.lcm(*(each.scale for each in tables)) if self.exact else UNITS
        u, v = (
            each.scaled_to(scale, exact=self.exact) if isinstance(each, Memberships) else each
            for each in sides
        )
        self.sides, self.scale = (u, v), scale
        self.columns = tuple(each.columns if isinstance(each, Memberships) else 0 for each in self.sides)  # type: ignore[assignment]  # two of them

    @property
    def are_draws(self) -> bool:
        """Whether a side is draws."""
        return any(isinstance(each, PosteriorDraws) for each in self.sides)

    @property
    def memberships(self) -> tuple[Memberships, Memberships]:
        """Both sides as rows of weights; an error if one is draws."""
        u, v = self.sides
        if isinstance(u, PosteriorDraws) or isinstance(v, PosteriorDraws):
            raise SoftError(
                "this needs a weight for each cluster, and the clusters of one draw are not those of "
                "another; soft_adjusted_rand and soft_rand_squared compare draws"
            )
        return u, v

    def pieces(self) -> Iterator[tuple[Memberships, Memberships]]:
        """The rows of both sides, as many at a time as the core takes."""
        u, v = self.memberships
        for rows in u.chunks():
            yield u.piece(rows), v.piece(rows)

    def gram(self, threads: int) -> Gram:
        """The Gram matrices."""
        return gram_of(self.pieces(), self.columns, self.scale, threads)

    def overlaps(self, threads: int) -> SoftCells:
        """Σ min(u, v) for each two columns, in units."""
        return overlaps_of(self.pieces(), threads)

    def rest_units(self) -> tuple[int, int, int]:
        """The units that the reference, the candidate, and both leave in no cluster."""
        total = [0, 0, 0]
        for u, v in self.pieces():
            rests = [np.zeros(len(u), dtype=np.int64) if each.rest is None else each.rest for each in (u, v)]
            for place, rest in enumerate((*rests, np.minimum(*rests))):
                total[place] += sum(rest.tolist()) if u.rest is not None or v.rest is not None else 0
        return total[0], total[1], total[2]

    def prepare(self, positions: NDArray[Any]) -> None:
        """Prepare the rows of these records for access one by one; in memory, all are ready."""

    def row(self, position: int) -> tuple[Any, Memberships, Memberships]:
        """The name of a record, and its row on each side."""
        (u, v), rows = self.memberships, slice(position, position + 1)
        return self.record(position), u.piece(rows), v.piece(rows)

    @property
    def has_names(self) -> bool:
        """Whether the records have names."""
        return self._records is not None

    def record(self, position: int) -> Any:
        """The name of a record, or its position."""
        return position if self._records is None else plain(self._records[position])


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
