"""Dataframes and files as relations of one DuckDB connection, which the compiled core and queries read.

A dataframe of another library becomes Arrow batches of the columns that are needed. Relations that share a
connection of the user stay on it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import narwhals.stable.v2 as nw

from concordant.errors import InputError, MissingExtraError
from concordant.sources import files
from concordant.sources.descriptions import Files, Frame
from concordant.sources.duckdb_files import identifier

# Makes a relation for one query. Each query needs its own: a stream is read once.
Scan = Callable[[], Any]

_MICROSECONDS = ("TIME", "TIMESTAMP WITH TIME ZONE")
_LOCAL_BACKENDS = ("duckdb", "polars", "datafusion", "sqlite", "chdb")  # of Ibis: they run in this process


@contextmanager
def opened(wanted: Sequence[tuple[Frame | Files, tuple[str, ...]]], threads: int) -> Iterator[list[Scan]]:
    """A scan of some columns of each source, all of one connection."""
    frames = [source.native if isinstance(source, Frame) else None for source, _ in wanted]
    relations = [None if native is None else _relation_of(native) for native in frames]
    if None not in relations and _share_connection(relations):
        with files.explained([], [source for source, _ in wanted]):
            yield [_always(relation) for relation in relations]
        return
    with files.connected([source for source, _ in wanted], threads) as open_files:
        yield [
            _always(open_files.relation(source, columns))
            if isinstance(source, Files)
            else _scan_of(open_files.connection, source, columns)
            for source, columns in wanted
        ]


def place_of(source: Frame | Files) -> str | None:
    """The warehouse or cluster that a dataframe is fetched from; None if it is on this machine."""
    if isinstance(source, Files):
        return None
    native = source.native
    library, _, rest = type(native).__module__.partition(".")
    if library == "ibis":
        name = str(native.get_backend().name)
        return None if name in _LOCAL_BACKENDS else name
    if library == "sqlframe":
        name = rest.partition(".")[0]
        return None if name == "duckdb" else name
    if library == "dask" and "distributed" in sys.modules:
        try:
            sys.modules["distributed"].default_client()
        except ValueError:  # there is none
            return None
        return "the Dask cluster"
    return None


def _relation_of(native: Any) -> Any:
    """The relation of DuckDB that a dataframe is, or that SQLFrame makes of its query; None for others."""
    frame = nw.from_native(native)
    if frame.implementation.is_duckdb():
        return native
    if frame.implementation.is_sqlframe():
        connection: Any = getattr(native.session, "_conn", None)  # there is no public name for it
        if type(connection).__name__ == "DuckDBPyConnection":
            return connection.sql(native.sql(optimize=False, dialect="duckdb"))
    return None


def _share_connection(relations: Sequence[Any]) -> bool:
    """Whether relations are of one connection, so one query can join them."""
    import duckdb

    try:
        one, *others = relations
        for other in others:
            one.set_alias("one").cross(other.set_alias("other"))  # never executed
    except duckdb.InvalidInputException:
        return False
    return True


def _always(relation: Any) -> Scan:
    return lambda: relation


def _scan_of(connection: Any, source: Frame, columns: Sequence[str]) -> Scan:
    """Scans of a dataframe: Arrow batches of its columns, made again for each query."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError(
            f"reading {source} needs PyArrow, which is not installed; run: pip install 'concordant[arrow]'"
        ) from None

    relation = _relation_of(source.native)
    if relation is not None:
        chosen = relation.project(", ".join(map(identifier, columns)))
        read = chosen.to_arrow_table if hasattr(chosen, "to_arrow_table") else chosen.fetch_arrow_table
        table, kinds = cache(read), zip(map(identifier, columns), map(str, chosen.types), strict=True)
        typed = ", ".join(f"{name}::{kind} AS {name}" for name, kind in kinds)  # Arrow has other UUIDs
        return lambda: connection.from_arrow(table()).project(typed)
    try:
        schema, batches = _batches_of(source.native, columns)
    except (pa.ArrowException, TypeError) as error:
        raise InputError(f"{source} cannot be read as Arrow columns ({error}); cast them") from error

    def scan() -> Any:
        relation = connection.from_arrow(pa.RecordBatchReader.from_batches(schema, batches()))
        for field, kind in zip(schema, map(str, relation.types), strict=True):
            if getattr(field.type, "unit", None) == "ns" and kind in _MICROSECONDS:
                raise InputError(
                    f"{field.name!r} of {source} is of type {field.type}, and this version of DuckDB rounds "
                    "it to microseconds; install DuckDB 2, or cast the column"
                )
        return relation

    return scan


def _batches_of(native: Any, columns: Sequence[str]) -> tuple[Any, Callable[[], Iterable[Any]]]:
    """The Arrow schema of these columns of a dataframe, and a function that makes their batches."""
    frame = nw.from_native(native)
    kind = frame.implementation
    if kind.is_polars() and isinstance(frame, nw.LazyFrame):
        chosen = native.select(columns)
        schema = chosen.clear().collect().to_arrow().schema
        return schema, partial(_batches_of_polars, chosen)
    if kind.is_ibis() and place_of(Frame(native)) is not None:
        chosen = native.select(*columns)
        return chosen.schema().to_pyarrow(), chosen.to_pyarrow_batches
    if kind.is_dask():
        table = _table_of_dask(native[list(columns)])
    elif isinstance(frame, nw.LazyFrame):
        table = frame.select(*columns).collect(backend="pyarrow").to_native()
    else:
        table = frame.select(*columns).to_arrow()
    return table.schema, table.to_batches


def _batches_of_polars(query: Any) -> Iterator[Any]:
    for frame in query.collect_batches(maintain_order=False, engine="streaming"):
        yield from frame.to_arrow().to_batches()


def _table_of_dask(frame: Any) -> Any:
    """All partitions, computed together, since they may share work."""
    import dask
    import pyarrow as pa

    parts = dask.compute(*frame.to_delayed())
    tables = [pa.Table.from_pandas(part, preserve_index=False) for part in parts]
    return pa.concat_tables(tables, promote_options="permissive")
