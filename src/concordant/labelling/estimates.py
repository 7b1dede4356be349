"""Estimates for a whole population from labelled true clusters, or pairs, and a complete candidate.

Numerator and denominator are estimated from the same labelled clusters, since their errors are
correlated: known totals of the whole candidate would make the estimate far worse.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import starmap
from statistics import NormalDist
from typing import Any, Unpack

import numpy as np

from concordant import engines
from concordant.clusterings.clustering import ClusteringData, clustering_kind, data_of
from concordant.clusterings.coerce import both_sides, opened_alone, partition_of
from concordant.clusterings.labels import MemoryLabels, PartitionData
from concordant.clusterings.missing import conventions_in_words
from concordant.clusterings.partition_data import SourcePartition
from concordant.counts.sampled import SampledCells, SampledPairs
from concordant.differences.lazy_list import LazyList, field_names
from concordant.engines.memory import noise_found
from concordant.errors import CoverError, ParameterError, UndefinedError, UnmatchedError, kind_of
from concordant.foundation.conventions import SIDES, Conventions, check_choice, report_unused_noise
from concordant.foundation.input_options import InputOptions, input_options
from concordant.foundation.results import DotPlot, Field, Listing, interval_fields
from concordant.foundation.spelling import counted, printable, share
from concordant.indices.attributes import SampleIndices
from concordant.indices.index import DEFAULT_FOR_SAMPLES, INDICES, Index
from concordant.indices.values import IndexAttributes
from concordant.inference.bounds import ends, gamma_ends, whole_range, widenings
from concordant.inference.clustered_intervals import LARGE_SHARE
from concordant.inference.difference import Difference, difference_by_flips, difference_of
from concordant.inference.options import SampleOptions, check_confidence, check_share
from concordant.inference.sign_flips import UnitShares, ratio_moves
from concordant.labelling.cluster_measures import (
    ADJUSTED_RAND,
    NAMES,
    Contributions,
    measure,
    ratio_terms,
    refusal,
    unseen_loss,
    weight_of_recall,
)
from concordant.labelling.design import SAMPLING, Design, SampleKind, design
from concordant.labelling.estimated import Estimated
from concordant.labelling.labelled_pairs import sampled_pairs
from concordant.labelling.sample_size import HALF_WIDTH, least_number, variance_factor
from concordant.maths.arithmetic import Floats
from concordant.maths.tails import student_quantile
from concordant.report import format_value

# Measures whose numerator is not a part of their denominator, so an estimate may be above 1.
_ABOVE_ONE = ("cluster_precision", "cluster_f")
_MOST_USED = (DEFAULT_FOR_SAMPLES, "precision", "recall", "bcubed_precision", "bcubed_recall")


@input_options(
    refused={
        "unmatched": "a sample has fewer records than the candidate, which must have each of them",
        "weights": "estimates count records and pairs; sampling_weights= are those of the sampling design",
        "where": "the sample is a part of the candidate; leave records out of both before",
        "undefined": "a measure without pairs in the sample is not a convention, but has no estimate",
        "table_limit": "only the overlaps of the labelled clusters are counted",
        "threads": "a sample is counted by one thread",
    },
    meanings={
        "nulls": "Null labels of the candidate: raise an error (default), drop these records, or make them "
        "singletons. With this option, and in one table, records without a true cluster are not in the "
        "sample."
    },
)
def estimate(
    reference: Any,
    candidate: Any = None,
    *,
    sampling: SampleKind,
    n_draws: int | None = None,
    times: Mapping[Any, int] | None = None,
    sampling_weights: Mapping[Any, float] | str | None = None,
    strata: Mapping[Any, int] | None = None,
    unit: str = "pair",
    population: int | None = None,
    largest_cluster: float | None = None,
    confidence: float = 0.95,
    **options: Unpack[InputOptions],
) -> Estimates:
    """Estimate measures of all records from a sample of labelled true clusters, or of labelled pairs.

    Every record of a labelled cluster must be in the sample, and the candidate must contain all records of
    the population. Pairs determine `precision`, `recall`, `f_measure` and `jaccard`.

    Parameters
    ----------
    reference : mapping, Series, Partition or dataframe
        The true cluster of each labelled record. If the candidate has labels without record ids, records are
        positions. Or one table that has both clusterings, whose unlabelled records have a null. For "pairs",
        a dataframe, file or list of mappings with the columns record_a, record_b and same (yes, no or
        unsure), as judges fill it in, or Splink's table of labels.
    candidate : any input of compare, optional
        The candidate clustering of all records. Not needed if one table has both.
    sampling : {"clusters", "records", "pairs"}
        "clusters" if true clusters were drawn with equal probability. "records" if records were drawn, each
        with its whole cluster, which favours large clusters. "pairs" if pairs of records were drawn.
    n_draws : int, optional
        For "records": number of records drawn without replacement.
    times : mapping, optional
        Instead of `n_draws`: how often each cluster was drawn.
    sampling_weights : mapping or str, optional
        Instead of both: the inverse of each cluster's probability of being drawn. For "pairs", the column
        that has the inverse of the pair's probability. A pair in two rows was drawn twice, unless its
        `judge` differs.
    strata : mapping, optional
        For "pairs": the number of all pairs of each stratum, if pairs were drawn within strata. The column
        `stratum` names that of each pair. If these are not all pairs of records, the estimates are for these.
    unit : str, default="pair"
        For "pairs": the pair, or the column that names what was drawn as a whole, such as an entity.
    population : int, optional
        For "clusters": the number of true clusters, if it is known.
    largest_cluster : float, optional
        The largest size that an unlabelled true cluster may have. By default, that of the largest cluster
        that is known on either side. inf assumes nothing, so the intervals are much wider.
    confidence : float, default=0.95
        Confidence level.
    **options
        The input options.

    Returns
    -------
    Estimates
        The estimates by measure.

    Raises
    ------
    CoverError
        If the candidate is a cover.

    Examples
    --------
    >>> guess = {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}
    >>> estimate({1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}, guess, sampling="clusters").bcubed_recall
    bcubed_recall 0.5880 for the whole population, 95% interval 0.1339 to 0.9411 (se 0.0976; 3 labelled \
clusters, clusters drawn uniformly; one cluster has 0.50 of the denominator, and the draws count as 2.6: the \
interval depends on few of them)
    """
    check_confidence(confidence)
    check_choice("sampling", sampling, (*SAMPLING, "pairs"))
    given = Conventions.of(options)
    names = given.checked_names(SIDES)
    of_clusters: dict[str, Any] = {"n_draws": n_draws, "times": times}
    of_clusters |= {"population": population, "largest_cluster": largest_cluster}
    of_pairs: dict[str, Any] = {"strata": strata, "unit": None if unit == "pair" else unit}
    unused = of_clusters if sampling == "pairs" else of_pairs
    if option := next((name for name, value in unused.items() if value is not None), None):
        words = "labelled clusters" if sampling == "pairs" else 'sampling="pairs"'
        raise ParameterError(f"this is for {words}; leave it out", given={option: ...})
    if sampling == "pairs":
        if candidate is None:
            raise ParameterError("pass the candidate after the pairs", given={"candidate": None})
        every, rest = opened_alone(candidate, "candidate", replace(given, names=None))
        drawn, how = sampled_pairs(
            reference, every, sampling_weights=sampling_weights, strata=strata, unit=unit
        )
        if isinstance(every, MemoryLabels):
            report_unused_noise(noise_found(every.noise))
        if rest.progress is not None:
            rest.progress(1, 1)
        return Estimates(drawn, how, confidence, conventions_in_words(rest, (every,)), names)
    sample, every = _partitions(reference, candidate, given)
    if isinstance(sample, MemoryLabels) and isinstance(every, MemoryLabels):
        report_unused_noise(noise_found(sample.noise, every.noise))
    cells = engines.count_sample(sample, every)
    how = design(
        cells,
        sampling=sampling,
        n_draws=n_draws,
        times=times,
        weights=sampling_weights,
        population=population,
        largest_cluster=largest_cluster,
    )
    if given.progress is not None:
        given.progress(1, 1)
    return Estimates(cells, how, confidence, conventions_in_words(given, (sample, every)), names)


def _partitions(
    reference: Any, candidate: Any, conventions: Conventions
) -> tuple[PartitionData, PartitionData]:
    """The sample and the candidate; in one table without a record, the rows are the records."""
    is_one_table = candidate is None
    reference, candidate, agreed = both_sides(reference, candidate, conventions)
    if "cover" in (clustering_kind(reference), clustering_kind(candidate)):
        raise CoverError("estimates need partitions, and clusters of a cover overlap; give each record one")
    of_reference = agreed
    if is_one_table or conventions.nulls is not None:  # records without a true cluster were not drawn
        if isinstance(reference, SourcePartition):
            reference = replace(reference, nulls="drop")
        elif not isinstance(data_of(reference), ClusteringData):
            of_reference = replace(agreed, nulls="drop")
    sample = partition_of(reference, of_reference, "the reference")
    every: Any = partition_of(candidate, agreed, "the candidate")
    if agreed.nulls is not None and isinstance(every, SourcePartition):
        every = replace(every, nulls=agreed.nulls)
    if is_one_table and isinstance(sample, SourcePartition) and sample.record is None:
        rows, columns = (engines.labels_in_order(each, 0) for each in (sample, every))
        rows.elements = range(len(rows))
        return rows, columns
    return sample, every


@dataclass(frozen=True, slots=True)
class Contribution:
    """The contribution of a labelled cluster to the estimates. `Estimates.contributions` lists them.

    Attributes
    ----------
    cluster : label
        The true cluster.
    size : int
        Number of records.
    n_pieces : int
        Number of candidate clusters that have a record of it.
    exact : bool
        Whether the candidate has exactly this cluster.
    n11 : float
        Number of pairs that are together on both sides.
    in_reference : float
        Number of pairs in this cluster.
    in_candidate : float
        Number of pairs in the candidate's clusters. A pair with a record outside the cluster counts half.
    bcubed_precision, bcubed_recall : float
        Mean over its records.
    weight : float
        Weight of the cluster in the estimates.
    n_draws : int
        How often it was drawn.
    """

    cluster: Any
    size: int
    n_pieces: int
    exact: bool
    n11: float
    in_reference: float
    in_candidate: float
    bcubed_precision: float
    bcubed_recall: float
    weight: float
    n_draws: int


class Estimates(SampleIndices, IndexAttributes[Estimated]):
    """Measures of the whole population, estimated from a sample of true clusters or of pairs.

    `estimate` returns it.

    Every measure is an attribute and an item.

    Examples
    --------
    >>> import concordant as cc
    >>> guess = {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}
    >>> e = cc.estimate({1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}, guess, sampling="clusters")
    >>> e.f_measure.value, round(e["f_measure(beta=2)"].se, 6)
    (0.3556851311953353, 0.121734)
    """

    _called = "an estimate"
    _example = 'e.f_measure or e["f_measure(beta=2)"]'

    def __init__(
        self,
        sample: SampledCells | SampledPairs,
        drawn: Design,
        confidence: float,
        conventions: str = "",
        names: Sequence[str] = SIDES,
    ) -> None:
        self._sample, self._design, self._confidence = sample, drawn, confidence
        self._conventions, self._titles = conventions, tuple(names)
        self._contributions = Contributions.of(sample)

    # -- one measure ----------------------------------------------------------------------------

    def _value(self, declared: Index) -> Estimated:
        """Estimate a measure of the whole population."""
        return self._estimated(self._measure(declared.name))

    def _measure(self, spelling: str) -> Index:
        return measure(spelling, self.keys())

    @property
    def size(self) -> int:
        """The number of records of the candidate."""
        return self._sample.size

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the two sides, as text and pages show them."""
        return self._titles

    @property
    def conventions(self) -> str:
        """Unusual conventions."""
        return self._conventions

    def _facts(self) -> Sequence[str]:
        return [self._design.description, f"draws={self._design.reported_draws}"]

    def keys(self) -> tuple[str, ...]:
        """List the measures that can be estimated.

        Returns
        -------
        tuple of str
            The names of the measures.

        Examples
        --------
        >>> import concordant as cc
        >>> e = cc.estimate({1: "x", 2: "x", 3: "y"}, {1: 1, 2: 1, 3: 2, 4: 2}, sampling="clusters")
        >>> e.keys()[:2]
        ('precision', 'recall')
        """
        return self._sample.measures if isinstance(self._sample, SampledPairs) else NAMES

    def _ratio(self, wanted: Index) -> tuple[float, float, Floats, Floats]:
        return _ratio_estimate(wanted, self._contributions, self._design)

    def _estimated(self, wanted: Index) -> Estimated:
        """An estimate whose interval holds whether unsure answers are yes or no."""
        found = self._of_sample(wanted)
        for sample in self._sample.extremes:
            other = Estimates(sample, self._design, self._confidence)._of_sample(wanted)
            found = replace(found, low=min(found.low, other.low), high=max(found.high, other.high))
        return found

    def _of_sample(self, wanted: Index) -> Estimated:
        d = self._design
        ratio, value, moves, shares = self._ratio(wanted)
        largest = float((shares * d.times).max() / d.draws)
        effective = d.effective(shares)
        se = math.sqrt(max(d.covariance(moves, moves), 0.0))
        reason, bottom, assumed = "", -0.5 if wanted.declared_name == ADJUSTED_RAND else 0.0, None
        widened = False
        if d.open.any():
            reason = refusal(wanted, self._sample, d, self._confidence, largest)
        if reason:
            found = whole_range(bottom, value, reason)
            low, high, note = found.low, found.high, found.note
        elif d.open.any():
            unseen = self._unseen_share(wanted, self._confidence)
            low, high = self._ends(
                wanted, ratio, se, unseen=unseen, effective=effective, confidence=self._confidence
            )
            quantile = student_quantile(self._confidence, max(effective - 1, 1.0))
            widened = bool(widenings(ratio, se, (low, high), quantile=quantile, bottom=bottom))
            cells = self._sample
            is_assumed = self._unseen_share(wanted, self._confidence, is_bounded=False) > unseen
            if is_assumed and isinstance(cells, SampledCells):
                known = max(*cells.candidate_sizes, *cells.sizes.tolist())
                assumed = known if d.largest_cluster is None else int(d.largest_cluster)
            low, high = min(low, value), max(high, min(value, 1.0))
            note = self._heavy(share(largest, 1), effective) if largest > LARGE_SHARE else ""
        else:
            low, high, note = value, value, ""
        is_part = bool(d.part) and not (d.has_merged and wanted.declared_name == "precision")
        return Estimated(
            index=wanted.name,
            value=value,
            se=se,
            low=low,
            high=high,
            ratio=ratio,
            confidence=self._confidence,
            n_clusters=len(self._sample.clusters) if isinstance(self._sample, SampledCells) else 0,
            n_draws=d.reported_draws,
            largest_share=largest,
            n_effective_draws=effective,
            largest_cluster=assumed,
            is_widened=widened,
            drawn=d.description,
            note="; ".join(filter(None, [note, d.note if is_part else ""])),
            estimable=not reason,
            conventions=self._conventions,
            n_pairs=len(self._sample.pairs) if isinstance(self._sample, SampledPairs) else 0,
            _part=d.part if is_part else "",
        )

    @property
    def _unit(self) -> str:
        return "labelled pair" if isinstance(self._sample, SampledPairs) else "labelled cluster"

    def _heavy(self, part: str, effective: float) -> str:
        unit = self._unit.removeprefix("labelled ")
        return (
            f"one {unit} has {part} of the denominator, and the draws count as {effective:.1f}: the interval "
            "depends on few of them"
        )

    def _ends(
        self, wanted: Index, ratio: float, se: float, *, unseen: float, effective: float, confidence: float
    ) -> tuple[float, float]:
        """Both ends; ``unseen`` is the share of the denominator that an unseen draw would add."""
        d, quantile = self._design, student_quantile(confidence, max(effective - 1, 1.0))
        low, high = ends(
            ratio,
            se,
            quantile=quantile,
            confidence=confidence,
            worst=ratio * unseen / (1 + unseen),
            # The gain from an unseen draw without errors.
            gain=(1 - min(ratio, 1.0)) * unseen / (1 + unseen) if se == 0 or ratio < 0.5 else 0.0,
            bottom=-0.5 if wanted.declared_name == ADJUSTED_RAND else 0.0,
            always=unseen > 0,
        )
        if wanted.declared_name in _ABOVE_ONE and se > 0:
            # The value is a weighted count of clusters that were kept.
            factors = {"cluster_precision": 1 / self._contributions.clusters_a_record}
            total = d.draws * self._mean_denominator(wanted)
            kept = factors.get(wanted.declared_name, 1 + weight_of_recall(wanted) ** 2) * d.weight / total
            few, many = gamma_ends(ratio, se * se, kept, confidence)
            low = min(low, few, max(ratio - quantile * se, 0.0))
            high = min(max(high, many, ratio + quantile * se), 1.0)
        return low, high

    def _unseen_share(
        self, wanted: Index, confidence: float, draws: int | None = None, *, is_bounded: bool = True
    ) -> float:
        """The largest addition of an unseen draw to the denominator, as a share of it."""
        d = self._design if is_bounded else replace(self._design, largest_cluster=math.inf)
        total = (1 if draws is None else draws / d.reported_draws) * d.draws * self._mean_denominator(wanted)
        return unseen_loss(wanted, self._sample, d, confidence, draws) / total

    def _mean_denominator(self, wanted: Index) -> float:
        """The mean denominator per draw; for adjusted Rand that of F, which differs only by chance."""
        kind = wanted if wanted.declared_name != ADJUSTED_RAND else measure("f_measure")
        return self._design.mean(self._design.weights * ratio_terms(kind, self._contributions)[1])

    # -- how many, and which is better -----------------------------------------------------------

    def needed(
        self,
        index: str = DEFAULT_FOR_SAMPLES,
        *,
        within: float,
        confidence: float | None = None,
        assurance: float = 0.8,
    ) -> int:
        """Compute the number of draws for an interval of a given half-width.

        With the probability `assurance`, an estimate from so many draws has an interval of at most this
        half-width, if errors vary as in these draws. The number is at most that of all records or clusters.

        Parameters
        ----------
        index : str, default="f_measure"
            Name of the measure.
        within : float
            The half-width.
        confidence : float, optional
            Confidence level. By default, that of the estimates.
        assurance : float, default=0.8
            The probability that the interval is as narrow.

        Returns
        -------
        int
            The number of draws.

        Examples
        --------
        >>> import concordant as cc
        >>> guess = {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}
        >>> e = cc.estimate({1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}, guess, sampling="clusters")
        >>> e.needed("bcubed_recall", within=0.4)
        5
        """
        check_share("within", within, HALF_WIDTH)
        check_share("assurance", assurance, "a probability between 0 and 1, such as 0.8")
        wanted, level = self._measure(index), self._confidence if confidence is None else confidence
        check_confidence(level)
        d = self._design
        ratio, _, moves, shares = self._ratio(wanted)
        squares = float((d.times * moves**2).sum())
        kurtosis = d.draws * float((d.times * moves**4).sum()) / squares**2 if squares else 3.0
        degrees = min(max(2 * d.draws / max(kurtosis - 1, 1e-9), 1.0), d.draws - 1)
        z, effective = NormalDist().inv_cdf(assurance), d.effective(shares)
        of_sample = max(d.covariance(moves, moves), 0.0)
        # How far the mean denominator of another sample may be off, relative to this one.
        relative = float((d.times * d.open * (shares - 1) ** 2).sum()) / (d.draws * (d.draws - 1))

        def is_enough(draws: int) -> bool:
            growth = draws / d.reported_draws
            variance = max(d.variance(moves, draws), 0.0) / variance_factor(1 - assurance, degrees)
            se = math.sqrt(variance * variance_factor(assurance, max(degrees * growth, 1.0)))
            off = math.exp(z * math.sqrt(relative * (1 + 1 / growth)))
            unseen = self._unseen_share(wanted, level, draws) * off
            widths = []
            for value in (min(ratio, 1.0), min(max(ratio - z * math.sqrt(variance + of_sample), 0.01), 1.0)):
                low, high = self._ends(
                    wanted, value, se, unseen=unseen, effective=growth * effective, confidence=level
                )
                widths += [value - low, high - value]
            return max(widths) <= within

        return least_number(is_enough, d.most)

    def versus(
        self,
        other: Estimates,
        index: str,
        *,
        confidence: float | None = None,
        margin: float | None = None,
        n_resamples: int = 9999,
        seed: int = 0,
    ) -> Difference:
        """Test whether this candidate is better than another one, on the same labelled clusters.

        Parameters
        ----------
        other : Estimates
            The estimates of the other candidate from the same sample.
        index : str
            Name of the measure.
        confidence : float, optional
            Confidence level. By default, that of the estimates.
        margin : float, optional
            Also test for noninferiority and equivalence with this margin.
        n_resamples : int, default=9999
            Number of flips of the signs of labelled clusters. Up to 14 draws, all flips are made.
        seed : int, default=0
            Seed of these.

        Returns
        -------
        Difference
            The difference, its interval and p-value.

        Raises
        ------
        UnmatchedError
            If the two estimates have different samples.

        Examples
        --------
        >>> import concordant as cc
        >>> sample = {1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}
        >>> one = cc.estimate(sample, {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}, sampling="clusters")
        >>> two = cc.estimate(sample, {1: 1, 2: 1, 3: 1, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}, sampling="clusters")
        >>> round(two.versus(one, "recall").difference, 4)
        0.5938
        """
        if not isinstance(other, Estimates):
            raise ParameterError(f"Estimates are compared with Estimates, not with {kind_of(other)}")
        d, wanted = self._design, self._measure(index)
        same = self._sample.is_same_as(other._sample) and (
            (d.weights == other._design.weights).all() and (d.times == other._design.times).all()
        )
        if not same:
            raise UnmatchedError(
                "the two were estimated from different samples or designs; a difference needs the same "
                "labelled clusters, drawn once, for both"
            )
        sample = SampleOptions(
            confidence=self._confidence if confidence is None else confidence,
            margin=margin,
            n_resamples=n_resamples,
            seed=seed,
        )
        found = self._estimated(wanted), other._estimated(wanted)
        span = 1.5 if wanted.declared_name == ADJUSTED_RAND else 1.0
        part = next((f"only {each._part}" for each in found if each._part), "")
        agreed = "; ".join(filter(None, [self._conventions, part]))
        fields: dict[str, Any] = {"span": span, "conventions": agreed}
        values = found[0].value, found[1].value
        if not d.open.any():
            how: dict[str, Any] = {"confidence": sample.confidence, "margin": margin, "method": "none"}
            return difference_of(wanted, values, None, unit=self._unit, n_units=d.draws, **how, **fields)
        times = d.times.astype(int)
        (x, y), (other_x, other_y) = (
            [np.repeat(terms, times) for terms in _weighted_terms(wanted, each._contributions, d)]
            for each in (self, other)
        )
        shares = UnitShares.of(
            ratio_moves((x, y), (other_x, other_y)),
            y + other_y,
            # A cluster precision may be estimated above 1; no difference in a population exceeds the span.
            min(max(values[0] - values[1], -span), span),
            np.repeat(d.open, times),
        )
        return difference_by_flips(
            wanted,
            values,
            shares,
            sample,
            refusal=next((each.note.partition(": ")[2] for each in found if not each.estimable), ""),
            unit=self._unit if d.draws == len(self._sample.clusters) else "draw",
            n_units=d.draws,
            largest_unit=None if self._design.sampling == "pairs" else int(self._sample.sizes.max()),
            **fields,
        )

    # -- as data --------------------------------------------------------------------------------

    def contributions(self) -> LazyList[Contribution]:
        """Return the contribution of each labelled cluster.

        Returns
        -------
        LazyList of Contribution
            One row for each cluster.

        Raises
        ------
        ParameterError
            If pairs were labelled.

        Examples
        --------
        >>> import concordant as cc
        >>> e = cc.estimate({1: "x", 2: "x", 3: "y"}, {1: 1, 2: 1, 3: 2, 4: 2}, sampling="clusters")
        >>> [(each.cluster, each.size, each.exact) for each in e.contributions()]
        [('x', 2, True), ('y', 1, False)]
        """
        if isinstance(self._sample, SampledPairs):
            raise ParameterError("contributions are of labelled clusters, and pairs were labelled")
        return self._contribution_rows()

    def _contribution_rows(self) -> LazyList[Contribution]:
        """The contribution of each labelled cluster; no row for pairs."""
        if isinstance(self._sample, SampledPairs):
            return LazyList([], columns=field_names(Contribution))
        c, d = self._contributions, self._design
        numbers = [
            c.a.astype(int),
            c.pieces,
            c.kept.astype(bool),
            c.tp,
            c.u,
            c.v,
            c.p / c.a,
            c.r / c.a,
            d.weights,
            d.times.astype(int),
        ]
        columns = (self._sample.clusters, *(each.tolist() for each in numbers))
        rows = list(starmap(Contribution, zip(*columns, strict=True)))
        return LazyList(rows, columns=field_names(Contribution))

    def _found(self, indices: str | Sequence[str] | None = None) -> dict[str, Estimated]:
        """These measures; by default all that are defined for this sample."""
        if indices is not None or self._chosen is not None:
            return {name: self[name] for name in self._names_of(indices)}
        found = {}
        for name in self.keys():
            try:
                found[name] = self[name]
            except UndefinedError:  # no pair among the labelled clusters
                continue
        return found

    def to_dict(self, *, indices: str | Sequence[str] | None = None) -> dict[str, Any]:
        """Return every field of every measure.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the measures. By default, all that are defined for this sample.

        Returns
        -------
        dict
            The content by measure.

        Examples
        --------
        >>> import concordant as cc
        >>> e = cc.estimate({1: "x", 2: "x", 3: "y"}, {1: 1, 2: 1, 3: 2, 4: 2}, sampling="clusters")
        >>> "bcubed_recall" in e.to_dict()["estimates"]
        True
        """
        found = self._found(indices)
        return {
            **self._sample.facts,
            "drawn": self._design.description,
            "n_draws": self._design.reported_draws,
            "population": self._design.population,
            "confidence": self._confidence,
            "estimates": {name: each.to_dict() for name, each in found.items()},
        }

    # -- pictures ---------------------------------------------------------------------------------

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [each.to_dict() for each in self._found().values()][:limit]

    def __repr__(self) -> str:
        return f"<Estimates of {self._origin}>"

    @property
    def _origin(self) -> str:
        cells, agreed = self._sample, f" [{self._conventions}]" if self._conventions else ""
        return f"{counted(cells.size, 'record')} from {cells.words}; {self._design.description}{agreed}"

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:  # noqa: ARG002  (all are few)
        rows = []
        for each in self._found().values():
            row = {
                "index": each.index,
                "largest_share": share(each.largest_share, 1) + ("!" if each.note else ""),
            }
            numbers = {"value": each.value, "se": each.se, "low": each.low, "high": each.high}
            rows.append(row | (numbers if each.estimable else {"value": "(not estimable)"}))
        interval = f"{self._confidence * 100:g}% interval"
        words = "Each interval is for one index; all of them together are less certain."
        dots = DotPlot("estimates", "Estimates and their intervals", "value", interval, words)
        interval_ends = interval_fields(self._confidence)
        columns = ["index", Field("value", "estimate"), "se", *interval_ends, "largest_share"]
        return [Listing(rows, columns, dots=dots)]

    def _details(self, limit: int) -> Sequence[Listing]:
        """The labelled clusters with errors, the worst first."""
        found = [each for each in self._contribution_rows() if not each.exact]
        rows = [
            {
                "missed_pairs": each.in_reference - each.n11,
                "wrong_pairs": each.in_candidate - each.n11,
                **asdict(each),
            }
            for each in found
        ]
        rows.sort(key=lambda row: -row["missed_pairs"] - row["wrong_pairs"])
        of = counted(len(self._sample.clusters), "labelled cluster")
        title = f"{len(rows):,} of {of} with errors"
        columns = [
            Field("cluster", text=printable),
            "size",
            "n_pieces",
            *("missed_pairs", "wrong_pairs"),
            *("bcubed_precision", "bcubed_recall"),
        ]
        return [Listing(rows[:limit], columns, title=title, total=len(rows))] if rows else []

    def _title(self) -> str:
        return f"{self._sentence}\nEstimates for {self._origin}; {self._confidence * 100:g}% intervals"

    @property
    def _sentence(self) -> str:
        """The first of the most used measures that can be estimated, or that none can."""
        found = self._most_used(self._found())
        first = next((each for each in found if each.estimable), None)
        if first is None:
            titles = f"{_title(found[0])} of {found[0]._whole}" if found else "Nothing"
            return f"{titles} can{'not' if found else ''} be estimated from this sample"
        title = f"{_title(first)} of {first._whole}"
        value, low, high = map(format_value, (first.value, first.low, first.high))
        if first.low == first.high:
            return f"{title} is {value}"
        interval = f"{first.confidence * 100:g}% interval {low} to {high}"
        return f"{title} is estimated at {value} ({interval})"

    def _most_used(self, found: Mapping[str, Estimated]) -> list[Estimated]:
        return [found[name] for name in _MOST_USED if name in found] or [*found.values()]

    def _footnotes(self) -> Sequence[str]:
        notes = _indices_by_note(self._found().values())
        return [f"! {', '.join(names)}: {note}" for note, names in notes.items()]


def _title(each: Estimated) -> str:
    """The title of the index that was estimated, with its parameter where it has one."""
    kind, _, parameter = each.index.partition("(")
    return INDICES[kind].title + (f" ({parameter}" if parameter else "")


def _indices_by_note(found: Iterable[Estimated]) -> dict[str, list[str]]:
    """The notes of estimates, each with the indices that have it."""
    notes: dict[str, list[str]] = {}
    for each in found:
        if each.note:
            notes.setdefault(each.note, []).append(each.index)
    return notes


def _ratio_estimate(wanted: Index, c: Contributions, d: Design) -> tuple[float, float, Floats, Floats]:
    """The ratio, the ratio less its bias, and how much each labelled cluster moves them.

    The last two are the moves e_i, whose spread is that of the estimate, and the shares y_i/ȳ.
    """
    x, y = _weighted_terms(wanted, c, d)
    mean_y = d.mean(y)
    if not mean_y:
        raise UndefinedError(f"{wanted.name} is undefined: the sample has no pair that it counts")
    ratio = d.mean(x) / mean_y
    if math.isclose(ratio, 1.0, rel_tol=1e-14):  # rounding of the sums must not change a perfect value
        ratio = 1.0
    moves, shares = (x - ratio * y) / mean_y, y / mean_y
    if wanted.declared_name == ADJUSTED_RAND:
        moves = moves - (1 - ratio) * d.mean(d.weights * c.v) / mean_y * _by_chance(c, d)[1]
        shares = d.weights * (c.u + c.v)
        return ratio, ratio, moves, shares / max(d.mean(shares), 1e-300)
    if d.sampling == "pairs":  # the share itself, as people define it
        return ratio, ratio, moves, shares
    # A ratio of two means is biased by how they vary together.
    return ratio, ratio + d.covariance(shares, moves), moves, shares


def _weighted_terms(wanted: Index, c: Contributions, d: Design) -> tuple[Floats, Floats]:
    """The weighted terms of each labelled cluster in the numerator and in the denominator.

    Adjusted Rand is a ratio of sums if the share of pairs that are together in the reference is known.
    """
    if wanted.declared_name != ADJUSTED_RAND:
        x, y = ratio_terms(wanted, c)
    else:
        chance = _by_chance(c, d)[0] * c.v
        x, y = c.tp - chance, (c.u + c.v) / 2 - chance
    return d.weights * x, d.weights * y


def _by_chance(c: Contributions, d: Design) -> tuple[float, Floats]:
    """The share of all pairs that are together in the reference, and how much each cluster moves it."""
    records, pairs = d.weights * c.a, d.weights * c.u / max((c.size - 1) / 2, 0.5)
    mean = d.mean(records)
    share_of_pairs = d.mean(pairs) / mean
    return share_of_pairs, (pairs - share_of_pairs * records) / mean
