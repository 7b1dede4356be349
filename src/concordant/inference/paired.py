"""Two comparisons with one reference, joined record by record."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core, engines
from concordant.clusterings.labels import identify
from concordant.counts.counted_sides import CountedSides, Records
from concordant.counts.profile import Profile
from concordant.counts.three_way import ThreeWay, Units
from concordant.errors import ParameterError, TableNeededError, UnmatchedError, few
from concordant.foundation.conventions import Conventions
from concordant.foundation.spelling import counted
from concordant.inference.interval import unit_codes

_PAIRED = "two systems are compared on the same records against the same reference"


class PairedCounts:
    """Two comparisons side by side: their three-way cells, and which records were drawn together.

    This follows from the records, if they are in memory, or else from the pieces of the cells.
    """

    cells: ThreeWay
    are_pixels: bool = False  # whether the records are pixels or voxels: neighbours are not independent

    def __init__(
        self, cells: ThreeWay, known: CountedSides | None = None, pieces: Units | None = None
    ) -> None:
        self.cells, self._known, self._pieces = cells, known, pieces

    @classmethod
    def of(cls, first: CountedSides, second: CountedSides, unit: Any) -> Self:
        """Two comparisons that know their records, or whose sources are joined once more."""
        if first.sources is not None and second.sources is not None:
            return cls._of_sources(first, second, column_of_units(unit))
        try:
            own, other = first.names.records, second.names.records
        except TableNeededError as error:
            raise TableNeededError(
                f"{error}. A difference needs the clusters of every record in both systems; "
                "concordant.rank(truth, {'old': a, 'new': b}) joins dataframes and files"
            ) from error
        tables = [known.counts.partitions.table for known in (first, second)]  # refuses weights
        order = _places(own, other)
        rows = [table.row[records.cell] for table, records in zip(tables, (own, other), strict=True)]
        # References may differ in their labels, but not in their clusters.
        here, there = (core.factorize(np.ascontiguousarray(each))[0] for each in (rows[0], rows[1][order]))
        apart = np.flatnonzero(here != there)
        if len(apart):
            named = few(own.record(i) for i in apart[:4].tolist())
            differing = f"{counted(len(apart), 'record')}, first {named}"
            raise UnmatchedError(f"{_PAIRED}, and the references of these differ ({differing})")
        paired = cls(ThreeWay.of_labels(rows[0], own.column, other.column[order]), first)
        paired.are_pixels = first.are_pixels or second.are_pixels
        return paired

    @classmethod
    def _of_sources(cls, first: CountedSides, second: CountedSides, unit: str | None) -> Self:
        reference, one = first.sources  # type: ignore[misc]  # checked above
        again, other = second.sources  # type: ignore[misc]  # as above
        if not reference.is_same(again):
            raise UnmatchedError(f"{_PAIRED}, and these were compared with {reference!r} and {again!r}")
        drops = any(known.conventions.get("unmatched") == "drop" for known in (first, second))
        agreed = Conventions(unmatched="drop" if drops else "error")
        found = engines.count_three(reference, one, other, agreed, unit)
        for known in (first, second):
            if known.counts.size != found.cells.size:
                raise UnmatchedError(
                    f"{_PAIRED}, and one of these was compared on {known.counts.size:,}, while all three "
                    f"sources have {found.cells.size:,} in common; concordant.rank(truth, {{'old': a, "
                    "'new': b}, unmatched='drop') compares both on these"
                )
        return cls(found.cells, pieces=found.pieces)

    def pieces(self, unit: Any) -> Units:
        """The pieces that units make of the three-way cells."""
        if self._pieces is not None:
            return self._pieces
        if self._known is None:
            raise TableNeededError(
                "the records of the three-way cells are not known, so units are not either; compare labels"
            )
        code, count = unit_codes(self._known, unit)
        pieces, n = np.unique(code * len(self.cells) + self.cells.cell, return_counts=True)
        return Units(count, pieces // len(self.cells), pieces % len(self.cells), n)

    def components(self) -> Units:
        """The components of the reference and both systems: clusters that share records are linked."""
        cells = self.cells
        of_pair, _ = core.blocks(*map(np.ascontiguousarray, (cells.reference, cells.first)))
        of_three, _ = core.blocks(*map(np.ascontiguousarray, (of_pair[cells.reference], cells.second)))
        component = of_three[of_pair[cells.reference]]
        return Units(
            int(component.max(initial=-1)) + 1, component, np.arange(len(cells)), np.asarray(cells.n)
        )

    def in_tables(self, pieces: Units) -> tuple[Units, Units]:
        """The pieces as parts of the cells of both tables."""
        return pieces.in_table(self.cells.cell_of_first), pieces.in_table(self.cells.cell_of_second)

    @classmethod
    def units_of_source(cls, known: CountedSides, column: str) -> tuple[Profile, Units]:
        """The units of one comparison of sources, joined once more, and the profile of the cells they cut."""
        paired = cls._of_sources(known, known, column)
        cells, pieces = paired.cells, paired.pieces(column)
        return paired.profiles[0], pieces.in_table(cells.cell_of_first)

    @cached_property
    def profiles(self) -> tuple[Profile, Profile]:
        """The profiles of both systems, with the cells that the three-way cells refer to."""
        return Profile.of_table(self.cells.first_table), Profile.of_table(self.cells.second_table)


def column_of_units(unit: Any) -> str | None:
    """The unit column of the reference; None if records were drawn one by one."""
    if not isinstance(unit, str):
        raise ParameterError(
            "the records are in dataframes or files: name the column of the reference that has their units",
            given={"unit": unit},
        )
    return None if unit == "record" else unit


def _places(first: Records, second: Records) -> NDArray[np.int64]:
    """For each record of the first its position in the second."""
    one, other = first.everyone, second.everyone
    if one == other:
        return np.arange(len(one))
    which = core.factorize(np.ascontiguousarray(identify([*one, *other])[0]))[0]
    here, there = which[: len(one)], which[len(one) :]
    position = np.full(int(which.max(initial=-1)) + 1, -1, dtype=np.int64)
    position[there] = np.arange(len(there))
    missing = [one[i] for i in np.flatnonzero(position[here] < 0).tolist()]
    if missing or len(one) != len(other):
        known = set(here.tolist())
        extra = [other[i] for i, code in enumerate(there.tolist()) if code not in known]
        parts = [
            f"{len(names):,} only in the {which_one} ({few(names)})"
            for which_one, names in (("first", missing), ("second", extra))
            if names
        ]
        raise UnmatchedError(f"{_PAIRED}, and these have different records: {' and '.join(parts)}")
    return position[here]
