"""The values of a comparison."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Self

from concordant import comparisons, differences
from concordant.catalogue.index import INDICES, Index
from concordant.counts import spelling
from concordant.counts.base import Counts
from concordant.counts.conventions import UNDEFINED, Undefined, check_choice
from concordant.counts.counted import Counted, labels_of
from concordant.counts.pairs import Pairs
from concordant.counts.profile import Profile
from concordant.counts.table import Table
from concordant.errors import ParameterError, TooLargeError, kind_of
from concordant.indices.attributes import IndexAttributes
from concordant.partitions.missing import unusual_conventions
from concordant.results import as_frame

_COLUMNS = ("name", "value", "family", "lowest", "highest", "undefined")  # of the dataframe of indices


class ComparisonValues(IndexAttributes):
    """The values of a comparison: a mapping over the available indices."""

    __slots__ = ("__weakref__", "_counted", "_offered", "_values", "_when_undefined")

    _counted: Counted
    _when_undefined: Undefined
    _offered: list[Index] | None
    _values: dict[tuple[Any, ...], float]

    def __init__(self, counted: Counted | Profile, *, undefined: Undefined = "convention") -> None:
        check_choice("undefined", undefined, UNDEFINED)
        if not isinstance(counted, (Counted, Profile)):
            raise ParameterError(
                f"Comparison() takes a Profile, not {kind_of(counted)}; use compare() for partitions"
            )
        if isinstance(counted, Profile):
            counted = Counted.of(counted)
        put = object.__setattr__  # our own __setattr__ checks each name
        put(self, "_counted", counted)
        put(self, "_when_undefined", undefined)
        put(self, "_offered", None)
        put(self, "_values", {})

    @property
    def counts(self) -> Counts:
        """The counts from which all indices are computed."""
        return self._counted.counts

    def value(self, declared: Index) -> float:
        """Compute an index and cache its value.

        Parameters
        ----------
        declared : Index
            The declaration of the index, from `concordant.INDICES`.

        Returns
        -------
        float
            The value. For an index by name, use `c["rand"]` or `c.rand`.

        Raises
        ------
        UndefinedError
            If the formula is 0/0 and the comparison has `undefined="raise"`.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).value(cc.INDICES["rand"])
        0.3333333333333333
        """
        if not isinstance(declared, Index):
            raise ParameterError(f"value() takes an Index; to look up a value by name, use c[{declared!r}]")
        key = (declared.name, *declared.arguments.values())  # two prices may have the same spelling
        value = self._values.get(key)
        if value is None:
            value = self._values[key] = declared.value(self._counted.counts, self._when_undefined)
        return value

    def exact(self, spelling: str) -> Fraction:
        """Compute an index as a fraction, without rounding.

        Parameters
        ----------
        spelling : str
            Name of the index, also with parameters, as in "f_measure(beta=2)".

        Returns
        -------
        Fraction
            The exact value.

        Raises
        ------
        NotRationalError
            If the formula has roots or logarithms.
        UndefinedError
            If the value is not finite.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]).exact("jaccard")
        Fraction(2, 5)
        """
        return INDICES[spelling].exact(self.counts)

    def keys(self) -> tuple[str, ...]:
        """List the available indices.

        Returns
        -------
        tuple of str
            The names of all indices except those in `omitted`.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).keys()[:2]
        ('precision', 'recall')
        """
        return tuple(declared.name for declared in self._available())

    @property
    def pairs(self) -> Pairs:
        """The four pair counts from which pair-counting indices are computed.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1, 1], [0, 1, 1, 1]).pairs
        Pairs(n11=1, n10=1, n01=2, n00=2, size=4)
        """
        return self.counts.view(Pairs)

    @classmethod
    def from_contingency(
        cls,
        table: Any,
        *,
        names: tuple[Sequence[Any], Sequence[Any]] | None = None,
        undefined: Undefined = "convention",
    ) -> Self:
        """Create a comparison from a contingency table.

        Parameters
        ----------
        table : array, sparse matrix or dataframe
            The table, without row and column totals. A sparse matrix needs SciPy's `tocoo`.
        names : (sequence of object, sequence of object), optional
            Labels of the rows and of the columns. A pandas table has its own.
        undefined : {"convention", "nan", "raise", "conll"}, default="convention"
            Value of an index whose formula is 0/0, as in `compare`.

        Returns
        -------
        Comparison
            The comparison of the clusters in the rows with those in the columns.

        Raises
        ------
        InputError
            If the last row or column contains totals, as `pandas.crosstab(margins=True)` adds.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.Comparison.from_contingency([[2, 0], [1, 3]]).rand
        0.6666666666666666
        """
        return cls(Profile.from_contingency(table, names=names), undefined=undefined)

    @property
    def table(self) -> Table:
        """The non-empty cells of the contingency table, with the labels of their clusters.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare(list("aabb"), [0, 0, 0, 1]).table)
             0  1
        'a'  2  0
        'b'  1  1
        """
        return self.counts.completed.table.labelled(labels_of(self._counted.names))

    @property
    def undefined(self) -> tuple[str, ...]:
        """The indices whose formula is 0/0 here. Their values are conventions.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 0], [0, 1, 2]).undefined[:2]
        ('precision', 'specificity')
        """
        return tuple(d.name for d in self._available() if d.is_undefined(self.counts))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the comparison to a file: sizes, overlaps, labels and conventions.

        The file does not contain the clusters of individual records, or a table that stays in a database.

        Parameters
        ----------
        path : str or path-like
            The file to write.

        See Also
        --------
        load : read the file.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.compare(["a", "a", "b"], [1, 1, 2]).save(folder + "/c.json")
        ...     cc.Comparison.load(folder + "/c.json").adjusted_rand
        1.0
        """
        comparisons.saved.write_comparison(path, self._counted, self._when_undefined)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a comparison from a file that `save` wrote.

        Parameters
        ----------
        path : str or path-like
            The file to read.

        Returns
        -------
        Comparison
            The saved comparison.

        Raises
        ------
        FileError
            If the file is damaged or has an unknown format.

        Examples
        --------
        >>> import concordant as cc
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     cc.compare(["a", "a", "b"], [1, 1, 2]).save(folder + "/c.json")
        ...     cc.Comparison.load(folder + "/c.json").adjusted_rand
        1.0
        """
        counted, undefined = comparisons.saved.read_comparison(path)
        return cls(counted, undefined=undefined)

    def to_frame(self, backend: Any = None, *, indices: Sequence[str] | None = None) -> Any:
        """Return a dataframe with one row per index.

        The columns are name, value, family, lowest, highest and undefined.

        Parameters
        ----------
        backend : str or module, optional
            The dataframe library: "pandas", "polars" or "pyarrow". By default, a library that you have
            imported.
        indices : sequence of str, optional
            Names of the indices. By default, all that are available.

        Returns
        -------
        dataframe
            One row per index.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).to_frame("polars", indices=["rand"]).rows()
        [('rand', 0.3333333333333333, 'Pair counting', 0.0, 1.0, False)]
        """
        counts, rows = self.counts, []
        for name in self.keys() if indices is None else check_names(indices):
            index = INDICES[name]
            bounds = map(float, index.bounds(counts))
            rows.append((name, self.value(index), index.family, *bounds, index.is_undefined(counts)))
        columns = zip(*rows, strict=True) if rows else [()] * len(_COLUMNS)
        return as_frame(dict(zip(_COLUMNS, map(list, columns), strict=True)), backend)

    @property
    def omitted(self) -> tuple[str, ...]:
        """The indices that tables omit because they are slow, too large, or need more than the counts.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).omitted[:1]
        ('adjusted_rand_models',)
        """
        shown = {d.name for d in self._available()}
        others = (declared for declared in INDICES.values() if declared.name not in shown)
        return tuple(declared.name for declared in others if declared.is_shown_for(self.counts))

    @property
    def signature(self) -> str:
        """One line to publish with the values: version, sizes and conventions.

        Examples
        --------
        >>> import concordant as cc
        >>> print(cc.compare([0, 0, 1], [0, 1, 1]).signature)  # doctest: +ELLIPSIS
        concordant ... | n=3 K=2 L=2 | unmatched=error | noise=none | undefined=convention
        """
        from importlib.metadata import version  # slow to import, rarely needed

        reference, candidate = self._clusters
        parts = [f"concordant {version('concordant')}", f"n={self.counts.size} K={reference} L={candidate}"]
        parts += [f"{key}={value}" for key, value in self._counted.conventions.items()]
        parts.append(f"undefined={self._when_undefined}")
        parts += [f"{key}={value}" for key, value in self._counted.audit.items() if value]
        return " | ".join(parts)

    def __repr__(self) -> str:
        reference, candidate = self._clusters
        clusters = f"{reference:,} against {spelling.counted(candidate, 'cluster')}"
        return f"<Comparison of {spelling.counted(self.counts.size, 'element')}: {clusters}>"

    @property
    def _unusual_conventions(self) -> str:
        words = {**self._counted.conventions, "undefined": self._when_undefined}
        return unusual_conventions(words)

    @property
    def _in_no_cluster(self) -> tuple[int, int]:
        """The elements of each side that count as singletons because they are in no cluster."""
        return differences.own_clusters.in_no_cluster(self.counts, self._counted.names)

    @property
    def _clusters(self) -> tuple[int, int]:
        """The clusters of each side."""
        unclustered = self._in_no_cluster
        return self.counts.rows - unclustered[0], self.counts.columns - unclustered[1]

    def _available(self) -> list[Index]:
        """All indices but the slow ones, and those that need more than was counted."""
        if self._offered is None:
            counts = self.counts
            available, cells = counts.availability, counts.cells
            known = [d for d in INDICES.values() if d.is_shown_for(counts)]
            quick = [d for d in known if d.needs <= available.at_hand and d.is_quick(cells)]
            # Only a huge number of elements or of memberships can be too large for some indices.
            are_safe = counts.size < 2**62 and available.adds_up
            self._offered = quick if are_safe else [d for d in quick if self._fits(d)]
        return self._offered

    def _fits(self, declared: Index) -> bool:
        try:
            return declared.value(self.counts) is not None
        except TooLargeError:
            return False


def check_names(indices: Sequence[str]) -> Sequence[str]:
    """Refuse a single string, whose letters would be read as names."""
    if isinstance(indices, str):
        raise ParameterError(f"indices is a list of names; pass indices=[{indices!r}]")
    return indices
