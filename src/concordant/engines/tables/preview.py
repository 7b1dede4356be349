"""What stands in files, before they are counted: the columns, their types, and a first row."""

from __future__ import annotations

from typing import Any

from concordant.engines.tables import files
from concordant.partitions.sources import Files, TablePartition


def preview(source: Files) -> tuple[list[str], list[str], tuple[Any, ...]]:
    """The names and types of the columns, and the first row, empty where there is none."""
    with files.opened([TablePartition(source, None, "")], 0) as (frame,):
        if source.reader == "duckdb":
            names, kinds, rows = frame.columns, frame.types, frame.limit(1).fetchall()
        else:
            schema = frame.collect_schema()
            names, kinds, rows = schema.names(), schema.dtypes(), frame.head(1).collect().rows()
    return list(names), [str(kind) for kind in kinds], next(iter(rows), ())
