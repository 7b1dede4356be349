"""A reference and two candidates, counted together: in memory, or by the engine of their sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from concordant import engines
from concordant.clusterings.alignment import refuse_unmatched
from concordant.clusterings.inputs import partition_of
from concordant.clusterings.partition_data import LabelPartition, SourcePartition
from concordant.comparisons import Comparison
from concordant.comparisons.partitions import PARTITIONS, compare_partitions
from concordant.counts.conventions import TABLE_LIMIT, Conventions, NoiseOfAll
from concordant.counts.counted import Names, Records, ThreeNames
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted
from concordant.counts.table import Cells
from concordant.counts.three_way import ThreeWay, Units, check_three_way_limit
from concordant.errors import InputError, ParameterError, WeightsError
from concordant.many.columns import (
    columns_of,
    frames_of,
    in_common,
    in_memory_by_name,
    in_one_order_of_names,
    masked,
    note_frames,
    words_of,
)
from concordant.trust.paired import column_of_units

Roles = tuple[str, str, str]  # what errors call the reference and the two candidates


@dataclass(frozen=True, slots=True)
class ThreeSides:
    """The elements that all three have, counted, and the three comparisons between the sides."""

    cells: ThreeWay
    names: Names
    to_reference: tuple[Comparison, Comparison]  # the reference against each candidate
    omitted: dict[str, int]  # elements of each side that not all three put in a cluster
    sizes: Sequence[int]  # elements of each side
    conventions: str
    pieces: Units | None  # the sampling units, if sources have a column of them
    _candidates: tuple[Any, Any]  # the partitions of both candidates, or the labels of their clusters
    _frames: Sequence[Any] = (None, None)  # the dataframes of both candidates, if they were in these

    @property
    def in_memory(self) -> bool:
        """Whether the labels are in memory; otherwise the records stay in their sources."""
        return isinstance(self._candidates[0], LabelPartition)

    def between(self, weights: Any = None) -> Comparison:
        """The first candidate compared with the second; ``weights`` are those of its records."""
        first, second = self._candidates
        if weights is not None and not self.in_memory:
            raise weights_in_sources()
        if self.in_memory:
            comparison = compare_partitions(PARTITIONS, first, second, Conventions(weights=weights))
            note_frames(comparison._counted, self._frames)
            return comparison
        table = self.cells.candidates_table
        return Comparison(Profile.of_table(Cells(table.row, table.column, table.n, labels=self._candidates)))


def count_three_sides(
    given: Sequence[Any], roles: Roles, verb: str, conventions: Conventions, unit: Any = None
) -> ThreeSides:
    """Count anything that ``compare`` takes; ``verb`` is what the caller does with the three.

    ``unit`` is what was drawn, if the records are a sample: in sources a column of the reference. Weights
    are for the comparisons with the reference.
    """
    if conventions.unmatched not in ("error", "drop"):
        raise ParameterError(
            "three partitions are compared on the records that all have: use 'error' or 'drop'",
            given={"unmatched": conventions.unmatched},
        )
    frames = frames_of(given)
    read = [
        partition_of(each, conventions, f"the labels of {role!r}")
        for role, each in zip(roles, given, strict=True)
    ]
    if frames is not None:
        read = list(in_memory_by_name(dict(zip(roles, read, strict=True)), verb, conventions).values())
    if conventions.where is not None:
        read = list(masked(dict(zip(roles, read, strict=True)), conventions.where).values())
    refuse_unmatched(conventions.unmatched, *read)
    if frames is None:
        if all(isinstance(partition, SourcePartition) for partition in read):
            if conventions.weights is not None:
                raise weights_in_sources()
            return _of_sources(read, roles, conventions, unit)
        raise InputError(
            "some of the three are dataframes or files and some are in memory; pass all by "
            "Partition.from_frame or Partition.scan, or all as labels"
        )
    labelled = [each.in_memory(f"{role!r}", verb) for role, each in zip(roles, read, strict=True)]
    with NoiseOfAll():
        return _of_memory(labelled, roles, verb, conventions, frames)


def weights_in_sources() -> WeightsError:
    """The error for weights of records that stay in their sources."""
    return WeightsError("read the files into memory, with Partition.read", given={"weights": ...})


def _of_sources(read: list[Any], roles: Roles, conventions: Conventions, unit: Any) -> ThreeSides:
    column = None if unit is None else column_of_units(unit)
    counts = engines.count_three(read[0], read[1], read[2], conventions, column)
    cells, labels = counts.cells, counts.labels
    tables = [
        Cells(table.row, table.column, table.n, labels=(labels[0], own))
        for table, own in ((cells.first_table, labels[1]), (cells.second_table, labels[2]))
    ]
    before, after = (Comparison(Profile.of_table(table), undefined=conventions.undefined) for table in tables)
    return ThreeSides(
        cells,
        ThreeNames(before._counted.names, after._counted.names, counts.records),
        (before, after),
        omitted_records(roles, counts.sizes, cells.size),
        counts.sizes,
        words_of(conventions, read),
        counts.pieces,
        (labels[1], labels[2]),
    )


def _of_memory(
    read: list[LabelPartition], roles: Roles, verb: str, conventions: Conventions, frames: Sequence[Any]
) -> ThreeSides:
    sizes = [len(each) for each in read]
    read, columns = in_common(dict(zip(roles, read, strict=True)), conventions, verb)
    if (ordered := in_one_order_of_names(read)) != read:
        read, columns = ordered, columns_of(dict(zip(roles, ordered, strict=True)), "error")
    cells = ThreeWay.of_labels(*(np.asarray(column.codes) for column in columns))
    if conventions.table_limit != TABLE_LIMIT:  # in memory the default does not limit
        check_three_way_limit(len(cells.n), conventions.table_limit)
    usual = Conventions(
        undefined=conventions.undefined, threads=conventions.threads, weights=conventions.weights
    )
    before, after = (compare_partitions(PARTITIONS, read[0], each, usual) for each in read[1:])
    for each, frame in zip((before, after), frames[1:], strict=True):
        note_frames(each._counted, (frames[0], frame))
    names, others = before._counted.names, after._counted.names
    return ThreeSides(
        cells,
        ThreeNames(names, others, partial(_records, cells, names.records)),
        (before, after),
        omitted_records(roles, sizes, cells.size),
        sizes,
        words_of(conventions, read),
        None,
        (read[1], read[2]),
        frames[1:],
    )


def _records(
    cells: ThreeWay, records: Records, overlaps: Sequence[tuple[int, ...]], each: int
) -> list[tuple[Any, ...]]:
    """Up to ``each`` records of each overlap of these clusters."""
    return [tuple(map(records.record, found)) for found in cells.elements(overlaps, each)]


def omitted_records(sides: Sequence[str], sizes: Sequence[int], common: int) -> dict[str, int]:
    """The number of records of each side that not all have in a cluster, by side."""
    return {role: size - common for role, size in zip(sides, sizes, strict=True) if size > common}


def omission_words(omitted: Iterable[tuple[str, int]], every: str = "all three") -> str:
    """The number of records of each side that were not compared.

    >>> omission_words([("reference", 1), ("after", 2)])
    'Left out, as not all three put them in a cluster: 1 record of the reference, 2 of after'
    """
    named = [("the reference" if role == "reference" else role, number) for role, number in omitted]
    (role, number), *rest = named
    parts = [f"{counted(number, 'record')} of {role}", *(f"{n:,} of {other}" for other, n in rest)]
    return f"Left out, as not {every} put them in a cluster: {', '.join(parts)}"
