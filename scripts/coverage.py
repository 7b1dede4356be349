"""How often intervals hold the true value, and how often chance is taken for agreement: `make coverage`.

Seeds are fixed, so that every run prints the same. Takes some minutes; --runs says how many samples to draw.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

import concordant as cc

SEED = 20261115


def population(clusters: int, agree: float, zipf: float) -> np.ndarray:
    """The chance of each cell: a share of the records keeps its cluster, the rest has one at random."""
    sizes = 1 / np.arange(1, clusters + 1) ** zipf
    sizes /= sizes.sum()
    return agree * np.diag(sizes) + (1 - agree) * np.outer(sizes, sizes)


def true_value(cells: np.ndarray, name: str, size: int = 10**7) -> float:
    """The value of the population, from a table of so many elements that rounding does not matter."""
    table = np.rint(cells * size).astype(np.int64)
    return cc.Comparison.from_contingency(table)[name]


def interval_coverage(runs: int) -> None:
    print("share of 95% intervals that hold the value of the population; records drawn one by one")
    for title, clusters, agree, zipf, n in (
        ("5 equal clusters, 100 records", 5, 0.8, 0.0, 100),
        ("10 unequal clusters, 500 records", 10, 0.75, 1.0, 500),
        ("5 equal clusters at random, 100 records", 5, 0.0, 0.0, 100),
    ):
        cells = population(clusters, agree, zipf)
        random = np.random.default_rng(SEED)
        names = ("adjusted_rand", "f_measure", "bcubed_f", "nmi_arithmetic")
        wanted = {name: true_value(cells, name) for name in names}
        held = dict.fromkeys(names, 0)
        for _ in range(runs):
            table = random.multinomial(n, cells.ravel()).reshape(cells.shape)
            c = cc.Comparison.from_contingency(table)
            for name in names:
                found = c.interval(name)
                held[name] += found.low <= wanted[name] <= found.high
        print(f"  {title}: " + ", ".join(f"{name} {held[name] / runs:.3f}" for name in names))


def unit_coverage(runs: int) -> None:
    print("documents drawn as a whole, of unequal difficulty: f_measure by documents, and by records")
    for documents in (20, 60):
        random = np.random.default_rng(SEED)
        by_unit = by_record = 0
        truth = _documents(np.random.default_rng(1), 20_000)[:2]
        wanted = cc.compare(*truth)["f_measure"]
        for _ in range(runs):
            u, v, unit = _documents(random, documents)
            c = cc.compare(u, v)
            one, other = c.interval("f_measure", unit=unit), c.interval("f_measure")
            by_unit += one.low <= wanted <= one.high
            by_record += other.low <= wanted <= other.high
        print(
            f"  {documents} documents: {by_unit / runs:.3f} by documents, {by_record / runs:.3f} by records"
        )


def _documents(random: np.random.Generator, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Documents of 30 mentions of 8 entities; in each another share of mentions has a wrong cluster."""
    unit = np.repeat(np.arange(number), 30)
    u = unit * 8 + random.integers(0, 8, len(unit))
    wrong = np.repeat(random.beta(1, 4, number), 30)
    v = np.where(random.random(len(unit)) < wrong, unit * 8 + random.integers(0, 8, len(unit)), u)
    return u, v, unit


def type_one_error(runs: int) -> None:
    print("share of shuffled partitions with p < 0.05, by the gamma law")
    for title, clusters, zipf, n in (
        ("3 equal clusters, 300 records", 3, 0.0, 300),
        ("10 equal clusters, 1000 records", 10, 0.0, 1000),
        ("20 unequal clusters, 1000 records", 20, 1.0, 1000),
    ):
        random = np.random.default_rng(SEED)
        sizes = 1 / np.arange(1, clusters + 1) ** zipf
        u = random.choice(clusters, n, p=sizes / sizes.sum())
        met = sum(
            cc.compare(u, random.permutation(u)).significance("adjusted_rand", method="gamma").p < 0.05
            for _ in range(runs)
        )
        error = math.sqrt(0.05 * 0.95 / runs)
        print(f"  {title}: {met / runs:.4f} ± {error:.4f}")


def estimate_coverage(runs: int) -> None:
    print("share of 95% intervals from labelled clusters that hold the value of the population")
    random = np.random.default_rng(1)
    sizes = np.minimum(random.geometric(0.35, 5000), 20)
    truth = np.repeat(np.arange(5000), sizes)
    guess = np.where(random.random(len(truth)) < 0.9, truth, random.integers(0, 6000, len(truth)))
    whole = cc.compare(truth, guess)
    start = np.concatenate([[0], np.cumsum(sizes)])
    names = ("precision", "recall", "f_measure", "cluster_recall", "bcubed_precision", "adjusted_rand")
    for drawn, number in (("clusters", 100), ("clusters", 2500), ("records", 100), ("records", 400)):
        random = np.random.default_rng(SEED)
        held = dict.fromkeys(names, 0)
        for _ in range(runs):
            if drawn == "clusters":
                met, options = random.choice(5000, number, replace=False), {"population": 5000}
            else:
                met, options = (
                    np.unique(truth[random.choice(len(truth), number, replace=False)]),
                    {"draws": number},
                )
            sample = {i: int(k) for k in met.tolist() for i in range(start[k], start[k + 1])}
            e = cc.estimate(sample, guess, sampling=drawn, **options)
            for name in names:
                found = e[name]
                held[name] += found.low <= whole[name] <= found.high
        shares = ", ".join(f"{name} {held[name] / runs:.3f}" for name in names)
        print(f"  {number} {drawn}: {shares}", flush=True)


def versus_error(runs: int) -> None:
    print("share of pairs of equally good systems with p < 0.05, and of intervals that hold no difference")
    for clusters, n, copied in ((5, 200, 0.0), (10, 500, 0.9)):
        random = np.random.default_rng(SEED)
        names = ("adjusted_rand", "f_measure")
        met = dict.fromkeys(names, 0)
        for _ in range(runs):
            truth = random.integers(0, clusters, n)
            first, second = (_noisy(random, truth, clusters) for _ in range(2))
            kept = random.random(n) < copied
            c, d = cc.compare(truth, first), cc.compare(truth, np.where(kept, first, second))
            for name in names:
                met[name] += c.versus(d, name).p < 0.05
        shares = ", ".join(f"{name} {met[name] / runs:.3f}" for name in names)
        print(f"  {clusters} clusters, {n} records, {copied:.0%} of the errors shared: {shares}", flush=True)


def _noisy(random: np.random.Generator, truth: np.ndarray, clusters: int) -> np.ndarray:
    return np.where(random.random(len(truth)) < 0.8, truth, random.integers(0, clusters, len(truth)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    type_one_error(5 * runs)
    interval_coverage(runs)
    unit_coverage(runs)
    estimate_coverage(runs)
    versus_error(5 * runs)  # its error must be small beside 0.05
