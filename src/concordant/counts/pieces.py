"""The pieces that clusters are cut into and built from, and what that costs."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum, inf
from numbers import Real

import numpy as np

from concordant.counts.arithmetic import Integers
from concordant.counts.overlaps import CountView
from concordant.counts.profile import Profile
from concordant.errors import ParameterError

Price = Callable[[int, int], float]


class Pieces(CountView):
    """The overlaps as pieces that reference clusters are cut into and candidate clusters built from."""

    def __init__(self, profile: Profile, exact: bool) -> None:
        super().__init__(profile, exact)
        self._profile = profile

    def cost_of_splits(self, price: str | Price) -> float:
        """Cut each reference cluster into its pieces."""
        return self._cost(price, by_rows=True)

    def cost_of_merges(self, price: str | Price) -> float:
        """Build each candidate cluster from its pieces."""
        return self._cost(price, by_rows=False)

    def _cost(self, price: str | Price, *, by_rows: bool) -> float:
        p = self._profile
        if price == "constant":
            return self._counted(p.cells - (p.rows if by_rows else p.columns))
        sizes = p.a if by_rows else p.b
        if price == "information":
            shares = (p.mass / p.size).astype(np.float64)
            return fsum((shares * np.log1p(((sizes - p.n) / p.n).astype(np.float64))).tolist())
        if price in ("product", "pairwise"):
            return self._counted((p.total(sizes) - p.total(p.n)) // 2)
        if not callable(price):
            raise TypeError(f"{price!r} is not a price")
        table = p.table  # a price of one's own may depend on the order, and needs each cluster's pieces
        return self._cost_by(table.row if by_rows else table.column, table.n, price)

    def _cost_by(self, group: Integers, pieces: Integers, price: Price) -> float:
        """Piece by piece, smallest first."""
        order = np.lexsort((pieces, group))
        total: float = self._counted(0)
        held, last = 0, -1
        for key, piece in zip(group[order].tolist(), pieces[order].tolist(), strict=True):
            if key == last:
                total += _asked(price, held, piece)
                held += piece
            else:
                held, last = piece, key
        return total


def _asked(price: Price, held: int, piece: int) -> float:
    """What a user's price function says, which must be a cost."""
    try:
        cost = price(held, piece)
    except ZeroDivisionError as error:
        raise ParameterError(
            f"the price function divides by zero for the sizes {held} and {piece}"
        ) from error
    if not isinstance(cost, Real) or not 0 <= cost < inf:
        raise ParameterError(
            f"the price function gives {cost!r} for the sizes {held} and {piece}; a price is a number >= 0"
        )
    return cost
