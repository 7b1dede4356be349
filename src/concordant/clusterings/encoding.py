"""Labels of any kind become a partition: integers that the core can count, and the labels for people.

Equal labels become equal integers, without further promises: integer arrays are used as they are, floats
and dates by their bits, categoricals by their codes, strings by their bytes, everything else by equality
and hash. Columns of other libraries use the Arrow C interface, without a copy. An array with several
dimensions is an image, whose labels are read voxel by voxel. Missing labels are refused, because only the
user knows whether they are one cluster, many, or none.
"""

from __future__ import annotations

from collections.abc import Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.clusters import identify_named
from concordant.clusterings.detect import INCOMPARABLE, has_observations
from concordant.clusterings.labels import (
    Codes,
    MemoryLabels,
    PythonValues,
    by_position,
    coordinates_of,
    is_missing,
    labels_at,
)
from concordant.clusterings.missing import find_nulls, treat_noise, without
from concordant.errors import ConcordantError, LabelError, few, kind_of, warn
from concordant.foundation.conventions import Conventions
from concordant.foundation.remedies import FOR_NULLS

# Floats of which at least this share is distinct look like measurements; too few of them may be anything.
_NEARLY_ALL, _FEW = 0.9, 10
MANY: Final = 1000  # labels that are checked before all of them are


def partition_of_labels(
    values: Any,
    conventions: Conventions,
    what: str,
    elements: list[Any] | None = None,
    alternatives: str = "",
) -> MemoryLabels:
    """The partition of labels of any kind, some of which may be null.

    ``elements`` are the names of the elements, if these align by name. ``alternatives`` are the calls that
    specify whether tuples are labels or clusters; without them, tuples are labels.
    """
    nulls, null, coordinates = conventions.nulls or "error", None, None
    if nulls != "error":
        values, null, coordinates = find_nulls(values)
    try:
        made = encode(values if null is None else without(values, null), what, conventions.threads)
    except LabelError as error:
        if error.missing_at is not None and nulls == "error" and conventions.takes_nulls:
            error.remedies = FOR_NULLS
        raise
    warn_if_continuous(made, what)
    if alternatives and made.is_composite:
        refuse_possible_clusters(made, what, alternatives)
    if elements is not None:
        identify_named(elements, what)
        made.elements, made.named = elements, True
    elif null is not None:
        made.elements = coordinates if made.elements is None else values.index  # of all elements
    if conventions.noise_as is not None:
        treat_noise(made, conventions.noise, conventions.noise_as, what)
    made.nulls = nulls
    if null is not None:
        made.put_back_nulls(null, by_position(values))
    return made


def encode(values: Any, what: str = "the labels", threads: int = 0) -> MemoryLabels:
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
        return MemoryLabels(_encode_arrow(values, what, threads), PythonValues(values))
    return _encode_other(values, what, threads)


def _encode_other(values: Any, what: str, threads: int) -> MemoryLabels:
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


def _encode_list(values: Sequence[Any], what: str, originals: Any) -> MemoryLabels:
    """Python objects, by equality and hash."""
    objects = values if type(values) is list else list(values)
    integers = core.integers(objects)
    if integers is not None:
        return MemoryLabels(integers, integers)
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
    return MemoryLabels(codes, originals, is_composite=composite, first=first)


def warn_if_continuous(labels: MemoryLabels, what: str) -> None:
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


def refuse_possible_clusters(labels: MemoryLabels, what: str, ways: str, *, is_part: bool = False) -> None:
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


def _encode_array(array: NDArray[Any], what: str, threads: int = 0) -> MemoryLabels:
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


def _encode_plain(plain: NDArray[Any], what: str, threads: int) -> MemoryLabels:
    if plain.dtype.kind in "US":  # equal strings of one width are equal bytes, in any byte order
        width = plain.dtype.itemsize
        if width in (1, 2, 4, 8):
            return MemoryLabels(plain.view(f"u{width}"), plain)
        codes, first = core.factorize_items(plain, threads)
        return MemoryLabels(codes, plain, first=first)
    native = plain if plain.dtype.isnative else plain.astype(plain.dtype.newbyteorder("="))
    kind = native.dtype.kind
    if kind == "f" and native.dtype.itemsize <= 8:
        return MemoryLabels(_encode_floats(native, what), plain)
    if kind in "mM":
        ticks = native.view(np.int64)
        if ticks.min(initial=0) == np.iinfo(np.int64).min:
            _refuse_where(np.isnat(native), "NaT", what)
        return MemoryLabels(ticks, plain)
    if kind == "V":
        raise LabelError(
            f"{what} {_is(what)} of records or raw bytes ({native.dtype}); pick one field of known type"
        )
    if kind in "iub":
        return MemoryLabels(native, plain)
    return _encode_list(native.tolist(), what, plain)


def _encode_image(image: NDArray[Any], what: str, threads: int) -> MemoryLabels:
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
    labels.elements = keys
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


def _encode_pandas(values: Any, what: str, threads: int) -> MemoryLabels:
    # An Index or a Categorical has no index of its own.
    keys = getattr(values, "index", None)
    categories = getattr(values, "cat", values)
    if hasattr(categories, "categories"):
        codes = np.asarray(categories.codes)
        _refuse_where(codes < 0, "NA", what)
        return MemoryLabels(codes, by_position(values), elements=keys)
    dtype = values.dtype
    if hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", None) == "pyarrow":
        column = getattr(values, "array", values).__arrow_array__()
        return MemoryLabels(_encode_arrow(column, what, threads), by_position(values), elements=keys)
    if not isinstance(dtype, np.dtype):
        _refuse_where(np.asarray(values.isna()), "NA", what)
    if getattr(dtype, "tz", None) is not None:
        moments = by_position(values).tz_convert(None).to_numpy()
        return MemoryLabels(_encode_array(moments, what).codes, by_position(values), elements=keys)
    labels = _encode_array(values.to_numpy(), what, threads)
    labels.elements = keys
    return labels


def _encode_polars(values: Any, what: str, threads: int) -> MemoryLabels:
    dtype = str(values.dtype)
    if dtype.startswith("Object"):
        return _encode_list(values.to_list(), what, values)
    physical = values.to_physical() if dtype.startswith(("Categorical", "Enum")) else values
    return MemoryLabels(_encode_arrow(physical, what, threads), by_position(values))


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
