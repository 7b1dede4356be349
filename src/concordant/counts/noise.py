"""Labels of each side that are no ordinary cluster: dropped, alone, or background, decided on the table.

The elements are counted once, with all labels as clusters; what becomes of some labels is decided then, on
rows and columns. A label is kept as one "cluster", "drop"ped with its elements, cut into "singletons", or is
"background": no cluster of its side, while its elements still count in the sizes of the other's clusters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, counted_alike
from concordant.counts.conventions import Conventions, LabelTreatment
from concordant.counts.counted import Counted, TableNames
from concordant.counts.partial_overlap import PartialOverlap
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.errors import NothingLeftError, ParameterError, kind_of

_WHY_NO_RECORDS = (
    "labels were dropped or set apart after counting, on the table, which does not say which records these "
    "are; to score each record, compare with noise= and noise_as=, or with a mask, where="
)


def with_noise(
    table: Table, conventions: Conventions, agreed: Mapping[str, str], audit: Mapping[str, int]
) -> Counted:
    """What was counted, once the labels that are noise on each side are treated as was agreed on."""
    assert table.labels is not None  # which say what the rows and columns are
    rows = _Side(table.labels[0], len(table.row_sizes), conventions.reference_noise, "reference")
    columns = _Side(table.labels[1], len(table.column_sizes), conventions.candidate_noise, "candidate")
    keep = ~(rows.are("drop")[table.row] | columns.are("drop")[table.column])
    dropped = int(table.n[~keep].sum())
    if dropped and not keep.any():
        raise NothingLeftError(
            f"this leaves nothing to compare: all {dropped:,} elements have a label that is dropped",
            given={"reference_noise": rows.policy, "candidate_noise": columns.policy},
        )
    left_rows, row = np.unique(table.row[keep], return_inverse=True)
    left_columns, column = np.unique(table.column[keep], return_inverse=True)
    rows, columns = rows.subset(left_rows), columns.subset(left_columns)
    cells = row.astype(np.int64), column.astype(np.int64), table.n[keep]
    kept = Table(*cells, labels=(rows.labels, columns.labels))
    single = rows.are("singletons"), columns.are("singletons")
    background = rows.are("background"), columns.are("background")
    any_single, any_background = (any(map(np.any, each)) for each in (single, background))
    if any_single and any_background:
        raise ParameterError(
            "one label is background and another stands for singletons; background is for measures of "
            "objects, so keep the other as a cluster, or drop it"
        )
    profile = _with_singletons(kept, single) if any_single else Profile.of_table(kept)
    conventions_used = {
        **agreed,
        "noise": f"{rows.description} (reference), {columns.description} (candidate)",
    }
    left_out = {**audit, **({"noise_dropped": dropped} if dropped else {})}
    names = TableNames(profile, why_no_records=_WHY_NO_RECORDS)
    counts = _objects(kept, background, profile) if any_background else profile
    return Counted(counts, names, conventions_used, left_out)


class _Side:
    """The clusters of one side and how each is treated."""

    def __init__(
        self, labels: Any, count: int, policy: Mapping[Any, LabelTreatment] | None, what: str
    ) -> None:
        self.labels, self.policy = [labels[number] for number in range(count)], dict(policy or {})
        self.treatment = [self.policy.get(label, "cluster") for label in self.labels]
        found = set(self.labels)
        for label in self.policy:
            alike = next((x for x in found if x != label and str(x) == str(label)), None)
            if label not in found and alike is not None:
                raise ParameterError(
                    f"among the labels of the {what} is {alike!r}, {kind_of(alike)}, and not "
                    f"{label!r}, {kind_of(label)}; give it as the labels have it",
                    given={f"{what}_noise": self.policy},
                )

    def are(self, treatment: LabelTreatment) -> NDArray[np.bool_]:
        return np.array([each == treatment for each in self.treatment], dtype=bool)

    def subset(self, numbers: Integers) -> _Side:
        side = _Side.__new__(_Side)
        side.policy = self.policy
        side.labels = [self.labels[number] for number in numbers.tolist()]
        side.treatment = [self.treatment[number] for number in numbers.tolist()]
        return side

    @property
    def description(self) -> str:
        return ", ".join(f"{label!r} as {how}" for label, how in self.policy.items()) or "none"


def _with_singletons(table: Table, single: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> Profile:
    """The sizes alone: an element that stands alone on a side is an overlap of one element."""
    row, column = single[0][table.row], single[1][table.column]
    one = np.ones_like(table.n)
    alone = row | column
    n, count = np.where(alone, one, table.n), np.where(alone, table.n, one)
    triples = (n, np.where(row, one, table.a), np.where(column, one, table.b))
    return Profile(*counted_alike(triples, count))


def _objects(
    table: Table, background: tuple[NDArray[np.bool_], NDArray[np.bool_]], completed: Profile
) -> PartialOverlap:
    """The cells of objects, with their full sizes; objects that overlap only background come last."""
    objects = ~(background[0][table.row] | background[1][table.column])
    row, row_order = _numbered(table.row[objects], background[0])
    column, column_order = _numbered(table.column[objects], background[1])
    orders = row_order, column_order
    assert table.labels is not None
    labels = [[names[i] for i in order.tolist()] for names, order in zip(table.labels, orders, strict=True)]
    sizes = table.row_sizes[orders[0]], table.column_sizes[orders[1]]
    cells = Table(row, column, table.n[objects], sizes=sizes, labels=(labels[0], labels[1]))
    return PartialOverlap.of_table(cells, completed)


def _numbered(met: Integers, background: NDArray[np.bool_]) -> tuple[Integers, NDArray[np.int64]]:
    """The numbers of the clusters that are met, and all objects in the order of their numbers."""
    there, number = np.unique(met, return_inverse=True)
    others = ~background
    others[there] = False
    return number.astype(np.int64), np.concatenate([there, np.flatnonzero(others)])
