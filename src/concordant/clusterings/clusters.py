"""Clusters given as lists: of their elements, or of the positions where segments begin."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant import core
from concordant.clusterings.labels import Codes, identify, is_missing
from concordant.errors import InputError, LabelError, OverlapError, ParameterError, TooLargeError, kind_of
from concordant.foundation.conventions import is_hashable
from concordant.foundation.spelling import counted


def identify_named(elements: list[Any], what: str, noun: str = "record number") -> Codes:
    """Codes of the elements; none may lack a name."""
    codes, suspects = identify(elements)
    for position in suspects:
        if is_missing(elements[position]):
            raise LabelError(
                f"{what}: {noun} {position} has no name ({elements[position]!r}); name it or drop it"
            )
    return codes


def name_codes(objects: list[Any], what: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Equal codes for equal names, from 0, and the position of each name's first occurrence."""
    try:
        codes = identify_named(objects, what, "number")
    except TypeError as error:
        raise LabelError(f"{what}: names must be hashable ({error})") from None
    return core.factorize(np.asarray(codes))


def names_and_members(clusters: Any, what: str) -> tuple[Sequence[Any], Iterable[Any]]:
    """The names of the clusters, and what each holds."""
    if isinstance(clusters, Mapping):
        return list(clusters), clusters.values()
    if isinstance(clusters, (str, bytes)) or not _is_iterable(clusters):
        raise InputError(
            f"{what}: {kind_of(clusters)} is not a collection of clusters; pass a list of lists or sets"
        )
    members = list(clusters)
    return range(len(members)), members


def _is_iterable(value: Any) -> bool:
    """Whether it can be iterated: an array without dimensions has ``__iter__``, but raises."""
    return isinstance(value, Iterable) and getattr(value, "ndim", 1) != 0


def elements_of(cluster: Any, number: int, what: str) -> Collection[Hashable]:
    """The members of one cluster."""
    if isinstance(cluster, (list, tuple, set, frozenset)):
        return cluster
    if isinstance(cluster, (str, bytes)) or not _is_iterable(cluster):
        raise InputError(
            f"{what}: cluster {number} is {cluster!r}; a cluster is a list or a set of records. "
            "If these are labels, use from_labels"
        )
    return list(cluster)


def identify_members(elements: list[Any], owner: NDArray[np.int64], what: str) -> Codes:
    """Codes of the elements of all clusters; ``owner`` is the number of the cluster of each."""
    try:
        return identify_named(elements, what)
    except TypeError:
        position = next(i for i, element in enumerate(elements) if not is_hashable(element))
        element = elements[position]
        raise LabelError(
            f"{what}: a record of cluster {owner[position]} is {element!r}, {kind_of(element)}; "
            "records must be hashable (strings, numbers, tuples)"
        ) from None


def refuse_overlap(
    elements: list[Any], owner: NDArray[np.int64], first: NDArray[np.int64], what: str
) -> None:
    """Refuse an element in two clusters; it may be repeated within one."""
    again = np.flatnonzero(owner[first] != owner)
    if len(again):
        position = int(again[0])
        raise OverlapError(
            f"{what}: the record {elements[position]!r} is in two clusters, number "
            f"{int(owner[first[position]])} and number {int(owner[position])}; in a partition, each record "
            "is in one cluster. For overlapping clusters, use concordant.Cover.from_clusters(...)"
        )


def numbered_segments(points: Iterable[int], n: int, what: str) -> tuple[NDArray[np.int64], list[int]]:
    """The number of the segment of each element, and where each segment begins.

    >>> codes, starts = numbered_segments([3], 5, "the change points")
    >>> codes.tolist(), starts
    ([0, 0, 0, 1, 1], [0, 3])
    """
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
        raise ParameterError("give the number of records, 0 or more", given={"size": n})
    if n >= 2**48:  # more than there are addresses
        raise _too_large(n)
    if isinstance(points, str | bytes) or not isinstance(points, Iterable) or getattr(points, "ndim", 1) != 1:
        raise LabelError(f"{what}: give a list of positions, not {kind_of(points)}")
    named = set()
    for place, point in enumerate(points):
        try:
            position = index(point)
        except TypeError:
            position = None
        if position is None or isinstance(point, bool | np.bool_):
            raise LabelError(
                f"{what}: number {place} is {point!r}, {kind_of(point)}; a change point is the position "
                "where a segment begins, an integer"
            )
        if not 0 <= position <= n:
            raise LabelError(
                f"{what}: number {place} is {position}, outside the sequence, whose "
                f"{counted(int(n), 'record', 'are')} counted from 0"
            )
        named.add(position)
    starts = sorted({*named, 0} - {int(n)})
    lengths = np.diff([*starts, int(n)])
    try:
        return np.repeat(np.arange(len(starts)), lengths), starts
    except MemoryError as error:
        raise _too_large(n) from error


def _too_large(n: int) -> TooLargeError:
    return TooLargeError(f"a sequence of {counted(int(n), 'record')} does not fit into memory")
