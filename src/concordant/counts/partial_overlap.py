"""Partial overlap: counts of two sides that do not hold the same elements.

A cluster may contain elements that the other side lacks, as when a system finds a mention that the key does
not have, and may overlap no cluster of the other side. The counts are the multiset of triples (n, a, b) as
in a profile, with the full sizes a and b; the sizes of all clusters; the elements of each side and those in
common. If both sides have the same elements, the profile is used instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any

from concordant.counts.base import ContingencyLoader, OverlapSizes, PartnerSums, RefusedIndex
from concordant.counts.contingency import Contingency
from concordant.counts.profile import Profile
from concordant.errors import ConcordantError, Remedy, TableNeededError, UnmatchedError
from concordant.foundation.remedies import FOR_UNMATCHED
from concordant.maths.arithmetic import Integers, product_sum, size_counts, sums_by


class PartialOverlap(OverlapSizes):
    """Overlaps of clusters, where each side keeps elements that the other lacks.

    Clusters without an overlap count among the rows and columns.

    >>> import numpy as np
    >>> cells = PartialOverlap.of_table(
    ...     Contingency(np.array([0]), np.array([0]), np.array([2]), sizes=(np.array([3, 1]), np.array([2])))
    ... )
    >>> cells.reference_size, cells.candidate_size, cells.common, cells.rows, cells.columns
    (4, 2, 2, 2, 1)
    """

    # How many pairs of elements are compared: of the reference, of the candidate, of elements on both sides.
    compared_pairs: tuple[int, int, int]

    kind = "partial_overlap"
    _why_no_table = (
        "only the sizes of the clusters and overlaps were counted; compare the partitions themselves"
    )

    def __init__(
        self,
        triples: tuple[Any, Any, Any, Any],  # n, a, b and how many cells have these sizes
        sizes: tuple[Mapping[int, int], Mapping[int, int]],  # of all clusters, size -> how many
        *,
        met_squares: tuple[int, int]
        | None,  # Σ r², Σ c²: r, c the elements of a cluster that both sides have
        table: Contingency | ContingencyLoader | None = None,
        best: tuple[PartnerSums, PartnerSums] | None = None,  # of the reference and of the candidate
        compared_pairs: tuple[int, int, int] | None = None,  # all pairs, if not given
        completed: Profile | None = None,
        remedies: tuple[Remedy, ...] = FOR_UNMATCHED[:2],
    ) -> None:
        self._sizes = dict(sizes[0]), dict(sizes[1])
        both = product_sum(triples[0], triples[3])
        super().__init__(triples, self.reference_size + self.candidate_size - both, table, best)
        self.met_squares = met_squares
        self.compared_pairs = compared_pairs or (
            pair_number(self.reference_size),
            pair_number(self.candidate_size),
            pair_number(self.common),
        )
        self._completed = completed
        self.remedies = remedies

    @cached_property
    def reference_size(self) -> int:
        return sum(size * count for size, count in self.row_sizes.items())

    @cached_property
    def candidate_size(self) -> int:
        return sum(size * count for size, count in self.column_sizes.items())

    @cached_property
    def common(self) -> int:
        return product_sum(self.n, self.count)

    @property
    def row_sizes(self) -> dict[int, int]:
        return self._sizes[0]

    @property
    def column_sizes(self) -> dict[int, int]:
        return self._sizes[1]

    @classmethod
    def of_table(
        cls,
        table: Contingency,
        completed: Profile | None = None,
        remedies: tuple[Remedy, ...] = FOR_UNMATCHED[:2],
    ) -> PartialOverlap:
        """From the cells and the sizes of all clusters; ``completed`` has singletons for missing elements."""
        profile = Profile.of_table(table)  # the distinct triples, by the core
        met = (sums_by(table.row, table.n), sums_by(table.column, table.n))
        return cls(
            (profile.n, profile.a, profile.b, profile.count),
            (size_counts(table.row_sizes), size_counts(table.column_sizes)),
            met_squares=(_squares(met[0]), _squares(met[1])),
            table=table,
            completed=completed,
            remedies=remedies,
        )

    @classmethod
    def of_profile(cls, profile: Profile) -> PartialOverlap:
        """The cells of two partitions of one set, whose cells add up to the cluster sizes."""
        return cls(
            (profile.n, profile.a, profile.b, profile.count),
            (profile.row_sizes, profile.column_sizes),
            met_squares=(profile.total(profile.a), profile.total(profile.b)),
            table=ContingencyLoader(partial(getattr, profile, "table"), profile.availability),
            best=profile.best,
            completed=profile,
        )

    def with_compared_pairs(self, reference: int, candidate: int, common: int) -> PartialOverlap:
        """The same cells, if only this many pairs are compared, such as pairs within one document."""
        return PartialOverlap(
            (self.n, self.a, self.b, self.count),
            (self.row_sizes, self.column_sizes),
            met_squares=self.met_squares,
            table=self._table,
            best=self.best,
            compared_pairs=(reference, candidate, common),
            completed=self._completed,
            remedies=self.remedies,
        )

    @property
    def identical(self) -> bool:
        """Whether both sides hold the same elements in the same clusters."""
        return self.common == self.reference_size == self.candidate_size and bool(
            (self.n == self.a).all() and (self.n == self.b).all()
        )

    @property
    def disjoint(self) -> bool:
        """Whether no element is on both sides, though there are some."""
        return not self.common and self.size > 0

    @property
    def partitions(self) -> Profile:
        raise UnmatchedError(
            "some records are on one side only, so these are not two partitions of one set",
            remedies=self.remedies,
        )

    @property
    def completed(self) -> Profile:
        """Two partitions of all elements: each element that one side lacks is a singleton there."""
        if self._completed is None:
            raise TableNeededError("the records that only one side has were not counted; compare the labels")
        return self._completed

    def refusal(self, index: RefusedIndex) -> ConcordantError:
        if not index.is_of_partitions:
            return super().refusal(index)
        return UnmatchedError(
            f"{index.name} is defined for two partitions of the same records, but each side has its own",
            remedies=self.remedies,
        )

    def __repr__(self) -> str:
        return (
            f"PartialOverlap({self.reference_size} and {self.candidate_size} records, "
            f"{self.common} in common, "
            f"rows={self.rows}, columns={self.columns}, cells={self.cells})"
        )


def pair_number(size: int) -> int:
    """Number of pairs of that many elements.

    >>> pair_number(4)
    6
    """
    return size * (size - 1) // 2


def _squares(sizes: Integers) -> int:
    return sum(size * size * count for size, count in size_counts(sizes).items())
