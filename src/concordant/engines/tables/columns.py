"""Two columns of one dataframe in memory, counted by the compiled core."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant import core
from concordant.counts.spelling import counted
from concordant.engines import memory
from concordant.engines.tables.opening import ROLES, Counted, check_columns, conventions_of, frame_of
from concordant.errors import LabelError, OverlapError
from concordant.partitions import remedies
from concordant.partitions.alignment import align
from concordant.partitions.labels import encode
from concordant.partitions.partition import Partition, Unmatched
from concordant.partitions.sources import TablePartition


def counted_in_memory(
    tables: tuple[TablePartition, TablePartition], unmatched: Unmatched, threads: int
) -> Counted:
    frame = frame_of(tables[0])
    for table in tables:
        check_columns(table, frame.columns)
    frame, found = _without_nulls(frame, tables)
    sides = [_in_memory(frame, *each, threads) for each in zip(ROLES, tables, strict=True)]
    u, v = (side[0] for side in sides)
    found |= {f"null_{role}": side[1] for role, side in zip(ROLES, sides, strict=True) if side[1]}
    if tables[0].record is not None:
        u.elements = v.elements = frame[tables[0].record].to_native()
        _refuse_repeated_names(u.elements, tables[0], threads)
    aligned = align(u, v)
    profile = memory.profile(aligned.reference, aligned.candidate, threads)
    return Counted(profile, conventions_of(tables, unmatched), found, aligned, (u, v))


def _without_nulls(frame: Any, tables: tuple[TablePartition, TablePartition]) -> tuple[Any, dict[str, int]]:
    """Leave out the rows whose labels are null, where that was agreed on."""
    keep, found = None, {}
    for role, table in zip(ROLES, tables, strict=True):
        if table.nulls == "drop" and (absent := frame[table.cluster].null_count()):
            found[f"null_{role}"] = int(absent)
            there = ~nw.col(table.cluster).is_null()
            keep = there if keep is None else keep & there
    return (frame if keep is None else frame.filter(keep)), found


def _in_memory(frame: Any, role: str, table: TablePartition, threads: int) -> tuple[Partition, int]:
    """A column as a partition, and how many of its labels are null."""
    column, what = frame[table.cluster], f"the labels {table.cluster!r} of the {role}"
    options: dict[str, Any] = {"noise": table.noise, "noise_as": table.noise_as, "what": what}
    nulls = int(column.null_count())
    if not nulls:
        return Partition.from_labels(column.to_native(), **options, threads=threads), 0
    if table.nulls == "error":
        raise LabelError(
            f"{table.cluster!r} of the {role} has {counted(nulls, 'null label')}", remedies=remedies.FOR_NULLS
        )
    null = np.asarray(column.is_null().to_numpy(), dtype=bool)
    rest = Partition.from_labels(column.filter(~column.is_null()).to_native(), **options, threads=threads)
    dense, first = core.factorize(np.ascontiguousarray(rest.codes))
    codes = np.empty(len(null), dtype=np.int64)
    codes[~null], codes[null] = dense, len(first) + np.arange(nulls)
    dropped = None
    if rest.dropped is not None:
        dropped = np.zeros(len(null), dtype=bool)
        dropped[~null] = rest.dropped
    return Partition(codes, column, dropped=dropped, noise=rest.noise), nulls


def _refuse_repeated_names(names: Any, table: TablePartition, threads: int) -> None:
    codes = encode(names, f"the records {table.record!r}", threads).codes
    which, first = core.factorize(np.ascontiguousarray(codes))
    if len(first) < len(which):
        again = int(np.flatnonzero(first[which] != np.arange(len(which)))[0])
        raise OverlapError(
            f"records stand more than once in {table.record!r}: the rows {int(first[which[again]])} and "
            f"{again} name the same; a record lies in one cluster, so leave one row for each"
        )
