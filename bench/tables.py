"""Tables of records and clusters: concordant against queries written by hand, and scikit-learn.

tables.py [--quick]                       measure everything and write the page
tables.py one CONTENDER FOLDER MEMORY     one measurement, in a process of its own; prints JSON

The two tables are joined by a shuffled record id; one record in a hundred is missing on each side. Every
contender runs in a process of its own, so that its peak memory is its own, and they take turns.
"""

import argparse
import datetime as dt
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import handwritten
import machine
import tables_page

HERE = Path(__file__).parent
ROOT = HERE.parent
FULL, QUICK = 100_000_000, 10_000_000
SPARK_SHARE = 10  # Spark gets a tenth of the rows
LIMITS = ("1GB", "2GB")
TIMEOUT = 1800


# -- the contenders: each returns seconds and what it found ---------------------------------------------


def timed(work):
    began = time.perf_counter()
    found = work()
    return time.perf_counter() - began, found


def ours(folder, memory):
    import concordant as cc

    def work():
        u, v = (
            cc.Partition.scan(folder / name, record="record", cluster="cluster", memory=memory)
            for name in ("truth.parquet", "guess.parquet")
        )
        comparison = cc.compare(u, v, unmatched="drop")
        comparison.to_dict()  # all that the printed table shows
        return found_by(comparison)

    return timed(work)


def found_by(comparison):
    return {"elements": comparison.profile.size, "n11": comparison.pairs.n11}


def by_hand(query):
    def contender(folder, memory):
        with tempfile.TemporaryDirectory(dir=folder) as spill:
            return timed(lambda: query(folder, memory, spill))

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
    "SQL, the same profile": by_hand(handwritten.profile),
    "SQL, sizes and maxima only": by_hand(handwritten.spectra),
    "concordant on Spark": spark_ours,
    "Spark SQL, the same profile": spark_by_hand,
    "concordant compare": command_line,
    "scikit-learn, one score": scikit_learn,
}
ON_DUCKDB, ON_SPARK, AS_PROCESS = list(CONTENDERS)[:3], list(CONTENDERS)[3:5], list(CONTENDERS)[5:]


# -- running them -------------------------------------------------------------------------------------------


def one(name, folder, memory):
    seconds, found = CONTENDERS[name](Path(folder), memory)
    usage = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({"seconds": seconds, "peak": max(usage) * 1024, "found": found}))


def child(*arguments):
    """What a measurement told, or why it did not."""
    command = [sys.executable, str(HERE / "tables.py"), *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)  # noqa: S603  (this script)
    except subprocess.TimeoutExpired:
        return {"error": f"stopped after {TIMEOUT} s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["no reason given"])[-1][:300]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def take_turns(names, folder, memory, rounds):
    """The best time of each, its peak memory, and what it found."""
    others, best = machine.Others(), {}
    for _ in range(rounds):
        for name in names:
            result = child("one", name, folder, memory)
            print(f"  {name}, {memory}: {shown(result)}", flush=True)
            held = best.get(name)
            if held is None or result.get("seconds", float("inf")) < held.get("seconds", float("inf")):
                best[name] = result
    return {"contenders": best, "others": others.cores(), "agree": agreed(best)}


def shown(result):
    if "error" in result:
        return result["error"]
    return f"{result['seconds']:.1f} s, {result['peak'] / 1e9:.2f} GB"


def agreed(best):
    found = [result["found"] for result in best.values() if result.get("found")]
    return all({k: f[k] for k in found[0]} == found[0] for f in found) if found else None


def made(rows):
    folder = ROOT / "build/bench/tables" / str(rows)
    if not (folder / "guess.parquet").exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(f"making {rows:,} records", flush=True)
        handwritten.make(rows, folder)
    return folder


def measure(*, quick):
    rows = QUICK if quick else FULL
    few, folder = made(rows // SPARK_SHARE), made(rows)
    rounds = 2 if quick else 1
    results = {
        f"{rows:,} records, limit {limit}": take_turns(ON_DUCKDB, folder, limit, rounds) for limit in LIMITS
    }
    results[f"{rows // SPARK_SHARE:,} records on Spark, local[2]"] = take_turns(ON_SPARK, few, "4g", 2)
    results[f"{QUICK:,} records, the whole process"] = take_turns(AS_PROCESS, made(QUICK), "none", 2)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} records instead of {FULL:,}")
    quick = parser.parse_args().quick
    about = {**machine.describe(), "date": dt.datetime.now(dt.UTC).date().isoformat(), "quick": quick}
    results = measure(quick=quick)
    kept = ROOT / "build/bench/tables" / ("quick.json" if quick else "full.json")
    kept.write_text(json.dumps({"about": about, "results": results}, indent=1))
    target = ROOT / "docs/performance-tables.md"
    target.write_text(tables_page.page(*(tables_page.latest(kept.parent))))
    print(f"wrote {target.relative_to(ROOT)}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        one(*sys.argv[2:])
    else:
        main()
