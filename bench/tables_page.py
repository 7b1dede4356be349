"""Writes docs/performance-tables.md from what was measured, and from nothing else."""

import json

BASE = {
    "concordant": "SQL, the same profile",
    "concordant on Spark": "Spark SQL, the same profile",
    "concordant compare": "scikit-learn, one score",
}


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

Two Parquet files of records with their clusters, three records a cluster in the mean, are joined by a
shuffled record id; one record in a hundred is missing on each side, and nine in ten are in the same cluster.
concordant audits the ids, counts, and computes every index of its table. "SQL, the same profile" is the best
query that we could write by hand for the same counts; "sizes and maxima only" is a shorter one that cannot
give all of them. Each runs in a process of its own and they take turns; a time is the best of the rounds,
without the start of Python, and the memory is the peak of that process (`ru_maxrss`). On Spark it is that of
the Python driver, not of the JVM. The last table is the whole process, from the start of Python to the
printed answer."""


def section(about, results):
    form = "make bench-tables-quick" if about["quick"] else "make bench-tables"
    lines = [f"## {about['date']}, `{form}`"]
    for heading, result in results.items():
        lines += [
            "",
            f"### {heading}",
            "",
            "| | seconds | against ours | peak memory |",
            "|---|---:|---:|---:|",
        ]
        lines += [row(name, entry, result["contenders"]) for name, entry in result["contenders"].items()]
        lines += ["", *remarks(result)]
    return "\n".join(lines)


def row(name, entry, entries):
    if "error" in entry:
        return f"| {name} | {entry['error']} | | |"
    ours = next((entries[key].get("seconds") for key in BASE if key in entries), None)
    ratio = "" if name in BASE or not ours else f"{entry['seconds'] / ours:.2f}x"
    bold = "**" if name in BASE else ""
    return f"| {bold}{name}{bold} | {entry['seconds']:.1f} | {ratio} | {entry['peak'] / 1e9:.2f} GB |"


def remarks(result):
    agree = {True: "All found the same counts.", False: "**They found different counts.**", None: ""}
    yield agree[result["agree"]]
    if result["others"] is not None:
        yield f"Others kept {result['others']:.1f} cores busy meanwhile."


def setting(about):
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items() if version)
    return "\n".join(
        [
            "## Machine",
            "",
            f"- {about['processor']}, {about['cores']} cores, {about['memory'] / 1e9:.0f} GB of memory",
            f"- {about['system']}",
            f"- Python {about['python']}; {versions}",
            f"- load average when the run began: {about['load']:.1f} (others were running too)",
        ]
    )
