"""Views of two covers: clusters shared by pairs, co-members of each element, best partners of clusters.

Each can also be built from a profile, since a partition is a cover; the values are then those of the
partition index that it generalises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import fsum, lcm, sqrt
from typing import ClassVar, Self

import numpy as np

from concordant import core
from concordant.counts.base import Detail, View
from concordant.counts.contingency import Contingency
from concordant.counts.cover_counts import CoverCounts, CoverSide
from concordant.counts.element_centric import Elements
from concordant.counts.overlaps import best_shares
from concordant.counts.pairs import PairCounts
from concordant.counts.profile import Profile
from concordant.errors import TooLargeError
from concordant.maths.arithmetic import Floats, Integers, Number, Sum, sum_of_ratios, sums_by

# Shares of up to this many different numbers of clusters are added up as integers.
_FEW_SHARES = 60


@dataclass(slots=True, eq=False)
class PairHistogram(View):
    """How many pairs of elements share p clusters of the reference and q of the candidate."""

    counts: Mapping[tuple[int, int], int]

    @classmethod
    def of(cls, profile: Profile) -> Self:
        pairs = profile.view(PairCounts)
        table = {(1, 1): pairs.n11, (1, 0): pairs.n10, (0, 1): pairs.n01, (0, 0): pairs.n00}
        return cls({shared: count for shared, count in table.items() if count})

    @classmethod
    def of_covers(cls, counts: CoverCounts) -> Self:
        return cls(counts.pair_histogram)

    @property
    def all(self) -> int:
        """All pairs, n(n-1)/2."""
        return sum(self.counts.values())

    @property
    def observed(self) -> Fraction:
        """Share of the pairs that share equally many clusters on both sides: Σ_j J[j,j]/N."""
        return Fraction(sum(count for (p, q), count in self.counts.items() if p == q), self.all)

    @property
    def expected(self) -> Fraction:
        """The mean of that share over all orders of the elements: Σ_j t_U[j]·t_V[j]/N²."""
        of_u, of_v = self._margin(0), self._margin(1)
        return Fraction(sum(count * of_v.get(j, 0) for j, count in of_u.items()), self.all**2)

    def _margin(self, side: int) -> dict[int, int]:
        margin: dict[int, int] = {}
        for shared, count in self.counts.items():
            margin[shared[side]] = margin.get(shared[side], 0) + count
        return margin


@dataclass(slots=True, eq=False)
class Company(View):
    """For each element, how far those it shares clusters with are the same on both sides."""

    has_exact_form: ClassVar[bool] = True

    precision: Sum  # summed over the elements that are in some candidate cluster
    recall: Sum  # over those in some reference cluster
    in_u: int  # elements in some reference cluster
    in_v: int

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        e = profile.view(Elements, exact)
        return cls(e.over_b, e.over_a, profile.size, profile.size)

    @classmethod
    def of_covers(cls, counts: CoverCounts, exact: bool) -> Self:
        s, t = counts.reference.memberships, counts.candidate.memberships
        _, p, q, _ = counts.shared
        return cls(
            _mean_shares(counts, (q, p), (t, s), exact),
            _mean_shares(counts, (p, q), (s, t), exact),
            int(counts.elements[s > 0].sum()),
            int(counts.elements[t > 0].sum()),
        )


def _mean_shares(
    counts: CoverCounts, pair: tuple[Integers, Integers], own: tuple[Integers, Integers], exact: bool
) -> Sum:
    """Σ over x of the mean of min(p, q)/q over those that share q ≥ 1 clusters with x, itself included."""
    (whole, other), (of_self, of_other) = pair, own
    linked, inside = whole > 0, of_self > 0
    kind, _, _, count = (column[linked] for column in counts.shared)
    whole, part = whole[linked], np.minimum(whole, other)[linked]
    met = sums_by(kind, count, len(of_self)) + 1
    self_part = np.minimum(of_self, of_other)
    different = np.unique(np.concatenate([whole, of_self[inside]])).tolist()
    if len(different) > _FEW_SHARES and not exact:
        shares = np.bincount(kind, weights=count * (part / whole), minlength=len(of_self))
        shares = (shares[inside] + self_part[inside] / of_self[inside]) / met[inside]
        floating: Sum = fsum((shares * counts.elements[inside]).tolist())  # type: ignore[assignment]  # see Sum
        return floating
    scale = lcm(*different)
    if scale * counts.size**2 * max(different, default=1) >= 2**62:
        count, self_part = count.astype(object), self_part.astype(object)
    parts = sums_by(kind, count * part * (scale // whole), len(of_self))
    parts = parts[inside] + self_part[inside] * (scale // of_self[inside])
    return sum_of_ratios(parts * counts.elements[inside], met[inside], exact) / scale


class BestPartners(View):
    """The overlap of each cluster with its best partner, by F1 and by Ochiai's measure."""

    needs: ClassVar[Detail] = Detail.TABLE
    has_exact_form: ClassVar[bool] = True

    def __init__(self, cells: Contingency, exact: bool) -> None:
        self._cells, self._exact = cells, exact

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        return cls(profile.table, exact)

    @classmethod
    def of_covers(cls, counts: CoverCounts, exact: bool) -> Self:
        return cls(counts.table, exact)

    @cached_property
    def rows_f1(self) -> Fraction:
        """Mean over the reference clusters of max_j 2n_ij/(a_i+b_j)."""
        return self._f1(self._cells.row, self._cells.row_sizes, weighted=False)

    @cached_property
    def columns_f1(self) -> Fraction:
        """Mean over the candidate clusters of max_i 2n_ij/(a_i+b_j)."""
        return self._f1(self._cells.column, self._cells.column_sizes, weighted=False)

    @cached_property
    def rows_f1_weighted(self) -> Fraction:
        """The same, each cluster weighted by its size."""
        return self._f1(self._cells.row, self._cells.row_sizes, weighted=True)

    @cached_property
    def columns_f1_weighted(self) -> Fraction:
        return self._f1(self._cells.column, self._cells.column_sizes, weighted=True)

    @cached_property
    def rows_ochiai(self) -> float:
        """Mean over the reference clusters of max_j n_ij/√(a_i·b_j)."""
        return self._ochiai(self._cells.row, self._cells.row_sizes)

    @cached_property
    def columns_ochiai(self) -> float:
        return self._ochiai(self._cells.column, self._cells.column_sizes)

    def _f1(self, group: Integers, sizes: Integers, *, weighted: bool) -> Fraction:
        cells = self._cells
        whole = cells.a + cells.b
        best = best_shares(group, cells.n, whole)
        best = best[best >= 0]
        weights = sizes[group[best]] if weighted else 1
        total = sum_of_ratios(2 * cells.n[best] * weights, whole[best], self._exact)
        return total / int(sizes.sum() if weighted else len(sizes))

    def _ochiai(self, group: Integers, sizes: Integers) -> float:
        cells = self._cells
        # Products of two sizes need twice the digits of a size.
        wide = int(cells.n.max(initial=0)) >= 2**31 or int((cells.a + cells.b).max(initial=0)) >= 2**31
        n, a, b = (x.astype(object) if wide else x for x in (cells.n, cells.a, cells.b))
        best = best_shares(group, n * n, a * b)
        best = best[best >= 0]
        squares = zip((cells.n[best] ** 2).tolist(), (cells.a[best] * cells.b[best]).tolist(), strict=True)
        return fsum(sqrt(above / below) for above, below in squares) / len(sizes)


LINKED_LIMIT = 2000  # clusters of one component
COMPARED_LIMIT = 1_000_000_000  # pairs of types of elements
_AT_ONCE = 4_000_000  # size of a matrix that is compared in one step
_KEPT = 50_000_000  # numbers of solutions that are kept


class Walk(View):
    """The similarity of the walks from each element."""

    quick_cells: ClassVar[float] = 20_000
    has_exact_form: ClassVar[bool] = True

    def __init__(self, counts: CoverCounts | None, of_partitions: Number = 0) -> None:
        self._counts, self._of_partitions = counts, of_partitions
        self._found: dict[float, float] = {}

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        e = profile.view(Elements, exact)
        return cls(None, e.over_larger / e.size if profile.size else 0)

    @classmethod
    def of_covers(cls, counts: CoverCounts, _: bool) -> Self:
        return cls(counts)

    def similarity(self, alpha: float) -> Number:
        """Mean over the elements of 1 − Σ_y |P_x(y) − Q_x(y)| / 2α."""
        if self._counts is None:
            return self._of_partitions
        if alpha not in self._found:
            scores = _scores(self._counts, float(alpha))
            self._found[alpha] = fsum(scores.tolist()) / self._counts.size
        return self._found[alpha]


def _alone(side: CoverSide, kind: Integers) -> CoverSide:
    chosen = side.of_types(kind)
    free = np.flatnonzero(chosen.memberships == 0)
    cluster = np.insert(chosen.cluster, chosen.start[free], side.clusters + np.arange(len(free)))
    counts = np.maximum(chosen.memberships, 1)
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return CoverSide(start, cluster, side.clusters + len(free))


def _scores(counts: CoverCounts, alpha: float) -> Floats:
    """The similarity of each type times its number of elements."""
    # Elements in no cluster of a side are singletons there, and each is then its own type.
    missing = (counts.reference.memberships == 0) | (counts.candidate.memberships == 0)
    times = np.where(missing, counts.elements, 1)
    kind = np.repeat(np.arange(len(times)), times)
    elements = np.where(missing[kind], 1, counts.elements[kind])
    u, v = (_Walks(_alone(side, kind), elements, alpha) for side in counts.sides)
    pair = core.factorize(u.component * (int(v.component.max(initial=0)) + 1) + v.component)[0]
    # One cluster on both sides: walks visit all common members equally often.
    mass = sums_by(pair, elements)[pair]
    scores: Floats = mass / np.maximum(u.first_size, v.first_size)
    held = np.flatnonzero(u.is_linked | v.is_linked)
    order, start = core.grouped(core.factorize(pair[held])[0])
    pairs = float((np.diff(start).astype(float) ** 2).sum())
    if pairs > COMPARED_LIMIT:
        raise TooLargeError(
            f"{pairs:.1e} pairs of elements in linked clusters would be compared, more than "
            f"{COMPARED_LIMIT:.0e}; use extended_bcubed_f or omega, which have no such limit"
        )
    for first, last in zip(start[:-1].tolist(), start[1:].tolist(), strict=True):
        some = held[order[first:last]]
        scores[some] = _compared(some, elements[some], (u, v), alpha)
    weighted: Floats = scores * elements
    return weighted


def _compared(held: Integers, elements: Integers, walks: tuple[_Walks, _Walks], alpha: float) -> Floats:
    """The similarity of the walks of types in the same components of both sides."""
    scores = []
    step = max(1, _AT_ONCE // len(held))
    for at in range(0, len(held), step):
        some = held[at : at + step]
        p, q = (walk.met(some, held) for walk in walks)
        inside = np.abs(p - q) @ elements
        outside = (alpha - p @ elements) + (alpha - q @ elements)  # visited by only one of the walks
        scores.append(1 - (inside + outside) / (2 * alpha))
    return np.concatenate(scores)


class _Walks:
    """The walks of one side, by component."""

    def __init__(self, side: CoverSide, elements: Integers, alpha: float) -> None:
        self._alpha, self._elements = alpha, elements
        self._start, self._count = side.start[:-1], side.memberships
        present = np.zeros(int(side.cluster.max(initial=-1)) + 1, dtype=bool)
        present[side.cluster] = True
        self._cluster = (np.cumsum(present) - 1)[side.cluster]  # numbered without gaps
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
            if len(clusters) > LINKED_LIMIT:
                raise TooLargeError(
                    f"{len(clusters):,} clusters are linked by elements that they share, and the walk is "
                    f"solved for up to {LINKED_LIMIT:,}; use extended_bcubed_f or omega, which have no limit"
                )
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
        """Which of these types are in which of these sorted clusters."""
        count = self._count[types]
        row = np.repeat(np.arange(len(types)), count)
        within = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        held = np.zeros((len(types), len(clusters)))
        held[row, np.searchsorted(clusters, self._cluster[self._start[types][row] + within])] = 1
        return held
