"""Partitions that lie in sources, counted where they lie: what is asked, and what is refused.

One source with two columns of labels is counted row by row. Two sources are joined by record, and one
audit in the same pass says which records are missing, repeated or without a label.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from concordant.counts.conventions import Conventions, Nulls, Unmatched
from concordant.counts.counted import Counted
from concordant.counts.loose import LooseCells
from concordant.counts.names import TableNames
from concordant.counts.profile import Profile
from concordant.engines.tables import files, integers, queries
from concordant.engines.tables.answer import Answer
from concordant.engines.tables.audit import audit
from concordant.engines.tables.columns import counted_in_memory
from concordant.engines.tables.join import counted_by_record
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


def count_sources(
    reference: Partition, candidate: Partition, conventions: Conventions, *, in_memory: bool = True
) -> Counted[Profile]:
    """Count two sources. With ``in_memory``, columns that lie in memory go to the memory engine."""
    sides = _both_in_sources(reference, candidate, conventions.nulls)
    together = _in_one_table(sides)
    if together and in_memory and is_eager(sides[0]):
        return counted_in_memory(sides, conventions)
    if in_memory and not together and are_eager(sides):
        return counted_by_record(sides, conventions)
    if conventions.unmatched == "keep" and not together:
        _refuse_singletons(sides)
    job = _Job(_as_they_are_now(sides), conventions.unmatched, together, conventions.threads, in_memory)
    return job.counted(min(FEW_CELLS, conventions.table_limit), conventions.table_limit)


def _refuse_singletons(sides: tuple[SourcePartition, SourcePartition]) -> None:
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


def _both_in_sources(
    reference: Partition, candidate: Partition, nulls: Nulls | None
) -> tuple[SourcePartition, SourcePartition]:
    if not (isinstance(reference, SourcePartition) and isinstance(candidate, SourcePartition)):
        role, other = ("reference", "candidate")[:: 1 if reference.is_in_source else -1]
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


def _in_one_table(tables: tuple[SourcePartition, SourcePartition]) -> bool:
    """Whether both labels stand in one row, so that nothing has to be joined."""
    u, v = tables
    if u.source.is_same(v.source) and u.record == v.record:
        return True
    for role, table, other in zip(ROLES, tables, (v, u), strict=True):
        if table.record is None:
            raise ParameterError(
                f"the {role} is {table.source} without a record, but the other side is {other.source}: two "
                "columns of one source need none, but two sources are joined by their records",
                remedies=[Remedy("name the column of the record, on both sides", record=...)],
            )
    return False


@dataclass(frozen=True, slots=True)
class _Job:
    """Two tables, and what was agreed on; the tables are opened whenever they are asked."""

    tables: tuple[SourcePartition, SourcePartition]
    unmatched: Unmatched
    together: bool
    threads: int
    in_memory: bool

    @property
    def policy(self) -> Policy:
        return Policy(*(_treatments(table, self.unmatched) for table in self.tables))

    @property
    def noise(self) -> list[Any]:
        return [None if table.noise_as == "cluster" else table.noise for table in self.tables]

    def counted(self, few: int, table_limit: int) -> Counted[Profile]:
        with ExitStack() as stack:
            opened = opened_sides(self.tables, stack, self.threads)
            pairs = self._pairs(opened)
            if (
                self.in_memory
                and pairs.implementation.is_duckdb()
                and isinstance(self.tables[0].source, Files)
            ):
                counted = self._straight(opened, pairs)
                if counted is not None:
                    return counted
            cells = stack.enter_context(queries.counted(pairs))
            answer = queries.answered(
                cells, self.policy, self.noise, self._asked(opened), few, keeps=self.unmatched == "keep"
            )
            audit(answer, opened, self.policy, cells)
        profile = answer.profile(table=EngineTable(answer, table_limit, self.differing_cells))
        table = LooseEngineTable(answer, table_limit, self.differing_cells)
        return self._handed_over(profile, answer, answer.loose(table) if self._is_loose(answer) else None)

    def _is_loose(self, answer: Answer) -> bool:
        return self.unmatched == "keep" and any(answer.having(number, ABSENT) for number in (0, 1))

    def _handed_over(self, profile: Profile, answer: Answer, loose: LooseCells | None) -> Counted[Profile]:
        names = TableNames(profile, self.examples, _WHY_NO_RECORDS)
        agreed, found = conventions_of(self.tables, self.unmatched), _found(answer, profile.size)
        return Counted(profile, names, agreed, found, loose)

    def _straight(self, opened: tuple[Opened, Opened], pairs: queries.Lazy) -> Counted[Profile] | None:
        """By the compiled core, where the labels are integers that fit into memory."""
        rows = queries.fetched([queries.height(side.frame) for side in opened[: 1 if self.together else 2]])
        if not integers.fits(pairs, sum(count for (count,) in rows)):
            return None
        columns = integers.LabelColumns(pairs, self.noise)
        asked = self._asked(opened)
        answer = columns.answer(Answer.of(queries.fetched(asked) if asked else []))
        audit(answer, opened, self.policy, pairs)
        kept = columns.kept(self.policy)
        loose = kept.loose(self.threads) if self._is_loose(answer) else None
        return self._handed_over(kept.profile(self.threads), answer, loose)

    def differing_cells(self) -> list[tuple[Any, ...]]:
        """The cells that are not a whole cluster of both sides."""
        with ExitStack() as stack:
            opened = opened_sides(self.tables, stack, self.threads)
            cells = stack.enter_context(queries.counted(self._pairs(opened)))
            return queries.differing_cells(cells, self.policy, self.noise)

    def examples(self, cells: list[tuple[Any, Any]], each: int) -> list[tuple[Any, ...]]:
        """A few records of each cell, given by its labels; none where the rows have no names."""
        if self.tables[0].record is None:
            return [()] * len(cells)
        with ExitStack() as stack:
            u, v = opened_sides(self.tables, stack, self.threads)
            assert u.record is not None
            records = (
                u.named_rows().select(u.record.alias("r"), u.label.alias("u"), v.label.alias("v"))
                if self.together
                else queries.with_records(u.rows(), v.rows())
            )
            rows = queries.few_records(records, cells, each)
        named: dict[tuple[Any, Any], list[Any]] = {cell: [] for cell in cells}
        for u_label, v_label, name in rows:
            if (u_label, v_label) in named:
                named[u_label, v_label].append(name)
        return [tuple(named[cell][:each]) for cell in cells]

    def _pairs(self, opened: tuple[Opened, Opened]) -> queries.Lazy:
        u, v = opened
        if self.together:
            return queries.side_by_side(u.named_rows(), u.label, v.label)
        return queries.joined(u.rows(), v.rows())

    def _asked(self, opened: tuple[Opened, Opened]) -> list[queries.Lazy]:
        """What the audit needs of the tables themselves: how many rows, and whether records repeat."""
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


def _treatments(table: SourcePartition, unmatched: Unmatched) -> dict[int, Any]:
    treated = {NULL: table.nulls, ABSENT: "singletons" if unmatched == "keep" else unmatched}
    return treated | ({NOISE: table.noise_as} if table.noise_as not in (None, "cluster") else {})


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
