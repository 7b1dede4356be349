"""Every error this library raises on purpose.

    ConcordantError
    ├── InputError (ValueError)              what was handed over is not two partitions of one set
    │   ├── LabelError                       labels missing, nested, or of a type that has no equality
    │   ├── OverlapError                     an element stands in two clusters
    │   ├── LengthError                      two label sequences of different lengths
    │   ├── UnmatchedError                   two named partitions over different elements
    │   └── FileError                        a file is missing, empty, or lacks the column
    ├── UnknownIndexError (KeyError, AttributeError)      no index of that name; suggests the nearest
    ├── ParameterError (ValueError, TypeError)            an index or option does not take that value
    ├── UndefinedError (ZeroDivisionError, ValueError)    0/0, and the caller asked to be told
    ├── NotRationalError (ValueError)        an exact value was asked of an index with roots or logarithms
    ├── TableNeededError (ValueError)        the index needs the named table, only a profile is there
    ├── TooLargeError (MemoryError, OverflowError)  more than memory, or a floating-point number, can hold
    └── MissingExtraError (ImportError)      an optional dependency is not installed

Each text says what was wrong, where, and what to do about it.
"""

from collections.abc import Iterable


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """The end of an error's text that names the nearest of the choices; empty where none is near.

    >>> did_you_mean("unmached", ["unmatched", "noise"])
    "; did you mean 'unmatched'?"
    """
    import difflib  # seldom needed

    near = difflib.get_close_matches(word, list(choices), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


class ConcordantError(Exception):
    """The root of the tree: catch this to catch everything concordant raises on purpose."""


class InputError(ConcordantError, ValueError):
    """What was handed over is not two partitions of one set."""


class LabelError(InputError):
    """Labels are missing, nested, or of a type that cannot be compared for equality."""


class OverlapError(InputError):
    """An element stands in two clusters."""


class LengthError(InputError):
    """Two label sequences have different lengths."""


class UnmatchedError(InputError):
    """Two named partitions do not hold the same elements."""


class FileError(InputError):
    """A file is missing, empty, unreadable, or lacks the column that was named."""


class UnknownIndexError(ConcordantError, KeyError, AttributeError):
    """No index has that name."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show its text in quotes


class ParameterError(ConcordantError, ValueError, TypeError):
    """An index or an option does not take that parameter or that value."""


class UndefinedError(ConcordantError, ZeroDivisionError, ValueError):
    """The formula is 0/0 for these partitions, and the caller asked for an error."""


class NotRationalError(ConcordantError, ValueError):
    """An exact value was asked of an index whose formula has roots or logarithms."""


class TableNeededError(ConcordantError, ValueError):
    """The index needs to know which clusters overlap, and only a profile of sizes is there."""


class TooLargeError(ConcordantError, MemoryError, OverflowError):
    """The matching does not fit into memory, or the numbers do not fit into floating point."""


class MissingExtraError(ConcordantError, ImportError):
    """An optional dependency is not installed; the text names the extra that brings it."""
