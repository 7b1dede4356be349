"""Which come first: how many of the largest are asked for, and where they stand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import ParameterError


def check_largest(largest: Any) -> int | None:
    """How many items to list, None for all; refuse what is not a number of items."""
    if largest is None:
        return None
    if not isinstance(largest, int | np.integer) or isinstance(largest, bool) or largest < 0:
        raise ParameterError(f"largest={largest!r}: say how many to list, or None for all")
    return int(largest)


def largest_of(keys: NDArray[Any], count: int | None) -> NDArray[np.int64]:
    """Positions of the largest keys, largest first; equal ones in their order."""
    if count is None or count >= len(keys) or keys.dtype == object:
        return np.argsort(-keys, kind="stable")[:count].astype(np.int64)
    if not count:
        return np.zeros(0, dtype=np.int64)
    last = np.partition(keys, len(keys) - count)[len(keys) - count]
    within = np.flatnonzero(keys >= last)
    return within[np.argsort(-keys[within], kind="stable")[:count]]
