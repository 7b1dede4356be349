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
    """The profile that the engine counts; one object for all pairs of which it counts the same.

    An index sees nothing of a pair but its profile, so what holds for the object holds for each of them.
    """
    counted = memory.profile(np.array(u, dtype=np.int64), np.array(v, dtype=np.int64))
    return _ONE_OF_A_KIND.setdefault(_content(counted), counted)


_ONE_OF_A_KIND = {}


def _content(profile):
    parts = [(profile, ("n", "a", "b", "count")), (profile.table, ("row", "column", "n"))]
    return tuple(tuple(getattr(part, name).tolist()) for part, names in parts for name in names)


@cache
def pairs(size):
    """All ordered pairs (U, V) of partitions of that many elements."""
    return tuple(product(partitions(size), repeat=2))


@cache
def profiles(size):
    """The different profiles of all those pairs, each with the first pair that has it.

    The other pairs that have it are the same but for the order of the elements.
    """
    first = {}
    for u, v in pairs(size):
        first.setdefault(profile(u, v), (u, v))
    return first


def shape(labels):
    return tuple(sorted(labels.count(x) for x in set(labels)))
