"""Labels of any kind, turned into integers that the core can count.

Equal labels become equal integers and nothing else is promised: integer arrays go through as they
are, floats and dates by their bits, categoricals by their codes, everything else by a dictionary.
Missing labels are refused, because whether they are one cluster, many, or none is for the user to say.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import _core
from concordant.errors import LabelError

Codes = NDArray[Any]  # any integer dtype, or bool


@dataclass(frozen=True, slots=True)
class Labels:
    """Encoded labels: integers for the core, the originals for people, and the keys of a Series."""

    codes: Codes
    originals: Any  # indexable by position
    keys: Any = None  # the index of a pandas Series


def encode(values: Any, what: str = "the labels") -> Labels:
    """Encode a sequence of labels, or say why it is not one."""
    if isinstance(values, np.ndarray):
        return Labels(_encode_array(values, what), values)
    if isinstance(values, (list, tuple)):
        return Labels(encode_objects(values, what), values)
    library = type(values).__module__.partition(".")[0]
    if library in ("pandas", "modin"):
        return _encode_pandas(values, what)
    if library == "polars":
        return _encode_polars(values, what)
    if library == "pyarrow":
        return _encode_arrow(values, what)
    return _encode_other(values, what)


def encode_objects(values: Sequence[Any], what: str) -> Codes:
    """Codes of Python objects, by equality and hash."""
    try:
        distinct = dict.fromkeys(values)
    except TypeError:
        raise _unhashable(values, what) from None
    for label in distinct:
        if is_missing(label):
            position = next(i for i, x in enumerate(values) if is_missing(x))
            raise _absent(position, repr(label), what)
    codes = dict(zip(distinct, range(len(distinct)), strict=True))
    return np.fromiter(map(codes.__getitem__, values), dtype=np.int64, count=len(values))


def equal_to(labels: Labels, label: Any) -> NDArray[np.bool_]:
    """Where the labels equal the given one."""
    originals = labels.originals
    if isinstance(originals, np.ndarray) and originals.dtype.kind in "biuf":
        return np.asarray(originals == label)
    same = (x == label for x in originals)
    return np.fromiter(same, dtype=bool, count=len(labels.codes))


def _encode_array(array: NDArray[Any], what: str) -> Codes:
    if array.ndim != 1:
        raise LabelError(
            f"{what} must be one label per element, but this array has {array.ndim} dimensions "
            f"(shape {array.shape}); pick a column, or use .ravel() if it is a single one"
        )
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise _absent(int(np.flatnonzero(np.ma.getmaskarray(array))[0]), "masked", what)
    array = np.asarray(array)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    kind = array.dtype.kind
    if kind in "iub":
        return array
    if kind == "f" and array.dtype.itemsize <= 8:
        _refuse_where(np.isnan(array), "NaN", what)
        return (array + 0.0).view(f"i{array.dtype.itemsize}")  # + 0.0 makes -0.0 and 0.0 one label
    if kind in "mM":
        _refuse_where(np.isnat(array), "NaT", what)
        return np.ascontiguousarray(array).view(np.int64)
    if kind in "US" and array.dtype.itemsize:
        items = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), array.dtype.itemsize)
        return _core.factorize_items(items)[0]
    if kind == "V":
        raise LabelError(f"{what} are records of several fields ({array.dtype}); pick one field")
    return encode_objects(array.tolist(), what)


def _encode_pandas(values: Any, what: str) -> Labels:
    if hasattr(values, "columns"):
        raise LabelError(f"{what} are a whole table; pick a column of it")
    # An Index or a Categorical has no index of its own.
    keys = getattr(values, "index", None)
    absent = np.asarray(values.isna())
    _refuse_where(absent, "missing", what)
    categories = getattr(values, "cat", values)
    if hasattr(categories, "categories"):
        return Labels(np.asarray(categories.codes), _by_position(values), keys)
    array = values.to_numpy()
    return Labels(_encode_array(array, what), array, keys)


def _encode_polars(values: Any, what: str) -> Labels:
    if hasattr(values, "columns"):
        raise LabelError(f"{what} are a whole table; pick a column of it")
    _refuse_where(values.is_null().to_numpy(), "null", what)
    if str(values.dtype).startswith(("Categorical", "Enum")):
        return Labels(values.to_physical().to_numpy(), values)
    if values.dtype.is_nested():
        raise LabelError(f"{what} are nested ({values.dtype}); a label is a single value")
    if values.dtype.is_numeric() and not values.dtype.is_decimal():
        return Labels(_encode_array(values.to_numpy(), what), values)
    return Labels(encode_objects(values.to_list(), what), values)


def _encode_arrow(values: Any, what: str) -> Labels:
    if hasattr(values, "column_names"):
        raise LabelError(f"{what} are a whole table; pick a column of it")
    if hasattr(values, "combine_chunks"):
        values = values.combine_chunks()
    pyarrow = sys.modules["pyarrow"]
    if pyarrow.types.is_nested(values.type):
        raise LabelError(f"{what} are nested ({values.type}); a label is a single value")
    if values.null_count:
        _refuse_where(values.is_null().to_numpy(zero_copy_only=False), "null", what)
    if pyarrow.types.is_dictionary(values.type):
        return Labels(values.indices.to_numpy(), values)
    if pyarrow.types.is_integer(values.type) or pyarrow.types.is_floating(values.type):
        return Labels(_encode_array(values.to_numpy(), what), values)
    return Labels(values.dictionary_encode().indices.to_numpy(), values)


def _encode_other(values: Any, what: str) -> Labels:
    if isinstance(values, (str, bytes, bytearray)):
        raise LabelError(
            f"{what} are the bare string {_short(values)}, which would compare its characters; "
            "pass a list of labels"
        )
    if isinstance(values, Mapping):
        raise LabelError(f"{what} are a mapping; use Partition.from_mapping(element -> cluster)")
    if isinstance(values, AbstractSet):
        raise LabelError(f"{what} are a set, which has no order; pass a list with one label per element")
    if hasattr(values, "__next__"):
        raise LabelError(f"{what} are an iterator, which can be read only once; pass list(...) of it")
    if hasattr(values, "__array__"):
        array = np.asarray(values)
        return Labels(_encode_array(array, what), array)
    if isinstance(values, Sequence):
        return Labels(encode_objects(values, what), values)
    raise LabelError(
        f"{what} are a {type(values).__name__}, not a sequence; pass a list, an array or a Series "
        "with one label per element"
    )


def _by_position(values: Any) -> Any:
    return getattr(values, "array", values)


def is_missing(label: Any) -> bool:
    """Whether a label or a name stands for nothing: None, NaN, NaT or NA."""
    if label is None or type(label).__name__ == "NAType":
        return True
    unequal = label != label  # noqa: PLR0124  (NaN and NaT are the values that differ from themselves)
    return unequal is True or (isinstance(unequal, np.bool_) and bool(unequal))


def _refuse_where(absent: NDArray[np.bool_], kind: str, what: str) -> None:
    if absent.any():
        raise _absent(int(absent.argmax()), kind, what)


def _absent(position: int, kind: str, what: str) -> LabelError:
    return LabelError(
        f"{what}: the label at position {position} is missing ({kind}); drop such elements, or give "
        "them a label of their own"
    )


def _unhashable(values: Sequence[Any], what: str) -> LabelError:
    for position, label in enumerate(values):
        try:
            hash(label)
        except TypeError:
            return LabelError(
                f"{what}: the label at position {position} is {_short(label)}, a {type(label).__name__}; "
                "a label is a single value. If these are clusters, use Partition.from_clusters"
            )
    return LabelError(f"{what} hold labels that cannot be compared for equality")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
