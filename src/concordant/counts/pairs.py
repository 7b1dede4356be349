"""Pairs of elements, by whether each partition holds them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import mul
from typing import Any, ClassVar, Literal, Self

from concordant.counts.base import (
    Availability,
    Counts,
    Detail,
    RefusedIndex,
    SharedCount,
    View,
    ViewT,
    WeightClass,
)
from concordant.counts.cover_counts import CoverCounts
from concordant.counts.partial_overlap import PartialOverlap, pair_number
from concordant.counts.profile import Profile
from concordant.counts.weighted_counts import WeightedCounts
from concordant.errors import ConcordantError, ParameterError, TableNeededError
from concordant.foundation.results import Result, read_only_class
from concordant.foundation.spelling import counted, verb
from concordant.maths.arithmetic import distinct_sizes, plain_weight, sums_by


@dataclass(slots=True)  # not frozen: frozen instances take three times as long to create
class PairCounts(View):
    """Pairs of elements, by whether each partition has them together (1) or apart (0).

    If a side has unmatched elements, n10 and n01 also count pairs that the other side lacks, and n00 counts
    only pairs of elements on both sides.

    Attributes
    ----------
    n11 : int
        Pairs together in both partitions.
    n10 : int
        Pairs together in the reference only: false-negative (missed) pairs.
    n01 : int
        Pairs together in the candidate only: false-positive (wrong) pairs.
    n00 : int
        Pairs apart in both.
    size : int
        Number of elements.
    own_apart : (int, int), optional
        With unmatched elements: pairs apart in the reference and in the candidate.
    weight_squares : int, optional
        Sum of the squared weights, n without weights.
    """

    needs: ClassVar[Detail] = Detail.PAIRS
    weight_class: ClassVar[WeightClass] = "pairs"
    linear: ClassVar[bool] = True
    shares: ClassVar[SharedCount] = "n11"
    has_exact_form: ClassVar[bool] = True

    n11: int
    n10: int
    n01: int
    n00: int
    size: int
    own_apart: tuple[int, int] | None = field(default=None, repr=False)
    weight_squares: int | None = field(default=None, repr=False)
    # With weights: the shares of all pairs, each counting one, that each side holds together.
    shares_of_pairs: tuple[Fraction, Fraction] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:
        pairs = cls.from_squares(profile.size, *profile.squares)
        return pairs.exactly() if exact else pairs

    @classmethod
    def of_partial_overlap(cls, cells: PartialOverlap, exact: bool) -> Self:
        if cells.met_squares is None:
            raise TableNeededError(
                "the records of each cluster that both sides have were not counted; compare the labels"
            )
        overlaps = zip(cells.n.tolist(), cells.count.tolist(), strict=True)
        sides = overlaps, cells.row_sizes.items(), cells.column_sizes.items()
        n11, in_u, in_v = (sum(pair_number(size) * many for size, many in sizes) for sizes in sides)
        both_u, both_v = ((squares - cells.common) // 2 for squares in cells.met_squares)
        in_reference, in_candidate, in_both = cells.compared_pairs
        apart = in_reference - in_u, in_candidate - in_v
        pairs = cls(n11, in_u - n11, in_v - n11, in_both - both_u - both_v + n11, cells.size, apart)
        return pairs.exactly() if exact else pairs

    @classmethod
    def of_covers(cls, counts: CoverCounts, exact: bool) -> Self:
        """Two elements are together if they share at least one cluster."""
        linked = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
        for (p, q), count in counts.pair_histogram.items():
            linked[p > 0, q > 0] += count
        n11, n10, n01, n00 = linked.values()
        pairs = cls(n11, n10, n01, n00, counts.size)
        return pairs.exactly() if exact else pairs

    @classmethod
    def of_weights(cls, counts: WeightedCounts, exact: bool) -> Self:
        """A pair weighs the product of its elements' weights."""
        nn, aa, bb = counts.weights.squares
        sums = nn - counts.squares, aa - nn, bb - nn, counts.weights.size**2 - aa - bb + nn
        n11, n10, n01, n00 = (_whole(Fraction(each, 2 * counts.parts**2)) for each in sums)
        squares = _whole(Fraction(counts.squares, counts.parts**2))
        pairs = cls(n11, n10, n01, n00, _whole(counts.total), None, squares, counts.shares_of_pairs)
        return pairs.exactly() if exact else pairs

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        pairs = profile.view(cls, exact=True)
        return pairs.with_n11(pairs.in_u * pairs.in_v / pairs.all if pairs.all else Fraction(0))

    def exactly(self) -> Self:
        """The same counts as Fractions."""
        exact: Any = Fraction  # calculates like an integer
        apart = None if self.own_apart is None else (exact(self.own_apart[0]), exact(self.own_apart[1]))
        squares = None if self.weight_squares is None else exact(self.weight_squares)
        n11, n10, n01, n00, size = map(exact, (self.n11, self.n10, self.n01, self.n00, self.size))
        return type(self)(n11, n10, n01, n00, size, apart, squares, self.shares_of_pairs)

    def with_n11(self, n11: Any) -> Self:
        """The same number of pairs together in each partition, but ``n11`` pairs together in both."""
        return self.with_sums(n11, self.in_u, self.in_v)

    def with_sums(self, n11: Any, in_u: Any, in_v: Any) -> Self:
        """From the number of pairs together in both partitions, in the reference and in the candidate."""
        return type(self)(n11, in_u - n11, in_v - n11, self.all - in_u - in_v + n11, self.size)

    @classmethod
    def from_squares(cls, size: int, nn: int, aa: int, bb: int) -> Self:
        """From the sums of the squares of the overlaps and of the cluster sizes of both sides."""
        n11 = (nn - size) // 2
        n10 = (aa - nn) // 2
        n01 = (bb - nn) // 2
        return cls(n11, n10, n01, pair_number(size) - n11 - n10 - n01, size)

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

    @property
    def excess(self) -> int:
        """Zero for independent pairs, positive for agreement: the numerator of every correlation of pairs."""
        return self.n11 * self.n00 - self.n10 * self.n01

    @property
    def margins(self) -> int:
        """The product of the pairs together and apart in either partition."""
        return self.in_u * self.in_v * (self.n00 + self.n10) * (self.n00 + self.n01)

    @property
    def self_pairs(self) -> int:
        """Pairs of an element with itself, each of weight w²."""
        return self.size if self.weight_squares is None else self.weight_squares

    @property
    def nn(self) -> int:
        """Σ n²: ordered pairs together in both, self pairs included."""
        return 2 * self.n11 + self.self_pairs

    @property
    def aa(self) -> int:
        """Σ a²: ordered pairs together in the reference, self pairs included."""
        return 2 * self.in_u + self.self_pairs

    @property
    def bb(self) -> int:
        """Σ b²: ordered pairs together in the candidate, self pairs included."""
        return 2 * self.in_v + self.self_pairs

    @property
    def permuted_share_of_u(self) -> Fraction:
        """The probability that two elements are together in the reference after permuting its labels."""
        return Fraction(self.in_u, self.all) if self.shares_of_pairs is None else self.shares_of_pairs[0]

    @property
    def permuted_share_of_v(self) -> Fraction:
        """The probability that two elements are together in the candidate after permuting its labels."""
        return Fraction(self.in_v, self.all) if self.shares_of_pairs is None else self.shares_of_pairs[1]

    @property
    def apart_in_u(self) -> int:
        """Pairs apart in the reference."""
        return self.n00 + self.n01 if self.own_apart is None else self.own_apart[0]

    @property
    def apart_in_v(self) -> int:
        """Pairs apart in the candidate."""
        return self.n00 + self.n10 if self.own_apart is None else self.own_apart[1]


@read_only_class
@dataclass(frozen=True, slots=True, repr=False)
class Pairs(Result):
    """Pairs of records, by whether each side has them together (1) or apart (0).

    If a side has unmatched records, n10 and n01 also count pairs that the other side lacks, and n00 counts
    only pairs of records on both sides. With weights, a pair counts the product of its two weights.

    Attributes
    ----------
    n11 : int
        Pairs together on both sides.
    n10 : int
        Pairs together in the reference only: false-negative (missed) pairs.
    n01 : int
        Pairs together in the candidate only: false-positive (wrong) pairs.
    n00 : int
        Pairs apart on both sides.
    size : int
        Number of records.
    in_reference : int
        Pairs together in the reference.
    in_candidate : int
        Pairs together in the candidate.
    apart_in_reference : int
        Pairs apart in the reference.
    apart_in_candidate : int
        Pairs apart in the candidate.
    """

    n11: int
    n10: int
    n01: int
    n00: int
    size: int
    in_reference: int
    in_candidate: int
    apart_in_reference: int
    apart_in_candidate: int

    @property
    def all(self) -> int:
        """All pairs: n(n-1)/2 of n records."""
        return self.n11 + self.n10 + self.n01 + self.n00

    @property
    def headline(self) -> str:
        whole, both, others = map(plain_weight, (self.in_reference, self.n11, self.n01))
        in_both = f"{both:,} {verb(both, 'are')} together in the candidate"
        of_reference = f"Of {counted(whole, 'pair')} together in the reference"
        return f"{of_reference}, {in_both}, which has {counted(others, 'other')}."

    def __repr__(self) -> str:
        four = ", ".join(f"{name}={getattr(self, name)}" for name in ("n11", "n10", "n01", "n00"))
        return f"<Pairs of {self.size} records: {four}>"

    def to_dict(self) -> dict[str, Any]:
        return {name: plain_weight(value) for name, value in Result.to_dict(self).items()}


def pairs_of(counts: PairCounts, size: int | None = None) -> Pairs:
    """The pairs of a comparison; ``size`` is the number of records, if the counts do not have it."""
    return Pairs(
        *(counts.n11, counts.n10, counts.n01, counts.n00, counts.size if size is None else size),
        *(counts.in_u, counts.in_v, counts.apart_in_u, counts.apart_in_v),
    )


def _whole(number: Fraction) -> Any:
    """A whole number as an integer; a fraction supports the same arithmetic."""
    return int(number) if number.denominator == 1 else number


class EdgePairs(PairCounts):
    """The four counts over the edges of a graph. The number of elements has no meaning for them."""

    __slots__ = ()

    @property
    def size(self) -> int:
        raise ParameterError(
            "this index also counts records, or each record as a pair with itself, so it has no meaning "
            "over edges; use one that counts pairs alone, such as adjusted_rand, jaccard or f_measure"
        )

    @size.setter
    def size(self, size: int) -> None:
        """Ignored."""

    def exactly(self) -> Self:
        exact: Any = Fraction  # calculates like an integer
        n11, n10, n01, n00 = map(exact, (self.n11, self.n10, self.n01, self.n00))
        return type(self)(n11, n10, n01, n00, 0)


class PartialCounts(Counts):
    """Counts of which only some views are known: all that an index reads, and obtained faster than triples.

    >>> counts = PartialCounts.of_pairs(PairCounts(n11=1, n10=0, n01=0, n00=2, size=3))
    >>> counts.size, counts.identical, counts.view(PairCounts).n11
    (3, True, 1)
    """

    __slots__ = ("_known", "identical", "size")

    identical: bool
    size: int

    def __init__(self, size: int, identical: bool, known: Mapping[type, Any]) -> None:
        self.size, self.identical, self._known = size, identical, known

    @classmethod
    def of_pairs(cls, pairs: PairCounts) -> Self:
        """Pair counts alone. Partitions differ if one holds a pair together that the other does not."""
        return cls(pairs.size, not (pairs.n10 or pairs.n01), {PairCounts: pairs})

    @property
    def availability(self) -> Availability:
        return Availability(Detail.PAIRS, price="only the counts that some indices need are available")

    def view(self, kind: type[ViewT], exact: bool = False) -> ViewT:
        if kind not in self._known:
            raise self._no_view(kind)
        known_view = self._known[kind]
        view: ViewT = known_view.exactly() if exact and kind is PairCounts else known_view
        return view

    def _no_view(self, kind: type[View]) -> ConcordantError | TypeError:
        known = ", ".join(each.__name__ for each in self._known)
        return TypeError(f"only {known} were counted, and {kind.__name__} needs the profile")


class BetweenCounts(PartialCounts):
    """The pairs of elements of different sources: all pairs without those within each source.

    The clusters are those of ``everything``, the counts of all elements. ``pieces`` are the parts into which
    the sources cut the overlaps. ``within`` has the doubled pairs within sources: together in both sides, in
    each side, and all.
    """

    rows: int
    columns: int
    cells: int
    row_sizes: dict[int, int]
    column_sizes: dict[int, int]

    kind = "between"
    zero_by_zero = "divides by zero for the pairs between these sources"

    def __init__(self, everything: Counts, pieces: Any, within: Sequence[int]) -> None:
        pairs, doubled = everything.view(PairCounts), 2 * (everything.parts or 1) ** 2
        every = (pairs.n11, pairs.in_u, pairs.in_v, pairs.all)
        n11, u, v, both = (_whole(x - Fraction(own, doubled)) for x, own in zip(every, within, strict=True))
        between = EdgePairs(n11, u - n11, v - n11, both - u - v + n11, 0)
        super().__init__(everything.size, everything.identical, {PairCounts: between})
        self.everything, self.pieces, self.parts = everything, pieces, everything.parts
        self.rows, self.columns, self.cells = everything.rows, everything.columns, everything.cells
        self.row_sizes, self.column_sizes = everything.row_sizes, everything.column_sizes

    @property
    def availability(self) -> Availability:
        return Availability(Detail.PAIRS, price=f"{_PAIRS_ALONE}, not whole clusters", adds_up=False)

    @property
    def partitions(self) -> Profile:
        raise self._no_view(View)

    def _no_view(self, kind: type[View]) -> ConcordantError | TypeError:  # noqa: ARG002
        words = f"this reads whole clusters, and {_PAIRS_ALONE}; compare without it for this"
        return ParameterError(words, given={"between": ...})

    def refusal(self, index: RefusedIndex) -> ConcordantError:
        if not index.is_of_partitions:
            return super().refusal(index)
        why = "permuted records change their sources, so the value by chance is not known"
        if not index.adjusted:
            why = "it is not a function of the four pair counts"
        advice = "use precision, recall, f_measure, jaccard or rand, or compare without it"
        return ParameterError(
            f"{index.name} has no meaning for pairs between sources: {why}; {advice}", given={"between": ...}
        )


_PAIRS_ALONE = "between= compares pairs of records of different sources"


@dataclass(slots=True)
class Crossings(View):
    """Σ n·a·b over the overlaps: for each element, the members of its cluster of U times those of V."""

    nab: int

    @classmethod
    def of(cls, profile: Profile) -> Self:
        if profile.size**2 >= 2**62:
            return cls(profile.total(profile.a, profile.b))
        # 64-bit integers hold the sums over the clusters of one size, but perhaps not the total.
        sizes, which = distinct_sizes(profile.a)
        sums = sums_by(which, profile.mass * profile.b, len(sizes))
        return cls(sum(map(mul, sizes.tolist(), sums.tolist())))

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        squares = profile.total(profile.a) * profile.total(profile.b)
        nab: Any = Fraction(squares, profile.size) if profile.size else Fraction(0)
        return cls(nab)


@dataclass(slots=True)
class ClusterTriples(View):
    """Ordered triples of different elements that one cluster holds: Σ a(a−1)(a−2) of either side."""

    shares: ClassVar[Literal["cluster sizes"]] = "cluster sizes"

    in_u: int
    in_v: int

    @classmethod
    def of(cls, profile: Profile) -> Self:
        return cls(_trios(profile.row_sizes), _trios(profile.column_sizes))

    @classmethod
    def by_chance(cls, profile: Profile) -> Self:
        return cls.of(profile)  # of the sizes alone


def _trios(sizes: Mapping[int, int]) -> int:
    return sum(many * x * (x - 1) * (x - 2) for x, many in sizes.items())
