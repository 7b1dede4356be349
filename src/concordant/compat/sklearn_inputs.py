"""The checks of scikit-learn for labels, tables and parameters, with its messages."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.encoding import encode
from concordant.clusterings.labels import MemoryLabels
from concordant.counts.profile import Profile
from concordant.errors import InputError, LabelError, LengthError, ParameterError

_AVERAGE_METHODS = ("arithmetic", "geometric", "max", "min")


def profile_of_table(caller: str, contingency: Any) -> Profile:
    if hasattr(contingency, "tocoo"):
        return Profile.from_contingency(contingency)
    wording = "an array-like, a sparse array or matrix or None"
    require(_is_array_like(contingency), caller, "contingency", wording, contingency)
    try:
        table = np.asarray(contingency)
    except (TypeError, ValueError) as error:
        raise InputError(f"a contingency table must be 2D, with rows of equal length: {error}") from None
    if table.ndim != 2:
        raise InputError(
            f"Expected 2D array, got {table.ndim}D array instead: a contingency table has a row "
            "for each class and a column for each cluster"
        )
    if table.dtype.kind not in "biuf":
        raise InputError(f"a contingency table contains counts, not values of dtype {table.dtype}")
    return Profile.from_contingency(table)


def partitions(caller: str, labels_true: Any, labels_pred: Any) -> tuple[MemoryLabels, MemoryLabels]:
    rows = partition(caller, "labels_true", labels_true)
    columns = partition(caller, "labels_pred", labels_pred)
    require_equal_lengths(rows.originals, columns.originals)
    return rows, columns


def partition(caller: str, name: str, labels: Any) -> MemoryLabels:
    require(_is_array_like(labels), caller, name, "an array-like", labels)
    array = vector(name, labels)
    # NumPy makes strings of mixed labels and floats of large integers, so only plain integers go that way.
    is_plain = isinstance(labels, (list, tuple, range)) and array.dtype.kind in "biu"
    return MemoryLabels(encode(array if is_plain else labels, name).codes, array)


def vector(name: str, labels: Any) -> NDArray[Any]:
    try:
        array = np.asarray(labels)
    except (TypeError, ValueError) as error:
        raise LabelError(f"{name} must be 1D, with one label for each sample: {error}") from None
    if array.ndim != 1:
        raise LabelError(f"{name} must be 1D: shape is {array.shape!r}")
    if array.dtype.kind == "c":
        raise LabelError(f"Complex data not supported: {name} are complex numbers")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        position = int(np.flatnonzero(~np.isfinite(array))[0])
        what = "NaN" if np.isnan(array).any() else f"infinity or a value too large for {array.dtype!r}"
        raise LabelError(f"Input contains {what}. The first is at position {position} of {name}.")
    return array


def require_equal_lengths(rows: NDArray[Any], columns: NDArray[Any]) -> None:
    lengths = [len(rows), len(columns)]
    if lengths[0] != lengths[1]:
        raise LengthError(f"Found input variables with inconsistent numbers of samples: {lengths}")


def warn_of_measurements(rows: NDArray[Any], columns: NDArray[Any]) -> None:
    if not (_is_continuous(rows) or _is_continuous(columns)):
        return
    warnings.warn(
        f"Clustering metrics expects discrete values but received {_type_of_target(rows)} values for label, "
        f"and {_type_of_target(columns)} values for target",
        UserWarning,
        stacklevel=4,
    )


def _is_continuous(array: NDArray[Any]) -> bool:
    return array.dtype.kind == "f" and bool((array != np.trunc(array)).any())


def _type_of_target(array: NDArray[Any]) -> str:
    if _is_continuous(array):
        return "continuous"
    return "multiclass" if len(set(array.tolist())) > 2 else "binary"


def ranks(side: MemoryLabels, first: Any) -> NDArray[np.int64]:
    """The place of each cluster when they are sorted by label, given an element of each."""
    labels = side.originals[first]
    try:
        order = np.argsort(labels, kind="stable")
    except TypeError:  # labels that have no order among them, such as 1 and "a"
        order = np.argsort([str(label) for label in labels], kind="stable")
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def as_dtype(counts: NDArray[Any], dtype: Any) -> NDArray[Any]:
    try:
        wanted = np.dtype(dtype)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f"dtype={dtype!r} of contingency_matrix is not one that NumPy knows: {error}"
        ) from None
    if wanted.kind not in "biufc":
        raise ParameterError(
            f"dtype={wanted.name} of contingency_matrix cannot hold counts; use a numeric dtype"
        )
    if wanted.kind in "iu" and len(counts) and int(counts.max()) > np.iinfo(wanted).max:
        raise ParameterError(f"dtype={wanted.name} cannot hold a count of {counts.max()}; use a wider one")
    return counts.astype(wanted)


def require(holds: bool, caller: str, name: str, wording: str, value: Any) -> None:
    if not holds:
        raise ParameterError(f"The {name!r} parameter of {caller} must be {wording}. Got {value!r} instead.")


def _is_array_like(value: Any) -> bool:
    has_elements = any(hasattr(value, each) for each in ("__len__", "shape", "__array__"))
    return has_elements and not np.isscalar(value) and not hasattr(value, "tocoo")


def require_non_negative(caller: str, name: str, value: Any, wording: str) -> None:
    require(isinstance(value, Real) and 0 <= float(value) < np.inf, caller, name, wording, value)


def require_average_method(caller: str, value: Any) -> None:
    known = isinstance(value, str) and value in _AVERAGE_METHODS
    choices = ", ".join(map(repr, _AVERAGE_METHODS))
    require(known, caller, "average_method", f"a str among {{{choices}}}", value)
