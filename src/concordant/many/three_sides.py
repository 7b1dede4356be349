"""A reference and two candidates, counted together: in memory, or by the engine of their sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from concordant import engines
from concordant.clusterings.alignment import refuse_unmatched
from concordant.clusterings.inputs import partition_of
from concordant.clusterings.partition_data import LabelPartition, PartitionData, SourcePartition
from concordant.comparisons import Comparison
from concordant.comparisons.partitions import PARTITIONS, compare_partitions
from concordant.counts.conventions import TABLE_LIMIT, Conventions, noise_of_all
from concordant.counts.counted import Names, Records, ThreeNames
from concordant.counts.profile import Profile
from concordant.counts.remedies import FOR_UNMATCHED
from concordant.counts.spelling import counted
from concordant.counts.table import Cells
from concordant.counts.three_way import ThreeWay, Units, check_three_way_limit
from concordant.errors import InputError, ParameterError, WeightsError
from concordant.many.columns import (
    align_all,
    frames_of,
    in_memory_by_name,
    masked,
    note_frames,
    words_of,
)
from concordant.trust.paired import column_of_units

ROLES = ("reference", "before", "after")  # what errors call the three


@dataclass(frozen=True, slots=True)
class ThreeSides:
    """The elements that all three have, counted, and the three comparisons between the sides."""

    cells: ThreeWay
    names: Names
    to_reference: tuple[Comparison, Comparison]  # the reference against each candidate
    of_candidates: Comparison  # the first candidate against the second
    omitted: dict[str, int]  # elements of each side that not all three put in a cluster
    conventions: str
    in_memory: bool  # whether the labels are; otherwise the records stay in their sources
    pieces: Units | None = None  # the sampling units, if sources have a column of them


def count_three_sides(
    given: Sequence[Any], verb: str, conventions: Conventions, unit: Any = None
) -> ThreeSides:
    """Count a reference and two candidates; ``verb`` is what the caller does with the three.

    ``unit`` is what was drawn, if the records are a sample: in sources a column of the reference.
    """
    if conventions.unmatched not in ("error", "drop"):
        raise ParameterError(
            "three partitions are compared on the records that all have: use 'error' or 'drop'",
            given={"unmatched": conventions.unmatched},
        )
    frames = frames_of(given)
    sides: dict[str, PartitionData] = {
        role: partition_of(each, conventions, f"the labels of {role!r}")
        for role, each in zip(ROLES, given, strict=True)
    }
    if frames is not None:
        sides = dict(in_memory_by_name(sides, verb, conventions))
    if conventions.where is not None:
        sides = masked(sides, conventions.where)
    read = list(sides.values())
    refuse_unmatched(conventions.unmatched, *read)
    if frames is None:
        if all(isinstance(partition, SourcePartition) for partition in read):
            if conventions.weights is not None:
                raise weights_in_sources()
            return _of_sources(read, conventions, unit)
        raise InputError(
            "some of the three are dataframes or files and some are in memory; pass all by "
            "Partition.from_frame or Partition.scan, or all as labels"
        )
    labelled = {role: each.in_memory(f"{role!r}", verb) for role, each in sides.items()}
    with noise_of_all():
        return _of_memory(labelled, verb, conventions, frames)


def weights_in_sources() -> WeightsError:
    """The error for weights of records that stay in their sources."""
    return WeightsError("read the files into memory, with Partition.read", given={"weights": ...})


def _of_sources(read: Sequence[PartitionData], conventions: Conventions, unit: Any) -> ThreeSides:
    column = None if unit is None else column_of_units(unit)
    counts = engines.count_three(read[0], read[1], read[2], conventions, column)
    cells, labels = counts.cells, counts.labels
    before, after, runs = (
        Comparison(
            Profile.of_table(Cells(table.row, table.column, table.n, labels=(labels[row], labels[column]))),
            undefined=conventions.undefined,
        )
        for table, row, column in (
            (cells.first_table, 0, 1),
            (cells.second_table, 0, 2),
            (cells.candidates_table, 1, 2),
        )
    )
    return ThreeSides(
        cells,
        ThreeNames(before._counted.names, after._counted.names, counts.records),
        (before, after),
        runs,
        omitted_records(ROLES, counts.sizes, cells.size),
        words_of(conventions, read),
        in_memory=False,
        pieces=counts.pieces,
    )


def _of_memory(
    sides: dict[str, LabelPartition], verb: str, conventions: Conventions, frames: Sequence[Any]
) -> ThreeSides:
    read, codes = align_all(sides, conventions.unmatched, FOR_UNMATCHED[:1]).in_common(conventions, verb)
    cells = ThreeWay.of_labels(*codes)
    if conventions.table_limit != TABLE_LIMIT:  # in memory the default does not limit
        check_three_way_limit(len(cells.n), conventions.table_limit)
    usual = Conventions(
        undefined=conventions.undefined, threads=conventions.threads, weights=conventions.weights
    )
    compared = []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        compared.append(compare_partitions(PARTITIONS, read[one], read[other], usual))
        note_frames(compared[-1]._counted, (frames[one], frames[other]))
    before, after, runs = compared
    names, others = before._counted.names, after._counted.names
    return ThreeSides(
        cells,
        ThreeNames(names, others, partial(_records, cells, names.records)),
        (before, after),
        runs,
        omitted_records(ROLES, list(map(len, sides.values())), cells.size),
        words_of(conventions, read),
        in_memory=True,
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
