"""Dataframes in memory, counted by the compiled core: two columns of one, or two joined by their records.

The core matches the ids of both sides in cache-sized partitions; text ids become numbers first. The match
also shows which records are repeated, unmatched or without a label.
"""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.alignment import Aligned, align, laid_side_by_side, nothing_left, without_dropped
from concordant.clusterings.encoding import encode, partition_of_labels
from concordant.clusterings.labels import Codes, MemoryLabels, by_position, copied
from concordant.clusterings.missing import as_column, find_nulls, null_labels, without
from concordant.clusterings.partition_data import SourcePartition, repeated_records
from concordant.counts.base import Detail
from concordant.counts.counted_sides import CountedSides
from concordant.engines import memory
from concordant.engines.tables.opening import (
    ROLES,
    SourcePair,
    check_columns,
    conventions_of,
    frame_of,
    ids_in_one_type,
    label_column,
    no_record,
    null_label,
)
from concordant.errors import LabelError, OverlapError, Remedy, UnmatchedError, few
from concordant.foundation import remedies
from concordant.foundation.conventions import Conventions
from concordant.foundation.spelling import counted
from concordant.sources.descriptions import Files


def count_columns(sources: SourcePair, conventions: Conventions) -> CountedSides:
    """Two columns of one dataframe."""
    source, frame, threads = sources[0], frame_of(sources[0]), conventions.threads
    for each in sources:
        check_columns(each, frame.columns)
    ids, nameless = None, None
    if source.record is not None:
        may_drop = all(each.nulls == "drop" for each in sources)
        ids, nameless = _named(frame, nw.col(source.record), ROLES[0], source, may_drop=may_drop)
    u, v = (
        _label_column(frame, role, each, threads, nameless) for role, each in zip(ROLES, sources, strict=True)
    )
    if ids is not None:
        u.elements = v.elements = copied(by_position(ids))
        codes = encode(ids, f"the records {source.record!r}", threads).codes
        which, first = core.factorize(np.ascontiguousarray(codes))
        if len(first) < len(which):
            columns = [frame[name].to_list() for name in dict.fromkeys(each.cluster for each in sources)]
            labels = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
            repeated = repeated_records(which, labels, by_position(ids))
            raise OverlapError(
                f"records occur more than once in {source.record!r}: {repeated}; a record is in one cluster, "
                "so keep one row for each"
            )
    aligned = align(u, v)
    audit = {"noise_dropped": aligned.noise_dropped}
    return _counted(aligned, (u, v), sources, (nameless, None), conventions, Detail.RECORDS, audit)


def count_joined(sources: SourcePair, conventions: Conventions, need: Detail) -> CountedSides:
    """Two dataframes joined by their records."""
    threads, frames = conventions.threads, []
    for role, source in zip(ROLES, sources, strict=True):
        frame = frame_of(source)
        check_columns(source, frame.columns)
        if frame.implementation.is_modin():
            frame = nw.from_native(frame.to_native()._to_pandas())
        label_column(source, frame, role)
        frames.append(frame)
    (ids_u, nameless_u), (ids_v, nameless_v) = (
        _named(frame, record, role, source, may_drop=source.nulls == "drop")
        for frame, record, role, source in zip(
            frames, ids_in_one_type(sources, frames), ROLES, sources, strict=True
        )
    )
    ids, nameless = (ids_u, ids_v), (nameless_u, nameless_v)
    codes = _id_codes(ids_u, ids_v, f"the records {sources[0].record!r}", threads)
    names = [by_position(own) for own in ids]
    here, there, missed, extra, repeated_u, repeated_v = core.match_records(*codes, threads)
    for side, repeated in enumerate((repeated_u, repeated_v)):
        if repeated is not None:
            which, _ = core.factorize(np.ascontiguousarray(codes[side]))
            labels, null = frames[side][sources[side].cluster].to_list(), nameless[side]
            if null is not None:
                labels = [labels[row] for row in np.flatnonzero(~null).tolist()]
            raise OverlapError(
                f"records occur more than once in {sources[side].record!r} of the {ROLES[side]}: "
                f"{repeated_records(which, labels, names[side])}; a record is in one cluster, so keep one "
                "row for each"
            )
    u, v = (
        _label_column(frame, role, source, threads, null)
        for role, source, frame, null in zip(ROLES, sources, frames, nameless, strict=True)
    )
    u.elements, v.elements = map(copied, names)
    u.named = v.named = True
    parts = [
        f"{len(rows):,} only in the {role} (among them {few(own[int(i)] for i in rows)})"
        for role, own, rows in zip(ROLES, names, (missed, extra), strict=True)
        if conventions.unmatched == "error" and len(rows)
    ]
    if parts:
        raise UnmatchedError(
            f"the two sources contain different records: {' and '.join(parts)}",
            remedies=remedies.FOR_UNMATCHED,
        )
    laid = laid_side_by_side((u, v), (here, there), (missed, extra), conventions.unmatched, threads)
    audit = {
        f"noise_{role}": side.noise.found
        for role, side in zip(ROLES, (u, v), strict=True)
        if side.noise is not None and side.noise.treatment != "cluster"
    }
    return _counted(without_dropped(laid, u, v), (u, v), sources, nameless, conventions, need, audit)


def _named(
    frame: Any, record: nw.Expr | None, role: str, source: SourcePartition, *, may_drop: bool
) -> tuple[Any, NDArray[np.bool_] | None]:
    """The records of a column, and a mask of the rows that name none, which may be dropped."""
    assert record is not None  # two sources without records are one source, or were refused
    ids, null, _ = find_nulls(frame.select(record.alias("record"))["record"].to_native())
    if null is None:
        return ids, None
    if not may_drop:
        raise no_record(role, source, int(null.sum()))
    return without(ids, null), null


def _counted(  # noqa: PLR0917  (two sides, and how they were read)
    aligned: Aligned,
    sides: tuple[MemoryLabels, MemoryLabels],
    sources: SourcePair,
    nameless: tuple[NDArray[np.bool_] | None, NDArray[np.bool_] | None],
    conventions: Conventions,
    need: Detail,
    audit: dict[str, int],
) -> CountedSides:
    """Two aligned columns, counted; their signature reports all rows that were treated specially."""
    lost = [0 if null is None else int(null.sum()) for null in nameless]
    if not len(aligned.reference) and any(lost):
        raise nothing_left({"nulls": "drop"}, (lost[0], lost[1]), "no row names a record")
    agreed = conventions_of(sources, conventions.unmatched, "core")
    counts = memory.count_aligned(aligned, sides, conventions, agreed, need)
    audit |= {
        f"null_{role}": each
        for role, each in zip(
            ROLES, [0 if side.null is None else int(side.null.sum()) for side in sides], strict=True
        )
    }
    audit |= {f"null_records_{role}": each for role, each in zip(ROLES, lost, strict=True)}
    audit |= {name: getattr(aligned, name) for name in ("only_reference", "only_candidate", "not_compared")}
    counts.audit = {key: audit[key] for key in _AUDIT if audit.get(key)}
    counts.frames = sources
    return counts


def labels_in_order(source: SourcePartition, threads: int) -> MemoryLabels:
    """The labels of a dataframe in memory, row by row; other sources have no order."""
    frame = None if isinstance(source.source, Files) else frame_of(source)
    if not isinstance(frame, nw.DataFrame):
        raise UnmatchedError(
            f"the rows of {source.source} have no order of their own, so they cannot be matched by position",
            remedies=[Remedy("match records by name, on both sides", record=...)],
        )
    check_columns(source, frame.columns)
    return _label_column(frame, ROLES[0], source, threads)


_AUDIT = (  # in the order of the signature
    "only_reference",
    "only_candidate",
    "noise_dropped",
    *(f"{what}_{role}" for what in ("null", "noise", "null_records") for role in ROLES),
    "not_compared",
)


def _id_codes(u: Any, v: Any, what: str, threads: int) -> tuple[Codes, Codes]:
    """Integers that are equal if the ids are; both columns already have the same type."""
    one, other = (nw.from_native(each, series_only=True) for each in (u, v))
    if one.dtype.is_integer():
        return encode(u, "", threads).codes, encode(v, "", threads).codes
    if one.implementation.is_pyarrow() and u.type != v.type:  # it concatenates equal types
        one, other = (nw.from_native(each.cast("large_string"), series_only=True) for each in (u, v))
    both = nw.concat([ids.alias("record").to_frame() for ids in (one, other)])["record"]
    codes = encode(both.to_native(), what, threads).codes
    return codes[: len(u)], codes[len(u) :]


def _label_column(
    frame: Any,
    role: str,
    source: SourcePartition,
    threads: int,
    nameless: NDArray[np.bool_] | None = None,
) -> MemoryLabels:
    """A column as a partition, without the rows that name no record."""
    column = frame.get_column(source.cluster)
    labels = column.to_native() if nameless is None else without(as_column(column.to_native()), nameless)
    conventions = Conventions(
        nulls=source.nulls, noise=source.noise, noise_as=source.noise_as, threads=threads
    )
    try:
        return partition_of_labels(labels, conventions, f"the labels {source.cluster!r} of the {role}")
    except LabelError as error:
        if error.missing_at is None:
            raise
        null = null_labels(as_column(labels))
        assert null is not None  # one was found
        nulls = counted(int(null.sum()), null_label(column.dtype))
        raise LabelError(
            f"{source.cluster!r} of the {role} has {nulls}", remedies=remedies.FOR_NULLS
        ) from error
