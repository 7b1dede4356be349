"""Sources opened for one engine: their frames, and their columns in types that can be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

import narwhals.stable.v2 as nw
from narwhals.exceptions import DuplicateError
from narwhals.stable.v2.dtypes import DType

from concordant.clusterings.partition_data import SourcePartition
from concordant.engines.tables import queries
from concordant.errors import InputError, LabelError, ParameterError, kind_of
from concordant.foundation import remedies
from concordant.foundation.spelling import counted
from concordant.sources import files, relations
from concordant.sources.descriptions import Files, Frame, no_column, repeated_columns
from concordant.sources.machine import refuse_beyond_limit, resident_memory

ROLES = ("reference", "candidate")
SourcePair = tuple[SourcePartition, SourcePartition]

_BYTES_OF_AN_OBJECT = 150

# How columns of Python's objects become columns of one type.
_ANY_KIND = "any"
_NULLS = '"NULL"'  # DuckDB's type of a column of nulls alone
_TEXT = (nw.String, nw.Categorical, nw.Enum)
_CASTS = {"Object": ", for instance dates by pandas.to_datetime, and other objects by .astype(str)"}


@dataclass(slots=True)
class Opened:
    """One side, ready for queries: its rows, and its columns as expressions."""

    role: str
    source: SourcePartition
    scan: Callable[[], queries.Lazy]
    label: nw.Expr
    record: nw.Expr | None
    null_label: str  # the name of a missing label

    @property
    def frame(self) -> queries.Lazy:
        """The rows, for one query: a stream is read once."""
        return self.scan()

    def named_rows(self) -> queries.Lazy:
        """The rows that name a record, or all where records have no names."""
        return self.frame if self.record is None else self.frame.filter(~self.record.is_null())

    def rows(self) -> queries.Lazy:
        """The record and the label, of rows that name a record."""
        assert self.record is not None
        return queries.side(self.frame, self.record, self.label, "u" if self.role == ROLES[0] else "v")


def conventions_of(sources: SourcePair, unmatched: str, engine: str) -> dict[str, str]:
    """The conventions and the engine, as the signature prints them."""
    nulls = [source.nulls for source in sources]
    noise = [
        f"{source.noise!r} as {source.noise_as} ({role})"
        for role, source in zip(ROLES, sources, strict=True)
        if source.noise_as is not None
    ]
    return {
        "unmatched": unmatched,
        "nulls": nulls[0] if nulls[0] == nulls[1] else f"{nulls[0]} and {nulls[1]}",
        "noise": ", ".join(noise) or "none",
        "engine": engine,
    }


def is_eager(*sources: SourcePartition) -> bool:
    """Whether all are dataframes in memory, of one library."""
    if any(isinstance(source.source, Files) for source in sources):
        return False
    frames = [frame_of(source) for source in sources]
    return (
        all(isinstance(frame, nw.DataFrame) for frame in frames)
        and len({frame.implementation for frame in frames}) == 1
    )


def is_of_spark(source: SourcePartition) -> bool:
    """Whether Spark counts the source."""
    return isinstance(source.source, Frame) and source.source.is_of_spark


def refuse_threads(sources: Sequence[SourcePartition], threads: int) -> None:
    """Refuse ``threads=`` for Spark, which has settings of its own."""
    if threads and any(map(is_of_spark, sources)):
        raise ParameterError("Spark has its own settings; leave this out", given={"threads": threads})


def frame_of(source: SourcePartition) -> Any:
    """The dataframe as narwhals has it."""
    assert isinstance(source.source, Frame)  # files have no frame
    try:
        return nw.from_native(source.source.native)
    except TypeError as error:
        raise InputError(
            f"{source.source} is not a dataframe that concordant reads: pass a frame of pandas, Polars, "
            "PyArrow, Modin, Dask, PySpark, SQLFrame or Ibis, or a DuckDB relation"
        ) from error
    except DuplicateError as error:
        raise repeated_columns(source.source, error) from None


def own_columns(source: SourcePartition, columns: set[str | None]) -> Any:
    """These columns of a dataframe in memory, which its owner may change; lazy ones stay where they are."""
    frame = frame_of(source)
    if not isinstance(frame, nw.DataFrame) or frame.implementation.is_pyarrow():  # Arrow's never change
        return frame.to_native()
    check_columns(source, frame.columns)
    return frame.select(name for name in frame.columns if name in columns).clone().to_native()


def opened_sides(sources: SourcePair, stack: ExitStack, threads: int) -> tuple[Opened, Opened]:
    """Both sides, opened by one engine, their records in one type."""
    return opened_with(sources, stack, threads)[0]


def opened_with(
    sources: Sequence[SourcePartition],
    stack: ExitStack,
    threads: int,
    more: Mapping[int, Sequence[str]] | None = None,
) -> list[tuple[Opened, Opened]]:
    """The reference beside each candidate, opened by one engine, their records in one type.

    ``more`` has further columns of some of the sources, by the number of the source.
    """
    scans = _scans_of(sources, stack, threads, more or {})
    frames = [scan() for scan in scans]
    pairs: list[tuple[Opened, Opened]] = []
    for number, source in enumerate(sources[1:], start=1):
        both, of_both = (sources[0], source), [frames[0], frames[number]]
        ids = ids_in_one_type(both, of_both)
        one, other = (
            Opened(
                role,
                side,
                scan,
                label_column(side, own, role),
                record,
                null_label(own.collect_schema()[side.cluster]),
            )
            for role, side, scan, own, record in zip(
                ROLES, both, (scans[0], scans[number]), of_both, ids, strict=True
            )
        )
        pairs.append((one, other))
    return pairs


def _scans_of(
    sources: Sequence[SourcePartition], stack: ExitStack, threads: int, more: Mapping[int, Sequence[str]]
) -> list[Callable[[], queries.Lazy]]:
    """A function that makes the frame of each source; two columns of one source have the same frame."""
    columns = [
        tuple(dict.fromkeys((*columns_of(source), *more.get(number, ()))))
        for number, source in enumerate(sources)
    ]
    for source, names in zip(sources, columns, strict=True):
        if isinstance(source.source, Frame):
            check_columns(source, _column_names(source, frame_of(source)), names)
    if any(map(is_of_spark, sources)):
        if not all(map(is_of_spark, sources)):
            raise InputError(
                f"these are {', '.join(str(source.source) for source in sources)}: Spark joins only its own "
                "dataframes, so pass all as these, or write all to files"
            )
        return [partial(frame_of, source) for source in sources]
    is_one = len(sources) == 2 and sources[0].source.is_same(sources[1].source)
    distinct = sources[:1] if is_one else sources
    wanted = [tuple(dict.fromkeys(name for names in columns for name in names))] if is_one else columns
    asked = list(zip((source.source for source in distinct), wanted, strict=True))
    scans = stack.enter_context(relations.opened(asked, threads))
    found: list[Callable[[], queries.Lazy]] = [partial(_frame_of_relation, scan) for scan in scans]
    return found * (len(sources) // len(found))


def _frame_of_relation(scan: relations.Scan) -> queries.Lazy:
    frame: queries.Lazy = nw.from_native(scan())
    return frame


def _column_names(source: SourcePartition, frame: queries.Lazy) -> list[str]:
    """The columns of a frame; a relation of DuckDB needs its connection for every query."""
    refusals: tuple[type[Exception], ...] = ()
    if frame.implementation.is_duckdb():
        import duckdb

        refusals = (duckdb.Error,)
    try:
        return list((frame.select(nw.all()) if refusals else frame).collect_schema().names())
    except refusals as error:
        raise InputError(
            f"{source.source} can no longer be queried ({error}): keep its connection open until you "
            "have read all results, or pass a dataframe in memory, such as relation.pl()"
        ) from error


def columns_of(*sources: SourcePartition) -> tuple[str, ...]:
    """The columns of records and labels, each once."""
    names = (name for source in sources for name in (source.record, source.cluster) if name is not None)
    return tuple(dict.fromkeys(names))


def check_columns(source: SourcePartition, columns: list[str], wanted: Sequence[str] | None = None) -> None:
    """Refuse a source that lacks a column of its own, or one of those that are wanted."""
    for name in columns_of(source) if wanted is None else wanted:
        if name not in columns:
            raise no_column(source.source, name, columns)


def ids_in_one_type(sources: SourcePair, opened: list[queries.Lazy]) -> tuple[nw.Expr | None, nw.Expr | None]:
    """The record columns in one type, or an error that explains why there is none."""
    if sources[0].record is None or sources[1].record is None:
        return None, None
    types = [
        frame.collect_schema()[source.record]
        for source, frame in zip(sources, opened, strict=True)
        if source.record
    ]
    kinds = [_kind_of_id(*each) for each in zip(ROLES, sources, types, opened, strict=True)]
    if _ANY_KIND in kinds:  # a column without rows takes the type of the other
        other = next(
            (dtype for dtype, kind in zip(types, kinds, strict=True) if kind != _ANY_KIND), nw.String()
        )
        return nw.col(sources[0].record).cast(other), nw.col(sources[1].record).cast(other)
    if {*kinds} == {"integer", "text"} and any(files.is_text(source.source) for source in sources):
        kinds = ["text", "text"]  # a number has one spelling, so it matches no other number
    if kinds[0] != kinds[1]:
        raise InputError(
            f"the record ids have different types: {sources[0].record!r} of the reference is {types[0]}, "
            f"{sources[1].record!r} of the candidate is {types[1]}; cast one of them"
        )
    columns = [nw.col(source.record) for source in sources if source.record]
    common = {"integer": nw.Int64(), "text": nw.String()}.get(kinds[0])
    if common is not None and any(kind != common for kind in types):
        columns = [column.cast(common) for column in columns]
    return columns[0], columns[1]


def _kind_of_id(role: str, source: SourcePartition, dtype: DType, frame: queries.Lazy) -> str:
    if dtype == nw.UInt64:
        return "unsigned"
    if dtype.is_integer() and dtype != nw.Int128:
        return "integer"
    if dtype in _TEXT:
        return "text"
    shown = _shown_type(dtype, frame, source.record or "")
    if shown == _NULLS:
        return _ANY_KIND
    is_no_id = dtype.is_float() or _is_nested(dtype, shown)
    if (is_no_id or dtype == nw.Unknown) and not len(frame.lazy().head(1).collect()):
        return _ANY_KIND
    if is_no_id:
        raise InputError(
            f"the record ids {source.record!r} of the {role} are of type {shown}; ids are integers, "
            f"text, UUIDs or dates: cast them first{_CASTS.get(str(dtype), '')}"
        )
    return str(dtype)


def _shown_type(dtype: DType, frame: queries.Lazy, column: str) -> str:
    """A type as users know it: Narwhals has no name for some of DuckDB's."""
    if dtype != nw.Unknown or not frame.implementation.is_duckdb():
        return str(dtype)
    native = frame.to_native()
    return str(native.types[native.columns.index(column)])


def _is_nested(dtype: DType, shown: str) -> bool:
    return dtype.is_nested() or dtype == nw.Object or shown.startswith("MAP(")


def label_column(source: SourcePartition, frame: queries.Lazy, role: str) -> nw.Expr:
    """The labels: NaN is null, and -0.0 and 0.0 are one label; types that no label has are refused."""
    column = nw.col(source.cluster)
    dtype = check_label_type(frame, source.cluster, f"labels {source.cluster!r} of the {role}")
    if dtype == nw.Unknown and isinstance(frame, nw.LazyFrame) and frame.implementation.is_polars():
        stored = str(frame.to_native().collect_schema()[source.cluster])
        if "arrow.bool8" in stored:  # stored as bytes, and Polars would compare their values
            raise LabelError(
                f"the labels {source.cluster!r} of the {role} are of type {stored}; cast them first: "
                f"pl.col({source.cluster!r}).ext.storage() != 0"
            )
    noise = source.noise
    if dtype in _TEXT:
        fits = isinstance(noise, str)
    else:
        fits = not dtype.is_numeric() or (isinstance(noise, (int, float)) and not isinstance(noise, bool))
    if noise is not None and not fits:
        raise ParameterError(
            f"this is {kind_of(noise)}, but the labels {source.cluster!r} are {dtype}; pass noise with "
            "the type of the labels",
            given={"noise": noise},
        )
    if _shown_type(dtype, frame, source.cluster) == _NULLS:
        return column.cast(nw.Int64)
    if not dtype.is_float():
        return column
    is_number = ~column.is_nan()
    if frame.implementation.is_duckdb() or frame.implementation.is_ibis():
        # The statistics of a Parquet file leave NaN out, and DuckDB answers isnan() from them. If all other
        # values of the file are one number, it reads NaN as that number. A difference has to be computed.
        is_number = (column - column == 0.0) | (column == inf) | (column == -inf)
    return nw.when(is_number).then(column + 0.0)


def check_label_type(frame: queries.Lazy, column: str, what: str) -> DType:
    """The type of a column; nested types are refused."""
    dtype = frame.collect_schema()[column]
    shown = _shown_type(dtype, frame, column)
    if _is_nested(dtype, shown):
        raise LabelError(
            f"the {what} are of type {shown}; a label is a single value, such as a number or a text"
        )
    return dtype


def refuse_cells(  # noqa: PLR0917  (what is counted, and how large it is)
    source: SourcePartition, rows: queries.Lazy, keys: Sequence[str], each: int, what: str, count: int | None
) -> None:
    """Refuse cells that do not fit into the memory limit of files; ``count`` is None before they are counted.

    Each takes as many bytes beside its labels; those that are not numbers are Python's objects.
    """
    if not isinstance(source.source, Files) or source.source.memory is None:
        return
    unread = resident_memory() if count is None else None
    number = queries.expected_cells(rows, keys) if count is None else count
    kinds = [rows.collect_schema()[key] for key in keys]
    each += sum(8 if kind.is_integer() or kind.is_float() else _BYTES_OF_AN_OBJECT for kind in kinds)
    words = f"to list {'about ' if count is None else ''}{number:,} {what}"
    refuse_beyond_limit(source.source, number * each, words, unread=unread)


def null_label(dtype: DType) -> str:
    """The name of a missing label in a column of this type."""
    return "null or NaN label" if dtype.is_float() else "null label"


def no_record(role: str, source: SourcePartition, rows: int) -> LabelError:
    """The error for rows without a record."""
    return LabelError(
        f"the {role} has {counted(rows, 'row')} with no record in {source.record!r}",
        remedies=remedies.FOR_NULLS[:1],
    )
