"""Edits, streams and the consensus of many runs: `make bench-live` prints one line for each.

Times are CPU times. river's metric is measured in the same run, if it is installed. The consensus has the
size that R's salso is known for: 10,000 records, 100 runs, 50 clusters.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import concordant as cc

SEED = 20261115


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the records")
    scale = 10 if parser.parse_args().quick else 1
    for row in (stream, consensus_of_runs, consensus_of_entities, review):
        print(row(scale), flush=True)


def stream(_: int) -> str:
    """Read the adjusted Rand index of a stream with 300 clusters on both sides."""
    random = np.random.default_rng(SEED)
    u, v = (random.integers(0, 300, 20_000).tolist() for _ in range(2))
    live = cc.Live("adjusted_rand")
    for truth, guess in zip(u, v, strict=True):
        live.update(truth, guess)
    ours = timed(lambda: [live.get() for _ in range(1000)]) / 1000
    said = f"stream, K = 300: get() {1e6 * ours:.1f} µs"
    try:
        from river import metrics
    except ImportError:
        return f"{said}; river is not installed"
    theirs = metrics.AdjustedRand()
    for truth, guess in zip(u, v, strict=True):
        theirs.update(truth, guess)
    taken = timed(theirs.get)
    return f"{said}; river {1e3 * taken:.1f} ms, {taken / ours:,.0f} times as long"


def consensus_of_runs(scale: int) -> str:
    random, size = np.random.default_rng(SEED), 10_000 // scale
    truth = random.integers(0, 50, size)
    runs = [np.where(random.random(size) < 0.8, truth, random.integers(0, 50, size)) for _ in range(100)]
    parts = [f"consensus, {size:,} records, 100 runs, 50 clusters"]
    for loss in ("vi", "binder"):
        found: list[Any] = []
        search = partial(cc.consensus, runs, loss=loss, n_restarts=4)
        taken = timed(lambda search=search, found=found: found.append(search()))
        parts.append(f"{loss} {taken:.1f} s, loss {found[0].loss:.6f}")
    return "; ".join(parts)


def consensus_of_entities(scale: int) -> str:
    random, size = np.random.default_rng(SEED), 100_000 // scale
    truth = np.arange(size) // 3
    runs = []
    for _ in range(30):
        alone = random.random(size) < 0.05
        runs.append(np.where(alone, size + np.arange(size), truth))
    parts = [f"consensus, {size:,} records, 30 runs of entities"]
    for loss in ("vi", "binder"):
        found: list[Any] = []
        taken = timed(lambda loss=loss, found=found: found.append(cc.consensus(runs, loss=loss)))
        parts.append(f"{loss} {taken:.1f} s, proven for {found[0].proven_share:.1%} of the records")
    return "; ".join(parts)


def review(scale: int) -> str:
    """A reviewer's loop: the suggestions that follow an edit."""
    random, size = np.random.default_rng(SEED), 10_000_000 // scale
    truth = random.integers(0, size // 3, size)
    guess = np.where(random.random(size) < 0.95, truth, random.integers(0, size // 3, size))
    c = cc.compare(truth, guess)
    begun: list[Any] = []
    first = timed(lambda: begun.append(c.suggest("bcubed_f")))
    edits, steps = begun[0], []
    for _ in range(10):
        start = time.process_time()
        edits = edits.apply()
        steps.append(time.process_time() - start)
    shown = ", ".join(f"{step:.3f}" for step in steps)
    return f"review, {size:,} records: first {first:.1f} s, then {shown} s a step"


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
