"""Trees of scored pairs: connected components at every threshold."""

from __future__ import annotations

import os
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant import core
from concordant.counts.arithmetic import Floats, Integers
from concordant.counts.spelling import counted
from concordant.engines.tables import pair_files
from concordant.engines.tables.files import is_text
from concordant.errors import HierarchyError, InputError, LabelError, ParameterError, few, kind_of
from concordant.hierarchies.named_trees import chosen_columns, leaf_names, spelled
from concordant.hierarchies.tree import Tree
from concordant.partitions.labels import Labels, encode, labels_at
from concordant.partitions.sources import Files, Frame

_TEXT = (nw.String, nw.Categorical, nw.Enum)


def of_pairs(pairs: Any, columns: tuple[str, str, str], records: Any) -> tuple[Tree, Any, bool]:
    """The tree, the names of its records, and whether they are the text of a file without types.

    The names are ``records`` if given, else in the order of a dataframe.
    """
    for option, name in zip(("left", "right", "score"), columns, strict=True):
        if not isinstance(name, str):
            raise ParameterError(f"give the name of a column, not {kind_of(name)}", given={option: name})
    if len(set(columns)) < len(columns):
        raise ParameterError(f"left=, right= and score= name three columns; got {few(columns)}")
    if isinstance(pairs, Files):
        found, names = pair_files.read_pairs(pairs, columns)
        tree, untyped = Tree(*found), is_text(pairs)
        if records is None:
            return tree, names, untyped
        return *_among(tree, names, records, untyped=untyped), False
    frame = _frame(pairs, columns)
    scores = _scores(frame[columns[2]], columns[2])
    sides = _ids(frame, columns[:2])
    named = [] if records is None else [_given_records(records, sides[0])]
    ids = _together([*named, *sides])
    which, first = core.factorize(np.ascontiguousarray(ids.codes))
    start = len(which) - 2 * len(scores)
    if named:
        _check_records(ids.originals, which, first, start)
    forest = core.PairForest()
    left, right = which[start : start + len(scores)], which[start + len(scores) :]
    forest.add(np.ascontiguousarray(left), np.ascontiguousarray(right), scores)
    tree = Tree(*forest.finish(len(first)))
    is_array = isinstance(ids.originals, np.ndarray)
    return tree, ids.originals[first] if is_array else labels_at(ids.originals, first), False


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
    return chosen_columns(pairs, frame, columns)


def _scores(column: Any, name: str) -> Floats:
    if not column.dtype.is_numeric():
        raise HierarchyError(f"the scores {name!r} are of type {column.dtype}; scores are numbers")
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
    if isinstance(records, str | bytes | os.PathLike):
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


def _together(columns: list[Any]) -> Labels:
    """All ids in one list, encoded."""
    if all(column.dtype.is_integer() for column in columns):
        arrays = [encode(column.to_native(), "the records").codes for column in columns]
        joined = np.concatenate(arrays)
        if joined.dtype.kind == "f":  # signed and unsigned numbers of 64 bits have no common type
            raise HierarchyError("the records are signed and unsigned 64-bit integers; cast one of them")
        return Labels(joined, joined)
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
