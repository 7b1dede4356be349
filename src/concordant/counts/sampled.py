"""Samples of a complete candidate: overlaps of a few true clusters, or labelled pairs of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import Floats, Integers, sums_by


class CandidateClusters(NamedTuple):
    """The candidate clusters of labelled records, and their sizes."""

    column: Integers  # the candidate cluster of each record, as a number
    b: Integers  # its size
    size: int  # records of the candidate
    sizes: Mapping[int, int]  # of all its clusters: how many have each size


@dataclass(frozen=True)
class SampledPairs:
    """Pairs of records that people judged, and whether a candidate has them together.

    Pairs that were drawn together, such as those of one entity, are one unit.
    """

    pairs: Sequence[tuple[Any, Any]]
    same: Floats  # the share of judges that answered yes
    bounds: tuple[Floats, Floats]  # the same, with "unsure" as no and as yes
    together: NDArray[np.bool_]
    weights: Floats  # the inverse of the probability that the pair is drawn
    unit: Integers  # the number of the unit of each pair
    size: int  # records of the candidate
    labelled: int  # records of the pairs
    columns: int  # clusters of the candidate

    measures: ClassVar[tuple[str, ...]] = ("precision", "recall", "f_measure", "jaccard")

    @cached_property
    def clusters(self) -> Sequence[Any]:
        """The units, by number."""
        return range(int(self.unit.max()) + 1)

    @property
    def sizes(self) -> Integers:
        """The number of pairs of each unit."""
        return np.asarray(np.bincount(self.unit), dtype=np.int64)

    def sums(self, terms: Any) -> Floats:
        """The weighted sum of a term of each pair, for each unit."""
        return np.asarray(np.bincount(self.unit, weights=self.weights * terms), dtype=np.float64)

    @property
    def words(self) -> str:
        """The sample, for a sentence."""
        return counted(len(self.pairs), "labelled pair")

    @property
    def facts(self) -> dict[str, int]:
        """The sizes of the sample and of the candidate."""
        return {"records": self.size, "labelled_pairs": len(self.pairs), "candidate_clusters": self.columns}

    @property
    def extremes(self) -> tuple[SampledPairs, ...]:
        """The samples with the worst and the best values that unsure answers permit."""
        low, high = self.bounds
        if (low == high).all():
            return ()
        return tuple(
            replace(self, same=same, bounds=(same, same))
            for same in (np.where(self.together, low, high), np.where(self.together, high, low))
        )

    def is_same_as(self, other: Any) -> bool:
        """Whether another sample has the same pairs with the same labels and weights."""
        own, others = (
            (each.pairs, each.same.tolist(), each.weights.tolist(), each.unit.tolist())
            if isinstance(each, SampledPairs)
            else None
            for each in (self, other)
        )
        return own == others


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

    @property
    def words(self) -> str:
        """The sample, for a sentence."""
        labelled = counted(len(self.clusters), "labelled cluster")
        return f"{labelled} of {counted(self.labelled, 'record')}"

    @property
    def facts(self) -> dict[str, int]:
        """The sizes of the sample and of the candidate."""
        return {
            "records": self.size,
            "labelled_records": self.labelled,
            "labelled_clusters": len(self.clusters),
            "candidate_clusters": self.columns,
        }

    @property
    def extremes(self) -> tuple[SampledCells, ...]:
        """No other samples, as every label is certain."""
        return ()

    def is_same_as(self, other: Any) -> bool:
        """Whether another sample has the same clusters of the same sizes."""
        if not isinstance(other, SampledCells) or self.clusters != other.clusters:
            return False
        return bool((self.sizes == other.sizes).all())

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
