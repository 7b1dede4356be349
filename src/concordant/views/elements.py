"""Sums over the overlaps of the share that an overlap has in its clusters."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import fsum
from typing import Any, Self

import numpy as np

from concordant.counts.arithmetic import FEW_DENOMINATORS, Integers, Sum, sum_of_ratios
from concordant.counts.profile import Profile, View


class Elements(View):
    """Sums over the overlaps of the share that an overlap has in its clusters."""

    def __init__(self, profile: Profile, exact: bool) -> None:
        number: Any = Fraction if exact else int  # both calculate alike
        self._profile, self._exact = profile, exact
        self.size: int = number(profile.size)
        self.rows: int = number(profile.rows)
        self.columns: int = number(profile.columns)
        self.cells: int = number(profile.cells)
        same = (profile.n == profile.a) & (profile.n == profile.b)
        self.kept: int = number(int(profile.count[same].sum()))  # clusters that both partitions have

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        return cls(profile, exact)

    @cached_property
    def over_a(self) -> Sum:
        """Σ n²/a."""
        return self._sum(self._profile.n, self._profile.a)

    @cached_property
    def over_b(self) -> Sum:
        """Σ n²/b."""
        return self._sum(self._profile.n, self._profile.b)

    @cached_property
    def over_larger(self) -> Sum:
        """Σ n²/max(a, b)."""
        return self._sum(self._profile.n, np.maximum(self._profile.a, self._profile.b))

    @cached_property
    def over_union(self) -> Sum:
        """Σ n²/(a + b − n)."""
        return self._sum(self._profile.n, self._profile.a + self._profile.b - self._profile.n)

    @cached_property
    def over_product(self) -> Sum:
        """Σ n²/(a·b), at least 1: exactly 1 for independent partitions."""
        return 1 + self.dependence

    @cached_property
    def over_aa(self) -> Sum:
        """Σ n²/a²."""
        return self._sum(self._profile.n, self._wide(self._profile.a) * self._profile.a)

    @cached_property
    def over_bb(self) -> Sum:
        """Σ n²/b²."""
        return self._sum(self._profile.n, self._wide(self._profile.b) * self._profile.b)

    @cached_property
    def links_of_u(self) -> Sum:
        """Σ n(n−1)/(a−1), a singleton counting 1 where it is one on the other side too."""
        return self._links(self._profile.a, self._profile.b)

    @cached_property
    def links_of_v(self) -> Sum:
        """Σ n(n−1)/(b−1), a singleton counting 1 where it is one on the other side too."""
        return self._links(self._profile.b, self._profile.a)

    @cached_property
    def dependence(self) -> Sum:
        """Mean square contingency χ²/n, as a sum of terms that are never negative."""
        p, size = self._profile, self._profile.size
        n, a, b = (self._wide(x) for x in (p.n, p.a, p.b))
        independent = a * b
        if not size:
            return Fraction(0)
        if self._exact or len(np.unique(independent)) <= FEW_DENOMINATORS:
            return self._ratios(p.count * n * n, independent) - 1
        excess = (n * size - independent).astype(np.float64)
        met = fsum((p.count * excess * (excess / independent.astype(np.float64))).tolist())
        # What independent partitions would put into the empty cells.
        missed = size * size - int((p.count * independent).sum())
        floating: Any = (met + missed) / (size * size)
        return floating  # type: ignore[no-any-return]  # see Sum

    @cached_property
    def apart(self) -> Sum:
        """K + L − 2Σ n²/(a·b), as a sum of terms that are never negative."""
        p = self._profile
        n, a, b = (self._wide(x) for x in (p.n, p.a, p.b))
        return self._ratios(p.count * n * (a + b - 2 * n), a * b)

    @cached_property
    def told_by_u(self) -> Sum:
        """Σ n²/a − Σb²/size: what knowing U adds to guessing the cluster of V."""
        return self._told(self._profile.a, self._profile.b, self.over_a)

    @cached_property
    def told_by_v(self) -> Sum:
        """Σ n²/b − Σa²/size: what knowing V adds to guessing the cluster of U."""
        return self._told(self._profile.b, self._profile.a, self.over_b)

    def _told(self, given: Integers, guessed: Integers, known: Sum) -> Sum:
        p, size = self._profile, self._profile.size
        squares = p.total(guessed)
        if isinstance(known, Fraction):
            return known - Fraction(squares, size) if size else known
        # As a sum of terms that are never negative: (n − a·b/size)²/given over all cells, empty ones too.
        n, x, y = (self._wide(values) for values in (p.n, given, guessed))
        excess = (n * size - x * y).astype(np.float64) / size
        met = fsum((p.count * excess * excess / x).astype(np.float64).tolist())
        missed = squares * size - int((p.count * x * y * y).sum())
        floating: Any = met + missed / (size * size)
        return floating

    def _links(self, own: Integers, other: Integers) -> Sum:
        p = self._profile
        many = own > 1
        alone = int(p.count[(own == 1) & (other == 1)].sum())
        return self._ratios((p.mass * (p.n - 1))[many], (own - 1)[many]) + alone

    def _sum(self, numerator: Integers, denominator: Integers) -> Sum:
        return self._ratios(self._profile.mass * numerator, denominator)

    def _ratios(self, numerators: Integers, denominators: Integers) -> Sum:
        return sum_of_ratios(numerators, denominators, self._exact)

    def _wide(self, values: Integers) -> Integers:
        """Room for products of three sizes, which int64 has up to some two million elements."""
        return values if self._profile.size < 2**20 else values.astype(object)
