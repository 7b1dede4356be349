"""Covers in files: one row for each membership, brought into memory when they are compared."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import narwhals.stable.v2 as nw

from concordant.engines.tables import files, queries
from concordant.engines.tables.files import WantedColumns
from concordant.errors import LabelError
from concordant.partitions.cover import Cover, SourceCover
from concordant.partitions.labels import is_missing


def read_cover(cover: SourceCover, threads: int) -> Cover:
    """What the files hold. The rows are sorted, as engines give them in any order."""
    with ExitStack() as stack:
        (native,) = stack.enter_context(files.opened([WantedColumns(cover.source, cover.columns)], threads))
        frame = nw.from_native(native).lazy().select(*cover.columns).sort(*cover.columns)
        rows = queries.fetched([frame])
    clusters_of: dict[Any, list[Any]] = {}
    for record, cluster in rows:
        if is_missing(record):
            raise LabelError(
                f"{cover.source}: {cover.columns[0]!r} is null in a row whose {cover.columns[1]!r} is "
                f"{cluster!r}; name the record or leave out the row"
            )
        held = clusters_of.setdefault(record, [])
        if not is_missing(cluster):
            held.append(cluster)
    return Cover.from_mapping(
        clusters_of, elements=cover.named, unclustered=cover.unclustered, what=str(cover.source)
    )
