"""Counts labels on a GPU in place: only counts travel to the host."""

from __future__ import annotations

from typing import Any

from concordant.clusterings.labels import PartitionData
from concordant.clusterings.partition_data import DevicePartition
from concordant.counts.base import Detail
from concordant.counts.counted_sides import CountedSides
from concordant.foundation.conventions import Conventions

count_three = count_sample = None


def takes(reference: Any, candidate: Any) -> bool:
    """Whether one of them is on a GPU."""
    return isinstance(reference, DevicePartition) or isinstance(candidate, DevicePartition)


def count(
    reference: PartitionData, candidate: PartitionData, conventions: Conventions, need: Detail
) -> CountedSides:
    """Both counted on their GPU."""
    from concordant.engines.gpu.job import count_on_device  # imports CuPy, which no other engine needs

    return count_on_device(reference, candidate, conventions, need)
