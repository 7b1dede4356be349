# ruff: noqa: INP001  (a script, not part of a package)
"""Writes truth.csv, old.csv, new.csv and people.csv: made-up people, and two ways to find who is who.

    python examples/entities/make_data.py

Nobody here exists: names are drawn from short lists, and records of one person differ by typos, missing years
and changed surnames. ``old`` links records of the same surname and year, ``new`` compares letters and
forgives a typo.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path

HERE = Path(__file__).parent
FIRST = ["Ada", "Amos", "Bela", "Clara", "Dora", "Emil", "Flora", "Greta", "Hugo", "Ida", "Jonas", "Karla"]
FIRST += ["Lena", "Max", "Nora", "Otto", "Paula", "Rosa"]
LAST = ["Abel", "Berg", "Conti", "Duval", "Egger", "Frank", "Gruber", "Hofer", "Imhof", "Jansen", "Keller"]
LAST += ["Lang", "Meier", "Novak", "Olsen", "Pohl"]
PEOPLE = 160
Person = dict[str, str]


def main() -> None:
    """Write all files beside this script."""
    draw = random.Random(20)  # noqa: S311  (no secret depends on it)
    records: list[Person] = []
    truth: dict[str, str] = {}
    for number in range(PEOPLE):
        born = str(draw.randrange(1930, 2005))
        person = {"first": draw.choice(FIRST), "last": draw.choice(LAST), "born": born}
        for _ in range(draw.choice([1, 1, 2, 2, 3, 4])):
            name = f"r{len(records):03}"
            records.append({"record": name, **seen(person, draw)})
            truth[name] = f"P{number:03}"
    write("people.csv", list(records[0]), (list(each.values()) for each in records))
    write("truth.csv", ["record", "person"], truth.items())
    for file, alike in (("old.csv", same_surname_and_year), ("new.csv", nearly_the_same)):
        write(file, ["record", "cluster"], linked(records, alike).items())


def seen(person: Person, draw: random.Random) -> Person:
    """A person as a clerk wrote them down."""
    first, last, born = person["first"], person["last"], person["born"]
    if draw.random() < 0.22:
        last = typo(last, draw)
    if draw.random() < 0.15:
        first = typo(first, draw)
    if draw.random() < 0.06:
        last = draw.choice(LAST)  # married
    if draw.random() < 0.1:
        born = ""
    return {"first": first, "last": last, "born": born}


def typo(word: str, draw: random.Random) -> str:
    place = draw.randrange(1, len(word))
    kind = draw.choice(["swap", "drop", "double"])
    if kind == "swap" and place < len(word) - 1:
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return word[:place] + (word[place] * 2 if kind == "double" else "") + word[place + 1 :]


def same_surname_and_year(one: Person, other: Person) -> bool:
    return one["last"] == other["last"] and one["born"] == other["born"]


def nearly_the_same(one: Person, other: Person) -> bool:
    same_year = not one["born"] or not other["born"] or one["born"] == other["born"]
    apart = distance(one["first"], other["first"]) + distance(one["last"], other["last"])
    return same_year and apart <= (2 if one["born"] and other["born"] else 0)


def distance(one: str, other: str) -> int:
    """How many letters are to be changed, put in or left out (Levenshtein 1966)."""
    before = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, second in enumerate(other, start=1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != second)))
        before = row
    return before[-1]


def linked(records: list[Person], alike: Callable[[Person, Person], bool]) -> dict[str, str]:
    """Records that are linked, directly or through others, share a cluster."""
    head = {each["record"]: each["record"] for each in records}

    def top(name: str) -> str:
        while head[name] != name:
            name = head[name]
        return name

    for one, other in combinations(records, 2):
        if alike(one, other):
            first, second = sorted((top(one["record"]), top(other["record"])))
            head[second] = first
    return {name: f"c{top(name)[1:]}" for name in head}


def write(name: str, header: list[str], rows: Iterable[Iterable[str]]) -> None:
    """A CSV file."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
