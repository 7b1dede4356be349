"""Lists of small things that are made only when somebody looks, and that become tables."""

from __future__ import annotations

import html
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from concordant.errors import MissingExtraError, ParameterError

Item = TypeVar("Item")

_PAGE = 100  # as many items as are made at once
_SHOWN = 20  # as many rows as a notebook or a terminal shows
_LONGEST = 40  # characters of a label
_LABELS = frozenset({"label", "partner", "record", "reference", "candidate"})  # numbers there are names


class Listing(Sequence[Item]):
    """A list of dataclasses, worst or largest first, that also becomes a dataframe.

    Behaves as a list: index it, slice it, compare it with one. Items are made when they are asked for.
    """

    def __init__(self, length: int, total: int) -> None:
        self._length = length
        self.total = total  # as many as there are in all
        self._made: tuple[int, list[Item]] | None = None  # a page and what is on it

    @abstractmethod
    def _make(self, start: int, stop: int) -> list[Item]:
        """The items from start to stop."""

    @property
    def left_out(self) -> int:
        """How many there are beyond those listed."""
        return self.total - self._length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, which: int) -> Item: ...
    @overload
    def __getitem__(self, which: slice) -> list[Item]: ...
    def __getitem__(self, which: int | slice) -> Item | list[Item]:
        if isinstance(which, slice):
            return [self._at(i) for i in range(*which.indices(self._length))]
        if not -self._length <= which < self._length:
            raise IndexError(f"item {which} of a list of {self._length}")
        return self._at(which % self._length)

    def __iter__(self) -> Iterator[Item]:
        return (self._at(i) for i in range(self._length))

    def _at(self, position: int) -> Item:
        page, place = divmod(position, _PAGE)
        if self._made is None or self._made[0] != page:
            start = page * _PAGE
            self._made = (page, self._make(start, min(start + _PAGE, self._length)))
        return self._made[1][place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Listing | list):
            return NotImplemented
        return len(self) == len(other) and all(x == y for x, y in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as for a list

    def __repr__(self) -> str:
        more = f", and {self._length - _PAGE:,} more" if self._length > _PAGE else ""
        return f"[{', '.join(map(repr, self[:_PAGE]))}{more}]"

    def _row(self, item: Item) -> dict[str, Any]:
        """The item as a row of a table."""
        return {field.name: getattr(item, field.name) for field in fields(item)}  # type: ignore[arg-type]  # items are dataclasses

    def _title(self) -> str:
        return ""

    def to_frame(self, backend: Any = None) -> Any:
        """A list of dicts, or a dataframe of your own kind: "pandas", "polars", "pyarrow", or the module.

        Labels that are not all of one type become text there, since a column has one type; so do tuples
        and numbers beyond 64 bits.
        """
        rows = [self._row(item) for item in self]
        if backend is None:
            return rows
        names = rows[0] if rows else self._names()
        return as_frame({name: [row[name] for row in rows] for name in names}, backend)

    @abstractmethod
    def _names(self) -> Sequence[str]:
        """The columns of the table."""

    def __str__(self) -> str:
        rows = [[_shown(*cell) for cell in self._row(item).items()] for item in self[:_SHOWN]]
        head = list(self._names())
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        lines = [self._title(), *(_line(row, widths) for row in [head, *rows]), *self._rest()]
        return "\n".join(line for line in lines if line)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._names())
        body = "".join(_html_row(self._row(item).items()) for item in self[:_SHOWN])
        title, rest = html.escape(self._title()), html.escape(" ".join(self._rest()))
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<div><p>{title}</p>{table}<p><small>{rest}</small></p></div>"

    def _rest(self) -> list[str]:
        more = self.total - min(self._length, _SHOWN)
        return [f"and {more:,} more"] if more else []


def check_largest(largest: Any) -> int | None:
    """How many items to list, None for all; refuse a number that is none."""
    if largest is None:
        return None
    if not isinstance(largest, int | np.integer) or isinstance(largest, bool) or largest < 0:
        raise ParameterError(f"largest={largest!r}: say how many to list, or None for all")
    return int(largest)


def largest_of(keys: NDArray[Any], count: int | None) -> NDArray[np.int64]:
    """Positions of the largest keys, largest first; equal ones in their order."""
    if count is None or count >= len(keys) or keys.dtype == object:
        return np.argsort(-keys, kind="stable")[:count].astype(np.int64)
    if not count:
        return np.zeros(0, dtype=np.int64)
    last = np.partition(keys, len(keys) - count)[len(keys) - count]
    within = np.flatnonzero(keys >= last)
    return within[np.argsort(-keys[within], kind="stable")[:count]]


def name(label: Any) -> str:
    """A label as people read it, short and on one line; records that one side lacks have none there."""
    if label is None:
        return "(in no cluster)"
    return _cut(repr(label))


def _shown(column: str, value: Any) -> str:
    """A value of a table as people read it."""
    if column not in _LABELS and isinstance(value, int | float):
        return f"{value:.4f}" if isinstance(value, float) else f"{value:,}"
    # Letters that would break the line or turn the direction of writing are shown by their codes.
    return _cut(value) if isinstance(value, str) and value.isprintable() else name(value)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(text.rjust(width) for text, width in zip(cells, widths, strict=True))


def _html_row(row: Iterable[tuple[str, Any]]) -> str:
    cells = "".join(f'<td style="text-align:right">{html.escape(_shown(*cell))}</td>' for cell in row)
    return f"<tr>{cells}</tr>"


def as_frame(columns: Mapping[str, list[Any]], backend: Any) -> Any:
    """Columns as a dataframe of the kind that ``backend`` names, or that the module is of."""
    from narwhals.stable import v2 as narwhals  # here, so that importing concordant stays light

    columns = {key: _of_one_type(values) for key, values in columns.items()}
    try:
        return narwhals.from_dict(columns, backend=backend).to_native()
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"to_frame(backend={backend!r}) needs {error.name}, which is not installed"
        ) from error
    except ValueError as error:
        raise ParameterError(f"backend={backend!r}: use 'pandas', 'polars' or 'pyarrow' ({error})") from error


def _of_one_type(values: list[Any]) -> list[Any]:
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) <= 1 and all(map(_fits, values)):
        return values
    return [value if value is None else _text(value) for value in values]


def _fits(value: Any) -> bool:
    """Whether columns of all dataframe libraries hold it as it is."""
    if isinstance(value, str):
        return value.isascii() or _text(value) == value
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return not isinstance(value, tuple | frozenset)  # they may hold anything


def _text(value: Any) -> str:
    """Half a surrogate pair is no text that can be stored, and is spelled out."""
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")
