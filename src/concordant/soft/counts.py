"""The counts of soft partitions: aligned sides, Gram matrices, and sums over pairs of records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.assignment import one_to_one
from concordant.counts.base import Counts, CountsKind, RefusedIndex, View
from concordant.errors import SoftError
from concordant.maths.arithmetic import plain
from concordant.soft.memberships import UNITS, Memberships

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
    def of_soft(cls, counts: SoftCounts) -> Gram:
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
        """U'U, U'V and V'V, as floating-point numbers."""
        k, length = self.columns
        uu, uv, vv = (
            _floats(cells, shape, self.scale**2)
            for cells, shape in ((self.uu, (k, k)), (self.uv, (k, length)), (self.vv, (length, length)))
        )
        return uu + np.triu(uu, 1).T, uv, vv + np.triu(vv, 1).T


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
    def of_soft(cls, counts: SoftCounts) -> SoftPairSums:
        return counts.pair_sums

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


def _floats(cells: SoftCells, shape: tuple[int, int], unit: int) -> NDArray[np.float64]:
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


_MATCHED_BITS = 60  # of an overlap that a matching of floating-point weights uses


class SoftSides:
    """Both sides over the same records."""

    def __init__(
        self,
        sides: Sequence[Memberships],
        clusters: Sequence[list[Any]],
        records: Any = None,  # their names by position, None if they have none
        audit: dict[str, int] | None = None,
    ) -> None:
        u, v = sides
        self.size, self.clusters, self.audit, self.records = len(u), clusters, audit or {}, records
        self.exact = u.exact and v.exact
        self.scale = math.lcm(u.scale, v.scale) if self.exact else UNITS  # units of a weight of 1
        self.memberships = tuple(each.scaled_to(self.scale, exact=self.exact) for each in sides)
        self.columns = u.columns, v.columns

    def pieces(self) -> Iterator[tuple[Memberships, Memberships]]:
        """The rows of both sides, as many at a time as the core takes."""
        u, v = self.memberships
        for rows in u.chunks():
            yield u.piece(rows), v.piece(rows)

    def rest_units(self) -> tuple[int, int, int]:
        """The units that the reference, the candidate, and both leave in no cluster."""
        u, v = (
            np.zeros(self.size, dtype=np.int64) if each.rest is None else each.rest
            for each in self.memberships
        )
        if not u.any() and not v.any():
            return 0, 0, 0
        return sum(u.tolist()), sum(v.tolist()), sum(np.minimum(u, v).tolist())

    def record(self, position: int) -> Any:
        """The name of a record, or its position."""
        return position if self.records is None else plain(self.records[position])


class SoftCounts(Counts, View):
    """Sums over the records and pairs of two sides."""

    kind: CountsKind = "soft"
    cheap_identity = False
    zero_by_zero = "is 0/0 here"

    def __init__(self, sides: SoftSides, threads: int = 0) -> None:
        self.sides, self._threads = sides, threads
        if not sides.exact:
            self.rounded = (
                "the weights are floating-point numbers, which were rounded; pass fractions or decimals for "
                "an exact value"
            )
        self._views: dict[tuple[type, bool], Any] = {}

    @classmethod
    def of_soft(cls, counts: SoftCounts) -> SoftCounts:
        return counts

    @property
    def size(self) -> int:
        """The number of records."""
        return self.sides.size

    @cached_property
    def gram(self) -> Gram:
        """The Gram matrices."""
        return gram_of(self.sides.pieces(), self.sides.columns, self.sides.scale, self._threads)

    @cached_property
    def pair_sums(self) -> SoftPairSums:
        """Sums over pairs of p, q and their products."""
        return self.gram.pair_sums

    # -- matched columns --------------------------------------------------------------------------------

    @cached_property
    def overlaps(self) -> SoftCells:
        """Σ min(u, v) for each two columns, in units."""
        return overlaps_of(self.sides.pieces(), self._threads)

    @cached_property
    def matched_columns(self) -> list[tuple[int, int]]:
        """Columns paired one to one with the largest total of the smaller weights."""
        return matched_by(self.overlaps, self.sides.columns[1])

    @cached_property
    def matched(self) -> int:
        """Σ min(u, v) over the matched columns, and over the weight in no cluster on both sides, in units."""
        width = self.sides.columns[1]
        in_clusters = sum(self.overlaps[i * width + j] for i, j in self.matched_columns)
        return in_clusters + self.sides.rest_units()[2]

    @property
    def matched_share(self) -> Fraction:
        """The share of all weight that both sides give to the same clusters."""
        return Fraction(self.matched, self.size * self.sides.scale)

    @cached_property
    def identical(self) -> bool:
        """Whether both sides are the same up to the names of clusters."""
        rests = self.sides.rest_units()
        u, v = sum(self.gram.u.values()) + rests[0], sum(self.gram.v.values()) + rests[1]
        return u == self.matched == v

    def refusal(self, index: RefusedIndex) -> SoftError:
        name = index.declared_name
        if index.is_of_partitions:
            forms = index.forms_for(self)
            what = f"its soft form is {' or '.join(forms)}" if forms else "it has no soft form"
            return SoftError(
                f"{name} needs labels, and a side has weights; {what}",
                calls=".hardened compares the largest weights, with all partition indices",
            )
        return SoftError(f"{name} compares {index.inputs}, and a side has weights")


def matched_by(overlaps: SoftCells, width: int) -> list[tuple[int, int]]:
    """Columns paired one to one with the largest total overlap."""
    cells = sorted(overlaps)
    values = [overlaps[cell] for cell in cells]
    excess = max(max(values, default=0).bit_length() - _MATCHED_BITS, 0)
    weights = np.array([max(value >> excess, 1) for value in values], dtype=np.int64)
    rows, columns = np.divmod(np.array(cells, dtype=np.int64), width)
    chosen = one_to_one(rows, columns, weights).tolist()
    return sorted(divmod(cells[i], width) for i in chosen)
