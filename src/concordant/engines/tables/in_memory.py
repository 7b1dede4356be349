"""Dataframes in memory, counted by the compiled core: two columns of one, or two joined by their records.

The core matches the ids of both sides in cache-sized partitions; text ids become numbers first. The match
also shows which records are repeated, unmatched or without a label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant import core
from concordant.clusterings.alignment import align, laid_side_by_side, nothing_left, without_dropped
from concordant.clusterings.labels import Codes, by_position, copied, encode
from concordant.clusterings.missing import VIEWS
from concordant.clusterings.partition_data import LabelPartition, SourcePartition, partition_of_labels
from concordant.counts import remedies
from concordant.counts.base import Need
from concordant.counts.conventions import Conventions
from concordant.counts.counted import Counted
from concordant.counts.spelling import counted
from concordant.engines import memory
from concordant.engines.tables.opening import (
    ROLES,
    SourcePair,
    check_columns,
    columns_of,
    conventions_of,
    frame_of,
    ids_in_one_type,
    label_column,
    no_record,
    null_label,
)
from concordant.errors import LabelError, OverlapError, Remedy, UnmatchedError, few
from concordant.sources.descriptions import Files


def count_columns(sources: SourcePair, conventions: Conventions) -> Counted:
    """Two columns of one dataframe."""
    threads, record = conventions.threads, sources[0].record
    frame = frame_of(sources[0])
    for source in sources:
        check_columns(source, frame.columns)
    given = len(frame)
    frame = _with_nulls(frame, sources)
    nameless = 0 if record is None else int(frame.get_column(record).null_count())
    if nameless and any(source.nulls != "drop" for source in sources):
        raise no_record(ROLES[0], sources[0], nameless)
    if record is not None and nameless:
        frame = frame.filter(~nw.col(record).is_null())
    rows = len(frame)
    audit = {
        f"null_{role}": int(frame.get_column(source.cluster).null_count())
        for role, source in zip(ROLES, sources, strict=True)
        if source.nulls == "drop"
    }
    if any(audit.values()):
        labels = {source.cluster for source in sources if source.nulls == "drop"}
        frame = frame.filter(*(~nw.col(name).is_null() for name in labels))
    if given and not len(frame):
        raise nothing_left({"nulls": "drop"}, (given, given), "each row has a null label or no record")
    (u, null_u), (v, null_v) = (
        _label_column(frame, role, source, threads) for role, source in zip(ROLES, sources, strict=True)
    )
    audit[f"null_records_{ROLES[0]}"] = nameless
    audit |= {f"null_{role}": number for role, number in zip(ROLES, (null_u, null_v), strict=True) if number}
    if record is not None:
        native = frame.get_column(record).to_native()
        u.elements = v.elements = copied(by_position(native))
        codes = encode(native, f"the records {record!r}", threads).codes
        which, first = core.factorize(np.ascontiguousarray(codes))
        if len(first) < len(which):
            again = int(np.flatnonzero(first[which] != np.arange(len(which)))[0])
            raise OverlapError(
                f"records occur more than once in {record!r}: the rows {int(first[which[again]])} and "
                f"{again} name the same; a record is in one cluster, so keep one row for each"
            )
    agreed = conventions_of(sources, conventions.unmatched, "core")
    counts = memory.count_aligned(align(u, v), (u, v), conventions, agreed)
    audit["not_compared"] = counts.audit.get("not_compared", 0) + rows - len(frame)
    counts.audit = {**counts.audit, **{key: number for key, number in audit.items() if number}}
    counts.frames = sources
    return counts


def count_joined(sources: SourcePair, conventions: Conventions, need: Need) -> Counted:
    """Two dataframes joined by their records."""
    threads, frames = conventions.threads, []
    for role, source in zip(ROLES, sources, strict=True):
        frame = frame_of(source)
        check_columns(source, frame.columns)
        if frame.implementation.is_modin():
            frame = nw.from_native(frame.to_native()._to_pandas())
        label_column(source, frame, role)
        frames.append(_with_nulls(frame, [source]))
    ids, nameless = [], []
    for side, record in enumerate(ids_in_one_type(sources, frames)):
        assert record is not None  # two sources without records are one source, or were refused
        own = frames[side].select(record.alias("record")).get_column("record")
        nameless.append(int(own.null_count()))
        if nameless[side] and sources[side].nulls != "drop":
            raise no_record(ROLES[side], sources[side], nameless[side])
        if nameless[side]:
            frames[side], own = frames[side].filter(~own.is_null()), own.filter(~own.is_null())
        ids.append(own)
    codes = _id_codes(ids[0], ids[1], f"the records {sources[0].record!r}", threads)
    names = [by_position(own.to_native()) for own in ids]
    here, there, missed, extra, repeated_u, repeated_v = core.match_records(*codes, threads)
    for side, repeated in enumerate((repeated_u, repeated_v)):
        if repeated is not None:
            row = int(repeated[0])
            times = int((codes[side] == codes[side][row]).sum())
            raise OverlapError(
                f"records occur more than once in {sources[side].record!r} of the {ROLES[side]}: "
                f"{few([names[side][row]])} ({times} times) and possibly others; a record is in one cluster, "
                "so keep one row for each"
            )
    audit, sides = {}, []
    for role, source, frame, own in zip(ROLES, sources, frames, names, strict=True):
        partition, audit[f"null_{role}"] = _label_column(frame, role, source, threads)
        partition.elements, partition.named = copied(own), True
        sides.append(partition)
    u, v = sides
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
    aligned = without_dropped(laid, u, v)
    if not len(aligned.reference) and any(nameless):
        raise nothing_left({"nulls": "drop"}, (nameless[0], nameless[1]), "no row names a record")
    for role, partition, missing in zip(ROLES, sides, nameless, strict=True):
        if partition.noise is not None and partition.noise.treatment != "cluster":
            audit[f"noise_{role}"] = partition.noise.found
        audit[f"null_records_{role}"] = missing
    audit |= {"only_reference": aligned.only_reference, "only_candidate": aligned.only_candidate}
    audit["not_compared"] = aligned.not_compared
    agreed = conventions_of(sources, conventions.unmatched, "core")
    counts = memory.count_aligned(aligned, (u, v), conventions, agreed, need)
    counts.audit = {key: audit[key] for key in _AUDIT if audit.get(key)}
    counts.frames = sources
    return counts


def labels_in_order(source: SourcePartition, threads: int) -> LabelPartition:
    """The labels of a dataframe in memory, row by row; other sources have no order."""
    frame = None if isinstance(source.source, Files) else frame_of(source)
    if not isinstance(frame, nw.DataFrame):
        raise UnmatchedError(
            f"the rows of {source.source} have no order of their own, so they cannot be matched by position",
            remedies=[Remedy("match records by name, on both sides", record=...)],
        )
    check_columns(source, frame.columns)
    return _label_column(_with_nulls(frame, [source]), ROLES[0], source, threads)[0]


_AUDIT = (  # in the order of the signature
    "only_reference",
    "only_candidate",
    *(f"{what}_{role}" for what in ("null", "noise", "null_records") for role in ROLES),
    "not_compared",
)


def _id_codes(u: Any, v: Any, what: str, threads: int) -> tuple[Codes, Codes]:
    """Integers that are equal if the ids are; both columns already have the same type."""
    if u.dtype.is_integer():
        return encode(u.to_native(), "", threads).codes, encode(v.to_native(), "", threads).codes
    natives = u.to_native(), v.to_native()
    if u.implementation.is_pyarrow() and natives[0].type != natives[1].type:  # it concatenates equal types
        u, v = (nw.from_native(each.cast("large_string"), series_only=True) for each in natives)
    both = nw.concat([ids.alias("record").to_frame() for ids in (u, v)])["record"]
    codes = encode(both.to_native(), what, threads).codes
    return codes[: len(u)], codes[len(u) :]


def _label_column(frame: Any, role: str, source: SourcePartition, threads: int) -> tuple[LabelPartition, int]:
    """A column as a partition, and its number of null labels."""
    column, what = frame.get_column(source.cluster), f"the labels {source.cluster!r} of the {role}"
    nulls = int(column.null_count())
    if nulls and source.nulls == "error":
        raise LabelError(
            f"{source.cluster!r} of the {role} has {counted(nulls, null_label(column.dtype))}",
            remedies=remedies.FOR_NULLS,
        )
    conventions = Conventions(
        nulls=source.nulls if nulls else None, noise=source.noise, noise_as=source.noise_as, threads=threads
    )
    return partition_of_labels(column.to_native(), conventions, what), nulls


def _with_nulls(frame: Any, sources: Sequence[SourcePartition]) -> Any:
    """The frame with null for NaN labels, and its columns with nulls in types that can be filtered."""
    names = columns_of(*sources)
    if any(frame.get_column(name).null_count() for name in names):
        native = frame.select(*names).to_native()
        for place, name in enumerate(names if frame.implementation.is_pyarrow() else ()):
            if (other := VIEWS.get(str(native[name].type))) is not None:
                native = native.set_column(place, name, native[name].cast(other))
        for name in names if frame.implementation.is_pandas() else ():
            if (other := VIEWS.get(str(native[name].dtype).removesuffix("[pyarrow]"))) is not None:
                held = native[name].array  # which pandas cannot cast either
                native = native.assign(**{name: type(held)(held.__arrow_array__().cast(other))})
        frame = nw.from_native(native)
    schema = frame.schema
    floats = dict.fromkeys(source.cluster for source in sources if schema[source.cluster].is_float())
    halves = [
        nw.col(name).cast(nw.Float32) for name in floats if schema[name] == nw.Float16
    ]  # all would be NaN
    labels = (nw.when(~nw.col(name).is_nan()).then(nw.col(name)).alias(name) for name in floats)
    return frame.with_columns(*halves).with_columns(*labels) if floats else frame
