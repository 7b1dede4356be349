"""The stability of a cluster, of a record and of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ClusterStability:
    """The stability of a reference cluster.

    Attributes
    ----------
    cluster : object
        Its label.
    size : int
        Number of records.
    runs : int
        Number of runs that contain any of its records.
    jaccard : float
        Mean Jaccard index with its best match in each run.
    low, high : float
        Interval of this mean over the runs.
    least : float
        The smallest Jaccard index.
    by_chance : float
        Mean Jaccard index with permuted labels.
    dissolved, recovered : int
        Number of runs in which it is dissolved (at most 1/2 by default) and recovered (at least 3/4).
    within : float
        Share of its pairs that are together in the runs.
    across : float
        Share of the pairs across its border that are together in the runs.
    adjusted_within : float
        `within` corrected for chance: 0 for permuted labels.
    """

    cluster: Any
    size: int
    runs: int
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
    runs : int
        Number of runs with the record.
    jaccard : float
        Mean Jaccard index of its clusters in the reference and in the runs.
    element_centric : float
        Mean element-centric similarity.
    coassignment : float
        Share of its co-members that are with it in the runs.
    """

    record: Any
    cluster: Any
    runs: int
    jaccard: float
    element_centric: float
    coassignment: float


@dataclass(frozen=True, slots=True)
class RunStability:
    """The agreement of a run with the reference, on the records of both.

    Attributes
    ----------
    run : str
        Name of the run.
    records, clusters : int
        Number of records and clusters.
    adjusted_rand : float
        Adjusted Rand index.
    prediction_strength : float
        Prediction strength.
    jaccard : float
        Mean Jaccard index of the reference clusters, weighted by size.
    """

    run: str
    records: int
    clusters: int
    adjusted_rand: float
    prediction_strength: float
    jaccard: float
