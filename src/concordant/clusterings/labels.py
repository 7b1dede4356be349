"""Labels in memory: a partition of them, and the labels as Python has them, by position.

Arrays, lists and columns of pandas can be changed by their owner, also through an Arrow array made from
them. Labels that a comparison may need later are copied: codes in the narrowest type (the labels themselves
if these are integers), and other labels once for each cluster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass
from datetime import time
from functools import partial
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from concordant import core
from concordant.clusterings.clustering import ClusteringData, ClusteringKind, names_of
from concordant.errors import InputError
from concordant.foundation.conventions import NoiseAs, Nulls
from concordant.foundation.spelling import counted
from concordant.maths.arithmetic import plain

Codes = NDArray[Any]  # any integer dtype, or bool

_INTEGER = r"(?i)u?int(8|16|32|64)"  # as Arrow and Polars call their types


class PartitionData(ClusteringData):
    """The labels of a partition in memory, or a description of the place where they are."""

    __slots__ = ()

    kind: ClassVar[ClusteringKind] = "partition"

    def in_memory(self, what: str, user: str) -> MemoryLabels:
        """The labels in memory, for a ``user`` that needs them there; an error that names ``what`` if not."""
        raise InputError(
            f"{what}: {self!r} has not been read into labels, which {user} needs; {self.way_to_memory}"
        )

    way_to_memory: ClassVar[str] = "copy its labels to memory first"  # what an error suggests

    @property
    def aligns_by_name(self) -> bool:
        """Whether elements have names, so elements of one side may be unmatched."""
        return False


@dataclass(slots=True)
class Noise:
    """The label that means "in no cluster", its treatment, and the number of elements that have it."""

    label: Any
    treatment: NoiseAs
    count: int | Callable[[], int]

    @property
    def found(self) -> int:
        """The number of elements with that label, counted when it is first read."""
        if not isinstance(self.count, int):
            self.count = self.count()
        return self.count


@dataclass(slots=True, eq=False, repr=False)
class MemoryLabels(PartitionData):
    """Labels in memory: a code for each element, which the compiled core counts."""

    codes: Codes
    originals: Any  # label by position, for people
    _: KW_ONLY
    elements: Any = None  # names of the elements by position, None if they have no names
    named: bool = False  # whether names decide; otherwise they serve only if both sides have them
    dropped_mask: NDArray[np.bool_] | None = None
    dropped_code: int | None = None  # of the elements to leave out, if one code identifies them
    noise: Noise | None = None
    first: NDArray[np.int64] | None = None  # first position of each code, if codes count from 0
    alone: tuple[Any, ...] = ()  # labels of elements that became singletons, None for missing labels
    nulls: Nulls = "error"
    null: NDArray[np.bool_] | None = None  # a mask of missing labels, None if there are none
    order: Any = None  # the names of the input, if this is a part of it
    is_composite: bool = False  # whether tuples or frozensets are among the labels, which may be clusters

    @property
    def dropped(self) -> NDArray[np.bool_] | None:
        """A mask of the elements to leave out; None if there are none."""
        if self.dropped_mask is None and self.dropped_code is not None:
            self.dropped_mask = np.asarray(self.codes == self.dropped_code)
        return self.dropped_mask

    @property
    def is_image(self) -> bool:
        """Whether the elements are the voxels of an array of several dimensions."""
        return isinstance(self.elements, Coordinates)

    @property
    def aligns_by_name(self) -> bool:
        return self.elements is not None and not self.is_image

    def in_memory(self, what: str, user: str) -> MemoryLabels:  # noqa: ARG002  (nothing is wrong)
        return self

    def put_back_nulls(self, null: NDArray[np.bool_], originals: Any) -> None:
        """Add the elements with a null label, where the mask has them; they are dropped or singletons."""
        codes = np.zeros(len(null), dtype=self.codes.dtype)
        codes[~null] = self.codes
        dropped = null.copy() if self.nulls == "drop" else None
        if self.dropped is not None:
            dropped = np.zeros(len(null), dtype=bool) if dropped is None else dropped
            dropped[~null] |= self.dropped
        if self.nulls == "singletons":
            codes, self.alone = set_apart(codes, null), (*self.alone, None)
        self.codes, self.originals, self.null = codes, originals, null
        self.dropped_mask, self.dropped_code, self.first = dropped, None, None

    def owned_labels(self, codes: Codes | None = None) -> Any:
        """The labels in memory of our own; ``codes`` is a copy of the codes, if there is one already."""
        if codes is not None and self.originals is self.codes:  # integers are their own codes
            return codes
        return owned_labels(self.codes, self.originals, self.first, codes, are_apart=bool(self.alone))

    def owned(self) -> MemoryLabels:
        """The same, independent of the arrays that it was made of."""
        own = copy(self)
        own.codes = core.narrowed(self.codes)
        own.originals, own.first = self.owned_labels(own.codes), None
        return own

    def kept(self) -> NDArray[np.int64] | None:
        """The positions of the elements that are not dropped; None if all stay."""
        return None if self.dropped is None else np.flatnonzero(~self.dropped)

    def clusters_of_kept(self) -> tuple[NDArray[np.int64] | None, Codes, NDArray[np.int64]]:
        """The positions that `kept` gives, the cluster of each, counted from 0, and where each first appears.

        A dropped element may have the code of any cluster, so it never gives a cluster its label.
        """
        kept, codes = self.kept(), np.asarray(self.codes)
        clusters, first = core.factorize(codes if kept is None else codes[kept])
        return kept, clusters, first if kept is None else kept[first]

    def names(self, positions: NDArray[np.int64] | None) -> Sequence[Any]:
        """The names of the elements at these positions, or the positions if they have no names."""
        if positions is None:
            return names_of(self.elements, len(self))
        if self.elements is None:
            return tuple(positions.tolist())
        return tuple(plain(self.elements[position]) for position in positions.tolist())

    def labels(self, positions: NDArray[np.int64]) -> list[Any]:
        """The labels at these positions; None for a singleton that has no label."""
        labels = labels_at(self.originals, positions)
        return [cluster_label(label, self.alone) for label in labels] if self.alone else labels

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        clusters = len(core.factorize(np.asarray(self.codes))[1])
        return f"<Partition of {counted(len(self), 'record')}, {counted(clusters, 'cluster')}>"


def set_apart(codes: Codes, alone: NDArray[np.bool_] | None) -> Codes:
    """The codes, with a separate cluster for each singleton.

    >>> set_apart(np.array([7, 7, 7, 9]), np.array([False, True, True, False])).tolist()
    [0, 2, 3, 1]
    """
    if alone is None or not alone.any():
        return codes
    dense, first = core.factorize(np.ascontiguousarray(codes))
    dense[alone] = len(first) + np.arange(int(alone.sum()))
    return dense


def cluster_label(label: Any, alone: tuple[Any, ...]) -> Any:
    """The name of the cluster of an element with this label: None if such elements are singletons.

    ``alone`` are the labels of singletons; None among them means all missing labels.

    >>> cluster_label(7, (-1,)), cluster_label(-1, (-1,)), cluster_label(float("nan"), (-1, None))
    (7, None, None)
    """
    if not alone:
        return label
    if is_missing(label):
        return None
    return None if any(each is not None and bool(label == each) for each in alone) else label


def identify(objects: list[Any]) -> tuple[Codes, Sequence[int]]:
    """Equal codes for equal objects, and the positions of those to look at.

    These are objects that may represent a missing value, or hold one, and the first of all tuples.
    """
    integers = core.integers(objects)
    if integers is not None:
        return integers, ()
    codes, _, suspects = core.factorize_objects(objects)
    return codes, suspects.tolist()


def is_missing(label: Any) -> bool:
    """Whether a label or name is missing: None, NaN, NaT, NA, masked, or a tuple that contains one."""
    if label is None or label is np.ma.masked or type(label).__name__ == "NAType":
        return True
    if isinstance(label, (tuple, frozenset)):
        return any(map(is_missing, label))
    unequal = label != label  # noqa: PLR0124  (NaN and NaT are the values that differ from themselves)
    return unequal is True or (isinstance(unequal, np.bool_) and bool(unequal))


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
    """The label of each element, which follows from its code."""

    codes: Codes
    label_of: Callable[[Any], Any]

    def __getitem__(self, position: int, /) -> Any:
        return self.label_of(self.codes[position])

    def __len__(self) -> int:
        return len(self.codes)


def _label_of_bits(bits: DTypeLike, labels: DTypeLike, code: Any) -> Any:
    """The float, date or short string that has these bits; ``bits`` is as wide as the labels."""
    return np.array([code]).astype(bits).view(labels)[0]


def owned_labels(
    codes: Codes,
    originals: Any,
    first: NDArray[np.int64] | None,
    own: Codes | None = None,
    *,
    are_apart: bool = False,
) -> Any:
    """The labels of a partition, without any data that their owner could change.

    ``first`` is the position of each code's first occurrence, if codes count from 0; ``own`` is a copy of
    the codes. If elements became singletons, codes do not determine the labels.

    >>> labels = np.array([700, 700, 5])
    >>> kept = owned_labels(labels, labels, None)
    >>> labels[:] = 0
    >>> kept.tolist(), kept.dtype
    ([700, 700, 5], dtype('uint16'))
    """
    if isinstance(originals, LabelsByCode):
        return originals
    if first is None and isinstance(originals, np.ndarray) and not np.may_share_memory(codes, originals):
        return originals.copy()
    if own is None:
        own = core.narrowed(codes)
    if first is not None:
        distinct = originals[first] if isinstance(originals, np.ndarray) else labels_at(originals, first)
        return LabelsByCode(own, distinct.__getitem__)
    if isinstance(originals, np.ndarray):
        if originals.dtype.kind in "iub":
            return own
        return LabelsByCode(own, partial(_label_of_bits, codes.dtype, originals.dtype))
    column = originals.array if isinstance(originals, PythonValues) else originals
    kind = str(getattr(column, "type", getattr(column, "dtype", "")))
    return copied(originals) if are_apart or not is_integer_type(kind) else own


def is_integer_type(kind: str) -> bool:
    """Whether a type of NumPy, Arrow or Polars has integers, which are their own codes."""
    return re.fullmatch(_INTEGER, kind) is not None


def copied(originals: Any) -> Any:
    """A column of another library, copied only if necessary."""
    if isinstance(originals, PythonValues):  # of Arrow, which never change
        return originals
    if isinstance(originals, list | tuple):
        return tuple(originals)
    for method in ("clone", "copy"):
        if hasattr(originals, method):
            return getattr(originals, method)()
    return tuple(originals)


class Coordinates:
    """The coordinates of the voxels of an image, in the order of its labels.

    >>> Coordinates((2, 3), (0, 1))[4], Coordinates((2, 3), (1, 0))[4]
    ((1, 1), (0, 2))
    """

    axes: tuple[int, ...]
    shape: tuple[int, ...]

    __slots__ = ("axes", "shape")

    def __init__(self, shape: tuple[int, ...], axes: tuple[int, ...] | None = None) -> None:
        self.shape = shape
        self.axes = tuple(range(len(shape))) if axes is None else axes  # the one that changes last first

    def __len__(self) -> int:
        return prod(self.shape)

    def __getitem__(self, position: int) -> tuple[int, ...]:
        found = [0] * len(self.shape)
        for axis in reversed(self.axes):
            position, found[axis] = divmod(int(position), self.shape[axis])
        return tuple(found)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return map(self.__getitem__, range(len(self)))

    def equals(self, other: object) -> bool:
        """Whether the other has the same coordinates in the same order."""
        return isinstance(other, Coordinates) and (self.shape, self.axes) == (other.shape, other.axes)

    def flat(self, image: NDArray[Any]) -> NDArray[Any]:
        """The voxels of an image of this shape, in this order; without a copy if possible."""
        return image.transpose(self.axes).reshape(-1)

    def image(self, flat: NDArray[Any]) -> NDArray[Any]:
        """The image whose voxels are in this order."""
        laid = flat.reshape([self.shape[axis] for axis in self.axes])
        return laid.transpose(np.argsort(self.axes))


def coordinates_of(image: NDArray[Any]) -> Coordinates:
    """The coordinates in the order in which memory holds the image; in C's order where it has gaps.

    >>> coordinates_of(np.zeros((2, 3), order="F")).axes
    (1, 0)
    """
    axes = tuple(sorted(range(image.ndim), key=lambda axis: -image.strides[axis]))
    gapless = image.flags.c_contiguous or not image.transpose(axes).flags.c_contiguous
    return Coordinates(image.shape, None if gapless else axes)
