"""The values of an index for all pairs of many partitions; each pair is counted once where that is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import INDICES, Index
from concordant.comparison import values
from concordant.counts.conventions import Conventions
from concordant.many.columns import Column, Progress
from concordant.partitions.labels import Codes
from concordant.partitions.mismatch import nothing_left
from concordant.partitions.missing import set_apart


@dataclass(frozen=True, slots=True)
class AllPairs:
    index: Index
    names: tuple[str, ...]
    partitions: Sequence[Any]  # which an engine takes as they are
    conventions: Conventions
    progress: Progress | None

    def values(self) -> NDArray[np.float64]:
        size = len(self.partitions)
        values = np.empty((size, size))
        np.fill_diagonal(values, np.nan if self.index.perfect is None else self.index.perfect)
        if self.index.perfect is None:
            for i in range(size):
                values[i, i] = self._value(i, i, self.index)[0]
        pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
        for done, (i, j) in enumerate(pairs, start=1):
            values[i, j], values[j, i] = self._both_ways(i, j)
            if self.progress is not None:
                self.progress(done, len(pairs))
        return values

    def _both_ways(self, i: int, j: int) -> tuple[float, float]:
        """The value of a pair and of the pair swapped, from one count where the index allows it."""
        if self.index.mirror is None:
            return self._value(i, j, self.index)[0], self._value(j, i, self.index)[0]
        if self.index.symmetric:
            value = self._value(i, j, self.index)[0]
            return value, value
        mirror = INDICES[self.index.mirror].bind(**self.index.arguments)
        value, mirrored = self._value(i, j, self.index, mirror)
        return value, mirrored

    def _value(self, i: int, j: int, *indices: Index) -> list[float]:
        u, v = self._pair(i, j)
        agreed = Conventions(undefined=self.conventions.undefined, threads=self.conventions.threads)
        return values(indices, u, v, agreed)

    def _pair(self, i: int, j: int) -> tuple[Any, Any]:
        """Two of the partitions, laid side by side."""
        return self.partitions[i], self.partitions[j]


class ColumnPairs(AllPairs):
    """Columns in memory, of which some may lack elements that others have."""

    __slots__ = ()

    partitions: Sequence[Column]

    def _pair(self, i: int, j: int) -> tuple[Codes, Codes]:
        u, v = self._laid_side_by_side(self.partitions[i], self.partitions[j])
        if not len(u) and i != j:
            self._refuse_nothing_left(i, j)
        return u, v

    def _laid_side_by_side(self, u: Column, v: Column) -> tuple[Codes, Codes]:
        keep: Any = slice(None)
        for out in self._left_out(u, v):
            keep = ~out if isinstance(keep, slice) else keep & ~out
        return set_apart(u.codes, u.absent)[keep], set_apart(v.codes, v.absent)[keep]

    def _refuse_nothing_left(self, i: int, j: int) -> None:
        pair = [self.partitions[place] for place in (i, j)]
        sizes = [len(x.codes) - (0 if x.absent is None else int(x.absent.sum())) for x in pair]
        if not any(sizes):
            return
        policies = {"unmatched": "drop"} if self.conventions.unmatched == "drop" else {}
        noise = {} if all(column.dropped is None for column in pair) else {"noise_as": "drop"}
        raise nothing_left(
            policies | noise,
            (sizes[0], sizes[1]),
            "no element is left that both have",
            sides=(repr(self.names[i]), repr(self.names[j])),
        )

    def _left_out(self, u: Column, v: Column) -> Iterator[NDArray[np.bool_]]:
        for column in (u, v):
            if column.dropped is not None:
                yield column.dropped
            if column.absent is not None and self.conventions.unmatched == "drop":
                yield column.absent
        if u.absent is not None and v.absent is not None:
            yield u.absent & v.absent
