"""Tables of pairs of records that people judged: the same entity or not."""

from __future__ import annotations

import codecs
import csv
import io
import json
import math
import os
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from concordant.errors import FileError, InputError, kind_of

_SPELLINGS = {1: ("yes", "y", "1", "true", "same"), 0: ("no", "n", "0", "false", "different")}
_UNSURE = ("unsure", "?")
# Whether two records are the same entity.
ANSWERS: dict[str, float | None] = {
    **{word: float(answer) for answer, words in _SPELLINGS.items() for word in words},
    **dict.fromkeys(_UNSURE, None),
}

_COLUMNS = {"question", "judge", "record_a", "record_b", "same"}
# The columns of Splink's tables of labels.
_SPLINK = {"unique_id_l": "record_a", "unique_id_r": "record_b", "clerical_match_score": "same"}
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Spreadsheets run a cell that begins with one of these signs as a formula, so it gets an apostrophe.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(rf"^'({_FORMULA.pattern})")


def spreadsheet_cell(value: Any, unless: re.Pattern[str] | None = None) -> Any:
    """A value in a CSV file that people may open in a spreadsheet; ``unless`` matches text that does no harm.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell("a=b"), spreadsheet_cell(-1)
    ("'=1+1", 'a=b', -1)
    """
    if not isinstance(value, str) or not _FORMULA.match(value) or (unless and unless.fullmatch(value)):
        return value
    return f"'{value}"


Pair = frozenset[str]  # the names of two records, as text


def read_rows(source: Any, needed: tuple[str, ...], what: str) -> list[dict[str, str]]:
    """The rows of a CSV or JSON lines file, of a dataframe, or of a list of mappings, as text."""
    if isinstance(source, (str, os.PathLike)):
        rows = _of_file(Path(source))
        what = f"{what} {source}"
    elif isinstance(source, list | tuple) and all(isinstance(row, Mapping) for row in source):
        rows = [dict(row) for row in source]
    else:
        rows = _of_frame(source, what)
    rows = [{_column(name): value for name, value in row.items()} for row in rows]
    lacking = next((name for name in needed if rows and name not in rows[0]), None)
    if lacking is not None or not rows:
        there = f"there are {', '.join(map(repr, rows[0]))}" if rows else "there are no rows"
        raise InputError(f"{what}: the columns {', '.join(map(repr, needed))} are needed, and {there}")
    return [{key: _as_text(value) for key, value in row.items()} for row in rows]


def _column(name: Any) -> str:
    """A column of ours in the case that it was saved in; other columns stay as they are."""
    plain_name = str(name).strip().casefold()
    return _SPLINK.get(plain_name, plain_name if plain_name in _COLUMNS else str(name))


def _as_text(value: Any) -> str:
    """A value as a CSV file has it: dataframes turn 1 and an empty cell into 1.0 and NaN."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _of_file(path: Path) -> list[dict[str, Any]]:
    try:
        data = path.read_bytes()
        text = data.decode("utf-16" if data[:2] in _UTF_16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not text in UTF-8 or UTF-16 (byte {error.start})") from error
    except (OSError, ValueError) as error:  # of a name that no file has
        raise FileError(f"cannot read {str(path)!r}: {getattr(error, 'strerror', None) or error}") from error
    if path.suffix != ".jsonl":
        separator = max(",;\t", key=text.partition("\n")[0].count)  # spreadsheets choose one by country
        table = csv.DictReader(io.StringIO(text, newline=""), restval="", delimiter=separator)
        return [{name: _ESCAPED.sub(r"\1", value) for name, value in row.items() if name} for row in table]
    rows = []
    for number, line in enumerate(filter(str.strip, text.split("\n")), start=1):
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise FileError(f"{path}, line {number}, is not JSON: {error.msg}") from error
        if not isinstance(row, dict):
            raise FileError(f"{path}, line {number}: each line is an object with a value for each column")
        rows.append(row)
    return rows


def _of_frame(source: Any, what: str) -> list[dict[str, Any]]:
    from narwhals.stable import v2 as narwhals  # imported here to keep `import concordant` fast

    try:
        frame = narwhals.from_native(source, eager_only=True)
    except TypeError as error:
        raise InputError(
            f"{what}: give the name of a CSV or JSON lines file, a dataframe in memory, or a list of "
            f"mappings; not {kind_of(source)}"
        ) from error
    return list(frame.iter_rows(named=True))


def answer_of(text: str, where: str) -> float | None:
    """1 for yes and 0 for no; None for unsure."""
    word = text.strip().casefold()
    if word not in ANSWERS:
        raise InputError(f"{where} is answered {text!r}; write yes, no or unsure (or 1, 0, ?)")
    return ANSWERS[word]


def known_pairs(source: Any, what: str) -> dict[Pair, tuple[str, str, float]]:
    """Pairs that were already judged, by name: both names and the share of "yes" answers."""
    found: dict[Pair, tuple[str, str, list[float]]] = {}
    for number, row in enumerate(read_rows(source, ("record_a", "record_b", "same"), what), start=1):
        if not row["same"].strip():
            continue
        answer = answer_of(row["same"], f"row {number} of {what}")
        one, other = row["record_a"], row["record_b"]
        if one == other:
            raise InputError(f"row {number} of {what} has the record {one!r} twice; a pair needs two records")
        if answer is not None:
            found.setdefault(frozenset((one, other)), (one, other, []))[2].append(answer)
    return {pair: (one, other, sum(xs) / len(xs)) for pair, (one, other, xs) in found.items()}


def shares_of_yes(answers: Collection[float | None]) -> tuple[float, float, float]:
    """The share of yes among the answers of judges, and its bounds with "unsure" as no and as yes.

    >>> shares_of_yes([1.0, 0.0, None, None])
    (0.5, 0.25, 0.75)
    """
    decided = [each for each in answers if each is not None]
    unsure = len(answers) - len(decided)
    value = sum(decided) / len(decided) if decided else 0.5
    return value, sum(decided) / len(answers), (sum(decided) + unsure) / len(answers)


@dataclass(frozen=True, slots=True)
class DrawnPair:
    """A pair that was drawn and judged: the answers of its judges, None for unsure, and its other columns."""

    pair: tuple[str, str]
    answers: tuple[float | None, ...]
    columns: Mapping[str, str]

    @property
    def shares(self) -> tuple[float, float, float]:
        """The share of yes, and its bounds with "unsure" as no and as yes."""
        return shares_of_yes(self.answers)


def drawn_pairs(source: Any) -> list[DrawnPair]:
    """The pairs of a table in their order. A pair that one judge answered twice was drawn twice.

    >>> row = {"record_a": "x", "record_b": "y", "judge": "ann"}
    >>> rows = [{**row, "same": "yes"}, {**row, "same": "no", "judge": "bob"}, {**row, "same": "yes"}]
    >>> [each.answers for each in drawn_pairs(rows)]
    [(1.0, 0.0), (1.0,)]
    """
    found: dict[tuple[Pair, int], DrawnPair] = {}
    seen: Counter[tuple[Pair, str]] = Counter()
    rows = read_rows(source, _NEEDED, "the table of pairs")
    several = len({row.get(f"source_dataset_{side}") for row in rows for side in "lr"}) > 1
    for number, row in enumerate(rows, start=1):
        if not row["same"].strip():
            continue
        one, other, judge = row["record_a"], row["record_b"], row.get("judge", "").strip()
        if several:  # ids are unique within a data set only; Splink joins both in this way
            one, other = (
                f"{row[f'source_dataset_{side}']}-__-{name}"
                for side, name in zip("lr", (one, other), strict=True)
            )
        if one == other or not one or not other:
            raise InputError(f"row {number} of the pairs has the records {one!r} and {other!r}; give two")
        answer = _share_of(row["same"], f"row {number} of the pairs")
        pair = frozenset((one, other))
        key = pair, seen[pair, judge]
        seen[pair, judge] += 1
        columns = {name: text for name, text in row.items() if name not in _OF_ANSWERS}
        first = found.setdefault(key, DrawnPair((one, other), (), columns))
        if first.columns != columns:
            raise InputError(
                f"row {number} of the pairs has other values than the row of another judge for {one!r} and "
                f"{other!r}; a drawn pair has one weight"
            )
        found[key] = replace(first, answers=(*first.answers, answer))
    return list(found.values())


_NEEDED = ("record_a", "record_b", "same")
_OF_ANSWERS = ("question", "judge", *_NEEDED)


def _share_of(text: str, where: str) -> float | None:
    """An answer, which may be a score between 0 and 1."""
    try:
        score = float(text)
    except ValueError:
        return answer_of(text, where)
    return score if 0 <= score <= 1 else answer_of(text, where)
