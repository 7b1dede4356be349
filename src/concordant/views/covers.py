"""Views of two covers: what pairs of elements share, the company of each element, best partners of clusters.

Each can be made of a profile as well, since a partition is a cover; the values are then those of the index of
partitions that it generalises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import fsum, lcm, sqrt
from typing import ClassVar, Self

import numpy as np

from concordant.counts.arithmetic import Integers, Sum, sum_of_ratios, sums_by
from concordant.counts.availability import Need
from concordant.counts.base import View
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.elements import Elements
from concordant.counts.overlaps import best_shares
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.views.assignment import Assignment

# Shares of up to so many different numbers of clusters are added up as integers.
_FEW_SHARES = 60


@dataclass(frozen=True, slots=True)
class PairHistogram(View):
    """How many pairs of elements share p clusters of the reference and q of the candidate."""

    counts: Mapping[tuple[int, int], int]

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers are exact as they are)
        pairs = profile.view(Pairs)
        table = {(1, 1): pairs.n11, (1, 0): pairs.n10, (0, 1): pairs.n01, (0, 0): pairs.n00}
        return cls({shared: count for shared, count in table.items() if count})

    @classmethod
    def of_covers(cls, counts: CoverCounts, exact: bool) -> Self:  # noqa: ARG003  (as above)
        return cls(counts.pair_histogram)

    @property
    def all(self) -> int:
        """All pairs, n(n-1)/2."""
        return sum(self.counts.values())

    @property
    def observed(self) -> Fraction:
        """Share of the pairs that share as many clusters on both sides: Σ_j J[j,j]/N."""
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


@dataclass(frozen=True, slots=True)
class Company(View):
    """For each element, how far those it shares clusters with are the same on both sides."""

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
        shared = counts.shared
        return cls(
            _mean_shares(counts, (shared.q, shared.p), (t, s), exact),
            _mean_shares(counts, (shared.p, shared.q), (s, t), exact),
            int(counts.elements[s > 0].sum()),
            int(counts.elements[t > 0].sum()),
        )


def _mean_shares(
    counts: CoverCounts, pair: tuple[Integers, Integers], own: tuple[Integers, Integers], exact: bool
) -> Sum:
    """Σ over x of the mean of min(p, q)/q over those that share q ≥ 1 clusters with x, itself included."""
    (whole, other), (of_self, of_other) = pair, own
    linked, inside = whole > 0, of_self > 0
    kind, count = counts.shared.type[linked], counts.shared.count[linked]
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
    """What the best partner of each cluster has in common with it, by F1 and by Ochiai's measure."""

    needs: ClassVar[Need] = Need.TABLE

    def __init__(self, cells: Table, exact: bool) -> None:
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


class CoverMatching(Assignment):
    """The best one-to-one matching of the clusters of two covers."""

    rows: int
    columns: int

    def __init__(self, counts: Profile | CoverCounts, exact: bool) -> None:
        cells = counts.table
        self._cells, self._exact = cells, exact  # type: ignore[assignment]  # row and column are all that is read
        self._n, self._a, self._b = cells.n, cells.a, cells.b
        self.rows, self.columns = (self._counted(len(s)) for s in (cells.row_sizes, cells.column_sizes))

    @classmethod
    def of_covers(cls, counts: CoverCounts, exact: bool) -> Self:
        return cls(counts, exact)
