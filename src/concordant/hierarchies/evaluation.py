"""The value of an index for many cuts at once, from sums of their overlaps and by its own declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Integers
from concordant.counts.base import Counts
from concordant.counts.conventions import Undefined
from concordant.counts.elements import Elements
from concordant.counts.overlaps import Matches
from concordant.counts.pairs import Crossings, Pairs, Trios, ViewCounts
from concordant.errors import Remedy, TooLargeError
from concordant.hierarchies.exact_arrays import ExactArray, Marks, TooWideError

WordPairs = tuple[Integers, Integers]  # the high and the low 64 bits of larger integers

_BLOCK = 2**15  # cuts that are evaluated together stay in the cache
# Cuts that are counted one by one, and elements of all of them where each needs the whole table.
_MOST_CUTS = 200_000
_MOST_ELEMENTS = 2 * 10**9


class _UnknownSumError(Exception):
    """A formula reads a sum that is not followed from cut to cut."""


class _Sums:
    """A view of which only some numbers are known."""

    def __init__(self, numbers: Mapping[str, Any]) -> None:
        vars(self).update(numbers)

    def __getattr__(self, name: str) -> Any:
        raise _UnknownSumError(name)


@dataclass(frozen=True, slots=True)
class CutSums:
    """Sums over the overlaps of many pairs of cuts; a number is the same for all of them.

    Squares are of overlaps (nn), of reference clusters (aa) and of candidate clusters (bb). The others have
    the names that the views of counts give them; a name that is missing was not followed.
    """

    size: int
    length: int
    nn: Integers
    aa: Integers | int
    bb: Integers | int
    elements: Mapping[str, Integers | int]  # numbers of Elements and of Matches
    matches: Mapping[str, Integers | int]
    nab: WordPairs | None = None  # Σ n·a·b
    trios: tuple[WordPairs | int, WordPairs | int] | None = None  # Σ a(a−1)(a−2) of either side

    def pairs(self, i: int) -> Pairs:
        """The pair counts of one of them."""
        return Pairs.from_squares(self.size, *(_entry(each, i) for each in (self.nn, self.aa, self.bb)))

    def counts(self, i: int) -> Counts:
        """What is known of one of them."""
        pairs = self.pairs(i)
        size = {"size": self.size, "in_u": self.size, "in_v": self.size, "common": self.size}
        known: dict[type, Any] = {
            Pairs: pairs,
            Elements: _Sums(size | {name: _entry(each, i) for name, each in self.elements.items()}),
            Matches: _Sums(size | {name: _entry(each, i) for name, each in self.matches.items()}),
        }
        if self.nab is not None:
            known[Crossings] = Crossings(_entry(self.nab, i))
        if self.trios is not None:
            known[Trios] = Trios(*(_entry(each, i) for each in self.trios))
        return ViewCounts(self.size, not (pairs.n10 or pairs.n01), known)

    def arrays(self, begin: int, end: int, marks: Marks) -> dict[type, Any]:
        """The views of some of them as arrays."""

        def part(sums: Any) -> Any:
            if isinstance(sums, tuple):
                return _wide(sums[0][begin:end], sums[1][begin:end], marks)
            return sums if isinstance(sums, int) else ExactArray.of(sums[begin:end], marks)

        def cut(sums: Any) -> Any:
            return sums if isinstance(sums, int) else sums[begin:end]

        nn, aa, bb = cut(self.nn), cut(self.aa), cut(self.bb)
        n11, n10, n01 = (nn - self.size) // 2, (aa - nn) // 2, (bb - nn) // 2
        n00 = self.size * (self.size - 1) // 2 - n11 - n10 - n01
        numbers: Any = [ExactArray.of(each, marks) for each in (n11, n10, n01, n00)]
        together, of_u, of_v, apart = numbers
        size = {"size": self.size, "in_u": self.size, "in_v": self.size, "common": self.size}
        views: dict[type, Any] = {
            Pairs: Pairs(together, of_u, of_v, apart, self.size),
            Elements: _Sums(size | {name: part(each) for name, each in self.elements.items()}),
            Matches: _Sums(size | {name: part(each) for name, each in self.matches.items()}),
        }
        if self.nab is not None:
            views[Crossings] = Crossings(part(self.nab))
        if self.trios is not None:
            views[Trios] = Trios(*map(part, self.trios))
        return views

    def taken(self, which: Integers) -> CutSums:
        """Some of them."""

        def part(sums: Any) -> Any:
            if isinstance(sums, tuple):
                return tuple(each[which] for each in sums)
            return sums if isinstance(sums, int) else sums[which]

        trios = self.trios
        return CutSums(
            self.size,
            len(which),
            part(self.nn),
            part(self.aa),
            part(self.bb),
            {name: part(each) for name, each in self.elements.items()},
            {name: part(each) for name, each in self.matches.items()},
            None if self.nab is None else part(self.nab),
            None if trios is None else (part(trios[0]), part(trios[1])),
        )


def _entry(sums: Any, i: int) -> int:
    if isinstance(sums, tuple):
        return (int(sums[0][i]) << 64) | (int(sums[1][i]) & (2**64 - 1))
    return sums if isinstance(sums, int) else int(sums[i])


def _wide(high: Integers, low: Integers, marks: Marks) -> Any:
    parts = high, (low >> 32) & 0xFFFFFFFF, low & 0xFFFFFFFF
    first, second, third = (ExactArray.of(part, marks) for part in parts)
    return (first * 2**32 + second) * 2**32 + third


# One by one: the counts of cuts, in order.
CountedCuts = Callable[[], Iterable[Counts]]


def evaluate(
    index: Index, sums: CutSums, undefined: Undefined, counted: CountedCuts, what: str
) -> NDArray[np.float64]:
    """The value of the index for each cut, the same bits as for the cut alone.

    ``counted`` gives the counts of each cut, for an index that needs more than the sums. ``what`` names the
    cuts.
    """
    values = np.empty(sums.length)
    try:
        if undefined == "conll" and index.conll is not None:
            raise TooWideError("its values are those of another formula")
        with np.errstate(all="ignore"):  # entries in doubt are evaluated again
            for begin in range(0, sums.length, _BLOCK):
                end = min(begin + _BLOCK, sums.length)
                values[begin:end] = _block(index, sums, begin, end, undefined)
    except _UnknownSumError:
        return _one_by_one(index, sums, undefined, counted, what)
    except (TypeError, KeyError):  # roots, logarithms and choices are for single numbers
        pass
    else:
        return values
    try:
        for i in range(sums.length):
            values[i] = index.value(sums.counts(i), undefined)
    except (_UnknownSumError, TypeError):
        return _one_by_one(index, sums, undefined, counted, what)
    return values


def _block(index: Index, sums: CutSums, begin: int, end: int, undefined: Undefined) -> NDArray[np.float64]:
    marks = Marks(end - begin)
    views = sums.arrays(begin, end, marks)
    result = index.compute(*(views[view] for view in index.views), **index.arguments)
    result = result.rounded() if hasattr(result, "rounded") else float(result)
    values = np.empty(end - begin)
    values[:] = result
    low, high = index.bounds(sums.size)
    marks.doubtful |= ~((low <= values) & (values <= high))
    if index.perfect is not None:
        squares = sums.nn, sums.aa, sums.bb
        nn, aa, bb = (each if isinstance(each, int) else each[begin:end] for each in squares)
        marks.doubtful |= (nn == aa) & (nn == bb)
    for i in np.flatnonzero(marks.doubtful).tolist():
        values[i] = index.value(sums.counts(begin + i), undefined)
    return values


def _one_by_one(
    index: Index, sums: CutSums, undefined: Undefined, counted: CountedCuts, what: str
) -> NDArray[np.float64]:
    by_table = index.needs > index.needs.SIZES
    most = min(_MOST_CUTS, _MOST_ELEMENTS // max(sums.size, 1)) if by_table else _MOST_CUTS
    if sums.length > most:
        raise TooLargeError(
            f"{index.name} of {sums.size:,} elements is counted cut by cut, and {what} are {sums.length:,} "
            f"cuts; at most {most:,} are counted so",
            remedies=[Remedy("take so many of them, evenly", levels=min(1000, most))],
        )
    values = np.empty(sums.length)
    for i, counts in enumerate(counted()):
        values[i] = index.value(counts, undefined)
    return values
