"""The stability of a cluster, of a record and of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ClusterStability:
    """How well a cluster of the reference is found again."""

    cluster: Any
    size: int
    runs: int  # that hold a record of it
    jaccard: float  # the mean over the runs, each with its best match
    low: float
    high: float
    least: float
    by_chance: float  # the same with permuted labels
    dissolved: int  # runs with a Jaccard index of at most 1/2
    recovered: int  # runs with one of at least 3/4
    within: float  # share of its pairs that are found together
    across: float  # share of the pairs over its border that are found together
    adjusted_within: float  # within, corrected for chance: 0 is the value of permuted labels


@dataclass(frozen=True, slots=True)
class RecordStability:
    """How well the neighbours of a record are found again."""

    record: Any
    cluster: Any
    runs: int
    jaccard: float
    element_centric: float
    coassignment: float  # how often the others of its cluster are with it


@dataclass(frozen=True, slots=True)
class RunStability:
    """One run against the reference, on the records of both."""

    run: str
    records: int
    clusters: int
    adjusted_rand: float
    prediction_strength: float
    jaccard: float  # the mean over the clusters of the reference, by size
