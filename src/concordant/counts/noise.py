"""Labels of each side that are not ordinary clusters: dropped, singletons, or background.

The elements are counted once, with all labels as clusters. Special labels are then treated on the rows and
columns of the table. A label is kept as one "cluster", "drop"ped with its elements, cut into "singletons", or
is "background": not a cluster of its side, but its elements count in the cluster sizes of the other side.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, counted_alike
from concordant.counts.base import Availability, Need, TableSource
from concordant.counts.conventions import Conventions, LabelTreatment, report_unused_noise
from concordant.counts.counted import Counted, TableNames
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.counts.table import Cells
from concordant.errors import NothingLeftError, ParameterError, Remedy, TooLargeError, kind_of

_WHY_NO_RECORDS = "labels were dropped or became singletons after counting, so the records are not known"
_HOW_TO_SCORE = "to score each record, compare with noise= and noise_as=, or with a mask, where="


_INSTEAD_OF_BACKGROUND: dict[LabelTreatment, str] = {
    "drop": "leave the background out",
    "singletons": "make each of its records a singleton",
}


def with_noise(
    table: Cells, conventions: Conventions, agreed: Mapping[str, str], audit: Mapping[str, int]
) -> Counted:
    """The counts, with the labels of each side treated according to its policy."""
    assert table.labels is not None  # the labels of rows and columns
    rows = _Side("reference", table.labels[0], table.row_sizes, conventions.reference_noise)
    columns = _Side("candidate", table.labels[1], table.column_sizes, conventions.candidate_noise)
    words = (agreed["noise"].replace("none", ""), rows.description, columns.description)
    conventions_used = {**agreed, "noise": ", ".join(filter(None, words)) or "none"}
    report_unused_noise(
        (label, label in side.labels)
        for side in (rows, columns)
        for label, treatment in side.policy.items()
        if treatment != "cluster"
    )
    keep = ~(rows.are("drop")[table.row] | columns.are("drop")[table.column])
    if dropped := int(table.n[~keep].sum()):
        if not keep.any():
            raise NothingLeftError(
                f"this leaves nothing to compare: all {dropped:,} records have a label that is dropped",
                given={"reference_noise": rows.policy, "candidate_noise": columns.policy},
            )
        audit = {**audit, **{key: audit.get(key, 0) + dropped for key in ("noise_dropped", "not_compared")}}
        table, rows, columns = _subset(table, keep, rows, columns)
    background = rows.are("background"), columns.are("background")
    single = rows.are("singletons"), columns.are("singletons")
    has_background = bool(background[0].any() or background[1].any())
    if has_background and bool(single[0].any() or single[1].any()):
        raise ParameterError(
            "one label is background and another means singletons; background applies to object measures, so "
            "keep the other as a cluster, or drop it"
        )
    whole = table
    if has_background:  # an element that is background on both sides does not count
        held = ~(background[0][table.row] & background[1][table.column])
        table, rows, columns = _subset(table, held, rows, columns)
        single = rows.are("background"), columns.are("background")
    single = single[0] | rows.are_unlabelled, single[1] | columns.are_unlabelled
    profile, unclustered = _with_singletons(table, single, conventions.table_limit)
    remedies = tuple(
        Remedy(effect, **_without_background(conventions, treatment))
        for treatment, effect in _INSTEAD_OF_BACKGROUND.items()
    )
    counts = _objects(whole, background, profile, remedies) if has_background else profile
    names = TableNames(
        profile,
        why_no_records=_WHY_NO_RECORDS,
        calls=_HOW_TO_SCORE,
        unclustered_counts=unclustered,
    )
    return Counted(counts, names, conventions_used, audit)


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


class _Side:
    """The clusters of one side and how each is treated."""

    def __init__(
        self, role: str, labels: Any, sizes: Integers, policy: Mapping[Any, LabelTreatment] | None
    ) -> None:
        self.labels, self.policy = [labels[number] for number in range(len(sizes))], dict(policy or {})
        self.description = self._described(role, sizes)

    def _described(self, role: str, sizes: Integers) -> str:
        """How each label is treated, and how many elements have it; refuses a label of another type."""
        found = dict(zip(self.labels, sizes.tolist(), strict=True))
        for label in self.policy:
            similar = next((x for x in found if x != label and str(x) == str(label)), None)
            if label not in found and similar is not None:
                raise ParameterError(
                    f"the labels of the {role} include {similar!r}, {kind_of(similar)}, but not "
                    f"{label!r}, {kind_of(label)}; pass it with the type of the labels",
                    given={f"{role}_noise": self.policy},
                )
        each = (f"{label!r} as {how} ({role}: {found.get(label, 0)})" for label, how in self.policy.items())
        return ", ".join(each)

    def are(self, treatment: LabelTreatment) -> NDArray[np.bool_]:
        return np.array([self.policy.get(label) == treatment for label in self.labels], dtype=bool)

    @property
    def are_unlabelled(self) -> NDArray[np.bool_]:
        """Which are singletons already: elements in no cluster."""
        return np.array([label is None for label in self.labels], dtype=bool)

    def subset(self, numbers: Integers) -> _Side:
        side = copy(self)
        side.labels = [self.labels[number] for number in numbers.tolist()]
        return side


def _subset(table: Cells, keep: NDArray[np.bool_], *sides: _Side) -> tuple[Cells, _Side, _Side]:
    """Some cells, with the clusters that are left of each side."""
    (rows, row), (columns, column) = (
        np.unique(ends[keep], return_inverse=True) for ends in (table.row, table.column)
    )
    left = sides[0].subset(rows), sides[1].subset(columns)
    cells = row.astype(np.int64), column.astype(np.int64), table.n[keep]
    return Cells(*cells, labels=(left[0].labels, left[1].labels)), *left


def _with_singletons(
    table: Cells, single: tuple[NDArray[np.bool_], NDArray[np.bool_]], limit: int
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
    source = TableSource(partial(_table_with_singletons, table, single))
    if cells > limit:
        price = f"{cells:,} overlaps, most of them of singletons, and the limit is {limit:,}"
        source = TableSource(partial(_refuse, price, cells), Availability(Need.SIZES, price=price))
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


def _table_with_singletons(table: Cells, single: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> Cells:
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
    return Cells(ends[0][order], ends[1][order], n[order], labels=(labels[0], labels[1]))


def _objects(
    table: Cells,
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
    cells = Cells(row, column, table.n[objects], sizes=sizes, labels=(labels[0], labels[1]))
    return PartialOverlap.of_table(cells, completed, remedies)


def _numbered(met: Integers, background: NDArray[np.bool_]) -> tuple[Integers, NDArray[np.int64]]:
    """The numbers of the overlapping clusters, and all objects in the order of their numbers."""
    there, number = np.unique(met, return_inverse=True)
    others = ~background
    others[there] = False
    return number.astype(np.int64), np.concatenate([there, np.flatnonzero(others)])
