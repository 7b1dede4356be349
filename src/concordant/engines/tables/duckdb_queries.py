"""Queries of DuckDB that narwhals has no words for.

A relation belongs to a connection, and everything here is done through the relation, so a user's connection
works like ours. Temporary tables are always dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import or_
from typing import Any
from uuid import uuid4

from concordant.sources import execution
from concordant.sources.duckdb_files import INTEGERS

NUMBERS = INTEGERS.keys() | {"FLOAT", "DOUBLE"}  # the types that arrays have


@contextmanager
def counted(pairs: Any, keys: list[str]) -> Iterator[Any]:
    """How often each combination of the keys occurs, in a temporary table of the connection."""
    name = f"concordant_{uuid4().hex}"
    narrow = ", ".join("absent::TINYINT AS absent" if key == "absent" else key for key in keys)
    query = f"CREATE TEMP TABLE {name} AS SELECT {narrow}, count(*) AS n FROM cells GROUP BY ALL"  # noqa: S608  (names of ours)
    execution.run(lambda: pairs.query("cells", query))
    try:
        yield pairs.query("cells", f"SELECT * FROM {name}")  # noqa: S608  (a name of ours)
    finally:
        pairs.query("cells", f"DROP TABLE {name}")


def with_labels(records: Any, wanted: Mapping[str, Sequence[Any]]) -> Any:
    """The records that have one of these labels in each column; a label may be a time as DuckDB writes it.

    None is the label of records in no cluster.
    """
    from duckdb import ColumnExpression, ConstantExpression

    for column, labels in wanted.items():
        known = [ConstantExpression(label) for label in labels if label is not None]
        is_chosen = [ColumnExpression(column).isin(*known)] if known else []
        is_chosen += [ColumnExpression(column).isnull()] if None in labels else []
        records = records.filter(reduce(or_, is_chosen))
    return records


def few_of_each(records: Any, keys: str, each: int) -> Any:
    """Up to ``each`` records r for each combination of labels, such as "u, v"; always the same ones."""
    query = f"SELECT {keys}, unnest(min(r, {each:d})) AS r FROM records GROUP BY {keys}"  # noqa: S608  (ours, and a number)
    return records.query("records", query)
