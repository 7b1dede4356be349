"""A reference and two candidates: counted in memory or by the engine of their sources, and their indices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import isfinite, nan
from typing import Any

from concordant import engines
from concordant.clusterings.alignment import refuse_unmatched
from concordant.clusterings.coerce import partition_of
from concordant.clusterings.labels import MemoryLabels, PartitionData
from concordant.clusterings.partition_data import SourcePartition
from concordant.comparisons import Comparison
from concordant.comparisons.partitions import PARTITIONS, compare_partitions
from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import Names, Records, ThreeNames
from concordant.counts.profile import Profile
from concordant.counts.three_way import ThreeWay, Units, check_three_way_limit
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.fixed_and_broken import Outcomes
from concordant.differences.verdicts import Thresholds
from concordant.errors import InputError, ParameterError, UndefinedError
from concordant.foundation.conventions import TABLE_LIMIT, Conventions, noise_of_all, report_unused_noise
from concordant.foundation.remedies import FOR_UNMATCHED
from concordant.indices.index import INDICES, Index
from concordant.indices.values import named_indices
from concordant.inference.difference import Difference, outcome_of
from concordant.inference.options import SampleOptions
from concordant.inference.paired import PairedCounts, column_of_units
from concordant.inference.paired_comparison import versus
from concordant.many.aligned_runs import (
    align_all,
    frames_of,
    in_memory_by_name,
    masked,
    note_frames,
    omitted_records,
    weights_in_sources,
    words_of,
)
from concordant.versions.diff_lists import DiffCells
from concordant.versions.index_changes import IndexChange, IndexChanges

ROLES = ("reference", "before", "after")  # what errors call the three


@dataclass(frozen=True, eq=False)
class ThreeSides:
    """The elements that a reference and two candidates have, counted, and how the candidates differ.

    The difference of each index is tested once, on first use.
    """

    three_way: ThreeWay
    names: Names
    to_reference: tuple[Comparison, Comparison]  # the reference against each candidate
    of_candidates: Comparison  # the first candidate against the second
    omitted: dict[str, int]  # elements of each side that not all three put in a cluster
    conventions: str
    in_memory: bool  # whether the labels are; otherwise the records stay in their sources
    thresholds: Thresholds
    sample: SampleOptions | None  # how the records were drawn, if they are a sample
    without_cluster: Mapping[str, int] = field(default_factory=dict)  # elements in no cluster of a side
    pieces: Units | None = None  # the sampling units, if sources have a column of them
    _tested: dict[Index, Difference] = field(default_factory=dict)

    @cached_property
    def cells(self) -> DiffCells:
        """The overlaps of all three, with the weights of both candidates."""
        runs = self.of_candidates._counts
        return DiffCells.of_three(self.three_way, runs if isinstance(runs, WeightedCounts) else None)

    @cached_property
    def outcomes(self) -> Outcomes:
        """The outcome of each cluster of the reference, such as fixed or broken."""
        before, after = (each._counts for each in self.to_reference)
        return Outcomes(self.three_way, (before, after), self.thresholds, self.names)

    def changes(self, indices: str | Sequence[str] | None, names: Sequence[str]) -> IndexChanges:
        """These indices, or the most common, before and after; ``names`` are those of both."""
        chosen = self._usual if indices is None else [INDICES[name] for name in named_indices(indices)]
        listed = [self._change(index, asked=indices is not None) for index in chosen]
        return IndexChanges(listed, names, self.sample)

    def _change(self, index: Index, *, asked: bool) -> IndexChange:
        before, after = (each._value(index) for each in self.to_reference)
        difference = after - before if isfinite(before) and isfinite(after) else nan
        values = index.name, before, after, difference
        if self.sample is None:
            return IndexChange(*values, None, None, outcome_of(index, difference, is_clear=True))
        found = self._test(index, asked=asked)
        if found is None:
            return IndexChange(*values, None, None, "", "no valid interval")
        low, high = (found.low, found.high) if found.has_interval else (None, None)
        return IndexChange(*values, low, high, found.outcome, found.note)

    def _test(self, index: Index, *, asked: bool) -> Difference | None:
        """The difference with its interval; None if undefined, or if it has none and is not ``asked`` for."""
        if self.sample is None or self.three_way.size < 2:
            return None
        if index not in self._tested:
            undefined = self.to_reference[1]._when_undefined
            with suppress(UndefinedError, *(() if asked else (ParameterError,))):
                self._tested[index] = versus(self._paired, index, self.sample, undefined)
        return self._tested.get(index)

    def difference(self, index: str, **options: Any) -> Difference:
        """The test of one index, with options of ``Comparison.versus``."""
        if self.sample is not None:
            options = {"unit": self.sample.unit, "confidence": self.sample.confidence, **options}
        if self.in_memory:
            before, after = self.to_reference
            return after.versus(before, index, **options)
        return versus(self._paired, INDICES[index], SampleOptions(**options))

    @cached_property
    def _paired(self) -> PairedCounts:
        """The second candidate and the first, and the units that were drawn."""
        if not self.in_memory:
            own = None if self.pieces is None else self.pieces.in_table(self.three_way.swap_order)
            return PairedCounts(self.three_way.swapped(), pieces=own)
        sample = self.sample or SampleOptions()
        before, after = self.to_reference
        paired = PairedCounts.of(after._counted, before._counted, sample.unit)
        if sample.is_by_record:
            return paired
        return PairedCounts(paired.cells, pieces=paired.pieces(sample.unit))

    @cached_property
    def _usual(self) -> list[Index]:
        """The most common indices that both comparisons have."""
        before = self.to_reference[0]
        shown = [index for index in INDICES.headline if index.is_shown_for(before._counts)]
        return before._available_of(shown)


def count_three_sides(
    given: Sequence[Any], conventions: Conventions, thresholds: Thresholds, sample: SampleOptions | None
) -> ThreeSides:
    """Count a reference and two candidates; the unit of a sample of sources is a column of the reference."""
    if conventions.unmatched not in ("error", "drop"):
        raise ParameterError(
            "three partitions are compared on the records that all have: use 'error' or 'drop'",
            given={"unmatched": conventions.unmatched},
        )
    frames = frames_of(given, are_weighted=conventions.weights is not None)
    sides: dict[str, PartitionData] = {
        role: partition_of(each, conventions, f"the labels of {role!r}")
        for role, each in zip(ROLES, given, strict=True)
    }
    if frames is not None:
        sides = dict(in_memory_by_name(sides, "compare", conventions))
    if conventions.where is not None:
        sides = masked(sides, conventions.where)
    read = list(sides.values())
    refuse_unmatched(conventions.unmatched, *read)
    if frames is None:
        if all(isinstance(partition, SourcePartition) for partition in read):
            if conventions.weights is not None:
                raise weights_in_sources()
            return _of_sources(read, conventions, thresholds, sample)
        raise InputError(
            "some of the three are dataframes or files and some are in memory; pass all by "
            "Partition.from_frame or Partition.scan, or all as labels"
        )
    labelled = {role: each.in_memory(f"{role!r}", "compare") for role, each in sides.items()}
    with noise_of_all() as noise:
        made = _of_memory(labelled, conventions, frames, thresholds, sample)
    report_unused_noise(noise)
    return made


def _of_sources(
    read: Sequence[PartitionData],
    conventions: Conventions,
    thresholds: Thresholds,
    sample: SampleOptions | None,
) -> ThreeSides:
    column = None if sample is None else column_of_units(sample.unit)
    counts = engines.count_three(read[0], read[1], read[2], conventions, column)
    cells, labels = counts.cells, counts.labels
    before, after, runs = (
        Comparison(
            Profile.of_table(
                Contingency(table.row, table.column, table.n, labels=(labels[row], labels[column]))
            ),
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
        thresholds=thresholds,
        sample=sample,
        pieces=counts.pieces,
    )


def _of_memory(
    sides: dict[str, MemoryLabels],
    conventions: Conventions,
    frames: Sequence[Any],
    thresholds: Thresholds,
    sample: SampleOptions | None,
) -> ThreeSides:
    aligned = align_all(sides, conventions.unmatched, FOR_UNMATCHED[:1])
    read, codes = aligned.in_common(conventions, "compare")
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
        thresholds=thresholds,
        sample=sample,
        without_cluster=aligned.without_cluster(ROLES),
    )


def _records(
    cells: ThreeWay, records: Records, overlaps: Sequence[tuple[int, ...]], each: int
) -> list[tuple[Any, ...]]:
    """Up to ``each`` records of each overlap of these clusters."""
    return [tuple(map(records.record, found)) for found in cells.elements(overlaps, each)]
