"""Lists of small items that are made only on access, and that convert to dataframes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from concordant.counts.contingency import label_order, label_places
from concordant.counts.overlaps import largest_first
from concordant.errors import ParameterError
from concordant.foundation.results import Field, Listing, Result, value_text
from concordant.foundation.spelling import NOT_NAMED, printable, quoted
from concordant.foundation.text_layout import shortened
from concordant.maths.arithmetic import Floats

Item = TypeVar("Item")

_BITS = 44  # of floats that decide the order
_SHOWN = 20  # as many rows as a notebook or a terminal shows
_LONGEST = 40  # characters of a value
_LABELS = frozenset({"cluster", "partner", "reference", "candidate", "before", "after"})
# Whole numbers in these columns are names.
_NAMES = _LABELS | {"record", "other", "source", "target", "record_a", "record_b", "slice"}
_REQUIRED = _LABELS - {"partner"}  # None means in no cluster; elsewhere it means absent


class LazyList(Result, Sequence[Item]):
    """A list whose items are created on demand, the most important first.

    It behaves like a list: you can index it, slice it and compare it with a list. `to_frame` converts it to
    a dataframe.

    Attributes
    ----------
    total : int
        Number of items, including those that are not listed.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from functools import partial
    >>> shares = LazyList([2, 4], partial(Fraction, 1), columns=["numerator", "denominator"], total=9)
    >>> shares[1], shares.omitted, shares.to_dict()["rows"][0]
    (Fraction(1, 4), 7, {'numerator': 1, 'denominator': 2})
    """

    total: int
    _places: Sequence[Any] | NDArray[Any]
    _make_one: Callable[[Any], Item] | None
    _range: range  # the places that are listed: all, or those of a slice
    _heading: str
    _made: tuple[int, list[Item]] | None  # a page and what is on it
    _origin: Result | None = None  # the report that describes the list in JSON
    _columns: Sequence[str] = ()  # of the dataframe
    _page = 100  # number of items made together

    def __init__(
        self,
        places: Sequence[Any] | NDArray[Any],
        make: Callable[[Any], Item] | None = None,
        *,
        columns: Sequence[str] | None = None,
        total: int | None = None,
        title: str = "",
        origin: Result | None = None,
    ) -> None:
        length = len(places)
        own = {} if columns is None else {"_columns": columns}
        vars(self).update(
            _places=places,
            _make_one=make,
            _range=range(length),
            _heading=title,
            _made=None,
            _origin=origin,
            total=length if total is None else total,
            **own,
        )

    def _make(self, start: int, stop: int) -> list[Item]:
        """The items from start to stop."""
        places = self._places[start:stop]
        listed = places.tolist() if isinstance(places, np.ndarray) else list(places)
        return listed if self._make_one is None else [self._make_one(place) for place in listed]

    @property
    def omitted(self) -> int:
        """The number of items that are not listed."""
        return self.total - len(self._range)

    def __len__(self) -> int:
        return len(self._range)

    @overload
    def __getitem__(self, which: int) -> Item: ...
    @overload
    def __getitem__(self, which: slice) -> Self: ...
    def __getitem__(self, which: int | slice) -> Item | Self:
        if isinstance(which, slice):
            part = object.__new__(type(self))
            vars(part).update(vars(self), _range=self._range[which])
            return part
        try:
            return self._at(self._range[which])
        except IndexError:
            raise IndexError(f"item {which} of a list of {len(self)}") from None

    def __iter__(self) -> Iterator[Item]:
        return map(self._at, self._range)

    def _at(self, position: int) -> Item:
        page, place = divmod(position, self._page)
        made = self._made  # read once: another thread may replace the page
        if made is None or made[0] != page:
            start = page * self._page
            made = (page, self._make(start, min(start + self._page, len(self._places))))
            vars(self)["_made"] = made
        return made[1][place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LazyList | list):
            return NotImplemented
        return len(self) == len(other) and all(x == y for x, y in zip(self, other, strict=True))

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # as for a list

    def __repr__(self) -> str:
        more = f", and {len(self) - self._page:,} more" if len(self) > self._page else ""
        return f"[{', '.join(map(repr, self[: self._page]))}{more}]"

    def __getstate__(self) -> dict[str, Any]:
        """What pickle stores: items instead of the function that makes them, which may be a local one."""
        if self._make_one is None:
            return vars(self)
        made = [self._at(i) for i in range(len(self._places))]
        return vars(self) | {"_places": made, "_make_one": None, "_made": None}

    def _described(self) -> Mapping[str, Any]:
        own = super()._described()
        return own if self._origin is None else {**self._origin._described(), "headline": self.headline}

    # Whether no labels remain in a source, so a cluster without a label is a record in no cluster.
    _labels_are_complete = False

    def _row(self, item: Item) -> dict[str, Any]:
        """The item as a row of a dataframe."""
        return {name: getattr(item, name) for name in self._names()}

    def to_dict(self) -> dict[str, Any]:
        """Return the total number of items, and one row for each listed item.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).matching().to_dict()["total"]
        2
        """
        return {"total": self.total, "rows": self._rows()}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [self._row(item) for item in self[:limit]]

    def _names(self) -> Sequence[str]:
        return self._columns

    def _title(self) -> str:
        return self._heading or super()._title()

    def _total(self) -> int:
        return self.total

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        rows, total = self._rows(limit), self._total()
        if not self._labels_are_complete and "record" not in self._names():
            rows = [_with_unnamed(row) for row in rows]
        columns = [
            Field(name, name, _label_text, is_label=name in _REQUIRED)
            if name in _NAMES
            else Field(name, name, _cell_text)
            for name in self._names()
        ]
        return [Listing(rows, columns, total=len(rows) if limit is None else total)]


def _with_unnamed(row: dict[str, Any]) -> dict[str, Any]:
    """A row without any label is a cluster of both sides that was not named."""
    names = row.keys() & _LABELS
    is_unnamed = all(row[name] is None for name in names)
    return {**row, **dict.fromkeys(names, NOT_NAMED)} if is_unnamed else row


def _label_text(value: Any) -> str:
    return shortened(printable(value), _LONGEST) if isinstance(value, str) else quoted(value)


def _cell_text(value: Any) -> str:
    return value_text(value) if isinstance(value, int | float) else _label_text(value)


class _RecordsOfCells(LazyList[Item]):
    """The records of some cells, cell by cell; from sources, one query fetches those of a page."""

    def __init__(
        self,
        cells: NDArray[np.int64],
        sizes: NDArray[Any],  # the number of records of every cell
        find: Callable[[Sequence[int], int], list[tuple[Any, ...]]],  # up to this many records of each cell
        make_record: Callable[[int, Any], Item],  # from a cell and the name of a record in it
        limit: int | None,
        *,
        columns: Sequence[str],
        title: str = "",
    ) -> None:
        limit, total = check_limit(limit), int(sizes[cells].sum())
        self._ends = np.cumsum(sizes[cells])
        self._listed, self._find, self._make_record = cells, find, make_record
        length = total if limit is None else min(limit, total)
        super().__init__(range(length), columns=columns, total=total, title=title)

    def _make(self, start: int, stop: int) -> list[Item]:
        first, last = np.searchsorted(self._ends, [start, max(stop - 1, start)], side="right").tolist()
        cells = self._listed[first : last + 1].tolist()
        begin = int(self._ends[first - 1]) if first else 0
        found = self._find(cells, stop - begin)
        rows = [
            self._make_record(cell, record)
            for cell, records in zip(cells, found, strict=True)
            for record in records
        ]
        return rows[start - begin : stop - begin]


def field_names(item: type) -> tuple[str, ...]:
    """The fields of a dataclass, as columns."""
    return tuple(field.name for field in fields(item))


def check_limit(limit: Any) -> int | None:
    """How many items to list, None for all; refuse anything else."""
    if limit is None:
        return None
    if not isinstance(limit, int | np.integer) or isinstance(limit, bool) or limit < 0:
        raise ParameterError(f"limit={limit!r}: pass the number to list, or None for all")
    return int(limit)


def first_label(labels: Sequence[Any]) -> Any:
    """The first of some labels in their order, or in that of their text if they have none."""
    try:
        return min(labels, key=label_order)
    except TypeError:
        return min(labels, key=repr)


def largest_by_label(keys: NDArray[Any], count: int | None, label: Callable[[int], Any]) -> NDArray[np.int64]:
    """Positions of the largest keys, largest first; ties have the order of their labels.

    So the list does not depend on the order in which an engine numbers clusters. Floats that differ in the
    last digits are equal, and too many ties to sort keep their order.
    """
    if keys.dtype.kind == "f":
        keys = _without_last_digits(keys)
    return largest_of(keys, count, lambda places: [label_places(places, label)])


def all_largest(values: Sequence[float] | Floats) -> list[int]:
    """Positions of the largest value; floats that differ in the last digits are equal, and NaN is none.

    >>> all_largest([0.3, 0.1 + 0.2, float("nan"), 0.2])
    [0, 1]
    """
    keys = _without_last_digits(np.asarray(values, dtype=np.float64))
    return np.flatnonzero((keys == keys.max(initial=-np.inf)) & ~np.isnan(values)).tolist()


def _without_last_digits(keys: Floats) -> Floats:
    """The keys with fewer digits; NaN becomes less than all others."""
    mantissa, exponent = np.frexp(keys)
    rounded: Floats = np.nan_to_num(np.ldexp(np.rint(mantissa * 2.0**_BITS), exponent - _BITS), nan=-np.inf)
    return rounded


def largest_of(
    keys: NDArray[Any], count: int | None, ties: Callable[[NDArray[np.int64]], Sequence[Any]] | None = None
) -> NDArray[np.int64]:
    """Positions of the largest keys, largest first; ties keep their order, or that of other sort keys."""
    if ties is not None:
        first = largest_of(keys, count)
        within = np.flatnonzero(keys >= keys[first[-1]]) if len(first) else first
        group = np.zeros_like(within)
        order, _ = largest_first(group, keys[within], lambda places: ties(within[places]))
        return within[order][:count]
    if count is None or count >= len(keys) or keys.dtype == object:
        return np.argsort(-keys, kind="stable")[:count].astype(np.int64)
    if not count:
        return np.zeros(0, dtype=np.int64)
    last = np.partition(keys, len(keys) - count)[len(keys) - count]
    within = np.flatnonzero(keys >= last)
    return within[np.argsort(-keys[within], kind="stable")[:count]]
