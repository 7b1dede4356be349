"""Every error this library raises on purpose.

    ConcordantError
    ├── InputError (ValueError)              the input is not two partitions of one set
    │   ├── LabelError                       labels missing, nested, or of a type that has no equality
    │   ├── OverlapError                     an element is in two clusters
    │   ├── CoverError                       a cover where partitions are needed, or the reverse
    │   ├── HierarchyError                   not a tree, or a request without meaning for trees
    │   ├── SoftError                        memberships that do not sum to 1, or used in place of labels
    │   ├── WeightsError                     elements have weights, and the request has no meaning for them
    │   ├── LengthError                      two label sequences of different lengths
    │   │   └── ShapeError                   two arrays, or an array and its mask, of different shapes
    │   ├── UnmatchedError                   two named partitions over different elements
    │   ├── NothingLeftError                 all elements were dropped
    │   └── FileError                        a file is missing, empty, or lacks the column
    ├── UnknownIndexError (KeyError, AttributeError)      no index of that name; suggests the nearest
    ├── UnknownKeyError (KeyError)           a result or clustering has no entry for that key
    ├── ParameterError (ValueError, TypeError)            an index or option does not accept that value
    ├── ReadOnlyError (AttributeError, TypeError)         an attempt to change a result
    ├── NotANumberError (TypeError)          a comparison was used as a number
    ├── UndefinedError (ZeroDivisionError, ValueError)    0/0, and the caller asked for an error
    ├── NotRationalError (ValueError)        an exact value of an index with roots or logarithms
    ├── TableNeededError (ValueError)        the index needs a table, and there is only a profile
    ├── TooLargeError (MemoryError, OverflowError)  more than memory, or a floating-point number, can hold
    └── MissingExtraError (ImportError)      an optional dependency is not installed

An attribute of a result that has no value raises one of these that is also an AttributeError.

Each message states what is wrong, where, and what to do. Options are data, not text: Python spells them
``unmatched='drop'``, the command line ``--unmatched drop``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import Any

__all__ = [
    "ConcordantError",
    "CoverError",
    "FileError",
    "HierarchyError",
    "InputError",
    "LabelError",
    "LengthError",
    "MissingExtraError",
    "NotANumberError",
    "NotRationalError",
    "NothingLeftError",
    "OverlapError",
    "ParameterError",
    "ReadOnlyError",
    "ShapeError",
    "SoftError",
    "TableNeededError",
    "TooLargeError",
    "UndefinedError",
    "UnknownIndexError",
    "UnknownKeyError",
    "UnmatchedError",
    "WeightsError",
]

Spelling = Callable[[str, Any], str]  # how an option and its value are written

_NAMES_SHOWN = 3


def in_python(option: str, value: Any) -> str:
    """An option in Python syntax; an Ellipsis represents a value that the reader must choose.

    >>> in_python("unmatched", "drop"), in_python("memory", ...)
    ("unmatched='drop'", 'memory=...')
    """
    return f"{option}={'...' if value is ... else repr(value)}"


class Remedy:
    """A suggestion in an error: the options to pass, and their effect.

    >>> Remedy("leave them out", unmatched="drop").said(in_python)
    "unmatched='drop' to leave them out"
    """

    effect: str
    options: dict[str, Any]

    __slots__ = ("effect", "options")

    def __init__(self, effect: str, **options: Any) -> None:
        self.effect = effect
        self.options = options

    def said(self, spelling: Spelling) -> str:
        """The remedy in words, with its options in this spelling."""
        return f"{' and '.join(spelling(*option) for option in self.options.items())} to {self.effect}"


def few(names: Iterable[Any]) -> str:
    """The first few of the names, as an error shows them.

    >>> few(["a", "b"]), few(range(100))
    ("'a', 'b'", '0, 1, 2, ...')
    """
    shown = [_plain(name) for name in islice(names, _NAMES_SHOWN + 1)]
    return ", ".join([*shown[:_NAMES_SHOWN], "..."] if len(shown) > _NAMES_SHOWN else shown)


def _plain(name: Any) -> str:
    """A NumPy scalar is shown as the number or text it holds. A moment stays: Python has no nanoseconds."""
    kind = getattr(getattr(name, "dtype", None), "kind", "M")
    return repr(name if kind in "mM" else name.item())


def kind_of(value: Any) -> str:
    """The kind of a value, with its article.

    >>> kind_of(5), kind_of("a")
    ('an int', 'a str')
    """
    name = type(value).__name__
    vowel = name[:1].lower() in "aeiou" or name == "ndarray"  # as it is spoken
    return f"{'an' if vowel else 'a'} {name}"


def did_you_mean(word: str, choices: Iterable[str], likeness: float = 0.6) -> str:
    """The end of an error's text that names the nearest of the choices; empty where none is near enough.

    >>> did_you_mean("unmached", ["unmatched", "noise"]), did_you_mean("LABEL", ["id", "label"])
    ("; did you mean 'unmatched'?", "; did you mean 'label'?")
    """
    import difflib  # rarely needed

    spelled = {str(choice).casefold(): choice for choice in choices}
    near = difflib.get_close_matches(word.casefold(), spelled, n=1, cutoff=likeness)
    return f"; did you mean {spelled[near[0]]!r}?" if near else ""


def nearest_first(word: str, choices: Iterable[str], listing: str) -> str:
    """The end of an error's text: the nearest of the choices, then ``listing``, which names all.

    >>> nearest_first("unmached", ["unmatched", "noise"], "it takes unmatched and noise")
    "; did you mean 'unmatched'? It takes unmatched and noise"
    >>> nearest_first("labels", ["unmatched", "noise"], "it takes unmatched and noise")
    ': it takes unmatched and noise'
    """
    near = did_you_mean(word, choices)
    return f"{near} {listing[0].upper()}{listing[1:]}" if near else f": {listing}"


def warn(text: str) -> None:
    """Warn at the line of the user's code that called this library."""
    import warnings  # rarely needed

    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "concordant":
        level, frame = level + 1, frame.f_back
    warnings.warn(text, UserWarning, stacklevel=level)


class ConcordantError(Exception):
    """The base class of all errors of concordant. Catch it to catch all of them.

    Attributes
    ----------
    given : dict
        The option at fault and its value, which begin the message.
    calls : str
        Advice that names Python calls, which the command line omits.
    remedies : tuple of Remedy
        Options that help, which end the message.

    Examples
    --------
    >>> print(ConcordantError("2 records differ", remedies=[Remedy("leave them out", unmatched="drop")]))
    2 records differ; pass unmatched='drop' to leave them out
    """

    given: dict[str, Any]
    calls: str
    remedies: tuple[Remedy, ...]

    def __init__(
        self,
        text: str = "",
        *,
        given: Mapping[str, Any] | None = None,
        calls: str = "",
        remedies: Iterable[Remedy] = (),
    ) -> None:
        super().__init__(text)
        self.given = dict(given or {})
        self.calls = calls
        self.remedies = tuple(remedies)

    def said(self, spelling: Spelling) -> str:
        """The full message, with its options in this spelling."""
        begin = "".join(f"{spelling(*option)}: " for option in self.given.items())
        text = f"{begin}{self.args[0]}{f'; {self.calls}' if self.calls and spelling is in_python else ''}"
        *others, last = ["", *(remedy.said(spelling) for remedy in self.remedies)]
        if not last:
            return text
        return f"{text}; pass {', '.join(others[1:])}{', or ' if others[1:] else ''}{last}"

    def withdraw(self, **options: Any) -> None:
        """Stop suggesting these options, because they do not help the caller.

        >>> error = ConcordantError("2 records differ", remedies=[Remedy("leave them out", unmatched="drop")])
        >>> error.withdraw(unmatched="drop")
        >>> print(error)
        2 records differ
        """
        self.remedies = tuple(each for each in self.remedies if each.options != options)

    def offer(self, options: AbstractSet[str]) -> None:
        """Suggest only these options, which the called function has.

        >>> error = ConcordantError("2 records differ", remedies=[Remedy("leave them out", unmatched="drop")])
        >>> error.offer({"nulls"})
        >>> print(error)
        2 records differ
        """
        self.remedies = tuple(each for each in self.remedies if each.options.keys() <= options)

    def __str__(self) -> str:
        return self.said(in_python)


class InputError(ConcordantError, ValueError):
    """The input is not two partitions of one set."""


class LabelError(InputError):
    """Labels are missing, nested, or of a type that cannot be compared for equality."""

    missing_at: int | None = None  # the position of the first label that is missing, if this is the reason


class OverlapError(InputError):
    """An element is in two clusters."""


class CoverError(InputError):
    """A cover was given where partitions are needed, or the reverse."""


class HierarchyError(InputError):
    """The input is not a tree, or the request has no meaning for trees."""


class SoftError(InputError):
    """Memberships are not a soft partition, or a soft partition was given where labels are needed."""


class WeightsError(InputError):
    """Elements have different weights, and the request has no meaning for weights."""


class LengthError(InputError):
    """Two label sequences have different lengths."""


class ShapeError(LengthError):
    """Two arrays, or an array and its mask, have different shapes."""


class UnmatchedError(InputError):
    """Two named partitions do not contain the same elements."""


class NothingLeftError(InputError):
    """All elements were dropped, so there is nothing to compare."""


class FileError(InputError):
    """A file is missing, empty, unreadable, or lacks the named column."""


class UnknownIndexError(ConcordantError, KeyError, AttributeError):
    """No index has that name."""


class UnknownKeyError(ConcordantError, KeyError):
    """A result or a clustering has no entry for that key."""


class ParameterError(ConcordantError, ValueError, TypeError):
    """An index or an option does not take that parameter or that value."""


class ReadOnlyError(ConcordantError, AttributeError, TypeError):
    """A result is read-only."""


class NotANumberError(ConcordantError, TypeError):
    """A result with many indices was used as one number."""


class UndefinedError(ConcordantError, ZeroDivisionError, ValueError):
    """The formula is 0/0 for these partitions, and the caller asked for an error."""


class NotRationalError(ConcordantError, ValueError):
    """An exact value was requested from an index whose formula has roots or logarithms."""


class TableNeededError(ConcordantError, ValueError):
    """The index needs to know which clusters overlap, but only a profile of sizes is available."""


class TooLargeError(ConcordantError, MemoryError, OverflowError):
    """The matching does not fit into memory, or the numbers do not fit into floating point."""


class MissingExtraError(ConcordantError, ImportError):
    """An optional dependency is not installed. The message names the extra to install."""


def as_attribute_error(error: ConcordantError) -> ConcordantError:
    """The same error, which is also an AttributeError: `hasattr` is False, `getattr` returns its default.

    >>> error = as_attribute_error(SoftError("rand needs labels"))
    >>> error, isinstance(error, SoftError), isinstance(error, AttributeError)
    (SoftError('rand needs labels'), True, True)
    """
    if isinstance(error, AttributeError | ImportError):  # no class can inherit from both
        return error
    made = _attribute_error_class(type(error))(*error.args)  # type: ignore[arg-type]  # classes have a hash
    vars(made).update(vars(error), _item_error=error)
    return made


@cache
def _attribute_error_class(kind: type[ConcordantError]) -> type[ConcordantError]:
    def reduced(error: Any) -> tuple[Any, ...]:  # pickle knows only classes that a module has
        return as_attribute_error, (vars(error)["_item_error"],)

    contents = {"__module__": kind.__module__, "__doc__": kind.__doc__, "__reduce__": reduced}
    return type(kind.__name__, (kind, AttributeError), contents)


@contextmanager
def noted(note: str) -> Iterator[None]:
    """Add a note to every error of ours that is raised inside."""
    try:
        yield
    except ConcordantError as error:
        error.add_note(note)
        raise
