"""The overlaps of a reference with one run, on the records of both: what stability adds up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.catalogue.index import INDICES
from concordant.counts.arithmetic import Floats, Integers, as_integers, sums_by
from concordant.counts.pairs import Pairs, ViewCounts
from concordant.counts.table import Table
from concordant.partitions.labels import Codes


@dataclass(frozen=True, slots=True)
class Run:
    """The labels of one run as codes, and the places of their records in the reference; None: all of them."""

    name: str
    codes: Codes
    places: NDArray[np.int64] | None = None


class RunOverlaps:
    """The overlaps of the reference with one run, by cluster of the reference.

    Sizes are weights. A record of weight 1 makes a pair of weight w with a record of weight w, and none with
    itself.
    """

    def __init__(
        self, u: Codes, v: Codes, clusters: int, threads: int, weights: Integers | None = None
    ) -> None:
        cells = Table(*core.cells(u, v, threads))
        assert cells.row_first is not None
        self.u, self.v, self.cells, self.clusters = u, v, cells, clusters
        self.size, self._weights = len(u), weights
        self.total = self.size if weights is None else int(weights.sum())
        self._largest = 2**63 if self.total**2 >= 2**62 else 0  # products of two sizes fit, or are Python's
        self._rows = u[cells.row_first].astype(np.int64)
        self._start = np.flatnonzero(np.diff(cells.row, prepend=-1))  # cells are in the order of their rows
        n, squares = cells.n, cells.n
        if weights is not None:
            own = as_integers(weights, self._largest)
            n, squares = sums_by(self._cell, own, len(cells)), sums_by(self._cell, own * own, len(cells))
        self.n, self._squares = (as_integers(x, self._largest) for x in (n, squares))
        column_sizes = cells.column_sizes if weights is None else sums_by(cells.column, self.n)
        self.run_sizes = as_integers(column_sizes, self._largest)
        self.b = self.run_sizes[cells.column]
        self.a = self._by_cluster(np.add, self.n)

    def _by_cluster(self, combine: np.ufunc, values: Any, missing: Any = 0) -> Any:
        """The values of the cells of each cluster, combined."""
        if len(self._start) == self.clusters and self._are_in_order:
            return combine.reduceat(values, self._start)
        found = np.full(self.clusters, missing, dtype=values.dtype)
        if len(values):
            found[self._rows] = combine.reduceat(values, self._start)
        return found

    @cached_property
    def _are_in_order(self) -> bool:
        """Whether clusters are numbered as they first appear."""
        return bool((np.diff(self._rows) == 1).all())

    @cached_property
    def _cell(self) -> NDArray[np.int64]:
        """The cell of each record: cells are sorted by row and column, both numbered by first appearance."""
        row, column = (core.factorize(np.ascontiguousarray(side))[0] for side in (self.u, self.v))
        width = len(self.cells.column_sizes)
        keys = self.cells.row * width + self.cells.column
        return np.searchsorted(keys, row * width + column)

    @cached_property
    def jaccard(self) -> Floats:
        """Of each cluster with its best match; NaN where the run holds no record of it."""
        a = np.repeat(self.a[self._rows], np.diff(self._start, append=len(self.n)))
        share = (self.n / (a + self.b - self.n)).astype(np.float64)
        best: Floats = self._by_cluster(np.maximum, share, np.nan)
        return best

    @cached_property
    def together(self) -> Integers:
        """Twice the pairs of each cluster that the run holds together."""
        found: Integers = self._by_cluster(np.add, self.n * self.n - self._squares)
        return found

    @cached_property
    def pairs(self) -> Integers:
        """Twice the pairs of each cluster."""
        pairs: Integers = self.a * self.a - self._by_cluster(np.add, self._squares)
        return pairs

    @property
    def over_border(self) -> Integers:
        """Pairs with one end in the cluster that the run holds together."""
        found: Integers = self._by_cluster(np.add, self.n * (self.b - self.n))
        return found

    @property
    def apart(self) -> Integers:
        """Pairs with one end in the cluster."""
        apart: Integers = self.a * (self.total - self.a)
        return apart

    @property
    def share_together(self) -> float:
        """The share of all pairs that the run holds together: what permuted labels give each pair.

        Labels are permuted over records, whatever these weigh.
        """
        every = self.size * (self.size - 1)
        sizes = as_integers(self.cells.column_sizes, 2**63 if every >= 2**62 else 0)
        return (_squares(sizes) - self.size) / every if every else 0.0

    @property
    def adjusted_rand(self) -> float:
        nn, aa, bb = (_squares(sizes) for sizes in (self.n, self.a, self.run_sizes))
        own = int(self._squares.sum())
        pairs = ((nn - own) // 2, (aa - nn) // 2, (bb - nn) // 2, (self.total**2 - aa - bb + nn) // 2)
        return INDICES["adjusted_rand"].value(ViewCounts.of_pairs(Pairs(*pairs, self.total)))

    @property
    def prediction_strength(self) -> float:
        """The smallest share of its pairs that a cluster keeps; NaN where none has two records."""
        many = self.pairs > 0
        return float((self.together[many] / self.pairs[many]).min()) if many.any() else math.nan

    def of_records(self) -> tuple[Floats, Floats, Integers, Integers]:
        """For each record of the run n/(a+b−n) and n/max(a, b) of its overlap, n and a without itself."""
        n, a, b = self.n[self._cell], self.a[np.asarray(self.u, dtype=np.int64)], self.b[self._cell]
        own = 1 if self._weights is None else self._weights
        return (n / (a + b - n)).astype(float), (n / np.maximum(a, b)).astype(float), n - own, a - own


def _squares(sizes: Integers) -> int:
    return int(np.dot(sizes, sizes))
