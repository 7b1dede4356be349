"""What the indices read: the profile of two partitions, and views of it.

Write U for the reference with cluster sizes a, V for the candidate with cluster sizes b, and n for
the size of an overlap. A ``Profile`` is the multiset of triples (n, a, b) over the non-empty
overlaps. A view is a handful of named numbers computed from it once: pairs, entropies, best
overlaps. All counts are integers of any size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from math import fsum, inf, log1p
from operator import index
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from concordant import _core
from concordant.errors import InputError, TableNeededError

# A sum of fractions; at run time a float where it has too many denominators. Both calculate alike.
Sum = Fraction

# int64 where no sum can overflow, otherwise dtype object holding Python integers.
Integers = NDArray[Any]

# Sums over the elements of one size stay below 2**62 up to here, see Profile.total.
_INT64_SIZE = 2**31

# Up to this many different denominators a sum of fractions is cheap to have exactly.
FEW_DENOMINATORS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The non-empty cells of the contingency table, sorted by row, then column."""

    row: Integers
    column: Integers
    n: Integers
    row_first: Integers | None = None  # position of the first element of each row's cluster
    column_first: Integers | None = None

    @property
    def a(self) -> Integers:
        """Size of the row cluster, for each cell."""
        return sums_by(self.row, self.n)[self.row]

    @property
    def b(self) -> Integers:
        """Size of the column cluster, for each cell."""
        return sums_by(self.column, self.n)[self.column]

    def transposed(self) -> Table:
        order = _core.grouped(self.column)[0]  # the rows are in order already
        return Table(self.column[order], self.row[order], self.n[order], self.column_first, self.row_first)


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Clusters of one side by their size and by the share n/(a + b) of their best partner.

    The share is part/whole in lowest terms, so that it does not matter which of equally good partners
    was found. A partner that is best by it is also best by F1 and by Jaccard, as both grow with it.
    """

    size: Integers
    part: Integers
    whole: Integers
    count: Integers  # how many clusters have this size and share

    @classmethod
    def counted(cls, size: Integers, part: Integers, whole: Integers, count: Integers) -> Self:
        """From shares in any terms, alike ones together or not."""
        shares = _counted_alike((size, part, whole), count)  # first, as few have to be cancelled then
        common = np.gcd(shares[1], shares[2])
        return cls(*_counted_alike((shares[0], shares[1] // common, shares[2] // common), shares[3]))


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """What the best partners of the clusters of one side account for, without saying whose they are."""

    overlap: int  # Σ of the largest overlap of each cluster
    shares: Shares
    weakest: Fraction | None  # least Σ n(n−1) / (a(a−1)); None where no cluster has two elements


class Names(Protocol):
    """Who the clusters and the records are, wherever they are kept."""

    def reference(self, row: int, /) -> Any:
        """The label of a reference cluster; None for a record that the reference lacked."""

    def candidate(self, column: int, /) -> Any:
        """The label of a candidate cluster; None for a record that the candidate lacked."""

    def examples(self, cells: Sequence[tuple[int, int]], each: int) -> list[tuple[Any, ...]]:
        """Up to so many records of each of these cells (row, column), by name or else by position."""


class View(Protocol):
    """A few named numbers computed from a profile."""

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        """The view of this profile; with ``exact`` its counts are Fractions, so that they divide exactly."""


ViewT = TypeVar("ViewT", bound=View)


class Counted(Protocol):
    """What an index is computed from: a profile, or as much of one as the index reads."""

    size: int

    @property
    def identical(self) -> bool:
        """Whether the two partitions are the same."""

    def view(self, kind: type[ViewT], exact: bool = False) -> ViewT:
        """The view of that kind."""


class Profile:
    """The multiset of triples (overlap, reference cluster size, candidate cluster size).

    Engines hand over what they counted; for counts of your own, ``from_rows`` and
    ``from_contingency`` check them first.

    >>> profile = Profile([2, 1, 1, 2], [2, 2, 2, 2], [2, 3, 1, 3], [1, 1, 1, 1])
    >>> profile.size, profile.rows, profile.columns, profile.cells
    (6, 3, 3, 4)
    """

    def __init__(
        self,
        n: Any,
        a: Any,
        b: Any,
        count: Any,
        *,
        table: Table | Callable[[], Table] | None = None,
        size: int | None = None,  # of the set, where it is known already
        best: tuple[Best, Best] | None = None,  # of the reference and of the candidate
        table_at_hand: bool = True,
    ) -> None:
        self.size = size = _product_sum(n, count) if size is None else size
        self.n, self.a = _as_integers(n, size), _as_integers(a, size)
        self.b, self.count = _as_integers(b, size), _as_integers(count, size)
        self._make_table = table
        self.best = best  # what an engine counted that keeps the table to itself
        self.table_at_hand = table is not None and table_at_hand  # else it has to be fetched, at a price
        self._views: dict[tuple[type, bool], Any] = {}

    # -- making one without labels ------------------------------------------------------------

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[int, int, int, int]]) -> Self:
        """A profile from rows (n, a, b, count), as another system may have counted them.

        >>> Profile.from_rows([(10**12, 10**12, 10**12, 1)]).size
        1000000000000
        """
        counts: Counter[tuple[int, int, int]] = Counter()
        for position, row in enumerate(rows):
            n, a, b, count = _whole_numbers(row, position)
            if not (1 <= n <= min(a, b) and count >= 1):
                raise InputError(
                    f"row {position} of the profile is (n={n}, a={a}, b={b}, count={count}): "
                    "it needs 1 <= n <= min(a, b) and count >= 1"
                )
            counts[n, a, b] += count
        profile = cls._from_counter(counts, None)
        if profile.cells > profile.rows * profile.columns:
            raise InputError(
                f"the profile does not add up: {profile.cells} overlaps between {profile.rows} and "
                f"{profile.columns} clusters"
            )
        return profile

    @classmethod
    def from_contingency(cls, table: Any) -> Self:
        """A profile from a contingency table: a dense array or anything with SciPy's ``tocoo``.

        >>> Profile.from_contingency([[2, 0], [1, 3]]).size
        6
        """
        cells = _cells_of(table)
        triples = zip(cells.n.tolist(), cells.a.tolist(), cells.b.tolist(), strict=True)
        return cls._from_counter(Counter(triples), cells)

    @classmethod
    def _from_counter(cls, counts: Counter[tuple[int, int, int]], table: Table | None) -> Self:
        triples = sorted(counts, key=lambda t: (t[1], t[2], t[0]))
        n, a, b = zip(*triples, strict=True) if triples else ((), (), ())
        return cls(n, a, b, [counts[t] for t in triples], table=table)

    # -- what it says ---------------------------------------------------------------------------

    @property
    def identical(self) -> bool:
        """Whether the two partitions are the same: decided on integers, before any division."""
        return bool((self.n == self.a).all() and (self.n == self.b).all())

    @cached_property
    def cells(self) -> int:
        """Number of non-empty overlaps."""
        return int(self.count.sum())

    @cached_property
    def row_sizes(self) -> dict[int, int]:
        """Distinct sizes of the reference's clusters, each with the number of clusters."""
        return self._sizes(self.a)

    @cached_property
    def column_sizes(self) -> dict[int, int]:
        """Distinct sizes of the candidate's clusters, each with the number of clusters."""
        return self._sizes(self.b)

    @cached_property
    def rows(self) -> int:
        """Number of clusters of the reference, K."""
        return sum(self.row_sizes.values())

    @cached_property
    def columns(self) -> int:
        """Number of clusters of the candidate, L."""
        return sum(self.column_sizes.values())

    @property
    def has_table(self) -> bool:
        """Whether it is known which clusters overlap, not only how large the overlaps are."""
        return self._make_table is not None

    @cached_property
    def table(self) -> Table:
        """The cells themselves, for what sizes alone cannot tell."""
        if self._make_table is None:
            raise TableNeededError(
                "this needs to know which clusters overlap, but the profile was made from sizes alone; "
                "compare the partitions themselves, or use Profile.from_contingency"
            )
        return self._make_table if isinstance(self._make_table, Table) else self._make_table()

    def total(self, *factors: Integers) -> int:
        """Sum over all elements of the product of the factors, exact at any size.

        >>> profile = Profile([2, 1], [3, 3], [2, 1], [1, 1])
        >>> profile.total(profile.a)  # the sum of the squares of the reference's sizes
        9
        """
        # Each factor is at most the size, so size**(k+1) bounds the sum.
        fits = self.size ** (len(factors) + 1) < 2**62
        product = self.mass if fits else self.mass.astype(object)
        for factor in factors[1:]:
            product = product * factor
        return int(product @ factors[0])  # one pass, where multiplying and summing would be two

    @cached_property
    def mass(self) -> Integers:
        """Number of elements that each triple stands for."""
        return self.n * self.count

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """Share of the elements that each triple stands for."""
        return (self.mass / self.size).astype(np.float64)

    def view(self, kind: type[ViewT], exact: bool = False) -> ViewT:
        """The view of that kind, computed once."""
        key = (kind, exact)
        if key not in self._views:
            self._views[key] = kind.of(self, exact)
        view: ViewT = self._views[key]
        return view

    def transposed(self) -> Profile:
        """The profile with the two partitions swapped."""
        make = None if self._make_table is None else self._transposed_table
        best = None if self.best is None else (self.best[1], self.best[0])
        at_hand = self.table_at_hand
        return Profile(self.n, self.b, self.a, self.count, table=make, best=best, table_at_hand=at_hand)

    def _transposed_table(self) -> Table:
        return self.table.transposed()

    def _sizes(self, sizes: Integers) -> dict[int, int]:
        distinct, which = np.unique(sizes, return_inverse=True)
        elements = sums_by(which, self.mass, len(distinct)).tolist()
        clusters = {}
        for size, held in zip(distinct.tolist(), elements, strict=True):
            clusters[size], left = divmod(held, size)
            if left:
                raise InputError(
                    f"the profile does not add up: {held} elements lie in clusters of size {size}, "
                    "which is not a whole number of clusters"
                )
        return clusters

    def __repr__(self) -> str:
        return f"Profile(size={self.size}, rows={self.rows}, columns={self.columns}, cells={self.cells})"


# -- views ----------------------------------------------------------------------------------------


class _Counts:
    """A view that is a dataclass of integers."""

    __slots__ = ()

    def exactly(self) -> Self:
        """The same counts as Fractions."""
        values = (Fraction(getattr(self, f.name)) for f in fields(self))  # type: ignore[arg-type]  # subclasses are dataclasses
        return type(self)(*values)


@dataclass(frozen=True, slots=True)
class Pairs(_Counts):
    """Pairs of elements, counted by whether each partition holds them together (1) or apart (0)."""

    n11: int
    n10: int
    n01: int
    n00: int
    size: int

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        squares = (profile.total(sizes) for sizes in (profile.n, profile.a, profile.b))
        pairs = cls.from_squares(profile.size, *squares)
        return pairs.exactly() if exact else pairs

    @classmethod
    def from_squares(cls, size: int, nn: int, aa: int, bb: int) -> Self:
        """From the sums of the squares of the overlaps and of the cluster sizes of both sides."""
        n11 = (nn - size) // 2
        n10 = (aa - nn) // 2
        n01 = (bb - nn) // 2
        return cls(n11, n10, n01, size * (size - 1) // 2 - n11 - n10 - n01, size)

    @property
    def all(self) -> int:
        """All pairs, n(n-1)/2."""
        return self.n11 + self.n10 + self.n01 + self.n00

    @property
    def in_u(self) -> int:
        """Pairs together in the reference."""
        return self.n11 + self.n10

    @property
    def in_v(self) -> int:
        """Pairs together in the candidate."""
        return self.n11 + self.n01


class PairProfile:
    """As much of a profile as indices of pairs read, which is counted sooner than the triples."""

    __slots__ = ("_pairs", "size")

    def __init__(self, pairs: Pairs) -> None:
        self._pairs, self.size = pairs, pairs.size

    @property
    def identical(self) -> bool:
        """Partitions differ where one of them holds a pair together that the other does not."""
        return not (self._pairs.n10 or self._pairs.n01)

    def view(self, kind: type[ViewT], exact: bool = False) -> ViewT:
        if kind is not Pairs:
            raise TypeError(f"only pairs were counted, and {kind.__name__} needs the profile")
        pairs: Any = self._pairs.exactly() if exact else self._pairs
        view: ViewT = pairs
        return view


@dataclass(frozen=True, slots=True)
class Sizes:
    """The distinct cluster sizes of each side with their multiplicities, and the overlap's weight in them."""

    size: int
    cells: int
    rows: dict[int, int]
    columns: dict[int, int]
    nab: int  # sum over the cells of n·a·b

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers divide exactly when Fractions meet them)
        nab = profile.total(profile.a, profile.b)
        return cls(profile.size, profile.cells, profile.row_sizes, profile.column_sizes, nab)


class Information:
    """Entropies in nats. Non-negative, consistent, and exactly zero where the integers say so."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.size = profile.size

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (logarithms have no exact form)
        return cls(profile)

    @cached_property
    def h_u(self) -> float:
        return _entropy(self._profile.row_sizes, self.size)

    @cached_property
    def h_v(self) -> float:
        return _entropy(self._profile.column_sizes, self.size)

    @cached_property
    def h_uv(self) -> float:
        return max(_mean_log(self._profile, self.size, self._profile.n), self.h_u, self.h_v)

    @cached_property
    def h_u_given_v(self) -> float:
        return min(_mean_log(self._profile, self._profile.b, self._profile.n), self.h_u)

    @cached_property
    def h_v_given_u(self) -> float:
        return min(_mean_log(self._profile, self._profile.a, self._profile.n), self.h_v)

    @cached_property
    def mutual(self) -> float:
        """Mutual information, exact where integers decide: a refinement shares all, independence nothing."""
        p = self._profile
        if (p.n == p.b).all():
            return self.h_u
        if (p.n == p.a).all():
            return self.h_v
        return min(max(_mean_gain(p), 0.0), self.h_u, self.h_v)


class Elements:
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


# -- how they are computed ------------------------------------------------------------------------


def _product_sum(n: Any, count: Any) -> int:
    if isinstance(n, np.ndarray) and n.dtype == np.int64 and float(n @ count.astype(float)) < 2**62:
        return int(n @ count)
    return sum(int(x) * int(y) for x, y in zip(n, count, strict=True))


def _as_integers(values: Any, size: int) -> Integers:
    if size < _INT64_SIZE:
        return np.asarray(values, dtype=np.int64)
    if isinstance(values, np.ndarray):
        return values.astype(object)
    return np.array([int(x) for x in values], dtype=object)


def sums_by(group: Integers, values: Integers, groups: int | None = None) -> Integers:
    """Sum of the values in each group 0..groups-1, exact for int64 and for Python integers."""
    if groups is None:
        groups = int(group.max()) + 1 if len(group) else 0
    # Floats count whole numbers exactly up to 2**53, and NumPy adds them up faster.
    if values.dtype == np.int64 and np.abs(values).sum(dtype=np.float64) < 2**52:
        return np.bincount(group, weights=values, minlength=groups).astype(np.int64)
    sums = np.zeros(groups, dtype=values.dtype)
    np.add.at(sums, group, values)
    return sums


def _counted_alike(keys: tuple[Integers, Integers, Integers], count: Integers) -> tuple[Integers, ...]:
    """The distinct combinations of three keys, in order, each with the sum of its counts."""
    bounds = [int(key.max()) + 1 if len(key) else 1 for key in keys]
    if bounds[0] * bounds[1] * bounds[2] < 2**62:
        packed = ((keys[0] * bounds[1] + keys[1]) * bounds[2] + keys[2]).astype(np.int64)
        order = np.argsort(packed, kind="stable")
        changes = np.diff(packed[order], prepend=-1) != 0
    else:
        order = np.lexsort(keys[::-1])
        changes = np.zeros(len(order), dtype=bool)
        for key in keys:
            changes |= np.diff(key[order], prepend=-1) != 0
    first = order[changes]
    sums = sums_by(np.cumsum(changes) - 1, count[order], len(first))
    return *(key[first] for key in keys), sums


def sum_of_ratios(numerators: Integers, denominators: Integers, exact: bool) -> Sum:
    """A sum of fractions: itself where there are few denominators or it is asked for, else a float."""
    distinct, which = _distinct(denominators)
    if not exact and len(distinct) > FEW_DENOMINATORS:
        floating: Any = fsum((numerators / denominators).tolist())
        return floating  # type: ignore[no-any-return]  # see Sum
    totals = sums_by(which, numerators, len(distinct)).tolist()
    return sum(map(Fraction, totals, distinct.tolist()), Fraction(0))


def _distinct(sizes: Integers) -> tuple[Integers, Integers]:
    """The distinct ones, ascending, and for each size which it is; without sorting where they are small."""
    if sizes.dtype != np.int64 or sizes.max(initial=0) > len(sizes) or sizes.min(initial=0) < 0:
        return np.unique(sizes, return_inverse=True)
    present = np.bincount(sizes) > 0
    return np.flatnonzero(present), (np.cumsum(present) - 1)[sizes]


def _mean_log(profile: Profile, whole: Integers | int, part: Integers) -> float:
    """Mean over the elements of log(whole/part): a sum of non-negative terms, rounded once."""
    if not profile.size:
        return 0.0
    surprise = np.log1p(((whole - part) / part).astype(np.float64))
    return fsum((profile.weight * surprise).tolist())


def _entropy(sizes: dict[int, int], size: int) -> float:
    return fsum(count * x / size * log1p((size - x) / x) for x, count in sizes.items())


def _mean_gain(profile: Profile) -> float:
    """Mean over the elements of log(n·N / (a·b)), exactly zero for independent partitions."""
    # Products of two sizes need twice the digits of a size.
    fits = profile.size**2 < 2**62
    n, a, b = (x if fits else x.astype(object) for x in (profile.n, profile.a, profile.b))
    joint, independent = n * profile.size, a * b
    if (joint == independent).all() and profile.cells == profile.rows * profile.columns:
        return 0.0
    return fsum((profile.weight * _log_ratio(joint, independent)).tolist())


def _log_ratio(x: Integers, y: Integers) -> NDArray[np.float64]:
    """log(x/y), without losing digits where x and y are nearly equal."""
    # A ratio below the smallest float belongs to an overlap whose weight is nothing, too.
    ratio = np.maximum((x / y).astype(np.float64), np.finfo(np.float64).tiny)
    excess = np.maximum(((x - y) / y).astype(np.float64), -0.5)
    return np.where(ratio < 0.5, np.log(ratio), np.log1p(excess))


def _whole_numbers(row: Any, position: int) -> tuple[int, int, int, int]:
    try:
        n, a, b, count = (index(value) for value in row)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"row {position} of the profile is {row!r}: it needs four whole numbers (n, a, b, count)"
        ) from error
    return n, a, b, count


def _cells_of(table: Any) -> Table:
    row, column, values = _coordinates(table)
    if values.dtype.kind not in "iu":
        checked = [_count(*cell) for cell in zip(row, column, values.tolist(), strict=True)]
        values = np.array(checked, dtype=object)
    elif len(values) and values.min() < 0:
        worst = int(values.argmin())
        _count(row[worst], column[worst], int(values[worst]))
    filled = values > 0
    row, column, values = row[filled], column[filled], values[filled]
    size = sum(values.tolist())
    return _merged(_dense_codes(row), _dense_codes(column), _as_integers(values, size))


def _coordinates(table: Any) -> tuple[Integers, Integers, Integers]:
    if hasattr(table, "tocoo"):
        sparse = table.tocoo()
        return np.asarray(sparse.row), np.asarray(sparse.col), np.asarray(sparse.data)
    if isinstance(table, np.ma.MaskedArray) and np.ma.is_masked(table):
        raise InputError("the contingency table has masked cells; fill them with counts first")
    try:
        dense = np.asarray(table)
    except ValueError as error:
        raise InputError(f"the contingency table is ragged: {error}") from error
    if dense.ndim != 2:
        raise InputError(
            f"a contingency table has two dimensions, this has {dense.ndim}; "
            "for labels use concordant.compare"
        )
    row, column = np.indices(dense.shape).reshape(2, -1) if dense.dtype.kind == "O" else dense.nonzero()
    return row, column, dense[row, column]


def _count(row: Any, column: Any, value: Any) -> int:
    is_count = isinstance(value, int | float) and 0 <= value < inf and value == int(value)
    if not is_count:
        raise InputError(
            f"cell ({row}, {column}) of the contingency table holds {value!r}: a count is a whole number >= 0"
        )
    return int(value)


def _merged(row: Integers, column: Integers, n: Integers) -> Table:
    """The cells in order, those given more than once added up."""
    order = np.lexsort((column, row))
    row, column, n = row[order], column[order], n[order]
    first = np.ones(len(row), dtype=bool)
    first[1:] = (np.diff(row) != 0) | (np.diff(column) != 0)
    return Table(row[first], column[first], sums_by(np.cumsum(first) - 1, n, int(first.sum())))


def _dense_codes(values: Integers) -> Integers:
    codes: Integers = np.unique(values, return_inverse=True)[1]
    return codes.astype(np.int64)
