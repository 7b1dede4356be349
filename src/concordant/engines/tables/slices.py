"""The values of records in columns of the sources that were compared, or of another dataframe or file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import narwhals.stable.v2 as nw

from concordant.clusterings.labels import is_missing
from concordant.clusterings.partition_data import SourcePartition
from concordant.counts.counted_sides import CountedSides
from concordant.engines.tables import queries
from concordant.engines.tables.opening import (
    Opened,
    check_label_type,
    frame_of,
    opened_with,
    refuse_cells,
)
from concordant.engines.tables.rows import RecordAttributes, record_attributes
from concordant.engines.tables.three_way import refuse_singletons
from concordant.errors import InputError, LabelError, OverlapError, ParameterError, Remedy, TooLargeError, few
from concordant.foundation.conventions import TABLE_LIMIT
from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import Integers, as_integers
from concordant.sources import files
from concordant.sources.descriptions import Files, Frame, no_column

NumberedColumn = tuple[
    Integers, Sequence[Any]
]  # the number of each value, -1 for a missing one, and the values

# Memory of a row until all slices are counted, beside its labels.
_BYTES_OF_A_PIECE = 160
_CHANGED = "has changed since it was compared; compare again"


def slice_values(
    known: CountedSides, columns: Sequence[str], records: Any, record: str | None
) -> list[list[Any]]:
    """The values of every record in memory, column by column."""
    own, are_named = known.names.records, known.names.has_record_names
    everyone = own.everyone
    if records is not None:
        source = record_attributes(records, record, columns, None, are_named=are_named)
        assert source is not None  # since records are given
        given = source.rows(everyone)
        missing = [name for name in everyone if name not in given]
        if missing:
            raise LabelError(
                f"{source.source} has no row for {counted(len(missing), 'record')} ({few(missing)}); give "
                "each record a row",
                given={"details": ...},
            )
        return [[given[name][place] for name in everyone] for place in range(len(columns))]
    assert known.frames is not None  # checked by the caller
    values: list[list[Any]] = []
    for column in columns:
        side = _side_with(column, known.frames)
        partition = known.frames[side]
        wanted, name_column = (column, partition.cluster), partition.record
        found: Mapping[Any, tuple[Any, ...]]
        if isinstance(partition.source, Frame) and partition.source.is_eager:
            attributes = RecordAttributes(partition.source, name_column, wanted, are_named=are_named)
            found = attributes.rows(everyone)
        else:  # labels of a file or lazy frame that were read into memory
            read = files.read_columns(
                partition.source, wanted if name_column is None else (*wanted, name_column)
            )
            rows = zip(*read[:2], strict=True)
            found = dict(enumerate(rows) if name_column is None else zip(read[2], rows, strict=True))
        own_values = []
        for position, name in enumerate(everyone):
            value, label = found.get(name, (None, None))
            given = own.given(position)[side]
            is_same = is_missing(given) if is_missing(label) else label == given
            if name not in found and not is_missing(given):
                raise LabelError(f"{partition.source} has no row for the record {name!r}: it {_CHANGED}")
            if name in found and not is_same:
                raise InputError(f"{partition.source} {_CHANGED}: the record {name!r} is in another cluster")
            own_values.append(value)
        values.append(own_values)
    return values


def _side_with(column: str, sides: Sequence[SourcePartition]) -> int:
    """The first side whose source has the column."""
    names = []
    for number, side in enumerate(sides):
        own = files.preview(side.source)[0] if isinstance(side.source, Files) else None
        names.append(frame_of(side).collect_schema().names() if own is None else own)
        if column in names[-1]:
            return number
    raise no_column(sides[0].source, column, list(dict.fromkeys(names[0] + names[1])))


def slice_rows(
    known: CountedSides, columns: Sequence[str], records: Any, record: str | None
) -> tuple[list[NumberedColumn], Integers]:
    """The records of sources, grouped by both labels and the columns: these, and the numbers of records."""
    assert known.sources is not None  # checked by the caller
    unmatched = known.conventions.get("unmatched")
    if unmatched not in ("error", "drop"):
        raise ParameterError(
            "an engine reads slices of the records that both sources have",
            given={"unmatched": unmatched},
            remedies=[Remedy("compare these", unmatched="drop")],
        )
    sources: list[SourcePartition] = list(known.sources)
    for source in sources:
        refuse_singletons(source)
    keys = [f"s{place}" for place in range(len(columns))]
    more: dict[int, list[str]] = {0: [], 1: [], 2: []}
    if records is not None:
        found = record_attributes(records, record, columns, None, are_named=True)
        assert found is not None  # since records are given
        if found.record is None or sources[0].record is None:
            raise ParameterError(
                f"it is not known which column of {found.source} names the records"
                if sources[0].record is not None
                else "the sources were compared row by row, without a record to join by",
                remedies=[Remedy("name it", record=...)],
            )
        first, third = sources[0].source, found.source
        if isinstance(third, Files) and isinstance(first, Files):
            third = replace(third, memory=first.memory)
        sources.append(SourcePartition(third, found.record, columns[0]))
        places = dict.fromkeys(columns, 2)
    else:
        places = {column: _side_with(column, sources) for column in columns}
    for column, side in places.items():
        more[side].append(column)
    with ExitStack() as stack:
        pairs = opened_with(sources, stack, 0, more)
        opened = [pairs[0][0], pairs[0][1], *(pair[1] for pair in pairs[1:])]
        for column, side in places.items():
            check_label_type(opened[side].frame, column, f"values of {column!r}")
        own = [
            [
                nw.col(column).alias(key)
                for key, column in zip(keys, columns, strict=True)
                if places[column] == side
            ]
            for side in range(len(opened))
        ]
        joined = _joined(opened, [each[0] for each in pairs], own)
        rows, wanted = joined.select("u", "v", *keys), ("u", "v", *keys)
        refuse_cells(sources[0], rows, wanted, _BYTES_OF_A_PIECE, "overlaps by slice", None)
        with queries.counted(rows, wanted) as cells:
            ((count,),) = queries.fetched([queries.height(cells)])
            if count > TABLE_LIMIT:
                raise TooLargeError(
                    f"{few(columns)} and the clusters of both sides have {count:,} combinations, more than "
                    f"the {TABLE_LIMIT:,} that are fetched from a source; use a column with fewer values"
                )
            refuse_cells(sources[0], rows, wanted, _BYTES_OF_A_PIECE, "overlaps by slice", int(count))
            *fetched, n = queries.fetched_columns(cells.select(*wanted, "n"))
    return [queries.numbered(each) for each in fetched], as_integers(n, known.counts.size)


def _joined(
    opened: Sequence[Opened], beside: Sequence[Opened], own: Sequence[Sequence[nw.Expr]]
) -> queries.Lazy:
    """The labels of each record and its values; its name may be of one type for each other source."""
    u, v, *third = opened
    if u.source.source.is_same(v.source.source) and u.source.record == v.source.record and not third:
        return u.named_rows().select(u.label.alias("u"), v.label.alias("v"), *own[0], *own[1])
    names: list[nw.Expr] = []
    for number, each in enumerate(beside):
        assert each.record is not None  # two sources without records are one source, or were refused
        names.append(each.record.alias(f"k{number}"))
    rows = u.named_rows().select(*names, u.label.alias("u"), *own[0])
    for number, (side, label) in enumerate(zip(opened[1:], ("v", "w"), strict=False)):
        assert side.record is not None  # as above
        if number and (found := queries.fetched([queries.repeated_records(side.frame, side.record, 1)])):
            raise OverlapError(f"the record {found[0][0]!r} occurs twice in {side.source.source}; keep one")
        labelled = [side.label.alias(label)] if label == "v" else []
        other = side.named_rows().select(side.record.alias(f"{label}_id"), *labelled, *own[number + 1])
        rows = rows.join(other, left_on=f"k{number}", right_on=f"{label}_id", how="inner")
    return rows
