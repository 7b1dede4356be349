"""DuckDB: its own plan for the sizes of clusters, and connections of our own that read files.

A relation belongs to a connection, and everything here is done through the relation, so a user's connection
works like ours. Temporary tables are always dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from concordant.sources import execution
from concordant.sources.duckdb_files import INTEGERS, identifier
from concordant.sources.values import TIMES, from_text

NUMBERS = INTEGERS.keys() | {"FLOAT", "DOUBLE"}  # the types that arrays have

# Only clusters in several cells have to be joined back: the others are as large as their one cell.
_SIZES = "SELECT {key} AS {key}_of, sum(n)::BIGINT AS {size} FROM cells GROUP BY {key} HAVING count(*) > 1"

_TANGLED = """
SELECT u, v, n, coalesce(a, n) AS a, coalesce(b, n) AS b
FROM cells LEFT JOIN {rows} ON u = u_of LEFT JOIN {columns} ON v = v_of WHERE a IS NOT NULL OR b IS NOT NULL
"""

# Cells that are a whole cluster of both sides are described by their size alone: all cells minus the
# many-to-many ones.
_WHOLE = """
SELECT n, sum(count)::BIGINT AS count FROM (
    SELECT n, count(*) AS count FROM cells GROUP BY n
    UNION ALL SELECT n, -count(*) FROM {tangled} GROUP BY n)
GROUP BY n HAVING sum(count) > 0
"""

_SIZED = """
SELECT u, v, 0::BIGINT AS alone, n, a, b, 1::BIGINT AS count FROM {tangled}
UNION ALL SELECT NULL, NULL, 0, n, n, n, count FROM {whole}
"""


@contextmanager
def kept(relation: Any, sql: str = "SELECT * FROM cells") -> Iterator[Any]:
    """The result of a query over the relation, called cells in it, in a temporary table of its connection."""
    name = f"concordant_{uuid4().hex}"
    execution.run(lambda: relation.query("cells", f"CREATE TEMP TABLE {name} AS {sql}"))
    try:
        yield relation.query("cells", f"SELECT * FROM {name}")  # noqa: S608  (a name of ours)
    finally:
        relation.query("cells", f"DROP TABLE {name}")


@contextmanager
def counted(pairs: Any, keys: list[str]) -> Iterator[Any]:
    """How often each combination of the keys occurs."""
    narrow = ", ".join("absent::TINYINT AS absent" if key == "absent" else key for key in keys)
    query = f"SELECT {narrow}, count(*) AS n FROM cells GROUP BY ALL"  # noqa: S608  (names of ours)
    with kept(pairs, query) as cells:
        yield cells


@contextmanager
def sized(cells: Any) -> Iterator[Any]:
    """Cells (u, v, n) with the sizes of their clusters, without singletons by convention.

    Cells that are a whole cluster of both sides come without labels, one row for all of the same size.
    """
    with (
        kept(cells, _SIZES.format(key="u", size="a")) as rows,
        kept(cells, _SIZES.format(key="v", size="b")) as columns,
        kept(cells, _TANGLED.format(rows=_table(rows), columns=_table(columns))) as tangled,
        kept(cells, _WHOLE.format(tangled=_table(tangled))) as whole,
    ):
        yield cells.query("cells", _SIZED.format(tangled=_table(tangled), whole=_table(whole)))


def with_labels(records: Any, wanted: Mapping[str, Sequence[Any]]) -> Any:
    """The records that have one of these labels in each column; a label may be a time as DuckDB writes it."""
    from duckdb import ColumnExpression, ConstantExpression

    for column, labels in wanted.items():
        records = records.filter(ColumnExpression(column).isin(*map(ConstantExpression, labels)))
    return records


def few_of_each(records: Any, keys: str, each: int) -> Any:
    """Up to ``each`` records r for each combination of labels, such as "u, v"; always the same ones."""
    query = f"SELECT {keys}, unnest(min(r, {each:d})) AS r FROM records GROUP BY {keys}"  # noqa: S608  (ours, and a number)
    return records.query("records", query)


def fetched(relation: Any) -> list[tuple[Any, ...]]:
    """The rows of a small relation. Times come as text: DuckDB would round them, and needs pytz for zones."""
    kinds = {name: str(kind) for name, kind in zip(relation.columns, relation.types, strict=True)}
    if TIMES.isdisjoint(kinds.values()):
        return list(execution.run(relation.fetchall))
    columns = [identifier(name) + ("::VARCHAR" if kind in TIMES else "") for name, kind in kinds.items()]
    rows = execution.run(relation.project(", ".join(columns)).fetchall)
    return [
        tuple(
            from_text(kind, value) if kind in TIMES and value is not None else value
            for kind, value in zip(kinds.values(), row, strict=True)
        )
        for row in rows
    ]


def _table(relation: Any) -> str:
    """The relation as a part of another query."""
    return f"({relation.sql_query()})"
