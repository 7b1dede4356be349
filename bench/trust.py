"""How sure a score is, timed: `make bench-trust` prints one line for each row, elapsed and CPU time.

The first three rows have limits that are promised: 1 s, 0.2 s and 1 s, on a quiet machine.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

import concordant as cc
from concordant.counts.pairs import PairCounts
from concordant.indices.index import INDICES
from concordant.inference.moments import moments
from concordant.inference.pair_intervals import why_no_pair_interval

SEED = 20261115


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the records")
    scale = 10 if parser.parse_args().quick else 1
    for row in (pair_indices, exact_moments, random_models, labelled_clusters, two_runs, stability_of_runs):
        for line in row(scale):
            print(line, flush=True)


def pair_indices(scale: int) -> list[str]:
    """Every index of pairs of a table of about a million cells."""
    random, size = np.random.default_rng(SEED), 5_000_000 // scale
    u = random.integers(0, 1000, size)
    c = cc.compare(u, np.where(random.random(size) < 0.3, u, random.integers(0, 1000, size)))
    indices = {
        index.name: index
        for index in INDICES.values()
        if index.views[:1] == (PairCounts,) and index.shares == "n11"
    }
    cells = len(c._counts.table)

    def all_of(ask: Callable[[str], Any], names: list[str]) -> str:
        return f"{len(names)} indices in {said(timed(lambda: [ask(name) for name in names]))}"

    tested = all_of(c.significance, [name for name, index in indices.items() if index.agreement])
    given = all_of(c.interval, [name for name, index in indices.items() if not why_no_pair_interval(index)])
    return [f"pair-counting indices, {cells:,} cells: significance of {tested}; intervals of {given}"]


def exact_moments(scale: int) -> list[str]:
    random, size = np.random.default_rng(SEED), 10_000_000 // scale
    c = cc.compare(random.zipf(1.5, size) % 5000, random.zipf(1.4, size) % 6000)
    return [f"three moments of N₁₁, {size:,} records: {said(timed(lambda: moments(c._counts)))}"]


def random_models(scale: int) -> list[str]:
    random, size = np.random.default_rng(SEED), 1_000_000 // scale
    u = random.integers(0, 1000, size)
    c = cc.compare(u, np.where(random.random(size) < 0.5, u, random.integers(0, 1000, size)))
    rows = {name: timed(lambda name=name: c.adjusted(name)) for name in ("rand", "jaccard")}
    rows["ami_models"] = timed(lambda: c["ami_models"])
    taken = "; ".join(f"{name} {said(each)}" for name, each in rows.items())
    return [f"adjusted, {size:,} records in 1,000 clusters: {taken}"]


def labelled_clusters(scale: int) -> list[str]:
    """200 clusters labelled, against files whose clusters are integers and strings."""
    size, lines = 20_000_000 // scale, []
    texts = f"'entity-' || lpad((hash(range) % {size // 3})::VARCHAR, 9, '0')"
    with tempfile.TemporaryDirectory() as folder:
        for kind, label in (("integers", f"(hash(range) % {size // 3})::BIGINT"), ("texts", texts)):
            path = str(Path(folder) / f"{kind}.parquet")
            rows = duckdb.sql(f"SELECT range AS id, {label} AS entity FROM range({size})")  # noqa: S608  (our own text)
            rows.write_parquet(path)
            sample = {record: record % 200 for record in range(600)}
            candidate = cc.Partition.scan(path, record="id", cluster="entity")
            total = "sum(entity)" if kind == "integers" else "sum(length(entity))"
            sums = duckdb.read_parquet(path).aggregate(f"sum(id), {total}")
            read = timed(sums.fetchall)
            taken = timed(
                lambda candidate=candidate, sample=sample: cc.estimate(sample, candidate, sampling="clusters")
            )
            lines.append(
                f"estimate, {size:,} records, clusters are {kind}: {said(taken)}; a scan {said(read)}"
            )
    return lines


def two_runs(scale: int) -> list[str]:
    """The impact of a change, 200 questions about it and slices, as ratios to compare in the same process.

    Impact is promised within 1.2 times compare. The first questions about a diff also hash its records.
    """
    random, size = np.random.default_rng(SEED), 4_000_000 // scale
    truth = np.repeat(np.arange(size), random.geometric(0.3, size))[:size]
    clusters = int(truth[-1]) + 1
    truth = random.permutation(truth)
    before, after = (
        np.where(random.random(size) < 0.05, random.integers(0, clusters, size), truth) for _ in range(2)
    )
    countries = random.integers(0, 10, clusters)[before % clusters]

    change = cc.diff(before, after)
    calls: dict[str, Callable[[], Any]] = {
        "impact": lambda: cc.diff(before, after).jaccard_distance,
        "200 questions": lambda: change.ask(n_questions=200),
        "both": lambda: cc.diff(before, after).ask(n_questions=200),
        "ten slices": lambda: cc.compare(before, after).slices(countries).worse,
        "a table": lambda: cc.compare(before, after).table,
    }
    return [f"two runs, {size:,} records: {ratios(lambda: cc.compare(before, after).adjusted_rand, calls)}"]


def stability_of_runs(scale: int) -> list[str]:
    """Each run of stability, as a ratio to compare, and to compare with its table, in the same process."""
    random, size = np.random.default_rng(SEED), 4_000_000 // scale
    lines = []
    for clusters in (1000, size // 3):
        reference = random.integers(0, clusters, size)
        run, other = (
            np.where(random.random(size) < 0.05, random.integers(0, clusters, size), reference)
            for _ in range(2)
        )
        calls: dict[str, Callable[[], Any]] = {
            "one run": lambda reference=reference, run=run: cc.stability({"a": run}, reference=reference),
            "two runs": lambda reference=reference, run=run, other=other: cc.stability(
                {"a": run, "b": other}, reference=reference
            ),
            "a table": lambda reference=reference, run=run: cc.compare(reference, run).table,
        }
        times = ratios(lambda reference=reference, run=run: cc.compare(reference, run).adjusted_rand, calls)
        lines.append(f"stability, {size:,} records in {clusters:,} clusters: {times}")
    return lines


def ratios(compare: Callable[[], Any], calls: Mapping[str, Callable[[], Any]]) -> str:
    """The best of five rounds, as multiples of compare by CPU time and by the clock."""
    everything = {"compare": compare, **calls}
    rounds = [{name: timed(call) for name, call in everything.items()} for _ in range(5)]
    best = {name: [min(each[name][clock] for each in rounds) for clock in (0, 1)] for name in everything}
    (elapsed, processor), *_ = best.values()
    listed = [
        f"{name} {best[name][1] / processor:.2f} ({best[name][0] / elapsed:.2f} by the clock)"
        for name in calls
    ]
    return f"compare {said((elapsed, processor))}; times compare: {', '.join(listed)}"


def timed(call: Callable[[], Any]) -> tuple[float, float]:
    """Elapsed and CPU time of one call."""
    elapsed, processor = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - elapsed, time.process_time() - processor


def said(taken: tuple[float, float]) -> str:
    return f"{taken[0]:.2f} s ({taken[1]:.2f} s of CPU time)"


if __name__ == "__main__":
    main()
