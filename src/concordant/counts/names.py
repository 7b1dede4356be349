"""Names: who the clusters and the records are, wherever they are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Names(Protocol):
    """Who the clusters and the records are, wherever they are kept."""

    def reference(self, row: int, /) -> Any:
        """The label of a reference cluster; None for a record that the reference lacked."""

    def candidate(self, column: int, /) -> Any:
        """The label of a candidate cluster; None for a record that the candidate lacked."""

    def examples(self, cells: Sequence[tuple[int, int]], each: int) -> list[tuple[Any, ...]]:
        """Up to so many records of each of these cells (row, column), by name or else by position."""
