"""Suggested edits of a few elements, against comparing the labels after every single edit."""

from functools import lru_cache
from itertools import combinations
from math import inf, isfinite, isnan

import pytest
from inner import INDICES

import concordant as cc
from fuzzing.overlaps import codes
from fuzzing.refusals import answer

RANKING = [each for each in INDICES.values() if each.direction != "statistic" and each.sides != "covers"]
_KINDS = ("merge", "split", "move")
_ROUNDING = 2.0**-48


def single_edits(u, v, kinds=_KINDS):
    """The candidate after each single edit of these kinds; a split in two is one edit, not two."""
    split = set()
    for one, other in combinations(sorted(set(v)), 2):
        rows = [{x for x, y in zip(u, v, strict=True) if y == column} for column in (one, other)]
        if "merge" in kinds and rows[0] & rows[1]:
            yield [one if y == other else y for y in v]
    for x, y in sorted(set(zip(u, v, strict=True))):
        here = [i for i in range(len(u)) if (u[i], v[i]) == (x, y)]
        left = [i for i in range(len(u)) if v[i] == y and i not in here]
        parts = frozenset([tuple(here), tuple(left)])
        if "split" in kinds and left and parts not in split:
            split.add(parts)
            yield [-1 if i in here else z for i, z in enumerate(v)]
        if "move" in kinds:
            others = {z for w, z in zip(u, v, strict=True) if w == x and z != y}
            yield from ([z if i == here[0] else each for i, each in enumerate(v)] for z in sorted(others))


@lru_cache(maxsize=1000)  # tests ask every index of the same few partitions
def compared(u, v, undefined):
    return cc.compare(u, v, undefined=undefined)


def best_values(u, v, index, kinds=_KINDS, undefined="convention"):
    """The values of the edits that make the index better, best first; undefined is worst."""
    sign = 1 if index.direction == "similarity" else -1

    def merit(value):
        return -inf if isnan(value) else sign * value

    now = compared(tuple(u), tuple(v), undefined)[index.name]
    least = merit(now) + (_ROUNDING * max(1, abs(now)) if isfinite(now) else 0)
    edits = single_edits(u, v, kinds)
    values = [compared(tuple(u), tuple(each), undefined)[index.name] for each in edits]
    return sorted((value for value in values if merit(value) > least), key=merit, reverse=True)


def follow(random):
    """A list of suggestions, and those that follow an edit."""
    size = random.randrange(1, 9)
    u, v = (codes(random.randrange(4) for _ in range(size)) for _ in range(2))
    index = random.choice(RANKING)
    index = random.choice([index, *(each for each in index.samples if answer(INDICES.get, each.name))])
    kinds = random.sample(_KINDS, random.randrange(1, 4))
    undefined = random.choice(["convention", "nan", "conll"])
    suggestions = cc.compare(u, v, undefined=undefined).suggest(index.name, kinds=kinds, limit=None)
    for _ in range(4):
        assert [each.value for each in suggestions] == pytest.approx(
            best_values(u, v, index, kinds, undefined), abs=1e-12
        )
        if not suggestions:
            break
        suggestions = suggestions[random.randrange(len(suggestions))].apply()
        records = sorted(suggestions.compare().records(limit=None), key=lambda each: each.record)
        v = [each.candidate for each in records]
        value = cc.compare(u, v, undefined=undefined)[index.name]
        assert suggestions.value == pytest.approx(value, abs=1e-12, nan_ok=True)


TARGETS = [follow]
