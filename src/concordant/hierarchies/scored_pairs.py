"""Scored pairs in files, joined by the compiled core in batches: memory grows with the records only."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.encoding import encode
from concordant.clusterings.labels import MemoryLabels, labels_at
from concordant.clusterings.record_names import spelled
from concordant.errors import HierarchyError, InputError, LabelError, ParameterError, few
from concordant.foundation.spelling import counted
from concordant.hierarchies.named_trees import chosen_columns, leaf_names
from concordant.hierarchies.tree_arrays import Tree
from concordant.maths.arithmetic import Floats, Integers
from concordant.sources import files
from concordant.sources.descriptions import Files, Frame, check_column_names
from concordant.sources.duckdb_files import INTEGERS, identifier
from concordant.sources.files import is_text
from concordant.sources.machine import refuse_beyond_limit, resident_memory
from concordant.sources.values import KeyType, fetched

_NUMBERS = (*INTEGERS, "FLOAT", "DOUBLE", "HUGEINT", "UHUGEINT")
_BYTES_OF_A_PAIR = 32  # while it is sorted
_LEAST_PENDING = 2**16
_BYTES_OF_A_RECORD = 200  # in the tree, and its name
_COPIES_OF_A_TEXT = 4
_FEW_ROWS = 2**20  # of a partition, before only those of a spanning forest are kept
_SIGN = np.uint64(2**63)

Forest = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]


def read_pairs(source: Files, columns: tuple[str, str, str]) -> tuple[Forest, Any]:
    """Components at every threshold, as ``core.PairForest`` gives them, and the records, which ascend."""
    with files.opened([(source, columns)], 0) as (relation,):
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        kind = _common_type(types, columns[:2])
        left, right, score = map(identifier, columns)
        scores = f"TRY_CAST({score} AS DOUBLE)" if files.is_text(source) else f"CAST({score} AS DOUBLE)"
        if not files.is_text(source) and not _is_number(types[columns[2]]):
            raise HierarchyError(
                f"the scores {columns[2]!r} are of type {types[columns[2]]}; scores are numbers"
            )
        pairs = relation.project(f"{left}::{kind.name} AS l, {right}::{kind.name} AS r, {scores} AS s")
        reader = core.PairReader(**_pending(source, pairs, kind))
        try:
            reader.read(pairs)
        except ValueError as error:  # an error of DuckDB in the middle of a stream
            raise OSError(str(error)) from error
        if reader.without_record:
            (row,) = fetched(pairs.filter("l IS NULL OR r IS NULL").limit(1))
            raise LabelError(
                f"{source} has {counted(reader.without_record, 'pair')} without a record, such as {row}; "
                "each pair names two records"
            )
        if reader.without_score:
            (row,) = fetched(relation.filter(f"{scores} IS NULL OR isnan({scores})").limit(1))
            raise HierarchyError(
                f"{source} has {counted(reader.without_score, 'pair')} without a score that is a number, "
                f"such as {dict(zip(types, row, strict=True))}; leave them out"
            )
        parent, heights, level, clusters = reader.finish()
        names, order = _records(reader.records(), kind)
    parent[: len(order)] = parent[order]
    return (parent, heights, level, clusters), names


def _pending(source: Files, pairs: Any, kind: KeyType) -> dict[str, int]:
    """How many pairs are sorted at one time, if memory is limited; an error if it does not hold the tree."""
    if source.memory_bytes is None:
        return {}
    length = "coalesce(avg(strlen(r)), 0)" if kind.is_text else "0"
    query = f"SELECT approx_count_distinct(r), {length} FROM (SELECT l AS r FROM pairs UNION ALL SELECT r FROM pairs)"  # noqa: S608, E501  (names of ours)
    ((records, text),) = pairs.query("pairs", query).fetchall()
    needed = int(records * (_BYTES_OF_A_RECORD + _COPIES_OF_A_TEXT * text))
    refuse_beyond_limit(source, needed, f"a tree of about {records:,} records")
    rest = source.memory_bytes - resident_memory() - needed
    return {"most_pending": max(rest // 2 // _BYTES_OF_A_PAIR, _LEAST_PENDING)}


def _common_type(types: dict[str, str], names: tuple[str, ...]) -> KeyType:
    """The type of both columns of records; integers of different widths have one in common."""
    kinds = [KeyType(types[name]) for name in names]
    for name, kind in zip(names, kinds, strict=True):
        if not kind.has_keys or kind.name in ("FLOAT", "DOUBLE"):
            raise HierarchyError(
                f"the records {name!r} are of type {kind.name}; ids are integers, text, UUIDs or dates: "
                "cast them"
            )
    if kinds[0] == kinds[1]:
        return kinds[0]
    if all(kind.name in INTEGERS and kind.name != "UBIGINT" for kind in kinds):
        return KeyType("BIGINT")
    stated = " and ".join(f"{name!r} is {kind.name}" for name, kind in zip(names, kinds, strict=True))
    raise HierarchyError(f"the records have different types: {stated}; cast one of them")


def _is_number(kind: str) -> bool:
    return kind in _NUMBERS or re.fullmatch(r"DECIMAL\(.*\)", kind) is not None


def _records(found: Any, kind: KeyType) -> tuple[Any, NDArray[np.int64]]:
    """The records in ascending order, and the number of each; DuckDB gives rows in any order."""
    if isinstance(found, tuple):
        ends, held = found
        begins = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]])[: len(ends)]
        texts = [held[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
        order = np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.int64)
        return [kind.text_value(texts[place]) for place in order.tolist()], order
    keys = found.view(np.uint64)
    order = np.argsort(keys)
    if kind.name in INTEGERS:
        is_signed = INTEGERS[kind.name][0]
        return (keys ^ _SIGN).view(np.int64)[order] if is_signed else keys[order], order
    return [kind.value(key) for key in keys[order].tolist()], order


_TEXT = (nw.String, nw.Categorical, nw.Enum)


def of_pairs(pairs: Any, columns: tuple[str, str, str], records: Any) -> tuple[Tree, Any, bool]:
    """The tree, the names of its records, and whether they are the text of a file without types.

    The names are ``records`` if given, else in the order of a dataframe.
    """
    check_column_names(left=columns[0], right=columns[1], score=columns[2])
    if isinstance(pairs, Files):
        found, names = read_pairs(replace(pairs, may_be_empty=records is not None), columns)
        tree, untyped = Tree(*found), is_text(pairs)
        if records is None:
            return tree, names, untyped
        return *_among(tree, names, records, untyped=untyped), False
    frame = _frame(pairs, columns)
    if records is not None and not len(frame):  # columns without rows may have any type
        names = leaf_names(records, len(records))
        which, first = core.factorize(np.ascontiguousarray(encode(names, "the records").codes))
        _check_records(names, which, first, len(names))
        nobody = np.zeros(0, dtype=np.int64)
        return _forest((nobody, nobody), np.zeros(0), len(names)), names, False
    scores = _scores(frame[columns[2]], columns[2])
    sides = _ids(frame, columns[:2])
    named = [] if records is None else [_given_records(records, sides[0])]
    ids = _together([*named, *sides])
    which, first = core.factorize(np.ascontiguousarray(ids.codes))
    start = len(which) - 2 * len(scores)
    if named:
        _check_records(ids.originals, which, first, start)
    tree = _forest((which[start : start + len(scores)], which[start + len(scores) :]), scores, len(first))
    return tree, _names_at(ids, first), False


def _among(tree: Tree, names: Any, records: Any, *, untyped: bool) -> tuple[Tree, Any]:
    """The tree of all records in their order, from the tree of those that occur in pairs."""
    given = leaf_names(records, len(records))
    both = isinstance(given, np.ndarray) and isinstance(names, np.ndarray)
    listed = np.concatenate([given, names]) if both else [*(spelled(given) if untyped else given), *names]
    which, first = core.factorize(np.ascontiguousarray(encode(listed, "the records").codes))
    _check_records(listed, which, first, len(given))
    more = len(given) - len(names)
    moved = np.where(tree.parent >= 0, tree.parent + more, -1)
    laid = np.concatenate([np.full(len(given), -1), moved[len(names) :]])
    laid[which[len(given) :]] = moved[: len(names)]
    return tree._replace(parent=laid, clusters=tree.clusters + more), given


def _frame(pairs: Any, columns: tuple[str, str, str]) -> Any:
    """The three columns in memory."""
    try:
        frame = nw.from_native(pairs)
    except TypeError as error:
        raise InputError(
            f"{Frame(pairs)} is not a dataframe that concordant reads: pass a frame of pandas, Polars, "
            "PyArrow, DuckDB or Spark with one row for each pair, or the path of a file"
        ) from error
    if frame.implementation.is_pyspark() or frame.implementation.is_pyspark_connect():
        types = frame.collect_schema()
        if types.keys() >= set(columns):
            _check_score_type(types[columns[2]], columns[2])
            frame = nw.from_native(_reduced_on_spark(pairs, columns))
    return chosen_columns(pairs, frame, columns)


def _reduced_on_spark(pairs: Any, columns: tuple[str, str, str]) -> Any:
    """The pairs of a spanning forest of each partition, which Spark's workers find."""
    left, right, score = columns
    chosen = pairs.select(left, right, pairs[score].cast("double").alias(score))

    def reduced(batches: Iterable[Any]) -> Iterator[Any]:  # in here, as workers may lack this module
        try:
            from concordant.hierarchies.scored_pairs import forest_of_batches
        except ImportError:  # the driver gets all pairs of this partition
            yield from batches
        else:
            yield from forest_of_batches(batches, columns)

    return chosen.mapInArrow(reduced, chosen.schema)


def forest_of_batches(batches: Iterable[Any], columns: tuple[str, str, str]) -> Iterator[Any]:
    """Arrow batches of the pairs that join at every threshold what these batches of pairs join.

    There is at most one pair for each record. Pairs without a record or a score stay as they are.
    """
    kept: list[Any] = []
    rows = most = 0
    for batch in batches:
        if batch.num_rows == 0:
            continue
        frame = nw.from_native(_table_of([batch]), eager_only=True)
        is_faulty = nw.any_horizontal(
            *(nw.col(name).is_null() for name in columns), nw.col(columns[2]).is_nan(), ignore_nulls=True
        )
        yield from frame.filter(is_faulty).to_native().to_batches()
        kept.append(frame.filter(~is_faulty))
        rows += len(kept[-1])
        if rows > max(most, _FEW_ROWS):
            kept = [spanning_forest(nw.concat(kept), columns)]
            rows = len(kept[0])
            most = 2 * rows
    if kept:
        yield from spanning_forest(nw.concat(kept), columns).to_native().to_batches()


def _table_of(batches: list[Any]) -> Any:
    import pyarrow as pa

    return pa.Table.from_batches(batches)


def spanning_forest(frame: nw.DataFrame[Any], columns: tuple[str, str, str]) -> nw.DataFrame[Any]:
    """The fewest pairs that connect the same records at every threshold; lone records are paired with
    themselves."""
    ids, scores = _together(_ids(frame, columns[:2])), _scores(frame[columns[2]], columns[2])
    which, first = core.factorize(np.ascontiguousarray(ids.codes))
    tree = _forest((which[: len(scores)], which[len(scores) :]), scores, len(first))
    parent, records = tree.parent, len(first)
    inner = np.flatnonzero(parent >= 0)
    member = np.arange(len(parent))  # a record of each node
    member[parent[inner[::-1]]] = inner[::-1]  # at first the first child
    is_first = member[parent[inner]] == inner
    while member.max(initial=-1) >= records:
        member = member[member]
    more, alone = inner[~is_first], np.flatnonzero(parent[:records] < 0)
    one, other = np.concatenate([member[more], alone]), np.concatenate([member[parent[more]], alone])
    score = np.concatenate([tree.heights[parent[more] - records], np.zeros(len(alone))])
    held = _names_at(ids, first[one]), _names_at(ids, first[other]), score
    kinds = {name: frame[name].dtype for name in columns}
    return nw.from_dict(dict(zip(columns, held, strict=True)), kinds, backend=frame.implementation)


def _names_at(ids: MemoryLabels, places: Integers) -> Any:
    is_array = isinstance(ids.originals, np.ndarray)
    return ids.originals[places] if is_array else labels_at(ids.originals, places)


def _forest(sides: tuple[Integers, Integers], scores: Floats, records: int) -> Tree:
    forest = core.PairForest()
    forest.add(np.ascontiguousarray(sides[0]), np.ascontiguousarray(sides[1]), scores)
    return Tree(*forest.finish(records))


def _check_score_type(kind: Any, name: str) -> None:
    if not kind.is_numeric():
        raise HierarchyError(f"the scores {name!r} are of type {kind}; scores are numbers")


def _scores(column: Any, name: str) -> Floats:
    _check_score_type(column.dtype, name)
    if column.null_count():
        null = _first(column.is_null())
        raise HierarchyError(f"row {null}: the score {name!r} is null; leave out pairs without a score")
    scores = np.ascontiguousarray(column.cast(nw.Float64).to_numpy(), dtype=np.float64)
    missing = np.isnan(scores)
    if missing.any():
        raise HierarchyError(
            f"row {int(np.argmax(missing))}: the score {name!r} is NaN; leave out pairs without a score"
        )
    return scores


def _first(mask: Any) -> int:
    """The first place where a boolean column is true; there must be one."""
    return int(np.argmax(mask.to_numpy().astype(bool)))


def _ids(frame: Any, names: tuple[str, str]) -> list[Any]:
    """Both columns of records, in one type."""
    columns = [frame[name] for name in names]
    for name, column in zip(names, columns, strict=True):
        if column.null_count():
            null = _first(column.is_null())
            raise LabelError(f"row {null}: {name!r} is null; each pair names two records")
        if column.dtype.is_float() or column.dtype.is_nested():
            raise HierarchyError(
                f"the records {name!r} are of type {column.dtype}; ids are integers, text, UUIDs or dates: "
                "cast them"
            )
    types = [column.dtype for column in columns]
    if all(kind in _TEXT for kind in types):
        return [column if column.dtype == nw.String else column.cast(nw.String) for column in columns]
    if types[0] != types[1] and not all(kind.is_integer() for kind in types):
        stated = " and ".join(f"{name!r} is {kind}" for name, kind in zip(names, types, strict=True))
        raise HierarchyError(f"the records have different types: {stated}; cast one of them")
    return columns


def _given_records(records: Any, like: Any) -> Any:
    """The names of all records as a column of the same library."""
    if isinstance(records, str | bytes | os.PathLike) or not hasattr(records, "__iter__"):
        raise ParameterError("name the records in a list or a column", given={"records": records})
    given = nw.from_native(records, series_only=True, pass_through=True)
    if isinstance(given, nw.Series):
        if given.null_count():
            raise LabelError(f"row {_first(given.is_null())} of records= is null; each names a record")
        values = given.to_numpy() if given.dtype.is_integer() else given.to_list()
    else:
        values = records if isinstance(records, np.ndarray) else list(records)
    try:
        return nw.new_series("record", values, like.dtype, backend=like.implementation)
    except (TypeError, ValueError, OverflowError) as error:
        raise HierarchyError(
            f"the records= are not of the type of the pairs, {like.dtype}: {error}"
        ) from error


def _together(columns: list[Any]) -> MemoryLabels:
    """All ids in one list, encoded."""
    if all(column.dtype.is_integer() for column in columns):
        arrays = [encode(column.to_native(), "the records").codes for column in columns]
        joined = np.concatenate(arrays)
        if joined.dtype.kind == "f":  # signed and unsigned numbers of 64 bits have no common type
            raise HierarchyError("the records are signed and unsigned 64-bit integers; cast one of them")
        return MemoryLabels(joined, joined)
    frames = [column.alias("record").to_frame() for column in columns]
    joined = nw.concat(frames)["record"]
    return encode(joined.to_native(), "the records")


def _check_records(names: Any, which: Integers, first: Integers, given: int) -> None:
    """Refuse records that are named twice, and pairs of others."""
    again = np.flatnonzero(first[which[:given]] != np.arange(given))
    if len(again):
        raise HierarchyError(f"records= names {few(labels_at(names, again[:1]))} twice")
    if len(first) > given:
        others = len(first) - given
        raise HierarchyError(
            f"{counted(others, 'record')} of the pairs {'is' if others == 1 else 'are'} not in records=: "
            f"{few(labels_at(names, first[given : given + 4]))}; name all or none"
        )
