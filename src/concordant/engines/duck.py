"""DuckDB: its own plan for the sizes of clusters, and connections of our own that read files.

A relation belongs to a connection, and everything here is done through the relation, so that a
person's own connection works like ours. Temporary tables are dropped whatever happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from concordant.engines import watching

# Only clusters in several cells have to be joined back: the others are as large as their one cell.
_SIZES = "SELECT {key} AS {key}_of, sum(n)::BIGINT AS {size} FROM cells GROUP BY {key} HAVING count(*) > 1"

_SIZED = """
SELECT u, v, 0::BIGINT AS alone, n, coalesce(a, n) AS a, coalesce(b, n) AS b, 1::BIGINT AS count
FROM cells LEFT JOIN {rows} ON u = u_of LEFT JOIN {columns} ON v = v_of
"""


@contextmanager
def kept(relation: Any, sql: str = "SELECT * FROM cells") -> Iterator[Any]:
    """The result of a query over the relation, called cells in it, in a temporary table of its connection."""
    name = f"concordant_{uuid4().hex}"
    watching.run(lambda: relation.query("cells", f"CREATE TEMP TABLE {name} AS {sql}"))
    try:
        yield relation.query("cells", f"SELECT * FROM {name}")  # noqa: S608  (a name of ours)
    finally:
        relation.query("cells", f"DROP TABLE {name}")


@contextmanager
def counted(pairs: Any, keys: list[str]) -> Iterator[Any]:
    """How often each combination of the keys occurs."""
    names = ", ".join(keys)
    query = f"SELECT {names}, count(*) AS n FROM cells GROUP BY {names}"  # noqa: S608  (names of ours)
    with kept(pairs, query) as cells:
        yield cells


@contextmanager
def sized(cells: Any) -> Iterator[Any]:
    """Cells (u, v, n) with the sizes of their clusters, where no element stands alone by agreement."""
    with (
        kept(cells, _SIZES.format(key="u", size="a")) as rows,
        kept(cells, _SIZES.format(key="v", size="b")) as columns,
        kept(cells, _SIZED.format(rows=_table(rows), columns=_table(columns))) as result,
    ):
        yield result


def _table(relation: Any) -> str:
    """The relation as a part of another query."""
    return f"({relation.sql_query()})"
