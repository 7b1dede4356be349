"""What stands between the fields of a file, and how a file shows that it was cut at the wrong character.

A file that is cut wrong has one field a row. As labels these are all different, and as clusters all
have one element: two such files agree perfectly. So a single field that holds another separator is
refused, until ``--separator`` or ``--cluster`` says that it is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from concordant.errors import ParameterError
from concordant.partitions.formats import format_by_name

_SPELLED = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " ", "pipe": "|"}
_WORDS = {";": "semicolon", "\t": "tab", "|": "pipe", ",": "comma"}
_ALSO_IN_NAMES = {" ": "space", ":": ":"}
_USUAL = ","


def separator_of(spelling: str) -> str:
    """The character that ``--separator`` means: itself, or a word such as tab.

    >>> separator_of("tab"), separator_of(";")
    ('\\t', ';')
    """
    character = _SPELLED.get(spelling, spelling)
    if len(character) != 1 or character in '"\r\n':
        words = ", ".join(word for word in _SPELLED if word.isalpha())
        raise ParameterError(f"--separator {spelling!r}: give a single character, or one of {words}")
    return character


def separator_by_name(path: str) -> str:
    """A tab in .tsv and .tab files, compressed or not, a comma elsewhere.

    >>> separator_by_name("truth.tsv.gz"), separator_by_name("truth.txt")
    ('\\t', ',')
    """
    kind = format_by_name(path)
    return kind.separator if kind and kind.separator else _USUAL


def found_in(text: str, separator: str) -> str | None:
    """How to spell another separator than this one that the text holds.

    >>> found_in("id;label", ","), found_in("label", ",")
    ('semicolon', None)
    """
    return next((word for mark, word in _WORDS.items() if mark in text and mark != separator), None)


def found_in_all(fields: Sequence[str], separator: str) -> str | None:
    """How to spell another separator than this one that every field holds.

    >>> found_in_all(["1;a", "2;b"], ","), found_in_all(["1;a", "b"], ",")
    ('semicolon', None)
    """
    return _in_all(fields, separator, _WORDS)


def found_in_any(fields: Iterable[str], separator: str) -> str | None:
    """How to spell another separator than this one that some field holds, or a space that all hold.

    >>> found_in_any(["a;b", "c"], ","), found_in_any(["a b", "c"], ","), found_in_any(["a b", "c d"], ",")
    ('semicolon', None, 'space')
    """
    fields = list(fields)
    return found_in("\n".join(fields), separator) or spaced_in_all(fields, separator)


def spaced_in_all(fields: Sequence[str], separator: str) -> str | None:
    """The same for what separates fields seldom, and stands in names often.

    >>> spaced_in_all(["a b", "c d"], ",")
    'space'
    """
    return _in_all(fields, separator, _ALSO_IN_NAMES)


def word_for(separator: str) -> str:
    """How to spell a separator.

    >>> word_for(","), word_for("~")
    ('comma', '~')
    """
    return (_WORDS | _ALSO_IN_NAMES).get(separator, separator)


def hint(word: str | None) -> str:
    """The end of an error's text, where another separator was found."""
    return f" (are the fields separated otherwise? try --separator {word})" if word else ""


def _in_all(fields: Sequence[str], separator: str, marks: Mapping[str, str]) -> str | None:
    others = (mark for mark in marks if mark != separator)
    return next((marks[mark] for mark in others if all(mark in field for field in fields)), None)
