"""Partitions that lie in tables, counted where they lie: what is asked, and what is refused.

One table with two label columns is counted row by row. Two tables are joined by record, and one audit
in the same pass says which records are missing, repeated or without a label.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from narwhals.stable.v2.dtypes import DType

from concordant import _core
from concordant.engines import files, frames, memory, straight
from concordant.engines.brought import Brought
from concordant.engines.plan import ABSENT, NAN, NOISE, NULL, Answer, Policy
from concordant.errors import InputError, LabelError, OverlapError, ParameterError, UnmatchedError
from concordant.labels import encode
from concordant.partition import Aligned, Partition, Unmatched, align
from concordant.statistics import Names, Profile
from concordant.tables import TABLE_LIMIT, Files, Nulls, TablePartition, check_nulls, check_table_limit

_ROLES = ("reference", "candidate")
_NAMED = 3  # how many culprits an error names


@dataclass(slots=True)
class Counted:
    """What came of two tables: the profile, what was agreed on, and what was found on the way."""

    profile: Profile
    conventions: dict[str, str]
    found: dict[str, int] = field(default_factory=dict)
    aligned: Aligned | None = None
    partitions: tuple[Partition, Partition] | None = None
    names: Names | None = None


@dataclass(slots=True)
class _Opened:
    """One side, ready to be asked: its frame and its columns in a form that all libraries understand."""

    role: str
    table: TablePartition
    frame: frames.Lazy
    label: nw.Expr
    record: nw.Expr | None

    def rows(self) -> frames.Lazy:
        """The record and the label, of rows that name a record."""
        assert self.record is not None
        return frames.side(self.frame, self.record, self.label, "u" if self.role == _ROLES[0] else "v")


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
        raise ParameterError(f"unmatched={unmatched!r}: use 'error', 'drop' or 'singletons'")
    check_table_limit(table_limit)
    if nulls is not None:
        check_nulls(nulls)
        reference, candidate = replace(reference, nulls=nulls), replace(candidate, nulls=nulls)
    tables = (reference, candidate)
    together = _in_one_table(tables)
    if together and in_memory and _is_eager(reference):
        return _counted_in_memory(tables, unmatched, threads)
    return _Job(tables, unmatched, together, threads, in_memory).counted(table_limit)


def _conventions(tables: tuple[TablePartition, TablePartition], unmatched: str) -> dict[str, str]:
    nulls = [table.nulls for table in tables]
    noise = [
        f"{table.noise!r} as {table.noise_as} ({role})"
        for role, table in zip(_ROLES, tables, strict=True)
        if table.noise_as is not None
    ]
    return {
        "unmatched": unmatched,
        "nulls": nulls[0] if nulls[0] == nulls[1] else f"{nulls[0]} and {nulls[1]}",
        "noise": ", ".join(noise) or "none",
    }


# -- which tables, and how they hang together --------------------------------------------------------


def _in_one_table(tables: tuple[TablePartition, TablePartition]) -> bool:
    """Whether both labels stand in one row, so that nothing has to be joined."""
    u, v = tables
    if u.source.is_same(v.source) and u.record == v.record:
        return True
    for role, table, other in zip(_ROLES, tables, (v, u), strict=True):
        if table.record is None:
            raise ParameterError(
                f"the {role} is {table.source} without record=, but the other side is {other.source}: "
                "two tables are joined by their records, so say record= on both; two columns of one table "
                "need none"
            )
    return False


def _is_eager(table: TablePartition) -> bool:
    return not isinstance(table.source, Files) and isinstance(_native(table), nw.DataFrame)


def _native(table: TablePartition) -> Any:
    if isinstance(table.source, Files):
        raise InputError(f"{table.source} are files and the other side is not; scan both, or read both")
    try:
        return nw.from_native(table.source.native)
    except TypeError as error:
        raise InputError(
            f"{table.source} is no dataframe that can be read here: hand over a frame of pandas, Polars, "
            "PyArrow, Modin, Dask, PySpark, SQLFrame or Ibis, or a DuckDB relation"
        ) from error
    except DuplicateError as error:
        raise InputError(
            f"{table.source} has columns of the same name, so none can be told by it; rename them, or hand "
            f"over only those that are compared ({' '.join(str(error).split())})"
        ) from None


def _opened(
    tables: tuple[TablePartition, TablePartition], stack: ExitStack, threads: int
) -> tuple[_Opened, _Opened]:
    frames_of = _frames_of(tables, stack, threads)
    kinds = [frame.implementation for frame in frames_of]
    if kinds[0] is not kinds[1]:
        raise InputError(
            f"the reference is {tables[0].source} and the candidate {tables[1].source}: one engine has to "
            "join them, so convert one of them to the kind of the other"
        )
    ids = _ids(tables, frames_of)
    one, other = (
        _Opened(role, table, frame, _label(table, frame, role), record)
        for role, table, frame, record in zip(_ROLES, tables, frames_of, ids, strict=True)
    )
    return one, other


def _frames_of(
    tables: tuple[TablePartition, TablePartition], stack: ExitStack, threads: int
) -> list[frames.Lazy]:
    """The frames of both sides; one and the same where they lie in one table."""
    wanted = tables[:1] if tables[0].source.is_same(tables[1].source) else tables
    if all(isinstance(table.source, Files) for table in tables):
        found = [nw.from_native(native) for native in stack.enter_context(files.opened(wanted, threads))]
    else:
        found = [_native(table) for table in wanted]
    columns = {name for table in tables for name in (table.record, table.cluster) if name is not None}
    for table, frame in zip(tables, found * (3 - len(found)), strict=True):
        _check_columns(table, frame.collect_schema().names())
        _check_types(table, frame)
    return [_prepared(frame, columns) for frame in found] * (3 - len(found))


def _check_types(table: TablePartition, frame: frames.Lazy) -> None:
    """PyArrow keeps UUIDs and other extensions that it can neither join nor group."""
    if not frame.implementation.is_pyarrow():
        return
    native, schema = frame.to_native(), frame.collect_schema()
    for name in (table.record, table.cluster):
        if name is not None and schema[name] == nw.Unknown:
            raise InputError(
                f"PyArrow cannot group by {name!r}, which is of type {native.schema.field(name).type}; "
                "cast it, for instance a UUID to pyarrow.binary(16), or hand over a relation of DuckDB"
            )


def _check_columns(table: TablePartition, columns: list[str]) -> None:
    for name in (table.record, table.cluster):
        if name is not None and name not in columns:
            raise InputError(f"{table.source} has no column {name!r}; it has {', '.join(map(str, columns))}")


def _prepared(frame: Any, columns: set[str]) -> frames.Lazy:
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
    connection = native.session._conn  # noqa: SLF001  (there is no other way to it)
    if type(connection).__name__ != "DuckDBPyConnection":
        return frame
    return nw.from_native(connection.sql(native.sql(optimize=False, dialect="duckdb")))


# -- the types of columns ---------------------------------------------------------------------------


def _ids(
    tables: tuple[TablePartition, TablePartition], opened: list[frames.Lazy]
) -> tuple[nw.Expr | None, nw.Expr | None]:
    """The record columns in one type, or an error that says why they have none."""
    if tables[0].record is None or tables[1].record is None:
        return None, None
    types = [
        frame.collect_schema()[table.record]
        for table, frame in zip(tables, opened, strict=True)
        if table.record
    ]
    kinds = [_kind_of_id(*each) for each in zip(_ROLES, tables, types, strict=True)]
    if {*kinds} == {"integer", "text"} and any(
        isinstance(table.source, Files) and files.is_text(table.source) for table in tables
    ):
        kinds = ["text", "text"]  # a number has one spelling, so that it matches no other number
    if kinds[0] != kinds[1]:
        raise InputError(
            f"the record ids have different types: {tables[0].record!r} of the reference is {types[0]}, "
            f"{tables[1].record!r} of the candidate is {types[1]}; cast one of them"
        )
    columns = [nw.col(table.record) for table in tables if table.record]
    wide = any(kind == nw.Int128 for kind in types)
    common = {"integer": nw.Int128() if wide else nw.Int64(), "text": nw.String()}.get(kinds[0])
    if common is not None and any(kind != common for kind in types):
        columns = [column.cast(common) for column in columns]
    return columns[0], columns[1]


def _kind_of_id(role: str, table: TablePartition, dtype: DType) -> str:
    if dtype == nw.UInt64:
        return "unsigned"
    if dtype.is_integer():
        return "integer"
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return "text"
    if dtype.is_float() or dtype.is_nested() or dtype == nw.Object:
        raise InputError(
            f"the record ids {table.record!r} of the {role} are of type {dtype}; ids are integers, text, "
            "UUIDs or dates, which are equal or not: cast them first"
        )
    return str(dtype)


def _label(table: TablePartition, frame: frames.Lazy, role: str) -> nw.Expr:
    dtype = frame.collect_schema()[table.cluster]
    if dtype.is_nested() or dtype == nw.Object:
        raise LabelError(
            f"the labels {table.cluster!r} of the {role} are of type {dtype}; a label is a single value, "
            "such as a number or a text"
        )
    _check_noise_type(table, dtype)
    column = nw.col(table.cluster)
    return column + 0.0 if dtype.is_float() else column  # -0.0 and 0.0 are one label


def _check_noise_type(table: TablePartition, dtype: DType) -> None:
    noise = table.noise
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
            f"noise={noise!r} is a {type(noise).__name__}, but the labels {table.cluster!r} are {dtype}; "
            "give noise as the labels have it"
        )


# -- counting ----------------------------------------------------------------------------------------


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
            opened = _opened(self.tables, stack, self.threads)
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
            _audit(answer, opened, self.policy, cells)
        brought = Brought(answer, table_limit, self.tangled, self.examples)
        profile = answer.profile(table=brought.table, table_at_hand=False)
        return Counted(profile, _conventions(self.tables, self.unmatched), _found(answer), names=brought)

    def _straight(self, opened: tuple[_Opened, _Opened], pairs: frames.Lazy) -> Counted | None:
        """By the compiled core, where the labels are integers that fit into memory."""
        rows = frames.fetched([frames.height(side.frame) for side in opened[: 1 if self.together else 2]])
        if not straight.fits(pairs, sum(count for (count,) in rows)):
            return None
        columns = straight.Columns(pairs, self.noise)
        asked = self._asked(opened)
        answer = columns.answer(Answer.of(frames.fetched(asked) if asked else []))
        _audit(answer, opened, self.policy, pairs)
        kept = columns.kept(self.policy)
        profile = kept.profile(self.threads)
        names = kept.named(lambda: profile.table, self.examples)
        return Counted(profile, _conventions(self.tables, self.unmatched), _found(answer), names=names)

    def tangled(self) -> list[tuple[Any, ...]]:
        """The cells that are not a whole cluster of both sides."""
        with ExitStack() as stack:
            opened = _opened(self.tables, stack, self.threads)
            cells = stack.enter_context(frames.counted(self._pairs(opened)))
            return frames.tangled(cells, self.policy, self.noise)

    def examples(self, cells: list[tuple[Any, Any]], each: int) -> list[tuple[Any, ...]]:
        """A few records of each cell, given by its labels; none where the rows have no names."""
        if self.tables[0].record is None:
            return [()] * len(cells)
        with ExitStack() as stack:
            u, v = _opened(self.tables, stack, self.threads)
            assert u.record is not None
            records = (
                u.frame.select(u.record.alias("r"), u.label.alias("u"), v.label.alias("v"))
                if self.together
                else frames.with_records(u.rows(), v.rows())
            )
            rows = frames.found(records, cells, each)
        return [tuple(name for cell, name in rows if cell == number) for number in range(len(cells))]

    def _pairs(self, opened: tuple[_Opened, _Opened]) -> frames.Lazy:
        u, v = opened
        if self.together:
            return frames.side_by_side(u.frame, u.label, v.label)
        return frames.joined(u.rows(), v.rows())

    def _asked(self, opened: tuple[_Opened, _Opened]) -> list[frames.Lazy]:
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
        for number, role in enumerate(_ROLES)
    }
    missing = {"only_reference": answer.having(1, ABSENT), "only_candidate": answer.having(0, ABSENT)}
    nameless = {
        f"null_records_{_ROLES[number]}": rows - named for number, (rows, named) in answer.rows.items()
    }
    return {key: value for key, value in (missing | found | nameless).items() if value}


# -- the audit ---------------------------------------------------------------------------------------


def _audit(answer: Answer, opened: tuple[_Opened, _Opened], policy: Policy, cells: frames.Lazy) -> None:
    """Refuse what was not agreed on, and name a few culprits."""
    for number, side in enumerate(opened):
        rows, named = answer.rows.get(number, (0, 0))
        if rows > named and side.table.nulls != "drop":
            raise LabelError(
                f"{rows - named:,} rows of the {side.role} have no record id in {side.table.record!r}; "
                "pass nulls='drop' to leave them out"
            )
    _refuse_repetition(answer, opened)
    for number, side in enumerate(opened):
        if nan := answer.having(number, NAN):
            raise LabelError(
                f"{nan:,} labels of the {side.role} are NaN in {side.table.cluster!r}; "
                "make them null, and say with nulls= what to make of them"
            )
    _refuse_unmatched(answer, policy, cells)
    for number, side in enumerate(opened):
        if (null := answer.having(number, NULL)) and side.table.nulls == "error":
            raise LabelError(
                f"{null:,} labels of the {side.role} are null in {side.table.cluster!r}"
                f"{_named(_without_label(side))}; pass nulls='drop' to leave them out, or nulls='singletons' "
                "to let each be a cluster of its own"
            )


def _refuse_repetition(answer: Answer, opened: tuple[_Opened, _Opened]) -> None:
    """A joined record that stands twice on one side makes more rows than the other side has."""
    if len(answer.rows) == 1:
        suspects = [opened[0]] if answer.twice else []
    else:
        suspects = [
            opened[1 - number]
            for number in answer.rows
            if answer.rows[number][1] != answer.elements - answer.having(number, ABSENT)
        ]
        suspects += [opened[absent - 1] for absent in answer.twice]
    for side in suspects:
        assert side.record is not None
        repeated = frames.fetched([frames.repeated_records(side.frame, side.record, _NAMED)])
        if repeated:
            times = ", ".join(f"{_shown(name)} ({often} times)" for name, often in repeated)
            raise OverlapError(
                f"records stand more than once in {side.table.record!r} of the {side.role}: {times} and "
                "maybe others; a record lies in one cluster, so leave one row for each"
            )


def _refuse_unmatched(answer: Answer, policy: Policy, cells: frames.Lazy) -> None:
    if policy.reference[ABSENT] != "error":
        return
    parts = []
    for number, absent in ((1, frames.ONLY_REFERENCE), (0, frames.ONLY_CANDIDATE)):
        lacking = answer.having(number, ABSENT)
        if lacking:
            names = frames.fetched([cells.filter(nw.col("absent") == absent).select("alone").head(_NAMED)])
            parts.append(f"{lacking:,} only in the {_ROLES[absent - 1]}{_named(names)}")
    if parts:
        raise UnmatchedError(
            f"the two tables hold different records: {' and '.join(parts)}; pass unmatched='drop' to leave "
            "them out, or unmatched='singletons' to let each stand alone on the side that lacks it"
        )


def _without_label(side: _Opened) -> list[tuple[Any, ...]]:
    if side.record is None:
        return []
    absent = side.frame.filter(side.label.is_null()).select(side.record.alias("record")).head(_NAMED)
    return frames.fetched([absent])


def _named(rows: list[tuple[Any, ...]]) -> str:
    names = ", ".join(_shown(row[0]) for row in rows)
    return f" (among them {names})" if names else ""


# -- columns that lie in memory -----------------------------------------------------------------------


def _counted_in_memory(
    tables: tuple[TablePartition, TablePartition], unmatched: Unmatched, threads: int
) -> Counted:
    frame = _native(tables[0])
    for table in tables:
        _check_columns(table, frame.columns)
    frame, found = _without_nulls(frame, tables)
    sides = [_in_memory(frame, *each, threads) for each in zip(_ROLES, tables, strict=True)]
    u, v = (side[0] for side in sides)
    found |= {f"null_{role}": side[1] for role, side in zip(_ROLES, sides, strict=True) if side[1]}
    if tables[0].record is not None:
        u.elements = v.elements = frame[tables[0].record].to_native()
        _refuse_repeated_names(u.elements, tables[0], threads)
    aligned = align(u, v)
    profile = memory.profile(aligned.reference, aligned.candidate, threads)
    return Counted(profile, _conventions(tables, unmatched), found, aligned, (u, v))


def _without_nulls(frame: Any, tables: tuple[TablePartition, TablePartition]) -> tuple[Any, dict[str, int]]:
    """Leave out the rows whose labels are null, where that was agreed on."""
    keep, found = None, {}
    for role, table in zip(_ROLES, tables, strict=True):
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
            f"{nulls:,} labels of the {role} are null in {table.cluster!r}; pass nulls='drop' to leave them "
            "out, or nulls='singletons' to let each be a cluster of its own"
        )
    null = np.asarray(column.is_null().to_numpy(), dtype=bool)
    rest = Partition.from_labels(column.filter(~column.is_null()).to_native(), **options, threads=threads)
    dense, first = _core.factorize(np.ascontiguousarray(rest.codes))
    codes = np.empty(len(null), dtype=np.int64)
    codes[~null], codes[null] = dense, len(first) + np.arange(nulls)
    dropped = None
    if rest.dropped is not None:
        dropped = np.zeros(len(null), dtype=bool)
        dropped[~null] = rest.dropped
    return Partition(codes, column, dropped=dropped, noise=rest.noise), nulls


def _refuse_repeated_names(names: Any, table: TablePartition, threads: int) -> None:
    codes = encode(names, f"the records {table.record!r}", threads).codes
    which, first = _core.factorize(np.ascontiguousarray(codes))
    if len(first) < len(which):
        again = int(np.flatnonzero(first[which] != np.arange(len(which)))[0])
        raise OverlapError(
            f"records stand more than once in {table.record!r}: the rows {int(first[which[again]])} and "
            f"{again} name the same; a record lies in one cluster, so leave one row for each"
        )


def _shown(name: Any) -> str:
    return repr(name.item() if isinstance(name, np.generic) else name)
