"""Rows fetched from sources: attributes of records on pages, memberships of covers, labels for trees."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant.clusterings.encoding import partition_of_labels
from concordant.clusterings.labels import MemoryLabels, is_missing
from concordant.clusterings.partition_data import SourcePartition
from concordant.engines.tables import queries
from concordant.engines.tables.opening import check_columns, columns_of, frame_of
from concordant.errors import InputError, ParameterError, Remedy, few
from concordant.foundation.conventions import Conventions
from concordant.foundation.spelling import counted
from concordant.sources import descriptions, files
from concordant.sources.descriptions import Files, Frame, no_column


def record_attributes(
    records: Any, record: str | None, columns: Sequence[str] | None, images: str | None, *, are_named: bool
) -> RecordAttributes | None:
    """The user's choice of record columns for a page; None if there is none."""
    given = {"record": record, "show": columns, "images": images}
    if records is None:
        said = {name: value for name, value in given.items() if value is not None}
        if said:
            raise ParameterError("this names a column of details=; pass details= too", given=said)
        return None
    if columns is not None and (isinstance(columns, str) or not all(isinstance(x, str) for x in columns)):
        raise ParameterError("name the columns in a list, such as ['name', 'born']", given={"show": columns})
    is_path = isinstance(records, (str, os.PathLike))
    source = descriptions.files(records, None, None) if is_path else Frame(records)
    if columns is None:
        names = (
            files.preview(source)[0]
            if isinstance(source, Files)
            else _opened(source).collect_schema().names()
        )
        columns = [name for name in names if name not in (record, images)]
    pictures = () if images is None else (images,)
    return RecordAttributes(source, record, (*columns, *pictures), bool(pictures), are_named)


def _opened(source: Frame) -> Any:
    try:
        return nw.from_native(source.native)
    except TypeError as error:
        raise ParameterError(
            f"details= is {source}, which is not a dataframe that concordant reads; pass a frame of "
            "pandas, Polars, PyArrow, DuckDB or Spark, or the name of a file",
        ) from error


@dataclass(frozen=True, slots=True)
class RecordAttributes:
    """Columns of a source, each row a record: by the column that names it, by the index, or by position."""

    source: Frame | Files
    record: str | None
    columns: tuple[str, ...]
    images: bool = False  # whether the last column holds pictures
    are_named: bool = True  # whether records are identified by name, not by position

    def of(self, records: Sequence[Any], /) -> Mapping[Any, tuple[Any, ...]]:
        """The attributes of these records, as far as they are there; an error if none is."""
        rows = self.rows(records)
        if records and not rows:
            raise InputError(
                f"none of {counted(len(records), 'record')} that the page shows ({few(records)}) is in "
                f"{self.source}; records match if both sides name them in the same way, as text or as numbers"
            )
        return rows

    def rows(self, records: Sequence[Any], /) -> Mapping[Any, tuple[Any, ...]]:
        """The attributes of these records, as far as they are there, by one query."""
        if not records:
            return {}
        with ExitStack() as stack:
            frame = self._frame(stack)
            return self._by_name(frame, records) if self.record is not None else self._by_row(frame, records)

    def _frame(self, stack: ExitStack) -> Any:
        wanted = (*(() if self.record is None else (self.record,)), *self.columns)
        if isinstance(self.source, Files):
            asked = self.source, tuple(dict.fromkeys(wanted))
            return nw.from_native(stack.enter_context(files.opened([asked], 0))[0])
        frame = _opened(self.source)
        there = frame.collect_schema().names()
        for name in wanted:
            if name not in there:
                raise no_column(self.source, name, there)
        return frame

    def _by_name(self, frame: Any, records: Sequence[Any]) -> dict[Any, tuple[Any, ...]]:
        assert self.record is not None
        is_text = frame.collect_schema()[self.record] in (nw.String, nw.Categorical, nw.Enum)
        alike = {name: name for name in records if isinstance(name, str) == is_text}
        if files.is_text(self.source):  # which has no types: an integer is spelled in one way
            alike = {str(name): name for name in records if isinstance(name, int)} | alike
        if not alike:
            return {}
        chosen = frame.filter(nw.col(self.record).is_in(list(alike))).select(self.record, *self.columns)
        found: dict[Any, tuple[Any, ...]] = {}
        rows = chosen.rows() if isinstance(chosen, nw.DataFrame) else queries.fetched([chosen])
        for name, *values in rows:
            if name in found:
                raise InputError(f"{self.source} contains the record {name!r} twice; it should have one row")
            found[name] = tuple(values)
        return {alike[name]: values for name, values in found.items()}

    def _by_row(self, frame: Any, records: Sequence[Any]) -> dict[Any, tuple[Any, ...]]:
        index = nw.maybe_get_index(frame) if self.are_named else None
        if not self.are_named and not isinstance(frame, nw.DataFrame):
            raise ParameterError(
                f"the records are identified by position, and the rows of {self.source} have no fixed "
                "order; pass a dataframe in memory"
            )
        if not isinstance(frame, nw.DataFrame) or (self.are_named and index is None):
            raise ParameterError(
                f"the records have names ({few(records)}), and it is not known which column of "
                f"{self.source} has them",
                remedies=[Remedy("name it", record=...)],
            )
        place = {name: number for number, name in enumerate(index)} if index is not None else None
        at = {name: name if place is None else place.get(name) for name in records}
        there = {name: int(row) for name, row in at.items() if row is not None and int(row) < len(frame)}
        rows = frame.select(*self.columns)[list(there.values())].rows()
        return dict(zip(there, rows, strict=True))


def clusters_of(source: SourcePartition, records: Sequence[Any]) -> dict[Any, Any]:
    """The label of each of these records that the source keeps; None of a singleton.

    Records may be the text of integers, as tables of pairs have them.
    """
    if source.record is None:
        raise ParameterError(
            f"{source.source} does not name its records, so decisions about them cannot be found",
            remedies=[Remedy("name the column of the record", record=...)],
        )
    numbers = {int(name): name for name in records if isinstance(name, str) and name.isdecimal()}
    wanted = [*records, *(number for number in numbers if number not in set(records))]
    rows = RecordAttributes(source.source, source.record, (source.cluster,)).rows(wanted)
    found: dict[Any, Any] = {}
    for name, (label,) in rows.items():
        is_null = is_missing(label)
        is_noise = not is_null and source.noise_as is not None and label == source.noise
        treatment = source.nulls if is_null else source.noise_as if is_noise else "cluster"
        if treatment != "drop":
            found[name if name in records else numbers[name]] = None if treatment == "singletons" else label
    return found


def beside_numbers(
    source: SourcePartition, records: Any, threads: int, *, untyped: bool
) -> tuple[SourcePartition, SourcePartition] | MemoryLabels:
    """A source read into memory, and these records beside it, each in a numbered cluster.

    ``untyped`` records are the text of a file without types, where integers are spelled. Without PyArrow,
    the labels of the source alone, with these names of records.
    """
    assert source.record is not None  # the source has records
    columns = columns_of(source)
    with ExitStack() as stack:
        if isinstance(source.source, Files):
            files.refuse_if_too_large([(source.source, columns)])
            (native,) = stack.enter_context(files.opened([(source.source, columns)], threads))
            frame: Any = nw.from_native(native)
        else:
            frame = frame_of(source)
            check_columns(source, frame.columns)
        kind = frame.collect_schema()[source.record]
        rows = None
        if not isinstance(frame, nw.DataFrame):
            frame = frame.select(*columns)
            if find_spec("pyarrow") is None:
                rows = queries.fetched([frame])
            else:
                frame = frame.collect(backend="pyarrow")
    is_integer = isinstance(records, np.ndarray) and records.dtype.kind in "iu"
    is_spelled = (untyped and kind.is_integer()) or (is_integer and files.is_text(source.source))
    if (
        not is_spelled
        and is_integer != kind.is_integer()
        and (is_integer or isinstance(next(iter(records), None), str))
    ):
        raise InputError(
            f"the record ids have different types: {source.record!r} of {source.source} is {kind}, and the "
            f"hierarchy names {few(records)}; store both as integers or both as text. Ids that are read from "
            "a CSV file match either"
        )
    if rows is not None:
        names = {str(name): name for name in np.asarray(records).tolist()} if is_spelled else {}
        return _named_labels(source, rows, names)
    if untyped and kind.is_integer():
        frame = frame.with_columns(nw.col(source.record).cast(nw.String()))
    elif is_spelled:
        records = [str(each) for each in records.tolist()]
    held = replace(source, source=Frame(frame.to_native()))
    numbers = {"record": records, "number": np.arange(len(records))}
    try:
        own = nw.from_dict(numbers, backend=frame.implementation)
    except (TypeError, ValueError) as error:  # each library raises its own
        raise InputError(
            f"the records of the other side ({few(records)}) are not of one type, as a column of "
            f"{source.source} is; pass a mapping from record to cluster instead"
        ) from error
    return held, SourcePartition(Frame(own.to_native()), "record", "number")


def _named_labels(
    source: SourcePartition, rows: Sequence[tuple[Any, ...]], names: Mapping[str, Any]
) -> MemoryLabels:
    """Rows of record and label as labels in memory; ``names`` has the record with each spelling."""
    labels: dict[Any, Any] = {}
    for record, label in rows:
        name = names.get(str(record), record)
        if is_missing(name) or name in labels:
            what = f"contains the record {record!r} twice" if name in labels else "has a row without a record"
            raise InputError(f"{source.source} {what}; each record belongs to one cluster")
        labels[name] = label
    conventions = Conventions(nulls=source.nulls, noise=source.noise, noise_as=source.noise_as)
    what = f"the labels {source.cluster!r} of {source.source}"
    return partition_of_labels(list(labels.values()), conventions, what, list(labels))
