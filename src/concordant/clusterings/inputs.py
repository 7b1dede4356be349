"""The objects that a user may pass to be compared, and how each becomes a partition.

``partition_of`` takes an object by the first kind that ``recognition`` finds; ambiguous objects are refused.
AnnData keeps many partitions, in the columns of its ``obs``: ``observed_many`` picks them by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from concordant.clusterings.missing import no_nulls
from concordant.clusterings.partition import (
    ChunkedPartition,
    DevicePartition,
    LabelPartition,
    Partition,
    SegmentPartition,
    partition_of_labels,
)
from concordant.clusterings.recognition import are_clusters, has_observations, is_chunked, is_on_device
from concordant.counts.conventions import USUAL, Conventions
from concordant.errors import InputError, LabelError, ParameterError, did_you_mean, few, kind_of

_PIECE = 2**16  # values that are read in one step
_ROUNDING = 1e-3  # of probabilities in half precision

_EITHER = "specify which, with Partition.from_clusters(...) or Partition.{}(...)"


def partition_of(values: Any, conventions: Conventions, what: str) -> Partition:
    """The partition of anything that a user may pass to ``compare``; ``what`` names it in errors.

    A mapping goes from element to cluster; a list, tuple or set of sets holds clusters; all else is labels.
    ``refuse_possible_clusters`` describes the treatment of tuples.

    >>> partition_of([{"tom", "kitty"}, {"jerry"}], Conventions(), "the reference")
    Partition(3 elements, 2 clusters)
    """
    if type(values) is np.ndarray:
        dtype = values.dtype
        if dtype.kind in "iu" and values.ndim == 1 and dtype.isnative and conventions is USUAL:
            return LabelPartition(values, values)  # integers are their own codes
    elif isinstance(values, Partition):
        _refuse_options_of_labels(values, conventions)
        return values
    elif are_clusters(values):
        for option in ("noise", "nulls"):
            if getattr(conventions, option) is not None:
                raise ParameterError(f"{option}= applies to labels, and these are clusters; leave it out")
        return Partition.from_clusters(values, what=what)
    elif isinstance(values, Mapping):
        either = _EITHER.format("from_mapping")
        return partition_of_labels(list(values.values()), conventions, what, list(values), either)
    elif (on_device := is_on_device(values)) or is_chunked(values):
        if conventions.nulls is not None:
            raise no_nulls("labels on a GPU" if on_device else "labels in chunked arrays", conventions.nulls)
        noise = conventions.noise, conventions.noise_as
        return DevicePartition(values, what, *noise) if on_device else ChunkedPartition(values)
    return partition_of_labels(values, conventions, what, alternatives=_EITHER.format("from_labels"))


def _refuse_options_of_labels(partition: Partition, conventions: Conventions) -> None:
    """Refuse ``nulls=`` and ``noise=`` for a partition, whose labels were treated when it was made."""
    has_no_nulls = isinstance(partition, LabelPartition | SegmentPartition)
    if conventions.noise is not None or (conventions.nulls is not None and has_no_nulls):
        option = "nulls" if conventions.noise is None else "noise"
        raise ParameterError(
            f"{option}= must be passed when you create the Partition: Partition.from_labels, from_frame "
            "or scan"
        )


def refuse_memberships(*sides: tuple[str, Any], is_stored: bool = False) -> None:
    """Refuse one-hot and probability matrices, which would be compared as label images.

    Those are arrays of two dimensions whose rows sum to 1. One such array beside a label image is treated as
    an image, too. ``Partition.from_labels`` takes an image whatever it holds. Engines that store arrays
    elsewhere look at them when they read them (``is_stored``).

    >>> refuse_memberships(("the reference", np.array([[1, 0], [1, 1]])), ("the candidate", np.eye(2)))
    """
    arrays = [
        (what, value)
        for what, value in sides
        if (is_stored or type(value) is np.ndarray or not (is_on_device(value) or is_chunked(value)))
        and getattr(value, "ndim", 0) == 2
    ]
    if not arrays or not all(_is_membership(array) for _, array in arrays):
        return
    what, array = arrays[0]
    rows, columns = array.shape
    raise LabelError(
        f"{what} is an array of shape ({rows}, {columns}) whose rows sum to 1: one-hot labels or "
        f"probabilities, not a label image; pass Soft.from_matrix(array) to compare the weights, or one "
        "label per element, as in argmax(axis=1) of the array. "
        "If it is a label image, pass Partition.from_labels(image)"
    )


def _is_membership(array: Any) -> bool:
    """Whether all rows sum to 1. Rows are read in pieces: those of an image rarely do."""
    if np.ma.isMaskedArray(array) or not re.search("bool|int|float", str(getattr(array, "dtype", ""))):
        return False
    rows, columns = array.shape
    if rows < 2 or columns < 2:
        return False
    step = max(1, _PIECE // columns)
    for start in range(0, rows, step):
        part = array[start : start + step]
        part = part if is_on_device(part) else np.asarray(part)
        if not bool((part >= 0).all()) or not bool((abs(part.sum(axis=1) - 1.0) < _ROUNDING).all()):
            return False
    return True


def observed_many(partitions: Any, columns: Sequence[str] | None) -> Any:
    """Many partitions as they were passed; for AnnData, the named columns of its ``obs``."""
    if has_observations(partitions):
        return observed_columns(partitions, columns or ())
    if columns is not None:
        raise ParameterError(
            f"columns= names columns of AnnData, and this is {kind_of(partitions)}; pick the columns of a "
            "dataframe before, as in frame[['a', 'b']]"
        )
    return partitions


def observed_columns(holder: Any, columns: Sequence[str]) -> dict[str, Any]:
    """These columns of the ``obs``, each a Series over the cells."""
    table, known = holder.obs, [str(name) for name in holder.obs.columns]
    for name in columns:
        if name not in known:
            near = did_you_mean(str(name), known) or f"; it has {few(known) or 'none'}"
            raise InputError(f"obs has no column {name!r}{near}")
    if not columns:
        raise ParameterError("name the columns of obs that contain clusters")
    return {name: table[name] for name in columns}
