"""Records of several sources, such as databases that are linked: pairs between sources and within each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from concordant.counts.contingency import label_places
from concordant.counts.counted_sides import CountedSides
from concordant.counts.pairs import BetweenCounts
from concordant.differences.lazy_list import LazyList, check_limit, field_names, largest_by_label
from concordant.errors import CoverError, LabelError, ParameterError, Remedy, TableNeededError
from concordant.foundation.conventions import SIDES, SideName, check_choice
from concordant.foundation.spelling import counted
from concordant.inference.slice_cells import SliceCells, slice_cells


@dataclass(frozen=True, slots=True)
class WithinSource:
    """A cluster with at least two records of one source.

    Attributes
    ----------
    cluster : label
        The cluster.
    source : object
        The source that has most of its records. A tuple if several columns define sources.
    overlap : int
        Number of records of this source in the cluster.
    size : int
        Number of records of the cluster.
    n_pairs : int
        Number of pairs of records of one source, over all sources.
    """

    cluster: Any
    source: Any
    overlap: int
    size: int
    n_pairs: int


def pairs_between(known: CountedSides, between: Any) -> CountedSides:
    """The same clusters, of which only pairs of records of different sources count."""
    pieces = _pieces(known, between)
    within = pieces.pairs("both", pieces.slice, len(pieces.labels))
    counts = BetweenCounts(known.counts, pieces, [int(each.sum()) for each in within])
    return replace(
        known, counts=counts, conventions={**known.conventions, "between": ",".join(pieces.columns)}
    )


def _pieces(known: CountedSides, between: Any) -> SliceCells:
    try:
        pieces = slice_cells(known, between, option="between", noun="source")
    except (CoverError, TableNeededError) as error:
        raise ParameterError(
            "sources need one label for each record, which covers and arrays in chunks do not have",
            given={"between": ...},
        ) from error
    if missing := [number for number, label in enumerate(pieces.labels) if None in label]:
        raise LabelError(
            f"{counted(int(pieces.sizes[missing].sum()), 'record')} without a source; give each one a source",
            given={"between": between if isinstance(between, str) else ...},
        )
    return pieces


def clusters_within_sources(
    known: CountedSides, side: SideName, between: Any, limit: int | None
) -> LazyList[WithinSource]:
    """The clusters of a side with two records of one source."""
    check_choice("side", side, SIDES)
    counts, number = known.counts, SIDES.index(side)
    if isinstance(counts, BetweenCounts):
        known = replace(known, counts=counts.everything)
    if between is not None:
        pieces = _pieces(known, between)
    elif isinstance(counts, BetweenCounts):
        pieces = counts.pieces
    else:
        words = "the sources of the records are not known"
        raise ParameterError(words, remedies=[Remedy("name them", between=...)])
    table = pieces.table
    cluster_of_cell = (table.row, table.column)[number]
    keys = cluster_of_cell[pieces.cell] * len(pieces.labels) + pieces.slice
    found, which = np.unique(keys, return_inverse=True)
    records = np.bincount(which.reshape(-1), weights=pieces.records).astype(np.int64)
    cluster, source = np.divmod(found, len(pieces.labels))
    clusters = int(cluster.max(initial=-1)) + 1
    size = np.bincount(cluster, weights=records, minlength=clusters).astype(np.int64)
    pairs = np.zeros(clusters, dtype=np.int64)
    np.add.at(pairs, cluster, records * (records - 1) // 2)
    largest = np.zeros(clusters, dtype=np.int64)  # the place of the source with most records
    by_label = label_places(np.arange(len(pieces.labels)), pieces.labels.__getitem__)
    for_most = np.lexsort((-by_label[source], records))
    largest[cluster[for_most]] = for_most
    chosen = np.flatnonzero(pairs)

    def label(place: int) -> Any:
        return known.names.cluster(number, place) if table.labels is None else table.labels[number][place]

    first = largest_by_label(pairs[chosen], check_limit(limit), lambda place: label(int(chosen[place])))

    def row(place: int) -> WithinSource:
        most = int(largest[place])
        values = pieces.labels[int(source[most])]
        return WithinSource(
            label(place),
            values[0] if len(values) == 1 else values,
            int(records[most]),
            int(size[place]),
            int(pairs[place]),
        )

    title = f"{counted(len(chosen), f'{side} cluster')} with two records of one source"
    return LazyList(chosen[first], row, columns=field_names(WithinSource), total=len(chosen), title=title)
