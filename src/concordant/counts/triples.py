"""The sizes of overlaps, which a profile and loose cells are made of, and the table that they came from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import Integers, as_integers, read_only
from concordant.counts.availability import ALL_AT_HAND, Availability, Need
from concordant.counts.best import Best
from concordant.counts.table import Table
from concordant.errors import TableNeededError


class TableSource(Protocol):
    """A table that is made when it is asked for, by counting here or by asking an engine again."""

    @property
    def availability(self) -> Availability:
        """Whether the table is at hand, and what it would cost if not."""

    def table(self) -> Table:
        """The table; a ConcordantError that names the price where it is too large."""


class Triples(ABC):
    """The multiset of triples (n, a, b): the size of an overlap and of the two clusters that it lies in."""

    n: Integers
    a: Integers
    b: Integers
    count: Integers

    _why_no_table: ClassVar[str]  # where the table is neither here nor to be had, and what to do

    def __init__(
        self,
        # n, a, b and how many overlaps have these sizes: four columns, or the rows of one array
        triples: tuple[Any, Any, Any, Any] | NDArray[np.int64],
        size: int,  # of the set
        table: Table | TableSource | None,
        best: tuple[Best, Best] | None,  # of the reference and of the candidate
    ) -> None:
        if isinstance(triples, np.ndarray):
            columns: list[Integers] = list(read_only(as_integers(triples, size)))
        else:
            columns = [read_only(as_integers(each, size)) for each in triples]
        self.n, self.a, self.b, self.count = columns
        self.size = size
        self.best = best  # what an engine counted that keeps the table to itself
        self._table = table
        self._views: dict[tuple[type, bool], Any] = {}

    @property
    @abstractmethod
    def row_sizes(self) -> dict[int, int]:
        """Distinct sizes of the reference's clusters, each with the number of clusters."""

    @property
    @abstractmethod
    def column_sizes(self) -> dict[int, int]:
        """Distinct sizes of the candidate's clusters, each with the number of clusters."""

    @cached_property
    def cells(self) -> int:
        """Number of non-empty overlaps."""
        return int(self.count.sum())

    @cached_property
    def rows(self) -> int:
        """Number of clusters of the reference, K."""
        return sum(self.row_sizes.values())

    @cached_property
    def columns(self) -> int:
        """Number of clusters of the candidate, L."""
        return sum(self.column_sizes.values())

    @cached_property
    def mass(self) -> Integers:
        """Number of elements that each triple stands for."""
        return self.n * self.count

    @property
    def availability(self) -> Availability:
        """What is known of the two sides, and what more would cost."""
        if isinstance(self._table, Table):
            return ALL_AT_HAND
        if self._table is not None:
            return self._table.availability
        return Availability(Need.SIZES if self.best is None else Need.BEST, price=self._why_no_table)

    @cached_property
    def table(self) -> Table:
        """The cells themselves, for what sizes alone cannot tell."""
        if self._table is None:
            raise TableNeededError(f"this needs to know which clusters overlap, but {self._why_no_table}")
        return self._table if isinstance(self._table, Table) else self._table.table()
