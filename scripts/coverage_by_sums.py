"""Simulate the tests and intervals that need only sums of units: flips, exchanged slices, and judged values.

    python scripts/coverage_by_sums.py [runs]

Each regime prints the share of intervals that contain the true value at 80, 90, 95 and 99%, or the share of
tests of a true null hypothesis with p at most .05. The regimes run in parallel processes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from concordant.trust import slice_tests
from concordant.trust.flips import Flips, UnitShares
from concordant.trust.judged_rates import JudgedShare, JudgeErrors, mean_limits, ratio_limits, sum_limits

LEVELS = (0.8, 0.9, 0.95, 0.99)
slice_tests._DRAWS = 999  # enough for the share of p <= .05
Random = np.random.Generator
Regime = tuple[str, Callable[..., str], tuple[Any, ...]]

# -- versus by units ------------------------------------------------------------------------------------

UNITS: dict[str, Callable[[Random, int], np.ndarray]] = {
    "equal": lambda _, m: np.full(m, 12),
    "log-normal": lambda r, m: np.ceil(r.lognormal(2.3, 1, m)).astype(int) + 1,
    "log-normal 1.4": lambda r, m: np.minimum(np.ceil(r.lognormal(2, 1.4, m)).astype(int) + 2, 2000),
    "Pareto": lambda r, m: np.minimum(4 + np.floor(4 * r.pareto(1.5, m)).astype(int), 400),
    "one giant": lambda r, m: _with_giant(np.ceil(r.lognormal(2.5, 0.5, m)).astype(int) + 1),
}


def _with_giant(sizes: np.ndarray) -> np.ndarray:
    sizes[0] = sizes[1:].sum() * 4 // 10 + 10
    return sizes


def pair_f(mix: list[tuple[float, float]]) -> float:
    """Pair F of records in 4 classes; mix: (share of units, share of records with a random class)."""
    same = sum(w * ((1 - 0.75 * e) ** 2 + 3 * (e / 4) ** 2) for w, e in mix)
    apart = sum(w * (2 * (1 - 0.75 * e) * (e / 4) + 2 * (e / 4) ** 2) for w, e in mix)
    return 2 * 0.25 * same / (0.25 + 0.25 * same + 0.75 * apart)


def as_good(mix: list[tuple[float, float]], share: float, bad: float) -> list[tuple[float, float]]:
    """A system with the same F that has this share of errors in some units, and fewer in the others."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        is_better = pair_f([(share, bad), (1 - share, middle)]) > pair_f(mix)
        low, high = (middle, high) if is_better else (low, middle)
    return [(share, bad), (1 - share, low)]


EVEN = [(1.0, 0.12)]
SYSTEMS = {
    "equal systems": ([(1.0, 0.2)], [(1.0, 0.2)]),
    "20/30% errors": ([(1.0, 0.2)], [(1.0, 0.3)]),
    "90% errors in 8% of the units": (EVEN, as_good(EVEN, 0.08, 0.9)),
    "60% errors in 20% of the units": ([(1.0, 0.2)], as_good([(1.0, 0.2)], 0.2, 0.6)),
    "perfect, 30% errors in 15%": ([(1.0, 0.0)], [(0.85, 0.0), (0.15, 0.3)]),
    "30% errors in 5% of both": ([(0.95, 0.0), (0.05, 0.3)], [(0.95, 0.0), (0.05, 0.3)]),
    "0.3/0.6% errors": ([(1.0, 0.003)], [(1.0, 0.006)]),
}


def versus(sizes: str, systems: str, units: int, runs: int) -> str:
    r = np.random.default_rng([units, len(sizes), len(systems)])
    mixes = SYSTEMS[systems]
    true, hits, rejected, widths = pair_f(mixes[0]) - pair_f(mixes[1]), np.zeros(4), 0, []
    for _ in range(runs):
        unit = np.repeat(np.arange(units), UNITS[sizes](r, units))
        truth, sums = r.integers(0, 4, len(unit)), []
        for mix in mixes:
            kinds = np.searchsorted(np.cumsum([w for w, _ in mix])[:-1], r.random(units), side="right")
            rate = np.array([e for _, e in mix])[kinds][unit]
            own = np.where(r.random(len(unit)) < rate, r.integers(0, 4, len(unit)), truth)
            cells = np.bincount(unit * 16 + truth * 4 + own, minlength=16 * units).reshape(units, 4, 4)
            n11, u, v = (
                (x * (x - 1) / 2).reshape(units, -1).sum(1) for x in (cells, cells.sum(2), cells.sum(1))
            )
            sums.append((2 * n11, u + v))
        (xa, ya), (xb, yb) = sums
        values, size = (xa.sum() / ya.sum(), xb.sum() / yb.sum()), (ya.sum() + yb.sum()) / 2
        moves = ((xa - xb) - sum(values) / 2 * (ya - yb)) / size
        flips = Flips(UnitShares.of(moves, (ya + yb) / (2 * size), values[0] - values[1]), 1.0, 999, 0)
        ends = [flips.ends(level) for level in LEVELS]
        hits += [low - 1e-9 <= true <= high + 1e-9 for low, high in ends]
        rejected += flips.p <= 0.05
        widths.append(ends[2][1] - ends[2][0])
    shares = " ".join(f"{x:.3f}" for x in hits / runs)
    size = f"size {rejected / runs:.3f}" if abs(true) < 1e-9 else f"power {rejected / runs:.3f}"
    return f"{shares} width {np.median(widths):.3f} {size}"


# -- slices ---------------------------------------------------------------------------------------------

SIZES: dict[str, Callable[[Random, int], np.ndarray]] = {
    "equal": lambda _, n: np.full(n, 4.0),
    "geometric": lambda r, n: r.geometric(0.35, n).astype(float),
    "Zipf": lambda r, n: np.minimum(r.zipf(1.7, n), 400).astype(float),
    "log-normal": lambda r, n: np.ceil(r.lognormal(1, 1.2, n)),
    "twenty": lambda r, n: 20.0 * r.geometric(0.35, n),
}


def components(r: Random, kind: str, rate: float, count: int) -> np.ndarray:
    """Sums of precision and recall, and records: a cluster, sometimes split, or two merged."""
    k, other = SIZES[kind](r, count), SIZES[kind](r, count)
    wrong = r.random(count) < rate
    split = wrong & (r.random(count) < 0.5) & (k > 1)
    merged = wrong & ~split
    part = np.floor(1 + r.random(count) * np.maximum(k - 1, 0))
    y = np.where(merged, k + other, k)
    p = np.where(merged, (k * k + other * other) / y, k)
    return np.array([p, np.where(split, (part**2 + (k - part) ** 2) / k, y), y])


def slices(  # noqa: PLR0917  (a regime)
    one: str, rest: str, rate: float, count: int, share: float, rows: str, runs: int
) -> str:
    r, inside = np.random.default_rng([count, round(100 * share)]), round(count * share)
    rejected = 0
    for _ in range(runs):
        whole = np.hstack([components(r, one, rate, inside), components(r, rest, rate, count - inside)])
        whole = whole if rows == "bcubed_f" else whole[[1, 2]]
        of_slice = (np.arange(count) >= inside).astype(int)
        exchange = slice_tests.Exchange(None, "", whole, np.arange(count), of_slice)
        rejected += exchange.p_values([0], [slice(0, inside)])[0] <= 0.05
    return f"size {rejected / runs:.3f}"


# -- judged values --------------------------------------------------------------------------------------


def judged(kind: str, draws: int, shares: tuple[float, ...], runs: int) -> str:
    r = np.random.default_rng([draws, *(round(1000 * x) for x in shares)])
    signs = ((1, -1, 1), (0, -1, 1))[kind == "ratio"]
    totals = {"sum": (0.2, 0.4, 0.3), "gold": (0.2, 0.4, 0.3), "ratio": (0.8, 0.1, 0.1)}.get(kind, ())
    errors, hits = None, np.zeros(4)
    if kind == "ratio":
        kept, split, merged = (t * x for t, x in zip(totals, shares, strict=True))
        true = (kept + merged) / (kept + split)
    elif kind == "mean":
        true = shares[0]
    else:
        true = sum(s * t * x for s, t, x in zip(signs, totals, shares, strict=True))
    for _ in range(runs):
        if kind == "mean":  # values of records: -1, 0 or 1
            values = r.choice(
                [-1.0, 0.0, 1.0], draws, p=[shares[1], 1 - shares[0] - 2 * shares[1], shares[0] + shares[1]]
            )
            ends = [mean_limits(values.tolist(), level) for level in LEVELS]
        else:
            seen = list(shares)
            if kind == "gold":
                right = [r.binomial(30, x) for x in (0.9, 0.95)]
                errors = JudgeErrors(30, right[0], 30, right[1])
                seen = [0.9 * x + 0.05 * (1 - x) for x in shares]
            found = [r.binomial(draws, x) / draws for x in seen]
            held = [JudgedShare(t, x, x, x, draws) for t, x in zip(totals, found, strict=True)]
            ends = [
                ratio_limits([held[0]], [held[1]], [held[2]], level)
                if kind == "ratio"
                else sum_limits(held, signs, 0.0, level, errors)
                for level in LEVELS
            ]
        hits += [low - 1e-9 <= true <= high + 1e-9 for _, low, high in ends]
    return " ".join(f"{x:.3f}" for x in hits / runs)


# -- all ------------------------------------------------------------------------------------------------


def regimes() -> Iterator[Regime]:
    for sizes in UNITS:
        for systems in SYSTEMS:
            for units in (8, 20, 60, 200):
                yield f"versus: {sizes}, {systems}, {units} units", versus, (sizes, systems, units)
    for rows in ("bcubed_f", "bcubed_recall"):
        for kind, rate, count, share in (
            ("geometric", 0.01, 1000, 0.95),
            ("geometric", 0.02, 1000, 0.8),
            ("geometric", 0.05, 600, 0.1),
            ("geometric", 0.05, 60, 0.5),
            ("geometric", 0.01, 300, 0.05),
            ("geometric", 0.3, 60, 0.9),
            ("Zipf", 0.05, 600, 0.3),
            ("Zipf", 0.02, 1000, 0.95),
            ("Zipf", 0.3, 40, 0.5),
            ("equal", 0.02, 1000, 0.95),
            ("equal", 0.1, 30, 0.5),
            ("log-normal", 0.02, 1000, 0.05),
            ("log-normal", 0.2, 200, 0.5),
        ):
            name = f"slices: {kind}, {rate:.0%} errors, {count} components, {share:.0%} in the slice, {rows}"
            yield name, slices, (kind, kind, rate, count, share, rows)
        for rate, count, share in ((0.02, 1000, 0.9), (0.02, 100, 0.5), (0.1, 300, 0.2)):
            what = f"{rate:.0%} errors, {count} components, {share:.0%} in the slice, {rows}"
            name = f"slices: clusters of the slice 20 times as large, {what}"
            yield name, slices, ("twenty", "geometric", rate, count, share, rows)
    for draws in (5, 10, 30, 100, 400):
        for shares in (
            (0.5, 0.5, 0.5),
            (0.1, 0.9, 0.1),
            (0.02, 0.98, 0.5),
            (0.99, 0.01, 0.01),
            (0.0, 1.0, 0.0),
        ):
            for kind in ("sum", "gold", "ratio"):
                if kind == "ratio" and not any(shares[:2]):
                    continue
                yield f"judged {kind}: {draws} of each kind, shares {shares}", judged, (kind, draws, shares)
        for shares in ((0.0, 0.0), (0.3, 0.1), (0.02, 0.01), (0.9, 0.01)):
            yield f"judged mean: {draws} records, {shares}", judged, ("mean", draws, shares)


def main(runs: int) -> None:
    with ProcessPoolExecutor() as pool:
        waiting = []
        for name, work, given in regimes():
            number = max(runs // 3, 1) if work is judged else runs  # these take longer
            waiting.append((name, pool.submit(work, *given, number)))
        for name, each in waiting:
            print(name, "|", each.result(), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
