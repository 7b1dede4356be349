"""Three partitions in sources, joined by record and counted where they are stored: three-way cells."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from concordant.clusterings.labels import is_missing
from concordant.clusterings.partition_data import SourcePartition
from concordant.counts.arithmetic import as_integers, sums_by
from concordant.counts.conventions import Conventions
from concordant.counts.remedies import FOR_NULLS, FOR_UNMATCHED
from concordant.counts.spelling import counted
from concordant.counts.three_way import ThreeWay, ThreeWayCounts, Units, check_three_way_limit
from concordant.engines.tables import queries
from concordant.engines.tables.opening import Opened, opened_with, refuse_threads
from concordant.errors import (
    LabelError,
    NothingLeftError,
    OverlapError,
    ParameterError,
    Remedy,
    UnmatchedError,
)

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
        for role, side in zip(_ROLES, sides, strict=True):
            assert side.record is not None
            if found := queries.fetched([queries.repeated_records(side.frame, side.record, 1)]):
                raise OverlapError(
                    f"the record {found[0][0]!r} occurs twice in {side.source.source}, the {role}; keep one"
                )
        keys = ("u", "v", "w") if unit is None else ("u", "v", "w", "unit")
        cells = queries.three_way_cells(_joined(pairs, unit).select(*keys), keys)
        ((count,),) = queries.fetched([queries.height(cells)])
        check_three_way_limit(int(count), conventions.table_limit)
        rows = queries.fetched([cells])
        sizes = [int(queries.fetched([queries.height(side.named_rows())])[0][0]) for side in sides]
    for number, (role, source) in enumerate(zip(_ROLES, sources, strict=True)):
        nulls = sum(int(row[-1]) for row in rows if is_missing(row[number]))
        if nulls and source.nulls == "error":
            raise LabelError(
                f"{source.cluster!r} of the {role} has {counted(nulls, 'null label')}", remedies=FOR_NULLS[:1]
            )
    kept = [row for row in rows if not any(map(is_missing, row[:3]))]
    if unit is not None and (lacking := sum(int(row[-1]) for row in kept if is_missing(row[3]))):
        raise LabelError(
            f"{unit!r} of the reference is null for {counted(lacking, 'record')}: name the unit of every "
            "record, or leave these records out"
        )
    common = sum(int(row[-1]) for row in rows)
    if conventions.unmatched == "error" and common < max(sizes):
        raise UnmatchedError(
            f"the three sources have {counted(common, 'record')} in common, and one of them "
            f"has {max(sizes):,}",
            remedies=FOR_UNMATCHED[:1],
        )
    if any(sizes) and not kept:
        had = ", ".join(f"{source.source} has {size:,}" for source, size in zip(sources, sizes, strict=True))
        why = "each of these has a null label" if common else "no record is in all three: check the spelling"
        raise NothingLeftError(
            f"this leaves nothing to contrast: {had} and {counted(common, 'record')} in common; {why}",
            given={"nulls" if common else "unmatched": "drop"},
        )
    cells_of, labels, pieces = _encoded(kept)
    records = partial(_records, sources, conventions.threads, labels)
    return ThreeWayCounts(cells_of, labels, sizes, None if unit is None else pieces, records)


def _check(sources: Sequence[SourcePartition], conventions: Conventions) -> None:
    if conventions.unmatched not in ("error", "drop"):
        raise ParameterError(
            "engines contrast the records that all three sources have; others need labels in memory",
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
            "engines do not drop labels or make singletons in a contrast; read the labels into memory",
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


def _encoded(
    rows: list[tuple[Any, ...]],
) -> tuple[ThreeWay, tuple[list[Any], list[Any], list[Any]], Units]:
    """The cells, the labels of their clusters, and the pieces of the cells in units; all in one, if none."""
    numbers: list[dict[Any, int]] = [{}, {}, {}]
    # In an order that does not depend on the candidates, so several systems share the order of units.
    units = {unit: k for k, unit in enumerate(sorted({row[3:-1] for row in rows}, key=repr))}
    codes = np.array(
        [
            [known.setdefault(label, len(known)) for known, label in zip(numbers, row[:3], strict=True)]
            for row in rows
        ],
        dtype=np.int64,
    ).reshape(-1, 3)
    where = np.array([units[row[3:-1]] for row in rows], dtype=np.int64)
    order = np.lexsort((where, codes[:, 2], codes[:, 1], codes[:, 0]))
    total = sum(int(row[-1]) for row in rows)
    n = as_integers([int(rows[place][-1]) for place in order.tolist()], total)
    codes = codes[order]
    is_first = np.any(np.diff(codes, axis=0, prepend=-1) != 0, axis=1)
    cell = np.cumsum(is_first) - 1
    u, v, w = codes[is_first].T
    nowhere = np.full(len(u), -1, dtype=np.int64)  # records stay in their sources
    cells = ThreeWay(u, v, w, sums_by(cell, n, len(u)), nowhere, np.zeros(0, dtype=np.int64))
    labels = list(numbers[0]), list(numbers[1]), list(numbers[2])
    return cells, labels, Units(len(units), where[order], cell, n)
