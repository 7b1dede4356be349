"""What the best partners of clusters account for, where the table itself stays with an engine."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np

from concordant.counts.arithmetic import Integers, counted_alike


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Clusters of one side by their size and by the share n/(a + b) of their best partner.

    The share is part/whole in lowest terms, so that it does not matter which of equally good partners
    was found. A partner that is best by it is also best by F1 and by Jaccard, as both grow with it.
    """

    size: Integers
    part: Integers
    whole: Integers
    count: Integers  # how many clusters have this size and share

    @classmethod
    def counted(cls, size: Integers, part: Integers, whole: Integers, count: Integers) -> Self:
        """From shares in any terms, alike ones together or not."""
        shares = counted_alike((size, part, whole), count)  # first, as few have to be cancelled then
        common = np.gcd(shares[1], shares[2])
        return cls(*counted_alike((shares[0], shares[1] // common, shares[2] // common), shares[3]))


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """What the best partners of the clusters of one side account for, without saying whose they are."""

    overlap: int  # Σ of the largest overlap of each cluster
    shares: Shares
    weakest: Fraction | None  # least Σ n(n−1) / (a(a−1)); None where no cluster has two elements
