"""consensus() and Consensus: the partition with the smallest mean loss to many partitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import log, log2
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.labels import Codes, MemoryLabels
from concordant.clusterings.partition import Partition
from concordant.comparisons import Comparison, compare
from concordant.differences.lazy_list import all_largest
from concordant.errors import ConcordantError, InputError, ParameterError, TooLargeError, did_you_mean
from concordant.foundation.conventions import (
    Conventions,
    Progress,
    check_choice,
    check_type,
)
from concordant.foundation.input_options import InputOptions, input_options
from concordant.foundation.results import DotPlot, Field, Listing, Report, read_only_class, rounded
from concordant.foundation.spelling import counted, percent, printable
from concordant.foundation.text_layout import shortened
from concordant.inference.options import check_seed
from concordant.many.aligned_runs import align_all, clustering_shares, named_partitions, words_of
from concordant.maths.arithmetic import plain, read_only
from concordant.report.sentences import named_ties

LossName = Literal["vi", "binder", "omari", "nvi", "id", "nid"]
LOSSES: tuple[LossName, ...] = ("vi", "binder", "omari", "nvi", "id", "nid")

ItemNumbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss between an estimate and a draw; ``price`` is the cost of separating items that are together."""

    name: LossName
    price: float

    @property
    def is_of_pairs(self) -> bool:
        return self.name in ("binder", "omari")

    @property
    def is_linear(self) -> bool:
        """Whether it is a sum over components, and equal items stay together."""
        return self.name in ("vi", "binder")

    def total(self, labels: ItemNumbers, weight: ItemNumbers) -> float:
        """The sum of x² or x log2 x over the clusters of these items."""
        sizes = np.bincount(labels, weights=weight).astype(np.float64)
        return float((sizes * sizes if self.is_of_pairs else sizes * np.log2(np.maximum(sizes, 1.0))).sum())

    def of(self, s: float, o: float, d: float, n: int) -> float:
        """The loss by the sums of f over the estimate's clusters, the overlaps, and the draw's clusters."""
        whole = float(n) * n if self.is_of_pairs else n * log2(n) if n else 0.0
        if self.is_linear:
            scale = max(float(n) * n if self.is_of_pairs else float(n), 1.0)
            return max(self.price * (d - o) + (2 - self.price) * (s - o), 0.0) / scale
        if self.name == "omari":
            return 1 - _adjusted_rand(s, o, d, n)
        if self.name == "nvi":
            return (d + s - 2 * o) / (whole - o) if whole > o else 0.0
        if self.name == "id":
            return (max(d, s) - o) / max(n, 1)
        return 1 - (whole + o - d - s) / (whole - min(d, s)) if whole > min(d, s) else 0.0


def _adjusted_rand(s: float, o: float, d: float, n: int) -> float:
    pairs = n * (n - 1) / 2
    both, in_d, in_s = (o - n) / 2, (d - n) / 2, (s - n) / 2
    expected = in_d * in_s / pairs if pairs else 0.0
    most = (in_d + in_s) / 2 - expected
    return (both - expected) / most if most > 0 else 1.0


class Atoms:
    """Elements that no draw separates, as one item each; ``whole`` keeps every element apart."""

    size: int
    threads: int
    cluster: NDArray[np.int64]

    def __init__(self, draws: Sequence[Codes], threads: int = 0, *, whole: bool = False) -> None:
        self.size, self.threads = len(draws[0]), threads
        if whole:
            self.of_element: ItemNumbers = np.arange(self.size)
            first = self.of_element
        else:
            self.of_element, first = core.factorize(np.asarray(draws[0]))
            for draw in draws[1:]:
                key = self.of_element * (int(np.max(draw, initial=0)) + 1) + np.asarray(draw, dtype=np.int64)
                self.of_element, first = core.factorize(key)
        self.weight: ItemNumbers = np.bincount(self.of_element, minlength=len(first)).astype(np.int64)
        columns = [core.factorize(np.ascontiguousarray(draw[first]))[0] for draw in draws]
        self.cluster = np.stack(columns, axis=1) if len(first) else np.empty((0, len(draws)), dtype=np.int64)

    def some(self, chosen: NDArray[np.bool_]) -> Atoms:
        """Some of the items only."""
        part = object.__new__(Atoms)
        part.weight, part.threads = self.weight[chosen], self.threads
        part.size = int(part.weight.sum())
        part.of_element = np.empty(0, dtype=np.int64)
        columns = [core.factorize(np.ascontiguousarray(column))[0] for column in self.cluster[chosen].T]
        part.cluster = np.stack(columns, axis=1)
        return part

    @property
    def flat(self) -> ItemNumbers:
        """The clusters item by item, as the core expects them."""
        return np.ascontiguousarray(self.cluster, dtype=np.int64).ravel()

    def overlaps(self, loss: Loss) -> NDArray[np.float64]:
        """The sum of f over the overlaps of each two draws; for a draw with itself, over its clusters."""
        count = self.cluster.shape[1]
        sums = core.draw_overlaps(self.flat, self.weight, [1.0] * count, loss.name, self.threads)
        return np.array(sums).reshape(count, count)

    def losses(self, labels: ItemNumbers, loss: Loss) -> NDArray[np.float64]:
        """The loss of an estimate, a label for each item, against each draw."""
        own, found = loss.total(labels, self.weight), []
        for column in self.cluster.T:
            width = int(column.max(initial=0)) + 1
            cell = core.factorize(np.ascontiguousarray(labels * width + column))[0]
            met, draw = loss.total(cell, self.weight), loss.total(column, self.weight)
            found.append(loss.of(own, met, draw, self.size))
        return np.array(found)


def losses_of_draws(items: Atoms, loss: Loss) -> NDArray[np.float64]:
    """The loss of each draw as an estimate, against each draw."""
    met = items.overlaps(loss)
    own = np.diag(met)
    count = len(own)
    pairs = [loss.of(own[e], met[e, d], own[d], items.size) for e in range(count) for d in range(count)]
    return np.array(pairs).reshape(count, count)


def lower_bound(
    items: Atoms,
    loss: Loss,
    share: NDArray[np.float64],
    label: ItemNumbers,
    proven: NDArray[np.bool_],
    *,
    between: NDArray[np.float64],
) -> float:
    """A lower bound of the loss: exact where proven, else from the triangle inequality or from pairs."""
    scale = items.size**2 if loss.is_of_pairs else items.size
    total, threads = float(share.sum()), items.threads
    if not loss.is_linear:
        if proven.all():
            return float(items.losses(label, loss) @ share / total)
        return 0.0 if loss.name == "omari" else _by_triangle(between, share)
    bound = 0.0
    if proven.any():
        part = items.some(proven)
        exact = part.losses(label[proven], loss) @ share / total
        bound += float(exact) * (part.size**2 if loss.is_of_pairs else part.size)
    if not proven.all():
        part = items.some(~proven) if proven.any() else items
        if proven.any() or loss.price != 1:
            between = losses_of_draws(part, Loss(loss.name, 1.0))
        least = (
            min(loss.price, 2 - loss.price)
            * _by_triangle(between, share)
            * (part.size**2 if loss.is_of_pairs else part.size)
        )
        if loss.is_of_pairs:
            by_pairs = core.pair_bound(part.flat, part.weight, share.tolist(), loss.price, threads) / total
            least = max(least, by_pairs)
        bound += least
    return bound / scale


def _by_triangle(between: NDArray[np.float64], share: NDArray[np.float64]) -> float:
    """An estimate is between any two draws: Σ w w' d(b, b') <= Σ w (W − w) d(e, b)."""
    total = float(share.sum())
    pairs = float(np.triu(np.outer(share, share) * between, 1).sum())
    most = total - float(share.min())
    return pairs / (total * most) if most > 0 else 0.0


_ENUMERATED = 9  # with so few elements every partition is tried, whatever the loss
_MOST_PAIRS = 50_000_000
_STABLE = 0.8  # from which on a record counts as stable in the text


@input_options(
    refused={
        "unmatched": "a consensus needs the same records in each clustering",
        "weights": "a consensus counts each record once; clustering_weights= weighs the clusterings",
        "undefined": "no loss is 0/0",
        "table_limit": "a consensus counts labels in memory",
    },
    meanings={
        "columns": "The columns that contain clusters, if the input is one table. By default, all but "
        "`record`; AnnData must name them.",
        "progress": "Called with the work done and the total. The progress jumps to the end if two searches "
        "agree.",
        "names": "Display names of the clusterings, in their order.",
    },
)
def consensus(
    clusterings: Any,
    *,
    loss: LossName = "vi",
    vi_weight: float = 1,
    n_restarts: int = 16,
    seed: int = 0,
    clustering_weights: Sequence[float] | Mapping[Any, float] | None = None,
    **options: Unpack[InputOptions],
) -> Consensus:
    """Find the partition with the smallest mean loss to many partitions of the same records.

    Small problems are solved exactly, larger ones by repeated search. `proven` shows whether the result is
    optimal, and `bound` is a lower bound on the loss.

    Parameters
    ----------
    clusterings : mapping, sequence, table or array
        The clusterings, as in `matrix`, such as draws from a posterior in the columns of an array.
    loss : {"vi", "binder", "omari", "nvi", "id", "nid"}, default="vi"
        "vi" is the variation of information in nats, "binder" Mirkin's distance over n², "omari" 1 −
        adjusted_rand. "nvi" and "nid" are normalised, "id" is the information distance.
    vi_weight : float, default=1
        For "vi" and "binder", from 0 to 2: the cost of separating records that are together in a partition.
        The cost of joining separate records is 2 minus this.
    n_restarts : int, default=16
        Maximum number of searches.
    seed : int, default=0
        Seed of the searches. The result does not depend on the number of threads.
    clustering_weights : sequence or mapping, optional
        Weight of each partition. By default, equal.
    **options
        The input options. Nulls and noise cannot be dropped.

    Returns
    -------
    Consensus
        The consensus partition, its loss and the stability of each record.

    Raises
    ------
    UnmatchedError
        If the partitions have different records.

    Examples
    --------
    >>> c = consensus([[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1]])
    >>> c.partition.labels.tolist(), round(c.loss, 4), c.proven, c.medoid
    ([0, 0, 1, 1, 1], 0.3819, True, '1')
    """
    chosen = _checked_loss(loss, vi_weight)
    if isinstance(n_restarts, bool) or not isinstance(n_restarts, int) or n_restarts < 1:
        raise ParameterError("give the number of searches, 1 or more", given={"n_restarts": n_restarts})
    check_seed(seed)
    try:
        conventions = Conventions.of(options)
        named = named_partitions(clusterings, "consensus", conventions)
    except ConcordantError as error:
        error.withdraw(nulls="drop")
        error.withdraw(noise_as="drop")
        raise
    threads, progress = conventions.threads, conventions.progress
    aligned = align_all(named, "error", remedies=())
    if not aligned.are_whole:
        policies = {"nulls": conventions.nulls, "noise_as": conventions.noise_as}
        raise ParameterError(
            "dropping labels would leave each partition with different records; use 'singletons'",
            given={name: value for name, value in policies.items() if value == "drop"},
        )
    draws = aligned.codes
    if not len(draws[0]):
        raise InputError("the partitions have no records, so there is no consensus")
    if len(draws[0]) >= 2**31:
        raise TooLargeError(f"a consensus is available for fewer than 2**31 records, not {len(draws[0]):,}")
    shares = clustering_shares(clustering_weights, list(named))
    found = _found(named, draws, chosen, shares, (n_restarts, seed, threads, progress))
    how: dict[str, Any] = {
        "vi_weight": vi_weight != 1 and f"{vi_weight:g}",
        "clustering_weights": clustering_weights is not None and "given",
    }
    how |= {
        "n_restarts": not found.proven and str(n_restarts),
        "seed": not found.proven and str(seed),
    }
    words = [f"{name}={value}" for name, value in how.items() if value]
    agreed = words_of(Conventions(where=conventions.where), named.values())
    return replace(found, conventions=" | ".join(filter(None, [agreed, *words])))


def _checked_loss(loss: Any, a: Any) -> Loss:
    check_choice("loss", loss, LOSSES)
    if isinstance(a, bool) or not isinstance(a, int | float) or not 0 <= a <= 2:
        raise ParameterError("give a price from 0 to 2", given={"vi_weight": a})
    if a != 1 and loss not in ("vi", "binder"):
        raise ParameterError(f"only 'vi' and 'binder' have prices, not {loss!r}", given={"vi_weight": a})
    return Loss(loss, float(a))


def _found(
    named: Mapping[str, MemoryLabels],
    draws: Sequence[Any],
    loss: Loss,
    shares: list[float],
    search: tuple[int, int, int, Progress | None],
) -> Consensus:
    n_restarts, seed, threads, progress = search
    items = Atoms(draws, threads, whole=not loss.is_linear and len(draws[0]) <= _ENUMERATED)
    share = np.array(shares)
    between = losses_of_draws(items, loss)
    of_draws = between @ share / share.sum()
    medoid = int(np.argmin(of_draws))
    label, proven = core.consensus(
        items.flat, items.weight, shares, loss.name, loss.price, n_restarts, medoid, seed, threads, progress
    )
    if progress is not None:
        progress(len(items.weight) * n_restarts, len(items.weight) * n_restarts)
    each = items.losses(label, loss)
    value = float(each @ share / share.sum())
    if of_draws[medoid] < value - 1e-12:  # only by rounding: the search starts at the medoid
        label, value = items.cluster[:, medoid], float(of_draws[medoid])
    is_proven = proven == 1
    if not loss.is_linear and items.size > _ENUMERATED:
        is_proven[:] = False  # for this loss, items are not proven to stay together
    bound = lower_bound(items, loss, share, label, is_proven, between=between)
    if value - bound <= 1e-12 * max(value, 1.0):
        is_proven[:] = True
        bound = value
    labels = core.factorize(np.ascontiguousarray(label[items.of_element]))[0]
    unit = log(2) if loss.name in ("vi", "id") else 1.0  # searches count in bits, results are in nats
    return Consensus(
        names=tuple(named),
        loss_name=loss.name,
        loss=value * unit,
        bound=min(bound, value) * unit,
        medoid=list(named)[medoid],
        medoid_loss=float(of_draws[medoid]) * unit,
        proven_share=float(items.weight[is_proven].sum() / items.size),
        losses=dict(zip(named, (each * unit).tolist(), strict=True)),
        _partitions=tuple(named.values()),
        _draws=tuple(draws),
        _labels=labels,
    )


@read_only_class
@dataclass(frozen=True, eq=False, repr=False)
class Consensus(Report):
    """The partition nearest to many partitions. `consensus` returns it.

    Attributes
    ----------
    names : tuple of str
        Names of the partitions.
    loss_name : str
        The loss function.
    loss : float
        Mean loss to all partitions.
    bound : float
        A lower bound on the loss of any partition.
    medoid, medoid_loss : str and float
        The best of the given partitions, and its loss.
    proven_share : float
        Share of the records in parts that are proven optimal.
    losses : dict from str to float
        Loss to each partition.
    conventions : str
        Unusual conventions.

    Examples
    --------
    >>> c = consensus({"mon": list("aabbc"), "tue": list("aabbb"), "wed": list("aaabb")}, loss="binder")
    >>> print(c)
    The consensus of 3 partitions has 2 clusters
    5 records; mean binder loss 0.1600, proven to be optimal
    stability of a record: 0.7778 on average, 0.6667 at least; 3 records below 0.8
    nearest partition: tue, which is the consensus
    <BLANKLINE>
    partition  binder loss
    tue             0.0000
    mon             0.1600
    wed             0.3200
    """

    names: tuple[str, ...] = field()
    loss_name: LossName = field()
    loss: float
    bound: float
    medoid: str
    medoid_loss: float
    proven_share: float
    losses: dict[str, float]
    _partitions: tuple[MemoryLabels, ...]
    _draws: tuple[Any, ...]
    _labels: ItemNumbers
    conventions: str = ""

    @property
    def size(self) -> int:
        """The number of records."""
        return len(self._labels)

    def _facts(self) -> Sequence[str]:
        return [f"K={self.n_clusters}", f"clusterings={len(self.names)}", f"loss={self.loss_name}"]

    def to_dict(self) -> dict[str, Any]:
        """Return the loss, its bound, and the cluster and stability of each record.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.consensus([[0, 0, 1], [0, 0, 1], [0, 1, 1]]).to_dict()["cluster"]
        [0, 0, 1]
        """
        names = ("loss_name", "loss", "bound", "proven", "medoid", "medoid_loss", "losses", "conventions")
        records = self._rows()
        return {name: getattr(self, name) for name in names} | {
            column: [row[column] for row in records] for column in ("record", "cluster", "stability")
        }

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """One row per record."""
        columns = (
            self.partition.records[:limit],
            self._labels[:limit].tolist(),
            self.stability[:limit].tolist(),
        )
        return [
            {"record": record, "cluster": cluster, "stability": stability}
            for record, cluster, stability in zip(*columns, strict=True)
        ]

    @property
    def proven(self) -> bool:
        """Whether no partition has a smaller loss."""
        return self.proven_share == 1.0

    @property
    def gap(self) -> float:
        """The largest possible improvement of the loss. 0 if the result is proven optimal."""
        return self.loss - self.bound

    @cached_property
    def partition(self) -> Partition:
        """The consensus as a partition of the records."""
        elements = self._partitions[0].elements
        if elements is None:
            return Partition.from_labels(self._labels)
        return Partition.from_mapping(dict(zip(map(plain, elements), self._labels.tolist(), strict=True)))

    @property
    def stability(self) -> NDArray[np.float64]:
        """The mean element-centric similarity of each record to the partitions.

        It is 1 if the record has the same co-members in every partition.

        Examples
        --------
        >>> consensus([[0, 0, 1, 1], [0, 0, 1, 2]]).stability.tolist()
        [1.0, 1.0, 0.75, 0.75]
        """
        total = np.zeros(len(self._labels))
        for similarity in self._similarities():
            total += similarity
        return read_only(total / len(self._draws))

    def _similarities(self) -> Iterator[NDArray[np.float64]]:
        """The element-centric similarity of each record to each partition; 1 if the cluster is the same."""
        own = np.bincount(self._labels)[self._labels]
        for draw in self._draws:
            codes = np.asarray(draw, dtype=np.int64)
            cell = core.factorize(self._labels * (int(codes.max(initial=0)) + 1) + codes)[0]
            yield np.bincount(cell)[cell] / np.maximum(own, np.bincount(codes)[codes])

    def coassociation(self, *, least: float = 0.0) -> tuple[ItemNumbers, ItemNumbers, NDArray[np.float64]]:
        """Return the pairs of records that share a cluster in some partition.

        Parameters
        ----------
        least : float, default=0.0
            Minimum share of the partitions.

        Returns
        -------
        (array, array, array)
            The positions of the first and second records, and the share of the partitions in which they share
            a cluster.

        Examples
        --------
        >>> consensus([[0, 0, 1], [0, 1, 1]]).coassociation()
        (array([0, 1]), array([1, 2]), array([0.5, 0.5]))
        """
        sizes = [np.bincount(np.asarray(draw)).astype(np.float64) for draw in self._draws]
        check_type("least", least, (int, float), "a share from 0 to 1")
        pairs = int(sum((each * (each - 1) / 2).sum() for each in sizes))
        if pairs > _MOST_PAIRS:
            raise TooLargeError(
                f"{pairs:,} pairs of records are together in some partition, and at most {_MOST_PAIRS:,} are "
                "listed; stability() has one number for each record"
            )
        key = np.concatenate([self._pairs(np.asarray(draw, dtype=np.int64)) for draw in self._draws])
        together, count = np.unique(key, return_counts=True)
        share = count / len(self._draws)
        chosen = share >= least
        first, second = np.divmod(together[chosen], max(len(self._labels), 1))
        return read_only(first), read_only(second), read_only(share[chosen])

    def _pairs(self, draw: ItemNumbers) -> ItemNumbers:
        order, start = core.grouped(draw)
        lengths, found = np.diff(start), [np.empty(0, dtype=np.int64)]
        for length in np.unique(lengths[lengths > 1]).tolist():
            members = order[start[:-1][lengths == length][:, None] + np.arange(length)]
            i, j = np.triu_indices(length, 1)
            found.append((members[:, i] * len(draw) + members[:, j]).ravel())
        return np.concatenate(found)

    def compare(self, clustering: Any) -> Comparison:
        """Compare one of the partitions, as the reference, with the consensus.

        Parameters
        ----------
        clustering : label
            Its name.

        Returns
        -------
        Comparison
            The comparison.

        Examples
        --------
        >>> consensus({"a": [0, 0, 1], "b": [0, 0, 1]}).compare("a").adjusted_rand
        1.0
        """
        if str(clustering) not in self.names:
            near = did_you_mean(str(clustering), self.names)
            raise InputError(f"there is no partition {clustering!r} among those of this consensus{near}")
        found: Comparison = compare(self._partitions[self.names.index(str(clustering))], self.partition)
        return found

    @cached_property
    def _clusters(self) -> list[tuple[int, int, float, float, float, int]]:
        """Each cluster, the most unstable first.

        Its label and size, the mean, lowest and highest stability of its records, and the number of
        partitions that have this cluster.
        """
        first = np.unique(self._labels, return_index=True)[1]
        times = sum((similarity[first] == 1).astype(np.int64) for similarity in self._similarities())
        size, stability = np.bincount(self._labels), self.stability
        mean = np.bincount(self._labels, weights=stability) / size
        low, high = np.ones(len(size)), np.zeros(len(size))
        np.minimum.at(low, self._labels, stability)
        np.maximum.at(high, self._labels, stability)
        order = np.lexsort((-size, mean))
        columns = (each[order].tolist() for each in (size, mean, low, high, np.asarray(times)))
        return list(zip(order.tolist(), *columns, strict=True))

    def _details(self, limit: int) -> Sequence[Listing]:
        """The most unstable clusters and records."""
        words = "It is 1 if all partitions have this cluster."
        title = "How stable each cluster of the consensus is"
        dots = DotPlot(
            "stability", title, "stability", "range over its records", words, ends=("lowest", "highest")
        )
        titles = [
            Field("cluster", text=printable),
            "records",
            "stability",
            "lowest",
            "highest",
            "partitions that have it",
        ]
        clusters = Listing(self._clusters[:limit], titles, total=self.n_clusters, dots=dots)
        names, stability = self.partition.records, self.stability
        order = np.argsort(stability, kind="stable")[:limit].tolist()
        rows = [(names[i], int(self._labels[i]), float(stability[i])) for i in order if stability[i] < 1]
        columns = [*(Field(name, text=printable) for name in ("record", "cluster")), "stability"]
        records = Listing(rows, columns, title="Records whose cluster is not stable")
        return [clusters, *([records] if rows else [])]

    def _title(self) -> str:
        return "\n".join(self._summary())

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        """The partitions, the nearest first."""
        nearest = sorted(self.losses.items(), key=lambda each: each[1])
        loss = Field("loss", f"{self.loss_name} loss", partial(rounded, perfect=0))
        dots = DotPlot("losses", "How far each partition is from the consensus", "loss")
        columns = [Field("partition", text=printable), loss]
        return [Listing(nearest[:limit], columns, total=len(nearest), dots=dots)]

    def _summary(self) -> list[str]:
        """How many clusters there are, how near they are to the partitions, and how certain that is."""
        loss, gap, medoid_loss = (rounded(x, perfect=0) for x in (self.loss, self.gap, self.medoid_loss))
        certainty = "proven to be optimal" if self.proven else f"at most {gap} above the optimum"
        if not self.proven and self.proven_share:
            certainty += f"; proven for {percent(self.proven_share, 1, decimals=1)} of the records"
        stability = self.stability
        mean, least = rounded(float(stability.mean())), rounded(float(stability.min()))
        unstable = counted(int(np.count_nonzero(stability < _STABLE)), "record")
        smallest = min(self.losses.values())
        medoid = shortened(printable(self.medoid))
        titles = [shortened(printable(name)) for name in self.losses]
        equal = [titles[place] for place in all_largest([-each for each in self.losses.values()])]
        nearest = f"{'partition' if len(equal) == 1 else 'partitions'}: {named_ties(equal)}"
        best = f"the best of them, {medoid}, has a mean loss of {medoid_loss}"
        if self.medoid_loss <= self.loss:
            best = f"no partition is better than {medoid}"
        which = "which is the consensus" if len(equal) == 1 else "which are the consensus"
        near = f"at {rounded(smallest, perfect=0)}; {best}"
        partitions, clusters = counted(len(self.names), "partition"), counted(self.n_clusters, "cluster")
        lines = [
            f"The consensus of {partitions} has {clusters}"
            if any(self.losses.values())
            else f"{'Both' if len(self.names) == 2 else 'All'} partitions are identical, with {clusters}",
            f"{counted(len(self._labels), 'record')}; mean {self.loss_name} loss {loss}, {certainty}",
            f"stability of a record: {mean} on average, {least} at least; {unstable} below {_STABLE}",
            f"nearest {nearest}, {near if smallest else which}",
        ]
        return [*lines, *([f"conventions: {self.conventions}"] if self.conventions else [])]

    @property
    def n_clusters(self) -> int:
        """The number of clusters of the consensus."""
        return int(self._labels.max()) + 1

    def __repr__(self) -> str:
        loss = rounded(self.loss, perfect=0)
        return f"<Consensus of {len(self.names)} partitions by {self.loss_name}: {loss}>"
