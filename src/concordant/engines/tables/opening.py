"""Two sources opened for one engine: their frames, and their columns in types that all engines compare."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from narwhals.stable.v2.dtypes import DType

from concordant.engines.tables import files, queries
from concordant.engines.tables.files import WantedColumns
from concordant.errors import InputError, LabelError, ParameterError, kind_of
from concordant.partitions.partition import SourcePartition
from concordant.partitions.sources import Files

ROLES = ("reference", "candidate")

# How columns of Python's objects become columns of one type.
_ANY_KIND = "any"
# Types that PyArrow can neither filter nor take from, and those that hold the same.
_VIEWS = {"string_view": "large_string", "binary_view": "large_binary"}
_CASTS = {"Object": ", for instance dates by pandas.to_datetime, and other objects by .astype(str)"}


@dataclass(slots=True)
class Opened:
    """One side, ready to be asked: its frame and its columns in a form that all libraries understand."""

    role: str
    source: SourcePartition
    frame: queries.Lazy
    label: nw.Expr
    record: nw.Expr | None
    null_label: str  # what a missing label is called

    def named_rows(self) -> queries.Lazy:
        """The rows that name a record, or all where records have no names."""
        return self.frame if self.record is None else self.frame.filter(~self.record.is_null())

    def rows(self) -> queries.Lazy:
        """The record and the label, of rows that name a record."""
        assert self.record is not None
        return queries.side(self.frame, self.record, self.label, "u" if self.role == ROLES[0] else "v")


def conventions_of(
    sources: tuple[SourcePartition, SourcePartition], unmatched: str, engine: str
) -> dict[str, str]:
    """What was agreed on, and who counted, as the signature prints it."""
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


def is_eager(source: SourcePartition) -> bool:
    return not isinstance(source.source, Files) and isinstance(frame_of(source), nw.DataFrame)


def frame_of(source: SourcePartition) -> Any:
    if isinstance(source.source, Files):
        raise InputError(f"{source.source} are files and the other side is not; scan both, or read both")
    try:
        return nw.from_native(source.source.native)
    except TypeError as error:
        raise InputError(
            f"{source.source} is not a dataframe that concordant reads: hand over a frame of pandas, Polars, "
            "PyArrow, Modin, Dask, PySpark, SQLFrame or Ibis, or a DuckDB relation"
        ) from error
    except DuplicateError as error:
        raise InputError(
            f"{source.source} has columns of the same name, so a name does not say which is meant; rename "
            f"them, or hand over only those that are compared ({' '.join(str(error).split())})"
        ) from None


def own_columns(source: SourcePartition, columns: set[str | None]) -> Any:
    """These columns of a dataframe in memory, which its owner may change; lazy ones stay where they are."""
    frame = frame_of(source)
    if not isinstance(frame, nw.DataFrame) or frame.implementation.is_pyarrow():  # Arrow's never change
        return frame.to_native()
    check_columns(source, frame.columns)
    return frame.select(name for name in frame.columns if name in columns).clone().to_native()


def opened_sides(
    sources: tuple[SourcePartition, SourcePartition], stack: ExitStack, threads: int
) -> tuple[Opened, Opened]:
    frames_of = _frames_of(sources, stack, threads)
    kinds = [frame.implementation for frame in frames_of]
    if kinds[0] is not kinds[1]:
        raise InputError(
            f"the reference is {sources[0].source} and the candidate {sources[1].source}: one engine has to "
            "join them, so convert one of them to the kind of the other"
        )
    _refuse_two_connections(sources, frames_of)
    ids = ids_in_one_type(sources, frames_of)
    one, other = map(_side, ROLES, sources, frames_of, ids)
    return one, other


def opened_with(
    sources: Sequence[SourcePartition], stack: ExitStack, threads: int, unit: str | None = None
) -> list[tuple[Opened, Opened]]:
    """The reference beside each candidate, opened by one engine, their records in one type.

    ``unit`` is one more column of the reference.
    """
    frames = _frames_of_many(sources, stack, threads, unit)
    if len({frame.implementation for frame in frames}) > 1:
        raise InputError(
            f"these are {', '.join(str(source.source) for source in sources)}: one engine has to join them, "
            "so convert all to one kind"
        )
    _refuse_two_connections(sources, frames)
    pairs: list[tuple[Opened, Opened]] = []
    for source, frame in zip(sources[1:], frames[1:], strict=True):
        both, of_both = (sources[0], source), [frames[0], frame]
        ids = ids_in_one_type(both, of_both)
        one, other = map(_side, ROLES, both, of_both, ids)
        pairs.append((one, other))
    return pairs


def _side(role: str, source: SourcePartition, frame: queries.Lazy, record: nw.Expr | None) -> Opened:
    label = _label(source, frame, role)
    return Opened(role, source, frame, label, record, null_label(_type_of_label(source, frame)))


def _frames_of_many(
    sources: Sequence[SourcePartition], stack: ExitStack, threads: int, unit: str | None
) -> list[queries.Lazy]:
    columns = [_columns_of(source) for source in sources]
    if unit is not None:
        columns[0] = tuple(dict.fromkeys((*columns[0], unit)))
    if all(isinstance(source.source, Files) for source in sources):
        asked = [WantedColumns(each.source, wanted) for each, wanted in zip(sources, columns, strict=True)]  # type: ignore[arg-type]  # all are files
        found = [nw.from_native(native) for native in stack.enter_context(files.opened(asked, threads))]
    else:
        found = [frame_of(source) for source in sources]
    for source, frame, wanted in zip(sources, found, columns, strict=True):
        check_columns(source, _column_names(source, frame), wanted)
        _check_types(source, frame)
    return [_prepared(frame, wanted) for frame, wanted in zip(found, columns, strict=True)]


def _frames_of(
    sources: tuple[SourcePartition, SourcePartition], stack: ExitStack, threads: int
) -> list[queries.Lazy]:
    """The frames of both sides; one and the same where they lie in one source."""
    alike = sources[0].source.is_same(sources[1].source)
    wanted = sources[:1] if alike else sources
    paths = [source.source for source in wanted if isinstance(source.source, Files)]
    columns = _columns_of(*sources)
    if len(paths) == len(wanted):
        asked = [
            WantedColumns(files_of, columns if alike else _columns_of(source))
            for files_of, source in zip(paths, wanted, strict=True)
        ]
        found = [nw.from_native(native) for native in stack.enter_context(files.opened(asked, threads))]
    else:
        found = [frame_of(source) for source in wanted]
    for source, frame in zip(sources, found * (3 - len(found)), strict=True):
        check_columns(source, _column_names(source, frame))
        _check_types(source, frame)
    return [_prepared(frame, columns) for frame in found] * (3 - len(found))


def _refuse_two_connections(sources: Sequence[SourcePartition], frames: Sequence[queries.Lazy]) -> None:
    """DuckDB joins relations of one connection only."""
    if not frames[0].implementation.is_duckdb() or any(isinstance(each.source, Files) for each in sources):
        return
    import duckdb

    try:
        one, *others = (frame.to_native() for frame in frames)
        for other in others:
            one.set_alias("one").cross(other.set_alias("other"))  # which is not carried out
    except duckdb.InvalidInputException as error:
        raise InputError(
            "these relations of DuckDB are of several connections, and it joins what one connection holds; "
            "make all of them by one, or hand over dataframes in memory, as relation.pl() makes one"
        ) from error


def _column_names(source: SourcePartition, frame: queries.Lazy) -> list[str]:
    """The columns of a frame; a relation of DuckDB needs its connection for all that is asked of it."""
    refusals: tuple[type[Exception], ...] = ()
    if frame.implementation.is_duckdb():
        import duckdb

        refusals = (duckdb.Error,)
    try:
        return list((frame.select(nw.all()) if refusals else frame).collect_schema().names())
    except refusals as error:
        raise InputError(
            f"{source.source} cannot be asked any more ({error}): keep its connection open until everything "
            "is read off the comparison, or hand over a dataframe in memory, as relation.pl() makes one"
        ) from error


def are_eager(sources: tuple[SourcePartition, SourcePartition]) -> bool:
    """Whether both lie in dataframes in memory, of one library."""
    if any(isinstance(source.source, Files) for source in sources):
        return False
    one, other = (frame_of(source) for source in sources)
    return (
        isinstance(one, nw.DataFrame)
        and isinstance(other, nw.DataFrame)
        and one.implementation is other.implementation
    )


def eager_frames(sources: tuple[SourcePartition, SourcePartition]) -> list[Any]:
    """Both dataframes, which lie in memory, their columns checked."""
    frames = []
    for role, source in zip(ROLES, sources, strict=True):
        frame = frame_of(source)
        check_columns(source, frame.columns)
        if frame.implementation.is_modin():
            frame = nw.from_native(frame.to_native()._to_pandas())  # noqa: SLF001  (what Modin's own guide names)
        _label(source, frame, role)  # refuses types that no label has
        frames.append(nan_as_null(without_views(frame, [source]), [source]))
    return frames


def _columns_of(*sources: SourcePartition) -> tuple[str, ...]:
    names = (name for source in sources for name in (source.record, source.cluster) if name is not None)
    return tuple(dict.fromkeys(names))


def _check_types(source: SourcePartition, frame: queries.Lazy) -> None:
    """PyArrow keeps UUIDs and other extensions that it can neither join nor group."""
    if not frame.implementation.is_pyarrow():
        return
    native, schema = frame.to_native(), frame.collect_schema()
    for name in (source.record, source.cluster):
        if name is not None and schema[name] == nw.Unknown:
            raise InputError(
                f"PyArrow cannot group by {name!r}, which is of type {native.schema.field(name).type}; "
                "cast it, for instance a UUID to pyarrow.binary(16), or hand over a relation of DuckDB"
            )


def check_columns(source: SourcePartition, columns: list[str], wanted: Sequence[str] | None = None) -> None:
    """Refuse a source that lacks a column of its own, or one of those that are wanted."""
    for name in _columns_of(source) if wanted is None else wanted:
        if name not in columns:
            raise files.no_column(source.source, name, columns)


def _prepared(frame: Any, columns: tuple[str, ...]) -> queries.Lazy:
    """Frames of pandas and Dask turn integers into floats where a join leaves gaps: types that do not."""
    kind = frame.implementation
    if kind.is_sqlframe() and hasattr(frame.to_native().session, "_conn"):
        frame = _of_sqlframe(frame)
    if kind.is_modin():
        frame = nw.from_native(frame.to_native()._to_pandas())  # noqa: SLF001  (what Modin's own guide names)
        kind = frame.implementation
    if kind.is_pandas():
        native = frame.to_native()
        native = native[[x for x in native.columns if x in columns]]
        plain = [x for x in native.columns if isinstance(native[x].dtype, np.dtype)]
        frame = nw.from_native(native.assign(**{x: native[x].convert_dtypes() for x in plain}))
    if kind.is_dask():
        native = frame.to_native()
        types = {x: kind for x, kind in native.dtypes.items() if x in columns and isinstance(kind, np.dtype)}
        gaps = {x: f"{kind}[pyarrow]" for x, kind in types.items() if kind.kind in "iu"}
        frame = nw.from_native(native.astype(gaps))
    return frame.lazy()  # type: ignore[no-any-return]  # narwhals' frames are generic


def _of_sqlframe(frame: Any) -> Any:
    """SQLFrame over DuckDB as the relation it stands for: SQLFrame takes minutes to write a long query."""
    native = frame.to_native()
    connection = native.session._conn  # noqa: SLF001  (nothing else gives it)
    if type(connection).__name__ != "DuckDBPyConnection":
        return frame
    return nw.from_native(connection.sql(native.sql(optimize=False, dialect="duckdb")))


def ids_in_one_type(
    sources: tuple[SourcePartition, SourcePartition], opened: list[queries.Lazy]
) -> tuple[nw.Expr | None, nw.Expr | None]:
    """The record columns in one type, or an error that says why they have none."""
    if sources[0].record is None or sources[1].record is None:
        return None, None
    types = [
        frame.collect_schema()[source.record]
        for source, frame in zip(sources, opened, strict=True)
        if source.record
    ]
    kinds = [_kind_of_id(*each) for each in zip(ROLES, sources, types, opened, strict=True)]
    if _ANY_KIND in kinds:  # a column without rows is of the type of the other
        other = next(
            (dtype for dtype, kind in zip(types, kinds, strict=True) if kind != _ANY_KIND), nw.String()
        )
        return nw.col(sources[0].record).cast(other), nw.col(sources[1].record).cast(other)
    if {*kinds} == {"integer", "text"} and any(files.is_text(source.source) for source in sources):
        kinds = ["text", "text"]  # a number has one spelling, so that it matches no other number
    if kinds[0] != kinds[1]:
        raise InputError(
            f"the record ids have different types: {sources[0].record!r} of the reference is {types[0]}, "
            f"{sources[1].record!r} of the candidate is {types[1]}; cast one of them"
        )
    columns = [nw.col(source.record) for source in sources if source.record]
    wide = any(kind == nw.Int128 for kind in types)
    common = {"integer": nw.Int128() if wide else nw.Int64(), "text": nw.String()}.get(kinds[0])
    if common is not None and any(kind != common for kind in types):
        columns = [column.cast(common) for column in columns]
    return columns[0], columns[1]


def _kind_of_id(role: str, source: SourcePartition, dtype: DType, frame: queries.Lazy) -> str:
    if dtype == nw.UInt64:
        return "unsigned"
    if dtype.is_integer():
        return "integer"
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return "text"
    shown = _shown_type(dtype, frame, source.record or "")
    is_no_id = dtype.is_float() or _is_nested(dtype, shown)
    if (is_no_id or dtype == nw.Unknown) and not len(frame.lazy().head(1).collect()):
        return _ANY_KIND
    if is_no_id:
        raise InputError(
            f"the record ids {source.record!r} of the {role} are of type {shown}; ids are integers, text, "
            f"UUIDs or dates, which are equal or not: cast them first{_CASTS.get(str(dtype), '')}"
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


def _type_of_label(source: SourcePartition, frame: queries.Lazy) -> DType:
    return frame.collect_schema()[source.cluster]


def _label(source: SourcePartition, frame: queries.Lazy, role: str) -> nw.Expr:
    dtype = _type_of_label(source, frame)
    shown = _shown_type(dtype, frame, source.cluster)
    if _is_nested(dtype, shown):
        raise LabelError(
            f"the labels {source.cluster!r} of the {role} are of type {shown}; a label is a single value, "
            "such as a number or a text"
        )
    _check_noise_type(source, dtype)
    column = nw.col(source.cluster)
    if not dtype.is_float():
        return column
    return nw.when(_is_number(column, frame)).then(column + 0.0)  # NaN is null; -0.0 and 0.0 are one label


def _is_number(column: nw.Expr, frame: queries.Lazy) -> nw.Expr:
    """Where a float is not NaN.

    The statistics of a Parquet file leave NaN out, and DuckDB answers isnan() from them; where all else in
    the file is one number, it takes NaN for that number in a text, too. A difference has to be computed.
    """
    if not (frame.implementation.is_duckdb() or frame.implementation.is_ibis()):
        return ~column.is_nan()
    return (column - column == 0.0) | (column == inf) | (column == -inf)


def without_views(frame: Any, sources: Sequence[SourcePartition]) -> Any:
    """The compared columns of a dataframe in memory that has nulls there, of types that can be filtered."""
    names = _columns_of(*sources)
    if not any(frame.get_column(name).null_count() for name in names):
        return frame
    native = frame.select(*names).to_native()
    for place, name in enumerate(names if frame.implementation.is_pyarrow() else ()):
        if (other := _VIEWS.get(str(native[name].type))) is not None:
            native = native.set_column(place, name, native[name].cast(other))
    for name in names if frame.implementation.is_pandas() else ():
        if (other := _VIEWS.get(str(native[name].dtype).removesuffix("[pyarrow]"))) is not None:
            held = native[name].array  # which pandas cannot cast either
            native = native.assign(**{name: type(held)(held.__arrow_array__().cast(other))})
    return nw.from_native(native)


def nan_as_null(frame: Any, sources: Sequence[SourcePartition]) -> Any:
    """A dataframe in memory whose labels are null where they were NaN: some libraries have no other null."""
    schema = frame.schema
    floats = dict.fromkeys(source.cluster for source in sources if schema[source.cluster].is_float())
    labels = (nw.when(~nw.col(name).is_nan()).then(nw.col(name)).alias(name) for name in floats)
    return frame.with_columns(*labels) if floats else frame


def null_label(dtype: DType) -> str:
    """What a label is called that is missing from a column of this type."""
    return "null or NaN label" if dtype.is_float() else "null label"


def _check_noise_type(source: SourcePartition, dtype: DType) -> None:
    noise = source.noise
    if noise is None:
        return
    fits = (
        isinstance(noise, str)
        if dtype in (nw.String, nw.Categorical, nw.Enum)
        else isinstance(noise, (int, float)) and not isinstance(noise, bool)
        if dtype.is_numeric()
        else True
    )
    if not fits:
        raise ParameterError(
            f"this is {kind_of(noise)}, but the labels {source.cluster!r} are {dtype}; give noise as "
            "the labels have it",
            given={"noise": noise},
        )
