"""The walk of element-centric similarity on covers: from an element to a cluster of its, to a member.

Each step goes to a cluster of the element, all alike, then to a member, all alike, and with
probability 1−α it starts over. How often y is met on the way from x is P_x(y). It follows from the walk on
clusters, S[c,d] = (1/a_c)·Σ 1/s(x) over the elements of both, by G = (I − αS)⁻¹. Only clusters that are
linked by elements meet, so each component is solved by itself; one of a single cluster needs no matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import ClassVar, Self

import numpy as np

from concordant import core
from concordant.counts.arithmetic import Floats, Integers, Number, sums_by
from concordant.counts.base import View
from concordant.counts.cover_counts import CoverCounts, CoverSide
from concordant.counts.elements import Elements
from concordant.counts.profile import Profile
from concordant.errors import TooLargeError

LINKED_LIMIT = 2000  # clusters of one component
COMPARED_LIMIT = 1_000_000_000  # pairs of types of elements
_AT_ONCE = 4_000_000  # numbers of a matrix that is compared at once
_KEPT = 50_000_000  # numbers of solutions that are kept


class Walk(View):
    """How alike the walks from each element are."""

    quick_cells: ClassVar[float] = 20_000

    def __init__(self, counts: CoverCounts | None, of_partitions: Number = 0) -> None:
        self._counts, self._of_partitions = counts, of_partitions
        self._found: dict[float, float] = {}

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        e = profile.view(Elements, exact)
        return cls(None, e.over_larger / e.size if profile.size else 0)

    @classmethod
    def of_covers(cls, counts: CoverCounts, exact: bool) -> Self:  # noqa: ARG003  (never exact)
        return cls(counts)

    def similarity(self, alpha: float) -> Number:
        """Mean over the elements of 1 − Σ_y |P_x(y) − Q_x(y)| / 2α."""
        if self._counts is None:
            return self._of_partitions
        if alpha not in self._found:
            scores = _scores(_nobody_left_out(self._counts), float(alpha))
            self._found[alpha] = fsum(scores.tolist()) / self._counts.size
        return self._found[alpha]


@dataclass(frozen=True, slots=True)
class _Types:
    """Types of elements, each in a cluster at least on both sides."""

    sides: tuple[CoverSide, CoverSide]
    elements: Integers


def _nobody_left_out(counts: CoverCounts) -> _Types:
    """Elements that are in no cluster of a side stand alone there; each is a type by itself then."""
    missing = (counts.reference.memberships == 0) | (counts.candidate.memberships == 0)
    times = np.where(missing, counts.elements, 1)
    kind = np.repeat(np.arange(len(times)), times)
    elements = np.where(missing[kind], 1, counts.elements[kind])
    return _Types((_alone(counts.reference, kind), _alone(counts.candidate, kind)), elements)


def _alone(side: CoverSide, kind: Integers) -> CoverSide:
    chosen = side.of_types(kind)
    free = np.flatnonzero(chosen.memberships == 0)
    cluster = np.insert(chosen.cluster, chosen.start[free], side.clusters + np.arange(len(free)))
    counts = np.maximum(chosen.memberships, 1)
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return CoverSide(start, cluster, side.clusters + len(free))


def _scores(types: _Types, alpha: float) -> Floats:
    """Of each type, its similarity times its elements."""
    u, v = (_Walks(side, types.elements, alpha) for side in types.sides)
    pair = core.factorize(u.component * (int(v.component.max(initial=0)) + 1) + v.component)[0]
    # One cluster on both sides: all that lie in both are met alike.
    mass = sums_by(pair, types.elements)[pair]
    scores: Floats = mass / np.maximum(u.first_size, v.first_size)
    held = np.flatnonzero(u.is_linked | v.is_linked)
    order, start = core.grouped(core.factorize(pair[held])[0])
    _refuse_too_many(np.diff(start))
    for first, last in zip(start[:-1].tolist(), start[1:].tolist(), strict=True):
        some = held[order[first:last]]
        scores[some] = _compared(some, types.elements[some], (u, v), alpha)
    weighted: Floats = scores * types.elements
    return weighted


def _compared(held: Integers, elements: Integers, walks: tuple[_Walks, _Walks], alpha: float) -> Floats:
    """Of types that lie in the same components of both sides, how alike their walks are."""
    scores = []
    step = max(1, _AT_ONCE // len(held))
    for at in range(0, len(held), step):
        some = held[at : at + step]
        p, q = (walk.met(some, held) for walk in walks)
        inside = np.abs(p - q) @ elements
        outside = (alpha - p @ elements) + (alpha - q @ elements)  # met by one of the walks only
        scores.append(1 - (inside + outside) / (2 * alpha))
    return np.concatenate(scores)


class _Walks:
    """The walks of one side, by component."""

    def __init__(self, side: CoverSide, elements: Integers, alpha: float) -> None:
        self._alpha, self._elements = alpha, elements
        self._start, self._count = side.start[:-1], side.memberships
        self._cluster = _without_gaps(side.cluster)
        self._sizes = sums_by(self._cluster, elements[side.type])
        self.component, of_cluster = core.blocks(side.type, self._cluster)
        self._clusters, self._first_cluster = core.grouped(of_cluster)
        self._types, self._first_type = core.grouped(self.component)
        self.is_linked = (np.diff(self._first_cluster) > 1)[self.component]
        self.first_size = self._sizes[self._cluster[self._start]]
        self._solved: dict[int, tuple[Floats, Integers]] = {}
        self._kept = 0

    def met(self, some: Integers, held: Integers) -> Floats:
        """P_x(y) for x in some and y in held, all of one component, without the start at x itself."""
        one = int(held[0])
        if not self.is_linked[one]:
            return np.full((len(some), len(held)), self._alpha / self.first_size[one])
        walk, clusters = self._solution(int(self.component[one]))
        own = self._indicator(some, clusters)
        own /= own.sum(axis=1, keepdims=True)
        found: Floats = self._alpha * (1 - self._alpha) * (own @ walk) @ self._indicator(held, clusters).T
        return found

    def _solution(self, number: int) -> tuple[Floats, Integers]:
        """G[c, d]/a_d of the clusters of a component, and which they are, in order."""
        if number not in self._solved:
            clusters = np.sort(self._clusters[self._first_cluster[number] : self._first_cluster[number + 1]])
            _refuse_too_linked(len(clusters))
            types = self._types[self._first_type[number] : self._first_type[number + 1]]
            held = self._indicator(types, clusters)
            sizes = self._sizes[clusters].astype(float)
            steps = (held.T * (self._elements[types] / held.sum(axis=1))) @ held / sizes[:, None]
            if self._kept > _KEPT:
                self._solved, self._kept = {}, 0
            self._solved[number] = np.linalg.inv(np.eye(len(sizes)) - self._alpha * steps) / sizes, clusters
            self._kept += len(sizes) ** 2
        return self._solved[number]

    def _indicator(self, types: Integers, clusters: Integers) -> Floats:
        """Which of these types lie in which of these clusters, which are in order."""
        count = self._count[types]
        row = np.repeat(np.arange(len(types)), count)
        within = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        held = np.zeros((len(types), len(clusters)))
        held[row, np.searchsorted(clusters, self._cluster[self._start[types][row] + within])] = 1
        return held


def _without_gaps(cluster: Integers) -> Integers:
    """Clusters numbered without gaps: one that no element is in has no number."""
    present = np.zeros(int(cluster.max(initial=-1)) + 1, dtype=bool)
    present[cluster] = True
    numbers: Integers = (np.cumsum(present) - 1)[cluster]
    return numbers


def _refuse_too_linked(clusters: int) -> None:
    if clusters > LINKED_LIMIT:
        raise TooLargeError(
            f"{clusters:,} clusters are linked by elements that they share, and the walk is solved for up to "
            f"{LINKED_LIMIT:,}; use extended_bcubed_f or omega, which have no such limit"
        )


def _refuse_too_many(types: Integers) -> None:
    pairs = float((types.astype(float) ** 2).sum())
    if pairs > COMPARED_LIMIT:
        raise TooLargeError(
            f"{pairs:.1e} pairs of elements in linked clusters would be compared, more than "
            f"{COMPARED_LIMIT:.0e}; use extended_bcubed_f or omega, which have no such limit"
        )
