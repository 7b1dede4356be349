"""Scored pairs in files, joined by the compiled core in batches: memory grows with the records only."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.spelling import counted
from concordant.engines.tables import files
from concordant.engines.tables.duckdb_files import INTEGERS, identifier
from concordant.engines.tables.values import KeyType
from concordant.errors import HierarchyError, LabelError
from concordant.partitions.sources import Files

_NUMBERS = (*INTEGERS, "FLOAT", "DOUBLE", "HUGEINT", "UHUGEINT")
_BYTES_OF_A_PAIR = 32  # while it is sorted
_LEAST_PENDING = 2**16
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
        memory = source.memory_bytes
        pending = (
            {} if memory is None else {"most_pending": max(memory // 2 // _BYTES_OF_A_PAIR, _LEAST_PENDING)}
        )
        reader = core.PairReader(**pending)
        try:
            reader.read(pairs)
        except ValueError as error:  # an error of DuckDB in the middle of a stream
            raise OSError(str(error)) from error
        if reader.without_record:
            row = pairs.filter("l IS NULL OR r IS NULL").limit(1).fetchall()[0]
            raise LabelError(
                f"{source} has {counted(reader.without_record, 'pair')} without a record, such as {row}; "
                "each pair names two records"
            )
        if reader.without_score:
            row = relation.filter(f"{scores} IS NULL OR isnan({scores})").limit(1).fetchall()[0]
            raise HierarchyError(
                f"{source} has {counted(reader.without_score, 'pair')} without a score that is a number, "
                f"such as {dict(zip(types, row, strict=True))}; leave them out"
            )
        parent, heights, level, clusters = reader.finish()
        names, order = _records(reader.records(), kind)
    parent[: len(order)] = parent[order]
    return (parent, heights, level, clusters), names


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
