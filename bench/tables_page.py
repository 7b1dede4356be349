"""Writes docs/performance-tables.md from what was measured, and from nothing else."""

import json

BASE = {
    "concordant": "SQL, the same answer",
    "concordant, dataframes": "Polars, no audit and no best partners",
    "concordant on Spark": "Spark SQL, no audit and no best partners",
    "concordant compare": "scikit-learn, one score",
}


LARGE = 10**8  # bytes that are no log


def latest(folder):
    """The machine, and the results of the full form, if there are any, and of the quick one."""
    runs = [
        json.loads(path.read_text())
        for name in ("full", "quick")
        if (path := folder / f"{name}.json").exists()
    ]
    return runs[0]["about"], [(run["about"], run["results"]) for run in runs]


def page(about, runs):
    sections = [introduction(), *(section(a, results) for a, results in runs), setting(about)]
    return "\n\n".join(sections) + "\n"


def introduction():
    return """# Performance on dataframes and files

Written by `make bench-tables` and `make bench-tables-quick`; see [bench/README.md](../bench/README.md).

Two Parquet files of records and clusters are joined by a record id in random order. One record in a hundred
is missing on each side, and nine in ten are in the same cluster. A cluster has three records on average
unless the heading states otherwise. concordant checks the ids, counts the overlaps and finds best partners;
its second row also computes every index of its table.

"SQL, the same answer" is the best query that we could write by hand for the same result: records on one
side only, duplicate records, null labels, the number of cells of each size (n, a, b), and for each cluster
the largest overlap, the best n/(a + b) and the sum of n(n - 1). "No audit and no best partners" is a
shorter query for sizes and largest overlaps only; it counts duplicate records twice without warning. Spark
runs the shorter query. Only concordant computes indices.

The contenders take turns, each in its own process. A time is the best of the rounds, without Python
start-up and imports. "Work" is the CPU time of that round, which other users of the machine disturb less.
Memory is the peak of the process (`ru_maxrss`). On Spark, work and memory are those of the Python driver,
not of the JVM. "The whole process" is the time from the start of Python to the printed answer."""


def section(about, results):
    form = "make bench-tables-quick" if about["quick"] else "make bench-tables"
    lines = [f"## `{form}`"]
    for heading, result in results.items():
        if heading in OTHERS:
            lines += ["", *OTHERS[heading](result)]
            continue
        lines += [
            "",
            f"### {heading}",
            "",
            "| | seconds | relative | work, seconds | relative | peak memory |",
            "|---|---:|---:|---:|---:|---:|",
        ]
        lines += [row(name, entry, result["contenders"]) for name, entry in result["contenders"].items()]
        lines += ["", *remarks(result)]
    return "\n".join(lines)


def growth(curves):
    """What a record costs, the larger the sources are."""
    yield "### Cost per record, in memory"
    yield ""
    sizes = [rows for rows, _ in next(iter(curves.values()))]
    heading = " | ".join(f"{rows:,}" for rows in sizes)
    yield f"| CPU time per record, ns | {heading} | largest / smallest |"
    yield f"|---|{'---:|' * (len(sizes) + 1)}"
    for name, points in curves.items():
        costs = [cost for _, cost in points]
        bold = "**" if name == "concordant" else ""
        cells = " | ".join(f"{cost:.0f}" for cost in costs)
        yield f"| {bold}{name}{bold} | {cells} | {max(costs) / min(costs):.2f} |"
    yield ""
    yield "![CPU time per record](images/growth.svg)"


def runs(rows):
    """Labels in runs, beside reading them."""
    if "error" in rows:
        yield f"Labels in runs: {rows['error']}"
        return
    yield "### Labels in runs"
    yield ""
    yield "Reading means finding the largest label of both columns with NumPy, in one thread; for a file,"
    yield "decoding them with DuckDB. Counting is elapsed time with all threads. The last two columns show"
    yield "the CPU time of counting with one thread."
    yield ""
    yield "| labels | reading, ms | counting, ms | counting / reading | by one thread, ms | / reading |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name, row in rows.items():
        reading = row["reading"]
        figures = (f"{row[key] * 1e3:.1f} | {row[key] / reading:.2f}" for key in ("counting", "work"))
        yield f"| {name} | {reading * 1e3:.1f} | {' | '.join(figures)} |"


def exchanges(sizes):
    """What Spark moved, by its counters."""
    yield "### Data that Spark moves between two executors"
    yield ""
    yield "| records | seconds | written by exchanges | bytes per record | read |"
    yield "|---|---:|---:|---:|---:|"
    for rows, found in sizes.items():
        if "error" in found:
            yield f"| {rows} | {found['error']} | | | |"
            continue
        each = found["written"] / int(rows.replace(",", ""))
        written, read = (f"{found[key] / 1e6:,.0f} MB" for key in ("written", "read"))
        yield f"| {rows} | {found['seconds']:.0f} | {written} | {each:.0f} | {read} |"


OTHERS = {"growth": growth, "runs": runs, "exchanges": exchanges}


def row(name, entry, entries):
    if "error" in entry:
        return f"| {name} | {entry['error']} | | | | |"
    ours = next((entries[key] for key in BASE if key in entries), {})
    figures = [
        figure
        for key in ("seconds", "work")
        for figure in (shown(entry.get(key)), "" if name in BASE else ratio(entry.get(key), ours.get(key)))
    ]
    bold = "**" if name in BASE else ""
    return f"| {bold}{name}{bold} | {' | '.join(figures)} | {entry['peak'] / 1e9:.2f} GB |"


def shown(seconds):
    return "" if seconds is None else f"{seconds:.1f}"


def ratio(theirs, ours):
    return f"{theirs / ours:.2f}x" if theirs and ours else ""


def remarks(result):
    agree = {True: " All counts are equal.", False: " **Counts differ.**", None: ""}[result["agree"]]
    rounds = {1: "One round", 2: "Better of two rounds", 3: "Best of three rounds"}[result["rounds"]]
    began = result["began"]
    busy = "" if result["others"] is None else f", {result['others']:.1f} cores used by others"
    yield from bound(result["contenders"])
    yield f"{rounds}, {began['time']} UTC: load average {began['load']:.1f}{busy}.{agree}"


def bound(entries):
    """How much of concordant's work is decoding, and how much was written to disk."""
    ours, decoding = entries.get("concordant", {}), entries.get("decoding alone, by DuckDB", {})
    if "work" in ours and "work" in decoding:
        written = ours.get("written", 0)
        spilled = (
            f", and {written / 1e9:.1f} GB were written to disk and read again" if written > LARGE else ""
        )
        yield f"Decoding is {decoding['work'] / ours['work']:.0%} of concordant's work{spilled}."


def setting(about):
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items() if version)
    return "\n".join(
        [
            "## Machine",
            "",
            f"- {about['processor']}, {about['cores']} cores, {about['memory'] / 1e9:.0f} GB of memory",
            f"- {about['system']}",
            f"- Python {about['python']}; {versions}",
        ]
    )
