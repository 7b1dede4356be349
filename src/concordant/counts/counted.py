"""Counted: what every engine returns, and all that a comparison is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from concordant.counts.base import Counts
from concordant.counts.names import Names, TableNames
from concordant.counts.profile import Profile


@dataclass(slots=True)
class Counted:
    """Two sides, counted: the sizes of their overlaps, the names of clusters and records, the conventions."""

    counts: Counts
    names: Names
    conventions: Mapping[str, str] = field(default_factory=dict)  # as the signature prints them
    audit: Mapping[str, int] = field(default_factory=dict)  # how many elements were not simply counted
    images: Any = None  # the label images, where labels came as such: partitions.images
    noise: tuple[Any, Any] = (None, None)  # the label of each side that means noise, where one does
    # The two sources, where they were counted there: partitions.partition.SourcePartition.
    sources: tuple[Any, Any] | None = None

    @classmethod
    def of(cls, profile: Profile) -> Counted:
        """A profile that came without anything else; the labels of its table name the clusters."""
        return cls(profile, TableNames(profile))
