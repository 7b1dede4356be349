"""Clusterings: partitions, covers, soft partitions and hierarchies, made from what users pass."""

from typing import TYPE_CHECKING

from concordant.lazy import attributes

if TYPE_CHECKING:
    from concordant.clusterings import hierarchy  # noqa: F401  (attributes of the package)

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)
