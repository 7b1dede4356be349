"""The kinds of objects that a person may hand over to be compared, in order: never a guess.

The first kind that takes an object makes its partition. A new kind is a class with ``takes`` and
``partition``, in a module of its own, and a line in ``KINDS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from concordant.counts.conventions import Conventions
from concordant.errors import ParameterError
from concordant.partitions.ambiguity import refuse_possible_clusters
from concordant.partitions.chunked_partition import ArraysInChunks
from concordant.partitions.device import is_on_device
from concordant.partitions.labels import Labels, encode
from concordant.partitions.partition import DevicePartition, Partition


class Kind(Protocol):
    """What makes partitions of objects of one kind."""

    def takes(self, value: Any, /) -> bool:
        """Whether this object is of the kind."""

    def partition(self, value: Any, conventions: Conventions, what: str, /) -> Partition:
        """Its partition; ``what`` is what errors call it."""


def partition_of(value: Any, conventions: Conventions, what: str) -> Partition:
    """A partition of whatever a person may hand to ``compare``.

    A mapping goes from element to cluster; a list, tuple or set of sets holds clusters; all else is labels.
    ``partitions.ambiguity`` says what is made of tuples.

    >>> partition_of([{"tom", "kitty"}, {"jerry"}], Conventions(), "the reference")
    Partition(3 elements, 2 clusters)
    """
    for kind in KINDS:
        if kind.takes(value):
            return kind.partition(value, conventions, what)
    raise AssertionError("the last kind takes all")


class _Partitions:
    """What is a partition already."""

    def takes(self, value: Any, /) -> bool:
        return isinstance(value, Partition)

    def partition(self, value: Any, conventions: Conventions, what: str, /) -> Partition:  # noqa: ARG002  (has its own name)
        if conventions.noise is not None:
            raise ParameterError(
                "noise= belongs to where a Partition is made: Partition.from_labels, from_frame or scan"
            )
        made: Partition = value
        return made


class _Clusters:
    """Sets in a list, a tuple or a set."""

    def takes(self, value: Any, /) -> bool:
        if isinstance(value, (list, tuple)):
            return bool(value) and isinstance(value[0], (set, frozenset))
        is_set = isinstance(value, (set, frozenset))
        return is_set and bool(value) and all(isinstance(cluster, frozenset) for cluster in value)

    def partition(self, value: Any, conventions: Conventions, what: str, /) -> Partition:
        if conventions.noise is not None:
            raise ParameterError("noise= speaks of labels, but clusters were handed over")
        return Partition.from_clusters(value, what=what)


class _Mappings:
    """From element to cluster."""

    def takes(self, value: Any, /) -> bool:
        return isinstance(value, Mapping)

    def partition(self, value: Any, conventions: Conventions, what: str, /) -> Partition:
        labels = _unambiguous(encode(list(value.values()), what), what, "from_mapping")
        return Partition.of_encoded(labels, conventions.noise, conventions.noise_as, what, list(value))


class _ArraysOnDevices:
    """Labels on a GPU."""

    def takes(self, value: Any, /) -> bool:
        return is_on_device(value)

    def partition(self, value: Any, conventions: Conventions, what: str, /) -> Partition:
        return DevicePartition(value, what, conventions.noise, conventions.noise_as)


class _LabelsInMemory:
    """Whatever is left; ``encode`` refuses what are no labels."""

    def takes(self, value: Any, /) -> bool:  # noqa: ARG002  (the last kind takes all)
        return True

    def partition(self, value: Any, conventions: Conventions, what: str, /) -> Partition:
        labels = _unambiguous(encode(value, what, conventions.threads), what, "from_labels")
        return Partition.of_encoded(labels, conventions.noise, conventions.noise_as, what)


class _Arrays(_LabelsInMemory):
    """Those of NumPy, which are most and no other kind: they come first, to be asked little."""

    def takes(self, value: Any, /) -> bool:
        return isinstance(value, np.ndarray)


class _Lists(_LabelsInMemory):
    """Lists that hold no sets, which are no other kind either."""

    def takes(self, value: Any, /) -> bool:
        return type(value) is list and not (value and isinstance(value[0], (set, frozenset)))


def _unambiguous(labels: Labels, what: str, constructor: str) -> Labels:
    if labels.composite:
        ways = f"say which, with Partition.from_clusters(...) or Partition.{constructor}(...)"
        refuse_possible_clusters(labels, what, ways)
    return labels


KINDS: tuple[Kind, ...] = (
    _Arrays(),
    _Lists(),
    _Partitions(),
    _Clusters(),
    _Mappings(),
    _ArraysOnDevices(),
    ArraysInChunks(),
    _LabelsInMemory(),
)
