"""Whether the first line of a file names its columns, or is a row like those below it.

A row that is taken for a header is lost, and nobody notices. So a first line that could be either is refused,
until --header or --no-header says what it is. A column that was named has a header.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from concordant.errors import FileError, Remedy

REMEDIES = (
    Remedy("read the first line as data", header=False),
    Remedy("say that it names the columns", header=True),
)

# Words that name columns, and are seldom names of records or clusters.
_WORDS = frozenset(
    (
        "candidate",
        "category",
        "class",
        "cluster",
        "clustering",
        "code",
        "community",
        "component",
        "document",
        "element",
        "entity",
        "family",
        "group",
        "guess",
        "id",
        "identifier",
        "index",
        "item",
        "key",
        "label",
        "labels",
        "member",
        "membership",
        "model",
        "name",
        "node",
        "number",
        "object",
        "partition",
        "point",
        "prediction",
        "predicted",
        "record",
        "ref",
        "reference",
        "row",
        "run",
        "sample",
        "segment",
        "target",
        "topic",
        "true",
        "truth",
        "type",
        "uid",
        "uuid",
        "value",
    )
)
_SAMPLE = 1000  # rows that show what a column looks like
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


def check(file: str, first: Sequence[str], columns: Sequence[Sequence[str]]) -> None:
    """Refuse a first line that could be a row; ``columns`` are the fields below each of its own."""
    if could_be_row(first, columns):
        raise FileError(
            f"{file}: the first line ({', '.join(map(repr, first))}) could be a row like the others",
            remedies=REMEDIES,
        )


def could_be_row(first: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether each field of the first line is like those below it.

    >>> [could_be_row([first, "1"], [["b", "c"], ["2", "2"]]) for first in ("a", "id")]
    [True, False]
    >>> could_be_row(["alexander", "red"], [["bo", "al"], ["green", "blue"]])
    True
    """
    if not all(columns) or any(map(_is_word, first)):
        return False
    return all(_is_like(field, others) for field, others in zip(first, columns, strict=True))


def _is_word(field: str) -> bool:
    return not _WORDS.isdisjoint(re.split(r"[^a-z]+", field.casefold()))


def _is_like(field: str, others: Sequence[str]) -> bool:
    """Whether it is a number, stands there again, or is made of the characters that others are made of."""
    if _NUMBER.fullmatch(field) or field in others:
        return True
    kinds = _kinds(field)
    return any(_kinds(other) == kinds for other in others[:_SAMPLE])


def _kinds(field: str) -> frozenset[str]:
    return frozenset("9" if x.isdigit() else "a" if x.isalpha() else x for x in field)
