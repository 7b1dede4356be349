"""Result: the base class of all results.

A subclass defines its content with ``to_dict`` and as rows. Dataframes, JSON, text, and tables for
notebooks, Markdown and LaTeX are made from these.
"""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, is_dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache, cached_property, wraps
from pathlib import Path
from typing import Any, ClassVar, NoReturn, TypeVar

import numpy as np

from concordant.errors import MissingExtraError, ParameterError, ReadOnlyError, kind_of, nearest_first
from concordant.foundation.text_layout import fitted_columns, folded, line_width

Key = TypeVar("Key")
Value = TypeVar("Value")
ResultClass = TypeVar("ResultClass", bound=type)

_LIBRARIES = ("pandas", "polars", "pyarrow")
_SHOWN = 20  # rows in a terminal and in a notebook
_ON_PAGE = 1000
# Keys of JSON before the data.
_DESCRIPTION = ("signature", "headline", "size", "names", "omitted", "conventions")
_NOTED = 200  # characters below the table of a notebook before the rest is folded


class _Missing:
    """The default of an argument that may be anything, also None."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Any = _Missing()

TextRows = Sequence[Sequence[str]]  # a table as text; the first row is its head
Charts = Sequence[tuple[Any, Any]]  # a declared chart, and what it shows


def value_text(value: Any) -> str:
    """A value in a cell of a table.

    >>> [value_text(value) for value in (None, 1200, 0.99999, float("nan"), "a")]
    ['', '1,200', '>0.9999', '—', 'a']
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return "—" if math.isnan(value) else rounded(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    text = str(value)
    return text if text.isprintable() else repr(text)[1:-1]  # controls could break or reverse a line


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the rows that a listing shows: its name, its title, and how a value is written."""

    name: str
    title: str | None = None  # by default the name in words
    text: Callable[[Any], str] = value_text
    is_label: bool = False  # then None is a label, too: that of no cluster

    def shown(self, value: Any) -> str:
        """A value as text; empty if there is none."""
        is_known = not _is_absent(value) and not (isinstance(value, float) and math.isnan(value))
        return self.text(value) if self.is_label or is_known else value_text(value)

    @property
    def words(self) -> str:
        """The title above the column.

        >>> Field("n_clusters").words, Field("low", "lowest").words
        ('clusters', 'lowest')
        """
        return self.name.removeprefix("n_").replace("_", " ") if self.title is None else self.title


def interval_fields(confidence: float, text: Callable[[Any], str] = value_text) -> list[Field]:
    """The fields of both ends of an interval.

    >>> [field.words for field in interval_fields(0.95)]
    ['95% low', '95% high']
    """
    return [Field(end, f"{confidence * 100:g}% {end}", text) for end in ("low", "high")]


@dataclass(frozen=True, slots=True)
class DotPlot:
    """How a listing is drawn: a dot for the value of each row, and a bar between two ends."""

    name: str  # as plot() takes it
    title: str
    value: str  # its field
    interval: str = ""  # the meaning of the ends; empty without bars
    lead: str = ""  # more about dots and bars than the titles of the columns
    mark: float | None = None  # a value to compare all with, such as 0 of differences
    ends: tuple[str, str] = ("low", "high")  # their fields


@dataclass(frozen=True)
class Listing:
    """Rows of a result and their fields: text, notebook, page, Markdown, LaTeX and dot plot follow from it.

    A row is an object, a mapping, or a tuple in the order of the fields. A field without any value is
    omitted.

    >>> Listing([{"cluster": 1, "jaccard": 0.5, "low": None}], ["cluster", "jaccard", "low"]).texts()
    [['cluster', 'jaccard'], ['1', '0.5000']]
    """

    rows: Sequence[Any]
    fields: Sequence[Any]  # of type Field, or only their names
    _: KW_ONLY
    title: str = ""  # of its section on a page
    total: int | None = None  # the number of rows, also of those that are not listed
    rest: str = ""  # the line below, if it is not the number of other rows
    dots: DotPlot | None = None

    @cached_property
    def columns(self) -> list[tuple[Field, list[Any]]]:
        """The fields that have a value, with the values of all rows."""
        found = []
        for place, each in enumerate(self.fields):
            field = each if isinstance(each, Field) else Field(each)
            found.append((field, [_value_at(row, place, field.name) for row in self.rows]))
        return [each for each in found if not self.rows or not all(map(_is_absent, each[1]))]

    def values(self, name: str) -> list[Any]:
        """The values of a field."""
        place = [getattr(each, "name", each) for each in self.fields].index(name)
        return [_value_at(row, place, name) for row in self.rows]

    def texts(self, most: int | None = None) -> list[list[str]]:
        """The table as text, with no more rows than this unless they were selected."""
        most = None if self.rest else most
        columns = [[field.words, *map(field.shown, values[:most])] for field, values in self.columns]
        return [list(row) for row in zip(*columns, strict=True)]

    def below(self, listed: int) -> str:
        """The line below this many rows."""
        return self.rest or rest_words((len(self.rows) if self.total is None else self.total) - listed)


def rest_words(more: int) -> str:
    """The line below a list that leaves out this many items.

    >>> rest_words(1200), rest_words(0)
    ('and 1,200 more', '')
    """
    return f"and {more:,} more" if more > 0 else ""


def _value_at(row: Any, place: int, name: str) -> Any:
    if isinstance(row, Mapping):
        return row.get(name)
    return row[place] if isinstance(row, tuple | list) else getattr(row, name)


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value)


class Result:
    """The base class of results: as a dictionary, dataframe, JSON, text, or table for notebooks or papers."""

    # A dataclass needs no further code: its public fields form one row. Other subclasses define `to_dict`
    # and `_rows`, and `_listings` if tables differ from the dataframe. Text, notebook, page, Markdown, LaTeX
    # and dot plots follow from the listings. Results are read-only: `__init__` sets public attributes with
    # `vars(self).update(...)`.

    __slots__ = ()

    # How charts are drawn and pages are written: the package `report`, a layer above, which sets it.
    _report: ClassVar[Any]

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise self._read_only(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise self._read_only(name)

    def _read_only(self, name: str) -> ReadOnlyError:
        return ReadOnlyError(
            f"{name!r} cannot be set or deleted: {kind_of(self)} is read-only; to_dict() gives a copy to "
            "work with"
        )

    @property
    def headline(self) -> str:
        """The result in one sentence.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1], [0, 0, 1, 1]).headline
        'The candidate and the reference are identical'
        """
        return self._title().partition("\n")[0] or repr(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the content as a dictionary.

        Returns
        -------
        dict
            The content by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1], [0, 0, 1, 1]).significance("rand").to_dict()["p"]
        0.33333333333333337
        """
        if not is_dataclass(self):
            raise NotImplementedError
        public = [each.name for each in fields(self) if not each.name.startswith("_")]
        return {name: _changeable(getattr(self, name)) for name in public}

    def to_frame(self, backend: Any = None) -> Any:
        """Return the rows as a dataframe.

        Parameters
        ----------
        backend : str or module, optional
            The dataframe library: "pandas", "polars", "pyarrow" or "modin". By default, a library that you
            have imported, otherwise the first of pandas, Polars and PyArrow that is installed.

        Returns
        -------
        dataframe
            One row for each entry.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(list("aabb"), [0, 0, 0, 1]).changes().to_frame("polars").height
        1
        """
        return as_frame(self._frame_columns(), backend)

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the content as JSON: a description of the result, then `to_dict` as `data`.

        Parameters
        ----------
        indent : int or None, default=2
            Indentation. None writes one line.

        Returns
        -------
        str
            The JSON document. Values that are not finite are null.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1], [0, 0, 1, 1]).significance("rand").to_json(indent=None)[:37]
        '{"schema": "concordant.significance/1'
        """
        return self._json(self.to_dict(), indent)

    def _json(self, data: Any, indent: int | None) -> str:
        """The JSON of these data, after what describes the result."""
        if indent is not None and (not isinstance(indent, int) or indent < 0):
            raise ParameterError("use None or a number of spaces", given={"indent": indent})
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(self).__name__).lower()
        return json_document(name, self._described(), data, indent)

    def _described(self) -> Mapping[str, Any]:
        """The keys of JSON before the data: every report has all of them, others those they have."""
        kind, own = type(self), getattr(self, "__dict__", {})
        return {key: getattr(self, key) for key in _DESCRIPTION if hasattr(kind, key) or key in own}

    def to_metrics(self, *, prefix: str = "") -> dict[str, float]:
        """Return the numbers as a flat dictionary of floats, as trackers of experiments log them.

        Names of nested numbers are joined by slashes, and characters that MLflow rejects become underscores.

        Parameters
        ----------
        prefix : str, default=""
            Text before each name, for instance "test/".

        Returns
        -------
        dict from str to float
            The numbers of `to_dict` that are not in lists. Numbers that no float can hold are left out.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.diff([0, 0, 1, 1], [0, 0, 1, 2]).to_metrics(prefix="run/")["run/affected"]
        0.5
        """
        return _as_metrics(self._metrics(), prefix)

    def _metrics(self) -> Mapping[str, Any]:
        """The nested numbers that are logged as metrics."""
        return self.to_dict()

    def to_text(self) -> str:
        """Return the text that `print` shows.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare(list("aabb"), [0, 0, 0, 1]).table.to_text())
             0  1
        'a'  2  0
        'b'  1  1
        """
        return str(self)

    def to_markdown(self) -> str:
        """Return the table in Markdown, with rounded numbers.

        Returns
        -------
        str
            The table.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare(list("aabb"), [0, 0, 0, 1]).table.to_markdown())
        |     |   0 |   1 |
        |-----|----:|----:|
        | 'a' |   2 |   0 |
        | 'b' |   1 |   1 |
        """
        return "\n\n".join(map(markdown_table, self._all_tables()))

    def to_latex(self, *, caption: str = "", label: str = "") -> str:
        r"""Return the table in LaTeX, for the booktabs package, with rounded numbers.

        Parameters
        ----------
        caption : str, default=""
            Caption, which may contain LaTeX. With a caption or a label, the table floats.
        label : str, default=""
            Label for references.

        Returns
        -------
        str
            The table.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare(list("aabb"), [0, 0, 0, 1]).table.to_latex())
        \begin{tabular}{lrr}
        \toprule
         & 0 & 1 \\
        \midrule
        'a' & 2 & 0 \\
        'b' & 1 & 1 \\
        \bottomrule
        \end{tabular}
        """
        return latex_table(self._all_tables(), caption, label)

    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write the charts and tables as a page: one HTML file that needs no network.

        Parameters
        ----------
        path : str or path-like
            The file to write.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.compare(list("aabb"), [0, 0, 0, 1]).matching().to_html(folder + "/matching.html").name
        'matching.html'
        """
        listings = [*self._listings(_ON_PAGE), *self._details(_ON_PAGE)]
        page = Result._report.plain_page(
            re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).capitalize(),
            self._title() or type(self).__name__,
            self._charts(),
            listings,
            [*dict.fromkeys([*self._footnotes(), *self._signed()])],
        )
        written: Path = page.write(path)
        return written

    def _signed(self) -> Sequence[str]:
        """The signature, if this is a report."""
        return ()

    def __str__(self) -> str:
        return folded(self._whole_text(), line_width())

    def _whole_text(self) -> str:
        """The text that `print` shows, before its lines are folded."""
        return self._text(self._footnotes())

    def _text(self, notes: Iterable[str]) -> str:
        """The title, the tables with these notes below, and other results.

        They are a blank line apart, but the title of a list is directly above it.
        """
        blocks = [_lines(each) for each in self._listings(_SHOWN)]
        title, *below = (folded(text, line_width(), 0) for text in (self._title(), *filter(None, notes)))
        is_list = len(blocks) == 1 and not below and "\n" not in title
        above = [title] if title else []
        blocks = [above + blocks[0]] if is_list else [above, *blocks, below]
        return "\n\n".join([*("\n".join(block) for block in blocks if block), *map(str, self._parts())])

    def _repr_html_(self) -> str:
        most = _SHOWN - self._title().count("\n")  # rows, beside the lines above them
        listings = self._listings(most)
        rests = [each.below(min(most, len(each.rows))) for each in listings]
        tables = [html_table(each.texts(most)) for each in listings]
        listed = notebook_html(self._title(), tables, [*rests, *self._footnotes()]) if tables else ""
        shown, parts = "", [part._repr_html_() for part in self._parts()]
        for drawn in (Result._report.chart_html(*each) for each in self._all_charts(listings)):
            if _rows_high(shown + drawn + listed.partition("<details>")[0]) <= _SHOWN:
                shown += drawn
            else:
                parts.append(drawn)
        return one_screen(parts, shown + listed)

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        """The rows of the dataframe, or about as many as ``limit`` that represent them."""
        return [self.to_dict()][:limit]

    def _frame_columns(self) -> dict[str, list[Any]]:
        """The columns of the dataframe; a result that is stored by column has them without its rows."""
        rows = self._rows()
        return {name: [row[name] for row in rows] for name in (rows[0] if rows else self._names())}

    def _names(self) -> Sequence[str]:
        """The columns of the dataframe; a subclass that may have no rows overrides this."""
        return list(self._rows(1)[0])

    def _listings(self, limit: int | None = None) -> Sequence[Listing]:
        """The tables; about as many rows as ``limit`` are enough."""
        rows, shown = self._rows(limit), [Field(name, name) for name in self._names()]
        return [Listing(rows, shown, total=len(rows) if limit is None else self._total())]

    def _details(self, limit: int) -> Sequence[Listing]:  # noqa: ARG002  (for subclasses)
        """More tables that a page has."""
        return ()

    def _all_tables(self) -> Sequence[TextRows]:
        """All rows of all tables, with those of other results shown below."""
        own = [each.texts() for each in self._listings()]
        return [*own, *(table for part in self._parts() for table in part._all_tables())]

    def _total(self) -> int:
        """The number of rows of the dataframe."""
        return len(self._rows())

    def _title(self) -> str:
        """The lines above the tables: the headline, if it has one of its own, and the scope."""
        own = "" if type(self).headline is Result.headline else self.headline
        return "\n".join(filter(None, [own, self._scope()]))

    def _scope(self) -> str:
        """The lines below the headline: what was measured, and on which data."""
        return ""

    def _footnotes(self) -> Sequence[str]:
        """The lines below the tables."""
        return ()

    def _charts(self) -> Charts:
        """The charts of notebooks and pages, beside the dot plots of the listings."""
        return ()

    def _all_charts(self, listings: Sequence[Listing]) -> Charts:
        """The charts, with the dot plots of these listings."""
        drawn = [each for each in listings if each.dots is not None and each.rows]
        return [*self._charts(), *((Result._report.dot_plot(each), each) for each in drawn)]

    def _parts(self) -> Sequence[Result]:
        """Other results that are shown below."""
        return ()


class ReadOnlyDict(dict[Key, Value]):
    """A mapping that a result hands out: a dictionary that cannot be changed.

    >>> sizes = ReadOnlyDict(a=2)
    >>> sizes == {"a": 2}, sizes | {"b": 1}
    (True, {'a': 2, 'b': 1})
    """

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise ReadOnlyError("this mapping belongs to a result, which is read-only; dict(...) gives a copy")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return ReadOnlyDict, (dict(self),)


class Report(Result):
    """A result that is published by itself: it also has a size, names, a signature, charts and a page."""

    __slots__ = ()

    @cached_property
    def size(self) -> int:
        """The number of records that were compared."""
        raise NotImplementedError

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of what was compared, as text and pages show them."""
        return ("reference", "candidate")

    @cached_property
    def omitted(self) -> Mapping[str, int]:
        """The number of records that were left out of the comparison, by side or cause; empty if none."""
        return ReadOnlyDict()

    @cached_property
    def conventions(self) -> str:
        """Unusual conventions."""
        return ""

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, size and conventions."""
        parts = [f"concordant {library_version()}", f"n={self.size}", *self._facts(), self.conventions]
        return " | ".join(filter(None, parts))

    def _signed(self) -> Sequence[str]:
        return [self.signature]

    def _facts(self) -> Sequence[str]:
        """Statements of the signature other than the size and the conventions, such as a seed."""
        return ()

    def plot(self, kind: Any = None, *, ax: Any = None, width: float | None = None) -> Any:
        """Draw a chart with Matplotlib (extra `plot`).

        Parameters
        ----------
        kind : str, optional
            The chart. By default, the first that the result has; "rows" shows the table.
        ax : matplotlib Axes, optional
            Axes to draw on. By default, a new figure.
        width : float, optional
            Width of a new figure in mm. 85 is one column of most journals, 180 is two.

        Returns
        -------
        Display
            The chart, with the attributes `ax_` and `figure_`.

        Examples
        --------
        >>> import concordant as cc
        >>> type(cc.diff([0, 0, 1, 1], [0, 0, 1, 2]).plot("rows")).__name__
        'Display'
        """
        listings = self._listings(_SHOWN)
        below = [each for part in self._parts() for each in part._listings(_SHOWN)]
        rows = self._title(), [each.texts() for each in (*listings, *below)]
        return Result._report.plot_one(kind, self._all_charts(listings), rows, ax=ax, width=width)


@cache
def library_version() -> str:
    """The version of concordant."""
    from importlib.metadata import version  # slow to import, rarely needed

    return version("concordant")


def _changeable(value: Any) -> Any:
    """A copy of a mapping of ours that can be changed."""
    if isinstance(value, ReadOnlyDict):
        return {key: _changeable(each) for key, each in value.items()}
    return value


def read_only_class(result: ResultClass) -> ResultClass:
    """Decorate a result that is a frozen dataclass: its arrays and mappings are read-only, too."""
    for name in ("__setattr__", "__delattr__"):  # those of a frozen dataclass raise another error
        setattr(result, name, getattr(Result, name))
    held = [each.name for each in fields(result) if not _PLAIN_TYPE.fullmatch(str(each.type))]
    if held:
        set_fields = vars(result)["__init__"]

        @wraps(set_fields)
        def __init__(self: Any, *arguments: Any, **options: Any) -> None:  # noqa: N807  (it becomes one)
            set_fields(self, *arguments, **options)
            for name in held:
                object.__setattr__(self, name, read_only_value(getattr(self, name, None)))

        type.__setattr__(result, "__init__", __init__)
    return result


_PLAIN_TYPE = re.compile(r"(float|int|str|bool)( \| None)?")  # of a field that nobody can change


def read_only_value(value: Any) -> Any:
    """A mapping as one that cannot be changed, a list as a tuple, and an array as a read-only view.

    >>> read_only_value({"a": {"b": 1}})["a"] == {"b": 1}
    True
    """
    if isinstance(value, dict) and not isinstance(value, ReadOnlyDict):
        return ReadOnlyDict({key: read_only_value(each) for key, each in value.items()})
    if type(value) in (list, tuple):
        return tuple(map(read_only_value, value))
    if hasattr(type(value), "setflags"):  # a comparison would search for an index of that name
        value = value.view()
        value.setflags(write=False)
    return value


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


# -- JSON -------------------------------------------------------------------------------------------


def json_document(name: str, described: Mapping[str, Any], data: Any, indent: int | None = 2) -> str:
    """A document of this schema: the version, what describes the data, and the data."""
    head = {"schema": f"concordant.{name}/1", "version": library_version()}
    return as_json({**head, **described, "data": data}, indent)


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
    items = value.tolist() if hasattr(value, "tolist") else value  # of arrays and scalars of NumPy
    return str(value) if type(items) is type(value) else _plain(items)  # a long double is its own item


# -- metrics ----------------------------------------------------------------------------------------

# Signs that MLflow does not permit in names, and those at the end of "f_measure(beta=2)".
_NOT_IN_METRIC = re.compile(r"[^\w.\-: /]+")
_AT_END = re.compile(r"\W+(?=/|$)")


def _as_metrics(numbers: Mapping[str, Any], prefix: str) -> dict[str, float]:
    """Nested numbers as a flat dictionary.

    >>> _as_metrics({"size": 3, "indices": {"f_measure(beta=2)": 0.5}, "seed": None}, "")
    {'size': 3.0, 'f_measure_beta_2': 0.5}
    """
    if not isinstance(prefix, str):
        raise ParameterError("pass text that begins each name", given={"prefix": prefix})
    found: dict[str, float] = {}
    spelled: dict[str, str] = {}
    for name, value in _numbers(numbers, prefix):
        metric = _NOT_IN_METRIC.sub("_", _AT_END.sub("", name))
        if metric in found:
            raise ParameterError(
                f"{spelled[metric]!r} and {name!r} would be one metric, {metric!r}; rename one"
            )
        found[metric], spelled[metric] = value, name
    return found


def _numbers(values: Mapping[Any, Any], above: str) -> Iterator[tuple[str, float]]:
    for key, value in values.items():
        name = f"{above}{key}"
        if isinstance(value, Mapping):  # "indices" is where they are, not what they are of
            yield from _numbers(value, above if key == "indices" else f"{name}/")
        elif isinstance(value, float) or (type(value) is int and abs(value) <= sys.float_info.max):
            yield name, float(value)


# -- tables -----------------------------------------------------------------------------------------


_NUMBER = re.compile(r"[<>]? ?[+\-−]?[\d∞].*|—|nan")


def are_numbers(table: TextRows) -> list[bool]:
    """Whether most cells of each column are numbers, which are aligned to the right.

    Remarks in brackets do not count.
    """
    columns = zip(*table[1:], strict=True) if len(table) > 1 else [()] * len(table[0])
    known = [[text for text in column if text and not text.startswith("(")] for column in columns]
    return [2 * len(list(filter(_NUMBER.fullmatch, column))) > len(column) for column in known]


def _names_at_left(table: TextRows) -> int:
    """How many columns at the left have names, which are aligned to the left."""
    return next((place for place, is_number in enumerate(are_numbers(table)) if is_number), len(table[0]))


def _lines(listing: Listing) -> list[str]:
    """The table as lines of text, with the line below it."""
    table = listing.texts()
    lines = fitted_columns(table, left=_names_at_left(table))
    return [*lines, *filter(None, [listing.below(len(listing.rows))])]


def html_table(table: TextRows) -> str:
    """A table of text whose first row is its head.

    >>> html_table([["", "n"], ["a<b", "2"]]).partition("<tbody>")[2]
    '<tr><td style="text-align:left">a&lt;b</td><td style="text-align:right">2</td></tr></tbody></table>'
    """
    import html

    sides = ["right" if is_number else "left" for is_number in are_numbers(table)]

    def row(cells: Sequence[str], name: str) -> str:
        aligned = (
            f'<{name} style="text-align:{side}">{html.escape(cell)}</{name}>'
            for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{''.join(aligned)}</tr>"

    body = "".join(row(cells, "td") for cells in table[1:])
    return f"<table><thead>{row(table[0], 'th')}</thead><tbody>{body}</tbody></table>"


# Text has the colour of the notebook. Narrow rows keep 20 of them on a screen.
_NOTEBOOK_STYLE = (
    ".concordant{max-width:60em}.concordant p{margin:.3em 0;overflow-wrap:anywhere}"
    ".concordant-table{overflow-x:auto}.concordant table{border-collapse:collapse;margin:.3em 0}"
    ".concordant td,.concordant th{padding:.15em .6em;line-height:1.3;white-space:nowrap}"
    ".concordant thead{border-bottom:1px solid}"
)


def one_screen(parts: Iterable[str], shown: str = "") -> str:
    """HTML that is shown, and after it as many parts as a screen holds; the rest is folded.

    >>> one_screen(["<p>1</p>", "<p>2</p>"])
    '<p>1</p><p>2</p>'
    """
    folded = ""
    for drawn in parts:
        if folded or (shown and _rows_high(shown + drawn) > _SHOWN):
            folded += drawn
        else:
            shown += drawn
    return shown + _more(folded)


def _rows_high(shown: str) -> float:
    """The height of HTML in rows of a table; a square chart is as high as 30."""
    shapes = re.findall(r'viewBox="0 0 (\S+) (\S+)"', shown)
    return shown.count("<tr>") + sum(30 * float(tall) / float(wide) for wide, tall in shapes)


def notebook_html(title: str, tables: Iterable[str], notes: Iterable[str] = ()) -> str:
    """The title, as many of the HTML tables as a screen holds, and notes; the rest is folded.

    >>> notebook_html("2 < 3", ["<table></table>"], ["seen"]).partition("</style>")[2]
    '<p style="white-space:pre-line"><b>2 &lt; 3</b></p><div class="concordant-table"><table></table></div>\
<p><small>seen</small></p></div>'
    """
    import html

    shown, folded, rows = "", "", 0
    for place, table in enumerate(tables):
        rows += table.count("<tr>")
        scrolled = f'<div class="concordant-table">{table}</div>'
        if place and rows > _SHOWN:
            folded += scrolled
        else:
            shown += scrolled
    below, written = "", 0
    for place, note in enumerate(filter(None, notes)):
        written += len(note)
        paragraph = f"<p><small>{html.escape(note)}</small></p>"
        if folded or (place and written > _NOTED):
            folded += paragraph
        else:
            below += paragraph
    heading = f'<p style="white-space:pre-line"><b>{html.escape(title)}</b></p>' if title else ""
    more = _more(folded)
    return f'<div class="concordant"><style>{_NOTEBOOK_STYLE}</style>{heading}{shown}{below}{more}</div>'


def _more(folded: str) -> str:
    """The folded part of a notebook's output, if there is any."""
    return f"<details><summary>more</summary>{folded}</details>" if folded else ""


def markdown_text(text: str) -> str:
    r"""Text that Markdown prints as it is.

    >>> print(markdown_text("a|*b* and snake_case"))
    a\|\*b\* and snake_case
    """
    return _MARKDOWN.sub(r"\\\g<0>", text)


def markdown_table(table: TextRows) -> str:
    r"""A table in Markdown; labels are not read as markup.

    >>> print(markdown_table([["", "n"], ["a|*b*", "2"]]))
    |          |   n |
    |----------|----:|
    | a\|\*b\* |   2 |
    """
    cells = [list(map(markdown_text, row)) for row in table]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    numbers = are_numbers(table)

    def line(row: Sequence[str]) -> str:
        aligned = (
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(row, widths, numbers, strict=True)
        )
        return f"| {' | '.join(aligned)} |"

    rule = "|".join(
        "-" * (width + 1) + (":" if is_number else "-")
        for width, is_number in zip(widths, numbers, strict=True)
    )
    return "\n".join([line(cells[0]), f"|{rule}|", *map(line, cells[1:])])


# An underscore within a word means nothing in Markdown.
_MARKDOWN = re.compile(r"[\\`*\[\]<&|~$]|(?<![^\W_])_|_(?![^\W_])")

# Also what LaTeX reads as the option of a new line, as a ligature, or as a character of other languages.
_LATEX = {sign: f"\\{sign}" for sign in "&%$#_{}"}
_LATEX |= {sign: f"{{{sign}}}" for sign in "[]*"}
_LATEX |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\char34{}"}
_LATEX |= {"`": r"\textasciigrave{}", "-": "-{}", "−": "$-$", "∞": r"$\infty$", "→": r"$\to$"}
_LATEX |= {"⏎": r"$\hookleftarrow$", "⇥": r"$\mapsto$"}


def latex_text(text: str) -> str:
    r"""Text as LaTeX prints it; the sign of a number is a minus.

    >>> latex_text("50% of a_b"), latex_text("-0.1 to 0.2"), latex_text("well-known")
    ('50\\% of a\\_b', '$-$0.1 to 0.2', 'well-{}known')
    """
    escaped = "".join(_LATEX.get(sign, sign) for sign in text)
    return re.sub(r"(?<![^\s(])-{}(?=\d)", "$-$", escaped)


def latex_table(tables: Sequence[TextRows], caption: str = "", label: str = "") -> str:
    """Tables in LaTeX with the rules of booktabs: one float if there is a caption or a label."""
    blocks = []
    for table in tables:
        columns = "".join("r" if is_number else "l" for is_number in are_numbers(table))
        head, *body = (" & ".join(map(latex_text, row)) + r" \\" for row in table)
        lines = [r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
        blocks.append("\n".join([f"\\begin{{tabular}}{{{columns}}}", *lines, r"\end{tabular}"]))
    tabulars = "\n\n\\medskip\n".join(blocks)
    if not caption and not label:
        return tabulars
    about = [f"\\{name}{{{text}}}" for name, text in (("caption", caption), ("label", label)) if text]
    return "\n".join([r"\begin{table}", r"\centering", *about, tabulars, r"\end{table}"])


# -- dataframes -------------------------------------------------------------------------------------


def as_frame(columns: Mapping[str, list[Any]], backend: Any = None) -> Any:
    """Columns as a dataframe; ``backend`` is the name of a library or its module, see ``Result.to_frame``."""
    from narwhals.stable import v2 as narwhals

    if backend is None:
        backend = dataframe_library("to_frame()", _LIBRARIES, "use to_dict()")
    columns = {key: of_one_type(values) for key, values in columns.items()}
    try:
        return narwhals.from_dict(columns, backend=backend).to_native()
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"to_frame(backend={backend!r}) needs {error.name}, which is not installed"
        ) from error
    except (ValueError, TypeError, AttributeError) as error:
        listing = "use 'pandas', 'polars', 'pyarrow', 'modin', or the module of one of them"
        near = nearest_first(str(backend), [*_LIBRARIES, "modin"], listing)
        raise ParameterError(near[2:], given={"backend": backend}) from error


def melted(
    columns: Mapping[str, list[Any]], indices: Sequence[str], main: str, of_main: Collection[str] = ()
) -> dict[str, list[Any]]:
    """Columns with one row for each index, whose name and value replace the columns of the indices.

    ``of_main`` are the columns that belong to the index ``main`` alone.

    >>> melted({"size": [3], "rand": [0.5], "jaccard": [0.2], "p": [0.1]}, ["rand", "jaccard"], "rand", ["p"])
    {'size': [3, 3], 'index': ['rand', 'jaccard'], 'value': [0.5, 0.2], 'p': [0.1, None]}
    """
    found: dict[str, list[Any]] = {}
    for name, values in columns.items():
        if name == indices[0]:
            found["index"] = list(indices) * len(values)
            rows = zip(*(columns[index] for index in indices), strict=True)
            found["value"] = [value for row in rows for value in row]
        elif name not in indices:
            kept = [name not in of_main or index == main for index in indices]
            found[name] = [value if is_kept else None for value in values for is_kept in kept]
    return found


def dataframe_library(purpose: str, libraries: Sequence[str], instead: str) -> str:
    """The one of these dataframe libraries that is imported already, else the first that is installed."""
    from importlib.util import find_spec

    imported = (name for name in libraries if sys.modules.get(name) is not None)
    installed = (name for name in libraries if find_spec(name) is not None)
    found = next(imported, None) or next(installed, None)
    if found is None:
        raise MissingExtraError(
            f"{purpose} needs {' or '.join(libraries)}, and none is installed; install one, or {instead}"
        )
    return found


def of_one_type(values: list[Any]) -> list[Any]:
    """The values, as text if they are not all of one type that every dataframe library holds."""
    given = [value for value in values if value is not None]
    # Beside nulls, pandas turns integers into floats; no library has times with and without a zone together.
    largest = _EXACT_IN_FLOATS if len(given) < len(values) else 2**63
    if (
        len(set(map(type, given))) <= 1
        and all(_fits(value, largest) for value in given)
        and len({getattr(value, "tzinfo", None) is None for value in given}) <= 1
    ):
        return values
    return [value if value is None else _storable(value) for value in values]


_EXACT_IN_FLOATS = 2**53
# The types that pandas, Polars and PyArrow all hold.
_HELD = (float, bytes, date, time, timedelta, Decimal, np.bool_, np.integer, np.floating)


def _fits(value: Any, largest: int) -> bool:
    if isinstance(value, str):
        return value.isascii() or _storable(value) == value
    if isinstance(value, int):
        return -largest <= value < largest
    if getattr(value, "nanosecond", 0) or (isinstance(value, time) and value.tzinfo is not None):
        return False  # libraries cut this off
    if isinstance(value, Decimal):  # a column has 38 digits before and after the point
        return value.is_finite() and value.adjusted() < 19 and -int(value.as_tuple().exponent) <= 19
    return isinstance(value, _HELD) and not isinstance(value, Enum | np.longdouble | np.timedelta64)


def _storable(value: Any) -> str:
    """Text in which half a surrogate pair, which no library stores, is spelled out."""
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")
