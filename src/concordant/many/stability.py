"""Stability: how well each cluster and record of a reference recurs in many clusterings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.labels import Codes
from concordant.counts.contingency import Contingency
from concordant.counts.pairs import PairCounts, PartialCounts
from concordant.differences.lazy_list import LazyList, all_largest, check_limit, largest_by_label
from concordant.errors import UnknownKeyError, few
from concordant.foundation.conventions import Progress
from concordant.foundation.results import DotPlot, Field, Listing, Report, interval_fields, melted, rounded
from concordant.foundation.spelling import counted, printable, quoted
from concordant.indices.index import INDICES
from concordant.many.aligned_runs import held_of
from concordant.many.chance_matches import RunLabels, mean_best_matches
from concordant.maths.arithmetic import Floats, Integers, as_integers, plain, read_only, sums_by
from concordant.maths.tails import student_quantile
from concordant.report.sentences import named_ties

_LEAST_DEGREES = 0.1  # of freedom: with fewer, the interval of a mean is everything


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
    def _cells(self) -> Contingency:
        return Contingency(*core.cells(self.u, self.v, self._threads))

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
            PartialCounts.of_pairs(PairCounts(pairs[0], pairs[1], pairs[2], pairs[3], self.total))
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


@dataclass(frozen=True, slots=True)
class ClusterStability:
    """The stability of a reference cluster.

    Attributes
    ----------
    cluster : object
        Its label.
    size : int
        Number of records.
    n_clusterings : int
        Number of clusterings that contain any of its records.
    jaccard : float
        Mean Jaccard index with its best match in each run.
    low, high : float
        Interval of this mean over the clusterings.
    least : float
        The smallest Jaccard index.
    by_chance : float
        Mean Jaccard index with permuted labels.
    dissolved, recovered : int
        Number of clusterings in which it is dissolved (at most 1/2 by default) and recovered (at least 3/4).
    within : float
        Share of its pairs that are together in the clusterings.
    across : float
        Share of the pairs across its border that are together in the clusterings.
    adjusted_within : float
        `within` corrected for chance: 0 for permuted labels.
    """

    cluster: Any
    size: int
    n_clusterings: int
    jaccard: float
    low: float
    high: float
    least: float
    by_chance: float
    dissolved: int
    recovered: int
    within: float
    across: float
    adjusted_within: float


@dataclass(frozen=True, slots=True)
class RecordStability:
    """The stability of the co-members of a record.

    Attributes
    ----------
    record, cluster : object
        The record and the label of its cluster.
    n_clusterings : int
        Number of clusterings with the record.
    jaccard : float
        Mean Jaccard index of its clusters in the reference and in the clusterings.
    element_centric : float
        Mean element-centric similarity.
    coassignment : float
        Share of its co-members that are with it in the clusterings.
    """

    record: Any
    cluster: Any
    n_clusterings: int
    jaccard: float
    element_centric: float
    coassignment: float


@dataclass(frozen=True, slots=True)
class RunStability:
    """The agreement of a clustering with the reference, on the records of both.

    Attributes
    ----------
    clustering : str
        Its name.
    size, n_clusters : int
        Number of records and clusters.
    adjusted_rand : float
        Adjusted Rand index.
    prediction_strength : float
        Prediction strength.
    jaccard : float
        Mean Jaccard index of the reference clusters, weighted by size.
    """

    clustering: str
    size: int
    n_clusters: int
    adjusted_rand: float
    prediction_strength: float
    jaccard: float


Absent = Literal["skip", "zero"]


class Stability(Report, Mapping[Any, ClusterStability]):
    """The stability of the clusters of a reference over many clusterings. `stability` returns it.

    It is a mapping from the label of a cluster to its row.

    Examples
    --------
    >>> import concordant as cc
    >>> runs = {"a": [0, 0, 0, 1, 1, 1], "b": [0, 0, 0, 1, 1, 2], "c": [0, 0, 0, 1, 2, 2]}
    >>> s = cc.stability(runs, reference=[0, 0, 0, 1, 1, 1])
    >>> [(each.cluster, round(each.jaccard, 4), each.recovered) for each in s.clusters()]
    [(1, 0.7778, 1), (0, 1.0, 3)]
    >>> round(s.overall, 4)
    0.8889
    """

    jaccard: Floats  # of each cluster in each run
    how: str
    failed: tuple[str, ...]
    conventions: str

    def __init__(
        self,
        reference: Codes,
        names: Sequence[Any],
        labels: Sequence[Any] | NDArray[Any],
        runs: Mapping[str, Codes],  # of the records of the reference, each absent or in a cluster
        *,
        clustering_weights: Sequence[float] | None = None,
        weights: Integers | None = None,
        noise: Sequence[Any] = (),
        absent: Absent = "skip",
        thresholds: tuple[float, float] = (0.5, 0.75),
        confidence: float = 0.95,
        seed: int = 0,
        threads: int = 0,
        how: str = "",
        failed: Sequence[str] = (),
        conventions: str = "",
        progress: Progress | None = None,
    ) -> None:
        self._reference, self._elements, self._labels, self._runs = reference, names, labels, runs
        self._absent, self._thresholds, self._confidence = absent, thresholds, confidence
        self._seed, self._threads = seed, threads
        vars(self).update(how=how, failed=tuple(failed), conventions=conventions)
        self._weights = weights  # of the records, in whole parts
        self._clustering_weights = (
            np.ones(len(runs)) if clustering_weights is None else np.array(clustering_weights)
        )
        self._measure(progress)
        self._cluster_weights = self._sizes if weights is None else sums_by(reference, weights, len(labels))
        self._is_cluster = self._sizes > 0
        if noise:
            self._is_cluster &= np.array([label not in noise for label in labels], dtype=bool)

    def _measure(self, progress: Progress | None) -> None:
        """One table for each run, of which only sums by cluster are kept."""
        clusters = len(self._labels)
        jaccard = np.full((clusters, len(self._runs)), np.nan)
        sums: list[Any] = []
        self._sizes: Integers = np.empty(0, dtype=np.int64)
        self._of_runs: list[tuple[int, float, float]] = []  # records, adjusted Rand, prediction strength
        for place, (run, factor) in enumerate(self._weighted_runs):
            found = self._overlaps(run)
            jaccard[:, place] = found.jaccard
            pairs = found.pairs
            share = _factor(found.share_together, pairs)
            added = (found.together, pairs, found.over_border, found.apart, pairs * share)
            if factor != 1:
                added = tuple(each * _factor(factor, each) for each in added)
            both = zip(sums, added, strict=True) if sums else ()
            sums = [np.add(x, y, out=x if x.dtype == y.dtype else None) for x, y in both] or [*added]
            if found.size == len(self._reference) and self._weights is None:
                self._sizes = found.a
            self._of_runs.append((found.size, found.adjusted_rand, found.prediction_strength))
            if progress is not None:
                progress(place + 1, len(self._runs))
        if not len(self._sizes):  # no run has all records
            self._sizes = np.bincount(self._reference, minlength=clusters)
        vars(self).update(jaccard=read_only(jaccard))
        self._sums = sums

    @property
    def _weighted_runs(self) -> list[tuple[Codes, float]]:
        return list(zip(self._runs.values(), self._clustering_weights.tolist(), strict=True))

    def _labels_in(self, run: Codes) -> RunLabels:
        """The clusters of the reference and of a run on the records of both, and their weights."""
        held = held_of(run)
        if held is None:
            return self._reference, run, self._weights
        places = np.flatnonzero(held)
        return self._reference[places], run[places], None if self._weights is None else self._weights[places]

    def _overlaps(self, run: Codes) -> RunOverlaps:
        u, v, weights = self._labels_in(run)
        return RunOverlaps(u, np.ascontiguousarray(v), len(self._labels), self._threads, weights)

    def _mean_by_size(self, values: Floats) -> float:
        known = np.isfinite(values) & self._is_cluster
        weights = (self._cluster_weights[known] / self._cluster_weights.sum()).astype(float)
        return float(np.average(values[known], weights=weights)) if known.any() else math.nan

    # -- values -----------------------------------------------------------------------------------

    @cached_property
    def _counted(self) -> Floats:
        """The Jaccard indices that count: NaN or, by ``absent``, 0 where a run lacks a cluster."""
        return self._by_absence(self.jaccard)

    def _by_absence(self, values: Floats) -> Floats:
        return np.where(np.isnan(values), 0.0, values) if self._absent == "zero" else values

    @cached_property
    def _present(self) -> NDArray[np.int64]:
        present: NDArray[np.int64] = np.isfinite(self.jaccard).sum(axis=1)
        return present

    @cached_property
    def _means(self) -> Floats:
        return _means(self._counted, self._clustering_weights)

    @cached_property
    def _by_chance(self) -> Floats:
        """The mean Jaccard index of each cluster with the best match in permuted labels."""
        runs = [self._labels_in(run) for run in self._runs.values()]
        expected = mean_best_matches(runs, len(self._labels), self._best_matches, self._seed)
        return _means(self._by_absence(expected), self._clustering_weights)

    def _best_matches(self, u: Codes, v: Codes, clusters: int, weights: Integers | None) -> Floats:
        return RunOverlaps(u, np.ascontiguousarray(v), clusters, self._threads, weights).jaccard

    @property
    def overall(self) -> float:
        """The mean stability of the clusters, weighted by size."""
        return self._mean_by_size(self._means)

    @property
    def by_chance(self) -> float:
        """The mean stability with permuted labels."""
        return self._mean_by_size(self._by_chance)

    @property
    def adjusted_rand(self) -> float:
        """The mean adjusted Rand index of a clustering and the reference."""
        values = [adjusted_rand for _, adjusted_rand, _ in self._of_runs]
        return float(np.average(values, weights=self._clustering_weights))

    def clusters(self, limit: int | None = 20) -> LazyList[ClusterStability]:
        """List the reference clusters, the most unstable first.

        Parameters
        ----------
        limit : int or None, default=20
            Number of clusters to list. None lists all.

        Returns
        -------
        LazyList of ClusterStability
            One row for each cluster.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.stability([[0, 0, 1, 1], [0, 0, 1, 2]], reference=[0, 0, 1, 1])
        >>> [(each.cluster, each.within, each.across) for each in s.clusters()]
        [(1, 0.5, 0.0), (0, 1.0, 0.0)]
        """
        limit = check_limit(limit)
        columns = ClusterStability.__dataclass_fields__
        total = int(self._is_cluster.sum())
        return LazyList(self._most_unstable(limit), self._cluster, columns=list(columns), total=total)

    def _most_unstable(self, limit: int | None) -> NDArray[np.int64]:
        """The numbers of the clusters, the most unstable first."""
        shown = np.flatnonzero(self._is_cluster)
        return shown[largest_by_label(-self._means[shown], limit, lambda at: self._label(shown[at]))]

    @property
    def _is_trivial(self) -> bool:
        """Whether the reference has all records in one cluster, or each in its own."""
        return int(self._sizes.max(initial=1)) in (1, len(self._reference))

    def _label(self, place: int) -> Any:
        return plain(self._labels[place])

    def _cluster(self, place: int) -> ClusterStability:
        values = self._counted[place]
        known = np.isfinite(values)
        values = values[known]
        low, high = self._interval(values, self._clustering_weights[known])
        together, pairs, border, apart, expected = (each[place] for each in self._sums)
        within = together / pairs if pairs else math.nan
        by_chance = expected / pairs if pairs else math.nan
        adjusted = (within - by_chance) / (1 - by_chance) if pairs and by_chance < 1 else math.nan
        dissolved, recovered = self._thresholds
        return ClusterStability(
            cluster=self._label(place),
            size=int(self._sizes[place]),
            n_clusterings=int(self._present[place]),
            jaccard=float(self._means[place]),
            low=low,
            high=high,
            least=float(values.min()) if len(values) else math.nan,
            by_chance=float(self._by_chance[place]),
            dissolved=int((values <= dissolved).sum()),
            recovered=int((values >= recovered).sum()),
            within=float(within),
            across=float(border / apart) if apart else math.nan,
            adjusted_within=float(adjusted),
        )

    def _interval(self, values: Floats, weights: Floats) -> tuple[float, float]:
        """The interval of the mean over runs; NaN if the runs do not differ."""
        if len(values) < 2 or not np.ptp(values):
            return math.nan, math.nan
        number = float(weights.sum() ** 2 / (weights @ weights))  # effective number of runs
        if number - 1 < _LEAST_DEGREES:
            return 0.0, 1.0
        mean = float(np.average(values, weights=weights))
        variance = float(np.average(np.square(values - mean), weights=weights)) / (number - 1)
        half = student_quantile(self._confidence, number - 1) * math.sqrt(variance)
        return max(mean - half, 0.0), min(mean + half, 1.0)

    def records(self, limit: int | None = 20) -> LazyList[RecordStability]:
        """List the records, those with the most unstable co-members first.

        Parameters
        ----------
        limit : int or None, default=20
            Number of records to list. None lists all.

        Returns
        -------
        LazyList of RecordStability
            One row for each record.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.stability([[0, 0, 1, 1], [0, 0, 1, 2]], reference=[0, 0, 1, 1])
        >>> [(each.record, each.coassignment) for each in s.records()]
        [(2, 0.5), (3, 0.5), (0, 1.0), (1, 1.0)]
        """
        limit = check_limit(limit)
        coassignment = self._records[3]
        order = largest_by_label(-coassignment, limit, self._elements.__getitem__)
        columns = RecordStability.__dataclass_fields__
        return LazyList(order, self._record, columns=list(columns), total=len(coassignment))

    @cached_property
    def _records(self) -> tuple[NDArray[np.int64], Floats, Floats, Floats]:
        """Of each record: the number of runs that hold it, and its three values."""
        size = len(self._reference)
        exact: Any = np.int64 if self._weights is None else self._weights.dtype
        if np.dtype(exact).kind != "O" and not (self._clustering_weights == 1).all():
            exact = np.float64
        runs, held = np.zeros(size, dtype=np.int64), np.zeros(size)
        with_it, others = (np.zeros(size, dtype=exact) for _ in range(2))
        jaccard, centric = np.zeros(size), np.zeros(size)
        for run, factor in self._weighted_runs:
            places = run >= 0
            added = self._overlaps(run).of_records()
            runs[places] += 1
            held[places] += factor
            for total, each in zip((jaccard, centric, with_it, others), added, strict=True):
                total[places] += each if factor == 1 else each * _factor(factor, each)
        ratios = ((jaccard, held), (centric, held), (with_it, others))
        found = [_ratios(x, y) for x, y in ratios]
        return runs, found[0], found[1], found[2]

    def _record(self, place: int) -> RecordStability:
        runs, *values = (each[place] for each in self._records)
        cluster = self._label(int(self._reference[place]))
        return RecordStability(self._elements[place], cluster, int(runs), *map(float, values))

    def clusterings(self) -> LazyList[RunStability]:
        """List the clusterings with their agreement with the reference.

        Returns
        -------
        LazyList of RunStability
            One row for each clustering.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.stability({"a": [0, 0, 1, 1], "b": [0, 0, 1, 2]}, reference=[0, 0, 1, 1])
        >>> rows = s.clusterings()
        >>> [(each.clustering, round(each.adjusted_rand, 4), each.prediction_strength) for each in rows]
        [('a', 1.0, 1.0), ('b', 0.5714, 0.0)]
        """
        columns = list(RunStability.__dataclass_fields__)
        return LazyList(range(len(self._runs)), self._run, columns=columns)

    def _run(self, place: int) -> RunStability:
        (name, run), (size, adjusted_rand, strength) = list(self._runs.items())[place], self._of_runs[place]
        clusters = len(np.unique(run[run >= 0]))
        jaccard = self._mean_by_size(self.jaccard[:, place])
        return RunStability(name, size, clusters, adjusted_rand, strength, jaccard)

    # -- pictures -----------------------------------------------------------------------------------

    @property
    def headline(self) -> str:
        """One sentence: how many clusters recur, and the most unstable one.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.stability([[0, 0, 1], [0, 0, 1], [0, 1, 1]]).headline
        '2 of 2 clusters recur in most runs'
        """
        found, total = self._recovered_mostly(), int(self._is_cluster.sum())
        verb = "recurs" if 1 in (found, total) else "recur"
        words = f"{found:,} of {counted(total, 'cluster')} {verb} in most runs"
        shown = np.flatnonzero(self._is_cluster)
        equal = self._most_unstable(len(all_largest(-self._means[shown])))
        if found == total or not len(equal):
            return words
        if len(equal) == total > 1:
            return f"{words}; all are equally unstable"
        names = named_ties([quoted(self._label(place)) for place in equal.tolist()])
        return f"{words}; the most unstable {'is cluster' if len(equal) == 1 else 'are clusters'} {names}"

    def _recovered_mostly(self) -> int:
        """How many clusters more than half of their runs recovered."""
        known = np.isfinite(self._counted).sum(axis=1)
        recovered = (np.nan_to_num(self._counted, nan=-1.0) >= self._thresholds[1]).sum(axis=1)
        return int((2 * recovered > known)[self._is_cluster].sum())

    # -- as data ----------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the overall values, and one row for each cluster.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.stability([[0, 0, 1, 1], [0, 0, 1, 1]], reference="0")
        >>> s.to_dict()["overall"]
        1.0
        """
        return {
            "n_clusterings": len(self._runs),
            "size": len(self._reference),
            "weighted": self._weights is not None,
            "overall": self.overall,
            "by_chance": self.by_chance,
            "adjusted_rand": self.adjusted_rand,
            "how": self.how,
            "failed": list(self.failed),
            "conventions": self.conventions,
            "clusters": self._rows(),
        }

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.clusters(limit).to_dict()["rows"]
        return rows

    def _frame_columns(self) -> dict[str, list[Any]]:
        return melted(super()._frame_columns(), ("jaccard",), "jaccard")

    @property
    def _extent(self) -> str:
        over = f"{counted(int(self._is_cluster.sum()), 'cluster')} over {counted(len(self._runs), 'run')}"
        return f"Stability of {over}{f' ({self.how})' if self.how else ''}"

    def _scope(self) -> str:
        return (
            f"{self._extent}\noverall Jaccard {rounded(self.overall)}, by chance "
            f"{rounded(self.by_chance)}; mean adjusted Rand index {rounded(self.adjusted_rand)}"
        )

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        clusters, interval = self.clusters(limit), f"{self._confidence * 100:g}% interval"
        words = "It is the mean over the runs of the Jaccard index of a cluster with its best match."
        dots = DotPlot("stability", "How often each cluster recurs", "jaccard", interval, words)
        columns = [
            Field("cluster", text=printable),
            "size",
            "n_clusterings",
            _two("jaccard"),
            *interval_fields(self._confidence, partial(rounded, decimals=2)),
            *map(_two, ("least", "by_chance")),
        ]
        columns += ["dissolved", "recovered", *map(_two, ("within", "across"))]
        return [Listing(clusters, columns, total=clusters.total, dots=dots)]

    def _details(self, limit: int) -> Sequence[Listing]:
        records, named = self.records(limit), [Field(name, text=printable) for name in ("record", "cluster")]
        columns = [*named, "n_clusterings", *map(_two, ("jaccard", "element_centric", "coassignment"))]
        return [Listing(records, columns, title="Records whose neighbours change most", total=records.total)]

    def _footnotes(self) -> Sequence[str]:
        notes = [
            "intervals reflect how runs vary, not how other data would",
            "a cluster that is stable need not be real: compare each value with the one by chance",
        ]
        if self.failed:
            failed = counted(len(self.failed), "run")
            notes.append(f"{failed} failed; the results are from the others: {few(self.failed)}")
        return [*notes, *([self.conventions] if self.conventions else [])]

    def __repr__(self) -> str:
        return f"<{self._extent}: overall {rounded(self.overall)}>"

    @cached_property
    def _places(self) -> dict[Any, int]:
        """The number of each cluster, by its label."""
        return {plain(self._labels[place]): place for place in np.flatnonzero(self._is_cluster).tolist()}

    def __getitem__(self, cluster: Any) -> ClusterStability:
        try:
            return self._cluster(self._places[cluster])
        except (KeyError, TypeError):  # TypeError: no key can be of this type
            known = few(self._places)
            raise UnknownKeyError(f"there is no cluster {cluster!r}; there are {known}") from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def size(self) -> int:
        """The number of records of the reference."""
        return len(self._reference)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the clusterings."""
        return tuple(self._runs)

    def _facts(self) -> Sequence[str]:
        return [f"K={len(self)}", f"clusterings={len(self._runs)}", f"seed={self._seed}"]


def _factor(number: float, numbers: NDArray[Any]) -> Any:
    """A number to multiply an array with; a fraction if its integers may be beyond the range of floats."""
    return Fraction(number) if numbers.dtype == object else number


def _ratios(totals: NDArray[Any], numbers: NDArray[Any]) -> Floats:
    """Ratios; NaN where the denominator is 0."""
    known = np.asarray(numbers > 0, dtype=bool)
    ratios = np.full(len(totals), np.nan)
    ratios[known] = totals[known] / numbers[known]
    return ratios


def _means(rows: Floats, weights: Floats) -> Floats:
    """The weighted mean of each row, without NaN."""
    known = np.isfinite(rows)
    return _ratios(np.where(known, rows, 0.0) @ weights, known @ weights)


def _two(field: str) -> Field:
    """A column of values with two decimals."""
    return Field(field, text=partial(rounded, decimals=2))
