"""Measure everything and write the page.

run.py [--quick] [--resume] [--only ROW ...]

Each row runs in its own process with a time limit; a row that fails prints the reason, and the others
continue. Results are kept row by row under build/bench, and ``--resume`` measures only missing ones. The
pages are docs/performance.md and those of covers, hierarchies and soft partitions; with ``--quick``, they
are in build/bench/quick.
"""

import argparse
import datetime as dt
import json
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import machine
import page
from rows import OURS, ROWS, growth

HERE = Path(__file__).parent
ROOT = HERE.parent
MEMORY_PER_LABEL = 100  # bytes that a point of the growth curves may need, labels and temporaries


def child(*arguments, timeout):
    """The events that a measurement reported, even if it failed."""
    command = [sys.executable, str(HERE / "measure.py"), *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603  (our own script)
    try:
        out, err = process.communicate(timeout=timeout)
        failure = f"ended with {process.returncode}: {last_line(err)}" if process.returncode else None
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
        failure = f"stopped after {timeout} s"
    events = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    return events, failure


def last_line(text):
    return (text.strip().splitlines() or ["no reason given"])[-1]


def collected(events, failure):
    """Best time, result and error by contender."""
    found = {}
    for event in events:
        entry = found.setdefault(event["who"], {"runs": 0})
        if "seconds" in event:
            for clock in ("seconds", "processor"):
                entry[clock] = min(event.get(clock, float("inf")), entry.get(clock, float("inf")))
            entry["runs"] += 1
        entry.update({key: event[key] for key in ("values", "error", "peak", "input") if key in event})
    return {"contenders": found, "failure": failure}


def check(row, result):
    """Report where a peer's result differs from ours. Sums in other orders may differ in the last digits."""
    ours = result["contenders"].get(OURS, {}).get("values", {})
    for name, entry in result["contenders"].items():
        for key, value in entry.get("values", {}).items():
            if key in ours and abs(value - ours[key]) > 1e-8 * max(1.0, abs(ours[key])):
                entry["differs"] = f"{key} = {value!r}, ours {ours[key]!r}"
                print(f"  {row.name}: {name} gives {entry['differs']}")


def measure_row(row, options):
    mode = "quick" if options.quick else "full"
    budget = 1.0 if options.quick else 8.0
    others = machine.Others()
    result = collected(*child("time", row.name, mode, budget, timeout=row.timeout))
    result["others"] = others.cores()
    check(row, result)
    result["memory"] = {}
    for name in row.memory:
        entry = collected(*child("memory", row.name, mode, name, timeout=row.timeout))
        result["memory"][name] = entry["contenders"].get(name, {"error": entry["failure"]})
    return result


def wheel_size():
    """Bytes of the newest wheel that install.py or ``make bench-builds`` made; None if there is none."""
    wheels = sorted((ROOT / "build/bench").glob("concordant-*.whl"), key=lambda path: path.stat().st_mtime)
    return wheels[-1].stat().st_size if wheels else None


def measure_growth(options):
    points = []
    for curve, n, k in growth(options.quick):
        if n * MEMORY_PER_LABEL > machine.available_memory():
            print(f"  growth, {n:,} labels: left out, too little memory is free")
            continue
        events, failure = child("growth", n, k, 0.5 if options.quick else 1.5, timeout=200)
        entry = collected(events, failure)["contenders"].get(OURS, {})
        if "seconds" in entry:
            points.append({"curve": curve, "n": n, "k": k, "seconds": entry["seconds"]})
        else:
            print(f"  growth, n={n:,} k={k:,}: {failure or entry.get('error')}")
    return points


def kept(path, resume, measure):
    """An earlier measurement, if it may be used, or a new one."""
    if resume and path.exists():
        return json.loads(path.read_text())
    began = time.perf_counter()
    result = measure()
    print(f"{path.stem}: {time.perf_counter() - began:.0f} s", flush=True)
    path.write_text(json.dumps(result, indent=1))
    return result


def described():
    return {**machine.describe(), "date": dt.datetime.now(dt.UTC).date().isoformat()}


def show(row, quick, result):
    print(f"  {row.heading(quick)}")
    ours = result["contenders"].get(OURS, {}).get("seconds")
    for name, entry in result["contenders"].items():
        seconds = entry.get("seconds")
        text = (
            f"{page.duration(seconds)} (best of {entry['runs']})"
            if seconds
            else entry.get("error", "no time")
        )
        ratio = f", {seconds / ours:.3g}x ours" if seconds and ours and name != OURS else ""
        print(f"    {name:<14}{text}{ratio}")
    if result.get("others") is not None:
        print(f"    others kept {result['others']:.1f} cores busy meanwhile")
    if result["failure"]:
        print(f"    {result['failure']}")


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller sizes, about two minutes")
    parser.add_argument("--resume", action="store_true", help="keep what build/bench has already")
    parser.add_argument("--only", nargs="*", default=None, metavar="ROW", help="measure these rows again")
    parser.add_argument("--page", choices=PAGES, default=None, help="this page alone; all by default")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = options_of(arguments)
    folder = ROOT / "build/bench" / ("quick" if options.quick else "full")
    folder.mkdir(parents=True, exist_ok=True)
    wanted = lambda name: not (options.resume or options.only) or (options.only and name in options.only)  # noqa: E731
    pages = [name for name in PAGES if options.page in (None, name)]
    for name in pages:
        PAGES[name](folder, options, wanted)


def measured_rows(rows, folder, options, wanted):
    results = {}
    for row in rows:
        results[row.name] = kept(
            folder / f"{row.name}.json", not wanted(row.name), lambda row=row: measure_row(row, options)
        )
        show(row, options.quick, results[row.name])
    return results


def partitions_page(folder, options, wanted):
    about = kept(folder / "about.json", options.resume or options.only, described)
    results = measured_rows(ROWS, folder, options, wanted)
    imports = kept(
        folder / "import.json", not wanted("import"), lambda: collected(*child("import", timeout=60))
    )
    imports["wheel"] = wheel_size()
    points = kept(folder / "growth.json", not wanted("growth"), lambda: measure_growth(options))
    target = folder if options.quick else ROOT / "docs"
    page.write(target, about, results, imports, points, quick=options.quick)
    print(f"wrote {(target / 'performance.md').relative_to(ROOT)}")


def other_page(name, folder, options, wanted):
    about = kept(folder / f"about-{name}.json", options.resume or options.only, described)
    results = measured_rows(page.OTHER_PAGES[name][1], folder, options, wanted)
    target = folder if options.quick else ROOT / "docs"
    written = page.write_other(target, about, results, name, quick=options.quick)
    print(f"wrote {written.relative_to(ROOT)}")


PAGES = {"partitions": partitions_page} | {name: partial(other_page, name) for name in page.OTHER_PAGES}


if __name__ == "__main__":
    main()
