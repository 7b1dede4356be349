"""Writes docs/performance.md with its pictures, and the pages of other rows, from what was measured alone."""

import svg
from rows import COVER_ROWS, HIERARCHY_ROWS, OURS, ROWS, SOFT_ROWS, WEIGHT_ROWS

PEERS = [
    "scikit-learn",
    "genieclust",
    "Polars",
    "pandas",
    "np.bincount",
    "SciPy",
    "igraph",
    "permetrics",
    "clusim",
]

OTHERS = [
    "The last column shows how many cores other users of the machine kept busy. concordant uses all cores;",
    "of the peers, only Polars does. A busy machine therefore makes the ratios smaller.",
]


def write(folder, about, results, imports, points, *, quick):
    images = folder / "images"
    images.mkdir(exist_ok=True)
    for name, picture in pictures(results, points, quick).items():
        (images / name).write_text(picture)
    sections = [
        introduction(about, quick),
        times(results, quick),
        growth(points),
        memory(results, quick),
        setting(about, results),
    ]
    (folder / "performance.md").write_text("\n\n".join(sections) + "\n")
    write_internal(folder, "targets", targets(results, imports, quick))


def write_internal(folder, name, text):
    """Pages for people who check or change the library have a folder of their own."""
    path = folder / "internals" / f"performance-{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{text}\n")
    return path


# Pages of their own: title, rows, and the packages whose versions matter.
OTHER_PAGES = {
    "weights": ("weights, questions and slices", WEIGHT_ROWS, ("concordant", "numpy")),
    "covers": (
        "covers and coreference",
        COVER_ROWS,
        ("concordant", "numpy", "clusim", "bcubed", "networkit", "scorch"),
    ),
    "hierarchies": ("hierarchies", HIERARCHY_ROWS, ("concordant", "numpy", "polars", "scipy")),
    "soft": ("soft partitions", SOFT_ROWS, ("concordant", "numpy")),
}


def write_other(folder, about, results, name, *, quick):
    title, rows, packages = OTHER_PAGES[name]
    versions = {package: about["versions"].get(package) for package in packages}
    sections = [
        introduction_to_other(about, name, title, quick),
        other_times(results, rows, quick),
        setting({**about, "versions": versions}, results, rows),
    ]
    return write_internal(folder, name, "\n\n".join(sections))


def introduction_to_other(about, name, title, quick):
    size = " at the smaller sizes of `make bench-quick`" if quick else ""
    return f"""# Performance: {title}

Measured on {about["date"]}{size} by `make {"bench-quick" if quick else "bench"} BENCH="--page {name}"`,
which writes this page. [Performance](../performance.md) describes the method. CPU time is the sum over all
threads, and excludes other users of the machine."""


def other_times(results, rows, quick):
    lines = [
        "## Times",
        "",
        "| work | library | elapsed | CPU time | relative to concordant | target | others |",
        "|---|---|---:|---:|---:|---|---:|",
    ]
    for row in rows:
        for name, entry in results[row.name]["contenders"].items():
            cells = other_cells(row, name, entry, results[row.name])
            lines.append(f"| {row.heading(quick)} | {name} | {' | '.join(cells)} |")
    notes = [f"- {row.heading(quick)}: {row.note}" for row in rows if row.note]
    peaks = [
        f"- {row.heading(quick)}: peak memory of {name}: {size(entry['peak'])} above earlier use."
        for row in rows
        for name, entry in results[row.name]["memory"].items()
        if "peak" in entry
    ]
    return "\n".join([*lines, "", OTHERS_ELSEWHERE, "", *notes, *peaks])


OTHERS_ELSEWHERE = "The last column shows how many cores other users of the machine kept busy."


def other_cells(row, name, entry, result):
    if "seconds" not in entry:
        return ["fails", "", "", "", ""]
    seconds, processor, others = entry["seconds"], entry["processor"], result.get("others")
    ours = result["contenders"].get(OURS, {}).get("processor")
    ratio = times_text(processor / ours) if name != OURS and ours else ""
    shown = f"**{duration(seconds)}**" if name == OURS else duration(seconds)
    word = other_judgement(row.targets[0], result) if name == OURS and row.targets else ""
    return [shown, duration(processor), ratio, word, "" if others is None else f"{others:.1f}"]


def other_judgement(target, result):
    by_clock, by_processor = (judged(target, result, clock)[1] for clock in ("seconds", "processor"))
    if by_clock is None:
        return f"{target.text}: not measured"
    if by_clock:
        return f"{target.text}: met"
    if by_processor and (result.get("others") or 0) >= 1:
        return f"{target.text}: by CPU time, on a busy machine"
    return f"{target.text}: **missed**"


# -- the sections --------------------------------------------------------------------------------------


def introduction(about, quick):
    size = " at the smaller sizes of `make bench-quick`" if quick else ""
    return f"""# Performance

Measured on {about["date"]}{size} by `make {"bench-quick" if quick else "bench"}`, which writes this page; see
[bench/README.md](../bench/README.md). Labels are int64 unless a row states otherwise, and the two partitions
agree on 80% of the elements. Each row runs in its own process, in which concordant and its peers take turns.
A time is the best of several runs. If two libraries compute the same index, their values must agree.

See also [dataframes and files](internals/performance-tables.md),
[weights, questions and slices](internals/performance-weights.md),
[covers and coreference](internals/performance-covers.md),
[hierarchies](internals/performance-hierarchies.md), [soft partitions](internals/performance-soft.md),
[label images](internals/performance-arrays.md), [GPU](internals/performance-gpu.md) and our
[targets](internals/performance-targets.md)."""


def targets(results, imports, quick):
    lines = [
        "# Performance targets",
        "",
        "Written by `make bench`. [Performance](../performance.md) describes the method.",
        "",
        *(["They are meant for the full sizes.", ""] if quick else []),
        "| work | target | measured | | others |",
        "|---|---|---|---|---:|",
    ]
    remarks = []
    for row in ROWS:
        for target in row.targets:
            measured, met = judged(target, results[row.name])
            word = {True: "met", False: "**missed**", None: "not measured"}[met]
            others = results[row.name].get("others")
            busy = "" if others is None else f"{others:.1f}"
            lines.append(f"| {row.heading(quick)} | {target.text} | {measured} | {word} | {busy} |")
            if met is False and row.bound and row.bound not in remarks:
                remarks.append(row.bound)
    lines += start_lines(imports)
    return "\n".join(
        [*lines, "", *OTHERS, *(f"\n{remark}" for remark in remarks), "", *floors(results, quick)]
    )


def start_lines(imports):
    """Rows for the import, the first answer and the size of the wheel."""
    best = {name: entry.get("seconds") for name, entry in imports["contenders"].items()}

    def after(name, earlier):
        return best[name] - best[earlier] if best.get(name) and best.get(earlier) else None

    def line(work, target, measured, word):
        return f"| {work} | {target} | {measured} | {word} | |"

    whole, numpy = after("import concordant", "python"), after("import numpy", "python")
    if whole is None or numpy is None:
        lines = [line("`import concordant`, NumPy included", "≤ 150 ms", "", "not measured")]
    else:
        measured = f"{duration(whole)}, of which NumPy {duration(numpy)}"
        word = "met" if whole <= 0.150 else "**missed**"
        lines = [line("`import concordant`, NumPy included", "≤ 150 ms", measured, word)]
    for work, name in (
        ("`cc.compare(u, v).adjusted_rand`", "first call"),
        ("`print(cc.compare(u, v))`", "first print"),
    ):
        seconds = after(name, "import concordant")
        measured = "" if seconds is None else duration(max(0.0, seconds))
        lines.append(
            line(f"the first {work} after the import", "", measured, "" if measured else "not measured")
        )
    if imports.get("wheel"):
        lines.append(line("size of the wheel", "", f"{imports['wheel'] / 1e6:.2f} MB", ""))
    return lines


def judged(target, result, clock="seconds"):
    ours = result["contenders"].get(OURS, {}).get(clock)
    if ours is None:
        return result["failure"] or "no time", None
    if target.peer is None:
        return duration(ours), ours <= target.seconds
    peer = result["contenders"].get(target.peer, {})
    if clock not in peer:
        return peer.get("error") or result["failure"] or "no time", None
    ratio = peer[clock] / ours
    shown = times_text(ratio) if target.ratio >= 1 else f"{ratio_text(1 / ratio)} times"
    return f"{shown} ({duration(ours)} against {duration(peer[clock])})", ratio >= target.ratio


def times(results, quick):
    shown = [
        peer for peer in PEERS if any("seconds" in r["contenders"].get(peer, {}) for r in results.values())
    ]
    lines = [
        "## Times",
        "",
        "The second number is the peer's time divided by concordant's. Polars, pandas and `np.bincount` only",
        "count the cells; the others compute the index. `np.bincount(u * k + v)` assumes that the labels are",
        "0 to k−1. Preparing a peer's input (a dataframe, lists) is not timed.",
        "",
        f"| work | {OURS} | {' | '.join(shown)} |",
        "|---|---|" + "---|" * len(shown),
    ]
    compared = [row for row in ROWS if any(peer in results[row.name]["contenders"] for peer in PEERS)]
    for row in compared:
        cells = [time_cell(results[row.name], peer) for peer in [OURS, *shown]]
        lines.append(f"| {row.heading(quick)} | {' | '.join(cells)} |")
    notes = [f"- {row.heading(quick)}: {row.note}" for row in compared if row.note]
    return "\n".join([*lines, "", *notes, "", "![Times](images/bench-times.svg)"])


def floors(results, quick):
    """Rows that have no peer, or also a limit, against the work that they cannot do without."""
    lines = [
        "## Work without a peer",
        "",
        "Each row is measured against work that it includes or cannot do without. The ratio is concordant's",
        "time divided by the time of that work.",
        "",
        f"| work | {OURS} | against | its time | ratio |",
        "|---|---:|---|---:|---:|",
    ]
    for row in ROWS:
        entries = results[row.name]["contenders"]
        ours = entries.get(OURS, {}).get("seconds")
        for name, entry in entries.items():
            if name in (OURS, *PEERS) or "seconds" not in entry or not ours:
                continue
            cells = duration(ours), FLOORS.get(name, name), duration(entry["seconds"])
            lines.append(
                f"| {row.heading(quick)} | {' | '.join(cells)} | {ratio_text(ours / entry['seconds'])} |"
            )
    return lines


FLOORS = {
    "read floor": "reading both once: `u.sum(), v.sum()`",
    "one pass": "one pass over the runs: `cc.adjusted_rand` of each with one partition",
    "pair by pair": "`cc.adjusted_rand` pair by pair, estimated from 4 pairs",
    "the join": "the join, with the counts of pairs",
}


def time_cell(result, name):
    entry = result["contenders"].get(name)
    if entry is None:
        return ""
    if "seconds" not in entry:
        return "fails" if "not installed" not in entry.get("error", "") else "not installed"
    ours = result["contenders"].get(OURS, {}).get("seconds")
    text = duration(entry["seconds"])
    if name == OURS:
        return f"**{text}**"
    mark = " †" if "differs" in entry else ""
    return f"{text}, {times_text(entry['seconds'] / ours)}{mark}" if ours else text


WHAT_GROWS = """With few clusters, labels are read at memory speed; below a million labels, thread start-up
shows. With k = √n, the table has as many cells as there are labels. With k = n/3, nearly every label is
written twice and looked up twice."""


def growth(points):
    lines = [
        "## Growth",
        "",
        "Nanoseconds per label for the whole call `cc.compare(u, v).adjusted_rand`.",
        "",
    ]
    curves = by_curve(points)
    sizes = sorted({p["n"] for p in points})
    by_size = [name for name in curves if name.startswith("k")]
    if by_size:
        lines += [f"| labels | {' | '.join(by_size)} |", "|---:|" + "---:|" * len(by_size)]
        for n in sizes:
            found = {p["curve"]: p for p in points if p["n"] == n}
            cells = [per_label(found[name]) if name in found else "" for name in by_size]
            lines.append(f"| {n:,} | {' | '.join(cells)} |")
        lines += ["", *map(flatness, (curves[name] for name in by_size))]
        lines += ["", WHAT_GROWS, "", "![Growth with the labels](images/bench-growth-n.svg)"]
    for name, entries in curves.items():
        if name.startswith("n"):
            lines += ["", f"With {name[4:]} labels and a growing number of clusters:", ""]
            lines += ["| clusters | " + " | ".join(f"{p['k']:,}" for p in entries) + " |"]
            lines += ["|---|" + "---:|" * len(entries)]
            lines += ["| ns per label | " + " | ".join(map(per_label, entries)) + " |"]
            lines += ["", "![Growth with the clusters](images/bench-growth-k.svg)"]
    return "\n".join(lines)


def flatness(entries):
    """How much the time per label changes once a call is no longer all start-up."""
    large = [p for p in entries if p["n"] >= 10**5]
    times_per_label = [p["seconds"] / p["n"] for p in large]
    spread = max(times_per_label) / min(times_per_label)
    start = f"- {entries[0]['curve']}: the slowest time per label from {large[0]['n']:,} labels on"
    return f"{start} is {spread:.1f} times the fastest"


def per_label(point):
    return f"{point['seconds'] / point['n'] * 1e9:.3g}"


def by_curve(points):
    curves = {}
    for point in points:
        curves.setdefault(point["curve"], []).append(point)
    return curves


def memory(results, quick):
    rows = [row for row in ROWS if any("peak" in e for e in results[row.name]["memory"].values())]
    names = [n for n in [OURS, *PEERS] if any("peak" in results[r.name]["memory"].get(n, {}) for r in rows)]
    lines = [
        "## Peak memory",
        "",
        "Peak memory of a call, without the labels and other memory in use before it. Each call is measured",
        "in its own process, by `ru_maxrss`. Brackets show the multiple of the label size.",
        "",
        f"| work | labels | {' | '.join(names)} |",
        "|---|---:|" + "---:|" * len(names),
    ]
    for row in rows:
        measured = results[row.name]["memory"]
        given = next(e["input"] for e in measured.values() if "input" in e)
        cells = [memory_cell(measured.get(name)) for name in names]
        lines.append(f"| {row.heading(quick)} | {size(given)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def memory_cell(entry):
    if entry is None:
        return ""
    if "peak" not in entry:
        return "fails"
    return f"{size(entry['peak'])} ({entry['peak'] / entry['input']:.1f}x)"


def setting(about, results, rows=ROWS):
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items() if version)
    absent = [name for name, version in about["versions"].items() if not version]
    lines = [
        "## Machine",
        "",
        f"- {about['processor']}, {about['cores']} cores, {size(about['memory'])} of memory",
        f"- {about['system']}",
        f"- Python {about['python']}; {versions}",
        f"- load average when the run began: {about['load']:.1f} (other users of the machine)",
    ]
    if absent:
        lines.append(f"- could not be installed: {', '.join(absent)}")
    lines += remarks_of(results, rows)
    return "\n".join(lines)


def remarks_of(results, rows):
    """Failures, and differences in a peer's result."""
    for row in rows:
        result = results[row.name]
        if result["failure"]:
            yield f"- {row.name}: {result['failure']}"
        for name, entry in result["contenders"].items():
            if "error" in entry and "not installed" not in entry["error"]:
                yield f"- {row.heading(quick=False)}: {name} fails with `{entry['error']}`"
            if "differs" in entry:
                yield f"- † {row.name}: {name} gives {entry['differs']}"


# -- pictures ------------------------------------------------------------------------------------------


def pictures(results, points, quick):
    found = {"bench-times.svg": svg.bars("Time, logarithmic", list(groups(results, quick)), duration)}
    curves = {
        name: [(p["n"] if name.startswith("k") else p["k"], p["seconds"] / p["n"] * 1e9) for p in entries]
        for name, entries in by_curve(points).items()
    }
    for letter, axis in (("n", "labels"), ("k", "clusters")):
        chosen = {name: c for name, c in curves.items() if name.startswith("k" if letter == "n" else "n")}
        if chosen:
            ys = [y for c in chosen.values() for _, y in c]
            title = "Time per label"
            found[f"bench-growth-{letter}.svg"] = svg.lines(
                title, (f"number of {axis}", "ns per label"), chosen, (min(ys), max(ys))
            )
    return found


def groups(results, quick):
    for row in ROWS:
        entries = results[row.name]["contenders"]
        timed = [
            (name, entries[name]["seconds"]) for name in [OURS, *PEERS] if "seconds" in entries.get(name, {})
        ]
        if len(timed) > 1 and timed[0][0] == OURS:
            yield row.heading(quick).replace("`", ""), timed


# -- numbers -------------------------------------------------------------------------------------------


def duration(seconds):
    for unit, length in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= length:
            return f"{seconds / length:,.0f} {unit}" if seconds >= 1000 else f"{seconds / length:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def times_text(ratio):
    return f"{ratio_text(ratio)}x"


def ratio_text(ratio):
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2g}"


def size(count):
    return f"{count / 2**30:.1f} GB" if count >= 2**30 else f"{max(count, 0) / 2**20:.0f} MB"
