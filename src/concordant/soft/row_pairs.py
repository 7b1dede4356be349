"""Sums over all pairs of records that no Gram matrix gives: absolute differences.

Records with equal rows on both sides are one row with a multiplicity.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import View
from concordant.errors import TooLargeError
from concordant.soft.memberships import Memberships

if TYPE_CHECKING:
    from concordant.soft.counts import SoftCounts

MOST_STEPS = 2_000_000_000  # pairs times clusters
_MOST_PAIRS = 20_000_000  # whose values are held and sorted
_MOST_EXACT = 100_000  # pairs, in fractions
_BLOCK = 256


class DistinctRows(View):
    """The different rows of two sides, how often each occurs, and the values of their pairs.

    Weights are numbers of any kind that NumPy holds: floats, or Python's integers where values are exact.
    """

    has_exact_form: ClassVar[bool] = True

    def __init__(self, u: Memberships, v: Memberships, *, exact: bool) -> None:
        self.size, self.exact, self.memberships = len(u), exact, (u, v)
        self.scale = u.scale if exact else 1  # the units of a weight of 1

    @classmethod
    def of_soft(cls, counts: SoftCounts, exact: bool) -> Self:
        return cls(*counts.sides.memberships, exact=exact)

    @cached_property
    def _distinct(self) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The first place of each different row, and how often it occurs."""
        keys = np.concatenate([*map(_keys, self.memberships)], axis=1)
        if keys.dtype == object:
            known: dict[tuple[Any, ...], int] = {}
            which = np.array(
                [known.setdefault(tuple(row), len(known)) for row in keys.tolist()], dtype=np.int64
            )
            first = np.unique(which, return_index=True)[1]
        else:
            _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        count: NDArray[Any] = np.bincount(which.reshape(-1), minlength=len(first))
        return first, count.astype(object) if self.exact else count

    @property
    def count(self) -> NDArray[Any]:
        """How often each of the different rows occurs."""
        return self._distinct[1]

    def __len__(self) -> int:
        return len(self.count)

    @cached_property
    def _sides(self) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """The weights of the different rows of each side, and their weight in no cluster."""
        sides: list[tuple[NDArray[Any], NDArray[Any]]] = []
        for side in self.memberships:
            rows = side.taken(self._distinct[0])
            if self.exact:
                rest = np.zeros(len(self), dtype=object) if rows.rest is None else rows.rest.astype(object)
                sides.append((rows.table().units.astype(object), rest))
            else:
                sides.append((rows.weights(), rows.rest_weights()))
        return sides

    @property
    def pairs(self) -> int:
        return self.size * (self.size - 1) // 2

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers, as those of labels are, so floats lose nothing."""
        return all(each.is_hard for each in self.memberships)

    def check_steps(self, name: str) -> None:
        """Refuse more pairs than are affordable."""
        rows, columns = len(self), sum(each.columns for each in self.memberships)
        if self.exact and rows * rows // 2 > _MOST_EXACT:
            raise TooLargeError(
                f"{name} is not computed in fractions for {rows:,} different rows; use its float"
            )
        if not self.exact and rows * rows // 2 * columns > MOST_STEPS:
            raise TooLargeError(
                f"{name} takes {rows:,}² pairs of different rows times {columns} clusters, more than "
                f"{MOST_STEPS:,} steps; use soft_rand_squared, which takes one pass, or a sample of records"
            )

    def together(self) -> Iterator[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
        """p, q and multiplicities of blocks of pairs, in units of scale²."""
        for rows, count in self._blocks():
            p, q = (weights[rows] @ weights[rows.start :].T for weights, _ in self._sides)
            yield p, q, count

    def alike(self) -> Iterator[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
        """e, f and multiplicities of blocks of pairs, in units of 2·scale."""
        for rows, count in self._blocks():
            e, f = (_likeness(weights, rest, rows, self.scale) for weights, rest in self._sides)
            yield e, f, count

    def _blocks(self) -> Iterator[tuple[slice, NDArray[Any]]]:
        """Rows, and how many pairs each of them forms with each row from the first of them on."""
        for begin in range(0, len(self), _BLOCK):
            rows = slice(begin, min(begin + _BLOCK, len(self)))
            own, other = self.count[rows], self.count[begin:]
            count = own[:, None] * other[None, :]
            below = np.tril_indices(len(own), -1)
            count[below] = 0
            diagonal = np.arange(len(own))
            count[diagonal, diagonal] = own * (own - 1) // 2
            yield rows, count


def _keys(side: Memberships) -> NDArray[Any]:
    """The difference between two rows."""
    units = side.table().units
    return units if side.rest is None else np.concatenate([units, side.rest[:, None]], axis=1)


def _likeness(side: NDArray[Any], rest: NDArray[Any], rows: slice, scale: int) -> NDArray[Any]:
    """2 − Σ|u − u′| − what is in no cluster, in units."""
    own, other = side[rows], side[rows.start :]
    value: NDArray[Any] = 2 * scale - (rest[rows, None] + rest[None, rows.start :])
    for column in range(side.shape[1]):
        value = value - abs(own[:, column, None] - other[None, :, column])
    return value


def mean_absolute_difference(rows: DistinctRows, name: str) -> Any:
    """The mean of |p − q| over all pairs."""
    rows.check_steps(name)
    total = sum((abs(p - q) * count).sum() for p, q, count in rows.together())
    return _ratio(total, rows.pairs * rows.scale**2, exact=rows.exact or rows.is_whole)


def concordance(rows: DistinctRows, name: str) -> Any:
    """1 − the mean of |e − f| over all pairs."""
    rows.check_steps(name)
    total = sum((abs(e - f) * count).sum() for e, f, count in rows.alike())
    return 1 - _ratio(total, 2 * rows.pairs * rows.scale, exact=rows.exact or rows.is_whole)


def expected_difference(rows: DistinctRows, name: str, *, alike: bool) -> Any:
    """The mean over all pairs of pairs of |e − f|, or of |p − q|: what permutations of one side give."""
    rows.check_steps(name)
    distinct = len(rows) * (len(rows) + 1) // 2
    if distinct > _MOST_PAIRS:
        raise TooLargeError(
            f"{name} sorts {distinct:,} pairs of different rows, more than {_MOST_PAIRS:,}; "
            "use soft_adjusted_rand, which takes one pass"
        )
    blocks = list(rows.alike() if alike else rows.together())
    e, f, count = (np.concatenate([block[i].reshape(-1) for block in blocks]) for i in range(3))
    values = np.concatenate([e, f])
    order = np.argsort(values, kind="stable")
    nothing = np.zeros_like(count)
    of_e = np.cumsum(np.concatenate([count, nothing])[order])[:-1]
    of_f = np.cumsum(np.concatenate([nothing, count])[order])[:-1]
    total = rows.pairs
    # E|X − Y| is the integral of F(1 − G) + G(1 − F).
    gaps = np.diff(values[order])
    if rows.is_whole and not rows.exact:  # few values differ
        gaps, of_e, of_f = (each[gaps != 0].astype(np.int64).astype(object) for each in (gaps, of_e, of_f))
    elif not rows.exact:
        of_e, of_f, total = of_e / total, of_f / total, 1
    weight = of_e * (total - of_f) + of_f * (total - of_e)
    unit = 2 * rows.scale if alike else rows.scale**2
    return _ratio((gaps * weight).sum(), total * total * unit, exact=rows.exact or rows.is_whole)


def _ratio(numerator: Any, denominator: Any, *, exact: bool) -> Any:
    if exact:
        return Fraction(int(numerator), int(denominator))
    return float(numerator) / float(denominator)
