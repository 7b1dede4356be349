"""The blocks of the join: which clusters are linked by overlaps."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.counts.overlaps import TableView


class Blocks(TableView):
    """The blocks of the join: clusters linked by overlaps, directly or through others."""

    @cached_property
    def count(self) -> int:
        return self._counted(int(self.of_row.max(initial=-1)) + 1)

    @cached_property
    def cells(self) -> int:
        return self._counted(len(self._n))

    @property
    def of_row(self) -> NDArray[np.int64]:
        """The block that each reference cluster lies in; numbered from 0 in the order of the clusters."""
        return self._numbers[0]

    @property
    def of_column(self) -> NDArray[np.int64]:
        """The block that each candidate cluster lies in."""
        return self._numbers[1]

    @cached_property
    def _numbers(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return core.blocks(self._cells.row, self._cells.column)
