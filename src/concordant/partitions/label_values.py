"""Labels and names as Python has them, by position: those of the caller, and our own copies of them.

Arrays, lists and columns of pandas can be changed by their owner, also through an Arrow array made from
them. Data that a comparison may need later is copied: codes in the narrowest type (the labels themselves if
these are integers), and other labels once for each cluster.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from concordant import core

Codes = NDArray[Any]  # any integer dtype, or bool

# Errors of objects that cannot be hashed, compared, or turned into an array.
INCOMPARABLE = (TypeError, ValueError, RuntimeError)


_INTEGER = r"(?i)u?int(8|16|32|64)"  # as Arrow and Polars call their types


def is_missing(label: Any) -> bool:
    """Whether a label or name is missing: None, NaN, NaT, NA, masked, or a tuple that contains one."""
    if label is None or label is np.ma.masked or type(label).__name__ == "NAType":
        return True
    if isinstance(label, (tuple, frozenset)):
        return any(map(is_missing, label))
    unequal = label != label  # noqa: PLR0124  (NaN and NaT are the values that differ from themselves)
    return unequal is True or (isinstance(unequal, np.bool_) and bool(unequal))


def plain(value: Any) -> Any:
    """A number or a string of NumPy's as Python's own."""
    return value.item() if isinstance(value, np.generic) and value.dtype.kind in "biufUS" else value


class PythonValues:
    """An Arrow array by position, its scalars as Python has them."""

    array: Any

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    def __getitem__(self, position: int) -> Any:
        value = self.array[position]
        kind = str(getattr(value, "type", ""))
        if "[ns" in kind or kind == "month_day_nano_interval":
            return self.take(np.array([position]))[0]
        return value.as_py() if hasattr(value, "as_py") else value

    def __len__(self) -> int:
        return len(self.array)

    def take(self, positions: NDArray[np.int64]) -> list[Any]:
        """The values at these positions."""
        if hasattr(self.array, "take") and hasattr(self.array, "to_pylist"):
            try:
                taken = self.array.take(positions)
                kind = str(getattr(taken, "type", ""))
                if kind == "time64[ns]":  # Python has microseconds
                    return [
                        text if text[-3:] != "000" else time.fromisoformat(text[:-3])
                        for text in taken.cast("string").to_pylist()
                    ]
                if "[ns" in kind:
                    return list(taken.to_numpy(zero_copy_only=False))
                if kind == "month_day_nano_interval":  # PyArrow's own tuples cannot be pickled
                    return list(map(tuple, taken.to_pylist()))
                return list(taken.to_pylist())
            except NotImplementedError:  # PyArrow's take does not support string views
                pass
        return [self[position] for position in positions.tolist()]


def by_position(values: Any) -> Any:
    """A column of pandas, Polars or Arrow as something that gives Python's value at a position."""
    dtype = str(getattr(values, "dtype", ""))
    if hasattr(values, "array"):  # a pandas Series, which is aligned by its index
        # Python's times end at the microsecond; all three libraries would cut off the rest.
        is_arrow = dtype.startswith(("time64[ns]", "month_day_nano"))
        return PythonValues(values.array.__arrow_array__()) if is_arrow else values.array
    if hasattr(values, "to_physical") and ("'ns'" in dtype or dtype == "Time"):
        if not (values.to_physical() % 1000 != 0).any():
            return values
        return values.dt.to_string("%H:%M:%S%.9f") if dtype == "Time" else values.to_numpy()
    return PythonValues(values) if hasattr(values, "to_pylist") else values


def labels_at(originals: Any, positions: NDArray[np.int64]) -> list[Any]:
    """The labels at these positions, as Python has them."""
    if isinstance(originals, np.ndarray) and originals.dtype.kind not in "mM":  # ns would turn into ints
        return list(originals[positions].tolist())
    if isinstance(originals, PythonValues):
        return originals.take(positions)
    return [originals[position] for position in positions.tolist()]


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
