"""Stability over runs: golden values, conventions of fpc, all pairs, resamples and resolutions."""

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import every_case
from inner import mean_best_match

import concordant as cc
from concordant.errors import InputError, LengthError, NothingLeftError, ParameterError

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "stability.json").read_text(encoding="utf-8"))


def same(found, wanted):
    if wanted is None:
        return math.isnan(found)
    return found == pytest.approx(float(Fraction(wanted)), rel=1e-12, abs=1e-15)


@every_case("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_golden_values(case):
    runs = dict(enumerate(case["runs"]))
    s = cc.stability(runs, reference=case["reference"], nulls="drop")
    zero = cc.stability(runs, reference=case["reference"], nulls="drop", absent="zero")
    clusters, zeros = ({str(each.cluster): each for each in x.clusters(None)} for x in (s, zero))
    assert set(clusters) == set(case["clusters"])
    for name, wanted in case["clusters"].items():
        found = clusters[name]
        for field in ("size", "dissolved", "recovered"):
            assert getattr(found, field) == wanted[field]
        assert found.n_clusterings == wanted["present"]
        for field in ("least", "within", "across", "adjusted_within"):
            assert same(getattr(found, field), wanted[field]), field
        assert same(found.jaccard, wanted["mean"])
        assert same(zeros[name].jaccard, wanted["mean_absent_zero"])
    assert same(s.overall, case["overall"])
    for found, wanted in zip(
        sorted(s.records(None), key=lambda each: each.record), case["records"], strict=True
    ):
        assert found.n_clusterings == wanted["runs"]
        for field in ("jaccard", "element_centric", "coassignment"):
            assert same(getattr(found, field), wanted[field]), field
    strengths = case["prediction_strength_of_complete_runs"]
    assert all(
        same(x.prediction_strength, y)
        for x, y in zip(s.clusterings(), strengths, strict=False)
        if y is not None
    )


@pytest.mark.parametrize("case", GOLDEN["fpc"], ids=lambda case: case["name"])
def test_values_of_fpc(case):
    """There, a run without a record of a cluster counts 0, and exactly 3/4 is not recovered."""
    s = cc.stability(dict(enumerate(case["runs"])), reference=case["reference"], absent="zero")
    found = sorted(s.clusters(None), key=lambda each: each.cluster)
    assert [each.jaccard for each in found] == pytest.approx(case["fpc_mean"], rel=1e-14)
    assert [each.dissolved for each in found] == case["fpc_dissolved"]
    rows = np.where(np.isnan(s.jaccard), 0, s.jaccard)
    labels = [each.cluster for each in s.clusters(None)]
    assert sorted((rows > 0.75).sum(axis=1).tolist()) == sorted(case["fpc_recovered"])
    assert len(labels) == len(found)


def some_runs(size=60, number=7, seed=3):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 4, size)
    runs = [np.where(random.random(size) < 0.2, random.integers(0, 5, size), truth) for _ in range(number)]
    return truth, runs


def test_a_run_of_weight_3_counts_as_three_runs(run):
    truth, runs = some_runs(number=3)
    runs[2] = dict(enumerate(runs[2][:50].tolist()))  # one that lacks records
    given = {"a": dict(enumerate(runs[0])), "b": dict(enumerate(runs[1])), "c": runs[2]}
    reference = dict(enumerate(truth.tolist()))
    weighted = cc.stability(given, reference=reference, clustering_weights={"a": 3, "b": 1, "c": 2})
    named = {
        f"{name}{i}": given[name] for name, times in (("a", 3), ("b", 1), ("c", 2)) for i in range(times)
    }
    repeated = cc.stability(named, reference=reference)
    assert weighted.overall == pytest.approx(repeated.overall)
    assert weighted.adjusted_rand == pytest.approx(repeated.adjusted_rand)
    fields = ("cluster", "size", "jaccard", "least", "within", "across", "adjusted_within")
    for one, other in zip(weighted.clusters(None), repeated.clusters(None), strict=True):
        for field in fields:
            assert getattr(one, field) == pytest.approx(getattr(other, field)), field
        assert (one.n_clusterings, other.n_clusterings) == (3, 6)
        assert one.high - one.low > other.high - other.low  # repeats are not further runs
    for one, other in zip(weighted.records(None), repeated.records(None), strict=True):
        for field in ("record", "jaccard", "element_centric", "coassignment"):
            assert getattr(one, field) == pytest.approx(getattr(other, field)), field
    assert "clustering_weights=given" in str(weighted)
    equal = cc.stability(given, reference=reference, clustering_weights=[1, 1, 1])
    assert equal.clusters(None) == cc.stability(given, reference=reference).clusters(None)
    with pytest.raises(ParameterError, match="2 weights for 3 partitions"):
        cc.stability(given, reference=reference, clustering_weights=[1, 2])
    with pytest.raises(ParameterError, match="applies to existing runs"):
        cc.stability(lambda rows: [0] * len(rows), np.zeros((9, 1)), clustering_weights=[1])
    for name, labels in (("reference", truth), ("a", runs[0]), ("b", runs[1])):
        pd.DataFrame({"id": range(60), "label": labels}).to_csv(f"{name}.csv", index=False)
    files = ("a.csv", "b.csv", "--reference", "reference.csv", "--record", "id", "--cluster", "label")
    found = json.loads(run("stability", *files, "--clustering-weights", "3,1", "--json").out)["data"][
        "overall"
    ]
    both = {name: given[name] for name in "ab"}
    assert found == pytest.approx(cc.stability(both, reference=reference, clustering_weights=[3, 1]).overall)


def test_the_matrix_of_all_pairs_gives_the_same():
    truth, runs = some_runs()
    together = np.mean([run[:, None] == run[None, :] for run in runs], axis=0)
    s = cc.stability(runs, reference=truth)
    for each in s.clusters(None):
        inside = truth == each.cluster
        pairs = together[np.ix_(inside, inside)][np.triu_indices(int(inside.sum()), 1)]
        assert each.within == pytest.approx(pairs.mean())
        assert each.across == pytest.approx(together[np.ix_(inside, ~inside)].mean())
    for each in s.records(None):
        others = (truth == truth[each.record]) & (np.arange(len(truth)) != each.record)
        assert each.coassignment == pytest.approx(together[each.record, others].mean())


@pytest.mark.parametrize("weights", [[1], [1, 3, 2, 5, 4], [0.5, 2.5, 1]])
def test_weights_by_definition(weights):
    """Sizes are weights, and a pair weighs the product of its records' weights."""
    truth, runs = some_runs()
    size = len(truth)
    w = [Fraction(str(each)) for each in np.resize(weights, size).tolist()]
    runs[2] = [None if record % 7 == 0 else label for record, label in enumerate(runs[2].tolist())]
    given = {"reference": truth.tolist(), "weights": np.resize(weights, size).tolist(), "nulls": "drop"}
    s = cc.stability(dict(enumerate(runs)), **given)
    pairs = list(itertools.combinations(range(size), 2))
    for each in s.clusters(None):
        members = {record for record in range(size) if truth[record] == each.cluster}
        best, sums = [], [Fraction(0)] * 4
        for run in runs:
            held = [record for record in range(size) if run[record] is not None]
            own = sum(w[record] for record in held if record in members)
            shares = []
            for label in {run[record] for record in held}:
                found = {record for record in held if run[record] == label}
                both = sum(w[record] for record in found & members)
                shares.append(both / (own + sum(w[record] for record in found) - both))
            best.append(max(shares))
            for i, j in pairs:
                ends = (i in members) + (j in members)
                if ends and run[i] is not None and run[j] is not None:
                    place = 0 if ends == 2 else 2
                    sums[place] += w[i] * w[j] * bool(run[i] == run[j])
                    sums[place + 1] += w[i] * w[j]
        assert each.jaccard == pytest.approx(float(sum(best) / len(best)), rel=1e-12)
        assert each.within == pytest.approx(float(sums[0] / sums[1]), rel=1e-12)
        assert each.across == pytest.approx(float(sums[2] / sums[3]), rel=1e-12)
    for each in s.records(None):
        together = others = Fraction(0)
        for run in runs:
            for record in range(size):
                is_other = record != each.record and truth[record] == each.cluster
                if is_other and run[each.record] is not None and run[record] is not None:
                    together += w[record] * bool(run[record] == run[each.record])
                    others += w[record]
        assert each.coassignment == pytest.approx(float(together / others), rel=1e-12)
    whole = cc.compare(truth.tolist(), runs[0].tolist(), weights=given["weights"])
    assert s.clusterings()[0].adjusted_rand == pytest.approx(whole.adjusted_rand, rel=1e-12)
    assert s.clusterings()[0].prediction_strength == pytest.approx(whole.prediction_strength, rel=1e-12)
    if weights == [1]:
        del given["weights"]
        assert s.to_dict() | {"weighted": False} == cc.stability(dict(enumerate(runs)), **given).to_dict()


def test_weights_go_by_name_or_by_position():
    runs = {"a": {"x": 1, "y": 1, "z": 2}, "b": {"x": 1, "y": 2, "z": 2}}
    reference = {"x": 1, "y": 1, "z": 2}
    s = cc.stability(runs, reference=reference, weights={"x": 1, "y": 3, "z": 2, "other": 9})
    assert {each.cluster: each.jaccard for each in s.clusters(None)} == {1: (1 + 0.5) / 2, 2: (1 + 2 / 5) / 2}
    fitted = {"n_resamples": 5, "weights": [1, 2, 3, 4]}
    assert cc.stability(lambda rows: rows[:, 0] > 2, np.array([[0], [1], [5], [6]]), **fitted).overall == 1.0
    with pytest.raises(LengthError, match="2 weights for 4 records"):
        cc.stability(
            lambda rows: rows[:, 0] > 2, np.array([[0], [1], [5], [6]]), n_resamples=5, weights=[1, 2]
        )
    with pytest.raises(ParameterError, match="pass the weights by name"):
        cc.stability(runs, reference=reference, weights=[1, 2, 3])


def test_one_run_is_one_comparison():
    truth, runs = some_runs()
    s, c = cc.stability({"run": runs[0]}, reference=truth), cc.compare(truth, runs[0])
    assert {each.cluster: each.jaccard for each in s.clusters(None)} == pytest.approx(
        {each.cluster: each.jaccard for each in c.clusters(limit=None)}
    )
    run = s.clusterings()[0]
    assert run.adjusted_rand == c.adjusted_rand
    assert run.prediction_strength == pytest.approx(c.prediction_strength)
    assert min(each.within for each in s.clusters(None)) == pytest.approx(c.prediction_strength)
    assert np.mean([each.jaccard for each in s.records(None)]) == pytest.approx(c.element_jaccard)
    assert np.mean([each.element_centric for each in s.records(None)]) == pytest.approx(c.element_centric)


def test_names_and_orders_change_nothing():
    truth, runs = some_runs()
    order = np.random.default_rng(0).permutation(len(truth))
    plain = cc.stability(runs, reference=truth)
    named = [{f"r{i}": f"c{run[i]}" for i in order} for run in reversed(runs)]
    other = cc.stability(named, reference={f"r{i}": f"u{truth[i]}" for i in range(len(truth))})
    one, two = (sorted(each.within for each in s.clusters(None)) for s in (plain, other))
    assert one == pytest.approx(two)
    assert plain.overall == pytest.approx(other.overall)
    assert {f"r{each.record}": each.coassignment for each in plain.records(None)} == pytest.approx(
        {each.record: each.coassignment for each in other.records(None)}
    )


def test_identical_runs_and_runs_of_singletons():
    same_labels = cc.stability([[0, 0, 1, 1, 1]] * 3, reference=[5, 5, 6, 6, 6])
    assert same_labels.overall == 1
    assert all(
        (x.within, x.across, x.jaccard) == (1, 0, 1) and math.isnan(x.low) for x in same_labels.clusters(None)
    )
    alone = cc.stability([list(range(5))], reference=[5, 5, 6, 6, 6])
    assert {x.cluster: (x.within, round(x.jaccard, 9)) for x in alone.clusters(None)} == {
        5: (0, 0.5),
        6: (0, round(1 / 3, 9)),
    }


def test_large_clusters_are_stable_by_chance():
    random = np.random.default_rng(1)
    reference = np.arange(200) >= 180  # 90% in one cluster
    s = cc.stability([random.permutation(reference) for _ in range(20)], reference=reference)
    largest = next(each for each in s.clusters(None) if each.size == 180)
    assert largest.by_chance == pytest.approx(0.82, abs=0.01)
    assert largest.jaccard == pytest.approx(largest.by_chance, abs=0.02)
    assert largest.adjusted_within == pytest.approx(0, abs=0.05)


def test_the_reference_is_left_out_of_the_runs_or_is_their_consensus():
    truth, runs = some_runs()
    by_name = cc.stability({"truth": truth, **{f"{i}": run for i, run in enumerate(runs)}}, reference="truth")
    assert by_name.overall == cc.stability(runs, reference=truth).overall
    assert "truth" not in [each.clustering for each in by_name.clusterings()]
    assert cc.stability([truth, *runs], reference=truth).overall == by_name.overall
    agreed = cc.stability(runs)
    assert agreed.overall == pytest.approx(cc.stability(runs, reference=cc.consensus(runs).partition).overall)
    assert agreed.how == "reference: the consensus"
    with pytest.raises(InputError, match="two clusterings or more, not 1"):
        cc.stability({"a": truth}, reference="a")


def test_noise_is_alone_in_a_run_and_no_cluster_of_the_reference():
    s = cc.stability([[0, 0, -1, -1, 1]], reference=[0, 0, 1, 1, -1], noise=-1)
    assert {each.cluster: each.jaccard for each in s.clusters(None)} == {0: 1.0, 1: 0.5}
    assert len(s.records(None)) == 5


def test_what_is_shown():
    truth, runs = some_runs()
    s = cc.stability(runs, reference=truth)
    assert "\nStability of 4 clusters over 7 runs (reference given)\noverall Jaccard 0." in str(s)
    assert "stable need not be real" in str(s)
    assert s.to_frame("pandas").shape == (4, 14)
    assert json.loads(s.to_json())["data"]["clusters"][0]["cluster"] == s.clusters(None)[0].cluster
    assert "<table>" in s._repr_html_()
    assert s.to_markdown().count("\n") == 5
    assert s.jaccard.shape == (4, 7)


# -- fits -----------------------------------------------------------------------------------------------


def points(places=(0, 5, 10), number=25, spread=1.0, seed=0):
    random = np.random.default_rng(seed)
    return np.concatenate([random.normal(place, spread, (number, 2)) for place in places])


def nearest(centres):
    """A clustering with a seed: each record goes to the nearest of some records."""

    def fit(rows, seed):
        chosen = np.random.default_rng(seed).choice(len(rows), centres, replace=False)
        return np.argmin(((rows[:, None] - rows[chosen]) ** 2).sum(axis=2), axis=1)

    return fit


@pytest.mark.parametrize(
    "how", [{}, {"bootstrap": True}, {"vary": "seed"}, {"vary": "data"}, {"subsample": 0.5}]
)
def test_the_same_seed_gives_the_same_answer_with_several_jobs(how):
    X = points()
    one, two = (cc.stability(nearest(3), X, n_resamples=9, seed=4, n_jobs=jobs, **how) for jobs in (1, 3))
    assert np.array_equal(one.jaccard, two.jaccard, equal_nan=True)
    other = cc.stability(nearest(3), X, n_resamples=9, seed=5, **how)
    assert not np.array_equal(one.jaccard, other.jaccard, equal_nan=True)
    held = [each.size for each in one.clusterings()]
    expected = {"bootstrap": None, "seed": 75, "subsample": 38}
    size = expected.get(next(iter(how), ""), 60) if how.get("vary") != "seed" else 75
    assert size is None or set(held) == {size}
    if "bootstrap" in how:
        assert 40 < np.mean(held) < 55  # 63% of 75, each once


def test_estimators_are_copied_and_get_seeds():
    cluster = pytest.importorskip("sklearn.cluster")
    model = cluster.KMeans(3, n_init=10, random_state=7)
    s = cc.stability(model, pd.DataFrame(points(), index=[f"p{i}" for i in range(75)]), n_resamples=10)
    assert s.overall > 0.95
    assert model.random_state == 7
    assert not hasattr(model, "labels_")
    assert s.records()[0].record.startswith("p")


def test_runs_that_fail_are_named_and_many_are_an_error():
    calls = itertools.count()

    def sometimes(rows):
        if next(calls) == 3:
            raise ValueError("no clusters")
        return rows[:, 0] > 5

    s = cc.stability(sometimes, points(), n_resamples=20)
    assert s.failed == ("run 3 (ValueError: no clusters)",)
    assert len(s.clusterings()) == 19
    assert "1 run failed" in str(s)

    def often(rows):
        if len(rows) < 75:
            raise RuntimeError("too few")
        return rows[:, 0] > 5

    with pytest.raises(InputError, match="20 runs of 20 failed: 'run 1"):
        cc.stability(often, points(), n_resamples=20)


def test_the_gap_chooses_the_number_of_clusters():
    """Six clusters far apart: the gap of the others is smaller by 0.2, whatever k-means draws."""
    cluster = pytest.importorskip("sklearn.cluster")
    fits = {k: cluster.KMeans(k, n_init=3) for k in (3, 6)}
    random = np.random.default_rng(0)
    X = np.concatenate([random.normal(centre, 1.0, (20, 6)) for centre in 12 * np.eye(6)])
    t = cc.stability_over(fits, X, n_null_sets=4, n_resamples=5)
    assert t.best().setting == 6
    row = {each.setting: each for each in t.settings()}[6]
    assert row.gap == pytest.approx(row.adjusted_rand - row.null)
    assert row.null_low <= row.null <= row.null_high
    assert "does not show that there are clusters" in str(t)
    assert t[6].adjusted_rand == row.adjusted_rand


@pytest.mark.parametrize("null", ["gaussian", "uniform", "columns", lambda X, rng: rng.normal(size=X.shape)])
def test_null_data_look_like_the_data_without_clusters(null):
    X, seen = points() @ np.array([[1, 0.9], [0, 0.5]]), []

    def fit(rows, seed):
        seen.append(rows)
        return nearest(2)(rows, seed)

    cc.stability_over({2: fit}, X, null=null, n_null_sets=3, n_resamples=2, vary="seed")
    others = [rows for rows in seen if rows.shape == X.shape and not np.array_equal(rows, X)]
    assert len(others) == 9
    if callable(null):
        return
    spread = np.mean([np.cov(rows.T) for rows in others], axis=0)
    assert spread.diagonal() == pytest.approx(np.cov(X.T).diagonal(), rel=0.7 if null == "uniform" else 0.3)
    assert (spread[0, 1] > 0.5 * np.cov(X.T)[0, 1]) == (null != "columns")


def test_settings_with_runs_have_no_gap():
    t = cc.stability_over({0.5: [[0, 0, 1, 1]] * 2, 1.0: [[0, 0, 1, 2], [0, 1, 2, 2]]})
    assert t.best().setting == 0.5
    assert not t.has_null
    assert "pass\nfunctions and X" in str(t)
    assert t.to_dict()["null"] is None


@every_case(
    ("call", "error", "text"),
    [
        (lambda: cc.stability(lambda x: x), ParameterError, r"stability\(fit, X\)"),
        (lambda: cc.stability([[0, 1], [0, 1]], subsample=0.5), ParameterError, "subsample=0.5"),
        (lambda: cc.stability([[0, 1], [0, 1]], absent="none"), ParameterError, "absent"),
        (lambda: cc.stability(3, [[1.0], [2.0]]), ParameterError, "a function from data to labels"),
        (lambda: cc.stability(len, points(), vary="seed"), ParameterError, "takes no seed"),
        (
            lambda: cc.stability(nearest(2), points(), vary="seed", bootstrap=True),
            ParameterError,
            "all records",
        ),
        (lambda: cc.stability(nearest(2), points(), subsample=1.5), ParameterError, "subsample"),
        (lambda: cc.stability(nearest(2), points(), reference=[0]), ParameterError, "reference"),
        (lambda: cc.stability(nearest(2), points(), where=[True] * 75), ParameterError, "the records to use"),
        (lambda: cc.stability(nearest(2), points(), record="id"), ParameterError, "as its index"),
        (lambda: cc.stability(nearest(2), points(), columns=["a"]), ParameterError, "the columns to use"),
        (lambda: cc.stability(nearest(2), points(), names=["a"]), ParameterError, "are numbered"),
        (lambda: cc.stability(lambda x: [0, 1], points()), LengthError, "2 labels for 75 records"),
        (lambda: cc.stability(nearest(1), np.ones((1, 1))), InputError, "two or more"),
        (lambda: cc.stability([{1: 0, 2: 0}], reference={3: 0, 4: 1}), NothingLeftError, "fewer than two"),
        (lambda: cc.stability_over([]), ParameterError, "a mapping"),
        (lambda: cc.stability_over({2: nearest(2)}, points(), null="x"), ParameterError, "null"),
        (lambda: cc.stability_over({2: nearest(2)}, points(), n_null_sets=1), ParameterError, "two or more"),
        (lambda: cc.stability_over({2: nearest(2)}, [["a"], ["b"]]), InputError, "columns of numbers"),
    ],
)
def test_what_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_the_command_prints_what_python_has(run, tmp_path):
    truth, runs = some_runs()
    for name, labels in [("truth", truth), *((f"run{i}", each) for i, each in enumerate(runs))]:
        text = "".join(f"{i},{label},{1 + i % 3}\n" for i, label in enumerate(labels.tolist()))
        (tmp_path / f"{name}.csv").write_text("id,label,visits\n" + text, encoding="utf-8")
    files = [str(tmp_path / f"run{i}.csv") for i in range(len(runs))]
    files += ["--reference", str(tmp_path / "truth.csv"), "--record", "id", "--cluster", "label"]
    document = json.loads(run("stability", *files, "--list", "records", "--limit", "2", "--json").out)
    found = document["data"]
    wanted = cc.stability(runs, reference=truth)
    assert found["overall"] == pytest.approx(wanted.overall)
    assert [row["within"] for row in found["clusters"]] == pytest.approx(
        [x.within for x in wanted.clusters(None)]
    )
    assert len(document["parts"]["records"]) == 2
    weighted = json.loads(run("stability", *files, "--weights", "visits", "--json").out)["data"]
    own = [1 + i % 3 for i in range(len(truth))]
    assert weighted["overall"] == pytest.approx(cc.stability(runs, reference=truth, weights=own).overall)
    assert weighted["weighted"]
    page = tmp_path / "page.html"
    assert "recovered" in run("stability", *files, "--html", str(page)).out
    assert f"of {len(wanted.clusters(None))} clusters recur in most runs" in page.read_text(encoding="utf-8")


def mean_over_permutations(reference, run):
    """For each cluster of the reference, the mean best Jaccard index over all permutations of the run."""
    found = {cluster: [] for cluster in set(reference)}
    for labels in itertools.permutations(run):
        for cluster, values in found.items():
            own = {i for i, label in enumerate(reference) if label == cluster}
            best = Fraction(0)
            for other in set(labels):
                theirs = {i for i, label in enumerate(labels) if label == other}
                best = max(best, Fraction(len(own & theirs), len(own | theirs)))
            values.append(best)
    return {cluster: float(sum(values) / len(values)) for cluster, values in found.items()}


def test_by_chance_is_the_mean_over_all_permutations_and_all_runs():
    reference = [0, 0, 0, 1, 1, 2]
    runs = [[0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 2, 2], [0, 1, 2, 3, 4, 5], [0, 0, 0, 0, 1, 1]]
    each = [mean_over_permutations(reference, run) for run in runs]
    found = {row.cluster: row.by_chance for row in cc.stability(runs, reference=reference).clusters()}
    for cluster, value in found.items():
        assert value == pytest.approx(sum(own[cluster] for own in each) / len(runs), abs=1e-12)


@pytest.mark.parametrize(("size", "clusters"), [(12, 3), (3000, 40)])  # exact, and by permutations
@pytest.mark.parametrize("has_weights", [False, True])
def test_by_chance_depends_neither_on_orders_nor_on_names(size, clusters, has_weights):
    random = np.random.default_rng(5)
    reference = random.integers(0, clusters, size)
    runs = [random.integers(0, 1 + k % 5, size) for k in range(25)]
    weights = random.integers(1, 4, size) if has_weights else None
    order = random.permutation(size)

    def by_chance(reference, runs, weights):
        s = cc.stability(runs, reference=reference, weights=weights, seed=7)
        return [s.by_chance, *sorted(each.by_chance for each in s.clusters())]

    expected = pytest.approx(by_chance(reference, runs, weights), abs=1e-12)
    assert by_chance(reference, runs[::-1], weights) == expected
    assert by_chance(clusters - reference, [10 - run for run in runs], weights) == expected
    taken = weights if weights is None else weights[order]
    assert by_chance(reference[order], [run[order] for run in runs], taken) == expected
    if weights is None:
        assert by_chance(reference, runs, np.full(size, 3)) == expected


def test_permutations_for_chance_are_of_every_run():
    random = np.random.default_rng(0)
    reference = np.repeat([0, 1], 20_000)
    one, other = np.zeros(40_000, dtype=int), random.integers(0, 20_000, 40_000)
    runs = [one] * 21 + [other] * 21  # more runs than permutations
    found = cc.stability(runs, reference=reference).by_chance
    assert found == pytest.approx(0.25, abs=0.01)  # the mean of 1/2 and almost 0


def test_by_chance_counts_clusters_without_records_as_the_value_does():
    reference = {"a": 0, "b": 0, "c": 1, "d": 1}
    runs = [{"a": 0, "b": 0}, {"a": 0, "b": 0, "c": 1, "d": 1}]
    skipped, zero = (
        {each.cluster: each for each in cc.stability(runs, reference=reference, absent=absent).clusters()}
        for absent in ("skip", "zero")
    )
    assert skipped[1].by_chance == pytest.approx(2 * zero[1].by_chance)
    assert zero[1].jaccard == 0.5


def test_by_chance_with_weights_is_near_the_mean_over_all_permutations():
    reference, run, weights = [0, 0, 1, 1, 1], [0, 0, 0, 1, 2], [5, 1, 1, 2, 9]
    values = []
    for labels in itertools.permutations(run):
        of_cluster = []
        for cluster in (0, 1):
            own = {i for i, label in enumerate(reference) if label == cluster}
            shares = [0.0]
            for other in set(labels):
                theirs = {i for i, label in enumerate(labels) if label == other}
                shares.append(sum(weights[i] for i in own & theirs) / sum(weights[i] for i in own | theirs))
            of_cluster.append(max(shares))
        values.append(of_cluster)
    found = cc.stability([run, run], reference=reference, weights=weights).clusters()
    means = dict(enumerate(np.mean(values, axis=0)))
    for row in found:
        assert row.by_chance == pytest.approx(means[row.cluster], abs=0.03)


class Graph:
    """Nodes with names, and the graph of some of them, as NetworkX has it."""

    def __init__(self, nodes):
        self.nodes = list(nodes)

    def subgraph(self, nodes):
        return Graph(set(nodes))


@pytest.mark.parametrize(
    "communities",
    [
        lambda graph: [{x for x in graph.nodes if x < "d"}, {x for x in graph.nodes if x >= "d"}],
        lambda graph: ({x for x in graph.nodes if (x < "d") is side} for side in (True, False)),
        lambda graph: {
            side: {x for x in graph.nodes if (x < "d") is side} for side in (True, False)
        }.values(),
        lambda graph: {x: x < "d" for x in graph.nodes},
        lambda graph: cc.Partition.from_mapping({x: x < "d" for x in graph.nodes}),
    ],
)
def test_communities_of_a_graph(communities):
    s = cc.stability(communities, Graph("fedcba"), n_resamples=10, vary="data")
    assert s.overall == 1.0
    assert sorted(each.record for each in s.records(None)) == list("abcdef")
    with pytest.raises(InputError, match="no cluster for 1 record: 'a'"):
        cc.stability(lambda graph: dict.fromkeys("fedcb", 0), Graph("fedcba"), n_resamples=2, vary="data")


def test_graphs_of_igraph():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph.Famous("Zachary")
    for find in (
        lambda part: part.community_multilevel(),
        lambda part: part.community_multilevel().membership,
    ):
        s = cc.stability(find, graph, n_resamples=5)
        assert s.size == 34
        assert 0.3 < s.overall <= 1
    graph.vs["name"] = [f"member {number}" for number in range(34)]
    assert cc.stability(find, graph, n_resamples=5).records(1)[0].record.startswith("member ")


def test_columns_of_a_table():
    frame = pd.DataFrame({"id": list("abcd"), "x": [0, 0, 1, 1], "y": [0, 0, 1, 2]})
    s = cc.stability(frame, record="id", reference="x")
    assert [each.clustering for each in s.clusterings()] == ["y"]
    assert s.records(1)[0].record == "c"
    with pytest.raises(ParameterError, match="unmatched='drop': a clustering may lack records"):
        cc.stability(frame, record="id", unmatched="drop")


def test_golden_means_by_chance():
    """The exact mean of the best match of a cluster of so many records with runs of these cluster sizes."""
    path = Path(__file__).parents[1] / "golden" / "trust3.json"
    wanted = json.loads(path.read_text(encoding="utf-8"))["estimates_judgements_units"]
    for size, sizes, name in (
        (2, [1, 1, 2, 2], "best_by_chance(2, {1: 2, 2: 2})"),
        (50, [*[1] * 300, *[5] * 60, *[50] * 8], "best_by_chance(50, {1: 300, 5: 60, 50: 8})"),
    ):
        assert mean_best_match(size, sizes) == pytest.approx(wanted[name][0], rel=1e-9)


@pytest.mark.parametrize(
    "weights",
    [[1e300] * 3, [1e-300] * 3, [1e308] * 3, [5e-324] * 3, [1e-300, 1, 1e300], [5e-324, 1.7e308, 1]],
)
def test_clusterings_of_extreme_weights(weights):
    runs = [[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]]
    heaviest = weights.index(max(weights))
    found = cc.stability(runs, reference=[0, 0, 1, 1], clustering_weights=weights)
    agreed = cc.consensus(runs, clustering_weights=weights)
    if len(set(weights)) == 1:
        equal = cc.stability(runs, reference=[0, 0, 1, 1], clustering_weights=[1, 1, 1])
        assert found.overall == pytest.approx(equal.overall)
        for name in ("low", "high", "within", "across"):
            assert [getattr(each, name) for each in found.clusters()] == pytest.approx(
                [getattr(each, name) for each in equal.clusters()]
            )
        assert agreed.loss == pytest.approx(cc.consensus(runs).loss)
    else:
        alone = cc.stability([runs[heaviest]] * 2, reference=[0, 0, 1, 1])
        assert found.overall == pytest.approx(alone.overall)
        assert {(each.low, each.high) for each in found.clusters()} == {(0, 1)}
        assert agreed.partition.same_clusters(cc.Partition.of(runs[heaviest]))
        assert agreed.loss == pytest.approx(0, abs=1e-200)
    assert "nan" not in f"{found}{agreed}"


def test_the_consensus_is_of_the_weighted_clusterings():
    runs, weights = [[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]], [1, 9, 1]
    found = cc.stability(runs, clustering_weights=weights)
    heaviest = cc.stability(runs, reference=list(runs[1]), clustering_weights=weights)
    assert found.overall == heaviest.overall != cc.stability(runs).overall


@pytest.mark.parametrize("shares", [None, [1e-300, 1], [3, 1]])
def test_records_of_extreme_weights(shares):
    runs = [[0, 0, 1, 1, 2, 2, 2], [0, 1, 1, 1, 2, 2, 0]]
    weights = [1e-300, 1, 1, 1, 1, 1, 1e300]
    how = {"reference": [*runs[0]], "clustering_weights": shares}
    found = cc.stability(runs, **how, weights=weights)
    near = cc.stability(runs, **how, weights=[1e-30, 1, 1, 1, 1, 1, 1e30])
    # Chance is sampled, so it is only near.
    for one, other in ((found.clusters(), near.clusters()), (found.records(), near.records())):
        for x, y in zip(one.to_dict()["rows"], other.to_dict()["rows"], strict=True):
            assert list(x.values()) == pytest.approx(list(y.values()), rel=0.02, abs=1e-20, nan_ok=True)
    assert str(found)
