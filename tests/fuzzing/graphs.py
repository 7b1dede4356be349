"""Matchings, groups, best shares and what chance brings, against all ways, lists and fractions."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations
from math import comb, fsum, isclose, log

import numpy as np

from concordant import core


def _numbers(values):
    return np.array(values, dtype=np.int64)


def match(random):
    """assignment() finds the largest total of all ways to match."""
    rows, columns = random.randrange(1, 5), random.randrange(1, 5)
    largest = random.choice([1, 5, 2**40])
    weight = {
        (i, j): random.randint(1, largest) for i in range(rows) for j in range(columns) if random.randrange(3)
    }
    side = max(rows, columns)
    best = max(sum(weight.get(cell, 0) for cell in enumerate(way)) for way in permutations(range(side)))
    cells = list(weight)
    given = (
        _numbers([i for i, _ in cells]),
        _numbers([j for _, j in cells]),
        _numbers(list(weight.values())),
    )
    chosen = [cells[position] for position in core.assignment(*given).tolist()]
    assert len({i for i, _ in chosen}) == len({j for _, j in chosen}) == len(chosen)
    assert sum(weight[cell] for cell in chosen) == best


def group(random):
    """grouped(), largest_first() and best_fractions() against lists and fractions."""
    length = random.choice([0, 1, 5, 300])
    groups = [random.randrange(random.choice([1, 4, length + 1])) for _ in range(length)]
    above = [random.choice([0, 1, 2, 2**62, random.randrange(10**18)]) for _ in groups]
    below = [random.choice([1, 2, 2**62, random.randrange(1, 10**18)]) for _ in groups]
    position, start = (x.tolist() for x in core.grouped(_numbers(groups)))
    members = [position[begin:end] for begin, end in pairwise(start)]
    assert members == [[i for i, g in enumerate(groups) if g == each] for each in range(len(members))]
    order, start = (x.tolist() for x in core.largest_first(_numbers(groups), _numbers(above)))
    for (begin, end), own in zip(pairwise(start), members, strict=True):
        assert order[begin:end] == sorted(own, key=lambda i: (-above[i], i))
    best = core.best_fractions(_numbers(groups), _numbers(above), _numbers(below)).tolist()
    for found, own in zip(best, members, strict=True):
        shares = [Fraction(above[i], below[i]) for i in own]
        assert found == (own[shares.index(max(shares))] if own else -1)


def _sizes(random, total):
    sizes = []
    while sum(sizes) < total:
        sizes.append(random.randint(1, total - sum(sizes)))
    return sizes


def chance(random):
    """expected_mutual_information() against the sum over the hypergeometric law."""
    n = random.choice([1, 2, 7, 40])
    rows, columns = _sizes(random, n), _sizes(random, n)
    terms = [
        Fraction(comb(a, k) * comb(n - a, b - k), comb(n, b))
        * Fraction(k, n)
        * Fraction(log(n * k / (a * b)))
        for a in rows
        for b in columns
        for k in range(max(a + b - n, 1), min(a, b) + 1)
    ]
    given = []
    for side in (rows, columns):
        counts = Counter(side)
        given += [_numbers(list(counts)), _numbers(list(counts.values()))]
    found = core.expected_mutual_information(*given, random.randrange(4))
    assert isclose(found, fsum(map(float, terms)), rel_tol=1e-12, abs_tol=1e-14)


TARGETS = [match, group, chance]
