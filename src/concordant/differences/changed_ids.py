"""Ids of clusters that changed although the cluster did not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.counts.counted import Counted, cells_outside_clusters
from concordant.counts.spelling import counted
from concordant.differences.lazy_list import LazyList, check_limit, field_names, largest_by_label


@dataclass(frozen=True, slots=True)
class ChangedId:
    """A cluster with the same records and another id.

    Attributes
    ----------
    before, after : label
        The two ids.
    size : int
        Number of records.
    """

    before: Any
    after: Any
    size: int


class ChangedIds(LazyList[ChangedId]):
    """The clusters whose id changed although their records did not. `Diff.changed_ids` returns it.

    Attributes
    ----------
    id_churn : float
        Share of the common records that are in such a cluster.
    """

    id_churn: float
    _columns = field_names(ChangedId)

    def __init__(self, rows: Iterable[tuple[Any, Any, int]], total: int, size: int, n_common: int) -> None:
        super().__init__([ChangedId(*row) for row in rows], total=total)
        vars(self).update(id_churn=size / n_common if n_common else 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the share of records, and the clusters.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff(["a", "a", "b"], ["a", "a", "c"]).changed_ids().to_dict()["rows"]
        [{'before': 'b', 'after': 'c', 'size': 1}]
        """
        return {"id_churn": self.id_churn} | super().to_dict()

    def _title(self) -> str:
        return f"{counted(self.total, 'cluster')} with another id, {self.id_churn:.1%} of the records"


def changed_ids_of(known: Counted, limit: int | None) -> ChangedIds:
    """The clusters with another id, the largest first; records that a version lacks are not common."""
    table, names = known.counts.table, known.names
    is_new, is_removed = cells_outside_clusters(names, table.row, table.column)
    is_common = ~(is_new | is_removed)
    same = np.flatnonzero(is_common & (table.n == table.a) & (table.n == table.b))
    sides = zip(*(each[same].tolist() for each in (table.row, table.column, table.n)), strict=True)
    rows = [(names.cluster(0, row), names.cluster(1, column), n) for row, column, n in sides]
    changed = [row for row in rows if row[0] != row[1]]
    sizes = np.array([n for *_, n in changed], dtype=np.int64)
    first = largest_by_label(sizes, check_limit(limit), lambda place: changed[place][0])
    listed = [changed[place] for place in first.tolist()]
    return ChangedIds(listed, len(changed), int(sizes.sum()), int(table.n[is_common].sum()))
