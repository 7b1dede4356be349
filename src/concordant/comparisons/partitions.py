"""Two partitions or covers: their comparison, or the values of some indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from concordant import engines
from concordant.catalogue.index import Index
from concordant.comparisons.comparison import Comparison
from concordant.counts.availability import Need
from concordant.counts.base import Counts
from concordant.counts.conventions import TABLE_LIMIT, USUAL, Conventions, check_threads
from concordant.counts.counted import Counted
from concordant.errors import HierarchyError, ParameterError, SoftError
from concordant.partitions.alignment import refuse_unmatched
from concordant.partitions.clustering import ClusteringKind, clustering_kind
from concordant.partitions.cover import Cover
from concordant.partitions.inputs import partition_of, refuse_memberships
from concordant.partitions.partition import (
    ChunkedPartition,
    DevicePartition,
    Partition,
    SegmentPartition,
    SourcePartition,
)

_INT64 = np.dtype(np.int64)

Kinds = tuple[ClusteringKind, ClusteringKind]  # of the reference and the candidate
PARTITIONS: Kinds = ("partition", "partition")
BothSides = tuple[Partition | Cover, Partition | Cover]


def compare_partitions(kinds: Kinds, reference: Any, candidate: Any, conventions: Conventions) -> Comparison:
    """Two partitions or covers, compared; hierarchies and soft partitions are refused."""
    sides = read_sides(kinds, reference, candidate, conventions)
    counted = count_sides(sides, conventions, Need.RECORDS)
    progress = conventions.progress
    if progress is not None and not any(isinstance(side, ChunkedPartition) for side in sides):
        progress(1, 1)
    return Comparison(counted, undefined=conventions.undefined)


def values(
    indices: Sequence[Index], reference: Any, candidate: Any, conventions: Conventions = USUAL
) -> list[float]:
    """The values of these indices only; nothing is counted that they do not need.

    >>> from concordant import INDICES
    >>> values([INDICES["rand"], INDICES["jaccard"]], [0, 0, 1, 1], [0, 0, 1, 2])
    [0.8333333333333334, 0.5]
    """
    if conventions is USUAL:
        check_threads(0)  # the environment may have changed since the last call
    need = indices[0].needs if len(indices) == 1 else max(each.needs for each in indices)
    if need is Need.PAIRS and conventions is USUAL and _are_plain(reference, candidate):
        counts: Counts = engines.memory.pairs(reference, candidate)
    else:
        kinds = clustering_kind(reference), clustering_kind(candidate)
        sides = read_sides(kinds, reference, candidate, conventions)
        counts = count_sides(sides, conventions, need).counts
    return [each.value(counts, conventions.undefined) for each in indices]


def count_sides(sides: BothSides, conventions: Conventions, need: Need) -> Counted:
    """Two partitions or covers, counted by their engine, or by weights."""
    if conventions.weights is None:
        counted = engines.count(*sides, conventions, need)
    else:
        from concordant.comparisons.weights import count_weighted  # rarely needed

        counted = count_weighted(*sides, conventions)
    if conventions.table_limit == TABLE_LIMIT:
        return counted
    from concordant.engines.tables.overlaps import with_limited_table  # rarely needed

    return replace(counted, counts=with_limited_table(counted.counts, conventions.table_limit))


def _are_plain(reference: Any, candidate: Any) -> bool:
    """Whether the core takes both arrays as they are; skipping all other checks speeds up small inputs."""
    if type(reference) is not np.ndarray or type(candidate) is not np.ndarray:
        return False
    same = reference.shape == candidate.shape and reference.ndim == 1
    return bool(same and reference.dtype == _INT64 == candidate.dtype)


def read_sides(kinds: Kinds, reference: Any, candidate: Any, conventions: Conventions) -> BothSides:
    """Both sides as two partitions or, if one of them is a cover, as two covers."""
    if "hierarchy" in kinds:
        raise HierarchyError(
            "this compares two partitions, and one side is a hierarchy; compare() computes every index "
            "at every cut, and h.cut(k=...) gives a partition"
        )
    if "soft" in kinds:
        raise SoftError(
            "one side is a Soft, which has weights and no labels; compare() takes it and computes soft "
            "indices, and soft.harden() turns the largest weights into labels"
        )
    if conventions is not USUAL and (conventions.where is not None or conventions.treats_labels):
        for side in (reference, candidate):
            if isinstance(side, Cover | SourcePartition | SegmentPartition):
                raise ParameterError(
                    "this needs labels in memory; filter dataframes, files, covers and segments before "
                    "you compare them",
                    given=({} if conventions.where is None else {"where": ...}) | conventions.noise_of_sides,
                )
    if "cover" in kinds:
        if conventions.noise is not None and kinds == ("cover", "cover"):
            raise ParameterError(
                "noise= is a label of a partition, and both sides are covers; leave out their noise clusters",
                given={"noise": conventions.noise},
            )
        own = Cover.of(reference, conventions, "the reference")
        return own, Cover.of(candidate, conventions, "the candidate")
    refuse_memberships(("the reference", reference), ("the candidate", candidate))
    reference = partition_of(reference, conventions, "the reference")
    candidate = partition_of(candidate, conventions, "the candidate")
    if conventions is USUAL:
        return reference, candidate
    refuse_unmatched(conventions.unmatched, reference, candidate)
    if not conventions.treats_labels:
        return reference, candidate
    if isinstance(reference, DevicePartition) or isinstance(candidate, DevicePartition):
        raise ParameterError(
            "reference_noise= and candidate_noise= need labels in memory; copy these from the GPU, or use "
            "noise="
        )
    return reference, candidate
