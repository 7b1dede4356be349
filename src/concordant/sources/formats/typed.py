"""Formats whose columns have types: a query names the files as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from concordant.errors import FileError
from concordant.sources.descriptions import Files, no_column
from concordant.sources.duckdb_files import INTEGERS, identifier
from concordant.sources.formats.reader import Preview, Reader
from concordant.sources.values import fetched


class TypedReader(Reader):
    """Reads a format if it defines ``table``."""

    def table(self, connection: Any, paths: Sequence[str]) -> str:
        """The files as a table of a query."""
        self._refuse_reading(", ".join(paths))

    def preview(self, connection: Any, path: str) -> Preview:
        types = self._types(connection, path)
        rows = fetched(self._read(connection, [([path], types)]).limit(1))
        return list(types), list(types.values()), next(iter(rows), ())

    def relation(self, connection: Any, paths: Sequence[str], columns: Sequence[str], source: Files) -> Any:
        types = {path: self._types(connection, path) for path in paths}
        for path in paths:
            self.check_types(connection, path, {name: types[path].get(name, "") for name in columns})
        return self._read(connection, _by_types(types, columns))

    def check_types(self, connection: Any, path: str, types: Mapping[str, str]) -> None:
        """Refuse columns whose values DuckDB would change."""

    def _types(self, connection: Any, path: str) -> dict[str, str]:
        """The columns of a file with their types."""
        try:
            relation = connection.sql(f"SELECT * FROM {self.table(connection, [path])}")  # noqa: S608  (quoted)
            columns = relation.columns
        except (RuntimeError, UnicodeDecodeError):  # by the version of DuckDB
            raise FileError(f"{path} has a column whose name is not UTF-8 text; rename it") from None
        return dict(zip(columns, map(str, relation.types), strict=True))

    def _read(self, connection: Any, groups: Iterable[tuple[list[str], Mapping[str, str]]]) -> Any:
        """One relation; each group of files comes with the types to read its columns as.

        Integers alone are cast, since the other types of a group are those of its files.
        """
        selects = []
        for paths, types in groups:
            columns = [
                f"{identifier(name)}::{kind} AS {identifier(name)}" if kind in INTEGERS else identifier(name)
                for name, kind in types.items()
            ]
            selects.append(f"SELECT {', '.join(columns)} FROM {self.table(connection, paths)}")  # noqa: S608  (quoted)
        return connection.sql(" UNION ALL ".join(selects))


def _by_types(
    types: Mapping[str, Mapping[str, str]], columns: Sequence[str]
) -> list[tuple[list[str], dict[str, str]]]:
    """The files grouped by the types of their columns, each group with the types to read them as."""
    common = {}
    for name in columns:
        found: dict[str, str] = {}
        for path, kinds in types.items():
            if name not in kinds:
                raise no_column(path, name, list(kinds))
            found.setdefault(kinds[name], path)
        widest = next(iter(found)) if len(found) == 1 else _widest(set(found))
        if widest is None:
            stated = " and ".join(f"{kind} in {path}" for kind, path in list(found.items())[:2])
            raise FileError(
                f"several files are read as one table, but {name!r} is {stated}; write it with one type "
                "(integers alone may be of different widths)"
            )
        common[name] = widest
    groups: dict[tuple[str, ...], list[str]] = {}
    for path, kinds in types.items():
        groups.setdefault(tuple(kinds[name] for name in columns), []).append(path)
    return [(paths, common) for paths in groups.values()]


def _widest(kinds: set[str]) -> str | None:
    """The narrowest integer type that holds them all, or None.

    >>> _widest({"TINYINT", "UINTEGER"}), _widest({"BIGINT", "VARCHAR"})
    ('BIGINT', None)
    """
    if not kinds <= INTEGERS.keys():
        return None
    given = [INTEGERS[kind] for kind in kinds]
    signed = any(sign for sign, _ in given)
    bits = max(width * 2 if signed and not sign else width for sign, width in given)
    fitting = [kind for kind, (sign, width) in INTEGERS.items() if sign == signed and width >= bits]
    return min(fitting, key=lambda kind: INTEGERS[kind][1], default=None)
