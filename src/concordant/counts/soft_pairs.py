"""Sums over all pairs of records that no Gram matrix gives: absolute differences.

Records with equal rows on both sides are one row with a multiplicity. Two clusters on both sides need no
pairs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Number
from concordant.counts.base import View
from concordant.counts.memberships import Memberships
from concordant.counts.soft import PosteriorDraws, SoftSides, whole_shares
from concordant.counts.spelling import counted
from concordant.errors import ParameterError, TooLargeError
from concordant.results import Result, read_only_class, rounded

if TYPE_CHECKING:
    from concordant.counts.soft import SoftCounts

MOST_STEPS = 2_000_000_000  # pairs times clusters
_MOST_PAIRS = 20_000_000  # whose values are held and sorted
_MOST_EXACT = 100_000  # pairs, in fractions
_BLOCK = 256


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class SampledIndex(Result):
    """A soft index estimated from random pairs of records. `SoftComparison.sampled` returns it.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float
        The estimate.
    se : float
        Standard error.
    n_pairs : int
        Number of pairs.
    seed : int
        Seed of the draws.
    """

    index: str
    value: float
    se: float
    n_pairs: int
    seed: int

    def __repr__(self) -> str:
        origin = f"{self.n_pairs:,} random pairs, seed {self.seed}"
        return f"{self.index} {rounded(self.value)} ± {self.se:.2g} ({origin})"

    _whole_text = __repr__


class DistinctRows(View):
    """The different rows of two sides, how often each occurs, and the values of their pairs.

    Weights are numbers of any kind that NumPy holds: floats, or Python's integers where values are exact.
    """

    has_exact_form: ClassVar[bool] = True

    def __init__(
        self, u: Memberships | PosteriorDraws, v: Memberships | PosteriorDraws, *, exact: bool
    ) -> None:
        self.size, self.exact, self._sides = len(u), exact, (u, v)
        self.columns = sum(
            len(each.shares) if isinstance(each, PosteriorDraws) else each.columns for each in self._sides
        )

    @classmethod
    def of_soft(cls, counts: SoftCounts, exact: bool) -> Self:
        return cls(*counts.sides.sides, exact=exact)

    of_draws = of_soft

    @cached_property
    def _distinct(self) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The first place of each different row, and how often it occurs."""
        keys = np.concatenate([*map(_keys, self._sides)], axis=1)
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
    def _first(self) -> NDArray[np.int64]:
        return self._distinct[0]

    @property
    def count(self) -> NDArray[Any]:
        """How often each of the different rows occurs."""
        return self._distinct[1]

    def __len__(self) -> int:
        return len(self._first)

    @cached_property
    def factors(self) -> tuple[list[tuple[NDArray[Any], NDArray[Any]]], int]:
        """For each side two matrices whose product is p or q of the different rows, in a common unit."""
        units = [
            whole_shares(each.shares)[1] if isinstance(each, PosteriorDraws) else each.scale**2
            for each in self._sides
        ]
        common = math.lcm(*units) if self.exact else 1
        found = []
        for side, unit in zip(self._sides, units, strict=True):
            if isinstance(side, PosteriorDraws):
                here, left = _shares_by_cluster(side, self._first)
            else:
                here = left = side.taken(self._first).table().units
            if self.exact:
                found.append((left.astype(object) * (common // unit), here.astype(object)))
            else:
                one = 1 if isinstance(side, PosteriorDraws) else side.scale
                found.append((np.asarray(left / (unit // one), float), np.asarray(here / one, float)))
        return found, common

    @property
    def pairs(self) -> int:
        return self.size * (self.size - 1) // 2

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers, as those of labels are, so floats lose nothing."""
        return all(
            each.is_hard if isinstance(each, Memberships) else len(each.shares) == 1 for each in self._sides
        )

    def check_steps(self, name: str) -> None:
        """Refuse more pairs than are affordable."""
        rows = len(self)
        limit = _MOST_EXACT if self.exact else MOST_STEPS
        steps = rows * rows // 2 * (1 if self.exact else self.columns)
        if steps <= limit:
            return
        if self.exact:
            raise TooLargeError(
                f"{name} is not computed in fractions for {rows:,} different rows; use its float"
            )
        raise TooLargeError(
            f"{name} takes {rows:,}² pairs of different rows times {self.columns} clusters or draws, more "
            f'than {limit:,} steps; use s.sampled("{name}"), which draws pairs, or soft_rand_squared, which '
            "takes one pass"
        )

    def together(self) -> Iterator[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
        """p, q and multiplicities of blocks of pairs, in the common unit of ``factors``."""
        (u, u_other), (v, v_other) = self.factors[0]
        for rows, count in self._blocks():
            yield u[rows] @ u_other[rows.start :].T, v[rows] @ v_other[rows.start :].T, count

    def alike(self) -> Iterator[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
        """e, f and multiplicities of blocks of pairs, in units of 2·scale."""
        sides = []
        for side in self.memberships:
            rows = side.taken(self._first)
            if self.exact:
                rest = np.zeros(len(self), dtype=object) if rows.rest is None else rows.rest.astype(object)
                sides.append((rows.table().units.astype(object), rest))
            else:
                sides.append((rows.weights(), rows.rest_weights()))
        for block, count in self._blocks():
            e, f = (_likeness(weights, rest, block, self.scale) for weights, rest in sides)
            yield e, f, count

    @property
    def memberships(self) -> tuple[Memberships, Memberships]:
        """Both sides as rows of weights, which draws do not have."""
        u, v = self._sides
        assert isinstance(u, Memberships)
        assert isinstance(v, Memberships)
        return u, v

    @property
    def scale(self) -> int:
        """The units of a weight of 1."""
        return (
            next((each.scale for each in self._sides if isinstance(each, Memberships)), 1)
            if self.exact
            else 1
        )

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


class RowSimilarities(View):
    """e and f of all pairs of records, the similarities of their rows on both sides.

    Draws have none: the clusters of one draw are not those of another.
    """

    has_exact_form: ClassVar[bool] = True

    def __init__(self, rows: DistinctRows) -> None:
        self.rows = rows

    @classmethod
    def of_soft(cls, counts: SoftCounts, exact: bool) -> Self:
        return cls(counts.view(DistinctRows, exact))

    def concordance(self, name: str) -> Number:
        """1 − the mean of |e − f| over all pairs."""
        u, v = self.rows.memberships
        if u.columns == v.columns == 2 and u.rest is None and v.rest is None:
            return two_cluster_concordance(u, v)
        value: Number = concordance(self.rows, name)
        return value

    def expected_difference(self, name: str) -> Number:
        """The mean of |e − f| over all pairs of pairs."""
        value: Number = expected_difference(self.rows, name, alike=True)
        return value


def _keys(side: Memberships | PosteriorDraws) -> NDArray[Any]:
    """The difference between two rows."""
    if isinstance(side, PosteriorDraws):
        return side.codes
    units = side.table().units
    return units if side.rest is None else np.concatenate([units, side.rest[:, None]], axis=1)


def _shares_by_cluster(side: PosteriorDraws, first: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
    """A column for each cluster of each draw: whether a row is in it, and the share of the draw if it is."""
    weights, _ = whole_shares(side.shares)
    columns = [np.unique(codes, return_inverse=True)[1] for codes in side.codes[first].T]
    members = [column[:, None] == np.arange(int(column.max(initial=-1)) + 1) for column in columns]
    shares = [inside * weight for inside, weight in zip(members, weights.tolist(), strict=True)]
    return np.concatenate(members, axis=1).astype(np.int64), np.concatenate(shares, axis=1)


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
    return _ratio(total, rows.pairs * rows.factors[1], exact=rows.exact or rows.is_whole)


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
    unit = 2 * rows.scale if alike else rows.factors[1]
    return _ratio((gaps * weight).sum(), total * total * unit, exact=rows.exact or rows.is_whole)


def two_cluster_concordance(u: Memberships, v: Memberships) -> Fraction:
    """1 − the mean of |e − f| for two clusters on both sides, in O(n log n).

    ||a| − |b|| = |a + b| + |a − b| − |a| − |b| turns the sum over pairs into four sums of sorted values.
    """
    p, q = (each.table().units[:, 0] for each in (u, v))
    total = _spread(p + q) + _spread(p - q) - _spread(p) - _spread(q)
    return 1 - Fraction(total, len(u) * (len(u) - 1) // 2 * u.scale)


def _spread(values: NDArray[Any]) -> int:
    """Σ|z − z′| over all pairs."""
    ordered = np.sort(values).astype(object)
    return int((ordered * (2 * np.arange(len(ordered)) - len(ordered) + 1)).sum())


def sampled_index(sides: SoftSides, name: str, pairs: int, seed: int) -> SampledIndex:
    """soft_rand or degree_of_concordance, which are means over pairs, from pairs drawn at random."""
    if name not in ("soft_rand", "degree_of_concordance"):
        what = "only soft_rand and degree_of_concordance are estimated from sampled pairs; use one of them"
        raise ParameterError(what, given={"index": name})
    if sides.size < 2:
        raise ParameterError(f"{counted(sides.size, 'record')} form no pairs; give two or more")
    alike, pairs = name == "degree_of_concordance", max(pairs, 2)
    u, v = sides.memberships if alike else sides.sides
    return SampledIndex(name, *sampled_mean(u, v, alike=alike, pairs=pairs, seed=seed), pairs, seed)


def sampled_mean(
    u: Memberships | PosteriorDraws, v: Memberships | PosteriorDraws, *, alike: bool, pairs: int, seed: int
) -> tuple[float, float]:
    """1 − the mean of |p − q|, or of |e − f|, over pairs drawn with replacement, and its standard error."""
    generator, size = np.random.default_rng(seed), len(u)
    values = []
    for begin in range(0, pairs, 2**14):
        count = min(2**14, pairs - begin)
        x = generator.integers(0, size, count)
        y = (x + generator.integers(1, size, count)) % size
        values.append(np.abs(_pair_values(u, x, y, alike) - _pair_values(v, x, y, alike)))
    drawn = np.concatenate(values)
    return float(1 - drawn.mean()), float(drawn.std(ddof=1) / np.sqrt(pairs))


def _pair_values(
    side: Memberships | PosteriorDraws, x: NDArray[Any], y: NDArray[Any], alike: bool
) -> NDArray[np.float64]:
    if isinstance(side, PosteriorDraws):
        return np.asarray((side.codes[x] == side.codes[y]) @ np.array(side.shares, dtype=float))
    one, other = side.taken(x), side.taken(y)
    if not alike:
        return np.asarray((one.weights() * other.weights()).sum(axis=1), dtype=np.float64)
    apart = np.abs(one.weights() - other.weights()).sum(axis=1) + one.rest_weights() + other.rest_weights()
    return np.asarray(1 - apart / 2, dtype=np.float64)


def _ratio(numerator: Any, denominator: Any, *, exact: bool) -> Any:
    if exact:
        return Fraction(int(numerator), int(denominator))
    return float(numerator) / float(denominator)
