"""Labels to measure with: two partitions that agree on 80% of the elements.

Made in chunks, so that making them leaves no trace in the peak memory of the process.
"""

import numpy as np

CHUNK = 1_000_000
AGREEMENT = 0.8


def labels(size, clusters, seed=0):
    """Two int64 arrays of labels below ``clusters``."""
    rng = np.random.default_rng(seed)
    u, v = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    for begin in range(0, size, CHUNK):
        part = slice(begin, min(begin + CHUNK, size))
        count = part.stop - begin
        u[part] = rng.integers(0, clusters, count)
        v[part] = np.where(rng.random(count) < AGREEMENT, u[part], rng.integers(0, clusters, count))
    return u, v


def texts(size, clusters):
    """The same as NumPy strings."""
    words = np.array([f"cluster-{i:07d}" for i in range(clusters)])
    u, v = labels(size, clusters)
    return words[u], words[v]


def runs(count, size, clusters):
    """Many partitions, each near the first."""
    return {
        f"run {i}": labels(size, clusters, seed=0)[0] if i == 0 else _near(size, clusters, i)
        for i in range(count)
    }


def _near(size, clusters, seed):
    rng = np.random.default_rng(seed)
    base = np.random.default_rng(0).integers(0, clusters, size)
    return np.where(rng.random(size) < AGREEMENT, base, rng.integers(0, clusters, size))


def covers(size, clusters, memberships):
    """Two covers, by element and cluster of each membership: labels as above, and more at random."""
    more = memberships - size
    sides = []
    for seed, own in enumerate(labels(size, clusters)):
        rng = np.random.default_rng(100 + seed)
        element = np.concatenate([np.arange(size), rng.integers(0, size, more)])
        sides.append((element, np.concatenate([own, rng.integers(0, clusters, more)])))
    return tuple(sides)


def documents(count, mentions=40, entities=12):
    """A key and a response: documents of so many mentions, of which each side has nine in ten."""
    rng = np.random.default_rng(0)
    sides = ([], [])
    for _ in range(count):
        truth = rng.integers(0, entities, mentions)
        guess = np.where(rng.random(mentions) < AGREEMENT, truth, rng.integers(0, entities, mentions))
        for side, own in zip(sides, (truth, guess), strict=True):
            held = np.flatnonzero(rng.random(mentions) < 0.9)
            clusters = {}
            for mention, entity in zip(held.tolist(), own[held].tolist(), strict=True):
                clusters.setdefault(entity, set()).add(mention)
            side.append(list(clusters.values()))
    return sides
