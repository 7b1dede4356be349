"""The information that the clusters of one cover have of those of another, one cluster at a time.

A cluster of x among n elements is a yes-or-no question to each element, of entropy H(x) = h(x) + h(n−x),
where h(k) = −(k/n)·log₂(k/n). What is left of it, once a cluster of the other side is known, is their
conditional entropy; each cluster takes the partner that leaves the least. A partner that says the opposite
would serve as well, and is not admitted: the elements that the two agree on must weigh more than the
others, h(n_ij) + h(n−x−y+n_ij) > h(x−n_ij) + h(y−n_ij). Ties are decided on integers.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cached_property
from math import fsum
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Floats, Integers
from concordant.counts.availability import Need
from concordant.counts.base import View
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.errors import TooLargeError

_NEAR = 1e-12  # bits: what rounding cannot tell from a tie
_POWERS = 100_000  # elements up to which powers decide a tie; beyond, fifty digits do


class ClusterInformation(View):
    """Entropies of the clusters of both covers, and what is left of each given its best partner."""

    needs: ClassVar[Need] = Need.TABLE

    def __init__(self, cells: Table, size: int) -> None:
        if size >= 2**53:
            raise TooLargeError(
                "the information of single clusters is compared in floating point, which holds whole numbers "
                "below 2^53, and there are more elements"
            )
        self._cells, self._size = cells, size
        self._h_rows = self._entropy(cells.row_sizes)
        self._h_columns = self._entropy(cells.column_sizes)

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (entropies are never exact)
        return cls(profile.table, profile.size)

    @classmethod
    def of_covers(cls, counts: CoverCounts, exact: bool) -> Self:  # noqa: ARG003  (as above)
        return cls(counts.table, counts.size)

    @cached_property
    def of_u(self) -> float:
        """H(U) = Σ_i H(a_i)."""
        return fsum(self._h_rows.tolist())

    @cached_property
    def of_v(self) -> float:
        """H(V) = Σ_j H(b_j)."""
        return fsum(self._h_columns.tolist())

    @cached_property
    def u_given_v(self) -> float:
        """H(U|V) = Σ_i min(H(a_i), min_j H(A_i|B_j))."""
        return fsum(self._left[0].tolist())

    @cached_property
    def v_given_u(self) -> float:
        return fsum(self._left[1].tolist())

    @property
    def shared(self) -> float:
        """I = (H(U) − H(U|V) + H(V) − H(V|U)) / 2."""
        return ((self.of_u - self.u_given_v) + (self.of_v - self.v_given_u)) / 2

    @property
    def u_left(self) -> float:
        """Mean over the reference clusters of the share H(A_i|V)/H(A_i) that is left; 1 where H is 0."""
        return _mean_ratio(self._left[0], self._h_rows)

    @property
    def v_left(self) -> float:
        return _mean_ratio(self._left[1], self._h_columns)

    @cached_property
    def _left(self) -> tuple[Floats, Floats]:
        """What is left of each cluster of both sides."""
        cells = self._cells
        rows, columns = self._h_rows.copy(), self._h_columns.copy()
        given_column, given_row = self._conditional(cells.a, cells.b, cells.n)
        np.minimum.at(rows, cells.row, given_column)
        np.minimum.at(columns, cells.column, given_row)
        # Without overlap, two clusters can only tell of each other if one has more than half of all.
        for row in np.flatnonzero(2 * cells.row_sizes > self._size).tolist():
            others = _others(cells.column[cells.row == row], len(columns))
            self._without_overlap(rows, np.array([row]), columns, others)
        for column in np.flatnonzero(2 * cells.column_sizes > self._size).tolist():
            others = _others(cells.row[cells.column == column], len(rows))
            self._without_overlap(rows, others, columns, np.array([column]))
        return rows, columns

    def _without_overlap(self, rows: Floats, row: Integers, columns: Floats, column: Integers) -> None:
        if not (len(row) and len(column)):
            return
        x, y = np.broadcast_arrays(self._cells.row_sizes[row], self._cells.column_sizes[column])
        given_column, given_row = self._conditional(x, y, np.zeros_like(x))
        rows[row] = np.minimum(rows[row], given_column if len(row) > 1 else given_column.min())
        columns[column] = np.minimum(columns[column], given_row if len(column) > 1 else given_row.min())

    def _conditional(self, x: Integers, y: Integers, o: Integers) -> tuple[Floats, Floats]:
        """H(X|Y) and H(Y|X) of clusters of x and y elements that share o; infinite where not admitted."""
        both, only_x, only_y = o, x - o, y - o
        neither = self._size - x - y + o
        alike = self._h(both) + self._h(neither)
        unlike = self._h(only_x) + self._h(only_y)
        admitted = alike > unlike
        near = np.flatnonzero(np.abs(alike - unlike) < _NEAR)
        if len(near):
            admitted[near] = self._decided(both[near], neither[near], only_x[near], only_y[near])
        joint = alike + unlike
        given_y = np.maximum(joint - self._entropy(y), 0.0)
        given_x = np.maximum(joint - self._entropy(x), 0.0)
        return np.where(admitted, given_y, np.inf), np.where(admitted, given_x, np.inf)

    def _decided(self, *parts: Integers) -> NDArray[np.bool_]:
        plain = [part.astype(np.int64) for part in parts]  # as there are fewer than 2^53 elements
        quadruples = np.sort(np.stack(plain[:2], axis=1)), np.sort(np.stack(plain[2:], axis=1))
        distinct, which = np.unique(np.concatenate(quadruples, axis=1), axis=0, return_inverse=True)
        weigh = _by_powers if self._size <= _POWERS else _by_digits
        decided = np.array([weigh(self._size, *each) for each in distinct.tolist()], dtype=bool)
        return decided[which.ravel()]

    def _h(self, k: Integers) -> Floats:
        low, high = (int(k.min()), int(k.max())) if len(k) else (0, 0)
        if k.dtype == np.int64 and high - low < len(k) // 2:  # few sizes: one logarithm for each
            looked_up: Floats = self._h(np.arange(low, high + 1))[k - low]
            return looked_up
        filled = np.asarray(k > 0, dtype=bool)
        share = (np.where(filled, k, 1) / max(self._size, 1)).astype(np.float64)
        h: Floats = np.where(filled, -share * np.log2(share), 0.0)
        return h

    def _entropy(self, sizes: Integers) -> Floats:
        return self._h(sizes) + self._h(self._size - sizes)


def _mean_ratio(left: Floats, whole: Floats) -> float:
    ratios = np.divide(left, whole, out=np.ones_like(left), where=whole > 0)
    return fsum(ratios.tolist()) / len(ratios)


def _others(met: Integers, count: int) -> Integers:
    unmet = np.ones(count, dtype=bool)
    unmet[met] = False
    return np.flatnonzero(unmet)


def _by_powers(n: int, a: int, d: int, b: int, c: int) -> bool:
    """h(a) + h(d) > h(b) + h(c), by integers: b^b·c^c·n^(a+d) > a^a·d^d·n^(b+c)."""
    lesser = min(a + d, b + c)  # a power of n that both sides have
    return bool(b**b * c**c * n ** (a + d - lesser) > a**a * d**d * n ** (b + c - lesser))


def _by_digits(n: int, a: int, d: int, b: int, c: int) -> bool:
    """The same by sixty digits: b·ln b + c·ln c + (a+d−b−c)·ln n > a·ln a + d·ln d."""
    with localcontext() as context:
        context.prec = 60
        excess = (a + d - b - c) * Decimal(n).ln()
        for k, sign in ((b, 1), (c, 1), (a, -1), (d, -1)):
            excess += sign * k * Decimal(k).ln() if k else 0
        return bool(excess > Decimal(10) ** -40)
