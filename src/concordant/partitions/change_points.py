"""Change points: the positions where the segments of a sequence begin."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.counts.spelling import counted
from concordant.errors import LabelError, ParameterError, TooLargeError, kind_of


def segments(points: Iterable[int], n: int, what: str) -> tuple[NDArray[np.int64], list[int]]:
    """The number of the segment of each element, and where each segment begins.

    >>> codes, starts = segments([3], 5, "the change points")
    >>> codes.tolist(), starts
    ([0, 0, 0, 1, 1], [0, 3])
    """
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
        raise ParameterError("how many elements the sequence has is a number, at least 0", given={"n": n})
    if n >= 2**48:  # more than there are addresses
        raise _too_large(n)
    if isinstance(points, str | bytes) or not isinstance(points, Iterable) or getattr(points, "ndim", 1) != 1:
        raise LabelError(f"{what}: give a list of positions, not {kind_of(points)}")
    named = {_position(point, place, int(n), what) for place, point in enumerate(points)}
    starts = sorted({*named, 0} - {int(n)})
    lengths = np.diff([*starts, int(n)])
    try:
        return np.repeat(np.arange(len(starts)), lengths), starts
    except MemoryError as error:
        raise _too_large(n) from error


def _too_large(n: int) -> TooLargeError:
    return TooLargeError(f"a sequence of {counted(int(n), 'element')} does not fit into memory")


def _position(point: Any, place: int, n: int, what: str) -> int:
    try:
        position = index(point)
    except TypeError:
        position = None
    if position is None or isinstance(point, bool | np.bool_):
        raise LabelError(
            f"{what}: number {place} is {point!r}, {kind_of(point)}; a change point is the position where a "
            "segment begins, an integer"
        )
    if not 0 <= position <= n:
        raise LabelError(
            f"{what}: number {place} is {position}, outside of the sequence, whose {counted(n, 'element')} "
            "are counted from 0"
        )
    return position
