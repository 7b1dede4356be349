"""What stands between the fields of a file, and how a file shows that it was cut at the wrong character.

A file that is cut wrong has one field a row. As labels these are all different, and as clusters all
have one element: two such files agree perfectly. So a single field that holds another separator is
refused, until ``--separator`` or ``--cluster`` says that it is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from concordant.errors import FileError, ParameterError, Remedy
from concordant.partitions.formats import format_by_name

_SPELLED = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " ", "pipe": "|"}
_WORDS = {";": "semicolon", "\t": "tab", "|": "pipe", ",": "comma"}
_ALSO_IN_NAMES = {" ": "space", ":": ":"}
_NAMED = {**_WORDS, " ": "space"}
_USUAL = ","


def separator_of(spelling: str) -> str:
    """The character that ``--separator`` means: itself, or a word such as tab.

    >>> separator_of("tab"), separator_of(";")
    ('\\t', ';')
    """
    character = _SPELLED.get(spelling, spelling)
    if len(character) != 1 or not character.isascii() or character in '"\r\n\0':
        words = ", ".join(word for word in _SPELLED if word.isalpha())
        raise ParameterError(f"--separator {spelling!r}: give a single ASCII character, or one of {words}")
    return character


def separator_by_name(path: str) -> str:
    """A tab in .tsv and .tab files, compressed or not, a comma elsewhere.

    >>> separator_by_name("truth.tsv.gz"), separator_by_name("truth.txt")
    ('\\t', ',')
    """
    kind = format_by_name(path)
    return kind.separator if kind and kind.separator else _USUAL


def between_members(text: str, usual: str, name: str) -> str:
    """What separates the members of the clusters of a text: the usual character, or the only one there is.

    >>> [between_members(text, ",", "a file") for text in ("a,b c", "a b\\nc", "a")]
    [',', ' ', ',']
    """
    plain = re.sub('"[^"]*"', '""', text)  # what is quoted separates nothing
    if usual in plain:
        return usual
    found = [mark for mark in _WORDS if mark in plain]
    if len(found) > 1:
        choices = [Remedy(f"separate them by {plural(mark)}", separator=_WORDS[mark]) for mark in found]
        raise FileError(f"{name} holds {' and '.join(map(plural, found))}", remedies=choices)
    words = {len(line.split()) for line in plain.splitlines() if line.strip()}
    spaced = len(words) > 1  # where all lines have as many words, these may be the words of one name
    return found[0] if found else " " if spaced else usual


def plural(separator: str) -> str:
    """What separators are called, for people.

    >>> plural(" "), plural("~")
    ('spaces', "'~'")
    """
    return f"{_NAMED[separator]}s" if separator in _NAMED else repr(separator)


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
