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
    """The labels of one run as codes, and the places of their records in the reference; None means all."""

    name: str
    codes: Codes
    places: NDArray[np.int64] | None = None
    weight: float = 1.0  # in means over the runs


class RunOverlaps:
    """Sums over the overlaps of each cluster of the reference with the clusters of one run.

    Sizes are weights. A record of weight 1 makes a pair of weight w with a record of weight w, and none with
    itself.
    """

    a: Integers  # the size of each cluster in the run
    together: Integers  # twice the pairs of each cluster that the run holds together
    over_border: Integers  # pairs with one end in the cluster that the run holds together
    jaccard: Floats  # of each cluster with its best match; NaN where the run holds no record of it

    def __init__(
        self, u: Codes, v: Codes, clusters: int, threads: int, weights: Integers | None = None
    ) -> None:
        """``u`` has the numbers of the clusters of the reference."""
        self.u, self.v, self.clusters = u, v, clusters
        self.size, self._weights, self._threads = len(u), weights, threads
        self.total = self.size if weights is None else int(weights.sum())
        self._largest = 2**63 if self.total**2 >= 2**62 else 0  # use Python integers if products overflow
        if weights is None and not self._largest:
            found = core.overlap_sums(u, v, clusters, threads)
            self.a, self.together, self.over_border, self.jaccard = found
            self._own = self.a
            self._run_squares = int(self.together.sum()) + int(self.over_border.sum()) + self.size
        else:
            self._add_up_cells()

    def _add_up_cells(self) -> None:
        """The same sums for weights, or for more records than the core can add up."""
        n, b, own = self._cell_sizes
        cells = self._cells
        self.a, self.together, self.over_border, self._own = (
            self._by_cluster(np.add, each) for each in (n, n * n - own, n * (b - n), own)
        )
        share = (n / (self.a[self._rows[cells.row]] + b - n)).astype(np.float64)
        self.jaccard = self._by_cluster(np.maximum, share, np.nan)
        sizes = as_integers(cells.column_sizes, 2**63 if self.size**2 >= 2**62 else 0)
        self._run_squares = int(np.dot(sizes, sizes))

    @cached_property
    def _cells(self) -> Table:
        return Table(*core.cells(self.u, self.v, self._threads))

    @cached_property
    def _rows(self) -> NDArray[np.int64]:
        """The cluster of each row of the cells."""
        assert self._cells.row_first is not None
        return self.u[self._cells.row_first].astype(np.int64)

    @cached_property
    def _cell_sizes(self) -> tuple[Integers, Integers, Integers]:
        """n, b and Σw² of each cell."""
        cells = self._cells
        n = own = cells.n
        if self._weights is not None:
            weights = as_integers(self._weights, self._largest)
            n, own = (sums_by(self._cell, each, len(cells)) for each in (weights, weights * weights))
        n, own = (as_integers(x, self._largest) for x in (n, own))
        sizes = cells.column_sizes if self._weights is None else sums_by(cells.column, n)
        return n, as_integers(sizes, self._largest)[cells.column], own

    def _by_cluster(self, combine: np.ufunc, values: Any, missing: Any = 0) -> Any:
        """The values of the cells of each cluster, combined."""
        found = np.full(self.clusters, missing, dtype=values.dtype)
        if len(values):
            start = np.flatnonzero(
                np.diff(self._cells.row, prepend=-1)
            )  # cells are in the order of their rows
            found[self._rows] = combine.reduceat(values, start)
        return found

    @cached_property
    def _cell(self) -> NDArray[np.int64]:
        """The cell of each record: cells are sorted by row and column, both numbered by first appearance."""
        row, column = (core.factorize(np.ascontiguousarray(side))[0] for side in (self.u, self.v))
        width = len(self._cells.column_sizes)
        keys = self._cells.row * width + self._cells.column
        return np.searchsorted(keys, row * width + column)

    @cached_property
    def pairs(self) -> Integers:
        """Twice the pairs of each cluster."""
        return self.a * self.a - self._own

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
        return (self._run_squares - self.size) / every if every else 0.0

    @property
    def adjusted_rand(self) -> float:
        both, only_run, of_reference, own = (
            int(each.sum()) for each in (self.together, self.over_border, self.pairs, self._own)
        )
        every = self.total**2 - own
        doubled = (both, of_reference - both, only_run, every - of_reference - only_run)
        pairs = [each // 2 for each in doubled]
        return INDICES["adjusted_rand"].value(
            ViewCounts.of_pairs(Pairs(pairs[0], pairs[1], pairs[2], pairs[3], self.total))
        )

    @property
    def prediction_strength(self) -> float:
        """The smallest share of its pairs that a cluster keeps; NaN where none has two records."""
        pairs = self.pairs
        if pairs.dtype == object:
            return min((x / y for x, y in zip(self.together, pairs, strict=True) if y), default=math.nan)
        shares = np.divide(self.together, pairs, out=np.full(len(pairs), np.inf), where=pairs > 0)
        least = float(shares.min(initial=np.inf))
        return least if math.isfinite(least) else math.nan

    def of_records(self) -> tuple[Floats, Floats, Integers, Integers]:
        """For each record of the run n/(a+b−n) and n/max(a, b) of its overlap, n and a without itself."""
        n, b, _ = (each[self._cell] for each in self._cell_sizes)
        a = self.a[np.asarray(self.u, dtype=np.int64)]
        own = 1 if self._weights is None else self._weights
        return (n / (a + b - n)).astype(float), (n / np.maximum(a, b)).astype(float), n - own, a - own
