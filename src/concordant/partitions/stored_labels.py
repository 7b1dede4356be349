"""Our own copies of labels in memory: changing the input later does not change any result.

Arrays, lists and columns of pandas can be changed by their owner, also through an Arrow array made from
them. Data that a comparison may need later is copied: codes in the narrowest type (the labels themselves if
these are integers), and other labels once for each cluster.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from concordant import core
from concordant.partitions.labels import Codes, PythonValues, labels_at

_INTEGER = r"(?i)u?int(8|16|32|64)"  # as Arrow and Polars call their types


@dataclass(frozen=True, slots=True, eq=False)
class LabelsByCode:
    """The label of each element, where codes count the distinct labels from 0."""

    codes: Codes
    distinct: Sequence[Any] | NDArray[Any]

    def __getitem__(self, position: int, /) -> Any:
        return self.distinct[int(self.codes[position])]

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, slots=True, eq=False)
class LabelsByBits:
    """The label of each element, where the codes are the bits of floats, dates or short strings."""

    codes: Codes
    bits: DTypeLike  # the codes as wide as the labels
    labels: DTypeLike

    def __getitem__(self, position: int, /) -> Any:
        return self.codes[position : position + 1].astype(self.bits).view(self.labels)[0]

    def __len__(self) -> int:
        return len(self.codes)


def owned(
    codes: Codes,
    originals: Any,
    first: NDArray[np.int64] | None,
    copy: Codes | None = None,
    *,
    are_apart: bool = False,
) -> Any:
    """The labels of a partition, without any data that their owner could change.

    ``first`` is the position of each code's first occurrence, if codes count from 0; ``copy`` is a copy of
    the codes. If elements became singletons, codes do not determine the labels.

    >>> labels = np.array([700, 700, 5])
    >>> kept = owned(labels, labels, None)
    >>> labels[:] = 0
    >>> kept.tolist(), kept.dtype
    ([700, 700, 5], dtype('uint16'))
    """
    if isinstance(originals, (LabelsByCode, LabelsByBits)):
        return originals
    if first is None and isinstance(originals, np.ndarray) and not np.may_share_memory(codes, originals):
        return originals.copy()
    if copy is None:
        copy = core.narrowed(codes)
    if first is not None:
        distinct = originals[first] if isinstance(originals, np.ndarray) else labels_at(originals, first)
        return LabelsByCode(copy, distinct)
    if isinstance(originals, np.ndarray):
        integers = originals.dtype.kind in "iub"
        return copy if integers else LabelsByBits(copy, codes.dtype, originals.dtype)
    column = originals.array if isinstance(originals, PythonValues) else originals
    kind = str(getattr(column, "type", getattr(column, "dtype", "")))
    return copied(originals) if are_apart or not re.fullmatch(_INTEGER, kind) else copy


def copied(originals: Any) -> Any:
    """A column of another library, copied only if necessary."""
    if isinstance(originals, PythonValues):  # of Arrow, which never change
        return originals
    if isinstance(originals, list | tuple):
        return tuple(originals)
    for copy in ("clone", "copy"):
        if hasattr(originals, copy):
            return getattr(originals, copy)()
    return tuple(originals)
