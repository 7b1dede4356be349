"""Both sides of a comparison, as they were handed over: two partitions, or two covers."""

from __future__ import annotations

from typing import Any

from concordant.counts.conventions import Conventions
from concordant.errors import ParameterError
from concordant.partitions.cover import Cover
from concordant.partitions.partition import Partition


def both_sides(
    reference: Any, candidate: Any, conventions: Conventions
) -> tuple[Partition | Cover, Partition | Cover]:
    """What was handed over, as two partitions or, where one of them is a cover, as two covers."""
    if conventions.where is not None and not all(map(_takes_a_mask, (reference, candidate))):
        raise ParameterError(
            "where= is a mask of labels in arrays; leave records out of dataframes, files, clusters and "
            "covers where they lie"
        )
    if isinstance(reference, Cover) or isinstance(candidate, Cover):
        own = Cover.of(reference, conventions, "the reference")
        return own, Cover.of(candidate, conventions, "the candidate")
    u = Partition.of(reference, conventions, "the reference")
    return u, Partition.of(candidate, conventions, "the candidate")


def _takes_a_mask(side: Any) -> bool:
    return not isinstance(side, Cover) and not (isinstance(side, Partition) and side.is_in_source)
