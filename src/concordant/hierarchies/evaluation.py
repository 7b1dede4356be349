"""The value of an index for many cuts together, from sums of their overlaps and its own declaration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import Integers
from concordant.counts.base import Counts
from concordant.counts.conventions import Undefined
from concordant.counts.elements import Elements
from concordant.counts.information import Information
from concordant.counts.overlaps import Matches
from concordant.counts.pairs import Crossings, Pairs, Trios, ViewCounts
from concordant.errors import Remedy, TooLargeError
from concordant.hierarchies.exact_arrays import BoundedArray, ExactArray, FixedPoint, Marks, TooWideError

_BLOCK = 2**15  # cuts that are evaluated together stay in the cache
# Cuts that are counted one by one, and elements of all of them where each needs the whole table.
_MOST_CUTS = 200_000
_MOST_ELEMENTS = 2 * 10**9


_SIZES = ("size", "in_u", "in_v", "common")  # elements, which both sides have in common


class _UnknownSumError(Exception):
    """A formula reads a sum that is not followed from cut to cut."""


class _Sums:
    """A view of which only some numbers are known; they are read when the formula reads them."""

    def __init__(
        self, sizes: Mapping[str, int], numbers: Mapping[str, Any], read: Callable[[Any], Any]
    ) -> None:
        self._sizes, self._numbers, self._read = sizes, numbers, read

    def __getattr__(self, name: str) -> Any:
        if name in self._numbers:
            return self._read(self._numbers[name])
        if name in self._sizes:
            return self._sizes[name]
        raise _UnknownSumError(name)


@dataclass(frozen=True, slots=True)
class CutSums:
    """Sums over the overlaps of many pairs of cuts; a plain number holds for all of them.

    Squares are of overlaps (nn), of reference clusters (aa) and of candidate clusters (bb). The others have
    the names that the views of counts give them; a name that is missing was not followed.
    """

    size: int
    length: int
    nn: Integers
    aa: Integers | int
    bb: Integers | int
    # Numbers of Elements and of Matches, and of Crossings and Trios; some are functions, which take time.
    elements: Mapping[str, Any]
    matches: Mapping[str, Any]
    wide: Mapping[str, Any]
    # Numbers of Information, as floats; for many cuts only, since each is followed with an error of its own.
    information: Callable[[], Mapping[str, Any]] | None = None

    def pairs(self, i: int) -> Pairs:
        """The pair counts of one cut."""
        return Pairs.from_squares(self.size, *(_entry(each, i=i) for each in (self.nn, self.aa, self.bb)))

    def counts(self, i: int) -> Counts:
        """The sums of one cut."""
        pairs = self.pairs(i)
        views = self._views(partial(_entry, i=i)) | {Pairs: pairs}
        return ViewCounts(self.size, not (pairs.n10 or pairs.n01), views)

    def arrays(self, begin: int, end: int, marks: Marks) -> dict[type, Any]:
        """The views of some cuts as arrays."""
        squares: tuple[Any, Any, Any] = (self.nn, self.aa, self.bb)
        nn, aa, bb = (each if isinstance(each, int) else each[begin:end] for each in squares)
        n11, n10, n01 = (nn - self.size) // 2, (aa - nn) // 2, (bb - nn) // 2
        n00 = self.size * (self.size - 1) // 2 - n11 - n10 - n01
        counts: tuple[Any, ...] = (n11, n10, n01, n00)
        numbers: Any = [ExactArray.of(each, marks) for each in counts]
        together, of_u, of_v, apart = numbers
        read = partial(_part, begin=begin, end=end, marks=marks)
        return self._views(read) | {Pairs: Pairs(together, of_u, of_v, apart, self.size)}

    def _views(self, read: Callable[[Any], Any]) -> dict[type, Any]:
        sizes = dict.fromkeys(_SIZES, self.size)
        of_elements = {Elements: self.elements, Matches: self.matches}
        views = {view: _Sums(sizes, known, read) for view, known in of_elements.items()}
        # in_u and in_v of trios are counts of trios.
        return views | {view: _Sums({}, self.wide, read) for view in (Crossings, Trios)}

    def taken(self, which: Integers) -> CutSums:
        """Some of them."""
        read = partial(_chosen, which=which)

        def later(numbers: Mapping[str, Any]) -> dict[str, Any]:
            return {name: partial(read, each) for name, each in numbers.items()}

        nn, aa, bb = (read(each) for each in (self.nn, self.aa, self.bb))
        known = later(self.elements), later(self.matches), later(self.wide)
        found = self.information
        information = None if found is None else lambda: {name: read(each) for name, each in found().items()}
        return CutSums(self.size, len(which), nn, aa, bb, *known, information)


def _part(sums: Any, *, begin: int, end: int, marks: Marks) -> Any:
    sums = sums() if callable(sums) else sums
    if isinstance(sums, FixedPoint):
        return BoundedArray.of(sums.part(slice(begin, end)), marks)
    if isinstance(sums, tuple):
        high, low = (ExactArray.of(each[begin:end], marks) for each in sums)
        return high * 2**31 + low
    return sums if isinstance(sums, int) else ExactArray.of(sums[begin:end], marks)


def _chosen(sums: Any, *, which: Integers) -> Any:
    sums = sums() if callable(sums) else sums
    if isinstance(sums, FixedPoint):
        return sums.part(which)
    if isinstance(sums, tuple):
        return tuple(each[which] for each in sums)
    return sums if isinstance(sums, int | float) else sums[which]


def _entry(sums: Any, *, i: int) -> Any:
    sums = sums() if callable(sums) else sums
    if isinstance(sums, FixedPoint):
        return sums.number(i)
    if isinstance(sums, tuple):
        return (int(sums[0][i]) << 31) + int(sums[1][i])
    return sums if isinstance(sums, int) else int(sums[i])


def _float_entry(numbers: Any, *, i: int) -> float:
    return numbers if isinstance(numbers, float) else float(numbers[i])


# One by one: the counts of cuts, in order.
CountedCuts = Callable[[], Iterable[Counts]]


def evaluate(
    index: Index, sums: CutSums, undefined: Undefined, counted: CountedCuts, what: str
) -> NDArray[np.float64]:
    """The value of the index for each cut, the same bits as for the cut alone.

    ``counted`` gives the counts of each cut, for an index that needs more than the sums. ``what`` names the
    cuts.
    """
    if index.views == (Information,) and sums.information is not None and sums.length > _MOST_CUTS:
        return _from_logarithms(index, sums, sums.information(), undefined)
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


def _from_logarithms(
    index: Index, sums: CutSums, entropies: Mapping[str, Any], undefined: Undefined
) -> NDArray[np.float64]:
    """The values from entropies that were followed from cut to cut, so the last digits may differ.

    Entropies of so many cuts one by one would take hours.
    """
    values = np.full(sums.length, np.nan)
    view: Any = _Sums({"size": sums.size}, entropies, lambda numbers: numbers)
    try:
        with np.errstate(all="ignore"):
            values[:] = index.compute(view, **index.arguments)
    except (TypeError, ValueError):  # roots and choices are for single numbers: each is computed by itself
        pass
    low, high = index.bounds(sums.size)
    in_doubt = ~((low <= values) & (values <= high)) | ((sums.nn == sums.aa) & (sums.nn == sums.bb))
    for i in np.flatnonzero(in_doubt).tolist():
        view = _Sums({"size": sums.size}, entropies, partial(_float_entry, i=i))
        counts = ViewCounts(sums.size, sums.counts(i).identical, {Information: view})
        values[i] = index.value(counts, undefined)
    return values


def _one_by_one(
    index: Index, sums: CutSums, undefined: Undefined, counted: CountedCuts, what: str
) -> NDArray[np.float64]:
    by_table = index.needs > index.needs.SIZES
    most = min(_MOST_CUTS, _MOST_ELEMENTS // max(sums.size, 1)) if by_table else _MOST_CUTS
    if sums.length > most:
        raise TooLargeError(
            f"{index.name} is computed cut by cut, and {what} are {sums.length:,} cuts of {sums.size:,} "
            f"elements; at most {most:,} are computed",
            remedies=[Remedy("compute only that many, evenly spaced", levels=min(1000, most))],
        )
    values = np.empty(sums.length)
    for i, counts in enumerate(counted()):
        values[i] = index.value(counts, undefined)
    return values
