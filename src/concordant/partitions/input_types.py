"""The types of objects that a user may pass to be compared, and how each becomes a partition.

The first entry of ``INPUT_TYPES`` that takes an object makes its partition; ambiguous objects are refused.
AnnData keeps many partitions, in the columns of its ``obs``: ``observed_many`` picks them by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from concordant import core
from concordant.counts.conventions import USUAL, Conventions
from concordant.errors import InputError, LabelError, ParameterError, did_you_mean, few, kind_of
from concordant.partitions.array_partitions import ChunkedPartition, DevicePartition
from concordant.partitions.chunked import is_chunked
from concordant.partitions.devices import is_on_device
from concordant.partitions.label_partitions import partition_of_labels
from concordant.partitions.labels import Labels
from concordant.partitions.missing import no_nulls
from concordant.partitions.partition import LabelPartition, Partition
from concordant.partitions.time_segments import SegmentPartition

# How a type of objects is recognised, and how it becomes a partition; the last argument names it in errors.
InputType = tuple[Callable[[Any], bool], Callable[[Any, Conventions, str], Partition]]


def partition_of(value: Any, conventions: Conventions, what: str) -> Partition:
    """The partition of anything that a user may pass to ``compare``.

    A mapping goes from element to cluster; a list, tuple or set of sets holds clusters; all else is labels.
    ``refuse_possible_clusters`` describes the treatment of tuples.

    >>> partition_of([{"tom", "kitty"}, {"jerry"}], Conventions(), "the reference")
    Partition(3 elements, 2 clusters)
    """
    if type(value) is np.ndarray:
        dtype = value.dtype
        if dtype.kind in "iu" and value.ndim == 1 and dtype.isnative and conventions is USUAL:
            return LabelPartition(value, value)  # integers are their own codes
        return _from_labels(value, conventions, what)
    make = next(make for takes, make in INPUT_TYPES if takes(value))
    return make(value, conventions, what)


def _are_clusters(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and isinstance(value[0], (set, frozenset))
    is_set = isinstance(value, (set, frozenset))
    return is_set and bool(value) and all(isinstance(cluster, frozenset) for cluster in value)


def _from_partition(value: Partition, conventions: Conventions, what: str) -> Partition:  # noqa: ARG001  (has its own name)
    has_no_nulls = isinstance(value, LabelPartition | SegmentPartition)
    if conventions.noise is not None or (conventions.nulls is not None and has_no_nulls):
        option = "nulls" if conventions.noise is None else "noise"
        raise ParameterError(
            f"{option}= must be passed when you create the Partition: Partition.from_labels, from_frame "
            "or scan"
        )
    return value


def _from_clusters(value: Any, conventions: Conventions, what: str) -> Partition:
    for option in ("noise", "nulls"):
        if getattr(conventions, option) is not None:
            raise ParameterError(f"{option}= applies to labels, and these are clusters; leave it out")
    return Partition.from_clusters(value, what=what)


def _from_mapping(value: Mapping[Any, Any], conventions: Conventions, what: str) -> Partition:
    return _partition(list(value.values()), conventions, what, "from_mapping", list(value))


def _from_labels(value: Any, conventions: Conventions, what: str) -> Partition:
    return _partition(value, conventions, what, "from_labels")


def _partition(
    values: Any, conventions: Conventions, what: str, way: str, elements: list[Any] | None = None
) -> Partition:
    def check(labels: Labels) -> None:
        if labels.composite:
            refuse_possible_clusters(labels, what, _WAYS.format(way))

    return partition_of_labels(values, conventions, what, elements, check)


def _from_device(value: Any, conventions: Conventions, what: str) -> Partition:
    if conventions.nulls is not None:
        raise no_nulls("labels on a GPU", conventions.nulls)
    return DevicePartition(value, what, conventions.noise, conventions.noise_as)


def _from_chunks(value: Any, conventions: Conventions, what: str) -> Partition:  # noqa: ARG001  (has its own name)
    if conventions.nulls is not None:
        raise no_nulls("labels in chunked arrays", conventions.nulls)
    return ChunkedPartition(value)


_PIECE = 2**16  # values that are read in one step
_ROUNDING = 1e-3  # of probabilities in half precision

_WAYS = "specify which, with Partition.from_clusters(...) or Partition.{}(...)"

INPUT_TYPES: tuple[InputType, ...] = (
    (lambda value: isinstance(value, Partition), _from_partition),
    (_are_clusters, _from_clusters),
    (lambda value: isinstance(value, Mapping), _from_mapping),
    (is_on_device, _from_device),
    (is_chunked, _from_chunks),
    (lambda _: True, _from_labels),  # ``encode`` refuses anything that is not labels
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
        f"elements or labels of clusters; {ways}"
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


def has_observations(holder: Any) -> bool:
    """Whether this is AnnData or looks like it: a table of cells, with labels in ``obs``.

    Dataframes have their columns as attributes, and some accept any attribute name; these do not count.
    """
    is_attribute = hasattr(type(holder), "obs") or "obs" in getattr(holder, "__dict__", ())
    return is_attribute and hasattr(holder, "obs_names")


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
