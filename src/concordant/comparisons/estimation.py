"""estimate(): measures of all records from a sample of labelled true clusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from concordant import engines
from concordant.comparisons.estimates import Estimates
from concordant.counts.conventions import Conventions
from concordant.errors import CoverError
from concordant.partitions.cover import Cover
from concordant.partitions.input_types import partition_of
from concordant.partitions.missing import conventions_in_words
from concordant.trust.design import Sampling, design
from concordant.trust.options import check_level


def estimate(
    sample: Any,
    candidate: Any,
    *,
    sampling: Sampling,
    draws: int | None = None,
    times: Mapping[Any, int] | None = None,
    sampling_weights: Mapping[Any, float] | None = None,
    population: int | None = None,
    level: float = 0.95,
) -> Estimates:
    """Estimate measures of all records from a sample of labelled true clusters.

    Every record of a labelled cluster must be in the sample, and the candidate must contain all records of
    the population.

    Parameters
    ----------
    sample : mapping, Series or Partition
        The true cluster of each labelled record. If the candidate has labels without record ids, records are
        positions.
    candidate : any input of compare
        The candidate clustering of all records.
    sampling : {"clusters", "records"}
        "clusters" if true clusters were drawn with equal probability. "records" if records were drawn, each
        with its whole cluster, which favours large clusters.
    draws : int, optional
        For "records": number of records drawn without replacement.
    times : mapping, optional
        Or how often each cluster was drawn.
    sampling_weights : mapping, optional
        Or the inverse of each cluster's probability of being drawn.
    population : int, optional
        For "clusters": the number of true clusters, if it is known.
    level : float, default=0.95
        Confidence level.

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
clusters, clusters drawn uniformly; one cluster has 50% of the denominator, and the draws count as 2.6: the \
interval depends on few of them)
    """
    check_level(level)
    usual = Conventions(takes_nulls=False)
    if isinstance(sample, Cover) or isinstance(candidate, Cover):
        raise CoverError("estimates need partitions, and clusters of a cover overlap; give each record one")
    sides = partition_of(sample, usual, "the sample"), partition_of(candidate, usual, "the candidate")
    cells = engines.count_sample(*sides)
    how = design(
        cells, sampling=sampling, draws=draws, times=times, weights=sampling_weights, population=population
    )
    return Estimates(cells, how, level, conventions_in_words(usual, sides))
