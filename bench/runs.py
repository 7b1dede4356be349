"""Labels that come in runs: what counting them costs beside reading them, in processor time.

A row is two columns of labels. Reading is the least that a scan can take: the sum of each column. A figure is
the least of some rounds that take turns, by one thread.
"""

import time

import numpy as np

ROUNDS = 9


def rows(*, quick):
    """Name, the two columns, and how many times reading is allowed; None where nothing is claimed."""
    size = 10_000_000
    for clusters in (1000, 500_000):
        yield f"{size:,} int64 in runs of 20, {clusters:,} clusters", in_runs(size, 20, clusters), 2.0
    side = 256 if quick else 464
    yield f"label volume of {side}³ voxels, int32", volume(side), 2.5
    rng = np.random.default_rng(1)
    yield (
        f"{size:,} int64 in no order, 1,000 clusters",
        (rng.integers(0, 1000, size), rng.integers(0, 1000, size)),
        None,
    )


def in_runs(size, length, clusters):
    """Two columns whose labels change at places of their own, every so many rows in the mean."""
    rng = np.random.default_rng(20)

    def column():
        changes = rng.random(size) < 1 / length
        return rng.integers(0, clusters, size)[np.cumsum(changes)]

    return column(), column()


def volume(side):
    """Cells of some twenty voxels across, and the same cut by a coarser grid that is shifted."""
    places = np.arange(side, dtype=np.int32)

    def boxes(width, shift):
        at = (places + shift) // width
        count = at[-1] + 1
        return (at[:, None, None] * count + at[None, :, None]) * count + at[None, None, :]

    return boxes(20, 0), boxes(27, 9)


def measure(*, quick):
    """Seconds of reading and of counting for each row."""
    import concordant as cc

    found = {}
    for name, (u, v), allowed in rows(quick=quick):
        reading, counting = least(
            lambda u=u, v=v: (u.sum(), v.sum()), lambda u=u, v=v: cc.rand(u, v, threads=1)
        )
        found[name] = {"reading": reading, "counting": counting, "allowed": allowed}
        print(
            f"  {name}: read in {reading:.4f} s, counted in {counting:.4f} s, {counting / reading:.2f}x",
            flush=True,
        )
    return found


def least(*works):
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            began = time.process_time()
            work()
            best[place] = min(best[place], time.process_time() - began)
    return best


if __name__ == "__main__":
    measure(quick=True)
