"""Both sides of a comparison, as they were handed over: two partitions, or two covers."""

from __future__ import annotations

from typing import Any

from concordant.counts.conventions import USUAL, Conventions
from concordant.errors import ParameterError
from concordant.partitions.cover import Cover
from concordant.partitions.input_types import partition_of
from concordant.partitions.partition import DevicePartition, Partition, SourcePartition


def both_sides(
    reference: Any, candidate: Any, conventions: Conventions
) -> tuple[Partition | Cover, Partition | Cover]:
    """What was handed over, as two partitions or, where one of them is a cover, as two covers."""
    treats_labels = conventions is not USUAL and conventions.treats_labels
    if (conventions.where is not None or treats_labels) and not all(
        map(_is_of_labels, (reference, candidate))
    ):
        raise ParameterError(
            "where=, reference_noise= and candidate_noise= are for labels in arrays; leave records out of "
            "dataframes, files and covers where they lie"
        )
    if isinstance(reference, Cover) and isinstance(candidate, Cover) and conventions.noise is not None:
        raise ParameterError(
            "noise= is a label of a partition, and both are covers; leave out their clusters of noise",
            given={"noise": conventions.noise},
        )
    if isinstance(reference, Cover) or isinstance(candidate, Cover):
        own = Cover.of(reference, conventions, "the reference")
        return own, Cover.of(candidate, conventions, "the candidate")
    u = partition_of(reference, conventions, "the reference")
    v = partition_of(candidate, conventions, "the candidate")
    if treats_labels and (isinstance(u, DevicePartition) or isinstance(v, DevicePartition)):
        raise ParameterError(
            "reference_noise= and candidate_noise= are for labels in memory; copy these from the GPU, or use "
            "noise="
        )
    return u, v


def _is_of_labels(side: Any) -> bool:
    return not isinstance(side, Cover | SourcePartition)
