"""How much a record's cluster changed from one run to another, and whether for the better.

For a record in base cluster U and experiment cluster V, S = U∖V was split off, M = V∖U was merged in and
K = U∩V was kept. If T is its true cluster, S∩T was split off wrongly, and M∩T was merged in rightly.
All records of a cell have the same values, so every metric is a few ratios of weights for each cell. A metric
of a set of records is the mean over its records by weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self, overload

import numpy as np

from concordant import core
from concordant.counts.arithmetic import Floats, Integers, sum_of_ratios, sums_by
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.counts.three_way import ThreeWay
from concordant.errors import UndefinedError

# Ratios that add up to a value: pairs of numerators and denominators, one of each for every cell.
Terms = tuple[tuple[Integers, Integers], ...]


@dataclass(frozen=True)
class DiffSizes:
    """The weights that all metrics are made of, for each cell or each kind of cells."""

    mass: Integers  # the weight of the records
    a: Integers  # of their base cluster
    b: Integers  # of their experiment cluster
    ab: Integers  # of both
    n: Integers  # of both and the true cluster
    at: Integers  # of the base cluster and the true cluster
    bt: Integers
    c: Integers  # of the true cluster
    squares: int  # Σw² over all records

    @classmethod
    def of_profile(cls, profile: Profile, squares: int) -> DiffSizes:
        """Of kinds of cells, without a truth."""
        return cls.of_runs(profile.mass, profile.a, profile.b, profile.n, squares)

    @classmethod
    def of_runs(cls, mass: Integers, a: Integers, b: Integers, ab: Integers, squares: int) -> DiffSizes:
        """Without a truth."""
        unknown = np.zeros_like(ab)
        return cls(mass, a, b, ab, unknown, unknown, unknown, unknown, squares)

    @cached_property
    def total(self) -> int:
        """The weight of all records."""
        return int(self.mass.sum())


@dataclass(frozen=True)
class DiffMetric:
    """A mean over records that is a sum of ratios."""

    meaning: str
    terms: Callable[[DiffSizes], Terms]
    needs_truth: bool = False

    def of_cells(self, sizes: DiffSizes) -> Floats:
        """The value of the records of each cell."""
        value = np.zeros(len(sizes.mass))
        for numerators, denominators in self.terms(sizes):
            value += (numerators / denominators).astype(np.float64)
        return value

    def value(self, sizes: DiffSizes, *, exact: bool) -> Fraction:
        """The mean over all records; 0 if there are none."""
        sums = (sum_of_ratios(sizes.mass * x, y, exact) for x, y in self.terms(sizes))
        return sum(sums, Fraction(0)) / (sizes.total or 1)


def _union(s: DiffSizes) -> Integers:
    union: Integers = s.a + s.b - s.ab
    return union


def _closed(s: DiffSizes) -> Integers:
    """The weight of the true cluster within U∪V."""
    closed: Integers = s.at + s.bt - s.n
    return closed


METRICS: dict[str, DiffMetric] = {
    "affected": DiffMetric(
        "share of the records whose cluster changed",
        lambda s: ((((s.a != s.ab) | (s.b != s.ab)).astype(np.int64), np.ones_like(s.a)),),
    ),
    "split_rate": DiffMetric("share of its base cluster that a record lost", lambda s: ((s.a - s.ab, s.a),)),
    "merge_rate": DiffMetric("share of its experiment cluster that is new", lambda s: ((s.b - s.ab, s.b),)),
    "jaccard_distance": DiffMetric(
        "share of both clusters that only one of them has", lambda s: ((s.a + s.b - 2 * s.ab, _union(s)),)
    ),
    "split_distance": DiffMetric("the part of it that was split off", lambda s: ((s.a - s.ab, _union(s)),)),
    "merge_distance": DiffMetric("the part of it that was merged in", lambda s: ((s.b - s.ab, _union(s)),)),
    "good_split_rate": DiffMetric(
        "split off, and another entity",
        lambda s: ((s.a - s.ab - s.at + s.n, s.a),),
        needs_truth=True,
    ),
    "bad_split_rate": DiffMetric(
        "split off, but the same entity", lambda s: ((s.at - s.n, s.a),), needs_truth=True
    ),
    "good_merge_rate": DiffMetric(
        "merged in, and the same entity", lambda s: ((s.bt - s.n, s.b),), needs_truth=True
    ),
    "bad_merge_rate": DiffMetric(
        "merged in, but another entity",
        lambda s: ((s.b - s.ab - s.bt + s.n, s.b),),
        needs_truth=True,
    ),
    "delta_precision": DiffMetric(
        "change of B-cubed precision", lambda s: ((s.bt, s.b), (-s.at, s.a)), needs_truth=True
    ),
    "kept": DiffMetric(
        "the part of it by pairs that stayed together", lambda s: ((s.n, s.b), (-s.n, s.a)), needs_truth=True
    ),
    "delta_recall": DiffMetric("change of B-cubed recall", lambda s: ((s.bt - s.at, s.c),), needs_truth=True),
    "delta_recall_closed": DiffMetric(
        "the same, of the entity within both clusters",
        lambda s: ((s.bt - s.at, _closed(s)),),
        needs_truth=True,
    ),
    "gain_recall_closed": DiffMetric(
        "positive part: delta_recall is at most this",
        lambda s: ((np.maximum(s.bt - s.at, 0), _closed(s)),),
        needs_truth=True,
    ),
    "loss_recall_closed": DiffMetric(
        "negative part: delta_recall is at least −this",
        lambda s: ((np.maximum(s.at - s.bt, 0), _closed(s)),),
        needs_truth=True,
    ),
    "improvement": DiffMetric(
        "how much nearer to the entity (Jaccard distance)",
        lambda s: ((s.bt, s.b + s.c - s.bt), (-s.at, s.a + s.c - s.at)),
        needs_truth=True,
    ),
    "improvement_closed": DiffMetric(
        "the same, of the entity within both clusters",
        lambda s: ((s.bt, s.b + s.at - s.n), (-s.at, s.a + s.bt - s.n)),
        needs_truth=True,
    ),
}
# Ratios of two of these over all records; they are not means over records.
RATIOS: dict[str, str] = {
    "iq": "improvement over jaccard_distance, from -1 to 1",
    "iq_closed": "improvement_closed over jaccard_distance",
    "recall_ratio": "true pairs of the experiment over the base's",
}
MEANINGS: dict[str, str] = {name: metric.meaning for name, metric in METRICS.items()} | RATIOS
# Common to lists of records, clusters and components.
IMPACT: tuple[str, ...] = tuple(name for name, each in METRICS.items() if not each.needs_truth)[1:]
QUALITY: tuple[str, ...] = (
    *("good_split_rate", "bad_split_rate", "good_merge_rate", "bad_merge_rate"),
    *("delta_precision", "delta_recall", "improvement"),
)
# Smaller is worse, so the smallest come first.
SIGNED = frozenset({"delta_precision", "delta_recall", "improvement"})


class MetricValue:
    """A metric as an attribute of a diff."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self.__doc__ = MEANINGS[name]

    @overload
    def __get__(self, diff: None, owner: type) -> Self: ...
    @overload
    def __get__(self, diff: Any, owner: type) -> float: ...
    def __get__(self, diff: Any, owner: type) -> Self | float:
        return self if diff is None else diff._attribute(self._name)  # noqa: SLF001  (a part of that class)


def ratio(name: str, sizes: DiffSizes, *, exact: bool) -> Fraction:
    """One of RATIOS; raises UndefinedError if the denominator is 0."""
    if name == "recall_ratio":
        # Σ at² over the overlaps of a run with the truth is Σ n·at over the three-way cells, because the
        # three-way cells n within an overlap add up to at.
        mass = sizes.mass.astype(object)
        above, below = (Fraction(int(mass.dot(each)) - sizes.squares) for each in (sizes.bt, sizes.at))
        zero = "the base has no true pair"
    else:
        above = METRICS[name.replace("iq", "improvement")].value(sizes, exact=exact)
        below = METRICS["jaccard_distance"].value(sizes, exact=exact)
        zero = "no cluster changed"
    if not below:
        raise UndefinedError(f"{name} is {above}/0: {zero}")
    return above / below


@dataclass(frozen=True)
class DiffCells:
    """The cells of the two runs, or of both and the truth, with their clusters and weights."""

    base: Integers  # the cluster of each cell
    experiment: Integers
    records: Integers  # how many
    sizes: DiffSizes

    @classmethod
    def of_table(cls, table: Table, records: Integers, squares: int) -> DiffCells:
        """Of the two runs alone."""
        sizes = DiffSizes.of_runs(table.n, table.a, table.b, table.n, squares)
        return cls(table.row, table.column, records, sizes)

    @classmethod
    def of_three(cls, cells: ThreeWay, weights: Integers | None) -> DiffCells:
        """Of the two runs and the truth, which is the reference; ``weights`` are those of the elements."""
        n = cells.n if weights is None else sums_by(cells.cell, weights, len(cells))
        clusters = (sums_by(side, n)[side] for side in (cells.first, cells.second, cells.reference))
        pairs = cells.cell_of_candidates, cells.cell_of_first, cells.cell_of_second
        a, b, c = clusters
        ab, at, bt = (sums_by(pair, n)[pair] for pair in pairs)
        squares = cells.size if weights is None else sum(x * x for x in weights.tolist())
        return cls(cells.first, cells.second, cells.n, DiffSizes(n, a, b, ab, n, at, bt, c, squares))

    def shares(self) -> Floats:
        """The share of each cell in the weight of all."""
        shares: Any = (self.sizes.mass / max(self.sizes.total, 1)).astype(np.float64)
        return shares  # type: ignore[no-any-return]  # always floats

    @cached_property
    def components(self) -> Integers:
        """The connected component of each cell: clusters that share records are linked."""
        of_row, _ = core.blocks(np.ascontiguousarray(self.base), np.ascontiguousarray(self.experiment))
        return of_row[self.base]

    @cached_property
    def changed(self) -> Any:
        """Which cells have records whose cluster changed."""
        return (self.sizes.a != self.sizes.ab) | (self.sizes.b != self.sizes.ab)
