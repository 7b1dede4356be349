"""The engine for labels in memory: the compiled core counts them."""

from __future__ import annotations

from functools import partial

from concordant import _core
from concordant.labels import Codes
from concordant.statistics import Profile, Table


def profile(u: Codes, v: Codes, threads: int = 0) -> Profile:
    """The profile of two label arrays of equal length; the table itself is counted when asked for."""
    return Profile(*_core.profile(u, v, threads), table=partial(_table, u, v, threads))


def _table(u: Codes, v: Codes, threads: int) -> Table:
    return Table(*_core.cells(u, v, threads))
