"""What somebody may have meant by a name that no index has."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from concordant.catalogue.spelling import plain_name

# Words that libraries append to a name and that tell no index from another.
_FILLERS = {"score", "index", "coefficient", "measure", "metric", "value", "similarity", "of", "the"}

_MOST = 6


def suggestion(name: str, aliases: Mapping[str, str], elsewhere: Sequence[tuple[str, str]]) -> str:
    """The end of an error's text: which indices the name may mean.

    aliases    every name of every index, with the index's own
    elsewhere  (library, index) for every library that has an index of this name

    >>> suggestion("rand_index", {"rand": "rand", "ri": "rand"}, [("cdlib", "rand")])
    '; did you mean rand (so called in cdlib)?'
    """
    meant = (
        _named_elsewhere(elsewhere)
        or _of_the_same_words(name, aliases)
        or _nearest(name, aliases)
        or _of_some_words(name, aliases)
    )
    if not meant:
        return "; `concordant indices` and list(concordant.INDICES) show all names"
    *others, last = meant[:_MOST]
    return f"; did you mean {', '.join(others)} or {last}?" if others else f"; did you mean {last}?"


def _named_elsewhere(elsewhere: Sequence[tuple[str, str]]) -> list[str]:
    first = {index: library for library, index in reversed(elsewhere)}
    in_order = dict.fromkeys(index for _, index in elsewhere)
    return [f"{index} (so called in {first[index]})" for index in in_order]


def _of_the_same_words(name: str, aliases: Mapping[str, str]) -> list[str]:
    """Names that consist of the same words, or else those that have all of them and more."""
    wanted = _words(name)
    if not wanted:
        return []
    holding = sorted((alias for alias in aliases if wanted <= _words(alias)), key=_number_of_words)
    same = [alias for alias in holding if _words(alias) == wanted]
    return _one_for_each_index(same or holding, aliases)


def _nearest(name: str, aliases: Mapping[str, str]) -> list[str]:
    near = difflib.get_close_matches(plain_name(name), aliases, n=3, cutoff=0.75)
    return list(dict.fromkeys(aliases[alias] for alias in near))


def _of_some_words(name: str, aliases: Mapping[str, str]) -> list[str]:
    """Names all of whose words are in this one, or else names that have the beginning of a word of it."""
    within = [alias for alias in aliases if _words(alias) and _words(alias) <= _words(name)]
    if within:
        return _one_for_each_index(sorted(within, key=_number_of_words, reverse=True), aliases)
    begun = [alias for alias in aliases if _share_a_beginning(_long_words(alias), _long_words(name))]
    return _one_for_each_index(sorted(begun, key=_number_of_words), aliases)


def _share_a_beginning(some: set[str], others: set[str]) -> bool:
    return any(one.startswith(other) or other.startswith(one) for one in some for other in others)


def _one_for_each_index(names: list[str], aliases: Mapping[str, str]) -> list[str]:
    """The first of the names of each index, or the index's own name where that is among them."""
    chosen: dict[str, str] = {}
    for each in names:
        chosen.setdefault(aliases[each], aliases[each] if aliases[each] in names else each)
    return list(chosen.values())


def _words(name: str) -> set[str]:
    return set(plain_name(name).split("_")) - _FILLERS - {""}


def _long_words(name: str) -> set[str]:
    return {word for word in _words(name) if len(word) > 2}


def _number_of_words(name: str) -> int:
    return len(_words(name))
