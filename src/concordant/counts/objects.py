"""Objects: the clusters of both sides, matched if they overlap enough, like cells in images.

J_ij = n_ij/(a_i+b_j−n_ij) is the overlap of two clusters over their union (IoU). A background label is not
a cluster of its side, but its elements count in the sizes of the other side's clusters, and so in unions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.counts.assignment import one_to_one
from concordant.counts.base import Counts, Detail, WeightClass
from concordant.counts.overlaps import OverlapView
from concordant.maths.arithmetic import Integers, Sum

# Whether an overlap that just reaches the threshold is a match.
AtThreshold = Annotated[
    Literal["match", "miss"],
    "Whether two objects match if their IoU equals the threshold.",  # the meaning in help()
]

# Of two matchings with equally many pairs, the one with the larger sum of J is used, compared to this many
# bits.
_SHARE_BITS = 30


class Objects(OverlapView):
    """Clusters as objects: matched one to one, or each with its best partner."""

    needs: ClassVar[Detail] = Detail.TABLE
    quick_cells: ClassVar[float] = 1_000_000
    weight_class: ClassVar[WeightClass] = "shares"

    def __init__(self, counts: Counts, exact: bool) -> None:
        super().__init__(counts, exact)
        self.cells = self._cells
        self._matches: dict[tuple[Fraction, AtThreshold], NDArray[np.int64]] = {}

    def matches(
        self, iou: float | Fraction, at_threshold: AtThreshold, among: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """The cells of the largest one-to-one matching with J above the threshold, or from it on.

        Of several, one with the largest sum of J. ``among`` is a mask of the cells that may match.
        """
        # 0.55 means 11/20, and not the binary fraction next to it.
        key = (iou if isinstance(iou, Fraction) else Fraction(repr(iou)), at_threshold)
        if among is not None:
            return self._matched(*key, among)
        if key not in self._matches:
            self._matches[key] = self._matched(*key)
        return self._matches[key]

    def hits(self, iou: float | Fraction, at_threshold: AtThreshold) -> int:
        """How many objects of each side are matched (TP)."""
        return self._counted(len(self.matches(iou, at_threshold)))

    def total_iou(self, iou: float | Fraction, at_threshold: AtThreshold) -> Sum:
        """Σ J over the matches."""
        chosen = self.matches(iou, at_threshold)
        return self._total(self.cells.n[chosen], self.cells.union[chosen])

    @cached_property
    def majority_iou(self) -> Sum:
        """Σ J over the cells with n_ij > a_i/2, of which a row has one at most."""
        cells = self.cells
        most = 2 * cells.n > cells.a
        return self._total(cells.n[most], cells.union[most])

    @cached_property
    def aggregated(self) -> Fraction:
        """Σ n/Σ of unions, each row with its best partner; candidates that are nobody's add their sizes.

        Of equally good partners the larger is taken, and of equally large ones one that nobody else uses.
        """
        cells = self.cells
        best = cells.row_nearest
        best = best[best >= 0]
        near = cells.n * cells.union[best][cells.row] == cells.union * cells.n[best][cells.row]
        largest = np.zeros(int(cells.row.max(initial=-1)) + 1, dtype=cells.n.dtype)
        np.maximum.at(largest, cells.row[near], cells.n[near])
        good = np.flatnonzero(near & (cells.n == largest[cells.row]))
        return self._aggregate(self._spread(good))

    def _spread(self, good: NDArray[np.int64]) -> NDArray[np.int64]:
        """One good cell of each row, with the largest total size of used columns."""
        cells = self.cells
        row, column = cells.row[good], cells.column[good]
        choice = np.bincount(row)[row] > 1
        used = np.zeros(len(cells.column_sizes), dtype=bool)
        used[column[~choice]] = True
        free = np.flatnonzero(choice & ~used[column])
        taken = free[one_to_one(row[free], column[free], cells.b[good][free])]
        order = np.concatenate([taken, np.arange(len(good))])  # the cells matched above, then any
        chosen: NDArray[np.int64] = good[order[np.unique(row[order], return_index=True)[1]]]
        return chosen

    @cached_property
    def aggregated_one_to_one(self) -> Fraction:
        """The same for the one-to-one matching that maximises Σ J."""
        cells = self.cells
        size = max(int(cells.row_sizes.sum()), 1)  # of equal sums of J, the largest overlap
        weights = _shares(cells.n, cells.union) * 2**_SHARE_BITS + _shares(cells.n, cells.n * 0 + size) // 2
        return self._aggregate(one_to_one(cells.row, cells.column, weights))

    def _aggregate(self, chosen: NDArray[np.int64]) -> Fraction:
        cells = self.cells
        left = int(cells.row_sizes.sum()) - int(cells.a[chosen].sum())
        used = np.unique(cells.column[chosen])
        unused = int(cells.column_sizes.sum()) - int(cells.column_sizes[used].sum())
        return Fraction(int(cells.n[chosen].sum()), int(cells.union[chosen].sum()) + left + unused)

    def _matched(
        self, iou: Fraction, at_threshold: AtThreshold, among: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        cells = self.cells
        n, union = cells.n, cells.union
        if iou.denominator * int(union.max(initial=0)) >= 2**62:
            n, union = n.astype(object), union.astype(object)
        excess = n * iou.denominator - union * iou.numerator
        is_enough = excess >= 0 if at_threshold == "match" else excess > 0
        enough = np.flatnonzero(is_enough if among is None else is_enough & among)
        if 2 * iou > 1 or (2 * iou == 1 and at_threshold == "miss"):
            return enough  # only one pair can share more than half of a union
        row, column, n, union = (x[enough] for x in (cells.row, cells.column, cells.n, cells.union))
        most = int(min(len(cells.row_sizes), len(cells.column_sizes))) + 1
        weights = _shares(n, union) + most * 2**_SHARE_BITS  # one more pair outweighs all shares
        return enough[one_to_one(row, column, weights)]


def _shares(numerators: Integers, denominators: Integers) -> NDArray[np.int64]:
    """numerator/denominator, at most 1, cut off after some binary digits."""
    shares: Any = numerators.astype(object) * 2**_SHARE_BITS // denominators.astype(object)
    return np.asarray(shares, dtype=np.int64).reshape(-1)
