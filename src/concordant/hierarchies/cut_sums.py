"""Sums over the overlaps of many cuts of a tree, from which indices of all of them are computed together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from concordant.counts.arithmetic import Integers
from concordant.counts.base import Counts
from concordant.counts.elements import Elements
from concordant.counts.overlaps import Matches
from concordant.counts.pairs import Crossings, Pairs, Trios, ViewCounts
from concordant.hierarchies.exact_arrays import BoundedArray, ExactArray, FixedPoint, Marks

_SIZES = ("size", "in_u", "in_v", "common")  # elements, which both sides have in common


SUMMED_VIEWS = frozenset((Pairs, Elements, Matches, Crossings, Trios))  # the views of which sums are followed


class UnknownSumError(Exception):
    """A formula reads a sum that is not followed from cut to cut."""


class KnownSums:
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
        raise UnknownSumError(name)


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
    # The counts of the cuts with these numbers, one by one, for an index that needs more than the sums.
    profiles: Callable[[Sequence[int]], Iterable[Counts]]
    title: str  # of the cuts, in an error
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
        views = {view: KnownSums(sizes, known, read) for view, known in of_elements.items()}
        # in_u and in_v of trios are counts of trios.
        return views | {view: KnownSums({}, self.wide, read) for view in (Crossings, Trios)}

    def taken(self, which: Integers) -> CutSums:
        """Some of them."""
        read = partial(_chosen, which=which)

        def later(numbers: Mapping[str, Any]) -> dict[str, Any]:
            return {name: partial(read, each) for name, each in numbers.items()}

        nn, aa, bb = (read(each) for each in (self.nn, self.aa, self.bb))
        known = later(self.elements), later(self.matches), later(self.wide)
        found = self.information
        information = None if found is None else lambda: {name: read(each) for name, each in found().items()}

        def profiles(cuts: Sequence[int]) -> Iterable[Counts]:
            return self.profiles([int(which[cut]) for cut in cuts])

        return CutSums(self.size, len(which), nn, aa, bb, *known, profiles, self.title, information)


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
