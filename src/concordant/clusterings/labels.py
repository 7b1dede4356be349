"""Labels of any kind: turned into integers that the core can count, read back, and kept.

Equal labels become equal integers, without further promises: integer arrays are used as they are, floats
and dates by their bits, categoricals by their codes, strings by their bytes, everything else by equality
and hash. Columns of other libraries use the Arrow C interface, without a copy. An array with several
dimensions is an image, whose labels are read voxel by voxel. Missing labels are refused, because only the
user knows whether they are one cluster, many, or none.

Arrays, lists and columns of pandas can be changed by their owner, also through an Arrow array made from
them. Labels that a comparison may need later are copied: codes in the narrowest type (the labels themselves
if these are integers), and other labels once for each cluster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import time
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

from concordant import core
from concordant.clusterings.recognition import has_observations
from concordant.errors import ConcordantError, LabelError, few, kind_of, warn

Codes = NDArray[Any]  # any integer dtype, or bool

# Errors of objects that cannot be hashed, compared, or turned into an array.
INCOMPARABLE = (TypeError, ValueError, RuntimeError)
_INTEGER = r"(?i)u?int(8|16|32|64)"  # as Arrow and Polars call their types

# Floats of which at least this share is distinct look like measurements; too few of them may be anything.
_NEARLY_ALL, _FEW = 0.9, 10
MANY: Final = 1000  # labels that are checked before all of them are


@dataclass(slots=True)
class Labels:
    """Encoded labels: integers for the core, the originals for people, and the keys of a Series."""

    codes: Codes
    originals: Any  # indexable by position
    keys: Any = None  # the index of a pandas Series, or the coordinates of an image
    composite: bool = False  # whether tuples or frozensets are among them, which may be clusters
    first: NDArray[np.int64] | None = None  # where each code appears first, where codes count from 0


def encode(values: Any, what: str = "the labels", threads: int = 0) -> Labels:
    """Encode a sequence of labels, or raise an error that explains why it is not one."""
    if isinstance(values, np.ndarray):
        return _encode_array(values, what, threads)
    if isinstance(values, (list, tuple)):
        return _encode_list(values, what, values)
    library = type(values).__module__.partition(".")[0]
    if type(values).__name__ in ("DataFrame", "LazyFrame", "Table", "RecordBatch"):
        raise LabelError(f"{what} {_is(what)} a whole dataframe; pick a column of it")
    if has_observations(values):
        raise LabelError(f"{what} {_is(what)} AnnData; pick a column of its obs, as in adata.obs['leiden']")
    if library in ("pandas", "modin") and hasattr(values, "dtype") and hasattr(values, "isna"):
        return _encode_pandas(values, what, threads)
    if library == "polars" and hasattr(values, "dtype"):
        return _encode_polars(values, what, threads)
    if hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
        return Labels(_encode_arrow(values, what, threads), PythonValues(values))
    return _encode_other(values, what, threads)


def _encode_other(values: Any, what: str, threads: int) -> Labels:
    membership = getattr(values, "membership", None)  # clusterings of igraph and its kin
    if membership is not None and not callable(membership):
        return encode(membership, f"the membership of {what}", threads)
    if reason := _why_no_sequence(values):
        raise LabelError(f"{what} {_is(what)} {reason}")
    if hasattr(values, "__array__"):
        try:
            array = np.asarray(values)
        except ConcordantError:  # of a clustering without labels
            raise
        except INCOMPARABLE as error:
            raise LabelError(f"{what} cannot be read as an array: {error}") from error
        return _encode_array(array, what, threads)
    if isinstance(values, Sequence):
        return _encode_list(values, what, values)
    instead = "its .labels_, or " if hasattr(values, "labels_") else ""
    if hasattr(values, "children_"):  # an estimator with a tree
        instead = "its .labels_, Hierarchy.of(...) of it for all its cuts, or "
    elif hasattr(values, "__fspath__"):
        instead = "Partition.scan(path, record=..., cluster=...), or "
    raise LabelError(
        f"{what}: this is {kind_of(values)}, not a sequence; pass {instead}"
        "a list, an array or a Series with one label per record"
    )


def _encode_list(values: Sequence[Any], what: str, originals: Any) -> Labels:
    """Python objects, by equality and hash."""
    objects = values if type(values) is list else list(values)
    integers = core.integers(objects)
    if integers is not None:
        return Labels(integers, integers)
    try:
        codes, first, suspects = core.factorize_objects(objects)
    except INCOMPARABLE as error:
        raise _unhashable(objects, what) from error
    composite = False
    for position in suspects.tolist():
        label = objects[position]
        if is_missing(label):
            raise _absent(position, _short(label), what)
        composite = composite or isinstance(label, (tuple, frozenset))
    return Labels(codes, originals, composite=composite, first=first)


def identify(objects: list[Any]) -> tuple[Codes, Sequence[int]]:
    """Equal codes for equal objects, and the positions of those to look at.

    These are objects that may represent a missing value, or hold one, and the first of all tuples.
    """
    integers = core.integers(objects)
    if integers is not None:
        return integers, ()
    codes, _, suspects = core.factorize_objects(objects)
    return codes, suspects.tolist()


def warn_if_continuous(labels: Labels, what: str) -> None:
    """Warn about floats that are nearly all distinct: these are measurements, not labels of clusters."""
    originals, size = labels.originals, len(labels.codes)
    if size < _FEW or (isinstance(originals, np.ndarray) and originals.dtype.kind not in "fO"):
        return
    if not isinstance(originals[0], float | np.floating):
        return
    sample = labels_at(originals, np.arange(min(size, MANY)))
    if not all(isinstance(each, float | np.floating) for each in sample):
        return
    if all(map(float.is_integer, map(float, sample))) or not are_nearly_all(len(set(sample)), len(sample)):
        return
    distinct = len(core.factorize(np.ascontiguousarray(labels.codes))[1])
    if are_nearly_all(distinct, size):
        warn(continuous(what, distinct, size))


def are_nearly_all(distinct: int, size: int) -> bool:
    """Whether so many labels are distinct that they look like measurements."""
    return size >= _FEW and distinct >= _NEARLY_ALL * size


def continuous(what: str, distinct: int, size: int) -> str:
    """The warning about labels that look like measurements."""
    return (
        f"{what}: {distinct:,} distinct values among {size:,} floating-point numbers; a label names a "
        "cluster, and these look like measurements: pass the labels of a clustering"
    )


def refuse_possible_clusters(labels: Labels, what: str, ways: str, *, is_part: bool = False) -> None:
    """Refuse composite labels that may be clusters; ``ways`` are the calls that specify which they are.

    A list of sets is clusters, and a list of anything else is labels, but a tuple may be either: ("doc1", 3)
    names a cluster, and ("ann", "bob") may hold two elements. Tuples of one length are labels if one of them
    recurs, since nobody lists a cluster twice. So are named tuples, and tuples beside numbers or strings.
    Other tuples are refused, and so are frozensets in a Series or as the values of a mapping. If these are
    only part of all labels, any of them may recur in another part.
    """
    objects = list(labels.originals)
    kinds = set(map(type, objects))
    if not all(issubclass(kind, (tuple, frozenset)) and not hasattr(kind, "_fields") for kind in kinds):
        return
    if any(issubclass(kind, frozenset) for kind in kinds):
        reason = "sets"
    elif len(set(map(len, objects))) > 1:
        reason = "tuples of different lengths"
    elif not is_part and len(core.factorize(labels.codes)[1]) == len(objects):
        reason = "tuples none of which recurs"
    else:
        return
    raise LabelError(
        f"{what}: these are {reason} ({few(dict.fromkeys(objects))}), so they may be clusters of "
        f"records or labels of clusters; {ways}"
    )


def _encode_array(array: NDArray[Any], what: str, threads: int = 0) -> Labels:
    if array.ndim == 0:
        raise LabelError(f"{what} {_is(what)} a single value, {_short(array[()])}; pass one label per record")
    if array.ndim != 1:
        return _encode_image(array, what, threads)
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise _absent(int(np.flatnonzero(np.ma.getmaskarray(array))[0]), "masked", what)
    plain = np.asarray(array)
    if plain.dtype.kind == "O":
        return _encode_list(plain.tolist(), what, array)
    return _encode_plain(plain, what, threads)


def _encode_plain(plain: NDArray[Any], what: str, threads: int) -> Labels:
    if plain.dtype.kind in "US":  # equal strings of one width are equal bytes, in any byte order
        width = plain.dtype.itemsize
        if width in (1, 2, 4, 8):
            return Labels(plain.view(f"u{width}"), plain)
        codes, first = core.factorize_items(plain, threads)
        return Labels(codes, plain, first=first)
    native = plain if plain.dtype.isnative else plain.astype(plain.dtype.newbyteorder("="))
    kind = native.dtype.kind
    if kind == "f" and native.dtype.itemsize <= 8:
        return Labels(_encode_floats(native, what), plain)
    if kind in "mM":
        ticks = native.view(np.int64)
        if ticks.min(initial=0) == np.iinfo(np.int64).min:
            _refuse_where(np.isnat(native), "NaT", what)
        return Labels(ticks, plain)
    if kind == "V":
        raise LabelError(
            f"{what} {_is(what)} of records or raw bytes ({native.dtype}); pick one field of known type"
        )
    if kind in "iub":
        return Labels(native, plain)
    return _encode_list(native.tolist(), what, plain)


def _encode_image(image: NDArray[Any], what: str, threads: int) -> Labels:
    """Voxel by voxel; the coordinates are the keys."""
    if image.dtype.kind in "fc":
        linkage = "a linkage matrix, pass Hierarchy.from_linkage(...) of it, if it is "
        raise LabelError(
            f"{what} {_is(what)} an image of {image.dtype} (shape {image.shape}); a label image has "
            f"integers: if it is {linkage if image.ndim == 2 and image.shape[1] == 4 else ''}labels, pass "
            ".astype(np.int64), and if it is intensities or probabilities, segment them first"
        )
    if isinstance(image, np.ma.MaskedArray) and np.ma.is_masked(image):
        first = tuple(map(int, np.argwhere(np.ma.getmaskarray(image))[0]))
        error = LabelError(
            f"{what}: the label at {first} is masked; pass .data and, for the voxels to compare, where=~mask"
        )
        error.missing_at = int(np.flatnonzero(np.ma.getmaskarray(image))[0])
        raise error
    plain = np.asarray(image)  # a np.matrix would never be flat
    keys = coordinates_of(plain)
    labels = _encode_array(keys.flat(plain), what, threads)
    labels.keys = keys
    return labels


def _encode_floats(array: NDArray[Any], what: str) -> Codes:
    """The bits of the floats. Two minima show whether there is a NaN or a -0.0, without a temporary array."""
    bits = array.view(f"i{array.dtype.itemsize}")
    if len(array) == 0:
        return bits
    if np.isnan(array.min()):
        _refuse_where(np.isnan(array), "NaN", what)
    has_minus_zero = bits.min() == np.iinfo(bits.dtype).min
    return (array + array.dtype.type(0)).view(bits.dtype) if has_minus_zero else bits


def _encode_pandas(values: Any, what: str, threads: int) -> Labels:
    # An Index or a Categorical has no index of its own.
    keys = getattr(values, "index", None)
    categories = getattr(values, "cat", values)
    if hasattr(categories, "categories"):
        codes = np.asarray(categories.codes)
        _refuse_where(codes < 0, "NA", what)
        return Labels(codes, by_position(values), keys)
    dtype = values.dtype
    if hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", None) == "pyarrow":
        column = getattr(values, "array", values).__arrow_array__()
        return Labels(_encode_arrow(column, what, threads), by_position(values), keys)
    if not isinstance(dtype, np.dtype):
        _refuse_where(np.asarray(values.isna()), "NA", what)
    if getattr(dtype, "tz", None) is not None:
        moments = by_position(values).tz_convert(None).to_numpy()
        return Labels(_encode_array(moments, what).codes, by_position(values), keys)
    labels = _encode_array(values.to_numpy(), what, threads)
    labels.keys = keys
    return labels


def _encode_polars(values: Any, what: str, threads: int) -> Labels:
    dtype = str(values.dtype)
    if dtype.startswith("Object"):
        return _encode_list(values.to_list(), what, values)
    physical = values.to_physical() if dtype.startswith(("Categorical", "Enum")) else values
    return Labels(_encode_arrow(physical, what, threads), by_position(values))


def _encode_arrow(values: Any, what: str, threads: int) -> Codes:
    """An Arrow array or stream, read in place."""
    try:
        kind, pieces, null = core.encode_arrow(values, threads)
    except (TypeError, ValueError) as error:  # violates the interface, or its producer fails
        raise LabelError(f"{what} cannot be read through the Arrow interface: {error}") from error
    if null >= 0:
        raise _absent(null, "null", what)
    if "arrow.bool8" in str(getattr(values, "type", getattr(values, "dtype", ""))):
        return np.concatenate([piece != 0 for piece in pieces] or [np.empty(0, dtype=bool)])
    if kind == "nested":
        of = str(getattr(values, "type", None) or getattr(values, "dtype", ""))
        if not of.startswith("run_end_encoded"):
            raise LabelError(f"{what} {_is(what)} nested ({of}); a label is a single value")
        kind = "unknown"
    if kind == "unknown":
        objects = values.to_pylist() if hasattr(values, "to_pylist") else list(values)
        return _encode_list(objects, what, values).codes
    codes = pieces[0] if len(pieces) == 1 else np.concatenate(pieces or [np.empty(0, dtype=np.int64)])
    return _encode_floats(codes, what) if kind == "float" else codes


def _why_no_sequence(values: Any) -> str:
    """The description of values that have no order, or no labels."""
    if isinstance(values, (str, bytes, bytearray)):
        return (
            f"the bare string {_short(values)}, which would compare its characters; pass a list of labels, "
            "or Partition.scan(...) of a file"
        )
    if isinstance(values, Mapping):
        return "a mapping; use Partition.from_mapping(record -> cluster)"
    if isinstance(values, MappingView):
        return f"a view of a mapping ({type(values).__name__}); pass the mapping itself, or list(...) of it"
    if isinstance(values, AbstractSet):
        return "a set, which has no order; pass a list of labels, or use Partition.from_clusters for clusters"
    if hasattr(values, "__next__"):
        return "an iterator, which can be read only once; pass list(...) of it"
    return ""


def _refuse_where(absent: NDArray[np.bool_], kind: str, what: str) -> None:
    if absent.any():
        raise _absent(int(absent.argmax()), kind, what)


def _absent(position: int, kind: str, what: str) -> LabelError:
    error = LabelError(
        f"{what}: the label at position {position} is missing ({kind}); drop such records, or give "
        "them a label of their own"
    )
    error.missing_at = position
    return error


def _unhashable(values: Sequence[Any], what: str) -> LabelError:
    for position, label in enumerate(values):
        if label is np.ma.masked:
            return _absent(position, "masked", what)
        try:
            hash(label)
        except INCOMPARABLE:
            return LabelError(
                f"{what}: the label at position {position} is {_short(label)}, {kind_of(label)}; "
                "a label is a single value. For clusters, use Partition.from_clusters or Cover.from_clusters"
            )
    return LabelError(f"{what}: some labels cannot be compared for equality; give them plain names")


def _is(what: str) -> str:
    return "are" if what.startswith(("the labels", "the clusters", "the records")) else "is"


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."


# -- label images -------------------------------------------------------------------------------------


# -- labels as Python has them, by position -----------------------------------------------------------


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


# -- label images -------------------------------------------------------------------------------------


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
