"""The overlaps of two lists of labels, counted by a dictionary."""

from collections import Counter


def triples(u, v):
    """(a, b, n) of each non-empty cell, with its multiplicity."""
    cells, rows, columns = Counter(zip(u, v, strict=True)), Counter(u), Counter(v)
    return Counter((rows[i], columns[j], n) for (i, j), n in cells.items())


def pair_counts(u, v):
    """The pairs together in both, in the first, and in the second."""
    together = (sum(n * (n - 1) // 2 for n in Counter(x).values()) for x in (zip(u, v, strict=True), u, v))
    return tuple(together)


def codes(values):
    """Numbers from 0 in the order of first appearance."""
    numbers = {}
    return [numbers.setdefault(value, len(numbers)) for value in values]
