"""Gates: numbers that a result has to reach, or the exit status is 1.

A gate reads the rows of a result: the column ``index`` names the number, ``value``, ``low`` and ``high`` are
its sizes, and the columns that name things, such as ``candidate`` or ``cluster``, name the row. In a wide
table, each column of numbers is one number; if it also has an index, the column is the name. Rows of a
``kind``, such as splits, are counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from concordant.errors import ParameterError, did_you_mean
from concordant.foundation.results import Result
from concordant.indices.values import IndexAttributes

GATE = "[NAME:]INDEX=VALUE"
NO_INTERVALS = "a command that has them, such as compare"  # for commands whose numbers have none

# The columns that name the row of a table.
_NAMING = ("record", "cluster", "slice", "clustering", "reference", "candidate", "before", "after", "side")
_USUAL = ("before", "after")  # the columns that count if a row has several numbers
_USUAL_KIND = "f1"  # that counts if an index has several kinds
_BOUNDS = ("low", "high")
_SHOWN = 20  # problems of one gate


@dataclass(frozen=True, slots=True)
class Gate:
    """One limit of ``--fail-under`` or ``--fail-over``."""

    text: str
    side: Literal["under", "over"]
    index: str
    limit: float
    name: str | None = None  # of the row; None: every row has to pass
    bound: str = "value"

    @classmethod
    def of(
        cls,
        text: str,
        side: Literal["under", "over"],
        find: Callable[[str], Any],
        names: Sequence[str] | None = None,
        *,
        needs: str = "",
    ) -> Self:
        """The gate that an option describes; raises if nothing could pass it.

        ``needs`` is the option without which there are no intervals.
        """
        what, _, number = text.rpartition("=")
        name, _, spelling = what.rpartition(":")
        stem, _, bound = spelling.rpartition(".")
        spelling, bound = (stem, bound) if stem and bound in _BOUNDS else (spelling, "value")
        try:
            limit = float(number)
        except ValueError:
            limit = math.nan
        if not spelling or math.isnan(limit):
            raise ParameterError(f"--fail-{side} {text!r}: write it like --fail-{side} INDEX=0.95")
        if name and names is not None and name not in names:
            near = did_you_mean(name, names) or f"; there are {', '.join(names)}"
            raise ParameterError(f"--fail-{side} {text!r}: there is no row {name!r}{near}")
        if needs and bound != "value":
            raise ParameterError(f"--fail-{side} {text!r}: there are no intervals; this needs {needs}")
        index = find(spelling)
        if not isinstance(index, str):
            _check_range(index, text, side, spelling, limit)
        return cls(text, side, getattr(index, "name", index), limit, name or None, bound)

    def missed(self, results: Sequence[Result]) -> list[str]:
        """The problems: numbers beyond the limit, or undefined. The first result that has them counts.

        Raises if none has them.
        """
        if getattr(results[0], "size", 1) == 0:
            return [f"there is nothing to compare (n=0), so {self.index} cannot meet its limit"]
        for result in results:
            rows = [row for row in self._rows(result) if self.name is None or self.name in row[0]]
            if self.bound != "value":  # a baseline has no interval, nor has a clustering with itself
                rows = [row for row in rows if row[1] is not None]
            if rows:
                return [problem for names, value in rows if (problem := self._problem(names, value))][:_SHOWN]
        if isinstance(results[0], IndexAttributes) and self.name is None and self.bound == "value":
            _ = results[0][self.index]  # raises, with the reason why it is not there
        row = "" if self.name is None else f" of {self.name!r}"
        raise ParameterError(f"{self.spelling}: the result has no {self._what}{row}")

    def _rows(self, result: Result) -> Iterator[tuple[tuple[str, ...], Any]]:
        """Each number of that name in a result, with the names of its row."""
        if isinstance(result, IndexAttributes):
            found = result[self.index] if self.name is None and self.index in result else None
            if isinstance(found, int | float) and self.bound == "value":
                yield (), found
            elif hasattr(found, self.bound):
                yield (), getattr(found, self.bound)
            return
        counted = None
        for row in _rows_of(result):
            index, kind = row.get("index"), row.get("kind")
            names = tuple(str(row[column]) for column in _NAMING if row.get(column) is not None)
            if index == self.index and "value" not in row:  # several numbers of one index
                yield from self._numbers_of_row(row)
            elif index == self.index and self.bound in row:
                if kind in (None, self.name or _USUAL_KIND):
                    yield (*names, kind) if kind and self.name else names, row[self.bound]
            elif index is None and self._column in self._columns_of_number(row):
                yield names, row[self._column]
            elif index is None and kind is not None:
                counted = (counted or 0) + (kind == self.index and self.name in (None, *names))
        if counted is not None:
            yield () if self.name is None else (self.name,), counted

    def _numbers_of_row(self, row: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
        """The numbers of a row with several, such as before and after; intervals are of the difference."""
        if self.bound != "value":
            yield ("difference",), row.get(self.bound)
        elif self.name is None:
            yield from (((column,), row[column]) for column in _USUAL if column in row)
        elif isinstance(row.get(self.name), float):
            yield (self.name,), row[self.name]

    @property
    def spelling(self) -> str:
        """The option, as a person writes it."""
        return f"--fail-{self.side} {self.text}"

    @property
    def _what(self) -> str:
        """The number, as a person names it."""
        return self.index if self.bound == "value" else f"{self.index}.{self.bound}"

    @property
    def _column(self) -> str:
        """The column of a wide table that has the number."""
        return self.index if self.bound == "value" else self.bound

    def _columns_of_number(self, row: Mapping[str, Any]) -> Sequence[str]:
        """The column of a number, and those beside it, which may be its bounds."""
        columns = [*row]
        return columns[columns.index(self.index) :][:3] if self.index in row else ()

    def _problem(self, names: tuple[str, ...], value: Any) -> str | None:
        what = f"{self._what} ({', '.join(names)})" if names else self._what
        if value is None or math.isnan(value):
            return f"{what} is undefined, so it cannot meet its limit {self.limit!r}"
        if value >= self.limit if self.side == "under" else value <= self.limit:
            return None
        extent = "least" if self.side == "under" else "most"
        return f"{what} is {value!r}; it should be at {extent} {self.limit!r}"


def _rows_of(result: Result) -> Iterator[Mapping[str, Any]]:
    """The rows of a result, and the numbers about the whole of it."""
    yield from result._rows()
    yield {name: value for name, value in result.to_dict().items() if isinstance(value, int | float)}


def _check_range(index: Any, text: str, side: Literal["under", "over"], name: str, limit: float) -> None:
    """Refuse a limit that no value can pass, or on the side that is better."""
    best = index.range[side == "under"]
    if isinstance(best, (int, float)) and (limit > best if side == "under" else limit < best):
        raise ParameterError(
            f"--fail-{side} {text}: no comparison can pass: the range of {index.name} is {index.range_text}"
        )
    wrong = "distance" if side == "under" else "similarity"
    if index.direction == wrong:
        other, extent = ("over", "smaller") if side == "under" else ("under", "larger")
        raise ParameterError(
            f"--fail-{side} {text}: {name} is a {wrong}, so {extent} is better; use --fail-{other}"
        )
