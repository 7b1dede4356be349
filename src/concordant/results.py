"""Result: the base of everything that a question is answered with.

A subclass states its content as ``to_dict`` and as rows. Dataframe, JSON, text and notebook table follow.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from concordant.errors import MissingExtraError, ParameterError, did_you_mean

_LIBRARIES = ("pandas", "polars", "pyarrow")
_SHOWN = 20  # rows in a terminal and in a notebook


class Result:
    """A result as a dictionary, a dataframe, JSON, text and a notebook table.

    A dataclass needs nothing else: its public fields are one row. Others define ``to_dict`` and ``_rows``.
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The content by name."""
        if not is_dataclass(self):
            raise NotImplementedError
        return {each.name: getattr(self, each.name) for each in fields(self) if not each.name.startswith("_")}

    def to_frame(self, backend: Any = None) -> Any:
        """The rows as a dataframe.

        ``backend`` is "pandas", "polars", "pyarrow", "modin", or the module. Without it, the library that is
        imported already is used, else the first of pandas, Polars and PyArrow that is installed.
        """
        rows = self._rows()
        names = rows[0] if rows else self._names()
        return as_frame({name: [row[name] for row in rows] for name in names}, backend)

    def to_json(self, *, indent: int | None = 2) -> str:
        """The content as JSON. Values that are not finite become null."""
        return as_json(self.to_dict(), indent)

    def __str__(self) -> str:
        rows, names, rest = self._shown()
        cells = [list(names), *(self._texts(row) for row in rows)]
        return "\n".join(line for line in [self._title(), *text_columns(cells, left=0), rest] if line)

    def _repr_html_(self) -> str:
        import html  # this and the other imports inside functions are rarely needed

        rows, names, rest = self._shown()
        table = html_table([names, *(self._texts(row) for row in rows)])
        title, note = (html.escape(text) for text in (self._title(), rest))
        return f"<div><p>{title}</p>{table}<p><small>{note}</small></p></div>"

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """The rows of the dataframe, or the first of them."""
        return [self.to_dict()][:limit]

    def _names(self) -> Sequence[str]:
        """The columns of the dataframe; a subclass that may have no rows overrides this."""
        return list(self._rows(1)[0])

    def _title(self) -> str:
        """The line above the table."""
        return ""

    def _total(self) -> int:
        """The number of rows, also of those that are not listed."""
        return len(self._rows())

    def _texts(self, row: Mapping[str, Any]) -> list[str]:
        """A row as text and notebooks show it."""
        return [_cell(value) for value in row.values()]

    def _shown(self) -> tuple[list[dict[str, Any]], Sequence[str], str]:
        rows = self._rows(_SHOWN)[:_SHOWN]
        more = self._total() - len(rows)
        return rows, self._names(), f"and {more:,} more" if more else ""


def rounded(value: float, decimals: int = 4, perfect: float | None = 1.0) -> str:
    """A rounded value; but a value that only rounds to the perfect one is not shown as perfect.

    >>> rounded(0.99997), rounded(0.4774, 2), rounded(0.996, 2), rounded(0.002, 2, perfect=0)
    ('>0.9999', '0.48', '>0.99', '<0.01')
    """
    text = f"{value:,.{decimals}f}"
    if perfect is not None and text == f"{perfect:,.{decimals}f}":
        step = 10.0**-decimals
        if perfect > value > 0:
            return f">{perfect - step:,.{decimals}f}"
        if value > perfect == 0:
            return f"<{step:.{decimals}f}"
    return text if text.strip("-0.") else text.removeprefix("-")


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return rounded(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    text = str(value)
    return text if text.isprintable() else repr(text)[1:-1]  # controls could break or reverse a line


# -- JSON -------------------------------------------------------------------------------------------


def as_json(content: Any, indent: int | None = 2) -> str:
    """Content as JSON: values that are not finite become null, and labels of other types become strings.

    >>> as_json({"value": float("nan"), "sides": (1, 2)}, indent=None)
    '{"value": null, "sides": [1, 2]}'
    """
    import json

    return json.dumps(_plain(content), indent=indent, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if hasattr(value, "tolist"):  # arrays and scalars of NumPy
        return _plain(value.tolist())
    return str(value)


# -- tables -----------------------------------------------------------------------------------------


def text_columns(rows: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """One line per row. The first ``left`` columns are aligned to the left, the others to the right.

    >>> for line in text_columns([["", "clusters"], ["monday", "2"], ["sunday", "12"]]):
    ...     print(line)
            clusters
    monday         2
    sunday        12
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text.ljust(width) if place < left else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def html_table(rows: Iterable[Sequence[str]]) -> str:
    """A table of text whose first row is its head.

    >>> html_table([["", "n"], ["a<b", "2"]]).partition("<tbody>")[2]
    '<tr><td style="text-align:right">a&lt;b</td><td style="text-align:right">2</td></tr></tbody></table>'
    """
    import html

    head, *body = rows
    lines = (
        "".join(f'<td style="text-align:right">{html.escape(cell)}</td>' for cell in row) for row in body
    )
    titles = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
    body_rows = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body_rows}</tbody></table>"


# -- dataframes -------------------------------------------------------------------------------------


def as_frame(columns: Mapping[str, list[Any]], backend: Any = None) -> Any:
    """Columns as a dataframe; ``backend`` is the name of a library or its module, see ``Result.to_frame``."""
    from narwhals.stable import v2 as narwhals

    if backend is None:
        backend = _library()
    columns = {key: of_one_type(values) for key, values in columns.items()}
    try:
        return narwhals.from_dict(columns, backend=backend).to_native()
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"to_frame(backend={backend!r}) needs {error.name}, which is not installed"
        ) from error
    except (ValueError, TypeError, AttributeError) as error:
        near = did_you_mean(str(backend), [*_LIBRARIES, "modin"])
        raise ParameterError(
            f"use 'pandas', 'polars', 'pyarrow', 'modin', or the module of one of them{near}",
            given={"backend": backend},
        ) from error


def _library() -> str:
    """The dataframe library that is imported already, else the first that is installed."""
    from importlib.util import find_spec

    imported = (name for name in _LIBRARIES if sys.modules.get(name) is not None)
    installed = (name for name in _LIBRARIES if find_spec(name) is not None)
    found = next(imported, None) or next(installed, None)
    if found is None:
        raise MissingExtraError(
            "to_frame() needs a dataframe library and none is installed: install pandas, Polars or PyArrow, "
            "or use to_dict()"
        )
    return found


def of_one_type(values: list[Any]) -> list[Any]:
    """The values, as text if they are not all of one type that every dataframe library holds."""
    types = {type(value) for value in values if value is not None}
    if len(types) <= 1 and all(map(_fits, values)):
        return values
    return [value if value is None else _storable(value) for value in values]


def _fits(value: Any) -> bool:
    if isinstance(value, str):
        return value.isascii() or _storable(value) == value
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return not isinstance(value, tuple | frozenset)  # they may hold anything


def _storable(value: Any) -> str:
    """Text in which half a surrogate pair, which no library stores, is spelled out."""
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")
