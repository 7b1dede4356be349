"""The levels of a hierarchy as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.arithmetic import evenly
from concordant.results import Result


class LevelTable(Result):
    """A row for each level: its number, its height or score, its clusters, and the size of the largest.

    >>> from concordant.hierarchies.hierarchy import Hierarchy
    >>> print(Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, 3]]).levels)
    levels 0 to 2
    level  height  clusters  largest
        0       -         3        1
        1     0.5         2        2
        2     0.7         1        3
    """

    __slots__ = ("_columns",)

    def __init__(
        self, by: str, heights: NDArray[np.float64], clusters: NDArray[np.int64], largest: NDArray[np.int64]
    ) -> None:
        self._columns: dict[str, NDArray[Any]] = {
            "level": np.arange(len(clusters)),
            by: np.concatenate([[np.nan], heights]),  # level 0 has none
            "clusters": clusters,
            "largest": largest,
        }

    def __len__(self) -> int:
        return len(self._columns["level"])

    def to_dict(self) -> dict[str, Any]:
        """Return the rows, from singletons to the coarsest level.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Hierarchy.from_linkage([[0, 1, 0.5, 2], [2, 3, 0.7, \
3]]).levels.to_dict()["levels"][2]["clusters"]
        1
        """
        return {"levels": self._rows()}

    def _frame_columns(self) -> dict[str, list[Any]]:
        return {name: _plain_column(values) for name, values in self._columns.items()}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """All levels, or an even selection of them."""
        places = slice(None) if limit is None else evenly(len(self), limit)
        columns = [_plain_column(values[places]) for values in self._columns.values()]
        return [dict(zip(self._columns, row, strict=True)) for row in zip(*columns, strict=True)]

    def _title(self) -> str:
        return f"levels 0 to {len(self) - 1:,}"

    def _texts(self, row: Mapping[str, Any]) -> list[str]:
        # Heights with all digits: a rounded threshold would select another level.
        return [
            "-" if value is None else repr(value) if isinstance(value, float) else f"{value:,}"
            for value in row.values()
        ]

    def _rest(self, listed: int) -> str:
        return "" if listed == len(self) else f"{listed} of {len(self):,} rows"


def _plain_column(values: NDArray[Any]) -> list[Any]:
    """Python's values; None for the height that level 0 lacks."""
    return [None if value != value else value for value in values.tolist()]  # noqa: PLR0124  (NaN)
