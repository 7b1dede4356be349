"""Differences between two clusterings: changes, clusters, records, edits, and events over time."""

from typing import TYPE_CHECKING

from concordant.foundation.lazy import attributes

if TYPE_CHECKING:
    from concordant.differences import (
        changes,
        matching,
        own_clusters,
        scores,
        suggestions,
        verdicts,
    )

if not TYPE_CHECKING:
    __getattr__ = attributes(__name__)
