"""Labels on a GPU: what a call takes, against the time to read the labels once and against peers.

gpu.py [PAGE]      measures, and writes docs/internals/performance-gpu.md or the page that is named
"""

import datetime as dt
import statistics
import sys
import time
from pathlib import Path

import cupy
import machine
import numpy as np

import concordant as cc

PAGE = Path(__file__).parents[1] / "docs" / "internals" / "performance-gpu.md"
EXPLANATION = """Median time in milliseconds, without the first run. Each call starts with two columns on
the GPU and ends with the result on the host. "Floor" is the time to read both columns once:
`int(u.max())` and `int(v.max())` in CuPy. `torch.bincount` counts the table of `u * K + v` and copies
it to the host, which is less than an index needs; torchmetrics computes `rand_score`. Adjusted mutual
information keeps the logarithms of cluster sizes from one call to the next. Labels are random unless the
row states otherwise; on the other side, three in ten are drawn again."""
ROUNDS = 50
SLOW = 2.0  # seconds; what takes longer is measured fewer times


def labels(size, clusters, dtype="i4", seed=0):
    """Random labels, and the same with three in ten drawn again."""
    random = cupy.random.default_rng(seed)
    u = random.integers(0, clusters, size, dtype="i8").astype(dtype)
    v = u.copy()
    part = size * 3 // 10
    v[:part] = random.integers(0, clusters, part, dtype="i8").astype(dtype)
    return u, v


def scattered(size, clusters):
    """Ids of 64 bits without any order."""
    return tuple(each * np.int64(2654435761 * 2**20 + 12345) for each in labels(size, clusters, "i8"))


def in_runs(size, clusters):
    """Labels as images have them: long runs."""
    u = cupy.arange(size, dtype="i4") // 1000 % clusters
    return u, (cupy.arange(size, dtype="i4") + 300) // 1500 % clusters


def skewed(size, clusters):
    """Nine in ten in one cluster, as the background of an image, in random order."""
    u, v = labels(size, clusters)
    is_background = cupy.random.default_rng(1).random(size, dtype="f4") < 0.9
    u[is_background], v[is_background] = 0, 0
    return u, v


def median(call):
    """Seconds of a call that ends when its result is on the host: median, and minimum."""
    call()  # builds kernels and fills pools of memory
    taken, began = [], time.perf_counter()
    for _ in range(ROUNDS):
        cupy.cuda.Device().synchronize()
        start = time.perf_counter()
        call()
        cupy.cuda.Device().synchronize()
        taken.append(time.perf_counter() - start)
        if time.perf_counter() - began > SLOW and len(taken) >= 3:
            break
    return statistics.median(taken)


def floor(u, v):
    """The time to read both columns once: a maximum of each."""
    return median(lambda: (int(u.max()), int(v.max())))


def torch_bincount(u, v, clusters):
    import torch

    a, b = torch.as_tensor(u), torch.as_tensor(v)
    return median(lambda: torch.bincount(a.long() * clusters + b, minlength=clusters**2).cpu())


def torchmetrics_rand(u, v):
    import torch
    from torchmetrics.functional.clustering import rand_score

    a, b = torch.as_tensor(u), torch.as_tensor(v)
    return median(lambda: float(rand_score(a, b)))


def row(name, given, *, clusters=None, torchmetrics=False):
    u, v = given
    found = {
        "case": name,
        "floor": floor(u, v),
        "adjusted_rand": median(lambda: cc.adjusted_rand(u, v)),
        "compare": median(lambda: cc.compare(u, v).adjusted_rand),
    }
    if clusters is not None:
        found["ami"] = median(lambda: cc.compare(u, v).adjusted_mutual_information)
        found["bincount"] = torch_bincount(u, v, clusters)
    if torchmetrics:
        found["torchmetrics"] = torchmetrics_rand(u, v)
    print(found, flush=True)
    return found


def rows():
    yield row("10⁹ int32, 200 clusters", labels(10**9, 200), clusters=200)
    yield row("10⁸ int32, 100 clusters", labels(10**8, 100), clusters=100, torchmetrics=True)
    yield row("10⁹ int8, 100 clusters", labels(10**9, 100, "i1"))
    yield row("10⁸ int64, 200 clusters", labels(10**8, 200, "i8"))
    yield row("10⁹ int32, 200 clusters, in runs", in_runs(10**9, 200))
    yield row("10⁹ int32, 200 clusters, nine in ten in one", skewed(10**9, 200))
    yield row("10⁸ int32, 1,000 clusters", labels(10**8, 1000), clusters=1000)
    yield row("10⁸ int32, 3,000 clusters", labels(10**8, 3000), clusters=3000)
    yield row("5 × 10⁸ int32, 1.6 × 10⁸ clusters", labels(5 * 10**8, 160_000_000))
    yield row("10⁸ int64 ids without order, 3.3 × 10⁷ clusters", scattered(10**8, 33_000_000))


def milliseconds(seconds):
    return "" if seconds is None else f"{seconds * 1e3:,.2f}"


def table(found):
    names = ("floor", "adjusted_rand", "compare", "ami", "bincount", "torchmetrics")
    yield (
        "| labels | floor | `cc.adjusted_rand(u, v)` | × floor | `cc.compare(u, v).adjusted_rand` | × floor "
        "| `.adjusted_mutual_information` | torch.bincount | torchmetrics |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for each in found:
        read, ours, compared, ami, bincount, peer = (milliseconds(each.get(name)) for name in names)
        ratio, whole = (f"{each[name] / each['floor']:.2f}" for name in ("adjusted_rand", "compare"))
        own = f"**{ours}** | {ratio} | **{compared}** | {whole}"
        yield f"| {each['case']} | {read} | {own} | {ami} | {bincount} | {peer} |"


def page(found):
    device = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    about = machine.describe()
    versions = {"CuPy": cupy.__version__, "NumPy": np.__version__}
    for name in ("torch", "torchmetrics"):
        if name in sys.modules:
            versions[name] = sys.modules[name].__version__
    installed = ", ".join(f"{name} {version}" for name, version in versions.items())
    setting = (
        f"{device['name'].decode()} with {device['multiProcessorCount']} multiprocessors and "
        f"{device['totalGlobalMem'] / 2**30:.0f} GiB, {about['processor']} with {about['cores']} cores, "
        f"{about['system']}, Python {about['python']}; {installed}; {dt.datetime.now(tz=dt.UTC).date()}."
    )
    lines = [
        "# Performance on a GPU",
        "",
        "Written by `make bench-gpu`. [Labels on a GPU](../gpu.md) shows how to use it.",
        "",
        EXPLANATION,
        "",
        *table(found),
        "",
        "## Machine",
        "",
        setting,
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    written = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    written.write_text(page(list(rows())), encoding="utf-8")
