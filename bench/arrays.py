"""Label volumes: what a call takes, against scikit-image, against reading alone, and by types of ids.

arrays.py [PAGE] [--edge 256] [--zarr 1000]    writes docs/internals/performance-arrays.md or PAGE

CPU time of one thread, which is nearly independent of other users. The volume in Zarr (``--zarr``, its edge
in voxels) needs the package zarr and disk space for the compressed volume; without the option it is not
measured.
"""

import argparse
import datetime as dt
import itertools
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

import machine
import numpy as np

import concordant as cc

PAGE = Path(__file__).parents[1] / "docs" / "internals" / "performance-arrays.md"
EXPLANATION = """CPU time per voxel in nanoseconds, one thread, best of three runs. The smallest volume
has {segments:,} segments with irregular borders. The candidate is shifted, one in twenty of its
segments is merged with the next, and one in twenty is split. Sparse ids are spread over 64 bits.
scikit-image counts the same voxels as uint32."""
ROUNDS = 3


def volume(edge, seed, shift=0):
    """Segments of some 19 voxels across, whose borders are rugged: ids from 1 on."""
    random = np.random.default_rng(seed)
    across = max(2, edge // 19)
    lines = [np.arange(edge) + shift for _ in range(3)]
    rugged = random.integers(-3, 4, size=(edge, edge))
    z, y = (line // 19 % across for line in lines[:2])
    x = (lines[2][None, None, :] + rugged[:, :, None]) // 19 % across
    return ((z[:, None, None] * across + y[None, :, None]) * across + x + 1).astype(np.uint32)


def candidate_of(truth, seed=1):
    """The same shifted, with one in twenty ids merged with the next, and one in twenty split by rows."""
    moved = np.roll(truth, 3, axis=(0, 1, 2))
    random = np.random.default_rng(seed)
    ids = np.arange(int(truth.max()) + 1, dtype=np.uint32)
    merged = random.random(len(ids)) < 0.05
    ids[1:][merged[1:]] = ids[:-1][merged[1:]]
    split = np.flatnonzero(random.random(len(ids)) < 0.05)
    found = ids[moved]
    upper = np.isin(found, split)
    upper[:, ::2] = False
    found[upper] += np.uint32(len(ids))
    return found


def sparse(labels):
    return labels.astype(np.uint64) * np.uint64(7 * 10**13 + 1)


def least(call, voxels):
    """Nanoseconds of CPU time per voxel."""
    return least_of_each([call], voxels)[0]


def least_of_each(calls, voxels):
    """The same for several calls in turns, so all of them see the same machine."""
    taken = [[] for _ in calls]
    for _ in range(ROUNDS):
        for call, times in zip(calls, taken, strict=True):
            start = time.process_time()
            call()
            times.append(time.process_time() - start)
    return [min(times) / voxels * 1e9 for times in taken]


def rows_of(truth, seg, kind):
    """One index and the whole comparison, for ids of one kind."""
    yield (
        f"`cc.adapted_rand_error(truth, seg)`, {kind}",
        least(lambda: cc.adapted_rand_error(truth, seg, threads=1), truth.size),
    )
    yield f"`cc.compare(truth, seg)`, {kind}", least(lambda: cc.compare(truth, seg, threads=1), truth.size)


def rows_of_noise(truth, seg):
    """A label as a cluster and dropped: for both sides, and for two labels of the truth."""
    said = [
        ("`noise=1, noise_as=`", [{"noise": 1, "noise_as": how} for how in ("cluster", "drop")]),
        ("`reference_noise=`", [{"reference_noise": {0: how, 1: how}} for how in ("cluster", "drop")]),
    ]
    for name, options in said:
        calls = [lambda each=each: cc.compare(truth, seg, threads=1, **each) for each in options]
        for how, taken in zip(("cluster", "drop"), least_of_each(calls, truth.size), strict=True):
            yield f'`cc.compare` with {name} "{how}", uint32', taken


def rows(edge):
    truth = volume(edge, 0)
    seg = candidate_of(truth)
    voxels = truth.size
    yield "reading both (a maximum of each)", least(lambda: (truth.max(), seg.max()), voxels)
    yield from rows_of(truth, seg, "uint32")
    yield from rows_of(truth.astype(np.uint64), seg.astype(np.uint64), "uint64 of small ids")
    yield from rows_of(sparse(truth), sparse(seg), "uint64 of sparse ids")
    yield from rows_of_noise(truth, seg)
    try:
        from skimage.metrics import adapted_rand_error
    except ImportError:
        return
    yield "scikit-image `adapted_rand_error`, uint32", least(lambda: adapted_rand_error(truth, seg), voxels)


def written(edge, folder):
    """Two volumes of one block again and again; in a process of its own, whose memory does not count."""
    import zarr

    block = volume(250, 0)
    for name, labels in (("truth", block), ("seg", candidate_of(block))):
        array = zarr.create_array(
            Path(folder) / name, shape=(edge, edge, edge), chunks=(125,) * 3, dtype=labels.dtype
        )
        for number, (z, y, x) in enumerate(itertools.product(range(0, edge, 250), repeat=3)):
            place = tuple(slice(at, min(at + 250, edge)) for at in (z, y, x))
            fits = tuple(slice(0, each.stop - each.start) for each in place)
            array[place] = labels[fits] + np.uint32(number % 3 * 1000)


def in_zarr(edge, folder):
    """Seconds of CPU time to read two volumes, to compare them, and the peak memory."""
    import zarr

    writer = multiprocessing.Process(target=written, args=(edge, folder))
    writer.start()
    writer.join()
    truth, seg = (zarr.open(Path(folder) / name, mode="r") for name in ("truth", "seg"))
    start = time.process_time()
    for z, y, x in itertools.product(range(0, edge, 125), range(0, edge, 250), range(0, edge, 500)):
        place = slice(z, z + 125), slice(y, y + 250), slice(x, x + 500)
        truth[place], seg[place]
    read = time.process_time() - start
    start = time.process_time()
    cc.compare(truth, seg)
    compared = time.process_time() - start
    return read, compared, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def page(found, volumes, segments):
    about = machine.describe()
    lines = [
        "# Performance of label images",
        "",
        "Written by `make bench-arrays`. See also [Label images and volumes](../segmentation.md).",
        "",
        EXPLANATION.format(segments=segments),
        "",
    ]
    for edge, measured in found.items():
        lines += [f"## {edge}³ voxels", "", "| work | ns per voxel |", "|---|---:|"]
        lines += [f"| {name} | {each:.2f} |" for name, each in measured]
        lines.append("")
    for edge, (read, compared, memory) in volumes.items():
        summary = (
            f"Two uint32 volumes in chunks of 125³, with Zarr's default compression. Reading both takes "
            f"{read:.1f} s of CPU time. Reading and comparing them takes {compared:.1f} s, "
            f"{compared / read:.2f} times as much, with a peak memory of {memory:.2f} GB."
        )
        lines += [f"## {edge**3:,} voxels in Zarr", "", summary, ""]
    setting = (
        f"{about['processor']} with {about['cores']} cores, {about['system']}, Python "
        f"{about['python']}, NumPy {np.__version__}; {dt.datetime.now(tz=dt.UTC).date()}."
    )
    lines += ["## Machine", "", setting, ""]
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("page", nargs="?", type=Path, default=PAGE)
    parser.add_argument("--edge", type=int, nargs="+", default=[256])
    parser.add_argument("--zarr", type=int, nargs="*", default=[])
    given = parser.parse_args()
    volumes = {}
    for edge in given.zarr:  # first, so the memory of the others does not count
        with tempfile.TemporaryDirectory() as folder:
            volumes[edge] = in_zarr(edge, folder)
            print(edge, volumes[edge], flush=True)
    found = {}
    for edge in given.edge:
        found[edge] = []
        for name, each in rows(edge):
            found[edge].append((name, each))
            print(edge, name, f"{each:.2f}", flush=True)
    segments = len(np.unique(volume(given.edge[0], 0))) if given.edge else 0
    given.page.write_text(page(found, volumes, segments), encoding="utf-8")
    sys.exit()
