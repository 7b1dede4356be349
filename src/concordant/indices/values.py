"""Values of indices by name: one read-only mapping for all results that hold them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Self, TypeVar

from concordant.counts.base import Counts
from concordant.counts.counted_sides import omitted_of
from concordant.errors import (
    ConcordantError,
    NotANumberError,
    ParameterError,
    TooLargeError,
    UnknownIndexError,
    UnknownKeyError,
    as_attribute_error,
    did_you_mean,
    kind_of,
)
from concordant.foundation.conventions import Undefined
from concordant.foundation.results import Report, library_version
from concordant.indices.catalogue import Catalogue
from concordant.indices.index import Index, any_index, index_for

ValueT = TypeVar("ValueT")

_COLUMNS = ("index", "value", "family", "lowest", "highest", "undefined")  # of the dataframe of indices
_SAFE_SIZE = 2**62  # elements: with more, some indices are too large to compute


class IndexForms(Report):
    """A result that shows several indices: each of its forms takes some of them."""

    __slots__ = ()

    def _restricted(self, indices: str | Sequence[str] | None) -> Self:
        """The same result, whose tables show these indices."""
        raise NotImplementedError

    def to_dict(self, *, indices: str | Sequence[str] | None = None) -> dict[str, Any]:
        raise NotImplementedError

    def to_json(self, *, indices: str | Sequence[str] | None = None, indent: int | None = 2) -> str:
        """Return the result as JSON: a description, then the values of indices as `data`.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, all that are available.
        indent : int or None, default=2
            Indentation. None writes one line.

        Returns
        -------
        str
            The JSON document. Values that are not finite are null.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).to_json(indices="ARI", indent=None)[-22:]
        '"data": {"ARI": -0.5}}'
        """
        return self._restricted(indices)._json(self.to_dict(indices=indices), indent)

    def to_metrics(self, *, indices: str | Sequence[str] | None = None, prefix: str = "") -> dict[str, float]:
        """Return the values of indices as a flat dictionary of floats, as trackers of experiments log them.

        Names of nested numbers are joined by slashes, and characters that MLflow rejects become underscores.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, all that are available.
        prefix : str, default=""
            Text before each name, for instance "test/".

        Returns
        -------
        dict from str to float
            The values by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).to_metrics(indices=["rand", "f_measure(beta=2)"], prefix="val/")
        {'val/rand': 0.3333333333333333, 'val/f_measure_beta_2': 0.0}
        """
        return Report.to_metrics(self._restricted(indices), prefix=prefix)

    def to_text(self, *, indices: str | Sequence[str] | None = None) -> str:
        """Return the text that `print` shows.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, those that `print` shows.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.diff([0, 0, 1], [0, 0, 0]).to_text(indices="affected").splitlines()[2].split()[0])
        index
        """
        return Report.to_text(self._restricted(indices))

    def to_markdown(self, *, indices: str | Sequence[str] | None = None) -> str:
        """Return the table in Markdown, with rounded numbers.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, those that `print` shows.

        Returns
        -------
        str
            The table.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare([0, 0, 1], [0, 1, 1]).to_markdown(indices=["rand", "adjusted_rand"]))
        |                     |   value |
        |---------------------|--------:|
        | Rand index          |  0.3333 |
        | Adjusted Rand index | -0.5000 |
        """
        return Report.to_markdown(self._restricted(indices))

    def to_latex(
        self, *, indices: str | Sequence[str] | None = None, caption: str = "", label: str = ""
    ) -> str:
        r"""Return the table in LaTeX, for the booktabs package, with rounded numbers.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, those that `print` shows.
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
        >>> print(cc.compare([0, 0, 1], [0, 1, 1]).to_latex(indices="adjusted_rand"))
        \begin{tabular}{lr}
        \toprule
         & value \\
        \midrule
        Adjusted Rand index & $-$0.5000 \\
        \bottomrule
        \end{tabular}
        """
        return Report.to_latex(self._restricted(indices), caption=caption, label=label)


class IndexAttributes(IndexForms, Generic[ValueT]):
    """A read-only mapping over the available indices. Every index is also an attribute.

    An index with another input is found, too, and then refused by the counts, which name the way out.
    """

    __slots__ = ()

    _sections: ClassVar[tuple[Catalogue, ...]] = ()  # the catalogues of its indices
    _called: ClassVar[str] = "a comparison"
    _example: ClassVar[str] = 'c.adjusted_rand or c["f_measure(beta=2)"]'

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # Properties are faster than __getattr__, and editors and help() show them.
        for section in cls._sections:
            for index in section.values():
                if not hasattr(cls, index.name):
                    setattr(cls, index.name, property(_value_of(index), doc=index.compute.__doc__))

    @classmethod
    def _elsewhere(cls, name: str) -> str:  # noqa: ARG003  (for subclasses)
        """The end of the error for an unknown name, if it is known where to find its meaning."""
        return ""

    def _value(self, declared: Any) -> ValueT:
        """Compute an index."""
        raise NotImplementedError

    def keys(self) -> tuple[str, ...]:
        """List the available indices.

        Returns
        -------
        tuple of str
            The names of the indices.
        """
        raise NotImplementedError

    def _declared(self, spelling: str) -> Any:
        """The declaration of the index of that name, with which `_value` computes it."""
        return any_index(spelling, *self._sections)

    def _known(self) -> Iterable[str]:
        """The names of all indices of this kind of result."""
        return [name for section in self._sections for name in section] or self.keys()

    def __getitem__(self, index: str | Index) -> ValueT:
        """The value of an index, by any of its names or by its declaration, which may hold functions."""
        if isinstance(index, str):
            return self._value(self._declared(index))
        if not isinstance(index, Index):
            raise UnknownKeyError(f"look up an index by its name, not by {index!r}")
        return self._value(index)

    def values(self) -> tuple[ValueT, ...]:
        """Compute all available indices.

        Returns
        -------
        tuple of float
            The values, in the order of `keys`.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).values()[:2]
        (0.0, 0.0)
        """
        return tuple(self[name] for name in self.keys())

    def items(self) -> tuple[tuple[str, ValueT], ...]:
        """Compute all available indices, with their names.

        Returns
        -------
        tuple of (str, float)
            Pairs of name and value.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).items()[0]
        ('precision', 0.0)
        """
        return tuple((name, self[name]) for name in self.keys())

    def get(self, index: str, default: Any = None) -> Any:
        """Compute an index by any of its names.

        Parameters
        ----------
        index : str
            Name of the index, also with parameters, as in "f_measure(beta=2)".
        default : object, optional
            The result if the index is not available.

        Returns
        -------
        float
            The value, or the default.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).get("ARI")
        -0.5
        """
        if index not in self:
            return default
        return self[index]

    def to_dict(self, *, indices: str | Sequence[str] | None = None) -> dict[str, Any]:
        """Return the values of indices by name.

        Parameters
        ----------
        indices : str or sequence of str, optional
            Names of the indices. By default, all that are available.

        Returns
        -------
        dict from str to float
            The values.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).to_dict(indices=["rand", "ARI"])
        {'rand': 0.3333333333333333, 'ARI': -0.5}
        """
        return {name: self[name] for name in self._names_of(indices)}

    def to_frame(self, backend: Any = None, *, indices: str | Sequence[str] | None = None) -> Any:
        """Return a dataframe with one row for each index.

        Parameters
        ----------
        backend : str or module, optional
            The dataframe library: "pandas", "polars" or "pyarrow". By default, a library that you have
            imported.
        indices : str or sequence of str, optional
            Names of the indices. By default, all that are available.

        Returns
        -------
        dataframe
            One row for each index.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).to_frame("polars", indices="rand").rows()
        [('rand', 0.3333333333333333, 'Pair counting', 0.0, 1.0, False)]
        """
        return Report.to_frame(self._restricted(indices), backend)

    def to_html(self, path: str | os.PathLike[str], *, indices: str | Sequence[str] | None = None) -> Path:
        """Write the charts and tables as a page: one HTML file that needs no network.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        indices : str or sequence of str, optional
            Names of the indices. By default, those that the page shows first.

        Returns
        -------
        Path
            The path of the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.compare_references([[0, 0, 1], [0, 1, 1]], [0, 0, 1]).to_html(folder + "/page.html").name
        'page.html'
        """
        return Report.to_html(self._restricted(indices), path)

    _chosen: tuple[str, ...] | None = None  # the indices that tables show, if not the usual ones

    def _restricted(self, indices: str | Sequence[str] | None) -> Self:
        """The same result, whose tables show these indices."""
        if indices is None:
            return self
        made = copy(self)
        object.__setattr__(made, "_chosen", self._names_of(indices))
        return made

    def _names_of(self, indices: str | Sequence[str] | None) -> tuple[str, ...]:
        """These names; by default those that were chosen, else all that are available."""
        if indices is None:
            return self.keys() if self._chosen is None else self._chosen
        return named_indices(indices)

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [{"index": name, "value": self[name]} for name in self._names_of(None)[:limit]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __bool__(self) -> bool:
        return True

    def __contains__(self, spelling: object) -> bool:
        """Whether an index of that name is available, by any of its names."""
        if not isinstance(spelling, str):
            return False
        found = next((section for section in self._sections if spelling in section), None)
        name = spelling if found is None else found[spelling.partition("(")[0]].name
        return name in self.keys()

    if not TYPE_CHECKING:  # type checkers read the names of indices in attributes.pyi

        def __getattr__(self, name: str) -> ValueT:
            if hasattr(type(self), name):  # its property raised an AttributeError
                return object.__getattribute__(self, name)
            if name.startswith("_"):
                raise AttributeError(name)
            try:
                index = self._declared(name)
            except ParameterError as error:
                raise as_attribute_error(error) from error.__cause__
            except UnknownIndexError as error:
                methods = {each for each in dir(type(self)) if not each.startswith("_")} - {*self._known()}
                near = did_you_mean(name, [*sorted(methods), *self._known()], likeness=0.8)
                is_method = near.removeprefix("; did you mean '").removesuffix("'?") in methods
                end = self._elsewhere(name) or (near if is_method else "")
                if end:
                    raise UnknownIndexError(f"{self._called} has no {name!r}{end}") from error
                raise
            return self._attribute(index)

    def _attribute(self, declared: Any) -> ValueT:
        """The value as an attribute. All its errors are AttributeErrors, as tools that inspect it expect."""
        try:
            return self._value(declared)
        except ConcordantError as error:
            raise as_attribute_error(error) from error.__cause__

    def __setitem__(self, spelling: str, value: Any) -> None:
        raise self._read_only(spelling)

    def _not_a_number(self, *_: object) -> NoReturn:
        raise NotANumberError(
            f"{kind_of(self)} is not a number: it has many; use one of them, for instance {self._example}"
        )

    __float__ = __int__ = __round__ = _not_a_number
    __lt__ = __le__ = __gt__ = __ge__ = _not_a_number
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _not_a_number

    def __dir__(self) -> Iterable[str]:
        return {*super().__dir__(), *self._known()}


def _value_of(index: Index) -> Callable[[Any], Any]:
    return lambda self: self._attribute(index)


class IndexValues(IndexAttributes[float]):
    """The values of a comparison: the indices of its counts, each computed on first use."""

    __slots__ = ("_chosen", "_offered", "_values")

    _many_levels: ClassVar[str] = ""  # why its sides are not one clustering each, and what to compare instead
    _when_undefined: Undefined
    _offered: list[Index] | None
    _values: dict[tuple[Any, ...], float]

    def __init__(self) -> None:
        put = object.__setattr__  # our own __setattr__ checks each name
        put(self, "_chosen", None)
        put(self, "_offered", None)
        put(self, "_values", {})

    @property
    def _counts(self) -> Counts:
        """The counts from which all indices are computed."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """The number of records that were compared."""
        return self._counts.size

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the two sides, as text and pages show them."""
        return ("reference", "candidate")

    @property
    def conventions(self) -> str:
        """Unusual conventions."""
        return self._unusual_conventions

    @property
    def omitted(self) -> Mapping[str, int]:
        return omitted_of(self._audit)

    @property
    def _audit(self) -> Mapping[str, int]:
        """How many records were treated specially."""
        return {}

    def _signature(self, *facts: str) -> str:
        """The signature with these facts after the size."""
        audit = [f"{key}={value}" for key, value in self._audit.items() if value]
        known = [f"n={self.size} {facts[0]}", *facts[1:], f"undefined={self._when_undefined}", *audit]
        return " | ".join([f"concordant {library_version()}", *known])

    @property
    def _unusual_conventions(self) -> str:
        raise NotImplementedError

    @property
    def _tested(self) -> Sequence[str]:
        """The indices whose p-value a command shows if none is named."""
        return ()

    def _worst(self, limit: int) -> Sequence[Any] | None:  # noqa: ARG002  (for subclasses)
        """The costliest differences between its sides, if it lists them."""
        return None

    def _index(self, spelling: str) -> Index:
        """The index of that name, if it is defined for the counts."""
        return index_for(self._counts, spelling, *self._sections)

    def _value(self, declared: Index) -> float:
        """Compute an index and cache its value."""
        key = (declared.name, *declared.arguments.values())  # two prices may have the same spelling
        value = self._values.get(key)
        if value is None:
            value = self._values[key] = declared.value(self._counts, self._when_undefined)
        return value

    def exact(self, index: str) -> Fraction:
        """Compute an index as a fraction, without rounding.

        Parameters
        ----------
        index : str
            Name of the index, also with parameters, as in "f_measure(beta=2)".

        Returns
        -------
        Fraction
            The exact value.

        Raises
        ------
        NotRationalError
            If the formula has roots or logarithms, or if the weights are floats.
        UndefinedError
            If the value is not finite.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]).exact("jaccard")
        Fraction(2, 5)
        """
        declared: Index = self._declared(index)
        return declared.exact(self._counts)

    def keys(self) -> tuple[str, ...]:
        """List the available indices.

        Returns
        -------
        tuple of str
            The names of all indices except those in `on_request`.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).keys()[:2]
        ('precision', 'recall')
        """
        return tuple(declared.name for declared in self._available())

    @property
    def on_request(self) -> tuple[str, ...]:
        """The indices that tables omit because they are slow, too large, or need more than the counts.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).on_request[:1]
        ('adjusted_rand_models',)
        """
        shown = {declared.name for declared in self._available()}
        return tuple(declared.name for declared in self._defined() if declared.name not in shown)

    @property
    def undefined(self) -> tuple[str, ...]:
        """The indices whose formula is 0/0 here. Their values are conventions.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 0], [0, 1, 2]).undefined[:2]
        ('precision', 'specificity')
        """
        return tuple(d.name for d in self._available() if d.is_undefined(self._counts))

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [self._row(name) for name in self._names_of(None)[:limit]]

    def _row(self, name: str) -> dict[str, Any]:
        index, counts = self._index(name), self._counts
        value, bounds = self._value(index), map(float, index.bounds(counts))
        row = (name, value, index.family, *bounds, index.is_undefined(counts))
        return dict(zip(_COLUMNS, row, strict=True))

    def _defined(self) -> list[Index]:
        """All indices of its sections that are shown for these counts."""
        every = (declared for section in self._sections for declared in section.values())
        return [declared for declared in every if declared.is_shown_for(self._counts)]

    def _available(self) -> list[Index]:
        """All indices but the slow ones, and those that need more than was counted."""
        if self._offered is None:
            self._offered = self._available_of(self._defined())
        return self._offered

    def _available_of(self, indices: Iterable[Index]) -> list[Index]:
        return [declared for declared in indices if self._is_available(declared)]

    def _is_available(self, declared: Index) -> bool:
        """Whether tables have the index: it is not slow, and the counts suffice for it."""
        counts, available = self._counts, self._counts.availability
        if not declared.is_shown_for(counts) or declared.needs > available.at_hand:
            return False
        if not declared.is_quick(counts.cells):
            return False
        # Only a huge number of elements or of memberships can be too large for some indices.
        if counts.size < _SAFE_SIZE and available.adds_up:
            return True
        try:
            return declared.value(counts) is not None
        except TooLargeError:
            return False


def named_indices(indices: str | Sequence[str]) -> tuple[str, ...]:
    """One name, or several.

    >>> named_indices("rand"), named_indices(["rand", "ari"])
    (('rand',), ('rand', 'ari'))
    """
    if isinstance(indices, str):
        return (indices,)
    is_ordered = isinstance(indices, Collection) and not isinstance(indices, AbstractSet)
    if not is_ordered or not getattr(indices, "ndim", 1):
        raise ParameterError("pass the name of an index, or several in a list", given={"indices": indices})
    return tuple(indices)


# All methods of a mapping, but not its comparison by value, which would compute every index.
Mapping.register(IndexAttributes)
