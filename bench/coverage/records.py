"""Regimes at 95% and 5%: records, documents, labelled clusters, questions and slices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np
from parts import Random, Regime, Result, Share

import concordant as cc
from concordant.errors import UndefinedError

# -- populations of records ---------------------------------------------------------------------------------


def equal(clusters: int, error: float) -> np.ndarray:
    """The probability of each cell if a share of the records is assigned at random."""
    return unequal(np.ones(clusters), error)


def zipf(clusters: int, error: float) -> np.ndarray:
    return unequal(1 / np.arange(1, clusters + 1), error)


def dominant(share: float, error: float) -> np.ndarray:
    return unequal(np.array([share] + [(1 - share) / 5] * 5), error)


def unequal(sizes: np.ndarray, error: float) -> np.ndarray:
    sizes = sizes / sizes.sum()
    return (1 - error) * np.diag(sizes) + error * np.outer(sizes, np.ones(len(sizes)) / len(sizes))


def refining() -> np.ndarray:
    """Every reference cluster is split in two: precision is 1, recall is not."""
    cells = np.zeros((5, 10))
    for i in range(5):
        cells[i, 2 * i : 2 * i + 2] = 0.14, 0.06
    return cells


def neighbours(clusters: int, error: float) -> np.ndarray:
    """Errors go to the next cluster only."""
    cells = np.diag(np.full(clusters, 1 - error))
    cells += np.roll(np.eye(clusters), 1, axis=1) * error
    return cells / clusters


POPULATIONS: dict[str, tuple[np.ndarray, tuple[int, ...]]] = {
    "5 equal clusters, 20% errors": (equal(5, 0.2), (12, 100, 1000)),
    "5 equal clusters, 0.6% errors": (equal(5, 0.006), (12, 30, 100, 1000)),
    "5 equal clusters, 0.1% errors": (equal(5, 0.001), (100,)),
    "2 equal clusters, 2% errors": (equal(2, 0.02), (30, 100)),
    "10 Zipf clusters, 20% errors": (zipf(10, 0.2), (100, 1000)),
    "10 Zipf clusters, 2% errors": (zipf(10, 0.02), (30, 300)),
    "one cluster has 90%, 5% errors": (dominant(0.9, 0.05), (30, 1000)),
    "candidate refines the reference": (refining(), (30, 300)),
    "5 independent clusters": (equal(5, 1.0), (12, 100, 1000)),
    "30 independent clusters": (equal(30, 1.0), (300, 1000)),
    "30 equal clusters, 20% errors": (equal(30, 0.2), (100, 1000)),
    "30 equal clusters, 1% errors": (equal(30, 0.01), (300,)),
    "100 equal clusters, 20% errors": (equal(100, 0.2), (2000,)),
    "10 clusters, 2% errors to the next": (neighbours(10, 0.02), (100, 1000)),
}
RECORD_INDICES = (
    "adjusted_rand",
    "f_measure",
    "precision",
    "jaccard",
    "v_measure",
    "variation_of_information",
    "bcubed_f",
    "purity",
    "matching_accuracy",
    "element_centric",
)


def true_values(cells: np.ndarray, names: Iterable[str]) -> dict[str, float]:
    """The values of the population, from a table so large that rounding does not matter."""
    c = cc.Comparison.from_contingency(np.rint(cells * 10**9).astype(np.int64))
    return {name: c[name] for name in names}


def of_records(cells: np.ndarray, n: int) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        wanted, found = true_values(cells, RECORD_INDICES), {name: Share() for name in RECORD_INDICES}
        for _ in range(runs):
            table = random.multinomial(n, cells.ravel()).reshape(cells.shape)
            c = cc.Comparison.from_contingency(table)
            for name in RECORD_INDICES:
                i = c.interval(name)
                found[name].add(i.low <= wanted[name] <= i.high, estimable=i.estimable)
        return found

    return simulate


# -- documents ----------------------------------------------------------------------------------------------


UNIT_SIZES: dict[str, Callable[[Random, int], np.ndarray]] = {
    "8 to 12 records": lambda random, m: random.integers(8, 13, m),
    "5, 10 or 60 records": lambda random, m: random.choice([5, 10, 60], m),
    "log-normal sizes, σ = 1": lambda random, m: np.ceil(random.lognormal(2.3, 1, m)).astype(int) + 1,
    "log-normal sizes, σ = 1.5": lambda random, m: np.ceil(random.lognormal(2.3, 1.5, m)).astype(int) + 1,
    "Pareto sizes, exponent 1.3": lambda random, m: np.ceil(5 * (random.pareto(1.3, m) + 1)).astype(int),
}
UNIT_INDICES = ("f_measure", "precision", "bcubed_precision", "bcubed_f", "adjusted_rand")


def documents(
    random: Random, sizes: np.ndarray, errors: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mentions of four entities in each document; documents differ in difficulty."""
    unit = np.repeat(np.arange(len(sizes)), sizes)
    u = unit * 4 + random.integers(0, 4, len(unit))
    wrong = np.repeat(random.beta(*errors, len(sizes)), sizes)
    v = np.where(random.random(len(unit)) < wrong, unit * 4 + random.integers(0, 4, len(unit)), u)
    return u, v, unit


def of_units(
    draw: Callable[[Random, int], np.ndarray], m: int, errors: tuple[float, float] = (1, 4)
) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        found = {name: Share() for name in UNIT_INDICES}
        whole = np.random.default_rng(1)
        # A finite population, so its value is known; samples are drawn from these documents.
        sizes = draw(whole, 20_000)
        u, v, unit = documents(whole, sizes, errors)
        c = cc.compare(u, v)
        wanted = {name: c[name] for name in UNIT_INDICES}
        ends = np.concatenate([[0], np.cumsum(sizes)])
        for _ in range(runs):
            chosen = random.choice(len(sizes), m, replace=False)
            rows = np.concatenate([np.arange(ends[k], ends[k + 1]) for k in chosen.tolist()])
            c = cc.compare(u[rows], v[rows])
            for name in UNIT_INDICES:
                i = c.interval(name, unit=unit[rows])
                found[name].add(i.low <= wanted[name] <= i.high, estimable=i.estimable)
        return found

    return simulate


# -- labelled clusters --------------------------------------------------------------------------------------


def geometric_sizes(random: Random) -> np.ndarray:
    return np.minimum(random.geometric(0.35, 4000), 20)


def zipf_sizes(random: Random) -> np.ndarray:
    return np.minimum(random.zipf(1.7, 4000), 400)


ENTITIES: dict[str, tuple[Callable[[Random], np.ndarray], float]] = {
    "geometric sizes up to 20, 5% errors": (geometric_sizes, 0.05),
    "geometric sizes up to 20, 0.5% errors": (geometric_sizes, 0.005),
    "Zipf sizes up to 400, 5% errors": (zipf_sizes, 0.05),
    "Zipf sizes up to 400, 0.5% errors": (zipf_sizes, 0.005),
}
ESTIMATED = (
    "precision",
    "recall",
    "f_measure",
    "jaccard",
    "bcubed_precision",
    "bcubed_recall",
    "cluster_recall",
    "cluster_f",
    "adjusted_rand",
)


def of_labelled(
    sizes_of: Callable[[Random], np.ndarray], error: float, sampling: Any, m: int
) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        whole = np.random.default_rng(1)
        sizes = sizes_of(whole)
        truth = np.repeat(np.arange(len(sizes)), sizes)
        candidate = np.where(
            whole.random(len(truth)) < error, whole.integers(0, len(sizes), len(truth)), truth
        )
        c = cc.compare(truth, candidate)
        wanted, found = {name: c[name] for name in ESTIMATED}, {name: Share() for name in ESTIMATED}
        start = np.concatenate([[0], np.cumsum(sizes)])
        for _ in range(runs):
            if sampling == "clusters":
                drawn = random.choice(len(sizes), m, replace=False)
                options: dict[str, Any] = {"population": len(sizes)}
            else:
                drawn = np.unique(truth[random.choice(len(truth), m, replace=False)])
                options = {"n_draws": m}
            if len(drawn) < 2:
                continue
            sample = {i: k for k in drawn.tolist() for i in range(start[k], start[k + 1])}
            estimates = cc.estimate(sample, candidate, sampling=sampling, **options)
            for name in ESTIMATED:
                try:
                    e = estimates[name]
                except UndefinedError:
                    found[name].refused += 1
                    continue
                found[name].add(e.low <= wanted[name] <= e.high, estimable=e.estimable)
        return found

    return simulate


# -- tests --------------------------------------------------------------------------------------------------


# -- questions about a change -------------------------------------------------------------------------------


def two_runs(kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A truth of 5,000 records, and two runs that split and join its entities."""
    whole = np.random.default_rng(2)
    size = 5000
    drawn = whole.geometric(0.3, size) if kind == "geometric" else np.minimum(whole.zipf(2.1, size), 500)
    truth = np.repeat(np.arange(size), drawn)[:size]
    runs = []
    for split, joined in ((0.2, 0.1), (0.004, 0.002) if kind == "good" else (0.1, 0.15)):
        part = (whole.random(size) < split) * whole.integers(0, 2, size)
        cluster = np.where(whole.random(size)[truth] < joined, np.maximum(truth - 1, 0), truth)
        runs.append(2 * cluster + part)
    return truth, runs[0], runs[1]


def of_questions(
    kind: str,
    number: int,
    *,
    weighted: bool = False,
    errors: tuple[float, float] | None = None,
    by: Literal["slices", "whole"] | None = None,
) -> Callable[[Random, int], Result]:
    """``errors`` are the sensitivity and the specificity of judges, who also answer 120 gold questions.

    ``by`` draws questions by slice (60, 30 and 10% of the entities), for intervals of each or of the whole.
    """

    def simulate(random: Random, runs: int) -> Result:
        truth, before, after = two_runs(kind)
        weights = np.ceil(np.random.default_rng(3).pareto(1.5, len(truth)) * 10 + 1).astype(int)
        how: dict[str, Any] = {"weights": weights} if weighted else {}
        d, exact = cc.diff(before, after, **how), cc.diff(before, after, reference=truth, **how)
        gold = None if errors is None else gold_pairs(truth, np.random.default_rng(4))
        slices = np.random.default_rng(5).choice(3, len(truth), p=[0.6, 0.3, 0.1])[truth]
        of_slices = {each.slice: each for each in exact.slices(slices)} if by == "slices" else {}
        found: Result = {}
        for _ in range(runs):
            seed = int(random.integers(2**32))
            q = d.ask(n_questions=number, seed=seed, gold=gold, by=None if by is None else slices)
            rows = []
            for each in q.questions:
                same = truth[each.record_a] == truth[each.record_b]
                if errors is not None:
                    same = random.random() < (errors[0] if same else 1 - errors[1])
                rows.append({"question": each.question, "same": "yes" if same else "no"})
            j = d.judged(rows, questions=q)
            judged = [(exact, j)]
            if by == "slices":
                judged = [(of_slices[name], own) for name, own in j.slices.items()]
            for true, rates in judged:
                for metric, rate in rates.items():
                    # Two rates contain the same information as the others, and slices have no exact "kept".
                    if metric not in ("good_split_rate", "bad_merge_rate") and hasattr(true, metric):
                        held = rate.low <= getattr(true, metric) <= rate.high
                        found.setdefault(metric, Share()).add(held)
        return found

    return simulate


def gold_pairs(truth: np.ndarray, random: Random) -> list[dict[str, Any]]:
    """60 pairs of each answer."""
    rows: list[dict[str, Any]] = []
    while len(rows) < 120:
        one = int(random.integers(len(truth) - 1))
        other = one + 1 if len(rows) < 60 else int(random.integers(len(truth)))
        if one != other and (truth[one] == truth[other]) == (len(rows) < 60):
            rows.append({"record_a": one, "record_b": other, "same": "yes" if len(rows) < 60 else "no"})
    return rows


TESTED = ("adjusted_rand", "f_measure", "bcubed_f", "v_measure")


def noisy(random: Random, truth: np.ndarray, clusters: int, error: float) -> np.ndarray:
    return np.where(random.random(len(truth)) < error, random.integers(0, clusters, len(truth)), truth)


def of_equal_systems(n: int, error: float, clusters: int = 5) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        found = {name: Share() for name in TESTED}
        for _ in range(runs):
            truth = random.integers(0, clusters, n)
            c, d = (cc.compare(truth, noisy(random, truth, clusters, error)) for _ in range(2))
            for name in TESTED:
                v = c.versus(d, name)
                found[name].add(v.p < 0.05, estimable=v.estimable)
        return found

    return simulate


def of_unequal_labels(n: int) -> Callable[[Random, int], Result]:
    """Two systems with 5 and 30 labels that know equally little: both are independent of the truth."""

    def simulate(random: Random, runs: int) -> Result:
        found = {name: Share() for name in ("adjusted_rand", "v_measure")}
        for _ in range(runs):
            truth = random.integers(0, 5, n)
            c, d = (cc.compare(truth, random.integers(0, labels, n)) for labels in (5, 30))
            for name, share in found.items():
                v = c.versus(d, name)
                share.add(v.p < 0.05, estimable=v.estimable)
        return found

    return simulate


def of_many_systems(
    systems: int, sizes_of: Callable[[Random], np.ndarray] | None = None
) -> Callable[[Random, int], Result]:
    """Equal systems in one ranking: how often at least one of them differs at p < 0.05."""

    def simulate(random: Random, runs: int) -> Result:
        names = ("adjusted_rand", "f_measure")
        found = {name: Share() for name in names}
        for _ in range(runs):
            options: dict[str, Any] = {}
            truth = random.integers(0, 5, 200)
            if sizes_of is not None:
                sizes = sizes_of(random)
                options = {"unit": np.repeat(np.arange(len(sizes)), sizes)}
                truth = random.integers(0, 5, len(options["unit"])) + 5 * options["unit"]
            candidates = {f"system {k}": _within_units(random, truth) for k in range(systems)}
            for name in names:
                r = cc.rank(truth, candidates, name, baseline="system 0", **options)
                differences = [each[name] for each in r.to_dict()["differences"].values()]
                found[name].add(any(each["p"] < 0.05 for each in differences), estimable=True)
        return found

    return simulate


def _within_units(random: Random, truth: np.ndarray) -> np.ndarray:
    """A fifth of the records gets another cluster of the same unit."""
    other = truth // 5 * 5 + random.integers(0, 5, len(truth))
    return np.where(random.random(len(truth)) < 0.2, other, truth)


def of_permuted(clusters: int, exponent: float, n: int, method: Any) -> Callable[[Random, int], Result]:
    def simulate(random: Random, runs: int) -> Result:
        sizes = 1 / np.arange(1, clusters + 1) ** exponent
        u = random.choice(clusters, n, p=sizes / sizes.sum())
        found = {"adjusted_rand": Share()}
        for _ in range(runs):
            p = cc.compare(u, random.permutation(u)).significance("adjusted_rand", method=method).p
            found["adjusted_rand"].add(p < 0.05)
        return found

    return simulate


# -- slices -------------------------------------------------------------------------------------------------


SLICED = ("bcubed_precision", "bcubed_recall", "bcubed_f", "precision", "recall")


def of_slices(
    sizes_of: Callable[[Random, int], np.ndarray],
    error: float,
    drawn: str,
    expected: int,
    entities: int = 600,
) -> Callable[[Random, int], Result]:
    """Entities that are split or joined at random, and a slice of them, or of components, at random."""

    def simulate(random: Random, runs: int) -> Result:
        found = {name: Share() for name in SLICED}
        for _ in range(runs):
            sizes = sizes_of(random, entities)
            truth = np.repeat(np.arange(entities), sizes)
            is_split, is_joined = random.random((2, entities)) < error
            owner = np.where(is_joined, random.integers(0, entities, entities), np.arange(entities))
            leaves = is_split[truth] & (random.random(len(truth)) < 0.5)
            run = np.where(leaves, truth + entities, owner[truth])
            unit = truth
            if drawn == "components":
                joined = np.arange(2 * entities)  # the smallest entity that is linked with each cluster
                for _ in range(entities):
                    before = joined.copy()
                    np.minimum.at(joined, run, joined[truth])
                    np.minimum.at(joined, truth, joined[run])
                    if (before == joined).all():
                        break
                unit = joined[truth]
            inside = random.random(entities) < expected / len(np.unique(unit))
            if len(set(inside[unit].tolist())) < 2:
                continue
            c = cc.compare(truth, run)
            for name in SLICED:
                p = c.slices(inside[unit], index=name, correction="none")[True].p
                found[name].add(p is not None and p < 0.05, estimable=p is not None)
        return found

    return simulate


SLICE_SIZES: dict[str, Callable[[Random, int], np.ndarray]] = {
    "geometric sizes": lambda random, m: random.geometric(0.35, m),
    "Zipf sizes up to 400": lambda random, m: np.minimum(random.zipf(1.7, m), 400),
}


# -- all of them --------------------------------------------------------------------------------------------


RECORDS, UNITS, LABELLED = "Records drawn one by one", "Documents drawn", "Labelled clusters"
QUESTIONS = "Questions about a change"
EQUAL, SEVERAL, PERMUTED = "Two equal systems", "Several equal systems", "Permuted labels"
SLICES = "Random slices"
EXPLAINED = {
    RECORDS: "Share of 95% `interval` results that contain the value of an infinite population.",
    UNITS: "Share of 95% `interval(unit=)` results that contain the value for all documents.",
    LABELLED: "Share of 95% `estimate` intervals that contain the value for all records.",
    QUESTIONS: "Share of 95% `judged` intervals that contain the value for the true clusters.",
    EQUAL: "Share of pairs of equally good systems for which `versus` reports p < 0.05.",
    SEVERAL: "Share of rankings in which at least one of the equally good systems has p < 0.05.",
    PERMUTED: "Share of permuted labels for which `significance` reports p < 0.05.",
    SLICES: "Share of random slices for which `slices` reports p < 0.05. Slices are drawn from 600 entities "
    "or from their components.",
}


def regimes() -> list[Regime]:
    found = [
        Regime(RECORDS, title, f"n = {n:,}", of_records(cells, n), 1 if cells.size <= 100 else 3)
        for title, (cells, sizes) in POPULATIONS.items()
        for n in sizes
    ]
    found += [
        Regime(UNITS, title, f"{m} documents", of_units(draw, m))
        for title, draw in UNIT_SIZES.items()
        for m in (5, 20, 60)
    ]
    found += [
        Regime(
            UNITS,
            f"{title}, most mentions wrong",
            f"{m} documents",
            of_units(UNIT_SIZES[title], m, (4, 1.5)),
        )
        for title in ("8 to 12 records", "5, 10 or 60 records")
        for m in (5, 20, 60)
    ]
    found += [
        Regime(LABELLED, f"{title}, records drawn", f"{m} records", of_labelled(*population, "records", m), 2)
        for title, population in ENTITIES.items()
        for m in (20, 200)
    ]
    found += [
        Regime(
            LABELLED, f"{title}, clusters drawn", f"{m} clusters", of_labelled(*population, "clusters", m), 2
        )
        for title, population in ENTITIES.items()
        for m in (50, 400)
    ]
    found += [
        Regime(EQUAL, f"5 clusters, {error:.1%} errors", f"n = {n}", of_equal_systems(n, error))
        for n, error in ((12, 0.3), (30, 0.2), (100, 0.2), (100, 0.02), (100, 0.005), (300, 0.2), (100, 1.0))
    ]
    found += [
        Regime(EQUAL, "5 and 30 labels at random", f"n = {n}", of_unequal_labels(n)) for n in (100, 300, 1000)
    ]
    found += [
        Regime(
            SEVERAL,
            f"{systems} systems, {title}",
            "",
            of_many_systems(systems, sizes_of),
        )
        for systems, title, sizes_of in (
            (15, "200 records", None),
            (4, "6 documents of 10", lambda _: np.full(6, 10)),
            (4, "20 documents of 20", lambda _: np.full(20, 20)),
            (
                4,
                "20 documents of log-normal sizes",
                lambda random: np.ceil(random.lognormal(2.3, 1, 20)).astype(int) + 1,
            ),
        )
    ]
    found += [
        Regime(
            PERMUTED,
            f"{clusters} clusters, n = {n:,}, {method}",
            "",
            of_permuted(clusters, exponent, n, method),
        )
        for clusters, exponent, n, method in (
            (3, 0.0, 30, "exact"),
            (3, 0.0, 300, "gamma"),
            (10, 0.0, 1000, "gamma"),
            (20, 1.0, 1000, "gamma"),
            (200, 0.5, 300, "gamma"),
        )
    ]
    kinds = {
        "geometric": "geometric sizes",
        "zipf": "Zipf sizes up to 500",
        "good": "97% of changes good",
    }
    found += [
        Regime(QUESTIONS, title, f"{number} questions", of_questions(kind, number), 4)
        for kind, title in kinds.items()
        for number in (100, 400)
    ]
    found += [
        Regime(QUESTIONS, title, "200 questions", simulate, 4)
        for title, simulate in (
            ("record weights", of_questions("geometric", 200, weighted=True)),
            (
                "sensitivity .95, specificity .90, 120 gold questions",
                of_questions("geometric", 200, errors=(0.95, 0.9)),
            ),
        )
    ]
    found += [
        Regime(
            SLICES,
            f"{title}, {error:.0%} errors",
            f"{m} {drawn}",
            of_slices(sizes_of, error, drawn, m),
        )
        for title, sizes_of in SLICE_SIZES.items()
        for error in (0.02, 0.2)
        for drawn, m in (("entities", 15), ("entities", 40), ("components", 15), ("components", 40))
    ]
    # New regimes come last, since the place of a regime is its seed.
    found += [
        Regime(QUESTIONS, f"3 slices, 80 questions each, {about}", title, simulate, 4)
        for kind, title in kinds.items()
        for by, about in (("slices", "values of each slice"), ("whole", "values of all records"))
        for simulate in [of_questions(kind, 240, by=by)]
    ]
    return found


TESTS = (EQUAL, SEVERAL, PERMUTED, SLICES)
