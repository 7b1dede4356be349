"""Every shuffle of a few elements, and what it makes of two partitions."""

from collections import Counter
from functools import cache
from itertools import combinations, permutations, product

import numpy as np


@cache
def shapes(n):
    """The cluster sizes of all partitions of n elements, largest first."""

    def parts(left, largest):
        if not left:
            yield ()
        for size in range(min(left, largest), 0, -1):
            yield from ((size, *rest) for rest in parts(left - size, size))

    return list(parts(n, n))


def pairs_of_shapes(n):
    return list(product(shapes(n), repeat=2))


def labels(sizes):
    return np.repeat(np.arange(len(sizes)), sizes)


@cache
def _orders(n):
    return np.array(list(permutations(range(n))))


def n11_of_all_shuffles(rows, columns):
    """How many of all n! permutations give each N₁₁, by looking at every pair of elements."""
    u, v = labels(rows), labels(columns)
    shuffled = v[_orders(len(u))]
    together = [shuffled[:, i] == shuffled[:, j] for i, j in combinations(range(len(u)), 2) if u[i] == u[j]]
    return Counter(np.sum(together, axis=0).tolist() if together else [0] * len(shuffled))


def cells_of_all_shuffles(rows, columns):
    """How many of all n! permutations give each contingency table."""
    u, v = labels(rows), labels(columns)
    key = u * len(columns) + v[_orders(len(u))]
    tables = np.stack([(key == cell).sum(axis=1) for cell in range(len(rows) * len(columns))], axis=1)
    found, counts = np.unique(tables, axis=0, return_counts=True)
    return [
        (table.reshape(len(rows), len(columns)), int(count))
        for table, count in zip(found, counts, strict=True)
    ]
