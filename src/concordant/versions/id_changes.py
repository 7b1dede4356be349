"""Two versions of a clustering: the clusters that new records joined, and those with another id."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.counts.counted_sides import CountedSides, cells_outside_clusters
from concordant.differences.lazy_list import LazyList, check_limit, field_names, largest_by_label
from concordant.foundation.spelling import counted, percent
from concordant.maths.arithmetic import sums_by


@dataclass(frozen=True, slots=True)
class NewInCluster:
    """A cluster after the change that new records joined, or that has only new records.

    Attributes
    ----------
    cluster : label
        The cluster.
    n_new : int
        Number of its new records.
    n_common : int
        Number of its records that were there before; 0 if the cluster is new.
    """

    cluster: Any
    n_new: int
    n_common: int


class NewRecords(LazyList[NewInCluster]):
    """The clusters that new records joined. `Diff.new_records` returns it.

    New records that are alone in their cluster are counted, and not listed.

    Attributes
    ----------
    n_common : int
        Number of records that both versions have in a cluster.
    n_changed : int
        Number of these whose cluster changed, apart from new and removed records.
    n_new : int
        Number of records that only the version after has, or that were in no cluster before.
    n_joined : int
        Number of new records in a cluster with a common record.
    n_removed : int
        Number of records that only the version before has, or that are in no cluster after.
    """

    n_common: int
    n_changed: int
    n_new: int
    n_joined: int
    n_removed: int
    _columns = field_names(NewInCluster)

    @property
    def headline(self) -> str:
        """The number of common records that changed, and of new ones that joined them.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff({"p": 1, "q": 1}, {"p": 1, "q": 1, "r": 1, "s": 2}, unmatched="drop")
        >>> d.new_records().headline
        '0 of 2 common records changed; 1 of 2 new records joined them; 0 records were removed'
        """
        common, new = counted(self.n_common, "common record"), counted(self.n_new, "new record")
        removed = f"{counted(self.n_removed, 'record')} {'was' if self.n_removed == 1 else 'were'} removed"
        return f"{self.n_changed:,} of {common} changed; {self.n_joined:,} of {new} joined them; {removed}"

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of records, and the clusters.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> d = cc.diff({"p": 1}, {"p": 1, "q": 1}, unmatched="singletons")
        >>> d.new_records().to_dict()["n_joined"]
        1
        """
        names = ("n_common", "n_changed", "n_new", "n_joined", "n_removed")
        return {name: getattr(self, name) for name in names} | super().to_dict()


def new_records_of(completed: CountedSides, limit: int | None) -> NewRecords:
    """The new records; in ``completed``, each record that a version lacks is a singleton there."""
    table, names = completed.counts.partitions.table, completed.names
    only_after, only_before = cells_outside_clusters(names, table.row, table.column)
    is_new, is_common = only_after & ~only_before, ~only_after & ~only_before
    columns = len(table.column_sizes)
    new, common = (sums_by(table.column, np.where(kind, table.n, 0), columns) for kind in (is_new, is_common))
    n = table.n[is_common]
    row, column = table.row[is_common], table.column[is_common]
    own = sums_by(row, n, len(table.row_sizes))[row]
    has_changed = (n != own) | (n != common[column])
    chosen = np.flatnonzero((new > 0) & (new + common > 1))
    limit = check_limit(limit)
    first = largest_by_label(new[chosen], limit, lambda place: names.cluster(1, int(chosen[place])))

    def in_cluster(number: int) -> NewInCluster:
        return NewInCluster(names.cluster(1, number), int(new[number]), int(common[number]))

    found = NewRecords(chosen[first], in_cluster, total=len(chosen))
    vars(found).update(
        n_common=int(n.sum()),
        n_changed=int(n[has_changed].sum()),
        n_new=int(new.sum()),
        n_joined=int(new[common > 0].sum()),
        n_removed=int(table.n[only_before & ~only_after].sum()),
    )
    return found


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
        share = percent(self.id_churn, 1, decimals=1)
        return f"{counted(self.total, 'cluster')} with another id, {share} of the records"


def changed_ids_of(known: CountedSides, limit: int | None) -> ChangedIds:
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
