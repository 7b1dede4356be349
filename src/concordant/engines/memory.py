"""The engine for labels in memory: the compiled core counts them."""

from __future__ import annotations

import os
from functools import partial

from concordant import core
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.errors import ParameterError
from concordant.partitions.labels import Codes
from concordant.views.pairs import PairProfile, Pairs


def profile(u: Codes, v: Codes, threads: int = 0) -> Profile:
    """The profile of two label arrays of equal length; the table itself is counted when asked for."""
    counts = core.profile(u, v, threads)
    return Profile(*counts, table=partial(_table, u, v, threads), size=len(u))


def pairs(u: Codes, v: Codes, threads: int = 0) -> PairProfile:
    """The pair counts alone of two label arrays of equal length."""
    return PairProfile(Pairs.from_squares(len(u), *core.pair_sums(u, v, threads)))


def check_threads(threads: int) -> None:
    """Refuse a number of threads that is none, given as ``threads=`` or as CONCORDANT_THREADS.

    The core reads the variable itself, wherever it is told no number.
    """
    if threads != 0:
        if type(threads) is not int or threads < 0:
            raise ParameterError(
                "use a positive integer, or 0 for as many as the process may use", given={"threads": threads}
            )
        return
    wanted = os.environ.get("CONCORDANT_THREADS")
    if wanted is not None and not (wanted.isascii() and wanted.isdigit() and int(wanted) > 0):
        raise ParameterError(
            f"CONCORDANT_THREADS={wanted!r} in the environment: it must be a positive integer, or not be set"
        )


def _table(u: Codes, v: Codes, threads: int) -> Table:
    return Table(*core.cells(u, v, threads))
