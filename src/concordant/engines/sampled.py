"""Labelled clusters met with a complete candidate: only labelled records and their clusters are looked at.

A candidate in memory is looked up by name, or by position where its records have none. One that lies in a
source is asked for the clusters of these records, and for the sizes of all clusters, by its own engine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import as_integers
from concordant.counts.sampled import Places, SampledCells
from concordant.counts.spelling import counted
from concordant.errors import InputError, NothingLeftError, OverlapError
from concordant.partitions.labels import identify, labels_at
from concordant.partitions.mismatch import lacks_records
from concordant.partitions.partition import LabelPartition
from concordant.partitions.record_names import plain


def takes(sample: Any, candidate: Any) -> bool:
    """Whether the labels of both are in memory."""
    return isinstance(sample, LabelPartition) and isinstance(candidate, LabelPartition)


def count_sample(sample: LabelPartition, candidate: LabelPartition) -> SampledCells:
    """The overlaps of labelled clusters with the clusters of a candidate, both in memory."""
    return sampled_cells(sample, partial(places_in_memory, candidate))


def sampled_cells(sample: LabelPartition, places: Callable[[list[Any]], Places]) -> SampledCells:
    """The overlaps of labelled clusters; ``places`` finds labelled records in the candidate."""
    if sample.elements is None:
        raise InputError(
            "the sample does not name its records; hand over a mapping from record to cluster, or "
            "Partition.from_frame(...) with record= and cluster="
        )
    keep = np.ones(len(sample), dtype=bool) if sample.dropped is None else ~sample.dropped
    place = np.flatnonzero(keep)
    names = [plain(sample.elements[position]) for position in place.tolist()]
    if not names:
        raise NothingLeftError("the sample holds no labelled record")
    row, first = core.factorize(np.ascontiguousarray(np.asarray(sample.codes)[keep]))
    _refuse_repetition(names)
    column, b, size, columns = places(names)
    key, where = core.factorize(row * (int(column.max()) + 1) + column)
    return SampledCells(
        [plain(label) for label in labels_at(sample.originals, place[first])],
        row[where],
        np.bincount(key, minlength=len(where)).astype(np.int64),
        as_integers(b[where], size),
        size,
        columns,
    )


def _refuse_repetition(names: list[Any]) -> None:
    which, first = core.factorize(np.ascontiguousarray(identify(names)[0]))
    if len(first) < len(which):
        again = int(np.flatnonzero(first[which] != np.arange(len(which)))[0])
        raise OverlapError(
            f"the sample holds the record {names[again]!r} twice; a record lies in one cluster. A cluster "
            "that was drawn more than once is listed once: times= says how often"
        )


def places_in_memory(candidate: LabelPartition, names: list[Any]) -> Places:
    """The clusters of these records in the candidate."""
    position = _positions(names, candidate)
    if (unknown := np.flatnonzero(position < 0)).size:
        raise lacks_records([names[i] for i in unknown.tolist()], f"has {counted(len(candidate), 'record')}")
    dropped = candidate.dropped
    if dropped is not None and (lost := np.flatnonzero(dropped[position])).size:
        raise lacks_records([names[i] for i in lost.tolist()], "leaves out noise and null labels")
    codes = core.factorize(np.ascontiguousarray(candidate.codes))[0]
    sizes = np.bincount(codes if dropped is None else codes[~dropped])
    column = codes[position]
    return Places(column, sizes[column], int(sizes.sum()), int(np.count_nonzero(sizes)))


def _positions(names: list[Any], candidate: LabelPartition) -> NDArray[np.int64]:
    """Where each record stands in the candidate, -1 where it does not."""
    size = len(candidate)
    if candidate.elements is None:
        return np.array([name if type(name) is int and 0 <= name < size else -1 for name in names])
    everybody = [*candidate.elements, *names]
    which, first = core.factorize(np.ascontiguousarray(identify(everybody)[0]))
    again = np.flatnonzero(first[which[:size]] != np.arange(size))
    if len(again):
        raise OverlapError(f"the candidate holds the record {plain(everybody[int(again[0])])!r} twice")
    found = first[which[size:]]
    return np.where(found < size, found, -1)
