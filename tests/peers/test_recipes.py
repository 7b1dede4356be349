"""The ways from other tools of docs/recipes.md, each with the real library where it is installed.

`make recipes` installs them; without one, its test says so.
"""

import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from inner import data_of

import concordant as cc


def test_igraph_and_leidenalg():
    igraph = pytest.importorskip("igraph", reason="igraph is not installed: make recipes")
    leidenalg = pytest.importorskip("leidenalg", reason="leidenalg is not installed: make recipes")
    graph = igraph.Graph.Famous("Zachary")
    runs = {
        seed: leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, seed=seed)
        for seed in range(5)
    }
    agreed = cc.consensus({seed: run.membership for seed, run in runs.items()})
    assert len(agreed.partition.labels) == graph.vcount()
    assert cc.adjusted_rand(runs[0].membership, agreed.partition.labels) > 0.5


def test_stability_of_leiden_over_seeds_and_resolutions():
    igraph = pytest.importorskip("igraph", reason="igraph is not installed: make recipes")
    leidenalg = pytest.importorskip("leidenalg", reason="leidenalg is not installed: make recipes")

    def leiden(resolution):
        kind = leidenalg.RBConfigurationVertexPartition
        return lambda graph, seed: (
            leidenalg.find_partition(
                graph, kind, seed=seed % 2**31, resolution_parameter=resolution
            ).membership
        )

    def rewired(graph, _):
        other = graph.copy()
        other.rewire(n=10 * graph.ecount())
        return other

    source = random.Random(0)
    pairs = [(i, j) for i in range(90) for j in range(i)]
    graph = igraph.Graph(
        90, [(i, j) for i, j in pairs if source.random() < (0.6 if i // 30 == j // 30 else 0.02)]
    )
    settings = {resolution: leiden(resolution) for resolution in (1.0, 8.0)}
    sweep = cc.stability_over(settings, graph, null=rewired, vary="seed", n_resamples=5, n_null_sets=4)
    assert sweep.best == 1.0
    assert [each.size for each in sweep[1.0].clusters()] == [30] * 3


def test_scanpy():
    scanpy = pytest.importorskip("scanpy", reason="scanpy is not installed: make recipes")
    anndata = pytest.importorskip("anndata", reason="anndata is not installed: make recipes")
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, 90)
    adata = anndata.AnnData((rng.normal(size=(90, 5)) + 6 * kinds[:, None]).astype(np.float32))
    adata.obs["cell_type"] = [f"type {kind}" for kind in kinds]
    scanpy.pp.neighbors(adata, n_neighbors=10, use_rep="X")
    names = []
    for resolution in (0.1, 1.0):
        names.append(f"leiden_{resolution}")
        options = {"flavor": "igraph", "n_iterations": 2, "directed": False}
        scanpy.tl.leiden(adata, resolution=resolution, key_added=names[-1], **options)
    assert cc.compare(adata, columns=["cell_type", names[0]]).adjusted_rand > 0.9
    assert cc.matrix(adata, ["ARI", "AMI"], columns=["cell_type", *names]).names[0] == "cell_type"
    assert cc.track(adata, columns=names).names == tuple(names)


def test_hdbscan():
    hdbscan = pytest.importorskip("hdbscan", reason="hdbscan is not installed: make recipes")
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(place, 0.3, (40, 2)) for place in (0, 4, 8)])
    runs = {f"size {size}": hdbscan.HDBSCAN(min_cluster_size=size).fit_predict(points) for size in (5, 10)}
    found = cc.matrix(runs, "adjusted_rand", noise=-1, noise_as="singletons")
    assert found.names == ("size 5", "size 10")
    model = hdbscan.HDBSCAN(min_cluster_size=5).fit(points)
    truth = np.repeat([0, 1, 2], 40)
    selected = cc.compare(truth, model.labels_, noise=-1, noise_as="singletons").adjusted_rand
    in_order = cc.Hierarchy.from_linkage(model.single_linkage_tree_.to_numpy(), ties="in order")
    for tree in (in_order, cc.Hierarchy.of(model.condensed_tree_)):
        # The clusters that HDBSCAN selects are one pruning of the tree.
        assert cc.compare(truth, tree).best_pruning("adjusted_rand").value >= selected
    joined = cc.compare(truth, cc.Hierarchy.of(model.single_linkage_tree_))
    assert joined.best_pruning("adjusted_rand").value >= joined.best_cut("adjusted_rand").value


def test_membership_vectors_of_hdbscan():
    hdbscan = pytest.importorskip("hdbscan", reason="hdbscan is not installed: make recipes")
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(place, 0.5, (40, 2)) for place in (0, 4, 8)])
    model = hdbscan.HDBSCAN(min_cluster_size=10, prediction_data=True).fit(points)
    vectors = hdbscan.all_points_membership_vectors(model)
    soft = cc.Soft.from_matrix(vectors, remainder="alone")
    s = cc.compare(np.repeat([0, 1, 2], 40), soft)
    assert soft.memberships.rest_weights() == pytest.approx(1 - vectors.sum(axis=1), abs=1e-6)
    assert 0 < s.soft_adjusted_rand <= 1
    assert len(s.matching()) == 3


def test_hdbscan_of_scikit_learn():
    cluster = pytest.importorskip("sklearn.cluster")
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(place, 1, (40, 2)) for place in (0, 4, 8)])
    truth = np.repeat([0, 1, 2], 40)
    model = cluster.HDBSCAN(min_cluster_size=5, copy=True).fit(points)
    t = cc.compare(truth, cc.Hierarchy.of(model))
    assert t.at(n_clusters=1).recall == 1
    assert t.best_pruning("adjusted_rand").value >= t.best_cut("adjusted_rand").value
    # HDBSCAN makes merges at equal heights one by one: its clusters are a pruning of the tree in this order.
    selected = cc.compare(truth, model.labels_, noise=-1, noise_as="singletons").adjusted_rand
    merges = model._single_linkage_tree_
    rows = np.column_stack([merges[name] for name in merges.dtype.names])
    in_order = cc.compare(truth, cc.Hierarchy.from_linkage(rows, ties="in order"))
    assert in_order.best_pruning("adjusted_rand").value >= selected


def test_two_linkages_of_scipy():
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    distance = pytest.importorskip("scipy.spatial.distance")
    points = np.random.default_rng(1).normal(size=(60, 3))
    linkages = [hierarchy.linkage(points, method) for method in ("average", "complete")]
    c = cc.compare(*map(cc.Hierarchy.from_linkage, linkages))
    heights = [distance.squareform(hierarchy.cophenet(each))[np.triu_indices(60, 1)] for each in linkages]
    assert c.cophenetic_correlation == pytest.approx(np.corrcoef(*heights)[0, 1], rel=1e-12)
    for k in (2, 7, 30):
        cuts = [hierarchy.fcluster(each, k, "maxclust") for each in linkages]
        assert c.at(n_clusters=k).adjusted_rand == cc.adjusted_rand(*cuts)


def test_a_taxonomy_against_clusters():
    pandas = pytest.importorskip("pandas")
    ranks = pandas.DataFrame(
        {
            "species": ["lynx", "puma", "wolf", "fox", "hare", "pika"],
            "family": ["cats", "cats", "dogs", "dogs", "hares", "pikas"],
            "order": ["carnivores"] * 4 + ["lagomorphs"] * 2,
        }
    )
    clusters = dict(zip(ranks["species"], "aaabcc", strict=True))
    by_columns = cc.Hierarchy.from_levels(ranks, columns=["order", "family"], record="species")
    edges = [(one.species, one.family) for one in ranks.itertuples()]
    edges += {(one.family, one.order) for one in ranks.itertuples()}
    by_parents = cc.Hierarchy.from_parents(edges)
    found = [
        cc.compare(tree, clusters).curve("adjusted_rand").to_numpy() for tree in (by_columns, by_parents)
    ]
    families, orders = (cc.adjusted_rand(ranks[rank], list("aaabcc")) for rank in ("family", "order"))
    assert [each.tolist() for each in found] == [[0, families, orders]] * 2


def test_splink():
    splink = pytest.importorskip("splink", reason="Splink is not installed: make recipes")
    comparisons = pytest.importorskip("splink.comparison_library", reason="Splink is not installed")
    pandas = pytest.importorskip("pandas")
    names = ["ann", "bob", "cem", "dora", "emil", "fay", "gus", "hana"]
    people = [
        {"unique_id": f"{i}{copy}", "name": name, "town": f"town {i % 3}", "entity": i}
        for i, name in enumerate(names)
        for copy in "xy"
    ]
    frame = pandas.DataFrame(people)
    settings = splink.SettingsCreator(
        link_type="dedupe_only",
        comparisons=[comparisons.ExactMatch("name"), comparisons.ExactMatch("town")],
        blocking_rules_to_generate_predictions=[splink.block_on("town")],
    )
    database = splink.DuckDBAPI()
    table = database.register(frame[["unique_id", "name", "town"]])
    linker = splink.Linker(table, settings)
    pairs = linker.inference.predict()
    clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(
        pairs, threshold_match_probability=0.01
    )
    guess = cc.Partition.from_frame(clusters.as_pandas_dataframe(), record="unique_id", cluster="cluster_id")
    truth = cc.Partition.from_frame(frame, record="unique_id", cluster="entity")
    c = cc.compare(truth, guess, unmatched="drop")
    assert c.recall == 1
    assert cc.estimate(truth, guess, sampling="clusters").recall.value == 1
    sides = {"left": "unique_id_l", "right": "unique_id_r", "score": "match_probability"}
    predictions = pairs.as_pandas_dataframe()
    t = cc.compare(truth, cc.Hierarchy.from_pairs(predictions, **sides))
    assert set(data_of(t.candidate).level_heights) <= set(predictions["match_probability"])
    assert t.at(threshold=0.01).f_measure == c.f_measure
    # The table of labels that Splink's evaluation reads, whose labels Splink finds as we do.
    entity = dict(zip(frame["unique_id"], frame["entity"], strict=True))
    every = [(one, other) for one in entity for other in entity if one < other]
    labels = pandas.DataFrame(every, columns=["unique_id_l", "unique_id_r"])
    labels["clerical_match_score"] = [float(entity[one] == entity[other]) for one, other in every]
    registered = linker.table_management.register_labels_table(database.register(labels))
    errors = linker.evaluation.prediction_errors_from_labels_table(
        registered, threshold_match_probability=0.01
    )
    assert len(errors.as_pandas_dataframe()) == round(c.pairs.n01 + c.pairs.n10)
    found = cc.estimate(labels, guess, sampling="pairs")
    assert (found.precision.value, found.recall.value) == (c.precision, c.recall)
    merges = cc.audit(guess)
    asked = merges.ask(n_questions=1000, details=frame, record="unique_id", show=["name"])
    answers = [
        {"question": q.question, "same": "yes" if entity[q.record_a] == entity[q.record_b] else "no"}
        for q in asked
    ]
    assert merges.judged(answers, questions=asked).precision.value == pytest.approx(c.precision)


def test_pairs_in_the_form_of_splink(tmp_path):
    """As Splink writes its predictions; labels are a part of the records."""
    pandas = pytest.importorskip("pandas")
    predictions = pandas.DataFrame(
        {
            "match_weight": [9.0, 6.6, 2.2, -0.6, -3.3],
            "match_probability": [0.998, 0.99, 0.82, 0.4, 0.09],
            "unique_id_l": [1, 3, 2, 4, 5],
            "unique_id_r": [2, 4, 3, 5, 6],
        }
    )
    labelled = pandas.DataFrame({"unique_id": [1, 2, 3, 4, 5], "entity": ["a", "a", "b", "b", "b"]})
    sides = {"left": "unique_id_l", "right": "unique_id_r", "score": "match_probability"}
    h = cc.Hierarchy.from_pairs(predictions, **sides)
    predictions.to_parquet(tmp_path / "predictions.parquet")
    from_file = cc.Hierarchy.from_pairs(tmp_path / "predictions.parquet", **sides)
    truth = cc.Partition.from_frame(labelled, record="unique_id", cluster="entity")
    for tree in (h, from_file):
        t = cc.compare(truth, tree, unmatched="drop")
        assert t.curve("f_measure").to_numpy().tolist() == [0, 2 / 5, 2 / 3, 2 / 5, 4 / 7, 4 / 7]
        assert t.best_cut("f_measure").threshold == 0.99


def test_dedupe():
    dedupe = pytest.importorskip("dedupe", reason="dedupe is not installed: make recipes")
    rng = random.Random(0)
    names = [" ".join("".join(rng.choices("abcdefgh", k=6)) for _ in range(2)) for _ in range(30)]
    data = {f"{i}{copy}": {"name": name} for i, name in enumerate(names) for copy in ("", "x")}
    deduper = dedupe.Dedupe([dedupe.variables.Exact("name")], num_cores=0)
    same = [(data[f"{i}"], data[f"{i}x"]) for i in range(30)]
    other = [(data[f"{i}"], data[f"{(i + 7) % 30}x"]) for i in range(30)]
    deduper.prepare_training(data, sample_size=200)
    deduper.mark_pairs({"match": same, "distinct": other})
    deduper.train()
    guess = {
        record: number
        for number, (records, scores) in enumerate(deduper.partition(data, 0.5))
        for record in records
    }
    truth = {record: record.rstrip("x") for record in data}
    c = cc.compare(truth, guess)
    assert c.size == 60
    assert c.adjusted_rand > 0.5


def test_zingg(tmp_path):
    """Zingg runs on Spark and is not run here; its output has z_cluster and two scores."""
    pandas = pytest.importorskip("pandas")
    for name, clusters in (("last", [0, 0, 1, 2]), ("this", [7, 7, 7, 9])):
        (tmp_path / name).mkdir()
        scores = {"z_minScore": 0.5, "z_maxScore": 1.0}
        frame = pandas.DataFrame({"id": [1, 2, 3, 4], "z_cluster": clusters, **scores})
        frame.to_parquet(tmp_path / name / "part-0.parquet")
    last, this = (
        cc.Partition.scan(f"{tmp_path}/{name}/*.parquet", record="id", cluster="z_cluster")
        for name in ("last", "this")
    )
    c = cc.compare(last, this, unmatched="drop")
    assert (c.precision, c.recall) == (1 / 3, 1.0)


@pytest.mark.filterwarnings("default")  # these tools warn of each other's versions
def test_mlflow(tmp_path):
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed: make recipes")
    c = cc.compare(["a", "a", "a", "b", "b", "c"], [1, 1, 2, 3, 3, 3])
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    experiment = mlflow.create_experiment("matching", artifact_location=(tmp_path / "artifacts").as_uri())
    with mlflow.start_run(experiment_id=experiment) as run:
        mlflow.log_metrics(c.to_metrics(prefix="test/"))
        mlflow.log_metrics(cc.matrix({"a b": [0, 0, 1], "c(d)": [0, 1, 1]}).to_metrics())
        mlflow.log_artifact(c.to_html(tmp_path / "comparison.html"))
    logged = mlflow.get_run(run.info.run_id).data.metrics
    assert logged["test/adjusted_rand"] == c.adjusted_rand
    assert logged["adjusted_rand/a b/c_d"] == -0.5
    assert (tmp_path / "artifacts" / run.info.run_id / "artifacts" / "comparison.html").exists()


@pytest.mark.filterwarnings("default")
def test_weights_and_biases(tmp_path):
    wandb = pytest.importorskip("wandb", reason="wandb is not installed: make recipes")
    c = cc.compare(["a", "a", "a", "b", "b", "c"], [1, 1, 2, 3, 3, 3])
    with wandb.init(project="matching", mode="offline", dir=tmp_path) as run:
        run.log(c.to_metrics(prefix="test/"))
        run.log({"comparison": wandb.Html(c.to_html(tmp_path / "comparison.html").read_text("utf-8"))})
        assert run.summary["test/adjusted_rand"] == c.adjusted_rand
    assert list(tmp_path.glob("wandb/offline-run-*/*.wandb"))


def test_r(tmp_path):
    """The blocks of docs/r.md in R, with the values that their comments show."""
    script = shutil.which("Rscript")
    if script is None:
        pytest.skip("R is not installed: apt install r-base-core r-cran-reticulate r-cran-mclust")
    page = (Path(__file__).parents[2] / "docs" / "r.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```r\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    lines = [
        line
        for block in blocks
        for line in block.splitlines()
        if not re.search("install|require|object|stability", line)
    ]
    shown = [re.search(r"^(.*\S)\s+# ([\d.]+)", line) for line in lines]
    checks = [
        f"cat('\\n', all.equal({each[1]}, {each[2]}, tolerance = 1e-6), '\\n')" for each in shown if each
    ]
    code = tmp_path / "page.R"
    code.write_text("\n".join([*lines, *checks]), encoding="utf-8")
    ran = subprocess.run(  # noqa: S603
        [script, str(code)],
        env=os.environ | {"RETICULATE_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    if "there is no package" in ran.stderr:
        pytest.skip("a package of R is not installed: apt install r-cran-reticulate r-cran-mclust")
    assert ran.returncode == 0, ran.stderr
    assert len(checks) >= 7
    assert ran.stdout.split()[-len(checks) :] == ["TRUE"] * len(checks)
    assert "hclust    ░0.76   █0.96" in ran.stdout
