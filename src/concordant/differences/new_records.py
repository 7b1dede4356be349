"""Records that only one of two versions has: the clusters that new ones joined, and other changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from concordant.counts.arithmetic import sums_by
from concordant.counts.counted import Counted, cells_outside_clusters
from concordant.counts.spelling import counted
from concordant.differences.lazy_list import LazyList, check_limit, field_names, largest_of


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

    def _title(self) -> str:
        return self.headline


def new_records_of(completed: Counted, limit: int | None) -> NewRecords:
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
    listed = chosen[largest_of(new[chosen], check_limit(limit))]

    def in_cluster(number: int) -> NewInCluster:
        return NewInCluster(names.cluster(1, number), int(new[number]), int(common[number]))

    found = NewRecords(listed, in_cluster, total=len(chosen))
    vars(found).update(
        n_common=int(n.sum()),
        n_changed=int(n[has_changed].sum()),
        n_new=int(new.sum()),
        n_joined=int(new[common > 0].sum()),
        n_removed=int(table.n[only_before & ~only_after].sum()),
    )
    return found
