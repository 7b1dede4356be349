"""Counted: what every engine hands over, and all that a comparison is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from concordant.counts.loose import LooseCells
from concordant.counts.names import Names, TableNames
from concordant.counts.profile import Counts, Profile

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
    loose: LooseCells | None = None

    @property
    def counts(self) -> Counts_co | LooseCells:
        """What indices are computed from."""
        return self.profile if self.loose is None else self.loose

    @classmethod
    def of(cls, profile: Profile) -> Counted[Profile]:
        """Counts that came without anything else; the clusters are called as the table says."""
        return Counted(profile, TableNames(profile))
