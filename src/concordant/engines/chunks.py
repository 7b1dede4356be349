"""The engine for arrays in chunks: blocks are read and counted in threads, and only their cells are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from concordant.clusterings.chunked import BlockGrid
from concordant.clusterings.coerce import refuse_memberships
from concordant.clusterings.labels import MemoryLabels, PartitionData
from concordant.clusterings.partition_data import ChunkedPartition
from concordant.counts.base import Detail
from concordant.counts.counted_sides import CountedSides
from concordant.counts.noise_in_tables import with_noise
from concordant.errors import InputError, NothingLeftError
from concordant.foundation.conventions import Conventions

count_three = count_sample = None


def takes(reference: Any, candidate: Any) -> bool:
    """Whether one of them is chunked."""
    return isinstance(reference, ChunkedPartition) or isinstance(candidate, ChunkedPartition)


def count(
    reference: PartitionData,
    candidate: PartitionData,
    conventions: Conventions,
    need: Detail,  # noqa: ARG001  (the table is what is counted, whatever is needed)
) -> CountedSides:
    """Both counted block by block."""
    from concordant.engines.batch_cells import (  # imported here to keep `import concordant` fast
        CellSum,
        label_list,
    )

    u, v = _array(reference, "the reference"), _array(candidate, "the candidate")
    grid = BlockGrid(u, v, conventions.where)
    cells = CellSum().add_blocks(grid, threads=conventions.threads, progress=conventions.progress)
    if not cells.elements and 0 not in u.shape:
        raise NothingLeftError("the mask where= leaves nothing to compare")
    counted = cells.counted()
    whole = cells.whole()
    few = counted.counts.rows <= 2 and counted.counts.columns <= 2
    if few and {*label_list(whole.reference), *label_list(whole.candidate)} <= {0, 1}:  # else not read twice
        refuse_memberships(("the reference", u), ("the candidate", v), is_stored=True)
    agreed = {**counted.conventions, **({} if conventions.where is None else {"where": "mask"})}
    if conventions.noise is not None:
        policy: Any = {conventions.noise: conventions.noise_as}
        conventions = replace(
            conventions, noise=None, noise_as=None, reference_noise=policy, candidate_noise=policy
        )
    if conventions.treats_labels:
        counted = with_noise(counted.counts.table, conventions, agreed, counted.audit)
    else:
        counted = replace(counted, conventions=agreed)
    return replace(counted, are_pixels=len(u.shape) > 1)


def _array(side: PartitionData, what: str) -> Any:
    if isinstance(side, ChunkedPartition):
        return side.array
    if not isinstance(side, MemoryLabels) or side.noise is not None or side.named:
        raise InputError(
            f"{what} is {side!r}, and the other side is a chunked array; pass two arrays of the same "
            "shape, and pass the treatment of labels to compare()"
        )
    return side.elements.image(side.codes) if hasattr(side.elements, "image") else side.codes
