"""Labels in runs: the cost of counting them relative to reading them.

A row is two columns of labels. Reading is the minimal time of a scan: NumPy's largest label of each column,
by one thread. Counting is the time that a user waits, with concordant's default threads; the table also has
the CPU time of one thread. For columns of a file, reading means decoding them with DuckDB, by its own
threads. A number is the best of some rounds that take turns. `python bench/runs.py` prints them, with a
volume of 10⁸ voxels if `--full` is given; `make bench-tables` writes them into the docs.
"""

import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

ROUNDS = 9


def rows(*, quick):
    """The name and the two columns of each."""
    size, length, many = 10_000_000, 20, 500_000
    in_twenties = f"{size:,} int64 in runs of {length}"
    few = moved(np.random.default_rng(20).integers(0, 1000, size // length), length)
    yield f"{in_twenties}, 1,000 clusters, one run in ten in another", few
    yield f"{in_twenties}, 1,000 clusters, each side with runs of its own", in_runs(size, length, 1000)
    files = {"sorted by cluster": np.arange(many), "in no order": np.random.default_rng(21).permutation(many)}
    for order, clusters in files.items():
        yield f"{in_twenties}, {many:,} clusters {order}, one run in ten in another", moved(clusters, length)
    far_apart = moved(np.arange(many) * 10**12, length)
    yield f"{in_twenties}, {many:,} clusters sorted by ids far apart, one run in ten in another", far_apart
    yield f"{in_twenties}, {many:,} clusters, each side with runs of its own", in_runs(size, length, many)
    yield from narrow_rows(size, length)
    side = 256 if quick else 464
    yield f"label volume of {side}³ voxels, int32", volume(side)
    rng = np.random.default_rng(1)
    yield f"{size:,} int64 in no order, 1,000 clusters", tuple(rng.integers(0, 1000, (2, size)))


def narrow_rows(size, length):
    """Narrow labels, which are read faster, and those of a dataframe."""
    clusters = 100
    few = moved(np.random.default_rng(22).integers(0, clusters, size // length), length)
    own = in_runs(size, length, clusters)
    for kind in ("int32", "int16", "int8"):
        name = f"{size:,} {kind} in runs of {length}, {clusters} clusters"
        yield f"{name}, one run in ten in another", tuple(column.astype(kind) for column in few)
        yield f"{name}, each side with runs of its own", tuple(column.astype(kind) for column in own)
    many = moved(np.arange(size // length), length)
    name = f"in runs of {length}, {size // length:,} clusters sorted by cluster, one run in ten in another"
    yield f"{size:,} int32 {name}", tuple(column.astype("int32") for column in many)
    yield f"{size:,} int64 of two Polars columns {name}", tuple(pl.Series(column) for column in many)


def moved(clusters, length):
    """A column of runs, and the same with some runs in another cluster."""
    rng = np.random.default_rng(20)
    others = np.where(rng.random(len(clusters)) < 0.1, rng.choice(clusters, len(clusters)), clusters)
    return np.repeat(clusters, length), np.repeat(others, length)


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

    def keep(name, reading, counting, alone):
        (waited, _), (elapsed, _), (_, worked) = least(reading, counting, alone)
        found[name] = {"reading": waited, "counting": elapsed, "work": worked}
        ratios = ", ".join(
            f"{key} {value:.4f} s ({value / waited:.2f})" for key, value in found[name].items()
        )
        print(f"  {name}: {ratios}", flush=True)

    for name, (u, v) in rows(quick=quick):
        keep(
            name,
            lambda u=u, v=v: (u.max(), v.max()),
            lambda u=u, v=v: cc.rand(u, v),
            lambda u=u, v=v: cc.rand(u, v, threads=1),
        )
    with tempfile.TemporaryDirectory() as folder:
        for name, file in files(Path(folder)):
            keep(
                name,
                lambda file=file: decoded(file),
                lambda file=file: counted(cc, file),
                lambda file=file: counted(cc, file, threads=1),
            )
    return found


def files(folder):
    """Label columns of one Parquet file."""
    size, length = 10_000_000, 20
    for clusters in (1000, 500_000):
        starts = np.sort(np.random.default_rng(23).integers(0, clusters, size // length))
        for kind in ("int64", "int32"):
            u, v = (column.astype(kind) for column in moved(starts, length))
            file = folder / f"{clusters}-{kind}.parquet"
            pl.DataFrame({"u": u, "v": v}).write_parquet(file)
            yield (
                f"{size:,} {kind} of a Parquet file in runs of {length}, {clusters:,} clusters, sorted",
                file,
            )


def decoded(file):
    with duckdb.connect() as connection:
        for _ in connection.read_parquet(str(file)).select("u", "v").to_arrow_reader(1_000_000):
            pass


def counted(cc, file, **options):
    u, v = (cc.Partition.scan(file, cluster=side, record=None) for side in "uv")
    return cc.compare(u, v, **options).rand


def least(*works):
    """The best elapsed time and the best CPU time of each."""
    best = [(float("inf"), float("inf"))] * len(works)
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            began, worked = time.perf_counter(), time.process_time()
            work()
            took = time.perf_counter() - began, time.process_time() - worked
            best[place] = min(best[place][0], took[0]), min(best[place][1], took[1])
    return best


if __name__ == "__main__":
    measure(quick="--full" not in sys.argv)
