"""Peak memory of each capability on files with a limit: each in its own process.

    python bench/memory.py --records 5000000 --memory 300MB

Each line has the peak of the process and the time. If the limit is refused, it has the time until then, the
limit that the error names, and the same of another run with that limit.
"""

import argparse
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import concordant as cc
from concordant.errors import TooLargeError

NAMES = ("truth", "old", "new")


def write_files(folder: Path, records: int) -> None:
    """Three clusterings with three records in a cluster on average, a unit, a slice, and scored pairs."""
    rng = np.random.default_rng(1)
    clusters = max(records // 3, 1)
    truth = rng.integers(0, clusters, records)
    for name, share in zip(NAMES, (0.0, 0.1, 0.05), strict=True):
        labels = np.where(rng.random(records) < share, rng.integers(0, clusters, records), truth)
        order = rng.permutation(records)
        columns = {"record": order, "cluster": labels[order], "unit": order % 1000, "country": order % 20}
        pl.DataFrame(columns).with_columns(weight=pl.lit(1.0)).write_parquet(folder / f"{name}.parquet")
    for name in NAMES[:2]:
        first = rng.integers(0, 200, records)
        record, other = np.repeat(rng.permutation(records), 2), (first + rng.integers(1, 4, records)) % 200
        columns = {"record": record, "cluster": np.stack([first, other], axis=1).reshape(-1)}
        share = np.tile([0.25, 0.75], records)
        pl.DataFrame(columns | {"weight": share}).write_parquet(folder / f"soft_{name}.parquet")
    pairs = {"left": rng.integers(0, records, 2 * records), "right": rng.integers(0, records, 2 * records)}
    pl.DataFrame(pairs).with_columns(score=rng.random(2 * records)).write_parquet(folder / "pairs.parquet")


def sides(folder: Path, memory: str) -> dict[str, cc.Partition]:
    return {name: cc.Partition.scan(folder / f"{name}.parquet", memory=memory) for name in NAMES}


def memberships(kind: Any, folder: Path, memory: str) -> Any:
    """Records in two of 200 clusters each, compared."""
    u, v = (kind.scan(folder / f"soft_{name}.parquet", memory=memory) for name in NAMES[:2])
    return cc.compare(u, v)


def pairs(folder: Path, memory: str) -> cc.Hierarchy:
    path = folder / "pairs.parquet"
    return cc.Hierarchy.from_pairs(path, left="left", right="right", score="score", memory=memory)


CALLS = {
    "compare": lambda f, m: str(cc.compare(sides(f, m)["truth"], sides(f, m)["new"])),
    "interval(unit=)": lambda f, m: cc.compare(sides(f, m)["truth"], sides(f, m)["new"]).interval(
        "f_measure", unit="unit"
    ),
    "slices": lambda f, m: cc.compare(sides(f, m)["truth"], sides(f, m)["new"]).slices("country"),
    "changes, clusters": lambda f, m: [
        str(each)
        for c in [cc.compare(sides(f, m)["truth"], sides(f, m)["new"])]
        for each in (c.changes(), c.clusters())
    ],
    "significance": lambda f, m: cc.compare(sides(f, m)["truth"], sides(f, m)["new"]).significance(
        "adjusted_rand"
    ),
    "estimate": lambda f, m: cc.estimate(sides(f, m)["truth"], sides(f, m)["new"], sampling="clusters"),
    "diff": lambda f, m: str(cc.diff(sides(f, m)["old"], sides(f, m)["new"])),
    "changed_ids": lambda f, m: str(cc.diff(sides(f, m)["old"], sides(f, m)["new"]).changed_ids()),
    "diff(reference=)": lambda f, m: str(
        cc.diff(sides(f, m)["old"], sides(f, m)["new"], reference=sides(f, m)["truth"])
    ),
    "rank": lambda f, m: cc.rank(
        sides(f, m)["truth"], {"old": sides(f, m)["old"], "new": sides(f, m)["new"]}, "f_measure"
    ),
    "weights=": lambda f, m: cc.compare(sides(f, m)["truth"], sides(f, m)["new"], weights="weight"),
    "matrix": lambda f, m: cc.matrix(sides(f, m)),
    "stability": lambda f, m: cc.stability(sides(f, m)),
    "consensus": lambda f, m: cc.consensus(sides(f, m)),
    "track": lambda f, m: cc.track(sides(f, m)),
    "covers": lambda f, m: memberships(cc.Cover, f, m).omega,
    "soft": lambda f, m: memberships(cc.Soft, f, m).soft_adjusted_rand,
    "Hierarchy.from_pairs": pairs,
}


def measured(call: str, folder: Path, memory: str) -> str:
    """The memory that one call takes in this process."""
    began = time.perf_counter()
    try:
        CALLS[call](folder, memory)
    except TooLargeError as error:
        wanted = re.search(r"memory='(\w+)' to", str(error))
        return f"refused after {time.perf_counter() - began:.1f} s: {wanted[1] if wanted else error}"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return f"{peak:,.0f} MB, {time.perf_counter() - began:.1f} s"


def in_process(*options: str) -> str:
    """What another process prints: the peak of a process includes that of the one that started it."""
    ran = subprocess.run([sys.executable, __file__, *options], capture_output=True, text=True, check=False)  # noqa: S603  (ourselves)
    return ran.stdout.strip() or ran.stderr.strip()[-300:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--memory", default="300MB")
    parser.add_argument("--only", nargs="*", choices=list(CALLS))
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.folder is not None:
        if options.only:
            print(measured(options.only[0], options.folder, options.memory))
        else:
            write_files(options.folder, options.records)
        return
    with tempfile.TemporaryDirectory() as folder:
        in_process("--folder", folder, "--records", str(options.records))
        for call in options.only or CALLS:
            found = [in_process("--folder", folder, "--only", call, "--memory", options.memory)]
            while enough := re.fullmatch(r"refused after .*: (\w+)", found[-1]):
                found.append(in_process("--folder", folder, "--only", call, "--memory", enough[1]))
            print(f"{call:22} {'; '.join(found)}", flush=True)


if __name__ == "__main__":
    main()
