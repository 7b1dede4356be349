# ruff: noqa: INP001  (a script, not part of a package)
"""Writes key.csv, response.csv and mentions.csv: who is meant in a short text, and what a rule makes of it.

    python examples/coreference/make_data.py

The text was written for this example. Each mention stands in brackets with the entity it means: [Mara|mara].
The rule lets a name mean whoever had that name before, and a pronoun the nearest name before it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent
TEXT = """
[Mara|mara] found [a brass compass|compass] in [her|mara] grandmother's attic. [It|compass] pointed
not to the north but to [the old lighthouse|light]. [Her brother Jon|jon] laughed when [she|mara]
showed [it|compass] to [him|jon]. "[It|compass] is broken," [he|jon] said, "like everything in [that
house|house]." But [Mara|mara] had seen [the keeper|keeper] of [the lighthouse|light] wave to
[her|mara] the week before, and [she|mara] wanted to know what [he|keeper] knew. So [the two of
them|both] walked along the shore. [Jon|jon] carried the lamp, [his sister|mara] [the
compass|compass]. At [the door|door] [they|both] knocked. [The keeper|keeper] opened [it|door] and
smiled. "[You|mara] have brought back what [my|keeper] father lost," [he|keeper] said, and took
[it|compass] from [Mara|mara]. [Jon|jon] looked at [him|keeper], then at [the thing|compass] in
[his|keeper] hand. [It|compass] was turning, slowly, towards [her|mara].
"""
PRONOUNS = {"it": "thing", "she": "she", "her": "she", "he": "he", "him": "he", "his": "he", "they": "they"}
NAMES = {
    "Mara": "she",
    "Jon": "he",
    "keeper": "he",
    "compass": "thing",
    "lighthouse": "thing",
    "door": "thing",
}


def main() -> None:
    """Write all files beside this script."""
    key: list[tuple[str, str]] = []
    response: list[tuple[str, str]] = []
    mentions: list[tuple[str, str, str]] = []
    last: dict[str, str] = {}
    for number, found in enumerate(re.finditer(r"\[([^|\]]+)\|(\w+)\]", TEXT)):
        text, entity = " ".join(found[1].split()), found[2]
        mention = f"m{number:02}"
        key.append((mention, entity))
        response.append((mention, resolved(text, last, mention)))
        mentions.append((mention, text, around(found)))
    write("key.csv", ("mention", "entity"), key)
    write("response.csv", ("mention", "cluster"), response)
    write("mentions.csv", ("mention", "text", "where"), mentions)


def resolved(text: str, last: dict[str, str], mention: str) -> str:
    """The cluster that the rule puts a mention into."""
    name = next((name for name in NAMES if name in text), None)
    if name is not None:
        last[NAMES[name]] = name
        return name
    return last.get(PRONOUNS.get(text.lower(), ""), mention)


def around(found: re.Match[str]) -> str:
    """The mention with a few words before and after it."""
    plain = re.compile(r"\[([^|\]]+)\|\w+\]")
    before, after = plain.sub(r"\1", TEXT[: found.start()]), plain.sub(r"\1", TEXT[found.end() :])
    return " ".join([*before.split()[-4:], f"[{' '.join(found[1].split())}]", *after.split()[:4]])


def write(name: str, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """A CSV file."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
