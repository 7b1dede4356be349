"""Clustering: what partitions, covers, soft partitions and hierarchies are."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

ClusteringKind = Literal["partition", "cover", "soft", "hierarchy"]


class Clustering:
    """A clustering that was made by one of its constructors.

    Its ``kind`` decides how it is compared. A kind that few people use is a class in a module that is
    imported when it is first needed; asking for the kind imports none.
    """

    __slots__ = ()

    kind: ClassVar[ClusteringKind]


def clustering_kind(side: Any) -> ClusteringKind:
    """The kind of a side of a comparison. All that is not a Clustering yet, such as labels, is a partition.

    >>> clustering_kind([0, 0, 1]), clustering_kind({"a": 0})
    ('partition', 'partition')
    """
    return side.kind if isinstance(side, Clustering) else "partition"
