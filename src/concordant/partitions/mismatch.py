"""Why two sides have nothing in common: different types or spellings of names, or everything left out.

A policy that drops elements must not drop them all silently, since two empty sides would score as
perfect. Two sides that were empty to begin with are equal, and are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Number
from typing import Any

from concordant.counts.spelling import counted
from concordant.errors import NothingLeftError, UnmatchedError, few

THE_SIDES = ("the reference", "the candidate")


def nothing_left(
    policies: Mapping[str, str],
    sizes: tuple[int, int],
    why: str = "",
    sides: tuple[str, str] = THE_SIDES,
) -> NothingLeftError:
    """The error for two sides that have elements, all of which these policies leave out.

    >>> print(nothing_left({"unmatched": "drop"}, (2, 1), "none is on both sides"))
    unmatched='drop': this leaves nothing to compare; the reference has 2 elements and the candidate 1: \
none is on both sides
    """
    had = f"{sides[0]} has {counted(sizes[0], 'element')} and {sides[1]} {sizes[1]:,}"
    left = "this leaves nothing to compare" if policies else "nothing is left to compare"
    return NothingLeftError(f"{left}; {had}{': ' if why else ''}{why}", given=dict(policies))


def none_common(reference: Iterable[Any], candidate: Iterable[Any]) -> str:
    """A message that no name is on both sides, with a few of each, and those that differ only in spelling.

    >>> none_common(["a1", "a2"], ["A1 ", "A2"])
    "none is on both sides ('a1', 'a2' against 'A1 ', 'A2'); some differ only in spelling: 'a1' and 'A1 '"
    """
    u, v = list(reference), list(candidate)
    said = f"none is on both sides ({few(u) or 'none'} against {few(v) or 'none'})"
    plainly = {_plainly(name): name for name in v}
    alike = next((name for name in u if _plainly(name) in plainly), None)
    if alike is None:
        return said
    return f"{said}; some differ only in spelling: {few([alike])} and {few([plainly[_plainly(alike)]])}"


def refuse_other_types(
    reference: list[Any],
    candidate: list[Any],
    any_common: bool,
    sides: tuple[str, str] = THE_SIDES,
) -> None:
    """Refuse unmatched names that are numbers on one side and text on the other: 1 is not "1".

    If no names are common, different kinds are enough; else the names must look the same.
    """
    kinds = _kinds(reference), _kinds(candidate)
    if kinds[0] == kinds[1] or not (kinds[0] and kinds[1]):
        return
    if any_common or kinds[0] & kinds[1]:
        by_text = {str(name): name for name in candidate}
        pairs = [(name, by_text[str(name)]) for name in reference if str(name) in by_text]
        pairs = [(one, other) for one, other in pairs if _kind(one) != _kind(other)]
        reference, candidate = [one for one, _ in pairs], [other for _, other in pairs]
    if reference:
        raise UnmatchedError(
            f"the names of elements have different types, so they never match: those of {sides[0]} are "
            f"{_listed(_kinds(reference))} ({few(reference)}), those of {sides[1]} are "
            f"{_listed(_kinds(candidate))} ({few(candidate)}); convert one of them, for instance with str"
        )


def _kinds(names: list[Any]) -> set[str]:
    types = set(map(type, names))
    if any(issubclass(each, tuple) for each in types):
        return set(map(_kind, names))
    return {_kind_of_type(each) for each in types}


def _kind(name: Any) -> str:
    if isinstance(name, tuple):
        return f"({', '.join(map(_kind, name))})"
    return _kind_of_type(type(name))


def _kind_of_type(kind: type) -> str:
    """Objects of different kinds are never equal; all numbers are of one kind, since 1 equals 1.0."""
    if issubclass(kind, Number) or hasattr(kind, "__index__"):
        return "numbers"
    if issubclass(kind, str):
        return "text"
    return kind.__name__


def _listed(kinds: set[str]) -> str:
    return " and ".join(sorted(kinds))


def _plainly(name: Any) -> str:
    """A name without its type, case, spaces and leading zeros, which programs write differently."""
    text = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
    return "".join(text.split()).casefold().lstrip("0").removesuffix(".0")


def lacks_records(names: Sequence[Any], why: str) -> UnmatchedError:
    """The error for labelled records that the candidate lacks."""
    return UnmatchedError(
        f"the candidate {why} and lacks {counted(len(names), 'labelled record')} ({few(names)}); an "
        "estimate needs every record of a labelled cluster: add them to the candidate, or leave the whole "
        "cluster out of the sample if they are missing for a reason unrelated to the clustering"
    )
