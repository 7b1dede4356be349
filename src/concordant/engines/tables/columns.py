"""Two columns of one dataframe in memory, counted by the compiled core."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant import core
from concordant.counts import remedies
from concordant.counts.conventions import Conventions
from concordant.counts.counted import Counted
from concordant.counts.spelling import counted
from concordant.engines import memory
from concordant.engines.tables.opening import (
    ROLES,
    check_columns,
    conventions_of,
    frame_of,
    nan_as_null,
    null_label,
    without_views,
)
from concordant.errors import LabelError, OverlapError
from concordant.partitions.alignment import align
from concordant.partitions.labels import encode
from concordant.partitions.mismatch import nothing_left
from concordant.partitions.missing import set_apart
from concordant.partitions.partition import LabelPartition, SourcePartition, label_partition
from concordant.partitions.stored_labels import copied


def counted_in_memory(sources: tuple[SourcePartition, SourcePartition], conventions: Conventions) -> Counted:
    """Both columns as labels in memory, their nulls treated as was agreed on."""
    threads = conventions.threads
    frame = frame_of(sources[0])
    for source in sources:
        check_columns(source, frame.columns)
    given = len(frame)
    frame, nameless = _without_nameless(nan_as_null(without_views(frame, sources), sources), sources)
    rows = len(frame)
    frame, found = _without_nulls(frame, sources)
    if given and not len(frame):
        raise nothing_left({"nulls": "drop"}, (given, given), "each row has a null label or no record")
    found |= nameless
    sides = [partition_of(frame, *each, threads) for each in zip(ROLES, sources, strict=True)]
    u, v = (side[0] for side in sides)
    found |= {f"null_{role}": side[1] for role, side in zip(ROLES, sides, strict=True) if side[1]}
    if sources[0].record is not None:
        u.elements = v.elements = copied(frame.get_column(sources[0].record).to_native())
        _refuse_repeated_names(u.elements, sources[0], threads)
    counted = memory.count_aligned(
        align(u, v), (u, v), conventions, conventions_of(sources, conventions.unmatched, "core")
    )
    left_out = counted.audit.get("not_compared", 0) + rows - len(frame)
    counted.audit = {**counted.audit, **found} | ({"not_compared": left_out} if left_out else {})
    return counted


def _without_nameless(
    frame: Any, sources: tuple[SourcePartition, SourcePartition]
) -> tuple[Any, dict[str, int]]:
    """Leave out the rows that name no record, where that was agreed on for both labels."""
    record = sources[0].record
    if record is None or not (nameless := int(frame.get_column(record).null_count())):
        return frame, {}
    if any(source.nulls != "drop" for source in sources):
        raise no_record(ROLES[0], sources[0], nameless)
    return frame.filter(~nw.col(record).is_null()), {f"null_records_{ROLES[0]}": nameless}


def no_record(role: str, source: SourcePartition, rows: int) -> LabelError:
    """The error of rows that name no record."""
    return LabelError(
        f"the {role} has {counted(rows, 'row')} with no record in {source.record!r}",
        remedies=remedies.FOR_NULLS[:1],
    )


def _without_nulls(
    frame: Any, sources: tuple[SourcePartition, SourcePartition]
) -> tuple[Any, dict[str, int]]:
    """Leave out the rows whose labels are null, where that was agreed on."""
    keep, found = None, {}
    for role, source in zip(ROLES, sources, strict=True):
        if source.nulls == "drop" and (absent := frame.get_column(source.cluster).null_count()):
            found[f"null_{role}"] = int(absent)
            there = ~nw.col(source.cluster).is_null()
            keep = there if keep is None else keep & there
    return (frame if keep is None else frame.filter(keep)), found


def partition_of(frame: Any, role: str, source: SourcePartition, threads: int) -> tuple[LabelPartition, int]:
    """A column as a partition, its nulls treated as was agreed on, and how many there are."""
    column, what = frame.get_column(source.cluster), f"the labels {source.cluster!r} of the {role}"
    noise = source.noise, source.noise_as, what
    nulls = int(column.null_count())
    if not nulls:
        return label_partition(encode(column.to_native(), what, threads), *noise), 0
    if source.nulls == "error":
        raise LabelError(
            f"{source.cluster!r} of the {role} has {counted(nulls, null_label(column.dtype))}",
            remedies=remedies.FOR_NULLS,
        )
    null = np.asarray(column.is_null().to_numpy(), dtype=bool)
    labelled = column.filter(~column.is_null()).to_native()
    rest = label_partition(encode(labelled, what, threads), *noise)
    codes = np.zeros(len(null), dtype=rest.codes.dtype)
    codes[~null] = rest.codes
    dropped = null.copy() if source.nulls == "drop" else None
    if rest.dropped is not None:
        dropped = np.zeros(len(null), dtype=bool) if dropped is None else dropped
        dropped[~null] |= rest.dropped
    if source.nulls != "singletons":
        return LabelPartition(codes, column, dropped=dropped, noise=rest.noise, alone=rest.alone), nulls
    apart = set_apart(codes, null)
    return LabelPartition(apart, column, dropped=dropped, noise=rest.noise, alone=(*rest.alone, None)), nulls


def _refuse_repeated_names(names: Any, source: SourcePartition, threads: int) -> None:
    codes = encode(names, f"the records {source.record!r}", threads).codes
    which, first = core.factorize(np.ascontiguousarray(codes))
    if len(first) < len(which):
        again = int(np.flatnonzero(first[which] != np.arange(len(which)))[0])
        raise OverlapError(
            f"records stand more than once in {source.record!r}: the rows {int(first[which[again]])} and "
            f"{again} name the same; a record lies in one cluster, so leave one row for each"
        )
