"""The indices of a soft comparison, as values by name, as data and as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from concordant import comparisons
from concordant.counts.conventions import Conventions, Undefined
from concordant.counts.spelling import counted
from concordant.errors import NotANumberError, ReadOnlyError, UnknownIndexError, did_you_mean
from concordant.partitions.missing import unusual_conventions
from concordant.results import Result, TextRows, as_frame, as_json, rounded
from concordant.soft.counts import SoftCounts
from concordant.soft.indices import SOFT_INDICES, SoftIndex, soft_index
from concordant.soft.partition import DrawnSoft, Soft
from concordant.text_layout import text_columns

if TYPE_CHECKING:
    from concordant.partitions.partition import LabelPartition

_COLUMNS = ("name", "value", "lowest", "highest", "undefined")


class SoftValues(Result):
    """A read-only mapping over the indices that take one pass."""

    def __init__(
        self,
        counts: SoftCounts,
        sides: tuple[Soft | LabelPartition, Soft | LabelPartition],
        conventions: Conventions,
    ) -> None:
        self._counts, self._sides, self._conventions = counts, sides, conventions
        self._values: dict[str, float] = {}

    # -- values -----------------------------------------------------------------------------------------

    @property
    def counts(self) -> SoftCounts:
        """The counts from which all indices are computed."""
        return self._counts

    def value(self, declared: SoftIndex) -> float:
        """Compute a soft index and cache its value.

        Parameters
        ----------
        declared : SoftIndex
            The declaration of the index.

        Returns
        -------
        float
            The value. For an index by name, use `s["soft_rand"]`.

        Examples
        --------
        >>> import concordant as cc
        >>> from concordant.soft.indices import SOFT_INDICES
        >>> s = cc.compare(cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]), [0, 0, 1])
        >>> round(s.value(SOFT_INDICES["soft_rand"]), 4)
        0.6667
        """
        if declared.name not in self._values:
            self._values[declared.name] = declared.value(self._counts, self._when_undefined)
        return self._values[declared.name]

    def __getitem__(self, name: str) -> float:
        return self.value(soft_index(name))

    def __getattr__(self, name: str) -> float:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.value(soft_index(name))
        except UnknownIndexError as error:
            if hasattr(comparisons.Comparison, name):
                raise UnknownIndexError(
                    f"a soft comparison has no {name!r}; .hardened has it, for the largest weights"
                ) from error
            methods = [each for each in dir(type(self)) if not each.startswith("_")]
            if near := did_you_mean(name, methods, likeness=0.8):
                raise UnknownIndexError(f"a soft comparison has no {name!r}{near}") from error
            raise

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and name not in type(self).__dict__:
            raise ReadOnlyError(f"{name!r} cannot be set: a SoftComparison is read-only")
        super().__setattr__(name, value)

    def exact(self, name: str) -> Fraction:
        """Compute an index as a fraction, without rounding.

        Parameters
        ----------
        name : str
            Name of the soft index.

        Returns
        -------
        Fraction
            The exact value.

        Raises
        ------
        NotRationalError
            If the weights are floats, or the formula has roots or logarithms.

        Examples
        --------
        >>> import concordant as cc
        >>> from decimal import Decimal
        >>> rows = [[Decimal("0.5"), Decimal("0.5")], [Decimal(1), Decimal(0)], [Decimal(0), Decimal(1)]]
        >>> cc.compare(cc.Soft.from_matrix(rows), ["a", "a", "b"]).exact("soft_rand_squared")
        Fraction(5, 6)
        """
        return soft_index(name).exact(self._counts)

    def keys(self) -> tuple[str, ...]:
        """List the soft indices that take one pass over the records.

        Returns
        -------
        tuple of str
            The names of all indices that are defined for both sides, except those in `omitted`.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]]), [0, 0]).keys()[0]
        'soft_adjusted_rand'
        """
        are_draws = self._counts.sides.are_draws
        return tuple(x.name for x in SOFT_INDICES.values() if x.one_pass and (x.draws or not are_draws))

    @property
    def omitted(self) -> tuple[str, ...]:
        """The indices that need all pairs of records. Ask for them by name.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]]), [0, 0]).omitted
        ('soft_rand', 'degree_of_concordance', 'adjusted_concordance')
        """
        are_draws = self._counts.sides.are_draws
        return tuple(x.name for x in SOFT_INDICES.values() if not x.one_pass and (x.draws or not are_draws))

    def values(self) -> tuple[float, ...]:
        """Compute the indices of `keys`.

        Returns
        -------
        tuple of float
            The values, in the order of `keys`.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[1.0, 0.0], [0.0, 1.0]]), [0, 1])
        >>> s.values()[0]
        1.0
        """
        return tuple(self[name] for name in self.keys())

    def items(self) -> tuple[tuple[str, float], ...]:
        """Compute the indices of `keys`, with their names.

        Returns
        -------
        tuple of (str, float)
            Pairs of name and value.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare(cc.Soft.from_matrix([[1.0, 0.0], [0.0, 1.0]]), [0, 1]).items()[0]
        ('soft_adjusted_rand', 1.0)
        """
        return tuple((name, self[name]) for name in self.keys())

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *SOFT_INDICES]

    def _not_a_number(self, *_: object) -> NoReturn:
        raise NotANumberError(
            "a SoftComparison is not a number: it has several indices; use one of them, such as "
            "s.soft_adjusted_rand"
        )

    __float__ = __int__ = __round__ = _not_a_number
    __lt__ = __le__ = __gt__ = __ge__ = _not_a_number

    @property
    def undefined(self) -> tuple[str, ...]:
        """The indices whose formula is 0/0 although the sides differ. Their values are conventions.

        Examples
        --------
        >>> import concordant as cc
        >>> u, v = ([[1.0, 0.0], [0.5, 0.5]], [[0.5, 0.5], [1.0, 0.0]])
        >>> cc.compare(cc.Soft.from_matrix(u), cc.Soft.from_matrix(v)).undefined
        ('soft_adjusted_rand',)
        """
        return tuple(name for name in self.keys() if SOFT_INDICES[name].is_undefined(self._counts))

    @property
    def _unusual_conventions(self) -> str:
        words = {"unmatched": self._conventions.unmatched, "undefined": self._when_undefined}
        return unusual_conventions(words)

    # -- as data and text ---------------------------------------------------------------------------------

    def to_dict(self, *names: str) -> dict[str, float]:
        """Return the values of soft indices by name.

        Parameters
        ----------
        *names : str
            Names of the indices. By default, those of `keys`.

        Returns
        -------
        dict from str to float
            The values.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]), [0, 0, 1])
        >>> s.to_dict("soft_rand")
        {'soft_rand': 0.6666666666666667}
        """
        return {name: self[name] for name in names or self.keys()}

    def to_frame(self, backend: Any = None) -> Any:
        """Return a dataframe with one row per index: name, value, range, and whether it is a convention.

        Parameters
        ----------
        backend : str or module, optional
            The dataframe library: "pandas", "polars" or "pyarrow". By default, a library that you have
            imported.

        Returns
        -------
        dataframe
            One row per index.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[1.0, 0.0], [0.0, 1.0]]), [0, 1])
        >>> s.to_frame("polars")["value"][0]
        1.0
        """
        rows = self._rows()
        return as_frame({name: [row[name] for row in rows] for name in _COLUMNS}, backend)

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        rows = []
        for name in self.keys()[:limit]:
            index = SOFT_INDICES[name]
            row = (name, self[name], *index.range, index.is_undefined(self._counts))
            rows.append(dict(zip(_COLUMNS, row, strict=True)))
        return rows

    def _own_tables(self) -> Sequence[TextRows]:
        rows = [["", "value"]]
        for name, value in self.items():
            convention = " (by convention)" if SOFT_INDICES[name].is_undefined(self._counts) else ""
            rows.append([SOFT_INDICES[name].title, rounded(value) + convention])
        return [rows]

    def _footnotes(self) -> Sequence[str]:
        return [
            self.headline,
            f"computed on request, from all pairs: {', '.join(self.omitted)}" if self.omitted else "",
        ]

    def to_json(self, *names: str, indent: int | None = 2) -> str:
        """Return the comparison as JSON.

        Parameters
        ----------
        *names : str
            Names of the indices. By default, those of `keys`.
        indent : int or None, default=2
            Indentation. None writes one line.

        Returns
        -------
        str
            The JSON document. Values that are not finite are null.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[1.0, 0.0], [0.0, 1.0]]), [0, 1])
        >>> '"soft_rand": 1.0' in s.to_json("soft_rand", indent=None)
        True
        """
        document = {
            "signature": self.signature,
            "headline": self.headline,
            "records": self._counts.size,
            "clusters": dict(
                zip(("reference", "candidate"), map(len, self._counts.sides.clusters), strict=True)
            ),
            "indices": self.to_dict(*names),
            "undefined": list(self.undefined),
            "omitted": [] if names else list(self.omitted),
        }
        return as_json(document, indent)

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, sizes and conventions.

        Examples
        --------
        >>> import concordant as cc
        >>> soft = cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0]])
        >>> print(cc.compare(soft, [0, 0]).signature)  # doctest: +ELLIPSIS
        concordant ... | n=2 K=2 L=1 | soft | unmatched=error | undefined=convention
        """
        from importlib.metadata import version  # slow to import, rarely needed

        parts = [f"concordant {version('concordant')}", f"n={self._counts.size} {self._widths()}"]
        parts += ["soft", f"unmatched={self._conventions.unmatched}"]
        parts += [f"undefined={self._when_undefined}"]
        parts += [f"{key}={value}" for key, value in self._counts.sides.audit.items() if value]
        return " | ".join(parts)

    def _widths(self) -> str:
        texts = []
        for letter, side, names in zip("KL", self._sides, self._counts.sides.clusters, strict=True):
            texts.append(
                f"draws={len(side.shares)}" if isinstance(side, DrawnSoft) else f"{letter}={len(names)}"
            )
        return " ".join(texts)

    @property
    def _when_undefined(self) -> Undefined:
        return self._conventions.undefined

    @property
    def headline(self) -> str:
        """One sentence with the most important values."""
        if not self._counts.size:
            return "There are no records to compare"
        value = rounded(self.soft_adjusted_rand, 2)
        if self._counts.sides.are_draws:
            return f"Pairs agree with a soft adjusted Rand index of {value}"
        shared = rounded(100 * self.soft_matching_accuracy, 0, perfect=100)
        return (
            f"{shared}% of the weight is in matched clusters; pairs agree with a soft adjusted Rand index of "
            f"{value}"
        )

    def _title(self) -> str:
        sides = self._counts.sides
        widths = [
            f"{len(side.shares):,} draws" if isinstance(side, DrawnSoft) else counted(len(names), "cluster")
            for side, names in zip(self._sides, sides.clusters, strict=True)
        ]
        return f"{counted(sides.size, 'record')}, {widths[0]} against {widths[1]}"

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, *, indices: Sequence[str] | None = None) -> str:
        """Return the text that `print` shows.

        Parameters
        ----------
        indices : sequence of str, optional
            Names of the indices. By default, those of `keys`.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> import concordant as cc
        >>> s = cc.compare(cc.Soft.from_matrix([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]), [0, 0, 1])
        >>> print(s.to_text(indices=["soft_rand"]).splitlines()[3])
        soft_rand  0.6667  Soft Rand index
        """
        shown = self.keys() if indices is None else tuple(indices)
        omitted = [name for name in self.omitted if name not in shown]
        found = [soft_index(name) for name in shown]
        lines = [self._title(), self.headline, ""]
        lines += text_columns([[each.name, rounded(self.value(each)), each.title] for each in found])
        if undefined := [each.name for each in found if each.is_undefined(self._counts)]:
            lines.append(f"0/0, so the value is a convention: {', '.join(undefined)}")
        lines += ["", f"computed on request, from all pairs: {', '.join(omitted)}"] if omitted else []
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<SoftComparison of {counted(self._counts.size, 'record')}: {self._widths()}>"
