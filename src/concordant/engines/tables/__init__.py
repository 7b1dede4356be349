"""The engine for dataframes, files, DuckDB and Spark: data is counted where it is stored.

The entry points are imported on first use, since they import narwhals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from concordant.clusterings.partition_data import SourcePartition
from concordant.foundation.lazy import attributes

if TYPE_CHECKING:
    from concordant.engines.tables.in_memory import labels_in_order
    from concordant.engines.tables.job import count, renamed_clusters
    from concordant.engines.tables.rows import (
        beside_numbers,
        clusters_of,
        record_attributes,
    )
    from concordant.engines.tables.sampled import count_sample
    from concordant.engines.tables.slices import slice_rows, slice_values
    from concordant.engines.tables.three_way import count_three
    from concordant.sources import files  # noqa: F401  (an attribute of the package)

__all__ = [
    "beside_numbers",
    "clusters_of",
    "count",
    "count_sample",
    "count_three",
    "labels_in_order",
    "record_attributes",
    "renamed_clusters",
    "slice_rows",
    "slice_values",
    "takes",
]

_MODULES = {
    "beside_numbers": "rows",
    "clusters_of": "rows",
    "count": "job",
    "count_sample": "sampled",
    "count_three": "three_way",
    "labels_in_order": "in_memory",
    "record_attributes": "rows",
    "renamed_clusters": "job",
    "slice_rows": "slices",
    "slice_values": "slices",
}


def takes(reference: Any, candidate: Any) -> bool:
    """Whether a side is a dataframe or a file."""
    return isinstance(reference, SourcePartition) or isinstance(candidate, SourcePartition)


if not TYPE_CHECKING:
    __getattr__ = attributes(__name__, _MODULES)
