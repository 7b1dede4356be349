"""Every index as an attribute: what gives the value of an index gives it by name too.

At run time a look-up by name. For type checkers and editors, the stub beside this file has one property
for each index, so that a misspelt name is an error before the program runs; ``scripts/make_types.py``
writes it.
"""

from __future__ import annotations

from collections.abc import Iterable

from concordant.catalogue.index import INDICES, Index


class IndexAttributes:
    """``c.adjusted_rand`` is ``c.value(INDICES["adjusted_rand"])``, for every index."""

    __slots__ = ()

    def value(self, declared: Index) -> float:
        """The value of an index."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> float:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.value(INDICES[name])

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *INDICES]
