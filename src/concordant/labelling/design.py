"""How labelled clusters were drawn: the weight of each, and the variance of estimates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from concordant.counts.sampled import SampledCells
from concordant.errors import InputError, LabelError, ParameterError, Remedy, few, kind_of
from concordant.foundation.conventions import check_choice
from concordant.foundation.spelling import counted, verb
from concordant.inference.leave_one_out import jackknife_variance
from concordant.inference.options import check_count
from concordant.maths.arithmetic import Floats, Integers

Sampling = Literal["clusters", "records"]
SAMPLING = ("clusters", "records")
SampleKind = Sampling | Literal["pairs"]

# The squares of weights up to this, and the sums of their products with pair numbers, are finite.
_LARGEST = 1e100
_FAR = 4  # weights that add up to so many times all records, or to such a part, are not inverse probabilities


@dataclass(frozen=True, slots=True)
class Design:
    """Weights of the labelled clusters, how often each was drawn, and how much uncertainty remains.

    ``open`` is the share of the variance that a finite population leaves: 1 if it is as good as infinite, 0
    if all of it was drawn.
    """

    weights: Floats
    times: Floats
    open: Floats
    description: str  # in words
    sampling: SampleKind
    most: int  # how many could be drawn in all
    weight: float = 1.0  # of a cluster that was not drawn; if records were drawn, times its size
    has_weights: bool = False  # whether they were given
    are_inverse: bool = False  # whether they are inverse probabilities, not only proportional to them
    largest_cluster: float | None = None  # the largest size of an unlabelled true cluster, if it is known
    population: int | None = None  # the number of true clusters, if it is known and used
    records: int | None = None  # how many records were drawn, if clusters that were drawn again count once
    sizes: Floats | None = None  # of the labelled clusters, if their chances to be drawn depend on them
    stratum: Integers | None = None  # of each draw, if a number was drawn from each stratum
    part: str = ""  # the pairs that could be drawn, if these are not all
    note: str = ""  # on the merged pairs that could not
    has_merged: bool = False  # whether all merged pairs are in this part

    @property
    def draws(self) -> int:
        return int(self.times.sum())

    @property
    def reported_draws(self) -> int:
        """Number of draws in the unit that was drawn, clusters or records."""
        return self.draws if self.records is None else self.records

    def effective(self, shares: Floats) -> float:
        """The number of draws of equal size that would vary as much; a draw that is certain does not vary."""
        chance = float((self.times * self.open * shares**2).sum())
        if not chance:
            return self.draws**2 / float((self.times * shares**2).sum())
        return float((self.times * np.sqrt(self.open) * shares).sum()) ** 2 / chance

    def rate(self, sizes: Floats, population: int, confidence: float) -> tuple[float, float]:
        """How many records one draw that was not made represents, in units of the weights, and their scale.

        A cluster that could not have been missed shows nothing about those that were.
        """
        if self.records is not None:
            return self.weight, 1.0
        held = self.weights * sizes
        scale = 1.0 if self.are_inverse else population / float((self.times * held).sum())
        may_be_missed = self.weights * scale > 2 / (1 + confidence)
        return float((held[may_be_missed] if may_be_missed.any() else held).max()), scale

    def mean(self, terms: Floats) -> float:
        """The mean over the draws."""
        return math.fsum((self.times * terms).tolist()) / self.draws

    def covariance(self, one: Floats, other: Floats) -> float:
        """The covariance of two means, from the deviations of each draw."""
        if self.stratum is not None:
            one, other = (self._within_strata(each) for each in (one, other))
        products = self.times * self.open * one * other
        # A mean without one draw is off by its deviation / (draws − 1).
        return jackknife_variance(math.fsum(products.tolist()) / (self.draws - 1) ** 2, self.draws)

    def _within_strata(self, moves: Floats) -> Floats:
        """The moves less the mean of their stratum; those of a stratum with one draw stay as they are."""
        assert self.stratum is not None
        number = np.bincount(self.stratum)
        means = np.bincount(self.stratum, weights=moves) / np.maximum(number, 1)
        factor = np.sqrt(number / np.maximum(number - 1, 1))
        centred = factor[self.stratum] * (moves - means[self.stratum])
        return np.where(number[self.stratum] > 1, centred, moves)

    def variance(self, moves: Floats, draws: int) -> float:
        """The variance of the mean of the moves, if this many were drawn in the same way."""
        if self.sizes is None:
            left = 1 if self.population is None else max(1 - draws / self.population, 0)
            infinite = math.fsum((self.times * moves**2).tolist()) / (self.draws - 1)
            return infinite * left / draws
        chance, then = (
            np.array([_inclusion_probability(int(size), number, self.most) for size in self.sizes.tolist()])
            for number in (self.reported_draws, draws)
        )
        return math.fsum((moves**2 * chance * (1 - then) / then).tolist()) / (self.draws * (self.draws - 1))


def design(cells: SampledCells, *, largest_cluster: float | None = None, **drawn: Any) -> Design:
    """The design that the options describe."""
    known, given = largest_cluster, {"largest_cluster": largest_cluster}
    if known is not None and (
        not isinstance(known, int | float) or isinstance(known, bool) or not known >= 1
    ):
        raise ParameterError(
            "use a number of records, such as 50, or math.inf for no assumption", given=given
        )
    if len(cells.clusters) < 2:
        raise InputError("one labelled cluster does not show how clusters vary: label at least 2 of them")
    if cells.labelled > cells.size:
        raise InputError(
            f"{counted(cells.labelled, 'record', 'are')} labelled, but the candidate has {cells.size:,}"
        )
    return replace(_drawn(cells, **drawn), largest_cluster=known)


def _drawn(
    cells: SampledCells,
    *,
    sampling: Sampling,
    n_draws: int | None,
    times: Mapping[Any, int] | None,
    weights: Mapping[Any, float] | None,
    population: int | None,
) -> Design:
    """The design by what was drawn, how often, and with which probabilities."""
    check_choice("sampling", sampling, SAMPLING)
    draws = None if n_draws is None else check_count("n_draws", n_draws)
    population = None if population is None else check_count("population", population)
    ones = np.ones(len(cells.clusters))
    numbers = ones if times is None else _of_each(cells, "times", times, whole=True)
    is_repeated = bool((numbers > 1).any())
    by_record = sampling == "records"
    if population is not None:
        _check_use_of_population(population, weights, by_record=by_record, is_repeated=is_repeated)
    own = None if weights is None else _of_each(cells, "sampling_weights", weights, whole=False)
    if by_record and draws is not None and times is None and own is None:
        return _by_record(cells, draws)
    if draws is not None and draws != int(numbers.sum()):
        raise ParameterError(
            f"the sample has {int(numbers.sum()):,} draws; leave the number out if that is right",
            given={"n_draws": draws},
            remedies=[Remedy("count how often each cluster was drawn", times=...)],
        )
    if own is not None:
        return _by_weight(cells, sampling, numbers, own)
    if by_record:
        words = "records drawn, each with its cluster"
        if times is None:
            words = "records drawn, each cluster counted once; the number of draws would account for repeats"
        return Design(1 / cells.sizes.astype(np.float64), numbers, ones, words, sampling, cells.size)
    if is_repeated:
        words = "clusters drawn uniformly, with replacement"
        return Design(ones, numbers, ones, words, sampling, _most_clusters(cells))
    return _by_cluster(cells, population)


def _check_use_of_population(
    population: int, weights: Mapping[Any, float] | None, *, by_record: bool, is_repeated: bool
) -> None:
    """Refuse the number of clusters where the design does not use it."""
    reason = ""
    if weights is not None:
        reason = "sampling weights replace the number of clusters"
    elif by_record:
        reason = "this applies to samples of clusters, and records were drawn"
    elif is_repeated:
        reason = "with replacement, the number of clusters does not matter"
    if reason:
        raise ParameterError(f"{reason}; leave it out", given={"population": population})


def _most_clusters(cells: SampledCells) -> int:
    """The largest possible number of true clusters: every record that is not labelled is a singleton."""
    return len(cells.clusters) + cells.size - cells.labelled


def _by_weight(cells: SampledCells, sampling: Sampling, numbers: Floats, own: Floats) -> Design:
    """Clusters were drawn so often, with probabilities that the given weights describe."""
    by_record = sampling == "records"
    weight = float((own * cells.sizes).max() if by_record else own.max())
    # Inverse probabilities show how much is left to chance. They add up to about all records.
    total = float((numbers * own * cells.sizes).sum()) / cells.size
    are_inverse = bool(own.min() >= 1) and 1 / _FAR <= total <= _FAR
    left, words = 1 - 1 / own if are_inverse else np.ones(len(own)), "drawn with the given weights"
    most = cells.size if by_record else _most_clusters(cells)
    return Design(
        own, numbers, left, words, sampling, most, weight, has_weights=True, are_inverse=are_inverse
    )


def _by_cluster(cells: SampledCells, population: int | None) -> Design:
    """Clusters were drawn with equal probability, without replacement."""
    clusters, most, given = len(cells.clusters), _most_clusters(cells), {"population": population}
    ones = np.ones(clusters)
    if cells.labelled == cells.size:
        if population not in (None, clusters):
            raise ParameterError(
                f"every record is labelled, so there are {clusters:,} clusters and no others",
                given=given,
            )
        population = clusters
    if population is None:
        return Design(ones, ones, ones, "clusters drawn uniformly", "clusters", most)
    left = cells.size - cells.labelled
    if not clusters <= population <= most:
        raise ParameterError(
            f"{counted(clusters, 'cluster', 'are')} labelled and {counted(left, 'record')} "
            f"{verb(left, 'are')} not, so there are {clusters:,} to {most:,} true clusters",
            given=given,
        )
    words = f"clusters drawn uniformly from {population:,}"
    if population == clusters:
        words = "all clusters labelled"
    unseen = ones * (1 - clusters / population)
    return Design(ones, ones, unseen, words, "clusters", population, population=population)


def _by_record(cells: SampledCells, draws: int) -> Design:
    """This many records were drawn, each with its cluster: large clusters are drawn more often."""
    sizes, ones = cells.sizes.astype(np.float64), np.ones(len(cells.sizes))
    if not len(sizes) <= draws <= cells.labelled:
        raise ParameterError(
            f"{len(sizes):,} clusters of {cells.labelled:,} records are labelled, and every record that was "
            f"drawn is one of them: between {len(sizes):,} and {cells.labelled:,} records were drawn",
            given={"n_draws": draws},
        )
    chosen = np.array([_inclusion_probability(int(size), draws, cells.size) for size in cells.sizes.tolist()])
    words = f"{counted(draws, 'record')} drawn, each with its cluster"
    weight = cells.size / draws
    return Design(
        1 / chosen, ones, 1 - chosen, words, "records", cells.size, weight, records=draws, sizes=sizes
    )


def _inclusion_probability(size: int, draws: int, population: int) -> float:
    """The probability that a cluster is drawn if this many records are drawn without replacement.

    >>> [round(_inclusion_probability(*each, 10), 12) for each in ((1, 3), (2, 5), (6, 5))]
    [0.3, 0.777777777778, 1.0]
    """
    if size + draws > population:
        return 1.0
    if size == 1:
        return draws / population
    few_of, many = sorted((size, draws))
    logarithms = np.log1p(-many / (population - np.arange(few_of, dtype=np.float64)))
    return -math.expm1(math.fsum(logarithms.tolist()))


def _of_each(cells: SampledCells, option: str, given: Any, *, whole: bool) -> Floats:
    """A positive number for each labelled cluster, by its name."""
    items = given.items() if hasattr(given, "items") else None
    if items is None:
        raise ParameterError(f"{option}= is a mapping from labelled cluster to number, not {kind_of(given)}")
    held = dict(items)
    if missing := [name for name in cells.clusters if name not in held]:
        raise LabelError(
            f"{option}= has no value for {counted(len(missing), 'labelled cluster')} ({few(missing)})"
        )
    known = set(cells.clusters)
    if extra := [name for name in held if name not in known]:
        raise LabelError(f"{option}= names {counted(len(extra), 'cluster')} not in the sample ({few(extra)})")
    numbers = [held[name] for name in cells.clusters]
    for name, number in zip(cells.clusters, numbers, strict=True):
        real = isinstance(number, int | float | np.integer | np.floating) and not isinstance(number, bool)
        if not real or not 0 < number < math.inf or (whole and number != int(number)):
            what = "a positive whole number" if whole else "a positive number"
            raise ParameterError(f"the cluster {name!r} has {number!r}: use {what}", given={option: ...})
        if not 1 / _LARGEST <= number <= _LARGEST:
            raise ParameterError(
                f"the cluster {name!r} has {number!r}, and sums of such numbers overflow; use numbers "
                f"between {1 / _LARGEST:g} and {_LARGEST:g}",
                given={option: ...},
            )
    return np.array([float(number) for number in numbers])
