"""Counts of two covers: clusters can overlap, and an element can be in several or in none.

Elements that are in the same clusters on both sides are one type; everything is counted by types. They give
the overlaps of the clusters (``cells``) and, for each type, the number of other elements that share p
clusters of the reference and q of the candidate with it (``shared``), both without visiting pairs of
elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import Availability, Counts, Detail, RefusedIndex, View
from concordant.counts.contingency import Contingency
from concordant.counts.profile import Profile
from concordant.errors import ConcordantError, CoverError, TooLargeError
from concordant.foundation.conventions import SideName
from concordant.maths.arithmetic import Integers, size_counts, sums_by

# Subsets of the clusters of one type that are counted, steps from type to type, and overlaps that are made:
# each some seconds of work, and at most a few gigabytes.
SUBSET_LIMIT = 50_000_000
STEP_LIMIT = 5_000_000_000
OVERLAP_LIMIT = 100_000_000

# Subsets of more clusters than this are not counted, however few elements have so many.
_WIDEST = 20


@dataclass(frozen=True, slots=True)
class CoverSide:
    """One cover: the clusters of type x are ``cluster[start[x]:start[x + 1]]``."""

    start: Integers
    cluster: Integers
    clusters: int

    @classmethod
    def of_memberships(cls, size: int, element: Any, cluster: Any) -> Self:
        """The memberships in the order of the elements, then of the clusters."""
        element, cluster = np.asarray(element, dtype=np.int64), np.asarray(cluster, dtype=np.int64)
        if (np.diff(cluster) < 0).any():
            order = core.grouped(np.ascontiguousarray(cluster))[0]
            element, cluster = element[order], cluster[order]
        # Within an element, memberships keep their order: by cluster.
        order, found = core.grouped(np.ascontiguousarray(element))
        start = np.full(size + 1, len(element), dtype=np.int64)
        start[: len(found)] = found
        return cls(start, cluster[order], int(cluster.max(initial=-1)) + 1)

    def signatures(self, rng: np.random.Generator) -> NDArray[np.uint64]:
        """128 bits for each element: the sum of the random words of its clusters."""
        signatures = np.empty((len(self.start) - 1, 2), dtype=np.uint64)
        sums = np.zeros(len(self.cluster) + 1, dtype=np.uint64)
        for half in signatures.T:  # NumPy adds up one row faster than two columns
            words = rng.integers(0, 2**64, self.clusters, dtype=np.uint64)
            np.cumsum(words[self.cluster], out=sums[1:])
            at_start = sums[self.start]
            np.subtract(at_start[1:], at_start[:-1], out=half)
        return signatures

    @property
    def memberships(self) -> Integers:
        """The number of clusters of each type."""
        return np.diff(self.start)

    @property
    def type(self) -> Integers:
        """The type of each membership."""
        return np.repeat(np.arange(len(self.start) - 1), self.memberships)

    def of_types(self, types: Integers) -> CoverSide:
        """The memberships of these types alone, in this order."""
        counts = self.memberships[types]
        start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        within = np.arange(start[-1]) - np.repeat(start[:-1], counts)
        chosen = self.cluster[np.repeat(self.start[types], counts) + within]
        return CoverSide(start, chosen, self.clusters)


class CoverCounts(Counts):
    """Two covers of one set, by types of elements.

    >>> counts = CoverCounts.of_memberships(3, ([0, 1, 1, 2], [0, 0, 1, 1]), ([0, 1, 2], [0, 0, 0]))
    >>> counts.size, counts.rows, counts.columns, counts.identical
    (3, 2, 1, False)
    """

    reference: CoverSide
    candidate: CoverSide
    size: int
    rows: int
    columns: int

    kind = "covers"

    def __init__(
        self, reference: CoverSide, candidate: CoverSide, elements: Integers, threads: int = 0
    ) -> None:
        self.reference, self.candidate = reference, candidate
        self.elements = elements  # how many of each type
        self.size = int(elements.sum())
        self.rows, self.columns = reference.clusters, candidate.clusters
        self._threads = threads
        self._views = {}

    @classmethod
    def of_memberships(cls, size: int, reference: Any, candidate: Any, threads: int = 0) -> Self:
        """From (element, cluster) of each membership on both sides; elements and clusters from 0."""
        sides = [CoverSide.of_memberships(size, *side) for side in (reference, candidate)]
        rng = np.random.default_rng()
        signature = np.stack([side.signatures(rng) for side in sides], axis=1).reshape(size, 4)
        # 256 random bits: two types never collide by accident.
        packed = np.ascontiguousarray(signature).view("V32").reshape(size)
        which, first = core.factorize_items(packed, threads) if size else (np.zeros(0, int), np.zeros(0, int))
        elements = np.bincount(which, minlength=len(first)).astype(np.int64)
        return cls(sides[0].of_types(first), sides[1].of_types(first), elements, threads)

    # -- properties ----------------------------------------------------------------------------

    @cached_property
    def identical(self) -> bool:
        """Whether both have the same clusters, each equally often; by 128 random bits each."""
        if self.rows != self.columns:
            return False
        words = np.random.default_rng().integers(0, 2**64, (len(self.elements), 2), dtype=np.uint64)
        marks = [_sums_of_words(words[side.type], side.cluster, side.clusters) for side in self.sides]
        order = [np.lexsort(each.T) for each in marks]
        return bool((marks[0][order[0]] == marks[1][order[1]]).all())

    @property
    def sides(self) -> tuple[CoverSide, CoverSide]:
        return self.reference, self.candidate

    @property
    def cells(self) -> int:
        """Number of non-empty overlaps; an upper bound if there are too many to count."""
        return len(self.table.n) if self.overlaps_fit else int(self._meetings)

    @property
    def overlaps_fit(self) -> bool:
        """Whether the overlaps are few enough to be counted."""
        return self._meetings <= OVERLAP_LIMIT

    def check_overlaps(self) -> None:
        """Refuse to count more overlaps than fit."""
        if not self.overlaps_fit:
            raise TooLargeError(
                f"some records are in so many clusters of both sides that {self._meetings:.1e} overlaps "
                f"would be counted, more than {OVERLAP_LIMIT:.0e}; leave out the records with the most "
                "memberships"
            )

    @cached_property
    def _meetings(self) -> float:
        """Number of pairs of a reference and a candidate cluster, summed over the types."""
        return float(self.reference.memberships.astype(float) @ self.candidate.memberships)

    @cached_property
    def row_sizes(self) -> dict[int, int]:
        """Distinct sizes of the reference's clusters, each with the number of clusters."""
        return size_counts(self._sizes(self.reference))

    @cached_property
    def column_sizes(self) -> dict[int, int]:
        """Distinct sizes of the candidate's clusters, each with the number of clusters."""
        return size_counts(self._sizes(self.candidate))

    @property
    def availability(self) -> Availability:
        """All views are available, but costs of overlaps do not add up, as an element can be in several."""
        return Availability(Detail.TABLE, adds_up=False)

    @cached_property
    def table(self) -> Contingency:
        """Which clusters overlap, and by how much."""
        row, column, kind = self._met()
        order = core.grouped(column)[0]
        order = order[core.grouped(row[order])[0]]  # by row, and within a row still by column
        row, column = row[order], column[order]
        first = np.flatnonzero((np.diff(row, prepend=-1) != 0) | (np.diff(column, prepend=-1) != 0))
        n = np.add.reduceat(self.elements[kind[order]], first) if len(first) else np.zeros(0, dtype=np.int64)
        sizes = self._sizes(self.reference), self._sizes(self.candidate)
        return Contingency(row[first], column[first], n, sizes=sizes)

    def united(self, chosen: NDArray[np.bool_], side: SideName) -> Integers:
        """The number of elements of each cluster of a side that are in at least one chosen overlap."""
        row, column, kind = self._met()
        keys = self.table.row * max(self.columns, 1) + self.table.column
        inside = chosen[np.searchsorted(keys, row * max(self.columns, 1) + column)]
        cluster, count = (row, self.rows) if side == "reference" else (column, self.columns)
        types = max(len(self.elements), 1)
        held, element = np.divmod(np.unique(cluster[inside] * types + kind[inside]), types)
        return sums_by(held, self.elements[element], count)

    def _met(self) -> tuple[Integers, Integers, Integers]:
        """All pairs of a reference and a candidate membership of the same type, and the type."""
        self.check_overlaps()
        u, v = self.reference, self.candidate
        times = v.memberships[u.type]
        row = np.repeat(u.cluster, times)
        within = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
        kind = np.repeat(u.type, times)
        return row, v.cluster[v.start[kind] + within], kind

    @cached_property
    def shared(self) -> tuple[Integers, Integers, Integers, Integers]:
        """How many other elements share p and q clusters with an element of a type; p or q is not 0.

        The columns are the type, p, q and the number of elements.
        """
        u, v = self.reference, self.candidate
        width = u.memberships + v.memberships
        widest = int(width.max(initial=0))
        subsets = float(np.exp2(width.astype(float)).sum()) if widest <= 1000 else np.inf
        steps = sum(
            float((np.bincount(side.cluster, minlength=side.clusters).astype(float) ** 2).sum())
            for side in (u, v)
        )
        by_subsets = widest <= _WIDEST and subsets <= min(SUBSET_LIMIT, 4 * steps)
        if not by_subsets and steps > STEP_LIMIT:
            raise TooLargeError(
                f"records are in up to {widest:,} clusters of both sides: counting what pairs share takes "
                f"up to 2^{widest} subsets of clusters for each (at most {SUBSET_LIMIT:.0e} in all, of at "
                f"most {_WIDEST} clusters) or {steps:.1e} steps (at most {STEP_LIMIT:.0e}); leave out the "
                "largest clusters, or the records with the most memberships"
            )
        return core.shared_clusters(
            u.start, u.cluster, v.start, v.cluster, self.elements, by_subsets, self._threads
        )

    @cached_property
    def pair_histogram(self) -> dict[tuple[int, int], int]:
        """J[p, q]: how many pairs of elements share p clusters of the reference and q of the candidate."""
        kind, p, q, count = self.shared
        width = int(q.max(initial=0)) + 1
        key, first = core.factorize(p * width + q)
        ends = count * self.elements[kind]  # both ends of a pair count it
        found = {
            (int(p[i]), int(q[i])): twice // 2
            for i, twice in zip(first.tolist(), sums_by(key, ends, len(first)).tolist(), strict=True)
        }
        apart = self.size * (self.size - 1) // 2 - sum(found.values())
        return dict(sorted(({(0, 0): apart} | found if apart else found).items()))

    @property
    def partitions(self) -> Profile:
        raise CoverError(
            "clusters of covers overlap, so a record can be in several clusters, and edits, record scores "
            "and samples are not defined; use indices, changes(), clusters(), summary() or plot()"
        )

    def _no_view(self, kind: type[View]) -> CoverError:  # noqa: ARG002
        return CoverError("this needs partitions, each record in one cluster, and covers were compared")

    def refusal(self, index: RefusedIndex) -> ConcordantError:
        if not index.is_of_partitions:
            return super().refusal(index)
        name, forms = index.declared_name, index.forms_for(self)
        what = f"covers have {', '.join(index.others_for(self))}"
        if forms:
            what = f"its form for covers is {forms[0]}"
        return CoverError(f"{name} needs partitions, each record in one cluster; {what}")

    def _sizes(self, side: CoverSide) -> Integers:
        return sums_by(side.cluster, self.elements[side.type], side.clusters)

    def __repr__(self) -> str:
        return f"CoverCounts(size={self.size}, rows={self.rows}, columns={self.columns})"


def _sums_of_words(words: NDArray[np.uint64], group: Integers, groups: int) -> NDArray[np.uint64]:
    """Sums of the words of each group, modulo 2**64."""
    order, start = core.grouped(group)
    sums = np.zeros((len(words) + 1, 2), dtype=np.uint64)
    np.cumsum(words[order], axis=0, out=sums[1:])
    ends = np.full(groups + 1, len(words), dtype=np.int64)
    ends[: len(start)] = start
    difference: NDArray[np.uint64] = sums[ends[1:]] - sums[ends[:-1]]
    return difference
