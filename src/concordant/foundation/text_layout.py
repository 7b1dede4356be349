"""Text for terminals: how wide it is, how it is shortened and folded, and tables that fit.

Widths are in terminal cells. A Chinese, Japanese or Korean character and most emoji take two, a combining
mark takes none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

SHORT = 28  # cells of a label in a chart
WIDEST = 79  # cells of a line: more is hard to read, and the common terminal has 80
_NARROWEST = 40
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_GAP = 2

# Half a word at the cut of a shortened text.
_LAST_WORD, _FIRST_WORD = re.compile(r"[^\W_]+$"), re.compile(r"^[^\W_]+")


def line_width() -> int:
    """How many cells a line has: those of the terminal, or of the variable COLUMNS, but no more than 79."""
    import shutil  # slow to import, rarely needed

    columns = shutil.get_terminal_size().columns
    return max(min(columns - 1, WIDEST), _NARROWEST)


@lru_cache(4096)
def cell_width(text: str) -> int:
    """How many cells of a terminal a text takes.

    >>> cell_width("cluster"), cell_width("聚类"), cell_width("e\\u0301")
    (7, 4, 1)
    """
    others = () if text.isascii() else _NOT_ASCII.findall(text)
    return len(text) - len(others) + sum(map(_cells, others))


@cache
def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def shortened(text: str, length: int = SHORT) -> str:
    """The text, or as much of its beginning and end as fits; words are cut only if they are long.

    >>> shortened("cluster-of-the-year-2026", 12), shortened("the first candidate of the year", 20)
    ('cluster…2026', 'the first … year')
    >>> shortened("Normalised mutual information (arithmetic mean)", 40)
    'Normalised mutual … mean)'
    >>> shortened("聚类的名字很长的一个", 12)
    '聚类的…一个'
    """
    if _fitting(text, length) == len(text):
        return text
    tail = length // 3
    head = text[: _fitting(text, length - 1 - tail)]
    end = text[len(text) - _fitting(text[::-1], tail) :]
    begins, ends = _LAST_WORD.search(head), _FIRST_WORD.search(end)
    # Leave out a word that would be cut, unless it is most of the beginning, or all of the end.
    if begins and text[len(head)].isalnum() and begins.start() > len(head) // 2:
        head = head[: begins.start()]
    if ends and text[-len(end) - 1].isalnum() and any(map(str.isalnum, end[ends.end() :])):
        end = end[ends.end() :]
    return f"{head}…{end}"


def shortened_apart(texts: Sequence[str], length: int = SHORT) -> list[str]:
    """Each text shortened; without the words that all begin or end with, if some would read the same.

    >>> shortened_apart(["Homo sapiens population 7 of Asia", "Homo sapiens population 12 of Asia"], 14)
    ['…7…', '…12…']
    >>> shortened_apart(["ann", "bob"], 14)
    ['ann', 'bob']
    """
    short = [shortened(text, length) for text in texts]
    if len(set(short)) == len(set(texts)):
        return short
    begin = _LAST_WORD.sub("", _common_beginning(texts))
    end = _FIRST_WORD.sub("", _common_beginning([text[::-1] for text in texts])[::-1])
    parts = [text[len(begin) : len(text) - len(end)] for text in texts]
    return [("…" if begin else "") + shortened(part, length - 2) + ("…" if end else "") for part in parts]


def _common_beginning(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)  # all others are between them
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[:length]


def _fitting(text: str, room: int) -> int:
    """How many of the first characters fit."""
    if text.isascii():
        return min(room, len(text))
    used = 0
    for place, character in enumerate(text):
        used += _cells(character)
        if used > room:
            return place
    return len(text)


def folded(text: str, width: int, indent: int = 2) -> str:
    """Text whose lines fit: longer ones go on below, indented. Words stay whole.

    >>> print(folded("1 edit\\n  move record 7 to cluster 3: 0.97", 20))
    1 edit
      move record 7 to
        cluster 3: 0.97
    """
    return "\n".join(part for line in text.split("\n") for part in _fold(line, width, indent))


def _fold(line: str, width: int, indent: int) -> list[str]:
    if cell_width(line) <= width:
        return [line]
    begin = line[: len(line) - len(line.lstrip(" "))]
    parts, rest = [begin], " " * (len(begin) + indent)
    is_empty = True
    for word in line[len(begin) :].split(" "):
        more = word if is_empty else f" {word}"
        if not is_empty and cell_width(parts[-1]) + cell_width(more) > width:
            parts.append(rest)
            more = word
        parts[-1] += more
        is_empty = False
    return [part.rstrip() for part in parts]


def text_columns(rows: Sequence[Sequence[str]], *, left: int = 1, gap: int = _GAP) -> list[str]:
    """One line per row. The first ``left`` columns are aligned to the left, the others to the right.

    >>> for line in text_columns([["", "clusters"], ["monday", "2"], ["sunday", "12"]]):
    ...     print(line)
            clusters
    monday         2
    sunday        12
    """
    widths = _widths(rows)
    lines = []
    for row in rows:
        cells = []
        for place, (text, width) in enumerate(zip(row, widths, strict=True)):
            blank = " " * (width - cell_width(text))
            cells.append(text + blank if place < left else blank + text)
        lines.append((" " * gap).join(cells).rstrip())
    return lines


def fitted_columns(
    rows: Sequence[Sequence[str]], *, left: int = 1, has_head: bool = True, width: int | None = None
) -> list[str]:
    """The same for a table that may be too wide: no column is lost.

    Titles of several words take several lines. Long names in the first column are shortened. Single words
    and numbers are a space apart. If that is not enough, the table is cut into parts of similar width, one
    below the other, with the names in each.

    >>> table = [["", "still wrong", "born", "died"], ["a partition", "1", "2", "3"]]
    >>> for line in fitted_columns(table, width=30):
    ...     print(line)
                 still
                 wrong  born  died
    a partition      1     2     3
    >>> for line in fitted_columns(table, width=24):
    ...     print(line)
                 still
                 wrong
    a partition      1
    <BLANKLINE>
                 born  died
    a partition     2     3
    """
    room = line_width() if width is None else width
    if _total(_widths(rows)) <= room:
        return text_columns(rows, left=left)
    head, body = (_stacked(rows[0]), rows[1:]) if has_head else ([], rows)
    table = [[shortened(row[0]), *row[1:]] for row in (*head, *body)]
    widths = _widths(table)
    if _total(widths) <= room:
        return text_columns(table, left=left)
    if _total(widths, gap=1) <= room and not any(" " in text for row in table for text in row[1:]):
        return text_columns(table, left=left, gap=1)
    cuts = [_parts(widths, narrower) for narrower in range(room + 1)]
    blocks = next(each for each in cuts if len(each) == len(cuts[-1]))  # as few parts, of similar width
    lines: list[str] = []
    for block in blocks:
        part = [[row[place] for place in (0, *block)] for row in table]
        while head and len(part) > len(body) and not any(part[0]):
            part = part[1:]  # a line of the head that only other columns need
        if lines:  # a row that has nothing more is not repeated
            part = [row for place, row in enumerate(part) if any(row[1:]) or (not place and has_head)]
        lines += [*([""] if lines else []), *text_columns(part, left=left)]
    return lines


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(cell_width, column)) for column in zip(*rows, strict=True)]


def _total(widths: Sequence[int], gap: int = _GAP) -> int:
    return sum(widths) + gap * (len(widths) - 1)


def _parts(widths: Sequence[int], room: int) -> list[list[int]]:
    """The columns after the first in as few parts as fit beside it, filled from the right.

    The last columns of a table belong together more than the first.
    """
    parts: list[list[int]] = [[]]
    for place in range(len(widths) - 1, 0, -1):
        shown = [widths[0], widths[place], *(widths[each] for each in parts[0])]
        if parts[0] and _total(shown) > room:
            parts.insert(0, [])
        parts[0].insert(0, place)
    return parts


def _stacked(titles: Sequence[str]) -> list[list[str]]:
    """Titles with a line for each of their words, the last words in the last line."""
    words = [title.split() for title in titles]
    height = max(map(len, words))
    return [
        [each[line - height + len(each)] if line >= height - len(each) else "" for each in words]
        for line in range(height)
    ]
