"""What the views of two partitions are when one element is left out, without counting again.

All elements of an overlap (n, a, b) are alike. Without one of them N₁₁ has n−1 pairs fewer, and so on: what
is read of pairs and entropies follows from the triples. A sum Σ g(n, a, b) over the overlaps changes in the
row and in the column of the element, which the sums of g(n, a−1, b) and g(n, a, b−1) over them tell; Σ n·a·b
is one of these, and whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from concordant.catalogue.index import Index
from concordant.counts.arithmetic import AnArray, Floats, Integers, sums_by
from concordant.counts.elements import Elements
from concordant.counts.information import Information
from concordant.counts.pairs import Crossings, Pairs, Trios, ViewCounts
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.views.random_models import PairModels

Term = Callable[[Floats, Floats, Floats], Floats]

# Views that follow from the triples alone, and those that need to know which clusters overlap.
_OF_PAIRS: frozenset[type] = frozenset((Pairs, Trios, PairModels))
_OF_TRIPLES: frozenset[type] = _OF_PAIRS | {Information}
_OF_CELLS: frozenset[type] = _OF_TRIPLES | {Elements, Crossings}

# Below, what one element adds to Σ n·a·b stays within 64 bits.
_INT64_CROSSINGS = 2**30


def can_leave_out(index: Index) -> bool:
    """Whether the value without one element follows in closed form."""
    return set(index.views) <= _OF_CELLS


def reads_pairs(index: Index) -> bool:
    """Whether counts of pairs, of trios, of clusters and Σ n·a·b tell all."""
    return set(index.views) <= _OF_PAIRS | {Crossings}


class LeftOut:
    """Each kind of element left out in turn: those of equal triples, or those of one cell, are of a kind.

    Where Σ n·a·b is read beside pairs, those of equal triples that take as much of it away are.
    """

    n: Any
    a: Any
    b: Any

    def __init__(self, profile: Profile, index: Index) -> None:
        self._profile, self._views = profile, index.views
        by_triples = set(index.views) <= _OF_TRIPLES
        source: Any = profile if by_triples else profile.table
        self.n, self.a, self.b = source.n, source.a, source.b
        self.weights: Integers = profile.mass if by_triples else source.n
        self._kind: Integers | None = None
        if Crossings in index.views:
            self._falls = crossing_falls(source, profile.size)
            if Elements not in index.views and self._falls.dtype == np.int64:
                self._gather()

    def _gather(self) -> None:
        """Put cells that are alike together, which saves most where clusters are small."""
        keys = self._falls, self.n, self.b, self.a
        order = np.lexsort(keys)
        changes = np.zeros(len(order), dtype=bool)
        for key in keys:
            changes |= np.diff(key[order], prepend=-1) != 0
        kind = np.empty(len(order), dtype=np.int64)
        kind[order] = np.cumsum(changes) - 1
        first = order[changes]
        self.weights = sums_by(kind, self.weights, len(first))
        self._falls, self.n, self.b, self.a = (key[first] for key in keys)
        self._kind = kind

    @property
    def kind_of_cells(self) -> Integers:
        """For each cell of the table the kind that its elements are of."""
        table = self._profile.table
        if self._kind is not None:
            return self._kind
        if self.n is table.n:
            return np.arange(len(table))
        triples = np.stack([table.a, table.b, table.n], axis=1)  # as the profile has them in order
        return np.asarray(np.unique(triples, axis=0, return_inverse=True)[1]).ravel()

    def __iter__(self) -> Iterator[ViewCounts]:
        pairs = self._profile.view(Pairs)
        makers = [(kind, self._maker(kind)) for kind in self._views]
        size = self._profile.size - 1
        triples = zip(self.n.tolist(), self.a.tolist(), self.b.tolist(), strict=True)
        for place, (n, a, b) in enumerate(triples):
            identical = pairs.n10 == a - n and pairs.n01 == b - n
            yield ViewCounts(size, identical, {kind: make(place, n, a, b) for kind, make in makers})

    def _maker(self, kind: type) -> Callable[[int, int, int, int], Any]:
        p = self._profile
        if kind in _OF_PAIRS:
            return lambda _, n, a, b: pair_view_without(p, kind, n, a, b)
        if kind is Crossings:
            nab, falls = p.view(Crossings).nab, self._falls.tolist()
            return lambda place, *_: Crossings(nab - falls[place])
        if kind is Information:
            # Each N·H changes by x log x − (x−1) log(x−1), x the size of the cluster or of the overlap.
            i, size = p.view(Information), p.size
            n, a, b = (_step(np.asarray(x, dtype=np.float64)) for x in (self.n, self.a, self.b))
            whole = _step(np.array([float(size)]))[0]
            sums = {
                "h_u": size * i.h_u + a - whole,
                "h_v": size * i.h_v + b - whole,
                "h_uv": size * i.h_uv + n - whole,
                "h_u_given_v": size * i.h_u_given_v - b + n,
                "h_v_given_u": size * i.h_v_given_u - a + n,
                "mutual": size * i.mutual - n + a + b - whole,
            }
            # Rounding leaves a trace of a value that is 0.
            rest = max(size - 1, 1)
            lists: dict[str, list[Any]] = {
                name: np.where(total < size * 1e-15, 0.0, total / rest).tolist()
                for name, total in sums.items()
            }
            lists["size"] = [size - 1] * len(n)
            return lambda place, *_: _ViewAt(lists.__getitem__, place)
        elements = _ElementsWithout(p)
        return lambda place, *_: _ViewAt(elements.values, place)


# -- pairs --------------------------------------------------------------------------------------------------


def pair_view_without(profile: Profile, kind: type, n: Any, a: Any, b: Any) -> Any:
    """Counts of pairs, of trios or of clusters without an element of a triple; Fractions do, too."""
    if kind is Pairs:
        p = profile.view(Pairs)
        rest = p.size - 1 - (a - 1) - (b - 1) + (n - 1)
        return Pairs(p.n11 - (n - 1), p.n10 - (a - n), p.n01 - (b - n), p.n00 - rest, p.size - 1)
    if kind is Trios:
        t = profile.view(Trios)
        return Trios(t.in_u - trios_of_one(a), t.in_v - trios_of_one(b))
    return PairModels(profile.size - 1, profile.rows - (a == 1), profile.columns - (b == 1), exact=False)


def trios_of_one(size: Any) -> Any:
    """In how many ordered trios of a cluster one of its elements is."""
    return 3 * (size - 1) * (size - 2)


def crossing_falls(table: Table, size: int) -> Integers:
    """By how much Σ n·a·b falls without an element of each cell."""
    sizes = table.n, table.a, table.b
    if size >= _INT64_CROSSINGS:
        sizes = table.n.astype(object), table.a.astype(object), table.b.astype(object)
    return falls_by_sums(table, sizes, sums_by)


def falls_by_sums(
    table: Table, sizes: tuple[AnArray, AnArray, AnArray], sums: Callable[[Integers, AnArray], AnArray]
) -> AnArray:
    """The same in numbers of any kind, whose sums by row and by column ``sums`` tells."""
    n, a, b = sizes
    in_row, in_column = sums(table.row, n * b)[table.row], sums(table.column, n * a)[table.column]
    falls: AnArray = in_row + in_column - n + (a - 1) * (b - 1)
    return falls


# -- entropies ------------------------------------------------------------------------------------------


def _step(x: Floats) -> Floats:
    """x log x − (x−1) log(x−1)."""
    steps: Floats = np.log(x) - np.maximum(x - 1, 0) * np.log1p(-1 / np.maximum(x, 2))
    return steps


# -- sums over the overlaps -------------------------------------------------------------------------------


def _over(numerator: Floats, denominator: Floats) -> Floats:
    """A ratio; nothing where there is nothing to divide by."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _links(n: Floats, own: Floats, other: Floats) -> Floats:
    alone = (own == 1) & (other == 1) & (n == 1)
    return np.where(own > 1, _over(n * (n - 1), own - 1), alone.astype(np.float64))


_TERMS: dict[str, Term] = {
    "over_a": lambda n, a, b: _over(n * n, a),  # noqa: ARG005  (all are functions of the three)
    "over_b": lambda n, a, b: _over(n * n, b),  # noqa: ARG005
    "over_larger": lambda n, a, b: _over(n * n, np.maximum(a, b)),
    "over_union": lambda n, a, b: _over(n * n, a + b - n),
    "over_product": lambda n, a, b: _over(n * n, a * b),
    "over_aa": lambda n, a, b: _over(n * n, a * a),  # noqa: ARG005
    "outside_u": lambda n, a, b: _over(n * (a - n), a),  # noqa: ARG005
    "outside_v": lambda n, a, b: _over(n * (b - n), b),  # noqa: ARG005
    "outside_smaller": lambda n, a, b: _over(n * (np.minimum(a, b) - n), np.minimum(a, b)),
    "outside_larger": lambda n, a, b: _over(n * (np.maximum(a, b) - n), np.maximum(a, b)),
    "links_of_u": _links,
    "links_of_v": lambda n, a, b: _links(n, b, a),
    "kept": lambda n, a, b: ((n == a) & (n == b) & (n > 0)).astype(np.float64),
}


class _ViewAt:
    """A view without one element of a kind; ``values`` lists each of its numbers, by name, for all kinds."""

    __slots__ = ("_place", "_values")

    def __init__(self, values: Callable[[str], list[Any]], place: int) -> None:
        self._values, self._place = values, place

    def __getattr__(self, name: str) -> Any:
        return self._values(name)[self._place]


class _ElementsWithout:
    """The sums without one element of each cell, by name, each computed when it is asked for."""

    def __init__(self, profile: Profile) -> None:
        self._elements, self._profile, table = profile.view(Elements), profile, profile.table
        self._row, self._column = table.row, table.column
        self._n, self._a, self._b = (np.asarray(x, dtype=np.float64) for x in (table.n, table.a, table.b))
        self._lists: dict[str, list[Any]] = {}

    def values(self, name: str) -> list[Any]:
        if name not in self._lists:
            self._lists[name] = self._computed(name)
        return self._lists[name]

    def _computed(self, name: str) -> list[Any]:
        e, p = self._elements, self._profile
        size = np.full(len(self._n), p.size - 1)
        alone = {"rows": self._a == 1, "columns": self._b == 1, "cells": self._n == 1}
        if name in ("size", "in_u", "in_v", "common"):
            return size.tolist()
        if name in alone:
            counts: list[Any] = (int(getattr(e, name)) - alone[name].astype(np.int64)).tolist()
            return counts
        if name == "kept":
            whole: list[Any] = np.rint(self._sum("kept")).astype(np.int64).tolist()
            return whole
        return list(map(float, self._derived(name)))

    def _derived(self, name: str) -> Floats:
        p = self._profile
        if name == "dependence":
            return self._sum("over_product") - 1
        if name == "apart":
            clusters = np.array([self.values("rows"), self.values("columns")], dtype=np.float64).sum(axis=0)
            return np.asarray(clusters - 2 * self._sum("over_product"))
        if name in ("gain_from_u", "gain_from_v"):
            known, sizes, own = (
                ("over_a", p.b, self._b) if name == "gain_from_u" else ("over_b", p.a, self._a)
            )
            return np.asarray(self._sum(known) - (p.total(sizes) - (2 * own - 1)) / max(p.size - 1, 1))
        return self._sum(name)

    def _sum(self, name: str) -> Floats:
        term, n, a, b = _TERMS[name], self._n, self._a, self._b
        here, shorter, narrower = term(n, a, b), term(n, a - 1, b), term(n, a, b - 1)
        total = float(here.sum())
        of_rows = self._changes(self._row, shorter - here)
        of_columns = self._changes(self._column, narrower - here)
        return total + of_rows + of_columns + here - shorter - narrower + term(n - 1, a - 1, b - 1)

    def _changes(self, cluster: Integers, change: Floats) -> Floats:
        return np.asarray(np.bincount(cluster, weights=change)[cluster], dtype=np.float64)
