"""Every partition of a few elements, and every pair of them as a profile."""

from functools import cache
from itertools import product

import numpy as np

from concordant.engines import memory

LARGEST = 5


@cache
def partitions(size):
    """All partitions of that many elements, as tuples of labels; each label first appears in order."""
    if size == 0:
        return ((),)
    longer = []
    for shorter in partitions(size - 1):
        clusters = max(shorter, default=-1) + 1
        longer += [(*shorter, label) for label in range(clusters + 1)]
    return tuple(longer)


@cache
def profile(u, v):
    return memory.profile(np.array(u, dtype=np.int64), np.array(v, dtype=np.int64))


@cache
def pairs(size):
    """All ordered pairs (U, V) of partitions of that many elements."""
    return tuple(product(partitions(size), repeat=2))


def shape(labels):
    return tuple(sorted(labels.count(x) for x in set(labels)))
