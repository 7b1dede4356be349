"""Engines: each counts two partitions where they lie, and knows nothing of indices.

An engine says whether it takes two partitions, and counts them: by the conventions agreed on, as far as is
needed. The first that takes them counts them; a new engine is a module and a line in ``ENGINES``.
"""

from __future__ import annotations

from typing import Any, Protocol

from concordant.counts.availability import Need
from concordant.counts.conventions import Conventions
from concordant.counts.counted import Counted
from concordant.engines import chunks, covers, gpu, memory, tables
from concordant.errors import InputError
from concordant.partitions.cover import Cover
from concordant.partitions.partition import Partition


class Engine(Protocol):
    """What counts partitions of one kind."""

    def takes(self, reference: Any, candidate: Any, /) -> bool:
        """Whether this engine is the one for these two."""

    def count(
        self,
        reference: Any,
        candidate: Any,
        conventions: Conventions,
        need: Need,
        /,
    ) -> Counted[Any]:
        """What is to be known of the two, or more: ``need`` says how much."""


ENGINES: tuple[Engine, ...] = (covers, memory, gpu, chunks, tables)


def count(
    reference: Partition | Cover,
    candidate: Partition | Cover,
    conventions: Conventions,
    need: Need = Need.SIZES,
) -> Counted[Any]:
    """Two partitions counted by the first engine that takes them."""
    for engine in ENGINES:
        if engine.takes(reference, candidate):
            return engine.count(reference, candidate, conventions, need)
    raise InputError(f"no engine counts {reference!r} against {candidate!r}")
