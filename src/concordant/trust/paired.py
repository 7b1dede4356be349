"""Two comparisons with one reference, record by record: what one system does where the other does that."""

from __future__ import annotations

from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.counted import Counted
from concordant.counts.names import Records
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.counts.three_way import ThreeWay
from concordant.errors import TableNeededError, UnmatchedError, few
from concordant.partitions.labels import identify

_PAIRED = "two systems are compared on the same records against the same reference"


class PairedCounts:
    """Two comparisons laid side by side: their three-way cells, and the records where they are in memory."""

    cells: ThreeWay

    def __init__(self, cells: ThreeWay, records: Records | None = None) -> None:
        self.cells, self._records = cells, records

    @classmethod
    def of(cls, first: Counted[Profile], second: Counted[Profile]) -> Self:
        """Two comparisons that know their records."""
        own, other = (_records_of(known) for known in (first, second))
        order = _places(own, other)
        rows = [known.profile.table.row[known.names.records.cell] for known in (first, second)]
        _check_reference(rows[0], rows[1][order], own)
        return cls(ThreeWay.of_labels(rows[0], own.column, other.column[order]), own)

    @property
    def records(self) -> Records:
        """Each record, for what goes by it."""
        if self._records is None:
            raise TableNeededError(
                "the records stayed in their sources, so that units cannot be told; read the labels into "
                "memory for unit="
            )
        return self._records

    @cached_property
    def profiles(self) -> tuple[Profile, Profile]:
        """Of both systems; their cells are those that the three-way cells speak of."""
        return Profile.of_table(self.cells.first_table), Profile.of_table(self.cells.second_table)


def _records_of(known: Counted[Profile]) -> Records:
    try:
        return known.names.records
    except TableNeededError as error:
        raise TableNeededError(
            f"{error}. A difference needs to know which record lies where in both systems; "
            "concordant.rank({'old': a, 'new': b}, truth) joins dataframes and files where they lie"
        ) from error


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
        raise UnmatchedError(f"{_PAIRED}, and these hold different records: {' and '.join(parts)}")
    return position[here]


def _check_reference(one: NDArray[np.int64], other: NDArray[np.int64], records: Records) -> None:
    """Refuse references that differ, by the clusters that records lie in and not by their labels."""
    codes = [core.factorize(np.ascontiguousarray(rows))[0] for rows in (one, other)]
    apart = np.flatnonzero(codes[0] != codes[1])
    if len(apart):
        named = few(records.record(i) for i in apart[:4].tolist())
        raise UnmatchedError(
            f"{_PAIRED}, and the references of these differ ({counted(len(apart), 'record')}, first {named})"
        )
