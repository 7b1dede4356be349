"""SoftCounts: the sums that soft indices are computed from, each on first use."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import plain
from concordant.counts.base import Counts, CountsKind, RefusedIndex, View
from concordant.errors import SoftError
from concordant.soft.draws import PosteriorDraws, squared_overlaps, sums_of_draws, sums_of_mixed
from concordant.soft.gram import Gram, SoftCells, SoftPairSums, gram_of, overlaps_of
from concordant.soft.memberships import UNITS, Memberships
from concordant.views.assignment import one_to_one

_MATCHED_BITS = 60  # of an overlap that a matching of floating-point weights uses


class SoftSides:
    """Both sides over the same records."""

    size: int
    sides: tuple[Memberships | PosteriorDraws, Memberships | PosteriorDraws]
    scale: int  # units of a weight of 1
    columns: tuple[int, int]  # clusters of each side; 0 for draws
    clusters: tuple[list[Any], list[Any]]  # their names; none for draws
    audit: dict[str, int]
    exact: bool

    def __init__(
        self,
        sides: tuple[Memberships | PosteriorDraws, Memberships | PosteriorDraws],
        clusters: tuple[list[Any], list[Any]],
        records: Any = None,  # their names by position, None if they have none
        audit: dict[str, int] | None = None,
    ) -> None:
        self.size, self.clusters, self.audit = len(sides[0]), clusters, audit or {}
        self._records = records
        tables = [each for each in sides if isinstance(each, Memberships)]
        self.exact = all(each.exact for each in tables)
        scale = math.lcm(*(each.scale for each in tables)) if self.exact else UNITS
        u, v = (
            each.scaled_to(scale, exact=self.exact) if isinstance(each, Memberships) else each
            for each in sides
        )
        self.sides, self.scale = (u, v), scale
        self.columns = tuple(each.columns if isinstance(each, Memberships) else 0 for each in self.sides)  # type: ignore[assignment]  # two of them

    @property
    def are_draws(self) -> bool:
        """Whether a side is draws."""
        return any(isinstance(each, PosteriorDraws) for each in self.sides)

    @property
    def memberships(self) -> tuple[Memberships, Memberships]:
        """Both sides as rows of weights; an error if one is draws."""
        u, v = self.sides
        if isinstance(u, PosteriorDraws) or isinstance(v, PosteriorDraws):
            raise SoftError(
                "this needs a weight for each cluster, and the clusters of one draw are not those of "
                "another; soft_adjusted_rand and soft_rand_squared compare draws"
            )
        return u, v

    def pieces(self) -> Iterator[tuple[Memberships, Memberships]]:
        """The rows of both sides, as many at a time as the core takes."""
        u, v = self.memberships
        for rows in u.chunks():
            yield u.piece(rows), v.piece(rows)

    def gram(self, threads: int) -> Gram:
        """The Gram matrices."""
        return gram_of(self.pieces(), self.columns, self.scale, threads)

    def overlaps(self, threads: int) -> SoftCells:
        """Σ min(u, v) for each two columns, in units."""
        return overlaps_of(self.pieces(), threads)

    def rest_units(self) -> tuple[int, int, int]:
        """The units that the reference, the candidate, and both leave in no cluster."""
        total = [0, 0, 0]
        for u, v in self.pieces():
            rests = [np.zeros(len(u), dtype=np.int64) if each.rest is None else each.rest for each in (u, v)]
            for place, rest in enumerate((*rests, np.minimum(*rests))):
                total[place] += sum(rest.tolist()) if u.rest is not None or v.rest is not None else 0
        return total[0], total[1], total[2]

    def prepare(self, positions: NDArray[Any]) -> None:
        """Prepare the rows of these records for access one by one; in memory, all are ready."""

    def row(self, position: int) -> tuple[Any, Memberships, Memberships]:
        """The name of a record, and its row on each side."""
        (u, v), rows = self.memberships, slice(position, position + 1)
        return self.record(position), u.piece(rows), v.piece(rows)

    @property
    def has_names(self) -> bool:
        """Whether the records have names."""
        return self._records is not None

    def record(self, position: int) -> Any:
        """The name of a record, or its position."""
        return position if self._records is None else plain(self._records[position])


class SoftCounts(Counts):
    """Sums over the records and pairs of two sides."""

    cheap_identity = False
    zero_by_zero = "is 0/0 here"

    def __init__(self, sides: SoftSides, threads: int = 0) -> None:
        self.sides, self._threads = sides, threads
        self.kind: CountsKind = "draws" if sides.are_draws else "soft"
        if not sides.exact:
            self.rounded = (
                "the weights are floating-point numbers, which were rounded; pass fractions or decimals for "
                "an exact value"
            )
        self._views: dict[tuple[type, bool], Any] = {}

    @property
    def size(self) -> int:
        """The number of records."""
        return self.sides.size

    @cached_property
    def gram(self) -> Gram:
        """The Gram matrices; an error for draws."""
        return self.sides.gram(self._threads)

    @cached_property
    def pair_sums(self) -> SoftPairSums:
        """Sums over pairs of p, q and their products."""
        if not self.sides.are_draws:
            return self.gram.pair_sums
        u, v = self.sides.sides
        if isinstance(u, PosteriorDraws) and isinstance(v, PosteriorDraws):
            return sums_of_draws(u, v, self._threads)
        if isinstance(v, PosteriorDraws) and isinstance(u, Memberships):
            return mirrored(sums_of_mixed(v, u, self._threads))
        assert isinstance(u, PosteriorDraws)
        assert isinstance(v, Memberships)
        return sums_of_mixed(u, v, self._threads)

    @cached_property
    def draw_tables(self) -> tuple[NDArray[np.float64], int]:
        """Σn² over the overlaps of each two draws of both sides, and how many draws the reference has."""
        u, v = self.sides.sides
        assert isinstance(u, PosteriorDraws)
        assert isinstance(v, PosteriorDraws)
        return squared_overlaps(u, v, self._threads), len(u.shares)

    # -- matched columns --------------------------------------------------------------------------------

    @cached_property
    def overlaps(self) -> SoftCells:
        """Σ min(u, v) for each two columns, in units."""
        return self.sides.overlaps(self._threads)

    @cached_property
    def matched_columns(self) -> list[tuple[int, int]]:
        """Columns paired one to one with the largest total of the smaller weights."""
        return matched_by(self.overlaps, self.sides.columns[1])

    @cached_property
    def matched(self) -> int:
        """Σ min(u, v) over the matched columns, and over the weight in no cluster on both sides, in units."""
        width = self.sides.columns[1]
        return sum(self.overlaps[i * width + j] for i, j in self.matched_columns) + self.matched_rest

    @property
    def matched_rest(self) -> int:
        """The weight that both sides leave in no cluster, in units."""
        return self.sides.rest_units()[2]

    @cached_property
    def identical(self) -> bool:
        """Whether both sides are the same up to the names of clusters; of draws, whether all p equal q."""
        if self.sides.are_draws:
            return not self.pair_sums.squared_difference
        rests = self.sides.rest_units()
        u, v = sum(self.gram.u.values()) + rests[0], sum(self.gram.v.values()) + rests[1]
        return u == self.matched == v

    def refusal(self, index: RefusedIndex) -> SoftError:
        name = index.declared_name
        if index.is_of_partitions:
            forms = index.forms_for(self)
            what = f"its soft form is {' or '.join(forms)}" if forms else "it has no soft form"
            return SoftError(
                f"{name} needs labels, and a side has weights; {what}",
                calls=".hardened compares the largest weights, with all partition indices",
            )
        if index.sides == "soft":
            return SoftError(
                f"{name} compares clusters by their columns, and the clusters of one draw are not those of "
                f"another; draws have {', '.join(index.others_for(self))}"
            )
        return SoftError(f"{name} compares {index.inputs}, and a side has weights")


@dataclass(frozen=True, slots=True)
class MatchedWeight(View):
    """The weight that both sides give to the same clusters, after a one-to-one matching of their columns."""

    units: int
    whole: int  # of all records

    @classmethod
    def of_soft(cls, counts: SoftCounts, exact: bool) -> MatchedWeight:  # noqa: ARG003  (always exact)
        return cls(counts.matched, counts.size * counts.sides.scale)


def matched_by(overlaps: SoftCells, width: int) -> list[tuple[int, int]]:
    """Columns paired one to one with the largest total overlap."""
    cells = sorted(overlaps)
    values = [overlaps[cell] for cell in cells]
    excess = max(max(values, default=0).bit_length() - _MATCHED_BITS, 0)
    weights = np.array([max(value >> excess, 1) for value in values], dtype=np.int64)
    rows, columns = np.divmod(np.array(cells, dtype=np.int64), width)
    chosen = one_to_one(rows, columns, weights).tolist()
    return sorted(divmod(cells[i], width) for i in chosen)


def mirrored(sums: SoftPairSums) -> SoftPairSums:
    """The sums with the sides swapped."""
    return SoftPairSums(sums.size, p=sums.q, q=sums.p, pp=sums.qq, qq=sums.pp, pq=sums.pq)
