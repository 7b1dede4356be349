"""Writes docs/internals/performance-tables.md from what was measured, and from nothing else."""


def page(about, results):
    return "\n\n".join([introduction(), section(about, results), setting(about)]) + "\n"


def introduction():
    return """# Performance on dataframes and files

Written by `make bench-tables`; see [bench/README.md](../../bench/README.md).

Two Parquet files of records and clusters are joined by a record id in random order. One record in a hundred
is missing on each side, and nine in ten are in the same cluster. A cluster has three records on average
unless the row states otherwise. concordant checks the ids, counts the overlaps and finds best partners.

- "The same answer" is the best query that we could write by hand for the same result.
- "No audit and no best partners" is a shorter query, which counts duplicate records twice without warning.
- "Decoding alone" reads the same columns without comparing them.
- Only concordant computes indices.

Each cell has the elapsed time, the CPU time and the peak memory of a process, without Python start-up and
imports. Brackets compare a time with the first column. Spark's CPU time and memory are those of the Python
driver. "The whole process" includes start-up and printing."""


def section(about, results):
    form = "make bench-tables-quick" if about["quick"] else "make bench-tables"
    lines = [f"## `{form}`"]
    compared = {heading: result for heading, result in results.items() if heading not in OTHERS}
    for names in dict.fromkeys(tuple(result["contenders"]) for result in compared.values()):
        lines += ["", f"| | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
        lines += [
            row(heading, result["contenders"])
            for heading, result in compared.items()
            if tuple(result["contenders"]) == names
        ]
    lines += ["", circumstances(compared.values())]
    for heading in filter(results.get, OTHERS):
        lines += ["", *OTHERS[heading](results[heading])]
    return "\n".join(lines)


def growth(curves):
    """The cost of a record, by the size of the sources."""
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
    yield "![CPU time per record](../images/growth.svg)"


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
        values = (f"{row[key] * 1e3:.1f} | {row[key] / reading:.2f}" for key in ("counting", "work"))
        yield f"| {name} | {reading * 1e3:.1f} | {' | '.join(values)} |"


def exchanges(sizes):
    """The data that Spark moved, by its counters."""
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


def row(heading, entries):
    ours = next((entry for entry in entries.values() if "error" not in entry), {})
    cells = [cell(entry, {} if entry is ours else ours) for entry in entries.values()]
    return f"| {heading} | {' | '.join(cells)} |"


def cell(entry, ours):
    if "error" in entry:
        return entry["error"]
    times = [
        label + f"{entry[key]:.1f} s" + (f" ({entry[key] / ours[key]:.2g}x)" if ours.get(key) else "")
        for key, label in (("seconds", ""), ("work", "CPU "))
        if entry.get(key) is not None
    ]
    return ", ".join([*times, f"{entry['peak'] / 1e9:.2f} GB"])


def circumstances(compared):
    """When it was measured, and whether the results agree."""
    began = sorted(result["began"]["time"] for result in compared)
    busy = max((result["others"] or 0) for result in compared)
    agree = "**Counts differ.**" if any(r["agree"] is False for r in compared) else "All counts are equal."
    return (
        f"Best of one to three rounds, {began[0]} to {began[-1]} UTC. Other users of the machine kept at "
        f"most {busy:.1f} cores busy. {agree}"
    )


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
