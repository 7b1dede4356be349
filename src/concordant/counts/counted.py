"""Counted: what every engine hands over, and all that a comparison is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from concordant.counts.cover_counts import CoverCounts
from concordant.counts.names import Names, TableNames
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Counts, Profile
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import CoverError, WeightsError

Counts_co = TypeVar("Counts_co", bound=Counts, covariant=True)


@dataclass(slots=True)
class Counted(Generic[Counts_co]):
    """Two partitions, counted: how large their overlaps are, who they are, what was agreed on and found."""

    profile: Counts_co
    names: Names
    conventions: Mapping[str, str] = field(default_factory=dict)  # as the signature prints them
    audit: Mapping[str, int] = field(default_factory=dict)  # how many elements were not simply counted
    # Where each side keeps elements of its own: what indices read. The profile then has each of them
    # alone on the side that lacks it, for what shows who differs.
    loose: PartialOverlap | None = None
    images: Any = None  # the label images, where labels came as such: partitions.images
    noise: tuple[Any, Any] = (None, None)  # the label of each side that means noise, where one does
    # The two sources, where they were counted there: partitions.partition.SourcePartition.
    sources: tuple[Any, Any] | None = None

    @property
    def counts(self) -> Counts_co | PartialOverlap:
        """What indices are computed from."""
        return self.profile if self.loose is None else self.loose

    @property
    def of_partitions(self) -> Counts_co:
        """The profile, where an element lies in one overlap: what overlaps cost adds up then."""
        self.check_partitions()
        return self.profile

    @property
    def covers(self) -> CoverCounts | None:
        """What was counted, where clusters may overlap; None where it is two partitions."""
        return self.profile if isinstance(self.profile, CoverCounts) else None

    def check_partitions(self) -> None:
        """Refuse covers, for what has no meaning there."""
        self.check_unweighted()
        if self.covers is not None:
            raise CoverError(
                "clusters of covers overlap, so that a record has no single place, and edits, scores of "
                "records and samples have no meaning; ask for indices, changes(), clusters(), summary() or "
                "plot(), or look at c.profile.overlaps"
            )

    def check_unweighted(self) -> None:
        """Refuse weights, for what has a meaning for elements that count as one."""
        if isinstance(self.profile, WeightedCounts):
            raise WeightsError(
                "the elements have weights, which only indices read; compare without weights= for changes, "
                "edits, pages, significance and intervals, where every element counts as one"
            )

    @classmethod
    def of(cls, profile: Profile) -> Counted[Profile]:
        """Counts that came without anything else; the clusters are called as the table says."""
        return Counted(profile, TableNames(profile))
