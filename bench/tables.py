"""Tables of records and clusters: concordant against queries written by hand, and scikit-learn.

tables.py [--quick] [--only PART]         measure everything, or one part again, and write the page
tables.py one CONTENDER FOLDER MEMORY     one measurement, in a process of its own; prints JSON
tables.py make ROWS FOLDER SPELLING N     the two tables, in N clusters or in as many as is usual
tables.py growth FOLDER                   the cost of a record in memory, best of some rounds; prints JSON
tables.py runs quick|full                 labels in runs, beside reading them; prints JSON
tables.py shuffle FOLDER                  what Spark moves between its executors; prints JSON

The two tables are joined by a record id in random order; one record in a hundred is missing on each side.
Every contender runs in its own process, so its peak memory is its own, and they take turns.
"""

import argparse
import datetime as dt
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import handwritten
import machine
import runs
import shuffle
import svg
import tables_page

HERE = Path(__file__).parent
ROOT = HERE.parent
FULL, QUICK = 100_000_000, 10_000_000
GROWTH = (100_000, 1_000_000, 10_000_000, 100_000_000)  # records, of which the quick form leaves out the last
FEW_CLUSTERS = 1000
IN_MEMORY_TOO = ("text", "UUIDs")  # the others take more memory than the machine may have
SPARK_SHARE = 10  # Spark gets a tenth of the rows
EXCHANGED = (1_000_000, 10_000_000)  # records whose exchanges are looked at
LIMITS = {"1GB": 3, "2GB": 1}  # and how many rounds
ROUNDS = 3
TIMEOUT = 1800


# -- the contenders: each returns seconds and what it found ---------------------------------------------


def timed(work):
    began = time.perf_counter()
    found = work()
    return time.perf_counter() - began, found


def after_imports(work):
    """Seconds, the result, and the CPU time of earlier imports."""
    import duckdb  # noqa: F401  (imported before the time begins)

    import concordant.engines.tables.core_join  # noqa: F401

    began = time.process_time()
    return (*timed(work), began)


def ours(folder, memory):
    return after_imports(lambda: found_by(scanned(folder, memory)))


def ours_and_every_index(folder, memory):
    def work():
        comparison = scanned(folder, memory)
        comparison.to_dict()
        return found_by(comparison)

    return after_imports(work)


def decoding(folder, memory):
    """The work of every reader: both files as Arrow batches, which are discarded."""
    return after_imports(lambda: handwritten.decoded(folder, memory))


def scanned(folder, memory):
    """Joined, audited and counted, with the best partners that purity needs."""
    import concordant as cc

    limit = None if memory == "none" else memory
    u, v = (
        cc.Partition.scan(folder / name, record="record", cluster="cluster", memory=limit)
        for name in ("truth.parquet", "guess.parquet")
    )
    comparison = cc.compare(u, v, unmatched="drop")
    comparison.purity  # noqa: B018  (computes it)
    return comparison


def ours_in_memory(folder, _memory):
    import concordant as cc
    import concordant.engines.tables.in_memory  # like all imports here, outside of the time

    frames = handwritten.loaded(folder)
    began = time.process_time()

    def work():
        u, v = (cc.Partition.from_frame(frame, record="record", cluster="cluster") for frame in frames)
        return found_by(cc.compare(u, v, unmatched="drop"))

    return (*timed(work), began)


def in_memory(query):
    def contender(folder, _memory):
        import duckdb  # noqa: F401  (imported before the time begins)

        frames = handwritten.loaded(folder)
        began = time.process_time()
        return (*timed(lambda: query(*frames)), began)

    return contender


def found_by(comparison):
    return {"elements": comparison.size, "n11": comparison.pairs.n11}


def by_hand(query):
    def contender(folder, memory):
        with tempfile.TemporaryDirectory(dir=folder) as spill:
            return after_imports(lambda: query(folder, memory, spill))

    return contender


def spark_ours(folder, _memory):
    import concordant as cc

    spark = handwritten.spark_session(folder)

    def work():
        u, v = (
            cc.Partition.from_frame(
                handwritten.spark_table(spark, folder, name), record="record", cluster="cluster"
            )
            for name in ("truth", "guess")
        )
        return found_by(cc.compare(u, v, unmatched="drop"))

    return timed(work)


def spark_by_hand(folder, _memory):
    spark = handwritten.spark_session(folder)
    return timed(lambda: handwritten.spark_profile(spark, folder))


def command_line(folder, _memory):
    files = [str(folder / name) for name in ("truth.parquet", "guess.parquet")]
    command = [sys.executable, "-m", "concordant", "compare", *files, "--unmatched", "drop"]
    return timed(lambda: printed(command))


def scikit_learn(folder, _memory):
    return timed(lambda: printed([sys.executable, str(HERE / "handwritten.py"), str(folder)]))


def printed(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  (our own command)
    return {}


CONTENDERS = {
    "concordant": ours,
    "concordant, and every index": ours_and_every_index,
    "SQL, the same answer": by_hand(handwritten.profile),
    "SQL, no audit and no best partners": by_hand(handwritten.sizes),
    "decoding alone, by DuckDB": decoding,
    "concordant, dataframes": ours_in_memory,
    "DuckDB, the same answer": in_memory(handwritten.duckdb_audited),
    "Polars, no audit and no best partners": in_memory(handwritten.polars_sizes),
    "DuckDB, no audit and no best partners": in_memory(handwritten.duckdb_sizes),
    "concordant on Spark": spark_ours,
    "Spark SQL, no audit and no best partners": spark_by_hand,
    "concordant compare": command_line,
    "scikit-learn, one score": scikit_learn,
}
ON_DUCKDB, IN_MEMORY, ON_SPARK, AS_PROCESS = (
    list(CONTENDERS)[begin:end] for begin, end in ((0, 5), (5, 9), (9, 11), (11, 13))
)


# -- running them -------------------------------------------------------------------------------------------


def one(name, folder, memory):
    seconds, found, *began = CONTENDERS[name](Path(folder), memory)
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    peak = max(use.ru_maxrss for use in usage) * 1024
    work = sum(use.ru_utime + use.ru_stime for use in usage) - sum(began)  # without what came before
    print(json.dumps({"seconds": seconds, "work": work, "peak": peak, "written": written(), "found": found}))


def written():
    """The bytes that this process wrote to files; none if the system does not report it."""
    told = Path("/proc/self/io")
    lines = dict(line.split(": ") for line in told.read_text().splitlines()) if told.exists() else {}
    return int(lines.get("wchar", 0))


def child(*arguments):
    """The result of a measurement, or the reason why it failed."""
    command = [sys.executable, str(HERE / "tables.py"), *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)  # noqa: S603  (this script)
    except subprocess.TimeoutExpired:
        return {"error": f"stopped after {TIMEOUT} s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["no reason given"])[-1][:300]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def take_turns(names, folder, memory, rounds):
    """The best time of each, the work and peak memory of that round, what it found, and when that was."""
    began = {"time": f"{dt.datetime.now(dt.UTC):%Y-%m-%d %H:%M}", "load": os.getloadavg()[0]}
    others, best = machine.Others(), {}
    for _ in range(rounds):
        for name in names:
            result = child("one", name, folder, memory)
            print(f"  {name}, {memory}: {shown(result)}", flush=True)
            held = best.get(name)
            if held is None or result.get("seconds", float("inf")) < held.get("seconds", float("inf")):
                best[name] = result
    return {
        "contenders": best,
        "rounds": rounds,
        "began": began,
        "others": others.cores(),
        "agree": agreed(best),
    }


def shown(result):
    if "error" in result:
        return result["error"]
    return f"{result['seconds']:.1f} s, {result['work']:.1f} s of work, {result['peak'] / 1e9:.2f} GB"


def agreed(best):
    found = [result["found"] for result in best.values() if result.get("found")]
    return all({k: f[k] for k in found[0]} == found[0] for f in found) if found else None


def growth(folder):
    """Nanoseconds of a processor for each record, of two dataframes in memory."""
    frames = handwritten.loaded(Path(folder))
    contenders = {"concordant": compared, "Polars": handwritten.polars_sizes}
    rows = sum(len(frame) for frame in frames) / 2
    print(json.dumps({name: least_work(work, frames) * 1e9 / rows for name, work in contenders.items()}))


def compared(*frames):
    import concordant as cc

    u, v = (cc.Partition.from_frame(frame, record="record", cluster="cluster") for frame in frames)
    return found_by(cc.compare(u, v, unmatched="drop"))


def least_work(work, frames):
    """The best of some rounds; short calls have many rounds."""
    least, rounds, began = float("inf"), 0, time.monotonic()
    while rounds < 2 or (rounds < 50 and time.monotonic() - began < 10):  # the first also imports
        worked = time.process_time()
        work(*frames)
        least = min(least, time.process_time() - worked)
        rounds += 1
    return least


def plot_growth(sizes, images):
    """The cost of a record at each size, written to a folder as a plot; the nanoseconds by contender."""
    curves = {}
    for rows in sizes:
        cost = child("growth", made(rows))
        print(f"  {rows:,} records: {cost}", flush=True)
        for name, each in cost.items():
            if name != "error":
                curves.setdefault(name, []).append((rows, each))
    title = "Two dataframes joined by record and compared, in memory"
    every = [y for points in curves.values() for _, y in points]
    picture = svg.lines(title, ("records", "CPU time per record, ns"), curves, (min(every), max(every)))
    images.mkdir(parents=True, exist_ok=True)
    (images / "growth.svg").write_text(picture)
    return curves


def made(rows, spelling="integers", clusters=None):
    name = str(rows) if spelling == "integers" else f"{rows}-{spelling}"
    folder = ROOT / "build/bench/tables" / (f"{name}-in-{clusters}" if clusters else name)
    if not (folder / "guess.parquet").exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(f"making {rows:,} records", flush=True)
        # In a process of its own: the peak of this one would be taken for that of those it starts.
        told = child("make", rows, folder, spelling, clusters or 0)
        if "error" in told:
            sys.exit(told["error"])
    return folder


def measure(*, quick, part, images):
    """The results, by the heading of their table; the plot of one of them is written to a folder."""
    rows = QUICK if quick else FULL
    results = {}
    if part in ("all", "duckdb"):
        folder = made(rows)
        for limit, rounds in LIMITS.items():
            results[f"{rows:,} records, limit {limit}"] = take_turns(ON_DUCKDB, folder, limit, rounds)
    if part in ("all", "core"):
        title = f"{QUICK:,} records"
        results[f"{title}, in memory"] = take_turns(IN_MEMORY, made(QUICK), "none", ROUNDS)
        results[f"{title}, no limit"] = take_turns(ON_DUCKDB, made(QUICK), "none", ROUNDS)
        few = made(QUICK, clusters=FEW_CLUSTERS)
        results[f"{title} in {FEW_CLUSTERS:,} clusters"] = take_turns(ON_DUCKDB, few, "none", ROUNDS)
        for spelling in ("text", "UUIDs", "SHA-1", "SHA-256", "addresses"):
            texts, named = made(QUICK, spelling), f"{title}, ids and labels as {spelling}"
            results[named] = take_turns(ON_DUCKDB, texts, "none", ROUNDS)
            if spelling in IN_MEMORY_TOO:
                results[f"{named}, in memory"] = take_turns(IN_MEMORY, texts, "none", ROUNDS)
    if part in ("all", "runs"):
        results["runs"] = child("runs", "quick" if quick else "full")
    if part in ("all", "growth"):
        sizes = [rows for rows in GROWTH if not quick or rows <= QUICK]
        results["growth"] = plot_growth(sizes, images)
    if part in ("all", "spark"):
        few = rows // SPARK_SHARE
        results[f"{few:,} records on Spark, local[2]"] = take_turns(ON_SPARK, made(few), "4g", 2)
        results["exchanges"] = {f"{size:,}": child("shuffle", made(size)) for size in EXCHANGED}
    if part in ("all", "process"):
        results[f"{QUICK:,} records, the whole process"] = take_turns(AS_PROCESS, made(QUICK), "none", 2)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} records instead of {FULL:,}")
    parser.add_argument(
        "--only",
        choices=["duckdb", "core", "runs", "growth", "spark", "process"],
        default="all",
        help="measure one part again",
    )
    options = parser.parse_args()
    kept = ROOT / "build/bench/tables" / ("quick.json" if options.quick else "full.json")
    about = {**machine.describe(), "quick": options.quick}
    pages = ROOT / ("build/bench/quick" if options.quick else "docs")
    results = measure(quick=options.quick, part=options.only, images=pages / "images")
    earlier = json.loads(kept.read_text())["results"] if options.only != "all" and kept.exists() else {}
    results = {**earlier, **results}
    kept.write_text(json.dumps({"about": about, "results": results}, indent=1))
    target = pages / "internals/performance-tables.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(tables_page.page(about, results))
    print(f"wrote {target.relative_to(ROOT)}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        one(*sys.argv[2:])
    elif sys.argv[1:2] == ["make"]:
        wanted, place, spelled, clustered = sys.argv[2:]
        handwritten.make(int(wanted), Path(place), spelled, int(clustered))
        print("{}")
    elif sys.argv[1:2] == ["growth"]:
        growth(*sys.argv[2:])
    elif sys.argv[1:2] == ["runs"]:
        print(json.dumps(runs.measure(quick=sys.argv[2] == "quick")))
    elif sys.argv[1:2] == ["shuffle"]:
        print(json.dumps(shuffle.measure(sys.argv[2])))
    else:
        main()
