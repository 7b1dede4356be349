"""Estimates from labelled clusters: golden values, a census, every design by enumeration, every engine."""

import itertools
import json
import math
import re
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import every_case
from inner import data_of, design, ends, gamma_ends, measure, unseen_loss
from scipy.stats import t

import concordant as cc
from concordant import engines
from concordant.errors import (
    CoverError,
    InputError,
    LabelError,
    OverlapError,
    ParameterError,
    UndefinedError,
    UnknownIndexError,
    UnmatchedError,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "trust.json").read_text(encoding="utf-8"))[
    "sampled_truth"
]
GUESS = {int(record): cluster for record, cluster in GOLDEN["prediction"].items()}
SAMPLE = {int(record): cluster for record, cluster in GOLDEN["sample"].items()}
CONNECTION = duckdb.connect()  # kept, since some versions of DuckDB close it with its last name
CLUSTERS = ("c1", "c2", "c4")
SPELLED = {
    "f_measure_beta2": "f_measure(beta=2)",
    "bcubed_precision_macro_of_reference": "bcubed_precision_macro",
}
RATIOS = [name for name in cc.estimate(SAMPLE, GUESS, sampling="clusters") if name != "adjusted_rand"]

DESIGNS = {
    "uniform": [
        {},
        {"sampling": "clusters", "n_draws": 3},
        {"sampling_weights": dict.fromkeys(CLUSTERS, 7.5)},
    ],
    "inverse_size": [
        {"sampling": "records"},
        {"sampling": "records", "times": dict.fromkeys(CLUSTERS, 1)},
        {"sampling_weights": {"c1": 1 / 3, "c2": 1 / 2, "c4": 1}},
    ],
}


def population(clusters=40, seed=3):
    random = np.random.default_rng(seed)
    truth = np.repeat(np.arange(clusters), random.geometric(0.3, clusters))
    guess = np.where(random.random(len(truth)) < 0.8, truth, random.integers(0, clusters + 9, len(truth)))
    return truth, guess


def by_position(truth, chosen):
    return {i: f"t{k}" for i, k in enumerate(truth.tolist()) if k in chosen}


@pytest.mark.parametrize(("design", "options"), [(d, o) for d in DESIGNS for o in DESIGNS[d]])
def test_golden_values(design, options):
    e = cc.estimate(SAMPLE, GUESS, **{"sampling": "clusters", **options})
    for name, wanted in GOLDEN[design].items():
        found = e[SPELLED.get(name, name)]
        assert found.value == pytest.approx(wanted["value"], rel=1e-13), name
        assert found.se == pytest.approx(wanted["se"], rel=1e-13, abs=1e-15), name
        assert found.ratio == pytest.approx(eval(wanted["ratio"]), rel=1e-13), name  # noqa: S307  (a fraction)


@pytest.mark.parametrize("options", [{}, {"sampling": "records", "n_draws": None}])
def test_a_census_is_exact_and_has_no_error(options):
    truth, guess = population()
    c = cc.compare(truth, guess)
    options = options if not options else options | {"n_draws": len(truth)}
    e = cc.estimate(by_position(truth, set(truth.tolist())), guess, **{"sampling": "clusters", **options})
    for name in (*e, "f_measure(beta=2)"):
        found = e[name]
        assert found.value == pytest.approx(c[name], rel=1e-12), name
        assert found.se == 0
        assert found.low == found.high == found.value
    precision, recall = e.cluster_precision.value, e.cluster_recall.value
    assert e["cluster_f(beta=2)"].value == pytest.approx(5 * precision * recall / (4 * precision + recall))


def test_the_factor_of_a_finite_population():
    truth, guess = population()
    sample = by_position(truth, range(10))
    with_factor = cc.estimate(sample, guess, population=40, sampling="clusters")
    for name, found in cc.estimate(sample, guess, sampling="clusters").items():
        assert with_factor[name].se == pytest.approx(found.se * math.sqrt(1 - 10 / 40)), name


def test_adjusted_rand_is_the_plug_in_of_three_totals():
    truth, guess = population()
    sample = by_position(truth, range(12))
    e = cc.estimate(sample, guess, sampling="clusters")
    rows = e.contributions()
    records = sum(row.size for row in rows)
    n11, u, v = (
        sum(getattr(row, k) for row in rows) * len(truth) / records
        for k in ("n11", "in_reference", "in_candidate")
    )
    chance = u * v / math.comb(len(truth), 2)
    assert e.adjusted_rand.value == pytest.approx((n11 - chance) / ((u + v) / 2 - chance))


def test_moves_of_adjusted_rand_by_differences():
    """The spread is linear: how much the estimate moves when a cluster weighs a little more."""
    truth, guess = population()
    sample = by_position(truth, range(12))
    names, step = [f"t{k}" for k in range(12)], 1e-5
    moved = []
    for name in names:
        ends = [
            cc.estimate(
                sample,
                guess,
                sampling_weights={x: 1 + sign * step * (x == name) for x in names},
                sampling="clusters",
            )
            for sign in (1, -1)
        ]
        moved.append((ends[0].adjusted_rand.value - ends[1].adjusted_rand.value) / (2 * step))
    wanted = 12 * math.sqrt(sum(x * x for x in moved) / (12 * 11))
    assert cc.estimate(sample, guess, sampling="clusters").adjusted_rand.se == pytest.approx(wanted, rel=1e-6)


def test_chances_to_be_met_by_all_draws():
    """Every draw of 3 records: weighted by one over the chance to be met, sums are unbiased."""
    truth = [0, 0, 0, 1, 1, 2, 3]
    guess = [5, 5, 6, 6, 7, 7, 8]
    total = 0.0
    draws = list(itertools.combinations(range(7), 3))
    for drawn in draws:
        met = {truth[i] for i in drawn}
        sample = {i: k for i, k in enumerate(truth) if k in met}
        if len(met) == 1:  # an estimate needs two clusters; these draws add the chance by hand
            total += 4 / (1 - math.comb(4, 3) / math.comb(7, 3)) / 4
            continue
        rows = cc.estimate(sample, guess, sampling="records", n_draws=3).contributions()
        total += sum(row.weight for row in rows)
    assert total / len(draws) == pytest.approx(4)


def test_a_cluster_drawn_twice_counts_twice():
    truth, guess = population()
    sample = by_position(truth, range(8))
    times = {f"t{k}": 1 + (k % 3 == 0) for k in range(8)}
    e = cc.estimate(sample, guess, sampling="records", times=times)
    rows = [row for row in e.contributions() for _ in range(row.n_draws)]
    x = np.array([row.n11 / row.size for row in rows])
    y = np.array([row.in_candidate / row.size for row in rows])
    ratio, m = x.mean() / y.mean(), len(rows)
    spread = math.sqrt((((x - ratio * y) / y.mean()) ** 2).sum() / (m * (m - 1)))
    assert e.precision.se == pytest.approx(spread)
    assert (e.precision.n_clusters, e.precision.n_draws) == (8, 11)
    assert cc.estimate(sample, guess, sampling="records", times=times, n_draws=11).precision == e.precision
    told = cc.estimate(sample, guess, sampling="records", n_draws=9)
    assert (told.precision.n_clusters, told.precision.n_draws, told.to_dict()["n_draws"]) == (8, 9, 9)


def in_dask(frame):
    import dask.dataframe as dd  # every process collects this file

    return dd.from_pandas(frame.to_pandas(), npartitions=1)


IN_MEMORY = {
    "mapping": GUESS,
    "series": pd.Series(GUESS),
    "sets": [{r for r in GUESS if GUESS[r] == k} for k in set(GUESS.values())],
}
FRAMES = {
    "polars": lambda frame: frame,
    "lazy polars": lambda frame: frame.lazy(),
    "pandas": lambda frame: frame.to_pandas(),
    "pyarrow": lambda frame: frame.to_arrow(),
    "duckdb": lambda frame: CONNECTION.from_arrow(frame.to_arrow()),
    "dask": in_dask,
}


@pytest.mark.parametrize("name", [*IN_MEMORY, *FRAMES])
def test_every_engine_tells_the_same(name):
    candidate = IN_MEMORY.get(name)
    if candidate is None:
        frame = FRAMES[name](pl.DataFrame({"id": list(GUESS), "cluster": list(GUESS.values())}))
        candidate = cc.Partition.from_frame(frame, record="id", cluster="cluster")
    wanted = cc.estimate(SAMPLE, GUESS, sampling="records", n_draws=4)
    assert dict(cc.estimate(SAMPLE, candidate, sampling="records", n_draws=4)) == dict(wanted)
    frame = pl.DataFrame({"id": list(SAMPLE), "entity": list(SAMPLE.values())})
    sample = cc.Partition.from_frame(frame, record="id", cluster="entity")
    assert dict(cc.estimate(sample, candidate, sampling="records", n_draws=4)) == dict(wanted)


@pytest.fixture
def files(tmp_path):
    pl.DataFrame({"id": list(SAMPLE), "entity": list(SAMPLE.values())}).write_csv(tmp_path / "sample.csv")
    run = pl.DataFrame({"id": list(GUESS), "entity": list(GUESS.values())})
    run.write_parquet(tmp_path / "run.parquet")
    run.write_csv(tmp_path / "run.csv")
    return tmp_path


def test_files_and_the_command_line(files, run):
    sample, candidate = (
        cc.Partition.scan(files / name, record="id", cluster="entity")
        for name in ("sample.csv", "run.parquet")
    )
    wanted = cc.estimate(SAMPLE, GUESS, sampling="records", n_draws=4)
    found = cc.estimate(sample, candidate, sampling="records", n_draws=4)
    assert dict(found) == dict(wanted)
    options = ["--record", "id", "--cluster", "entity", "--sampling", "records", "--n-draws", "4"]
    for name in ("run.parquet", "run.csv"):
        ran = run("estimate", files / "sample.csv", files / name, *options, "--json")
        assert json.loads(ran.out)["data"] == json.loads(wanted.to_json())["data"]
    text = run("estimate", files / "sample.csv", files / "run.csv", *options).out
    assert text.split() == str(wanted).split()
    one = run("estimate", files / "sample.csv", files / "run.csv", *options, "-i", "f_measure(beta=2)").out
    assert one.split() == repr(wanted["f_measure(beta=2)"]).split()


def test_times_from_a_column(files, run, fails):
    rows = "".join(f"{r},{c},{1 + (c == 'c1')},{'a' if r == 3 else 1}\n" for r, c in SAMPLE.items())
    (files / "times.csv").write_text(f"id,entity,times,odd\n{rows}")
    options = [files / "times.csv", files / "run.csv", "--record", "id", "--cluster", "entity"]
    wanted = cc.estimate(SAMPLE, GUESS, sampling="records", times={"c1": 2, "c2": 1, "c4": 1})
    ran = run("estimate", *options, "--sampling", "records", "--times", "times", "--json")
    assert json.loads(ran.out)["data"] == json.loads(wanted.to_json())["data"]
    by_cluster = ["--sampling", "clusters", "--sampling-weights"]
    assert "the record '3' has 'a'" in fails("estimate", *options, *by_cluster, "odd")
    assert "4 and 1" not in fails("estimate", *options, *by_cluster, "id")


@pytest.mark.parametrize("kind", ["grouped text", "kept text", "grouped integers", "sorted integers"])
def test_nulls_and_noise_of_a_source(kind):
    labels = ["a", "a", "n", None, "b", "n"] if kind.endswith("text") else [-7, -7, 0, None, 9, 0]
    frame = pl.DataFrame({"id": [1, 2, 3, 4, 5, 6], "c": labels})
    native = frame.lazy() if kind.startswith("grouped") else CONNECTION.from_arrow(frame.to_arrow())
    sample = {1: "x", 2: "x", 5: "y"}

    def part(**options):
        return cc.Partition.from_frame(native, record="id", cluster="c", **options)

    with pytest.raises(LabelError, match="1 null label"):
        cc.estimate(sample, part(), sampling="clusters")
    counts = {
        ("drop", "drop"): (3, 2),
        ("singletons", "singletons"): (6, 5),
        ("drop", "singletons"): (5, 4),
        ("singletons", "cluster"): (6, 4),
    }
    for (nulls, noise), wanted in counts.items():
        found = cc.estimate(
            sample, part(nulls=nulls, noise=labels[2], noise_as=noise), sampling="clusters"
        ).to_dict()
        assert (found["records"], found["candidate_clusters"]) == wanted
    with pytest.raises(UnmatchedError, match="leaves out noise and null labels and lacks 1 labelled record"):
        cc.estimate(sample | {4: "y"}, part(nulls="drop"), sampling="clusters")
    absent = {"noise": "elsewhere" if kind.endswith("text") else 10**9, "noise_as": "drop"}
    assert cc.estimate(sample, part(nulls="drop", **absent), sampling="clusters").to_dict()["records"] == 5
    alone = cc.estimate(sample | {4: "z"}, part(nulls="singletons"), sampling="clusters")
    assert alone.contributions()[2].exact


@pytest.mark.parametrize(
    ("sample", "candidate", "error", "text"),
    [
        ({1: "x", 99: "y"}, GUESS, UnmatchedError, "lacks 1 labelled record .99."),
        ({0: "x", 9: "y"}, [1, 1, 2], UnmatchedError, "has 3 records"),
        ({1: "x"}, GUESS, InputError, "at least 2"),
        (["x", "y"], GUESS, InputError, "does not name its records"),
        ({1: "x", 2: None}, GUESS, LabelError, "missing"),
        (SAMPLE, cc.Cover.from_clusters([{1, 2}, {2, 3}]), CoverError, "overlap"),
    ],
)
def test_sides_that_are_refused(sample, candidate, error, text):
    with pytest.raises(error, match=text):
        cc.estimate(sample, candidate, sampling="clusters")


@every_case(
    ("options", "error", "text"),
    [
        ({"sampling": "rows"}, ParameterError, "'clusters', 'records' or 'pairs'"),
        ({"confidence": 95}, ParameterError, "such as 0.95"),
        ({"sampling": "records", "n_draws": 7}, ParameterError, "n_draws=7: .* 6 records are labelled"),
        ({"sampling": "records", "n_draws": 2}, ParameterError, "n_draws=2: 3 clusters"),
        ({"n_draws": 5}, ParameterError, "the sample has 3 draws"),
        ({"times": {"c1": 1}}, LabelError, "no value for 2 labelled clusters"),
        ({"times": dict.fromkeys((*CLUSTERS, "c9"), 1)}, LabelError, "not in the sample"),
        ({"times": dict.fromkeys(CLUSTERS, 0.5)}, ParameterError, "whole number"),
        ({"times": dict.fromkeys(CLUSTERS, 0)}, ParameterError, "'c1' has 0: use a positive whole"),
        ({"sampling_weights": dict.fromkeys(CLUSTERS, 0)}, ParameterError, "positive number"),
        ({"sampling_weights": dict.fromkeys(CLUSTERS, math.inf)}, ParameterError, "has inf: use a positive"),
        ({"sampling_weights": dict.fromkeys(CLUSTERS, math.nan)}, ParameterError, "has nan: use a positive"),
        ({"sampling_weights": dict.fromkeys(CLUSTERS, 1e308)}, ParameterError, "1e.308.*1e-100 and 1e.100"),
        ({"sampling_weights": dict.fromkeys(CLUSTERS, 1e-308)}, ParameterError, "1e-308.*1e-100 and 1e.100"),
        ({"sampling_weights": [1, 2, 3]}, ParameterError, "mapping"),
        ({"population": 2}, ParameterError, "3 to 5 true clusters"),
        ({"sampling": "records", "population": 9}, ParameterError, "applies to samples of clusters"),
    ],
)
def test_options_that_are_refused(options, error, text):
    with pytest.raises(error, match=text):
        cc.estimate(SAMPLE, GUESS, **{"sampling": "clusters", **options})


def test_what_else_is_refused():
    frame = pl.DataFrame({"id": [1, 2, 2], "c": [1, 1, 2]})
    twice = cc.Partition.from_frame(frame.lazy(), record="id", cluster="c")
    with pytest.raises(OverlapError, match="record 2 occurs more than once"):
        cc.estimate({1: "x", 2: "y"}, twice, sampling="clusters")
    with pytest.raises(OverlapError, match="twice"):
        cc.estimate(pd.Series(["x", "y"], index=[1, 1]), GUESS, sampling="clusters")
    with pytest.raises(InputError, match="of type str"):
        cc.estimate({"1": "x", "2": "y"}, twice, sampling="clusters")
    with pytest.raises(ParameterError, match="without a record"):
        cc.estimate(SAMPLE, cc.Partition.from_frame(frame, cluster="c", record=None), sampling="clusters")
    e = cc.estimate(SAMPLE, GUESS, sampling="clusters")
    with pytest.raises(UnknownIndexError, match="these can be estimated: precision"):
        _ = e["v_measure"]
    with pytest.raises(UndefinedError, match="has no pair that it counts"):
        _ = cc.estimate({1: "x", 4: "y"}, GUESS, sampling="clusters").recall
    with pytest.raises(ParameterError, match="within"):
        e.needed("recall", within=2)


def test_all_right_and_all_wrong_keep_their_width():
    """Ten clusters of two records: an eleventh that is all wrong would be one pair of eleven."""
    truth = {i: i // 2 for i in range(40)}
    sample = {i: k for i, k in truth.items() if k < 10}
    end = (10 / 11) ** math.log(40)
    right = cc.estimate(sample, truth, sampling="clusters").recall
    assert (right.value, right.se, right.high) == (1, 0, 1)
    assert right.low == pytest.approx(end)
    wrong = cc.estimate(sample, dict(zip(truth, truth, strict=True)), sampling="clusters").recall
    assert (wrong.value, wrong.low) == (0, 0)
    assert wrong.high == pytest.approx(1 - end)


def test_what_an_unseen_draw_would_add():
    """Five of forty clusters of two are labelled; the candidate joins the last four in pairs."""
    truth = {i: i // 2 for i in range(80)}
    guess = {i: min(k, 38) if k != 37 else 36 for i, k in truth.items()}
    sample = {i: k for i, k in truth.items() if k < 10}
    cells = engines.count_sample(*(data_of(cc.Partition.from_mapping(x)) for x in (sample, guess)))
    many = math.log(40)  # so many draws of something are expected, if missing it has a chance of .025
    by_cluster = design(cells, sampling="clusters", n_draws=None, times=None, weights=None, population=None)
    # A cluster of four records, or two records of it that are in one of the candidate's of four.
    wanted = {"recall": 6, "precision": 3, "f_measure": 9, "f_measure(beta=2)": 27, "jaccard": 9}
    wanted |= {"bcubed_recall": 4, "cluster_recall": 1, "cluster_f": 1 + 4 * 38 / 80}
    for name, loss in wanted.items():
        assert unseen_loss(measure(name), cells, by_cluster, 0.95) == pytest.approx(loss), name
    by_record = design(cells, sampling="records", n_draws=12, times=None, weights=None, population=None)
    rate = 80 / 12
    unseen = rate * many
    mean = (8 * 3 + (unseen - 8) * 1) / 2 / unseen  # the records of the largest clusters first
    wanted = {"recall": rate * 3 / 2, "precision": rate * mean, "cluster_recall": rate}
    wanted |= {"f_measure": rate * (3 / 2 + mean), "bcubed_recall": min(rate, 60 / many)}
    for name, loss in wanted.items():
        assert unseen_loss(measure(name), cells, by_record, 0.95) == pytest.approx(loss), name
    # Twice the draws leave half as much unseen, and a bound replaces the largest cluster that is known.
    assert unseen_loss(measure("precision"), cells, by_record, 0.95, 24) == pytest.approx(
        rate * (8 * 3 + (unseen / 2 - 8)) / unseen
    )
    bounded = replace(by_record, largest_cluster=11)
    assert unseen_loss(measure("recall"), cells, bounded, 0.95) == pytest.approx(rate * 5)
    free = replace(by_record, largest_cluster=math.inf)
    assert unseen_loss(measure("recall"), cells, free, 0.95) == pytest.approx(rate * (unseen - 1) / 2)


TRUST3 = json.loads((Path(__file__).parents[1] / "golden" / "trust3.json").read_text(encoding="utf-8"))
TRUST3 = TRUST3["estimates_judgements_units"]


def lumps(kind):
    """4,000 records or so, with 5% of them in a wrong cluster; "lump" has one cluster of 1,200."""
    random = np.random.default_rng(5)
    if kind == "lump":
        rest = random.geometric(0.35, 2000)
        sizes = np.r_[1200, rest[np.cumsum(rest) <= 2800]]
    else:
        sizes = random.geometric(0.35, 1500)
    truth = np.repeat(np.arange(len(sizes)), sizes)
    wrong = random.random(len(truth)) < 0.05
    return truth, np.where(wrong, random.integers(0, len(sizes), len(truth)), truth), sizes


def test_golden_intervals_of_estimates():
    truth, guess, sizes = lumps("geo")
    chosen = np.arange(0, 1500, 25)
    sample = {i: int(k) for i, k in enumerate(truth) if k % 25 == 0}
    by_record = cc.estimate(sample, guess, sampling="records", n_draws=80)
    weights = {int(k): 70 / sizes[k] for k in chosen}
    by_weight = cc.estimate(sample, guess, sampling="records", sampling_weights=weights)
    big, other, _ = lumps("lump")
    labelled = set(np.r_[0, np.arange(5, 985, 8)].tolist())
    sample = {i: int(k) for i, k in enumerate(big) if k in labelled}
    lump = cc.estimate(sample, other, sampling="records", n_draws=200, confidence=0.8)
    key = "estimate geo ok, clusters 0, 25, ..., 80 records drawn, f_measure 0.95 (low, high, value)"
    for e, name in (
        (by_record, key),
        (by_weight, "estimate geo ok, the same clusters, weights 70/size, f_measure 0.95"),
        (lump, "estimate lump ok, clusters 0, 5, 13, ..., 200 records drawn, f_measure 0.8"),
    ):
        found = e.f_measure
        assert (found.low, found.high, found.value) == pytest.approx(TRUST3[name], rel=1e-9)
    assert by_record.needed("f_measure", within=0.05) == TRUST3["needed(the first of these, f_measure, 0.05)"]
    plan = cc.sample_size({1: 9000, 2: 5000, 5: 400}, value=0.9, within=0.05, sampling="records")
    name = "plan(sizes 1×9000, 2×5000, 5×400, f_measure, 0.9, 0.05)"
    assert plan.approximate == TRUST3[name]


def test_sentences_state_the_assumption():
    truth, guess, _ = lumps("geo")
    sample = {i: int(k) for i, k in enumerate(truth) if k % 25 == 0}
    found = {
        bound: cc.estimate(sample, guess, sampling="records", n_draws=80, largest_cluster=bound).recall
        for bound in (None, 40, math.inf)
    }
    assert "if no unlabelled true cluster has more than 16 records" in found[None].headline
    assert "if no unlabelled true cluster has more than 40 records" in found[40].headline
    assert "unlabelled true cluster" not in found[math.inf].headline
    lows = [each.low for each in found.values()]
    assert lows[0] > lows[1] > lows[2]
    for bad in (0, True, "40", math.nan):
        with pytest.raises(ParameterError, match="largest_cluster"):
            cc.estimate(sample, guess, sampling="records", n_draws=80, largest_cluster=bad)


def test_widened_is_printed_only_if_it_is_true():
    """Many clusters of unequal quality: an unseen one hardly matters."""
    random = np.random.default_rng(0)
    truth = np.repeat(np.arange(4000), 2)
    guess = np.where(random.random(8000) < 0.3, 9000 + np.arange(8000), truth)
    e = cc.estimate({i: int(k) for i, k in enumerate(truth) if k < 3000}, guess, sampling="clusters")
    assert "widened" not in e.cluster_recall.headline
    few = cc.estimate({i: int(k) for i, k in enumerate(truth) if k < 12}, truth, sampling="clusters")
    assert "widened" in few.cluster_recall.headline


@pytest.mark.parametrize("name", ["precision", "bcubed_recall", "cluster_recall"])
def test_the_interval_includes_an_unseen_draw(name):
    """Ends as specified, from the ratio, its standard error and the share that an unseen draw would have."""
    truth = np.repeat(np.arange(30), 2)
    guess = truth.copy()
    guess[[1, 7]] = 40, 41  # two clusters split
    guess[20:23] = 50  # a cluster of 3
    sample = by_position(truth, range(20))
    found = cc.estimate(sample, guess, sampling="records", times={f"t{k}": 1 for k in range(20)})[name]
    rows = cc.estimate(sample, guess, sampling="records").contributions()
    y = np.array(
        [{"precision": r.in_candidate, "bcubed_recall": 2, "cluster_recall": 1}[name] / r.size for r in rows]
    )
    effective = y.sum() ** 2 / (y**2).sum()
    assert found.n_effective_draws == pytest.approx(effective)
    assert found.largest_share == pytest.approx(y.max() / y.sum())
    # An unseen record counts for 60/20 draws · 20/60; of those expected, three are in the cluster of 3.
    unseen = 3 * math.log(40)
    loss = (1 if name != "precision" else (3 * 2 + (min(unseen, 20) - 3)) / 2 / unseen) / y.sum()
    low, high = ends(
        found.ratio,
        found.se,
        quantile=t.ppf(0.975, effective - 1),
        confidence=0.95,
        worst=found.ratio * loss / (1 + loss),
    )
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize("name", ["cluster_precision", "cluster_f"])
def test_kept_clusters_are_a_weighted_count(name):
    truth, guess = population(40)
    e = cc.estimate(by_position(truth, range(5, 25)), guess, sampling="clusters")
    found, rows = e[name], e.contributions()
    share = len(set(guess.tolist())) / len(guess)
    sizes = np.array([row.size for row in rows])
    total = sizes.sum() if name == "cluster_precision" else (1 + share * sizes).sum()
    weight = 1 / share if name == "cluster_precision" else 2
    few, many = gamma_ends(found.ratio, found.se**2, weight / total, 0.95)
    half = t.ppf(0.975, found.n_effective_draws - 1) * found.se
    assert found.low <= min(few, found.ratio - half) + 1e-14  # the quantile is that of SciPy
    assert found.high == pytest.approx(min(max(many, found.ratio + half), 1))


def test_the_variance_of_as_many_draws_is_that_of_the_sample():
    truth, guess = population(400)
    cells = engines.count_sample(
        data_of(cc.Partition.from_mapping(by_position(truth, range(90)))),
        data_of(cc.Partition.from_labels(guess)),
    )
    moves = np.sin(np.arange(90.0))
    for options in (
        {"sampling": "records", "n_draws": 150},
        {"sampling": "records", "times": {f"t{k}": 1 + k % 3 for k in range(90)}},
        {"sampling": "clusters", "population": 400},
        {"sampling": "clusters"},
    ):
        given = {"n_draws": None, "times": None, "weights": None, "population": None, **options}
        drawn = design(cells, **given)
        own = drawn.variance(moves, drawn.reported_draws)
        assert own == pytest.approx(drawn.covariance(moves, moves)), options
        assert drawn.variance(moves, 2 * drawn.reported_draws) < 0.51 * own


def test_only_a_census_has_no_width():
    random = np.random.default_rng(8)
    for seed in range(12):
        truth, guess = population(30, seed)
        if seed % 3 == 0:
            guess = truth
        for options in (
            {"sampling": "clusters"},
            {"sampling": "records"},
            {"sampling": "clusters", "confidence": 0.5},
        ):
            e = cc.estimate(by_position(truth, random.permutation(30)[:4]), guess, **options)
            for name in e:
                try:
                    found = e[name]
                except UndefinedError:
                    continue
                assert (-0.5 if name == "adjusted_rand" else 0) <= found.low < found.high <= 1, (
                    name,
                    options,
                )
                assert found.low <= min(found.value, 1) <= found.high


@pytest.mark.parametrize("sampling", ["clusters", "records"])
def test_no_right_pair_is_not_a_proof_that_there_is_none(sampling):
    """All labelled pairs are wrong on both sides, so neither precision nor recall shows few errors."""
    truth = {i: i // 2 for i in range(40)}
    guess = {i: (i + 1) // 2 for i in range(40)}
    e = cc.estimate({i: k for i, k in truth.items() if k < 10}, guess, sampling=sampling)
    for name in ("precision", "recall", "f_measure", "jaccard"):
        found = e[name]
        assert (found.value, found.se, found.low) == (0, 0, 0)
        assert 0.1 < found.high < 0.6, name


@pytest.mark.parametrize("sizes", [(1, 2), (4, 2), (3, 5, 7)])
def test_a_perfect_census_is_not_above_one(sizes):
    truth = [k for k, size in enumerate(sizes) for _ in range(size)]
    e = cc.estimate(dict(enumerate(truth)), truth, sampling="clusters")
    assert {e[name].value for name in e} == {1.0}


def test_a_difference_is_within_its_range():
    """A cluster precision may be estimated above 1, but no difference in the population is."""
    truth = [1, 0, 0, 0, 0, 0]
    e, f = (
        cc.estimate(dict(enumerate(truth)), guess, sampling="records", times={0: 4, 1: 3})
        for guess in (truth, [1, 0, 0, 0, 1, 2])
    )
    found = e.versus(f, "cluster_precision")
    assert found.difference > 1
    assert found.low < found.estimate == found.high == 1


@pytest.mark.parametrize("name", ["precision", "recall", "f_measure", "jaccard", "adjusted_rand"])
def test_pair_measures_of_clusters_that_were_mostly_missed(name):
    truth = np.repeat(np.arange(60), [40, *[3] * 59])
    sample = by_position(truth, range(1, 30))
    missed = cc.estimate(sample, truth, sampling="clusters")
    found = missed[name]
    assert not found.estimable
    assert (found.low, found.high) == (-0.5 if name == "adjusted_rand" else 0, 1)
    assert found.note == (
        "not estimable from this sample: 0.82 of the candidate's pairs are in clusters larger than any "
        "labelled one; draw records instead of clusters"
    )
    assert "0.9" not in f"{found}{found.headline}".replace(version("concordant"), "")
    assert f"{name:<22}  (not estimable)" in str(missed)
    assert cc.estimate(sample, truth, sampling="records")[name].estimable
    heavy = cc.estimate(by_position(truth, range(30)), truth, sampling="clusters")[name]
    assert not heavy.estimable
    assert "one cluster has 0.90 of the denominator" in heavy.note
    even = np.repeat(np.arange(60), 3)
    assert cc.estimate(by_position(even, range(30)), even, sampling="clusters")[name].estimable


@pytest.mark.parametrize("name", ["bcubed_precision", "bcubed_recall"])
def test_records_in_clusters_that_were_mostly_missed(name):
    for largest, estimable in ((40, False), (19, True)):  # 40/217 and 19/196 of the records
        truth = np.repeat(np.arange(60), [largest, *[3] * 59])
        found = cc.estimate(by_position(truth, range(1, 30)), truth, sampling="clusters")[name]
        assert found.estimable == estimable
        assert ("0.18 of the candidate's records are in clusters larger" in found.note) != estimable
    assert cc.estimate(by_position(truth, range(1, 30)), truth, sampling="clusters").cluster_recall.estimable


def test_a_rare_draw_may_be_all_wrong():
    """Small errors in many large clusters do not exclude large errors in rare small ones."""
    truth = np.repeat(np.arange(300), 40)
    guess = np.where(np.arange(len(truth)) % 80 == 0, truth + 300, truth)  # one record of every second one
    found = cc.estimate(by_position(truth, range(100)), guess, sampling="records").bcubed_recall
    assert 9 * found.se < 1 - found.value
    assert found.low < found.value - 0.02


def test_one_large_cluster_is_reported():
    truth = np.repeat(np.arange(60), [40, *[3] * 59])
    found = cc.estimate(by_position(truth, range(10)), truth, sampling="clusters").bcubed_recall
    assert found.largest_share == pytest.approx(40 / 67)
    assert found.n_effective_draws == pytest.approx(67**2 / (1600 + 81))
    assert "one cluster has 0.60 of the denominator, and the draws count as 2.7" in repr(found)
    assert " of the denominator" not in repr(
        cc.estimate(by_position(truth, range(20, 40)), truth, sampling="clusters").bcubed_recall
    )


def test_how_many_are_needed():
    truth, guess = population(4000)
    sample = by_position(truth, range(0, 4000, 4))
    finite = cc.estimate(sample, guess, population=4000, sampling="clusters")
    found = finite.bcubed_recall
    wanted = (1.96 / 0.02) ** 2 * found.se**2 * 1000 / 0.75
    few = finite.needed("bcubed_recall", within=0.02)
    # More than by the standard error alone: for unseen errors, and because that of a sample varies.
    assert few > wanted / (1 + wanted / 4000)
    assert cc.estimate(sample, guess, sampling="clusters").needed("bcubed_recall", within=0.02) > few
    # More assurance, and more draws than the sample for a half-width that it has itself.
    each = finite["bcubed_recall"]
    reached = max(each.ratio - each.low, each.high - each.ratio)
    needed = [finite.needed("bcubed_recall", within=reached, assurance=p) for p in (0.5, 0.8, 0.99)]
    assert 900 < needed[0] < needed[1] < needed[2] < 1500
    with pytest.raises(ParameterError, match="assurance"):
        finite.needed("bcubed_recall", within=0.1, assurance=1)
    assert finite.needed("bcubed_recall", within=0.02, confidence=0.99) > 1.3 * few


def test_no_more_are_needed_than_there_are():
    truth, guess = population(400)
    drawn = np.random.default_rng(2).choice(len(truth), 300, replace=False)
    sample = by_position(truth, set(truth[drawn].tolist()))
    e = cc.estimate(sample, guess, sampling="records", n_draws=300)
    assert 300 < e.needed("f_measure", within=0.01) < e.needed("f_measure", within=1e-6) <= len(truth)
    assert e.needed("f_measure", within=0.5) < 300
    few = cc.estimate(by_position(truth, range(10)), guess, sampling="clusters")
    labelled = int((truth < 10).sum())
    assert few.needed("recall", within=1e-4) == 10 + len(truth) - labelled
    assert (
        cc.estimate(by_position(truth, range(10)), guess, sampling="clusters", population=400).needed(
            "recall", within=1e-6
        )
        == 400
    )


def test_a_pilot_without_errors_asks_for_enough():
    """3.689·w(m) = .02, where w(m) is one draw of m: about 184, not 2. A singleton weighs twice as much."""
    truth = np.repeat(np.arange(4000), 2)
    e = cc.estimate(by_position(truth, range(30)), truth, sampling="records")
    for name, weight in (("recall", 1), ("bcubed_precision", 1), ("cluster_recall", 2)):
        assert e.needed(name, within=0.02) == pytest.approx(weight * math.log(40) / 0.02, rel=0.02)


def test_a_plan_from_sizes():
    plan = cc.sample_size([1, 2, 3] * 10**6, "cluster_recall", value=0.8, within=0.02, sampling="clusters")
    assert plan.approximate == 1729  # 1,536 by the variance alone
    assert int(plan) == plan.safe == 2115
    assert "With 80% probability the interval is then at most ± 0.0200" in plan.headline
    assert list(range(5))[cc.sample_size([9] * 3, within=0.5, sampling="clusters")] == 3
    sizes = [1, 1, 1, 2, 2, 3]
    plan = cc.sample_size(sizes, "recall", within=0.1, sampling="clusters")
    assert (plan.approximate, plan.safe, plan.population) == (6, 6, 6)
    assert cc.sample_size({1: 3, 2: 2, 3: 1}, "recall", within=0.1, sampling="records") == cc.sample_size(
        sizes, "recall", within=0.1, sampling="records"
    )
    assert plan.to_dict()["safe"] == 6
    with pytest.raises(InputError, match="no pair"):
        cc.sample_size([1, 1], "recall", sampling="records")
    with pytest.raises(ParameterError, match="whole numbers"):
        cc.sample_size([1.5], "recall", sampling="records")


@pytest.mark.parametrize("sampling", ["records", "clusters"])
@pytest.mark.parametrize(
    "name", ["recall", "bcubed_recall", "cluster_recall", "cluster_f", "cluster_f(beta=3)"]
)
def test_a_safe_plan_bounds_every_loss(name, sampling):
    """The largest clusters have the errors; the specified interval is not wider than asked, and just not."""
    sizes = np.repeat([1, 2, 9], [40_000, 30_000, 2_000])
    plan = cc.sample_size(sizes, name, value=0.9, within=0.03, sampling=sampling)
    mass = {"recall": sizes * (sizes - 1) / 2, "bcubed_recall": sizes, "cluster_recall": np.ones(len(sizes))}
    mass["cluster_f"] = 1 + sizes * len(sizes) / sizes.sum()
    mass["cluster_f(beta=3)"] = 3**2 + sizes * len(sizes) / sizes.sum()
    y, chance = mass[name] / (sizes if sampling == "records" else 1), sizes if sampling == "records" else 1
    largest = y.max() / np.average(y, weights=chance * np.ones(len(sizes)))
    half = [
        max(0.1 - low, high - 0.1)
        for w in (largest / plan.safe, largest / (plan.safe - 1))
        for low, high in [gamma_ends(0.1, 0.1 * w, w, 0.95)]
    ]
    assert half[0] <= 0.03
    assert half[1] > 0.03 or plan.safe == plan.approximate
    assert plan.approximate <= plan.safe


def test_sentences_for_a_paper():
    truth, guess = population()
    software = f"concordant {version('concordant')}"
    found = cc.estimate(by_position(truth, range(12)), guess, sampling="clusters").bcubed_recall
    assert found.headline == (
        f"From 12 labelled clusters (clusters drawn uniformly), bcubed_recall of all records is estimated at "
        f"{found.value:.4f} (95% interval {found.low:.4f} to {found.high:.4f}, widened for errors that a "
        f"sample of this size may have missed, if no unlabelled true cluster has more than 10 records; "
        f"{software})."
    )
    census = cc.estimate(by_position(truth, range(40)), guess, sampling="clusters").bcubed_recall
    assert census.headline == (
        f"bcubed_recall of all records is {census.value:.4f} (40 labelled clusters (all clusters labelled); "
        f"{software})."
    )
    plan = cc.sample_size([3] * 5000, "recall", sampling="records", within=0.05)
    assert plan.headline.startswith(
        "To estimate recall within 0.0500 at 95% confidence, with an expected value"
    )
    assert f"{plan.safe:,} of 15,000 records" in plan.headline
    assert f"about {plan.approximate:,} if" in plan.headline
    assert software in plan.headline


def test_one_candidate_against_another():
    truth, guess = population()
    other = np.where(np.arange(len(truth)) % 3, guess, truth)
    sample = by_position(truth, range(20))
    one, two = (
        cc.estimate(sample, other, sampling="clusters"),
        cc.estimate(sample, guess, sampling="clusters"),
    )
    found = one.versus(two, "recall")
    assert found.difference == pytest.approx(one.recall.value - two.recall.value)
    assert found.se < math.hypot(one.recall.se, two.recall.se)
    assert one.versus(one, "recall").p == 1
    with pytest.raises(UnmatchedError, match="different samples"):
        one.versus(cc.estimate(by_position(truth, range(21)), guess, sampling="clusters"), "recall")


def test_how_it_reads():
    e = cc.estimate(SAMPLE, GUESS, sampling="clusters")
    assert repr(e).startswith("<Estimates of 8 records from 3 labelled clusters of 6 records; clusters drawn")
    assert re.search(r"bcubed_recall +0\.5880  0\.0976", str(e))
    assert 'right">0.5880</td>' in e._repr_html_()
    assert "adjusted_rand" in dir(e)
    assert set(json.loads(e.to_json())["data"]["estimates"]) == {*RATIOS, "adjusted_rand"}
    assert "records drawn, each cluster counted once" in repr(cc.estimate(SAMPLE, GUESS, sampling="records"))
    with pytest.raises(AttributeError):
        _ = e._nothing


# How integers are spread: within a narrow range, far apart, unsigned, near the ends of their type; texts of
# one form, which are numbers to the core, close or not, and of other forms, which the engine groups.
LABELS = {
    "narrow": (pl.Int64, lambda k: k - 3),
    "wide": (pl.Int64, lambda k: (k - 3) * 10**15),
    "ends": (pl.Int64, lambda k: -(2**63) if k % 2 else 2**63 - 1 - k),
    "unsigned": (pl.UInt64, lambda k: 2**64 - 1 - 10**12 * k),
    "bytes": (pl.Int8, lambda k: k - 128),
    "codes": (pl.String, lambda k: f"entity-{k:08}"),
    "odd one": (pl.String, lambda k: "x" * 90 if k == 40 else f"entity-{k}"),
    "many odd": (pl.String, lambda k: f"{k} {'ä' * k}"),
}


@pytest.mark.parametrize(
    ("spread", "records"), [("narrow", "texts"), ("wide", "texts"), *((each, "integers") for each in LABELS)]
)
def test_files_give_what_memory_gives(tmp_path, spread, records):
    dtype, label = LABELS[spread]
    random = np.random.default_rng(5)
    size = 3000
    truth = np.minimum(random.geometric(0.01, size), 200).tolist()
    astray = (random.random(size) < 0.3).tolist()
    guess = [
        label(7 if lost else min(k, 40)) for k, lost in zip(truth, astray, strict=True)
    ]  # one of over 256
    names = [f"r{i}" if records == "texts" else i * 10**14 - 10**16 for i in range(size)]
    frame = pl.DataFrame({"id": [None, *names], "c": pl.Series([guess[0], *guess], dtype=dtype)})
    frame.write_parquet(tmp_path / "run.parquet")
    scanned = cc.Partition.scan(tmp_path / "run.parquet", record="id", cluster="c", nulls="drop")
    sample = {name: k for name, k in zip(names, truth, strict=True) if k in (1, 3, 50, 90)}
    in_memory = cc.estimate(sample, dict(zip(names, guess, strict=True)), sampling="clusters")
    of_file, of_memory = cc.estimate(sample, scanned, sampling="clusters").to_dict(), in_memory.to_dict()
    for estimate in of_file["estimates"].values():
        assert estimate.pop("conventions") == "nulls=drop"
    for estimate in of_memory["estimates"].values():
        assert estimate.pop("conventions") == ""
    assert of_file == of_memory
    with pytest.raises(UnmatchedError, match="lacks 1 labelled record"):
        cc.estimate(sample | {"nobody" if records == "texts" else 2**70: 1}, scanned, sampling="clusters")


def estimates_of(candidates, clusters, **how):
    """Estimates of several candidates from the same labelled pairs of records."""
    sample = {record: record // 2 for record in range(2 * clusters)}
    every = 4 * clusters
    return [
        cc.estimate(sample, {record: label(record) for record in range(every)}, **how) for label in candidates
    ]


def test_two_labelled_clusters_are_not_proof():
    whole, broken = estimates_of([lambda r: r // 2, lambda r: r], 2, sampling="clusters")
    for name in ("bcubed_recall", "cluster_recall"):
        found = whole.versus(broken, name)
        assert found.p >= 0.5
        assert (found.outcome, found.low, found.high) == ("unclear", -1, 1)
    refused = whole.versus(broken, "recall")
    assert (refused.estimable, refused.p) == (False, 1)
    assert "one cluster has 0.50 of the denominator" in refused.note


def test_many_labelled_clusters_are():
    whole, broken = estimates_of(
        [lambda r: r // 2, lambda r: r // 2 if r < 8 else r], 60, sampling="clusters"
    )
    found = whole.versus(broken, "cluster_recall", margin=0.05)
    assert (found.outcome, found.noninferior, found.equivalent) == ("better", True, False)
    assert (found.p, found.n_differing_units, found.method) == (1e-4, 56, "flips")
    assert 0 < found.low < found.high <= 1
    same = whole.versus(whole, "cluster_recall")
    assert (same.p, same.outcome) == (1, "same")
    assert same.low < 0 < same.high
    # With one cluster that differs, no p-value is small.
    one = estimates_of([lambda r: r // 2 if r > 1 else r + 10**6], 60, sampling="clusters")[0]
    assert whole.versus(one, "cluster_recall").p == 1


def test_a_difference_of_two_censuses_is_certain():
    sample = {1: "x", 2: "x", 3: "y", 4: "y"}
    one, other = (
        cc.estimate(sample, dict(zip(sample, labels, strict=True)), sampling="clusters")
        for labels in ([1, 1, 2, 2], [1, 3, 2, 2])
    )
    found = one.versus(other, "recall")
    assert found.low == found.high == 0.5
    assert (found.outcome, found.to_dict()["p"]) == ("better", None)


def test_numbers_of_numpy_are_numbers():
    guess = {1: 1, 2: 1, 3: 2, 4: 3, 5: 2, 6: 4, 7: 4, 8: 4}
    sample = {1: "x", 2: "x", 3: "x", 4: "y", 5: "y", 8: "z"}
    plain = cc.estimate(sample, guess, sampling="clusters", population=4)
    assert (
        cc.estimate(sample, guess, sampling="clusters", population=np.int64(4)).to_json() == plain.to_json()
    )
    with pytest.raises(ParameterError, match="positive whole number"):
        cc.estimate(sample, guess, sampling="clusters", population=np.float64(4))


def values_of(estimates):
    return estimates.size, {
        name: (each["value"], each["low"]) for name, each in estimates.to_dict()["estimates"].items()
    }


LABELLED = {"who": ["x", "x", None, "y", None, "y"], "found": [1, 1, 2, 3, 3, -1], "id": list("pqrstu")}


@pytest.mark.parametrize("record", [None, "id"])
@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame, CONNECTION.from_arrow])
def test_one_table_has_the_sample_and_the_candidate(made, record):
    """Records without a true cluster are not in the sample."""
    table = made(pl.DataFrame(LABELLED).to_arrow() if made == CONNECTION.from_arrow else LABELLED)
    names = LABELLED["id"] if record else range(6)
    who, found = (dict(zip(names, LABELLED[column], strict=True)) for column in ("who", "found"))
    wanted = cc.estimate({name: label for name, label in who.items() if label}, found, sampling="clusters")
    if record is None and made == CONNECTION.from_arrow:
        with pytest.raises(cc.ConcordantError, match="order"):
            cc.estimate(table, columns=["who", "found"], sampling="clusters")
        return
    got = cc.estimate(table, columns=["who", "found"], record=record, sampling="clusters")
    assert values_of(got) == values_of(wanted)
    beside = cc.estimate(
        who, table, columns=[None, "found"], record=record, nulls="drop", sampling="clusters"
    )
    assert values_of(beside) == values_of(wanted)


def test_noise_and_nulls_of_the_candidate():
    sample, found = {0: "x", 1: "x", 3: "y", 5: "z"}, [1, 1, -1, 2, -1, 3]
    alone = values_of(cc.estimate(sample, [1, 1, 8, 2, 9, 3], sampling="clusters"))
    given = {"noise": -1, "noise_as": "singletons"}
    assert values_of(cc.estimate(sample, found, sampling="clusters", **given)) == alone
    nulls = [None if label == -1 else label for label in found]
    assert values_of(cc.estimate(sample, nulls, sampling="clusters", nulls="singletons")) == alone
    assert cc.estimate(sample, nulls, sampling="clusters", nulls="drop").size == 4
    with pytest.raises(LabelError, match="nulls='drop'"):
        cc.estimate(sample, nulls, sampling="clusters")
    with pytest.warns(UserWarning, match="no label equals 7"):
        cc.estimate(sample, found, sampling="clusters", noise=7, noise_as="drop")


def test_names_and_progress():
    steps = []
    e = cc.estimate(
        SAMPLE, GUESS, sampling="clusters", names=["truth", "v2"], progress=lambda *step: steps.append(step)
    )
    assert (e.names, steps) == (("truth", "v2"), [(1, 1)])
    assert json.loads(e.to_json())["names"] == ["truth", "v2"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("unmatched", "drop"),
        ("weights", [1] * 8),
        ("where", [True] * 8),
        ("undefined", "nan"),
        ("threads", 2),
    ],
)
def test_options_without_a_meaning_for_samples(option, value):
    with pytest.raises(ParameterError, match=option):
        cc.estimate(SAMPLE, GUESS, sampling="clusters", **{option: value})
