"""The questions that counts can answer: immediately, on request, or not at all.

A view declares its needs; counts declare which they satisfy. Everything that prints, lists or draws checks
this first, so nothing raises because of size, and no engine runs a second time unless requested.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from concordant.counts.contingency import Contingency
from concordant.errors import ConcordantError, ParameterError, Remedy, TableNeededError, WeightsError
from concordant.foundation import kinds
from concordant.maths.arithmetic import Integers, as_integers, counted_alike, plain_weight, read_only

if TYPE_CHECKING:
    from concordant.counts.profile import Profile


class Detail(IntEnum):
    """Levels of knowledge about two partitions; each includes those before it."""

    PAIRS = 0  # how many pairs are together in both, in one, in none
    SIZES = 1  # how large the clusters and their overlaps are
    BEST = 2  # how much the best partner of each cluster shares with it
    TABLE = 3  # which clusters overlap
    RECORDS = 4  # the clusters of each record; requested from an engine if it may be needed later
    ALIGNMENT = 5  # the same for callers that rarely read sizes: these are counted on first use


@dataclass(frozen=True, slots=True)
class Availability:
    """The available knowledge, the knowledge that the engine can add, and its cost.

    >>> Availability(Detail.BEST, Detail.TABLE, "12 overlaps would be fetched").has(Detail.TABLE)
    False
    """

    at_hand: Detail
    on_request: Detail = Detail.PAIRS
    price: str = ""  # of the missing knowledge, or why it is unavailable; a sentence without its full stop
    adds_up: bool = True  # whether no element is in two overlaps, so their costs add up

    def has(self, need: Detail) -> bool:
        """Whether the need is satisfied without another request."""
        return need <= self.at_hand

    def can_ask(self, need: Detail) -> bool:
        """Whether the need is satisfied immediately or by asking the engine again."""
        return need <= max(self.at_hand, self.on_request)


ALL_AT_HAND = Availability(Detail.TABLE)


CountsKind = str  # one of VIEW_BUILDERS

# The class method of a view that takes counts of this kind. An index is defined for a kind if all its views
# have that method.
VIEW_BUILDERS: Mapping[CountsKind, str] = MappingProxyType(
    {
        "partitions": "of",
        "partial_overlap": "of_partial_overlap",
        "weights": "of_weights",
        "covers": "of_covers",
        "between": "of",
        **kinds.joined("builders"),
    }
)

# An element of weight 3 is equivalent to three elements of weight 1 in the same clusters ("shares"); or it is
# one element whose pair with another weighs the product of their weights and which has no pair with itself
# ("pairs"); or its weight also enters the expected or largest value ("records").
WeightClass = Literal["shares", "pairs", "records"]

# The quantity with which an index rises or falls for given cluster sizes.
SharedCount = Literal["n11", "information"]


class View:
    """A few named numbers computed from counts, and the knowledge that they need.

    A view has a class method for each kind of counts that it has a meaning for, see VIEW_BUILDERS. It takes
    the counts and, if the view has an exact form, whether its numbers are Fractions, which divide exactly.
    """

    __slots__ = ()

    needs: ClassVar[Detail] = Detail.SIZES
    # With more overlaps it may take minutes, so tables leave it out unless the index is named.
    quick_cells: ClassVar[float] = inf
    # How elements with different weights count in indices computed from this view alone; None if they cannot.
    weight_class: ClassVar[WeightClass | None] = None
    has_exact_form: ClassVar[bool] = False  # if not, its numbers are exact anyway, or never
    # Defaults of the claims `linear` and `shares` of indices: whether most formulas of this view alone are
    # linear in its numbers, and which count determines these for given cluster sizes.
    linear: ClassVar[bool] = False
    shares: ClassVar[SharedCount | Literal["cluster sizes"] | None] = None

    @classmethod
    def by_chance(cls, profile: Profile) -> Self | None:  # noqa: ARG003  (for views that know it)
        """The mean of each of its numbers over all permutations of the elements; None if it is unknown."""
        return None


ViewT = TypeVar("ViewT", bound=View)


class RefusedIndex(Protocol):
    """The properties of an index that an error names."""

    @property
    def name(self) -> str: ...
    @property
    def declared_name(self) -> str: ...
    @property
    def sides(self) -> str: ...
    @property
    def inputs(self) -> str: ...
    @property
    def is_of_partitions(self) -> bool: ...
    @property
    def adjusted(self) -> bool: ...
    @property
    def generalises(self) -> str | None: ...
    @property
    def no_weights(self) -> str: ...
    @property
    def no_limit(self) -> str: ...
    def forms_for(self, counts: Counts) -> Sequence[str]: ...
    def others_for(self, counts: Counts) -> Sequence[str]: ...


class Counts:
    """The counts of two sides: everything that indices read."""

    __slots__ = ()

    kind: CountsKind = "partitions"
    cheap_identity: ClassVar[bool] = True  # if not, `identical` is read only if a formula is 0/0
    zero_by_zero: ClassVar[str] = "divides by zero for these partitions"  # in words
    rounded: str = ""  # why no index has an exact value, if that is so
    _views: dict[tuple[type, bool], Any]
    divisible: bool = False  # whether elements can be divided without limit, like time
    parts: Fraction | None = None  # how many make a weight of one; None if elements have no weights
    remedies: tuple[Remedy, ...] = ()  # the options that lead to two partitions of the same elements

    if TYPE_CHECKING:  # an attribute of some counts, a cached property of others

        @property
        def size(self) -> int:
            """Number of elements."""

        @property
        def rows(self) -> int:
            """Number of clusters of the reference, K."""

        @property
        def columns(self) -> int:
            """Number of clusters of the candidate, L."""

        @property
        def cells(self) -> int:
            """Number of non-empty overlaps."""

        @property
        def row_sizes(self) -> dict[int, int]:
            """Distinct sizes of the reference's clusters, each with the number of clusters."""

        @property
        def column_sizes(self) -> dict[int, int]:
            """Distinct sizes of the candidate's clusters, each with the number of clusters."""

        @property
        def identical(self) -> bool:
            """Whether the two sides are the same."""

        @property
        def disjoint(self) -> bool:
            """Whether the sides have elements, but none in common."""

        @property
        def table(self) -> Contingency:
            """The non-empty cells of the contingency table."""

    else:
        disjoint = False
        cells = 0  # where no overlaps are listed

    @property
    def reference_size(self) -> int:
        """Number of elements of the reference."""
        return self.size

    @property
    def candidate_size(self) -> int:
        """Number of elements of the candidate."""
        return self.size

    @property
    def common(self) -> int:
        """Number of elements on both sides."""
        return self.size

    @property
    def availability(self) -> Availability:
        """The available knowledge about the two sides, and the cost of more."""
        return ALL_AT_HAND

    @property
    def partitions(self) -> Profile:
        """The counts of two partitions of one set; raises an error for other counts."""
        raise TypeError("only the counts that some indices need are available, not the profile")

    @property
    def completed(self) -> Profile:
        """The same; an element that one side lacks is a singleton there."""
        return self.partitions

    @property
    def by_weight(self) -> Profile:
        """The same, with the weight of each overlap in whole parts where elements have weights."""
        return self.completed

    def refuse_weights(self, why: str) -> None:
        """Refuse elements that have weights, with the reason. Time segments have their own."""
        if self.parts is not None and not self.divisible:
            raise WeightsError(f"{why}; compare without weights for this")

    def amount(self, count: int, pairs: int = 1) -> float:
        """A number of elements, or a weight that is given in whole parts; of ``pairs=2``, a product."""
        return int(count) if self.parts is None else plain_weight(Fraction(int(count)) / self.parts**pairs)

    def view(self, kind: type[ViewT], exact: bool = False) -> ViewT:
        """The view of that kind, computed once."""
        exact = exact and kind.has_exact_form
        view: ViewT | None = self._views.get((kind, exact))
        if view is None:
            build = getattr(kind, VIEW_BUILDERS[self.kind], None)
            if build is None:
                raise self._no_view(kind)
            view = build(self, exact) if kind.has_exact_form else build(self)
            if view is not self:  # counts that formulas read themselves would never be freed
                self._views[kind, exact] = view
        return view

    def refusal(self, index: RefusedIndex) -> ConcordantError:
        """The error for an index that is not defined for these counts. It names the way out."""
        forms = f"; {index.generalises} compares two partitions" if index.generalises else ""
        return ParameterError(f"{index.name} compares {index.inputs}, and these are two partitions{forms}")

    def _no_view(self, kind: type[View]) -> ConcordantError | TypeError:
        return TypeError(f"{kind.__name__} needs two partitions of one set")


@dataclass(slots=True, eq=False)  # not frozen: frozen instances take three times as long to create
class ContingencyLoader:
    """A table that is made on request, by counting here or by asking an engine again."""

    table: Callable[
        [], Contingency
    ]  # raises a ConcordantError that names the price if the table is too large
    availability: Availability = ALL_AT_HAND  # whether the table is at hand, and what it would cost if not
    is_portable: bool = True  # whether it can be made in another process; if not, the table itself is pickled
    # The table of the clusters that differ, and maybe of some others; None unless that is faster.
    differing: Callable[[], Contingency | None] = lambda: None

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_portable:
            return ContingencyLoader, (self.table, self.availability)
        return copy, (self.table(),)


class OverlapSizes(Counts):
    """The multiset of triples (n, a, b): the size of an overlap and of the two clusters it belongs to."""

    n: Integers
    a: Integers
    b: Integers
    count: Integers
    size: int

    _why_no_table: ClassVar[str]  # where the table cannot be made, and what to do
    _table: Contingency | ContingencyLoader | None = None  # none if a subclass makes the table itself

    def __init__(
        self,
        # n, a, b and how many overlaps have these sizes: four columns, or the rows of one array
        triples: tuple[Any, Any, Any, Any] | NDArray[np.int64],
        size: int,  # of the set
        table: Contingency | ContingencyLoader | None,
        best: tuple[PartnerSums, PartnerSums] | None,  # of the reference and of the candidate
    ) -> None:
        self.size = size
        self.best = best  # counted by an engine that keeps the table to itself
        self._table = table
        self._views = {}
        self._read(triples)

    def _read(self, triples: tuple[Any, Any, Any, Any] | NDArray[np.int64]) -> None:
        if isinstance(triples, np.ndarray):
            columns: list[Integers] = list(read_only(as_integers(triples, self.size)))
        else:
            columns = [read_only(as_integers(each, self.size)) for each in triples]
        self.n, self.a, self.b, self.count = columns

    @cached_property
    def cells(self) -> int:
        """Number of non-empty overlaps."""
        return int(self.count.sum())

    @cached_property
    def rows(self) -> int:
        """Number of clusters of the reference, K."""
        return sum(self.row_sizes.values())

    @cached_property
    def columns(self) -> int:
        """Number of clusters of the candidate, L."""
        return sum(self.column_sizes.values())

    @cached_property
    def mass(self) -> Integers:
        """Number of elements of each triple."""
        return self.n * self.count

    @property
    def availability(self) -> Availability:
        """The available knowledge about the two sides, and the cost of more."""
        if isinstance(self._table, Contingency):
            return ALL_AT_HAND
        if self._table is not None:
            return self._table.availability
        return Availability(Detail.SIZES if self.best is None else Detail.BEST, price=self._why_no_table)

    @cached_property
    def table(self) -> Contingency:
        """The cells themselves, where sizes alone are not enough."""
        if self._table is None:
            raise TableNeededError(f"this needs to know which clusters overlap, but {self._why_no_table}")
        return self._table if isinstance(self._table, Contingency) else self._table.table()

    def differing_table(self) -> Contingency | None:
        """The table of the clusters that differ, and maybe of some others; None if the whole one is made."""
        if "table" in self.__dict__ or not isinstance(self._table, ContingencyLoader):
            return None
        return self._table.differing()

    def with_table(self, source: ContingencyLoader) -> Self:
        """The same counts, with the table from another source."""
        made = copy(self)
        made.__dict__ |= {"_table": source, "_views": {}}
        made.__dict__.pop("table", None)
        return made


# Clusters of one side by their size and by the share n/(a + b) of their best partner: columns with the sizes,
# the numerators and denominators of the shares in lowest terms, and the numbers of clusters.
Shares = tuple[Integers, Integers, Integers, Integers]


def count_shares(size: Integers, part: Integers, whole: Integers, count: Integers) -> Shares:
    """The distinct sizes and shares part/whole, in lowest terms, each with its number of clusters.

    In lowest terms, it does not matter which of several equally good partners was found. A partner that is
    best by this share is also best by F1 and by Jaccard, as both grow with it.
    """
    size, part, whole, count = counted_alike((size, part, whole), count)  # first, so fewer are reduced
    common = np.gcd(part, whole)
    return counted_alike((size, part // common, whole // common), count)


@dataclass(frozen=True, slots=True, eq=False)
class PartnerSums:
    """Sums over the best partners of the clusters of one side, without naming the partners."""

    overlap: int  # Σ of the largest overlap of each cluster
    shares: Shares
    weakest: Fraction | None  # smallest Σ n(n−1) / (a(a−1)); None if no cluster has two elements
