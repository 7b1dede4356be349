"""Queries on DuckDB relations and Spark dataframes, through narwhals, and how Spark counts.

Spark counts the cells once and returns, in one collect, the rows of a ``QueryResult``. For DuckDB relations,
the compiled core does this.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.labels import is_missing
from concordant.clusterings.missing import ABSENT, LABELLED, NOISE, NULL, Policy, kinds_with
from concordant.engines.tables import duckdb_queries
from concordant.engines.tables.results import (
    CELL,
    COLUMN,
    GIANT,
    LIMB,
    NOBODY,
    ROW,
    SHARED,
    SIDE,
    STATE,
    TELLING,
    TWICE,
    QueryResult,
)
from concordant.sources import execution, values

Lazy = nw.LazyFrame[Any]

# Which side lacks a record: neither, the candidate, the reference.
BOTH, ONLY_REFERENCE, ONLY_CANDIDATE = range(3)

# Spark takes longer for all later steps than for fetching this many bytes of cells. It refuses to return more
# than 1 GB.
BYTES_FOR_MEMORY = 2**28

_STRING_BYTES = 64  # an estimate: UUIDs take 36, addresses more
_PLAIN = (nw.String, nw.Boolean, nw.Date)


# -- from rows to cells -----------------------------------------------------------------------------


def side_by_side(frame: Lazy, reference: nw.Expr, candidate: nw.Expr, record: nw.Expr | None = None) -> Lazy:
    """The two labels of each row of one table, and its record r if it has one."""
    labels = reference.alias("u"), candidate.alias("v")
    named = () if record is None else (record.alias("r"),)
    return frame.select(*labels, *named, _integer(BOTH).alias("absent"), _integer(1).alias("n"))


def side(frame: Lazy, record: nw.Expr, label: nw.Expr, name: str) -> Lazy:
    """One of two tables to join: the record and its label, without rows that name no record."""
    return frame.select(record.alias(f"{name}_id"), label.alias(name)).filter(~nw.col(f"{name}_id").is_null())


def joined(reference: Lazy, candidate: Lazy) -> Lazy:
    """The two labels of each record r of two tables that ``side`` made.

    A record that only one table has keeps its name in ``alone``, so it is not confused with another.
    """
    both = reference.join(candidate, left_on="u_id", right_on="v_id", how="full")
    only_u, only_v = nw.col("v_id").is_null(), nw.col("u_id").is_null()
    absent = nw.when(only_u).then(ONLY_REFERENCE).when(only_v).then(ONLY_CANDIDATE).otherwise(BOTH)
    name = nw.when(only_u).then(nw.col("u_id")).otherwise(nw.when(only_v).then(nw.col("v_id")))
    record = nw.when(only_v).then(nw.col("v_id")).otherwise(nw.col("u_id")).alias("r")
    numbers = absent.cast(nw.Int64).alias("absent"), _integer(1).alias("n")
    return both.select("u", "v", record, name.alias("alone"), *numbers)


@contextmanager
def counted(pairs: Lazy, keys: Sequence[str] = ()) -> Iterator[Lazy]:
    """How often each pair of labels occurs, or combination of ``keys``; an unmatched record is its own cell.

    Counted once, and kept by the library as long as the cells are needed.
    """
    if pairs.implementation.is_duckdb():
        with duckdb_queries.counted(pairs.to_native(), list(keys) or _cell_keys(pairs)) as relation:
            yield nw.from_native(relation)
        return
    whole = _grouped(pairs.with_columns(_integer(1).alias("n")), keys, n="sum") if keys else cells_of(pairs)
    with _kept_once(whole) as cells:
        yield cells


def cells_of(pairs: Lazy) -> Lazy:
    """The plan of the count: equal rows are counted before they are exchanged."""
    return _grouped(pairs, _cell_keys(pairs), n="sum")


def _cell_keys(pairs: Lazy) -> list[str]:
    return [name for name in ("u", "v", "absent", "alone") if name in pairs.collect_schema()]


@contextmanager
def _kept_once(frame: Lazy) -> Iterator[Lazy]:
    """A table that several results are computed from, kept by Spark until they are done."""
    if not _is_of_spark(frame):
        yield frame
        return
    native = frame.to_native().persist()
    try:
        yield nw.from_native(native)
    finally:
        native.unpersist()


def _is_of_spark(frame: Lazy) -> bool:
    return frame.implementation.is_pyspark() or frame.implementation.is_pyspark_connect()


def in_memory_if_few(cells: Lazy) -> Lazy:
    """The same cells; those of Spark in memory if they are few, which is faster."""
    native = cells.to_native()
    # Spark's Arrow tables have the same labels as its own rows for these types.
    types = cells.collect_schema().dtypes()
    are_plain = all(dtype.is_integer() or dtype.is_float() or dtype in _PLAIN for dtype in types)
    has_arrow = are_plain and hasattr(native, "toArrow") and find_spec("pyarrow") is not None
    if not (_is_of_spark(cells) and has_arrow):
        return cells
    row_bytes = sum(_STRING_BYTES if dtype == nw.String else 8 for dtype in types)
    if native.count() * row_bytes > BYTES_FOR_MEMORY:
        return cells
    frame: Lazy = nw.from_native(native.toArrow()).lazy()
    return frame


# -- from cells to answers --------------------------------------------------------------------------


def answered(
    cells: Lazy,
    policy: Policy,
    noise: Sequence[Any] = (None, None),
    asked: Sequence[Lazy] = (),
    few: int = 0,
    *,
    keeps: bool = False,
) -> QueryResult:
    """The engine's answer for these cells; ``asked`` are small tables to fetch in the same collect.

    Cells that differ are returned if there are at most ``few``. If each side ``keeps`` records that the
    other lacks, the answer also has the number of each cluster's records on both sides.
    """
    stated = _stated(cells, noise)
    with _kept_once(_sized(_kept(stated, policy))) as sized:
        states = _grouped(stated, ["state_u", "state_v"], n="sum")
        sizes = _grouped(sized, ["alone", "n", "a", "b"], count="sum")
        results = [
            _result(states, STATE, "state_u", "state_v", count="n"),
            _result(sizes, nw.col("alone") + CELL, "n", "a", "b"),
            _split(sized, "u", "a", ROW),
            _split(sized, "v", "b", COLUMN),
        ]
        if "alone" in cells.collect_schema():
            results.append(twice(cells))
        for number, name in enumerate("uv" if keeps else ""):
            both = _grouped(sized.filter(nw.col("alone") == NOBODY), [name], n="sum")
            counts = _grouped(both.with_columns(_integer(1).alias("count")), ["n"], count="sum")
            side = counts.with_columns(_integer(number).alias("number"))
            results.append(_result(side, SHARED, "number", "n"))
        answer = QueryResult.of(fetched([*results, *asked]))
        if sum(answer.largest()) >= TELLING:
            _add_giants(sized, answer)
        if answer.differing <= few:
            answer.differing_cells = _differing(sized) if answer.differing else []
        return answer


def differing_cells(cells: Lazy, policy: Policy, noise: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The cells that are not a whole cluster of both sides: (u, v, alone, n, count)."""
    with _kept_once(_sized(_kept(_stated(cells, noise), policy))) as sized:
        return _differing(sized)


def _differing(sized: Lazy) -> list[tuple[Any, ...]]:
    n = nw.col("n")
    differing = sized.filter((n < nw.col("a")) | (n < nw.col("b")))
    return fetched([differing.select("u", "v", "alone", "n", "count")])


def renamed_clusters(
    cells: Lazy,
    policy: Policy,
    noise: Sequence[Any],
    limit: int | None,
    check: Callable[[int], None],  # of the number of clusters to list
) -> tuple[list[tuple[Any, Any, int]], int, int, int]:
    """The largest clusters that both sides have under different labels: (u, v, size).

    And the number of all of them, of the records in them, and of the records in clusters of both sides.
    """
    kept = _kept(_stated(cells, noise), policy).with_columns(_integer(1).alias("count"))
    shared = kept.filter((nw.col("alone_u") + nw.col("alone_v")) == 0)
    renamed, kinds = shared, [cells.collect_schema()[name] for name in "uv"]
    if all(kind in (nw.String, nw.Categorical, nw.Enum) for kind in kinds):
        renamed = shared.filter(nw.col("u").cast(nw.String) != nw.col("v").cast(nw.String))
    elif kinds[0] == kinds[1] or all(kind.is_numeric() for kind in kinds):
        renamed = shared.filter(nw.col("u") != nw.col("v"))  # labels of other types always differ
    for name in "uv":
        in_cells = _grouped(kept.filter(nw.col(f"alone_{name}") == 0), [name], count="sum")
        split = in_cells.filter(nw.col("count") > 1).select(nw.col(name).alias("of"))
        renamed = renamed.join(split, left_on=name, right_on="of", how="anti")
    with _kept_once(renamed) as found:
        totals = [
            _grouped(each.with_columns(_integer(0).alias("k")), ["k"], n="sum", count="sum")
            for each in (found, shared)
        ]
        (records, clusters), (common, _) = (
            [*(row[1:] for row in fetched([total])), (0, 0)][0] for total in totals
        )
        listed: list[tuple[Any, Any, int]] = []
        if most := min(clusters, clusters if limit is None else limit):
            check(most)
            ordered = found.sort("n", "u", descending=[True, False])
            listed = fetched([ordered.head(most).select("u", "v", "n")])
    return listed, clusters, records, common


def few_records(
    records: Lazy, cells: Sequence[tuple[Any, ...]], each: int
) -> dict[tuple[Any, ...], list[Any]]:
    """Up to ``each`` records r of each of these cells, which go by the labels u, v or u, v, w: one query.

    A record has the label None on a side where it is in no cluster. Others between the same clusters are
    included: at most as many as the table has, which was fetched before.
    """
    keys = list("uvw"[: len(cells[0])])
    wanted = {key: list(set(own)) for key, own in zip(keys, zip(*cells, strict=True), strict=True)}
    if records.implementation.is_duckdb():
        records = nw.from_native(duckdb_queries.with_labels(records.to_native(), wanted))
    else:
        records = records.filter(*(_is_one_of(nw.col(key), labels) for key, labels in wanted.items()))
    near = records.select(*keys, "r")
    named: dict[tuple[Any, ...], list[Any]] = {cell: [] for cell in cells}
    for *labels, record in _few_near(near, keys, each):
        if tuple(labels) in named:
            named[tuple(labels)].append(record)
    return {cell: found[:each] for cell, found in named.items()}


def _is_one_of(column: nw.Expr, labels: Sequence[Any]) -> nw.Expr:
    is_known = column.is_in([label for label in labels if label is not None])
    return is_known | column.is_null() if None in labels else is_known


def _few_near(near: Lazy, keys: list[str], each: int) -> list[tuple[Any, ...]]:
    if near.implementation.is_duckdb():
        few = duckdb_queries.few_of_each(near.to_native(), ", ".join(keys), each)
        return fetched([nw.from_native(few)])
    place = nw.col("r").rank("ordinal").over(*keys)
    return fetched([near.with_columns(place.alias("place")).filter(nw.col("place") <= each).drop("place")])


def with_records(reference: Lazy, candidate: Lazy) -> Lazy:
    """The records that both tables have, with their labels."""
    both = reference.join(candidate, left_on="u_id", right_on="v_id", how="inner")
    return both.select(nw.col("u_id").alias("r"), "u", "v")


def with_singletons(pairs: Lazy, policy: Policy, noise: Sequence[Any]) -> Lazy:
    """Each record r that counts, with its labels; null on a side where it is in no cluster."""
    kept = _kept(_stated(pairs, noise), policy, "r")
    labels = (nw.when(nw.col(f"alone_{x}") == 0).then(nw.col(x)).alias(x) for x in "uv")
    return kept.select("r", *labels)


def twice(cells: Lazy) -> Lazy:
    """The number of unmatched records that occur more than once, by table."""
    unmatched = cells.filter(nw.col("absent") != BOTH)
    often = _often(unmatched, ["absent", "alone"]).with_columns(_integer(1).alias("n"))
    return _result(_grouped(often, ["absent"], n="sum"), TWICE, "absent", count="n")


def repeated(frame: Lazy, record: nw.Expr) -> Lazy:
    """The number of records that occur more than once in a table."""
    ones = frame.select(record.alias("record"), _integer(1).alias("n"), _integer(BOTH).alias("absent"))
    often = _often(ones, ["absent", "record"]).with_columns(_integer(1).alias("n"))
    return _result(_grouped(often, ["absent"], n="sum"), TWICE, "absent", count="n")


def repeated_records(frame: Lazy, record: nw.Expr, few: int) -> Lazy:
    """A few records that occur more than once in a table, and how often."""
    ones = frame.select(record.alias("record"), _integer(1).alias("n"))
    return _often(ones.filter(~nw.col("record").is_null()), ["record"]).head(few)


def _often(frame: Lazy, keys: Sequence[str]) -> Lazy:
    return _grouped(frame, keys, n="sum").filter(nw.col("n") > 1)


def expected_cells(rows: Lazy, keys: Sequence[str]) -> int:
    """About how many combinations of the keys occur in rows of DuckDB, by one in 64 of the clusters u."""
    chosen = f"SELECT DISTINCT {', '.join(keys)} FROM rows WHERE hash(u) % 64 = 0"  # noqa: S608  (names of ours)
    ((found,),) = fetched([height(nw.from_native(rows.to_native().query("rows", chosen)))])
    return 64 * int(found)


def height(frame: Lazy) -> Lazy:
    """How many rows a table has."""
    return frame.select(nw.len().cast(nw.Int64).alias("rows"))


def rows_of(frame: Lazy, record: nw.Expr, number: int) -> Lazy:
    """How many rows one table has, and how many of them name a record."""
    counts = frame.select(record.alias("record"), _integer(1).alias("one")).select(
        nw.col("one").count().alias("rows"), nw.col("record").count().alias("named")
    )
    return _result(
        counts.with_columns(_integer(number).alias("number")), SIDE, "number", "rows", "named", count=""
    )


def _stated(cells: Lazy, noise: Sequence[Any]) -> Lazy:
    """The kinds of labels of each cell."""
    states = []
    for name, label, lacking in (("u", noise[0], ONLY_CANDIDATE), ("v", noise[1], ONLY_REFERENCE)):
        column = nw.col(name)
        state = nw.when(nw.col("absent") == lacking).then(ABSENT).when(column.is_null()).then(NULL)
        if label is not None:
            state = state.when(column == nw.lit(label)).then(NOISE)
        states.append(state.otherwise(LABELLED).cast(nw.Int64).alias(f"state_{name}"))
    return cells.with_columns(*states)


def _kept(stated: Lazy, policy: Policy, *more: str) -> Lazy:
    """The cells that count. ``alone_u`` is 1 where each element is a cluster of its own in the reference."""
    kept = stated
    for number, name in enumerate(("state_u", "state_v")):
        keep = nw.col(name) == LABELLED
        for state in kinds_with(policy, number, "singletons"):
            keep = keep | (nw.col(name) == state)
        kept = kept.filter(keep)
    alone = [
        nw.when(nw.col(f"state_{x}") == LABELLED).then(0).otherwise(1).cast(nw.Int64).alias(f"alone_{x}")
        for x in "uv"
    ]
    return kept.select("u", "v", "n", *more, *alone)


def _sized(kept: Lazy) -> Lazy:
    """The cells with the sizes of their clusters; n singletons are n cells of one."""
    apart = (nw.col("alone_u") + nw.col("alone_v")) > 0
    one = nw.when(apart).then(1).otherwise(nw.col("n")).cast(nw.Int64)
    many = nw.when(apart).then(nw.col("n")).otherwise(1).cast(nw.Int64)
    cells = kept.with_columns(one.alias("piece"), many.alias("count"))
    for name, size in (("u", "a"), ("v", "b")):
        # Only the clusters in several cells must be joined back.
        own = cells.filter(nw.col(f"alone_{name}") == 0)
        own = own.select(nw.col(name).alias(f"{name}_of"), nw.col("n").alias(size), "piece")
        sizes = _grouped(own, [f"{name}_of"], **{size: "sum", "piece": "max"})
        split = sizes.filter(nw.col(size) > nw.col("piece")).select(f"{name}_of", size)
        cells = cells.join(split, left_on=name, right_on=f"{name}_of", how="left")
    sole = [
        nw.when(~nw.col(size).is_null())
        .then(nw.col(size))
        .when(nw.col(f"alone_{name}") == 1)
        .then(1)
        .otherwise(nw.col("n"))
        .cast(nw.Int64)
        .alias(size)
        for name, size in (("u", "a"), ("v", "b"))
    ]
    alone = nw.col("alone_u") + 2 * nw.col("alone_v")
    return cells.select("u", "v", alone.alias("alone"), nw.col("piece").alias("n"), *sole, "count")


def _split(sized: Lazy, name: str, size: str, tag: int) -> Lazy:
    """The best partners of the clusters in several cells, counted by size and share."""
    pieces, n = _pieces(sized, name, size), nw.col("largest")
    together = nw.when(nw.col("size") < GIANT).then(n * (n - 1)).otherwise(0).cast(nw.Int64)
    pieces = pieces.with_columns(together.alias("together"))
    best = _grouped(pieces, [name], size="max", largest="max", together="sum", share="max")
    best = best.with_columns(_integer(1).alias("count"))
    counts = _grouped(best, ["size", "share"], largest="sum", together="min", count="sum")
    return _result(counts, tag, "size", "largest", "together", share="share")


def _pieces(sized: Lazy, name: str, size: str) -> Lazy:
    """The cells of clusters in several cells, each with its share n/(a + b)."""
    labelled = (nw.col("alone") == 0) | (nw.col("alone") == (2 if name == "u" else 1))
    n, whole = nw.col("n"), nw.col("a") + nw.col("b")
    return sized.filter(labelled & (n < nw.col(size))).select(
        name,
        nw.col(size).alias("size"),
        n.alias("largest"),
        whole.alias("whole"),
        (n.cast(nw.Float64) / whole.cast(nw.Float64)).alias("share"),
    )


# -- clusters beyond the range of floats and 64 bits ------------------------------------------------------


def _add_giants(sized: Lazy, answer: QueryResult) -> None:
    """Add the exact values that are needed for the largest clusters, of which there are few."""
    for number, (name, size) in enumerate((("u", "a"), ("v", "b"))):
        pieces = _pieces(sized, name, size)
        # The cells whose floats tie for the best share of a cluster, if floats may not show which is best.
        top = _grouped(pieces, [name], share="max")
        top = top.select(nw.col(name).alias("of"), nw.col("share").alias("top"))
        tied = pieces.join(top, left_on=name, right_on="of", how="inner")
        tied = tied.filter(nw.col("share") == nw.col("top"))
        wide = _grouped(tied, [name], whole="max").filter(nw.col("whole") >= TELLING)
        tied = tied.join(wide.select(nw.col(name).alias("of")), left_on=name, right_on="of", how="semi")
        answer.tied[number].extend(fetched([tied.select(name, "size", "largest", "whole", "share")]))
        if answer.largest()[number] >= GIANT:  # then Σ n(n−1) may not fit into 64 bits
            n = nw.col("largest")
            halves = pieces.filter(nw.col("size") >= GIANT).select(
                name,
                "size",
                ((n // LIMB) * (n - 1)).cast(nw.Int64).alias("high"),
                ((n % LIMB) * (n - 1)).cast(nw.Int64).alias("low"),
            )
            limbs = _grouped(halves, [name], size="max", high="sum", low="sum")
            answer.together[number].extend(fetched([limbs.select("size", "high", "low")]))


def _result(frame: Lazy, tag: nw.Expr | int, *integers: str, share: str = "", count: str = "count") -> Lazy:
    """A small table in the common form."""
    values = [nw.col(name) if name else _integer(0) for name in (*integers, "", "", "")[:3]]
    counts = nw.col(count) if count else _integer(1)
    return frame.select(
        (tag if isinstance(tag, nw.Expr) else _integer(tag)).cast(nw.Int64).alias("tag"),
        *(value.cast(nw.Int64).alias(name) for value, name in zip(values, "pqr", strict=True)),
        (nw.col(share) if share else nw.lit(0.0)).cast(nw.Float64).alias("x"),
        counts.cast(nw.Int64).alias("count"),
    )


def _integer(value: int) -> nw.Expr:
    return nw.lit(value, dtype=nw.Int64)


def _grouped(frame: Lazy, keys: Sequence[str], **columns: str) -> Lazy:
    """Sums, maxima and minima by group, as 64-bit integers; floats stay floats."""
    aggregates = [getattr(nw.col(name), how)() for name, how in columns.items()]
    made = frame.select(*keys, *columns).group_by(*keys).agg(*aggregates)
    return made.with_columns(nw.col(name).cast(nw.Int64) for name in columns if name != "share")


# -- how small tables are fetched ------------------------------------------


def fetched(results: Sequence[Lazy]) -> list[tuple[Any, ...]]:
    """The rows of small tables; the tables of one library together."""
    by_library: dict[nw.Implementation, list[Lazy]] = {}
    for result in results:
        by_library.setdefault(result.implementation, []).append(result)
    rows: list[tuple[Any, ...]] = []
    for of_one in by_library.values():
        rows += _rows(of_one[0] if len(of_one) == 1 else nw.concat(of_one))
    return rows


def fetched_columns(frame: Lazy) -> list[Any]:
    """The columns of a table: arrays of numbers, which may be masked, or lists."""
    if frame.implementation.is_duckdb():
        native = frame.to_native()
        if {str(kind) for kind in native.types} <= duckdb_queries.NUMBERS:
            found = execution.run(native.fetchnumpy)
            return [found[name] for name in native.columns]
    rows = fetched([frame])
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in frame.collect_schema()]


def numbered(column: Any) -> tuple[NDArray[np.int64], Sequence[Any]]:
    """The values of a column by number, and the number of each row: -1 for a missing value.

    Numbers do not depend on the order of rows, which differs from run to run.

    >>> numbered([5, None, 3, 5])
    (array([ 1, -1,  0,  1]), [3, 5])
    >>> len(numbered(np.array([3, 5, 3]))[1])  # an array: a list would take several times the memory
    2
    """
    if isinstance(column, np.ndarray):
        held = ~np.ma.getmaskarray(column)
        if column.dtype.kind == "f":
            held &= ~np.isnan(np.ma.getdata(column))
        found, which = np.unique(np.ma.getdata(column)[held], return_inverse=True)
        numbers = np.full(len(column), -1)
        numbers[held] = which.reshape(-1)
        return numbers, array(found.dtype.char, found.tobytes())
    known = dict.fromkeys(each for each in column if not is_missing(each))
    try:
        ordered = sorted(known)
    except TypeError:
        ordered = sorted(known, key=repr)
    known = {each: number for number, each in enumerate(ordered)}
    places = (-1 if is_missing(each) else known[each] for each in column)
    return np.fromiter(places, dtype=np.int64, count=len(column)), ordered


def _rows(frame: Lazy) -> list[tuple[Any, ...]]:
    """The rows, fetched by the library itself: PyArrow may not be installed."""
    if frame.implementation.is_duckdb():
        return values.fetched(frame.to_native())
    if _is_of_spark(frame):
        return [tuple(row) for row in frame.to_native().collect()]
    return frame.collect().rows()
