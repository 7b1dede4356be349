"""Partitions that lie in sources, counted where they lie: what is asked, and what is refused.

One source with two columns of labels is counted row by row. Two sources are joined by record, and one
audit in the same pass says which records are missing, repeated or without a label.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from concordant.counts.availability import Need
from concordant.counts.base import Counts
from concordant.counts.conventions import Conventions, Nulls, Unmatched
from concordant.counts.counted import Counted, TableNames
from concordant.engines.tables import files, queries
from concordant.engines.tables.answer import Answer
from concordant.engines.tables.audit import QueriedWitnesses, audit
from concordant.engines.tables.columns import counted_in_memory
from concordant.engines.tables.file_join import FileJoin, few_within
from concordant.engines.tables.join import counted_by_record
from concordant.engines.tables.key_table import KeyTable
from concordant.engines.tables.opening import (
    ROLES,
    Opened,
    are_eager,
    conventions_of,
    is_eager,
    opened_sides,
    own_columns,
)
from concordant.engines.tables.overlaps import FEW_CELLS, EngineTable, LooseEngineTable
from concordant.errors import InputError, ParameterError, Remedy
from concordant.partitions.missing import ABSENT, NOISE, NULL, Policy
from concordant.partitions.partition import Partition, SourcePartition
from concordant.partitions.sources import Files, Frame

_WHY_NO_RECORDS = (
    "the records stay in their source, and only counts were brought out of it; c.changes() names a few "
    "records of each overlap, and to score them all, read both columns of labels into memory and compare "
    "these"
)


SourcePair = tuple[SourcePartition, SourcePartition]


def count(
    reference: Partition,
    candidate: Partition,
    conventions: Conventions,
    need: Need = Need.SIZES,  # noqa: ARG001  (sizes and best partners take one pass)
    *,
    in_memory: bool = True,
) -> Counted:
    """Count two sources. With ``in_memory``, dataframes in memory are counted by the compiled core."""
    sides = _both_in_sources(reference, candidate, conventions.nulls)
    together = _in_one_source(sides)
    if together and in_memory and is_eager(sides[0]):
        return counted_in_memory(sides, conventions)
    if in_memory and not together and are_eager(sides):
        return counted_by_record(sides, conventions)
    if conventions.unmatched == "keep" and not together:
        _refuse_singletons(sides)
    job = _Job(_as_they_are_now(sides), conventions.unmatched, together, conventions.threads)
    return job.counted(conventions.table_limit)


def _refuse_singletons(sides: SourcePair) -> None:
    """Engines tell a record that is lacking from one that stands alone by that there are no others."""
    for side in sides:
        given = {"nulls": side.nulls, "noise_as": side.noise_as}
        alone = {name: value for name, value in given.items() if value == "singletons"}
        if alone:
            raise ParameterError(
                "an engine cannot keep the records of each side and also let others stand alone; drop these, "
                "or read both sources into dataframes in memory",
                given=alone,
            )


def _both_in_sources(reference: Partition, candidate: Partition, nulls: Nulls | None) -> SourcePair:
    if not (isinstance(reference, SourcePartition) and isinstance(candidate, SourcePartition)):
        role, other = ("reference", "candidate")[:: 1 if isinstance(reference, SourcePartition) else -1]
        raise InputError(
            f"the {role} lies in a dataframe or in files and the {other} does not; hand over both by "
            "Partition.from_frame or Partition.scan, or pick the columns and hand over both as labels"
        )
    if nulls is None:
        return reference, candidate
    return replace(reference, nulls=nulls), replace(candidate, nulls=nulls)


def _as_they_are_now(sides: SourcePair) -> SourcePair:
    """The sources as they are when they are compared: nothing later is answered from another state."""
    u, v = sides
    columns = [{side.record, side.cluster} for side in sides]
    if u.source.is_same(v.source):
        source = _kept_source(u, columns[0] | columns[1])
        return replace(u, source=source), replace(v, source=source)
    return replace(u, source=_kept_source(u, columns[0])), replace(v, source=_kept_source(v, columns[1]))


def _kept_source(side: SourcePartition, columns: set[str | None]) -> Frame | Files:
    """Files with what they are like; a dataframe in memory as a copy, of the columns that are compared."""
    if isinstance(side.source, Files):
        return files.first_seen(side.source)
    return Frame(own_columns(side, columns))


def _in_one_source(sides: SourcePair) -> bool:
    """Whether both labels stand in one row, so that nothing has to be joined."""
    u, v = sides
    if u.source.is_same(v.source) and u.record == v.record:
        return True
    for role, side, other in zip(ROLES, sides, (v, u), strict=True):
        if side.record is None:
            raise ParameterError(
                f"the {role} is {side.source} without a record, but the other side is {other.source}: two "
                "columns of one source need none, but two sources are joined by their records",
                remedies=[Remedy("name the column of the record, on both sides", record=...)],
            )
    return False


@dataclass(frozen=True, slots=True)
class _Job:
    """Two sources, and what was agreed on; the sources are opened whenever they are asked."""

    sources: SourcePair
    unmatched: Unmatched
    together: bool
    threads: int

    @property
    def policy(self) -> Policy:
        return Policy(*(_treatments(source, self.unmatched) for source in self.sources))

    @property
    def noise(self) -> list[Any]:
        return [None if source.noise_as == "cluster" else source.noise for source in self.sources]

    def counted(self, table_limit: int) -> Counted:
        with ExitStack() as stack:
            opened = opened_sides(self.sources, stack, self.threads)
            join = self._file_join(opened)
            if join is not None:
                keeps = self.unmatched == "keep"
                answer, engine = join.answer(few_within(table_limit, FEW_CELLS), keeps=keeps), "core"
            else:
                answer, engine = self._answered(opened, stack, min(FEW_CELLS, table_limit))
        of_keys = engine == "core"
        fetch = self.key_cells if of_keys else self.differing_cells
        memory = self._memory if of_keys else None  # other engines keep to limits of their own
        kind = KeyTable if of_keys else EngineTable
        profile = answer.profile(table=kind(answer, table_limit, fetch, memory))
        counts: Counts = profile
        if self.unmatched == "keep" and any(answer.having(number, ABSENT) for number in (0, 1)):
            counts = answer.partial_overlap(LooseEngineTable(answer, table_limit, fetch, memory), profile)
        names = TableNames(profile, self.examples, _WHY_NO_RECORDS)
        noise = (self.sources[0].noise, self.sources[1].noise)
        agreed = conventions_of(self.sources, self.unmatched, engine)
        found = _found(answer, profile.size)
        return Counted(counts, names, agreed, found, noise=noise, sources=self.sources)

    @property
    def _memory(self) -> int | None:
        limits = [each.source.memory_bytes for each in self.sources if isinstance(each.source, Files)]
        return next((limit for limit in limits if limit is not None), None)

    def _answered(self, opened: tuple[Opened, Opened], stack: ExitStack, few: int) -> tuple[Answer, str]:
        """What the engine that holds the sources says, and its name."""
        pairs = self._pairs(opened)
        cells = queries.in_memory_if_few(stack.enter_context(queries.counted(pairs)))
        keeps = self.unmatched == "keep"
        answer = queries.answered(cells, self.policy, self.noise, self._asked(opened), few, keeps=keeps)
        audit(answer, opened, self.policy, QueriedWitnesses(opened, cells))
        return answer, pairs.implementation.name.lower()

    def _file_join(self, opened: tuple[Opened, Opened]) -> FileJoin | None:
        """The compiled core, for files that nobody else was asked to count."""
        if not all(isinstance(each.source, Files) and each.source.reader == "auto" for each in self.sources):
            return None
        join = FileJoin(opened, self.together, self.policy, self.threads)
        return join if join.is_possible else None

    def key_cells(self) -> Any:
        """The cells that are not a whole cluster of both sides, by the keys of their labels."""
        with ExitStack() as stack:
            join = self._file_join(opened_sides(self.sources, stack, self.threads))
            assert join is not None  # as the first time
            return join.answer(lambda _: sys.maxsize, keeps=False).differing_cells

    def differing_cells(self) -> list[tuple[Any, ...]]:
        """The cells that are not a whole cluster of both sides."""
        with ExitStack() as stack:
            opened = opened_sides(self.sources, stack, self.threads)
            counted = stack.enter_context(queries.counted(self._pairs(opened)))
            return queries.differing_cells(queries.in_memory_if_few(counted), self.policy, self.noise)

    def examples(self, cells: list[tuple[Any, Any]], each: int) -> list[tuple[Any, ...]]:
        """A few records of each cell, given by its labels; none where the rows have no names."""
        if self.sources[0].record is None:
            return [()] * len(cells)
        with ExitStack() as stack:
            u, v = opened_sides(self.sources, stack, self.threads)
            assert u.record is not None
            records = (
                u.named_rows().select(u.record.alias("r"), u.label.alias("u"), v.label.alias("v"))
                if self.together
                else queries.with_records(u.rows(), v.rows())
            )
            named = queries.few_records(records, cells, each)
        return [tuple(named[cell]) for cell in cells]

    def _pairs(self, opened: tuple[Opened, Opened]) -> queries.Lazy:
        u, v = opened
        if self.together:
            return queries.side_by_side(u.named_rows(), u.label, v.label)
        return queries.joined(u.rows(), v.rows())

    def _asked(self, opened: tuple[Opened, Opened]) -> list[queries.Lazy]:
        """What the audit needs of the sources themselves: how many rows, and whether records repeat."""
        if not self.together:
            return [
                queries.rows_of(side.frame, side.record, number)
                for number, side in enumerate(opened)
                if side.record is not None
            ]
        frame, record = opened[0].frame, opened[0].record
        if record is None:
            return []
        return [queries.rows_of(frame, record, 0), queries.repeated(frame, record)]


def _treatments(source: SourcePartition, unmatched: Unmatched) -> dict[int, Any]:
    treated = {NULL: source.nulls, ABSENT: "singletons" if unmatched == "keep" else unmatched}
    return treated | ({NOISE: source.noise_as} if source.noise_as not in (None, "cluster") else {})


def _found(answer: Answer, kept: int) -> dict[str, int]:
    """What stands in the signature: how many elements were not simply counted."""
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
