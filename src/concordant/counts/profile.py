"""The profile of two partitions: how large their overlaps are.

Write U for the reference with cluster sizes a, V for the candidate with cluster sizes b, and n for
the size of an overlap. A ``Profile`` is the multiset of triples (n, a, b) over the non-empty
overlaps. All counts are integers of any size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import index
from typing import Any, Self
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.base import ContingencyLoader, OverlapSizes, PartnerSums
from concordant.counts.contingency import Contingency, table_of
from concordant.counts.serialisation import integers
from concordant.errors import InputError, kind_of
from concordant.maths.arithmetic import (
    Integers,
    LogSums,
    distinct_sizes,
    fitting,
    log_sum,
    product_sum,
    sums_by,
)


class _Row:
    """A row of the counts, read when it is first accessed; ``__getattr__`` would slow down all else."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, profile: Profile, owner: type) -> Integers:
        return profile.read_row(self._name)


class Profile(OverlapSizes):
    """The multiset of triples (overlap, reference cluster size, candidate cluster size).

    The constructor trusts the counts of an engine. For your own counts, use ``from_rows`` or
    ``from_contingency``, which check them first.

    >>> profile = Profile([2, 1, 1, 2], [2, 2, 2, 2], [2, 3, 1, 3], [1, 1, 1, 1])
    >>> profile.size, profile.rows, profile.columns, profile.cells
    (6, 3, 3, 4)
    """

    part_of: Any = None  # what else names the clusters: a profile, its view Differing, or names
    _names: Callable[[], Any] | None = None  # a weak reference, as the names refer to the profile
    _counted: NDArray[np.int64] | Callable[[], NDArray[np.int64]]  # until one of its rows is read
    _why_no_table = (
        "the profile was made from sizes alone; compare the partitions themselves, or use "
        "Profile.from_contingency"
    )

    def __init__(
        self,
        n: Any,
        a: Any,
        b: Any,
        count: Any,
        *,
        table: Contingency | ContingencyLoader | None = None,
        size: int | None = None,  # of the set, where it is known already
        best: tuple[PartnerSums, PartnerSums] | None = None,
    ) -> None:
        super().__init__((n, a, b, count), product_sum(n, count) if size is None else size, table, best)

    @classmethod
    def counted(
        cls,
        triples: NDArray[np.int64] | Callable[[], NDArray[np.int64]],
        table: ContingencyLoader,
        size: int,
        squares: tuple[int, int, int] | None = None,
    ) -> Self:
        """The counts of the core, now or later: rows of n, a, b and the number of overlaps with these
        sizes.
        """
        self = cls.__new__(cls)
        self.size, self.best, self._counted, self._table, self._views = size, None, triples, table, {}
        if squares is not None:
            self.squares = squares
        return self

    def read_row(self, name: str) -> Integers:
        """Read the rows, counting them if necessary.

        Two threads may do so at the same time; both get the same values.
        """
        counted = self.__dict__.get("_counted")
        if counted is not None:
            self._read(counted() if callable(counted) else counted)
            self.__dict__.pop("_counted", None)
        row: Integers = self.__dict__[name]
        return row

    def __getstate__(self) -> dict[str, Any]:
        """What pickle stores: the rows instead of the function of the core that counts them."""
        if callable(self.__dict__.get("_counted")):
            self.read_row("n")
        return {key: value for key, value in self.__dict__.items() if key != "_names"}

    def take_names(self, names: Any) -> None:
        """Know the names of the clusters as long as these exist."""
        self._names = ref(names)

    @property
    def names(self) -> Any:
        """The names of the clusters in memory; None if there are none."""
        return None if self._names is None else self._names()

    def cluster(self, side: int, number: int) -> Any:
        """The label of a cluster of a side; None if it has none."""
        known = self.names or self.part_of
        if known is not None:
            return known.cluster(side, number)
        return None if self.table.labels is None else self.table.labels[side][number]

    n, a, b, count = _Row(), _Row(), _Row(), _Row()

    # -- making one without labels ------------------------------------------------------------

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[int, int, int, int]]) -> Self:
        """A profile from rows (n, a, b, count), as another system may have counted them.

        >>> Profile.from_rows([(10**12, 10**12, 10**12, 1)]).size
        1000000000000
        """
        counts: Counter[tuple[int, int, int]] = Counter()
        if not isinstance(rows, Iterable) or getattr(rows, "ndim", 1) == 0:
            raise InputError(
                f"a profile is made of rows (n, a, b, count), not of {kind_of(rows)}; for a table of "
                "counts use Profile.from_contingency"
            )
        for position, row in enumerate(rows):
            try:
                n, a, b, count = map(index, row)
            except (TypeError, ValueError) as error:
                raise InputError(
                    f"row {position} of the profile is {row!r}: it needs four whole numbers (n, a, b, count)"
                ) from error
            if not (1 <= n <= min(a, b) and count >= 1):
                raise InputError(
                    f"row {position} of the profile is (n={n}, a={a}, b={b}, count={count}): "
                    "it needs 1 <= n <= min(a, b) and count >= 1"
                )
            counts[n, a, b] += count
        for side in (1, 2):
            held: Counter[int] = Counter()
            for triple, count in counts.items():
                held[triple[side]] += triple[0] * count
            for size, elements in held.items():
                if elements % size:
                    raise InputError(
                        f"the profile does not add up: overlaps with clusters of {size:,} records have "
                        f"{elements:,} in total, which is not a multiple of {size:,}"
                    )
        profile = cls._from_counter(counts, None)
        if profile.cells > profile.rows * profile.columns:
            raise InputError(
                f"the profile does not add up: {profile.cells} overlaps between {profile.rows} and "
                f"{profile.columns} clusters"
            )
        return profile

    @classmethod
    def from_contingency(
        cls, table: Any, *, names: tuple[Sequence[Any], Sequence[Any]] | None = None
    ) -> Self:
        """A profile from a contingency table: a dense array or anything with SciPy's ``tocoo``.

        ``names`` are those of the rows and of the columns; a pandas table brings its own. A last row or
        column of totals, as ``pandas.crosstab(margins=True)`` adds, is refused.

        >>> Profile.from_contingency([[2, 0], [1, 3]]).size
        6
        """
        return cls.of_table(table_of(table, names))

    @classmethod
    def of_table(cls, table: Contingency, size: int | None = None) -> Self:
        """The distinct triples of the cells of a table, which the profile keeps."""
        n, a, b = table.n, table.a, table.b
        if n.dtype != np.int64:
            size = int(n.sum())
            n, a, b = (fitting(each, size) for each in (n, a, b))
        if n.dtype != np.int64:  # counts beyond 64 bits
            triples = zip(n.tolist(), a.tolist(), b.tolist(), strict=True)
            return cls._from_counter(Counter(triples), table)
        return cls(*core.triples(np.ascontiguousarray(n), a, b), table=table, size=size)

    @classmethod
    def _from_counter(cls, counts: Counter[tuple[int, int, int]], table: Contingency | None) -> Self:
        triples = sorted(counts, key=lambda t: (t[1], t[2], t[0]))
        n, a, b = zip(*triples, strict=True) if triples else ((), (), ())
        return cls(n, a, b, [counts[t] for t in triples], table=table)

    @classmethod
    def restored(cls, saved: Any) -> Self:
        """Restore saved counts."""
        return cls.from_rows(zip(*integers(saved, "n", "a", "b", "count", least=1), strict=True))

    # -- properties ----------------------------------------------------------------------------

    @property
    def identical(self) -> bool:
        """Whether the two partitions are the same: decided on integers, before any division."""
        nn, aa, bb = self.squares
        return nn == aa == bb  # an overlap is at most as large as its clusters

    @cached_property
    def squares(self) -> tuple[int, int, int]:
        """The sums of the squares of the overlaps and of the cluster sizes of both sides."""
        return self.total(self.n), self.total(self.a), self.total(self.b)

    @property
    def partitions(self) -> Profile:
        return self

    @cached_property
    def row_sizes(self) -> dict[int, int]:
        """Distinct sizes of the reference's clusters, each with the number of clusters."""
        return self._sizes(self.a)

    @cached_property
    def column_sizes(self) -> dict[int, int]:
        """Distinct sizes of the candidate's clusters, each with the number of clusters."""
        return self._sizes(self.b)

    @cached_property
    def overlap_sizes(self) -> dict[int, int]:
        """Distinct sizes of the overlaps, each with the number of overlaps."""
        return self._sizes(self.n)

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
        return int(product.dot(factors[0]))  # one pass, where multiplying and summing would be two

    def log_sums(self, bits: int) -> LogSums:
        """Sums of x·log(x), of which entropies are differences."""
        sizes = {self.size: 1}, self.row_sizes, self.column_sizes, self.overlap_sizes
        return LogSums(bits, *(log_sum(each, bits) for each in sizes))

    @property
    def narrow_table(self) -> Contingency:
        """The table, with int64 if floats hold all sums of it."""
        table = self.table
        return Contingency(table.row, table.column, fitting(table.n, self.size, bits=53))

    def _sizes(self, sizes: Integers) -> dict[int, int]:
        if sizes.dtype == np.int64 and sizes.max(initial=0) <= len(sizes) and sizes.min(initial=0) >= 0:
            elements = sums_by(sizes, self.mass)
            distinct = np.flatnonzero(elements)
            elements = elements[distinct]
        else:
            distinct, which = distinct_sizes(sizes)
            elements = sums_by(which, self.mass, len(distinct))
        clusters = {}
        for size, held in zip(distinct.tolist(), elements.tolist(), strict=True):
            clusters[size], left = divmod(held, size)
            if left:
                raise InputError(
                    f"the profile does not add up: {held} records are in clusters of size {size}, "
                    "which is not a whole number of clusters"
                )
        return clusters

    def __repr__(self) -> str:
        return f"Profile(size={self.size}, rows={self.rows}, columns={self.columns}, cells={self.cells})"
