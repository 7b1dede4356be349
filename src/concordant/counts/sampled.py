"""Sampled cells: how a few true clusters, whose records are all known, lie in a complete candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from concordant.counts.arithmetic import Integers, sums_by


class Places(NamedTuple):
    """Where labelled records lie in a candidate, and how large it is."""

    column: Integers  # the candidate cluster of each record, as a number
    b: Integers  # its size
    size: int  # records of the candidate
    columns: int  # clusters of the candidate


@dataclass(frozen=True)
class SampledCells:
    """The overlaps of labelled clusters with the clusters of a candidate, which holds many more records.

    >>> import numpy as np
    >>> cells = SampledCells(["x", "y"], np.array([0, 0, 1]), np.array([2, 1, 2]), np.array([2, 5, 5]), 9, 3)
    >>> cells.sizes.tolist(), cells.labelled
    ([3, 2], 5)
    """

    clusters: Sequence[Any]  # the labelled true clusters by name
    row: Integers  # the labelled cluster of each overlap
    n: Integers  # the records of each overlap
    b: Integers  # the size of its candidate cluster, in the whole candidate
    size: int  # records of the candidate
    columns: int  # clusters of the candidate

    @cached_property
    def sizes(self) -> Integers:
        """The size of each labelled cluster."""
        return sums_by(self.row, self.n, len(self.clusters))

    @property
    def labelled(self) -> int:
        """How many records are labelled."""
        return int(self.n.sum())
