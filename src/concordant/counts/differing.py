"""The clusters that differ between two partitions, apart from those that both have."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.arithmetic import Integers
from concordant.counts.availability import Need
from concordant.counts.base import View
from concordant.counts.profile import Profile
from concordant.counts.table import Table


class Differing(View):
    """The clusters of two partitions that the other side does not have, as partitions of their elements."""

    needs: ClassVar[Need] = Need.TABLE

    def __init__(self, profile: Profile) -> None:
        self._whole, differs = profile, (profile.n != profile.a) | (profile.n != profile.b)
        self.exact = profile.n[~differs], profile.count[~differs]  # clusters that both sides have, by size
        if differs.all():
            self.profile, whole = profile, profile.table
            self.rows, self.columns = np.arange(len(whole.row_sizes)), np.arange(len(whole.column_sizes))
            return
        # If most elements are in other clusters, these need not be counted again.
        is_small = 2 * int((self.exact[0] * self.exact[1]).sum()) > profile.size
        table = profile.differing_table() if is_small else None
        if table is None:
            table, self.rows, self.columns = _differing_in(profile.table)
        elif len(table) > int(profile.count[differs].sum()):
            table, *_ = _differing_in(table)
        triples = (each[differs] for each in (profile.n, profile.a, profile.b, profile.count))
        self.profile = Profile(*triples, table=table)

    @classmethod
    def of(cls, profile: Profile, exact: bool) -> Self:  # noqa: ARG003  (integers are exact as they are)
        return cls(profile)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The numbers of its rows in the whole table."""
        return _numbers(self._whole.table.row_first, self.profile.table.row_first)

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """The numbers of its columns in the whole table."""
        return _numbers(self._whole.table.column_first, self.profile.table.column_first)

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        """The positions of its cells in the whole table, where every other row is one cell."""
        row = self.profile.table.row
        return np.arange(len(row)) + (self.rows - np.arange(len(self.rows)))[row]


def _numbers(all_first: Integers | None, first: Integers | None) -> NDArray[np.int64]:
    """The numbers of clusters by their first elements; clusters are numbered in the order of these."""
    assert all_first is not None
    assert first is not None  # labels were counted, with their first elements
    return np.searchsorted(all_first, first)


def _differing_in(table: Table) -> tuple[Table, NDArray[np.int64], NDArray[np.int64]]:
    """The clusters of a table that differ, as a table of their own, and their numbers."""
    ends = np.ascontiguousarray(table.row), np.ascontiguousarray(table.column)
    cells, rows, row, columns, column = core.differing(*ends)
    first = (
        None if table.row_first is None else table.row_first[rows],
        None if table.column_first is None else table.column_first[columns],
    )
    sizes = table.row_sizes[rows], table.column_sizes[columns]
    return Table(row, column, table.n[cells], *first, sizes=sizes), rows, columns
