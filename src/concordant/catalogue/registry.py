"""The catalogue: every index that was declared, under each of its names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, ValuesView
from typing import Any, Protocol, Self, TypeVar

from concordant.catalogue.spelling import parsed, plain_name
from concordant.errors import UnknownIndexError


class Entry(Protocol):
    """What the catalogue must know of an index."""

    @property
    def name(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def headline(self) -> int | None: ...
    @property
    def aliases(self) -> tuple[str, ...]: ...
    @property
    def known_as(self) -> Mapping[str, str]: ...
    def bind(self, **arguments: Any) -> Self: ...


EntryT = TypeVar("EntryT", bound=Entry)


class Catalogue(Mapping[str, EntryT]):
    """All indices that were declared, by name. Looks up aliases and parameters, too.

    >>> import concordant
    >>> concordant.INDICES["ARI"].name
    'adjusted_rand'
    """

    def __init__(self) -> None:
        self._by_name: dict[str, EntryT] = {}
        self._by_alias: dict[str, str] = {}

    def add(self, declared: EntryT) -> None:
        for name in (declared.name, *declared.aliases):
            taken = self._by_alias.setdefault(plain_name(name), declared.name)
            if taken != declared.name:
                raise ValueError(f"{name!r} names both {taken} and {declared.name}")
        if declared.headline is not None and declared.headline in {other.headline for other in self.headline}:
            raise ValueError(
                f"place {declared.headline} among the first lines is taken, not for {declared.name}"
            )
        self._by_name[declared.name] = declared

    def __getitem__(self, spelling: str) -> EntryT:
        if type(spelling) is str and spelling in self._by_name:
            return self._by_name[spelling]
        name, arguments = parsed(spelling)
        found = self._by_alias.get(plain_name(name))
        if found is None:
            raise UnknownIndexError(f"there is no index {name!r}{self._suggestion(name)}")
        declared = self._by_name[found]
        return declared.bind(**arguments) if arguments else declared

    def __contains__(self, spelling: object) -> bool:
        return isinstance(spelling, str) and self.get(spelling) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def values(self) -> ValuesView[EntryT]:
        return self._by_name.values()

    def __len__(self) -> int:
        return len(self._by_name)

    @property
    def families(self) -> dict[str, list[EntryT]]:
        """The indices by family, in the order of declaration."""
        families: dict[str, list[EntryT]] = {}
        for declared in self._by_name.values():
            families.setdefault(declared.family, []).append(declared)
        return families

    @property
    def headline(self) -> list[EntryT]:
        """The indices a printed comparison shows first, in that order."""
        chosen = [declared for declared in self._by_name.values() if declared.headline is not None]
        return sorted(chosen, key=lambda declared: declared.headline or 0)

    def known_elsewhere(self, name: str) -> list[tuple[str, EntryT]]:
        """(library, index) for every library that calls an index by this name."""
        wanted = plain_name(name)
        return [
            (library, declared)
            for declared in self._by_name.values()
            for library, names in declared.known_as.items()
            if wanted in (plain_name(each) for each in separate_names(names))
        ]

    def _suggestion(self, name: str) -> str:
        from concordant.catalogue.suggestions import suggestion  # seldom needed

        elsewhere = [(library, declared.name) for library, declared in self.known_elsewhere(name)]
        return suggestion(name, self._by_alias, elsewhere)


def separate_names(names: str) -> list[str]:
    """Names that commas separate; a comma inside brackets belongs to a name.

    >>> separate_names("f(a=1, b=2), g")
    ['f(a=1, b=2)', 'g']
    """
    return [name.strip() for name in re.split(r",(?![^()]*\))", names)]
