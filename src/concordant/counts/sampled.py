"""Sampled cells: overlaps of a few true clusters, whose records are all known, with a complete candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from concordant.counts.arithmetic import Integers, sums_by


class Places(NamedTuple):
    """The candidate clusters of labelled records, and their sizes."""

    column: Integers  # the candidate cluster of each record, as a number
    b: Integers  # its size
    size: int  # records of the candidate
    sizes: Mapping[int, int]  # of all its clusters: how many have each size


def size_counts(sizes: Integers) -> Counter[int]:
    """How many clusters have each size; those without records do not count.

    >>> import numpy as np
    >>> size_counts(np.array([2, 0, 1, 2]))
    Counter({2: 2, 1: 1})
    """
    size, many = np.unique(sizes[sizes > 0], return_counts=True)
    return Counter(dict(zip(size.tolist(), many.tolist(), strict=True)))


@dataclass(frozen=True)
class SampledCells:
    """The overlaps of labelled clusters with the clusters of a candidate, which holds many more records.

    >>> import numpy as np
    >>> row, n, b = np.array([0, 0, 1]), np.array([2, 1, 2]), np.array([2, 5, 5])
    >>> cells = SampledCells(["x", "y"], row, n, b, 9, {2: 2, 5: 1}, column=np.array([0, 1, 1]))
    >>> cells.sizes.tolist(), cells.labelled, cells.columns
    ([3, 2], 5, 3)
    >>> [part.tolist() for part in cells.unlabelled]
    [[5, 2, 2], [2, 0, 2], [1, 1, 1]]
    """

    clusters: Sequence[Any]  # the labelled true clusters by name
    row: Integers  # the labelled cluster of each overlap
    n: Integers  # the records of each overlap
    b: Integers  # the size of its candidate cluster, in the whole candidate
    size: int  # records of the candidate
    candidate_sizes: Mapping[int, int]  # of all clusters of the candidate: how many have each size
    column: Integers  # the candidate cluster of each overlap, as a number

    @cached_property
    def unlabelled(self) -> tuple[Integers, Integers, Integers]:
        """The candidate clusters, the largest first: size, records without a label, and how many are so."""
        _, first, which = np.unique(self.column, return_index=True, return_inverse=True)
        b = self.b[first]
        left = b - sums_by(which.reshape(-1), self.n, len(first))
        untouched = Counter(self.candidate_sizes)
        untouched.subtract(b.tolist())
        untouched = +untouched  # without sizes of which none is left
        sizes = np.array([*b.tolist(), *untouched])
        found = sizes, np.array([*left.tolist(), *untouched]), np.array([*[1] * len(b), *untouched.values()])
        order = np.argsort(-sizes, kind="stable")
        return found[0][order], found[1][order], found[2][order]

    @cached_property
    def sizes(self) -> Integers:
        """The size of each labelled cluster."""
        return sums_by(self.row, self.n, len(self.clusters))

    @property
    def columns(self) -> int:
        """How many clusters the candidate has."""
        return sum(self.candidate_sizes.values())

    @property
    def labelled(self) -> int:
        """How many records are labelled."""
        return int(self.n.sum())
