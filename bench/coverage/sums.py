"""Regimes of tests and intervals that need only sums of units: flips, slices, and judged values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import numpy as np
from parts import LEVELS, Random, Regime, Result, Share, add_difference, add_interval

from concordant.inference.sign_flips import Flips, UnitShares, ratio_moves
from concordant.inference.slice_tests import SlicedComponents
from concordant.versions.judged_rates import JudgedShare, JudgeErrors, sum_limits

FLIPS = "Versus by units"
WHOLE = "Slices of whole components"
JUDGED = "Judged values, from sums"
EXPLAINED = {
    FLIPS: "Intervals of a difference in pair F by flips, from 8 to 200 units. Tests are of systems with "
    'equal F; "noninferior" is the share of false claims where the first is worse by the margin. '
    '"90% errors in 8%" has the same F as 12% errors everywhere.',
    WHOLE: "Share of slices of equally good components for which the uncorrected p is at most .05. "
    "Clusters are split or merged.",
    JUDGED: "Intervals from 5 to 400 answers of each kind, with shares from 0 to 1.",
}

# -- versus by units ------------------------------------------------------------------------------------

UNITS: dict[str, Callable[[Random, int], np.ndarray]] = {
    "equal": lambda _, m: np.full(m, 12),
    "log-normal": lambda r, m: np.ceil(r.lognormal(2.3, 1, m)).astype(int) + 1,
    "log-normal 1.4": lambda r, m: np.minimum(np.ceil(r.lognormal(2, 1.4, m)).astype(int) + 2, 2000),
    "Pareto": lambda r, m: np.minimum(4 + np.floor(4 * r.pareto(1.5, m)).astype(int), 400),
    "one giant": lambda r, m: _with_giant(np.ceil(r.lognormal(2.5, 0.5, m)).astype(int) + 1),
    "Pareto 1.1": lambda r, m: np.minimum(4 + np.floor(4 * r.pareto(1.1, m)).astype(int), 4000),
    "5% of the units 20 times as large": lambda r, m: np.where(r.random(m) < 0.05, 240, 12),
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


def worse_by(margin: float) -> float:
    """The share of errors whose F is worse than that of 20% by the margin."""
    low, high = 0.2, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        is_enough = pair_f([(1.0, middle)]) < pair_f([(1.0, 0.2)]) - margin
        low, high = (low, middle) if is_enough else (middle, high)
    return high


EVEN = [(1.0, 0.12)]
SYSTEMS = {
    "equal systems": ([(1.0, 0.2)], [(1.0, 0.2)]),
    "20/30% errors": ([(1.0, 0.2)], [(1.0, 0.3)]),
    "worse by .05": ([(1.0, worse_by(0.05))], [(1.0, 0.2)]),
    "90% errors in 8% of the units": (EVEN, as_good(EVEN, 0.08, 0.9)),
    "60% errors in 20% of the units": ([(1.0, 0.2)], as_good([(1.0, 0.2)], 0.2, 0.6)),
    "perfect, 30% errors in 15%": ([(1.0, 0.0)], [(0.85, 0.0), (0.15, 0.3)]),
    "30% errors in 5% of both": ([(0.95, 0.0), (0.05, 0.3)], [(0.95, 0.0), (0.05, 0.3)]),
    "0.3/0.6% errors": ([(1.0, 0.003)], [(1.0, 0.006)]),
}


def versus(sizes: str, systems: str, units: int) -> Callable[[Random, int], Result]:
    def simulate(r: Random, runs: int) -> Result:
        mixes, found = SYSTEMS[systems], {}
        true = pair_f(mixes[0]) - pair_f(mixes[1])
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
            shares = UnitShares.of(
                ratio_moves((xa, ya), (xb, yb)), ya + yb, xa.sum() / ya.sum() - xb.sum() / yb.sum()
            )
            if shares.refusal():
                found.setdefault("f_measure 95%", Share()).refused += 1
                continue
            flips = Flips(shares, 1.0, 999, 0)
            ends = {level: flips.ends(level) for level in LEVELS}
            differences = {
                level: SimpleNamespace(low=low, high=high, p=flips.p, estimable=True)
                for level, (low, high) in ends.items()
            }
            add_difference(found, "f_measure", differences, true)
            if systems == "worse by .05":
                found.setdefault("noninferior p ≤ .05", Share()).add(flips.p_above(-0.05) <= 0.05)
        return found

    return simulate


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


def slices(
    kinds: tuple[str, str], rate: float, count: int, share: float, rows: str
) -> Callable[[Random, int], Result]:
    def simulate(r: Random, runs: int) -> Result:
        inside, rejected = round(count * share), Share()
        for _ in range(runs):
            parts = (
                components(r, kind, rate, m) for kind, m in zip(kinds, (inside, count - inside), strict=True)
            )
            whole = np.hstack(list(parts))
            whole = whole if rows == "bcubed_f" else whole[[1, 2]]
            of_slice = (np.arange(count) >= inside).astype(int)
            _, p, _ = SlicedComponents(whole, np.arange(count), of_slice).against_rest(0)
            rejected.add(p is not None and p <= 0.05)
        return {f"{rows} p ≤ .05": rejected}

    return simulate


# -- judged values --------------------------------------------------------------------------------------


def judged(
    kind: str, draws: int, shares: tuple[float, ...], unsure: float = 0.0
) -> Callable[[Random, int], Result]:
    """``unsure`` is the share of "unsure" among pairs that are the same; half as many of the others."""
    signs, totals = (1, -1, 1), (0.2, 0.4, 0.3)
    true_value = sum(s * t * x for s, t, x in zip(signs, totals, shares, strict=True))

    def simulate(r: Random, runs: int) -> Result:
        errors, found = None, {}
        for _ in range(runs):
            seen = list(shares)
            if kind == "gold":
                right = [r.binomial(30, x) for x in (0.9, 0.95)]
                errors = JudgeErrors(30, right[0], 30, right[1])
                seen = [0.9 * x + 0.05 * (1 - x) for x in shares]
            held = []
            for total, x in zip(totals, seen, strict=True):
                yes = r.binomial(draws, x)
                open_yes, open_no = r.binomial(yes, unsure), r.binomial(draws - yes, unsure / 2)
                known = (yes - open_yes) / draws
                decided = max(draws - open_yes - open_no, 1)
                high = known + (open_yes + open_no) / draws
                # The value takes an unsure answer as no, as one judge of each question would.
                value = known if unsure else (yes - open_yes) / decided
                held.append(JudgedShare(total, value, known, high, draws))
            ends = {level: sum_limits(held, signs, 0.0, level, errors) for level in LEVELS}
            for level, (_, low, high) in ends.items():
                add_interval(found, kind, level, SimpleNamespace(low=low, high=high), true_value)
        return found

    return simulate


# -- all ------------------------------------------------------------------------------------------------


def regimes() -> Iterator[Regime]:
    for sizes in UNITS:
        for systems in SYSTEMS:
            for units in (8, 12, 20, 60, 200):
                yield Regime(
                    FLIPS, f"{sizes}, {systems}", f"{units} units", versus(sizes, systems, units), 0.6
                )
    for rows in ("bcubed_f", "bcubed_recall"):
        for kind, rate, count, share in (
            ("geometric", 0.01, 1000, 0.95),
            ("geometric", 0.02, 1000, 0.8),
            ("geometric", 0.05, 600, 0.1),
            ("geometric", 0.05, 60, 0.5),
            ("geometric", 0.01, 300, 0.05),
            ("geometric", 0.3, 60, 0.9),
            ("geometric", 0.5, 12, 0.5),
            ("geometric", 0.001, 5000, 0.5),
            ("Zipf", 0.05, 600, 0.3),
            ("Zipf", 0.02, 1000, 0.95),
            ("Zipf", 0.3, 40, 0.5),
            ("Zipf", 0.9, 200, 0.02),
            ("equal", 0.02, 1000, 0.95),
            ("equal", 0.1, 30, 0.5),
            ("log-normal", 0.02, 1000, 0.05),
            ("log-normal", 0.2, 200, 0.5),
            ("log-normal", 0.05, 100, 0.98),
        ):
            title = f"{kind}, {rate:.1%} errors"
            case = f"{count:,} components, {share:.0%} in the slice"
            yield Regime(WHOLE, title, case, slices((kind, kind), rate, count, share, rows), 0.6)
        for rate, count, share in ((0.02, 1000, 0.9), (0.02, 100, 0.5), (0.1, 300, 0.2)):
            title = f"clusters of the slice 20 times as large, {rate:.1%} errors"
            case = f"{count:,} components, {share:.0%} in the slice"
            yield Regime(WHOLE, title, case, slices(("twenty", "geometric"), rate, count, share, rows), 0.6)
    titles = {
        "sum": "sum of rates, as in delta_precision",
        "gold": "the same, corrected by 60 gold answers",
    }
    for draws in (5, 10, 30, 100, 400):
        for shares in (
            (0.5, 0.5, 0.5),
            (0.1, 0.9, 0.1),
            (0.02, 0.98, 0.5),
            (0.99, 0.01, 0.01),
            (0.0, 1.0, 0.0),
        ):
            for kind, title in titles.items():
                case = f"{draws} of each kind, shares {shares}"
                yield Regime(JUDGED, title, case, judged(kind, draws, shares), 2)
                if kind != "gold" and draws in (10, 100):
                    yield Regime(JUDGED, f"{title}, 20% unsure", case, judged(kind, draws, shares, 0.2), 2)
