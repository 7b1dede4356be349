"""Every index as an attribute: objects with index values also give them by name, and are read-only.

At run time, this is a look-up by name. For type checkers and editors, the stub next to this file has one
property for each index, so a misspelt name is an error before the program runs; ``scripts/make_types.py``
writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from concordant.catalogue.index import INDICES, Index
from concordant.errors import NotANumberError, ReadOnlyError, UnknownIndexError, did_you_mean, kind_of
from concordant.results import Result

# Names of the members of a comparison in other tools, and here.
CALLS_ELSEWHERE = {
    **dict.fromkeys(
        (
            "confusion",
            "confusion_matrix",
            "contingency",
            "contingency_matrix",
            "contingency_table",
            "crosstab",
        ),
        "table, or c.table.to_frame() for a dataframe",
    ),
    "pair_confusion_matrix": "pairs",
    "confidence_interval": "interval('adjusted_rand')",
    "p_value": "significance('adjusted_rand').p",
    "hungarian": "matching()",
    "heatmap": "plot('table')",
    "sankey": "plot('flow')",
    "report": "to_html('report.html'), or print(c)",
}


class IndexAttributes(Result):
    """A mapping over the available indices. Every index is also an attribute."""

    __slots__ = ()

    def value(self, declared: Index) -> float:
        """Compute an index.

        Parameters
        ----------
        declared : Index
            The declaration of the index, from `concordant.INDICES`.

        Returns
        -------
        float
            The value.
        """
        raise NotImplementedError

    def keys(self) -> tuple[str, ...]:
        """List the available indices.

        Returns
        -------
        tuple of str
            The names of the indices.
        """
        raise NotImplementedError

    def __getitem__(self, spelling: str) -> float:
        return self.value(INDICES[spelling])

    def values(self) -> tuple[float, ...]:
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

    def items(self) -> tuple[tuple[str, float], ...]:
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

    def get(self, spelling: str, default: Any = None) -> Any:
        """Compute an index by any of its names.

        Parameters
        ----------
        spelling : str
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
        if spelling not in self:
            return default
        return self[spelling]

    def to_dict(self, *spellings: str) -> dict[str, float]:
        """Return the values of indices by name.

        Parameters
        ----------
        *spellings : str
            Names of the indices. By default, all that are available.

        Returns
        -------
        dict from str to float
            The values.

        Examples
        --------
        >>> import concordant as cc
        >>> cc.compare([0, 0, 1], [0, 1, 1]).to_dict("rand", "ARI")
        {'rand': 0.3333333333333333, 'ARI': -0.5}
        """
        return {name: self[name] for name in spellings or self.keys()}

    def _rows(self, limit: int | None = None) -> list[dict[str, Any]]:
        return [{"name": name, "value": value} for name, value in self.items()[:limit]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __bool__(self) -> bool:
        return True

    def __contains__(self, spelling: object) -> bool:
        """Whether an index of that name is available, by any of its names."""
        if not isinstance(spelling, str) or spelling not in INDICES:
            return False
        return INDICES[spelling.partition("(")[0]].name in self.keys()

    def __getattr__(self, name: str) -> float:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            index = INDICES[name]
        except UnknownIndexError as error:
            if call := CALLS_ELSEWHERE.get(name):
                raise UnknownIndexError(f"a comparison has no {name!r}; use c.{call}") from error
            methods = [each for each in dir(type(self)) if not each.startswith("_") and each not in INDICES]
            if near := did_you_mean(name, methods, likeness=0.8):
                raise UnknownIndexError(f"a comparison has no {name!r}{near}") from error
            raise
        return self.value(index)

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise self._read_only(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise self._read_only(name)

    def __setitem__(self, spelling: str, value: Any) -> None:
        raise self._read_only(spelling)

    def _not_a_number(self, *_: object) -> NoReturn:
        raise NotANumberError(
            f"{kind_of(self)} is not a number: it has all indices; use one of them, for instance "
            'c.adjusted_rand or c["f_measure(beta=2)"]'
        )

    __float__ = __int__ = __round__ = _not_a_number
    __lt__ = __le__ = __gt__ = __ge__ = _not_a_number
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _not_a_number

    def _read_only(self, name: str) -> ReadOnlyError:
        kind = type(self).__name__
        return ReadOnlyError(
            f"{name!r} cannot be set or deleted: a {kind} is read-only; c.to_dict() gives a copy to work with"
        )

    def __dir__(self) -> Iterable[str]:
        return {*super().__dir__(), *INDICES}


def _attribute(index: Index) -> property:
    return property(lambda self: self.value(index))


# Faster than __getattr__, which is called only after the normal attribute lookup has failed.
for _name, _index in INDICES.items():
    setattr(IndexAttributes, _name, _attribute(_index))
