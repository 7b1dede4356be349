"""Gram matrices of two soft partitions: all that sums over pairs need, in one pass over the rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import View
from concordant.soft.memberships import Memberships

if TYPE_CHECKING:
    from concordant.soft.counts import SoftCounts

SoftCells = dict[int, int]  # exact sums by the number of the cell, row by row
RowPieces = Iterable[tuple[Memberships, Memberships]]  # the same rows of both sides


@dataclass(slots=True)
class Gram(View):
    """U'U and V'V (upper triangles), U'V, the column sums, and sums of a = |u|² and b = |v|² over the rows.

    All are whole numbers: sums of products of units.
    """

    columns: tuple[int, int]
    scale: int
    size: int = 0
    uu: SoftCells = field(default_factory=dict)
    uv: SoftCells = field(default_factory=dict)
    vv: SoftCells = field(default_factory=dict)
    u: SoftCells = field(default_factory=dict)
    v: SoftCells = field(default_factory=dict)
    row_sums: list[int] = field(default_factory=lambda: [0] * 5)  # Σa, Σb, Σa², Σab, Σb²

    @classmethod
    def of_soft(cls, counts: SoftCounts, exact: bool) -> Gram:  # noqa: ARG003  (always exact)
        return counts.gram

    def add(self, u: Memberships, v: Memberships, threads: int) -> None:
        """Add rows of both sides."""
        found = _of_large_units(u, v) if object in (u.units.dtype, v.units.dtype) else _of_core(u, v, threads)
        self.add_sums(found, len(u))

    def add_sums(self, found: tuple[Any, ...], size: int) -> None:
        """Add the sums of this many rows."""
        for cells, more in zip((self.uu, self.uv, self.vv, self.u, self.v), found[:5], strict=True):
            if cells:
                for cell, value in more.items():
                    cells[cell] = cells.get(cell, 0) + value
            else:
                cells.update(more)
        self.row_sums = [known + more for known, more in zip(self.row_sums, found[5:], strict=True)]
        self.size += size

    @property
    def pair_sums(self) -> SoftPairSums:
        """The sums over all pairs of records."""
        k, length = self.columns
        a, b, aa, ab, bb = self.row_sums
        square, fourth = self.scale**2, self.scale**4
        return SoftPairSums(
            self.size,
            p=Fraction(_squares(self.u) - a, 2 * square),
            q=Fraction(_squares(self.v) - b, 2 * square),
            pp=Fraction(_triangle_squares(self.uu, k) - aa, 2 * fourth),
            qq=Fraction(_triangle_squares(self.vv, length) - bb, 2 * fourth),
            pq=Fraction(_squares(self.uv) - ab, 2 * fourth),
        )

    @property
    def with_diagonals(self) -> tuple[Fraction, ...]:
        """ΣA, ΣB, ΣA², ΣB², ΣAB of the matrices UU' and VV' with their diagonals, and Σa, Σb."""
        k, length = self.columns
        square, fourth = self.scale**2, self.scale**4
        return (
            Fraction(_squares(self.u), square),
            Fraction(_squares(self.v), square),
            Fraction(_triangle_squares(self.uu, k), fourth),
            Fraction(_triangle_squares(self.vv, length), fourth),
            Fraction(_squares(self.uv), fourth),
            Fraction(self.row_sums[0], square),
            Fraction(self.row_sums[1], square),
        )

    def tables(self) -> tuple[NDArray[np.float64], ...]:
        """U'U, U'V, V'V and the column sums of both sides, as floating-point numbers."""
        k, length = self.columns
        uu, uv, vv = (
            _floats(cells, shape, self.scale**2)
            for cells, shape in ((self.uu, (k, k)), (self.uv, (k, length)), (self.vv, (length, length)))
        )
        whole = (each + np.triu(each, 1).T for each in (uu, vv))
        sums = (_floats(cells, (n,), self.scale) for cells, n in ((self.u, k), (self.v, length)))
        uu, vv = whole
        return uu, uv, vv, *sums


@dataclass(frozen=True, slots=True)
class SoftPairSums(View):
    """Sums over all pairs of records of p and q, the probabilities that both sides hold a pair together."""

    size: int
    p: Fraction
    q: Fraction
    pp: Fraction
    qq: Fraction
    pq: Fraction

    @classmethod
    def of_soft(cls, counts: SoftCounts, exact: bool) -> SoftPairSums:  # noqa: ARG003  (always exact)
        return counts.pair_sums

    of_draws = of_soft

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return self.size * (self.size - 1) // 2

    @property
    def squared_difference(self) -> Fraction:
        """Σ(p − q)²."""
        return self.pp + self.qq - 2 * self.pq

    @property
    def expected_pq(self) -> Fraction:
        """The mean of Σpq over all permutations of the records."""
        return self.p * self.q / self.pairs


def gram_of(pieces: RowPieces, columns: tuple[int, int], scale: int, threads: int = 0) -> Gram:
    """The Gram matrices of rows that come in pieces."""
    gram = Gram(columns, scale)
    for u, v in pieces:
        gram.add(u, v, threads)
    return gram


def overlaps_of(pieces: RowPieces, threads: int = 0) -> SoftCells:
    """For each two columns the sum over the records of the smaller of both weights, in units."""
    total: SoftCells = {}
    for u, v in pieces:
        if object in (u.units.dtype, v.units.dtype):
            smaller = np.minimum(u.table().units[:, :, None], v.table().units[:, None, :]).sum(axis=0)
            found = _cells(smaller)
        else:
            found = _read(core.soft_overlaps(u.as_core_rows, v.as_core_rows, threads))
        for cell, value in found.items():
            total[cell] = total.get(cell, 0) + value
    return total


def _of_core(u: Memberships, v: Memberships, threads: int) -> tuple[Any, ...]:
    found = core.soft_gram(u.as_core_rows, v.as_core_rows, threads)
    return (*map(_read, found[:5]), *found[5:])


def _of_large_units(u: Memberships, v: Memberships) -> tuple[Any, ...]:
    """The same for units that only Python's integers hold."""
    x, y = (each.table().units.astype(object) for each in (u, v))
    a, b = (x * x).sum(axis=1), (y * y).sum(axis=1)
    products = np.triu(x.T @ x), x.T @ y, np.triu(y.T @ y), x.sum(axis=0), y.sum(axis=0)
    sums = a.sum(), b.sum(), (a * a).sum(), (a * b).sum(), (b * b).sum()
    return (*map(_cells, products), *map(int, sums))


def _read(table: NDArray[np.int64]) -> SoftCells:
    """Sums of the core: cells, and the two words of each sum."""
    cells, low, high = table
    words = low.view(np.uint64).tolist(), high.view(np.uint64).tolist()
    return {cell: (above << 64) + below for cell, below, above in zip(cells.tolist(), *words, strict=True)}


def _floats(cells: SoftCells, shape: tuple[int, ...], unit: int) -> NDArray[np.float64]:
    table = np.zeros(shape)
    for cell, value in cells.items():
        table.flat[cell] = value / unit
    return table


def _cells(table: NDArray[Any]) -> SoftCells:
    return {cell: int(value) for cell, value in enumerate(table.flat) if value}


def _squares(cells: SoftCells) -> int:
    return sum(value * value for value in cells.values())


def _triangle_squares(cells: SoftCells, columns: int) -> int:
    """The sum of squares of a symmetric matrix of which only the upper triangle is known."""
    return sum((1 if cell % (columns + 1) == 0 else 2) * value * value for cell, value in cells.items())
