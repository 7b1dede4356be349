"""A labelled sample against a hierarchy: the result of estimate() for the whole population at each level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.comparisons.estimates import Estimates
from concordant.counts.arithmetic import Integers, size_counts
from concordant.counts.sampled import SampledCells
from concordant.counts.spelling import counted
from concordant.engines.trees import Leaves
from concordant.errors import HierarchyError, Remedy, TooLargeError, UndefinedError, UnmatchedError
from concordant.trust.design import Sampling, design
from concordant.trust.measures import measure
from concordant.trust.options import check_confidence

_MOST = 10_000  # levels; each needs its own estimate
POINTWISE = "intervals are pointwise: each holds for one level, not for the curve or its best level"


def sampled_columns(
    leaves: Leaves, index: str, levels: Integers, *, sampling: Sampling, confidence: float, **options: Any
) -> dict[str, NDArray[Any]]:
    """Value, standard error and interval at each of these levels, NaN where the estimate is undefined."""
    measure(index)  # refuses other indices
    check_confidence(confidence)
    hierarchy = leaves.sides[1]
    if leaves.sides[0] is not None or hierarchy is None:
        raise HierarchyError(
            "the reference must be the sample, a partition, and the candidate a hierarchy of all records"
        )
    if unknown := leaves.counted.audit.get("only_reference", 0):
        raise UnmatchedError(
            f"{counted(unknown, 'labelled record', 'are')} not in the hierarchy; an estimate needs a "
            "complete candidate"
        )
    if len(levels) > _MOST:
        raise TooLargeError(
            f"each level is estimated separately, and there are {len(levels):,} levels, more than {_MOST:,}",
            remedies=[Remedy("estimate 1,000 of them, evenly spaced", levels=1000)],
        )
    columns = {name: np.full(len(levels), np.nan) for name in ("value", "se", "low", "high")}
    drawn = None
    for i, cells in enumerate(_cells(leaves, levels)):
        if drawn is None:  # the same at every level
            drawn = design(cells, sampling=sampling, **options)
        try:
            found = Estimates(cells, drawn, confidence)[index]
        except UndefinedError:
            continue
        for name, column in columns.items():
            column[i] = getattr(found, name)
    return columns


def _cells(leaves: Leaves, levels: Integers) -> Iterator[SampledCells]:
    """The overlaps of the labelled clusters with the clusters of the whole hierarchy, level by level."""
    hierarchy = leaves.sides[1]
    assert hierarchy is not None
    row, count = leaves.labels(0)
    names = [leaves.names.cluster(0, i) for i in range(count)]
    place = leaves.names.positions(1)
    node = np.arange(leaves.size) if place is None else np.array(place, dtype=np.int64)
    # Records in no pair are clusters of their own, numbered after the nodes.
    alone = np.flatnonzero(node < 0)
    node[alone] = len(hierarchy.parent) + np.arange(len(alone))
    above = np.append(hierarchy.parent, np.full(len(alone), -1))
    sizes = np.append(hierarchy.sizes, np.ones(len(alone), dtype=np.int64))
    size = hierarchy.size + len(alone)
    made = np.concatenate([np.zeros(hierarchy.size, dtype=np.int64), hierarchy.level])
    for level in levels.tolist():
        up = above[node]
        while (climbs := (up >= 0) & (made[up] <= level)).any():
            node = np.where(climbs, up, node)
            up = above[node]
        end = int(np.searchsorted(made, level, side="right"))
        tops = hierarchy.sizes[:end][(hierarchy.parent[:end] < 0) | (hierarchy.parent[:end] >= end)]
        key, first = core.factorize(row * len(above) + node)
        n = np.bincount(key, minlength=len(first)).astype(np.int64)
        counts = size_counts(np.append(tops, np.ones(len(alone), dtype=np.int64)))
        yield SampledCells(names, row[first], n, sizes[node[first]], size, counts, node[first])
