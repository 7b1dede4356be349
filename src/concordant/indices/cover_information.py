"""Overlapping NMI: how much information the clusters of two covers share.

H(U) is the sum of the entropies of its clusters; each cluster is a yes-or-no question about every element.
H(U|V) is the remaining entropy if each cluster of U is predicted from its best partner in V; I = (H(U) −
H(U|V) + H(V) − H(V|U)) / 2. Partners need not overlap, but they must agree more than they disagree. These
indices differ from the NMI of partitions, even for partitions.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cached_property
from math import fsum, inf, sqrt
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Detail, View
from concordant.counts.contingency import Contingency
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.profile import Profile
from concordant.errors import TooLargeError
from concordant.indices.index import index
from concordant.maths.arithmetic import Floats, Integers

_MGH = "McDaid, Greene & Hurley 2011, arXiv:1110.2515"


_NEAR = 1e-12  # bits: smaller differences may be rounding errors
_POWERS = 100_000  # elements up to which powers decide a tie; with more, sixty digits do


class ClusterInformation(View):
    """Entropies of the clusters of both covers, and the rest of each given its best partner."""

    needs: ClassVar[Detail] = Detail.TABLE

    def __init__(self, cells: Contingency, size: int) -> None:
        if size >= 2**53:
            raise TooLargeError(
                "the information of single clusters is compared in floating point, which is exact for fewer "
                "than 2^53 elements, and there are more"
            )
        self._cells, self._size = cells, size
        self._h_rows = self._entropy(cells.row_sizes)
        self._h_columns = self._entropy(cells.column_sizes)

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(profile.table, profile.size)

    @classmethod
    def of_covers(cls, counts: CoverCounts) -> Self:
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
        """The remaining entropy of each cluster of both sides."""
        cells = self._cells
        rows, columns = self._h_rows.copy(), self._h_columns.copy()
        given_column, given_row = self._conditional(cells.a, cells.b, cells.n)
        np.minimum.at(rows, cells.row, given_column)
        np.minimum.at(columns, cells.column, given_row)
        # Without overlap, two clusters share information only if one has more than half of all elements.
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


@index(
    title="Overlapping NMI, by the maximum",
    formula="I / max(H(U), H(V))",
    undefined=0,
    headline=13,
    sides="covers",
    aliases=("onmi", "ONMI"),
    cite=_MGH,
    known_as={
        "cdlib": "overlapping_normalized_mutual_information_MGH(normalization='max')",
        "onmi": "NMI<Max>",
        "NetworKit": "OverlappingNMIDistance(Max)",
    },
    remarks={
        "onmi": "ignores partners without overlap",
        "NetworKit": "a distance: 1 minus this; ignores partners without overlap",
        "cdlib": "the universe is the union of both covers",
        "CluSim": "overlap_quality adds the joint entropy instead of subtracting it",
    },
    worked=(("0011", "0011", 1), ("0011", "0101", 0)),
)
def onmi_max(i: ClusterInformation) -> float:
    """Information shared by the clusters, relative to the larger entropy.

    The most common ONMI. It detects a cluster that is listed twice. Some different covers also score 1,
    because a cluster of all elements has no entropy: {0} and {0, 012} on three elements.
    """
    return i.shared / max(i.of_u, i.of_v)


@index(
    title="Overlapping NMI, by the mean",
    formula="2I / (H(U) + H(V))",
    undefined=0,
    sides="covers",
    aliases=("onmi_sum",),
    cite=_MGH,
    known_as={"onmi": "NMI<Sum>", "NetworKit": "OverlappingNMIDistance(ArithmeticMean)"},
    worked=(("0011", "0011", 1), ("0011", "0101", 0)),
)
def onmi_mean(i: ClusterInformation) -> float:
    """Information shared by the clusters, relative to the mean entropy.

    Some different covers also score 1, such as {01, 01} and {01} on three elements.
    """
    return 2 * i.shared / (i.of_u + i.of_v)


@index(
    title="Overlapping NMI, by the minimum",
    formula="I / min(H(U), H(V))",
    range=(0, inf),
    undefined=0,
    sides="covers",
    agreement="larger",
    cite=_MGH,
    known_as={"NetworKit": "OverlappingNMIDistance(Min)"},
    remarks={"NetworKit": "a distance: 1 minus this, capped at 1"},
    worked=(("0011", "0011", 1),),
)
def onmi_min(i: ClusterInformation) -> float:
    """Information shared by the clusters, relative to the smaller entropy.

    It can exceed 1: {01, 01} against {01} on three elements scores 1.5. Prefer onmi_max.
    """
    return i.shared / min(i.of_u, i.of_v)


@index(
    title="Overlapping NMI, by the geometric mean",
    formula="I / √(H(U)·H(V))",
    range=(0, inf),
    undefined=0,
    sides="covers",
    agreement="larger",
    cite=_MGH,
    known_as={"NetworKit": "OverlappingNMIDistance(GeometricMean)"},
    worked=(("0011", "0011", 1),),
)
def onmi_sqrt(i: ClusterInformation) -> float:
    """Information shared by the clusters, relative to the geometric mean of the entropies.

    It can exceed 1: {01, 01} against {01} on three elements scores 1.06. Prefer onmi_max.
    """
    return i.shared / sqrt(i.of_u * i.of_v)


@index(
    title="Overlapping NMI, by the joint entropy",
    formula="I / (H(U) + H(V) − I)",
    undefined=0,
    sides="covers",
    cite=_MGH,
    known_as={"NetworKit": "OverlappingNMIDistance(JointEntropy)"},
    worked=(("0011", "0011", 1),),
)
def onmi_joint(i: ClusterInformation) -> float:
    """Information shared by the clusters, relative to their joint entropy.

    Some different covers also score 1, such as {01, 01} and {01} on three elements.
    """
    return i.shared / (i.of_u + i.of_v - i.shared)


@index(
    title="Overlapping NMI of Lancichinetti, Fortunato and Kertész",
    formula="1 − (mean_i H(A_i|V)/H(A_i) + mean_j H(B_j|U)/H(B_j)) / 2",
    undefined=0,
    sides="covers",
    cite="Lancichinetti, Fortunato & Kertész 2009, New J. Phys. 11:033015",
    known_as={
        "cdlib": "overlapping_normalized_mutual_information_LFK",
        "onmi": "lfkNMI",
        "CluSim": "onmi",
    },
    remarks={
        "cdlib": "returns 0.5 for some identical covers with a cluster of all elements",
        "onmi": "returns 0.5 for identical covers with a cluster of all elements",
        "CluSim": "wrong: uses 1 − p₁₁ as p₀₀",
    },
    worked=(("0011", "0011", 1), ("0011", "0101", 0)),
)
def onmi_lfk(i: ClusterInformation) -> float:
    """Mean share of each cluster's entropy that its best partner explains.

    Every cluster has the same weight, so several small clusters outweigh a large one. A cluster of all
    elements has no entropy and counts as unexplained. Some different covers also score 1, such as {01, 01}
    and {01} on three elements.
    """
    return 1 - (i.u_left + i.v_left) / 2


@index(
    title="Overlapping NMI, mean of the explained shares",
    formula="1 − (H(U|V)/H(U) + H(V|U)/H(V)) / 2",
    undefined=0,
    sides="covers",
    cite="McDaid, Greene & Hurley 2011, arXiv:1110.2515, equation 7",
    known_as={"cdlib": "overlapping_normalized_mutual_information_MGH(normalization='LFK')"},
    remarks={"cdlib": "raises an error if one side has zero entropy"},
    worked=(("0011", "0011", 1), ("0011", "0101", 0)),
)
def onmi_lfr(i: ClusterInformation) -> float:
    """Mean share of each side's entropy that the other side explains.

    Some different covers also score 1, such as {01, 01} and {01} on three elements.
    """
    return 1 - (i.u_given_v / i.of_u + i.v_given_u / i.of_v) / 2
