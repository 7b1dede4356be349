"""Labels of each side that are not ordinary clusters: dropped, singletons, or background.

The elements are counted once, with all labels as clusters. Special labels are then treated on the rows and
columns of the table. A label is kept as one "cluster", "drop"ped with its elements, cut into "singletons", or
is "background": not a cluster of its side, but its elements count in the cluster sizes of the other side.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from concordant.counts.base import Availability, ContingencyLoader, Detail
from concordant.counts.contingency import Contingency
from concordant.counts.counted_sides import CountedSides, TableLabels
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.errors import NothingLeftError, ParameterError, Remedy, TooLargeError, kind_of
from concordant.foundation.conventions import (
    SIDES,
    Conventions,
    LabelTreatment,
    SideName,
    report_unused_noise,
)
from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import Integers, counted_alike

_WHY_NO_RECORDS = "labels were dropped or became singletons after counting, so the records are not known"
_HOW_TO_SCORE = "to score each record, compare with noise= and noise_as=, or with a mask, where="


_INSTEAD_OF_BACKGROUND: dict[LabelTreatment, str] = {
    "drop": "leave the background out",
    "singletons": "make each of its records a singleton",
}


def with_noise(
    table: Contingency, conventions: Conventions, agreed: Mapping[str, str], audit: Mapping[str, int]
) -> CountedSides:
    """The counts, with the labels of each side treated according to its policy."""
    policies = dict(conventions.reference_noise or {}), dict(conventions.candidate_noise or {})
    labels = _labels_of(table)
    sizes = table.row_sizes, table.column_sizes
    described = map(_described, SIDES, labels, sizes, policies)
    words = ", ".join(filter(None, (agreed["noise"].replace("none", ""), *described)))
    conventions_used = {**agreed, "noise": words or "none"}
    report_unused_noise(
        (label, label in own)
        for own, policy in zip(labels, policies, strict=True)
        for label, treatment in policy.items()
        if treatment != "cluster"
    )
    dropped_rows, dropped_columns = _which_are("drop", table, policies)
    keep = ~(dropped_rows[table.row] | dropped_columns[table.column])
    if dropped := int(table.n[~keep].sum()):
        if not keep.any():
            raise NothingLeftError(
                f"this leaves nothing to compare: {counted(dropped, 'record', 'have')} a label that is "
                "dropped",
                given={"reference_noise": policies[0], "candidate_noise": policies[1]},
            )
        audit = {**audit, **{key: audit.get(key, 0) + dropped for key in ("noise_dropped", "not_compared")}}
        table = _subset(table, keep)
    background, single = _which_are("background", table, policies), _which_are("singletons", table, policies)
    has_background = bool(background[0].any() or background[1].any())
    if has_background and bool(single[0].any() or single[1].any()):
        raise ParameterError(
            "one label is background and another means singletons; background applies to object measures, so "
            "keep the other as a cluster, or drop it"
        )
    whole = table
    if has_background:  # an element that is background on both sides does not count
        table = _subset(table, ~(background[0][table.row] & background[1][table.column]))
        single = _which_are("background", table, policies)
    rows, columns = ([label is None for label in own] for own in _labels_of(table))  # in no cluster already
    single = single[0] | np.array(rows, dtype=bool), single[1] | np.array(columns, dtype=bool)
    profile, unclustered = _with_singletons(table, single, conventions.table_limit)
    remedies = tuple(
        Remedy(effect, **_without_background(conventions, treatment))
        for treatment, effect in _INSTEAD_OF_BACKGROUND.items()
    )
    counts = _objects(whole, background, profile, remedies) if has_background else profile
    names = TableLabels(
        profile,
        why_no_records=_WHY_NO_RECORDS,
        calls=_HOW_TO_SCORE,
        unclustered_counts=unclustered,
    )
    return CountedSides(counts, names, conventions_used, audit)


def _without_background(conventions: Conventions, treatment: LabelTreatment) -> dict[str, Any]:
    """The options of both sides, with another treatment in place of background."""
    policies = {
        "reference_noise": conventions.reference_noise,
        "candidate_noise": conventions.candidate_noise,
    }
    return {
        option: {label: treatment if own == "background" else own for label, own in policy.items()}
        for option, policy in policies.items()
        if policy
    }


def _labels_of(table: Contingency) -> tuple[list[Any], list[Any]]:
    assert table.labels is not None  # the labels of rows and columns
    rows, columns = table.labels
    return [rows[i] for i in range(len(table.row_sizes))], [
        columns[i] for i in range(len(table.column_sizes))
    ]


def _described(
    role: SideName, labels: list[Any], sizes: Integers, policy: Mapping[Any, LabelTreatment]
) -> str:
    """How each label is treated, and how many elements have it; refuses a label of another type."""
    found = dict(zip(labels, sizes.tolist(), strict=True))
    for label in policy:
        similar = next((x for x in found if x != label and str(x) == str(label)), None)
        if label not in found and similar is not None:
            raise ParameterError(
                f"the labels of the {role} include {similar!r}, {kind_of(similar)}, but not "
                f"{label!r}, {kind_of(label)}; pass it with the type of the labels",
                given={f"{role}_noise": policy},
            )
    return ", ".join(f"{label!r} as {how} ({role}: {found.get(label, 0)})" for label, how in policy.items())


def _which_are(
    treatment: LabelTreatment,
    table: Contingency,
    policies: tuple[Mapping[Any, LabelTreatment], Mapping[Any, LabelTreatment]],
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The clusters of both sides with this treatment."""
    rows, columns = (
        np.array([policy.get(label) == treatment for label in labels], dtype=bool)
        for labels, policy in zip(_labels_of(table), policies, strict=True)
    )
    return rows, columns


def _subset(table: Contingency, keep: NDArray[np.bool_]) -> Contingency:
    """Some cells, with the clusters that are left of each side."""
    (rows, row), (columns, column) = (
        np.unique(ends[keep], return_inverse=True) for ends in (table.row, table.column)
    )
    u, v = _labels_of(table)
    labels = [u[number] for number in rows.tolist()], [v[number] for number in columns.tolist()]
    return Contingency(row.astype(np.int64), column.astype(np.int64), table.n[keep], labels=labels)


def _with_singletons(
    table: Contingency, single: tuple[NDArray[np.bool_], NDArray[np.bool_]], limit: int
) -> tuple[Profile, tuple[int, int, int]]:
    """The profile in which each element of some clusters is a singleton, and how many these are.

    The sizes follow from the cells. The table, with a cell for each such element, is made on request.
    """
    row, column = single[0][table.row], single[1][table.column]
    alone = row | column
    if not alone.any():
        return Profile.of_table(table), (0, 0, 0)
    one = np.ones_like(table.n)
    n, count = np.where(alone, one, table.n), np.where(alone, table.n, one)
    triples = (n, np.where(row, one, table.a), np.where(column, one, table.b))
    unclustered = tuple(int(table.n[which].sum()) for which in (row, column, row & column))
    cells = int(count.sum())
    source = ContingencyLoader(partial(_table_with_singletons, table, single))
    if cells > limit:
        price = f"{cells:,} overlaps, most of them of singletons, and the limit is {limit:,}"
        source = ContingencyLoader(partial(_refuse, price, cells), Availability(Detail.SIZES, price=price))
    return Profile(*counted_alike(triples, count), table=source), (
        unclustered[0],
        unclustered[1],
        unclustered[2],
    )


def _refuse(price: str, cells: int) -> NoReturn:
    raise TooLargeError(
        f"this needs to know which clusters overlap: {price}",
        remedies=[Remedy("allow it", table_limit=cells)],
    )


def _table_with_singletons(
    table: Contingency, single: tuple[NDArray[np.bool_], NDArray[np.bool_]]
) -> Contingency:
    """A cell for each element of these clusters; singletons have no label and are numbered last."""
    assert table.labels is not None
    alone = single[0][table.row] | single[1][table.column]
    times = np.where(alone, table.n, 1)
    ends, labels = [], []
    for numbers, is_single, names in zip((table.row, table.column), single, table.labels, strict=True):
        own = np.flatnonzero(~is_single)
        renumbered = np.zeros(len(is_single), dtype=np.int64)
        renumbered[own] = np.arange(len(own))
        repeated = np.repeat(numbers, times)
        fresh = is_single[repeated]
        ends.append(np.where(fresh, len(own) - 1 + np.cumsum(fresh), renumbered[repeated]))
        labels.append([names[number] for number in own.tolist()] + [None] * int(fresh.sum()))
    order = np.lexsort(ends[::-1])
    n = np.repeat(np.where(alone, 1, table.n), times)
    return Contingency(ends[0][order], ends[1][order], n[order], labels=(labels[0], labels[1]))


def _objects(
    table: Contingency,
    background: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    completed: Profile,
    remedies: tuple[Remedy, ...],
) -> PartialOverlap:
    """The cells of objects, with their full sizes; objects that overlap only background come last."""
    objects = ~(background[0][table.row] | background[1][table.column])
    row, row_order = _numbered(table.row[objects], background[0])
    column, column_order = _numbered(table.column[objects], background[1])
    orders = row_order, column_order
    assert table.labels is not None
    labels = [[names[i] for i in order.tolist()] for names, order in zip(table.labels, orders, strict=True)]
    sizes = table.row_sizes[orders[0]], table.column_sizes[orders[1]]
    cells = Contingency(row, column, table.n[objects], sizes=sizes, labels=(labels[0], labels[1]))
    return PartialOverlap.of_table(cells, completed, remedies)


def _numbered(met: Integers, background: NDArray[np.bool_]) -> tuple[Integers, NDArray[np.int64]]:
    """The numbers of the overlapping clusters, and all objects in the order of their numbers."""
    there, number = np.unique(met, return_inverse=True)
    others = ~background
    others[there] = False
    return number.astype(np.int64), np.concatenate([there, np.flatnonzero(others)])
