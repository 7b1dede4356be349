"""Labels to measure with: two partitions that agree on 80% of the elements.

Made in chunks, so making them leaves no trace in the peak memory of the process.
"""

import numpy as np

CHUNK = 1_000_000
AGREEMENT = 0.8


def labels(size, clusters, seed=0, agreement=AGREEMENT):
    """Two int64 arrays of labels below ``clusters``."""
    rng = np.random.default_rng(seed)
    u, v = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    for begin in range(0, size, CHUNK):
        part = slice(begin, min(begin + CHUNK, size))
        count = part.stop - begin
        u[part] = rng.integers(0, clusters, count)
        v[part] = np.where(rng.random(count) < agreement, u[part], rng.integers(0, clusters, count))
    return u, v


def weights(size, decimals=None):
    """A positive weight for each record, with as many decimals, or else as a float has."""
    drawn = 0.01 + 99 * np.random.default_rng(1).random(size)
    return drawn if decimals is None else drawn.round(decimals)


def mixtures(n, k):
    """Two matrices of weights, of which the second is near the first."""
    rng = np.random.default_rng(0)
    u, other = rng.dirichlet([0.3] * k, n), rng.dirichlet([0.3] * k, n)
    return u, AGREEMENT * u + (1 - AGREEMENT) * other


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


def merges(n, shape):
    """The two clusters of each merge of a binary tree over n elements, as scikit-learn numbers them."""
    rng = np.random.default_rng(0)
    made = np.arange(n, 2 * n - 1)
    if shape in ("chain", "star"):
        return np.column_stack([np.append(0, made[:-1]), np.arange(1, n)])
    if shape == "balanced":  # the oldest two
        return np.arange(2 * n - 2).reshape(-1, 2)
    if shape == "caterpillar":  # pairs of leaves, then a chain of the pairs
        pairs = n // 2
        feet = np.arange(2 * pairs).reshape(-1, 2)
        rest = np.append(np.arange(n + 1, n + pairs), np.arange(2 * pairs, n))
        spine = np.append(n, np.arange(n + pairs, n + pairs + len(rest) - 1))
        return np.vstack([feet, np.column_stack([spine, rest])])
    if shape != "random":
        raise ValueError(shape)
    tops, rows = list(range(n)), []
    left = np.arange(n, 1, -1)  # clusters before each merge
    places = (rng.random((n - 1, 2)) * np.column_stack([left, left - 1])).astype(int)
    for node, (i, j) in enumerate(places.tolist(), n):
        first, tops[i] = tops[i], tops[-1]
        tops.pop()
        rows.append((first, tops[j]))
        tops[j] = node
    return np.array(rows)


def heights(n, shape):
    """Of each merge: their numbers, but a star has two, for half the leaves and for the others."""
    return np.where(np.arange(n - 1) < n // 2, 1.0, 2.0) if shape == "star" else np.arange(1.0, n)


def two_trees(n, shape):
    """The merges of a tree, those of one that differs in a fifth of its leaves, and the heights of both."""
    u = merges(n, shape)
    rng = np.random.default_rng(0)
    name = np.arange(2 * n - 1)
    moved = np.flatnonzero(rng.random(n) > AGREEMENT)
    name[moved] = rng.permutation(moved)
    return u, name[u], heights(n, shape)


def entities(n):
    """Two dataframes of records in entities of three; one record in twenty is in a wrong cluster or alone."""
    import polars as pl

    rng = np.random.default_rng(0)
    entity, record = np.arange(n) // 3, rng.permutation(n)
    other = np.where(rng.random(n) < 0.03, rng.integers(0, n // 3, n), entity)
    other = np.where(rng.random(n) < 0.02, n + np.arange(n), other)
    frames = (pl.DataFrame({"record": record, "cluster": each}) for each in (entity, other))
    return tuple(frame.sample(fraction=1, shuffle=True, seed=seed) for seed, frame in enumerate(frames))


def scored_pairs(n, m):
    """A truth, another clustering of its records, and pairs, of which those of one entity score higher."""
    import polars as pl

    rng = np.random.default_rng(0)
    entity = np.sort(rng.integers(0, n // 3, n))
    record = rng.permutation(n) * 7 + 5
    left = rng.integers(0, n - 1, m)
    right = np.where(rng.random(m) < 0.7, left + 1, rng.integers(0, n, m))
    score = np.where(entity[left] == entity[right], rng.beta(5, 2, m), rng.beta(2, 5, m))
    other = np.where(rng.random(n) < AGREEMENT, entity, rng.integers(0, n // 3, n))
    frames = [pl.DataFrame({"record": record, "cluster": each}) for each in (entity, other)]
    truth, candidate = (
        frame.sample(fraction=1, shuffle=True, seed=seed) for seed, frame in enumerate(frames)
    )
    return truth, candidate, pl.DataFrame({"left": record[left], "right": record[right], "score": score})
