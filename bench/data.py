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
