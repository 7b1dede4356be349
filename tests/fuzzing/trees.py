"""Trees as arrays: sums at every level against the cuts themselves, and arrays that are not trees."""

import contextlib
from collections import Counter

import numpy as np

from concordant import core

_ODD = [-(2**63), -2, -1, 0, 1, 2**31, 2**32, 2**63 - 1]


def _numbers(values):
    return np.array(values, dtype=np.int64)


def _tree(random, leaves):
    """Parents and levels of a forest: nodes join two or more others."""
    parent, level, free = [-1] * leaves, [], list(range(leaves))
    while len(free) > 1 and random.randrange(30):
        node = len(parent)
        for _ in range(min(len(free), random.choice([2, 2, 3, 5]))):
            parent[free.pop(random.randrange(len(free)))] = node
        parent.append(-1)
        level.append((level[-1] if level else 1) + (random.random() < 0.7 if level else 0))
        free.append(node)
    return parent, level


def _clusters(parent, level, leaves, at):
    found = []
    for x in range(leaves):
        node = x
        while parent[node] >= 0 and level[parent[node] - leaves] <= at:
            node = parent[node]
        found.append(node)
    return found


def levels(random):
    """pair_levels() and overlap_levels() against the cuts."""
    leaves = random.choice([1, 2, 9, 60])
    parent, level = _tree(random, leaves)
    count = random.randint(1, leaves)
    label = [random.randrange(count) for _ in range(leaves)]
    last = level[-1] if level else 0
    given = _numbers(parent), _numbers(level), last, _numbers(label), count, random.randrange(3)
    pairs, overlaps = core.pair_levels(*given), core.overlap_levels(*given)
    for at in range(last + 1):
        cells = Counter(zip(label, _clusters(parent, level, leaves, at), strict=True))
        sizes = Counter(cluster for _, cluster in cells.elements())
        assert pairs["nn"][at] == sum(n * n for n in cells.values())
        assert pairs["bb"][at] == sum(n * n for n in sizes.values())
        assert pairs["clusters"][at] == len(sizes)
        assert pairs["largest"][at] == max(sizes.values())
        assert overlaps["cells"][at] == len(cells)
        best = {cluster: max(n for (_, own), n in cells.items() if own == cluster) for cluster in sizes}
        assert overlaps["cluster_best"][at] == sum(best.values())
    core.share_levels(*given)
    core.log_levels(*given)
    core.grown_overlaps(*given)


def pairs(random):
    """PairForest() against the components at each score."""
    records, length = random.choice([1, 4, 30]), random.choice([0, 3, 50, 5000])
    ends = [[random.randrange(records) for _ in range(length)] for _ in range(2)]
    scores = [
        random.choice([0.5, -0.0, 0.0, -np.inf, np.inf, 5e-324, random.random()]) for _ in range(length)
    ]
    forest = core.PairForest(random.choice([1, 100, 10**6]))
    forest.add(_numbers(ends[0]), _numbers(ends[1]), np.array(scores, dtype=np.float64), random.randrange(3))
    parent, heights, level, clusters = (each.tolist() for each in forest.finish(records))
    assert heights == sorted(heights, reverse=True)
    for at in (0, len(clusters) // 2, len(clusters) - 1):
        least = min((h for h, own in zip(heights, level, strict=True) if own <= at), default=None)
        top = list(range(records))

        def root(x, top=top):
            while top[x] != x:
                x = top[x]
            return x

        for one, other, score in zip(*ends, scores, strict=True):
            if least is not None and score >= least:
                top[root(one)] = root(other)
        components = {root(x) for x in range(records)}
        assert clusters[at] == len(components) == len(set(_clusters(parent, level, records, at)))


def hostile(random):
    """Arrays that are not trees are refused, and never read outside of their memory."""
    leaves = random.choice([0, 1, 5, 40])
    parent, level = _tree(random, leaves)
    label = [0] * leaves
    for values in (parent, level, label):
        if values and random.random() < 0.5:
            values[random.randrange(len(values))] = random.choice([*_ODD, len(parent), len(parent) - 1])
    if random.random() < 0.3:
        del [parent, level, label][random.randrange(3)][-1:]
    last = random.choice([0, 1, max([0, *level]) if max([0, *level]) < 10**6 else 3])
    count = random.choice([0, 1, 3])
    arrays = _numbers(parent), _numbers(level), last
    calls = [
        lambda: core.pair_levels(*arrays, _numbers(label), count),
        lambda: core.overlap_levels(*arrays, _numbers(label), count),
        lambda: core.share_levels(*arrays, _numbers(label), count),
        lambda: core.log_levels(*arrays, _numbers(label), count),
        lambda: core.grown_overlaps(*arrays, _numbers(label), count),
        lambda: core.LevelProfiles(*arrays, _numbers(label), count).at(last),
        lambda: core.cluster_sums(*arrays, _numbers(parent)),
        lambda: core.diagonal_sums(*arrays[:2], *arrays[:2], last),
        lambda: core.subtree_sums(arrays[0], arrays[0]),
        lambda: core.nearest_marked(arrays[0], np.zeros(len(parent), dtype=bool)),
        lambda: core.Prunings(arrays[0], leaves, arrays[0]).nodes(1, 2),
        lambda: core.nested_information(arrays[0], arrays[0], leaves),
        lambda: core.shared_nodes(arrays[0], arrays[0], leaves),
        lambda: core.triplets(arrays[0], arrays[0], leaves),
        lambda: core.leaf_order(arrays[0], leaves),
        lambda: core.concordance(*arrays[:2], *arrays[:2], last, leaves),
    ]
    for call in calls:
        with contextlib.suppress(ValueError, IndexError, OverflowError):
            call()


TARGETS = [levels, pairs, hostile]
