"""Kinds of comparisons other than that of partitions, with their indices, names and functions.

A subject declares its `Kind` as ``KIND`` in one module, and the package registers that module. A kind is
data: words, and "module:name" strings of functions that are imported on first use. All other modules ask the
registered kinds and never name one, so a subject can be added or dropped by one word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from concordant.errors import InputError
from concordant.foundation.lazy import load

_ROOT = __name__.partition(".")[0]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CatalogueSection:
    """A section of the catalogue: the indices of one input.

    Attributes
    ----------
    sides, kind
        The input as ``@index(sides=...)`` names it, and the `kind` of its indices.
    inputs, origin
        The two sides in words, and those of the heading of its manual pages.
    unknown
        What an unknown name is called, with {!r} for the name.
    declared_in
        The module whose import declares the indices.
    facts, example
        Functions of an index: its properties in words; and the two sides of the example in its docstring,
        each with its spelling in Python. Indices that are not functions of the library need no example.
    """

    sides: str
    kind: str
    inputs: str
    origin: str
    unknown: str
    declared_in: str
    facts: str
    example: str = ""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Kind:
    """A kind of comparison. If it compares clusterings of their own kind, it has `compare` and what follows.

    Attributes
    ----------
    name
        Its name. `clustering_kind` returns it for its clusterings.
    builders
        Its kinds of counts, and the class method of a view that takes each.
    sections
        The sections of the catalogue with its indices.
    attributes
        The class with these indices as attributes. `scripts/make_types.py` writes the stub of its module.
    introduction
        The introduction to the manual page of its indices.
    null_tests
        The builder of the null test for each kind of counts that has one.
    public
        Public names, and the module of each.
    functions
        Its indices that are functions of the library: all, or none.
    commands
        Commands, and the module of each.
    compare
        The function of (reference, candidate, conventions) that compares its clusterings.
    precedence
        Of two kinds, the one with the higher precedence compares.
    value, result
        The public names of its clustering and of what `compare` returns, for type checkers.
    error
        The error that its refusals raise.
    refuses
        Other kinds that it is not compared with, and why.
    no_labels, not_partitions
        Why it has no labels, and why it is not one of two partitions.
    matrix
        The function that compares many clusterings of which some are of this kind; empty if there is none.
    options
        The `KindOptions` of `concordant compare` with the options for its input; empty if files have none.
    """

    name: str
    builders: Mapping[str, str]
    sections: tuple[CatalogueSection, ...]
    attributes: str
    introduction: str
    null_tests: Mapping[str, str] = field(default_factory=dict)
    public: Mapping[str, str] = field(default_factory=dict)
    functions: tuple[str, ...] = ()
    commands: Mapping[str, str] = field(default_factory=dict)
    compare: str = ""
    precedence: int = 0
    value: str = ""
    result: str = ""
    error: type[InputError] = InputError
    refuses: Mapping[str, str] = field(default_factory=dict)
    no_labels: str = ""
    not_partitions: str = ""
    matrix: str = ""
    options: str = ""


KINDS: dict[str, Kind] = {}  # in the order of registration


def register(module: str) -> None:
    """Register the ``KIND`` of a module; words that do not fit are an error, which names its file."""
    kind: Kind = load(f"{_ROOT}.{module}").KIND
    if wrong := next(_mistakes(kind), ""):
        raise ValueError(f"src/{_ROOT}/{module.replace('.', '/')}.py: {wrong}")
    KINDS[kind.name] = kind


def _mistakes(kind: Kind) -> Iterator[str]:
    """Words that do not fit each other, or that another kind has, too."""
    for attribute, word, known in (
        *((each, getattr(kind, each), kind.public) for each in ("value", "result") if kind.compare),
        *(("null_tests", word, kind.builders) for word in kind.null_tests),
    ):
        if word not in known:
            yield f"{attribute} has {word!r}; use one of {', '.join(known)}"
    for attribute in ("precedence", "no_labels", "not_partitions"):
        if bool(getattr(kind, attribute)) is not bool(kind.compare):
            yield f"{attribute} and compare belong together; set both or none"
    others = {each for other in KINDS.values() for each in _words(other)}
    for attribute, word in _words(kind):
        if (attribute, word) in others:
            yield f"{attribute} has {word!r}, and so has another kind"


def _words(kind: Kind) -> Iterator[tuple[str, Any]]:
    """The words that belong to one kind alone, each with its attribute."""
    yield from (("name", kind.name), ("precedence", kind.precedence))
    yield from (("sections", each.sides) for each in kind.sections)
    for attribute in ("public", "functions", "builders", "commands"):
        yield from ((attribute, word) for word in getattr(kind, attribute))


def among(words: Iterable[str]) -> list[Kind]:
    """The registered kinds with these names, the one that compares first."""
    found = [KINDS[word] for word in dict.fromkeys(words) if word in KINDS]
    return sorted(found, key=lambda kind: -kind.precedence)


def sections() -> list[CatalogueSection]:
    """The sections of all registered kinds."""
    return [section for kind in KINDS.values() for section in kind.sections]


def section_of(sides: str) -> CatalogueSection | None:
    """The section with the indices of these sides; None for those of no registered kind."""
    return next((section for section in sections() if section.sides == sides), None)


def joined(attribute: str) -> dict[str, str]:
    """The mappings of all registered kinds as one.

    >>> joined("null_tests")["trees"]
    'hierarchies.permutation_test:null_test'
    """
    return {word: name for kind in KINDS.values() for word, name in getattr(kind, attribute).items()}


def use(name: str) -> Any:
    """The object that "module:name" names in this library.

    >>> use("errors:InputError") is InputError
    True
    """
    module, _, attribute = name.partition(":")
    return getattr(load(f"{_ROOT}.{module}"), attribute)
