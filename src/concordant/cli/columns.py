"""The columns of a text file: how lines are cut into fields, whether a header names them, which are meant.

A file that is cut at the wrong character has one field per row. As labels these are all different, and as
clusters all have one element: two such files agree perfectly. So a single field that holds another separator
is refused, unless ``--separator`` or ``--cluster`` confirms it.

A row that is mistaken for a header is lost without a warning. So an ambiguous first line is refused, unless
``--header`` or ``--no-header`` is given. A named column implies a header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from concordant.errors import FileError, ParameterError, Remedy, nearest_first
from concordant.foundation.spelling import counted
from concordant.sources.descriptions import without_index
from concordant.sources.formats import format_by_name
from concordant.sources.text_files import shown_name

_SHOWN_COLUMNS = 12


@dataclass(frozen=True, slots=True)
class FilePartition:
    """A partition of a file: its elements, and the file and columns that they are read from."""

    elements: Any  # element -> cluster, labels in order, or a partition that an engine reads
    origin: str
    file: SourceFile | None = None  # a table; it has further columns
    is_scanned: bool = False  # by an engine
    is_by_line: bool = False  # one cluster per line
    label: str | None = None  # its column of labels, if it has several

    @property
    def record(self) -> str | None:
        """The column of records, if the user named it."""
        return None if self.file is None or self.label is not None else self.file.naming[0]

    @property
    def path(self) -> str | None:
        """The file, if it can be read again."""
        return None if self.file is None else self.file.path

    @property
    def is_scattered(self) -> bool:
        """Whether there are several elements, all of them singletons."""
        labels = self.elements if isinstance(self.elements, list) else self.elements.values()
        return len(set(labels)) == len(labels) > 1


# Which columns hold the record and its cluster; None: the column that is left.
Naming = tuple[str | None, str | None]
NO_NAMES: Final[Naming] = (None, None)


class SourceFile:
    """A file and the names of its columns, in order; those of record and cluster may be given."""

    further: str | None = None  # a column that is neither the record nor the cluster, such as a weight
    reader: Callable[[Any], FilePartition] | None = None  # of the source, if its columns are not labels

    def __init__(self, path: str, columns: Sequence[str], naming: Naming) -> None:
        self.name = shown_name(path)
        self.path = None if path == "-" else path
        self.columns, self.naming = columns, naming

    def values(self, places: Sequence[int]) -> list[list[str]]:
        """The columns at these positions, whole, as text; empty fields may be None."""
        raise NotImplementedError

    def column(self, name: str) -> dict[str, Any] | list[Any]:
        """A further column: by record, or in order if no column names the record."""
        place = self.place(name)
        try:
            record, _ = self.places()
        except FileError:  # its columns of labels were named
            record = None
        if record is None:
            return self.values([place])[0]
        records, column = self.values([record, place])
        return dict(zip(records, column, strict=True))

    def read(self) -> FilePartition:
        """The partition of records."""
        raise NotImplementedError

    def read_labels(self, names: Sequence[str] | None) -> list[FilePartition]:
        """The partitions that columns of labels give, one element per row."""
        raise NotImplementedError

    def previews(self) -> Sequence[str]:
        """The description of each column in errors."""
        return [repr(name) for name in without_index(self.columns)]

    def hint(self) -> str:
        """The end of an error's text, if the file seems to be read wrongly."""
        return ""

    def described(self) -> str:
        """How many columns there are, and their names."""
        return f"{counted(len(self.previews()), 'column')} ({self.listed()})"

    def listed(self) -> str:
        """The first columns, and how many more there are."""
        shown = self.previews()
        more = len(shown) - _SHOWN_COLUMNS
        return ", ".join(shown[:_SHOWN_COLUMNS]) + (f" and {more} more" if more > 0 else "")

    @property
    def is_named(self) -> bool:
        """Whether the user named the column of the record or the cluster."""
        return self.naming != NO_NAMES

    @property
    def record_and_cluster(self) -> tuple[str | None, str]:
        """The names of the record's column, if any, and of the cluster's."""
        record, cluster = self.places()
        return None if record is None else self.columns[record], self.columns[cluster]

    def place(self, name: str) -> int:
        """The position of the column of that name."""
        times = self.columns.count(name)
        if times == 1:
            return self.columns.index(name)
        if times:
            raise FileError(f"{self.name} has {times} columns called {name!r}; rename them")
        near = nearest_first(name, self.columns, f"it has {self.described()}")
        raise FileError(f"{self.name} has no column {name!r}{near}{self.hint()}")

    def places(self) -> tuple[int | None, int]:
        """The positions of record and cluster: as named, else the remaining column of one or two."""
        record, cluster = (None if name is None else self.place(name) for name in self.naming)
        own = without_index(self.columns)
        others = [place for place, name in enumerate(self.columns) if name in own and name != self.further]
        width = len(others)
        if record is None and cluster is None and 0 < width <= 2:
            return (others[0], others[1]) if width == 2 else (None, others[0])
        if cluster is not None and (record is not None or width == 1):
            return record, cluster
        if width == 2:
            other = others[others[0] in (record, cluster)]
            return (other, cluster) if cluster is not None else (record, other)
        missing = {what: ... for what, place in (("record", record), ("cluster", cluster)) if place is None}
        raise FileError(
            f"{self.name} has {self.described()}{self.hint()}",
            remedies=[Remedy("specify the columns", **missing)],
        )

    def label_places(self, names: Sequence[str] | None) -> list[int]:
        """The positions of several label columns of one file."""
        if names is None:
            raise FileError(
                f"{self.name} has {self.described()}, and there is no second file{self.hint()}",
                remedies=[Remedy("specify the two to compare", columns="REFERENCE,CANDIDATE")],
            )
        return [self.place(name) for name in names]


# -- headers ------------------------------------------------------------------------------------------

HEADER_REMEDIES = (
    Remedy("read the first line as data", header=False),
    Remedy("specify that it has column names", header=True),
)

# Words that name columns, and are rarely names of records or clusters.
_COLUMN_WORD = re.compile(
    r"""(?<![a-z])
    (candidate | category | class | cluster | clustering | code | community | component | document |
    element | entity | family | group | guess | id | identifier | index | item | key | label |
    labels | member | membership | model | name | node | number | object | partition | point |
    prediction | predicted | record | ref | reference | row | run | sample | segment | target |
    topic | true | truth | type | uid | uuid | value)
    (?![a-z])""",
    re.VERBOSE | re.IGNORECASE,
)
_SAMPLE = 1000  # rows that show what a column looks like
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


def check_header(file: str, first: Sequence[str], columns: Sequence[Sequence[str]]) -> None:
    """Refuse a first line that could be a row; ``columns`` are the fields below each of its fields."""
    if could_be_row(first, columns):
        raise FileError(
            f"{file}: the first line ({', '.join(map(repr, first))}) could be a row like the others",
            remedies=HEADER_REMEDIES,
        )


def could_be_row(first: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether each field of the first line is a number, or resembles those below it.

    >>> [could_be_row([first, "1"], [["b", "c"], ["2", "2"]]) for first in ("a", "id")]
    [True, False]
    >>> could_be_row(["alexander", "red"], [["bo", "al"], ["green", "blue"]])
    True
    """
    if not all(columns) or any(map(_COLUMN_WORD.search, first)):
        return False
    return all(
        _NUMBER.fullmatch(field)
        or field in others
        or any(_characters(other) == _characters(field) for other in others[:_SAMPLE])
        for field, others in zip(first, columns, strict=True)
    )


def _characters(field: str) -> frozenset[str]:
    """The kinds of characters that a field is made of."""
    return frozenset("9" if x.isdigit() else "a" if x.isalpha() else x for x in field)


# -- separators ---------------------------------------------------------------------------------------

_SPELLED = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " ", "pipe": "|"}
_WORDS = {";": "semicolon", "\t": "tab", "|": "pipe", ",": "comma"}
ALSO_IN_NAMES = {" ": "space", ":": ":"}  # rarely separate fields
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


def member_separator(text: str, usual: str, name: str) -> str:
    """The separator of cluster members in a text: the usual character, or the only candidate.

    >>> [member_separator(text, ",", "a file") for text in ("a,b c", "a b\\nc", "a")]
    [',', ' ', ',']
    """
    plain = re.sub('"[^"]*"', '""', text)  # quoted characters are not separators
    if usual in plain:
        return usual
    found = [mark for mark in _WORDS if mark in plain]
    if len(found) > 1:
        choices = [Remedy(f"separate them by {plural(mark)}", separator=_WORDS[mark]) for mark in found]
        raise FileError(f"{name} contains {' and '.join(map(plural, found))}", remedies=choices)
    words = {len(line.split()) for line in plain.splitlines() if line.strip()}
    spaced = len(words) > 1  # if all lines have equally many words, each line may be one name
    return found[0] if found else " " if spaced else usual


def plural(separator: str) -> str:
    """The name of several separators, for people.

    >>> plural(" "), plural("~")
    ('spaces', "'~'")
    """
    word = (_WORDS | {" ": "space"}).get(separator)
    return f"{word}s" if word else repr(separator)


def found_in(text: str, separator: str) -> str | None:
    """The spelling of a separator other than this one that the text holds.

    >>> found_in("id;label", ","), found_in("label", ",")
    ('semicolon', None)
    """
    return next((word for mark, word in _WORDS.items() if mark in text and mark != separator), None)


def found_in_all(
    fields: Sequence[str], separator: str, marks: Mapping[str, str] = MappingProxyType(_WORDS)
) -> str | None:
    """The same for one that every field holds; ``marks`` are those to look for.

    >>> found_in_all(["1;a", "2;b"], ","), found_in_all(["1;a", "b"], ",")
    ('semicolon', None)
    >>> found_in_all(["a b", "c d"], ",", ALSO_IN_NAMES)
    'space'
    """
    others = (mark for mark in marks if mark != separator)
    return next((marks[mark] for mark in others if all(mark in field for field in fields)), None)


def found_in_any(fields: Iterable[str], separator: str) -> str | None:
    """The same for one that some field holds, or a space that all hold.

    >>> found_in_any(["a;b", "c"], ","), found_in_any(["a b", "c"], ","), found_in_any(["a b", "c d"], ",")
    ('semicolon', None, 'space')
    """
    fields = list(fields)
    return found_in("\n".join(fields), separator) or found_in_all(fields, separator, ALSO_IN_NAMES)


def word_for(separator: str) -> str:
    """The spelling of a separator.

    >>> word_for(","), word_for("~")
    ('comma', '~')
    """
    return (_WORDS | ALSO_IN_NAMES).get(separator, separator)


def separator_hint(text: str, separator: str) -> str:
    """The end of an error's text, if the text holds another separator."""
    word = found_in(text, separator)
    return f" (if the fields have another separator, try --separator {word})" if word else ""
