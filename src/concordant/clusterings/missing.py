"""Labels that name no cluster, and their treatment.

A label may be null or NaN, the label that means noise, or absent because only the other side has the
record. Each kind is an error, is dropped, or becomes a singleton, which has no label. This is the same for
all engines. Arrays are treated here; engines that group by treat their columns by the same ``Policy``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.detect import INCOMPARABLE
from concordant.clusterings.labels import (
    Codes,
    Coordinates,
    MemoryLabels,
    Noise,
    PythonValues,
    coordinates_of,
    identify,
    is_integer_type,
    is_missing,
    labels_at,
    set_apart,
)
from concordant.errors import ParameterError, kind_of, warn
from concordant.foundation.conventions import Conventions, NoiseAs, Nulls

# Kinds of labels: of a cluster, null or NaN, noise, or of a record that this side does not have.
LABELLED, NULL, NOISE, ABSENT = range(4)

# Arrow types that PyArrow can neither filter nor take from, and types that hold the same.
VIEWS = {"string_view": "large_string", "binary_view": "large_binary"}

_PIECE = 2**16

Treatment = Literal["error", "drop", "singletons", "cluster"]


# The treatment of labels that name no cluster, for each side and each kind.
Policy: TypeAlias = tuple[Mapping[int, Treatment], Mapping[int, Treatment]]


def kinds_with(policy: Policy, side: int, *treatments: Treatment) -> list[int]:
    """The kinds of labels of one side with this treatment."""
    return [kind for kind, treatment in policy[side].items() if treatment in treatments]


def no_nulls(what: str, nulls: Nulls) -> ParameterError:
    """The error for ``nulls=`` of a type of input that has no null labels."""
    return ParameterError(f"{what} are never null; leave this out", given={"nulls": nulls})


def as_column(values: Any) -> Any:
    """Labels as a list, an array, or a column of pandas, Polars or PyArrow, which can be filtered."""
    library = type(values).__module__.partition(".")[0]
    view = VIEWS.get(str(getattr(values, "dtype", "")).removesuffix("[pyarrow]"))
    if view is not None and library == "pandas" and hasattr(values, "array"):
        held = values.array  # which pandas cannot cast either
        return type(values)(type(held)(held.__arrow_array__().cast(view)), index=values.index)
    if library in ("pandas", "modin", "polars") or isinstance(values, list | tuple | np.ndarray):
        return values
    if hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
        if not hasattr(values, "is_null"):
            import pyarrow as pa

            is_array = hasattr(values, "__arrow_c_array__")
            values = pa.array(values) if is_array else pa.chunked_array(values)
        kind = str(values.type)
        return values.cast(VIEWS[kind]) if kind in VIEWS else values
    if hasattr(values, "__array__"):
        try:
            return np.asarray(values)
        except INCOMPARABLE:  # encoding the labels reports what is wrong with them
            return values
    return list(values) if isinstance(values, Sequence) and not isinstance(values, str | bytes) else values


def find_nulls(values: Any) -> tuple[Any, NDArray[np.bool_] | None, Coordinates | None]:
    """Labels as a column, a mask of those that are null, and their coordinates if they were an image."""
    column = as_column(values)
    null = null_labels(column)
    if null is None or null.ndim == 1:
        return column, null, None
    image = np.asarray(column)
    coordinates = coordinates_of(image)
    return coordinates.flat(image), coordinates.flat(null), coordinates


def null_labels(values: Any) -> NDArray[np.bool_] | None:
    """A mask of the labels that are None, NaN, NaT, NA or masked; None if there are none.

    >>> null_labels(["a", None, "b"])
    array([False,  True, False])
    """
    dtype = getattr(values, "dtype", None)
    kind = str(dtype).lower()
    if isinstance(values, list | tuple) or kind.startswith("object"):
        is_flat = isinstance(values, list | tuple) or np.ndim(values) == 1
        null = _null_objects(list(values)) if is_flat else None
    elif hasattr(values, "isna"):
        null = np.asarray(values.isna(), dtype=bool)
        if kind.startswith(("float", "double", "halffloat")):
            null = null | np.isnan(values.to_numpy(dtype=float, na_value=np.nan))
    elif isinstance(values, np.ndarray) and values.dtype.kind != "V":  # records are not labels
        null = np.asarray(np.ma.getmaskarray(values))
        if values.dtype.kind in "fcmM":
            is_nothing = np.isnat if values.dtype.kind in "mM" else np.isnan
            null = null | is_nothing(np.asarray(values)) if values.ndim == 1 else None
    elif hasattr(values, "to_physical") and hasattr(values, "to_numpy"):  # a Series of Polars
        null = values.is_null().to_numpy()
        if kind.startswith("float"):
            null = null | values.is_nan().fill_null(value=True).to_numpy()
    elif hasattr(values, "is_null") and hasattr(values, "to_pylist"):  # an array of PyArrow
        null = np.asarray(values.is_null(nan_is_null=True).to_numpy(zero_copy_only=False), dtype=bool)
    else:
        null = None
    return null if null is not None and null.any() else None


def _null_objects(objects: list[Any]) -> NDArray[np.bool_] | None:
    try:
        codes, suspects = identify(objects)
    except INCOMPARABLE:
        if any(each is np.ma.masked for each in objects):  # which has no hash
            return _null_objects([None if each is np.ma.masked else each for each in objects])
        return None  # encoding the labels reports what is wrong with them
    missing = [position for position in suspects if is_missing(objects[position])]
    return np.isin(codes, codes[missing])


def without(values: Any, null: NDArray[np.bool_]) -> Any:
    """The labels that are not null."""
    if isinstance(values, list | tuple):
        return [label for label, is_null in zip(values, null.tolist(), strict=True) if not is_null]
    return values.filter(~null) if hasattr(values, "is_null") else values[~null]


def count_code(codes: Codes, code: int) -> int:
    """The number of elements with a code, by pieces that stay in the cache.

    A mask of all would take longer than counting the clusters.
    """
    pieces = (codes[at : at + _PIECE] for at in range(0, len(codes), _PIECE))
    return sum(int(np.count_nonzero(piece == code)) for piece in pieces)


def equal_to(labels: MemoryLabels, label: Any) -> NDArray[np.bool_]:
    """The positions of labels that equal the given one."""
    originals = labels.originals
    if isinstance(originals, np.ndarray) and originals.dtype.kind in "biuf" and np.ndim(label) == 0:
        # NumPy compares integers of any size with its integers, but not with its booleans.
        numbers = originals.view(np.int8) if originals.dtype.kind == "b" else originals
        return np.asarray(numbers == label)
    same = (x == label for x in originals)
    try:
        return np.fromiter(same, dtype=bool, count=len(labels.codes))
    except INCOMPARABLE as error:
        raise ParameterError(
            f"noise is a single label, and {kind_of(label)} cannot be compared with these; name several for "
            "each side, as in reference_noise={0: 'drop', 255: 'drop'}",
            given={"noise": label},
        ) from error


def code_of(labels: MemoryLabels, label: Any) -> int | None:
    """The code of all labels that equal the given one, if it is known without reading each of them.

    >>> from concordant.clusterings.encoding import encode
    >>> code_of(encode([5, 7, 5]), 7.0), code_of(encode(["a", "b"]), "b"), code_of(encode([5, 7]), 3)
    (7, 1, 3)
    """
    codes, first = labels.codes, labels.first
    if first is not None:
        distinct = labels_at(labels.originals, first)
        try:
            return next((code for code, each in enumerate(distinct) if bool(each == label)), None)
        except INCOMPARABLE:
            return None
    value = label.item() if isinstance(label, np.generic) else label
    if codes is not labels.originals or not isinstance(value, int | float):
        return None
    low, high = (0, 1) if codes.dtype.kind == "b" else (np.iinfo(codes.dtype).min, np.iinfo(codes.dtype).max)
    return int(value) if low <= value <= high and value == int(value) else None


def refuse_other_type(labels: MemoryLabels, noise: Any, what: str) -> None:
    """Refuse a noise label that no label equals, if one has the same text in another type."""
    distinct = labels_at(labels.originals, core.factorize(np.asarray(labels.codes))[1])
    similar = next((x for x in distinct if str(x) == str(noise)), None)
    if similar is not None:
        raise ParameterError(
            f"this is {kind_of(noise)}, but {similar!r} in {what} is {kind_of(similar)}; "
            "pass noise with the type of the labels",
            given={"noise": noise},
        )


def treat_noise(labels: MemoryLabels, label: Any, treatment: NoiseAs, what: str) -> None:
    """Treat the elements with this label. If one code is known to identify them, they are not searched."""
    code = None if treatment == "singletons" else code_of(labels, label)
    if code is not None:
        labels.noise = Noise(label, treatment, partial(count_code, labels.codes, code))
        labels.dropped_code = code if treatment == "drop" else None
        return
    is_noise = equal_to(labels, label)
    number = int(np.count_nonzero(is_noise))
    if not number:
        refuse_other_type(labels, label, what)
    labels.noise = Noise(label, treatment, number)
    if treatment == "singletons":
        labels.codes, labels.first = set_apart(labels.codes, is_noise), None
        labels.alone = (label,) if number else ()
    elif treatment == "drop":
        labels.dropped_mask = is_noise


def _has_background(labels: NDArray[Any]) -> bool:
    """Whether 0 is the label of at least twice as many voxels, in a sample, as any other."""
    few = labels[np.random.default_rng(0).integers(0, len(labels), _SEARCHED_FOR_BACKGROUND)]
    found, counts = np.unique(few, return_counts=True)
    zeros, others = counts[found == 0], counts[found != 0]
    return len(zeros) > 0 and len(others) > 0 and bool(zeros[0] >= 2 * others.max())


LEAST_FOR_NOISE = 50  # records: among fewer labels, -1 may be any number
_SEARCHED_FOR_BACKGROUND = 10_000  # voxels
_SEARCHED_FOR_NOISE = 100_000  # records; looking at all of millions would take as long as counting


def warn_of_noise(what: str, side: Any, *, of_side: str = "", where: Any = None) -> None:
    """Warn of labels that look like no cluster, and for which no treatment was specified.

    These are -1 among -1, 0, 1, ..., k - 1, as clusterers write them that find noise, and the label 0 of an
    image without a mask that is mostly 0. ``of_side`` is the option that treats labels of this side.
    """
    if not isinstance(side, MemoryLabels) or side.noise is not None or len(side) < LEAST_FOR_NOISE:
        return
    column = side.originals
    if type(column) is np.ndarray:
        is_integer = column.dtype.kind in "iub"
    else:
        column = column.array if isinstance(column, PythonValues) else column
        is_integer = is_integer_type(str(getattr(column, "type", getattr(column, "dtype", ""))))
    if not is_integer:
        return
    labels = np.asarray(side.codes)  # integers are their own codes
    some = labels[:: len(labels) // _SEARCHED_FOR_NOISE + 1]
    if side.is_image:
        if where is None and _has_background(labels):
            of_objects = f", or {of_side}={{0: 'background'}} to count objects" if of_side else ""
            warn(
                f"{what} is an image with the label 0, which is compared as a cluster and is often the "
                f"background: pass noise=0 with noise_as='drop', 'singletons' or 'cluster'{of_objects}"
            )
    elif labels.dtype.kind == "i" and some[some.argmin()] == -1 == labels.min():
        most = int(labels.max())
        if 1 <= most < len(labels) and np.bincount(labels + 1, minlength=most + 2).all():
            warn(
                f"{what} has the label -1, which is compared as a cluster and looks like noise: pass "
                "noise=-1 with noise_as='drop', 'singletons' or 'cluster'"
            )


def conventions_in_words(conventions: Conventions, partitions: Iterable[Any] = ()) -> str:
    """The conventions that can change a value and are not the usual ones, as signatures print them.

    ``partitions`` may have conventions of their own.

    >>> conventions_in_words(Conventions(unmatched="drop", undefined="nan", noise=-1, noise_as="drop"))
    'unmatched=drop | noise=-1 as drop | undefined=nan'
    """
    noise, nulls = {(conventions.noise, conventions.noise_as): None}, {conventions.nulls or "error": None}
    for each in partitions:
        own, how = getattr(each, "noise", None), getattr(each, "noise_as", None)
        noise[(own.label, own.treatment) if isinstance(own, Noise) else (own, how)] = None
        nulls[getattr(each, "nulls", "error")] = None
    words = {
        "unmatched": conventions.unmatched,
        "nulls": " and ".join(each for each in nulls if each != "error"),
        "noise": ", ".join(f"{label!r} as {how}" for label, how in noise if how is not None),
        "undefined": conventions.undefined,
    }
    return unusual_conventions(words)


def unusual_conventions(words: Mapping[str, str]) -> str:
    """The conventions of a comparison that differ from the default and can change a value."""
    told = {key: value for key, value in words.items() if key not in _WITHOUT_EFFECT}
    return " | ".join(f"{key}={value}" for key, value in told.items() if value not in _USUAL.get(key, ()))


_WITHOUT_EFFECT = ("engine", "effective_size", "same_broken", "different_broken")
_USUAL = {
    "unmatched": ("error",),
    "nulls": ("error", ""),
    "noise": ("none", ""),
    "undefined": ("convention",),
}
