"""Three partitions in sources, joined by record and counted where they are stored: three-way cells."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant.clusterings.partition_data import SourcePartition
from concordant.counts.three_way import ThreeWay, ThreeWayCounts, Units, check_three_way_limit
from concordant.engines.tables import queries
from concordant.engines.tables.opening import Opened, opened_with, refuse_cells, refuse_threads
from concordant.errors import (
    LabelError,
    NothingLeftError,
    OverlapError,
    ParameterError,
    Remedy,
    UnmatchedError,
)
from concordant.foundation.conventions import Conventions
from concordant.foundation.remedies import FOR_NULLS, FOR_UNMATCHED
from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import Integers, as_integers, sums_by

# Memory of a row of three-way cells until a diff is printed, and of a row of these in units, without labels.
_BYTES_OF_A_CELL, _BYTES_OF_A_PIECE = 330, 170
_ROLES = ("reference", "first candidate", "second candidate")


def count_three(
    sources: Sequence[SourcePartition], conventions: Conventions, unit: str | None = None
) -> ThreeWayCounts:
    """The three-way cells; ``unit`` is the column of the reference that holds the sampling units."""
    if conventions.nulls is not None:
        sources = [replace(each, nulls=conventions.nulls) for each in sources]
    _check(sources, conventions)
    refuse_threads(sources, conventions.threads)
    with ExitStack() as stack:
        pairs = opened_with(sources, stack, conventions.threads, {} if unit is None else {0: (unit,)})
        sides = [pairs[0][0], pairs[0][1], pairs[1][1]]
        keys = ("u", "v", "w") if unit is None else ("u", "v", "w", "unit")
        rows = _joined(pairs, unit).select(*keys)
        each = _BYTES_OF_A_CELL if unit is None else _BYTES_OF_A_PIECE
        refuse_cells(sources[0], rows, keys, each, "overlaps", None)
        for role, side in zip(_ROLES, sides, strict=True):
            assert side.record is not None
            if found := queries.fetched([queries.repeated_records(side.frame, side.record, 1)]):
                raise OverlapError(
                    f"the record {found[0][0]!r} occurs twice in {side.source.source}, the {role}; keep one"
                )
        with queries.counted(rows, keys) as cells:
            ((count,),) = queries.fetched([queries.height(cells)])
            check_three_way_limit(int(count), conventions.table_limit)
            refuse_cells(sources[0], rows, keys, each, "overlaps", int(count))
            *columns, times = queries.fetched_columns(cells.select(*keys, "n"))
        sizes = [int(queries.fetched([queries.height(side.named_rows())])[0][0]) for side in sides]
    n = as_integers(times, sum(sizes))
    numbers, labels = zip(*map(queries.numbered, columns), strict=True)
    for own, role, source in zip(numbers, _ROLES, sources, strict=False):
        nulls = int(n[own < 0].sum())
        if nulls and source.nulls == "error":
            raise LabelError(
                f"{source.cluster!r} of the {role} has {counted(nulls, 'null label')}", remedies=FOR_NULLS[:1]
            )
    kept = (numbers[0] >= 0) & (numbers[1] >= 0) & (numbers[2] >= 0)
    if unit is not None and (lacking := int(n[kept & (numbers[3] < 0)].sum())):
        raise LabelError(
            f"{unit!r} of the reference is null for {counted(lacking, 'record')}: name the unit of every "
            "record, or leave these records out"
        )
    common = int(n.sum())
    if conventions.unmatched == "error" and common < max(sizes):
        raise UnmatchedError(
            f"the three sources have {counted(common, 'record')} in common, and one of them "
            f"has {max(sizes):,}",
            remedies=FOR_UNMATCHED[:1],
        )
    if any(sizes) and not kept.any():
        had = ", ".join(f"{source.source} has {size:,}" for source, size in zip(sources, sizes, strict=True))
        why = "each of these has a null label" if common else "no record is in all three: check the spelling"
        raise NothingLeftError(
            f"this leaves nothing to compare: {had} and {counted(common, 'record')} in common; {why}",
            given={"nulls" if common else "unmatched": "drop"},
        )
    found = [_present(own[kept], values) for own, values in zip(numbers, labels, strict=True)]
    (u, reference), (v, one), (w, other) = found[:3]
    # In an order that does not depend on the candidates, so several systems share the order of units.
    units, where = 1, np.zeros(len(u), dtype=np.int64)
    if unit is not None:
        drawn, each = found[3]
        order = sorted(range(len(each)), key=lambda place: repr(each[place]))
        units, where = len(each), np.argsort(np.array(order, dtype=np.int64))[drawn]
    named = reference, one, other
    cells_of, pieces = _cells((u, v, w), n[kept], where, units)
    records = partial(_records, sources, conventions.threads, named)
    return ThreeWayCounts(cells_of, named, sizes, None if unit is None else pieces, records)


def _present(numbers: Integers, labels: Sequence[Any]) -> tuple[Integers, Sequence[Any]]:
    """The numbers counted from 0 without gaps, and their labels."""
    if int(numbers.min(initial=0)) == 0 and len(np.unique(numbers)) == len(labels):
        return numbers, labels
    found, which = np.unique(numbers, return_inverse=True)
    return which.reshape(-1).astype(np.int64), [labels[number] for number in found.tolist()]


def _check(sources: Sequence[SourcePartition], conventions: Conventions) -> None:
    if conventions.unmatched not in ("error", "drop"):
        raise ParameterError(
            "engines compare the records that all three sources have; others need labels in memory",
            given={"unmatched": conventions.unmatched},
            remedies=FOR_UNMATCHED[:1],
        )
    for role, source in zip(_ROLES, sources, strict=True):
        if source.record is None:
            raise ParameterError(
                f"the {role} is {source.source} without a record, by which three sources are joined",
                remedies=[Remedy("name the column of the record", record=...)],
            )
        refuse_singletons(source)


def refuse_singletons(source: SourcePartition) -> None:
    """Refuse labels that an engine would have to leave out or turn into singletons."""
    apart = {"noise_as": source.noise_as, "nulls": source.nulls}
    alone = {key: value for key, value in apart.items() if value == "singletons"}
    if alone or source.noise_as == "drop":
        raise ParameterError(
            "engines do not drop labels or make singletons of three sources; read the labels into memory",
            given=alone or {"noise_as": source.noise_as},
        )


def _records(
    sources: Sequence[SourcePartition],
    threads: int,
    labels: Sequence[Sequence[Any]],
    overlaps: Sequence[tuple[int, ...]],
    each: int,
) -> list[tuple[Any, ...]]:
    """Up to ``each`` records of each overlap of these clusters; all in one query."""
    if not overlaps:
        return []
    cells = [tuple(own[number] for own, number in zip(labels, overlap, strict=True)) for overlap in overlaps]
    with ExitStack() as stack:
        named = queries.few_records(_joined(opened_with(sources, stack, threads)), cells, each)
    return [tuple(named[cell]) for cell in cells]


def _joined(pairs: Sequence[tuple[Opened, Opened]], unit: str | None = None) -> queries.Lazy:
    """Each record r that all have, and its labels; its name may be of one type for each candidate."""
    (u, v), (again, w) = pairs
    assert u.record is not None
    assert again.record is not None
    keys = {"r": u.record, "k": u.record, "l": again.record, "u": u.label}
    more = {} if unit is None else {"unit": nw.col(unit)}
    names = u.named_rows().select(*(column.alias(name) for name, column in (keys | more).items()))
    both = names.join(v.rows(), left_on="k", right_on="v_id", how="inner").select("r", "l", "u", "v", *more)
    third = w.rows().rename({"v_id": "w_id", "v": "w"})
    return both.join(third, left_on="l", right_on="w_id", how="inner").select("r", "u", "v", "w", *more)


def _cells(
    codes: tuple[Integers, Integers, Integers], n: Integers, where: Integers, units: int
) -> tuple[ThreeWay, Units]:
    """The cells, and the pieces of the cells in units; ``where`` is the unit of each row."""
    order = np.lexsort((where, *codes[::-1]))
    u, v, w = (each[order] for each in codes)
    is_first = np.ones(len(u), dtype=bool)
    is_first[1:] = (np.diff(u) != 0) | (np.diff(v) != 0) | (np.diff(w) != 0)
    cell = np.cumsum(is_first) - 1
    u, v, w, n = u[is_first], v[is_first], w[is_first], n[order]
    nowhere = np.broadcast_to(np.int64(-1), len(u))  # records stay in their sources
    cells = ThreeWay(u, v, w, sums_by(cell, n, len(u)), nowhere, np.zeros(0, dtype=np.int64))
    return cells, Units(units, where[order], cell, n)
