"""Counts partitions in sources where they are stored.

Two columns of one source are counted row by row. Two sources are joined by record, and an audit in the same
pass finds missing and repeated records, and records without a label.
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from concordant.clusterings.alignment import none_unmatched
from concordant.clusterings.encoding import MANY, are_nearly_all, continuous
from concordant.clusterings.labels import PartitionData
from concordant.clusterings.missing import ABSENT, LABELLED, NOISE, NULL, Policy, kinds_with
from concordant.clusterings.partition_data import SourcePartition
from concordant.counts.base import Counts, Detail
from concordant.counts.counted_sides import CountedSides, TableLabels
from concordant.engines.tables import in_memory, queries
from concordant.engines.tables.audit import audit, queried_witnesses
from concordant.engines.tables.core_join import CoreJoin, few_within
from concordant.engines.tables.opening import (
    ROLES,
    Opened,
    SourcePair,
    conventions_of,
    is_eager,
    is_of_spark,
    opened_sides,
    own_columns,
    refuse_threads,
)
from concordant.engines.tables.overlaps import FEW_CELLS, engine_table
from concordant.engines.tables.results import QueryResult
from concordant.errors import InputError, ParameterError, Remedy, warn
from concordant.foundation.conventions import Conventions, Unmatched, report_unused_noise
from concordant.foundation.spelling import counted
from concordant.sources import files, relations
from concordant.sources.descriptions import Files, Frame
from concordant.sources.machine import refuse_beyond_limit
from concordant.sources.writing import scratch_folder

_BYTES_OF_A_CLUSTER = 400  # in a list: two labels and a number
_WHY_NO_RECORDS = (
    "the records stay in their source, and only counts were fetched; the list of changes names a few "
    "records of each overlap, and to score them all, read both columns of labels into memory and compare "
    "these"
)
_WHY_NO_NAMES = (
    "the records stay in their source, whose rows do not name them; read both columns of labels into memory "
    "and compare these, or, for a list of changed records, pass the column of their names (record=)"
)


def count(
    reference: PartitionData,
    candidate: PartitionData,
    conventions: Conventions,
    need: Detail = Detail.SIZES,
) -> CountedSides:
    """Count two sources."""
    if not (isinstance(reference, SourcePartition) and isinstance(candidate, SourcePartition)):
        here, there = ROLES[:: 1 if isinstance(reference, SourcePartition) else -1]
        raise InputError(
            f"the {here} is a dataframe or file and the {there} is not; pass both by "
            "Partition.from_frame or Partition.scan, or pick the columns and pass both as labels"
        )
    if conventions.nulls is not None:
        reference, candidate = (replace(each, nulls=conventions.nulls) for each in (reference, candidate))
    sides = reference, candidate
    is_one_source = reference.source.is_same(candidate.source) and reference.record == candidate.record
    for role, side, other in zip(ROLES, sides, sides[::-1], strict=True):
        if side.record is None and not is_one_source:
            raise ParameterError(
                f"the {role} is {side.source} without a record, but the other side is {other.source}: two "
                "columns of one source need none, but two sources are joined by their records",
                remedies=[Remedy("name the column of the record, on both sides", record=...)],
            )
    if is_one_source and conventions.unmatched != "error":
        raise none_unmatched(conventions.unmatched)
    refuse_threads(sides, conventions.threads)
    if is_eager(*sides):
        if is_one_source:
            return in_memory.count_columns(sides, conventions)
        return in_memory.count_joined(sides, conventions, need)
    # Engines recognise a missing record by its being a singleton, so there may be no other singletons.
    for side in sides if conventions.unmatched == "keep" and not is_one_source else ():
        given = {"nulls": side.nulls, "noise_as": side.noise_as}
        alone = {name: value for name, value in given.items() if value == "singletons"}
        if alone:
            raise ParameterError(
                "an engine cannot keep the records of each side and also make others singletons; drop "
                "these, or read both sources into dataframes in memory",
                given=alone,
            )
    job = _Job(_present_state(sides), conventions.unmatched, is_one_source, conventions.threads)
    return job.count(conventions.table_limit)


def _job_again(known: CountedSides) -> _Job:
    """The job that counted these sources, for one more pass over them."""
    assert known.sources is not None  # checked by the caller
    u, v = known.sources
    unmatched: Any = known.conventions["unmatched"]
    return _Job(known.sources, unmatched, u.source.is_same(v.source) and u.record == v.record, 0)


def renamed_clusters(
    known: CountedSides, limit: int | None
) -> tuple[list[tuple[Any, Any, int]], int, int, int]:
    """The clusters that both sides have under another label; see `queries.renamed_clusters`."""
    job = _job_again(known)
    with ExitStack() as stack:
        pairs = job._pairs(opened_sides(job.sources, stack, job.threads))
        cells = queries.in_memory_if_few(stack.enter_context(queries.counted(pairs)))
        return queries.renamed_clusters(cells, job.policy, job.noise, limit, partial(_check_list, job))


def _check_list(job: _Job, clusters: int) -> None:
    what = f"listing {counted(clusters, 'cluster')}"
    refuse_beyond_limit(job.sources[0].source, clusters * _BYTES_OF_A_CLUSTER, what)


def _present_state(sides: SourcePair) -> SourcePair:
    """Files with their present state, and copies of dataframes in memory, for answers on request later."""
    columns = [{side.record, side.cluster} for side in sides]
    is_same = sides[0].source.is_same(sides[1].source)
    if is_same:
        columns = [columns[0] | columns[1]] * 2
    kept: list[Frame | Files] = [
        files.first_seen(side.source) if isinstance(side.source, Files) else Frame(own_columns(side, wanted))
        for side, wanted in zip(sides[:1] if is_same else sides, columns, strict=False)
    ]
    return replace(sides[0], source=kept[0]), replace(sides[1], source=kept[-1])


@dataclass(frozen=True, slots=True)
class _Job:
    """Two sources and their conventions; the sources are opened for each question."""

    sources: SourcePair
    unmatched: Unmatched
    is_one_source: bool
    threads: int

    @property
    def policy(self) -> Policy:
        absent = "singletons" if self.unmatched == "keep" else self.unmatched
        sides: list[dict[int, Any]] = [{NULL: source.nulls, ABSENT: absent} for source in self.sources]
        for treatments, source in zip(sides, self.sources, strict=True):
            if source.noise_as not in (None, "cluster"):
                treatments[NOISE] = source.noise_as
        return sides[0], sides[1]

    @property
    def noise(self) -> list[Any]:
        return [None if source.noise_as == "cluster" else source.noise for source in self.sources]

    def count(self, table_limit: int) -> CountedSides:
        with ExitStack() as stack:
            opened = opened_sides(self.sources, stack, self.threads)
            if self.is_of_spark:
                answer, engine = self._answer_of_spark(opened, stack, min(FEW_CELLS, table_limit)), "spark"
            else:
                keeps = self.unmatched == "keep"
                join = self._core_join(opened, stack)
                answer, engine = join.answer(few_within(table_limit, FEW_CELLS), keeps=keeps), "core"
            table = engine_table(answer, table_limit, self.differing_cells, self._memory)
            profile = answer.profile(table=table)
            for side, clusters in zip(opened, (profile.rows, profile.columns), strict=True):
                _warn_if_continuous(side, clusters, profile.size)
        self._warn_of_transfer(answer)
        report_unused_noise(
            (source.noise, answer.having(number, NOISE) > 0)
            for number, source in enumerate(self.sources)
            if source.noise_as not in (None, "cluster")
        )
        counts: Counts = profile
        if self.unmatched == "keep" and any(answer.having(number, ABSENT) for number in (0, 1)):
            table = engine_table(answer, table_limit, self.differing_cells, self._memory, keeps=True)
            counts = answer.partial_overlap(table, profile)
        unclustered = _unclustered(answer, self.policy)
        if self.sources[0].record is None:
            names = TableLabels(profile, None, _WHY_NO_NAMES, unclustered_counts=unclustered)
        else:
            names = TableLabels(profile, self.examples, _WHY_NO_RECORDS, unclustered_counts=unclustered)
        noise = (self.sources[0].noise, self.sources[1].noise)
        agreed = conventions_of(self.sources, self.unmatched, engine)
        return CountedSides(
            counts, names, agreed, _audit_counts(answer, profile.size), noise=noise, sources=self.sources
        )

    @property
    def is_of_spark(self) -> bool:
        """Whether Spark counts; otherwise the compiled core does."""
        return is_of_spark(self.sources[0])

    @property
    def _memory(self) -> int | None:
        limits = [each.source.memory_bytes for each in self.sources if isinstance(each.source, Files)]
        return next((limit for limit in limits if limit is not None), None)

    def _answer_of_spark(self, opened: tuple[Opened, Opened], stack: ExitStack, few: int) -> QueryResult:
        cells = queries.in_memory_if_few(stack.enter_context(queries.counted(self._pairs(opened))))
        keeps = self.unmatched == "keep"
        answer = queries.answered(cells, self.policy, self.noise, self._asked(opened), few, keeps=keeps)
        audit(answer, opened, self.policy, queried_witnesses(opened, cells))
        return answer

    def _core_join(self, opened: tuple[Opened, Opened], stack: ExitStack) -> CoreJoin:
        folder = stack.enter_context(scratch_folder())
        return CoreJoin(opened, self.is_one_source, self.policy, self.threads, folder)

    def _warn_of_transfer(self, answer: QueryResult) -> None:
        """Warn about columns that were fetched from another machine."""
        places = [relations.place_of(source.source) for source in self.sources]
        rows = [answer.rows.get(number, answer.rows.get(0, (answer.elements, 0)))[0] for number in (0, 1)]
        if self.is_one_source:
            places, rows = places[:1], rows[:1]
        fetched = [
            f"{counted(number, 'row')} from {place}"
            for place, number in zip(places, rows, strict=True)
            if place is not None
        ]
        if fetched:
            warn(
                f"two columns of {' and '.join(fetched)} were fetched and counted on this machine; Spark "
                "alone counts where the data is"
            )

    def differing_cells(self) -> Any:
        """The cells that are not a whole cluster of both sides."""
        with ExitStack() as stack:
            opened = opened_sides(self.sources, stack, self.threads)
            if not self.is_of_spark:
                join = self._core_join(opened, stack)
                return join.answer(lambda _: sys.maxsize, keeps=False).differing_cells
            counted = stack.enter_context(queries.counted(self._pairs(opened)))
            return queries.differing_cells(queries.in_memory_if_few(counted), self.policy, self.noise)

    def examples(self, cells: list[tuple[Any, Any]], each: int) -> list[tuple[Any, ...]]:
        """A few records of each cell, given by its labels."""
        with ExitStack() as stack:
            u, v = opened_sides(self.sources, stack, self.threads)
            assert u.record is not None
            if any(None in cell for cell in cells):  # records in no cluster of a side
                records = queries.with_singletons(self._pairs((u, v)), self.policy, self.noise)
                named = queries.few_records(records, cells, each)
                return [tuple(named[cell]) for cell in cells]
            records = (
                u.named_rows().select(u.record.alias("r"), u.label.alias("u"), v.label.alias("v"))
                if self.is_one_source
                else queries.with_records(u.rows(), v.rows())
            )
            named = queries.few_records(records, cells, each)
        return [tuple(named[cell]) for cell in cells]

    def _pairs(self, opened: tuple[Opened, Opened]) -> queries.Lazy:
        u, v = opened
        if self.is_one_source:
            return queries.side_by_side(u.named_rows(), u.label, v.label, u.record)
        return queries.joined(u.rows(), v.rows())

    def _asked(self, opened: tuple[Opened, Opened]) -> list[queries.Lazy]:
        """Facts about the sources for the audit: the number of rows, and whether records repeat."""
        if not self.is_one_source:
            return [
                queries.rows_of(side.frame, side.record, number)
                for number, side in enumerate(opened)
                if side.record is not None
            ]
        frame, record = opened[0].frame, opened[0].record
        if record is None:
            return []
        return [queries.rows_of(frame, record, 0), queries.repeated(frame, record)]


def _warn_if_continuous(side: Opened, clusters: int, size: int) -> None:
    """Warn about floats that are nearly all distinct, unless the first of them are whole numbers."""
    if not are_nearly_all(clusters, size) or not side.frame.collect_schema()[side.source.cluster].is_float():
        return
    some = queries.fetched([side.frame.select(side.label.alias("label")).head(MANY)])
    if not all(label is None or float(label).is_integer() for (label,) in some):
        warn(continuous(f"the labels {side.source.cluster!r} of the {side.role}", clusters, size))


def _unclustered(answer: QueryResult, policy: Policy) -> tuple[int, int, int]:
    """The elements that are singletons because they are in no cluster: of each side, and of both."""
    single = [kinds_with(policy, number, "singletons") for number in (0, 1)]
    kept = Counter[tuple[bool, bool]]()
    for (u, v), count in answer.states.items():
        if u in (LABELLED, *single[0]) and v in (LABELLED, *single[1]):
            kept[u != LABELLED, v != LABELLED] += count
    both = kept[True, True]
    return kept[True, False] + both, kept[False, True] + both, both


def _audit_counts(answer: QueryResult, kept: int) -> dict[str, int]:
    """The numbers of elements with special treatment, as the signature reports them."""
    found = {
        f"{what}_{role}": answer.having(number, state)
        for state, what in ((NULL, "null"), (NOISE, "noise"))
        for number, role in enumerate(ROLES)
    }
    missing = {"only_reference": answer.having(1, ABSENT), "only_candidate": answer.having(0, ABSENT)}
    nameless = {
        f"null_records_{ROLES[number]}": rows - named for number, (rows, named) in answer.rows.items()
    }
    left_out = {"not_compared": answer.elements - kept}
    return {key: value for key, value in (missing | found | nameless | left_out).items() if value}
