"""Every partition of a few elements, and every pair of them as a profile."""

from functools import cache
from itertools import permutations, product

import numpy as np
from inner import Contingency, PartialOverlap

import concordant as cc

LARGEST = 5
ORDERS = 4  # of the clusters, that are looked at where all would take long


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
    counted = cc.compare(np.array(u, dtype=np.int64), np.array(v, dtype=np.int64))._counts
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


@cache
def kinds(size):
    """Pairs of partitions, one for each profile, but at most four that differ by the order of the clusters.

    All others are the same as one of them but for the order of the elements or of the clusters.
    """
    chosen = {one_of_its_kind(profile): None for _, same in reordered(size) for profile in same}
    return tuple(profiles(size)[profile] for profile in chosen)


@cache
def places(size):
    """For each pair of partitions, in a matrix, which of the profiles it has."""
    number = {each: place for place, each in enumerate(profiles(size))}
    return np.array([number[profile(u, v)] for u, v in pairs(size)]).reshape((len(partitions(size)),) * 2)


@cache
def reordered(size):
    """The first pair of partitions of each kind, with the profiles of all pairs that are the same but for the
    order of the elements: those differ by the order of their clusters alone, which no definition looks at.
    """
    met, found = set(), []
    for pair in pairs(size):
        if pair not in met:
            same = _with_all_orders(pair)
            met |= same
            found.append((pair, tuple({profile(u, v): None for u, v in sorted(same)})))
    return tuple(found)


@cache
def _one_of_each_kind(orders):
    found = {}
    for _, same in (kind for size in range(LARGEST + 1) for kind in reordered(size)):
        step = -(-len(same) // orders)
        found |= {profile: same[place - place % step] for place, profile in enumerate(same)}
    return found


def one_of_its_kind(counts, orders=ORDERS):
    """One of so many profiles that are this one but for the order of clusters; itself if it is no profile."""
    return _one_of_each_kind(orders).get(counts, counts)


@cache
def one_of_each_kind(size, orders=ORDERS):
    """For each profile of that many elements, what `one_of_its_kind` gives."""
    return {profile: one_of_its_kind(profile, orders) for profile in profiles(size)}


def _with_all_orders(pair):
    """The pair and all that neighbouring elements changing places make of it."""
    met, left = {pair}, [pair]
    for u, v in left:
        for i in range(len(u) - 1):
            swapped = tuple(canonical((*x[:i], x[i + 1], x[i], *x[i + 2 :])) for x in (u, v))
            if swapped not in met:
                met.add(swapped)
                left.append(swapped)
    return met


def canonical(labels):
    """The same clusters, numbered as their first elements come."""
    names = {}
    return tuple(names.setdefault(x, len(names)) for x in labels)


@cache
def _renamings(labels):
    """The orders of the elements that leave a partition as it is."""
    return [order for order in permutations(range(len(labels))) if _renamed(labels, order) == labels]


def _renamed(labels, order):
    return canonical(labels[place] for place in order)


def one_of_renamed(labels, *others):
    """Of all partitions beside this one that differ from these by the names of the elements, the first."""
    return min(tuple(_renamed(each, order) for each in others) for order in _renamings(labels))


@cache
def partial_partitions(size):
    """All partitions of all subsets of that many elements; None is the label of those left out.

    There are as many as partitions of one element more: those left out are its cluster.
    """
    return tuple(tuple(label or None for label in labels[1:]) for labels in partitions(size + 1))


@cache
def partial_overlap(u, v):
    """The counts of two partial partitions, counted from their definition."""
    clusters = [_clusters(labels) for labels in (u, v)]
    met = [[c for c in clusters[k] if any(c & d for d in clusters[1 - k])] for k in (0, 1)]
    alone = [[c for c in clusters[k] if c not in met[k]] for k in (0, 1)]
    cells = [(i, j, len(a & b)) for i, a in enumerate(met[0]) for j, b in enumerate(met[1]) if a & b]
    row, column, n = np.array(cells, dtype=np.int64).reshape(-1, 3).T
    sizes = [np.array([len(c) for c in met[k] + alone[k]], dtype=np.int64) for k in (0, 1)]
    return PartialOverlap.of_table(Contingency(row.copy(), column.copy(), n.copy(), sizes=sizes))


def _clusters(labels):
    names = sorted({label for label in labels if label is not None})
    return [frozenset(i for i, label in enumerate(labels) if label == name) for name in names]


def shape(labels):
    return tuple(sorted(labels.count(x) for x in set(labels)))
