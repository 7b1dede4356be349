"""Partitions that lie in tables, counted where they lie: what is asked, and what is refused.

One table with two label columns is counted row by row. Two tables are joined by record, and one audit
in the same pass says which records are missing, repeated or without a label.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from concordant.engines.tables import integers as straight
from concordant.engines.tables import queries as frames
from concordant.engines.tables.answer import ABSENT, NAN, NOISE, NULL, Answer, Policy
from concordant.engines.tables.audit import audit
from concordant.engines.tables.columns import counted_in_memory
from concordant.engines.tables.opening import ROLES, Counted, Opened, conventions_of, is_eager, opened_sides
from concordant.engines.tables.overlaps import Brought
from concordant.errors import ParameterError, Remedy
from concordant.partitions.partition import Unmatched
from concordant.partitions.sources import (
    TABLE_LIMIT,
    Files,
    Nulls,
    TablePartition,
    check_nulls,
    check_table_limit,
)


def count(
    reference: TablePartition,
    candidate: TablePartition,
    *,
    unmatched: Unmatched = "error",
    nulls: Nulls | None = None,
    table_limit: int = TABLE_LIMIT,
    threads: int = 0,
    in_memory: bool = True,
) -> Counted:
    """Count two tables. With ``in_memory``, columns that lie in memory go to the memory engine."""
    if unmatched not in ("error", "drop", "singletons"):
        raise ParameterError("use 'error', 'drop' or 'singletons'", given={"unmatched": unmatched})
    check_table_limit(table_limit)
    if nulls is not None:
        check_nulls(nulls)
        reference, candidate = replace(reference, nulls=nulls), replace(candidate, nulls=nulls)
    tables = (reference, candidate)
    together = _in_one_table(tables)
    if together and in_memory and is_eager(reference):
        return counted_in_memory(tables, unmatched, threads)
    return _Job(tables, unmatched, together, threads, in_memory).counted(table_limit)


def _in_one_table(tables: tuple[TablePartition, TablePartition]) -> bool:
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

    tables: tuple[TablePartition, TablePartition]
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

    def counted(self, table_limit: int) -> Counted:
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
            cells = stack.enter_context(frames.counted(pairs))
            answer = frames.answered(cells, self.policy, self.noise, self._asked(opened))
            audit(answer, opened, self.policy, cells)
        brought = Brought(answer, table_limit, self.tangled, self.examples)
        profile = answer.profile(table=brought.table, table_at_hand=False)
        return Counted(profile, conventions_of(self.tables, self.unmatched), _found(answer), names=brought)

    def _straight(self, opened: tuple[Opened, Opened], pairs: frames.Lazy) -> Counted | None:
        """By the compiled core, where the labels are integers that fit into memory."""
        rows = frames.fetched([frames.height(side.frame) for side in opened[: 1 if self.together else 2]])
        if not straight.fits(pairs, sum(count for (count,) in rows)):
            return None
        columns = straight.Columns(pairs, self.noise)
        asked = self._asked(opened)
        answer = columns.answer(Answer.of(frames.fetched(asked) if asked else []))
        audit(answer, opened, self.policy, pairs)
        kept = columns.kept(self.policy)
        profile = kept.profile(self.threads)
        names = kept.named(lambda: profile.table, self.examples)
        return Counted(profile, conventions_of(self.tables, self.unmatched), _found(answer), names=names)

    def tangled(self) -> list[tuple[Any, ...]]:
        """The cells that are not a whole cluster of both sides."""
        with ExitStack() as stack:
            opened = opened_sides(self.tables, stack, self.threads)
            cells = stack.enter_context(frames.counted(self._pairs(opened)))
            return frames.tangled(cells, self.policy, self.noise)

    def examples(self, cells: list[tuple[Any, Any]], each: int) -> list[tuple[Any, ...]]:
        """A few records of each cell, given by its labels; none where the rows have no names."""
        if self.tables[0].record is None:
            return [()] * len(cells)
        with ExitStack() as stack:
            u, v = opened_sides(self.tables, stack, self.threads)
            assert u.record is not None
            records = (
                u.frame.select(u.record.alias("r"), u.label.alias("u"), v.label.alias("v"))
                if self.together
                else frames.with_records(u.rows(), v.rows())
            )
            rows = frames.found(records, cells, each)
        return [tuple(name for cell, name in rows if cell == number) for number in range(len(cells))]

    def _pairs(self, opened: tuple[Opened, Opened]) -> frames.Lazy:
        u, v = opened
        if self.together:
            return frames.side_by_side(u.frame, u.label, v.label)
        return frames.joined(u.rows(), v.rows())

    def _asked(self, opened: tuple[Opened, Opened]) -> list[frames.Lazy]:
        """What the audit needs of the tables themselves: how many rows, and whether records repeat."""
        if not self.together:
            return [
                frames.rows_of(side.frame, side.record, number)
                for number, side in enumerate(opened)
                if side.record is not None
            ]
        frame, record = opened[0].frame, opened[0].record
        if record is None:
            return []
        return [frames.rows_of(frame, record, 0), frames.repeated(frame, record)]


def _treatments(table: TablePartition, unmatched: Unmatched) -> dict[int, Any]:
    treated = {NULL: table.nulls, NAN: "error", ABSENT: unmatched}
    return treated | ({NOISE: table.noise_as} if table.noise_as not in (None, "cluster") else {})


def _found(answer: Answer) -> dict[str, int]:
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
    return {key: value for key, value in (missing | found | nameless).items() if value}
