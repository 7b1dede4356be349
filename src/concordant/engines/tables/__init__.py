"""Counts what lies in dataframes, files, DuckDB and Spark, where it lies."""

from __future__ import annotations

from typing import Any

from concordant.counts.availability import Need
from concordant.counts.conventions import Conventions
from concordant.counts.counted import Counted
from concordant.partitions.partition import Partition


def takes(reference: Partition, candidate: Partition) -> bool:
    """Whether one of them lies in a dataframe or a file."""
    return reference.is_in_source or candidate.is_in_source


def count(reference: Partition, candidate: Partition, conventions: Conventions, need: Need) -> Counted[Any]:  # noqa: ARG001  (sizes and best partners come in one pass)
    """Both counted by the engine that their sources belong to."""
    from concordant.engines.tables.job import count_sources  # imports narwhals, which labels do without

    return count_sources(reference, candidate, conventions)
