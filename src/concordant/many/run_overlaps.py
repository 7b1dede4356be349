"""The overlaps of a reference with one run, on the records of both: what stability adds up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

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
    """The overlaps of the reference with one run, by cluster of the reference."""

    def __init__(self, u: Codes, v: Codes, clusters: int, threads: int) -> None:
        cells = Table(*core.cells(u, v, threads))
        assert cells.row_first is not None
        assert cells.column_first is not None
        rows = u[cells.row_first].astype(np.int64)
        wide = len(u) ** 2 >= 2**62
        self.u, self.v, self.cells = u, v, cells
        self.cluster: Integers = rows[cells.row]
        self.n, self.b = (as_integers(x, 2**63 if wide else 0) for x in (cells.n, cells.b))
        self.size, self.clusters = len(u), clusters
        self.a: Integers = np.zeros(clusters, dtype=self.n.dtype)
        self.a[rows] = cells.row_sizes
        self.run_sizes = as_integers(cells.column_sizes, 2**63 if wide else 0)

    @cached_property
    def jaccard(self) -> Floats:
        """Of each cluster with its best match; NaN where the run holds no record of it."""
        best = np.full(self.clusters, np.nan)
        best[self.a > 0] = 0.0
        share = (self.n / (self.a[self.cluster] + self.b - self.n)).astype(np.float64)
        np.maximum.at(best, self.cluster, share)
        return best

    @cached_property
    def together(self) -> Integers:
        """Pairs of each cluster that the run holds together."""
        return sums_by(self.cluster, self.n * (self.n - 1) // 2, self.clusters)

    @property
    def pairs(self) -> Integers:
        """Pairs of each cluster."""
        pairs: Integers = self.a * (self.a - 1) // 2
        return pairs

    @property
    def over_border(self) -> Integers:
        """Pairs with one end in the cluster that the run holds together."""
        return sums_by(self.cluster, self.n * (self.b - self.n), self.clusters)

    @property
    def share_together(self) -> float:
        """The share of all pairs that the run holds together: what shuffled labels give each pair."""
        every = self.size * (self.size - 1)
        return (_squares(self.run_sizes) - self.size) / every if every else 0.0

    @property
    def adjusted_rand(self) -> float:
        pairs = Pairs.from_squares(self.size, *map(_squares, (self.n, self.a, self.run_sizes)))
        return INDICES["adjusted_rand"].value(ViewCounts.of_pairs(pairs))

    @property
    def prediction_strength(self) -> float:
        """The least share of its pairs that a cluster keeps; NaN where none has two records."""
        many = self.a > 1
        return float((self.together[many] / self.pairs[many]).min()) if many.any() else math.nan

    def of_records(self) -> tuple[Floats, Floats, Integers, Integers]:
        """For each record of the run n/(a+b−n) and n/max(a, b) of its overlap, n − 1 and a − 1."""
        assert self.cells.column_first is not None
        columns = self.v[self.cells.column_first].astype(np.int64)[self.cells.column]
        width = int(self.v.max()) + 1
        keys = self.cluster * width + columns
        order = np.argsort(keys)
        cell = order[np.searchsorted(keys[order], self.u.astype(np.int64) * width + self.v)]
        n, a, b = self.n[cell], self.a[self.cluster[cell]], self.b[cell]
        return (n / (a + b - n)).astype(float), (n / np.maximum(a, b)).astype(float), n - 1, a - 1


def _squares(sizes: Integers) -> int:
    return int(np.dot(sizes, sizes))
