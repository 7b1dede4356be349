"""Regimes that try to break designs: labelled clusters, planned numbers, units of known sizes, and others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Literal

import numpy as np
from parts import LEVELS, Random, Regime, Result, Share, add_difference, add_interval

import concordant as cc
from concordant.counts.sampled import SampledCells
from concordant.errors import ConcordantError, UndefinedError
from concordant.labelling.design import design
from concordant.labelling.estimates import Estimates

ESTIMATES = "Labelled clusters, hostile"
NUMBERS = "Planned numbers"
SYSTEMS = "Two systems on labelled clusters"
SIZES = "Units of known sizes"
VERSUS_SIZES = "Versus by units of known sizes"
DOMINATING = "A dominating cluster"
UNSURE = "Questions with unsure answers"
AUDITS = "Audited merges"
PAIRS = "Labelled pairs"
SOFT_TESTS = "Permuted soft partitions"
SLICES = "Slices of mixed components"
REGIONS = "Slices that cut entities"
RECORDS = "Versus on records"
COMPONENTS = "Versus by components"

EXPLAINED = {
    ESTIMATES: "Intervals of `estimate` for ten measures from 20, 60 or 200 draws of several designs.",
    NUMBERS: "Share of estimates from the number of draws by `sample_size` and `Estimates.needed` (after a "
    "pilot of 60 records) whose interval is as narrow as planned. It should be at least the assurance. "
    "`approximate` assumes that errors are as frequent in large clusters as in small ones.",
    SYSTEMS: "Intervals of `Estimates.versus` for five measures, of two complete candidates.",
    SIZES: "`interval(unit=, unit_sizes=)` for four indices, of 5, 20 and 60 units from 4,000.",
    VERSUS_SIZES: "`versus(unit=, unit_sizes=)` for four indices, of 8, 20 and 60 units from 4,000.",
    DOMINATING: "`interval` for five indices, of 20 to 20,000 records drawn one by one.",
    UNSURE: "`judged` with unsure answers.",
    AUDITS: "`audit` of pair precision and B-cubed precision, with sure and unsure answers, two judges, and "
    "judges who err.",
    PAIRS: '`estimate(sampling="pairs")` for precision, recall and F, from pairs drawn uniformly, by strata, '
    "or with unequal probabilities.",
    SOFT_TESTS: "Share of permuted memberships for which `significance` reports such a p.",
    SLICES: "Share of random slices with p ≤ .05, uncorrected, and of data sets with one by Holm's method. "
    "Components have records of several slices.",
    REGIONS: "Share of data sets with a slice that is worse at 5%, by Holm's method. Entities are split or "
    "joined at random. Four fifths of the records of an entity are in its own region, the others in random "
    "ones; in rows of random records, all are. In rows of whole entities, the errors of one region are six "
    "times as frequent, and `found` is the share of data sets in which it is worse.",
    RECORDS: "`versus` on 30 to 2,000 records drawn one by one, for four indices.",
    COMPONENTS: "`versus` for B-cubed indices, from 40 or 400 entities.",
}

# -- labelled clusters ----------------------------------------------------------------------------------

POPULATIONS = (
    "geometric sizes",
    "three errors",
    "2% of the clusters in one blob",
    "Pareto sizes",
    "singletons and tens",
    "half of each large cluster wrong",
    "one cluster has 30%",
    "one cluster has 30% and is split",
    "two clusters have 60%",
    "a candidate cluster has 25%",
    "all pairs, 1% split",
    "1% of the clusters shattered",
    "the two largest merged",
    "small clusters wrong",
    "nearly all wrong",
    "large clusters split in two",
)
MEASURES = (
    "precision",
    "recall",
    "f_measure",
    "f_measure(beta=2)",
    "jaccard",
    "bcubed_precision",
    "bcubed_recall",
    "cluster_recall",
    "cluster_f",
    "adjusted_rand",
)
DESIGNS = (
    ("records drawn", 20),
    ("records drawn", 60),
    ("records drawn", 200),
    ("clusters drawn by size, weights", 20),
    ("clusters drawn by size, weights", 60),
    ("clusters drawn by the root of their size, weights", 60),
    ("clusters drawn with replacement", 60),
    ("clusters drawn uniformly", 100),
    ("clusters drawn uniformly, population known", 100),
    ("records drawn, largest cluster known", 60),
)


class Population:
    """True clusters of about 4,000 records, and one or two complete candidates."""

    def __init__(self, truth: np.ndarray, *candidates: np.ndarray) -> None:
        self.truth, self.sizes = truth, np.bincount(truth)
        self.size, self.candidates = len(truth), [np.unique(c, return_inverse=True)[1] for c in candidates]
        self.cells = [_cells(truth, c) for c in self.candidates]
        self.comparisons = [cc.compare(truth, c) for c in self.candidates]

    def sample(self, how: str, m: int, random: Random) -> tuple[np.ndarray, dict[str, Any]]:
        """The clusters that were drawn, and the options of the design."""
        clusters = len(self.sizes)
        if how.startswith("records"):
            drawn = np.unique(self.truth[random.choice(self.size, m, replace=False)])
            known = {"largest_cluster": int(self.sizes.max())} if how.endswith("known") else {}
            return drawn, {"sampling": "records", "n_draws": m, **known}
        if how.endswith("replacement"):
            drawn, often = np.unique(random.choice(clusters, m), return_counts=True)
            return drawn, {
                "sampling": "clusters",
                "times": dict(zip(drawn.tolist(), often.tolist(), strict=True)),
            }
        if how.endswith("weights"):
            by = self.sizes**0.5 if "root" in how else self.sizes
            chance = np.minimum(1, m * by / by.sum())
            drawn = np.flatnonzero(random.random(clusters) < chance)
            weights = dict(zip(drawn.tolist(), (1 / chance[drawn]).tolist(), strict=True))
            return drawn, {"sampling": "clusters", "sampling_weights": weights}
        drawn = np.sort(random.choice(clusters, m, replace=False))
        return drawn, {"sampling": "clusters", "population": clusters if how.endswith("known") else None}

    def estimates(
        self, drawn: np.ndarray, options: dict[str, Any], level: float, which: int = 0
    ) -> Estimates:
        row, column, n, b, sizes = self.cells[which]
        chosen = np.isin(row, drawn)
        cells = SampledCells(
            drawn.tolist(),
            np.searchsorted(drawn, row[chosen]),
            n[chosen],
            b[column[chosen]],
            self.size,
            sizes,
            column[chosen],
        )
        given = {"n_draws": None, "times": None, "weights": None, "population": None, **options}
        given["weights"] = given.pop("sampling_weights", None)
        return Estimates(cells, design(cells, **given), level)


def _cells(truth: np.ndarray, candidate: np.ndarray) -> tuple[Any, ...]:
    width = int(candidate.max()) + 1
    key, n = np.unique(truth * width + candidate, return_counts=True)
    b = np.bincount(candidate)
    return key // width, key % width, n, b, Counter(b[b > 0].tolist())


@cache
def population(kind: str) -> Population:
    random, size = np.random.default_rng(5), 4000
    sizes = random.geometric(0.35, 1500)
    if "30%" in kind:
        sizes = np.r_[1200, sizes[np.cumsum(sizes) <= size - 1200]]
    elif "60%" in kind:
        sizes = np.r_[1600, 800, sizes[np.cumsum(sizes) <= size - 2400]]
    elif kind in ("Pareto sizes", "the two largest merged"):
        sizes = np.minimum(np.ceil(random.pareto(1.2, 1500)).astype(int), 300)
    elif kind == "singletons and tens":
        sizes = np.r_[np.ones(3000, int), np.full(100, 10)]
    elif kind in ("half of each large cluster wrong", "large clusters split in two"):
        sizes = np.r_[np.full(40, 50), np.full(1000, 2)]
    elif kind == "all pairs, 1% split":
        sizes = np.full(2000, 2)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    return Population(truth, candidate(kind, truth, random))


def candidate(kind: str, truth: np.ndarray, random: Random) -> np.ndarray:
    clusters, place = int(truth.max()) + 1, np.arange(len(truth))
    sizes = np.bincount(truth, minlength=clusters)
    new = np.where(random.random(len(truth)) < 0.05, random.integers(0, clusters, len(truth)), truth)
    chosen = random.random(clusters)
    if kind == "three errors":
        new = truth.copy()
        new[random.choice(len(truth), 3, replace=False)] = clusters + np.arange(3)
    elif kind == "2% of the clusters in one blob":
        new = np.where(chosen[truth] < 0.02, clusters, truth)
    elif kind == "a candidate cluster has 25%":
        new = np.where(chosen[truth] < 0.25, clusters, new)
    elif kind == "half of each large cluster wrong":
        new = truth + 2 * clusters * ((truth < 40) & (random.random(len(truth)) < 0.5))
    elif kind == "large clusters split in two":
        new = truth + clusters * ((truth < 40) & (place % 2 == 0))
    elif kind == "one cluster has 30% and is split":
        new = np.where((truth == 0) & (place % 2 == 0), clusters, new)
    elif kind in ("all pairs, 1% split", "1% of the clusters shattered"):
        new = np.where(chosen[truth] < 0.01, clusters + place, truth)
    elif kind == "the two largest merged":
        largest = np.argsort(-sizes)[:2]
        new = np.where(np.isin(truth, largest), largest[0], truth)
    elif kind == "small clusters wrong":
        new = np.where(sizes[truth] <= 2, random.integers(0, clusters, len(truth)), truth)
    elif kind == "nearly all wrong":
        new = np.where(random.random(len(truth)) < 0.9, random.integers(0, clusters, len(truth)), truth)
    return new


def estimates(kind: str, how: str, m: int) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        whole, found = population(kind), {}
        true = {name: whole.comparisons[0][name] for name in MEASURES}
        for _ in range(runs):
            drawn, options = whole.sample(how, m, random)
            if len(drawn) < 2:
                continue
            for level in LEVELS:
                estimated = whole.estimates(drawn, options, level)
                for name in MEASURES:
                    try:
                        add_interval(found, name, level, estimated[name], true[name])
                    except UndefinedError:
                        found.setdefault(f"{name} {level:.0%}", Share()).refused += 1
        return found

    return simulate


def numbers(kind: str, name: str, within: float, assurance: float) -> Callable[[Random, int], Result]:
    """How often an estimate from the planned number of draws is as narrow as planned."""

    def simulate(random: Random, runs: int) -> Result:
        whole, found = population(kind), {}
        true = whole.comparisons[0][name]
        plan = cc.sample_size(
            dict(Counter(np.bincount(whole.candidates[0]).tolist())),
            name,
            value=min(max(true, 0.01), 0.99),
            within=within,
            sampling="records",
            assurance=assurance,
        )

        def reaches(m: int) -> bool:
            drawn, options = whole.sample("records drawn", min(m, whole.size), random)
            each = whole.estimates(drawn, options, 0.95)[name]
            return max(each.high - each.value, each.value - each.low) <= within + 1e-12

        for _ in range(runs):
            drawn, options = whole.sample("records drawn", 60, random)
            number = whole.estimates(drawn, options, 0.95).needed(name, within=within, assurance=assurance)
            wanted = f"reached, assurance {assurance:.0%}"
            for what, m in (("approximate", plan.approximate), ("safe", plan.safe), ("needed", number)):
                # The width is the number of draws.
                found.setdefault(f"{what} {wanted}", Share()).add(reaches(m), width=m)
        return found

    return simulate


PATTERNS = {
    "5% of the records wrong, the same": ("even", "even"),
    "5% against 8%": ("even", "more"),
    "5% of the records, or some clusters shattered": ("even", "shattered"),
    "5% of the records, or some clusters merged": ("even", "merged"),
    "clusters shattered, or merged": ("shattered", "merged"),
    "three errors each": ("three errors", "three errors"),
    "perfect, 1% of the clusters shattered": ("perfect", "1% of the clusters shattered"),
}
VERSUS_MEASURES = ("f_measure", "bcubed_precision", "bcubed_recall", "cluster_recall", "adjusted_rand")


@cache
def two_candidates(sizes: str, pattern: str) -> Population:
    random = np.random.default_rng(6)
    truth, clusters = population(sizes).truth, len(population(sizes).sizes)
    places, owner = np.arange(len(truth)), random.permutation(clusters)[np.arange(clusters) // 2 * 2]

    def one(kind: str) -> np.ndarray:
        wrong, chosen = random.random(len(truth)), random.random(clusters)[truth]
        if kind in ("even", "more"):
            share = 0.05 if kind == "even" else 0.08
            return np.where(wrong < share, random.integers(0, clusters, len(truth)), truth)
        if kind == "shattered":
            return np.where(chosen < 0.06, clusters + places, truth)
        if kind == "merged":
            return np.where(chosen < 0.03, clusters + owner[truth], truth)
        return truth if kind == "perfect" else candidate(kind, truth, random)

    return Population(truth, *(one(kind) for kind in PATTERNS[pattern]))


def systems(sizes: str, pattern: str, how: str, m: int) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        whole, found = two_candidates(sizes, pattern), {}
        first, second = whole.comparisons
        for _ in range(runs):
            drawn, options = whole.sample(how, m, random)
            if len(drawn) < 2:
                continue
            one, other = (whole.estimates(drawn, options, 0.95, which) for which in (0, 1))
            for name in VERSUS_MEASURES:
                true = first[name] - second[name]
                try:
                    each = {
                        level: one.versus(other, name, confidence=level, n_resamples=999)
                        for level in (0.8, 0.95)
                    }
                except UndefinedError:
                    continue
                add_difference(found, name, each, true)
        return found

    return simulate


# -- units of known sizes -------------------------------------------------------------------------------

UNITS: dict[str, Callable[[Random, int], np.ndarray]] = {
    "equal sizes": lambda _, m: np.full(m, 12),
    "3% giants of 200": lambda r, m: np.where(r.random(m) < 0.03, 200, 12),
    "0.3% giants of 400": lambda r, m: np.where(r.random(m) < 0.003, 400, 12),
    "log-normal, σ = 1.5": lambda r, m: np.ceil(r.lognormal(2, 1.5, m)).astype(int) + 1,
    "Pareto, exponent 1.1": lambda r, m: np.minimum(np.ceil(4 * (r.pareto(1.1, m) + 1)).astype(int), 600),
    "half 4, half 60": lambda r, m: np.where(r.random(m) < 0.5, 4, 60),
}
QUALITY: dict[str, Callable[[Random, np.ndarray], np.ndarray]] = {
    "10% errors": lambda _, s: np.full(len(s), 0.1),
    "large units wrong": lambda _, s: np.where(s > np.quantile(s, 0.95), 0.6, 0.05),
    "small units wrong": lambda _, s: np.where(s > np.quantile(s, 0.95), 0.05, 0.6),
    "1% of the units all wrong": lambda r, s: np.where(r.random(len(s)) < 0.01, 1.0, 0.02),
    "one error in 300": lambda _, s: np.full(len(s), 0.003),
}
UNIT_INDICES = ("f_measure", "precision", "bcubed_f", "adjusted_rand")


@cache
def documents(sizes: str, quality: str, system: int = 0) -> tuple[Any, ...]:
    r = np.random.default_rng(8)
    drawn = UNITS[sizes](r, 4000)
    unit = np.repeat(np.arange(len(drawn)), drawn)
    u = unit * 4 + r.integers(0, 4, len(unit))
    r = np.random.default_rng(9 + system)
    error = QUALITY[quality](r, drawn)
    v = np.where(r.random(len(unit)) < error[unit], unit * 4 + r.integers(0, 4, len(unit)), u)
    c = cc.compare(u, v)
    return drawn, u, v, unit, np.r_[0, np.cumsum(drawn)], {name: c[name] for name in UNIT_INDICES}


def known_sizes(sizes: str, quality: str, m: int) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        drawn, u, v, unit, ends, true = documents(sizes, quality)
        found: Result = {}
        for _ in range(runs):
            chosen = random.choice(len(drawn), m, replace=False)
            rows = np.concatenate([np.arange(ends[k], ends[k + 1]) for k in chosen.tolist()])
            c = cc.compare(u[rows], v[rows])
            for name in UNIT_INDICES:
                for level in LEVELS:
                    options = {"confidence": level, "unit": unit[rows]}
                    each = c.interval(name, unit_sizes=drawn, **options)
                    add_interval(found, name, level, each, true[name])
        return found

    return simulate


def versus_known_sizes(sizes: str, pair: tuple[str, str], m: int) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        drawn, u, v, unit, ends, true = documents(sizes, pair[0])
        *_, other, _, _, other_true = documents(sizes, pair[1], 1)
        found: Result = {}
        for _ in range(runs):
            chosen = random.choice(len(drawn), m, replace=False)
            rows = np.concatenate([np.arange(ends[k], ends[k + 1]) for k in chosen.tolist()])
            c, d = cc.compare(u[rows], v[rows]), cc.compare(u[rows], other[rows])
            options = {"unit": unit[rows], "unit_sizes": drawn, "n_resamples": 999}
            for name in UNIT_INDICES:
                each = {level: c.versus(d, name, confidence=level, **options) for level in LEVELS}
                add_difference(found, name, each, true[name] - other_true[name])
        return found

    return simulate


# -- a dominating cluster -------------------------------------------------------------------------------


def dominating(share: float, error: float, n: int) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        sizes = np.r_[share, np.full(5, (1 - share) / 5)]
        cells = (1 - error) * np.diag(sizes) + error * np.outer(sizes, np.full(6, 1 / 6))
        whole = cc.Comparison.from_contingency(np.rint(cells * 10**9).astype(np.int64))
        found: Result = {}
        for _ in range(runs):
            table = random.multinomial(n, cells.ravel()).reshape(6, 6)
            c = cc.Comparison.from_contingency(table)
            for name in ("precision", "recall", "f_measure", "adjusted_rand", "bcubed_precision"):
                for level in LEVELS:
                    add_interval(found, name, level, c.interval(name, confidence=level), whole[name])
        return found

    return simulate


# -- versus on records ----------------------------------------------------------------------------------


def joint(clusters: int, sizes: np.ndarray, errors: tuple[str, str], rate: float) -> np.ndarray:
    """The probability of each three-way cell: truth, first and second system."""
    sizes = sizes / sizes.sum()

    def system(kind: str, share: float) -> np.ndarray:
        moves = np.eye(clusters)
        if kind == "random":
            return (1 - share) * moves + share / clusters
        if kind == "next":
            return (1 - share) * moves + share * np.roll(np.eye(clusters), 1, axis=1)
        if kind == "merged":  # the last two clusters are one, in part
            moves[-1, -1], moves[-1, -2] = 1 - 5 * share, 5 * share
            return moves
        return moves

    one, other = (system(kind, rate) for kind in errors)
    return sizes[:, None, None] * one[:, :, None] * other[:, None, :]


def equal_scores(cells: np.ndarray, name: str) -> float:
    whole = [
        cc.Comparison.from_contingency(np.rint(cells.sum(axis) * 10**9).astype(np.int64)) for axis in (2, 1)
    ]
    return whole[0][name] - whole[1][name]


JOINTS: dict[str, np.ndarray] = {
    "5 equal clusters, 20% errors": joint(5, np.ones(5), ("random", "random"), 0.2),
    "5 equal clusters, 1% errors": joint(5, np.ones(5), ("random", "random"), 0.01),
    "errors at random, and to the next": joint(10, np.ones(10), ("random", "next"), 0.1),
    "one cluster has 90%, 5% errors": joint(6, np.r_[45, np.ones(5)], ("random", "random"), 0.05),
    "one cluster has 90%, errors to the next": joint(6, np.r_[45, np.ones(5)], ("random", "next"), 0.05),
    "Zipf sizes, 10% errors": joint(10, 1 / np.arange(1, 11), ("random", "random"), 0.1),
    "Zipf sizes, merged in part": joint(10, 1 / np.arange(1, 11), ("random", "merged"), 0.1),
    "perfect, 1% errors": joint(5, np.ones(5), ("perfect", "random"), 0.01),
    "30 clusters, 20% errors": joint(20, np.ones(20), ("random", "random"), 0.2),
    "independent of the truth": joint(5, np.ones(5), ("random", "random"), 1.0),
}


def on_records(title: str, n: int) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        cells, found = JOINTS[title], {}
        names = ("adjusted_rand", "f_measure", "precision", "v_measure")
        true = {name: equal_scores(cells, name) for name in names}
        shape = cells.shape
        for _ in range(runs):
            drawn = random.choice(cells.size, n, p=cells.ravel() / cells.sum())
            truth, one, other = np.unravel_index(drawn, shape)
            c, d = cc.compare(truth, one), cc.compare(truth, other)
            for name in names:
                each = {level: c.versus(d, name, confidence=level) for level in LEVELS}
                add_difference(found, name, each, true[name])
        return found

    return simulate


COMPONENT_SIZES: dict[str, Callable[[Random, int], np.ndarray]] = {
    "equal sizes": lambda _, m: np.full(m, 4),
    "geometric sizes": lambda r, m: r.geometric(0.35, m),
    "Zipf sizes": lambda r, m: np.minimum(r.zipf(1.9, m), 200),
}


@cache
def damaged(sizes: str, shares: tuple[float, float]) -> tuple[Any, ...]:
    """Entities in pairs, each split, or merged with its partner, by two systems."""
    r, count = np.random.default_rng(9), 20_000
    truth = np.repeat(np.arange(count), COMPONENT_SIZES[sizes](r, count))
    runs = []
    for share in shares:
        wrong, is_split = r.random(count) < share, r.random(count) < 0.5
        leaves = (wrong & is_split)[truth] & (r.random(len(truth)) < 0.5)
        merged = (wrong & ~is_split)[truth // 2 * 2]
        runs.append(np.where(leaves, truth + count, np.where(merged, truth // 2 * 2, truth)))
    names = ("bcubed_precision", "bcubed_recall", "bcubed_f")
    whole = [cc.compare(truth, run) for run in runs]
    true = {name: whole[0][name] - whole[1][name] for name in names}
    return truth, runs[0], runs[1], np.searchsorted(truth, np.arange(count + 1)), true


def by_components(sizes: str, shares: tuple[float, float], m: int) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        truth, one, other, ends, true = damaged(sizes, shares)
        found: Result = {}
        for _ in range(runs):
            pairs = random.choice((len(ends) - 1) // 2, m // 2, replace=False)
            rows = np.concatenate([np.arange(ends[2 * k], ends[2 * k + 2]) for k in pairs.tolist()])
            c, d = cc.compare(truth[rows], one[rows]), cc.compare(truth[rows], other[rows])
            for name, value in true.items():
                each = {level: c.versus(d, name, confidence=level, n_resamples=999) for level in LEVELS}
                add_difference(found, name, each, value)
        return found

    return simulate


# -- questions with unsure answers ----------------------------------------------------------------------


@cache
def changed(kind: str) -> tuple[Any, ...]:
    r, size = np.random.default_rng(2), 2000
    drawn = r.geometric(0.3, size) if kind == "geometric sizes" else np.minimum(r.zipf(2.1, size), 300)
    truth = np.repeat(np.arange(size), drawn)[:size]
    runs = []
    for split, joined in ((0.2, 0.1), (0.1, 0.15)):
        part = (r.random(size) < split) * r.integers(0, 2, size)
        runs.append(2 * np.where(r.random(size)[truth] < joined, np.maximum(truth - 1, 0), truth) + part)
    d, exact = cc.diff(*runs), cc.diff(*runs, reference=truth)
    gold: list[dict[str, Any]] = []
    while len(gold) < 60:
        one = int(r.integers(size - 1))
        other = one + 1 if len(gold) < 30 else int(r.integers(size))
        if one != other and (truth[one] == truth[other]) == (len(gold) < 30):
            gold.append({"record_a": one, "record_b": other, "same": "yes" if len(gold) < 30 else "no"})
    return truth, d, exact, gold


def unsure(
    kind: str, number: int, hesitation: tuple[float, float], *, gold: bool = False
) -> Callable[[Random, int], Result]:
    """``hesitation`` is the share of "unsure" among pairs of one entity, and among others."""

    def simulate(random: Random, runs: int) -> Result:
        truth, d, exact, known = changed(kind)
        found: Result = {}
        for _ in range(runs):
            options = {"gold": known} if gold else {}
            q = d.ask(n_questions=number, seed=int(random.integers(2**32)), **options)
            rows = []
            for each in q.questions:
                same = truth[each.record_a] == truth[each.record_b]
                hesitates = random.random() < hesitation[0 if same else 1]
                if gold:
                    same = random.random() < (0.95 if same else 0.05)
                answer = "unsure" if hesitates else "yes" if same else "no"
                rows.append({"question": each.question, "same": answer})
            for level in LEVELS:
                for metric, rate in d.judged(rows, questions=q, confidence=level).items():
                    if hasattr(exact, metric):
                        add_interval(found, metric, level, rate, getattr(exact, metric))
        return found

    return simulate


def merged(sizes: str, wrong: float, random: Random) -> tuple[np.ndarray, np.ndarray]:
    """True clusters and those of a run, in which this share of the records joined a wrong cluster."""
    if sizes == "one cluster swallowed 100":
        truth = np.repeat(np.arange(400), 4)
        return truth, np.where(truth < 100, 0, truth)
    run = {
        "eight clusters of 50": lambda: np.repeat(np.arange(8), 50),
        "clusters of two": lambda: np.repeat(np.arange(600), 2),
        "geometric sizes": lambda: np.repeat(np.arange(400), random.geometric(0.3, 400)),
        "Zipf sizes": lambda: np.repeat(np.arange(400), np.minimum(random.zipf(2.0, 400), 200)),
    }[sizes]()
    is_wrong = random.random(len(run)) < wrong
    return np.where(is_wrong, len(run) + np.arange(len(run)), run), run


def audits(sizes: str, wrong: float, number: int, judges: str) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        truth, run = merged(sizes, wrong, random)
        merges, exact = cc.audit(run), cc.compare(truth, run)
        order = np.argsort(truth, kind="stable")
        near = random.permutation(len(order) - 1)
        same = truth[order[near]] == truth[order[near + 1]]
        chosen = np.concatenate([near[same][:60], near[~same][:60]])
        rows = zip(order[chosen], order[chosen + 1], strict=True)
        gold = [{"record_a": a, "record_b": b, "same": bool(truth[a] == truth[b])} for a, b in rows]
        options = {"gold": gold} if judges == "err" else {}
        found: Result = {}
        for _ in range(runs):
            q = merges.ask(n_questions=number, seed=int(random.integers(2**32)), **options)
            rows = []
            for each in q:
                is_same = bool(truth[each.record_a] == truth[each.record_b])
                for judge in "ab" if judges == "two" else "a":
                    answer = "yes" if is_same else "no"
                    if judges == "err" and random.random() < 0.05:
                        answer = "no" if is_same else "yes"
                    if judges in ("unsure", "two") and random.random() < 0.1:
                        answer = "unsure"
                    rows.append({"question": each.question, "judge": judge, "same": answer})
            for level in LEVELS:
                for name, rate in merges.judged(rows, questions=q, confidence=level).items():
                    add_interval(found, name, level, rate, exact[name])
        return found

    return simulate


def labelled_pairs(moved: float, drawn: str, number: int) -> Callable[[Random, int], Result]:
    """Pairs of records in 300 blocks of six, in which a run splits and joins entities of three."""

    def simulate(random: Random, runs: int) -> Result:
        block = np.repeat(np.arange(300), 6)
        truth = np.arange(1800) // 3
        run = np.where(random.random(1800) < moved, 600 + block * 2 + random.integers(0, 2, 1800), truth)
        one, other = (
            each.ravel() for each in np.broadcast_arrays(*np.triu_indices(6, 1), np.arange(300)[:, None])[:2]
        )
        first = np.repeat(np.arange(300) * 6, 15)
        one, other = first + one, first + other
        together, same = run[one] == run[other], truth[one] == truth[other]
        exact = cc.compare(truth, run)
        found: Result = {}
        for _ in range(runs):
            options: dict[str, Any] = {}
            if drawn == "uniformly":
                chosen = random.choice(len(one), number)
            elif drawn == "by strata":
                halves = [
                    random.choice(np.flatnonzero(kind), number // 2, replace=False)
                    for kind in (together, ~together)
                ]
                chosen = np.concatenate(halves)
                options["strata"] = {"True": int(together.sum()), "False": int((~together).sum())}
            else:
                chance = np.where(together, 4.0, 1.0) * random.permutation(np.linspace(0.2, 1.8, len(one)))
                chance = np.minimum(chance / chance.sum() * number, 1.0)
                chosen = np.flatnonzero(random.random(len(one)) < chance)
                options["sampling_weights"] = "weight"
            rows = [
                {
                    "record_a": one[k],
                    "record_b": other[k],
                    "same": bool(same[k]),
                    "stratum": bool(together[k]),
                }
                for k in chosen.tolist()
            ]
            if "sampling_weights" in options:
                rows = [row | {"weight": 1 / chance[k]} for row, k in zip(rows, chosen.tolist(), strict=True)]
            for level in LEVELS:
                e = cc.estimate(rows, run, sampling="pairs", confidence=level, **options)
                for name in ("precision", "recall", "f_measure"):
                    try:
                        each = e[name]
                    except UndefinedError:
                        found.setdefault(f"{name} {level:.0%}", Share()).refused += 1
                        continue
                    add_interval(found, name, level, each, exact[name])
        return found

    return simulate


# -- soft partitions ------------------------------------------------------------------------------------


def soft_rows(kind: str, r: Random, n: int) -> tuple[np.ndarray, np.ndarray]:  # noqa: PLR0911
    """Memberships on both sides, of records that are drawn one by one."""
    eye = np.eye(3)
    if kind == "one-hot, 1% wrong":
        u = r.integers(0, 3, n)
        return eye[u], eye[np.where(r.random(n) < 0.01, r.integers(0, 3, n), u)]
    if kind == "one cluster has 95%":
        u = np.where(r.random(n) < 0.95, 0, r.integers(1, 3, n))
        return 0.9 * eye[u] + 0.1 / 3, 0.8 * eye[
            np.where(r.random(n) < 0.1, r.integers(0, 3, n), u)
        ] + 0.2 / 3
    if kind == "equal rows, a few others":
        rare = r.random(n) < 0.05
        u = np.where(rare[:, None], r.dirichlet([0.2] * 3, n), eye[0])
        return u, np.where((r.random(n) < 0.5)[:, None] & rare[:, None], r.dirichlet([0.2] * 3, n), u)
    if kind == "flat memberships":
        return r.dirichlet([20.0] * 3, n), r.dirichlet([20.0] * 3, n)
    if kind == "sharp and flat":
        u = r.dirichlet([0.1] * 3, n)
        return u, 0.2 * u + 0.8 / 3
    if kind == "independent, sharp":
        return r.dirichlet([0.1] * 3, n), r.dirichlet([0.1] * 3, n)
    if kind == "20 clusters":
        u = r.dirichlet([0.05] * 20, n)
        return u, 0.7 * u + 0.3 * r.dirichlet([0.05] * 20, n)
    if kind == "rare large errors":
        u = r.dirichlet([0.3] * 4, n)
        return u, np.where((r.random(n) < 0.03)[:, None], np.roll(u, 1, axis=1), u)
    if kind == "mixture and labels":
        u = r.dirichlet([0.3, 0.6, 1.2], n)
        return u, eye[u.argmax(axis=1)]
    u = r.dirichlet([0.5] * 2, n)  # two clusters, noise
    noisy = np.clip(u[:, 0] + r.normal(0, 0.1, n), 0, 1)
    return u, np.stack([noisy, 1 - noisy], axis=1)


SOFT_KINDS = (
    "one-hot, 1% wrong",
    "one cluster has 95%",
    "equal rows, a few others",
    "flat memberships",
    "sharp and flat",
    "independent, sharp",
    "20 clusters",
    "rare large errors",
    "mixture and labels",
    "two clusters, noise",
)


def soft_tests(kind: str, n: int) -> Callable[[Random, int], Result]:
    """The rows of one side are permuted."""

    def simulate(random: Random, runs: int) -> Result:
        found: Result = {}
        for _ in range(runs):
            u, v = soft_rows(kind, random, n)
            try:
                c = cc.compare(cc.Soft.from_matrix(u), cc.Soft.from_matrix(v[random.permutation(n)]))
                # With one seed, the same few permutations of similar rows would be drawn in every run.
                seed = int(random.integers(2**32))
                p = c.significance("soft_adjusted_rand", n_resamples=399, seed=seed).p
            except ConcordantError:
                found.setdefault("soft_adjusted_rand p ≤ .05", Share()).refused += 1
                continue
            found.setdefault("soft_adjusted_rand p ≤ .05", Share()).add(p <= 0.05)
            found.setdefault("soft_adjusted_rand p ≤ .01", Share()).add(p <= 0.01)
        return found

    return simulate


# -- slices of mixed components -------------------------------------------------------------------------

SLICED = ("bcubed_precision", "bcubed_recall", "bcubed_f", "precision", "recall", "f_measure")
SliceBy = Literal["entities", "records", "clusters of the candidate"]


def mixed(
    sizes: str, rate: float, entities: int, shares: tuple[float, ...], by: SliceBy
) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        found: Result = {}
        for _ in range(runs):
            truth = np.repeat(np.arange(entities), COMPONENT_SIZES[sizes](random, entities))
            wrong = random.random(len(truth)) < rate
            run = np.where(wrong, random.integers(0, entities, len(truth)), truth)
            of_each = {"entities": truth, "records": np.arange(len(truth)), "clusters of the candidate": run}
            labels = random.choice(len(shares), len(truth) + entities, p=shares)
            slices = labels[of_each[by]]
            if len(set(slices.tolist())) < len(shares):
                continue
            c = cc.compare(truth, run)
            for name in SLICED:
                try:
                    held = c.slices(slices, index=name, correction="none")
                    p = [held[k].p for k in range(len(shares))]
                except ConcordantError:
                    found.setdefault(f"{name} p ≤ .05", Share()).refused += 1
                    continue
                known = sorted(each for each in p if each is not None)
                for each in p:
                    share = found.setdefault(f"{name} p ≤ .05", Share())
                    share.add(each is not None and each <= 0.05, estimable=each is not None)
                family = found.setdefault(f"{name} family (Holm) p ≤ .05", Share())
                family.add(bool(known) and known[0] * len(known) <= 0.05)
        return found

    return simulate


# -- slices that cut entities ---------------------------------------------------------------------------

REGION_SIZES: dict[str, Callable[[Random, int], np.ndarray]] = {
    "Zipf sizes": lambda random, m: np.minimum(random.zipf(1.7, m), 400),
    "geometric sizes": lambda random, m: random.geometric(0.35, m),
}


def regions(
    sizes: str, rate: float, entities: int, shares: tuple[float, ...], *, own: float, times: int = 1
) -> Callable[[Random, int], Result]:
    """``own`` is the share of an entity's records in its region; others are in a random one.

    In the first region, errors are so many ``times`` as frequent.
    """

    def simulate(random: Random, runs: int) -> Result:
        found: Result = {}
        for _ in range(runs):
            truth = np.repeat(np.arange(entities), REGION_SIZES[sizes](random, entities))
            region = random.choice(len(shares), entities, p=shares)
            is_split, is_joined = random.random((2, entities)) < np.where(region == 0, times * rate, rate)
            owner = np.where(is_joined, random.integers(0, entities, entities), np.arange(entities))
            leaves = is_split[truth] & (random.random(len(truth)) < 0.5)
            run = np.where(leaves, truth + entities, owner[truth])
            is_own = random.random(len(truth)) < own
            slices = np.where(is_own, region[truth], random.choice(len(shares), len(truth), p=shares))
            c = cc.compare(truth, run)
            for name in SLICED:
                held = c.slices(slices, index=name)
                if times > 1:
                    found.setdefault(f"{name} found", Share()).add(0 in {each.slice for each in held.worse})
                else:
                    family = found.setdefault(f"{name} family (Holm) p ≤ .05", Share())
                    family.add(len(held.worse) > 0)
        return found

    return simulate


# -- all ------------------------------------------------------------------------------------------------


def regimes() -> Iterator[Regime]:  # noqa: PLR0912  (a list)
    for kind in POPULATIONS:
        for how, m in DESIGNS:
            yield Regime(ESTIMATES, kind, f"{m} {how}", estimates(kind, how, m))
    for kind, name, within in (
        ("geometric sizes", "f_measure", 0.05),
        ("geometric sizes", "bcubed_precision", 0.03),
        ("geometric sizes", "cluster_f", 0.05),
        ("Pareto sizes", "recall", 0.05),
        ("Pareto sizes", "bcubed_recall", 0.02),
        ("singletons and tens", "f_measure", 0.05),
        ("half of each large cluster wrong", "recall", 0.05),
        ("three errors", "precision", 0.03),
        ("1% of the clusters shattered", "f_measure", 0.03),
        ("small clusters wrong", "bcubed_recall", 0.04),
        ("nearly all wrong", "f_measure", 0.02),
        ("large clusters split in two", "f_measure", 0.05),
    ):
        for assurance in (0.5, 0.8, 0.95):
            case = f"{name} within {within:g}, assurance {assurance:.0%}"
            yield Regime(NUMBERS, kind, case, numbers(kind, name, within, assurance), 4)
    for sizes in ("geometric sizes", "Pareto sizes", "half of each large cluster wrong"):
        for pattern in PATTERNS:
            for how, m in (DESIGNS[0], DESIGNS[1], DESIGNS[2], DESIGNS[4], DESIGNS[6], DESIGNS[8]):
                title = f"{sizes}: {pattern}"
                if sizes.startswith("half"):
                    title = f"40 clusters of 50, others of 2: {pattern}"
                yield Regime(SYSTEMS, title, f"{m} {how}", systems(sizes, pattern, how, m), 2)
    for sizes in UNITS:
        for quality in QUALITY:
            for m in (5, 20, 60):
                yield Regime(SIZES, f"{sizes}, {quality}", f"{m} units", known_sizes(sizes, quality, m), 3)
    for sizes in UNITS:
        for pair in (
            ("10% errors", "10% errors"),
            ("10% errors", "large units wrong"),
            ("large units wrong", "small units wrong"),
            ("one error in 300", "1% of the units all wrong"),
        ):
            for m in (8, 20, 60):
                title = f"{sizes}, {pair[0]} against {pair[1]}"
                yield Regime(VERSUS_SIZES, title, f"{m} units", versus_known_sizes(sizes, pair, m), 3)
    for share, error in (
        (0.98, 0.02),
        (0.99, 0.01),
        (0.9, 0.02),
        (0.9, 0.3),
        (0.999, 0.001),
        (0.5, 0.02),
        (0.7, 0.001),
        (1 / 6, 0.3),
        (0.95, 0.9),
    ):
        for n in (20, 100, 1000, 20_000):
            title = f"one cluster has {share:.1%}, {error:.1%} errors"
            yield Regime(DOMINATING, title, f"n = {n:,}", dominating(share, error, n), 0.7)
    for title in JOINTS:
        for n in (30, 100, 400, 2000):
            yield Regime(RECORDS, title, f"n = {n:,}", on_records(title, n), 2)
    for sizes in COMPONENT_SIZES:
        for shares in ((0.1, 0.1), (0.1, 0.15), (0.01, 0.01), (0.9, 0.1), (0.0, 0.05)):
            for m in (40, 400):
                title = f"{sizes}, {shares[0]:.0%} and {shares[1]:.0%} of the entities damaged"
                yield Regime(COMPONENTS, title, f"{m} entities", by_components(sizes, shares, m), m / 100)
    for kind in ("geometric sizes", "Zipf sizes"):
        for hesitation in ((0.1, 0.1), (0.4, 0.0), (0.0, 0.4), (0.5, 0.5), (0.02, 0.0)):
            title = f"{kind}, unsure {hesitation[0]:.0%} of the same, {hesitation[1]:.0%} of others"
            yield Regime(UNSURE, title, "60 questions", unsure(kind, 60, hesitation), 4)
        title = f"{kind}, unsure 20% of the same, 5% of others, 60 gold answers"
        yield Regime(UNSURE, title, "100 questions", unsure(kind, 100, (0.2, 0.05), gold=True), 4)
    for kind in ("eight clusters of 50", "clusters of two", "geometric sizes", "Zipf sizes"):
        for wrong in (0.01, 0.05, 0.2):
            for number in (40, 150):
                title = f"{kind}, {wrong:.0%} wrong"
                yield Regime(AUDITS, title, f"{number} questions", audits(kind, wrong, number, "sure"), 2)
        for judges in ("unsure", "two", "err"):
            yield Regime(AUDITS, f"{kind}, judges: {judges}", "100", audits(kind, 0.1, 100, judges), 2)
    for moved in (0.005, 0.05, 0.3):
        for drawn in ("uniformly", "by strata", "unequally"):
            for number in (60, 300):
                title = f"{moved:.1%} of the records moved, drawn {drawn}"
                yield Regime(PAIRS, title, f"{number} pairs", labelled_pairs(moved, drawn, number), 2)
    for number in (40, 150):
        title = "one cluster swallowed 100"
        yield Regime(AUDITS, title, f"{number} questions", audits(title, 0.0, number, "sure"), 2)
    for kind in SOFT_KINDS:
        for n in (7, 50, 300):
            yield Regime(SOFT_TESTS, kind, f"n = {n:,}", soft_tests(kind, n), 0.6)
    for sizes in COMPONENT_SIZES:
        for rate, entities, shares, by in (
            (0.05, 200, (0.6, 0.2, 0.2), "entities"),
            (0.05, 200, (0.9, 0.05, 0.05), "entities"),
            (0.3, 60, (0.5, 0.5), "entities"),
            (0.01, 500, (0.9, 0.1), "entities"),
            (0.05, 200, (0.6, 0.2, 0.2), "records"),
            (0.3, 60, (0.9, 0.1), "records"),
            (0.01, 500, (0.5, 0.5), "records"),
            (0.05, 200, (0.6, 0.2, 0.2), "clusters of the candidate"),
            (0.3, 60, (0.7, 0.3), "clusters of the candidate"),
            (0.9, 60, (0.7, 0.3), "entities"),
        ):
            title = f"{sizes}, {rate:.0%} of the records wrong, slices of {by}"
            case = f"{entities} entities, shares {shares}"
            yield Regime(SLICES, title, case, mixed(sizes, rate, entities, shares, by), 2)
    for sizes in REGION_SIZES:
        for rate in (0.02, 0.1):
            for about, shares, own in (
                ("six regions", (1 / 6,) * 6, 0.8),
                ("two regions", (0.7, 0.3), 0.8),
                ("random records", (0.6, 0.2, 0.15, 0.05), 0.0),
            ):
                title = f"{sizes}, {rate:.0%} errors, {about}"
                yield Regime(REGIONS, title, "2,000 entities", regions(sizes, rate, 2000, shares, own=own))
        for entities in (1000, 3000):
            title = f"{sizes}, 5% errors, 30% in one of six regions of whole entities"
            case = f"{entities:,} entities"
            yield Regime(REGIONS, title, case, regions(sizes, 0.05, entities, (1 / 6,) * 6, own=1.0, times=6))
    for rate in (0.02, 0.1):
        title = f"geometric sizes, {rate:.0%} errors, random records"
        simulate = regions("geometric sizes", rate, 30_000, (0.6, 0.2, 0.15, 0.05), own=0.0)
        yield Regime(REGIONS, title, "30,000 entities", simulate, 8)
