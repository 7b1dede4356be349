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
    return """# Performance on tables

Written by `make bench-tables` and `make bench-tables-quick`; see [bench/README.md](../bench/README.md).

Two Parquet files of records with their clusters are joined by a shuffled record id; one record in a hundred
is missing on each side, and nine in ten are in the same cluster. Where nothing else is said, a cluster has
three records in the mean. concordant audits the ids, counts the overlaps and finds best partners; its second
row also computes every index of its table.

"SQL, the same answer" is the best query that we could write by hand for all that concordant's table is made
of: which records stand on one side only, whether records repeat or labels are null, how many cells have which
sizes (n, a, b), and of each cluster the largest overlap, the best share n/(a + b) of a partner (for F1 and
Jaccard) and the sum of n(n - 1). "No audit and no best partners" is a shorter query that does less: sizes and
largest overlaps alone, and a record that stands twice would be counted twice without a word. The query for
Spark is of this shorter kind. Indices are computed by concordant alone, in the row that says so.

Each runs in a process of its own and they take turns. A time is the best of the rounds, without the start of
Python and without imports; the work is the processor time of that round, which others on the machine
disturb less; the memory is the peak of that process (`ru_maxrss`). On Spark, work and memory are
those of the Python driver, not of the JVM. The whole process, where that is said, is from the start of
Python to the printed answer."""


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
            "| | seconds | against ours | work, seconds | against ours | peak memory |",
            "|---|---:|---:|---:|---:|---:|",
        ]
        lines += [row(name, entry, result["contenders"]) for name, entry in result["contenders"].items()]
        lines += ["", *remarks(result)]
    return "\n".join(lines)


def growth(curves):
    """What a record costs, the larger the sources are."""
    yield "### What a record costs, in memory"
    yield ""
    sizes = [rows for rows, _ in next(iter(curves.values()))]
    heading = " | ".join(f"{rows:,}" for rows in sizes)
    yield f"| processor time for a record, ns | {heading} | largest / smallest |"
    yield f"|---|{'---:|' * (len(sizes) + 1)}"
    for name, points in curves.items():
        costs = [cost for _, cost in points]
        bold = "**" if name == "concordant" else ""
        cells = " | ".join(f"{cost:.0f}" for cost in costs)
        yield f"| {bold}{name}{bold} | {cells} | {max(costs) / min(costs):.2f} |"
    yield ""
    yield "![Processor time for a record](images/growth.svg)"


def runs(rows):
    """Labels in runs, beside reading them."""
    if "error" in rows:
        yield f"Labels in runs: {rows['error']}"
        return
    yield "### Labels that come in runs"
    yield ""
    yield "Reading is to find the largest label of both columns by NumPy, which takes one thread; of a file,"
    yield "to have DuckDB decode them. Counting is the time one waits, with all threads; the last two columns"
    yield "have the processor time of counting by one thread alone."
    yield ""
    yield "| labels | reading, ms | counting, ms | counting / reading | by one thread, ms | / reading |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name, row in rows.items():
        reading = row["reading"]
        figures = (f"{row[key] * 1e3:.1f} | {row[key] / reading:.2f}" for key in ("counting", "work"))
        yield f"| {name} | {reading * 1e3:.1f} | {' | '.join(figures)} |"


def exchanges(sizes):
    """What Spark moved, by its counters."""
    yield "### What Spark moves between two executors"
    yield ""
    yield "| records | seconds | written by exchanges | bytes a record | read |"
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
    agree = {True: "All found the same counts.", False: "**They found different counts.**", None: ""}
    began = result["began"]
    yield from bound(result["contenders"])
    rounds = {1: "One round", 2: "The better of two rounds", 3: "The best of three rounds"}
    yield f"{rounds[result['rounds']]}, begun {began['time']} UTC at a load average of {began['load']:.1f}."
    yield agree[result["agree"]]
    if result["others"] is not None:
        yield f"Others kept {result['others']:.1f} cores busy meanwhile."


def bound(entries):
    """What the time of ours goes into."""
    ours, decoding = entries.get("concordant", {}), entries.get("decoding alone, by DuckDB", {})
    if "work" in ours and "work" in decoding:
        share = decoding["work"] / ours["work"]
        yield f"Decoding is {share:.0%} of our work; partitioning, matching and counting (memory) the rest."
        if ours.get("written", 0) > LARGE:
            yield f"Beyond the limit, {ours['written'] / 1e9:.1f} GB were written to the disk and read again."
    elif "concordant, dataframes" in entries:
        yield "Memory bounds it: each record is looked up among those of the other side; nothing is decoded."


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
