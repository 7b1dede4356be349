"""The values of indices for all pairs of many partitions; each pair is counted once where that is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import INDICES, Index
from concordant.comparisons import values
from concordant.counts.conventions import Conventions, Progress
from concordant.many.columns import Column
from concordant.partitions.labels import Codes
from concordant.partitions.mismatch import none_common, nothing_left
from concordant.partitions.missing import set_apart


@dataclass(frozen=True, slots=True)
class AllPairs:
    indices: tuple[Index, ...]
    names: tuple[str, ...]
    partitions: Sequence[Any]  # which an engine takes as they are
    conventions: Conventions
    progress: Progress | None

    def values(self) -> NDArray[np.float64]:
        """For each index its matrix: rows are references, columns candidates."""
        size = len(self.partitions)
        values = np.empty((len(self.indices), size, size))
        for place, index in enumerate(self.indices):
            perfect = index.perfect
            alone = [perfect if perfect is not None else self._values(i, i, [index])[0] for i in range(size)]
            np.fill_diagonal(values[place], alone)
        pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
        for done, (i, j) in enumerate(pairs, start=1):
            values[:, i, j], values[:, j, i] = self._both_ways(i, j)
            if self.progress is not None:
                self.progress(done, len(pairs))
        return values

    def _both_ways(self, i: int, j: int) -> tuple[list[float], list[float]]:
        """The values of a pair and of the pair swapped, from one count where the indices allow it."""
        mirrors = [_mirror(index) for index in self.indices]
        count = len(self.indices)
        found = self._values(i, j, [*self.indices, *filter(None, mirrors)])
        there, mirrored = found[:count], iter(found[count:])
        alone = [each for each in self.indices if each.mirror is None]
        swapped = iter(self._values(j, i, alone) if alone else ())
        back = [
            next(swapped) if index.mirror is None else value if mirror is None else next(mirrored)
            for index, mirror, value in zip(self.indices, mirrors, there, strict=True)
        ]
        return there, back

    def _values(self, i: int, j: int, indices: Sequence[Index]) -> list[float]:
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
        u, v = (column.elements for column in pair)
        apart = u is not None and v is not None and set(u).isdisjoint(v)
        raise nothing_left(
            policies | noise,
            (sizes[0], sizes[1]),
            none_common(u, v) if apart else "no element is left that both have",
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


class CoverPairs(AllPairs):
    """Covers in memory: what two of them have, as comparing them has it."""

    __slots__ = ()

    def _values(self, i: int, j: int, indices: Sequence[Index]) -> list[float]:
        return values(indices, *self._pair(i, j), self.conventions)


def _mirror(index: Index) -> Index | None:
    """The other index that has the value of the pair swapped; None where there is none, or it is itself."""
    if index.mirror is None or index.symmetric:
        return None
    return INDICES[index.mirror].bind(**index.arguments)
